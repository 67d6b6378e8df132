"""The tutorial is played as it stands there: the commands, the files, the five mails."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.cli.conftest import at_home
from tests.examples.typed import Page

PAGE = Path(__file__).parents[2] / "examples" / "first-game" / "README.md"
README = PAGE.parents[2] / "README.md"
DICE = b"0"
"""With these the militia of Riotinto does not retreat."""


def test_the_tutorial_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(tmp_path, monkeypatch, DICE)
    page.play(PAGE.read_text(encoding="utf-8"))
    assert page.mails == 4  # the fifth is Ana's to write
    ana = at_home(page.desks["ana"].folder, monkeypatch)
    the_summary_stands_in_the_readme(ana.done("summary"))


def the_summary_stands_in_the_readme(told: str) -> None:
    """How the turn's page begins to tell what happened; PBEM_GOLDEN=write puts it there."""
    shown = f"```\n{told[told.index('Ground') : told.index('Losses')].rstrip()}\n```\n"
    text = README.read_text(encoding="utf-8")
    before, found, behind = re.split(r"(```\nGround\n.*?^```\n)", text, flags=re.M | re.S)
    if os.environ.get("PBEM_GOLDEN") == "write":
        README.write_text(before + shown + behind, encoding="utf-8")
        found = shown
    assert found == shown
