"""4.3.2, hidden hands: whether one may be kept is answered by its owner, once it is dealt."""

from __future__ import annotations

import pytest

from pbem.games.crusade.orders import Done
from pbem.games.crusade.rules.cards import must_hold_corps_card
from pbem.games.crusade.waiting import WAITING
from tests.contract.playing import first_state, system
from tests.games.crusade.board import STARTS, N, R


@pytest.mark.rule("4.3.2")
def test_what_was_ordered_before_the_deal_ends_with_it():
    """The audit knows the cards: an order judged without them would convict an honest player."""
    game = system("crusade")
    begun = first_state("crusade", "two_years_of_war").state.position
    named = [game.clock(begun).span]
    for side, hand in ((R, ("r/1/1",)), (N, ("n/1/1",)), (R, ("r/2/1",))):
        begun = begun.with_deck(side, hand=hand)
        named.append(game.clock(begun).span)
    assert len(set(named)) == len(named)
    in_play = begun.but(round=1)
    other = in_play.with_deck(R, hand=("r/2/2",))
    assert game.clock(in_play).span == game.clock(other).span


@pytest.mark.rule("4.3.2")
def test_an_order_with_a_condition_does_not_outlive_the_deal():
    begun = first_state("crusade", "two_years_of_war").state.position
    dealt = begun.with_deck(N, hand=("n/1/1",))
    anew = dealt.with_deck(N, hand=("n/2/1",))
    for before, after, stays in (
        (begun, dealt, False), (dealt, anew, False), (dealt, dealt, True),
        (anew, anew.but(round=1), True), (anew.but(round=1), anew.but(round=2), True),
    ):  # fmt: skip
        assert WAITING.outlives(before, after, Done(), waits=True) is stays
        assert not WAITING.outlives(before, after, Done(), waits=False)


@pytest.mark.rule("4.3.2")
def test_the_duty_ends_with_the_first_turn():
    start = STARTS["two_years_of_war"]
    assert must_hold_corps_card(start) and not must_hold_corps_card(start.but(turn=7))


def test_no_other_scenario_has_that_duty():
    begun = first_state("crusade", "campaign").state.position
    clock = system("crusade").clock
    assert clock(begun.with_deck(R, hand=("r/1/1",))).span == clock(begun).span
