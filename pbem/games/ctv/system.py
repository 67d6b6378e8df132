"""Santander 1937 as a game system."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from pbem.board.names import Vocabulary
from pbem.engine.clock import Clock
from pbem.engine.codec import pairs, pairs_as_laid, to_plain
from pbem.engine.days import days
from pbem.engine.model import Order, Side, State
from pbem.engine.public import MadeOf
from pbem.engine.tags import is_tag
from pbem.engine.words import Words
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.events import ArmyLaid
from pbem.games.ctv.fixes import FIXES
from pbem.games.ctv.options import OPTIONS
from pbem.games.ctv.orders import VERBS
from pbem.games.ctv.position import ASIDE, AVAILABLE, Position
from pbem.games.ctv.rules import stacking
from pbem.games.ctv.rules.naming import called
from pbem.games.ctv.rules.war import victory_points
from pbem.games.ctv.stages.setup import opening
from pbem.games.ctv.tables import AIR, PEOPLE, SIDES, Tables
from pbem.games.system import GameSystem, Result, RuleOption, Scenario
from pbem.messages import Message, Said, marked, say, words
from pbem.value import value

if TYPE_CHECKING:
    from pbem.engine.picture import Picture

SEGMENTS = {
    "set-up": say("set-up"), "weather": say("beginning of the turn"),
    "surrender": say("Basque surrender"), "movement": say("{side} movement"),
    "combat": say("{side} combat"), "end": say("end of the turn"),
}  # fmt: skip


@value
class UnitNames(Vocabulary):
    """Units and hexes by name or id, and covered counters as one side may call them."""

    position: Position | None = None

    def spelt(self, kind: str, name: str) -> str:
        is_covered = kind == "unit" and is_tag(name)
        return words(self.told(kind, name)) if is_covered else super().spelt(kind, name)

    def told(self, kind: str, name: str) -> Said:
        is_covered = kind == "unit" and is_tag(name)
        return self._covered.get(name, name) if is_covered else super().told(kind, name)

    @cached_property
    def _covered(self) -> Mapping[str, Said]:
        """What each tag is called, each in another way."""
        position = self.position
        if position is None:
            return {}
        return position.down.told(position.places, lambda tag: called(position, tag))


class Santander(GameSystem):
    """The game system. One object serves any number of games."""

    slug = "ctv"
    title = "Corpo Truppe Volontarie: Santander 1937"
    version = "1"
    fixes = FIXES
    sides: tuple[Side, ...] = SIDES
    verbs = VERBS
    words = Words(span=marked("phase"), pile=marked("set of counters"), piece="unit",
                  pieces=marked("units"), sides=PEOPLE)  # fmt: skip
    capabilities: ClassVar = {
        "advice": "advice:COUNSEL", "hidden": "hidden", "narration": "narration:NARRATION",
        "odds": "odds:ODDS", "pieces": "pieces", "policies": "policies.table:TABLE",
        "practice": "practice", "waiting": "waiting:WAITING", "warnings": "warnings",
    }  # fmt: skip

    @cached_property
    def tables(self) -> Tables:
        return Tables(self._plain)

    @cached_property
    def picture(self) -> Picture:
        from pbem.games.ctv.picture import CtvPicture

        return CtvPicture(self.tables)

    def scenarios(self) -> tuple[Scenario, ...]:
        return tuple(
            Scenario(name, each["title"], each["rule"])
            for name, each in self.tables.scenarios.items()
        )

    def options(self) -> tuple[RuleOption, ...]:
        return OPTIONS

    @CITE.serves("4.1")
    def setup(self, scenario: str, options: frozenset[str]) -> State[Position]:
        """Nobody is on the map; all air units are available."""
        board = self.tables
        places = {
            unit: AVAILABLE if printed.type == AIR else ASIDE
            for unit, printed in board.units.items()
        }
        marker = board.charts["morale"]["marker"]["first"]
        position = Position(board, scenario, options, places, board.held, marker=marker)
        if not position.is_open:
            for side in SIDES:
                position = ArmyLaid(side).apply(position)
        return State(position, opening(is_open=position.is_open)[::-1])

    def clock(self, position: Position) -> Clock:
        turn, segment = position.turn, position.segment
        dates = self.tables.dates.get(turn)
        return Clock(
            turn=turn,
            span=f"{turn}/{position.active}",
            owner=position.active,
            chapter=say("Turn {number}, {days}", number=turn, days=days(*dates))
            if dates
            else say("Before the offensive"),
            heading=self._heading(position, segment),
        )

    def _heading(self, position: Position, segment: str) -> Message:
        return say(SEGMENTS[segment].text, side=say(PEOPLE[position.active]))

    def result(self, position: Position) -> Result | None:
        if position.result is None:
            return None
        winner, reason = position.result
        return Result(Side(winner), reason, f"Nationalist points: {victory_points(position)}")

    def public(self, position: Position) -> Mapping[str, Any]:
        battle = position.battle
        return {
            "turn": position.turn,
            "active": position.active,
            "segment": position.segment,
            "places": MadeOf(position.places, pairs_as_laid),
            "control": MadeOf(position.control, pairs_as_laid),
            "lost": pairs(position.lost),
            "levels": pairs(position.levels),
            "charged": sorted(position.charged),
            "unsupplied": sorted(position.unsupplied),
            "moved": sorted(position.moved),
            "fought": sorted(position.fought),
            "used": sorted(position.used),
            "back": pairs(position.back),
            "trenches": sorted(position.trenches),
            "marker": position.marker,
            "weather": position.weather,
            "front": sorted(position.front),
            "factory": position.factory,
            "reinosa": position.reinosa,
            "offensive": position.offensive,
            "wavering": position.wavering,
            "surrendered": position.surrendered,
            "battle": [battle.hex, list(battle.attackers), list(battle.support),
                       sorted(battle.said), battle.driven, list(battle.fallen_back), battle.column,
                       battle.result, sorted(battle.came_from),
                       to_plain(battle.plan) if battle.plan else None]
            if battle else None,
            "result": list(position.result) if position.result else None,
            **self._covered(position),
        }  # fmt: skip

    @CITE.serves("5.2")
    def _covered(self, position: Position) -> Mapping[str, Any]:
        """What both know of covered counters; nothing where all lie open."""
        if position.is_open:
            return {}
        return {
            "missing": sorted(position.missing),
            "in_doubt": sorted(position.in_doubt),
            **position.down.public(position.places),
        }

    @CITE.serves("5", "5.1.1")
    def faults(self, position: Position) -> tuple[Said, ...]:
        found: list[Said] = []
        for hex in position.stacks:
            if len({position.side_of(unit) for unit in position.stacks[hex]}) > 1:
                found.append(say("units of both sides are in {hex}", hex=hex))
            is_ruinous = stacking.is_ruinous(position, hex, position.units_at(hex))
            if is_ruinous and hex not in position.in_doubt:
                found.append(say("{hex} holds twice its limit", hex=hex))
        most = self.tables.charts["morale"]["marker"]["most"]
        if not 0 <= position.marker <= most:
            found.append(say("the marker of morale is at {number}", number=position.marker))
        found += [
            say("{unit} has lost all its steps", unit=unit)
            for unit, lost in position.lost.items()
            if lost >= position.printed(unit).steps
        ]
        found += [
            say("{unit} is not what {tag} may be", unit=face, tag=tag)
            for side in SIDES
            for tag in position.tags_of(side)
            if (face := position.face(tag)) and face not in position.may_be(tag)
        ]
        return tuple(found)

    def names(
        self, state: State[Position], side: Side, order: type[Order] | None, *, answering: bool
    ) -> Vocabulary:
        """Units by name or id, hexes by number or name. An order means covered counters by their
        tags; standing orders are about units, however they lie.
        """
        board, position = self.tables, state.position.veiled(side)
        units = {unit: each.name for unit, each in board.units.items()}
        tags = {face: tag for tag in position.tags_of(side) if (face := position.face(tag))}
        if order is None:
            tags = {}
        by_face = {tag: face for face, tag in tags.items()}
        return UnitNames(
            position=position,
            is_theirs=lambda id: id in board.units and board.units[id].side != side,
            such_as={"hex": say("a hex of land, such as 2010")},
            aliases={"unit": {units[face]: tag for face, tag in tags.items()}},
            printed={
                marked("unit"): {unit: name for unit, name in units.items() if unit not in tags}
                | by_face,
                # The sea too: an order that leads there is refused for that reason.
                marked("hex"): {hex: board.names.get(hex, "") for hex in sorted(board.everywhere)},
            },
        )
