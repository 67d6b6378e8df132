"""The chances of attacks, assaults and bombardments: dossier cases, and every fall rolled."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, Order, Side, State
from pbem.engine.odds import Chances, percent
from pbem.games.madrid import events as e
from pbem.games.madrid.orders import Assault, Attack, Bombard, Successor
from pbem.games.madrid.position import STRIFE, Position
from pbem.games.madrid.rules.combat import Fight
from pbem.games.madrid.stages.combat import Struck
from pbem.games.madrid.stages.turn import Drawing
from pbem.games.madrid.tables import ENEMY
from pbem.play.odds import AttackOdds, in_short, odds_of, said
from pbem.play.prepare import Prepared, Tried
from pbem.play.table import Table
from tests.bots import ScriptedDice
from tests.games.madrid.table import N, R, impulse, system, table

FACES = range(1, 7)
Result = tuple[Side, int, int]


def chances(position: Position, side: Side, order: Order) -> Chances:
    return system().odds.of(impulse(position, side), order)


def shares(told: Chances) -> dict[Result, Fraction]:
    """Who wins, and the points that attacker and defender lose, each with its share."""
    found: Counter[Result] = Counter()
    for branch in told.branches:
        found[branch.winner, branch.lost[0][1], branch.lost[1][1]] += branch.ways  # type: ignore[index]
    return {result: Fraction(ways, told.ways) for result, ways in found.items()}


def rolled(position: Position, side: Side, order: Order, *faces: int) -> Result:
    """The same for one fall of all dice, by orders and dice alone."""
    dice, step = ScriptedDice(*faces), kernel.submit(impulse(position, side), order)
    area = order.path[-1] if isinstance(order, Assault) else "C"
    ours = theirs = 0
    wins = False
    while True:
        for event in step.events:
            match event:
                case e.FireReturned(losses=points):
                    ours += points
                case e.CombatRolled(losses=mine, enemy_losses=other):
                    wins = sum(event.kept) + event.attack > event.defence
                    return (side if wins else ENEMY[side]), ours + mine, other
        if not step.state.agenda:
            wins = not step.state.position.units_at(area, ENEMY[side])
            return (side if wins else ENEMY[side]), ours, theirs
        asked = kernel.waits_for(step.state)
        if isinstance(asked, Decision):
            step = kernel.submit(step.state, asked.default)
        else:
            step = kernel.roll(step.state, dice)


def notes(told: Chances) -> list[str]:
    assert all(each.number == 0 for each in told.notes), "a note shifts nothing"
    return [str(each.words) for each in told.notes]


@pytest.mark.rule("9.4.1.C2", "9.4.1.C7")
def test_an_attack_is_told_as_every_fall_of_its_dice_brings_it() -> None:
    """One unit tests its morale and one does not; the attack is rolled for in any case."""
    position = table({"C": "N01 N10 R05 R40"}, nationalist="C", morale="crumbling")
    order = Attack(("N01", "N10"), "N01")
    told = chances(position, N, order)
    assert (told.lost.one, told.where) == ("a point", "Parla (C)")
    found = Counter(rolled(position, N, order, *faces) for faces in product(FACES, repeat=3))
    assert shares(told) == {each: Fraction(ways, 216) for each, ways in found.items()}
    assert notes(told)[0] == "the chance of passing each morale test, at +2: 33 %"


@pytest.mark.rule("9.4.1.C7", "9.6.a")
def test_an_attack_that_everybody_flees_from_is_won_without_dice() -> None:
    """Two of three times; otherwise two points are needed for the one unit that stayed."""
    position = table({"C": "N01 R05"}, nationalist="C", morale="crumbling")
    order = Attack(("N01",), "N01")
    told = chances(position, N, order)
    found = Counter(rolled(position, N, order, *faces) for faces in product(FACES, repeat=3))
    assert shares(told) == {each: Fraction(ways, 216) for each, ways in found.items()}
    gone = 144 + sum(ways for (_, _, points), ways in found.items() if points >= 2)
    assert f"no defender is left: {percent(gone, 216)}" in notes(told)


@pytest.mark.rule("9.4.1.C2", "9.4.1.C6")
def test_who_leads_the_defence_is_told_with_the_share_of_each() -> None:
    """Two of three stay: the first leads then, the second if it alone stays."""
    position = table({"C": "N01 R01 R08"}, nationalist="C", morale="bad")
    told = chances(position, N, Attack(("N01",), "N01"))
    _, defence = told.salvos
    assert dict(defence.spread) == {6: told.ways * 2 // 3, 5: told.ways * 2 // 9}
    assert notes(told)[1] == "it ends before its dice are rolled: 11 %"


@pytest.mark.rule("9.4.1.C3")
def test_what_a_counter_attack_costs_begins_with_one_point() -> None:
    position = table({"DD": "N01 R40"}, nationalist="DD")
    told = chances(position, N, Attack(("N01",), "N01"))
    fight = Fight(N, "DD", ("N01",), "N01", counterattack=("R40",), enemy_point="R40")
    ours = [Struck(fight, faces).losses(position)[0] for faces in product(FACES, repeat=2)]
    assert 1 in ours
    costs = percent(sum(points > 0 for points in ours), 36)
    assert notes(told)[-1].endswith(f"loses a point or more {costs}")


@pytest.mark.rule("3.4.2.c", "9.4.1.C2")
def test_an_attack_whose_morale_tests_nobody_can_fail_has_odds() -> None:
    """Good morale and more Republicans: a 6 is still a 3, so the tests change nothing."""
    position = table({"C": "N01 R05 R40"}, nationalist="C", morale="good")
    told = chances(position, N, Attack(("N01",), "N01"))
    assert notes(told)[0] == "the chance of passing each morale test, at -3: 100 %"
    alone = table({"C": "N01 R40 R41"}, nationalist="C", morale="good")
    assert shares(told) == shares(chances(alone, N, Attack(("N01",), "N01")))


@pytest.mark.rule("9.4.1.C7")
@pytest.mark.parametrize("option", ["losses_as_printed", "losses_on_success"])
@pytest.mark.parametrize("side", [N, R])
def test_an_attack_may_win_where_nobody_loses(option: str, side: Side) -> None:
    """As printed the defender loses nothing to a weaker attack, which may win all the same."""
    position = table({"DD": "N01 N42 R40 R41"}, nationalist="DD", options=(option,))
    units = ("N01", "N42") if side == N else ("R40", "R41")
    order = Attack(units, units[0])
    found = Counter(rolled(position, side, order, *faces) for faces in product(FACES, repeat=2))
    told = chances(position, side, order)
    assert shares(told) == {each: Fraction(ways, 36) for each, ways in found.items()}
    wins = told.ways_where(lambda each: each.winner == side)
    assert 0 < wins < told.ways
    (counter,) = [each for each in notes(told) if "counter-attack" in each]
    assert f": wins {percent(wins, told.ways)}, " in counter


@pytest.mark.rule("9.4.3.b", "9.5.e", "9.5.g")
@pytest.mark.parametrize("said_so", ["", Successor("N02")])
def test_an_assault_is_told_with_the_fire_at_it(said_so: Any) -> None:
    """Of the fire one fall of each sum is rolled, with the number of those like it."""
    position = table({"CC": "N01 N02", "AA": "R40 R05s"}, nationalist="CC")
    order = Assault(("N01", "N02"), ("CC", "AA"), "N01", if_point_hit=said_so)
    sums = {sum(faces): faces for faces in product(FACES, repeat=2)}
    found: Counter[Result] = Counter()
    for total, fire in sums.items():
        dice = 2 if total + 2 <= 7 else 3 if said_so else 0
        for faces in product(FACES, repeat=dice) if dice < 3 else WORST:
            weight = WORST[faces] if dice == 3 else 6 ** (3 - dice)
            found[rolled(position, N, order, *fire, *faces)] += (6 - abs(7 - total)) * weight
    assert shares(chances(position, N, order)) == {
        each: Fraction(ways, 36 * 216) for each, ways in found.items()
    }


WORST: Counter[tuple[int, ...]] = Counter()
"""Three dice: for each sum of the two worst a fall, and how many bring that sum."""
for _faces in product(FACES, repeat=3):
    _two = sorted(_faces)[:2]
    WORST[_two[0], _two[1], 6] += 1


@pytest.mark.rule("9.3.g", "9.3.h")
def test_bombardments_are_told_as_the_dossier_reckons_them() -> None:
    """T03: two guns from beside, modifier 3 against 6. T04: three in the area, 5 against 7."""
    position = table({"S": "N42 N43", "K": "R06s R03s R05"}, nationalist="S")
    told = chances(position, N, Bombard(("N42", "N43"), "K"))
    guns, led = told.salvos
    assert (str(guns.called), guns.strength, str(guns.column)) == ("modifier", 3, "2D6")
    terrain = position.terrain("K")
    assert led.strength == 5 + terrain and str(led.column) == "led by Columna Mena"
    losses = {points: Fraction(ways, told.ways) for points, ways in told.spread(R).items()}
    assert losses[9 + 3 - 5 - terrain] == Fraction(4, 36)
    assert told.spread(N) == {0: told.ways} and losses[1] > 0
    wins = told.ways_where(lambda each: each.winner == N)
    assert wins == told.ways - told.spread(R)[0], "a point is enough"
    own = table({"X": "N42 N43 N44 R05"}, nationalist="X")
    told = chances(own, N, Bombard(("N42", "N43", "N44"), "X", "R05"))
    assert (told.salvos[0].strength, str(told.salvos[0].column)) == (5, "the best two of 3D6")
    points = 10 + 5 - 5 - own.terrain("X")
    tens = [faces for faces in product(FACES, repeat=3) if sum(sorted(faces)[1:]) == 10]
    assert Fraction(told.spread(R)[points], told.ways) == Fraction(len(tens), 216)


@pytest.mark.rule("9.4.1.C3", "9.4.1.C4", "9.4.2.b")
def test_the_strengths_of_the_dossier_are_told_with_a_counter_attack_as_what_if() -> None:
    """T02: 9 against 10 at intensity 10, where the two brigades counter-attack."""
    there = "N01 N02 N10 N11 N26 R40 R41 R05 R01 R02 R03s R06s"
    position = table({"DD": there}, nationalist="DD")
    units = ("N01", "N02", "N10", "N11", "N26")
    told = chances(position, N, Attack(units, "N01", prepared=True))
    attack, defence = told.salvos
    called = [str(each.called) for each in told.salvos]
    assert called == ["attack value", "defence value"] and attack.strength == 9
    assert str(attack.column) == "the best two of 3D6 at intensity 6" and defence.strength == 10
    (counter,) = [each for each in notes(told) if "counter-attack" in each]
    at_ten = Struck(
        Fight(N, "DD", units, "N01", is_prepared=True, counterattack=("R40", "R41"),
              enemy_point="R40"), (5, 4, 2),
    )  # fmt: skip
    assert at_ten.losses(position) == (1, 8)
    costs = sum(at_ten_loses(faces) for faces in product(FACES, repeat=3))
    loses = f"loses a point or more {percent(costs, 216)}"
    assert counter == f"if all units that can counter-attack do: wins 100 %, {loses}"


def at_ten_loses(faces: tuple[int, ...]) -> bool:
    return sum(sorted(faces)[1:]) < 10


@pytest.mark.rule("15.CN10")
def test_a_roll_again_is_told_where_the_chit_may_be_played() -> None:
    held = {"hands": {N: "CN10a"}}
    position = table({"DD": "N01 N42 R40"}, nationalist="DD", **held)
    for side, order, told in (
        (R, Attack(("R40",), "R40"), lambda wins: wins**2),
        (N, Attack(("N42",), "N42"), lambda wins: 1 - (1 - wins) ** 2),
    ):  # fmt: skip
        found = chances(position, side, order)
        wins = Fraction(found.ways_where(lambda each, who=side: each.winner == who), found.ways)  # type: ignore[misc]
        share = told(wins)
        assert 0 < share < 1
        assert notes(found)[-1].endswith(f"wins {percent(share.numerator, share.denominator)}")
        assert found.notes[-1].rule == "15.CN10"
        assert any(each.rule == "15.CN10" for each in found.supposed)
    gone = chances(table({"DD": "N01 N42 R40"}, nationalist="DD"), R, Attack(("R40",), "R40"))
    assert all(each.rule != "15.CN10" for each in (*gone.notes, *gone.supposed))


@pytest.mark.rule("15.CN10", "9.5.e")
@pytest.mark.parametrize("said_so", ["", Successor("N02")])
def test_the_fire_too_may_be_rolled_again_but_then_not_the_attack(said_so: Any) -> None:
    """Each sum of the fire and of the attack is rolled; the chit is played where it helps more."""
    position = table({"CC": "N01 N02", "AA": "R40 R05s"}, nationalist="CC", hands={N: "CN10a"})
    order = Assault(("N01", "N02"), ("CC", "AA"), "N01", if_point_hit=said_so)
    sums = {sum(faces): faces for faces in product(FACES, repeat=2)}
    once: dict[int, Fraction] = {}
    for total, fire in sums.items():
        worst = total + 2 > 7
        falls = WORST if worst else {faces: 6 - abs(7 - at) for at, faces in sums.items()}
        if worst and not said_so:
            falls = Counter({(): 1})
        wins = sum(ways for faces, ways in falls.items()
                   if rolled(position, N, order, *fire, *faces)[0] == N)  # fmt: skip
        once[total] = Fraction(wins, sum(falls.values()))
    of_fire = {total: Fraction(6 - abs(7 - total), 36) for total in sums}
    without = sum(of_fire[total] * once[total] for total in sums)
    share = sum(of_fire[total] * max(1 - (1 - once[total]) ** 2, without) for total in sums)
    attack_alone = sum(of_fire[total] * (1 - (1 - once[total]) ** 2) for total in sums)
    assert share > attack_alone > without
    told = chances(position, N, order)
    assert notes(told)[-1] == (
        "if the fire or a failed attack is rolled again, whichever helps more: wins "
        + percent(share.numerator, share.denominator)
    )


@pytest.mark.rule("6.6", "15.CN3", "15.CN8")
def test_each_chit_of_the_hand_that_may_go_with_it_is_told() -> None:
    """Of two copies one; none of another window, of another side or of a kind that is given."""
    hands = {N: "CN3a CN8a CN8b CN10a CN1a", R: "CR3a"}
    position = table({"C": "N01 R40 R41"}, nationalist="C", hands=hands)
    state, odds = impulse(position, N), system().odds
    plain = Attack(("N01",), "N01")
    more = {str(chit): order for chit, order in odds.with_more(state, plain)}
    assert [*more] == ["Surprise (CN3a)", "Stampede (CN8a)"]
    assert more["Surprise (CN3a)"] == Attack(("N01",), "N01", chits=("CN3a",))
    with_one = Attack(("N01",), "N01", chits=("CN3a",))
    assert [str(chit) for chit, _ in odds.with_more(state, with_one)] == ["Stampede (CN8a)"]
    noted = notes(odds.of(state, more["Stampede (CN8a)"]))[0]
    assert noted.startswith("the chance of passing each morale test")
    gun = table({"S": "N42", "K": "R06s"}, nationalist="S", hands={N: "CN3a CN4a"})
    assert [*odds.with_more(impulse(gun, N), Bombard(("N42",), "K"))] == []


@pytest.mark.rule("9.6.a", "9.6.e", "9.6.f")
@pytest.mark.parametrize(
    ("here", "least"),
    [("R17s", 1), ("R17", 2), ("R17s R18s", 3), ("R17 R18", 5)],
)
def test_who_must_retreat_is_not_left_either(here: str, least: int) -> None:
    """Of two spent units one can be spared by the death of the other, but not of three points."""
    told = chances(table({"U": f"N01 {here}"}), N, Attack(("N01",), "N01"))
    ways = told.ways_where(lambda each: each.lost_by(R) >= least)
    assert ways > 0 and f"no defender is left: {percent(ways, told.ways)}" in notes(told)


@pytest.mark.rule("15.CN6")
def test_who_acts_in_strife_is_told() -> None:
    position = table({"U": "R50 R07 N01"}, facts=("rivers_open", STRIFE))
    told = chances(position, R, Attack(("R07", "R50"), "R07"))
    assert "of two groups in strife the anarchists act" in [str(e.words) for e in told.supposed]
    attack, _ = told.salvos
    both, one = attack.spread
    assert attack.strength == both[0] > one[0] and both[1] == one[1] == told.ways // 2
    lines = [*said((AttackOdds(Told("orders.yaml:2"), told),), system().words)]
    assert lines[1] == "  Republican: attack value 2 (50 %) or 1 (50 %), 2D6 at intensity 5"
    assert ": 2 or 1 against 8 in " in str(next(in_short(AttackOdds(Told("orders.yaml:2"), told))))


@pytest.mark.rule("9.5.g")
def test_what_fire_makes_of_an_assault_is_told_with_its_share() -> None:
    """Of two units one is lost to the fire where its sum is 6 to 8, 16 of 36 falls; then both."""
    position = table({"CC": "N01 N02", "AA": "R40 R05s"}, nationalist="CC")
    order = Assault(("N01", "N02"), ("CC", "AA"), "N01", if_point_hit=Successor("N02"))
    told = chances(position, N, order)
    attack, defence = told.salvos
    assert dict(attack.spread) == {4: told.ways * 10 // 36, 2: told.ways * 16 // 36}
    assert str(attack.column) == "2D6 or the worst two of 3D6 at intensity 6 or 7"
    assert not defence.spread
    stops = chances(position, N, Assault(("N01", "N02"), ("CC", "AA"), "N01"))
    assert notes(stops)[0] == "it ends before its dice are rolled: 72 %"


def test_the_words_of_a_player() -> None:
    position = table({"DD": "N01 R40 R41"}, nationalist="DD")
    told = AttackOdds(Told("orders.yaml:2"), chances(position, R, Attack(("R40", "R41"), "R40")))
    lines = [*said((told,), system().words)]
    assert lines[1:3] == [
        "  Republican: attack value 4, 2D6 at intensity 5",
        "  Nationalist: defence value 10, led by I Bandera",
    ]
    first, *others = map(str, in_short(told))
    assert first == (
        "orders.yaml:2: 4 against 10 in Carabanchel (DD): wins 58 %, loses a point or more 17 %"
    )
    assert others and all(each.startswith("  ") and each.endswith("]") for each in others)


class Told:
    """An order of a file, as far as its chances are told."""

    is_ahead = is_passed_over = False

    def __init__(self, where: str) -> None:
        self.where = where


def test_an_attack_that_waits_for_another_question_has_no_odds_yet() -> None:
    state = State(table({"DD": "N01 R40"}), (Drawing(N),))
    here = Table(system(), {"A": N, "B": R}, state)
    tried = Tried("o.yaml:3", here, Attack(("N01",), "N01"), is_ahead=True)
    (told,) = odds_of(Prepared((), (), (), 1, here, tried=(tried,)))
    assert str(told.why) == "not known before its turn comes"
