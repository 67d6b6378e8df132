"""Random toy games, played by two key holders who pass the file to and fro."""

from __future__ import annotations

import random
from dataclasses import replace

from pbem.gamefile import format
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.rehearse import prospect
from tests.gamefile.players import KEYS, TERMS, policy, proposed, write
from tests.gamefile.toy import open_toy


def play(seed: int, *, mails: int = 60, chain_length: int = 64) -> Fold:
    """A game of at most `mails` mails; each is verified by its author as it is composed."""
    rng = random.Random(seed)
    terms = replace(TERMS, chain_length=chain_length)
    fold = proposed(terms, nonce=rng.randbytes(16))
    for _ in range(mails):
        if fold.phase == "over":
            break
        fold = next_mail(fold, rng)
    return fold


def received(fold: Fold) -> Fold:
    """What the other player has after reading the file from its bytes."""
    return replay(format.read(format.write(fold.entries)), open_toy)


def next_mail(fold: Fold, rng: random.Random) -> Fold:
    player = fold.pen
    assert player is not None, "somebody owes something until the game is over"
    if fold.phase != "running":
        return write(fold, player, policies=some_policies(rng))
    if rng.random() < 0.05 and not fold.machine.side:
        return write(fold, "AB"[player == "A"], say=("beside the turn",))
    view = prospect(fold, KEYS[player])
    orders = some_orders(view.referee, rng) if view.orders_wanted else []
    if view.orders_wanted and rng.random() < 0.05 and not fold.machine.last_void:
        try:
            return write(fold, player, void=True)
        except FileRefused as refused:
            assert refused.code == "E-TURN", refused
    return write_what_is_legal(fold, player, orders, rng)


def write_what_is_legal(fold: Fold, player: str, orders: list[dict], rng: random.Random) -> Fold:
    policies = some_policies(rng)
    while True:
        try:
            return write(fold, player, *orders, policies=policies)
        except FileRefused as refused:
            assert refused.code == "E-ORDER", refused
            if not hasattr(refused, "refusals"):  # what is left answers nothing any more
                orders = [{"pass": {}}, *orders]
                continue
            ((index, _), *_) = refused.refusals
            orders = orders[:index] + orders[index + 1 :] or [{"pass": {}}]


def some_orders(toy, rng: random.Random) -> list[dict]:
    """An answer to what is asked now, and some of what may come behind it."""
    ahead = [some_order(rng) for _ in range(rng.randrange(4))]
    if toy.stage == "order":
        return [leading(rng), *ahead]
    if toy.stage == "card":
        hand = toy.hands[1 if toy.active == "A" else 0]
        use = rng.choice([None, *hand])
        return [{"card": {"use": use}}, *[one for one in ahead if "stand" in one]]
    if toy.stage == "stand":
        return [{"stand": {"how": rng.choice(["hold", "fall_back"])}}]
    return [{"advance": {"go": rng.random() < 0.5}}, *ahead]


def leading(rng: random.Random) -> dict:
    return rng.choice(
        [{"attack": {"force": rng.randint(1, 12)}}, {"attack": {"force": 2}}, {"draw": {}},
         {"pass": {}}]
    )  # fmt: skip


def some_order(rng: random.Random) -> dict:
    return rng.choice(
        [leading(rng), {"advance": {"go": True}}, {"stand": {"how": "hold"}}, {"card": {"use": 1}}]
    )


def some_policies(rng: random.Random) -> tuple[dict, ...]:
    if rng.random() < 0.6:
        return ()
    scope = {"ask_from_force": rng.randint(2, 12)} if rng.random() < 0.5 else None
    doc = {"card": rng.choice([None, 1, 2, "nonsense"]), "stand": rng.choice(["hold", "fall_back"])}
    if rng.random() < 0.3:
        doc.pop(rng.choice(["card", "stand"]))
    slot = rng.choice(["west", "east"])
    if rng.random() < 0.2:
        return ({"slot": slot, "scope": None, "until": None, "doc": None},)
    return (policy(slot, scope, rng.choice([None, "4"]), **doc),)


def ids(entries: tuple[Entry, ...]) -> list[str]:
    return [entry.id for entry in entries]
