"""Rules that were mended after a release, and what a game that began before is still played by.

A game has its fixes in `fixes.py`, numbered from 1, each with the function as it was before. The
function of today is marked with the number, and calls the other where the game was begun without
the fix:

    @CITE.rule("9.2.3")
    @mended(1)
    def way_is_open(position: Position, area: str) -> bool:

A game says in its proposal which fixes it is played by. Both functions find that in the tables,
which a position has: one of their arguments is the position or the tables.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, TypeVar, cast

from pbem.messages import Said
from pbem.value import value

Mended = TypeVar("Mended", bound=Callable[..., Any])
GAME = 3
"""So many names lead to the package of a game: `pbem.games.chess`."""
HOLDERS = ("tables", "board")
"""What a position calls its tables."""


@value
class Fix:
    """A change of the rules as programmed that can change how a game goes on.

    `old` is the function as it was. A fix without it is forced: what it mends was no reading of the
    rule but a bug that stopped games, and nobody is played by it any more. A bug on which the rules
    only stumbled, so that an order lapsed and the game went on, is in files that were accepted: its
    fix has an `old` that stumbles as before.
    """

    number: int
    date: str
    """The day it was made, as in 2027-01-31."""
    rule: str
    what: Said
    """What changed, in a sentence."""
    old: Callable[..., Any] | None = None

    @property
    def is_forced(self) -> bool:
        """Whether it holds in every game."""
        return self.old is None


NOT_MENDED: tuple[Fix, ...] = ()
"""The fixes of a game whose rules are those of its first release."""


def numbers_of(fixes: Iterable[Fix]) -> tuple[int, ...]:
    """Their numbers, which are what a game pins."""
    return tuple(sorted(fix.number for fix in fixes))


def mended(number: int) -> Callable[[Mended], Mended]:
    """Marks a function that was changed by the fix of this number, in `fixes.py` of its game."""

    def mark(today: Mended) -> Mended:
        package = ".".join(today.__module__.split(".")[:GAME])

        @functools.wraps(today)
        def either(*given: Any) -> Any:
            if number in _pinned(given):
                return today(*given)
            return _old(package, number)(*given)

        either.mended = number  # type: ignore[attr-defined]
        return cast(Mended, either)

    return mark


@functools.cache
def _old(package: str, number: int) -> Callable[..., Any]:
    fixes = import_module(f"{package}.fixes").FIXES
    (found,) = (fix.old for fix in fixes if fix.number == number)
    return cast(Callable[..., Any], found)


def _pinned(given: tuple[Any, ...]) -> frozenset[int]:
    """The fixes of the game that the arguments belong to."""
    for each in given:
        for holder in (each, *(getattr(each, name, None) for name in HOLDERS)):
            found = getattr(holder, "fixes", None)
            if isinstance(found, frozenset):
                return found
    raise AssertionError("no argument is a position or the tables of a game")
