"""Salvage: a game file that mail has damaged, brought back without believing a guess.

A text is repaired in one way after another until every entry in it fits its own digests; then the
whole is verified by whoever asked, and what they say is final. So a repair can give back what was
signed, or nothing. It cannot give something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from itertools import combinations
from typing import Generic, TypeVar

from pbem.gamefile import format
from pbem.gamefile.chain import check_digests
from pbem.gamefile.errors import FileRefused
from pbem.mail import repairs
from pbem.mail.work import JUDGING, Work
from pbem.value import value

T = TypeVar("T")

MAX_TEXT = 3 << 20
FINAL = frozenset({"E-LIMIT", "E-VERSION"})
"""What mail does not do to a file: no repair is tried."""
CUT = "text before or after it"
_HEAD = re.compile(r'\{\s*"(?:entries|format)"\s*:')
_TAIL = re.compile(r'"format"\s*:\s*"pbem-game/1"\s*\}')
_GZIP = b"\x1f\x8b"


@value
class Salvaged(Generic[T]):
    """What was found: the file as it was signed, what the verifier made of it, the repairs."""

    content: bytes
    verified: T
    repairs: tuple[str, ...]


def may_be_a_game(raw: bytes) -> bool:
    """Whether this might be a game file, or what is left of one; else salvage is not worth it."""
    if raw.startswith(_GZIP):
        return True
    text = raw.translate(None, b"\0") if b"\0" in raw[:4] else raw  # two bytes a letter
    return b"payload" in text


def salvage(
    raw: bytes, verify: Callable[[bytes], T], charset: str = "utf-8", work: Work | None = None
) -> Salvaged[T]:
    """The game in `raw`, as it is or after the first repair that makes all its digests fit.

    Raises FileRefused when no repair does, with what was wrong with the text that came nearest,
    E-LIMIT when there is no more of `work`, and whatever `verify` raises. `verify` is given bytes
    whose digests fit, once.
    """
    work = work or Work()
    refused: FileRefused | None = None
    for done, content in _attempts(raw, charset, work):
        work.spend(JUDGING * len(content))
        try:
            content = _sound(content)
        except FileRefused as error:
            if error.code in FINAL:
                raise
            refused = _nearer(refused, error)
        else:
            return Salvaged(content, verify(content), done)
    assert refused is not None
    raise refused


def _attempts(raw: bytes, charset: str, work: Work) -> Iterator[tuple[tuple[str, ...], bytes]]:
    """What was done, and what it gave: the whole list of tries, without those that do nothing."""
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
    """From the brace that begins the file to the one that ends it, as far as they can be told."""
    begin, end = _HEAD.search(text), _TAIL.search(text)
    first = begin.start() if begin else max(0, text.find("{"))
    return text[first : end.end() if end else text.rfind("}") + 1]


def _useful(text: str) -> Collection[str]:
    """The repairs that change anything; all, where what they find may come out of a coded text."""
    useful = [name for name, repair in repairs.REPAIRS.items() if repair(text) != text]
    return repairs.REPAIRS if {"HTML", "quoted-printable"} & set(useful) else useful


def _orders(useful: Collection[str]) -> Iterator[tuple[str, ...]]:
    """The tries: nothing but a cut, each repair alone, all together, each two, all but one.

    Several go in the order in which damages come off each other (`repairs.TOGETHER`).
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


def _sound(content: bytes) -> bytes:
    """The content, when each of its entries fits its own digests.

    Raises FileRefused: all that `format.read` may, and E-DAMAGED with the number of the entry.
    """
    for number, entry in enumerate(format.read(content)):
        try:
            check_digests(entry)
        except FileRefused as refused:
            raise refused.placed(entry=number) from None
    return content


def _nearer(one: FileRefused | None, other: FileRefused) -> FileRefused:
    """Of two refusals the one that read more of the file; of equals the first."""
    if one is None or (one.entry is None and other.entry is not None):
        return other
    if one.entry is not None and other.entry is not None and other.entry > one.entry:
        return other
    return one
