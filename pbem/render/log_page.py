"""A log as one page for a browser; with the maps of a turn below it, where there are any.

Nothing is fetched and no script runs: whatever names and remarks hold is text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from pbem.engine.picture import Board, Scene, Sheet, Stroke, worded_sheet
from pbem.messages import Language, Said
from pbem.render.blocks import Reader
from pbem.render.log import Log
from pbem.render.log_html import CODE, html
from pbem.render.maps import svg
from pbem.value import value


@value
class Map:
    """The board as it is drawn on the page."""

    caption: Said
    board: Board
    sheet: Sheet
    scene: Scene
    title: Said
    moment: Said
    before: Scene | None = None
    strokes: tuple[Stroke, ...] = ()


def page(log: Log, maps: Sequence[Map], style: str, language: Language) -> str:
    """The whole page; its maps must be of one board."""
    reader = Reader(language)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return "".join([
        f'<!DOCTYPE html>\n<html lang="{escape(reader.words(CODE))}">\n<head>\n',
        '<meta charset="utf-8">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
        f"<title>{escape(reader.words(log.title))}</title>\n<style>\n{style}</style>\n",
        "</head>\n<body>\n", html(log, reader), *_figures(maps, reader), "</body>\n</html>\n",
    ])  # fmt: skip


def _figures(maps: Sequence[Map], reader: Reader) -> Iterator[str]:
    """Both maps; the second uses the patterns and cells that the first one defines."""
    defined = f"<defs>{svg.defined(maps[0].sheet)}</defs>" if maps else ""
    for at, each in enumerate(maps):
        sights = svg.Sights(each.board, each.scene, reader.language)
        named = sights.words(each.title), sights.words(each.moment)
        head = svg.head(each.sheet, ": ".join(named), svg.description(sights), f"map-{at}-")
        sheet = worded_sheet(each.sheet, reader.language)
        drawn = svg.fragments(sights, sheet, *named, each.strokes, each.before)
        yield f"<figure>\n<figcaption>{escape(reader.words(each.caption))}</figcaption>\n"
        yield f"{head}{defined}{''.join(drawn.values())}</svg>\n</figure>\n"
        defined = ""
