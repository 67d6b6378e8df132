"""Losses by a ranking: a type means its units as they lose least, and what is in vain is told."""

import pytest

from pbem.games.crusade import events as e
from pbem.games.crusade.narrative import narrate
from pbem.games.crusade.orders import Attack
from pbem.games.crusade.position import Combat
from pbem.games.crusade.remarks import remarks
from pbem.games.crusade.rules.losses import fight_of
from tests.games.crusade.board import N
from tests.games.crusade.fights import Round, attack, field


def attacking(units, losses):
    """An attack on three of the Popular Army from Sevilla, and its order."""
    position = field(3, sevilla=units, riotinto="RPA-1 RPA-2 RPA-3")
    order = attack("riotinto", losses=losses, sevilla=units.replace("(", "").replace(")", ""))
    return Round(position, N, "sevilla"), order


def lost(units, losses, owed):
    """What the attackers lose by a ranking: the die of the defender makes a Loss Number."""
    fought, order = attacking(units, losses)
    fought.say(order).roll(1, {1: 1, 2: 4}[owed]).by_default("losses")
    steps = (x for x in fought.events if isinstance(x, e.UnitReduced | e.UnitEliminated))
    return [each.unit for each in steps if fought.position.side_of(each.unit) == N]


@pytest.mark.rule("11.3.1", "11.3.2")
@pytest.mark.parametrize("units, losses, owed, gone", [
    ("CAV-1 CAV-2 INF-1", "CAV INF", 2, ["CAV-1", "CAV-2"]),
    ("(CAV-1) CAV-2 INF-1", "CAV INF", 1, ["CAV-2"]),
    ("(CAV-1) CAV-2 INF-1", "CAV INF", 2, ["CAV-1", "CAV-2"]),
    ("(CAV-1) INF-1 INF-2", "CAV INF", 1, ["CAV-1"]),
    ("(CAV-1) INF-1 INF-2", "flip_before_kill CAV INF", 1, ["INF-1"]),
    ("(CAV-1) INF-1 INF-2", "POL INF", 2, ["INF-1", "INF-2"]),
    ("(CAV-1) INF-1 INF-2", "POL", 2, ["INF-1", "INF-2"]),
])  # fmt: skip
def test_a_type_means_its_units_in_the_order_that_loses_least(units, losses, owed, gone):
    assert lost(units, losses, owed) == gone


@pytest.mark.rule("11.3.1")
def test_who_does_not_fight_is_told_and_never_lapses_the_attack():
    fought, order = attacking("INF-1 INF-2", "CAV INF-9 INF-1")
    assert fought.faults(order) == []
    (told,) = map(str, remarks(fought.state, order))
    assert told == "losses: no attacker matches CAV or INF-9, so that is skipped"
    fought, order = attacking("INF-1 INF-2", "INF-1 full flip_before_kill")
    assert fought.faults(order) == ["11.3.1"]
    fought, order = attacking("INF-1 INF-2", "INFF")
    assert fought.faults(order) == ["11.3.1"]


@pytest.mark.rule("11.3.6", "card N60")
@pytest.mark.parametrize("cards, owing", [((), False), (("N60",), True)])
def test_that_cavalry_loses_first_by_a_card_is_said_before(cards, owing):
    position = field(13, sevilla="CAV-1 INF-1", riotinto="RPA-1", hand={N: ["N60"]})
    order = Attack("riotinto", {"sevilla": ("CAV-1", "INF-1")}, cards=cards, losses=("INF",))
    told = [*map(str, remarks(Round(position, N, "sevilla").state, order))]
    assert any("falls on CAV-1" in each for each in told) is owing
    assert any("(card N60)" in each for each in told) is owing


@pytest.mark.rule("11.3.6", "card N60")
@pytest.mark.parametrize("losses, owing", [("AFR INF", ""), ("INF AFR", "AFR-1"), ("INF", "AFR-1")])
def test_only_the_most_urgent_duty_overrules_a_ranking(losses, owing):
    units = ("AFR-1", "CAV-1", "INF-1")
    position = field(13, sevilla=" ".join(units), riotinto="RPA-1", hand={N: ["N60"]})
    order = Attack("riotinto", {"sevilla": units}, cards=("N60",), losses=tuple(losses.split()))
    told = [*map(str, remarks(Round(position, N, "sevilla").state, order))]
    assert told == ([f"losses: the first loss falls on {owing} whatever the ranking says (11.3.6)"]
                    if owing else [])  # fmt: skip


@pytest.mark.rule("11.3.5")
def test_a_division_of_the_reserve_that_a_ranking_names_is_told_apart():
    position = field(13, sevilla="N-V", riotinto="RPA-1", reserve="INF-1 INF-2 INF-3")
    combat = Combat(N, "riotinto", {"N-V": "sevilla"}, by_defender=2)
    one, other, named = fight_of(position, combat, N, ("INF-3",)).spares
    assert one.alike == other.alike != named.alike


@pytest.mark.rule("11.3.6")
@pytest.mark.parametrize("units, losses, owing", [
    ("AFR-1 INF-1", "INF AFR", "AFR-1"),
    ("AFR-1 INF-1", "INF", "AFR-1"),
    ("AFR-1 AFR-2 INF-1", "INF", "AFR-1 and AFR-2"),
    ("AFR-1 INF-1", "AFR INF", ""),
    ("AFR-1 INF-1", "", ""),
    ("INF-2 INF-1", "INF", ""),
    ("AFR-1 AFR-2", "AFR-2", "AFR-1"),
])  # fmt: skip
def test_that_the_army_of_africa_loses_first_is_said_before_and_after(units, losses, owing):
    fought, order = attacking(units, losses)
    if units == "AFR-1 AFR-2":
        owing = ""  # all owe it, and one of them that was ranked takes it
    told = [each for each in map(str, remarks(fought.state, order)) if "11.3.6" in each]
    assert told == ([f"losses: the first loss falls on {owing} whatever the ranking says (11.3.6)"]
                    if owing else [])  # fmt: skip
    fought.say(order).roll(1, 4).by_default("losses")
    said = [str(narrate(each, fought.position)) for each in fought.events
            if isinstance(each, e.FirstLossOwed)]  # fmt: skip
    assert bool(said) is bool(owing)
    assert all("11.3.6" in each and "AFR-1" in each for each in said)
