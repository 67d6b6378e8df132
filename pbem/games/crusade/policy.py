"""Standing policies: what a player who is not asked lets the program answer for him.

`answer` is total: whatever the policy says, a legal order comes of it. Where the policy has no part
for a question, or none of its clauses holds, the null policy answers: no card; losses by reduced
divisions, full divisions, reduced corps, full corps; no cancelling; a retreat by supply, then by
the fewest enemies next to it, then in map order. The form of a policy: policy_form.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.model import Decision, Order, Side, State
from pbem.games.crusade.conditions import holds, listed
from pbem.games.crusade.orders import CancelRetreat, CombatCards, Remove, Retreat, WithdrawFirst
from pbem.games.crusade.policy_form import faults as faults
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.allocations import Allocation
from pbem.games.crusade.rules.combat_cards import usable_cards
from pbem.games.crusade.rules.engagement import Combat
from pbem.games.crusade.rules.ranking import (
    NULL_RANKING,
    by_order,
    completed,
    cost,
    place_of,
)
from pbem.games.crusade.rules.retreat import heirs_of, payers
from pbem.games.crusade.rules.supply import friendly_sources, is_supplied
from pbem.games.crusade.stages.combat import DefendersCards
from pbem.games.crusade.stages.event_units import ForcedRemoval
from pbem.games.crusade.stages.fire import Casualties
from pbem.games.crusade.stages.retreat import FallBack, StandFast
from pbem.games.crusade.stages.withdrawal import Withdrawal

Policy = Mapping[str, Any]
UNREACHED = 999
"""How far a space is that no chain of own spaces leads to."""


def covers(state: State[Position], decision: Decision, policy: Policy) -> bool:
    """Whether the policy answers this decision: one of its slots, and not told to wait."""
    if decision.policy not in ANSWERS:
        return False
    combat: Combat | None = getattr(state.agenda[-1], "combat", None)
    if combat is None:
        return True
    asked = policy.get("scope", {}).get("ask", ())
    return not any(holds(state.position, combat, when) for when in asked)


def answer(state: State[Position], decision: Decision, policy: Policy) -> Order:
    """The policy's answer; if it should not be legal after all, the decision's default."""
    stage: Any = state.agenda[-1]
    order = ANSWERS[decision.policy](state.position, stage, policy)
    if any(True for _ in stage.check(state.position, order)):
        return decision.default
    return order


# --- cards --------------------------------------------------------------------------------------


def _cards(position: Position, stage: DefendersCards, policy: Policy) -> Order:
    """Every listed card that may be used is used, if its clause holds."""
    usable = usable_cards(position, stage.combat, stage.side)
    chosen: dict[str, str] = {}
    for clause in card_clauses(policy):
        card = clause["card"]
        fitting = card in usable and _lies_there(position, stage.side, clause)
        if fitting and holds(position, stage.combat, clause.get("when", {})):
            chosen.setdefault(card, clause.get("target", ""))
    target = next((unit for unit in chosen.values() if unit), "")
    return CombatCards(tuple(chosen), target)


def card_clauses(policy: Policy) -> Iterator[Mapping[str, Any]]:
    """The clauses for cards; the short form lists cards to be used whenever they can be."""
    short = policy.get("combat_card", ())
    if short != "none":
        yield from ({"card": card} for card in listed(short))
    yield from policy.get("cards", ())


def _lies_there(position: Position, side: Side, clause: Mapping[str, Any]) -> bool:
    """Whether the card is where the clause says: in that slot of the hand, or on the table."""
    slot, card = clause.get("slot"), clause["card"]
    if slot == "table":
        return card in position.decks[side].table
    return slot is None or (slot in position.decks[side].hand and position.known.get(slot) == card)


# --- losses -------------------------------------------------------------------------------------


def _losses(position: Position, stage: Casualties, policy: Policy) -> Order:
    best = stage.fight(position).best
    lines = tuple(loss_lines(policy))
    successor = policy.get("successor", ())

    def rank(allocation: Allocation) -> tuple[Any, ...]:
        heirs = sum(place_of(position, successor, heir) for _, heir in allocation.heirs if heir)
        return (
            *(_line_cost(position, line, allocation, best) for line in lines),
            heirs,
            cost(position, NULL_RANKING, allocation),
            by_order(position, allocation),
        )

    return min(best, key=rank).order()


def loss_lines(policy: Policy) -> Iterator[Mapping[str, Any]]:
    """The lines that rank losses; the short form is one order of words."""
    written = policy.get("losses", ())
    words = [word for word in written if isinstance(word, str)]
    if words:
        yield {"order": words}
    yield from (line for line in written if not isinstance(line, str))


def _line_cost(
    position: Position,
    line: Mapping[str, Any],
    allocation: Allocation,
    among: Sequence[Allocation],
) -> tuple[int, ...]:
    if "lose_last" in line:
        words = line["lose_last"]
        spared = (
            count
            for unit, count in allocation.steps.items()
            if place_of(position, words, unit) < len(words)
        )
        return (sum(spared),)
    return cost(position, completed(position, line["order"], among), allocation)


# --- what an event demands ----------------------------------------------------------------------


def _forced(position: Position, stage: ForcedRemoval, policy: Policy) -> Order:
    """The unit a card takes, by the words said for that card; without any the game's own choice."""
    words = policy.get("forced", {}).get(stage.card, ())
    worn_first = sorted(stage.units, key=lambda unit: not position.is_reduced(unit))
    return Remove(min(worn_first, key=lambda unit: place_of(position, words, unit)))


