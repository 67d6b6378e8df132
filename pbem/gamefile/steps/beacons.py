"""The steps of chance: values revealed, new chains anchored, decks bound before a challenge."""

from __future__ import annotations

from typing import Any

from pbem.gamefile.advance import advance, complete, lapse_offers
from pbem.gamefile.beacons import chain_step
from pbem.gamefile.decks import Epoch
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import other
from pbem.gamefile.journal import Anchored, DeckBound, Revealed
from pbem.gamefile.machine import Machine
from pbem.messages import say

Step = dict[str, Any]


def reveal(machine: Machine, step: Step) -> Machine:
    """Shows a player's value of the locked beacon, or begins a void one (R3, R5, R9). Raises
    FileRefused: E-REVEAL for a value that is not next or does not fit, E-EARLY where decisions come
    first, E-TURN where no beacon may be voided.
    """
    player, number, void = machine.entry.by, step["n"], step.get("void", False)
    locked = machine.beacons.locked
    check_number(machine, player, number)
    if locked is None:
        _check_may_open(machine, void)
    elif locked != number:
        raise _early(machine, number)
    elif void:
        raise void_marked_again()
    told = machine.told(Revealed, by=player, n=number, void=void)
    machine = show_value(machine, player, number, step["x"], progress=True, journal=told)
    if void:
        locks = {**machine.beacons.locks, number: machine.entry.seq}
        return lapse_offers(machine).put(locked=number, void=True, locks=locks, shut=True)
    if machine.beacons.revealed[other(player)] == number:
        return complete(machine, number)
    return machine


def check_number(machine: Machine, player: str, number: int) -> None:
    """Refuses a value that is not the player's next (E-REVEAL)."""
    due = machine.beacons.revealed[player] + 1
    if number != due:
        raise FileRefused(
            "E-REVEAL",
            say("value {number} is revealed, but value {due} is next", number=number, due=due),
            rule="R5",
        )


def _check_may_open(machine: Machine, void: bool) -> None:
    number = machine.next_beacon
    if any(map(machine.lacks_anchor, "AB")):
        raise _chain_used_up()
    if not void:
        raise _early(machine, number)
    if not machine.asks_openly(machine.entry.by):
        raise FileRefused(
            "E-TURN", say("a player can void a beacon only at a decision of their own"), rule="R9"
        )
    if machine.beacons.last_void:
        raise FileRefused("E-TURN", say("one void beacon may not follow another"), rule="R9")


def _early(machine: Machine, number: int) -> FileRefused:
    first = machine.owed[0]
    return FileRefused(
        "E-EARLY",
        say(
            "value {number} is revealed although decisions before the roll are still "
            "open: player {by} owes {machine}",
            number=number,
            by=first.by,
            machine=first.machine,
        ),
        rule="R3",
    )


def void_marked_again() -> FileRefused:
    """The refusal of a second value that says `void`."""
    return FileRefused(
        "E-REVEAL", say("only the player who begins a void beacon may mark it"), rule="R9"
    )


def _chain_used_up() -> FileRefused:
    return FileRefused(
        "E-REVEAL", say("the chain of values is used up: new anchors must come first")
    )


def show_value(machine: Machine, player: str, number: int, value: str, **facts: Any) -> Machine:
    """Makes the player's value known to both; `facts` change with it.

    Refuses one that does not hash to the one before it, or has no anchor yet (E-REVEAL).
    """
    chain, index = machine.place_in_chain(player, number)
    anchors, values = machine.beacons.anchors[player], machine.beacons.values
    if chain >= len(anchors):
        raise _chain_used_up()
    before = anchors[chain] if index == 1 else values[player]
    if chain_step(player, machine.keys.contexts[player], index, value) != before:
        raise FileRefused(
            "E-REVEAL",
            say(
                "value {number} does not match what player {player} is bound to",
                number=number,
                player=player,
            ),
            rule="R5",
        )
    revealed = {**machine.beacons.revealed, player: number}
    return machine.put(revealed=revealed, values={**values, player: value}, **facts)


def anchor(machine: Machine, step: Step) -> Machine:
    """Binds its author to the next chain of values, and plays on where the game waited for that.
    Raises FileRefused: E-TURN where no anchor is owed, E-REVEAL for one with another number.
    """
    player = machine.entry.by
    if not machine.lacks_anchor(player):
        raise FileRefused("E-TURN", say("no new anchor is owed"))
    told = machine.told(Anchored, by=player, q=step["q"])
    machine = add_anchor(machine, player, step).put(progress=True, journal=told)
    # An open decision stays open: it is not touched.
    return advance(machine) if machine.is_before_roll else machine


def add_anchor(machine: Machine, player: str, step: Step) -> Machine:
    """Binds the player to their next chain. Raises FileRefused (E-REVEAL) for another number."""
    anchors = machine.beacons.anchors
    if step["q"] != len(anchors[player]):
        raise FileRefused("E-REVEAL", say("anchor {number} is next", number=len(anchors[player])))
    return machine.put(anchors={**anchors, player: (*anchors[player], step["anchor"])})


def bind_deck(machine: Machine, epoch: Epoch, commitment: str) -> Machine:
    """The owner commits to an epoch, and a beacon to come will challenge them."""
    return machine.put(decks=machine.hidden.decks.bind(epoch, commitment)).tell(
        DeckBound, by=epoch.by, deck=epoch.deck, epoch=epoch.number, count=len(epoch.cards),
        is_mix=bool(epoch.groups),
    )  # fmt: skip
