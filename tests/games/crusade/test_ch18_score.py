"""Chapter 18: optional rules that change points, morale and victory, each with and without."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Side, State, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.ground import enter_spaces, take_space
from pbem.games.crusade.rules.options_score import (
    end_without_morale,
    score_beach_head,
    score_burgos,
)
from pbem.games.crusade.rules.victory import automatic_victory, republic_qualifies
from pbem.games.crusade.stages.war_status import Reckoning
from tests.games.crusade.agreed import on, on_and_off
from tests.games.crusade.board import N, R, table


def taken(position: Position, *steps: tuple[str, Side]) -> Position:
    """The position after these changes of control."""
    story: Unfolding[Position] = Unfolding(position)
    for space, side in steps:
        take_space(story, space, side)
    return story.position


@pytest.mark.rule("18.1.1")
@on_and_off("18.1.1")
def test_burgos_is_worth_more_the_first_time(facts: dict[str, Any], agreed: bool) -> None:
    start = table(units={"burgos": ""}, **facts)
    first = taken(start, ("burgos", R))
    assert first.rm - start.rm == 1 + agreed
    lost = taken(first, ("burgos", N))
    assert lost.rm == first.rm - 1
    again = taken(lost, ("burgos", R))
    assert again.rm == first.rm


@pytest.mark.rule("18.1.1")
@pytest.mark.parametrize("space, side, first", [
    ("burgos", R, True), ("burgos", N, False), ("toledo", R, False), ("granada", R, False),
])  # fmt: skip
def test_only_the_capture_of_burgos_by_the_republic_counts(
    space: str, side: Side, first: bool
) -> None:
    story: Unfolding[Position] = Unfolding(table(**on("18.1.1")))
    score_burgos(story, space, side)
    scored = e.ScoreChanged(0, 1, "the enemy's capital taken")
    assert story.events == ([e.FlagSet("burgos_taken"), scored] if first else [])


@pytest.mark.rule("18.3.8")
@pytest.mark.parametrize("by, rm", [(N, -1), (R, 1)])
def test_an_overrun_beach_head_costs_morale_and_no_points(by: Side, rm: int) -> None:
    story: Unfolding[Position] = Unfolding(table(**on("18.3.8")))
    score_beach_head(story, by)
    assert story.events == [e.ScoreChanged(0, rm, "beach head overrun")]


@pytest.mark.rule("18.2.13")
def test_the_war_ends_once() -> None:
    story: Unfolding[Position] = Unfolding(table(16, rm=0, **on("18.2.13")))
    end_without_morale(story)
    end_without_morale(story)
    assert len(story.events) == 1


def reckoned(position: Position) -> Position:
    return kernel.begin(State(position, (Reckoning(),))).state.position


@pytest.mark.rule("18.2.13")
@on_and_off("18.2.13")
def test_without_morale_the_war_is_over_at_once(facts: dict[str, Any], agreed: bool) -> None:
    start = table(16, units={"burgos": "", "jaen": ""}, rm=1, **facts)
    fallen = taken(start, ("jaen", N))
    assert fallen.rm == 0
    assert (fallen.result is not None and fallen.result[0] == N) is agreed


@pytest.mark.rule("18.2.13")
def test_any_loss_of_morale_may_be_the_last() -> None:
    winter = table(17, rm=1, flags=frozenset({"famine"}), **on("18.2.13"))
    assert reckoned(winter).result == (N, "Republican Morale is gone")
    assert reckoned(winter.but(rm=2)).result is None


@pytest.mark.rule("18.2.15/a")
def test_the_first_way_asks_for_one_morale_more() -> None:
    """The printed limit of turn 7 is 27."""
    harder = table(7, rm=27, **on("18.2.15/1"))
    assert automatic_victory(table(7, rm=27)) is not None
    assert automatic_victory(harder) is None
    assert automatic_victory(harder.but(rm=28)) == (R, "Republican Morale stands at 28")


@pytest.mark.rule("18.2.15/b")
@on_and_off("18.2.15/2")
def test_the_second_way_asks_for_two_turns(facts: dict[str, Any], agreed: bool) -> None:
    seventh = reckoned(table(7, rm=27, **facts))
    assert (seventh.result is None) is agreed
    eighth = reckoned(seventh.but(turn=8, rm=26, result=None))
    assert eighth.result == (R, "Republican Morale stands at 26")


@pytest.mark.rule("18.2.15/b")
def test_the_two_turns_must_follow_each_other() -> None:
    seventh = reckoned(table(7, rm=27, **on("18.2.15/2")))
    below = reckoned(seventh.but(turn=8, rm=25))
    assert not republic_qualifies(below)
    assert reckoned(below.but(turn=9, rm=25)).result is None


@pytest.mark.rule("18.2.15", "18.2.15/a")
@pytest.mark.parametrize("name", ["18.2.15/1", "18.2.15/2"])
def test_the_nationalists_win_as_before(name: str) -> None:
    assert automatic_victory(table(7, rm=12, **on(name))) == (N, "Republican Morale stands at 12")


@pytest.mark.rule("18.3.8")
@on_and_off("18.3.8")
def test_a_beach_head_overrun_costs_morale(facts: dict[str, Any], agreed: bool) -> None:
    start = table(beach_heads={"beach_head_mallorca": "mallorca"}, units={"mallorca": "INF-1"},
                  republican=["beach_head_mallorca"], **facts)  # fmt: skip
    story: Unfolding[Position] = Unfolding(start)
    story.happen(e.StackMoved(("INF-1",), ("mallorca", "beach_head_mallorca")))
    enter_spaces(story, ("beach_head_mallorca",), N)
    assert story.position.beach_heads == {}
    assert story.position.rm - start.rm == -agreed


@pytest.mark.rule("18.3.8")
def test_an_embarkation_costs_no_morale() -> None:
    from pbem.games.crusade.stages.war_status import WarStatus

    beach = "beach_head_mallorca"
    start = table(2, beach_heads={beach: "mallorca"}, deadlines={beach: 2},
                  units={beach: "R-MIL-1"}, republican=[beach], **on("18.3.8"))  # fmt: skip
    step = kernel.begin(State(start, (WarStatus(),)))
    assert step.state.position.place_of("R-MIL-1") == "reserve"
    assert step.state.position.rm == start.rm
