"""What a command prints, and where.

Results go to standard output, problems to standard error: `file:line:column: message [rule N]`,
lower case, no full stop, then the line with a caret and a hint. With `--json` each channel carries
one JSON document or none: standard error a list of problems, with warnings and notes among them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NoReturn, TextIO

from pbem.cli.exits import Exit
from pbem.gamefile.errors import FileRefused
from pbem.problems import Problem, Refused, UnknownName

NOT_THE_FILE = frozenset({"E-TURN", "E-ORDER", "E-KEY", "E-CONSENT"})
"""Refusals of what a player wants to write; the file itself may be sound."""


NAMED_WRONGLY = frozenset(
    {"not-a-file", "no-folder", "unreadable", "exists", "wrong-kind", "no-game"}
)
"""What is wrong with a file name on the command line, not with what is in the file."""


class Unverified(Refused):
    """The game file does not verify, whatever the class of the fault."""


def exit_code(refused: Refused) -> Exit:
    """3 for a game file that does not verify, 2 for a wrong name or file, 1 for the rest."""
    if isinstance(refused, Unverified):
        return Exit.UNVERIFIED
    if isinstance(refused, UnknownName):
        return Exit.USAGE
    if all(problem.code in NAMED_WRONGLY for problem in refused.problems):
        return Exit.USAGE
    if isinstance(refused, FileRefused) and refused.code not in NOT_THE_FILE:
        return Exit.UNVERIFIED
    return Exit.PROBLEMS


_FOR_PROGRAMS: list[bool] = []
_HELD: list[Problem] = []
"""What programs are told on standard error: one list, when the command ends."""


def wants_json(argv: list[str]) -> bool:
    """Whether --json stands among the options: behind `--` all words are names of files."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in options


def speak_to_programs(wanted: bool) -> None:
    """From now on, what is printed is read by a program (`--json`), or not."""
    _FOR_PROGRAMS[:] = [wanted]
    _HELD.clear()


def is_for_programs() -> bool:
    """Whether anything is to be printed as JSON, so that no word for people goes between."""
    return any(_FOR_PROGRAMS)


def problems(found: Iterable[Problem], *, as_json: bool) -> None:
    """All problems of a pass, together, on standard error."""
    found = list(found)
    if not found:
        return
    if as_json:
        _HELD.extend(found)
        return
    from pbem.text.source import render_all

    _print(render_all(found), sys.stderr)


def as_json(value: Any) -> None:
    """A result for programs; what cannot be seen in its texts is escaped there, too."""
    _print(_json(value, indent=1), sys.stdout)


def as_json_line(value: Any) -> None:
    """One of several results for programs, each in a line of its own."""
    _print(_json(value), sys.stdout)


def _json(value: Any, indent: int | None = None) -> str:
    import json

    from pbem.render.safe import visible_json

    return visible_json(json.dumps(value, ensure_ascii=False, indent=indent))


def say(*lines: str) -> None:
    """Lines of a result; what could move a terminal's cursor is shown, not done."""
    from pbem.text.wording import shown

    if lines:
        _print("\n".join(map(shown, lines)), sys.stdout)


def warn(text: str, code: str = "note") -> None:
    """A word on standard error; for programs a problem of this code among the others."""
    if is_for_programs():
        _HELD.append(Problem(code, text))
        return
    _print(text, sys.stderr)


def text(whole: str) -> None:
    """A text that ends its own last line, as it is, on standard output."""
    sys.stdout.write(whole)
    sys.stdout.flush()


def put(content: bytes) -> None:
    """A file that is asked for on standard output, byte for byte, and nothing else."""
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:  # a stream of text that stands in for it
        sys.stdout.write(content.decode("utf-8"))
    else:
        sys.stdout.flush()
        binary.write(content)
        binary.flush()


def _tell_programs() -> None:
    """Prints what is held for programs, if anything, as the one document of standard error."""
    if _HELD:
        told = [problem.plain() for problem in _HELD]
        _HELD.clear()
        _print(_json(told), sys.stderr)


def _print(text: str, stream: TextIO) -> None:
    """Prints at once, so that what cannot be printed is known while something can be said of it."""
    stream.write(f"{text}\n")
    stream.flush()


def own_fault(fault: Exception, written: list[str], *, as_json: bool) -> None:
    """A fault of ours: said plainly, with a traceback only for those who ask for it."""
    import traceback

    where = traceback.extract_tb(fault.__traceback__)[-1]
    what = (
        f"this is a bug in pbem, not your mistake ({type(fault).__name__}: {str(fault)[:200]}, "
        f"at {os.path.basename(where.filename)}:{where.lineno}); {left_behind(written)}"
    )
    hint = "set PBEM_DEBUG=1 to see where, and send that with your two files"
    problems((Problem("fault", what, hint=hint),), as_json=as_json)
    if os.environ.get("PBEM_DEBUG"):
        traceback.print_exception(fault)


def unprinted(error: OSError, written: list[str]) -> None:
    """Standard output takes no more: told on the other channel, if that is still there."""
    reason = (error.strerror or "it failed").lower()
    told = f"the output could not be written: {reason}; {left_behind(written)}"
    with suppress(OSError):
        warn(told, "unprinted")


def left_behind(written: list[str]) -> str:
    """Which files a command that did not end well has written all the same."""
    return f"already written: {', '.join(written)}" if written else "nothing was written"


def leave(code: Exit) -> NoReturn:
    """Ends the process; what can no longer be printed is let go in peace."""
    with suppress(OSError):
        _tell_programs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # a pipe whose reader has left, a full disk
            _send_nowhere(stream)
    raise SystemExit(int(code))


def _send_nowhere(stream: TextIO) -> None:
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
