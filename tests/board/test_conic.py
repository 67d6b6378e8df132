"""A conic projection: true along the meridian, and at the place it is fixed to."""

from __future__ import annotations

from pbem.board.conic import Conic

SPAIN = Conic({"parallels": [37500, 42500], "meridian": -3100, "north": 40000, "scale": 161,
               "at": [790, 664]})  # fmt: skip


def test_the_fixed_point_and_the_length_of_a_degree() -> None:
    assert SPAIN.point((40000, -3100)) == (7900, 6640)
    assert SPAIN.point((41000, -3100)) == (7900, 6640 - 1610)


def test_east_and_west_are_mirrored_and_parallels_bend() -> None:
    (west, high), (east, same) = SPAIN.point((43000, -8100)), SPAIN.point((43000, 1900))
    assert (west + east, high) == (2 * 7900, same)
    assert high < SPAIN.point((43000, -3100))[1] + 300
    assert high < same + 1 and high != SPAIN.point((43000, -3100))[1]


def test_parallels_are_true_at_the_standard_ones() -> None:
    """A degree along 37.5 N is its cosine of a degree along the meridian: 0.79335 of it."""
    line = SPAIN.line([(37500, -3600), (37500, -2600)])
    assert abs(line[1][0] - line[0][0] - 1610 * 0.79335) < 1
