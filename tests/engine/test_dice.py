"""Dice are asked for by label, and a label is ordinal, never textual."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.dice import Draw, Ordinals
from tests.bots import ScriptedDice

COMBAT = ("combat/#/att/die/1", "combat/#/def/die/1")


def test_draws_of_one_chance_share_an_ordinal() -> None:
    ordinals = Ordinals()
    assert list(ordinals.fill(COMBAT).values()) == ["combat/1/att/die/1", "combat/1/def/die/1"]
    assert list(ordinals.fill(COMBAT).values()) == ["combat/2/att/die/1", "combat/2/def/die/1"]


def test_each_text_in_front_is_counted_by_itself() -> None:
    ordinals = Ordinals()
    ordinals.fill(COMBAT)
    filled = ordinals.fill(("build/#/die/1", "combat/#/x", "war/die"))
    assert filled == {
        "build/#/die/1": "build/1/die/1", "combat/#/x": "combat/2/x", "war/die": "war/die"
    }  # fmt: skip


def test_a_label_without_a_number_is_counted_nowhere() -> None:
    ordinals = Ordinals()
    assert ordinals.fill(("war",)) == {"war": "war"}
    assert ordinals.fill(("war#",)) == {"war#": "war1"}


@given(st.lists(st.lists(st.sampled_from(("a/#/x", "a/#/y", "b/#", "c/#/#")), unique=True)))
def test_no_label_is_ever_given_twice(calls: list[list[str]]) -> None:
    ordinals = Ordinals()
    given_out = [full for labels in calls for full in ordinals.fill(labels).values()]
    assert len(set(given_out)) == len(given_out)


def test_scripted_dice_give_what_they_were_told() -> None:
    dice = ScriptedDice(4, (2, 0))
    rolled = dice.roll([Draw("die", "a die"), Draw("cards", "a hand", of=3, take=2)])
    assert rolled["die"].face == 4 and rolled["cards"].picked == (2, 0)
    assert dice.left == 0


def test_scripted_dice_do_not_invent() -> None:
    with pytest.raises(AssertionError, match="no scripted outcome is left for b"):
        ScriptedDice(4).roll([Draw("a", ""), Draw("b", "")])


@pytest.mark.parametrize(
    "outcome, draw",
    [(7, Draw("a", "")), (0, Draw("a", "")), (1, Draw("a", "", of=3, take=1)),
     ((1, 2), Draw("a", "", of=3, take=1)), ((1,), Draw("a", ""))],
)  # fmt: skip
def test_a_scripted_outcome_must_fit_its_draw(outcome: object, draw: Draw) -> None:
    with pytest.raises(AssertionError):
        ScriptedDice(outcome).roll([draw])  # type: ignore[arg-type]
