"""The game's capabilities besides judging orders; each is loaded on first use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.engine.advice import NoAdvice
from pbem.engine.model import Decision, Event, Order, Side, State, Violation
from pbem.games.crusade.position import Position
from pbem.late import Late
from pbem.messages import Message, Said

if TYPE_CHECKING:
    import pbem.games.crusade.passages as PASSAGES
    import pbem.games.crusade.ready as READY
    from pbem.engine.advice import ReadyAttack
    from pbem.engine.narration import Passage
    from pbem.games.crusade.policies.table import TABLE as STANDING
else:
    PASSAGES = Late("pbem.games.crusade.passages")
    READY = Late("pbem.games.crusade.ready")
    STANDING = Late("pbem.games.crusade.policies.table").TABLE

Table = State[Position]


class CrusadeAdvice(NoAdvice):
    """Advice on legal orders (engine/advice.py)."""

    def foreseen(
        self, state: Table, side: Side, order: Order, before: Sequence[Order]
    ) -> tuple[tuple[Violation, ...], tuple[Said, ...]]:
        from pbem.games.crusade.ahead import foreseen

        return foreseen(state, side, order, before)

    def why_not_now(self, state: Table, order: Order) -> Violation | None:
        from pbem.games.crusade.not_now import why_not_now

        return why_not_now(state, order)

    def remarks(self, state: Table, order: Order) -> tuple[Said, ...]:
        from pbem.games.crusade.remarks import remarks

        return tuple(remarks(state, order))

    def left_open(self, state: Table, decision: Decision) -> Said:
        from pbem.games.crusade.left_open import left_open

        return left_open(state, decision)

    def ready(self, state: Table, decision: Decision) -> Sequence[ReadyAttack]:
        found: Sequence[ReadyAttack] = READY.ready(state, decision)
        return found


class CrusadeNarration:
    """The prose of the log and of the status (games/system.py)."""

    def narrate(
        self, event: Event[Position], position: Position, viewer: Side | None = None
    ) -> Message | None:
        from pbem.games.crusade.narrative import narrate

        return narrate(event, position)

    def passage(self, event: Event[Position], position: Position) -> Passage | None:
        found: Passage | None = PASSAGES.passage(event, position)
        return found

    def summary(self, position: Position) -> tuple[Message, ...]:
        from pbem.games.crusade.summary import summary

        return summary(position)

    def own(self, position: Position, side: Side) -> tuple[Message, ...]:
        from pbem.games.crusade.summary import own

        return own(position, side)


ADVICE, NARRATION = CrusadeAdvice(), CrusadeNarration()
