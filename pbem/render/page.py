"""A game as one page for a browser: the board at every moment, with the story beside it.

Nothing is fetched, and only the page's own script runs: names and remarks are text, whatever is in
them. The moments are packed as the fragments of the picture that change from one to the next.
Without the script, or in an old browser, the page still has the story and the last picture.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape

from pbem.messages import Said, say
from pbem.render.blocks import Reader
from pbem.render.log import Line, Log, Paragraph
from pbem.render.log_html import CODE, marked
from pbem.render.page_words import table
from pbem.value import value

Proof = Callable[[Paragraph, Line], Sequence[Said]]
"""How the dice of a line were derived, in lines; none where it rolled none."""


@value
class Frame:
    """A moment of the page: the entry before it, its title, and the whole picture."""

    entry: int
    words: str
    fragments: Mapping[str, str]
    """By name, in the order they are drawn; every frame has the same names."""


@value
class Drawn:
    """The beginning and the common definitions of the pictures (render/maps/svg.py), and the
    scripts and styles that make a page of them; map.js and paper.css are shared with the board
    (pbem/desk).
    """

    head: str
    defined: str
    script: str
    style: str


def page(drawn: Drawn, frames: Sequence[Frame], log: Log, reader: Reader, proof: Proof) -> str:
    """The whole page. At least one frame; the last one is shown first."""
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src '{_hash(drawn.script)}'"
    title = escape(reader.words(log.title))
    last = frames[-1]
    return "".join([
        f'<!DOCTYPE html>\n<html lang="{escape(reader.words(CODE))}">\n',
        '<head>\n<meta charset="utf-8">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
        f"<title>{title}</title>\n<style>\n{drawn.style}</style>\n</head>\n<body>\n",
        f'<header><h1>{title}</h1><p id="moment" aria-live="polite">{escape(last.words)}</p>',
        "</header>\n<main>\n",
        f'<figure id="map">{drawn.head}<defs>{drawn.defined}</defs>',
        *(f'<g data-fragment="{at}" data-layer="{escape(name.partition(" ")[0])}">{drawing}</g>'
          for at, (name, drawing) in enumerate(last.fragments.items())),
        f"</svg></figure>\n{_controls(len(frames), reader)}",
        *story_blocks(log, reader, proof),
        '</main>\n<script type="text/plain" id="moments">', packed(frames),
        f'</script>\n{table([drawn.script], reader.language)}\n'
        f'<script type="module">{drawn.script}</script>\n</body>\n</html>\n',
    ])  # fmt: skip


def packed(frames: Sequence[Frame]) -> str:
    """The moments as JSON, deflated and in base64: each with the fragments that it changes.

    `[[entry, words, {fragment number: markup}], …]`; the first one has all that are not empty.
    """
    told, was = [], dict.fromkeys(frames[0].fragments, "")
    for frame in frames:
        changed = {
            at: fragment
            for at, (name, fragment) in enumerate(frame.fragments.items())
            if fragment != was[name]
        }
        told.append((frame.entry, frame.words, changed))
        was = dict(frame.fragments)
    plain = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.b64encode(zlib.compress(plain, 9)).decode()


def _hash(script: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def _controls(many: int, reader: Reader) -> str:
    buttons = (
        ("first", "|◀", say("First moment (Home)")),
        ("back", "◀", say("Back one (left arrow)")),
        ("play", say("▶ Play"), say("Play (space)")),
        ("next", "▶", say("Forward one (right arrow)")),
        ("last", "▶|", say("Last moment (End)")),
        ("nearer", "+", say("Zoom in (+)")),
        ("farther", "−", say("Zoom out (−)")),
        ("whole", say("All"), say("The whole map (0)")),
    )
    drawn = [
        f'<button id="{name}" type="button" title="{words}" aria-label="{words}">'
        f"{escape(reader.words(sign))}</button>"
        for name, sign, told in buttons
        for words in (escape(reader.words(told)),)
    ]
    slider = f'<input id="at" type="range" min="0" max="{many - 1}" value="{many - 1}" '
    moment = escape(reader.words(say("Moment")))
    drawn.insert(5, f'{slider}aria-label="{moment}">')
    return f'<nav id="controls" hidden>{"".join(drawn)}</nav>\n'


# --- the story ----------------------------------------------------------------------------------


def story_blocks(log: Log, reader: Reader, proof: Proof) -> Iterator[str]:
    """The story as an article, each roll with its derivation below it."""
    yield '<article id="story">\n'
    for note in log.notes:
        yield f'<p class="note">{escape(reader.words(note))}</p>\n'
    for chapter in log.chapters:
        yield f"<h2>{escape(reader.words(chapter.title))}</h2>\n"
        for paragraph in chapter.paragraphs:
            yield from _paragraph(paragraph, reader, proof)
    yield "</article>\n"


def _paragraph(paragraph: Paragraph, reader: Reader, proof: Proof) -> Iterator[str]:
    heading, source = reader.heading(paragraph.heading), reader.source(paragraph)
    yield f'<section data-entry="{paragraph.seq}" tabindex="0">'
    yield f"<h3>{escape(heading)} <small>{escape(source)}</small></h3>\n<ul>\n"
    for line, told in reader.lines(paragraph):
        words = marked(line, told, paragraph, reader)
        found = proof(paragraph, line)
        if found:
            lines = escape("\n".join(map(reader.words, found)))
            words = f"<details><summary>{words}</summary><pre>{lines}</pre></details>"
        yield f'<li class="{line.kind}">{words}</li>\n'
    yield "</ul></section>\n"
