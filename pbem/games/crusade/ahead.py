"""Orders written after dice: the rules they will certainly break, and what they depend on.

While a combat waits for dice or for the defender, the stage of the combats waits below it. It knows
which spaces are activated, which units fought and what was attacked. A later attack that breaks one
of its rules does so for certain, unless a retreat or a card can change that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pbem.engine.model import Order, Side, State, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.not_now import why_not_now_at
from pbem.games.crusade.orders import Activate, Advance, Attack, Fortify, Losses, Move, Play
from pbem.games.crusade.position import RESERVE, Position, without
from pbem.games.crusade.rules.attack import ATTACK_CHECKS, armor_may_claim
from pbem.games.crusade.rules.combat_cards import CARD_CHECKS
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.messages import Said, say

OVER = (Play, Activate, Move, Fortify)
"""The orders whose time in a round is over once its combats have begun."""


def foreseen(
    state: State[Position], side: Side, order: Order, before: Sequence[Order]
) -> tuple[tuple[Violation, ...], tuple[Said, ...]]:
    """The rules that an order after dice certainly breaks, and what it depends on ("only if ...").

    `before` are the earlier orders of the file. Nothing is reported outside a round of combats.
    """
    stage = next((s for s in reversed(state.agenda) if isinstance(s, Combats)), None)
    if stage is None or stage.side != side or stage is state.agenda[-1]:
        return (), ()
    if isinstance(order, OVER):
        why = why_not_now_at(state.position, stage, order)
        assert why is not None
        late = Violation(
            say("{verb} comes too late: {message}", verb=repr(order.verb), message=why.message),
            rule=why.rule,
        )
        return (late,), ()
    if isinstance(order, Attack):
        return _attack(state.position, stage, order, before)
    if isinstance(order, Advance):
        return _advance(state.position, order, before)
    return (), (say("only if you have a choice of losses"),) if isinstance(order, Losses) else ()


# --- attacks ------------------------------------------------------------------------------------


def _attack(
    position: Position, stage: Combats, order: Attack, before: Sequence[Order]
) -> tuple[tuple[Violation, ...], tuple[Said, ...]]:
    hopes = list(_behind_other_attacks(position, stage, order, before))
    for row in (*ATTACK_CHECKS, *CARD_CHECKS):
        found = [each for predicate in row for each in predicate(stage, position, order)]
        hoped = [_what_could_mend(position, stage, order, each, before) for each in found]
        for_good = tuple(each for each, hope in zip(found, hoped, strict=True) if not hope)
        if for_good:
            return for_good, ()
        hopes += [hope for hope in hoped if hope]
    return (), tuple(dict.fromkeys(hopes))


def _behind_other_attacks(
    position: Position, stage: Combats, order: Attack, before: Sequence[Order]
) -> Iterator[Said]:
    """The stage after the earlier attacks of the file that have not begun yet."""
    units = {unit for each in order.units.values() for unit in each}
    for other in _waiting(stage, before):
        name = position.space(other.space).name
        if units & {unit for each in other.units.values() for unit in each}:
            yield say("only if the attack on {name} before it lapses", name=name)
        elif other.space == order.space:
            yield say(
                "only if the attack on {name} before it is called off by a card or lapses",
                name=name,
            )


def _waiting(stage: Combats, before: Sequence[Order]) -> list[Attack]:
    """The attacks of the file that wait for the dice of others."""
    attacks = [each for each in before if isinstance(each, Attack)]
    return [each for each in attacks if each.space not in stage.struck]


Hope = Callable[[Position, Combats, Attack, Violation, Sequence[Order]], Said]


def _what_could_mend(
    position: Position, stage: Combats, order: Attack, found: Violation, before: Sequence[Order]
) -> Said:
    """What has to happen for a violation to disappear; empty if nothing can."""
    hope = HOPES.get(found.rule)
    return hope(position, stage, order, found, before) if hope else ""


def _an_enemy_comes(
    position: Position, stage: Combats, order: Attack, found: Violation, before: Sequence[Order]
) -> Said:
    """An empty space may be attacked once a defeated unit has retreated to it."""
    if found.at != ("space",) or position.occupier(order.space) is not None:
        return ""
    return say("only if an enemy unit retreats to {space}", space=position.space(order.space).name)


@CITE.serves("10.2.7", "16.6.2/a")
def _the_ground_opens(
    position: Position, stage: Combats, order: Attack, found: Violation, before: Sequence[Order]
) -> Said:
    """An enemy unit that retreats into an empty space removes your Position there."""
    fort = position.forts.get(order.space)
    if fort is None or fort.owner != stage.side:
        return ""
    after = position.but(forts=without(position.forts, order.space))
    mended = not any(armor_may_claim(stage, after, order))
    if not mended:
        return ""
    return say("only if an enemy unit retreats to {space}", space=position.space(order.space).name)


def _it_is_called_off(
    position: Position, stage: Combats, order: Attack, found: Violation, before: Sequence[Order]
) -> Said:
    if found.at != ("space",):
        return ""
    return say(
        "only if a card calls off the attack on {space} before it",
        space=position.space(order.space).name,
    )


def _the_card_comes_back(
    position: Position, stage: Combats, order: Attack, found: Violation, before: Sequence[Order]
) -> Said:
    """A card of an earlier attack is kept on the table after a victory, or returned."""
    card = order.cards[int(found.at[1])]
    used = {name for each in before if isinstance(each, Attack) for name in each.cards}
    return (
        say("only if {card} comes back from the attack before it", card=card)
        if card in used
        else ""
    )


def _the_table_changes(
    position: Position, stage: Combats, order: Attack, found: Violation, before: Sequence[Order]
) -> Said:
    return say("only if the combats before it change this: {message}", message=found.message)


HOPES: dict[str, Hope] = {
    "11.1.3": _an_enemy_comes,
    "11.1.5": _it_is_called_off,
    "8.5.3.1": _the_card_comes_back,
    "11.2.4": _the_table_changes,
    "13.3.4": _the_table_changes,
    "16.6.2/a": _the_ground_opens,
}
"""For each rule that is broken now: what could still fix it."""


# --- advances -----------------------------------------------------------------------------------


def _advance(
    position: Position, order: Advance, before: Sequence[Order]
) -> tuple[tuple[Violation, ...], tuple[Said, ...]]:
    """An advance begins in a space that is attacked, by units that attack it."""
    attacks: dict[str, dict[str, None]] = {}
    combat = position.combat
    if combat is not None:
        attacks[combat.space] = dict.fromkeys(combat.origins)
    for other in before:
        if isinstance(other, Attack):
            everyone = dict.fromkeys(unit for units in other.units.values() for unit in units)
            attacks.setdefault(other.space, {}).update(everyone)
    if not order.units:
        return (), ()
    target = order.to[0] if order.to else ""
    if target not in attacks:
        known = ", ".join(position.space(space).name for space in attacks)
        hint = say("you attack {known}", known=known) if known else ""
        wrong = Violation(
            say("an advance must begin in a space that you attack"), ("to",), "11.5.1", hint
        )
        return (wrong,), ()
    strangers = tuple(
        Violation(
            say("{unit} does not attack {space}", unit=unit, space=position.space(target).name),
            ("units", place),
            "11.1.7",
            say("the attackers there are {attack}", attack=tuple(attacks[target])),
        )
        for place, unit in enumerate(order.units)
        if unit not in attacks[target] and position.place_of(unit) != RESERVE
    )
    return strangers, () if strangers else (
        say("only if {space} falls", space=position.space(target).name),
    )
