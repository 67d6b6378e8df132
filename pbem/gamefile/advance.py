"""What follows without a player: the fold goes on until a player must write.

The rules of the beacons, as schemas/protocol.md has them, and where each is kept:

| rule | what it requires | where |
|---|---|---|
| R1 | all decisions before a roll come before it | `advance`: the game asks for them first |
| R2 | what locks the next beacon, and what is fixed for it | `lock`, `Machine.in_force` |
| R3 | no value whose beacon is not locked | `beacons.reveal` |
| R4 | what is due comes first, and nothing after a lock | `Machine.head`, `turn.check_place` |
| R5 | each player's values in their order | `beacons.check_number`, `beacons.show_value` |
| R6 | what an open beacon decides, and what closes it | `complete`, `roll`, `close_beacon` |
| R7 | no number of a beacon or an epoch is used twice | `offers.take_back`, `SealedDecks.used` |
| R8 | orders given ahead, and which of them answers | `take`, `wanted` |
| R9 | a void beacon, at a decision of one's own | `beacons.reveal` |
| R10 | nothing that could be answered knowing the dice | `lapse_offers`, `offers.offer` |

Each function takes a machine and returns another; what happened is in the journal of its entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.gamefile.beacons import BeaconDice, beacon_command, beacon_value
from pbem.gamefile.cards import MIXING
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import (
    PLAYERS,
    Asked,
    DiceWanted,
    Finished,
    GameInPlay,
    Laid,
    OrderRefused,
    other,
    stumbled,
)
from pbem.gamefile.journal import (
    Answered,
    Challenged,
    ChoiceTold,
    Closed,
    Completed,
    Dropped,
    FactSaid,
    GameOver,
    Lapsed,
    ListTold,
    Locked,
    OfferLapsed,
    Ordered,
    PassedOver,
    PolicyFailed,
    Rolled,
)
from pbem.gamefile.kept import Chosen, Given, StandingPolicy
from pbem.gamefile.machine import Machine
from pbem.gamefile.pending import (
    OrderIllegal,
    check_doubts,
    check_open,
    covers,
    first_answer,
    holds,
    judged,
    outliving,
    read_choice,
)
from pbem.late import Late
from pbem.messages import say
from pbem.problems import Problem

if TYPE_CHECKING:
    from pbem.gamefile import lists
else:  # most games have none
    lists = Late("pbem.gamefile.lists")

Order = Mapping[str, Any]
MAX_MOVES = 20_000  # of one step; a game that needs more has lost its way


def advance(machine: Machine) -> Machine:
    """Folds until a player must write: carries out what was given, rolls, closes, locks."""
    for _ in range(MAX_MOVES):
        machine, goes_on = move(machine)
        if not goes_on:
            return machine
    raise FileRefused("E-STATE", say("the rules never reach a decision: a bug in pbem"))


def move(machine: Machine) -> tuple[Machine, bool]:
    """The next thing that happens without a player, and whether anything may follow it.

    The dice are those of the open beacon, whoever opened it: a file with the values both players
    revealed, or a forecast with made-up dice. Where none is open the next one is locked, and that
    is all.
    """
    if machine.pending.halt is not None:
        machine = machine.put(halt=None)
    waits = machine.waits
    if isinstance(waits, Finished):
        return finish(machine, dict(waits.result)), False
    if isinstance(waits, DiceWanted):
        dice = machine.beacons.dice
        if dice and not machine.hidden.decks.are_fixed(machine.table.laid(), dice.number):
            machine = close_beacon(machine)
        if machine.beacons.dice is None:
            return lock(machine), False
        return roll(machine, waits.what), True
    if waits.secret or waits.tells:
        return _secret(machine, waits)
    if waits.tells_items:
        return _items_due(machine, waits)
    if waits.only_says or machine.table.must_show():
        if machine.is_mixed_again:
            machine = close_beacon(machine)  # the next one challenges it
        # What is shown or said without a choice is fixed: the dice need not wait for it.
        return (lock(machine) if machine.is_before_roll else machine), False
    machine, is_taken = take(machine, waits.by)
    return (machine, True) if is_taken else _by_policy(machine, waits)


def finish(machine: Machine, result: Mapping[str, Any]) -> Machine:
    """Ends the game: nothing is locked, owed or in force any more."""
    machine = close_beacon(machine)
    told = machine.told(GameOver, result=result)
    return machine.put(phase="over", result=result, locked=None, offers=(), journal=told)


# --- beacons


def lock(machine: Machine) -> Machine:
    """R2: the next beacon is locked, unless an anchor or the commitment to a deck is missing."""
    if any(map(machine.lacks_anchor, PLAYERS)) or any(map(machine.lacks_decks, PLAYERS)):
        return machine
    machine = lapse_offers(machine)
    number = machine.next_beacon
    locks = {**machine.beacons.locks, number: machine.entry.seq}
    told = machine.told(Locked, by=machine.entry.by, n=number)
    return machine.put(locked=number, locks=locks, journal=told)


def lapse_offers(machine: Machine) -> Machine:
    """R10: offers lapse, so that nobody can answer one knowing the dice.

    Raises FileRefused (E-TURN) when the offer is in the very entry that locks.
    """
    if not machine.agreements.offers:
        return machine
    for each in machine.agreements.offers:
        if each.entry == machine.entry.seq:
            raise FileRefused(
                "E-TURN",
                say(
                    "the entry comes before a roll, so it cannot contain an offer: the other "
                    "player would answer it knowing the dice"
                ),
                rule="R10",
                hint=say("send the orders alone, and the offer after the dice are rolled"),
            )
        machine = machine.tell(OfferLapsed, by=each.by, what=each.what)
    return machine.put(offers=())


def complete(machine: Machine, number: int) -> Machine:
    """Both values of the locked beacon are there: it opens and decides what it can."""
    void, game = machine.beacons.void, machine.terms.game
    value_a, value_b = machine.beacons.values["A"], machine.beacons.values["B"]
    assert value_a is not None and value_b is not None
    value = beacon_value(game, number, value_a, value_b)
    command = beacon_command(game, number, value_a, value_b)
    decks, challenged = machine.hidden.decks.challenge(number, value)
    machine = machine.put(
        locked=None, void=False, last_void=void, decks=decks,
        journal=machine.told(Completed, n=number, value=value, command=command, void=void),
    )  # fmt: skip
    for bound in challenged:
        machine = machine.tell(Challenged, epoch=bound.epoch, n=number, trial=bound.trial)
    # At once, for orders given ahead may fall behind this very deal, before the reply.
    machine = inform_auditor(machine)
    return machine if void else advance(machine.put(dice=BeaconDice(number, value)))


def inform_auditor(machine: Machine) -> Machine:
    """Tells the table of an audit which cards its player held.

    A table passes on what it knows, so this is for cards that are new to it: a roll has just met
    their deck, or the table is an earlier one, from before that roll.
    """
    who = machine.world.auditor
    if who is None:
        return machine
    for bound in machine.hidden.decks:
        if bound.epoch.by == who.player and bound.trial is not None:
            machine = machine.at(machine.table.informed(who.whole_deck(bound)))
    if machine.hidden.lists:
        machine = machine.at(machine.table.informed(who.written(machine)))
    return machine


def close_beacon(machine: Machine) -> Machine:
    """R6: the first decision not fixed closes the beacon, if one is open."""
    dice = machine.beacons.dice
    if dice is None:
        return machine
    machine = machine.put(dice=None, journal=machine.told(Closed, n=dice.number))
    # Here too, for this very step may lock the next one: when what replaced them is spent, older
    # policies of its slot must not come back.
    machine = prune_policies(machine)
    policies = machine.pending.policies
    # What was unsealed served this beacon, and is spent with it.
    if any(one.is_unsealed for one in policies):
        return machine.put(policies=tuple(one for one in policies if not one.is_unsealed))
    return machine


def roll(machine: Machine, what: str) -> Machine:
    """R6: the open beacon decides a chance."""
    assert machine.beacons.dice is not None
    dice, before = machine.beacons.dice.again(), machine.table
    known = len(dice.records)
    after = before.roll(dice)
    stirred = {player: count + 1 for player, count in machine.pending.stirred.items()}
    told = machine.told(
        Rolled, what=what, n=dice.number, records=tuple(dice.records[known:]),
        before=before, after=after,
    )  # fmt: skip
    machine = machine.at(after).put(dice=dice, stirred=stirred, left=None, journal=told)
    return _round_may_end(machine, before)


# --- orders given ahead (R8)


def wanted(machine: Machine, player: str) -> int | None:
    """The place in the player's list of the answer to the question now asked."""
    return first_answer(machine.table, [item.read for item in machine.pending.given[player]])


