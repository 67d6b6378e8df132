"""The pages of the drill: the commands as they are typed, and what they print of each combat."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from pbem import __version__
from pbem.play import game
from tests.cli.conftest import at_home
from tests.cli.desk import Desk

FOLDER = Path(__file__).parents[2] / "examples" / "nopasaran-drill"
BLOCK = re.compile(r"^```(yaml|text|)\n(.*?)^```$", re.M | re.S)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    shutil.copytree(FOLDER, tmp_path / "examples" / FOLDER.name)
    monkeypatch.setattr(game, "__version__", __version__)  # as for a reader who types the same
    return at_home(tmp_path, monkeypatch)


def typed(desk: Desk, page: str) -> str:
    """The page with its commands typed: each block of text has what the one before printed."""
    told = ""

    def replay(found: re.Match[str]) -> str:
        nonlocal told
        kind, block = found.groups()
        if kind == "yaml":
            desk.write(block.split("\n")[0].removeprefix("# "), block)
        elif kind == "text":
            return f"```text\n{of_combat(told)}```"
        else:
            for line in block.splitlines():
                told = desk.done(*line.removeprefix("$ ").removeprefix("pbem ").split())
        return found.group()

    return BLOCK.sub(replay, page)


def of_combat(told: str) -> str:
    """What is told of a combat, without what stands above and below it in each game."""
    above, heading, rest = told.partition("Nationalist activation ")
    return re.split("to write: |note: ", heading + rest)[0] if heading else above


def test_a_combat_of_each_type_is_told_as_it_stands_there(desk: Desk) -> None:
    path = FOLDER / "combats.md"
    page = path.read_text(encoding="utf-8")
    found = typed(desk, page)
    if os.environ.get("PBEM_GOLDEN") == "write":
        path.write_text(found, encoding="utf-8")
    assert found == page
    for type in ("mobile", "regular", "prepared", "improvised"):
        assert f"({type})" in page


def test_the_first_page_can_be_typed_and_shows_a_fault_as_it_is_told(desk: Desk) -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    commands, fault = (block for _, block in BLOCK.findall(page))
    for line in commands.splitlines():
        desk.done(*line.removeprefix("pbem ").split())
    folder = f"examples/{FOLDER.name}"
    battle = desk.folder / folder / "scenarios" / "drill.yaml"
    text = battle.read_text(encoding="utf-8")
    for ours, slip in (("hex: D10", "hex: A09"), ("hex: G04", "hex: C10"), ("[D10, F10]", "[D10]")):
        assert ours in text
        text = text.replace(ours, slip)
    battle.write_text(text, encoding="utf-8")
    assert desk.refused(1, "data", "nopasaran", folder) == fault
