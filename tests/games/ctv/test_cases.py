"""Worked cases of the rules, each from an order to what it brings about."""

from __future__ import annotations

import pytest

from pbem.engine.model import IfRolled, Unfolding
from pbem.games.ctv import events as e
from pbem.games.ctv.orders import (
    Attack,
    Breakthrough,
    Column,
    Losses,
    Move,
    Remain,
    Support,
    Trade,
    UseColumns,
    Withdraw,
)
from pbem.games.ctv.position import ELIMINATED, RAIN, Combat
from pbem.games.ctv.rules import bombardment, combat, fate, movement, stacking, war
from pbem.games.ctv.stages.combat import Deciding, Ends
from pbem.games.ctv.stages.turn import EndOfTurn, Factory, Offensive, Surrender, Weather
from pbem.games.ctv.tables import GRID
from tests.games.ctv.table import N, R, begun, fighting, joined, marching, system, table


def supplied(position, unit):
    side = position.side_of(unit)
    return bool(position.judged[side] & position.board.masks.bit[position.at(unit)])


# ------------------------------------------------------------------- the map and stacking


@pytest.mark.rule("1.3", "1.3.1", "1.3.2")
def test_the_grid_by_every_stated_fact():
    board = system().tables
    assert sorted(GRID.around("2006")) == ["1905", "1906", "2005", "2007", "2105", "2106"]
    assert {"1110", "1210"} == set(board.graph.neighbours("1211"))
    assert {"1110", "1210"} < set(GRID.around("1211"))
    assert "1215" in GRID.around("1314") and not board.graph.are_joined("1314", "1215")
    assert board.ground["1603"] == board.ground["1618"] == "mountain"
    assert len(board.hexes) == 293 and len(board.everywhere) == 330
    assert {side: len(hexes) for side, hexes in board.front.items()} == {N: 29, R: 27}


@pytest.mark.rule("5", "5.1", "1.4")
def test_an_overstacked_hex_counts_half():
    position = table({"2205": "R-178 R-179 R-180"})
    assert stacking.points(position, position.units_at("2205")) == 6
    assert stacking.is_overstacked(position, "2205", R)
    units = position.units_at("2205")
    half = combat.halved_sum(position, units, "attack", up=False, overstacked=True)
    assert half == 4, "2 + 3 + 3 = 8, halved"
    assert combat.halved_sum(position, units, "defence", up=True, overstacked=True) == 4
    single = table({"2205": "R-178 R-179 R-180"}, options=["unit_by_unit"])
    assert combat.halved_sum(single, units, "attack", up=False, overstacked=True) == 3
    assert combat.halved_sum(single, units, "defence", up=True, overstacked=True) == 3


@pytest.mark.rule("5.1.1")
def test_twice_the_limit_is_ruin():
    position = table({"2205": "R-178 R-179 R-180", "2206": "R-177"})
    assert marching(position, R).broken(Move(("R-177",), ("2205",))) == ["5.1.1"]
    story = Unfolding(position)
    fate.retreat(story, ["R-177"], "2205")
    assert all(story.position.places[unit] == ELIMINATED
               for unit in ("R-177", "R-178", "R-179", "R-180"))  # fmt: skip


# ------------------------------------------------------------------- supply and zones


@pytest.mark.rule("6.3", "7.1.1")
def test_a_unit_without_supply_counts_half_and_has_no_zone():
    position = table({"1710": "N-NI-1"}, unsupplied=frozenset({"N-NI-1"}))
    assert combat.halved_sum(position, ["N-NI-1"], "attack", up=False, overstacked=False) == 2
    assert combat.halved_sum(position, ["N-NI-1"], "defence", up=True, overstacked=False) == 2
    assert movement.allowance(position, "N-NI-1") == 3
    assert position.zones[N] == 0


@pytest.mark.rule("6.1", "6.2", "6.2.1", "6.4", "7.1", "7.1.1")
def test_lines_of_supply_and_the_zones_that_close_them():
    units = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2"}
    assert supplied(table(units), "R-179"), "through 1905"
    closed = table({**units, "1805": "N-NI-3"})
    assert not supplied(closed, "R-179")
    assert all(supplied(closed, unit) for unit in ("N-NI-1", "N-NI-2", "N-NI-3"))
    assert closed.unsupplied == {"R-179"} and closed.zones[R] == 0


