"""The options of an impulse: for each verb, orders that look legal, for forms and bots."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from pbem.engine.choices import Example, Some
from pbem.engine.model import Option, Order, Side
from pbem.games.madrid.orders import Assault, Attack, Bombard, Move, Pass, Play, Renewal
from pbem.games.madrid.position import ELIMINATED, Position
from pbem.games.madrid.rules import chits
from pbem.games.madrid.rules.bombardment import attacker_names_point, gun_targets, shelling_told
from pbem.games.madrid.rules.movement import (
    Path,
    areas_that_fire,
    keeps_to_its_bank,
    path_told,
    reachable,
)
from pbem.games.madrid.rules.replacements import homes, never_rebuilt, pairs
from pbem.games.madrid.rules.retreat import is_barred
from pbem.games.madrid.rules.units import ready_stacks, strength_of
from pbem.games.madrid.tables import ENEMY, MADRID, NATIONALIST, REPUBLICAN, SHOCK
from pbem.value import value

Stacks = Mapping[str, tuple[str, ...]]
"""The units that may be activated, by place."""
Offer = Callable[[Position, Side, Stacks, Some], Iterator[Example]]
DURRUTI = "CR6"
FREE = 5
"""The number of units of a stack that are offered: more cost a support point."""


def impulse_options(position: Position, side: Side) -> tuple[Option, ...]:
    """An option for each verb that may be legal, without examples if those are hard to find."""
    stacks = ready_stacks(position, side)
    offers: dict[type[Order], Offer] = {
        Move: _moves, Attack: _attacks, Assault: _assaults, Bombard: _bombardments, Play: _plays,
    }  # fmt: skip
    if _flees(position, side):
        offers = {Move: _moves, Play: _plays}
    best = _at_best(position, side)
    found = [
        Option(kind, examples=partial(offer, position, side, stacks))
        for kind, offer in offers.items()
        if _may_be_legal(kind, position, best, side, stacks)
    ]
    return (*found, Option(Pass))


def _may_be_legal(
    kind: type[Order], position: Position, best: Position, side: Side, stacks: Stacks
) -> bool:
    """Whether a verb is offered, by what both players know: it would reveal a hand otherwise.

    `best` is the position with all that its owner might add to an attack.
    """
    if kind is Play:
        return chits.may_play(position, side)
    if kind is Bombard:
        guns = position.board.guns
        armed = (place for place, units in stacks.items() if not guns.isdisjoint(units))
        return any(_targets(position, side, place) for place in armed)
    if kind is Move:
        return bool(stacks)
    if kind is Assault:
        return any(best.type_of(unit) == SHOCK for units in stacks.values() for unit in units)
    meet = (units for place, units in stacks.items() if _may_fight(position, side, place))
    return any(strength_of(best, unit) >= 1 for units in meet for unit in units)


def _at_best(position: Position, side: Side) -> Position:
    """The position with anarchists as shock units, if both players think that chit possible."""
    durruti = chits.may_play(position, side, frozenset({DURRUTI}))
    return position.but(durruti=chits.DURRUTI_FIGHTS) if durruti else position


def _may_fight(position: Position, side: Side, area: str) -> bool:
    """Whether enemies are in an area and the pause does not spare them."""
    is_spared = position.is_bound_by_pause(side) and not position.is_friendly(area, side)
    return position.has_enemies(area, side) and not is_spared


def _targets(position: Position, side: Side, place: str) -> list[str]:
    """What guns of a place may bombard now."""
    return [area for area in gun_targets(position, side, place) if _may_fight(position, side, area)]


def _prepared(position: Position, side: Side) -> tuple[bool, ...]:
    """Whether an attack is prepared, as far as the points pay for it."""
    is_paid = position.support[side] >= position.board.charts["costs"]["prepared"]
    return (False, True) if is_paid else (False,)


def _flees(position: Position, side: Side) -> bool:
    """Whether CN9 bars a side from combat and bombardment."""
    return side == REPUBLICAN and position.flight > 0


def _best(position: Position, side: Side) -> Position:
    """The position with anarchists as shock units, if that chit may be played."""
    may = chits.playable(position, side, frozenset({DURRUTI}))
    return position.but(durruti=chits.DURRUTI_FIGHTS) if may else position


def _chits(
    position: Position,
    side: Side,
    window: frozenset[str],
    but: Callable[[str], bool] = lambda kind: False,
) -> dict[str, tuple[tuple[str, ...], ...]]:  # fmt: skip
    """The alternatives for an order's chit field: each chit that may go with it, none first.

    `but` tells the kinds that would do nothing there.
    """
    held = [
        chit for chit in chits.playable(position, side, window) if not but(position.kind_of(chit))
    ]
    return {"chits": ((), *((chit,) for chit in held))} if held else {}


def _moves(position: Position, side: Side, stacks: Stacks, some: Some) -> Iterator[Example]:
    """Moves for each place's first units together and for each alone, to every place in reach."""
    for place in some(list(stacks)):
        for units, paths in _ways(position, side, stacks[place], some):
            order = Move(units[0], paths[0], _leader(units[0]))
            useless = partial(_surprises_nobody, position, units[0], paths)
            with_it = _chits(position, side, chits.OF_MOVE, useless)
            others = {**_alike(units, paths), **with_it}
            told = "" if _has_choice(others) else path_told(position, order.units, order.path)
            yield Example(order, told, others)


def _surprises_nobody(position: Position, units: Stack, paths: Sequence[Path], kind: str) -> bool:
    """Whether a chit is a surprise, and no enemy may fire at any of these moves."""
    return kind == "CN3" and not any(
        any(areas_that_fire(position, units, path, is_assault=False)) for path in paths
    )


