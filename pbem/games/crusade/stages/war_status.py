"""The War Status Phase: the points of the turn, and victory (6.0 D)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Remove, Withdraw
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.asks import KnowsSpace
from pbem.games.crusade.rules.ground import remove_beach_head
from pbem.games.crusade.rules.options_score import end_without_morale, note_republican_lead
from pbem.games.crusade.rules.retreat import why_surplus_is_lost
from pbem.games.crusade.rules.stacking import owner_thins_out, surplus_in
from pbem.games.crusade.rules.victory import (
    automatic_victory,
    madrid_penalty,
    republic_qualifies,
)
from pbem.games.crusade.rules.winter import winter_effects
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN
from pbem.messages import a_few, say
from pbem.value import value

BEACH = "beach_head_mallorca"


@value
@CITE.rule("6.0.D.1", "6.0.D.2")
class WarStatus(s.AutoStage[Position]):
    """Judges the landing in Mallorca, then points, then victory."""

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        _judge_landing(story)
        return story.outcome(then=(what_is_too_many(position, "mallorca"), Reckoning()))


# --- Mallorca -----------------------------------------------------------------------------------


@CITE.rule("8.5.4.4")
def _judge_landing(story: s.Unfolding[Position]) -> None:
    """Mallorca and the beach must both be held before the War Status Phase of the deadline."""
    # reading: this is checked in each War Status Phase until then, so an early success counts.
    position = story.position
    if BEACH not in position.beach_heads or BEACH not in position.deadlines:
        return
    if position.controls(REPUBLICAN, "mallorca") and position.controls(REPUBLICAN, BEACH):
        _go_inland(story)
    elif position.turn >= position.deadlines[BEACH]:
        _embark(story)


@CITE.rule("8.5.4.6")
def _go_inland(story: s.Unfolding[Position]) -> None:
    """Mallorca is won: units on the beach join those in the city, and the beach is removed."""
    for unit in story.position.units_in(BEACH):
        story.happen(e.StackMoved((unit,), ("mallorca",)))
    remove_beach_head(story, BEACH)


@CITE.rule("8.5.4.5")
def _embark(story: s.Unfolding[Position]) -> None:
    """The landing has failed: the force goes to the Reserve Box, and the beach is removed."""
    for unit in story.position.units_in(BEACH):
        story.happen(e.UnitSentToReserve(unit))
    remove_beach_head(story, BEACH)


@CITE.rule("8.5.4.6/a")
def what_is_too_many(position: Position, space: str) -> s.Stage[Position]:
    """Removes surplus units: the enemy for good, or in the first edition their owner."""
    # reading: Q17, by agreement surplus units in Mallorca go to the Reserve Box, as in the first
    # edition; else 9.1.4 applies to them as to any.
    return Overflow(space) if owner_thins_out(position) else Surplus(NATIONALIST, space)


@CITE.refusal("9.1.4")
def stands_in_the_full_space(
    stage: KnowsSpace, position: Position, order: Withdraw | Remove
) -> Iterator[s.Violation]:
    """The unit removed or withdrawn is in the overfull space."""
    units = position.units_in(stage.space)
    if order.unit not in units:
        yield s.Violation(
            say("{unit} is not in {space}", unit=order.unit, space=position.called(stage.space)),
            at=("unit",),
            hint=say("units there: {units}", units=a_few(units)),
        )


@value
class Overflow(s.PlayerStage[Position]):
    """The Republic sends surplus units to the Reserve Box."""

    space: str

    def ask(self, position: Position) -> s.Decision | None:
        if not surplus_in(position, self.space):
            return None
        units = position.units_in(self.space)
        return s.Decision(
            side=REPUBLICAN,
            stage="overstacking",
            prompt=say(
                "withdraw a unit from {space}, which has too many",
                space=position.called(self.space),
            ),
            rule="8.5.4.6",
            options=(s.Option(Withdraw, {"unit": s.OneOf(units)}),),
            default=Withdraw(units[0]),
            policy="surplus",
        )

    check = s.checks((stands_in_the_full_space,))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Withdraw)
        return s.Outcome((e.UnitSentToReserve(order.unit),), keep=self)


@value
class Surplus(s.PlayerStage[Position]):
    """9.1.4: the enemy removes units from an overfull space."""

    side: s.Side
    space: str

    def ask(self, position: Position) -> s.Decision | None:
        if not surplus_in(position, self.space):
            return None
        units = position.units_in(self.space)
        return s.Decision(
            side=self.side,
            stage="overstacking",
            prompt=say(
                "take a unit from {space}, which has too many", space=position.called(self.space)
            ),
            rule="9.1.4",
            options=(s.Option(Remove, {"unit": s.OneOf(units)}),),
            default=Remove(units[0]),
            policy="surplus",
        )

    check = s.checks((stands_in_the_full_space,))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Remove)
        # The rules of retreat are loaded only if a unit is removed.

        why = why_surplus_is_lost(position, self.space, order.unit)
        return s.Outcome((e.UnitEliminated(order.unit, bool(why), why),), keep=self)


# --- points and victory -------------------------------------------------------------------------


@value
class Reckoning(s.AutoStage[Position]):
    """The changes of the phase itself, then automatic victory."""

    def run(self, position: Position) -> s.Outcome:
        # reading: 6.0.D.1, Q54, the changes of turn 5 come before victory is judged.
        story: s.Unfolding[Position] = s.Unfolding(position)
        _count_madrid(story)
        _count_missing_governments(story)
        _count_famine(story)
        end_without_morale(story)
        won = automatic_victory(story.position)
        if won is not None:
            story.happen(e.GameEnded(*won))
        elif republic_qualifies(story.position):
            note_republican_lead(story)
        return story.outcome()


@CITE.serves("17.3.2")
def _count_madrid(story: s.Unfolding[Position]) -> None:
    """Once, at the end of the War of the Columns."""
    position = story.position
    if position.turn != position.tables.tables["madrid_priority"]["turn"]:
        return
    vp, result = madrid_penalty(position)
    if vp:
        story.happen(e.ScoreChanged(vp, 0, f"effort against Madrid: {result}"))


def _count_missing_governments(story: s.Unfolding[Position]) -> None:
    """Turn 5: a side without its government pays (cards R8 and N8)."""
    for row in story.position.tables.tables["awards"]:
        missing = row.get("unless_played")
        if missing and row["turn"] == story.position.turn and missing not in story.position.played:
            story.happen(e.ScoreChanged(row["vp"], row["rm"], "not played", missing))


def _count_famine(story: s.Unfolding[Position]) -> None:
    """Card N16: every winter costs morale, a severe one twice as much."""
    winter = winter_effects(story.position)
    if winter is not None and story.position.has("famine"):
        story.happen(e.ScoreChanged(0, winter["famine_rm"], "famine"))
