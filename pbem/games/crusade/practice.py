"""The practice player: goes for what scores, attacks at good odds, guards the rest.

The worth of a space depends on what its capture scores, and spreads over some links around it, so
units know where to go. Attacks are judged by their exact odds once they can be ordered; before
that, when spaces are activated, only by strengths. It sees only the cards of its own hand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from heapq import heapify, heappop, heappush, nlargest
from itertools import chain, islice
from operator import itemgetter
from typing import Any

from pbem.engine.choices import SomeOf
from pbem.engine.kernel import violations, waits_for
from pbem.engine.model import Decision, Order, Side, State
from pbem.engine.odds import Chances, percent
from pbem.engine.practice import MOST_TRIED, Idea, examples
from pbem.games.crusade import orders as o
from pbem.games.crusade.odds import CombatOdds, Expectation, expected
from pbem.games.crusade.position import STACKING_LIMIT, Position
from pbem.games.crusade.rules.activation import attackable_spaces, movable_spaces
from pbem.games.crusade.rules.attack import catalans_are_coordinated, militias_are_coordinated
from pbem.games.crusade.rules.cards import NO_CARD, score_of
from pbem.games.crusade.rules.ground import capture_value
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.tables import ENEMY, NATIONALIST, SIDES, Card, Tables
from pbem.messages import Said, decimal, say, say_many
from pbem.value import replace

FADES = 0.72
"""The share of a space's pull that is left one link away."""
FAINT = 0.1
"""A pull no greater than this is none."""
PULL, EXPOSED, BARED = 0.35, 0.2, 0.8
"""Weights: the pull at the end of a path for each combat factor, each point by which an adjacent
enemy is stronger, and the worth of a space left to the enemy.
"""
STRONG = 6
"""Combat factors beyond this number are not attracted by a space."""
STACKS = 8
"""The number of stacks that a plan considers moving, those attracted most."""
EVEN = 0.9
"""The lowest ratio of strengths for an attack to be considered."""
ENOUGH = 2.5
"""The ratio of strengths at which no further space joins an attack."""
WORTHLESS = 0.4
"""The worth of ground that scores nothing and is no source of supply."""
EVENT = 2.0
"""The worth of an event that scores nothing."""
FEW = 15
"""The number of examples of a question that are examined."""


# ------------------------------------------------------------------- what a side may know


def veiled(state: State[Position], side: Side) -> State[Position]:
    """The game with the enemy's cards out of order: only the number at each place is known.

    In sealed decks the enemy's slots reveal nothing anyway.
    """
    position, enemy = state.position, ENEMY[side]
    if position.laid:
        return state
    deck = position.decks[enemy]
    pool = sorted((*deck.hand, *deck.pile, *deck.face_down))
    held, down = len(deck.hand), len(deck.hand) + len(deck.face_down)
    parts = {"hand": pool[:held], "face_down": pool[held:down], "pile": pool[down:]}
    seen = position.with_deck(enemy, **{name: tuple(slots) for name, slots in parts.items()})
    return State(seen, state.agenda, state.seq)


# ------------------------------------------------------------------- what ground is worth


@lru_cache(maxsize=8)
def _worths(tables: Tables) -> dict[str, float]:
    """A cache for the worth of spaces."""
    return {}


def worth_of(position: Position, space: str) -> float:
    """The worth of a space to either side: Victory Points, morale, supply."""
    known = _worths(position.tables)
    if space not in known:
        vp, rm = capture_value(position, space)
        is_source = bool(position.space(space).source)
        known[space] = WORTHLESS + 2.0 * vp + 1.5 * abs(rm) + 1.0 * is_source
    return known[space]


