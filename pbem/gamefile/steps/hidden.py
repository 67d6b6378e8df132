"""The steps of hidden things: decks bound, proven and opened; choices sealed and revealed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.gamefile import choices
from pbem.gamefile.advance import (
    advance,
    carry_out,
    chose,
    inform_auditor,
    said_of_hidden_things,
    told_items,
)
from pbem.gamefile.cards import CHOICES, LISTS, MIXING, RULE, Bound, SealedDecks, slot_of
from pbem.gamefile.decks import Reply
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import Asked, OrderRefused
from pbem.gamefile.journal import (
    ChoiceSealed,
    DeckBound,
    DeckProven,
    ListSealed,
    ListTold,
    Opened,
)
from pbem.gamefile.kept import Chosen, StandingList
from pbem.gamefile.limits import box_length, choice_size
from pbem.gamefile.machine import Machine
from pbem.gamefile.steps.beacons import bind_deck
from pbem.late import Late
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.gamefile import lists
else:  # most games have none
    lists = Late("pbem.gamefile.lists")

Step = dict[str, Any]

# --- decks


def deck_commit(machine: Machine, step: Step) -> Machine:
    """Binds its author to a secret layout of cards that the game has laid. Raises FileRefused
    (E-DECK) for an epoch that is not wanted, or is of other cards.
    """
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
    (laid,), told = lacking, machine.entry.journal
    if tuple(step["cards"]) != laid.cards or tuple(step.get("groups", ())) != laid.groups:
        raise FileRefused(
            "E-DECK",
            say("deck {deck}/{epoch} has other cards", deck=step["deck"], epoch=step["epoch"]),
            rule=RULE,
        )
    if laid.groups and any(isinstance(one, DeckBound) and one.is_mix for one in told):
        raise FileRefused(
            "E-LIMIT",
            say("counters are mixed twice in one entry"),
            rule=MIXING,
            hint=say("all stacks that are mixed in an entry are one mix"),
        )
    machine = bind_deck(machine, machine.epoch_to_bind(laid), step["c"]).put(progress=True)
    return advance(machine) if machine.is_before_roll else machine


def deck_reply(machine: Machine, step: Step) -> Machine:
    """Answers a challenge: shows that every trial layout but the picked one had the right cards.
    Raises FileRefused (E-DECK) for a reply that is not owed, or does not fit.
    """
    machine, bound = take_reply(machine, step)
    return machine.put(progress=True).tell(
        DeckProven, by=machine.entry.by, deck=bound.epoch.deck, epoch=bound.epoch.number,
        is_mix=bool(bound.epoch.groups),
    )  # fmt: skip


def take_reply(machine: Machine, step: Step) -> tuple[Machine, Bound]:
    """Compares a reply with the commitment. Raises FileRefused (E-DECK)."""
    reply = Reply(tuple(step["leaves"]), tuple(step["siblings"]))
    decks, bound = machine.hidden.decks.reply(
        step["deck"], step["epoch"], step["t"], reply, machine.entry.by
    )
    return machine.put(decks=decks), bound


def open_slot(machine: Machine, step: Step) -> Machine:
    """Shows the card in a slot to both players. Raises FileRefused: E-TURN where its author is
    asked nothing, E-CARD for a slot that is not to be opened, E-OPEN and E-DECK for what does not
    fit, E-PIECE for a counter that cannot be there by the rules.
    """
    slot = slot_of(step)
    player, before, waits = machine.entry.by, machine.table, machine.waits
    due = machine.head(player)
    if due is None and not machine.asks_openly(player):  # nothing is due and nothing asked
        raise FileRefused(
            "E-TURN", say("a card can be opened only when its owner is asked something")
        )
    if due is not None and due.what != slot:
        raise FileRefused(
            "E-CARD",
            say(
                "{due} must be shown first, but this is {shown}",
                due=machine.called(due.what),
                shown=machine.called(slot),
            ),
        )
    if slot not in before.hand(player) or slot in before.known():
        raise FileRefused(
            "E-CARD",
            say(
                "{what} is not for player {player} to show: it is not theirs, or is known already",
                what=machine.called(slot),
                player=player,
            ),
        )
    decks = shown(machine, step)
    misfit = before.misfit(slot, step["card"])
    if misfit:
        raise FileRefused("E-PIECE", misfit, rule="counters face down")
    after = before.learn({slot: step["card"]})
    told = machine.told(Opened, by=player, slot=slot, card=step["card"], before=before, after=after)
    progress = machine.entry.progress or due is not None
    machine = machine.at(after).put(decks=decks, progress=progress, journal=told)
    return advance(machine) if due is not None or machine.waits != waits else machine


def shown(machine: Machine, step: Step) -> SealedDecks:
    """The decks with the card that an `open` step reveals. Raises FileRefused: E-OPEN, E-DECK."""
    slot, by = slot_of(step), machine.entry.by
    return machine.hidden.decks.open(slot, step["card"], step["nonce"], by, machine.called)


# --- secret choices


def seal(machine: Machine, step: Step) -> Machine:
    """Answers a secret question with a sealed choice. Raises FileRefused: E-TURN where its author
    is asked for no secret choice, E-POLICY for a box of another length than the question has.
    """
    player, waits = machine.entry.by, machine.waits
    if not (isinstance(waits, Asked) and waits.secret and machine.asks_openly(player)):
        raise FileRefused(
            "E-TURN",
            say("player {player} is asked for no secret choice now", player=player),
            rule=CHOICES,
        )
    if waits.list:
        raise FileRefused(
            "E-TURN", say("a list is asked for, not a choice: {what}", what=waits.what), rule="R4"
        )
    if len(step["box"]) != box_length(choice_size(waits.room)):
        raise FileRefused(
            "E-POLICY", say("the box of a secret choice has the wrong length"), rule=CHOICES
        )
    after = machine.table.seal(machine.entry.seq)
    number = 1 + max((each.number for each in machine.hidden.chosen), default=0)
    machine = bind_choice(machine, number, step).put(progress=True, has_sealed=True)
    machine = machine.tell(ChoiceSealed, by=player, what=waits.what)
    return advance(chose(machine, player, after))


def list_seal(machine: Machine, step: Step) -> Machine:
    """Answers a question for a list with a sealed one. Raises FileRefused: E-TURN where its author
    is asked for no list, E-POLICY for another list.
    """
    player, waits, before = machine.entry.by, machine.waits, machine.table
    if not (isinstance(waits, Asked) and waits.list and waits.by == player):
        raise FileRefused(
            "E-TURN",
            say("player {player} is asked for no list now", player=player),
            rule=LISTS,
        )
    wanted = waits.list
    if (step["slot"], step["size"]) != (wanted.name, wanted.size):
        raise FileRefused(
            "E-POLICY",
            say(
                "the list {name} with {size} places is asked for",
                name=wanted.name,
                size=wanted.size,
            ),
            rule=LISTS,
        )
    machine = bind_list(machine, step)
    after = before.seal(machine.entry.seq)
    told = machine.told(ListSealed, by=player, what=waits.what, before=before, after=after)
    machine = machine.put(progress=True, has_sealed=True, journal=told)
    # An audit knows at once what is on it, for items may be due before any beacon.
    return advance(inform_auditor(chose(machine, player, after)))


def bind_list(machine: Machine, step: Step) -> Machine:
    """Binds the author of a `list_seal` step to what it seals. Raises FileRefused (E-POLICY) for a
    second list of that name in an entry, or a box of another length.
    """
    made = StandingList(
        machine.entry.by, step["slot"], step["size"], step["c"], step["box"], machine.place()
    )
    if len(step["box"]) != lists.box_length(made.size):
        raise FileRefused("E-POLICY", say("the box of a list has the wrong length"), rule=LISTS)
    if any((one.by, one.slot) == (made.by, made.slot) for one in machine.hidden.lists):
        raise FileRefused(
            "E-POLICY", say("the list {slot} is sealed twice", slot=made.slot), rule=LISTS
        )
    return machine.put(lists=(*machine.hidden.lists, made))


def list_tell(machine: Machine, step: Step) -> Machine:
    """Shows the items of a sealed list that are due. Raises FileRefused (E-POLICY) for another list
    than the one that is asked for, or an item that is not in it.
    """
    waits, slot = machine.waits, f"{step['slot']}/{step['seq']}"
    if machine.head(machine.entry.by) is None:
        return _tell_with_orders(machine, step, slot)
    assert isinstance(waits, Asked)  # the head asks for it
    if slot != waits.tells_items:
        raise FileRefused(
            "E-POLICY", say("the list {slot} is to be told", slot=waits.tells_items), rule=LISTS
        )
    standing = lists.in_force(machine.hidden.lists, machine.entry.by, waits.tells_items)
    assert standing is not None  # without secrets its items count as told
    machine, items = take_items(machine, standing, step)
    try:
        return advance(told_items(machine.put(progress=True), waits, items))
    except OrderRefused as refusal:
        raise FileRefused(
            "E-POLICY",
            say("items of the list {slot} are due that are not told", slot=waits.tells_items),
            rule=LISTS,
            causes=refusal.problems,
        ) from refusal


def _tell_with_orders(machine: Machine, step: Step, slot: str) -> Machine:
    """The items that come to light with the orders behind them: told in front of these, as cards
    are opened. Raises FileRefused (E-POLICY).
    """
    player, before = machine.entry.by, machine.table
    waits = machine.waits
    if not (isinstance(waits, Asked) and machine.asks_openly(player)) or waits.secret:
        raise FileRefused("E-POLICY", say("no {kind} is owed", kind="list_tell"), rule="R4")
    standing = lists.in_force(machine.hidden.lists, player, slot)
    if standing is None:
        raise FileRefused(
            "E-POLICY", say("player {by} has sealed no list {slot}", by=player, slot=slot),
            rule=LISTS,
        )  # fmt: skip
    machine, items = take_items(machine, standing, step)
    after = before.learn(items)
    told = machine.told(ListTold, by=player, items=items, before=before, known=after, after=after)
    machine = machine.at(after).put(journal=told)
    return advance(machine) if machine.waits != waits else machine


def take_items(
    machine: Machine, standing: StandingList, step: Step
) -> tuple[Machine, dict[str, str]]:
    """The machine that knows the items of a step, and these by slot. Raises FileRefused
    (E-POLICY).
    """
    told, items = lists.tell(standing, step)
    every = tuple(told if one is standing else one for one in machine.hidden.lists)
    return machine.put(lists=every), items


def bind_choice(machine: Machine, number: int, step: Step) -> Machine:
    """Binds the author of a `seal` step to what it seals."""
    made = Chosen(machine.entry.by, number, step["c"], step["box"], machine.place())
    return machine.put(chosen=(*machine.hidden.chosen, made))


def tell(machine: Machine, step: Step) -> Machine:
    """Reveals a sealed choice. Raises FileRefused (E-POLICY) for another choice than the one its
    author is bound to.
    """
    waits = machine.waits
    assert isinstance(waits, Asked)  # the head asks for it
    chosen = machine.sealed_choice(waits.tells)
    assert chosen is not None
    choices.check_told(step, chosen)
    return advance(carry_out(machine.put(progress=True), waits, chosen, step["order"]))


# --- facts


def fact(machine: Machine, step: Step) -> Machine:
    """Says what is true of hidden things, where the game asks for it. Raises FileRefused (E-ORDER)
    for what cannot be true, by what both players know.
    """
    waits = machine.waits
    assert isinstance(waits, Asked)  # the head asks for it
    try:
        return advance(said_of_hidden_things(machine.put(progress=True), waits, step["order"]))
    except OrderRefused as refusal:
        raise FileRefused(
            "E-ORDER",
            say("what is said of counters that lie face down cannot be so"),
            rule="counters face down",
            causes=refusal.problems,
        ) from refusal
