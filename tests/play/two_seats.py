"""Two seats at one Crusade game, played by entries: who wrote what, and what was foretold of it.

The game is one of the scenarios, or begins in the middle, at any position with any hands. Each time
orders are sent, what `check` and `status` say of the mails to come must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from pbem.engine import kernel
from pbem.engine.dice import Draw
from pbem.engine.model import Chance, ChanceStage, Order, Outcome, Side, Stage, State
from pbem.gamefile import beacons
from pbem.gamefile.chain import Entry
from pbem.gamefile.compose import Proposal, propose
from pbem.gamefile.journal import Ordered
from pbem.gamefile.keys import game_secret
from pbem.games.crusade.position import Position
from pbem.games.crusade.sequence import ActionRound, action_phase, after_the_rounds
from pbem.orders.parse import parse
from pbem.orders.written import orders_text
from pbem.play.answer import answer
from pbem.play.dry_run import dry_run
from pbem.play.forecast import present_forecast
from pbem.play.game import Game, table_for, tool, with_fold
from pbem.play.systems import opened
from pbem.play.table import Table
from pbem.text.source import Source
from pbem.value import value
from tests.games.crusade.board import N, R
from tests.play.by_mail import key_of, nonce_of
from tests.play.correspondence import Correspondence

SEATS = {"A": N, "B": R}
Opening = Callable[[Mapping[str, Any]], Table]


class Seats(Correspondence):
    """A game between two; `mail` writes the next entry of whoever has the pen."""

    def __init__(
        self,
        seed: str,
        *,
        scenario: str = "campaign",
        options: Iterable[str] = (),
        opening: Opening = table_for,
        standing: str = "",
    ) -> None:
        """`standing` are orders that B gives with their first reveal."""
        self.keys = {"A": key_of(f"ana of {seed}"), "B": key_of(f"beto of {seed}")}
        crusade = opened("crusade")
        proposal = Proposal(
            ruleset=crusade.ruleset, data=crusade.digest, scenario=scenario,
            sides={"a": N, "b": R}, options=dict.fromkeys(options, True), chain_length=128,
        )  # fmt: skip
        self.game: Game = with_fold(
            propose(
                self.keys["A"], self.keys["B"].public, proposal, opening,
                nonce=nonce_of(seed), tool=tool(),
            ).fold
        )  # fmt: skip
        self.foretold: dict[int, int] = {}
        """How many mails the orders of an entry would cost; where nothing is said, one."""
        while self.fold.phase != "running" or not self.orders_wanted:
            begun = self.fold.phase == "running"
            self.mail(standing if begun and self.pen == "B" else "")

    def mail(self, text: str = "") -> None:
        """The next entry, with these orders and standing orders."""
        orders = Source("orders.yaml", text) if text else None
        wrote, at = self.pen, len(self.fold.entries)
        costs = self._said_by_check(orders) if orders and "orders:" in text else ()
        sent = answer(self.game, self.keys[wrote], orders, fresh=nonce_of("accept"))
        self.game = sent.game
        self.foretold[at] = 1 + 2 * len(costs)
        if "orders" in self.steps():
            later = present_forecast(self.game, wrote)
            assert (later.costs if later else ()) == costs, "status says the same"

    def _said_by_check(self, orders: Source) -> tuple[str, ...]:
        file = parse(orders, self.game.opened.system.verbs)
        mails = dry_run(self.game, self.keys[self.pen], file).forecast
        return mails.costs if mails else ()

    def silent(self) -> str:
        """The default answers of whoever has the pen, as far as they alone are asked."""
        return self.chosen(lambda table: table.decision.default)

    def chosen(self, choose: Callable[[Table], Order]) -> str:
        """The orders that are chosen at each question, as far as whoever has the pen is asked.

        What they have ordered ahead they do not answer once more.
        """
        table, orders = self.table, list[Order]()
        ahead = [each.read for each in self.fold.given(self.pen)]
        while self.orders_wanted and table.decision is not None:
            if table.player_of(table.decision.side) != self.pen or any(map(table.answers, ahead)):
                break
            orders.append(choose(table))
            table = table.take(orders[-1])
        return orders_text(orders) if orders else ""

    def played_out(self, text: str, *answers: str) -> list[str]:
        """The mails of a round, from these orders to the other's own round, each in words.

        The next entries hold `answers`, one after another, where one is; else the default.
        Entries that one player writes in a row travel in one file.
        """
        first, author, left = len(self.fold.entries), self.pen, list(answers)
        self.mail(text)
        while not self._has_own_round(author, first):
            said = left.pop(0) if left else ""
            self.mail(said or self.silent())
        assert not left, "these were never asked for"
        return list(mails_in_words(self.fold.entries[first:]))

    def _has_own_round(self, author: str, first: int) -> bool:
        """Whether the other player has begun their round since."""
        entries = range(first, len(self.fold.entries))
        return any(self.plays(at) and self.fold.entries[at].by != author for at in entries)

    def plays(self, entry: int) -> bool:
        """Whether somebody begins their round in an entry: they play a card, or none."""
        told = self.fold.journal[entry]
        return any(isinstance(each, Ordered) and "play" in each.order for each in told)

    def face(self, beacon: int, label: str) -> int:
        """What a die of a beacon to come will show: whoever has both keys can tell."""
        values = {player: self._value(player, beacon) for player in "AB"}
        game = self.fold.machine.terms.game
        return beacons.die(beacons.beacon_value(game, beacon, values["A"], values["B"]), label, 6)

    def _value(self, player: str, number: int) -> str:
        machine = self.fold.machine
        context, length = machine.keys.contexts[player], machine.chain_length
        secret = game_secret(self.keys[player].seed, player, context)
        chain, index = beacons.place_in_chain(number, length)
        return beacons.derive_chain(secret, player, context, length, chain)[index]


def mails_in_words(entries: Sequence[Entry]) -> Iterator[str]:
    """Who wrote, and the kinds of steps in it; a kind that stands there several times once."""
    for by, mail in groupby(entries, key=lambda entry: entry.by):
        kinds = [step["do"] for entry in mail for step in entry.steps]
        yield f"{by}: {' '.join(kind for kind, _ in groupby(kinds))}"


# --- games that begin in the middle -------------------------------------------------------------


@value
class FirstDie(ChanceStage[Position]):
    """A die of no matter: the decks are challenged by it before the first card is shown."""

    def chance(self, position: Position) -> Chance:
        return Chance("first", "", (Draw("first/#", "a die of no matter"),))

    def resolve(self, position: Position, rolled: Mapping[str, Any]) -> Outcome:
        return Outcome()


def in_the_middle(position: Position, *stages: Stage[Position]) -> Opening:
    """A game that begins with these stages, the first of them first."""
    agenda = tuple(reversed((FirstDie(), *stages)))

    def opening(proposal: Mapping[str, Any]) -> Table:
        started = kernel.begin(State(position, agenda))
        return Table(opened("crusade").system, SEATS, started.state)

    return opening


def rounds_from(side: Side, number: int) -> tuple[Stage[Position], ...]:
    """The rest of a turn, from this round on."""
    rounds = action_phase()
    return (*rounds[rounds.index(ActionRound(side, number)) :], *after_the_rounds())


def with_cards(position: Position, **cards: str) -> Position:
    """The position with sealed cards: `nationalist="N3 N5 | N7"` is a hand, then a pile."""
    laid = []
    for side in (N, R):
        hand, _, pile = cards.get(side, "").partition("|")
        held, all_cards = len(hand.split()), (*hand.split(), *pile.split())
        slots = tuple(f"{side[0]}/1/{place}" for place in range(len(all_cards)))
        unseen = tuple(sorted(all_cards))
        position = position.with_deck(
            side, hand=slots[:held], pile=slots[held:], epoch=1, unseen=unseen
        )
        if unseen:
            laid.append((side[0], side, 1, unseen))
    return position.but(known={}, laid=tuple(laid))
