"""Players of the duel whose key is lost or stolen, and who go on with new secrets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from pbem.gamefile import negotiation
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.fold import Fold
from pbem.gamefile.generations import generations
from pbem.gamefile.in_play import other
from pbem.gamefile.keys import KeyPair, game_secret
from tests.gamefile.audited_cards import unseen_by_audits
from tests.gamefile.players import KEYS, TOOL, write
from tests.gamefile.sealed_game import settled

OLD = dict(KEYS)
NEW, NEWER = (KeyPair.from_seed(bytes([at]) * 32) for at in (9, 10))
OFFER = {"do": "offer", "what": "renew"}


@contextmanager
def signing(**keys: KeyPair) -> Iterator[None]:
    """Inside, the players (A, B) sign with these keys."""
    with mock.patch.dict(KEYS, keys):
        yield


def rotated(fold: Fold, player: str, new: KeyPair = NEW) -> Fold:
    """The fold after a player has put a new key in the place of their own."""
    return negotiation.own_new_key(fold, KEYS[player], new, tool=TOOL)


def named(fold: Fold, player: str, new: KeyPair = NEW, *, renew: bool = True) -> Fold:
    """The fold after the opponent of a player has named their new key, and offered new secrets."""
    proof = negotiation.proof_for(fold, player, new)
    return negotiation.new_key(
        fold, KEYS[other(player)], new.public.hex(), proof, tool=TOOL, signed_by="opponent",
        renew=renew,
    )  # fmt: skip


def offered(fold: Fold, player: str, new: KeyPair = NEW) -> Fold:
    """The fold after a player had a key replaced, and the opponent offered them new secrets."""
    return write(rotated(fold, player, new), other(player), offer={"what": "renew"})


def taken(fold: Fold, key: KeyPair = NEW, **wish) -> Fold:
    """The fold after the owner of the key has taken up the new secrets they were offered."""
    return compose(fold, key, Wish(answer=True, **wish), tool=TOOL).fold


def renewed(fold: Fold, player: str, new: KeyPair = NEW) -> Fold:
    """The fold after all three mails; the player has lost their old key."""
    return taken(offered(fold, player, new), new)


def played_on(fold: Fold, player: str, key: KeyPair = NEW) -> Fold:
    """The fold at the next question to be answered with orders, the player having the key."""
    with signing(**{player: key}):
        return settled(fold, asked=player)


def audited(fold: Fold, player: str, key: KeyPair = NEW, *, lost: bool = False) -> Fold:
    """The game given up by the other, unless it is over, and both audits."""
    if fold.phase != "over":
        fold = write(fold, other(player), resign=True)
    fold = compose(fold, key, Wish(lost=lost), tool=TOOL).fold
    fold = write(fold, other(player))
    assert unseen_by_audits(fold) == []
    return fold


def secret(fold: Fold, player: str, key: KeyPair, generation: int = -1) -> str:
    """A player's secret of an generation, in hex, from the key it came from."""
    return game_secret(
        key.seed, player, generations(fold.machine, player)[generation].context
    ).hex()
