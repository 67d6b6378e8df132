"""16.1.4, 16.1.5: assaults on sieges."""

import pytest

from pbem.games.crusade import events as e
from pbem.games.crusade.orders import Assault
from tests.games.crusade.board import N, R
from tests.games.crusade.fights import Round, attack, field

ALCAZAR = {"alcazar": 3}


def besieged(units="R-MIL-1 R-MIL-2", turn=3, sieges=None, **facts):
    return field(turn, toledo=units, sieges=sieges or ALCAZAR, **facts)


def assault(units="R-MIL-1", space="toledo"):
    return Assault(space, tuple(units.split()))


@pytest.mark.parametrize("turn, units, die, modified, success", [
    (3, "R-MIL-1", 3, 3, True),
    (3, "R-MIL-1", 4, 4, False),
    (1, "R-MIL-1", 3, 4, False),
    (1, "R-MIL-1 R-MIL-2", 3, 3, True),
    (3, "R-MIL-1 R-MIL-2", 4, 3, True),
    (8, "R-I", 4, 3, True),
    (8, "R-I R-MIL-1", 4, 3, True),
])  # fmt: skip
@pytest.mark.rule("16.1.4", "16.1.4.2", "17.5.2")
def test_the_die_of_an_assault(turn, units, die, modified, success):
    fought = Round(besieged(units, turn), R, "toledo").say(assault(units))
    assert [draw.label for draw in fought.asks.draws] == ["assault/#/die/1"]
    fought.roll(die)
    told = fought.told(e.SiegeAssaulted)[0]
    assert (told.modified, told.success) == (modified, success)
    assert fought.position.sieges == {"alcazar": 2 if success else 3}


@pytest.mark.rule("16.1.5", "16.1.7")
def test_the_last_point_ends_the_siege_without_gain():
    position = besieged(sieges={"alcazar": 1})
    fought = Round(position, R, "toledo").say(assault()).roll(1)
    assert fought.told(e.SiegeEnded)[0].how == "surrendered"
    assert fought.position.sieges == {} and fought.position.rm == position.rm


@pytest.mark.rule("16.1.4.1", "11.1.5")
def test_some_assault_and_others_attack_elsewhere():
    sieges = {"alcazar": 3, "simancas": 1}
    position = besieged(illescas="INF-1", gijon="R-MIL-3", sieges=sieges)
    fought = Round(position, R, "toledo", "gijon").say(assault("R-MIL-1")).roll(6)
    assert fought.faults(assault("R-MIL-2")) == ["11.1.5"]  # this siege was assaulted
    assert fought.faults(attack("illescas", toledo="R-MIL-1")) == ["11.1.5"]
    assert fought.faults(attack("illescas", toledo="R-MIL-2")) == []


@pytest.mark.parametrize("order, side, rule", [
    (assault(), R, ""),
    (assault(""), R, "16.1.4.1"),
    (assault("R-MIL-99"), R, "16.1.4.1"),
    (assault("R-MIL-1 R-MIL-1"), R, "16.1.4.1"),
    (assault(space="atlantis"), R, "16.1.4.1"),
    (assault(space="madrid"), R, "16.1.4.1"),
    (assault("R-MIL-9"), R, "16.1.4.1"),
    (assault("INF-1"), R, "16.1.4.1"),
    (assault("R-MIL-3", "gijon"), R, "16.1.4.1"),
])  # fmt: skip
@pytest.mark.rule("16.1.4", "16.1.4.1", "16.1.2")
def test_orders_for_an_assault(order, side, rule):
    position = besieged(
        illescas="INF-1", gijon="R-MIL-3", madrid="R-MIL-9", sieges={"alcazar": 3, "simancas": 1}
    )
    assert Round(position, side, "toledo").faults(order) == ([rule] if rule else [])


@pytest.mark.rule("16.1.4")
def test_the_nationalists_assault_nothing():
    position = field(3, illescas="INF-1", toledo="R-MIL-1", sieges=ALCAZAR)
    fought = Round(position, N, "illescas")
    assert not fought.asks.takes(assault("INF-1"))
    stage = fought.state.agenda[-1]
    assert [found.rule for found in stage.check(position, assault("INF-1"))] == ["16.1.4"]


@pytest.mark.rule("16.1.4")
def test_a_marked_space_with_a_siege_is_enough_to_be_asked():
    fought = Round(besieged(), R, "toledo")
    assert fought.question == "combat"
    assert Round(besieged(sieges={"simancas": 1}), R, "toledo").question == ""
