"""Chapter 11.1 and 11.2: who may attack, strengths, cards, modifiers, columns, the winner."""

import pytest

from pbem.engine.choices import every
from pbem.engine.kernel import violations
from pbem.engine.model import Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.effects.combat_cards import CONDITIONS
from pbem.games.crusade.orders import (
    AdvancePlan,
    Attack,
    CombatCards,
    Done,
    Losses,
)
from pbem.games.crusade.position import Boost, Combat, Fort
from pbem.games.crusade.rules import combat as rules
from pbem.games.crusade.rules.attack import armor_may_claim, targets
from pbem.games.crusade.rules.combat_cards import put_away
from pbem.games.crusade.rules.engagement import boost_of
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.value import replace
from tests.bots import ScriptedDice
from tests.games.crusade.board import TABLES, N, R, sealed, table
from tests.games.crusade.fights import Round, attack, field, where


def combat(space, attacker=N, **origins):
    units = {unit: origin for origin, names in origins.items() for unit in names.split()}
    return Combat(attacker, space, units)


# --- 11.1: who may attack -----------------------------------------------------------------------


def south(**changes):
    facts = {
        "sevilla": "INF-1 N-POL-1",
        "huelva": "CAV-1",
        "cordoba": "INF-3",
        "riotinto": "R-MIL-1",
        "santa_olalla": "R-MIL-2",
        **changes,
    }
    return field(**facts)


def south_round(**changes):
    return Round(south(**changes), N, "sevilla", "huelva")


@pytest.mark.parametrize("number, order", [
    pytest.param("", attack("riotinto", sevilla="INF-1", huelva="CAV-1"), id="legal"),
    pytest.param("11.2.2", attack("atlantis", sevilla="INF-1"), id="no such space"),
    pytest.param("11.2.2", attack("riotinto", atlantis="INF-1"), id="no such origin"),
    pytest.param("11.2.2", attack("riotinto", sevilla="INF-99"), id="no such unit"),
    pytest.param("11.2.2", attack("riotinto"), id="no unit"),
    pytest.param("11.2.2", attack("riotinto", sevilla="INF-1 INF-1"), id="one unit twice"),
    pytest.param("11.2.2", attack("riotinto", sevilla="CAV-1"), id="unit elsewhere"),
    pytest.param("11.2.2", attack("riotinto", santa_olalla="R-MIL-2"), id="enemy unit"),
    pytest.param("11.1.1", attack("montoro", cordoba="INF-3"), id="space without marker"),
    pytest.param("11.1.3", attack("santa_olalla", huelva="CAV-1"), id="not adjacent"),
    pytest.param("11.1.3", attack("ecija", sevilla="INF-1"), id="nobody there"),
    pytest.param("11.3.1", attack("riotinto", losses="XX", sevilla="INF-1"), id="ranks nothing"),
    pytest.param("16.6.2/a", Attack("riotinto", {"sevilla": ("INF-1",)}, armor="INF-1"),
                 id="infantry as armor"),
    pytest.param("11.5.1", Attack("riotinto", {"sevilla": ("INF-1",)},
                                  advance=AdvancePlan(("CAV-1",), ("riotinto",))),
                 id="plan for a stranger"),
    pytest.param("11.5.1", Attack("riotinto", {"sevilla": ("INF-1",)},
                                  advance=AdvancePlan(("INF-1",), ("huelva",))),
                 id="plan for elsewhere"),
])  # fmt: skip
@pytest.mark.rule("11.1.1", "11.1.3", "11.2.2", "11.3.1", "11.5.1", "16.6.2/a")
def test_who_may_attack(number, order):
    found = south_round().faults(order)
    assert found[:1] == ([number] if number else [])


@pytest.mark.rule("11.1.3")
def test_who_reaches_too_far_is_told_what_that_space_can_attack():
    (found,) = violations(south_round().state, attack("santa_olalla", huelva="CAV-1"))
    assert str(found.hint) == "from there you can attack Riotinto"


@pytest.mark.rule("11.1.5", "11.3.5")
@pytest.mark.parametrize("dice", [(1, 1), (1, 2)])
def test_a_division_that_replaced_a_corps_has_taken_part_in_that_combat(dice):
    position = field(
        9, guadix="(N-VI)", almeria="R-I R-III R-II", jaen="RPA-1", reserve="INF-5 INF-6",
        hold="granada sevilla",
    )  # fmt: skip
    fought = Round(position, N, "guadix").say(attack("almeria", guadix="N-VI", losses="corps"))
    fought.roll(*dice)
    (replaced,) = fought.told(e.CorpsReplaced)
    assert (replaced.division, replaced.space) == ("INF-5", "guadix")
    assert fought.by_default("advance").question == ""


@pytest.mark.rule("11.1.5", "11.3.5")
def test_others_of_its_space_still_attack_after_a_corps_was_replaced():
    position = field(
        9, guadix="(N-VI) INF-9", almeria="R-I R-III R-II", jaen="RPA-1", reserve="INF-5 INF-6",
        hold="granada sevilla",
    )  # fmt: skip
    fought = Round(position, N, "guadix").say(attack("almeria", guadix="N-VI", losses="corps"))
    fought.roll(1, 2).by_default("advance")
    assert where(fought.position, "INF-5")[0].strip("()") == "guadix"
    assert fought.faults(attack("jaen", guadix="INF-5")) == ["11.1.5"]
    assert fought.faults(attack("jaen", guadix="INF-9 INF-5")) == ["11.1.5"]
    assert fought.faults(attack("jaen", guadix="INF-9")) == []


@pytest.mark.rule("11.1.4", "11.1.5", "11.1.7")
def test_each_unit_fights_once_and_each_space_is_struck_once():
    fought = south_round().say(attack("riotinto", sevilla="INF-1")).roll(1, 1)
    assert fought.question == "combat"
    assert fought.faults(attack("santa_olalla", sevilla="INF-1")) == ["11.1.5"]
    assert fought.faults(attack("riotinto", sevilla="N-POL-1")) == ["11.1.5"]
    assert fought.faults(attack("santa_olalla", sevilla="N-POL-1")) == []


@pytest.mark.rule("11.1.2", "11.1.4")
def test_what_may_be_attacked_is_named_in_map_order_and_once():
    stage, position = south_round().state.agenda[-1], south()
    assert [*targets(stage, position)] == ["riotinto", "santa_olalla"]
    struck = replace(stage, struck=frozenset({"riotinto"}))
    assert [*targets(struck, position)] == ["santa_olalla"]
    both = field(3, cordoba="INF-1", montoro="R-MIL-1", burgos="INF-2", pancorbo="R-MIL-2")
    stage = Round(both, N, "cordoba", "burgos").state.agenda[-1]
    assert [*targets(stage, both)] == ["pancorbo", "montoro"]