# ------------------------------------------------------------------- movement


@pytest.mark.rule("8.1", "8.2", "7.2")
def test_roads_and_zones():
    road = ("2411", "2310", "2210", "2110")
    free = table({"2511": "N-LIT-1"})
    assert movement.path_cost(free, "N-LIT-1", ("2511", *road)) == 4, "two points"
    assert marching(free, N).broken(Move(("N-LIT-1",), road)) == []
    zoned = table({"2511": "N-LIT-1", "2010": "R-168"})
    assert movement.path_cost(zoned, "N-LIT-1", ("2511", *road)) == 16, "2+2+2+2 without the road"
    assert marching(zoned, N).broken(Move(("N-LIT-1",), road)) == []
    assert movement.path_cost(zoned, "N-LIT-1", ("2511", *road[:3])) == 3
    onward = Move(("N-LIT-1",), (*road, "2111"))
    assert marching(zoned, N).broken(onward) == ["7.2"]


@pytest.mark.rule("7.2", "8.2")
def test_leaving_a_zone_costs_a_point_and_no_road_counts():
    position = table({"2110": "N-LIT-1", "2010": "R-168"})
    assert movement.path_cost(position, "N-LIT-1", ("2110", "2210")) == 6, "2 + 1"


@pytest.mark.rule("8.1.1", "10.4.1")
def test_no_unit_enters_a_hex_where_it_would_be_out_of_supply():
    position = table({"1909": "R-177", "1911": "R-169", "2010": "N-LIT-1"})
    assert not movement.would_be_supplied(position, ["N-LIT-1"], "1910", N)
    helped = table({"1909": "R-177", "1911": "R-169", "2010": "N-LIT-1", "2011": "N-FIN-8"})
    assert movement.would_be_supplied(helped, ["N-LIT-1"], "1910", N)


# ------------------------------------------------------------------- bombardment


def battle(position, hex, *attackers, support=()):
    return position.but(battle=Combat(hex, attackers, tuple(support)))


@pytest.mark.rule("9.4.2", "10.7")
def test_the_example_of_a_bombardment():
    there = {"2010": "R-168 R-HQ-XV", "2110": "N-LIT-1 N-HQ-LIT", "2111": "N-SC-1"}
    given = battle(table(there), "2010", "N-LIT-1",
                   support=("N-LK-1", "N-LK-2", "N-HQ-LIT", "N-SC-1", "R-HQ-XV"))  # fmt: skip
    assert bombardment.difference(given, given.battle) == (N, 2)
    assert bombardment.levels_for(given, 2, 4) == 1
    assert bombardment.levels_for(given, 2, 3) == 0, "with a trench"
    trench = given.but(trenches=frozenset({"2010"}))
    chart = given.board.charts["bombardment"]
    assert combat.trench_modifier(trench, "2010", chart) == -1
    assert combat.trench_modifier(given, "2010", chart) == 0


@pytest.mark.rule("9.4.2", "9.1.1")
def test_equal_points_roll_for_nobody_but_the_air_units():
    there = {"2010": "R-168 R-HQ-XV", "2110": "N-LIT-1 N-HQ-LIT"}
    game = fighting(table(there), N).order(Attack("2010", {"2110": ("N-LIT-1",)}))
    game.order(Support(air=("N-LK-1",), hq=("N-HQ-LIT",)))
    game.order(Support(hq=("R-HQ-XV",)))
    game.roll(1)
    assert not game.all(e.Bombarded) and game.event(e.AirRolled).until == 4


