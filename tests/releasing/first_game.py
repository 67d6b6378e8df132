"""The first game as the README tells it: each line is typed as it stands there, and the mails are
carried from one folder to the other. Behind the lines of the README, pbem chooses the orders.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

HEADING = "## From nothing to the first mail\n"
BLOCK = re.compile(r"^```\n(.*?)^```$", re.M | re.S)
MAIL = re.compile(r"^written: (\S+\.eml)$", re.M)
UNATTENDED = {"turn": "--yes"}
"""What is typed in a terminal, and said by a word where there is none."""


LOOKED = ("pbem verify", "pbem status", "pbem log", "pbem summary", "pbem show --html board.html")
"""With what a player looks at the game when it is left."""


class Seat(Protocol):
    """Where a player sits: a home folder, and a way to type words behind `pbem` in a folder."""

    @property
    def home(self) -> Path: ...

    def typed(self, words: Sequence[str], folder: Path) -> str:
        """What the command prints; it must go well."""


def blocks(readme: str) -> list[list[str]]:
    """What is to be pasted, each time as a whole: the lines of each block of the section."""
    section = readme.partition(HEADING)[2].partition("\n## ")[0]
    return [block.splitlines() for block in BLOCK.findall(section)]


def lines(readme: str) -> list[str]:
    """All lines that are to be pasted, in their order."""
    return [line for block in blocks(readme) for line in block]


def installing(readme: str) -> list[str]:
    """Those of them that install pbem: on Windows, and elsewhere."""
    found = lines(readme)
    return found[: found.index("mkdir games")]


def play(readme: str, ana: Seat, beto: Seat, mails: int) -> list[tuple[str, str]]:
    """Plays until so many mails are written; returns what was typed, with what came of it."""
    typed = lines(readme)[len(installing(readme)) :]
    propose = next(at for at, line in enumerate(typed) if line.startswith("pbem new "))
    *proposal, answer = typed[propose:]
    table = _Table()
    for line in typed[:propose]:  # which each player pastes
        table.paste(line, ana)
        table.paste(_for_beto(line), beto)
    for one, name, other in ((ana, "ana", beto), (beto, "beto", ana)):
        shutil.copy(table.where[one] / f"{name}.key.pub", table.where[other])
    for line in proposal:
        table.paste(line, ana)
    table.carried(ana, beto)
    table.paste(answer, beto)
    one, other = beto, ana
    for _ in range(mails - 2):
        table.carried(one, other)
        one, other = other, one
        table.paste("pbem turn reply.eml", one)
        while table.has_pen(one):
            table.paste("pbem apply --bot", one)
            table.written.pop(one, None)
        if one not in table.written:
            table.paste("pbem mail", one)
    table.carried(one, other)
    for line in ("pbem turn reply.eml", *LOOKED):
        table.paste(line, other)
    return table.told


def _for_beto(line: str) -> str:
    """What an opponent pastes, who has another name."""
    return line.replace("ana", "beto").replace("Ana", "Beto")


class _Table:
    """The folders where both are, and the mails that are on their way."""

    def __init__(self) -> None:
        self.where: dict[Seat, Path] = {}
        self.written: dict[Seat, str] = {}
        self.told: list[tuple[str, str]] = []

    def paste(self, line: str, seat: Seat) -> None:
        """A line in a terminal, which begins in the home folder."""
        here = self.where.setdefault(seat, seat.home)
        program, *words = line.split()
        if program == "mkdir":
            (here / words[0]).mkdir()
        elif program == "cd":
            self.where[seat] = here / words[0]
        else:
            assert program == "pbem", f"nobody was told what this is: {line}"
            more = UNATTENDED.get(words[0])
            said = seat.typed([*words, *([more] if more else [])], here)
            self.told.append((line, said))
            sent = MAIL.findall(said)
            if sent:
                self.written[seat] = sent[-1]

    def has_pen(self, seat: Seat) -> bool:
        """Whether it is this player who writes next."""
        status = json.loads(seat.typed(["status", "--json"], self.where[seat]))
        return bool(status["pen"] == status["you"]["player"])

    def carried(self, one: Seat, other: Seat) -> None:
        """The mail that one has written comes to the other, who saves it."""
        mail = self.where[one] / self.written.pop(one)
        reply = self.where[other] / "reply.eml"
        reply.unlink(missing_ok=True)
        shutil.copy(mail, reply)
