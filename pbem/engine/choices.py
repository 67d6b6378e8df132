"""What a decision offers: the values a field of an order may take, and whole orders as examples.

An offer describes and does not judge: `check` decides on the whole order. Forms write lines from it
and bots play from it; nothing here is random and nothing here writes text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from pbem.messages import Said
from pbem.value import field, value


@value
class OneOf:
    """Exactly one of the values; an empty text among them leaves the field out."""

    values: tuple[Any, ...]


@value
class SomeOf:
    """Different ones of the values, in an order the player chooses."""

    values: tuple[Any, ...]
    at_least: int = 0
    at_most: int | None = None


@value
class Amount:
    """A whole number from `least` to `most`."""

    least: int
    most: int


Choice = OneOf | SomeOf | Amount
"""The values of one field, where they do not depend on what the other fields say."""


@value
class Example:
    """An order that may be given, and the note a form shows with it.

    `others` lists, for some fields (by their Python names), every value that would also do with the
    rest of the order unchanged. A form shows them where there is no `note`.
    """

    order: Any
    note: Said = ""
    others: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)


Some = Callable[[Sequence[Any]], Iterable[Any]]
"""Which of several things to look at: all of them for a form, one at random for a bot."""

Examples = Callable[[Some], Iterable[Example]]
"""The examples of a verb, computed only on demand.

At each fork the search asks which branches to follow, so asking for one example costs one.
"""


def every(values: Sequence[Any]) -> Sequence[Any]:
    """Computes all examples."""
    return values


def listed(orders: Sequence[Any] | Callable[[], Iterable[Any]]) -> Examples:
    """Examples that are these orders, computed only when they are needed."""
    if callable(orders):
        return lambda some: map(Example, some(tuple(orders())))
    return lambda some: map(Example, some(orders))


def noted(orders: Sequence[Any], note: Callable[[Any], Said]) -> Examples:
    """Examples that are these orders; `note` is what a form says of each."""
    return lambda some: (Example(order, note(order)) for order in some(orders))


class Later(Mapping[str, Choice]):
    """The choices of the fields of an order, computed on first use.

    Nearly every question is answered by orders given ahead, and the choices are then not needed.
    """

    def __init__(self, make: Callable[[], Mapping[str, Choice]]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> Mapping[str, Choice]:
        return self._make()

    def __getitem__(self, name: str) -> Choice:
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)
