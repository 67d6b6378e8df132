"""19.3.5.1 and 19.5.5.1: what the players place before the first turn of a later scenario."""

from __future__ import annotations

import random

import pytest

from pbem.engine.dice import Roll
from pbem.engine.kernel import begin, roll, submit, violations, waits_for
from pbem.engine.model import Chance, Decision, State
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.orders import Deploy, Done, Losses, PlaceMarker
from pbem.games.crusade.position import RESERVE, Fort
from pbem.games.crusade.rules import initial_losses as losses
from pbem.games.crusade.rules.north import is_northern
from pbem.games.crusade.stages.deployment import CorpsShift, ManoeuvreArmies
from pbem.games.crusade.stages.initial_losses import AttritionRoll, InitialLosses
from pbem.games.crusade.stages.post_deployment import PostDeployment, SetUpUnit, SetUpWorks
from pbem.games.crusade.stages.setup import LayDecks
from tests.bots import RandomDice, legal_samples
from tests.contract.playing import system
from tests.games.crusade.board import STARTS, TABLES, N, R, refusals, table

SPRING = STARTS["two_years_of_war"]
AIDED = frozenset({"N2"})
COLLAPSE = STARTS["republican_collapse"].but(played=AIDED)
ARMIES = ("N-ARAGON", "N-CASTILLA", "N-GALICIA", "N-MARROQUI", "N-NAVARRA", "N-CTV",
          "R-V", "R-XVIII", "R-XX", "R-XXI", "R-XXII")  # fmt: skip


def armies(first=N, **fields):
    return ManoeuvreArmies(ARMIES, first, rule="19.5.5.1/b", **fields)


class Face:
    """A die that shows what a test wants."""

    def __init__(self, face):
        self.face = face

    def roll(self, draws):
        return {draw.label: Roll(draw.label, draw.purpose, face=self.face) for draw in draws}


def asked(name):
    """Side, stage and rule of each question before the first turn, if all defaults are taken."""
    state = begin(State(STARTS[name], (PostDeployment(), LayDecks()))).state
    found = []
    while state.agenda:
        wanted = waits_for(state)
        if isinstance(wanted, Chance):
            found.append(("chance", wanted.stage, wanted.rule))
            state = roll(state, Face(3)).state
        else:
            assert violations(state, wanted.default) == ()
            found.append((wanted.side, wanted.stage, wanted.rule))
            state = submit(state, wanted.default).state
    return found, state.position


UNITS, MARKERS = "units before the first turn", "markers before the first turn"


# --- the order ----------------------------------------------------------------------------------


@pytest.mark.rule("19.3.5.1", "15.2.1.1")
@pytest.mark.parametrize("name", ["two_years_of_war", "collapse_of_the_northern_front"])
def test_what_is_asked_before_turn_6(name):
    found, position = asked(name)
    rule = "19.3.5.1"
    assert found[:8] == [
        *[(N, UNITS, rule)] * 2, *[(R, UNITS, rule)] * 2,
        (N, MARKERS, rule), *[(R, MARKERS, rule)] * 3,
    ]  # fmt: skip
    corps = [row for row in found if row[1] == "corps"]
    assert corps == [(N, "corps", "15.2.1"), (R, "corps", "15.2.1")] * 10
    assert found[28:] == [(R, "militarization", "15.2.3")]
    assert not any(stage == "reserve" for _, stage, _ in found)
    assert position.is_on_map("N-CTV") and position.is_on_map("R-SANTANDER")


@pytest.mark.rule("19.5.5.1", "19.5.5.1/a", "19.5.5.1/b", "19.5.5.1/c", "19.5.5.1/d")
def test_what_is_asked_before_turn_12():
    found, position = asked("republican_collapse")
    assert found == [
        *[(N, MARKERS, "19.5.5.1/a")] * 5, *[(R, MARKERS, "19.5.5.1/a")] * 8,
        *[(N, "corps", "19.5.5.1/b"), (R, "corps", "19.5.5.1/b")] * 5,
        (N, "corps", "19.5.5.1/b"), (R, "one corps elsewhere", "19.5.5.1/b"),
        *[(N, UNITS, "19.5.5.1/c")] * 3, *[(R, UNITS, "19.5.5.1/c")] * 3,
        ("chance", "attrition of the long war", "19.5.5.1/d"),
        (N, "losses before the first turn", "19.5.5.1/d"),
        (R, "losses before the first turn", "19.5.5.1/d"),
    ]  # fmt: skip
    assert all(position.is_on_map(corps) for corps in ARMIES)


