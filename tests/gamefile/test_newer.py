"""What this program does not know is told with the version that wrote it."""

from __future__ import annotations

import pytest

from pbem import __version__
from pbem.gamefile.newer import with_the_writer
from pbem.messages import words

LATER = "99.2.1"
TOLD = (
    f"this entry was written with pbem {LATER}, and this is pbem {__version__}: install pbem "
    f"{LATER} or later"
)


@pytest.mark.parametrize("tool", [f"pbem {LATER}", f"pbem {LATER} on a boat"])
def test_a_later_version_is_named(tool: str) -> None:
    assert words(with_the_writer("", {"tool": tool})) == TOLD
    assert words(with_the_writer("try it", {"tool": tool})) == f"{TOLD}; try it"


@pytest.mark.parametrize(
    "payload",
    [
        {"tool": f"pbem {__version__}"}, {"tool": "pbem 0.0.1"}, {"tool": "other 99.0"},
        {"tool": "pbem 99"}, {"tool": "pbem 99.0.0.0.0.0"}, {"tool": f"pbem {'9' * 60}.0"},
        {"tool": 99}, {"tool": None}, {}, [], None,
    ],
)  # fmt: skip
def test_anything_else_is_not(payload: object) -> None:
    assert with_the_writer("try it", payload) == "try it"
