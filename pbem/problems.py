"""Problem, Span and Refused: how every failure of input is described.

A problem is a value. It names the place, the reason, the rule and the way out; `cli/report.py`
decides how it is printed, and in which language.
"""

from __future__ import annotations

from typing import Any

from pbem.messages import Said, words
from pbem.value import value


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
