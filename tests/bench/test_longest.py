"""The games that are measured are found among those that are stored, signed files or not."""

from __future__ import annotations

import pytest

from tests.bench.madrid import longest


@pytest.mark.parametrize(
    ("slug", "scenario"),
    [("crusade", "campaign"), ("madrid", "campaign"), ("ctv", "santander"),
     ("nopasaran", "jarama_crossing")],
)  # fmt: skip
def test_each_game_that_is_measured_has_a_stored_one(slug: str, scenario: str) -> None:
    assert len(longest(slug, scenario).orders) > 100
