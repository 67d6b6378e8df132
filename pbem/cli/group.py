"""Runs one command, and turns whatever goes wrong in it into an exit code."""

from __future__ import annotations

import errno
from typing import NoReturn

from pbem.cli import files, report
from pbem.cli.exits import Exit
from pbem.cli.fast_path import fast_call
from pbem.cli.request import Misused
from pbem.messages import say
from pbem.problems import Refused

NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EIO)
"""The errors of a full disk when printing to a file."""


def run(argv: list[str]) -> NoReturn:
    """Runs one command and exits."""
    files.written.clear()
    report.fit_streams()
    as_json = report.wants_json(argv)
    report.speak_to_programs(as_json)
    try:
        code = _called(argv)
    except (KeyboardInterrupt, EOFError):
        report.end_line()
        report.warn(
            say("stopped; {left_behind}", left_behind=report.left_behind(files.written)), "stopped"
        )
        code = Exit.PROBLEMS
    except Refused as refused:
        report.problems(refused.problems, as_json=as_json)
        code = report.exit_code(refused)
    except (BrokenPipeError, SystemExit):  # click ends so if a pipe is closed
        code = Exit.DONE
    except Exception as fault:
        if isinstance(fault, OSError) and fault.errno in NO_ROOM:
            report.unprinted(fault, files.written)
            code = Exit.PROBLEMS
        else:
            report.own_fault(fault, files.written, as_json=as_json)
            code = Exit.BUG
    report.leave(code)


def _called(argv: list[str]) -> Exit:
    """Runs the command: by click, unless the words are so plain that it is not needed."""
    call = fast_call(argv)
    if call is None:
        from pbem.cli.commands import called

        return called(argv)
    try:
        return call() or Exit.DONE
    except Misused as fault:
        from pbem.cli.commands import complained

        return complained(fault, argv)
