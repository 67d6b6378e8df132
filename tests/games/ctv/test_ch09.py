"""9 and 15.1: air units, headquarters, supply columns, disorganisation, air combat."""

import pytest

from pbem.engine.model import IfRolled, Unfolding
from pbem.games.ctv import events as e
from pbem.games.ctv.orders import Attack, Column, Move, Shoot, Support, UseColumns
from pbem.games.ctv.position import AVAILABLE, ELIMINATED, OFF, RAIN, Combat
from pbem.games.ctv.rules import bombardment, fate, movement
from pbem.games.ctv.stages.combat import AirCombat, Bombarding, Committing, Ends, UsingColumns
from pbem.games.ctv.stages.turn import NextTurn
from tests.games.ctv.table import N, R, begun, fighting, joined, marching, table

THERE = {"2010": "R-168 R-HQ-XV", "2110": "N-LIT-1 N-HQ-LIT", "2111": "N-HQ-CTV N-SC-1"}


def attack(position, hex="2010", **units):
    """The attack of one hex: Littorio from 2110, if nothing else is said."""
    return fighting(position, N).order(Attack(hex, units or {"2110": ("N-LIT-1",)}))


def why(position, hex, attackers, unit):
    return bombardment.why_no_support(position, Combat(hex, attackers), unit)


# ------------------------------------------------------------------- 9.1: air units


@pytest.mark.rule("9.1")
def test_spanish_air_units_support_spanish_troops_alone():
    position = table({"2010": "R-168", "2110": "N-LIT-1 N-NI-1"})
    assert why(position, "2010", ("N-LIT-1",), "N-FAN-1")[1] == "9.1"
    assert "Spanish Nationalist troops" in str(why(position, "2010", ("N-LIT-1",), "N-FAN-1")[0])
    for attackers in (("N-NI-1",), ("N-LIT-1", "N-NI-1")):
        assert not why(position, "2010", attackers, "N-FAN-1")[0]
    for unit in ("N-LK-1", "N-AL-1", "R-AIR-1"):
        assert not why(position, "2010", ("N-LIT-1",), unit)[0]
    other = table({"2010": "R-168", "2110": "N-FN-1"})
    assert why(other, "2010", ("N-FN-1",), "N-FAN-1")[0], "Frecce Nere are no Spanish troops"


@pytest.mark.rule("9.1")
def test_the_same_holds_on_the_defence():
    italians = table({"2010": "R-168", "2110": "N-LIT-1"})
    assert why(italians, "2110", ("R-168",), "N-FAN-1")[0]
    mixed = table({"2010": "R-168", "2110": "N-LIT-1 N-NI-1"})
    assert not why(mixed, "2110", ("R-168",), "N-FAN-1")[0]


@pytest.mark.rule("9.1")
def test_an_air_unit_that_is_off_or_no_air_unit_is_not_available():
    position = table({"2010": "R-168", "2110": "N-LIT-1"}).with_units(["N-LK-1"], OFF)
    assert why(position, "2010", ("N-LIT-1",), "N-LK-1")[0]
    assert bombardment.why_no_air(position, Combat("2010", ("N-LIT-1",)), "N-LIT-1")
    assert len(position.air(N)) == 8 and "N-LK-1" not in position.air(N)
    assert position.air(R) == ("R-AIR-1", "R-AIR-2")


@pytest.mark.rule("11.3")
def test_no_air_unit_is_used_in_rain():
    position = table(THERE, weather=RAIN)
    assert why(position, "2010", ("N-LIT-1",), "N-LK-1")[1] == "11.3"
    assert attack(position).broken(Support(air=("N-LK-1",))) == ["11.3"]
    assert bombardment.supporters(position, Combat("2010", ("N-LIT-1",)), N, "air") == ()
    for weather in (RAIN, "clear"):  # one that is off is off, whatever the weather
        off = table(THERE, weather=weather)
        off = off.but(places={**off.places, "N-LK-1": "off"}, back={"N-LK-1": 3})
        assert why(off, "2010", ("N-LIT-1",), "N-LK-1")[1] == "9.1.1"
    assert not why(position, "2010", ("N-LIT-1",), "N-HQ-LIT")[0]


