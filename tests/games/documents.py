"""The data of a game as documents, and a cache of the tests' own: for the conftests of games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.gamedata import check as checking
from pbem.gamedata import load as loading
from pbem.gamedata.game import GameData
from pbem.problems import Refused
from pbem.text.yamlsource import Document


@pytest.fixture(scope="session")
def cache_home(tmp_path_factory):
    """What was read once is kept, under the digest of its bytes, for every test."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def own_cache(cache_home, monkeypatch):
    """No test reads or writes the cache of whoever runs it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_home))


@pytest.fixture(autouse=True)
def judged_once(monkeypatch):
    """A folder that says the same as before is not judged anew, which takes a quarter second."""
    monkeypatch.setattr(checking, "judge", _once)


_JUDGED: dict[Any, checking.JudgedData] = {}
_judge = checking.judge


def _once(folder: Path, game: GameData, *, alone: bool = False) -> checking.JudgedData:
    try:
        said = tuple(checking.read_folder(folder, game).items())
    except Refused:
        return _judge(folder, game, alone=alone)
    known = str(folder), game.slug, alone, said
    if known not in _JUDGED:
        _JUDGED[known] = _judge(folder, game, alone=alone)
    return _JUDGED[known]


def documents_in(folder: Path) -> dict[str, Document]:
    """Every YAML file of a game, provenance and all."""
    files = [*loading.counted_files(folder), "rulebook.yaml"]
    return {path: loading.document(path, (folder / path).read_bytes()) for path in files}


def plain_of(documents: dict[str, Document]) -> dict[str, Any]:
    """The values of the files by their part: plain["map"], plain["scenarios/campaign"]."""
    return {path.removesuffix(".yaml"): found.value for path, found in documents.items()}
