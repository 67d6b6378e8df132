"""The answers of the slot `turn_end`: what a side does between two turns, said beforehand.

Points are spent from the top of a list, over and over: what is no longer legal, or too dear, is
passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.model import Order
from pbem.engine.shapes import listed
from pbem.games.crusade.orders import (
    Deploy,
    Discard,
    Done,
    Guerrilla,
    Rebuild,
    Reclaim,
    Remove,
    RemoveMarker,
    Replace,
    Supply,
    Withdraw,
)
from pbem.games.crusade.position import ELIMINATED, Position
from pbem.games.crusade.rules.options_decks import discards_lie_face_down, may_discard
from pbem.games.crusade.rules.ranking import fits, place_of
from pbem.games.crusade.rules.reinforcement import corps_spaces

if TYPE_CHECKING:
    from pbem.games.crusade.stages.draw import Discards, Redrawing
    from pbem.games.crusade.stages.end_of_turn import MarkerRemoval
    from pbem.games.crusade.stages.guerrilla import GuerrillaCorps
    from pbem.games.crusade.stages.replacements import ReturningCorps, Spending
    from pbem.games.crusade.stages.war_status import Overflow, Surplus

Policy = Mapping[str, Any]
Line = Mapping[str, Any]


# --- replacement points -------------------------------------------------------------------------


def spending(position: Position, stage: Spending, policy: Policy) -> Order | None:
    """The first purchase of the list that is legal now; done when none is."""
    for line in listed(policy.get("replacements", ())):
        for order in _purchases(position, stage, line):
            if not any(True for _ in stage.check(position, order)):
                return order
    return Done()


def _purchases(position: Position, stage: Spending, line: Line) -> Iterator[Order]:
    """Every order that a line of the list may mean now, the dearer rebuilding first."""
    ((verb, said),) = line.items()
    fields = said if isinstance(said, Mapping) else {}
    using = fields.get("using", "")
    word = fields.get("unit", said)
    if verb == "siege":
        yield Supply(fields.get("name", said))
    elif verb == "reclaim":
        yield Reclaim(fields.get("count", said), using)
    elif verb == "replace":
        worn = (unit for unit in _own(position, stage, word) if position.is_reduced(unit))
        yield from (Replace(unit, using) for unit in worn)
    else:
        for unit in _own(position, stage, word):
            if position.place_of(unit) == ELIMINATED:
                yield from _rebuildings(position, unit, using, fields)


def _rebuildings(position: Position, unit: str, using: str, fields: Line) -> Iterator[Order]:
    most = position.type_of(unit).steps
    for steps in (fields["steps"],) if "steps" in fields else range(most, 0, -1):
        wished = listed(fields.get("to", ()))
        corps = position.type_of(unit).is_corps
        for space in (wished or corps_spaces(position, unit)) if corps else ("",):
            yield Rebuild(unit, steps, using, space)


def _own(position: Position, stage: Spending, word: str) -> Iterator[str]:
    """The units of the side that a word means, in stack order."""
    for unit, unit_type in position.tables.units.items():
        if unit_type.side == stage.side and fits(position, word, unit):
            yield unit


def returning(position: Position, stage: ReturningCorps, policy: Policy) -> Order | None:
    """The corps that is due comes in at the first space of the list that is open to it."""
    from pbem.games.crusade.stages.replacements import due_corps

    unit = due_corps(position, stage.side)[0]
    could = corps_spaces(position, unit)
    wished = [space for space in listed(policy.get("returning", ())) if space in could]
    return Deploy(unit, wished[0]) if wished else None


# --- markers, and a space too full --------------------------------------------------------------


def giving_up(position: Position, stage: MarkerRemoval, policy: Policy) -> Order | None:
    """The first marker of the list that is there, else done."""
    from pbem.games.crusade.stages.end_of_turn import own_markers

    own = own_markers(position, stage.side)
    wished = [space for space in listed(policy.get("markers", ())) if space in own]
    return RemoveMarker(wished[0]) if wished else Done()


def leaving(position: Position, stage: Overflow | Surplus, policy: Policy) -> Order | None:
    """The first unit of the list that stands there goes."""
    from pbem.games.crusade.stages.war_status import Overflow

    words, units = policy.get("surplus", ()), position.units_in(stage.space)
    if not words:
        return None
    unit = min(units, key=lambda each: place_of(position, words, each))
    return Withdraw(unit) if isinstance(stage, Overflow) else Remove(unit)


# --- cards --------------------------------------------------------------------------------------


def discarding(position: Position, stage: Discards, policy: Policy) -> Order | None:
    """The listed cards that are still in the hand, as far as they may be discarded."""
    slots = tuple(_slots_to_discard(position, stage, policy))
    if discards_lie_face_down(position):
        return Discard(slots) if slots else Done()
    cards = (position.known.get(slot) for slot in slots)
    fitting = tuple(card for card in cards if card is not None and may_discard(position, card))
    return Discard(fitting) if fitting else Done()


def _slots_to_discard(position: Position, stage: Discards, policy: Policy) -> Iterator[str]:
    hand = position.decks[stage.side].hand
    wished = dict.fromkeys(listed(policy.get("discard", ())))
    yield from (slot for slot in wished if slot in hand)


def redrawing(position: Position, stage: Redrawing, policy: Policy) -> Order | None:
    """The hand is kept, unless all see that it may not be."""
    return None


# --- guerrillas ---------------------------------------------------------------------------------


def raiding(position: Position, stage: GuerrillaCorps, policy: Policy) -> Order | None:
    """The first effect of the list that is open; `none` leaves the corps at home."""
    for wish in listed(policy.get("guerrilla", ())):
        order: Order = Done()
        if isinstance(wish, Mapping):
            order = Guerrilla("guerrilla", wish["guerrilla"])
        elif wish != "none":
            order = Guerrilla(wish)
        if not any(True for _ in stage.check(position, order)):
            return order
    return None


def slots_to_show(position: Position, stage: Discards, policy: Policy) -> Iterator[str]:
    """What a discard opens: nothing where discards lie face down."""
    if not discards_lie_face_down(position):
        yield from _slots_to_discard(position, stage, policy)
