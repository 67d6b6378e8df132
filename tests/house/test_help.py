"""Every command tells in a line what it does and shows a call that works."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pbem.cli import COMMANDS
from pbem.cli.group import pbem

HERE = Path(__file__).resolve().parents[2]


def command(name: str) -> click.Command:
    found = pbem.get_command(click.Context(pbem), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_line_of_help_and_an_example(name: str) -> None:
    result = CliRunner().invoke(pbem, [name, "--help"])
    assert result.exit_code == 0
    first, *_ = (command(name).help or "").splitlines()
    assert re.fullmatch(r"[A-Z].*[.]", first), f"{name}: {first!r}"
    assert f"Example: pbem {name}" in " ".join(result.output.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_of_a_command_can_be_parsed_by_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    help_text = " ".join((command(name).help or "").split())
    example = help_text.partition("Example: ")[2].partition(" Example: ")[0]
    words = shlex.split(example)
    assert words[:2] == ["pbem", name]
    monkeypatch.chdir(tmp_path)
    for word in words[2:]:
        if "." in word and not word.startswith("-"):
            Path(word).touch()
    context = command(name).make_context(name, words[2:])
    assert not context.args


@pytest.mark.parametrize("name", COMMANDS)
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
