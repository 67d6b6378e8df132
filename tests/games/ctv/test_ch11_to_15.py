"""11 to 15: weather, the offensive elsewhere, the Basque surrender, winning, slow recovery."""

import pytest

from pbem.engine.model import IfRolled, Unfolding
from pbem.games.ctv import events as e
from pbem.games.ctv.orders import Move, Remain, Withdraw
from pbem.games.ctv.position import AVAILABLE, ELIMINATED, OFF, RAIN
from pbem.games.ctv.rules import fate, war
from pbem.games.ctv.stages.turn import EndOfTurn, Factory, NextTurn, Offensive, Surrender, Weather
from tests.games.ctv.table import N, R, begun, clash, marching, table

# ------------------------------------------------------------------- 11: weather


@pytest.mark.rule("11.2")
@pytest.mark.parametrize(
    "before, die, after",
    [("fair", 5, "fair"), ("fair", 6, RAIN), (RAIN, 4, "fair"), (RAIN, 5, RAIN), (RAIN, 6, RAIN)],
)
def test_the_weather_die(before, die, after):
    game = begun(table({}, turn=2, weather=before), Weather()).roll(die)
    assert game.position.weather == after and game.event(e.WeatherRolled).die == die


@pytest.mark.rule("11.3", "8.1")
def test_rain_makes_mountains_dearer():
    mountains = Move(("N-NI-1",), ("2104", "2105"))
    assert marching(table({"2103": "N-NI-1"}), N).broken(mountains) == [], "all of its 5 points"
    assert marching(table({"2103": "N-NI-1"}, weather=RAIN), N).broken(mountains) == ["8.1"]


# ------------------------------------------------------------------- 12: the offensive elsewhere


@pytest.mark.rule("12.2")
@pytest.mark.parametrize(
    "turn, die, begins", [(3, 4, False), (3, 5, True), (4, 3, False), (4, 4, True)]
)
def test_when_the_offensive_begins(turn, die, begins):
    game = begun(table({}, turn=turn), IfRolled(Offensive())).roll(die)
    assert game.position.offensive == (turn if begins else 0)
    assert game.event(e.OffensiveRolled).begins is begins


@pytest.mark.rule("12.2")
def test_it_begins_by_itself_on_turn_five_and_once_a_game():
    game = begun(table({}, turn=5), IfRolled(Offensive()))
    assert game.event(e.OffensiveRolled) == e.OffensiveRolled(0, True)
    for turn, began in ((1, 0), (2, 0), (5, 3), (5, 2), (6, 0)):
        assert not Offensive().chance(table({}, turn=turn, offensive=began)).draws
        done = begun(table({}, turn=turn, offensive=began), IfRolled(Offensive()))
        assert not done.events
    assert Offensive().chance(table({}, turn=4, offensive=3)).draws, "its effect is rolled"


ARMY = {"2110": "N-LIT-1 N-CEL N-HQ-LIT N-3PZ1", "2204": "N-NI-1 N-NI-2", "1420": "N-FN-1"}


@pytest.mark.rule("12.3")
@pytest.mark.parametrize("die, infantry, air", [(4, 2, 2), (5, 4, 3), (1, 2, 2), (6, 4, 3)])
def test_what_it_takes(die, infantry, air):
    game = begun(table(ARMY, turn=4, offensive=3), Offensive()).roll(die)
    took = game.event(e.OffensiveTook)
    assert (took.infantry, took.air) == (infantry, air)
    assert (game.asks.side, game.asks.stage, game.asks.policy) == (N, "offensive", "withdraw")
    assert len(game.asks.default.units) == min(infantry, 3) + air


