"""Fog on the Ridge where it stands: for tests that need its rules but no place among the games."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import yaml

from pbem.games.system import GameSystem
from pbem.play.table import Table, open_table

HERE = Path(__file__).parent
NAME = "pbem.games.fog"
SEATS: Any = {"A": "north", "B": "south"}


@cache
def system() -> GameSystem:
    """The game system over the data of this folder."""
    if NAME not in sys.modules and find_spec(NAME) is None:
        folder = HERE / "game"
        spec = spec_from_file_location(
            NAME, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        assert spec is not None and spec.loader is not None
        module = module_from_spec(spec)
        sys.modules[NAME] = module
        spec.loader.exec_module(module)
    found: GameSystem = import_module(NAME).open_system(plain())
    return found


def plain() -> dict[str, Any]:
    """The data as the rules read them."""
    read = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in HERE.glob("data/*.yaml")}
    scenarios = (yaml.safe_load(path.read_text("utf-8"))
                 for path in sorted(HERE.glob("data/scenarios/*.yaml")))  # fmt: skip
    return {**read, "scenarios": {each["id"]: each for each in scenarios}}


def table(proposal: Mapping[str, Any]) -> Table:
    """The table of a proposed game."""
    return open_table(system(), proposal["scenario"], frozenset(proposal["options"]), SEATS)