@pytest.mark.rule("9.1.1")
def test_air_units_that_roll_a_one_come_back_two_turns_later():
    support = "N-LK-1 N-LK-2 N-HQ-LIT R-HQ-XV R-AIR-1"
    position = joined(table(THERE, turn=3), "2010", "N-LIT-1", support=support)
    game = begun(position, Bombarding(N), Ends()).roll(1, 2, 1)
    assert game.where("N-LK-1", "N-LK-2", "R-AIR-1") == [OFF, AVAILABLE, OFF]
    assert game.position.back == {"N-LK-1": 5, "R-AIR-1": 5}
    four = begun(game.position.but(turn=3), NextTurn())
    assert four.position.turn == 4 and four.where("N-LK-1") == [OFF]
    five = begun(game.position.but(turn=4), NextTurn())
    assert five.where("N-LK-1", "R-AIR-1") == [AVAILABLE, AVAILABLE]
    assert not five.position.back


# ------------------------------------------------------------------- 9.2: headquarters


@pytest.mark.rule("9.2")
def test_who_a_headquarters_supports():
    there = {"2010": "R-168 R-HQ-51", "2110": "N-LIT-1 N-FIN-8 N-FN-1 N-NI-1 N-HQ-LIT",
             "2011": "N-HQ-NI N-NII-1", "2111": "N-HQ-FN", "2210": "N-HQ-CTV",
             "2109": "N-HQ-NAV"}  # fmt: skip
    position = table(there)

    def may(unit, *attackers):
        return not why(position, "2010", attackers, unit)[0]

    assert may("N-HQ-LIT", "N-LIT-1") and not may("N-HQ-LIT", "N-FIN-8", "N-NI-1")
    assert may("N-HQ-FN", "N-FN-1") and not may("N-HQ-FN", "N-LIT-1")
    assert may("N-HQ-NI", "N-NI-1", "N-LIT-1") and not may("N-HQ-NI", "N-LIT-1", "N-FN-1")
    assert may("N-HQ-NI", "N-NII-1"), "Spanish ones any Spanish troops"
    assert may("N-HQ-NAV", "N-NI-1") and not may("N-HQ-NAV", "N-LIT-1")
    assert may("N-HQ-CTV", "N-LIT-1") and may("N-HQ-CTV", "N-NI-1") and may("N-HQ-CTV", "N-FN-1")
    assert may("R-HQ-51", "N-LIT-1"), "Republican ones support anybody"
    assert not may("N-LIT-1", "N-LIT-1"), "it is no headquarters"
    assert not may("N-HQ-NII", "N-NI-1"), "it is not on the map"
    gone = Combat("2010", ("N-LIT-1", "N-NII-2"))
    assert bombardment.fighting(position, gone, N) == ("N-LIT-1",), "who is not there any more"
    alone = table({"2110": "N-HQ-LIT", "2010": "R-168"})
    assert why(alone, "2110", ("R-168",), "N-HQ-LIT")[0], "none of its units takes part"


@pytest.mark.rule("9.2")
def test_a_headquarters_reaches_two_hexes_to_the_attacked_one():
    position = table({"2009": "R-168", "2010": "N-LIT-1", "2110": "N-HQ-LIT", "2211": "N-HQ-CTV",
                      "1907": "R-HQ-XV", "1906": "R-HQ-52"})  # fmt: skip
    assert not why(position, "2009", ("N-LIT-1",), "N-HQ-LIT")[0]
    far = why(position, "2009", ("N-LIT-1",), "N-HQ-CTV")
    assert far[1] == "9.2" and "is 3 hexes from Arija (2009), and reaches 2" in str(far[0])
    assert not why(position, "2009", ("N-LIT-1",), "R-HQ-XV")[0]
    assert not why(position, "2010", ("R-168",), "N-HQ-CTV")[0], "to the hex under attack"
    assert why(position, "2010", ("R-168",), "R-HQ-52")[0]


@pytest.mark.rule("9.2")
def test_a_headquarters_may_move_and_bombard_in_one_turn():
    position = table(THERE, moved=frozenset({"N-HQ-LIT"}))
    assert attack(position).broken(Support(hq=("N-HQ-LIT",))) == []


