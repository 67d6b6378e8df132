"""What a battle costs in mails, over a few games; `python -m tests.games.nopasaran.mails` plays
more, and prints the figures.
"""

from __future__ import annotations

from statistics import median

import pytest

from tests.games.nopasaran.mails import STYLES, Style, course
from tests.games.nopasaran.table import LARGE, SMALL

FEW = ("one", "two", "three")


BOUNDS = [*zip(STYLES, (28, 20), (23, 15), strict=True)]
"""What the median of the small battle may be, and a first day of the large one."""


@pytest.mark.parametrize(("style", "battle", "day"), BOUNDS)
def test_a_battle_and_a_day_cost_no_more_mails(style: Style, battle: int, day: int) -> None:
    assert median(course(SMALL, seed, style) for seed in FEW) <= battle
    assert course(LARGE, "one", style, days=1) <= day
