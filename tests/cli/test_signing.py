"""No command signs a second answer: not two at once, not without a record, not after a failure."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import request, signing
from pbem.gamefile import format
from pbem.play import answer
from tests.cli.desk import CHAPTER24, Desk, Result
from tests.cli.forked import ended, forked

FIRST = CHAPTER24 / "01-nationalist.yaml"

pytestmark = pytest.mark.filterwarnings("ignore:This process is multi-threaded")  # it forks


def waiting(really: Callable[..., Any], mine: Path, other: Path) -> Callable[..., Any]:
    """What checks and signs, and then lets the other process do so, too."""

    def call(*args: Any, **named: Any) -> Any:
        made = really(*args, **named)
        mine.touch()
        end = time.monotonic() + 1
        while not other.exists() and time.monotonic() < end:
            time.sleep(0.005)
        return made

    return call


def at_once(desk: Desk, *commands: list[str]) -> list[Result]:
    """What two commands say that have both signed before either of them goes on."""
    at = [desk.folder.parent / f"at-{number}" for number in range(2)]
    said = [desk.folder.parent / f"said-{number}" for number in range(2)]

    def command(number: int) -> int:
        for name in ("answer", "agreed"):
            setattr(answer, name, waiting(getattr(answer, name), at[number], at[1 - number]))
        result = desk.pbem(*commands[number])
        said[number].write_text(json.dumps(result))
        return result.code

    started = [forked(partial(command, number)) for number in range(2)]
    codes = [ended(each) for each in started]
    results = [Result(*json.loads(each.read_text())) for each in said]
    assert [each.code for each in results] == codes
    return results


def answers(desk: Desk, *names: str) -> set[str]:
    """The ids of the fourth entry in those files that are there."""
    there = [desk.folder / name for name in names if (desk.folder / name).exists()]
    return {format.read(each.read_bytes())[3].id for each in there}


def test_two_answers_at_once_are_one(desk: Desk) -> None:
    other = desk.orders("play: {card: N1, for: event}", "activate: {attack: [sevilla]}")
    done = at_once(
        desk,
        ["apply", "g2.json", str(FIRST), "--key", "ana.key", "-o", "one.json"],
        ["apply", "g2.json", str(other), "--key", "ana.key", "-o", "two.json"],
    )
    assert sorted(each.code for each in done) == [0, 3], done
    assert len(answers(desk, "one.json", "two.json")) == 1
    refused = next(each for each in done if each.code == 3)
    assert "you have already signed an answer to this position" in refused.err


def test_an_answer_and_a_resignation_at_once_are_one(desk: Desk) -> None:
    done = at_once(
        desk,
        ["apply", "g2.json", str(FIRST), "--key", "ana.key", "-o", "one.json"],
        ["resign", "g2.json", "--yes", "--key", "ana.key", "-o", "two.json"],
    )
    assert sorted(each.code for each in done) == [0, 3], done
    assert len(answers(desk, "one.json", "two.json")) == 1


def test_the_same_answer_twice_at_once_is_no_matter(desk: Desk) -> None:
    words = ["apply", "g2.json", str(FIRST), "--key", "ana.key", "-o"]
    done = at_once(desk, [*words, "one.json"], [*words, "two.json"])
    assert [each.code for each in done] == [0, 0], done
    assert len(answers(desk, "one.json", "two.json")) == 1


# --- the lock


def holder(desk: Desk) -> int:
    """The id of another process that holds the lock of the game."""
    proposal = format.read((desk.folder / "g2.json").read_bytes())[0].id
    reading, writing = os.pipe()

    def hold() -> int:
        signing._locked(proposal, request.Request())
        os.write(writing, b".")
        time.sleep(60)
        return 0

    held = forked(hold)
    os.close(writing)
    assert os.read(reading, 1)
    os.close(reading)
    return held


def killed(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    assert ended(child) == -signal.SIGKILL


@pytest.mark.parametrize(
    "words",
    [("apply", "g2.json", str(FIRST)), ("resign", "g2.json", "--yes"), ("claim", "g3.json")],
)
def test_a_lock_names_its_holder_and_ends_with_it(
    desk: Desk, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing, "PATIENCE", 0.1)
    held = holder(desk)
    err = desk.refused(1, *words, "--key", "ana.key", "-o", "new.json")
    assert f"another pbem is signing in this game (process {held}, since " in err
    assert "hint: wait for it or stop it" in err
    killed(held)
    assert desk.pbem(*words, "--key", "ana.key", "-o", "new.json").code == 0


def test_a_command_waits_for_a_short_while(desk: Desk) -> None:
    held = holder(desk)
    started = time.monotonic()
    words = ("resign", "g2.json", "--yes", "--key", "ana.key", "-o", "new.json")
    child = forked(lambda: desk.pbem(*words).code)
    time.sleep(0.5)
    killed(held)
    assert ended(child) == 0
    assert time.monotonic() - started >= 0.5


def test_reading_needs_no_lock(desk: Desk) -> None:
    held = holder(desk)
    assert desk.pbem("status", "g2.json", "--key", "ana.key").code == 0
    killed(held)


# --- no record


@pytest.mark.parametrize(
    "words",
    [
        ("apply", "g2.json", str(FIRST)), ("resign", "g2.json", "--yes"), ("claim", "g3.json"),
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
    assert err.startswith("nothing was signed, because no record of it can be kept")
    assert "--no-record" in err
    result = desk.pbem(*command, "--no-record")
    assert result.code == 0 and "the signature could not be recorded" in result.err


def test_a_file_that_cannot_be_written_leaves_no_record(desk: Desk) -> None:
    """So other orders may follow: nobody has seen the first."""
    words = ("apply", "g2.json", str(FIRST), "--key", "ana.key", "-o")
    desk.write("taken.json", "something else")
    assert "this file already exists" in desk.refused(2, *words, "taken.json")
    assert "cannot be written" in desk.refused(1, *words, "nowhere/new.json")
    other = desk.orders("play: {card: N1, for: event}", "activate: {attack: [sevilla]}")
    desk.done("apply", "g2.json", other, "--key", "ana.key", "-o", "new.json")


def test_an_answer_whose_file_is_lost_is_written_again(desk: Desk) -> None:
    desk.done("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "sent.json")
    sent = (desk.folder / "sent.json").read_bytes()
    Path(desk.folder / "sent.json").unlink()
    out = desk.done("apply", "g2.json", "--key", "ana.key", "-o", "again.json")
    assert "note: this is the same answer as before, written again" in out
    assert (desk.folder / "again.json").read_bytes() == sent


def test_words_beside_the_turn_made_again_are_the_same(desk: Desk) -> None:
    words = ("resign", "g2.json", "--yes", "--key", "beto.key", "-o")
    desk.done(*words, "one.json")
    desk.done(*words, "two.json")
    assert (desk.folder / "one.json").read_bytes() == (desk.folder / "two.json").read_bytes()
