"""1 to 3: the map, rounding, the pieces, and the sequence of play."""

import pytest

from pbem.engine.model import IfRolled
from pbem.games.ctv import events as e
from pbem.games.ctv.orders import Done, Move
from pbem.games.ctv.position import RAIN, Combat
from pbem.games.ctv.rules import bombardment, combat, movement
from pbem.games.ctv.stages.combat import Fighting
from pbem.games.ctv.stages.movement import Marching, Segment
from pbem.games.ctv.stages.turn import EndOfTurn, NextTurn, Weather, phase, turn
from tests.games.ctv.table import N, R, begun, clash, fighting, marching, system, table

# ------------------------------------------------------------------- 1: the map


@pytest.mark.rule("1.3.2")
def test_nothing_crosses_a_closed_side():
    board = system().tables
    closed = {("1211", near) for near in ("1111", "1212", "1310", "1311")} | {("1215", "1314")}
    for one, other in closed:
        assert frozenset((one, other)) in board.sides.sides("closed")
        assert other not in board.zone.get(one, ()) and one not in board.zone.get(other, ())
    position = table({"1310": "R-183", "1211": "R-184"})
    assert marching(position, R).broken(Move(("R-183",), ("1211",))) == ["1.3.2"]
    assert marching(position, R).broken(Move(("R-184",), ("1310",))) == ["1.3.2"]


@pytest.mark.rule("1.3.2")
def test_a_line_of_supply_crosses_no_closed_side():
    units = {"1211": "R-183", "1110": "N-NI-1", "1210": "N-NI-2"}
    cut = table(units, nationalist="1301 1401 1901")
    assert cut.judged[R] == cut.board.masks.bit["1211"], "Santander supplies itself alone"


@pytest.mark.rule("1.3.2")
def test_guns_reach_over_a_closed_side():
    position = table({"1211": "R-183", "1210": "N-NI-1", "1310": "N-HQ-NAV", "1311": "N-SC-1"})
    battle = Combat("1211", ("N-NI-1",))
    assert not bombardment.why_no_headquarters(position, battle, "N-HQ-NAV")
    beside = table({"1215": "R-183 R-HQ-57", "1314": "R-SC-1"})
    assert set(bombardment.usable_columns(beside, R, ["R-HQ-57"])) == {"1314"}


@pytest.mark.rule("1.4")
def test_each_halving_is_rounded_as_its_rule_says():
    both = table({"2205": "R-178 R-179 R-180"}, levels={"R-178": 1, "R-179": 1, "R-180": 1})
    units = both.units_at("2205")

    def of(position, which, *, up, overstacked=False):
        return combat.halved_sum(position, units, which, up=up, overstacked=overstacked)

    assert of(both, "attack", up=False) == 4, "2 + 3 + 3 = 8"
    assert of(both, "defence", up=True) == 5, "9 / 2 = 4.5"
    assert of(both, "defence", up=True, overstacked=True) == 2, "and 5 / 2 = 2.5 down"
    single = both.but(options=both.options | {"unit_by_unit"})
    assert of(single, "attack", up=False) == 3, "1 + 1 + 1"
    assert of(single, "defence", up=True) == 6, "2 + 2 + 2"
    assert of(single, "defence", up=True, overstacked=True) == 3, "1 + 1 + 1"


@pytest.mark.rule("1.4")
def test_attackers_are_added_hex_by_hex():
    weak = ("N-NI-1", "N-NI-2")
    there = {"2305": "R-170", "2405": weak[0], "2406": weak[1]}
    position = table(there, levels=dict.fromkeys(weak, 1))
    apart = {"2405": weak[:1], "2406": weak[1:]}
    assert combat.attack_strength(position, apart) == 4, "2 + 2"
    together = table({"2305": "R-170", "2405": " ".join(weak)}, levels=dict.fromkeys(weak, 1))
    assert combat.attack_strength(together, {"2405": weak, "2406": ()}) == 5, "10 / 2"
    crowded = table({"2305": "R-170", "2405": "N-NI-1 N-NI-2 N-NI-3 N-NIV-1"})
    assert combat.attack_strength(crowded, {"2405": ("N-NI-1",)}) == 2, "overstacked"


# ------------------------------------------------------------------- 2: the pieces


@pytest.mark.rule("2.1")
def test_a_unit_that_has_lost_a_step_shows_its_other_side():
    position = table({"2405": "N-NI-1"}, lost="N-NI-1")
    values = position.values("N-NI-1")
    assert (values.attack, values.defence, values.move) == (3, 2, 5)
    assert table({"2405": "N-NI-1"}).values("N-NI-1").attack == 5
    assert position.steps_left("N-NI-1") == 1 and position.steps_left("N-NI-2") == 2
    assert position.steps_left("R-RFT") == 1


@pytest.mark.rule("2.3.1")
def test_all_four_nations_are_nationalist():
    board = system().tables
    nations = {board.units[unit].nation for unit in board.army[N]}
    assert nations == {"spanish", "italian", "italo_spanish", "german"}
    assert not set(board.army[N]) & set(board.columns[N])


