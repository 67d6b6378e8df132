"""What can be seen of a game: the values that maps are drawn from, in the terminal and as SVG.

A `Board` is what is printed: spaces with their places, links, turn tracks. A `Scene` is what is on
it at one moment, as far as one side may know. Neither says how it looks: signs are names of shapes
(render/maps) that every game may use as it likes. Maps of points and links, of areas and of hexes
are the same values; they differ only in the cells of a space.

Coordinates are whole numbers, in tenths of a pixel of the board's own frame, x to the east and y to
the south.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from pbem.engine.model import Event, Side
from pbem.messages import Language, in_words, say, words
from pbem.value import field, replace, value

Point = tuple[int, int]
Line = tuple[Point, ...]
Words = Any
"""Words for the reader: from a game, a text or what fills a gap of one (pbem/messages.py).

Text once `in_words` or `worded` has put it into words.
"""
Drawing = Mapping[str, Any]
"""What a map is drawn from: the geometry of a game's map as data, `data/<game>/picture.json`, if it
has any; and under `scenario` the scenario that is played, for a game with several maps.
"""


@value
class Sign:
    """A shape and its meaning: `letter` replaces it where there is only text."""

    shape: str
    words: Words
    letter: str = ""
    number: int | None = None


@value
class Spot:
    """A space of the map. `shape` is drawn where no unit is; none where the cell is enough."""

    id: str
    name: Words
    at: Point
    region: Words = ""
    """The heading under which the space is listed."""
    shape: str = ""
    weight: int = 0
    """The emphasis of its name: 0 normal, 1 bold, 2 large."""
    traits: tuple[Sign, ...] = ()
    """What is printed there; those with a badge are drawn after the name."""
    points: int = 0
    """The points for holding the space."""
    worth_to: tuple[tuple[Side, int], ...] = ()
    """The points of each side, where they are not the same for both."""
    ground: str = ""
    """The pattern of its cell: `peaks`, `trees`, `blocks`, or nothing."""
    told: Words = ""
    """Its name in a sentence, where that differs from the one on the map."""

    def worth(self, side: Side) -> int:
        """The points that a side has for holding it."""
        return dict(self.worth_to).get(side, 0) if self.worth_to else self.points

    @property
    def in_a_sentence(self) -> Words:
        """What a log calls it."""
        return self.told or self.name


@value
class Link:
    """Two adjacent spaces, and the kind of the way between them.

    `kind`: `plain`, `narrow` (a way of its own), `road` (one across areas), or `side` (two hexes
    or areas with a common border: nothing is drawn).
    """

    a: str
    b: str
    kind: str = "plain"
    words: Words = ""
    is_wet: bool = False
    """Whether it crosses water."""


@value
class Party:
    """A side as a map names it; the first one is drawn dark, the second light."""

    side: Side
    name: Words
    letter: str


@value
class Calendar:
    """The turns of a game: their names, which of them are marked, and the parts of the game."""

    turns: tuple[Words, ...]
    marked: frozenset[int] = frozenset()
    mark: Words = ""
    """What a marked turn is, in a word."""
    parts: tuple[tuple[int, int, Words], ...] = ()
    """First and last turn, and the name of the part."""


@value
class Wear:
    """The words for the steps a unit has lost; without `has_steps` none are counted."""

    whole: Words = say("full")
    worn: Words = say("reduced")
    again: Words = say("restored")
    has_steps: bool = True


@value
class Board:
    """All that is printed."""

    title: str
    parties: tuple[Party, ...]
    spots: tuple[Spot, ...]
    links: tuple[Link, ...]
    calendar: Calendar
    legend: tuple[Sign, ...] = ()
    """Every shape that the scenes of this board use, with its meaning."""
    space: str = "space"
    """The game's word for one, for example in "no hex is named 2010"."""
    points: Words = ""
    """What the points of a space are called, in short: "VP"."""
    wear: Wear = Wear()


@value
class Unit:
    """A unit as a viewer sees it; without an id or a strength where that is hidden."""

    id: str
    side: Side
    shape: str
    words: Words
    """Its type: "Infantry"."""
    kind: Words
    """Its type in short, as units next to the map are counted: "INF"."""
    strength: int | None
    steps: int
    full: int
    """The number of its steps at full strength."""
    is_large: bool = False
    tag: str = ""
    """Identifies a counter face down from scene to scene; no player is shown it."""

    @property
    def key(self) -> str:
        """Identifies the unit from scene to scene; empty where nothing does."""
        return self.id or self.tag


@value
class Place:
    """The contents of a space: its holder, units, works and marks.

    Units of both sides may be in one space.
    """

    control: Side | None = None
    units: tuple[Unit, ...] = ()
    works: tuple[Sign, ...] = ()
    """Fortifications, drawn below the units."""
    marks: tuple[Sign, ...] = ()
    """Conditions of the place: no supply, a siege."""


@value
class Track:
    """A number that the players watch; `stops` are its thresholds, each with the side it
    favours.
    """

    name: Words
    value: int
    low: int
    high: int
    stops: tuple[tuple[int, Side], ...] = ()
    words: Words = ""


@value
class Held:
    """A card, chit or the like in a hand, with its title and value."""

    id: str
    title: Words
    worth: Words = ""


