"""The practice player: every formation goes to the hexes that are worth points and are not held,
and attacks where it should lose less than it takes; batteries and aircraft support the attacks.

Losses are troop points on average, computed over both dice of a combat as things stand before the
defence is supported.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, product
from typing import Any

from pbem.board.ledger import total
from pbem.board.zones import outward
from pbem.engine import kernel
from pbem.engine.choices import every
from pbem.engine.dice import Draw, Roll
from pbem.engine.kernel import waits_for
from pbem.engine.mentions import named_in
from pbem.engine.model import Decision, Order, Side, State
from pbem.engine.practice import Idea, best
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.ground import FOOT, RIVER, Step, make_room
from pbem.games.nopasaran.position import Combat, Position
from pbem.games.nopasaran.rules import (
    activation,
    air,
    artillery,
    combat,
    engineers,
    factors,
    fate,
    hiding,
    movement,
    stacking,
    ways,
    zones,
)
from pbem.games.nopasaran.rules.naming import called, formation_called, place
from pbem.games.nopasaran.stages.activation import Acting, Activating
from pbem.games.nopasaran.tables import ENEMY, ENGINEER, PONTOON
from pbem.messages import decimal, say
from pbem.value import replace

EAGER, GIVEN_UP, ON_WAY, POINT, EARLY = 1.2, 2.0, 1.0, 1.0, 0.4
"""The weight of an enemy troop point against an own one, of a hex of worth that is given up, of one
on the way there, and of each victory point: on the last day, and before, when there is still time
for a better attack.
"""
TIED = 0.1
"""What it costs that a troop point which attacks goes no farther in its activation."""
SHOTS = 3
"""How many shots guns need to have, to bombard before an attack."""
SUPPORTED = 1.15
"""How much stronger a defence is taken to be, for the support that it may get."""
LEAST, LEAST_MOVE, AT_LAST = 0.2, 0.6, 0.1
"""What an attack and a move have to be worth, and what a troop point lost to guns is."""
TAKES = 5.0
"""What walking into a hex of worth is worth."""
FIRST, SINGLE = 9.0, 0.5
"""What activating a unit by itself is worth: before all formations if they cross by its bridge, or
after them.
"""
NEAR, COMPANY = 3, 2
"""How near headquarters and guns follow their units, and how many lead an advance."""
ROOM = 2
"""The troop points of a stack that others enter at no cost."""
BEYOND = 50
"""Steps to a hex that no way leads to."""
FACES = range(1, 11)


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
            far_bank = position.ground.beyond(row["bank"], side)
            if not any(position.holder(hex) == side for hex in far_bank):
                # In the order of the map: of equal hexes the first one is taken, in every process.
                bank = [hex for hex in position.ground.hexes if hex in far_bank]
                found |= {hex: found.get(hex, 0) + row["points"] for hex in bank}
    return found


def _is_last_day(position: Position) -> bool:
    return position.day >= len(position.plain["days"])


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


def marches(
    position: Position,
    side: Side,
    goals: tuple[str, ...],
    wanted: Collection[str] = (),
    *,
    helped: bool = True,
) -> Mapping[str, int]:
    """How many steps of men on foot some hexes, or all, are from the nearest goal, whoever is on
    the way: over rivers where they are `helped`, and by bridges, also by broken ones, which will be
    mended.
    """
    ground, over = position.ground, _over_rivers(position, side, helped=helped)
    if wanted:
        return _steps(position, goals, over, wanted)
    known = ground.steps_on_foot
    if (goals, over) not in known:
        make_room(known)
        known[goals, over] = _steps(position, goals, over, ground.hexes)
    return known[goals, over]


def _steps(
    position: Position, goals: tuple[str, ...], over: Collection[Step], hexes: Collection[str]
) -> Mapping[str, int]:
    """How many steps over land, and these over rivers, some hexes are from the nearest goal."""
    ground = position.ground

    def near(hex: str) -> Iterator[str]:
        yield from ground.from_over_land[hex]
        for each in ground.from_over_river.get(hex, ()):
            if (each, hex) in over:
                yield each

    left, found = set(hexes), dict[str, int]()
    for hex, steps in outward(goals, near):
        if hex in left:
            left.remove(hex)
            found[hex] = steps
            if not left:
                break
    return found | {hex: BEYOND + far(position, hex, goals) for hex in left}


def _over_rivers(position: Position, side: Side, *, helped: bool) -> frozenset[Step]:
    """The steps over rivers that men on foot can take, or can once bridges are mended."""
    ground, state = position.ground, ways.state_of(position, side)
    known = ground.open_rivers
    if state not in known:
        make_room(known)
        known[state] = frozenset(
            (here, there)
            for there, near in ground.from_over_river.items()
            for here in near
            if position.bridge_between(here, there) is not None
            or ways.could_enter(position, here, there, FOOT, side, helped=False)
        )
    if not helped:
        return known[state]
    able = {position.at(unit) for unit in position.on_map(side)
            if position.printed(unit).type in (ENGINEER, PONTOON)}  # fmt: skip
    return known[state].union(
        step
        for one in able
        for other in ground.from_over_river.get(one, ())
        for step in ((one, other), (other, one))
        if ways.could_enter(position, *step, FOOT, side)
    )


def banks(position: Position, side: Side, goals: tuple[str, ...]) -> tuple[str, ...]:
    """The hexes where a bridge over a river would save steps, and lead to the shortest way."""
    ground, steps = position.ground, marches(position, side, goals, helped=False)
    over = {
        here: steps[there]
        for here in ground.hexes
        for there in ground.around[here]
        if steps[there] + 1 < steps[here]
        and RIVER in ground.sides.between(here, there)
        and position.bridge_between(here, there) is None
    }
    return tuple(here for here in over if over[here] == min(over.values()))


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
    """Pontoons that can be laid; then the formation that is nearest to the enemy, and the others;
    last, support troops that stand apart.
    """
    side, goals = decision.side, aims(position, decision.side)
    places = banks(position, side, goals)
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
            lays = printed.type == PONTOON and position.at(unit) in places
            yield Idea(o.Activate(unit=unit), FIRST if lays else SINGLE, why)


def _activation(
    position: Position, order: o.Activate, name: str, units: tuple[str, ...], goals: tuple[str, ...]
) -> Idea:
    able = [unit for unit in units if position.printed(unit).is_combat and position.at(unit)]
    nearness = sum(1 / (1 + far(position, position.at(unit), goals)) for unit in able)
    why = say("activates {formation}", formation=formation_called(position, name))
    return Idea(order, 1 + nearness, why)


def _act(stage: Any, position: Position, decision: Decision) -> Iterator[Idea]:
    """A free hex of worth, or the best attack; where there is neither, on the last day a bank that
    the enemy wants clear, else reinforcements, and the next move that gains ground.
    """
    side = decision.side
    taken = _taken(position, side, _of_worth(position, side))
    if taken is not None:
        yield taken
        return
    attacks = list(_attacks(position, decision))
    yield from attacks
    if any(idea.worth > 0 for idea in attacks):
        best = max(attacks, key=lambda idea: idea.worth)
        assert isinstance(best.order, o.Attack)
        yield from _bombardments(position, side, best.order.hex, best.worth)
        return
    if _is_last_day(position):
        taken = _taken(position, side, prizes(position, side))
        if taken is not None:
            yield taken
            return
    for option in decision.options:
        if option.order is o.Arrive and option.examples is not None:
            for example in option.examples(lambda each: each[:1]):
                yield Idea(example.order, 1, say("brings reinforcements"))
    yield from _bridges(position, decision)
    yield from _moves(position, side)
    if not _lays_first(position):
        yield from _bombardments(position, side)


def _lays_first(position: Position) -> bool:
    """Whether these are pontoons, with attacks after them that need the guns."""
    cycle = position.cycle
    assert cycle is not None
    return all(position.printed(unit).type == PONTOON for unit in cycle.able)


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
    """Each attack that a form offers, and those of the units that are fresh, with as few as it
    needs: others may attack once more, or go on.
    """
    side = decision.side
    steps = marches(position, side, aims(position, side))
    for option in decision.options:
        if option.order is not o.Attack or option.examples is None:
            continue
        for example in option.examples(every):
            yield _pared(position, side, example.order, steps)
            for order in _of_the_fresh(position, side, example.order):
                yield _pared(position, side, order, steps)


def _of_the_fresh(position: Position, side: Side, order: o.Attack) -> Iterator[o.Attack]:
    """The attack as a regular one, without those who have fought or advanced, and as a prepared
    one, without those who have moved, too.
    """
    cycle = position.cycle
    assert cycle is not None
    fought = cycle.attacked | cycle.advanced | cycle.improvised
    stirred = fought | cycle.moved | set(position.spent) | {
        unit for units in order.units.values() for unit in units
        if not combat.began_beside(position, unit, order.hex)
    }  # fmt: skip
    for type, gone in ((combat.REGULAR, fought), (combat.PREPARED, stirred)):
        fresh = {hex: left for hex, units in order.units.items()
                 if (left := tuple(unit for unit in units if unit not in gone))}  # fmt: skip
        if type != order.type and fresh and (fresh != order.units or type == combat.PREPARED):
            units = [unit for those in fresh.values() for unit in those]
            guns = artillery.attack_guns(position, side, order.hex, units)
            air = artillery.attack_air(position, units)
            backing = o.Backing(guns, air) if guns or air else ""
            yield o.Attack(order.hex, fresh, type, support=backing)


def _pared(position: Position, side: Side, order: o.Attack, steps: Mapping[str, int]) -> Idea:
    """An attack without the units that add less to it than they are worth elsewhere."""
    best = _attack(position, side, order, steps)
    while best.worth > 0:
        found = [_attack(position, side, each, steps) for each in _smaller(best.order)]
        better = max(found, key=lambda idea: idea.worth, default=best)
        if better.worth <= best.worth:
            break
        best = better
    return best


def _smaller(order: Order) -> Iterator[o.Attack]:
    """An attack without each of its units."""
    assert isinstance(order, o.Attack)
    for hex, units in order.units.items():
        for unit in units:
            left = {**order.units, hex: tuple(each for each in units if each != unit)}
            units_left = {each: those for each, those in left.items() if those}
            if units_left:
                yield replace(order, units=units_left)


def _attack(position: Position, side: Side, order: o.Attack, steps: Mapping[str, int]) -> Idea:
    """What an attack should come to. Ground counts if it is worth points or on the way."""
    mine, theirs, clears = outcomes(position, side, order)
    points = prizes(position, side).get(order.hex, 0)
    point = POINT if _is_last_day(position) else EARLY
    is_on_way = steps[order.hex] < min(steps[hex] for hex in order.units)
    ground = point * points + (GIVEN_UP if points else ON_WAY if is_on_way else 0.0)
    units = [unit for those in order.units.values() for unit in those]
    gain = EAGER * theirs - mine + clears * ground - TIED * position.troops_of(units)
    why = say("attacks {hex}: should lose {lost} troop points and take {taken}",
              hex=place(position, order.hex), lost=decimal(mine),
              taken=decimal(theirs))  # fmt: skip
    free = [unit for unit in units if points or not _keeps(position, side, unit)]
    able = combat.advancing(position, units, order.hex)
    leaders = combat.leaders(position, [unit for unit in free if unit in able])[:COMPANY]
    if order.type in (combat.REGULAR, combat.PREPARED):
        order = replace(order, advance=o.Following(leaders) if leaders else o.NONE)
    return Idea(order, gain - LEAST, why)


def _bombardments(
    position: Position, side: Side, target: str = "", more: float = 0.0
) -> Iterator[Idea]:
    """What guns need not keep for an attack, which is worth `more`, goes on its target before it;
    whatever they have left at the end goes where it should hurt most.
    """
    points = (SHOTS if target else 1) * artillery.shot(position)
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
                      lost=decimal(lost))  # fmt: skip
            yield Idea(order, AT_LAST * lost + more, why)


def outcomes(position: Position, side: Side, order: o.Attack) -> tuple[float, float, float]:
    """The troop points that both sides lose on average, and the chance that the hex is given up."""
    attackers = position.board.in_order(unit for units in order.units.values() for unit in units)
    defenders = fate.takes_part(position, position.stacks[order.hex])
    backing = order.support if isinstance(order.support, o.Backing) else o.Backing()
    fight = Combat(
        side, order.hex, order.type, attackers, order.units, defenders, order, backing.guns,
        backing.air, next(iter(combat.leaders(position, attackers)), ""),
        is_surprise=combat.is_surprise(position, order),
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


def _taken(position: Position, side: Side, hexes: Iterable[str]) -> Idea | None:
    """A march into one of these hexes that nobody holds, by the first unit that gets there."""
    points = prizes(position, side)
    free = [hex for hex in hexes if position.control[hex] != side and not position.holder(hex)]
    for unit in _able(position, side) if free else ():
        if not position.printed(unit).is_combat or _keeps(position, side, unit):
            continue
        ways = movement.reachable(position, unit)
        able = [hex for hex in free if hex in ways]
        if able:
            best = max(able, key=lambda hex: points.get(hex, 0))
            why = say("moves to {hex}", hex=place(position, best))
            return Idea(o.Move((unit,), ways[best]), TAKES, why)
    return None


def _able(position: Position, side: Side) -> Iterator[str]:
    """The units that may still move, the strongest first; on the last day the fastest."""
    cycle = position.cycle
    assert cycle is not None
    still = cycle.attacked | cycle.advanced | cycle.working | cycle.moved
    is_last = _is_last_day(position)

    def place_in_line(unit: str) -> int:
        printed = position.printed(unit)
        return -(printed.move if is_last else printed.attack)

    for unit in sorted(position.on_map(side), key=place_in_line):
        if unit in cycle.able and unit not in still:
            yield unit


def _keeps(position: Position, side: Side, unit: str) -> bool:
    """Whether a unit is the last one in a hex of worth."""
    here = position.at(unit)
    others = [each for each in position.stacks[here] if position.printed(each).is_combat]
    return len(others) < 2 and here in _of_worth(position, side)


def _of_worth(position: Position, side: Side) -> dict[str, None]:
    """The hexes of worth to either side, one's own first."""
    return dict.fromkeys([*worth(position, side), *worth(position, ENEMY[side])])