@pytest.mark.rule("11.1.1")
def test_combat_is_voluntary_and_ends_when_nobody_is_left():
    fought = south_round()
    assert fought.asks.default == Done() and fought.asks.optional
    everyone = attack("riotinto", losses="POL", sevilla="INF-1 N-POL-1", huelva="CAV-1")
    assert fought.say(everyone).roll(1, 6).question == ""


@pytest.mark.rule("11.1.3")
def test_all_defenders_take_part_and_only_named_attackers():
    fought = Round(south(riotinto="R-MIL-1 RPA-1"), N, "sevilla")
    fought.say(attack("riotinto", sevilla="INF-1"))
    declared = fought.told(e.AttackDeclared)[0]
    assert declared.attackers == ("INF-1",) and declared.defenders == ("R-MIL-1", "RPA-1")


@pytest.mark.rule("11.1.6")
def test_units_without_combat_factor_may_attack_alone():
    fought = Round(south(sevilla="(CAV-2)"), N, "sevilla")
    fought.say(attack("riotinto", sevilla="CAV-2")).roll(4, 1)
    assert fought.told(e.FireResolved)[0].column == "0"


@pytest.mark.rule("11.1.7", "11.1.7/a")
def test_who_did_not_fight_neither_loses_nor_advances():
    position = field(8, madrid="R-I R-MIL-1", illescas="INF-1")
    fought = Round(position, R, "madrid").say(attack("illescas", madrid="R-I")).roll(6, 6)
    assert where(fought.position, "R-MIL-1") == ["madrid"]
    assert fought.told(e.UnitReduced)[-1].unit != "R-MIL-1"


# --- 17.4 ---------------------------------------------------------------------------------------


TERUEL = {
    "barracas": "R-POL-1 R-MIL-1",
    "ademuz": "R-MIL-2",
    "rubielos_de_mora": "R-MIL-3",
    "teruel": "N-POL-1",
}


@pytest.mark.parametrize("from_spaces, ok", [
    ("barracas ademuz", True),
    ("barracas rubielos_de_mora", True),
    ("barracas", True),
    ("ademuz", True),
    ("barracas ademuz rubielos_de_mora", False),
    ("ademuz rubielos_de_mora", False),
])  # fmt: skip
@pytest.mark.rule("17.4.1", "17.4.2")
def test_militias_are_not_coordinated(from_spaces, ok):
    fought = Round(field(**TERUEL), R, *TERUEL)
    order = attack("teruel", **{origin: TERUEL[origin] for origin in from_spaces.split()})
    assert fought.faults(order) == ([] if ok else ["17.4.2"])


@pytest.mark.parametrize("turn, played, unit, rule", [
    (5, (), "R-MIL-2", "17.4.2"),
    (5, ("R8",), "R-MIL-2", ""),
    (5, ("R8",), "MIL-CNT-1", "17.4.3"),
    (6, (), "R-MIL-2", ""),
    (6, ("R8",), "MIL-CNT-1", ""),
])  # fmt: skip
@pytest.mark.rule("17.4.1", "17.4.3")
def test_how_long_militias_stay_uncoordinated(turn, played, unit, rule):
    position = field(
        turn, ademuz=unit, barracas="MIL-CNT-2", teruel="N-POL-1", played=frozenset(played)
    )
    order = attack("teruel", ademuz=unit, barracas="MIL-CNT-2")
    assert Round(position, R, "ademuz", "barracas").faults(order) == ([rule] if rule else [])


@pytest.mark.rule("17.4.2", "17.4.3")
def test_before_the_government_catalans_break_one_rule_and_not_two():
    position = field(5, ademuz="MIL-CNT-1", barracas="MIL-CNT-2", teruel="N-POL-1")
    order = attack("teruel", ademuz="MIL-CNT-1", barracas="MIL-CNT-2")
    fought = Round(position, R, "ademuz", "barracas")
    assert fought.faults(order) == ["17.4.2"]
    assert [str(each.message) for each in violations(fought.state, order)] == [
        "only militia would attack from Ademuz, and only militia from Barracas"
    ]


@pytest.mark.rule("17.4.1")
def test_nationalist_militia_are_coordinated():
    position = field(huelva="N-MIL-1", sevilla="N-MIL-2", riotinto="R-MIL-1")
    order = attack("riotinto", huelva="N-MIL-1", sevilla="N-MIL-2")
    assert Round(position, N, "huelva", "sevilla").faults(order) == []


# --- 16.6: armor --------------------------------------------------------------------------------


def armored(target="lecinena", origin="sarinena", unit="T-26-1", **facts):
    position = field(8, **{target: "N-MIL-1", origin: f"{unit} R-MIL-1"}, **facts)
    order = Attack(target, {origin: (unit.strip("()"), "R-MIL-1")}, armor=unit.strip("()"))
    return Round(position, R, origin), order


@pytest.mark.parametrize("change, ok", [
    ({}, True),
    ({"unit": "(T-26-1)"}, False),
    ({"target": "teruel", "origin": "barracas"}, False),
    ({"target": "zaragoza", "origin": "belchite"}, False),
    ({"forts": {"lecinena": Fort("position", N)}}, False),
    ({"target": "merida", "origin": "trujillo"}, False),
])  # fmt: skip
@pytest.mark.rule("16.6.2/a", "16.6.2/d", "RC.terrain", "3.0.open_space")
def test_armor_claims_only_against_open_spaces_and_not_over_rivers(change, ok):
    fought, order = armored(**change)
    assert fought.faults(order) == ([] if ok else ["16.6.2/a"])


@pytest.mark.rule("16.6.2/a")
def test_armor_that_claims_is_one_of_the_attackers():
    fought, order = armored()
    elsewhere = Attack(order.space, {"sarinena": ("R-MIL-1",)}, armor="T-26-1")
    assert fought.faults(elsewhere) == ["16.6.2/a"]


@pytest.mark.rule("16.6.2/a", "16.6.2/d")
@pytest.mark.parametrize("claims, hint", [("INF-1", "armor: CV-33-1"), ("INF-2", "armor: none")])
def test_a_claim_that_fails_names_the_armor_that_could(claims, hint):
    position = field(8, merida="CV-33-1 INF-1", zafra="R-MIL-1", llerena="INF-2")
    units = {"INF-1": ("CV-33-1", "INF-1"), "INF-2": ("INF-1",)}[claims]
    order = Attack("zafra", {"merida": units}, armor="INF-1")
    (found,) = armor_may_claim(None, position, order)
    assert str(found.hint) == hint


@pytest.mark.rule("16.6.2/c", "16.6.2")
def test_armor_adds_one_however_many():
    fought, order = armored(hand={})
    fought.say(order).roll(1, 1)
    assert fought.told(e.FireResolved)[0].drms == (("armor", 1),)


# --- 11.2.5: modifiers --------------------------------------------------------------------------


