"""The battles of every game: found in its events, each told whole and where it was fought."""

from __future__ import annotations

import pytest

from pbem.gamedata.load import drawing
from pbem.games import GAMES
from pbem.messages import words
from pbem.play.battles import TurnFought, fought
from tests.contract.kits import kit
from tests.contract.playing import every_beginning, is_drawn, played, system


@pytest.mark.parametrize("each", every_beginning(), ids="-".join)
def test_every_battle_of_a_game_is_told(each: tuple[str, str]) -> None:
    """A random game, move by move: as many battles as begin, each with what came of it."""
    game = system(each[0])
    passage, scene = game.narration.passage, game.picture.scene
    spots = game.picture.board(drawing(*each)).spots
    names = {spot.id: words(spot.in_a_sentence) for spot in spots}
    known, begun, changes, was = TurnFought(), list[str](), 0, None
    for moment in played(*each):
        happenings = tuple(zip(moment.step.events, moment.step.positions, strict=True))
        if not happenings:
            continue
        now = scene(happenings[-1][1], None)
        known = fought(known, game, was or now, happenings, now)
        was = now
        found = [passage(*happening) for happening in happenings]
        begun += [one.at for one in found if one is not None and one.beat == "begins"]
        changes += sum(one is not None and one.beat == "changes" for one in found)
    assert [battle.at for battle in known.battles] == begun
    assert len(known.changed) == changes and all(map(words, known.changed))
    assert {*begun} <= names.keys() or not is_drawn(each[0])
    for battle in known.battles[:-1]:
        assert battle.is_over and battle.told
        assert all(words(line).strip() for line in battle.told)
        assert names.get(battle.at, "") in words(battle.told[0])
        assert battle.holder in (*game.sides, None)


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_there_are_battles(slug: str) -> None:
    """In games of chance orders attack seldom: the first few games have some together."""
    narration, found = system(slug).narration, list[str]()
    games = [each for each in every_beginning() if each[0] == slug]
    for seed in range(1, 5):
        if found.count("begins") > 4:
            break
        found += [
            one.beat
            for game, scenario in games
            for moment in played(game, scenario, seed)
            for event, position in zip(moment.step.events, moment.step.positions, strict=True)
            if (one := narration.passage(event, position))
        ]
    assert {"begins", "goes on"} <= {*found}
    assert found.count("begins") > 4
    assert ("changes" in found) is kit(slug).has_works
