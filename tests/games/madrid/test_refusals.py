"""What is refused is told with its place, its reason, its rule and what would be legal."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.engine.model import State
from pbem.games.madrid.orders import (
    Assault,
    Attack,
    Begin,
    Bombard,
    Brace,
    Counter,
    Defend,
    DrawChits,
    Fire,
    Keep,
    Lead,
    Lose,
    Move,
    Name,
    Pause,
    Pick,
    PlaceUnits,
    Play,
    PutBack,
    Rebuild,
    Renewal,
    Reroll,
    Retreat,
    Spare,
)
from pbem.games.madrid.rules.combat import Fight
from pbem.games.madrid.stages.bombard import Naming, Shelling
from pbem.games.madrid.stages.combat import Countering, Defending, Sparing
from pbem.games.madrid.stages.fire import Bracing, Firing, Incoming
from pbem.games.madrid.stages.impulse import Impulse, Keeping
from pbem.games.madrid.stages.losses import Losing, Retreating
from pbem.games.madrid.stages.march import Leading
from pbem.games.madrid.stages.play import PickingUnits
from pbem.games.madrid.stages.rerolls import Rerolling
from pbem.games.madrid.stages.setup import Begins, SetUp
from pbem.games.madrid.stages.turn import Arriving, Drawing, Pausing, PuttingBack, Rebuilding
from tests.games.madrid.table import N, R, table

SIX = tuple(f"N0{n}" for n in range(1, 7))
TEN = " ".join(f"N{n}" for n in (10, 11, 12, 13, 14, 15, 16, 17, 18, 19))
FIELD = {
    "D": "N01 N02 N26 N34 N42 N43 N44 N45 R01", "C": "R02 R61", "E": "N03 R05s", "CC": "N04",
    "AA": "R40 R41 R16", "M": "R09", "B": TEN, "H": "N05", "5": "N23",
}  # fmt: skip


def field(**changes):
    return table(FIELD, nationalist="D B CC H", **changes)


def told(position, stage, order):
    """Each refusal as its rule, its place and its words, the hint behind them."""
    found = kernel.violations(State(position, (stage,)), order)
    return [(each.rule, each.at, each.is_key, f"{each.message}: {each.hint}") for each in found]


def refused(position, stage, order, rule, at, words, is_key=False):
    found = [each[:3] for each in told(position, stage, order)]
    assert (rule, at, is_key) in found, told(position, stage, order)
    every = " | ".join(each[3] for each in told(position, stage, order))
    assert words in every, every
    assert "''" not in every and "  " not in every and ": :" not in every


IMPULSES = (
    (Move((), ("D", "B")), "9.0.1", ("units",), "no unit is named: name the units that act"),
    (Move(("N01", "R01"), ("D", "B")), "9.0.1", ("units", 1),
     "Columna Fernández Cavada is Republican"),
    (Move(("N01", "N27"), ("D", "B")), "9.0.1", ("units", 1),
     "Batallón Toledo is not on the map: it is eliminated"),
    (Move(("N01", "N01"), ("D", "B")), "9.0.1", ("units", 1), "named twice"),
    (Move(("N01", "N04"), ("D", "B")), "9.0.1", ("units", 1),
     "VI Bandera is in Casa de Campo (CC): all units must be in one area, such as Illescas (D)"),
    (Move(("R01", "R40"), ("D", "B")), "9.0.1", ("units", 0), "and 1 other unit here are "
     "Republican, and you are the Nationalist player: is this the file you meant?"),
    (Bombard(("N42", "R61"), "C"), "9.0.1", ("guns", 1),
     "Artillería de Madrid (105 mm) is Republican"),
    (Move(("N01",), ("D",)), "9.2.b", ("path",), "must begin with Illescas (D)"),
    (Move(("N01",), ("C",)), "9.2.b", ("path",), "write path: [D, C]"),
    (Move(("N01",), ("AA",)), "9.2.b", ("path",), "write path: [D, ...]"),
    (Move(("N01",), ("C", "D")), "9.2.b", ("path",), "write path: [D, ...]"),
    (Move(("N01",), ("D", "C", "AA")), "9.2.b", ("path", 2),
     "Madrid (AA) is not next to Parla (C): next to Parla (C) are"),
    (Move(("N01",), ("D", "XX")), "9.2.b", ("path", 1), "XX is not next to Illescas (D)"),
    (Move(("N01",), ("D", "C", "L")), "9.2.i", ("path", 2),
     "Parla (C) and Getafe (L) are both enemy-controlled"),
    (Move(("N26",), ("D", "C", "D", "B")), "9.2.j", ("path",), "this costs 3 + 3 + 2 = 8"),
    (Move(("N42",), ("D", "C")), "9.2.k", ("path", 1), "artillery cannot enter Parla (C)"),
    (Move(("N01",), ("D", "B")), "3.2.2", ("path", 1), "10 of your units are in Griñón (B)"),
    (Attack(("N01", "N02")), "9.4.1.C1", (), "name the point unit"),
    (Attack(("N01", "N02"), "N03"), "9.4.1.C1", ("point",), "V Bandera does not take part"),
    (Attack(("N01", "N34"), "N01"), "9.4.1.b", ("units", 1), "Bandera FE de Castilla has no"),
    (Attack(("N04",)), "9.4.1.a", ("units",), "no enemy unit is in Casa de Campo (CC)"),
    (Assault(("N01",), ("D", "B")), "3.2.2", ("path", 1), "an area has room for 10 units of a "
                                                          "side"),
    (Assault(("N05",), ("H", "A")), "9.4.1.a", ("path",), "no enemy unit is in Navalcarnero (A)"),
    (Assault(("N01", "N26"), ("D", "C"), "N01"), "9.4.3.a", ("units", 1), "is not a shock unit"),
    (Bombard(("N42", "N01"), "C"), "9.3.b", ("guns", 1), "I Bandera is not artillery"),
    (Bombard(("N42", "N43", "N44", "N45"), "C"), "9.3.c", ("guns",), "at most 3 can bombard "
                                                                     "together"),
    (Bombard(("N42",), "M"), "9.3.a", ("target",), "they can bombard Illescas (D), Parla (C) or"),
    (Bombard(("N42",), "C", "R02"), "9.3.d", ("point",), "the enemy names the point unit"),
    (Bombard(("N42",), "D"), "9.3.d", ("point",),
     "name the point unit in Illescas (D): name one of Col"),
    (Bombard(("N42",), "D", "R02"), "9.3.d", ("point",),
     "Columna Mangada is not an enemy unit in Illescas (D)"),
    (Play("CN2a", "C"), "15.CN2", ("point",), "name the point unit: an enemy unit in Parla (C)"),
    (Play("CN2a", "H", "R02"), "15.CN2", ("target",),
     "Sevilla la Nueva (H) is not a target of this chit"),
    (Play("CN2a", "", "R02"), "15.CN2", ("target",), "name the area to bombard"),
    (Play("CN1a", "C", "R02"), "15.CN1", ("point",), "the enemy names the point unit"),
    (Play("CN5a", "D9"), "15.CN5", ("target",), "no Republican unit is in D9"),
    (Play("CN5a"), "15.CN5", ("target",), "name an area: name one with"),
    (Play("CN5a", "CC"), "15.CN5", ("target",), "no Republican unit is in Casa de Campo (CC)"),
    (Play("CN11a"), "15.CN11", ("use",), "say what the chit is for: fresh or rebuild"),
    (Play("CN6a", use="fresh"), "15.CN6", ("use",), "this chit has one use"),
    (Play("CN6a", "D"), "15.CN6", ("target",), "this chit has no target: leave target out"),
    (Play("CN11a", "D", use="fresh"), "15.CN11", ("target",), "this chit has no target"),
    (Play("CN5a", "C", "R02"), "15.CN5", ("point",), "this chit has no point unit"),
    (Play("CN1a", "C", units=("R02",)), "15.CN1", ("units",), "this chit turns no units"),
    (Play("CN5a", "C", units=("R02", "N01")), "15.CN5", ("units", 1),
     "I Bandera cannot be turned by this chit: name Republican units"),
    (Play("CN11a", use="fresh", units=("R02",)), "15.CN11", ("units", 0), "name Nationalist units"),
    (Play("CN6a", rebuild=(Renewal("N28", "D"),)), "15.CN6", ("rebuild",), "this chit rebuilds "
                                                                           "no unit"),
    (Play("CN6a", use="rebuild", rebuild=(Renewal("N28", "D"),)), "15.CN6", ("rebuild",),
     "this chit rebuilds no unit"),
    (Play("CN11a", use="fresh", rebuild=(Renewal("N28", "D"),)), "15.CN11", ("rebuild",),
     "write use: rebuild, or leave rebuild out"),
    (Play("CN3a"), "6.6", ("chit",), "it is played with your attack or assault"),
    (Play("CN7a"), "6.1", ("chit",), "CN7a is not in your hand: you hold CN1a"),
    (Attack(("N01",), chits=("CN6a",)), "6.5", ("chits", 0), "is a whole impulse"),
    (Attack(("N01",), chits=("CN3a", "CN10a")), "6.6", ("chits", 1), "it is played after the dice"),
    (Attack(("N01",), chits=("CN8a", "CN8b")), "6.4", ("chits", 1), "the second of its kind"),
    (Move(("N01",), ("D", "C"), chits=("CN3a",)), "15.CN3", ("chits", 0), "keep Surprise"),
)  # fmt: skip
HELD = {N: "CN1a CN2a CN3a CN5a CN6a CN8a CN8b CN10a CN11a"}


@pytest.mark.parametrize(("order", "rule", "at", "words"), IMPULSES)
def test_an_impulse_that_is_refused(order, rule, at, words):
    position = field(hands=HELD)
    refused(position, Impulse(N), order, rule, at, words)


def test_costs_that_cannot_be_paid():
    position = table({"D": " ".join(SIX), "C": "R01"}, support={N: 0, R: 0})
    order = Assault(SIX, ("D", "C"), "N01")
    refused(position, Impulse(N), order, "5.3", ("units",), "costs 1 support point, and you have 0")
    dear = Assault(SIX, ("D", "C"), "N01", prepared=True)
    refused(position, Impulse(N), dear, "5.3", ("units",), "costs 2 support points, and you have 0")


def test_what_is_no_area_is_no_target():
    off = table({"D": "N01", "eliminated": "R02"}, hands={N: "CN5a"})
    words = "no Republican unit is in"
    refused(off, Impulse(N), Play("CN5a", "eliminated"), "15.CN5", ("target",), words)
    box = table({"U": "R61", "4": "N01"}, nationalist="H")
    refused(box, Impulse(R), Bombard(("R61",), "4"), "9.3.a", ("target",), "")


def test_the_rule_of_a_target_is_that_of_the_chit_in_the_pause_too():
    position = field(hands={R: "CR1a"}, pause=2)
    refused(position, Impulse(R), Play("CR1a", "K"), "15.CR1", ("target",), "is not a target")
    assert told(position, Impulse(R), Play("CR1a", "D")) == []


def test_a_chit_that_surprises_nobody_needs_no_fire():
    position = table({"AA": "R16"}, hands={R: "CR6a"}, nationalist="D")
    assert told(position, Impulse(R), Move(("R16",), ("AA", "GG"), chits=("CR6a",))) == []


def test_the_pause_binds_nationalists_alone():
    """Each condition of it: whose order it is, and that it is in force."""
    theirs = table({"C": "R40 R61 N01", "D": "N02 R41"}, nationalist="D E", pause=2)
    for order in (
        Move(("R40",), ("C", "E")),
        Attack(("R41",)),
        Assault(("R40",), ("C", "D")),
        Bombard(("R61",), "D", "N02"),
    ):
        assert told(theirs, Impulse(R), order) == [], order


def test_the_flight_of_the_government_binds_republicans_alone():
    position = field(flight=2)
    assert told(position, Impulse(N), Attack(("N01",))) == []
    assert told(position, Impulse(N), Bombard(("N42",), "C")) == []
    ours = table({"C": "R40 N01"}, hands={N: "CN1a CN2a"}, flight=2)
    assert told(ours, Impulse(N), Play("CN1a", "C")) == []


def test_ends_of_moves_and_bans_point_at_the_step():
    option = table({"D": "N10"}, options=("move_ends_on_capture",), nationalist="D B")
    order = Move(("N10",), ("D", "B", "C", "L"))
    refused(option, Impulse(N), order, "3.5.1.a", ("path", 3), "end the path with C")
    banned = table({"Z": "N01"}, nationalist="Z S", facts=())
    order = Move(("N01",), ("Z", "S", "Z", "JJ"))
    refused(
        banned,
        Impulse(N),
        order,
        "12.3.c",
        ("path", 3),
        "the river between Pozuelo de Alarcón (Z) and El Pardo (JJ)",
    )
    paused = table({"D": "N01"}, nationalist="D B", pause=1)
    assert told(paused, Impulse(N), Move(("N01",), ("D", "B"))) == []
    order = Move(("N01",), ("D", "B", "C"))
    refused(
        paused,
        Impulse(N),
        order,
        "12.3.g",
        ("path", 2),
        "during the pause Nationalists may not enter Parla (C)",
    )
    guns = table({"D": "N42"}, nationalist="D B")
    refused(
        guns, Impulse(N), Move(("N42",), ("D", "B", "C")), "9.2.k", ("path", 2), "send other units"
    )
    box = table({"U": "R01"}, nationalist="H")
    refused(
        box, Impulse(R), Move(("R01",), ("U", "4")), "2.8", ("path", 1), "box 4 is enemy-controlled"
    )


ANSWERS = (
    (Defend(("R01",), "R40"), "9.4.1.C3", ("counterattack", 0), "units that can: XI BI - Edgar"),
    (
        Defend(("R40", "R40"), "R40"),
        "9.4.1.C3",
        ("counterattack", 1),
        "XI BI - Edgar André cannot counter-attack",
    ),
    (Defend(), "9.4.1.C6", ("point",), "name a point unit: name one of XI BI"),
    (
        Defend((), "R01"),
        "9.4.1.C6",
        ("point",),
        "Columna Fernández Cavada cannot be the point unit",
    ),
    (Defend((), "R40", ("CR1a",)), "6.5", ("chits", 0), "is a whole impulse"),
    (Defend((), "R40", ("CR3a",)), "15.CR3", ("chits", 0), "the tanks do nothing without a"),
    (
        Defend((), "R40", ("CR4a",), "units"),
        "15.CR4",
        ("chits", 0),
        "no counter-attacking unit could stay fresh",
    ),
)


@pytest.mark.parametrize(("order", "rule", "at", "words"), ANSWERS)
def test_an_answer_that_is_refused(order, rule, at, words):
    position = table({"DD": "N01 R40 R01"}, hands={R: "CR1a CR3a CR4a"})
    refused(position, Defending(Fight(N, "DD", ("N01",), "N01")), order, rule, at, words)


def test_a_fortification_for_units_that_counterattack_is_taken():
    position = table({"DD": "N01 R40 R01"}, hands={R: "CR3a CR4a"})
    stage = Defending(Fight(N, "DD", ("N01",), "N01"))
    assert told(position, stage, Defend(("R40",), "R40", ("CR4a",), "units")) == []
    assert told(position, stage, Defend((), "R40", ("CR4a",), "terrain")) == []
    assert told(position, stage, Defend(("R40",), "R40", ("CR3a",), "units")) == []
    idle = told(position, stage, Defend((), "R40", ("CR3a",), "units"))
    assert [each[0] for each in idle] == ["15.CR3"]


OTHERS = (
    (Naming(Shelling(N, "C")), Name("R05"), "9.3.d", ("point",),
     "Columna Mena is not one of your units in Parla (C)"),
    (Naming(Shelling(N, "C")), Name("R02", ("CR1a",)), "6.5", ("chits", 0), "whole impulse"),
    (Firing(Incoming(N, "AA", ("N04",), "N04", "CC")), Fire(("CR4a",)), "6.6", ("chits", 0),
     "it is played in your answer to an attack"),
    (Bracing(Incoming(N, "AA", ("N04",), "N04", "CC")), Brace(("CN1a",)), "6.5", ("chits", 0),
     "whole impulse"),
    (Sparing(Fight(N, "D", ("N01",), "N01")), Spare("CR1a"), "6.5", ("chit",), "whole impulse"),
    (Countering(Fight(N, "D", ("N01",), "N01")), Counter("CN8a"), "6.6", ("chit",),
     "it is played with your attack"),
    (Rerolling((1, 2), Impulse(N), Impulse(N)), Reroll("CN4a"), "6.1", ("chit",), "not in your"),
    (Leading(Fight(N, "AA", ("N04",), "N01")), Lead("N01"), "9.5.g", ("point",),
     "name one of VI Bandera, or leave point out to stop"),
    (Keeping(R, Move(("R16", "R40"), ("AA", "GG"))), Keep("all"), "15.CN6", ("group",), "write an"),
    (Keeping(R, Move(("R16", "R40"), ("AA", "GG"))), Keep("anarchists", "R40"), "15.CN6",
     ("point",), "XI BI - Edgar André would not act then"),
    (Keeping(R, Move(("R16", "R40"), ("AA", "GG"))), Keep("communists", "R41"), "15.CN6",
     ("point",), "name a unit that would still act"),
    (PickingUnits(R, ("R40", "R41"), 1, "", "15.CR5"), Pick(("R01",)), "15.CR5", ("units", 0),
     "Columna Fernández Cavada cannot be picked: name 1 of XI BI - Edgar"),
    (PickingUnits(R, ("R40", "R41"), 1, "", "15.CR5"), Pick(()), "15.CR5", ("units",),
     "0 units are named, and 1 must be"),
    (PickingUnits(N, ("R40", "R41"), 2, "C", "15.CN5"), Pick(("R40",)), "15.CN5", ("units",),
     "1 unit is named, and 2 must be"),
    (Drawing(N), DrawChits(6), "6.3", ("chits",), "you may draw up to"),
    (PuttingBack(N), PutBack(("CR1a",)), "6.9", ("chits", 0), "you hold CN1a"),
    (PuttingBack(R), PutBack(("CR2a",)), "6.9", ("chits", 0), "you hold CR1a and CR4a"),
    (Pausing(), Pause("end"), "12.3.d", ("say",), "say keep or begin"),
    (Arriving(R, ("R30",)), PlaceUnits({"R30": "C"}), "7.1", ("units", "R30"),
     "it may arrive in Valdemoro (M) or Pinto (N)"),
    (Rebuilding(N), Rebuild((Renewal("N01", "D", "N02"),)), "8.3", ("units", 0, "unit"),
     "I Bandera is not an eliminated unit that you can still use"),
    (Rebuilding(N), Rebuild((Renewal("N27", "D"),)), "8.3", ("units", 0, "gives"),
     "name the unit that"),
    (Rebuilding(N), Rebuild((Renewal("N27", "AA", "N28"),)), "8.5", ("units", 0, "to"),
     "Madrid (AA) is not one of your areas"),
)  # fmt: skip


@pytest.mark.parametrize(("stage", "order", "rule", "at", "words"), OTHERS)
def test_other_answers_that_are_refused(stage, order, rule, at, words):
    more = {"eliminated": "N27 N28", "track": "R30"}
    held = {N: "CN1a CN8a", R: "CR1a CR4a"}
    position = table(FIELD | more, nationalist="D B CC H", hands=held, turn=3)
    refused(position, stage, order, rule, at, words)


@pytest.mark.rule("9.6.d", "9.6.f", "9.6.g")
@pytest.mark.parametrize(
    ("point", "points", "order", "rules"),
    [
        ("R60", 8, Lose((), {"R01": "S"}, ("R02", "R60")), ["9.6.g"]),
        ("R60", 8, Lose((), {"R60": "S"}, ("R01", "R02")), ["9.6.f", "9.6.f"]),
        ("R01", 8, Lose((), {}, ("R01", "R02", "R60")), ["9.6.d"]),  # nine points
        ("R01", 8, Lose((), {"R60": "S", "R02": "S"}, ("R01",)), ["9.6.d"]),  # seven
    ],
)
def test_losses_that_cannot_be_taken_break_what_keeps_them_from_it(point, points, order, rules):
    stage = Losing(R, ("R01", "R02", "R60"), point, points, "")
    state = State(table({"X": "R01 R02 R60"}), (stage,))
    assert [each.rule for each in kernel.violations(state, order)] == rules


KEYS = (
    (Losing(R, ("R40", "R41"), "R40", 2, ""), Lose(("R01",)), "9.6.c", ("spend", 0), False),
    (Losing(R, ("R40", "R41"), "R40", 2, ""), Lose((), {"R01": "LL"}), "9.6.c",
     ("retreat", "R01"), True),
    (Losing(R, ("R40", "R41"), "R40", 2, ""), Lose(("R40",), {"R40": "LL"}), "9.6.b",
     ("retreat", "R40"), True),
    (Losing(R, ("R40", "R41"), "R40", 2, ""), Lose((), {"R41": "LL"}), "9.6.f",
     ("retreat", "R41"), True),
    (Losing(R, ("R40", "R41"), "R40", 1, ""), Lose(("R41",)), "9.6.f", ("spend", 0), False),
    (Losing(R, ("R40", "R41"), "R40", 3, ""), Lose((), {}, ("R41",)), "9.6.f",
     ("eliminate", 0), False),
    (Losing(R, ("R40", "R41"), "R40", 2, ""), Lose((), {"R40": "CC"}), "9.7.a",
     ("retreat", "R40"), False),
    (Retreating(R, ("R40",)), Retreat({"R40": "LL", "R41": "LL"}), "9.7.a", ("to", "R41"), True),
    (Retreating(R, ("R40", "R41")), Retreat({"R40": "LL"}), "9.7.a", ("to",), False),
    (Arriving(R, ("R30",)), PlaceUnits({"R30": "M", "R31": "M"}), "7.1", ("units", "R31"), True),
    (SetUp(R, ("R17",)), PlaceUnits({"R17": "M", "R18": "M"}), "1.1.9", ("units", "R18"), True),
)  # fmt: skip


@pytest.mark.parametrize(("stage", "order", "rule", "at", "is_key"), KEYS)
def test_a_unit_that_is_a_key_is_pointed_at(stage, order, rule, at, is_key):
    position = table(FIELD | {"track": "R17 R30"}, nationalist="D B CC H", turn=3)
    refused(position, stage, order, rule, at, "", is_key)


def test_a_turn_that_is_not_offered():
    position = table(scenario="scenario_2")
    refused(position, Begins(), Begin(9), "12.2.a", ("turn",), "on turn 10 or 11")


@pytest.mark.rule("7.1", "9.0.1")
def test_a_unit_that_is_still_to_come_is_told_its_turn():
    for turn, hint in ((2, "it arrives on turn 3"), (3, "it has not arrived yet")):
        position = table({"D": "N01", "track": "R30"}, turn=turn)
        refused(position, Impulse(R), Move(("R30",), ("AA", "BB")), "9.0.1", ("units", 0), hint)
