"""The practice player: attacks Madrid, or defends it, as far as the odds allow.

The value of an area depends on its distance from Madrid, on the city and on the supply roads.
Losses are loss points, computed over all results of two dice. The enemy's chits are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import Any

from pbem.board.ledger import total
from pbem.engine.choices import every
from pbem.engine.model import Decision, Order, Side, State
from pbem.engine.odds import percent
from pbem.engine.practice import Idea, examples
from pbem.games.madrid import orders as o
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits, combat
from pbem.games.madrid.rules.bombardment import (
    attacker_names_point,
    bombardment_losses,
    gun_modifier,
    gun_targets,
)
from pbem.games.madrid.rules.combat import Fight
from pbem.games.madrid.rules.morale import test_modifiers, tested_in_combat
from pbem.games.madrid.rules.movement import draws_fire, reachable
from pbem.games.madrid.rules.retreat import is_barred
from pbem.games.madrid.rules.supply import cut_roads
from pbem.games.madrid.rules.units import ready_stacks, strength_of
from pbem.games.madrid.tables import ENEMY, MADRID, NATIONALIST, REPUBLICAN, SHOCK, Tables
from pbem.messages import Said, decimal, say
from pbem.value import replace

FREE = 5
"""The number of units that act together without a support point."""
LOSS, AREA, STEP, GUARD = 1.0, 0.8, 0.25, 0.04
"""The weight of a loss point, of the worth of an area, and of a link nearer to Madrid for a unit.

The last weight is that of an area's worth for each step by which its guard falls short of the
adjacent enemy. It is low: units that move there are spent, and a fresh unit may win back later what
fell.
"""
POINT = 0.6
"""The worth of a support point."""
FIRE = 1.5
"""The cost of defensive fire at units that cross a river."""
RISK, TROUBLE = 0.06, 0.1
"""The risk to an area just taken, relative to its worth, for each surplus step of the enemy that
can still act; and the least gain of a move, because it spends the units.
"""
ROAD = 4.0
"""The worth of an open supply road, divided among the areas that cut it.

It rises with the number of roads cut, because the fourth loses the battle.
"""
STACKS = 7
"""The number of stacks examined in an impulse, nearest to the front first.

Units that acted are spent, so others get their turn.
"""
MANY = 1000
"""A chance is given in parts of this."""
FEARED = 12
"""A stronger enemy next to an area counts only this much."""


# ------------------------------------------------------------------- what a side may know


def veiled(state: State[Position], side: Side) -> State[Position]:
    """The game with the enemy's hand and cup out of order: only their numbers are known."""
    position, enemy = state.position, ENEMY[side]
    hand, cup = position.hands[enemy], position.cups[enemy]
    pool = sorted((*hand, *cup), key=lambda chit: ("/" in chit, chit))
    there, rest = tuple(pool[: len(hand)]), tuple(pool[len(hand) :])
    if (there, rest) == (hand, cup):
        return state
    seen = position.but(hands={**position.hands, enemy: there}, cups={**position.cups, enemy: rest})
    return State(seen, state.agenda, state.seq)


# ------------------------------------------------------------------- what ground is worth


@lru_cache(maxsize=8)
def _far(board: Tables) -> Mapping[str, int]:
    return board.graph.distances((MADRID,))


def worth_of(position: Position) -> Callable[[str], float]:
    """The worth of each area for either side; a box is worth nothing."""
    board, cut = position.board, cut_roads(position)
    far = _far(board)
    roads = dict[str, float]()
    for road in board.roads:
        areas = () if road in cut else board.is_cut_by(road)
        for area in areas:
            roads[area] = roads.get(area, 0.0) + ROAD * (1 + len(cut)) / len(areas)

    @cache
    def worth(place: str) -> float:
        if place not in board.areas:
            return 0.0
        found = max(1.0, 6.0 - far[place]) + 3.0 * position.is_urban(place)
        return found + roads.get(place, 0.0) + 10.0 * (place == MADRID)

    return worth


# ------------------------------------------------------------------- what the dice may bring


@cache
def _sums(dice: int) -> tuple[tuple[int, float], ...]:
    """Each sum of the two dice that count, of two or three, with its chance."""
    falls = combat.falls(dice)
    return tuple((rolled, len(them) / 6**dice) for rolled, them in falls.items())


