"""The battles of a turn, and what arrived in it: taken from its events, one after the other."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.engine.model import Side
from pbem.engine.picture import Scene
from pbem.games.system import GameSystem
from pbem.messages import Message
from pbem.play.turns import Happening
from pbem.play.viewpoint import PUBLIC, Viewpoint
from pbem.value import replace, value

Holders = tuple[tuple[str, tuple[Side | None, ...]], ...]
"""Spaces, each with the sides that took it, one after the other; None: nobody holds it."""


@value
class Battle:
    """An attack and what came of it, as the log tells it: forces, columns, dice, losses."""

    at: str
    """The id of the space that was attacked."""
    named: str
    """What it is called, with a gap for the space."""
    told: tuple[Message, ...]
    holder: Side | None
    """The side that holds the space after it."""
    is_taken: bool = False
    """Whether another side held it before."""
    is_over: bool = False


@value
class TurnFought:
    """The battles of a turn, in order, the replacements and reinforcements, and what else has
    changed on the ground (works, bridges), as far as it was played.
    """

    battles: tuple[Battle, ...] = ()
    arrived: tuple[Message, ...] = ()
    changed: tuple[Message, ...] = ()


def fought(
    known: TurnFought, system: GameSystem, before: Scene, happenings: Iterable[Happening],
    after: Scene, viewer: Viewpoint = PUBLIC,
) -> TurnFought:  # fmt: skip
    """What a viewer learns of a turn after one more move in it, between two scenes."""
    battles, arrived, changed = list(known.battles), list(known.arrived), list(known.changed)
    touched = {len(battles) - 1} if battles and not battles[-1].is_over else set[int]()
    for event, position in happenings:
        passage = system.narration.passage(event, position)
        beat = passage.beat if passage else ""
        if beat == "left out":
            continue
        if beat == "changes":
            changed += filter(None, [viewer.told(system, event, position)])
            continue
        goes_on = bool(battles) and not battles[-1].is_over
        if goes_on and beat != "goes on":
            battles[-1] = replace(battles[-1], is_over=True)
        told = viewer.told(system, event, position) if beat else None
        lines = (told,) if told is not None else ()
        if passage and beat == "begins":
            touched.add(len(battles))
            battles.append(Battle(passage.at, passage.named, lines, _holder(before, passage.at)))
        elif beat == "arrives":
            arrived += lines
        elif goes_on and beat:
            battles[-1] = replace(battles[-1], told=(*battles[-1].told, *lines))
    for at in touched:
        now = _holder(after, battles[at].at)
        is_taken = battles[at].is_taken or now != battles[at].holder
        battles[at] = replace(battles[at], holder=now, is_taken=is_taken)
    return TurnFought(tuple(battles), tuple(arrived), tuple(changed))


def _holder(scene: Scene, space: str) -> Side | None:
    return scene.places[space].control if space in scene.places else None


def changed_hands(known: Holders, before: Scene, after: Scene) -> Holders:
    """Each space that changed hands in a turn, with all that took it, after a further move."""
    found = dict(known)
    for space, place in after.places.items():
        if space in before.places and before.places[space].control != place.control:
            found[space] = (*found.get(space, ()), place.control)
    return tuple(found.items())
