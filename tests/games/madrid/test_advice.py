"""What `check` tells of an order before it is sent."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.engine.model import State
from pbem.games.madrid.orders import Again, Assault, Attack, Bombard, DrawChits, Lead, Move, Pass
from pbem.games.madrid.rules.combat import Fight
from pbem.games.madrid.stages.impulse import GoingOn, Impulse
from pbem.games.madrid.stages.march import Leading
from tests.games.madrid.table import N, R, face_down, impulse, system, table

CITY = {"CC": "N01 N02 N10", "AA": "R40 R03 R61", "S": "N42", "K": "R01 R02s"}


def told(position, side, order):
    return [*map(str, system().advice.remarks(impulse(position, side), order))]


def city(**changes):
    return table(CITY, nationalist="D CC S", **changes)


def test_a_move_tells_its_points_and_who_may_fire():
    order = Move(("N01", "N02"), ("CC", "AA"), "N02")
    assert told(city(), N, order) == [
        "it costs 3 of 5 movement points",
        "the enemy in Madrid (AA) may fire with strength 4 at IV Bandera, defence 7",
    ]
    surprise = Move(("N01",), ("CC", "AA"), chits=("CN3a",))
    assert told(city(hands={N: "CN3a"}), N, surprise) == ["it costs 3 of 5 movement points"]
    assert told(city(), N, Pass()) == [] == told(city(), N, DrawChits(2))


ENDS = "the impulses of this turn end with it, and your fresh units in {} have not acted (9.0.2)"
RUN = "it gives away the {} left to you before the enemy's (9.0.2)"
BOTH_SIDES = {"D": "N01", "4": "N02", "C": "N03s", "E": "R01", "K": "R02s"}
SPENT_REDS = frozenset({"R01", "R02"})


@pytest.mark.rule("9.0.2")
@pytest.mark.parametrize(
    ("side", "changes", "lines"),
    [
        (N, {}, []),  # the enemy goes on, and a pass bars nothing
        (N, {"passes": 1}, [ENDS.format("Illescas (D) and box 4")]),
        (R, {"passes": 1}, [ENDS.format("Seseña (E)")]),
        (N, {"passes": 1, "spent": frozenset({"N01", "N02", "N03"})}, []),  # nothing to give away
        (N, {"spent": SPENT_REDS}, [ENDS.format("Parla (C), Illescas (D) and box 4")]),
        (N, {"spent": SPENT_REDS, "hands": {R: "CR7a"}}, []),
        (N, {"run": 1}, [RUN.format("1 impulse")]),
        (N, {"run": 3}, [RUN.format("3 impulses")]),
        (N, {"run": 3, "spent": frozenset({"N01", "N02", "N03"})}, []),
    ],
)
def test_a_pass_tells_what_it_gives_away(side, changes, lines):
    position = table(BOTH_SIDES, nationalist="D C", **changes)
    assert told(position, side, Pass()) == lines


@pytest.mark.rule("9.5.g")
def test_an_assault_that_is_stopped_tells_who_is_spent_for_nothing():
    def of(lead, *units):
        stage = Leading(Fight(N, "AA", units, "N01"))
        remarks = system().advice.remarks(State(city(), (stage,)), lead)
        return [*map(str, remarks)]

    assert of(Lead(), "N02") == ["IV Bandera does not attack, and is spent (9.5.g)"]
    both = "IV Bandera and I Tabor de Tetuán do not attack, and are spent (9.5.g)"
    assert of(Lead(), "N02", "N10") == [both] and of(Lead("N02"), "N02", "N10") == []


@pytest.mark.rule("15.CR7")
def test_an_impulse_after_ones_own_is_told_of_its_chit():
    over, begun = State(city(), (GoingOn(),)), State(city(), (Impulse(R),))
    for order, said in (
        (Move(("R40",), ("AA", "BB")), "only the chit CR7 gives you a second one"),
        (Pass(), "a second one is declined with again: none"),
    ):
        why = system().advice.why_not_now(over, order)
        assert why is not None and said in str(why.message) and why.rule == "15.CR7"
        assert system().advice.why_not_now(begun, order) is None
    assert system().advice.why_not_now(over, DrawChits(2)) is None


@pytest.mark.rule("15.CR7")
def test_the_second_impulse_can_be_declined_in_advance():
    """One mail an impulse: who holds a chit face down is not asked for it after a plain move."""

    def closing(side, position, stage=None):
        state = kernel.begin(State(position, (stage or Impulse(side),))).state
        decision = kernel.waits_for(state)
        return system().advice.closing(state, decision)

    base = table({"D": "N01", "AA": "R16"}, hands={R: "CR1a", N: "CN1a"})
    hidden, _ = face_down(base)
    assert closing(R, hidden) == Again() == closing(R, hidden, GoingOn())
    assert closing(N, hidden) is None and closing(R, base) is None


def test_an_assault_tells_its_intensity_and_its_price():
    order = Assault(("N01", "N02", "N10"), ("CC", "AA"), "N01", prepared=True)
    assert told(city(), N, order)[0] == "it costs 1 support point, which leaves 9"
    assert told(city(), N, order)[-1] == (
        "the attack value is 6 and the intensity 6, or 10 if all units that can counter-attack do; "
        "units that leave before the dice change these"
    )
    six = Attack(("N01", "N02", "N04", "N05", "N06", "N10"), "N01", prepared=True)
    position = table({"C": " ".join((*six.units, "R17"))}, nationalist="D")
    assert told(position, N, six)[0] == "it costs 2 support points, which leaves 8"
    surprise = Assault(("N01", "N02", "N10"), ("CC", "AA"), "N01", chits=("CN3a",))
    assert told(city(hands={N: "CN3a"}), N, surprise)[-1] == (
        "the attack value is 6 and the intensity 6"
    )


def test_nobody_is_fired_at_where_a_friend_stands():
    position = table({"CC": "N01 N02", "AA": "N10 R61"}, nationalist="D CC S")
    order = Assault(("N01", "N02"), ("CC", "AA"), "N01")
    assert told(position, N, order)[-1] == (
        "the attack value is 4 and the intensity 5, or 6 if all units that can counter-attack do"
    )


def test_whoever_counter_attacks_raises_the_intensity_and_tanks_do():
    """A counter-attack is told by what the rules make of it; Tanks! only while they may come."""
    attack = Attack(("N01",))
    there = {"DD": "N01 R40 R41"}
    for changes, tanks in (
        ({}, " (13 with Tanks!)"),
        ({"turn": 2}, ""),
        ({"played": ("CR3b",)}, ""),
        ({"hands": {}}, ""),
    ):
        with_tanks = table(there, **{"hands": {R: "CR3a"}, **changes})
        assert told(with_tanks, N, attack) == [
            f"the attack value is 2 and the intensity 6, or 10 if all units that can "
            f"counter-attack do{tanks}"
        ]
    back = table({"DD": "N01 R40"}, nationalist="DD")
    assert told(back, R, Attack(("R40",))) == [
        "the attack value is 2 and the intensity 5, or 7 if all units that can counter-attack do"
    ]


def test_an_attack_in_the_open_tells_who_tests():
    position = table({"C": "N01 N02 R01 R17"}, nationalist="D", morale="crumbling")
    assert told(position, N, Attack(("N01", "N02"), "N01")) == [
        "Columna Fernández Cavada must test morale first, at +2",
        "the attack value is 4 and the intensity 5, or 6 if all units that can counter-attack do; "
        "units that leave before the dice change these",
    ]
    spent = table({"DD": "N01 R01s"})
    assert told(spent, N, Attack(("N01",))) == ["the attack value is 2 and the intensity 3"]


@pytest.mark.rule("3.4.1.d", "3.4.2.b")
def test_an_assault_out_of_the_city_tells_the_morale_that_it_raises():
    position = table({"DD": "N14 R20", "K": "R01"}, nationalist="DD", morale="bad")
    assert told(position, N, Assault(("N14",), ("DD", "K")))[1] == (
        "Columna Fernández Cavada must test morale first, at +0"
    )


def test_chits_of_an_attack_are_reckoned_with():
    tanks = Attack(("R40",), chits=("CR3a",))
    told_of = told(table({"C": "N26 R40"}, nationalist="D", hands={R: "CR3a"}), R, tanks)
    assert told_of[0].startswith("the attack value is 5 and")
    suburb = table({"DD": "N01 N02 R01 R02"}, hands={N: "CN8a"}, morale="firm")
    assert told(suburb, N, Attack(("N01",), chits=("CN8a",)))[0] == (
        "Columna Fernández Cavada and Columna Mangada must test morale first, at -2"
    )
    assert told(suburb, N, Attack(("N01",)))[0].startswith("the attack value is")


@pytest.mark.parametrize(
    ("at", "order", "line"),
    [
        (CITY, Bombard(("N42",), "K"), "2D6 + 1 against 6 or 7"),
        ({"S": "N42 N43 R01"}, Bombard(("N42", "N43"), "S", "R01"),
         "the best two of 3D6 + 3 against 7"),
    ],
)  # fmt: skip
def test_a_bombardment_tells_its_arithmetic(at, order, line):
    assert told(table(at, nationalist="D CC S"), N, order) == [line]


def test_a_republican_attack_tells_no_tests():
    position = table({"C": "N26 R40"}, nationalist="D")
    assert told(position, R, Attack(("R40",)))[0].startswith("the attack value is 2")
