"""Chapter 11.5: which units may advance, and where to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.model import Unfolding, Violation
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects import combat_cards as cards
from pbem.games.crusade.orders import AdvancePlan
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.ground import enter_spaces
from pbem.games.crusade.rules.north import may_end
from pbem.games.crusade.rules.retreat import left_open
from pbem.games.crusade.rules.stacking import room_in
from pbem.value import replace

Path = tuple[str, ...]


@CITE.rule("11.2.11", "11.5.1", "11.5.5")
def who_may_advance(position: Position, combat: Combat) -> tuple[str, ...]:
    """Attackers that took part and survive, if no defender is left in the space."""
    if combat.defenders(position) or cards.forbids_advance(position, combat):
        return ()
    return combat.attackers(position)


@CITE.rule("11.5.2", "11.5.4")
def advance_paths(position: Position, combat: Combat) -> tuple[Path, ...]:
    """The attacked space, and beyond it the empty spaces that a retreat of two spaces crossed."""
    paths: list[Path] = [(combat.space,)]
    if position.space(combat.space).terrain == "mountain":
        return tuple(paths)
    for space in combat.followed:
        if not position.units_in(space, combat.defender):
            paths.append((combat.space, space))
    return tuple(paths)


def open_to_an_advance(position: Position, combat: Combat) -> frozenset[str]:
    """The spaces that attackers could enter when the last defender has left."""
    if cards.forbids_advance(position, combat) or not combat.attackers(position):
        return frozenset()
    return frozenset(space for path in advance_paths(position, combat) for space in path)


def after_the_advance(position: Position, combat: Combat, path: Path) -> Position:
    """The map after a unit has retreated along a path and the enemy has advanced as far as
    possible.

    Only the control of spaces changes: the lost space stays with its owner up to the advance
    (11.4.8), and would so supply units that it cuts off a moment later.
    """
    end = path[-1]
    followed = (*combat.followed, *left_open(position, combat, path))
    for space in open_to_an_advance(position, replace(combat, followed=followed)):
        if space != end:
            position = position.with_control(space, combat.attacker)
    if not position.controls(combat.defender, end):
        position = position.with_control(end, combat.defender)
    return position


def planned(position: Position, combat: Combat, plan: AdvancePlan) -> AdvancePlan:
    """The part of an advance planned before the dice that is legal now."""
    units = [unit for unit in plan.units if unit in who_may_advance(position, combat)]
    for length in range(len(plan.to), 0, -1):
        path = plan.to[:length]
        if path not in advance_paths(position, combat):
            continue
        going: list[str] = []
        for unit in units:
            fits = len(going) < room_in(position, path[-1])
            if fits and not may_advance(position, combat, unit, path, (*going, unit), going):
                going.append(unit)
        if going:
            return AdvancePlan(tuple(going), path)
    return AdvancePlan((), ())


def cuts(
    position: Position, combat: Combat, plan: AdvancePlan, done: AdvancePlan
) -> Iterator[e.AdvanceCut]:
    """The parts of a planned advance that are not carried out although the units live."""
    able = who_may_advance(position, combat)
    left = [unit for unit in plan.units if unit in able and unit not in done.units]
    if len(done.to) < len(plan.to):
        yield e.AdvanceCut((), plan.to[-1], "path")
    barred = tuple(
        unit
        for unit in left
        if may_advance(position, combat, unit, done.to, (*done.units, unit), done.units)
    )
    crowded = tuple(unit for unit in left if unit not in barred)
    for units, why in ((crowded, "room"), (barred, "north")):
        if units:
            yield e.AdvanceCut(units, done.to[-1], why)


@CITE.rule("11.5.6")
def carry_out(story: Unfolding[Position], combat: Combat, units: Path, to: Path) -> None:
    """Units enter one space after another; each changes control, with all that follows."""
    for space in to:
        for unit in units:
            story.happen(e.UnitAdvanced(unit, space))
        # A beach head that is overrun moves its conquerors on by itself (8.5.4.3). That ends the
        # path: only the space it led to is adjacent to it.
        enter_spaces(story, (space,), combat.attacker)


def possible(position: Position, combat: Combat) -> Iterator[tuple[str, Path]]:
    """Every unit with every path by which it could advance alone."""
    for unit in who_may_advance(position, combat):
        for path in advance_paths(position, combat):
            fits = room_in(position, path[-1]) > 0
            if fits and not may_advance(position, combat, unit, path, leaving=(unit,)):
                yield unit, path


def may_advance(
    position: Position, combat: Combat, unit: str, path: Path, leaving: Sequence[str],
    arriving: Sequence[str] = (),
) -> Violation | None:  # fmt: skip
    """Why the regions of the north forbid a unit this advance (16.4); None if they do not."""
    # reading: 16.4.2.4, an advance stays optional; but a surplus guest that advances must end at
    # home if a path of the advance does.
    home = position.type_of(unit).region
    ends = (each[-1] for each in advance_paths(position, combat))
    can_go_home = bool(home) and any(
        position.space(end).region == home and room_in(position, end) > 0 for end in ends
    )
    return may_end(
        position, unit, path[-1], leaving=leaving, arriving=arriving, path=path,
        can_go_home=can_go_home,
    )  # fmt: skip
