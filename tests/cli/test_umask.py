"""Files are as closed as the player's umask asks: a form names hidden cards."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.desk import Desk

PBEM = Path(__file__).parents[2] / "pbem"
WRITES = (
    ("form", "g4.json", "--key", "beto.key", "-o", "orders.yaml"),
    ("mail", "g4.json", "--to", "b@example.org", "-o", "letter.eml"),
    ("show", "g4.json", "--svg", "board.svg"),
    ("show", "g4.json", "--html", "story.html"),
    ("new", "crusade", "campaign", "--side", "republican", "--key", "ana.key", "--opponent",
     "beto.key.pub", "-o", "next.json"),
    ("keygen", "--out", "new.key", "--name", "New", "--no-passphrase"),
    ("init", "--key", "ana.key"),
    ("solo", "madrid", "campaign", "--seed", "a", "-o", "alone.json"),
)  # fmt: skip


@pytest.fixture
def closed() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


def modes(desk: Desk) -> dict[str, str]:
    return {
        each.name: format(stat.S_IMODE(each.stat().st_mode), "03o")
        for each in desk.folder.iterdir()
        if each.is_file()
    }


def test_new_files_honour_the_umask(desk: Desk, closed: None) -> None:
    before = modes(desk)
    for words in WRITES:
        result = desk.pbem(*words)
        assert result.code == 0, result
    new = {name: mode for name, mode in modes(desk).items() if name not in before}
    assert len(new) >= len(WRITES)
    assert set(new.values()) == {"600"}, new


def test_a_draft_that_was_closed_stays_closed(desk: Desk) -> None:
    from pbem.cli import files

    draft = desk.folder / "draft.yaml"
    draft.write_text("orders: []\n")
    draft.chmod(0o600)
    files.replace_known(draft, b"orders: []\n", b"orders:\n  - done\n")
    assert modes(desk)["draft.yaml"] == "600"


def test_nothing_sets_a_mode_behind_the_back_of_the_umask() -> None:
    found = [
        str(each.relative_to(PBEM))
        for each in PBEM.rglob("*.py")
        if re.search(r"\bf?chmod\(|\bos\.umask\(", each.read_text(encoding="utf-8"))
    ]
    assert found == []
