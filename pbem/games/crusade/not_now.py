"""Why an order is not asked for now: each verb has its time, and a rule for that.

A rule about the current situation is cited first, otherwise the verb's place in the sequence of
play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.engine.model import Order, State, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects.combat_cards import forbids_cancelling
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.options_combat import steps_to_stay
from pbem.games.crusade.rules.retreat import ground_to_stay, may_cancel_here
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN
from pbem.messages import Said, say

HOMES: Mapping[str, tuple[str, Said]] = {
    "arrive": (
        "17.6.3",
        say("an Army of Africa unit that is due arrives before the card of its round is played"),
    ),
    "play": ("7.1.3", say("one card is played each round, before anything else")),
    "activate": ("8.2.1", say("a card that gives operations activates all its spaces at once")),
    "move": ("10.1.1", say("units move from spaces activated for movement, before any combat")),
    "fortify": ("10.2.1", say("units build instead of moving, in a space activated for movement")),
    "attack": ("11.1.1", say("attacks come after movement, from spaces activated for combat")),
    "assault": (
        "16.1.4.1",
        say("an assault needs a space activated for combat, and comes after movement"),
    ),
    "combat_card": ("11.2.4", say("the defender commits cards when a combat begins")),
    "losses": ("11.2.8", say("losses are taken after the dice of a combat are rolled")),
    "cancel_retreat": ("11.4.3", say("a retreat can be cancelled only after a lost combat")),
    "retreat": ("11.4.1", say("only defenders that lost a combat retreat")),
    "advance": ("11.5.1", say("attackers advance into a space that their combat has emptied")),
    "redeploy": ("8.3.1", say("units redeploy when a card is played for redeployment")),
    "deploy": ("8.5.2.3", say("units come into play by the event or the phase that brings them")),
    "remove": ("8.5.2.5", say("a unit is given up when a card or a limit demands it")),
    "replace": ("14.1.1", say("points are spent in the Replacement Phase")),
    "rebuild": ("14.1.1", say("points are spent in the Replacement Phase")),
    "siege": ("16.1.8", say("sieges get points in the Replacement Phase")),
    "remove_marker": ("10.2.10", say("markers are given up in the End of Turn Phase")),
    "place_marker": ("10.2.9", say("a marker is placed when a card or the set-up gives it")),
    "bonus": ("8.5.5.3", say("the bonus is chosen after a counterattack that took a space")),
    "land": ("8.5.6.1", say("a landing comes with the card that brings it")),
    "show_hand": ("8.5.1.1", say("a hand is shown when an event demands it")),
    "discard": ("8.5.3.6", say("cards are discarded before new ones are drawn")),
    "withdraw": ("15.2.2.2", say("divisions are withdrawn when the Reserve lacks their kind")),
    "militarize": ("15.2.3", say("militia become regulars after the corps have been deployed")),
    "redraw": (
        "15.1.2",
        say("a hand without a corps card is redrawn when the game reaches that phase"),
    ),
}
"""For each verb, the rule that gives it its time, and what it says."""
BY_OPTION: Mapping[str, tuple[str, Said]] = {
    "reclaim": ("18.2.10", say("captured markers are rebuilt in the Replacement Phase")),
    "exchange": ("18.2.4", say("the captured T-26 is offered by the card that brings it")),
    "guerrilla": ("18.1.9", say("the guerrilla corps acts once a turn, before the first round")),
    "withdraw_first": (
        "18.3.1",
        say("the defender may withdraw when divisions are attacked by a corps"),
    ),
    "spare": ("18.3.1", say("a unit is spared when all that withdraw would be lost")),
    "choose_card": ("18.5", say("optional cards are chosen before the game begins")),
    "keep_card": ("18.3.5", say("an intelligence card is kept immediately after it is played")),
}
"""The verbs of optional rules; without the option they never have a time."""
NO_RULE = ("done",)
"""Verbs without a rule: `done` ends what may end."""


def why_not_now(state: State[Position], order: Order) -> Violation | None:
    """The rule that gives an order another time; None for `done`."""
    return why_not_now_at(state.position, state.agenda[-1], order)


def why_not_now_at(position: Position, stage: object, order: Order) -> Violation | None:
    """The same, for a stage that may be below others."""
    special = SPECIAL.get(order.verb)
    found = special(position, stage) if special else ()
    if found:
        rule, message = found
    elif order.verb in BY_OPTION:
        rule, message = BY_OPTION[order.verb]
        if not position.option(rule):
            message = say("that needs option {rule}, which is not in use", rule=rule)
    elif order.verb in HOMES:
        rule, message = HOMES[order.verb]
    else:
        return None
    return Violation(message, rule=rule)


Ruled = tuple[str, Said] | tuple[()]
"""A rule and what it says, or nothing."""


@CITE.serves("11.4.3", "18.3.1", "card N52", "card N55")
def _cannot_stay(position: Position, stage: object) -> Ruled:
    """In a retreat: why the defenders cannot pay to stay."""
    combat = position.combat
    if combat is None or combat.by_attacker is None or not combat.defenders(position):
        return ()
    name = position.space(combat.space).name
    if combat.withdrawal:
        return "18.3.1", say("units that withdraw leave {space}, whatever its ground", space=name)
    if not may_cancel_here(position, combat):
        bars = forbids_cancelling(position, combat)
        if ground_to_stay(position, combat):
            card = bars.get("always") or bars["trench"]
            told = say("after {title} ({card}) nobody may stay in {space}",
                       title=say(position.card(card).title), card=card, space=name)  # fmt: skip
            return f"card {card}", told
        return (
            "11.4.3",
            say(
                "{name} is not a mountain or a Beach Head and has no Trench that helps here",
                name=name,
            ),
        )
    if steps_to_stay(position, combat) > 1:
        return "18.2.9", say(
            "staying in {name} costs two steps, and one must be left after that", name=name
        )
    return "11.4.3", say(
        "staying in {name} costs a step, and one must be left after that", name=name
    )


@CITE.serves("16.1.8", "16.1.8.2", "16.1.8.3")
def _no_siege_is_fed(position: Position, stage: object) -> Ruled:
    """Why no point can be spent on a siege now."""
    if getattr(stage, "side", NATIONALIST) == REPUBLICAN:
        return "16.1.8", say("only the Nationalists can strengthen a besieged garrison")
    if position.phase != "columns":
        return "16.1.8.3", say("sieges get points only in the War of the Columns, which is over")
    if not position.sieges:
        return "16.1.8.2", say("there are no sieges left")
    return ()


@CITE.serves("7.1.1", "17.6.3", "11.2.4")
def _one_action_a_round(position: Position, stage: object) -> Ruled:
    """Why no card can be played now: one per round, and a landing that is due comes first."""
    name = type(stage).__name__
    if name == "Landing":
        return "17.6.3", say("the Army of Africa unit that is due lands before a card is played")
    if name == "DefendersCards":
        return "11.2.4", say("this is the other side's round: name cards for the defence, or none")
    if position.round and getattr(stage, "side", "") == position.active:
        return "7.1.1", say("a side takes one action in a round, and this one has begun")
    return ()


@CITE.serves("8.2.3", "8.2.4")
def _marked_before(position: Position, stage: object) -> Ruled:
    """After the first move or attack no more spaces are activated."""
    if type(stage).__name__ in ("Movement", "Combats"):
        return "8.2.4", say("all spaces are activated before the first unit moves")
    return ()


@CITE.serves("10.1.1", "8.2.5")
def _moves_are_over(position: Position, stage: object) -> Ruled:
    if type(stage).__name__ == "Combats":
        return "8.2.5", say("all movement comes before the first combat")
    return ()


SPECIAL: Mapping[str, Callable[[Position, object], Ruled]] = {
    "cancel_retreat": _cannot_stay,
    "siege": _no_siege_is_fed,
    "play": _one_action_a_round,
    "activate": _marked_before,
    "move": _moves_are_over,
    "fortify": _moves_are_over,
}
"""The rules about the current situation, for the verbs that have any."""