def pull_of(position: Position, side: Side) -> Mapping[str, float]:
    """How much each space attracts the units of a side.

    The worth of enemy and threatened spaces, fading with each link. Kept with the control it was
    computed from.
    """
    memo, key = position.control.memo, ("pull", side)
    if key not in memo:
        known = _worths(position.tables)
        found = {
            space: known.get(space) or worth_of(position, space)
            for space, owner in position.control.items() if owner != side
        }  # fmt: skip
        by_worth: dict[float, list[str]] = {}
        for space, worth in found.items():
            by_worth.setdefault(worth, []).append(space)
        left = [-worth for worth in by_worth]
        solid, known_at = position.tables.beside, found.get
        neighbours = position.neighbours if position.beach_heads else solid.__getitem__
        heapify(left)
        while left and (faded := (worth := -heappop(left)) * FADES) > FAINT:
            onward = by_worth.setdefault(faded, [])
            if not onward:
                heappush(left, -faded)
            for space in by_worth[worth]:
                for near in neighbours(space) if worth >= found[space] else ():
                    if faded > known_at(near, FAINT):
                        found[near] = faded
                        onward.append(near)
        memo[key] = found
    pull: Mapping[str, float] = memo[key]
    return pull


def strength(position: Position, units: Iterable[str]) -> int:
    """The combat factors of units."""
    return sum([position.factors(unit).cf for unit in units])


Way = tuple[tuple[str, ...], float]
"""A path with its start, and what the ground on it is worth that would be taken."""
End = tuple[int, int, int, float, float, bool]
"""A space where a move may end: the number of units there, their strength, the threat to it, its
safety now (0 if it has to be taken first), its pull, and whether one controls it."""
March = tuple[float, tuple[str, ...], tuple[str, ...], bool]
"""What a move is worth, who moves, the path, and whether it is for the safety of its end."""


Wanted = tuple[float, tuple[str, ...], str]
"""The worth of activating some spaces, the spaces, and which space they attack, if any."""
Allows = Callable[[o.Activate], bool]
"""Whether the rules allow an activation."""