@value
class Camp:
    """The things of a side off the map. `unseen` is the number of cards in its hand hidden here."""

    side: Side
    hand: tuple[Held, ...] = ()
    unseen: int = 0
    hand_is: Words = ""
    """What the hand holds, in the plural: "cards"; empty in a game without hands."""
    rounds: tuple[str, ...] = ()
    """What was done in each round of this turn, in short."""
    most_rounds: int = 0
    boxes: tuple[tuple[Words, tuple[Unit, ...]], ...] = ()
    """Units next to the map, by the name of the box they are in."""
    facts: tuple[Words, ...] = ()


@value
class Scene:
    """What is on the board at one moment, as one viewer sees it."""

    turn: int
    places: Mapping[str, Place]
    """By space; what is not on the map at present is missing here."""
    camps: tuple[Camp, ...] = ()
    tracks: tuple[Track, ...] = ()
    notes: tuple[Words, ...] = ()


@value
class Stroke:
    """A move or a fight, drawn as an arrow along `path`. `note` is its result.

    A `result` note belongs to the attacks on the single space of its path.
    """

    kind: str
    """`move`, `attack` or `result`."""
    side: Side
    path: tuple[str, ...]
    note: Words = ""


@value
class Label:
    """A name placed on a sheet: its lines with their widths, offset from its space."""

    lines: tuple[Words, ...]
    widths: tuple[int, ...]
    at: Point
    """Upper left corner of the block of lines."""
    size: int
    """The size of its letters."""
    align: str = "s"
    """Where shorter lines begin: `s` to the left, `e` to the right, `m` in the middle."""


@value
class Text:
    """Words on the sheet itself, such as the name of a sea; `kind` is `sea`, `land` or `river`.

    The name of a river is in the middle of `at`, of the others it begins there.
    """

    kind: str
    words: Words
    at: Point
    turned: int = 0
    """The rotation in degrees."""


@value
class Inset:
    """A box for spaces that are drawn away from their real place."""

    title: Words
    at: Point
    size: Point


@value
class River:
    """A river, drawn smoothly through its points."""

    width: int
    course: Line


@value
class Sheet:
    """Where everything is drawn. All but the size may be left out."""

    size: Point
    is_sea: bool = False
    """Whether there is water around the cells, rather than paper."""
    cells: Mapping[str, tuple[Line, ...]] = field(default_factory=dict)
    """The ground of each space, as closed rings."""
    edges: tuple[tuple[str, str, Line], ...] = ()
    """The common borders of two cells; the front runs where their sides differ."""
    grid: int = 0
    """The width of these borders: 0 on a map of points."""
    land: tuple[Line, ...] = ()
    """Coasts: the land that the cells are cut out of, and islands."""
    foreign: tuple[Line, ...] = ()
    """Land that is in no cell."""
    rivers: tuple[River, ...] = ()
    banks: tuple[Line, ...] = ()
    """Water along the border of two cells."""
    slopes: tuple[Line, ...] = ()
    """Short lines that run down from an edge into the lower cell."""
    crossings: tuple[tuple[Point, Point], ...] = ()
    """Where a link crosses a river: the place, and the way as a vector of any length."""
    labels: Mapping[str, Label] = field(default_factory=dict)
    texts: tuple[Text, ...] = ()
    insets: tuple[Inset, ...] = ()
    boxes: Mapping[Words, Point] = field(default_factory=dict)
    """The upper left corners of `title`, `legend` and `tracks`, and of boxes of units by name."""


def worded_board(board: Board, language: Language) -> Board:
    """A board in a language; its sides begin with a capital, as names do."""
    parties = (replace(each, name=_capital(words(each.name, language))) for each in board.parties)
    told: Board = in_words(replace(board, parties=tuple(parties)), language)
    return told


def worded_sheet(sheet: Sheet, language: Language) -> Sheet:
    """A sheet in a language. A label is wider or narrower as its words are longer or shorter.

    Pure geometry is not searched.
    """
    return replace(
        sheet,
        labels={space: _worded_label(each, language) for space, each in sheet.labels.items()},
        texts=in_words(sheet.texts, language),
        insets=in_words(sheet.insets, language),
        boxes=in_words(sheet.boxes, language),
    )


def _worded_label(label: Label, language: Language) -> Label:
    lines = in_words(label.lines, language)
    if lines is label.lines:
        return label
    widths = (
        width * len(told) // len(words(was))
        for width, told, was in zip(label.widths, lines, label.lines, strict=True)
    )
    return replace(label, lines=lines, widths=tuple(widths))


def _capital(told: str) -> str:
    return told[:1].upper() + told[1:]


class Picture(Protocol):
    """The capability of a game whose table can be seen."""

    def board(self, drawing: Drawing) -> Board:
        """What is printed."""
        return Board("", (), (), (), Calendar(()))

    def scene(self, position: Any, viewer: Side | None) -> Scene:
        """What is on the board, as far as the player of a side may know it (None: as both know it).

        Nothing hidden from that side is in the scene, whatever the position holds.
        """
        return Scene(0, {})

    def strokes(self, event: Event[Any], position: Any) -> tuple[Stroke, ...]:
        """The moves and fights in an event; `position` is the table right after it."""
        return ()

    def sheet(self, drawing: Drawing) -> Sheet:
        """Where everything is drawn."""
        return Sheet((0, 0))


class NoPicture(Picture):
    """The null form: a game without a picture, which is read in its reports alone."""


NO_PICTURE = NoPicture()
