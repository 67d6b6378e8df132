"""The sequence: plans in secret, a chit, then impulses in turn, as many as the chit says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.games.toy import events as e
from pbem.games.toy import rules
from pbem.games.toy.citations import CITE
from pbem.games.toy.orders import March, Plan, Rest, Volley
from pbem.games.toy.position import ENEMY, SIDES, Position

from pbem.engine.choices import OneOf, listed
from pbem.engine.dice import Draw, Roll
from pbem.engine.model import (
    AutoStage,
    Chance,
    ChanceStage,
    Decision,
    Option,
    Order,
    Outcome,
    PlayerStage,
    Side,
    Stage,
    Unfolding,
)
from pbem.engine.rules import by_verb, checks
from pbem.messages import say
from pbem.value import value


def turn() -> tuple[Stage[Position], ...]:
    """The agenda of a turn, the next stage last."""
    return (NextTurn(), Impulses(), Cup(), *map(Planning, reversed(SIDES)))


@value
@CITE.rule("2.1")
class Planning(PlayerStage[Position]):
    side: Side

    def ask(self, position: Position) -> Decision:
        stances = OneOf(rules.STANCES)
        return Decision(
            side=self.side, stage="plan", prompt=say("choose a plan"), rule="2.1",
            options=(Option(Plan, {"stance": stances}),), default=Plan("steady"),
        )  # fmt: skip

    check = rules.PLAN_CHECKS

    def resolve(self, position: Position, order: Plan) -> Outcome:  # type: ignore[override]
        return Outcome((e.PlanShown(self.side, order.stance),))


@value
@CITE.rule("2.2")
class Cup(ChanceStage[Position]):
    def chance(self, position: Position) -> Chance:
        left = len(position.left_in_cup)
        return Chance("cup", "2.2", (Draw("cup/#", say("the chit of the turn"), of=left, take=1),))

    def resolve(self, position: Position, rolled: Mapping[str, Roll]) -> Outcome:
        chit = position.left_in_cup[rolled["cup/#"].picked[0]]
        return Outcome((e.ChitDrawn(chit), e.ImpulseBegan(1, SIDES[0])))


@value
@CITE.serves("3.1")
class Impulses(AutoStage[Position]):
    def run(self, position: Position) -> Outcome:
        return Outcome(then=(Impulse(position.active),))


@value
@CITE.rule("3.1")
class Impulse(PlayerStage[Position]):
    side: Side

    def ask(self, position: Position) -> Decision | None:
        if position.result is not None:
            return None
        return Decision(
            side=self.side, stage="impulse", rule="3.1",
            prompt=say("march, fire a volley, or rest"),
            options=tuple(self._options(position)), default=Rest(),
        )  # fmt: skip

    def _options(self, position: Position) -> Iterator[Option]:
        marches = [
            March(unit, path)
            for unit in position.units_of(self.side)
            for path in rules.marches_of(position, unit)
        ]
        if marches:
            yield Option(March, examples=listed(marches))
        volleys = [
            Volley({unit: hex})
            for unit in position.units_of(self.side)
            for hex in rules.targets_of(position, unit)
        ]
        if volleys:
            yield Option(Volley, examples=listed(volleys))
        yield Option(Rest, {})

    check = by_verb({March: rules.MARCH_CHECKS, Volley: rules.VOLLEY_CHECKS, Rest: checks()})

    def resolve(self, position: Position, order: Order) -> Outcome:
        then: tuple[Stage[Position], ...] = (ImpulseEnds(),)
        if isinstance(order, Volley):
            return Outcome(then=(Fire(self.side, tuple(order.at.items())), *then))
        marched = (e.UnitMarched(order.unit, order.path),) if isinstance(order, March) else ()
        return Outcome(marched, then=then)


@value
@CITE.serves("3.3")
class Fire(ChanceStage[Position]):
    side: Side
    targets: tuple[tuple[str, str], ...]

    def chance(self, position: Position) -> Chance:
        draws = tuple(
            Draw(f"volley/#/{at}", say("volley of {unit} at {hex}", unit=unit, hex=hex))
            for at, (unit, hex) in enumerate(self.targets, 1)
        )
        return Chance("volley", "3.3", draws)

    def resolve(self, position: Position, rolled: Mapping[str, Roll]) -> Outcome:
        story: Unfolding[Position] = Unfolding(position)
        for at, (unit, hex) in enumerate(self.targets, 1):
            die = rolled[f"volley/#/{at}"].face
            total = die + rules.bonus(position, self.side, ENEMY[self.side])
            target = story.position.units_at.get(hex)
            is_hit = total >= rules.HIT and target is not None
            story.happen(e.VolleyFired(unit, hex, die, total, is_hit))
            if is_hit and target is not None:
                story.happen(e.UnitLost(target))
        return story.outcome()


@value
@CITE.rule("4.2")
@CITE.serves("3.1")
class ImpulseEnds(AutoStage[Position]):
    def run(self, position: Position) -> Outcome:
        for side in SIDES:
            if not position.units_of(ENEMY[side]):
                return Outcome((e.GameEnded(side, "nobody is left to fight on"),))
        if position.impulse == position.board.impulses[position.chits[-1]]:
            return Outcome()
        began = e.ImpulseBegan(position.impulse + 1, ENEMY[position.active])
        return Outcome((began,), then=(Impulse(began.side),))


@value
@CITE.rule("4.1")
class NextTurn(AutoStage[Position]):
    def run(self, position: Position) -> Outcome:
        if position.turn < position.board.turns:
            return Outcome((e.TurnBegan(position.turn + 1),), then=tuple(reversed(turn())))
        held = {side: len(position.areas_of(side)) for side in SIDES}
        amber, violet = (held[side] for side in SIDES)
        winner = "draw" if amber == violet else SIDES[0] if amber > violet else SIDES[1]
        return Outcome((e.GameEnded(winner, "the last turn is over"),))
