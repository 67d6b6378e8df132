"""Two players, two keys, two folders: the first turn of chapter 24 by mail, and a die by hand."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ORDERS = Path(__file__).parents[1] / "chapter24"
PBEM = [sys.executable, str(Path(__file__).with_name("same_dice.py"))]
SEED = "9"
"""With the dice of this one the first orders of the example can all be carried out."""
ANA, BETO = "ana", "beto"
MAILS = 11
"""How many files of the example are played."""
FILES = {
    player: sorted(path for path in ORDERS.glob(f"*-{side}.yaml") if int(path.name[:2]) <= MAILS)
    for player, side in ((ANA, "nationalist"), (BETO, "republican"))
}


class Failed(Exception):
    """A command said no; the text is what it printed."""


class Players:
    """Both players at work, each in a folder of their own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = {
            **{key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
            "XDG_CONFIG_HOME": str(root / "config"),
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(root / "cache")),
        }
        for player in (ANA, BETO):
            (root / player).mkdir()

    def pbem(self, player: str, *words: str, show: bool = True) -> str:
        """Runs a command in a player's folder; what it prints is shown unless told otherwise."""
        done = subprocess.run(
            [*PBEM, SEED, player, *words], cwd=self.root / player, env=self.environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        told = done.stderr if done.returncode else done.stdout
        if show:
            tell(player, words, told)
        if done.returncode:
            raise Failed(told)
        return told

    def send(self, player: str, name: str) -> None:
        other = BETO if player == ANA else ANA
        shutil.copy(self.root / player / name, self.root / other / name)


def tell(player: str, words: tuple[str, ...], told: str) -> None:
    """Shows a command and what it printed."""
    print(f"\n{player}$ pbem {' '.join(words)}\n{told.rstrip()}", flush=True)


def main() -> None:
    root = Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    try:
        play(Players(root))
        print(HOW_TO_CALL)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def play(players: Players) -> None:
    begin(players)
    game, player, number = "game-2.pbem.json", ANA, 3
    waiting = {player: list(paths) for player, paths in FILES.items()}
    while any(waiting.values()):
        reply = f"game-{number}.pbem.json"
        told = answer(players, player, game, reply, waiting[player])
        game, number = reply, number + 1
        follower = ANA if "to write: Nationalist" in told else BETO
        if follower != player:
            players.send(player, reply)
        player = follower
    prove(players, game, player)


def begin(players: Players) -> None:
    """Two keys, and the mails that begin a game: none is needed to deal, the hands are given."""
    for player in (ANA, BETO):
        players.pbem(player, "keygen", "--out", f"{player}.key", "--name",
                     player.capitalize(), "--no-passphrase")  # fmt: skip
    shutil.copy(players.root / BETO / "beto.key.pub", players.root / ANA)
    players.pbem(
        ANA, "new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
        "--opponent", "beto.key.pub", "--option", "example_hands", "-o", "game-0.pbem.json",
    )  # fmt: skip
    for number, player in enumerate((BETO, ANA)):
        players.send(ANA if player == BETO else BETO, f"game-{number}.pbem.json")
        reply = f"game-{number + 1}.pbem.json"
        players.pbem(
            player, "apply", f"game-{number}.pbem.json", "--key", f"{player}.key", "-o", reply
        )
    players.send(ANA, "game-2.pbem.json")


def answer(players: Players, player: str, game: str, reply: str, waiting: list[Path]) -> str:
    """One mail: the next orders of the example, or what is owed when none are asked for."""
    key = f"{player}.key"
    status = json.loads(players.pbem(player, "status", game, "--key", key, "--json", show=False))
    you = status["you"]
    if not you["orders_wanted"]:
        return players.pbem(player, "apply", game, "--key", key, "-o", reply)
    if waiting and begins_with(you["asked"]["verbs"], waiting[0]):
        return give(players, player, game, reply, waiting.pop(0).read_text(encoding="utf-8"))
    # Something the example did not need: the first answer that the form has in its comments.
    form = players.pbem(player, "form", game, "--key", key, show=False)
    return give(players, player, game, reply, f"orders:\n{proposed(form)}")


def begins_with(verbs: list[str], path: Path) -> bool:
    """Whether the orders of a file begin with, or contain, what is asked now."""
    text = path.read_text(encoding="utf-8")
    return any(f"- {verb}" in text for verb in verbs if verb != "done")


def give(players: Players, player: str, game: str, reply: str, text: str) -> str:
    """Applies the orders; what the dice made impossible is shown as it is told, once, and mended.

    Where the first answer is the trouble, the first one of the form takes its place; other orders
    are left out.
    """
    key, by_the_book = f"{player}.key", True
    words = ("apply", game, "orders.yaml", "--key", key, "-o", reply)
    while True:
        (players.root / player / "orders.yaml").write_text(text, encoding="utf-8")
        try:
            told = players.pbem(player, *words, show=by_the_book)
            break
        except Failed as failed:
            if by_the_book:
                print(f"({player} goes another way than the book)")
            by_the_book = False
            form = players.pbem(player, "form", game, "--key", key, show=False)
            text = without_wrong(text, failed, proposed(form))
    if not by_the_book:
        tell(player, words, told)
    return told


def proposed(form: str) -> str:
    """The first order in the comments of a form, as its line would stand in the file."""
    lines = form.splitlines(keepends=True)
    return next(line.replace("# ", "", 1) for line in lines if line.startswith("  # - "))


def without_wrong(text: str, failed: Failed, instead: str) -> str:
    """The orders without those that have problems; a wrong first one is replaced."""
    wrong = {int(line) for line in re.findall(r"^orders\.yaml:(\d+):", str(failed), re.M)}
    items = split(text)
    first = next(index for index, (lines, _) in enumerate(items) if lines)
    kept = []
    for index, (lines, item) in enumerate(items):
        if not wrong & set(lines):
            kept.append(item)
        elif index == first and item != instead:
            kept.append(instead)
    if len(kept) == len(items) and "".join(kept) == text:
        raise failed
    return "".join(kept)


def split(text: str) -> list[tuple[range, str]]:
    """The file in parts: what stands before the orders, each order, what stands behind them."""
    parts: list[list[str]] = [[]]
    starts = [1]
    in_orders = False
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        begins = in_orders and line.startswith("  - ")
        if begins or (in_orders and not line.startswith(" ")):
            parts.append([])
            starts.append(number)
        in_orders = line.startswith("orders:") or (in_orders and line.startswith(" "))
        parts[-1].append(line)
    return [
        (range(start, start + len(part)) if "- " in part[0][:4] else range(0), "".join(part))
        for start, part in zip(starts, parts, strict=True)
    ]


def prove(players: Players, game: str, player: str) -> None:
    """The whole file verified, and one die recomputed without pbem."""
    players.pbem(player, "verify", game)
    rolls = json.loads(players.pbem(player, "dice", game, "--json", show=False))["rolls"]
    roll = next(roll for roll in rolls if roll["faces"])
    word = roll["words"][0]
    print(f"\nOne die by hand: {roll['purpose']} ({roll['label']}) showed {roll['face']}.")
    print(f"$ {word['command']}")
    if shutil.which("openssl") is None:
        print(f"(openssl is not here; the line above prints {word['block']})")
        return
    done = subprocess.run(word["command"], shell=True, capture_output=True, text=True, check=True)
    block = done.stdout.split()[-1]
    assert block == word["block"], "the die is not what the file says"
    first = int(block[:2], 16)
    print(block)
    print(f"its first byte is 0x{block[:2]} = {first}, and 1 + {first} mod 6 = {1 + first % 6}")


HOW_TO_CALL = """
Now you: . .venv/bin/activate (once in a terminal), then pbem --help; or .venv/bin/pbem --help."""


if __name__ == "__main__":
    main()
