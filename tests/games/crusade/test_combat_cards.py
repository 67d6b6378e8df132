"""Combat cards: when each may be used, and what the rarer ones do."""

import pytest

from pbem.games.crusade import events as e
from pbem.games.crusade.effects import combat_cards as cards
from pbem.games.crusade.orders import Attack, CombatCards
from pbem.games.crusade.position import Boost, Combat, Fort
from pbem.games.crusade.rules import combat as rules
from tests.games.crusade.board import N, R
from tests.games.crusade.fights import Round, attack, field

PLAYED = frozenset({"N2", "R2", "R32"})


def fighting(target, defenders, *, attacker=N, armor="", boost=None, used="", turn=13, forts=None,
             rm=20, **origins):  # fmt: skip
    """A position and the combat of these units for a space."""
    position = field(
        turn, **{target: defenders}, **origins, played=PLAYED, forts=forts or {}, rm=rm
    )
    units = {u: origin for origin in origins for u in position.units_in(origin)}
    return position, Combat(
        attacker,
        target,
        units,
        armor=armor,
        boost=boost or Boost(),
        attacker_cards=tuple(used.split()),
    )


def may(card, side, target, defenders, **facts):
    position, combat = fighting(target, defenders, **facts)
    return cards.why_not(position, combat, side, card) == ""


TRENCH = {"riotinto": Fort("trench", R)}
POSITION = {"riotinto": Fort("position", R)}
TWO = {"sevilla": "INF-1", "huelva": "INF-2"}
AFRICA = {"sevilla": "AFR-1", "huelva": "AFR-2"}
AIR = Boost("N27", drm=1, air=True)