def _moves(position: Position, side: Side) -> Iterator[Idea]:
    """The first move that brings a unit nearer to where it should be."""
    goals = aims(position, side)
    steps = marches(position, side, goals)
    for unit in _able(position, side):
        idea = _move(position, side, unit, goals, steps)
        if idea is not None:
            yield idea
            return


def _move(
    position: Position, side: Side, unit: str, goals: tuple[str, ...], steps: Mapping[str, int]
) -> Idea | None:
    here, printed = position.at(unit), position.printed(unit)
    rate = _rate if printed.is_combat or printed.type == PONTOON else _rate_behind
    if printed.type == PONTOON:
        goals = tuple(hex for hex in banks(position, side, goals)
                      if hex == here or not zones.in_enemy_zone(position, hex, side))  # fmt: skip
        if not goals or here in goals:
            return None
    elif not printed.is_combat:
        goals = _company(position, side, unit)
        if not goals or far(position, here, goals) <= NEAR:
            return None
    elif _holds(position, side, unit):
        return None
    reach = movement.reachable(position, unit)
    if not printed.is_combat:
        steps = marches(position, side, goals, (here, *reach))
    now, best, path = rate(position, unit, here, steps), 0.0, None
    for hex, way in reach.items():
        gain = rate(position, unit, hex, steps) - now
        if gain > max(best, LEAST_MOVE) and not stacking.excess(position, hex, (unit,)):
            best, path = gain, way
    if path is None:
        return None
    return Idea(o.Move((unit,), path), best, say("moves to {hex}", hex=place(position, path[-1])))


