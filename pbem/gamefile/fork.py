"""Two stories signed by one player, and the proof that the player signed both.

Mail can damage and lose, and a program can judge wrongly; none of that signs. After one main entry
comes one next main entry, and after any entry one note. So a player who has signed two, each legal
at its place, told two stories. An entry that the rules refuse proves nothing: it was never part of
the game, and may be corrected. Nor does a note together with what its author writes after it was
passed over.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pbem.gamefile import canonical
from pbem.gamefile.chain import Entry, check_all_intact, check_intact
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, after, replay
from pbem.gamefile.format import FORMAT as GAME_FORMAT
from pbem.gamefile.format import MAX_BYTES, laid_out, read, stored
from pbem.gamefile.in_play import other
from pbem.gamefile.machine import OpenTable
from pbem.gamefile.rotation import on_word, seated, signer
from pbem.gamefile.rulings import result_in
from pbem.gamefile.shapes import check_payload
from pbem.messages import Said, say
from pbem.problems import Problem, Refused
from pbem.value import value

FORMAT = "pbem-fork/1"
_MEMBERS = frozenset({"format", "game", "by", "seq", "common", "lines"})
_GZIP = b"\x1f\x8b"

Story = tuple[Entry, ...]
"""The entries of one file, shaped but not judged."""


@value
class Fork:
    """A proof: the entries both stories begin with, and the two lines that part after them.

    Each line is notes by the other player, or none, and then one entry by the accused; or the lines
    are one note each. `key` (32 bytes) is the key of the accused, `game` the game's id, or None
    where the fork is the acceptance that would give it.
    """

    common: tuple[Entry, ...]
    lines: tuple[Story, Story]
    key: bytes
    game: str | None

    @property
    def first(self) -> Entry:
        """The one entry by the accused."""
        return self.lines[0][-1]

    @property
    def second(self) -> Entry:
        """The other entry by the accused."""
        return self.lines[1][-1]

    @property
    def by(self) -> str:
        """The player who signed both entries, or whose deputy did."""
        return self.first.by

    @property
    def by_deputy(self) -> tuple[bool, bool]:
        """Which of the two entries the player's deputy has signed."""
        return "as" in self.first.payload, "as" in self.second.payload

    @property
    def seq(self) -> int:
        """The number of the entries in which the stories part."""
        return len(self.common)

    def plain(self) -> dict[str, Any]:
        """The proof as plain values; any reader of the file can check everything in it."""
        return {
            "format": FORMAT, "game": self.game, "by": self.by, "seq": self.seq,
            "common": list(map(stored, self.common)),
            "lines": [list(map(stored, line)) for line in self.lines],
        }  # fmt: skip

    def bytes(self) -> bytes:
        """The bytes of the evidence file."""
        return laid_out(self.plain())


class NoFork(Refused):
    """Two stories that prove nothing against a player; `told` says why, and `why` for programs.

    `same`, `other-game`, `two-authors`, `refused`, `solo`, `on-word`.
    """

    def __init__(self, why: str, message: Said, hint: Said = "") -> None:
        self.why, self.told = why, message
        super().__init__(Problem("no-fork", say("no fork: {message}", message=message), hint=hint))


def stories(raw: bytes) -> tuple[Story, ...]:
    """The stories in a file: the one of a game file, or the two of an evidence file.

    Raises FileRefused for anything else.
    """
    if not raw.startswith(_GZIP) and len(raw) <= MAX_BYTES:
        document = canonical.parse(raw)
        named = document.get("format") if type(document) is dict else None
        if named == FORMAT:
            return _evidence(document)
        if type(named) is str and named.startswith("pbem-fork/"):
            raise FileRefused(
                "E-VERSION",
                say("the format is {named} and needs a newer pbem",
                    named=format(ascii(named), ".40")),
            )  # fmt: skip
    return (tuple(read(raw)),)


def find(first: Story, second: Story, open_table: OpenTable) -> Fork:
    """The fork between two stories, with every check on its basis; the first of `find_all`.

    Raises NoFork when there is none, and FileRefused when the common part does not verify and
    nothing can be said.
    """
    return find_all(first, second, open_table)[0]


