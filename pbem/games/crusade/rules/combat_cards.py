"""8.5.3: which combat cards a side may commit, and where they go after the combat.

The checks serve the attacker's order and the defender's alike. A stage that asks for cards has
`committed(position, order)`, which returns the combat as it would be and the side that commits.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Unfolding, Violation
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects import combat_cards as effects
from pbem.games.crusade.orders import Attack, CombatCards
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.asks import Committing, OfASide
from pbem.games.crusade.rules.options_combat import keeps_flying, note_better_fighters
from pbem.games.crusade.rules.supply import is_supplied
from pbem.messages import Said, marked, say

NOT_BUILT = marked(
    "the event of {title} is not in this version of pbem yet; "
    "it can be played for operations, redeployment or replacements"
)


@CITE.check("8.5.3")
def names_combat_cards(
    stage: OfASide, position: Position, order: Attack | CombatCards
) -> Iterator[Violation]:
    """Only combat cards of the side's own deck are committed to a combat, each once."""
    side = stage.side
    for place, card, is_again in in_turn(order.cards):
        known = position.tables.cards.get(card)
        if known is None:
            yield Violation(say("no card is named {card}", card=repr(card)), at=("cards", place))
        elif known.side != side or known.kind != "combat":
            held = held_combat_cards(position, side)
            yield Violation(
                say("{known} is not one of your combat cards", known=known.title),
                at=("cards", place),
                hint=say("you hold {cards}", cards=held) if held
                else say("you hold none; leave cards out"),
            )  # fmt: skip
        elif is_again:
            yield Violation(say("{known} is named twice", known=known.title), at=("cards", place))


def held_combat_cards(position: Position, side: Side) -> tuple[str, ...]:
    """The combat cards of a side, in hand or retained on the table, as far as they are known."""
    own = (*position.hand_cards(side), *position.decks[side].table)
    return tuple(card for card in own if position.card(card).kind == "combat")


@CITE.refusal("8.5.3.1")
def cards_are_held(
    stage: Committing, position: Position, order: Attack | CombatCards
) -> Iterator[Violation]:
    """A committed card comes from the hand or is retained on the table."""
    for place, card in enumerate(order.cards):
        if card not in position.decks[stage.side].table and not position.slot_of(stage.side, card):
            yield Violation(
                say("you do not hold {card}", card=say(position.card(card).title)),
                at=("cards", place),
                hint=_choice(usable_cards(position, *stage.committed(position, order))),
            )


@CITE.check("8.5.3.4")
def cards_are_unused(
    stage: object, position: Position, order: Attack | CombatCards
) -> Iterator[Violation]:
    """A retained card is used in one combat of an Action Round."""
    for place, card in enumerate(order.cards):
        if card in position.used_table:
            yield Violation(
                say(
                    "{card} has already been used in a combat this round",
                    card=say(position.card(card).title),
                ),
                at=("cards", place),
            )


@CITE.refusal("8.5.3")
def effects_are_built(
    stage: object, position: Position, order: Attack | CombatCards
) -> Iterator[Violation]:
    """A card whose event this version does not implement cannot be committed."""
    for place, card in enumerate(order.cards):
        if not effects.is_built(position, card):
            title = say(position.card(card).title)
            yield Violation(say(NOT_BUILT, title=title), at=("cards", place))


@CITE.check("11.2.4")
def conditions_are_met(
    stage: Committing, position: Position, order: Attack | CombatCards
) -> Iterator[Violation]:
    """Every committed card fits this combat."""
    combat, side = stage.committed(position, order)
    for place, card in enumerate(order.cards):
        reason = effects.is_built(position, card) and effects.why_not(position, combat, side, card)
        if reason:
            yield Violation(
                say(
                    "{card} cannot be used here: {reason}",
                    card=say(position.card(card).title),
                    reason=reason,
                ),
                at=("cards", place),
                rule="8.5.1.2" if effects.is_barred_anywhere(position, card) else "",
                hint=_choice(usable_cards(position, combat, side)),
            )


@CITE.rule("13.1.1.1/c")
@CITE.check("13.3.4/a")
def users_are_supplied(
    stage: Committing, position: Position, order: Attack | CombatCards
) -> Iterator[Violation]:
    """Units out of supply do not benefit from combat cards."""
    combat, side = stage.committed(position, order)
    if order.cards and not may_use_cards(position, combat, side):
        yield Violation(
            say("units out of supply cannot use combat cards"),
            at=("cards",),
            hint=say("leave them out"),
        )


