"""What goes to standard output and what to standard error: files called -, and JSON."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import click
import pytest

from pbem.cli.commands import Commands, pbem
from pbem.cli.request import COMMANDS
from tests.cli.desk import CHAPTER24, Desk

SIGNED = {
    "new": ("crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
            "--opponent", "beto.key.pub"),
    "solo": ("crusade", "campaign"),
    "apply": ("g2.json", str(CHAPTER24 / "01-nationalist.yaml"), "--key", "ana.key"),
    "offer": ("g2.json", "draw", "--key", "ana.key"),
    "answer": ("g2.json", "yes", "--key", "ana.key"),
    "resign": ("g4.json", "--yes", "--key", "ana.key"),
    "audit": ("g4.json", "--key", "ana.key"),
    "claim": ("g4.json", "--key", "ana.key"),
    "rotate": ("g2.json", "--key", "ana.key", "--to", "eve.key"),
    "deputy": ("g2.json", "--key", "ana.key", "--to", "eve.key.pub"),
    "ruling": ("g2.json", "--key", "ana.key", "--days", "3"),
    "read": ("g4.json",),
}  # fmt: skip
"""Commands that write a game file."""
PRINTED = {
    "form": ("g2.json",), "mail": ("g4.json",), "prove-fork": ("one.json", "two.json"),
}  # fmt: skip
"""Commands that write a file which others may read down a pipe."""
KEYS = {"keygen": ("--no-passphrase",), "key restore": ("--no-passphrase",)}
ELSEWHERE = {"key export"}
"""`key export -o -` is held to what it says in test_keys.py."""


def writers() -> dict[str, click.Command]:
    """Every command that has an option naming a file to be written."""
    assert isinstance(pbem, Commands)
    found: dict[str, click.Command] = {}
    for name in COMMANDS:
        command = pbem.get_command(click.Context(pbem), name)
        inside = command.commands if isinstance(command, click.Group) else {}
        for called, each in [(name, command), *((f"{name} {sub}", inside[sub]) for sub in inside)]:
            if each and {"-o", "--out"} & {word for one in each.params for word in one.opts}:
                found[called] = each
    return found


def test_every_command_that_writes_a_file_is_here() -> None:
    assert set(writers()) == {*SIGNED, *PRINTED, *KEYS, *ELSEWHERE}


@pytest.mark.parametrize("name", [*SIGNED, *KEYS])
def test_a_signed_file_or_a_key_is_never_called_a_dash(desk: Desk, name: str) -> None:
    words = (*name.split(), *{**SIGNED, **KEYS}[name])
    option = "--out" if name in KEYS else "-o"
    for written in ((option, "-"), (f"{'--out' if name in KEYS else '--output'}=-",)):
        told = desk.refused(2, *words, *written)
        assert "this is never written to standard output: name a file" in told.replace("\n", " ")
    assert not (desk.folder / "-").exists()
    assert not (desk.folder / ".home").exists(), "and nothing was recorded as signed"


@pytest.mark.parametrize("name", ["resign", "read", "solo"])
def test_a_file_may_still_be_called_so(desk: Desk, name: str) -> None:
    assert desk.pbem(name, *SIGNED[name], "-o", "./-").code == 0
    assert (desk.folder / "-").is_file()


@pytest.fixture
def two(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The desk with two stories of one player."""
    desk.orders("play: {card: N1, for: event}")
    for name, orders in (("one", CHAPTER24 / "01-nationalist.yaml"), ("two", "orders.yaml")):
        monkeypatch.setenv("XDG_CONFIG_HOME", str(desk.folder / ".home" / name))
        desk.done("apply", "g2.json", orders, "--key", "ana.key", "-o", f"{name}.json")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(desk.folder / ".home" / "nobody"))
    return desk


def undated(message: bytes) -> bytes:
    """A message without when it was written, and without the mark of a draft: what goes down a pipe
    is sent as it stands.
    """
    return re.sub(rb"(?m)^(Date|X-Unsent): .*\n", b"", message)


