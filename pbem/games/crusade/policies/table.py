"""The parts of Crusade's standing orders, one row each.

engine/policies/rows.py describes the rows. Their order is that of the form and of the hints. Those
of `turn_end` are for what a side does between two turns, the others for the questions in the
enemy's rounds; `losses` also for those before the first turn.
"""

from __future__ import annotations

from pbem.engine.policies.rows import OwnActs, PolicyPart, Slot, Times
from pbem.engine.policies.table import OWN, PolicyTable
from pbem.games.crusade.clock import now
from pbem.games.crusade.conditions import FACTS
from pbem.games.crusade.policies.moment import (
    as_both_see,
    is_of_the_attack,
    leaves_losses_open,
    this_round,
)
from pbem.games.crusade.position import ROUNDS
from pbem.games.crusade.rules.ranking import FLIP, GENERAL
from pbem.late import late
from pbem.messages import marked, say

# Asking whether a policy applies needs neither the form of a part nor its answers.
MODULES = ("cards", "combat", "demands", "retreat", "turn_end")
cards, combat, demands, retreat, turn_end = late("pbem.games.crusade.policies", *MODULES)

TURN_END = "turn_end"
"""The slot of what a side does between its last round of a turn and its first of the next."""

PARTS: tuple[PolicyPart, ...] = (
    PolicyPart("combat_card", "combat cards to use whenever they can be", cards.ALWAYS_USED,
               on=("cards",), joins="cards", otherwise=marked("none is used")),
    PolicyPart("cards", "combat cards, and when each is used", cards.CLAUSES,
               otherwise=marked("none is used")),
    PolicyPart("losses", "what is lost first", combat.LOSSES, own=("own_losses",),
               otherwise=marked("as few units die as can be")),
    PolicyPart("successor", "the division that replaces a corps", combat.SUCCESSOR,
               beside=("losses", "cancel_retreat"), otherwise=marked("the first")),
    PolicyPart("cancel_retreat", "when a step is paid to cancel a retreat, and by which unit",
               combat.CANCEL_RETREAT, otherwise=marked("never")),
    PolicyPart("retreat", "which unit retreats first, and where to", retreat.RETREAT,
               otherwise=marked("into supply, away from enemies")),
    PolicyPart("rally", "which unit regains a step that a card restores", combat.RALLY,
               otherwise=marked("the first that lost one")),
    PolicyPart("spare", "which unit is spared when a whole force would be lost", combat.SPARE,
               otherwise=marked("the first")),
    PolicyPart("withdraw_first", "whether the defenders withdraw before combat",
               combat.WITHDRAW_FIRST, otherwise=marked("never")),
    PolicyPart("forced", "what enemy cards and guerrillas take", demands.FORCED,
               on=("forced", "lost_card"), of_nothing=True,
               otherwise=marked("a reduced unit first")),
    PolicyPart("advance", "whether your attackers advance, where their order does not say it",
               combat.ADVANCE, slot=OWN, only_if_said=True),
    PolicyPart("replacements", "what replacement points are spent on, in order",
               turn_end.REPLACEMENTS, slot=TURN_END, otherwise=marked("nothing is bought")),
    PolicyPart("returning", "spaces where a corps that is due arrives", turn_end.RETURNING,
               slot=TURN_END, otherwise=marked("the first space that is open")),
    PolicyPart("markers", "spaces whose Position or Trench is given up", turn_end.MARKERS,
               on=("remove_marker",), slot=TURN_END, otherwise=marked("none")),
    PolicyPart("surplus", "which unit leaves a space that is too full", turn_end.SURPLUS,
               slot=TURN_END, otherwise=marked("the first")),
    PolicyPart("guerrilla", "what the guerrillas do; the first that is possible",
               turn_end.GUERRILLA, slot=TURN_END, only_if_said=True),
    PolicyPart("discard", "cards to discard", turn_end.DISCARD, slot=TURN_END,
               otherwise=marked("none")),
    PolicyPart("redraw", "whether a hand without a corps card is redrawn", turn_end.REDRAW,
               slot=TURN_END, only_if_said=True, is_sealed=False),
)  # fmt: skip


TABLE = PolicyTable(
    rows=PARTS,
    slots={
        TURN_END: Slot(
            say("turn_end: {discard: []}"),
            turn_end.is_last_move,
            told=marked("what you do before the next turn; said here, it costs no mail"),
            is_offered=lambda position: position.round == ROUNDS,
            shows=turn_end.shown_for_certain,
        ),
        OWN: Slot(
            say("own: {losses: [POL]}"),
            lambda position, side: True,
            told=marked("said openly, about your own attacks; it costs no mail"),
            is_offered=lambda position: True,
            line="own: {losses: [POL]}",
            stays=True,
        ),
    },
    begun=OwnActs(is_of_the_attack, leaves_losses_open, this_round),
    facts=FACTS,
    subject=lambda state: state.position.combat,
    goes_on="combats",
    times=Times(now, "round"),
    public=as_both_see,
    hidden=lambda position, side: position.hidden_slots(side),
    told=say(
        "standing orders answer for you in the enemy's rounds; without them each answer costs two "
        "mails"
    ),
    notes=(
        say(
            "losses: a unit, a type or {words}; of units that fit one word, those that lose least "
            "go first",
            words=", ".join(GENERAL),
        ),
        say(
            "{flip}, first in the list: no unit dies while another can be reduced; permanent "
            "losses come last",
            flip=FLIP,
        ),
    ),
    for_example=say("losses: [MIL, POL]"),
    for_slots=say("{north: {losses: [MIL]}}"),
    for_condition="{space: [madrid]}",
)
