"""The answers of a standing policy in a combat, and to what an event demands.

They are total: whatever the document says, a legal order comes of it (engine/policy_parts.py).
Where it has no part for a question, or none of its clauses holds, the null policy answers: no card;
losses that kill as few units as can be, then by reduced divisions, full divisions, reduced corps,
full corps; no cancelling; a retreat by supply, then by the fewest enemies next to it, then in map
order. Which part is for which question: policy_table.py; the form of a policy: policy_form.py;
where it sends units: policy_retreat.py.

Whoever looks at the table, a policy answers by what both players know, and names cards of a hand by
their slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.engine.model import Order, Side
from pbem.engine.shapes import listed
from pbem.games.crusade.conditions import holds
from pbem.games.crusade.effects.combat_cards import defectors, names_a_target
from pbem.games.crusade.orders import (
    CancelRetreat,
    CombatCards,
    Discard,
    Losses,
    Remove,
    Replace,
    Spare,
    WithdrawFirst,
)
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.allocations import Allocation
from pbem.games.crusade.rules.combat_cards import usable_cards
from pbem.games.crusade.rules.options_combat import possible_survivors, steps_to_stay
from pbem.games.crusade.rules.ranking import (
    FLIP,
    NULL_RANKING,
    by_order,
    cost,
    deaths,
    loses_least,
    place_of,
)
from pbem.games.crusade.rules.retreat import having_paid, heirs_of, payers, price_of
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.games.crusade.stages.combat.defence import DefendersCards
    from pbem.games.crusade.stages.combat.losses import Casualties, Survivor
    from pbem.games.crusade.stages.combat.rally import Rallying
    from pbem.games.crusade.stages.combat.staying import StandFast
    from pbem.games.crusade.stages.combat.withdrawal import Withdrawal
    from pbem.games.crusade.stages.event_units import ForcedRemoval
    from pbem.games.crusade.stages.guerrilla import LosingCard
    from pbem.games.crusade.stages.initial_losses import InitialLosses

Policy = Mapping[str, Any]


def as_both_see(position: Position) -> Position:
    """The table without what one view of it knows alone."""
    return replace(position, secret={}) if position.secret else position


# --- cards --------------------------------------------------------------------------------------


def played_cards(position: Position, stage: DefendersCards, policy: Policy) -> Order:
    """Every listed card that may be used is used, if its clause holds."""
    usable = usable_cards(position, position.fought, stage.side)
    chosen: dict[str, str] = {}
    for clause in _clauses_that_hold(position, policy):
        card, target = _card_of(position, stage.side, clause), clause.get("target", "")
        if card is not None and card in usable:
            if not target:
                chosen.setdefault(card, "")
            elif names_a_target(position, card) and target in defectors(position, position.fought):
                chosen.setdefault(card, target)
    target = next((unit for unit in chosen.values() if unit), "")
    return CombatCards(tuple(chosen), target)


def slots_of_cards(position: Position, stage: object, policy: Policy) -> Iterator[str]:
    """The slots of all clauses that hold; whether a card fits is seen once it is open."""
    for clause in _clauses_that_hold(position, policy):
        if clause.get("slot", "table") != "table":
            yield clause["slot"]


def _clauses_that_hold(position: Position, policy: Policy) -> Iterator[Mapping[str, Any]]:
    for clause in card_clauses(policy):
        if holds(position, position.fought, clause.get("when", {})):
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


def lost_card(position: Position, stage: LosingCard, policy: Policy) -> Order | None:
    """The first card of the policy's list, else of the hand; of an open hand the least."""
    slot = next(slots_to_lose(position, stage, policy), "")
    card = position.known.get(slot)
    return Discard((card,)) if card else None


def slots_to_lose(position: Position, stage: LosingCard, policy: Policy) -> Iterator[str]:
    """The one slot that is lost."""
    hand = position.decks[stage.side].hand
    wished = [slot for slot in listed(_said_for("discard", policy)) if slot in hand]
    if wished:
        yield wished[0]
    elif position.hidden_slots(stage.side):
        # reading: D10, nobody can tell which hidden card is the least: the first slot goes.
        yield hand[0]


# --- losses -------------------------------------------------------------------------------------


def chosen_losses(
    position: Position, stage: Casualties | InitialLosses, policy: Policy
) -> Order | None:
    """The legal losses that come nearest to the ranked lines of a policy."""
    lines = tuple(loss_lines(policy))
    from pbem.games.crusade.stages.initial_losses import InitialLosses

    if isinstance(stage, InitialLosses):
        return _initial_losses(position, stage, lines)
    successor = policy.get("successor", ())
    named = {word for line in lines for word in _words_of(line)} | set(successor)

    def rank(allocation: Allocation) -> tuple[Any, ...]:
        heirs = sum(place_of(position, successor, heir) for _, heir in allocation.heirs if heir)
        return (
            *(_line_cost(position, line, allocation) for line in lines),
            deaths(position, allocation),
            heirs,
            cost(position, NULL_RANKING, allocation),
            by_order(position, allocation),
        )

    return min(stage.fight(position, named).best, key=rank).order()


def _initial_losses(
    position: Position, stage: InitialLosses, lines: Sequence[Mapping[str, Any]]
) -> Order | None:
    """Nobody dies of these: the lines choose among the sums that are met exactly."""
    from pbem.games.crusade.rules.initial_losses import amount_owed, least_losses, losers

    if not lines:
        return None
    units = losers(position, stage.side)

    def liking(unit: str) -> tuple[int, ...]:
        alone = Allocation({unit: 1})
        return tuple(count for line in lines for count in _steps_by_place(position, line, alone))

    owed = amount_owed(position, stage.side, stage.number)
    return Losses(least_losses(position, units, owed, liking))


