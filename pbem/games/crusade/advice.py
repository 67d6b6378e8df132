"""What players are told of their orders besides whether they are legal; each part is loaded on
first use.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.advice import Advice, ReadyAttack
from pbem.engine.model import Decision, Order, Side, State, Violation
from pbem.games.crusade.position import Position
from pbem.messages import Said, marked, say

Table = State[Position]

BEHIND_A_COMBAT = {
    "losses": marked("your losses in {space} (write losses: [...] in the attack)"),
    "advance": marked("your advance into {space} (write advance: {...} in the attack)"),
}
AGAIN = {
    "combat": marked("whether you attack again (add the attack, or done, after the others)"),
    "activation": marked("what you activate (write it after the card)"),
}
"""The questions behind the dice of a player's own round, and how to answer them in advance."""


class CrusadeAdvice(Advice):
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
        combat = state.position.combat
        if combat is not None and decision.stage in BEHIND_A_COMBAT:
            return say(BEHIND_A_COMBAT[decision.stage], space=state.position.called(combat.space))
        if decision.stage in AGAIN:
            return say(AGAIN[decision.stage])
        return say("you are asked to {prompt} (you may write this ahead)", prompt=decision.prompt)

    def ready(self, state: Table, decision: Decision) -> Sequence[ReadyAttack]:
        from pbem.games.crusade.ready import ready

        return ready(state, decision)


COUNSEL: Advice = CrusadeAdvice()
