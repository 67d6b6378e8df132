"""Optional rules that change points, morale and victory (18.1.1, 18.2.13, 18.2.15, 18.3.8)."""

from __future__ import annotations

from pbem.engine.model import Side, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN

BURGOS_TAKEN = "burgos_taken"
MORALE_GONE = "Republican Morale is gone"
"""The reason of an immediate victory (18.2.13)."""


@CITE.rule("18.1.1")
def score_burgos(story: Unfolding[Position], space: str, side: Side) -> None:
    """The first Republican capture of Burgos is worth a permanent point of morale."""
    position = story.position
    first = space == "burgos" and side == REPUBLICAN and not position.has(BURGOS_TAKEN)
    if first and position.option("18.1.1"):
        story.happen(e.FlagSet(BURGOS_TAKEN), e.ScoreChanged(0, 1, "the enemy's capital taken"))


@CITE.rule("18.3.8")
def score_beach_head(story: Unfolding[Position], by: Side) -> None:
    """A beach head overrun by the enemy costs its side a point of morale."""
    # reading: one that is cut off, or whose force embarks, is not eliminated by the enemy.
    if story.position.option("18.3.8"):
        rm = -1 if by == NATIONALIST else 1
        story.happen(e.ScoreChanged(0, rm, "beach head overrun"))


@CITE.rule("18.2.13")
def end_without_morale(story: Unfolding[Position]) -> None:
    """The Republic loses at once when its morale is gone."""
    position = story.position
    if position.option("18.2.13") and position.rm <= 0 and position.result is None:
        story.happen(e.GameEnded(NATIONALIST, MORALE_GONE))


@CITE.rule("18.2.15/a")
def morale_republic_needs(position: Position, printed: int) -> int:
    """The morale for a Republican automatic victory: one more than printed, by the first way."""
    return printed + 1 if position.option("18.2.15/1") else printed


@CITE.rule("18.2.15/b")
def republic_has_to_wait(position: Position) -> bool:
    """By the second way the morale must also have been high enough in the previous turn."""
    if not position.option("18.2.15/2"):
        return False
    return not position.has(_qualified(position.turn - 1))


def note_republican_lead(story: Unfolding[Position]) -> None:
    """Records a turn whose morale would be enough if it were the second in a row."""
    if republic_has_to_wait(story.position):
        story.happen(e.FlagSet(_qualified(story.position.turn)))


def _qualified(turn: int) -> str:
    return f"morale_for_victory_{turn}"
