"""The practice player: goes for what scores, attacks at good odds, guards the rest.

The worth of a space depends on what its capture scores, and spreads over some links around it, so
units know where to go. Attacks are judged by their exact odds once they can be ordered; before
that, when spaces are activated, only by strengths. It sees only the cards of its own hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush, nlargest
from itertools import chain, islice
from math import inf
from operator import itemgetter
from typing import Any

from pbem.engine.choices import SomeOf
from pbem.engine.kernel import violations, waits_for
from pbem.engine.model import Decision, Order, Side, State
from pbem.engine.odds import percent
from pbem.engine.practice import MOST_TRIED, Idea, examples
from pbem.games.crusade import orders as o
from pbem.games.crusade.odds import CombatOdds, at_best
from pbem.games.crusade.position import STACKING_LIMIT, Position
from pbem.games.crusade.rules.cards import NO_CARD, score_of
from pbem.games.crusade.rules.ground import capture_value
from pbem.games.crusade.rules.supply import supply_map
from pbem.games.crusade.tables import ENEMY, NATIONALIST, SIDES, Card, Tables
from pbem.messages import Said, say, say_many
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
STACKS = 12
"""The number of stacks examined for a move, those attracted most."""
EVEN = 0.9
"""The lowest ratio of strengths for an attack to be considered."""
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
        known[space] = 0.4 + 2.0 * vp + 1.5 * abs(rm) + 1.0 * is_source
    return known[space]


def pull_of(position: Position, side: Side) -> Mapping[str, float]:
    """How much each space attracts the units of a side.

    The worth of enemy and threatened spaces, fading with each link. Kept with the control it was
    computed from.
    """
    memo, key = position.control.memo, ("pull", side)
    if key not in memo:
        found = {
            space: worth_of(position, space) for space, owner in position.control.items()
            if owner != side
        }  # fmt: skip
        by_worth: dict[float, list[str]] = {}
        for space, worth in found.items():
            by_worth.setdefault(worth, []).append(space)
        left = [-worth for worth in by_worth]
        heapify(left)
        while left and (faded := (worth := -heappop(left)) * FADES) > FAINT:
            onward = by_worth.setdefault(faded, [])
            if not onward:
                heappush(left, -faded)
            for space in by_worth[worth]:
                for near in position.neighbours(space) if worth >= found[space] else ():
                    if faded > found.get(near, FAINT):
                        found[near] = faded
                        onward.append(near)
        memo[key] = found
    pull: Mapping[str, float] = memo[key]
    return pull


def strength(position: Position, units: Iterable[str]) -> int:
    """The combat factors of units."""
    return sum([position.factors(unit).cf for unit in units])


Wanted = tuple[float, tuple[str, ...], bool]
"""The worth of activating some spaces, the spaces, and whether to attack."""
Way = tuple[tuple[str, ...], float]
"""A path with its start, and what the ground on it is worth that would be taken."""
End = tuple[int, int, int, float, float, bool]
"""A space where a move may end: the number of units there, their strength, the threat to it, its
safety now (0 if it has to be taken first), its pull, and whether one controls it."""
March = tuple[float, tuple[str, ...], tuple[str, ...], bool]
"""What a move is worth, who moves, the path, and whether it is for the safety of its end."""


class Campaigner:
    """One side's judgement of the map."""

    def __init__(self, position: Position, side: Side) -> None:
        self.position, self.side = position, side
        self.pull = pull_of(position, side)
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
        """The ways past the enemy for whoever is in a space, the shortest first."""
        if start not in self._ways:
            found: list[Way] = []
            edge: list[Way] = [((start,), 0.0)]
            self._ways[start], seen = found, {start}
            position, owner = self.position, self.position.control.get
            for _ in range(max(position.factors(u).mf for u in position.units_in(start))):
                onward: list[Way] = []
                for path, ground in edge:
                    for near in position.neighbours(path[-1]):
                        if near not in seen and near not in self.enemies:
                            seen.add(near)
                            is_own = owner(near) == self.side
                            more = ground if is_own else ground + worth_of(position, near)
                            onward.append(((*path, near), more))
                found += onward
                edge = onward
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

    def attacks(self, able: Iterable[str]) -> Iterator[tuple[float, tuple[str, ...]]]:
        """For each enemy stack next to spaces that may attack: the worth of an attack, and its
        spaces.
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
            ours, origins = 0, []
            for strong, space in sorted(
                ((self.end(space)[1], space) for space in spaces), key=lambda each: -each[0]
            ):
                if ours < 2.5 * against:
                    ours += strong
                    origins.append(space)
            ratio = ours / against
            if ratio >= EVEN:
                chance = min(0.95, 0.25 + 0.3 * (ratio - EVEN))
                defenders = len(position.units_in(target))
                worth = chance * (worth_of(position, target) + defenders) - (1 - chance)
                yield worth, tuple(origins)

    def wishes(self, movable: Iterable[str], able: Iterable[str]) -> list[Wanted]:
        """The possible activations of spaces, highest worth per point first."""
        found: list[Wanted] = []
        near = sorted(movable, key=lambda space: -self.pull.get(space, 0.0))
        for space in near[:STACKS]:
            moves = self.moves(space, self.position.units_in(space, self.side))
            if moves:
                found.append((max(moves)[0], (space,), False))
        found += [(worth, origins, True) for worth, origins in self.attacks(able) if worth > 0]
        return sorted(found, key=lambda each: -each[0] / len(each[1]))


def campaigner(position: Position, side: Side) -> Campaigner:
    """The side's judgement of the map; kept with the control while no unit moves."""
    memo, key = position.control.memo, ("campaigner", side)
    if key not in memo or memo[key].position.counters is not position.counters:
        memo[key] = Campaigner(position, side)
    found: Campaigner = memo[key]
    return found


