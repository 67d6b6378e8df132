"""Where cells meet: hand-made areas, and hexes."""

from __future__ import annotations

from pbem.board.borders import borders
from pbem.board.hexes import Grid

SQUARES = {
    "a": ((0, 0), (10, 0), (10, 10), (0, 10)),
    "b": ((10, 0), (20, 0), (20, 10), (10, 10)),
    "c": ((0, 10), (10, 10), (10, 20), (0, 20)),
}


def test_two_cells_share_a_side_or_none() -> None:
    found = {(a, b): frozenset(side) for a, b, side in borders(SQUARES)}
    assert found == {
        ("a", "b"): frozenset({(10, 0), (10, 10)}),
        ("a", "c"): frozenset({(0, 10), (10, 10)}),
    }


def test_hexes_border_on_those_around_them_and_on_no_other() -> None:
    for shifted in ("even", "odd"):
        grid = Grid(shifted)  # type: ignore[arg-type]
        hexes = [grid.name(column, row) for column in range(3, 8) for row in range(2, 7)]
        met = [frozenset((a, b)) for a, b, _ in borders({h: grid.corners(h, 40) for h in hexes})]
        joined = {frozenset((a, b)) for a in hexes for b in grid.around(a) if b in hexes}
        assert len(met) == len(set(met)) and set(met) == joined


def test_the_middle_of_a_hex_lies_between_its_corners() -> None:
    grid = Grid("even")
    assert grid.centre("0402", 40) == (240, 5 * 34)
    assert grid.centre("0302", 40) == (180, 4 * 34)
    corners = grid.corners("0402", 40)
    assert corners[0] == (200, 170) and corners[3] == (280, 170)
    assert sum(x for x, _ in corners) == 6 * 240 and sum(y for _, y in corners) == 6 * 170
