"""The parts of Crusade's standing orders: one row each, and nothing of a part stands elsewhere.

What a row may say: engine/policy_parts.py. The order of the rows is that of the form and of the
hints. Those of `turn_end` stand for what a side does between two turns, the others for what it is
asked in the rounds of the enemy; `losses` also before the first turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.late import Late
from pbem.engine.policy_parts import Answer, PolicyPart, PolicyTable, Slot
from pbem.games.crusade.conditions import FACTS, RANKING
from pbem.games.crusade.policy_scope import TURN_END, UNTIL, is_in_force
from pbem.games.crusade.rules.ranking import FLIP, GENERAL

if TYPE_CHECKING:
    from pbem.games.crusade import policy, policy_form, policy_help, policy_retreat, policy_turn
    from pbem.games.crusade import policy_parts as sealing
    from pbem.games.crusade import policy_vain as vain
else:  # who asks whether a policy speaks needs neither its form nor its answers
    policy = Late("pbem.games.crusade.policy")
    policy_form = Late("pbem.games.crusade.policy_form")
    policy_help = Late("pbem.games.crusade.policy_help")
    policy_retreat = Late("pbem.games.crusade.policy_retreat")
    policy_turn = Late("pbem.games.crusade.policy_turn")
    sealing = Late("pbem.games.crusade.policy_parts")
    vain = Late("pbem.games.crusade.policy_vain")

CARDS_PLAYED = Answer(policy.played_cards, policy.slots_of_cards)


PARTS: tuple[PolicyPart, ...] = (
    PolicyPart(
        "combat_card", "combat cards that are used whenever they can be",
        policy_form.CARDS, policy_form.SEALED_CARDS,
        answers={"cards": CARDS_PLAYED},
        vain=vain.short_cards,
        seal=sealing.cards, joins="cards",
        help=policy_help.combat_card,
    ),
    PolicyPart(
        "cards", "combat cards, and when each is used",
        policy_form.CARD_CLAUSES, policy_form.SEALED_CLAUSES,
        answers={"cards": CARDS_PLAYED},
        vain=vain.card_clauses,
        seal=sealing.cards,
    ),
    PolicyPart(
        "losses", "what is lost first",
        policy_form.LOSSES, policy_form.LOSSES,
        answers={"losses": Answer(policy.chosen_losses)},
        help=policy_help.losses,
    ),
    PolicyPart(
        "successor", "the division that stands in for a corps",
        RANKING, RANKING,
        heard_on=("losses", "cancel_retreat"),
    ),
    PolicyPart(
        "cancel_retreat", "when a step is paid so that nobody retreats, and by whom",
        policy_form.CANCELLING, policy_form.CANCELLING,
        answers={"cancel_retreat": Answer(policy.cancelling)},
        vain=vain.cancelling,
        help=policy_help.cancel_retreat,
    ),
    PolicyPart(
        "retreat", "who retreats first, and where to",
        policy_form.RETREAT, policy_form.RETREAT,
        answers={"retreat": Answer(policy_retreat.retreating)},
        vain=vain.retreat,
        help=policy_help.retreat,
    ),
    PolicyPart(
        "rally", "who gets back a step that a card restores",
        RANKING, RANKING,
        answers={"rally": Answer(policy.rallying)},
        unasked=vain.no_rally,
    ),
    PolicyPart(
        "spare", "who is spared of a force that would be lost",
        RANKING, RANKING,
        answers={"spare": Answer(policy.sparing)},
        unasked=vain.nobody_spared,
    ),
    PolicyPart(
        "withdraw_first", "whether the defenders withdraw before combat",
        policy_form.WITHDRAWING, policy_form.WITHDRAWING,
        answers={"withdraw_first": Answer(policy.withdrawing_first)},
        unasked=vain.no_withdrawing,
        help=policy_help.withdraw_first,
    ),
    PolicyPart(
        "forced", "what cards of the enemy and guerrillas take",
        policy_form.FORCED, policy_form.SEALED_FORCED,
        answers={
            "forced": Answer(policy.taken),
            "lost_card": Answer(policy.lost_card, policy.slots_to_lose),
        },
        vain=vain.forced,
        seal=sealing.forced,
        help=policy_help.forced,
    ),
    PolicyPart(
        "replacements", "what replacement points are spent on, from the top",
        policy_form.REPLACEMENTS, policy_form.REPLACEMENTS, TURN_END,
        answers={"replacements": Answer(policy_turn.spending)},
        vain=vain.replacements,
        help=policy_help.replacements,
    ),
    PolicyPart(
        "returning", "spaces at which a corps that is due comes in",
        policy_form.PLACES, policy_form.SPACES, TURN_END,
        answers={"returning": Answer(policy_turn.returning)},
    ),
    PolicyPart(
        "markers", "spaces whose Position or Trench is given up",
        policy_form.PLACES, policy_form.SPACES, TURN_END,
        answers={"remove_marker": Answer(policy_turn.giving_up)},
        help=policy_help.markers,
    ),
    PolicyPart(
        "surplus", "who leaves a space that is too full",
        policy_form.SURPLUS, RANKING, TURN_END,
        answers={"surplus": Answer(policy_turn.leaving)},
    ),
    PolicyPart(
        "guerrilla", "what the guerrillas do, the first that can be",
        policy_form.GUERRILLA, policy_form.GUERRILLA, TURN_END,
        answers={"guerrilla": Answer(policy_turn.raiding)},
        only_if_said=True,
        unasked=vain.no_guerrillas,
        vain=vain.guerrilla,
    ),
    PolicyPart(
        "discard", "cards that are discarded",
        policy_form.DISCARDS, policy_form.SLOTS, TURN_END,
        answers={"discard": Answer(policy_turn.discarding, policy_turn.slots_to_show)},
        seal=sealing.discards,
        help=policy_help.discard,
    ),
    PolicyPart(
        "redraw", "whether a hand without a corps is drawn again",
        policy_form.REDRAWING, None, TURN_END,
        answers={"redraw": Answer(policy_turn.redrawing)},
        only_if_said=True,
    ),
)  # fmt: skip


TABLE = PolicyTable(
    rows=PARTS,
    slots={TURN_END: Slot(
        "turn_end: {discard: []}", sealing.this_turn, sealing.is_last_move, policy_help.turn_end
    )},
    facts=FACTS,
    subject=lambda position: position.combat,
    is_time=lambda written: UNTIL.fullmatch(written) is not None,
    is_in_force=is_in_force,
    until_told=("until names a turn, or a round of it", "turn 5 round 3"),
    public=policy.as_both_see,
    hidden=lambda position, side: position.hidden_slots(side),
    scope_vain=vain.scope,
    scope_help=("scope: {ask: []}", "what you would rather be asked: [{space: [madrid]}]"),
    for_scope="{ask: [{space: [madrid]}]}",
    for_example="losses: [MIL, POL]",
    for_slots="{north: {losses: [MIL]}}",
    form_told=(
        "standing orders answer in the enemy's rounds; without them each answer costs two mails",
        "ask in place of an answer leaves that question to you, and costs its mail",
        f"losses: a unit, a type or {', '.join(GENERAL)}; of one word those that lose least",
        f"{FLIP}, in front: none dies while another can be reduced; units for good last",
        f"a when may name {', '.join(FACTS.early)}",
        f"after the dice also {', '.join(FACTS.late)}, or after: {{...}}",
    ),
)  # fmt: skip