@pytest.mark.rule("9.4.2", "9.4.3", "9.4.1")
def test_the_defender_bombards_all_attackers():
    there = {"2010": "R-168 R-HQ-XV", "2110": "N-LIT-1 N-HQ-LIT", "2011": "N-FIN-8"}
    order = Attack("2010", {"2110": ("N-LIT-1",), "2011": ("N-FIN-8",)})
    game = fighting(table(there), N).order(order)
    game.order(Support(hq=("N-HQ-LIT",)))
    game.order(Support(hq=("R-HQ-XV",), air=("R-AIR-1",)))
    game.roll(5, 6)
    bombarded = game.event(e.Bombarded)
    mine = bombardment.points_of(game.position, ("R-HQ-XV", "R-AIR-1"))
    theirs = bombardment.points_of(game.position, ("N-HQ-LIT",))
    assert (bombarded.side, bombarded.points, bombarded.against) == (R, mine, theirs)
    assert {each.unit: each.level for each in game.all(e.Disorganised)} == {
        "N-LIT-1": 1, "N-FIN-8": 1}  # fmt: skip


@pytest.mark.rule("9.5", "9.5.1")
def test_levels_of_disorganisation():
    story = Unfolding(table({"2205": "R-180"}))
    seen = []
    for levels in (2, 1, 1):
        fate.disorganise(story, ["R-180"], levels)
        seen.append(story.position.levels.get("R-180"))
        if seen[-1]:
            assert combat.halved_sum(
                story.position, ["R-180"], "attack", up=False, overstacked=False) == 1  # fmt: skip
    assert seen == [2, 3, None] and story.position.places["R-180"] == ELIMINATED


@pytest.mark.rule("6.3.1", "9.5.1")
def test_without_supply_the_first_level_is_two():
    position = table({"2405": "R-180", "2404": "N-NI-1", "2406": "N-NI-2", "2304": "N-NI-3"})
    assert "R-180" in position.unsupplied
    story = Unfolding(position)
    fate.disorganise(story, ["R-180"], 1)
    now = story.position
    assert now.levels == {"R-180": 2}
    values = [combat.halved_sum(now, ["R-180"], which, up=up, overstacked=False)
              for which, up in (("attack", False), ("defence", True))]  # fmt: skip
    assert values == [1, 2] and movement.allowance(now, "R-180") == 2
    fate.disorganise(story, ["R-180"], 1)
    assert story.position.places["R-180"] == ELIMINATED


# ------------------------------------------------------------------- combat


@pytest.mark.rule("10.2.1")
def test_a_concentric_attack():
    units = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2"}
    attackers = {"2007": ("N-NI-1",), "2105": ("N-NI-2",)}
    assert combat.is_concentric(table(units), "2006", attackers)
    for hex in ("1906", "2005", "2106"):
        assert not combat.is_concentric(table({**units, hex: "R-180"}), "2006", attackers)
    assert combat.is_concentric(table({**units, "1905": "R-180"}), "2006", attackers)
    others = {"2006": "R-179", "2007": "N-NI-1", "2106": "N-NI-2"}
    attackers = {"2007": ("N-NI-1",), "2106": ("N-NI-2",)}
    assert not combat.is_concentric(table(others), "2006", attackers)
    assert combat.is_concentric(table({**others, "1905": "N-NI-3"}), "2006", attackers)


@pytest.mark.rule("1.3.2")
def test_santander_is_attacked_from_two_hexes():
    position = table({"1310": "N-NI-1", "1210": "N-NI-2", "1211": "R-183"})
    game = fighting(position, N)
    assert game.broken(Attack("1211", {"1310": ("N-NI-1",)})) == ["1.3.2"]
    assert game.broken(Attack("1211", {"1210": ("N-NI-2",)})) == []


@pytest.mark.rule("10.1")
def test_as_many_points_attack_from_a_hex_as_the_other_holds():
    position = table({"1909": "R-177", "2010": "N-LIT-1 N-LIT-2 N-ARD N-L335"})
    game = fighting(position, N)
    assert game.broken(Attack("1909", {"2010": ("N-LIT-1", "N-LIT-2", "N-ARD")})) == ["10.1"]
    assert game.broken(Attack("1909", {"2010": ("N-LIT-1", "N-LIT-2", "N-L335")})) == []


