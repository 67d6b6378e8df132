"""Areas of a map: where a space belongs, what is next to what, who holds all of one."""

from pbem.board.areas import Areas
from pbem.board.hexes import Grid

AREAS = Areas({"AA": ("2006", "2007"), "BB": ("2106",), "CC": ("2308",)})
BOARD = Grid("even").graph(["2006", "2007", "2106", "2107", "2308"])


def test_a_space_is_in_one_area_or_in_none():
    assert AREAS.of("2007") == "AA"
    assert AREAS.of("2107") is None


def test_areas_are_next_to_each_other_where_a_link_joins_them():
    assert AREAS.neighbours("AA", BOARD) == ("BB",)
    assert AREAS.neighbours("BB", BOARD) == ("AA",)
    assert AREAS.neighbours("CC", BOARD) == ()


def test_who_holds_every_space_holds_the_area():
    held = {"2006": "red", "2007": "red", "2106": "blue"}
    assert AREAS.holder("AA", held.get) == "red"
    assert AREAS.holder("AA", (held | {"2007": "blue"}).get) is None
    assert AREAS.holder("CC", held.get) is None
