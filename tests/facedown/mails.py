"""Fog on the Ridge by two keys: a way to write entries, honest ones and others."""

from __future__ import annotations

import random
from typing import Any

from pbem.engine.codec import to_plain
from pbem.gamefile.compose import Proposal, Wish, compose, propose
from pbem.gamefile.fold import Fold
from pbem.gamefile.prospect import prospect
from tests.contract.playing import Player
from tests.facedown.here import table
from tests.gamefile.players import KEYS, NONCE, TOOL

TERMS = Proposal("fog/1", "d" * 64, "fog", {"a": "north", "b": "south"}, {}, 64)
NORTH_UP = [["N-F1", "0102"], ["N-F2", "0302"], ["N-G", "0101"], ["N-S", "0301"]]
SOUTH_UP = [["S-F1", "0503"], ["S-F2", "0303"], ["S-G", "0304"], ["S-S", "0404"]]


def write(fold: Fold, player: str, *orders: dict[str, Any], **wish: Any) -> Fold:
    """The fold after the next entry of a player, as their program writes it."""
    wanted = Wish(orders=orders, **wish)
    return compose(fold, KEYS[player], wanted, tool=TOOL, fresh=b"\x22" * 16).fold


def begun(options: dict[str, Any] | None = None, nonce: bytes = NONCE) -> Fold:
    """The game before the first counter is put down; A places first."""
    terms = Proposal("fog/1", "d" * 64, "fog", {"a": "north", "b": "south"}, options or {}, 64)
    fold = propose(KEYS["A"], KEYS["B"].public, terms, table, nonce=nonce, tool=TOOL).fold
    for player in "BAB":
        fold = write(fold, player)
    return fold


def placed(nonce: bytes = NONCE) -> Fold:
    """Both have set up and written two ambushes; A marches."""
    fold = write(begun(nonce=nonce), "A", {"place": {"units": NORTH_UP}})
    fold = write(fold, "B", {"place": {"units": SOUTH_UP}})
    fold = write(fold, "A", {"ambush": {"at": ["0302"]}})
    return write(fold, "B", {"ambush": {"at": ["0203", "0403"]}})


def known(fold: Fold, player: str) -> Any:
    """The position as a player knows it."""
    return prospect(fold, KEYS[player]).in_play.state.position


def tag(fold: Fold, player: str, piece: str) -> str:
    """The present tag of a counter."""
    position = known(fold, player)
    return position.down.tag(piece, position.in_play)


def random_game(seed: int, scenario: str = "fog", options: dict[str, Any] | None = None) -> Fold:
    """A whole game of two random players who answer as much as they can in each mail."""
    terms = Proposal("fog/1", "d" * 64, scenario, {"a": "north", "b": "south"}, options or {}, 64)
    nonce = seed.to_bytes(16, "big")
    fold = propose(KEYS["A"], KEYS["B"].public, terms, table, nonce=nonce, tool=TOOL).fold
    fold = write(fold, "B")
    player, rng = Player(seed), random.Random(seed)
    while fold.phase != "over":
        fold = write(fold, str(fold.pen), *answers(fold, player, rng))
    return fold


def answers(fold: Fold, player: Player, rng: random.Random) -> list[dict[str, Any]]:
    """The orders of the next mail: as much as a random player can answer in it, or less."""
    pen = str(fold.pen)
    if fold.phase != "running":
        return []
    ahead, found = prospect(fold, KEYS[pen]), []
    table: Any = ahead.in_play
    while ahead.orders_wanted and (asked := table.decision) is not None:
        fixed = asked.tells or asked.tells_items or asked.only_shows or asked.only_says
        if table.player_of(asked.side) != pen or fixed:
            break
        order = player.order(table.state, asked)
        found.append({order.verb: to_plain(order)})
        if asked.secret or rng.random() < 0.2:
            break
        table = table.take(order)
    return found


def audited(fold: Fold) -> Fold:
    """The fold after both have shown their secrets."""
    while fold.pen is not None and len(fold.machine.hidden.audited) < 2:
        fold = write(fold, fold.pen)
    return fold
