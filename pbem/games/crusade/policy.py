"""Standing policies: what a player who is not asked lets the program answer for him.

`answer` is total: whatever the document says, a legal order comes of it. Where it has no part for a
question, or none of its clauses holds, the null policy answers: no card; losses by reduced
divisions, full divisions, reduced corps, full corps; no cancelling; a retreat by supply, then by
the fewest enemies next to it, then in map order. So it does for a document that is no policy, and
where what one says is not legal. The form of a policy: policy_form.py; what it speaks on:
policy_scope.py; what a player writes becomes documents in policy_parts.py.

Whoever looks at the table, a policy answers by what both players know, and names cards of a hand by
their slots: `shows` tells which of them have to be opened first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.model import Decision, Order, PlayerStage, Side, State
from pbem.games.crusade.conditions import holds, listed
from pbem.games.crusade.orders import (
    CancelRetreat,
    CombatCards,
    Discard,
    Losses,
    Remove,
    Replace,
    Retreat,
    Spare,
    WithdrawFirst,
)
from pbem.games.crusade.policy_form import document_faults
from pbem.games.crusade.policy_turn import AT_TURN_END, SHOWN_AT_TURN_END
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.allocations import Allocation
from pbem.games.crusade.rules.combat_cards import usable_cards
from pbem.games.crusade.rules.engagement import Combat
from pbem.games.crusade.rules.initial_losses import amount_owed, losers, some_losses
from pbem.games.crusade.rules.options_combat import possible_survivors
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
from pbem.games.crusade.stages.guerrilla import LosingCard
from pbem.games.crusade.stages.initial_losses import InitialLosses
from pbem.games.crusade.stages.retreat import FallBack, Rallying, StandFast
from pbem.games.crusade.stages.withdrawal import Survivor, Withdrawal
from pbem.value import replace

Policy = Mapping[str, Any]
UNREACHED = 999
"""How far a space is that no chain of own spaces leads to."""


NULL: Policy = {}
"""The policy of who has said nothing."""


def shows(state: State[Position], decision: Decision, document: Any) -> tuple[str, ...]:
    """The hidden slots of the hand which the answer needs open."""
    position, stage = as_both_see(state.position), state.agenda[-1]
    named = SHOWN.get(decision.policy)
    if named is None:
        return ()
    slots = dict.fromkeys(named(position, stage, sound(position, decision, document)))
    hidden = position.hidden_slots(decision.side)
    return tuple(slot for slot in slots if slot in hidden)


def answer(state: State[Position], decision: Decision, document: Any) -> Order:
    """The policy's answer; if that is not legal here, what the null policy says."""
    position, stage = as_both_see(state.position), state.agenda[-1]
    assert isinstance(stage, PlayerStage)
    asked = stage.ask(position)
    assert asked is not None
    for policy in (sound(position, decision, document), NULL):
        order = ANSWERS[decision.policy](position, stage, policy) or asked.default
        if not any(True for _ in stage.check(position, order)):
            return order
    return asked.default


def as_both_see(position: Position) -> Position:
    """The table without what one view of it knows alone."""
    return replace(position, secret={}) if position.secret else position


def sound(position: Position, decision: Decision, document: Any) -> Policy:
    """The document, or the null policy if it is none."""
    faults = document_faults(position, decision.side, document)
    return NULL if any(True for _ in faults) else document


# --- cards --------------------------------------------------------------------------------------


def _cards(position: Position, stage: DefendersCards, policy: Policy) -> Order:
    """Every listed card that may be used is used, if its clause holds."""
    usable = usable_cards(position, stage.combat, stage.side)
    chosen: dict[str, str] = {}
    for clause in _clauses_that_hold(position, stage, policy):
        card = _card_of(position, stage.side, clause)
        if card is not None and card in usable:
            chosen.setdefault(card, clause.get("target", ""))
    target = next((unit for unit in chosen.values() if unit), "")
    return CombatCards(tuple(chosen), target)


def _slots_of_cards(position: Position, stage: Any, policy: Policy) -> Iterator[str]:
    """The slots of all clauses that hold; whether a card fits is seen once it is open."""
    for clause in _clauses_that_hold(position, stage, policy):
        if clause.get("slot", "table") != "table":
            yield clause["slot"]


def _clauses_that_hold(
    position: Position, stage: Any, policy: Policy
) -> Iterator[Mapping[str, Any]]:
    for clause in card_clauses(policy):
        if holds(position, stage.combat, clause.get("when", {})):
            yield clause


