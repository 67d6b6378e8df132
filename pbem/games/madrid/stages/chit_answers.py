"""The question for a chit that may be played in answer, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pbem.engine.choices import Example, Examples, Some
from pbem.engine.model import Decision, Option, Order, Side
from pbem.games.madrid.orders import Brace
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits
from pbem.messages import Said, say


def with_or_without(
    position: Position, answer: Callable[[str], Order], held: Sequence[str]
) -> Examples:
    """The answer without a chit, and with each of those held."""

    def examples(some: Some) -> Iterator[Example]:
        for chit in some(("", *held)):
            told = position.title(chit) if chit else say("decline: no chit is played")
            yield Example(answer(chit), told)

    return examples


def for_a_chit(
    position: Position,
    side: Side,
    window: chits.Window,
    answer: Callable[[str], Order],
    prompt: Said,
    rule: str,
    *,
    policy: str,
) -> Decision:
    """Asks a side for one of the chits that are played in this window, or none.

    `answer` makes the order that plays a chit, and of an empty text the one that plays none;
    `policy` is its verb, and the name of the question.
    """
    none = answer("")
    held = chits.playable(position, side, window)
    return Decision(
        side=side,
        stage=policy,
        prompt=prompt,
        rule=rule,
        options=(Option(type(none), examples=with_or_without(position, answer, held)),),
        default=none,
        policy=policy,
    )


def braces(chit: str) -> Order:
    """The answer before dice against which a chit may help."""
    return Brace((chit,) if chit else ())
