"""What a command prints, and where.

Results go to standard output, problems to standard error: `file:line:column: message [rule N]`,
lower case, no full stop, then the line with a caret and a hint. With `--json` each channel gets one
JSON document or none: standard error a list of problems, including warnings and notes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from pbem.cli.exits import Exit
from pbem.cli.files import StrPath
from pbem.cli.languages import language_of_problems
from pbem.gamefile.errors import FileRefused
from pbem.late import Late
from pbem.messages import Message, Said, say, words
from pbem.problems import Problem, Refused, UnknownName, reason
from pbem.text.wording import shown

if TYPE_CHECKING:
    from pbem.cli import code_pages
else:
    code_pages = Late("pbem.cli.code_pages")

NOT_THE_FILE = frozenset({"E-TURN", "E-ORDER", "E-KEY", "E-CONSENT"})
"""Refusals of what a player wants to write; the file itself may be fine."""


NAMED_WRONGLY = frozenset(
    {"not-a-file", "no-folder", "unreadable", "exists", "wrong-kind", "no-game"}
)
"""Problems with a file name on the command line, not with the file's content."""


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


@contextmanager
def about(path: StrPath) -> Iterator[None]:
    """Places refusals inside at a file, if they have no place."""
    try:
        yield
    except FileRefused as refused:
        refused.problems = tuple(problem.placed_at(str(path)) for problem in refused.problems)
        raise


def fit_streams() -> None:
    """Prepares for output that is not UTF-8: nothing that is printed may end a command."""
    if not all(map(_is_utf8, (sys.stdin, sys.stdout, sys.stderr))):
        code_pages.fit()


def _is_utf8(stream: TextIO | None) -> bool:
    """Whether a stream takes every character; one that stands in for it, without a code page,
    does.
    """
    encoding = getattr(stream, "encoding", None)
    return encoding is None or encoding.lower().replace("-", "") == "utf8"


_FOR_PROGRAMS: list[bool] = []
_HELD: list[Problem] = []
"""The problems for programs on standard error: one list, printed when the command ends."""


_WARNED: list[Said] = []
"""The notes of `warn_once`."""


def wants_json(argv: list[str]) -> bool:
    """Whether --json is among the options: after `--` all words are names of files."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in options


def speak_to_programs(wanted: bool) -> None:
    """Sets whether output is for a program (`--json`)."""
    _FOR_PROGRAMS[:] = [wanted]
    _HELD.clear()
    _WARNED.clear()


def is_for_programs() -> bool:
    """Whether output is JSON, so no text for people may be mixed in."""
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

    _print(render_all(found, language=language_of_problems()), sys.stderr)


def as_json(value: Any) -> None:
    """Prints a result for programs; invisible characters in its texts are escaped."""
    _print_json(_json(value, indent=1), sys.stdout)


def as_json_line(value: Any) -> None:
    """Prints one of several results for programs, each on its own line."""
    _print_json(_json(value), sys.stdout)


def _json(value: Any, indent: int | None = None) -> str:
    import json

    from pbem.render.safe import visible_json

    return visible_json(json.dumps(value, ensure_ascii=False, indent=indent, default=_in_english))


def _in_english(message: Any) -> str:
    """A message for programs. Raises TypeError for anything else."""
    if isinstance(message, Message):
        return words(message)
    raise TypeError(f"{type(message).__name__} is no JSON")


def tell(*lines: Said) -> None:
    """Prints lines of a result; control characters are shown, not executed."""
    if lines:
        language = language_of_problems()
        _print("\n".join(shown(words(line, language)) for line in lines), sys.stdout)


def worded(line: Said) -> str:
    """A line in the language of the reader."""
    return words(line, language_of_problems())


def asking(question: Said) -> str:
    """A question as a terminal can show it: click prints it past our own streams."""
    told = worded(question)
    if not _is_utf8(sys.stdout):
        told = code_pages.printable_in(sys.stdout, told)
    return told


def for_reader(said: Said) -> str:
    """Words for whoever reads them: a person in their language, a program in English."""
    return words(said) if is_for_programs() else worded(said)


def warn(text: Said, code: str = "note") -> None:
    """Prints a note on standard error, control characters shown; for programs a problem with this
    code.
    """
    if is_for_programs():
        _HELD.append(Problem(code, text))
        return
    _print("\n".join(map(shown, worded(text).split("\n"))), sys.stderr)


def end_line() -> None:
    """Ends the line of a terminal on which a command was stopped: it has a question, and ^C."""
    if sys.stderr.isatty() and not is_for_programs():
        _print("", sys.stderr)


def warn_once(text: Said) -> None:
    """A note that a command prints once, however often it looks at what the note is about."""
    if text not in _WARNED:
        _WARNED.append(text)
        warn(text)


def text(whole: str) -> None:
    """Prints a text that ends its own last line, unchanged, on standard output."""
    sys.stdout.write(whole)
    sys.stdout.flush()


def json_text(whole: str) -> None:
    """Prints JSON that was made elsewhere and ends its own last line."""
    _print_json(whole.removesuffix("\n"), sys.stdout)


def page(whole: str) -> None:
    """Prints a page for a browser: in UTF-8, as it says itself, whatever the terminal speaks."""
    if _is_utf8(sys.stdout):
        text(whole)
    else:
        put(whole.encode())


def put(content: bytes) -> None:
    """Prints a file to standard output, byte for byte, and nothing else."""
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:  # a stream of text that stands in for it
        sys.stdout.write(content.decode("utf-8"))
    else:
        sys.stdout.flush()
        binary.write(content)
        binary.flush()


def _tell_programs() -> None:
    """Prints the problems held for programs, if any, as one document on standard error."""
    if _HELD:
        told = [problem.plain() for problem in _HELD]
        _HELD.clear()
        _print_json(_json(told), sys.stderr)


def _print_json(text: str, stream: TextIO) -> None:
    """Prints JSON, in ASCII for a code page."""
    if not _is_utf8(stream):
        text = code_pages.as_ascii_json(text)
    _print(text, stream)


def _print(text: str, stream: TextIO) -> None:
    """Prints at once, so a failure to print can still be reported."""
    stream.write(f"{text}\n")
    stream.flush()


def own_fault(fault: Exception, written: list[str], *, as_json: bool) -> None:
    """Reports a bug in plain words, with a traceback only on request."""
    import traceback

    where = traceback.extract_tb(fault.__traceback__)[-1]
    what = say(
        "this is a bug in pbem, not your mistake ({name}: {fault}, at "
        "{file}:{lineno}); {left_behind}",
        name=type(fault).__name__,
        fault=str(fault)[:200],
        file=os.path.basename(where.filename),
        lineno=where.lineno,
        left_behind=left_behind(written),
    )
    hint = say("set PBEM_DEBUG=1 to see where, and send that with your two files")
    problems((Problem("fault", what, hint=hint),), as_json=as_json)
    if os.environ.get("PBEM_DEBUG"):
        traceback.print_exception(fault)


def unprinted(error: OSError, written: list[str]) -> None:
    """Reports on standard error, if possible, that standard output failed."""
    told = say(
        "the output could not be written: {reason}; {left_behind}",
        reason=reason(error),
        left_behind=left_behind(written),
    )
    with suppress(OSError):
        warn(told, "unprinted")


def left_behind(written: list[str]) -> Said:
    """Reports the files that a failed command has written all the same."""
    return (
        say("already written: {written}", written=", ".join(written))
        if written
        else say("nothing was written")
    )


def leave(code: Exit) -> NoReturn:
    """Ends the process; output that can no longer be printed is dropped silently."""
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
