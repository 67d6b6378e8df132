"""What a game can tell players about their orders beyond whether they are legal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from pbem.engine.model import Decision, Order, Side, State, Violation


class Advice(Protocol):
    """The capability of a game that looks ahead, and knows why an order is out of its time."""

    def foreseen(
        self, state: State[Any], side: Side, order: Order, before: Sequence[Order]
    ) -> tuple[tuple[Violation, ...], tuple[str, ...]]:
        """Of a side's order whose turn comes after dice: what it breaks for good, and what it
        hangs on, each in a phrase. `before` are the orders written before it."""

    def why_not_now(self, state: State[Any], order: Order) -> Violation | None:
        """The rule by which an order has its time elsewhere; None where no rule says so."""

    def remarks(self, state: State[Any], order: Order) -> tuple[str, ...]:
        """What a player should know of a legal order before it is sent, each in a phrase."""

    def left_open(self, state: State[Any], decision: Decision) -> str:
        """What a player is asked after the dice of the player's own span, in a phrase.

        It says how the question could have been answered before them.
        """


class NoAdvice:
    """The null form: orders are judged when their turn comes, and nothing is said before."""

    def foreseen(
        self, state: State[Any], side: Side, order: Order, before: Sequence[Order]
    ) -> tuple[tuple[Violation, ...], tuple[str, ...]]:
        return (), ()

    def why_not_now(self, state: State[Any], order: Order) -> Violation | None:
        return None

    def remarks(self, state: State[Any], order: Order) -> tuple[str, ...]:
        return ()

    def left_open(self, state: State[Any], decision: Decision) -> str:
        return f"you are asked to {decision.prompt}"


NO_ADVICE = NoAdvice()
