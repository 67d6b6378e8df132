"""Two players who share nothing but the file: each has a key, and passes the bytes on."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from pbem.engine.model import Side
from pbem.gamefile.compose import Proposal, Wish, compose, propose
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.prospect import prospect
from pbem.play.answer import answer
from pbem.play.game import Game, table_for, tool, with_fold
from pbem.play.snapshot import read_game
from pbem.play.systems import opened
from pbem.text.source import Source

MAILS = 200


def key_of(name: str) -> KeyPair:
    """A key that is the same in every run."""
    return KeyPair.from_seed(sha256(name.encode()).digest())


def nonce_of(name: str) -> bytes:
    return sha256(name.encode()).digest()[:16]


class Mail:
    """A game by mail; `files` are the orders of each player, given one after another."""

    def __init__(
        self,
        seed: str,
        files: dict[str, Sequence[Path]],
        *options: str,
        scenario: str = "campaign",
        sealed: bool = False,
    ) -> None:
        self.keys = {"A": key_of(f"ana {seed}"), "B": key_of(f"beto {seed}")}
        self.files = {player: list(paths) for player, paths in files.items()}
        self.fresh = nonce_of(f"accept {seed}")
        game = opened("crusade")
        sides = game.system.sides
        proposal = Proposal(
            ruleset=game.ruleset, data=game.digest, scenario=scenario,
            sides={"a": sides[0], "b": sides[1]},
            options=dict.fromkeys((*([] if sealed else ["open_hands"]), *options), True),
        )  # fmt: skip
        proposed = propose(
            self.keys["A"], self.keys["B"].public, proposal, table_for,
            nonce=nonce_of(f"propose {seed}"), tool=tool(),
        )  # fmt: skip
        self.raw = with_fold(proposed.fold).bytes()
        self.mails = 1
        self.writer = "A"

    def play(self) -> Game:
        """Passes the file to and fro until somebody who must give orders has none."""
        for _ in range(MAILS):
            game = read_game(self.raw)
            player = game.fold.pen
            if player is None:
                return game
            if player != self.writer:
                self.mails, self.writer = self.mails + 1, player
            orders = self._orders(game, player)
            if orders is None and not self._owes_more(game, player):
                return game
            answered = answer(game, self.keys[player], orders, fresh=self.fresh)
            self.raw = answered.game.bytes()
        raise AssertionError("the mails go to and fro for ever")

    def _orders(self, game: Game, player: str) -> Source | None:
        if game.fold.phase != "running" or not self.files[player]:
            return None
        if not prospect(game.fold, self.keys[player]).orders_wanted:
            return None
        path = self.files[player].pop(0)
        return Source.decode(path.name, path.read_bytes())

    def _owes_more(self, game: Game, player: str) -> bool:
        return game.fold.owed[0].code != "answer"


def side_files(folder: Path) -> dict[str, Sequence[Path]]:
    """The orders of a folder by player: the Nationalist proposes."""
    paths = sorted(folder.glob("*.yaml"))
    return {
        "A": [path for path in paths if "nationalist" in path.name],
        "B": [path for path in paths if "republican" in path.name],
    }


__all__ = ["Mail", "Side", "Wish", "compose", "key_of", "nonce_of", "side_files"]
