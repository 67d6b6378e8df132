"""The cards of every game in words; who is told of a hand, test_hidden_hands.py looks for."""

from __future__ import annotations

import pytest

from pbem.games import GAMES
from tests.contract.playing import system


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_every_card_is_told(slug: str) -> None:
    book = system(slug).cardbook
    faces = book.faces()
    assert bool(faces) == bool(book.word)
    assert len({face.id for face in faces}) == len(faces)
    for face in faces:
        assert face.side in system(slug).sides and face.title and face.kind and face.worth
        assert face.text and all(paragraph.strip() for paragraph in face.text), face.id
