"""Secret decisions: both sides choose without seeing the other's choice, then both are revealed.

A stage whose question is answered under seal leaves the top of the agenda, and asks again, for the
reveal, when every secret stage above it has been answered. Nothing that follows from one of the
answers happens before all of them are revealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pbem.engine.model import Decision, Order, Outcome, PlayerStage, Stage, Violation
from pbem.value import replace, value


@value
class Tell(PlayerStage[Any]):
    """The question of `stage` again, now that its answer is sealed and may be revealed."""

    stage: PlayerStage[Any]
    number: int

    def ask(self, position: Any) -> Decision:
        asked = self.stage.ask(position)
        assert asked is not None, "a sealed answer keeps its question open until it is revealed"
        return replace(asked, secret=False, tells=self.number)

    def check(self, position: Any, order: Order) -> Iterable[Violation]:
        """Judged as the answer would have been, had it been given openly."""
        found: Iterable[Violation] = self.stage.check(position, order)
        return found

    def resolve(self, position: Any, order: Order) -> Outcome:
        return self.stage.resolve(position, order)

    def as_left(self, position: Any, order: Order) -> PlayerStage[Any] | None:
        return self.stage.as_left(position, order)


def sealed(agenda: Sequence[Stage[Any]], position: Any) -> tuple[Stage[Any], ...]:
    """The agenda after the secret question on its top was answered under seal.

    The reveal comes below the secret stages that still wait, and above those answered before.
    """
    top = agenda[-1]
    assert isinstance(top, PlayerStage)
    at = _behind_secrets(agenda, position)
    number = 1 + sum(isinstance(stage, Tell) for stage in agenda)
    return (*agenda[:at], Tell(top, number), *agenda[at:-1])


def _behind_secrets(agenda: Sequence[Stage[Any]], position: Any) -> int:
    """The place of the last secret stage that comes before anything else is asked. A stage between
    two of them that asks nothing reveals nothing.
    """
    last = len(agenda) - 1
    for at in range(last - 1, -1, -1):
        stage = agenda[at]
        if not isinstance(stage, PlayerStage):
            return last
        asked = stage.ask(position)
        if asked is not None:
            if not asked.secret or asked.list is not None:
                return last
            last = at
    return last


def still_to_tell(agenda: Sequence[Stage[Any]]) -> int:
    """The number of stages at the top of the agenda that only wait to be revealed."""
    count = 0
    while count < len(agenda) and isinstance(agenda[-1 - count], Tell):
        count += 1
    return count
