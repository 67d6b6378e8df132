"""What an impulse offers: for each verb orders that look legal, for forms and for bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pbem.engine.choices import Example, Some, every
from pbem.engine.model import Option, Order, Side
from pbem.games.madrid.orders import Assault, Attack, Bombard, Move, Pass, Play, Renewal
from pbem.games.madrid.position import ELIMINATED, Position
from pbem.games.madrid.rules import chits
from pbem.games.madrid.rules.bombardment import attacker_names_point, gun_targets
from pbem.games.madrid.rules.movement import reachable
from pbem.games.madrid.rules.replacements import homes, never_rebuilt, pairs
from pbem.games.madrid.rules.units import ready_units, strength_of
from pbem.games.madrid.tables import ENEMY, REPUBLICAN, SHOCK

Stacks = dict[str, tuple[str, ...]]
Offer = Callable[[Position, Side, Stacks, Some], Iterator[Example]]
FREE = 5
"""So many units of a stack are offered: more cost a support point."""


def impulse_options(position: Position, side: Side) -> tuple[Option, ...]:
    """An option for each verb for which there is an order that looks legal."""
    stacks = _stacks(position, side)
    offers: dict[type[Order], Offer] = {
        Move: _moves, Attack: _attacks, Assault: _assaults, Bombard: _bombardments, Play: _plays,
    }  # fmt: skip
    found = (_option(kind, offer, position, side, stacks) for kind, offer in offers.items())
    return (*(option for option in found if option), Option(Pass))


def _option(
    kind: type[Order], offer: Offer, position: Position, side: Side, stacks: Stacks
) -> Option | None:
    """The verb with its examples; none where it has not one."""
    if next(offer(position, side, stacks, every), None) is None:
        return None
    return Option(kind, examples=lambda some: offer(position, side, stacks, some))


def _stacks(position: Position, side: Side) -> Stacks:
    """The units that may be activated, by place."""
    found: dict[str, tuple[str, ...]] = {}
    for unit in ready_units(position, side):
        place = position.places[unit]
        found[place] = (*found.get(place, ()), unit)
    return found


def _chits(
    position: Position, side: Side, window: frozenset[str]
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The chits that may go with an order, as what else may stand in its field; none: nothing."""
    held = chits.playable(position, side, window)
    return {"chits": ((), *((chit,) for chit in held))} if held else {}


def _moves(position: Position, side: Side, stacks: Stacks, some: Some) -> Iterator[Example]:
    """For each place its first units together and each alone, with all that is in reach."""
    with_it = _chits(position, side, chits.OF_MOVE)
    for place in some(list(stacks)):
        there = stacks[place]
        groups = [there[:FREE], *((unit,) for unit in there)] if len(there) > 1 else [there]
        for units in some(groups):
            paths = tuple(reachable(position, side, units))
            if paths:
                order = Move(units, paths[0], units[0])
                yield Example(order, "", {"path": paths, "point": (units[0],), **with_it})


def _attacks(position: Position, side: Side, stacks: Stacks, some: Some) -> Iterator[Example]:
    with_it = _chits(position, side, chits.OF_COMBAT)
    for place in some([place for place in stacks if position.has_enemies(place, side)]):
        able = tuple(unit for unit in stacks[place] if strength_of(position, unit) >= 1)[:FREE]
        if able:
            others = {"point": (able[0],), "prepared": (False, True), **with_it}
            yield Example(Attack(able, able[0]), "", others)


def _assaults(position: Position, side: Side, stacks: Stacks, some: Some) -> Iterator[Example]:
    with_it = _chits(position, side, chits.OF_COMBAT)
    for place in some(list(stacks)):
        shock = (unit for unit in stacks[place] if position.type_of(unit) == SHOCK)
        able = tuple(shock)[:FREE]
        paths = tuple(
            path
            for path in (reachable(position, side, able) if able else ())
            if position.has_enemies(path[-1], side)
        )
        if paths:
            others = {"path": paths, "point": (able[0],), "prepared": (False, True), **with_it}
            yield Example(Assault(able, paths[0], able[0]), "", others)


def _bombardments(position: Position, side: Side, stacks: Stacks, some: Some) -> Iterator[Example]:
    with_it = _chits(position, side, chits.OF_BOMBARDMENT)
    for place in some(list(stacks)):
        guns = tuple(unit for unit in stacks[place] if position.is_gun(unit))
        for target in some(gun_targets(position, side, place)) if guns else ():
            enemies: tuple[str, ...] = ("",)
            if attacker_names_point(position, target):
                enemies = position.units_at(target, ENEMY[side])
            order = Bombard(guns[:2], target, enemies[0])
            yield Example(order, "", {"target": (target,), "point": enemies, **with_it})


def _plays(position: Position, side: Side, stacks: Stacks, some: Some) -> Iterator[Example]:
    for chit in some(chits.playable(position, side)):
        for order in some(list(_ways_to_play(position, side, chit))):
            fixed = {"target": (order.target,), "point": (order.point,), "use": (order.use,)}
            yield Example(order, "", {**fixed, "rebuild": (order.rebuild,)})


def _ways_to_play(position: Position, side: Side, chit: str) -> Iterator[Play]:
    kind = position.kind_of(chit)
    if kind in chits.BOMBING:
        for target in chits.bombing_targets(position, side, kind):
            names_it = chits.BOMBING[kind] == side
            point = position.units_at(target, ENEMY[side])[0] if names_it else ""
            yield Play(chit, target, point)
    elif kind == "CN5":
        areas = position.board.areas
        yield from (Play(chit, area) for area in areas if position.units_at(area, REPUBLICAN))
    elif kind in chits.TURNS:
        for use in chits.TURNS[kind]:
            if use != "rebuild":
                yield Play(chit, use=use)
        for each in _renewals(position, side, alone=kind == "CN11"):
            yield Play(chit, use="rebuild", rebuild=(each,))
    else:
        yield Play(chit)


def _renewals(position: Position, side: Side, *, alone: bool) -> Iterator[Renewal]:
    areas = homes(position, side)[:1]
    if alone:
        gone = position.units_at(ELIMINATED, side)
        able = (unit for unit in gone if not never_rebuilt(position, unit))
        yield from (Renewal(unit, area) for unit in able for area in areas)
    else:
        paired = pairs(position, side)
        yield from (Renewal(one, area, other) for one, other in paired for area in areas)
