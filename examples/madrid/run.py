"""Two players, two keys, two folders: the first two turns of Storm over Madrid by mail.

The dice come from both keys, so it is another battle each time: an impulse of the plan that is not
legal any more is left out, and where the plan says nothing the first answer of the form is taken.
Chits lie face down. One that is left when a turn is over goes back into the cup, which is mixed
before the next draw; in the end one player resigns, and both show what they kept hidden.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PBEM = [sys.executable, "-c", "from pbem.cli import main; main()"]
PLANS = Path(__file__).parent
TURNS, MOST_MAILS = 2, 200
ANA, BETO = "ana", "beto"
SIDES = {"A": ANA, "B": BETO}
DRAW, PASS, PUT_BACK = "draw", "pass", "put_back"
ONE_CHIT = r"\[(C[NR]\d+[a-d])\]"


class Refused(Exception):
    """A command said no; the text is what it printed."""


class Desk:
    """A player's folder with their plan, and the commands they type in it."""

    def __init__(self, root: Path, name: str) -> None:
        self.folder, self.key = root / name, f"{name}.key"
        self.folder.mkdir()
        self.name = name
        self.environment = {
            **os.environ, "XDG_CONFIG_HOME": str(root / f"{name}-config"),
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(root / "cache")),
        }  # fmt: skip
        self.plan = list(impulses(PLANS / f"{name}.yaml"))
        self.standing = standing(PLANS / f"{name}.yaml")

    def pbem(self, *words: str, show: bool = False) -> str:
        """Runs a command; it is shown with what it prints where that is wanted."""
        done = subprocess.run(
            [*PBEM, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        if done.returncode:
            raise Refused(done.stderr)
        if show:
            print(f"\n{self.name}$ pbem {' '.join(words)}\n{done.stdout.rstrip()}", flush=True)
        return done.stdout

    def status(self, game: str) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.pbem("status", game, "--key", self.key, "--json"))
        return told

    def answers(self, game: str, reply: str, verbs: list[str]) -> None:
        """The next entry: an impulse of the plan, else what the form says first.

        Standing orders go with each impulse, since those that were opened are spent.
        """
        more = self.standing if PASS in verbs else ""
        for order in self.orders(game, verbs):
            text = f"orders:\n  - {order}\n{more}"
            (self.folder / "orders.yaml").write_text(text, encoding="utf-8")
            try:
                self.pbem("apply", game, "orders.yaml", "--key", self.key, "-o", reply, show=True)
            except Refused:
                continue
            return
        raise SystemExit(f"no order is legal: {verbs}")

    def orders(self, game: str, verbs: list[str]) -> Iterator[str]:
        """What may be tried, the best first: of the plan each order once, turn by turn.

        A turn of the plan begins with a draw of chits; what is left of the one before is dropped.
        """
        while DRAW in verbs and self.plan and verb(self.plan[0]) != DRAW:
            self.plan.pop(0)
        while self.plan and (verb(self.plan[0]) in verbs or PASS in verbs):
            if DRAW not in verbs and verb(self.plan[0]) == DRAW:
                break
            yield self.plan.pop(0)
        if PASS in verbs:
            yield PASS
        form = self.pbem("form", game, "--key", self.key)
        if PUT_BACK in verbs:
            yield f"{PUT_BACK}: {{chits: [{re.findall(ONE_CHIT, form)[-1]}]}}"
        for line in form.splitlines():
            if line.startswith(("  # - ", "  - ")) and "..." not in line:
                yield line.lstrip(" #-").partition("   # ")[0]


def verb(order: str) -> str:
    return order.partition(":")[0]


def standing(path: Path) -> str:
    """The standing orders of a file, as they stand there."""
    _, head, text = path.read_text(encoding="utf-8").partition("standing:\n")
    return head + text


def impulses(path: Path) -> Iterator[str]:
    """The orders of a file, each in a line."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  - "):
            yield line.removeprefix("  - ").partition("   # ")[0].rstrip()


def main() -> None:
    root = Path(tempfile.mkdtemp(prefix="pbem-madrid-"))
    try:
        play({ANA: Desk(root, ANA), BETO: Desk(root, BETO)})
    finally:
        shutil.rmtree(root, ignore_errors=True)


def play(desks: dict[str, Desk]) -> None:
    """Both open a game, play until the second turn is over, and show their cups."""
    ana, beto = desks[ANA], desks[BETO]
    for desk in (ana, beto):
        desk.pbem("keygen", "--out", desk.key, "--name", desk.name.capitalize(), "--no-passphrase")
    shutil.copy(beto.folder / "beto.key.pub", ana.folder)
    ana.pbem("new", "madrid", "scenario_1", "--side", "nationalist", "--key", ana.key,
             "--opponent", "beto.key.pub", "-o", "game-0.pbem.json", show=True)  # fmt: skip
    writer = ana
    for number in range(1, MOST_MAILS):
        game, reply = f"game-{number - 1}.pbem.json", f"game-{number}.pbem.json"
        status = writer.status(game)
        follower = desks[SIDES[status["pen"]]]
        if follower is not writer:
            shutil.copy(writer.folder / game, follower.folder / game)
            writer, status = follower, follower.status(game)
        if status.get("position", {}).get("turn", 0) > TURNS:
            break
        you = status["you"]
        if you["orders_wanted"]:
            writer.answers(game, reply, you["asked"]["verbs"])
        else:
            writer.pbem("apply", game, "--key", writer.key, "-o", reply, show=True)
    writer.pbem("verify", game, show=True)
    writer.pbem("show", game, "--key", writer.key, show=True)
    writer.pbem("resign", game, "--yes", "--key", writer.key, "-o", "over-0.json", show=True)
    other = beto if writer is ana else ana
    for number, (desk, last) in enumerate(((other, writer), (writer, other)), 1):
        game, reply = f"over-{number - 1}.json", f"over-{number}.json"
        shutil.copy(last.folder / game, desk.folder / game)
        desk.pbem("audit", game, "--key", desk.key, "-o", reply, show=True)
    writer.pbem("audit", reply, show=True)


if __name__ == "__main__":
    main()
