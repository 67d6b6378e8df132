"""The data of Storm over Madrid as documents, and a cache of the tests' own."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.gamedata import load as loading
from pbem.gamedata.where import data_folder

MADRID = data_folder("madrid")


@pytest.fixture(scope="session")
def cache_home(tmp_path_factory):
    """What was read once is kept, under the digest of its bytes, for every test."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def own_cache(cache_home, monkeypatch):
    """No test reads or writes the cache of whoever runs it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_home))


@pytest.fixture(scope="session")
def folder() -> Path:
    return MADRID


@pytest.fixture(scope="session")
def plain():
    """The values of the files by their part: plain["map"], plain["scenarios/campaign"]."""
    files = [*loading.counted_files(MADRID), "rulebook.yaml"]
    read = {path: loading.document(path, (MADRID / path).read_bytes()) for path in files}
    return {path.removesuffix(".yaml"): found.value for path, found in read.items()}
