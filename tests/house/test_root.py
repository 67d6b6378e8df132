"""The top of the tree holds what the project says, and nothing that a command left there."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOP = {
    ".ci", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md",
    "data", "examples", "pbem", "pyproject.toml", "schemas", "tests",
}  # fmt: skip


def test_nothing_else_is_at_the_top() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("a copy without its history")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert {name.split("/")[0] for name in listed.stdout.split("\0") if name} == TOP
