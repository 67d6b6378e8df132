"""The public state of a game as plain values; one move changes little of it.

Its text is written after every entry of a game file. So a game may name the value a member is made
from, and the writer keeps the text of a member that is made from the same value as before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.value import value


@value
class MadeOf:
    """A member that `make` computes from one frozen value and nothing else."""

    of: Any
    make: Callable[[Any], Any]

    def plain(self) -> Any:
        """The member as plain values, computed anew."""
        return self.make(self.of)


def plain(public: Mapping[str, Any]) -> dict[str, Any]:
    """A public state with its parts made."""
    return {
        name: member.plain() if type(member) is MadeOf else member
        for name, member in public.items()
    }
