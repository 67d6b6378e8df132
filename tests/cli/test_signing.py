"""No command signs a second answer: not two at once, not without a record, not after a failure."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pbem.cli import signing
from tests.cli.desk import CHAPTER24, Desk

FIRST = CHAPTER24 / "01-nationalist.yaml"

WAITS = """
import os, sys, time
import pbem.play.answer as answer
mine, other = sys.argv[1:3]
def waiting(really):
    def call(*args, **named):
        made = really(*args, **named)
        open(mine, "w").close()
        end = time.monotonic() + 1
        while not os.path.exists(other) and time.monotonic() < end:
            time.sleep(0.005)
        return made
    return call
answer.answer, answer.agreed = waiting(answer.answer), waiting(answer.agreed)
from pbem.cli import main
main(sys.argv[3:])
"""
"""A command that has checked and signed, and then lets the other one do so, too."""


def at_once(desk: Desk, *commands: list[str]) -> list[subprocess.CompletedProcess[str]]:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WAITS, f".at-{at}", f".at-{1 - at}", *words],
            cwd=desk.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for at, words in enumerate(commands)
    ]  # fmt: skip
    said = [each.communicate() for each in started]
    return [
        subprocess.CompletedProcess(each.args, each.returncode, *told)
        for each, told in zip(started, said, strict=True)
    ]


def answers(desk: Desk, *names: str) -> set[str]:
    """The ids of the fourth entry in those files that are there."""
    there = [desk.folder / name for name in names if (desk.folder / name).exists()]
    return {json.loads(each.read_text())["entries"][3]["id"] for each in there}


def test_two_answers_at_once_are_one(desk: Desk) -> None:
    other = desk.orders("play: {card: N1, for: event}", "activate: {attack: [sevilla]}")
    done = at_once(
        desk,
        ["apply", "g2.json", str(FIRST), "--key", "ana.key", "-o", "one.json"],
        ["apply", "g2.json", str(other), "--key", "ana.key", "-o", "two.json"],
    )
    assert sorted(each.returncode for each in done) == [0, 3], done
    assert len(answers(desk, "one.json", "two.json")) == 1
    refused = next(each for each in done if each.returncode == 3)
    assert "you have already signed an answer to this position" in refused.stderr


def test_an_answer_and_a_resignation_at_once_are_one(desk: Desk) -> None:
    done = at_once(
        desk,
        ["apply", "g2.json", str(FIRST), "--key", "ana.key", "-o", "one.json"],
        ["resign", "g2.json", "--key", "ana.key", "-o", "two.json"],
    )
    assert sorted(each.returncode for each in done) == [0, 3], done
    assert len(answers(desk, "one.json", "two.json")) == 1


def test_the_same_answer_twice_at_once_is_no_matter(desk: Desk) -> None:
    words = ["apply", "g2.json", str(FIRST), "--key", "ana.key", "-o"]
    done = at_once(desk, [*words, "one.json"], [*words, "two.json"])
    assert [each.returncode for each in done] == [0, 0], done
    assert len(answers(desk, "one.json", "two.json")) == 1


# --- the lock


HOLDS = """
import os, sys, time
from pbem.cli import request, signing
signing._locked(sys.argv[1], request.Request())
print(os.getpid(), flush=True)
time.sleep(60)
"""


def holder(desk: Desk) -> subprocess.Popen[str]:
    """Another process that holds the lock of the game."""
    proposal = json.loads((desk.folder / "g2.json").read_text())["entries"][0]["id"]
    held = subprocess.Popen(
        [sys.executable, "-c", HOLDS, proposal], stdout=subprocess.PIPE, text=True
    )
    assert held.stdout is not None and held.stdout.readline()
    return held


@pytest.mark.parametrize(
    "words", [("apply", "g2.json", str(FIRST)), ("resign", "g2.json"), ("claim", "g3.json")]
)
def test_a_lock_names_its_holder_and_ends_with_it(
    desk: Desk, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing, "PATIENCE", 0.1)
    held = holder(desk)
    err = desk.refused(1, *words, "--key", "ana.key", "-o", "new.json")
    assert f"another pbem is signing in this game (process {held.pid}, since " in err
    assert "hint: wait for it, or end it" in err
    held.kill()
    held.wait()
    assert desk.pbem(*words, "--key", "ana.key", "-o", "new.json").code == 0


def test_a_command_waits_for_a_short_while(desk: Desk) -> None:
    held = holder(desk)
    started = time.monotonic()
    child = subprocess.Popen(
        [sys.executable, "-c", "from pbem.cli import main; main()", "resign", "g2.json", "--key",
         "ana.key", "-o", "new.json"], cwd=desk.folder, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(0.5)
    held.kill()
    held.wait()
    assert child.wait() == 0
    assert time.monotonic() - started >= 0.5


def test_reading_needs_no_lock(desk: Desk) -> None:
    held = holder(desk)
    assert desk.pbem("status", "g2.json", "--key", "ana.key").code == 0
    held.kill()
    held.wait()


# --- no record


@pytest.mark.parametrize(
    "words",
    [
        ("apply", "g2.json", str(FIRST)), ("resign", "g2.json"), ("claim", "g3.json"),
        ("offer", "g4.json", "draw"), ("rotate", "g2.json", "--to", "eve.key"),
        ("new", "crusade", "campaign", "--side", "nationalist", "--opponent", "beto.key.pub"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("place", ["nothing", "/proc/nowhere", "a file"])
def test_nothing_is_signed_without_a_record(
    desk: Desk, words: tuple[str, ...], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.delenv("XDG_CONFIG_HOME")
    if place == "/proc/nowhere":
        monkeypatch.setenv("XDG_CONFIG_HOME", place)
    elif place == "a file":
        (desk.folder / "file").write_text("")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(desk.folder / "file"))
    command = (*words, "--key", "ana.key", "-o", "new.json")
    err = desk.refused(1, *command)
    assert err.startswith("nothing is signed, for no record of it can be kept")
    assert "--no-record" in err
    result = desk.pbem(*command, "--no-record")
    assert result.code == 0 and "what was signed could not be recorded" in result.err


def test_a_file_that_cannot_be_written_leaves_no_record(desk: Desk) -> None:
    """So other orders may follow: nobody has seen the first."""
    words = ("apply", "g2.json", str(FIRST), "--key", "ana.key", "-o")
    desk.write("taken.json", "something else")
    assert "there is such a file already" in desk.refused(2, *words, "taken.json")
    assert "cannot be written" in desk.refused(1, *words, "nowhere/new.json")
    other = desk.orders("play: {card: N1, for: event}", "activate: {attack: [sevilla]}")
    desk.done("apply", "g2.json", other, "--key", "ana.key", "-o", "new.json")


def test_an_answer_whose_file_is_lost_is_written_again(desk: Desk) -> None:
    desk.done("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "sent.json")
    sent = (desk.folder / "sent.json").read_bytes()
    Path(desk.folder / "sent.json").unlink()
    out = desk.done("apply", "g2.json", "--key", "ana.key", "-o", "again.json")
    assert "note: this is the answer that you gave before, written again" in out
    assert (desk.folder / "again.json").read_bytes() == sent


def test_words_beside_the_turn_made_again_are_the_same(desk: Desk) -> None:
    words = ("resign", "g2.json", "--key", "beto.key", "-o")
    desk.done(*words, "one.json")
    desk.done(*words, "two.json")
    assert (desk.folder / "one.json").read_bytes() == (desk.folder / "two.json").read_bytes()
