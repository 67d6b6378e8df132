"""How many instructions a command takes, counted by valgrind: the same on every run.

Times on a busy machine differ by a tenth from run to run; these figures do not. They are kept in
instructions.json and compared: more than `TOLERANCE` above or below is told. They hold for one
version of Python on one kind of processor; elsewhere they are only printed.

    python -m tests.bench.instructions           # count, compare
    python -m tests.bench.instructions --write   # count, keep
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pbem.gamefile.chain import Entry
from pbem.gamefile.format import read, write
from pbem.gamefile.keys import private_file
from pbem.orders.written import orders_text
from pbem.play.snapshot import read_game
from tests.play.by_mail import key_of
from tests.replays import campaign

KEPT = Path(__file__).with_suffix(".json")
TOLERANCE = 0.05
CUT = 60
"""How many entries of the stored Campaign are given, or a few more: an attack comes next."""
PBEM = str(Path(sys.executable).with_name("pbem"))
COUNTED = re.compile(r"I +refs: +([0-9,]+)")


def machine() -> str:
    """What the counts hold for."""
    return f"{platform.python_implementation()} {platform.python_version()} {platform.machine()}"


def is_there() -> bool:
    return shutil.which("valgrind") is not None


def counted() -> Iterator[tuple[str, int]]:
    """Each command with the instructions of one run, all caches warm."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        environment = environment_of(home)
        for name, words, before in commands(home, CUT):
            for count in (False, True):
                before()
                found = _run(words, environment, count=count)
            yield name, found


def environment_of(home: Path) -> dict[str, str]:
    """The variables of a player with this home, whose programs are compiled."""
    found = {
        **os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"), "PYTHONHASHSEED": "0",
    }  # fmt: skip
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    return found


def commands(home: Path, least: int) -> Iterator[tuple[str, list[str], Callable[[], None]]]:
    """The commands by name, each with what is done before it runs: on the first `least` entries of
    the stored Campaign, or a few more until an attack is ordered.
    """
    entries = read(campaign.raw_of())
    game, key, orders = home / "game.json", home / "key", home / "orders.yaml"
    form = home / "game.orders.yaml"
    seed = campaign.facts_of()["seed"]
    cut = next(at for at in range(least, len(entries)) if _attacks(entries[at]))
    writer = entries[cut].by
    name = {"A": "ana", "B": "beto"}[writer]
    key.write_bytes(private_file(key_of(f"{name} campaign {seed}")))
    key.chmod(0o600)
    game.write_bytes(write(entries[:cut]))
    table = read_game(game.read_bytes()).table
    assert table is not None
    orders.write_text(orders_text([table.typed(each) for each in _ordered(entries[cut])]))
    with_key = ["--key", str(key)]

    def nothing() -> None: ...

    def forget() -> None:
        shutil.rmtree(home / "cache" / "pbem" / "replay", ignore_errors=True)

    yield "version", ["--version"], nothing
    yield "status, first seen", ["status", str(game)], forget
    yield "status", ["status", str(game)], nothing
    yield "form", ["form", str(game), *with_key], nothing
    yield "check", ["check", str(game), str(orders), *with_key], nothing
    yield (
        "turn, which writes the form",
        ["turn", str(game), *with_key],
        (lambda: form.unlink(missing_ok=True)),
    )
    yield "odds", ["odds", str(game), str(orders), *with_key], nothing
    yield "show", ["show", str(game)], nothing
    yield "log, first seen", ["log", str(game)], forget
    yield "log", ["log", str(game)], nothing
    yield "dice", ["dice", str(game)], nothing
    yield "mail", ["mail", str(game), "-o", "-"], nothing
    message, taken = home / "game.eml", home / "taken.json"

    def mailed() -> None:
        taken.unlink(missing_ok=True)
        if not message.exists():
            _run(["mail", str(game), "-o", str(message)], environment_of(home), count=False)

    yield "read", ["read", str(message), *with_key, "-o", str(taken)], mailed
    yield "luck", ["luck", str(game)], nothing
    yield "summary", ["summary", str(game)], nothing
    yield f"verify of {cut} entries", ["verify", str(game)], nothing


def _attacks(entry: Entry) -> bool:
    return any("attack" in order for order in _ordered(entry))


def _ordered(entry: Entry) -> list[Mapping[str, Any]]:
    return [each for step in entry.steps if step["do"] == "orders" for each in step["list"]]


def _run(words: list[str], environment: Mapping[str, str], *, count: bool) -> int:
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"] if count else []
    done = subprocess.run(
        [*valgrind, sys.executable, PBEM, *words], env=dict(environment), capture_output=True,
        check=False, cwd=environment["HOME"],  # where what a turn keeps may lie
    )  # fmt: skip
    assert done.returncode == 0, (words, done.stderr.decode()[-2000:])
    found = COUNTED.search(done.stderr.decode())
    return int(found.group(1).replace(",", "")) if found else 0


def lines(found: Mapping[str, int]) -> Iterator[str]:
    """The report: each count in millions, and what it is to the one that is kept."""
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    same = kept.get("machine") == machine()
    other = "" if same or not kept else f"; those that are kept are of {kept['machine']}"
    yield f"instructions, {machine()}{other}"
    for name, count in found.items():
        before = kept.get("counts", {}).get(name) if same else None
        told = ""
        if before:
            change = count / before - 1
            told = f"{change:+7.1%}" + ("  CHANGED" if abs(change) > TOLERANCE else "")
        yield f"{name:<58} {count / 1e6:>9.1f} million {told}".rstrip()


def main(words: list[str]) -> int:
    """Counts and prints; with --write keeps the counts for the next time."""
    if not is_there():
        print("valgrind is not installed here: no instructions are counted")
        return 0
    found = dict(counted())
    print("\n".join(lines(found)))
    if "--write" in words:
        kept = {"machine": machine(), "counts": found}
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
