"""Chapter 4 and 19: the position when a scenario begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.engine.model import AutoStage, Outcome, Side, Unfolding
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import (
    ABROAD,
    DISPLAY,
    ELIMINATED,
    MOROCCO,
    POOL,
    REMOVED,
    RESERVE,
    Control,
    Deck,
    Fort,
    Position,
    UnitState,
)
from pbem.games.crusade.rules.options_decks import dealt_openly, phase_of_card
from pbem.games.crusade.rules.options_landing import owner_of_beach
from pbem.games.crusade.stages.begun import as_it_stands
from pbem.games.crusade.stages.draw import lay, slot
from pbem.games.crusade.tables import SIDES, Tables
from pbem.value import value

MARKERS = {
    "position": Fort("position", SIDES[0]),
    "trench": Fort("trench", SIDES[0]),
    "special_trench_madrid": Fort("trench", SIDES[0], "madrid"),
    "special_trench_bilbao": Fort("trench", SIDES[0], "bilbao"),
    "special_trench_fortifications": Fort("trench", SIDES[0], "works"),
}


@CITE.rule("4.0", "4.2.1", "4.2.2", "19.4.2.1", "19.4.2.2", "19.4.2.3", "19.4.3")
def starting_position(tables: Tables, scenario: str, options: frozenset[str]) -> Position:
    """The position of a scenario before any card is drawn or any choice made."""
    sheet = tables.sheet(scenario)
    markers = sheet["markers"]
    position = Position(
        tables=tables,
        scenario=scenario,
        options=options,
        counters=_counters(tables, sheet["units"]),
        control=_control(tables, sheet),
        decks={side: Deck() for side in SIDES},
        known={},
        turn=sheet["first_turn"],
        vp=markers["vp"],
        rm=markers["rm"],
        forts=_forts(sheet["units"]),
        sieges=dict(markers["sieges"]),
        isolated=frozenset((*markers["isolated"], *_cut_off_by_agreement(sheet, options))),
        flags=_flags(markers),
    )
    return as_it_stands(position, sheet)


def _counters(tables: Tables, units: Mapping[str, Any]) -> dict[str, UnitState]:
    counters = {unit: UnitState(POOL) for unit in tables.units}
    for side in SIDES:
        fresh = {
            kind: iter(names)
            for (owner, kind), names in tables.units_of_type.items()
            if owner == side
        }
        for place, rows in _places(units[side]):
            for row in rows:
                for _ in range(row["count"]):
                    counters[next(fresh[row["type"]])] = UnitState(place, row["reduced"])
    return counters


PLACES: Mapping[str, str] = {
    "reserve": RESERVE, "eliminated": ELIMINATED, "removed": REMOVED, "morocco": DISPLAY,
    "waiting": MOROCCO, "abroad": ABROAD,
}  # fmt: skip
"""The boxes of a scenario, and the off-map places they stand for."""


def _places(units: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    for row in units["map"]:
        yield row["space"], row["units"]
    for box, place in PLACES.items():
        yield place, units.get(box, ())


def _control(tables: Tables, sheet: Mapping[str, Any]) -> Control:
    """A Beach Head on the map belongs to whoever landed there: an enemy would remove it."""
    changes: Mapping[str, Iterable[str]] = sheet.get("control", {})
    control = {
        space.id: Side(space.control) for space in tables.spaces.values() if not space.dormant
    }
    for side in SIDES:
        for space in changes.get(side, ()):
            control[space] = side
    control |= {beach: owner_of_beach(beach) for beach in sheet["markers"].get("beach_heads", ())}
    return Control(control)


def _forts(units: Mapping[str, Any]) -> dict[str, Fort]:
    return {
        row["space"]: Fort(MARKERS[marker].kind, side, MARKERS[marker].special)
        for side in SIDES
        for row in units[side]["map"]
        for marker in row.get("markers", ())
    }


CORRIDOR = "18.2.3"


def _cut_off_by_agreement(sheet: Mapping[str, Any], options: frozenset[str]) -> Iterable[str]:
    """If the corridor is in the game, Oviedo begins turn 6 as an Isolated Space."""
    rules = sheet.get("special_rules", ()) if CORRIDOR in options else ()
    return (rule["space"] for rule in rules if rule["id"] == "oviedo_out_of_supply")


@CITE.rule("19.3.5.2")
def _flags(markers: Mapping[str, Any]) -> frozenset[str]:
    facts = {
        "strait_nationalist": markers["strait"] == "nationalist",
        "shortage": markers["shortage"],
        "badajoz_lost": not markers["badajoz"],
        "famine": markers["famine"],
        "north_ended": markers["north_ended"],
        "madrid_settled": markers["madrid"] is None,
        "largo_caballero": markers["government"] in ("largo_caballero", "juan_negrin"),
        "juan_negrin": markers["government"] == "juan_negrin",
        "franco_command": markers["command"] == "franco_takes_command",
    }
    return frozenset(flag for flag, holds in facts.items() if holds)


@value
class LayDecks(AutoStage[Position]):
    """2.3, 4.3 and 19.x.6: the first draw piles, and the cards a scenario deals openly."""

    def run(self, position: Position) -> Outcome:
        story: Unfolding[Position] = Unfolding(position)
        decks = position.tables.sheet(position.scenario)["decks"]
        for side in SIDES:
            removed = tuple(decks["removed"][side])
            for card in removed:
                story.happen(rare.CardTakenOut(side, card))
            fixed = dealt_openly(position, side)
            for place, card in enumerate(fixed):
                story.happen(rare.CardDealt(side, slot(side, 0, place), card))
            open_cards = position.decks[side].discards + position.decks[side].table
            cards = deck_cards(position, side, decks["phases"], removed + fixed + open_cards)
            if cards or position.option("open_hands"):  # an empty deck binds nobody
                story.happen(lay(story.position, side, 1, cards))
        return story.outcome()


@CITE.rule("2.3", "19.4.6.1", "19.4.6.2", "19.4.6.3")
def deck_cards(
    position: Position, side: Side, phases: Iterable[str], without: Iterable[str] = ()
) -> tuple[str, ...]:
    """The cards of a side's phases, sorted, without those named."""
    left_out = set(without)
    return tuple(
        sorted(
            card.id
            for card in position.tables.cards.values()
            if card.side == side
            and phase_of_card(position, card) in set(phases)
            and card.id not in left_out
        )
    )