class Campaigner:
    """One side's judgement of the map."""

    def __init__(self, position: Position, side: Side) -> None:
        self.position, self.side = position, side
        self.enemies = {
            space: strength(position, units) for space, units in position.stacks.items()
            if space in position.tables.spaces and position.side_of(units[0]) == ENEMY[side]
        }  # fmt: skip
        """The combat factors of each enemy stack on the map."""
        self.threats: dict[str, int] = {}
        """The combat factors of the strongest enemy stack beside each space that has one."""
        for space, strong in self.enemies.items():
            for near in position.neighbours(space):
                if strong > self.threats.get(near, 0):
                    self.threats[near] = strong
        self._ends: dict[str, End] = {}
        self._moves: dict[tuple[str, tuple[str, ...]], tuple[March, ...]] = {}
        self._ways: dict[str, Sequence[Way]] = {}
        self._wishes: dict[tuple[tuple[str, ...], ...], list[Wanted]] = {}

    @cached_property
    def pull(self) -> Mapping[str, float]:
        """How much each space attracts its units; combats have no use for it."""
        return pull_of(self.position, self.side)

    def threat(self, space: str) -> int:
        """The combat factors of the strongest enemy stack beside a space, if any."""
        return self.threats.get(space, 0)

    def safety(self, space: str, strong: int) -> float:
        """The expected loss of a space whose guard is weak, or none."""
        threat = self.threats.get(space, 0)
        if strong >= threat > 0:
            return 0.0
        worth = worth_of(self.position, space)
        if not strong:
            return -(BARED if threat else 0.1) * worth
        return -EXPOSED * max(0, threat - strong) * min(1.0, 0.3 + worth / 6)

    # ---- movement

    def moves(self, space: str, units: tuple[str, ...]) -> tuple[March, ...]:
        """The moves of the units of a space that are worth something."""
        key = space, units
        if key not in self._moves:
            self._moves[key] = tuple(self._worked_out(space, units)) if units else ()
        return self._moves[key]

    def _worked_out(self, space: str, units: tuple[str, ...]) -> Iterator[March]:
        """All units together, and the strongest and the weakest alone."""
        factors = {unit: self.position.factors(unit) for unit in units}
        ranked = tuple(sorted(units, key=lambda unit: (-factors[unit].cf, unit)))
        number, whole, *_ = self.end(space)
        here = self.safety(space, whole)
        for group in dict.fromkeys((ranked, ranked[:1], ranked[-1:])):
            strong = sum([factors[unit].cf for unit in group])
            points = min([factors[unit].mf for unit in group])
            stays = whole - strong if number > len(group) else 0
            bared = here - self.safety(space, stays)
            yield from self._marches(space, group, strong, points, bared)

    def ways(self, start: str) -> Sequence[Way]:
        """The ways past the enemy for whoever is in a space, the shortest first; none into own
        ground behind the front that scores nothing.
        """
        if start not in self._ways:
            found: list[Way] = []
            pull, threats, here = self.pull.get, self.threats, self.pull.get(start, 0.0)
            edge: list[Way] = [((start,), 0.0)]
            seen = {start}
            position, owner = self.position, self.position.control.get
            for _ in range(max(position.factors(u).mf for u in position.units_in(start))):
                onward: list[Way] = []
                for path, ground in edge:
                    for near in position.neighbours(path[-1]):
                        if near not in seen and near not in self.enemies:
                            seen.add(near)
                            is_own = owner(near) == self.side
                            worth = worth_of(position, near)
                            more = ground if is_own else ground + worth
                            onward.append(way := ((*path, near), more))
                            if more or near in threats or worth > WORTHLESS or \
                                    pull(near, 0.0) > here:  # fmt: skip
                                found.append(way)
                edge = onward
            self._ways[start] = found
        return self._ways[start]

    def end(self, space: str) -> End:
        """What is known of a space where a move may end."""
        if space not in self._ends:
            there, is_own = self.position.units_in(space), self.position.controls(self.side, space)
            strong, pull = strength(self.position, there), self.pull.get(space, 0.0)
            safety = self.safety(space, strong) if is_own else 0.0
            self._ends[space] = len(there), strong, self.threat(space), safety, pull, is_own
        return self._ends[space]

    def _marches(
        self, start: str, group: tuple[str, ...], strong: int, points: int, bared: float
    ) -> Iterator[March]:
        """What it is worth to go each of the ways out, where that is worth anything."""
        room, weight = STACKING_LIMIT - len(group), PULL * min(STRONG, strong) / 2
        ends, drawn_here = self._ends, self.pull.get(start, 0.0)
        for path, ground in self.ways(start):
            if len(path) > points + 1:
                return
            space = path[-1]
            number, guards, threat, before, pull, is_own = ends.get(space) or self.end(space)
            if number > room:
                continue
            drawn = pull - drawn_here
            if not is_own and drawn < 0.0:
                drawn = 0.0  # a space already taken attracts no further units
            drawn *= weight
            guards += strong
            safer = (0.0 if guards >= threat and guards else self.safety(space, guards)) - before
            worth = ground + drawn + safer - bared - 0.05
            if worth > 0:
                yield worth, group, path, safer > drawn

    def told(self, march: March) -> Idea:
        """A move as an order, with its reason."""
        worth, group, path, guards = march
        position, end = self.position, self.position.called(path[-1])
        taken = [space for space in path[1:] if position.control.get(space) != self.side]
        if taken:
            names = tuple(position.called(space) for space in taken)
            why = say("enters {spaces} without a fight", spaces=names)
        else:
            why = say("guards {space}" if guards else "advances to {space}", space=end)
        return Idea(o.Move(group, path), worth, why)

    # ---- what to activate

    def attacks(self, able: Iterable[str]) -> Iterator[Wanted]:
        """For each enemy stack next to spaces that may attack: the attacks out of the strongest of
        them, from the fewest spaces that are strong enough to the most that are of use.
        """
        position = self.position
        beside: dict[str, list[str]] = {}
        for space in able:
            for near in position.neighbours(space):
                if near in self.enemies:
                    beside.setdefault(near, []).append(space)
        for target, spaces in beside.items():
            against = max(1, self.enemies[target])
            against += (target in position.forts) + (position.space(target).terrain != "open")
            ours, origins = 0, list[str]()
            for strong, space in sorted(
                ((self.end(space)[1], space) for space in spaces), key=lambda each: -each[0]
            ):
                if ours >= ENOUGH * against:
                    break
                if origins and not self.may_join(target, (*origins, space)):
                    continue
                ours += strong
                origins.append(space)
                if (ratio := ours / against) >= EVEN:
                    chance = min(0.95, 0.25 + 0.3 * (ratio - EVEN))
                    defenders = len(position.units_in(target))
                    worth = chance * (worth_of(position, target) + defenders) - (1 - chance)
                    yield worth, tuple(origins), target

    def may_join(self, target: str, origins: tuple[str, ...]) -> bool:
        """Whether all units of some spaces may fight one combat (17.4)."""
        if self.side == NATIONALIST or self.position.phase != "columns":
            return True  # what bars them is the lack of coordination of militia
        units = {origin: self.position.units_in(origin) for origin in origins}
        attack = o.Attack(target, units)
        uncoordinated = militias_are_coordinated, catalans_are_coordinated
        return not any(any(bars(self, self.position, attack)) for bars in uncoordinated)

    def wishes(self, movable: Iterable[str], able: Iterable[str]) -> list[Wanted]:
        """The possible activations of spaces, each as if it were the only one.

        Kept, because the same question is asked of the card and of the activation it brings.
        """
        key = tuple(movable), tuple(able)
        if key not in self._wishes:
            self._wishes[key] = self._wished(*key)
        return self._wishes[key]

    def _wished(self, movable: Iterable[str], able: Iterable[str]) -> list[Wanted]:
        found: list[Wanted] = []
        for space in sorted(movable, key=lambda space: -self.pull.get(space, 0.0)):
            moves = self.moves(space, self.position.units_in(space, self.side))
            if moves:
                found.append((max(moves)[0], (space,), ""))
                if len(found) == STACKS:
                    break
        return [*found, *(wanted for wanted in self.attacks(able) if wanted[0] > 0)]

    def left_of(self, space: str, ground: Collection[str], ends: Collection[str]) -> March | None:
        """The best move out of a space beside moves that take some ground, and end somewhere."""
        best, most = None, 0.0
        for worth, group, path, guards in self.moves(
            space, self.position.units_in(space, self.side)
        ):
            if worth <= most or (guards and path[-1] in ends):
                continue
            if ground:
                worth -= sum(worth_of(self.position, each) for each in path[1:] if each in ground)
            if worth > most:
                best, most = (worth, group, path, guards), worth
        return best

    def gain(self, path: Iterable[str]) -> Iterator[str]:
        """The ground on a path that is not held yet."""
        return (space for space in path if self.position.control.get(space) != self.side)


