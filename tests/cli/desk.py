"""A folder in which a player sits and calls commands, in this process, and what they print."""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from pbem.cli.group import run
from pbem.gamefile.keys import KeyPair, key_fingerprint, private_file
from pbem.gamefile.public_keys import public_line

CHAPTER24 = Path(__file__).parents[2] / "examples" / "chapter24"
PLAYERS = ("ana", "beto", "eve")


def player_key(name: str) -> KeyPair:
    """The key of a player, the same in every run."""
    return KeyPair.from_seed(sha256(f"cli {name}".encode()).digest())


ANA, BETO, EVE = (key_fingerprint(player_key(name).public) for name in PLAYERS)
LARGE = 1 << 20


class Result(NamedTuple):
    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)

    def problems(self) -> list[dict[str, Any]]:
        """What `--json` says on the other channel."""
        found: list[dict[str, Any]] = json.loads(self.err)
        return found


class Desk:
    """A folder with the keys of three people; eve plays in no game."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def pbem(self, *words: str | Path, stdin: str = "") -> Result:
        """A command, called in the folder."""
        out, err = io.StringIO(), io.StringIO()
        before = os.getcwd()
        os.chdir(self.folder)
        code = None
        try:
            with (
                contextlib.redirect_stdout(out), contextlib.redirect_stderr(err),
                mock.patch("sys.stdin", io.StringIO(stdin)),
            ):  # fmt: skip
                run([str(word) for word in words])
        except SystemExit as left:
            code = left.code
        finally:
            os.chdir(before)
        assert isinstance(code, int)
        assert "Traceback" not in err.getvalue()
        return Result(code, out.getvalue(), err.getvalue())

    def done(self, *words: str | Path) -> str:
        """What a command prints that must go well."""
        result = self.pbem(*words)
        assert result.code == 0, result
        assert result.err == ""
        return result.out

    def refused(self, code: int, *words: str | Path) -> str:
        """What a command says that must be refused, without leaving a trace in the folder."""
        before = self.files()
        result = self.pbem(*words)
        assert result.code == code, result
        assert result.out == ""
        assert self.files() == before
        assert all(letter.isprintable() or letter == "\n" for letter in result.err)
        return result.err

    def files(self) -> dict[str, str | int]:
        """What the folder holds: each file's digest, or its size where it is large or no file."""
        found: dict[str, str | int] = {}
        folders = [""]
        while folders:
            under = folders.pop()
            with os.scandir(self.folder / under) as inside:
                for each in inside:
                    if each.is_dir(follow_symlinks=False) and each.name != ".home":
                        folders.append(f"{under}{each.name}/")
                    elif not each.is_dir():
                        found[under + each.name] = _digest(each)
        return found

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return Path(name)

    def orders(self, *lines: str, name: str = "orders.yaml") -> Path:
        """An orders file with one order in a line."""
        return self.write(name, "\n".join(["orders:", *(f"  - {line}" for line in lines), ""]))


def _digest(file: os.DirEntry[str]) -> str | int:
    size = file.stat(follow_symlinks=False).st_size
    if not file.is_file() or size > LARGE:
        return size
    with open(file.path, "rb") as read:
        return sha256(read.read()).hexdigest()


def lay_keys(folder: Path) -> None:
    """The same keys in every run."""
    for name in PLAYERS:
        key = player_key(name)
        (folder / f"{name}.key").write_bytes(private_file(key))
        (folder / f"{name}.key").chmod(0o600)
        (folder / f"{name}.key.pub").write_text(public_line(key.public, name))


@contextlib.contextmanager
def fixed_chance(proposal: bytes = b"\x11") -> Iterator[None]:
    """The fresh bytes of a proposal and an acceptance, the same in every run."""
    with (
        mock.patch("secrets.token_bytes", lambda count: proposal * count),
        mock.patch("pbem.cli.reply.os.urandom", lambda count: b"\x22" * count),
    ):
        yield


def begin(desk: Desk, *options: str, proposal: bytes = b"\x11") -> None:
    """g0 to g2: a Campaign proposed, accepted and begun; Ana (Nationalist) is asked for a card."""
    with fixed_chance(proposal):
        desk.done("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
                  "--opponent", "beto.key.pub", *options, "-o", "g0.json")  # fmt: skip
        desk.done("apply", "g0.json", "--key", "beto.key", "-o", "g1.json")
        desk.done("apply", "g1.json", "--key", "ana.key", "-o", "g2.json")
