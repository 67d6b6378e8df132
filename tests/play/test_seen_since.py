"""What a player has not seen yet: since their last decision of their own, with fights whole."""

from __future__ import annotations

import pytest

from pbem.engine.picture import Stroke
from pbem.gamefile.in_play import verb_of
from pbem.gamefile.journal import TakenBack
from pbem.play.game import Game
from pbem.play.now import now
from pbem.play.seen import last_led, strokes_since, table_after
from tests.play.sealed_pair import keys_of, played

ENTRIES = {"crusade": 52, "madrid": 40, "ctv": 15}


def shown_to(game: Game, player: str) -> tuple[Stroke, ...]:
    led = last_led(game, player)
    return strokes_since(game, -1 if led is None else led)


@pytest.mark.parametrize("slug", ENTRIES)
def test_a_mail_that_tells_of_a_fight_shows_its_arrow_and_its_result(slug: str) -> None:
    """Every mail is looked at by its reader: of a result they see from where, and what came."""
    fights = 0
    for game in played(slug, ENTRIES[slug]):
        if game.fold.phase != "running":
            continue
        player = game.fold.pen or "A"
        drawn = shown_to(now(game, keys_of(slug)[player]), player)
        results = [each.path[-1] for each in drawn if each.kind == "result"]
        fights += len(results)
        attacked = [each.path[-1] for each in drawn if each.kind == "attack"]
        assert set(results) <= set(attacked), len(game.fold.entries)
    assert fights


@pytest.mark.parametrize("slug", ENTRIES)
def test_what_was_only_answered_is_no_decision_of_ones_own(slug: str) -> None:
    *_, game = played(slug, ENTRIES[slug])
    verbs = game.opened.system.verbs
    for player in "AB":
        led = last_led(game, player)
        assert led is not None
        entry = game.fold.entries[led]
        kept = [order for step in entry.steps for order in step.get("list", ())]
        kept += [order for step in entry.steps for order in step.get("answers", ())]
        assert entry.by == player and any(verbs[verb_of(each)].role == "lead" for each in kept)
        for later in game.fold.entries[led + 1 : -1]:
            if later.by == player:
                answers = [each for step in later.steps for each in step.get("answers", ())]
                answers += [each for step in later.steps for each in step.get("list", ())]
                assert all(verbs[verb_of(each)].role != "lead" for each in answers)


@pytest.mark.parametrize("slug", ENTRIES)
def test_the_ground_before_is_that_after_the_entry(slug: str) -> None:
    games = played(slug, ENTRIES[slug])
    *_, last = games
    for game in games:
        if game.table is not None:
            entry = len(game.fold.entries) - 1
            position = table_after(last, entry).state.position
            assert position.control == game.table.state.position.control
    assert not any(isinstance(each, TakenBack) for each in last.fold.told())


def test_a_fight_that_was_ordered_before_is_shown_whole_since_then() -> None:
    """The arrow lies in the entry before, the dice in the next."""
    *_, game = played("crusade", ENTRIES["crusade"])
    found = 0
    for entry in range(3, len(game.fold.entries)):
        new = strokes_since(game, entry)
        for result in (each for each in new if each.kind == "result"):
            assert any(each.kind == "attack" and each.path[-1] == result.path[-1] for each in new)
            found += 1
    assert found
