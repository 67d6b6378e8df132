"""The table of options: what a game file may hold of them, and what excludes what."""

from __future__ import annotations

import pytest

from pbem.gamedata.load import load
from pbem.gamefile.canonical import canonical
from pbem.games.crusade.options import AGREEMENTS, IN_FORCE, in_force, options
from pbem.games.crusade.system import Crusade

BY_ID = {each.id: each for each in options()}


def test_every_id_may_stand_in_a_game_file() -> None:
    assert canonical(dict.fromkeys(BY_ID, True))
    assert len(BY_ID) == len(AGREEMENTS)


def test_exclusions_are_mutual() -> None:
    for each in BY_ID.values():
        for other in each.excludes:
            if each.id != "first_edition":
                assert each.id in BY_ID[other].excludes


@pytest.mark.parametrize("number", ["18.2.15", "18.4.1", "18.4.2", "18.5"])
def test_of_the_ways_of_a_rule_a_game_has_one(number: str) -> None:
    ways = [each for each in BY_ID.values() if each.rule == number]
    assert len(ways) > 1
    for way in ways:
        assert set(way.excludes) == {other.id for other in ways if other is not way}


def test_the_first_edition_excludes_what_came_later() -> None:
    later = {each.id for each in BY_ID.values() if each.rule.startswith(("18.4", "18.5"))}
    assert set(BY_ID["first_edition"].excludes) == later


@pytest.mark.parametrize("chapter, count", [("18.1.", 10), ("18.2.", 15), ("18.3.", 10)])
def test_every_rule_of_the_chapter_is_an_option(chapter: str, count: int) -> None:
    assert len({each.rule for each in BY_ID.values() if each.rule.startswith(chapter)}) == count


def test_a_game_asks_for_numbers_and_not_for_ids() -> None:
    assert in_force(("rule_18_2_9", "rule_18_2_15_1")) == {"18.2.9", "18.2.15/1"}
    assert in_force(("rule_18_4_1_republican_first",)) == {
        "18.4.1.1", "18.4.1.2", "18.4.1/republican",
    }  # fmt: skip
    state = Crusade(load("crusade").tables).setup("campaign", frozenset({"rule_18_2_9"}))
    assert state.position.option("18.2.9") and not state.position.option("18.2.10")


def test_what_is_in_force_is_a_name_of_one_option_or_of_ways_of_one() -> None:
    for names in IN_FORCE.values():
        assert names
