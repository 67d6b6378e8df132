"""Chapters 20 and 24: the combats the rulebook works out, with their dice and results."""

import pytest

from pbem.games.crusade import events as e
from pbem.games.crusade.orders import (
    Advance,
    AdvancePlan,
    Attack,
    CancelRetreat,
    CombatCards,
    Losses,
    Retreat,
)
from pbem.games.crusade.position import Fort
from pbem.games.crusade.rules.engagement import boost_of
from tests.games.crusade.board import TABLES, N, R, after, table
from tests.games.crusade.fights import Round, attack, field, where


def fires(fought):
    """Column, modified die and Loss Number of every fire."""
    return [(f.column, f.modified, f.loss_number) for f in fought.told(e.FireResolved)]


# --- 20.1 -------------------------------------------------------------------------------------


def badajoz():
    return field(
        caceres="INF-1",
        zafra="(INF-2) AFR-1",
        badajoz="R-MIL-1 (RPA-1)",
        hold="santa_olalla jerez_de_los_caballeros",
        forts={"badajoz": Fort("position", R)},
        hand={N: ["N10"]},
    )


@pytest.mark.rule("20.1", "11.2.6", "11.2.7", "11.3.6", "11.4.5", "11.5.1", "8.5.3.2")
def test_the_attack_on_badajoz():
    fought = Round(badajoz(), N, "caceres", "zafra")
    fought.say(attack("badajoz", "N10", caceres="INF-1", zafra="INF-2 AFR-1")).roll(2, 4)
    assert fires(fought) == [("5", 3, 2), ("2", 4, 1)]
    assert fought.told(e.FireResolved)[0].shifts == (("position", -1),)
    fought.say(Losses(("R-MIL-1", "R-MIL-1")))
    assert where(fought.position, "R-MIL-1", "AFR-1") == ["(eliminated)", "(zafra)"]
    assert fought.position.decks[N].table == ("N10",)
    before = fought.position
    # The only way on friendly ground is Mérida, so nobody is asked.
    assert where(fought.position, "RPA-1") == ["(merida)"]
    assert fought.question == "advance"  # open ground: no step could have been paid
    fought.say(Advance(("INF-2", "AFR-1"), ("badajoz",)))
    assert where(fought.position, "INF-1", "INF-2", "AFR-1") == [
        "caceres",
        "(badajoz)",
        "(badajoz)",
    ]
    assert "badajoz" not in fought.position.forts
    assert fought.position.vp - before.vp == 1 and fought.position.rm - before.rm == -1
    assert fought.position.has("badajoz_lost")


@pytest.mark.rule("20.1", "11.4.5/f")
def test_jerez_would_have_been_as_legal_for_the_retreat():
    position = badajoz().with_control("jerez_de_los_caballeros", R)
    fought = Round(position, N, "caceres", "zafra")
    fought.say(attack("badajoz", "N10", caceres="INF-1", zafra="INF-2 AFR-1")).roll(2, 4)
    fought.say(Losses(("R-MIL-1", "R-MIL-1")))
    assert fought.faults(Retreat("RPA-1", ("merida",))) == []
    assert fought.faults(Retreat("RPA-1", ("jerez_de_los_caballeros",))) == []


# --- 20.2 -------------------------------------------------------------------------------------


def teruel(**changes):
    facts = {
        "barracas": "R-I R-MIL-1",
        "ademuz": "R-V R-MIL-2",
        "teruel": "N-I N-POL-1",
        "reserve": "INF-1",
        "hand": {R: ["R29"]},
        "played": frozenset({"N2", "R2"}),
        **changes,
    }
    position = field(8, hold="vivel_del_rio albarracin monreal_del_campo", **facts)
    return position.with_deck(N, table=("N38",))


def counterattack(dice, position=None):
    position = position or teruel()
    fought = Round(position, R, "barracas", "ademuz", boost=boost_of(position, "R34"))
    fought.say(attack("teruel", "R29", barracas="R-I R-MIL-1", ademuz="R-V R-MIL-2"))
    return fought.say(CombatCards(("N38",))).roll(*dice)


