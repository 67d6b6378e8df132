"""What is hidden from one of the players: the faces of counters, and the lines of lists
(engine/hidden.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine.facedown import unarranged
from pbem.engine.hidden import Epoch, Slots, When
from pbem.engine.model import Event, Order, PlayerStage, Side, State, Violation
from pbem.engine.rules import judged_by
from pbem.engine.tags import deck_of, way
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.options import OPEN_UNITS
from pbem.games.nopasaran.papers import LISTS, slots_of_lists
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import ahead, cover, papers
from pbem.games.nopasaran.stages import activation
from pbem.games.nopasaran.stages.cover import Muster, OnlyShows, PuttingBack
from pbem.games.nopasaran.stages.papers import TellingPapers
from pbem.games.nopasaran.tables import DECKS, SIDES

open_option = OPEN_UNITS


def laid(position: Position) -> tuple[Epoch, ...]:
    """Every epoch of counters face down."""
    return position.down.laid


def hand(position: Position, side: Side) -> Slots:
    """The tags of a side on the map."""
    return position.tags_of(side)


def known(position: Position) -> Mapping[str, str]:
    """The lines of lists that were told. A counter that is known goes by its own name."""
    return position.told


def looks_at(state: State[Position], side: Side) -> Slots:
    """All slots of a side, because ways lead through old ones, and its lists."""
    position = state.position
    return (*position.down.slots_of(side), *slots_of_lists(position, side))


def must_show(state: State[Position]) -> Slots:
    """The counters that the game waits for."""
    stage = state.agenda[-1] if state.agenda else None
    return stage.hidden(state.position) if isinstance(stage, OnlyShows) else ()


def doubts(state: State[Position], order: Order) -> tuple[Violation, ...]:
    """Why an order given ahead lapses, by what both know alone."""
    stage = state.agenda[-1]
    assert isinstance(stage, PlayerStage)
    return tuple(activation.doubts(stage, state.position, order))


def openings(position: Position, cards: Mapping[str, str]) -> tuple[Event[Position], ...]:
    """The events of opening slots, each way from its newest slot on, and of lines of lists."""
    shown = tuple(
        e.CounterShown(side, slot, card)
        for side in SIDES
        for name in hand(position, side)
        for slot, card in way(cards, name)
    )
    return (*shown, *papers.told(position, cards))


def informed(position: Position, cards: Mapping[str, str]) -> Position:
    """The position for a viewer who also knows these slots."""
    notes = {slot: line for slot, line in cards.items() if deck_of(slot) in LISTS}
    faces = {slot: card for slot, card in cards.items() if slot not in notes}
    return position.but(down=position.down.known_too(faces), notes={**position.notes, **notes})


def supposed(position: Position, side: Side, cards: Sequence[str]) -> Mapping[str, str]:
    """The tags of a side that this view does not know, with the counters they may be."""
    return position.down.supposed(hand(position, side), cards)


def shows(
    state: State[Position], side: Side, order: Order, before: Sequence[Order] = (),
    when: When | None = None,
) -> Slots:  # fmt: skip
    """The slots on the way to each counter that an order shows, as far as this view knows, and the
    lines of lists that come to light with it.
    """
    position, stage = state.position, state.agenda[-1] if state.agenda else None
    if isinstance(order, o.TellPapers):
        return stage.due(position) if isinstance(stage, TellingPapers) else ()
    tags = cover.shown_by(position, side, cover.in_tags(position, side, order))
    ways = tuple(slot for tag in tags for slot in position.down.way(tag))
    return (*ways, *papers.used_with(position, side, order))


def worded(
    state: State[Position], side: Side, order: Order, given: Sequence[Order] = (),
    when: When | None = None,
) -> Order:  # fmt: skip
    """The order with tags in place of counters face down, and with what must be said of them."""
    position, stage = state.position, state.agenda[-1]
    if position.is_open:
        return order
    written: Order = cover.worded(position, side, order)
    is_asked = isinstance(stage, PlayerStage) and type(order) in judged_by(stage)
    if is_asked and getattr(stage, "side", "") == side and _is_first(order, given):
        return written
    return ahead.vouched(position, side, written, given)


def _is_first(order: Order, given: Sequence[Order]) -> bool:
    """Whether no other of the kind of an order is given before it, which might end in dice."""
    return next((one for one in given if type(one) is type(order)), order) == order


def renumbered(position: Position, used: Mapping[str, int]) -> Position:
    """The position whose next epochs come after these."""
    return position.but(down=position.down.renumbered(used))


def renewed(
    state: State[Position], side: Side
) -> tuple[tuple[Event[Position], ...], tuple[Any, ...]]:
    """All counters face down of a side are laid again, and put back where they lay; what its lists
    have not told is void.
    """
    position = state.position
    old, forgotten = hand(position, side), e.LinesForgotten(side)
    if not old:
        return (forgotten,), state.agenda
    anew = e.CountersLaidAnew(side)
    deck, epoch = DECKS[side], position.down.next_epoch(DECKS[side])
    tags = tuple(f"{deck}/{epoch}/{at}" for at in range(len(old)))
    spots = tuple((position.at(name), position.may_be(name)) for name in old)
    agenda, pending = unarranged(state.agenda, side, PuttingBack, Muster)
    if pending is not None:  # these tags lie there for now only
        spots = pending.spots
    return (forgotten, anew), (*agenda, PuttingBack(side, tags, spots), Muster())