@pytest.mark.rule("12.3")
def test_all_of_them_leave_and_who_may():
    position = table(ARMY, turn=4, offensive=3, lost="N-NI-2").with_units(["N-LK-1"], OFF)
    game = begun(position, Offensive()).roll(4)
    air = ("N-LK-2", "N-FAN-1")
    assert game.broken(Withdraw(("N-NI-1", "N-LIT-1", *air))) == []
    assert game.broken(Withdraw(("N-NI-1", *air))) == ["12.3"], "a zero is no choice"
    assert game.broken(Withdraw(("N-NI-1", "N-NI-2", "N-LIT-1", *air))) == ["12.3"]
    assert game.broken(Withdraw(("N-NI-1", "N-LIT-1", "N-LK-2"))) == ["12.3"]
    assert "12.3" in game.broken(Withdraw(("N-NI-1", "N-NI-1", *air)))
    for unit in ("N-CEL", "N-HQ-LIT", "N-3PZ1", "N-FN-1", "N-NII-1", "R-168"):
        assert game.broken(Withdraw(("N-NI-1", unit, *air))) == ["12.3"], unit
    assert game.broken(Withdraw(("N-NI-1", "N-LIT-1", "N-LK-1", "N-AL-1"))) == ["12.3"], "it is off"
    game.order(Withdraw(("N-NI-2", "N-LIT-1", *air)))
    assert set(game.where("N-NI-2", "N-LIT-1", *air)) == {"withdrawn"}
    assert game.where("N-HQ-LIT") == ["2110"] and game.position.brigades_lost == 0


@pytest.mark.rule("12.3", "9.2")
def test_a_headquarters_stays_when_its_troops_leave():
    there = {"2110": "N-LIT-1 N-HQ-LIT"}
    position = table(there, turn=4, offensive=3, levels={"N-LIT-1": 2},
                     unsupplied=frozenset({"N-LIT-1"}))  # fmt: skip
    game = begun(position, Offensive()).roll(1)
    assert game.broken(Withdraw(("N-LIT-1", "N-AL-1", "N-AL-2"))) == [], "all there are"
    game.order(Withdraw(("N-LIT-1", "N-AL-1", "N-AL-2")))
    assert game.where("N-HQ-LIT") == ["2110"]
    assert not game.position.levels and not game.position.unsupplied


@pytest.mark.rule("12.3")
def test_nobody_is_asked_when_nobody_is_left():
    nobody = table({"2110": "N-CEL"}, turn=4, offensive=3)
    air = nobody.air(N)
    assert begun(nobody.with_units(air, OFF), Offensive()).roll(4).asks is None
    some = begun(nobody, Offensive()).roll(6)
    assert len(some.asks.default.units) == 3 and some.broken(some.asks.default) == []


# ------------------------------------------------------------------- 13: the Basque surrender


def wavers(units, **changes):
    return war.do_basques_waver(table(units, **changes))


@pytest.mark.rule("13.2")
def test_a_supplied_brigade_near_the_line_prevents_the_die():
    assert wavers({"1513": "R-157"}) and not wavers({"1514": "R-157"})
    assert not wavers({"1422": "R-157"}), "the last place of the map"
    assert wavers({"1513": "R-157", "1514": "R-HQ-48"}), "headquarters do not count"
    assert wavers({"1513": "R-157", "1514": "R-170"}), "nor do others"
    assert not wavers({"1514": "R-170"}), "no Basque brigade is left"
    assert not wavers({"1513": "R-R1"})
    assert not wavers({"1513": "R-157"}, surrendered=True)
    assert wavers({"1514": "R-157"}, wavering=True)


CUT = {"1718": "R-157", "1717": "N-NI-1", "1618": "N-NI-2", "1619": "N-NI-3", "1719": "N-NII-1",
       "1818": "N-NII-2", "1819": "N-NII-3"}  # fmt: skip


@pytest.mark.rule("13.2")
def test_more_than_half_without_supply():
    assert wavers(CUT), "near, but not in supply"
    assert not wavers({**CUT, "1514": "R-158"}), "half is not more than half"
    assert wavers({**CUT, "1718": "R-157 R-159", "1514": "R-158"})
    assert not wavers({**CUT, "1718": "R-157 R-159", "1514": "R-158 R-162"})


