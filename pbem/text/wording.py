"""How things are said: lists and numbers in English, near misses, and text safe to print."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pbem.words import folded, listing

LONGEST_NAME = 60
FEW = 12

# Controls, soft hyphen, zero-width and directional marks, line separators, lone surrogates,
# byte order mark, tag characters: whatever moves the cursor or hides itself in a terminal.
_UNSEEN = (
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def shown(text: str, longest: int = 0) -> str:
    """The text with everything escaped that could move, hide or reverse what a terminal shows."""
    if longest and len(text) > longest:
        text = text[:longest] + "…"
    return text if text.isprintable() else re.sub(_UNSEEN, _escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def quoted(text: str) -> str:
    """A name as the player wrote it, in quotes, safe to print and not too long."""
    return f"'{shown(text, LONGEST_NAME)}'"


def plural(number: int, one: str, many: str = "") -> str:
    """The noun that fits the number: unit, units; hex, hexes; city, cities."""
    if number == 1:
        return one
    if one.endswith("y") and one[-2:-1] not in tuple("aeiou"):
        return many or f"{one[:-1]}ies"
    return many or (f"{one}es" if one.endswith(("s", "x", "z", "ch", "sh")) else f"{one}s")


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "no units", "1 unit", "3 units"."""
    return f"{number or 'no'} {plural(number, one, many)}"


def an(noun: str) -> str:
    """The noun with its indefinite article: "a unit type", "an order"."""
    vowel = noun[:1].lower() in "aeio" or (noun[:2].lower() == "un" and noun[:3].lower() != "uni")
    return f"{'an' if vowel else 'a'} {noun}"


def kind_of(value: object) -> str:
    """What a plain value is, as a player would call it: "a list", "the number 3"."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"the truth value {'true' if value else 'false'}"
    if isinstance(value, int):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    return "a list" if isinstance(value, list | tuple) else "a mapping"


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
    if abs(len(a) - len(b)) > allowed:
        return allowed + 1
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


def did_you_mean(name: str, known: Sequence[str] | Iterable[str]) -> str:
    """A hint: the nearest names, or all of them where they are few, or nothing."""
    names = list(known)
    near = closest(name, names)
    if near:
        return f"did you mean {listing(map(shown, near), 'or')}?"
    return may_be(names) if len(names) <= FEW else ""


def may_be(known: Iterable[str]) -> str:
    """A hint that lists everything that would do."""
    names = [shown(name) for name in known]
    return f"it may be {listing(names, 'or')}" if names else ""
