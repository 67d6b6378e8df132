"""The player for practice of each game: legal orders to the end, the same whenever it sees the
same, and reasons for what it does."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision
from pbem.engine.practice import NO_PRACTICE, Idea, chosen
from tests.bots import RandomDice
from tests.contract.playing import decisions, every_beginning, first_state, system

PLAYED = [each for each in every_beginning() if system(each[0]).practice is not NO_PRACTICE]
REASONS, MOST_ORDERS = 6, 60
"""So many reasons are wanted in a test of every day, of so many orders; whole games are played by
tests/bench/practice.py."""


@pytest.mark.parametrize(("slug", "scenario"), PLAYED)
def test_it_plays_a_beginning_and_says_why(slug: str, scenario: str):
    state, dice = first_state(slug, scenario).state, RandomDice(1)
    given, reasons = 0, list[str]()
    while len(reasons) < REASONS:
        assert given < MOST_ORDERS, "it gave nothing but default answers"
        wanted = kernel.waits_for(state)
        if isinstance(wanted, Decision):
            idea, given = chosen(system(slug).practice, state), given + 1
            reasons += [str(idea.why)] if idea.why else []
            state = kernel.submit(state, idea.order).state
        else:
            state = kernel.roll(state, dice).state
    assert all(why == why.strip() and not why.endswith(".") for why in reasons)


@pytest.mark.parametrize(("slug", "scenario"), PLAYED[:1])
def test_it_answers_the_same_whenever_it_sees_the_same(slug: str, scenario: str):
    practice = system(slug).practice
    for moment in decisions(slug, scenario, 1, 5):
        assert chosen(practice, moment.state) == chosen(practice, moment.state)


def test_without_ideas_it_gives_the_default_answer():
    state = decisions(*PLAYED[0], 1, 5)[0].state
    asked = kernel.waits_for(state)
    assert isinstance(asked, Decision)
    assert chosen(NO_PRACTICE, state) == Idea(asked.default, 0.0)
