"""5 to 7: stacking, supply, zones of control."""

import pytest

from pbem.engine.model import Unfolding
from pbem.games.ctv import events as e
from pbem.games.ctv.orders import Attack, Backing, Move, Support
from pbem.games.ctv.position import ELIMINATED, RAIN
from pbem.games.ctv.rules import bombardment, combat, fate, movement, stacking
from pbem.games.ctv.stages.movement import Marching, Segment
from tests.games.ctv.table import N, R, begun, fighting, marching, table


def supplied(position, hex, side):
    return bool(position.judged[side] & position.board.masks.bit[hex])


# ------------------------------------------------------------------- 5: stacking


@pytest.mark.rule("5")
def test_of_each_type_without_points_a_hex_holds_one():
    there = {
        "2110": "N-HQ-LIT N-3PZ1 N-SC-1 N-LIT-1", "2111": "N-HQ-CTV N-4T26 N-SC-2 N-LIT-2",
    }  # fmt: skip
    game = marching(table(there), N)
    for unit in ("N-HQ-CTV", "N-4T26", "N-SC-2"):
        assert game.broken(Move((unit,), ("2110",))) == ["5"]
        offered = movement.reachable(game.position, unit)
        assert "2110" not in offered and "2210" in offered
    assert game.broken(Move(("N-LIT-2",), ("2110",))) == []
    assert "2110" in movement.reachable(game.position, "N-LIT-2")
    assert game.broken(Move(("N-HQ-CTV",), ("2110", "2210"))) == [], "passing through is free"


@pytest.mark.rule("5")
def test_two_armoured_units_that_a_retreat_brought_together_bar_no_others():
    position = table({"2105": "R-RFT R-TRU", "2005": "R-179"})
    game = marching(position, R)
    assert game.broken(Move(("R-179",), ("2105",))) == []
    assert game.broken(Move(("R-RFT", "R-TRU"), ("2005",))) == ["5"]
    assert stacking.is_overstacked(position, "2105", R)
    game.order(Move(("R-RFT",), ("2005",)))
    assert not stacking.is_overstacked(game.position, "2105", R)


@pytest.mark.rule("5", "5.1")
def test_the_limit_is_that_of_the_ground():
    assert not stacking.is_overstacked(table({"2405": "N-NI-1 N-NI-2 N-NI-3"}), "2405", N)
    assert stacking.is_overstacked(table({"2405": "N-NI-1 N-NI-2 N-NI-3 N-CEL"}), "2405", N)
    assert not stacking.is_overstacked(table({"2110": "N-LIT-1 N-LIT-2 N-HQ-LIT"}), "2110", N)
    assert stacking.is_overstacked(table({"2110": "N-LIT-1 N-LIT-2 N-CEL"}), "2110", N)
    assert stacking.is_overstacked(table({"2001": "N-LIT-1 N-LIT-2 N-CEL"}), "2001", N)
    assert not stacking.is_overstacked(table({"1522": "N-LIT-1 N-LIT-2 N-FIN-8"}), "1522", N)


@pytest.mark.rule("5.1", "5")
def test_a_move_may_end_in_an_overstacked_hex_at_its_price():
    position = table({"2110": "N-LIT-1 N-LIT-2", "2111": "N-CEL", "2010": "R-168"})
    game = marching(position, N).order(Move(("N-CEL",), ("2110",)))
    units = ("N-LIT-1", "N-LIT-2")
    assert combat.attack_strength(game.position, {"2110": units}) == 5, "10 / 2"


@pytest.mark.rule("5.1.1")
def test_ruin_takes_everybody_headquarters_and_armour_too():
    position = table({"2205": "R-178 R-179 R-180 R-HQ-55 R-RFT", "2206": "R-177"},
                     trenches=frozenset({"2205"}))  # fmt: skip
    story = Unfolding(position)
    fate.retreat(story, ["R-177"], "2205")
    lost = [each.unit for each in story.events if isinstance(each, e.UnitEliminated)]
    assert sorted(lost) == ["R-177", "R-178", "R-179", "R-180", "R-HQ-55", "R-RFT"]
    assert not story.position.trenches
    assert not stacking.is_ruinous(position, "2205", ["R-178", "R-179", "R-180", "R-R1"])
    assert stacking.is_ruinous(position, "2205", ["R-178", "R-179", "R-180", "R-177"])


@pytest.mark.rule("5.1.1")
def test_a_retreat_into_a_crowd_below_twice_the_limit_is_no_ruin():
    story = Unfolding(table({"2205": "R-178 R-179", "2206": "R-177"}))
    fate.retreat(story, ["R-177"], "2205")
    assert not [each for each in story.events if isinstance(each, e.UnitEliminated)]
    assert stacking.is_overstacked(story.position, "2205", R)


