"""A practice player: simple, one order deep, with only the knowledge of its side.

The game proposes orders for a question, each with its worth by the chances before the dice. The
player takes the best legal one, or else the default answer. It rolls no dice and sees none, so it
always gives the same answer to the same position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from pbem.engine.choices import Example, every
from pbem.engine.kernel import violations, waits_for
from pbem.engine.model import Decision, Order, Side, State
from pbem.messages import Said
from pbem.value import value

MOST_TRIED = 20
"""The number of best ideas checked against the rules, before the default answer."""


@value
class Idea:
    """An order, its worth compared with the default answer (more is better), and a reason.

    The reason is a short clause, as in "attacks Getafe: 11 against 9, clears it 62 %".
    """

    order: Order
    worth: float
    why: Said = ""


class Practice(Protocol):
    """The capability of a game that can be played for practice."""

    def veiled(self, state: State[Any], side: Side) -> State[Any]:
        """The game as a side may know it: nothing in it depends on what the other side hides."""
        return state

    def ideas(self, state: State[Any], decision: Decision) -> Iterable[Idea]:
        """The orders worth considering. They need not be legal, and there may be only a few."""
        return ()

    def along(self, state: State[Any], order: Order) -> Iterable[Idea]:
        """What is ordered in one mail with an order that leaves the rest to the dice.

        Each must be legal in this state as well, before the order and its dice.
        """
        return ()

    def standing(self, side: Side) -> Mapping[str, Any]:
        """Standing orders as written that answer nearly as it would, and save mails; empty where it
        rather waits for each question.
        """
        return {}


class NoPractice(Practice):
    """The null form: every question gets its default answer. For games that hide nothing."""


NO_PRACTICE = NoPractice()


def examples(decision: Decision) -> Iterator[Example]:
    """All the examples of a question, verb by verb."""
    for option in decision.options:
        if option.examples is not None:
            yield from option.examples(every)


def chosen(practice: Practice, state: State[Any]) -> Idea:
    """The practice player's answer to the present question; there must be one."""
    asked = waits_for(state)
    assert isinstance(asked, Decision)
    # The question is that of the table as it is: what somebody is asked, they may know.
    return best(state, asked, practice.ideas(practice.veiled(state, asked.side), asked))


def best(state: State[Any], asked: Decision, found: Iterable[Idea]) -> Idea:
    """The best legal one of the ideas for a question; without one the default answer."""
    for idea in sorted(found, key=lambda idea: -idea.worth)[:MOST_TRIED]:
        if idea.worth > 0 and not violations(state, idea.order):
            return idea
    return Idea(asked.default, 0.0)
