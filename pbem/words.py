"""Words in English and names without accents: what every part of the house says alike."""

from __future__ import annotations

from collections.abc import Iterable


def listing(items: Iterable[object], last: str = "and") -> str:
    """A list in English: "A", "A and B", "A, B and C"."""
    words = [str(item) for item in items]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def unaccented(name: str) -> str:
    """The name in small letters without its accents: "Mérida" is "merida"."""
    if name.isascii():
        return name.lower()
    from unicodedata import combining, normalize

    return "".join(sign for sign in normalize("NFKD", name.casefold()) if not combining(sign))


def folded(name: str) -> str:
    """The letters and digits of a name without case or accents: "Santa Olalla" is "santaolalla"."""
    return "".join(sign for sign in unaccented(name) if sign.isalnum())
