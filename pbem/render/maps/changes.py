"""The differences between two scenes of a board, in lines."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.picture import Board, Place, Scene, Unit

NOWHERE = "off the map"


def changes(board: Board, before: Scene, after: Scene) -> Iterator[str]:
    """Tracks first, then spaces that changed hands, units, works and marks."""
    was = {track.name: track.value for track in before.tracks}
    for track in after.tracks:
        if was.get(track.name, track.value) != track.value:
            yield f"{track.name}: {was[track.name]} to {track.value}"
    yield from _taken(board, before, after)
    yield from _units(board, before, after)
    yield from _lying(board, before, after)


def _taken(board: Board, before: Scene, after: Scene) -> Iterator[str]:
    for party in board.parties:
        names = [
            spot.name
            for spot in board.spots
            if _place(after, spot.id).control == party.side
            and _place(before, spot.id).control not in (None, party.side)
        ]
        if names:
            yield f"{party.name} now: {', '.join(names)}"


def _place(scene: Scene, spot: str) -> Place:
    return scene.places.get(spot, Place())


def _units(board: Board, before: Scene, after: Scene) -> Iterator[str]:
    was, now = _whereabouts(board, before), _whereabouts(board, after)
    for unit in dict.fromkeys((*was, *now)):
        (there, old), (here, new) = was.get(unit, (NOWHERE, None)), now.get(unit, (NOWHERE, None))
        told = [] if there == here else [f"{there} to {here}"]
        if old and new and old.steps != new.steps:
            told.append(board.wear.worn if new.steps < old.steps else board.wear.again)
        if told:
            yield f"{unit}: {', '.join(told)}"


def _whereabouts(board: Board, scene: Scene) -> dict[str, tuple[str, Unit]]:
    """Each visible unit, with the name of its space or box."""
    found = {}
    for spot in board.spots:
        found.update({each.id: (spot.name, each) for each in _place(scene, spot.id).units})
    for camp in scene.camps:
        for box, units in camp.boxes:
            found.update({each.id: (box, each) for each in units})
    found.pop("", None)
    return found


def _lying(board: Board, before: Scene, after: Scene) -> Iterator[str]:
    for spot in board.spots:
        old, new = _place(before, spot.id), _place(after, spot.id)
        was = {sign.words for sign in (*old.works, *old.marks)}
        now = {sign.words for sign in (*new.works, *new.marks)}
        told = [*sorted(now - was), *(f"no longer: {words}" for words in sorted(was - now))]
        if told:
            yield f"{spot.name}: {'; '.join(told)}"
