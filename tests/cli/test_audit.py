"""The end of a game with hidden hands, at the command line."""

from __future__ import annotations

import json

import pytest

from tests.cli.desk import Desk


@pytest.fixture
def over(desk: Desk) -> Desk:
    """A game that the Republican has given up: `end.json`."""
    desk.done("resign", "g4.json", "--key", "beto.key", "-o", "end.json")
    return desk


def test_nothing_is_shown_before_the_end(desk: Desk):
    used = desk.pbem("audit", "g4.json", "--key", "ana.key")
    assert used.code == 1
    assert "the game is not over, and nothing hidden is shown before its end" in used.err


def test_the_result_is_provisional_until_the_winner_has_shown(over: Desk):
    told = over.done("audit", "end.json")
    assert "the result is provisional until the winner has shown what he kept hidden" in told
    over.done("audit", "end.json", "--key", "ana.key", "-o", "ana.json")
    told = over.done("audit", "ana.json")
    assert told.startswith("nationalist: has shown what he kept hidden;")
    assert "the result stands" in told and "provisional" not in told


def test_who_resigned_beside_the_turn_shows_nothing_before_it_is_taken(over: Desk):
    assert (
        "the republican player has resigned, and it is not yet taken: it counts when the "
        "nationalist player has written on it, who may pass it over and play on; until then the "
        "republican player shows nothing\n"
    ) in over.done("status", "end.json")
    assert json.loads(over.done("status", "end.json", "--json"))["resigned_not_taken"] == "B"
    assert over.refused(1, "audit", "end.json", "--key", "beto.key") == (
        "end.json: the game ended in an entry that player B laid beside the turn, and it ends only "
        "when player A has written on it [protocol T3]\n      hint: player A may still pass it "
        "over and play on, so nothing is shown yet\n"
    )


def test_both_show_and_the_last_closes_the_game(over: Desk):
    told = over.done("audit", "end.json", "--key", "ana.key", "-o", "ana.json")
    assert "The Nationalist player shows what he kept hidden; it was in order." in told
    assert "not yet taken" not in told
    over.done("audit", "ana.json", "--key", "beto.key", "-o", "both.json")
    found = json.loads(over.done("audit", "both.json", "--json"))
    assert found["shown"] == {"nationalist": True, "republican": True}
    assert found["status"]["provisional"] is False
    entries = json.loads((over.folder / "both.json").read_text())["entries"]
    assert [step["do"] for step in entries[-1]["payload"]["steps"]] == ["audit", "close"]
    assert "2 audits" in over.done("verify", "both.json")


def test_nobody_shows_twice(over: Desk):
    over.done("audit", "end.json", "--key", "ana.key", "-o", "ana.json")
    used = over.pbem("audit", "ana.json", "--key", "ana.key")
    assert used.code == 1 and "nothing may follow" in used.err
