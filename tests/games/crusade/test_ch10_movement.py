"""10.1: stacks that move, with stacking (9.1) and the Northern Front (16.4)."""

from __future__ import annotations

import pytest

from pbem.engine.kernel import begin, submit, waits_for
from pbem.engine.model import State
from pbem.games.crusade import events as e
from pbem.games.crusade.orders import Done, Move
from pbem.games.crusade.rules.movement import can_walk_home, within_reach
from pbem.games.crusade.stages.operations import Movement
from tests.games.crusade.board import STARTS, N, R, refusals, table

CAMPAIGN = STARTS["campaign"]


def moving(side, *move, attack=(), position=CAMPAIGN, **done):
    enemy = R if side == N else N
    return Movement(side, move, attack, frozenset(position.spaces_of(enemy)), **done)


def refused(units, path, side=N, position=CAMPAIGN, move=None, **how):
    """The rules against units that move along a path, both written as in a list of words."""
    order = Move(tuple(units.split()), tuple(path.split()))
    marked = move or order.path[:1]
    return refusals(moving(side, *marked, position=position, **how), position, order)


def moved(state, units, path):
    return submit(state, Move(tuple(units.split()), tuple(path.split())))


@pytest.mark.rule("10.1.1", "10.1.2")
def test_a_stack_walks_together_and_leaves_the_others():
    assert refused("N-POL-4 INF-15", "sevilla utrera") == []
    state = begin(State(CAMPAIGN, (moving(N, "sevilla"),))).state
    happened = moved(state, "N-POL-4 INF-15", "sevilla utrera")
    assert happened.events == (e.StackMoved(("N-POL-4", "INF-15"), ("sevilla", "utrera")),)
    assert happened.state.position.units_in("utrera") == ("INF-15", "N-POL-4")
    assert happened.state.position.units_in("sevilla") == ("AFR-1",)


@pytest.mark.rule("10.1.10")
def test_the_stacks_of_a_space_may_go_different_ways():
    state = begin(State(CAMPAIGN, (moving(N, "sevilla"),))).state
    state = moved(state, "N-POL-4", "sevilla utrera").state
    state = moved(state, "INF-15", "sevilla ecija").state
    assert waits_for(state).stage == "movement"
    assert moved(state, "AFR-1", "sevilla huelva").state.agenda == ()


@pytest.mark.rule("2.2.1")
@pytest.mark.parametrize("units", ["", "INF-99", "R-MIL-15", "INF-15 INF-15"])
def test_a_stack_is_of_own_units_each_named_once(units):
    assert refused(units, "sevilla utrera") == ["2.2.1"]


@pytest.mark.rule("10.1.4")
def test_a_path_names_spaces_of_the_map():
    assert refused("INF-15", "sevilla nowhere") == ["10.1.4"]
    assert refused("INF-15", "sevilla") == ["10.1.4"]


@pytest.mark.rule("10.1.1")
def test_units_of_two_spaces_are_no_stack():
    assert refused("INF-15 N-MIL-7", "sevilla utrera", move=("sevilla", "ecija")) == ["10.1.1"]


@pytest.mark.rule("8.2.3", "10.1.1")
def test_only_stacks_of_spaces_marked_for_movement_move():
    assert refused("INF-15", "sevilla utrera", move=("lugo",)) == ["8.2.3"]
    assert refused("INF-15", "sevilla utrera", move=("lugo",), attack=("sevilla",)) == ["8.2.3"]


@pytest.mark.rule("10.1.6", "10.2.1")
def test_a_unit_moves_once_and_not_if_it_builds():
    assert refused("INF-15", "sevilla utrera", moved=frozenset({"INF-15"})) == ["10.1.6"]
    assert refused("INF-15", "sevilla utrera", diggers=(("sevilla", "INF-15"),)) == ["10.2.1"]
    assert refused("N-POL-4", "sevilla utrera", diggers=(("sevilla", "INF-15"),)) == []


@pytest.mark.rule("10.1.4", "10.1.5")
@pytest.mark.parametrize("path", ["sevilla cadiz", "sevilla utrera cordoba", "sevilla mallorca"])
def test_each_step_goes_to_a_neighbour(path):
    assert refused("INF-15", path) == ["10.1.4"]


@pytest.mark.rule("10.1.3")
def test_the_slowest_unit_sets_the_pace():
    position = table(units={"sevilla": "INF-15 CAV-7"}, bare=True)
    three, four = "sevilla ecija cordoba ecija", "sevilla ecija cordoba ecija utrera"
    assert refused("INF-15", three, position=position) == []
    assert refused("INF-15", four, position=position) == ["10.1.3"]
    assert refused("CAV-7", four, position=position) == []
    assert refused("CAV-7 INF-15", four, position=position) == ["10.1.3"]


