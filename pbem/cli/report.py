"""What a command prints, and where.

Results go to standard output, problems to standard error: `file:line:column: message [rule N]`,
lower case, no full stop, then the line with a caret and a hint. With `--json` both are JSON.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

import click

from pbem.cli.exits import Exit
from pbem.gamefile.errors import FileRefused
from pbem.problems import Problem, Refused

NOT_THE_FILE = frozenset({"E-TURN", "E-ORDER", "E-KEY"})
"""Refusals of what a player wants to write; the file itself may be sound."""


class Unverified(Refused):
    """The game file does not verify, whatever the class of the fault."""


def exit_code(refused: Refused) -> Exit:
    """3 for a file that does not verify, 1 for whatever else was refused."""
    if isinstance(refused, Unverified):
        return Exit.UNVERIFIED
    if isinstance(refused, FileRefused) and refused.code not in NOT_THE_FILE:
        return Exit.UNVERIFIED
    return Exit.PROBLEMS


def problems(found: Iterable[Problem], *, as_json: bool) -> None:
    """All problems of a pass, together, on standard error."""
    if as_json:
        click.echo(json.dumps([problem.plain() for problem in found], ensure_ascii=False), err=True)
        return
    from pbem.text.source import render_all

    click.echo(render_all(found), err=True)


def as_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=1))


def say(*lines: str) -> None:
    """Lines of a result; what could move a terminal's cursor is shown, not done."""
    from pbem.text.wording import shown

    for line in lines:
        click.echo(shown(line))


def own_fault(fault: Exception) -> None:
    """A fault of ours: said plainly, with a traceback only for those who ask for it."""
    import traceback

    where = traceback.extract_tb(fault.__traceback__)[-1]
    click.echo(
        f"pbem: a fault of the program, not yours ({type(fault).__name__}: {str(fault)[:200]}, "
        f"at {os.path.basename(where.filename)}:{where.lineno}); nothing was written",
        err=True,
    )
    click.echo("  hint: set PBEM_DEBUG=1 to see where, and send that with your two files", err=True)
    if os.environ.get("PBEM_DEBUG"):
        traceback.print_exception(fault)


def leave(code: Exit) -> NoReturn:
    """Ends the process without tearing down what the system takes back anyway."""
    sys.stdout.flush()
    sys.stderr.flush()
    raise SystemExit(int(code))