def _stampedes_nobody(areas: Collection[str], kind: str) -> bool:
    """Whether a chit is a Stampede, and all these attacks are in Madrid."""
    return kind == "CN8" and set(areas) == {MADRID}


def _has_choice(others: Mapping[str, tuple[Any, ...]]) -> bool:
    """Whether a form has other values to show for an order, and so no room for a note."""
    return any(len(values) > 1 for values in others.values())


def _leader(units: tuple[str, ...]) -> str:
    """The point unit, if one must be named."""
    return units[0] if len(units) > 1 else ""


Stack = tuple[str, ...]


def _alike(units: Sequence[Stack], paths: tuple[Path, ...]) -> dict[str, tuple[Any, ...]]:
    """The alternatives for an order's fields: other paths, and other units if it goes alone."""
    others: dict[str, tuple[Any, ...]] = {"path": paths, "point": (_leader(units[0]),)}
    return {**others, "units": tuple(units)} if len(units) > 1 else others


@value
class Going:
    """A stack that moves."""

    side: Side


def _open_to(position: Position, side: Side, units: Stack) -> tuple[Path, ...]:
    """The paths within reach on this bank of the rivers. No longer way round leads over them."""
    reach = reachable(position, side, units)
    if side != NATIONALIST or not position.is_river_banned:
        return reach
    going = Going(side)
    return tuple(
        path for path in reach
        if not any(is_barred(position, side, *step) for step in pairwise(path))
        or not any(keeps_to_its_bank(going, position, Move(units, path)))
    )  # fmt: skip


def _ways(
    position: Position, side: Side, there: Stack, some: Some
) -> Iterator[tuple[list[Stack], tuple[Path, ...]]]:
    """The first units of a place together, and each alone, with the paths they may take.

    Units that may take the same paths alone are listed together.
    """
    groups = [there[:FREE], *((unit,) for unit in there)] if len(there) > 1 else [there]
    found: dict[tuple[bool, tuple[Path, ...]], list[Stack]] = {}
    for units in some(groups if there else ()):
        paths = _open_to(position, side, units)
        if paths:
            found.setdefault((len(units) > 1, paths), []).append(units)
    for (_, paths), those in found.items():
        yield those, paths


def _attacks(position: Position, side: Side, stacks: Stacks, some: Some) -> Iterator[Example]:
    best = _best(position, side)
    for place in some([place for place in stacks if _may_fight(position, side, place)]):
        able = tuple(unit for unit in stacks[place] if strength_of(best, unit) >= 1)[:FREE]
        if able:
            needed = _durruti(position, able, lambda unit: strength_of(position, unit) >= 1)
            useless = partial(_stampedes_nobody, (place,))
            others = {"point": (able[0],), "prepared": _prepared(position, side),
                      **_chits(position, side, chits.OF_COMBAT, useless)}  # fmt: skip
            if needed:
                others["chits"] = (needed,)
            yield Example(Attack(able, able[0], chits=needed), "", others)


def _assaults(position: Position, side: Side, stacks: Stacks, some: Some) -> Iterator[Example]:
    best = _best(position, side)
    for place in some(list(stacks)):
        able = tuple(unit for unit in stacks[place] if best.type_of(unit) == SHOCK)
        for units, reach in _ways(position, side, able, some):
            paths = tuple(path for path in reach if _may_fight(position, side, path[-1]))
            if paths:
                everybody = tuple(unit for each in units for unit in each)
                needed = _durruti(position, everybody, lambda unit: position.type_of(unit) == SHOCK)
                useless = partial(_stampedes_nobody, [path[-1] for path in paths])
                with_it = _chits(position, side, chits.OF_COMBAT, useless)
                prepared = {"prepared": _prepared(position, side)}
                others = {**_alike(units, paths), **prepared, **with_it}
                if needed:
                    others["chits"] = (needed,)
                order = Assault(units[0], paths[0], _leader(units[0]), chits=needed)
                yield Example(order, "", others)


def _durruti(
    position: Position, units: tuple[str, ...], is_fit: Callable[[str], bool]
) -> tuple[str, ...]:
    """The chit that some of the units need to take part; none if all can without it."""
    return () if all(map(is_fit, units)) else (position.in_hand(REPUBLICAN, DURRUTI),)


def _bombardments(position: Position, side: Side, stacks: Stacks, some: Some) -> Iterator[Example]:
    with_it = _chits(position, side, chits.OF_BOMBARDMENT)
    for place in some(list(stacks)):
        guns = tuple(unit for unit in stacks[place] if position.is_gun(unit))
        for target in some(_targets(position, side, place)) if guns else ():
            enemies: tuple[str, ...] = ("",)
            if attacker_names_point(position, target):
                enemies = position.units_at(target, ENEMY[side])
            order = Bombard(guns[:2], target, enemies[0])
            others = {"target": (target,), "point": enemies, **with_it}
            told = "" if _has_choice(others) else shelling_told(position, order)
            yield Example(order, told, others)


def _plays(position: Position, side: Side, stacks: Stacks, some: Some) -> Iterator[Example]:
    for chit in some(chits.playable(position, side)):
        for order in some(list(_ways_to_play(position, side, chit))):
            fixed = {"target": (order.target,), "point": (order.point,), "use": (order.use,)}
            yield Example(order, position.title(chit), {**fixed, "rebuild": (order.rebuild,)})


def _ways_to_play(position: Position, side: Side, chit: str) -> Iterator[Play]:
    kind = position.kind_of(chit)
    if kind in chits.BOMBING and _flees(position, side):
        return
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
    elif kind != "CN9" or chits.government_may_flee(position):
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
