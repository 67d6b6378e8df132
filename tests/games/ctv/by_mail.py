"""Two keys at one game of Santander 1937, with open counters, or with covered ones."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from pbem.engine.model import Order
from pbem.gamefile.compose import Proposal, propose
from pbem.games.ctv.tables import NATIONALIST, REPUBLICAN
from pbem.orders.written import orders_text
from pbem.play.answer import answer
from pbem.play.game import Game, opening, tool, with_fold
from pbem.play.systems import Library, OpenedGame
from pbem.play.table import Table
from pbem.text.source import Source
from tests.gamefile.players import KEYS
from tests.games.ctv.table import system
from tests.pinned import PINNED
from tests.play.by_mail import nonce_of
from tests.play.correspondence import Correspondence


class OfTheTests(Library):
    """A library that knows one game, with the system that all tests of the game share."""

    def opened(self, slug: str, digest: str, fixes: tuple[int, ...] | None = None) -> OpenedGame:
        assert slug == "ctv", slug
        return OpenedGame(system(), digest, digest)


LIBRARY = OfTheTests()


class Seats(Correspondence):
    """A game between two; `first` is the side of the player who proposes it."""

    keys = KEYS

    def __init__(
        self, seed: str, options: Iterable[str] = (), first: str = NATIONALIST, links: int = 128,
        *, covered: bool = False,
    ) -> None:  # fmt: skip
        self.covered = covered
        second = REPUBLICAN if first == NATIONALIST else NATIONALIST
        ctv = system()
        proposal = Proposal(
            ruleset=f"{ctv.slug}/{ctv.version}", data=PINNED["ctv"], scenario="santander",
            sides={"a": first, "b": second},
            options=dict.fromkeys((*options, *([] if covered else ["open_units"])), True),
            chain_length=links,
        )  # fmt: skip
        self.nonce = nonce_of(seed)
        proposed = propose(
            KEYS["A"], KEYS["B"].public, proposal, opening(LIBRARY), nonce=self.nonce, tool=tool()
        )
        self.game: Game = with_fold(proposed.fold, library=LIBRARY)

    @property
    def side(self) -> str:
        """The side of whoever has the pen."""
        return self.game.side_of(self.pen)

    @property
    def mails(self) -> int:
        """Entries that one player writes in a row travel in one mail."""
        return sum(1 for _ in groupby(entry.by for entry in self.fold.entries))

    @property
    def asked(self) -> str:
        """The question that whoever has the pen may answer in their next mail; "" for none."""
        if self.fold.phase != "running" or not self.orders_wanted:
            return ""
        decision = self.table.decision
        assert decision is not None
        return decision.stage

    def mail(self, text: str = "") -> Game:
        """The next entry, with these orders."""
        orders = Source("orders.yaml", text) if text else None
        self.game = answer(self.game, KEYS[self.pen], orders, fresh=self.nonce).game
        return self.game

    def say(self, *orders: Order, more: str = "") -> Game:
        """The next entry, with these orders and more text behind them."""
        return self.mail((orders_text(list(orders)) if orders else "") + more)

    def plan(self) -> Table:
        """The game as whoever has the pen sees it when they have sent what they owe."""
        return self.table