def _stays(position: Position, fight: Fight) -> dict[str, float]:
    """The defenders, and how likely each is still there after the morale tests."""
    found = dict.fromkeys(fight.defenders(position), 1.0)
    tested = tested_in_combat(position, fight.side, fight.area, is_stampede=fight.stampede)
    if tested:
        stands = position.board.charts["morale_test"]["stands"]
        good = stands - total(test_modifiers(position, fight.area))
        found |= dict.fromkeys(tested, min(6, max(0, good)) / 6)
    return found


def _judged(
    position: Position, order: o.Attack | o.Assault, side: Side, worth: float, *, fired: bool
) -> Idea:
    """The value of an attack: the ground it is likely to win, losses of both sides, its cost.

    `position` has the attackers where the combat is; `fired`: they come under fire.
    """
    is_assault = isinstance(order, o.Assault)
    area = combat.area_of(position, order)
    kinds = chits.kinds_of(position, order.chits)
    fight = Fight(
        side, area, order.units, order.point, order.prepared, is_assault,
        tanks="CR3" in kinds, surprise="CN3" in kinds, engineers="CN4" in kinds,
        stampede="CN8" in kinds,
    )  # fmt: skip
    stays = _stays(position, fight)
    leaders = combat.may_lead(position, fight, ())
    point = max(leaders, key=lambda unit: position.face(unit).defence)
    fight = fight.but(enemy_point=point)
    attack, defence = combat.attack_value(position, fight), combat.defence_of(position, fight)
    level = combat.intensity(position, fight) + (0 if fight.surprise else 1)
    need = sum(left * (2 if position.is_fresh(unit) else 1) for unit, left in stays.items())
    ours = theirs = clears = 0.0
    for rolled, chance in _sums(3 if order.prepared else 2):
        own, other = combat.outcome(position, rolled, attack, defence, level)
        other = min(other, 3 * len(stays))
        ours, theirs = ours + chance * own, theirs + chance * other
        clears += chance * min(1.0, other / need if need > other else 1.0) ** 2
    nobody = 1.0
    for left in stays.values():
        nobody *= 1 - left
    clears = nobody + (1 - nobody) * clears
    driven = sum(1.5 * (1 - left) for left in stays.values())
    gain = AREA * worth * clears + LOSS * (theirs + driven) - 1.1 * LOSS * ours
    gain -= POINT * (order.prepared + (len(order.units) > FREE)) + 0.5 * len(order.chits)
    gain -= FIRE * fired
    why = say(
        "assaults {area}, {attack} against {defence}: should lose {lost} loss points and cost the "
        "enemy {cost}; clears the area {chance}"
        if isinstance(order, o.Assault)
        else "attacks {area}, {attack} against {defence}: should lose {lost} loss points and cost "
        "the enemy {cost}; clears the area {chance}",
        area=position.called(area), attack=attack, defence=defence,
        lost=decimal(ours), cost=decimal(theirs + driven),
        chance=percent(round(MANY * clears), MANY),
    )  # fmt: skip
    return Idea(order, gain, why)


# ------------------------------------------------------------------- an impulse


