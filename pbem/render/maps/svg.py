"""A board as an SVG picture, layer by layer from the ground up.

It is one file by itself: no font, picture or script is fetched. Names are text, whatever is in
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from math import dist

from pbem.engine.model import Side
from pbem.engine.picture import (
    Board,
    Label,
    Line,
    Link,
    Place,
    Point,
    Scene,
    Sheet,
    Sign,
    Spot,
    Stroke,
    Unit,
    Words,
    worded_sheet,
)
from pbem.messages import ENGLISH, Language, Row, Said, say
from pbem.render.maps import lines, signs
from pbem.render.maps.furniture import Furniture
from pbem.render.maps.lines import number, path, rings
from pbem.render.maps.marks import counter, escaped, node, placed, text, wall
from pbem.render.maps.sights import Sights, strength

SCOPE = "board"
CROSSING_GAP, CROSSING_LENGTH, CROSSING_BEND = 33, 36, 20
FROM_SPOT = 180
"""A label so far from its spot leaves room for a counter, and comes nearer where none stands."""
NEARER, A_LITTLE, BELOW_WALL = 80, 40, 80
APART = 215
"""Of two stacks in a space, each is so far from its middle."""
BADGE, MARK = 140, 150
"""How much room a sign takes in a label, and beside a counter."""
WAY_IN, WAY_ROUND = 230, 900
"""How far a way from a cell apart is drawn into another, and from where on it is drawn round the
cells between them."""
WEIGHTS = ("label", "label bold", "label bold large")
LARGE = 2
"""The classes of names by their weight. Those from `large` on, `manned` and `stack` are there for
pages, which draw less from afar.
"""
NOT_THERE = ()
NOBODYS = say("nobody's")


def picture(
    board: Board, sheet: Sheet, scene: Scene, title: Said, moment: Said,
    strokes: Sequence[Stroke] = (), before: Scene | None = None, language: Language = ENGLISH,
) -> str:  # fmt: skip
    """The whole picture. `strokes` and `before` show what has happened since an earlier scene."""
    sights = Sights(board, scene, language)
    named = sights.words(title), sights.words(moment)
    told = worded_sheet(sheet, language)
    drawn = "".join(fragments(sights, told, *named, strokes, before).values())
    begun = head(sheet, ": ".join(named), description(sights))
    return f"{begun}<defs>{defined(sheet)}</defs>{drawn}</svg>\n"


def head(sheet: Sheet, title: str, told: Iterable[str], name: str = "") -> str:
    """The beginning of a picture: its size, its description in words, its style. Each picture of a
    page has a `name` of its own."""
    width, height = (number(length) for length in sheet.size)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-labelledby="{name}title {name}description" '
        f'class="{SCOPE}{"" if sheet.grid else " points"}">'
        f'<title id="{name}title">{escaped(title)}</title>'
        f'<desc id="{name}description">{escaped(" ".join(told))}</desc>'
        f"<style>{signs.scoped(signs.STYLE, SCOPE)}</style>"
    )


def defined(sheet: Sheet) -> str:
    """Definitions that pictures on a sheet use again and again: patterns, signs and cells of
    spaces.
    """
    cells = (
        f'<path id="cell-{at}" d="{rings(found)}"/>'
        for at, found in enumerate(sheet.cells.values())
    )
    return signs.definitions() + "".join(cells)


Album = dict[str, tuple[object, str]]
"""Fragments of pictures by name, each with what it shows: drawn again when that changes."""


def fragments(
    sights: Sights, sheet: Sheet, title: str, moment: str,
    strokes: Sequence[Stroke] = (), before: Scene | None = None, album: Album | None = None,
) -> dict[str, str]:  # fmt: skip
    """The picture in fragments by name, from the ground up, without the definitions of `defined`.

    All pictures of one board have the same names in the same order; missing parts are empty. So a
    page can go from one moment to another by the fragments that differ. Pictures of one board on
    one sheet with the same `album` share their common fragments.
    """
    drawing = _Drawing(sights, sheet, strokes, before, {} if album is None else album)
    furniture = Furniture(sights, sheet, title, moment, has_strokes=bool(strokes),
                          has_before=before is not None)  # fmt: skip
    return {**dict(drawing.layers()), **dict(furniture.boxes())}


def description(sights: Sights) -> Iterator[str]:
    """The board in a few sentences, for those who do not see it."""
    places = sights.scene.places.values()
    for party in sights.board.parties:
        held = [place for place in places if place.control == party.side]
        units = [unit for place in places for unit in place.units if unit.side == party.side]
        total = strength(units)
        ground = say("{side}: ground {held} of {all}", side=party.name, held=len(held),
                     all=len(places))  # fmt: skip
        known = [say("units {number}", number=len(units))]
        known += [] if total is None else [say("strength {number}", number=total)]
        yield sights.words(say("{clause}.", clause=Row((ground, *known))))
    for track in sights.scene.tracks:
        yield f"{track.name} {track.value}."


class _Drawing:
    """The layers of one picture."""

    def __init__(
        self, sights: Sights, sheet: Sheet, strokes: Sequence[Stroke], before: Scene | None,
        album: Album,
    ) -> None:  # fmt: skip
        self.album = album
        self.sights, board, scene = sights, sights.board, sights.scene
        self.sheet, self.scene, self.strokes, self.before = sheet, scene, strokes, before
        self.spots = [spot for spot in board.spots if spot.id in scene.places]
        self.at = {spot.id: spot.at for spot in board.spots}
        self.numbers = {space: at for at, space in enumerate(sheet.cells)}
        touching = {cell for a, b, _ in sheet.edges for cell in (a, b)}
        self.apart = {*sheet.cells} - touching if sheet.grid else set()

    def layers(self) -> Iterator[tuple[str, str]]:
        there = tuple(spot.id for spot in self.spots)
        held = tuple(self._control(space) for space in self.sheet.cells)
        for draw, shows in (
            (self._ground, ()), (self._held, held), (self._patterns, there), (self._waters, ()),
            (self._links, there), (self._front, held), (self._crossings, ()),
            (self._taken, None), (self._texts, ()), (self._arrows, None),
        ):  # fmt: skip
            yield self._fragment(draw.__name__.removeprefix("_"), shows, draw)
        places = self.scene.places
        for spot in self.sights.board.spots:
            place = places.get(spot.id, NOT_THERE)
            yield self._fragment(f"space {spot.id}", place, partial(self._space, spot))
        yield self._fragment("bursts", None, self._bursts)
        for spot in self.sights.board.spots:
            place = places.get(spot.id, NOT_THERE)
            yield self._fragment(f"label {spot.id}", place, partial(self._label, spot))

    def _fragment(
        self, name: str, shows: object, draw: Callable[[], Iterable[str]]
    ) -> tuple[str, str]:
        """A fragment with its name, from the album if it is the same there; None: never kept."""
        shown, drawn = self.album.get(name, (None, ""))
        if shows is None or shown != shows:
            drawn = "".join(draw())
            self.album[name] = shows, drawn
        return name, drawn

    # --- the ground -------------------------------------------------------------------------

    def _ground(self) -> Iterator[str]:
        width, height = (number(length) for length in self.sheet.size)
        ground = "sea" if self.sheet.is_sea else "paper"
        yield f'<rect width="{width}" height="{height}" class="{ground}"/>'
        yield from _drawn(rings(self.sheet.foreign), "foreign")
        for inset in self.sheet.insets:
            (x, y), (wide, high) = inset.at, inset.size
            yield f'<rect {placed(x, y, wide, high)} rx="6" class="inset"/>'
            yield text(inset.title, x + 120, y + 190, "small")

    def _held(self) -> Iterator[str]:
        """The ground of all spaces by who holds them; that of the first side is hatched."""
        held: dict[int | None, list[str]] = {None: [], 1: [], 0: []}
        for space in self.sheet.cells:
            held[self.sights.number(self._control(space))].append(space)
        for which, spaces in held.items():
            if spaces:
                kind = "" if which is None else which
                yield f'<g class="ground{kind}">{self._cells(spaces)}</g>'
        yield from _filled(self._cells(held[0]), "hatch")

    def _control(self, space: str) -> Side | None:
        place = self.scene.places.get(space)
        return None if place is None else place.control

    def _patterns(self) -> Iterator[str]:
        for pattern in signs.GROUND_PATTERNS:
            found = [spot.id for spot in self.spots if spot.ground == pattern]
            yield from _filled(self._cells(found), pattern)

    def _cells(self, spaces: Iterable[str]) -> str:
        return "".join(
            f'<use href="#cell-{self.numbers[space]}"/>'
            for space in spaces
            if space in self.numbers
        )

    def _waters(self) -> Iterator[str]:
        for river in self.sheet.rivers:
            course = lines.smooth(river.course)
            yield f'<path d="{course}" class="river" stroke-width="{number(river.width)}"/>'
        if self.sheet.grid:
            borders = "".join(path(line) for _, _, line in self.sheet.edges)
            outline = "".join(map(rings, self.sheet.cells.values()))
            width = number(self.sheet.grid)
            yield f'<path d="{outline or borders}" class="grid" stroke-width="{width}"/>'
        banks = "".join(map(path, self.sheet.banks))
        if banks:  # wider than a front along it, or nobody sees that it is a river
            yield f'<path d="{banks}" class="river" stroke-width="10"/>'
        yield from _drawn("".join(map(path, self.sheet.slopes)), "road")
        yield from _drawn(rings(self.sheet.land), "coast")

    def _links(self) -> Iterator[str]:
        found = dict.fromkeys(("plain", "narrow", "road", "side"), "")
        roads: list[Line] = []
        for link in self.sights.board.links:
            if link.a in self.scene.places and link.b in self.scene.places:
                way = self._way(link)
                found[link.kind] += path(way)
                if link.kind == "road":
                    roads.append(way)
        found["road"] = "".join(map(lines.smooth, lines.chains(roads)))
        yield from _drawn(found["plain"], "casing roadside")
        yield from _drawn(found["plain"], "road")
        yield from _drawn(found["narrow"], "road narrow")
        yield from _drawn(found["road"], "highway")
        yield from _drawn(found["road"], "lane")

    def _way(self, link: Link) -> Line:
        """From middle to middle; out of a cell that lies apart, such as a box, round the others."""
        a, b = self.at[link.a], self.at[link.b]
        apart = [each for each in (link.a, link.b) if each in self.apart]
        if link.kind not in ("road", "narrow") or len(apart) != 1:
            return a, b
        (box,), (ring, *_) = apart, self.sheet.cells[apart[0]]
        other = link.b if box == link.a else link.a
        begun, gate = lines.entry(ring, self.at[box], self._rim(other))
        if link.kind == "road":
            return (begun, *([gate] if dist(begun, gate) > WAY_ROUND else []), self.at[other])
        return begun, gate, lines.whole(lines.towards(gate, self.at[other], WAY_IN))

    def _rim(self, space: str) -> list[tuple[Point, Point]]:
        """The sides of a cell that are no borders of another, without short ones."""
        inner = {frozenset(side) for _, _, line in self.sheet.edges for side in pairwise(line)}
        sides = [side for ring in self.sheet.cells[space] for side in pairwise((*ring, ring[0]))]
        outer = [side for side in sides if frozenset(side) not in inner]
        return [side for side in outer if dist(*side) > WAY_IN] or outer or sides

    def _front(self) -> Iterator[str]:
        between: list[Line] = []
        for a, b, line in self.sheet.edges:
            one, other = self._control(a), self._control(b)
            if one and other and one != other:
                between.append(line)
        front = "".join(map(lines.rounded, lines.chains(between)))
        yield from _drawn(front, "casing frontside")
        yield from _drawn(front, "front")

    def _crossings(self) -> Iterator[str]:
        found = "".join(_bridge(at, way) for at, way in self.sheet.crossings)
        yield from _drawn(found, "casing bridgeside")
        yield from _drawn(found, "bridge")

    def _taken(self) -> Iterator[str]:
        """A dotted rim around what has changed hands."""
        was = self.before.places if self.before else {}
        for space, found in self.sheet.cells.items():
            old, new = was.get(space, Place()).control, self._control(space)
            if old and new and old != new:
                yield from _drawn(rings(found), f"rim{self.sights.number(new)}")

    def _texts(self) -> Iterator[str]:
        for each in self.sheet.texts:
            x, y = (number(tenths) for tenths in each.at)
            turned = f' transform="rotate({each.turned} {x} {y})"' if each.turned else ""
            words = escaped(each.words)
            yield f'<text x="{x}" y="{y}" class="{each.kind}name"{turned}>{words}</text>'

    # --- what has happened ------------------------------------------------------------------

    def _fought(self) -> dict[tuple[str, str], Words]:
        """The result of the last attacks on each space, on the first way by which it was attacked:
        one attack from several spaces has one result.
        """
        notes = {
            each.path[-1]: each.note
            for each in self.strokes
            if each.kind == "result" or (each.kind == "attack" and each.note)
        }
        ways: dict[str, tuple[str, str]] = {}
        for each in self.strokes:
            if each.kind == "attack" and each.path[-1] in notes:
                ways.setdefault(each.path[-1], (each.path[-2], each.path[-1]))
        return {way: notes[target] for target, way in ways.items()}

    def _arrows(self) -> Iterator[str]:
        fought = self._fought()
        seen = set()
        for each in self.strokes:
            way = tuple(here for here, after in pairwise((*each.path, "")) if here != after)
            if each.kind == "result" or len(way) < 2 or (each.kind, way) in seen:
                continue
            seen.add((each.kind, way))
            is_attack = each.kind == "attack"
            has_burst = is_attack and way[-2:] in fought
            shaft, head = lines.arrow(
                [self.at[space] for space in way],
                100 if has_burst else 80 if is_attack else 70,
                90 if is_attack else 75,
            )
            which = self.sights.number(each.side)
            yield f'<path d="{shaft}" class="casing {each.kind}side"/>'
            yield "" if has_burst else f'<path d="{head}" class="casing headside"/>'
            yield f'<path d="{shaft}" class="{each.kind}{which}"/>'
            yield "" if has_burst else f'<path d="{head}" class="head{which}"/>'

    def _bursts(self) -> Iterator[str]:
        for (origin, target), note in self._fought().items():
            here, there = self.at[target], self.at[origin]
            x, y = lines.towards(here, there, lines.rim(here, there) + 90)
            yield f'<use href="#burst" {placed(x, y)}/>'
            yield text(self.sights.words(note), x, y + 35, "figure")

    # --- spaces -----------------------------------------------------------------------------

    def _space(self, spot: Spot) -> str:
        place, (x, y) = self.scene.places.get(spot.id), spot.at
        if place is None:
            return ""
        found = [f"<title>{escaped(self._told(spot, place))}</title>"]
        found += [wall(sign, x, y if place.units else y - 50) for sign in place.works]
        stacks = self.sights.stacks(place)
        first = x - APART * (len(stacks) - 1)
        for at, (which, units) in enumerate(stacks):
            found.append(counter(units, which, first + 2 * APART * at, y))
        if not stacks and spot.shape:
            found.append(node(spot.shape, self.sights.number(place.control), x, y))
        left, high = (first - 190, y - 120) if stacks else (x - 140, y - 80)
        if stacks and self._name_covers(spot, left, high):
            left, high = 2 * x - left, 2 * y - high  # at the opposite corner
        for at, sign in enumerate(place.marks):
            found.append(_mark(sign, left + MARK * at, high))
        kind = ' class="stack"' if stacks else ""
        return f'<g id="space-{escaped(spot.id)}"{kind}>{"".join(found)}</g>'

    def _name_covers(self, spot: Spot, x: float, y: float) -> bool:
        """Whether the name of a space lies where a mark of it would be."""
        label = self.sheet.labels.get(spot.id)
        if label is None:
            return False
        left, top = spot.at[0] + label.at[0], spot.at[1] + label.at[1]
        right, bottom = left + max(label.widths), top + label.size * 1.04 * len(label.lines)
        half = MARK / 2
        return left < x + half and x - half < right and top < y + half and y - half < bottom

    def _told(self, spot: Spot, place: Place) -> str:
        """A space in words: what is printed there, its holder, its units."""
        parties = {party.side: party.name for party in self.sights.board.parties}
        worth = [f"{spot.points} {self.sights.board.points}"] if spot.points else []
        if spot.worth_to:
            worth = [f"{points} {self.sights.board.points} ({parties[side]})"
                     for side, points in spot.worth_to]  # fmt: skip
        told = [parties[place.control] if place.control else self.sights.words(NOBODYS)]
        told += [sign.words for sign in spot.traits]
        told += [*worth, *(sign.words for sign in (*place.works, *place.marks))]
        units = f"; {', '.join(map(self._named, place.units))}" if place.units else ""
        return f"{spot.name}: {', '.join(told)}{units}"

    def _named(self, unit: Unit) -> str:
        if not unit.id:
            return str(unit.words)
        return f"{unit.id} ({self.sights.board.wear.worn})" if unit.steps < unit.full else unit.id

    def _label(self, spot: Spot) -> Iterator[str]:
        label = self.sheet.labels.get(spot.id) or _beside(spot)
        place = self.scene.places.get(spot.id)
        if place is None:
            return
        (x, y), (right, down) = spot.at, label.at
        if spot.shape and not place.units and not place.works:
            x, y = _nearer(x, y, label)
        if place.works and down > 0:
            y += BELOW_WALL
        badges = [sign for sign in spot.traits if sign.shape in signs.BADGES]
        width = BADGE * (len(badges) + bool(spot.points))
        widest = max(label.widths)
        kind = WEIGHTS[spot.weight] + (" manned" if place.units else "")
        kind += " west" if spot.weight == LARGE and right + widest <= 0 else ""
        for at, (words, length) in enumerate(zip(label.lines, label.widths, strict=True)):
            is_last = at == len(label.lines) - 1
            drawn = length - (width + 20 if is_last and width else 0)
            off = {"s": 0, "e": widest - length, "m": (widest - length) / 2}[label.align]
            left, base = x + right + off, y + down + label.size * (1.04 * at + 0.8)
            yield (
                f'<text {placed(left, base)} textLength="{number(drawn)}" '
                f'lengthAdjust="spacingAndGlyphs" style="font-size:{number(label.size)}px" '
                f'class="{kind}">{escaped(words)}</text>'
            )
            if is_last and width:
                yield from _badges(spot, badges, left + drawn + 85, base - label.size * 0.34)


def _drawn(line: str, kind: str) -> Iterator[str]:
    if line:
        yield f'<path d="{line}" class="{kind}"/>'


def _filled(cells: str, pattern: str) -> Iterator[str]:
    if cells:
        yield f'<g fill="url(#{pattern})">{cells}</g>'


def _bridge(at: tuple[int, int], way: tuple[int, int]) -> str:
    """The sign of a crossing, )( along the link."""
    length = (way[0] ** 2 + way[1] ** 2) ** 0.5 or 1
    east, south = way[0] / length, way[1] / length
    told = []
    for side in (-1, 1):
        x, y = at[0] - south * side * CROSSING_GAP, at[1] + east * side * CROSSING_GAP
        points = []
        for along, out in ((-1.0, 1), (-1.0, 0), (1.0, 0), (1.0, 1)):
            far = along * (CROSSING_LENGTH + out * CROSSING_BEND)
            bent = side * out * CROSSING_BEND
            points.append(
                (round(x + east * far - south * bent), round(y + south * far + east * bent))
            )
        told.append(path(tuple(points)))
    return "".join(told)


def _mark(sign: Sign, x: float, y: float) -> str:
    drawn = f'<use href="#{sign.shape}" {placed(x, y)}/>'
    return drawn + (text(str(sign.number), x, y + 55, "figure") if sign.number is not None else "")


def _beside(spot: Spot) -> Label:
    """The label of a space that has none on the sheet: to the east, as wide as possible."""
    return Label((spot.name,), (60 * max(1, len(spot.name)),), (200, -60), 110)


def _nearer(x: int, y: int, label: Label) -> tuple[int, int]:
    """The place of a label while no counter needs the room between."""
    right, down = label.at
    if right >= FROM_SPOT:
        return x - NEARER, y
    if right + max(label.widths) <= -FROM_SPOT:
        return x + NEARER, y
    return (x, y + A_LITTLE) if down < 0 else (x, y - A_LITTLE)


def _badges(spot: Spot, badges: Iterable[Sign], x: float, y: float) -> Iterator[str]:
    if spot.points:
        yield f'<circle cx="{number(x)}" cy="{number(y)}" r="6" class="disc"/>'
        yield text(str(spot.points), x, y + 34, "figure")
        x += BADGE
    for sign in badges:
        yield f'<use href="#{sign.shape}" {placed(x, y)}/>'
        x += BADGE
