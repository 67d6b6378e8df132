"""Chapter 19: what each scenario begins with, and how it ends."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.engine import kernel
from pbem.engine.kernel import begin, submit, waits_for
from pbem.engine.model import Chance, Decision, State
from pbem.gamedata.load import load
from pbem.games.crusade.position import POOL, REMOVED
from pbem.games.crusade.rules import victory
from pbem.games.crusade.rules.morale import north_is_isolated
from pbem.games.crusade.sequence import opening
from pbem.games.crusade.stages.attrition import Attrition
from pbem.games.crusade.stages.draw import hand_size
from pbem.games.crusade.stages.end_of_turn import EndOfTurn
from pbem.games.crusade.stages.setup import starting_position
from tests.bots import RandomDice
from tests.games.crusade.board import STARTS, TABLES, N, R, table

MILITARIZED = "15.2.3"
FULL = ("campaign", "two_years_of_war", "republican_collapse")


OPEN = frozenset({"open_hands"})


def set_up(name, options=OPEN, seed=0):
    """The state when all defaults are taken and the hands are drawn: the first round begins."""
    state = begin(State(starting_position(TABLES, name, options), opening())).state
    dice = RandomDice(seed)
    while state.position.round == 0:
        wanted = waits_for(state)
        if isinstance(wanted, Decision):
            state = submit(state, wanted.default).state
        else:
            assert isinstance(wanted, Chance)
            state = kernel.roll(state, dice).state
    return state


READY = {name: set_up(name).position for name in TABLES.offered}


@pytest.mark.rule("4.0")
def test_all_five_scenarios_are_offered_in_the_order_of_the_game():
    assert set(TABLES.offered) == set(load("crusade").tables["scenarios"])


@pytest.mark.rule("4.1.2")
@pytest.mark.parametrize("name", TABLES.offered)
def test_the_nationalists_have_the_first_round(name):
    assert (READY[name].active, READY[name].round) == (N, 1)


# --- markers ------------------------------------------------------------------------------------


@pytest.mark.rule("19.1.1", "19.2.1", "19.3.1", "19.4.1", "19.5.1")
@pytest.mark.parametrize(
    "name, first, last",
    [
        ("campaign", 1, 18),
        ("two_years_of_war", 6, 18),
        ("republican_collapse", 12, 18),
        ("war_of_the_columns", 1, 5),
        ("collapse_of_the_northern_front", 6, 11),
    ],
)
def test_the_turns_of_a_scenario(name, first, last):
    position = STARTS[name]
    assert position.turn == first
    turns = range(first, 19)
    assert [victory.is_last_turn(position.but(turn=turn)) for turn in turns].index(True) == (
        last - first
    )


@pytest.mark.rule(
    "19.1.2", "19.2.2", "19.3.2.1", "19.3.2.2", "19.3.2.3", "19.4.2.1", "19.4.2.2", "19.4.2.3",
    "19.5.2.1", "19.5.2.2", "19.5.2.3", "19.3.5.2", "19.5.5.2",
)  # fmt: skip
@pytest.mark.parametrize(
    "name, score, sieges, isolated, flags",
    [
        ("war_of_the_columns", (7, 26), 3, {"oviedo", "granada"}, {"shortage"}),
        ("campaign", (7, 26), 3, {"oviedo", "granada"}, {"shortage"}),
        (
            "collapse_of_the_northern_front",
            (10, 20),
            1,
            set(),
            {"strait_nationalist", "badajoz_lost", "famine", "madrid_settled", "largo_caballero",
             "franco_command"},
        ),
        (
            "two_years_of_war",
            (10, 20),
            1,
            set(),
            {"strait_nationalist", "badajoz_lost", "famine", "madrid_settled", "largo_caballero",
             "franco_command"},
        ),
        (
            "republican_collapse",
            (13, 12),
            0,
            set(),
            {"strait_nationalist", "badajoz_lost", "famine", "madrid_settled", "largo_caballero",
             "juan_negrin", "franco_command", "north_ended"},
        ),
    ],
)  # fmt: skip
def test_the_markers_of_a_scenario(name, score, sieges, isolated, flags):
    position = STARTS[name]
    assert (position.vp, position.rm) == score
    assert (len(position.sieges), position.isolated, position.flags) == (sieges, isolated, flags)


@pytest.mark.rule("5.1.2")
@pytest.mark.parametrize("name", TABLES.offered)
def test_the_points_of_the_spaces_are_the_points_of_the_marker(name):
    position = STARTS[name]
    held = (space.vp for space in TABLES.spaces.values() if position.controls(N, space.id))
    assert sum(held) == position.vp


@pytest.mark.rule("19.3.5.2", "16.4.3.1")
def test_the_north_of_turn_6_is_cut_off_and_nothing_else_counts_yet():
    start, first = STARTS["two_years_of_war"], READY["two_years_of_war"]
    assert north_is_isolated(first)
    assert first.flags == start.flags
    assert (first.vp, first.rm) == (10, 20)


@pytest.mark.rule("19.5.2.1", "14.2.1")
def test_the_fall_of_bilbao_costs_the_republic_a_point_a_turn():
    main = [city for city in TABLES.main_cities if STARTS["republican_collapse"].controls(R, city)]
    assert len(main) == TABLES.tables["costs"]["main_cities"]["republican"] - 1


# --- units --------------------------------------------------------------------------------------


@pytest.mark.rule("4.2.1", "4.2.2", "2.2.1")
@pytest.mark.parametrize("name", FULL)
def test_set_up_and_what_is_still_to_enter_are_all_the_divisions_there_are(name):
    """Each type: on the map or in a box, or named by an event that has not been played."""
    position = READY[name]
    on_table = Counter(
        (position.side_of(unit), position.type_of(unit).id)
        for unit in TABLES.units
        if position.place_of(unit) != POOL
    )
    optional = {each["id"] for each in load("crusade").tables["units"]["types"] if "option" in each}
    for each in load("crusade").tables["units"]["types"]:
        if each["size"] != "division" or each["id"] in optional:
            continue
        late = [row for row in each.get("enters", ()) if not has_entered(position, name, row["by"])]
        coming = sum(row["count"] for row in late)
        assert on_table[each["side"], each["id"]] + coming == each["count"], each["id"]


def has_entered(position, name, by):
    """Whether an event has brought its units; by default nobody is militarized."""
    return name == "republican_collapse" if by == MILITARIZED else by in position.played


@pytest.mark.rule("15.2.1", "19.5.3", "19.5.5.1")
@pytest.mark.parametrize("name", FULL)
def test_the_corps_on_the_table_are_those_of_the_cards_played(name):
    position = READY[name]
    corps = [unit for unit, unit_type in TABLES.units.items() if unit_type.is_corps]
    here = {unit for unit in corps if position.place_of(unit) != POOL}
    begun = position.turn > 5
    due = {u for u in corps if TABLES.units[u].initial and begun}
    due |= {u for card in position.played for u in TABLES.cards[card].corps}
    assert here == due


@pytest.mark.rule("19.3.3", "19.4.3", "19.5.3", "19.1.3", "19.2.3")
@pytest.mark.parametrize(
    "name, nationalist, republican",
    [("campaign", 44, 56), ("war_of_the_columns", 44, 56), ("two_years_of_war", 43, 49),
     ("collapse_of_the_northern_front", 43, 49), ("republican_collapse", 49, 49)],
)  # fmt: skip
def test_how_many_units_a_set_up_has_on_the_map(name, nationalist, republican):
    position = STARTS[name]
    standing = Counter(position.side_of(u) for u in TABLES.units if position.is_on_map(u))
    assert standing == {N: nationalist, R: republican}


# --- cards --------------------------------------------------------------------------------------


@pytest.mark.rule(
    "19.1.6", "19.2.6", "19.3.6.1", "19.3.6.2", "19.3.6.3", "19.4.6.1", "19.4.6.2", "19.4.6.3",
    "19.5.6.1", "19.5.6.2", "19.5.6.3",
)  # fmt: skip
@pytest.mark.parametrize(
    "name, sizes, hands",
    [
        ("war_of_the_columns", (18, 18), (7, 7)),
        ("campaign", (18, 18), (7, 7)),
        ("two_years_of_war", (26, 26), (7, 7)),
        ("collapse_of_the_northern_front", (26, 26), (7, 7)),
        ("republican_collapse", (27, 24), (8, 7)),
    ],
)
def test_the_decks_and_hands_of_a_scenario(name, sizes, hands):
    position = READY[name]
    sheet = TABLES.sheet(name)["decks"]["hands"]
    for side, size, hand in zip((N, R), sizes, hands, strict=True):
        deck = position.decks[side]
        assert (len(deck.hand), len(deck.pile)) == (hand, size - hand)
        assert len(sheet[side]["fixed"]) + sheet[side]["random"] == hand
        assert hand_size(STARTS[name], side) == hand


@pytest.mark.rule("19.3.6.1", "19.5.6.1")
@pytest.mark.parametrize("name, count", [("two_years_of_war", 12), ("campaign", 0)])
def test_removed_cards_count_as_played(name, count):
    position = READY[name]
    gone = position.decks[N].removed
    assert len(gone) == count and set(gone) <= position.played


@pytest.mark.rule("4.3.2", "19.3.6.2", "19.3.6.3")
@pytest.mark.parametrize("seed", range(8))
def test_a_turn_6_hand_holds_a_corps_card(seed):
    state = set_up("two_years_of_war", seed=seed)
    for side in (N, R):
        hand = state.position.hand_cards(side)
        assert len(hand) == 7 and any(TABLES.cards[card].corps for card in hand)


@pytest.mark.rule("4.3.1/a")
@pytest.mark.parametrize("name", ["campaign", "war_of_the_columns"])
def test_the_air_bridge_is_in_hand(name):
    assert READY[name].slot_of(N, "N1") is not None


@pytest.mark.rule("24.1")
def test_the_hands_of_the_example_belong_to_the_campaign_only():
    options = frozenset({"open_hands", "example_hands"})
    assert "R15" in set_up("campaign", options).position.hand_cards(R)
    assert len(set_up("two_years_of_war", options).position.hand_cards(R)) == 7


# --- special rules ------------------------------------------------------------------------------


@pytest.mark.rule("19.3.5.2", "16.2.6")
def test_oviedo_falls_if_it_is_not_relieved_in_turn_6():
    position = STARTS["two_years_of_war"]
    garrison = position.units_in("oviedo")
    after = begin(State(position, (Attrition(N),))).state.position
    assert garrison and {after.place_of(unit) for unit in garrison} == {REMOVED}
    assert after.controls(R, "oviedo")
    relieved = table(6, scenario="two_years_of_war", nationalist=("pto_de_la_espina",),
                     units={"pto_de_la_espina": "INF-1"})  # fmt: skip
    after = begin(State(relieved, (Attrition(N),))).state.position
    assert after.controls(N, "oviedo")


@pytest.mark.rule("19.3.5.2")
def test_with_the_corridor_oviedo_begins_as_an_isolated_space():
    for options, isolated in ((frozenset(), set()), (frozenset({"18.2.3"}), {"oviedo"})):
        assert starting_position(TABLES, "two_years_of_war", options).isolated == isolated
    again = starting_position(TABLES, "republican_collapse", frozenset({"18.2.3"}))
    assert again.isolated == frozenset()


@pytest.mark.rule("4.3.1", "4.3.2")
@pytest.mark.parametrize("options, asked_first", [(OPEN, Decision), (OPEN | {"Q21"}, Chance)])
def test_hands_are_drawn_after_the_deployment_unless_agreed(options, asked_first):
    state = begin(State(starting_position(TABLES, "two_years_of_war", options), opening())).state
    assert isinstance(waits_for(state), asked_first)
    hands = set_up("two_years_of_war", options).position.decks
    assert [len(hands[side].hand) for side in (N, R)] == [7, 7]


# --- the end ------------------------------------------------------------------------------------


@pytest.mark.rule("19.1.4", "19.2.4", "19.3.4", "19.4.4.2", "19.5.4")
@pytest.mark.parametrize(
    "name, vp, winner",
    [
        ("war_of_the_columns", 8, R),
        ("war_of_the_columns", 9, "draw"),
        ("war_of_the_columns", 10, "draw"),
        ("war_of_the_columns", 11, N),
        ("collapse_of_the_northern_front", 12, R),
        ("collapse_of_the_northern_front", 14, N),
        ("two_years_of_war", 18, R),
        ("two_years_of_war", 19, "draw"),
        ("two_years_of_war", 20, N),
        ("campaign", 18, R),
        ("campaign", 19, "draw"),
        ("campaign", 20, N),
        ("republican_collapse", 18, R),
        ("republican_collapse", 19, "draw"),
        ("republican_collapse", 20, N),
    ],
)
def test_points_decide_the_last_turn(name, vp, winner):
    last = TABLES.sheet(name)["last_turn"]
    # Morale in the middle: no last change of points.
    position = table(last, scenario=name, vp=vp, rm=14 if last == 11 else 22)
    after = begin(State(position, (EndOfTurn(),))).state
    assert after.position.result[0] == winner and after.agenda == ()


@pytest.mark.rule("19.1.4")
@pytest.mark.parametrize(
    "played, rm, winner", [(("N16",), 20, N), (("N16",), 21, "draw"), ((), 20, "draw")]
)
def test_famine_breaks_the_tie_of_the_first_scenario(played, rm, winner):
    position = table(5, scenario="war_of_the_columns", vp=9, rm=rm, played=frozenset(played))
    assert victory.final_result(position)[0] == winner


@pytest.mark.rule("19.2.4", "19.2.4/a")
def test_a_north_that_stands_breaks_the_tie():
    name = "collapse_of_the_northern_front"
    assert victory.final_result(table(11, scenario=name, vp=13))[0] == R
    fallen = table(11, scenario=name, vp=13, nationalist=TABLES.northern_front)
    assert victory.final_result(fallen)[0] == "draw"


@pytest.mark.rule("19.2.4/a")
def test_oviedo_is_asturias_and_stands_for_the_north():
    fallen = table(11, scenario="collapse_of_the_northern_front", vp=13,
                   nationalist=TABLES.northern_front, republican=("oviedo",))  # fmt: skip
    assert victory.final_result(fallen)[0] == R


@pytest.mark.rule("19.1.5", "19.2.5")
@pytest.mark.parametrize(
    "name, rm, played, change",
    [
        ("war_of_the_columns", 18, (), 1),
        ("war_of_the_columns", 19, (), 0),
        ("war_of_the_columns", 22, (), 0),
        ("war_of_the_columns", 23, (), -1),
        ("war_of_the_columns", 20, ("N2",), 1),
        ("war_of_the_columns", 20, ("R2",), -1),
        ("war_of_the_columns", 20, ("N2", "R2"), 0),
        ("war_of_the_columns", 18, ("N2",), 2),
        ("collapse_of_the_northern_front", 11, (), 1),
        ("collapse_of_the_northern_front", 12, (), 0),
        ("collapse_of_the_northern_front", 16, (), -1),
        ("two_years_of_war", 3, (), 0),
        ("campaign", 3, (), 0),
        ("republican_collapse", 3, (), 0),
    ],
)
def test_the_last_change_of_points(name, rm, played, change):
    position = table(scenario=name, rm=rm, played=frozenset(played))
    assert sum(victory.end_modifiers(position)) == change


@pytest.mark.rule("19.4.4.1")
@pytest.mark.parametrize("name", TABLES.offered)
def test_before_its_last_turn_no_scenario_ends_by_points(name):
    last = TABLES.sheet(name)["last_turn"]
    after = begin(State(table(last - 1, scenario=name, vp=28), (EndOfTurn(),))).state
    assert after.position.result is None


@pytest.mark.rule("19.3.5.2")
@pytest.mark.parametrize("scenario", sorted(STARTS))
def test_a_scenario_is_set_up_the_same_each_time(scenario):
    again = starting_position(TABLES, scenario, frozenset())
    assert again == STARTS[scenario] and again.flags == STARTS[scenario].flags
