"""The position at a glance: the lines of a status report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import FORTS, RESERVE, Deck, Position
from pbem.games.crusade.rules.redeployment import number_of_points, points
from pbem.games.crusade.rules.victory import end_modifiers, morale_limits
from pbem.games.crusade.tables import ENEMY, PEOPLE, SIDES
from pbem.messages import Message, Row, indented, say, say_many


def summary(position: Position) -> tuple[Message, ...]:
    """The score; a line or two for each side; lasting effects; how far victory and defeat are."""
    score = say("Victory Points {points}, Republican Morale {morale}", points=position.vp,
                morale=position.rm)  # fmt: skip
    sides = chain.from_iterable(_side(position, side) for side in SIDES)
    return (score, *sides, *_weighs(position), *_victory(position))


def _victory(position: Position) -> Iterator[Message]:
    """What would end the game, and who would win in the end; nothing once it is over."""
    if position.result is not None:
        return
    sheet = position.tables.sheet(position.scenario)
    last, limits = sheet["last_turn"], sheet["victory"]
    for turn in range(position.turn, last + 1):
        if at := morale_limits(position.but(turn=turn)):
            yield say(
                "victory by morale, at the end of turn {turn}: Nationalist at {low} or less "
                "({below} away), Republican at {high} or more ({above} away)",
                turn=turn, low=at[0], high=at[1],
                below=max(position.rm - at[0], 0), above=max(at[1] - position.rm, 0),
            )  # fmt: skip
            break
    cities = position.tables.main_cities
    held = tuple(
        say("{side} {number}", side=say(PEOPLE[side]),
            number=sum(position.controls(side, city) for city in cities))
        for side in SIDES
    )  # fmt: skip
    yield say("victory by Main Cities, at the end of a turn: all {all} of them ({held})",
              all=len(cities), held=Row(held))  # fmt: skip
    yield say(
        "victory after turn {turn}: Nationalist with {high} Victory Points or more, Republican "
        "with {low} or fewer",
        turn=last, high=limits["nationalist_min"], low=limits["republican_max"],
    )  # fmt: skip
    if change := sum(end_modifiers(position)):
        yield say(
            "before that the scenario changes the Victory Points by {change}, as things stand",
            change=f"{change:+d}",
        )


@CITE.rule("8.1.4", "3.0.discard_pile")
def _side(position: Position, side: Side) -> Iterator[Message]:
    deck = position.decks[side]
    hand = say_many("number", "{number} card in hand", "{number} cards in hand",
                    number=len(deck.hand))  # fmt: skip
    if deck.hand:
        cards = Row(position.shown_cards(side)) if position.shown_cards(side) else NONE_KNOWN
        hand = say("{hand} ({cards})", hand=hand, cards=cards)
    yield say("{side}: {hand}, {piles}", side=say(PEOPLE[side]), hand=hand, piles=piles(deck))
    reserve = _row(position, position.units_in(RESERVE, side))
    told = [say("reserve: {units}", units=reserve) if reserve.items else say("reserve: empty")]
    if recorded := points_recorded(position, side):
        told.append(say("replacement points: {points}", points=Row(recorded)))
    if deck.table:
        told.append(say("retained: {cards}", cards=Row(deck.table)))
    yield indented(Row(tuple(told), "; "))


NONE_KNOWN = say("none known")


def piles(deck: Deck) -> Message:
    """The number of cards in each pile of a side, and the visible one."""
    discarded = say_many(
        "number", "{number} discarded", "{number} discarded", number=len(deck.discards)
    )
    if deck.discards:
        discarded = say_many("number", "{number} discarded ({card} on top)",
                             "{number} discarded ({card} on top)", number=len(deck.discards),
                             card=deck.discards[-1])  # fmt: skip
    if deck.face_down:
        discarded = say("{discarded} and {number} face down", discarded=discarded,
                        number=len(deck.face_down))  # fmt: skip
    return say_many("removed", "{drawn} to draw, {discarded}, {removed} removed",
                    "{drawn} to draw, {discarded}, {removed} removed", drawn=len(deck.pile),
               discarded=discarded, removed=len(deck.removed))  # fmt: skip


def points_recorded(position: Position, side: Side) -> tuple[Message, ...]:
    """The replacement points of a side, each with its currency."""
    return tuple(
        say("{currency} {number}", currency=currency,
            number=number_of_points(position.rp[currency]))
        for currency in position.tables.currencies[side]
        if position.rp.get(currency)
    )  # fmt: skip


def own(position: Position, side: Side) -> tuple[Message, ...]:
    """The hand card by card, then the units of both sides by space, reduced ones in brackets."""
    deck = position.decks[side]
    hand = [indented(_held(position, slot)) for slot in deck.hand]
    down = [indented(_held(position, slot)) for slot in deck.face_down]
    mine = [indented(_stack(position, place)) for place in _places(position, side)]
    theirs = [
        say("{place}: {units}", place=place, units=_row(position, position.units_in(place)))
        for place in _places(position, ENEMY[side])
    ]
    return (
        *([say("your hand:"), *hand] if hand else [say("your hand is empty")]),
        *([say("your face-down discards:"), *down] if down else []),
        *([say("your units:"), *mine] if mine else []),
        *([say("enemy units:"), indented(Row(tuple(theirs), "; "))] if theirs else []),
    )


def _stack(position: Position, place: str) -> Message:
    """The units of a space, and its works."""
    units = _row(position, position.units_in(place))
    if place not in position.forts:
        return say("{place}: {units}", place=place, units=units)
    return say("{place}: {units} ({fort})", place=place, units=units,
               fort=say(FORTS[position.forts[place].kind]))  # fmt: skip


def _places(position: Position, side: Side) -> list[str]:
    """The spaces where a side has units, in the order of the map."""
    rank = position.tables.map_rank
    return sorted(
        (place for place, units in position.stacks.items()
         if place in rank and position.side_of(units[0]) == side),
        key=rank.__getitem__,
    )  # fmt: skip


def _held(position: Position, slot: str) -> Message:
    """A card of the hand, or its slot if this view cannot know the card."""
    card = position.card_in(slot)
    if card:
        return say("{card}  {title} ({worth})", card=card, title=say(position.card(card).title),
                   worth=worth(position, card))  # fmt: skip
    return say("{slot}  (hidden)", slot=slot)


def worth(position: Position, card: str) -> Row:
    """The figures of a card, and whether it is a combat card."""
    facts = position.card(card)
    rp = tuple(
        say("{number} {currency}", number=number, currency=currency)
        for currency, number in facts.rp.items()
        if number
    )
    told = [
        say("operations {number}", number=facts.ops),
        say("redeployment {number}", number=number_of_points(points(position, card))),
    ]
    told += [say("replacements {points}", points=rp)] if rp else []
    return Row(tuple([say("combat card"), *told] if facts.kind == "combat" else told))


def _row(position: Position, units: Iterable[str]) -> Row:
    """Units by their ids, reduced ones in brackets."""
    return Row(tuple(f"({each})" if position.is_reduced(each) else each for each in units))


def _weighs(position: Position) -> Iterator[Message]:
    """Lasting effects on the game, in lines."""
    names = position.tables.spaces
    if position.sieges:
        sieges = (
            say("{siege} {number}", siege=siege_name(position, siege), number=left)
            for siege, left in sorted(position.sieges.items())
        )
        yield say("sieges: {sieges}", sieges=Row(tuple(sieges)))
    if position.isolated:
        spaces = (names[space].name for space in sorted(position.isolated))
        yield say("isolated: {spaces}", spaces=Row(tuple(spaces)))
    yield from lasting(position)


def siege_name(position: Position, siege: str) -> Message:
    """A siege as the table calls it."""
    name: str = position.tables.sieges[siege]["name"]
    return say(name)


def lasting(position: Position) -> Iterator[Message]:
    """The facts that last until an event changes them, in lines."""
    if position.has("shortage"):
        yield say("there is an ammunition shortage in the Nationalist Northern Zone")
    if position.has("strait_nationalist"):
        yield say("the Strait belongs to the Nationalists")
    else:
        yield say("the Strait belongs to the Republic")
