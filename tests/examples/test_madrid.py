"""The example of Storm over Madrid: two turns by two keys come to their end, and verify."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.cli.desk import Desk, fixed_chance, lay_keys

EXAMPLE = Path(__file__).parents[2] / "examples" / "madrid"


def test_two_turns_by_two_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one process, and with dice that are the same in every run."""
    run = runpy.run_path(str(EXAMPLE / "run.py"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    class Player(run["Desk"]):  # type: ignore[misc]
        def pbem(self, *words: str, show: bool = False) -> str:
            if words[0] == "keygen":
                lay_keys(self.folder)
                return ""
            monkeypatch.setenv("XDG_CONFIG_HOME", self.environment["XDG_CONFIG_HOME"])
            done = Desk(self.folder).pbem(*words)
            if done.code:
                raise run["Refused"](done.err)
            if show:
                print(f"$ pbem {' '.join(words)}\n{done.out}")
            return done.out

    desks: dict[str, Any] = {name: Player(tmp_path, name) for name in ("ana", "beto")}
    with fixed_chance():
        run["play"](desks)
    told = capsys.readouterr().out
    assert "led by I Bandera" in told and "The Nationalists take" in told
    assert "Turn 3, 28 October to 1 November 1936" in told and "signed by its author" in told
    assert "draw 3 chits" in told and "goes back into the Nationalist cup, face down" in told
    assert told.count("has revealed what they kept hidden; it matches") == 2
    left = [order for desk in desks.values() for order in desk.plan]
    assert left == [], "every impulse of the plans was tried"