@pytest.mark.rule("9.2")
def test_a_headquarters_is_lost_with_those_of_its_hex_however_they_go():
    position = table({"2206": "R-HQ-53 R-172"})
    story = Unfolding(position)
    fate.eliminate(story, ["R-172"], "disorganised")
    assert story.position.places["R-HQ-53"] == ELIMINATED
    assert not [each for each in story.events if isinstance(each, e.TrenchLost)]
    both = Unfolding(table({"2206": "R-HQ-53 R-172 R-171"}))
    fate.eliminate(both, ["R-172"], "losses")
    assert both.position.places["R-HQ-53"] == "2206"
    tank = Unfolding(table({"2206": "R-HQ-53 R-172 R-RFT"}))
    fate.eliminate(tank, ["R-172"], "losses")
    assert tank.position.places["R-HQ-53"] == "2206", "armour holds the hex too"


@pytest.mark.rule("9.2")
def test_a_headquarters_walks_away_from_its_troops_unharmed():
    game = marching(table({"2206": "R-HQ-53 R-172"}), R).order(Move(("R-172",), ("2106",)))
    assert game.where("R-HQ-53") == ["2206"]


# ------------------------------------------------------------------- 9.3: columns


@pytest.mark.rule("9.3.1")
def test_columns_beside_guns_that_fire():
    position = table({**THERE, "2211": "N-SC-2", "2312": "N-SC-3", "1909": "R-SC-1"})
    assert bombardment.usable_columns(position, N, []) == {}
    assert bombardment.usable_columns(position, N, ["N-LK-1"]) == {}
    guns = bombardment.usable_columns(position, N, ["N-HQ-CTV", "N-LK-1"])
    assert guns == {"2111": "N-SC-1", "2211": "N-SC-2"}
    game = attack(position).order(Support(hq=("N-HQ-CTV",)))
    game.order(Support(hq=("R-HQ-XV",)))
    assert (game.asks.side, game.asks.stage) == (N, "columns")
    assert game.broken(UseColumns({"2211": 2})) == ["9.3.1"]
    assert game.broken(UseColumns({"2211": -1})) == ["9.3.1"]
    assert game.broken(UseColumns({"2211": 0})) == []
    assert game.broken(UseColumns({"2312": 1})) == ["9.3.1"]
    game.order(UseColumns({"2111": 1, "2211": 1}))
    assert (game.asks.side, game.asks.stage) == (R, "columns"), "any number of them"
    game.order(UseColumns({"1909": 1}))
    assert game.position.battle.support == ("N-HQ-CTV", "R-HQ-XV", "N-SC-1", "N-SC-2", "R-SC-1")
    game.roll(1)
    assert game.where("N-SC-1", "N-SC-2", "R-SC-1", "N-SC-3") == ["aside", "aside", "aside", "2312"]
    assert "N-SC-1" not in game.position.used and "N-HQ-CTV" in game.position.used


@pytest.mark.rule("9.3.2")
def test_a_column_that_has_moved_is_not_used():
    position = table(THERE, moved=frozenset({"N-SC-1"}))
    game = attack(position)
    assert game.broken(Support(hq=("N-HQ-CTV",), columns={"2111": 1})) == ["9.3.2"]
    assert game.broken(Support(hq=("N-HQ-LIT",), columns={"2211": 1})) == ["9.3.1"]
    fresh = attack(table(THERE))
    assert fresh.broken(Support(hq=("N-HQ-CTV",), columns={"2111": 1})) == []
    assert fresh.broken(Support(columns={"2111": 1})) == ["9.3.1"], "no gun fires"
    guns = table(THERE, moved=frozenset({"N-HQ-LIT"}))
    assert not movement.is_spent_by_moving(guns, "N-HQ-LIT"), "guns that have moved fire"


@pytest.mark.rule("9.4.1")
def test_the_order_of_commitment():
    position = table({**THERE, "1909": "R-SC-1"})
    game, asked = attack(position), []
    while game.asks and game.asks.stage in ("support", "columns"):
        asked.append((game.asks.stage, game.asks.side))
        if game.asks.stage == "support":
            hq = "N-HQ-CTV" if game.asks.side == N else "R-HQ-XV"
            game.order(Support(hq=(hq,)))
        else:
            game.default()
    assert asked == [("support", N), ("support", R), ("columns", N), ("columns", R)]
    assert not game.position.battle.said and game.asks is None, "equal points: only the combat die"


