"""The parts of the standing orders of Santander 1937, one row each.

The rows are in the order of the form and the hints. engine/policies/rows.py has what a row may say.
"""

from __future__ import annotations

from pbem.engine.policies.rows import OwnActs, PolicyPart, Slot, Times
from pbem.engine.policies.table import OWN, PolicyTable
from pbem.games.ctv.orders import Attack
from pbem.games.ctv.policies.facts import FACTS, is_own_attack, subject
from pbem.late import late
from pbem.messages import marked, say

# Asking whether a policy applies needs neither the form of a part nor its answers.
combat, covered, turn = late("pbem.games.ctv.policies", "combat", "covered", "turn")

BASQUES = "basques"

PARTS: tuple[PolicyPart, ...] = (
    PolicyPart("support", "what bombards those who attack, and when", combat.SUPPORT,
               on=("support", "columns"), otherwise=marked("nothing bombards")),
    PolicyPart("trade", "when a step is traded for a retreat, and where to", combat.TRADE,
               otherwise=marked("never")),
    PolicyPart("losses", "which units lose steps first", combat.LOSSES,
               on=("losses", "shot_down"), own=("losses", "shot_down"),
               otherwise=marked("the weakest first")),
    PolicyPart("retreat", "where units retreat from each hex, best first", combat.RETREAT,
               own=("retreat",), otherwise=marked("to the safest hex")),
    PolicyPart("withdraw", "which units leave for the offensive elsewhere", turn.WITHDRAW,
               of_nothing=True, otherwise=marked("the weakest")),
    PolicyPart("remain", "where battalions go on fighting when the Basques surrender", turn.REMAIN,
               of_nothing=True, otherwise=marked("in the first hexes")),
    # It names a brigade, and so is sealed apart: what is opened for an attack would tell it.
    PolicyPart("basques", "whether a covered Basque brigade is shown", turn.BASQUES,
               of_nothing=True, slot=BASQUES, only_if_said=True),
    PolicyPart("advance", "which of your attackers advance", combat.ADVANCE,
               own=("advance",), only_if_said=True),
    PolicyPart("breakthrough", "where your attackers go after a breakthrough", combat.BREAKTHROUGH,
               own=("breakthrough",), only_if_said=True),
    PolicyPart("bombard", "what bombards in your own attacks, and when", combat.BOMBARD,
               on=("own_support", "own_columns"), slot=OWN, only_if_said=True),
)  # fmt: skip


TABLE = PolicyTable(
    rows=PARTS,
    slots={
        BASQUES: Slot(
            say("basques: show"),
            lambda position, side: False,
            told="",
            is_offered=lambda position: not position.is_open,
            is_bare=True,
            stays=True,
        ),
        OWN: Slot(
            say("own: {losses: [reduced], advance: all}"),
            lambda position, side: True,
            told=marked("said openly, about your own attacks; it costs no mail"),
            is_offered=lambda position: True,
            line="own: {losses: [reduced], advance: all}",
            stays=True,
        ),
    },
    begun=OwnActs(
        lambda state, decision: is_own_attack(state.position, decision.side),
        lambda order: order.verb == Attack.verb,
        lambda position: f"turn {max(position.turn, 1)}",
    ),
    facts=FACTS,
    subject=subject,
    public=lambda position: position.veiled(None),
    hidden=lambda position, side: position.tags_of(side),
    claims=lambda position, side, document: covered.claims(position, side, document),
    goes_on="attacks",
    times=Times(lambda position: (position.turn, 0)),
    told=say(
        "standing orders answer for you when the enemy attacks, and behind the dice of your attacks"
    ),
    notes=(
        say("units: by name, division, nation or type, or reduced, full, disorganised"),
        say("own may also say bombard, written as support is, and where your attackers go after a "
            "breakthrough: {N-LIT-1: [2010, 1909]}"),
    ),
    for_example=say("losses: [reduced, armour]"),
    for_slots=say("{{north: {{losses: [reduced]}}}}"),
    for_condition="{hex: 2010}",
)  # fmt: skip
