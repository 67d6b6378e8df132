"""What a game can tell players about their orders beyond whether they are legal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from pbem.engine.model import Decision, Order, Side, State, Violation
from pbem.messages import Said, say
from pbem.value import value

if TYPE_CHECKING:
    from pbem.engine.odds import Chances


@value
class ReadyAttack:
    """An attack that may be ordered now, with the orders that lead to it, and its chances."""

    orders: tuple[Order, ...]
    chances: Chances
    uncounted: Said = ""
    """What the chances leave out, in a phrase."""


class Advice(Protocol):
    """The capability of a game that looks ahead, and knows why an order is out of its time."""

    def foreseen(
        self, state: State[Any], side: Side, order: Order, before: Sequence[Order]
    ) -> tuple[tuple[Violation, ...], tuple[Said, ...]]:
        """What is already known about an order that comes after dice, as phrases.

        The rules it will certainly break, and what it depends on. `before` are the orders written
        before it.
        """
        return (), ()

    def why_not_now(self, state: State[Any], order: Order) -> Violation | None:
        """The rule that gives an order another time; None if there is none."""
        return None

    def remarks(self, state: State[Any], order: Order) -> tuple[Said, ...]:
        """What a player should know of a legal order before it is sent, each in a phrase."""
        return ()

    def behind(
        self, state: State[Any], order: Order, parts: Sequence[Mapping[str, Any]]
    ) -> tuple[Said, ...]:
        """What a player should know of how their standing orders will answer what a legal order
        leads to, each in a phrase.

        `parts` are slot, scope, until and document of each, in the order in which they are asked.
        """
        return ()

    def left_open(self, state: State[Any], decision: Decision) -> Said:
        """What the player will be asked after the dice of their own span, as a phrase.

        It also says how the question could have been answered before the dice.
        """
        return say("you are asked to {prompt}", prompt=decision.prompt)

    def closing(self, state: State[Any], decision: Decision) -> Order | None:
        """The order that declines in advance a question that may follow an answer, or that is this
        one: whoever writes it below their orders is not asked, which may save mails.
        """
        return None

    def ready(self, state: State[Any], decision: Decision) -> Sequence[ReadyAttack]:
        """A few attacks that may follow from an answer to a question, the best one first.

        None where the question itself shows its attacks.
        """
        return ()


class NoAdvice(Advice):
    """The null form: orders are judged when their turn comes, and there is no advice before."""


NO_ADVICE = NoAdvice()
