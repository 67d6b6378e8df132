"""A command killed at any moment leaves the old file or the new one, whole; it can run again."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.desk import CHAPTER24, Desk

WORDS = ["apply", "g2.json", str(CHAPTER24 / "01-nationalist.yaml"), "--key", "ana.key",
         "-o", "new.json"]  # fmt: skip

DIES = """
import os, signal, sys
left = int(sys.argv[1])
def dying(really, half=False):
    def call(*args, **named):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        print(really.__name__, args[1] if really.__name__ == "replace" else "", file=sys.stderr)
        return really(*args, **named)
    return call
def creating(path, flags, *rest, really=os.open):
    return (dying_open if flags & os.O_CREAT else really)(path, flags, *rest)
dying_open = dying(os.open)
os.open = creating
for name in ("fchmod", "fsync", "replace", "unlink"):
    setattr(os, name, dying(getattr(os, name)))
from pbem.cli import main
main(sys.argv[2:])
"""
"""The command in a process that kills itself at a chosen call of those that write."""


def whole_or_absent(desk: Desk, before: dict[str, str | int]) -> bool:
    """Holds that nothing old changed and nothing new is half; tells if the new file is there."""
    after = desk.files()
    new = after.pop("new.json", None)
    spare = [name for name in after if name.startswith(".new.json.")]
    assert {name: after[name] for name in after if name not in spare} == before
    assert new in (None, before["g3.json"])
    records = list((desk.folder / ".home" / "config" / "pbem" / "seen").glob("*.json"))
    for record in records:
        assert json.loads(record.read_text())["seq"] == 3
    assert records or new is None  # nothing has left the machine that is not recorded
    return new is not None


def goes_on(desk: Desk) -> None:
    assert desk.pbem(*WORDS).code == 0
    assert (desk.folder / "new.json").read_bytes() == (desk.folder / "g3.json").read_bytes()
    assert desk.pbem("status", "new.json", "--key", "beto.key").code == 0


def dies(desk: Desk, call: int, words: list[str]) -> subprocess.CompletedProcess[str]:
    """The command on a machine that has never seen the game, killed at a call (0: never)."""
    shutil.rmtree(desk.folder / ".home", ignore_errors=True)
    return subprocess.run(
        [sys.executable, "-c", DIES, str(call), *words], cwd=desk.folder, capture_output=True,
        check=False, text=True,
    )  # fmt: skip


def calls(desk: Desk, words: list[str]) -> list[str]:
    """What the command calls of those that write, one after another."""
    done = dies(desk, 0, words)
    assert done.returncode == 0, done.stderr
    (desk.folder / words[-1]).unlink()
    return done.stderr.strip().split("\n")


def test_killed_at_a_call_that_writes(desk: Desk):
    before, made = desk.files(), calls(desk, WORDS)
    named = made.index("replace new.json") + 1
    assert named > 8
    for call in range(1, len(made) + 1):
        assert dies(desk, call, WORDS).returncode == -signal.SIGKILL
        assert whole_or_absent(desk, before) == (call > named), made[call - 1]
        goes_on(desk)
        for name in set(desk.files()) - set(before):
            (desk.folder / name).unlink()


def test_killed_while_a_game_is_accepted(desk: Desk):
    """An acceptance holds fresh bytes: what the record has of it is the one that counts."""
    desk.done("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
              "--opponent", "beto.key.pub", "-o", "p.json")  # fmt: skip
    words = ["apply", "p.json", "--key", "beto.key", "-o", "q.json"]
    lost = 0
    for call in range(1, len(calls(desk, words)) + 1):
        assert dies(desk, call, words).returncode == -signal.SIGKILL
        seen = desk.folder / ".home" / "config" / "pbem" / "seen"
        signed = [json.loads(each.read_text())["id"] for each in seen.glob("*-B.json")]
        lost += bool(signed) and not (desk.folder / "q.json").exists()
        assert desk.pbem(*words).code == 0
        written = json.loads((desk.folder / "q.json").read_text())["entries"][1]["id"]
        assert signed in ([], [written])
        (desk.folder / "q.json").unlink()
    assert lost


def test_killed_at_any_time(desk: Desk):
    before = desk.files()
    child = [sys.executable, "-c", "from pbem.cli import main; main()", *WORDS]
    started = time.monotonic()
    subprocess.run(child, cwd=desk.folder, capture_output=True, check=True)
    took = time.monotonic() - started
    for part in range(12):
        Path(desk.folder / "new.json").unlink(missing_ok=True)
        process = subprocess.Popen(
            child, cwd=desk.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(took * (0.5 + part / 20))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        whole_or_absent(desk, before)
        goes_on(desk)
