"""The facts for conditions of standing orders, and the words that rank units.

Every fact is public. The activity is that of the stage that asks: an attack, a bombardment, fire
over a river. Some questions concern no area.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pbem.board.ranking import ranked
from pbem.engine import shapes
from pbem.engine.conditions import (
    A_FLAG,
    A_NUMBER,
    ALWAYS,
    Condition,
    Fact,
    Facts,
    Sort,
    control,
    is_among,
    number,
)
from pbem.engine.model import Side, Violation
from pbem.games.madrid.orders import NOWHERE
from pbem.games.madrid.position import Position
from pbem.games.madrid.tables import ARTILLERY, NATIONALIST, SHOCK, SIDES
from pbem.messages import marked, say

# --- words that rank units ----------------------------------------------------------------------

KINDS = ("line", SHOCK, ARTILLERY, "fresh", "spent")
"""Words that may fit any unit, now or later."""


def fits(position: Position, word: str, unit: str) -> int:
    """How specifically a word means a unit: 0 not at all, 2 by its name."""
    if word == unit:
        return 2
    printed = position.unit(unit)
    strength = "fresh" if position.is_fresh(unit) else "spent"
    return 1 if word in (position.type_of(unit), printed.faction, strength) else 0


def in_order(position: Position, words: Sequence[str], units: Iterable[str]) -> list[str]:
    """Units in the order of a list; those that no word means are last."""
    return ranked(words, units, lambda word, unit: fits(position, word, unit))


def named(position: Position, words: Sequence[str], units: Iterable[str]) -> list[str]:
    """The units that a list means, in its order."""
    meant = (unit for unit in units if any(fits(position, word, unit) for word in words))
    return in_order(position, words, meant)


def _words(position: Position) -> tuple[str, ...]:
    factions = dict.fromkeys(unit.faction for unit in position.board.units.values())
    return (*KINDS, *filter(None, factions), *position.board.units)


def _stranger(position: Position, side: Side, word: str) -> Iterator[Violation]:
    """The fault of a word that means no unit of a side."""
    own = (unit for unit in position.board.units.values() if unit.side == side)
    if word not in KINDS and not any(word in (unit.id, unit.faction) for unit in own):
        yield shapes.matches_none(word, side)


TOLD = say("a unit, line, shock, artillery, fresh, spent or a faction")
UNIT_WORD = shapes.ranked_word(_words, TOLD, _stranger)
"""Of the player's own side."""
RANKING, RANKING_OF_BOTH = (
    shapes.ranking(UNIT_WORD),
    shapes.ranking(shapes.ranked_word(_words, TOLD)),
)

# --- places and chits ---------------------------------------------------------------------------

AREA = shapes.name("area", lambda position: position.board.areas)
PLACE_OR_NONE = shapes.name("area", lambda position: (*position.board.graph.spaces, NOWHERE))
PLACE = shapes.name("area", lambda position: position.board.graph.spaces)
"""An area or a box."""

# --- facts --------------------------------------------------------------------------------------


def area_of(stage: Any) -> str:
    """The area that a question is about; empty if none."""
    asked = getattr(stage, "settle", stage)
    for part in ("fight", "shelling", "incoming"):
        if hasattr(asked, part):
            area: str = getattr(asked, part).area
            return area
    return ""


def _fresh(position: Position, stage: Any) -> int:
    there = position.units_at(area_of(stage), stage.side)
    return sum(map(position.is_fresh, there))


def _losses(position: Position, stage: Any) -> tuple[int, int]:
    """Loss points of the Nationalists and of the Republicans, by the dice rolled so far."""
    ours, theirs = stage.settle.losses(position)
    begun = stage.settle.side == NATIONALIST
    return (ours, theirs) if begun else (theirs, ours)


def _is_friendly(position: Position, side: Side, area: str) -> bool:
    return position.is_friendly(area, side)


CONTROL = control(
    _is_friendly, AREA, say("control needs an area and a side"), say("areas"), SIDES, "E"
)
TURN = number(
    lambda position: range(position.turn, position.card.last_turn + 1),
    lambda turns: (
        say("from {first} to {last}", first=turns[0], last=turns[-1]) if turns else say("over")
    ),
)
FACTS = Facts(
    {
        "any": Fact(ALWAYS, lambda position, stage: True, always=True),
        "area": Fact(
            Sort(shapes.Many(AREA, numbered=False), is_among),
            lambda position, stage: area_of(stage),
        ),
        "urban": Fact(A_FLAG, lambda position, stage: position.is_urban(area_of(stage))),
        "fresh": Fact(A_NUMBER, _fresh),
        "control": Fact(CONTROL, lambda position, stage: position),
        "support": Fact(A_NUMBER, lambda position, stage: position.support[stage.side]),
        "turn": Fact(TURN, lambda position, stage: position.turn),
    },
    {
        "own_losses": Fact(A_NUMBER, lambda position, stage: _losses(position, stage)[0]),
        "enemy_losses": Fact(A_NUMBER, lambda position, stage: _losses(position, stage)[1]),
    },
    lambda stage: hasattr(stage, "settle"),
    then=marked("for a reroll"),
)
WHEN, WHEN_ROLLED = Condition(FACTS, late=False), Condition(FACTS, late=True)
"""Before the dice, and after them."""
