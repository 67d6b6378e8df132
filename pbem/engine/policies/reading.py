"""Standing orders as a player writes them: read, and every fault of them found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import zip_longest
from typing import Any, TypeGuard

from pbem.engine.model import Side, Violation
from pbem.engine.naming import NameFinder
from pbem.engine.policies.rows import ANY_SLOT, PolicyPart, Written
from pbem.engine.policies.scopes import never_speaks, scope_only, scope_shape
from pbem.engine.policies.table import ASK, STANDING, UNKNOWN, WITHDRAWN, PolicyTable, by_name
from pbem.engine.shapes import ANYTHING, NAME, Judge, Judged, OrWord, Shape, at, bound_fields, moved
from pbem.messages import Said, say
from pbem.value import replace

SLOT = re.compile(r"[A-Za-z0-9_.-]{1,32}")
"""The name of a slot."""


def bound(table: PolicyTable, names: NameFinder, written: Any) -> Any:
    """Standing orders as written, with the ids of the game for what they name; what is a list for
    several slots is laid into them. Never raises.
    """
    return _bound(table, names, _laid_out(table, written), ANY_SLOT, top=True)


def _laid_out(table: PolicyTable, written: Any) -> Any:
    """Standing orders with an item of a list in each of the slots that it is for; those for
    which it has none are withdrawn.
    """
    if not isinstance(written, Mapping):
        return written
    found = dict(written)
    for name, slot in table.slots.items():
        items, into = written.get(name), (name, *slot.further)
        if slot.further and is_list_of_lists(items) and len(items) <= len(into):
            found |= dict(zip_longest(into, items, fillvalue=WITHDRAWN))
    return found


def _bound(
    table: PolicyTable, names: NameFinder, written: Any, slot: str, *, top: bool = False
) -> Any:
    if not isinstance(written, Mapping):
        return written
    found = dict(bound_fields(written_shapes(table, slot, top=top), names, written))
    if top:
        for name in table.slots:
            if name in written and not table.slots[name].is_bare:
                found[name] = _bound(table, names, written[name], name)
        if isinstance(slots := written.get("slots"), Mapping):
            inside = {key: _bound(table, names, said, ANY_SLOT) for key, said in slots.items()}
            found["slots"] = inside
    return found


def faults(table: PolicyTable, position: Any, side: Side, written: Any) -> tuple[Violation, ...]:
    """Every fault of standing orders as written, by what their author knows."""
    if not table.rows:
        return (Violation(UNKNOWN, hint=say("leave `standing` out")),)
    if isinstance(written, Mapping) and (more := tuple(_too_many(table, written))):
        return more
    found = _written(table, position, side, written, ANY_SLOT, say("a standing policy"), True)
    return tuple(map(partial(_where_it_was_written, table, written), found))


def _where_it_was_written(table: PolicyTable, written: Any, fault: Violation) -> Violation:
    """A fault of an item that was laid into a slot of its own, at its place in the list."""
    for name, slot in table.slots.items():
        into = (name, *slot.further)
        if fault.at and fault.at[0] in into and any(each in written for each in slot.further):
            return replace(fault, at=(name, into.index(str(fault.at[0])), *fault.at[1:]))
    return fault


def _written(
    table: PolicyTable,
    position: Any,
    side: Side,
    written: Any,
    slot: str,
    called: Said,
    top: bool = False,
) -> Iterator[Violation]:
    """The faults of one policy; `called` is its name, where there is another thing instead."""
    shapes = written_shapes(table, slot, top=top)
    example = table.for_example
    if not isinstance(written, Mapping) and slot in table.slots:
        lines = [line for line, _ in table.examples(slot, position, side)]
        example = say("{slot}: {{line}}", slot=slot, line=lines[-1]) if lines else ""
    judged: list[tuple[Any, list[Violation]]] = []
    further = {name for each in table.slots.values() for name in each.further}
    for key, said in by_name(written, tuple(shapes), called, example, further):
        if isinstance(key, Violation):
            judged.append((key, [key]))
        else:
            judged.append((key, [*shapes[key].faults(position, side, said, (key,))]))
    sound = {key: written[key] for key, found in judged if not found}
    for key, found in judged:
        yield from found or _vain(table, position, side, sound, slot, key, shapes[key])


def _vain(
    table: PolicyTable,
    position: Any,
    side: Side,
    policy: Written,
    slot: str,
    key: str,
    shape: Shape,
) -> Iterator[Violation]:
    """The things that can have no effect in a part of the right form; `policy` are all such
    parts.
    """
    part = table.within(slot).get(key)
    if part is None:
        bare = table.within(key).get(key) if key in table.slots else None
        never = bare.clause.unasked(position, side) if bare else None
        if never is not None:
            yield moved(never, (key,))
            return
        yield from shape.vain(position, side, policy[key], (key,))
        if bare is not None and bare.clause.vain is not None:
            yield from at((key,), bare.clause.vain(position, side, policy))
        if key == "scope":
            yield from at((key,), never_speaks(table, policy, slot))
        elif key == "slots":
            yield from at((key,), _slots_twice(table, policy))
        return
    clause = part.clause
    unasked = clause.unasked(position, side)
    if unasked is not None:
        yield moved(unasked, (key,))
    if policy[key] == ASK and part.answers:
        yield from _asked_and_answered(table, policy, slot, part)
    elif unasked is None:
        yield from shape.vain(position, side, policy[key], (key,))
        if clause.vain is not None:
            yield from at((key,), clause.vain(position, side, policy))
    only = scope_only(policy)
    if slot == ANY_SLOT and only and not only & set(part.questions):
        told = say(
            "{key} never applies: the scope is only for {only}",
            key=key,
            only=", ".join(sorted(only)),
        )
        yield Violation(told, (key,), is_key=True)


def _asked_and_answered(
    table: PolicyTable, policy: Written, slot: str, part: PolicyPart
) -> Iterator[Violation]:
    for name, other in table.within(slot).items():
        if name in policy and policy[name] != ASK and set(other.answers) & set(part.answers):
            told = say("ask and {name} answer the same question", name=name)
            yield Violation(told, (part.name,), hint=say("leave one of them out"))


def _slots_twice(table: PolicyTable, policy: Written) -> Iterator[Violation]:
    """Faults of a slot that is written twice; parts outside the slots fill one too."""
    slots = policy["slots"]
    if not slots:
        yield Violation(say("no slot is named"), hint=say("leave it out"))
    outside = set(policy) - {"slots", *table.slots}
    taken: str = policy.get("slot", STANDING)
    if outside and taken in slots:
        told = say(
            "the slot {taken} is given twice: the parts next to slots: belong to it",
            taken=taken,
        )
        yield Violation(told, (taken,), is_key=True)
    for name in table.slots:
        if name in slots and name in policy:
            yield Violation(say("{name} is given twice", name=name), (name,), is_key=True)


def written_shapes(table: PolicyTable, slot: str, *, top: bool = False) -> dict[str, Shape]:
    """The shapes of what may be written in a slot; `top`: in the standing orders themselves."""
    own = {
        part.name: OrWord((ASK,), part.clause.shape) if part.answers else part.clause.shape
        for part in table.within(slot).values()
    }
    until = Judged(partial(_until, table), NAME)
    if slot in table.slots:
        return {**own, "until": until}
    inside: dict[str, Shape] = {"scope": scope_shape(table, ANY_SLOT), "until": until, **own}
    if not top:
        return inside
    more: dict[str, Shape] = {
        "slot": Judged(partial(_slot, table), NAME),
        "slots": Judged(partial(_slots, table), ANYTHING),
    }
    for name, one in table.slots.items():
        judged = Judged(_in(table, name), ANYTHING)
        alone = table.within(name)[name].clause.shape if one.is_bare else judged
        more[name] = OrWord((WITHDRAWN,), alone)
    return {**inside, **more}


def _until(table: PolicyTable, position: Any, side: Side, written: Any) -> Iterator[Violation]:
    if not isinstance(written, str) or not table.times.read(written):
        yield table.times.misread()
    elif not table.times.is_in_force(position, written):
        yield Violation(say("{written} is over", written=written))


def _too_many(table: PolicyTable, written: Mapping[str, Any]) -> Iterator[Violation]:
    """The fault of a list that has more items than there are slots for it."""
    for name, slot in table.slots.items():
        items, most = written.get(name), 1 + len(slot.further)
        if slot.further and is_list_of_lists(items) and len(items) > most:
            yield Violation(
                say("{name} takes at most {most} lists of orders", name=name, most=most),
                (name, most), hint=say("leave the others out"),
            )  # fmt: skip


def _slot(table: PolicyTable, position: Any, side: Side, written: Any) -> Iterator[Violation]:
    if not isinstance(written, str) or not SLOT.fullmatch(written):
        yield Violation(say("a slot must be a short name of letters and digits"), hint=say("north"))
    elif written in table.slots:
        hint = table.slots[written].hint
        yield Violation(say("{written} is already the name of a part", written=written), hint=hint)


def _slots(table: PolicyTable, position: Any, side: Side, written: Any) -> Iterator[Violation]:
    if not isinstance(written, Mapping):
        yield Violation(say("slots must be a mapping from names to policies"), hint=table.for_slots)
        return
    for name, policy in written.items():
        if name in table.slots and policy == WITHDRAWN:
            continue
        for fault in _slot(table, position, side, name):
            yield Violation(fault.message, (name,), hint=fault.hint, is_key=True)
        if policy != WITHDRAWN:
            yield from at((name,), _written(table, position, side, policy, ANY_SLOT, name))


def _in(table: PolicyTable, slot: str) -> Judge:
    return lambda position, side, written: _written(table, position, side, written, slot, slot)


def is_list_of_lists(written: Any) -> TypeGuard[list[list[Any]]]:
    """Whether something is a list that has only lists in it, one at least."""
    return isinstance(written, list) and bool(written) and all(isinstance(each, list)
                                                               for each in written)  # fmt: skip
