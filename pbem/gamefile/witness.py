"""What a player has already seen of a game: the only defence against an old or a second story.

A file proves that it is consistent, never that it is the newest. So each command leaves a small
record of the story that was verified, and the next file is compared with it. Main entries stand for
good; notes may be passed over. So where two stories part, the entries there and their authors show
whether mails have crossed or somebody told two stories (cases W1 to W9 of schemas/protocol.md).
Records are plain values; `cli/` decides where they are kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.gamefile.chain import Entry
from pbem.gamefile.consent import NAMES
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold
from pbem.gamefile.format import FORMAT, listed, read
from pbem.gamefile.in_play import PLAYERS, other
from pbem.gamefile.rotation import first_key, on_word, seated
from pbem.gamefile.rulings import result_in
from pbem.gamefile.shapes import check_payload
from pbem.messages import Message, Row, marked, say
from pbem.value import value

NO_RECORD = say(
    "this machine has no record of the game, so an old position would not be noticed (use --last "
    "with the last file you sent)"
)

TAIL = 16
"""The most entries a record keeps whole."""
DIGITS = 32
"""How much of an id a trail keeps: of 16 an author could find two entries that share them."""

Trail = tuple[str, ...]
"""A story, a text for each entry: A or B, small where it is a note; `=` where the key rests on the
other player's word; then the first DIGITS of the id; then the signature of a result that it brings.
"""


@value
class Crossed:
    """W4: notes of one's own that the other player passed over with a main entry."""

    notes: tuple[Entry, ...]
    main: Entry


def name(fold: Fold) -> str:
    """The name of the record: the proposal's id, so a second acceptance is noticed."""
    return fold.entries[0].id


def record(fold: Fold, player: str | None) -> dict[str, Any]:
    """The plain record of a verified fold, seen by `player` (None: without a key).

    `trail` is the whole story in short, so that any second one is noticed. `tail` is the last
    entries as a game file stores them, back to the opponent's last main entry and the notes before
    it, so that both can be shown when others come in their place.
    """
    last = fold.entries[-1]
    revealed = fold.machine.beacons.revealed[player] if player else 0
    lock = fold.machine.beacons.locks.get(revealed)
    proposal = fold.proposal
    return {
        "seq": last.seq, "id": last.id, "prev": last.payload["prev"], "by": last.by,
        "side": fold.machine.entry.side, "player": player, "revealed_n": revealed,
        "lock_id": None if lock is None else fold.entries[lock].id,
        "trail": list(trail(fold)), "tail": listed(_tail(fold, player)),
        "opponent": first_key(fold.machine, other(player)).hex() if player else None,
        "phase": fold.phase, "game": fold.game, "match": proposal.get("match", ""),
        "what": f"{proposal['ruleset'].partition('/')[0]} {proposal['scenario']}",
    }  # fmt: skip


def trail(fold: Fold) -> Trail:
    """The story of a file in short."""
    beside = set(fold.machine.entry.beside)
    machine = fold.machine
    named = {player: on_word(machine, player) or seated(machine, player) for player in PLAYERS}
    ruled = "director" in fold.proposal

    def short(entry: Entry) -> str:
        by, since = entry.by, named[entry.by]
        word = "=" if since is not None and since.entry < entry.seq else ""
        result = result_in(entry) if ruled else None
        sig = "" if result is None else result["sig"]
        return f"{by.lower() if entry.seq in beside else by}{word}{entry.id[:DIGITS]}{sig}"

    return tuple(map(short, fold.entries))


def _tail(fold: Fold, player: str | None) -> Sequence[Entry]:
    entries, beside = fold.entries, set(fold.machine.entry.beside)
    first = len(entries) - 1
    while first and (entries[first].by == player or first in beside):
        first -= 1
    while first and first - 1 in beside:
        first -= 1
    return entries[max(first, len(entries) - TAIL) :]


def is_record(seen: Any) -> bool:
    """Whether a value has the form of a record, of this version or an earlier one."""
    return (
        isinstance(seen, dict)
        and all(isinstance(seen.get(name, ...), kind) for name, kind in _SHAPE.items())
        and all(isinstance(seen.get(name, ""), kind) for name, kind in _SINCE.items())
        and all(isinstance(each, str) and each[:1] in "ABab" and each for each in seen["trail"])
    )


