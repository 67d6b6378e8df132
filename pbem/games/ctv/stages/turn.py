"""3: the sequence of a turn: weather, the phases of both sides, the end of the turn."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine import staging as s
from pbem.games.ctv import events as e
from pbem.games.ctv import orders as o
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.options import SLOW_RECOVERY
from pbem.games.ctv.position import FAIR, Position
from pbem.games.ctv.rules import cover, war
from pbem.games.ctv.rules.cover import judged_by
from pbem.games.ctv.stages.combat import Fighting
from pbem.games.ctv.stages.cover import Baring, BeforeSurrender, ShowingBasques, opened, showings
from pbem.games.ctv.stages.movement import Marching, Segment
from pbem.games.ctv.tables import AIR, INFANTRY, NATIONALIST, REPUBLICAN
from pbem.messages import Row, say
from pbem.value import value


def turn() -> tuple[s.Stage[Position], ...]:
    """The stages of a turn, in order."""
    return (
        s.IfRolled(Weather()), s.IfRolled(Offensive()), *phase(NATIONALIST), BeforeSurrender(),
        s.IfRolled(Surrender()), s.IfRolled(Factory()), *phase(REPUBLICAN), EndOfTurn(),
    )  # fmt: skip


def phase(side: s.Side) -> tuple[s.Stage[Position], ...]:
    """The movement and the combat of a side."""
    return (
        Segment(side, "movement"), Marching(side), Segment(side, "combat"), Fighting(side),
    )  # fmt: skip


@value
@CITE.rule("3")
class NextTurn(s.AutoStage[Position]):
    """A turn begins, or the game is over."""

    def run(self, position: Position) -> s.Outcome:
        return s.Outcome((e.TurnBegan(position.turn + 1),), then=turn())


# ------------------------------------------------------------------- A: weather


@value
@CITE.rule("3.A")
class Weather(s.ChanceStage[Position]):
    """The weather is rolled for, but in the first turn."""

    def chance(self, position: Position) -> s.Chance:
        draws = (s.Draw("weather", say("weather")),) if position.turn > 1 else ()
        return s.Chance("weather", "11.2", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        if position.turn == 1:
            return s.Outcome((e.WeatherRolled(0, FAIR),))
        die = rolled["weather"].face
        return s.Outcome((e.WeatherRolled(die, war.weather_for(position, die)),))


# ------------------------------------------------------------------- B.1: the offensive elsewhere


@value
@CITE.rule("3.B.1")
class Offensive(s.ChanceStage[Position]):
    """The offensive elsewhere begins, or takes units a turn later."""

    def chance(self, position: Position) -> s.Chance:
        row = war.offensive_row(position)
        rolls = war.strikes_now(position) or (row is not None and "from" in row)
        draws = (s.Draw("offensive", say("offensive elsewhere")),) if rolls else ()
        return s.Chance("offensive", "12.2", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        row = war.offensive_row(position)
        if war.strikes_now(position):
            die = rolled["offensive"].face
            taken = war.taken_for(position, die)
            took = e.OffensiveTook(die, taken.infantry, taken.air)
            leaving = Leaving(taken.infantry, taken.air)
            if leaving.is_a_choice(position):
                return s.Outcome((took,), then=(leaving,))
            gone: s.Unfolding[Position] = s.Unfolding(position)
            gone.happen(took, *map(e.UnitWithdrawn, leaving.able(position)))
            return gone.outcome(then=showings(gone.position))
        if row is None:
            return s.Outcome()
        die = rolled["offensive"].face if "from" in row else 0
        return s.Outcome((e.OffensiveRolled(die, "from" not in row or die >= row["from"]),))


@value
@CITE.serves("12.3")
class Leaving(s.PlayerStage[Position]):
    """The Nationalist says which units leave."""

    infantry: int
    air: int

    @property
    def side(self) -> s.Side:
        return NATIONALIST

    def able(self, position: Position) -> tuple[str, ...]:
        """All units that could leave."""
        return (*war.may_leave(position, "infantry"), *war.may_leave(position, AIR))

    def is_a_choice(self, position: Position) -> bool:
        """Whether any of those that could leave may stay, or lies covered: its owner says where."""
        men, planes = (war.how_many_may_leave(position, type) for type in (INFANTRY, AIR))
        lies_covered = men > len(war.may_leave(position, INFANTRY))
        return men > self.infantry or planes > self.air or lies_covered

    def ask(self, position: Position) -> s.Decision | None:
        men, planes = war.may_leave(position, INFANTRY), war.may_leave(position, AIR)
        number = war.how_many_may_leave(position, INFANTRY)
        if not (number or planes):
            return None
        if len(men) < self.infantry:
            men = war.may_leave(position.seen(NATIONALIST), INFANTRY)
        weakest = sorted(
            men, key=lambda unit: (position.steps_left(unit), position.values(unit).attack)
        )
        default = o.Withdraw((*weakest[: self.infantry], *planes[: self.air]))
        told = [say("infantry that may leave: {units}", units=", ".join(men))] if men else []
        if planes:
            told.append(say("air units that may leave: {units}", units=", ".join(planes)))
        note = say("{told}", told=Row(tuple(told), "; "))
        return s.Decision(
            side=NATIONALIST, stage="offensive", rule="12.3",
            prompt=say("say which units leave: {infantry} infantry, {air} air",
                       infantry=min(self.infantry, number), air=min(self.air, len(planes))),
            options=(s.Option(o.Withdraw, note=note, examples=s.listed([default])),),
            default=default, policy="withdraw",
        )  # fmt: skip

    check = judged_by((war.withdraws_as_many,))

    def resolve(self, position: Position, order: o.Withdraw) -> s.Outcome:  # type: ignore[override]
        story, order = opened(position, self, order)
        # reading: a headquarters that is left alone stays: nobody was destroyed or retreated (9.2).
        story.happen(*map(e.UnitWithdrawn, order.units))
        return story.outcome(then=showings(story.position))


# ------------------------------------------------------------------- C.1: the Basques, the factory


@value
@CITE.rule("3.C.1")
class Surrender(s.ChanceStage[Position]):
    """The die for the Basques."""

    def chance(self, position: Position) -> s.Chance:
        draws = (
            (s.Draw("basques", say("Basque surrender")),) if war.do_basques_waver(position) else ()
        )
        return s.Chance("surrender", "13.2", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        if not war.do_basques_waver(position):
            return s.Outcome()
        die = rolled["basques"].face
        if die > position.board.charts["basques"]["surrender"]:
            return s.Outcome((e.SurrenderRolled(die, False),))
        covered = (ShowingBasques(),) if war.covered_basques(position) else ()
        return s.Outcome((e.SurrenderRolled(die, True),), then=(*covered, LayingDown()))


@value
@CITE.serves("13.3")
class LayingDown(s.AutoStage[Position]):
    """The Basque brigades lay down their arms, and battalions go on fighting."""

    def run(self, position: Position) -> s.Outcome:
        hexes = war.battalion_hexes(position)
        story: s.Unfolding[Position] = s.Unfolding(position)
        for unit, hex in zip(war.basques(position), hexes, strict=True):
            story.happen(e.BrigadeSurrendered(unit, hex))
        if len(hexes) > len(war.battalions(position)):
            return story.outcome(then=(Remaining(hexes),))
        form(story, hexes)
        return story.outcome(then=(Vacating(hexes),))


@CITE.serves("13.3")
def form(story: s.Unfolding[Position], at: tuple[str, ...]) -> None:
    """Battalions in these hexes."""
    for unit, hex in zip(war.battalions(story.position), at, strict=False):
        story.happen(e.BattalionFormed(unit, hex))


@value
@CITE.serves("13.3", "5.2")
class Vacating(s.AutoStage[Position]):
    """Basque headquarters that are left alone go, and trenches that nobody holds any more. Covered
    counters are shown first where that hangs on them.
    """

    hexes: tuple[str, ...]
    """Where the brigades stood."""

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        # reading: Basque headquarters without troops go, wherever they are; those of others stay.
        alone = war.headquarters_without_troops(position)
        there = {position.at(unit) for unit in alone}
        story.happen(*map(e.HexInDoubt, sorted(there & position.covers.keys())))
        if cover.next_to_show(story.position, REPUBLICAN):
            return story.outcome(then=(Baring(REPUBLICAN), self))
        story.happen(*(e.HexInDoubt(hex, is_settled=True) for hex in sorted(position.in_doubt)))
        story.happen(*(e.UnitEliminated(unit, "surrender") for unit in alone))
        for hex in sorted({*self.hexes, *there} & position.trenches):
            if not story.position.units_at(hex, REPUBLICAN):
                story.happen(e.TrenchLost(hex))
        return story.outcome()


@value
@CITE.serves("13.3")
class Remaining(s.PlayerStage[Position]):
    """The Republican says where battalions go on fighting."""

    hexes: tuple[str, ...]

    @property
    def side(self) -> s.Side:
        return REPUBLICAN

    def ask(self, position: Position) -> s.Decision:
        number = len(war.battalions(position))
        default, other = o.Remain(self.hexes[:number]), o.Remain(self.hexes[-number:])
        note = say("brigades have surrendered in {hexes}", hexes=", ".join(self.hexes))
        return s.Decision(
            side=REPUBLICAN, stage="surrender", rule="13.3",
            prompt=say("say where battalions go on fighting: {number}", number=number),
            options=(s.Option(o.Remain, note=note, examples=s.listed([default, other])),),
            default=default, policy="remain",
        )  # fmt: skip

    check = judged_by((war.remains_where_brigades_stood,))

    def resolve(self, position: Position, order: o.Remain) -> s.Outcome:  # type: ignore[override]
        story: s.Unfolding[Position] = s.Unfolding(position)
        form(story, order.at)
        return story.outcome(then=(Vacating(self.hexes),))


@value
@CITE.serves("14.2")
class Factory(s.ChanceStage[Position]):
    """The die for the factory of Reinosa."""

    def chance(self, position: Position) -> s.Chance:
        rolls = war.is_factory_in_danger(position)
        draws = (s.Draw("factory", say("factory of Reinosa")),) if rolls else ()
        return s.Chance("factory", "14.2", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        if not war.is_factory_in_danger(position):
            return s.Outcome()
        die = rolled["factory"].face
        return s.Outcome((
            e.FactoryRolled(die, die >= position.board.charts["factory"]["demolished"]),
        ))  # fmt: skip


# ------------------------------------------------------------------- D: the end of the turn


@value
@CITE.rule("3.D")
class EndOfTurn(s.AutoStage[Position]):
    """Disorganisation goes, units are ready again, points are counted."""

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        slowly = SLOW_RECOVERY in position.options
        left = war.levels_left(position.levels, slowly=slowly)
        recovered = tuple(unit for unit in position.levels if unit not in left)
        story.happen(e.TurnEnded(left, recovered))
        if war.has_won(position):
            story.happen(e.GameEnded(NATIONALIST, war.how_it_ends(position)))
        elif war.is_last_turn(position):
            story.happen(e.GameEnded(REPUBLICAN, war.how_it_ends(position)))
        else:
            return story.outcome(then=(NextTurn(),))
        return story.outcome()