@pytest.mark.rule("13.2")
@pytest.mark.parametrize("die, gone", [(1, True), (4, True), (5, False), (6, False)])
def test_the_die_of_the_basques(die, gone):
    game = begun(table({"1513": "R-157"}, turn=5), IfRolled(Surrender())).roll(die)
    assert bool(war.basques(game.position)) is not gone and game.position.wavering
    assert game.event(e.SurrenderRolled).surrenders is gone
    assert (game.position.active, game.position.segment) == (R, "surrender")
    quiet = begun(table({"1514": "R-157"}, turn=5), IfRolled(Surrender()))
    assert not quiet.events and not quiet.position.wavering


@pytest.mark.rule("13.3")
def test_a_battalion_for_each_brigade_in_its_hex_whole_and_fresh():
    there = {"1513": "R-157 R-158 R-HQ-48", "1410": "R-159 R-170"}
    position = table(there, levels={"R-157": 2}, lost="R-158",
                     unsupplied=frozenset({"R-159"}))  # fmt: skip
    game = begun(position, Surrender()).roll(1)
    assert game.where("R-R1", "R-R2", "R-R3", "R-R4") == ["1513", "1513", "1410", "out"]
    assert set(game.where("R-157", "R-158", "R-159")) == {"surrendered"}
    assert game.where("R-HQ-48", "R-170") == ["1513", "1410"]
    after = game.position
    assert not after.levels and not after.lost and not after.unsupplied and after.surrendered
    assert after.brigades_lost == 0


SEVEN = {"1513": "R-157 R-HQ-48", "1512": "R-158 R-HQ-52", "1511": "R-159", "1412": "R-160 R-170",
         "1413": "R-161", "1411": "R-162 R-HQ-49 R-RFT", "1410": "R-163"}  # fmt: skip


@pytest.mark.rule("13.3")
def test_five_battalions_at_most_and_what_stays():
    trenches = frozenset({"1511", "1512", "1513", "1412", "1305"})
    position = table({**SEVEN, "1310": "R-HQ-50", "1309": "R-HQ-XV"}, trenches=trenches)
    game = begun(position, Surrender()).roll(4)
    assert (game.asks.side, game.asks.stage, game.asks.rule) == (R, "surrender", "13.3")
    assert game.broken(Remain(("1410", "1413"))) == ["13.3"]
    assert game.broken(Remain(("1410", "1413", "1412", "1411", "1305"))) == ["13.3"]
    assert game.broken(Remain(("1410", "1410", "1412", "1411", "1413"))) == ["13.3"]
    assert game.broken(Remain(("1410", "1413", "1412", "1411", "1511", "1512"))) == ["13.3"]
    game.order(Remain(("1410", "1413", "1412", "1411", "1511")))
    assert game.where("R-HQ-48", "R-HQ-50") == [ELIMINATED, ELIMINATED], "Basque, without troops"
    assert game.where("R-HQ-49") == ["1411"], "armour is with it"
    assert game.where("R-HQ-52", "R-HQ-XV") == ["1512", "1309"], "they are no Basques"
    assert game.position.trenches == {"1511", "1512", "1412", "1305"}
    assert game.position.control["1513"] == R


# ------------------------------------------------------------------- 14: how to win


@pytest.mark.rule("14.1")
def test_victory_points():
    points = war.victory_points
    assert points(table({})) == 0
    assert points(table({}, nationalist="1211")) == 3 and points(table({}, nationalist="1507")) == 0
    brigades = [unit for unit, each in table({}).board.units.items() if each.is_brigade]
    assert points(table({}).with_units(brigades[:9], ELIMINATED)) == 0
    assert points(table({}).with_units(brigades[:10], ELIMINATED)) == 1
    assert points(table({}).with_units(brigades[:20], ELIMINATED)) == 1
    assert points(table({}).with_units(brigades[:20], "surrendered")) == 0
    others = [unit for unit in table({}).board.army[R] if unit not in brigades]
    assert points(table({}).with_units(others, ELIMINATED)) == 0
    assert {"R-177", "R-DC"} <= set(brigades) and not {"R-R1", "R-RFT", "R-HQ-52"} & set(brigades)