@pytest.mark.rule("10.2", "1.4")
def test_strengths_and_columns():
    board = system().tables
    mountain = table({"1909": "R-170 R-171"})
    assert combat.defence_strength(mountain, "1909") == 18
    assert board.odds.heading(combat.column_of(mountain, 20, 18, 0)[0]) == "1:1"
    weak = table({"1909": "R-170 R-171"}, levels={"R-170": 1, "R-171": 1})
    assert combat.defence_strength(weak, "1909") == 9
    assert board.odds.heading(combat.column_of(weak, 20, 9, 0)[0]) == "2:1"
    single = table({"1909": "R-170 R-171"}, levels={"R-170": 1, "R-171": 1},
                   options=["unit_by_unit"])  # fmt: skip
    assert combat.defence_strength(single, "1909") == 12
    assert board.odds.heading(combat.column_of(single, 20, 12, 0)[0]) == "3:2"
    assert combat.defence_strength(table({"2205": "R-170"}), "2205") == 5, "4.5"


@pytest.mark.rule("10.7")
def test_a_trench():
    position = table({"2305": "R-170"}, trenches=frozenset({"2305"}))
    assert combat.modifiers(position, "2305", {"2405": ("N-NI-1",)}) == {"trench": -1}
    column, _ = combat.column_of(position, 15, 3, 0)
    assert combat.result_of(position, column, 6 - 1) == "0/3"
    story = Unfolding(position)
    fate.eliminate(story, ["R-170"], "losses")
    assert not story.position.trenches


@pytest.mark.rule("4.4")
def test_the_first_turn_moves_columns_near_the_ctv():
    position = table({"2111": "N-HQ-CTV"}, turn=1)
    assert combat.first_turn_shift(position, N, "2010") == 1
    assert combat.first_turn_shift(position, N, "1909") == 0
    assert combat.first_turn_shift(position.but(turn=2), N, "2010") == 0
    assert combat.first_turn_shift(position, R, "2010") == 0
    assert combat.column_of(position, 1, 3, 1) == (0, 0)
    assert combat.column_of(position, 1, 3, 0) == (0, -1)


@pytest.mark.rule("10.3")
def test_losses_are_even_in_a_hex():
    position = table({"2205": "R-178 R-179 R-RFT"})
    units = position.units_at("2205")

    def after(steps, ranks, now=position):
        story = Unfolding(now)
        for _ in range(steps):
            able = combat.next_to_lose(story.position, units, dict(now.lost))
            if able:
                fate.lose_step(story, combat.ranked(story.position, Losses(ranks), able)[0])
        return {unit: story.position.lost.get(unit, 0) if story.position.at(unit) else "gone"
                for unit in units}  # fmt: skip

    assert after(3, ()) == {"R-178": 1, "R-179": 1, "R-RFT": "gone"}
    assert after(2, ("R-179", "R-178")) == {"R-178": 1, "R-179": 1, "R-RFT": 0}
    assert after(4, ("R-179",)) == {"R-178": 1, "R-179": "gone", "R-RFT": "gone"}
    reduced = position.but(lost={"R-178": 1})
    assert after(1, ("R-178",), reduced)["R-178"] == 1
    option = position.but(lost={"R-178": 1},
                          options=position.options | {"losses_of_this_combat"})  # fmt: skip
    assert after(1, ("R-178",), option)["R-178"] == "gone"


def struck(result_die, units="R-179 R-180", **changes):
    """An attack on 2205 at 4:1 that rolls a die; no support."""
    there = {"2205": units, "2204": "N-NI-1 N-NI-2", "2304": "N-NI-3 N-NIV-1"}
    position = table(there, **changes)
    order = Attack("2205", {"2204": ("N-NI-1", "N-NI-2"), "2304": ("N-NI-3", "N-NIV-1")})
    game = fighting(position, N).order(order)
    while game.asks and game.asks.stage in ("support", "columns"):
        game.default()
    return game.roll(result_die)


