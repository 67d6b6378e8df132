"""The parts of Madrid's standing orders, one row each.

The rows are in the order of the form and the hints. engine/policies/rows.py has what a row may say.
"""

from __future__ import annotations

from pbem.engine.policies.rows import OwnActs, PolicyPart, Slot, Times
from pbem.engine.policies.table import OWN, PolicyTable
from pbem.games.madrid.policies.facts import FACTS, KINDS
from pbem.late import late
from pbem.messages import marked, say

# Asking whether a policy applies needs neither the form of a part nor its answers.
MODULES = ("chits", "combat", "impulses", "turn")
chits, combat, impulses, turn = late("pbem.games.madrid.policies", *MODULES)

IMPULSES = "impulses"
"""The slot of impulses ordered ahead: for this turn, and sealed separately."""

CHIT_ANSWERS = ("spare", "counter", "brace", "again")
"""The questions for a chit that answers."""

PARTS: tuple[PolicyPart, ...] = (
    PolicyPart("losses", "which units take losses first", combat.LOSSES,
               own=("losses",), otherwise=marked("as many points are taken as can be")),
    PolicyPart("retreat", "where units retreat from each area, best first", combat.RETREAT,
               own=("retreat",), otherwise=marked("to the first area of the best kind")),
    PolicyPart("point", "which unit is named as the point unit", combat.POINT,
               on=("name",), otherwise=marked("the unit that defends best")),
    PolicyPart("new_point", "which unit leads an assault whose point unit was hit",
               combat.NEW_POINT, on=("lead",), own=("lead",), otherwise=marked("the assault ends")),
    PolicyPart("counterattack", "when units counter-attack, and which", combat.COUNTERATTACK,
               on=("defend",), otherwise=marked("never")),
    PolicyPart("fire", "when units that cross a river are fired at", combat.FIRE,
               otherwise=marked("always")),
    PolicyPart("chits", "chits that answer the enemy, and when each is played", chits.CHITS,
               on=CHIT_ANSWERS, own=CHIT_ANSWERS, tells=bool, otherwise=marked("none is played")),
    PolicyPart("reroll", "when dice are rolled again", chits.REROLL,
               own=("reroll",), tells=lambda said: said != "never", otherwise=marked("never")),
    PolicyPart("pick", "which units a chit turns", combat.PICK,
               own=("pick",), otherwise=marked("the first")),
    PolicyPart("strife", "which of two quarrelling groups acts", combat.STRIFE,
               own=("strife",), only_if_said=True),
    PolicyPart("arrivals", "where units arrive", turn.ARRIVALS,
               on=("arrive",), otherwise=marked("at the first place that is open")),
    PolicyPart("draw", "how many chits are drawn", turn.DRAW, only_if_said=True),
    PolicyPart("pause", "what happens to the pause in fighting", turn.PAUSE, only_if_said=True),
    PolicyPart("rebuild", "which units are rebuilt and where, in order", turn.REBUILD,
               only_if_said=True),
    PolicyPart("put_back", "chits that go back into the cup", chits.PUT_BACK, only_if_said=True),
    PolicyPart(IMPULSES, "impulses written ahead; the first one that applies and is legal",
               impulses.IMPULSES, on=("impulse",), slot=IMPULSES, only_if_said=True),
)  # fmt: skip


TABLE = PolicyTable(
    rows=PARTS,
    slots={
        IMPULSES: Slot(
            say("impulses: [pass]"),
            lambda position, side: False,
            told="",
            is_offered=lambda position: True,
            is_bare=True,
            used_up=lambda *given: impulses.used_up(*given),
        ),
        OWN: Slot(
            say("own: {losses: [spent, line]}"),
            lambda position, side: True,
            told=marked("said openly, about your own impulses; it costs no mail"),
            is_offered=lambda position: True,
            line="own: {losses: [spent, line]}",
            stays=True,
        ),
    },
    begun=OwnActs(
        lambda state, decision: decision.side == state.position.active,
        lambda order: order.verb in ("move", "bombard", "attack", "assault", "play"),
        lambda position: f"turn {max(position.turn, 1)}",
    ),
    facts=FACTS,
    subject=lambda state: state.agenda[-1],
    goes_on="attacks",
    public=lambda position: position.but(down=position.down.supposing({})),
    hidden=lambda position, side: position.slots(side),
    claims=lambda position, side, document: chits.claims(position, side, document),
    times=Times(lambda position: (position.turn, position.impulse)),
    told=say(
        "standing orders answer for you in the enemy's impulses and after the dice of your own"
    ),
    notes=(
        say("units: by name, {kinds} or a faction", kinds=", ".join(KINDS)),
        say("impulses count for this turn; at the end of the list the game asks you"),
    ),
    for_example=say("losses: [spent, line]"),
    for_slots=say("{north: {losses: [spent]}}"),
    for_condition="{urban: true}",
)
