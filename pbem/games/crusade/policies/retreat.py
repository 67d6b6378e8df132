"""Where a defeated unit retreats, judged by the position after the enemy's advance."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.board.zones import outward
from pbem.engine.model import Order, Side, Violation
from pbem.engine.policies.rows import Answer, Clause, Document
from pbem.engine.shapes import NAME, TRUE, ByKind, Fields, Many, OneField, listed, name
from pbem.games.crusade.conditions import RANKING
from pbem.games.crusade.orders import Retreat
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.advance import after_the_advance
from pbem.games.crusade.rules.ranking import first_named
from pbem.games.crusade.rules.supply import is_supplied, supply_ends
from pbem.messages import marked, say

if TYPE_CHECKING:
    from pbem.games.crusade.stages.combat.retreat import FallBack

UNREACHED = 999
"""The distance of a space that no chain of spaces leads to."""
SUPPLY = "supply"
"""The goal that is no space: wherever supply comes from."""
TOWARD = "toward_"
NULL_RETREAT: tuple[Document, ...] = ({"in_supply": True}, {"fewest_enemies": True})


def _retreating(position: Position, stage: FallBack, policy: Document) -> Order:
    """The unit that goes first, along the path whose end the preferences like best."""
    said = _in_full(policy.get("retreat", {}))
    lines = (*listed(said.get("prefer", ())), *NULL_RETREAT)

    def rank(path: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
        after = after_the_advance(position, position.fought, path)
        return tuple(
            PREFERENCES[key](after, stage.side, path[-1], wish)
            for line in lines
            for key, wish in line.items()
        )

    unit = first_named(position, said.get("sequence", ()), position.fought.defenders(position))
    return Retreat(unit, min(stage.ways(position).paths, key=rank))


def _in_full(written: Any) -> Document:
    """The full form of a retreat policy; the short form `toward_madrid` is one preference."""
    if not isinstance(written, str):
        return dict(written)
    if written.startswith(TOWARD):
        return {"prefer": [{"toward": written.removeprefix(TOWARD)}]}
    return {"prefer": [{written: True}]}


# --- preferences: what an end of a retreat costs, the lower the better ---------------------------


def _steps_to(position: Position, side: Side, end: str, goal: Any) -> tuple[int, ...]:
    """The shortest chain of own spaces to a space, or to a source of supply; then any chain.

    An enemy space can be the goal: the chain leads up to it.
    """
    places = (supply_ends(position, side) if each == SUPPLY else (each,) for each in listed(goal))
    goals = {space for spaces in places for space in spaces}

    def steps(ground: Collection[str] | None) -> int:
        way_out = outward((end,), position.neighbours, ground)
        return next((length for space, length in way_out if space in goals), UNREACHED)

    return steps(position.control.held_by(side) | goals), steps(None)


def _not_into(position: Position, side: Side, end: str, goal: Any) -> tuple[int, ...]:
    """Whether the retreat ends in none of some spaces; `supply` is any space in supply."""
    spaces = listed(goal)
    return (end not in spaces and not (SUPPLY in spaces and is_supplied(position, side, end)),)


def _enemies_near(position: Position, side: Side, end: str) -> int:
    near = map(position.occupier, position.neighbours(end))
    return sum(occupier not in (None, side) for occupier in near)


PREFERENCES: Mapping[str, Callable[[Position, Side, str, Any], tuple[int, ...]]] = {
    "toward": _steps_to,
    "into": _not_into,
    "in_supply": lambda position, side, end, _: (not is_supplied(position, side, end),),
    "fewest_enemies": lambda position, side, end, _: (_enemies_near(position, side, end),),
    "stack_with_fewest": lambda position, side, end, _: (len(position.units_in(end)),),
    "not_next_to_enemy": lambda position, side, end, _: (_enemies_near(position, side, end) > 0,),
}

# --- as written ---------------------------------------------------------------------------------

WITH_GOALS = ("toward", "into")
WORDS = tuple(key for key in PREFERENCES if key not in WITH_GOALS)
"""Preferences that may stand alone."""
GOALS = Many(name("space", lambda position: (*position.tables.spaces, SUPPLY), json=NAME),
             numbered=False, needed=True)  # fmt: skip
WAY = name(
    "retreat",
    lambda position: (*WORDS, *(f"{TOWARD}{goal}" for goal in (SUPPLY, *position.tables.spaces))),
    say("it may be toward_supply, toward_<space> or one of {words}", words=", ".join(WORDS)),
    json={"anyOf": [{"enum": list(WORDS)}, {"type": "string", "pattern": f"^{TOWARD}"}]},
    binds=False,
)


def _says_nothing(position: Position, side: Side, said: Document) -> Iterator[Violation]:
    if not said:
        yield Violation(say("this says nothing about a retreat"), hint=say("leave it out"))


PREFER = OneField(
    {key: GOALS if key in WITH_GOALS else TRUE for key in PREFERENCES},
    say("a preference has one key"),
    say("{toward: madrid}"),
    unknown=marked("no preference is named {key}"),
)
RETREAT: Clause = Clause(
    ByKind(
        say("a retreat has sequence and prefer, or is a single word"),
        mapping=Fields(
            {"sequence": RANKING, "prefer": Many(PREFER, once=True, needed=True)},
            "",
            never=_says_nothing,
        ),
        word=WAY,
    ),
    answers={"retreat": Answer(_retreating)},
    example=("toward_supply", say("or toward a space, or {sequence: [MIL], prefer: [...]}")),
)
