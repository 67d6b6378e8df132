"""5.4, 5.5: an activation: what is activated, and what its units do one after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Any

from pbem.board.hexsides import key_of
from pbem.board.movement import reach_told
from pbem.engine import staging as s
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import DESTROYED, March, Position, Task
from pbem.games.nopasaran.rules import (
    activation,
    ahead,
    artillery,
    combat,
    coming,
    cover,
    engineers,
    factors,
    fate,
    hiding,
    movement,
    recon,
    retreat,
    stacking,
    zones,
)
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.rules.cover import answered_by, judged_by
from pbem.games.nopasaran.rules.naming import place
from pbem.games.nopasaran.stages.charges import Charges
from pbem.games.nopasaran.stages.combat import Fighting
from pbem.games.nopasaran.stages.cover import NamingEngineers, Showing, opened
from pbem.games.nopasaran.stages.fire import BombersWatched, Firing
from pbem.games.nopasaran.stages.losses import CheckingMorale
from pbem.games.nopasaran.stages.papers import TellingWhereAttacked, TellingWith, tells_with
from pbem.games.nopasaran.stages.reports import IfUnsaid, Measuring
from pbem.games.nopasaran.stages.rolling import ten_sided
from pbem.games.nopasaran.stages.scouting import GroundScouting
from pbem.games.nopasaran.tables import ENEMY
from pbem.messages import say
from pbem.value import replace, value

READY = (
    (activation.activates_one_thing,),
    (activation.activates_what_is_ready, activation.says_who_acts),
)
BY_ITS_AUTHOR, AS_BOTH_KNOW = judged_by(*READY), answered_by(*READY)


def activates(stage: OfASide, position: Position, order: o.Activate) -> Iterator[s.Violation]:
    """The check of an activation: by what its author has assigned. One without the word of their
    program, by sealed standing orders, is given by what both know; then it is told who acts.
    """
    found = [*BY_ITS_AUTHOR(stage, position, order)]
    if found and not (order.told or position.is_open):
        found = [*AS_BOTH_KNOW(stage, position, order)] and found
    yield from found


activates.predicates = s.predicates_of(BY_ITS_AUTHOR)  # type: ignore[attr-defined]


@value
@CITE.serves("5.3.p3")
class Activating(s.PlayerStage[Position]):
    """The side with the initiative activates something, or is finished for the day."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        if not activation.has_more_to_do(position, self.side):
            return None
        return s.Decision(
            side=self.side, stage="activation", rule="5.4.1",
            prompt=say("activate a division, a combat formation or a unit of support troops, or be "
                       "finished for the day"),
            options=(s.Option(o.Activate, examples=self._examples(position)), s.Option(o.Finish),
                     *hides(position, self.side)),
            default=o.Finish(), policy="activation",
        )  # fmt: skip

    def _examples(self, position: Position) -> s.Examples:
        able = cache(lambda: self._able(position.seen(self.side)))

        def found(some: s.Some) -> Iterator[s.Example]:
            first: dict[str, str] = {}
            named = [(kind, name) for kind, names in able().items() for name in names]
            for kind, name in some(named):
                first.setdefault(kind, name)
            for kind, name in first.items():
                yield s.Example(replace(o.Activate(), **{kind: name}), others={kind: able()[kind]})

        return found

    def _able(self, position: Position) -> Mapping[str, tuple[str, ...]]:
        """What could be activated now, by what it is."""
        return {
            "division": activation.divisions(position, self.side),
            "formation": activation.formations(position, self.side),
            "unit": activation.single_units(position, self.side),
        }

    check = s.by_verb({
        o.Activate: activates,
        o.Finish: s.checks(),
        o.Mix: judged_by((hiding.mixes_what_may_hide,)),
        o.Mask: judged_by((hiding.masks_what_it_may,)),
    })  # fmt: skip

    @CITE.serves("5.4.1.1", "5.4.1.2")
    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if isinstance(order, o.Finish):
            return s.Outcome((e.SideFinished(self.side),))
        if isinstance(order, o.Mix):
            return s.Outcome(mixed(position, self.side, order), keep=self)
        if isinstance(order, o.Mask):
            return s.Outcome(masked(self.side, order), keep=self)
        assert isinstance(order, o.Activate)
        story, named = opened(position, self.side, order)
        begins = Beginning(self.side, named)
        if named.told:
            story.happen(begins.event(story.position))
            return story.outcome(then=(Acting(self.side), Settling(self.side)))
        return story.outcome(then=(TellingWith(self.side, named), begins))