def _holds(position: Position, side: Side, unit: str) -> bool:
    """Whether a unit stays where it is: beside an enemy whom it could attack tomorrow, or as the
    last one of a hex of worth.
    """
    here = position.at(unit)
    beside = not _is_last_day(position) and any(
        position.holder(near) == ENEMY[side] and combat.reaches(position, unit, near)
        for near in position.ground.around[here]
    )
    return beside or _keeps(position, side, unit)


def _company(position: Position, side: Side, unit: str) -> tuple[str, ...]:
    """Where the units stand with which headquarters and guns keep up."""
    formation = position.commander(unit)
    return tuple(
        position.at(each)
        for each in position.on_map(side)
        if position.printed(each).is_combat
        and formation in (position.commander(each), position.parent(position.commander(each)))
    )


def _rate(position: Position, unit: str, hex: str, steps: Mapping[str, int]) -> float:
    """How good a hex is for a unit that fights: near to the goals, not alone in a zone; and on the
    last day, when nobody goes on tomorrow, not in the way of others.
    """
    side = position.side_of(unit)
    others = [each for each in position.units_at(hex, side) if each != unit]
    found = -float(steps[hex])
    if not steps[hex]:
        found += 1.0
    if not others and zones.in_enemy_zone(position, hex, side):
        found -= 0.5
    if _is_last_day(position) and position.troops_of(others) > ROOM:
        found -= 0.5
    return found


