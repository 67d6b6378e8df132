"""The cards of every game in words; who is told of a hand, test_hidden_hands.py looks for."""

from __future__ import annotations

import re

import pytest

from pbem.cli.languages import language
from pbem.games import GAMES
from pbem.messages import LANGUAGES, in_words, words
from tests.contract.playing import played, system


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_every_card_is_told(slug: str) -> None:
    book = system(slug).cardbook
    faces = book.faces()
    assert bool(faces) == bool(book.word)
    assert len({face.id for face in faces}) == len(faces)
    for face in in_words(faces):
        assert face.side in system(slug).sides and face.title and face.kind and face.worth
        assert face.text and all(paragraph.strip() for paragraph in face.text), face.id


@pytest.mark.parametrize("code", LANGUAGES[1:])
@pytest.mark.parametrize("slug", sorted(GAMES))
def test_every_card_is_told_in_every_language(slug: str, code: str) -> None:
    """With the same numbers, and with no abbreviation that the card does not have."""
    reader = language(code)
    for face in system(slug).cardbook.faces():
        for text in (face.kind, face.worth, *face.text):
            english, told = words(text), words(text, reader)
            assert told != english, face.id
            assert set(re.findall(r"\d+", told)) == set(re.findall(r"\d+", english)), told
            assert set(re.findall("[A-Z]{2,}", told)) <= set(re.findall("[A-Z]{2,}", english)), told


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_what_is_played_is_known_and_told(slug: str) -> None:
    """In an open game: the cards that its events play are in the book, and each play is told."""
    game, seen = system(slug), 0
    book = {card for face in game.cardbook.faces() for card in (face.id, *face.copies)}
    for moment in played(slug, game.scenarios()[0].id):
        for event, after in zip(moment.step.events, moment.step.positions, strict=True):
            for card in game.cardbook.played(event):
                seen += 1
                assert card in book and game.narration.narrate(event, after) is not None
    assert bool(seen) == bool(book)