@value
@CITE.serves("5.4.1.1", "5.4.1.2")
class Beginning(s.AutoStage[Position]):
    """An activation begins, once it is told who acts in it; nothing does if it turns out that they
    act with others.
    """

    side: s.Side
    order: o.Activate

    def run(self, position: Position) -> s.Outcome:
        if any(activation.activates_what_is_ready(self, position, self.order)):
            return s.Outcome(then=(Activating(self.side),))
        then = (Acting(self.side), Settling(self.side))
        return s.Outcome((self.event(position),), then=then)

    def event(self, position: Position) -> e.Activated:
        """Who acts, as both know now."""
        order = self.order
        if order.division:
            units, name = activation.of_division(position, order.division), order.division
        elif order.formation:
            units, name = activation.of_formation(position, order.formation), order.formation
        else:
            units, name = (order.unit,), order.unit
        may_act = activation.may_act_with(position, self.side, name,
                                          is_division=bool(order.division))  # fmt: skip
        units = tuple(unit for unit in units if not is_tag(unit))
        acts = name if is_tag(name) else position.down.present(order.acts)
        return e.Activated(self.side, name, units, activation.in_zones(position, self.side),
                           may_act, acts if is_tag(acts) else "", order.told)  # fmt: skip


def said_with(position: Position, order: o.Move | o.Mix) -> Iterator[e.Event[Position]]:
    """What an order says of counters that still lie face down."""
    for said in order.zones:
        if cover.says_of(position, order, said.units):
            yield e.ZoneSaid(said.units, said.zone)
    for unit, formation in getattr(order, "top", {}).items():
        if cover.may_be_said(position, (unit,)):
            yield e.FormationSaid(unit, formation)


def hides(position: Position, side: s.Side) -> Iterator[s.Option]:
    """The orders to mix and to mask, where counters lie face down: by what both know."""
    if position.is_open:
        return

    def mixes() -> Iterator[o.Mix]:
        able = tuple(hiding.groups(position.veiled(None), side, o.ALL))
        if able and not any(position.side_of(tag) == side for tag in position.mixed):
            yield from (o.Mix(o.ALL), *(o.Mix((hex,)) for hex in able))

    left = hiding.markers_left(position, side)

    def masks() -> Iterator[o.Mask]:
        if left:
            yield from (o.Mask((hex,)) for hex in hiding.maskable(position, side))

    if not hiding.is_last_day(position):
        yield s.Option(o.Mix, examples=s.listed(mixes))
    yield s.Option(o.Mask, note=say("force markers that you have left: {left}", left=left),
                 examples=s.listed(masks))  # fmt: skip


def masked(side: s.Side, order: o.Mask) -> tuple[e.ForceMasked, ...]:
    """Force markers are put on hexes."""
    return tuple(e.ForceMasked(side, hex) for hex in order.at)


@CITE.serves("2.6")
def mixed(position: Position, side: s.Side, order: o.Mix) -> tuple[e.Event[Position], ...]:
    """Counters of a side are turned face down and mixed; what they come to is said."""
    groups = hiding.groups(position, side, order.at)
    story: s.Unfolding[Position] = s.Unfolding(position)
    if groups:
        story.happen(e.CountersMixed(side, tuple(groups.values())))
    story.happen(*said_with(story.position, order))
    return tuple(story.events)


