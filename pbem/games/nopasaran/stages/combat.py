"""12 to 16: a combat, step by step: retreat before it, support, dice, losses, retreat, advance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.board.ledger import total
from pbem.engine import staging as s
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.options import FREE_REACTIONS
from pbem.games.nopasaran.position import CAS, DESTROYED, Combat, Position
from pbem.games.nopasaran.rules import (
    air,
    answers,
    artillery,
    combat,
    command,
    factors,
    fate,
    movement,
    retreat,
    stacking,
)
from pbem.games.nopasaran.rules.answers import attackers_left, combat_of, defenders_left
from pbem.games.nopasaran.rules.cover import answered_by, judged_by
from pbem.games.nopasaran.rules.naming import called, place
from pbem.games.nopasaran.stages.cover import opened, watching
from pbem.games.nopasaran.stages.fire import Countering
from pbem.games.nopasaran.stages.losses import CheckingMorale, LosingAtRandom
from pbem.games.nopasaran.stages.papers import tells_with
from pbem.games.nopasaran.stages.rolling import ten_sided
from pbem.games.nopasaran.tables import ENEMY, MECHANISED
from pbem.messages import say, say_many
from pbem.value import replace, value


@value
@CITE.rule("12.3.1.b6")
@CITE.serves("12.1")
class Fighting(s.AutoStage[Position]):
    """An attack is declared, and resolved before anything else."""

    side: s.Side
    order: o.Attack
    is_reaction: bool = False
    bridge: str = ""
    """One that it crosses whose prepared charges may have gone off."""

    def run(self, position: Position) -> s.Outcome:
        is_void = position.state_of_bridge(self.bridge) == DESTROYED
        order = still_able(position, self.order)
        if is_void or not order.units:
            return s.Outcome((e.AttackStopped(order.hex),))
        story: s.Unfolding[Position] = s.Unfolding(position)
        fight = combat_by(position, self.side, order, is_reaction=self.is_reaction)
        meant = {unit for units in self.order.units.values() for unit in units}
        if stay := position.board.in_order(meant.difference(fight.attackers)):
            story.happen(e.LeftBehind(stay))
        story.happen(e.CombatBegan(fight))
        # reading: who helps an attack across a river has helped, whatever comes of it.
        for hex in fight.came_from:
            fate.help_across(story, self.side, (hex, fight.hex), fight.attackers)
        if order.type == combat.MOBILE:
            cost = {
                unit: combat.entry_cost(position, fight.attackers, unit, fight.hex) or 0
                for unit in fight.attackers
            }
            marches = {
                unit: movement.march_after(position, fight.attackers, unit,
                                           (position.at(unit), fight.hex), by_road=False)
                for unit in fight.attackers
            }  # fmt: skip
            story.happen(e.PointsSpent(cost, marches))
        if not fight.defenders:
            spend_all(story)
            fate.drive_headquarters(story, position.stacks[fight.hex])
            return story.outcome(then=(*after_combat(self.side), Ends()))
        return story.outcome(then=(Withdrawing(ENEMY[self.side], fight.hex), Meeting(self.side)))


@CITE.rule("12.1.b2")
def combat_by(
    position: Position, side: s.Side, order: o.Attack, *, is_reaction: bool = False
) -> Combat:
    """The combat that an attack begins."""
    attackers = position.board.in_order(u for units in order.units.values() for u in units)
    backing = order.support if isinstance(order.support, o.Backing) else o.Backing()
    defenders = fate.takes_part(position, position.stacks[order.hex])
    return Combat(
        side=side, hex=order.hex, type=real_type(position, order, defenders),
        attackers=attackers, came_from=dict(order.units), defenders=defenders, plan=order,
        guns=backing.guns, air=backing.air,
        primary=order.primary or next(iter(combat.leaders(position, attackers)), ""),
        is_reaction=is_reaction,
        is_surprise=not is_reaction and combat.is_surprise(position, order),
    )  # fmt: skip


@CITE.serves("J.3")
def still_able(position: Position, order: o.Attack) -> o.Attack:
    """An attack by those who can still make it, if charges have damaged the bridge that it crosses;
    by nobody if they come to nothing.
    """
    attackers = [unit for those in order.units.values() for unit in those]
    units = {
        hex: able
        for hex, those in order.units.items()
        if (able := tuple(unit for unit in those
                          if combat.reaches(position, unit, order.hex, attackers)))
    }  # fmt: skip
    left = [unit for those in units.values() for unit in those]
    if not any(combat.strength(position, left, order.type).values()):
        units = {}
    primary = order.primary if order.primary in left else ""
    return replace(order, units=units, primary=primary)


@CITE.serves("12.3.3")
def spend_all(story: s.Unfolding[Position]) -> None:
    """A prepared attack takes all points that its attackers have."""
    # reading: it is paid for once the defender has stayed, for the type is announced then (12.1).
    position = story.position
    fight = combat_of(position)
    if fight.type == combat.PREPARED:
        story.happen(e.PointsSpent({
            unit: factors.left_to_spend(position, unit) for unit in fight.attackers
        }))  # fmt: skip


@CITE.rule("12.3.3.p3")
def real_type(position: Position, order: o.Attack, defenders: Iterable[str]) -> str:
    """A prepared attack is a regular one if it meets units that another attack of this activation
    has driven there, unless that was prepared, too.
    """
    # reading: those displaced are defenders who retreated in this activation from an attack that
    # was not prepared.
    cycle = position.cycle
    if order.type != combat.PREPARED or cycle is None:
        return order.type
    driven = {cycle.driven.get(unit, combat.PREPARED) for unit in defenders}
    return combat.PREPARED if driven <= {combat.PREPARED} else combat.REGULAR


@value
class Ends(s.AutoStage[Position]):
    """The combat is over."""

    def run(self, position: Position) -> s.Outcome:
        if position.combat is None:
            return s.Outcome()  # it was mobile, and another was declared, or they have fallen back
        return s.Outcome((e.CombatEnded(position.combat.hex),))


# ------------------------------------------------------------------- retreat before combat


@value
@CITE.rule("12.1.b1")
class Withdrawing(s.PlayerStage[Position]):
    """The defender retreats before combat, or stays."""

    side: s.Side
    hex: str

    def ask(self, position: Position) -> s.Decision | None:
        fight = combat_of(position)
        if not combat.may_withdraw(position, fight):
            return None
        both_know = position.veiled(None)
        ways = {unit: retreat.withdrawals(both_know, unit) for unit in defenders_left(position)}
        if not all(ways.values()):
            return None
        return s.Decision(
            side=self.side, stage="withdraw", rule="12.2",
            prompt=say("retreat from {hex} before combat, or stay", hex=place(position, self.hex)),
            options=(s.Option(o.Withdraw, examples=self._examples(position)),),
            default=o.Withdraw(), policy="retreat_before_combat",
        )  # fmt: skip

    def _examples(self, position: Position) -> s.Examples:
        position = position.by_faces(self.side)

        def found(some: s.Some) -> Iterator[s.Example]:
            yield s.Example(o.Withdraw())
            units = defenders_left(position)
            together = retreat.withdrawals_together(position, units)
            for hex in some(sorted(together)):
                yield s.Example(o.Withdraw(together[hex]))
            apart = {} if together else retreat.withdrawals_apart(position, units)
            if apart:
                yield s.Example(o.Withdraw(apart))

        return found

    check = answered_by((retreat.withdraws_as_a_whole,), (retreat.withdraws_where_it_may,))

    @CITE.serves("12.2.p2")
    def resolve(self, position: Position, order: o.Withdraw) -> s.Outcome:  # type: ignore[override]
        story: s.Unfolding[Position] = s.Unfolding(position)
        disordered = retreat.disordered(position, self.side, order.paths)
        for unit in position.board.in_order(order.paths):
            path = order.paths[unit]
            story.happen(e.UnitsRetreated((unit,), path, before=True))
            fate.take_control(story, self.side, path, (unit,))
            if unit in disordered:
                story.happen(e.Disorganised((unit,)))
        return story.outcome()


@value
@CITE.rule("12.2.p4")
class Meeting(s.AutoStage[Position]):
    """Where the defender has withdrawn the attackers follow; else the combat goes on."""

    side: s.Side

    def run(self, position: Position) -> s.Outcome:
        fight = combat_of(position)
        story: s.Unfolding[Position] = s.Unfolding(position)
        if defenders_left(position):
            spend_all(story)
            # Guns are named when the defender has stayed, and fire at nobody else (12.1).
            if fight.guns:
                story.happen(e.GunsFired(fight.guns))
            return story.outcome(then=steps(fight, self.side))
        follow(story, self.side)
        return story.outcome(then=(Ends(),))


@CITE.serves("12.2.p4")
def follow(story: s.Unfolding[Position], side: s.Side) -> None:
    """The attackers go into the hex that was left, as their points and the room in it allow; at
    least one of them does. They may do again what they could before.
    """
    # reading: following costs what moving there costs, all of them together, as one stack; if none
    # has the points, one of those who can go there goes by 10.1. Who follows in a reaction pays
    # nothing (21.2).
    fight = combat_of(story.position)
    able = combat.advancing(story.position, fight.attackers, fight.hex)
    gone: list[str] = []
    for unit in fight.attackers:
        now = story.position
        way = now.at(unit), fight.hex
        together = (unit, *gone)
        by_road = movement.roads_count(now, together, way)
        cost = movement.path_cost(now, together, unit, way, by_road=by_road)
        has = factors.left_to_spend(now, unit)
        is_last = not gone and (unit,) == able[-1:]
        if cost is None or stacking.excess(now, fight.hex, (unit,)):
            continue
        if fight.type == combat.MOBILE or fight.is_reaction:
            cost = 0  # they have paid for going in, or do not pay
        if cost <= has or is_last:
            fate.help_across(story, side, way, (unit,))
            march = movement.march_after(now, together, unit, way, by_road=by_road)
            story.happen(e.UnitsAdvanced((unit,), (fight.hex,), {unit: min(cost, has)},
                                         {unit: march}))  # fmt: skip
            gone.append(unit)
    fate.take_control(story, side, (fight.hex,), gone)
    story.happen(e.MayGoOn(
        tuple(unit for unit in fight.attackers if combat.may_go_on(story.position, unit))
    ))  # fmt: skip


def steps(fight: Combat, side: s.Side) -> tuple[s.Stage[Position], ...]:
    """The steps of a combat after the defender has stayed."""
    enemy = ENEMY[side]
    support: tuple[s.Stage[Position], ...] = (Defending(enemy),)
    if fight.type == combat.MOBILE:
        support = (Leading(enemy), s.IfRolled(AllowingSupport(enemy)), Defending(enemy))
    return (
        *support, SupportWatched(), s.IfRolled(FiringAtAircraft()), Leading(enemy), Clash(side),
        *after_combat(side), Answering(side), Ends(),
    )  # fmt: skip


def after_combat(side: s.Side) -> tuple[s.Stage[Position], ...]:
    """What follows the dice: the advance, or another mobile attack."""
    return (FollowingUp(side),)


# ------------------------------------------------------------------- support


@value
@CITE.rule("12.1.b5", "12.4")
class Defending(s.PlayerStage[Position]):
    """The defender names batteries and aircraft that support the defence."""

    side: s.Side

    def _guns(self, position: Position) -> tuple[str, ...]:
        fight = combat_of(position)
        return artillery.defence_guns(
            position, self.side, defenders_left(position), fight.fought_from
        )

    def _air(self, position: Position) -> tuple[str, ...]:
        return artillery.defence_air(position, defenders_left(position))

    def can_be_supported(self, position: Position) -> bool:
        """Whether anything could support the defence."""
        fight = combat_of(position)
        known = self._guns(position) or self._air(position)
        return not fight.is_surprise and bool(known or self._may_have_guns(position))

    def _may_have_guns(self, position: Position) -> bool:
        formations = artillery.formations_of(position, defenders_left(position))
        hexes = combat_of(position).fought_from
        return artillery.may_have_guns_on(position, self.side, hexes, formations)

    def ask(self, position: Position) -> s.Decision | None:
        fight = combat_of(position)
        both_know = position.veiled(None)
        if not (fight.is_defended_by_fire and self.can_be_supported(both_know)):
            return None
        every = self.whole(position.by_faces(self.side))
        return s.Decision(
            side=self.side, stage="defend", rule="12.4",
            prompt=say("support the defence of {hex}", hex=place(position, fight.hex)),
            options=(s.Option(o.Defend, examples=s.listed([o.Defend(), every])),),
            default=every, policy="support",
        )  # fmt: skip

    def whole(self, position: Position) -> o.Defend:
        """Everything that could support the defence, with the hexes it fires at (12.4.p5)."""
        return o.Defend(answers.spread(position, self._guns(position)), self._air(position))

    check = answered_by((answers.supports_the_defence,), (answers.fires_at_different_hexes,))

    def resolve(self, position: Position, order: o.Defend) -> s.Outcome:  # type: ignore[override]
        story, order = opened(position, self.side, order)
        if order.guns or order.air:
            story.happen(e.SupportNamed(self.side, order.guns, order.air))
        if order.guns:
            story.happen(e.GunsFired(tuple(order.guns)))
        return story.outcome()


@value
@CITE.rule("12.4.p2")
class AllowingSupport(s.ChanceStage[Position]):
    """Against a mobile attack the defender is supported only if a die is within the effectiveness
    of the unit that leads.
    """

    side: s.Side

    def chance(self, position: Position) -> s.Chance:
        draws: tuple[s.Draw, ...] = ()
        if Defending(self.side).can_be_supported(position.veiled(None)):
            draws = (ten_sided("support/#", say("support against a mobile attack")),)
        return s.Chance("support", "12.4", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        if "support/#" not in rolled:
            return s.Outcome()
        leader = combat_of(position).defence_primary
        effectiveness = combat.effectiveness_of(position, leader)
        die = rolled["support/#"].face
        return s.Outcome((e.SupportAllowed(die, effectiveness, die <= effectiveness),))


def in_support(position: Position) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The aircraft on close support of a combat, the attacker's first, with their ways."""
    fight = combat_of(position)
    for unit in (*fight.air, *fight.defence_air):
        side = position.board.air[unit].side
        start = position.at(position.missions[unit].target)
        yield unit, air.flight(position, side, fight.hex, start)


