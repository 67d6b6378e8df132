"""pbem summary: a turn on one page, in every form, and with nothing that is hidden."""

from __future__ import annotations

import re

import pytest

from tests.cli.desk import Desk, begin

STYLES = ("text", "markdown", "html", "fragment", "bbcode", "journal")

PAGE = """
Ground
    Nationalist: gains Riotinto.

Attack on Riotinto
    The Nationalists attack Riotinto from Huelva and Sevilla: Infantry INF-15, Police N-POL-4 and
    Cavalry CAV-7 against Militia R-MIL-14.
    The Nationalists fire with strength 4 on column 4 of the division table: die *, Loss Number 2.
    The Republicans fire with strength 1 on column 1 of the division table: die *, Loss Number 1.
    Militia R-MIL-14 is reduced, then eliminated.
    Police N-POL-4 is reduced.
    The Nationalists win the combat in Riotinto, 2 to 1.
    Infantry INF-15, Police N-POL-4 (reduced) and Cavalry CAV-7 advance into Riotinto.
    The Nationalists take control of Riotinto.

Losses
    Reduced (Nationalist): N-POL-4.
    Eliminated (Republican): R-MIL-14.

Played
    The Nationalists play Air Bridge (N1) as an event.

Tracks
    Victory Points: 7, unchanged.
    Republican Morale: 26, unchanged.

Situation
"""


def test_a_turn_on_one_page(desk: Desk) -> None:
    told = desk.done("summary", "g4.json")
    assert "\nthis turn is not finished: entries 3 to 4 so far\n\nTurn 1, August 1936" in told
    assert PAGE in re.sub(r"die \d", "die *", told)
    assert "    Now: Turn 1, August 1936 (War of the Columns), Republican round 1.\n" in told
    assert told.endswith(
        "    To write: Republican: play a card, or make an automatic operation without one.\n"
    )
    assert max(map(len, told.splitlines())) <= 100
    assert desk.done("summary", "g4.json", "--turn", "1") == told


def test_in_every_form(desk: Desk) -> None:
    found = {style: desk.done("summary", "g4.json", "--format", style) for style in STYLES}
    assert "### Ground\n\n- Nationalist: gains Riotinto.\n" in found["markdown"]
    assert "[b]Ground[/b]\n[list]\n[*]Nationalist: gains Riotinto.\n" in found["bbcode"]
    assert "\n* Ground\nResult  Nationalist: gains Riotinto.\n" in found["journal"]
    assert "<h3>Ground</h3>\n<ul>\n" in found["html"]
    assert found["fragment"].startswith("<article") and found["fragment"] in found["html"]
    assert "### Attack on Riotinto\n\n- The Nationalists attack Riotinto from" in found["markdown"]
    assert "[b]Attack on Riotinto[/b]\n[list]\n[*]The Nationalists attack" in found["bbcode"]
    told = desk.done("summary", "g4.json", "--lang", "es")
    assert "\nTerreno\n    Nacional: gana Riotinto.\n" in told and "Bajas" in told
    assert "\nAtaque a Riotinto\n    Los nacionales atacan Riotinto desde Huelva y Sevilla:" in told


def test_what_was_said_in_the_turn_stands_on_its_page(desk: Desk) -> None:
    """Nothing in it can pass for a mark of the page, in any form."""
    said = "a [b]fine[/b] **day**"
    desk.write("said.yaml", f"say: '{said}'\norders:\n  - play: {{card: R15, for: operations}}\n"
               "  - activate: {move: [madrid]}\n  - done\n")  # fmt: skip
    desk.done("apply", "g4.json", "--key", "ana.key", "-o", "g5.json")
    desk.done("apply", "g5.json", "said.yaml", "--key", "beto.key", "-o", "g6.json")
    told = desk.done("summary", "g6.json")
    assert f"\nWords\n    Republican player:\n    | {said}\n\nNext\n" in told
    assert "［b］fine［/b］" in desk.done("summary", "g6.json", "--format", "bbcode")
    assert r"\*\*day\*\*" in desk.done("summary", "g6.json", "--format", "markdown")
    found = desk.pbem("summary", "g6.json", "--json").json()
    assert found["said"] == [{"side": "republican", "lines": [said]}]


