"""17.1 to 17.3: the ammunition shortage, the disorder of the first turns, Madrid."""

from __future__ import annotations

import pytest

from pbem.engine.model import Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.rules.ground import enter_spaces, take_space
from pbem.games.crusade.rules.redeployment import points
from pbem.games.crusade.rules.victory import madrid_penalty
from tests.games.crusade.board import STARTS, N, R, table

CAMPAIGN = STARTS["campaign"]
EXTREMADURA = ("merida", "zafra", "llerena", "santa_olalla")


def taken(position, *spaces, side=N):
    story = Unfolding(position)
    enter_spaces(story, spaces, side)
    return story.position


@pytest.mark.rule("17.1.1")
def test_the_shortage_ends_for_good_when_land_joins_the_two_zones():
    almost = taken(CAMPAIGN, *EXTREMADURA[:-1])
    assert almost.has("shortage")
    joined = taken(almost, EXTREMADURA[-1])
    assert not joined.has("shortage")
    assert not taken(joined, *EXTREMADURA, side=R).has("shortage")
    story = Unfolding(joined)
    enter_spaces(story, ("riotinto",), N)
    assert [type(event) for event in story.events] == [e.SpaceTaken]


@pytest.mark.rule("17.1.3")
def test_the_sea_does_not_end_the_shortage():
    strait = table(flags=frozenset({"shortage", "strait_nationalist"}))
    assert taken(strait, "castropol").has("shortage")


@pytest.mark.rule("17.2.1", "17.2.3")
@pytest.mark.parametrize("turn, halves", [(1, 4), (2, 4), (3, 6)])
def test_a_card_of_three_gives_two_points_in_the_first_two_turns(turn, halves):
    assert points(table(turn), "N10") == halves


@pytest.mark.rule("17.3.2", "17.3.2/a")
def test_madrid_taken_and_lost_again_still_counts():
    position = taken(taken(CAMPAIGN, "madrid"), "madrid", side=R)
    assert madrid_penalty(position) == (0, "occupied")


@pytest.mark.rule("17.3.2/c", "17.3.2/a", "13.3.6")
@pytest.mark.parametrize("space", ["guadarrama", "madrid"])
def test_a_space_that_turns_without_a_unit_is_not_occupied(space):
    story = Unfolding(CAMPAIGN)
    take_space(story, space, N)  # as attrition does
    assert madrid_penalty(story.position)[0] == -3


@pytest.mark.rule("17.3.2/c")
def test_guadarrama_counts_when_it_is_occupied():
    assert madrid_penalty(taken(CAMPAIGN, "guadarrama"))[0] == -2
    assert madrid_penalty(CAMPAIGN)[0] == -3