@pytest.mark.rule("4.0")
@pytest.mark.parametrize("name", ["campaign", "war_of_the_columns"])
def test_nothing_is_asked_before_turn_1(name):
    assert asked(name)[0] == []


# --- armor --------------------------------------------------------------------------------------


def armor(side, unit, where, rule="19.3.5.1", reduced=False):
    return SetUpUnit(side, unit, reduced, where, rule)


@pytest.mark.rule("19.3.5.1")
@pytest.mark.parametrize(
    "stage, to, rule",
    [
        (armor(N, "CV-33-1", "controlled"), "zaragoza", ""),
        (armor(N, "CV-33-1", "controlled"), "oviedo", ""),
        (armor(N, "CV-33-1", "controlled"), "madrid", "19.3.5.1"),
        (armor(N, "CV-33-1", "controlled"), "mallorca", "8.5.2.4/h"),
        (armor(N, "CV-33-1", "controlled"), "menorca", "19.3.5.1"),
        (armor(N, "PZ-I-1", "port"), "cadiz", ""),
        (armor(N, "PZ-I-1", "port"), "zaragoza", "19.3.5.1"),
        (armor(R, "T-26-1", "outside_north"), "albacete", ""),
        (armor(R, "T-26-1", "outside_north"), "gijon", "19.3.5.1"),
        (armor(R, "T-26-2", "mediterranean_port"), "valencia", ""),
        (armor(R, "T-26-2", "mediterranean_port"), "gijon", "19.3.5.1"),
        (armor(R, "T-26-2", "mediterranean_port"), "menorca", "8.5.2.4/h"),
    ],
)
def test_where_the_armor_of_turn_6_is_put(stage, to, rule):
    assert refusals(stage, SPRING, Deploy(stage.unit, to)) == ([rule] if rule else [])


@pytest.mark.rule("19.3.5.1", "9.1.1")
def test_armor_is_put_where_there_is_room():
    full = table(6, scenario="two_years_of_war", units={"zaragoza": "INF-1 INF-2 INF-3"})
    stage = armor(N, "CV-33-1", "controlled")
    assert refusals(stage, full, Deploy("CV-33-1", "zaragoza")) == ["19.3.5.1"]
    assert refusals(stage, full, Deploy("CV-33-1", "zaragoza", "INF-1")) == ["19.3.5.1"] * 2
    assert refusals(stage, SPRING, Deploy("PZ-I-1", "zaragoza")) == ["19.3.5.1"]


@pytest.mark.rule("19.3.5.1", "9.1.1")
@pytest.mark.parametrize(
    "units, why",
    [
        ("INF-1 INF-2", "it must be a port of the mainland"),
        ("INF-1 INF-2 INF-3", "it is full"),
    ],
)
def test_a_full_space_is_told_from_a_wrong_one(units, why):
    position = table(6, scenario="two_years_of_war", units={"zaragoza": units})
    (found,) = armor(N, "PZ-I-1", "port").check(position, Deploy("PZ-I-1", "zaragoza"))
    assert str(found.message) == f"PZ-I-1 cannot be placed in Zaragoza: {why}"


@pytest.mark.rule("19.5.5.1/c")
def test_the_armor_of_turn_12_has_the_strengths_of_the_list():
    position = asked("republican_collapse")[1]
    for side, kinds in ((N, ("CV-33", "PZ-I")), (R, ("T-26",))):
        units = [unit for kind in kinds for unit in TABLES.units_of_type[side, kind]]
        here = [unit for unit in units if position.is_on_map(unit)]
        assert len(here) == 3
    stage = armor(N, "CV-33-2", "controlled", "19.5.5.1/c", reduced=True)
    (event,) = stage.resolve(COLLAPSE, Deploy("CV-33-2", "zaragoza")).events
    assert event == e.UnitPlaced("CV-33-2", "zaragoza", True)
    assert refusals(stage, COLLAPSE, Deploy("CV-33-2", "madrid")) == ["19.5.5.1/c"]


