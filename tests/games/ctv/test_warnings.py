"""Warnings of what is legal but unwise, each where it belongs and not beside it."""

from __future__ import annotations

import re
from typing import Any

from pbem.engine.model import State
from pbem.games.ctv import warnings
from pbem.games.ctv.orders import Attack, Column, Done, Following, Move
from pbem.games.ctv.position import RAIN
from pbem.games.ctv.rules.setup import RESERVE
from pbem.games.ctv.stages.combat import Fighting
from pbem.games.ctv.stages.movement import Marching, Segment
from pbem.orders.parse import parse
from pbem.orders.written import orders_text
from pbem.play.behind_dice import behind_dice as behind
from pbem.play.prepare import prepare
from pbem.play.table import Table
from pbem.play.warned import warned
from pbem.text.source import Source
from pbem.value import replace
from tests.games.ctv.by_mail import Seats
from tests.games.ctv.table import N, R, begun, fighting, marching, system, table
from tests.games.ctv.test_mails_of_a_turn import front_line


def dangers(position, side) -> dict[str, str]:
    """By their rules, in lines."""
    found: dict[str, str] = {}
    for each in warnings.dangers(State(position, ()), side):
        found[each.rule] = "\n".join(filter(None, (found.get(each.rule), str(each.message))))
    return found


def unwise(game, order) -> dict[str, str]:
    return {each.rule: str(each.message) for each in warnings.unwise(game.state, order)}


def test_who_would_be_out_of_supply_is_told():
    encircled = table({"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2", "1805": "N-NI-3"})
    assert dangers(encircled, R)["6.4"] == (
        "CLXXIX Brigade (R-179) in Reinosa (2006) has no line of supply"
    )
    assert "6.4" not in dangers(encircled, N)
    two = table({"2006": "R-179 R-180", "2007": "N-NI-1", "2105": "N-NI-2", "1805": "N-NI-3"})
    assert " have no line of supply" in dangers(two, R)["6.4"]


def test_an_overstacked_hex_is_told():
    crowded = table({"2205": "R-178 R-179 R-180"})
    assert dangers(crowded, R)["5.1"] == (
        "2205 is overstacked, 6 against a limit of 4: attack and defence count half there"
    )
    assert "5.1" not in dangers(table({"2205": "R-178 R-179"}), R)


def test_an_attack_that_would_crowd_a_hex_is_told_with_the_order():
    """Behind the dice it could only be told a mail too late."""
    units = {"2110": ("N-LIT-1", "N-LIT-2"), "2011": ("N-FIN-8",)}
    there = {"2110": "N-LIT-1 N-LIT-2", "2011": "N-FIN-8", "2010": "R-168", "1909": "N-FIN-10"}
    game = fighting(table(there), N)
    all_of_them = Following(("N-LIT-1", "N-LIT-2", "N-FIN-8"))
    assert unwise(game, Attack("2010", units, advance=all_of_them))["5.1"] == (
        "2010 will be overstacked if all of them go there, 6 against a limit of 4: attack and "
        "defence count half there"
    )
    two = Following(("N-LIT-1", "N-LIT-2"))
    assert "5.1" not in unwise(game, Attack("2010", units, advance=two)), "nobody else is left"
    far = {"N-LIT-1": ("2010", "1909"), "N-LIT-2": ("2010", "1909")}
    assert "Puerto del Escudo (1909) will be" in unwise(
        game, Attack("2010", units, breakthrough=far))["5.1"]  # fmt: skip
    near = {"N-FIN-8": ("2010", "1909"), "N-LIT-2": ("2010",)}
    assert "5.1" not in unwise(game, Attack("2010", units, breakthrough=near))
    assert "5.1" not in unwise(game, Attack("2010", units))
    crowd = {**there, "2011": "N-FIN-8", "2211": "N-NI-1 N-NI-2 N-NI-3"}
    assert "5.1" not in unwise(fighting(table(crowd), N), Attack("2010", units, advance=two))
    back = {"2010": ("R-168",), "1910": ("R-169", "R-170")}
    there = {"2010": "R-168", "1910": "R-169 R-170", "2011": "N-FIN-8"}
    all_back = Attack("2011", back, advance=Following(("R-168", "R-169", "R-170")))
    assert "2011 will be" in unwise(fighting(table(there), R), all_back)["5.1"]


def test_a_headquarters_left_alone_next_to_the_enemy_is_told():
    alone = table({"2010": "R-HQ-XV", "2110": "N-LIT-1"})
    assert "any loss destroys it" in dangers(alone, R)["9.2"]
    assert "9.2" not in dangers(table({"2010": "R-HQ-XV R-168", "2110": "N-LIT-1"}), R)
    assert "9.2" not in dangers(table({"2010": "R-HQ-XV", "2310": "N-LIT-1"}), R)
    assert "9.2" not in dangers(table({"2110": "N-LIT-1", "2111": "N-LIT-2"}), R)


