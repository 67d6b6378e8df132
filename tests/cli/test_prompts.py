"""A passphrase is typed where a secret is needed, never for what is public, and once a command.

Each command is run in a terminal of its own, with a key that is locked, and its prompts counted.
"""

from __future__ import annotations

import os
import pty
import select
import sys
from functools import cache
from pathlib import Path

import pytest

from pbem.cli.group import run
from pbem.gamefile.keys import KeyPair, private_file
from tests.cli.conftest import at_home
from tests.cli.desk import CHAPTER24, Desk, begin, lay_keys, player_key
from tests.cli.forked import ended, forked

PROMPT = "Passphrase of "
LEFT_OUT = "what only you may know is left out, for your key is locked: --key ana.key"


def typed(desk: Desk, *words: str) -> tuple[int, str]:
    """How often a command asks for the passphrase, which is typed, and what it shows."""
    ours, theirs = pty.openpty()

    def called() -> int:
        os.setsid()  # so that there is no other terminal to ask at
        for handle in range(3):
            os.dup2(theirs, handle)
        sys.stdin = os.fdopen(0)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        os.chdir(desk.folder)
        os.environ["COLUMNS"] = "200"
        try:
            run([*words])
        except SystemExit as left:
            sys.stdout.flush()
            assert isinstance(left.code, int)
            return left.code

    child = forked(called)
    os.close(theirs)
    shown, answered = b"", 0
    while select.select([ours], [], [], 60)[0]:
        try:
            more = os.read(ours, 4096)
        except OSError:  # the other side is gone
            break
        if not more:
            break
        shown += more
        while shown.count(PROMPT.encode()) > answered and shown.rstrip().endswith(b":"):
            os.write(ours, b"secret\n")
            answered += 1
    os.close(ours)
    told = shown.decode().replace("\r\n", "\n")
    assert ended(child) == 0, told
    return told.count(PROMPT), told


@cache
def locked(name: str) -> bytes:
    """The key of a player as a file that is locked, which is meant to take long."""
    return private_file(player_key(name), b"secret")


def lock(desk: Desk) -> None:
    for name in ("ana", "beto"):
        path = desk.folder / f"{name}.key"
        path.write_bytes(locked(name))
        path.chmod(0o600)


@pytest.fixture
def open_hands(desk: Desk) -> Desk:
    """g2 to g4, with open hands: only dice are a secret, in g3, where Beto's value opens them."""
    lock(desk)
    desk.done("init", "--key", "ana.key", "--name", "Ana")
    return desk


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with sealed hands up to its first question about cards, in a folder."""
    folder = tmp_path_factory.mktemp("dealt")
    with pytest.MonkeyPatch.context() as patch:
        desk = at_home(folder, patch)
        lay_keys(folder)
        begin(desk)
        at = 2
        for player in ("beto", "ana", "beto", "ana"):
            found = desk.pbem("apply", f"g{at}.json", "--key", f"{player}.key",
                              "-o", f"g{at + 1}.json")  # fmt: skip
            at += found.code == 0
        (folder / f"g{at}.json").rename(folder / "g.json")
    return folder


@pytest.fixture
def sealed(dealt: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = at_home(dealt, monkeypatch)
    lock(desk)
    if not (dealt / "pbem.toml").exists():
        desk.done("init", "--key", "ana.key", "--name", "Ana")
    return desk


ORDERS = str(CHAPTER24 / "01-nationalist.yaml")


@pytest.mark.parametrize("words", [
    ("show",), ("show", "g2.json", "madrid"), ("show", "g4.json", "--since", "2"), ("status",),
    ("cards",), ("form",), ("check", "g2.json", ORDERS), ("odds", "g2.json", ORDERS), ("log",),
    ("luck",), ("dice",), ("summary", "g4.json"), ("turn", "g2.json"),
])  # fmt: skip
def test_what_is_public_needs_no_passphrase(open_hands: Desk, words: tuple[str, ...]) -> None:
    """Not even with --key: there is nothing that this key would add."""
    command, *more = words
    for key in ((), ("--key", "ana.key")):
        (open_hands.folder / "g2.orders.yaml").unlink(missing_ok=True)
        count, told = typed(open_hands, command, *(more or ["g2.json"]), *key)
        assert count == 0, told
        assert "left out" not in told


@pytest.mark.parametrize("command", ["show", "status", "cards", "log", "luck", "dice", "summary"])
def test_what_is_decided_ahead_takes_it_once(open_hands: Desk, command: str) -> None:
    """One view of the game: the dice of the next mail are shown, and the key is opened for them."""
    count, told = typed(open_hands, command, "g3.json", "--key", "beto.key")
    assert count == 1, told
    assert typed(open_hands, command, "g3.json")[0] == 0  # Ana's mail is not the next


def test_a_turn_that_signs_asks_once(open_hands: Desk) -> None:
    (open_hands.folder / "n.yaml").write_bytes((CHAPTER24 / "01-nationalist.yaml").read_bytes())
    assert typed(open_hands, "turn", "g2.json", "--orders", "n.yaml", "--yes")[0] == 1
    assert typed(open_hands, "apply", "g3.json", "--key", "beto.key", "-o", "n.json")[0] == 1


def test_a_hidden_hand_takes_a_key_that_is_named(sealed: Desk) -> None:
    for command in ("show", "status"):
        count, told = typed(sealed, command, "g.json")
        assert count == 0 and LEFT_OUT in " ".join(told.split()), told
        count, told = typed(sealed, command, "g.json", "--key", "ana.key")
        assert count == 1 and "left out" not in told, told
    for words in (("show", "g.json", "madrid"), ("log", "g.json"), ("summary", "g.json")):
        count, told = typed(sealed, *words)
        assert count == 0 and "left out" not in told, told
    assert typed(sealed, "cards", "g.json")[0] == 1


def test_a_wrong_half_is_no_key(open_hands: Desk) -> None:
    """A locked file that names Ana and holds Eve's seed opens nothing of Ana's."""
    eve, ana = player_key("eve"), player_key("ana")
    from pbem.cli.locked import LockedKey

    assert LockedKey(ana.public, lambda: ana).seed == ana.seed
    calls: list[int] = []

    def opened() -> KeyPair:
        calls.append(1)
        return eve

    counted = LockedKey(eve.public, opened)
    assert counted.is_closed and counted.public == eve.public and not calls
    assert counted.seed == eve.seed == counted.seed and calls == [1] and not counted.is_closed
