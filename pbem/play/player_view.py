"""What only one player sees of a running game: their hand and their sealed orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.kept import StandingPolicy
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.secrets import Secrets
from pbem.play.game import Game
from pbem.play.table import Table
from pbem.value import value


@value
class PlayerView:
    """The table with the player's hidden cards, and their own sealed orders in force, opened; None
    where they cannot be.
    """

    table: Table
    policies: tuple[tuple[StandingPolicy, Mapping[str, Any] | None], ...]


def in_force(game: Game, player: str) -> tuple[StandingPolicy, ...]:
    """The standing orders of a player that may still answer something: their time is not over."""
    found = game.fold.policies(player)
    if game.table is None or not any(each.until for each in found):
        return tuple(found)
    times, position = game.table.system.policies.times, game.table.state.position
    return tuple(each for each in found
                 if each.until is None or times.is_in_force(position, each.until))  # fmt: skip


def player_view(game: Game, key: KeyPair | None) -> PlayerView:
    """The view of the owner of `key`; without a key, or in a solo game, what everyone can see.

    It is never stored: it is computed from the key and the file.
    """
    fold, table = game.fold, game.table
    assert table is not None
    if key is None or fold.is_solo:
        return PlayerView(table, ())
    secrets = _secrets(game, key)
    mine = in_force(game, fold.player_of(key.public))
    sealed = [each for each in mine if each.box is not None]
    policies = tuple((each, document_of(secrets, each)) for each in sealed)
    return PlayerView(table.informed(secrets.hidden_hand(fold.machine)), policies)


def document_of(secrets: Secrets, standing: StandingPolicy) -> Mapping[str, Any] | None:
    """A policy as its author reads it; None where its box was made by a broken program."""
    if standing.doc is not None:
        return standing.doc
    try:
        return secrets.read(standing)
    except FileRefused:
        return None


def own_cards(game: Game, key: KeyPair) -> Mapping[str, str]:
    """What the owner of `key` alone knows, by slot, and the items of their lists that both know by
    now: a story goes back to when nobody else did. Not for a solo game.
    """
    secrets, machine = _secrets(game, key), game.fold.machine
    return {**secrets.written(machine), **secrets.hidden_hand(machine)}


def _secrets(game: Game, key: KeyPair) -> Secrets:
    machine = game.fold.machine
    return Secrets.in_game(machine, key, game.fold.player_of(key.public))
