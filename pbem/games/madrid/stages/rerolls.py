"""15.CN10: dice that the Nationalists may roll again."""

from __future__ import annotations

from pbem.engine.model import Decision, Outcome, PlayerStage, Side, Stage
from pbem.engine.rules import checks
from pbem.games.madrid import events as e
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import Reroll
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits
from pbem.games.madrid.stages.chit_answers import for_a_chit
from pbem.games.madrid.tables import NATIONALIST
from pbem.messages import say
from pbem.value import value


@value
@CITE.rule("15.CN10")
class Rerolling(PlayerStage[Position]):
    """Asks after the dice and before the losses. All dice of the roll are rolled again."""

    # reading: all three dice are rolled again, too, and the new result counts.
    dice: tuple[int, ...]
    again: Stage[Position]
    settle: Stage[Position]

    @property
    def side(self) -> Side:
        return NATIONALIST

    def ask(self, position: Position) -> Decision:
        prompt = say("reroll {told}, or decline", told=tuple(self.dice))
        return for_a_chit(
            position, NATIONALIST, chits.REROLL, Reroll, prompt, "15.CN10", policy="reroll"
        )

    check = checks((chits.answers_with_its_chit,))

    def resolve(self, position: Position, order: Reroll) -> Outcome:  # type: ignore[override]
        if not order.chit:
            return Outcome(then=(self.settle,))
        played = e.ChitPlayed(NATIONALIST, order.chit)
        return Outcome((played, e.Rerolled(self.dice)), then=(self.again,))


def settled(
    position: Position, dice: tuple[int, ...], again: Stage[Position], settle: Stage[Position],
    *, never: bool = False,
) -> Outcome:  # fmt: skip
    """The outcome of dice that CN10 may change. A side is asked only if it may play it.

    `never`: its order for the impulse has declined it before the dice.

    It is not asked about dice rolled again: each kind of chit is played once a turn (6.4).
    """
    if not never and chits.may_play(position, NATIONALIST, chits.REROLL):
        return Outcome(then=(Rerolling(dice, again, settle),))
    return Outcome(then=(settle,))