def _of_steps(check: s.Predicate) -> s.Predicate:
    """A check of moves that judges the steps of a path, and tells faults at their place in it as it
    was written: with the hex where the units stand, or without it.
    """

    def judged(stage: Any, position: Position, order: o.Move) -> Iterator[s.Violation]:
        steps = movement.without_start(position, cover.in_tags(position, stage.side, order))
        before = len(order.path) - len(steps.path)
        for fault in check(stage, position, steps):
            match fault.at:
                case ("path", int(at)):
                    yield replace(fault, at=("path", at + before))
                case _:
                    yield fault

    judged.predicates = s.predicates_of(check)  # type: ignore[attr-defined]
    judged.whole = check.whole  # type: ignore[attr-defined]
    return judged


ATTACK_CHECKS = judged_by(
    (combat.attacks_enemies,), (combat.attacks_with_its_own,), (combat.attacks_in_this_cycle,),
    (combat.attacks_what_it_reaches,), (combat.has_its_type,),
    (combat.attacks_with_something, combat.leads_with_a_unit, combat.is_supported_by_what_can),
)  # fmt: skip
MOVE_CHECKS = _of_steps(judged_by(
    (movement.moves_its_own,), (movement.acts_in_this_cycle, movement.moves_from_one_hex),
    (movement.moves_in_one_go,),
    (movement.follows_the_map,), (movement.meets_no_enemy,), (movement.enters_what_it_can,),
    (movement.cuts_rails, movement.mends_roads, movement.goes_away_if_demoralised),
    (movement.keeps_to_roads, movement.has_the_points, movement.ends_where_there_is_room),
))  # fmt: skip
FIRE_CHECKS = judged_by(
    (artillery.fires_at_enemies, artillery.fires_at_what_is_there),
    (artillery.fires_with_something,),
)  # fmt: skip
ENGINEER_CHECKS = judged_by(
    (engineers.works_with_engineers,),
    (engineers.is_able_to_do_it, engineers.names_what_it_uses),
    (engineers.blows_a_bridge, engineers.destroys_what_is_there, engineers.repairs_what_is_broken,
     engineers.lays_over_a_river),
)  # fmt: skip


