"""10.1: stacks that move, with stacking (9.1) and the Northern Front (16.4)."""

from __future__ import annotations

import random

import pytest

from pbem.engine.choices import every
from pbem.engine.kernel import begin, submit, violations, waits_for
from pbem.engine.model import State
from pbem.games.crusade import events as e
from pbem.games.crusade.orders import Done, Fortify, Move, Remove
from pbem.games.crusade.position import ELIMINATED
from pbem.games.crusade.rules.movement import can_walk_home
from pbem.games.crusade.rules.round_end import stuck_in_movement, too_full, walks
from pbem.games.crusade.stages.operations import Movement
from tests.bots import legal_samples
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
    (found,) = moving(N, "sevilla").check(CAMPAIGN, Move(("INF-15",), ("sevilla",)))
    assert str(found.hint) == "write path: [sevilla, ...]"
    for there, hint in (("utrera", "[sevilla, utrera]"), ("leon", "[sevilla, ..., leon]")):
        (found,) = moving(N, "sevilla").check(CAMPAIGN, Move(("INF-15",), (there,)))
        assert str(found.hint) == f"write path: {hint}", "nothing that would be refused again"


@pytest.mark.rule("10.1.1")
def test_units_of_two_spaces_are_no_stack():
    assert refused("INF-15 N-MIL-7", "sevilla utrera", move=("sevilla", "ecija")) == ["10.1.1"]


def blamed(units, path, side=N, position=CAMPAIGN, move=None, **how):
    """Where in the order the first mistake is."""
    order = Move(tuple(units.split()), tuple(path.split()))
    stage = moving(side, *(move or order.path[:1]), position=position, **how)
    return next(iter(stage.check(position, order))).at


@pytest.mark.rule("8.2.3", "10.1.5", "10.1.7", "10.1.11", "10.1.12", "9.1.2")
def test_a_refusal_points_at_the_word_that_is_wrong():
    assert blamed("INF-15", "sevilla utrera", move=("lugo",)) == ("path", 0)
    assert blamed("INF-15 N-POL-4", "utrera ecija") == ("path", 0)
    assert blamed("INF-15", "utrera ecija") == ("units", 0)
    assert blamed("INF-15", "sevilla cadiz") == ("path", 1)
    assert blamed("INF-15", "sevilla utrera cordoba") == ("path", 2)
    assert blamed("INF-15", "sevilla riotinto") == ("path", 1)
    assert blamed("INF-15", "sevilla huelva riotinto") == ("path", 2)
    assert blamed("N-POL-4", "sevilla ecija", attack=("ecija",)) == ("path", 1)
    empty = table(bare=True, units={"sevilla": "CAV-7"})
    assert blamed("CAV-7", "sevilla santa_olalla zafra merida", position=empty) == ("path", 3)
    full = table(bare=True, units=FULL)
    assert blamed("INF-1", "valladolid zamora", position=full) == ("path", 1)


@pytest.mark.rule("8.2.3", "10.1.1")
def test_only_stacks_of_spaces_marked_for_movement_move():
    assert refused("INF-15", "sevilla utrera", move=("lugo",)) == ["8.2.3"]
    assert refused("INF-15", "sevilla utrera", move=("lugo",), attack=("sevilla",)) == ["8.2.3"]


@pytest.mark.rule("10.1.6", "10.2.1/b")
def test_a_unit_moves_once_and_not_if_it_builds():
    assert refused("INF-15", "sevilla utrera", moved=frozenset({"INF-15"})) == ["10.1.6"]
    assert refused("INF-15", "sevilla utrera", diggers=(("sevilla", "INF-15"),)) == ["10.2.1/b"]
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


# --- stacking sleeps while units move (9.1.2) ----------------------------------------------------


@pytest.mark.rule("9.1.1", "9.1.2", "10.1.9")
def test_three_units_are_the_most_at_the_end_of_a_move():
    position = table(units={"sevilla": "INF-15 N-POL-4 AFR-1", "ecija": "N-MIL-7 INF-18"})
    assert refused("N-POL-4", "sevilla ecija", position=position) == []
    assert refused("N-POL-4 AFR-1", "sevilla ecija", position=position) == ["9.1.2"]
    full = table(units={"sevilla": "INF-15", "ecija": "N-MIL-7 INF-18 N-POL-4"})
    assert refused("INF-15", "sevilla ecija utrera", position=full) == []


FULL = {"valladolid": "INF-1 INF-2 INF-3", "zamora": "INF-4 INF-5 INF-6"}


def rules(state, order):
    return [found.rule for found in violations(state, order)]


