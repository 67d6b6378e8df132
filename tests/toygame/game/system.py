"""Two Hills as a game system."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from pbem.games.toy.orders import VERBS
from pbem.games.toy.position import PEOPLE, SIDES, Position, Tables
from pbem.games.toy.stages import turn

from pbem.board.names import NamedUnit, Vocabulary
from pbem.engine.clock import Clock
from pbem.engine.model import Order, Side, State
from pbem.engine.picture import Picture
from pbem.engine.words import Words
from pbem.games.system import GameSystem, Result, Scenario
from pbem.messages import Message, marked, say


def _heading(active: Side, number: int) -> Message:
    if not number:
        return say("plans")
    return say("{side} impulse {number}", side=say(PEOPLE[active]), number=number)


class TwoHills(GameSystem):
    """The game system. One object serves any number of games."""

    slug = "toy"
    title = "Two Hills"
    version = "1"
    sides: tuple[Side, ...] = SIDES
    verbs = VERBS
    words = Words(span=marked("impulse"), sides=PEOPLE)
    capabilities: ClassVar = {"narration": "narration:NARRATION", "waiting": "waiting:WAITING"}

    @cached_property
    def tables(self) -> Tables:
        return Tables(self._plain)

    @cached_property
    def picture(self) -> Picture:
        from pbem.games.toy.picture import TwoHillsPicture

        return TwoHillsPicture(self.tables)

    def scenarios(self) -> tuple[Scenario, ...]:
        return tuple(Scenario(name, each["title"]) for name, each in self.tables.scenarios.items())

    def setup(self, scenario: str, options: frozenset[str]) -> State[Position]:
        places = dict(self.tables.scenarios[scenario]["units"])
        return State(Position(self.tables, scenario, places), turn())

    def clock(self, position: Position) -> Clock:
        number = position.impulse
        return Clock(
            turn=position.turn,
            span=f"{position.turn}/{number}",
            owner=position.active,
            chapter=say("Turn {number}", number=position.turn),
            heading=_heading(position.active, number),
        )

    def result(self, position: Position) -> Result | None:
        if position.result is None:
            return None
        winner, reason = position.result
        score = ", ".join(f"{side} {len(position.areas_of(side))}" for side in SIDES)
        return Result(None if winner == "draw" else Side(winner), reason, f"areas: {score}")

    def public(self, position: Position) -> dict[str, Any]:
        return {
            "turn": position.turn,
            "impulse": position.impulse,
            "active": position.active,
            "places": [[unit, position.places[unit]] for unit in sorted(position.places)],
            "plans": [[side, position.plans[side]] for side in sorted(position.plans)],
            "chits": list(position.chits),
            "lost": list(position.lost),
            "result": list(position.result) if position.result else None,
        }

    def faults(self, position: Position) -> tuple[str, ...]:
        doubled = len(position.units_at) != len(position.places)
        return ("two units stand in a hex",) if doubled else ()

    def names(
        self, state: State[Position], side: Side, order: type[Order] | None, *, answering: bool
    ) -> Vocabulary:
        board = self.tables
        return Vocabulary(
            printed={
                marked("hex"): {hex: hex for hex in board.hexes},
                marked("unit"): {unit: unit for unit in board.side_of},
            },
            counters=tuple(
                NamedUnit(unit, board.kind_of[unit], state.position.places[unit])
                for unit in state.position.units_of(side)
            ),
        )