# --- staying and going ----------------------------------------------------------------------------


def _cancelling(position: Position, stage: StandFast, policy: Policy) -> Order:
    """The first clause that holds decides who pays; without one nobody does."""
    could = payers(position, stage.combat)
    for clause in cancel_clauses(policy):
        if not holds(position, stage.combat, clause.get("when", {})):
            continue
        words = clause.get("from", NULL_RANKING)
        willing = [unit for unit in could if _fits(position, words, unit)]
        if not willing:
            return CancelRetreat()
        payer = min(willing, key=lambda unit: place_of(position, words, unit))
        return CancelRetreat(payer, _successor(position, stage.combat, payer, policy))
    return CancelRetreat()


def cancel_clauses(policy: Policy) -> Iterator[Mapping[str, Any]]:
    """`never` and `always` are short for no clause and for one that always holds."""
    written = policy.get("cancel_retreat", "never")
    if written == "always":
        yield {}
    elif written != "never":
        yield from written


def _fits(position: Position, words: Sequence[str], unit: str) -> bool:
    return place_of(position, words, unit) < len(words)


def _successor(position: Position, combat: Combat, payer: str, policy: Policy) -> str:
    """Who replaces a corps that pays with its last step."""
    if not position.type_of(payer).is_corps or position.steps_left(payer) > 1:
        return ""
    words = policy.get("successor", ())
    heirs = heirs_of(position, combat, payer)
    return min(heirs, key=lambda heir: place_of(position, words, heir), default="")


def _retreating(position: Position, stage: FallBack, policy: Policy) -> Order:
    written = retreat_part(policy)
    sequence = written.get("sequence", ())
    units = stage.combat.defenders(position)
    unit = min(units, key=lambda each: place_of(position, sequence, each))
    lines = (*written.get("prefer", ()), *NULL_RETREAT)

    def rank(path: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(_preference(position, stage.side, line, path[-1]) for line in lines)

    return Retreat(unit, min(stage.ways(position).paths, key=rank))


NULL_RETREAT: tuple[Mapping[str, Any], ...] = ({"in_supply": True}, {"fewest_enemies": True})


def retreat_part(policy: Policy) -> Mapping[str, Any]:
    """What is said of retreats; the short form `toward_madrid` is one preference."""
    written = policy.get("retreat", {})
    if not isinstance(written, str):
        return dict(written)
    if written.startswith("toward_"):
        return {"prefer": [{"toward": written.removeprefix("toward_")}]}
    return {"prefer": [{written: True}]}


def _preference(position: Position, side: Side, line: Mapping[str, Any], end: str) -> int:
    """How a preference likes an end of a retreat: the lower the better."""
    ((name, value),) = line.items()
    return PREFERENCES[name](position, side, end, value)


def _steps_to(position: Position, side: Side, end: str, goal: Any) -> int:
    """The length of the shortest chain of own spaces to a space, or to the nearest source."""
    goals = friendly_sources(position, side) if goal == "supply" else listed(goal)
    own = {space for space, holder in position.control.items() if holder == side} | {end}
    reached, edge, length = {end}, [end], 0
    while edge:
        if any(space in goals for space in edge):
            return length
        edge = [s for here in edge for s in position.neighbours(here) if s in own - reached]
        reached |= set(edge)
        length += 1
    return UNREACHED


def _enemies_near(position: Position, side: Side, end: str) -> int:
    return sum(
        1 for space in position.neighbours(end) if position.occupier(space) not in (None, side)
    )


Preference = Callable[[Position, Side, str, Any], int]
PREFERENCES: Mapping[str, Preference] = {
    "toward": _steps_to,
    "into": lambda position, side, end, spaces: 0 if end in listed(spaces) else 1,
    "stack_with_fewest": lambda position, side, end, _: len(position.units_in(end)),
    "not_next_to_enemy": lambda position, side, end, _: min(1, _enemies_near(position, side, end)),
    "fewest_enemies": lambda position, side, end, _: _enemies_near(position, side, end),
    "in_supply": lambda position, side, end, _: 0 if _is_supplied(position, side, end) else 1,
}


def _is_supplied(position: Position, side: Side, end: str) -> bool:
    taken = position if position.controls(side, end) else position.with_control(end, side)
    return is_supplied(taken, side, end)


# --- withdrawing --------------------------------------------------------------------------------


def _withdraw_first(position: Position, stage: Withdrawal, policy: Policy) -> Order:
    """The defenders withdraw if the policy says so, always or in such a combat."""
    written = policy.get("withdraw_first", False)
    when = written.get("when", {}) if isinstance(written, Mapping) else {}
    return WithdrawFirst(bool(written) and holds(position, stage.combat, when))


ANSWERS: Mapping[str, Callable[[Position, Any, Policy], Order]] = {
    "cards": _cards,
    "losses": _losses,
    "cancel_retreat": _cancelling,
    "retreat": _retreating,
    "forced": _forced,
    "withdraw_first": _withdraw_first,
}
"""Who answers for each slot of a policy."""
