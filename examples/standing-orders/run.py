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
EXAMPLE = re.compile(r"^  # - (.*?)(?:   #.*)?$", re.M)


class Player:
    """A folder with a key, settings and standing orders; and the commands typed there."""

    def __init__(self, root: Path, name: str) -> None:
        self.folder, self.name = root / name, name
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

    def answers(self, game: str, reply: str) -> str:
        """One mail: orders for a whole round where some are asked for, else what is owed."""
        you = json.loads(self.pbem("status", game, "--json"))["you"]
        orders = self._round(game) if you["orders_wanted"] else ()
        return self.pbem("apply", game, *orders, "-o", reply)

    def _round(self, game: str) -> tuple[str, ...]:
        """The first order of the form that is legal, and so on as long as more is asked."""
        path = self.folder / "orders.yaml"
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
        path.write_text("orders:\n" + "".join(f"  - {each}\n" for each in kept))
        return (path.name,) if kept else ()


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
    mails, combats, number, writer = Counter[int](), Counter[int](), 0, beto
    shutil.copy(ana.folder / "0.pbem.json", beto.folder)
    while True:
        other = ana if writer is beto else beto
        reply = f"{number + 1}.pbem.json"
        told = writer.answers(f"{number}.pbem.json", reply)
        number += 1
        status = json.loads(writer.pbem("status", reply, "--json"))
        turn = int((re.findall(r"[Tt]urn (\d+)", status.get("heading") or "") or ["0"])[0])
        if turn > turns:
            break
        mails[turn] += 1
        combats[turn] += told.count(" attack ")
        shutil.copy(writer.folder / reply, other.folder)
        print(
            f"mail {number}, {writer.name.capitalize()}: {status.get('heading') or 'accepted'}",
            flush=True,
        )
        if status["pen"] != {"ana": "A", "beto": "B"}[writer.name]:
            writer = other
    for turn in range(turns + 1):
        what = f"turn {turn}" if turn else "before the first turn"
        print(f"{what}: {mails[turn]} mails, {combats[turn]} attacks")


if __name__ == "__main__":
    main()