@pytest.mark.parametrize("turn, attacker, drms", [
    (1, R, (("militia", -1),)), (2, R, ()), (1, N, ()),
])  # fmt: skip
@pytest.mark.rule("17.5.1", "11.2.5")
def test_militia_attacks_of_the_first_turn(turn, attacker, drms):
    position = field(turn, riotinto="R-MIL-1", sevilla="N-MIL-1")
    one, other = ("riotinto", "sevilla") if attacker == R else ("sevilla", "riotinto")
    fought = Round(position, attacker, one)
    fought.say(attack(other, **{one: position.units_in(one)[0]})).roll(3, 3)
    assert [f.drms for f in fought.told(e.FireResolved)] == [drms, ()]


@pytest.mark.rule("17.5.1")
def test_one_militia_unit_is_enough_for_the_penalty_of_the_first_turn():
    position = field(1, riotinto="R-MIL-1 RPA-1", sevilla="N-MIL-1")
    fought = Round(position, R, "riotinto").say(attack("sevilla", riotinto="R-MIL-1 RPA-1"))
    assert fought.roll(3, 3).told(e.FireResolved)[0].drms == (("militia", -1),)


@pytest.mark.parametrize("turn, flags, drms", [
    (4, (), ()),
    (5, (), (("winter", -1),)),
    (11, (), (("winter", -1),)),
    (11, ("severe_winter_11",), (("severe winter", -2),)),
    (5, ("severe_winter_11",), (("winter", -1),)),
])  # fmt: skip
@pytest.mark.rule("16.5.2/b", "16.5.3", "RC.terrain")
def test_winter_in_the_mountains(turn, flags, drms):
    position = field(turn, barracas="RPA-1", teruel="N-MIL-1", flags=frozenset(flags))
    fought = Round(position, R, "barracas", boost=Boost("R35", terrain_free=True))
    order = Attack("teruel", {"barracas": ("RPA-1",)}, cancel_terrain=True)
    fought.say(order).roll(3, 3)
    fire = fought.told(e.FireResolved)[0]
    assert fire.drms == drms and fire.shifts == ()


@pytest.mark.rule("16.5.2/b")
def test_winter_is_felt_in_the_mountains_alone():
    fought = Round(south(turn=5), N, "sevilla").say(attack("riotinto", sevilla="INF-1")).roll(3, 3)
    assert fought.position.space("riotinto").terrain != "mountain"
    assert fought.told(e.FireResolved)[0].drms == ()


@pytest.mark.rule("8.5.5.2")
def test_an_event_may_boost_every_attack_or_one():
    position = south()
    every, one = boost_of(position, "N27"), boost_of(position, "N26")
    assert (every.drm, every.once, every.air) == (1, False, True) and one.once
    fought = Round(position, N, "sevilla", "huelva", boost=one)
    first = Attack("riotinto", {"sevilla": ("INF-1",)}, air_bonus=True)
    fought.say(first).roll(1, 6)
    assert fought.told(e.FireResolved)[0].drms == (("N26", 1),)
    again = Attack("santa_olalla", {"sevilla": ("N-POL-1",)}, air_bonus=True)
    assert fought.faults(again) == ["card N26"]
    fought.say(attack("santa_olalla", sevilla="N-POL-1")).roll(1, 1)
    assert fought.told(e.FireResolved)[2].drms == ()


@pytest.mark.rule("8.5.5.2", "8.5.5.3", "11.2.2")
@pytest.mark.parametrize("boost, fields, drm, wins", [
    (Boost("N34", 1), {}, 1, False),
    (Boost("N26", 1, once=True), {}, 0, False),
    (Boost("N26", 1, once=True), {"air_bonus": True}, 1, False),
    (Boost("R33", 1, marks_victories=True), {}, 1, True),
    (Boost("R35", 1, terrain_free=True, marks_victories=True), {}, 1, False),
    (Boost("R35", 1, terrain_free=True, marks_victories=True), {"cancel_terrain": True}, 1, True),
])  # fmt: skip
def test_what_an_event_does_for_an_attack(boost, fields, drm, wins):
    stage = Combats(N, ("sevilla",), boost, struck=frozenset({"zafra"}))
    order = Attack("riotinto", {"sevilla": ("INF-1",)}, **fields)
    combat, side = stage.committed(south(), order)
    assert (combat.boost.drm, combat.boost.marks_victories, side) == (drm, wins, N)
    assert combat.number == 2, "the second of the round"


@pytest.mark.rule("8.5.5.3")
def test_a_favour_that_is_not_used_is_left_for_a_later_attack():
    boost = Boost("N26", 1, once=True, terrain_free=True)
    fought = Round(south(), N, "sevilla", boost=boost)
    fought.say(attack("riotinto", sevilla="INF-1")).roll(1, 6)
    for favour in ("cancel_terrain", "air_bonus"):
        again = Attack("santa_olalla", {"sevilla": ("N-POL-1",)}, **{favour: True})
        assert fought.faults(again) == []


@pytest.mark.rule("11.2.2")
def test_each_space_that_can_be_attacked_is_named_with_its_option():
    asked = south_round().asks
    offers = [option for option in asked.options if option.order is Attack]
    assert len(offers) > 1
    for option in offers:
        (example, *_) = option.examples(every)
        assert option.note == TABLES.spaces[example.order.space].name
        assert asked.side == N and example.order.losses and example.order.advance


@pytest.mark.rule("8.5.5.3", "card N26", "card N46")
def test_favours_of_an_event_need_that_event_and_work_once():
    fought = south_round()
    for favour, rule in (("cancel_terrain", "card N46"), ("air_bonus", "card N26")):
        order = Attack("riotinto", {"sevilla": ("INF-1",)}, **{favour: True})
        assert fought.faults(order) == [rule]
    theirs = Attack("sevilla", {"riotinto": ("R-MIL-1",)}, cancel_terrain=True)
    ours = field(3, sevilla="INF-1", riotinto="R-MIL-1")
    assert Round(ours, R, "riotinto").faults(theirs) == ["8.5.5.3"]
    again = Attack("santa_olalla", {"sevilla": ("N-POL-1",)}, cancel_terrain=True)
    counterattack = Boost("R35", terrain_free=True, marks_victories=True)
    for boost, rule in ((boost_of(south(), "N46"), "card N46"), (counterattack, "8.5.5.3")):
        fought = Round(south(), N, "sevilla", boost=boost)
        fought.say(Attack("riotinto", {"sevilla": ("INF-1",)}, cancel_terrain=True)).roll(2, 6)
        assert fought.faults(again) == [rule]
    assert fought.faults(attack("santa_olalla", sevilla="N-POL-1")) == [], "without the favour"


# --- 11.2.6: tables and columns -----------------------------------------------------------------


