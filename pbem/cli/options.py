"""The arguments that several commands take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pbem.cli import keyfiles, newkeys, passing

GAME = click.Path(dir_okay=False, path_type=Path)


class _NewFile(click.Path):
    """A file to be written that must have a name: what is signed is recorded with it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) == DASH:
            self.fail("this is never written to standard output: name a file (./- is one called -)",
                      param, ctx)  # fmt: skip
        return super().convert(value, param, ctx)


DASH = "-"
NEW_FILE = _NewFile(dir_okay=False, path_type=Path)
PRINTABLE = click.Path(dir_okay=False, allow_dash=True, path_type=Path)
"""A file to be written; - is standard output."""


def is_printed(output: Path | None, as_json: bool) -> bool:
    """Whether -o sends a file to standard output. Raises UsageError where --json would, too."""
    if output is None or str(output) != DASH:
        return False
    if as_json:
        raise click.UsageError("-o - and --json both print to standard output: choose one")
    return True


F = TypeVar("F", bound=Callable[..., Any])


def _take_from(context: click.Context, parameter: click.Parameter, handle: int | None) -> None:
    keyfiles.take_from(handle)


passphrase_option = click.option(
    "--passphrase-fd", metavar="N", type=click.IntRange(0), callback=_take_from,
    expose_value=False,
    help="Read the passphrase from this file descriptor; for scripts, as is PBEM_PASSPHRASE.",
)  # fmt: skip


def _name(
    context: click.Context, parameter: click.Parameter, found: Path | tuple[Path, ...] | None
) -> None:
    paths = found if isinstance(found, tuple) else () if found is None else (found,)
    newkeys.name(str(parameter.name), *paths)


secrets_option = click.option(
    "--secrets", type=GAME, callback=_name, expose_value=False, multiple=True,
    help="After pbem rotate: the key the game began with, for its secrets. May be repeated.",
)  # fmt: skip
spare_option = click.option(
    "--spare", type=GAME, callback=_name, expose_value=False,
    help="Public key of your spare key, which may replace a lost one.",
)  # fmt: skip
_key_option = click.option(
    "--key", "key_file", type=GAME, help="Your private key file (OpenSSH format)."
)


def key_option(command: F) -> F:
    """`--key`, how its passphrase comes, and the first key of the game where that was replaced."""
    return _key_option(passphrase_option(secrets_option(command)))


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _offer(context: click.Context, parameter: click.Parameter, folder: Path | None) -> None:
    from pbem.play.systems import offer

    offer(folder)


data_option = click.option(
    "--data", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), envvar="PBEM_DATA",
    callback=_offer, expose_value=False,
    help="Your own data, laid over ours; also PBEM_DATA. A copy is kept: say it once.",
)  # fmt: skip
opponent_option = click.option(
    "--opponent", metavar="NAME", help="Who your opponent is: a contact's name, or their public "
    "key file. Their key is pinned to the name; with another key they are refused.",
)  # fmt: skip
last_option = click.option(
    "--last", type=GAME, help="The last file you sent; an older position is refused."
)


def _pass_over(context: click.Context, parameter: click.Parameter, yes: bool) -> None:
    passing.wanted(yes)


pass_over_option = click.option(
    "--pass-over", is_flag=True, callback=_pass_over, expose_value=False,
    help="Ignore the last entries, written beside your turn; this makes them void.",
)  # fmt: skip
output_option = click.option(
    "-o", "--output", type=NEW_FILE, help="The game file to write; by default a name is made up."
)


def _without_record(context: click.Context, parameter: click.Parameter, allowed: bool) -> None:
    from pbem.cli.signing import without_record

    without_record(allowed)


no_record_option = click.option(
    "--no-record", is_flag=True, callback=_without_record, expose_value=False,
    help="Sign even if no record of it can be kept; otherwise that is refused.",
)  # fmt: skip


def signing_options(command: F) -> F:
    """How the key is named, where the file goes, and what it is held against."""
    options = output_option(last_option(pass_over_option(no_record_option(json_option(command)))))
    return data_option(key_option(options))


def entry_options(command: F) -> F:
    """GAME and the options of every command that adds an entry by a key and needs no more."""
    return click.argument("game_file", metavar="GAME", type=GAME)(signing_options(command))
