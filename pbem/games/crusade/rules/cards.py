"""Chapters 7 and 8: which card may be played, and for what.

The predicates' stage has the field `side`. The effect itself says what an event requires beyond the
plain facts of its card (`allowed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects.registry import effect_of
from pbem.games.crusade.orders import USES, Play
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.asks import OfASide
from pbem.games.crusade.rules.options_decks import (
    fleet_is_free,
    not_as_an_event,
    other_corps_has_come,
    there_is_time_to_rise,
)
from pbem.games.crusade.rules.supply import FRIENDLY_COUNTRY, friendly_sources, zone_of_all
from pbem.games.crusade.rules.winter import is_severe, winter_effects
from pbem.games.crusade.tables import PEOPLE, SIDES, Card
from pbem.messages import Either, Said, either, marked, say
from pbem.value import replace

NO_CARD = "none"
PHASES = {
    "columns": marked("the War of the Columns"),
    "mobilization": marked("the Mobilization"),
    "armies": marked("the War of the Armies"),
}
COUNTERATTACK = "counterattack"


def banned(side: Side, use: str, number: int) -> str:
    """The mark of a turn in which an enemy card bars a use for one round (N29)."""
    return f"may_not_play_for_{use}/{side}/{number}"


def is_card(order: Play) -> bool:
    """Whether the order plays a card."""
    return order.card != NO_CARD


# --- the hand, and the four uses ----------------------------------------------------------------


def uses_are_known(stage: object, position: Position, order: Play) -> Iterator[Violation]:
    """A card is played for one of four things."""
    if order.use not in USES:
        yield Violation(
            say("no card is played for {use}", use=repr(order.use)),
            at=("for",),
            hint=say("it may be {uses}", uses=either(USES)),
        )


@CITE.refusal("8.1.3")
def is_in_hand(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    """The card is in the player's hand; without a card there is one automatic operation."""
    if is_card(order) and position.slot_of(stage.side, order.card) is None:
        fault = not_held(order.card, position.hand_cards(stage.side), ("card",))
        known = position.tables.cards.get(order.card)
        if known is not None and known.side != stage.side:
            told = say("{card} is a {people} card", card=order.card, people=say(PEOPLE[known.side]))
            # Each side has a deck of its own.
            fault = replace(fault, message=told, rule="8.1.2")
        yield fault


def not_held(card: str, held: Sequence[str], at: tuple[str | int, ...] = ()) -> Violation:
    """The fault of naming a card that is not among those held."""
    hint = say("you hold {cards}", cards=tuple(held)) if held else say("your hand is empty")
    return Violation(say("{card} is not in your hand", card=card), at, hint=hint)


@CITE.check("7.1.3")
def no_card_means_operations(stage: object, position: Position, order: Play) -> Iterator[Violation]:
    """Without a card a player takes one operation and nothing else."""
    if not is_card(order) and order.use != "operations":
        yield Violation(say("without a card you can only conduct operations"), at=("for",))