@pytest.mark.rule("20.2", "20.2.1", "11.2.9", "8.5.5.2")
def test_equal_losses_beat_both():
    fought = counterattack((1, 3))
    assert fires(fought) == [("6-8", 3, 4), ("5", 4, 4)]
    fought.say(Losses(("R-I", "R-MIL-1")))
    assert where(fought.position, "N-I", "N-POL-1") == ["(teruel)", "(teruel)"]
    assert fought.told(e.CombatDecided)[0].winner == ""
    assert fought.position.decks[R].discards == ("R29",)
    assert fought.position.decks[N].discards == ("N38",)
    assert fought.question == "" and fought.told(e.UnitRetreated) == []


@pytest.mark.rule("20.2.2", "11.4.3", "8.5.3.3")
def test_the_retreat_from_teruel_is_cancelled():
    fought = counterattack((2, 2))
    assert fires(fought) == [("6-8", 4, 4), ("5", 3, 3)]
    fought.say(Losses(("R-I",)))
    assert fought.position.decks[R].table == ("R29",)
    assert fought.position.decks[N].discards == ("N38",)
    fought.say(CancelRetreat("N-POL-1"))
    assert where(fought.position, "N-POL-1", "N-I") == ["(eliminated)", "(teruel)"]
    assert fought.question == "" and fought.told(e.UnitAdvanced) == []


@pytest.mark.rule("20.2.3", "9.1.1", "8.5.5.3")
def test_teruel_falls():
    fought = counterattack((4, 3))
    assert fires(fought) == [("6-8", 6, 5), ("5", 4, 4)]
    fought.say(Losses(("R-I", "R-MIL-1")))
    assert where(fought.position, "N-I", "N-POL-1") == ["(teruel)", "(eliminated)"]
    assert fought.faults(CancelRetreat("N-I")) == []  # INF-1 would replace it
    fought.say(CancelRetreat())
    assert fought.question == "retreat"
    before = fought.position
    fought.say(Retreat("N-I", ("albarracin",)))
    everyone = ("R-I", "R-V", "R-MIL-1", "R-MIL-2")
    assert fought.faults(Advance(everyone, ("teruel",))) == ["9.1.1"]
    fought.say(Advance(("R-I", "R-V", "R-MIL-2"), ("teruel",)))
    assert fought.position.vp - before.vp == -1 and fought.position.rm - before.rm == 1
    assert "victorious/teruel" in fought.position.turn_marks
    assert fought.position.units_in("teruel") == ("R-MIL-2", "R-I", "R-V")


# --- 24 ---------------------------------------------------------------------------------------


@pytest.mark.rule("24.2", "11.5.2")
def test_riotinto_in_the_first_round():
    position = table()
    infantry, police, africa = position.units_in("sevilla")
    cavalry, militia = position.units_in("huelva")[0], position.units_in("riotinto")[0]
    assert africa.startswith("AFR")
    fought = Round(position, N, "sevilla", "huelva")
    fought.say(attack("riotinto", sevilla=f"{infantry} {police}", huelva=cavalry)).roll(1, 3)
    assert fires(fought) == [("4", 1, 1), ("1", 3, 0)]
    fought.say(Retreat(militia, ("jerez_de_los_caballeros",)))
    assert fought.faults(Advance((africa,), ("riotinto",))) == ["11.1.7/a"]
    fought.say(Advance((infantry, police, cavalry), ("riotinto",)))
    assert where(fought.position, militia) == ["(jerez_de_los_caballeros)"]
    assert fought.position.controls(N, "riotinto")
    assert (fought.position.vp, fought.position.rm) == (position.vp, position.rm)


