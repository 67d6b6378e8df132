"""The steps about who may write: new keys, deputies, and what a director has ruled."""

from __future__ import annotations

from typing import Any

from pbem.gamefile import rulings, silence
from pbem.gamefile.advance import finish
from pbem.gamefile.deputies import present
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.journal import DeputyNamed, Rotated, Ruled
from pbem.gamefile.kept import Deputy
from pbem.gamefile.machine import Machine
from pbem.gamefile.new_keys import check_alone, check_deputy, check_rotation
from pbem.gamefile.notes import may_be_passed_over
from pbem.messages import marked, say

Step = dict[str, Any]


def rotate(machine: Machine, step: Step) -> Machine:
    """Puts the new key in its place, and withdraws the deputy whom the old one has named. Raises
    FileRefused as `check_rotation` does.
    """
    made = check_rotation(machine, step)
    had_deputy = present(machine, made.of) is not None
    if had_deputy:
        gone = Deputy(made.of, made.entry, None, made.new)
        machine = machine.put(deputies=(*machine.keys.deputies, gone))
    machine = machine.put(
        publics={**machine.keys.publics, made.of: made.new},
        rotations=(*machine.keys.rotations, made),
        progress=True, only_words=True,
    )  # fmt: skip
    return machine.tell(
        Rotated, by=machine.entry.by, of=made.of, signed_by=made.signed_by, had_deputy=had_deputy
    )


def deputy(machine: Machine, step: Step) -> Machine:
    """Names a deputy, or withdraws the one there is. Raises FileRefused as `check_deputy` does."""
    named = check_deputy(machine, step)
    machine = machine.put(deputies=(*machine.keys.deputies, named), progress=True, only_words=True)
    return machine.tell(
        DeputyNamed, by=named.of, key=named.public, ends=named.ends, has_secrets=bool(named.box)
    )


def check_ruling(machine: Machine, step: Step) -> None:
    """Raises FileRefused as `rulings.check_signed` does."""
    is_time = step["what"] == "extend"
    what = rulings.extension(step["days"]) if is_time else rulings.declared(step["winner"])
    rulings.check_signed(machine, what, step["sig"])


def ruling(machine: Machine, step: Step) -> Machine:
    """Carries out what the director has ruled.

    Raises FileRefused: E-TURN beside other steps and where nothing is to be ruled, and as
    `rulings.check_signed` does.
    """
    check_alone(machine)
    by, what = machine.entry.by, step["what"]
    check_ruling(machine, step)
    is_over = machine.terms.phase == "over"
    machine = machine.put(progress=True, only_words=True)
    if what == "extend":
        if is_over or "silence" not in machine.terms.proposal:
            raise FileRefused(
                "E-TURN", say("no days are counted here that could be extended"), rule=rulings.RULE
            )
        machine = machine.tell(Ruled, by=by, what=what, days=step["days"])
        return silence.extended(machine, step["days"])
    if is_over and not (machine.is_provisional or may_be_passed_over(machine)):
        raise FileRefused("E-TURN", say("the result of the game is final"), rule=rulings.RULE)
    machine = machine.tell(Ruled, by=by, what=what, days=0)
    machine = machine.put(closed=())  # who has closed the game repeated another result
    if machine.entry.side:  # it stands for good, whoever brings it
        machine = machine.put(side=False, on_own_note=False, beside=machine.entry.beside[:-1])
    return finish(machine, {"winner": step["winner"], "how": marked("ruling of the director")})
