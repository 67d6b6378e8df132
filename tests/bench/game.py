"""Games of about a hundred entries between two keys, made once and kept under build/bench."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.engine.model import Decision, Order
from pbem.gamefile.compose import Proposal, propose
from pbem.gamefile.keys import KeyPair, private_file
from pbem.gamefile.prospect import prospect
from pbem.orders.written import orders_text
from pbem.play.answer import answer
from pbem.play.game import Game, table_for, tool, with_fold
from pbem.play.systems import opened
from pbem.play.table import Table
from pbem.problems import Refused
from pbem.text.source import Source
from tests.bots import legal_samples

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "build" / "bench"
ENTRIES = 100
ATTACKS = {"crusade": "- attack:", "madrid": "- assault:", "ctv": "- attack:",
           "nopasaran": "- attack:"}  # fmt: skip
"""The line of an attack, which the timed orders of each game have."""
MOST_ENTRIES = 3000
MOST_ORDERS = 10
"""In the timed mail: a whole movement at random would be compared with a round of three orders."""
SCENARIOS = {"ctv": "santander", "nopasaran": "jarama_crossing"}
OPEN = {"ctv": "open_units", "nopasaran": "open_units"}
"""The scenario that is played, and the option with which all lies open, where a game has others."""
KEYS = {"A": KeyPair.from_seed(b"a" * 32), "B": KeyPair.from_seed(b"b" * 32)}


@dataclass(frozen=True)
class Files:
    """What a timed command is given. `before` has two entries less than `game`: with it and
    `earlier` the player made their last mail, as they would have on the same machine."""

    before: Path
    earlier: Path
    game: Path
    orders: Path
    key: Path


def files(slug: str = "crusade") -> Files:
    """The files of a campaign, made if the program or the data have changed since they were."""
    home = HOME / _stamp() / slug
    names = ("before.pbem.json", "earlier.yaml", "game.pbem.json", "orders.yaml", "key")
    found = Files(*(home / name for name in names))
    if not found.orders.exists():
        home.mkdir(parents=True, exist_ok=True)
        _make(slug, found)
    return found


def _stamp() -> str:
    parts = sorted([*(ROOT / "pbem").rglob("*.py"), *(ROOT / "data").rglob("*.yaml")])
    return sha256(b"\n".join(path.read_bytes() for path in parts)).hexdigest()[:16]


def _make(slug: str, found: Files) -> None:
    for seed in range(200):
        mails = list(_played(slug, seed))
        for at in range(len(mails) - 2):
            one, other, last = mails[at : at + 3]
            enough = len(one.game.fold.entries) >= ENTRIES - 2
            is_attack = ATTACKS[slug] in last.orders and bool(one.orders)
            is_attack &= last.orders.count("\n  - ") <= MOST_ORDERS
            if enough and is_attack and one.player == last.player != other.player:
                found.key.write_bytes(private_file(KEYS[one.player]))
                found.key.chmod(0o600)
                found.before.write_bytes(one.game.bytes())
                found.earlier.write_text(one.orders, encoding="utf-8")
                found.game.write_bytes(last.game.bytes())
                found.orders.write_text(last.orders, encoding="utf-8")
                return
    raise AssertionError("no random game came to a hundred entries and an attack")


def whole_game(slug: str, seed: int) -> bytes:
    """The file of a random game between two keys, played to its end, made like the others."""
    path = HOME / _stamp() / slug / f"whole-{seed}.pbem.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        *_, last = _played(slug, seed, MOST_ENTRIES)
        path.write_bytes(_answered(last.game, last.player, last.orders).bytes())
    return path.read_bytes()


@dataclass(frozen=True)
class Mail:
    """Who is to write, the game as they have it, and the orders they then give."""

    player: str
    game: Game
    orders: str


def _played(slug: str, seed: int, most: int = ENTRIES + 12) -> Iterator[Mail]:
    rng = random.Random(seed)
    game = _proposed(slug, rng)
    while game.fold.phase != "over" and len(game.fold.entries) < most:
        player = game.fold.pen
        assert player is not None
        text = _orders(game, KEYS[player], rng) if game.fold.phase == "running" else ""
        yield Mail(player, game, text)
        game = _answered(game, player, text)


def _answered(game: Game, player: str, text: str) -> Game:
    orders = Source("orders.yaml", text) if text else None
    return answer(game, KEYS[player], orders, fresh=bytes(16)).game


def _proposed(slug: str, rng: random.Random) -> Game:
    played = opened(slug)
    terms = Proposal(
        ruleset=played.ruleset, data=played.digest, scenario=SCENARIOS.get(slug, "campaign"),
        sides={"a": "nationalist", "b": "republican"},
        options={OPEN.get(slug, "open_hands"): True},
    )  # fmt: skip
    nonce = rng.randbytes(16)
    made = propose(KEYS["A"], KEYS["B"].public, terms, table_for, nonce=nonce, tool=tool())
    return with_fold(made.fold)


def _orders(game: Game, key: KeyPair, rng: random.Random) -> str:
    """Random orders from here to the first thing that somebody else has to say or roll."""
    view = prospect(game.fold, key)
    if not view.orders_wanted:
        return ""
    assert isinstance(view.in_play, Table)
    player = game.fold.player_of(key.public)
    for _ in range(50):
        chosen = list(_round(view.in_play, player, rng))
        text = orders_text(chosen)
        try:
            _answered(game, player, text)
        except Refused:
            continue
        return text
    return orders_text([])


def _round(table: Table, player: str, rng: random.Random) -> Iterator[Order]:
    started = table.round()
    while table.decision and table.player_of(table.decision.side) == player:
        if table.round() != started:
            return
        order = _order(table.state, table.decision, rng)
        yield order
        table = table.take(order)


def _order(state: Any, decision: Decision, rng: random.Random) -> Order:
    samples = legal_samples(state, rng, 30)
    return next((order for order in samples if order != decision.default), decision.default)
