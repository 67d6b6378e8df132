"""The boxes of a picture: title and turns, tracks and what each side has, the legend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.engine.picture import Camp, Sheet, Sign, Track, Unit
from pbem.messages import Message, say
from pbem.render.maps import signs
from pbem.render.maps.letters import wide
from pbem.render.maps.lines import number
from pbem.render.maps.marks import counter, escaped, node, placed, text, wall
from pbem.render.maps.sights import Sights, reduced

TURN, TURN_GAP = 280, 26
USUAL, SMALL = 120, 110
"""The usual size of letters, and the small one."""
LARGE, HALVED = 200, 150
"""The size of the title in one line, and the most in two."""
TWO_LINES, TITLE_LINE = 75, 175
"""What two lines of a title need more than one, and how far one is below the other."""
LEAST_WIDTH = 3200
PANEL = 3880
GAUGE, CAMP, LINE, MARGIN = 620, 330, 150, 120
FEW = 6
"""On a track so short each number is written, on others every fifth."""
LEGEND = 2200
COLUMN, WORDS = 1040, 470
ROW, UNIT_ROW = 240, 200


class Furniture:
    """The boxes around one scene."""

    def __init__(
        self, sights: Sights, sheet: Sheet, title: str, moment: str, *,
        has_strokes: bool, has_before: bool,
    ) -> None:  # fmt: skip
        self._sights, self._sheet = sights, sheet
        self._has_strokes, self._has_before = has_strokes, has_before
        self._title, self._moment = title, moment

    def boxes(self) -> Iterator[tuple[str, str]]:
        """All boxes that the sheet has room for, by name; a box without units is empty."""
        sheet, camps = self._sheet.boxes, self._sights.scene.camps
        drawn = {"title": self._titles, "tracks": self._tracks, "legend": self._legend}
        units = {name: units for camp in camps for name, units in camp.boxes}
        for name, (x, y) in sheet.items():
            if name in drawn:
                yield name, f'<g class="{name}">{"".join(drawn[name](x, y))}</g>'
            else:
                found = units.get(name)
                yield f"box {name}", "".join(self._units(name, found, x, y)) if found else ""

    # --- title and turns --------------------------------------------------------------------

    def _titles(self, x: int, y: int) -> Iterator[str]:
        calendar = self._sights.board.calendar
        step = TURN + TURN_GAP
        least = max(LEAST_WIDTH, step * len(calendar.turns) + 260)
        most = max(least, self._sheet.size[0] - x - MARGIN)
        lines, largest = _in_lines(self._title, most - 280)
        wanted = max(wide(line, largest, is_bold=True) for line in lines)
        width = min(most, max(least, wanted + 280, wide(self._moment, USUAL) + 280))
        room = width - 280
        more = TWO_LINES * (len(lines) - 1)
        height = (1200 if calendar.parts else 950) + more
        yield f'<rect {placed(x, y, width, height)} rx="6" class="box"/>'
        size = min(largest, largest * room // max(1, wanted))
        yield from self._title_lines(lines, size, x + 140, y + 270 - more)
        y += more  # all below the title
        yield _fitted(self._moment, x + 140, y + 470, room)
        for turn in range(1, len(calendar.turns) + 1):
            left, is_now = x + 140 + (turn - 1) * step, turn == self._sights.scene.turn
            is_marked = turn in calendar.marked
            kind = "now" if is_now else "marked" if is_marked else "cell"
            yield f'<rect {placed(left, y + 580, TURN, 240)} rx="2" class="{kind}"/>'
            words = f"{turn}{'*' if is_marked else ''}"
            yield text(words, left + TURN / 2, y + 745, "mid pale" if is_now else "mid")
        for first, last, name in calendar.parts:
            left = x + 140 + (first - 1) * step
            across = number((last - first + 1) * step - TURN_GAP)
            yield f'<path d="M{number(left)} {number(y + 890)}h{across}" class="line"/>'
            yield text(name, left, y + 1040, "small")
        if calendar.marked:
            yield text(f"* {calendar.mark}", x + width - 140, y + 1040, "small end")

    def _title_lines(self, lines: Sequence[str], size: int, x: int, y: int) -> Iterator[str]:
        first, *others = map(escaped, lines)
        below = "".join(f"<tspan {placed(x, y + TITLE_LINE)}>{line}</tspan>" for line in others)
        yield (
            f'<text {placed(x, y)} class="bold" style="font-size:{number(size)}px">'
            f"{first}{below}</text>"
        )

    # --- tracks and sides -------------------------------------------------------------------

    def _tracks(self, x: int, y: int) -> Iterator[str]:
        scene = self._sights.scene
        above = GAUGE * len(scene.tracks) + 260
        room = (self._sheet.size[1] - y - MARGIN - above) // max(1, len(scene.camps)) - CAMP
        rows = [self._rows(camp)[: room // LINE] for camp in scene.camps]
        height = above + sum(CAMP + LINE * len(each) for each in rows)
        yield f'<rect {placed(x, y, PANEL, height)} rx="6" class="box"/>'
        down = y + 480
        for track in scene.tracks:
            yield from self._gauge(track, x + 180, down)
            down += GAUGE
        down -= 20
        for camp, told in zip(scene.camps, rows, strict=True):
            yield from self._camp(camp, told, x + 180, down)
            down += CAMP + LINE * len(told)

    def _gauge(self, track: Track, x: int, y: int) -> Iterator[str]:
        low, high = min(track.low, track.value), max(track.high, track.value)
        width = PANEL - 360
        step = width / max(1, high - low)
        yield text(track.name, x, y - 200, "bold")
        room = width - wide(track.name, USUAL, is_bold=True) - MARGIN
        yield _fitted(track.words, x + width, y - 200, room, "small end")
        ticks = "".join(
            f"M{number(x + (value - low) * step)} {number(y)}v{3 if value % 5 else 6}"
            for value in range(low, high + 1)
        )
        yield f'<path d="M{number(x)} {number(y)}h{number(width)}{ticks}" class="line thick"/>'
        for value in range(low, high + 1):
            if value % 5 == 0 or high - low <= FEW:
                yield text(str(value), x + (value - low) * step, y + 180, "small mid")
        for stop, side in track.stops:
            at = f"M{number(x + (stop - low) * step)} {number(y - 100)}v16"
            yield f'<path d="{at}" class="stop{self._sights.number(side)}"/>'
        here = x + (track.value - low) * step
        yield (
            f'<path d="M{number(here - 100)} {number(y - 170)}h20v11l-10 6l-10-6z" '
            'class="pointer"/>'
        )
        yield text(str(track.value), here, y - 70, "mid pale")

    def _camp(self, camp: Camp, rows: Sequence[tuple[str, str]], x: int, y: int) -> Iterator[str]:
        which = self._sights.number(camp.side)
        party = next(each for each in self._sights.board.parties if each.side == camp.side)
        yield f'<rect {placed(x, y - 110, 160, 130)} class="body{which}"/>'
        yield text(party.name, x + 240, y, "bold")
        for at in range(camp.most_rounds):
            left = x + PANEL - 330 - (camp.most_rounds - at) * 300
            is_done = at < len(camp.rounds)
            kind = f"done{which}" if is_done else "cell"
            yield f'<rect {placed(left, y - 130, 270, 170)} rx="2" class="{kind}"/>'
            words = camp.rounds[at] if is_done else str(at + 1)
            yield text(words, left + 135, y, "mid pale" if is_done else "mid small")
        for row, (name, told) in enumerate(rows, 1):
            down = y + 30 + LINE * row
            cut = _cut(told, PANEL - 300 - wide(f"{name} ", SMALL))
            yield (
                f'<text {placed(x, down)} class="small">{escaped(name)} '
                f'<tspan fill="{signs.INK}">{escaped(cut)}</tspan></text>'
            )

    def _units(self, name: str, units: tuple[Unit, ...], x: int, y: int) -> Iterator[str]:
        """Units that are in a box of the sheet."""
        which = self._sights.number(units[0].side) or 0
        yield f'<g><rect {placed(x, y, 1960, 480)} rx="6" class="box"/>'
        yield text(name, x + 100, y + 190, "bold")
        yield text(self._counted(units), x + 100, y + 360, "small")
        yield f"{counter(units, which, x + 1660, y + 250)}</g>"

    def _rows(self, camp: Camp) -> list[tuple[str, str]]:
        """The lines about a side, the most important first: there may not be room for all of
        them.
        """
        number, elsewhere = len(camp.hand) + camp.unseen, self._sheet.boxes
        in_hand = self._sights.words(say("{number} in hand", number=number))
        hand = [(camp.hand_is.capitalize(), in_hand)] if camp.hand_is else []
        boxes = [(name, self._counted(units)) for name, units in camp.boxes
                 if name not in elsewhere]  # fmt: skip
        return [*hand, *boxes, *(("", fact) for fact in camp.facts)]

    def _counted(self, units: Sequence[Unit]) -> str:
        """Units by their kind, and how many of them are reduced: "INF ×3 (1 reduced), guns ×1".

        The number comes last, since a kind has one form for all numbers, in any language.
        """
        kinds = Counter(unit.kind for unit in units)
        worn = Counter(unit.kind for unit in units if reduced(unit))
        word = self._sights.board.wear.worn
        return ", ".join(
            f"{kind} ×{number}" + (f" ({worn[kind]} {word})" if worn[kind] else "")
            for kind, number in kinds.items()
        )

    # --- the legend -------------------------------------------------------------------------

    def _legend(self, x: int, y: int) -> Iterator[str]:
        board = self._sights.board
        units = [sign for sign in board.legend if sign.shape in signs.UNIT_SHAPES]
        others = [sign for sign in board.legend if sign.shape not in ("", *signs.UNIT_SHAPES)]
        entries = [(_sample(sign), sign.words) for sign in others]
        entries += [(drawn, self._sights.words(told)) for drawn, told in self._line_entries()]
        points = [("<g>" + _disc(2) + "</g>", board.points)] if board.points else []
        entries = [*entries[: len(signs.NODES)], *points, *entries[len(signs.NODES) :]]
        rows = (len(entries) + 1) // 2
        height = ROW * rows + UNIT_ROW * len(units) + 1100
        left, right = (
            WORDS + max((wide(words, USUAL) for _, words in entries[at::2]), default=0)
            for at in (0, 1)
        )
        column = max(COLUMN, left - 50)  # a sign begins 120 behind its column
        notes = tuple(map(self._sights.words, (
            say("bar: {whole}; open: {worn}", whole=board.wear.whole, worn=board.wear.worn),
            say("number: strength"),
        )))  # fmt: skip
        samples = [
            self._sights.words(say("{side}: {look}", side=party.name, look=look))
            for party, look in zip(board.parties, (say("dark"), say("light")), strict=False)
        ]
        below = max(
            460 + max((wide(sign.words, USUAL) for sign in units), default=0),
            600 + max(wide(note, SMALL) for note in notes),
            600 + max(wide(sample, USUAL) for sample in samples),
        )
        width = max(LEGEND, column + right + MARGIN // 2, below + MARGIN)
        yield f'<rect {placed(x, y, width, height)} rx="6" class="box"/>'
        for at, (drawn, words) in enumerate(entries):
            across, down = x + at % 2 * column, y + 240 + at // 2 * ROW
            yield f'<g transform="translate({number(across + 260)} {number(down)})">{drawn}</g>'
            yield text(words, across + WORDS, down + 40)
        down = y + 240 + rows * ROW
        for sign in units:
            yield f'<use href="#{sign.shape}" {placed(x + 180, down - 60)} class="sign1"/>'
            yield text(sign.words, x + 460, down + 40)
            down += UNIT_ROW
        shape = units[0].shape if units else "cross"
        told = zip(board.parties, samples, notes, strict=False)
        for which, (party, sample, note) in enumerate(told):
            row = [
                Unit("", party.side, shape, "", "", 1, steps, 2) for steps in (2, 1)[: 2 - which]
            ]
            yield counter(row, which, x + 340, down + 160)
            yield text(sample, x + 600, down + 130)
            yield text(note, x + 600, down + 280, "small")
            down += 430

    def _line_entries(self) -> Iterator[tuple[str, Message]]:
        """The signs for lines in this picture."""
        sheet = self._sheet
        if sheet.crossings:
            bridge = "M-7-6.6l2 2.6h10l2-2.6M-7 6.6l2-2.6h10l2 2.6"
            road = '<path d="M-14 0h28" class="road"/>'
            yield f'{road}<path d="{bridge}" class="bridge"/>', say("river")
        elif sheet.banks:
            yield '<path d="M-14 0h28" class="river" stroke-width="4"/>', say("water")
        if sheet.slopes:
            yield '<path d="M-9-4v8M-3-4v8M3-4v8M9-4v8" class="road"/>', say("slope, down")
        if sheet.edges:
            yield '<path d="M-15 0h30" class="front"/>', say("front")
        if self._has_strokes:
            yield '<path d="M-14 0h28" class="move1"/>', say("move")
            shaft = '<path d="M-14 0h20" class="attack1"/>'
            yield f'{shaft}<path d="M4-6l11 6l-11 6z" class="head1"/>', say("attack")
            yield '<use href="#burst"/>', say("hits")
        if self._has_before:
            yield '<path d="M-14 0h28" class="rim1"/>', say("taken")


def _in_lines(title: str, room: int) -> tuple[list[str], int]:
    """A title in one line, or in two behind its last colon if it is long; and its largest size."""
    game, colon, scenario = title.rpartition(": ")
    if not colon or wide(title, HALVED, is_bold=True) <= room:
        return [title], LARGE
    return [game, scenario], HALVED


def _fitted(words: str, x: float, y: float, room: float, kind: str = "") -> str:
    """A line of text, with smaller letters where it would be longer than the room."""
    usual = SMALL if "small" in kind else USUAL
    needed = wide(words, usual)
    line = text(words, x, y, kind)
    if needed <= room:
        return line
    size = number(usual * room / needed)
    return line.replace("<text", f'<text style="font-size:{size}px"', 1)


def _cut(told: str, room: int) -> str:
    """As many parts of a list as there is room for."""
    parts = told.split(", ")
    for count in range(len(parts), 0, -1):
        line = ", ".join(parts[:count]) + (" …" if count < len(parts) else "")
        if wide(line, SMALL) <= room:
            return line
    return " …"


def _sample(sign: Sign) -> str:
    if sign.shape in signs.NODES:
        return node(sign.shape, 1, 0, 0)
    if sign.shape in signs.WALLS:
        return wall(sign, 0, -150)
    figure = text(str(sign.number), 0, 55, "figure") if sign.number is not None else ""
    return f'<use href="#{sign.shape}"/>{figure}'


def _disc(points: int) -> str:
    return f'<circle r="6" class="disc"/>{text(str(points), 0, 34, "figure")}'
