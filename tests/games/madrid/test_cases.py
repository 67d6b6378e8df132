"""Worked cases of the rules, each from an order to what it brings about."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.games.madrid import events as e
from pbem.games.madrid.orders import (
    Assault,
    Attack,
    Bombard,
    Defend,
    Fire,
    Lead,
    Lose,
    Move,
    Name,
    Play,
    Rebuild,
    Renewal,
    Retreat,
)
from pbem.games.madrid.rules import losses, movement, retreat, supply, victory
from pbem.games.madrid.rules.turn import is_bad, weather_total
from pbem.games.madrid.stages.turn import (
    ControlCheck,
    MoraleCheck,
    Omens,
    Rebuilding,
    Recovery,
    VictoryCheck,
)
from tests.games.madrid.table import N, R, begun, fight, rules_against, table


@pytest.mark.rule(
    "3.4.2.a", "9.4.1.C2", "9.4.1.C4", "9.4.1.C7", "9.4.1.C8", "9.4.1.C9", "3.5.1.a"
)  # fmt: skip
def test_an_attack_in_the_open_from_c2_to_c9():
    there = {"U": "N01 N02 N10 R01 R02 R05"}
    game = fight(table(there, nationalist="D H", morale="crumbling"), N)
    game.order(Attack(("N01", "N02", "N10"), "N01")).roll(1, 3, 5)
    assert [each.result for each in game.all(e.MoraleTested)] == [
        "stands", "retreats", "eliminated",
    ]  # fmt: skip
    game.order(Retreat({"R02": "V"}))
    game.roll(2, 1)
    rolled = game.event(e.CombatRolled)
    assert (rolled.intensity, rolled.attack, rolled.defence) == (4, 6, 6)
    assert (rolled.enemy_losses, rolled.losses) == (3, 1)
    assert game.where("R01", "R02", "R05") == ["eliminated", "V", "eliminated"]
    assert game.where("N01", "N02") == ["Us", "Us"]
    game.order(Lose(retreat={"N01": "H"}))
    assert game.where("N01", "N02", "N10") == ["Hs", "Us", "Us"]
    assert game.position.control["U"] == N


@pytest.mark.rule("9.4.1.C4", "9.4.2.b", "9.6.f", "9.4.1.C8")
def test_a_prepared_attack_on_a_suburb_and_a_counterattack():
    there = {"DD": "N01 N02 N10 N11 N26 R40 R41 R01 R02 R05 R03s R06s"}
    game = fight(table(there), N)
    game.order(Attack(("N01", "N02", "N10", "N11", "N26"), "N01", prepared=True))
    assert game.position.support[N] == 9
    game.order(Defend(("R40", "R41"), "R40")).roll(4, 2, 5)
    rolled = game.event(e.CombatRolled)
    assert rolled.kept == (5, 4)
    assert (rolled.intensity, rolled.attack, rolled.defence) == (10, 9, 10)
    assert (rolled.enemy_losses, rolled.losses) == (8, 1)
    assert not game.position.is_fresh("R40")
    weak = Lose(("R01", "R02", "R05"), {}, ("R03",))
    assert game.broken(weak) == ["9.6.d"]
    spared = Lose((), {"R40": "AA", "R41": "AA", "R01": "AA", "R02": "AA", "R05": "AA"})
    assert game.broken(spared) == ["9.6.f", "9.6.f", "9.6.f"]
    game.order(Lose(("R01", "R02"), {"R03": "AA", "R06": "AA"}, ("R40", "R41")))
    assert game.asks is not None and game.asks.side == N


@pytest.mark.rule("9.3.d", "9.3.e", "9.3.f", "9.3.g", "9.6.d", "9.3.i")
def test_two_guns_bombard_the_next_area():
    game = fight(table({"S": "N42 N43", "K": "R01s R02s R05"}, nationalist="D S"), N)
    game.order(Bombard(("N42", "N43"), "K"))
    assert game.asks is not None and game.asks.side == R
    game.order(Name("R01")).roll(6, 3)
    told = game.event(e.Bombarded)
    assert game.all(e.FactSet) == []
    assert (told.modifier, told.defence, told.losses) == (3, 6, 6)
    assert game.where("N42", "N43") == ["Ss", "Ss"]
    assert game.broken(Lose((), {"R02": "L"}, ("R01", "R05"))) == []
    assert game.broken(Lose((), {"R05": "L"}, ("R01", "R02"))) == []
    assert game.broken(Lose(("R05",), {}, ("R01", "R02"))) == ["9.6.d"]


@pytest.mark.rule("9.3.c", "9.3.f", "5.3", "9.3.d")
def test_three_guns_bombard_their_own_area():
    game = fight(table({"X": "N42 N43 N44 R01"}, nationalist="D"), N)
    assert game.broken(Bombard(("N42", "N43", "N44"), "X")) == ["9.3.d"]
    game.order(Bombard(("N42", "N43", "N44"), "X", "R01"))
    assert game.position.support[N] == 9
    game.roll(1, 4, 6)
    told = game.event(e.Bombarded)
    assert (told.kept, told.modifier, told.defence, told.losses) == ((6, 4), 5, 7, 8)
    assert game.where("R01") == ["eliminated"]


@pytest.mark.rule("9.3.h", "9.3.i", "12.2.g")
def test_a_bombardment_of_madrid_without_effect_wakes_the_garrison():
    there = {"CC": "N42", "AA": "R40"}
    position = table(there, scenario="scenario_2", nationalist="CC", facts=())
    game = fight(position, N).order(Bombard(("N42",), "AA")).roll(2, 3)
    assert game.event(e.Bombarded).losses == 0
    assert game.where("N42") == ["CCs"] and "madrid_bombarded" in game.position.facts
    again = fight(position.but(facts=game.position.facts), N).order(Bombard(("N42",), "AA"))
    assert again.roll(2, 3).all(e.FactSet) == []


@pytest.mark.rule("9.5.b", "9.5.c", "9.5.d", "9.5.e", "9.5.f", "9.6.f")
def test_defensive_fire_over_the_manzanares():
    there = {"CC": "N01 N02 N26", "AA": "R40 R03 R01 R02 R05 R09 R61 R06s"}
    game = fight(table(there, nationalist="CC S"), N)
    game.order(Move(("N01", "N02", "N26"), ("CC", "AA"), "N01")).order(Fire()).roll(3, 4)
    told = game.event(e.FireReturned)
    assert (told.strength, told.defence, told.losses) == (5, 7, 5)
    assert all(game.position.is_fresh(unit) for unit in ("R40", "R61", "R01"))
    for legal in (
        Lose(("N26",), {"N01": "CC", "N02": "CC"}),
        Lose((), {"N02": "CC"}, ("N01",)),
    ):
        assert game.broken(legal) == []
    assert game.broken(Lose(("N26",), {"N01": "BB", "N02": "CC"})) == ["9.7.b"]
    game.order(Lose(("N26",), {"N01": "CC", "N02": "CC"}))
    assert game.where("N01", "N02", "N26") == ["CCs", "CCs", "AAs"]


@pytest.mark.rule("9.5.g", "9.4.3.e", "9.4.3.d")
def test_an_assault_goes_on_under_another_point_unit():
    game = fight(table({"CC": "N01 N02 N10", "AA": "R40"}, nationalist="CC"), N)
    game.order(Assault(("N01", "N02", "N10"), ("CC", "AA"), "N01", prepared=True))
    game.order(Fire()).roll(3, 3).order(Lose(("N01",)))
    assert game.asks is not None and game.asks.stage == "lead"
    assert game.broken(Lead("N01")) == ["9.5.g"]
    game.order(Lead("N02")).default().roll(6, 2, 3)
    rolled = game.event(e.CombatRolled)
    assert rolled.kept == (2, 3) and rolled.attack == 4
    assert rolled.intensity == 6


@pytest.mark.rule("9.5.g")
def test_an_assault_may_stop_when_its_point_unit_is_hit():
    game = fight(table({"CC": "N01 N02", "AA": "R40"}, nationalist="CC"), N)
    game.order(Assault(("N01", "N02"), ("CC", "AA"), "N01")).order(Fire()).roll(3, 3)
    game.order(Lose(("N01",))).order(Lead())
    assert game.where("N01", "N02") == ["AAs", "AAs"] and game.state.agenda == ()


@pytest.mark.rule("9.7.a", "3.2.1", "9.7.c")
def test_who_retreats_takes_the_best_class_with_room():
    ten = " ".join(f"R{n:02}" for n in range(1, 11))
    there = {"X": "R40", "W": ten, "Y": "R41 N01"}
    position = table(there, nationalist="D S T U")
    classes = retreat.ways_out(position, R, "X")
    assert classes == (("V", "W", "Z"), ("Y",), ())
    assert [rule for _, rule, *_ in retreat.faults(position, R, {"R40": "Y"})] == ["9.7.a"]
    ((_, rule, _, hint),) = retreat.faults(position, R, {"R40": "W"})
    assert (rule, str(hint)) == ("9.7.c", "there is room for 0")
    ((_, rule, _, hint),) = retreat.faults(position, R, {"R40": "A"})
    assert rule == "9.7.a" and str(hint) == "it may go to {} or {}".format(
        *map(position.called, "VZ")
    ), "the best class with room, and no full area"
    assert list(retreat.faults(position, R, {"R40": "Z"})) == []
    assert retreat.allocate(position, R, ["R40"]) == {"R40": "V"}


@pytest.mark.rule("9.7.a", "9.7.d")
def test_a_contested_enemy_area_is_the_last_way_out():
    around = "D S T U V W Y Z"
    position = table({"X": "R40", "Y": "R41 N01"}, nationalist=around)
    assert retreat.ways_out(position, R, "X") == ((), (), ("Y",))
    alone = table({"X": "R40", "Y": "N01"}, nationalist=around)
    assert retreat.allocate(alone, R, ["R40"]) == {"R40": "nowhere"}
    assert [rule for _, rule, *_ in retreat.faults(position, R, {"R40": "nowhere"})] == ["9.7.d"]


@pytest.mark.rule("3.4.2.b", "11.1.d", "15.CN8")
def test_a_stampede_in_a_suburb_once_the_junta_is_there():
    there = {"DD": "N01 N02 N10 N11 R01 R02 R05"}
    position = table(there, hands={N: "CN8a"}, facts=("rivers_open", "junta"))
    game = fight(position, N)
    game.order(Attack(("N01",), "N01", chits=("CN8a",))).roll(6, 6, 5)
    assert [each.total for each in game.all(e.MoraleTested)] == [4, 4, 3]
    assert {each.result for each in game.all(e.MoraleTested)} == {"stands"}


@pytest.mark.rule("15.CN8", "3.4.2.c")
def test_a_stampede_of_shock_units_in_the_open():
    there = {"M": "N01 N02 N10 R17 R30"}
    game = fight(table(there, morale="crumbling", hands={N: "CN8a"}), N)
    game.order(Attack(("N01",), "N01", chits=("CN8a",))).roll(6, 2)
    told = [(each.total, each.result) for each in game.all(e.MoraleTested)]
    assert told == [(8, "retreats"), (4, "stands")]
    with_line = fight(table(there | {"M": there["M"] + " R01"}, hands={N: "CN8a"}), N)
    with_line.order(Attack(("N01",), "N01", chits=("CN8a",)))
    assert len(kernel.waits_for(with_line.state).draws) == 3


@pytest.mark.rule("3.4.1.a", "3.4.1.b", "3.5.2.b", "3.5.2.c")
@pytest.mark.parametrize(
    ("gains", "morale"),
    [({N: 3, R: 3}, "Fragile"), ({N: 1}, "Crumbling"), ({}, "Fragile"), ({R: 1}, "Fragile")],
)
def test_morale_at_the_end_of_a_turn(gains, morale):
    game = begun(table(morale="bad", gains=gains), MoraleCheck())
    assert game.position.morale_name == morale and not game.position.gains


@pytest.mark.rule("3.4.1.d", "3.5.1.a", "3.5.2.a")
def test_a_suburb_won_back_raises_morale_once():
    position = table({"EE": "N26s R40 R41 R42"}, nationalist="D EE", morale="crumbling")
    game = fight(position, R).order(Attack(("R40", "R41", "R42"), "R40")).roll(6, 6)
    assert game.where("N26") == ["eliminated"] and game.position.control["EE"] == R
    assert game.position.gains == {R: 1} and game.position.morale_name == "Bad"


@pytest.mark.rule("3.3.2", "3.3.3", "3.3.4", "4.4.e")
def test_units_in_an_enemy_area_live_on_the_one_beside_it():
    there = {"AA": "N01s N02s R61"}
    position = table(there, nationalist="D C L EE")
    assert supply.supplied_units(position, N) == ("N01", "N02")
    assert begun(position, Recovery()).where("N01") == ["AA"]
    cut = table(there, nationalist="D L EE")
    assert supply.supplied_units(cut, N) == ()
    assert begun(cut, Recovery()).where("N01") == ["AAs"]
    never = table(there, nationalist="D C L EE", options=("no_supply_in_enemy_areas",))
    assert supply.supplied_units(never, N) == ()


@pytest.mark.rule("3.5.1.b", "4.4.a")
def test_an_area_out_of_supply_goes_over_at_the_end_of_the_turn():
    game = begun(table(nationalist="D N"), ControlCheck())
    assert game.position.control["N"] == R and game.position.gains == {R: 1}
    held = begun(table({"N": "N01"}, nationalist="D N"), ControlCheck())
    assert held.position.control["N"] == N
    assert begun(table(nationalist="D C N"), ControlCheck()).position.control["N"] == N


@pytest.mark.rule("10.b", "10.c")
@pytest.mark.parametrize(
    ("held", "cut"),
    [
        ("Y X U H KK LL Q", ("RD1",)),
        ("BB Z X U H", ("RD1",)),
        ("BB", ()),
    ],
)
def test_roads_are_cut_by_normal_areas_in_supply(held, cut):
    assert supply.cut_roads(table(nationalist=held)) == cut


@pytest.mark.rule("10.b", "10.c")
def test_four_roads_cut_end_the_game():
    position = table(nationalist="Y X U H JJ KK LL Q Z")
    linked = position.but(control={**position.control, "BB": N, "GG": N})
    assert supply.cut_roads(linked) == ("RD1", "RD2", "RD3", "RD4")
    game = begun(linked, VictoryCheck())
    assert game.position.result == (N, victory.ROADS_ARE_CUT)
    three = linked.but(control={**linked.control, "Q": R})
    assert begun(three, VictoryCheck()).position.result is None


@pytest.mark.rule("10.a", "4.4.c")
def test_madrid_held_and_supplied_ends_the_game():
    game = begun(table(nationalist="D C L EE AA"), VictoryCheck())
    assert game.position.result == (N, victory.MADRID_FALLS)
    assert begun(table(nationalist="D EE AA"), VictoryCheck()).position.result is None
    assert begun(table(nationalist="D C L EE"), VictoryCheck()).position.result is None


@pytest.mark.rule("9.2.d", "9.2.f", "9.2.i", "3.5.1.a")
def test_a_stack_takes_empty_areas_on_its_way():
    position = table({"D": "N10 N11"})
    assert movement.costs(position, ("N10", "N11"), ("D", "C", "L")) == [2, 2]
    game = fight(position, N).order(Move(("N10", "N11"), ("D", "C", "L")))
    assert game.where("N10") == ["Ls"] and game.position.gains == {N: 2}
    assert [game.position.control[area] for area in "CL"] == [N, N]
    assert movement.costs(position, ("N10", "N11"), ("D", "C", "L", "EE")) == [2, 2, 2]
    far = Move(("N10", "N11"), ("D", "C", "L", "EE"))
    assert rules_against(position, N, far) == ["9.2.j"]
    held = table({"D": "N10 N11", "C": "R01"})
    assert rules_against(held, N, Move(("N10", "N11"), ("D", "C", "L"))) == ["9.2.i"]


@pytest.mark.rule("9.2.e", "9.2.g", "9.2.j", "9.2.k")
def test_guns_follow_friends_over_the_river_at_any_cost():
    there = {"CC": "N42 R01", "AA": "R40 N01"}
    position = table(there, nationalist="D CC")
    assert movement.costs(position, ("N42",), ("CC", "AA")) == [4]
    game = fight(position, N).order(Move(("N42",), ("CC", "AA")))
    assert game.where("N42") == ["AAs"]
    alone = table(there | {"AA": "R40"}, nationalist="D CC")
    assert rules_against(alone, N, Move(("N42",), ("CC", "AA"))) == ["9.2.k"]


@pytest.mark.rule("12.1.d", "12.3.c")
def test_the_rivers_open_with_as_many_units_in_a_suburb():
    order = Move(("N01",), ("DD", "AA"))
    there = {"DD": "N01 N02 N10 R01 R02 R05 R09", "EE": "R03 R06"}
    closed = table(there, nationalist="DD", facts=())
    assert rules_against(closed, N, order) == ["12.3.c"]
    assert rules_against(closed.but(scenario="scenario_1"), N, order) == ["12.1.d"]
    four = table(there | {"K": "N11"}, nationalist="DD K", facts=())
    game = fight(four, N).order(Move(("N11",), ("K", "DD")))
    assert "rivers_open" in game.position.facts
    assert rules_against(game.position, N, order) == []


@pytest.mark.rule("12.1.e")
@pytest.mark.parametrize(
    ("morale", "options", "wanted"),
    [("bad", (), 3), ("crumbling", (), 4), ("firm", (), 2), ("crumbling", ("points_once",), 2)],
)
def test_the_points_of_scenario_1(morale, options, wanted):
    there = {"AA": "N01 N02 N10 R61", "eliminated": "N26 N27 N28 N34 N35"}
    position = table(
        there, scenario="scenario_1", nationalist="D C L K DD CC Z", morale=morale, options=options
    )
    assert sum(victory.points(position).values()) == wanted
    game = begun(position.but(turn=6), VictoryCheck())
    winner = (N, victory.POINTS_WON) if wanted >= 4 else (R, victory.POINTS_LOST)
    assert game.position.result == winner


@pytest.mark.rule("12.1.e")
def test_only_units_in_madrid_win_its_points():
    near = table(
        {"CC": "N01 N02 N10 N11 N12"}, scenario="scenario_1", nationalist="D C L K DD CC Z"
    )
    there = table(
        {"AA": "N01 N02 N10 N11 N12"}, scenario="scenario_1", nationalist="D C L K DD CC Z"
    )
    key = "units in Madrid"
    assert victory.points(near)[key] == 0 < victory.points(there)[key]


@pytest.mark.rule("11.1.b", "11.1.c", "11.1.d", "3.4.1.c")
def test_the_junta_comes():
    there = {"DD": "N01 R01"}
    position = table(there, nationalist="D C L K Z S", morale="crumbling", turn=4, facts=())
    game = begun(position.but(support={N: 5, R: 3}), Omens()).roll(3)
    assert game.event(e.JuntaRolled).total == 6
    assert game.position.morale_name == "Fragile" and game.position.support[R] == 5
    assert "junta" in game.position.facts


@pytest.mark.rule("11.2.a")
@pytest.mark.parametrize(
    ("facts", "die", "bad"),
    [(("bad_weather",), 4, True), ((), 4, False), ((), 5, True), (("bad_weather",), 3, False)],
)
def test_the_weather(facts, die, bad):
    position = table(turn=11, facts=facts)
    assert is_bad(position, weather_total(position, die)) is bad


@pytest.mark.rule("8.3", "8.4", "8.6")
def test_the_weaker_of_a_pair_returns():
    position = table({"eliminated": "R16 R50 R40 R41"})
    game = begun(position, Rebuilding(R))
    brigades = Rebuild((Renewal("R40", "AA", "R41"),))
    assert game.broken(brigades) == ["8.6"]
    assert game.broken(Rebuild((Renewal("R50", "AA", "R16"),))) == ["8.4"]
    game.order(Rebuild((Renewal("R16", "AA", "R50"),)))
    assert game.where("R16", "R50") == ["AA", "gone"]


@pytest.mark.rule("9.6.f", "9.6.g", "15.CR2")
def test_artillery_as_point_unit_shields_the_others():
    position = table({"B": "N42 N01 N26"}, nationalist="B D", hands={R: "CR2a"})
    game = fight(position, R).order(Play("CR2a", "B", "N42")).roll(6, 5)
    told = game.event(e.Bombarded)
    assert (told.defence, told.losses) == (5, 10)
    assert game.where("N42", "N01", "N26") == ["eliminated"] * 3
    for points in (7, 8):
        taken = losses.largest(position, ("N01", "N26", "N42"), "N42", points)
        assert taken == {"N42": 2, "N01": 2, "N26": 2}


@pytest.mark.rule("5.3", "9.4.3.e")
@pytest.mark.parametrize(("points", "rules"), [(2, []), (1, ["5.3"])])
def test_the_costs_of_an_impulse_add_up(points, rules):
    six = ("N01", "N02", "N03", "N04", "N05", "N06")
    position = table({"D": " ".join(six), "C": "R01"}, support={N: points, R: 0})
    order = Assault(six, ("D", "C"), "N01", prepared=True)
    assert rules_against(position, N, order) == rules
    if not rules:
        assert fight(position, N).order(order).position.support[N] == 0
