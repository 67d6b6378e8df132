"""Policies in a game file: made from what a player writes, judged, and written again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.model import Order, Side, Violation
from pbem.engine.policies import HELD
from pbem.engine.policies.rows import Written
from pbem.engine.policies.scopes import scope_faults
from pbem.engine.policies.table import ASK, OWN, STANDING, UNKNOWN, WITHDRAWN, PolicyTable, by_name
from pbem.engine.shapes import NAME, SLOT, Each, Shape, at, fitting, listed, moved
from pbem.messages import say

CLAIMS = Each(
    SLOT,
    fitting(lambda card: isinstance(card, str), say("expected a card"), NAME),
    say("held lists slots and what is in each"),
)


def parts(table: PolicyTable, position: Any, side: Side, written: Written) -> tuple[Written, ...]:
    """The policies of a side, each in its own slot, so one can be opened while others stay closed.

    They have `slot`, `scope`, `until` and `doc` (None: withdrawn), and `clear` where there is
    nothing to hide. More specific ones come later: if two answer, the later one counts. `written`
    is bound and without faults; `position` is its author's view.
    """
    policies: list[tuple[str, Any]] = []
    if set(written) - {"slots", *table.slots} or not written:
        policies.append((written.get("slot", STANDING), written))
    policies += written.get("slots", {}).items()
    written = _with_what_is_open(table, written)
    policies += ((name, _whole(table, name, written)) for name in table.slots if name in written)
    return tuple(_part(table, position, side, slot, policy) for slot, policy in policies)


def _with_what_is_open(table: PolicyTable, written: Written) -> Written:
    """What is written, with the parts that are said openly in the slot for that, too."""
    said = {row.name: written[row.name] for row in table.rows
            if row.is_said_openly and written.get(row.name, ASK) != ASK}  # fmt: skip
    if not said or written.get(OWN) == WITHDRAWN:
        return written
    # What its author says nothing of there is answered by the rest, and not by default.
    left = {name: ASK for name, row in table.within(OWN).items() if row.answers}
    return {**written, OWN: {**said, **written[OWN]} if OWN in written else {**left, **said}}


def stated(
    table: PolicyTable, position: Any, side: Side, written: Written, orders: Sequence[Order]
) -> tuple[Written, ...]:
    """The part of a side's policies that is said openly, beside its orders. It answers as the
    policies would, but only questions about what these orders begin. What tells of hidden cards
    stays sealed.
    """
    is_open = set(written) - {"slots", *table.slots} or not written
    begun, rows = table.begun, table.within(OWN)
    if begun is None or OWN in written or not is_open or not any(map(begun.begins, orders)):
        return ()
    said = {key: written[key] for key in ("scope", *rows) if key in written}
    for name, row in rows.items():
        if name in said and row.tells is not None and row.tells(said[name]):
            said[name] = ASK
    part = _part(table, position, side, OWN, {**said, "until": begun.until(position)})
    return (part,) if part["scope"]["only"] else ()


def withdrawn(slot: str) -> Written:
    """What withdraws the policy of a slot."""
    return {"slot": slot, "scope": None, "until": None, "doc": None, "clear": True}


def for_now(
    table: PolicyTable, position: Any, side: Side, slot: str, written: Written,
    given: Sequence[Order],
) -> Written:  # fmt: skip
    """A policy as `parts` gives it, for what is ordered ahead behind the orders `given`: in force
    for no longer than the present part of the turn.
    """
    until = table.times.this_part(position)
    return _part(table, position, side, slot, {**written, "until": until}, given)


def _whole(table: PolicyTable, slot: str, written: Written) -> Any:
    """What is written in a slot of the game, as a policy."""
    said = written[slot]
    return {slot: said} if table.slots[slot].is_bare and said != WITHDRAWN else said


def _part(
    table: PolicyTable, position: Any, side: Side, slot: str, written: Any,
    given: Sequence[Order] | None = None,
) -> Written:  # fmt: skip
    if written == WITHDRAWN:
        return withdrawn(slot)
    own = table.slots.get(slot)
    passes = own is not None and not own.stays
    scope = _public_scope(table, slot, written, is_own=own is not None)
    return {
        "slot": slot,
        "scope": scope or None,
        "until": written.get("until", table.times.this_turn(position) if passes else None),
        "doc": plain(_document(table, position, side, slot, written, given)),
        "clear": own is not None and own.stays and own.in_clear(position, side),
    }


def _public_scope(
    table: PolicyTable, slot: str, written: Written, *, is_own: bool
) -> dict[str, Any]:
    """The part of the scope that everybody can read, without what would be asked of its
    author.
    """
    scope = {key: list(listed(said)) for key, said in written.get("scope", {}).items()}
    asked, rows = table.asked_in(slot, written), table.within(slot)
    more = (row for name, row in rows.items() if row.only_if_said and name in written)
    said = (question for row in more for question in row.answers)
    answered = (*table.questions(slot, unsaid=True), *said)
    if not asked and not is_own and len(answered) == len(table.questions(slot)):
        return scope
    only = scope.get("only", answered)
    return {**scope, "only": [kind for kind in only if kind not in asked]}


def _document(
    table: PolicyTable, position: Any, side: Side, slot: str, written: Written,
    given: Sequence[Order] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The parts of a policy that go into a document, as written."""
    policy = {key: said for key, said in written.items() if said != ASK}
    found: dict[str, Any] = {}
    for name, row in table.within(slot).items():
        if not row.is_sealed or name not in policy:
            continue
        seal, key, said = row.clause.seal, row.joins or name, policy[name]
        if given is not None and row.clause.seal_behind:
            said = row.clause.seal_behind(position, side, said, given)
        elif seal:
            said = seal(position, side, said)
        if said is not None:
            found[key] = [*found[key], *said] if key in found else said
    claims = sorted(table.claims(position, side, found)) if table.claims else []
    return {**found, HELD: claims} if claims else found


