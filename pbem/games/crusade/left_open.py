"""The questions after the dice of a player's own round, and how to answer them in advance."""

from __future__ import annotations

from pbem.engine.model import Decision, State
from pbem.games.crusade.position import Position

BEHIND_A_COMBAT = {
    "losses": "your losses in {} (write losses: [...] in the attack)",
    "advance": "your advance into {} (write advance: {{...}} in the attack)",
}
AGAIN = {
    "combat": "whether you attack again (add the attack, or done, after the others)",
    "activation": "what you activate (write it after the card)",
}


def left_open(state: State[Position], decision: Decision) -> str:
    """A question as a phrase, with the words of an order that would answer it in advance."""
    combat = state.position.combat
    if combat is not None and decision.stage in BEHIND_A_COMBAT:
        return BEHIND_A_COMBAT[decision.stage].format(state.position.called(combat.space))
    return AGAIN.get(
        decision.stage, f"you are asked to {decision.prompt} (you may write this ahead)"
    )
