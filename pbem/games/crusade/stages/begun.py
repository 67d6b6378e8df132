"""Scenarios that begin in the middle of a war: what only they state, and their first hands.

The scenarios we ship begin with a turn. An owner's may begin between any two rounds, with discards,
retained cards, points on the tracks, marks of this turn, and hands of any size
(data/crusade/README.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import ABROAD, Deck, Position
from pbem.games.crusade.tables import SIDES


def as_it_stands(position: Position, sheet: Mapping[str, Any]) -> Position:
    """The position with everything that a scenario may state."""
    markers, decks, begins = sheet["markers"], sheet["decks"], sheet.get("begins", {})
    position = position.but(
        rp={currency: 2 * points for currency, points in markers["rp"].items() if points},
        flags=position.flags | set(markers.get("flags", ())),
        lost_forts=dict(markers.get("lost_trenches", {})),
        digging=dict(markers.get("digging", {})),
        strayed=frozenset(_strayed(position, sheet["units"])),
        beach_heads=dict(markers.get("beach_heads", {})),
        deadlines=dict(markers.get("deadlines", {})),
        bonuses=dict(markers.get("counterattacks", {})),
        played=frozenset(card for side in SIDES for card in _of(decks, "played", side)),
        decks={
            side: Deck(discards=_of(decks, "discards", side), table=_of(decks, "retained", side))
            for side in SIDES
        },
        returning=dict(_returning(position, sheet["units"])),
    )
    return _in_its_turn(position, begins) if begins else position


def _of(decks: Mapping[str, Any], pile: str, side: Side) -> tuple[str, ...]:
    return tuple(decks.get(pile, {}).get(side, ()))


@CITE.serves("16.4.2.4/b")
def _strayed(position: Position, units: Mapping[str, Any]) -> Iterable[str]:
    """The guests who came by a retreat: as many of a type and condition as each row says."""
    for side in SIDES:
        for row in units[side].get("map", ()):
            for given in row["units"]:
                if given.get("strayed"):
                    like = [
                        unit
                        for unit in position.units_in(row["space"], side)
                        if position.type_of(unit).id == given["type"]
                        and position.is_reduced(unit) == given["reduced"]
                    ]
                    yield from like[: given["count"]]


def _returning(position: Position, units: Mapping[str, Any]) -> Iterable[tuple[str, int]]:
    """Each unit abroad with the turn of its return, in the order of the sheet."""
    for side in SIDES:
        abroad = list(position.units_in(ABROAD, side))
        for row in units[side].get("abroad", ()):
            like = [unit for unit in abroad if position.type_of(unit).id == row["type"]]
            for unit in like[: row["count"]]:
                abroad.remove(unit)
                yield unit, row["returns"]


def _in_its_turn(position: Position, begins: Mapping[str, Any]) -> Position:
    """Between two rounds: the side that acted last, and what happened this turn."""
    first, second = SIDES
    last = (first, begins["round"]) if begins["side"] == second else (second, begins["round"] - 1)
    return position.but(
        active=last[0] if last[1] else first,
        round=last[1],
        actions={side: tuple(done) for side, done in begins.get("actions", {}).items()},
        turn_marks=frozenset((*begins.get("marks", ()), *_operations(begins))),
    )


@CITE.serves("16.5.2/a")
def _operations(begins: Mapping[str, Any]) -> Iterable[str]:
    """The marks of earlier rounds in which a card was played for operations."""
    for side, done in begins.get("actions", {}).items():
        for number, action in enumerate(done, start=1):
            if action == "operations":
                yield f"operations_{side}_round_{number}"
