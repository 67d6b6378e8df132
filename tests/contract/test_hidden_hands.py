"""Random games with hidden hands, seen by all at once: by both players, by nobody, by the audit.

Whatever a view knows, the same is asked, the same happens and the same is public; and what is legal
for the owner of a hand is legal for everybody once the cards it needs are open.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.codec import to_plain
from pbem.engine.model import Decision, Order
from pbem.gamefile.canonical import check_domain
from pbem.gamefile.referee import PLAYERS, Chance, Finished
from pbem.play.table import Illegal, Table, open_table
from tests.conftest import FUZZ
from tests.contract.playing import (
    MOST_MOVES,
    STOPS,
    Player,
    RandomDice,
    every_game,
    some_options,
    system,
)

NOBODY, AUDIT = "public", "audit"


@dataclass
class Views:
    """One game as each of them sees it, moved on together."""

    tables: dict[str, Table]
    rng: random.Random
    dice: dict[str, RandomDice]
    secret: dict[str, str] = field(default_factory=dict)
    """What lies in each slot that was ever laid."""
    dealt: int = 0

    def all(self, move: Any) -> None:
        """Makes the same move in each view, and looks whether they still agree."""
        self.tables = {name: move(name, table) for name, table in self.tables.items()}
        self.deal()
        self.agree()

    def deal(self) -> None:
        """A layout for each epoch that has been laid since; its owner and the audit know it."""
        laid = self.public.laid()
        for epoch in laid[self.dealt :]:
            cards = list(epoch.cards)
            assert cards == sorted(cards)
            self.rng.shuffle(cards)
            layout = {f"{epoch.deck}/{epoch.epoch}/{at}": card for at, card in enumerate(cards)}
            self.secret |= layout
            for name in (epoch.by, AUDIT):
                self.tables[name] = self.tables[name].informed(layout)
        self.dealt = len(laid)

    def agree(self) -> None:
        seen = self.public.public()
        check_domain(seen)
        for table in self.tables.values():
            assert table.public() == seen
            assert asked(table) == asked(self.public)
            assert table.must_show() == self.public.must_show()
            assert table.laid() == self.public.laid()
            assert table.system.faults(table.state.position) == ()

    def open(self, slots: tuple[str, ...]) -> None:
        """The owner opens these slots of his hand."""
        known = self.public.known()
        held = [slot for player in PLAYERS for slot in self.public.hand(player)]
        assert all(slot in held and slot not in known for slot in slots)
        if slots:
            cards = {slot: self.secret[slot] for slot in slots}
            self.all(lambda name, table: table.learn(cards))

    @property
    def public(self) -> Table:
        return self.tables[NOBODY]


def asked(table: Table) -> Any:
    """What is asked, down to the words a player may use, or rolled."""
    decision = table.decision
    if decision is None:
        needed = kernel.waits_for(table.state)
        return table.waits(), getattr(needed, "draws", None)
    verbs = [option.order.verb for option in decision.options]
    same = (decision.prompt, decision.rule, decision.optional, decision.policy)
    return table.waits(), same, sorted(set(verbs)), table.round()


def game_seen_by_all(
    slug: str, scenario: str, seed: int, options: tuple[str, ...] = (), *,
    bold: float = 0.9, whole: bool = False,
) -> Iterator[tuple[Views, Decision | None, Order | None]]:  # fmt: skip
    """One random game; gives each decision with its answer before the answer is carried out."""
    game = system(slug)
    seats = dict(zip(PLAYERS, game.sides, strict=True))
    table = open_table(game, scenario, frozenset(options) - {"open_hands"}, seats)
    names = (NOBODY, AUDIT, *PLAYERS)
    views = Views(dict.fromkeys(names, table), random.Random(f"cards {seed}"),
                  {name: RandomDice(seed) for name in names})  # fmt: skip
    views.deal()
    views.agree()
    player = Player(seed, bold=bold)
    over = STOPS[slug] if slug in STOPS and not whole else lambda position: False
    for _ in range(MOST_MOVES):
        waits = views.public.waits()
        if isinstance(waits, Finished) or over(views.public.state.position):
            return
        if isinstance(waits, Chance):
            views.all(lambda name, table: table.roll(views.dice[name]))
            continue
        if must := views.public.must_show():
            yield views, views.public.decision, None
            views.open(must)
            continue
        mine = views.tables[waits.by]
        assert mine.decision is not None
        order = player.order(mine.state, mine.decision)
        yield views, mine.decision, order
        take(views, waits.by, order)
    raise AssertionError(f"no end after {MOST_MOVES} moves")


def take(views: Views, by: str, order: Order) -> None:
    """The answer of a player, after the cards it needs."""
    plain = {order.verb: to_plain(order)}
    slots = views.tables[by].shows(plain)
    assert set(slots) == set(views.tables[AUDIT].shows(plain))
    if slots:
        with pytest.raises(Illegal):
            views.public.submit(plain)
    question = views.public.waits()
    views.open(slots)
    assert views.public.waits() == question
    assert views.public.shows(plain) == views.tables[by].shows(plain) == ()
    views.all(lambda name, table: table.submit(plain))


@pytest.mark.parametrize("seed", range(2 * FUZZ))
@pytest.mark.parametrize("table", every_game(), ids="-".join)
def test_every_view_goes_through_the_same_game(table: tuple[str, str], seed: int) -> None:
    moves = 0
    for views, _, _ in game_seen_by_all(*table, seed):
        moves += 1
        look_for_leaks(views)
    assert moves > 20, "a game of so few moves shows nothing"


@pytest.mark.parametrize("seed", range(6 * FUZZ))
def test_with_options_too(seed: int) -> None:
    rng = random.Random(f"hidden options {seed}")
    slug, scenario = rng.choice(every_game())
    for views, _, _ in game_seen_by_all(slug, scenario, seed, some_options(slug, rng)):
        look_for_leaks(views)


def look_for_leaks(views: Views) -> None:
    """No view knows a card that is not its own, and what is public names no hidden one."""
    decks = {laid.deck: laid.by for laid in views.public.laid()}
    known = views.public.known()
    assert all(views.secret.get(slot, card) == card for slot, card in known.items())
    for name in (NOBODY, *PLAYERS):
        position = views.tables[name].state.position
        assert all(decks[slot.partition("/")[0]] == name for slot in position.secret)


WHOLE = {"crusade": ("campaign", "two_years_of_war")}
"""Scenarios whose piles are filled up while some of their cards are hidden."""


@pytest.mark.parametrize("seed", range(FUZZ))
@pytest.mark.parametrize("slug", sorted(WHOLE))
def test_whole_games(slug: str, seed: int) -> None:
    verbs = set()
    for scenario in WHOLE[slug]:
        epochs = set()
        for views, _, order in game_seen_by_all(slug, scenario, seed, whole=True):
            epochs |= {(laid.deck, laid.epoch) for laid in views.public.laid()}
            verbs.add(order.verb if order else "shown")
        assert len(epochs) > 4, scenario
    assert verbs & {"shown", "redraw"}, "nobody had to show a hand"