@value
@CITE.serves("5.5")
class Acting(s.PlayerStage[Position]):
    """The units that are activated act, one after another, until their player is done."""

    side: s.Side
    given: tuple[s.Order, ...] = ()
    """The orders that were carried out in this activation."""

    @CITE.rule("12")
    def ask(self, position: Position) -> s.Decision:
        return s.Decision(
            side=self.side, stage="action", rule="5.5",
            prompt=say("act with the units that are activated, or end the activation"),
            options=tuple(self._options(position)), default=o.Done(),
            optional=True, policy="action", goes_on=True,
        )  # fmt: skip

    def _able(self, position: Position) -> list[str]:
        """The units that may still move."""
        cycle = position.cycle
        assert cycle is not None
        may_move = cycle.able - cycle.attacked - cycle.advanced - cycle.working
        return [unit for unit in position.on_map(self.side) if unit in may_move]

    def _options(self, position: Position) -> Iterator[s.Option]:
        cycle, both_know = position.cycle, position
        assert cycle is not None
        position = position.seen(self.side)
        coming_in = [unit for unit in both_know.board.units
                     if unit in cycle.able and activation.comes_today(both_know, unit)]  # fmt: skip
        if coming_in:
            yield s.Option(o.Arrive, examples=self._arrivals(position, coming_in))
        yield s.Option(o.Move, examples=self._moves(position))
        yield s.Option(
            o.Attack,
            note=say("an attack without type is regular"),
            examples=self._attacks(position),
        )
        yield s.Option(o.Bombard, examples=self._bombardments(position))
        yield s.Option(o.Scout, examples=self._scoutings(position))
        yield s.Option(o.Engineer, examples=self._works(position))
        yield s.Option(o.Consolidate, examples=self._consolidations(position))
        yield s.Option(o.Arrange, examples=self._stacks(position))
        yield s.Option(o.Finish, examples=self._last(position))
        yield from hides(position, self.side)
        yield s.Option(o.Done)

    def _last(self, position: Position) -> s.Examples:
        """The end of the day with this activation, where no formation could act after it."""

        def found(some: s.Some) -> Iterator[s.Example]:
            if not any(activation.can_activate_formation(position, id)
                       for id in position.board.formations_of[self.side]):  # fmt: skip
                yield s.Example(o.Finish())

        return found

    def _arrivals(self, position: Position, units: list[str]) -> s.Examples:
        def found(some: s.Some) -> Iterator[s.Example]:
            for unit in some(units):
                for hex in some(coming.entries(position, unit)):
                    yield s.Example(o.Arrive((unit,), hex))

        return found

    def _moves(self, position: Position) -> s.Examples:
        """For those of each hex that move alike one line, with every hex in their reach."""
        alike = cache(lambda: self._alike(position))
        reachable = cache(partial(movement.reachable, position))

        def found(some: s.Some) -> Iterator[s.Example]:
            for units in some(alike()):
                paths = reachable(units[0])
                if units[0] in position.demoralised:
                    here = position.at(units[0])
                    paths = {hex: path for hex, path in paths.items()
                             if movement.leads_away(position, self.side, here, hex)}  # fmt: skip
                # First where to fight; headquarters and guns keep away from there.
                fights = position.printed(units[0]).is_combat
                ends = sorted(
                    paths,
                    key=lambda hex: fights != zones.in_enemy_zone(position, hex, self.side),
                )
                for last in tuple(some(ends))[:1]:
                    told = reach_told(place(position, position.at(units[0])), units, ends)
                    yield s.Example(o.Move(units[:1], paths[last]), told, {
                        "units": tuple((unit,) for unit in units),
                        "path": tuple(paths[hex] for hex in ends),
                    })  # fmt: skip

        return found

    def _alike(self, position: Position) -> tuple[tuple[str, ...], ...]:
        """The units that may still move: together those of one hex that may go the same ways."""
        found: dict[tuple[Any, ...], list[str]] = {}
        assert position.cycle is not None
        for unit in self._able(position):
            if unit in position.cycle.halted:
                continue
            printed = position.printed(unit)
            at = position.at(unit)
            points = (factors.left_to_spend(position, unit),
                      movement.is_least_move(position, (unit,), (at,)))  # fmt: skip
            states = tuple(
                unit in those
                for those in (position.demoralised, position.disorganised, position.pontoons)
            )
            paid = movement.paid_by(position, unit)
            key = at, printed.type, printed.kind, points, states, paid
            found.setdefault(key, []).append(unit)
        return tuple(map(tuple, found.values()))

    def _attacks(self, position: Position) -> s.Examples:
        def found(some: s.Some) -> Iterator[s.Example]:
            for hex in some(tuple(combat.targets(position, self.side))):
                able = combat.able_against(position, self.side, hex)
                units = [unit for those in able.values() for unit in those]
                guns = artillery.attack_guns(position, self.side, hex, units)
                air = artillery.attack_air(position, units)
                for type in some(self._types(position, hex, able)):
                    backing: o.Backing | str = ""
                    if position.board.attacks[type].support and (guns or air):
                        backing = o.Backing(guns, air)
                    order = o.Attack(hex, able, type, support=backing)
                    if not any(ATTACK_CHECKS(self, position, order)):
                        yield s.Example(order)

        return found

    def _types(
        self, position: Position, hex: str, able: Mapping[str, tuple[str, ...]]
    ) -> tuple[str, ...]:
        cycle = position.cycle
        assert cycle is not None
        units = [unit for those in able.values() for unit in those]
        if any(unit in cycle.advanced for unit in units):
            return (o.IMPROVISED,)
        found = [combat.REGULAR]
        if not any(unit in cycle.improvised for unit in units):
            found.append(o.IMPROVISED)
            if all(combat.can_prepare(position, unit, hex) for unit in units):
                found.append(combat.PREPARED)
        if not any(combat.attacks_mobile(self, position, o.Attack(hex, able, combat.MOBILE))):
            found.append(combat.MOBILE)
        return tuple(found)

    def _bombardments(self, position: Position) -> s.Examples:
        def found(some: s.Some) -> Iterator[s.Example]:
            enemies = [hex for hex, holder in position.holders.items()
                       if holder == ENEMY[self.side]]  # fmt: skip
            for hex in some(enemies):
                guns = artillery.guns_on(position, self.side, (hex,))
                air = artillery.bombers(position, self.side, hex)
                first = [gun for gun in guns if factors.fire(position, gun)][:1]
                order = o.Bombard(hex, guns if air else tuple(first), air)
                if not any(FIRE_CHECKS(self, position, order)):
                    yield s.Example(order)

        return found

    def _scoutings(self, position: Position) -> s.Examples:
        def found(some: s.Some) -> Iterator[s.Example]:
            scouts = [unit for unit in self._able(position)
                      if position.printed(unit).type in recon.SCOUTS]  # fmt: skip
            for unit in some(scouts):
                for hex in some(position.ground.around[position.at(unit)]):
                    order = o.Scout(unit, hex)
                    if not any(SCOUT_CHECKS(self, position, order)):
                        yield s.Example(order)

        return found

    def _works(self, position: Position) -> s.Examples:
        def found(some: s.Some) -> Iterator[s.Example]:
            for unit in some(self._able(position)):
                for order in some(tuple(self._tasks(position, unit))):
                    if not any(ENGINEER_CHECKS(self, position, order)):
                        yield s.Example(order)

        return found

    def _tasks(self, position: Position, unit: str) -> Iterator[o.Engineer]:
        if position.printed(unit).type not in engineers.ENGINEERS:
            return
        for bridge in engineers.bridges_beside(position, unit):
            yield o.Engineer(unit, engineers.BLOW, bridge=bridge.id)
        for task in (engineers.DESTROY_ROAD, engineers.DESTROY_RAIL):
            yield o.Engineer(unit, task)
        broken = engineers.repairable(position, unit)
        for at in broken:
            is_bridge = at in position.ground.bridges
            yield o.Engineer(unit, engineers.REPAIR, bridge=at if is_bridge else "",
                             to=at if not is_bridge and len(broken) > 1 else "")  # fmt: skip
        for hex in position.ground.around[position.at(unit)]:
            yield o.Engineer(unit, engineers.LAY, to=hex)

    def _consolidations(self, position: Position) -> s.Examples:
        def found(some: s.Some) -> Iterator[s.Example]:
            weak = [unit for unit in self._able(position) if position.is_weakened(unit)]
            for giver in some(weak):
                for receiver in some(position.stacks[position.at(giver)]):
                    order = o.Consolidate(giver, receiver)
                    if not any(CONSOLIDATE_CHECKS(self, position, order)):
                        yield s.Example(order)

        return found

    def _stacks(self, position: Position) -> s.Examples:
        def found(some: s.Some) -> Iterator[s.Example]:
            able = set(self._able(position))
            below = {
                hex: [unit for unit in units[1:] if position.printed(unit).is_combat]
                for hex, units in position.stacks.items()
                if able.intersection(units)
            }
            for hex in some([hex for hex, units in below.items() if units]):
                for top in some(below[hex]):
                    others = (unit for unit in position.stacks[hex] if unit != top)
                    yield s.Example(o.Arrange(hex, (top, *others)))

        return found

    check = s.by_verb({
        o.Arrive: judged_by((coming.arrives_where_it_may,)),
        o.Move: MOVE_CHECKS,
        o.Attack: ATTACK_CHECKS,
        o.Bombard: FIRE_CHECKS,
        o.Scout: judged_by((recon.scouts_with_riders,), (recon.could_go_there,)),
        o.Engineer: ENGINEER_CHECKS,
        o.Consolidate: judged_by((coming.consolidates,)),
        o.Arrange: judged_by((stacking.arranges_a_stack,)),
        o.Finish: s.checks(),
        o.Mix: judged_by((hiding.mixes_what_may_hide,)),
        o.Mask: judged_by((hiding.masks_what_it_may,)),
        o.Done: s.checks(),
    })  # fmt: skip

    @CITE.serves("5.3")
    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        # reading: a side may say with its last activation that it is finished for the day; nobody
        # throws for initiative behind it.
        story, order = opened(position, self.side, order)
        position = story.position
        then: tuple[s.Stage[Position], ...] = ()
        match order:
            case o.Arrive(units=units, at=hex):
                cost = {unit: coming.entry_cost(position, unit, hex) or 0 for unit in units}
                story.happen(e.UnitsArrived(units, hex, cost))
                fate.take_control(story, self.side, (hex,), units)
            case o.Move(units=units):
                steps = movement.without_start(position, order)
                path = (position.at(units[0]), *steps.path)
                charges = engineers.charged(position, self.side, path)
                if charges:
                    then = (Charges(charges, ENEMY[self.side]), Going(self.side, steps, charges))
                else:
                    go(story, self.side, steps)
            case o.Attack():
                charges = engineers.charged_before(position, self.side, order)
                enemy = ENEMY[self.side]
                then = (*tells_with(self.side, order), Showing(enemy, order.hex),
                        TellingWhereAttacked(enemy, order.hex, tuple(order.units)),
                        Fighting(self.side, order, bridge=charges))  # fmt: skip
                if charges:
                    then = (Charges(charges, enemy), *then)
            case o.Bombard():
                then = (*tells_with(self.side, order), BombersWatched(self.side, order),
                        Firing(self.side, order))  # fmt: skip
                if order.at == o.UNITS:
                    enemy = ENEMY[self.side]
                    then = (TellingWhereAttacked(enemy, order.target),
                            Measuring(enemy, order.target), *then)  # fmt: skip
            case o.Scout():
                then = (GroundScouting(self.side, order),)
            case o.Engineer():
                then = work(story, self.side, order)
            case o.Consolidate(giver=giver, receiver=receiver):
                points = coming.given_points(position, order)
                story.happen(e.Consolidated(giver, receiver, points))
            case o.Arrange(hex=hex, units=units):
                story.happen(e.StackArranged(hex, units, order.attacks))
            case o.Mask():
                story.happen(*masked(self.side, order))
            case o.Mix():
                story.happen(*mixed(position, self.side, order))
            case o.Finish():
                return s.Outcome((e.SideFinished(self.side),))
            case _:
                return s.Outcome()
        if then or isinstance(order, o.Move):
            # reading: players do not choose when they announce a zone of control: if a march leaves
            # one unsaid, its player is asked at once.
            then = (*then, IfUnsaid())
        return story.outcome(keep=replace(self, given=(*self.given, order)), then=then)