class Pondering:
    """The impulses one side considers in one position."""

    def __init__(self, position: Position, side: Side) -> None:
        self.position, self.side = position, side
        self.worth = worth_of(position)
        self.stacks = ready_stacks(position, side)
        self.threat = cache(partial(self._near, self._strengths(fresh=False)))
        self.danger = cache(partial(self._near, self._strengths(fresh=True)))
        self.front = self._front()

    def impulses(self, decision: Decision) -> Iterator[Idea]:
        """Attacks and assaults, bombardments, moves and chits."""
        near = sorted(self.stacks, key=lambda place: self.front[place])
        for place in near[:STACKS]:
            units = self.stacks[place]
            yield from self._fights(place, units)
            yield from self._shells(place, [u for u in units if self.position.is_gun(u)])
            yield from self._moves(place, units)
        for option in decision.options:
            if option.order is o.Play and option.examples:
                for example in option.examples(every):
                    yield self._chit(example.order)

    # ---- combat

    def _fights(self, place: str, units: Sequence[str]) -> Iterator[Idea]:
        position, side = self.position, self.side
        able = sorted(
            (unit for unit in units if strength_of(position, unit) >= 1),
            key=lambda unit: -strength_of(position, unit),
        )
        if position.has_enemies(place, side) and able:
            for group in self._sizes(able):
                attack = o.Attack(group, self._leader(group))
                yield from self._with_all(attack, self.worth(place))
        shock = [unit for unit in able if position.type_of(unit) == SHOCK]
        if not shock:
            return
        for group in self._sizes(shock):
            bared = self._bared(place, group)
            for path in reachable(self.position, self.side, group):
                if position.has_enemies(path[-1], side):
                    order = o.Assault(group, path, self._leader(group))
                    for idea in self._with_all(order, self.worth(path[-1])):
                        yield Idea(idea.order, idea.worth - bared, idea.why)

    def _sizes(self, units: Sequence[str]) -> list[tuple[str, ...]]:
        """The strongest units that act without a support point, and all of them for one."""
        found = [tuple(units[:FREE])]
        if len(units) > FREE and self.position.support[self.side] >= 2:
            found.append(tuple(units))
        return found

    def _leader(self, units: Sequence[str]) -> str:
        return max(units, key=lambda unit: (self.position.face(unit).defence, unit))

    def _with_all(self, order: o.Attack | o.Assault, worth: float) -> Iterator[Idea]:
        """The fight as it is, well prepared, and with each chit that may be played with it."""
        position, side, fired = self.position, self.side, False
        if isinstance(order, o.Assault):
            fired = self._is_fired_at(order.path, is_assault=True)
            position = position.with_units(order.units, order.path[-1])
        ways = [order]
        if position.support[side] >= 2:
            ways.append(replace(order, prepared=True))
        for chit in chits.playable(position, side, chits.OF_COMBAT - {"CR6"}):
            ways.append(replace(order, chits=(chit,)))
        for way in ways:
            yield _judged(position, way, side, worth, fired=fired)

    def _is_fired_at(self, path: Sequence[str], *, is_assault: bool) -> bool:
        """Whether the enemy may fire at units on a path."""
        fires = partial(draws_fire, self.position, self.side, is_assault=is_assault)
        return any(fires(here, there) for here, there in pairwise(path))

    def _shells(self, place: str, guns: Sequence[str]) -> Iterator[Idea]:
        position, side = self.position, self.side
        if not guns:
            return
        few = tuple(guns[:2])
        for target in gun_targets(position, side, place):
            loss, point = self._shelled(target, gun_modifier(position, len(few)),
                                        attacker_names_point(position, target),
                                        3 if target == place else 2)  # fmt: skip
            named = point if attacker_names_point(position, target) else ""
            why = say(
                "bombards {area}: should cost {cost} loss points",
                area=position.called(target), cost=decimal(loss),
            )  # fmt: skip
            yield Idea(o.Bombard(few, target, named), loss + 0.02 * self.worth(target), why)

    def _shelled(self, target: str, modifier: int, names: bool, dice: int) -> tuple[float, str]:
        """The loss points of a bombardment, and the point unit that the player who names it
        chooses.
        """
        position = self.position
        there = position.units_at(target, ENEMY[self.side])
        best = (min if names else max)(there, key=lambda unit: position.face(unit).defence)
        defence = combat.defence_value(position, target, best)
        loss = sum(chance * min(bombardment_losses(rolled, modifier, defence), 3 * len(there))
                   for rolled, chance in _sums(dice))  # fmt: skip
        return loss, best

    def _chit(self, order: o.Play) -> Idea:
        """A chit as a whole impulse."""
        position, side = self.position, self.side
        kind = position.kind_of(order.chit)
        title = say(position.board.kinds[kind].title)
        if kind in chits.BOMBING:
            names = chits.BOMBING[kind] == side
            modifier = position.board.charts["bombardment"]["chit"]
            loss, point = self._shelled(order.target, modifier, names, 2)
            why = say(
                "plays {chit} on {area}: should cost {cost} loss points",
                chit=title, area=position.called(order.target), cost=decimal(loss),
            )  # fmt: skip
            order = o.Play(order.chit, order.target, point if names else "")
            return Idea(order, 0.8 * loss - 1 + 0.02 * self.worth(order.target), why)
        if order.use == "fresh":
            worth = (
                0.6 * min(3.5, sum(position.side_of(unit) == side for unit in position.spent)) - 1
            )
        elif kind == "CN5":
            fresh = [u for u in position.units_at(order.target, REPUBLICAN) if position.is_fresh(u)]
            worth = 0.25 * min(3.5, len(fresh)) * (1 + 0.1 * self.worth(order.target))
        else:
            worth = 0.7
        return Idea(order, worth, say("plays {chit}", chit=title))

    # ---- movement

    def _strengths(self, *, fresh: bool) -> Mapping[str, int]:
        """The enemy's strength in each place without guns: of all units, or of those that can still
        act.
        """
        position, found = self.position, dict[str, int]()
        for unit, printed in position.board.units.items():
            counts = printed.side != self.side and position.is_on_map(unit)
            if counts and not position.is_gun(unit) and not (fresh and unit in position.spent):
                place = position.places[unit]
                found[place] = found.get(place, 0) + max(1, position.face(unit).attack)
        return found

    def _near(self, strengths: Mapping[str, int], place: str) -> int:
        """The strength in a place, and next to it if it can come over."""
        position, enemy = self.position, ENEMY[self.side]
        return strengths.get(place, 0) + sum(
            strengths[there]
            for there in position.board.graph.neighbours(place)
            if there in strengths and not is_barred(position, enemy, there, place)
        )

    def _front(self) -> Mapping[str, int]:
        """The distance of each place from the side's goal."""
        position = self.position
        if self.side == NATIONALIST:
            return _far(position.board)
        wanted = [a for a in position.board.areas if self.threat(a) and self.worth(a) >= 4]
        return position.board.graph.distances(wanted or (MADRID,))

    def _short(self, place: str, units: int) -> float:
        """How much the guard of a place with so many units falls short, weighted by the place's
        worth.
        """
        if is_foreign(self.position, place, self.side):
            return 0.0
        feared = min(FEARED, self.threat(place))
        return GUARD * self.worth(place) * max(0, feared - 2 * units)

    def _bared(self, place: str, units: Sequence[str]) -> float:
        """The loss in value when units leave a place."""
        there = len(self.position.units_at(place, self.side))
        bare = self._short(place, there - len(units)) - self._short(place, there)
        empty = len(units) == there and self.threat(place) > 0
        return bare + (0.3 * self.worth(place) if empty else 0)

    def _moves(self, place: str, units: Sequence[str]) -> Iterator[Idea]:
        position, side = self.position, self.side
        men = [unit for unit in units if not position.is_gun(unit)]
        guns = [unit for unit in units if position.is_gun(unit)]
        fast = sorted(men, key=lambda unit: -position.face(unit).movement)
        groups = [tuple(fast[:FREE]), tuple(fast[:1]), tuple(guns[:2])]
        for group in dict.fromkeys(filter(None, groups)):
            bared = self._bared(place, group)
            for path in reachable(self.position, self.side, group):
                if not position.has_enemies(path[-1], side) or position.units_at(path[-1], side):
                    yield from self._move(group, path, bared)

    def _move(self, group: tuple[str, ...], path: tuple[str, ...], bared: float) -> Iterator[Idea]:
        """A move, if it is worth anything."""
        position, side = self.position, self.side
        start, goal = path[0], path[-1]
        taken = [
            each for each in path[1:]
            if is_foreign(position, each, side) and not position.has_enemies(each, side)
        ]  # fmt: skip
        ground = AREA * sum(map(self.worth, taken))
        there = len(position.units_at(goal, side))
        guarded = self._short(goal, there) - self._short(goal, there + len(group))
        nearer = STEP * len(group) * (self.front[start] - self.front[goal])
        worth = ground + guarded + nearer - bared - TROUBLE
        for each in taken:  # units that only pass through guard nothing
            left = min(FEARED, self.danger(each)) - (2 * len(group) if each == goal else 0)
            worth -= RISK * self.worth(each) * max(0, left)
        if worth <= 0:
            return
        worth -= FIRE * self._is_fired_at(path, is_assault=False)
        if taken:
            why = say("enters {spaces} without a fight", spaces=tuple(map(position.called, taken)))
        elif guarded > nearer:
            why = say("guards {space}", space=position.called(goal))
        else:
            why = say("advances to {space}", space=position.called(goal))
        yield Idea(o.Move(group, path, self._leader(group)), worth, why)


