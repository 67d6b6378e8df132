"""9: movement, bombardment, combat, defensive fire, losses, retreats."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.engine.model import State
from pbem.games.madrid import events as e
from pbem.games.madrid.orders import (
    Assault,
    Attack,
    Bombard,
    Defend,
    Fire,
    Hold,
    Lead,
    Lose,
    Move,
    Name,
    Retreat,
    Successor,
)
from pbem.games.madrid.rules import bombardment, combat, fire, losses, movement, retreat, units
from pbem.games.madrid.rules.combat import Fight
from pbem.games.madrid.stages.fire import Firing
from pbem.games.madrid.stages.losses import Retreating, Retreats, Suffer
from pbem.games.madrid.stages.march import March
from tests.games.madrid.table import N, R, begun, fight, rules_against, table

# ------------------------------------------------------------------- 9.2 movement


@pytest.mark.rule("9.2.a", "9.2.h")
def test_a_point_unit_is_named_where_the_enemy_may_fire():
    position = table({"CC": "N01 N02", "AA": "R40"}, nationalist="CC")
    over = Move(("N01", "N02"), ("CC", "AA"))
    assert rules_against(position, N, over) == ["9.2.a"]
    assert rules_against(position, N, Move(("N01", "N02"), ("CC", "AA"), "N03")) == ["9.2.a"]
    assert rules_against(position, N, Move(("N01", "N02"), ("CC", "AA"), "N02")) == []
    assert rules_against(position, N, Move(("N01",), ("CC", "AA"))) == []
    assert rules_against(position, N, Move(("N01", "N02"), ("CC", "S"))) == []


@pytest.mark.rule("9.2.a", "9.5.a", "15.CN3")
def test_who_comes_back_over_a_river_to_an_area_left_to_the_enemy_may_be_fired_at():
    position = table({"G": "N01 N02 R15"}, nationalist="D F G", hands={N: "CN3a"})
    back, both = ("G", "F", "G"), ("N01", "N02")
    assert rules_against(position, N, Move(both, back)) == ["9.2.a"]
    assert rules_against(position, N, Move(both, back, "N02", ("CN3a",))) == []
    assert rules_against(position, N, Move(("N01",), back, "N01", ("CN3a",))) == ["15.CN3"]


@pytest.mark.rule("9.2.b")
@pytest.mark.parametrize("path", [("D",), ("C", "D"), ("D", "L"), ("D", "C", "D", "L"), ()])
def test_a_path_leads_from_area_to_area(path):
    assert rules_against(table({"D": "N01"}), N, Move(("N01",), path)) == ["9.2.b"]


@pytest.mark.rule("9.2.c", "9.2.j")
def test_a_stack_is_as_fast_as_its_slowest_unit():
    position = table({"D": "N23 N42"}, nationalist="D C L J")
    assert movement.speed(position, ("N23", "N42")) == 3
    far = ("D", "C", "L", "J", "I")
    assert rules_against(position, N, Move(("N23",), far)) == []
    assert rules_against(position, N, Move(("N23", "N42"), far[:4])) == []
    slow = table({"D": "N23 N42 R01"}, nationalist="D C L J")
    assert rules_against(slow, N, Move(("N23", "N42"), far[:4])) == ["9.2.j"]


@pytest.mark.rule("9.2.d", "9.2.e", "9.2.f", "9.2.g")
@pytest.mark.parametrize(
    ("at", "held", "path", "cost"),
    [
        ({"D": "N01"}, "D C", ("D", "C"), 1),
        ({"D": "N01"}, "D", ("D", "C"), 2),
        ({"D": "N01", "C": "N02 R01"}, "D C", ("D", "C"), 2),
        ({"D": "N01 R01"}, "D C", ("D", "C"), 2),
        ({"D": "N01 R01"}, "C", ("D", "C"), 2),
        ({"D": "N01 R01"}, "D", ("D", "C"), 3),
        ({"CC": "N01"}, "CC AA", ("CC", "AA"), 1),
        ({"CC": "N01"}, "CC", ("CC", "AA"), 3),
        ({"AA": "N01 R01"}, "CC", ("AA", "CC"), 3),
    ],
)
def test_the_cost_of_a_step(at, held, path, cost):
    assert movement.costs(table(at, nationalist=held), ("N01",), path) == [cost]


@pytest.mark.rule("9.2.i")
def test_no_step_from_enemy_to_enemy():
    position = table({"C": "N01 R01"}, nationalist="D")
    assert rules_against(position, N, Move(("N01",), ("C", "L"))) == ["9.2.i"]
    assert rules_against(position, N, Move(("N01",), ("C", "D"))) == []


@pytest.mark.rule("9.2.i", "3.5.1.a")
@pytest.mark.parametrize(
    ("there", "path", "rules"),
    [
        ({"U": "N23 R01"}, ("U", "H", "U"), ["9.2.i"]),
        ({"U": "N23 N24 R01"}, ("U", "H", "U"), []),
        ({"U": "N23"}, ("U", "H", "U"), []),
        ({"U": "N23 R01"}, ("U", "T", "U"), []),
        ({"U": "N23 R01"}, ("U", "H", "T"), []),
    ],
)
def test_an_area_given_up_on_the_way_is_the_enemys(there, path, rules):
    position = table({"H": "R02", **there}, nationalist="U T")
    assert rules_against(position, N, Move(("N23",), path)) == rules


@pytest.mark.rule("9.2.k", "3.5.1.a")
def test_guns_find_no_friend_where_they_stood_themselves():
    back = Move(("N42",), ("U", "T", "U"))
    assert rules_against(table({"U": "N42 N23 R01"}, nationalist="U T"), N, back) == ["9.2.j"]
    alone = table({"U": "N42 R01"}, nationalist="U T")
    assert rules_against(alone, N, back) == ["9.2.j", "9.2.k"]


@pytest.mark.rule("9.2.l")
def test_who_moved_is_spent():
    game = fight(table({"D": "N01"}), N).order(Move(("N01",), ("D", "C")))
    assert game.where("N01") == ["Cs"]
    stays = fight(table({"D": "N01"}, options=("movers_stay_fresh",)), N)
    assert stays.order(Move(("N01",), ("D", "C"))).where("N01") == ["C"]


@pytest.mark.rule("12.3.g")
def test_in_the_pause_nobody_enters_an_uncontested_area():
    position = table({"D": "N01", "E": "N02 R01"}, nationalist="D", pause=2)
    assert rules_against(position, N, Move(("N01",), ("D", "C"))) == ["12.3.g"]
    assert rules_against(position, N, Move(("N01",), ("D", "E"))) == []
    assert rules_against(position.but(pause=0), N, Move(("N01",), ("D", "C"))) == []
    back = Move(("N02",), ("E", "D", "E"))
    assert "12.3.g" in rules_against(position, N, back)
    stays = table({"D": "N01", "E": "N02 N03 R01"}, nationalist="D", pause=2)
    assert "12.3.g" not in rules_against(stays, N, back)
    theirs = table({"C": "R01"}, pause=2)
    assert rules_against(theirs, R, Move(("R01",), ("C", "D"))) == []


# ------------------------------------------------------------------- 9.3 bombardment


@pytest.mark.rule("9.3.a")
def test_guns_reach_their_own_area_and_the_next():
    position = table({"S": "N42", "K": "R01", "DD": "R02", "AA": "R05", "X": "N01"},
                     nationalist="S")  # fmt: skip
    assert bombardment.gun_targets(position, N, "S") == ("K", "DD")
    assert rules_against(position, N, Bombard(("N42",), "AA")) == ["9.3.a"]
    assert rules_against(position, N, Bombard(("N42",), "X")) == ["9.3.a"]
    assert rules_against(position, N, Bombard(("N42",), "K")) == []
    boxed = table({"6": "N42", "D": "R01"}, nationalist="C")
    assert bombardment.gun_targets(boxed, N, "6") == ("D",)
    beside = table({"LL": "N42", "2": "R01", "KK": "R02"}, nationalist="D LL")
    assert bombardment.gun_targets(beside, N, "LL") == ("KK",), "nobody fires into a box"


@pytest.mark.rule("9.3.b", "9.3.c")
def test_one_to_three_guns_and_nothing_else():
    position = table({"S": "N01 N42 N43 N44 N45", "K": "R01", "T": "N46"}, nationalist="S T")
    assert rules_against(position, N, Bombard(("N42", "N01"), "K")) == ["9.3.b"]
    assert rules_against(position, N, Bombard(("N42", "N43", "N44", "N45"), "K")) == ["9.3.c"]
    assert rules_against(position, N, Bombard(("N42", "N46"), "K")) == ["9.0.1"]


@pytest.mark.rule("9.3.d")
def test_who_names_the_point_unit():
    open_field = table({"S": "N42", "K": "R01 R61"}, nationalist="S")
    assert rules_against(open_field, N, Bombard(("N42",), "K", "R01")) == ["9.3.d"]
    game = fight(open_field, N).order(Bombard(("N42",), "K"))
    assert game.broken(Name("R40")) == ["9.3.d"] and game.broken(Name("R61")) == []
    contested = table({"S": "N42", "K": "N01 R01 R61"}, nationalist="S")
    assert rules_against(contested, N, Bombard(("N42",), "K")) == ["9.3.d"]
    assert rules_against(contested, N, Bombard(("N42",), "K", "R61")) == []
    alone = fight(table({"S": "N42", "K": "R01"}, nationalist="S"), N)
    alone.order(Bombard(("N42",), "K"))
    assert kernel.waits_for(alone.state).stage == "bombardment"


@pytest.mark.rule("9.3.g", "9.3.h")
def test_the_arithmetic_of_a_bombardment():
    assert [bombardment.gun_modifier(table(), guns) for guns in (1, 2, 3)] == [1, 3, 5]
    assert bombardment.bombardment_losses(7, 3, 8) == 2
    assert bombardment.bombardment_losses(2, 1, 8) == 0


@pytest.mark.rule("12.3.h")
def test_in_the_pause_no_nationalist_attacks_a_republican_area():
    position = table({"D": "N01 N42 R01", "C": "N02 R02"}, nationalist="D", pause=1)
    assert rules_against(position, N, Attack(("N02",))) == ["12.3.h"]
    assert rules_against(position, N, Attack(("N01",))) == []
    assert rules_against(position, N, Bombard(("N42",), "C", "R02")) == ["12.3.h"]
    assert rules_against(position, N, Bombard(("N42",), "D", "R01")) == []
    assert rules_against(position, N, Assault(("N01",), ("D", "C"))) == ["12.3.h"]
    assert rules_against(position.but(pause=0), N, Attack(("N02",))) == []
    ours = table({"C": "N02 R40"}, nationalist="D", pause=1)
    assert rules_against(ours, R, Attack(("R40",))) == []


# ------------------------------------------------------------------- 9.4 combat


@pytest.mark.rule("9.4.1.a", "9.4.1.b", "9.4.1.C1", "9.8")
def test_who_may_attack_where():
    position = table({"C": "N01 N34 N42 N26 R01", "D": "N02", "E": "R02"}, nationalist="D C")
    assert rules_against(position, N, Attack(("N02",))) == ["9.4.1.a"]
    assert rules_against(position, N, Attack(("N34",))) == ["9.4.1.b"]
    assert rules_against(position, N, Attack(("N42",))) == []
    assert rules_against(position, N, Attack(("N01", "N26"))) == ["9.4.1.C1"]
    assert rules_against(position, N, Attack(("N01", "N26"), "N02")) == ["9.4.1.C1"]
    assert rules_against(position, N, Attack(("N01", "N26"), "N26")) == []
    assert units.strength_of(position.but(spent=frozenset({"N42"})), "N42") == 0


@pytest.mark.rule("9.4.3.a", "9.4.3.b", "9.4.3.c", "9.4")
def test_shock_units_alone_assault():
    position = table({"D": "N01 N26 N42", "C": "R01", "E": "R02 N02"})
    assert rules_against(position, N, Assault(("N26",), ("D", "C"))) == ["9.4.3.a"]
    assert rules_against(position, N, Assault(("N42",), ("D", "E"))) == ["9.4.3.a"]
    assert rules_against(position, N, Assault(("N01",), ("D", "B"))) == ["9.4.1.a"]
    assert rules_against(position, N, Assault(("N01",), ("D", "L"))) == ["9.2.b"]
    game = fight(position, N).order(Assault(("N01",), ("D", "E"), "N01"))
    assert game.where("N01") == ["E"]
    game.roll(1).roll(6, 6)
    assert game.event(e.CombatRolled).attack == 2 and game.position.is_fresh("N02")
    assert game.event(e.CombatRolled).intensity == 5


@pytest.mark.rule("9.4.1.C1", "9.0.3")
def test_the_point_unit_named_leads():
    game = fight(table({"C": "N01 N26 R01"}), N).order(Attack(("N01", "N26"), "N26"))
    assert game.event(e.Attacked).point == "N26"


@pytest.mark.rule("9.4.3.c")
def test_an_assault_into_an_own_contested_area():
    position = table({"D": "N01", "C": "R01 N26"}, nationalist="D C")
    assert rules_against(position, N, Assault(("N01",), ("D", "C"))) == []


@pytest.mark.rule("9.4.1.C3", "9.8")
def test_who_may_counterattack():
    there = {"DD": "N01 R40 R41s R01 R03 R61 R62s"}
    position = table(there)
    fight_ = Fight(N, "DD", ("N01",), "N01")
    assert combat.may_counterattack(position, fight_) == ("R03", "R40", "R61")
    game = fight(position, N).order(Attack(("N01",)))
    for unit in ("R41", "R01", "R62", "N01"):
        assert game.broken(Defend((unit,), "R40"))[0] == "9.4.1.C3"
    assert game.broken(Defend(("R40", "R40"), "R40"))[0] == "9.4.1.C3"


@pytest.mark.rule("9.4.1.C4")
@pytest.mark.parametrize(
    ("there", "changes", "level"),
    [
        ("N01 N26 R01", {}, 5),
        ("N01 N26 R01", {"is_assault": True}, 6),
        ("N01 N26 R01 R02 R05", {}, 6),
        ("N01 R01", {"attackers": ("N01",)}, 4),
        ("N01 R17", {"attackers": ("N01",)}, 5),
        ("N01 R01s", {"attackers": ("N01",)}, 3),
        ("N01 N26 R01s", {}, 4),
        ("N01 N26 R40 R01", {"counterattack": ("R40",)}, 7),
        ("N01 N26 R40 R61", {"counterattack": ("R40", "R61"), "enemy_tanks": True}, 11),
    ],
)
def test_the_intensity_level(there, changes, level):
    fought = Fight(N, "DD", ("N01", "N26"), "N01").but(**changes)
    assert combat.intensity(table({"DD": there}), fought) == level


@pytest.mark.rule("9.4.1.C4")
def test_the_shock_edge_asks_for_attackers_or_for_the_area():
    fought = Fight(N, "DD", ("N01",), "N01")
    there = {"DD": "N01 N26 R01"}
    assert combat.intensity(table(there), fought) == 4
    assert combat.intensity(table(there, options=("shock_in_area",)), fought) == 5


@pytest.mark.rule("9.4.1.C5", "9.8")
def test_the_attack_value():
    position = table({"DD": "N01 N26 N42 R01"})
    fought = Fight(N, "DD", ("N01", "N26", "N42"), "N01")
    assert combat.attack_value(position, fought) == 4
    assert combat.attack_value(position, fought.but(tanks=True)) == 7


@pytest.mark.rule("9.4.1.C6")
def test_the_point_unit_of_the_defence_is_of_the_best_class():
    there = {"DD": "N01 R40 R01 R03s R02s R61 R62s R41"}
    position = table(there)
    fought = Fight(N, "DD", ("N01",), "N01")
    classes = [combat.point_class(position, u) for u in ["R40", "R01", "R03", "R02", "R61", "R62"]]
    assert classes == [0, 1, 2, 3, 4, 5]
    assert combat.may_lead(position, fought, ()) == ("R40", "R41")
    assert combat.may_lead(position, fought, ("R61",)) == ("R61",)
    game = fight(position, N).order(Attack(("N01",)))
    assert game.broken(Defend(point="R01")) == ["9.4.1.C6"]
    assert game.broken(Defend()) == ["9.4.1.C6"]
    assert game.broken(Defend(("R40",), "R41")) == ["9.4.1.C6"]
    assert game.broken(Defend(("R61",), "R61")) == []


@pytest.mark.rule("9.4.1.C6", "9.3.e")
def test_the_defence_value():
    position = table({"DD": "R40 R01s"})
    assert combat.defence_value(position, "DD", "R40") == 10
    assert combat.defence_value(position, "DD", "R01") == 7
    assert combat.defence_value(position, "DD", "R40", is_flat=True) == 7
    assert combat.defence_value(position, "DD", "R40", is_doubled=True) == 13
    whole = table({"DD": "R40"}, options=("fortification_doubles_all",))
    assert combat.defence_value(whole, "DD", "R40", is_doubled=True) == 20


@pytest.mark.rule("9.4.1.C7")
@pytest.mark.parametrize(
    ("option", "rolled", "losses"),
    [
        ((), 9, (0, 3)),
        ((), 4, (1, 0)),
        ((), 2, (3, 0)),
        (("losses_as_printed",), 9, (0, 0)),
        (("losses_on_success",), 2, (0, 0)),
    ],
)
def test_the_losses_of_both_sides(option, rolled, losses):
    assert combat.outcome(table(options=option), rolled, 4, 10, 5) == losses


@pytest.mark.rule("9.4.1.C7")
def test_options_of_c7_where_they_matter():
    printed = table(options=("losses_as_printed",))
    assert combat.outcome(printed, 9, 12, 10, 5) == (0, 2)
    success = table(options=("losses_on_success",))
    assert combat.outcome(success, 4, 8, 10, 6) == (2, 2)


@pytest.mark.rule("9.4.2.a", "9.4.2.b", "9.5.g")
def test_which_of_three_dice_count():
    assert combat.kept((4, 2, 5)) == (5, 4)
    assert combat.kept((6, 2, 3), worst=True) == (2, 3)
    game = fight(table({"DD": "N01 R01"}), N).order(Attack(("N01",), prepared=True))
    assert game.position.support[N] == 9
    assert len(kernel.waits_for(game.state).draws) == 3


@pytest.mark.rule("9.4.1.C8", "9.4.1.C9")
def test_who_fought_is_spent_before_the_losses():
    game = fight(table({"DD": "N01 N02 R40 R41"}), N).order(Attack(("N01", "N02"), "N01"))
    game.order(Defend(("R40",), "R40")).roll(2, 3)
    assert not any(game.position.is_fresh(unit) for unit in ("N01", "N02", "R40"))
    assert game.position.is_fresh("R41")
    assert game.asks.side == N
    both = fight(table({"DD": "N01 N26 R01 R02"}), N).order(Attack(("N01", "N26"), "N01"))
    both.order(Defend(point="R01")).roll(1, 3)
    assert (both.event(e.CombatRolled).losses, both.event(e.CombatRolled).enemy_losses) == (1, 0)


# ------------------------------------------------------------------- 9.5 defensive fire


@pytest.mark.rule("9.5.a", "9.2.h", "9.4.3.d")
@pytest.mark.parametrize(
    ("at", "held", "step", "fires"),
    [
        ({"AA": "R40"}, "CC", ("CC", "AA"), True),
        ({"AA": "R40 N02"}, "CC", ("CC", "AA"), False),
        ({}, "CC", ("CC", "AA"), False),
        ({"AA": "R40 N02"}, "CC AA", ("CC", "AA"), False),
        ({"Z": "R40"}, "CC", ("CC", "Z"), False),
    ],
)
def test_what_draws_defensive_fire(at, held, step, fires):
    position = table({"CC": "N01", **at}, nationalist=held)
    assert movement.draws_fire(position, N, *step, is_assault=False) is fires


@pytest.mark.rule("11.2.b", "9.5.h")
def test_in_bad_weather_every_assault_draws_fire():
    bad = table({"CC": "N01", "Z": "R40"}, nationalist="CC", facts=("bad_weather",))
    assert movement.draws_fire(bad, N, "CC", "Z", is_assault=True)
    assert not movement.draws_fire(bad, N, "CC", "Z", is_assault=False)
    friends = table({"CC": "N01", "Z": "R40 N02"}, nationalist="CC", facts=("bad_weather",))
    assert not movement.draws_fire(friends, N, "CC", "Z", is_assault=True)
    game = fight(bad, N).order(Assault(("N01",), ("CC", "Z")))
    assert game.asks.stage == "fire"


@pytest.mark.rule("9.5.b", "9.8")
def test_the_strength_of_defensive_fire():
    def strength(there):
        return fire.fire_strength(table({"AA": there}), R, "AA")

    assert strength("R40 R03 R61") == 4
    assert strength("R01 R02") == 0 and strength("R01 R02 R05") == 1
    assert strength("R40s R61s R01") == 0
    assert strength("R01 R02 R05 R09 R12 R11") == 2


@pytest.mark.rule("9.5.b")
def test_player_b_may_hold_fire_unless_it_is_forced():
    there = {"CC": "N01", "AA": "R40"}
    game = fight(table(there, nationalist="CC"), N).order(Move(("N01",), ("CC", "AA")))
    game.order(Hold())
    assert game.where("N01") == ["AAs"]
    forced = fight(table(there, nationalist="CC", options=("forced_fire",)), N)
    forced.order(Move(("N01",), ("CC", "AA")))
    assert kernel.waits_for(forced.state).stage == "fire" and forced.asks is None


@pytest.mark.rule("9.5.c", "9.5.d")
def test_the_arithmetic_of_defensive_fire():
    assert fire.fire_losses(7, 5, 7) == 5 and fire.fire_losses(2, 1, 7) == 0


@pytest.mark.rule("9.5.f", "9.7.b")
def test_who_is_left_of_a_move_goes_on():
    there = {"CC": "N01 N10", "AA": "R01", "LL": "N26 R02"}
    position = table(there, nationalist="CC")
    game = fight(position, N).order(Move(("N01", "N10"), ("CC", "AA"), "N01"))
    game.order(Fire()).roll(6, 2).order(Lose(("N01",)))
    assert game.where("N01", "N10") == ["AAs", "AAs"]
    back = fight(position, N).order(Move(("N01", "N10"), ("CC", "AA"), "N01"))
    back.order(Fire()).roll(6, 5).order(Lose((), {"N01": "CC", "N10": "CC"}))
    assert back.where("N01", "N10") == ["CCs", "CCs"] and back.state.agenda == ()


@pytest.mark.rule("9.5.g")
def test_a_point_unit_that_is_not_hit_leads_on():
    game = fight(table({"CC": "N01 N02", "AA": "R01"}, nationalist="CC"), N)
    game.order(Assault(("N01", "N02"), ("CC", "AA"), "N01")).order(Fire()).roll(1, 1)
    assert len(kernel.waits_for(game.state).draws) == 2
    lost = fight(table({"CC": "N01", "AA": "R40 R41"}, nationalist="CC"), N)
    lost.order(Assault(("N01",), ("CC", "AA"))).order(Fire()).roll(1, 3)
    assert lost.where("N01") == ["AAs"] and lost.state.agenda == ()
    stop = fight(table({"CC": "N01 N02", "AA": "R40"}, nationalist="CC"), N)
    stop.order(Assault(("N01", "N02"), ("CC", "AA"), "N01")).order(Fire()).roll(3, 3)
    stop.order(Lose(("N01",)))
    assert stop.broken(Lead("N03")) == ["9.5.g"]


@pytest.mark.rule("9.5.d", "9.5.g")
@pytest.mark.parametrize(
    ("dice", "said", "leads"),
    [((6, 2), "", "N02"), ((6, 2), Successor("N03"), "N03"), ((1, 1), Successor("N03"), "N01")],
)
def test_who_leads_a_stack_that_is_fired_at_twice(dice, said, leads):
    """Of the units here nobody is so fast: it takes other ones, or an own map."""
    there = {"D": "N01 N02 N03", "C": "R01", "EE": "R02"}
    position = table(there, nationalist="D L", facts=("bad_weather",))
    stack, path = ("N01", "N02", "N03"), ("D", "C", "L", "EE")
    assert rules_against(position, N, Assault(stack, path, "N01")) == ["9.2.j"]
    fought = Fight(N, "EE", stack, "N01", is_assault=True)
    march = March(N, stack, path, "N01", ("N01",), fight=fought, if_point_hit=said)
    game = begun(position, march).order(Fire()).roll(*dice)
    asked = game.state.agenda[-1]
    assert isinstance(asked, Firing) and asked.incoming.area == "EE"
    assert asked.incoming.point == leads


# ------------------------------------------------------------------- 9.6 losses


def suffering(there, points, point, back="", side=R, area="DD", **more):
    position = table({area: there}, **more)
    those = position.units_at(area, side)
    return begun(position, Suffer(side, those, point, points, back))


@pytest.mark.rule("9.6.a", "9.6.b")
def test_what_happens_to_units_costs_points():
    game = suffering("R01 R02s R05", 4, "R01")
    assert game.broken(Lose(("R01",), {"R02": "AA", "R05": "AA"})) == ["9.6.f"]
    assert game.broken(Lose((), {"R01": "AA"}, ("R02",))) == []
    assert game.broken(Lose(("R05",), {}, ("R01",))) == []
    assert game.broken(Lose(("R02",), {}, ("R01",))) == ["9.6.a"]
    assert game.broken(Lose(("R01",), {"R01": "AA"}, ())) == ["9.6.b"]
    worn = suffering("R01 R02s R05", 4, "R01")
    worn.order(Lose(("R05",), {"R01": "AA", "R02": "AA"}))
    assert worn.event(e.UnitsSpent).units == ("R05", "R01")
    game.order(Lose((), {"R01": "AA", "R05": "AA"}))
    assert game.where("R01", "R05") == ["AAs", "AAs"]


@pytest.mark.rule("9.6.c")
def test_only_those_who_took_part_lose():
    game = fight(table({"DD": "N01 N02 N10 R40 R41"}), N).order(Attack(("N01", "N02"), "N01"))
    game.order(Defend(point="R40")).roll(1, 1)
    assert game.asks.side == N
    assert "9.6.c" in game.broken(Lose((), {"N10": "S", "N01": "S"}))
    assert suffering("R01 R02", 1, "R01").broken(Lose(("R40",))) == ["9.6.c"]


@pytest.mark.rule("9.6.d", "9.6.e")
def test_as_much_as_can_be_taken():
    game = suffering("R01 R02", 3, "R01")
    assert game.broken(Lose(("R01", "R02"))) == ["9.6.d"]
    assert game.broken(Lose((), {}, ("R01", "R02"))) == ["9.6.d"]
    assert game.broken(Lose((), {}, ("R01",))) == []
    assert suffering("R01 R02", 9, "R01").where("R01", "R02") == ["eliminated"] * 2
    assert suffering("R01", 0, "R01").where("R01") == ["DD"]


@pytest.mark.rule("9.6.c")
def test_losses_of_one_unit_are_asked_for_where_it_may_choose_its_way():
    assert suffering("R01", 2, "R01", area="F").asks.stage == "lose"
    one_way = suffering("R01", 2, "R01", back="AA")
    assert one_way.asks is None and one_way.where("R01") == ["AAs"]


@pytest.mark.rule("9.6.f")
def test_the_point_unit_takes_most():
    game = suffering("R01 R02", 2, "R01")
    assert game.broken(Lose(("R01", "R02"))) == []
    assert game.broken(Lose((), {"R02": "AA"})) == ["9.6.f"]
    freed = suffering("R01s R02", 5, "R01")
    assert freed.where("R01", "R02") == ["eliminated"] * 2


@pytest.mark.rule("9.6.g")
def test_guns_die_last():
    game = suffering("R01 R61", 3, "R01")
    assert game.broken(Lose((), {}, ("R61",))) == ["9.6.f", "9.6.g"]
    assert game.broken(Lose((), {}, ("R01",))) == []
    both = suffering("R01s R61 R62", 5, "R01")
    assert both.broken(Lose((), {}, ("R01", "R61"))) == []
    position = table({"DD": "R01 R61"})
    assert losses.largest(position, ("R01", "R61"), "R61", 5) == {"R61": 2, "R01": 2}
    assert sum(losses.largest(position, ("R01", "R61"), "R61", 6).values()) == 6
    spared = losses.largest(position, ("R01", "R61"), "R01", 4)
    assert spared == {"R01": 3, "R61": 1}


@pytest.mark.rule("9.6.h", "9.7.d")
def test_a_retreat_to_nowhere_eliminates_for_its_points():
    closed = " ".join(area for area in table().board.areas if area != "DD")
    game = suffering("R01 R02", 3, "R01", nationalist=closed)
    assert game.broken(Lose(("R02",), {"R01": "AA"})) == ["9.7.a"]
    game.order(Lose(("R02",), {"R01": "nowhere"}))
    assert game.where("R01", "R02") == ["eliminated", "DDs"]
    assert game.event(e.UnitEliminated).nowhere
    room = suffering("R01 R02", 3, "R01")
    assert room.broken(Lose(("R02",), {"R01": "nowhere"})) == ["9.7.d"]


# ------------------------------------------------------------------- 9.7 retreat


@pytest.mark.rule("9.7.a", "9.7.e")
def test_one_area_or_an_own_box():
    position = table({"LL": "R01", "U": "N01"}, nationalist="D U H")
    assert retreat.ways_out(position, R, "LL")[0] == ("Q", "R", "AA", "FF", "GG", "KK", "2")
    assert retreat.ways_out(position, N, "U")[0] == ("H", "4")


@pytest.mark.rule("9.7.b")
def test_an_assault_goes_back_where_it_came_from():
    there = {"D": "N01", "C": "R40 R41"}
    game = fight(table(there), N).order(Assault(("N01",), ("D", "C")))
    game.default().roll(1, 1)
    assert game.where("N01") == ["eliminated"]
    mild = fight(table(there), N).order(Assault(("N01",), ("D", "C"))).default().roll(4, 2)
    assert mild.event(e.CombatRolled).losses == 1 and mild.where("N01") == ["Ds"]
    lost = table(there, nationalist="B")
    assert retreat.ways_out(lost, N, "C", "D") == ((),)


@pytest.mark.rule("9.7.c")
def test_retreats_leave_room_for_ten():
    nine = " ".join(f"R{n:02}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9))
    position = table({"DD": "R40 R41", "AA": nine, "K": "N01"}, nationalist="CC EE S K")
    assert retreat.allocate(position, R, ("R40", "R41")) == {"R40": "AA", "R41": "nowhere"}
    game = begun(position, Retreats(R, ("R40", "R41")))
    assert game.broken(Retreat({"R40": "AA", "R41": "AA"})) == ["9.7.c", "9.7.c"]
    assert game.broken(Retreat({"R40": "nowhere", "R41": "nowhere"})) == ["9.7.d", "9.7.d"]
    assert game.broken(Retreat({"R40": "AA"})) == ["9.7.a"]
    assert game.broken(Retreat({"R40": "AA", "R41": "nowhere", "R42": "AA"})) == ["9.7.a"]
    game.order(Retreat({"R40": "AA", "R41": "nowhere"}))
    assert game.where("R40", "R41") == ["AA", "eliminated"]


@pytest.mark.rule("9.7.a", "9.7.c")
@pytest.mark.parametrize(
    ("held", "in_c", "units", "asks"),
    [
        ("D E", 0, ("R40",), True),
        ("D B E", 0, ("R40",), False),
        ("D B E", 9, ("R40",), False),
        ("D B E", 9, ("R40", "R41"), True),
        ("D E", 10, ("R40",), False),
        ("D B C E", 0, ("R40",), False),
        ("D E", 0, (), False),
    ],
)
def test_who_retreats_is_asked_where_there_is_a_choice(held, in_c, units, asks):
    there = " ".join(f"R{number:02}" for number in range(1, in_c + 1))
    position = table({"D": "N01 R40 R41", "C": there}, nationalist=held)
    assert retreat.is_free_choice(position, R, units, "") is asks


@pytest.mark.rule("9.7.f")
def test_the_ban_on_the_rivers_binds_retreats():
    position = table({"AA": "N01 R01"}, nationalist="CC S", facts=())
    assert retreat.ways_out(position, N, "AA") == ((), (), ())
    opened = position.but(facts=frozenset({"rivers_open"}))
    assert retreat.ways_out(opened, N, "AA") == (("CC",), (), ())
    assert not retreat.is_barred(position, R, "AA", "CC")
    assert not retreat.is_barred(table(scenario="scenario_2", facts=()), N, "AA", "CC")
    state = State(position, (Retreating(N, ("N01",)),))
    (fault,) = kernel.violations(state, Retreat({"N01": "CC"}))
    assert fault.rule == "9.7.f"
    assert str(fault.message).endswith("Casa de Campo (CC): the river may not be crossed yet")
    (fault,) = kernel.violations(state, Retreat({"N01": "GG"}))
    assert fault.rule == "9.7.a" and "river" not in str(fault.message)