def take(machine: Machine, player: str) -> tuple[Machine, bool]:
    """Carries out the order that answers, passes it over or lets it lapse; returns whether there
    was one.
    """
    at = wanted(machine, player)
    if at is None:
        return machine, False
    pending, entry, before = machine.pending, machine.entry, machine.table
    items = pending.given[player]
    item, left = items[at], (*items[:at], *items[at + 1 :])
    if not holds(before, item.read):
        told = machine.told(PassedOver, by=player, given=item)
        return machine.put(given={**pending.given, player: left}, journal=told), True
    if at and item.read.leads:
        machine, left = drop(machine, player, items[at:]), items[at + 1 :]
    given = {**pending.given, player: left}
    is_ahead = item.sent.entry != entry.seq or pending.stirred[player] > item.stamp
    try:
        if is_ahead:
            check_doubts(before, item.read)
        if machine.world.auditor is not None and machine.world.auditor.player == player:
            check_open(before, player, item.read)
        after = judged(before, item.read)
        if player != entry.by:
            _check_mix(machine, player, after)
    except OrderRefused as refusal:
        if not is_ahead:
            raise OrderIllegal(item, refusal) from refusal
        told = machine.told(Lapsed, by=player, given=item, problems=refusal.problems, before=before)
        return machine.put(given=given, journal=told), True
    told = machine.told(Ordered, by=player, given=item, before=before, after=after)
    return chose(machine, player, after, given=given, journal=told), True


