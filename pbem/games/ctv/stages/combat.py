"""10: the combat of a side, one attack after another, from support to the advance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import starmap

from pbem.engine import staging as s
from pbem.games.ctv import events as e
from pbem.games.ctv import orders as o
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.options import AIR_COMBAT
from pbem.games.ctv.position import NOTHING, Combat, Position
from pbem.games.ctv.rules import ahead, bombardment, combat, fate, movement
from pbem.games.ctv.rules.cover import judged_by
from pbem.games.ctv.rules.naming import place
from pbem.games.ctv.stages.cover import Showing, opened, showings
from pbem.games.ctv.tables import AIR, COLUMN, ENEMY, HEADQUARTERS, NATIONALIST, REPUBLICAN
from pbem.messages import Said, say
from pbem.value import value

ATTACK_CHECKS = judged_by(
    (combat.attacks_enemies,), (combat.attacks_with_its_own,),
    (combat.attacks_once, combat.attacks_across_open_sides), (combat.attacks_within_the_limit,),
    (combat.says_what_may_follow, ahead.says_what_is_so),
)  # fmt: skip


COMBAT: Mapping[s.Side, str] = {NATIONALIST: "3.B.3", REPUBLICAN: "3.C.3"}


def by_hex(position: Position, units: Sequence[str]) -> combat.Attackers:
    """Those of units that are left, by the hexes where they are."""
    found: dict[str, tuple[str, ...]] = {}
    for unit in units:
        hex = position.at(unit)
        if hex:
            found[hex] = (*found.get(hex, ()), unit)
    return found


def attackers_by_hex(position: Position) -> combat.Attackers:
    """The attackers that are left, by the hexes where they are."""
    return by_hex(position, position.combat.attackers)


def is_fought(position: Position) -> bool:
    """Whether there still is anybody on both sides of a combat."""
    battle = position.combat
    enemy = ENEMY[position.side_of(battle.attackers[0])]
    return bool(attackers_by_hex(position)) and position.holder(battle.hex) == enemy


def plan_of(position: Position, side: s.Side) -> o.Attack | None:
    """What a side has said with its attack about what follows; None if it attacks with nothing
    said, or is attacked.
    """
    battle = position.combat
    return battle.plan if position.side_of(battle.attackers[0]) == side else None


# ------------------------------------------------------------------- attacks


@value
@CITE.rule("3.B.3", "3.C.3")
class Fighting(s.PlayerStage[Position]):
    """A side attacks, or ends its combat. Attacks need not be declared beforehand."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        if not any(True for _ in combat.targets(position, self.side)):
            return None
        return s.Decision(
            side=self.side, stage="combat", rule=COMBAT[self.side],
            prompt=say("attack, or end the combat"),
            options=(s.Option(o.Attack, examples=self._attacks(position)), s.Option(o.Done)),
            default=o.Done(), optional=True,
        )  # fmt: skip

    def _attacks(self, position: Position) -> s.Examples:
        seen = position.seen(self.side)

        def found(some: s.Some) -> Iterator[s.Example]:
            for hex in some(tuple(combat.targets(seen, self.side))):
                able = combat.able_against(seen, self.side, hex)
                limit = seen.terrain(hex).stacking
                units = {near: tuple(_within(seen, those, limit)) for near, those in able.items()}
                order = o.Attack(hex, {near: those for near, those in units.items() if those})
                yield s.Example(order, self._strengths(seen, order) if order.units else "")

        return found

    def _strengths(self, position: Position, order: o.Attack) -> Said:
        """What a form says of an attack: how it stands before anybody bombards."""
        position = fate.as_checked(position, (*order.units, order.hex))
        attackers = combat.still_there(position, order.units)
        if not attackers or not position.units_at(order.hex):
            return ""
        attack = combat.attack_strength(position, attackers)
        defence = combat.defence_strength(position, order.hex)
        shift = combat.first_turn_shift(position, self.side, order.hex)
        column, _ = combat.column_of(position, attack, defence, shift)
        return say("{attack} against {defence}, column {column}", attack=attack, defence=defence,
                   column=position.board.odds.heading(column))  # fmt: skip

    check = s.by_verb({o.Attack: ATTACK_CHECKS, o.Done: s.checks()})

    @CITE.serves("10.2")
    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if not isinstance(order, o.Attack):
            return s.Outcome()
        story, attack = opened(position, self, order)
        position, order = story.position, attack
        attackers = position.board.in_order(u for units in order.units.values() for u in units)
        plan = order if order.says_more else None
        story.happen(*starmap(e.SaidBeside, order.beside.items()))
        story.happen(e.BattleBegan(self.side, order.hex, attackers, plan))
        fate.check_for_combat(story, (*order.units, order.hex))
        then = (
            Showing(ENEMY[self.side], order.hex),
            *showings(story.position),
            Committing(self.side, combat.support_of(order)),
            s.IfRolled(Bombarding(self.side)),
            s.IfRolled(Clash(self.side)),
        )
        return story.outcome(keep=self, then=(*then, Ends()))


