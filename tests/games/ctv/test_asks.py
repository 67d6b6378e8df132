"""What each stage asks, of whom, by which rule, and what it offers: all of it is legal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.choices import Example, every
from pbem.engine.model import Decision, State
from pbem.gamedata.load import load
from pbem.games.ctv import open_system
from pbem.games.ctv.orders import Attack, Support
from pbem.games.ctv.position import ELIMINATED
from pbem.games.ctv.rules import movement
from pbem.games.ctv.stages.combat import (
    Advancing,
    Choosing,
    Deciding,
    Fighting,
    Retreating,
    ShotDownOf,
    Supporting,
    UsingColumns,
)
from pbem.games.ctv.stages.movement import Marching
from pbem.games.ctv.stages.setup import SettingUp
from pbem.games.ctv.stages.turn import Leaving, Remaining
from pbem.value import replace
from tests.games.ctv.table import Game, N, R, begun, joined, system, table
from tests.games.ctv.test_ch04 import first, reserve, second

THERE = {
    "2010": "R-168 R-HQ-XV", "2110": "N-LIT-1 N-HQ-LIT N-SC-1", "2111": "N-HQ-CTV N-SC-2",
}  # fmt: skip


def advancing(result: str) -> State[Any]:
    there = {"2110": "N-LIT-1 N-LIT-2", "2011": "N-FIN-8", "1909": "R-177", "1911": "R-169"}
    position = joined(table(there), "2010", "N-LIT-1", "N-LIT-2", "N-FIN-8")
    return begun(position, Advancing(N, result)).state


def state(stage: Any, there: dict[str, str] | None = None, **changes: Any) -> State[Any]:
    position = table(there or THERE, **changes)
    return begun(joined(position, "2010", "N-LIT-1", support=""), stage).state


TWO = {"2010": "R-168 R-169", "2110": "N-LIT-1 N-LIT-2", "2011": "N-FIN-8"}
CROWD = {"1909": "R-177", "2010": "N-LIT-1 N-LIT-2 N-ARD N-HQ-LIT", "1910": "N-CEL N-NI-1"}
EAST = {"1818": "N-NI-1", "1817": "N-SC-1"}
HEXES = ("1510", "1511", "1512", "1513", "1410", "1411")


def attack_of_two() -> State[Any]:
    position = table(TWO)
    return begun(joined(position, "2010", "N-LIT-1", "N-LIT-2", "N-FIN-8"),
                 Choosing(N, 2, ())).state  # fmt: skip


STATES: dict[str, Callable[[], State[Any]]] = {
    "the front": lambda: first()[0].state,
    "the Nationalist": lambda: second()[0].state,
    "the reserve": lambda: reserve()[0].state,
    "a march": lambda: begun(table(EAST, turn=3), Marching(N)).state,
    "a march of the other side": lambda: begun(table({"1211": "R-183"}, turn=3), Marching(R)).state,
    "attacks": lambda: begun(table(CROWD), Fighting(N)).state,
    "support": lambda: state(Supporting(N)),
    "support of the defender": lambda: state(Supporting(R)),
    "columns": lambda: begun(joined(table(THERE), "2010", "N-LIT-1", support="N-HQ-CTV"),
                     UsingColumns(N)).state,
    "who was shot down": lambda: state(ShotDownOf(N, ("N-LK-1", "N-LK-2", "N-AL-1"), 2)),
    "losses": attack_of_two,
    "a trade": lambda: begun(joined(table(TWO), "2010", "N-LIT-1"), Deciding(R, 1, ())).state,
    "a forced retreat": lambda: begun(joined(table(TWO), "2010", "N-LIT-1"),
                              Retreating(R, ("R-168", "R-169"), "2010")).state,
    "an advance": lambda: advancing("0/1"),
    "a breakthrough": lambda: advancing("B"),
    "who leaves": lambda: begun(table({"2110": "N-LIT-1 N-NI-1", "2111": "N-NI-2"}, lost="N-NI-2"),
                        Leaving(2, 2)).state,
    "who remains": lambda: begun(table({}), Remaining(HEXES)).state,
}  # fmt: skip


def examples(state: State[Any]) -> list[Example]:
    asked = kernel.waits_for(state)
    assert isinstance(asked, Decision)
    return [
        example
        for option in asked.options
        if option.examples is not None
        for example in option.examples(every)
    ]


def offered(state: State[Any]) -> list[Any]:
    """Every example, and of a move each that one unit alone may make."""
    found = [each.order for each in examples(state)]
    found += [
        replace(each.order, units=units, path=path)
        for each in examples(state)
        for units in each.others.get("units", ())
        if len(units) == 1
        for path in each.others["path"]
    ]
    return [order for at, order in enumerate(found) if order not in found[:at]]


def notes(name: str) -> list[str]:
    """What a form says beside the examples of a question."""
    asked = kernel.waits_for(STATES[name]())
    assert isinstance(asked, Decision)
    return [str(option.note) for option in asked.options]


def told(state: State[Any]) -> tuple[Any, ...]:
    """Side, stage, rule, policy, whether it may be passed over, verbs and fields, examples."""
    asked = kernel.waits_for(state)
    assert isinstance(asked, Decision)
    options = " ".join(
        f"{option.order.verb}{sorted(option.fields) or ''}" for option in asked.options
    )
    return (
        asked.side, asked.stage, asked.rule, asked.policy, asked.optional, options,
        len(offered(state)), str(asked.prompt),
    )  # fmt: skip


@pytest.mark.parametrize("name", STATES)
def test_all_that_is_offered_is_legal_and_so_is_the_default(name: str) -> None:
    now = STATES[name]()
    asked = kernel.waits_for(now)
    assert isinstance(asked, Decision)
    for order in (asked.default, *offered(now)):
        assert kernel.violations(now, order) == (), order


def fields(name: str, field: str) -> Any:
    asked = kernel.waits_for(STATES[name]())
    assert isinstance(asked, Decision)
    return next(option.fields[field] for option in asked.options if field in option.fields)


TOLD: dict[str, tuple[Any, ...]] = {
    "the front": (R, "set-up", "4.2", "", False, "place", 1, "set up the units"),
    "the Nationalist": (N, "set-up", "4.3", "", False, "place", 1, "set up the units"),
    "the reserve": (R, "set-up", "4.3.1", "", False, "place", 1, "set up the reserve"),
    "a march": (N, "movement", "3.B.2", "", True, "move column['at'] done", 206,
                "move units, or end the movement"),
    "a march of the other side": (R, "movement", "3.C.2", "", True, "move done", 18,
                                  "move units, or end the movement"),
    "attacks": (N, "combat", "3.B.3", "", True, "attack done", 1, "attack, or end the combat"),
    "support": (N, "support", "9.4.1", "own_support", False, "support['air', 'hq']", 0,
                "bombard in the attack on 2010, or not"),
    "support of the defender": (R, "support", "9.4.1", "support", False, "support['air', 'hq']", 0,
                                "bombard those who attack 2010, or not"),
    "columns": (N, "columns", "9.3.1", "own_columns", False, "columns", 4,
                "use supply columns beside the guns, or none"),
    "who was shot down": (N, "air", "15.1", "shot_down", False, "shot_down['units']", 0,
                          "say which air units were shot down: 2"),
    "losses": (N, "losses", "10.3", "losses", False, "losses['units']", 0,
               "say who loses steps first: 2 in all"),
    "a trade": (R, "trade", "10.5", "trade", False, "trade['to']", 0,
                "retreat from 2010 for one step less, or stay"),
    "a forced retreat": (R, "retreat", "10.6", "retreat", False, "retreat['to']", 0,
                         "say where the units of 2010 are driven"),
    "an advance": (N, "advance", "10.4", "advance", True, "advance", 5,
                   "advance into 2010, or stay"),
    "a breakthrough": (N, "breakthrough", "10.4.1", "breakthrough", True, "breakthrough", 14,
                       "break through 2010, or stay"),
    "who leaves": (N, "offensive", "12.3", "withdraw", False, "withdraw", 1,
                   "say which units leave: 2 infantry, 2 air"),
    "who remains": (R, "surrender", "13.3", "remain", False, "remain", 2,
                    "say where battalions go on fighting: 5"),
}  # fmt: skip


RULES = (
    "3.B.2", "3.B.3", "4.1", "9.3.1", "9.4.1", "10.3", "10.4", "10.4.1", "10.5", "10.5.1", "12.3",
    "13.3", "15.1",
)  # fmt: skip


@pytest.mark.rule(*RULES)
@pytest.mark.parametrize("name", STATES)
def test_what_is_asked(name: str) -> None:
    assert told(STATES[name]()) == TOLD[name]


@pytest.mark.rule(*RULES)
def test_the_values_of_fields() -> None:
    assert fields("support", "hq").values == ("N-HQ-CTV", "N-HQ-LIT")
    assert len(fields("support", "air").values) == 6, "Spanish ones support no Italians"
    assert fields("support of the defender", "hq").values == ("R-HQ-XV",)
    shot = fields("who was shot down", "units")
    assert (shot.at_least, shot.at_most, len(shot.values)) == (2, 2, 3)
    losses = fields("losses", "units")
    assert (losses.at_least, losses.values) == (1, ("N-LIT-1", "N-LIT-2", "N-FIN-8"))
    assert fields("a trade", "to").values == ("", "1909", "2009"), "1910 is in a zone"
    assert set(fields("a forced retreat", "to").values) == {"1909", "2009"}
    assert "2504" in fields("a march", "at").values


@pytest.mark.rule(*RULES)
def test_the_defaults() -> None:
    def default(name: str) -> Any:
        asked = kernel.waits_for(STATES[name]())
        assert isinstance(asked, Decision)
        return asked.default

    assert default("support") == default("support of the defender") == Support()
    assert default("columns").use == {} and default("a trade").to == ""
    assert default("who was shot down").units == ("N-LK-1", "N-LK-2")
    assert default("losses").units[0] == "N-FIN-8", "the weakest"
    assert default("an advance").units == () and default("a breakthrough").paths == {}
    assert default("who leaves").units == ("N-NI-2", "N-LIT-1", "N-LK-1", "N-LK-2")
    assert default("who remains").at == HEXES[:5]
    assert offered(STATES["who remains"]())[1].at == HEXES[1:]


@pytest.mark.rule(*RULES)
def test_the_examples() -> None:
    (attack,) = offered(STATES["attacks"]())
    assert [str(each.note) for each in examples(STATES["attacks"]())] == [
        "13 against 9, column 1:1"
    ]
    assert attack.hex == "1909", "headquarters cannot attack, and more than four points may not"
    assert attack.units == {"1910": ("N-NI-1", "N-CEL"), "2010": ("N-LIT-1", "N-LIT-2")}
    uses = [dict(each.use) for each in offered(STATES["columns"]())]
    assert uses == [{"2110": 1}, {"2111": 1}, {"2110": 1, "2111": 1}, {}]
    one = begun(joined(table({**THERE, "2110": "N-LIT-1"}), "2010", "N-LIT-1", support="N-HQ-CTV"),
                UsingColumns(N)).state  # fmt: skip
    assert [dict(each.use) for each in offered(one)] == [{"2111": 1}, {}]
    ways = [each.units for each in offered(STATES["an advance"]())]
    assert ways[0] == ("N-LIT-1", "N-LIT-2", "N-FIN-8") and ways[-1] == ()
    crowd = {"2110": "N-LIT-1 N-LIT-2", "2011": "N-FIN-8 N-FIN-10"}
    four = ("N-LIT-1", "N-LIT-2", "N-FIN-8", "N-FIN-10")
    full = begun(joined(table(crowd), "2010", *four), Advancing(N, "0/1")).state
    assert four not in [each.units for each in offered(full)], "8 points are too many"
    assert table({}).places["R-168"] != ELIMINATED


@pytest.mark.rule("8.1")
def test_those_of_a_hex_that_move_alike_are_offered_in_one_line() -> None:
    """Together if they may, else one of them; the hexes in enemy zones first."""
    there = {"1911": "R-169", "2011": "N-FIN-8 N-FIN-10 N-HQ-FIN", "2110": "N-LIT-1 N-LIT-2"}
    position = table(there)
    found = examples(begun(position, Marching(N)).state)
    littorio, fiamme, guns = found
    assert littorio.order.units == ("N-LIT-1",) and littorio.order.path == ("2011",)
    told = "from Soncillo (2110), one of N-LIT-1, N-LIT-2, to 2011, 2012, 1910, 2010, 2111, 2210, "
    assert str(littorio.note).startswith(told) and str(littorio.note).endswith(" or 248 more")
    assert fiamme.order.units == ("N-FIN-8", "N-FIN-10")
    assert str(fiamme.note).startswith("from 2011, together or one of them, to 2012, 1910, ")
    assert guns.others["units"] == (("N-HQ-FIN",),) and str(guns.note).startswith("from 2011 to ")
    for each in found:
        for unit in {unit for units in each.others["units"] for unit in units}:
            assert {*each.others["path"]} == {*movement.reachable(position, unit).values()}


def test_what_a_form_says_beside_an_example() -> None:
    """It need not be found out by mistakes: front hexes, who may leave, where brigades stood."""
    (front,) = notes("the front")
    assert (
        "within 3 hexes of those that end in 18" in front
        and "next to a unit of yours: 1419, 1518" in front
    )
    assert front.endswith(
        "; 1 supply column with a headquarters or next to one; up to 4 trenches where units stand"
    )
    (front,) = notes("the Nationalist")
    assert front.startswith("front hexes, each held or next to a unit of yours: 1420, ")
    assert front.endswith("; 4 supply columns with headquarters or next to them")
    assert notes("the reserve") == [
        "anywhere on your side of the front; what you leave out never comes"
    ]
    division = Game(system().setup("santander", frozenset({"open_units"})))
    asked = SettingUp(R, "50").ask(division.position)
    assert asked is not None and str(asked.options[0].note).endswith("two brigades; front hexes: "
        + ", ".join(division.position.board.front[R]))  # fmt: skip
    assert notes("who leaves") == [
        "infantry that may leave: N-LIT-1, N-NI-1, N-NI-2; air units that may leave: N-LK-1, "
        "N-LK-2, N-LK-3, N-AL-1, N-AL-2, N-AL-3, N-FAN-1, N-FAN-2, N-FAN-3"
    ]
    assert notes("who remains") == [f"brigades have surrendered in {', '.join(HEXES)}"]


def test_a_form_names_no_hex_from_which_nobody_may_attack() -> None:
    """As in data of one's own, where fewer may stack."""
    tables = load("ctv").tables
    terrain = [{**each, "stacking": 1} for each in tables["tables"]["terrain"]]
    own = open_system({**tables, "tables": {**tables["tables"], "terrain": terrain}})
    board = own.setup("santander", frozenset({"open_units"})).position.board
    there = {"2010": "R-168", "2110": "N-LIT-1", "2011": "N-CEL"}
    asked = Fighting(N).ask(table(there).but(board=board))
    assert asked is not None
    (example,) = asked.options[0].examples(every)
    assert example.order == Attack("2010", {"2011": ("N-CEL",)})


@pytest.mark.rule("10.4")
def test_an_advance_is_asked_for_where_an_attack_has_said_its_losses_alone() -> None:
    position = joined(table({"2110": "N-LIT-1"}), "2010", "N-LIT-1")
    assert position.battle is not None
    plan = Attack("2010", {"2110": ("N-LIT-1",)}, losses=("N-LIT-1",))
    game = begun(position.but(battle=replace(position.battle, plan=plan)), Advancing(N, "0/1"))
    assert game.asks is not None and game.asks.stage == "advance"
