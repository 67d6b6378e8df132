"""The shapes that games may use, as SVG, and the colours of a map.

Sides are shown in three ways: blue or red, a dark or a light body, hatched or plain ground. So a
map can be read in black and white and by the colour-blind.
"""

from __future__ import annotations

from collections.abc import Mapping

INK, PAPER, MUTED, WHITE = "#1c1b19", "#fffdf8", "#5d584f", "#fff"
SEA, COAST, FOREIGN, FOREIGN_RIM = "#dce8ee", "#7d93a0", "#ebe7de", "#b9b2a3"
ROAD, RIVER, CROSSING, PATTERN = "#7b7164", "#3f7ea6", "#14486b", "#77694f"
GOLD, WARNING, EMPTY = "#f2c230", "#ffd400", "#f1ede3"
DARK, DARKER, LIGHT, LIGHTER = "#1d4273", "#122c4e", "#fff8f0", "#f3d9c8"
RED, DEEP_RED = "#a8281a", "#7a170c"
GROUNDS, HATCH = ("#b4c6da", "#f8e8d6"), "#8ba5c1"
FONT = '"Helvetica Neue",Helvetica,Arial,"Liberation Sans","DejaVu Sans",sans-serif'

STYLE = f"""
.sea{{fill:{SEA}}}.paper{{fill:{PAPER}}}.foreign{{fill:{FOREIGN};stroke:{FOREIGN_RIM}}}
.ground0{{fill:{GROUNDS[0]};stroke:{GROUNDS[0]}}}.ground1{{fill:{GROUNDS[1]};stroke:{GROUNDS[1]}}}
.ground{{fill:{EMPTY};stroke:{EMPTY}}}.coast{{fill:none;stroke:{COAST};stroke-width:1.4}}
.grid{{fill:none;stroke:{ROAD};stroke-opacity:.7}}
text{{font-family:{FONT};fill:{INK};font-size:12px}}
.label{{stroke:{WHITE};stroke-width:2.6;stroke-opacity:.82;paint-order:stroke;
stroke-linejoin:round}}.bold{{font-weight:700}}.small{{font-size:11px;fill:{MUTED}}}
.end{{text-anchor:end}}.mid{{text-anchor:middle}}.figure{{font-size:10px;font-weight:700;
text-anchor:middle}}.seaname{{font-size:17px;font-style:italic;fill:#48697c;letter-spacing:3px}}
.landname{{font-size:20px;fill:#8d8676;letter-spacing:7px}}
.rivername{{font-size:11px;font-style:italic;fill:{CROSSING};letter-spacing:2px;
text-anchor:middle}}
.road{{fill:none;stroke:{ROAD};stroke-width:1.5}}.narrow{{stroke-width:3.4;stroke-dasharray:2 4}}
.highway,.lane{{fill:none;stroke:{ROAD};stroke-width:5;stroke-linecap:round}}
.lane{{stroke:{PAPER};stroke-width:2.8}}
.casing{{fill:none;stroke:{WHITE};stroke-linejoin:round;stroke-opacity:.9}}
.roadside{{stroke-width:3.6;stroke-opacity:.65}}
.river{{fill:none;stroke:{RIVER};stroke-linecap:round;stroke-linejoin:round;stroke-opacity:.75}}
.bridge{{fill:none;stroke:{CROSSING};stroke-width:1.6}}.bridgeside{{stroke-width:4}}
.front{{fill:none;stroke:{INK};stroke-width:3.4;stroke-linejoin:round;stroke-linecap:round}}
.frontside{{stroke-width:7}}.rim0,.rim1{{fill:none;stroke:{DARK};stroke-width:3;
stroke-dasharray:1 5;stroke-linecap:round}}.rim1{{stroke:{RED}}}
.body0,.under0{{fill:{DARK};stroke:{WHITE};stroke-width:1.2}}.under0{{fill:{DARKER}}}
.body1,.under1{{fill:{LIGHT};stroke:{RED};stroke-width:1.8}}.under1{{fill:{LIGHTER}}}
.sign0{{stroke:{WHITE};fill:none}}.sign1{{stroke:{DEEP_RED};fill:none}}
.count0,.count1{{font-size:14px;font-weight:700;text-anchor:middle;fill:{WHITE}}}
.count1{{fill:{DEEP_RED}}}.wide{{font-size:11px}}.full0{{fill:{WHITE}}}.full1{{fill:{DEEP_RED}}}
.less0{{fill:none;stroke:{WHITE}}}.less1{{fill:none;stroke:{DEEP_RED}}}
.node0{{fill:{DARK};stroke:{WHITE};stroke-width:1.4}}
.node1{{fill:{LIGHT};stroke:{RED};stroke-width:2}}
.node{{fill:{PAPER};stroke:{MUTED};stroke-width:1.6}}
.core0{{fill:{WHITE}}}.core1{{fill:{RED}}}.core{{fill:{MUTED}}}
.disc{{fill:{GOLD};stroke:{INK};stroke-width:.9}}
.wall,.solid_wall{{fill:{WHITE};stroke:{INK};stroke-width:1.4;stroke-linejoin:round}}
.solid_wall{{fill:{INK}}}.box{{fill:{PAPER};stroke:{MUTED}}}.inset{{fill:#eef5f8;stroke:{COAST}}}
.move0,.move1,.attack0,.attack1{{fill:none;stroke:{DARK}}}.move1,.attack1{{stroke:{RED}}}
.move0,.move1{{stroke-width:3;stroke-dasharray:6 3.5}}.attack0,.attack1{{stroke-width:5.5}}
.moveside{{stroke-width:6.5}}.attackside{{stroke-width:9}}.headside{{stroke-width:4;fill:{WHITE}}}
.head0{{fill:{DARK}}}.head1{{fill:{RED}}}
.line{{stroke:{INK};fill:none}}.thick{{stroke-width:1.6}}
.stop0,.stop1{{stroke:{DARK};stroke-width:2;stroke-dasharray:3 2}}.stop1{{stroke:{RED}}}
.pointer{{fill:{INK}}}.pale{{fill:{WHITE};font-weight:700;font-size:11px}}
.cell{{fill:{WHITE};stroke:{MUTED}}}.marked{{fill:#dfe6ea;stroke:{MUTED}}}
.now{{fill:{INK};stroke:{INK}}}.done0{{fill:{DARK};stroke:{MUTED}}}.done1{{fill:{RED};stroke:{MUTED}}}
"""
"""Class names differ by more than case, and every rule is scoped by the picture (`scoped`)."""