@pytest.mark.rule("19.5.5.1/c")
def test_a_type_means_the_unit_that_is_to_be_placed():
    stage = armor(N, "PZ-I-2", "controlled", "19.5.5.1/c")
    state = begin(State(COLLAPSE, (stage,))).state
    names = system("crusade").names(state, N, Deploy, answering=True)
    assert names.fitting("unit", "PZ-I") == (("PZ-I-2",),)
    ahead = system("crusade").names(state, N, None, answering=False)
    assert ahead.fitting("unit", "CV-33") == (("CV-33-1", "CV-33-2"),)


# --- Positions and Trenches ---------------------------------------------------------------------


def works(side, kind="position", count=3, north_max=None, placed=(), rule="19.3.5.1"):
    return SetUpWorks(side, kind, count, north_max, rule, placed)


@pytest.mark.rule("19.3.5.1/a")
@pytest.mark.parametrize(
    "stage, space, ok",
    [
        (works(N), "santiago", True),  # empty ground, and no front
        (works(N), "madrid", False),  # the enemy's
        (works(N), "oviedo", False),  # a Trench lies there
        (works(R, north_max=1), "gijon", True),
        (works(R, north_max=1, placed=("gijon",)), "santander", False),
        (works(R, north_max=1, placed=("gijon",)), "toledo", False),
        (works(R, north_max=1, placed=("gijon",)), "urda", True),
        (works(R), "nowhere", False),
    ],
)
def test_where_the_markers_of_turn_6_lie(stage, space, ok):
    assert refusals(stage, SPRING, PlaceMarker(space)) == ([] if ok else ["19.3.5.1"])


@pytest.mark.rule("19.5.5.1/a")
def test_positions_come_before_trenches_and_one_marker_a_space():
    position = asked("republican_collapse")[1]
    for side, positions, trenches in ((N, 4, 1), (R, 6, 2)):
        kinds = [fort.kind for fort in position.forts.values()
                 if fort.owner == side and not fort.special]  # fmt: skip
        assert (kinds.count("position"), kinds.count("trench")) == (positions, trenches)
    stage = works(N, rule="19.5.5.1/a", placed=("lugo",))
    marked = COLLAPSE.but(forts={"lugo": Fort("position", N)})
    assert refusals(stage, marked, PlaceMarker("lugo")) == ["19.5.5.1/a"]


@pytest.mark.rule("19.5.5.1/a")
def test_what_was_placed_in_the_south_leaves_the_north_open():
    south = works(R, north_max=1, placed=("madrid",)).spaces(SPRING)
    assert "santander" in south
    north = works(R, north_max=1, placed=("madrid", "gijon")).spaces(SPRING)
    assert set(south) - set(north) == {s for s in south if is_northern(SPRING, s)}


@pytest.mark.rule("10.2.9")
def test_no_more_markers_than_there_are():
    spaces = [space for space in SPRING.spaces_of(N) if space not in SPRING.forts][:8]
    all_used = SPRING.but(forts={space: Fort("position", N) for space in spaces})
    assert begin(State(all_used, (works(N),))).state.agenda == ()
    last = all_used.but(forts={space: Fort("position", N) for space in spaces[1:]})
    assert refusals(works(N), last, PlaceMarker(spaces[0])) == []


# --- manoeuvre armies ---------------------------------------------------------------------------


@pytest.mark.rule("19.5.5.1/b")
@pytest.mark.parametrize(
    "unit, to, ok",
    [
        ("N-CTV", "huesca", True),  # another corps stands there, and no Italian
        ("N-CTV", "la_coruna", True),  # a source
        ("N-CTV", "santiago", False),
        ("N-CTV", "cuenca", False),
        ("N-GALICIA", "zaragoza", True),
    ],
)
def test_where_the_armies_of_turn_12_come_in(unit, to, ok):
    assert refusals(armies(), COLLAPSE, Deploy(unit, to)) == ([] if ok else ["19.5.5.1/b"])


