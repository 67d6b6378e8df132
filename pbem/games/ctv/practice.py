"""The practice player: the Nationalists march on the objectives and attack where the odds favour
them; the Republicans hold a line and garrison what counts.

Ground is worth its points, and less the farther it is from any; losses are steps, computed over the
faces of one die. What the enemy may add by bombardment is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.model import Decision, Order, Side, State
from pbem.engine.practice import Idea, examples
from pbem.games.ctv import orders as o
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import bombardment, combat, movement, stacking
from pbem.games.ctv.tables import AIR, ENEMY, HEADQUARTERS, NATIONALIST, REPUBLICAN
from pbem.messages import say

STEP, GROUND, HOLD = 1.0, 1.6, 2.5
"""The weight of a step of a unit, of an empty hex won, and of an objective."""
NEARER, FRONT = 0.4, 0.9
"""The weight of a hex nearer to an objective, and of standing where the enemy wants to go."""
LEAST = 0.15
"""What a move or an attack has to be worth."""
FACES = range(1, 7)


# ------------------------------------------------------------------- what ground is worth


def aims(position: Position, side: Side) -> tuple[str, ...]:
    """The objectives that a side wants: the Nationalists those they do not hold; the Republicans
    all of theirs, and the ones that were lost.
    """
    held = position.control
    if side == NATIONALIST:
        found = [hex for hex in position.board.objectives if held[hex] != NATIONALIST]
    else:
        found = [hex for hex in position.board.objectives if held[hex] == REPUBLICAN]
    return tuple(found or position.board.objectives)


class Ground:
    """What a side thinks of each hex in a position, computed once for a question."""

    def __init__(self, position: Position, side: Side) -> None:
        self.position, self.side, self.enemy = position, side, ENEMY[side]
        self._aims = {hex: position.board.objectives[hex] for hex in aims(position, side)}
        self._worth: dict[str, float] = {}
        self._against: dict[str, tuple[int, int, frozenset[str]]] = {}

    def worth(self, hex: str) -> float:
        """The worth of a hex: near to the aims, the more the more points they have."""
        if hex not in self._worth:
            self._worth[hex] = max(
                points**0.5 * 6 / (1 + self.position.board.distance(hex, aim))
                for aim, points in self._aims.items()
            )
        return self._worth[hex]

    def share(self, unit: str, target: str) -> float:
        """How much of what an attack on a hex needs stands next to it, with a unit."""
        if target not in self._against:
            beside = combat.able_against(self.position, self.side, target)
            units = frozenset(unit for units in beside.values() for unit in units)
            attack = sum(self.position.values(each).attack for each in units)
            needed = 3 * combat.defence_strength(self.position, target)
            self._against[target] = attack, needed, units
        attack, needed, units = self._against[target]
        if unit not in units:
            attack += self.position.values(unit).attack
        return 0.3 + min(1.0, attack / needed)

    def targets(self, hex: str) -> Iterator[str]:
        """The enemy hexes next to one."""
        for near in self.position.board.graph.neighbours(hex):
            if self.position.holder(near) == self.enemy:
                yield near


# ------------------------------------------------------------------- moves


def _march(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """The move of the first unit that gains by one, and the column of the turn."""
    side = decision.side
    for option in decision.options:
        if option.order is o.Column:
            at = _best_column(position, side, option.fields["at"].values)  # type: ignore[union-attr]
            yield Idea(o.Column(at), 100, say("brings up a supply column"))
            return
    ground = Ground(position, side)
    for unit in position.on_map(side):
        if unit in position.moved:
            continue
        idea = _best_move(ground, unit)
        if idea is not None:
            yield idea
            return


def _best_column(position: Position, side: Side, hexes: Sequence[str]) -> str:
    return max(hexes, key=Ground(position, side).worth)


def _best_move(ground: Ground, unit: str) -> Idea | None:
    position = ground.position
    here = position.at(unit)
    if position.is_in_enemy_zone(here, ground.side) and _stays(ground, unit):
        return None
    rate = _rate_guns if position.printed(unit).type == HEADQUARTERS else _rate
    now = rate(ground, unit, here)
    best, path = now + LEAST, None
    far = movement.allowance(position, unit)
    if not any(
        rate(ground, unit, hex) > best
        for hex in position.board.within(here, far)
        if position.holder(hex) != ground.enemy
    ):
        return None
    for hex, way in movement.reachable(position, unit).items():
        found = rate(ground, unit, hex)
        if found > best:
            best, path = found, way
    if path is None:
        return None
    return Idea(o.Move((unit,), path), best - now, say("moves to {hex}", hex=path[-1]))


def _stays(ground: Ground, unit: str) -> bool:
    """Whether a unit next to the enemy stays where it is: the last one of a Republican hex, or a
    Nationalist one beside a hex against which enough stand.
    """
    here = ground.position.at(unit)
    if ground.side == REPUBLICAN:
        return len(ground.position.units_at(here, REPUBLICAN)) < 2
    return any(ground.share(unit, each) > 0.95 for each in ground.targets(here))


def _rate(ground: Ground, unit: str, hex: str) -> float:
    """How good a hex is for a fighting unit."""
    position, side, worth = ground.position, ground.side, ground.worth
    board = position.board
    there = [one for one in position.units_at(hex, side) if one != unit]
    points = stacking.points(position, [*there, unit])
    found = NEARER * worth(hex)
    if points > board.terrain_of(hex).stacking:
        found -= 3.0
    if side == NATIONALIST:
        if position.control[hex] == REPUBLICAN:
            found += HOLD * board.objectives.get(hex, 0) + 0.3
        threats = (worth(near) * ground.share(unit, near) for near in ground.targets(hex))
        return found + FRONT * max(threats, default=0.0)
    if hex in board.objectives:
        found += HOLD * board.objectives[hex] * (not there)
    if position.is_in_enemy_zone(hex, side) or any(ground.targets(hex)):
        found += FRONT * worth(hex) * (1.5 if len(there) == 1 else 1.0 if not there else 0.3)
    return found + 0.15 * board.terrain_of(hex).defence * (len(there) < 2)


def _rate_guns(ground: Ground, unit: str, hex: str) -> float:
    """How good a hex is for a headquarters: beside its troops, near the enemy, not in front."""
    position, side = ground.position, ground.side
    there = [
        one
        for one in position.units_at(hex, side)
        if one != unit and position.printed(one).type != HEADQUARTERS
    ]
    if not there and position.is_in_enemy_zone(hex, side):
        return -5.0
    reach = position.board.charts["bombardment"]["range"]
    near = any(position.holder(each) == ground.enemy for each in position.board.within(hex, reach))
    return NEARER * ground.worth(hex) + 0.5 * bool(there) + 0.8 * near


# ------------------------------------------------------------------- attacks


def outcomes(
    position: Position, hex: str, attackers: combat.Attackers
) -> tuple[float, float, float]:
    """The steps that attacker and defender lose on average, and the chance of a breakthrough."""
    side = position.side_of(next(unit for units in attackers.values() for unit in units))
    attack = combat.attack_strength(position, attackers)
    defence = combat.defence_strength(position, hex)
    shift = combat.first_turn_shift(position, side, hex)
    column, below = combat.column_of(position, attack, defence, shift)
    added = sum(combat.modifiers(position, hex, attackers).values()) + below
    mine = theirs = through = 0.0
    steps = sum(map(position.steps_left, position.units_at(hex)))
    for die in FACES:
        result = combat.result_of(position, column, die + added)
        if result == "B":
            theirs, through = theirs + steps, through + 1
        else:
            lost, gained = map(int, result.split("/"))
            mine, theirs = mine + lost, theirs + min(gained, steps)
    return mine / 6, theirs / 6, through / 6


def _fight(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    side, worth = decision.side, Ground(position, decision.side).worth
    for example in examples(decision):
        order = example.order
        if not isinstance(order, o.Attack):
            continue
        mine, theirs, through = outcomes(position, order.hex, order.units)
        eager = 1.6 if side == NATIONALIST else 0.8
        steps = max(1, sum(map(position.steps_left, position.units_at(order.hex))))
        gain = eager * STEP * theirs - STEP * mine
        gain += GROUND * worth(order.hex) * (through + 0.4 * theirs / steps) / 3
        why = say(
            "attacks {hex}: should lose {lost} steps and take {taken}",
            hex=order.hex, lost=f"{mine:.1f}", taken=f"{theirs:.1f}",
        )  # fmt: skip
        yield Idea(order, gain - LEAST, why)


def _support(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """Every headquarters that can fire, and a share of the air units."""
    battle = position.battle
    assert battle is not None
    side = decision.side
    guns = bombardment.supporters(position, battle, side, HEADQUARTERS)
    air = bombardment.supporters(position, battle, side, AIR)
    chosen = guns[:2]
    planes = air[: 2 if side == NATIONALIST else 1]
    yield Idea(o.Support(planes, chosen, o.NONE), 1, say("bombards"))


def _trade(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """Goes where morale would drive a stack anyway; holds an objective."""
    battle = position.battle
    assert battle is not None
    hex, worth = battle.hex, Ground(position, decision.side).worth
    if hex in position.board.objectives or combat.loses_by_retreat(
        position, position.units_at(hex)
    ):
        return
    ways = combat.trade_ways(position, hex)
    steps = sum(map(position.steps_left, position.units_at(hex)))
    for way in ways:
        room = position.terrain(way).stacking - stacking.points(position, position.units_at(way))
        gain = 0.6 + NEARER * (worth(way) - worth(hex)) - 2.0 * (room < 0) + (steps < 3)
        yield Idea(o.Trade(way), gain, say("falls back to {hex}", hex=way))


def _retreat(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    worth = Ground(position, decision.side).worth
    for way in combat.retreats(position, stage.hex):
        room = position.terrain(way).stacking - stacking.points(position, position.units_at(way))
        yield Idea(o.Retreat(way), 5 + NEARER * worth(way) - 2.0 * (room < 0))


def _advance(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """As many as the hex holds."""
    for example in examples(decision):
        order = example.order
        units = order.units if isinstance(order, o.Advance) else tuple(order.paths)
        if not units:
            continue
        worth = Ground(position, decision.side).worth
        ends = [order.to] if isinstance(order, o.Advance) else [p[-1] for p in order.paths.values()]
        points = stacking.points(position, units)
        over = points > position.terrain(ends[0] or "1211").stacking if ends[0] else False
        gain = 0.3 * len(units) + sum(worth(end) for end in ends if end) - 2.0 * over
        yield Idea(order, gain, say("advances"))


ANSWERS: Mapping[str, Callable[[Any, Position, Decision], Iterator[Idea]]] = {
    "movement": _march, "combat": _fight, "support": _support, "trade": _trade,
    "retreat": _retreat, "advance": _advance, "breakthrough": _advance,
}  # fmt: skip


def veiled(state: State[Position], side: Side) -> State[Position]:
    """The game as it is: all counters lie open."""
    return state


def along(state: State[Position], order: Order) -> Iterator[Idea]:
    """Nothing: each attack is looked at when the one before is over."""
    return iter(())


def ideas(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """The ideas for each question; none if the default answer is good enough."""
    answer = ANSWERS.get(decision.stage)
    return answer(state.agenda[-1], state.position, decision) if answer else iter(())