def campaigner(position: Position, side: Side) -> Campaigner:
    """The side's judgement of the map; kept with the control while no unit moves."""
    memo, key = position.control.memo, ("campaigner", side)
    if key not in memo or memo[key].position.counters is not position.counters:
        memo[key] = Campaigner(position, side)
    found: Campaigner = memo[key]
    return found


def _plan(
    position: Position, stage: Activation, wishes: Sequence[Wanted]
) -> tuple[float, o.Activate]:
    """What the points of an activation are best spent on, as the rules allow, and its worth."""
    here = campaigner(position, stage.side)
    plan = _planned(here, stage.points, wishes, lambda order: True)
    if any(stage.check(position, plan[1])):
        # Some rule bars part of it: winter, the shortage, an event that names its spaces.
        allowed: Allows = lambda order: not any(stage.check(position, order))  # noqa: E731
        return _planned(here, stage.points, wishes, allowed)
    return plan


def _planned(
    here: Campaigner, points: int, wishes: Iterable[Wanted], allows: Allows
) -> tuple[float, o.Activate]:
    """What the points are best spent on, one activation after another, and its worth.

    Each is counted beside those before it: ground is taken once, and a further space that joins an
    attack brings only what the attack becomes better by. What the rules bar is left out.
    """
    sum_of, order = 0.0, o.Activate()
    ground, ends = set[str](), set[str]()
    fought: dict[str, tuple[float, tuple[str, ...]]] = {}
    queue = [(-wanted[0] / len(wanted[1]), wanted) for wanted in wishes]
    heapify(queue)
    while queue and points:
        hoped, wanted = heappop(queue)
        worth, spaces, target = wanted
        before, joined = fought.get(target, (0.0, ()))
        more = tuple(space for space in spaces if space not in joined)
        if not 0 < len(more) <= points or not {*more}.isdisjoint((*order.move, *order.attack)):
            continue
        march = None if target else here.left_of(spaces[0], ground, ends)
        gain = worth - before if target else march[0] if march else 0.0
        rate = gain / len(more)
        if rate < -hoped and gain > 0:
            heappush(queue, (-rate, wanted))
            continue
        longer = _longer(order, more, is_attack=bool(target))
        if gain <= 0 or not allows(longer):
            continue
        order, points, sum_of = longer, points - len(more), sum_of + gain
        if march:
            ground.update(here.gain(march[2]))
            ends.add(march[2][-1])
        else:
            fought[target] = worth, (*joined, *more)
    return sum_of, order


