"""What was most likely meant by a line that is no YAML, or other YAML than its author thinks."""

from __future__ import annotations

import re
from collections.abc import Container

from pbem.problems import Problem
from pbem.text.wording import shown
from pbem.value import replace

WIDEST = 60
_VERB = re.compile(r"\s*(?P<dash>-?)\s*(?P<word>[a-z_]+)\s*(?P<colon>:?)\s*(?P<rest>.*)")
_GLUED = re.compile(r"(?P<before>\s*(?:- )?[a-z_]+:)(?P<rest>[{\[].*)")


def with_what_was_meant(problem: Problem, verbs: Container[str]) -> Problem:
    """The problem with a hint that mends its line, if a slip of the pen is behind it."""
    span = problem.span
    is_one = problem.code.startswith("yaml") or problem.code == "unknown-verb"
    if span is None or not is_one:
        return problem
    line = mended(span.excerpt, verbs)
    return problem if line is None else replace(problem, hint=f"write it as: {shown(line)}")


def mended(line: str, verbs: Container[str]) -> str | None:
    """A line as it should be, without its indentation; None where nothing is to be mended.

    An order begins with a hyphen and a space, and a space stands behind the colon.
    """
    written = line.strip()
    if len(written) > WIDEST:
        return None
    found = _VERB.fullmatch(written)
    if found is not None and found["word"] in verbs:
        rest = f": {found['rest']}" if found["rest"] else ""
        meant = f"- {found['word']}{rest}"
        return meant if meant != written.removesuffix(":") else None
    glued = _GLUED.fullmatch(written)
    return f"{glued['before']} {glued['rest']}" if glued is not None else None