@pytest.mark.parametrize("attackers, table_used, column", [
    ("INF-1 INF-2 INF-3", "division", "6"),
    ("INF-1 INF-2 (N-TURIA)", "corps", "6-8"),
])  # fmt: skip
@pytest.mark.rule("11.2.6", "11.2.3")
def test_one_corps_is_enough_for_the_corps_table(attackers, table_used, column):
    position = field(8, illescas=attackers, toledo="(R-I)")
    fought = Round(position, N, "illescas")
    fought.say(attack("toledo", illescas=attackers.replace("(", "").replace(")", ""))).roll(1, 1)
    fires = fought.told(e.FireResolved)
    assert (fires[0].table, fires[0].column) == (table_used, column)
    assert (fires[1].table, fires[1].column, fires[1].strength) == ("corps", "2", 2)


@pytest.mark.parametrize("origin, target, attacker, shifts", [
    ("segovia", "somosierra", N, (("mountain", -1), ("sierra_of_madrid", -1))),
    ("somosierra", "aranda_de_duero", R, (("river", -1), ("sierra_of_madrid", -1))),
    ("guadarrama", "somosierra", N, (("mountain", -1), ("sierra_of_madrid", -1))),
    ("segovia", "guadarrama", N, (("mountain", -1), ("sierra_of_madrid", -1))),
    ("toledo", "illescas", R, ()),
])  # fmt: skip
@pytest.mark.rule("11.2.6")
def test_terrain_and_the_sierra_of_madrid(origin, target, attacker, shifts):
    mine, other = ("INF-1", "RPA-1") if attacker == N else ("RPA-1", "INF-1")
    fought = Round(field(**{origin: mine, target: other}, forts={}), attacker, origin)
    fought.say(attack(target, **{origin: mine})).roll(1, 1)
    assert fought.told(e.FireResolved)[0].shifts == shifts
    assert fought.told(e.FireResolved)[1].shifts == ()


@pytest.mark.parametrize("kind, attacker_shift, defender_shift", [
    ("position", (("position", -1),), ()), ("trench", (("trench", -1),), (("trench", 1),)),
])  # fmt: skip
@pytest.mark.rule("10.2.8")
def test_positions_and_trenches(kind, attacker_shift, defender_shift):
    fought = Round(south(forts={"riotinto": Fort(kind, R)}), N, "sevilla")
    fought.say(attack("riotinto", sevilla="INF-1")).roll(1, 1)
    fires = fought.told(e.FireResolved)
    assert [fire.shifts for fire in fires] == [attacker_shift, defender_shift]


@pytest.mark.rule("11.2.6")
def test_a_river_counts_only_if_all_cross_it():
    position = field(caceres="INF-1", zafra="INF-2", badajoz="RPA-1", forts={})
    both = combat("badajoz", caceres="INF-1", zafra="INF-2")
    assert rules.shifts(position, both, N) == ()
    assert rules.shifts(position, combat("badajoz", caceres="INF-1"), N) == (("river", -1),)


@pytest.mark.rule("11.2.6", "3.0.column_shift")
@pytest.mark.parametrize("space, forts, column", [
    ("somosierra", {}, "0"),
    ("guadarrama", {"guadarrama": Fort("trench", R)}, "0"),
])  # fmt: skip
def test_net_shifts_stop_at_the_edge_of_the_table(space, forts, column):
    position = field(segovia="N-MIL-1", **{space: "RPA-1 RPA-2 RPA-3"}, forts=forts)
    fought = Round(position, N, "segovia").say(attack(space, segovia="N-MIL-1")).roll(1, 1)
    assert fought.told(e.FireResolved)[0].column == column


@pytest.mark.rule("11.2.6")
def test_shifts_are_added_before_they_work():
    # Strength 9 in a Trench: 8+ is the last column, and one to the right of it stays there.
    position = field(
        sevilla="INF-1", riotinto="INT-XI INT-XII INT-XIII", forts={"riotinto": Fort("trench", R)}
    )
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="INF-1")).roll(1, 1)
    assert fought.told(e.FireResolved)[1].column == "8+"


CHECKS = [
    ("division", 6, -1, "5", 2, 1, 3, 2),
    ("division", 2, 0, "2", 4, 0, 4, 1),
    ("corps", 9, -1, "6-8", 1, 2, 3, 4),
    ("corps", 5, 0, "5", 3, 1, 4, 4),
    ("corps", 9, -1, "6-8", 2, 2, 4, 4),
    ("corps", 5, 0, "5", 2, 1, 3, 3),
    ("corps", 9, -1, "6-8", 4, 2, 6, 5),
    ("corps", 5, 0, "5", 3, 1, 4, 4),
    ("division", 4, 0, "4", 1, 0, 1, 1),
    ("division", 1, 0, "1", 3, 0, 3, 0),
    ("division", 6, -1, "5", 4, 0, 4, 2),
    ("division", 1, 0, "1", 1, 0, 1, 0),
    ("division", 7, 0, "7", 5, 0, 5, 3),
    ("division", 2, 0, "2", 1, 0, 1, 0),
    ("division", 3, 0, "3", 6, 0, 6, 2),
    ("division", 1, 0, "1", 6, 0, 6, 1),
]
"""Every fire the rulebook works out: table, strength, shift, column, die, DRM, modified, loss."""


@pytest.mark.rule("11.2.6", "11.2.7")
@pytest.mark.parametrize("size, strength, shift, column, die, drm, modified, loss", CHECKS)
def test_the_fire_tables(size, strength, shift, column, die, drm, modified, loss):
    fire = TABLES.fire_tables[size]
    index = fire.shifted(fire.column(strength), shift)
    assert (fire.heading(index), die + drm, fire.at(index, die + drm)) == (column, modified, loss)


@pytest.mark.rule("11.2.6")
def test_what_the_rulebook_says_of_the_fire_tables():
    division, corps = TABLES.fire_tables["division"], TABLES.fire_tables["corps"]
    two = [division.at(division.column(2), die) for die in range(1, 7)]
    assert two[0] == 0 and min(two[1:]) == 1 and max(two) == 1
    mean = sum(
        corps.at(corps.column(6), d) - division.at(division.column(6), d) for d in range(1, 7)
    )
    assert mean == 2 * 6
    assert corps.heading(corps.column(2)) == "2"
    assert 1 in [division.at(division.column(4), die) for die in range(1, 7)]


@pytest.mark.rule("11.2.7")
@pytest.mark.parametrize("die, modified", [(6, 6), (1, 2)])
def test_the_modified_die_stays_between_one_and_six(die, modified):
    position = south(hand={N: ["N10"]})
    fought = Round(position, N, "sevilla")
    fought.say(attack("riotinto", "N10", sevilla="INF-1")).roll(die, 1)
    assert fought.told(e.FireResolved)[0].modified == modified


