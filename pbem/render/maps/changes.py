"""The differences between two scenes of a board, in lines."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.picture import Board, Place, Scene, Unit, worded_board
from pbem.messages import ENGLISH, Language, Message, Part, Row, in_words, say, words

NOWHERE = say("off the map")
NOTHING = say("nothing has changed on the board")


def since(entry: int) -> Message:
    """The heading of the changes after an entry."""
    return say("since entry {number}:", number=entry)


def changes(
    board: Board, before: Scene, after: Scene, language: Language = ENGLISH
) -> Iterator[str]:
    """Tracks first, then spaces that changed hands, units, works and marks; in a language."""
    told = worded_board(board, language), in_words(before, language), in_words(after, language)
    return (words(each, language) for each in _changes(*told))


def _changes(board: Board, before: Scene, after: Scene) -> Iterator[Message]:
    was = {track.name: track.value for track in before.tracks}
    for track in after.tracks:
        if was.get(track.name, track.value) != track.value:
            yield say("{track}: {was} to {now}", track=track.name, was=was[track.name],
                      now=track.value)  # fmt: skip
    yield from _taken(board, before, after)
    yield from _units(board, before, after)
    yield from _lying(board, before, after)


def _taken(board: Board, before: Scene, after: Scene) -> Iterator[Message]:
    for party in board.parties:
        names = tuple(
            spot.name
            for spot in board.spots
            if _place(after, spot.id).control == party.side
            and _place(before, spot.id).control not in (None, party.side)
        )
        if names:
            yield say("{side} now: {spaces}", side=party.name, spaces=Row(names))


def _place(scene: Scene, spot: str) -> Place:
    return scene.places.get(spot, Place())


def _units(board: Board, before: Scene, after: Scene) -> Iterator[Message]:
    was, now = _whereabouts(board, before), _whereabouts(board, after)
    for unit in dict.fromkeys((*was, *now)):
        (there, old), (here, new) = was.get(unit, (NOWHERE, None)), now.get(unit, (NOWHERE, None))
        told: list[Part] = []
        if there != here:
            told.append(say("{origin} to {place}", origin=there, place=here))
        if old and new and old.steps != new.steps:
            told.append(board.wear.worn if new.steps < old.steps else board.wear.again)
        if told:
            called = next(each.id or each.words for each in (new, old) if each)
            yield say("{unit}: {changes}", unit=called, changes=Row(tuple(told)))


def _whereabouts(board: Board, scene: Scene) -> dict[str, tuple[Part, Unit]]:
    """Each unit that can be followed, with the name of its space or box."""
    found: dict[str, tuple[Part, Unit]] = {}
    for spot in board.spots:
        found.update({each.key: (spot.name, each) for each in _place(scene, spot.id).units})
    for camp in scene.camps:
        for box, units in camp.boxes:
            found.update({each.key: (box, each) for each in units})
    found.pop("", None)
    return found


def _lying(board: Board, before: Scene, after: Scene) -> Iterator[Message]:
    for spot in board.spots:
        old, new = _place(before, spot.id), _place(after, spot.id)
        was = {sign.words for sign in (*old.works, *old.marks)}
        now = {sign.words for sign in (*new.works, *new.marks)}
        told = (
            *sorted(now - was),
            *(say("no longer: {sign}", sign=sign) for sign in sorted(was - now)),
        )
        if told:
            yield say("{space}: {changes}", space=spot.name, changes=Row(told, "; "))