def scoped(style: str, scope: str) -> str:
    """The style rules, limited to elements of a class: pictures are in pages next to others."""
    rules = (rule.partition("{") for rule in style.replace("\n", "").split("}") if rule)
    return "".join(
        f"{','.join(f'.{scope} {each}' for each in names.split(','))}{{{body}}}"
        for names, _, body in rules
    )


FRAME = "M0 0h15v11h-15z"
UNIT_SHAPES: Mapping[str, tuple[str, str]] = {
    "cross": (f"{FRAME}L15 11M15 0L0 11", "1.3"),
    "stroke": (f"{FRAME}M0 11L15 0", "1.3"),
    "chevron": (f"{FRAME}M3.5 8.5l4-5.5 4 5.5", "1.3"),
    "shield": (f"{FRAME}M4.5 2.5h6v3q0 3-3 4q-3-1-3-4z", "1.3"),
    "crescent": (f"{FRAME}M9.8 2.6a3.4 3.4 0 1 0 0 5.8a3.8 3.8 0 0 1 0-5.8z", "1.3"),
    "star": (
        f"{FRAME}M7.5 1.6l1.2 2.6 2.8.3-2.1 1.9.6 2.8-2.5-1.4-2.5 1.4.6-2.8-2.1-1.9 2.8-.3z",
        "1.2",
    ),
    "oval": (f"{FRAME}M5 2.8h5a2.7 2.7 0 0 1 0 5.4h-5a2.7 2.7 0 0 1 0-5.4z", "1.3"),
    "dot": (f"{FRAME}M5.7 5.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0zm1.2 0h1.2", "1.6"),
    "cross_bar": (f"{FRAME}L15 11M15 0L0 11M7.5 0v11", "1.2"),
    "corps": (
        "M0 2.5h15v8.5h-15zL15 11M15 2.5L0 11M2.5-1l2.2 2.4m0-2.4l-2.2 2.4M6.4-1l2.2 2.4m0-2.4"
        "l-2.2 2.4M10.3-1l2.2 2.4m0-2.4l-2.2 2.4",
        "1.1",
    ),
}
"""Signs on counters, 15 by 11: a path, and how thick it is."""

