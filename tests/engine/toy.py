"""A game of a few lines to show what the kernel does: two players climb, now and then by a die.

A turn is a `Climb` of each side: `step` up to three rungs, or `rest`. Whoever rests lets chance
lift them; whoever reaches the top ends the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pbem.engine.choices import Amount
from pbem.engine.dice import Draw, Roll
from pbem.engine.model import (
    AutoStage,
    Chance,
    ChanceStage,
    Decision,
    Event,
    Option,
    Order,
    Outcome,
    PlayerStage,
    Side,
    Stage,
    State,
    Unfolding,
    Violation,
)
from pbem.engine.rules import Citations, by_verb, checks

RED, BLUE = Side("red"), Side("blue")
TOP = 10
CITE = Citations("ladder")


@dataclass(frozen=True)
class Ladder:
    """Where both stand, and how often a turn has begun."""

    rungs: Mapping[Side, int] = field(default_factory=lambda: {RED: 0, BLUE: 0})
    turn: int = 0


@dataclass(frozen=True)
class Climbed(Event[Ladder]):
    side: Side
    by: int

    def apply(self, position: Ladder) -> Ladder:
        rungs = {**position.rungs, self.side: position.rungs[self.side] + self.by}
        return replace(position, rungs=rungs)


@dataclass(frozen=True)
class TurnBegan(Event[Ladder]):
    def apply(self, position: Ladder) -> Ladder:
        return replace(position, turn=position.turn + 1)


@dataclass(frozen=True)
class TopReached(Event[Ladder]):
    ends_the_game: ClassVar[bool] = True
    side: Side

    def apply(self, position: Ladder) -> Ladder:
        return position


@dataclass(frozen=True)
class Step(Order):
    verb: ClassVar[str] = "step"
    by: int


@dataclass(frozen=True)
class Rest(Order):
    verb: ClassVar[str] = "rest"


@dataclass(frozen=True)
class Jump(Order):
    """A verb that no stage ever asks for."""

    verb: ClassVar[str] = "jump"


@CITE.check("2.1")
def at_least_one(stage: Climb, position: Ladder, order: Step) -> Iterator[Violation]:
    if order.by < 1:
        yield Violation("a step goes up", at=("by",))


@CITE.check("2.2")
def at_most_three(stage: Climb, position: Ladder, order: Step) -> Iterator[Violation]:
    if order.by > 3:
        yield Violation("a step is three rungs at most", at=("by",), hint="write 1, 2 or 3")


@CITE.check("2.3")
def not_past_the_top(stage: Climb, position: Ladder, order: Step) -> Iterator[Violation]:
    if position.rungs[stage.side] + order.by > TOP:
        yield Violation("the ladder ends", at=("by",), rule="2.3.1")


@dataclass(frozen=True)
@CITE.rule("1.0", "1.1")
class Climb(PlayerStage[Ladder]):
    side: Side
    left: int = 1

    def ask(self, position: Ladder) -> Decision | None:
        if position.rungs[self.side] == TOP:
            return None
        return Decision(
            self.side,
            "climb",
            "step or rest",
            "1.1",
            (Option(Step, {"by": Amount(0, 5)}), Option(Rest)),
            default=Rest(),
        )

    check = by_verb(
        {Step: checks((at_least_one,), (at_most_three, not_past_the_top)), Rest: checks()}
    )

    def resolve(self, position: Ladder, order: Order) -> Outcome:
        keep = replace(self, left=self.left - 1) if self.left > 1 else None
        if isinstance(order, Rest):
            return Outcome(keep=keep, then=(Lift(self.side), Lift(self.side)))
        assert isinstance(order, Step)
        story: Unfolding[Ladder] = Unfolding(position)
        story.happen(Climbed(self.side, order.by))
        if story.position.rungs[self.side] == TOP:
            story.happen(TopReached(self.side))
        return story.outcome(keep=keep)


@dataclass(frozen=True)
class Lift(ChanceStage[Ladder]):
    side: Side

    def chance(self, position: Ladder) -> Chance:
        return Chance("lift", "1.2", (Draw("lift/#/die/1", f"{self.side} is lifted"),))

    def resolve(self, position: Ladder, rolled: Mapping[str, Roll]) -> Outcome:
        lifted = rolled["lift/#/die/1"].face == 6 and position.rungs[self.side] < TOP
        return Outcome((Climbed(self.side, 1),) if lifted else ())


@dataclass(frozen=True)
class Turn(AutoStage[Ladder]):
    def run(self, position: Ladder) -> Outcome:
        return Outcome((TurnBegan(),), keep=self, then=(Climb(RED, left=2), Climb(BLUE)))


@dataclass(frozen=True)
class Treadmill(AutoStage[Ladder]):
    """Keeps itself for ever: a bug the kernel must notice."""

    def run(self, position: Ladder) -> Outcome:
        return Outcome(keep=self)


def start(*stages: Stage[Any], red: int = 0, blue: int = 0) -> State[Ladder]:
    """A ladder with the players at these rungs; the stages are listed as they are to happen."""
    return State(Ladder({RED: red, BLUE: blue}), tuple(reversed(stages or (Turn(),))))
