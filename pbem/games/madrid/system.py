"""Storm over Madrid as a game system."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

from pbem.board.names import Vocabulary, fold
from pbem.engine.clock import Clock
from pbem.engine.codec import pairs_as_laid
from pbem.engine.days import days
from pbem.engine.model import Order, Side, State
from pbem.engine.public import MadeOf
from pbem.engine.words import Words
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.fixes import FIXES
from pbem.games.madrid.options import OPEN_HANDS, OPTIONS
from pbem.games.madrid.orders import NOWHERE, VERBS
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.arrivals import first_place
from pbem.games.madrid.rules.victory import points
from pbem.games.madrid.stages.cup import mixed
from pbem.games.madrid.stages.setup import Opens, SetsUp, SetUpEnds
from pbem.games.madrid.stages.turn import NextTurn
from pbem.games.madrid.tables import NATIONALIST, REPUBLICAN, SIDES, Tables
from pbem.games.system import GameSystem, Result, RuleOption, Scenario
from pbem.messages import Said, marked, say

if TYPE_CHECKING:
    from pbem.engine.cardbook import Cardbook
    from pbem.engine.picture import Picture

IMPULSE_OF = {
    NATIONALIST: say("Nationalist impulse {number}"),
    REPUBLICAN: say("Republican impulse {number}"),
}


class StormOverMadrid(GameSystem):
    """The game system. One object serves any number of games."""

    slug = "madrid"
    title = "Storm over Madrid 1936"
    version = "1"
    fixes = FIXES
    sides: tuple[Side, ...] = SIDES
    verbs = VERBS
    words = Words(
        span=marked("impulse"),
        hand="hand",
        pile=marked("cup"),
        piece="chit",
        pieces=marked("chits"),
        by_name=frozenset({"unit"}),
    )
    capabilities: ClassVar = {
        "advice": "advice:COUNSEL", "hidden": "hidden", "narration": "narration:NARRATION",
        "odds": "odds:ODDS", "policies": "policies.table:TABLE", "practice": "practice",
        "warnings": "warnings",
    }  # fmt: skip

    @cached_property
    def tables(self) -> Tables:
        return Tables(self._plain)

    @cached_property
    def picture(self) -> Picture:
        from pbem.games.madrid.picture import MadridPicture

        return MadridPicture(self._plain["map"], self.tables)

    @cached_property
    def cardbook(self) -> Cardbook:
        from pbem.games.madrid.cardbook import EventChits

        return EventChits(self._plain["chits"], self.tables)

    def scenarios(self) -> tuple[Scenario, ...]:
        return tuple(
            Scenario(card.id, card.title, card.rule) for card in self.tables.scenarios.values()
        )

    def options(self) -> tuple[RuleOption, ...]:
        return OPTIONS

    @CITE.rule("3.5.a", "12.2.e")
    def setup(self, scenario: str, options: frozenset[str]) -> State[Position]:
        """Places markers and units as the scenario says; first its owner's choices are asked."""
        board = self.tables
        card = board.scenarios[scenario]
        position = Position(
            board, scenario, options,
            places=dict.fromkeys(board.units, ""),
            control={
                area: NATIONALIST if area in card.nationalist else REPUBLICAN
                for area in board.areas
            },
            support=dict.fromkeys(SIDES, 0),
            morale=card.morale,
            cups={side: board.chits_of(side) for side in SIDES},
            hands=dict.fromkeys(SIDES, ()),
        )  # fmt: skip
        if OPEN_HANDS not in options:
            for side in SIDES:
                position = mixed(position, side).apply(position)
        places = {unit: first_place(position, unit) for unit in board.units}
        agenda = (Opens(), SetsUp(REPUBLICAN), SetsUp(NATIONALIST), SetUpEnds(), NextTurn())
        return State(position.but(places=places), agenda[::-1])

    def clock(self, position: Position) -> Clock:
        turn, number = position.turn, position.impulse
        dates = self.tables.dates.get(turn)
        return Clock(
            turn=turn,
            span=f"{turn}/{number}",
            owner=position.active,
            chapter=say("Turn {number}, {days}", number=turn, days=days(*dates))
            if dates
            else say("Before the battle"),
            heading=say(IMPULSE_OF[position.active].text, number=number)
            if number
            else say("preparation"),
            is_between=not number,
        )

    def result(self, position: Position) -> Result | None:
        if position.result is None:
            return None
        winner, reason = position.result
        if position.card.points:
            score = f"Nationalist points: {sum(points(position).values())}"
        else:
            held = sum(side == NATIONALIST for side in position.control.values())
            score = f"Nationalist areas: {held} of {len(position.control)}"
        return Result(Side(winner), reason, score)

    def public(self, position: Position) -> Mapping[str, Any]:
        return {
            "turn": position.turn,
            "began": position.began,
            "impulse": position.impulse,
            "active": position.active,
            "passes": position.passes,
            "run": position.run,
            "places": MadeOf(position.places, self._placed),
            "spent": list(self.tables.in_order(position.spent)),
            "control": MadeOf(position.control, pairs_as_laid),
            "support": [[side, position.support[side]] for side in SIDES],
            "gains": [[side, position.gains.get(side, 0)] for side in SIDES],
            "morale": position.morale,
            "cups": [[side, list(position.cups[side])] for side in SIDES],
            "hands": [[side, list(position.hands[side])] for side in SIDES],
            "played": list(position.played),
            "removed": list(position.removed),
            "facts": sorted(position.facts),
            "pause": position.pause,
            "durruti": position.durruti,
            "flight": position.flight,
            "result": list(position.result) if position.result else None,
            **self._face_down(position),
        }

    def _placed(self, places: Mapping[str, str]) -> list[list[str]]:
        return [[unit, places[unit]] for unit in self.tables.units]

    def _face_down(self, position: Position) -> dict[str, Any]:
        """What can be known about face-down chits."""
        if not position.is_hidden:
            return {}
        stirred = [side for side in SIDES if side in position.stirred]
        return {"stirred": stirred, "sought": position.sought or None}

    @CITE.serves("3.2.2", "3.5.a")
    def faults(self, position: Position) -> tuple[Said, ...]:
        board = position.board
        found = [
            say(
                "{number} {side} units are in {area}",
                number=len(units),
                side=say(side.capitalize()),
                area=area,
            )
            for area in position.board.areas
            for side in SIDES
            if (units := position.units_at(area, side)) and position.room(area, side) < 0
        ]
        found += [
            say(
                "{area} is {side} although only the enemy is there",
                area=area,
                side=say(side.capitalize()),
            )
            for area, side in position.control.items()
            if position.turn and position.units_at(area) and not position.units_at(area, side)
        ]
        for side in SIDES:
            there = (*position.cups[side], *position.hands[side])
            down = [chit for chit in board.chits_of(side) if chit in position.down.hidden]
            seen = position.known_among(there)
            found += [
                say("{chit} is listed twice", chit=chit) for chit in {*seen} if seen.count(chit) > 1
            ]
            if sum("/" in each for each in there) != len(down):
                found.append(
                    say("{side} chits are missing or too many", side=say(side.capitalize()))
                )
        return tuple(found)

    def names(
        self, state: State[Position], side: Side, order: type[Order] | None, *, answering: bool
    ) -> Vocabulary:
        """Units by name or id, areas by letter or name, boxes by number.

        Chits by id, or by kind or title, which means one in the hand if there is one.
        """
        board, position = self.tables, state.position
        areas = {area.id: area.name for area in board.areas.values()}
        boxes = {f"box {box}": box for box in board.boxes}
        chits = {
            form: chit
            for chit in (*reversed(board.chits_of(side)), *reversed(position.held(side)))
            for form in (board.kinds[board.chits[chit]].title, board.chits[chit])
        }
        return Vocabulary(
            printed={
                marked("unit"): {unit.id: unit.name for unit in board.units.values()},
                marked("area"): {
                    **areas,
                    **dict(zip(board.boxes, board.boxes, strict=True)),
                    NOWHERE: NOWHERE,
                },
                marked("chit"): dict.fromkeys(board.chits, ""),
            },
            aliases={
                "area": {**boxes, **{board.box_names[box]: box for box in board.boxes}},
                "chit": chits,
            },
            by_name=self.words.by_name,
            by_letter=frozenset({"area"}),
            is_theirs=lambda id: id in board.units and board.units[id].side != side,
            elsewhere=partial(_elsewhere, position, side),
            title=lambda name: position.title(name) if name in board.chits else "",
        )


CHIT_OF = {
    NATIONALIST: marked("{chit} is a Nationalist chit"),
    REPUBLICAN: marked("{chit} is a Republican chit"),
}


def _elsewhere(position: Position, side: Side, kind: str, written: str) -> tuple[Said, Said] | None:
    """What a word means that no order of a side can name: a chit of the enemy, a kind of unit, or
    the area of units.
    """
    board = position.board
    if kind == "chit":
        for its in board.kinds.values():
            if its.side != side and fold(written) in (fold(its.id), fold(its.title)):
                return say(CHIT_OF[its.side], chit=its.id), ""
    if kind == "unit":
        from pbem.games.madrid.policies.facts import KINDS

        if fold(written) in KINDS:
            told = say("'{word}' is a kind of unit, and an order names units", word=fold(written))
            line = "own: {losses: [spent, line]}"
            return told, say("kinds go below 'standing:', as in {line}", line=line)
        if written in board.areas:
            there = [board.units[unit].name for unit in position.units_at(written, side)]
            told = say("'{word}' is an area, and an order names units", word=written)
            return told, (
                say("your units there: {units}", units=tuple(there)) if there
                else say("you have no unit there")
            )  # fmt: skip
    return None