SCOUT_CHECKS = judged_by((recon.scouts_with_riders,), (recon.could_go_there,))
CONSOLIDATE_CHECKS = judged_by((coming.consolidates,))


def doubts(
    stage: s.PlayerStage[Position], position: Position, order: s.Order
) -> Iterator[s.Violation]:
    """Why an order given ahead lapses that both could see as legal."""
    return ahead.doubts(stage, position, order, MOVE_CHECKS.whole)  # type: ignore[attr-defined]


# ------------------------------------------------------------------- movement


@CITE.serves("10")
def go(story: s.Unfolding[Position], side: s.Side, order: o.Move) -> None:
    """Units go their way: they spend points, cut rails, mend roads and take control."""
    position = story.position
    start = position.at(order.units[0])
    path = (start, *order.path)
    known = tuple(unit for unit in order.units if not is_tag(unit))
    cost = costs_of(position, order.units, known, order, path)
    fate.help_across(story, side, path, order.units)
    marches = marches_of(position, order.units, known, path)
    cost_as, marches_as = {}, {}
    for tag in filter(is_tag, order.units):
        cost_as[tag], marches_as[tag] = costs_as(position, side, tag, order, path)
    lead = movement.lead_of(position, order.units, path)
    said = tuple(said_with(position, order))
    story.happen(e.UnitsMoved(order.units, order.path, cost, start, cost_as, lead, marches,
                              marches_as), *said)  # fmt: skip
    for hex, state in order.cut.items():
        story.happen(e.RailChanged(hex, state))
    for hex in order.repair:
        story.happen(e.RoadChanged(hex, ""))
    fate.take_control(story, side, order.path, order.units)


