"""The fast reading of a command's words: it declines them, or understands what click understands.

Random command lines are read both ways, down to the call of what does the work; the first
difference between the two calls is a fault.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

from pbem.cli import fast_path
from pbem.cli.commands import pbem
from pbem.cli.request import COMMANDS, DeclaredCommand
from pbem.problems import Refused
from tests.conftest import FUZZ

PATHS = (
    "game.json", "orders.yaml", "ana.key", "new.json", "folder", "folder/", "folder/in.json",
    "nowhere/x", "../x", "..", ".", "./game.json", "folder/./in.json", "folder//in.json",
    "folder/../game.json", "//x", "/", "/tmp/x", "link.json", "link", "gone", "closed", "pipe",
    "", " ", "a b", "a=b", "=", "-", "--", "---", "-x", "-o", "--key", "--json", "--help", "~", "*",
    "$HOME", "%s", "{x}", "\\", "a\\b", "\n", "x\n", "\u00e9", "e\u0301", "\u202e", "\U0001f0a1",
    "\udcff", "a\udc80b", "x" * 300, "1", "True", "none", "apply", "@x", "#", "--key=game.json",
)  # fmt: skip
"""Values: what is there and what is not, what stands for something, what looks like an option."""
ALONE = (
    "--", "-", "-h", "-k", "-oj", "-json", "--jso", "--ke", "--out", "--outputs", "--no", "+o",
    "--KEY", "--Json", "-O", "\u2014key", "--json=", "--json=1", "--pass-over=1", "--version",
    "-o=", "-ogame.json", "-o=game.json", "---json", "--no-json", "apply", "/json",
)  # fmt: skip
"""Words of their own: cut short, run together, of another case, with a value where none goes."""


DECLARED = {
    name: command for name in COMMANDS
    if isinstance(command := import_module(f"pbem.cli.{name.replace('-', '_')}").command,
                  DeclaredCommand)
}  # fmt: skip


@cache
def options(name: str) -> list[tuple[str, bool]]:
    """Every spelling of every option that click knows of the command, and if it takes a value."""
    command = pbem.get_command(click.Context(pbem), name)
    assert command is not None
    return [
        (spelling, not each.is_flag)
        for each in command.params if isinstance(each, click.Option)
        for spelling in (*each.opts, *each.secondary_opts)
    ]  # fmt: skip


def words(rng: random.Random) -> list[str]:
    """A command line: half of them are nearly what one would write."""
    command = DECLARED["apply"] if rng.random() < 0.4 else rng.choice([*DECLARED.values()])
    known = options(command.name)
    plain = rng.random() < 0.5
    paths = PATHS[:5] if plain else PATHS
    read = {word for row in command.rows.values() if row.kind in fast_path.PLAIN
            for word in row.words}  # fmt: skip
    usual = [each for each in known if each[0] in read]
    parts: list[list[str]] = [[rng.choice(paths)] for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))]
    if rng.random() < 0.8 and "key_file" in command.rows:
        parts.append(["--key", rng.choice(paths)])
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        option, takes = rng.choice(usual if plain or rng.random() < 0.5 else known)
        value = rng.choice(("0", "3", "text", "es", *paths))
        joined = rng.random() < (0.05 if plain else 0.3)
        written = [f"{option}={value}"] if joined else [option, value]
        parts.append(written if takes else [option])
        if rng.random() < 0.05:
            parts[-1] = parts[-1][:1]  # and the value is missing, or it is the next word
    if not plain and rng.random() < 0.5:
        parts.append([rng.choice(ALONE)])
    rng.shuffle(parts)
    if rng.random() < 0.2:
        parts.insert(0, ["game.json"])
    first = rng.choice(("appl", "Apply", "--json", "")) if rng.random() < 0.02 else command.name
    return [first, *(word for part in parts for word in part)]


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """A folder with something of each kind, and what was called in it instead of the work: which
    command, and with what."""
    folder = tmp_path / "desk"
    (folder / "folder").mkdir(parents=True)
    monkeypatch.chdir(folder)
    for name in (
        "game.json",
        "orders.yaml",
        "ana.key",
        "folder/in.json",
        "closed",
        "a b",
        "\u00e9",
    ):
        (folder / name).touch()
    (folder / "closed").chmod(0)
    os.symlink("game.json", "link.json")
    os.symlink("folder", "link")
    os.symlink("nothing", "gone")
    os.mkfifo("pipe")
    for name in ("_PBEM_COMPLETE", "PBEM_DATA", "PBEM_LANG"):
        monkeypatch.delenv(name, raising=False)
    found: list[tuple[str, dict[str, Any]]] = []

    def called(self: DeclaredCommand, said: dict[str, Any]) -> None:
        found.append((self.name, content(self, said)))

    monkeypatch.setattr(DeclaredCommand, "called", called)
    return found


def content(command: DeclaredCommand, said: dict[str, Any]) -> dict[str, Any]:
    """What is said of each row, which may be its default; a path is the text of one."""
    return {
        name: row.default if said.get(name) in (None, False, ()) else _plain(said[name])
        for name, row in command.rows.items()
    }


def _plain(said: Any) -> Any:
    if isinstance(said, tuple):
        return tuple(map(_plain, said))
    return str(said) if isinstance(said, Path) else said


def by_click(argv: Sequence[str]) -> None:
    pbem.main(args=list(argv), prog_name="pbem", standalone_mode=False)


def test_words_are_left_to_click_or_read_as_click_reads_them(calls: list[Any]) -> None:
    rng, plain, kinds = random.Random(9), 0, set()
    for _ in range(3000 * FUZZ):
        argv = words(rng)
        call = fast_path.fast_call(argv)
        if call is None:
            continue
        plain += 1
        call()
        by_click(argv)
        assert calls[-2] == calls[-1], argv
        kinds |= {(argv[0], word) for word in argv if word.startswith("-")}
    assert plain > 220
    assert {name for name, _ in kinds} == DECLARED.keys()
    assert kinds >= {("apply", word) for word in (
        "--key", "-o", "--output", "--last", "--json", "--secrets", "--spare", "--pass-over",
        "--no-record",
    )}  # fmt: skip


def test_what_click_refuses_is_never_read_plainly(calls: list[Any]) -> None:
    """The other way round, with nothing but words that click finds fault with."""
    rng, refused = random.Random(10), 0
    for _ in range(1000 * FUZZ):
        argv = words(rng)
        try:
            by_click(argv)
        except (click.ClickException, click.exceptions.Exit, Refused):
            refused += 1
            assert fast_path.fast_call(argv) is None, argv
    assert refused > 200
