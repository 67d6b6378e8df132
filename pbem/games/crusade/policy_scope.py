"""What a standing policy speaks on: its slot, its public scope, and how long it is in force.

All of this stands openly in the game file, so that everybody can tell whether a policy answers
before its document is unsealed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pbem.engine.model import Decision, State
from pbem.games.crusade.conditions import holds, listed
from pbem.games.crusade.position import ROUNDS, Position
from pbem.games.crusade.rules.engagement import Combat

STANDING = "standing"
"""The slot of a policy whose author names none."""
TURN_END = "turn_end"
"""The slot of what a side does between its last round of a turn and its first of the next."""

REACTIONS = (
    "cards", "losses", "cancel_retreat", "retreat", "rally", "withdraw_first", "spare", "forced",
    "lost_card",
)  # fmt: skip
"""What a policy answers in the rounds of the enemy; `losses` also before the first turn."""
AT_TURN_END = (
    "replacements", "returning", "remove_marker", "discard", "surplus", "redraw", "guerrilla"
)  # fmt: skip
"""What the slot `turn_end` answers, of both sides."""
UNTIL = re.compile(r"turn (\d{1,2})(?: round (\d))?")

Scope = Mapping[str, Any] | None


def covers(
    state: State[Position], decision: Decision, slot: str, scope: Scope, until: str | None
) -> bool:
    """Whether a policy of that slot answers this decision, and is not told to wait.

    A scope that is no scope, or an `until` that names no time, covers nothing.
    """
    from pbem.games.crusade.policy_form import scope_faults

    position = state.position
    kinds = AT_TURN_END if slot == TURN_END else REACTIONS
    if decision.policy not in kinds or not (until is None or is_in_force(position, until)):
        return False
    if not scope:
        return True
    if any(True for _ in scope_faults(position, slot, scope)):
        return False
    if "only" in scope and decision.policy not in listed(scope["only"]):
        return False
    return _speaks_here(position, getattr(state.agenda[-1], "combat", None), scope)


def _speaks_here(position: Position, combat: Combat | None, scope: Mapping[str, Any]) -> bool:
    """Conditions are on combats: a policy for some of them says nothing outside of a combat."""
    if combat is None:
        return "when" not in scope
    if "when" in scope and not any(holds(position, combat, w) for w in listed(scope["when"])):
        return False
    return not any(holds(position, combat, when) for when in listed(scope.get("ask", ())))


def is_in_force(position: Position, until: str) -> bool:
    """Whether the turn, or round of a turn, until which a policy speaks is not over yet."""
    named = UNTIL.fullmatch(until)
    if named is None:
        return False
    turn, number = now(position)
    last = int(named[2]) if named[2] else ROUNDS
    return (turn, number) <= (int(named[1]), last)


def now(position: Position) -> tuple[int, int]:
    """The turn and the round; what comes before a turn's first round belongs to the turn before."""
    begins = position.tables.sheet(position.scenario)["first_turn"]
    if position.round == 0 and position.turn > begins:
        return position.turn - 1, ROUNDS
    return position.turn, position.round
