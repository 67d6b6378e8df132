"""A board in the terminal: 100 columns, region by region, with nothing said by colour alone.

The result is rows of spans; a span names its meaning, and the printer may give that a colour.
Without colours the text says everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import sqrt

from pbem.engine.model import Side
from pbem.engine.picture import Board, Camp, Place, Sign, Spot, Track, Unit, Wear
from pbem.messages import Message, Part, Said, say
from pbem.messages import Row as Parts
from pbem.render.maps.sights import Sights, figure, reduced, strength
from pbem.value import value
from pbem.words import to_lines, visible

WIDTH = 100
UNITS_END = 70
NAME_WIDTH = 24
IDS = 14
"""How wide the ids of units are in a list, at least."""


@value
class Run:
    """Text with its meaning: `first` or `second` side, `bar`, `dim`, or nothing in particular."""

    text: str
    what: str = ""


Row = tuple[Run, ...]


def plain(rows: Iterable[Row]) -> list[str]:
    """The rows as lines of text."""
    return [visible("".join(span.text for span in row)).rstrip() for row in rows]


def whole(sights: Sights, title: Said, moment: Said) -> Iterator[Row]:
    """The whole table: headings and hands, a small map, then every region."""
    scene = sights.scene
    yield from heading(sights.words(title), sights.words(moment))
    yield from map(_track, scene.tracks)
    for camp in scene.camps:
        yield from _camp(sights, camp)
    yield from _folded(scene.notes, " ")
    yield ()
    yield from _situation(sights)
    for region, spots in sights.regions():
        yield ()
        yield from _region(sights, region, spots)
    yield ()
    yield from _legend(sights)


def heading(title: str, moment: str) -> Iterator[Row]:
    """Title and moment in a line, or in two where they are long."""
    if len(title) + len(moment) + 4 <= WIDTH:
        yield (Run(f" {title.ljust(WIDTH - len(moment) - 2)}{moment} ", "bar"),)
    else:
        yield (Run(f" {title}".ljust(WIDTH), "bar"),)
        yield (Run(f" {moment}".ljust(WIDTH), "bar"),)


# --- next to the map -----------------------------------------------------------------------------

GAUGE = 26


def _track(track: Track) -> Row:
    low, high = min(track.low, track.value), max(track.high, track.value)
    line = ["-"] * GAUGE
    for number, sign in (*((stop, "+") for stop, _ in track.stops), (track.value, "@")):
        line[round((number - low) * (GAUGE - 1) / max(1, high - low))] = sign
    return (Run(f" {track.name:<18}{track.value:>3}  {low} {''.join(line)} {high}  {track.words}"),)


def _camp(sights: Sights, camp: Camp) -> Iterator[Row]:
    rounds = say("rounds: {done} (of {most})", done=Parts(camp.rounds, " ") if camp.rounds
                 else say("none"), most=camp.most_rounds)  # fmt: skip
    told = [sights.words(rounds)] if camp.most_rounds else []
    told += [sights.words(_hand(camp))] if camp.hand_is else []
    first, *more = to_lines("; ".join([*told, *camp.facts]), WIDTH - 4) or [""]
    yield (_tag(sights, camp.side), Run(f" {first}"))
    yield from ((Run(f"    {line}"),) for line in more)
    for held in camp.hand:
        card = f"{held.title} ({held.worth})" if held.worth else held.title
        yield from _folded([card], f"{' ' * 6}{held.id:<4} ", " " * 11)
    for name, units in camp.boxes:
        listed = f"{name}, {len(units)}: {', '.join(_units(units))}"
        yield from _folded([listed], "    ", "      ")


def _hand(camp: Camp) -> Message:
    number = len(camp.hand) + camp.unseen
    if camp.hand and camp.unseen:
        return say("{cards} in hand: {number}, {unseen} of them hidden from you",
                   cards=camp.hand_is, number=number, unseen=camp.unseen)  # fmt: skip
    return say("{cards} in hand: {number}", cards=camp.hand_is, number=number)


def _tag(sights: Sights, side: Side | None) -> Run:
    number = sights.number(side)
    return Run(f" {sights.letter(side)} ", "dim" if number is None else WHOSE[number])


def _folded(texts: Iterable[str], first: str, more: str = "") -> Iterator[Row]:
    for text in texts:
        for line in to_lines(text, WIDTH, first, more or first):
            yield (Run(line),)


# --- the small map ------------------------------------------------------------------------------

DENSITY = 7
"""Columns for the square root of the number of spaces, up to a whole line."""
FLATTENED = 0.41
"""The height of the map in rows for a column of its width: a letter is higher than wide."""
NEARBY = ((0, 0), (3, 0), (-3, 0), (0, 1), (0, -1), (3, 1), (-3, 1), (3, -1), (-3, -1))
SIGNS = (("[", "]", "#"), ("(", ")", "o"))
HIDDEN, MANY = "?", "+"
"""In the place of a strength that is not known, and of one that takes two figures."""
GAP = Run(" ")


class _Grid(dict[tuple[int, int], Run]):
    """Letters by column and row."""

    def is_free(self, x: int, y: int, length: int) -> bool:
        return all((x + at, y) not in self for at in range(-1, length + 1))

    def write(self, x: int, y: int, text: str, what: str = "") -> None:
        for at, letter in enumerate(text):
            self[x + at, y] = Run(letter, what)


def _situation(sights: Sights) -> Iterator[Row]:
    """A sign for each space, roughly at its place, with the large names next to them."""
    spots = [spot for spot in sights.board.spots if spot.id in sights.scene.places]
    xs, ys = [spot.at[0] for spot in spots], [spot.at[1] for spot in spots]
    across, down = max(xs) - min(xs) or 1, max(ys) - min(ys) or 1
    columns = min(WIDTH - 4, int(DENSITY * sqrt(len(spots))))
    rows = max(1, round(columns * FLATTENED * down / across))
    grid, places = _Grid(), {}
    for spot in spots:
        x = 1 + round((spot.at[0] - min(xs)) * columns / across)
        y = round((spot.at[1] - min(ys)) * rows / down)
        near = ((x + dx, y + dy) for dx, dy in NEARBY if 1 <= x + dx <= columns + 1)
        x, y = next((at for at in near if grid.is_free(at[0] - 1, at[1], 3)), (x, y))
        places[spot.id] = x, y
        grid.write(x - 1, y, *_small(sights, sights.scene.places[spot.id]))
    for spot in spots:
        if spot.weight == 2:
            _name(grid, spot.name, *places[spot.id])
    last = max(y for _, y in grid)
    for y in range(min(0, *(y for _, y in grid)), last + 1):
        yield tuple(grid.get((x, y), GAP) for x in range(WIDTH))
    yield from _folded([sights.words(Parts(tuple(_key(sights)), "; "))], " ")


def _small(sights: Sights, place: Place) -> tuple[str, str]:
    """Three letters for a space, and its holder."""
    if not place.units:
        number = sights.number(place.control)
        return (f" {SIGNS[number][2]} ", WHOSE[number]) if number is not None else (" . ", "dim")
    (number, units), *others = sights.stacks(place)
    total = strength(units)
    left, right, _ = SIGNS[number]
    right = SIGNS[others[0][0]][1] if others else right
    right = next((mark.letter for mark in place.marks if mark.shape in SUPPLY), right)
    figure = HIDDEN if total is None else MANY if total > 9 else str(total)
    return f"{left}{figure}{right}", WHOSE[number]


WHOSE = ("first", "second")
SUPPLY = ("warning", "caution")
"""The signs of a stack without supply, or with little: they end its three letters on the map."""


def _name(grid: _Grid, name: str, x: int, y: int) -> None:
    """Writes a name where there is room next to its sign, cut short where there is little."""
    for text in (name, f"{name[:5]}.", name[:3]):
        length = len(text)
        for at, row in (
            (x + 3, y), (x - 2 - length, y), (x - 1, y - 1), (x - 1, y + 1), (x - length, y - 1),
        ):  # fmt: skip
            if 0 <= at <= WIDTH - length and row >= 0 and grid.is_free(at, row, length):
                grid.write(at, row, text, "dim")
                return


def _key(sights: Sights) -> Iterator[Message]:
    """What each sign on the small map means, as far as it is there."""
    shown = list(sights.scene.places.values())
    small = [(_small(sights, place)[0], len(sights.stacks(place))) for place in shown]
    stacks = [sign for sign, sides in small if sides]
    empty = {sign.strip() for sign, sides in small if not sides}
    for party, (left, right, sign) in zip(sights.board.parties, SIGNS, strict=False):
        if any(each.startswith(left) for each in stacks):
            yield say("{sample} {side} units of strength 3", sample=f"{left}3{right}",
                      side=party.name)  # fmt: skip
        if sign in empty:
            yield say("{letter} {side}, without units", letter=sign, side=party.name)
    if "." in empty:
        yield say("{letter} {what}", letter=".", what=say("held by neither side"))
    if both := [sign for sign, sides in small if sides > 1]:
        left = both[0][0]
        right = SIGNS[1][1] if left == SIGNS[0][0] else SIGNS[0][1]
        yield say("{sample} both", sample=f"{left}3{right}")
    for letter, what in ((MANY, say("10 or more")), (HIDDEN, say("hidden"))):
        if any(sign[1] == letter for sign in stacks):
            yield say("{letter} {what}", letter=letter, what=what)
    ends = {sign[2] for sign in stacks}
    marks = [mark for place in shown for mark in place.marks if mark.letter in ends]
    yield from map(_key_to, {mark.letter: mark for mark in marks}.values())


# --- region by region ---------------------------------------------------------------------------


def _region(sights: Sights, region: str, spots: Sequence[Spot]) -> Iterator[Row]:
    name, held = f"{region.upper()} ", f" {_held(sights, spots)}"
    yield (Run(name + "-" * (WIDTH - len(name) - len(held)) + held, "bar"),)
    quiet = []
    for spot in spots:
        if sights.is_quiet(spot.id):
            quiet.append(spot)
        else:
            yield from _space(sights, spot)
    for party in (*sights.board.parties, None):
        side = party.side if party else None
        names = [_named(spot) for spot in quiet if sights.scene.places[spot.id].control == side]
        if names:
            head = sights.words(say("quiet:")) + " "
            indent = " " * len(head)
            first, *more = to_lines(head + ", ".join(names), WIDTH - 4, others=indent)
            yield (_tag(sights, side), Run(f" {first}", "dim"))
            yield from ((Run(f"    {line}", "dim"),) for line in more)


def _held(sights: Sights, spots: Sequence[Spot]) -> str:
    """The number of spaces each side holds, and their worth."""
    board, told = sights.board, []
    for party in board.parties:
        mine = [spot for spot in spots if sights.scene.places[spot.id].control == party.side]
        points = sum(spot.worth(party.side) for spot in mine)
        worth = f", {points} {board.points}" if board.points else ""
        told.append(f"{party.letter} {len(mine)}{worth}")
    return "; ".join(told)


def _named(spot: Spot) -> str:
    letters = flags(spot)
    return f"{spot.name} {letters}" if letters else spot.name


def flags(spot: Spot) -> str:
    """The features printed at a space, in letters; a number is its worth."""
    return "".join(sign.letter for sign in spot.traits) + (str(spot.points) if spot.points else "")


def _space(sights: Sights, spot: Spot) -> Iterator[Row]:
    """A line of a space, more where its units or the enemies next to it need them.

    Where both sides stand, the other one has lines of its own below those of the holder.
    """
    place = sights.scene.places[spot.id]
    marks = "".join(sign.letter for sign in (*place.works, *place.marks))
    name, blank = f" {_cut(spot.name)} {flags(spot):<5}", Run("   ")
    room = UNITS_END - len(name) - 11
    lines: list[tuple[Run, str, str]] = []
    for at, (_, there) in enumerate(sights.stacks(place) or [(0, [])]):
        tag = _tag(sights, there[0].side if at else place.control)
        total = figure(there) if there else ""
        head = f"{'' if at else name:<{len(name)}}{total:>3}{'' if at else marks:<4}"
        listed = to_lines(", ".join(_units(there)) or ".", room - 1)
        lines.append((tag, head, listed[0]))
        lines += ((blank, " " * len(head), each) for each in listed[1:])
    width = WIDTH - UNITS_END - 2
    enemies = to_lines(" ".join(_beside(sights, spot.id, width)), width)
    for at in range(max(len(lines), len(enemies))):
        tag, left, us = lines[at] if at < len(lines) else (blank, " " * (len(name) + 7), "")
        them = enemies[at].replace("_", " ") if at < len(enemies) else ""
        cross = "x " if at == 0 else "  "
        yield (tag, Run(f"{left} {us:<{room}}"), Run(f"{cross}{them}" if them else ""))


def _cut(name: str) -> str:
    """A name as wide as its column."""
    fits = name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH - 1]}…"
    return fits.ljust(NAME_WIDTH)


def _beside(sights: Sights, spot: str, width: int) -> Iterator[str]:
    """The enemies next to a space, with their strength; a name keeps its words together in a line,
    if they fit there.
    """
    own = sights.scene.places[spot].control
    for other, link in sights.enemies(spot):
        units = [unit for unit in sights.scene.places[other.id].units if unit.side != own]
        total = f"({figure(units)})" if units else ""
        told = f"{other.name}{'~' if link.is_wet else ''}{total}"
        yield told.replace(" ", "_") if len(told) <= width else told


def _units(units: Iterable[Unit]) -> Iterator[str]:
    """Units in a list: reduced ones have a stroke after them, and hidden ones that lie together a
    number before them.
    """
    for is_known, those in groupby(units, lambda unit: bool(unit.id)):
        there = list(those)
        if is_known:
            yield from (f"{unit.id}{'-' if reduced(unit) else ''}" for unit in there)
        else:
            yield "?" if len(there) == 1 else f"{len(there)}×?"


def _legend(sights: Sights) -> Iterator[Row]:
    """What the letters and figures in the lists mean, as far as they have them."""
    board, places = sights.board, sights.scene.places
    spots = [spot for spot in board.spots if spot.id in places]
    beside = [link for spot in spots for _, link in sights.enemies(spot.id)]
    signs = [sign for spot in spots for sign in spot.traits]
    signs += [sign for place in places.values() for sign in (*place.works, *place.marks)]
    units = [unit for place in places.values() for unit in place.units]
    boxed = [unit for camp in sights.scene.camps for _, those in camp.boxes for unit in those]
    told = [*_signs(board, signs), *_figures(sights, spots), *_worn(board, [*units, *boxed])]
    told += [say("x adjacent enemies, with their strength")] if beside else []
    told += [say("~ over water")] if any(link.is_wet for link in beside) else []
    yield from _folded([sights.words(Parts(tuple(told), "; "))], " ")


def _signs(board: Board, shown: Iterable[Sign]) -> Iterator[Message]:
    letters = {sign.letter for sign in shown}
    return (_key_to(sign) for sign in board.legend if sign.letter and sign.letter in letters)


def _key_to(sign: Sign) -> Message:
    return say("{letter} {what}", letter=sign.letter, what=sign.words)


def _figures(sights: Sights, spots: Sequence[Spot]) -> Iterator[Message]:
    """What points and strengths that stand in a list of spaces mean."""
    if sights.board.points and any(spot.points for spot in spots):
        yield say("2 its {points}", points=sights.board.points)
    stacks = [there for spot in spots for _, there in sights.stacks(sights.scene.places[spot.id])]
    if any(strength(there) is None for there in stacks):
        yield say("{letter} {what}", letter=HIDDEN, what=say("hidden"))
    if any(figure(there).endswith(MANY) for there in stacks):
        yield say("{letter} {what}", letter=f"2{MANY}", what=say("2, and more that is hidden"))


def _worn(board: Board, units: Iterable[Unit]) -> Iterator[Message]:
    if any(map(reduced, units)):
        yield say("{letter} {what}", letter="-", what=board.wear.worn)


# --- one space ----------------------------------------------------------------------------------


def close(sights: Sights, named: Spot, title: Said, moment: Said) -> Iterator[Row]:
    """A space with everything known about it, and its neighbours."""
    board, scene = sights.board, sights.scene
    spot = sights.spot(named.id)
    place = scene.places[spot.id]
    yield from heading(sights.words(title), sights.words(moment))
    yield (_tag(sights, place.control), Run(f" {spot.name}  {_printed(board, spot)}"))
    yield from _folded((sign.words for sign in (*place.works, *place.marks)), "    ")
    for at, (_, units) in enumerate(sights.stacks(place)):
        if at:
            also = sights.words(say("is also there"))
            yield (_tag(sights, units[0].side), Run(f" {also}"))
        width = max(IDS, 1 + max(len(unit.id) for unit in units))
        for told, alike in groupby(_told(sights, unit, width) for unit in units):
            number = len(list(alike))
            yield from _folded([f"{number}× {told}" if number > 1 else told], "    ", "      ")
        if len(units) > 1:
            total = sights.words(say("together {strength}", strength=figure(units)))
            yield (Run(f"    {total}"),)
    if not place.units:
        empty = sights.words(say("no units here"))
        yield (Run(f"    {empty}"),)
    yield (Run(sights.words(say("next to it:")), "dim"),)
    for other, link in sights.beside(spot.id):
        there = scene.places[other.id]
        names = ", ".join(_units(there.units))
        total = "/".join(figure(each) for _, each in sights.stacks(there))
        way = f"  ({link.words})" if link.words else ""
        head = f" {_cut(other.name)} {flags(other):<5}{total:>3}  "
        first, *more = to_lines(f"{names}{way}", WIDTH - 3 - len(head)) or [""]
        yield (_tag(sights, there.control), Run(head + first))
        yield from ((Run(" " * (3 + len(head)) + line),) for line in more)
    yield ()
    yield from _folded([_columns(sights, [other for other, _ in sights.beside(spot.id)])], " ")


def _columns(sights: Sights, spots: Sequence[Spot]) -> str:
    """What the letters and figures in a list of spaces mean, as far as it has them."""
    board = sights.board
    units = [unit for spot in spots for unit in sights.scene.places[spot.id].units]
    told: list[Part] = [", ".join(f"{party.letter} {party.name}" for party in board.parties)]
    told += _signs(board, (sign for spot in spots for sign in spot.traits))
    told += [say("before the units their strength")] if units else []
    told += [*_figures(sights, spots), *_worn(board, units)]
    return sights.words(Parts(tuple(told), "; "))


def _printed(board: Board, spot: Spot) -> str:
    worth = [f"{spot.points} {board.points}"] if spot.points else []
    if spot.worth_to:
        worth = [f"{spot.worth(party.side)} {board.points} ({party.letter})"
                 for party in board.parties if spot.worth(party.side)]  # fmt: skip
    return f"({', '.join([spot.region, *(sign.words for sign in spot.traits), *worth])})"


def _told(sights: Sights, unit: Unit, width: int) -> str:
    if not unit.id:
        return str(unit.words)
    told = say("{kind}, strength {strength}, {steps}", kind=unit.words,
               strength=figure((unit,)), steps=_steps(sights.board.wear, unit))  # fmt: skip
    return f"{unit.id:<{width}}{sights.words(told)}"


def _steps(wear: Wear, unit: Unit) -> Part:
    if not wear.has_steps:
        return wear.worn if reduced(unit) else wear.whole
    if unit.full == 1:
        return say("1 step")
    return say("{steps} of {full} steps", steps=unit.steps, full=unit.full)