def _check_mix(machine: Machine, player: str, after: GameInPlay) -> None:
    """A mix that is reached in the other player's entry lapses: nobody waits for a commitment.

    Raises OrderRefused.
    """
    if mixes(machine, player, after):
        raise OrderRefused(
            Problem(
                "mix",
                say("counters are mixed only in an entry of their owner"),
                rule=MIXING,
                hint=say("order the mix when you write next"),
            )
        )


def mixes(machine: Machine, player: str, after: GameInPlay) -> list[Laid]:
    """The mixes that lead to this game and to which their player is not bound yet."""
    return [each for each in machine.hidden.decks.lacking(after.laid(), player) if each.groups]


def drop(
    machine: Machine, player: str, kept: tuple[Given, ...], *, is_replaced: bool = False
) -> Machine:
    """Drops the orders given ahead that will never be asked for: all but those `kept`."""
    given, place, waits = machine.pending.given, machine.place(), machine.waits
    asked = waits.by if isinstance(waits, Asked) and waits.by != player else ""
    stays = {item.sent for item in kept}
    told = [
        Dropped(place, player, item, is_replaced, asked)
        for item in given[player]
        if item.sent not in stays and not item.read.only_ends
    ]
    left = {**given, player: kept}
    return machine.put(given=left, journal=(*machine.entry.journal, *told))


def chose(machine: Machine, player: str, after: GameInPlay, **facts: Any) -> Machine:
    """The machine after a choice of the player that led to the game `after`; `facts` change with
    it.
    """
    before, stirred, them = machine.table, machine.pending.stirred, other(player)
    stirred = {**stirred, them: stirred[them] + 1}
    machine = machine.at(after).put(stirred=stirred, left=None, **facts)
    return _round_may_end(machine, before)


def _round_may_end(machine: Machine, before: GameInPlay) -> Machine:
    if any(machine.pending.given.values()) and machine.table.round() != before.round():
        for player in PLAYERS:
            items = machine.pending.given[player]
            if items:
                machine = drop(machine, player, outliving(before, machine.table, items))
    return machine


# --- secret choices


def _secret(machine: Machine, waits: Asked) -> tuple[Machine, bool]:
    """Whether folding goes on where both choose in secret, or where a choice is to be revealed.

    It closes an open beacon, for what is decided here was not fixed. A choice whose secret is lost
    counts as the default at once.
    """
    if waits.secret:
        return _left_open(machine)
    if machine.sealed_choice(waits.tells) is not None:
        return machine, False
    return carry_out(machine, waits, None, None), True


def _items_due(machine: Machine, waits: Asked) -> tuple[Machine, bool]:
    """Whether folding goes on where items of a list are to be told. They are fixed, so an open
    beacon stays open, and dice need not wait for those that they follow; a list whose secrets are
    lost has no items.
    """
    if lists.in_force(machine.hidden.lists, waits.by, waits.tells_items) is not None:
        return (lock(machine) if machine.is_before_roll else machine), False
    return told_items(machine, waits, {}), True


def told_items(machine: Machine, waits: Asked, items: Mapping[str, str]) -> Machine:
    """The machine after the items of a list that were due are known, by slot.

    Raises OrderRefused in an audit, where items were due that are not told.
    """
    before, player = machine.table, waits.by
    known = before.learn(items) if items else before
    order = known.default()
    if machine.world.auditor is not None and machine.world.auditor.player == player:
        check_open(known, player, order)
    after = judged(known, order)
    told = machine.told(
        ListTold, by=player, items=items, before=before, known=known, after=after
    )  # fmt: skip
    return chose(machine, player, after, journal=told)


