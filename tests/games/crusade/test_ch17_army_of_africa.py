"""17.6: the Army of Africa, unit by unit; with what a round leaves behind (10.2.2)."""

from __future__ import annotations

import pytest

from pbem.engine.kernel import begin, submit, violations
from pbem.engine.model import State
from pbem.games.crusade import events as e
from pbem.games.crusade.orders import Arrive
from pbem.games.crusade.position import DISPLAY, MOROCCO
from pbem.games.crusade.rules.africa import arrival_is_due
from pbem.games.crusade.stages.round import (
    Arrivals,
    Landing,
    RoundEnd,
    landing_places,
)
from tests.games.crusade.board import N, R, refusals, table


def due(turn=1, round=2, **facts):
    """A round in which a unit is due, and the first of those that wait."""
    flags = facts.pop("flags", frozenset({"afr_schedule"}))
    position = table(turn, round=round, active=N, flags=flags, **facts)
    return position, position.units_in(DISPLAY)[0]


@pytest.mark.rule("17.6.1", "17.6.3", "17.6.4")
@pytest.mark.parametrize("place", ["sevilla", "cadiz"])
def test_the_unit_that_is_due_lands_in_sevilla_or_cadiz(place):
    position, unit = due(units={"sevilla": "INF-15"})
    landing = begin(State(position, (Arrivals(),))).state
    assert submit(landing, Arrive(place)).state.position.place_of(unit) == place


QUICK = frozenset({"afr_schedule", "afr_accelerated"})


@pytest.mark.rule("17.6.1", "17.6.2", "17.6.3")
@pytest.mark.parametrize("turn, flags, rounds", [
    (1, {"afr_schedule"}, [2, 5]), (2, {"afr_schedule"}, [2, 5]), (3, {"afr_schedule"}, [2, 5]),
    (2, QUICK, [2, 5]), (3, QUICK, [1, 2]), (4, QUICK, []), (4, {"afr_schedule"}, []),
    (1, {"afr_accelerated"}, []),
])  # fmt: skip
def test_the_rounds_in_which_a_unit_is_due(turn, flags, rounds):
    def found(active):
        tables = (table(turn, round=n, active=active, flags=frozenset(flags)) for n in range(1, 7))
        return [position.round for position in tables if arrival_is_due(position)]

    assert found(N) == rounds and found(R) == []


@pytest.mark.rule("16.2.4.1", "17.6.4")
@pytest.mark.parametrize("isolated, utrera, places", [
    ({"granada"}, R, ()), ({"granada"}, N, ("cadiz",)), ((), R, ()),
])  # fmt: skip
def test_it_does_not_land_where_only_an_isolated_space_gives_supply(isolated, utrera, places):
    """Cádiz joined to Granada and cut off from Sevilla, which is full."""
    way = ("arcos_de_la_frontera", "ronda", "antequera", "loja")
    near = ("ecija", "priego_de_cordoba", *(("utrera",) if utrera == R else ()))
    position, _ = due(
        nationalist=way, republican=near, isolated=frozenset(isolated),
        units={**dict.fromkeys((*way, *near), ""), "sevilla": "INF-15 INF-16 INF-17"},
    )  # fmt: skip
    assert landing_places(position) == places


@pytest.mark.rule("17.6.4")
def test_it_does_not_land_in_an_enemy_port():
    assert landing_places(due(units={"sevilla": "INF-15"})[0]) == ("sevilla", "cadiz")
    lost, _ = due(units={"sevilla": "INF-15", "cadiz": ""}, republican=("cadiz",))
    assert landing_places(lost) == ("sevilla",)


@pytest.mark.rule("17.6.4")
@pytest.mark.parametrize("place", ["algeciras", "cordoba", "badajoz", "nowhere"])
def test_it_lands_nowhere_else(place):
    position, _ = due(units={"sevilla": "INF-15"})
    assert refusals(Landing(), position, Arrive(place)) == ["17.6.4"]


@pytest.mark.rule("17.6.4", "9.1.1")
def test_it_does_not_land_where_three_units_stand():
    position, _ = due(units={"sevilla": "INF-15 N-POL-4 AFR-1"})
    assert refusals(Landing(), position, Arrive("sevilla")) == ["17.6.4"]
    assert refusals(Landing(), position, Arrive("cadiz")) == []


@pytest.mark.rule("17.6.4")
@pytest.mark.parametrize(("place", "changes", "why"), [
    ("sevilla", {"units": {"sevilla": "INF-15 N-POL-4 AFR-1"}}, "Sevilla has no room for another"),
    ("cordoba", {"units": {"sevilla": "INF-15"}}, "it lands only at Sevilla or Cádiz"),
    ("cadiz", {"units": {"sevilla": "INF-15", "cadiz": ""}, "republican": ("cadiz",)},
     "Cádiz is not in full supply"),
    ("cadiz", {"units": {"sevilla": "INF-15", "cadiz": "R-MIL-1 R-MIL-2"},
               "republican": ("cadiz",)}, "Cádiz is not in full supply"),
])  # fmt: skip
def test_a_place_that_is_closed_says_why(place, changes, why):
    position, _ = due(**changes)
    (found,) = violations(State(position, (Landing(),)), Arrive(place))
    assert why in str(found.message)


@pytest.mark.rule("17.6.4")
def test_a_unit_without_a_place_to_land_waits_in_morocco():
    position, unit = due(republican=("sevilla", "cadiz"))
    assert begin(State(position, (Arrivals(),))).events == (e.UnitPlaced(unit, MOROCCO),)


@pytest.mark.rule("10.2.2", "10.2.4/a")
def test_begun_work_is_lost_when_the_last_unit_leaves():
    position = table(digging={"sevilla": -1, "utrera": -2}, round=1)
    happened = begin(State(position, (RoundEnd(N),))).events
    assert happened == (e.DiggingAbandoned("utrera"), e.RoundEnded(N, 1))
