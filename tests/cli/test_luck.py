"""pbem luck: each attack against its odds, and the averages of the dice."""

from __future__ import annotations

import pytest

from pbem.messages import say, words
from pbem.play.luck import Luck, Thrown, _in_general, _when, lines
from pbem.play.systems import opened
from tests.cli.desk import Desk
from tests.games.nopasaran.table import N, activated, start


def test_attacks_and_dice(desk: Desk) -> None:
    found = desk.pbem("luck", "g4.json", "--json").json()
    (attack,) = found["attacks"]
    assert attack["entry"] == 3 and attack["where"] == "Riotinto"
    assert attack["attacker"] == attack["winner"] == "nationalist"
    sides = {each["side"]: each["number"] for each in attack["lost"]}
    assert sides == {"nationalist": 1, "republican": 2}
    rolls = [roll for roll in desk.pbem("dice", "g4.json", "--json").json()["rolls"]
             if roll["faces"]]  # fmt: skip
    assert sum(each["count"] for each in found["dice"]) == len(rolls) == 2
    for each in found["dice"]:
        (face,) = [roll["face"] for roll in rolls if roll["purpose"] == each["purpose"]]
        assert each["average"] == face and each["expected"] == 3.5


def test_the_odds_are_those_of_the_order(desk: Desk) -> None:
    orders = desk.orders(
        "play: {card: N1, for: event}", "activate: {attack: [sevilla, huelva]}",
        "attack: {space: riotinto, units: {huelva: [CAV-7], sevilla: [INF-15, N-POL-4]}}",
    )  # fmt: skip
    (told,) = desk.pbem("odds", "g2.json", orders, "--key", "ana.key", "--json").json()
    (attack,) = desk.pbem("luck", "g4.json", "--json").json()["attacks"]
    wins = sum(each["ways"] for each in told["branches"] if each["winner"] == "nationalist")
    assert attack["chance"] == [wins, told["ways"]]
    expected = {
        side: round(sum(each["ways"] * each["lost"][side] for each in told["branches"])
                    / told["ways"], 3)
        for side in ("nationalist", "republican")
    }  # fmt: skip
    assert {each["side"]: each["expected"] for each in attack["lost"]} == expected
    good = sum(each["ways"] for each in told["branches"]
               if each["lost"]["republican"] - each["lost"]["nationalist"] >= 2 - 1)  # fmt: skip
    assert attack["as_good"] == [good, told["ways"]]


def test_in_words(desk: Desk) -> None:
    told = desk.done("luck", "g4.json").splitlines()
    assert told[0] == "Crusade and Revolution: Campaign"
    assert told[3].startswith("    3  Nationalist: Riotinto ") and " yes " in told[3]
    assert told[4].startswith("Nationalist: attacks 1, won 1 (")
    assert told[5].startswith("Republican: attacks 0, won 0 (0.0); losses in all combats 2 (")
    assert "  Nationalist round, attacker's fire " in told[7]
    assert told[7].endswith(" (3.50)") and max(map(len, told)) <= 100


def test_in_spanish(desk: Desk) -> None:
    """The dice by the words of the log; programs read English."""
    told = desk.done("luck", "g4.json", "--lang", "es").splitlines()
    assert told[3].startswith("    3  nacional: Riotinto ") and " sí " in told[3]
    assert told[5].startswith("republicano: ataques 0, ganados 0 (0,0); bajas en todos los ")
    assert "  fuego del atacante (ronda, bando nacional) " in told[7]
    assert told[7].endswith(" (3,50)") and max(map(len, told)) <= 100
    assert desk.done("luck", "g4.json", "--lang", "es", "--json") == desk.done(
        "luck", "g4.json", "--json"
    )
    told = desk.done("luck", "g4.json", "--clock", "--lang", "es")
    assert "\nninguna entrada dice cuándo se escribió" in told


def test_dice_of_many_units_are_told_without_one_of_them() -> None:
    general = _in_general(say("morale of {unit}", unit="INF-1"))
    assert words(general) == "morale of any unit"
    assert words(_in_general(say("{fort} at {space}", fort="a", space="b"))) == (
        "any work at any space"
    )


def test_dice_between_two_spans_belong_to_neither_side() -> None:
    """And a label that is too long for its column has a line above; none is cut."""
    system = opened("nopasaran").system
    between, within = map(system.clock, (start(), activated(start(), N)))
    assert words(_in_general(say("initiative of {side}", side="R"))) == "initiative of R"
    assert (_when(between)[0], _when(within)) == ("", ("nationalist", ""))
    purpose = say("reconnaissance by any unit of either side that has found nobody at all today")
    dice = Thrown(*_when(between), purpose, 10, (3, 4))
    above, below = [*lines(None, Luck((), (dice,)))][1:]  # type: ignore[arg-type]
    label = f"{above.strip()} {below.partition('  number')[0].strip()}"
    assert label == f"{between.heading}: {words(purpose)}" and max(map(len, (above, below))) <= 100


@pytest.mark.parametrize("name", ["g0.json", "g2.json", "solo.json"])
def test_a_game_without_dice(desk: Desk, name: str) -> None:
    told = desk.done("luck", name)
    assert told == "Crusade and Revolution: Campaign\nno dice have been rolled yet\n"
