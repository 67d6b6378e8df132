"""The sequence of play: the stages of a game, a turn and a round (6.0).

This file shows the whole game; everything below it is detail. A phase is only a name until it
begins, and its modules are loaded then: a command that plays one round does not need the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.engine.model import AutoStage, Outcome, Side, Stage, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import ROUNDS, Position
from pbem.games.crusade.rules.options_decks import ends_early
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN
from pbem.value import value

Stages = tuple[Stage[Position], ...]


def opening() -> Stages:
    """The agenda of a game that was just set up; its last stage comes first."""
    return (FirstTurn(), Phase("set_up"))


@value
class FirstTurn(AutoStage[Position]):
    """The first turn begins with the hands the scenario deals, without a discard before."""

    def run(self, position: Position) -> Outcome:
        from pbem.games.crusade.rules.morale import test_static_division
        from pbem.games.crusade.rules.shown import note_what_shows
        from pbem.games.crusade.stages.draw import DrawHands, Redraws
        from pbem.games.crusade.stages.guerrilla import GuerrillaCorps

        sheet = position.tables.sheet(position.scenario)
        story: Unfolding[Position] = Unfolding(position)
        if "begins" in sheet:
            note_what_shows(story)
            test_static_division(story)
            return story.outcome(then=(*in_the_middle(sheet), *after_the_rounds()))
        story.happen(e.TurnBegan(position.turn))
        note_what_shows(story)
        test_static_division(story)
        return story.outcome(
            then=(
                *(DrawHands(), Redraws(), GuerrillaCorps()),
                *(*action_phase(), *after_the_rounds()),
            )
        )


@value
@CITE.rule("6.0.F.4")
class NextTurn(AutoStage[Position]):
    """The turn marker moves on and the sequence begins again."""

    def run(self, position: Position) -> Outcome:
        begun = (e.TurnBegan(position.turn + 1),)
        return Outcome(begun, then=(Phase("draw"), *action_phase(), *after_the_rounds()))


@CITE.rule("4.1.2", "6.0.B", "7.1.1", "7.1.2", "7.1.5")
def action_phase() -> tuple[ActionRound, ...]:
    """Six rounds each, the Nationalists first."""
    return tuple(
        ActionRound(side, number)
        for number in range(1, ROUNDS + 1)
        for side in (NATIONALIST, REPUBLICAN)
    )


def in_the_middle(sheet: Mapping[str, Any]) -> Stages:
    """The hands that an owner's scenario states, and the remaining rounds of its turn."""
    from pbem.games.crusade.stages.draw import DealHands

    hands, begins, rounds = sheet["decks"]["hands"], sheet["begins"], action_phase()
    first = rounds.index(ActionRound(Side(begins["side"]), begins["round"]))
    deal = DealHands((hands[NATIONALIST]["random"], hands[REPUBLICAN]["random"]))
    return (deal, *rounds[first:])


def after_the_rounds() -> Stages:
    """The rest of a turn after the rounds of both sides, and the next turn."""
    return (
        Phase("war_status"),
        Phase("replacements"),
        Phase("end_of_turn"),
        Mobilization(),
        NextTurn(),
    )


# --- the phases besides the rounds ---------------------------------------------------------------


def set_up(position: Position) -> Stages:
    """Choices and draws before the first turn, by scenario and options."""
    from pbem.games.crusade.stages.random_setup import (
        CardLots,
        GuardOfMorocco,
        RandomSetUp,
        UnseenLots,
    )
    from pbem.games.crusade.stages.setup import LayDecks

    return (
        GuardOfMorocco(), RandomSetUp(), CardLots(), LayDecks(), UnseenLots(),
        *_choices_before_the_first_turn(position),
    )  # fmt: skip


def _choices_before_the_first_turn(position: Position) -> Stages:
    """Those of the scenario; few have any, and none is loaded for the others."""
    sheet = position.tables.sheet(position.scenario)
    early = position.option("Q21") and "begins" not in sheet  # which states its hands
    if not (sheet.get("post_deployment") or early):
        return ()
    from pbem.games.crusade.stages.post_deployment import EarlyHands, PostDeployment

    return (EarlyHands(), PostDeployment()) if early else (PostDeployment(),)