def costs_of(
    position: Position, units: tuple[str, ...], known: tuple[str, ...], order: o.Move,
    path: tuple[str, ...],
) -> dict[str, int]:  # fmt: skip
    """The half points that each unit spends on a path, of those that go it together."""
    # reading: 10.1, a battery that has fired, or a unit that has looked, has no least move.
    by_road = movement.marches_by_road(position, units, path)
    is_least = movement.is_least_move(position, units, order.path)
    found: dict[str, int] = {}
    for unit in known:
        needs = movement.path_cost(position, units, unit, path, by_road=by_road,
                                   mending=order.repair, cutting=order.cut)  # fmt: skip
        assert needs is not None
        # The least move of one hex takes all points only where they would not have done.
        most = factors.allowance(position, unit) if is_least else needs
        found[unit] = min(needs, most)
    return found


@CITE.serves("6.2.p5", "7.3.1")
def marches_of(
    position: Position, units: tuple[str, ...], known: tuple[str, ...], path: tuple[str, ...]
) -> dict[str, March]:
    """The march of each unit, of those that go a path together."""
    by_road = movement.marches_by_road(position, units, path)
    return {unit: movement.march_after(position, units, unit, path, by_road=by_road)
            for unit in known}  # fmt: skip


@CITE.serves("2.6")
def costs_as(
    position: Position, side: s.Side, tag: str, order: o.Move, path: tuple[str, ...]
) -> tuple[Mapping[str, int], Mapping[str, March]]:
    """By the unit that a counter face down may be what it spends on a path, if it could go it, and
    its march.
    """
    both_know = position.veiled(None)
    could = cover.moves_alone(Acting(side), order, MOVE_CHECKS.whole)  # type: ignore[attr-defined]
    found: dict[str, int] = {}
    marches: dict[str, March] = {}
    for piece in cover.who_could(both_know, tag, could):
        supposed = both_know.supposing(tag, piece)
        found |= costs_of(supposed, (piece,), (piece,), order, path)
        marches |= marches_of(supposed, (piece,), (piece,), path)
    return found, marches


