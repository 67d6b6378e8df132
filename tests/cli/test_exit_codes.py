"""The same mistake ends with the same exit code in every command."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import pytest

from pbem.cli.commands import pbem
from pbem.gamefile.keys import private_file
from tests.cli.conftest import at_home
from tests.cli.desk import CHAPTER24, Desk, player_key
from tests.cli.test_wrong_files import RULING

ANA, BETO = ("--key", "ana.key"), ("--key", "beto.key")
ORDERS = str(CHAPTER24 / "01-nationalist.yaml")
GOOD: Mapping[str, tuple[str, ...]] = {
    "init": (),
    "games": ("crusade",),
    "new": ("crusade", "campaign", "--side", "republican", *ANA, "--opponent", "beto.key.pub"),
    "solo": ("crusade", "campaign"),
    "form": ("g2.json", *ANA),
    "check": ("g2.json", ORDERS, *ANA),
    "odds": ("g2.json", ORDERS, *ANA),
    "board": ("g2.json", *ANA),
    "turn": ("g2.json", *ANA),
    "apply": ("g2.json", ORDERS, *ANA),
    "status": ("g2.json", *ANA),
    "show": ("g2.json", *ANA),
    "cards": ("g2.json", *ANA),
    "log": ("g2.json", *ANA),
    "summary": ("g2.json", *ANA),
    "luck": ("g2.json", *ANA),
    "rules": ("crusade",),
    "mail": ("g2.json",),
    "read": ("g2.json", *ANA),
    "offer": ("g2.json", "draw", *ANA),
    "answer": ("g2.json", "yes", ORDERS, *ANA),
    "resign": ("g2.json", "--yes", *ANA),
    "claim": ("g2.json", *ANA),
    "keygen": ("--no-passphrase",),
    "key export": ("ana.key", "--paper", "-o", "sheet.txt"),
    "key restore": ("sheet.txt", "--out", "x.key", "--no-passphrase"),
    "key show": ("ana.key",),
    "contacts forget": ("beto",),
    "contacts mail": ("beto", "b@example.org"),
    "rotate": ("g2.json", *ANA, "--to", "eve.key"),
    "deputy": ("g2.json", *ANA, "--to", "eve.key.pub"),
    "ruling": ("g2.json", *ANA, "--enter", "ruling.json"),
    "verify": ("g2.json",),
    "audit": ("g2.json", *ANA),
    "dice": ("g2.json", *ANA),
    "prove-fork": ("g2.json", "g3.json"),
    "data": ("crusade", "."),
}  # fmt: skip
"""A call of each command, with its first words in the order of its arguments."""
INSTEAD: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("verify", "--many"): (),
    ("offer", "orders_file"): ("g2.json", "draw", ORDERS, *ANA),
    ("ruling", "--seat"): ("g2.json", *ANA),
}
"""Calls where a place does not go with those above."""


def _commands(group: click.Group, above: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _commands(command, f"{above}{name} ")
        else:
            yield f"{above}{name}", command


def _is_read(parameter: click.Parameter) -> bool:
    """Whether it names what must be there: options write only files with names of their own."""
    kind = parameter.type
    is_written = type(kind) is not click.Path or {"-o", "--output"} & {*parameter.opts}
    return isinstance(kind, click.Path) and not is_written


def _read() -> Iterator[tuple[str, str, int]]:
    """Each place where a command reads a file or folder: the option, or the place of the word."""
    for name, command in _commands(pbem):
        at = 0
        for parameter in command.params:
            if isinstance(parameter, click.Argument):
                if _is_read(parameter):
                    yield name, parameter.opts[0], at
                at += 1
            elif _is_read(parameter):
                yield name, parameter.opts[-1], -1


def _called(name: str, option: str, at: int, file: str) -> tuple[str, ...]:
    words = INSTEAD.get((name, option), GOOD[name])
    if at >= 0:
        return (*name.split(), *words[:at], file, *words[at + 1 :])
    if option in words:
        at = words.index(option)
        words = (*words[:at], *words[at + 2 :])
    elif option == "--orders":
        words = (words[0], *(word for word in words[1:] if word != ORDERS))
    return (*name.split(), *words, option, file)


@pytest.fixture(scope="module")
def at_desk(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("codes") / "desk"
    shutil.copytree(played, folder)
    with pytest.MonkeyPatch.context() as patch:
        desk = at_home(folder, patch)
        desk.pbem("key", "export", "--paper", "eve.key", "-o", "sheet.txt")
        desk.write("ruling.json", RULING)
        (folder / "locked.key").write_bytes(private_file(player_key("ana"), b"right"))
        (folder / "locked.key").chmod(0o600)
        yield desk


def test_a_call_of_every_command_is_in_the_table() -> None:
    assert {name for name, _ in _commands(pbem)} == set(GOOD)


@pytest.mark.parametrize(("name", "option", "at"), [*_read()])
def test_what_is_not_there_is_wrong_usage_in_every_command(
    at_desk: Desk, name: str, option: str, at: int
) -> None:
    for file in ("nowhere.json", "g22.json"):
        told = at_desk.refused(2, *_called(name, option, at, file))
        assert file in told, (name, told)


SIGN = ("new", "apply", "offer", "answer", "resign", "claim", "rotate", "deputy", "audit")
WITH_KEY = [name for name, words in GOOD.items() if "--key" in words]


@pytest.mark.parametrize("name", [each for each in WITH_KEY if each not in ("new", "read")])
def test_a_key_of_nobody_in_the_game_is_no_wrong_usage(at_desk: Desk, name: str) -> None:
    words = ("eve.key" if word == "ana.key" else word for word in GOOD[name])
    told = at_desk.refused(1, *name.split(), *words)
    assert ": this key belongs to neither player of this game\n" in told


@pytest.mark.parametrize("name", SIGN)
def test_a_passphrase_that_does_not_open_the_key_is_no_wrong_usage(
    at_desk: Desk, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "wrong")
    words = ("locked.key" if word == "ana.key" else word for word in GOOD[name])
    told = at_desk.refused(1, name, *words)
    assert told == "locked.key: the key file does not open: wrong passphrase, or damaged\n"


@pytest.mark.parametrize(("words", "said"), [
    (("new", "crusade", "campaign", "--side", "republican", *ANA, "--opponent", "ana.key.pub"),
     "ana.key.pub: that is your own key"),
    (("rotate", "g2.json", *ANA, "--to", "ana.key"), "that is the key you use now"),
    (("apply", "g0.json", *BETO, "--spare", "beto.key.pub"), "this key has, or had, another place"),
])  # fmt: skip
def test_the_own_key_in_place_of_another_is_refused(
    at_desk: Desk, words: tuple[str, ...], said: str
) -> None:
    assert said in at_desk.refused(1, *words)


@pytest.mark.parametrize("words", [("status", "empty"), ("status", "empty", "--json")])
def test_a_folder_without_a_game_is_wrong_usage_as_without_its_name(
    at_desk: Desk, words: tuple[str, ...]
) -> None:
    (at_desk.folder / "empty").mkdir(exist_ok=True)
    told = at_desk.pbem(*words)
    assert told.code == 2 and "there is no game in this folder" in told.err
    assert told.out in ("", '{\n "games": [],\n "others": [],\n "problems": []\n}\n')


ASKED = {
    "check": ("g2.json", "{}"), "odds": ("g2.json", "{}"), "apply": ("g2.json", "{}", *ANA),
    "form": ("g2.json", "--after", "{}"), "turn": ("g2.json", "--orders", "{}", *ANA, "--yes"),
}  # fmt: skip
"""The commands that take orders, each as it takes a file that is named."""


@pytest.mark.parametrize(("file", "code", "said"), [
    ("ordres.yaml", 2, "cannot be read: no such file or directory\n      hint: did you mean o"),
    ("sub/none.yaml", 2, "the orders file cannot be read: no such file or directory\n      hint: "
     "'pbem form' writes one to fill in"),
    ("large.yaml", 1, "has 70,000 bytes, and the limit is"),
    ("unfilled.yaml", 1, "fill in this order: you are asked to activate"),
    ("slip.yaml", 1, "slip.yaml:2:"),
])  # fmt: skip
def test_an_orders_file_with_one_fault_ends_every_command_alike(
    at_desk: Desk, file: str, code: int, said: str
) -> None:
    at_desk.write("orders.yaml", "orders: []\n")
    at_desk.write("large.yaml", "#" * 70000)
    at_desk.write("slip.yaml", "orders:\n  - dance\n")
    if not (at_desk.folder / "unfilled.yaml").exists():
        at_desk.done("form", "g2.json", *ANA, "-o", "unfilled.yaml")
    for name, words in ASKED.items():
        before = at_desk.files()
        told = at_desk.pbem(name, *(word.replace("{}", file) for word in words))
        assert told.code == code and said in told.err, (name, told)
        assert at_desk.files() == before


@pytest.mark.parametrize("words", [("check", "{}"), ("odds", "{}"), ("apply", "{}", *ANA)])
@pytest.mark.parametrize("file", ["none.yaml", "sub/none.yaml", "../none.txt"])
def test_orders_that_are_not_there_are_not_called_a_game(
    keys: Desk, words: tuple[str, ...], file: str
) -> None:
    keys.done("solo", "crusade", "campaign", "--seed", "a", "-o", "solo.json")
    told = keys.refused(2, *(word.replace("{}", file) for word in words))
    assert told.startswith(f"{file}: the orders file cannot be read: no such file")
