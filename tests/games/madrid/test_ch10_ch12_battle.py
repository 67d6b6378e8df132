"""10 to 12: victory, the Junta, the weather, and the three scenarios."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.board.ledger import total
from pbem.engine import kernel
from pbem.engine.model import Decision
from pbem.games.madrid import events as e
from pbem.games.madrid.orders import Begin, Move, Pass, Pause, PlaceUnits
from pbem.games.madrid.position import RIVERS_OPEN
from pbem.games.madrid.rules import control, supply, turn, victory
from pbem.games.madrid.stages.setup import SetUpEnds
from pbem.games.madrid.stages.turn import (
    Initiative,
    Omens,
    Pausing,
    TurnBegins,
    VictoryCheck,
)
from tests.games.madrid.kit import pauses
from tests.games.madrid.table import Game, N, R, begun, fight, rules_against, system, table
from tests.replays.stored import WAYS, path_of, stored

OPEN = frozenset({"open_hands"})


def start(scenario, *options):
    """A game at its first question."""
    game = Game(system().setup(scenario, OPEN.union(options)))
    return game._take(kernel.begin(game.state))


def until(game, stage):
    """Answers with the defaults, and rolls ones, until a question comes."""
    for _ in range(400):
        asked = kernel.waits_for(game.state)
        assert asked is not None
        if isinstance(asked, Decision):
            if asked.stage == stage:
                return game
            game.default()
        else:
            game.roll(*(tuple(range(draw.take)) if draw.take else 1 for draw in asked.draws))
    raise AssertionError(stage)


# ------------------------------------------------------------------- 11.1 the Junta


@pytest.mark.rule("11.1.a", "11.1.e")
def test_when_a_die_is_rolled_for_the_junta():
    assert not turn.rolls_for_junta(table(turn=2, facts=()))
    assert turn.rolls_for_junta(table(turn=3, facts=()))
    assert not turn.rolls_for_junta(table(turn=3, facts=("junta",)))
    assert turn.starts_with_junta(table(scenario="scenario_2"))
    assert not turn.starts_with_junta(table(scenario="campaign"))
    assert not turn.starts_with_junta(
        table(scenario="scenario_2", options=("junta_in_scenario_2",))
    )
    failed = begun(table(turn=3, facts=()), Omens()).roll(5)
    assert "junta" not in failed.position.facts and failed.position.support[R] == 10


@pytest.mark.rule("11.1.b")
@pytest.mark.parametrize(
    ("held", "at", "changes", "modifier"),
    [
        ("D", {}, {}, 0),
        ("D L", {}, {}, 1),
        ("D L K", {}, {}, 1),
        ("D DD", {}, {}, 1),
        ("D", {"DD": "N01 R01", "EE": "N02 R02"}, {}, 2),
        ("H U X Y", {}, {}, 1),
        ("D", {}, {"pause": 2}, 2),
        ("D", {}, {"facts": ("pause_declared",)}, 0),
        ("D", {}, {"options": ("junta_remembers_pause",)}, 0),
        ("D", {}, {"facts": ("pause_declared",), "options": ("junta_remembers_pause",)}, 2),
    ],
)
def test_the_modifiers_of_the_junta(held, at, changes, modifier):
    assert total(turn.junta_modifiers(table(at, nationalist=held, **changes))) == modifier


@pytest.mark.rule("11.1.c")
def test_six_or_more_brings_the_junta():
    assert [turn.junta_comes(table(), total) for total in (5, 6, 7)] == [False, True, True]


@pytest.mark.rule("11.2.a")
def test_the_weather_is_rolled_from_turn_ten():
    assert not turn.rolls_for_weather(table(turn=9)) and turn.rolls_for_weather(table(turn=10))
    facts = ("junta", "bad_weather")
    fair = begun(table(turn=10, facts=facts), Omens()).roll(3)
    assert "bad_weather" not in fair.position.facts
    foul = begun(table(turn=10, facts=("junta",)), Omens()).roll(5)
    assert "bad_weather" in foul.position.facts


# ------------------------------------------------------------------- 12.1 scenario 1


@pytest.mark.rule("12.1.b", "5.1", "1.1.6", "1.1.8")
def test_the_set_up_of_scenario_1():
    game = until(start("scenario_1"), "draw")
    position = game.position
    assert position.support == {N: 12, R: 6} and position.morale_name == "Crumbling"
    assert [area for area, side in position.control.items() if side == N] == ["D"]
    gone = {unit for unit, place in position.places.items() if place == "gone"}
    late = {u.id for u in position.board.units.values() if u.turn > 6}
    assert gone == late and "N30" in gone
    on_track = {unit for unit, place in position.places.items() if place == "track"}
    assert {"N06", "N38", "R40"} <= on_track and position.turn == 1


@pytest.mark.rule("12.1.b", "12.3.a", "1.1.9", "1.1.10")
def test_letters_that_leave_a_choice_are_asked_for():
    game = start("campaign")
    assert game.asks.side == R and game.asks.stage == "set_up"
    wanted = {unit: places for unit in game.state.agenda[-1].units
              if (places := game.position.unit(unit).homes)}  # fmt: skip
    assert all(len(places) > 1 for places in wanted.values())
    order = PlaceUnits({unit: places[-1] for unit, places in wanted.items()})
    assert game.broken(PlaceUnits({**order.units, "R17": "AA"})) == ["1.1.9"]
    assert game.broken(PlaceUnits({"R17": "M"})) == ["1.1.9"]
    game.order(order)
    assert game.where("R17", "N03", "N01") == ["N", "5", "D"]


@pytest.mark.rule("12.1.b", "12.2.d", "12.3.a", "3.3.2")
@pytest.mark.parametrize("scenario", ["scenario_1", "scenario_2", "campaign"])
def test_every_area_is_in_supply_when_the_battle_begins(scenario):
    position = until(start(scenario), "impulse" if scenario == "scenario_2" else "draw").position
    for side in (N, R):
        held = {area for area, holder in position.control.items() if holder == side}
        assert held <= supply.supplied_places(position, side)


@pytest.mark.rule("12.1.c", "9.1", "4.3.a")
@pytest.mark.parametrize(
    ("number", "dice", "side"),
    [(1, (), N), (3, (), N), (4, (3, 4), R), (4, (4, 4), N), (6, (5, 4), N)],
)
def test_the_initiative_of_scenario_1(number, dice, side):
    there = {"D": "N01", "AA": "R40"}
    game = begun(table(there, scenario="scenario_1", turn=number), Initiative())
    if dice:
        game.roll(*dice)
    assert game.asks.side == side


@pytest.mark.rule("12.1.d", "12.3.c")
@pytest.mark.parametrize(
    ("there", "opens"),
    [
        ("N01 R01", True), ("N01 R01 R02", False), ("R01", False), ("N01 N02 R01", True),
    ],
)  # fmt: skip
def test_what_opens_the_rivers(there, opens):
    position = table({"DD": there}, facts=())
    assert control.opens_rivers(position) is opens


@pytest.mark.rule("12.1.d")
def test_an_empty_suburb_opens_the_rivers_only_as_an_option():
    assert not control.opens_rivers(table(facts=()))
    assert control.opens_rivers(table(facts=(), options=("empty_suburb_opens_rivers",)))
    everywhere = {area: f"R4{at}" for at, area in enumerate(("AA", "BB", "CC", "DD", "EE"))}
    held = {**everywhere, "FF": "R30", "GG": "R31"}
    option = ("empty_suburb_opens_rivers",)
    assert not control.opens_rivers(table(held, facts=(), options=option))


@pytest.mark.rule("12.1.d")
@pytest.mark.parametrize(
    ("there", "path", "is_barred"),
    [
        ({}, ("L", "EE", "AA"), False),
        ({}, ("L", "P", "FF"), True),
        ({"EE": "N03 R02 R03 R04"}, ("L", "EE", "AA"), False),
        ({"EE": "N03 R02 R03 R04 R05"}, ("L", "EE", "AA"), True),
    ],
)  # fmt: skip
def test_a_stack_that_opens_the_rivers_on_its_way_may_cross_them(there, path, is_barred):
    at = {"L": "N01 N02", "AA": "R17 R01", **there}
    position = table(at, nationalist="D C L", facts=())
    over = Move(("N01", "N02"), path, "N01")
    assert ("12.3.c" in rules_against(position, N, over)) is is_barred


@pytest.mark.rule("12.1.d")
def test_a_move_opens_the_rivers_and_leads_over_them():
    position = table({"L": "N01 N02", "AA": "R17 R01"}, nationalist="D C L", facts=())
    game = fight(position, N).order(Move(("N01", "N02"), ("L", "EE", "AA"), "N01"))
    assert RIVERS_OPEN in game.position.facts and game.asks.stage == "fire"


@pytest.mark.rule("12.1.a", "12.1.e", "12.2.h", "12.3.j")
@pytest.mark.parametrize(
    ("scenario", "number", "result"),
    [
        ("scenario_1", 5, None), ("scenario_1", 6, (R, victory.POINTS_LOST)),
        ("scenario_2", 14, None), ("scenario_2", 15, (R, victory.MADRID_HOLDS)),
        ("campaign", 14, None), ("campaign", 15, (R, victory.MADRID_HOLDS)),
    ],
)  # fmt: skip
def test_the_end_of_a_scenario(scenario, number, result):
    assert begun(table(scenario=scenario, turn=number), VictoryCheck()).position.result == result


@pytest.mark.rule("12.1.e")
@pytest.mark.parametrize(
    ("at", "held", "morale", "name", "count"),
    [
        ({}, "D CC DD", "crumbling", "urban areas", 4),
        ({}, "H U X Y", "crumbling", "roads cut", 1),
        ({"AA": "N01 N02 N03 N04 N05 R01"}, "D C L EE", "crumbling", "units in Madrid", 1),
        ({"AA": "N01 N02 N03 N04 R01"}, "D C L EE", "crumbling", "units in Madrid", 0),
        ({"AA": "N01 N02 N03 N04 N05 R01"}, "D EE", "crumbling", "units in Madrid", 0),
        ({}, "D", "bad", "Republican morale", -1),
        ({}, "D", "fragile", "Republican morale", -2),
        ({}, "D", "good", "Republican morale", -2),
        ({"eliminated": "N01 N02 N03 N04 R01"}, "D", "crumbling", "eliminated units", -1),
        ({"eliminated": "N01 N02 N03 R01 R02"}, "D", "crumbling", "eliminated units", 0),
    ],
)
def test_each_point_of_scenario_1(at, held, morale, name, count):
    position = table(at, scenario="scenario_1", nationalist=held, morale=morale)
    assert victory.points(position)[name] == count


# ------------------------------------------------------------------- 12.2 scenario 2


@pytest.mark.rule("12.2.a", "5.1", "12.2.d")
def test_scenario_2_begins_on_turn_10_or_11():
    game = start("scenario_2")
    assert (game.asks.side, game.asks.stage) == (N, "begin")
    assert game.broken(Begin(12)) == ["12.2.a"]
    game.order(Begin(11))
    assert game.position.support == {N: 14, R: 8} and game.asks.side == R
    assert start("scenario_2").order(Begin(10)).position.support == {N: 10, R: 6}


@pytest.mark.rule("12.2.b", "12.2.c", "2.6", "1.1.11")
def test_the_free_set_up_of_both_sides():
    game = start("scenario_2").order(Begin(10))
    board = game.position.board
    republican = game.asks.default
    homes = Counter(republican.units.values())
    assert {board.areas[area].colour for area in homes} == {"green", "brown"} and len(homes) == 8
    assert game.position.places["R61"] == "AA" and game.position.places["R51"] == "gone"
    assert game.position.places["R46"] == "track" and "R63" in republican.units
    first = next(iter(republican.units))
    assert game.broken(PlaceUnits({**republican.units, first: "AA"})) == ["12.2.b"]
    assert game.broken(PlaceUnits({first: "X"})) == ["12.2.b"]
    crowd = dict.fromkeys(republican.units, "X")
    assert set(game.broken(PlaceUnits(crowd))) == {"3.2.1", "12.2.b"}
    for area in homes:
        left = "X" if area != "X" else "W"
        empty = {u: (left if a == area else a) for u, a in republican.units.items()}
        assert game.broken(PlaceUnits(empty)) == ["12.2.b"]
    game.order(republican)
    assert game.asks.side == N
    nationalist = game.asks.default
    colours = {board.areas[area].colour for area in nationalist.units.values()}
    assert colours == {"blue", "brown"} and "N38" in nationalist.units
    assert "N33" not in nationalist.units
    there = nationalist.units
    for wrong in (
        {**there, "N01": "D"}, dict.fromkeys(there, "S"), {**there, "N33": "S"}, {"N01": "S"},
    ):  # fmt: skip
        assert set(game.broken(PlaceUnits(wrong))) - {"3.2.1"} == {"12.2.c"}
    game.order(nationalist)
    assert game.position.is_contested("BB") and game.position.is_contested("DD")


@pytest.mark.rule("3.5.1.a", "3.5.a")
def test_where_the_enemy_alone_is_set_up_control_passes_when_all_stand():
    position = table({"C": "N01", "B": "N02 R01"}, turn=0)
    assert system().faults(position) == (), "while units are placed nothing is judged"
    game = begun(position, SetUpEnds())
    assert (game.position.control["C"], game.position.control["B"]) == (N, R)
    (fault,) = system().faults(position.but(turn=1))
    assert str(fault) == "C is Republican although only the enemy is there"


@pytest.mark.rule("5.1")
def test_nobody_has_support_points_before_the_battle_begins():
    assert system().setup("scenario_2", OPEN).position.support == {N: 0, R: 0}


def test_a_chit_in_cup_and_hand_is_a_fault():
    position = table(hands={N: "CN1a"})
    twice = position.but(cups={**position.cups, N: ("CN1a", *position.cups[N])})
    assert system().faults(position) == ()
    (fault,) = system().faults(twice)
    assert str(fault) == "CN1a is listed twice"


@pytest.mark.rule("12.2.d", "12.2.e", "12.2.f", "11.1.e")
def test_markers_control_and_the_first_turn_of_scenario_2():
    game = until(start("scenario_2"), "draw")
    position = game.position
    assert position.morale_name == "Fragile" and position.turn == 10
    assert position.support == {N: 10, R: 6} and "junta" in position.facts
    held = [area for area, side in position.control.items() if side == N]
    assert held == [
        "A",
        "B",
        "C",
        "D",
        "E",
        "H",
        "I",
        "J",
        "K",
        "L",
        "M",
        "N",
        "S",
        "T",
        "U",
        "CC",
        "EE",
    ]
    assert position.control["BB"] == R and position.control["DD"] == R


@pytest.mark.rule("12.2.f", "12.3.b", "9.1")
def test_a_run_of_impulses_in_a_row():
    there = {"D": "N01 N02 N03 N04", "AA": "R40"}
    position = table(there, scenario="scenario_2", turn=10, began=10)
    game = begun(position, Initiative()).roll(3)
    assert game.position.run == 2
    for unit in ("N01", "N02", "N03"):
        assert game.asks.side == N
        game.order(Move((unit,), ("D", "B")))
    assert game.asks.side == R
    short = begun(position, Initiative()).roll(5).order(Pass())
    assert short.asks.side == R and short.position.run == 0
    assert short.order(Pass()).state.agenda == (), "both have passed"
    again = begun(position, Initiative()).roll(5).order(Pass()).order(Move(("R40",), ("AA", "GG")))
    assert again.asks is not None and again.asks.side == N


@pytest.mark.rule("12.2.f")
def test_the_later_initiative_of_scenario_2():
    there = {"D": "N01", "AA": "R40"}
    later = table(there, scenario="scenario_2", turn=11, began=10)
    assert turn.fixed_initiative(later) is None
    leads = later.but(options=frozenset({"nationalists_lead"}))
    assert turn.fixed_initiative(leads) == N
    campaign = table(there, turn=11, options=("nationalists_lead",))
    assert turn.fixed_initiative(campaign) is None


# ------------------------------------------------------------------- 12.3 the campaign


@pytest.mark.rule("12.3.a")
def test_the_campaign_has_15_turns_and_every_unit():
    position = until(start("campaign"), "draw").position
    assert position.card.last_turn == 15 and position.support == {N: 12, R: 6}
    assert "gone" not in position.places.values() and position.morale_name == "Crumbling"


@pytest.mark.rule("12.3.d", "4.1")
def test_a_pause_lasts_four_turns_at_most():
    game = begun(table(turn=6), TurnBegins(), Pausing()).order(Pause("begin"))
    assert game.position.pause == 4 and game.position.turn == 7
    left = []
    for _ in range(4):
        game = begun(game.position, TurnBegins())
        left.append(game.position.pause)
    assert left == [3, 2, 1, 0] and game.position.turn == 11
    assert "pause_just_over" in game.position.facts
    assert begun(game.position, Pausing()).state.agenda == ()
    after = begun(game.position, TurnBegins())
    assert "pause_just_over" not in after.position.facts


@pytest.mark.rule("12.3.d")
def test_a_pause_is_declared_once_and_may_be_ended():
    paused = table(pause=3, facts=("pause_declared",))
    game = begun(paused, Pausing())
    assert game.broken(Pause("begin")) == ["12.3.d"]
    game.order(Pause("end"))
    assert game.position.pause == 0 and "pause_just_over" in game.position.facts
    fresh = begun(table(), Pausing())
    assert fresh.broken(Pause("end")) == ["12.3.d"] and fresh.broken(Pause("stop")) == ["12.3.d"]
    assert turn.pause_words(table(facts=("pause_declared",))) == ("keep",)


@pytest.mark.rule("12.3.b", "9.1")
def test_the_initiative_around_a_pause():
    there = {"D": "N01", "AA": "R40"}
    assert turn.fixed_initiative(table(there, pause=2)) == R
    assert begun(table(there, pause=2), Initiative()).asks.side == R
    over = table(there, facts=("pause_just_over",))
    assert turn.has_run(over) and turn.fixed_initiative(over) == N
    game = begun(over, Initiative()).roll(1)
    assert game.asks.side == N and game.position.run == 0
    assert turn.winner_of(2, 3) == R and turn.winner_of(3, 3) == N


@pytest.mark.rule("12.3.c")
def test_the_ban_on_the_rivers_is_lifted_for_good():
    there = {"DD": "N01 R01", "K": "N02", "Z": "N10"}
    position = table(there, nationalist="D K DD Z", facts=())
    game = fight(position, N).order(Move(("N02",), ("K", "DD")))
    assert game.event(e.FactSet).fact == "rivers_open"
    gone = game.position.but(places={**game.position.places, "N01": "D", "N02": "D"})
    assert rules_against(gone, N, Move(("N10",), ("Z", "JJ"))) == []
    assert rules_against(position, N, Move(("N10",), ("Z", "JJ"))) == ["12.3.c"]


@pytest.mark.rule("12.3.d")
def test_stored_games_have_a_pause_that_is_ended_and_one_that_runs_out() -> None:
    """What they say of it, turn by turn; that they end as they ended the contract suite plays."""
    said = {way: pauses(stored(path_of("madrid", way)).orders) for way in WAYS["madrid"]}
    for way in ("holds", "madrid"):
        assert said[way][0] == "begin" and said[way][-1] == "end" and len(said[way]) < 4
    assert said["pause_runs_out"] == ["begin", "keep", "keep", "keep"], "and nobody is asked more"
