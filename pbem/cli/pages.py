"""A game as one page for a browser."""

from __future__ import annotations

from pathlib import Path

from pbem.play.derivation import proofs
from pbem.play.game import Game
from pbem.play.moments import moments
from pbem.play.seen import Seen
from pbem.play.story import story
from pbem.render.blocks import Reader
from pbem.render.maps import svg
from pbem.render.page import Drawn, Frame, page

BESIDE = Path(__file__).parents[1] / "render"
"""Where the script and the style of a page stand."""


def as_page(game: Game, found: Seen) -> bytes:
    """The game up to this moment as a page. It must have all its journals."""

    board, sheet = found.board, found.sheet
    told = svg.description(svg.Sights(board, found.scene))
    drawn = Drawn(
        svg.head(sheet, f"{found.title}: {found.moment}", told), svg.defined(sheet),
        *((BESIDE / name).read_text(encoding="utf-8") for name in ("page.js", "page.css")),
    )  # fmt: skip
    frames, before, album = [], None, svg.Album()
    for each in moments(game, found):
        fragments = svg.fragments(
            board, sheet, each.scene, found.title, each.words, each.strokes, before, album
        )  # fmt: skip
        frames.append(Frame(each.entry, each.words, fragments))
        before = each.scene
    derived = proofs(game)
    return page(
        drawn, frames, story(game), Reader(),
        lambda paragraph, line: [
            told
            for label in line.label.split()
            for told in derived.get((paragraph.seq, label), ())
        ],
    ).encode()  # fmt: skip
