"""Chapter 18: Plan P by a die, the Nationalist landing and Mallorca again, with and without."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, State, Unfolding
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.orders import Activate, Advance, Done, Land, Play
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.engagement import boost_of
from pbem.games.crusade.rules.ground import enter_spaces
from pbem.games.crusade.rules.landing import landing_coasts
from pbem.games.crusade.rules.options_landing import is_coast, mallorca_is_open
from pbem.games.crusade.rules.supply import is_supplied
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.event_operations import Prize
from pbem.games.crusade.stages.event_units import PlanP
from pbem.games.crusade.stages.landing import (
    Disembarkation,
    FleetOrder,
    operations_of_card,
    plan_p_stage,
)
from tests.bots import ScriptedDice
from tests.games.crusade.agreed import on, on_and_off
from tests.games.crusade.board import N, R, refusals, table
from tests.games.crusade.fights import Round, attack

# --- coasts ---------------------------------------------------------------------------------------


@pytest.mark.rule("3.0.coastal")
def test_only_the_list_of_the_first_edition_leaves_huelva_out() -> None:
    agreed = table(options=frozenset({"1e", "Q65"}))
    assert not is_coast(agreed, "huelva") and is_coast(agreed, "cadiz")
    assert is_coast(table(options=frozenset({"1e"})), "huelva")
    assert is_coast(table(**on("Q65")), "huelva")


@pytest.mark.rule("18.3.7")
@on_and_off("18.3.7")
def test_mallorca_is_open_to_who_does_not_hold_it(facts: dict[str, Any], agreed: bool) -> None:
    assert mallorca_is_open(table(**facts), R) is agreed
    assert not mallorca_is_open(table(republican=["mallorca"], **facts), R)


# --- Plan P by a die ------------------------------------------------------------------------------


def coast(**facts: Any) -> Position:
    """An empty Nationalist Almería near Cartagena, and a division for it."""
    units = {"reserve": "RPA-1 INF-1", "almeria": ""}
    return table(12, units=units, nationalist=["almeria"], **facts)


@pytest.mark.rule("18.2.11")
@on_and_off("18.2.11")
def test_a_die_decides_whether_the_fleet_sails(facts: dict[str, Any], agreed: bool) -> None:
    assert plan_p_stage(coast(**facts), R) == (FleetOrder(R) if agreed else PlanP(R))


@pytest.mark.rule("18.2.11")
@pytest.mark.parametrize("played, rm, drm", [
    ("", 20, 1), ("N6", 20, 0), ("N6 N49", 20, -1), ("N6 N49 R48", 20, 0), ("R48", 20, 2),
    ("N6 N49", 10, -2), ("N6", 11, 0),
])  # fmt: skip
@pytest.mark.parametrize("die", [1, 3, 4, 6])
def test_what_favours_the_landing(played: str, rm: int, drm: int, die: int) -> None:
    position = coast(played=frozenset(played.split()), rm=rm, **on("18.2.11"))
    state = kernel.begin(State(position, (FleetOrder(R),))).state
    step = kernel.roll(state, ScriptedDice(die))
    assert step.events[0] == rare.LandingRolled(die, die + drm, die + drm > 3)
    stage = step.state.agenda[-1]
    assert isinstance(stage, PlanP if die + drm > 3 else Activation)


@pytest.mark.rule("18.2.11")
def test_without_a_landing_the_card_is_for_operations() -> None:
    state = kernel.begin(State(coast(**on("18.2.11")), (FleetOrder(R),))).state
    left = kernel.roll(state, ScriptedDice(1)).state
    assert left.agenda == (Activation(R, left.position.card("R50").ops),)
    assert "operations_republican_R50" in left.position.turn_marks


# --- the Nationalist landing ----------------------------------------------------------------------

SAILED = {"played": frozenset({"N6", "N49"}), "flags": frozenset({"strait_nationalist"})}
BEACH = "beach_head_nationalist"


def off_catalonia(turn: int = 12, **facts: Any) -> Position:
    """The Nationalists stand at Vinaroz, and the fleet is free."""
    units = {"reserve": "INF-1 (MIL-NAV-1) N-MIL-1", "vinaroz": "INF-2"}
    told: dict[str, Any] = {**SAILED, **facts}
    return table(turn, units=units, nationalist=["vinaroz", "teruel", "morella"], **told)


def stage_of(position: Position) -> Any:
    return operations_of_card(position, N, 3)


@pytest.mark.rule("18.2.12")
@on_and_off("18.2.12")
def test_a_card_for_operations_may_begin_with_a_landing(
    facts: dict[str, Any], agreed: bool
) -> None:
    position = off_catalonia(**facts)
    assert landing_coasts(position, N) != ()
    assert stage_of(position) == (Disembarkation(N, 3) if agreed else Activation(N, 3))
    assert stage_of(off_catalonia(11, **facts)) == Activation(N, 3)
    before = off_catalonia(**{**facts, "played": frozenset({"N6"})})
    assert stage_of(before) == Activation(N, 3)
    assert operations_of_card(position, R, 3) == Activation(R, 3)


def landed(**facts: Any) -> State[Position]:
    position = off_catalonia(**on("18.2.12"), **facts)
    state = kernel.begin(State(position, (Disembarkation(N, 3),))).state
    return kernel.submit(state, Land("MIL-NAV-1", landing_coasts(position, N)[0])).state


@pytest.mark.rule("18.2.12", "18.2.12/b")
def test_it_costs_a_point_and_waits_for_the_next_round() -> None:
    state = landed()
    assert state.position.units_in(BEACH) == ("MIL-NAV-1",)
    assert state.position.is_reduced("MIL-NAV-1")
    assert is_supplied(state.position, N, BEACH)
    stage = state.agenda[-1]
    assert isinstance(stage, Activation) and stage.points == 2
    assert refusals(stage, state.position, Activate(attack=(BEACH,))) == ["18.2.12/b"]
    assert refusals(stage, state.position, Activate(move=("vinaroz",))) == []


@pytest.mark.rule("18.2.12")
def test_it_happens_once() -> None:
    after = landed().position
    assert stage_of(after.with_unit("INF-1", "reserve")) == Activation(N, 3)
    gone = rare.BeachHeadRemoved(BEACH).apply(after.with_unit("MIL-NAV-1", "reserve"))
    assert stage_of(gone) == Activation(N, 3)


@pytest.mark.rule("18.2.12/a")
@pytest.mark.parametrize("unit, space", [
    ("N-MIL-1", ""), ("R-MIL-1", ""), ("INF-1", "cartagena"), ("INF-1", "madrid"),
])  # fmt: skip
def test_infantry_and_navarre_land_near_their_lines(unit: str, space: str) -> None:
    position = off_catalonia(**on("18.2.12"))
    order = Land(unit, space or landing_coasts(position, N)[0])
    assert refusals(Disembarkation(N, 3), position, order) == ["18.2.12/a"]


@pytest.mark.rule("18.2.12/a")
def test_it_may_be_on_either_coast() -> None:
    position = table(12, units={"reserve": "INF-1"}, **SAILED, **on("18.2.12"))
    coasts = {position.space(space).coast for space in landing_coasts(position, N)}
    assert "atlantic" in coasts


@pytest.mark.rule("18.2.12/a")
def test_nobody_lands_where_the_enemy_has_landed() -> None:
    position = coast()
    assert "almeria" in landing_coasts(position)
    beside = position.but(beach_heads={BEACH: "almeria"}).with_control(BEACH, N)
    assert "almeria" not in landing_coasts(beside)


@pytest.mark.rule("18.2.12")
def test_both_sides_may_have_a_beach_head() -> None:
    from pbem.games.crusade.stages.round import PlayCard

    hand = {R: ["R50"]}
    position = coast(hand=hand).but(beach_heads={BEACH: "valencia"}).with_control(BEACH, N)
    assert refusals(PlayCard(R), position, Play("R50", "event")) == []


@pytest.mark.rule("18.2.12")
def test_republicans_who_enter_it_end_it() -> None:
    position = landed().position.with_unit("MIL-NAV-1", "reserve")
    target = position.beach_heads[BEACH]
    position = position.with_unit("R-MIL-1", BEACH)
    story: Unfolding[Position] = Unfolding(position)
    enter_spaces(story, (BEACH,), R)
    assert story.position.beach_heads == {}
    assert story.position.place_of("R-MIL-1") == target


@pytest.mark.rule("18.3.8")
@on_and_off("18.3.8")
def test_its_loss_lifts_the_morale_of_the_republic(facts: dict[str, Any], agreed: bool) -> None:
    position = landed().position.but(**({"options": frozenset()} | facts))
    position = position.with_unit("MIL-NAV-1", "reserve").with_unit("R-MIL-1", BEACH)
    story: Unfolding[Position] = Unfolding(position)
    enter_spaces(story, (BEACH,), R)
    assert story.position.rm - position.rm == agreed


@pytest.mark.rule("18.2.12")
def test_who_does_not_land_has_all_their_points() -> None:
    state = kernel.begin(State(off_catalonia(**on("18.2.12")), (Disembarkation(N, 3),))).state
    asked = kernel.waits_for(state)
    assert isinstance(asked, Decision) and asked.default == Done() and asked.optional
    assert kernel.submit(state, Done()).state.agenda == (Activation(N, 3),)


@pytest.mark.rule("18.2.12")
@pytest.mark.parametrize("ops, left", [(1, None), (2, 1), (3, 2)])
def test_the_other_points_are_left_after_a_landing(ops: int, left: int | None) -> None:
    position = off_catalonia(**on("18.2.12"))
    state = kernel.begin(State(position, (Disembarkation(N, ops),))).state
    after = kernel.submit(state, Land("INF-1", landing_coasts(position, N)[0])).state
    rest = () if left is None else (Activation(N, left, closed=(BEACH,)),)
    assert after.agenda == rest


# --- the bonus of a counterattack ---------------------------------------------------------------


@pytest.mark.rule("8.5.5.4", "8.5.5.5", "18.2.12", "18.3.8")
@pytest.mark.parametrize("options", [("18.2.12",), ("18.2.12", "18.3.8")])
def test_a_beach_head_that_is_gone_wins_no_bonus(options: tuple[str, ...]) -> None:
    # reading: 8.5.5.4
    facts = {"beach_heads": {BEACH: "tarragona"}, "units": {"tarragona": "R-I R-II"}}
    position = table(14, bare=True, rm=12, options=frozenset(options), **facts)
    position = position.with_control(BEACH, N).with_unit("INF-1", BEACH, True)
    fought = Round(position, R, "tarragona", boost=boost_of(position, "R33"))
    fought.say(attack(BEACH, losses="corps", tarragona="R-I R-II")).roll(4, 1)
    fought.say(Advance(("R-I", "R-II"), (BEACH,)))
    over = kernel.begin(State(fought.position, (Prize(R, "R33"),))).state.position
    assert over.beach_heads == {} and over.bonuses == {}
    assert over.rm == 12 + ("18.3.8" in options)


# --- Mallorca -------------------------------------------------------------------------------------


@pytest.mark.rule("18.3.7")
@on_and_off("18.3.7")
def test_later_landings_may_be_in_mallorca(facts: dict[str, Any], agreed: bool) -> None:
    assert ("mallorca" in landing_coasts(coast(**facts))) is agreed
    won = table(12, republican=["mallorca"], units={"mallorca": ""}, **facts)
    assert "mallorca" not in landing_coasts(won)
    further = set(landing_coasts(won, N)) - set(landing_coasts(won.but(options=frozenset()), N))
    assert further == ({"mallorca"} if agreed else set())
