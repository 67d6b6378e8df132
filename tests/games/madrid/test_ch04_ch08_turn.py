"""4 to 8: the sequence of a turn, support points, chits drawn, arrivals, replacements."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import pytest

from pbem.engine import kernel
from pbem.engine.model import Chance, State
from pbem.games.madrid import events as e
from pbem.games.madrid.orders import (
    Attack,
    Bombard,
    DrawChits,
    Move,
    Pass,
    Pause,
    PlaceUnits,
    Play,
    PutBack,
    Rebuild,
    Renewal,
)
from pbem.games.madrid.rules import arrivals, chits, morale, replacements, units
from pbem.games.madrid.rules.turn import income, rada_needs
from pbem.games.madrid.stages.impulse import NextImpulse
from pbem.games.madrid.stages.turn import (
    Arrivals,
    Arriving,
    Drawing,
    Income,
    Omens,
    PuttingBack,
    Rebuilding,
    Recovery,
    TurnBegins,
    turn_stages,
)
from pbem.orders.bind import bind
from pbem.orders.parse import parse
from pbem.orders.written import orders_text
from pbem.text.source import Source
from pbem.value import replace
from tests.games.madrid.table import N, R, begun, fight, rules_against, system, table

PHASES = (
    "TurnBegins Pausing Omens Income Drawing Drawing Arrivals Arrivals Rebuilding Rebuilding "
    "Initiative ControlCheck MoraleCheck VictoryCheck PuttingBack PuttingBack Recovery NextTurn"
)


# ------------------------------------------------------------------- 4 the sequence


@pytest.mark.rule(
    "4.1", "4.2.a", "4.2.b", "4.2.c", "4.2.d", "4.3.a", "4.4.a", "4.4.b", "4.4.c", "4.4.e"
)
def test_the_phases_come_in_their_order():
    stages = turn_stages()
    assert [type(stage).__name__ for stage in stages] == PHASES.split()
    assert [stage.side for stage in stages if hasattr(stage, "side")] == [N, N, R, R, N, R, N, N, R]


@pytest.mark.rule("4.1", "9.0.2", "3.5.2.a")
def test_nothing_of_a_turn_is_left_in_the_next():
    over = table(turn=4, impulse=9, passes=2, run=3, gains={N: 2, R: 1})
    position = begun(over, TurnBegins()).position
    assert (position.turn, position.impulse, position.passes, position.run) == (5, 0, 0, 0)
    assert position.gains == {}


@pytest.mark.rule("9.0.1", "9.1")
def test_impulses_are_counted_and_whose_they_are_is_known():
    second = loop(table({"AA": "R40"}, impulse=1, active=N), R).position
    assert (second.active, second.impulse) == (R, 2)
    assert e.InitiativeTaken(R).apply(table(active=N)).active == R


def loop(position, side=N):
    return begun(position, NextImpulse(side))


@pytest.mark.rule("4.3.b", "9.0.2")
def test_impulses_alternate_until_both_pass_in_a_row():
    game = loop(table({"D": "N01 N02", "AA": "R40 R41"}))
    sides = []
    for order in (Pass(), Move(("R40",), ("AA", "GG")), Pass(), Pass()):
        sides.append(game.asks.side)
        game.order(order)
    assert sides == [N, R, N, R] and game.state.agenda == ()
    assert game.position.passes == 2


@pytest.mark.rule("4.3.b", "9.0.2")
def test_who_has_nothing_to_play_passes_unasked():
    game = loop(table({"D": "N01 N02", "AA": "R40s R61s"}))
    assert game.asks.side == N
    game.order(Move(("N01",), ("D", "C")))
    assert [(each.side, each.has_nothing) for each in game.all(e.Passed)] == [(R, True)]
    assert game.asks.side == N, "who still has units goes on"
    held = loop(table({"D": "N01", "AA": "R40s"}, hands={R: "CR1a"}))
    held.order(Pass())
    assert held.asks is not None and held.asks.side == R
    locked = table({"D": "N01", "AA": "R61"}, scenario="scenario_2", facts=())
    assert units.ready_stacks(locked, R) == {}


@pytest.mark.rule("4.3.b", "9.0.2")
def test_the_phase_ends_when_every_unit_has_been_activated():
    """Whatever chits are in hand; a garrison that waits cannot be activated either."""
    there, hands = {"D": "N01 N02s", "AA": "R40s R61s"}, {N: "CN1a", R: "CR5a"}
    game = loop(table(there, hands=hands)).order(Move(("N01",), ("D", "C")))
    assert game.state.agenda == () and not game.all(e.Passed)
    for others in ({"D": "N01s", "AA": "R40"}, {"D": "N01", "AA": "R40s"}):
        assert loop(table(others, hands=hands)).asks is not None, "one side alone has fresh units"
    waits = table({"D": "N01s", "AA": "R61"}, scenario="scenario_2", facts=(), hands=hands)
    assert loop(waits).state.agenda == ()
    assert loop(table({"D": "N01s", "AA": "R40s", "track": "N06"})).state.agenda == ()
    assert loop(table({"D": "N01", "AA": "R40"}, passes=2)).state.agenda == ()
    assert loop(table({"D": "N01", "AA": "R40"}, passes=1)).asks is not None


@pytest.mark.rule("9.0.1", "9.0.3", "9.4")
def test_an_impulse_is_one_activation_a_chit_or_a_pass():
    position = table({"D": "N01 N42", "C": "R01", "E": "N02 R02"}, hands={N: "CN1a"})
    offered = [option.order.verb for option in fight(position, N).asks.options]
    assert offered == ["move", "attack", "assault", "bombard", "play", "pass"]
    apart = Move(("N01", "N02"), ("D", "C"))
    assert rules_against(position, N, apart) == ["9.0.1"]
    assert rules_against(position, N, Move((), ("D", "C"))) == ["9.0.1"]
    assert rules_against(position, N, Move(("R01",), ("C", "D"))) == ["9.0.1"]
    assert rules_against(position, N, Move(("N03",), ("D", "C"))) == ["9.0.1"]
    assert rules_against(position, N, Move(("N01", "N01"), ("D", "C"))) == ["9.0.1"]
    bare = [option.order.verb for option in fight(table({"D": "N26"}), N).asks.options]
    assert bare == ["move", "pass"]


# ------------------------------------------------------------------- 5 support points


@pytest.mark.rule("5.2", "12.3.e", "12.2.d", "4.2.a")
def test_the_income_of_a_turn():
    assert (income(table(turn=4), N), income(table(turn=4), R)) == (6, 4)
    assert (income(table(turn=4, pause=2), N), income(table(turn=4, pause=2), R)) == (12, 4)
    first = {"scenario": "scenario_2", "began": 10}
    assert income(table(turn=10, **first), N) == 0 and income(table(turn=11, **first), N) == 4
    assert income(table(turn=4, began=4), N) == 6
    game = begun(table(turn=4), Income())
    assert game.position.support == {N: 16, R: 14}
    assert begun(table(turn=10, **first), Income()).events == [], "nobody is told of no points"


@pytest.mark.rule("5.3", "9.2.a", "9.4.2.a", "9.3.c")
def test_what_costs_a_support_point():
    six = tuple(f"N0{n}" for n in range(1, 7))
    position = table({"D": " ".join(six) + " N42 N43 N44 R01", "C": "R02"}, support={N: 0, R: 0})
    for order, rules in (
        (Attack(six, "N01"), ["5.3"]),
        (Attack(six[:5], "N01"), []),
        (Attack(("N01",), "N01", prepared=True), ["5.3"]),
        (Bombard(("N42", "N43", "N44"), "C"), ["5.3"]),
        (Bombard(("N42", "N43"), "C"), []),
        (Move(six, ("D", "B"), "N01"), ["5.3"]),
        (Move(six[:5], ("D", "B"), "N01"), []),
    ):
        assert rules_against(position, N, order) == rules, order


# ------------------------------------------------------------------- 6 chits


@pytest.mark.rule("6.1", "6.2", "6.3", "4.2.b")
def test_chits_are_drawn_for_points_up_to_five():
    game = begun(table(support={N: 3, R: 0}), Drawing(N))
    assert game.broken(DrawChits(3)) == [] and game.broken(DrawChits(-1)) == ["6.2"]
    game.order(DrawChits(2)).roll((0, 3))
    assert game.position.support[N] == 1
    cup = table().cups[N]
    assert game.position.hands[N] == (cup[0], cup[3]) and len(game.position.cups[N]) == 13
    assert begun(table(support={N: 0, R: 0}), Drawing(N)).state.agenda == ()
    held = table(hands={N: "CN1a CN1b CN3a"})
    assert chits.most_to_draw(held, N) == 2
    full = table(hands={N: "CN1a CN1b CN3a CN4a CN5a"})
    assert begun(full, Drawing(N)).state.agenda == ()
    assert begun(table(), Drawing(N)).order(DrawChits(0)).state.agenda == ()


@pytest.mark.rule("6.1", "6.2", "6.3")
@pytest.mark.parametrize(
    ("points", "hand", "cup", "rule", "words"),
    [
        (3, "", 15, "6.2", "up to 3 chits each costs a support point"),
        (
            9,
            "CN1a CN1b CN3a CN4a",
            11,
            "6.3",
            "up to 1 chit a hand has at most 5 chits; yours has 4",
        ),
        (9, "CN1a", 2, "6.1", "up to 2 chits your cup has no more"),
    ],
)
def test_too_many_chits_are_refused_by_what_limits_them(points, hand, cup, rule, words):
    position = table(support={N: points, R: 0}, hands={N: hand})
    position = position.but(cups={**position.cups, N: position.cups[N][:cup]})
    (fault,) = kernel.violations(State(position, (Drawing(N),)), DrawChits(6))
    assert fault.rule == rule and f"{fault.message} {fault.hint}" == f"you may draw {words}"


def test_where_chits_cost_nothing_points_are_no_limit(monkeypatch):
    position = table(support={N: 0, R: 0})
    monkeypatch.setitem(position.board.charts["costs"], "chit", 0)
    assert chits.most_to_draw(position, N) == 5


@pytest.mark.rule("12.3.i")
def test_nationalists_draw_no_chits_in_the_pause():
    paused = table(pause=2)
    assert begun(paused, Drawing(N)).state.agenda == ()
    assert begun(paused, Drawing(R)).asks is not None


@pytest.mark.rule("6.4", "6.8", "6.5", "6.6")
def test_a_chit_has_its_time_and_its_window():
    there = {"D": "N01 R01"}
    position = table(there, hands={N: "CN2b CN3a CN8a CN8b"}, played=("CN2a",))
    assert rules_against(position, N, Play("CN2b", "D", "R01")) == ["6.4"]
    assert rules_against(position, N, Play("CN3a")) == ["6.6"]
    assert rules_against(position, N, Play("CN1a", "D")) == ["6.1"]
    assert rules_against(position, N, Attack(("N01",), chits=("CN2b",))) == ["6.5"]
    assert rules_against(position, N, Attack(("N01",), chits=("CN8a", "CN8b"))) == ["6.4"]
    assert rules_against(position, N, Attack(("N01",), chits=("CN8a", "CN3a"))) == []
    one = position.but(hands={N: ("CN8a",), R: ()})
    assert rules_against(one, N, Attack(("N01",), chits=("CN8a", "CN8b"))) == ["6.1"]
    early = table({"D": "N01 R40"}, hands={R: "CR3a"}, turn=2)
    assert rules_against(early, R, Attack(("R40",), chits=("CR3a",))) == ["6.8"]
    late = table({"D": "N01 R40"}, hands={R: "CR3a"}, turn=3)
    assert rules_against(late, R, Attack(("R40",), chits=("CR3a",))) == []


@pytest.mark.rule("6.7", "6.9", "4.4.e")
def test_played_chits_go_back_but_for_those_of_one_time():
    position = table({"D": "N01", "C": "R01 R02"}, hands={N: "CN6a CN1a CN3a"})
    game = fight(position, N).order(Play("CN6a"))
    assert game.position.removed == ("CN6a",) and game.position.hands[N] == ("CN1a", "CN3a")
    more = fight(game.position, N).order(Play("CN1a", "C")).default().roll(1, 1)
    assert more.position.played == ("CN6a", "CN1a") and "CN1a" not in more.position.cups[N]
    after = begun(more.position, Recovery())
    assert "CN1a" in after.position.cups[N] and after.position.played == ()
    assert "CN6a" not in after.position.cups[N] and after.position.hands[N] == ("CN3a",)
    assert after.position.removed == ("CN6a",)
    assert [each.chits for each in after.all(e.ChitsReturned)] == [("CN1a",)]
    back = e.ChitsReturned(N, ("CN1a",)).apply(more.position)
    assert back.played == ("CN6a",) and back.cups[N].count("CN1a") == 1


@pytest.mark.rule("6.7", "6.4")
def test_played_chits_stay_in_hand_where_that_was_agreed():
    """Each once a turn; what leaves the game when it is played leaves it."""
    hands = {N: "CN6a CN1a CN3a", R: "CR1a"}
    position = table({"D": "N01", "C": "R01 R02"}, hands=hands, options=("played_chits_stay",))
    game = fight(position, N).order(Play("CN6a"))
    more = fight(game.position, N).order(Play("CN1a", "C")).default().roll(1, 1)
    assert more.position.hands[N] == ("CN3a",), "it is not played twice in a turn"
    usual = begun(more.position.but(options=frozenset()), Recovery())
    assert usual.position.hands[N] == ("CN3a",), "they do not without it"
    after = begun(more.position, Recovery())
    assert after.position.hands == {N: ("CN3a", "CN1a"), R: ("CR1a",)}
    assert after.position.played == () and "CN1a" not in after.position.cups[N]
    assert [each.chits for each in after.all(e.ChitsKept)] == [("CN1a",)]
    assert fight(after.position, N).asks is not None
    assert rules_against(after.position, N, Play("CN1a", "C")) == []
    assert chits.most_to_draw(after.position.but(support={N: 9, R: 9}), N) == 3


@pytest.mark.rule("6.9")
def test_unplayed_chits_may_be_put_back():
    game = begun(table(hands={N: "CN1a CN3a"}), PuttingBack(N))
    assert game.broken(PutBack(("CN2a",))) == ["6.9"]
    assert game.broken(PutBack(("CN1a", "CN1a"))) == ["6.9"]
    game.order(PutBack(("CN3a",)))
    assert game.position.hands[N] == ("CN1a",) and "CN3a" in game.position.cups[N]
    kept = begun(table(hands={N: "CN1a"}), PuttingBack(N)).order(PutBack())
    assert kept.position.hands[N] == ("CN1a",)
    assert begun(table(), PuttingBack(N)).state.agenda == ()


# ------------------------------------------------------------------- 7 reinforcements


@pytest.mark.rule("7.1", "4.2.c", "1.1.8")
def test_units_arrive_where_their_marks_say():
    game = begun(table({"track": "N06 N30"}, turn=3), Arrivals(N))
    assert game.where("N06", "N30") == ["6", "track"]
    choice = begun(table({"track": "R30 R31"}, turn=3), Arrivals(R))
    assert choice.broken(PlaceUnits({"R30": "M"})) == ["7.1"]
    assert choice.broken(PlaceUnits({"R30": "M", "R31": "C"})) == ["7.1"]
    assert choice.broken(PlaceUnits({"R30": "M", "R31": "N", "R32": "M"})) == ["7.1"]
    choice.order(PlaceUnits({"R30": "M", "R31": "N"}))
    assert choice.where("R30", "R31") == ["M", "N"]
    late = begun(table({"track": "N06"}, turn=5), Arrivals(N))
    assert late.where("N06") == ["6"]


@pytest.mark.rule("7.2")
def test_a_blocked_unit_arrives_in_the_nearest_area():
    held = table({"track": "R30"}, nationalist="M N", turn=3)
    assert arrivals.arrival_places(held, "R30") == ("C", "E", "F", "L", "O", "P")
    assert arrivals.may_wait(held, "R30")
    ten = " ".join(f"R{n:02}" for n in range(1, 11))
    full = table({"track": "R30", "M": ten}, turn=3)
    assert arrivals.arrival_places(full, "R30") == ("N",)
    nine = table({"track": "R30 R31", "M": ten.replace(" R10", "")}, nationalist="N", turn=3)
    placed = begun(nine, Arrivals(R))
    assert placed.broken(PlaceUnits({"R30": "M", "R31": "M"})) == ["3.2.1"]
    assert placed.broken(PlaceUnits({"R30": "M", "R31": "F"})) == []
    lost = table({"track": "R30"}, nationalist=" ".join(table().board.areas), turn=3)
    waits = begun(lost, Arrivals(R))
    assert waits.where("R30") == ["track"] and waits.events == []


@pytest.mark.rule("7.2")
def test_a_unit_without_a_place_waits_and_a_player_can_write_so():
    """Two areas are left, with room for one unit each, and three units are due."""
    others = [each for each in table().board.army[R] if each not in ("R12", "R13", "R22")]
    there = {"AA": " ".join(others[:9]), "DD": " ".join(others[9:18]), "track": "R12 R13 R22"}
    held = " ".join(area for area in table().board.areas if area not in there)
    game = begun(table(there, nationalist=held, turn=4), Arrivals(R))
    assert str(game.asks.options[0].note) == (
        "Columna Clairac, Columna Prada and Milicias Vascas: Madrid (AA), Carabanchel (DD) or "
        "nowhere"
    )
    order = PlaceUnits({"R12": "DD", "R13": "AA", "R22": "nowhere"})
    file = parse(Source("orders.yaml", orders_text([order])), system().verbs)
    names = system().names(game.state, R, PlaceUnits, answering=True)
    assert bind(file, 0, names) == order
    everywhere = [str(v.hint) for v in kernel.violations(game.state, replace(order, units={
        **order.units, "R22": "AA"}))]  # fmt: skip
    assert everywhere == ["no place is open to it: write nowhere, and it waits"]
    other = PlaceUnits({"R12": "nowhere", "R13": "AA", "R22": "DD"})
    assert game.broken(other) == [], "which of them waits is the owner's choice"
    assert game.order(order).where("R12", "R13", "R22") == ["DD", "AA", "track"]
    assert [event.unit for event in game.all(e.UnitPlaced)] == ["R12", "R13"]


@pytest.mark.rule("7.1", "7.2", "3.2.1")
def test_who_takes_the_last_place_is_the_choice_of_the_owner():
    """Of two units with one home that has room for one, either may have it, and the other waits or
    goes to the nearest area; no unit may leave a home of its own empty."""
    nine = " ".join(f"R{number:02}" for number in range(1, 10))
    game = begun(table({"track": "R30 R31", "M": nine}, nationalist="N", turn=3), Arrivals(R))
    assert game.asks is not None
    for ours, theirs, broken in (
        ("M", "F", []), ("F", "M", []), ("M", "nowhere", []), ("nowhere", "M", []),
        ("M", "M", ["3.2.1"]), ("M", "A", ["7.2"]), ("M", "N", ["7.2"]),
        ("F", "F", ["7.1", "7.1"]), ("F", "nowhere", ["7.1", "7.1"]),
        ("nowhere", "nowhere", ["7.1", "7.1"]),
    ):  # fmt: skip
        assert game.broken(PlaceUnits({"R30": ours, "R31": theirs})) == broken, (ours, theirs)
    hints = [str(each.hint) for each in kernel.violations(
        game.state, PlaceUnits({"R30": "M", "R31": "A"}))]  # fmt: skip
    assert hints == [
        "it may arrive in Parla (C), Seseña (E), Ciempozuelos (F), Getafe (L), "
        "San Martín de la Vega (O) or La Marañosa (P), or wait: nowhere"
    ]


@pytest.mark.rule("7.1", "7.2")
def test_units_arrive_in_some_order_so_they_do_not_exchange_homes():
    every = set(table().board.areas)
    nine = " ".join(f"R{number:02}" for number in range(1, 10))
    eight = " ".join(f"R{number:02}" for number in range(10, 18))
    there = {"track": "R23 R33 R62", "AA": nine, "Z": eight}
    held = " ".join(sorted(every - {"AA", "Z"}))
    game = begun(table(there, nationalist=held), Arriving(R, ("R23", "R33", "R62")))
    swapped = PlaceUnits({"R23": "Z", "R33": "AA", "R62": "Z"})
    assert game.broken(swapped) == ["7.2"]
    (fault,) = kernel.violations(game.state, swapped)
    assert "may arrive in" in str(fault.hint) and fault.at == ("units", "R23")
    for way in ({"R23": "AA", "R33": "Z", "R62": "Z"}, {"R23": "Z", "R33": "Z", "R62": "AA"}):
        assert game.broken(PlaceUnits(way)) == [], way


@pytest.mark.rule("7.1", "7.2")
def test_what_the_question_names_can_be_answered_and_nothing_else():
    """Every answer to small crowded arrivals, judged by every order of coming."""
    every = set(table().board.areas)
    nine = " ".join(f"R{number:02}" for number in range(1, 10))
    eight = " ".join(f"R{number:02}" for number in range(10, 18))
    for there, open_areas in (
        ({"track": "R23 R33 R62", "AA": nine, "Z": eight}, "AA Z"),
        ({"track": "R23 R33 R62", "AA": nine, "Z": eight}, "AA Z DD"),
        ({"track": "R30 R31 R33", "M": nine}, "M N Z"),
        ({"track": "R30 R31", "M": nine, "N": eight}, "M N"),
        ({"track": "R30 R31 R33"}, "M N Z"),
        ({"track": "R23 R33 R62", "AA": eight}, "AA Z"),
    ):
        held = " ".join(sorted(every - set(open_areas.split())))
        units = tuple(there["track"].split())
        position = table(there, nationalist=held)
        ends = set()
        for order in permutations(units):
            ways: list[dict[str, str]] = [{}]
            for unit in order:
                ways = [
                    {**way, unit: place}
                    for way in ways
                    for taken in [Counter(way.values())]
                    for place in (
                        *arrivals.arrival_places(position, unit, taken),
                        *(["nowhere"] if arrivals.may_wait(position, unit, taken) else []),
                    )
                ]
            ends |= {tuple(way[unit] for unit in units) for way in ways}
        game = begun(position, Arriving(R, units))
        answers = product((*open_areas.split(), "nowhere"), repeat=len(units))
        legal = {way for way in answers
                 if not game.broken(PlaceUnits(dict(zip(units, way, strict=True))))}  # fmt: skip
        assert legal == ends
        named = arrivals.possible_places(position, units)
        assert {unit: set(places) for unit, places in named.items()} == {
            unit: {way[at] for way in ends} for at, unit in enumerate(units)
        }


@pytest.mark.rule("7.1", "7.2")
@pytest.mark.parametrize("there", ["", "R01", "R01 R02 R03 R04 R05 R06 R07 R08"])
def test_where_all_find_room_at_home_nobody_has_to_be_tried_in_turn(there):
    """What is seen at once is what comes out when they arrive one after another."""
    units = ("R30", "R31")
    position = table({"track": " ".join(units), **({"M": there} if there else {})})
    assert arrivals.has_room_at_home(position, units)
    places = (*arrivals.possible_places(position, units)["R30"], "A", "nowhere")
    for one, other in product((*places, None), repeat=2):
        fixed = {unit: place for unit, place in zip(units, (one, other), strict=True) if place}
        assert arrivals.completed(position, units, fixed) == arrivals._one_after_another(
            position, units, fixed
        )


@pytest.mark.rule("7.2")
def test_an_owner_is_asked_only_where_something_is_to_be_chosen():
    def asks(there, held, side=R, turn=3):
        return begun(table(there, nationalist=held, turn=turn), Arrivals(side)).asks

    every = table().board.areas
    assert asks({"track": "N06"}, "", N) is None, "a box has room"
    assert asks({"track": "R30"}, " ".join(every)) is None, "there is no place at all"
    assert asks({"track": "R30"}, " ".join(each for each in every if each != "M")) is None
    assert asks({"track": "R30"}, "N") is None, "it has one home"
    assert asks({"track": "R30"}, "") is not None, "it has two"
    others = " ".join(each for each in every if each != "A")
    blocked = asks({"track": "R30"}, others)
    assert blocked is not None, "it may go to A, or wait"
    assert str(blocked.options[0].note).endswith(": Navalcarnero (A) or nowhere")
    nine = " ".join(f"R{number:02}" for number in range(1, 10))
    assert asks({"track": "R30", "M": nine}, "N") is None, "nobody else wants the last place"
    full = asks({"track": "R30", "M": f"{nine} R10"}, "N")
    assert str(full.options[0].note) == "1ª Brigada Mixta (Líster) - I: " + (
        "Parla (C), Seseña (E), Ciempozuelos (F), Getafe (L), San Martín de la Vega (O), "
        "La Marañosa (P) or nowhere"
    ), "neither the full home nor what is farther"


@pytest.mark.rule("7.3")
@pytest.mark.parametrize(("turn", "needs"), [(3, None), (4, 6), (5, 3), (6, 0), (7, 0)])
def test_the_die_for_the_rada_column(turn, needs):
    there = {"track": "N38 N39 N40 N41"}
    facts = ("rivers_open", "junta")
    assert rada_needs(table(there, turn=turn, facts=facts)) == needs
    assert rada_needs(table(turn=turn)) is None
    assert rada_needs(table(there, turn=turn, facts=("rada",))) is None


@pytest.mark.rule("7.3")
@pytest.mark.parametrize(("turn", "die", "comes"), [(4, 6, True), (4, 5, False), (5, 3, True)])
def test_the_rada_column_comes_as_one(turn, die, comes):
    position = table({"track": "N38 N39 N40 N41"}, turn=turn, facts=("junta",))
    game = begun(position, Omens(), Arrivals(N))
    asked = kernel.waits_for(game.state)
    assert isinstance(asked, Chance) and asked.rule == "7.3"
    game.roll(die)
    assert set(game.where("N38", "N39", "N40", "N41")) == {"4" if comes else "track"}
    itself = begun(position.but(turn=6), Omens(), Arrivals(N))
    assert set(itself.where("N38", "N41")) == {"4"}


# ------------------------------------------------------------------- 8 replacements


@pytest.mark.rule("8.1")
def test_the_dead_lie_among_the_eliminated():
    game = fight(table({"C": "N26s R40 R41 R42"}, nationalist="D B"), R)
    game.order(Attack(("R40", "R41", "R42"), "R40")).roll(6, 6)
    assert game.where("N26") == ["eliminated"] and game.position.is_fresh("N26")


@pytest.mark.rule("8.2", "4.2.d")
def test_two_line_units_or_one_shock_unit_a_turn():
    position = table({"eliminated": "R01 R02 R05 R09 R12 R11 R17 R18 R52 R53"})
    line = [Renewal(one, "AA", other) for one, other in (("R01", "R02"), ("R05", "R09"))]
    third, shock = Renewal("R11", "AA", "R12"), Renewal("R17", "AA", "R18")
    game = begun(position, Rebuilding(R))
    assert game.broken(Rebuild((*line, third))) == ["8.2"]
    assert game.broken(Rebuild((line[0], shock))) == ["8.2"]
    assert game.broken(Rebuild((shock, Renewal("R52", "AA", "R53")))) == ["8.2"]
    assert game.broken(Rebuild((shock,))) == []
    game.order(Rebuild(tuple(line)))
    assert game.where("R01", "R02", "R05", "R09") == ["AA", "gone", "AA", "gone"]


@pytest.mark.rule("8.3", "8.4")
def test_a_pair_is_of_one_type_and_one_faction():
    position = table({"eliminated": "R01 R02 R04 R03 R16", "AA": "R05"})
    game = begun(position, Rebuilding(R))
    for renewal in (
        Renewal("R01", "AA", "R04"),  # another faction
        Renewal("R01", "AA", "R01"),
        Renewal("R01", "AA", "R05"),  # not eliminated
        Renewal("R01", "AA"),
        Renewal("N01", "AA", "R01"),
    ):
        assert game.broken(Rebuild((renewal,)))[0] == "8.3", renewal
    twice = (Renewal("R01", "AA", "R02"), Renewal("R02", "AA", "R01"))
    assert set(game.broken(Rebuild(twice))) == {"8.3"}
    assert game.broken(Rebuild((Renewal("R03", "AA", "R01"),))) == ["8.4"]
    assert game.broken(Rebuild((Renewal("R02", "AA", "R01"),))) == []
    assert not replacements.is_weaker(position, "R01", "R16")
    assert replacements.is_weaker(position, "R16", "R01")


@pytest.mark.rule("8.5")
def test_rebuilt_units_come_to_any_own_area_with_room():
    ten = " ".join(f"R{n}" for n in (40, 41, 42, 43, 44, 45, 30, 31, 32, 33))
    position = table({"eliminated": "R01 R02 R05 R09", "AA": ten}, nationalist="D GG")
    game = begun(position, Rebuilding(R))
    for place in ("AA", "D", "GG", "1"):
        assert game.broken(Rebuild((Renewal("R01", place, "R02"),))) == ["8.5"], place
    nine = position.but(places={**position.places, "R33": "BB"})
    both = (Renewal("R01", "AA", "R02"), Renewal("R05", "AA", "R09"))
    assert begun(nine, Rebuilding(R)).broken(Rebuild(both)) == ["8.5", "8.5"]
    assert "AA" not in replacements.homes(position, R) and "AA" in replacements.homes(nine, R)
    game.order(Rebuild((Renewal("R01", "F", "R02"),)))
    assert game.where("R01") == ["F"]


@pytest.mark.rule("8.6", "8.7", "8.8", "12.3.f")
def test_who_is_never_rebuilt():
    dead = "N01 N02 N10 N11 N12 N13 N23 N42 N43 N26 N27"
    position = table({"eliminated": dead + " R40 R41"}, scenario="campaign")
    paused = position.but(pause=2)
    for unit, rule in (("N01", "8.7"), ("N10", "8.7"), ("N42", "8.8"), ("R40", "8.6")):
        found = replacements.never_rebuilt(position, unit)
        assert found is not None and found[0] == rule
    assert replacements.never_rebuilt(paused, "N01") is None
    assert replacements.never_rebuilt(paused, "N42") is not None
    game = begun(position, Rebuilding(N))
    legion = Renewal("N01", "D", "N02")
    assert game.broken(Rebuild((legion,))) == ["8.7"]
    at_rest = begun(paused, Rebuilding(N))
    moroccans = Renewal("N10", "D", "N11"), Renewal("N12", "D", "N13")
    assert at_rest.broken(Rebuild((legion, moroccans[0]))) == []
    assert at_rest.broken(Rebuild((legion, *moroccans))) == ["12.3.f"]
    two = (legion, moroccans[0])
    ((rule, _, hint),) = replacements.limit_faults(position, N, two)
    assert (rule, str(hint)) == ("8.2", "2 line units a turn, or 1 shock unit")
    theirs = Renewal("R17", "F", "R18"), Renewal("R52", "F", "R53")
    assert [rule for rule, *_ in replacements.limit_faults(paused, R, theirs)] == ["8.2"]
    assert begun(table({"eliminated": "N42 N43"}), Rebuilding(N)).state.agenda == ()


@pytest.mark.rule("3.4.1.a", "3.4.1.b", "3.5.2.b", "4.4.b")
@pytest.mark.parametrize(
    ("gains", "change"), [({}, 1), ({N: 1}, -1), ({N: 1, R: 1}, 1), ({N: 2, R: 1}, -1)]
)
def test_morale_changes_by_a_level(gains, change):
    assert morale.morale_at_turn_end(table(gains=gains)) == change


@pytest.mark.rule("4.1", "12.3.d")
def test_the_pause_is_asked_for_in_the_campaign_alone():
    from pbem.games.madrid.stages.turn import Pausing

    assert begun(table(), Pausing()).asks is not None
    assert begun(table(scenario="scenario_1"), Pausing()).state.agenda == ()
    kept = begun(table(), Pausing()).order(Pause("keep"))
    assert kept.position.pause == 0 and kernel.waits_for(kept.state) is None
