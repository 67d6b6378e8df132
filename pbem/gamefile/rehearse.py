"""Looking ahead without writing: how the game will stand, and whether orders would be accepted.

Nothing here learns what its caller could not work out: a beacon is completed only with the caller's
own key, when the other player has revealed already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.gamefile.draft import Draft, hand_over, not_now
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, begin_entry
from pbem.gamefile.in_play import Asked, DiceWanted, Finished, GameInPlay, OrderRefused
from pbem.gamefile.journal import JournalLine
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.machine import Machine
from pbem.gamefile.pending import OrderIllegal, Owed
from pbem.gamefile.secrets import Secrets
from pbem.value import value

Order = Mapping[str, Any]


@value
class Prospect:
    """How the game stands for a player once they have sent what they owe and cannot choose.

    `waits` is what the game asks then; `orders_wanted` says whether they are the one who may order;
    `locked` is the beacon that then waits for the other player. `in_play` knows what they know.
    """

    in_play: GameInPlay
    waits: Asked | DiceWanted | Finished
    orders_wanted: bool
    locked: int | None
    owed: tuple[Owed, ...]
    journal: tuple[JournalLine, ...]


@value
class Rehearsal:
    """Orders judged up to the first chance. `refusals` are (index in the list, what was refused).

    `judged` counts the orders that were reached; `waits` is where the rehearsal stopped.
    """

    refusals: tuple[tuple[int, OrderRefused], ...]
    judged: int
    waits: Asked | DiceWanted | Finished
    in_play: GameInPlay
    journal: tuple[JournalLine, ...]


def prospect(fold: Fold, key: KeyPair) -> Prospect:
    """How the running game will stand for the owner of `key` when their owed part is done.

    Raises FileRefused: E-KEY for a stranger's key, E-TURN before the game has started.
    """
    machine, player, secrets = _ahead(fold, key)
    waits = machine.waits
    mine = _can_order(machine) and machine.asks_openly(player)
    table = machine.table
    if secrets is not None:
        table = table.informed(secrets.hidden_hand(machine))
    return Prospect(table, waits, mine, machine.beacons.locked, machine.owed, machine.entry.journal)


def rehearse(fold: Fold, orders: Sequence[Order], key: KeyPair | None = None) -> Rehearsal:
    """Judges orders up to the first chance; rolls nothing and writes nothing.

    With a key, what its owner owes comes first; without one the orders are those of the player who
    is asked now. Behind an illegal order the rest is judged as if that were not there.
    Raises FileRefused (E-TURN) when no orders can be given now, E-ORDER when none of them answers.
    """
    machine, player, secrets = _ahead(fold, key)
    if not (_can_order(machine) and machine.asks_openly(player)):
        raise FileRefused("E-TURN", not_now(machine))
    machine = machine.put(journal=())
    left = list(range(len(orders)))
    refusals: list[tuple[int, OrderRefused]] = []
    while left:
        try:
            trial, handed = hand_over(machine, player, [orders[index] for index in left], secrets)
        except OrderIllegal as illegal:
            refusals.append((left.pop(illegal.index), illegal.refusal))
            continue
        except FileRefused:
            if refusals:  # what is left answers nothing any more: the first refusal says why
                break
            raise
        return _rehearsed(trial, player, len(orders) - len(handed.unused), refusals)
    return _rehearsed(machine, player, len(refusals), refusals)


def _rehearsed(
    machine: Machine, player: str, count: int, refusals: list[tuple[int, OrderRefused]]
) -> Rehearsal:
    unread = sum(item.sent.entry == machine.entry.seq for item in machine.pending.given[player])
    table = machine.table
    told = machine.entry.journal
    return Rehearsal(tuple(refusals), count - unread, table.waits(), table, told)


def _can_order(machine: Machine) -> bool:
    return machine.terms.phase == "running" and machine.beacons.locked is None


def _ahead(fold: Fold, key: KeyPair | None) -> tuple[Machine, str, Secrets | None]:
    """The machine after what the player owes and cannot choose, that player, and their secrets."""
    machine = fold.machine
    player = fold.player_of(key.public) if key else machine.pen or "A"
    if machine.terms.phase not in ("running", "over"):
        raise FileRefused("E-TURN", not_now(machine))
    machine = machine.put(journal=())
    secrets = Secrets.in_game(machine, key, player) if key else None
    if key and machine.pen == player:
        draft = Draft(machine, player, key)
        draft.pay()
        machine = draft.machine
    elif machine.pen == player:
        machine = begin_entry(machine, player)
    return machine, player, secrets