FIVE = "1211 2006 1318"


@pytest.mark.rule("14.1", "3.D")
def test_six_points_at_the_end_of_a_turn():
    five = table({}, turn=3, nationalist=FIVE)
    assert war.victory_points(five) == 5
    assert begun(five, EndOfTurn()).position.result is None
    six = table({}, turn=3, nationalist=f"{FIVE} 1407")
    assert begun(six, EndOfTurn()).event(e.GameEnded) == e.GameEnded(N, war.WON)
    seven = table({}, turn=7, nationalist=f"{FIVE} 1407 1215")
    assert begun(seven, EndOfTurn()).position.result == (N, war.WON_LATE)
    late = begun(five.but(turn=7), EndOfTurn())
    assert late.position.result == (R, war.SHORT) and late.asks is None


@pytest.mark.rule("14.1", "14.2")
@pytest.mark.parametrize(("turn", "more", "brigades", "factory", "how"), [
    (3, "1407", 0, True, war.WON), (7, "1407", 0, True, war.WON_LATE),
    (3, "1407 1215", 0, False, war.WON), (6, "1407", 10, True, war.WON),
    (7, "1407", 9, True, war.WON_LATE), (7, "1407 1215", 12, True, war.WON_LATE),
    (3, "", 10, True, war.WON_BY_BRIGADES), (7, "1407 1215", 10, False, war.WON_LATE),
    (7, "", 0, True, war.SHORT), (7, "", 0, False, war.SHORT),
    (7, "1407", 9, False, war.SHORT_BY_THE_FACTORY),
])  # fmt: skip
def test_the_end_says_what_was_decisive(turn, more, brigades, factory, how):
    position = table({}, turn=turn, nationalist=f"{FIVE} {more}", factory=factory)
    lost = [unit for unit, each in position.board.units.items() if each.is_brigade][:brigades]
    ended = begun(position.with_units(lost, ELIMINATED), EndOfTurn()).position.result
    assert ended == (R if how in (war.SHORT, war.SHORT_BY_THE_FACTORY) else N, how)


@pytest.mark.rule("14.1")
def test_six_points_end_a_turn_only_unless_agreed():
    there = {"1507": "N-CEL", "1607": "N-LIT-1", "1707": "N-LIT-2"}
    for options, result in (([], None), (["ends_at_once"], (N, war.WON))):
        position = table(there, turn=5, nationalist=FIVE, options=options, unsupplied=frozenset())
        game = marching(position, N).order(Move(("N-CEL",), ("1407", "1307")))
        assert game.position.result == result
        assert (game.asks is None) is (result is not None)
        assert game.position.control["1307"] == (R if result else N), "nothing happens any more"


@pytest.mark.rule("14.1")
def test_the_tenth_brigade_may_end_the_game_in_the_middle_of_a_combat():
    position = table({"2305": "R-170", "2405": "N-NI-1 N-NI-2 N-NI-3"}, turn=5, nationalist=FIVE,
                     options=["ends_at_once"])  # fmt: skip
    lost = [unit for unit, each in position.board.units.items()
            if each.is_brigade and unit != "R-170"][:9]  # fmt: skip
    ended = clash(
        position.with_units(lost, ELIMINATED), "2305", "N-NI-1", "N-NI-2", "N-NI-3", face=5
    )
    assert ended.position.result == (N, war.WON_BY_BRIGADES) and ended.asks is None
    goes_on = clash(position.with_units(lost[:8], ELIMINATED), "2305", "N-NI-1", "N-NI-2", "N-NI-3",
                    face=5)  # fmt: skip
    assert goes_on.position.result is None and goes_on.asks.stage == "advance"


