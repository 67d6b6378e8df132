"""Hexes on a sheet: in their places, with the sides between them."""

from __future__ import annotations

import pytest

from pbem.board.hexes import Grid
from pbem.board.hexsheet import SIZE, TICK, HexSheet

GRID = Grid("even", lines="rows", lettered=True)
SHEET = HexSheet(GRID, ("A02", "A03", "B02", "C02"), (500, 600), ("A01", "C03"))


def test_a_hex_is_in_the_middle_of_its_cell_and_counted_from_the_corner() -> None:
    assert HexSheet(GRID, ["A01"], (500, 600)).at("A01") == (500, 600)
    assert SHEET.at("A02")[0] > 500 and SHEET.at("A02")[1] == 600
    for hex, ring in SHEET.cells.items():
        assert sum(x for x, _ in ring) // 6 == pytest.approx(SHEET.at(hex)[0], abs=1)
        assert sum(y for _, y in ring) // 6 == pytest.approx(SHEET.at(hex)[1], abs=1)
    assert SHEET.ends == (
        max(x for x, _ in SHEET.cells["A03"]), max(y for _, y in SHEET.cells["C02"])
    )  # fmt: skip


def test_sides_are_those_of_hexes_that_are_drawn() -> None:
    shared = frozenset(("A02", "B02"))
    assert set(SHEET.side(shared)) == {*SHEET.cells["A02"]} & {*SHEET.cells["B02"]}
    assert SHEET.sides([shared, frozenset(("A01", "A02"))]) == (SHEET.side(shared),)
    with pytest.raises(KeyError):
        SHEET.side(frozenset(("A01", "A02")))


def test_a_way_over_a_side_and_the_ticks_of_a_slope_lead_down() -> None:
    (x, y), (east, south) = SHEET.crossing("A02", "B02")
    assert (x, y) == tuple((a + b) // 2 for a, b in zip(SHEET.at("A02"), SHEET.at("B02"),
                                                        strict=True))  # fmt: skip
    assert east > 0 and south > 0
    ticks = SHEET.slope("B02", "A02", 3)
    assert len(ticks) == 3
    for (left, top), (right, bottom) in ticks:
        assert right > left and bottom > top
        assert (right - left) ** 2 + (bottom - top) ** 2 == pytest.approx(TICK**2, rel=0.05)
    (left, top), (right, bottom) = SHEET.slope("A02", "B02", 1)[0]
    assert right < left and bottom < top
    assert (left, top) == pytest.approx((x, y), abs=1), "one stands in the middle of the side"


def test_words_stand_in_lines_above_the_counters() -> None:
    lines, widths, (left, down), *_ = HexSheet.block("G13 Pindoque, east bank", has_points=True)
    assert lines == ("G13", "Pindoque,", "east bank")
    assert len(widths) == 3 and left == -max(widths) // 2
    assert down < HexSheet.block("G13", has_points=False)[2][1] == -SIZE * 8 // 10
    assert widths[-1] > HexSheet.block("east bank", has_points=False)[1][0]