@pytest.mark.rule("9.1.2")
def test_full_spaces_are_named_in_map_order():
    rank = CAMPAIGN.tables.map_rank
    there = ("zamora", "avila", "burgos", "valladolid", "leon")
    units = [f"INF-{n}" for n in range(1, 19)]
    crowd = {space: " ".join(units.pop() for _ in range(3)) for space in there}
    position = table(bare=True, units={**crowd, "reserve": "CAV-1 CAV-2 CAV-3 CAV-4"})
    assert too_full(position, N) == ()
    for number, space in enumerate(there, start=1):
        position = position.with_unit(f"N-MIL-{number}", space)
    assert (
        too_full(position, N) == tuple(sorted(there, key=rank.__getitem__)) != tuple(sorted(there))
    )
    assert too_full(position, R) == ()


@pytest.mark.rule("9.1.2")
def test_two_full_spaces_may_exchange_units():
    position = table(bare=True, units=FULL)
    state = begin(State(position, (moving(N, "valladolid", "zamora"),))).state
    state = moved(state, "INF-1", "valladolid zamora").state
    asked = waits_for(state)
    assert (asked.rule, asked.optional) == ("9.1.2", False) and "4 units" in str(asked.prompt)
    assert rules(state, Done()) == ["9.1.2"] and rules(state, asked.default) == []
    (found,) = violations(state, Done())
    assert str(found.hint) == "move INF-4, INF-5, INF-6 on"
    state = moved(state, "INF-4", "zamora valladolid").state
    assert waits_for(state).optional
    state = submit(state, Done()).state
    assert state.position.units_in("zamora") == ("INF-1", "INF-5", "INF-6")
    assert state.position.units_in("valladolid") == ("INF-2", "INF-3", "INF-4")


@pytest.mark.rule("9.1.2")
def test_the_first_order_without_a_legal_end_is_refused():
    position = table(bare=True, units=FULL)
    # Nobody in Zamora may move, and who has moved once does not move again.
    assert refused("INF-1", "valladolid zamora", position=position) == ["9.1.2"]
    both = ("valladolid", "zamora")
    assert refused("INF-1", "valladolid zamora", position=position, move=both) == []
    tired = frozenset({"INF-4", "INF-5", "INF-6"})
    assert refused("INF-1", "valladolid zamora", position=position, move=both, moved=tired) == [
        "9.1.2"
    ]
    # Two go over, and of the two who could come back one builds.
    builds = {"moved": frozenset({"INF-4"}), "diggers": (("zamora", "INF-5"),)}
    assert refused("INF-1 INF-2", "valladolid zamora", position=position, move=both, **builds) == [
        "9.1.2"
    ]
    assert refused("INF-1", "valladolid zamora", position=position, move=both, **builds) == []


@pytest.mark.rule("9.1.2", "10.2.1")
def test_who_must_make_room_does_not_build():
    position = table(bare=True, units=FULL)
    tired = frozenset({"INF-4", "INF-5"})
    state = State(position, (moving(N, "valladolid", "zamora", moved=tired),))
    assert rules(state, Fortify("zamora", "INF-6")) == []
    state = moved(state, "INF-1", "valladolid zamora").state
    assert rules(state, Fortify("zamora", "INF-6")) == ["9.1.2"]
    assert rules(state, Fortify("valladolid", "INF-2")) == []


@pytest.mark.rule("9.1.2")
def test_a_chain_of_full_spaces_moves_on():
    """Three full spaces in a row; the last has an empty neighbour, and nobody else has one."""
    row = {"valladolid": "INF-1 INF-2 INF-3", "zamora": "INF-4 INF-5 INF-6",
           "benavente": "INF-7 INF-8 INF-9"}  # fmt: skip
    row = {space: units for space, units in row.items() if space in CAMPAIGN.tables.spaces}
    position = table(bare=True, units=row)
    stage = moving(N, *row, position=position)
    order = Move(("INF-1",), ("valladolid", "zamora"))
    assert refusals(stage, position, order) == []


@pytest.mark.rule("9.1.4")
def test_what_no_order_can_mend_any_more_the_enemy_thins_out():
    position = table(bare=True, units={"zamora": "INF-1 INF-2 INF-3 INF-4", "avila": "INF-5"})
    stage = moving(N, "zamora", "avila", moved=frozenset({"INF-1", "INF-2", "INF-3", "INF-4"}))
    state = begin(State(position, (stage,))).state
    assert too_full(position, N) == ("zamora",) and too_full(position, R) == ()
    assert stuck_in_movement(stage, position) == "zamora"
    assert rules(state, Done()) == [] and waits_for(state).default == Done()
    state = submit(state, Done()).state
    asked = waits_for(state)
    assert (asked.side, asked.rule) == (R, "9.1.4")
    state = submit(state, Remove("INF-2")).state
    assert state.position.place_of("INF-2") == ELIMINATED and waits_for(state) is None


