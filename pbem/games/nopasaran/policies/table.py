"""The parts of the standing orders of ¡No Pasarán!, one row each.

The rows are in the order of the form and the hints. engine/policies/rows.py has what a row may say.
"""

from __future__ import annotations

from pbem.engine.policies.rows import OwnActs, PolicyPart, Slot, Times
from pbem.engine.policies.table import OWN, PolicyTable
from pbem.games.nopasaran.orders import Attack, Done, Finish
from pbem.games.nopasaran.policies.facts import FACTS, FURTHER, NEXT, is_own_attack, subject
from pbem.late import late
from pbem.messages import marked, say

# Asking whether a policy applies needs neither the form of a part nor its answers.
answers, ahead, covered = late("pbem.games.nopasaran.policies", "answers", "ahead", "covered")

PARTS: tuple[PolicyPart, ...] = (
    PolicyPart("retreat_before_combat", "when cavalry and vehicles retreat before combat",
               answers.WITHDRAW, otherwise=marked("never")),
    PolicyPart("support", "which guns and aircraft support a defence", answers.SUPPORT,
               otherwise=marked("all that can")),
    PolicyPart("primary", "which unit leads a defence", answers.PRIMARY,
               otherwise=marked("the most effective")),
    PolicyPart("counterbattery", "when guns answer the guns of the enemy",
               answers.COUNTERBATTERY, otherwise=marked("never")),
    PolicyPart("antiaircraft", "whether units face down are shown that fire at aircraft",
               answers.ANTIAIRCRAFT, of_nothing=True, otherwise=marked("none")),
    PolicyPart("react", "when those are attacked whose reconnaissance has failed", answers.REACT,
               otherwise=marked("never")),
    PolicyPart("retreat", "how units retreat: by road, together, or from each hex to others",
               answers.RETREAT, otherwise=marked("together, as the rules have it")),
    PolicyPart("losses_for_retreat", "when troop points are lost in place of a retreat",
               answers.FOR_RETREAT, beside=("retreat",), otherwise=marked("never")),
    PolicyPart("works", "what is built where units have stood idle", answers.WORKS,
               own=("works",), of_nothing=True, is_said_openly=True, otherwise=marked("nothing")),
    PolicyPart("advance", "which of your attackers advance", answers.ADVANCE, own=("advance",),
               only_if_said=True),
    PolicyPart("again", "when your mobile attacks are repeated", answers.AGAIN, own=("again",),
               only_if_said=True),
    *(PolicyPart(name, "activations written ahead; the first that is due and legal",
                 clause, on=("activation", "action"), slot=name, only_if_said=True,
                 more_of=NEXT if name in FURTHER else "")
      for name, clause in zip((NEXT, *FURTHER), (ahead.ACTIVATION, ahead.SECOND, ahead.THIRD),
                              strict=True)),
    PolicyPart("displace", "which units stay where there is no room for all", answers.DISPLACE,
               own=("displace",), of_nothing=True, otherwise=marked("the lowest go")),
)  # fmt: skip


TABLE: PolicyTable = PolicyTable(
    rows=PARTS,
    slots={
        # The first is sealed last: of several policies the latest comes first.
        **{name: Slot(say("activations: [[finish]]"), lambda position, side: False, told="",
                      is_offered=lambda position: False, is_bare=True,
                      used_up=lambda *given: ahead.used_up(*given))
           for name in reversed(FURTHER)},
        NEXT: Slot(
            say("activations: [[finish]]"),
            lambda position, side: False,
            told="",
            is_offered=lambda position: True,
            is_bare=True,
            further=FURTHER,
            used_up=lambda *given: ahead.used_up(*given),
            ahead=lambda *given: ahead.plans(*given),
        ),
        OWN: Slot(
            say("own: {advance: all}"),
            lambda position, side: True,
            told=marked("said openly, about your attacks and works; it costs no mail"),
            is_offered=lambda position: True,
            line="own: {advance: all, works: none}",
            stays=True,
        ),
    },
    begun=OwnActs(
        lambda state, decision: decision.policy == "works"
        or is_own_attack(state.position, decision.side),
        lambda order: order.verb in (Attack.verb, Done.verb, Finish.verb),
        lambda position: f"turn {max(position.day, 1)}",
    ),
    facts=FACTS,
    subject=subject,
    public=lambda position: position.veiled(None),
    hidden=lambda position, side: position.tags_of(side),
    claims=lambda *given: (*covered.claims(*given), *ahead.claims(*given)),
    goes_on="attacks",
    times=Times(lambda position: (position.day, position.passed), "initiative"),
    told=say(
        "standing orders answer for you when the enemy is active, and behind the dice of your "
        "attacks"
    ),
    notes=(
        say("units: by name, formation or type, or best, strongest, weakest"),
        say("activations count for this day, each order once; behind the last the game asks you"),
    ),
    for_example=say("primary: [best]"),
    for_slots=say("{{north: {{primary: [best]}}}}"),
    for_condition="{hex: G13}",
)  # fmt: skip
