"""What the game can do beside judging orders; each part is loaded when it is first asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine.model import Decision, Event, Order, Side, State, Violation
from pbem.engine.policies import NameFinder
from pbem.games.crusade.position import Position
from pbem.messages import Message

Table = State[Position]
Document = Mapping[str, Any]


class CrusadePolicies:
    """Standing orders (engine/policies.py)."""

    def covers(
        self, state: Table, decision: Decision, slot: str, scope: Document | None,
        until: str | None,
    ) -> bool:  # fmt: skip
        from pbem.games.crusade.policy_table import TABLE

        return TABLE.covers(state, decision, slot, scope, until)

    def shows(self, state: Table, decision: Decision, document: Document) -> tuple[str, ...]:
        from pbem.games.crusade.policy_table import TABLE

        return TABLE.shows(state, decision, document)

    def answer(self, state: Table, decision: Decision, document: Document) -> Order:
        from pbem.games.crusade.policy_table import TABLE

        return TABLE.answer(state, decision, document)

    def bound(self, names: NameFinder, written: Document) -> Document:
        from pbem.games.crusade.policy_table import TABLE

        bound: Document = TABLE.bound(names, written)
        return bound

    def parts(self, position: Position, side: Side, written: Document) -> tuple[Document, ...]:
        from pbem.games.crusade.policy_parts import parts
        from pbem.games.crusade.policy_table import TABLE

        return parts(TABLE, position, side, written)

    def faults(self, position: Position, side: Side, written: Document) -> tuple[Violation, ...]:
        from pbem.games.crusade.policy_table import TABLE

        return TABLE.faults(position, side, written)

    def misfits(
        self, position: Position, side: Side, slot: str, scope: Document | None,
        until: str | None, document: Document | None,
    ) -> tuple[Violation, ...]:  # fmt: skip
        from pbem.games.crusade.policy_table import TABLE

        return TABLE.misfits(position, side, slot, scope, until, document)

    def example(self, position: Position, side: Side) -> tuple[str, ...]:
        from pbem.games.crusade.policy_help import example
        from pbem.games.crusade.policy_table import TABLE

        return example(TABLE.example(position, side))

    def schema(self) -> tuple[Document, Document]:
        from pbem.games.crusade.policy_table import TABLE

        return TABLE.schema()

    def words(self) -> tuple[str, ...]:
        from pbem.games.crusade.policy_table import TABLE

        return TABLE.words()


class CrusadeAdvice:
    """What is told of orders beside the judgement (engine/advice.py)."""

    def foreseen(
        self, state: Table, side: Side, order: Order, before: Sequence[Order]
    ) -> tuple[tuple[Violation, ...], tuple[str, ...]]:
        from pbem.games.crusade.ahead import foreseen

        return foreseen(state, side, order, before)

    def why_not_now(self, state: Table, order: Order) -> Violation | None:
        from pbem.games.crusade.not_now import why_not_now

        return why_not_now(state, order)

    def remarks(self, state: Table, order: Order) -> tuple[str, ...]:
        from pbem.games.crusade.remarks import remarks

        return tuple(remarks(state, order))

    def left_open(self, state: Table, decision: Decision) -> str:
        from pbem.games.crusade.left_open import left_open

        return left_open(state, decision)


class CrusadeNarration:
    """The prose of the log and of the status (games/system.py)."""

    def narrate(self, event: Event[Position], position: Position) -> Message | None:
        from pbem.games.crusade.narrative import narrate

        return narrate(event, position)

    def summary(self, position: Position) -> tuple[Message, ...]:
        from pbem.games.crusade.summary import summary

        return summary(position)

    def own(self, position: Position, side: Side) -> tuple[Message, ...]:
        from pbem.games.crusade.summary import own

        return own(position, side)


STANDING, ADVICE, NARRATION = CrusadePolicies(), CrusadeAdvice(), CrusadeNarration()
