"""11: bombardments, and what answers them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine import staging as s
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import BOMB, Position
from pbem.games.nopasaran.rules import air, answers, artillery, fate
from pbem.games.nopasaran.rules.cover import answered_by
from pbem.games.nopasaran.rules.naming import called
from pbem.games.nopasaran.stages.cover import NamingGuns, ShowingOf, opened, watching
from pbem.games.nopasaran.stages.losses import CheckingMorale
from pbem.games.nopasaran.stages.rolling import ten_sided
from pbem.games.nopasaran.tables import ENEMY
from pbem.messages import say
from pbem.value import value


@value
@CITE.serves("7.3.3", "7.4")
class BombersWatched(s.AutoStage[Position]):
    """Before bombers are fired at, units face down may be shown that fire."""

    side: s.Side
    order: o.Bombard

    def run(self, position: Position) -> s.Outcome:
        if not (self.order.air and air.is_fired_at(position, BOMB)):
            return s.Outcome()
        path = air.flight(position, self.side, self.order.target)
        return watching(position, ((self.side, path),))


@value
@CITE.rule("11.5")
class Firing(s.ChanceStage[Position]):
    """A bombardment: one die, and another for the unit that is hit if there are several."""

    side: s.Side
    order: o.Bombard
    is_counter: bool = False

    def chance(self, position: Position) -> s.Chance:
        hex = self.order.target
        draws = [ten_sided("bombardment/#/result", say("bombardment of {hex}", hex=hex))]
        if self.order.at == o.UNITS and len(self._targets(position)) > 1:
            draws.append(ten_sided("bombardment/#/unit", say("unit that is hit in {hex}", hex=hex)))
        if air.is_fired_at(position, BOMB):
            draws += [
                ten_sided(f"antiaircraft/#/{unit}", say("antiaircraft fire at {unit}",
                                                   unit=called(position, unit)))
                for unit in self.order.air
                if air.fire_against(position, self.side, air.flight(position, self.side, hex))
            ]  # fmt: skip
        return s.Chance("bombardment", "11.5", tuple(draws))

    def _targets(self, position: Position) -> tuple[str, ...]:
        return artillery.can_lose(position, self.order.target, only_guns=self.is_counter)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        order, board = self.order, position.board
        shares: dict[str, int] = {}
        for unit in order.air:
            roll = rolled.get(f"antiaircraft/#/{unit}")
            if roll is None:
                continue
            path = air.flight(position, self.side, order.target)
            factor = air.fire_against(position, self.side, path)
            left = air.left_after_fire(position, unit, BOMB, factor, roll.face)
            story.happen(e.FiredAt(unit, order.target, factor, roll.face, left))
            shares[unit] = left
        column = artillery.fire_column(position, self.side, order, shares,
                                       only_guns=self.is_counter)  # fmt: skip
        die = rolled["bombardment/#/result"].face
        table = board.losses_by_fire if order.at == o.UNITS else board.damage_by_fire
        result = table.at(column, die)
        factor = artillery.factor_of(position, order.guns, order.air, shares)
        story.happen(e.Bombarded(
            self.side, order.target, order.at, order.guns, order.air, factor,
            table.heading(column), die, str(result), self.is_counter,
        ))  # fmt: skip
        then: list[s.Stage[Position]] = []
        if order.at == o.UNITS:
            roll = rolled.get("bombardment/#/unit")
            then += self._hits(story.position, int(result), roll.face if roll else 0)
        elif result != "none":
            self._damages(story, result)
        guns = tuple(dict.fromkeys(position.at(gun) for gun in order.guns))
        if self._may_be_answered():
            then.append(Countering(ENEMY[self.side], guns))
        return story.outcome(then=tuple(then))

    @CITE.serves("11.2.b3")
    def _may_be_answered(self) -> bool:
        """Only fire at units is answered, and the answer is not."""
        return self.order.at == o.UNITS and not self.is_counter

    @CITE.serves("11.5.3")
    def _hits(self, position: Position, points: int, die: int) -> Iterator[s.Stage[Position]]:
        """One unit loses all the points; one that lies face down is shown before."""
        if points:
            units = self._targets(position)
            unit = units[position.board.loser(len(units), die)] if die else next(iter(units), "")
            owner = ENEMY[self.side]
            yield ShowingOf(owner, (unit,))
            yield Hit(owner, self.order.target, unit, points, die)

    @CITE.serves("11.5.1", "11.5.2")
    def _damages(self, story: s.Unfolding[Position], result: str) -> None:
        position, order = story.position, self.order
        match order.at:
            case "road":
                state = artillery.worse(position.roads.get(order.target, ""), result)
                story.happen(e.RoadChanged(order.target, state))
            case "rail":
                state = artillery.worse(position.rails.get(order.target, ""), result)
                story.happen(e.RailChanged(order.target, state))
            case _:
                state = artillery.worse(position.state_of_bridge(order.bridge), result)
                story.happen(e.BridgeChanged(order.bridge, state, 0, "11.5"))


@value
@CITE.serves("11.5.3")
class Hit(s.AutoStage[Position]):
    """A unit loses the points of a bombardment; where only headquarters are, one of them goes
    back.
    """

    side: s.Side
    hex: str
    unit: str
    """Its name, or the tag under which it lay; empty where there is none."""
    points: int
    die: int

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        if not self.unit:
            # reading: a loss on a hex with headquarters alone drives one of them back.
            fate.drive_headquarters(story, fate.headquarters_in(position, self.hex)[:1])
            return story.outcome()
        unit = position.down.now(self.unit)
        story.happen(e.TroopsLost(unit, self.points, self.die))
        fate.leave_headquarters_alone(story, self.hex)
        return story.outcome(then=(s.IfRolled(CheckingMorale(self.side, (unit,))),))


@value
@CITE.serves("11.3")
class Countering(s.PlayerStage[Position]):
    """A side answers guns that have just fired, once, or does not."""

    side: s.Side
    hexes: tuple[str, ...]

    def targets(self, position: Position) -> tuple[str, ...]:
        """The hexes with guns that can be answered."""
        return tuple(
            hex
            for hex in self.hexes
            if artillery.can_lose(position, hex, only_guns=True)
            and artillery.counter_guns(position, self.side, (hex,))
        )

    def _is_asked(self, position: Position) -> bool:
        """Whether the guns could be answered, as both players know: by counters face down, too."""
        return any(
            artillery.can_lose(position, hex, only_guns=True)
            and (artillery.counter_guns(position, self.side, (hex,))
                 or artillery.may_have_guns_on(position, self.side, (hex,)))
            for hex in self.hexes
        )  # fmt: skip

    def ask(self, position: Position) -> s.Decision | None:
        if not self._is_asked(position.veiled(None)):
            return None
        seen = position.by_faces(self.side)
        every = [
            o.Counterbattery(artillery.counter_guns(seen, self.side, (hex,)), hex)
            for hex in self.targets(seen)
        ]
        return s.Decision(
            side=self.side, stage="counterbattery", rule="11.3",
            prompt=say("answer the guns of the enemy, or not"),
            options=(s.Option(o.Counterbattery, examples=s.listed([o.Counterbattery(), *every])),),
            default=o.Counterbattery(), policy="counterbattery",
        )  # fmt: skip

    check = answered_by((answers.answers_guns,))

    def resolve(self, position: Position, order: o.Counterbattery) -> s.Outcome:  # type: ignore[override]
        if not order.guns:
            return s.Outcome()
        story, order = opened(position, self.side, order)
        fire = o.Bombard(order.hex, order.guns)
        return story.outcome(then=(
            NamingGuns(ENEMY[self.side], order.hex), Firing(self.side, fire, is_counter=True),
        ))  # fmt: skip
