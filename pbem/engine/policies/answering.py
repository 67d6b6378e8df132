"""What policies answer: the order, what it opens, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pbem.engine.model import Decision, Order, PlayerStage, Side, State
from pbem.engine.policies.rows import ANY_SLOT, Document, PolicyPart, Written, is_legal
from pbem.engine.policies.sealing import document_faults
from pbem.engine.policies.table import OWN, PolicyTable
from pbem.messages import Said, say
from pbem.value import value

NULL: Document = {}
"""The policy that says nothing."""


@value
class PolicyOutlook:
    """The parts of standing orders by name, and how their questions are answered."""

    said: tuple[Said, ...] = ()
    """Questions answered as the player has written."""
    usual: tuple[Said, ...] = ()
    """Questions answered by default, each with the default."""
    asked: tuple[Said, ...] = ()
    """Questions left to the player."""


def answer(
    table: PolicyTable, state: State[Any], decision: Decision, document: Any
) -> Order | None:
    """The policy's answer; where that is not legal here, the answer of an empty policy.

    None leaves the question to its author. The answer depends only on what both players know.
    """
    position, stage = table.public(state.position), state.agenda[-1]
    assert isinstance(stage, PlayerStage)
    asked, row = stage.ask(position), table.answer_to(decision.policy)
    assert asked is not None
    for policy in (_sound(table, position, decision, document), NULL):
        order = row.order(position, stage, policy) if row else None
        if order is None and row and row.or_asks:
            return None
        if is_legal(stage, position, asked, order or asked.default):
            return order or asked.default
    return asked.default


def shows(
    table: PolicyTable, state: State[Any], decision: Decision, document: Any
) -> tuple[str, ...]:
    """The hidden slots of the hand that the answer opens."""
    row = table.answer_to(decision.policy)
    if row is None or row.shows is None:
        return ()
    position, stage, policy = _given(table, state, decision, document)
    named = dict.fromkeys(row.shows(position, stage, policy))
    hidden = table.hidden(position, decision.side)
    return tuple(slot for slot in named if slot in hidden)


def left_out(
    table: PolicyTable, state: State[Any], decision: Decision, document: Any
) -> tuple[Said, ...]:
    """What the document says and the answer cannot do, and why, in sentences for the log."""
    row = table.answer_to(decision.policy)
    if row is None or row.left_out is None:
        return ()
    return tuple(row.left_out(*_given(table, state, decision, document)))


def _given(
    table: PolicyTable, state: State[Any], decision: Decision, document: Any
) -> tuple[Any, Any, Document]:
    """What an answer depends on: the position as both see it, the stage and the document."""
    position = table.public(state.position)
    return position, state.agenda[-1], _sound(table, position, decision, document)


def _sound(table: PolicyTable, position: Any, decision: Decision, document: Any) -> Document:
    """The document, or an empty policy where it is invalid."""
    faults = document_faults(table, position, decision.side, document)
    return NULL if any(True for _ in faults) else document


def outlook(
    table: PolicyTable, position: Any, side: Side, parts: Iterable[Written]
) -> PolicyOutlook:
    """How the questions of this side are answered; some policies answer only in some cases."""
    sealed = [part for part in parts if part["doc"] is not None]
    found: dict[str, dict[Said, None]] = {"said": {}, "usual": {}, "asked": {}}
    for row in table.rows:
        if row.slot == OWN or row.clause.unasked(position, side) is not None:
            continue
        if row.beside:
            if not row.joins and any(row.name in part["doc"] for part in sealed):
                found["said"][row.name] = None
            continue
        if row.more_of and not any(part["slot"] == row.slot for part in sealed):
            continue
        name = row.joins or row.name
        inside = [part for part in sealed if table.own(part["slot"]) == row.slot]
        speaking = [part for part in inside if _is_answered(table, row, part)]
        if not speaking:
            found["asked"][name if inside or row.slot == ANY_SLOT else row.slot] = None
            continue
        said = [part for part in speaking if row.only_if_said or name in part["doc"]]
        always = any(not {"when", "ask"} & set(part["scope"] or ()) for part in speaking)
        sort, told = ("said", "") if said else ("usual", row.otherwise)
        found[sort][_with_more(name, told, always)] = None
    own = [part for part in sealed if part["slot"] == OWN]
    if own:
        rows = [row for row in table.within(OWN).values() if _is_answered(table, row, own[-1])]
        named = tuple(row.name for row in rows if (row.joins or row.name) in own[-1]["doc"])
        answers = named or say("all by default")
        whole = say("what you begin yourself ({answers})", answers=answers)
        found["said" if named else "usual"][whole] = None
    return PolicyOutlook(**{sort: tuple(names) for sort, names in found.items()})


def _is_answered(table: PolicyTable, row: PolicyPart, part: Written) -> bool:
    """Whether a policy answers the question of a row."""
    only = (part["scope"] or {}).get("only", table.questions(part["slot"]))
    return any(question in only for question in row.answers)


def may_end(table: PolicyTable, slot: str) -> bool:
    """Whether policies of a slot may be used up while they are in force."""
    return slot in table.slots and table.slots[slot].used_up is not None


def used_up(
    table: PolicyTable, position: Any, side: Side, part: Written, orders: Sequence[Order]
) -> Said:
    """What of a policy is over, if it can answer nothing more while it is in force; empty where it
    can. `orders` are those that its author has given for what goes on.
    """
    own = table.slots.get(part["slot"])
    if own is None or own.used_up is None or part["doc"] is None:
        return ""
    return own.used_up(position, side, part["doc"], orders)


def clear_now(
    table: PolicyTable, position: Any, side: Side, part: Written
) -> tuple[Written, tuple[str, ...]] | None:
    """A sealed policy of a slot that has nothing to hide any more, in clear, and the slots of
    the hand it will open; None for one that stays sealed.
    """
    slot = table.slots.get(part["slot"])
    if slot is None or slot.stays or not slot.in_clear(position, side):
        return None
    if part["until"] is not None and not table.times.is_in_force(position, part["until"]):
        return None
    hidden = table.hidden(position, side)
    shown = slot.shows(position, side, part["doc"]) if slot.shows else ()
    return {**part, "clear": True}, tuple(each for each in shown if each in hidden)


def _with_more(name: Said, told: str, always: bool) -> Said:
    """A question with how it is answered, if that is not what the player wrote, always."""
    if not told:
        return name if always else say("{name} (not always)", name=name)
    return say(
        "{name} ({told})" if always else "{name} ({told}; not always)", name=name, told=say(told)
    )