def _rate_behind(position: Position, unit: str, hex: str, steps: Mapping[str, int]) -> float:
    """How good a hex is for headquarters and guns: near to their units, not in front."""
    side = position.side_of(unit)
    alone = zones.in_enemy_zone(position, hex, side) and not position.units_at(hex, side)
    return -float(max(steps[hex], 1)) - 10.0 * alone


ANSWERS: Mapping[str, Callable[[Any, Position, Decision], Iterator[Idea]]] = {
    "fly": _fly, "works": _build, "activation": _activate, "action": _act,
}  # fmt: skip


def veiled(state: State[Position], side: Side) -> State[Position]:
    """The game as a side may think it: what it does not know, it guesses from what both do."""
    return State(state.position.guessed(side), state.agenda, state.seq)


def standing(side: Side) -> Mapping[str, Any]:
    """An answer to all that is asked of whoever does not act, or behind their own dice."""
    return {
        "support": "all", "primary": "best", "counterbattery": "always", "react": "always",
        "retreat": ["stay_together", "road"], "works": "position",
        "own": {"advance": "all", "again": "never", "works": "position"},
    }  # fmt: skip


def along(state: State[Position], order: Order) -> Iterator[Idea]:
    """The rest of the activation, and the next one, which is played if the initiative stays; all
    that are left if the enemy is finished for the day.
    """
    if not isinstance(state.agenda[-1], Activating | Acting):
        return  # nor may it be asked what it guesses to be asked
    asked = waits_for(state)
    if not isinstance(asked, Decision):
        return
    most = None if ENEMY[asked.side] in state.position.finished else 2
    plans = islice(activations(state, asked.side), most)
    yield from islice(chain.from_iterable(plans), 1, None)  # the first is the order itself


