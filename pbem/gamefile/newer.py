"""Which version of the program has rules or data that this one has not: the one that wrote them."""

from __future__ import annotations

import re
from typing import Any

from pbem import __version__
from pbem.messages import Said, say

NUMBERED = re.compile(r"pbem ([0-9]{1,4}(?:\.[0-9]{1,4}){1,3})(?![0-9.])")


def with_the_writer(hint: Said, payload: Any) -> Said:
    """A hint with the version that wrote an entry, if that is later than this one.

    It is what the author says: nothing is judged by it.
    """
    tool = payload.get("tool") if type(payload) is dict else None
    found = NUMBERED.match(tool) if type(tool) is str else None
    if found is None or _numbers(found[1]) <= _numbers(__version__):
        return hint
    told = say("this entry was written with pbem {theirs}, and this is pbem {ours}: install "
               "pbem {theirs} or later", theirs=found[1], ours=__version__)  # fmt: skip
    return say("{told}; {hint}", told=told, hint=hint) if hint else told


def _numbers(version: str) -> tuple[int, ...]:
    """A version as numbers to compare; what follows them (`rc1`) does not count."""
    return tuple(map(int, re.findall(r"\d+", re.split(r"[^0-9.]", version)[0])))
