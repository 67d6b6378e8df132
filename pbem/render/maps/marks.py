"""Small parts of a picture: counters, nodes, walls, text. Places are tenths of a pixel."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.picture import Sign, Unit
from pbem.render.maps.lines import number
from pbem.render.maps.sights import figure, reduced
from pbem.render.maps.signs import WALL
from pbem.words import visible

WIDTH, HEIGHT, BEHIND = 340, 240, 22
DIVISION, CORPS, DOT, BETWEEN = 55, 90, 36, 20
"""Widths of the bars below a counter's figure: one for each unit, a dot for a hidden one."""
MOST_BARS = 4
"""A box next to the map may hold more units than there is room for bars."""


def escaped(words: str) -> str:
    """Text for SVG: nothing in it is markup, and invisible characters are spelled out."""
    shown = visible(words)
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        shown = shown.replace(sign, entity)
    return shown


def placed(x: float, y: float, width: float | None = None, height: float | None = None) -> str:
    """The attributes of a place, and of a size."""
    size = "" if width is None or height is None else (
        f' width="{number(width)}" height="{number(height)}"'
    )  # fmt: skip
    return f'x="{number(x)}" y="{number(y)}"{size}'


def text(words: str, x: float, y: float, kind: str = "") -> str:
    """A line of text; `kind` names its classes."""
    told = f' class="{kind}"' if kind else ""
    return f"<text {placed(x, y)}{told}>{escaped(words)}</text>"


def counter(units: Sequence[Unit], which: int, x: float, y: float) -> str:
    """A stack: the sign of its strongest unit, its strength, and a bar for each unit.

    A full unit is a solid bar, one that has lost a step an open one, and a hidden one a dot.
    """
    left, top = x - WIDTH / 2, y - HEIGHT / 2
    found = [
        f'<rect {placed(left + BEHIND * at, top - BEHIND * at, WIDTH, HEIGHT)} rx="2" '
        f'class="{"under" if at else "body"}{which}"/>'
        for at in range(min(len(units), 3) - 1, -1, -1)
    ]
    strongest = max(units, key=lambda unit: (unit.is_large, unit.strength or 0))
    found.append(f'<use href="#{strongest.shape}" {placed(x - 140, y - 90)} class="sign{which}"/>')
    total = figure(units)
    is_wide = len(total) > 1
    kind = f"count{which}{' wide' if is_wide else ''}"
    found.append(text(total, x + (105 if is_wide else 95), y + 35, kind))
    full = less = ""
    at = x - 140
    for unit in units if len(units) <= MOST_BARS else ():
        width = CORPS if unit.is_large else DIVISION
        if unit.strength is None:
            width = DOT
            full += f"M{number(at)} {number(y + 55)}h{number(width)}v3.6h-{number(width)}z"
        elif reduced(unit):
            across = number(width - 10)
            less += f"M{number(at + 5)} {number(y + 60)}h{across}v2.6h-{across}z"
        else:
            full += f"M{number(at)} {number(y + 55)}h{number(width)}v3.6h-{number(width)}z"
        at += width + BETWEEN
    found += [f'<path d="{full}" class="full{which}"/>'] if full else []
    found += [f'<path d="{less}" class="less{which}"/>'] if less else []
    return "".join(found)


def node(shape: str, which: int | None, x: float, y: float) -> str:
    """An empty space; `which` side holds it, None for nobody."""
    whose = "" if which is None else str(which)
    if shape == "triangle":
        return f'<path d="M{number(x - 80)} {number(y + 60)}l8-13 8 13z" class="node{whose}"/>'
    if shape == "square":
        return f'<rect {placed(x - 65, y - 65, 130, 130)} class="node{whose}"/>'
    if shape == "double_square":
        return (
            f'<rect {placed(x - 90, y - 90, 180, 180)} class="node{whose}"/>'
            f'<rect {placed(x - 40, y - 40, 80, 80)} class="core{whose}"/>'
        )
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="6" class="node{whose}"/>'


def wall(sign: Sign, x: float, y: float) -> str:
    """A battlement below the middle of a counter, open or solid."""
    at = f"translate({number(x)} {number(y + 120)})"
    return f'<path d="{WALL}" transform="{at}" class="{sign.shape}"/>'
