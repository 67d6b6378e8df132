"""Chits face down: what is in a hand and a cup, and how a chit is shown.

A chit that both players know is named by its id, any other by its slot. A chit that comes back
unseen is laid again as the tag of its slot, so a chit may be under several slots, which its owner
opens one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.engine.facedown import by_tag
from pbem.engine.hidden import Epoch, Slots, When
from pbem.engine.model import Event, Order, Side, Stage, State, Violation
from pbem.engine.tags import way
from pbem.games.madrid import events as e
from pbem.games.madrid.options import OPEN_HANDS
from pbem.games.madrid.orders import PutBack, ShowChit
from pbem.games.madrid.position import Position
from pbem.games.madrid.stages.cup import DrawnAnew
from pbem.games.madrid.tables import SIDES

open_option = OPEN_HANDS
NOBODY_KNOWS: Mapping[str, str] = {}


def laid(position: Position) -> tuple[Epoch, ...]:
    """Every epoch of chits face down."""
    return position.down.laid


def hand(position: Position, side: Side) -> Slots:
    """The slots a side may open."""
    return position.slots(side)


def known(position: Position) -> Mapping[str, str]:
    """None: an opened chit is listed under its own id from then on."""
    return NOBODY_KNOWS


def looks_at(state: State[Position], side: Side) -> Slots:
    """All slots of a side, because ways lead through old ones.

    This includes the slots of the cup: it is mixed, or drawn from by chance, before they matter.
    """
    return state.position.down.slots_of(side)


def must_show(state: State[Position]) -> Slots:
    """None: only the owner knows which slot holds the chit that is sought."""
    return ()


def doubts(state: State[Position], order: Order) -> tuple[Violation, ...]:
    """None: an order shows what it needs of a hand."""
    return ()


def openings(position: Position, cards: Mapping[str, str]) -> tuple[Event[Position], ...]:
    """The events of opening slots, each way from its newest slot on."""
    return tuple(
        e.ChitOpened(side, slot, card)
        for side in SIDES
        for first in position.slots(side)
        for slot, card in way(cards, first)
    )


def informed(position: Position, cards: Mapping[str, str]) -> Position:
    """The position for a viewer who also knows the cards of these slots."""
    return position.but(down=position.down.known_too(cards))


def supposed(position: Position, side: Side, cards: Sequence[str]) -> Mapping[str, str]:
    """The slots of a hand that this view does not know, with the cards of `cards` they may hold."""
    free = [each for each in position.hands[side] if not position.chit_in(each)]
    could = [
        card
        for card in dict.fromkeys(cards)
        if card in position.down.hidden and position.board.side_of_chit(card) == side
    ]
    return dict(zip(free, could, strict=False))


def shows(
    state: State[Position], side: Side, order: Order, before: Sequence[Order] = (),
    when: When | None = None,
) -> Slots:  # fmt: skip
    """The slots on the way to each chit that an order plays, as far as this view knows."""
    position = state.position
    if isinstance(order, ShowChit):
        there = [position.where(side, position.sought)] if position.sought else []
    else:
        named = set(chits_named(order))
        there = [each for each in position.hands[side] if position.chit_in(each) in named]
    return tuple(slot for each in there for slot in position.down.way(each))


def chits_named(order: Order) -> Iterable[str]:
    """The chits that an order plays from the hand."""
    if isinstance(order, PutBack):
        return ()
    chit = getattr(order, "chit", "")
    chits: Sequence[str] = getattr(order, "chits", ()) if order.verb != "draw" else ()
    return (chit,) if chit else chits


def worded(
    state: State[Position], side: Side, order: Order, given: Sequence[Order] = (),
    when: When | None = None,
) -> Order:  # fmt: skip
    """The order as the file stores it: a chit put back unseen is named by its slot."""
    if not isinstance(order, PutBack):
        return order
    chits = (state.position.where(side, chit) or chit for chit in order.chits)
    written = tuple(sorted(chits, key=by_tag))  # which tells nothing
    return order if written == order.chits else PutBack(written)


def renumbered(position: Position, used: Mapping[str, int]) -> Position:
    """The position with the number of the next epoch of each deck set from `used`."""
    return position.but(down=position.down.renumbered(used))


def renewed(
    state: State[Position], side: Side
) -> tuple[tuple[Event[Position], ...], tuple[Stage[Position], ...]]:
    """The events and stages that follow when a side's player goes on with new secrets.

    All face-down chits are laid again by their ids, which both players know as a set. Then as many
    are drawn as were in the hand. Chits of the cup that both know stay there.
    """
    position = state.position
    if position.down.hidden.isdisjoint(position.board.chits_of(side)):
        return (), state.agenda
    held = sum("/" in each for each in position.hands[side])
    return (e.ChitsLaidAnew(side),), (*state.agenda, DrawnAnew(side, held))
