"""Orders behind the first roll: what they break for good, and what only dice can tell."""

import pytest

from pbem.engine import kernel
from pbem.engine.model import State
from pbem.games.crusade.position import Fort
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.games.crusade.stages.redeployment import Redeployment
from pbem.orders.parse import parse
from pbem.play.prepare import prepare
from pbem.play.table import Table
from pbem.problems import Refused
from pbem.text.source import Source
from tests.contract.playing import system
from tests.games.crusade.board import N, R, table
from tests.games.crusade.fights import field


def prepared(*orders: str, **facts: object) -> tuple[str, ...]:
    """The remarks on these orders of a round of combats behind an attack on Riotinto."""
    position = field(
        3, sevilla="INF-1 INF-2 CAV-1", huelva="CAV-7", riotinto="RPA-1", round=1, active=N,
        **{"cordoba": "INF-5", "montoro": "R-MIL-1", "hold": "santa_olalla",
           "reserve": "INF-9", **facts},
    )  # fmt: skip
    start = kernel.begin(State(position, (Combats(N, ("sevilla", "cordoba")),))).state
    first = "attack: {space: riotinto, units: {sevilla: [INF-1]}, losses: [INF]}"
    text = "orders:\n" + "".join(f"  - {order}\n" for order in (first, *orders))
    game = system("crusade")
    file = parse(Source("o.yaml", text), game.verbs)
    return tuple(map(str, prepare(file, Table(game, {"A": N, "B": R}, start), "A").remarks))


def refused(*orders: str, **facts: object) -> list[str]:
    with pytest.raises(Refused) as problems:
        prepared(*orders, **facts)
    assert all(each.span is not None and each.span.line > 2 for each in problems.value.problems)
    return [each.rule for each in problems.value.problems]


@pytest.mark.parametrize("order, rule", [
    ("attack: {space: montoro, units: {sevilla: [INF-2]}}", "11.1.3"),
    ("attack: {space: riotinto, units: {huelva: [CAV-7]}}", "11.1.1"),
    ("attack: {space: montoro, units: {cordoba: [R-MIL-1]}}", "11.2.2"),
    ("attack: {space: montoro, units: {cordoba: [CAV-7]}}", "11.2.2"),
    ("attack: {space: montoro, units: {cordoba: [INF-9]}}", "11.2.2"),
    ("attack: {space: montoro, units: {cordoba: [INF-5]}, cards: [N5]}", "8.5.3.1"),
    ("attack: {space: montoro, units: {cordoba: [INF-5]}, cards: [N3]}", "8.5.3"),
    ("attack: {space: huelva, units: {sevilla: [INF-2]}}", "11.1.3"),
    ("attack: {space: santa_olalla, units: {sevilla: [INF-1]}}", "11.1.5"),
    ("attack: {space: montoro, units: {cordoba: [INF-5]}, armor: INF-5}", "16.6.2/a"),
    ("advance: {units: [INF-5], to: [riotinto]}", "11.1.7"),
    ("advance: {units: [INF-1], to: [montoro]}", "11.5.1"),
    ("move: {units: [INF-5], path: [cordoba, montoro]}", "8.2.5"),
    ("activate: {move: [cordoba]}", "8.2.4"),
    ("play: {card: none}", "7.1.1"),
])  # fmt: skip
def test_what_no_dice_can_mend_is_a_problem_now(order: str, rule: str) -> None:
    assert rule in refused(order)


@pytest.mark.parametrize("order, told", [
    ("attack: {space: montoro, units: {cordoba: [INF-5]}}", []),
    ("advance: {units: [INF-1], to: [riotinto]}", ["only if Riotinto falls"]),
    ("attack: {space: santa_olalla, units: {sevilla: [INF-2]}}",
     ["only if an enemy unit retreats to Santa Olalla"]),
    ("attack: {space: riotinto, units: {sevilla: [INF-2]}}",
     ["only if a card calls off the attack on Riotinto before it"]),
    ("advance: {units: [INF-9], to: [riotinto]}", ["only if Riotinto falls"]),
    ("losses: {steps: [INF-1]}", ["only if you have a choice of losses"]),
    ("done:", []),
])  # fmt: skip
def test_what_dice_decide_is_told_in_a_line(order: str, told: list[str]) -> None:
    assert prepared(order) == tuple(f"o.yaml:3:5: {each}" for each in told)


GUARDED = {"montoro": "", "cordoba": "PZ-I-1", "forts": {"montoro": Fort("position", N)},
           "hold": "santa_olalla montoro"}  # fmt: skip


def test_armor_claims_where_a_retreat_removes_your_position() -> None:
    order = "attack: {space: montoro, units: {cordoba: [PZ-I-1]}, armor: PZ-I-1}"
    assert prepared(order, **GUARDED) == ("o.yaml:3:5: only if an enemy unit retreats to Montoro",)
    theirs = {**GUARDED, "forts": {"montoro": Fort("position", R)}}
    assert refused(order, **theirs) == ["16.6.2/a"]
    worn = {**GUARDED, "cordoba": "(PZ-I-1)"}
    assert refused(order, **worn) == ["16.6.2/a"]


def test_attacks_that_hang_on_each_other() -> None:
    one = "attack: {space: montoro, units: {cordoba: [INF-5]}}"
    (told,) = prepared(one, one)
    assert told == "o.yaml:4:5: only if the attack on Montoro before it lapses"


def test_all_problems_are_shown_together() -> None:
    assert refused(
        "attack: {space: montoro, units: {sevilla: [INF-2]}}",
        "attack: {space: montoro, units: {huelva: [CAV-7]}}",
    ) == ["11.1.3", "11.1.1", "11.1.3"]


def test_a_spent_redeployment_names_its_rule() -> None:
    from pbem.games.crusade.stages.redeployment import Redeployment

    position = table(4, units={"sevilla": "INF-1 INF-2"}).with_control("cordoba", N)
    start = kernel.begin(State(position, (Redeployment(N, 2),))).state
    text = "orders:\n" + "".join(
        f"  - redeploy: {{unit: {unit}, to: cordoba, by: land}}\n" for unit in ("INF-1", "INF-2")
    )
    game = system("crusade")
    seen = Table(game, {"A": N, "B": R}, start)
    with pytest.raises(Refused) as problems:
        prepare(parse(Source("o.yaml", text), game.verbs), seen, "A")
    assert [each.rule for each in problems.value.problems] == ["12.1.2"]


@pytest.mark.parametrize("close", ["", "  - done:\n"])
def test_what_lapses_is_told_where_a_part_is_closed_and_where_that_is_left_out(close: str) -> None:
    position = field(3, sevilla="INF-1", huelva="", round=1, active=N, hold="huelva")
    start = kernel.begin(State(position, (Redeployment(N, 6),))).state
    game = system("crusade")
    text = f"orders:\n  - redeploy: {{unit: INF-1, to: huelva}}\n{close}"
    file = parse(Source("o.yaml", text), game.verbs)
    (told,) = tuple(map(str, prepare(file, Table(game, {"A": N, "B": R}, start), "A").remarks))
    assert told == f"o.yaml:{3 if close else 2}:5: 2 points of redeployment lapse (12.1.4)"
