"""pbem odds: what attacks may come to, in words and as JSON; what is no attack is said."""

from __future__ import annotations

import pytest

from pbem.engine.odds import NO_ODDS
from pbem.games.crusade.odds import CombatOdds
from pbem.play.odds import percent
from tests.cli.desk import CHAPTER24, Desk, begin

FIRST = CHAPTER24 / "01-nationalist.yaml"
OPENING = ("play: {card: N1, for: event}", "activate: {attack: [sevilla, huelva]}")
RIOTINTO = "attack: {space: riotinto, units: {sevilla: [INF, POL]}, losses: [POL, INF]}"


def test_the_first_attack_of_the_rulebooks_example(desk: Desk) -> None:
    before = desk.files()
    assert desk.done("odds", "solo.json", FIRST) == (
        f"{FIRST}:5:5: attack on Riotinto\n"
        "  Nationalist: strength 4, column 4 of the division table\n"
        "  Republican: strength 1, column 1 of the division table\n"
        "  Nationalist: wins 75 %; loses no steps 50 %, 1 step 50 %\n"
        "  Republican: wins 0 %; loses 1 step 50 %, 2 steps 50 %\n"
        "  no side wins: 25 %\n"
        "  assumed: the defender plays no combat card [11.2.4]; "
        "retreat and advance are not counted [11.2.10]\n"
    )
    assert desk.files() == before


def test_the_same_in_spanish(desk: Desk) -> None:
    assert desk.done("odds", "solo.json", FIRST, "--lang", "es") == (
        f"{FIRST}:5:5: ataque a Riotinto\n"
        "  bando nacional: fuerza 4, columna 4 de la tabla de divisiones\n"
        "  bando republicano: fuerza 1, columna 1 de la tabla de divisiones\n"
        "  bando nacional: gana el 75 %; pierde: ningún paso el 50 %, 1 paso el 50 %\n"
        "  bando republicano: gana el 0 %; pierde: 1 paso el 50 %, 2 pasos el 50 %\n"
        "  no gana ningún bando: 25 %\n"
        "  se supone: el defensor no juega ninguna carta de combate [11.2.4]; "
        "no se cuentan retirada ni\n    avance [11.2.10]\n"
    )
    assert desk.done("odds", "solo.json", FIRST, "--lang", "es", "--json") == desk.done(
        "odds", "solo.json", FIRST, "--json"
    )
    told = desk.done("check", "solo.json", FIRST, "--lang", "es")
    assert ": 4 contra 1 en Riotinto: gana el 75 %, pierde un paso el 50 %\n" in told


def test_the_same_for_programs(desk: Desk) -> None:
    (found,) = desk.pbem("odds", "solo.json", FIRST, "--json").json()
    assert found["at"].endswith(":5") and found["early"] is False and found["where"] == "Riotinto"
    assert sum(each["ways"] for each in found["branches"]) == found["ways"] == 36
    assert found["fire"][0] == {
        "side": "nationalist", "strength": 4, "column": "column 4 of the division table",
        "shifts": [], "modifiers": [],
    }  # fmt: skip
    assert found["supposed"] == [
        {"what": "the defender plays no combat card", "rule": "11.2.4"},
        {"what": "retreat and advance are not counted", "rule": "11.2.10"},
    ]


def test_attacks_behind_another_one(desk: Desk) -> None:
    africa = "attack: {space: santa_olalla, units: {sevilla: [AFR]}}"
    desk.orders(*OPENING, RIOTINTO, africa)
    told = desk.done("odds", "solo.json", "orders.yaml")
    first, second = told.split("\n\n")
    assert "earlier attacks" not in first
    assert "  the same however the earlier attacks end\n" in second
    assert second.endswith(
        "[11.2.4]; beaten units retreat to\n    the first space that a form lists [11.4.5]; "
        "units advance only by order [11.5.1]\n"
    )
    assert "  AFR-1 takes the first loss [11.3.6]\n" in second
    told = desk.done("check", "solo.json", "orders.yaml")
    assert "3 against 1 in Riotinto: wins 67 %, loses a step 50 %\n" in told
    assert (
        "3 against 1 in Santa Olalla: wins 67 %, loses a step 50 %\n  AFR-1 takes the first loss "
        "[11.3.6]\n  as things are before the dice of the earlier attacks\n"
    ) in told


def test_orders_without_an_attack(desk: Desk) -> None:
    desk.orders(*OPENING)
    assert desk.done("odds", "solo.json", "orders.yaml") == "there is no attack in these orders\n"
    assert desk.pbem("odds", "solo.json", "orders.yaml", "--json").json() == []
    assert "wins" not in desk.done("check", "solo.json", "orders.yaml")


def test_attacks_that_wait_for_what_is_not_so(desk: Desk) -> None:
    desk.orders(*OPENING, f"{RIOTINTO[:-1]}}}\n    when: {{control: {{madrid: nationalist}}}}")
    told = desk.done("odds", "solo.json", "orders.yaml")
    assert told == (
        "orders.yaml:4:5: the condition in `when` is not true now, so this order would lapse\n"
    )
    assert desk.done("check", "solo.json", "orders.yaml").count("would lapse; to") == 1


@pytest.mark.parametrize("orders", [
    ("play: {card: N1, for: event}", "activate: {attack: [sevilla]}",
     "attack: {space: madrid, units: {sevilla: [INF]}}"),
    ("retreat: {unit: INF-1, path: [sevilla]}",),
    ("attack: {space: nowhere, units: {sevilla: [INF]}}",),
    ("attack: ...",),
])  # fmt: skip
def test_orders_that_are_not_legal_are_refused_as_by_check(
    desk: Desk, orders: tuple[str, ...]
) -> None:
    desk.orders(*orders)
    told = desk.refused(1, "odds", "solo.json", "orders.yaml")
    assert told == desk.refused(1, "check", "solo.json", "orders.yaml")


def test_a_file_that_holds_no_orders_at_all(desk: Desk) -> None:
    for text in ("", "orders: 7\n", "\0", "orders: [" * 3000):
        (desk.folder / "bad.yaml").write_text(text)
        told = desk.pbem("odds", "solo.json", "bad.yaml")
        checked = desk.pbem("check", "solo.json", "bad.yaml")
        assert (told.code, told.err) == (checked.code, checked.err)


def test_where_no_orders_are_asked_for(keys: Desk) -> None:
    begin(keys)
    told = keys.refused(1, "odds", "g2.json", FIRST)
    assert told == keys.refused(1, "check", "g2.json", FIRST)


def test_a_game_without_odds(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CombatOdds, "attacks", NO_ODDS.attacks)
    told = desk.refused(1, "odds", "solo.json", FIRST)
    assert "pbem cannot work out odds for Crusade and Revolution yet" in told
    assert "wins" not in desk.done("check", "solo.json", FIRST)


def test_what_may_happen_is_never_nothing_and_no_doubtful_thing_is_sure() -> None:
    assert [str(percent(ways, 46_656)) for ways in (0, 1, 233, 467, 46_189, 46_655, 46_656)] == [
        "0 %", "under 1 %", "under 1 %", "1 %", "99 %", "over 99 %", "100 %",
    ]  # fmt: skip
    assert str(percent(1, 101)) == "under 1 %" and percent(1, 100) == "1 %"
    assert str(percent(100, 101)) == "over 99 %" and percent(99, 100) == "99 %"
    assert [percent(ways, 8) for ways in (1, 3, 4)] == ["13 %", "38 %", "50 %"]