def test_a_column_onto_which_an_enemy_can_walk_is_told():
    open_column = table({"2110": "N-SC-1", "2010": "R-168", "2310": "N-LIT-1"})
    assert dangers(open_column, N)["9.3"] == (
        "supply column 1 (N-SC-1) stands alone in Soncillo (2110), and CLXVIII Brigade (R-168) can "
        "walk onto it"
    )
    assert "9.3" not in dangers(table({"2110": "N-SC-1 N-LIT-1", "2010": "R-168"}), N)
    assert "9.3" not in dangers(table({"2310": "N-SC-1", "1910": "R-168", "2110": "N-LIT-1"}), N)


def test_an_objective_left_empty_is_told_when_it_can_be_entered():
    near = table({"2106": "N-NI-1", "2412": "N-CEL"})
    told = "Reinosa (2006) is an objective without a unit, and "
    nearest = f"{told}I Navarra, agrupación 1 (N-NI-1) can walk in"
    assert nearest in dangers(near, R)["14.1"].splitlines()
    guns = table({"2106": "N-HQ-NAV"})
    assert "(N-HQ-NAV) can walk in" in dangers(guns, R)["14.1"]
    walked = marching(guns, N).order(Move(("N-HQ-NAV",), ("2006",))).position
    assert walked.control["2006"] == N, "a headquarters takes it too"
    assert "14.1" not in dangers(table({"2106": "N-NI-1", "2006": "R-179"}), R)
    assert "14.1" not in dangers(table({"2412": "N-NI-1"}), R), "too far away"
    slow = " ".join(f"N-N{group}-{unit}" for group in ("I", "II", "III") for unit in (1, 2, 3))
    by_road = table({"2508": slow, "2412": "N-LIT-1"})
    assert by_road.board.distance("2412", "2006") == 8
    assert f"{told}1st Littorio Regiment (N-LIT-1) can walk in" in dangers(by_road, R)["14.1"], (
        "along the roads, though those who are nearer cannot"
    )
    assert "14.1" not in dangers(table({"2106": "N-NI-1"}), N)
    theirs = table({"2105": "R-179"}, republican="2006")
    assert "14.1" not in dangers(theirs, N), "what the enemy holds is no danger to lose"


def test_in_set_up_only_a_crowd_is_a_danger():
    there = {"2205": "R-178 R-179 R-180", "2010": "R-HQ-XV", "2110": "N-LIT-1"}
    assert set(dangers(table(there, turn=0), R)) == {"5.1"}


def test_an_attack_below_one_to_one_is_told():
    position = table({"2010": "R-168 R-169", "2110": "N-LIT-1 N-LIT-2", "2011": "N-FIN-8"})
    weak = Attack("2010", {"2011": ("N-FIN-8",)})
    assert "below 1:1, 4 against 8" in unwise(fighting(position, N), weak)["10.2"]
    assert unwise(fighting(position, N), Attack("2010", {"2110": ("N-LIT-1", "N-LIT-2")})) == {}


def test_a_column_that_does_not_come_is_told_before_the_first_move_is_lost():
    position = table({"2110": "N-HQ-LIT N-LIT-1"})
    game = marching(position, N)
    move = Move(("N-LIT-1",), ("2210",))
    for lost_by in (move, Done()):
        assert unwise(game, lost_by)["9.3"] == (
            "the supply column of this turn does not come: it has to be put on the map before the "
            "first move, as in column: {at: HEX}; it may come to 1522, 1822, 2010, 2011, 2109, "
            "2110 and 9 more"
        ), lost_by
    game.order(Column("2110"))
    assert unwise(game, move) == unwise(game, Done()) == {}
    moved = marching(position, N).order(move)
    assert unwise(moved, Done()) == {}, "it is too late for the column"
    assert unwise(moved, Move(("N-HQ-LIT",), ("2210",))) == {}, "it was told with the first move"
    assert unwise(marching(position, R), Done()) == {}
    assert unwise(marching(position.but(turn=1), N), Done()) == {}


def test_air_units_that_stay_at_home_in_the_last_turn_are_told():
    position = table({"2010": "R-168", "2110": "N-LIT-1"}, turn=7)
    assert unwise(fighting(position, N), Done())["9.4"].endswith(
        "are not used, and this is the last turn"
    )
    assert unwise(fighting(position.but(turn=6), N), Done()) == {}
    assert unwise(fighting(position.but(weather=RAIN), N), Done()) == {}
    used = position.but(used=frozenset(position.air(N)))
    assert unwise(fighting(used, N), Done()) == {}
    assert "9.4" not in unwise(marching(position, N), Done()), "the combat is still to come"


def test_other_orders_are_no_cause_for_a_warning():
    position = table({"2110": "N-LIT-1", "2010": "R-168"})
    assert unwise(marching(position, R), Move(("R-168",), ("2009",))) == {}


