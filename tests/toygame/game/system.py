"""Two Hills as a game system."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from pbem.games.toy.orders import VERBS
from pbem.games.toy.position import PEOPLE, SIDES, Position, Tables
from pbem.games.toy.stages import turn
from pbem.games.toy.waiting import WAITING

from pbem.board.names import NamedUnit, Vocabulary
from pbem.engine.advice import NO_ADVICE, Advice
from pbem.engine.cardbook import NO_CARDS, Cardbook
from pbem.engine.clock import Clock
from pbem.engine.hidden import NOTHING_HIDDEN, Hidden
from pbem.engine.model import Order, Side, State
from pbem.engine.odds import NO_ODDS, Odds
from pbem.engine.picture import Picture
from pbem.engine.pieces import NO_PIECES, Pieces
from pbem.engine.policies.table import NO_POLICIES, PolicyTable
from pbem.engine.practice import NO_PRACTICE, Practice
from pbem.engine.sightings import NO_SIGHTINGS, Sightings
from pbem.engine.waiting import Waiting
from pbem.engine.warnings import NO_WARNINGS, Warnings
from pbem.engine.words import Words
from pbem.games.system import Narration, Result, RuleOption, Scenario
from pbem.late import Late
from pbem.messages import Message, marked, say


def _heading(active: Side, number: int) -> Message:
    if not number:
        return say("plans")
    return say("{side} impulse {number}", side=say(PEOPLE[active]), number=number)


class TwoHills:
    """The game system. One object serves any number of games."""

    slug = "toy"
    title = "Two Hills"
    version = "1"
    sides: tuple[Side, ...] = SIDES
    verbs = VERBS
    words = Words(span=marked("impulse"), sides=PEOPLE)
    hidden: Hidden = NOTHING_HIDDEN
    pieces: Pieces = NO_PIECES
    policies: PolicyTable = NO_POLICIES
    waiting: Waiting = WAITING
    advice: Advice = NO_ADVICE
    narration: Narration = Late("pbem.games.toy.narration").NARRATION
    cardbook: Cardbook = NO_CARDS
    odds: Odds = NO_ODDS
    practice: Practice = NO_PRACTICE
    warnings: Warnings = NO_WARNINGS
    sightings: Sightings = NO_SIGHTINGS

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self._plain = plain

    @cached_property
    def tables(self) -> Tables:
        return Tables(self._plain)

    @cached_property
    def picture(self) -> Picture:
        drawn: Picture = Late("pbem.games.toy.picture").TwoHillsPicture(self.tables)
        return drawn

    def scenarios(self) -> tuple[Scenario, ...]:
        return tuple(Scenario(name, each["title"]) for name, each in self.tables.scenarios.items())

    def options(self) -> tuple[RuleOption, ...]:
        return ()

    def edition(self, options: frozenset[str]) -> str:
        return "the only edition"

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
