"""The `pbem` command itself, as click knows it: finds the module of a command."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise
from typing import Any

import click

from pbem import __version__
from pbem.cli import report, settings
from pbem.cli.click_texts import click_speaks
from pbem.cli.exits import Exit
from pbem.cli.languages import code_of_problems
from pbem.cli.options import known_to_click, no_command
from pbem.cli.request import COMMANDS, SECTIONS, DeclaredCommand, Misused
from pbem.messages import LANGUAGES, say
from pbem.platforms import quote
from pbem.problems import Problem
from pbem.text.wording import quoted, shown


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
            message = no_command(args[0], COMMANDS) or say(
                "there is no command {name}; pbem --help lists them all", name=quoted(args[0])
            )
            raise click.UsageError(report.for_reader(message), error.ctx) from None

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
            wrong = error.message.rstrip(".")
            told = say("{message}; did you mean {meant}?", message=wrong, meant=f"-{word}")
            return click.UsageError(report.for_reader(told), context)
    return error


def called(argv: list[str]) -> Exit:
    """Runs the command named by the words; returns how it ended."""
    settings.speak(_language_in(argv))
    click_speaks("en" if report.is_for_programs() else code_of_problems())
    try:
        # click hands back the code of an Exit here, or what a command returns: how it ended
        return Exit(pbem.main(args=argv, prog_name="pbem", standalone_mode=False) or Exit.DONE)
    except click.exceptions.Exit as left:
        return Exit(left.exit_code)
    except click.ClickException as error:
        return _told(_with_options_behind(_with_two_dashes(error, argv), argv), argv)
    except click.Abort:
        raise KeyboardInterrupt from None


def _with_options_behind(error: click.ClickException, argv: list[str]) -> click.ClickException:
    """Explains that options come behind their command, where one is written before it."""
    if not isinstance(error, click.NoSuchOption) or getattr(error.ctx, "command", None) is not pbem:
        return error
    name = next((at for at, word in enumerate(argv) if word in COMMANDS), None)
    if name is None:
        return error
    moved = " ".join(map(quote, argv[name:] + argv[:name]))
    told = say("options come behind the command: pbem {call}", call=shown(moved))
    return click.UsageError(report.for_reader(told), error.ctx)


def _language_in(argv: list[str]) -> str | None:
    """The language of --lang, looked for before click reads the words: it may refuse others."""
    named = [word.removeprefix("--lang=") for word in argv if word.startswith("--lang=")]
    named += [word for before, word in pairwise(argv) if before == "--lang"]
    return next((word for word in named if word in LANGUAGES), None)


def complained(fault: Misused, argv: list[str]) -> Exit:
    """Reports what was wrong with a call that was read without click."""
    above = click.Context(pbem, info_name="pbem")
    command = pbem.get_command(above, argv[0])
    assert command is not None
    context = click.Context(command, info_name=argv[0], parent=above)
    return _told(click.UsageError(report.for_reader(fault.said), context), argv)


def _told(error: click.ClickException, argv: list[str]) -> Exit:
    if report.wants_json(argv):
        report.problems((Problem("usage", error.format_message()),), as_json=True)
        return Exit.USAGE
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        report.warn(error.format_message())
        return Exit.USAGE
    context = getattr(error, "ctx", None)
    if context is not None:
        lines = context.make_formatter()
        words = " ".join(context.command.collect_usage_pieces(context))
        lines.write_usage(context.command_path, words, report.worded(say("Usage:")) + " ")
        report.warn(lines.getvalue().rstrip("\n"))
        report.warn(say("Try '{command} --help' for help.", command=context.command_path))
        report.warn("")
    report.warn(say("Error: {message}", message=error.format_message()))
    return Exit.USAGE
