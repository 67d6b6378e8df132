"""Every command tells in a line what it does and shows a call that works."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pbem.cli.commands import pbem
from pbem.cli.request import COMMANDS

HERE = Path(__file__).resolve().parents[2]


def command(name: str) -> click.Command:
    """The command of a name such as `apply` or `key show`."""
    found: click.Command | None = pbem
    for word in name.split():
        assert isinstance(found, click.Group)
        found = found.get_command(click.Context(found), word)
    assert found is not None
    return found


def below(name: str) -> list[str]:
    """The names of the commands of a group; none for a command that is no group."""
    group = command(name)
    return [f"{name} {word}" for word in group.commands] if isinstance(group, click.Group) else []


NAMES = [name for top in COMMANDS for name in (top, *below(top))]


@pytest.mark.parametrize("name", NAMES)
def test_a_command_has_a_line_of_help_and_an_example(name: str) -> None:
    result = CliRunner().invoke(pbem, [*name.split(), "--help"])
    assert result.exit_code == 0
    first, *_ = (command(name).help or "").splitlines()
    assert re.fullmatch(r"[A-Z].*[.]", first), f"{name}: {first!r}"
    assert f"Example: pbem {name}" in " ".join(result.output.split())


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_a_command_can_be_parsed_by_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    help_text = " ".join((command(name).help or "").split())
    example = help_text.partition("Example: ")[2].partition(" Example: ")[0]
    words = shlex.split(example)
    called = next(
        each for each in (*below(name), name) if words[1:][: len(each.split())] == each.split()
    )
    given = words[1 + len(called.split()) :]
    monkeypatch.chdir(tmp_path)
    for word in given:
        if "." in word and not word.startswith("-"):
            Path(word).touch()
    context = command(called).make_context(called, given)
    assert not context.args


@pytest.mark.parametrize("name", NAMES)
def test_every_option_says_what_it_is_for(name: str) -> None:
    silent = [
        option.opts[-1]
        for option in command(name).params
        if isinstance(option, click.Option) and not option.help
    ]
    assert silent == []


def test_every_module_of_a_command_is_listed() -> None:
    here = HERE / "pbem" / "cli"
    modules = {
        path.stem
        for path in here.glob("*.py")
        if path.stem != "__init__" and hasattr(import_module(f"pbem.cli.{path.stem}"), "command")
    }
    assert modules == {name.replace("-", "_") for name in COMMANDS}


def test_the_readme_lists_every_command() -> None:
    text = (HERE / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"pbem {name}" not in text] == []
