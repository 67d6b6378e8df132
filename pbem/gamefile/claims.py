"""Claims of a forfeit: what the other player owes, put on record, and how they cure it.

Nobody decides a forfeit here, for there is no clock that both trust. A claim states what the fold
says anyway; its worth is that it stands in the file, signed, until what it names has come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.happenings import Claimed, Cured
from pbem.gamefile.referee import other

if TYPE_CHECKING:
    from pbem.gamefile.machine import Machine

ANSWERS = frozenset({"orders", "react", "post_choice"})


def claim_forfeit(machine: Machine, step: dict[str, Any]) -> None:
    """Raises FileRefused (E-STATE) when the claim says something else than the fold."""
    owed = owed_by(machine, other(machine.by))
    if step["since"] != machine.last_id or step["owed"] != owed:
        raise FileRefused("E-STATE", "the claim does not state what is owed: " + ", ".join(owed))
    machine.claim = {"by": machine.by, "since": step["since"], "owed": owed}
    machine.tell(Claimed, by=machine.by, owed=tuple(owed))


def cure(machine: Machine) -> None:
    """At the end of an entry of the player who owes: what has been sent is struck off the claim."""
    claim = machine.claim
    if claim is None or claim["by"] == machine.by:
        return
    left = [what for what in claim["owed"] if not _paid(machine, what)]
    if left == claim["owed"]:
        return
    machine.claim = {**claim, "owed": left} if left else None
    machine.tell(Cured, by=machine.by, left=tuple(left))


def owed_by(machine: Machine, player: str) -> list[str]:
    """What a player owes, as a claim lists it."""
    return [thing.machine for thing in machine.owed() if thing.by == player]


def _paid(machine: Machine, what: str) -> bool:
    """Whether the entry that ends here has sent a thing; an answer is another one each time."""
    if what.startswith("answer "):
        return not ANSWERS.isdisjoint(machine.kinds)
    if what.startswith("seal "):
        return "seal" in machine.kinds
    return what not in owed_by(machine, machine.by)
