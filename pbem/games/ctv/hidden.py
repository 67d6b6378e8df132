"""What is hidden from one of the players: the faces of covered counters (engine/hidden.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.engine.facedown import by_tag, unarranged
from pbem.engine.hidden import Epoch, Slots, When
from pbem.engine.model import Event, Order, Side, Stage, State, Violation
from pbem.engine.naming import sorted_names
from pbem.games.ctv import events as e
from pbem.games.ctv import orders as o
from pbem.games.ctv.options import OPEN_UNITS
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import ahead, cover
from pbem.games.ctv.stages.combat import Fighting
from pbem.games.ctv.stages.cover import Arranging, Muster, OnlyShows
from pbem.games.ctv.tables import SIDES
from pbem.value import replace, value

open_option = OPEN_UNITS


def laid(position: Position) -> tuple[Epoch, ...]:
    """The decks of covered counters."""
    return position.down.laid


def hand(position: Position, side: Side) -> Slots:
    """The tags of a side, on the map and beside it."""
    return position.tags_of(side)


def known(position: Position) -> Mapping[str, str]:
    """None: a counter that is known goes by its own name."""
    return {}


def looks_at(state: State[Position], side: Side) -> Slots:
    """All slots of a side."""
    return state.position.down.slots_of(side)


def must_show(state: State[Position]) -> Slots:
    """The counters that the game waits for."""
    stage = state.agenda[-1] if state.agenda else None
    return stage.hidden(state.position) if isinstance(stage, OnlyShows) else ()


def doubts(state: State[Position], order: Order) -> tuple[Violation, ...]:
    """Why an order given ahead lapses that a covered counter might make illegal."""
    return tuple(ahead.doubts(state, order))


def openings(position: Position, cards: Mapping[str, str]) -> tuple[Event[Position], ...]:
    """The events of showing counters."""
    return tuple(
        e.CounterShown(side, slot, cards[slot])
        for side in SIDES
        for slot in hand(position, side)
        if slot in cards
    )


def informed(position: Position, cards: Mapping[str, str]) -> Position:
    """The position for a viewer who also knows these slots."""
    return position.but(down=position.down.known_too(cards))


def supposed(position: Position, side: Side, cards: Sequence[str]) -> Mapping[str, str]:
    """The tags of a side that this view does not know, with the counters they may be."""
    return position.down.supposed(hand(position, side), cards)


def shows(
    state: State[Position], side: Side, order: Order, before: Sequence[Order] = (),
    when: When | None = None,
) -> Slots:  # fmt: skip
    """The counters that an order shows, as far as this view knows them."""
    position = state.position
    if not position.down.hidden:
        return ()
    # An order given ahead comes behind dice: then a stage of nobody's is the next.
    stage = state.agenda[-1] if state.agenda else None
    has_shift = ahead.has_a_shift(position, side, before, when)
    asked = _Of(side, getattr(stage, "what", ""), has_shift)
    return cover.shown_by(position, asked, cover.in_tags(position, side, order))


@value
class _Of:
    """Whose order it is, and of which stage: one given ahead is another's than the present one."""

    side: Side
    what: str
    """What it sets up."""
    has_shift: bool
    """Whether the corps of the CTV may move the column of an attack."""


def worded(
    state: State[Position], side: Side, order: Order, given: Sequence[Order] = (),
    when: When | None = None,
) -> Order:  # fmt: skip
    """The order with tags in place of covered counters, in the order of tags; an attack given ahead
    says which of them do not change it.
    """
    position = state.position
    if not position.down.hidden:
        return order
    if isinstance(order, o.Attack):
        is_asked = isinstance(state.agenda[-1], Fighting)
        said = {} if is_asked else ahead.beside(position, side, order, given, when)
        order = replace(order, beside=said)
    return sorted_names(cover.in_tags(position, side, order), "unit", by_tag)


def renumbered(position: Position, used: Mapping[str, int]) -> Position:
    """The position whose next epochs come after these."""
    return position.but(down=position.down.renumbered(used))


def renewed(
    state: State[Position], side: Side
) -> tuple[tuple[Event[Position], ...], tuple[Stage[Position], ...]]:
    """All covered counters of a side are laid again, and put back where they lay."""
    position = state.position
    old = hand(position, side)
    if not old:
        return (), state.agenda
    anew = e.ArmyLaidAnew(side)
    tags = anew.apply(position).tags_of(side)
    spots = tuple((position.places[name], position.may_be(name)) for name in old)
    agenda, pending = unarranged(state.agenda, side, Arranging, Muster)
    if pending is not None:  # these tags lie there for now only
        spots = pending.spots
    return (anew,), (*agenda, Arranging(side, tags, spots), Muster())
