"""Games by mail of two practice players, with fixed keys: what is kept of a release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pbem.gamefile.compose import Proposal, propose
from pbem.gamefile.keys import KeyPair
from pbem.play import practice
from pbem.play.answer import agreed, answer
from pbem.play.game import Game, opening, tool, with_fold
from pbem.play.systems import SHIPPED, Library, opened

MOST_MAILS = 600
SILENCE = {"days": 30, "then": "result"}


@dataclass(frozen=True)
class Kept:
    """A game to keep: its name, and how it is played. `mails` is where it stops; 0: at its end.

    `offers` is what one player asks the other when it stops. `watched`: with terms for silence, and
    a director.
    """

    name: str
    slug: str
    scenario: str
    options: tuple[str, ...] = ()
    mails: int = 0
    offers: str = ""
    watched: bool = False

    def key(self, player: str) -> KeyPair:
        return KeyPair.from_seed(sha256(f"{self.name} {player}".encode()).digest())

    @property
    def keys(self) -> dict[bytes, KeyPair]:
        return {each.public: each for each in map(self.key, "AB")}


def begun(kept: Kept, library: Library = SHIPPED) -> Game:
    """The game as it is proposed."""
    known = opened(kept.slug)
    first, second = known.system.sides
    watched: dict[str, Any] = {}
    if kept.watched:
        watched = {"silence": SILENCE, "director": kept.key("D").public}
    chosen = next(each for each in known.system.scenarios() if each.id == kept.scenario)
    terms = Proposal(
        known.ruleset, known.digest, kept.scenario, {"a": first, "b": second},
        dict.fromkeys((*chosen.needs, *kept.options), True), 256, fixes=known.fixes,
        **watched,
    )  # fmt: skip
    nonce = sha256(kept.name.encode()).digest()[:16]
    made = propose(kept.key("A"), kept.key("B").public, terms, opening(library), nonce=nonce,
                   tool=tool())  # fmt: skip
    return with_fold(made.fold, library=library)


def mailed(game: Game, kept: Kept) -> Game:
    """The game with one mail more, of whoever has the pen."""
    assert game.fold.pen is not None
    key = kept.key(game.fold.pen)
    orders = practice.written(game, key) if game.fold.phase == "running" else None
    return answer(game, key, orders, fresh=sha256(game.fold.head.encode()).digest()[:16]).game


def to_its_end(game: Game, kept: Kept) -> Iterator[Game]:
    """The game after each mail, until nobody owes anything."""
    for _ in range(MOST_MAILS):
        if not game.fold.owed:
            return
        game = mailed(game, kept)
        yield game
    raise AssertionError(f"{kept.name} has no end")


def played(kept: Kept) -> Game:
    """The game as far as it is kept."""
    game = begun(kept)
    for after in to_its_end(game, kept):
        game = after
        is_far = len(game.fold.entries) >= kept.mails > 0
        if is_far and (not kept.offers or may_offer(game)):
            break
    if kept.offers:
        other = kept.key("B" if game.fold.pen == "A" else "A")
        game = agreed(game, other, None, offer={"what": kept.offers}).game
    return game


def may_offer(game: Game) -> bool:
    """Whether the player who has not the pen can offer something."""
    return game.fold.phase == "running" and game.fold.locked is None
