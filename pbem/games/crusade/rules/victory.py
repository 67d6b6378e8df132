"""Chapter 5 and 17.3: who has won, and points scored at turning points of the war."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.options_score import morale_republic_needs, republic_has_to_wait
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN, SIDES

DRAW = "draw"


@CITE.rule("5.2.1", "5.2.5")
def automatic_victory(position: Position) -> tuple[Side, str] | None:
    """The side that wins in the War Status Phase, and why; morale comes before Main Cities."""
    winner = morale_winner(position)
    if winner is not None:
        return winner, by_morale(position)
    by_cities = main_city_winner(position)
    return (by_cities, "every Main City is theirs") if by_cities is not None else None


def by_morale(position: Position) -> str:
    """The reason for a victory by morale."""
    return f"Republican Morale stands at {position.rm}"


@CITE.rule("5.2.2")
def morale_winner(position: Position) -> Side | None:
    """The side that reaches its morale limit of the turn; some turns have none."""
    limits = morale_limits(position)
    if limits is None:
        return None
    if republic_qualifies(position):
        return None if republic_has_to_wait(position) else REPUBLICAN
    return NATIONALIST if position.rm <= limits[0] else None


def republic_qualifies(position: Position) -> bool:
    """Whether the morale of this turn is enough for a Republican automatic victory."""
    limits = morale_limits(position)
    return limits is not None and position.rm >= limits[1]


def morale_limits(position: Position) -> tuple[int, int] | None:
    """The morale limits of this turn for either side; None where there is none.

    The Nationalists win at or below theirs, the Republic at or above its own.
    """
    for row in position.tables.tables["automatic_victory"][position.edition]:
        if row["turn"] == position.turn:
            return row[NATIONALIST], morale_republic_needs(position, row[REPUBLICAN])
    return None


@CITE.rule("5.2.3")
def main_city_winner(position: Position) -> Side | None:
    """The side that controls every Main City."""
    for side in SIDES:
        if all(position.controls(side, city) for city in position.tables.main_cities):
            return side
    return None


@CITE.rule("5.1.1", "19.1.4", "19.2.4", "19.3.4", "19.4.4.2", "19.5.4")
def final_result(position: Position) -> tuple[str, str]:
    """Winner (a side or `draw`) and reason at the end of the last turn, by Victory Points."""
    limits = position.tables.sheet(position.scenario)["victory"]
    reason = "the last turn is over"
    if position.vp >= limits["nationalist_min"]:
        return NATIONALIST, reason
    if position.vp <= limits["republican_max"]:
        return REPUBLICAN, reason
    breaker = limits.get("draw_winner")
    if breaker and holds(position, breaker["if"]):
        return breaker["side"], f"{reason}, and the tie is theirs"
    return DRAW, reason


@CITE.rule("19.1.5", "19.2.5")
def end_modifiers(position: Position) -> tuple[int, ...]:
    """The changes of VP that a scenario makes before its end is judged."""
    rows = position.tables.sheet(position.scenario).get("end_modifiers", ())
    return tuple(row["vp"] for row in rows if holds(position, row["if"]))


def holds(position: Position, condition: Mapping[str, Any]) -> bool:
    """Whether every part of a scenario's condition is true."""
    tests = {
        "played": lambda cards: all(card in position.played for card in cards),
        "not_played": lambda cards: not any(card in position.played for card in cards),
        "rm_max": lambda limit: position.rm <= limit,
        "rm_min": lambda limit: position.rm >= limit,
        "north_conquered": lambda wanted: north_is_conquered(position) is wanted,
    }
    return all(tests[name](value) for name, value in condition.items())


@CITE.rule("19.2.4/a")
def north_is_conquered(position: Position) -> bool:
    """Whether the Nationalists hold every space of the three northern regions now, Oviedo too.

    19.2.4 names the regions; the Northern Front of 16.3.3 is what of them starts Republican.
    """
    return all(
        position.controls(NATIONALIST, space.id)
        for space in position.tables.spaces.values()
        if space.region
    )


@CITE.rule("19.4.4.1")
def is_last_turn(position: Position) -> bool:
    return bool(position.turn >= position.tables.sheet(position.scenario)["last_turn"])


@CITE.serves("14.1.2")
def no_unit_changes_the_result(position: Position) -> bool:
    """Whether units that come back after the last round change nothing any more: the war ends
    with this turn, and neither a siege nor an Insurrection can still be relieved by them.
    """
    units = position.tables.units.items()
    risen = (unit for unit, kind in units if kind.has("insurrection"))
    return (
        is_last_turn(position) and not position.sieges and not any(map(position.is_on_map, risen))
    )


@CITE.rule("17.3.2", "17.3.2/d")
def madrid_penalty(position: Position) -> tuple[int, str]:
    """The VP for the Nationalist effort against Madrid: the best row that applies."""
    # reading: Q55, "attacked" means a combat with dice; the side that fights it sets the flag.
    reached = {
        "occupied": position.has("madrid_occupied"),
        "attacked": position.has("madrid_attacked"),
        "neighbour_attacked_or_occupied": position.has("madrid_approached")
        or position.has("madrid_neighbour_attacked"),
        "nothing": True,
    }
    rows = position.tables.tables["madrid_priority"]["rows"]
    row = next(row for row in rows if reached[row["result"]])
    return row["vp"], row["result"]
