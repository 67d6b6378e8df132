"""Every command, with something broken in place of each file that it reads.

The commands and their files are found by looking at the program: a new one is tried, too.
"""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator

import click
import pytest

from pbem.cli.commands import pbem
from pbem.cli.exits import Exit
from pbem.cli.options import NEW_FILE
from tests.cli.desk import Desk
from tests.conftest import FUZZ

WRITTEN = frozenset({"path", "output", "out"})
"""What commands call a file that they write."""
WORDS = {
    "system": "crusade", "scenario": "campaign", "what": "draw", "reply": "yes", "name": "beto",
    "address": "b@example.org", "number": "1", "space": "madrid", "card": "N1",
}  # fmt: skip
GOOD = {"key_file": "ana.key", "key": "ana.key", "file": "ana.key", "spare": "eve.key.pub"}
STARTS_A_SERVER = "board"
SHAPES = (
    b"", b"\0", b"\xff\xfe", b"null", b"[]", b"{}", b"0", b'""', b"[" * 9_000, b"9" * 6_000,
    b"{a: " * 300, b"orders: 3\n", b"orders:\n  - attack: 1\n", b"orders:\n  - {}\n",
    b"orders: [[[]]]\n", b"standing: []\n", b"standing: {ask: {}}\n", b"standing: {x: 1}\n",
    b"a: &a [*a]\n", b"? []\n", b"say: {}\n", b"game: 1\n", b"!!python/x y\n", b"orders: ~\n",
    b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
    b"-----BEGIN PRIVATE KEY-----\n\n-----END PRIVATE KEY-----\n", b"ssh-ed25519 AAAA ana\n",
    b"ssh-ed25519\n", b"-----BEGIN PBEM ENTRIES-----\nGame: 1\n-----END PBEM ENTRIES-----\n",
    b"From x\nFrom: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n=\n",
    b"From: a\nContent-Transfer-Encoding: base64\n\n*\n", b"PK\x03\x04", b"\x1f\x8b\x08\0",
    gzip.compress(b'{"entries":[{}],"format":"pbem-game/1"}', mtime=0),
    b'{"entries":[],"format":"pbem-game/1"}', b'{"entries":{},"format":"pbem-game/1"}',
    b'{"entries":[{"payload":{},"sig":"","sum":""}],"format":"pbem-game/1"}',
    b'{"format":"pbem-fork/1"}', b'{"format":"pbem-request/1"}', b"1 aaaaaaaa 0000\n",
    b'{"format":[]}', b'{"format":"pbem-game/2","entries":[null]}',
)  # fmt: skip


def commands(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if not isinstance(command, click.Group):
        yield path
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from commands(inner, (*path, name))


def found(path: tuple[str, ...]) -> click.Command:
    command: click.Command | None = pbem
    for name in path:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name)
    assert command is not None
    return command


def is_read(param: click.Parameter) -> bool:
    is_file = isinstance(param.type, click.Path) and param.type is not NEW_FILE
    return is_file and param.name not in WRITTEN


def called_with(path: tuple[str, ...], bad: click.Parameter) -> list[str]:
    """The words of a command whose file `bad` is broken and all others are good."""
    words, behind = list(path), False
    params = found(path).params
    for param in params:
        name = str(param.name)
        if isinstance(param, click.Argument):
            value = "bad" if param is bad else WORDS.get(name, GOOD.get(name, "g2.json"))
            if "orders" in name and param is not bad:
                continue
            if isinstance(bad, click.Argument) and behind and not param.required:
                continue
            behind = behind or param is bad
            words.append(value)
        elif param is bad:
            words += [param.opts[0], "bad"]
        elif name in ("output", "out"):
            words += [param.opts[0], "new"]
        elif name == "key_file":
            words += [param.opts[0], GOOD[name]]
    return words


CASES = [
    (path, str(param.name)) for path in commands(pbem, ()) for param in found(path).params
    if is_read(param) and (path[0] != STARTS_A_SERVER or isinstance(param, click.Argument))
]  # fmt: skip


@pytest.mark.parametrize("path", dict(CASES), ids=" ".join)
def test_a_broken_file_is_refused_and_nothing_is_written(path: tuple[str, ...], desk: Desk) -> None:
    rng = random.Random(f"{path} {FUZZ}")
    kept = desk.files()
    good = [(desk.folder / name).read_bytes() for name in ("g2.json", "ana.key", "ana.key.pub")]
    for param in found(path).params:
        if (path, param.name) not in CASES:
            continue
        words = called_with(path, param)
        for content in SHAPES if FUZZ > 1 else rng.sample(SHAPES, 1):
            spoilt = content
            if rng.random() < 0.3:
                whole = rng.choice(good)
                at = rng.randrange(len(whole))
                spoilt = whole[:at] + content[:9] + whole[at + rng.randrange(40) :]
            (desk.folder / "bad").write_bytes(spoilt)
            before = desk.files()
            result = desk.pbem(*words)
            assert result.code in set(Exit) - {Exit.BUG}, (words, spoilt[:200], result)
            if result.code:
                assert desk.files() == before, (words, spoilt[:200], result)
            for name in desk.files().keys() - kept.keys():
                (desk.folder / name).unlink()
            assert desk.files() == kept, words


def test_the_commands_that_read_a_file_are_found() -> None:
    assert len(CASES) > 60 and ("read",) in dict(CASES) and ("key", "show") in dict(CASES)
