"""The state of a board in lines to be compared with another board, and a short hash of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from pbem.engine.picture import Board, Camp, Scene, Unit
from pbem.messages import Said, words
from pbem.render.maps.sights import Sights, figure, reduced
from pbem.words import to_lines, visible

WIDTH, NAME = 100, 30
DIGITS = 8


def digest(board: Board, scene: Scene, title: Said, moment: Said) -> tuple[str, ...]:
    """Who holds what, every unit by space, works, tracks and decks. Equal scenes have equal lines,
    in whatever order their units came to a space, and whatever language is read."""
    sights = Sights(board, scene)
    board, scene = sights.board, sights.scene
    lines = (*map(words, (title, moment)), *_held(board, scene), *_stacks(board, sights),
             *_beside(sights))  # fmt: skip
    return tuple(map(visible, lines))


def hashed(lines: Sequence[str]) -> str:
    """The first hex digits of the SHA-256 of the lines, each with its line feed, in UTF-8."""
    found = sha256("".join(f"{line}\n" for line in lines).encode("utf-8")).hexdigest()[:DIGITS]
    return f"{found[:4]} {found[4:]}"


def _held(board: Board, scene: Scene) -> Iterator[str]:
    for side, name in [*((party.side, party.name) for party in board.parties), (None, "nobody")]:
        spaces = [spot.name for spot in board.spots
                  if spot.id in scene.places and scene.places[spot.id].control == side]  # fmt: skip
        if spaces:
            yield from _listed(f"held by {name}, {len(spaces)}: ", spaces)


def _stacks(board: Board, sights: Sights) -> Iterator[str]:
    """A line for each stack, and for a space in which works or markers are."""
    yield f"units in each space, with their strength; in brackets what is {board.wear.worn}:"
    for spot in board.spots:
        place = sights.scene.places.get(spot.id)
        if place is None:
            continue
        for number, units in sights.stacks(place):
            first = f"  {board.parties[number].letter} {spot.name:{NAME}} {figure(units):>3}  "
            yield from _listed(first, sorted(map(_unit, units)))
        marks = sorted(sign.words for sign in (*place.works, *place.marks))
        if marks:
            yield from _listed(f"    {spot.name:{NAME}}      ", marks)


def _beside(sights: Sights) -> Iterator[str]:
    tracks = [f"{track.name} {track.value}" for track in sights.scene.tracks]
    if tracks:
        yield from _listed("tracks: ", tracks)
    for camp in sights.scene.camps:
        yield from _camp(camp, sights.letter(camp.side))
    yield from _listed("", sights.scene.notes)


def _camp(camp: Camp, letter: str) -> Iterator[str]:
    told = [f"{camp.hand_is} in hand {len(camp.hand) + camp.unseen}"] if camp.hand_is else []
    if camp.hand:
        told.append(f"known {', '.join(sorted(each.id for each in camp.hand))}")
    told += camp.facts
    if told:
        yield from _listed(f"{letter}: ", told, "; ")
    for name, units in camp.boxes:
        yield from _listed(f"{letter} {name}, {len(units)}: ", sorted(map(_unit, units)))


def _unit(unit: Unit) -> str:
    name = unit.id or unit.kind
    return f"({name})" if reduced(unit) else name


def _listed(first: str, items: Sequence[str], sign: str = ", ") -> Iterator[str]:
    yield from to_lines(f"{first}{sign.join(items)}", WIDTH, others="      ")
