"""Who wrote what: a heading names the author of all that stands below it, a lapse its own."""

from __future__ import annotations

import pytest

from pbem.gamefile import journal as j
from pbem.gamefile.in_play import ReadOrder
from pbem.gamefile.kept import ChainPlace, Given
from pbem.messages import Said
from pbem.play.game import Game
from pbem.play.offers import wanted
from pbem.play.snapshot import read_game
from pbem.play.story import BEGUN, _Teller, story
from tests.play.test_by_mail import Played
from tests.replays import campaign


@pytest.fixture(scope="module")
def game() -> Game:
    return read_game(Played("one").raw)


def test_no_heading_carries_the_author_of_another_entry(game: Game) -> None:
    """What each entry brought, told alone, stands in the whole log under its own author."""
    whole = [each for chapter in story(game).chapters for each in chapter.paragraphs]
    by_author: dict[str, list[Said]] = {}
    for paragraph in whole:
        author = str(paragraph.side)
        by_author.setdefault(author, []).extend(line.text for line in paragraph.lines)
        assert author == game.side_of(game.fold.entries[paragraph.seq].by).capitalize()
    told = 0
    for entry in game.fold.entries:
        side = game.side_of(entry.by).capitalize()
        for chapter in story(game, entry.seq, entry.seq).chapters:
            for line in (line for each in chapter.paragraphs for line in each.lines):
                assert line.text in by_author[side], (entry.seq, line.text)
                told += 1
    assert told == sum(len(each.lines) for each in whole) > 20


@pytest.mark.parametrize("kind", [j.Dropped, j.Lapsed])
def test_a_lapse_says_whose_order_it_was(game: Game, kind: type) -> None:
    place = ChainPlace(3, 0, 0)
    facts = {"problems": (), "before": game.fold.in_play} if kind is j.Lapsed else {}
    for player in "AB":
        given = Given(ReadOrder({"done": {}}, None, leads=True), "orders", place, 0)
        item = kind(place=place, by=player, given=given, **facts)
        (line,) = _Teller(game)._told(item)
        assert str(line.text).startswith(f"done ({game.side_of(player).capitalize()}): ")


def test_a_take_back_does_not_say_that_dice_fell() -> None:
    """The offer allows it; whether any fell is another matter."""
    terms = {"to": 3, "known_randomness": True}
    assert str(wanted("takeback", terms, "blue")) == (
        "the blue player asks to take back everything after entry 3, even where both know the dice"
    )


def test_a_story_from_an_entry_on_is_the_end_of_the_whole_one() -> None:
    """Only the part of the turn in which it begins is read for it."""
    game = read_game(campaign.raw_of())
    whole = [each for chapter in story(game).chapters for each in chapter.paragraphs]
    read = 0
    for first in range(BEGUN, len(game.fold.entries), 17):
        told = [
            each for chapter in story(game, first, first).chapters for each in chapter.paragraphs
        ]
        assert told == [each for each in whole if each.seq == first], first
        read += first - _Teller(game).begins(first)
    assert 0 < read < len(game.fold.entries)