# ------------------------------------------------------------------- an end too many


def test_an_end_behind_a_set_up_is_told_to_end_something_else():
    """The set-up ends by itself: what follows is the movement of the first turn."""
    seats = Seats("an end too many")

    def told(text: str, agenda: tuple[Any, ...] = ()) -> list[tuple[int, str]]:
        file, table = parse(Source("o.yaml", text), system().verbs), seats.table
        table = replace(table, state=replace(table.state, agenda=agenda or table.state.agenda))
        found = warned(prepare(file, table, seats.pen), seats.pen)
        return [(each.span.line, str(each.message)) for each in found if each.hint and each.span]

    def set_up(side: str) -> str:
        while not (seats.asked == "set-up" and seats.side == side):
            seats.mail()
        assert seats.table.decision is not None
        return orders_text([seats.table.decision.default])

    first = front_line(seats.table) if set_up(R) else ""
    assert told(first) == []
    assert told(f"{first}  - done\n") == [(
        len(first.splitlines()) + 1, "the order before it needs no 'done', so this one is kept for "
        "the first question that it can answer",
    )]  # fmt: skip
    seats.mail(first)
    text = set_up(N)
    at = len(text.splitlines()) + 1
    no_reserve = tuple(
        each for each in seats.table.state.agenda if getattr(each, "what", "") != RESERVE
    )
    assert told(f"{text}  - done\n  - done\n", no_reserve) == [(
        at, "the order before it needs no 'done', so this one counts for the next question: you "
        "are asked to move units, or end the movement",
    )], "the second one follows an end"  # fmt: skip
    where = dict(re.findall(r"(N-[A-Z0-9-]+): ([0-9]{4})", text))
    move = f"  - move: {{units: [N-CEL], path: [{where['N-LIT-1']}]}}\n"
    assert told(f"{text}{move}  - done\n  - done\n") == [], "ahead, behind another order"


# ------------------------------------------------------------------- behind dice

FIRST = "hex: 2010, units: {2110: [N-LIT-1, N-LIT-2], 2011: [N-FIN-8]}, support: {air: [N-LK-1]}"
THEN = "attack: {hex: 2305, units: {2304: [N-NI-3], 2405: [N-NIV-2]}"
"""The end of the mapping is left to each test."""


def behind_dice(*orders: str) -> list[tuple[str, str]]:
    """The rule and the words of each warning of orders that come after a first attack."""
    there = {"2110": "N-LIT-1 N-LIT-2", "2011": "N-FIN-8 N-FIN-10", "2010": "R-168",
             "1909": "R-166", "2304": "N-NI-3", "2405": "N-NIV-2 N-HQ-NV", "2305": "R-170",
             "2307": "R-171"}  # fmt: skip
    position = table(there).but(active=N, segment="combat")
    state = begun(position, Fighting(N), Segment(R, "movement"), Marching(R)).state
    now = Table(system(), {"A": N, "B": R}, state)
    lines = (f"attack: {{{FIRST}, advance: {{units: [N-LIT-1, N-LIT-2], to: 2010}}}}",
             *orders, "done")  # fmt: skip
    text = "orders:\n" + "".join(f"  - {line}\n" for line in lines)
    file = parse(Source("o.yaml", text), system().verbs)
    prepared = prepare(file, now, "A")
    machine = Seats("behind dice").fold.machine.put(phase="running").at(prepared.table)
    found = [each for _, each in behind(machine, file, prepared, "A")]
    return [(each.rule, str(each.message)) for each in found]


def test_an_order_behind_dice_that_no_dice_can_make_legal_is_told():
    assert behind_dice(f"{THEN}}}") == []
    now, after = "as things are now, ", "after the orders before it, "
    for order, rule, told in (
        (THEN.replace("2305", "2307") + "}", "10.1", f"{now}2307 is not next to 2304"),
        (THEN.replace("N-NIV-2", "N-HQ-NV") + "}", "9.2", f"{now}V Navarra HQ"),
        (f"{THEN}, support: {{air: [N-LK-1]}}}}", "9.4", f"{after}Legion Kondor 1"),
        (f"attack: {{{FIRST.replace('N-LK-1', 'N-LK-2').replace('2010', '1909')}}}", "10.1", now),
    ):  # fmt: skip
        found = behind_dice(order)
        assert found[0][0] == rule and found[0][1].startswith(told), found


def test_an_order_that_waits_is_not_meant_for_now():
    ahead = "attack: {hex: 1909, units: {2010: [N-LIT-1, N-LIT-2]}}"
    assert [rule for rule, _ in behind_dice(ahead)] == ["10.1", "10.1"]
    assert behind_dice(f"{ahead}\n    when: {{empty: [2305]}}") == []
    (of_one, _) = behind_dice(f"{ahead}\n    when: {{empty: [2010]}}")
    assert "has attacked in this segment" in of_one[1], "it is judged when the hex is empty"
