"""A modified tool whose decks are not what they seem: some trial layouts hold other cards.

The owner of such a deck lays what they like (twice their best card, say), signs it like any other,
and replies to the challenge as well as they can.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from unittest.mock import patch

from pbem.gamefile import decks
from pbem.gamefile.cards import Bound, SealedDecks, first_decks, slot_parts
from pbem.gamefile.decks import Epoch, Layout
from pbem.gamefile.fold import Fold
from pbem.gamefile.in_play import Laid
from pbem.gamefile.keys import KeyPair, game_secret
from pbem.gamefile.machine import Machine
from pbem.gamefile.secrets import Secrets, Step
from tests.gamefile.players import write


@dataclass(frozen=True)
class Stacking:
    """Which trials are laid wrongly, and what lies in them: a change of the list of cards."""

    trials: frozenset[int]
    cards: Callable[[tuple[str, ...]], tuple[str, ...]]

    def layout(self, secret: bytes, epoch: Epoch, trial: int) -> Layout:
        honest = decks.layout_of(secret, epoch, trial)
        if trial not in self.trials:
            return honest
        return Layout(self.cards(honest.cards), honest.nonces)

    def leaves(self, secret: bytes, epoch: Epoch, trial: int) -> list[str]:
        laid = self.layout(secret, epoch, trial)
        return [
            decks.leaf_of(epoch, trial, place, card, nonce)
            for place, (card, nonce) in enumerate(zip(laid.cards, laid.nonces, strict=True))
        ]

    def commitment(self, secret: bytes, epoch: Epoch) -> str:
        whole = hashlib.sha256(b"pbem1/roots\n")
        for trial in range(epoch.trials):
            head = f"pbem1/deck\n{epoch.deck}\n{epoch.number}\n{trial}\n".encode()
            leaves = bytes.fromhex("".join(self.leaves(secret, epoch, trial)))
            whole.update(hashlib.sha256(head + leaves).digest())
        return whole.hexdigest()


def best_only(cards: tuple[str, ...]) -> tuple[str, ...]:
    """A deck of nothing but its best card."""
    return (max(cards),) * len(cards)


def one_doubled(cards: tuple[str, ...]) -> tuple[str, ...]:
    """The best card takes the place of the worst."""
    return tuple(max(cards) if card == min(cards) else card for card in cards)


def stacker(stacking: Stacking) -> type[Secrets]:
    """The secrets of a player who stacks their decks."""

    class Stacker(Secrets):
        def first_commitments(self, machine: Machine) -> dict[str, str]:
            return {
                each.deck: stacking.commitment(self.game, machine.epoch_to_bind(each))
                for each in first_decks(machine.terms.proposal)
                if each.by == self.player
            }

        def deck_commit(self, machine: Machine, laid: Laid) -> Step:
            commitment = stacking.commitment(self.game, machine.epoch_to_bind(laid))
            return {**super().deck_commit(machine, laid), "c": commitment}

        def deck_reply(self, bound: Bound) -> Step:
            assert bound.trial is not None
            leaves = stacking.leaves(self.game, bound.epoch, bound.trial)
            return {**super().deck_reply(bound), "leaves": leaves}

        def open(self, sealed: SealedDecks, slot: str) -> Step:
            deck, number, place = slot_parts(slot)
            (bound,) = [one for one in sealed if one.name == f"{deck}/{number}"]
            assert bound.trial is not None
            laid = stacking.layout(self.game, bound.epoch, bound.trial)
            return {**super().open(sealed, slot), "card": laid.cards[place]}

        def hidden_hand(self, machine: Machine) -> dict[str, str]:
            laid = {bound.name for bound in machine.hidden.decks}
            return {
                slot: self.open(machine.hidden.decks, slot)["card"]
                if slot.rpartition("/")[0] in laid
                else item  # of a sealed list
                for slot, item in super().hidden_hand(machine).items()
            }

    return Stacker


def stacked_write(stacking: Stacking, fold: Fold, player: str, *orders: dict, **wish) -> Fold:
    """The next entry of the player with the modified tool."""
    cheat = stacker(stacking)
    with (
        patch("pbem.gamefile.draft.Secrets", cheat),
        patch("pbem.gamefile.prospect.Secrets", cheat),
    ):
        return write(fold, player, *orders, **wish)


def secret_of(key: KeyPair, player: str, fold: Fold) -> bytes:
    return game_secret(key.seed, player, fold.machine.keys.contexts[player])