ANCHOR = "M0-5v9.5M-3.2-2h6.4M-5 1q.6 3.8 5 4q4.4-.2 5-4"
BURST = (
    "M0-13l3.4 7.2 7.6-2.6-2.6 7.6 7.2 3.4-7.2 3.4 2.6 7.6-7.6-2.6-3.4 7.2-3.4-7.2-7.6 2.6 2.6-7.6"
    "-7.2-3.4 7.2-3.4-2.6-7.6 7.6 2.6z"
)
DRAWN_SIGNS: Mapping[str, str] = {
    "castle": f'<path d="M-5.5 5v-7h2.6v2h1.7v-2h2.4v2h1.7v-2h2.6v7z" fill="{WHITE}" '
    f'stroke="{INK}" stroke-width="1.2"/><path d="M-1 5v-3h2v3z" fill="{INK}"/>',
    "anchor": f'<path d="{ANCHOR}" fill="none" stroke="{WHITE}" stroke-width="3.6" '
    f'stroke-opacity=".9"/><path d="{ANCHOR}" fill="none" stroke="{CROSSING}" '
    'stroke-width="1.6"/>',
    "warning": f'<path d="M0-7l7 12h-14z" fill="{WARNING}" stroke="{INK}" stroke-width="1.4" '
    f'stroke-linejoin="round"/><path d="M0-3v4M0 2.2v1.5" stroke="{INK}" stroke-width="2"/>',
    "caution": f'<path d="M0-7.5l7.5 13h-15z" fill="{WHITE}" stroke="{INK}" stroke-width="1.4" '
    f'stroke-linejoin="round"/><path d="M-1.9-1.1a1.9 1.8 0 1 1 2.6 1.7q-.7.3-.7 1.4M0 3v1.4" '
    f'fill="none" stroke="{INK}" stroke-width="1.5"/>',
    "broken": f'<circle r="7.5" fill="{WHITE}" stroke="{INK}" stroke-width="1.4"/><path '
    f'd="M-4.5 0h3M1.5 0h3M0-4.5v3M0 1.5v3" stroke="{INK}" stroke-width="1.8"/>',
    "tower": f'<path d="M-8 7v-14h3.4v3h3v-3h3.2v3h3v-3h3.4v14z" fill="{WHITE}" '
    f'stroke="{INK}" stroke-width="1.4"/>',
    "flag": f'<path d="M-4 7v-14l10 3.5-10 3.5" fill="{WHITE}" stroke="{INK}" '
    'stroke-width="1.5" stroke-linejoin="round"/>',
    "veil": f'<path d="M-8 0q8-8.5 16 0q-8 8.5-16 0z" fill="{WHITE}" stroke="{INK}" '
    f'stroke-width="1.4"/><circle r="2.4" fill="{INK}"/><path d="M-7 6l14-12" stroke="{WHITE}" '
    f'stroke-width="4"/><path d="M-7 6l14-12" stroke="{INK}" stroke-width="1.6"/>',
    "cover": f'<path d="M-8-6h16v12h-16z" fill="{INK}" stroke="{WHITE}" stroke-width="1.2"/><path '
    f'd="M-1.9-1.6a1.9 1.8 0 1 1 2.6 1.7q-.7.3-.7 1.4M0 3v1.2" fill="none" stroke="{WHITE}" '
    'stroke-width="1.5"/>',
    "road": f'<path d="M-14 0h28" stroke="{ROAD}" stroke-width="5" stroke-linecap="round"/>'
    f'<path d="M-14 0h28" stroke="{PAPER}" stroke-width="2.8" stroke-linecap="round"/>',
    "narrow": f'<path d="M-14 0h28" stroke="{ROAD}" stroke-width="3.4" stroke-dasharray="2 4"/>',
    "built": f'<path d="M-12-6h24v12h-24z" fill="url(#blocks)" stroke="{ROAD}"/>',
    "burst": f'<path d="{BURST}" transform="scale(.82)" fill="{WHITE}" stroke="{INK}" '
    'stroke-width="1.8" stroke-linejoin="round"/>',
}
"""Signs around their middle, drawn as they are. They have no classes: a browser does not apply the
rules of the picture (`scoped`) to what it copies out of the definitions.
"""

WALLS = ("wall", "solid_wall")
WALL = "M-17 8v-7h4v3h4v-3h4v3h4v-3h4v3h4v-3h4v3h4v-3h2v7z"
"""A battlement below a counter whose middle is twelve pixels higher."""
BADGES = ("castle", "anchor")
NODES = ("circle", "triangle", "square", "double_square")
GROUND_PATTERNS: Mapping[str, str] = {
    "peaks": '<pattern id="peaks" width="17" height="13" patternUnits="userSpaceOnUse"><path '
    f'd="M1.5 5l3-4 3 4M10 11.5l3-4 3 4" fill="none" stroke="{PATTERN}" stroke-opacity=".6"/>'
    "</pattern>",
    "trees": '<pattern id="trees" width="14" height="14" patternUnits="userSpaceOnUse"><circle '
    f'cx="4" cy="4" r="2" fill="none" stroke="{PATTERN}" stroke-opacity=".7"/><circle cx="11" '
    f'cy="11" r="2" fill="none" stroke="{PATTERN}" stroke-opacity=".7"/></pattern>',
    "blocks": '<pattern id="blocks" width="10" height="10" patternUnits="userSpaceOnUse"><path '
    f'd="M1 1h2.6v2.6h-2.6zM6 6h2.6v2.6h-2.6z" fill="{PATTERN}" fill-opacity=".55"/></pattern>',
}
HATCHING = (
    '<pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" '
    f'patternTransform="rotate(45)"><path d="M0 0v7" stroke="{HATCH}" stroke-width="1.3"/>'
    "</pattern>"
)


def definitions() -> str:
    """All patterns and signs, to be used by their ids."""
    units = (
        f'<g id="{name}"><path d="{path}" stroke-width="{width}"/></g>'
        for name, (path, width) in UNIT_SHAPES.items()
    )
    drawn = (f'<g id="{name}">{parts}</g>' for name, parts in DRAWN_SIGNS.items())
    return "".join([HATCHING, *GROUND_PATTERNS.values(), *units, *drawn])
