"""The steps that decide: orders and answers, policies, and documents unsealed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.gamefile import limits
from pbem.gamefile.advance import advance, drop
from pbem.gamefile.cards import CHOICES
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import Asked, GameInPlay, ReadOrder
from pbem.gamefile.journal import PolicyMade, Unsealed
from pbem.gamefile.kept import Given, StandingPolicy
from pbem.gamefile.machine import Machine
from pbem.gamefile.pending import check_policy, first_answer, not_passed_over, read_orders
from pbem.late import Late
from pbem.messages import say
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.gamefile import policies
else:  # many games have none that are sealed
    policies = Late("pbem.gamefile.policies")

Step = dict[str, Any]
Order = Mapping[str, Any]
MAX_POLICIES = 16


def check_room(machine: Machine, by: str, more: Sequence[tuple[str, bool]]) -> None:
    """Refuses more policies of a player than may be in force (E-LIMIT).

    `more` are those to come: their slots, and whether they only withdraw what is there.
    """
    own = [(one.slot, one.withdraws) for one in machine.pending.policies if one.by == by]
    own += more
    if len({slot for slot, goes in own if not goes}) > MAX_POLICIES or len(own) > 4 * MAX_POLICIES:
        raise FileRefused(
            "E-LIMIT",
            say(
                "player {by} has more than {max_policies} policies in force",
                by=by,
                max_policies=MAX_POLICIES,
            ),
        )


def answers(kind: str, member: str) -> Callable[[Machine, Step], Machine]:
    """The function that folds a step of this kind, whose orders are in this member."""
    return lambda machine, step: _give(machine, kind, step[member])


def _give(machine: Machine, kind: str, orders: list[dict[str, Any]]) -> Machine:
    player, waits = machine.entry.by, machine.waits
    if not machine.asks_openly(player):
        raise FileRefused(
            "E-TURN",
            say("player {player} is not asked anything now", player=player),
            rule="the pen",
        )
    assert isinstance(waits, Asked)
    if waits.secret:
        raise FileRefused(
            "E-TURN",
            say("{what} is chosen in secret: answer it with a seal step", what=waits.what),
            rule=CHOICES,
        )
    if waits.kind != kind:
        raise FileRefused(
            "E-TURN", say("{what}: answer it with a step {kind}", what=waits.what, kind=waits.kind)
        )
    if kind == "orders":
        machine = _without_outlived(machine, player)
    given, stamp = machine.pending.given, machine.pending.stirred[player]
    limits.check_waiting(player, orders, [each.order for each in given[player]])
    read = read_orders(machine.table, orders)
    _check_hides_nothing(machine, read)
    items = tuple(Given(order, kind, machine.place(at), stamp) for at, order in enumerate(read))
    if not _one_answers(machine.table, read):
        raise FileRefused(
            "E-ORDER", say("nothing here answers the question: {what}", what=waits.what), rule="R8"
        )
    # In front of what is left of an older list: that waits for questions still to come.
    return advance(machine.put(given={**given, player: (*items, *given[player])}, progress=True))


def _without_outlived(machine: Machine, player: str) -> Machine:
    """Drops the orders that have outlived a round: new ones take their place."""
    items = machine.pending.given[player]
    kept = tuple(item for item in items if not item.outlived)
    return drop(machine, player, kept, is_replaced=True) if len(kept) < len(items) else machine


def _one_answers(table: GameInPlay, orders: Sequence[ReadOrder]) -> bool:
    """Whether an order of the list answers the present question, and its condition holds."""
    return first_answer(table, not_passed_over(table, orders)) is not None


def _check_hides_nothing(machine: Machine, orders: Sequence[ReadOrder]) -> None:
    """Refuses orders that only answer secret questions: nobody else may read those (E-ORDER)."""
    for index, order in enumerate(orders):
        if order.hides and not machine.is_solo:
            raise FileRefused(
                "E-ORDER",
                say(
                    "order {index} is a secret choice, which is sealed when it is asked for "
                    "and is never in a list",
                    index=index + 1,
                ),
                rule=CHOICES,
            )


# --- policies


def policy(machine: Machine, step: Step) -> Machine:
    """Puts standing orders in force, replaces or withdraws them. Raises FileRefused: E-SCHEMA,
    E-POLICY, E-LIMIT for more than may be in force.
    """
    check_policy_form(step)
    by = machine.entry.by
    standing = StandingPolicy(
        by, step["slot"], step["scope"], step["until"], step.get("doc"), machine.place(),
        max(machine.beacons.revealed.values()), step.get("c"), step.get("box"),
    )  # fmt: skip
    slots_taken = slots_with(machine, step)
    table = machine.in_play or machine.proposed_table()
    if table is not None:
        check_policy(table, standing)
    check_room(machine, by, [(standing.slot, standing.withdraws)])
    is_sealed = standing.c is not None
    told = machine.told(
        PolicyMade, by=by, slot=step["slot"], withdrawn=standing.withdraws, sealed=is_sealed,
        doc=standing.doc,
    )  # fmt: skip
    return machine.put(
        policies=(*machine.pending.policies, standing), slots=slots_taken,
        has_sealed=machine.hidden.has_sealed or is_sealed, journal=told,
    )  # fmt: skip


def check_policy_form(step: Step) -> None:
    """Refuses a policy that is neither in clear nor sealed, or both (E-SCHEMA)."""
    if ("doc" in step) == ("c" in step) or ("c" in step) != ("box" in step):
        raise FileRefused("E-SCHEMA", say("a policy must have either a document, or c and box"))


def slots_with(machine: Machine, step: Step) -> tuple[str, ...]:
    """The slots of the entry's policies with that of this one.

    A slot takes one policy an entry, one that withdraws included (E-POLICY).

    Counted by what the entry holds: what is in force forgets what was withdrawn.
    """
    slot = step["slot"]
    if slot in machine.entry.slots:
        raise FileRefused("E-POLICY", say("slot {slot} has two policies in one entry", slot=slot))
    return (*machine.entry.slots, slot)


def check_document(step: Step, c: str | None) -> None:
    """Refuses an `unseal` step that does not show the document bound by `c` (E-POLICY)."""
    if policies.commitment(step["slot"], step["seq"], step["salt"], step["doc"]) != c:
        raise FileRefused(
            "E-POLICY",
            say(
                "the document shown is not the one sealed as {slot} {seq}",
                slot=step["slot"],
                seq=step["seq"],
            ),
            rule="policies",
        )


def unseal(machine: Machine, step: Step) -> Machine:
    """Shows the document of sealed standing orders, and plays on with it. Raises FileRefused
    (E-POLICY) for a document other than the one asked for.
    """
    halt = machine.pending.halt
    assert halt is not None  # the head asks for it
    if (step["slot"], step["seq"]) != (halt.slot, halt.sent.entry):
        raise FileRefused(
            "E-POLICY",
            say(
                "the policy {halt} must be unsealed, but this is {slot} {seq}",
                halt=halt.name,
                slot=step["slot"],
                seq=step["seq"],
            ),
            rule="policies",
        )
    check_document(step, halt.c)
    shown = replace(halt, doc=step["doc"])
    policies = (shown if one is halt else one for one in machine.pending.policies)
    told = machine.told(
        Unsealed, by=machine.entry.by, slot=halt.slot, doc=step["doc"], sent=halt.sent
    )
    return advance(machine.put(policies=tuple(policies), progress=True, journal=told))
