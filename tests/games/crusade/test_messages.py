"""What a refusal says to a person: spaces and sieges by their printed names."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, Order, State
from pbem.games.crusade import orders as o
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.games.crusade.stages.draw import Discards
from pbem.games.crusade.stages.guerrilla import LosingCard
from pbem.games.crusade.stages.operations import Movement
from pbem.games.crusade.stages.redeployment import Redeployment
from pbem.games.crusade.stages.replacements import Spending
from pbem.games.crusade.stages.round import Landing
from pbem.games.crusade.stages.war_status import Overflow, Surplus
from tests.conftest import FUZZ
from tests.contract.playing import playout
from tests.games.crusade.board import STARTS, TABLES, N, R, table

SCENARIOS = tuple(STARTS)
IDS = sorted(
    id for id in (*TABLES.spaces, *(row["id"] for row in TABLES.tables["sieges"])) if id != "port"
)
RAW = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, IDS))})(?![\w-])")


def strange(state: State, decision: Decision, rng: random.Random) -> Iterator[Order]:
    """Orders of each verb that is asked for, with spaces and units of anywhere."""
    tables = state.position.tables
    units = list(state.position.counters)
    for option in decision.options:
        for _ in range(6):
            # Mostly units in play, and now and then a place that cannot be meant at all.
            here = [u for u in units if state.position.side_of(u) == decision.side]
            unit, one, two = rng.choice(here), *rng.sample(sorted(tables.spaces), 2)
            siege = rng.choice(tables.tables["sieges"])["id"]
            yield from of_verb(option.order, unit, one, two, siege, rng)


def of_verb(kind, unit, one, two, siege, rng) -> Iterator[Order]:
    made = {
        o.Deploy: lambda: o.Deploy(unit, one, rng.choice(("", unit))),
        o.Redeploy: lambda: o.Redeploy(
            unit,
            one,
            rng.choice(("land", "sea", "reserve", "border", "to_reserve")),
            rng.choice(("", two)),
        ),
        o.Replace: lambda: o.Replace(unit, at=rng.choice(("", one))),
        o.Rebuild: lambda: o.Rebuild(unit, 1, to=one),
        o.Supply: lambda: o.Supply(siege),
        o.Move: lambda: o.Move((unit,), (one, two)),
        o.Fortify: lambda: o.Fortify(one, unit),
        o.Activate: lambda: o.Activate((one,), (two,)),
        o.Attack: lambda: o.Attack(one, {two: (unit,)}),
        o.Assault: lambda: o.Assault(one, (unit,)),
        o.Retreat: lambda: o.Retreat(unit, (one, two)),
        o.Advance: lambda: o.Advance((unit,), (one, two)),
        o.RemoveMarker: lambda: o.RemoveMarker(one),
        o.PlaceMarker: lambda: o.PlaceMarker(one),
        o.Bonus: lambda: o.Bonus(one),
        o.Land: lambda: o.Land(unit, one),
        o.Withdraw: lambda: o.Withdraw(unit),
        o.Remove: lambda: o.Remove(unit),
        o.Militarize: lambda: o.Militarize(unit),
        o.Arrive: lambda: o.Arrive(at=one),
        o.Guerrilla: lambda: o.Guerrilla("guerrilla", one),
    }.get(kind)
    if made is not None:
        yield made()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_refusal_and_no_question_tells_a_space_by_its_id(scenario: str) -> None:
    rng = random.Random(scenario)
    told, raw = 0, set()
    for seed in range(FUZZ):
        for moment in playout("crusade", scenario, seed):
            decision = moment.decision
            if decision is None or rng.random() < 0.6:
                continue
            raw |= set(RAW.findall(str(decision.prompt)))
            for order in strange(moment.state, decision, rng):
                for found in kernel.violations(moment.state, order):
                    told += 1
                    if RAW.search(str(found.message)):
                        raw.add(f"{type(order).__name__}: {found.message}")
    assert told > 150 and sorted(raw) == []


@pytest.mark.rule("16.1.8.1", "16.2.4.2", "16.2.4.3")
def test_sieges_and_isolated_spaces_go_by_their_names() -> None:
    position = table(2, sieges={"alcazar": 1}, rp={"NAT": 8})
    for fed in (frozenset({"alcazar"}), frozenset[str]()):
        stage = Spending(N, sieges_fed=fed)
        strong = position.but(sieges={"alcazar": 1 if fed else 3})
        (found,) = stage.check(strong, o.Supply("alcazar"))
        assert str(found.message).startswith("Alcázar of Toledo ")
    cut = table(2, units={"oviedo": "(INF-1)"}, isolated=frozenset({"oviedo"}), rp={"NAT": 8})
    stage = Spending(N, isolated_served=frozenset({"oviedo"}))
    assert "Oviedo has already had its point this turn" in [
        str(each.message) for each in stage.check(cut, o.Replace("INF-1"))
    ]


HANDS = {"hand": {N: ["N5", "N7"], R: ["R7"]}, "options": frozenset({"open_hands"})}
FULL = {"zafra": "R-MIL-1 R-MIL-2 R-MIL-3 R-MIL-4", "eliminated": "R-MIL-9"}


@pytest.mark.parametrize(("stage", "order", "message", "hint"), [
    (Activation(N, 3), o.Activate(attack=("merida",)), "you have no unit in Mérida",
     "to attack it, activate Cáceres for combat"),
    (Activation(N, 3), o.Activate(move=("merida",)), "you have no unit in Mérida",
     "you have units next to it, in Cáceres"),
    (Activation(N, 3), o.Activate(move=("adra",)), "you have no unit in Adra", ""),
    (Movement(N, ("sevilla",), (), frozenset()), o.Move(("INF-1",), ("sevilla", "huelva")),
     "INF-1 is not in Sevilla", "it is in Cáceres; your units in Sevilla: INF-2"),
    (Movement(N, ("cadiz",), (), frozenset()), o.Fortify("cadiz", "INF-1"),
     "INF-1 is not one of your units in Cádiz", "it is in Cáceres; you have none in Cádiz"),
    (Movement(N, ("cadiz",), (), frozenset()), o.Fortify("cadiz", "INF-99"),
     "INF-99 is not one of your units in Cádiz", "you have none in Cádiz"),
    (Combats(N, ("caceres",)), o.Attack("merida", {"caceres": ("INF-2",)}),
     "INF-2 is not in Cáceres", "it is in Sevilla; ready to attack from Cáceres: INF-1"),
    (Combats(N, ("caceres",)), o.Attack("merida", {"caceres": ("R-MIL-8",)}),
     "R-MIL-8 is Republican, and you are the Nationalist player",
     "ready to attack from there: INF-1"),
    (Combats(N, ("caceres",)), o.Attack("merida", {"badajoz": ("R-MIL-8", "R-MIL-1")}),
     "R-MIL-8 and 1 other unit here are Republican, and you are the Nationalist player",
     "is this the file you meant? it seems to be the other player's"),
    (Movement(N, ("cadiz",), (), frozenset()), o.Move(("R-MIL-8", "R-MIL-1"), ("cadiz", "sevilla")),
     "R-MIL-8 and 1 other unit here are Republican, and you are the Nationalist player",
     "is this the file you meant? it seems to be the other player's"),
    (Combats(N, ("caceres",)), o.Attack("merida", {"caceres": ("INF-1",)}, advance=o.AdvancePlan(
        ("INF-1",), ("badajoz",))), "an advance must begin in Mérida", "write to: [merida]"),
    (Spending(R), o.Rebuild("R-MIL-1"), "R-MIL-1 is not in the Eliminated Box",
     "it is in Zafra; in the box are R-MIL-9"),
    (Spending(N), o.Rebuild("INF-1"), "INF-1 is not in the Eliminated Box", "it is in Cáceres"),
    (Overflow("zafra"), o.Withdraw("R-MIL-9"), "R-MIL-9 is not in Zafra",
     "units there: R-MIL-1, R-MIL-2, R-MIL-3, R-MIL-4"),
    (Surplus(N, "zafra"), o.Remove("R-MIL-9"), "R-MIL-9 is not in Zafra",
     "units there: R-MIL-1, R-MIL-2, R-MIL-3, R-MIL-4"),
    (Discards(N), o.Discard(("N9",)), "N9 is not in your hand", "you hold N5 and N7"),
    (LosingCard(N), o.Discard(("N9",)), "N9 is not in your hand", "you hold N5 and N7"),
])  # fmt: skip
def test_what_stands_elsewhere_is_told_with_what_is_there(
    stage: Any, order: Order, message: str, hint: str
) -> None:
    units = {"caceres": "INF-1", "sevilla": "INF-2", "merida": "R-MIL-8", **FULL}
    position = table(3, bare=True, units=units, republican=("merida",), **HANDS)
    found = [each for each in stage.check(position, order) if str(each.message) == message]
    assert [str(each.hint) for each in found] == [hint]


SHORT = frozenset({"shortage"})


@pytest.mark.parametrize(("stage", "order", "facts", "rule", "hint"), [
    (Activation(N, 4), o.Activate(attack=("leon", "burgos")), {
        "flags": SHORT, "units": {"leon": "INF-1", "burgos": "INF-2"}},
     "17.1.2", "activate Burgos to move, or to attack in its place"),
    (Spending(N), o.Supply("troy"), {"sieges": {"alcazar": 1}}, "16.1.8",
     "a point may go to Alcázar of Toledo (alcazar)"),
    (Spending(N), o.Supply("simancas"), {"sieges": {"alcazar": 3}}, "16.1.8.2",
     "no siege can be strengthened now"),
    (Spending(N, sieges_fed=frozenset({"alcazar"})), o.Supply("alcazar"),
     {"sieges": {"alcazar": 1}}, "16.1.8.1", "no siege can be strengthened now"),
    (Spending(N), o.Supply("alcazar"), {"sieges": {"alcazar": 1}, "turn": 8}, "16.1.8.3",
     "spend points on your units"),
    (Spending(N), o.Supply("alcazar"), {"sieges": {"alcazar": 1}, "rp": {"NAT": 1}}, "16.1.8",
     "you have 0.5 NAT"),
    (Spending(R), o.Supply("alcazar"), {"sieges": {"alcazar": 1}}, "16.1.8",
     "spend points on your units"),
    (Redeployment(N, 5), o.Redeploy("INF-1", "burgos", "land"), {
        "bare": True, "units": {"sevilla": "INF-1"}},
     "12.1.6", "from Sevilla one leads to Huelva, Utrera, Cádiz, Arcos de la Frontera, Algeciras, "
               "Écija and 2 more"),
    (Redeployment(N, 5), o.Redeploy("INF-1", "burgos", "land"), {"units": {"mallorca": "INF-1"}},
     "12.1.6", "no chain of your spaces leads from Mallorca to any other with room"),
    (Landing(), o.Arrive(banderas=("madrid", "madrid")), {}, "18.2.2",
     "they are not in this game: the rule is not in force"),
    (Landing(), o.Arrive(banderas=("madrid", "madrid")), {
        "options": frozenset({"18.2.2"}), "units": {"sevilla": "", "cadiz": ""}}, "18.2.2",
     "write banderas: [sevilla, sevilla], [sevilla, cadiz] or [cadiz, sevilla]"),
    (Landing(), o.Arrive(banderas=("madrid", "madrid")), {
        "options": frozenset({"18.2.2"}), "units": {"lugo": "AFR-BT-1"}}, "18.2.2",
     "they come once a game, and have come"),
    (Landing(), o.Arrive("sevilla", banderas=("sevilla", "sevilla")), {
        "options": frozenset({"18.2.2"})}, "18.2.2",
     "write banderas alone, without at and unit"),
])  # fmt: skip
def test_a_refusal_says_what_would_be_legal(
    stage: Any, order: Order, facts: dict[str, Any], rule: str, hint: str
) -> None:
    facts = {"turn": 2, "rp": {"NAT": 8}, **facts}
    position = table(facts.pop("turn"), **facts)
    found = [each for each in stage.check(position, order) if each.rule == rule]
    assert hint in [str(each.hint) for each in found], [
        (each.rule, str(each.message), str(each.hint)) for each in stage.check(position, order)
    ]
