"""The sequence of play: which stages a game, a turn and a round are made of (6.0).

Read this file to see the whole game; everything below it is detail.
"""

from __future__ import annotations

from pbem.engine.model import AutoStage, Outcome, Side, Stage
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.stages.attrition import Attrition
from pbem.games.crusade.stages.draw import CheckWarPhase, Discards, DrawHands
from pbem.games.crusade.stages.end_of_turn import EndOfTurn, MarkerRemoval
from pbem.games.crusade.stages.replacements import Replacements
from pbem.games.crusade.stages.round import Arrivals, PlayCard, RoundEnd
from pbem.games.crusade.stages.setup import LayDecks
from pbem.games.crusade.stages.war_status import WarStatus
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN
from pbem.value import value

ROUNDS = 6


def opening() -> tuple[Stage[Position], ...]:
    """The agenda of a game that has just been set up; its last stage comes first."""
    return (FirstTurn(), LayDecks())


@value
class FirstTurn(AutoStage[Position]):
    """The first turn begins with the hands the scenario deals: no discard comes before."""

    def run(self, position: Position) -> Outcome:
        begun = (e.TurnBegan(position.turn),)
        return Outcome(begun, then=(DrawHands(), *action_phase(), *after_the_rounds()))


@value
@CITE.rule("6.0", "6.0.F.4")
class NextTurn(AutoStage[Position]):
    """The marker moves on and the sequence begins again."""

    def run(self, position: Position) -> Outcome:
        begun = (e.TurnBegan(position.turn + 1),)
        return Outcome(begun, then=(*draw_phase(), *action_phase(), *after_the_rounds()))


@CITE.rule("6.0.A.1", "6.0.A.2", "6.0.A.3")
def draw_phase() -> tuple[Stage[Position], ...]:
    # reading: Q18, where both may discard at once the Nationalists say first.
    return (
        Segment("draw"),
        CheckWarPhase(),
        Discards(NATIONALIST),
        Discards(REPUBLICAN),
        DrawHands(),
    )


@CITE.rule("4.1.2", "6.0.B", "6.0.C.1", "6.0.C.2", "7.1.1", "7.1.2", "7.1.5")
def action_phase() -> tuple[Stage[Position], ...]:
    """Six rounds each, the Nationalists first; each side's attrition follows its sixth."""
    stages: list[Stage[Position]] = []
    for number in range(1, ROUNDS + 1):
        for side in (NATIONALIST, REPUBLICAN):
            stages.append(ActionRound(side, number))
            if number == ROUNDS:
                stages.append(Attrition(side))
    return tuple(stages)


@CITE.rule("6.0.D.1", "6.0.D.2", "6.0.E.1", "6.0.E.2", "6.0.F.1", "6.0.F.2", "6.0.F.3")
def after_the_rounds() -> tuple[Stage[Position], ...]:
    # reading: Q18, where both may remove markers at once the Nationalists say first.
    return (
        Segment("war_status"),
        WarStatus(),
        Segment("replacements"),
        Replacements(REPUBLICAN),
        Replacements(NATIONALIST),
        Segment("end_of_turn"),
        MarkerRemoval(NATIONALIST),
        MarkerRemoval(REPUBLICAN),
        EndOfTurn(),
        NextTurn(),
    )


@value
class Segment(AutoStage[Position]):
    """A phase outside the Action Phase begins."""

    name: str

    def run(self, position: Position) -> Outcome:
        return Outcome((e.SegmentBegan(self.name),))


@value
class ActionRound(AutoStage[Position]):
    """One side's round: what arrives, the card, and the end."""

    side: Side
    number: int

    def run(self, position: Position) -> Outcome:
        begun = (e.RoundBegan(self.side, self.number),)
        return Outcome(begun, then=(Arrivals(), PlayCard(self.side), RoundEnd(self.side)))
