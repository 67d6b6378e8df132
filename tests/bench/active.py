"""A Campaign as `pbem new` makes it, with sealed hands, played actively by both to its last turn.

Random orders end most Campaigns early, by morale. So whoever is behind attacks and whoever is ahead
rests: that keeps a war of eighteen turns alive without a thought of what is good for anybody.
The game is made once for each edition of the data and each shape of entries, and kept under
build/bench.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from pbem.engine.codec import to_plain
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.fold import Fold
from pbem.gamefile.format import read, write
from pbem.gamefile.prospect import prospect
from pbem.play.game import tool
from pbem.play.snapshot import read_game
from pbem.play.systems import opened
from pbem.play.table import Table
from pbem.problems import Refused
from tests.bench.game import HOME, ROOT
from tests.games.crusade.keen import Steered
from tests.play.by_mail import Mail

SEEDS = range(1, 30)
LAST_TURN = 18
TRIES = 12
"""How often random orders are drawn anew that the rules refuse, before nothing is ordered."""
HIGH, LOW = 16, 9
"""Republican Morale from which on the one side rests, and down to which the other does."""


def active_game() -> bytes:
    """The file of the game."""
    shape = sha256((ROOT / "schemas" / "entry.json").read_bytes()).hexdigest()[:8]
    kept = HOME / f"active-{opened('crusade').digest[:16]}-{shape}.pbem.json"
    if not kept.exists():
        HOME.mkdir(parents=True, exist_ok=True)
        print("a long game is made, once: this takes some minutes", flush=True)
        kept.write_bytes(write(next(_long_games()).entries))
    return kept.read_bytes()


def cut(raw: bytes, entries: int) -> bytes:
    """The beginning of a game."""
    return write(read(raw)[:entries])


def _long_games() -> Iterator[Fold]:
    for seed in SEEDS:
        fold = _played(seed)
        assert isinstance(fold.in_play, Table)
        if fold.in_play.state.position.turn >= LAST_TURN:
            yield fold


def _played(seed: int) -> Fold:
    mail, player = Mail(f"long {seed}", {}, sealed=True), Steered(seed)
    fold = read_game(mail.raw).fold
    while fold.pen is not None:
        for tried in range(TRIES + 1):
            wish = _wish(fold, mail, player) if tried < TRIES else Wish()
            try:
                fold = compose(fold, mail.keys[fold.pen], wish, tool=tool(), fresh=mail.fresh).fold
                break
            except Refused:
                continue
    return fold


def _wish(fold: Fold, mail: Mail, player: Steered) -> Wish:
    """What the player with the pen orders, as far as there is something to order."""
    assert fold.pen is not None
    if fold.phase != "running":
        return Wish()
    ahead = prospect(fold, mail.keys[fold.pen])
    table: Any = ahead.in_play
    if not ahead.orders_wanted or not isinstance(table, Table):
        return Wish()
    morale = table.state.position.rm
    player.favoured = "nationalist" if morale >= HIGH else "republican" if morale <= LOW else None  # type: ignore[assignment]
    return Wish(tuple(_orders(table, fold.pen, player)))


def _orders(table: Table, writer: str, player: Steered) -> Iterator[dict[str, Any]]:
    """Orders to the end of the span, or to the first thing that somebody else says or rolls."""
    span = table.round()
    while (asked := table.decision) and table.player_of(asked.side) == writer:
        if table.round() != span:
            return
        order = player.order(table.state, asked)
        yield {order.verb: to_plain(order)}
        table = table.take(order)
