"""What stands beside an order: whom losses hit first, and who leads on; and the issue's example."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.policies import reading, sealing
from pbem.games.madrid import events as e
from pbem.games.madrid.orders import Assault, Attack, Bombard, Fire, Lose, Move, Successor
from pbem.games.madrid.policies.table import TABLE
from pbem.games.madrid.stages.losses import Suffer
from pbem.orders.bind import bind
from pbem.orders.parse import parse
from pbem.text.source import Source
from pbem.value import replace
from tests.games.madrid.table import Game, N, begun, fight, system, table

WHOLE = """\
orders:
  - assault: {from: D, path: [D, E], units: [I Bandera, I Tabor de Melilla,
        II Tabor de Melilla], point: I Bandera, prepared: yes}
    losses: [II Tabor de Melilla, I Tabor de Melilla, I Bandera]
    if_point_hit: {point: I Tabor de Melilla}
standing:
  impulses:
    - when: {control: {E: nationalist}}
      move: {from: D, path: [D, E], units: [I Tabor de Larache, III Tabor de Larache]}
    - bombard: {from: D, target: C, guns: [Grupo 105 mm (I)]}
    - ask
  retreat: {C: [D, box 6]}
  reroll: {chit: Teresa of Avila's arm, when: {own_losses: 3+}}
  counterattack: {when: {urban: yes, fresh: 4+}, with: [shock, line]}
"""


def test_the_example_of_the_plan_runs_as_it_is_written() -> None:
    position = table({"D": "N01 N13 N14 N15 N16 N42", "E": "R03", "C": "R06"}, hands={N: "CN10a"})
    game = fight(position, N)
    file = parse(Source("orders.yaml", WHOLE), system().verbs)
    names = system().names(game.state, N, Assault, answering=False)
    order = bind(file, 0, names)
    assert order == Assault(
        ("N01", "N13", "N14"), ("D", "E"), "N01", prepared=True, losses=("N14", "N13", "N01"),
        if_point_hit=Successor("N13"), start="D",
    )  # fmt: skip
    bound = reading.bound(TABLE, names, file.standing)
    assert reading.faults(TABLE, position, N, bound) == ()
    said = {
        key: each
        for part in sealing.parts(TABLE, position, N, bound)
        for key, each in part["doc"].items()
    }
    assert said["counterattack"]["when"] == {"urban": True, "fresh": ">=4"}
    assert said["retreat"] == [["C", ["D", "6"]]]
    game.order(order)


@pytest.mark.rule("9.6.a")
@pytest.mark.parametrize("first", [("N02",), ("N03",), ("N03", "N02")])
def test_losses_beside_an_order_are_taken_in_that_order_and_nobody_is_asked(first) -> None:
    """An attack at intensity 4 that rolls 2 loses two points: the point unit, and who is named."""
    game = fight(table({"DD": "N01 N02 N03 R05"}, nationalist="DD S"), N)
    game.order(Attack(("N01", "N02", "N03"), "N01", losses=first)).roll(1, 1)
    gone = [unit for unit in ("N01", "N02", "N03") if game.position.places[unit] == "S"]
    assert game.asks is None and gone == sorted(["N01", first[0]])


def crossing(said: Any = "", losses: tuple[str, ...] = (), faces: tuple[int, ...] = (3, 3)) -> Game:
    """An assault of two over the Manzanares; the fire hits with 4 + faces - 7 points."""
    game = fight(table({"CC": "N01 N02 N03", "AA": "R01 R02 R03 R06"}, nationalist="CC"), N)
    units = ("N01", "N02", "N03")
    game.order(Assault(units, ("CC", "AA"), "N01", losses=losses, if_point_hit=said))
    return game.order(Fire()).roll(*faces)


@pytest.mark.rule("9.6.a", "9.6.f")
def test_losses_of_fire_are_taken_in_that_order_too() -> None:
    asked = crossing()
    assert asked.asks is not None and asked.asks.policy == "losses"
    assert str(asked.asks.prompt) == "assign 1 loss point; the point unit is I Bandera"
    for first in ("N02", "N03"):
        game = crossing(losses=(first, "N01"), faces=(4, 3))
        assert game.event(e.UnitsSpent).units == ("N01", first)
    gun = begun(
        table({"DD": "N01 N42"}, nationalist="S"),
        Suffer(N, ("N01", "N42"), "N01", 3, "S", ("N42",)),
    )
    assert gun.where("N01", "N42") == ["Ss", "DDs"]


@pytest.mark.rule("9.5.g")
def test_who_leads_an_assault_on_is_said_beside_it() -> None:
    asked = crossing(losses=("N01",))
    assert asked.asks is not None and asked.asks.policy == "lead"
    led = crossing(Successor("N03"), losses=("N01",))
    assert led.asks is not None and led.asks.policy == "defend"
    assert led.state.agenda[-1].fight.point == "N03" and led.state.agenda[-1].fight.keeps_worst
    stopped = crossing("stop", losses=("N01",))
    assert stopped.asks is None and stopped.where("N02", "N03") == ["AAs", "AAs"]
    hit = crossing(Successor("N02"), losses=("N02",), faces=(4, 3))
    assert hit.asks is not None and hit.asks.policy == "lead", "who was hit leads nobody"
    spared = crossing(Successor("N02"), faces=(1, 1))
    assert spared.state.agenda[-1].fight.point == "N01"


HEIR = ("if_point_hit", "point")
ON_S = Assault(("N01", "N03"), ("DD", "S"), "N01")
WRONG = (
    (Move(("N01",), ("DD", "S"), start="S"), "9.0.1", ("from",), "write from: DD"),
    (Bombard(("N42",), "AA", start="S"), "9.0.1", ("from",), "write from: DD"),
    (Attack(("N01", "N02"), "N01", losses=("N01", "N03")), "9.6.c", ("losses", 1), "of this order"),
    (Attack(("N01", "N02"), "N01", losses=("N01", "N01")), "9.6.c", ("losses", 1), "once"),
    (replace(ON_S, if_point_hit=Successor("N01")), "9.5.g", HEIR, "V Bandera"),
    (replace(ON_S, if_point_hit=Successor("N04")), "9.5.g", HEIR, "V Bandera"),
    (replace(ON_S, units=("N01",), if_point_hit=Successor("N03")), "9.5.g", HEIR, "no other unit"),
    (replace(ON_S, if_point_hit="halt"), "9.5.g", ("if_point_hit",), "if_point_hit: stop"),
)  # fmt: skip


@pytest.mark.parametrize(("order", "rule", "at", "hint"), WRONG)
def test_what_stands_beside_an_order_fits_it(order: Any, rule: str, at: Any, hint: str) -> None:
    position = table({"DD": "N01 N02 N03 N04 N42 R05", "S": "R01"}, nationalist="DD")
    (found,) = kernel.violations(fight(position, N).state, order)
    assert (found.rule, found.at) == (rule, at) and hint in str(found.hint)


@pytest.mark.rule("9.0.1")
def test_what_fits_is_taken() -> None:
    position = table({"DD": "N01 N02 N03 N04 N42 R05", "S": "R01"}, nationalist="DD")
    for order in (
        Move(("N01",), ("DD", "CC"), start="DD"),
        Attack(("N01", "N02"), "N01", losses=("N02", "N01")),
        replace(ON_S, if_point_hit=Successor("N03")),
        replace(ON_S, if_point_hit="stop"),
    ):
        assert kernel.violations(fight(position, N).state, order) == ()


@pytest.mark.rule("9.2.l", "9.5.f", "9.6.a")
def test_who_was_eliminated_on_the_way_does_not_arrive() -> None:
    """The fire of 2 + 9 takes 4 points off a stack whose point unit defends with 7."""
    game = fight(table({"CC": "N01 N02", "AA": "R03 R06"}, nationalist="CC"), N)
    game.order(Move(("N01", "N02"), ("CC", "AA"), "N01")).order(Fire()).roll(6, 3)
    game.order(Lose(("N02",), {}, ("N01",)))
    assert game.where("N01", "N02") == ["eliminated", "AAs"]


@pytest.mark.rule("9.4.3.b", "9.7.b")
def test_after_an_assault_those_who_retreat_go_back_where_they_came_from() -> None:
    position = table({"CC": "N01 N02", "AA": "R01s"}, nationalist="CC DD S K")
    game = fight(position, N)
    game.order(Assault(("N01", "N02"), ("CC", "AA"), "N01")).default().roll(1, 1)
    assert game.state.agenda[-1].fight.left == "CC"