def _within(position: Position, units: Sequence[str], limit: int) -> Iterator[str]:
    """The strongest of units within a limit of stacking points."""
    used = 0
    for unit in sorted(units, key=lambda one: -position.values(one).attack):
        if used + position.printed(unit).points <= limit:
            used += position.printed(unit).points
            yield unit


@CITE.serves("5.1.1", "9.2")
def settled(story: s.Unfolding[Position], *then: s.Stage[Position]) -> s.Outcome:
    """What comes next once it is clear who is left where units were lost or have retreated, as it
    is at once with open counters.
    """
    return story.outcome(then=(*showings(story.position), *then))


@value
class Ends(s.AutoStage[Position]):
    """The combat is over."""

    def run(self, position: Position) -> s.Outcome:
        if shown := showings(position):
            return s.Outcome(then=(*shown, self))
        return s.Outcome((e.BattleEnded(position.combat.hex),))


# ------------------------------------------------------------------- support


@value
@CITE.rule("9.4.1")
class Committing(s.AutoStage[Position]):
    """Both sides commit: air units and headquarters, then columns, the attacker first."""

    side: s.Side
    said: o.Support | None = None
    """What the attacker has said with the attack, committed once it is seen who is there."""

    def run(self, position: Position) -> s.Outcome:
        enemy = ENEMY[self.side]
        story: s.Unfolding[Position] = s.Unfolding(position)
        if self.said is not None and is_fought(position):
            commit(story, self.side, bombardment.still_able(position, self.side, self.said))
        stages: list[s.Stage[Position]] = [
            Supporting(enemy), UsingColumns(self.side), UsingColumns(enemy),
        ]  # fmt: skip
        if self.said is None:
            stages.insert(0, Supporting(self.side))
        if AIR_COMBAT in position.options:
            stages.append(s.IfRolled(AirCombat(self.side)))
        return story.outcome(then=tuple(stages))