@pytest.mark.rule("9.4.1")
def test_columns_that_are_said_with_the_guns_are_not_asked_for():
    for columns, used in (({"2111": 1}, ("N-SC-1",)), ({}, ()), ("none", ())):
        game = attack(table(THERE)).order(Support(hq=("N-HQ-CTV",), columns=columns))
        assert game.position.battle.said == {N}
        assert game.position.battle.support == ("N-HQ-CTV", *used)
        game.order(Support())
        assert game.asks is None
    later = attack(table(THERE)).order(Support(hq=("N-HQ-CTV",), columns="later"))
    assert not later.position.battle.said
    assert attack(table(THERE)).order(Support(hq=("N-HQ-CTV",))).order(
        Support()).asks.stage == "columns"  # fmt: skip


@pytest.mark.rule("9.4.1")
def test_who_has_nothing_to_commit_is_not_asked():
    bare = table({"2010": "R-168", "2110": "N-LIT-1"}, weather=RAIN)
    assert attack(bare).asks is None
    guns = table({"2010": "R-168 R-HQ-XV", "2110": "N-LIT-1"}, weather=RAIN)
    assert attack(guns).asks.side == R


# ------------------------------------------------------------------- 9.4: bombardment


@pytest.mark.rule("9.4")
def test_air_units_and_headquarters_are_used_once_a_turn_on_either_side():
    position = table(THERE, used=frozenset({"N-HQ-LIT", "N-LK-1", "R-HQ-XV"}))
    game = attack(position)
    assert game.broken(Support(hq=("N-HQ-LIT",))) == ["9.4"]
    assert game.broken(Support(air=("N-LK-1",))) == ["9.4"]
    game.order(Support(hq=("N-HQ-CTV",), air=("N-LK-2",)))
    assert game.position.used == {"N-HQ-LIT", "N-LK-1", "R-HQ-XV", "N-HQ-CTV", "N-LK-2"}
    assert game.broken(Support(hq=("R-HQ-XV",))) == ["9.4"]


@pytest.mark.rule("9.4.1")
def test_only_ones_own_kind_is_committed_and_each_once():
    game = attack(table(THERE))
    assert game.broken(Support(hq=("R-HQ-XV",))) == ["9.4.1"]
    assert game.broken(Support(air=("N-HQ-LIT",))) == ["9.4.1"]
    assert game.broken(Support(hq=("N-LK-1",))) == ["9.4.1"]
    assert game.broken(Support(air=("N-LK-1", "N-LK-1"))) == ["9.4.1"]


@pytest.mark.rule("9.4.2")
def test_points_and_who_has_more():
    position = table(THERE)
    of = bombardment.points_of
    assert of(position, ["N-LK-1", "N-HQ-LIT", "N-SC-1"]) == 3 and of(position, ["N-HQ-CTV"]) == 2

    def difference(support):
        now = joined(position, "2010", "N-LIT-1", support=support)
        return bombardment.difference(now, now.battle)

    assert difference("") == (None, 0) and difference("R-HQ-XV N-HQ-CTV") == (None, 0)
    assert difference("N-LK-1") == (N, 1) and difference("R-HQ-XV N-LK-1") == (R, 1)
    assert difference("R-HQ-XV") == (R, 2)


@pytest.mark.rule("9.4.2")
def test_the_bombardment_table():
    position = table({})
    rows = {
        1: (0, 0, 0, 0, 1, 1),
        3: (0, 0, 1, 1, 1, 2),
        6: (1, 1, 2, 2, 3, 3),
        9: (1, 1, 2, 2, 3, 3),
    }
    for more, levels in rows.items():
        got = tuple(bombardment.levels_for(position, more, die) for die in range(1, 7))
        assert got == levels, more
    assert bombardment.levels_for(position, 6, 0) == 1, "with a trench"


@pytest.mark.rule("10.7", "9.4.2")
def test_a_trench_covers_its_hex_and_nobody_from_its_guns():
    def levels(support, face, *, trench=True):
        dug = frozenset({"2010"} if trench else ())
        now = joined(table(THERE, trenches=dug), "2010", "N-LIT-1", support=support)
        game = begun(now, Bombarding(N), Ends()).roll(face)
        rolled = game.event(e.Bombarded)
        assert rolled.die == face and rolled.points - rolled.against == 2
        return rolled.side, rolled.levels, game.position.levels

    assert levels("N-HQ-LIT N-SC-1", 4) == (N, 0, {})
    assert levels("N-HQ-LIT N-SC-1", 5) == (N, 1, {"R-168": 1, "R-HQ-XV": 1})
    assert levels("N-HQ-LIT N-SC-1", 4, trench=False)[1] == 1
    assert levels("R-HQ-XV", 4) == (R, 1, {"N-LIT-1": 1}), "no trench covers the attackers"


