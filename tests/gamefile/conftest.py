"""What the tests of mail flows share."""

from __future__ import annotations

import pytest

from tests.gamefile.knowledge import look_aheads


@pytest.fixture
def seen():
    """Takes the folds of a flow; nobody may have looked ahead in any of them."""
    folds = []
    yield folds.append
    assert folds
    for fold in folds:
        assert look_aheads(fold) == []