@pytest.mark.rule("10.5", "10.5.1", "10.6", "9.5")
def test_a_step_is_traded_for_a_retreat():
    game = struck(6)
    assert game.event(e.CombatRolled).result == "1/2", "20 : 9 is 2:1"
    if game.asks.stage == "losses":
        game.default()
    assert game.asks.stage == "trade"
    game.order(Trade("2105"))
    if game.asks and game.asks.stage == "losses":
        game.order(Losses(("R-179",)))
    assert game.position.lost["R-179"] == 1 and game.where("R-179", "R-180") == ["2105", "2105"]
    assert game.position.levels == {"R-179": 1, "R-180": 1}
    stays = struck(6)
    if stays.asks.stage == "losses":
        stays.default()
    stays.order(Trade())
    assert {stays.position.lost.get(unit) for unit in ("R-179", "R-180")} == {1}
    assert stays.where("R-179", "R-180") == ["2205", "2205"]


@pytest.mark.rule("10.6", "10.6.1")
def test_morale_by_troops():
    board = system().tables
    for units, total, result in (
        ("R-179", 6, "retreat"), ("R-157", 5, "retreat"), ("R-183", 4, "disorganised"),
        ("R-183 R-179", 6, "retreat"),
    ):  # fmt: skip
        position = table({"2205": units}, marker=2)
        modifier = combat.morale_modifier(position, position.units_at("2205"))
        assert 4 + position.marker + modifier == total
        assert board.morale_for(total) == result


@pytest.mark.rule("10.4.1", "8.1.1")
def test_a_breakthrough():
    board = system().tables
    column, _ = combat.column_of(table({}), 6, 1, 0)
    assert board.odds.heading(column) == "6:1" and combat.result_of(table({}), column, 5) == "B"
    there = {"2409": "R-164 R-HQ-51", "2410": "N-NI-1 N-NI-2 N-NI-3", "2509": "N-NII-1 N-NII-2",
             "2508": "N-NIII-1 N-NIII-2"}  # fmt: skip
    order = Attack("2409", {"2410": ("N-NI-1", "N-NI-2"), "2509": ("N-NII-1", "N-NII-2"),
                            "2508": ("N-NIII-1", "N-NIII-2")})  # fmt: skip
    game = fighting(table(there), N).order(order)
    while game.asks and game.asks.stage in ("support", "columns"):
        game.default()
    game.roll(6)
    assert game.event(e.CombatRolled).result == "B"
    assert game.where("R-164", "R-HQ-51") == [ELIMINATED, ELIMINATED]
    assert not game.all(e.MoraleRolled) and game.asks.stage == "breakthrough"
    long = Breakthrough({"N-NI-1": ("2409", "2309", "2209", "2109")})
    assert game.broken(long) == ["10.4.1"]
    assert game.broken(Breakthrough({"N-NI-1": ("2309",)})) == ["10.4.1"]
    game.order(Breakthrough({"N-NI-1": ("2409", "2309", "2209"), "N-NII-1": ("2409",)}))
    assert game.where("N-NI-1", "N-NII-1") == ["2209", "2409"]
    assert game.position.control["2309"] == N


@pytest.mark.rule("9.2")
def test_a_headquarters_is_lost_when_its_troops_go():
    position = table({"2206": "R-HQ-53 R-172"})
    story = Unfolding(position)
    fate.retreat(story, combat.who_retreats(position, position.units_at("2206")), "2106")
    assert story.position.places["R-172"] == "2106"
    assert story.position.places["R-HQ-53"] == ELIMINATED and story.position.brigades_lost == 0


@pytest.mark.rule("9.2")
def test_an_italian_headquarters_supports_its_own_division():
    there = {"2010": "R-168", "2110": "N-HQ-LIT", "2011": "N-FIN-8", "2111": "N-HQ-CTV"}
    game = fighting(table(there), N).order(Attack("2010", {"2011": ("N-FIN-8",)}))
    assert game.broken(Support(hq=("N-HQ-LIT",))) == ["9.2"]
    assert game.broken(Support(hq=("N-HQ-CTV",))) == []


# ------------------------------------------------------------------- the war elsewhere


BASQUES = {"1710": "R-157 R-158", "1711": "R-163 R-159", "1810": "R-162", "1811": "R-165",
           "1712": "R-154"}  # fmt: skip


