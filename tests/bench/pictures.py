"""How long it takes to draw the Campaign, without the process around it."""

from __future__ import annotations

from statistics import median
from time import process_time

from pbem.gamedata.load import drawing
from pbem.play.systems import opened
from pbem.render.maps.svg import picture

TIMES = 15


def milliseconds() -> float:
    """Geometry read, scene and picture made; the median of some runs."""
    game = opened("crusade").system
    position = game.setup("campaign", frozenset({"open_hands"})).position
    return median(_one(game, position) for _ in range(TIMES)) * 1000


def _one(game: object, position: object) -> float:
    started = process_time()
    plain, its = drawing("crusade"), game.picture  # type: ignore[attr-defined]
    picture(its.board(plain), its.sheet(plain), its.scene(position, None), "t", "m")
    return process_time() - started