def loss_lines(policy: Policy) -> Iterator[Mapping[str, Any]]:
    """The lines that rank losses; the short form is one order of words."""
    written = policy.get("losses", ())
    words = [word for word in written if isinstance(word, str)]
    if words:
        yield {"order": words}
    yield from (line for line in written if not isinstance(line, str))


def _words_of(line: Mapping[str, Any]) -> Sequence[str]:
    """The words of a line of losses, whichever kind it is."""
    ((_, words),) = line.items()
    return words if isinstance(words, list | tuple) else ()


def _line_cost(
    position: Position, line: Mapping[str, Any], allocation: Allocation
) -> tuple[tuple[int, ...], ...]:
    """How a line likes an allocation, the lower the better."""
    if FLIP in line:
        return (deaths(position, allocation),)
    by_place = _steps_by_place(position, line, allocation)
    if FLIP in line.get("order", ()):
        return (deaths(position, allocation), by_place)
    return (by_place,)


def _steps_by_place(
    position: Position, line: Mapping[str, Any], allocation: Allocation
) -> tuple[int, ...]:
    """Steps lost, those that a line would have last in front."""
    if FLIP in line:
        return ()
    if "lose_last" in line:
        words = line["lose_last"]
        spared = (
            count
            for unit, count in allocation.steps.items()
            if place_of(position, words, unit) < len(words)
        )
        return (sum(spared),)
    return cost(position, line["order"], allocation)


# --- what an event demands ----------------------------------------------------------------------


def taken(position: Position, stage: ForcedRemoval, policy: Policy) -> Order:
    """The unit a card takes, by the words said for that card; without any the game's own choice."""
    words = _said_for(stage.card, policy)
    worn_first = sorted(stage.units, key=lambda unit: not position.is_reduced(unit))
    return Remove(min(worn_first, key=lambda unit: place_of(position, words, unit)))


def _said_for(card: str, policy: Policy) -> Any:
    """What the pairs of `forced` say for a card, or for a discard; nothing by default."""
    return dict(policy.get("forced", ())).get(card, ())


def rallying(position: Position, stage: Rallying, policy: Policy) -> Order | None:
    """R60: the step goes to the first that the policy lists."""
    words = policy.get("rally", ())
    if not words:
        return None
    return Replace(min(position.fought.worn, key=lambda unit: place_of(position, words, unit)))


# --- staying --------------------------------------------------------------------------------------


def cancelling(position: Position, stage: StandFast, policy: Policy) -> Order:
    """The first clause that holds and finds who pays decides; without one nobody does.

    Of two steps the first is paid only where the clause finds the second, too (18.2.9). That one
    follows the clause which paid the first, so its condition is looked at as the table stood then.
    """
    combat = position.fought
    first = replace(combat, paid=0)
    then = as_both_see(stage.before or position)
    for clause in cancel_clauses(policy):
        if not holds(then, first, clause.get("when", {})):
            continue
        if could := _who_sees_it_through(then, first, clause, policy):
            for payer in _willing(position, combat, clause) if combat.paid else could:
                return CancelRetreat(payer, _successor(position, combat, payer, policy))
    return CancelRetreat()


def _who_sees_it_through(
    position: Position, combat: Combat, clause: Mapping[str, Any], policy: Policy
) -> list[str]:
    """The units of a clause that could pay so that the clause finds who pays the rest, too."""
    return [
        payer
        for payer in _willing(position, combat, clause)
        if _can_pay_on(position, combat, clause, payer, _successor(position, combat, payer, policy))
    ]


def _willing(position: Position, combat: Combat, clause: Mapping[str, Any]) -> list[str]:
    """The units of a clause that could pay, in its order; among equals the one that loses least."""
    words = clause.get("from", ())

    def rank(unit: str) -> tuple[Any, ...]:
        alone = price_of(position, combat, unit)
        return (
            deaths(position, alone) if FLIP in words else (),
            place_of(position, words, unit),
            *loses_least(position, alone),
        )

    could = payers(position, combat)
    named = (unit for unit in could if not words or _fits(position, words, unit))
    return sorted(named, key=rank)


def _can_pay_on(
    position: Position, combat: Combat, clause: Mapping[str, Any], payer: str, heir: str
) -> bool:
    """Whether after this step the clause finds who pays the next, if one more is owed."""
    if steps_to_stay(position, combat) < 2:
        return True
    after, paid = having_paid(position, combat, payer, heir)
    return bool(_willing(after, paid, clause))


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


# --- withdrawing --------------------------------------------------------------------------------


def sparing(position: Position, stage: Survivor, policy: Policy) -> Order | None:
    """Of a force that would be lost the first that the policy lists is spared."""
    words, could = policy.get("spare", ()), possible_survivors(position, position.fought)
    return Spare(min(could, key=lambda unit: place_of(position, words, unit))) if words else None


def withdrawing_first(position: Position, stage: Withdrawal, policy: Policy) -> Order:
    """The defenders withdraw if the policy says so, always or in such a combat."""
    written = policy.get("withdraw_first", False)
    when = written.get("when", {}) if isinstance(written, Mapping) else {}
    return WithdrawFirst(bool(written) and holds(position, position.fought, when))
