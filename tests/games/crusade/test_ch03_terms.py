"""Chapters 3, 7 and 8.1: terms that other rules stand on, and the frame of the Action Rounds."""

from __future__ import annotations

import pytest

from pbem.games.crusade import events as e
from pbem.games.crusade.position import RESERVE, Deck, Fort
from pbem.games.crusade.rules import north
from pbem.games.crusade.sequence import action_phase
from pbem.games.crusade.summary import summary
from tests.games.crusade.board import STARTS, N, R, after, sealed, table

CAMPAIGN = STARTS["campaign"]


@pytest.mark.rule("3.0.northern_front")
def test_the_northern_front_is_what_begins_republican_in_the_north():
    front = CAMPAIGN.tables.northern_front
    assert len(front) == 14
    assert {"gijon", "santander", "bilbao", "durango"} <= set(front)
    assert "oviedo" not in front and "san_sebastian" in front


@pytest.mark.rule("3.0.regional")
def test_regional_are_the_units_of_the_north_and_not_the_catalans():
    types = {CAMPAIGN.type_of(unit) for unit in CAMPAIGN.counters}
    assert {each.region for each in types if each.has("regional")} == {
        "asturias", "basque", "santander",
    }  # fmt: skip
    catalan = next(unit for unit in CAMPAIGN.counters if CAMPAIGN.type_of(unit).has("catalan"))
    assert not CAMPAIGN.type_of(catalan).has("regional")
    refused = north.may_end(CAMPAIGN, catalan, "durango")
    assert refused and refused.rule == "16.4.3.2"


@pytest.mark.rule("6.0.B", "7.1.1", "7.1.2", "7.1.5")
def test_the_nationalists_begin_and_six_rounds_each_alternate():
    rounds = [(each.side, each.number) for each in action_phase()]
    assert rounds == [(side, number) for number in range(1, 7) for side in (N, R)]


@pytest.mark.rule("8.1.4", "3.0.discard_pile")
def test_of_the_discards_the_status_names_the_top_card_alone():
    decks = {**CAMPAIGN.decks, N: Deck(pile=("a", "b"), discards=("N3", "N4"), removed=("N1",))}
    told = map(str, summary(CAMPAIGN.but(decks=decks)))
    line = next(line for line in told if line.startswith("Nationalist:"))
    assert "2 to draw, 2 discarded (N4 on top), 1 removed" in line
    assert "N3" not in line


@pytest.mark.rule("8.1.4")
def test_the_status_counts_the_hand_and_names_what_both_know_and_the_reserve():
    hands = {N: ["N5"], R: ["R19", "R20"]}
    position = table(hand=hands, units={RESERVE: "INF-1 (INF-2)"})
    told = map(str, summary(sealed(position, R)))
    _, mine, mine_resting, theirs, their_reserve, *_ = told
    assert mine.startswith("Nationalist: 1 card in hand (N5), 0 to draw")
    assert theirs.startswith("Republican: 2 cards in hand (none known), 0 to draw")
    assert mine_resting == "  reserve: INF-1, (INF-2)"
    assert their_reserve == "  reserve: empty"


@pytest.mark.rule("10.2.6")
def test_works_stay_when_the_units_leave():
    position = table(forts={"zafra": Fort("position", R)}, units={"zafra": "R-MIL-1"})
    left = after(position, e.StackMoved(("R-MIL-1",), ("merida",)))
    assert left.units_in("zafra") == ()
    assert left.forts == {"zafra": Fort("position", R)}
