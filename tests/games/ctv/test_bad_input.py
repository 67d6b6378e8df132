"""The mistakes that the plan lists, one by one, and the exact text a player is shown.

tests/games/mistakes.py says where they stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, State
from pbem.games.ctv.orders import Attack
from pbem.games.ctv.position import ELIMINATED, OUT, RAIN
from pbem.games.ctv.stages.combat import Advancing, Deciding, Fighting, Losing, Retreating
from pbem.games.ctv.stages.movement import Marching
from pbem.games.ctv.stages.setup import SettingUp
from pbem.games.ctv.stages.turn import EndOfTurn, Leaving, Remaining
from pbem.orders.bind import bind
from pbem.orders.parse import parse
from pbem.text.source import Source
from pbem.text.wording import quoted
from tests.bots import ScriptedDice
from tests.games.ctv.table import N, R, begun, fighting, joined, marching, system, table
from tests.games.ctv.test_ch04 import first, second
from tests.games.mistakes import check_texts, shown

CENTRE = {
    "2110": "N-LIT-1 N-LIT-2 N-HQ-LIT N-SC-1", "2111": "N-HQ-CTV N-FIN-8", "2211": "N-ARD N-SC-2",
    "2210": "N-CEL N-3PZ1", "2310": "N-NI-1 N-4T26", "2011": "N-FIN-10", "2109": "N-HQ-NAV",
    "2010": "R-168", "1909": "R-177 R-HQ-XV",
}  # fmt: skip


def centre(turn: int = 3, **changes: Any) -> State[Any]:
    position = table(CENTRE, turn=turn, **changes).but(active=N, segment="movement")
    return begun(position, Marching(N), Marching(R)).state


def cape(side: Any = N) -> State[Any]:
    there = {"1314": "N-LIT-1", "1110": "R-183", "2405": "N-NI-1"}
    return marching(table(there, unsupplied=frozenset()), side).state


def encircled() -> State[Any]:
    there = {"1909": "R-177", "1911": "R-169", "2010": "N-LIT-1"}
    return marching(table(there), N).state


def cut_off() -> State[Any]:
    around = {"1407": "R-183", "1409": "R-177", "1411": "R-168", "1312": "R-185"}
    return marching(table({"1310": "N-LIT-1", **around}), N).state


def southern() -> State[Any]:
    return marching(table({"2511": "N-NI-1", "2010": "R-168"}), N).state


def crowded() -> State[Any]:
    there = {"2110": "N-LIT-1 N-LIT-2 N-HQ-LIT", "2111": "N-FIN-8 N-FIN-10 N-HQ-CTV"}
    return marching(table(there), N).state


def attacking(**changes: Any) -> State[Any]:
    position = table(CENTRE, turn=3, **changes).but(active=N, segment="combat")
    return begun(position, Fighting(N), Marching(R)).state


def against_a_mountain() -> State[Any]:
    there = {"1909": "R-177", "2010": "N-LIT-1 N-LIT-2 N-ARD N-L335"}
    return fighting(table(there), N).state


def before_santander() -> State[Any]:
    return fighting(table({"1211": "R-183", "1310": "N-NI-1", "1210": "N-NI-2"}), N).state


CUT_OFF = {"2110": "N-LIT-1", "2010": "R-168", "2111": "N-HQ-CTV", "2012": "R-170",
           "2211": "R-178", "2209": "N-HQ-LIT"}  # fmt: skip


def supporting(there: Mapping[str, str] = CENTRE, **changes: Any) -> State[Any]:
    game = fighting(table(there, turn=3, **changes), N)
    units = {"2110": ("N-LIT-1",)}
    return game.order(Attack("2010", units)).state


def supporting_by_a_column_of_the_enemy() -> State[Any]:
    moved = frozenset({"R-SC-1"})
    there = {"2110": "N-LIT-1 N-HQ-LIT", "2010": "R-168", "2109": "R-SC-1"}
    game = fighting(table(there, turn=3, moved=moved), N)
    return game.order(Attack("2010", {"2110": ("N-LIT-1",)})).state


def onto_a_column() -> State[Any]:
    return marching(table({"2110": "N-LIT-1 N-SC-1", "2010": "R-SC-1"}), N).state


def republican() -> State[Any]:
    position = table({"1211": "R-183 R-HQ-XV", "2110": "N-LIT-1 N-SC-1"}, turn=3,
                     moved=frozenset({"N-SC-1"})).but(active=R, segment="movement")  # fmt: skip
    return begun(position, Marching(R), Fighting(R), EndOfTurn()).state


def gone() -> State[Any]:
    position = table(CENTRE, turn=3).with_units(["N-CEL"], ELIMINATED)
    return fighting(position, N).state


def second_set_up() -> State[Any]:
    """What a die brought to the front is set up, behind all others."""
    game, order = first()
    return State(game.order(order).position, (SettingUp(R, "50"),))


def without_armour() -> State[Any]:
    state = second()[0].state
    return State(state.position.with_units(["N-L335", "N-4T26"], OUT), state.agenda)


def supporting_fiamme_nere(**changes: Any) -> State[Any]:
    there = {**CENTRE, "2212": "N-HQ-FIN"}
    game = fighting(table(there, turn=3, **changes), N)
    return game.order(Attack("2010", {"2011": ("N-FIN-10",)})).state


def trading() -> State[Any]:
    position = table({"2305": "R-170 R-171", "2405": "N-NI-1 N-NI-2"})
    return begun(joined(position, "2305", "N-NI-1", "N-NI-2"), Deciding(R, 1, ())).state


def driven() -> State[Any]:
    position = table({"2305": "R-170", "2405": "N-NI-1"})
    now = joined(position, "2305", "N-NI-1")
    return begun(now, Retreating(R, ("R-170",), "2305")).state


def losing() -> State[Any]:
    there = {"2205": "R-178 R-179", "2204": "N-NI-1 N-NI-2", "2304": "N-NI-3"}
    now = joined(table(there), "2205", "N-NI-1", "N-NI-2", "N-NI-3")
    return begun(now, Losing(N, 2, ())).state


def advancing(result: str) -> State[Any]:
    there = {"2110": "N-LIT-1 N-LIT-2 N-3PZ1", "2011": "N-FIN-8 N-FIN-10 N-4T26", "1909": "R-177"}
    position = table(there).with_units(["R-168"], ELIMINATED)
    units = ("N-LIT-1", "N-LIT-2", "N-FIN-8", "N-3PZ1", "N-4T26")
    return begun(joined(position, "2010", *units), Advancing(N, result)).state


def leaving() -> State[Any]:
    position = table({"2110": "N-LIT-1 N-CEL", "2204": "N-NI-1 N-NI-2"}, turn=6, offensive=5)
    return begun(position, Leaving(2, 2)).state


def surrendering() -> State[Any]:
    hexes = ("1510", "1511", "1512", "1513", "1410", "1411")
    return begun(table({}, turn=5), Remaining(hexes)).state


def placed(side: Any, **changes: str) -> str:
    """The sample set-up of a side, changed."""
    _, order = first() if side == R else second()
    units = {**order.units, **{unit.replace("_", "-"): hex for unit, hex in changes.items()}}
    inside = ", ".join(f"{unit}: {hex}" for unit, hex in units.items())
    return f"place: {{units: {{{inside}}}, columns: [{', '.join(order.columns)}]}}"


def covered_set_up() -> State[Any]:
    """Where the Republican front line is asked for, and no Nationalist unit has a place yet."""
    began = kernel.begin(system().setup("santander", frozenset())).state
    dealt = kernel.roll(began, ScriptedDice()).state
    asked = kernel.waits_for(dealt)
    assert isinstance(asked, Decision) and asked.side == R
    return dealt


CASES: tuple[tuple[str, Any, str], ...] = (
    ("a step into the sea", cape(R), "move: {units: [R-183], path: [1111]}"),
    ("a step over a closed side", cape(), "move: {units: [N-LIT-1], path: [1215]}"),
    ("a step to a hex that is not next to it", centre(),
     "move: {units: [N-LIT-1], path: [2111, 2113]}"),
    ("a path that begins where the units stand", centre(),
     "move: {units: [N-LIT-1], path: [2110, 2111]}"),
    ("a path that is called to", centre(), "move: {units: [N-LIT-1], to: 2111}"),
    ("a step onto an enemy", centre(), "move: {units: [N-LIT-1], path: [2010]}"),
    ("a column onto an enemy", centre(), "move: {units: [N-SC-1], path: [2010]}"),
    ("on from an enemy zone", centre(), "move: {units: [N-CEL], path: [2110, 2111]}"),
    ("into a hex without supply", encircled(),
     "move: {units: [N-LIT-1], path: [1910]}"),
    ("out of a hex without supply", cut_off(), "move: {units: [N-LIT-1], path: [1311]}"),
    ("a road rate that ends in a zone", southern(),
     "move: {units: [N-NI-1], path: [2411, 2310, 2210, 2110]}"),
    ("a road rate that begins in a zone", centre(), "move: {units: [N-LIT-1],"
     " path: [2210, 2310, 2411, 2511]}"),
    ("too few movement points", centre(), "move: {units: [N-NI-1], path: [2410, 2510, 2509]}"),
    ("twice the stacking limit", crowded(), "move: {units: [N-FIN-8, N-FIN-10], path: [2110]}"),
    ("two headquarters in a hex", crowded(), "move: {units: [N-HQ-CTV], path: [2110]}"),
    ("two armoured units in a hex", centre(), "move: {units: [N-4T26], path: [2210]}"),
    ("a unit that moves twice", centre(moved=frozenset({"N-CEL"})),
     "move: {units: [N-CEL], path: [2310]}"),
    ("units of two hexes", centre(), "move: {units: [N-CEL, N-ARD], path: [2212]}"),
    ("a unit of the other side", centre(), "move: {units: [R-168], path: [2110]}"),
    ("units of both sides", centre(), "move: {units: [R-168, N-CEL, R-177], path: [2110]}"),
    ("the set-up of the other side", covered_set_up(), placed(N)),
    ("a unit that is not on the map", centre(), "move: {units: [N-NV-1], path: [2110]}"),
    ("a unit that is eliminated", gone(), "attack: {hex: 2010, units: {2210: [N-CEL]}}"),
    ("an air unit that moves", centre(), "move: {units: [N-LK-1], path: [2110]}"),
    ("a unit on top that stays elsewhere", centre(),
     "move: {units: [N-CEL], path: [2310], top: [N-LIT-1]}"),
    ("a unit on top that is not set up", second()[0].state,
     placed(N)[:-1] + ", top: [N-SC-1]}"),
    ("support before any attack", centre(), "support: {air: [N-LK-1]}"),
    ("a number of columns without their hex", attacking(),
     "attack: {hex: 2010, units: {2110: [N-LIT-1]}, support: {hq: [N-HQ-LIT], columns: 1}}"),
    ("an end where support is asked for", supporting(), "done"),
    ("the set-up once more", second_set_up(), placed(R) + "\n  - " + placed(R)),
    ("armour that did not come, and a unit beyond the front", without_armour(),
     placed(N, N_LIT_1="2010")),
    ("a column onto a column of the enemy", onto_a_column(),
     "move: {units: [N-SC-1], path: [2010]}"),
    ("a column where none may come", centre(), "column: {at: 2522}"),
    ("a column where one lies", centre(), "column: {at: 2110}"),
    ("a column for the Republic", republican(), "column: {at: 1211}"),
    ("a column after the first move", centre(moved=frozenset({"N-CEL"})), "column: {at: 2210}"),
    ("a column in the first turn", centre(turn=1), "column: {at: 2210}"),
    ("a unit that attacks twice", attacking(fought=frozenset({"N-LIT-1"})),
     "attack: {hex: 2010, units: {2110: [N-LIT-1, N-LIT-2]}}"),
    ("an attack on nobody", attacking(), "attack: {hex: 2009, units: {2110: [N-LIT-1]}}"),
    ("an attack from afar", attacking(), "attack: {hex: 2010, units: {2310: [N-NI-1]}}"),
    ("an attack of a headquarters", attacking(), "attack: {hex: 2010, units: {2110: [N-HQ-LIT]}}"),
    ("a unit that stands elsewhere", attacking(), "attack: {hex: 2010, units: {2110: [N-FIN-8]}}"),
    ("five points from one hex against a mountain", against_a_mountain(),
     "attack: {hex: 1909, units: {2010: [N-LIT-1, N-LIT-2, N-ARD]}}"),
    ("an attack on Santander from 1310", before_santander(),
     "attack: {hex: 1211, units: {1310: [N-NI-1]}}"),
    ("a headquarters three hexes off", supporting_fiamme_nere(), "support: {hq: [N-HQ-FIN]}"),
    ("a headquarters of another nation", supporting(), "support: {hq: [N-HQ-NAV]}"),
    ("a headquarters of another division", supporting_fiamme_nere(), "support: {hq: [N-HQ-LIT]}"),
    ("a headquarters used already", supporting(used=frozenset({"N-HQ-LIT"})),
     "support: {hq: [N-HQ-LIT]}"),
    ("a headquarters out of supply", supporting(CUT_OFF),
     "support: {hq: [N-HQ-CTV]}"),
    ("a column that has moved", supporting(moved=frozenset({"N-SC-1"})),
     "support: {hq: [N-HQ-LIT], columns: {2110: 1}}"),
    ("a column where none lies", supporting(), "support: {hq: [N-HQ-LIT], columns: {2310: 1}}"),
    ("a column beside no gun", supporting({**CENTRE, "2310": "N-SC-3"}),
     "support: {hq: [N-HQ-LIT], columns: {2310: 1}}"),
    ("a column and no gun", supporting(), "support: {columns: {2110: 1}}"),
    ("a column and no gun with the attack", attacking(),
     "attack: {hex: 2010, units: {2110: [N-LIT-1]}, support: {air: [N-LK-1], columns: {2110: 1}}}"),
    ("a column of the enemy", supporting_by_a_column_of_the_enemy(),
     "support: {hq: [N-HQ-LIT], columns: {2109: 1}}"),
    ("two columns of one hex", supporting(), "support: {hq: [N-HQ-LIT], columns: {2110: 2}}"),
    ("air in rain", supporting(weather=RAIN), "support: {air: [N-LK-1]}"),
    ("Spanish aircraft over Italians", supporting(), "support: {air: [N-FAN-1]}"),
    ("a headquarters as an air unit", supporting(), "support: {air: [N-HQ-LIT]}"),
    ("a retreat into a zone", trading(), "trade: {to: 2304}"),
    ("a retreat onto the enemy", trading(), "trade: {to: 2405}"),
    ("a forced retreat into a zone", driven(), "retreat: {to: 2406}"),
    ("a forced retreat to nowhere", driven(), "retreat: {to: none}"),
    ("no retreat where one is forced", driven(), "retreat: none"),
    ("losses that are not even", losing(), "losses: {units: [N-NI-1, N-NI-1]}"),
    ("losses of who does not fight", losing(), "losses: {units: [N-NI-1, R-178]}"),
    ("an advance of who did not attack", advancing("0/1"),
     "advance: {units: [N-FIN-10], to: 2010}"),
    ("an advance into another hex", advancing("0/1"), "advance: {units: [N-LIT-1], to: 1910}"),
    ("an advance of two armoured units", advancing("0/1"),
     "advance: {units: [N-3PZ1, N-4T26], to: 2010}"),
    ("a breakthrough of four hexes", advancing("B"),
     "breakthrough: {paths: {N-LIT-1: [2010, 2009, 2008, 2007]}}"),
    ("a breakthrough past the cleared hex", advancing("B"),
     "breakthrough: {paths: {N-FIN-8: [1910]}}"),
    ("a breakthrough onto an enemy", advancing("B"),
     "breakthrough: {paths: {N-LIT-1: [2010, 1909]}}"),
    ("a withdrawal of too few", leaving(), "withdraw: {units: [N-LIT-1, N-LK-1, N-LK-2]}"),
    ("a withdrawal of who may not", leaving(),
     "withdraw: {units: [N-CEL, N-LIT-1, N-LK-1, N-AL-1]}"),
    ("battalions where nobody stood", surrendering(),
     "remain: {at: [1510, 1511, 1512, 1513, 2010]}"),
    ("three Basque brigades west of column 15", first()[0].state,
     placed(R, R_157="1407")),
    ("a Basque headquarters west of column 15", first()[0].state, placed(R, R_HQ_48="1407")),
    ("a front hex left open", second()[0].state,
     placed(N, **{unit.replace("-", "_"): "2318" for unit, hex in second()[1].units.items()
                  if hex in ("1420", "1519", "1619")})),
    ("a unit beyond the front", second()[0].state, placed(N, N_LIT_1="2010")),
    ("hexes and their units the wrong way round", second()[0].state,
     "place: {units: {1518: [R-183, covered, R-184]}}"),
    ("an order of another phase", attacking(), "move: {units: [N-CEL], path: [2310]}"),
    ("a hex that is none", centre(), "move: {units: [N-LIT-1], path: [2999]}"),
)  # fmt: skip


def test_each_mistake_of_the_list_is_told_with_place_reason_rule_and_what_is_legal() -> None:
    check_texts("ctv", ((name, shown(system(), state, order)) for name, state, order in CASES))


# ------------------------------------------------------------------- hexes as numbers and as text


@pytest.mark.parametrize("order, verb", [
    ("column: {{at: {}}}", "column"), ("move: {{units: [N-CEL], path: [{}, {}]}}", "move"),
    ("move: {{units: N-CEL, path: {}}}", "move"), ("trade: {{to: {}}}", "trade"),
    ("place: {{units: {{N-CEL: {}}}, trenches: [{}], columns: [{}]}}", "place"),
    ("attack: {{hex: {}, units: {{{}: [N-CEL]}}}}", "attack"), ("retreat: {{to: {}}}", "retreat"),
    ("support: {{columns: {{{}: 1}}}}", "support"), ("columns: {{use: {{{}: 1}}}}", "columns"),
    ("advance: {{units: [N-CEL], to: {}}}", "advance"), ("remain: {{at: [{}]}}", "remain"),
    ("breakthrough: {{paths: {{N-CEL: [{}, {}]}}}}", "breakthrough"),
])  # fmt: skip
def test_a_hex_is_the_same_as_a_number_and_as_a_text(order: str, verb: str) -> None:
    def read(*hexes: str) -> object:
        many = order.format(*(hexes * 3))
        file = parse(Source("orders.yaml", f"orders:\n  - {many}\n"), system().verbs)
        state = State(table({}), (Marching(N),))
        bound = bind(file, 0, system().names(state, N, None, answering=False))
        assert bound.verb == verb
        return bound

    number = read("2006")
    assert "2006" in repr(number) and read('"2006"') == read("'2006'") == number
    assert read("Reinosa") == read("reinosa") == number and quoted("2006")


@pytest.mark.parametrize("hex", ["02006", "2006.0", "2_0_0_6x", "0x7D6", "20 06x", "yes"])
def test_what_is_no_hex_is_not_taken_for_one(hex: str) -> None:
    order = f"move: {{units: [N-CEL], path: [{hex}]}}"
    assert "no hex is named" in shown(system(), centre(), order)


def test_nothing_is_asked_for_none() -> None:
    read = []
    orders = ("trade: none", "trade: {to: none}", "advance: none", "columns: none",
              "breakthrough: none", "support: {columns: none}", "support: {air: none}")  # fmt: skip
    for order in orders:
        file = parse(Source("orders.yaml", f"orders:\n  - {order}\n"), system().verbs)
        read.append(bind(file, 0, system().names(centre(), N, None, answering=False)))
    assert [each.verb for each in read] == [
        "trade", "trade", "advance", "columns", "breakthrough", "support", "support"]  # fmt: skip
    assert read[5] != read[6]


def test_none_beside_an_attack_is_an_answer():
    order = "attack: {hex: 2010, units: {2110: [N-LIT-1]}}"
    none = "{support: none, advance: none, breakthrough: none, "
    read = []
    for text in (order, order.replace("{", none, 1)):
        file = parse(Source("orders.yaml", f"orders:\n  - {text}\n"), system().verbs)
        read.append(bind(file, 0, system().names(attacking(), N, None, answering=False)))
    bare, said = read
    assert (said.support, said.advance, said.breakthrough) == ("none", "none", "none")
    assert (bare.support, bare.advance, bare.breakthrough) == ("", "", "")
    game = fighting(table(CENTRE, turn=3), N)
    assert game.order(said).asks.side == R, "the attacker is not asked for support"
    assert fighting(table(CENTRE, turn=3), N).order(bare).asks.side == N
