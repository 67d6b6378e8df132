"""The tutorial is played as it stands there: the commands, the files, the five mails."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import at_home
from tests.cli.desk import Desk, fixed_chance

PAGE = Path(__file__).parents[2] / "examples" / "first-game" / "README.md"
README = PAGE.parents[2] / "README.md"
BLOCK = re.compile(r"^```(yaml)?\n(.*?)^```$", re.M | re.S)
UNATTENDED = {"keygen": "--no-passphrase", "turn": "--yes"}
"""What is typed in a terminal, and said by a word where there is none."""
DICE = b"0"
"""With these the militia of Riotinto does not retreat."""


def test_the_tutorial_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desks = {}
    for name in ("ana", "beto"):
        (tmp_path / name).mkdir()
        desks[name] = Desk(tmp_path / name)
    mails = 0
    for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind:
            player, _, name = text.split("\n")[0].removeprefix("# ").partition("/")
            desks[player].write(name, text)
            continue
        for line in text.splitlines():
            player, _, words = line.partition("$ pbem ")
            mails += typed(desks, player, words.split(), monkeypatch)
    assert mails == 4  # the fifth is Ana's to write
    the_summary_stands_in_the_readme(at_home(desks["ana"].folder, monkeypatch).done("summary"))


def the_summary_stands_in_the_readme(told: str) -> None:
    """The part of the turn's page that tells what happened; PBEM_GOLDEN=write puts it there."""
    shown = f"```\n{told[told.index('Ground') : told.index('Situation')].rstrip()}\n```\n"
    text = README.read_text(encoding="utf-8")
    before, found, behind = re.split(r"(```\nGround\n.*?^```\n)", text, flags=re.M | re.S)
    if os.environ.get("PBEM_GOLDEN") == "write":
        README.write_text(before + shown + behind, encoding="utf-8")
        found = shown
    assert found == shown


def typed(desks: dict[str, Desk], player: str, words: list[str], patch: pytest.MonkeyPatch) -> int:
    """A command in a player's folder, at whose end a new message is in the other's."""
    desk = at_home(desks[player].folder, patch)
    (other,) = (each for each in desks.values() if each.folder != desk.folder)
    more = UNATTENDED.get(words[0])
    with fixed_chance(DICE if words[0] == "new" else player[:1].encode()):
        result = desk.pbem(*words, *([more] if more else []))
    assert result.code == 0, (words, result)
    if words[0] == "keygen" and player == "beto":
        shutil.copy(desk.folder / "beto.key.pub", other.folder)
    sent = re.findall(r"^written: (\S+\.eml)$", result.out, re.M)
    if sent:
        (other.folder / "reply.eml").unlink(missing_ok=True)
        shutil.copy(desk.folder / sent[-1], other.folder / "reply.eml")
    return len(sent)
