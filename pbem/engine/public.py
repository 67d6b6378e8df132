"""The public state of a game as plain values, of which one move changes little.

Its text is written after every entry of a game file. So a game may name what a member is made of,
and whoever writes the text keeps that of a member which is made of the same thing as before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.value import value


@value
class MadeOf:
    """A member that `make` makes of one frozen thing, and of nothing else."""

    of: Any
    make: Callable[[Any], Any]

    def plain(self) -> Any:
        """The member as plain values, made again."""
        return self.make(self.of)


def plain(public: Mapping[str, Any]) -> dict[str, Any]:
    """A public state with its parts made."""
    return {
        name: member.plain() if type(member) is MadeOf else member
        for name, member in public.items()
    }
