"""Where a standing policy sends a beaten unit, as the table stands after the enemy's advance."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pbem.board.zones import outward
from pbem.engine.model import Order, Side
from pbem.engine.shapes import listed
from pbem.games.crusade.orders import Retreat
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.advance import open_to_an_advance
from pbem.games.crusade.rules.ranking import place_of
from pbem.games.crusade.rules.retreat import left_open
from pbem.games.crusade.rules.supply import is_supplied, supply_ends
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.games.crusade.stages.combat.retreat import FallBack

Policy = Mapping[str, Any]
Path = tuple[str, ...]
UNREACHED = 999
"""How far a space is that no chain of spaces leads to."""
SUPPLY = "supply"
"""The goal that is no space: wherever supply comes from."""

NULL_RETREAT: tuple[Mapping[str, Any], ...] = ({"in_supply": True}, {"fewest_enemies": True})


def retreating(position: Position, stage: FallBack, policy: Policy) -> Order:
    """The unit that goes first, along the path whose end the preferences like best."""
    written = retreat_part(policy)
    sequence = written.get("sequence", ())
    units = position.fought.defenders(position)
    unit = min(units, key=lambda each: place_of(position, sequence, each))
    lines = (*listed(written.get("prefer", ())), *NULL_RETREAT)

    def rank(path: Path) -> tuple[tuple[int, ...], ...]:
        after = after_the_advance(position, position.fought, path)
        return tuple(_preference(after, stage.side, line, path[-1]) for line in lines)

    return Retreat(unit, min(stage.ways(position).paths, key=rank))


def retreat_part(policy: Policy) -> Mapping[str, Any]:
    """What is said of retreats; the short form `toward_madrid` is one preference."""
    written = policy.get("retreat", {})
    if not isinstance(written, str):
        return dict(written)
    if written.startswith("toward_"):
        return {"prefer": [{"toward": written.removeprefix("toward_")}]}
    return {"prefer": [{written: True}]}


def after_the_advance(position: Position, combat: Combat, path: Path) -> Position:
    """The map when a unit has retreated along a path and the enemy has gone as far as they can.

    Who holds the spaces is all that changes: the space that was lost stays with its owner up to
    the advance (11.4.8), and so would feed units that it cuts off a moment later.
    """
    end = path[-1]
    followed = (*combat.followed, *left_open(position, combat, path))
    for space in open_to_an_advance(position, replace(combat, followed=followed)):
        if space != end:
            position = position.with_control(space, combat.attacker)
    if not position.controls(combat.defender, end):
        position = position.with_control(end, combat.defender)
    return position


# --- preferences --------------------------------------------------------------------------------


def _preference(
    position: Position, side: Side, line: Mapping[str, Any], end: str
) -> tuple[int, ...]:
    """How a preference likes an end of a retreat: the lower the better."""
    ((name, value),) = line.items()
    return PREFERENCES[name](position, side, end, value)


def _steps_to(position: Position, side: Side, end: str, goal: Any) -> tuple[int, ...]:
    """The shortest chain of own spaces to a space, or to where supply comes from; then any chain.

    A space of the enemy can be the goal: the chain leads up to it.
    """
    goals = {s for each in listed(goal) for s in _places(position, side, each)}
    own = position.control.held_by(side) | goals
    return _length(position, end, goals, own), _length(position, end, goals, None)


def _places(position: Position, side: Side, goal: str) -> Iterable[str]:
    return supply_ends(position, side) if goal == SUPPLY else (goal,)


def _length(
    position: Position, start: str, goals: Collection[str], ground: Collection[str] | None
) -> int:
    """How many steps lead from a space to one of the goals, over some ground or any."""
    way_out = outward((start,), position.neighbours, ground)
    return next((length for space, length in way_out if space in goals), UNREACHED)


def _into(position: Position, side: Side, end: str, goal: Any) -> tuple[int, ...]:
    """Whether the retreat ends in one of some spaces; `supply` is any space in supply."""
    spaces = listed(goal)
    fed = SUPPLY in spaces and is_supplied(position, side, end)
    return (0 if fed or end in spaces else 1,)


def _enemies_near(position: Position, side: Side, end: str) -> int:
    return sum(
        1 for space in position.neighbours(end) if position.occupier(space) not in (None, side)
    )


Preference = Callable[[Position, Side, str, Any], tuple[int, ...]]
PREFERENCES: Mapping[str, Preference] = {
    "toward": _steps_to,
    "into": _into,
    "stack_with_fewest": lambda position, side, end, _: (len(position.units_in(end)),),
    "not_next_to_enemy": lambda position, side, end, _: (
        min(1, _enemies_near(position, side, end)),
    ),
    "fewest_enemies": lambda position, side, end, _: (_enemies_near(position, side, end),),
    "in_supply": lambda position, side, end, _: (0 if is_supplied(position, side, end) else 1,),
}
