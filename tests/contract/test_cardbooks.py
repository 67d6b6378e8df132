"""The cards of every game in words, and what a hand can do with them: only for its own player."""

from __future__ import annotations

import pytest

from pbem.games import GAMES
from tests.conftest import FUZZ
from tests.contract.kits import kit
from tests.contract.playing import system
from tests.contract.test_hidden_hands import NOBODY, TABLES, game_seen_by_all


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_every_card_is_told(slug: str) -> None:
    book = system(slug).cardbook
    faces = book.faces()
    assert bool(faces) == bool(book.word)
    assert len({face.id for face in faces}) == len(faces)
    for face in faces:
        assert face.side in system(slug).sides and face.title and face.kind and face.worth
        assert face.text and all(paragraph.strip() for paragraph in face.text), face.id


@pytest.mark.parametrize("seed", range(FUZZ))
@pytest.mark.parametrize("table", TABLES, ids="-".join)
def test_what_a_hand_can_do_is_told_to_its_player_alone(table: tuple[str, str], seed: int) -> None:
    book, hidden = system(table[0]).cardbook, 0
    for at, (views, _, _) in enumerate(game_seen_by_all(*table, seed)):
        if at % 9:
            continue
        states = {name: each.state for name, each in views.tables.items()}
        for player, side in views.public.seats.items():
            (other,) = set(views.public.seats) - {player}
            held = kit(table[0]).hidden.held(states[player].position, side)  # type: ignore[union-attr]
            for card in held:
                hidden += 1
                assert book.uses(states[player], side, card)
                assert "hand" in book.lies(states[player].position, card, side)
                for name in (NOBODY, other):
                    viewer = views.public.seats.get(name)
                    assert book.uses(states[name], side, card) == ()
                    assert book.lies(states[name].position, card, viewer) == "not seen"
    assert hidden
