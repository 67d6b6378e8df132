"""The data of Storm over Madrid as documents, and a cache of the tests' own."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.gamedata.where import data_folder
from tests.games.documents import cache_home, documents_in, own_cache, plain_of

__all__ = ("cache_home", "own_cache")
MADRID = data_folder("madrid")


@pytest.fixture(scope="session")
def folder() -> Path:
    return MADRID


@pytest.fixture(scope="session")
def plain():
    return plain_of(documents_in(MADRID))
