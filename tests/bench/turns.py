"""What `pbem turn` takes as a game grows: a round early and one late in the stored Campaign, from
the mail that came to the one that goes back, in seconds of the processor.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pbem.gamefile.chain import Entry
from pbem.gamefile.format import read, write
from pbem.gamefile.keys import private_file
from pbem.orders.written import orders_text
from pbem.play.snapshot import read_game
from tests.bench.cold import PBEM, Cold, apply_of, read_of, turn_of
from tests.bench.game import Files
from tests.bench.instructions import _attacks, _ordered
from tests.play.by_mail import key_of
from tests.replays import campaign

EARLY, LATE, TIMES = 60, 340, 7


class Turn(NamedTuple):
    """Milliseconds of a turn behind so many entries; `beyond` is what it takes without its reading
    (`pbem read`), of what `apply` of the same orders takes."""

    entries: int
    milliseconds: float
    beyond: float


def measured() -> tuple[Turn, Turn]:
    """A turn early and one late; runs of all commands take turns."""
    with tempfile.TemporaryDirectory() as folder:
        rounds = [_Round(Path(folder), least) for least in (EARLY, LATE)]
        for _ in range(TIMES + 1):
            for each in rounds:
                for command in each.commands():
                    command.run()
        early, late = (each.told() for each in rounds)
        return early, late


class _Round:
    def __init__(self, home: Path, least: int) -> None:
        self.entries, given = _files(home / f"from {least}", least)
        self.apply = apply_of(given, home / f"apply {least}", primed=True)
        self.turn = turn_of(given, home / f"turn {least}")
        self.read = read_of(given, home / f"read {least}")
        self.version = Cold([PBEM, "--version"], {}, None)

    def commands(self) -> tuple[Cold, ...]:
        return self.apply, self.turn, self.read, self.version

    def told(self) -> Turn:
        apply, turn, reads, version = (each.cpu_milliseconds for each in self.commands())
        return Turn(self.entries, turn, (turn - (reads - version)) / apply)


def _files(home: Path, least: int) -> tuple[int, Files]:
    """A round with an attack behind at least so many entries, whose author wrote the mail before
    last; and that number."""
    entries = read(campaign.raw_of())
    at = next(each for each in range(least, len(entries)) if _alternates(entries, each))
    home.mkdir()
    names = ("before.pbem.json", "earlier.yaml", "game.pbem.json", "orders.yaml", "key")
    found = Files(*(home / name for name in names))
    name, seed = {"A": "ana", "B": "beto"}[entries[at].by], campaign.facts_of()["seed"]
    found.key.write_bytes(private_file(key_of(f"{name} campaign {seed}")))
    found.key.chmod(0o600)
    found.before.write_bytes(write(entries[: at - 2]))
    found.game.write_bytes(write(entries[:at]))
    found.earlier.write_text("".join(_orders(entries, at - 2)), encoding="utf-8")
    found.orders.write_text("".join(_orders(entries, at)), encoding="utf-8")
    return at, found


def _alternates(entries: tuple[Entry, ...], at: int) -> bool:
    before, between, last = entries[at - 2 : at + 1]
    return _attacks(last) and before.by == last.by != between.by and bool(_ordered(before))


def _orders(entries: tuple[Entry, ...], at: int) -> Iterator[str]:
    table = read_game(write(entries[:at])).table
    assert table is not None
    yield orders_text([table.typed(each) for each in _ordered(entries[at])])
