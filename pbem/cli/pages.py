"""Pages for a browser: a whole game, and a log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.engine.picture import worded_sheet
from pbem.messages import Language, words
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


def as_page(game: Game, found: Seen, language: Language) -> bytes:
    """The game up to this moment as a page. It must have all its journals."""
    sheet = worded_sheet(found.sheet, language)
    sights = svg.Sights(found.board, found.scene, language)
    title = words(found.title, language)
    drawn = Drawn(
        svg.head(sheet, f"{title}: {words(found.heading, language)}", svg.description(sights)),
        svg.defined(sheet),
        "".join(map(beside, ("say.js", "map.js", "page.js"))),
        beside("paper.css") + beside("page.css"),
    )
    frames, before, album = [], None, svg.Album()
    for each in moments(game, found):
        moment = words(each.words, language)
        fragments = svg.fragments(
            sights.at(each.scene), sheet, title, moment, each.strokes, before, album
        )
        frames.append(Frame(each.entry, moment, fragments))
        before = each.scene
    return page(
        drawn, frames, story(game, viewer=found.viewpoint), Reader(language), proof(game)
    ).encode()


def log_as_page(log: Log, language: Language, maps: Sequence[log_page.Map] = ()) -> str:
    """A log as a page, with the maps of a turn."""
    return log_page.page(log, maps, beside("paper.css") + beside("log.css"), language)