@value
class Going(s.AutoStage[Position]):
    """A move over a bridge goes on for those who can still cross, if prepared charges have left it
    one.
    """

    side: s.Side
    order: o.Move
    bridge: str

    def run(self, position: Position) -> s.Outcome:
        order = engineers.over_what_is_left(position, self.order)
        is_void = position.state_of_bridge(self.bridge) == DESTROYED
        both_know = position.veiled(None)
        if is_void or (order.units and any(MOVE_CHECKS(Acting(self.side), both_know, order))):
            order = replace(order, units=())
        story: s.Unfolding[Position] = s.Unfolding(position)
        if order.units:
            go(story, self.side, order)
        if stay := tuple(unit for unit in self.order.units if unit not in order.units):
            story.happen(e.LeftBehind(stay))
        return story.outcome()


# ------------------------------------------------------------------- engineers


@CITE.serves("20.1", "20.2", "20.6")
def work(
    story: s.Unfolding[Position], side: s.Side, order: o.Engineer
) -> tuple[s.Stage[Position], ...]:
    """Engineers do their task, or begin it; a bridge that the enemy watches has a die."""
    position, unit = story.position, order.unit
    here = position.at(unit)
    match order.task:
        case "blow":
            bridge = position.ground.bridges[order.bridge]
            if engineers.blow_modifier(position, unit, bridge) is None:
                story.happen(e.EngineerWorked(unit),
                             e.BridgeChanged(bridge.id, DESTROYED, 0, "20.1"))  # fmt: skip
                return ()
            story.happen(e.EngineerWorked(unit))
            return (NamingEngineers(ENEMY[side], unit, bridge.id), Blowing(unit, bridge.id))
        case "destroy_road":
            story.happen(e.EngineerWorked(unit), e.RoadChanged(here, DESTROYED))
        case "destroy_rail":
            story.happen(e.EngineerWorked(unit), e.RailChanged(here, DESTROYED))
        case "repair":
            at = engineers.what_it_repairs(position, order)
            story.happen(e.WorkBegun(unit, Task(engineers.REPAIR, at, position.day)))
        case _:
            story.happen(e.PontoonLaid(unit, key_of(here, order.to)))
    return ()


