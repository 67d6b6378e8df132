"""A sealed Campaign by entries through every phase of the war: hands, piles, new piles, audits.

Nobody fights, so that it is quick; and nobody wins by morale, so that it goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Order, State
from pbem.gamedata.load import load
from pbem.gamefile.fold import replay
from pbem.gamefile.format import read, write
from pbem.gamefile.journal import Audited, Opened, Rolled
from pbem.games.crusade.orders import Play
from pbem.games.crusade.sequence import opening as beginning
from pbem.games.crusade.stages.setup import starting_position
from pbem.games.crusade.tables import Tables
from pbem.play.answer import agreed, audited
from pbem.play.systems import opened
from pbem.play.table import Table
from tests.gamefile.knowledge import look_aheads
from tests.games.crusade.board import N, R
from tests.play.two_seats import SEATS, Seats

PHASES = (6, 12)
"""The turns in which the cards of a new phase come to the piles (15.1.2, 15.1.3)."""
CARDS_A_TURN = 4
"""So many are played that hands change, and so few that the piles are not empty in those turns."""


def opening(proposal: Mapping[str, Any]) -> Table:
    """The Campaign from the turn before a new phase, with no row for automatic victory (5.2.2)."""
    plain = dict(load("crusade").tables)
    none = {**plain["tables"]["automatic_victory"], "2e": []}
    tables = Tables({**plain, "tables": {**plain["tables"], "automatic_victory": none}})
    start = replace(starting_position(tables, "campaign", frozenset()), turn=5)
    return Table(opened("crusade").system, SEATS, kernel.begin(State(start, beginning())).state)


def newest_card(table: Table) -> Order:
    """Of the cards that may be played for operations the one that was laid last."""
    decision, position = table.decision, table.state.position
    assert decision is not None
    plays_any = decision.stage == "action" and decision.default == Play("none")
    if plays_any and position.round <= CARDS_A_TURN:
        for slot in sorted(position.decks[decision.side].hand, key=epoch_of, reverse=True):
            order = Play(position.card_in(slot), "operations")
            if not kernel.violations(table.state, order):
                return order
    return decision.default


def epoch_of(slot: str) -> int:
    return int(slot.split("/")[1])


@pytest.fixture(scope="module")
def campaign() -> Seats:
    """Through turn 12, given up in turn 13, and audited by both."""
    seats = Seats("campaign", opening=opening)
    while seats.fold.in_play.state.position.turn < 13:
        text, table = seats.chosen(newest_card), seats.table
        if text and table.decision.stage == "action" and table.state.position.round == 6:
            text += "standing:\n  turn_end: {discard: []}\n"
        seats.mail(text)
    seats.game = agreed(seats.game, seats.keys[seats.pen], None, resign=True).game
    while seats.fold.owed:
        seats.game = audited(seats.game, seats.keys[seats.pen]).game
    return seats


def new_epochs(seats: Seats) -> Iterator[tuple[int, str, int]]:
    """For each side and new phase: turn, deck and the epoch with the cards of the phase."""
    for journal in seats.fold.journal:
        for each in journal:
            if isinstance(each, Rolled) and each.what == "draw":
                position = each.before.state.position
                for side in (N, R) if position.turn in PHASES else ():
                    yield position.turn, side[0], position.decks[side].epoch


def test_each_phase_lays_its_cards_beside_what_is_left_of_the_pile(campaign: Seats) -> None:
    draws = [
        each.before.state.position
        for each in campaign.fold.told()
        if isinstance(each, Rolled) and each.what == "draw"
    ]
    for turn in PHASES:
        (position,) = [each for each in draws if each.turn == turn]
        for side in (N, R):
            deck = position.decks[side]
            old = [slot for slot in deck.pile if epoch_of(slot) < deck.epoch]
            new = [slot for slot in deck.pile if epoch_of(slot) == deck.epoch]
            assert old and len(new) >= 17, (turn, side)


@pytest.mark.parametrize("turn", PHASES)
@pytest.mark.parametrize("deck", ["n", "r"])
def test_a_card_of_the_new_epoch_is_drawn_and_played(campaign: Seats, turn: int, deck: str) -> None:
    (epoch,) = {number for at, name, number in new_epochs(campaign) if (at, name) == (turn, deck)}
    shown = [
        each
        for each in campaign.fold.told()
        if isinstance(each, Opened) and each.slot.startswith(f"{deck}/{epoch}/")
    ]
    assert shown and all(each.after.state.position.turn >= turn for each in shown)


def test_both_audits_find_nothing(campaign: Seats) -> None:
    fold = campaign.fold
    assert sorted(each.by for each in fold.told() if isinstance(each, Audited)) == ["A", "B"]
    assert not fold.owed and not fold.is_provisional
    assert look_aheads(fold) == []
    assert replay(read(write(fold.entries)), opening).head == fold.head
