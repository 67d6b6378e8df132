"""Boards as SVG: what is drawn where, from the ground up; the structures of real ones are stored.

PBEM_GOLDEN=write rewrites the structures; look at the pictures as well before you commit them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.board.borders import borders
from pbem.cli.languages import language
from pbem.engine.model import Side
from pbem.engine.picture import (
    Board,
    Calendar,
    Camp,
    Label,
    Link,
    Party,
    Place,
    Point,
    Scene,
    Sheet,
    Sign,
    Spot,
    Stroke,
    Text,
    Track,
    Unit,
    Wear,
)
from pbem.gamedata.load import drawing
from pbem.messages import ENGLISH, Language, say, words
from pbem.render.maps import lines, signs
from pbem.render.maps.letters import wide
from pbem.render.maps.svg import picture
from pbem.value import replace
from tests.contract.playing import every_game, first_state, played, system

HERE = Path(__file__).resolve().parents[1]
GOLDEN = HERE / "golden" / "maps"
SHOWN = HERE.parent / "examples" / "picture" / "campaign.svg"
MIDGAME = SHOWN.with_name("midgame.svg")
SVG = "{http://www.w3.org/2000/svg}"
LARGEST = 300_000
RED, BLUE = Side("red"), Side("blue")


def unit(name: str, side: Side = RED, strength: int | None = 2, steps: int = 2) -> Unit:
    words = "Foot" if name else "a hidden one"
    return Unit(name, side, "cross", words, "FT", strength, steps, 2)


CELLS = {
    "ford": ((0, 0), (1000, 0), (1000, 1000), (0, 1000)),
    "hill": ((1000, 0), (2000, 0), (2000, 1000), (1000, 1000)),
    "wood": ((0, 1000), (1000, 1000), (1000, 2000), (0, 2000)),
}
BOARD = Board(
    title="Areas",
    parties=(Party(RED, "Red", "R"), Party(BLUE, "Blue", "B")),
    spots=(
        Spot("ford", "Ford", (500, 500), ground="blocks", points=2, weight=2,
             traits=(Sign("anchor", "port", "p"),)),
        Spot("hill", "<b>Hill</b> & \x1b[2J", (1500, 500), shape="triangle", ground="peaks"),
        Spot("wood", "Wood", (500, 1500), shape="double_square", ground="trees"),
    ),
    links=(Link("ford", "hill", "side", "over water", is_wet=True), Link("ford", "wood")),
    calendar=Calendar(("one", "two"), frozenset({2}), "winter", ((1, 2, "The war"),)),
    legend=(Sign("triangle", "hill"), Sign("cross", "foot"), Sign("wall", "works", "#"),
            Sign("tower", "siege", number=3)),
    points="VP",
)  # fmt: skip
SHEET = Sheet(
    size=(9000, 6000),
    cells={name: (ring,) for name, ring in CELLS.items()},
    edges=borders(CELLS),
    grid=15,
    banks=(((1000, 0), (1000, 1000)),),
    labels={"ford": Label(("The", "Ford"), (300, 400), (200, -100), 145, "m")},
    texts=(Text("sea", "The Sea", (3000, 3000), -30),),
    boxes={"title": (3000, 100), "legend": (3000, 1600), "tracks": (5300, 1600), "Lost": (0, 3000)},
)
SCENE = Scene(
    turn=1,
    places={
        "ford": Place(RED, (unit("7", strength=9), unit("8", steps=1)),
                      works=(Sign("wall", "works", "#"),)),
        "hill": Place(BLUE, (unit("", BLUE, None),), marks=(Sign("tower", "siege", number=3),)),
        "wood": Place(BLUE),
    },
    camps=(Camp(RED, hand_is="cards", unseen=2, rounds=("A",), most_rounds=2,
                boxes=(("Lost", (unit("9", steps=0),)),)), Camp(BLUE)),
    tracks=(Track("Luck", 12, 0, 10, ((5, RED),), "high is good"),),
)  # fmt: skip


def drawn(
    scene: Scene = SCENE, strokes: tuple[Stroke, ...] = (), before: Scene | None = None
) -> ElementTree.Element:
    made = picture(BOARD, SHEET, scene, "A <game>", "Turn 1", strokes, before)
    return ElementTree.fromstring(made)


def having(root: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    """The elements of a class."""
    return [each for each in root.iter() if kind in each.get("class", "").split()]


def cells(root: ElementTree.Element, group: ElementTree.Element) -> list[str]:
    """The ground that a group covers, cell by cell."""
    known = {each.get("id"): each.get("d") or "" for each in root.iter(f"{SVG}path")}
    return [known[each.get("href", "").removeprefix("#")] for each in group]


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]


# --- layers -------------------------------------------------------------------------------------


def test_each_side_has_its_ground_and_the_front_runs_between() -> None:
    root = drawn()
    (red,), (blue,) = having(root, "ground0"), having(root, "ground1")
    assert cells(root, red) == ["M0 0l100 0 0 100-100 0z"]
    assert len(cells(root, blue)) == 2
    front, *_ = having(root, "front")  # another one is in the legend
    assert front.get("d") == "M0 100L91 100Q100 100 100 91L100 0"
    assert len(having(drawn(replace(SCENE, places={"ford": Place(RED)})), "front")) == 1
    nobody = {name: Place() for name in CELLS}
    root = drawn(replace(SCENE, places=nobody))
    assert len(cells(root, having(root, "ground")[0])) == 3
    assert len(having(root, "front")) == 1 and not having(root, "ground0")


def test_sides_are_told_by_hatching_too_and_ground_by_patterns() -> None:
    root = drawn()
    for pattern in ("hatch", "peaks", "trees", "blocks"):
        (filled,) = root.iterfind(f"{SVG}g[@fill='url(#{pattern})']")
        assert len(cells(root, filled)) == 1


@pytest.mark.parametrize(
    ("kind", "classes"),
    [("plain", ["casing roadside", "road"]), ("narrow", ["road narrow"]), ("side", [])],
)
def test_links_are_drawn_where_cells_do_not_say_it(kind: str, classes: list[str]) -> None:
    board = replace(BOARD, links=(Link("ford", "wood", kind),))
    root = ElementTree.fromstring(picture(board, SHEET, SCENE, "A game", "Turn 1"))
    between = [each for each in root.iter() if each.get("d") == "M50 50l0 100"]
    assert [each.get("class") for each in between] == classes


BOX = ((2500, 400), (2700, 400), (2700, 600), (2500, 600))
"""A cell beside the others, to the east of the hill."""


@pytest.mark.parametrize(
    ("link", "kind", "way"),
    [
        (Link("hill", "box", "narrow"), "narrow", "M250 50l-50 0-23 0"),
        (Link("box", "hill", "narrow"), "narrow", "M250 50l-50 0-23 0"),
        (Link("wood", "box", "narrow"), "narrow", "M250 54.7l-150 70.3-20.6 10.3"),
        (Link("ford", "box", "narrow"), "narrow", "M250 47.3l-175-47.3-10.3 20.6"),
        (Link("ford", "wood", "narrow"), "narrow", "M50 50l0 100"),
        (Link("wood", "box", "plain"), "road", "M50 150l210-100"),
        (Link("box", "hill", "road"), "lane", "M250 50C233.3 50 166.7 50 150 50"),
        (Link("box", "ford", "road"), "lane",
         "M250 47.3C220.8 39.4 108.3 -0.4 75 0C41.7 0.4 54.2 41.7 50 50"),
    ],
)  # fmt: skip
def test_a_way_from_a_cell_apart_goes_round_the_others(link: Link, kind: str, way: str) -> None:
    """It enters by the outer rim and ends soon after, so that no other space is on it."""
    spots = (*BOARD.spots, Spot("box", "Box", (2600, 500)))
    scene = replace(SCENE, places={**SCENE.places, "box": Place(RED)})
    sheet = replace(SHEET, cells={**SHEET.cells, "box": (BOX,)})
    board = replace(BOARD, spots=spots, links=(link,))
    root = ElementTree.fromstring(picture(board, sheet, scene, "A game", "Turn 1"))
    assert having(root, kind)[0].get("d") == way


def test_rivers_between_cells_are_drawn() -> None:
    bank, *_ = having(drawn(), "river")
    assert bank.get("d") == "M100 0l0 100"


def test_a_stack_shows_its_strength_its_sign_and_a_bar_for_each_unit() -> None:
    root = drawn()
    ford, hill, wood = (root.find(f".//{SVG}g[@id='space-{name}']") for name in CELLS)
    assert ford is not None and hill is not None and wood is not None
    assert "11" in texts(ford) and len(having(ford, "under0")) == 1
    assert (
        len(having(ford, "full0")) == len(having(ford, "less0")) == len(having(ford, "wall")) == 1
    )
    assert texts(hill) == ["?", "3"], "a hidden unit, and what a siege has left"
    (dot,) = having(hill, "full1")
    assert dot.get("d") == "M136 55.5h3.6v3.6h-3.6z" and not having(hill, "less1")
    assert len(having(wood, "node1")) == len(having(wood, "core1")) == 1


def test_where_both_sides_stand_there_are_two_stacks_side_by_side() -> None:
    both = Place(BLUE, (unit("7"), unit("5", BLUE)), marks=(Sign("tower", "siege"),))
    root = drawn(replace(SCENE, places={**SCENE.places, "hill": both}))
    hill = root.find(f".//{SVG}g[@id='space-hill']")
    assert hill is not None
    (first,), (second,) = having(hill, "body1"), having(hill, "body0")
    assert (first.get("x"), second.get("x")) == ("111.5", "154.5"), "the holder comes first"
    tower = next(each for each in hill.iter(f"{SVG}use") if each.get("href") == "#tower")
    assert tower.get("x") == "109.5"


def test_the_words_for_wear_are_those_of_the_board() -> None:
    board = replace(BOARD, wear=Wear("fresh", "spent", "fresh again", has_steps=False))
    lost = (unit("9", steps=1),)
    camps = (Camp(RED, boxes=(("Gone", lost),)), Camp(BLUE))
    root = ElementTree.fromstring(picture(board, SHEET, replace(SCENE, camps=camps), "A", "1"))
    assert "bar: fresh; open: spent" in texts(root) and "Gone FT ×1 (1 spent)" in texts(root)
    told = [each.text or "" for each in root.iter(f"{SVG}title")]
    assert told[1].endswith("; 7, 8 (spent)")


def test_every_space_has_its_words_for_those_who_do_not_see() -> None:
    root = drawn()
    told = [each.text for each in root.iter(f"{SVG}title")]
    assert told == [
        "A <game>: Turn 1",
        "Ford: Red, port, 2 VP, works; 7, 8 (reduced)",
        "<b>Hill</b> & \\x1b[2J: Blue, siege; a hidden one",
        "Wood: Blue",
    ]
    described = root.find(f"{SVG}desc")
    assert described is not None
    assert described.text == (
        "Red: ground 1 of 3, units 2, strength 11. Blue: ground 2 of 3, units 1. Luck 12."
    )
    assert root.get("aria-labelledby") == "title description"


def test_labels_stand_by_the_sheet_or_beside_their_space() -> None:
    labels = {"".join(each.itertext()): each for each in having(drawn(), "label")}
    assert (labels["The"].get("x"), labels["Ford"].get("x")) == ("75", "70")
    assert labels["Ford"].get("textLength") == "10", "the badges are part of the width"
    assert labels["Wood"].get("x") == "62", "nearer, as no counter needs the room"
    assert labels["<b>Hill</b> & \\x1b[2J"].get("x") == "170"


@pytest.mark.parametrize(
    ("name_at", "mark_at"),
    [
        ((-400, -250), (169, 62)), ((-120, -250), (169, 62)), ((-400, -100), (169, 62)),
        ((200, -60), (131, 38)), ((-400, 100), (131, 38)), ((-500, -60), (131, 38)),
        ((-200, -360), (131, 38)), ((-110, -250), (131, 38)), ((-200, -40), (131, 38)),
    ],
)  # fmt: skip
def test_a_mark_is_at_the_corner_where_the_name_is_not(name_at: Point, mark_at: Point) -> None:
    label = Label(("Hill",), (230,), name_at, 145)
    sheet = replace(SHEET, labels={"hill": label})
    root = ElementTree.fromstring(picture(BOARD, sheet, SCENE, "A game", "Turn 1"))
    group = next(each for each in root.iter() if each.get("id") == "space-hill")
    tower = next(each for each in group if each.get("href") == "#tower")
    assert (tower.get("x"), tower.get("y")) == tuple(map(str, mark_at))


def test_names_are_text_whatever_they_hold() -> None:
    made = picture(BOARD, SHEET, SCENE, "</title><script>", "\x9b]]>")
    assert "<script>" not in made and "<b>" not in made
    assert all(letter.isprintable() or letter == "\n" for letter in made)


# --- what has happened --------------------------------------------------------------------------

MOVED = Stroke("move", BLUE, ("wood", "ford", "hill"))
FOUGHT = (Stroke("attack", RED, ("ford", "hill")), Stroke("result", RED, ("hill",), "2:1"))


def test_moves_attacks_and_what_came_of_them() -> None:
    root = drawn(strokes=(MOVED, MOVED, *FOUGHT))
    assert len(having(root, "move1")) == 2, "one on the map, one in the legend"
    assert len(having(root, "attack0")) == 1 and "2:1" in texts(root)
    assert [each.get("href") for each in root.iter(f"{SVG}use")].count("#burst") == 2
    planned = drawn(strokes=FOUGHT[:1])
    assert len(having(planned, "head0")) == 1 and "2:1" not in texts(planned)
    assert not having(drawn(), "move1") and not having(drawn(), "attack1")


def test_what_changed_hands_has_a_dotted_rim() -> None:
    before = replace(SCENE, places={**SCENE.places, "ford": Place(BLUE), "wood": Place()})
    (rim,) = having(drawn(before=before), "rim0")
    assert rim.get("d") == "M0 0l100 0 0 100-100 0z"
    assert len(having(drawn(before=before), "rim1")) == 1, "in the legend"
    assert not having(drawn(), "rim0") and not having(drawn(), "rim1")


def test_an_arrow_ends_at_the_rims_of_the_counters() -> None:
    shaft, head = lines.arrow([(0, 0), (2000, 0)], 70, 75)
    begin, end = shaft[1:].split("Q")[0], shaft.split(" ")[-2:]
    assert begin == "18 0" and end == ["174", "0"]
    assert head.endswith("z")


def test_counters_that_nearly_touch_have_a_head_alone_between_them() -> None:
    shaft, _ = lines.arrow([(0, 0), (400, 0)], 70, 75)
    numbers = [float(each) for each in re.findall(r"-?[\d.]+", shaft)]
    assert max(numbers) - min(numbers[::2]) < 3


def test_the_front_is_one_line_as_far_as_two_cells_meet() -> None:
    sides = [((0, 0), (100, 0)), ((200, 0), (100, 1)), ((200, 0), (300, 0)), ((900, 0), (920, 0))]
    (chain,) = lines.chains(sides)
    assert {chain[0], chain[-1]} == {(0, 0), (300, 0)} and len(chain) == 4
    fork = [((0, 0), (200, 0)), ((200, 0), (400, 0)), ((200, 0), (200, 200))]
    assert len(list(lines.chains(fork))) == 3


# --- colours ------------------------------------------------------------------------------------


def light(colour: str) -> float:
    """The relative luminance of WCAG 2."""
    long = colour if len(colour) == 7 else "#" + "".join(2 * each for each in colour[1:])
    parts = [int(long[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    r, g, b = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    dark, pale = sorted((light(one), light(other)))
    return (pale + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("one", "other", "least"),
    [
        *((signs.INK, ground, 9) for ground in (*signs.GROUNDS, signs.SEA, signs.EMPTY)),
        (signs.WHITE, signs.DARK, 9), (signs.DEEP_RED, signs.LIGHT, 9),
        (signs.DARK, signs.GROUNDS[0], 4.5), (signs.RED, signs.GROUNDS[1], 4.5),
        (signs.RED, signs.GROUNDS[0], 3.5), (signs.INK, signs.GOLD, 9),
        (signs.INK, signs.WARNING, 9), (signs.MUTED, signs.PAPER, 4.5),
        (signs.DARK, signs.LIGHT, 9),
    ],
)  # fmt: skip
def test_what_must_be_read_stands_out_even_in_grey(one: str, other: str, least: float) -> None:
    assert contrast(one, other) >= least


def test_signs_need_no_rule_of_the_picture() -> None:
    """A browser does not apply them to copies of what is defined: they would be left undrawn."""
    assert "class=" not in signs.definitions()


# --- whole pictures -----------------------------------------------------------------------------


def of_scenario(slug: str, scenario: str, moment: str = "", tongue: Language = ENGLISH) -> str:
    game, plain = system(slug), drawing(slug, scenario)
    position = first_state(slug, scenario).state.position
    board, sheet = game.picture.board(plain), game.picture.sheet(plain)
    title = next(each.title for each in game.scenarios() if each.id == scenario)
    told = f"{game.title}: {words(say(title), tongue)}"
    now = moment or words(game.clock(position).words, tongue)
    scene = game.picture.scene(position, None)
    return picture(board, sheet, scene, told, now, language=tongue)


def structure(made: str) -> Iterator[str]:
    """What is drawn, an element or a space in a line, without coordinates."""
    labels: list[str] = []
    for each in ElementTree.fromstring(made):
        tag = each.tag.removeprefix(SVG)
        if "label" in each.get("class", "") or each.get("class") == "figure":
            labels.append(each.text or "")
        elif tag in ("use", "circle"):
            continue  # a badge behind a name
        elif tag not in ("style", "defs"):
            yield " ".join(_shape(each))
    yield f"labels: {' / '.join(labels)}"


def _shape(element: ElementTree.Element) -> Iterator[str]:
    name = element.get("id") or element.get("class") or element.get("fill") or ""
    yield f"{element.tag.removeprefix(SVG)}:{name}{element.get('href', '')}"
    if element.text:
        yield f"{element.text!r}"
    cells = [each for each in element if each.get("href", "").startswith("#cell-")]
    if cells:
        yield f"{len(cells)} cells"
    for each in element:
        if each not in cells:
            yield from _shape(each)


@pytest.mark.parametrize("table", every_game(), ids="-".join)
def test_the_picture_of_a_scenario(table: tuple[str, str]) -> None:
    made = of_scenario(*table)
    assert len(made.encode()) < LARGEST
    told = "\n".join(structure(made)) + "\n"
    golden = GOLDEN / f"{'-'.join(table)}.svg.txt"
    if os.environ.get("PBEM_GOLDEN") == "write":
        golden.write_text(told, encoding="utf-8")
    assert told == golden.read_text(encoding="utf-8")


def test_the_pictures_that_are_shown_are_those_that_are_drawn() -> None:
    made = of_scenario("crusade", "campaign")
    if os.environ.get("PBEM_GOLDEN") == "write":
        SHOWN.write_text(made, encoding="utf-8")
    assert SHOWN.read_text(encoding="utf-8") == made
    readme = (HERE.parent / "README.md").read_text(encoding="utf-8")
    page = (SHOWN.parent / "README.md").read_text(encoding="utf-8")
    assert MIDGAME.relative_to(HERE.parent).as_posix() in readme
    assert all(f"]({shown.name})" in page for shown in (SHOWN, MIDGAME))


def test_the_picture_of_a_stored_game_has_the_same_style() -> None:
    """Its game takes seconds to read: `make picture` draws it again."""
    told = MIDGAME.read_text(encoding="utf-8")
    (style,) = re.findall("<style>.*?</style>", of_scenario("crusade", "campaign"))
    assert style in told and "Turn 10" in told and len(told.encode()) < LARGEST


Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def is_over(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("table", every_game(), ids="-".join)
def test_the_longest_moment_ends_inside_the_picture(table: tuple[str, str]) -> None:
    moment = "Turn 1, the first of a long list of moments, " * 20
    root = ElementTree.fromstring(of_scenario(*table, moment))
    right = float(root.attrib["viewBox"].split()[2])
    (box,) = (each for each in root.iter(f"{SVG}g") if each.get("class") == "title")
    rect, told = box.find(f"{SVG}rect"), box.findall(f"{SVG}text")[1]
    assert rect is not None
    end = float(rect.attrib["x"]) + float(rect.attrib["width"])
    size = float(re.findall(r"font-size:([0-9.]+)px", told.attrib["style"])[0])
    assert end < right
    assert float(told.attrib["x"]) + wide(moment, 100) * size / 100 < end


@pytest.mark.parametrize("code", ["en", "es"])
@pytest.mark.parametrize("table", every_game(), ids="-".join)
def test_words_end_inside_their_box_and_before_the_next(table: tuple[str, str], code: str) -> None:
    """Also in the widest of the fonts; and no line of a title is smaller than the line below."""
    root = ElementTree.fromstring(of_scenario(*table, "", language(code)))
    across = float(root.attrib["viewBox"].split()[2])
    for box in root.iter(f"{SVG}g"):
        frame, written = box.find(f"{SVG}rect"), [*_written(box)]
        if box.get("class") not in ("title", "tracks", "legend") or frame is None:
            continue
        right = float(frame.attrib["x"]) + float(frame.attrib["width"])
        assert right <= across
        for _, _, end, told, _ in written:
            assert end < right, told
        for one, other in combinations(written, 2):
            assert one[0] != other[0] or one[2] <= other[1] or other[2] <= one[1], (one, other)
        if box.get("class") == "title":
            assert written[0][-1] >= 12, "the title is smaller than the line below it"


def _written(box: ElementTree.Element) -> Iterator[tuple[float, float, float, str, float]]:
    """Each line of a box: its height on the sheet, left, right, words, size of the letters."""
    for text in box.findall(f"{SVG}text"):
        kind = text.get("class", "").split()
        own = re.findall(r"font-size:([0-9.]+)px", text.get("style", ""))
        size = float(own[0]) if own else 11 if {"small", "pale"} & {*kind} else 12
        below = [part for part in text if part.get("y")]
        for each in (text, *below):
            told = "".join([each.text or ""] if below else text.itertext())
            x, y = float(each.attrib["x"]), float(each.attrib["y"])
            long = wide(told, round(size * 10), is_bold="bold" in kind) / 10
            left = x - long if "end" in kind else x - long / 2 if "mid" in kind else x
            yield y, left, left + long, told, size


@pytest.mark.parametrize("table", every_game(), ids="-".join)
def test_a_name_is_on_no_other_name_and_on_no_counter(table: tuple[str, str]) -> None:
    game, plain = system(table[0]), drawing(*table)
    board, sheet = game.picture.board(plain), game.picture.sheet(plain)
    at = {spot.id: spot.at for spot in board.spots}
    names: dict[str, Box] = {}
    for space, each in sheet.labels.items():
        x, y = at[space][0] + each.at[0], at[space][1] + each.at[1]
        names[space] = x, y, x + max(each.widths), y + each.size * 1.04 * len(each.lines)
    for space, name in names.items():
        counters = [each for each, (x, y) in at.items()
                    if is_over(name, (x - 170, y - 120, x + 170, y + 120))]  # fmt: skip
        others = [each for each in names if each != space and is_over(name, names[each])]
        assert not counters and not others, space


@pytest.mark.parametrize("table", every_game(), ids="-".join)
def test_a_picture_in_a_war_is_sound(table: tuple[str, str]) -> None:
    """Ids are unique, what is used is defined, every class has a rule, nothing leaves the frame."""
    slug, scenario = table
    game, plain = system(slug), drawing(slug, scenario)
    board, sheet = game.picture.board(plain), game.picture.sheet(plain)
    before = game.picture.scene(first_state(slug, scenario).state.position, None)
    strokes: list[Stroke] = []
    for at, moment in enumerate(played(slug, scenario)):
        for event, position in zip(moment.step.events, moment.step.positions, strict=True):
            strokes += game.picture.strokes(event, position)
        if at % 60 == 59:
            scene = game.picture.scene(moment.step.state.position, game.sides[0])
            made = picture(board, sheet, scene, "t", "m", strokes[-20:], before)
            assert len(made.encode()) < LARGEST
            is_sound(made, sheet)


def is_sound(made: str, sheet: Sheet) -> None:
    root = ElementTree.fromstring(made)
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(set(ids)) == len(ids)
    used = set(re.findall(r'(?:href="|url\()#([\w-]+)', made))
    assert used <= set(ids)
    styled = set(re.findall(r"\.([\w]+)", made.partition("<style>")[2].partition("</style>")[0]))
    classes = {name for each in root.iter() for name in each.get("class", "").split()}
    of_pages = {"points", "stack", "manned", "large", "west"}
    assert classes - styled <= {"title", "legend", "tracks"} | of_pages
    assert len({name.casefold() for name in classes}) == len(classes)
    for each in root.iter(f"{SVG}text"):
        x, y = float(each.get("x", "0")), float(each.get("y", "0"))
        assert -30 <= x <= sheet.size[0] / 10 and -30 <= y <= sheet.size[1] / 10
    boxes = [box_of(each) for each in root.iter(f"{SVG}rect") if each.get("class") == "box"]
    assert not any(is_over(*two) for two in combinations(boxes, 2)), "a box covers another one"


def box_of(rect: ElementTree.Element) -> Box:
    x, y, width, height = (float(rect.get(name, "0")) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


@pytest.mark.parametrize("shape", sorted(signs.UNIT_SHAPES))
def test_a_sign_fits_its_place_on_a_counter(shape: str) -> None:
    path, _ = signs.UNIT_SHAPES[shape]
    assert path.startswith((signs.FRAME, "M0 2.5"))


def test_rivers_go_through_all_their_points() -> None:
    course = [(0, 0), (300, 400), (900, 100)]
    curve = lines.smooth(course)
    ends = re.findall(r"(-?[\d.]+) (-?[\d.]+)(?=C|$)", curve)
    assert [(float(x) * 10, float(y) * 10) for x, y in ends] == [(0, 0), (300, 400), (900, 100)]
    assert all(dist(a, b) > 0 for a, b in pairwise(course))