@value
@CITE.serves("9.4.1")
class Supporting(s.PlayerStage[Position]):
    """A side commits air units and headquarters."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        battle = position.combat
        if not is_fought(position):
            return None
        air = bombardment.supporters(position, battle, self.side, AIR)
        guns = bombardment.supporters(position, battle, self.side, HEADQUARTERS)
        if not (air or guns or bombardment.may_support(position, battle, self.side)):
            return None
        guns = bombardment.supporters(position.seen(self.side), battle, self.side, HEADQUARTERS)
        is_attacker = position.side_of(battle.attackers[0]) == self.side
        return s.Decision(
            side=self.side, stage="support", rule="9.4.1",
            prompt=say("bombard in the attack on {hex}, or not", hex=place(position, battle.hex))
            if is_attacker
            else say("bombard those who attack {hex}, or not", hex=place(position, battle.hex)),
            options=(s.Option(o.Support, {"air": s.SomeOf(air), "hq": s.SomeOf(guns)}),),
            default=o.Support(), policy="own_support" if is_attacker else "support",
        )  # fmt: skip

    check = judged_by((bombardment.supports_with_its_own,))

    def resolve(self, position: Position, order: o.Support) -> s.Outcome:  # type: ignore[override]
        story, order = opened(position, self, order)
        commit(story, self.side, order)
        return story.outcome()


@CITE.serves("9.4.1")
def commit(story: s.Unfolding[Position], side: s.Side, order: o.Support) -> None:
    """A side commits what it has named to the combat."""
    units = (*order.air, *order.hq)
    if units:
        story.happen(e.SupportGiven(side, units))
    if isinstance(order.columns, Mapping):
        columns = _columns_in(story.position, order.columns)
        if columns:
            story.happen(e.SupportGiven(side, columns))
    if order.columns != o.LATER:
        story.happen(e.ColumnsSaid(side))


def _columns_in(position: Position, use: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(
        column for hex, number in use.items() if number for column in position.columns_at(hex)
    )


@value
@CITE.serves("9.3.1")
class UsingColumns(s.PlayerStage[Position]):
    """A side says which columns it uses beside headquarters that fire."""

    side: s.Side

    def usable(self, position: Position) -> Mapping[str, str]:
        """The columns beside its headquarters that fire, by their hexes."""
        support = position.combat.support
        firing = [unit for unit in support if position.side_of(unit) == self.side]
        return bombardment.usable_columns(position, self.side, firing)

    def _may_be_usable(self, position: Position) -> bool:
        """Whether a covered counter beside them may be a column that has not moved."""
        hexes = [
            position.at(unit)
            for unit in position.combat.support
            if position.side_of(unit) == self.side and position.at(unit)
        ]
        return any(
            tag not in position.moved
            and any(position.board.distance(position.at(tag), hex) <= 1 for hex in hexes)
            and any(position.printed(piece).type == COLUMN for piece in position.may_be(tag))
            for tag in position.covered_on_map(self.side)
        )

    def ask(self, position: Position) -> s.Decision | None:
        battle = position.combat
        usable = self.usable(position)
        if self.side in battle.said or not (usable or self._may_be_usable(position)):
            return None
        usable = self.usable(position.seen(self.side))
        is_attacker = position.side_of(battle.attackers[0]) == self.side
        some = [o.UseColumns({hex: 1}) for hex in usable]
        if len(usable) > 1:
            some.append(o.UseColumns(dict.fromkeys(usable, 1)))
        some.append(o.UseColumns())
        return s.Decision(
            side=self.side, stage="columns", rule="9.3.1",
            prompt=say("use supply columns beside the guns, or none"),
            options=(s.Option(o.UseColumns, examples=s.listed(some)),),
            default=o.UseColumns(), policy="own_columns" if is_attacker else "columns",
        )  # fmt: skip

    check = judged_by((bombardment.uses_columns_beside_its_guns,))

    def resolve(self, position: Position, order: o.UseColumns) -> s.Outcome:  # type: ignore[override]
        story, order = opened(position, self, order)
        columns = _columns_in(story.position, order.use)
        if columns:
            story.happen(e.SupportGiven(self.side, columns))
        return story.outcome()


# ------------------------------------------------------------------- air combat


@value
@CITE.rule("15.1")
class AirCombat(s.ChanceStage[Position]):
    """Air units of both sides in one combat fight each other first, all at once."""

    side: s.Side

    def _sides(self, position: Position) -> tuple[tuple[str, ...], tuple[str, ...]]:
        air = [unit for unit in position.combat.support if position.printed(unit).type == AIR]
        mine = tuple(unit for unit in air if position.side_of(unit) == self.side)
        return mine, tuple(unit for unit in air if unit not in mine)

    def chance(self, position: Position) -> s.Chance:
        mine, theirs = self._sides(position)
        units = (*mine, *theirs) if mine and theirs else ()
        return s.Chance("air combat", "15.1", tuple(
            s.Draw(f"air_combat/#/{unit}", say("air combat of {unit}", unit=unit)) for unit in units
        ))  # fmt: skip

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        mine, theirs = self._sides(position)
        if not (mine and theirs):
            return s.Outcome()
        hit = position.board.charts["air"]["combat"]
        dice = tuple((unit, rolled[f"air_combat/#/{unit}"].face) for unit in (*mine, *theirs))
        hits = [unit for unit, die in dice if die == hit]
        lost = {
            self.side: min(len(mine), sum(unit in theirs for unit in hits)),
            ENEMY[self.side]: min(len(theirs), sum(unit in mine for unit in hits)),
        }
        story: s.Unfolding[Position] = s.Unfolding(position)
        story.happen(e.AirFought(dice))
        then: list[s.Stage[Position]] = []
        for side, units in ((self.side, mine), (ENEMY[self.side], theirs)):
            if lost[side] == len(units):
                story.happen(*map(e.ShotDown, units))
            elif lost[side]:
                then.append(ShotDownOf(side, units, lost[side]))
        return story.outcome(then=tuple(then))


@value
@CITE.serves("15.1")
class ShotDownOf(s.PlayerStage[Position]):
    """The owner says which air units were shot down."""

    side: s.Side
    units: tuple[str, ...]
    number: int

    def ask(self, position: Position) -> s.Decision:
        chosen = s.SomeOf(self.units, self.number, self.number)
        return s.Decision(
            side=self.side, stage="air", rule="15.1",
            prompt=say("say which air units were shot down: {number}", number=self.number),
            options=(s.Option(o.Shoot, {"units": chosen}),),
            default=o.Shoot(self.units[: self.number]), policy="shot_down",
        )  # fmt: skip

    check = judged_by((bombardment.loses_as_many_in_the_air,))

    def resolve(self, position: Position, order: o.Shoot) -> s.Outcome:  # type: ignore[override]
        return s.Outcome(tuple(map(e.ShotDown, order.units)))


# ------------------------------------------------------------------- bombardment


@value
@CITE.serves("9.4.2")
class Bombarding(s.ChanceStage[Position]):
    """The side with more points rolls; then a die for each air unit used, and used columns go."""

    # reading: air units are rolled for after the bombardment (9.4.2), not after the combat (9.1.1).
    side: s.Side

    def chance(self, position: Position) -> s.Chance:
        battle = position.combat
        by, _ = bombardment.difference(position, battle)
        draws = [s.Draw("bombardment/#", say("bombardment in {hex}", hex=battle.hex))] if by else []
        draws += [
            s.Draw(f"air/#/{unit}", say("return of {unit}", unit=unit))
            for unit in battle.support
            if position.printed(unit).type == AIR
        ]
        return s.Chance("bombardment", "9.4.2", tuple(draws))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        battle, chart = position.combat, position.board.charts
        story: s.Unfolding[Position] = s.Unfolding(position)
        by, more = bombardment.difference(position, battle)
        if by is not None:
            die = rolled["bombardment/#"].face
            held = die
            if by == self.side:
                held += combat.trench_modifier(position, battle.hex, chart["bombardment"])
            levels = bombardment.levels_for(position, more, held)
            mine = bombardment.points_of(position, _of(position, battle, by))
            story.happen(e.Bombarded(by, mine, mine - more, die, levels))
            fate.disorganise(story, bombardment.bombarded(position, battle, by), levels)
        for unit in battle.support:
            if position.printed(unit).type == AIR:
                die = rolled[f"air/#/{unit}"].face
                until = (
                    position.turn + chart["air"]["turns"] if die <= chart["air"]["leaves"] else 0
                )
                story.happen(e.AirRolled(unit, die, until))
        columns = tuple(unit for unit in battle.support if position.printed(unit).type == COLUMN)
        if columns:
            story.happen(e.ColumnsUsedUp(columns))
        return settled(story)


def _of(position: Position, battle: Combat, side: s.Side) -> tuple[str, ...]:
    return tuple(unit for unit in battle.support if position.side_of(unit) == side)


# ------------------------------------------------------------------- the combat die


@value
@CITE.serves("10.2")
class Clash(s.ChanceStage[Position]):
    """Strengths are compared, and the die is rolled."""

    side: s.Side

    def chance(self, position: Position) -> s.Chance:
        if not is_fought(position):
            return s.Chance("combat", "10.2", ())
        hex = position.combat.hex
        return s.Chance("combat", "10.2", (s.Draw("combat/#", say("attack on {hex}", hex=hex)),))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        battle, attackers = position.combat, attackers_by_hex(position)
        if not is_fought(position):
            return s.Outcome(then=(Advancing(self.side, "0/0"),) if attackers else ())
        attack = combat.attack_strength(position, attackers)
        defence = combat.defence_strength(position, battle.hex)
        shift = combat.first_turn_shift(position, self.side, battle.hex)
        column, below = combat.column_of(position, attack, defence, shift)
        added = dict(combat.modifiers(position, battle.hex, attackers))
        if below:
            added["below"] = below
        die = rolled["combat/#"].face
        result = combat.result_of(position, column, die + sum(added.values()))
        heading = position.board.odds.heading(column)
        rolled_event = e.CombatRolled(
            battle.hex, attack, defence, heading, die, added, result, shift
        )
        story: s.Unfolding[Position] = s.Unfolding(position)
        story.happen(rolled_event)
        if result == "B":
            fate.eliminate(story, story.position.units_at(battle.hex), "breakthrough")
            return settled(story, Advancing(self.side, result))
        mine, theirs = map(int, result.split("/"))
        lost = tuple(sorted(position.lost.items()))
        then: list[s.Stage[Position]] = []
        stacks = dict(attackers if mine else {})
        if theirs:
            stacks[battle.hex] = position.units_at(battle.hex)
        if mine:
            then.append(Losing(self.side, mine, lost))
        if theirs:
            then.append(Struck(ENEMY[self.side], theirs, lost))
        then.append(s.IfRolled(Morale(self.side, tuple(stacks.items()), lost)))
        return story.outcome(then=(*then, Advancing(self.side, result)))


# ------------------------------------------------------------------- losses and retreats


Steps = tuple[tuple[str, int], ...]
"""The steps that units had lost before the combat."""


def stacks_losing(
    position: Position, side: s.Side, only: tuple[str, ...] = ()
) -> Mapping[str, tuple[str, ...]]:
    """The units of a side in the combat, by their hexes; `only` these of them, if any are given."""
    if only:
        return by_hex(position, only)
    battle = position.combat
    if position.side_of(battle.attackers[0]) == side:
        return attackers_by_hex(position)
    there = position.units_at(battle.hex, side)
    return {battle.hex: there} if there else {}


def candidates(
    position: Position, stacks: Mapping[str, Sequence[str]], before: Steps
) -> tuple[str, ...]:
    """The units that may lose the next step: even within each hex, any of the hexes."""
    return tuple(
        unit
        for units in stacks.values()
        for unit in combat.next_to_lose(position, units, dict(before))
    )


def take(
    story: s.Unfolding[Position], stacks: Mapping[str, Sequence[str]], steps: int, before: Steps,
    order: o.Losses | None = None,
) -> None:  # fmt: skip
    """Takes steps one by one, as they are ranked; what the stacks do not have is lost (10.3)."""
    fighting = [unit for units in stacks.values() for unit in units]
    line = combat.ranked(story.position, order, fighting)
    left: list[str] = []
    for _ in range(steps):
        able = candidates(story.position, stacks, before)
        if not able:
            return
        if not any(unit in able for unit in left):
            left.extend(line)
        losing = next(unit for unit in left if unit in able)
        left.remove(losing)
        fate.lose_step(story, losing)


def is_a_choice(
    position: Position, stacks: Mapping[str, Sequence[str]], steps: int, before: Steps
) -> bool:
    """Whether it matters in which order units lose so many steps: not where all of a hex that may
    lose the next one lose it, or where all are lost.
    """
    able = {
        hex: [unit for unit in units if position.printed(unit).takes_losses]
        for hex, units in stacks.items()
    }
    able = {hex: units for hex, units in able.items() if units}
    left = sum(position.steps_left(unit) for units in able.values() for unit in units)
    if steps >= left:
        return False
    if len(able) > 1:
        return True
    story: s.Unfolding[Position] = s.Unfolding(position)
    while steps:
        losing = candidates(story.position, able, before)
        if len(losing) > steps:
            return True
        for unit in losing:
            fate.lose_step(story, unit)
        steps -= len(losing)
    return False


@value
@CITE.serves("10.3")
class Losing(s.AutoStage[Position]):
    """A side loses steps: it is asked which, if there is a choice."""

    side: s.Side
    steps: int
    before: Steps
    only: tuple[str, ...] = ()
    """The units that may lose them, if not all of the combat."""

    def run(self, position: Position) -> s.Outcome:
        stacks = stacks_losing(position, self.side, self.only)
        said = plan_of(position, self.side)
        if said is not None and said.losses:
            told: s.Unfolding[Position] = s.Unfolding(position)
            take(told, stacks, self.steps, self.before, o.Losses(said.losses))
            return settled(told)
        if is_a_choice(position, stacks, self.steps, self.before):
            return s.Outcome(then=(Choosing(self.side, self.steps, self.before, self.only),))
        story: s.Unfolding[Position] = s.Unfolding(position)
        take(story, stacks, self.steps, self.before)
        return settled(story)


@value
@CITE.serves("10.3")
class Choosing(s.PlayerStage[Position]):
    """The owner says which units lose steps first."""

    side: s.Side
    steps: int
    before: Steps
    only: tuple[str, ...] = ()

    def able(self, position: Position) -> tuple[str, ...]:
        """The units of the combat that can lose a step."""
        return tuple(
            unit
            for units in stacks_losing(position, self.side, self.only).values()
            for unit in units
            if position.printed(unit).takes_losses
        )

    def ask(self, position: Position) -> s.Decision:
        able = self.able(position)
        return s.Decision(
            side=self.side, stage="losses", rule="10.3",
            prompt=say("say who loses steps first: {number} in all", number=self.steps),
            options=(s.Option(o.Losses, {"units": s.SomeOf(able, 1)}),),
            default=o.Losses(combat.ranked(position, None, able)), policy="losses",
        )  # fmt: skip

    check = judged_by((combat.ranks_who_fights,))

    def resolve(self, position: Position, order: o.Losses) -> s.Outcome:  # type: ignore[override]
        story: s.Unfolding[Position] = s.Unfolding(position)
        stacks = stacks_losing(position, self.side, self.only)
        take(story, stacks, self.steps, self.before, order)
        return settled(story)


@value
@CITE.serves("10.5")
class Struck(s.AutoStage[Position]):
    """The defender loses steps, and may trade one for a retreat if there is a way. Headquarters
    alone have none to lose, and are destroyed (9.2).
    """

    side: s.Side
    steps: int
    before: Steps

    def run(self, position: Position) -> s.Outcome:
        hex = position.combat.hex
        if not combat.who_retreats(position, position.units_at(hex, self.side)):
            story: s.Unfolding[Position] = s.Unfolding(position)
            fate.eliminate(story, position.units_at(hex, self.side), "losses")
            return settled(story)
        may_go = combat.may_trade(position, hex, self.steps) and combat.trade_ways(position, hex)
        following = Deciding if may_go else Losing
        return s.Outcome(then=(following(self.side, self.steps, self.before),))


@value
@CITE.serves("10.5")
class Deciding(s.PlayerStage[Position]):
    """The defender may trade one step for a retreat; then what is left is taken."""

    side: s.Side
    steps: int
    before: Steps

    @property
    def _losses(self) -> Losing:
        return Losing(self.side, self.steps, self.before)

    def ask(self, position: Position) -> s.Decision:
        hex = position.combat.hex
        ways = combat.trade_ways(position, hex)
        return s.Decision(
            side=self.side, stage="trade", rule="10.5",
            prompt=say("retreat from {hex} for one step less, or stay", hex=place(position, hex)),
            options=(s.Option(o.Trade, {"to": s.OneOf(("", *ways))}),),
            default=o.Trade(), policy="trade",
        )  # fmt: skip

    check = judged_by((combat.trades_a_step,))

    def resolve(self, position: Position, order: o.Trade) -> s.Outcome:  # type: ignore[override]
        if not order.to:
            return s.Outcome(then=(self._losses,))
        left = Losing(self.side, self.steps - 1, self.before)
        then: tuple[s.Stage[Position], ...] = (left,) if self.steps > 1 else ()
        return s.Outcome(then=(*then, Withdrawing(self.side, order.to)))


@value
@CITE.serves("10.5.1")
class Withdrawing(s.AutoStage[Position]):
    """The stack that has traded a step goes."""

    side: s.Side
    to: str

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        hex = position.combat.hex
        going = [
            unit
            for unit in position.units_at(hex, self.side)
            if position.printed(unit).type != HEADQUARTERS
        ]
        fate.retreat(story, going, self.to)
        return settled(story)


# ------------------------------------------------------------------- morale


@value
@CITE.serves("10.6")
class Morale(s.ChanceStage[Position]):
    """Each Republican stack that has lost steps, or has traded one, rolls for its morale."""

    # reading: Republican attackers test too, hex by hex, those who attacked; a step that was
    # traded counts as lost.
    side: s.Side
    """The attacker."""
    stacks: tuple[tuple[str, tuple[str, ...]], ...]
    """Those that lose steps, by the hexes where they fought."""
    before: Steps

    def _testing(self, position: Position) -> Mapping[str, tuple[str, ...]]:
        before, battle = dict(self.before), position.combat
        found: dict[str, tuple[str, ...]] = {}
        for hex, units in self.stacks:
            has_lost = any(
                not position.at(unit) or position.lost.get(unit, 0) > before.get(unit, 0)
                for unit in units
            )
            has_traded = hex == battle.hex and battle.driven
            if (has_lost or has_traded) and combat.tests_morale(position, units):
                found[hex] = tuple(unit for unit in units if position.at(unit))
        return found

    def chance(self, position: Position) -> s.Chance:
        draws = tuple(
            s.Draw(f"morale/#/{hex}", say("morale of {hex}", hex=hex))
            for hex in self._testing(position)
        )
        return s.Chance("morale", "10.6", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        then: list[s.Stage[Position]] = []
        for hex, units in self._testing(position).items():
            die, marker = rolled[f"morale/#/{hex}"].face, position.marker
            modifier = combat.morale_modifier(position, units)
            result = position.board.morale_for(die + marker + modifier)
            story.happen(e.MoraleRolled(hex, die, marker, modifier, result))
            then += self._following(story, units, result, hex)
        return settled(story, *then)

    def _following(
        self, story: s.Unfolding[Position], units: tuple[str, ...], result: str, hex: str
    ) -> Iterator[s.Stage[Position]]:
        side = story.position.side_of(units[0])
        if result == "surrender":
            fate.eliminate(story, units, "morale")
        elif result == "disorganised":
            fate.disorganise(story, units, 1)
        elif result in ("retreat", "loss_and_retreat"):
            if result == "loss_and_retreat":
                yield Losing(side, 1, self.before, units)
            yield Driven(side, units, hex == story.position.combat.hex)


@value
@CITE.serves("10.6")
class Driven(s.AutoStage[Position]):
    """A stack is driven back one hex: its owner is asked where to, if there is a choice."""

    # reading: a stack that has retreated for a step goes no second hex, and is disorganised once
    # more; one without a way is eliminated.
    side: s.Side
    units: tuple[str, ...]
    defends: bool

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        going = combat.who_retreats(position, self.units)
        if not going:
            return s.Outcome()
        if self.defends and position.combat.driven:
            fate.disorganise(story, going, 1)
            return settled(story)
        ways = combat.retreats(position, position.at(going[0]))
        if len(ways) > 1:
            return s.Outcome(then=(Retreating(self.side, going, position.at(going[0])),))
        if ways:
            fate.retreat(story, going, ways[0], is_forced=True)
        else:
            fate.eliminate(story, going, "no retreat")
        return settled(story)


@value
@CITE.serves("10.5.1")
class Retreating(s.PlayerStage[Position]):
    """The owner says where a stack is driven."""

    side: s.Side
    units: tuple[str, ...]
    hex: str

    def ask(self, position: Position) -> s.Decision:
        ways = combat.by_safety(position, self.units, combat.retreats(position, self.hex))
        return s.Decision(
            side=self.side, stage="retreat", rule="10.6",
            prompt=say("say where the units of {hex} are driven", hex=place(position, self.hex)),
            options=(s.Option(o.Retreat, {"to": s.OneOf(ways)}),), default=o.Retreat(ways[0]),
            policy="retreat",
        )  # fmt: skip

    check = judged_by((combat.is_driven_where_it_may,))

    def resolve(self, position: Position, order: o.Retreat) -> s.Outcome:  # type: ignore[override]
        story: s.Unfolding[Position] = s.Unfolding(position)
        fate.retreat(story, self.units, order.to, is_forced=True)
        return settled(story)


# ------------------------------------------------------------------- advances


@value
@CITE.serves("10.4", "10.4.1")
class Advancing(s.AutoStage[Position]):
    """If the hex is empty, the attackers that are left may advance."""

    side: s.Side
    result: str

    def run(self, position: Position) -> s.Outcome:
        hex = position.combat.hex
        left = combat.who_advances(position)
        if position.holder(hex) is not None:
            return s.Outcome()
        able = any(movement.would_be_supplied(position, (unit,), hex, self.side) for unit in left)
        said = plan_of(position, self.side)
        if self.result == "B":
            breaking = BreakingThrough(self.side)
            if said is None or not said.breakthrough:
                return s.Outcome(then=(breaking,) if able else ())
            ways = said.breakthrough if isinstance(said.breakthrough, Mapping) else {}
            order = breaking.as_far(position.veiled(None), ways.items())
            return breaking.resolve(position, order, ways)
        entering = Entering(self.side)
        if said is None or not said.advance:
            return s.Outcome(then=(entering,) if able else ())
        units = () if isinstance(said.advance, str) else said.advance.units
        return entering.resolve(position, entering.as_many(position, units), units)


class OfABattle(s.PlayerStage[Position]):
    """A question to those who attacked, when the hex is empty."""

    side: s.Side

    def left(self, position: Position) -> tuple[str, ...]:
        """The attackers that may go there."""
        return combat.who_advances(position)


@value
@CITE.serves("10.4")
class Entering(OfABattle):
    """Attackers advance into the hex, through zones, all, some or none of them."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision:
        hex, left = position.combat.hex, self.left(position)
        ways = [o.Advance(left, hex), *(o.Advance((unit,), hex) for unit in left), o.Advance()]
        legal = [way for way in ways if not any(self.check(position, way))]
        return s.Decision(
            side=self.side, stage="advance", rule="10.4",
            prompt=say("advance into {hex}, or stay", hex=place(position, hex)),
            options=(s.Option(o.Advance, examples=s.listed(legal)),), default=o.Advance(),
            policy="advance", optional=True,
        )  # fmt: skip

    def as_many(self, position: Position, units: Iterable[str]) -> o.Advance:
        """The advance of as many of these units as may go, in their order."""
        hex, found = position.combat.hex, tuple[str, ...]()
        for unit in units:
            if not any(self.check(position, o.Advance((*found, unit), hex))):
                found = (*found, unit)
        return o.Advance(found, hex) if found else o.Advance()

    check = judged_by(
        (combat.advances_who_fought,),
        (combat.advances_into_supply, combat.advances_within_the_limit),
        is_public=True,
    )

    def resolve(  # type: ignore[override]
        self, position: Position, order: o.Advance, ordered: Iterable[str] = ()
    ) -> s.Outcome:
        """`ordered` are the units that should have gone by what was said with the attack."""
        story: s.Unfolding[Position] = s.Unfolding(position)
        hex = position.combat.hex
        gone = dict.fromkeys(order.units, (hex,))
        if order.units:
            story.happen(e.UnitsAdvanced(order.units, (hex,)))
        for cut in combat.cut_short(position, self.side, dict.fromkeys(ordered, (hex,)), gone):
            story.happen(e.AdvanceCutShort(*cut))
        if order.units:
            occupy(story, self.side, gone)
        return story.outcome()


