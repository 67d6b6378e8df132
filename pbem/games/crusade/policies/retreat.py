"""Where a beaten unit goes, judged on the table after the enemy's advance."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.board.zones import outward
from pbem.engine.model import Order, Side, Violation
from pbem.engine.policy_rows import Answer, Clause, Document, Written
from pbem.engine.shapes import (
    NAME,
    TRUE,
    ByKind,
    Fields,
    Many,
    OneField,
    Path,
    Shape,
    listed,
    meant,
    name,
)
from pbem.games.crusade.conditions import RANKING
from pbem.games.crusade.orders import Retreat
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.advance import open_to_an_advance
from pbem.games.crusade.rules.ranking import first_named
from pbem.games.crusade.rules.retreat import left_open
from pbem.games.crusade.rules.supply import is_supplied, supply_ends
from pbem.value import replace, value

if TYPE_CHECKING:
    from pbem.games.crusade.stages.combat.retreat import FallBack

Steps = tuple[str, ...]
UNREACHED = 999
"""How far a space is that no chain of spaces leads to."""
SUPPLY = "supply"
"""The goal that is no space: wherever supply comes from."""
NULL_RETREAT: tuple[Document, ...] = ({"in_supply": True}, {"fewest_enemies": True})


def _retreating(position: Position, stage: FallBack, policy: Document) -> Order:
    """The unit that goes first, along the path whose end the preferences like best."""
    said = _in_full(policy.get("retreat", {}))
    lines = (*listed(said.get("prefer", ())), *NULL_RETREAT)

    def rank(path: Steps) -> tuple[tuple[int, ...], ...]:
        after = after_the_advance(position, position.fought, path)
        return tuple(_liking(after, stage.side, line, path[-1]) for line in lines)

    unit = first_named(position, said.get("sequence", ()), position.fought.defenders(position))
    return Retreat(unit, min(stage.ways(position).paths, key=rank))


def _in_full(written: Any) -> Document:
    """The full form of a retreat policy; the short form `toward_madrid` is one preference."""
    if not isinstance(written, str):
        return dict(written)
    if written.startswith(TOWARD):
        return {"prefer": [{"toward": written.removeprefix(TOWARD)}]}
    return {"prefer": [{written: True}]}


def after_the_advance(position: Position, combat: Combat, path: Steps) -> Position:
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


# --- preferences --------------------------------------------------------------------------------


def _steps_to(position: Position, side: Side, end: str, goal: Any) -> tuple[int, ...]:
    """The shortest chain of own spaces to a space, or to a source of supply; then any chain.

    An enemy space can be the goal: the chain leads up to it.
    """
    goals = {s for each in listed(goal) for s in _places(position, side, each)}
    own = position.control.held_by(side) | goals
    return _length(position, end, goals, own), _length(position, end, goals, None)


def _places(position: Position, side: Side, goal: str) -> Iterable[str]:
    return supply_ends(position, side) if goal == SUPPLY else (goal,)


def _length(
    position: Position, start: str, goals: Collection[str], ground: Collection[str] | None
) -> int:
    """The number of steps from a space to one of the goals, over some spaces or any."""
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


def _liking(position: Position, side: Side, line: Document, end: str) -> tuple[int, ...]:
    """The cost of an end of a retreat by a preference: the lower the better."""
    ((key, said),) = line.items()
    return PREFERENCES[key].liking(position, side, end, said)


def _goals(position: Position) -> tuple[str, ...]:
    return (*position.tables.spaces, SUPPLY)


@value
class Preference:
    """The words for it, and its cost of an end: the lower the better."""

    said: Shape
    liking: Callable[[Position, Side, str, Any], tuple[int, ...]]


GOALS = Many(name("space", _goals, json=NAME), numbered=False, needed=True)
PREFERENCES: Mapping[str, Preference] = {
    "toward": Preference(GOALS, _steps_to),
    "into": Preference(GOALS, _into),
    "in_supply": Preference(
        TRUE, lambda position, side, end, _: (0 if is_supplied(position, side, end) else 1,)
    ),
    "fewest_enemies": Preference(
        TRUE, lambda position, side, end, _: (_enemies_near(position, side, end),)
    ),
    "stack_with_fewest": Preference(
        TRUE, lambda position, side, end, _: (len(position.units_in(end)),)
    ),
    "not_next_to_enemy": Preference(
        TRUE, lambda position, side, end, _: (min(1, _enemies_near(position, side, end)),)
    ),
}

# --- as written ---------------------------------------------------------------------------------

TOWARD = "toward_"
WORDS = tuple(key for key, preference in PREFERENCES.items() if preference.said is TRUE)
"""Preferences that may stand alone."""
WAY = name(
    "retreat",
    lambda position: (*WORDS, *(f"{TOWARD}{goal}" for goal in (SUPPLY, *position.tables.spaces))),
    f"toward_supply, toward_<space>, {', '.join(WORDS)}",
    json={"anyOf": [{"enum": list(WORDS)}, {"type": "string", "pattern": f"^{TOWARD}"}]},
    binds=False,
)


def _no_preference(key: str) -> Violation:
    hint = meant(key, PREFERENCES, f"the preferences are {', '.join(PREFERENCES)}")
    return Violation(f"no preference is named {key!r}", hint=hint, is_key=True)


def _says_nothing(
    position: Position, side: Side, policy: Written, path: Path
) -> Iterator[Violation]:
    if not policy["retreat"]:
        yield Violation("this says nothing about a retreat", path, hint="leave it out")


PREFER = OneField(
    {key: preference.said for key, preference in PREFERENCES.items()},
    "a preference has one key", "{toward: madrid}", _no_preference,
)  # fmt: skip
RETREAT: Clause = Clause(
    ByKind(
        "a retreat has sequence and prefer, or is a single word",
        mapping=Fields({"sequence": RANKING, "prefer": Many(PREFER, once=True, needed=True)}, ""),
        word=WAY,
    ),
    {"retreat": Answer(_retreating)},
    vain=_says_nothing,
    example=("toward_supply", "or toward a space, or {sequence: [MIL], prefer: [...]}"),
)