@CITE.check("CC.N14")
def target_fits_the_card(
    stage: Committing, position: Position, order: CombatCards
) -> Iterator[Violation]:
    """The unit that a card takes is one it may take; without such a card none is named."""
    if not order.target:
        return
    combat, _ = stage.committed(position, order)
    takers = [card for card in order.cards if effects.names_a_target(position, card)]
    targets = effects.defectors(position, combat)
    if not takers:
        yield Violation(say("none of the cards you commit takes a unit"), at=("target",))
    elif order.target not in targets:
        yield Violation(
            say("{target} cannot be taken", target=order.target),
            at=("target",),
            hint=_choice(targets, marked("it may take {names}")),
        )


CARD_CHECKS = (
    (names_combat_cards,),
    (cards_are_held,),
    (cards_are_unused, effects_are_built, conditions_are_met, users_are_supplied),
)
"""Rows for the check of any order with `cards`."""


def _choice(names: tuple[str, ...], told: str = marked("you could use {names}")) -> Said:
    return say(told, names=", ".join(names)) if names else ""


def may_use_cards(position: Position, combat: Combat, side: Side) -> bool:
    """Whether all units of a side in the combat are in supply."""
    # reading: 13.3.4/a, Q36, a stack out of supply may not use cards at all; retained ones stay.
    places = {position.place_of(unit) for unit in combat.units_of(position, side)}
    return all(is_supplied(position, side, place) for place in places)


def usable_cards(position: Position, combat: Combat, side: Side) -> tuple[str, ...]:
    """The cards a side is known to hold that it may commit to this combat."""
    return tuple(_usable(position, combat, side, position.hand_cards(side)))


def _usable(
    position: Position, combat: Combat, side: Side, cards: tuple[str, ...]
) -> Iterator[str]:
    """The cards among these and on the table that a side may commit to the combat."""
    if not may_use_cards(position, combat, side):
        return
    table = (card for card in position.decks[side].table if card not in position.used_table)
    for card in (*cards, *table):
        if (
            position.card(card).kind == "combat"
            and effects.is_built(position, card)
            and not effects.why_not(position, combat, side, card)
        ):
            yield card


@CITE.serves("8.5.3.1")
def may_hold_a_card(position: Position, combat: Combat, side: Side) -> bool:
    """Whether the side must be asked for cards, as far as both players can tell."""
    return any(_usable(position, combat, side, position.possible_cards(side)))


# --- committing and putting away ----------------------------------------------------------------


def commit(story: Unfolding[Position], side: Side, cards: tuple[str, ...]) -> None:
    """Commits a side's cards to the combat: cards of the hand leave it, retained ones stay."""
    slots: dict[str, str] = {}
    for card in cards:
        if card in story.position.decks[side].table:
            continue
        slot = story.position.slot_of(side, card)
        assert slot is not None, card
        story.happen(e.CardPlayed(side, slot, card, "combat"))
        note_better_fighters(story, card)
        slots[card] = slot
    story.happen(*(e.CardsCommitted(side, cards, slots),) if cards else ())


@CITE.rule("8.5.3.2", "8.5.3.3", "3.0.combat_card")
def put_away(story: Unfolding[Position], combat: Combat, winner: Side | None) -> None:
    """The winner keeps cards that may be used again; all others are discarded or removed."""
    for side in (combat.attacker, combat.defender):
        for card in combat.cards_of(side):
            facts = story.position.card(card)
            if facts.asterisk:
                story.happen(e.CardRemoved(side, card))
            elif not _is_kept(story.position, side == winner, card):
                story.happen(e.CardDiscarded(side, card))
            elif card in combat.slots:
                story.happen(e.CardRetained(side, card))


def _is_kept(position: Position, won: bool, card: str) -> bool:
    """Whether a card stays on the table for another combat of the turn."""
    once = position.card(card).params.get("once_per_turn")
    return (won or keeps_flying(position, card)) and not once


def _is_spent_too(position: Position, combat: Combat, side: Side, by: str) -> bool:
    """Whether, by agreement, the attacker loses their cards with a cancelled attack (Q49)."""
    cancelled = position.card(by).params.get("cancels") == "attack"
    return side == combat.attacker and cancelled and position.option("Q49")


def call_off(story: Unfolding[Position], combat: Combat, by: str) -> None:
    """A card ended the combat: it is spent, and all others count as not played."""
    # reading: card N7, Q49, it uses up the attack, and the attacker's cards go back to their hand.
    story.happen(e.AttackCalledOff(combat.space, by))
    for side in (combat.attacker, combat.defender):
        for card in combat.cards_of(side):
            if card == by:
                spent = e.CardRemoved if story.position.card(card).asterisk else e.CardDiscarded
                story.happen(spent(side, card))
            elif card in combat.slots and not _is_spent_too(story.position, combat, side, by):
                story.happen(e.CardReturned(side, combat.slots[card]))
            elif card in combat.slots:
                gone = e.CardRemoved if story.position.card(card).asterisk else e.CardDiscarded
                story.happen(gone(side, card))
