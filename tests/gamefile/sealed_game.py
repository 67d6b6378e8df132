"""The sample game with hidden hands: every kind of step that sealing brings, in some thirty mails.

A looks at half of B's hand; B defends with a card they are asked for, then by a sealed policy that
names one by its slot; discards are gathered into a new epoch; a hand is drawn anew.
"""

from __future__ import annotations

from functools import lru_cache
from unittest.mock import patch

from pbem.gamefile.fold import Fold
from pbem.gamefile.prospect import prospect
from tests.gamefile.players import KEYS, SEALED, proposed, sealed, write
from tests.gamefile.sealed_toy import open_sealed_toy

PASS = {"pass": {}}
GO = {"advance": {"go": True}}


def own_hand(fold: Fold, player: str) -> dict[str, str]:
    """Slot to card, as the player's own key tells."""
    table = prospect(fold, KEYS[player]).in_play
    seen = {**table.secret, **table.open}
    return {slot: seen[slot] for slot in table.hand(player) if slot in seen}


def sealed_policy(fold: Fold, player: str, **doc) -> dict:
    """Standing orders that play the lowest hidden card of the hand, by its slot."""
    hidden = {
        slot: card
        for slot, card in own_hand(fold, player).items()
        if slot not in fold.in_play.known()
    }
    slot = min(hidden, key=lambda each: hidden[each][1], default="none")
    return {"slot": "guard", "scope": None, "until": None, "doc": {"slot": slot, **doc}}


def settled(fold: Fold, *, asked: str) -> Fold:
    """The fold after mails that need no choice, up to a question to `asked`."""
    while not (fold.owed[0].by == asked and fold.owed[0].code == "answer"):
        orders = []
        if fold.owed[0].code == "answer":
            orders = [any_answer(fold)]
        fold = write(fold, fold.pen, *orders)
    return fold


def any_answer(fold: Fold) -> dict:
    return {
        "card": {"card": {"use": None}},
        "stand": {"stand": {"how": "hold"}},
        "advance": {"advance": {"go": False}},
        "order": PASS,
    }[fold.in_play.stage]


def to_orders_of(fold: Fold, player: str) -> Fold:
    """The fold at the player's orders of a round."""
    fold = settled(fold, asked=player)
    while fold.in_play.stage != "order":
        fold = settled(write(fold, player, any_answer(fold)), asked=player)
    return fold


@lru_cache(maxsize=1)
def sealed_game() -> Fold:
    return _played(sealed())


@lru_cache(maxsize=1)
def light_game() -> Fold:
    """The same with decks of four trials, for what is done from each state of it.

    Every fold and every audit lays out all trials: most of the time of a short game. The nonce is
    one with which the game takes its whole course, too.
    """
    with patch("pbem.gamefile.compose.DECK_TRIALS", 4):
        fold = proposed(SEALED, bytes(16), open_sealed_toy)
    for player in "BABA":
        fold = write(fold, player)
    return _played(fold)


def _played(fold: Fold) -> Fold:
    fold = write(fold, "A", {"look": {}})
    fold = write(fold, "B")  # reveals, and opens the card that was picked
    fold = to_orders_of(fold, "A")
    fold = write(fold, "A", {"attack": {"force": 4}}, GO, PASS)
    card = min(own_hand(fold, "B").values())
    fold = write(fold, "B", {"card": {"use": card}})
    fold = to_orders_of(fold, "B")
    fold = to_orders_of(write(fold, "B", {"draw": {}}, PASS), "A")
    fold = write(fold, "A", {"attack": {"force": 2}}, GO)
    guard = sealed_policy(fold, "B", stand="hold")
    fold = write(fold, "B", {"card": {"use": None}}, policies=(guard,), in_clear=False)
    fold = to_orders_of(fold, "A")
    fold = write(fold, "A", {"attack": {"force": 4}}, GO, PASS)
    fold = write(fold, "B", say=("So be it.",))  # reveals, unseals, opens
    fold = to_orders_of(fold, "B")
    fold = write(fold, "B", {"gather": {}}, {"draw": {}}, PASS)
    fold = to_orders_of(fold, "A")
    slot = next(iter(own_hand(fold, "A")))
    fold = write(fold, "A", {"toss": {"slot": slot}}, {"draw": {}}, PASS)
    for player in "BABABA":
        fold = to_orders_of(fold, player)
        if all(card[1] != "4" for card in own_hand(fold, player).values()):
            return to_orders_of(write(fold, player, {"redraw": {}}, PASS), "A")
        fold = write(fold, player, PASS)
    return fold
