"""A game file judged without its rules, by the format alone.

It is for a tournament director without the data of a game, and for a file made by rules that are
not known here. Signatures, links, the values of beacons, the decks, cards and documents that were
opened, keys, and the secrets shown at the end are judged as in the fold, by the same functions.
Only the rules can say whose turn it was, what an order does, which dice it calls for and who holds
which card. So notes are told from main entries only while a value is owed, which gives its owner
the pen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate
from types import MappingProxyType
from typing import Any

from pbem.engine.tags import place_of, slot_under
from pbem.gamefile import audit, choices, deputies, generations, lists, new_keys, notes, shown
from pbem.gamefile.beacons import beacon_value
from pbem.gamefile.cards import CHOICES, MIXING, RULE, epoch_of
from pbem.gamefile.chain import Entry
from pbem.gamefile.entry import named
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import judge_entry
from pbem.gamefile.in_play import Laid, other
from pbem.gamefile.machine import Machine, World
from pbem.gamefile.rotation import FOR_THE_OTHER
from pbem.gamefile.rulings import result_in
from pbem.gamefile.steps import beacons, ending, hidden, keys, offers, opening, orders, turn
from pbem.messages import say
from pbem.value import replace, value

Step = dict[str, Any]


@value
class ProtocolOnly:
    """What has been judged of a file so far: the machine, as far as the protocol alone knows it.

    There is nothing on its table, and nobody holds its pen. `note_by` is the author of the last
    note, where that can be told.
    """

    machine: Machine
    entries: tuple[Entry, ...]
    note_by: str = ""
    ended: bool = False
    """Whether the game is over by an entry that needs no rules: nobody owes a value any more."""
    completed: int = 0
    void_beacons: int = 0
    decks_proven: int = 0
    tags: frozenset[str] = frozenset()
    """The tags that were laid since the last take-back, which may undo some of them."""
    dropped: frozenset[tuple[str, int]] = frozenset()
    """The decks and epochs that were bound before new secrets, which dropped them."""
    opened: int = 0
    unsealed: int = 0
    told: int = 0

    def at(self, machine: Machine, **facts: Any) -> ProtocolOnly:
        """A copy with another machine and other facts."""
        return replace(self, machine=machine, **facts)


def replay_without_rules(entries: Sequence[Entry]) -> ProtocolOnly:
    """Judges a whole file without rules. Raises FileRefused at the first thing that is wrong."""
    judged = ProtocolOnly(Machine(World(None)), tuple(entries))
    for entry in entries:
        judged = judge_entry(judged.machine, entry, partial(_judge_steps, judged, entry))
    return judged


def _judge_steps(judged: ProtocolOnly, entry: Entry, machine: Machine) -> ProtocolOnly:
    judged = _beside(judged, entry)
    # Only the rules know who has the pen. So each entry is taken for a note, which may also name a
    # new key for the other player.
    judged = judged.at(
        machine.put(
            seq=entry.seq, by=entry.by, side=True, progress=False, kinds=(), slots=(),
            journal=(), deputy="as" in entry.payload, time=entry.payload.get("time"),
        )
    )  # fmt: skip
    for number, step in enumerate(entry.steps):
        try:
            judged = _judge_step(judged, step)
        except FileRefused as refused:
            raise refused.placed(step=number) from None
    return judged.at(named(judged.machine, entry))


def _beside(judged: ProtocolOnly, entry: Entry) -> ProtocolOnly:
    """T2, T3 where the pen shows without the rules: it is with the player who owes a value.

    Raises FileRefused (E-TURN).
    """
    by, kinds = entry.by, {step["do"] for step in entry.steps}
    revealed = judged.machine.beacons.revealed
    is_note = not judged.ended and revealed[by] > revealed[other(by)]
    on_own_note = judged.note_by == by
    wrong = sorted(kinds - turn.NOTE_KINDS)
    if is_note and wrong:
        raise FileRefused(
            "E-TURN",
            say(
                "player {other} owes a value and must write, so {wrong} is out of place",
                other=other(by),
                wrong=turn.named(wrong[0]),
            ),
            rule="T2",
        )
    speaks = any(step.get("signed_by") in FOR_THE_OTHER for step in entry.steps)
    speaks |= any("silence" in step for step in entry.steps) or "ruling" in kinds
    if on_own_note and not speaks:
        raise notes.second_note(judged.machine)
    is_result = result_in(entry) is not None
    return replace(
        judged, note_by=by if is_note and not is_result else "",
        ended=judged.ended or is_result or "resign" in kinds or _wins(judged, entry),
    )  # fmt: skip


def _wins(judged: ProtocolOnly, entry: Entry) -> bool:
    """Whether an entry claims the game by terms for silence that give it to the claimant."""
    terms = judged.machine.terms.proposal.get("silence", {})
    return terms.get("then") == "result" and any("silence" in step for step in entry.steps)


def _judge_step(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    kind, machine = step["do"], judged.machine
    begun = machine.terms.phase == "accepted" and not machine.entry.progress
    if machine.terms.phase == "running":
        if machine.entry.deputy:
            deputies.check_may(machine, step)
        judged = _JUDGED.get(kind, _left_to_the_rules)(judged, step)
    elif begun and kind == "start":
        judged = judged.at(opening.start_bound(machine, step))
    elif begun:
        raise FileRefused(
            "E-TURN", say("a start step comes first, but this is {kind}", kind=turn.named(kind))
        )
    else:
        return judged.at(turn.apply_step(machine, step))
    return judged.at(judged.machine.put(kinds=(*machine.entry.kinds, kind)))


def _left_to_the_rules(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    """Accepts a step about which nothing can be said without the rules."""
    if step["do"] in turn.BEGINNINGS.values():
        raise FileRefused(
            "E-TURN", say("the game has begun, but this is {do}", do=turn.named(step["do"]))
        )
    return judged


def _reveal(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    machine, number, is_void = judged.machine, step["n"], step.get("void", False)
    player, revealed = machine.entry.by, machine.beacons.revealed
    beacons.check_number(machine, player, number)
    if number > revealed[other(player)] + 1:
        raise FileRefused(
            "E-EARLY",
            say(
                "value {number} is revealed before both have shown the one before it", number=number
            ),
            rule="R3",
        )
    machine = beacons.show_value(machine, player, number, step["x"])
    if revealed[other(player)] != number:
        return judged.at(machine.put(void=is_void))
    if "void" in step:
        raise beacons.void_marked_again()
    value_a, value_b = machine.beacons.values["A"], machine.beacons.values["B"]
    assert value_a is not None and value_b is not None
    known = beacon_value(machine.terms.game, number, value_a, value_b)
    decks, _ = machine.hidden.decks.challenge(number, known)
    return judged.at(
        machine.put(decks=decks),
        completed=judged.completed + 1, void_beacons=judged.void_beacons + machine.beacons.void,
    )  # fmt: skip


def _anchor(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    return judged.at(beacons.add_anchor(judged.machine, judged.machine.entry.by, step))


def _deck_commit(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    """Only what was revealed is known here, not what is locked; that decides which beacon will
    challenge the deck.
    """
    machine, by = judged.machine, judged.machine.entry.by
    deck, epoch, cards = step["deck"], step["epoch"], tuple(step["cards"])
    proposal = machine.terms.proposal
    owners = {each["deck"]: each["by"] for each in proposal["decks"]}
    owners |= {each.epoch.deck: each.epoch.by for each in machine.hidden.decks}
    groups = tuple(step.get("groups", ()))
    laid = Laid(deck, by, epoch, cards, groups)
    # A deck that is first laid after the first beacon belongs to whoever is bound to it.
    comes_next = epoch == 1 or (deck, epoch - 1) in judged.dropped.union(_epochs(machine))
    is_new = owners.get(deck, by) == by and machine.hidden.decks.lacking((laid,), by)
    if groups:
        check_groups(deck, cards, groups)
    if not (is_new and comes_next) or (list(cards) != sorted(cards) and not groups):
        raise FileRefused(
            "E-DECK",
            say("no commitment to deck {deck}/{epoch} is needed", deck=deck, epoch=epoch),
            rule=RULE,
        )
    judged = _tags_laid(judged, laid)
    challenge = max(machine.beacons.revealed.values()) + 1
    return judged.at(beacons.bind_deck(machine, epoch_of(laid, proposal, challenge), step["c"]))


def _epochs(machine: Machine) -> set[tuple[str, int]]:
    return {(each.epoch.deck, each.epoch.number) for each in machine.hidden.decks}


def check_groups(deck: str, cards: Sequence[str], groups: Sequence[int]) -> None:
    """Raises FileRefused (E-DECK) unless the cards are groups in the order of a mix: tags of this
    deck, or counters that both know, sorted in each group, the groups by their first cards.
    """
    ends = [*accumulate(groups)]
    parts = [list(cards[end - size : end]) for end, size in zip(ends, groups, strict=True)]
    fits = bool(ends) and ends[-1] == len(cards) and all(size > 1 for size in groups)
    in_order = all(part == sorted(part) for part in parts) and parts == sorted(parts)
    tags = all(slot_under(card).startswith(f"{deck}/") for card in cards if slot_under(card))
    if not (fits and in_order and tags):
        raise FileRefused(
            "E-DECK",
            say("the groups of a mix of deck {deck} are not what they have to be", deck=deck),
            rule=MIXING,
            hint=say("groups of two and more tags, each sorted, the groups by their first tags"),
        )


def _tags_laid(judged: ProtocolOnly, laid: Laid) -> ProtocolOnly:
    """Checks that each tag names a slot of an earlier epoch of its deck, and that no slot is laid
    again twice.

    Raises FileRefused (E-DECK).
    """
    sizes = {
        (each.epoch.deck, each.epoch.number): len(each.epoch.cards)
        for each in judged.machine.hidden.decks
    }
    tags = [card for card in laid.cards if slot_under(card)]
    for tag in tags:
        deck, number, place = place_of(slot_under(tag))
        is_there = deck == laid.deck and place < sizes.get((deck, number), 0)
        if not is_there or tag in judged.tags:
            raise FileRefused(
                "E-DECK",
                say(
                    "card {at} of deck {deck}/{epoch} is laid out a second time"
                    if is_there
                    else "card {at} of deck {deck}/{epoch} names no slot of an earlier epoch",
                    at=laid.cards.index(tag) + 1,
                    deck=laid.deck,
                    epoch=laid.epoch,
                ),
                rule="tags",
            )
    return replace(judged, tags=judged.tags.union(tags))


def _deck_reply(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    machine, _ = hidden.take_reply(judged.machine, step)
    return judged.at(machine, decks_proven=judged.decks_proven + 1)


def _open(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    machine = judged.machine.put(decks=hidden.shown(judged.machine, step))
    return judged.at(machine, opened=judged.opened + 1)


def _policy(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    orders.check_policy_form(step)
    return judged.at(judged.machine.put(slots=orders.slots_with(judged.machine, step)))


def _unseal(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    orders.check_document(step, _bound(judged, step["slot"], step["seq"]))
    return replace(judged, unsealed=judged.unsealed + 1)


def _bound(judged: ProtocolOnly, slot: str, seq: int) -> str | None:
    """What bound the author of the open entry to the sealed orders of entry `seq`, if anything."""
    now = judged.machine.entry
    if seq > now.seq or judged.entries[seq].by != now.by:
        return None
    before = judged.entries[seq].steps[: len(now.kinds) if seq == now.seq else None]
    found = (each for each in before if each["do"] == "policy" and each["slot"] == slot)
    return next((each.get("c") for each in found), None)


def _seal(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    return judged.at(hidden.bind_choice(judged.machine, 0, step))


def _tell(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    """Checks a revealed choice: only the rules know which one comes first, but it must bind its
    author.
    """
    machine, by, chosen = judged.machine, judged.machine.entry.by, judged.machine.hidden.chosen
    told = next((each for each in chosen if each.by == by and choices.fits(step, each)), None)
    if told is None:
        raise FileRefused(
            "E-POLICY", say("player {by} has sealed no such choice", by=by), rule=CHOICES
        )
    left = tuple(each for each in chosen if each is not told)
    return judged.at(machine.put(chosen=left), told=judged.told + 1)


def _list_seal(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    return judged.at(hidden.bind_list(judged.machine, step))


def _list_tell(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    """Checks the items that are told: only the rules know which are due, but they must have been
    sealed.
    """
    machine, slot = judged.machine, f"{step['slot']}/{step['seq']}"
    standing = lists.in_force(machine.hidden.lists, machine.entry.by, slot)
    if standing is None:
        raise FileRefused(
            "E-POLICY",
            say("player {by} has sealed no list {slot}", by=machine.entry.by, slot=slot),
            rule=lists.RULE,
        )
    machine, _ = hidden.take_items(machine, standing, step)
    return judged.at(machine)


def _take_back(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    return judged.at(judged.machine.put(chosen=()), tags=frozenset())


def _upgrade(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    """Checks other rules that are offered or come in: they are of this game."""
    if "new" in step:
        offers.check_same_game(step)
    return judged


def _renew(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    machine, _ = generations.bind_anew(judged.machine, step["anchor"])
    return judged.at(machine, dropped=judged.dropped.union(_epochs(judged.machine)))


def _rotate(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    return judged.at(keys.rotate(judged.machine, step))


def _deputy(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    return judged.at(keys.deputy(judged.machine, step))


def _ruling(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    """Checks that the director has signed it; what it changes is left to the rules."""
    new_keys.check_alone(judged.machine)
    keys.check_ruling(judged.machine, step)
    return judged


def _audit(judged: ProtocolOnly, step: Step) -> ProtocolOnly:
    player, secrets = judged.machine.entry.by, shown.secrets_shown(step)
    known = judged.entries[: judged.machine.entry.seq + 1]
    machine = ending.show_secrets(judged.machine, step)
    audit.check_sealed_orders(known, machine, player, secrets)
    return judged.at(machine)


_JUDGED: Mapping[str, Callable[[ProtocolOnly, Step], ProtocolOnly]] = MappingProxyType(
    {
        "anchor": _anchor,
        "reveal": _reveal,
        "deck_commit": _deck_commit,
        "deck_reply": _deck_reply,
        "open": _open,
        "policy": _policy,
        "unseal": _unseal,
        "seal": _seal,
        "tell": _tell,
        "list_seal": _list_seal,
        "list_tell": _list_tell,
        "takeback": _take_back,
        "offer": _upgrade,
        "upgrade": _upgrade,
        "audit": _audit,
        "rotate": _rotate,
        "deputy": _deputy,
        "ruling": _ruling,
        "renew": _renew,
    }
)
