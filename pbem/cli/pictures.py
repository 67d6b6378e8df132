"""A board as a file: SVG, and PNG if resvg is installed."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pbem.cli.extras import install
from pbem.messages import Language, say
from pbem.play.game import Game
from pbem.play.seen import Seen
from pbem.problems import Problem, Refused
from pbem.render.maps.svg import picture

RENDERER = "resvg_py"


def as_svg(game: Game, found: Seen, language: Language) -> bytes:
    """The board as an SVG picture."""
    return picture(
        found.board, found.sheet, found.scene, found.title, found.heading, found.strokes,
        found.before, language,
    ).encode()  # fmt: skip


def as_png(game: Game, found: Seen, language: Language) -> bytes:
    """The same as a PNG of its size. Raises Refused if resvg-py is not installed."""
    if find_spec(RENDERER) is None:
        raise Refused(
            Problem(
                "no-renderer",
                say("a PNG is drawn by resvg-py, which is not installed"),
                hint=say(
                    "{command} installs it; --svg writes the picture without it",
                    command=install("picture"),
                ),
            )
        )
    renderer: Any = import_module(RENDERER)
    return bytes(renderer.svg_to_bytes(svg_string=as_svg(game, found, language).decode()))