@pytest.mark.rule("11.2.7")
def test_the_attackers_die_is_asked_first_and_says_what_for():
    fought = Round(south(), N, "sevilla").say(attack("riotinto", sevilla="INF-1"))
    draws = fought.asks.draws
    assert [draw.label for draw in draws] == ["combat/#/att/die/1", "combat/#/def/die/1"]
    assert [str(draw.purpose) for draw in draws] == ["attacker's fire", "defender's fire"]
    assert ScriptedDice(1, 2).roll(draws)["combat/#/def/die/1"].face == 2


# --- 11.2.9 and 8.5.3: the winner and the cards -------------------------------------------------


@pytest.mark.parametrize("dice, winner, mine, other", [
    ((6, 1), N, "table", "discards"),
    ((1, 1), "", "discards", "discards"),
    ((1, 6), R, "discards", "table"),
])  # fmt: skip
@pytest.mark.rule("11.2.9", "8.5.3.2", "8.5.3.3", "3.0.combat_card")
def test_the_winner_keeps_their_cards(dice, winner, mine, other):
    position = south(
        riotinto="RPA-1 RPA-2", hand={N: ["N10"], R: ["R29"]}, played=frozenset({"R2"})
    )
    fought = Round(position, N, "sevilla", "huelva")
    order = attack("riotinto", "N10", "CAV", sevilla="INF-1 N-POL-1", huelva="CAV-1")
    fought.say(order).say(CombatCards(("R29",))).roll(*dice).by_default("losses")
    decided = fought.told(e.CombatDecided)[0]
    assert decided.winner == winner
    assert getattr(fought.position.decks[N], mine) == ("N10",)
    assert getattr(fought.position.decks[R], other) == ("R29",)


@pytest.mark.rule("8.5.3.2")
@pytest.mark.parametrize(
    "card, pile", [("N12", "discards"), ("N55", "discards"), ("N10", "table"), ("N33", "table")]
)
def test_a_card_that_serves_once_a_turn_is_never_kept(card, pile):
    position = south(riotinto="RPA-1", hand={N: [card]})
    combat = Combat(
        N, "riotinto", {"INF-1": "sevilla"}, attacker_cards=(card,), slots={card: "n/1/0"}
    )
    story = Unfolding(position)
    put_away(story, combat, N)
    assert getattr(story.position.decks[N], pile) == (card,)


@pytest.mark.rule("11.3.1", "11.2.9")
def test_losses_that_cannot_be_taken_still_win():
    fought = Round(south(riotinto="(R-MIL-1)", sevilla="INF-1 INF-2"), N, "sevilla")
    fought.say(attack("riotinto", sevilla="INF-1 INF-2")).roll(6, 6)
    decided = fought.told(e.CombatDecided)[0]
    assert (decided.winner, decided.by_attacker, decided.by_defender) == (N, 2, 1)
    assert where(fought.position, "R-MIL-1") == ["(eliminated)"]


@pytest.mark.rule("11.2.9", "11.2.10")
def test_equal_numbers_are_won_by_nobody_even_if_the_defender_dies():
    position = field(riotinto="RPA-1 RPA-2", sevilla="(INF-1)")
    fought = (
        Round(position, R, "riotinto").say(attack("sevilla", riotinto="RPA-1 RPA-2")).roll(1, 6)
    )
    decided = fought.told(e.CombatDecided)[0]
    assert decided.winner == "" and where(fought.position, "INF-1") == ["(eliminated)"]
    assert fought.question == "advance"


@pytest.mark.rule("8.5.3.4", "8.5.3.5")
def test_a_kept_card_works_once_a_round():
    position = south().with_deck(N, table=("N10",))
    fought = Round(position, N, "sevilla")
    fought.say(attack("riotinto", "N10", sevilla="INF-1")).roll(6, 1)
    assert fought.position.used_table == {"N10"} and fought.position.decks[N].table == ("N10",)
    fought = Round(fought.position, N, "sevilla")
    assert fought.faults(attack("santa_olalla", "N10", sevilla="N-POL-1")) == ["8.5.3.4"]


@pytest.mark.parametrize("card, rule", [
    ("N99", "8.5.3"), ("R29", "8.5.3"), ("N1", "8.5.3"), ("N17", "8.5.3.1"),
    ("N9", "11.2.4"), ("N38", "8.5.1.2"), ("N5", "11.2.4"),
])  # fmt: skip
@pytest.mark.rule("8.5.3", "8.5.3.1", "11.2.4", "8.5.1.2")
def test_cards_that_may_not_be_committed(card, rule):
    position = south(hand={N: ["N9", "N38", "N5", "N1"]})
    fought = Round(position, N, "sevilla")
    assert fought.faults(attack("riotinto", card, sevilla="INF-1")) == [rule]


@pytest.mark.rule("8.5.3")
def test_a_card_is_committed_once():
    fought = Round(south(hand={N: ["N10"]}), N, "sevilla")
    assert fought.faults(attack("riotinto", "N10 N10", sevilla="INF-1")) == ["8.5.3"]


@pytest.mark.rule("8.5.3")
def test_a_card_that_is_not_built_says_so(monkeypatch):
    from pbem.games.crusade.effects import combat_cards

    monkeypatch.setattr(combat_cards, "BUILT", combat_cards.BUILT - {"restores_step"})
    position = sealed(south(hand={R: ["R60", "R29"]}, played=frozenset({"R2"})))
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="INF-1"))
    assert fought.faults(CombatCards(("R60",))) == ["8.5.3"]


@pytest.mark.rule("13.3.4/a")
def test_defenders_out_of_supply_use_no_cards():
    cut_off = "zafra badajoz merida caceres santa_olalla llerena castuera don_benito"
    position = field(
        jerez_de_los_caballeros="RPA-1", riotinto="INF-1", sevilla="INF-2",
        hold=cut_off, hand={R: ["R29"]}, played=frozenset({"R2"}),
        flags=frozenset({"badajoz_lost"}),
    )  # fmt: skip
    fought = Round(position, N, "riotinto")
    fought.say(attack("jerez_de_los_caballeros", riotinto="INF-1"))
    assert fought.question == "dice"  # they are not even asked


@pytest.mark.rule("13.3.4/a", "13.1.1.1/c")
def test_attackers_out_of_supply_use_no_cards():
    position = field(illescas="INF-1", toledo="RPA-1", hand={N: ["N10"]})
    fought = Round(position, N, "illescas")
    assert fought.faults(attack("toledo", "N10", illescas="INF-1")) == ["13.3.4/a"]
    assert fought.faults(attack("toledo", illescas="INF-1")) == []


