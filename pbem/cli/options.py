"""The options that several commands share, for click, made from the table of request.py."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from pbem.cli import files, folder, kinds, report, request, settings
from pbem.cli.fast_path import MOST_DIGITS
from pbem.cli.request import DASH, LANG, OPTIONS, DeclaredCommand, Misused, OptionRow, filled
from pbem.messages import Said, either, say
from pbem.text.wording import may_be, quoted
from pbem.words import closest

GAME = click.Path(dir_okay=False, path_type=Path)
OF_ORDERS = (".yaml", ".yml", ".txt")
"""How the names of files of orders end."""
ORDERS = click.argument("orders", metavar="ORDERS", type=GAME, required=False)


def no_command(name: str, known: Iterable[str]) -> Said:
    """The message for a word that is no command: with the nearest one; empty if none is like it."""
    near = closest(name, known)
    if not near:
        return ""
    return say(
        "there is no command {name}; did you mean '{meant}'?", name=quoted(name), meant=near[0]
    )


class Group(click.Group):
    """A command with commands of its own: for another word it names the nearest, or all."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if not args or args[0][:1] == "-":
                raise
            there = self.list_commands(ctx)
            told = no_command(args[0], there) or say(
                "there is no command {name} here; {there}",
                name=quoted(args[0]),
                there=may_be(there),
            )
            raise click.UsageError(report.for_reader(told), error.ctx) from None


class Number(click.ParamType):
    """A whole number, from `least` on."""

    name = "number"

    def __init__(self, least: int) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = str(value)
        is_number = text.removeprefix("-").isdecimal() and len(text) <= MOST_DIGITS
        if not is_number or int(text) < self.least:
            told = say(
                "write a whole number, {least} or more, not {text}",
                least=self.least, text=quoted(text),
            )  # fmt: skip
            self.fail(report.for_reader(told), param, ctx)
        return int(text)