@pytest.mark.parametrize("name", PRINTED)
def test_a_dash_is_standard_output_and_nothing_else_is_said_there(two: Desk, name: str) -> None:
    words = (name, *PRINTED[name])
    two.done(*words, "-o", "file")
    before = two.files()
    written = re.sub(b"^# yaml-language-server.*\n", b"", (two.folder / "file").read_bytes())
    assert undated(two.done(*words, "-o", "-").encode()) == undated(written)
    assert two.files() == before
    assert "standard output" in two.done(name, "--help") or "print" in two.done(name, "--help")


@pytest.mark.parametrize("name", ["mail", "prove-fork"])
def test_two_things_do_not_go_to_standard_output_at_once(two: Desk, name: str) -> None:
    told = two.refused(2, name, *PRINTED[name], "-o", "-", "--json")
    assert "-o - and --json both print to standard output" in told


def test_a_message_goes_down_a_pipe_byte_for_byte(today: Desk) -> None:
    today.done("mail", "g4.json", "-o", "m.eml")
    called = "from pbem.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", called, "mail", "g4.json", "-o", "-"], cwd=today.folder, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, capture_output=True,
    )  # fmt: skip
    assert b"X-Unsent" not in done.stdout and done.stderr == b""
    assert undated(done.stdout) == undated((today.folder / "m.eml").read_bytes())


# --- JSON -----------------------------------------------------------------------------------------


def one_document(text: str) -> list[dict[str, object]]:
    found = json.loads(text)
    assert isinstance(found, list)
    for each in found:
        assert set(each) == {"code", "message", "file", "line", "column", "rule", "hint"}
    return found


def test_a_warning_and_a_refusal_are_one_list(desk: Desk) -> None:
    """An old file is warned of, and then the orders are refused: both, in the order they came."""
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "again.json")
    desk.write("o.yaml", "orders:\n  - play: {card: N1, for: evnt}\n")
    found = desk.pbem("check", "g2.json", "o.yaml", "--json")
    assert found.code == 1 and found.out == ""
    codes = [each["code"] for each in one_document(found.err)]
    assert codes[0] == "E-ROLLBACK" and len(codes) > 1
    first, *rest = one_document(found.err)
    assert str(first["message"]).startswith("warning: ")
    assert all(each["file"] == "o.yaml" for each in rest)


def test_a_warning_beside_a_result_is_a_list_of_its_own(desk: Desk) -> None:
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "again.json")
    found = desk.pbem("status", "g2.json", "--json")
    assert found.code == 0 and found.json()["entry"] == 2
    assert [each["code"] for each in one_document(found.err)] == ["E-ROLLBACK"]


def test_a_note_is_told_to_programs_as_a_problem(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.play.systems.Library.keep", lambda *given: False)
    found = desk.pbem("status", "g2.json", "--json")
    assert found.code == 0 and found.json()["entry"] == 2
    (told,) = one_document(found.err)
    assert told["code"] == "note" and "your data could not be copied" in str(told["message"])
    assert desk.pbem("status", "g2.json").err.startswith("note: your data could not be copied")


def test_what_stops_a_command_is_told_to_programs(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*given: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pbem.play.snapshot.read_game", stop)
    monkeypatch.setattr("pbem.cli.game_file.read_game", stop)
    (told,) = one_document(desk.pbem("status", "g2.json", "--json").err)
    assert told["code"] == "stopped" and told["message"] == "stopped; nothing was written"


def test_nothing_is_left_over_for_the_next_command(desk: Desk) -> None:
    desk.pbem("status", "nowhere.json", "--json")
    assert desk.pbem("status", "g2.json", "--json").err == ""


def test_behind_two_dashes_json_is_a_name(desk: Desk) -> None:
    result = desk.pbem("status", "--", "--json")
    assert result.code == 2
    assert result.err.startswith("--json: the game file cannot be read: ")