def test_the_page_has_the_map_before_and_after(desk: Desk) -> None:
    page = desk.done("summary", "g4.json", "--format", "html", "--lang", "es")
    assert page.startswith('<!DOCTYPE html>\n<html lang="es">\n<head>\n<meta charset="utf-8">')
    assert re.findall("<figcaption>(.*?)</figcaption>", page) == ["antes del turno", "ahora"]
    before, after = page.split("<figcaption>")[1:]
    assert 'class="attack0"' not in before and after.count('class="attack0"') == 2
    assert "<title>Riotinto: Republicano; R-MIL-14</title>" in before
    assert "<title>Riotinto: Nacional; " in after
    assert 'aria-labelledby="map-0-title map-0-description"' in before
    assert '<title id="map-1-title">' in after and page.count(' id="title"') == 0
    assert page.count("<defs>") == 1 and "<script" not in page and len(page) < 600_000


def test_json_of_a_turn(desk: Desk) -> None:
    found = desk.pbem("summary", "g4.json", "--json").json()
    assert found["turn"] == 1 and found["finished"] is False and found["entries"] == [3, 4]
    assert found["gained"] == {"nationalist": ["Riotinto"], "republican": []}
    assert found["losses"][1] == {
        "side": "republican", "what": "Eliminated", "units": ["R-MIL-14"],
    }  # fmt: skip
    assert [each["id"] for each in found["played"]] == ["N1"] and found["hand"] == []
    (battle,) = found["battles"]
    assert battle["space"] == "riotinto" and battle["holder"] == "nationalist"
    assert battle["taken"] and battle["over"] and len(battle["told"]) > 5
    assert [each["side"] for each in found["to_write"]] == ["nationalist", "republican"]


def test_a_hand_is_shown_to_its_owner_alone(keys: Desk) -> None:
    begin(keys)
    keys.done("apply", "g2.json", "--key", "beto.key", "-o", "g3.json")
    mine = ("summary", "g3.json", "--side", "nationalist", "--key", "ana.key")
    told = keys.done(*mine)
    hand = re.findall(r"\((N\d+)\)\.$", told.split("\nHand\n")[1].split("\nNext\n")[0], re.M)
    assert len(hand) == 7 and keys.pbem(*mine, "--json").json()["hand"] == hand
    assert "with what only the Nationalist player knows" in told
    hand.remove("N1")  # who has it must open the game with it, so it is known to both
    for style in (*(("--format", each) for each in STYLES), ("--json",)):
        for key in ("ana.key", "beto.key"):
            told = keys.done("summary", "g3.json", *style, "--key", key)
            assert not re.search(rf"\b({'|'.join(hand)})\b", told)
    for words in (("--key", "beto.key"), ()):
        err = keys.refused(1, "summary", "g3.json", "--side", "nationalist", *words)
        assert "what the Nationalist player knows is shown only with their key" in err


def test_open_hands_are_anybodys(keys: Desk) -> None:
    begin(keys, "--option", "open_hands")
    keys.done("apply", "g2.json", "--key", "beto.key", "-o", "g3.json")
    found = keys.pbem("summary", "g3.json", "--side", "republican", "--json").json()
    assert found["viewer"] == "republican" and len(found["hand"]) == 7


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("g4.json", "--turn", "2"), 2, "nothing from turn 2\n      hint: it has turn 1"),
        (("g4.json", "--turn", "x"), 2, "write a whole number, 0 or more, not 'x'"),
        (("g4.json", "--side", "carlist"), 2, "carlist"),
        (("g4.json", "--lang", "fr"), 2, "'fr' is not one of"),
        (("g4.json", "--format", "pdf"), 2, "'pdf' is not one of"),
        (("g0.json",), 1, "the game has not begun: there is no turn to sum up yet"),
        (("g2.json",), 1, "nothing has happened in this game yet"),
        (("g4.json", "--side", "republican", "--key", "eve.key"), 1, "belongs to neither player"),
    ],
)
def test_what_is_not_there_is_said(
    desk: Desk, words: tuple[str, ...], code: int, said: str
) -> None:
    assert said in desk.refused(code, "summary", *words)
