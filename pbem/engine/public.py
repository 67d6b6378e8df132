"""The public state of a game as plain values; one move changes little of it.

Its text is written after every entry of a game file. So a game may name the value a member is made
from, and the writer keeps the text of a member that is made from the same value as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any


class Member:
    """A member that is computed when somebody reads it. Two are equal if they say the same."""

    __slots__ = ()

    def plain(self) -> Any:
        """What it says, as plain values."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Member) and self.plain() == other.plain()


class MadeOf(Member):
    """A member that `make` computes from one frozen value and nothing else."""

    __slots__ = ("make", "of")

    def __init__(self, of: Any, make: Callable[[Any], Any]) -> None:
        self.of, self.make = of, make

    def plain(self) -> Any:
        """The member as plain values, computed anew."""
        return self.make(self.of)


class ListMadeOf(Member):
    """A member that is a list: what `make` computes from each entry of a mapping whose values are
    frozen, and from nothing else. None leaves an entry out.

    The items are in the order of the mapping, or `by_key`.
    """

    __slots__ = ("by_key", "make", "of")

    def __init__(
        self, of: Mapping[str, Any], make: Callable[[str, Any], Any], *, by_key: bool = False
    ) -> None:
        self.of, self.make, self.by_key = of, make, by_key

    def plain(self) -> list[Any]:
        """The member as plain values, computed anew."""
        keys: Iterable[str] = sorted(self.of) if self.by_key else self.of
        items = (self.make(key, self.of[key]) for key in keys)
        return [item for item in items if item is not None]


def plain(public: Mapping[str, Any]) -> dict[str, Any]:
    """A public state with its parts made."""
    return {
        name: member.plain() if isinstance(member, Member) else member
        for name, member in public.items()
    }