@pytest.mark.rule("8.5.3.1")
@pytest.mark.parametrize("hand, pile, openly, hidden", [
    (["R29"], [], "combat cards", "combat cards"),
    ([], [], "dice", "dice"),
    ([], ["R29"], "dice", "dice"),
    (["R1"], [], "dice", "dice"),
    (["R1"], ["R29"], "dice", "combat cards"),
    (["R1"], ["R3", "R11"], "dice", "dice"),
])  # fmt: skip
def test_the_defender_is_asked_for_cards_if_they_may_have_one(hand, pile, openly, hidden):
    """With sealed hands they are asked also for what may just as well lie in their pile."""
    position = south(hand={R: hand}, played=frozenset({"R2"}))
    drawn = {f"r/1/{len(hand) + place}": card for place, card in enumerate(pile)}
    position = position.but(known={**position.known, **drawn}).with_deck(R, pile=tuple(drawn))
    for board, asked in ((position, openly), (sealed(position), hidden)):
        fought = Round(board, N, "sevilla").say(attack("riotinto", sevilla="INF-1"))
        assert fought.question == asked


# --- 17.3 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn, origin, target, flag", [
    (4, "illescas", "madrid", "madrid_attacked"),
    (4, "illescas", "toledo", ""),
    (4, "segovia", "guadarrama", ""),
    (4, "illescas", "san_martin_de_la_vega", "madrid_neighbour_attacked"),
    (4, "toledo", "illescas", "madrid_neighbour_attacked"),
    (6, "illescas", "madrid", ""),
])  # fmt: skip
@pytest.mark.rule("17.3.2/b", "17.3.2/c")
def test_attacks_on_madrid_are_remembered(turn, origin, target, flag):
    position = field(turn, **{origin: "INF-1", target: "RPA-1"})
    fought = Round(position, N, origin).say(attack(target, **{origin: "INF-1"})).roll(1, 1)
    assert {event.flag for event in fought.told(e.FlagSet)} == ({flag} if flag else set())


@pytest.mark.rule("17.3.2/b", "17.3.2/c")
def test_a_republican_attack_next_to_madrid_is_none_on_it():
    position = field(4, madrid="RPA-1", illescas="INF-1")
    fought = Round(position, R, "madrid").say(attack("illescas", madrid="RPA-1")).roll(1, 1)
    assert fought.told(e.FlagSet) == []


# --- combat cards -------------------------------------------------------------------------------


def militia_attack(units="R-MIL-1 R-MIL-2", cards="", hand=("R17",), turn=3):
    position = field(
        turn, riotinto=units, sevilla="INF-1", hand={N: ["N7", "N9", "N12", "N14", "N18"], R: hand}
    )
    fought = Round(position, R, "riotinto")
    return fought.say(attack("sevilla", cards, riotinto=units))


@pytest.mark.rule("card N7")
def test_n7_calls_the_attack_off():
    fought = militia_attack(cards="R17").say(CombatCards(("N7", "N9")))
    assert fought.question == "" and fought.told(e.FireResolved) == []
    assert fought.position.decks[N].removed == ("N7",)
    assert "N9" in fought.position.hand_cards(N) and "R17" in fought.position.hand_cards(R)


@pytest.mark.rule("card N7", "8.5.1.2")
@pytest.mark.parametrize("units, turn, rules", [
    ("R-MIL-1 R-MIL-2", 3, []), ("R-MIL-1 RPA-1", 3, ["11.2.4"]),
    ("R-MIL-1 R-MIL-2", 6, ["8.5.1.2"]),
])  # fmt: skip
def test_n7_is_for_militia_in_the_first_phase(units, turn, rules):
    fought = militia_attack(units, turn=turn)
    assert fought.faults(CombatCards(("N7",))) == rules


@pytest.mark.rule("card N9", "card R17")
def test_n9_takes_two_from_the_attackers_die():
    fought = militia_attack(cards="R17").say(CombatCards(("N9",))).roll(5, 1)
    attackers, defenders = fought.told(e.FireResolved)
    assert (attackers.drms, attackers.modified) == ((("R17", 1), ("N9", -2)), 4)
    assert defenders.drms == ()


@pytest.mark.rule("card N12")
@pytest.mark.parametrize("number_of_cards, stays", [(1, True), (0, False)])
def test_n12_holds_a_beaten_stack(number_of_cards, stays):
    position = field(4, riotinto="RPA-1 RPA-2 RPA-3", sevilla="INF-1", hand={N: ["N12"]})
    fought = Round(position, R, "riotinto")
    fought.say(attack("sevilla", riotinto="RPA-1 RPA-2 RPA-3"))
    fought.say(CombatCards(("N12",) * number_of_cards)).roll(1, 1)
    assert fought.told(e.CombatDecided)[0].winner == R
    assert (fought.question == "") is stays
    assert (fought.told(e.RetreatCancelled) != []) is stays
    assert ("N12" in fought.position.decks[N].discards) is stays


@pytest.mark.rule("card N14", "CC.N14", "17.4.2")
def test_n14_makes_police_defect():
    fought = militia_attack("R-MIL-1 R-POL-1 R-POL-2").say(CombatCards(("N14",), "R-POL-2"))
    assert where(fought.position, "R-POL-2", "R-POL-1") == ["removed", "riotinto"]
    assert fought.question == "dice"
    fought.roll(1, 1)
    assert fought.told(e.FireResolved)[0].strength == 2
    assert fought.position.decks[N].removed == ("N14",)


@pytest.mark.rule("CC.N14")
def test_n14_against_lone_police_is_no_combat():
    position = field(
        riotinto="R-POL-1 R-MIL-1", sevilla="INF-1", hand={N: ["N14", "N10"], R: ["R17"]}
    )
    fought = Round(position, R, "riotinto").say(attack("sevilla", "R17", riotinto="R-POL-1"))
    assert fought.faults(CombatCards(("N14",), "R-MIL-1")) == ["CC.N14"]
    assert fought.faults(CombatCards(("N10",), "R-POL-1")) == ["CC.N14"]
    fought.say(CombatCards(("N14", "N10")))
    assert where(fought.position, "R-POL-1") == ["removed"]
    assert fought.told(e.AttackCalledOff)[0].card == "N14"
    assert fought.position.hand_cards(N) == ("N10",) and fought.position.hand_cards(R) == ("R17",)
    assert fought.faults(attack("sevilla", riotinto="R-MIL-1")) == []


