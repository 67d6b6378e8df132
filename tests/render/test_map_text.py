"""Boards in the terminal: a hundred columns, every region, and nothing that moves a cursor."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from pbem.engine.model import Side
from pbem.engine.picture import (
    Board,
    Calendar,
    Camp,
    Held,
    Link,
    Party,
    Place,
    Scene,
    Sign,
    Spot,
    Track,
    Unit,
    Wear,
)
from pbem.gamedata.load import drawing
from pbem.render.maps import text
from pbem.render.maps.changes import changes
from pbem.render.maps.sights import Sights
from pbem.value import replace
from tests.contract.playing import every_game, first_state, played, system

UNITS_BEGIN = 42
GOLDEN = Path(__file__).parents[1] / "golden" / "maps"
RED, BLUE = Side("red"), Side("blue")
WIDE = "A very long name of some place that nobody can say"


def unit(name: str, side: Side = RED, strength: int | None = 2, steps: int = 2) -> Unit:
    words = "Foot" if name else "a hidden one"
    return Unit(name, side, "cross", words, "FT", strength, steps, 2)


BOARD = Board(
    title="A game",
    parties=(Party(RED, "Red", "R"), Party(BLUE, "Blue", "B")),
    spots=(
        Spot("ford", "Ford", (0, 0), "West", weight=2, traits=(Sign("square", "town", "C"),),
             points=2),
        Spot("hill", WIDE, (2000, 0), "West"),
        Spot("wood", "Wood", (0, 2000), "East"),
        Spot("isle", "Isle", (2000, 2000), "East"),
    ),
    links=(Link("ford", "hill", words="over the bridge", is_wet=True), Link("hill", "wood")),
    calendar=Calendar(("one", "two")),
    legend=(Sign("square", "town", "C"), Sign("warning", "no supply", "!")),
    points="VP",
)  # fmt: skip
SCENE = Scene(
    turn=1,
    places={
        "ford": Place(RED, (unit("7", strength=9), unit("8", steps=1))),
        "hill": Place(BLUE, (unit("", BLUE, None),), marks=(Sign("warning", "no supply", "!"),)),
        "wood": Place(BLUE),
        "isle": Place(),
    },
    camps=(
        Camp(RED, (Held("k1", "Dawn", "good"),), 1, "cards", ("A",), 3, (("Lost", (unit("9"),)),)),
        Camp(BLUE, unseen=2, hand_is="cards", facts=("angry",)),
    ),
    tracks=(Track("Luck", 12, 0, 10, ((5, RED),), "high is good"),),
    notes=("it rains",),
)  # fmt: skip


def lines(scene: Scene = SCENE) -> list[str]:
    return text.plain(text.whole(Sights(BOARD, scene), "A game: Test", "Turn 1"))


def test_a_whole_board() -> None:
    told = lines()
    assert told[0] == " A game: Test" + " " * 80 + "Turn 1"
    assert told[1] == " Luck               12  0 ----------+--------------@ 12  high is good"
    assert " R  rounds: A (of 3); cards in hand: 2, 1 of them hidden from you" in told
    assert "      k1   Dawn (good)" in told and "    Lost, 1: 9" in told
    assert " B  cards in hand: 2; angry" in told and " it rains" in told
    assert next(line for line in told if line.startswith("WEST")).endswith(" R 1, 2 VP; B 1, 0 VP")
    assert any(line.startswith(" R  Ford                     C2    11     7, 8-") for line in told)
    assert " B  quiet: Wood" in told and " .  quiet: Isle" in told


@pytest.mark.parametrize(("sign", "where"), [("[+]", 0), ("(?!", 0), (" o", -1), (".", -1)])
def test_the_small_map_has_a_sign_for_each_space(sign: str, where: int) -> None:
    small = lines()[8:20]
    assert any(sign in line for line in small), small


def explained(told: list[str]) -> list[list[str]]:
    """What is said of the signs below the small map, and below the lists."""
    key = next(at for at, line in enumerate(told) if line[1:2] in "[(#o" and " unit" in line)
    last = len(told) - told[::-1].index("")
    return [
        re.split("; +", " ".join(map(str.strip, part)))
        for part in (told[key : told.index("", key)], told[last:])
    ]


def test_each_sign_that_is_there_is_explained_and_no_other() -> None:
    assert explained(lines()) == [
        ["[3] Red units of strength 3", "(3) Blue units of strength 3", "o Blue, without units",
         ". held by neither side", "+ 10 or more", "? hidden", "! no supply"],
        ["C town", "! no supply", "2 its VP", "? hidden", "- reduced",
         "x adjacent enemies, with their strength", "~ over water"],
    ]  # fmt: skip
    both = Place(BLUE, (unit("7"), unit("", RED, None), unit("5", BLUE)))
    assert explained(lines(Scene(1, {"wood": Place(RED), "isle": both}))) == [
        ["# Red, without units", "(3) Blue units of strength 3", "(3] both"],
        ["? hidden", "2+ 2, and more that is hidden"],
    ]


def test_enemies_beside_are_told_with_strength_and_water() -> None:
    told = "\n".join(lines())
    assert "x A very long name of some\n" in told, "broken between words"
    assert "say~(?)" in told
    assert "x Ford~(11)" in told


def test_a_space_from_near() -> None:
    told = text.plain(text.close(Sights(BOARD, SCENE), BOARD.spots[1], "A game: Test", "Turn 1"))
    assert f" B  {WIDE}  (West)" in told
    assert "    no supply" in told and "    a hidden one" in told
    assert " R  Ford                     C2    11  7, 8-  (over the bridge)" in told
    assert " B  Wood" in told
    empty = text.plain(text.close(Sights(BOARD, SCENE), BOARD.spots[3], "A game: Test", "Turn 1"))
    assert " .  Isle  (East)" in empty and "    no units here" in empty


def test_what_is_not_on_the_map_is_not_shown() -> None:
    places = {key: place for key, place in SCENE.places.items() if key != "hill"}
    told = "\n".join(lines(Scene(1, places)))
    assert "A very long" not in told and "Ford" in told


def test_names_that_hold_controls_are_shown_and_not_done() -> None:
    spot = Spot("x", "\x1b[2Jname\u202e", (0, 0), "\x1b]0;title")
    board = Board("t", BOARD.parties, (spot,), (), Calendar(("one",)))
    place = Place(RED, (unit("\x1b[31m7"),))
    for rows in (
        text.whole(Sights(board, Scene(1, {"x": place}, notes=("\x07",))), "\x1b", "\x9b"),
        text.close(Sights(board, Scene(1, {"x": place})), spot, "\x1b", "\x9b"),
    ):
        told = text.plain(rows)
        assert all(line.isprintable() for line in told)
        assert any("\\x1b[31m7" in line for line in told)


@pytest.mark.parametrize("table", every_game(), ids="-".join)
def test_every_scenario_fits_a_hundred_columns(table: tuple[str, str]) -> None:
    slug, scenario = table
    game = system(slug)
    board = game.picture.board(drawing(slug, scenario))
    for at, moment in enumerate(played(slug, scenario)):
        if at % 40 == 0:
            position = moment.step.state.position
            scene = game.picture.scene(position, game.sides[0])
            told = text.plain(
                text.whole(Sights(board, scene), "t", str(game.clock(position).words))
            )
            assert max(map(len, told)) <= text.WIDTH
            shown = " ".join(line[UNITS_BEGIN : text.UNITS_END].strip() for line in told)
            for place in scene.places.values():
                assert all(each.id in shown for each in place.units)


def test_the_start_of_the_campaign() -> None:
    """PBEM_GOLDEN=write rewrites the text; look at the difference."""
    game = system("crusade")
    position = first_state("crusade", "campaign").state.position
    board, scene = game.picture.board(drawing("crusade")), game.picture.scene(position, None)
    told = "\n".join(text.plain(text.whole(Sights(board, scene), "Campaign", "the start"))) + "\n"
    golden = GOLDEN / "campaign.txt"
    if os.environ.get("PBEM_GOLDEN") == "write":
        golden.write_text(told, encoding="utf-8")
    assert told == golden.read_text(encoding="utf-8")


def test_changes_are_told_in_lines() -> None:
    after = Scene(
        turn=1,
        places={
            "ford": Place(BLUE, (unit("5", BLUE),)),
            "hill": Place(BLUE),
            "wood": Place(BLUE, (unit("8", steps=2),), works=(Sign("wall", "position", "#"),)),
            "isle": Place(),
        },
        camps=(Camp(RED, boxes=(("Lost", (unit("9"), unit("7"))),)),),
        tracks=(Track("Luck", 9, 0, 10),),
    )
    assert list(changes(BOARD, SCENE, after)) == [
        "Luck: 12 to 9",
        "Blue now: Ford",
        "7: Ford to Lost",
        "8: Ford to Wood, restored",
        "5: off the map to Ford",
        f"{WIDE}: no longer: no supply",
        "Wood: position",
    ]
    assert list(changes(BOARD, SCENE, SCENE)) == []


BOTH = replace(
    SCENE,
    places={
        **SCENE.places,
        "hill": Place(BLUE, (unit("7"), unit("6"), unit("5", BLUE, 3))),
        "ford": Place(RED, (unit("4", steps=1), unit("3", BLUE))),
    },
)
SPENT = replace(BOARD, wear=Wear("fresh", "spent", "fresh again", has_steps=False))


def test_where_both_sides_stand_each_has_lines_of_its_own() -> None:
    told = lines(BOTH)
    at = next(at for at, line in enumerate(told) if line.startswith(" B  A very long"))
    assert told[at][36:50].split() == ["3", "5"]
    assert told[at + 1].split() == ["R", "4", "7,", "6"]
    assert any("(3]" in line for line in told), "the small map shows the holder's strength"
    assert "[3) both" in explained(told)[0]
    assert any("say~(3)" in line for line in told), "of those beside only the enemies are counted"


def test_a_space_where_both_sides_stand_told_alone() -> None:
    told = text.plain(text.close(Sights(SPENT, BOTH), BOARD.spots[0], "A game", "Turn 1"))
    assert "    4             Foot, strength 2, spent" in told
    assert told[told.index(" B  is also there") + 1] == "    3             Foot, strength 2, fresh"
    assert not any("together" in line for line in told)
    hill = next(line for line in told if line.startswith(" B  A very"))
    assert "3/4" in hill
    told = text.plain(text.close(Sights(BOARD, BOTH), BOARD.spots[1], "A game", "Turn 1"))
    assert "    together 4" in told


def test_many_units_beside_are_told_in_lines_of_a_hundred_letters() -> None:
    many = tuple(unit(f"The {number}th of the line", BLUE) for number in range(10))
    scene = replace(SCENE, places={**SCENE.places, "hill": Place(BLUE, many)})
    told = text.plain(text.close(Sights(BOARD, scene), BOARD.spots[0], "A game", "Turn 1"))
    assert max(map(len, told)) <= 100 and any("9th of the line  (over" in line for line in told)
    told = text.plain(text.close(Sights(BOARD, scene), BOARD.spots[1], "A game", "Turn 1"))
    assert "    The 0th of the line Foot, strength 2, 2 of 2 steps" in told


def test_wear_is_told_in_the_words_of_the_board() -> None:
    worn = replace(SCENE, places={**SCENE.places, "ford": Place(RED, (unit("7", steps=1),))})
    whole = replace(SCENE, places={**SCENE.places, "ford": Place(RED, (unit("7"),))})
    assert "7: spent" in list(changes(SPENT, whole, worn))
    assert "7: fresh again" in list(changes(SPENT, worn, whole))
    assert any("- spent" in line for line in text.plain(text.whole(Sights(SPENT, SCENE), "A", "1")))
