"""Salvage: a game file that mail has damaged, restored without trusting a guess.

A text is repaired in one way after another until every entry in it matches its own digests. The
caller verifies these entries, and that verdict is final. So a repair can restore what was signed,
or nothing. It cannot produce anything else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import combinations

from pbem.gamefile import format
from pbem.gamefile.chain import Entry, check_all_intact
from pbem.gamefile.errors import FileRefused
from pbem.mail import repairs
from pbem.mail.work import JUDGING, Work
from pbem.messages import marked
from pbem.value import value

MAX_TEXT = 3 << 20
FINAL = frozenset({"E-LIMIT", "E-VERSION"})
"""What mail does not do to a file: no repair is tried."""
CUT = marked("text before or after it")
_HEAD = re.compile(r'\{\s*"(?:entries|format)"\s*:')
_TAIL = re.compile(r'"format"\s*:\s*"pbem-game/1"\s*\}')
_GZIP = b"\x1f\x8b"


@value
class Salvaged:
    """The result: the file as it was signed, its entries, and the repairs."""

    content: bytes
    entries: tuple[Entry, ...]
    repairs: tuple[str, ...]


def may_be_a_game(raw: bytes) -> bool:
    """Whether this may be a game file, or the rest of one; otherwise salvage is not worth
    trying.
    """
    if raw.startswith(_GZIP):
        return True
    text = raw.translate(None, b"\0") if b"\0" in raw[:4] else raw  # two bytes a letter
    return b"payload" in text


def salvage(raw: bytes, charset: str = "utf-8", work: Work | None = None) -> Salvaged:
    """The game in `raw`, as it is or after the first repair that makes all its digests match.

    Raises FileRefused when no repair does, with the fault of the text that came nearest, and
    E-LIMIT when the budget `work` is used up.
    """
    work = work or Work()
    refused: FileRefused | None = None
    for done, content in _attempts(raw, charset, work):
        work.spend(JUDGING * weight(content, work.left // JUDGING))
        try:
            entries = _sound(content)
        except FileRefused as error:
            if error.code in FINAL:
                raise
            refused = _nearer(refused, error)
        else:
            return Salvaged(content, entries, done)
    assert refused is not None
    raise refused


def _attempts(raw: bytes, charset: str, work: Work) -> Iterator[tuple[tuple[str, ...], bytes]]:
    """Each attempt with its repairs and result, without those that change nothing."""
    yield (), raw
    if raw.startswith(_GZIP) or len(raw) > MAX_TEXT or not may_be_a_game(raw):
        return
    text = repairs.decoded(raw, charset)
    work.spend(len(repairs.REPAIRS) * len(text))
    tried = {hash(text)}
    for names in dict.fromkeys(_orders(_useful(text))):
        found, done = text, tuple[str, ...]()
        for name in names:
            work.spend(len(found))
            changed = repairs.REPAIRS[name](found)
            if changed != found:
                found, done = changed, (*done, name)
        cut = _cut(found)
        if cut.strip() != found.strip():
            done = (*done, CUT)
        if hash(cut) not in tried:
            tried.add(hash(cut))
            yield done, cut.encode("utf-8", "replace")


def _cut(text: str) -> str:
    """The text from the brace that begins the file to the one that ends it, as far as can be
    seen.
    """
    begin, end = _HEAD.search(text), _TAIL.search(text)
    first = begin.start() if begin else max(0, text.find("{"))
    return text[first : end.end() if end else text.rfind("}") + 1]


def _useful(text: str) -> Collection[str]:
    """The repairs that change anything; all of them, where decoding may bring their damage to
    light.
    """
    useful = [name for name, repair in repairs.REPAIRS.items() if repair(text) != text]
    return repairs.REPAIRS if {"HTML", "quoted-printable"} & set(useful) else useful


def _orders(useful: Collection[str]) -> Iterator[tuple[str, ...]]:
    """The attempts: only a cut, each repair alone, all together, each two, all but one.

    Several are applied in the order in which damage must be undone (`repairs.TOGETHER`).
    """
    yield ()
    yield from ((name,) for name in repairs.REPAIRS if name in useful)
    outer = [name for name in repairs.TOGETHER[:-1] if name in useful]
    both = [(*outer, last) for last in ("broken lines", "broken words")]
    yield from both
    order = [name for name in (*repairs.TOGETHER, "broken words") if name in useful]
    yield from combinations(order, 2)
    yield ("quoted reply", "quoted-printable")  # a reply to what was coded still
    for names in both:
        yield from (names[:at] + names[at + 1 :] for at in range(len(names)))


def weight(content: bytes, most: int = format.MAX_BYTES) -> int:
    """How many bytes are judged: a packed file is as large as what it unpacks to.

    Nobody unpacks more than `most`, which is less than such a file weighs.
    """
    most = min(most, format.MAX_BYTES)
    try:
        return len(format.inflated(content, most))
    except FileRefused as refused:
        return most + 1 if refused.code == "E-LIMIT" else len(content)


def _sound(content: bytes) -> tuple[Entry, ...]:
    """The entries of the content, when each of them fits its own sum.

    Raises FileRefused: all that `format.read` may, and E-DAMAGED with the number of the entry.
    """
    entries = tuple(format.read(content))
    check_all_intact(entries)
    return entries


def _nearer(one: FileRefused | None, other: FileRefused) -> FileRefused:
    """The refusal that read more of the file; of equals the first."""
    if one is None or (one.entry is None and other.entry is not None):
        return other
    if one.entry is not None and other.entry is not None and other.entry > one.entry:
        return other
    return one
