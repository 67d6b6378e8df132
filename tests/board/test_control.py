"""Zones of control."""

from pbem.board.control import controlled
from pbem.board.hexes import Grid

GRID = Grid("even")
CLOSED = frozenset(("0606", "0605"))


def test_a_zone_goes_where_its_unit_can_reach():
    def reaches(unit: str, there: str) -> bool:
        return frozenset((PLACES[unit], there)) != CLOSED and not (unit == "gun" and there < "07")

    PLACES = {"foot": "0606", "gun": "0707"}
    found = controlled(PLACES, GRID.around, reaches)
    assert found == {
        "0706": ("foot", "gun"), "0707": ("foot",), "0607": ("foot",), "0507": ("foot",),
        "0506": ("foot",), "0708": ("gun",), "0806": ("gun",), "0807": ("gun",),
    }  # fmt: skip


def test_no_units_no_zones():
    assert controlled({}, GRID.around, lambda *_: True) == {}