@value
@CITE.serves("20.1")
class Blowing(s.ChanceStage[Position]):
    """Engineers try to blow a bridge with the enemy beside it."""

    unit: str
    bridge: str

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("demolition", "20.1", (
            ten_sided("demolition/#", say("demolition of {bridge}", bridge=self.bridge)),
        ))  # fmt: skip

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        bridge = position.ground.bridges[self.bridge]
        die = rolled["demolition/#"].face
        more = engineers.blow_modifier(position, self.unit, bridge) or 0
        if die + more <= position.board.charts["demolition"]["most"]:
            return s.Outcome((e.BridgeChanged(self.bridge, DESTROYED, die, "20.1"),))
        return s.Outcome((e.BridgeHeld(self.bridge, die, "20.1"),))


# ------------------------------------------------------------------- the end of an activation


@value
@CITE.rule("5.5.p6", "8.p2")
class Settling(s.AutoStage[Position]):
    """An activation ends: hexes that are too full are cleared first."""

    side: s.Side

    def run(self, position: Position) -> s.Outcome:
        for hex in stacking.overfull(position, self.side):
            return s.Outcome(keep=self, then=(Displacing(self.side, hex),))
        cycle = position.cycle
        assert cycle is not None
        return s.Outcome((e.ActivationEnded(self.side, cycle.formation),))


@value
@CITE.serves("8.p3")
class Displacing(s.PlayerStage[Position]):
    """A side clears a hex that holds too much."""

    side: s.Side
    hex: str

    def ask(self, position: Position) -> s.Decision | None:
        if not stacking.excess(position, self.hex):
            return None
        seen = position.by_faces(self.side)
        default = retreat.default_displacement(seen, self.hex, self.side)
        return s.Decision(
            side=self.side, stage="displace", rule="8.p3",
            prompt=say("clear {hex}, which holds too many troop points",
                       hex=place(position, self.hex)),
            options=(s.Option(o.Displace, examples=lambda some: iter((s.Example(default),))),),
            default=default, policy="displace",
        )  # fmt: skip

    check = answered_by((retreat.displaces_the_excess,))

    def resolve(self, position: Position, order: o.Displace) -> s.Outcome:  # type: ignore[override]
        story: s.Unfolding[Position] = s.Unfolding(position)
        for unit in position.board.in_order(order.paths):
            story.happen(e.UnitsDisplaced((unit,), order.paths[unit]))
            fate.take_control(story, self.side, order.paths[unit], (unit,))
        for unit in position.board.in_order(order.losses):
            story.happen(e.TroopsLost(unit, order.losses[unit]))
        fate.leave_headquarters_alone(story, self.hex)
        lost = position.board.in_order(order.losses)
        return story.outcome(then=(s.IfRolled(CheckingMorale(self.side, lost)),) if lost else ())