def find_all(first: Story, second: Story, open_table: OpenTable) -> tuple[Fork, ...]:
    """All forks between two stories, at most one of each player: of main entries, then of notes.

    Raises as `find` does; there is at least one.
    """
    seq = _parting(first, second)
    fold = _shared(first[:seq], second[:seq], open_table)
    if fold.is_solo:
        raise NoFork("solo", say("in a solo game one person can sign for both players"))
    left, right = _line(fold, first, 1), _line(fold, second, 2)
    pairs = []
    if left.main is not None and right.main is not None and _author(left) == _author(right):
        pairs.append((left.main, right.main))
    if left.folds and right.folds and _is_note(left.folds[0]) and _is_note(right.folds[0]):
        pairs.append((left.folds[0], right.folds[0]))
    provable = [pair for pair in pairs if not _is_exempt(pair)]
    if not provable:
        raise _no_fork(fold, left, right, pairs)
    return tuple(_proof(fold, *pair) for pair in provable)


def _shared(first: Story, second: Story, open_table: OpenTable) -> Fold:
    """The part with the same ids, from the story in which it verifies.

    An id covers no signature: whoever sends one of the files can spoil one in it.
    """
    try:
        return replay(first, open_table, remember_from=len(first))
    except FileRefused as refused:
        try:
            return replay(second, open_table, remember_from=len(second))
        except FileRefused:
            raise refused from None


@value
class _Line:
    """One story after the point where two part, up to its next main entry: a fold for each entry.

    `main` is the last of them, if it ends with a main entry; `refused` is the fault found before.
    """

    folds: tuple[Fold, ...]
    main: Fold | None = None
    refused: NoFork | None = None


def _line(fold: Fold, story: Story, number: int) -> _Line:
    folds: list[Fold] = []
    for entry in story[len(fold.entries) :]:
        try:
            fold = after(fold, entry)
        except FileRefused as refused:
            return _Line(tuple(folds), None, _illegal(len(fold.entries), refused, number))
        folds.append(fold)
        if not _is_note(fold):
            return _Line(tuple(folds), fold)
    return _Line(tuple(folds))


def _is_note(fold: Fold) -> bool:
    """Whether the last entry is a note."""
    return fold.machine.entry.side


def _author(line: _Line) -> str:
    """Who wrote the main entry of a line: a result may come from either player."""
    assert line.main is not None
    return line.main.entries[-1].by


def _is_exempt(pair: tuple[Fold, Fold]) -> bool:
    """Whether two entries accuse nobody: the key of one rests on the other player's word, or the
    director gave the seat to somebody else in only one of the stories.
    """
    by = pair[0].entries[-1].by
    if any(on_word(fold.machine, by) is not None for fold in pair):
        return True
    return len({seated(fold.machine, by) for fold in pair}) > 1


def _proof(fold: Fold, left: Fold, right: Fold) -> Fork:
    count = len(fold.entries)
    entry = left.entries[-1]
    public = signer(fold.machine, entry)
    assert public is not None, "two stories of one game must share entry 0"
    lines = left.entries[count:], right.entries[count:]
    return Fork(fold.entries, lines, public, _game(fold.entries))


def _no_fork(fold: Fold, left: _Line, right: _Line, pairs: Sequence[tuple[Fold, Fold]]) -> NoFork:
    """Why two lines prove nothing."""
    if pairs:
        by, seq = pairs[0][0].entries[-1].by, len(fold.entries)
        return NoFork(
            "on-word",
            say(
                "both stories have an entry by player {by} where they diverge at entry "
                "{seq}, but one is signed with a key that rests on the word of player "
                "{other} alone",
                by=by,
                seq=seq,
                other=other(by),
            ),
            say("such a key proves nothing against player {by}", by=by),
        )
    for line in (left, right):
        if line.refused is not None:
            return line.refused
    authors = [line.folds[0].entries[-1].by for line in (left, right)]
    seq = len(fold.entries)
    if authors[0] == authors[1]:
        return NoFork(
            "two-authors",
            say("entry {seq} was written out of turn in one file, and in the other player {author} "
                "brings a result of the director there",
                seq=seq, author=authors[0]),
            say("the result counts"),
        )  # fmt: skip
    return NoFork(
        "two-authors",
        say(
            "entry {seq} was written by player {author} in one file and by player "
            "{other} in the other: the two e-mails crossed",
            seq=seq,
            author=authors[0],
            other=authors[1],
        ),
        say("the entry of the player whose turn it was counts"),
    )


