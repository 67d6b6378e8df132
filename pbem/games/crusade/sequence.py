"""The sequence of play: which stages a game, a turn and a round are made of (6.0).

Read this file to see the whole game; everything below it is detail.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.model import AutoStage, Outcome, Side, Stage, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.morale import test_conditions
from pbem.games.crusade.stages.attrition import Attrition
from pbem.games.crusade.stages.begun import DealHands
from pbem.games.crusade.stages.deployment import first_corps
from pbem.games.crusade.stages.draw import CheckWarPhase, Discards, DrawHands, Redraws
from pbem.games.crusade.stages.end_of_turn import EndOfTurn, MarkerRemoval
from pbem.games.crusade.stages.militarization import Militarization, ReserveCheck
from pbem.games.crusade.stages.post_deployment import PostDeployment
from pbem.games.crusade.stages.replacements import Replacements
from pbem.games.crusade.stages.round import Arrivals, PlayCard, RoundEnd
from pbem.games.crusade.stages.setup import LayDecks
from pbem.games.crusade.stages.war_status import WarStatus
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN
from pbem.value import value

ROUNDS = 6


def opening() -> tuple[Stage[Position], ...]:
    """The agenda of a game that has just been set up; its last stage comes first."""
    return (FirstTurn(), PostDeployment(), Segment("set_up"), LayDecks())


@value
class FirstTurn(AutoStage[Position]):
    """The first turn begins with the hands the scenario deals: no discard comes before."""

    def run(self, position: Position) -> Outcome:
        sheet = position.tables.sheet(position.scenario)
        if "begins" in sheet:
            return Outcome(then=(*in_the_middle(sheet), *after_the_rounds()))
        story: Unfolding[Position] = Unfolding(position)
        story.happen(e.TurnBegan(position.turn))
        test_conditions(story)
        return story.outcome(
            then=(DrawHands(), Redraws(), *action_phase(), *after_the_rounds())
        )


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
        Redraws(),
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


def in_the_middle(sheet: Mapping[str, Any]) -> tuple[Stage[Position], ...]:
    """The hands an owner's scenario tells, and the rounds of its turn that are still to come."""
    hands, begins, stages = sheet["decks"]["hands"], sheet["begins"], action_phase()
    first = stages.index(ActionRound(Side(begins["side"]), begins["round"]))
    deal = DealHands((hands[NATIONALIST]["random"], hands[REPUBLICAN]["random"]))
    return (deal, *stages[first:])


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
        Mobilization(),
        NextTurn(),
    )


@value
@CITE.rule("15.2.1", "15.2.2")
class Mobilization(AutoStage[Position]):
    """Between the War of the Columns and the Mobilization both armies are organised anew."""

    def run(self, position: Position) -> Outcome:
        tables = position.tables
        if tables.phase_of(position.turn) != "columns":
            return Outcome()
        if tables.phase_of(position.turn + 1) != "mobilization":
            return Outcome()
        return Outcome(
            then=(
                Segment("corps"),
                *first_corps(position, NATIONALIST, "15.2.1"),
                ReserveCheck(),
                Militarization(tables.tables["limits"]["militarization"]["value"]),
            )
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
