"""Fog on the Ridge at two desks: every command by two keys, and all that a person was shown.

The game is registered for the time of a test, with its data and schemas beside those of the games
that pbem has.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.gamedata import where
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.format import read
from pbem.games import GAMES, GamePackage
from tests.cli.conftest import at_home
from tests.cli.desk import Desk, Result, fixed_chance, lay_keys
from tests.facedown.here import HERE, NAME, system, table

TAG = re.compile(r"\b(?:[ns]|ambush_[ns])[/.][0-9]+[/.][0-9]+\b")
"""What names a counter face down, or a line of a list, in a file."""
BLOCK = "-----BEGIN"
"""The entries of a mail, as a block to paste: they are for programs."""


@contextmanager
def registered(folder: Path) -> Iterator[None]:
    """The game among the others, as pbem/games/README.md wants it."""
    with pytest.MonkeyPatch.context() as patch:
        if "fog" not in GAMES:
            system()
            home = Path(where.home())
            for name in ("data", "schemas"):
                shipped = folder / "_shipped" / name
                shipped.mkdir(parents=True)
                for each in (home / name).iterdir():
                    (shipped / each.name).symlink_to(each)
                (shipped / "fog").symlink_to(HERE / name)
            patch.setattr(where, "SHIPPED", str(folder / "_shipped"))
            patch.setitem(GAMES, "fog", GamePackage(NAME))  # type: ignore[arg-type]
        yield


class Shown(NamedTuple):
    """What a command showed to a person at a desk; the counters in `known` had been shown to both
    by then.
    """

    side: str
    words: tuple[str, ...]
    text: str
    known: frozenset[str]

    @property
    def is_public(self) -> bool:
        """Whether it is made for everybody: nothing in it may be from the owner's view."""
        return "--key" not in self.words


class Seat(Desk):
    """A player at a machine of their own; remembers all that they were shown."""

    def __init__(self, folder: Path, side: str) -> None:
        if not folder.exists():
            folder.mkdir()
            lay_keys(folder)
        super().__init__(folder)
        self.side, self.key = side, "ana.key" if side == "north" else "beto.key"
        self.shown: list[Shown] = []
        self.known: frozenset[str] = frozenset()

    def pbem(self, *words: str | Path, stdin: str = "") -> Result:
        with pytest.MonkeyPatch.context() as patch:
            at_home(self.folder, patch)
            found = super().pbem(*words, stdin=stdin)
        self._note(words, found.out, found.err)
        return found

    def _note(self, words: tuple[str | Path, ...], *texts: str) -> None:
        self.known |= self._opened("game.json") | self._opened("next.json")
        told = tuple(map(str, words))
        self.shown += [Shown(self.side, told, each, self.known) for each in texts if each]

    def _opened(self, name: str) -> frozenset[str]:
        """The cards that were opened in a file."""
        path = self.folder / name
        if not path.exists():
            return frozenset()
        steps = (step for entry in read(path.read_bytes()) for step in entry.steps)
        return frozenset(step["card"] for step in steps if step["do"] == "open")

    def fold(self) -> Fold:
        """The game as its file has it."""
        return replay(read((self.folder / "game.json").read_bytes()), table)

    def own(self, *words: str | Path) -> str:
        """What a command tells the owner of the key; it must go well."""
        return self.done(*words, "--key", self.key)

    def file(self, name: str, *words: str) -> str:
        """What a command writes into a file for people."""
        self.done(*words)
        text = (self.folder / name).read_text()
        (self.folder / name).unlink()
        self._note(words, text)
        return text

    def writes(self, to: Seat, *orders: str, bot: bool = False) -> str:
        """The next entry with these orders, sent by mail; what the other is told when it comes."""
        with fixed_chance():
            given = (self.orders(*orders),) if orders else ()
            if given:
                self.own("check", "game.json", *given)
            self.own("apply", "game.json", *given, *(["--bot"] if bot else []), "-o", "next.json")
        return self.sends(to)

    def sends(self, to: Seat) -> str:
        """Sends the file that was written; both go on with it."""
        shutil.move(self.folder / "next.json", self.folder / "game.json")
        name = f"{self.side}-{len(list(self.folder.glob('*.eml')))}.eml"
        self.done("mail", "game.json", "-o", name)
        letter = (self.folder / name).read_text()
        self._note(("mail",), letter.partition(BLOCK)[0])
        shutil.copy(self.folder / name, to.folder)
        return to.done("read", name, "-o", "game.json")


def begun(folder: Path, *options: str) -> tuple[Seat, Seat]:
    """A game by mail up to the first question: North sets up."""
    north, south = Seat(folder / "north", "north"), Seat(folder / "south", "south")
    with fixed_chance():
        north.own("new", "fog", "fog", "--side", "north", "--opponent", "beto.key.pub", *options,
                  "-o", "next.json")  # fmt: skip
    north.sends(south)
    south.writes(north)
    north.writes(south)
    south.writes(north)
    return north, south


UP = {
    "north": "place: {units: {N-F1: 0101, N-F2: 0101, N-G: 0201, N-S: 0201}}",
    "south": "place: {units: {S-F1: 0503, S-F2: 0303, S-G: 0304, S-S: 0404}}",
}


def placed(folder: Path) -> tuple[Seat, Seat]:
    """Both have set up and lie in wait; North marches."""
    north, south = begun(folder)
    north.writes(south, UP["north"])
    south.writes(north, UP["south"])
    north.writes(south, "ambush: {at: [0302, 0303]}")
    south.writes(north, "ambush: {at: [0203, 0102]}")
    return north, south
