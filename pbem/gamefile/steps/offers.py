"""The steps of agreements between the players, and their effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.gamefile import consent, generations
from pbem.gamefile.advance import (
    advance,
    close_beacon,
    finish,
    inform_auditor,
    prune_policies,
)
from pbem.gamefile.consent import MAX_TAKE_BACKS, open_offer
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import PLAYERS, Asked, other
from pbem.gamefile.journal import (
    Adjourned,
    OfferAnswered,
    OfferMade,
    Renewed,
    TakenBack,
    Upgraded,
)
from pbem.gamefile.kept import Offer
from pbem.gamefile.machine import Machine
from pbem.messages import say

Step = dict[str, Any]


def offer(machine: Machine, step: Step) -> Machine:
    """Makes an offer to the other player. Raises FileRefused: E-CONSENT for one that cannot be
    made, E-TURN where a roll is near (R10).
    """
    by, what, locked = machine.entry.by, step["what"], machine.beacons.locked
    terms = {name: item for name, item in step.items() if name not in ("do", "what")}
    if open_offer(machine, by) is not None:
        raise FileRefused(
            "E-CONSENT",
            say("player {by} already has an open offer", by=by),
            rule="offers",
            hint=say("it lapses with the next entry of the other player"),
        )
    if locked is not None and not _may_hang(what, terms):
        raise FileRefused(
            "E-TURN",
            say(
                "dice are about to fall, and your opponent would know them before they answer an "
                "offer"
            ),
            rule="R10",
            hint=say(
                "make the offer once they have fallen; before that only a take-back with "
                "--known-randomness can be offered, or new secrets to the player who owes the dice"
            ),
        )
    if what == "takeback":
        consent.check_target(machine, terms)
    if what == "upgrade":
        consent.check_present(machine, terms["old"])
        check_same_game(terms)
    if what == "renew":
        generations.check_may_offer(machine)
    made = Offer(by, what, machine.entry.seq, terms)
    machine = machine.put(offers=(*machine.agreements.offers, made))
    return machine.tell(OfferMade, by=by, what=what, terms=terms)


def check_same_game(terms: Mapping[str, Any]) -> None:
    """Raises FileRefused (E-CONSENT) for a change to the rules of another game: no position of one
    is one of the other.
    """
    old, new = (terms[name]["ruleset"] for name in ("old", "new"))
    if old.partition("/")[0] != new.partition("/")[0]:
        raise FileRefused(
            "E-CONSENT",
            say("a change of the rules keeps the game, but {new} is not of the game {old}",
                new=new, old=old),
            rule="offers",
        )  # fmt: skip


def _may_hang(what: str, terms: Mapping[str, Any]) -> bool:
    """Whether something may be offered although its answer may come from a player who knows the
    dice: only the terms of a take-back can say `known_randomness`.
    """
    return what == "renew" or "known_randomness" in terms


def answer(machine: Machine, step: Step) -> Machine:
    """Accepts or declines the other player's open offer. Raises FileRefused (E-CONSENT) for an
    answer that names no open offer.
    """
    by, offers = machine.entry.by, machine.agreements.offers
    asked = open_offer(machine, other(by))
    if asked is None or asked.id != step["offer"]:
        raise consent.not_open(machine, asked)
    yes = step["yes"]
    machine = machine.put(offers=tuple(each for each in offers if each is not asked))
    machine = machine.tell(OfferAnswered, by=by, what=asked.what, terms=asked.terms, yes=yes)
    if not yes:
        return machine
    machine = machine.put(progress=True)
    if asked.what == "draw":
        return finish(machine, dict(consent.DRAWN))
    if asked.what == "void":
        return finish(machine, dict(consent.VOID))
    if asked.what == "adjourn":
        until = asked.terms.get("until", "")
        return machine.put(adjourned=machine.entry.seq).tell(Adjourned, by=asked.by, until=until)
    return machine.put(agreed=asked)


# --- a take-back


def take_back(machine: Machine, step: Step) -> Machine:
    """The fold goes on from the state after entry `to`; what chance and players showed stays.

    That the state can be gone back to was judged with the offer, which lapses before that changes.
    Raises FileRefused: E-CONSENT without the other's consent to this very take-back, or where a
    pile was laid since; E-LIMIT.
    """
    to = step["to"]
    agreed = consent.agreed(machine, "takeback", {"to": to})
    if machine.agreements.take_backs == MAX_TAKE_BACKS:
        raise FileRefused(
            "E-LIMIT",
            say("more than {max_take_backs} take-backs in one game", max_take_backs=MAX_TAKE_BACKS),
        )
    assert machine.world.recall is not None, (
        "only a machine that folds a file can recall its states"
    )
    earlier, before = machine.world.recall(to), machine.table
    machine = close_beacon(machine)  # first: what was unsealed for it is spent, and stays void
    known = [*machine.pending.policies, *earlier.pending.policies]
    policies = consent.policies_kept(machine, earlier)
    gone = {each.by for each in known if each not in policies}
    machine = machine.at(earlier.table).put(
        agreed=None, halt=None, left=None, chosen=(), given=earlier.pending.given,
        policies=policies,
    )  # fmt: skip
    machine = _keep_decks(machine)
    if consent.rules_of(earlier) != consent.rules_of(machine):
        machine = machine.at(machine.table.upgraded(machine.terms.proposal))
    quiet = {seq: count for seq, count in machine.agreements.quiet.items() if seq <= to}
    machine = machine.put(
        quiet=quiet, claim=None, offers=(), take_backs=machine.agreements.take_backs + 1
    )
    machine = machine.tell(
        TakenBack, by=agreed.by, to=to, before=before, after=machine.table,
        ended=tuple(player for player in PLAYERS if player in gone),
    )  # fmt: skip
    return _goes_on(machine, _open_question(earlier))


def _keep_decks(machine: Machine) -> Machine:
    """Decks and hands after a take-back; the machine already has the earlier position.

    What players are bound to and have opened stays; a card opened since is known in the hand that
    held it. A pile that was laid since is gone, and the next one of its deck takes the next number:
    no number of an epoch names two commitments (R7). If a deck stays, a roll may have met its cards
    since, and an audit must know them.
    """
    decks = machine.hidden.decks.undo(machine.table.laid())
    used = decks.used()
    machine = machine.put(decks=decks)
    if used:
        machine = machine.at(machine.table.renumbered(used))
    machine = inform_auditor(machine)
    opened = {f"{each.name}/{place}": card for each in decks for place, card in each.opened.items()}
    while known := _opened_in_hands(machine, opened):
        machine = machine.at(machine.table.learn(known))
    told = _told_of_lists(machine)
    return machine.at(machine.table.learn(told)) if told else machine


def _opened_in_hands(machine: Machine, opened: Mapping[str, str]) -> dict[str, str]:
    """The opened cards that are in hands where nobody knows them yet.

    One that is a tag puts an older slot into the hand, which may have been opened too.
    """
    known = machine.table.known()
    held = (slot for player in PLAYERS for slot in machine.table.hand(player))
    return {slot: opened[slot] for slot in held if slot in opened and slot not in known}


def _told_of_lists(machine: Machine) -> dict[str, str]:
    """The items of lists in force that were told, and that the table does not know."""
    items = {
        f"{each.slot}/{at}": item for each in machine.hidden.lists for at, item in each.told.items()
    }
    table, known = machine.table, machine.table.known()
    there = (slot for player in PLAYERS for slot in table.looks_at(player)) if items else ()
    return {slot: items[slot] for slot in there if slot in items and slot not in known}


# --- other rules, other secrets


def upgrade(machine: Machine, step: Step) -> Machine:
    """From the next entry on the game is judged by other rules or data; the position stays.

    Raises FileRefused: E-CONSENT without the other's consent to these very rules, E-RULES when the
    new ones are not known here, or the position cannot be carried over.
    """
    old, new = step["old"], step["new"]
    agreed = consent.agreed(machine, "upgrade", {"old": old, "new": new})
    consent.check_present(machine, old)
    others = machine.terms.proposal.items()
    proposal = {name: item for name, item in others if name not in consent.PINNED} | new
    before = machine.table
    asked = _open_question(machine)
    after = before.upgraded(proposal)
    machine = machine.at(after).put(
        agreed=None, proposal=proposal, is_upgraded=True, has_counters=after.may_hide_counters()
    )
    machine = machine.tell(Upgraded, by=agreed.by, old=old, new=new, before=before, after=after)
    return _goes_on(machine, asked)


def renew(machine: Machine, step: Step) -> Machine:
    """Its author goes on with new secrets; whatever the game asks then may follow.

    Raises FileRefused: E-CONSENT without the other player's consent, E-REVEAL for an earlier
    anchor.
    """
    consent.agreed(machine, "renew", {})
    player, before, asked = machine.entry.by, machine.table, _open_question(machine)
    machine, burnt = generations.bind_anew(machine.put(agreed=None), step["anchor"])
    # What was replaced goes first: what a sealed policy replaced must not be in force again.
    machine = close_beacon(machine).put(locked=None, void=False, quiet={})
    machine = prune_policies(machine)
    kept = (one for one in machine.pending.policies if one.by != player or one.c is None)
    after = before.renewed(player)
    machine = machine.put(policies=tuple(kept)).at(after)
    machine = machine.tell(Renewed, by=player, burnt=burnt, before=before, after=after)
    return machine if _stands(machine, asked) else advance(machine)


def _goes_on(machine: Machine, asked: Asked | None) -> Machine:
    """The machine after a take-back or an upgrade, which led to the question that was `asked`.

    Nothing but words follows while it stands. It may not: it was asked because a counter might have
    been one that was seen since. Then folding goes on, so that somebody always has the pen.
    """
    return machine.put(only_words=True) if _stands(machine, asked) else advance(machine)


def _stands(machine: Machine, asked: Asked | None) -> bool:
    """Whether the question that was open is asked still, and is not to be answered again."""
    return machine.waits == asked


def _open_question(machine: Machine) -> Asked | None:
    """The question that a player may answer with orders, if any: it stays open, and is not answered
    again. What is fixed (a secret choice, the lines of a list) may be nothing by now: it is no
    such question.
    """
    waits = machine.waits
    if isinstance(waits, Asked) and machine.pending.halt is None and not waits.is_fixed:
        return waits
    return None
