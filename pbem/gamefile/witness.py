"""What a player has already seen of a game: the only defence against an old or a second story.

A file proves that it holds together, never that it is the newest. So each command leaves a small
record of the last verified entry, and the next file is held against it. Records are plain values;
who keeps them where is decided in `cli/`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold
from pbem.gamefile.format import FORMAT, read, write
from pbem.gamefile.referee import other
from pbem.gamefile.shapes import check_payload

NO_RECORD = (
    "no record of this game here: nobody would notice if you were sent an old position "
    "(--last with the last file you sent helps)"
)

_PROVE = "answer neither; 'pbem prove-fork' makes a proof of your old file and this one"
TAIL = 16
"""The most entries a record keeps."""


def name(fold: Fold) -> str:
    """The name to keep the record under: the proposal's id, so that a second accept is seen."""
    return fold.entries[0].id


def record(fold: Fold, player: str | None) -> dict[str, Any]:
    """The plain record of a verified fold, seen by `player` (None: by one without a key).

    `tail` is the last entries as a game file stores them, back to the last one of the opponent: so
    that a second one in its place is noticed when it comes, and both can be shown.
    """
    last = fold.entries[-1]
    revealed = fold.machine.revealed[player] if player else 0
    lock = fold.machine.locks.get(revealed)
    proposal = fold.proposal
    return {
        "seq": last.seq, "id": last.id, "prev": last.payload["prev"], "by": last.by,
        "side": fold.machine.side, "player": player, "revealed_n": revealed,
        "lock_id": None if lock is None else fold.entries[lock].id,
        "tail": json.loads(write(_tail(fold.entries, player)))["entries"],
        "opponent": fold.machine.publics[other(player)].hex() if player else None,
        "phase": fold.phase, "game": fold.game, "match": proposal.get("match", ""),
        "what": f"{proposal['ruleset'].partition('/')[0]} {proposal['scenario']}",
    }  # fmt: skip


def _tail(entries: Sequence[Entry], player: str | None) -> Sequence[Entry]:
    count = 1
    while count < min(TAIL, len(entries)) and entries[-count].by == player:
        count += 1
    return entries[-count:]


def is_record(seen: Any) -> bool:
    """Whether something read is a record as `record` makes them, or made them once."""
    return (
        isinstance(seen, dict)
        and all(isinstance(seen.get(name, ...), kind) for name, kind in _SHAPE.items())
        and all(isinstance(seen.get(name, ""), kind) for name, kind in _SINCE.items())
    )


_SHAPE: Mapping[str, Any] = {
    "seq": int, "id": str, "prev": (str, type(None)), "by": str, "side": bool,
    "player": (str, type(None)), "revealed_n": int, "lock_id": (str, type(None)),
}  # fmt: skip
_SINCE: Mapping[str, Any] = {
    "tail": (list, str), "opponent": (str, type(None)), "phase": str, "game": (str, type(None)),
    "match": str, "what": str,
}  # fmt: skip
"""Members that older records lack."""


def story(seen: Mapping[str, Any], fold: Fold) -> tuple[Entry, ...]:
    """The game as it was seen, as far as the record still holds it; empty where it does not.

    That is the file's own beginning and then the tail, if the tail follows on it.
    """
    try:
        tail = read(json.dumps({"format": FORMAT, "entries": seen.get("tail", [])}).encode())
        for entry in tail:
            check_payload(entry.payload)
        first = tail[0].seq
        before = fold.entries[first - 1].id if 0 < first <= len(fold.entries) else None
        follows = first == 0 or tail[0].payload["prev"] == before
    except (FileRefused, ValueError, RecursionError):
        return ()  # a damaged record is as good as none
    return (*fold.entries[:first], *tail) if follows else ()


def is_unfinished(seen: Mapping[str, Any], opponent: bytes) -> bool:
    """Whether a record is of a game that has begun and not ended, with the owner of a key."""
    return seen.get("opponent") == opponent.hex() and seen.get("phase") == "running"


def compare(seen: Mapping[str, Any], fold: Fold) -> None:
    """Holds a file against the record of what was seen.

    Raises FileRefused: E-DOUBLE when it asks for a value that was shown for another lock,
    E-ROLLBACK when it is older than what was seen, E-FORK when it tells another story.
    """
    _check_double(seen, fold)
    known = story(seen, fold)
    if known:
        _compare_stories(known, fold)
    seq = seen["seq"]
    if len(fold.entries) <= seq:
        raise _rollback(seq)
    there = fold.entries[seq]
    if there.id != seen["id"]:
        same_place = there.payload["prev"] == seen["prev"]
        _differ(seen["by"], there, fold, same_place=same_place, is_last=True)


def compare_files(last: Sequence[Entry], fold: Fold) -> None:
    """Holds a file against an older file of the same game, such as the last one sent.

    `last` must be verified. Raises FileRefused as `compare` does, and E-GAME for another game.
    """
    if last[0].id != fold.entries[0].id:
        raise FileRefused("E-GAME", "the two files are not of the same game")
    _compare_stories(last, fold)


def _compare_stories(last: Sequence[Entry], fold: Fold) -> None:
    for seq, (known, there) in enumerate(zip(last, fold.entries, strict=False)):
        if known.id != there.id:
            is_last = seq == len(last) - 1
            _differ(known.by, there, fold, same_place=True, is_last=is_last)
            return
    if len(fold.entries) < len(last):
        raise _rollback(len(last) - 1)


def _check_double(seen: Mapping[str, Any], fold: Fold) -> None:
    player, number = seen["player"], fold.locked
    if not player or number is None or not fold.machine.due(player):
        return
    if number < seen["revealed_n"]:
        raise _rollback(seen["seq"])
    if number == seen["revealed_n"] and fold.lock_id != seen["lock_id"]:
        raise FileRefused(
            "E-DOUBLE",
            f"your value {number} was already given for another position; it must not be given "
            "for a second one",
            hint="send your old file again",
        )


def _differ(by: str, there: Entry, fold: Fold, *, same_place: bool, is_last: bool) -> None:
    """An entry by `by` was seen where the file has `there`. Two of one author are a fork.

    Of two authors on one place one had the pen, and his entry stands.
    """
    seq = there.seq
    if same_place and there.by == by:
        raise FileRefused(
            "E-FORK", f"player {by} has signed two different entries {seq}", hint=_PROVE
        ).placed(entry=seq, by=by)
    if same_place and seq in fold.machine.beside:
        raise _rollback(seq)
    if same_place and is_last:
        return  # two mails crossed: the entry of him whose turn it was stands, and this is it
    raise FileRefused(
        "E-FORK", "the file tells another story than the one you have seen", hint=_PROVE
    ).placed(entry=seq)


def _rollback(seq: int) -> FileRefused:
    return FileRefused(
        "E-ROLLBACK",
        f"you have already seen this game up to entry {seq}, and the file does not go so far",
        hint="never answer the same position twice: send your old file again",
    ).placed(entry=seq)
