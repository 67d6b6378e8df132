"""Pages for a browser: a whole game, and a log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.messages import Language
from pbem.play.derivation import proof
from pbem.play.game import Game
from pbem.play.moments import moments
from pbem.play.seen import Seen
from pbem.play.story import story
from pbem.render import log_page
from pbem.render.blocks import Reader
from pbem.render.log import Log
from pbem.render.maps import svg
from pbem.render.page import Drawn, Frame, page


def beside(name: str) -> str:
    """A script or a style of pages, which are next to the code that renders them."""
    return (Path(__file__).parents[1] / "render" / name).read_text(encoding="utf-8")


def as_page(game: Game, found: Seen) -> bytes:
    """The game up to this moment as a page. It must have all its journals."""

    board, sheet = found.board, found.sheet
    told = svg.description(svg.Sights(board, found.scene))
    drawn = Drawn(
        svg.head(sheet, f"{found.title}: {found.moment}", told), svg.defined(sheet),
        beside("map.js") + beside("page.js"), beside("paper.css") + beside("page.css"),
    )  # fmt: skip
    frames, before, album = [], None, svg.Album()
    for each in moments(game, found):
        fragments = svg.fragments(
            board, sheet, each.scene, found.title, each.words, each.strokes, before, album
        )  # fmt: skip
        frames.append(Frame(each.entry, each.words, fragments))
        before = each.scene
    return page(drawn, frames, story(game), Reader(), proof(game)).encode()


def log_as_page(log: Log, language: Language, maps: Sequence[log_page.Map] = ()) -> str:
    """A log as a page, with the maps of a turn."""
    return log_page.page(log, maps, beside("paper.css") + beside("log.css"), language)
