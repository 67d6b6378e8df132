"""Two keys at one game of Storm over Madrid, whose chits lie face down."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.engine.model import Order
from pbem.gamefile.compose import Proposal, propose
from pbem.gamefile.secrets import Step
from pbem.games.madrid.tables import NATIONALIST, REPUBLICAN
from pbem.orders.written import orders_text
from pbem.play.answer import answer
from pbem.play.game import Game, table_for, tool, with_fold
from pbem.play.systems import opened
from pbem.play.table import Table
from pbem.text.source import Source
from tests.gamefile.players import KEYS, tried
from tests.play.by_mail import nonce_of
from tests.play.correspondence import Correspondence

Choose = Callable[[Table], Order]


def by_default(table: Table) -> Order:
    """The default answer to what is asked."""
    assert table.decision is not None
    return table.decision.default


class Seats(Correspondence):
    """A game between two; `mail` writes the next entry of whoever has the pen."""

    keys = KEYS

    def __init__(self, seed: str, scenario: str = "campaign", options: Iterable[str] = ()) -> None:
        madrid = opened("madrid")
        proposal = Proposal(
            ruleset=madrid.ruleset, data=madrid.digest, scenario=scenario,
            sides={"a": NATIONALIST, "b": REPUBLICAN}, options=dict.fromkeys(options, True),
            chain_length=512,
        )  # fmt: skip
        self.nonce = nonce_of(seed)
        self.game: Game = with_fold(
            propose(
                KEYS["A"], KEYS["B"].public, proposal, table_for, nonce=self.nonce,
                tool=tool(),
            ).fold
        )  # fmt: skip
        while self.fold.phase != "running":
            self.mail()

    @property
    def is_over(self) -> bool:
        return self.fold.phase == "over"

    def mail(self, text: str = "") -> None:
        """The next entry, with these orders."""
        orders = Source("orders.yaml", text) if text else None
        self.game = answer(self.game, KEYS[self.pen], orders, fresh=self.nonce).game

    def play(self, choose: Choose = by_default) -> None:
        """The next entry, with what is chosen at each question that comes before any dice."""
        self.mail(self.chosen(choose) if self.orders_wanted else "")

    def chosen(self, choose: Choose) -> str:
        table, orders = self.table, list[Order]()
        while table.decision is not None and table.player_of(table.decision.side) == self.pen:
            orders.append(choose(table))
            table = table.take(orders[-1])
        return orders_text(orders) if orders else ""

    def until(self, holds: Callable[[Table], bool], choose: Choose = by_default) -> None:
        """Plays on to where whoever has the pen is asked something, and this holds."""
        for _ in range(2_000):
            if self.is_over or (self.orders_wanted and holds(self.table)):
                return
            self.play(choose)
        raise AssertionError("it never comes")

    def forged(self, steps: list[Step]) -> None:
        """An entry of any steps by whoever has the pen. Raises what the rules say."""
        self.game = with_fold(tried(self.fold, self.pen, steps))
