"""Words in English, names without accents, near misses, what cannot be seen: alike everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.late import Late

if TYPE_CHECKING:
    from pbem import spanish
else:  # which an English reader does without
    spanish = Late("pbem.spanish")

ENGLISH = ("and", "or")


def listing(items: Iterable[object], last: str = "and") -> str:
    """A list: "A", "A and B", "A, B and C"; `last` is the word for "and", or for "or"."""
    words = [str(item) for item in items]
    if len(words) < 2:
        return "".join(words)
    word = last if last in ENGLISH else spanish.by_sound(last, words[-1])
    return f"{', '.join(words[:-1])} {word} {words[-1]}"


def by_name(name: str) -> tuple[tuple[bool, int, str], ...]:
    """The sort key of names as people put them in order: R-9 comes before R-10."""
    from re import findall

    parts = findall(r"([^0-9]+)|([0-9]+)", name)
    return tuple((not number, int(number or 0), text) for text, number in parts)


def to_lines(
    text: str, width: int, first: str = "", others: str = "", *, cut: bool = True
) -> list[str]:
    """A text in lines, as `textwrap.wrap` puts it, with an indent for the first and for the others.

    Words are never parted at hyphens; with `cut` one that is longer than a line is cut. Usual texts
    are done here: to load `textwrap` takes a cold command longer than to write its log.
    """
    if not text:
        return []
    parts = text.split(" ")
    room = width - max(len(first), len(others))
    if not all(parts) or not text.isprintable() or max(map(len, parts)) > room:
        from textwrap import wrap

        return wrap(text, width, initial_indent=first, subsequent_indent=others,
                    break_long_words=cut, break_on_hyphens=False)  # fmt: skip
    lines, line = [], first + parts[0]
    for part in parts[1:]:
        if len(line) + 1 + len(part) > width:
            lines.append(line)
            line = others + part
        else:
            line += f" {part}"
    return [*lines, line]


UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories of what has no glyph of its own: controls, directions, surrogates, breaks."""


def visible(text: str) -> str:
    """The text with every character written out that cannot be seen, or that moves the cursor:
    `\\u202e`.
    """
    if text.isprintable():  # which leaves out all of UNSEEN, and strange spaces
        return text
    from unicodedata import category

    return "".join(_escaped(each) if category(each) in UNSEEN else each for each in text)


def _escaped(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


YES_NO = {"yes": True, "no": False}
"""YAML of today reads these as texts."""


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


@lru_cache(maxsize=1024)
def folded(name: str) -> str:
    """The letters and digits of a name without case or accents: "Santa Olalla" is "santaolalla"."""
    return "".join(sign for sign in unaccented(name) if sign.isalnum())


LONGEST_NAME = 60
"""What is longer is like no name."""


def closest(name: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The known names most like this one, nearest first; equals in the order given."""
    if len(name) > LONGEST_NAME:
        return ()
    wanted = folded(name)
    near = _distances(wanted, known)
    if not near:
        return ()
    best = min(distance for distance, _ in near)
    return tuple(dict.fromkeys(other for distance, other in near if distance == best))[:most]


def _distances(wanted: str, known: Iterable[str]) -> list[tuple[int, str]]:
    allowed = max(1, len(wanted) // 3) if len(wanted) > 1 else 0
    found = []
    for other in known:
        candidate = folded(other)
        distance = 1 if _begins(wanted, candidate) else _distance(wanted, candidate, allowed)
        if distance <= allowed:
            found.append((distance, other))
    return found


def _begins(wanted: str, candidate: str) -> bool:
    """Somebody wrote the beginning only: "santa" for santa_olalla."""
    return len(wanted) >= 4 and candidate.startswith(wanted) and candidate != wanted


def _distance(a: str, b: str, allowed: int) -> int:
    """Letters to add, drop, change or swap to turn a into b; gives up past what is allowed."""
    if abs(len(a) - len(b)) > allowed or len(set(a).difference(b)) > allowed:
        return allowed + 1  # most names end here, in a tenth of the time
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, right in enumerate(b, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > allowed:
            return allowed + 1
    return row[-1]