def _greedy(points: int, wishes: Iterable[Wanted]) -> tuple[float, o.Activate]:
    """What fits, first come, first served, and its worth."""
    sum_of, marked = 0.0, {False: list[str](), True: list[str]()}
    for worth, spaces, is_attack in wishes:
        used = {*marked[False], *marked[True]}
        if len(spaces) <= points and not used.intersection(spaces):
            marked[is_attack] += spaces
            points -= len(spaces)
            sum_of += worth
    return sum_of, o.Activate(tuple(marked[False]), tuple(marked[True]))


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
    full = supply_map(position, side).full
    occupied = [s for s in position.stacks if s in full and position.occupier(s) == side]
    wishes = here.wishes(occupied, [space for space in occupied if here.threat(space)])
    for card in position.hand_cards(side):
        facts = position.card(card)
        worth = _greedy(facts.ops, wishes)[0]
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
    yield Idea(o.Play(NO_CARD), _greedy(1, wishes)[0], say("saves its cards: one space acts"))


def _needed(position: Position, side: Side) -> int:
    """The steps that replacement points could restore."""
    return sum(
        counter.reduced or counter.place == "eliminated"
        for unit, counter in position.counters.items()
        if position.side_of(unit) == side
    )


def _activation(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """Which spaces move and which attack, with simpler plans in case the rules forbid the best."""
    stage: Any = state.agenda[-1]
    fields = decision.options[0].fields
    movable, able = (_values(fields[name]) for name in ("move", "attack"))
    here = campaigner(state.position, decision.side)
    wishes = here.wishes(movable, able)
    worth, order = _greedy(stage.points, wishes)
    if violations(state, order):
        # Some rule bars part of it: winter, the shortage, an event that names its spaces.
        worth, order = _what_fits(state, wishes)
    yield Idea(order, worth, _acting(state.position, order))


def _what_fits(state: State[Position], wishes: list[Wanted]) -> tuple[float, o.Activate]:
    """The wishes that the rules allow together, first come, first served, and their worth."""
    sum_of, order = 0.0, o.Activate()
    for worth, spaces, is_attack in wishes[:MOST_TRIED]:
        if {*spaces} & {*order.move, *order.attack}:
            continue
        more = (
            replace(order, attack=(*order.attack, *spaces))
            if is_attack
            else replace(order, move=(*order.move, *spaces))
        )
        if not violations(state, more):
            sum_of, order = sum_of + worth, more
    return sum_of, order


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
    """Each attack with all units that may join it, by its exact odds; none that cannot be best."""
    found = [each.order for each in examples(decision) if isinstance(each.order, o.Attack)]
    strong = [order for order in found if _is_strong_enough(state.position, order)]
    best = 0.0
    for most, order in _hopes(state, strong):
        if most < best:
            return
        idea = _judged(state, order, decision.side)
        best = max(best, idea.worth)
        yield idea


def along(state: State[Position], order: Order) -> Iterator[Idea]:
    """Behind an attack the best of those that other units can make, and then no more of them."""
    decision = waits_for(state)
    if not isinstance(order, o.Attack) or not isinstance(decision, Decision):
        return
    targets, busy = {order.space}, set(_all_units(order))
    others = [each.order for each in examples(decision) if isinstance(each.order, o.Attack)]
    hopes = _hopes(state, [each for each in others if _is_strong_enough(state.position, each)])
    for most, attack in hopes:
        if attack.space in targets or most <= 0 or not busy.isdisjoint(_all_units(attack)):
            continue
        idea = _judged(state, attack, decision.side)
        if idea.worth > 0 and not violations(state, attack):
            targets.add(attack.space)
            busy.update(_all_units(attack))
            yield idea
    yield Idea(o.Done(), 0.0)


def _all_units(attack: o.Attack) -> Iterator[str]:
    return chain.from_iterable(attack.units.values())


def _hopes(state: State[Position], attacks: list[o.Attack]) -> list[tuple[float, o.Attack]]:
    """The attacks with what they are worth at most, the greatest hope first."""
    if len(attacks) < 2:
        return [(inf, order) for order in attacks]
    found = []
    for order in attacks:
        wins, taken = at_best(state, order)
        found.append((_gain(state.position, order, wins, taken), order))
    return sorted(found, key=lambda each: -each[0])


def _gain(position: Position, order: o.Attack, wins: float, taken: float) -> float:
    """What it is worth to win an attack so likely, and to take so many steps from the enemy."""
    return wins * worth_of(position, order.space) + 1.2 * taken


def _judged(state: State[Position], order: o.Attack, side: Side) -> Idea:
    """An attack with its exact odds."""
    chances = ODDS.of(state, order)
    ways = chances.ways_where(lambda branch: branch.winner == side)
    lost = {
        each: sum(n * ways for n, ways in chances.spread(each).items()) / chances.ways
        for each in SIDES
    }
    ours, theirs = lost[side], lost[ENEMY[side]]
    first, second = chances.salvos
    why = say(
        "attacks {where}, {ours} against {theirs}: wins {chance}, should lose {lost} steps and "
        "cost the enemy {cost}",
        where=chances.where, ours=first.strength, theirs=second.strength,
        chance=percent(ways, chances.ways), lost=f"{ours:.1f}", cost=f"{theirs:.1f}",
    )  # fmt: skip
    return Idea(order, _gain(state.position, order, ways / chances.ways, theirs) - ours, why)


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