@pytest.mark.rule("9.4.3", "9.4.2")
def test_a_result_strikes_all_of_the_other_side_in_the_combat():
    there = {**THERE, "2011": "N-FIN-8 N-FIN-10"}
    now = joined(table(there), "2010", "N-LIT-1", "N-FIN-8", support="R-HQ-XV")
    assert bombardment.bombarded(now, now.battle, R) == ("N-LIT-1", "N-FIN-8")
    assert bombardment.bombarded(now, now.battle, N) == ("R-168", "R-HQ-XV")


@pytest.mark.rule("9.4")
def test_without_attackers_or_defenders_no_die_is_rolled():
    levels = {"N-LIT-1": 3}
    game = attack(table(THERE, levels=levels)).order(Support())
    game.order(Support(hq=("R-HQ-XV",))).roll(5)
    assert game.where("N-LIT-1", "N-HQ-LIT") == [ELIMINATED, ELIMINATED]
    assert not game.all(e.CombatRolled) and game.position.battle is None
    beaten = attack(table({**THERE, "2010": "R-168 R-HQ-52"}, levels={"R-168": 3}))
    beaten.order(Support(hq=("N-HQ-CTV",), columns="none")).order(Support())
    beaten.roll(6)
    assert beaten.where("R-168", "R-HQ-52") == [ELIMINATED, ELIMINATED]
    assert beaten.asks.stage == "advance" and not beaten.all(e.CombatRolled)


@pytest.mark.rule("10.2", "9.5.1")
def test_who_is_lost_when_supply_is_judged_is_not_bombarded():
    units = {"2006": "R-179", "2007": "N-NI-1 N-HQ-NAV", "2105": "N-NI-2", "1805": "N-NI-3"}
    position = table(units, levels={"R-179": 3}, unsupplied=frozenset())
    game = fighting(position, N).order(Attack("2006", {"2007": ("N-NI-1",)}))
    assert game.where("R-179") == [ELIMINATED]
    assert game.asks.stage == "advance", "nobody is asked for support"


# ------------------------------------------------------------------- 9.5: disorganisation


@pytest.mark.rule("9.5.1", "6.3.1")
def test_levels_add_up_and_the_first_without_supply_counts_one_more():
    position = table({"2205": "R-180"})
    cut = position.but(unsupplied=frozenset({"R-180"}))
    assert [bombardment.level_after(position.but(levels={"R-180": now}), "R-180", 1)
            for now in (0, 1, 2, 3)] == [1, 2, 3, 4]  # fmt: skip
    assert bombardment.level_after(cut, "R-180", 1) == 2
    assert bombardment.level_after(cut.but(levels={"R-180": 1}), "R-180", 1) == 2
    assert [bombardment.is_past_saving(position, "R-180", level) for level in (3, 4)] == [
        False, True]  # fmt: skip
    assert [bombardment.is_past_saving(cut, "R-180", level) for level in (2, 3)] == [False, True]


@pytest.mark.rule("9.5")
def test_no_level_changes_nothing_and_who_is_gone_takes_none():
    story = Unfolding(table({"2205": "R-180"}))
    fate.disorganise(story, ["R-180", "R-179"], 0)
    fate.disorganise(story, ["R-179"], 1)
    assert not story.events
    fate.disorganise(story, ["R-180", "R-179"], 1)
    assert story.position.levels == {"R-180": 1}


# ------------------------------------------------------------------- 15.1: air combat


def flown(support, *faces):
    position = table(THERE, options=["air_combat"])
    now = joined(position, "2010", "N-LIT-1", support=support)
    return begun(now, IfRolled(AirCombat(N)), IfRolled(Bombarding(N)), Ends()).roll(*faces)


