"""Attacks that could be ordered now, with the activation they need: what a form shows ready."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nlargest

from pbem.engine import kernel
from pbem.engine.advice import ReadyAttack
from pbem.engine.choices import every
from pbem.engine.model import Decision, Order, Side, State
from pbem.games.crusade.odds import CombatOdds
from pbem.games.crusade.orders import Activate, Attack, Play
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.activation import attackable_spaces
from pbem.games.crusade.rules.attack import targets
from pbem.games.crusade.rules.event_limits import most_attack_spaces
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.games.crusade.stages.round import PlayCard

TRIED, SHOWN = 8, 3
"""The number of attacks whose odds are counted, those of the best ratio of strengths, and of them
the number that is shown.
"""


def ready(state: State[Position], decision: Decision) -> Sequence[ReadyAttack]:
    """The attacks with the best odds, by the side that is asked (engine/advice.py)."""
    stage = state.agenda[-1]
    if isinstance(stage, Activation):
        return _best(state, stage, ())
    if isinstance(stage, PlayCard):
        play = Play(_most_operations(state.position, stage))
        if kernel.violations(state, play):
            return ()
        after = kernel.submit(state, play).state
        if isinstance(after.agenda[-1], Activation):
            return _best(after, after.agenda[-1], (play,))
    return ()


def _most_operations(position: Position, stage: PlayCard) -> str:
    """The playable card with the most operations; no card if none can be played for them."""
    for_operations = [card for card, uses in stage.playable(position) if "operations" in uses]
    known = [card for card in for_operations if card in position.tables.cards]
    return max(known, key=lambda card: position.card(card).ops, default="none")


def _best(
    state: State[Position], stage: Activation, before: tuple[Order, ...]
) -> Sequence[ReadyAttack]:
    found = [
        ReadyAttack((*before, activate, attack), CombatOdds().of(after, attack, briefly=True))
        for activate, attack, after in _attacks(state, stage)
    ]
    return nlargest(SHOWN, found, key=lambda each: _promise(each, stage.side))


def _promise(ready: ReadyAttack, side: Side) -> tuple[float, float]:
    """The share of the results that win, and of those in which the attacker loses nothing."""
    chances = ready.chances
    unhurt = chances.ways_where(lambda each: each.lost_by(side) == 0)
    return chances.won_by(side) / chances.ways, unhurt / chances.ways


def _attacks(
    state: State[Position], stage: Activation
) -> Iterator[tuple[Activate, Attack, State[Position]]]:
    """The activation, the attack, and the state between them, of what promises most."""
    position, side = state.position, stage.side
    most = min(stage.points, most_attack_spaces(position, side))
    combats = Combats(side, attackable_spaces(position, side), stage.boost)

    def strength(units: Sequence[str]) -> int:
        return sum(position.factors(unit).cf for unit in units)

    wishes: list[tuple[float, str, tuple[str, ...]]] = []
    for space, origins in targets(combats, position).items():
        best = nlargest(most, origins, key=lambda each: strength(origins[each]))
        ours = sum(strength(origins[each]) for each in best)
        theirs = strength(position.units_in(space))
        wishes.append((ours / max(theirs, 1), space, tuple(best)))
    for _, space, strongest in nlargest(TRIED, wishes):
        for count in range(len(strongest), 0, -1):
            found = _attack_from(strongest[:count], space, state)
            if found is not None:
                yield found
                break


def _attack_from(
    origins: tuple[str, ...], space: str, state: State[Position]
) -> tuple[Activate, Attack, State[Position]] | None:
    """The attack on a space from these, with the activation of no more than it needs."""
    activate = Activate(attack=origins)
    if kernel.violations(state, activate):
        return None
    after = kernel.submit(state, activate).state
    attack = _attack_on(space, after)
    if attack is None:
        return None
    needed = tuple(origin for origin in origins if origin in attack.units)
    if needed != origins:
        return _attack_from(needed, space, state)
    return activate, attack, after


def _attack_on(space: str, state: State[Position]) -> Attack | None:
    """The first legal attack on a space that its question shows."""
    asked = kernel.waits_for(state)
    for option in asked.options if isinstance(asked, Decision) else ():
        for example in option.examples(every) if option.examples else ():
            order = example.order
            is_on_it = isinstance(order, Attack) and order.space == space
            if is_on_it and not kernel.violations(state, order):
                return order
    return None
