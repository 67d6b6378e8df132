"""What a form says of each part of standing orders: its line, and what it is good for."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Side
from pbem.games.crusade.position import ELIMINATED, POOL, REMOVED, ROUNDS, Position
from pbem.games.crusade.rules.options_decks import may_discard
from pbem.games.crusade.rules.ranking import FLIP, by_what_is_lost
from pbem.games.crusade.tables import NATIONALIST

Lines = Iterator[tuple[str, str]]


def combat_card(position: Position, side: Side) -> Lines:
    """Which cards of the hand could be named."""
    held = [*position.hand_cards(side), *position.decks[side].table]
    cards = [card for card in held if position.card(card).kind == "combat"]
    told = f"or some of {', '.join(cards)}, or clauses (cards:)" if cards else "you hold none"
    yield "combat_card: none", told


def losses(position: Position, side: Side) -> Lines:
    """The types that could be ranked."""
    words = (FLIP, *_own_types(position, side))
    yield f"losses: [{', '.join(words)}]", "what is lost first"


def _own_types(position: Position, side: Side) -> list[str]:
    """The types of the divisions that are in play, in the order that loses least."""
    out = (POOL, ELIMINATED, REMOVED)
    units = (unit for place, units in position.stacks.items() if place not in out for unit in units)
    own = [unit for unit in units if position.side_of(unit) == side]
    return list(by_what_is_lost(position, (u for u in own if not position.type_of(u).is_corps)))


def cancel_retreat(position: Position, side: Side) -> Lines:
    """With an example of a condition."""
    yield "cancel_retreat: never", "always, or [{when: {space: [madrid]}, from: [MIL]}]"


def retreat(position: Position, side: Side) -> Lines:
    """With the other ways of saying where to."""
    yield "retreat: toward_supply", "or toward a space, or {sequence: [MIL], prefer: [...]}"


def withdraw_first(position: Position, side: Side) -> Lines:
    """Nothing without the option 18.3.1."""
    if position.option("18.3.1"):
        yield "withdraw_first: false", 'true, or {when: {odds_column: ">=6"}}'


def forced(position: Position, side: Side) -> Lines:
    """Nothing where no guerrillas cost a card (18.1.9)."""
    if position.option("18.1.9") and side == NATIONALIST:
        yield "forced: {discard: lowest_ops}", "the card that guerrillas cost you"


def turn_end(position: Position, side: Side) -> Lines:
    """Only in the last round, when it can save a mail."""
    if position.round == ROUNDS:
        yield "turn_end:", "what you do before the next turn, so that it costs no mail"


def replacements(position: Position, side: Side) -> Lines:
    """Told as bought from the top of the list."""
    yield "replacements: []", "from the top: [{replace: INF}, {rebuild: POL}]"


def markers(position: Position, side: Side) -> Lines:
    """Those that could be given up are not listed: they may still change."""
    yield "markers: []", "spaces whose Position or Trench you give up"


def discard(position: Position, side: Side) -> Lines:
    """Which cards of the hand may be discarded now."""
    discards = [card for card in position.hand_cards(side) if may_discard(position, card)]
    yield "discard: []", f"some of {', '.join(discards)}" if discards else "you hold none"
