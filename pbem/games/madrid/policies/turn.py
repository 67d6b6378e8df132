"""Standing orders between the impulses: drawing chits, the pause, arrivals, rebuilding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.board.ranking import place_of
from pbem.engine.model import Order
from pbem.engine.policies.rows import Answer, Clause, Document, first_legal, unless
from pbem.engine.shapes import Each, Fields, Many, Word, listed
from pbem.games.madrid.orders import PAUSE_WORDS, DrawChits, Pause, Rebuild, Renewal
from pbem.games.madrid.policies.facts import AREA, PLACE_OR_NONE, UNIT_WORD, fits
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.chits import most_to_draw
from pbem.games.madrid.rules.replacements import homes, pairs
from pbem.games.madrid.tables import NATIONALIST
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.games.madrid.stages.turn import Arriving, Rebuilding


def _arriving(position: Position, stage: Arriving, policy: Document) -> Order:
    """Each unit has the first place of its list that can be had; the top of the list chooses
    first, and a unit for which room must run out elsewhere comes after those that take it.
    """
    said = dict(policy.get("arrivals", ()))

    def line_of(unit: str) -> int:
        return place_of(tuple(said), lambda word: fits(position, word, unit))

    how = {unit: line_of(unit) for unit in stage.units}
    wishes = {
        unit: listed((*said.values(), ())[how[unit]])
        for unit in sorted(stage.units, key=lambda unit: how[unit])
    }
    return stage.by_wishes(position, wishes)


def _rebuilding(position: Position, stage: Rebuilding, lines: Sequence[Document]) -> Order:
    """Rebuilds from the top of the list, with each line that may still be added, in the first of
    its areas with room.
    """
    found: tuple[Renewal, ...] = ()
    could, areas = pairs(position, stage.side), homes(position, stage.side)
    for line in lines:
        orders = (
            Rebuild((*found, Renewal(unit, place, other)))
            for place in listed(line.get("to", areas))
            if place in areas
            for unit, other in could
            if fits(position, line["unit"], unit)
        )
        chosen = first_legal(stage, position, orders)
        found = chosen.units if isinstance(chosen, Rebuild) else found
    return Rebuild(found)


HAND, MOST_LINES = 5, 10
DRAW: Clause = Clause(
    Word(tuple(range(HAND + 1)), say("expected a number of chits from 0 to {hand}", hand=HAND)),
    lambda position, stage, said: DrawChits(min(said, most_to_draw(position, stage.side))),
)
PAUSE: Clause = Clause(
    Word(PAUSE_WORDS, say("expected begin, end or keep"), ", ".join(PAUSE_WORDS)),
    lambda position, stage, said: Pause(said),
    unasked=unless(
        lambda position, side: side == NATIONALIST and position.has("pause"),
        say("you are never asked for a pause"),
        "12.3.d",
    ),
)
ARRIVALS: Clause = Clause(
    Each(
        UNIT_WORD,
        Many(PLACE_OR_NONE, once=True, needed=True),
        say("arrivals list units or kinds of units, and where each arrives"),
        say('{shock: ["5", A]}'),
        in_turn=True,
    ),
    answers={"arrive": Answer(_arriving)},
)
RENEWAL = Fields(
    {"unit": UNIT_WORD, "to": Many(AREA, once=True, needed=True)},
    say("a line must name a unit to rebuild, and where it arrives"),
    say("{unit: line, to: [A]}"),
    ("unit",),
)
REBUILD: Clause = Clause(
    Many(
        RENEWAL,
        say("rebuild must be a list of at most {most_lines} lines", most_lines=MOST_LINES),
        say("[{unit: line, to: [A]}]"),
        MOST_LINES,
        once=True,
    ),
    _rebuilding,
)