@pytest.mark.rule("10.1.7", "9.1.3")
def test_no_step_enters_a_space_with_enemy_units():
    assert refused("INF-15", "sevilla riotinto") == ["10.1.7"]
    assert refused("INF-15", "sevilla riotinto huelva") == ["10.1.7"]


@pytest.mark.rule("10.1.12")
def test_two_spaces_of_the_enemy_are_the_most_of_one_move():
    empty = table(bare=True, units={"sevilla": "CAV-7"})
    assert refused("CAV-7", "sevilla santa_olalla zafra", position=empty) == []
    assert refused("CAV-7", "sevilla santa_olalla zafra merida", position=empty) == ["10.1.12"]
    assert refused("CAV-7", "sevilla riotinto santa_olalla riotinto sevilla", position=empty) == []


@pytest.mark.rule("10.1.12")
def test_what_another_stack_took_in_this_round_still_counts():
    empty = table(bare=True, units={"sevilla": "CAV-7"})
    stage = moving(N, "sevilla", position=empty)
    now = table(bare=True, units={"sevilla": "CAV-7"}, nationalist=("santa_olalla", "zafra"))
    order = Move(("CAV-7",), ("sevilla", "santa_olalla", "zafra", "merida"))
    assert refusals(stage, now, order) == ["10.1.12"]


@pytest.mark.rule("10.1.11")
def test_a_space_marked_for_combat_is_passed_and_not_ended_in():
    marks = {"attack": ("ecija",)}
    assert refused("N-POL-4", "sevilla ecija", **marks) == ["10.1.11"]
    assert refused("N-POL-4", "sevilla ecija utrera", **marks) == []


@pytest.mark.rule("9.1.1", "10.1.9")
def test_three_units_are_the_most_at_the_end_of_a_move():
    position = table(units={"sevilla": "INF-15 N-POL-4 AFR-1", "ecija": "N-MIL-7 INF-18"})
    assert refused("N-POL-4", "sevilla ecija", position=position) == []
    assert refused("N-POL-4 AFR-1", "sevilla ecija", position=position) == ["9.1.1"]
    full = table(units={"sevilla": "INF-15", "ecija": "N-MIL-7 INF-18 N-POL-4"})
    assert refused("INF-15", "sevilla ecija utrera", position=full) == []


@pytest.mark.rule("10.1.2", "3.0.control")
def test_the_ground_that_is_walked_over_changes_hands():
    empty = table(bare=True, units={"sevilla": "CAV-7"})
    state = begin(State(empty, (moving(N, "sevilla", position=empty),))).state
    position = moved(state, "CAV-7", "sevilla santa_olalla zafra").state.position
    assert position.controls(N, "santa_olalla") and position.controls(N, "zafra")


@pytest.mark.rule("10.1.1")
def test_nobody_needs_to_move():
    state = begin(State(CAMPAIGN, (moving(N, "sevilla"),))).state
    assert submit(state, Done()).events == ()


# --- the Northern Front (16.4) --------------------------------------------------------------------


@pytest.mark.rule("16.4.2.1", "16.4.2.2")
def test_of_two_asturians_one_may_walk_into_santander():
    position = table(units={"cangas_de_onis": "MIL-AST-1 MIL-AST-2"})
    road = "cangas_de_onis san_vicente"
    assert refused("MIL-AST-1", road, R, position) == []
    assert refused("MIL-AST-1 MIL-AST-2", road, R, position) == ["16.4.2.2", "16.4.2.2"]


@pytest.mark.rule("16.4.2.4")
def test_a_guest_too_many_goes_home_if_it_can():
    position = table(units={"san_vicente": "MIL-AST-1 MIL-AST-2"})
    assert refused("MIL-AST-1", "san_vicente santander", R, position) == ["16.4.2.4"]
    assert refused("MIL-AST-1", "san_vicente cangas_de_onis", R, position) == []
    assert can_walk_home(None, position, "MIL-AST-1")


@pytest.mark.rule("16.4.2.4")
def test_a_guest_too_many_stays_if_home_is_far_or_full():
    far = table(units={"santona": "MIL-AST-1", "orduna": "MIL-AST-2"})
    assert not can_walk_home(None, far, "MIL-AST-2")
    assert refused("MIL-AST-2", "orduna bilbao", R, far) == []
    assert not can_walk_home(None, CAMPAIGN, "MIL-AST-1")


@pytest.mark.rule("16.4.2.4", "10.1.7")
def test_reach_ends_at_the_enemy():
    position = table(bare=True, units={"segovia": "CAV-4", "guadarrama": "R-MIL-7"})
    reach = within_reach(position, "CAV-4")
    assert "avila" in reach and "somosierra" in reach
    assert "guadarrama" not in reach and "segovia" not in reach
