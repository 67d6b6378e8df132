"""What is hidden from one of the players: faces of counters, lines of lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.games.fog import events as e
from pbem.games.fog import orders as o
from pbem.games.fog import rules
from pbem.games.fog.position import DECKS, LISTS, OPEN, SIDES, Position
from pbem.games.fog.stages import Arranging, Attacked, Marching, Mustered, Showing

from pbem.engine.facedown import Spot, by_tag, unarranged
from pbem.engine.hidden import Epoch, Slots, When
from pbem.engine.model import Event, Order, Side, Stage, State, Violation
from pbem.engine.naming import names_in
from pbem.engine.tags import is_tag, way
from pbem.value import replace

open_option = OPEN


def laid(position: Position) -> tuple[Epoch, ...]:
    """Every epoch of counters face down."""
    return position.down.laid


def hand(position: Position, side: Side) -> Slots:
    """The tags of a side that are in play, and the items of its list that are not told."""
    tags = [name for name in position.in_play if is_tag(name) and position.side_of(name) == side]
    return tuple(sorted(tags, key=by_tag))


def known(position: Position) -> Mapping[str, str]:
    """The items of lists that were told. A counter that is known goes by its own name."""
    return position.told


def looks_at(state: State[Position], side: Side) -> Slots:
    """All slots of a side, because ways lead through old ones, and its list."""
    position = state.position
    return (*position.down.slots_of(side), *position.slots_of_list(side))


def must_show(state: State[Position]) -> Slots:
    """The tags in a hex that is attacked."""
    stage = state.agenda[-1] if state.agenda else None
    return stage.hidden(state.position) if isinstance(stage, Showing) else ()


def doubts(state: State[Position], order: Order) -> tuple[Violation, ...]:
    """What was said ahead of hidden counters, and might be false by now; nothing else that a
    counter hides makes an order illegal.
    """
    return tuple(rules.said_too_early(state.position, order)) if isinstance(order, o.Halt) else ()


def openings(position: Position, cards: Mapping[str, str]) -> tuple[Event[Position], ...]:
    """The events of opening slots, each way from its newest slot on, and of items of lists."""
    decks = set(DECKS.values())
    found: list[Event[Position]] = []
    for side in SIDES:
        for name in hand(position, side):
            found += [e.CounterShown(side, slot, card) for slot, card in way(cards, name)]
        for slot, item in cards.items():
            if slot.split("/")[0] == LISTS[side] and slot.split("/")[0] not in decks:
                found.append(e.AmbushTold(side, slot, item))
    return tuple(found)


def informed(position: Position, cards: Mapping[str, str]) -> Position:
    """The position for a viewer who also knows these slots."""
    lists = set(LISTS.values())
    notes = {slot: item for slot, item in cards.items() if slot.split("/")[0] in lists}
    faces = {slot: card for slot, card in cards.items() if slot not in notes}
    return position.but(down=position.down.known_too(faces), notes={**position.notes, **notes})


def supposed(position: Position, side: Side, cards: Sequence[str]) -> Mapping[str, str]:
    """The tags of a side that this view does not know, with the counters they may be."""
    return position.down.supposed(hand(position, side), cards)


def shows(
    state: State[Position], side: Side, order: Order, before: Sequence[Order] = (),
    when: When | None = None,
) -> Slots:  # fmt: skip
    """The slots on the way to each counter that an order shows, as far as this view knows; the
    lines of the list that are due.
    """
    position = state.position
    if isinstance(order, o.Spring):
        stage = state.agenda[-1]
        if isinstance(stage, Attacked):
            return rules.ambushes_at(position, side, stage.hex)
        return rules.ambushes_due(position, side)
    if not isinstance(order, o.Attack | o.Blow | o.Fire):
        return ()
    own = hand(position, side)
    names = [position.down.tag(name, own) for name in names_in(order, "unit")]
    slots = tuple(slot for name in names for slot in position.down.way(name))
    if isinstance(order, o.Attack):
        return (*slots, *rules.ambushes_at(position, side, order.hex))
    return slots


def worded(
    state: State[Position], side: Side, order: Order, given: Sequence[Order] = (),
    when: When | None = None,
) -> Order:  # fmt: skip
    """The order with tags in place of counters, and with what must be said of hidden ones."""
    position = state.position
    written: Order = position.down.worded(order, "unit", hand(position, side))
    if isinstance(written, o.SetUp):
        after = position.but(places={**position.places, **written.units})
        return replace(written, zones=_said(after, side, written.zones))
    if isinstance(written, o.Halt):
        # Only what is halted now can be said of where counters lie by then.
        is_now = isinstance(state.agenda[-1], Marching) and state.agenda[-1].side == side
        return replace(written, zones=_said(position, side, written.zones)) if is_now else written
    return written


def _said(position: Position, side: Side, zones: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({*zones, *position.zones_to_say(side)}))


def renumbered(position: Position, used: Mapping[str, int]) -> Position:
    """The position whose next epochs come after these."""
    return position.but(down=position.down.renumbered(used))


def renewed(
    state: State[Position], side: Side
) -> tuple[tuple[Event[Position], ...], tuple[Stage[Position], ...]]:
    """All hidden counters of a side are laid again, and put back where they stood; the lines that
    its list has not told are void, and nothing is judged by them any more.
    """
    position = state.position
    old, forgotten = sorted(hand(position, side)), e.AmbushesForgotten(side)
    if not old:
        return (forgotten,), state.agenda
    anew = e.ArmyLaidAnew(side)
    deck, epoch = DECKS[side], position.down.next_epoch(DECKS[side])
    tags = tuple(f"{deck}/{epoch}/{at}" for at in range(len(old)))
    spots: tuple[Spot, ...] = tuple(
        (position.places.get(name, ""), position.down.may_be(name)) for name in old
    )
    agenda, pending = unarranged(state.agenda, side, Arranging, Mustered)
    if pending is not None:  # these tags lie there for now only
        spots = pending.spots
    return (forgotten, anew), (*agenda, Arranging(side, tags, spots), Mustered())
