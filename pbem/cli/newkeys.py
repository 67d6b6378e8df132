"""Keys beside the one that signs: the retired one that has the secrets, the spare one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pbem.cli import files
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import load_public
from pbem.problems import Problem, Refused, Span

F = TypeVar("F", bound=Callable[..., Any])
FILE = click.Path(dir_okay=False, path_type=Path)
_NAMED: dict[str, Path] = {}


def _name(context: click.Context, parameter: click.Parameter, path: Path | None) -> None:
    _NAMED.pop(str(parameter.name), None)
    if path is not None:
        _NAMED[str(parameter.name)] = path


secrets_option = click.option(
    "--secrets", type=FILE, callback=_name, expose_value=False,
    help="After pbem rotate: the key the game began with, for its secrets.",
)  # fmt: skip
spare_option = click.option(
    "--spare", type=FILE, callback=_name, expose_value=False,
    help="Public key of a spare key of yours, which may replace a lost one.",
)  # fmt: skip


def secrets_file() -> Path | None:
    """The private key named by --secrets, if one was."""
    return _NAMED.get("secrets")


def spare() -> bytes | None:
    """The public key named by --spare, if one was. Raises Refused for a file that is none."""
    path = _NAMED.get("spare")
    if path is None:
        return None
    try:
        public, _ = load_public(files.read_bytes(path, files.KEY_LIMIT, "the spare key"))
    except FileRefused as refused:
        raise Refused(
            *(
                Problem(each.code, each.message, Span(str(path), 0, 0), each.rule, each.hint)
                for each in refused.problems
            )
        ) from None
    return public
