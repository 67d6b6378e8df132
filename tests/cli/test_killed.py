"""A command killed at any moment leaves the old file or the new one, whole; it can run again."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.gamefile import format
from tests.cli.desk import CHAPTER24, Desk
from tests.cli.forked import ended, forked

WORDS = ["apply", "g2.json", str(CHAPTER24 / "01-nationalist.yaml"), "--key", "ana.key",
         "-o", "new.json"]  # fmt: skip
KILLED = -signal.SIGKILL
AT_ANY_TIME = 4

pytestmark = pytest.mark.filterwarnings("ignore:This process is multi-threaded")  # it forks


def started(desk: Desk, words: list[str], told: Path, left: int = 0) -> int:
    """The id of a process that runs a command and kills itself at a call that writes (0: never).

    It tells which of these calls it made, a line each.
    """
    shutil.rmtree(desk.folder / ".home", ignore_errors=True)  # a machine that never saw the game

    def command() -> int:
        _count_calls(told, left)
        return desk.pbem(*words).code

    return forked(command)


def _count_calls(told: Path, left: int) -> None:
    """From here on, this process tells of each of its calls that write, and dies at one of them."""
    log = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)

    def counted(really: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            named_as = f" {args[1]}" if really.__name__ == "replace" else ""
            os.write(log, f"{really.__name__}{named_as}\n".encode())
            return really(*args, **named)

        return call

    def creating(path: Any, flags: int, *rest: Any, really: Any = os.open, **named: Any) -> int:
        return (counted_open if flags & os.O_CREAT else really)(path, flags, *rest, **named)

    counted_open = counted(os.open)
    os.open = creating
    for name in ("fsync", "replace", "unlink"):
        setattr(os, name, counted(getattr(os, name)))


def dies(desk: Desk, told: Path, call: int, words: list[str]) -> int:
    return ended(started(desk, words, told, call))


def calls(desk: Desk, told: Path, words: list[str]) -> list[str]:
    """What the command calls of those that write, one after another."""
    assert dies(desk, told, 0, words) == 0
    (desk.folder / words[-1]).unlink()
    return told.read_text().splitlines()


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


def test_killed_at_a_call_that_writes(desk: Desk, tmp_path: Path):
    told = tmp_path / "told"
    before, made = desk.files(), calls(desk, told, WORDS)
    named = made.index("replace new.json") + 1
    assert named >= 8
    for call in range(1, len(made) + 1):
        assert dies(desk, told, call, WORDS) == KILLED
        assert whole_or_absent(desk, before) == (call > named), made[call - 1]
        goes_on(desk)
        for name in set(desk.files()) - set(before):
            (desk.folder / name).unlink()


@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_what_was_stopped_from_the_keyboard_says_what_is_written(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, call: str
):
    """Ctrl-C may come between the name of the new file and the next step: then it is written."""
    really, named = os.replace, list[str]()

    def replace(source: Any, target: Any) -> None:
        really(source, target)
        named.append(str(target))
        if call == "replace" and target == "new.json":
            raise KeyboardInterrupt

    def fsync(_: int) -> None:
        if call == "fsync" and named[-1:] == ["new.json"]:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(os, "fsync", fsync)
    result = desk.pbem(*WORDS)
    assert result.code == 1 and result.err.endswith("stopped; already written: new.json\n")
    assert (desk.folder / "new.json").read_bytes() == (desk.folder / "g3.json").read_bytes()


def test_killed_while_a_game_is_accepted(desk: Desk, tmp_path: Path):
    """An acceptance holds fresh bytes: what the record has of it is the one that counts."""
    desk.done("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
              "--opponent", "beto.key.pub", "-o", "p.json")  # fmt: skip
    words, told = ["apply", "p.json", "--key", "beto.key", "-o", "q.json"], tmp_path / "told"
    lost = 0
    for call in range(1, len(calls(desk, told, words)) + 1):
        assert dies(desk, told, call, words) == KILLED
        seen = desk.folder / ".home" / "config" / "pbem" / "seen"
        signed = [json.loads(each.read_text())["id"] for each in seen.glob("*-B.json")]
        lost += bool(signed) and not (desk.folder / "q.json").exists()
        assert desk.pbem(*words).code == 0
        written = format.read((desk.folder / "q.json").read_bytes())[1].id
        assert signed in ([], [written])
        (desk.folder / "q.json").unlink()
    assert lost


def test_killed_at_any_time(desk: Desk, tmp_path: Path):
    before, told = desk.files(), tmp_path / "told"
    begun = time.monotonic()
    calls(desk, told, WORDS)
    took = time.monotonic() - begun
    ends = set()
    for part in range(AT_ANY_TIME):
        Path(desk.folder / "new.json").unlink(missing_ok=True)
        child = started(desk, WORDS, told)
        time.sleep(took * part / AT_ANY_TIME)
        os.kill(child, signal.SIGKILL)
        ends.add(ended(child))
        whole_or_absent(desk, before)
        goes_on(desk)
    assert KILLED in ends