def _parting(first: Story, second: Story) -> int:
    """The number of the first entry in which two stories differ."""
    if first[0].id != second[0].id:
        for number, story in enumerate((first, second), start=1):
            try:
                check_intact(story[0])
            except FileRefused as refused:
                raise _illegal(0, refused, number) from None
        raise NoFork("other-game", say("the two files are not of the same game"))
    for seq, (left, right) in enumerate(zip(first, second, strict=False)):
        if left.id != right.id:
            return seq
    if len(first) == len(second):
        raise NoFork("same", say("the two files tell the same story"))
    shorter, longer = (1, 2) if len(first) < len(second) else (2, 1)
    raise NoFork(
        "same",
        say(
            "file {shorter} is the beginning of file {longer}, which continues after "
            "entry {number}",
            shorter=shorter,
            longer=longer,
            number=min(len(first), len(second)) - 1,
        ),
    )


def _illegal(seq: int, refused: FileRefused, number: int) -> NoFork:
    return NoFork(
        "refused",
        say(
            "entry {seq} of file {number} is not valid there ({code}: {message})",
            seq=seq,
            number=number,
            code=refused.code,
            message=refused.problems[0].message,
        ),
        say("a refused entry is not part of the game, and its author may send another"),
    )


def _evidence(document: dict[str, Any]) -> tuple[Story, Story]:
    """The two stories of an evidence file, whose header must agree with its entries."""
    if set(document) != _MEMBERS:
        raise _misfit(say("its members are {members}", members=", ".join(sorted(_MEMBERS))))
    listed, two = document["common"], document["lines"]
    if type(two) is not list or len(two) != 2 or not all(type(line) is list for line in two):
        raise _misfit(say("it must contain two lines"))
    common = _entries(listed)
    lines = tuple(_entries([*listed, *line])[len(common) :] for line in two)
    for line in lines:
        _check_line(line, document["by"], document["seq"])
    if lines[0][0].id == lines[1][0].id:
        raise _misfit(say("its two lines do not diverge where it says"))
    if type(document["seq"]) is not int or document["seq"] != len(common):
        raise _misfit(say("its two lines do not follow the other entries"))
    if document["game"] != _game(common):
        raise _misfit(say("it names another game than its entries"))
    return (*common, *lines[0]), (*common, *lines[1])


def _check_line(line: Story, by: Any, seq: Any) -> None:
    """Checks that a line is entries by the other player, or none, and then one by the accused. A
    result of the director may be on notes of their own.
    """
    if not line:
        raise _misfit(say("a line has no entries"))
    for entry in line:
        check_payload(entry.payload)
    own = result_in(line[-1]) is not None
    if line[-1].by != by or any(entry.by == by and not own for entry in line[:-1]):
        raise _misfit(say("each line must end with one entry by the player it names"))
    if line[0].seq != seq:
        raise _misfit(say("its two lines are not at the place it names"))


def _game(common: Story) -> str | None:
    return common[1].id if len(common) > 1 else None


def _entries(found: Any) -> Story:
    try:
        raw = json.dumps({"format": GAME_FORMAT, "entries": found}).encode("ascii")
    except RecursionError:
        raise _misfit(say("it is nested too deeply")) from None
    entries = tuple(read(raw))
    check_all_intact(entries)
    return entries


def _misfit(why: Said) -> FileRefused:
    return FileRefused("E-SCHEMA", say("this is not the evidence of a fork: {why}", why=why))