# ------------------------------------------------------------------- 6: supply


@pytest.mark.rule("6.2")
def test_sources_are_where_roads_leave_the_map_and_santander():
    board = table().board
    assert set(board.sources[R]) == {"1211", "1301", "1401", "1901"}
    assert len(board.sources[N]) == 8
    assert "1211" not in board.exits[R] and set(board.exits[N]) == set(board.sources[N])


@pytest.mark.rule("6.2")
def test_a_source_in_the_hands_of_the_enemy_supplies_nobody():
    taken = table({"1210": "R-183"}, nationalist="1211 1301 1401 1901")
    assert "R-183" in taken.unsupplied
    assert "R-183" not in table({"1210": "R-183"}, nationalist="1301 1401 1901").unsupplied
    assert not table({"1211": "R-183"}, nationalist="1301 1401 1901").unsupplied
    held = {"1210": "R-183", "1211": "N-NI-1"}
    assert "R-183" in table(held, nationalist="1301 1401 1901").unsupplied
    assert "1211" not in taken.board.sources[N], "nor those who have taken it"


@pytest.mark.rule("6.2", "6.2.1")
def test_a_source_in_an_enemy_zone_needs_a_friendly_unit():
    others = "1301 1401 1901"
    zoned = {"1110": "R-183", "1210": "N-NI-1"}
    assert table(zoned, nationalist=others).unsupplied == {"R-183"}
    assert not table({**zoned, "1211": "R-184"}, nationalist=others).unsupplied


@pytest.mark.rule("6.2", "8.1.1", "10.8")
def test_a_source_that_is_entered_supplies_who_came_through():
    others = "1301 1401 1901"
    position = table({"1110": "R-183"}, nationalist=f"{others} 1211")
    assert "R-183" in position.unsupplied
    game = marching(position, R)
    assert game.broken(Move(("R-183",), ("1210",))) == ["8.1.1"]
    assert game.broken(Move(("R-183",), ("1211", "1210"))) == []
    game.order(Move(("R-183",), ("1211", "1210")))
    assert game.position.control["1211"] == R


@pytest.mark.rule("6.2.1")
def test_a_friendly_unit_opens_a_zone_to_a_line():
    units = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2", "1805": "N-NI-3"}
    assert not supplied(table(units), "2006", R)
    assert supplied(table({**units, "1906": "R-180"}), "2006", R)


@pytest.mark.rule("6.2.1")
def test_a_column_alone_bars_no_line():
    units = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2"}
    assert supplied(table({**units, "1905": "N-SC-1"}), "2006", R)


@pytest.mark.rule("6.2.1")
def test_a_line_passes_no_enemy_unit():
    wall = {"1110": "R-183", "1209": "N-HQ-NAV", "1210": "N-NI-2"}
    assert not supplied(table(wall), "1110", R)


@pytest.mark.rule("6.4", "7.1.1")
def test_zones_of_units_without_supply_close_no_line():
    units = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2", "1805": "N-NI-3"}
    ringed = {**units, "1704": "R-170", "1705": "R-171", "1806": "R-172", "1904": "R-173",
              "1905": "R-174", "1804": "R-175"}  # fmt: skip
    position = table(ringed)
    assert "N-NI-3" in position.unsupplied and supplied(position, "2006", R)


@pytest.mark.rule("6.4")
def test_the_second_look_stands_for_those_who_cut_each_other_off():
    pair = table({"1209": "R-183", "1110": "N-NI-1"}, nationalist="1301 1401 1901")
    assert supplied(pair, "1209", R) and supplied(pair, "1110", N)


@pytest.mark.rule("6.4")
def test_supply_is_judged_for_both_sides_when_a_segment_begins():
    units = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2", "1805": "N-NI-3"}
    position = table(units, unsupplied=frozenset({"N-NI-1"}))
    game = begun(position, Segment(N, "combat"), Marching(N))
    assert game.position.unsupplied == {"R-179"}
    judged = game.event(e.SupplyJudged)
    assert judged.looked_at == {"R-179", "N-NI-1", "N-NI-2", "N-NI-3"}
    assert not begun(game.position, Segment(R, "movement"), Marching(R)).all(e.SupplyJudged)


@pytest.mark.rule("6.4", "10.2")
def test_the_units_of_a_combat_are_judged_again():
    units = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2", "1805": "N-NI-3",
             "1509": "R-170"}  # fmt: skip
    position = table(units, unsupplied=frozenset({"R-170"}))
    game = fighting(position, N).order(Attack("2006", {"2007": ("N-NI-1",)}))
    assert game.event(e.SupplyJudged).looked_at == {"N-NI-1", "R-179"}
    assert game.position.unsupplied == {"R-179", "R-170"}, "R-170 has no part in it"


