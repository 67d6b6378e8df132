"""Small positions in which two rules meet, and one of them could forget the other."""

from __future__ import annotations

import pytest

from pbem.games.madrid import events as e
from pbem.games.madrid.orders import (
    Again,
    Assault,
    Attack,
    Defend,
    Fire,
    Keep,
    Lead,
    Lose,
    Move,
    Pass,
    Play,
    Renewal,
    Successor,
)
from pbem.games.madrid.position import RIVERS_OPEN
from pbem.games.madrid.rules import movement, supply, victory
from pbem.games.madrid.stages.impulse import NextImpulse
from pbem.games.madrid.stages.losses import Suffer
from pbem.games.madrid.stages.turn import Income, Omens, TurnBegins
from tests.games.madrid.table import N, R, begun, fight, rules_against, table

ANARCHIST = next(
    unit.id for unit in table().board.units.values()
    if unit.faction == "anarchist" and unit.type == "line"
)  # fmt: skip


@pytest.mark.rule("9.5.b", "9.5.c")
def test_spent_units_alone_fire_with_dice_and_nothing_else():
    game = fight(table({"CC": "N01", "AA": "R40s R61s"}, nationalist="CC"), N)
    game.order(Move(("N01",), ("CC", "AA"))).order(Fire()).roll(6, 6)
    assert (game.event(e.FireReturned).strength, game.event(e.FireReturned).losses) == (0, 5)


@pytest.mark.rule("11.2.b", "9.5.c")
def test_over_a_river_in_bad_weather_there_is_one_fire():
    there = {"CC": "N01", "AA": "R40"}
    game = fight(table(there, nationalist="CC", facts=("rivers_open", "bad_weather")), N)
    game.order(Assault(("N01",), ("CC", "AA"))).order(Fire()).roll(1, 2)
    assert len(game.all(e.FireReturned)) == 1 and game.asks.stage == "defend"


@pytest.mark.rule("15.CN10", "11.2.b")
def test_nationalist_fire_at_republicans_is_not_rolled_again():
    there = {"AA": "R40", "CC": "N01"}
    game = fight(table(there, nationalist="CC", hands={N: "CN10a"}), R)
    game.order(Assault(("R40",), ("AA", "CC"))).order(Fire()).roll(1, 1)
    assert game.event(e.FireReturned).side == N and game.asks.stage == "defend"


@pytest.mark.rule("12.2.g", "9.5.b", "9.4.1.C3")
def test_a_garrison_that_waits_fires_and_counterattacks():
    there = {"CC": "N01 N02", "AA": "R61 R40"}
    position = table(there, scenario="scenario_2", nationalist="CC", facts=())
    assert rules_against(position, R, Move(("R61",), ("AA", "BB"))) == ["12.2.g"]
    game = fight(position, N).order(Assault(("N01", "N02"), ("CC", "AA"), "N01"))
    assert str(game.asks.prompt).startswith("fire with strength 3 "), "2 of R40, 1 of the guns"
    game.order(Fire()).roll(1, 1)
    assert game.broken(Defend(("R61",), "R61")) == []


@pytest.mark.rule("9.7.b", "3.5.1.a")
def test_an_assault_cannot_go_back_to_an_area_that_it_gave_up():
    """All left a contested area of their own: it is the enemy's, and no friend is there."""
    there = {"D": "N01 R05", "C": "R40 R41"}
    game = fight(table(there, nationalist="D"), N).order(Assault(("N01",), ("D", "C")))
    assert game.position.control["D"] == R
    game.order(Defend(point="R40")).roll(3, 3)
    assert game.event(e.CombatRolled).losses == 1
    assert game.where("N01") == ["eliminated"], "a retreat, for one point"


@pytest.mark.rule("9.7.b", "2.8")
def test_an_assault_out_of_a_box_goes_back_into_it():
    game = fight(table({"6": "N01", "E": "R40 R41"}), N).order(Assault(("N01",), ("6", "E")))
    game.order(Defend(point="R40")).roll(3, 3)
    assert game.event(e.CombatRolled).losses == 1 and game.where("N01") == ["6s"]


@pytest.mark.rule("3.4.1.d", "9.2.l")
def test_nationalists_who_leave_a_suburb_by_themselves_cheer_the_republic():
    position = table({"DD": "N01 R01"}, nationalist="D S K", morale="bad")
    game = fight(position, N).order(Move(("N01",), ("DD", "S")))
    assert game.position.morale_name == "Fragile" and game.position.control["DD"] == R


@pytest.mark.rule("3.4.0", "3.4.1.d")
def test_good_morale_grows_no_better():
    position = table({"DD": "N01 R01"}, nationalist="D S K", morale="good")
    game = fight(position, N).order(Move(("N01",), ("DD", "S")))
    assert game.position.morale_name == "Good"


@pytest.mark.rule("15.CN11", "12.3.c")
def test_a_unit_that_is_rebuilt_in_a_suburb_opens_the_rivers():
    position = table({"eliminated": "N26", "D": "N01"}, nationalist="D DD", facts=(),
                     hands={N: "CN11a"})  # fmt: skip
    game = fight(position, N).order(Play("CN11a", use="rebuild", rebuild=(Renewal("N26", "DD"),)))
    assert RIVERS_OPEN in game.position.facts and game.where("N26") == ["DD"]


