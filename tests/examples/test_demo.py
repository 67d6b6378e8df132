"""The demonstration (make demo) runs to its end, and no order of the book is refused."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pbem.cli import reply
from tests.cli.conftest import at_home
from tests.cli.desk import Desk

DEMO = Path(__file__).parents[2] / "examples" / "demo"
MAILS = 3
"""So many files of the example are enough; the demonstration plays eleven."""


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """Its two programs, as modules."""
    monkeypatch.syspath_prepend(str(DEMO))
    for name in ("run", "same_dice"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    run: Any = __import__("run")
    same_dice: ModuleType = __import__("same_dice")
    for name in ("run", "same_dice"):
        monkeypatch.delitem(sys.modules, name)
    return run, same_dice


def test_the_demonstration_runs(
    demo: tuple[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    run, same_dice = demo

    def pbem(self: Any, player: str, *words: str, show: bool = True) -> str:
        """The command in this process: a process for each takes seconds."""
        same_dice.CALLED = [run.SEED, player, words[0]]
        result = Desk(self.root / player).pbem(*words)
        if result.code:
            raise run.Failed(result.err)
        if show:
            run.tell(player, words, result.out)
        return result.out

    at_home(tmp_path, monkeypatch)
    monkeypatch.setattr(run.Players, "pbem", pbem)
    monkeypatch.setattr("secrets.token_bytes", same_dice.numbers)
    ours = SimpleNamespace(**{**vars(os), "urandom": same_dice.numbers})
    monkeypatch.setattr(reply, "os", ours)
    files = {player: [path for path in paths if int(path.name[:2]) <= MAILS]
             for player, paths in run.FILES.items()}  # fmt: skip
    monkeypatch.setattr(run, "FILES", files)
    run.play(run.Players(tmp_path))
    told = capsys.readouterr().out
    assert "another way than the book" not in told
    assert "every one signed by its author, none missing, none changed" in told
    assert "One die by hand: " in told and "its first byte is 0x" in told
