"""The practice player: the Nationalists march on the objectives and attack where the odds favour
them; the Republicans hold a line and garrison what counts.

Ground is worth its points, and less the farther it is from any; losses are steps, computed over the
faces of one die. A bombardment counts as if the enemy answered it with one headquarters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.kernel import violations
from pbem.engine.model import Decision, Order, Side, State
from pbem.engine.practice import Idea, examples
from pbem.games.ctv import orders as o
from pbem.games.ctv.position import ASIDE, Combat, Position
from pbem.games.ctv.rules import bombardment, combat, movement, stacking
from pbem.games.ctv.tables import AIR, ARMOUR, ENEMY, HEADQUARTERS, NATIONALIST, REPUBLICAN
from pbem.messages import decimal, say
from pbem.value import replace

STEP, GROUND, HOLD = 1.0, 1.6, 2.5
"""The weight of a step of a unit, of an empty hex won, and of an objective."""
NEARER, FRONT = 0.4, 0.9
"""The weight of a hex nearer to an objective, and of standing where the enemy wants to go."""
LEAST = 0.15
"""What a move or an attack has to be worth."""
FACES = range(1, 7)
ENOUGH = 4
"""The bombardment points that an attack is given."""
SURE = 0.4
"""The chance of a breakthrough from which on an attack needs no bombardment."""
EAGER = {NATIONALIST: 1.6, REPUBLICAN: 0.8}
"""How much more a step of the enemy counts than an own one, for the side that attacks."""


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
                points * 5 / (2 + self.position.board.distance(hex, aim))
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


def needed(ground: Ground, hex: str, attackers: combat.Attackers) -> combat.Attackers:
    """The attackers of a hex whom the last column of the table needs, if they reach it. Of the
    others, the weakest first, whoever has another enemy beside them is left for an attack on that.
    """
    position = ground.position
    defence = combat.defence_strength(position, hex)
    shift = combat.first_turn_shift(position, ground.side, hex)
    last, added = len(position.board.odds.columns) - 1, combat.modifiers(position, hex, attackers)

    def suffice(units: combat.Attackers) -> bool:
        attack = combat.attack_strength(position, units)
        return combat.column_of(position, attack, defence, shift)[0] == last

    if not suffice(attackers):
        return attackers
    others = sorted(
        (position.values(unit).attack, unit, near)
        for near, units in attackers.items()
        if any(other != hex for other in ground.targets(near))
        for unit in units
    )
    for _, unit, near in others:
        fewer = {**attackers, near: tuple(one for one in attackers[near] if one != unit)}
        fewer = {near: units for near, units in fewer.items() if units}
        if fewer and suffice(fewer) and combat.modifiers(position, hex, fewer) == added:
            attackers = fewer
    return attackers


def backing(position: Position, side: Side, hex: str, attackers: Sequence[str]) -> o.Backing:
    """What bombards in an attack: headquarters first, then air units and a column, up to ENOUGH
    points.
    """
    battle = Combat(hex, tuple(attackers))
    found: dict[str, list[str]] = {HEADQUARTERS: [], AIR: []}
    points = 0
    for type, most in ((HEADQUARTERS, 2), (AIR, 2)):
        for unit in bombardment.supporters(position, battle, side, type):
            if points < ENOUGH and len(found[type]) < most:
                found[type].append(unit)
                points += position.printed(unit).fire
    near = bombardment.usable_columns(position, side, found[HEADQUARTERS])
    use: Mapping[str, int] | str = o.NONE
    if near and points < ENOUGH:
        use = {min(near): 1}
    return o.Backing(tuple(found[AIR]), tuple(found[HEADQUARTERS]), use)


def chance_to_disorganise(position: Position, hex: str, back: o.Backing) -> float:
    """The chance that a bombardment, which the enemy answers with a headquarters, halves those who
    defend a hex.
    """
    if any(position.is_halved(unit) for unit in position.units_at(hex)):
        return 0.0
    columns = sum(back.columns.values()) if isinstance(back.columns, Mapping) else 0
    more = bombardment.points_of(position, (*back.air, *back.hq)) + columns - 1
    if more < 1:
        return 0.0
    trench = combat.trench_modifier(position, hex, position.board.charts["bombardment"])
    return sum(bombardment.levels_for(position, more, die + trench) > 0 for die in FACES) / 6


def _fight(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """Each attack with its support and what follows it."""
    side, ground = decision.side, Ground(position, decision.side)
    for example in examples(decision):
        order = example.order
        if not isinstance(order, o.Attack):
            continue
        units = needed(ground, order.hex, order.units)
        named = [unit for those in units.values() for unit in those]
        back = backing(position, side, order.hex, named)
        sure = outcomes(position, order.hex, units)
        chance = chance_to_disorganise(position, order.hex, back)
        if chance and sure[2] < SURE:
            weak = position.but(
                levels={**position.levels, **dict.fromkeys(position.units_at(order.hex), 1)}
            )
            other = outcomes(weak, order.hex, units)
            mine, theirs, wins = (
                chance * b + (1 - chance) * a for a, b in zip(sure, other, strict=True)
            )
        else:
            (mine, theirs, wins), back = sure, o.Backing()
        steps = max(1, sum(map(position.steps_left, position.units_at(order.hex))))
        eager = EAGER[side]
        gain = eager * STEP * theirs - STEP * mine
        gain += GROUND * ground.worth(order.hex) * (wins + 0.4 * theirs / steps) / 3
        why = say(
            "attacks {hex}: should lose {lost} steps and take {taken}",
            hex=order.hex, lost=decimal(mine), taken=decimal(theirs),
        )  # fmt: skip
        whole = replace(
            order, units=units, support=back if back.air or back.hq else o.NONE,
            advance=o.Following(going_in(position, order.hex, named), order.hex),
            breakthrough=through(ground, order.hex, named),
        )  # fmt: skip
        yield Idea(whole, gain - LEAST, why)


def _support(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """Some headquarters and air units against an attack."""
    battle = position.combat
    side = decision.side
    guns = bombardment.supporters(position, battle, side, HEADQUARTERS)
    air = bombardment.supporters(position, battle, side, AIR)
    planes = air[: 2 if side == NATIONALIST else 1]
    yield Idea(o.Support(planes, guns[:2]), 1, say("bombards"))


def _columns(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """All columns beside its guns."""
    yield Idea(o.UseColumns(dict.fromkeys(stage.usable(position), 1)), 1, say("uses its columns"))


def _trade(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """Goes where morale would drive a stack anyway; holds an objective."""
    battle = position.combat
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
    """As many as the hex holds without being overstacked."""
    hex = position.combat.hex
    units = going_in(position, hex, stage.left(position))
    yield Idea(stage.as_many(position, units), 1, say("advances"))


def _break_through(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """Each unit as near to the aims as it gets."""
    ways = through(Ground(position, decision.side), position.combat.hex, stage.left(position))
    yield Idea(stage.as_far(position, ways.items()), 1, say("breaks through"))


def going_in(position: Position, hex: str, units: Sequence[str]) -> tuple[str, ...]:
    """Those of some attackers that go into a hex, the strongest first: as many as it holds."""
    limit, found, armoured = position.terrain(hex).stacking, list[str](), False
    used = 0
    for unit in sorted(units, key=lambda one: -position.values(one).defence):
        printed = position.printed(unit)
        if used + printed.points > limit or (printed.type == ARMOUR and armoured):
            continue
        used, armoured = used + printed.points, armoured or printed.type == ARMOUR
        found.append(unit)
    return tuple(found)


def through(ground: Ground, hex: str, units: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """The ways of some attackers that break through a hex: each to the best hex within reach."""
    position, side = ground.position, ground.side
    board, most = position.board, position.board.combat["breakthrough"]
    ways: dict[str, tuple[str, ...]] = {hex: (hex,)}
    for _ in range(most - 1):
        for here, way in list(ways.items()):
            for near in board.graph.neighbours(here):
                if near not in ways and position.holder(near) is None:
                    ways[near] = (*way, near)
    load: dict[str, int] = {}
    found: dict[str, tuple[str, ...]] = {}
    for unit in sorted(units, key=lambda one: -position.values(one).defence):
        points = position.printed(unit).points

        def rate(to: str, points: int = points) -> float:
            free = position.control[to] != side
            value = ground.worth(to) + HOLD * board.objectives.get(to, 0) * free
            return value - 3.0 * (load.get(to, 0) + points > board.terrain_of(to).stacking)

        to = max(ways, key=rate)
        load[to] = load.get(to, 0) + points
        found[unit] = ways[to]
    return found


ANSWERS: Mapping[str, Callable[[Any, Position, Decision], Iterator[Idea]]] = {
    "movement": _march, "combat": _fight, "support": _support, "trade": _trade,
    "retreat": _retreat, "advance": _advance, "breakthrough": _break_through, "columns": _columns,
}  # fmt: skip


def veiled(state: State[Position], side: Side) -> State[Position]:
    """The game without the covered counters of the other side."""
    return State(state.position.known_to(side), state.agenda, state.seq)


def standing(side: Side) -> Mapping[str, Any]:
    """Nothing: each question is judged when it is asked."""
    return {}


def along(state: State[Position], order: Order) -> Iterator[Idea]:
    """Behind an attack the best of those that other units can make with what has not bombarded, and
    then no more of them.
    """
    if not isinstance(order, o.Attack):
        return
    stage, position, attacked = state.agenda[-1], state.position, {order.hex}
    while True:
        position = _as_if_over(position, order)
        asked = stage.ask(position)  # type: ignore[attr-defined]
        found = _fight(stage, position, asked) if asked else ()
        others = [idea for idea in found if idea.order.hex not in attacked and idea.worth > 0]  # type: ignore[attr-defined]
        best = max(others, key=lambda idea: idea.worth, default=None)
        if best is None or violations(State(position, state.agenda, state.seq), best.order):
            break
        yield best
        order = best.order
        assert isinstance(order, o.Attack)
        attacked.add(order.hex)
    yield Idea(o.Done(), 0.0)


def _as_if_over(position: Position, order: o.Attack) -> Position:
    """The position with an attack made, but for what the dice will bring."""
    units = {unit for those in order.units.values() for unit in those}
    if isinstance(order.support, str):
        return position.but(fought=position.fought | units)
    back = order.support
    hexes = back.columns if isinstance(back.columns, Mapping) else ()
    spent = [column for hex in hexes for column in position.columns_at(hex)]
    return position.with_units(spent, ASIDE).but(
        fought=position.fought | units, used=position.used | {*back.air, *back.hq}
    )


def ideas(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """The ideas for each question; none if the default answer is good enough."""
    answer = ANSWERS.get(decision.stage)
    return answer(state.agenda[-1], state.position, decision) if answer else iter(())