def activations(state: State[Position], side: Side) -> Iterator[tuple[Idea, ...]]:
    """What a side would order in this activation or the next one, and in each of those after it, if
    it kept the initiative and all dice fell in the middle; at last that it is finished for the day.
    Activations in which nothing is done are left out.
    """
    depth = 1 if isinstance(state.agenda[-1], Activating) else 2  # Acting, and what ends it
    state = State(state.position, state.agenda[-depth:])
    while waits_for(state) is not None:
        orders, position = _plan(state, side)
        is_idle = isinstance(orders[0].order, o.Activate) and len(orders) == 2  # and done
        if not is_idle:
            yield orders
        state = kernel.begin(State(position, (Activating(side),))).state


def _plan(state: State[Position], side: Side) -> tuple[tuple[Idea, ...], Position]:
    """What a side would order until the agenda is empty, and the position then. Everything that is
    asked behind dice has its default answer.
    """
    found: list[Idea] = []
    while (asked := waits_for(state)) is not None:
        if not isinstance(asked, Decision):
            state = kernel.roll(state, MIDDLING).state
            continue
        mine = asked.side == side and asked.stage in ACTS
        idea = best(state, asked, ideas(state, asked) if mine else ())
        if mine:
            found.append(idea)
        state = kernel.submit(state, idea.order).state
    return tuple(found), state.position


def hides(position: Position, side: Side, orders: Iterable[Order]) -> Iterator[o.Mix]:
    """The order to mix with which a side begins its last mail of the day: everywhere but where
    those stand, or go, that its orders name.
    """
    if position.is_open or any(position.side_of(tag) == side for tag in position.mixed):
        return
    named = {hex for order in orders for each in named_in(order)
             for hex in (each.name, position.at(each.name))}  # fmt: skip
    hexes = tuple(hex for hex in hiding.groups(position, side, o.ALL) if hex not in named)
    if hexes:
        yield o.Mix(hexes)


class _Middling:
    """Dice that all fall in the middle."""

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
        return {each.label: Roll(each.label, each.purpose, (each.faces + 1) // 2)
                for each in draws}  # fmt: skip


MIDDLING = _Middling()
ACTS = ("activation", "action")
"""The questions of an activation."""


def ideas(state: State[Position], decision: Decision) -> Iterator[Idea]:
    """The ideas for each question; none if the default answer is good enough."""
    answer = ANSWERS.get(decision.stage)
    return answer(state.agenda[-1], state.position, decision) if answer else iter(())