@pytest.mark.rule("13.2", "13.3")
def test_the_basques_surrender():
    position = table(BASQUES, turn=5)
    game = begun(position, Surrender()).roll(3)
    assert game.asks.stage == "surrender"
    hexes = ("1710", "1710", "1711", "1810", "1712")
    assert game.broken(Remain(("1710", "1710", "1710", "1810", "1712"))) == ["13.3"]
    game.order(Remain(hexes))
    assert sorted(game.where("R-R1", "R-R2", "R-R3", "R-R4", "R-R5")) == sorted(hexes)
    assert game.position.brigades_lost == 0 and not war.basques(game.position)


@pytest.mark.rule("13.2")
def test_once_they_waver_they_roll_in_every_turn():
    game = begun(table(BASQUES, turn=5), Surrender()).roll(5)
    assert game.position.wavering and len(war.basques(game.position)) == 7
    near = table({"1718": "R-157"}, turn=6, wavering=True)
    game = begun(near, Surrender()).roll(2)
    assert not war.basques(game.position) and game.where("R-R1") == ["1718"]
    assert not war.do_basques_waver(table({"1718": "R-157"}, turn=6))


@pytest.mark.rule("14.2")
def test_the_factory_of_reinosa():
    position = table({}, turn=4)
    game = begun(position, Factory()).roll(4)
    assert not game.position.factory
    held = game.position.but(control={**position.control, "2006": N})
    assert war.victory_points(held) == 0
    assert not war.is_factory_in_danger(position.but(turn=3))
    assert not war.is_factory_in_danger(position.but(reinosa=False))
    assert war.victory_points(held.but(factory=True)) == 1


@pytest.mark.rule("11.2", "11.3", "9.1")
def test_rain():
    wet = table({"1909": "R-177", "2010": "N-LIT-1"}, weather=RAIN)
    assert begun(wet, Weather()).roll(5).position.weather == RAIN
    assert begun(wet, Weather()).roll(4).position.weather == "fair"
    assert begun(wet.but(weather="fair"), Weather()).roll(5).position.weather == "fair"
    game = fighting(wet, N).order(Attack("1909", {"2010": ("N-LIT-1",)}))
    assert game.asks is None, "no headquarters is near, and no air unit can be used"
    assert movement.rain_cost(wet, "1909") == 2 and movement.rain_cost(wet, "2010") == 0


@pytest.mark.rule("12.2", "12.3")
def test_the_offensive_elsewhere():
    base = table({"2110": "N-LIT-1 N-LIT-2", "2204": "N-NI-1 N-NI-2 N-NI-3", "1420": "N-FN-1"})
    assert not begun(base.but(turn=3), Offensive()).roll(4).position.offensive
    assert not begun(base.but(turn=4), Offensive()).roll(3).position.offensive
    assert begun(base.but(turn=5), IfRolled(Offensive())).position.offensive == 5
    game = begun(base.but(turn=6, offensive=5), Offensive()).roll(5)
    assert game.event(e.OffensiveTook).infantry == 4
    air = ("N-LK-1", "N-AL-1", "N-FAN-1")
    four = ("N-LIT-1", "N-NI-1", "N-NI-2", "N-NI-3")
    assert game.broken(Withdraw((*four[:3], *air))) == ["12.3"]
    assert game.broken(Withdraw((*four[:3], "N-FN-1", *air))) == ["12.3"]
    game.order(Withdraw((*four, *air)))
    assert set(game.where(*four, *air)) == {"withdrawn"}


@pytest.mark.rule("14.1", "3.D")
def test_six_points_win():
    base = table({}, turn=6, nationalist="1211 2006 1407 1318")
    assert war.victory_points(base) == 6
    assert begun(base, EndOfTurn()).position.result == (N, war.WON)
    assert war.victory_points(base.but(factory=False)) == 5
    on = begun(base.but(factory=False), EndOfTurn())
    assert on.position.result is None and on.position.turn == 7
    lost = tuple(unit for unit, each in base.board.units.items() if each.is_brigade)[:12]
    short = table({}, turn=7, nationalist="2006 1407 1318 1215").with_units(lost, ELIMINATED)
    assert war.victory_points(short) == 5
    assert begun(short, EndOfTurn()).position.result == (R, war.SHORT)


