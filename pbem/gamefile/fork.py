"""Two signed entries for one place: the proof that a player told two stories.

Mail can damage and lose, and a program can judge wrongly; none of that signs. So two entries of one
author behind the same entry, each of which the rules allow there, were both made by the owner of
his key. What the rules refuse proves nothing: it was never part of the game, and may be corrected.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pbem.gamefile import canonical
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, after, replay
from pbem.gamefile.format import FORMAT as GAME_FORMAT
from pbem.gamefile.format import MAX_BYTES, read, write
from pbem.gamefile.machine import OpenTable
from pbem.gamefile.shapes import check_payload
from pbem.problems import Problem, Refused
from pbem.value import value

FORMAT = "pbem-fork/1"
_MEMBERS = frozenset({"format", "game", "by", "seq", "common", "entries"})
_GZIP = b"\x1f\x8b"

Story = tuple[Entry, ...]
"""The entries of one file, shaped but not judged."""


@value
class Fork:
    """A proof: the entries both stories begin with, and the two that follow them.

    `key` (32 bytes) is the key both are signed with, `game` the game's id, or None where the fork
    is the acceptance that would give it.
    """

    common: tuple[Entry, ...]
    first: Entry
    second: Entry
    key: bytes
    game: str | None

    @property
    def by(self) -> str:
        return self.first.by

    @property
    def seq(self) -> int:
        return self.first.seq

    def plain(self) -> dict[str, Any]:
        """The proof as a file holds it; everything in it can be checked by whoever has it."""
        return {
            "format": FORMAT, "game": self.game, "by": self.by, "seq": self.seq,
            "common": _stored(self.common),
            "entries": _stored((self.first, self.second)),
        }  # fmt: skip

    def bytes(self) -> bytes:
        """The bytes of the evidence file."""
        text = json.dumps(self.plain(), ensure_ascii=True, indent=1, sort_keys=True)
        return text.encode("ascii") + b"\n"


class NoFork(Refused):
    """Two stories that prove nothing against anybody; `why` is a word for programs.

    `same`, `other-game`, `two-authors`, `refused`, `solo`.
    """

    def __init__(self, why: str, message: str, hint: str = "") -> None:
        self.why = why
        super().__init__(Problem("no-fork", f"no fork: {message}", hint=hint))


def stories(raw: bytes) -> tuple[Story, ...]:
    """What a file tells: the one story of a game file, or the two of an evidence file.

    Raises FileRefused for anything else.
    """
    if not raw.startswith(_GZIP) and len(raw) <= MAX_BYTES:
        document = canonical.parse(raw)
        if type(document) is dict and document.get("format") == FORMAT:
            return _evidence(document)
    return (tuple(read(raw)),)


def find(first: Story, second: Story, open_table: OpenTable) -> Fork:
    """The fork between two stories, with every check on what it rests on.

    Raises NoFork when there is none, and FileRefused when what the two have in common does not
    verify, so that nothing can be said.
    """
    seq = _parting(first, second)
    fold = replay(first[:seq], open_table, remember_from=seq)
    if fold.is_solo:
        raise NoFork("solo", "in a solo game anybody can sign for both seats")
    left, right = first[seq], second[seq]
    for number, entry in ((1, left), (2, right)):
        _check_legal(fold, entry, number)
    if left.by != right.by:
        raise NoFork(
            "two-authors",
            f"entry {seq} was written by player {left.by} in one file and by player {right.by} in "
            "the other: two mails have crossed",
            "the entry of the player whose turn it was stands",
        )
    public = fold.machine.publics[left.by]
    return Fork(first[:seq], left, right, public, _game(first[:seq]))


def _parting(first: Story, second: Story) -> int:
    """The number of the first entry in which two stories differ."""
    if first[0].id != second[0].id:
        raise NoFork("other-game", "the two files are not of the same game")
    for seq, (left, right) in enumerate(zip(first, second, strict=False)):
        if left.id != right.id:
            return seq
    if len(first) == len(second):
        raise NoFork("same", "the two files tell the same story")
    shorter, longer = (1, 2) if len(first) < len(second) else (2, 1)
    raise NoFork(
        "same",
        f"file {shorter} is the beginning of file {longer}, which goes on behind entry "
        f"{min(len(first), len(second)) - 1}",
    )


def _check_legal(fold: Fold, entry: Entry, number: int) -> None:
    try:
        after(fold, entry)
    except FileRefused as refused:
        raise NoFork(
            "refused",
            f"what is entry {len(fold.entries)} in file {number} cannot stand there "
            f"({refused.code}: {refused.problems[0].message})",
            "an entry that is refused is no part of the game, and its author may send another",
        ) from None


def _evidence(document: dict[str, Any]) -> tuple[Story, Story]:
    """The two stories of an evidence file; what it says of itself must be what its entries say."""
    if set(document) != _MEMBERS:
        raise _misfit("its members are " + ", ".join(sorted(_MEMBERS)))
    common, pair = _entries(document["common"]), _entries(document["entries"])
    if len(pair) != 2:
        raise _misfit("it holds two entries for one place")
    for entry in pair:
        check_payload(entry.payload)
        if (entry.by, entry.seq) != (document["by"], document["seq"]):
            raise _misfit("its two entries are not of the author and place it names")
    if document["seq"] != len(common):
        raise _misfit("its two entries do not follow the others")
    if document["game"] != _game(common):
        raise _misfit("it names another game than its entries")
    first, second = pair
    return (*common, first), (*common, second)


def _game(common: Story) -> str | None:
    return common[1].id if len(common) > 1 else None


def _entries(listed: Any) -> Story:
    try:
        raw = json.dumps({"format": GAME_FORMAT, "entries": listed}).encode("ascii")
    except RecursionError:
        raise _misfit("it nests too deeply") from None
    return tuple(read(raw))


def _stored(entries: Sequence[Entry]) -> list[Any]:
    stored: list[Any] = json.loads(write(entries))["entries"]
    return stored


def _misfit(why: str) -> FileRefused:
    return FileRefused("E-SCHEMA", f"this is not the evidence of a fork: {why}")
