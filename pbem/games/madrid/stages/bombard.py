"""9.3, 15: bombardment by guns and by chits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from pbem.engine import staging as s
from pbem.games.madrid import events as e
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import Brace, Name
from pbem.games.madrid.position import BOMBARDED, Position
from pbem.games.madrid.rules import chits
from pbem.games.madrid.rules.bombardment import bombardment_losses, gun_modifier
from pbem.games.madrid.rules.combat import defence_value, kept
from pbem.games.madrid.rules.morale import tested_by_air
from pbem.games.madrid.rules.naming import is_led_well, names_one_of_those
from pbem.games.madrid.stages.chit_answers import braces, for_a_chit
from pbem.games.madrid.stages.combat import morale_draws, morale_outcome
from pbem.games.madrid.stages.losses import Suffer
from pbem.games.madrid.tables import ENEMY, MADRID, NATIONALIST
from pbem.messages import Said, say
from pbem.value import replace, value


@value
class Shelling:
    """The state of a bombardment. `guns` is empty if a chit bombards."""

    side: s.Side
    area: str
    guns: tuple[str, ...] = ()
    point: str = ""
    is_own_area: bool = False
    from_the_air: bool = False
    alfereces: bool = False

    @property
    def enemy(self) -> s.Side:
        """The side that is bombarded."""
        return ENEMY[self.side]


@CITE.serves("9.3.d", "15.CN12")
def shelled(position: Position, shelling: Shelling) -> s.Stage[Position]:
    """The next stage: player B names the point unit, or may play a chit, or the dice are rolled."""
    if not shelling.point:
        asked = Naming(shelling)
        return asked if asked.is_needed(position) else asked.named(position)
    may = chits.may_play(position, NATIONALIST, chits.OF_POINT)
    if may and chits.is_led_by_africans(position, shelling.point):
        return BracingForShells(shelling)
    return Barrage(shelling)


@value
@CITE.serves("9.3.d", "15.CR1", "15.CN1")
class Naming(s.PlayerStage[Position]):
    """Asks player B to name the point unit."""

    shelling: Shelling

    @property
    def side(self) -> s.Side:
        return self.shelling.enemy

    def named(self, position: Position) -> s.Stage[Position]:
        """The dice, with the only possible point unit."""
        (point,) = position.units_at(self.shelling.area, self.side)
        return Barrage(replace(self.shelling, point=point))

    def is_needed(self, position: Position) -> bool:
        """Whether player B has a choice: several units, or a chit to play."""
        there = position.units_at(self.shelling.area, self.side)
        led = any(chits.is_led_by_africans(position, unit) for unit in there)
        return len(there) > 1 or (led and chits.may_play(position, self.side, chits.OF_POINT))

    def ask(self, position: Position) -> s.Decision:
        there = position.units_at(self.shelling.area, self.side)
        best = max(there, key=lambda unit: position.face(unit).defence)
        held = chits.playable(position, self.side, chits.OF_POINT)
        orders = [Name(best), *(Name(unit) for unit in there if unit != best)]
        led = (unit for unit in there if chits.is_led_by_africans(position, unit))
        orders += [Name(unit, (chit,)) for unit in led for chit in held]
        prompt = say(
            "name the point unit of the bombardment of {area}",
            area=position.called(self.shelling.area),
        )
        examples = s.noted(orders, partial(self._value_told, position))
        return s.Decision(
            side=self.side, stage="name", prompt=prompt, rule="9.3.d",
            options=(s.Option(Name, examples=examples),),
            default=Name(best), policy="name",
        )  # fmt: skip

    def _value_told(self, position: Position, order: Name) -> Said:
        defence = defence_value(
            position, self.shelling.area, order.point, alfereces=bool(order.chits)
        )
        told = say("defence value {defence}", defence=defence)
        for chit in order.chits:
            told = say("{told}, with {chit}", told=told, chit=position.title(chit))
        return told

    check = s.checks((names_one_of_those, chits.answers_with_chits), (is_led_well,))

    def resolve(self, position: Position, order: Name) -> s.Outcome:  # type: ignore[override]
        played = tuple(e.ChitPlayed(self.side, chit) for chit in order.chits)
        shelling = replace(self.shelling, point=order.point, alfereces=bool(played))
        return s.Outcome(played, then=(Barrage(shelling),))


@value
@CITE.serves("15.CN12")
class BracingForShells(s.PlayerStage[Position]):
    """Asks the Nationalists for a chit for better defence, after player A named the point unit."""

    shelling: Shelling

    @property
    def side(self) -> s.Side:
        return NATIONALIST

    def ask(self, position: Position) -> s.Decision:
        prompt = say("play a chit before the bombardment, or decline")
        return for_a_chit(
            position, NATIONALIST, chits.OF_POINT, braces, prompt, "15.CN12", policy="brace"
        )

    check = s.checks((chits.answers_with_chits,))

    def resolve(self, position: Position, order: Brace) -> s.Outcome:  # type: ignore[override]
        played = tuple(e.ChitPlayed(NATIONALIST, chit) for chit in order.chits)
        return s.Outcome(played, then=(Barrage(replace(self.shelling, alfereces=bool(played))),))


@value
@CITE.rule("9.3.f", "9.3.i")
class Barrage(s.ChanceStage[Position]):
    shelling: Shelling

    def chance(self, position: Position) -> s.Chance:
        count = 3 if self.shelling.is_own_area else 2
        draws = tuple(
            s.Draw(f"bombardment/#/{at}", say("bombardment")) for at in range(1, count + 1)
        )
        return s.Chance("bombardment", "9.3.f", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        shelling = self.shelling
        dice = tuple(roll.face for roll in rolled.values())
        two = kept(dice)
        modifier = (
            gun_modifier(position, len(shelling.guns))
            if shelling.guns
            else position.board.charts["bombardment"]["chit"]
        )
        defence = defence_value(
            position, shelling.area, shelling.point, alfereces=shelling.alfereces
        )
        points = bombardment_losses(sum(two), modifier, defence)
        events: list[e.Event[Position]] = [
            e.Bombarded(shelling.side, shelling.area, shelling.guns, shelling.point, dice, two,
                        modifier, defence, points)
        ]  # fmt: skip
        if shelling.guns:
            events.append(e.UnitsSpent(shelling.guns))
        if shelling.area == MADRID and BOMBARDED not in position.facts:
            events.append(e.FactSet(BOMBARDED))
        there = position.units_at(shelling.area, shelling.enemy)
        then: tuple[s.Stage[Position], ...] = (
            Suffer(shelling.enemy, there, shelling.point, points),
        )
        if shelling.from_the_air and shelling.side == NATIONALIST:
            then = (*then, AirRaid(shelling.area))
        return s.Outcome(tuple(events), then=then)


@value
@CITE.rule("15.CN2")
class AirRaid(s.AutoStage[Position]):
    """The units left test their morale after an air attack, in urban areas too."""

    area: str

    def run(self, position: Position) -> s.Outcome:
        units = tested_by_air(position, self.area)
        return s.Outcome(then=(AirTesting(self.area, units),) if units else ())


@value
@CITE.serves("15.CN2", "3.4.2.a")
class AirTesting(s.ChanceStage[Position]):
    area: str
    units: tuple[str, ...]

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("morale", "3.4.2.a", morale_draws(position, self.units))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        return morale_outcome(position, self.area, self.units, rolled, (), by_air=True)
