"""18.3.9: the random set-up."""

from __future__ import annotations

from collections import Counter
from copy import copy
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Chance, Side, State
from pbem.games.crusade.position import Position
from pbem.games.crusade.stages.random_setup import RandomSetUp, SetupArea, areas_to_shuffle
from tests.bots import ScriptedDice
from tests.games.crusade.agreed import on, on_and_off
from tests.games.crusade.board import TABLES, N, R, table

RANDOM = on("18.3.9")
SOUTH = ("huelva", "sevilla", "ecija", "cordoba", "priego_de_cordoba", "granada",
         "arcos_de_la_frontera")  # fmt: skip


def areas(position: Position) -> dict[tuple[Side, str], SetupArea]:
    return {(each.side, each.name): each for each in areas_to_shuffle(position)}


def dealt(scenario: str = "campaign", *, backwards: bool = False) -> Position:
    start = table(scenario=scenario, **RANDOM)
    state = kernel.begin(State(start, (RandomSetUp(),))).state
    asked = kernel.waits_for(state)
    assert isinstance(asked, Chance)
    step = -1 if backwards else 1
    picks = [tuple(range(draw.of))[::step] for draw in asked.draws]
    return kernel.roll(state, ScriptedDice(*picks)).state.position


@pytest.mark.rule("18.3.9")
@on_and_off("18.3.9")
@pytest.mark.parametrize("scenario, begins_the_war", [
    ("campaign", True), ("war_of_the_columns", True), ("two_years_of_war", False),
])  # fmt: skip
def test_it_is_for_the_first_turn_of_the_war(
    scenario: str, begins_the_war: bool, facts: dict[str, Any], agreed: bool
) -> None:
    state = kernel.begin(State(table(scenario=scenario, **facts), (RandomSetUp(),))).state
    assert (kernel.waits_for(state) is not None) is (agreed and begins_the_war)


@pytest.mark.rule("18.3.9")
def test_the_nationalist_south_of_the_example() -> None:
    """One cavalry, two police, two militia, four infantry; the Army of Africa stays in Sevilla."""
    area = areas(table(**RANDOM))[N, "southern_front"]
    kinds = Counter(table().type_of(unit).id for unit in area.units)
    assert kinds == {"CAV": 1, "POL": 2, "MIL": 2, "INF": 4}
    places = Counter(place for place, _ in area.places)
    assert (places["huelva"], places["sevilla"], places["granada"]) == (1, 2, 2)
    assert [reduced for place, reduced in area.places if place == "granada"].count(True) == 1


@pytest.mark.rule("18.3.9")
def test_every_place_is_filled_as_before() -> None:
    before, after = table(**RANDOM), dealt(backwards=True)
    assert after.counters != before.counters
    for place, units in before.stacks.items():
        assert len(after.units_in(place)) == len(units)
        worn = [before.is_reduced(unit) for unit in units]
        assert sorted(map(after.is_reduced, after.units_in(place))) == sorted(worn)
    assert dealt().counters == before.counters


@pytest.mark.rule("18.3.9")
def test_who_is_fixed_stays() -> None:
    before, after = table(**RANDOM), dealt(backwards=True)
    for unit, unit_type in before.tables.units.items():
        north = unit_type.has("regional")
        if unit_type.id in ("MIL-NAV", "AFR") or north:
            assert after.counters[unit] == before.counters[unit]


@pytest.mark.rule("18.3.9")
def test_nobody_leaves_their_area() -> None:
    after = dealt(backwards=True)
    for area in areas_to_shuffle(table(**RANDOM)):
        there = {place for place, _ in area.places}
        assert {after.place_of(unit) for unit in area.units} == there
    assert not any(a.side == R and a.name == "northern_front"
                   for a in areas_to_shuffle(table(**RANDOM)))  # fmt: skip


@pytest.mark.rule("18.3.9")
def test_an_area_is_shuffled_from_two_units_on() -> None:
    """One unit alone stays where it is, and nothing is rolled for it."""
    assert (N, "balearic_islands") not in areas(table(**RANDOM))
    two = table(units={"mallorca": "INF-1 INF-2"}, **RANDOM)
    assert areas(two)[N, "balearic_islands"].units == ("INF-1", "INF-2")


@pytest.mark.rule("18.3.9")
def test_a_later_set_up_is_not_shuffled_though_it_tells_its_areas() -> None:
    tables = copy(TABLES)
    late = {**TABLES.sheet("campaign"), "first_turn": 6}
    tables.scenarios = {**TABLES.scenarios, "campaign": late}
    assert areas(table(tables=tables, **RANDOM)) == {}


@pytest.mark.rule("18.3.9")
def test_each_area_has_a_draw_of_its_own() -> None:
    state = kernel.begin(State(table(**RANDOM), (RandomSetUp(),))).state
    asked = kernel.waits_for(state)
    assert isinstance(asked, Chance)
    labels = [draw.label for draw in asked.draws]
    assert len(set(labels)) == len(labels) and labels[0] == "setup/n/#/1"
    assert all(draw.of == draw.take for draw in asked.draws)