@pytest.mark.rule("11.1.5", "CC.N14")
def test_after_a_defection_one_real_attack_may_follow_and_no_more():
    units = "R-POL-1 RPA-1 RPA-2"
    position = field(riotinto=units, sevilla="INF-1 INF-2 INF-3", hand={N: ["N14"]})
    fought = Round(position, R, "riotinto").say(attack("sevilla", riotinto="R-POL-1"))
    fought.say(CombatCards(("N14",)))
    assert fought.faults(attack("sevilla", riotinto="RPA-1")) == []
    fought.say(attack("sevilla", riotinto="RPA-1")).roll(1, 1)
    assert fought.question == ""
    assert fought.faults(attack("sevilla", riotinto="RPA-2")) != []
    elsewhere = field(riotinto=units, sevilla="INF-1 INF-2 INF-3", huelva="INF-4",
                      hand={N: ["N14"]})  # fmt: skip
    fought = Round(elsewhere, R, "riotinto").say(attack("sevilla", riotinto="R-POL-1"))
    fought.say(CombatCards(("N14",))).say(attack("sevilla", riotinto="RPA-1")).roll(1, 1)
    assert fought.faults(attack("huelva", riotinto="RPA-2")) == []
    assert fought.faults(attack("sevilla", riotinto="RPA-2")) == ["11.1.5"]


@pytest.mark.rule("11.2.6", "card N14")
@pytest.mark.parametrize("defects, shifts", [
    (False, (("sierra_of_madrid", -1),)), (True, ()),
])  # fmt: skip
def test_who_defects_attacks_out_of_no_sierra(defects, shifts):
    position = field(3, hand={N: ["N14"]}, segovia="INF-1", guadarrama="R-POL-1",
                     avila="RPA-1 RPA-2", hold="cuellar valladolid burgos")  # fmt: skip
    fought = Round(position, R, "guadarrama", "avila")
    fought.say(attack("segovia", guadarrama="R-POL-1", avila="RPA-1 RPA-2"))
    fought.say(CombatCards(("N14",), target="R-POL-1") if defects else CombatCards()).roll(3, 1)
    assert fought.told(e.FireResolved)[0].shifts == shifts


@pytest.mark.rule("11.2.6", "card R7")
@pytest.mark.parametrize("died, shifts", [
    ("INF-1", ()), ("INF-2", (("sierra_of_madrid", -1),)),
])  # fmt: skip
def test_who_died_before_the_die_attacks_out_of_no_sierra(died, shifts):
    position = field(8, guadalajara="RPA-1", somosierra="(INF-1)", brihuega="(INF-2)")
    combat = Combat(N, "guadalajara", {"INF-1": "somosierra", "INF-2": "brihuega"})
    left = position.with_unit(died, "eliminated")
    assert rules.shifts(left, combat, N) == shifts


@pytest.mark.rule("card N18", "CC.N18")
def test_n18_stops_the_armor_but_it_owes_the_first_loss():
    fought, order = armored(hand={N: ["N18"]})
    fought.say(order).say(CombatCards(("N18",))).roll(1, 6)
    assert fought.told(e.AttackDeclared)[0].armor == "T-26-1"
    assert fought.told(e.FireResolved)[0].drms == ()
    assert where(fought.position, "T-26-1", "R-MIL-1") == ["(sarinena)", "sarinena"]


@pytest.mark.rule("card N18")
def test_n18_needs_a_claim():
    fought, order = armored(hand={N: ["N18", "N10"]}, played=frozenset({"N2"}))
    fought.say(Attack(order.space, order.units))
    assert fought.faults(CombatCards(("N18",))) == ["11.2.4"]


@pytest.mark.rule("card N5")
@pytest.mark.parametrize("origin, target, strait, ok", [
    ("villalba", "castropol", False, True),
    ("granada", "motril", False, False),
    ("granada", "motril", True, True),
    ("sevilla", "riotinto", True, False),
    ("sevilla", "huelva", False, True),
    ("granada", "velez_malaga", False, False),
    ("arcos_de_la_frontera", "algeciras", False, False),
    ("arcos_de_la_frontera", "algeciras", True, True),
])  # fmt: skip
def test_naval_support_is_for_coasts_of_the_fleet(origin, target, strait, ok):
    flags = frozenset({"strait_nationalist"} if strait else ())
    position = field(**{origin: "INF-1", target: "R-MIL-1"}, hand={N: ["N5"]}, flags=flags,
                     isolated=frozenset({"granada"}))  # fmt: skip
    found = Round(position, N, origin).faults(attack(target, "N5", **{origin: "INF-1"}))
    assert found == ([] if ok else ["11.2.4"])


@pytest.mark.rule("card N10", "card N17", "card R5")
@pytest.mark.parametrize("card, need", [("N10", ""), ("N17", "N2"), ("R5", "R2")])
def test_aircraft_help_either_side(card, need):
    side, enemy = (N, R) if card[0] == "N" else (R, N)
    position = field(
        sevilla="INF-1", riotinto="RPA-1", hand={side: [card]}, played=frozenset({need})
    )
    mine, other = ("sevilla", "riotinto") if side == N else ("riotinto", "sevilla")
    fought = Round(position, side, mine)
    order = attack(other, card, **{mine: position.units_in(mine)[0]})
    assert fought.faults(order) == []
    fought.say(order).roll(3, 3)
    assert fought.told(e.FireResolved)[0].drms == ((card, 1),)
    fought = Round(position, enemy, other)
    fought.say(attack(mine, **{other: position.units_in(other)[0]})).say(CombatCards((card,)))
    fought.roll(3, 3)
    assert fought.told(e.FireResolved)[1].drms == ((card, 1),)


@pytest.mark.rule("card R37")
def test_bad_weather_cancels_the_aircraft_but_not_their_play():
    position = south(hand={N: ["N10"], R: ["R37"]})
    fought = Round(position, N, "sevilla").say(attack("riotinto", "N10", sevilla="INF-1"))
    fought.say(CombatCards(("R37",))).roll(6, 1)
    assert fought.told(e.FireResolved)[0].drms == ()
    assert fought.position.decks[N].table == ("N10",)


@pytest.mark.rule("card R7", "CC.R7")
def test_r7_lets_the_defender_fire_first():
    position = south(sevilla="INF-1 N-POL-1", riotinto="RPA-1 RPA-2 RPA-3", hand={R: ["R7"]})
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="INF-1 N-POL-1"))
    fought.say(CombatCards(("R7",)))
    assert [draw.label for draw in fought.asks.draws] == ["combat/#/def/die/1"]
    fought.roll(4)
    assert fought.question == "losses" and fought.asks.side == N
    fought.say(Losses(("INF-1", "INF-1")))
    assert [draw.label for draw in fought.asks.draws] == ["combat/#/att/die/1"]
    fought.roll(6)
    assert fought.told(e.FireResolved)[1].strength == 1
    assert fought.told(e.CombatDecided)[0].by_defender == 2


@pytest.mark.rule("card R7", "CC.R7")
def test_r7_may_leave_nobody_to_fire():
    position = south(sevilla="(INF-1)", riotinto="RPA-1 RPA-2 RPA-3", hand={R: ["R7"]})
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="INF-1"))
    fought.say(CombatCards(("R7",))).roll(6)
    assert fought.question == ""
    decided = fought.told(e.CombatDecided)[0]
    assert (decided.by_attacker, decided.by_defender, decided.winner) == (0, 3, R)


