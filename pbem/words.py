"""Words in English and names without accents: what every part of the house says alike."""

from __future__ import annotations

from collections.abc import Iterable


def listing(items: Iterable[object], last: str = "and") -> str:
    """A list in English: "A", "A and B", "A, B and C"."""
    words = [str(item) for item in items]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def as_written(value: str | int | bool) -> str:
    """A value read from YAML as its text, which is the name of something: 2006, 1e3, true.

    What is no text there has but one spelling (text/yamlsource.py), so nothing is lost.
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def unaccented(name: str) -> str:
    """The name in small letters without its accents: "Mérida" is "merida"."""
    if name.isascii():
        return name.lower()
    from unicodedata import combining, normalize

    return "".join(sign for sign in normalize("NFKD", name.casefold()) if not combining(sign))


def folded(name: str) -> str:
    """The letters and digits of a name without case or accents: "Santa Olalla" is "santaolalla"."""
    return "".join(sign for sign in unaccented(name) if sign.isalnum())
