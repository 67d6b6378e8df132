"""A long game with sealed decks in which the rules cost next to nothing: what is left is the file.

Nobody loses strength or comes to an end; the decks have 55 cards, and each round brings an attack
that a sealed policy answers, a draw, and a card to be opened now and then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.gamefile.fold import Fold
from pbem.value import replace
from tests.gamefile.players import SEALED, opened, write
from tests.gamefile.sealed_game import own_hand
from tests.gamefile.sealed_toy import DECKS, SealedToy
from tests.gamefile.toy import index, other, put

CARDS = {
    player: tuple(sorted(f"{deck}{number}{copy:02d}" for number in "12345" for copy in range(11)))
    for player, deck in DECKS.items()
}
GO = {"advance": {"go": True}}


class LongToy(SealedToy):
    """The duel without end."""

    def learn(self, cards: Mapping[str, str]) -> LongToy:
        """Forgets the cards played long ago: the state of a real game does not grow for ever."""
        held = (*self.held[0], *self.held[1])
        kept = {slot: card for slot, card in self.open.items() if slot in held}
        return replace(self, open={**kept, **cards})

    def hurt(self, player: str, by: int) -> LongToy:
        return self

    def _pass(self, fields: dict[str, Any]) -> LongToy:
        return replace(self, stage="order", number=self.number + 1, active=other(self.active))

    def _draw(self, fields: dict[str, Any]) -> LongToy:
        pile, cards = self.piles[index(self.active)], self.discards[index(self.active)]
        after = self
        if not pile and cards:
            after = replace(self, discards=put(self.discards, self.active, ()))
            after = after._lay(self.active, cards)
        return replace(after, stage="draw")


def open_long_toy(proposal: Mapping[str, Any]) -> LongToy:
    toy = LongToy(deck=())
    for player in "AB":
        toy = toy._lay(player, CARDS[player])
    return toy


def long_game(entries: int) -> Fold:
    """A game of so many entries, each round one mail."""
    fold = opened(replace(SEALED, chain_length=4096), open_long_toy)
    while len(fold.entries) < entries:
        fold = _mail(fold)
    return fold


def _mail(fold: Fold) -> Fold:
    player = fold.pen
    assert player is not None
    orders: list[dict[str, Any]] = []
    if fold.phase == "running":
        hand = own_hand(fold, player)
        slot = next((slot for slot in hand if slot not in fold.in_play.known()), None)
        policies = ()
        if slot:
            doc = {"slot": slot, "stand": "hold"}
            policies = ({"slot": "guard", "scope": None, "until": None, "doc": doc},)
        asked = fold.owed[0].code == "answer"
        orders = _orders(fold) if asked else []
    return write(fold, player, *orders, policies=policies, in_clear=False)


def _orders(fold: Fold) -> list[dict[str, Any]]:
    toy = fold.in_play
    if toy.stage == "order":
        draw = (
            []
            if not (toy.piles[index(toy.active)] or toy.discards[index(toy.active)])
            else [{"draw": {}}]
        )
        return [*draw, {"attack": {"force": 4}}, GO, {"pass": {}}]
    answer = {
        "card": {"card": {"use": None}},
        "stand": {"stand": {"how": "hold"}},
        "advance": GO,
    }
    return [answer[toy.stage]]
