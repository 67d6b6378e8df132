"""What is typed here, a reader may type: with the digests of today."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.pinned import as_they_are


@pytest.fixture(autouse=True)
def digests_of_today() -> Iterator[None]:
    with as_they_are():
        yield