@pytest.mark.rule("19.5.5.1/b", "8.5.2.4/h")
def test_no_army_comes_in_on_an_island():
    assert refusals(armies(), COLLAPSE, Deploy("N-CTV", "mallorca")) == ["8.5.2.4/h"]


@pytest.mark.rule("19.5.5.1/b")
def test_three_corps_a_space_and_divisions_make_room():
    position = table(scenario="republican_collapse", played=AIDED,
                     units={"zaragoza": "N-V N-I INF-1"})  # fmt: skip
    assert refusals(armies(), position, Deploy("N-CTV", "zaragoza")) == ["19.5.5.1/b"]
    state = begin(State(position, (armies(),))).state
    state = submit(state, Deploy("N-CTV", "zaragoza", "INF-1")).state
    assert set(state.position.units_in("zaragoza")) == {"N-V", "N-I", "N-CTV"}
    assert state.position.place_of("INF-1") == RESERVE
    full = state.position
    assert refusals(armies(), full, Deploy("N-GALICIA", "zaragoza")) == ["19.5.5.1/b"]


@pytest.mark.rule("19.5.5.1/b")
def test_only_the_armies_of_the_list_and_by_turns():
    assert refusals(armies(), COLLAPSE, Deploy("N-V", "lugo")) == ["19.5.5.1/b"]
    assert refusals(armies(), COLLAPSE, Deploy("R-V", "madrid")) == ["15.2.1.1"]
    assert refusals(armies(first=R), COLLAPSE, Deploy("R-V", "valencia")) == []


@pytest.mark.rule("19.5.5.1/b")
@pytest.mark.parametrize(
    "unit, to, ok",
    [
        ("R-IV", "cuenca", True),
        ("R-IV", "brihuega", False),  # where it stands
        ("R-IV", "madrid", False),  # three units
        ("R-IV", "albacete", False),  # nobody there
        ("N-V", "zaragoza", False),
        ("RPA-1", "cuenca", False),
    ],
)
def test_one_republican_corps_may_be_set_elsewhere(unit, to, ok):
    stage = CorpsShift(R, "19.5.5.1/b")
    assert refusals(stage, COLLAPSE, Deploy(unit, to)) == ([] if ok else ["19.5.5.1/b"])


@pytest.mark.rule("19.5.5.1/b")
def test_a_shift_is_one_and_may_be_none():
    state = begin(State(COLLAPSE, (CorpsShift(R, "19.5.5.1/b"),))).state
    decision = waits_for(state)
    assert decision.default == Done() and decision.optional
    moved = submit(state, Deploy("R-IV", "cuenca")).state
    assert moved.agenda == () and moved.position.place_of("R-IV") == "cuenca"
    crowded = refusals(CorpsShift(R, ""), COLLAPSE, Deploy("R-IV", "cuenca", "RPA-1"))
    assert crowded == ["19.5.5.1/b"]


# --- the losses of the long war -----------------------------------------------------------------


@pytest.mark.rule("19.5.5.1/d")
@pytest.mark.parametrize("face, number", [(1, 5), (2, 5), (3, 7), (4, 7), (5, 9), (6, 9)])
def test_one_die_tells_the_losses_of_both_sides(face, number):
    stage = AttritionRoll(R, N, (5, 5, 7, 7, 9, 9), "19.5.5.1/d")
    advance = roll(begin(State(COLLAPSE, (stage,))).state, Face(face))
    assert advance.events[0] == rare.WearRolled(face, number)
    decision = waits_for(advance.state)
    assert isinstance(decision, Decision) and decision.side == N
    after = submit(advance.state, decision.default).state
    assert waits_for(after).side == R
    now = after.position
    reduced = [u for u in TABLES.units if now.is_reduced(u) and not COLLAPSE.is_reduced(u)]
    assert losses.worth(COLLAPSE, reduced) == number


FRONT = {
    "huesca": "N-URGEL INF-1 (INF-2)",
    "barbastro": "R-X RPA-1",
    "lugo": "INF-3",
    RESERVE: "MIL-NAV-1",
}


