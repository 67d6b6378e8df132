"""Chapter 18: optional units, each with and without: Morocco, elites, tanks, armored corps."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, Side, State
from pbem.games.crusade.orders import Arrive, Deploy, Done, Exchange, Militarize
from pbem.games.crusade.position import DISPLAY, Position
from pbem.games.crusade.rules.allocations import possible_heirs
from pbem.games.crusade.rules.losses import heir_groups, spares
from pbem.games.crusade.rules.mobilization import missing_reserves, regulars_in_the_box
from pbem.games.crusade.rules.options_units import (
    PLANS,
    armored_spaces,
    banderas_may_come,
    exchangeable,
    guard_of_morocco,
)
from pbem.games.crusade.rules.removal import removable
from pbem.games.crusade.stages.armored import ArmoredCorps, CapturedTank, after_event
from pbem.games.crusade.stages.event_units import landing_divisions
from pbem.games.crusade.stages.militarization import Militarization
from pbem.games.crusade.stages.random_setup import GuardOfMorocco
from pbem.games.crusade.stages.round import Arrivals
from tests.games.crusade.agreed import on, on_and_off
from tests.games.crusade.board import N, R, refusals, table
from tests.games.crusade.cards_played import CardRound
from tests.games.crusade.fights import Round, attack, field


def begun(position: Position, *stages: Any) -> State[Position]:
    return kernel.begin(State(position, stages)).state


# --- Morocco --------------------------------------------------------------------------------------


@pytest.mark.rule("18.1.2")
@on_and_off("18.1.2")
def test_one_african_unit_guards_morocco(facts: dict[str, Any], agreed: bool) -> None:
    guarded = begun(table(**facts), GuardOfMorocco()).position
    assert len(guarded.units_in(DISPLAY)) == 6 - agreed
    assert guarded.place_of("AFR-7") == ("removed" if agreed else DISPLAY)


@pytest.mark.rule("18.1.2")
def test_when_all_have_come_nobody_guards_morocco() -> None:
    assert guard_of_morocco(table(units={DISPLAY: ""}, **on("18.1.2"))) == ""


def due(**facts: Any) -> Position:
    """A Nationalist round in which a unit of the Army of Africa arrives."""
    return table(1, units={"cadiz": "INF-1 INF-2", "sevilla": ""}, round=2, active=N,
                 flags=frozenset({"afr_schedule"}), **facts)  # fmt: skip


@pytest.mark.rule("18.2.2")
@on_and_off("18.2.2")
def test_two_small_units_may_come_for_one(facts: dict[str, Any], agreed: bool) -> None:
    state = begun(due(**facts), Arrivals())
    order = Arrive(banderas=("sevilla", "cadiz"))
    found = [each.rule for each in kernel.violations(state, order)]
    assert found == ["18.2.2"] * (not agreed)
    if agreed:
        came = kernel.submit(state, order).state.position
        assert [came.place_of(u) for u in ("AFR-BT-1", "AFR-BT-2")] == ["sevilla", "cadiz"]
        assert len(came.units_in(DISPLAY)) == 5 and came.place_of("AFR-2") == "removed"
        again = begun(came.but(round=5), Arrivals())
        assert [each.rule for each in kernel.violations(again, order)] == ["18.2.2"]
        assert kernel.violations(again, Arrive("sevilla")) == ()


@pytest.mark.rule("18.2.2")
@pytest.mark.parametrize("place", ["sevilla", "eliminated", "removed"])
def test_once_one_of_them_has_come_neither_comes_again(place: str) -> None:
    fresh = table(1, **on("18.2.2"))
    assert banderas_may_come(fresh)
    assert not banderas_may_come(fresh.with_unit("AFR-BT-2", place))


@pytest.mark.rule("18.2.2")
@pytest.mark.parametrize("order", [
    Arrive(banderas=("cadiz", "cadiz")), Arrive(banderas=("cadiz",)),
    Arrive(banderas=("cordoba", "sevilla")), Arrive("sevilla", banderas=("sevilla", "cadiz")),
])  # fmt: skip
def test_they_land_where_there_is_room(order: Arrive) -> None:
    """Cádiz has room for one more unit."""
    position = due(**on("18.2.2"))
    assert "18.2.2" in [v.rule for v in kernel.violations(begun(position, Arrivals()), order)]


@pytest.mark.rule("18.2.2")
@pytest.mark.parametrize("more", [{"at": "sevilla"}, {"unit": "AFR-2"}])
def test_they_come_instead_of_the_unit_that_is_due(more: dict[str, str]) -> None:
    order = Arrive(banderas=("sevilla", "cadiz"), **more)
    (found,) = kernel.violations(begun(due(**on("18.2.2")), Arrivals()), order)
    assert str(found.message) == "they arrive instead of the unit that is due"


@pytest.mark.rule("18.2.2", "8.5.2.5", "8.5.2.5/a", "11.3.5.2")
def test_they_are_of_the_army_of_africa_for_all_purposes() -> None:
    """They pay for a corps as the Army of Africa does, and like it stand in for none."""
    reserve = table(8, bare=True, units={"reserve": "AFR-BT-1"}, **on("18.2.2"))
    assert removable(reserve, "N22") == ("AFR-BT-1",)
    assert reserve.type_of("AFR-BT-1").kind == "AFR"
    assert spares(reserve, N) == ()


@pytest.mark.rule("8.5.2.5", "8.5.2.5/a", "8.5.2.5/b")
@pytest.mark.parametrize("card, unit", [("N19", "N-MIL-1"), ("R19", "R-MIL-1")])
def test_nobody_pays_for_a_corps_with_units_of_the_enemy(card: str, unit: str) -> None:
    position = table(8, bare=True, units={"reserve": "N-MIL-1 R-MIL-1"})
    assert removable(position, card) == (unit,)


# --- elites ---------------------------------------------------------------------------------------


@pytest.mark.rule("18.1.6")
@on_and_off("18.1.6")
def test_militia_become_elite_divisions(facts: dict[str, Any], agreed: bool) -> None:
    position = table(5, units={"madrid": "R-MIL-1"}, **facts)
    kind = "RPA-ELITE" if agreed else "RPA"
    assert {position.type_of(unit).id for unit in regulars_in_the_box(position)} == {kind}
    state = begun(position, Militarization(5))
    made = kernel.submit(state, Militarize("R-MIL-1")).state.position
    assert made.type_of(made.units_in("madrid")[0]).id == kind


@pytest.mark.rule("18.1.6")
def test_an_elite_division_is_one_of_the_popular_army() -> None:
    position = table(8, units={"reserve": "RPA-ELITE-1"}, **on("18.1.6"))
    assert "RPA-ELITE-1" in removable(position, "R19")
    assert landing_divisions(position) == ("RPA-ELITE-1",)
    lacking = dict(missing_reserves(position, R))
    short = [count for types, count in lacking.items() if "RPA" in types]
    assert short == [3]
    groups = heir_groups(position.type_of("R-I"))
    assert [each.unit for each in possible_heirs(groups, spares(position, R))] == ["RPA-ELITE-1"]


# --- the captured tank ----------------------------------------------------------------------------


@pytest.mark.rule("18.2.4")
@on_and_off("18.2.4")
def test_the_second_of_two_cards_may_bring_the_captured_t26(
    facts: dict[str, Any], agreed: bool
) -> None:
    """The example of 18.2.4: R12 was played, then N24 comes."""
    before = table(8, played=frozenset({"R12"}), **facts)
    stages = after_event(before, N, "N24")
    assert stages == ((CapturedTank(("CV-33-1", "PZ-I-1")),) if agreed else ())
    assert after_event(before.but(played=frozenset()), N, "N24") == ()


@pytest.mark.rule("18.2.4")
def test_it_takes_the_place_and_the_strength_of_the_other() -> None:
    position = table(8, units={"sevilla": "(PZ-I-1)", "reserve": "CV-33-1"}, **on("18.2.4"))
    state = begun(position, CapturedTank(("CV-33-1", "PZ-I-1")))
    asked = kernel.waits_for(state)
    assert isinstance(asked, Decision) and asked.default == Done() and asked.optional
    assert refusals(state.agenda[-1], position, Exchange("INF-1")) == ["18.2.4"]
    made = kernel.submit(state, Exchange("PZ-I-1")).state.position
    assert made.units_in("sevilla") == ("T-26-NAT",) and made.is_reduced("T-26-NAT")
    assert made.place_of("PZ-I-1") == "removed" and made.place_of("CV-33-1") == "reserve"
    assert kernel.submit(state, Done()).state.position == position


@pytest.mark.rule("18.2.4")
def test_russian_tanks_played_second_exchange_what_is_in_play() -> None:
    units = {"sevilla": "PZ-I-1", "eliminated": "CV-33-1", "removed": "CV-33-2"}
    before = table(5, units=units, played=frozenset({"N24"}), **on("18.2.4"))
    assert after_event(before, R, "R12") == (CapturedTank(("CV-33-1", "PZ-I-1")),)
    used = before.with_unit("T-26-NAT", "reserve")
    assert after_event(used, R, "R12") == ()


@pytest.mark.rule("18.2.4")
def test_of_what_the_card_brings_one_of_each_kind_is_offered() -> None:
    """Who is in play already is not what N24 brings, and no other card exchanges anything."""
    both = frozenset({"R12", "N24"})
    here = table(8, units={"sevilla": "CV-33-1"}, played=frozenset({"R12"}), **on("18.2.4"))
    assert exchangeable(here, "N24") == ("CV-33-2", "PZ-I-1")
    italian = [u for u in here.counters if here.type_of(u).id == "CV-33"]
    assert exchangeable(table(8, units={"sevilla": " ".join(italian)}, played=frozenset({"R12"}),
                              **on("18.2.4")), "N24") == ("PZ-I-1",)  # fmt: skip
    assert exchangeable(here.but(played=both), "N25") == ()
    assert exchangeable(here.but(played=both), "R12") == ("CV-33-1",)


# --- armored corps --------------------------------------------------------------------------------

TANKS: dict[Any, dict[str, str]] = {
    R: {"toledo": "T-26-1", "reserve": "(T-26-2)", "eliminated": "T-26-3", "removed": "T-26-4"},
    N: {"talavera": "CV-33-1", "reserve": "(PZ-I-1)", "eliminated": "CV-33-2", "removed": "PZ-I-2"},
}
SPACE = {R: "toledo", N: "talavera"}
CORPS = {R: "R-RAC", N: "N-NARC"}
CARD = {R: "R26", N: "N24"}
RULE = {R: "18.4.1.1", N: "18.4.1.2"}
SIDES = pytest.mark.parametrize("side", [
    pytest.param(R, marks=pytest.mark.rule("18.4.1.1")),
    pytest.param(N, marks=pytest.mark.rule("18.4.1.2")),
])  # fmt: skip


def tanks(side: Side, **facts: Any) -> Position:
    hold = {"republican": ["toledo"]} if side == R else {"nationalist": ["talavera"]}
    return table(8, units=TANKS[side], **hold, **facts)


@SIDES
def test_tanks_may_become_a_corps(side: Side) -> None:
    position = tanks(side, **on(RULE[side]))
    stages = after_event(position, side, CARD[side])
    assert stages == (ArmoredCorps(side),)
    state = begun(position, *stages)
    made = kernel.submit(state, Deploy(CORPS[side], SPACE[side])).state.position
    assert made.units_in(SPACE[side]) == (CORPS[side],)
    strongest = TANKS[side][SPACE[side]]
    assert made.place_of(strongest) == "reserve"
    others = {u.strip("()") for each in TANKS[side].values() for u in each.split()} - {strongest}
    assert {made.place_of(unit) for unit in others} == {"removed"}


@SIDES
def test_it_may_come_after_any_later_event_too(side: Side) -> None:
    # reading: 18.4.1
    position = tanks(side, **on(RULE[side]))
    later = {R: "R1", N: "N15"}[side]
    assert after_event(position, side, later) == ()
    enabled = position.but(played=frozenset({CARD[side]}))
    assert after_event(enabled, side, later) == (ArmoredCorps(side),)
    assert after_event(enabled, {R: N, N: R}[side], later) == ()
    assert after_event(enabled.but(options=frozenset()), side, later) == ()
    come = enabled.with_unit(CORPS[side], "eliminated")
    assert begun(come, *after_event(come, side, later)).agenda == ()


@pytest.mark.rule("18.4.1.2")
def test_the_tanks_of_a_later_event_make_the_corps() -> None:
    """N24 before N15: the fourth tank comes with the second of them."""
    game = CardRound(N, "N24", options=frozenset({"18.4.1.2", "open_hands"}))
    while game.question:
        assert game.question != "armored corps"
        game.default()
    facts = {"counters": game.position.counters, "played": game.position.played | {"N2"}}
    game = CardRound(N, "N15", options=game.position.options, **facts)
    while game.question and game.question != "armored corps":
        game.default()
    assert game.question == "armored corps"


@SIDES
def test_its_owner_chooses_the_tank_that_stays(side: Side) -> None:
    position = tanks(side, **on(RULE[side]))
    stage = ArmoredCorps(side)
    every = {u.strip("()") for each in TANKS[side].values() for u in each.split()}
    for stays in sorted(every):
        state = begun(position, stage)
        order = Deploy(CORPS[side], SPACE[side], to_reserve=stays)
        assert kernel.violations(state, order) == ()
        made = kernel.submit(state, order).state.position
        assert made.place_of(stays) == "reserve"
        assert made.is_reduced(stays) is position.is_reduced(stays)
        assert {made.place_of(unit) for unit in every - {stays}} == {"removed"}
    stranger = Deploy(CORPS[side], SPACE[side], to_reserve="INF-1")
    assert refusals(stage, position, stranger) == [RULE[side]]


@SIDES
def test_without_the_option_they_do_not(side: Side) -> None:
    assert after_event(tanks(side), side, CARD[side]) == ()
    assert armored_spaces(tanks(side), side) == ()


@SIDES
def test_it_comes_in_at_its_tanks_or_a_depot(side: Side) -> None:
    position = tanks(side, **on(RULE[side]))
    spaces = armored_spaces(position, side)
    depots = {R: {"toledo", "madrid", "valencia"}, N: {"talavera", "cadiz", "la_coruna"}}
    assert depots[side] <= set(spaces)
    inland = {R: "albacete", N: "salamanca"}[side]
    stage = ArmoredCorps(side)
    assert refusals(stage, position, Deploy(CORPS[side], inland)) == [RULE[side]]
    assert refusals(stage, position, Deploy("INF-1", SPACE[side])) == [RULE[side]]


@SIDES
def test_a_full_depot_takes_no_corps(side: Side) -> None:
    depot = {R: "valencia", N: "cadiz"}[side]
    three = {R: "RPA-1 RPA-2 RPA-3", N: "INF-1 INF-2 INF-3"}[side]
    position = tanks(side, **on(RULE[side]))
    for unit in three.split():
        position = position.with_unit(unit, depot)
    assert depot not in armored_spaces(position, side)


@SIDES
def test_three_tanks_are_its_price(side: Side) -> None:
    position = tanks(side, **on(RULE[side]))
    lacking = {R: "T-26-4", N: "PZ-I-2"}[side]
    assert armored_spaces(position.with_unit(lacking, "pool"), side) == ()


@SIDES
def test_one_side_may_have_to_wait(side: Side) -> None:
    first = {R: N, N: R}[side]
    position = tanks(side, **on("18.4.1.1", "18.4.1.2", f"18.4.1/{first}"))
    assert armored_spaces(position, side) == ()
    other = PLANS[first].corps
    for place in (position.spaces_of(first)[0], "eliminated", "removed"):
        assert armored_spaces(position.with_unit(other, place), side) != ()


@pytest.mark.rule("18.4.1.2")
def test_the_captured_t26_is_the_one_that_stays() -> None:
    position = tanks(N, **on("18.4.1.2", "18.2.4")).with_unit("T-26-NAT", "caceres", reduced=True)
    state = begun(position, ArmoredCorps(N))
    other = Deploy("N-NARC", "caceres", to_reserve="CV-33-1")
    assert [each.rule for each in kernel.violations(state, other)] == ["18.4.1.2"]
    made = kernel.submit(state, Deploy("N-NARC", "caceres")).state.position
    assert made.place_of("T-26-NAT") == "reserve" and made.is_reduced("T-26-NAT")
    assert made.place_of("CV-33-1") == "removed"


@pytest.mark.rule("18.4.1.1", "18.4.1.2")
@pytest.mark.parametrize("fort", ["", "position", "trench"])
@pytest.mark.parametrize("reduced", [False, True])
def test_the_corps_claims_its_modifier_against_works_too(fort: str, reduced: bool) -> None:
    from dataclasses import replace

    from pbem.games.crusade.position import Fort

    forts = {"merida": Fort(fort, N)} if fort else {}
    position = field(8, zafra="(R-RAC)" if reduced else "R-RAC", merida="INF-1", forts=forts)
    fought = Round(position, R, "zafra")
    order = replace(attack("merida", zafra="R-RAC"), armor="R-RAC")
    assert fought.faults(order) == []


@pytest.mark.rule("18.4.1.1", "18.4.1.2")
@pytest.mark.parametrize("space, near", [("somosierra", "guadalajara"), ("madrid", "guadalajara")])
def test_but_not_against_mountains_and_cities(space: str, near: str) -> None:
    from dataclasses import replace

    position = field(8, **{near: "N-NARC", space: "R-MIL-1"})
    fought = Round(position, N, near)
    order = replace(attack(space, **{near: "N-NARC"}), armor="N-NARC")
    assert fought.faults(order) == ["16.6.2/a"]


@pytest.mark.rule("18.4.1.1")
def test_a_tank_of_the_reserve_replaces_the_dead_corps_first() -> None:
    position = table(8, units={"reserve": "(T-26-1) RPA-1 R-MIL-1"})
    groups = heir_groups(position.type_of("R-RAC"))
    assert [each.unit for each in possible_heirs(groups, spares(position, R))] == ["T-26-1"]
    bare = position.with_unit("T-26-1", "removed")
    found = {each.unit for each in possible_heirs(groups, spares(bare, R))}
    assert found == {"RPA-1", "R-MIL-1"}


def test_who_says_nothing_keeps_their_tanks() -> None:
    asked = kernel.waits_for(begun(tanks(R, **on("18.4.1.1")), ArmoredCorps(R)))
    assert isinstance(asked, Decision) and asked.default == Done() and asked.optional
