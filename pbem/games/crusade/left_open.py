"""The questions after the dice of a player's own round, and how to answer them in advance."""

from __future__ import annotations

from pbem.engine.model import Decision, State
from pbem.games.crusade.position import Position
from pbem.messages import Message, marked, say

BEHIND_A_COMBAT = {
    "losses": marked("your losses in {space} (write losses: [...] in the attack)"),
    "advance": marked("your advance into {space} (write advance: {...} in the attack)"),
}
AGAIN = {
    "combat": marked("whether you attack again (add the attack, or done, after the others)"),
    "activation": marked("what you activate (write it after the card)"),
}


def left_open(state: State[Position], decision: Decision) -> Message:
    """A question as a phrase, with the words of an order that would answer it in advance."""
    combat = state.position.combat
    if combat is not None and decision.stage in BEHIND_A_COMBAT:
        return say(BEHIND_A_COMBAT[decision.stage], space=state.position.called(combat.space))
    if decision.stage in AGAIN:
        return say(AGAIN[decision.stage])
    return say("you are asked to {prompt} (you may write this ahead)", prompt=decision.prompt)