def worn(*steps, number=5, successors=()):
    position = table(12, scenario="republican_collapse", bare=True, units=FRONT)
    return refusals(InitialLosses(N, number, "19.5.5.1/d"), position, Losses(steps, successors))


@pytest.mark.rule("19.5.5.1/d", "11.3.2")
def test_losses_are_met_exactly_by_full_units():
    assert worn("N-URGEL", "INF-1", "MIL-NAV-1") == []
    assert worn("N-URGEL", "INF-1") == ["19.5.5.1/d"]
    assert worn("N-URGEL", "INF-1", number=4) == []
    assert worn("N-URGEL", "INF-1", "MIL-NAV-1", number=4) == ["19.5.5.1/d"]
    assert worn("INF-1", "MIL-NAV-1", number=2) == []


@pytest.mark.rule("19.5.5.1/d")
@pytest.mark.parametrize(
    "unit",
    ["INF-2", "INF-3", "R-X", "nobody"],
    ids=["reduced", "behind the front", "the enemy's", "unknown"],
)
def test_who_cannot_take_them(unit):
    assert worn("N-URGEL", unit, number=4) == ["19.5.5.1/d"]


@pytest.mark.rule("19.5.5.1/d")
def test_nobody_dies_of_them():
    assert worn("INF-1", "INF-1", number=2) == ["19.5.5.1/d"]
    assert worn("INF-1", "INF-1", number=5) == ["19.5.5.1/d"], "one fault, and not its sum too"
    assert worn("INF-1", number=1, successors=("MIL-NAV-1",)) == ["19.5.5.1/d"]


@pytest.mark.rule("19.5.5.1/d", "11.3.4")
def test_where_the_number_cannot_be_met_the_largest_sum_is_owed():
    position = table(12, scenario="republican_collapse", bare=True,
                     units={"huesca": "N-V N-I", "barbastro": "R-X"})  # fmt: skip
    assert [losses.amount_owed(position, N, number) for number in (5, 7, 9)] == [3, 6, 6]
    assert losses.amount_owed(position, R, 2) == 0
    assert begin(State(position, (InitialLosses(R, 2, ""),))).state.agenda == ()


@pytest.mark.rule("19.5.5.1/d")
def test_armor_and_africans_owe_nothing_first():
    position = table(12, scenario="republican_collapse", bare=True,
                     units={"huesca": "AFR-1 CV-33-1 INF-1", "barbastro": "R-X"})  # fmt: skip
    stage = InitialLosses(N, 1, "19.5.5.1/d")
    for unit in ("AFR-1", "CV-33-1", "INF-1"):
        assert refusals(stage, position, Losses((unit,))) == []


@pytest.mark.rule("19.5.5.1/d")
@pytest.mark.parametrize("seed", range(5))
def test_random_losses_are_legal(seed):
    state = begin(State(COLLAPSE, (InitialLosses(N, 9, "19.5.5.1/d"),))).state
    rng, examples = random.Random(seed), waits_for(state).options[0].examples
    drawn = list(examples(lambda them: [rng.choice(them)]))
    assert drawn and all(violations(state, each.order) == () for each in drawn)


# --- playouts -----------------------------------------------------------------------------------


@pytest.mark.rule("4.0", "19.3.5.1", "19.5.5.1")
@pytest.mark.parametrize("name", TABLES.offered)
@pytest.mark.parametrize("seed", range(3))
def test_a_scenario_is_placed_at_random_and_played_a_turn(name, seed):
    """No dead end, no fault, and every unit of the box is still somewhere."""
    game, rng, dice = system("crusade"), random.Random(f"{name} {seed}"), RandomDice(seed)
    state = begin(game.setup(name, frozenset({"open_hands"}))).state
    first, units = state.position.turn, state.position.counters.keys()
    while state.agenda and state.position.turn == first:
        wanted = waits_for(state)
        if isinstance(wanted, Chance):
            state = roll(state, dice).state
            continue
        assert violations(state, wanted.default) == ()
        state = submit(state, next(legal_samples(state, rng))).state
        assert game.faults(state.position) == ()
        assert state.position.counters.keys() == units
    assert state.position.turn == first + 1 or state.position.result