def card_clauses(policy: Policy) -> Iterator[Mapping[str, Any]]:
    """The clauses for cards; the short form lists cards to be used whenever they can be."""
    short = policy.get("combat_card", ())
    if short != "none":
        yield from ({"card": card} for card in listed(short))
    yield from listed(policy.get("cards", ()))


def _card_of(position: Position, side: Side, clause: Mapping[str, Any]) -> str | None:
    """The card that a clause means, if it lies there: in that slot of the hand, or on the table."""
    slot, card, deck = clause.get("slot"), clause.get("card"), position.decks[side]
    if slot == "table":
        return card if card in deck.table else None
    if slot is None:
        return card if card in (*position.shown_cards(side), *deck.table) else None
    lies_there = position.known.get(slot) if slot in deck.hand else None
    return lies_there if card in (None, lies_there) else None


def _lost_card(position: Position, stage: LosingCard, policy: Policy) -> Order | None:
    """The first card of the policy's list, else of the hand; of an open hand the least."""
    slot = next(_slots_to_lose(position, stage, policy), "")
    card = position.known.get(slot)
    return Discard((card,)) if card else None


def _slots_to_lose(position: Position, stage: LosingCard, policy: Policy) -> Iterator[str]:
    """The one slot that is lost."""
    hand = position.decks[stage.side].hand
    wished = [slot for slot in listed(policy.get("forced", {}).get("discard", ())) if slot in hand]
    if wished:
        yield wished[0]
    elif position.hidden_slots(stage.side):
        # reading: D10, nobody can tell which hidden card is the least: the first slot goes.
        yield hand[0]


# --- losses -------------------------------------------------------------------------------------


def _losses(position: Position, stage: Casualties | InitialLosses, policy: Policy) -> Order | None:
    if isinstance(stage, InitialLosses):
        return _initial_losses(position, stage, policy)
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


def _initial_losses(position: Position, stage: InitialLosses, policy: Policy) -> Order | None:
    """What the first ranking lists is lost first, as far as the sum can be met."""
    words = next((line["order"] for line in loss_lines(policy) if "order" in line), ())
    units = losers(position, stage.side)
    ranked = sorted(units, key=lambda unit: place_of(position, words, unit))
    owed = amount_owed(position, stage.side, stage.number)
    return Losses(some_losses(position, ranked, owed)) if words else None


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
    words = policy.get("forced", {}).get(stage.card.lower(), ())
    worn_first = sorted(stage.units, key=lambda unit: not position.is_reduced(unit))
    return Remove(min(worn_first, key=lambda unit: place_of(position, words, unit)))


def _rallying(position: Position, stage: Rallying, policy: Policy) -> Order | None:
    """R60: the step goes to the first that the policy lists."""
    words = policy.get("rally", ())
    if not words:
        return None
    return Replace(min(stage.combat.worn, key=lambda unit: place_of(position, words, unit)))


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
    lines = (*listed(written.get("prefer", ())), *NULL_RETREAT)

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


def _sparing(position: Position, stage: Survivor, policy: Policy) -> Order | None:
    """Of a force that would be lost the first that the policy lists is spared."""
    words, could = policy.get("spare", ()), possible_survivors(position, stage.combat)
    return Spare(min(could, key=lambda unit: place_of(position, words, unit))) if words else None


def _withdraw_first(position: Position, stage: Withdrawal, policy: Policy) -> Order:
    """The defenders withdraw if the policy says so, always or in such a combat."""
    written = policy.get("withdraw_first", False)
    when = written.get("when", {}) if isinstance(written, Mapping) else {}
    return WithdrawFirst(bool(written) and holds(position, stage.combat, when))


ANSWERS: Mapping[str, Callable[[Position, Any, Policy], Order | None]] = {
    "cards": _cards,
    "losses": _losses,
    "cancel_retreat": _cancelling,
    "retreat": _retreating,
    "forced": _forced,
    "withdraw_first": _withdraw_first,
    "rally": _rallying,
    "spare": _sparing,
    "lost_card": _lost_card,
    **AT_TURN_END,
}
"""Who answers each kind of question; None where the game's own default is the answer."""

SHOWN: Mapping[str, Callable[[Position, Any, Policy], Iterator[str]]] = {
    "cards": _slots_of_cards,
    "lost_card": _slots_to_lose,
    **SHOWN_AT_TURN_END,
}
"""Which slots of the hand an answer names; they are opened before it."""
