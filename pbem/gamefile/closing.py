"""What may follow the end of a game besides the audits: one `close` by each player.

It repeats the result and the outcome of the audits, adds nothing, and may be missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.gamefile.canonical import canonical
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import PLAYERS
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.gamefile.machine import Machine

AFTER_THE_END = frozenset({"audit", "close", "say"})


def outcomes(machine: Machine) -> dict[str, str | None]:
    """The outcome of each player's audit: clean, or None where none was sent or needed.

    One that is not clean is refused when it arrives, so it is never in the file.
    """
    return {
        player.lower(): "clean" if player in machine.hidden.audited else None for player in PLAYERS
    }


def check_close(machine: Machine, step: Mapping[str, Any]) -> None:
    """Raises FileRefused: E-TURN before the end, E-STATE when the step says something else."""
    if not machine.entry.past_the_end:
        raise FileRefused("E-TURN", say("a game can be closed only in an entry after its end"))
    if machine.entry.by in machine.terms.closed:
        raise FileRefused("E-TURN", say("each player can close a game only once"))
    told, true = [step["result"], step["audits"]], [machine.terms.result, outcomes(machine)]
    if canonical(told) != canonical(true):  # as bytes: in Python 1 equals True
        raise FileRefused("E-STATE", say("the close does not repeat how the game ended"))


def check_may_follow(machine: Machine, by: str) -> None:
    """Raises FileRefused (E-TURN) for an entry after the end that nothing asks for."""
    if by in machine.terms.closed and not machine.owes_audit(by):
        raise FileRefused("E-TURN", say("the game is over; nothing may follow"))