def said_of_hidden_things(machine: Machine, waits: Asked, order: Order) -> Machine:
    """The machine after a player has said what is true of hidden things.

    Raises OrderRefused where that cannot be, as far as this view knows them.
    """
    before, player = machine.table, waits.by
    after = judged(before, read_choice(before, order))
    told = machine.told(FactSaid, by=player, order=order, before=before, after=after)
    return chose(machine, player, after, journal=told)


def carry_out(
    machine: Machine, waits: Asked, chosen: Chosen | None, order: Order | None
) -> Machine:
    """Carries out a revealed choice as an order; one that is not legal, or lost, counts as the
    default.
    """
    before, player = machine.table, waits.by
    problems: tuple[Problem, ...] = ()
    said = order
    try:
        if order is None:
            raise OrderRefused(Problem("lost", say("the secrets that could show it are lost")))
        after = judged(before, read_choice(before, order))
    except OrderRefused as refusal:
        default = before.default()
        problems, said = refusal.problems, default.plain
        after = before.submit(default)
    left = tuple(each for each in machine.hidden.chosen if each.number < waits.tells)
    told = machine.told(
        ChoiceTold, by=player, order=said, told=order, problems=problems,
        sent=None if chosen is None else chosen.sent, before=before, after=after,
    )  # fmt: skip
    return chose(machine, player, after, chosen=left, journal=told)


# --- policies


def _by_policy(machine: Machine, waits: Asked) -> tuple[Machine, bool]:
    """Whether folding goes on at a question that no order answers: by a policy, or a closed beacon.

    What is in clear comes first, for it takes no mail. A sealed document answers only under a
    beacon that was locked after it (R2 b): the fold stops there, and the beacon or the document is
    owed. One that is opened and leaves the question to its author counts as none. Where nothing
    else answers it either it stays theirs, and no other is opened for it: documents that they seal
    anew with each mail would be opened for ever. None is opened where an answer only goes on with
    what was begun.
    """
    question = waits.by, waits.what
    is_left = was_opened = machine.pending.left == question
    for standing in sorted(machine.in_force(waits.by), key=lambda one: one.c is not None):
        if standing.c is not None and (is_left or (standing.doc is None and waits.goes_on)):
            continue
        if not covers(machine.table, waits.by, standing.slot, standing.scope, standing.until):
            continue
        if standing.doc is None or machine.shows(standing):
            machine = machine.put(halt=standing)
            return machine if machine.beacons.dice else lock(machine), False
        machine, is_answered = answer_by(machine, standing)
        if is_answered:
            return machine, True
        was_opened = was_opened or standing.c is not None
    return _left_open(machine if was_opened == is_left else machine.put(left=question))


def _left_open(machine: Machine) -> tuple[Machine, bool]:
    """A question without any answer; folding goes on if it has closed a beacon."""
    closed = close_beacon(machine)
    return closed, closed is not machine


def answer_by(machine: Machine, standing: StandingPolicy) -> tuple[Machine, bool]:
    """Carries out the policy's answer to the decision now asked; returns whether there was one.

    A document on which the rules fail answers nothing: it must not stop the entry of the other
    player, who did not write it. The question then stays open, which closes the beacon.
    """
    before = machine.table
    try:
        order = before.policy_answer(standing.policy)
        if order is None:
            return machine, False
        after = before.submit(order)
    except Exception as error:
        stumbled(error)
        reason = f"{type(error).__name__}: {error}"
        told = machine.told(
            PolicyFailed, by=standing.by, slot=standing.slot, sent=standing.sent, reason=reason
        )
        return machine.put(journal=told), False
    told = machine.told(
        Answered, by=standing.by, slot=standing.slot, policy=standing.policy, read=order,
        sent=standing.sent, before=before, after=after,
    )  # fmt: skip
    return chose(machine, standing.by, after, journal=told), True


def prune_policies(machine: Machine) -> Machine:
    """Forgets policies that were replaced or withdrawn, once no beacon can ask for them any
    more.
    """
    policies, beacons = machine.pending.policies, machine.beacons
    if not policies or beacons.locked is not None or beacons.dice is not None:
        return machine
    latest = {(one.by, one.slot): one for one in policies}
    kept = tuple(one for one in policies if not one.withdraws and latest[one.by, one.slot] is one)
    return machine if len(kept) == len(policies) else machine.put(policies=kept)