@pytest.mark.rule("CC.R7")
def test_r7_may_take_the_drm_of_armor():
    position = field(8, illescas="CV-33-1 INF-1", toledo="R-MIL-1 RPA-1 RPA-2", hand={R: ["R7"]})
    fought = Round(position, N, "illescas")
    fought.say(Attack("toledo", {"illescas": ("CV-33-1", "INF-1")}, armor="CV-33-1"))
    fought.say(CombatCards(("R7",))).roll(1)
    assert where(fought.position, "CV-33-1") == ["(illescas)"]
    fought.roll(3)
    assert fought.told(e.FireResolved)[1].drms == ()


MILITIA = "R-MIL-1 R-MIL-2 R-MIL-3", 4
"""A garrison, and the die with which it inflicts one loss; a corps inflicts three."""
CORPS = "R-I R-II", 1


@pytest.mark.rule("card R7", "11.2.5")
@pytest.mark.parametrize("card, sevilla, huelva, garrison, drms", [
    ("N36", "(N-MARROQUI) INF-1", "", CORPS, ()),
    ("N36", "N-MARROQUI INF-1", "", CORPS, (("N36", 1),)),
    ("N60", "CAV-1 INF-1", "", MILITIA, ()),
    ("N60", "CAV-1 CAV-2", "", MILITIA, (("N60", 1),)),
    ("N58", "(INF-1)", "INF-2", MILITIA, ()),
    ("N58", "INF-1", "INF-2", MILITIA, (("N58", 1),)),
    ("N10", "(INF-1)", "INF-2", MILITIA, (("N10", 1),)),
])  # fmt: skip
def test_cards_for_units_that_r7_took_before_the_die_help_no_more(
    card, sevilla, huelva, garrison, drms
):
    defenders, die = garrison
    position = field(3, sevilla=sevilla, huelva=huelva, riotinto=defenders, reserve="INF-9",
                     hand={N: [card], R: ["R7"]})  # fmt: skip
    fired = after_r7(position, card, die).roll(3).told(e.FireResolved)
    assert fired[1].drms == drms


@pytest.mark.rule("card R7", "card N57")
@pytest.mark.parametrize("sevilla, dice", [("(MIL-NAV-1)", 1), ("MIL-NAV-1", 2)])
def test_two_dice_are_for_those_of_navarre_who_are_left(sevilla, dice):
    position = field(3, sevilla=sevilla, huelva="INF-2", riotinto=MILITIA[0],
                     hand={N: ["N57"], R: ["R7"]})  # fmt: skip
    assert len(after_r7(position, "N57", MILITIA[1]).asks.draws) == dice


def after_r7(position, card, die):
    """An attack from Sevilla and Huelva with a card, up to the die that R7 has put off."""
    stacks = {space: position.units_in(space) for space in ("sevilla", "huelva")}
    stacks = {space: units for space, units in stacks.items() if units}
    order = Attack("riotinto", stacks, (card,), losses=("N-MARROQUI", "MIL-NAV", "INF-1"))
    return Round(position, N, *stacks).say(order).say(CombatCards(("R7",))).roll(die)


@pytest.mark.rule("card N57", "card R59", "CC.N57", "CC.R59")
@pytest.mark.parametrize("mine, other, dice, die", [
    ("N57", "", (2, 5, 3), 5), ("", "R59", (2, 5, 3), 2), ("N57", "R59", (4, 3), 4),
])  # fmt: skip
def test_two_dice_for_the_nationalists(mine, other, dice, die):
    position = south(sevilla="MIL-NAV-1", hand={N: ["N57"], R: ["R59"]}, played=frozenset({"R2"}))
    fought = Round(position, N, "sevilla").say(attack("riotinto", mine, sevilla="MIL-NAV-1"))
    fought.say(CombatCards(tuple(other.split()))).roll(*dice)
    assert fought.told(e.FireResolved)[0].die == die


@pytest.mark.rule("card N33", "card N55", "card R55")
@pytest.mark.parametrize("mine, other, shifts, drms", [
    ("N33", "", ((), ()), ()),
    ("N55", "", ((), ()), (("N55", 1),)),
    ("N55", "R55", ((("trench", -1),), (("trench", 1),)), ()),
])  # fmt: skip
def test_cards_against_trenches(mine, other, shifts, drms):
    position = field(
        13, sevilla="INF-1 INF-2 INF-3", riotinto="R-MIL-1 R-MIL-2",
        forts={"riotinto": Fort("trench", R)},
        hand={N: ["N33", "N55"], R: ["R55"]}, played=frozenset({"R32"}),
    )  # fmt: skip
    fought = Round(position, N, "sevilla")
    fought.say(attack("riotinto", mine, sevilla="INF-1 INF-2 INF-3"))
    fought.say(CombatCards(tuple(other.split()))).roll(3, 1).by_default("losses")
    fires = fought.told(e.FireResolved)
    assert (fires[0].shifts, fires[1].shifts) == shifts and fires[0].drms == drms
    if other:
        assert fought.told(e.RetreatCancelled)[0].unit == ""


@pytest.mark.rule("8.5.3")
@pytest.mark.parametrize("card", ["N1", "R7"])
def test_only_own_combat_cards_are_committed(card):
    fought = Round(south(hand={N: ["N1"], R: ["R7"]}), N, "sevilla")
    (found,) = violations(fought.state, attack("riotinto", card, sevilla="INF-1"))
    assert (found.rule, found.at) == ("8.5.3", ("cards", 0))
    assert str(found.message).endswith("is not one of your combat cards")
    assert str(found.hint) == "you hold none; leave cards out"


@pytest.mark.rule("8.5.3")
def test_a_card_that_is_none_for_combat_is_told_with_those_in_hand_and_on_the_table():
    held = south(hand={N: ["N1", "N7"], R: ["R7"]}).with_deck(N, table=("N5",))
    (found,) = violations(
        Round(held, N, "sevilla").state, attack("riotinto", "N1", sevilla="INF-1")
    )
    assert str(found.hint) == "you hold N7 and N5"


@pytest.mark.rule("8.5.3", "11.2.4")
def test_a_card_of_unknown_words_is_refused_before_its_condition_is_asked(monkeypatch):
    monkeypatch.delitem(CONDITIONS, "coastal_target")
    fought = Round(south(hand={N: ["N5"]}), N, "sevilla")
    assert fought.faults(attack("riotinto", "N5", sevilla="INF-1")) == ["8.5.3"]


@pytest.mark.rule("8.5.3.2")
def test_every_combat_card_of_the_game_is_built():
    from pbem.games.crusade.effects.combat_cards import is_built

    position = table()
    cards = [card for card in TABLES.cards.values() if card.kind == "combat"]
    assert [card.id for card in cards if not is_built(position, card.id)] == []
