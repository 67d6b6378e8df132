"""Claims of a forfeit: a record of what the other player owes, and how they cure it.

Nobody decides a forfeit here, for there is no clock that both trust. A claim repeats what the fold
says anyway; its worth is that it is in the file, signed, until what it names has come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.gamefile.journal import Cured

if TYPE_CHECKING:
    from pbem.gamefile.machine import Machine

ANSWERS = frozenset({"orders", "react", "post_choice"})


def cure(machine: Machine) -> Machine:
    """Strikes what was sent off the claim, at the end of an entry by the player who owes."""
    claim = machine.agreements.claim
    if claim is None or claim["by"] == machine.entry.by:
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
