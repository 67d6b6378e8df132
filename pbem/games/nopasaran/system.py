"""¡No Pasarán! as a game system."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from pbem.board.names import Vocabulary
from pbem.engine.clock import Clock
from pbem.engine.codec import pairs, pairs_as_laid, to_plain
from pbem.engine.model import Order, Side, State
from pbem.engine.picture import Picture
from pbem.engine.public import MadeOf
from pbem.engine.words import Words
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.fixes import FIXES
from pbem.games.nopasaran.names import names as vocabulary
from pbem.games.nopasaran.opening import begin
from pbem.games.nopasaran.options import OPTIONS
from pbem.games.nopasaran.orders import VERBS
from pbem.games.nopasaran.position import ELSEWHERE, Position
from pbem.games.nopasaran.rules import stacking, victory
from pbem.games.nopasaran.stages.day import opening
from pbem.games.nopasaran.tables import NATIONALIST, PEOPLE, REPUBLICAN, SIDES, Tables
from pbem.games.system import GameSystem, Result, RuleOption, Scenario
from pbem.messages import Message, Said, marked, say

if TYPE_CHECKING:
    from pbem.engine.picture import Picture

SEGMENTS = {
    "set-up": say("set-up"), "command": say("command phase"), "air": say("air phase"),
    "evening": say("evening"),
}  # fmt: skip


class NoPasaran(GameSystem):
    """The game system. One object serves any number of games."""

    slug = "nopasaran"
    title = "¡No Pasarán!"
    version = "1"
    fixes = FIXES
    sides: tuple[Side, ...] = SIDES
    verbs = VERBS
    words = Words(
        span=marked("activation"), pile=marked("set of counters"), piece="unit",
        pieces=marked("units"), sides=PEOPLE,
        secrets={
            "assign": marked("the assignments of the day"),
            "fly": marked("the air missions of the day"),
        },
    )  # fmt: skip
    capabilities: ClassVar = {
        "advice": "advice:COUNSEL", "hidden": "hidden", "narration": "narration:NARRATION",
        "odds": "odds:ODDS", "pieces": "pieces", "policies": "policies.table:TABLE",
        "practice": "practice", "sightings": "notes:NOTES", "waiting": "waiting:WAITING",
        "warnings": "warnings:WARNED",
    }  # fmt: skip

    @cached_property
    def tables(self) -> Tables:
        return Tables(self._plain)

    @cached_property
    def picture(self) -> Picture:
        from pbem.games.nopasaran.picture import NoPasaranPicture

        return NoPasaranPicture(self.tables)

    def scenarios(self) -> tuple[Scenario, ...]:
        return tuple(
            Scenario(name, each["title"], each["rule"])
            for name, each in self.tables.scenarios.items()
        )

    def options(self) -> tuple[RuleOption, ...]:
        return OPTIONS

    def setup(self, scenario: str, options: frozenset[str]) -> State[Position]:
        position = begin(self.tables, scenario, options)
        return State(position, opening(position)[::-1])

    def clock(self, position: Position) -> Clock:
        day, segment = position.day, position.segment
        when = position.plain["days"][max(0, day - 1)]
        cycle = position.cycle
        heading: Message = (
            say("{side} activation", side=say(PEOPLE[cycle.side]))
            if cycle
            else SEGMENTS.get(segment, say("initiative"))
        )
        return Clock(
            turn=day,
            span=f"{day}/{position.passed}",
            owner=position.active,
            chapter=say("Day {number}, {date}", number=day, date=when)
            if day
            else say("Before the battle"),
            heading=heading,
            is_between=cycle is None,
        )

    def result(self, position: Position) -> Result | None:
        if position.result is None:
            return None
        winner, reason = position.result
        points = victory.points(position)
        return Result(
            Side(winner) if winner else None, reason,
            f"Nationalist {points[NATIONALIST]}, Republican {points[REPUBLICAN]}",
        )  # fmt: skip

    @CITE.rule("2.5", "6.6.5", "21.p4")
    def public(self, position: Position) -> Mapping[str, Any]:
        cycle, combat = position.cycle, position.combat
        return {
            "day": position.day, "segment": position.segment, "active": position.active,
            "passed": position.passed,
            "weather": position.weather, "tomorrow": position.tomorrow,
            "stacks": MadeOf(position.stacks, _stacks),
            "away": MadeOf(position.away, _present),
            "control": MadeOf(position.control, pairs_as_laid),
            "lost": pairs(position.lost),
            "disorganised": sorted(position.disorganised),
            "demoralised": sorted(position.demoralised),
            "cut_off": pairs(position.cut_off), "assigned": pairs(position.assigned),
            "moved_to": pairs(position.moved_to), "base": pairs(position.base),
            "fought": sorted(position.fought), "busy": sorted(position.busy),
            "spent": pairs(position.spent),
            "acted": sorted(position.acted), "walked": sorted(position.walked),
            "activated": sorted(position.activated), "finished": sorted(position.finished),
            "idle": sorted(position.idle),
            "successes": pairs(position.successes),
            "cycle": to_plain(cycle) if cycle else None,
            "missions": [[unit, each.kind, each.target]
                         for unit, each in sorted(position.missions.items())],
            "flown": sorted(position.flown),
            "interdicted": [[hex, [[each.side, each.factor, each.unit] for each in those]]
                            for hex, those in sorted(position.interdicted.items())],
            "works": pairs(position.works), "roads": pairs(position.roads),
            "rails": pairs(position.rails), "bridges": pairs(position.bridges),
            "pontoons": pairs(position.pontoons),
            "tasks": [[unit, each.kind, each.at, each.since]
                      for unit, each in sorted(position.tasks.items())],
            "losses": pairs(position.losses), "used": sorted(position.used),
            "combat": to_plain(combat) if combat else None,
            "result": list(position.result) if position.result else None,
            **self._face_down(position),
        }  # fmt: skip

    @CITE.serves("2.6")
    def _face_down(self, position: Position) -> Mapping[str, Any]:
        """What both know of counters face down; nothing where all lie open."""
        if position.is_open:
            return {}
        return {
            "masks": pairs(position.masks),
            "mixed": sorted(position.mixed),
            "may_act": pairs({tag: list(units) for tag, units in position.may_act.items()}),
            "spent_as": pairs({tag: pairs(each) for tag, each in position.spent_as.items()}),
            "cut_off_as": pairs(
                {tag: pairs(each) for tag, each in position.cut_off_as.items()}
            ),
            "papers": [[name, each.slot, each.day, each.mix, each.before and each.before.slot]
                       for name, each in sorted(position.papers.items())],
            "told": pairs(position.told),
            "unled": [position.unled[0], sorted(position.unled[1])],
            **position.down.public(position.hexes),
        }  # fmt: skip

    def faults(self, position: Position) -> tuple[Said, ...]:
        found: list[Said] = []
        for hex, units in position.stacks.items():
            if len({position.side_of(unit) for unit in units}) > 1:
                found.append(say("units of both sides are in {hex}", hex=hex))
            if not position.cycle and not position.combat and stacking.excess(position, hex):
                found.append(say("{hex} holds too many troop points", hex=hex))
            if not position.could_attack(units[0]) and any(map(position.could_attack, units)):
                found.append(say("a unit that cannot attack is on top in {hex}", hex=hex))
        found += [
            say("{unit} has lost all its troop points", unit=unit)
            for unit, place in position.places.items()
            if place in position.ground
            and position.printed(unit).troops
            and position.troops(unit) <= 0
        ]
        return tuple(found)

    def names(
        self, state: State[Position], side: Side, order: type[Order] | None, *, answering: bool
    ) -> Vocabulary:
        """Units and formations by name or id, hexes by number or name."""
        return vocabulary(state.position, side, order)


def _stacks(stacks: Mapping[str, tuple[str, ...]]) -> list[list[Any]]:
    return [[hex, list(units)] for hex, units in sorted(stacks.items())]


def _present(away: Mapping[str, str]) -> list[list[Any]]:
    """The units of this battle that are in no hex."""
    return [[unit, place] for unit, place in sorted(away.items()) if place != ELSEWHERE]
