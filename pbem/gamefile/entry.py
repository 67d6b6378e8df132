"""One entry: begun, its steps folded one after the other, and ended.

What is judged here is what the steps do. Its form, its links and its signature are judged where a
file is read (fold.py); whoever writes an entry (draft.py) needs only this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.gamefile import consent, notes, records, rotation
from pbem.gamefile.cards import MIXING
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.journal import ByDeputy
from pbem.gamefile.kept import ChainPlace
from pbem.gamefile.machine import Machine
from pbem.gamefile.steps.turn import ALONE, SILENCE, apply_step
from pbem.late import Late
from pbem.messages import Row, say

if TYPE_CHECKING:
    from pbem.gamefile import silence
else:  # few games have terms for it
    silence = Late("pbem.gamefile.silence")


def begin_entry(
    machine: Machine, by: str, *, deputy: bool = False, time: str | None = None
) -> Machine:
    """Opens the next entry, by player `by` or their `deputy`; `time` is the minute it states.

    Raises FileRefused (E-TURN) when they may not write one at all.
    """
    phase, beside, seq = machine.terms.phase, machine.entry.beside, machine.entry.seq + 1
    is_note, on_own_note = by != machine.holder, notes.lies_on_own_note(machine, by)
    if on_own_note and phase == "over" and "director" not in machine.terms.proposal:
        raise notes.behind_own_note(machine, by)
    if is_note and phase not in ("running", "over"):
        raise FileRefused("E-TURN", say("it is not {by}'s turn to write", by=by), rule="the pen")
    if phase == "over":
        records.check_may_follow(machine, by)
    return machine.put(
        seq=seq, by=by, side=is_note, on_own_note=on_own_note, past_the_end=phase == "over",
        progress=False, shut=False, only_words=False, kinds=(), slots=(),
        journal=_by_deputy(machine, by, seq) if deputy else (),
        beside=(*beside, seq) if is_note else beside, deputy=deputy, time=time,
    )  # fmt: skip


def _by_deputy(machine: Machine, by: str, seq: int) -> tuple[ByDeputy, ...]:
    """The first line of an entry that a deputy writes."""
    public = next(each.public for each in reversed(machine.keys.deputies) if each.of == by)
    assert public is not None, "who signs an entry as a deputy is one"
    return (ByDeputy(ChainPlace(seq, 0), by, public),)


def take_step(machine: Machine, step: dict[str, Any]) -> Machine:
    """Folds the next step of the open entry. Raises FileRefused, placed at the step."""
    try:
        return apply_step(machine, step)
    except FileRefused as refused:
        refused.placed(step=len(machine.entry.kinds))
        raise


def fold_steps(machine: Machine, entry: Entry) -> Machine:
    """Folds the steps of an entry; its signature, links and digest are not judged."""
    machine = begin_entry(
        machine, entry.by, deputy="as" in entry.payload, time=entry.payload.get("time")
    )
    for step in entry.steps:
        machine = take_step(machine, step)
    return end_entry(machine)


def end_entry(machine: Machine) -> Machine:
    """Closes the open entry.

    Raises FileRefused: E-TURN when nothing owed was sent; a class of SILENCE when something fixed
    and due was left out.
    """
    consent.check_carried_out(machine)
    machine = consent.ended(machine)
    entry = machine.entry
    if entry.on_own_note and not rotation.may_lie_on_own(machine):
        raise notes.second_note(machine)
    missing = machine.head(entry.by)
    if missing is not None and not entry.side and ALONE.isdisjoint(entry.kinds):
        raise FileRefused(
            SILENCE[missing.code],
            say("ends without {what}", what=machine.named(missing)),
            rule="R4",
        )
    if machine.terms.has_counters:
        _check_mixed(machine)
    consent.check_leaves_the_pen(machine)
    if entry.past_the_end and not entry.progress:
        raise FileRefused("E-TURN", say("the game is over; nothing may follow"))
    if not (entry.progress or entry.side):
        raise FileRefused(
            "E-TURN",
            say(
                "contains nothing of what its author owes: {owed}",
                owed=Row(
                    tuple(machine.named(each) for each in machine.owed if each.by == entry.by)
                ),
            ),
            rule="the pen",
        )
    if machine.terms.phase == "running" and machine.pen is None:
        raise FileRefused(
            "E-STATE", say("nobody would have to write after this entry: a bug in pbem")
        )
    if "silence" in machine.terms.proposal:
        machine = silence.noted(machine)
    return records.cure(machine)


def _check_mixed(machine: Machine) -> None:
    """Counters that were mixed are bound in the entry that mixes them. Raises FileRefused
    (E-DECK).
    """
    if machine.terms.phase != "running" or machine.entry.side:
        return
    for laid in machine.lacks_decks(machine.entry.by):
        if laid.groups:
            raise FileRefused(
                "E-DECK",
                say("ends without the commitment to mix {deck}/{epoch}",
                    deck=laid.deck, epoch=laid.epoch),
                rule=MIXING,
            )  # fmt: skip


def named(machine: Machine, entry: Entry) -> Machine:
    """The machine with the identity of the entry that was folded last."""
    if entry.seq > 1:
        return machine.put(last_id=entry.id)
    ids = {"game": entry.id} if entry.seq else {"proposal_id": entry.id}
    return machine.put(last_id=entry.id, **ids)
