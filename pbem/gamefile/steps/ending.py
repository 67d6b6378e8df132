"""Words, claims, and the steps that end a game or come after its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.gamefile import records
from pbem.gamefile.advance import finish
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import other
from pbem.gamefile.journal import Audited, Claimed, Concluded, Resigned, Said
from pbem.gamefile.machine import Machine
from pbem.gamefile.shown import check_bound, lost, secrets_shown
from pbem.late import Late
from pbem.messages import marked, say

if TYPE_CHECKING:
    from pbem.gamefile import silence
else:  # few games have terms for it
    silence = Late("pbem.gamefile.silence")

Step = dict[str, Any]


def words(machine: Machine, step: Step) -> Machine:
    """Records words of its author, which bind nobody."""
    return machine.tell(Said, by=machine.entry.by, lines=tuple(step["text"]))


def claim_forfeit(machine: Machine, step: Step) -> Machine:
    """Records what the other player owes and has not sent. Raises FileRefused: E-STATE for a claim
    that says anything else than the fold, E-TURN for one by the terms for silence whose time is not
    over.
    """
    by, since = machine.entry.by, step["since"]
    owed = records.owed_by(machine, other(by))
    if since != machine.entry.last_id or step["owed"] != owed:
        raise FileRefused(
            "E-STATE", say("the claim does not state what is owed: {owed}", owed=", ".join(owed))
        )
    by_terms = "silence" in step
    if by_terms:
        silence.check_due(machine)
    also = {"silence": True} if by_terms else {}
    machine = machine.put(claim={"by": by, "since": since, "owed": owed, **also})
    machine = machine.tell(Claimed, by=by, owed=tuple(owed), by_terms=by_terms)
    if not by_terms or machine.terms.proposal["silence"]["then"] != "result":
        return machine
    # The other player may still answer: like a resignation out of turn, it can be passed over.
    return finish(machine.put(shut=True), {"winner": by, "how": marked("silence")})


def resign(machine: Machine, step: Step) -> Machine:
    """Ends the game: the other player has won."""
    by = machine.entry.by
    machine = machine.tell(Resigned, by=by).put(progress=True, shut=True)
    return finish(machine, {"winner": other(by), "how": marked("resignation")})


def audit(machine: Machine, step: Step) -> Machine:
    """Judges the secrets; the rest of it judges the whole file again (audit.py).

    Raises FileRefused: E-TURN where none is owed, E-AUDIT.
    """
    if not machine.owes_audit(machine.entry.by):
        raise FileRefused("E-TURN", say("this player owes no audit"))
    machine = show_secrets(machine, step).put(progress=True)
    return machine.tell(Audited, by=machine.entry.by)


def show_secrets(machine: Machine, step: Step) -> Machine:
    """Compares the secrets of an `audit` step with what bound its author.

    Raises FileRefused (E-AUDIT).
    """
    by, secrets = machine.entry.by, secrets_shown(step)
    check_bound(machine, by, secrets)
    return machine.put(
        lost=machine.hidden.lost + lost(machine, by, secrets),
        audited={**machine.hidden.audited, by: step["gsec"]},
    )


def close(machine: Machine, step: Step) -> Machine:
    """Repeats the result of a finished game. Raises FileRefused as `records.check_close` does."""
    records.check_close(machine, step)
    by = machine.entry.by
    machine = machine.put(closed=(*machine.terms.closed, by), progress=True)
    return machine.tell(Concluded, by=by)
