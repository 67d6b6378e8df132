"""What a form offers where a chit may be played in answer, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pbem.engine.choices import Example, Examples, Some
from pbem.engine.model import Order
from pbem.games.madrid.orders import Brace
from pbem.games.madrid.position import Position
from pbem.messages import say


def with_or_without(
    position: Position, answer: Callable[[str], Order], held: Sequence[str]
) -> Examples:
    """The answer without a chit, and with each of those held."""

    def examples(some: Some) -> Iterator[Example]:
        for chit in some(("", *held)):
            told = position.title(chit) if chit else say("decline: no chit is played")
            yield Example(answer(chit), told)

    return examples


def braces(chit: str) -> Order:
    """The answer before dice against which a chit may help."""
    return Brace((chit,) if chit else ())
