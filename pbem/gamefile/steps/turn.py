"""The place of each kind of step in an entry, and the function that folds it.

A step at the wrong place is refused with the class of its breach: silence where a reveal is owed, a
value shown too early, or a word out of turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pbem.gamefile import consent, notes, records, rotation
from pbem.gamefile.advance import prune_policies
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.kept import Owed
from pbem.gamefile.machine import Machine
from pbem.gamefile.steps import beacons, orders
from pbem.late import Late
from pbem.messages import Said, say

if TYPE_CHECKING:
    from pbem.gamefile import deputies
    from pbem.gamefile.steps import ending, hidden, keys, offers, opening
else:  # most entries have values and orders alone
    deputies = Late("pbem.gamefile.deputies")
    ending = Late("pbem.gamefile.steps.ending")
    hidden = Late("pbem.gamefile.steps.hidden")
    keys = Late("pbem.gamefile.steps.keys")
    offers = Late("pbem.gamefile.steps.offers")
    opening = Late("pbem.gamefile.steps.opening")

Step = dict[str, Any]
BEGINNINGS = {"empty": "propose", "proposed": "accept", "accepted": "start"}
"""The step that each phase before the game waits for."""
SILENCE = MappingProxyType(
    {
        "reveal": "E-NOREVEAL",
        "deck_reply": "E-DECK",
        "unseal": "E-POLICY",
        "tell": "E-POLICY",
        "list_tell": "E-POLICY",
        "fact": "E-POLICY",
        "open": "E-CARD",
    }
)
"""The error class for each step of the head that is left out."""
ALONE = frozenset({"rotate", "deputy", "ruling"})
"""What has an entry of its own, with words at most, and may leave the head owed."""
NOTE_KINDS = frozenset({"say", "resign", "claim_forfeit", "offer", *ALONE})
"""T2: what a note may hold. None of it shows a secret, answers anything or moves the pen."""
ANSWERS_IN_TURN = frozenset({"answer", "takeback", "upgrade", "renew"})
BEHIND_A_LOCK = frozenset({"policy", "say"})
INSTEAD_OF_THE_HEAD = frozenset({"resign", *ALONE})
FIXED_AND_SEALED = frozenset({"unseal", "open", "tell", "list_tell", "fact"})
"""What of the head answers a question: a take-back undoes that, and the answer stays sealed."""

DO: Mapping[str, Callable[[Machine, Step], Machine]] = MappingProxyType(
    {
        "propose": opening.propose,
        "accept": opening.accept,
        "start": opening.start,
        "anchor": beacons.anchor,
        "reveal": beacons.reveal,
        "orders": orders.answers("orders", "list"),
        "react": orders.answers("react", "answers"),
        "post_choice": orders.answers("post_choice", "answers"),
        "policy": orders.policy,
        "unseal": orders.unseal,
        "seal": hidden.seal,
        "tell": hidden.tell,
        "list_seal": hidden.list_seal,
        "list_tell": hidden.list_tell,
        "fact": hidden.fact,
        "deck_commit": hidden.deck_commit,
        "deck_reply": hidden.deck_reply,
        "open": hidden.open_slot,
        "say": ending.words,
        "resign": ending.resign,
        "claim_forfeit": ending.claim_forfeit,
        "audit": ending.audit,
        "close": ending.close,
        "offer": offers.offer,
        "answer": offers.answer,
        "takeback": offers.take_back,
        "upgrade": offers.upgrade,
        "renew": offers.renew,
        "rotate": keys.rotate,
        "deputy": keys.deputy,
        "ruling": keys.ruling,
    }
)
"""What each kind of step does."""


def apply_step(machine: Machine, step: Step) -> Machine:
    """Folds one step of valid shape. Raises FileRefused when it may not be here."""
    kind = step["do"]
    consent.check_carried_out(machine, kind)
    check_place(machine, step)
    if machine.entry.deputy:
        deputies.check_may(machine, step)
    machine = DO[kind](machine, step)
    return prune_policies(machine.put(kinds=(*machine.entry.kinds, kind)))


def check_place(machine: Machine, step: Step) -> None:
    """Refuses a step where it may not stand (R4, T2 to T5)."""
    kind, entry, phase = step["do"], machine.entry, machine.terms.phase
    if entry.shut or (entry.only_words and not _may_stand_behind(machine, step)):
        raise FileRefused(
            "E-TURN", say("nothing may follow in this entry, but {kind} does", kind=named(kind))
        )
    if phase == "over":
        if entry.on_own_note and kind not in ("say", "ruling"):
            raise notes.behind_own_note(machine, entry.by)
        if kind not in records.AFTER_THE_END:
            raise FileRefused(
                "E-TURN", say("the game is over, but this is {kind}", kind=named(kind))
            )
    elif phase != "running":
        _check_beginning(machine, kind)
    elif entry.side:
        _check_note(machine, step)
    else:
        _check_turn(machine, step)


def _check_note(machine: Machine, step: Step) -> None:
    """T2, T3: what may be written out of turn. Raises FileRefused (E-TURN)."""
    kind = step["do"]
    if kind not in NOTE_KINDS:
        answers = kind in ANSWERS_IN_TURN
        raise FileRefused(
            "E-TURN",
            say(
                "it is not {by}'s turn to write, so {kind} is out of place",
                by=machine.entry.by,
                kind=named(kind),
            ),
            rule="T4" if answers else "the pen",
            hint=say("an offer can be answered only in turn, by the player who must write next")
            if answers
            else "",
        )
    if machine.entry.on_own_note and not _may_be_on_own(machine, step):
        raise notes.second_note(machine)


def _may_be_on_own(machine: Machine, step: Step) -> bool:
    """Whether a step may be part of naming a key for the other player, of a claim by the terms for
    silence, or of a ruling; the end of the entry decides.
    """
    kind = step["do"]
    is_one = kind in ("say", "rotate", "ruling") or (kind == "claim_forfeit" and "silence" in step)
    return is_one or rotation.has_spoken_for(machine)


def _may_stand_behind(machine: Machine, step: Step) -> bool:
    """Whether a step may follow where only words may; an author who names another's key may offer
    more.
    """
    if step["do"] == "offer":
        return step["what"] == "renew" and rotation.has_spoken_for(machine)
    return bool(step["do"] == "say")


def _check_beginning(machine: Machine, kind: str) -> None:
    wanted = BEGINNINGS[machine.terms.phase]
    if kind == (wanted if not machine.entry.progress else "say"):
        return
    # Everything else waits until the table is set; only standing orders may come before.
    if not (kind == "policy" and machine.terms.phase == "accepted" and machine.entry.progress):
        raise FileRefused(
            "E-TURN",
            say("{wanted} comes first, but this is {kind}", wanted=named(wanted), kind=named(kind)),
        )


def _check_turn(machine: Machine, step: Step) -> None:
    kind, locked = step["do"], machine.beacons.locked
    if kind == "audit":
        raise FileRefused("E-TURN", say("secrets are revealed only when the game is over"))
    if kind in BEGINNINGS.values():
        raise FileRefused("E-TURN", say("the game has begun, but this is {kind}", kind=named(kind)))
    if kind == "claim_forfeit":
        raise FileRefused("E-TURN", say("only the player who is waiting can claim a forfeit"))
    due = machine.head(machine.entry.by)
    if due is not None:
        if kind == "open" and due.code == "deck_reply":
            raise FileRefused(
                "E-OPEN",
                say("a card is opened, but {what} is owed first", what=machine.named(due)),
                rule="R4",
            )
        if kind != due.code and not _serves_instead(machine, step, due):
            raise FileRefused(
                SILENCE[due.code],
                say(
                    "{what} is owed first, but this is {kind}",
                    what=machine.named(due),
                    kind=named(kind),
                ),
                rule="R4",
            )
    elif kind in ("deck_reply", "unseal", "tell", "fact"):
        raise FileRefused(SILENCE[kind], say("no {kind} is owed", kind=kind), rule="R4")
    elif locked is not None and kind not in BEHIND_A_LOCK and kind != "reveal":
        raise FileRefused(
            "E-TURN",
            say(
                "beacon {locked} is locked: nothing can be decided before it is known, but "
                "this is {kind}",
                locked=locked,
                kind=named(kind),
            ),
            rule="R4",
        )


def _serves_instead(machine: Machine, step: Step, due: Owed) -> bool:
    """Whether a step may replace what its author owes first.

    What chance is owed, a value or a reply, comes before a take-back all the same.
    """
    if step["do"] in INSTEAD_OF_THE_HEAD or consent.begins_anew(machine, step):
        return True
    return due.code in FIXED_AND_SEALED and consent.goes_back(machine, step)


def named(kind: str) -> Said:
    """A kind of step in a sentence."""
    if kind[0] in "aeiou":
        return say("an {kind} step", kind=kind)
    return say("a {kind} step", kind=kind)
