"""Remarks on a legal order that may not do what its author thinks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.model import Order, State
from pbem.games.crusade.orders import Activate, Attack, Done, Play
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.activation import besieged
from pbem.games.crusade.rules.asks import OfASide
from pbem.games.crusade.rules.event_limits import threatened
from pbem.games.crusade.tables import ENEMY, REPUBLICAN
from pbem.messages import Said, either, say, say_many


def remarks(state: State[Position], order: Order) -> Iterator[Said]:
    """The remarks, each a sentence without its full stop. The order is legal for the stage on top.

    Modules are imported only if an order needs them: most entries have no combat, and a cold
    command would load a dozen modules for nothing.
    """
    stage: Any = state.agenda[-1]
    if isinstance(order, Attack):
        from pbem.games.crusade.remarks_on_attacks import of_an_attack

        yield from of_an_attack(state.position, stage, order)
    elif isinstance(order, Activate):
        yield from _of_marked_spaces(state.position, stage, order)
    elif isinstance(order, Play) and order.use == "replacements":
        yield from _of_points(state.position, order)
    elif isinstance(order, Done):
        lapsing = getattr(stage, "lapsing", None)
        if lapsing is not None:
            yield from lapsing(state.position)


def _of_marked_spaces(position: Position, stage: OfASide, order: Activate) -> Iterator[Said]:
    """11.1.2: a space may be activated for combat although there is nothing to attack."""
    near_by = besieged(position) if stage.side == REPUBLICAN else ()
    for space in order.attack:
        near = [each for each in position.neighbours(space)
                if position.occupier(each) == ENEMY[stage.side]]  # fmt: skip
        name = position.space(space).name
        if not near and space not in near_by:
            yield say("from {name} nothing can be attacked: no enemy unit is next to it", name=name)
        elif near and all(threatened(position, stage.side, each) for each in near):
            yield say(
                "from {name} nothing can be attacked: {near} is too near France this turn (R51)",
                name=name,
                near=either([position.space(each).name for each in near]),
            )


def _of_points(position: Position, order: Play) -> Iterator[Said]:
    """8.4.1: only those of a card's points that are recorded are worth anything."""
    from pbem.games.crusade.rules.redeployment import in_points
    from pbem.games.crusade.rules.replacement import is_current, why_withheld

    for currency, points in position.card(order.card).rp.items():
        if points and not is_current(position, currency):
            yield say_many(
                "number", "{points} of {currency} on {card} is not recorded: {why}",
                "{points} of {currency} on {card} are not recorded: {why}",
                points=in_points(2 * points), currency=currency, card=order.card,
                why=why_withheld(currency), number=points,
            )  # fmt: skip