SMALL = ("valladolid", "zamora", "salamanca", "avila", "segovia", "palencia", "leon", "burgos")


@pytest.mark.rule("9.1.2")
@pytest.mark.parametrize("seed", range(60))
def test_a_way_out_is_found_exactly_where_there_is_one(seed):
    """Against every sequence of moves there is, in small positions that are crowded."""
    rng = random.Random(seed)
    spaces = [space for space in SMALL if space in CAMPAIGN.tables.spaces]
    units = [f"INF-{number}" for number in range(1, 19)]
    crowd = {}
    for space in spaces:
        crowd[space] = " ".join(units.pop() for _ in range(rng.randint(2, 4)) if units)
    ring = {near for space in spaces for near in CAMPAIGN.neighbours(space)} - set(spaces)
    guards = {space: f"R-MIL-{n}" for n, space in enumerate(sorted(ring), start=1)}
    position = table(bare=True, units={**crowd, **guards}, nationalist=spaces, republican=ring)
    standing = [unit for stack in crowd.values() for unit in stack.split()]
    free = set(rng.sample(standing, min(4, len(standing))))
    stage = moving(N, *spaces, position=position, moved=frozenset(set(standing) - free))
    ends = {u: {position.place_of(u), *walks(stage, position, u)} for u in free}
    assert bool(stuck_in_movement(stage, position)) is not _some_end_is_legal(position, ends)


def _some_end_is_legal(position, ends):
    if not ends:
        return not too_full(position, N)
    (unit, places), *rest = ends.items()
    return any(_some_end_is_legal(position.with_unit(unit, p), dict(rest)) for p in places)


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


GUESTS = {"san_vicente": "MIL-AST-1 MIL-AST-2 MIL-SAN-1", "cangas_de_onis": "MIL-AST-3"}
STRAYED = frozenset({"MIL-AST-1", "MIL-AST-2"})


def hosting(units=None, *marked, **fields):
    """Movement of a space that holds two Asturian guests after a retreat."""
    position = table(units=units or GUESTS, strayed=STRAYED)
    stage = moving(R, *(marked or ("san_vicente",)), position=position, **fields)
    return State(position, (stage,))


@pytest.mark.rule("16.4.2.4")
def test_a_guest_too_many_goes_home_if_it_can():
    state = hosting()
    stage, position = state.agenda[-1], state.position
    assert refused("MIL-AST-1", "san_vicente santander", R, position) == ["16.4.2.4"]
    assert refused("MIL-AST-1", "san_vicente cangas_de_onis", R, position) == []
    assert can_walk_home(stage, position, "MIL-AST-1")
    assert not can_walk_home(stage, position, "MIL-SAN-1")


@pytest.mark.rule("16.4.2.4")
def test_movement_does_not_end_before_the_guest_is_home():
    state = begin(hosting()).state
    asked = waits_for(state)
    assert (asked.rule, asked.optional) == ("16.4.2.4", False)
    assert rules(state, Done()) == ["16.4.2.4"] and rules(state, asked.default) == []
    assert rules(state, Move(("MIL-SAN-1",), ("san_vicente", "santander"))) == []
    gone = moved(state, "MIL-AST-2", "san_vicente cangas_de_onis").state
    assert rules(gone, Done()) == [] and waits_for(gone).optional
    # One guest is allowed: the other may stay, or build.
    assert rules(gone, Fortify("san_vicente", "MIL-AST-1")) == []


@pytest.mark.rule("16.4.2.4", "10.2.1")
def test_a_guest_who_must_go_home_does_not_build():
    state = begin(hosting()).state
    built = submit(state, Fortify("san_vicente", "MIL-AST-1")).state
    assert rules(built, Done()) == ["16.4.2.4"]
    alone = hosting({"san_vicente": "MIL-AST-1", "santander": "MIL-AST-2"})
    assert rules(alone, Fortify("san_vicente", "MIL-AST-1")) == ["16.4.2.4"]


NARROW = {"gijon": "INF-1", "pto_de_pajares": "INF-2", "cangas_de_onis": "MIL-AST-3 MIL-AST-4"}
"""Of Asturias only Cangas can be reached, and it has room for one."""


