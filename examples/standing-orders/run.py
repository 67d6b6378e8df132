"""Two simple players, three turns of a Campaign, by commands alone: how many mails it takes."""

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
  turn_end: {discard: []}
"""
ADDRESS = "opponent@example.org"
ASKED = re.compile(r"^fill in (?P<orders>\S+), then: pbem turn (?P<game>\S+)", re.M)
MAIL = re.compile(r"^written: (\S+\.eml)$", re.M)
EXAMPLE = re.compile(r"^  # - (.*?)(?:   #.*)?$", re.M)


class Player:
    """A folder with a key, settings and standing orders; and the commands typed there."""

    def __init__(self, root: Path, name: str) -> None:
        self.folder, self.name, self.attacks = root / name, name, 0
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

    def answers(self, mail: str) -> str:
        """The mail that goes back: pbem turn, and again with a whole round where it asks for it."""
        told = self.pbem("turn", mail, "--to", ADDRESS, "--yes")
        while asked := ASKED.search(told):
            self._round(asked["game"], self.folder / asked["orders"])
            told = self.pbem("turn", asked["game"], "--to", ADDRESS, "--yes")
        return str(MAIL.findall(told)[-1])

    def _round(self, game: str, path: Path) -> None:
        """The first order of the form that is legal, and so on as long as more is asked."""
        kept: list[str] = []
        for _ in range(8):
            after = ("--after", path.name) if kept else ()
            form = self.pbem("form", game, *after, may_fail=True)
            choices = sorted(EXAMPLE.findall(form), key=_liked)
            for choice in choices[:6]:
                text = "".join(f"  - {each}\n" for each in (*kept, choice))
                path.write_text(f"orders:\n{text}")
                if self.pbem("check", game, path.name, may_fail=True):
                    kept.append(choice)
                    break
            else:
                break
            if kept[-1].startswith("done"):
                break
        self.attacks += sum(each.startswith("attack") for each in kept)
        path.write_text("orders:" + "".join(f"\n  - {each}" for each in kept or ["[]"]) + "\n")


def _liked(order: str) -> int:
    """Attacks first; then what ends the round soonest."""
    words = ("attack", "activate: {attack", "play: {card: N1,", "done")
    return next((at for at, word in enumerate(words) if order.startswith(word)), len(words))


def main(turns: int = 3) -> None:
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
    mails, combats, mail, writer, other = Counter[int](), Counter[int](), "0.eml", beto, ana
    while True:
        shutil.copy(other.folder / mail, writer.folder)
        mail = writer.answers(mail)
        status = json.loads(writer.pbem("status", "--json"))
        turn = int((re.findall(r"[Tt]urn (\d+)", status.get("heading") or "") or ["0"])[0])
        if turn > turns:
            break
        mails[turn] += 1
        combats[turn], writer.attacks = combats[turn] + writer.attacks, 0
        print(
            f"mail {mails.total()}, {writer.name.capitalize()}: "
            f"{status.get('heading') or 'accepted'}",
            flush=True,
        )
        writer, other = other, writer
    for turn in range(turns + 1):
        what = f"turn {turn}" if turn else "before the first turn"
        print(f"{what}: {mails[turn]} mails, {combats[turn]} attacks")


if __name__ == "__main__":
    main()
