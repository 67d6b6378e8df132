"""A whole Campaign by mail between two fixed keys, as one signed file."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from pbem.engine.codec import to_plain
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold
from pbem.gamefile.prospect import prospect
from pbem.play.game import Game, tool
from pbem.play.snapshot import read_game
from pbem.play.table import Table
from pbem.problems import Refused
from tests.games.crusade.keen import Steered
from tests.play.by_mail import Mail
from tests.replays.stored import HERE, digest

FILE = HERE / "crusade" / "campaign.pbem.json.gz"
ROUNDS = 200
"""A Campaign of fewer Action Rounds is not kept: it ended early."""
FIRST_SEED, MOST_SEEDS = 5, 60


def raw_of(path: Path = FILE) -> bytes:
    return gzip.decompress(path.read_bytes())


def facts_of(path: Path = FILE) -> dict[str, Any]:
    """What is written of the game beside it: seed, rounds, result, digest of the last position."""
    facts: dict[str, Any] = json.loads(path.with_name("campaign.json").read_text(encoding="utf-8"))
    return facts


def facts(game: Game, seed: int) -> dict[str, Any]:
    position = game.table.state.position  # type: ignore[union-attr]
    return {
        "seed": seed,
        "data": game.fold.proposal["data"],
        "entries": len(game.fold.entries),
        "rounds": rounds(position),
        "result": list(position.result or ()),
        "digest": digest("crusade", position),
    }


def rounds(position: Any) -> int:
    """How many Action Rounds have been played, when the game ends between two turns."""
    first: int = position.tables.sheet(position.scenario)["first_turn"]
    return 12 * (position.turn - first + 1)


def played(seed: int) -> Fold:
    """A keen Nationalist and an idle Republican; their keys and the orders come of the seed."""
    mail = Mail(f"campaign {seed}", {})
    player = Steered(seed, favoured="nationalist")
    fold = read_game(mail.raw).fold
    while fold.pen is not None:
        key = mail.keys[fold.pen]
        wish = Wish()
        if fold.phase == "running":
            ahead = prospect(fold, key)
            if ahead.orders_wanted and isinstance(ahead.in_play, Table):
                wish = Wish(_orders(ahead.in_play, fold.pen, player))
        fold = compose(fold, key, wish, tool=tool(), fresh=mail.fresh).fold
    return fold


def _orders(table: Table, writer: str, player: Steered) -> tuple[dict[str, Any], ...]:
    """All they can say before a roll or a question to the other."""
    orders: list[dict[str, Any]] = []
    name = table.round()
    while (asked := table.decision) and table.player_of(asked.side) == writer:
        if table.round() != name:
            break
        order = player.order(table.state, asked)
        orders.append({order.verb: to_plain(order)})
        table = table.take(order)
        if not _asks(table):
            break
    return tuple(orders)


def _asks(table: Table) -> bool:
    from pbem.gamefile.in_play import Asked

    return isinstance(table.waits(), Asked)


def made() -> tuple[bytes, dict[str, Any]]:
    from pbem.gamefile.format import write

    for seed in range(FIRST_SEED, FIRST_SEED + MOST_SEEDS):
        raw = write(played(seed).entries)
        told = facts(read_game(raw), seed)
        if told["rounds"] >= ROUNDS:
            return raw, told
    raise SystemExit(f"none of {MOST_SEEDS} Campaigns lasts {ROUNDS} rounds")


def is_stale() -> bool:
    """Whether the file is of other data or other rules than those of today."""
    try:
        game = read_game(raw_of())
    except (OSError, FileRefused, Refused):
        return True
    return facts(game, facts_of()["seed"]) != facts_of()


def refresh(*, check: bool) -> str:
    """Writes the Campaign anew if it is stale; says what was done, or what is to be done."""
    if not is_stale():
        return ""
    if check:
        return f"{FILE.name} is stale: run make golden"
    raw, told = made()
    FILE.write_bytes(gzip.compress(raw, mtime=0))
    FILE.with_name("campaign.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return f"wrote {FILE.name}"