class _NewFile(click.Path):
    """A file to be written that must have a name, because what is signed is recorded with it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) == DASH:
            told = say(
                "this is never written to standard output: name a file (./- for one called -)"
            )
            self.fail(report.for_reader(told), param, ctx)
        return super().convert(value, param, ctx)


NEW_FILE = _NewFile(dir_okay=False, path_type=Path)
PRINTABLE = click.Path(dir_okay=False, allow_dash=True, path_type=Path)
"""A file to be written; - is standard output."""

FOLDER = click.Path(file_okay=False, path_type=Path)

TYPES: dict[str, click.ParamType | None] = {
    request.FILE: GAME, request.NEW_FILE: NEW_FILE, request.PRINTABLE: PRINTABLE,
    request.FOLDER: FOLDER, request.PLACE: click.Path(path_type=Path),
    request.HANDLE: Number(0), request.TEXT: None, request.FLAG: None,
}  # fmt: skip

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]


def takes(*rows: str | Decorator, usual_key: bool = True, usual_lang: bool = True) -> Decorator:
    """Gives a command its options and arguments, in the order of its help.

    They are rows of the table by their names, and the command's own click decorators. The command
    is called with a Request of the former. If no game is named, it is the only one in the folder;
    if no key is named, the one of its settings. Without `usual_key` only a named key counts.
    `usual_lang`: it has the option --lang, as nearly every command.
    """
    names = [row for row in rows if isinstance(row, str)]
    added = (*rows, row_of_click("lang", LANG)) if usual_lang else rows

    def decorated(command: Command) -> Command:
        @wraps(command)
        def called(*args: Any, **given: Any) -> Any:
            if "game_file" in names:
                _told_by_click(_name_the_game, given)
            if usual_key and "key_file" in names and given["key_file"] is None:
                given["key_file"] = settings.here().key
            if usual_lang:
                settings.speak(given.pop("lang"))
            asked = filled({name: given.pop(name) for name in names})
            return _told_by_click(command, *args, asked, **given)

        known: Command = called
        for row in reversed(added):
            add = row_of_click(row, OPTIONS[row]) if isinstance(row, str) else row
            known = add(known)
        return known

    return decorated


class LaterChoice(click.Choice[str]):
    """A word after the game, which is judged only when it is known whether a game was named."""

    def __init__(self, choices: Sequence[str], what: Said) -> None:
        super().__init__(choices)
        self.what = what

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value

    def judged(self, value: Any) -> str:
        """The word that was chosen; a hyphen in it is left out. Raises Misused for others."""
        meant = str(value or "").replace("-", "")
        if meant not in self.choices:
            words = either(self.choices)
            raise Misused(
                say(
                    "{what} is {words}, not {given}",
                    what=self.what,
                    words=words,
                    given=quoted(str(value)),
                )
                if value
                else say("{what} is {words}: write one of these words", what=self.what, words=words)
            )
        return meant


def _name_the_game(given: dict[str, Any]) -> None:
    """Inserts the game of the folder if no game is named: then the words are one place early."""
    context = click.get_current_context()
    words = [each for each in context.command.params if isinstance(each, click.Argument)]
    names = [str(each.name) for each in words]
    first = given["game_file"]
    if (
        first is not None
        and len(words) > 1
        and given[names[-1]] is None
        and not is_game(first, names[1])
    ):
        early = [None, *(given[name] for name in names[:-1])]
        for name, word, each in zip(names, words, early, strict=True):
            given[name] = None if each is None else word.type_cast_value(context, str(each))
    for name, word in zip(names, words, strict=True):
        if isinstance(word.type, LaterChoice):
            given[name] = word.type.judged(given[name])
    if given["game_file"] is None:
        given["game_file"] = folder.only_game(given.get("key_file"))


def is_game(path: Path, behind: str = "") -> bool:
    """Whether a word names a game file, existing or not, rather than the argument `behind`."""
    if os.path.exists(path):  # false for a name that is too long, where Path.exists fails
        if not behind.startswith("orders"):
            return True
        kind = kinds.kind_of(files.beginning(path, kinds.MOST_LOOKED_AT), "")[0]
        return kind != kinds.ORDERS and (kind != "" or path.suffix not in OF_ORDERS)
    if path.suffix in (".json", ".gz", ".pbem"):
        return True
    # A name of a game may have a slash in it: R-AMarty/12 lies in no folder.
    return (
        os.path.isdir(path.parent)
        and len(path.parts) > 1
        and not (behind.startswith("orders") and path.suffix in OF_ORDERS)
    )


def _games(context: click.Context, parameter: click.Parameter, begun: str) -> list[Any]:
    """The newest file of each game in this folder; any file if there is none."""
    from pbem.cli import choices

    found = choices.completes(choices.games)(context, parameter, begun)
    return found or parameter.type.shell_complete(context, parameter, begun)


def completes_systems(context: click.Context, parameter: click.Parameter, begun: str) -> list[Any]:
    """The games that a word may name."""
    from pbem.cli import choices

    return list(choices.completes(choices.systems)(context, parameter, begun))


def known_to_click(declared: DeclaredCommand) -> click.Command:
    """A declared command as click knows it."""

    def called(**given: Any) -> Any:
        if "game_file" in declared.rows:
            _told_by_click(_name_the_game, given)
        return _told_by_click(declared.called, given)

    called.__doc__ = declared.run.__doc__
    known: Command = called
    for name, row in reversed(declared.rows.items()):
        known = row_of_click(name, row)(known)
    return click.command(declared.name)(known)


def _told_by_click(command: Command, *args: Any, **given: Any) -> Any:
    """Calls a command. Raises UsageError if it was called wrongly."""
    try:
        return command(*args, **given)
    except Misused as fault:
        raise click.UsageError(report.for_reader(fault.said)) from None


def _type_of(row: OptionRow) -> click.ParamType | None:
    match row.kind:
        case request.NUMBER:
            return Number(row.least)
        case request.CHOICE:
            return click.Choice(row.choices)
    return TYPES[row.kind]


def row_of_click(name: str, row: OptionRow) -> Decorator:
    """A row of the table as click knows it, for a command of click's own."""
    kind = _type_of(row)
    if not row.words:
        return click.argument(
            name, metavar=row.metavar, type=kind, required=row.is_needed,
            shell_complete=_games if name == "game_file" else None,
        )  # fmt: skip
    return click.option(
        *row.words, name, metavar=row.metavar, type=kind, help=row.help, envvar=row.variable,
        is_flag=row.kind == request.FLAG, multiple=row.is_repeated, default=row.default,
        show_default=row.kind == request.CHOICE,
    )  # fmt: skip
