"""The steps of hidden things: decks bound, proven and opened; choices sealed and revealed."""

from __future__ import annotations

from typing import Any

from pbem.gamefile import choices
from pbem.gamefile.advance import advance, carry_out, chose
from pbem.gamefile.cards import RULE, Bound, SealedDecks, slot_of
from pbem.gamefile.decks import Epoch, Reply
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import Asked
from pbem.gamefile.journal import ChoiceSealed, DeckBound, DeckProven, Opened
from pbem.gamefile.machine import Machine
from pbem.messages import say

Step = dict[str, Any]

# --- decks


def deck_commit(machine: Machine, step: Step) -> Machine:
    """Raises FileRefused (E-DECK) for an epoch that is not wanted, or is of other cards."""
    lacking = [
        laid
        for laid in machine.lacks_decks(machine.entry.by)
        if (laid.deck, laid.epoch) == (step["deck"], step["epoch"])
    ]
    if not lacking:
        raise FileRefused(
            "E-DECK",
            say(
                "no commitment to deck {deck}/{epoch} is needed",
                deck=step["deck"],
                epoch=step["epoch"],
            ),
            rule=RULE,
        )
    (laid,) = lacking
    if tuple(step["cards"]) != laid.cards:
        raise FileRefused(
            "E-DECK",
            say("deck {deck}/{epoch} has other cards", deck=step["deck"], epoch=step["epoch"]),
            rule=RULE,
        )
    machine = bind_deck(machine, machine.epoch_to_bind(laid), step["c"]).put(progress=True)
    return advance(machine) if machine.is_before_roll else machine


def bind_deck(machine: Machine, epoch: Epoch, commitment: str) -> Machine:
    """The owner commits to an epoch, and a beacon to come will challenge them."""
    return machine.put(decks=machine.hidden.decks.bind(epoch, commitment)).tell(
        DeckBound, by=epoch.by, deck=epoch.deck, epoch=epoch.number, count=len(epoch.cards)
    )


def deck_reply(machine: Machine, step: Step) -> Machine:
    """Raises FileRefused (E-DECK) for a reply that is not owed, or does not fit."""
    machine, bound = take_reply(machine, step)
    return machine.put(progress=True).tell(
        DeckProven, by=machine.entry.by, deck=bound.epoch.deck, epoch=bound.epoch.number
    )


def take_reply(machine: Machine, step: Step) -> tuple[Machine, Bound]:
    """Compares a reply with the commitment. Raises FileRefused (E-DECK)."""
    reply = Reply(tuple(step["leaves"]), tuple(step["siblings"]))
    decks, bound = machine.hidden.decks.reply(
        step["deck"], step["epoch"], step["t"], reply, machine.entry.by
    )
    return machine.put(decks=decks), bound


def open_slot(machine: Machine, step: Step) -> Machine:
    """Raises FileRefused: E-TURN, E-CARD for a slot that is not to be opened, E-OPEN, E-DECK."""
    slot = slot_of(step)
    player, before, waits = machine.entry.by, machine.table, machine.waits
    due = machine.head(player)
    if due is None and not machine.asks_openly(player):
        raise FileRefused(
            "E-TURN", say("a card can be opened only when its owner is asked something")
        )
    if due is not None and due.what != slot:
        raise FileRefused(
            "E-CARD",
            say("{what} must be opened first, but this is {slot}", what=due.what, slot=slot),
        )
    if slot not in before.hand(player) or slot in before.known():
        raise FileRefused(
            "E-CARD",
            say("{slot} is not a hidden card in player {player}'s hand", slot=slot, player=player),
        )
    decks = shown(machine, step)
    after = before.learn({slot: step["card"]})
    told = machine.told(Opened, by=player, slot=slot, card=step["card"], before=before, after=after)
    progress = machine.entry.progress or due is not None
    machine = machine.at(after).put(decks=decks, progress=progress, journal=told)
    return advance(machine) if due is not None or machine.waits != waits else machine


def shown(machine: Machine, step: Step) -> SealedDecks:
    """The decks with the card that an `open` step reveals. Raises FileRefused: E-OPEN, E-DECK."""
    decks = machine.hidden.decks
    return decks.open(slot_of(step), step["card"], step["nonce"], machine.entry.by)


# --- secret choices


def seal(machine: Machine, step: Step) -> Machine:
    """Raises FileRefused (E-TURN) where its author is asked for nothing secret."""
    player, waits = machine.entry.by, machine.waits
    is_asked = isinstance(waits, Asked) and waits.secret and machine.asks_openly(player)
    if not isinstance(waits, Asked) or not is_asked:
        raise FileRefused(
            "E-TURN",
            say("player {player} is asked for no secret choice now", player=player),
            rule=choices.RULE,
        )
    after = machine.table.seal()
    number = 1 + max((each.number for each in machine.hidden.chosen), default=0)
    machine = bind_choice(machine, number, step).put(progress=True, has_sealed=True)
    machine = machine.tell(ChoiceSealed, by=player, what=waits.what)
    return advance(chose(machine, player, after))


def bind_choice(machine: Machine, number: int, step: Step) -> Machine:
    """Binds the author of a `seal` step to what it seals."""
    made = choices.Chosen(machine.entry.by, number, step["c"], step["box"], machine.place())
    return machine.put(chosen=(*machine.hidden.chosen, made))


def tell(machine: Machine, step: Step) -> Machine:
    """Raises FileRefused (E-POLICY) for another choice than the one its author is bound to."""
    waits = machine.waits
    assert isinstance(waits, Asked)  # the head asks for it
    chosen = choices.present(machine, waits)
    assert chosen is not None
    choices.check_told(step, chosen)
    return advance(carry_out(machine.put(progress=True), waits, chosen, step["order"]))
