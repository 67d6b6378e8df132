"""Problem, Span and Refused: how every failure of input is described.

A problem is a value. It names the place, the reason, the rule and the way out; `cli/report.py`
decides how it is printed, and in which language.
"""

from __future__ import annotations

from typing import Any

from pbem.messages import Said, marked, say, words
from pbem.value import replace, value


@value
class Span:
    """A place in a named text. Lines and columns count from 1; `excerpt` is the whole line."""

    file: str
    line: int
    column: int
    end_column: int = 0
    excerpt: str = ""


@value
class Problem:
    """One thing that is wrong with what a player gave us.

    `code` is a stable word for machines (`unknown-space`, `E-FORGED`); `message` is lower case
    without a full stop; `rule` is a number of the game's rules, or begins with `protocol`; `hint`
    says what would be legal.
    """

    code: str
    message: Said
    span: Span | None = None
    rule: str = ""
    hint: Said = ""

    def placed_at(self, file: str) -> Problem:
        """The problem, placed at a whole file if it has no place."""
        return self if self.span is not None else replace(self, span=Span(file, 0, 0))

    def plain(self) -> dict[str, Any]:
        """The problem as the `--json` contract prints it: in English, whoever reads it."""
        where = self.span
        return {
            "code": self.code,
            "message": words(self.message),
            "file": where.file if where else None,
            "line": where.line if where and where.line else None,
            "column": where.column if where and where.column else None,
            "rule": self.rule or None,
            "hint": words(self.hint) or None,
        }


class Refused(Exception):
    """What the user gave cannot be used; carries every problem of the pass that found them."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems

    def __str__(self) -> str:
        return "; ".join(words(problem.message) for problem in self.problems)


class UnknownName(Refused):
    """Names on the command line that are unknown, or that do not go together.

    Games, sides, options, cards, rules. This counts as wrong usage, unlike a name in an orders
    file.
    """


REASONS = (
    marked("permission denied"), marked("operation not permitted"), marked("file exists"),
    marked("no such file or directory"), marked("not a directory"), marked("is a directory"),
    marked("directory not empty"), marked("file name too long"), marked("file too large"),
    marked("no space left on device"), marked("disk quota exceeded"), marked("input/output error"),
    marked("read-only file system"), marked("too many open files"), marked("bad file descriptor"),
    marked("too many levels of symbolic links"), marked("no such device or address"),
    marked("exec format error"), marked("invalid argument"), marked("broken pipe"),
    marked("it failed"),
)  # fmt: skip
"""What systems say of files, for the catalogues; a reason that is not listed stays as it is."""


def reason(error: OSError) -> Said:
    """Why the system refused something, in small letters."""
    return say((error.strerror or str(error) or "it failed").lower())
