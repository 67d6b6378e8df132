"""Random toy games, played by two key holders who pass the file to and fro."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from unittest.mock import patch

from pbem.gamefile import format
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.prospect import prospect
from pbem.value import replace
from tests.gamefile.players import KEYS, SEALED, TERMS, policy, proposed, write
from tests.gamefile.sealed_toy import open_sealed_toy, open_wary_toy
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


@cache
def game_of(seed: int) -> Fold:
    """The game of a seed, made once for all tests that only look at it."""
    return play(seed)


def received(fold: Fold) -> Fold:
    """What the other player has after reading the file from its bytes."""
    return replay(format.read(format.write(fold.entries)), open_toy)


def next_mail(fold: Fold, rng: random.Random) -> Fold:
    player = fold.pen
    assert player is not None, "somebody owes something until the game is over"
    if fold.phase != "running":
        return write(fold, player, policies=some_policies(rng))
    if rng.random() < 0.05 and not fold.machine.entry.side:
        return write(fold, "AB"[player == "A"], say=("beside the turn",))
    view = prospect(fold, KEYS[player])
    orders = some_orders(view.in_play, rng) if view.orders_wanted else []
    if view.orders_wanted and rng.random() < 0.05 and not fold.machine.beacons.last_void:
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


# --- with hidden hands


def sealed_play(seed: int, *, mails: int = 70) -> Fold:
    """A game with sealed decks and mostly sealed policies; decks of four trials, for speed."""
    rng = random.Random(f"sealed {seed}")
    with patch("pbem.gamefile.compose.DECK_TRIALS", 4):
        fold = proposed(SEALED, nonce=rng.randbytes(16), table=open_sealed_toy)
    for _ in range(mails):
        if fold.pen is None:
            break
        fold = next_sealed_mail(fold, rng)
    return fold


def play_with_take_backs(seed: int) -> Iterator[Fold]:
    """Every take-back that can be had from the states of a game, whose questions may be gone; now
    and then the game goes on behind one.
    """
    rng = random.Random(f"back {seed}")
    with patch("pbem.gamefile.compose.DECK_TRIALS", 4):
        fold = proposed(SEALED, nonce=rng.randbytes(16), table=open_wary_toy)
    while fold.phase != "over" and len(fold.entries) < 60:
        fold = next_sealed_mail(fold, rng)
        if fold.phase == "running":
            found = [back for to in fold.machine.agreements.quiet for back in taken_back(fold, to)]
            yield from found
            if found and rng.random() < 0.1:
                fold = rng.choice(found)


def taken_back(fold: Fold, to: int) -> list[Fold]:
    """The fold after a take-back that both agree to; none where it cannot be had now."""
    pen, terms = str(fold.pen), {"what": "takeback", "to": to, "known_randomness": True}
    try:
        asked = write(fold, "AB"[pen == "A"], offer=terms)
        return [write(asked, pen, answer=True)]
    except FileRefused as refused:
        assert refused.code in ("E-CONSENT", "E-TURN"), refused
        return []


@cache
def sealed_game_of(seed: int) -> Fold:
    """The game of a seed, made once for all tests that only look at it."""
    return sealed_play(seed)


def next_sealed_mail(fold: Fold, rng: random.Random) -> Fold:
    player = fold.pen
    assert player is not None
    if fold.phase in ("proposed", "accepted", "over"):
        return write(fold, player)
    if rng.random() < 0.05 and not fold.machine.entry.side:
        return write(fold, "AB"[player == "A"], say=("beside the turn",))
    view = prospect(fold, KEYS[player])
    table = view.in_play
    orders = some_sealed_orders(table, player, rng) if view.orders_wanted else []
    policies = some_sealed_policies(table, player, rng)
    if view.orders_wanted and rng.random() < 0.05 and not fold.machine.beacons.last_void:
        try:
            return write(fold, player, void=True)
        except FileRefused as refused:
            assert refused.code == "E-TURN", refused
    in_clear = rng.random() < 0.2
    for _ in range(30):
        try:
            return write(fold, player, *orders, policies=policies, in_clear=in_clear)
        except FileRefused as refused:
            assert refused.code == "E-ORDER", refused
            if not hasattr(refused, "refusals"):
                orders = [*last_resort(table, player), *orders]
                continue
            ((index, _), *_) = refused.refusals
            orders = orders[:index] + orders[index + 1 :] or last_resort(table, player)
    return write(fold, player, *last_resort(table, player), policies=policies)


def last_resort(table, player: str) -> list[dict]:
    """An answer that is legal whatever is in the hand."""
    seen = {**table.secret, **table.open}
    fours = [seen[slot] for slot in table.hand(player) if seen.get(slot, "--")[1] == "4"]
    use = fours[0] if fours and table.force >= 9 else None
    return [
        {
            "order": {"pass": {}}, "card": {"card": {"use": use}},
            "stand": {"stand": {"how": "hold"}}, "advance": {"advance": {"go": False}},
        }[table.stage]
    ]  # fmt: skip


def some_sealed_orders(table, player: str, rng: random.Random) -> list[dict]:
    seen = {**table.secret, **table.open}
    cards = [seen[slot] for slot in table.hand(player) if slot in seen]
    if table.stage == "order":
        ahead = [sealed_leading(table, player, rng) for _ in range(rng.randrange(4))]
        if rng.random() < 0.7:
            ahead = [each for one in ahead for each in (one, {"advance": {"go": True}})]
        return [sealed_leading(table, player, rng), *ahead, {"pass": {}}]
    if table.stage == "card":
        use = rng.choice([None, *cards])
        return [{"card": {"use": use}}, {"stand": {"how": rng.choice(["hold", "fall_back"])}}]
    return last_resort(table, player)


def sealed_leading(table, player: str, rng: random.Random) -> dict:
    hand = table.hand(player)
    toss = [{"toss": {"slot": rng.choice(hand)}}] if hand and rng.random() < 0.2 else []
    attack = {"attack": {"force": rng.choice([2, 3, 4, 5, 9, 12])}}
    return rng.choice(
        [attack, attack, {"draw": {}}, {"draw": {}}, {"look": {}}, {"redraw": {}},
         {"gather": {}}, {"gather": {}}, *toss]
    )  # fmt: skip


def some_sealed_policies(table, player: str, rng: random.Random) -> tuple[dict, ...]:
    if rng.random() < 0.4:
        return ()
    scope = {"ask_from_force": rng.choice([5, 9])}
    if rng.random() < 0.4:
        scope["only"] = rng.choice([["card"], ["stand"], ["card", "stand"]])
    slots = [*table.hand(player), *table.piles["AB".index(player)][:2], "none", 7]
    doc = {"slot": rng.choice(slots), "stand": rng.choice(["hold", "fall_back", 3])}
    if rng.random() < 0.15:
        doc["give_way"] = True
    if rng.random() < 0.1:
        doc = {"slot": {"odd": True}}
    slot = rng.choice(["west", "east"])
    if rng.random() < 0.1:
        return ({"slot": slot, "scope": None, "until": None, "doc": None},)
    return ({"slot": slot, "scope": scope, "until": None, "doc": doc},)


def ids(entries: tuple[Entry, ...]) -> list[str]:
    return [entry.id for entry in entries]
