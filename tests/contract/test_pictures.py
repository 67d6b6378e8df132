"""What is to be seen of a game fits the table; what is hidden, test_hidden_hands.py looks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from pbem.engine.picture import Board, Scene, Unit
from pbem.gamedata.load import drawing
from pbem.games import GAMES
from tests.contract.playing import Moment, every_beginning, is_drawn, played, system

DRAWN = [slug for slug in sorted(GAMES) if is_drawn(slug)]
TABLES = [each for each in every_beginning() if each[0] in DRAWN]


def board_of(slug: str, scenario: str) -> Board:
    return system(slug).picture.board(drawing(slug, scenario))


@pytest.mark.parametrize("table", TABLES, ids="-".join)
def test_a_board_fits_together(table: tuple[str, str]) -> None:
    slug, board = table[0], board_of(*table)
    spots = [spot.id for spot in board.spots]
    assert spots and len(set(spots)) == len(spots)
    assert {side for link in board.links for side in (link.a, link.b)} <= set(spots)
    pairs = [frozenset((link.a, link.b)) for link in board.links]
    assert len(set(pairs)) == len(pairs)
    assert tuple(party.side for party in board.parties) == system(slug).sides
    assert len({party.letter for party in board.parties}) == len(board.parties)
    regions = [spot.region for spot in board.spots]
    assert len(list(dict.fromkeys(regions))) == len(
        [1 for at, region in enumerate(regions) if at == 0 or regions[at - 1] != region]
    ), "the spaces of a region stand together"
    letters = [sign.letter for sign in board.legend if sign.letter]
    assert len(set(letters)) == len(letters)


@pytest.mark.parametrize("table", TABLES, ids="-".join)
def test_a_scene_fits_its_board(table: tuple[str, str]) -> None:
    slug, scenario = table
    board, game = board_of(*table), system(slug)
    spots = {spot.id: spot for spot in board.spots}
    shapes = {sign.shape for sign in board.legend}
    letters = {sign.shape: sign.letter for sign in board.legend}
    seen = 0
    for moment in few(played(slug, scenario)):
        position = moment.step.state.position
        for viewer in (None, *game.sides):
            scene = game.picture.scene(position, viewer)
            assert set(scene.places) <= set(spots)
            units = [unit for unit in all_units(scene) if unit.id]
            assert len({unit.id for unit in units}) == len(units)
            assert all(0 <= unit.steps <= unit.full for unit in units)
            used = {unit.shape for unit in units} | {spot.shape for spot in spots.values()} - {""}
            for place in scene.places.values():
                assert {unit.side for unit in place.units} <= {*game.sides}
                signs = (*place.works, *place.marks)
                used |= {sign.shape for sign in signs}
                told = {(sign.shape, sign.letter) for sign in signs}
                assert told <= set(letters.items()), "a shape has one letter"
            assert used <= shapes, "a shape is in no legend"
            assert 1 <= scene.turn <= len(board.calendar.turns)
            assert [camp.side for camp in scene.camps] == list(game.sides)
        for event, after in zip(moment.step.events, moment.step.positions, strict=True):
            for stroke in game.picture.strokes(event, after):
                seen += 1
                assert set(stroke.path) <= set(spots) and stroke.side in game.sides
    assert seen, "nothing moved"


def few(moments: Iterable[Moment]) -> Iterator[Moment]:
    """Every seventh moment of a game."""
    return (moment for at, moment in enumerate(moments) if at % 7 == 0)


def all_units(scene: Scene) -> Iterator[Unit]:
    for place in scene.places.values():
        yield from place.units
    for camp in scene.camps:
        for _, units in camp.boxes:
            yield from units
