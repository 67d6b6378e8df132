"""A command killed at any moment leaves the old file or the new one, whole; it can run again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

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
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
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


CALLS = 12
"""With this one the file is there. Before it: the copy of the data (1), the lock (2), the file
beside its place (3 to 5), the record (6 to 10), and the file's name (11)."""


@pytest.mark.parametrize("call", range(1, CALLS + 3))
def test_killed_at_a_call_that_writes(desk: Desk, call: int):
    before = desk.files()
    done = subprocess.run(
        [sys.executable, "-c", DIES, str(call), *WORDS], cwd=desk.folder, capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL
    is_there = whole_or_absent(desk, before)
    assert is_there == (call >= CALLS)
    goes_on(desk)


@pytest.mark.parametrize("call", range(1, CALLS + 1))
def test_killed_while_a_game_is_accepted(desk: Desk, call: int):
    """An acceptance holds fresh bytes: what the record has of it is the one that counts."""
    desk.done("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
              "--opponent", "beto.key.pub", "-o", "p.json")  # fmt: skip
    words = ["apply", "p.json", "--key", "beto.key", "-o", "q.json"]
    done = subprocess.run(
        [sys.executable, "-c", DIES, str(call), *words], cwd=desk.folder, capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL
    seen = desk.folder / ".home" / "config" / "pbem" / "seen"
    signed = [json.loads(each.read_text())["id"] for each in seen.glob("*-B.json")]
    assert desk.pbem(*words).code == 0
    written = json.loads((desk.folder / "q.json").read_text())["entries"][1]["id"]
    assert signed in ([], [written])


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
