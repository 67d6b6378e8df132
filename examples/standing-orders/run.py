"""Two simple players, three turns of a Campaign, by commands alone: how many mails it takes.

The first turn is quiet, in each of the others they fight six combats where they can.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from pbem.cli.group import run

STANDING = """\
standing:
  combat_card: none
  losses: [MIL, POL]
  cancel_retreat: never
  own: {losses: [MIL, POL], advance: never}
  turn_end: {discard: []}
"""
COMBATS = (0, 6, 6)
"""How many combats are fought in each turn, half of them by each side."""
ADDRESS = "opponent@example.org"
ASKED = re.compile(r"^fill in (?P<orders>\S+), then: pbem turn (?P<game>\S+)", re.M)
MAIL = re.compile(r"^written: (\S+\.eml)$", re.M)
FORCED = re.compile(r"^  - (.*?)(?:   #.*)?$", re.M)
"""What a form has already filled in."""
EXAMPLE = re.compile(r"^  # - (.*?)(?:   #.*)?$", re.M)


class Player:
    """A folder with a key, settings and standing orders; and the commands typed there."""

    def __init__(self, root: Path, name: str) -> None:
        self.folder, self.name = root / name, name
        self.attacks, self.turn, self.wanted = 0, 0, 0
        self.folder.mkdir()
        self.records = str(root / f"{name}-config")
        self.pbem("keygen", "--out", "my.key", "--name", name, "--no-passphrase")
        self.pbem("init", "--key", "my.key")
        (self.folder / "standing.yaml").write_text(STANDING)

    def pbem(self, *words: str, may_fail: bool = False) -> str:
        """What a command prints; nothing where it refuses and may."""
        out, err, code = io.StringIO(), io.StringIO(), 0
        os.chdir(self.folder)
        os.environ["XDG_CONFIG_HOME"] = self.records
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                run(list(words))
            except SystemExit as left:
                code = int(left.code or 0)
        if code and not may_fail:
            raise SystemExit(f"{self.name}: pbem {' '.join(words)}\n{err.getvalue()}")
        return "" if code else out.getvalue()

    def begins(self, turn: int) -> None:
        """Half of the combats of a turn are wanted from each."""
        if turn != self.turn:
            self.turn, self.wanted = turn, COMBATS[min(turn, len(COMBATS)) - 1] // 2

    def answers(self, mail: str) -> str:
        """The mail that goes back: pbem turn, and again with a whole round where it asks for it."""
        told = self.pbem("turn", mail, "--to", ADDRESS, "--yes")
        while asked := ASKED.search(told):
            self._round(asked["game"], self.folder / asked["orders"])
            told = self.pbem("turn", asked["game"], "--to", ADDRESS, "--yes")
        return str(MAIL.findall(told)[-1])

    def _round(self, game: str, path: Path) -> None:
        """A quiet round; or, in a turn with combats, a card, and an attack if one is wanted."""
        kept: list[str] = []
        for _ in range(8):
            first = "play: {card: none}" if not kept else "activate: {}"
            after = ("--after", path.name) if kept else ()
            wanted = ("attack", "activate: {attack") if kept and self.wanted > 0 else ()
            plays_a_card = not kept and COMBATS[min(self.turn, len(COMBATS)) - 1] > 0
            if wanted or plays_a_card or not self._is_legal(game, path, [*kept, first]):
                form = self.pbem("form", game, *after, may_fail=True)
                forced = [each for each in FORCED.findall(form) if "..." not in each]
                if not kept and forced and self._is_legal(game, path, forced):
                    kept += forced
                    continue
                offered = sorted(EXAMPLE.findall(form), key=lambda each: _rank(each, wanted))
                choices = [*offered[:6], first]
            else:
                choices = [first]
            for choice in choices:
                if self._is_legal(game, path, [*kept, choice]):
                    kept.append(choice)
                    break
            else:
                break
            if kept[-1].startswith(("done", "attack", "activate: {}")):
                break
        fought = sum(each.startswith("attack") for each in kept)
        self.attacks, self.wanted = self.attacks + fought, self.wanted - fought
        path.write_text("orders:" + "".join(f"\n  - {each}" for each in kept) + "\n")

    def _is_legal(self, game: str, path: Path, orders: list[str]) -> bool:
        path.write_text("orders:\n" + "".join(f"  - {each}\n" for each in orders))
        return bool(self.pbem("check", game, path.name, may_fail=True))


def _rank(order: str, wanted: tuple[str, ...]) -> int:
    """What is wanted first; then what ends the round soonest."""
    words = (*wanted, "done", "play: {card: N1,", "play: {card: N", "play: {card: R", "play")
    return next((at for at, word in enumerate(words) if order.startswith(word)), len(words))


def main(turns: int = len(COMBATS)) -> None:
    root = Path(tempfile.mkdtemp(prefix="pbem-standing-"))
    try:
        play(Player(root, "ana"), Player(root, "beto"), turns)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def play(ana: Player, beto: Player, turns: int) -> None:
    shutil.copy(beto.folder / "my.key.pub", ana.folder / "beto.pub")
    ana.pbem("new", "crusade", "campaign", "--side", "nationalist", "--opponent", "beto.pub",
             "-o", "0.pbem.json")  # fmt: skip
    ana.pbem("mail", "0.pbem.json", "--to", ADDRESS, "-o", "0.eml")
    mails, combats = Counter[int](), Counter[int]()
    mail, writer, other, turn = "0.eml", beto, ana, 0
    while True:
        shutil.copy(other.folder / mail, writer.folder)
        writer.begins(turn or 1)
        mail = writer.answers(mail)
        status = json.loads(writer.pbem("status", "--json"))
        heading = status.get("heading") or "accepted"
        if writer is ana and " round " in heading:  # a turn begins with their first round
            turn = int(re.findall(r"[Tt]urn (\d+)", heading)[0])
        if turn > turns:
            break
        mails[turn] += 1
        combats[turn], writer.attacks = combats[turn] + writer.attacks, 0
        print(f"mail {mails.total()}, {writer.name.capitalize()}: {heading}", flush=True)
        writer, other = other, writer
    for turn in range(turns + 1):
        what = f"turn {turn}" if turn else "before the first turn"
        print(f"{what}: {mails[turn]} mails, {combats[turn]} attacks")


if __name__ == "__main__":
    main()
