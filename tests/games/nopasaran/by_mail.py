"""Two keys at one game of ¡No Pasarán!."""

from __future__ import annotations

from itertools import groupby

from pbem.gamefile.compose import Proposal, propose
from pbem.play.answer import answer
from pbem.play.game import Game, opening, tool, with_fold
from pbem.play.practice import written
from pbem.play.systems import SHIPPED, opened
from pbem.problems import Refused
from pbem.text.source import Source
from tests.gamefile.players import KEYS
from tests.games.nopasaran.table import SMALL, N, R
from tests.play.by_mail import nonce_of
from tests.play.correspondence import Correspondence

MIXING = "orders:\n  - mix: {at: all}\n"


class Seats(Correspondence):
    """A game between two; the Nationalist player proposes it."""

    keys = KEYS

    def __init__(
        self, seed: str, scenario: str = SMALL, *options: str, is_open: bool = True
    ) -> None:
        known = opened("nopasaran")
        proposal = Proposal(
            ruleset=known.ruleset, data=known.digest, scenario=scenario,
            sides={"a": N, "b": R}, chain_length=512,
            options=dict.fromkeys((*options, *(["open_units"] if is_open else [])), True),
        )  # fmt: skip
        self.nonce = nonce_of(seed)
        self.game: Game = with_fold(
            propose(KEYS["A"], KEYS["B"].public, proposal, opening(SHIPPED), nonce=self.nonce,
                    tool=tool()).fold
        )  # fmt: skip
        for _ in range(2):
            self.mail()

    @property
    def mails(self) -> int:
        """Entries that one player writes in a row travel in one mail."""
        return sum(1 for _ in groupby(entry.by for entry in self.fold.entries))

    def mail(self, text: str = "") -> Game:
        """The next entry, with these orders."""
        orders = Source("orders.yaml", text) if text else None
        self.game = answer(self.game, self.keys[self.pen], orders, fresh=self.nonce).game
        return self.game


IN_CLEAR = "ahead: open\n"


def practised(seats: Seats, ahead: str = "") -> None:
    """The mail of a player for practice, that mixes all it can when its day ends. `ahead` is a line
    that says how orders behind dice are sent.
    """
    source = written(seats.game, seats.keys[seats.pen])
    text = ahead + source.text if source else ""
    try:
        is_last = "- finish" in text
        seats.mail(text.replace("orders:\n", MIXING) if is_last else text)
    except Refused:
        seats.mail(text)