@CITE.serves("6.0.A.1", "6.0.A.2", "6.0.A.3")
def draw(position: Position) -> Stages:
    """The Draw Phase: a new phase of the war, discards, and new hands."""
    # reading: Q18, if both may discard at once the Nationalists go first.
    from pbem.games.crusade.stages.draw import CheckWarPhase, Discards, DrawHands, Redraws
    from pbem.games.crusade.stages.guerrilla import GuerrillaCorps
    from pbem.games.crusade.stages.random_setup import CardLots, UnseenLots

    return (
        CardLots(),
        CheckWarPhase(),
        UnseenLots(),
        Discards(NATIONALIST),
        Discards(REPUBLICAN),
        DrawHands(),
        Redraws(),
        GuerrillaCorps(),
    )


@CITE.serves("6.0.D.1", "6.0.D.2")
def war_status(position: Position) -> Stages:
    """The War Status Phase."""
    from pbem.games.crusade.stages.war_status import WarStatus

    return (WarStatus(),)


@CITE.rule("6.0.E.1", "6.0.E.2")
def replacements(position: Position) -> Stages:
    """The Replacement Phase, the Republicans first."""
    from pbem.games.crusade.stages.replacements import Replacements

    return (Replacements(REPUBLICAN), Replacements(NATIONALIST))


@CITE.serves("6.0.F.1", "6.0.F.2", "6.0.F.3")
def end_of_turn(position: Position) -> Stages:
    """Markers removed by choice, and what ends with a turn."""
    # reading: Q18, if both may remove markers at once the Republicans go first: they had the last
    # round, and the Nationalists, who discard first, then answer both in one mail.
    from pbem.games.crusade.stages.end_of_turn import EndOfTurn, MarkerRemoval

    return (MarkerRemoval(REPUBLICAN), MarkerRemoval(NATIONALIST), EndOfTurn())


@CITE.serves("15.2.1", "15.2.2")
def corps(position: Position) -> Stages:
    """Between the War of the Columns and the Mobilization both armies are reorganised."""
    from pbem.games.crusade.stages.deployment import first_corps
    from pbem.games.crusade.stages.militarization import Militarization, ReserveCheck

    most = position.tables.tables["limits"]["militarization"]["value"]
    return (*first_corps(position, NATIONALIST, "15.2.1"), ReserveCheck(), Militarization(most))


PHASES: Mapping[str, Callable[[Position], Stages]] = {
    phase.__name__: phase for phase in (set_up, draw, war_status, replacements, end_of_turn, corps)
}


@value
class Phase(AutoStage[Position]):
    """A phase outside the Action Phase; its stages are made when it begins."""

    name: str

    def run(self, position: Position) -> Outcome:
        begun = (e.SegmentBegan(self.name),)
        return Outcome(begun, then=PHASES[self.name](position))


@value
class Mobilization(AutoStage[Position]):
    """The deployment of corps comes before the first turn of the Mobilization (15.2)."""

    def run(self, position: Position) -> Outcome:
        phase_of = position.tables.phase_of
        if phase_of(position.turn) != "columns" or phase_of(position.turn + 1) != "mobilization":
            return Outcome()
        return Outcome(then=(Phase("corps"),))


@value
@CITE.rule("6.0.C.1", "6.0.C.2")
class ActionRound(AutoStage[Position]):
    """One side's round: arrivals, the card, the end; the sixth is followed by attrition."""

    side: Side
    number: int

    def run(self, position: Position) -> Outcome:
        from pbem.games.crusade.stages.round import Arrivals, PlayCard, RoundEnd

        begun = (e.RoundBegan(self.side, self.number),)
        stages: Stages = (Arrivals(), PlayCard(self.side), RoundEnd(self.side))
        if self.number == ROUNDS:
            from pbem.games.crusade.stages.attrition import Attrition

            stages = (*stages, Attrition(self.side))
        if war_ends_with(position, self.side, self.number):
            from pbem.games.crusade.stages.end_of_turn import EarlyEnd

            stages = (*stages, EarlyEnd())
        return Outcome(begun, then=stages)


@CITE.rule("18.1.10")
def war_ends_with(position: Position, side: Side, number: int) -> bool:
    """Whether the game ends with this round: the third Republican one of a short last turn."""
    # reading: it ends at once, without attrition and without a War Status Phase.
    last = position.tables.tables["rounds"]["last_turn_optional"]["per_turn"]
    return side == REPUBLICAN and number == last and ends_early(position)