def written(
    table: PolicyTable, position: Any, side: Side, parts: Iterable[Written]
) -> dict[str, Any]:
    """Standing orders as their author would write them now, from policies as `parts` gives
    them.
    """
    found: dict[str, Any] = {}
    for part in parts:
        slot, said = part["slot"], _written_again(table, position, side, part)
        if slot in table.slots:
            found[slot] = said.get(slot) if table.slots[slot].is_bare else said
        elif slot == STANDING:
            found |= said
        else:
            found.setdefault("slots", {})[slot] = said
    return found


def _written_again(table: PolicyTable, position: Any, side: Side, part: Written) -> dict[str, Any]:
    slot, document = part["slot"], part["doc"]
    scope = dict(part["scope"] or {})
    only = scope.pop("only", table.questions(slot))
    said: dict[str, Any] = {}
    for name, row in table.within(slot).items():
        unseal = row.clause.unseal
        if row.is_sealed and not row.joins and name in document:
            sealed = document[name]
            said[name] = unseal(position, side, sealed) if unseal else sealed
        elif not row.is_sealed and unseal and set(row.answers) <= set(only):
            said[name] = unseal(position, side, None)
    asked = [question for question in table.questions(slot, unsaid=True) if question not in only]
    silent = {
        name: row.clause.unasked(position, side) is not None
        for name, row in table.within(slot).items()
        if row.answers and set(row.answers) <= set(asked) and not row.joins
    }
    if any(silent.values()):  # of what is never asked of this side nothing may be said
        scope["only"] = only
    else:
        said |= dict.fromkeys(silent, ASK)
    until = part["until"]
    if until is not None and table.times.is_in_force(position, until):
        is_usual = slot in table.slots and until == table.times.this_turn(position)
        said |= {} if is_usual else {"until": until}
    return {**said, **({"scope": scope} if scope else {})}


def sealed_shapes(table: PolicyTable) -> dict[str, Shape]:
    """The shapes of what a document may have, by name."""
    sealed = (part for part in table.rows if part.is_sealed)
    return {part.name: part.clause.sealed or part.clause.shape for part in sealed}


def document_faults(
    table: PolicyTable, position: Any, side: Side, document: Any
) -> Iterator[Violation]:
    """The faults of a document. It may come from a file, so it may be any plain value."""
    shapes = sealed_shapes(table)
    if table.claims is not None:
        shapes[HELD] = CLAIMS
    for key, said in by_name(document, tuple(shapes), say("a standing policy"), table.for_example):
        if isinstance(key, Violation):
            yield key
        else:
            yield from shapes[key].faults(position, side, said, (key,))


def misfits(
    table: PolicyTable,
    position: Any,
    side: Side,
    slot: str,
    scope: Any,
    until: str | None,
    document: Any,
) -> tuple[Violation, ...]:
    """The parts of scope, time and document in a game file that can be in no policy."""
    if not table.rows:
        return (Violation(UNKNOWN),)
    found: list[Violation] = []
    if scope is not None:
        found += at(("scope",), scope_faults(table, position, slot, scope))
    if until is not None and not table.times.read(until):
        found.append(moved(table.times.misread(), ("until",)))
    if document is not None:
        found += at(("doc",), document_faults(table, position, side, document))
    return tuple(found)


def plain(said: Any) -> Any:
    """Tuples as lists, as a game file has them."""
    if isinstance(said, Mapping):
        return {key: plain(inner) for key, inner in said.items()}
    return [plain(inner) for inner in said] if isinstance(said, list | tuple) else said
