"""The `pbem` command itself, as click knows it: finds the module of a command."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from pbem import __version__
from pbem.cli import COMMANDS, SECTIONS, report
from pbem.cli.exits import Exit
from pbem.cli.options import known_to_click
from pbem.cli.request import DeclaredCommand, Misused
from pbem.problems import Problem
from pbem.text.wording import quoted

CUTOFF = 0.7
"""How like a command a word must be for that to be suggested."""


class Commands(click.Group):
    """Loads a command's module only when it is called or its own help is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = import_module(f"pbem.cli.{name.replace('-', '_')}")
        command: click.Command | DeclaredCommand = module.command
        return known_to_click(command) if isinstance(command, DeclaredCommand) else command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1, cutoff=CUTOFF)
            meant = f"did you mean '{near[0]}'?" if near else "pbem --help lists them all"
            message = f"there is no command {quoted(args[0])}; {meant}"
            raise click.UsageError(message, error.ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{width}}", line) for name, line in commands.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pbem", message="%(prog)s %(version)s")
def pbem() -> None:
    """A referee for two people who play a board wargame by e-mail and trust nobody.

    It reads a signed game file and your orders, checks every order against the numbered rules,
    rolls dice that neither player could foresee or choose, and writes the next game file.

    Example: pbem apply game.pbem.json orders.yaml --key me.key
    """


def _with_two_dashes(error: click.ClickException, argv: list[str]) -> click.ClickException:
    """Explains that a long option has two dashes: click reads one dash as letters."""
    context = getattr(error, "ctx", None)
    if context is None:
        return error
    known = [name for each in context.command.params for name in each.opts if name[:2] == "--"]
    for word in argv:
        if word[:1] == "-" and f"-{word}" in known:
            return click.UsageError(f"{error.message}; did you mean -{word}?", context)
    return error


def called(argv: list[str]) -> Exit:
    """Runs the command named by the words; returns how it ended."""
    try:
        # click hands back the code of an Exit here, or what a command returns: how it ended
        return Exit(pbem.main(args=argv, prog_name="pbem", standalone_mode=False) or Exit.DONE)
    except click.exceptions.Exit as left:
        return Exit(left.exit_code)
    except click.ClickException as error:
        return _told(_with_two_dashes(error, argv), argv)
    except click.Abort:
        raise KeyboardInterrupt from None


def complained(fault: Misused, argv: list[str]) -> Exit:
    """Reports what was wrong with a call that was read without click."""
    above = click.Context(pbem, info_name="pbem")
    command = pbem.get_command(above, argv[0])
    assert command is not None
    context = click.Context(command, info_name=argv[0], parent=above)
    return _told(click.UsageError(str(fault), context), argv)


def _told(error: click.ClickException, argv: list[str]) -> Exit:
    if report.wants_json(argv):
        report.problems((Problem("usage", error.format_message()),), as_json=True)
    else:
        error.show()
    return Exit.USAGE
