"""What players put on record: a claim of what the other owes, and the close of a finished game.

Both only repeat what the fold says, and are refused if they say anything else. Nobody decides a
forfeit, for there is no clock that both trust: a claim is in the file, signed, until what it names
has come. A close repeats the result and the outcome of the audits, and may be missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.gamefile.canonical import canonical
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import PLAYERS
from pbem.gamefile.journal import Cured
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.gamefile.machine import Machine

ANSWERS = frozenset({"orders", "react", "post_choice"})
PAYS_NOTHING = frozenset({"resign", "ruling"})
"""What ends a game and sends nothing of what is claimed."""
AFTER_THE_END = frozenset({"audit", "close", "say", "ruling"})
"""What may follow the end of a game: each player closes it once."""


# --- claims


def cure(machine: Machine) -> Machine:
    """Strikes what was sent off the claim, at the end of an entry by the player who owes."""
    claim, entry = machine.agreements.claim, machine.entry
    if claim is None or claim["by"] == entry.by:
        return machine
    if entry.past_the_end or not PAYS_NOTHING.isdisjoint(entry.kinds):
        return machine
    left = [what for what in claim["owed"] if not _paid(machine, what)]
    if left == claim["owed"]:
        return machine
    cured = machine.put(claim={**claim, "owed": left} if left else None)
    return cured.tell(Cured, by=machine.entry.by, left=tuple(left))


def owed_by(machine: Machine, player: str) -> list[str]:
    """What a player owes, as a claim lists it."""
    return [thing.machine for thing in machine.owed if thing.by == player]


def _paid(machine: Machine, what: str) -> bool:
    """Whether the entry that ends here has sent something owed; each answer counts once."""
    if what.startswith("answer "):
        return not ANSWERS.isdisjoint(machine.entry.kinds)
    if what.startswith("seal "):
        return "seal" in machine.entry.kinds
    return what not in owed_by(machine, machine.entry.by)


# --- closes


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
    """Raises FileRefused (E-TURN) for an entry after the end that nothing asks for.

    As long as the director may declare another result, who has closed the game may bring it.
    """
    may_be_ruled = "director" in machine.terms.proposal and machine.is_provisional
    if by in machine.terms.closed and not (machine.owes_audit(by) or may_be_ruled):
        raise FileRefused("E-TURN", say("the game is over; nothing may follow"))