@pytest.mark.rule("10.2", "6.3.1", "7.1.1")
def test_who_stands_with_the_attackers_is_judged_with_them():
    there = {"2006": "N-LIT-1 N-HQ-LIT N-SC-1", "2106": "R-178", "2005": "R-179", "2007": "R-180",
             "1906": "R-170"}  # fmt: skip
    position = table(there, turn=3, weather=RAIN, unsupplied=frozenset())
    game = fighting(position, N).order(Attack("2106", {"2006": ("N-LIT-1",)}))
    assert game.position.unsupplied == {"N-LIT-1", "N-HQ-LIT"}
    assert not game.position.is_in_enemy_zone("2106", R)
    assert game.asks is None, "it cannot bombard, so nobody is asked"
    support = Backing(hq=("N-HQ-LIT",), columns={"2006": 1})
    planned = Attack("2106", {"2006": ("N-LIT-1",)}, support)
    assert fighting(position, N).broken(planned) == ["6.3.1"]


@pytest.mark.rule("10.2", "6.3.1")
def test_a_headquarters_bombards_if_it_has_supply_when_the_combat_is_fought():
    there = {"2006": "R-179 R-HQ-55", "2007": "N-NI-1", "2105": "N-NI-2", "1806": "R-178",
             "1705": "N-NII-1"}  # fmt: skip
    attack, fire = Attack("1806", {"1705": ("N-NII-1",)}, support="none"), Support(hq=("R-HQ-55",))
    freed = table(there, unsupplied=frozenset({"R-HQ-55"}))
    assert fighting(freed, N).order(attack).broken(fire) == [], "it was out as the segment began"
    closed = table({**there, "1805": "N-NI-3"}, unsupplied=frozenset())
    game = fighting(closed, N).order(attack)
    assert game.position.unsupplied == set(), "so it is not yet marked"
    battle = game.position.battle
    assert bombardment.why_no_support(game.position, battle, "R-HQ-55")[1] == "6.3.1"
    assert bombardment.why_no_support(freed, battle, "R-HQ-55") == ("", "9.2")


@pytest.mark.rule("6.3.1", "9.5.1")
def test_who_falls_out_of_supply_rises_a_level_once():
    units = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2", "1805": "N-NI-3"}
    fresh = table(units, unsupplied=frozenset())
    story = Unfolding(fresh.but(levels={"R-179": 1}))
    fate.judge_supply(story)
    assert story.position.levels == {"R-179": 2}
    again = Unfolding(story.position)
    fate.judge_supply(again)
    assert again.position.levels == {"R-179": 2} and not again.events
    sound = Unfolding(fresh)
    fate.judge_supply(sound)
    assert not sound.position.levels


@pytest.mark.rule("6.3.1")
def test_the_level_for_lack_of_supply_is_charged_once_for_each_disorganisation():
    cut_off = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2", "1805": "N-NI-3"}
    story = Unfolding(table(cut_off))

    def judged_with(hex):
        story.happen(e.UnitsMoved(("N-NI-3",), (hex,), 0, "1805"))
        fate.judge_supply(story)
        is_out = "R-179" in story.position.unsupplied
        return is_out, story.position.levels.get("R-179", 0)

    fate.disorganise(story, ["R-179"], 1)
    assert story.position.levels == {"R-179": 2}, "one more with the first"
    assert [judged_with(hex) for hex in ("2511", "1805", "2511", "1805")] == [
        (False, 2), (True, 2), (False, 2), (True, 2)]  # fmt: skip
    story.happen(e.TurnEnded({"R-179": 1}))
    assert [judged_with(hex) for hex in ("2511", "1805")] == [(False, 1), (True, 1)], (
        "what a slow recovery leaves is still the same disorganisation"
    )
    story.happen(e.TurnEnded({}))
    assert judged_with("2511") == (False, 0)
    fate.disorganise(story, ["R-179"], 1)
    assert judged_with("1805") == (True, 2), "a new one is charged anew"


@pytest.mark.rule("9.5.1", "6.4")
def test_at_the_last_level_and_without_supply_a_unit_is_lost():
    units = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2", "1805": "N-NI-3"}
    for level, known in ((2, False), (3, False), (3, True)):
        story = Unfolding(table(units, levels={"R-179": level},
                                unsupplied=frozenset({"R-179"} if known else ())))  # fmt: skip
        fate.judge_supply(story)
        assert story.position.places["R-179"] == ELIMINATED
        assert not [each for each in story.events if isinstance(each, e.Disorganised)]
        assert story.position.levels == {} and "R-179" not in story.position.unsupplied
    spared = Unfolding(table(units, levels={"R-179": 2}))
    fate.judge_supply(spared)
    assert spared.position.levels == {"R-179": 2}