@pytest.mark.rule("16.4.2.4")
def test_nobody_takes_the_last_room_at_home():
    filler = Move(("MIL-SAN-1",), ("san_vicente", "cangas_de_onis"))
    crowd = {**NARROW, "san_vicente": "MIL-AST-1 MIL-AST-2 MIL-SAN-1"}
    assert rules(hosting(crowd), filler) == ["16.4.2.4"]
    assert rules(hosting({**crowd, "san_vicente": "MIL-AST-1 MIL-SAN-1"}), filler) == []


@pytest.mark.rule("16.4.2.4")
def test_a_guest_who_need_not_go_home_does_not_take_the_last_room_there():
    """MIL-AST-5 was there before the two whom a retreat brought."""
    crowd = {**NARROW, "san_vicente": "MIL-AST-1 MIL-AST-2 MIL-AST-5"}
    home = ("san_vicente", "cangas_de_onis")
    assert rules(hosting(crowd), Move(("MIL-AST-5",), home)) == ["16.4.2.4"]
    assert rules(hosting(crowd), Move(("MIL-AST-1",), home)) == []


@pytest.mark.rule("16.4.2.4")
def test_a_guest_too_many_stays_if_home_is_far_or_full():
    far = table(units={"santona": "MIL-AST-1", "orduna": "MIL-AST-2"}, strayed=STRAYED)
    assert not can_walk_home(moving(R, "orduna", position=far), far, "MIL-AST-2")
    assert refused("MIL-AST-2", "orduna bilbao", R, far) == []
    assert rules(State(far, (moving(R, "orduna", position=far),)), Done()) == []
    other = hosting(GUESTS, "cangas_de_onis")
    assert rules(other, Done()) == [], "their space is not activated"


@pytest.mark.rule("16.4.2.4", "9.1.2")
def test_a_full_home_takes_a_guest_if_somebody_there_makes_room():
    full = {**NARROW, "san_vicente": "MIL-AST-1 MIL-AST-2",
            "cangas_de_onis": "MIL-AST-3 MIL-AST-4 MIL-AST-5"}  # fmt: skip
    for marked, can in ((("san_vicente", "cangas_de_onis"), True), (("san_vicente",), False)):
        state = hosting(full, *marked)
        assert can_walk_home(state.agenda[-1], state.position, "MIL-AST-1") is can
        assert rules(state, Done()) == (["16.4.2.4"] if can else [])


@pytest.mark.rule("10.1.7", "10.1.3")
def test_reach_ends_at_the_enemy():
    position = table(bare=True, units={"segovia": "CAV-4", "guadarrama": "R-MIL-7"})
    reach = walks(moving(N, "segovia", position=position), position, "CAV-4")
    assert "avila" in reach and "somosierra" in reach
    assert "guadarrama" not in reach and "segovia" not in reach
    assert reach["avila"][0] == "segovia" and reach["avila"][-1] == "avila"


@pytest.mark.rule("10.1.12", "10.1.11", "18.3.4")
def test_reach_keeps_the_rules_of_movement():
    position = table(bare=True, units={"sevilla": "CAV-7"})
    stage = moving(N, "sevilla", position=position, attack=("utrera",))
    reach = walks(stage, position, "CAV-7")
    assert "utrera" not in reach
    for path in reach.values():
        assert not refusals(stage, position, Move(("CAV-7",), path))
        assert len({space for space in path if space in stage.hostile}) <= 2


@pytest.mark.rule("10.1.1", "10.1.8")
def test_a_form_tells_where_a_stack_can_end_each_by_a_shortest_way():
    """Nor does it tell the way back to the start, which nobody has to walk."""
    units = {"sevilla": "INF-15", "utrera": "R-MIL-1"}
    position = table(bare=True, units=units, republican=("utrera",))
    (option, *_) = moving(N, "sevilla", position=position).ask(position).options
    (example,) = option.examples(every)
    assert example.order == Move(("INF-15",), ("sevilla", "huelva"))
    told = str(example.note)
    assert told.startswith("it reaches ")
    near, *far = told.removeprefix("it reaches ").split("; ")
    assert near == "huelva, riotinto, santa_olalla, ecija"
    assert "by ecija, cordoba: penarroya, montoro" in far
    assert not any("sevilla" in way or "utrera" in way for way in far)


@pytest.mark.rule("10.1.1")
def test_what_is_drawn_at_random_walks_every_distance():
    position = table(bare=True, units={"sevilla": "INF-15"})
    state = State(position, (moving(N, "sevilla", position=position),))
    walked = {
        len(order.path) - 1
        for order in legal_samples(state, random.Random(10), tries=60)
        if isinstance(order, Move)
    }
    assert walked == {1, 2, 3}
