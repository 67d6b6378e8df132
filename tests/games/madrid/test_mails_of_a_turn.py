"""What the impulses of a turn cost in mails: asked for all, by policy, and said ahead.

Both have drawn three chits, which lie face down.
"""

from __future__ import annotations

from itertools import groupby

import pytest

from pbem.engine.choices import every
from pbem.engine.model import Order
from pbem.gamefile.compose import Proposal, propose
from pbem.gamefile.journal import Answered, Ordered, PolicyFailed
from pbem.gamefile.prospect import prospect
from pbem.games.madrid.orders import Assault, Attack, Bombard, DrawChits, Move, Pass
from pbem.games.madrid.policies.impulses import used_up
from pbem.games.madrid.policies.table import IMPULSES as LIST
from pbem.games.madrid.stages.impulse import Impulse
from pbem.games.madrid.stages.turn import Drawing
from pbem.games.madrid.tables import SIDES
from pbem.orders.written import order_line, orders_text
from pbem.play.answer import answer
from pbem.play.game import Game, table_for, tool, with_fold
from pbem.play.snapshot import read_game
from pbem.play.systems import opened
from pbem.play.table import Table
from pbem.text.source import Source
from pbem.value import replace
from tests.play.by_mail import key_of, nonce_of

IMPULSES = 24
VERBS = {kind.verb for kind in (Move, Bombard, Attack, Assault, Pass)}
POLICY = """standing:
  losses: [spent, line]
  counterattack: {with: [shock, line]}
"""
KEYS = {"A": key_of("ana of madrid"), "B": key_of("beto of madrid")}


def begun(standing: str) -> Game:
    """A game by mail, where the first impulse of the first turn is asked for; what both are asked
    before they answer with their standing orders.
    """
    madrid = opened("madrid")
    proposal = Proposal(
        ruleset=madrid.ruleset, data=madrid.digest, scenario="scenario_1",
        sides=dict(zip("ab", madrid.system.sides, strict=True)), chain_length=128,
    )  # fmt: skip
    game = with_fold(
        propose(
            KEYS["A"], KEYS["B"].public, proposal, table_for, nonce=nonce_of("madrid"), tool=tool()
        ).fold
    )
    while not asks_for_an_impulse(game):
        text = silent(game)
        game = mail(game, text + standing if text else "")
    return game


def table_of(game: Game) -> Table | None:
    """The game as whoever has the pen sees it, if they may give orders in their next mail."""
    if game.fold.phase != "running" or game.fold.pen is None:
        return None
    ahead = prospect(game.fold, KEYS[game.fold.pen])
    assert isinstance(ahead.in_play, Table)
    return ahead.in_play if ahead.orders_wanted else None


def asks_for_an_impulse(game: Game) -> bool:
    table = table_of(game)
    return table is not None and isinstance(table.state.agenda[-1], Impulse)


def mail(game: Game, text: str) -> Game:
    """The next entry of whoever has the pen."""
    assert game.fold.pen is not None
    orders = Source("orders.yaml", text) if text else None
    return answer(game, KEYS[game.fold.pen], orders, fresh=nonce_of("accepted")).game


def silent(game: Game) -> str:
    """The first answer of the form to what is asked, if it is no impulse; but chits are drawn."""
    table = table_of(game)
    if table is None or table.decision is None or isinstance(table.state.agenda[-1], Impulse):
        return ""
    if isinstance(table.state.agenda[-1], Drawing):
        return orders_text([DrawChits(3)])
    return orders_text([table.decision.default])


