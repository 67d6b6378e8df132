"""The practice player: every formation goes to the hexes that are worth points and are not held,
and attacks where it should lose less than it takes; batteries and aircraft support the attacks.

Losses are troop points on average, computed over both dice of a combat as things stand before the
defence is supported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from pbem.board.ledger import total
from pbem.board.zones import outward
from pbem.engine.choices import every
from pbem.engine.model import Decision, Order, Side, State
from pbem.engine.practice import Idea
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.ground import RIVER
from pbem.games.nopasaran.position import Combat, Position
from pbem.games.nopasaran.rules import (
    activation,
    air,
    artillery,
    combat,
    engineers,
    factors,
    fate,
    movement,
    stacking,
    ways,
    zones,
)
from pbem.games.nopasaran.rules.naming import called, formation_called, place
from pbem.games.nopasaran.tables import ENEMY, KINDS, PONTOON
from pbem.messages import say
from pbem.value import replace

EAGER, GIVEN_UP, POINT, EARLY = 1.6, 2.0, 0.7, 0.3
"""The weight of an enemy troop point against an own one, of a hex that is given up, and of each
victory point for it: on the last day, and before, when there is still time for a better attack.
"""
SUPPORTED = 1.15
"""How much stronger a defence is taken to be, for the support that it may get."""
LEAST, LEAST_MOVE, AT_LAST = 0.2, 0.6, 0.1
"""What an attack and a move have to be worth, and what a troop point lost to guns is."""
SINGLE = 0.5
"""What activating a unit by itself is worth: after all formations."""
NEAR, COMPANY = 3, 2
"""How near headquarters and guns follow their units, and how many lead an advance."""
BEYOND = 50
"""Steps to a hex that no way leads to."""
FACES = range(1, 11)
FOOT = KINDS.index("foot")


# ------------------------------------------------------------------- what ground is worth


def worth(position: Position, side: Side) -> Mapping[str, int]:
    """The victory points that a side has for each hex."""
    return {
        row["hex"]: row["points"]
        for row in position.plain["points"]
        if row["for"] == "control" and row["side"] == side
    }


def prizes(position: Position, side: Side) -> Mapping[str, int]:
    """What taking each enemy hex changes in victory points: for both sides' hexes, and for the
    first unit on a bank that is to be clear.
    """
    found: dict[str, int] = dict(worth(position, side))
    for row in position.plain["points"]:
        if row["side"] != ENEMY[side]:
            continue
        if row["for"] == "control":
            found[row["hex"]] = found.get(row["hex"], 0) + row["points"]
        elif row["for"] == "bank_clear":
            bank = position.ground.bank(row["bank"])
            if not any(position.holder(hex) == side for hex in bank):
                found |= {hex: found.get(hex, 0) + row["points"] for hex in bank}
    return found


def aims(position: Position, side: Side) -> tuple[str, ...]:
    """The hexes to which a side goes: those it wants and does not hold; then those that the enemy
    wants, and has or may get.
    """
    mine, theirs = worth(position, side), worth(position, ENEMY[side])
    found = [hex for hex in mine if position.control[hex] != side]
    return tuple(found or theirs or mine or position.ground.hexes[:1])


def far(position: Position, hex: str, goals: tuple[str, ...]) -> int:
    """How far a hex is from the nearest goal."""
    return min(position.ground.distance(hex, goal) for goal in goals)


def marches(position: Position, goals: tuple[str, ...], wanted: Iterable[str]) -> Mapping[str, int]:
    """How many steps of men on foot some hexes are from the nearest goal, whoever is on the way:
    over rivers by bridges, or where engineers help.
    """
    side = position.active

    def near(hex: str) -> Iterator[str]:
        return (
            each
            for each in position.ground.around[hex]
            if ways.could_enter(position, each, hex, FOOT, side)
        )

    left, found = set(wanted), dict[str, int]()
    for hex, steps in outward(goals, near):
        if hex in left:
            left.remove(hex)
            found[hex] = steps
            if not left:
                break
    return found


def banks(position: Position, goals: tuple[str, ...]) -> tuple[str, ...]:
    """The hexes from which a bridge over a river would lead towards the goals."""
    ground = position.ground
    return tuple(
        here
        for here in ground.hexes
        if any(
            RIVER in ground.sides.between(here, there)
            and far(position, there, goals) < far(position, here, goals)
            for there in ground.around[here]
        )
    )


# ------------------------------------------------------------------- the morning, the evening


def _fly(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """Each aircraft on the first mission it can fly: close support with the headquarters nearest
    to the aims, else against the nearest enemies.
    """
    side = decision.side
    goals = aims(position, side)

    def near(hex: str) -> tuple[int, str]:
        return far(position, hex, goals), hex

    bases = sorted(air.support_targets(position, side), key=lambda hq: near(position.at(hq)))
    enemies = sorted((hex for hex, holder in position.holders.items() if holder == ENEMY[side]),
                     key=near)  # fmt: skip
    missions: dict[str, o.Flight] = {}
    for unit in air.aircraft(position, side):
        flights = [*(o.Flight(cas=hq) for hq in bases[:1]),
                   *(o.Flight(bomb=hex) for hex in enemies),
                   *(o.Flight(reco=hex) for hex in enemies[:1])]  # fmt: skip
        for flight in flights:
            if not any(stage.check(position, o.Fly({**missions, unit: flight}))):
                missions[unit] = flight
                break
    if missions:
        yield Idea(o.Fly(missions), 1, say("sends its aircraft out"))


def _build(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """The best works wherever they can be built."""
    able = engineers.buildable(position, decision.side)
    works = {hex: kinds[-1] for hex, kinds in able.items()}
    yield Idea(o.Build(works), 1, say("digs in"))


# ------------------------------------------------------------------- activations


def _activate(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """The formation that is nearest to the enemy, then the others; support troops only where they
    stand apart.
    """
    side, goals = decision.side, aims(position, decision.side)
    for division in activation.divisions(position, side):
        if division not in position.activated:
            units = activation.of_division(position, division)
            yield _activation(position, o.Activate(division=division), division, units, goals)
    for formation in activation.formations(position, side):
        units = activation.of_formation(position, formation)
        yield _activation(position, o.Activate(formation=formation), formation, units, goals)
    for unit in activation.single_units(position, side):
        printed = position.printed(unit)
        if artillery.can_fire(position, unit) or printed.type == PONTOON:
            why = say("activates {unit}", unit=called(position, unit))
            yield Idea(o.Activate(unit=unit), SINGLE, why)


def _activation(
    position: Position, order: o.Activate, name: str, units: tuple[str, ...], goals: tuple[str, ...]
) -> Idea:
    able = [unit for unit in units if position.printed(unit).is_combat and position.at(unit)]
    nearness = sum(1 / (1 + far(position, position.at(unit), goals)) for unit in able)
    why = say("activates {formation}", formation=formation_called(position, name))
    return Idea(order, 1 + nearness, why)


def _act(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """The best attack; where there is none, reinforcements, and the next move that gains ground."""
    attacks = list(_attacks(position, decision))
    yield from attacks
    if any(idea.worth > 0 for idea in attacks):
        best = max(attacks, key=lambda idea: idea.worth)
        assert isinstance(best.order, o.Attack)
        yield from _bombardments(position, decision.side, best.order.hex, best.worth)
        return
    for option in decision.options:
        if option.order is o.Arrive and option.examples is not None:
            for example in option.examples(lambda each: each[:1]):
                yield Idea(example.order, 1, say("brings reinforcements"))
    yield from _bridges(position, decision)
    yield from _moves(position, decision.side)
    yield from _bombardments(position, decision.side)


def _bridges(position: Position, decision: Decision) -> Iterator[Idea]:
    """Pontoons over a river towards the aims, and repairs."""
    goals = aims(position, decision.side)
    for option in decision.options:
        if option.order is not o.Engineer or option.examples is None:
            continue
        for example in option.examples(every):
            order, here = example.order, position.at(example.order.unit)
            if order.task == engineers.REPAIR:
                yield Idea(order, 1, say("repairs what is broken"))
            elif order.task == engineers.LAY and far(position, order.to, goals) < far(
                position, here, goals
            ):
                yield Idea(order, 2, say("lays a bridge to {hex}", hex=place(position, order.to)))


def _attacks(position: Position, decision: Decision) -> Iterator[Idea]:
    side = decision.side
    points = prizes(position, side)
    point = POINT if position.day >= len(position.plain["days"]) else EARLY
    for option in decision.options:
        if option.order is not o.Attack or option.examples is None:
            continue
        for example in option.examples(every):
            order = example.order
            mine, theirs, clears = outcomes(position, side, order)
            gain = EAGER * theirs - mine
            gain += clears * (GIVEN_UP + point * points.get(order.hex, 0))
            why = say("attacks {hex}: should lose {lost} troop points and take {taken}",
                      hex=place(position, order.hex), lost=f"{mine:.1f}",
                      taken=f"{theirs:.1f}")  # fmt: skip
            units = [unit for those in order.units.values() for unit in those]
            following = o.Following(combat.leaders(position, units)[:COMPANY])
            yield Idea(replace(order, advance=following), gain - LEAST, why)


def _bombardments(
    position: Position, side: Side, target: str = "", more: float = 0.0
) -> Iterator[Idea]:
    """What guns need not keep for an attack, which is worth `more`, goes on its target before it;
    whatever they have left at the end goes where it should hurt most.
    """
    points = (2 if target else 1) * artillery.shot(position)
    loaded = [
        gun
        for gun in position.board.batteries_of[side]
        if artillery.can_fire(position, gun) and factors.left_to_spend(position, gun) >= points
    ]
    for hex in [target] if target else position.holders:
        if position.holder(hex) != ENEMY[side] or not artillery.can_lose(position, hex):
            continue
        guns = tuple(gun for gun in loaded if artillery.in_range(position, gun, (hex,)))
        if not guns:
            continue
        order = o.Bombard(hex, guns)
        column = artillery.fire_column(position, side, order)
        lost = sum(int(position.board.losses_by_fire.at(column, die)) for die in FACES) / 10
        if lost:
            why = say("bombards {hex}: {lost} troop points on average", hex=place(position, hex),
                      lost=f"{lost:.1f}")  # fmt: skip
            yield Idea(order, AT_LAST * lost + more, why)


def outcomes(position: Position, side: Side, order: o.Attack) -> tuple[float, float, float]:
    """The troop points that both sides lose on average, and the chance that the hex is given up."""
    attackers = position.board.in_order(unit for units in order.units.values() for unit in units)
    defenders = fate.takes_part(position, position.stacks[order.hex])
    backing = order.support if isinstance(order.support, o.Backing) else o.Backing()
    fight = Combat(
        side, order.hex, order.type, attackers, order.units, defenders, order, backing.guns,
        backing.air, next(iter(combat.leaders(position, attackers)), ""),
    )  # fmt: skip
    board = position.board
    theirs = next(iter(combat.leaders(position, defenders)), "")
    differ = combat.effectiveness_of(position, fight.primary)
    differ -= combat.effectiveness_of(position, theirs)
    added = total(combat.modifiers(position, fight))
    attack, defence = (
        combat.attack_strength(position, fight), combat.defence_strength(position, fight),
    )  # fmt: skip
    column = board.combat.column(attack, max(1, round(defence * SUPPORTED))) if attack else 0
    column = board.combat.shifted(column, total(combat.shifts(position, fight)))
    least = position.troops_of(defenders)
    lost = taken = clears = 0.0
    for one, other in product(FACES, FACES):
        die = other + added + board.effectiveness_modifier(differ, one)
        result = board.results[combat.result_of(position, column, die)]
        lost += result.attacker
        taken += min(result.defender, least)
        clears += bool(result.retreat) or result.defender >= least
    return lost / 100, taken / 100, clears / 100


def _moves(position: Position, side: Side) -> Iterator[Idea]:
    """The first move that brings a unit nearer to where it should be."""
    cycle = position.cycle
    assert cycle is not None
    goals = aims(position, side)
    still = cycle.attacked | cycle.advanced | cycle.working | cycle.moved
    for unit in sorted(position.on_map(side), key=lambda each: -position.printed(each).attack):
        if unit in cycle.able and unit not in still:
            idea = _move(position, side, unit, goals)
            if idea is not None:
                yield idea
                return


def _move(position: Position, side: Side, unit: str, goals: tuple[str, ...]) -> Idea | None:
    here, printed = position.at(unit), position.printed(unit)
    if printed.type == PONTOON:
        goals = tuple(hex for hex in banks(position, goals)
                      if not zones.in_enemy_zone(position, hex, side)) or goals  # fmt: skip
        if here in goals:
            return None
    elif not printed.is_combat:
        goals = _company(position, side, unit)
        if not goals or far(position, here, goals) <= NEAR:
            return None
    elif _holds(position, side, unit):
        return None
    rate = _rate if printed.is_combat or printed.type == PONTOON else _rate_behind
    reach = movement.reachable(position, unit)
    steps = marches(position, goals, (here, *reach))
    now, best, path = rate(position, side, here, steps), 0.0, None
    for hex, way in reach.items():
        gain = rate(position, side, hex, steps) - now
        if gain > max(best, LEAST_MOVE) and not stacking.excess(position, hex, (unit,)):
            best, path = gain, way
    if path is None:
        return None
    return Idea(o.Move((unit,), path), best, say("moves to {hex}", hex=place(position, path[-1])))


def _holds(position: Position, side: Side, unit: str) -> bool:
    """Whether a unit stays where it is: beside an enemy whom it could attack, or as the last one of
    a hex of worth.
    """
    here = position.at(unit)
    beside = any(
        position.holder(near) == ENEMY[side] and combat.reaches(position, unit, near)
        for near in position.ground.around[here]
    )
    wanted = {*worth(position, side), *worth(position, ENEMY[side])}
    others = [each for each in position.stacks[here] if position.printed(each).is_combat]
    return beside or (here in wanted and len(others) < 2)


def _company(position: Position, side: Side, unit: str) -> tuple[str, ...]:
    """Where the units stand with which headquarters and guns keep up."""
    formation = position.commander(unit)
    return tuple(
        position.at(each)
        for each in position.on_map(side)
        if position.printed(each).is_combat
        and formation in (position.commander(each), position.parent(position.commander(each)))
    )


def _rate(position: Position, side: Side, hex: str, steps: Mapping[str, int]) -> float:
    """How good a hex is for a unit that fights: near to the goals, and not alone in a zone."""
    found = -float(steps.get(hex, BEYOND))
    if not steps.get(hex, BEYOND):
        found += 1.0
    if zones.in_enemy_zone(position, hex, side) and not position.units_at(hex, side):
        found -= 0.5
    return found


def _rate_behind(position: Position, side: Side, hex: str, steps: Mapping[str, int]) -> float:
    """How good a hex is for headquarters and guns: near to their units, not in front."""
    alone = zones.in_enemy_zone(position, hex, side) and not position.units_at(hex, side)
    return -float(max(steps.get(hex, BEYOND), 1)) - 10.0 * alone


ANSWERS: Mapping[str, Callable[[Any, Position, Decision], Iterator[Idea]]] = {
    "fly": _fly, "works": _build, "activation": _activate, "action": _act,
}  # fmt: skip


def veiled(state: State[Position], side: Side) -> State[Position]:
    """The game as it is: all counters lie open."""
    return state


def along(state: State[Position], order: Order) -> Iterator[Idea]:
    """Nothing: what comes of the dice is seen first."""
    return iter(())


def ideas(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """The ideas for each question; none if the default answer is good enough."""
    answer = ANSWERS.get(decision.stage)
    return answer(state.agenda[-1], state.position, decision) if answer else iter(())
