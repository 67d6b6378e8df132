"""The end of a game with hidden hands, at the command line."""

from __future__ import annotations

import json

import pytest

from pbem.play.owing import TAKE_OR_PLAY_ON
from tests.cli.desk import CHAPTER24, Desk, begin


@pytest.fixture
def over(desk: Desk) -> Desk:
    """A game that the Republican has given up: `end.json`."""
    desk.done("resign", "g4.json", "--yes", "--key", "beto.key", "-o", "end.json")
    return desk


def test_nothing_is_shown_before_the_end(desk: Desk):
    used = desk.pbem("audit", "g4.json", "--key", "ana.key")
    assert used.code == 1
    assert "the game is not over, and nothing hidden is revealed before the end" in used.err


def test_the_result_is_provisional_until_the_winner_has_shown(over: Desk):
    told = over.done("audit", "end.json")
    assert "the result is provisional until the winner has revealed what was kept hidden" in told
    over.done("audit", "end.json", "--key", "ana.key", "-o", "ana.json")
    told = over.done("audit", "ana.json")
    assert told.startswith("the Nationalist player has revealed what they kept hidden;")
    assert "the result stands" in told and "provisional" not in told


def test_who_resigned_beside_the_turn_shows_nothing_before_it_is_taken(over: Desk):
    assert (
        "the Republican player has resigned out of turn: the resignation counts when "
        f"the Nationalist player accepts it ({TAKE_OR_PLAY_ON}); until then the Republican "
        "player does not have to show anything\n"
    ) in over.done("status", "end.json")
    assert json.loads(over.done("status", "end.json", "--json"))["resigned_not_taken"] == "B"
    assert over.refused(1, "audit", "end.json", "--key", "beto.key") == (
        "end.json: the game ended in an entry that player B wrote out of turn, and it ends only "
        "when player A has accepted it [protocol T3]\n      hint: player A may still pass it "
        "over and play on, so nothing is shown yet\n"
    )


def test_both_show_and_the_last_closes_the_game(over: Desk):
    told = over.done("audit", "end.json", "--key", "ana.key", "-o", "ana.json")
    assert "The Nationalist player reveals what they kept hidden; all was in order." in told
    assert "resigned out of turn" not in told
    over.done("audit", "ana.json", "--key", "beto.key", "-o", "both.json")
    found = json.loads(over.done("audit", "both.json", "--json"))
    assert found["shown"] == {"nationalist": True, "republican": True}
    assert found["status"]["provisional"] is False
    entries = json.loads((over.folder / "both.json").read_text())["entries"]
    assert [step["do"] for step in entries[-1]["payload"]["steps"]] == ["audit", "close"]
    assert "2 audits" in over.done("verify", "both.json")


def test_turn_shows_it_when_the_pen_is_theirs(over: Desk):
    """The one command for each mail goes on to the end, and the list of games names it."""
    over.done("audit", "end.json", "--key", "ana.key", "-o", "ana.json")
    (over.folder / "end.json").unlink()
    for name in ("solo.json", "g0.json", "g1.json", "g2.json", "g3.json", "g4.json"):
        (over.folder / name).unlink(missing_ok=True)
    assert "your turn: pbem turn ana.json\n" in over.done("status", ".", "--key", "beto.key")
    told = over.done("turn", "ana.json", "--key", "beto.key", "--yes")
    assert "The Republican player reveals what they kept hidden; all was in order." in told
    assert "written: crusade" in told and ".eml" in told
    assert "your turn" not in over.done("status", ".", "--key", "beto.key")
    told = over.done("turn", "--key", "ana.key", "--yes")
    assert "there is nothing for you to write now" in told


def test_turn_leaves_a_resignation_out_of_turn_to_a_choice(over: Desk):
    told = over.done("turn", "end.json", "--key", "ana.key", "--yes")
    assert "nothing was signed; to accept the resignation" in told and str(TAKE_OR_PLAY_ON) in told


def test_nobody_shows_twice(over: Desk):
    over.done("audit", "end.json", "--key", "ana.key", "-o", "ana.json")
    used = over.pbem("audit", "ana.json", "--key", "ana.key")
    assert used.code == 1 and "nothing may follow" in used.err


FIRST = CHAPTER24 / "01-nationalist.yaml"


def test_a_resignation_beside_the_turn_is_taken_or_passed_over_with_open_hands(keys: Desk):
    begin(keys, "--option", "example_hands", "--option", "open_hands")
    keys.done("resign", "g2.json", "--yes", "--key", "beto.key", "-o", "r3.json")
    for words in (("apply", "r3.json"), ("apply", "r3.json", FIRST), ("claim", "r3.json")):
        assert keys.refused(1, *words, "--key", "ana.key") == (
            "r3.json: the Republican player has resigned out of turn, and you have not accepted it "
            f"yet [protocol T5]\n      hint: {TAKE_OR_PLAY_ON}\n"
        )
    told = keys.done("audit", "r3.json")
    assert "no audit is needed" not in told and str(TAKE_OR_PLAY_ON) in told
    out = keys.done("audit", "r3.json", "--key", "ana.key", "-o", "taken.json")
    assert "The Nationalist player closes the game." in out
    assert str(TAKE_OR_PLAY_ON) not in keys.done("audit", "taken.json")
    assert "no audit is needed" in keys.done("audit", "taken.json")


def test_the_game_goes_on_over_a_resignation(keys: Desk):
    begin(keys, "--option", "example_hands", "--option", "open_hands")
    keys.done("resign", "g2.json", "--yes", "--key", "beto.key", "-o", "r3.json")
    out = keys.done("apply", "r3.json", FIRST, "--key", "ana.key", "--pass-over", "-o", "m3.json")
    assert "the game is over" not in out


def test_a_draw_is_provisional_until_both_have_shown(desk: Desk):
    desk.done("offer", "g4.json", "draw", "--key", "beto.key", "-o", "d5.json")
    desk.done("answer", "d5.json", "yes", "--key", "ana.key", "-o", "d6.json")
    told = desk.done("status", "d6.json")
    wait = "the result is provisional until both players have revealed what was kept hidden\n"
    assert wait in told
    assert "until each player it favours has shown" in desk.done("verify", "d6.json")
    desk.done("audit", "d6.json", "--key", "ana.key", "-o", "d7.json")
    told = desk.done("audit", "d7.json")
    assert wait in told and "the result stands" not in told
    desk.done("audit", "d7.json", "--key", "beto.key", "-o", "d8.json")
    assert "the result stands" in desk.done("audit", "d8.json")
