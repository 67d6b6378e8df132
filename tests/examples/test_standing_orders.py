"""The example of standing orders begins; its three turns are for those who want the figures."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "examples" / "standing-orders" / "run.py"


def test_the_example_counts_its_mails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = importlib.util.spec_from_file_location("standing_orders", SCRIPT)
    assert spec and spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    monkeypatch.setenv("XDG_CONFIG_HOME", "kept as it was")
    monkeypatch.chdir(os.getcwd())
    example.main(turns=0)
    assert capsys.readouterr().out.endswith("before the first turn: 3 mails, 0 attacks\n")