_SHAPE: Mapping[str, Any] = {
    "seq": int, "id": str, "prev": (str, type(None)), "by": str, "side": bool,
    "player": (str, type(None)), "revealed_n": int, "lock_id": (str, type(None)), "trail": list,
}  # fmt: skip
_SINCE: Mapping[str, Any] = {
    "tail": (list, str), "opponent": (str, type(None)), "phase": str, "game": (str, type(None)),
    "match": str, "what": str,
}  # fmt: skip
"""Members that older records lack."""
MEMBERS = frozenset({*_SHAPE, *_SINCE})
"""What a record has; a newer program, which keeps more, names another format."""


def story(seen: Mapping[str, Any], fold: Fold) -> tuple[Entry, ...]:
    """The game as it was seen, as far as the record still shows it; empty where it does not.

    That is the file's own beginning and then the tail, if the tail continues it.
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


def is_same_proposal(seen: Mapping[str, Any], own: Mapping[str, Any]) -> bool:
    """Whether two records are of proposals, by one player to another, of one scenario and match."""
    same = ("player", "phase", "opponent", "what", "match")
    return own["phase"] == "proposed" and all(seen.get(each) == own[each] for each in same)


def compare(seen: Mapping[str, Any], fold: Fold, *, passing_over: bool = False) -> Crossed | None:
    """Compares a file with the record of what was seen.

    `passing_over`: notes of the other player may be missing at its end, where one must write.
    Raises FileRefused: E-ROLLBACK when it is older than what was seen, E-FORK when it tells another
    story, E-DOUBLE when it asks for a value that was shown for another lock.
    """
    known = story(seen, fold)
    found = _compare(seen["trail"], known, fold, seen["player"], passing_over)
    _check_double(seen, fold)
    return found


def compare_files(
    last: Fold, fold: Fold, *, player: str | None = None, passing_over: bool = False
) -> Crossed | None:
    """Compares a file with an older file of the same game, such as the last one sent.

    Raises FileRefused as `compare` does, and E-GAME for another game.
    """
    if last.entries[0].id != fold.entries[0].id:
        raise FileRefused("E-GAME", say("the two files are not of the same game"))
    return _compare(trail(last), last.entries, fold, player, passing_over)


def loses(fold: Fold, to: Fold) -> bool:
    """Whether a file loses to another one of the same game, which has a main entry that crossed its
    notes (W4, W6), or the result that counts (W9): nobody need have seen either before.

    Not if the author of that entry has written on the notes, too: then it is a fork (W5, W7).
    """
    here, there = trail(fold), trail(to)
    at = next((at for at, pair in enumerate(zip(here, there, strict=False)) if pair[0] != pair[1]),
              None)  # fmt: skip
    if at is None or here[at][:1] == there[at][:1]:
        return False
    own, theirs = _next_main(here, at), _next_main(there, at)
    if own is not None and theirs is not None and here[own][:1] != there[theirs][:1]:
        return _counts(there[theirs], here[own])
    return own is None and theirs == at


def check_not_behind(seen: Mapping[str, Any], fold: Fold) -> None:
    """Refuses a file that is older than what any key on this machine has seen.

    It is for entries written out of turn: they would speak of a turn that is over. Raises
    FileRefused (E-ROLLBACK).
    """
    here, told = trail(fold), seen["trail"]
    if len(here) < len(told) and list(here) == told[: len(here)]:
        raise _rollback(len(told) - 1)


def may_pass_over(lacking: Sequence[str], player: str | None) -> bool:
    """W2: whether the end of a story is only notes that the player has not written on.

    The player has the pen there, for the notes are the other's.
    """
    return player is not None and all(each[:1] == other(player).lower() for each in lacking)


def _compare(
    told: Sequence[str], known: Sequence[Entry], fold: Fold, player: str | None, passing_over: bool
) -> Crossed | None:
    """`told` is the story S that was seen, `known` its entries as far as they are at hand."""
    here = trail(fold)
    at = next((at for at, pair in enumerate(zip(told, here, strict=False)) if pair[0] != pair[1]),
              None)  # fmt: skip
    if at is None:
        if len(here) < len(told) and not (
            passing_over and may_pass_over(told[len(here) :], player)
        ):
            raise _rollback(len(told) - 1)  # W2
        return None  # W1
    seen, there = told[at], fold.entries[at]
    own, theirs = _next_main(told, at), _next_main(here, at)
    if seen[:1] == here[at][:1]:  # W3: both are main entries, or both are notes
        pair = (*known[at : at + 1], there)
        is_on_word = "=" in (seen[1:2], here[at][1:2])
        if not is_on_word and len({"as" in each.payload for each in pair}) == 2:
            raise _fork_with_deputy(at, there.by, player)
        raise _fork(at, told, here, there.by, player)
    if own is not None and theirs is not None and told[own][:1] != here[theirs][:1]:
        if not _counts(here[theirs], told[own]):  # W9
            raise _against_result(own, at, is_one_too=bool(_signature(here[theirs])))
        if here[theirs][:1] in (each[:1] for each in told[at:]):
            raise _against_going_back(fold.entries[theirs], at)
        lost = tuple(each for each in known[at:] if each.by == player)
        return Crossed(lost, fold.entries[theirs]) if lost else None
    if _is_note(seen):
        if own is not None:  # W5
            raise _fork(at, told, here, there.by, player, denies=seen[:1].upper())
        mine = tuple(each for each in known[at:] if each.by == player)
        return Crossed(mine, there) if mine else None  # W4
    if theirs is not None and (here[theirs][1:2] != "=" or seen[:1] != player):  # W7
        raise _fork(at, told, here, seen[:1], player, denies=there.by)
    raise _crossed(there, seen[:1], player)  # W6


def _against_result(own: int, at: int, *, is_one_too: bool) -> FileRefused:
    """W9: the result that was seen in entry `own` counts against what the file has in its place."""
    return FileRefused(
        "E-ROLLBACK",
        say("both of you have brought the ruling in entry {seq}, and the one that you have counts",
            seq=own)
        if is_one_too
        else say("the director has declared the result in entry {seq} that you have seen, and this "
                 "file goes on without it", seq=own),
        hint=say("send the file you have again"),
    ).placed(entry=at)  # fmt: skip


def _against_going_back(result: Entry, at: int) -> FileRefused:
    """W9: who has gone on with the game brings a result for a place before that."""
    return FileRefused(
        "E-FORK",
        say("player {by} has gone on with the game, and brings a ruling for a place before that, "
            "entry {seq}", by=result.by, seq=result.seq),
        hint=say("answer neither, and show both files to the director"),
    ).placed(entry=at)  # fmt: skip


def _counts(theirs: str, own: str) -> bool:
    """W9: whether the first of two main entries by both players counts; one of them is a result.

    Of two results that is the one whose signature is smaller: the players choose what else is in
    their entries, but not that. Of one and the same it is that of A.
    """
    one, two = _signature(theirs), _signature(own)
    return (one, theirs[:1]) < (two, own[:1]) if one and two else bool(one)


def _signature(short: str) -> str:
    """The signature of the result that an entry brings; nothing for any other entry."""
    return short[1:].removeprefix("=")[DIGITS:]


def _is_note(short: str) -> bool:
    return short[:1].islower()


def _next_main(told: Sequence[str], at: int) -> int | None:
    """The first main entry of a story after the note at a place; notes never move the pen."""
    return next((seq for seq in range(at, len(told)) if not _is_note(told[seq])), None)


def _fork_with_deputy(at: int, by: str, player: str | None) -> FileRefused:
    """The refusal of two entries at one place of which `by` has signed one and their deputy the
    other: perhaps both wrote at once. What a deputy signs is the player's, so it is a fork (T6).
    """
    if by == player:
        message = say("you and your deputy have written two different entries {at}", at=at)
        hint = say(
            "the one that your opponent had first stands: ask them which it is, and whichever of "
            "you wrote it goes on; the other one writes no more on their own entry"
        )
    else:
        message = say(
            "player {by} and their deputy have written two different entries {at}, perhaps both "
            "at once",
            by=by, at=at,
        )  # fmt: skip
        hint = say(
            "the one that you had first stands: go on with the file you have, and tell them; what "
            "a deputy signs counts as the player's, so two entries are a fork all the same"
        )
    return FileRefused("E-FORK", message, hint=hint).placed(entry=at, by=by)


def _fork(
    at: int, told: Sequence[str], here: Sequence[str], by: str, player: str | None, *,
    denies: str = "",
) -> FileRefused:  # fmt: skip
    """The refusal of player `by`, who signed two stories that differ first at a place.

    Nobody is accused where the other player named the key that signed one of them.
    """
    last = _next_main(told, at) if denies else at
    pair = [story[_next_main(story, at) or at] if denies else story[at] for story in (told, here)]
    message = say("player {by} has signed two different entries {at}", by=by, at=at)
    if denies and denies != by:  # it is their own note only where they have brought two results
        message = say(
            "player {by} has written on your entry {at}, and denies it elsewhere"
            if denies == player
            else "player {by} has written on player {denies}'s entry {at}, and denies it elsewhere",
            by=by, denies=denies, at=at,
        )  # fmt: skip
    is_on_word = any(short[1:2] == "=" for short in pair)
    if is_on_word:
        message = say(
            "in the place of player {by} two stories are told from entry {at} on, at least one "
            "with a key that you named"
            if player == other(by)
            else "in the place of player {by} two stories are told from entry {at} on, at least "
            "one with a key that player {other} named",
            by=by, other=other(by), at=at,
        )  # fmt: skip
        hint = say(
            "answer neither; it cannot be proven to others: the key of one rests on your word"
            if player == other(by)
            else "answer neither; it cannot be proven to others: the key of one rests on the word "
            "of player {other}",
            other=other(by),
        )  # fmt: skip
    else:
        hint = say(
            "answer neither; 'pbem prove-fork' makes a proof of this file and your "
            "file that goes up to entry {last}",
            last=last,
        )
    return FileRefused("E-FORK", message, hint=hint).placed(entry=at, by=None if is_on_word else by)


def _crossed(note: Entry, by: str, player: str | None) -> FileRefused:
    """W6: the file holds a note where the entry of the pen-holder was seen."""
    held = Row(tuple(said_beside(note)), "; ")
    return FileRefused(
        "E-ROLLBACK",
        say(
            "two entries {seq} crossed, and yours counts"
            if by == player
            else "two entries {seq} crossed, and the one of player {by} counts",
            seq=note.seq,
            by=by,
        ),
        hint=say(
            "send the file you have again; this one contains only what player {by} "
            "wrote out of turn: {held}",
            by=note.by,
            held=held,
        ),
    ).placed(entry=note.seq)


def said_beside(note: Entry) -> list[Message]:
    """The content of a note in words, one text for each step."""
    return [_held(step) for step in note.steps]


def _held(step: Mapping[str, Any]) -> Message:
    kind = step["do"]
    if kind == "say":
        return say('the words "{words}"', words=" / ".join(step["text"]))
    if kind == "offer":
        return say("an offer ({offer})", offer=say(NAMES[step["what"]]))
    return say(_HOLDS[kind]) if kind in _HOLDS else say("a {kind} step", kind=kind)


_HOLDS: Mapping[str, str] = {
    "claim_forfeit": marked("a claim"), "resign": marked("a resignation"),
    "deputy": marked("a deputy"), "ruling": marked("a ruling"), "rotate": marked("a new key"),
    "audit": marked("an audit"), "close": marked("a close"),
}  # fmt: skip


def _check_double(seen: Mapping[str, Any], fold: Fold) -> None:
    player, number = seen["player"], fold.locked
    if not player or not fold.machine.due(player):
        return
    assert number is not None, "what is due is the value of a locked beacon"
    if number < seen["revealed_n"]:
        raise _rollback(seen["seq"])
    if number == seen["revealed_n"] and fold.lock_id != seen["lock_id"]:
        raise FileRefused(
            "E-DOUBLE",
            say(
                "your value {number} was already given for another position and must not "
                "be given for a second one",
                number=number,
            ),
            hint=say("send your old file again"),
        )


def _rollback(seq: int) -> FileRefused:
    return FileRefused(
        "E-ROLLBACK",
        say(
            "you have already seen this game up to entry {seq}, and this file ends earlier", seq=seq
        ),
        hint=say("never answer the same position twice: use the newest file you have"),
    ).placed(entry=seq)