def _longer(order: o.Activate, spaces: tuple[str, ...], *, is_attack: bool) -> o.Activate:
    if is_attack:
        return replace(order, attack=(*order.attack, *spaces))
    return replace(order, move=(*order.move, *spaces))


# ------------------------------------------------------------------- a round


def event_worth(position: Position, side: Side, facts: Card) -> float:
    """The worth of an event: what it scores, and more if it brings units."""
    vp, rm = score_of(position, facts)
    gain = 2.0 * vp - 1.5 * rm
    brings = len(facts.corps) or bool(facts.reinforcement)
    return EVENT + (gain if side == NATIONALIST else -gain) + 1.5 * brings


def _action(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """The card of the round, and its use."""
    position, side = state.position, decision.side
    here, needed = campaigner(position, side), _needed(position, side)
    wishes = here.wishes(movable_spaces(position, side), attackable_spaces(position, side))

    @cache
    def operations(points: int) -> float:
        return _plan(position, Activation(side, points), wishes)[0]

    for card in position.hand_cards(side):
        facts = position.card(card)
        worth = operations(facts.ops)
        title = say(facts.title)
        why = say_many(
            "count", "plays {card} for {count} operation", "plays {card} for {count} operations",
            card=title, count=facts.ops,
        )  # fmt: skip
        yield Idea(o.Play(card, "operations"), worth, why)
        worth = 0.5 * min(sum(facts.rp.values()), needed)
        yield Idea(
            o.Play(card, "replacements"), worth, say("plays {card} for replacements", card=title)
        )
        worth = event_worth(position, side, facts)
        yield Idea(o.Play(card, "event"), worth, say("plays {card} as an event", card=title))
    yield Idea(o.Play(NO_CARD), operations(1), say("saves its cards: one space acts"))


def _needed(position: Position, side: Side) -> int:
    """The steps that replacement points could restore."""
    return sum(
        counter.reduced or counter.place == "eliminated"
        for unit, counter in position.counters.items()
        if position.side_of(unit) == side
    )


def _activation(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """Which spaces move and which attack."""
    stage: Any = state.agenda[-1]
    fields = decision.options[0].fields
    movable, able = (_values(fields[name]) for name in ("move", "attack"))
    here = campaigner(state.position, decision.side)
    worth, order = _plan(state.position, stage, here.wishes(movable, able))
    yield Idea(order, worth, _acting(state.position, order))


def _acting(position: Position, order: o.Activate) -> Said:
    moving, attacking = (tuple(map(position.called, each)) for each in (order.move, order.attack))
    if not attacking:
        return say("moves out of {spaces}", spaces=moving) if moving else ""
    if not moving:
        return say("attacks out of {spaces}", spaces=attacking)
    return say("moves out of {start} and attacks out of {spaces}", start=moving, spaces=attacking)


def _values(choice: Any) -> tuple[str, ...]:
    return choice.values if isinstance(choice, SomeOf) else ()


def _movement(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """The moves of the units that may still act."""
    stage: Any = state.agenda[-1]
    here = campaigner(state.position, decision.side)
    found = (here.moves(space, stage.idle_units(state.position, space)) for space in stage.move)
    best = nlargest(MOST_TRIED, chain.from_iterable(found), key=itemgetter(0))
    return map(here.told, best)


ODDS = CombatOdds()


def _combat(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """Each attack with all units that may join it, by its odds."""
    return (_judged(state, order, decision.side) for order in _attacks(state, decision))


def standing(side: Side) -> Mapping[str, Any]:
    """Nothing: each question is judged when it is asked."""
    return {}


def along(state: State[Position], order: Order) -> Iterator[Idea]:
    """Behind an attack the best of those that other units can make, and then no more of them."""
    decision = waits_for(state)
    if not isinstance(order, o.Attack) or not isinstance(decision, Decision):
        return
    targets, busy = {order.space}, set(_all_units(order))
    for idea in sorted(_combat(state, decision), key=lambda idea: -idea.worth):
        attack = idea.order
        assert isinstance(attack, o.Attack)
        if idea.worth <= 0:
            break
        if attack.space in targets or not busy.isdisjoint(_all_units(attack)):
            continue
        if not violations(state, attack):
            targets.add(attack.space)
            busy.update(_all_units(attack))
            yield idea
    yield Idea(o.Done(), 0.0)


def _attacks(state: State[Position], decision: Decision) -> Iterator[o.Attack]:
    """The attacks that are strong enough to count their odds."""
    for each in examples(decision):
        if isinstance(each.order, o.Attack) and _is_strong_enough(state.position, each.order):
            yield each.order


def _all_units(attack: o.Attack) -> Iterator[str]:
    return chain.from_iterable(attack.units.values())


def _judged(state: State[Position], order: o.Attack, side: Side) -> Idea:
    """An attack with what its exact odds come to."""
    hope = expected(state, order) or _expected(ODDS.of(state, order), side)
    why = say(
        "attacks {where}, {ours} against {theirs}: wins {chance}, should lose {lost} steps and "
        "cost the enemy {cost}",
        where=state.position.space(order.space).name, ours=hope.ours, theirs=hope.theirs,
        chance=percent(hope.ways, hope.of), lost=decimal(hope.lost), cost=decimal(hope.taken),
    )  # fmt: skip
    wins = hope.ways / hope.of
    order, bared = _garrisoned(state.position, order, side)
    ground = worth_of(state.position, order.space)
    return Idea(order, wins * (ground - bared) + 1.2 * hope.taken - hope.lost, why)


def _expected(chances: Chances, side: Side) -> Expectation:
    """The same of an attack whose sides cannot be looked at apart."""
    ways = chances.ways
    lost = {each: sum(n * m for n, m in chances.spread(each).items()) / ways for each in SIDES}
    first, second = chances.salvos
    return Expectation(
        first.strength, second.strength, chances.won_by(side), ways, lost[side], lost[ENEMY[side]]
    )


def _garrisoned(position: Position, order: o.Attack, side: Side) -> tuple[o.Attack, float]:
    """The attack with a guard left behind in every space that would else be empty and is worth it,
    and the expected loss of those where none is left.

    The weakest unit of a space is its guard; one unit at least advances.
    """
    plan, lost = order.advance, 0.0
    if plan is None:
        return order, lost
    advancing = list(plan.units)
    for space, units in order.units.items():
        if {*position.units_in(space)} <= {*advancing}:
            worth = worth_of(position, space)
            if len(advancing) > 1 and worth > WORTHLESS:
                advancing.remove(min(units, key=lambda unit: (strength(position, (unit,)), unit)))
            else:
                near = {position.occupier(each) for each in position.neighbours(space)}
                lost += (BARED if ENEMY[side] in near else 0.1) * worth
    if len(advancing) == len(plan.units):
        return order, lost
    return replace(order, advance=replace(plan, units=tuple(advancing))), lost


def _is_strong_enough(position: Position, order: o.Attack) -> bool:
    """Whether an attack is strong enough to count its odds."""
    ours = sum(strength(position, units) for units in order.units.values())
    return ours >= EVEN * strength(position, position.units_in(order.space))


# ------------------------------------------------------------------- answers


def _deploy(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """The places for new units: where they are needed, or can capture something."""
    here = campaigner(state.position, decision.side)
    for example in islice(examples(decision), FEW):
        if not isinstance(example.order, o.Deploy):
            continue
        for space in example.others.get("to", (example.order.to,)):
            there = strength(state.position, state.position.units_in(space))
            short = here.safety(space, there + 2) - here.safety(space, there)
            worth = 1.0 + short + PULL * here.pull.get(space, 0.0)
            order = replace(example.order, to=space) if not example.order.to_reserve else \
                example.order  # fmt: skip
            why = say("brings a unit to {space}", space=state.position.called(space))
            yield Idea(order, worth, why)


def _replacements(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """The strongest unit that can be restored or rebuilt."""
    for example in islice(examples(decision), FEW):
        order, position = example.order, state.position
        if isinstance(order, o.Replace | o.Rebuild):
            kind = position.type_of(order.unit)
            worth = kind.full.cf + 0.5 * (isinstance(order, o.Rebuild) and order.steps > 1)
            yield Idea(
                order, worth, say("makes {kind} {unit} stronger", kind=kind.name, unit=order.unit)
            )


def _advance(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """The advance into the spaces the defenders left, with as many units as allowed."""
    position = state.position
    for example in examples(decision):
        ground = sum(
            worth_of(position, space) for space in example.order.to
            if not position.controls(decision.side, space)
        )  # fmt: skip
        names = tuple(position.called(space) for space in example.order.to)
        why = say("advances into {spaces}", spaces=names)
        yield Idea(example.order, ground + 0.1 * len(example.order.units), why)


def _stay(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """Pays a step to stay in a space that matters."""
    position = state.position
    worth = worth_of(position, position.fought.space)
    for unit in decision.options[0].fields["by"].values:  # type: ignore[union-attr]
        if unit and position.steps_left(unit) > 1:
            order = o.CancelRetreat(unit)
            where = position.called(position.fought.space)
            yield Idea(order, worth - 3.0, say("stays, for {space}", space=where))


def _defend(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """A combat card for a space that matters."""
    position = state.position
    worth = worth_of(position, position.fought.space)
    for card in _values(decision.options[0].fields["cards"]):
        why = say("defends with {card}", card=say(position.card(card).title))
        yield Idea(o.CombatCards((card,)), worth - 2.0, why)


ANSWERS: Mapping[str, Callable[[State[Position], Decision], Iterator[Idea]]] = {
    "action": _action, "activation": _activation, "movement": _movement, "combat": _combat,
    "corps": _deploy, "reinforcements": _deploy, "corps of a card": _deploy,
    "replacements": _replacements, "advance": _advance, "cancel retreat": _stay,
    "combat cards": _defend,
}  # fmt: skip


def ideas(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """The ideas for each question; none if the default answer is good enough."""
    answer = ANSWERS.get(decision.stage)
    return answer(state, decision) if answer else iter(())