@CITE.check("4.3.1")
def opening_is_kept(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    """In the first round the scenario's opening card is played."""
    card = forced_play(position, stage.side)
    if card and (order.card, order.use) != (card, "event"):
        title = say(position.card(card).title)
        yield Violation(
            say("{card} ({title}) must be played as an event now", card=card, title=title),
            at=("card",),
            hint=say("write play: {card: {card}, for: event}", card=card),
        )


def forced_play(position: Position, side: Side) -> str:
    """The card that must be played as an event this round, or empty."""
    first = position.tables.sheet(position.scenario).get("first_play")
    if not first or side != first["side"]:
        return ""
    now = (position.turn, position.round) == (first["turn"], first["round"])
    card: str = first["card"]
    return card if now and position.slot_of(side, card) is not None else ""


# --- limits of a turn ---------------------------------------------------------------------------


@CITE.rule("7.1.4", "7.1.6")
def last_action(position: Position, side: Side) -> str:
    """What the side did in its previous round of the turn; empty in its first round."""
    actions = position.actions.get(side, ())
    return actions[-1] if actions else ""


@CITE.check("8.3.3")
def redeployment_after_something_else(
    stage: OfASide, position: Position, order: Play
) -> Iterator[Violation]:
    """Two cards in a row may not be played for redeployment in a turn."""
    if order.use == "redeployment" and last_action(position, stage.side) == "redeployment":
        yield Violation(say("your last round was also a redeployment"), at=("for",))


@CITE.check("8.4.3")
def replacements_after_something_else(
    stage: OfASide, position: Position, order: Play
) -> Iterator[Violation]:
    """Two cards in a row may not be played for replacement points in a turn."""
    if order.use == "replacements" and last_action(position, stage.side) == "replacements":
        yield Violation(say("your last round was also for replacements"), at=("for",))


@CITE.check("16.5.2/a")
def within_winter_operations(
    stage: OfASide, position: Position, order: Play
) -> Iterator[Violation]:
    """In winter a side plays a limited number of cards for operations, or for similar events."""
    if not is_severe(position):
        yield from _too_many_operations(stage, position, order)


@CITE.refusal("16.5.3")
def within_severe_winter(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    """In a severe winter the limit is lower."""
    if is_severe(position):
        yield from _too_many_operations(stage, position, order)


def _too_many_operations(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    winter = winter_effects(position)
    if winter is None or not is_card(order) or not takes_operations(position, order):
        return
    if winter_plays(position, stage.side) >= winter["ops_cards"]:
        yield Violation(
            say(
                "this winter a side may play at most {ops_cards} cards for operations",
                ops_cards=winter["ops_cards"],
            ),
            at=("for",),
            hint=say("you can always choose an automatic operation, which needs no card"),
        )


def takes_operations(position: Position, order: Play) -> bool:
    """Whether it is a card for operations, or an event that activates two spaces or more (Q27)."""
    # reading: 16.5.2, Q27, the opening event N1 activates two spaces and counts as well.
    if order.use == "operations":
        return True
    card = position.card(order.card)
    free = card.params.get("activate", {})
    several = len(free.get("named", ())) + free.get("free", 0) > 1
    return order.use == "event" and (card.winter_ops or several)


def winter_plays(position: Position, side: Side) -> int:
    """The number of cards this turn that count against the winter limit."""
    played = [mark for mark in position.turn_marks if mark.startswith(f"operations_{side}_")]
    return len(played)


@CITE.refusal("card N29")
def use_is_not_banned(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    """A use that an enemy card bars this round is not available."""

    def is_gone(use: str) -> bool:
        return banned(stage.side, use, position.round) in position.turn_marks

    if is_card(order) and is_gone(order.use):
        title = say(position.card("N29").title)
        yield Violation(
            say(
                "after {title} (N29) no card may be played for {use} in this round",
                title=title,
                use=order.use,
            ),
            at=("for",),
            hint=say(
                "play one for {uses}", uses=Either(tuple(use for use in USES if not is_gone(use)))
            ),
        )


def marks_of_play(position: Position, side: Side, order: Play) -> tuple[str, ...]:
    """The marks of this play that last until the end of the turn."""
    if not is_card(order):
        return ()
    marks: list[str] = []
    card = position.card(order.card)
    if takes_operations(position, order):
        marks.append(f"operations_{side}_{card.id}")
    if order.use == "event" and card.reinforcement:
        marks.append(reinforcement_mark(card))
    if order.use == "event" and card.kind == COUNTERATTACK:
        marks.append(COUNTERATTACK)
    return tuple(marks)


@CITE.rule("8.5.1.4")
def score_of(position: Position, card: Card) -> tuple[int, int]:
    """The Victory Points and morale of an event, which may depend on another card (N29)."""
    other = card.params.get("rm_if_played")
    rm = other["rm"] if other and other["card"] in position.played else card.rm
    return card.vp, rm


def reinforcement_mark(card: Card) -> str:
    """The mark of a turn in which a card of this kind was played for reinforcements."""
    return f"reinforcement_{card.reinforcement}"


# --- events -------------------------------------------------------------------------------------


def _event(position: Position, order: Play) -> Card | None:
    return position.card(order.card) if is_card(order) and order.use == "event" else None


@CITE.check("8.5.3.1")
def combat_cards_wait_for_a_combat(
    stage: object, position: Position, order: Play
) -> Iterator[Violation]:
    """A combat card is used in a combat, not as the event of a round."""
    card = _event(position, order)
    if card and card.kind == "combat":
        yield Violation(
            say("{card} is a combat card and is used in a combat", card=card.id),
            at=("for",),
            hint=say(
                "name it in an attack (cards: [...]); here you can play it for one of its "
                "other three uses"
            ),
        )


WITHOUT_EVENT = frozenset({"N13", "R13"})
"""Cards without an event: their value is in their replacement points."""


@CITE.rule("card N13", "card R13")
@CITE.refusal("8.5.1.1")
def card_has_an_event(stage: object, position: Position, order: Play) -> Iterator[Violation]:
    """The card has an event."""
    card = _event(position, order)
    if card and card.id in WITHOUT_EVENT:
        yield Violation(
            say("{card} ({card_title}) has no event", card=card.id, card_title=say(card.title)),
            at=("for",),
            hint=say("it gives more replacement points than other cards"),
        )


def event_is_built(stage: object, position: Position, order: Play) -> Iterator[Violation]:
    """This version of the program implements the event."""
    card = _event(position, order)
    if card and card.kind != "combat" and effect_of(card) is None:
        yield Violation(
            say("the event of {card} is not in this version of pbem yet", card=card.id),
            at=("for",),
            hint=say("it can be played for operations, redeployment or replacements"),
        )


@CITE.check("8.5.1.2")
def event_may_be_played(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    """The restrictions printed on the card are met, and the cards it needs have been played."""
    card = _event(position, order)
    if card and card.kind != "combat":
        for message in unmet(position, stage.side, card):
            yield not_as_an_event(card.id, message)


def unmet(position: Position, side: Side, card: Card) -> Iterator[Said]:
    """Every plain restriction of a card that is not met, in words."""
    for other in card.needs:
        if other not in position.played:
            title = say(position.card(other).title)
            yield say("{card} ({title}) has not been played", card=other, title=title)
    for other in card.blocked_by:
        if other in position.played:
            title = say(position.card(other).title)
            yield say("{card} ({title}) has been played", card=other, title=title)
    if card.only_phases and position.phase not in card.only_phases:
        phases = tuple(say(PHASES[phase]) for phase in card.only_phases)
        yield say("only in {phases}", phases=phases)
    if position.turn < card.not_before_turn:
        yield say("not before turn {turn}", turn=card.not_before_turn)
    if card.rm_max is not None and position.rm > card.rm_max:
        yield say("Republican Morale must be {most} or less", most=card.rm_max)
    for space, holder in card.control.items():
        if position.control.get(space) != holder:
            yield say("{space} must be under {side} control", space=position.space(space).name,
                      side=say(PEOPLE[holder]))  # fmt: skip
    if card.government and not position.has(card.government):
        yield say(
            "the government it needs ({government}) is not in office", government=card.government
        )
    if card.source_joined_to and not joins_source_to_border(position, side):
        yield say(
            "none of your sources is connected to {source_joined_to}",
            source_joined_to=card.source_joined_to,
        )


def joins_source_to_border(position: Position, side: Side) -> bool:
    """Whether a supply source of the side is connected by land to its friendly border."""
    border = position.tables.border_spaces[FRIENDLY_COUNTRY[side]]
    zone = zone_of_all(position, side, friendly_sources(position, side))
    return any(space in zone for space in border)


@CITE.check("8.5.2.1")
def one_reinforcement_of_a_kind(
    stage: object, position: Position, order: Play
) -> Iterator[Violation]:
    """One reinforcement card of each of the four kinds may be played in a turn."""
    card = _event(position, order)
    if card and reinforcement_mark(card) in position.turn_marks:
        yield Violation(
            say(
                "a reinforcement of the {reinforcement} kind has already been played this turn",
                reinforcement=card.reinforcement,
            ),
            at=("for",),
        )


@CITE.check("17.5.3")
def first_turn_brings_nobody(stage: object, position: Position, order: Play) -> Iterator[Violation]:
    """In the first edition no reinforcements come by card in turn 1."""
    card = _event(position, order)
    row = position.tables.tables["editions"][position.edition]
    if card and card.reinforcement and position.turn == 1 and not row["reinforcements_on_turn_1"]:
        yield Violation(say("the first edition allows no reinforcements in turn 1"), at=("for",))


@CITE.check("8.5.5.1")
def one_counterattack_a_turn(stage: object, position: Position, order: Play) -> Iterator[Violation]:
    """A side may make one strategic counterattack in a turn."""
    card = _event(position, order)
    if card and card.kind == COUNTERATTACK and COUNTERATTACK in position.turn_marks:
        yield Violation(
            say("a strategic counterattack has already been played this turn"), at=("for",)
        )


def effect_allows(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    """The effect's own requirements are met, above all room for what it brings (8.5.2.2)."""
    card = _event(position, order)
    effect = effect_of(card) if card else None
    if effect is not None and effect.allowed is not None:
        yield from effect.allowed(position, stage.side)


PLAY_CHECKS: tuple[tuple[Any, ...], ...] = (
    (is_in_hand, uses_are_known),
    (no_card_means_operations, opening_is_kept),
    (
        redeployment_after_something_else,
        replacements_after_something_else,
        within_winter_operations,
        within_severe_winter,
        use_is_not_banned,
        combat_cards_wait_for_a_combat,
        event_may_be_played,
        fleet_is_free,
        there_is_time_to_rise,
        other_corps_has_come,
        one_reinforcement_of_a_kind,
        one_counterattack_a_turn,
        first_turn_brings_nobody,
    ),
    (card_has_an_event,),
    (event_is_built,),
    (effect_allows,),
)


@CITE.rule("4.3.2")
def must_hold_corps_card(position: Position) -> bool:
    """In a scenario that begins with turn 6 a hand without a corps card may not be kept."""
    sheet = position.tables.sheet(position.scenario)
    return bool(sheet["decks"]["redraw_without_corps_card"]) and (
        position.turn == sheet["first_turn"]
    )


@CITE.serves("4.3.2")
def hands_dealt(position: Position) -> str:
    """The part of the round's name for hands that must hold a corps card; else empty.

    Only its owner knows whether such a hand may be kept. So what was ordered before the deal ends
    with it: others would judge it without the cards, and the audit with them.
    """
    if position.round or not must_hold_corps_card(position):
        return ""
    return "".join(f"/{'+'.join(position.decks[side].hand)}" for side in SIDES)
