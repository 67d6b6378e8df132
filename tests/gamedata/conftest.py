"""A small game as if it were shipped, and a cache and settings of the tests' own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.gamedata import check as checking
from pbem.gamedata import where
from tests.gamedata.small import shipped


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the cache or the settings of whoever runs it."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
    return folder


@pytest.fixture(autouse=True)
def ours(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """The folder of the small game's data."""
    home = tmp_path_factory.mktemp("shipped")
    monkeypatch.setattr(where, "SHIPPED", str(home))
    checking.shipped.cache_clear()
    checking._schema_for.cache_clear()
    yield shipped(home)
    checking.shipped.cache_clear()
    checking._schema_for.cache_clear()