@pytest.mark.rule("15.1")
def test_air_units_fight_when_both_sides_have_some():
    game = flown("N-LK-1 N-LK-2 R-AIR-1", 6, 5, 6)
    assert game.where("R-AIR-1") == [ELIMINATED]
    assert (game.asks.side, game.asks.stage) == (N, "air")
    assert game.broken(Shoot(())) == ["15.1"]
    assert game.broken(Shoot(("N-LK-1", "N-LK-2"))) == ["15.1"]
    assert game.broken(Shoot(("N-AL-1",))) == ["15.1"]
    game.order(Shoot(("N-LK-2",)))
    assert game.where("N-LK-1", "N-LK-2") == [AVAILABLE, ELIMINATED]
    assert game.position.battle.support == ("N-LK-1",), "who was shot down adds nothing"
    game.roll(2, 3)
    assert game.event(e.Bombarded).points == 1


@pytest.mark.rule("15.1")
def test_each_six_brings_down_one_and_all_fire_at_once():
    game = flown("N-LK-1 R-AIR-1 R-AIR-2", 6, 6, 6)
    assert game.where("N-LK-1") == [ELIMINATED]
    assert (game.asks.side, game.asks.stage) == (R, "air") and game.broken(
        Shoot(("R-AIR-1", "R-AIR-1"))) == ["15.1"]  # fmt: skip
    nobody = flown("N-LK-1 R-AIR-1", 5, 5)
    assert not nobody.all(e.ShotDown) and nobody.all(e.AirFought)
    two = flown("N-LK-1 N-LK-2 N-LK-3 R-AIR-1 R-AIR-2", 5, 5, 5, 6, 6)
    assert two.broken(Shoot(("N-LK-1", "N-LK-1"))) == ["15.1"], "two are shot down, not one twice"
    assert two.broken(Shoot(("N-LK-1", "N-LK-3"))) == []
    many = flown("N-LK-1 N-LK-2 R-AIR-1", 6, 6, 5)
    assert many.where("R-AIR-1", "N-LK-1") == [ELIMINATED, AVAILABLE], "no more than there are"


@pytest.mark.rule("15.1")
def test_no_air_combat_without_air_units_of_both_or_without_the_option():
    one = table(THERE, options=["air_combat"])
    now = joined(one, "2010", "N-LIT-1", support="N-LK-1 R-HQ-XV")
    assert not AirCombat(N).chance(now).draws
    for options, number in (([], 5), (["air_combat"], 5)):
        position = joined(table(THERE, options=options), "2010", "N-LIT-1")
        stages = Committing(N).run(position).then
        assert len(stages) == number - (not options)


@pytest.mark.rule("15.1")
def test_air_units_of_one_side_alone_fight_nobody():
    for support in ("N-LK-1 R-HQ-XV", "R-AIR-1 N-HQ-LIT"):
        now = joined(table(THERE, options=["air_combat"]), "2010", "N-LIT-1", support=support)
        game = begun(now, IfRolled(AirCombat(N)), Ends())
        assert not game.all(e.AirFought) and not game.state.agenda, "and no die is rolled"


@pytest.mark.rule("9.3.1")
def test_columns_are_not_used_beside_the_guns_of_the_enemy():
    there = {**THERE, "2110": "N-LIT-1 N-SC-2"}
    now = joined(table(there), "2010", "N-LIT-1", support="R-HQ-XV")
    assert begun(now, UsingColumns(N), Ends()).asks is None


@pytest.mark.rule("9.3.1")
def test_ones_own_guns_are_looked_at_for_columns():
    there = {**THERE, "2009": "N-SC-2 N-FIN-8"}
    game = attack(table(there)).order(Support(hq=("N-HQ-CTV",))).order(Support(hq=("R-HQ-XV",)))
    assert game.asks.stage == "columns"
    assert game.broken(UseColumns({"2009": 1})) == ["9.3.1"], "it stands beside an enemy gun"


@pytest.mark.rule("9.3.1")
@pytest.mark.parametrize("gun", ["N-HQ-LIT", "N-HQ-CTV"])
def test_guns_that_are_in_no_hex_have_no_columns_beside_them(gun):
    game = attack(table({"2110": "N-LIT-1", "2010": "R-168", "2111": "N-SC-1"}))
    assert game.position.at(gun) == ""
    assert set(game.broken(Support(hq=(gun,), columns={"2111": 1}))) == {"9.2", "9.3.1"}


@pytest.mark.rule("9.3")
def test_where_no_column_comes_at_all_it_does_not_matter_that_one_is_there():
    game = marching(table({"2110": "N-HQ-LIT N-SC-1"}, turn=1), N)
    assert game.why(Column("2110")) == ["no supply column comes in this turn"]