class Writer:
    """Plans impulses for both sides, each unit in one of them; attacks come first."""

    def __init__(self, ahead: int, standing: str) -> None:
        self.ahead, self.standing = ahead, standing
        self.said: set[str] = set()

    def mail(self, game: Game) -> Game:
        """The next mail: an impulse if one is asked for, and the impulses after it.

        In a mail that only opens something a player says more ahead if the other one is asked
        next: else they would rather write themselves.
        """
        if asks_for_an_impulse(game):
            now, *ahead = self.plan(game, 1 + self.ahead) or [Pass()]
            return mail(game, orders_text([now]) + self.standing + said_ahead(ahead))
        sent = mail(game, silent(game) + self.standing)
        if not self.ahead or sent.fold.pen == game.fold.pen or not asks_for_an_impulse(sent):
            return sent
        ahead = self.plan(game, self.ahead)
        return mail(game, silent(game) + self.standing + said_ahead(ahead))

    def plan(self, game: Game, count: int) -> list[Order]:
        """Impulses of whoever has the pen, as they see the game behind what they owe."""
        assert game.fold.pen is not None
        side = dict(zip("AB", SIDES, strict=True))[game.fold.pen]
        table = prospect(game.fold, KEYS[game.fold.pen]).in_play
        assert isinstance(table, Table)
        position, stage, found = table.state.position, Impulse(side), list[Order]()
        offers = (
            replace(each.order, units=units) if "units" in each.others else each.order
            for option in stage.ask(position).options
            if option.examples is not None and option.order.verb in VERBS
            for each in option.examples(every)
            for units in each.others.get("units", ((),))
        )
        for order in sorted(offers, key=lambda one: (isinstance(one, Move), len(units_of(one)))):
            units = {*units_of(order)}
            is_legal = next(stage.check(position, order), None) is None
            if not units & self.said and len(found) < count and is_legal:
                found.append(order)
                self.said |= units
        return found


def said_ahead(orders: list[Order]) -> str:
    lines = "".join(f"    - {order_line(each)}\n" for each in orders)
    return f"  impulses:\n{lines}" if lines else ""


def units_of(order: Order) -> tuple[str, ...]:
    return order.guns if isinstance(order, Bombard) else order.units  # type: ignore[attr-defined]


def impulses_in(game: Game, entry: int) -> int:
    told = game.fold.journal[entry]
    orders = (each.order for each in told if isinstance(each, Ordered | Answered))
    return sum(1 for order in orders if VERBS & order.keys())


STYLES = {
    "asked for all": (0, "", 76),
    "by policy": (0, POLICY, 24),
    "three ahead": (3, POLICY, 17),
}
"""How many impulses are said ahead, the other standing orders, and the mails they come to."""


@pytest.mark.parametrize("style", STYLES)
def test_what_the_impulses_of_a_turn_cost(style: str) -> None:
    """Entries that one player writes in a row travel in one mail."""
    ahead, standing, mails = STYLES[style]
    game, writer, played = begun(standing), Writer(ahead, standing), 0
    first = len(game.fold.entries)
    while played < IMPULSES:
        game = writer.mail(game)
        played += impulses_in(game, len(game.fold.entries) - 1)
    assert read_game(game.bytes()).fold.head == game.fold.head
    authors = [entry.by for entry in game.fold.entries[first:]]
    assert sum(1 for _ in groupby(authors)) == mails
    assert not any(isinstance(each, PolicyFailed) for each in game.fold.told())


def test_a_list_whose_impulses_the_same_mail_plays_is_not_sealed() -> None:
    """It would be opened at the next impulse to learn that nothing of it is left."""
    game = begun("")
    first, second = Writer(1, "").plan(game, 2)

    def kept(*ahead: Order) -> list[object]:
        sent = mail(game, orders_text([first]) + "standing:\n" + said_ahead([*ahead]))
        steps = sent.fold.entries[-1].steps
        return [each["slot"] for each in steps if each["do"] == "policy"]

    assert kept(first) == []
    one = {"impulses": [{"assault": {"units": ["N01"], "path": ["D", "B"]}}]}
    asks, both = {"impulses": ["ask"]}, {"impulses": [*one["impulses"], "ask"]}
    seen = table_of(game)
    assert seen is not None
    for policy, spent, over in ((one, {"N01"}, True), (one, {"N02"}, False),
                                (asks, {"N01"}, False), (both, {"N01"}, True)):  # fmt: skip
        position = seen.state.position.but(spent=frozenset(spent))
        assert bool(used_up(position, SIDES[0], policy, ())) is over
    assert kept(first, second) == kept(second) == kept(first, Pass()) == [LIST]