# ------------------------------------------------------------------- 3: the sequence


@pytest.mark.rule("3", "3.A", "3.B.1", "3.B.2", "3.B.3", "3.C.1", "3.C.2", "3.C.3", "3.D")
def test_the_sequence_of_a_turn():
    stages = [each.stage if isinstance(each, IfRolled) else each for each in turn()]
    names = [type(each).__name__ for each in stages]
    half = ["Segment", "Marching", "Segment", "Fighting"]
    assert names == [
        "Weather", "Offensive", *half, "BeforeSurrender", "Surrender", "Factory", *half,
        "EndOfTurn",
    ]  # fmt: skip
    assert phase(R) == (Segment(R, "movement"), Marching(R), Segment(R, "combat"), Fighting(R))


@pytest.mark.rule("3", "3.A")
def test_the_first_turn_needs_no_dice():
    start = table({"2110": "N-LIT-1", "2009": "R-170"}, turn=0, weather=RAIN)
    game = begun(start, NextTurn())
    assert game.position.turn == 1 and game.event(e.WeatherRolled).die == 0
    assert game.position.weather == "fair"
    assert (game.asks.side, game.asks.stage) == (N, "movement")
    game.order(Done())
    assert (game.asks.side, game.asks.stage) == (R, "movement"), "nobody can attack"
    game.order(Done())
    assert game.position.turn == 2, "the weather of turn 2 is rolled for"
    game.roll(6)
    assert game.position.weather == RAIN


@pytest.mark.rule("3.A", "11.2")
def test_the_weather_die_of_the_first_turn_is_not_rolled():
    assert not Weather().chance(table({}, turn=1)).draws
    assert Weather().chance(table({}, turn=2)).draws


@pytest.mark.rule("3.B.3", "3.C.3", "10.1")
def test_attacks_need_not_be_declared_beforehand():
    there = {"2305": "R-170", "2405": "N-NI-1 N-NI-2 N-NI-3", "2110": "N-LIT-1", "2010": "R-168"}
    position = table(there)
    game = fighting(position, N)
    assert (game.asks.side, game.asks.stage, game.asks.rule) == (N, "combat", "3.B.3")
    game = begun(position.but(active=R, segment="combat"), Fighting(R))
    assert (game.asks.side, game.asks.rule) == (R, "3.C.3")
    game.order(Done())
    assert game.asks is None


@pytest.mark.rule("3.B.2", "3.C.2")
def test_a_side_moves_stack_by_stack():
    position = table({"2110": "N-LIT-1", "2210": "N-LIT-2", "1507": "R-170"})
    game = marching(position, N)
    assert (game.asks.rule, game.asks.side) == ("3.B.2", N)
    game.order(Move(("N-LIT-1",), ("2111",)))
    assert game.asks.stage == "movement" and game.event(e.UnitsMoved).cost == 1
    game.order(Move(("N-LIT-2",), ("2211",)))
    assert game.where("N-LIT-1", "N-LIT-2") == ["2111", "2211"]
    other = marching(position, R)
    assert (other.asks.rule, other.asks.side) == ("3.C.2", R)


@pytest.mark.rule("3.D", "9.4", "9.3.2", "9.5")
def test_the_end_of_a_turn():
    there = {"2110": "N-LIT-1 N-HQ-LIT N-SC-1", "1507": "R-170"}
    ready = frozenset({"N-HQ-LIT", "N-LK-1"})
    position = table(there, turn=3, used=ready, moved=frozenset({"N-SC-1"}),
                     levels={"N-LIT-1": 2, "R-170": 1})  # fmt: skip
    game = begun(position, EndOfTurn())
    after = game.position
    assert (after.used, after.moved, after.levels) == (frozenset(), frozenset(), {})
    assert after.turn == 4
    over = begun(position.but(turn=7), EndOfTurn()).position
    assert over.segment == "end" and over.levels == {}


@pytest.mark.rule("3.B.2", "9.3.2")
def test_what_has_moved_is_forgotten_with_the_next_segment_but_for_columns():
    position = table({"2110": "N-LIT-1 N-SC-1", "1507": "R-170"},
                     moved=frozenset({"N-LIT-1", "N-SC-1"}))  # fmt: skip
    game = begun(position, Segment(R, "movement"), Marching(R))
    assert game.position.moved == {"N-SC-1"}
    assert movement.is_spent_by_moving(game.position, "N-SC-1")
    fought = begun(position.but(fought=frozenset({"N-LIT-1"})), Segment(N, "combat"), Marching(N))
    assert fought.position.moved == {"N-LIT-1", "N-SC-1"} and not fought.position.fought


@pytest.mark.rule("10.2")
def test_below_the_first_column_the_die_is_one_lower():
    position = table({"2205": "R-178 R-179", "2204": "N-NI-1"}, lost="N-NI-1")
    game = clash(position, "2205", "N-NI-1", face=6)
    rolled = game.event(e.CombatRolled)
    assert (rolled.attack, rolled.defence, rolled.column) == (3, 9, "1:2")
    assert rolled.modifiers == {"below": -1} and rolled.result == "1/0"
