"""Fog on the Ridge as a game system."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from pbem.games.fog.events import ArmyLaid
from pbem.games.fog.orders import VERBS
from pbem.games.fog.position import OPEN, PEOPLE, SIDES, Position, Tables
from pbem.games.fog.stages import opening

from pbem.board.names import NamedUnit, Vocabulary
from pbem.engine.clock import Clock
from pbem.engine.facedown import FaceDown
from pbem.engine.model import Order, Side, State
from pbem.engine.picture import Picture
from pbem.engine.tags import is_tag
from pbem.engine.words import Words
from pbem.games.system import GameSystem, Result, RuleOption, Scenario
from pbem.messages import Message, marked, say

STEPS = {
    "set-up": say("set-up"), "lists": say("ambushes"), "march": say("march"),
    "fight": say("fight"),
}  # fmt: skip


class FogOnTheRidge(GameSystem):
    """The game system. One object serves any number of games."""

    slug = "fog"
    title = "Fog on the Ridge"
    version = "1"
    sides: tuple[Side, ...] = SIDES
    verbs = VERBS
    words = Words(
        span=marked("phase"), hand=marked("counters face down"), pile=marked("force"),
        piece="unit", pieces=marked("counters"), sides=PEOPLE,
        secrets={"ambushes": marked("the ambushes")},
        by_name=frozenset({"unit"}),
    )  # fmt: skip
    capabilities: ClassVar = {
        "hidden": "hidden", "narration": "narration:NARRATION", "pieces": "pieces",
        "policies": "policies:STANDING", "practice": "practice:PRACTICE",
    }  # fmt: skip

    @cached_property
    def tables(self) -> Tables:
        return Tables(self._plain)

    @cached_property
    def picture(self) -> Picture:
        from pbem.games.fog.picture import FogPicture

        return FogPicture(self.tables)

    def scenarios(self) -> tuple[Scenario, ...]:
        return tuple(
            Scenario(name, each["title"], each["rule"], needs=tuple(each["needs"]))
            for name, each in self.tables.scenarios.items()
        )

    def options(self) -> tuple[RuleOption, ...]:
        return (RuleOption(OPEN, "1.4", "all counters lie face up"),)

    def setup(self, scenario: str, options: frozenset[str]) -> State[Position]:
        board, is_open = self.tables, OPEN in options
        waiting = {side: board.army(side) for side in SIDES}
        position = Position(board, scenario, is_open, FaceDown(), {}, waiting)
        if not is_open:
            for side in SIDES:
                position = ArmyLaid(side).apply(position)
        return State(position, opening(is_open))

    def clock(self, position: Position) -> Clock:
        return Clock(
            turn=position.turn,
            span=f"{position.turn}/{position.active}/{position.step}",
            owner=position.active,
            chapter=say("Turn {number}", number=position.turn),
            heading=self._heading(position),
        )

    def _heading(self, position: Position) -> Message:
        if position.step in ("set-up", "lists"):
            return STEPS[position.step]
        side = say(PEOPLE[position.active])
        return say("{side}: {step}", side=side, step=STEPS[position.step])

    def result(self, position: Position) -> Result | None:
        if position.result is None:
            return None
        winner, reason = position.result
        held = [position.holder(hex) for hex in position.board.objectives]
        score = ", ".join(f"{side} {held.count(side)}" for side in SIDES)
        return Result(None if winner == "draw" else Side(winner), reason, f"objectives: {score}")

    def public(self, position: Position) -> dict[str, Any]:
        return {
            "turn": position.turn,
            "active": position.active,
            "step": position.step,
            "places": [[name, position.places[name]] for name in sorted(position.places)],
            "waiting": [[side, list(position.waiting[side])] for side in SIDES],
            "lost": list(position.lost),
            "moved": sorted(position.moved),
            "fought": sorted(position.fought),
            "mixed": sorted(position.mixed),
            "shaken": sorted(position.shaken),
            "battle": list(map(_plain, position.battle)) if position.battle else None,
            "blown": [[key, list(kinds)] for key, kinds in sorted(position.blown.items())],
            "lists": [[side, position.lists[side]] for side in sorted(position.lists)],
            "told": [[slot, position.told[slot]] for slot in sorted(position.told)],
            "result": list(position.result) if position.result else None,
            **position.down.public(position.in_play),
        }

    def faults(self, position: Position) -> tuple[str, ...]:
        found = [
            f"{hex} holds counters of both sides"
            for hex, names in position.stacks.items()
            if len({position.side_of(name) for name in names}) > 1
        ]
        for name in position.in_play:
            face = position.face(name)
            if is_tag(name) and face and face not in position.down.may_be(name):
                found.append(f"{face} is not in the field of {name}")
        return tuple(found)

    def names(
        self, state: State[Position], side: Side, order: type[Order] | None, *, answering: bool
    ) -> Vocabulary:
        board, position = self.tables, state.position
        own = {name: position.face(name) for name in position.in_play
               if position.side_of(name) == side and position.face(name)}  # fmt: skip
        tags = position.down.printed((*position.in_play, *position.lost), position.called)
        known = {unit: unit for unit in board.side_of if unit not in tags.values()}
        return Vocabulary(
            printed={
                marked("hex"): {hex: hex for hex in board.hexes},
                marked("unit"): {**known, **tags},
            },
            counters=tuple(
                NamedUnit(name, board.kind_of[unit], position.places.get(name, "reserve"))
                for name, unit in own.items()
            ),
            by_name=self.words.by_name,
        )


def _plain(part: Any) -> Any:
    return list(part) if isinstance(part, tuple) else part
