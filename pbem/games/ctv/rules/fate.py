"""What follows when units come and go: control, the marker, trenches, headquarters left alone."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.engine.model import Side, Unfolding
from pbem.games.ctv import events as e
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.options import AT_ONCE
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import bombardment, stacking, war
from pbem.games.ctv.tables import HEADQUARTERS, NATIONALIST, REPUBLICAN

Story = Unfolding[Position]


@CITE.serves("10.8", "10.6.1", "9.3")
def enter(story: Story, side: Side, hex: str, *, moves_marker: bool = True) -> bool:
    """Ground units of a side have entered a hex, if only in passing. Whether the marker of morale
    moved; it does not where it has moved once for the same attack.
    """
    for column in story.position.columns_at(hex):
        if story.position.side_of(column) != side:
            story.happen(e.ColumnLost(column, hex))
    if story.position.control[hex] != side:
        story.happen(e.HexTaken(hex, side))
        if hex in story.position.board.objectives:
            taken = side == NATIONALIST
            if moves_marker:
                why = "taken" if taken else "retaken"
                story.happen(e.MarkerMoved(1 if taken else -1, why, hex))
            count(story)
            return moves_marker
    return False


@CITE.serves("14.1")
def count(story: Story) -> None:
    """With the option, the game is over as soon as the Nationalists have the points to win."""
    position = story.position
    if AT_ONCE in position.options and war.has_won(position):
        story.happen(e.GameEnded(NATIONALIST, war.how_it_ends(position)))


def eliminate(story: Story, units: Iterable[str], why: str) -> None:
    """Units are eliminated, with what that brings: headquarters left alone, trenches."""
    hexes: dict[str, Side] = {}
    for unit in units:
        hex = story.position.at(unit)
        if hex:
            hexes[hex] = story.position.side_of(unit)
            story.happen(e.UnitEliminated(unit, why))
    count(story)
    for hex, side in hexes.items():
        leave(story, hex, side)


@CITE.serves("9.2", "10.7")
def leave(story: Story, hex: str, side: Side) -> None:
    """Units of a side in a hex were destroyed or have retreated: a headquarters that is left there
    alone is destroyed, and if nobody is left a trench removed. Where that depends on covered
    counters, they are shown first.
    """
    there = story.position.left_at(hex, side)
    if story.position.covers.get(hex):
        if not any(story.position.printed(unit).takes_losses for unit in there):
            story.happen(e.HexInDoubt(hex))
        return
    if all(story.position.printed(unit).type == HEADQUARTERS for unit in there):
        story.happen(*(e.UnitEliminated(unit, "headquarters") for unit in there))
        there = ()
    if not there and hex in story.position.trenches:
        story.happen(e.TrenchLost(hex))


@CITE.serves("9.5")
def disorganise(story: Story, units: Iterable[str], levels: int) -> None:
    """Units are disorganised so many levels more; beyond the last they are eliminated."""
    gone = []
    for unit in units:
        if not levels or not story.position.at(unit):
            continue
        level = bombardment.level_after(story.position, unit, levels)
        if bombardment.is_past_saving(story.position, unit, level):
            gone.append(unit)
        else:
            story.happen(e.Disorganised(unit, level))
    eliminate(story, gone, "disorganised")


def lose_step(story: Story, unit: str) -> None:
    """A unit loses a step, its last one or not."""
    if story.position.steps_left(unit) > 1:
        story.happen(e.StepLost(unit))
    else:
        eliminate(story, (unit,), "losses")


def settle(story: Story, hex: str) -> None:
    """A hex is looked at for ruin after a retreat has filled it (5.1.1)."""
    side = story.position.holder(hex)
    if side is None:
        return
    there = story.position.units_at(hex, side)
    if story.position.covers.get(hex) and stacking.may_be_ruinous(story.position, hex, there):
        story.happen(e.HexInDoubt(hex))
    elif stacking.is_ruinous(story.position, hex, there):
        eliminate(story, there, "overstacked")


@CITE.serves("6.4", "6.3.1", "9.5.1")
def judge_supply(story: Story, units: Iterable[str] | None = None) -> None:
    """The supply of units is judged, of all on the map if none are named.

    A disorganised unit that falls out of supply rises a level, but only once for as long as it is
    disorganised; at the last one it is eliminated.
    """
    position = story.position
    looked_at = frozenset(
        units
        if units is not None
        else [
            *position.on_map(NATIONALIST), *position.on_map(REPUBLICAN),
            *(tag for tags in position.covers.values() for tag in tags),
        ]
    )  # fmt: skip
    out = frozenset(filter(position.is_cut_off, looked_at))
    new = out - position.unsupplied - position.charged
    if out != position.unsupplied & looked_at:
        story.happen(e.SupplyJudged(looked_at, out))
    gone = []
    for unit in position.board.in_order(out):
        level = position.levels.get(unit, 0)
        risen = level + 1 if level and unit in new else level
        if bombardment.is_past_saving(story.position, unit, risen):
            gone.append(unit)
        elif risen > level:
            story.happen(e.Disorganised(unit, risen))
    eliminate(story, gone, "unsupplied")


@CITE.serves("10.2")
def as_checked(position: Position, hexes: Iterable[str]) -> Position:
    """A position behind the check at the head of a combat, of all in these hexes (step 1)."""
    story: Story = Unfolding(position)
    check_for_combat(story, hexes)
    return story.position


@CITE.serves("10.2")
def check_for_combat(story: Story, hexes: Iterable[str]) -> None:
    """The supply of those in the hexes of a combat is judged (step 1)."""
    # reading: whoever stands with those of a combat is judged with them: one hex is in supply or
    # is not.
    judge_supply(story, [unit for hex in hexes for unit in story.position.everybody_at(hex)])


@CITE.serves("10.5.1")
def retreat(story: Story, units: Iterable[str], to: str, *, is_forced: bool = False) -> None:
    """A stack retreats into a hex, is disorganised, and leaves headquarters and trench behind."""
    # reading: the level of a retreat is one more (9.5.1).
    going = [unit for unit in units if story.position.at(unit)]
    if not going:
        return
    start, side = story.position.at(going[0]), story.position.side_of(going[0])
    story.happen(e.StackRetreated(tuple(going), start, to, is_forced))
    leave(story, start, side)
    enter(story, side, to)
    disorganise(story, going, 1)
    settle(story, to)
