"""Notes: entries written out of turn, which count once the other player has written on them.

A main entry, by the player who has the pen, is final. A note is on the entry before it, and the
player with the pen may write there instead: then the note is passed over, with everything that
follows it. So players do not build on their own notes, because the other player may still pass them
over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import other
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.gamefile.machine import Machine


def lies_on_own_note(machine: Machine, by: str) -> bool:
    """T3: whether the last entry is a note of the player who would write the next one."""
    return machine.entry.side and machine.entry.by == by


def second_note(machine: Machine) -> FileRefused:
    """T3: on a note of one's own only one thing is allowed, a new key for the other player."""
    by = machine.entry.by
    return FileRefused(
        "E-TURN",
        say(
            "the last entry was written out of turn, by player {by} too: only the "
            "other player can follow it",
            by=by,
        ),
        rule="T3",
        hint=say(
            "player {other} may pass it over, so only a new key named for that player "
            "can follow it",
            other=other(by),
        ),
    )


def behind_own_note(machine: Machine, by: str) -> FileRefused:
    """T3 after the end: nothing is revealed while the other player may still play on."""
    them = other(by)
    if not_taken(machine) == by:
        return FileRefused(
            "E-TURN",
            say(
                "the game ended in an entry that player {by} wrote out of turn, and it "
                "ends only when player {them} has accepted it",
                by=by,
                them=them,
            ),
            rule="T3",
            hint=say(
                "player {them} may still pass it over and play on, so nothing is shown yet",
                them=them,
            ),
        )
    return FileRefused(
        "E-TURN",
        say(
            "the last entry was written by player {by} out of turn: player {them} writes next",
            by=by,
            them=them,
        ),
        rule="T3",
        hint=say(
            "player {them} closes the game, or shows what was kept hidden, before anything more",
            them=them,
        ),
    )


NO_ANSWER = frozenset({"say", "rotate", "deputy", "ruling"})
"""What alone answers nothing."""


def is_answer(machine: Machine) -> bool:
    """Whether the entry that ends here is a main entry with more than words, keys, deputies and
    rulings: days are counted from it, and a pause is over with it.
    """
    return not machine.entry.side and not NO_ANSWER.issuperset(machine.entry.kinds)


def last_main(machine: Machine, seq: int) -> int:
    """The last main entry up to entry `seq`, before any notes on it."""
    notes = frozenset(machine.entry.beside)
    while seq in notes:
        seq -= 1
    return seq


def trailing(machine: Machine) -> Sequence[int]:
    """The notes at the end of a file, which the player who has the pen may pass over."""
    return range(last_main(machine, machine.entry.seq) + 1, machine.entry.seq + 1)


def not_taken(machine: Machine) -> str | None:
    """T5: the player who has resigned out of turn, as long as the other has not written on it."""
    ended_by_a_note = (
        machine.terms.phase == "over" and machine.entry.side and not machine.entry.past_the_end
    )
    return machine.entry.by if ended_by_a_note else None


def may_be_passed_over(machine: Machine) -> bool:
    """T5 while an entry is open: whether the game ended in a note, and nobody has written on it."""
    told = machine.terms.closed or machine.hidden.audited
    return not told and machine.entry.seq - 1 in machine.entry.beside