@pytest.mark.rule("9.3", "9.3.1", "9.3.2")
def test_supply_columns():
    there = {"2110": "N-LIT-1 N-HQ-LIT N-SC-1", "2210": "N-SC-2", "2310": "N-SC-3", "2010": "R-168"}
    position = table(there, turn=3)
    usable = bombardment.usable_columns(position, N, ["N-HQ-LIT"])
    assert set(usable) == {"2110", "2210"}, "not two hexes off"
    moved = position.but(moved=frozenset({"N-SC-1"}))
    assert set(bombardment.usable_columns(moved, N, ["N-HQ-LIT"])) == {"2210"}
    game = fighting(position, N).order(Attack("2010", {"2110": ("N-LIT-1",)}))
    game.order(Support(hq=("N-HQ-LIT",)))
    assert (game.asks.stage, game.asks.side) == ("support", R)
    game.default()
    assert game.asks.stage == "columns" and game.broken(UseColumns({"2310": 1})) == ["9.3.1"]
    game.order(UseColumns({"2110": 1}))
    game.roll(6)
    assert game.where("N-SC-1") == ["aside"]
    all_of_them = dict.fromkeys(position.board.columns[N], "2310")
    eight = position.but(places={**position.places, **all_of_them})
    assert marching(eight, N).broken(Column("2110")) == ["9.3"]
    fresh = marching(table({"2110": "N-LIT-1 N-HQ-LIT"}, turn=3), N)
    assert fresh.broken(Column("1422")) == ["9.3"]
    fresh.order(Column("2210"))
    assert fresh.where("N-SC-1") == ["2210"] and fresh.broken(Column("2110")) == ["9.3"]


@pytest.mark.rule("1.4")
def test_values_are_added_before_they_are_halved():
    levels = dict.fromkeys(("N-NI-1", "N-NI-2", "N-NI-3"), 1)
    units = ("N-NI-1", "N-NI-2", "N-NI-3")

    def attack(position):
        return combat.halved_sum(position, units, "attack", up=False, overstacked=False)

    there = {"2007": " ".join(units), "2107": "N-NII-1"}
    position = table(there, levels=levels, unsupplied=frozenset())
    assert attack(position) == 7
    assert combat.halved_sum(position, units, "defence", up=True, overstacked=False) == 6
    assert attack(position.but(levels={"N-NI-1": 1, "N-NI-2": 1})) == 10
    single = table(there, levels=levels, unsupplied=frozenset(), options=["unit_by_unit"])
    assert attack(single) == 6


@pytest.mark.rule("10.8", "10.6.1")
def test_an_objective_is_taken_in_passing():
    position = table({"1507": "N-CEL"}, marker=1, unsupplied=frozenset(),
                     options=["unsupplied_are_exempt"], nationalist="1607 1707")  # fmt: skip
    position = position.but(unsupplied=frozenset({"N-CEL"}))
    game = marching(position, N).order(Move(("N-CEL",), ("1407", "1307")))
    assert game.position.control["1407"] == N and game.position.marker == 2
    assert game.where("N-CEL") == ["1307"] and war.victory_points(game.position) == 1


@pytest.mark.rule("5", "10.3", "10.5.1")
def test_a_retreat_may_bring_two_armoured_units_together():
    there = {"2105": "R-175 R-TRU", "2205": "R-179 R-RFT", "2304": "N-NI-1"}
    deciding = (Deciding(R, 2, ()), Ends())

    def traded(loser):
        game = begun(joined(table(there), "2205", "N-NI-1"), *deciding).order(Trade("2105"))
        return game.order(Losses((loser,)))

    game = traded("R-179")
    assert game.position.lost == {"R-179": 1} and game.position.levels == {"R-179": 1, "R-RFT": 1}
    assert game.where("R-179", "R-RFT") == ["2105", "2105"]
    assert stacking.is_overstacked(game.position, "2105", R)
    left = game.position.with_units(["R-RFT"], "2005")
    assert not stacking.is_overstacked(left, "2105", R), "until one has left"
    other = traded("R-RFT")
    assert other.where("R-179", "R-RFT") == ["2105", ELIMINATED] and not other.position.lost