def is_foreign(position: Position, place: str, side: Side) -> bool:
    """Whether the enemy controls an area."""
    return place in position.control and position.control[place] != side


def _impulse(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    return Pondering(position, decision.side).impulses(decision)


# ------------------------------------------------------------------- answers


def _defend(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """Weighs the enemy's losses by a counter-attack against the units it spends."""
    fight: Fight = stage.fight
    may = sorted(combat.may_counterattack(position, fight), key=lambda u: -strength_of(position, u))
    attack, worth = combat.attack_value(position, fight), worth_of(position)(fight.area)
    held = chits.playable(position, decision.side, chits.OF_DEFENCE)
    base: float | None = None
    for count in range(len(may) + 1):
        counter = tuple(may[:count])
        point = max(combat.may_lead(position, fight, counter),
                    key=lambda unit: position.face(unit).defence)  # fmt: skip
        for chit in ((), *((each,) for each in held)):
            kinds = chits.kinds_of(position, chit)
            told = fight.but(
                counterattack=counter, enemy_point=point, enemy_tanks="CR3" in kinds,
                alfereces="CN12" in kinds, fortified="terrain" if "CR4" in kinds else "",
            )  # fmt: skip
            defence, level = combat.defence_of(position, told), combat.intensity(position, told)
            ours = theirs = 0.0
            for rolled, chance in _sums(3 if fight.is_prepared else 2):
                them, us = combat.outcome(position, rolled, attack, defence, level)
                ours, theirs = ours + chance * us, theirs + chance * them
            gain = theirs - ours * (1 + 0.05 * worth) - 0.3 * count - 0.6 * len(chit)
            base = gain - 0.01 if base is None else base
            why = say(
                "counter-attacks with {count} of {all}: should lose {lost} loss points and cost "
                "the enemy {cost}"
                if count
                else "does not counter-attack: should lose {lost} loss points and cost the enemy "
                "{cost}",
                count=count, all=len(may), lost=decimal(ours), cost=decimal(theirs),
            )  # fmt: skip
            yield Idea(o.Defend(counter, point, chit), gain - base, why)


def _hurt(position: Position, order: o.Lose) -> float:
    """The cost of a way to share out losses."""
    gone = sum(2 + position.unit(u).fresh.attack + position.unit(u).fresh.defence / 4
               for u in order.eliminate)  # fmt: skip
    gone += sum(4.0 if to == o.NOWHERE else 1.5 for to in order.retreat.values())
    return gone + len(order.spend)


def _lose(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """The examples of the form, by their cost."""
    for order in (each.order for each in examples(decision)):
        yield Idea(order, 100 - _hurt(position, order))


def _reroll(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """Rolls again if the dice fell badly: compares the losses with an average share."""
    ours, theirs = stage.settle.losses(position)
    us, them = (ours, theirs) if stage.settle.side == decision.side else (theirs, ours)
    why = say(
        "rerolls: the loss points of these dice are {lost}, the enemy's {cost}", lost=us, cost=them
    )
    for order in (each.order for each in examples(decision)):
        if order.chit:
            yield Idea(order, us - them - 2.5, why)


def _played(why: Said) -> Callable[[Any, Position, Decision], Iterator[Idea]]:
    """Plays a chit whenever it can be played."""

    def ideas(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
        for order in (each.order for each in examples(decision)):
            if getattr(order, "chit", ""):
                yield Idea(order, 1, why)

    return ideas


def _draw(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """Draws one or two chits with the points that are left."""
    spare = min(2, position.support[decision.side] - 2, chits.most_to_draw(position, decision.side))
    if spare > 0:
        yield Idea(o.DrawChits(spare), 1, say("draws chits with points left over"))


def _rebuild(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    for order in (each.order for each in examples(decision)):
        yield Idea(order, len(order.units), say("rebuilds what it can"))


ANSWERS: Mapping[str, Callable[[Any, Position, Decision], Iterator[Idea]]] = {
    "impulse": _impulse, "defend": _defend, "lose": _lose, "reroll": _reroll, "draw": _draw,
    "rebuild": _rebuild, "again": _played(say("plays a second impulse")),
    "counter": _played(say("plays Combat Engineers")),
    "spare": _played(say("spares the morale tests")),
}  # fmt: skip


def standing(side: Side) -> Mapping[str, Any]:
    """Nothing: each question is judged when it is asked."""
    return {}


def along(state: State[Position], order: Order) -> Iterator[Idea]:
    """Nothing: an impulse has one order, and what follows it is asked."""
    return iter(())


def ideas(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """The ideas for each question; none if the default answer is good enough."""
    answer = ANSWERS.get(decision.stage)
    return answer(state.agenda[-1], state.position, decision) if answer else iter(())