@pytest.mark.rule("14.1")
def test_nothing_follows_once_the_game_is_over():
    position = table({"2206": "R-172 R-HQ-53"}, trenches=frozenset({"2206"}),
                     options=["ends_at_once"], nationalist=f"{FIVE} 1407")  # fmt: skip
    story = Unfolding(position)
    fate.eliminate(story, ["R-172"], "losses")
    assert story.events[-1] == e.GameEnded(N, war.WON) and len(story.events) == 2
    fate.enter(story, N, "2206")
    assert len(story.events) == 2


@pytest.mark.rule("14.2")
def test_when_the_die_for_the_factory_is_rolled():
    position = table({}, turn=4)
    assert war.is_factory_in_danger(position) and war.is_factory_in_danger(position.but(turn=7))
    assert not war.is_factory_in_danger(position.but(turn=3))
    assert not war.is_factory_in_danger(position.but(factory=False))
    assert not war.is_factory_in_danger(position.but(reinosa=False)), "when the turn began"
    assert not war.is_factory_in_danger(table({}, turn=4, nationalist="2006")), "and now"
    assert not begun(table({}, turn=3), IfRolled(Factory())).events


@pytest.mark.rule("14.2")
@pytest.mark.parametrize("die, stands", [(1, True), (3, True), (4, False), (6, False)])
def test_the_die_for_the_factory(die, stands):
    game = begun(table({}, turn=4), IfRolled(Factory())).roll(die)
    assert game.position.factory is stands


@pytest.mark.rule("14.2")
def test_reinosa_is_looked_at_when_a_turn_begins():
    assert begun(table({}, turn=0), NextTurn()).position.reinosa
    assert not begun(table({}, turn=0, nationalist="2006"), NextTurn()).position.reinosa


@pytest.mark.rule("14.2", "10.6.1")
def test_without_its_factory_reinosa_moves_the_marker_all_the_same():
    story = Unfolding(table({}, factory=False))
    fate.enter(story, N, "2006")
    assert story.position.marker == 1 and war.victory_points(story.position) == 0


# ------------------------------------------------------------------- 15.3: slow recovery


@pytest.mark.rule("15.3", "3.D")
def test_recovery():
    levels = {"R-170": 1, "R-171": 2, "R-172": 3}
    there = {"1507": "R-170 R-171", "1508": "R-172"}
    assert begun(table(there, levels=levels), EndOfTurn()).position.levels == {}
    slow = begun(table(there, levels=levels, options=["slow_recovery"]), EndOfTurn())
    assert slow.position.levels == {"R-171": 1, "R-172": 2}


@pytest.mark.rule("9.1.1")
def test_nobody_comes_back_too_early():
    position = table({}, turn=3, back={"N-LK-1": 5}).with_units(["N-LK-1"], OFF)
    game = begun(position, NextTurn())
    assert game.where("N-LK-1") == [OFF] and game.position.back == {"N-LK-1": 5}
    game = begun(position.but(turn=5), NextTurn())
    assert game.where("N-LK-1") == [AVAILABLE]


@pytest.mark.rule("12.3")
def test_infantry_leaves_where_no_air_unit_is_left():
    position = table({"2110": "N-LIT-1", "2204": "N-NI-1 N-NI-2"}, turn=4, offensive=3)
    grounded = position.with_units(position.air(N), OFF)
    game = begun(grounded, Offensive()).roll(4)
    assert game.asks.default == Withdraw(("N-LIT-1", "N-NI-1"))
    all_go = begun(grounded, Offensive()).roll(5)
    assert all_go.asks is None, "all that could go go, and nobody is asked"
    assert set(all_go.where("N-LIT-1", "N-NI-1", "N-NI-2")) == {"withdrawn"}