@pytest.mark.parametrize("card, side, target, defenders, facts, ok", [
    ("N9", N, "sevilla", "INF-1", {"attacker": R, "turn": 3, "riotinto": "R-MIL-1 RPA-1"}, True),
    ("N9", N, "sevilla", "INF-1", {"attacker": R, "turn": 3, "riotinto": "RPA-1"}, False),
    ("N25", N, "merida", "RPA-1", {"caceres": "INF-1"}, True),
    ("N25", N, "badajoz", "RPA-1", {"caceres": "INF-1", "zafra": "INF-2"}, False),
    ("N36", N, "riotinto", "RPA-1", {"sevilla": "N-MARROQUI"}, True),
    ("N36", N, "riotinto", "RPA-1", {"sevilla": "N-I"}, False),
    ("N36", N, "sevilla", "N-MARROQUI", {"attacker": R, "riotinto": "RPA-1"}, True),
    ("R36", R, "riotinto", "R-V", {"sevilla": "N-I"}, True),
    ("N52", N, "valencia", "RPA-1", {"barracas": "INF-1", "rm": 10}, True),
    ("N52", N, "valencia", "RPA-1", {"barracas": "INF-1", "rm": 11}, False),
    ("N52", N, "madrid", "RPA-1", {"illescas": "INF-1", "rm": 10}, False),
    ("N52", N, "riotinto", "RPA-1", {"sevilla": "INF-1", "rm": 10}, False),
    ("N55", N, "riotinto", "RPA-1", {"sevilla": "INF-1"}, True),
    ("N55", N, "madrid", "RPA-1", {"illescas": "INF-1"}, False),
    ("N55", N, "illescas", "RPA-1", {"toledo": "INF-1"}, False),
    ("N57", N, "riotinto", "RPA-1", {"sevilla": "MIL-NAV-1 INF-1"}, True),
    ("N57", N, "riotinto", "RPA-1", {"sevilla": "N-NAVARRA"}, True),
    ("N57", N, "riotinto", "RPA-1", {"sevilla": "INF-1"}, False),
    ("N58", N, "riotinto", "R-MIL-1", TWO, True),
    ("N58", N, "riotinto", "R-MIL-1", {**TWO, "forts": POSITION}, True),
    ("N58", N, "riotinto", "R-MIL-1", {**TWO, "forts": TRENCH}, False),
    ("N58", N, "riotinto", "R-MIL-1 RPA-1", TWO, False),
    ("N58", N, "riotinto", "R-MIL-1", {"sevilla": "INF-1"}, False),
    ("N58", N, "guadarrama", "R-MIL-1", {"segovia": "INF-1", "somosierra": "INF-2"}, False),
    ("N58", N, "madrid", "R-MIL-1", {"illescas": "INF-1", "guadalajara": "INF-2"}, False),
    ("N60", N, "riotinto", "RPA-1", {"sevilla": "CAV-1 INF-1"}, True),
    ("N60", N, "riotinto", "RPA-1", {"sevilla": "(CAV-1) INF-1"}, False),
    ("N60", N, "riotinto", "RPA-1", {"sevilla": "CAV-1", "forts": POSITION}, False),
    ("R6", R, "sevilla", "INF-1", {"attacker": R, "riotinto": "T-26-1 RPA-1"}, True),
    ("R6", R, "riotinto", "T-26-1 RPA-1", {"sevilla": "INF-1"}, True),
    ("R6", R, "riotinto", "(T-26-1) RPA-1", {"sevilla": "INF-1"}, False),
    ("R6", R, "riotinto", "RPA-1", {"sevilla": "INF-1"}, False),
    ("R28", R, "riotinto", "RPA-1", {"sevilla": "ITA-1 INF-1"}, True),
    ("R28", R, "riotinto", "RPA-1", {"sevilla": "INF-1"}, False),
    ("R37", R, "riotinto", "RPA-1", {"sevilla": "INF-1", "used": "N10 N33"}, True),
    ("R37", R, "riotinto", "RPA-1", {"sevilla": "INF-1", "used": "N33"}, False),
    ("R37", R, "riotinto", "RPA-1", {"sevilla": "INF-1", "boost": AIR}, True),
    ("R37", R, "riotinto", "RPA-1", {"sevilla": "INF-1", "boost": Boost("N45", drm=1)}, False),
    ("R37", R, "riotinto", "RPA-1", {"sevilla": "INF-1", "boost": Boost("N26", air=True)}, False),
    ("R57", R, "riotinto", "RPA-1", AFRICA, True),
    ("R57", R, "riotinto", "RPA-1", {**AFRICA, "forts": POSITION}, False),
    ("R57", R, "riotinto", "RPA-1", {"sevilla": "AFR-1 AFR-2"}, False),
    ("R57", R, "riotinto", "RPA-1", {"sevilla": "AFR-1", "huelva": "INF-1"}, False),
    ("R58", R, "riotinto", "R-MIL-1 RPA-1", {"sevilla": "INF-1"}, True),
    ("R58", R, "riotinto", "RPA-1", {"sevilla": "N-MIL-1"}, False),
    ("N33", N, "sevilla", "INF-1", {"attacker": R, "riotinto": "RPA-1"}, False),
    ("R55", R, "sevilla", "INF-1", {"attacker": R, "riotinto": "RPA-1"}, False),
])  # fmt: skip
@pytest.mark.rule("11.2.4", "8.5.1.2")
def test_when_a_card_may_be_used(card, side, target, defenders, facts, ok):
    assert may(card, side, target, defenders, **facts) is ok


@pytest.mark.rule("card N14")
def test_only_republican_police_defect():
    position, combat = fighting("riotinto", "RPA-1", sevilla="N-POL-1")
    assert cards.defectors(position, combat) == ()
    position, combat = fighting("sevilla", "INF-1", attacker=R, riotinto="(R-POL-1) R-POL-2 RPA-1")
    assert cards.defectors(position, combat) == ("R-POL-2", "R-POL-1")


@pytest.mark.rule("8.5.1.2")
def test_prerequisites_of_a_card():
    position, combat = fighting("riotinto", "RPA-1", sevilla="INF-1")
    assert cards.why_not(position, combat, N, "N17") == ""
    nothing = position.but(played=frozenset())
    assert cards.why_not(nothing, combat, N, "N17") != ""


@pytest.mark.rule("card R6", "16.6.2/c")
@pytest.mark.parametrize("armor, drms", [("", (("R6", 1),)), ("T-26-1", (("armor", 1),))])
def test_t26_and_its_armor_are_never_more_than_one(armor, drms):
    position = field(8, lecinena="N-MIL-1", sarinena="T-26-1", hand={R: ["R6"]})
    order = Attack("lecinena", {"sarinena": ("T-26-1",)}, cards=("R6",), armor=armor)
    fought = Round(position, R, "sarinena").say(order).roll(1, 1)
    assert fought.told(e.FireResolved)[0].drms == drms