@CITE.serves("10.6.1")
def occupy(
    story: s.Unfolding[Position], side: s.Side, paths: Mapping[str, tuple[str, ...]]
) -> None:
    """Attackers enter the hexes of their ways. Republicans who have won move the marker back once,
    for an objective or else for the hex that they have cleared.
    """
    hexes = list(dict.fromkeys(hex for path in paths.values() for hex in path))
    has_moved = False
    for hex in hexes:
        may_move = side == NATIONALIST or not has_moved
        has_moved = fate.enter(story, side, hex, moves_marker=may_move) or has_moved
    if side == REPUBLICAN and not has_moved:
        story.happen(e.MarkerMoved(-1, "victory", hexes[0]))


@value
@CITE.serves("10.4.1")
class BreakingThrough(OfABattle):
    """After a breakthrough attackers advance up to three hexes, each its own way."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision:
        hex, left = position.combat.hex, self.left(position)
        ways = [o.Breakthrough({unit: (hex,)}) for unit in left]
        ways += [
            o.Breakthrough({unit: (hex, near)})
            for unit in left[:2]
            for near in position.board.graph.neighbours(hex)
        ]
        ways.append(o.Breakthrough())
        legal = [way for way in ways if not any(self.check(position, way))]
        return s.Decision(
            side=self.side, stage="breakthrough", rule="10.4.1",
            prompt=say("break through {hex}, or stay", hex=place(position, hex)),
            options=(s.Option(o.Breakthrough, examples=s.listed(legal)),), default=o.Breakthrough(),
            policy="breakthrough", optional=True,
        )  # fmt: skip

    def as_far(
        self, position: Position, ways: Iterable[tuple[str, Sequence[str]]]
    ) -> o.Breakthrough:
        """Each unit as far along its way as it may go, where those before it have gone theirs."""
        # reading: what is said ahead is followed alike in every view, so covered counters count at
        # their most, as far as this view does not know them.
        seen, found = position.seen(self.side), dict[str, tuple[str, ...]]()
        for unit, path in ways:
            for length in range(len(path), 0, -1):
                order = o.Breakthrough({**found, unit: tuple(path[:length])})
                if not any(self.check(position, order)) and combat.ends_within_the_limit(
                    seen, self.side, order
                ):
                    found[unit] = tuple(path[:length])
                    break
        return o.Breakthrough(found)

    check = judged_by((combat.breaks_through,), is_public=True)

    def resolve(  # type: ignore[override]
        self, position: Position, order: o.Breakthrough,
        ordered: Mapping[str, Sequence[str]] = NOTHING,
    ) -> s.Outcome:  # fmt: skip
        """`ordered` has the ways that were said with the attack."""
        story: s.Unfolding[Position] = s.Unfolding(position)
        paths = {unit: path for unit, path in order.paths.items() if path}
        for unit, path in paths.items():
            story.happen(e.UnitsAdvanced((unit,), path))
        for cut in combat.cut_short(position, self.side, ordered, paths):
            story.happen(e.AdvanceCutShort(*cut))
        if paths:
            occupy(story, self.side, paths)
        return story.outcome()
