"""2 and 3: boxes, stacking, supply, morale, control."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.gamedata.load import load
from pbem.games.madrid import events as e
from pbem.games.madrid.orders import Attack, Defend, Move, Pass
from pbem.games.madrid.rules import control, morale, movement, supply
from pbem.games.madrid.stages.turn import ControlCheck, Recovery
from pbem.games.madrid.tables import Tables
from tests.games.madrid.table import N, R, begun, fight, rules_against, system, table

TEN = " ".join(f"R{n:02}" for n in range(1, 11))


# ------------------------------------------------------------------- sides, areas, boxes


@pytest.mark.rule("3.1.1", "9.0.1")
def test_player_a_is_asked_and_player_b_answers():
    game = fight(table({"D": "N01 R01 R03"}), N)
    assert game.asks is not None and (game.asks.side, game.asks.stage) == (N, "impulse")
    game.order(Attack(("N01",))).roll(1, 1)
    assert game.asks is not None and (game.asks.side, game.asks.stage) == (R, "defend")


@pytest.mark.rule("3.1.2", "3.5.b")
def test_friendly_is_what_one_controls_whoever_stands_there():
    position = table({"D": "N01 R01", "C": "N02 R02"})
    assert position.is_friendly("D", N) and not position.is_friendly("D", R)
    assert position.is_contested("C") and not position.is_friendly("C", N)
    assert not position.is_contested("E") and not table({"D": "N01"}).is_contested("D")


@pytest.mark.rule("2.8")
def test_nobody_enters_a_box_of_the_enemy():
    position = table({"U": "R01", "H": "N01"}, nationalist="D H")
    assert rules_against(position, R, Move(("R01",), ("U", "4"))) == ["2.8"]
    game = fight(position, N).order(Move(("N01",), ("H", "4")))
    assert game.where("N01") == ["4s"]
    assert movement.costs(position, ("N01",), ("H", "4")) == [1]
    assert rules_against(table({"5": "N01"}), N, Move(("N01",), ("5", "4"))) == ["9.2.b"]
    assert position.is_friendly("4", N) and not position.is_friendly("4", R)
    at_the_edge = table({"II": "N01", "H": "N02"}, nationalist="II H")
    for unit, boxes in (("N01", set()), ("N02", {"4", "5"})):
        ends = {path[-1] for path in movement.reachable(at_the_edge, N, (unit,))}
        assert ends & at_the_edge.board.boxes.keys() == boxes


@pytest.mark.rule("1.1.3")
def test_spent_units_do_not_act():
    position = table({"D": "N01s N02", "C": "R01"})
    assert rules_against(position, N, Move(("N01",), ("D", "C"))) == ["1.1.3"]
    assert rules_against(position, N, Move(("N02",), ("D", "C"))) == []
    assert position.face("N01").defence == 6 and position.face("N02").defence == 7


# ------------------------------------------------------------------- stacking


@pytest.mark.rule("3.2.1", "3.2.2")
def test_ten_units_of_each_side_and_no_more():
    position = table({"AA": TEN + " N01", "BB": "R40", "GG": "R41"})
    assert position.room("AA", R) == 0 and position.room("AA", N) == 9
    assert rules_against(position, R, Move(("R40",), ("BB", "AA"))) == ["3.2.2"]
    assert rules_against(position, R, Move(("R40",), ("BB", "AA", "GG"))) == ["3.2.2"]
    assert position.room("1", R) >= 80
    eleven = position.but(places={**position.places, "R40": "AA"})
    (fault,) = system().faults(eleven)
    assert str(fault) == "11 Republican units are in AA"


# ------------------------------------------------------------------- supply


@pytest.mark.rule("3.3.1")
def test_boxes_are_sources_and_madrid_while_it_is_republican():
    assert supply.sources(table(), R) == ("1", "2", "3", "AA")
    assert supply.sources(table(), N) == ("4", "5", "6")
    assert supply.sources(table(nationalist="AA"), R) == ("1", "2", "3")
    assert supply.sources(table(nationalist="AA"), N) == ("4", "5", "6")


@pytest.mark.rule("3.3.2", "3.3.3")
def test_a_chain_of_friendly_areas_contested_or_not():
    position = table({"C": "N01 R01", "L": "N02"}, nationalist="D C L")
    assert {"D", "C", "L"} <= supply.supplied_places(position, N)
    broken = table({"L": "N02"}, nationalist="D L")
    assert "L" not in supply.supplied_places(broken, N)
    assert supply.supplied_units(broken, N) == ()
    boxed = table({"4": "N01", "gone": "N02"})
    assert supply.supplied_units(boxed, N) == ("N01",)


@pytest.mark.rule("3.3.4", "4.4.e")
def test_units_out_of_supply_stay_spent():
    game = begun(table({"D": "N01s", "J": "N02s R01"}, nationalist="D"), Recovery())
    assert game.where("N01", "N02") == ["D", "Js"]


# ------------------------------------------------------------------- morale


@pytest.mark.rule("3.4.0")
def test_morale_has_five_levels_and_no_more():
    names = [level for level, _ in table().board.morale]
    assert names == ["Crumbling", "Bad", "Fragile", "Firm", "Good"]
    assert [modifier for _, modifier in table().board.morale] == [2, 1, 0, -1, -2]
    assert table(morale="good").morale_after(1) == 4
    assert table(morale="crumbling").morale_after(-1) == 0
    assert table(morale="bad").morale_after(2) == 3


@pytest.mark.rule("3.4.2.a", "3.4.2.b")
@pytest.mark.parametrize(
    ("there", "area", "more", "added"),
    [
        ("N01 R01", "C", {}, ()),
        ("N01 R01 R02", "C", {}, (("outnumbering", -1),)),
        ("N01 R01", "DD", {}, (("urban", -1),)),
        ("N01 R01", "DD", {"facts": ("junta",)}, (("urban", -1), ("junta", -1))),
        ("N01 N02 R01", "C", {"facts": ("junta",)}, ()),
    ],
)
def test_the_modifiers_of_a_morale_test(there, area, more, added):
    position = table({area: there}, morale="crumbling", **more)
    assert morale.test_modifiers(position, area) == (("morale", 2), *added)


@pytest.mark.rule("3.4.2.b")
def test_an_air_attack_makes_a_test_harder():
    position = table({"C": "N01 R01"})
    assert morale.test_modifiers(position, "C", by_air=True) == (("air", 1),)
    twice = table({"C": "N01 R01"}, options=("air_counts_twice",))
    assert morale.test_modifiers(twice, "C", by_air=True) == (("air", 2),)
    city = table({"DD": "N01 R01"}, facts=("junta",))
    assert morale.test_modifiers(city, "DD", by_air=True) == (("air", 1), ("urban", -1))


@pytest.mark.rule("3.4.2.c")
def test_what_a_morale_test_brings():
    position = table({"C": "R01 R17"})
    told = [morale.test_result(position, "R01", total) for total in (4, 5, 6, 7)]
    assert told == ["stands", "retreats", "retreats", "eliminated"]
    told = [morale.test_result(position, "R17", total) for total in (4, 5, 8, 9)]
    assert told == ["stands", "retreats", "retreats", "eliminated"]


@pytest.mark.rule("3.4.2.d", "3.4.2.e", "3.4.2.f", "9.4.1.C2")
def test_who_tests_in_combat():
    position = table({area: f"{units} N0{at}" for at, (area, units) in enumerate(
        (("C", "R01 R17 R61"), ("DD", "R02 R18 R62"), ("AA", "R05")), 1)})  # fmt: skip

    def tested(area, side=N, stampede=False, at=position):
        return morale.tested_in_combat(at, side, area, is_stampede=stampede)

    assert tested("C") == ("R01", "R61") and tested("C", stampede=True) == ("R01", "R17", "R61")
    assert tested("DD") == () and tested("DD", stampede=True) == ("R02",)
    assert tested("AA", stampede=True) == () and tested("C", side=R) == ()
    silent = position.but(options=frozenset({"guns_do_not_test"}))
    assert tested("C", at=silent) == ("R01",)


@pytest.mark.rule("3.4.2.d", "3.4.2.e", "11.1.d")
def test_who_tests_after_an_air_attack():
    position = table({"DD": "R01 R17 R61", "AA": "R02"})
    assert morale.tested_by_air(position, "DD") == ("R01",)
    assert morale.tested_by_air(position, "AA") == ()
    assert morale.tested_by_air(position.but(facts=frozenset({"junta"})), "DD") == ()


# ------------------------------------------------------------------- control


@pytest.mark.rule("1.2", "3.5.a", "3.5.1.a", "3.5.2.a")
def test_control_passes_when_the_last_unit_leaves():
    position = table({"C": "N01 R01"}, nationalist="D C")
    game = fight(position, N).order(Move(("N01",), ("C", "D")))
    assert game.position.control["C"] == R and game.position.gains == {R: 1}
    assert set(game.position.control) == set(game.position.board.areas)
    assert list(control.lapsed(game.position)) == []


@pytest.mark.rule("3.5.2.a")
def test_an_area_that_changes_hands_twice_counts_twice():
    game = fight(table({"D": "N01 N02"}), N).order(Move(("N01",), ("D", "C", "D")))
    assert game.position.control["C"] == N and game.position.gains == {N: 1}
    again = e.ControlChanged("C", R).apply(game.position)
    assert e.ControlChanged("C", N).apply(again).gains == {N: 2, R: 1}


@pytest.mark.rule("3.5.1.a")
def test_with_the_option_a_move_ends_where_it_takes_an_area():
    position = table({"D": "N10"}, options=("move_ends_on_capture",))
    assert rules_against(position, N, Move(("N10",), ("D", "C", "L"))) == ["3.5.1.a"]
    assert rules_against(position, N, Move(("N10",), ("D", "C"))) == []
    assert rules_against(table({"D": "N10"}), N, Move(("N10",), ("D", "C", "L"))) == []
    held = table({"D": "N23", "C": "R01"}, options=("move_ends_on_capture",))
    assert rules_against(held, N, Move(("N23",), ("D", "C", "D"))) == []


@pytest.mark.rule("3.5.1.b")
def test_all_areas_are_looked_at_at_one_time():
    game = begun(table({"M": "N01"}, nationalist="D N M"), ControlCheck())
    # N hangs on M, which is out of supply as well but held.
    assert game.position.control["N"] == R and game.position.control["M"] == N


@pytest.mark.rule("3.4.1.d")
@pytest.mark.parametrize(("area", "morale_after"), [("DD", "Firm"), ("C", "Fragile")])
def test_a_suburb_cleared_raises_morale_whoever_holds_it(area, morale_after):
    position = table({area: "N26s R40 R41 R42"}, nationalist="D B")
    game = fight(position, R).order(Attack(("R40", "R41", "R42"), "R40")).roll(6, 6)
    assert game.position.morale_name == morale_after
    left = table({"DD": "N26 R40"}, nationalist="D K")
    assert fight(left, N).order(Move(("N26",), ("DD", "K"))).position.morale_name == "Firm"


@pytest.mark.rule("3.4.1.d", "3.5.1.a")
def test_a_suburb_that_nationalists_take_raises_no_morale():
    game = fight(table({"L": "N01"}, nationalist="D C L"), N).order(Move(("N01",), ("L", "EE")))
    assert game.position.control["EE"] == N and game.all(e.MoraleChanged) == []


@pytest.mark.rule("3.4.1.d")
def test_a_suburb_that_nobody_fought_over_raises_no_morale_when_they_leave():
    position = table({"DD": "N01"}, nationalist="D DD K")
    game = fight(position, N).order(Move(("N01",), ("DD", "K")))
    assert game.position.control["DD"] == N and game.all(e.MoraleChanged) == []


@pytest.mark.rule("3.4.1.d", "3.5.1.a")
def test_an_empty_suburb_that_is_retaken_raises_morale():
    game = fight(table({"AA": "R01"}, nationalist="D EE"), R).order(Move(("R01",), ("AA", "EE")))
    assert game.position.control["EE"] == R and game.position.morale_name == "Firm"


@pytest.mark.rule("3.4.1.d")
def test_a_suburb_is_cleared_once_and_of_whoever_came_since():
    story = control.Story(table({"K": "N01", "DD": "R01"}, nationalist="D K"))
    cheers = []
    for here, there in (("K", "DD"), ("DD", "K"), ("K", "D")):
        story.happen(e.UnitsMoved(("N01",), here, there))
        story.settle()
        cheers.append(sum(isinstance(each, e.MoraleChanged) for each in story.events))
    assert cheers == [0, 1, 1]


@pytest.mark.rule("3.5.1.a")
def test_areas_change_hands_in_map_order():
    position = table({"L": "R01", "C": "R02", "E": "N01"}, nationalist="D L C")
    assert list(control.lapsed(position)) == [("C", R), ("E", N), ("L", R)]


@pytest.mark.rule("12.1.d", "12.2.g")
@pytest.mark.parametrize(
    ("at", "scenario", "before", "known"),
    [
        ({"C": "N01"}, "campaign", (), []),
        ({"DD": "N01"}, "campaign", (), ["rivers_open"]),
        ({"DD": "N01"}, "campaign", ("rivers_open",), []),
        ({"DD": "N01"}, "scenario_2", (), []),
        ({"AA": "N01 R40 R41"}, "campaign", (), ["madrid_entered"]),
        ({"AA": "N01 R40 R41"}, "campaign", ("madrid_entered",), []),
    ],
)  # fmt: skip
def test_what_units_bring_about_by_where_they_stand_is_told_once(at, scenario, before, known):
    story = control.Story(table(at, scenario=scenario, facts=before))
    story.settle()
    assert [each.fact for each in story.outcome().events if isinstance(each, e.FactSet)] == known


@pytest.mark.rule("3.4.1.d", "3.5.1.b")
def test_a_suburb_that_falls_back_raises_morale():
    game = begun(table(nationalist="D EE"), ControlCheck())
    assert game.position.morale_name == "Firm"
    assert begun(table(nationalist="D N"), ControlCheck()).position.morale_name == "Fragile"


@pytest.mark.rule("9.0.1")
def test_a_pass_changes_nothing_on_the_map():
    before = table({"D": "N01", "C": "R01"})
    game = fight(before, N).order(Pass())
    assert game.position.places == before.places and game.position.passes == 1


@pytest.mark.rule("9.4.1.C2")
def test_nobody_left_behind_the_tests_ends_the_combat():
    game = fight(table({"C": "N01 R01"}, morale="crumbling"), N).order(Attack(("N01",))).roll(5)
    assert game.where("N01", "R01") == ["Cs", "eliminated"] and game.state.agenda == ()
    shock = fight(table({"C": "N01 R01 R17"}, morale="crumbling"), N).order(Attack(("N01",)))
    shock.roll(6).order(Defend(point="R17"))
    assert kernel.waits_for(shock.state).stage == "attack"


@pytest.mark.rule("12.2.g", "1.1.7")
def test_the_garrison_waits_until_madrid_is_bombarded_or_entered():
    def against(*facts, options=()):
        position = table({"AA": "R61 R40", "CC": "N01"}, scenario="scenario_2", facts=facts,
                         nationalist="CC", options=options)  # fmt: skip
        return rules_against(position, R, Move(("R61",), ("AA", "BB")))

    assert against() == ["12.2.g"]
    assert against("madrid_bombarded") == [] and against("madrid_entered") == []
    both = ("garrison_needs_both",)
    assert against("madrid_entered", options=both) == ["12.2.g"]
    assert against("madrid_entered", "madrid_bombarded", options=both) == []
    free = table({"AA": "R61 R40"}, scenario="scenario_2", facts=())
    assert rules_against(free, R, Move(("R40",), ("AA", "BB"))) == []


def test_who_stands_where_is_carried_over_in_the_order_that_breaks_ties():
    before = table({"D": "N01 R01 R03", "E": "R02"})
    assert before.units_at("D") == ("N01", "R01", "R03")
    after = before.with_units(("R03", "R01"), "E").with_units(("N01",), "C")
    assert after.units_at("D") == () and after.units_at("C") == ("N01",)
    assert after.units_at("E") == ("R01", "R02", "R03")
    assert before.is_contested("D") and not after.is_contested("E")
    assert after.has_enemies("E", N) and not after.has_enemies("E", R)


def test_the_list_of_units_breaks_ties_and_not_their_ids():
    plain = load("madrid").tables
    listed = plain["units"]["units"]
    board = Tables({**plain, "units": {"units": [*reversed(listed)]}})
    position = table({"D": "N01 N03 R02", "C": "N02"}, board=board)
    assert position.units_at("D", N) == ("N03", "N01")
    assert position.units_at("D") == ("R02", "N03", "N01")
    assert position.with_units(("N02",), "D").units_at("D", N) == ("N03", "N02", "N01")


def test_a_path_goes_round_an_area_that_is_full():
    ten = "N03 N04 N05 N06 N10 N11 N12 N13 N14 N15"
    position = table({"D": "N01 N02", "B": ten}, nationalist="A B C D J")
    ends = {path[-1]: path for path in movement.reachable(position, N, ("N01",))}
    assert ends["J"] == ("D", "C", "J") and "B" not in ends
    nine = table({"D": "N01 N02", "B": ten[:-4]}, nationalist="A B C D J")
    ends = {path[-1]: path for path in movement.reachable(nine, N, ("N01",))}
    assert ends["J"] == ("D", "B", "J") and "B" in ends
    both = {path[-1] for path in movement.reachable(nine, N, ("N01", "N02"))}
    assert "J" in both and "B" not in both


@pytest.mark.rule("9.2.k", "12.3.g", "3.5.1.a")
@pytest.mark.parametrize(
    ("unit", "how"),
    [("N42", {}), ("N01", {"pause": 2}), ("N01", {"options": ["move_ends_on_capture"]})],
)
def test_a_path_goes_round_an_enemy_area_that_may_not_be_crossed(unit, how):
    """From Illescas to Fuenlabrada the way over Griñón is as long as that over Parla."""
    for enemys, around in (("B", "C"), ("C", "B")):
        own = " ".join({"A", "B", "C", "D", "J", "E", "I"} - {enemys})
        position = table({"D": unit}, nationalist=own, **how)
        ends = {path[-1]: path for path in movement.reachable(position, N, (unit,))}
        assert ends["J"] == ("D", around, "J")
        assert (enemys in ends) == ("options" in how), "it may be taken where a move ends there"
    friends = table({"D": unit, "L": "N02 R01"}, nationalist="C D P", **how)
    ends = {path[-1]: path for path in movement.reachable(friends, N, (unit,))}
    assert ends["L"] == ("D", "C", "L")
    assert ("P" in ends) == (unit == "N01"), "the enemy in Getafe does not end the move"
    alone = movement.reachable(table({"D": "N01"}, nationalist="D"), N, ("N01",))
    assert ("D", "B") in alone and ("D", "B", "J") in alone


def test_paths_are_kept_until_a_unit_moves_or_an_area_changes_hands():
    before = table({"D": "N01", "C": "R01"})
    known = movement.reachable(before, N, ("N01",))
    assert movement.reachable(before.but(passes=1), N, ("N01",)) is known
    crowded = table({"D": "N01 N02", "5": "N03 N04 N05 N06 N10 N11 N12 N13 N14 N15"})
    alone, both = (movement.reachable(crowded, N, units) for units in (("N01",), ("N01", "N02")))
    assert alone is both, "a box is never too full"
    (nobody_else,) = {path[0] for path in movement.reachable(table({"5": "N01"}), N, ("N01",))}
    assert nobody_else == "5"
    conquered = before.but(control={**before.control, "B": N})
    left = before.with_units(("R01",), "E")
    for after, same in (
        (conquered, table({"D": "N01", "C": "R01"}, nationalist="D B")),
        (left, table({"D": "N01", "E": "R01"})),
    ):
        found = movement.reachable(after, N, ("N01",))
        assert found == movement.reachable(same, N, ("N01",)) != known