@value
@CITE.serves("7.4")
class SupportWatched(s.AutoStage[Position]):
    """Before aircraft on close support are fired at, units face down may be shown that fire."""

    def run(self, position: Position) -> s.Outcome:
        return watching(position, (
            (position.board.air[unit].side, path) for unit, path in in_support(position)
        ))  # fmt: skip


@value
@CITE.rule("12.1.b6")
class FiringAtAircraft(s.ChanceStage[Position]):
    """Antiaircraft fire at all aircraft on close support, the attacker's first."""

    def chance(self, position: Position) -> s.Chance:
        draws = tuple(
            ten_sided(f"antiaircraft/#/{unit}", say("antiaircraft fire at {unit}",
                                               unit=called(position, unit)))
            for unit, path in in_support(position)
            if air.fire_against(position, position.board.air[unit].side, path)
        )  # fmt: skip
        return s.Chance("antiaircraft", "7.4", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        flying = list(in_support(position))
        for unit, path in flying:
            roll = rolled.get(f"antiaircraft/#/{unit}")
            if roll is not None:
                factor = air.fire_against(position, position.board.air[unit].side, path)
                left = air.left_after_fire(position, unit, CAS, factor, roll.face)
                story.happen(e.FiredAt(unit, path[-1], factor, roll.face, left))
        if flying:
            story.happen(e.AircraftFlew(tuple(unit for unit, _ in flying)))
        return story.outcome()


@value
@CITE.rule("12.1.b7")
class Leading(s.PlayerStage[Position]):
    """The defender names the unit that leads, if there is a choice and none is named yet."""

    # reading: the attacker names the unit that leads with the attack; without a word the most
    # effective leads.
    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        able = self.able(position)
        if combat_of(position).defence_primary or not able:
            return None
        return s.Decision(
            side=self.side, stage="lead", rule="12.5",
            prompt=say("name the unit that leads the defence of {hex}",
                       hex=place(position, combat_of(position).hex)),
            options=(s.Option(o.Lead, {"unit": s.OneOf(able)}),),
            default=o.Lead(able[0]), policy="primary",
        )  # fmt: skip

    def able(self, position: Position) -> tuple[str, ...]:
        """The units that may lead, the best first."""
        return combat.leaders(position, defenders_left(position))

    check = judged_by((answers.leads_if_able,), is_public=True)

    def resolve(self, position: Position, order: o.Lead) -> s.Outcome:  # type: ignore[override]
        return s.Outcome((e.LeaderNamed(self.side, order.unit),))


# ------------------------------------------------------------------- the dice


@value
@CITE.rule("12.1.b8")
class Clash(s.ChanceStage[Position]):
    """The die of effectiveness, the combat die, and the result."""

    side: s.Side

    def chance(self, position: Position) -> s.Chance:
        hex = combat_of(position).hex
        return s.Chance("combat", "12.1", (
            ten_sided("combat/#/effectiveness", say("effectiveness in {hex}", hex=hex)),
            ten_sided("combat/#/result", say("combat in {hex}", hex=hex)),
        ))  # fmt: skip

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        if not combat_of(position).defence_primary:
            able = combat.leaders(position, defenders_left(position))
            if able:
                story.happen(e.LeaderNamed(ENEMY[self.side], able[0]))
        now, fight = story.position, combat_of(story.position)
        mine = combat.effectiveness_of(now, fight.primary)
        theirs = combat.effectiveness_of(now, fight.defence_primary)
        die = rolled["combat/#/effectiveness"].face
        effect = now.board.effectiveness_modifier(mine - theirs, die)
        ledger = combat.modifiers(now, fight)
        column = combat.final_column(now, fight)
        face = rolled["combat/#/result"].face
        result = combat.result_of(now, column, face + effect + total(ledger))
        table = now.board.combat
        story.happen(e.CombatRolled(
            combat.attack_strength(now, fight), combat.defence_strength(now, fight),
            table.heading(combat.column_of(now, fight)), combat.shifts(now, fight),
            table.heading(column), effect, die, ledger, face, result,
        ))  # fmt: skip
        count_success(story, self.side)
        printed = now.board.results[result]
        then: list[s.Stage[Position]] = []
        if printed.attacker:
            then.append(LosingAtRandom(self.side, printed.attacker, is_attacker=True))
        if printed.defender:
            then.append(LosingAtRandom(ENEMY[self.side], printed.defender, is_attacker=False))
        if printed.retreat:
            then.append(FallingBack(ENEMY[self.side], printed.retreat))
        return story.outcome(then=tuple(then))


@CITE.rule("5.3.1.b1", "5.3.1.b2", "5.3.1.b3")
def count_success(story: s.Unfolding[Position], side: s.Side) -> None:
    """A success of the attack or of the defence counts for the next die for initiative."""
    fight = combat_of(story.position)
    # reading: a reaction counts for the side whose success it was; option: not at all.
    if fight.is_reaction and FREE_REACTIONS in story.position.options:
        return
    match story.position.board.results[fight.result].counts:
        case "attack":
            story.happen(e.SuccessCounted(side))
        case "defence":
            story.happen(e.SuccessCounted(ENEMY[side]))


# ------------------------------------------------------------------- retreat


@value
@CITE.serves("14")
class FallingBack(s.AutoStage[Position]):
    """The defenders retreat: vehicles without supply are eliminated first (14.p4)."""

    side: s.Side
    length: int

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        stuck = tuple(
            unit
            for unit in defenders_left(position)
            if position.printed(unit).kind == MECHANISED
            and not command.level_of(position, unit).vehicles
        )
        if stuck:
            # reading: only mechanised units are eliminated, not those stacked with them.
            story.happen(e.UnitsDestroyed(stuck, "14.p4"))
        fate.leave_headquarters_alone(story, combat_of(position).hex)
        units = defenders_left(story.position)
        if not units:
            return story.outcome()
        return story.outcome(then=(Retreating(self.side, units, self.length),))


@value
class Retreating(s.PlayerStage[Position]):
    """The owner says which way the defenders go, and what is lost instead."""

    side: s.Side
    units: tuple[str, ...]
    length: int

    def ask(self, position: Position) -> s.Decision | None:
        seen = position.by_faces(self.side)
        default = retreat.default_retreat(seen, self.units, self.length)
        return s.Decision(
            side=self.side, stage="retreat", rule="14",
            prompt=say_many("number", "retreat from {hex} by {number} hex, or lose troop points",
                            "retreat from {hex} by {number} hexes, or lose troop points",
                            hex=place(position, position.at(self.units[0])), number=self.length),
            options=(s.Option(o.Retreat, examples=self._examples(seen)),),
            default=default, policy="retreat",
        )  # fmt: skip

    def _examples(self, position: Position) -> s.Examples:
        def found(some: s.Some) -> Iterator[s.Example]:
            together = retreat.retreats(position, self.units[0], self.length, self.units)
            for path in some(together):
                way: tuple[str, ...] = path
                yield s.Example(o.Retreat(dict.fromkeys(self.units, way)))
            if not together:
                yield s.Example(retreat.default_retreat(position, self.units, self.length))

        return found

    check = answered_by((retreat.retreats_its_own,), (retreat.retreats_where_it_may,),
                        (retreat.pays_for_what_is_left,))  # fmt: skip

    @CITE.serves("14", "16")
    def resolve(self, position: Position, order: o.Retreat) -> s.Outcome:  # type: ignore[override]
        going = GoingBack(self.side, self.units, order.paths)
        if not order.losses:
            return going.run(position)
        # reading: 16, who loses points in place of hexes checks its morale at once, where it stands
        # before it goes.
        story: s.Unfolding[Position] = s.Unfolding(position)
        for unit in position.board.in_order(order.losses):
            story.happen(e.TroopsLost(unit, order.losses[unit]))
        checking = s.IfRolled(CheckingMorale(self.side, tuple(order.losses)))
        return story.outcome(then=(checking, going))


@value
class GoingBack(s.AutoStage[Position]):
    """The defenders that are left go their ways."""

    side: s.Side
    units: tuple[str, ...]
    paths: Mapping[str, tuple[str, ...]]

    @CITE.serves("14.p4", "17.2")
    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        # reading: 17.2, where the losses in place of a retreat have left nobody but headquarters,
        # these go back as those that are left alone do, and not the way that was said.
        going = {}
        if fate.takes_part(position, self.units):
            going = {unit: self.paths.get(unit, ()) for unit in self.units if position.at(unit)}
        disordered = retreat.disordered(position, self.side, self.paths)
        for path, units in retreat.by_way(going).items():
            story.happen(e.UnitsRetreated(tuple(units), path))
            fate.take_control(story, self.side, path, units)
            if disordered.issuperset(units):
                story.happen(e.Disorganised(tuple(units)))
        fate.leave_headquarters_alone(story, combat_of(position).hex)
        return story.outcome()


# ------------------------------------------------------------------- advance


@value
@CITE.serves("12.3.2")
class FollowingUp(s.AutoStage[Position]):
    """After the dice: the attackers advance into a hex that is empty, or attack mobile again."""

    side: s.Side

    def run(self, position: Position) -> s.Outcome:
        fight = combat_of(position)
        left = attackers_left(position)
        if not left:
            return s.Outcome()
        if defenders_left(position):
            if fight.type == combat.MOBILE and may_repeat(position):
                return s.Outcome(then=(Answering(self.side), Repeating(self.side)))
            return s.Outcome()
        if fight.type == o.IMPROVISED:
            return s.Outcome()
        story: s.Unfolding[Position] = s.Unfolding(position)
        if fight.type == combat.MOBILE:
            advance(story, self.side, left)
            if is_unhurt(position):
                story.happen(e.MayGoOn(attackers_left(story.position)))
            return story.outcome()
        plan = fight.plan.advance if fight.plan else ""
        named = plan.units if isinstance(plan, o.Following) else ()
        first = tuple(unit for unit in named if unit in left)
        if combat.engineers(position, fight):
            # reading: engineers make the advance compulsory, as many as there is room for: those
            # who are named go first, then the others.
            advance(
                story, self.side, dict.fromkeys((*first, *left)), combat.exploited(position, fight)
            )
        elif isinstance(plan, o.Following):
            advance(story, self.side, first)
        elif plan != o.NONE:
            return s.Outcome(then=(Advancing(self.side),))
        return story.outcome()


@CITE.serves("12.3.1.p4")
def is_unhurt(position: Position) -> bool:
    """Whether a mobile attack has cost its attackers nothing: no loss, no repulse."""
    # reading: a repulse is any success of the defence. Who may go on moves and attacks by any type.
    fight = combat_of(position)
    if not fight.result:
        return True
    printed = position.board.results[fight.result]
    return (
        not printed.attacker
        and printed.counts != "defence"
        and not (position.disorganised & set(fight.attackers))
    )


def advance(
    story: s.Unfolding[Position], side: s.Side, units: Iterable[str], beyond: Sequence[str] = ()
) -> None:
    """Units go into the hex, as long as there is room, and each as far as it can through those
    beyond it.
    """
    # reading: 16.2, an advance is no move, so the demoralised may come next to the enemy with it.
    fight = combat_of(story.position)
    gone: dict[str, list[str]] = {hex: [] for hex in (fight.hex, *beyond)}
    for unit in units:
        for hex in gone:
            now = story.position
            is_open = combat.could_go_in(now, unit, hex, fight.attackers)
            if stacking.excess(now, hex, (unit,)) or not is_open or now.holder(hex) == ENEMY[side]:
                break
            fate.help_across(story, side, (now.at(unit), hex), (unit,))
            story.happen(e.UnitsAdvanced((unit,), (hex,)))
            gone[hex].append(unit)
    for hex, those in gone.items():
        fate.take_control(story, side, (hex,), those)


@value
@CITE.serves("12.3.2")
class Advancing(s.PlayerStage[Position]):
    """The attacker says who goes into the hex that is empty now."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        left = combat.advancing(position, attackers_left(position), combat_of(position).hex)
        if not left:
            return None
        orders = [o.Advance(), *(o.Advance((unit,)) for unit in left), o.Advance(left)]
        orders = [each for each in orders if not any(self.check(position, each))]
        leader = combat_of(position).primary
        return s.Decision(
            side=self.side, stage="advance", rule="12.3.2",
            prompt=say("advance into {hex}, or not",
                       hex=place(position, combat_of(position).hex)),
            options=(s.Option(o.Advance, examples=s.listed(orders)),),
            default=o.Advance((leader,)) if o.Advance((leader,)) in orders
            else o.Advance(),
            policy="advance",
        )  # fmt: skip

    check = judged_by((answers.advances_who_fought,), is_public=True)

    def resolve(self, position: Position, order: o.Advance) -> s.Outcome:  # type: ignore[override]
        story: s.Unfolding[Position] = s.Unfolding(position)
        advance(story, self.side, order.units)
        return story.outcome()


# ------------------------------------------------------------------- mobile attacks again


@CITE.rule("12.3.1.p3", "12.3.1.p4", "12.3.1.p5")
def may_repeat(position: Position) -> bool:
    """Whether a mobile attack may be repeated: it has cost nothing, and all attackers have three
    points left.
    """
    again = position.board.charts["attacks"]["again"]
    return is_unhurt(position) and all(
        factors.left_to_spend(position, unit) >= again for unit in attackers_left(position)
    )


@value
@CITE.serves("12.3.1.p3", "11.1")
class Repeating(s.PlayerStage[Position]):
    """The attacker attacks mobile once more, or falls back to the hex it came from."""

    # reading: each attack is a combat of its own, so the guns of one are answered before the next
    # is declared (11.3): it is supported by those that are left then, and have a shot left (11.1).
    side: s.Side

    def ask(self, position: Position) -> s.Decision:
        return s.Decision(
            side=self.side, stage="again", rule="12.3.1",
            prompt=say("attack {hex} once more for three movement points, or fall back",
                       hex=place(position, combat_of(position).hex)),
            options=(s.Option(o.Again, {"fall_back": s.OneOf((True, False))}),),
            default=o.Again(fall_back=True), policy="again",
        )  # fmt: skip

    check = judged_by((answers.attacks_again,))

    def resolve(self, position: Position, order: o.Again) -> s.Outcome:  # type: ignore[override]
        if order.fall_back:
            return s.Outcome(then=(Ends(),))
        story, order = opened(position, self.side, order)
        position = story.position
        fight, again = combat_of(position), position.board.charts["attacks"]["again"]
        story.happen(e.PointsSpent(dict.fromkeys(fight.attackers, again)))
        # Who may repeat it has lost nobody.
        attack = o.Attack(fight.hex, fight.came_from, combat.MOBILE, primary=order.primary,
                          support=order.support)  # fmt: skip
        story.happen(e.CombatBegan(combat_by(position, self.side, attack)))
        return story.outcome(then=(
            *tells_with(self.side, order), Withdrawing(ENEMY[self.side], fight.hex),
            Meeting(self.side),
        ))  # fmt: skip


# ------------------------------------------------------------------- counterbattery


@value
@CITE.serves("11.3")
class Answering(s.AutoStage[Position]):
    """After a combat each side may answer the guns of the other that supported it."""

    side: s.Side

    def run(self, position: Position) -> s.Outcome:
        if position.combat is None:
            return s.Outcome()  # it was mobile, and its guns were answered before another was due
        fight = combat_of(position)
        then: list[s.Stage[Position]] = []
        for side, guns in ((ENEMY[self.side], fight.guns), (self.side, tuple(fight.defence_guns))):
            hexes = tuple(dict.fromkeys(position.at(gun) for gun in guns if position.at(gun)))
            if hexes:
                then.append(Countering(side, hexes))
        return s.Outcome(then=tuple(then))
