"""Looking ahead without writing: the game after a player has sent what they owe.

Nothing here reveals more than its caller could compute: a beacon is completed only with the
caller's own key, when the other player has revealed already.
"""

from __future__ import annotations

from pbem.gamefile.draft import Draft, not_now
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold
from pbem.gamefile.in_play import Asked, DiceWanted, Finished, GameInPlay
from pbem.gamefile.kept import Owed
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.machine import Machine
from pbem.gamefile.secrets import Secrets
from pbem.value import value


@value
class Prospect:
    """The game for a player after they have sent everything they owe that leaves no choice.

    `waits` is what the game asks then; `orders_wanted` says whether they are the one who may order;
    `locked` is the beacon that then waits for the other player. `in_play` knows what they know.
    `draft` has what they owe, where they are the one to write; `compose` continues with it. `fold`
    is the game with that, which `is_ahead` where it moves the game; otherwise the file as it is.
    """

    in_play: GameInPlay
    waits: Asked | DiceWanted | Finished
    orders_wanted: bool
    locked: int | None
    owed: tuple[Owed, ...]
    draft: Draft | None
    fold: Fold


def prospect(fold: Fold, key: KeyPair) -> Prospect:
    """The running game for the owner of `key` once everything they owe is done.

    Raises FileRefused: E-KEY for a stranger's key, E-TURN before the game has started.
    """
    machine, draft = fold.machine.put(journal=()), None
    player = fold.player_of(key.public)
    if machine.terms.phase not in ("running", "over"):
        raise FileRefused("E-TURN", not_now(machine))
    secrets = Secrets.in_game(machine, key, player)
    if machine.pen == player:
        draft = Draft(machine, player, key)
        draft.pay()
        machine = draft.machine
    can_order = machine.terms.phase == "running" and machine.beacons.locked is None
    return Prospect(
        machine.table.informed(secrets.hidden_hand(machine)), machine.waits,
        can_order and machine.asks_openly(player), machine.beacons.locked, machine.owed,
        draft, _with_what_moves(fold, machine),
    )  # fmt: skip


def _with_what_moves(fold: Fold, machine: Machine) -> Fold:
    """The fold with what a player owes, if that moves the game."""
    if machine.in_play is fold.machine.in_play:
        return fold
    return Fold(fold.entries, (*fold.journal, machine.entry.journal), machine)


def is_decided_by(fold: Fold, player: str) -> bool:
    """Whether the next entry of a player may move the game before they decide anything: what they
    owe first leaves no choice, and they alone know what it brings.
    """
    if fold.phase != "running" or fold.is_solo or fold.pen != player:
        return False
    return fold.machine.due(player) or fold.machine.fixed(player) is not None


def has_secrets(fold: Fold, player: str) -> bool:
    """Whether a player alone knows something of the game as it is: cards, counters, lists, sealed
    orders.
    """
    machine = fold.machine
    if fold.is_solo or fold.phase not in ("running", "over"):
        return False
    known = machine.table.known()
    return (
        any(slot not in known for slot in machine.table.looks_at(player))
        or any(each.by == player for each in machine.hidden.lists)
        or any(each.box is not None for each in machine.in_force(player))
    )