def round_five():
    """The south when the Nationalists attack from three spaces."""
    return table(
        units={
            "sevilla": "AFR-1 AFR-2",
            "riotinto": "INF-1 N-POL-1 CAV-1",
            "caceres": "INF-2 MIL-NAV-1 MIL-NAV-2",
            "merida": "R-POL-1",
            "santa_olalla": "R-MIL-1 R-MIL-2",
            "jerez_de_los_caballeros": "R-POL-2 (R-MIL-3)",
            "huelva": "",
        },
        nationalist=["riotinto"],
    )


@pytest.mark.rule("24.2", "11.2.6", "11.5.2", "11.3.6", "11.5.3")
def test_the_three_attacks_of_round_five():
    fought = Round(round_five(), N, "sevilla", "riotinto", "caceres")
    fought.say(attack("merida", caceres="INF-2 MIL-NAV-1 MIL-NAV-2")).roll(4, 1)
    assert fires(fought) == [("5", 4, 2), ("1", 1, 0)]
    assert fought.faults(Advance(("MIL-NAV-1",), ("merida", "zafra"))) == ["11.5.2"]
    fought.say(Advance(("MIL-NAV-1", "MIL-NAV-2"), ("merida",)), Advance())

    fought.say(attack("santa_olalla", sevilla="AFR-1 AFR-2", riotinto="CAV-1")).roll(5, 1)
    assert fires(fought)[2:] == [("7", 5, 3), ("2", 1, 0)]
    fought.say(Retreat("R-MIL-2", ("cazalla", "penarroya")))
    assert fought.faults(Advance(("AFR-1", "CAV-1"), ("santa_olalla", "cazalla"))) == []
    fought.say(Advance(("AFR-1", "CAV-1"), ("santa_olalla",)), Advance())

    fought.say(attack("jerez_de_los_caballeros", riotinto="INF-1 N-POL-1")).roll(6, 6)
    assert fires(fought)[4:] == [("3", 6, 2), ("1", 6, 1)]
    fought.say(Losses(("R-MIL-3", "R-POL-2")), Losses(("N-POL-1",)))
    fought.say(Retreat("R-POL-2", ("zafra",)))
    fought.say(Advance(("INF-1", "N-POL-1"), ("jerez_de_los_caballeros",)))
    assert where(fought.position, "R-MIL-1", "R-MIL-2", "R-POL-2", "N-POL-1") == [
        "(eliminated)",
        "(penarroya)",
        "(zafra)",
        "(jerez_de_los_caballeros)",
    ]
    assert fought.question == ""  # nobody is left who could attack


@pytest.mark.rule("24.2", "17.6.5", "17.6.5/a", "8.5.3.2")
def test_the_two_attacks_of_round_six():
    position = table(
        units={"santa_olalla": "AFR-1 CAV-1", "zafra": "R-MIL-4 (R-POL-2)"},
        nationalist=["santa_olalla", "riotinto", "merida", "jerez_de_los_caballeros"],
        hand={N: ["N5"]},
    )
    infantry = position.units_in("villalba")[0]
    asturians = position.units_in("castropol")[0]
    fought = Round(position, N, "santa_olalla", "villalba")
    fought.say(attack("zafra", santa_olalla="AFR-1 CAV-1")).roll(3, 5)
    fought.say(Losses(("R-MIL-4",)))
    assert where(fought.position, "R-MIL-4", "R-POL-2", "AFR-1") == [
        "(zafra)", "(zafra)", "(santa_olalla)"
    ]  # fmt: skip
    assert fought.told(e.CombatDecided)[0].winner == ""

    order = attack("castropol", "N5", villalba=infantry)
    plan = AdvancePlan((infantry,), ("castropol",))
    fought.say(Attack(order.space, order.units, order.cards, advance=plan)).roll(1, 3)
    assert fires(fought)[2:] == [("2", 2, 1), ("1", 3, 0)]
    assert where(fought.position, asturians, infantry) == ["(pto_de_la_espina)", "castropol"]
    assert fought.position.decks[N].removed == ("N5",)
    assert fought.position.has("shortage")


def test_tables_are_those_of_the_game():
    assert after(table()) == table() and TABLES.fire_tables