@pytest.mark.rule("15.CN9", "15.CR7")
def test_a_second_impulse_counts_for_the_flight_of_the_government():
    position = table({"AA": "R40 R41 R42", "D": "N01"}, hands={R: "CR7a"}, flight=3)
    game = begun(position, NextImpulse(R)).order(Move(("R40",), ("AA", "GG")))
    assert game.position.flight == 2
    game.order(Again("CR7a")).order(Move(("R41",), ("AA", "GG")))
    assert game.position.flight == 1 and game.asks.side == N


@pytest.mark.rule("15.CN9", "15.CR6")
def test_what_lasts_some_impulses_lasts_into_the_next_turn():
    game = begun(table(flight=2, durruti=1), TurnBegins())
    assert (game.position.flight, game.position.durruti) == (2, 1)


@pytest.mark.rule("15.CR7", "9.0.1")
def test_a_pass_in_the_second_impulse_is_a_pass():
    position = table({"AA": "R40 R41", "D": "N01"}, hands={R: "CR7a"})
    game = begun(position, NextImpulse(R)).order(Move(("R40",), ("AA", "GG"))).order(Again("CR7a"))
    game.order(Pass())
    assert game.asks.side == N and game.order(Pass()).state.agenda == ()


@pytest.mark.rule("10.a", "3.3.1")
def test_madrid_lost_feeds_nobody_though_republicans_are_in_it():
    there = {"AA": "N01 R40", "BB": "R41"}
    position = table(there, nationalist="D C L EE AA")
    assert victory.madrid_falls(position) and "AA" not in supply.sources(position, R)
    islanded = table(there, nationalist=" ".join(a for a in position.board.areas if a != "BB"))
    assert supply.supplied_units(islanded, R) == ()


@pytest.mark.rule("15.CN6", "9.5.g")
def test_who_left_in_strife_leads_no_assault():
    """The successor that the order named is of the group that does not act: its player is asked."""
    there = {"AA": f"R40 R41 {ANARCHIST}", "CC": "N01 N02 N03"}
    position = table(there, nationalist="CC", facts=("rivers_open", "strife"), durruti=2)
    units, follows = ("R40", "R41", ANARCHIST), Successor(ANARCHIST)
    order = Assault(units, ("AA", "CC"), "R40", if_point_hit=follows)
    game = fight(position, R).order(order).roll(4).order(Keep("communists"))
    game.order(Fire()).roll(1, 1).order(Lose(("R40",)))
    assert (game.asks.side, game.asks.stage) == (R, "lead")
    assert game.broken(Lead(ANARCHIST)) == ["9.5.g"] and game.broken(Lead("R41")) == []


@pytest.mark.rule("12.3.e", "12.3.d")
def test_the_income_doubles_from_the_turn_of_the_pause_and_not_once_it_is_over():
    assert (
        begun(table(turn=7, pause=4), Income()).position.support[N]
        == 10 + 2 * (table().board.income[7][N])
    )
    over = begun(table(turn=7, pause=1), TurnBegins(), Income())
    assert over.position.pause == 0
    assert over.position.support[N] == 10 + table().board.income[8][N]


@pytest.mark.rule("11.1.d", "3.4.0")
def test_the_junta_lifts_morale_no_further_than_good():
    position = table(turn=4, morale="firm", nationalist="D K DD", facts=())
    assert begun(position, Omens()).roll(6).position.morale_name == "Good"


@pytest.mark.rule("9.2.j", "9.4.3.b")
def test_an_assault_of_one_area_is_always_possible_and_of_two_is_not():
    position = table({"AA": "R01 N01s", "CC": "N02 R05", "DD": "R06"}, nationalist="CC")
    slow = {"L": "N01", "J": "R01", "K": "R02"}
    two = Assault(("N01",), ("L", "J", "K"))
    assert "9.2.i" in rules_against(table(slow, nationalist="L"), N, two)
    assert movement.costs(position, ("N02",), ("CC", "AA")) == [4]
    assert rules_against(position, N, Assault(("N02",), ("CC", "AA"))) == []


@pytest.mark.rule("15.CR3", "15.CR4")
def test_two_chits_of_two_kinds_go_with_one_answer():
    position = table({"DD": "N01 R40 R01"}, hands={R: "CR3a CR4a"})
    game = fight(position, N).order(Attack(("N01",)))
    both = Defend(("R40",), "R40", ("CR3a", "CR4a"), "terrain")
    assert game.broken(both) == []
    game.order(both).roll(3, 4)
    rolled = game.event(e.CombatRolled)
    assert (rolled.intensity, rolled.defence) == (5 + 1 + 2 + 3, 7 + 2 * 3)


@pytest.mark.rule("9.6.h", "9.6.f")
def test_a_point_unit_that_dies_for_want_of_a_retreat_frees_nobody():
    """It took the points of a retreat, and nobody may take more."""
    closed = " ".join(area for area in table().board.areas if area != "DD")
    position = table({"DD": "R01 R02"}, nationalist=closed)
    game = begun(position, Suffer(R, ("R01", "R02"), "R01", 4))
    assert game.broken(Lose(("R01",), {}, ("R02",))) == ["9.6.f"]
    game.order(Lose((), {"R01": "nowhere", "R02": "nowhere"}))
    assert game.where("R01", "R02") == ["eliminated"] * 2
