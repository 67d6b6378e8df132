"""What the table shows at a glance: the lines of a status report."""

from __future__ import annotations

from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import RESERVE, Deck, Position
from pbem.games.crusade.rules.redeployment import number_of_points, points
from pbem.games.crusade.tables import ENEMY, SIDES


def summary(position: Position) -> tuple[str, ...]:
    """Score first, then a line or two for each side, then what weighs on the game."""
    lines = [f"Victory Points {position.vp}, Republican Morale {position.rm}"]
    for side in SIDES:
        lines += _side(position, side)
    lines += _weighs(position)
    return tuple(lines)


@CITE.rule("8.1.4", "3.0.discard_pile")
def _side(position: Position, side: Side) -> list[str]:
    deck = position.decks[side]
    cards = ", ".join(position.shown_cards(side)) or "none known"
    inside = f" ({cards})" if deck.hand else ""
    recorded = points_recorded(position, side)
    reserve = position.units_in(RESERVE, side)
    return [
        f"{side}: {len(deck.hand)} card{'' if len(deck.hand) == 1 else 's'} in hand{inside}, "
        f"{piles(deck)}",
        f"  reserve: {', '.join(_shown(position, unit) for unit in reserve) or 'empty'}"
        + (f"; replacement points: {', '.join(recorded)}" if recorded else "")
        + (f"; retained: {', '.join(deck.table)}" if deck.table else ""),
    ]


def piles(deck: Deck) -> str:
    """How many cards lie in each pile of a side, and which one is seen."""
    top = f" ({deck.discards[-1]} on top)" if deck.discards else ""
    down = f" and {len(deck.face_down)} face down" if deck.face_down else ""
    return (
        f"{len(deck.pile)} to draw, {len(deck.discards)} discarded{top}{down}, "
        f"{len(deck.removed)} removed"
    )


def points_recorded(position: Position, side: Side) -> tuple[str, ...]:
    """The replacement points of a side, each with its currency."""
    return tuple(
        f"{currency} {number_of_points(position.rp[currency])}"
        for currency in position.tables.currencies[side]
        if position.rp.get(currency)
    )


def own(position: Position, side: Side) -> tuple[str, ...]:
    """The hand card by card, then the units of both sides by space; reduced ones in brackets."""
    theirs = "; ".join(
        f"{place}: {', '.join(_shown(position, unit) for unit in position.units_in(place))}"
        for place in _places(position, ENEMY[side])
    )
    hand = [_held(position, slot) for slot in position.decks[side].hand]
    down = [_held(position, slot) for slot in position.decks[side].face_down]
    where = [
        f"  {place}: {', '.join(_shown(position, unit) for unit in position.units_in(place))}"
        + (f" ({position.forts[place].kind})" if place in position.forts else "")
        for place in _places(position, side)
    ]
    return (
        *(["your hand:", *hand] if hand else ["your hand is empty"]),
        *(["your discards that lie face down:", *down] if down else []),
        *(["your units:", *where] if where else []),
        *(["enemy units:", f"  {theirs}"] if theirs else []),
    )


def _places(position: Position, side: Side) -> list[str]:
    """The spaces where a side has units, in the order of the map."""
    rank = position.tables.map_rank
    return sorted(
        (place for place, units in position.stacks.items()
         if place in rank and position.side_of(units[0]) == side),
        key=rank.__getitem__,
    )  # fmt: skip


def _held(position: Position, slot: str) -> str:
    """A card of the hand; its slot where this view cannot know what it is."""
    card = position.card_in(slot)
    if card:
        return f"  {card}  {position.card(card).title} ({worth(position, card)})"
    return f"  {slot}  (hidden)"


def worth(position: Position, card: str) -> str:
    """The figures of a card, and whether it is for combats."""
    facts = position.card(card)
    rp = [f"{number} {currency}" for currency, number in facts.rp.items() if number]
    told = [f"operations {facts.ops}", f"redeployment {number_of_points(points(position, card))}"]
    told += [f"replacements {' and '.join(rp)}"] if rp else []
    return ", ".join(["combat card", *told] if facts.kind == "combat" else told)


def _shown(position: Position, unit: str) -> str:
    return f"({unit})" if position.is_reduced(unit) else unit


def _weighs(position: Position) -> list[str]:
    """What lasts and weighs on the game, in lines."""
    names = position.tables.spaces
    lines = []
    if position.sieges:
        sieges = ", ".join(f"{name} {left}" for name, left in sorted(position.sieges.items()))
        lines.append(f"sieges: {sieges}")
    if position.isolated:
        spaces = ", ".join(names[space].name for space in sorted(position.isolated))
        lines.append(f"isolated: {spaces}")
    return [*lines, *lasting(position)]


def lasting(position: Position) -> list[str]:
    """What is so until an event changes it, in lines."""
    lines = []
    if position.has("shortage"):
        lines.append("the ammunition shortage holds in the Nationalist Northern Zone")
    strait = "Nationalists" if position.has("strait_nationalist") else "Republic"
    lines.append(f"the Strait belongs to the {strait}")
    return lines