@pytest.mark.rule("card R6")
def test_t26_in_defence_cancel_the_armor_of_the_attacker():
    position = field(8, huelva="CV-33-1", riotinto="T-26-1", hand={R: ["R6"]})
    order = Attack("riotinto", {"huelva": ("CV-33-1",)}, armor="CV-33-1")
    fought = Round(position, N, "huelva").say(order).say(CombatCards(("R6",))).roll(1, 1)
    assert [fire.drms for fire in fought.told(e.FireResolved)] == [(), (("R6", 1),)]


@pytest.mark.rule("card N18")
def test_a_card_of_the_attacker_does_not_cancel_their_own_armor():
    position, combat = fighting(
        "sevilla", "INF-1", attacker=R, armor="T-26-1", used="R6", riotinto="T-26-1"
    )
    assert rules.drms(position, combat, R) == (("armor", 1),)


@pytest.mark.rule("card N60", "11.3.6")
def test_cavalry_that_charged_loses_first():
    position = field(13, sevilla="INF-1 CAV-1", riotinto="RPA-1 RPA-2 RPA-3", hand={N: ["N60"]})
    fought = Round(position, N, "sevilla").say(attack("riotinto", "N60", sevilla="INF-1 CAV-1"))
    fought.roll(1, 1)
    assert fought.told(e.UnitReduced)[-1].unit == "CAV-1"


@pytest.mark.rule("card R57")
def test_a_disorganized_attack_does_not_advance():
    position = field(13, sevilla="AFR-1", huelva="AFR-2", riotinto="(R-MIL-1)", hand={R: ["R57"]})
    fought = Round(position, N, "sevilla", "huelva")
    fought.say(attack("riotinto", sevilla="AFR-1", huelva="AFR-2")).say(CombatCards(("R57",)))
    fought.roll(6, 1)
    assert fought.told(e.FireResolved)[0].drms == (("R57", -1),)
    assert fought.position.units_in("riotinto") == () and fought.question == ""


@pytest.mark.rule("card N52", "11.4.3")
def test_an_open_city_is_not_held_by_its_trench():
    position = field(
        13, castellon="N-I N-V N-VI", valencia="R-I", forts={"valencia": Fort("trench", R)},
        hand={N: ["N52"]}, rm=10, hold="rubielos_de_mora",
    )  # fmt: skip
    order = attack("valencia", "N52", "corps", castellon="N-I N-V N-VI")
    fought = Round(position, N, "castellon").say(order).roll(1, 1)
    assert [fire.shifts for fire in fought.told(e.FireResolved)] == [(), ()]
    assert fought.question == "retreat"


@pytest.mark.rule("card N58", "11.4.2")
def test_a_surrounded_militia_runs_two_spaces():
    from pbem.games.crusade.rules.retreat import retreat_length

    position, combat = fighting("riotinto", "R-MIL-1", used="N58", **TWO)
    combat = Combat(**{**vars(combat), "by_attacker": 2, "by_defender": 1})
    assert retreat_length(position, combat) == 2


@pytest.mark.rule("card R37", "8.5.5.2")
@pytest.mark.parametrize("boost, drms", [(AIR, ()), (Boost("N45", drm=1), (("N45", 1),))])
def test_bad_weather_grounds_the_air_events_only(boost, drms):
    position, combat = fighting("riotinto", "RPA-1", boost=boost, sevilla="INF-1")
    combat = Combat(**{**vars(combat), "defender_cards": ("R37",)})
    assert rules.drms(position, combat, N) == drms


@pytest.mark.rule("8.5.5.3")
@pytest.mark.parametrize("boost, dice, marked", [
    (Boost("R34", drm=1, marks_victories=True), (6, 1), True),
    (Boost("R34", drm=1, marks_victories=True), (1, 6), False),
    (Boost("N45", drm=1), (6, 1), False),
    (Boost("R35", drm=1, terrain_free=True, marks_victories=True), (6, 1), False),
])  # fmt: skip
def test_which_victories_may_win_the_bonus(boost, dice, marked):
    position = field(8, riotinto="RPA-1 RPA-2", sevilla="(INF-1)")
    fought = Round(position, R, "riotinto", boost=boost)
    fought.say(attack("sevilla", losses="RPA", riotinto="RPA-1 RPA-2")).roll(*dice)
    fought.say(fought.asks.options[0].order(("RPA-1",), ("sevilla",)))
    assert ("victorious/sevilla" in fought.position.turn_marks) is marked