@pytest.mark.rule("6.4", "9.4.1")
def test_nobody_bombards_who_is_lost_to_the_lack_of_supply_as_the_attack_begins():
    units = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2", "1805": "N-NI-3"}
    game = fighting(table(units, levels={"R-179": 3}), N)
    air = Backing(air=("N-FAN-1",))
    game.order(Attack("2006", {"2007": ("N-NI-1",)}, support=air))
    assert game.position.places["R-179"] == ELIMINATED and not game.all(e.SupportGiven)


@pytest.mark.rule("6.3.1")
def test_back_in_supply_a_unit_keeps_its_level():
    position = table({"2405": "N-NI-1"}, levels={"N-NI-1": 2}, unsupplied=frozenset({"N-NI-1"}))
    story = Unfolding(position)
    fate.judge_supply(story)
    assert story.position.levels == {"N-NI-1": 2} and not story.position.unsupplied
    assert combat.halved_sum(story.position, ["N-NI-1"], "attack", up=False, overstacked=False) == 2


@pytest.mark.rule("6.3", "9.5")
def test_without_supply_and_disorganised_counts_half_once():
    position = table({"2405": "N-NI-1"}, levels={"N-NI-1": 2}, unsupplied=frozenset({"N-NI-1"}))
    assert combat.halved_sum(position, ["N-NI-1"], "attack", up=False, overstacked=False) == 2
    assert movement.allowance(position, "N-NI-1") == 3
    assert position.is_halved("N-NI-1") and not position.but(
        levels={}, unsupplied=frozenset()
    ).is_halved("N-NI-1")


# ------------------------------------------------------------------- 7: zones


@pytest.mark.rule("7.1")
def test_headquarters_and_armour_have_zones_and_columns_have_none():
    for unit, has in (("N-HQ-LIT", True), ("N-3PZ1", True), ("N-SC-1", False), ("N-LIT-1", True)):
        position = table({"2110": unit})
        assert position.is_in_enemy_zone("2010", R) is has
        assert not position.is_in_enemy_zone("2110", R), "not into its own hex"
        assert not position.is_in_enemy_zone("2010", N)


@pytest.mark.rule("7.1")
def test_a_zone_reaches_into_the_six_hexes_around_and_the_sea():
    board = table().board
    assert board.zone["2110"] == {"2109", "2111", "2010", "2011", "2210", "2211"}
    assert "1111" in board.zone["1110"] and "1111" not in board.ground
    assert "1001" not in board.zone["1110"] and board.zone["2501"] <= board.everywhere


@pytest.mark.rule("7.2")
def test_a_unit_stops_in_a_zone_and_goes_from_one_to_the_next():
    position = table({"2210": "N-LIT-1", "2010": "R-168"})
    game = marching(position, N)
    assert game.broken(Move(("N-LIT-1",), ("2110", "2111"))) == ["7.2"]
    assert game.broken(Move(("N-LIT-1",), ("2110",))) == []
    inside = table({"2110": "N-LIT-1", "2010": "R-168"})
    assert marching(inside, N).broken(Move(("N-LIT-1",), ("2011",))) == []
    assert movement.path_cost(inside, "N-LIT-1", ("2110", "2011")) == 6, "2 + 1, and no road"


@pytest.mark.rule("7.2")
def test_a_friendly_unit_does_not_cancel_a_zone_for_movement():
    position = table({"2210": "N-LIT-1", "2110": "N-LIT-2", "2010": "R-168"})
    assert marching(position, N).broken(Move(("N-LIT-1",), ("2110", "2111"))) == ["7.2"]


@pytest.mark.rule("7.2")
def test_columns_stop_in_zones_and_pay_to_leave_them():
    position = table({"2210": "N-SC-1", "2010": "R-168", "2209": "N-LIT-1"})
    game = marching(position, N)
    assert game.broken(Move(("N-SC-1",), ("2110", "2111"))) == ["7.2"]
    inside = table({"2110": "N-SC-1", "2010": "R-168"})
    assert movement.path_cost(inside, "N-SC-1", ("2110", "2210")) == 6


@pytest.mark.rule("7.1.1")
def test_a_zone_ends_when_a_check_finds_its_unit_without_supply():
    position = table({"2210": "N-LIT-1", "2010": "R-168"}, unsupplied=frozenset({"R-168"}))
    assert marching(position, N).broken(Move(("N-LIT-1",), ("2110", "2111"))) == []
    pair = table({"2010": "R-168 R-169"}, unsupplied=frozenset({"R-168"}))
    assert pair.is_in_enemy_zone("2110", N), "one of them is in supply"
