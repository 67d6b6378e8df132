"""The three ways to move a game on, and what they promise."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from pbem.engine.kernel import (
    OrderRejected,
    _led_to,
    begin,
    learn,
    roll,
    submit,
    violations,
    waits_for,
)
from pbem.engine.model import Chance, Decision, Outcome, State, Unfolding
from pbem.value import replace
from tests.bots import ScriptedDice, legal_samples
from tests.engine.toy import (
    BLUE,
    RED,
    Climb,
    Climbed,
    Jump,
    Ladder,
    Lift,
    Rest,
    Step,
    TopReached,
    Treadmill,
    Turn,
    TurnBegan,
    start,
)


def test_a_game_begins_by_running_what_runs_by_itself() -> None:
    begun = begin(start())
    assert begun.events == (TurnBegan(),)
    assert begun.state.agenda == (Turn(), Climb(BLUE), Climb(RED, left=2))


def test_the_stages_of_then_happen_in_the_order_they_are_written() -> None:
    state = begin(start()).state
    sides = []
    for _ in range(4):
        decision = waits_for(state)
        assert isinstance(decision, Decision)
        sides.append(decision.side)
        state = submit(state, Step(1)).state
    assert sides == [RED, RED, BLUE, RED]


def test_a_verb_that_may_be_said_in_two_ways_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    state = begin(start()).state
    decision = waits_for(state)
    assert isinstance(decision, Decision)
    twice = replace(decision, options=(*decision.options, *decision.options))
    monkeypatch.setattr("pbem.engine.kernel.waits_for", lambda state: twice)
    (found,) = violations(state, Jump())
    assert str(found.hint) == "orders you can give now: step or rest"


def test_an_order_that_is_not_asked_for_is_told_what_is() -> None:
    (found,) = violations(begin(start()).state, Jump())
    assert (str(found.message), found.rule, str(found.hint)) == (
        "'jump' cannot be given now: the game asks you to step or rest",
        "1.1",
        "orders you can give now: step or rest",
    )


def test_a_rejected_order_carries_every_violation_of_its_row() -> None:
    with pytest.raises(OrderRejected) as rejected:
        submit(begin(start(red=8)).state, Step(5))
    found = rejected.value.violations
    assert [(each.rule, each.at) for each in found] == [("2.2", ("by",)), ("2.3.1", ("by",))]
    assert str(rejected.value) == "a step is three rungs at most; the ladder ends"


def test_submit_leaves_the_state_it_was_given_as_it_was() -> None:
    state = begin(start()).state
    before = copy.deepcopy(state)
    submit(state, Step(3))
    assert state == before


def test_an_advance_tells_the_position_after_each_event() -> None:
    done = submit(begin(start(red=9)).state, Step(1))
    assert done.events == (Climbed(RED, 1), TopReached(RED))
    assert [position.rungs[RED] for position in done.positions] == [10, 10]
    assert done.state.seq == 1


def test_an_event_that_ends_the_game_clears_the_agenda() -> None:
    done = submit(begin(start(red=9)).state, Step(1))
    assert waits_for(done.state) is None
    assert done.state.agenda == ()


def test_only_a_roll_moves_a_game_that_waits_for_chance() -> None:
    state = submit(begin(start()).state, Rest()).state
    chance = waits_for(state)
    assert isinstance(chance, Chance)
    assert [str(each.message) for each in violations(state, Rest())] == [
        "no order can be given now"
    ]
    rolled = roll(state, ScriptedDice(6))
    assert rolled.events == (Climbed(RED, 1),)
    assert [each.face for each in rolled.rolls] == [6]
    assert isinstance(waits_for(rolled.state), Chance), "two lifts were asked for"


def test_nothing_is_rolled_where_a_player_is_asked() -> None:
    with pytest.raises(AssertionError, match="no roll is asked for"):
        roll(begin(start()).state, ScriptedDice(1))


def test_a_question_without_a_choice_is_not_put() -> None:
    begun = begin(start(Climb(RED), Climb(BLUE), red=10))
    decision = waits_for(begun.state)
    assert isinstance(decision, Decision) and decision.side == BLUE


def test_a_stage_that_never_settles_is_our_bug_and_is_named() -> None:
    with pytest.raises(AssertionError, match="Treadmill"):
        begin(start(Treadmill()))


def test_legal_samples_are_legal_and_end_with_the_default() -> None:
    state = begin(start(red=8)).state
    samples = list(legal_samples(state, random.Random(3), tries=200))
    assert samples[-1] == Rest()
    assert set(samples) == {Rest(), Step(1), Step(2)}
    assert all(not violations(state, order) for order in samples)


def playout(seed: int) -> tuple[list[Any], State[Any]]:
    rng = random.Random(seed)
    begun = begin(start())
    state, told = begun.state, [*begun.events]
    while (wanted := waits_for(state)) is not None:
        if isinstance(wanted, Decision):
            step = submit(state, next(legal_samples(state, rng)))
        else:
            step = roll(state, ScriptedDice(rng.randint(1, 6)))
        told += step.events
        state = step.state
    return told, state


def test_the_same_orders_and_dice_tell_the_same_story() -> None:
    assert playout(11) == playout(11)
    assert playout(11)[0] != playout(12)[0]


def test_the_events_alone_lead_to_the_position() -> None:
    told, state = playout(5)
    position = start().position
    for event in told:
        position = event.apply(position)
    assert position == state.position


def test_a_chance_stage_names_what_it_rolls_for() -> None:
    chance = Lift(BLUE).chance(start().position)
    assert [draw.purpose for draw in chance.draws] == ["blue is lifted"]


def test_who_learns_nothing_new_changes_nothing() -> None:
    state = begin(start()).state
    step = learn(state, ())
    assert step.state == state and step.events == step.positions == ()


def test_nothing_happens_behind_the_end_of_a_game() -> None:
    """Not in the same breath, and not in a later one."""
    story: Unfolding[Ladder] = Unfolding(Ladder())
    story.happen(TurnBegan(), TopReached(RED), TurnBegan())
    story.happen(TurnBegan())
    assert story.events == [TurnBegan(), TopReached(RED)] == list(story.outcome().events)
    assert story.position is story.positions[-1] and len(story.positions) == 2


def test_an_event_that_a_stage_has_applied_is_not_applied_again() -> None:
    story: Unfolding[Ladder] = Unfolding(Ladder())
    story.happen(Climbed(RED, 2), TurnBegan())
    outcome = story.outcome()
    led_to = _led_to(story.start, outcome)
    assert led_to[-1] is story.position
    for other, position in (
        (outcome, Ladder()),  # it may be equal, and know other things of itself
        (replace(outcome, events=(TurnBegan(), TurnBegan())), story.start),
        (Outcome((Climbed(RED, 2), TurnBegan())), story.start),
    ):
        anew = _led_to(position, other)
        assert anew[-1] is not story.position and len(anew) == 2
    assert _led_to(story.start, Outcome(outcome.events)) == list(led_to)
