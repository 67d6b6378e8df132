"""A page of an example is played as it stands there: the commands as they are typed, the files that
players write, and each message carried to the other player.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import at_home
from tests.cli.desk import Desk, Result, fixed_chance

BLOCK = re.compile(r"^```(yaml|text)?\n(.*?)^```$", re.M | re.S)
UNATTENDED = {"keygen": "--no-passphrase", "turn": "--yes"}
"""What is typed in a terminal, and said by a word where there is none."""


class Page:
    """The folders of two players, and what they have typed so far."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch, dice: bytes = b"0") -> None:
        self._patch, self._dice = patch, dice
        self.desks: dict[str, Desk] = {}
        for name in ("ana", "beto"):
            (root / name).mkdir()
            self.desks[name] = Desk(root / name)
        self.mails = 0
        self.told: list[tuple[str, str]] = []
        """What each command has printed."""

    def play(self, text: str) -> None:
        """Types every command of a page, in its order."""
        for kind, block in BLOCK.findall(text):
            if kind:
                player, _, name = block.split("\n")[0].removeprefix("# ").partition("/")
                if player in self.desks:
                    self.desks[player].write(name, block)
                continue
            for line in block.splitlines():
                player, prompt, words = line.partition("$ pbem ")
                if prompt:
                    self.typed(player, words.partition("   #")[0].split())

    def typed(self, player: str, words: list[str]) -> Result:
        """A command in a player's folder, at whose end a new message is in the other's."""
        desk = at_home(self.desks[player].folder, self._patch)
        (other,) = (each for each in self.desks.values() if each.folder != desk.folder)
        more = UNATTENDED.get(words[0])
        with fixed_chance(self._dice if words[0] == "new" else player[:1].encode()):
            result = desk.pbem(*words, *([more] if more else []))
        assert result.code == 0, (words, result)
        self.told.append((f"{player}$ pbem {' '.join(words)}", result.out))
        if words[0] == "keygen" and player == "beto":
            shutil.copy(desk.folder / "beto.key.pub", other.folder)
        sent = re.findall(r"^written: (\S+\.eml)$", result.out, re.M)
        if sent:
            (other.folder / "reply.eml").unlink(missing_ok=True)
            shutil.copy(desk.folder / sent[-1], other.folder / "reply.eml")
            self.mails += 1
        return result
