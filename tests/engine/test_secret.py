"""Secret decisions: answered under seal they leave the agenda, and ask once more to be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from pbem.engine import kernel
from pbem.engine.choices import OneOf
from pbem.engine.dice import Draw, Roll
from pbem.engine.model import (
    Chance,
    ChanceStage,
    Decision,
    Event,
    Option,
    Order,
    Outcome,
    PlayerStage,
    Side,
    State,
    Violation,
)
from pbem.engine.pieces import NO_PIECES
from pbem.engine.secret import Tell
from pbem.gamefile.in_play import Asked, DiceWanted
from pbem.play.table import Illegal, Table
from tests.bots import ScriptedDice

RED, BLUE, GREEN = Side("red"), Side("blue"), Side("green")


@dataclass(frozen=True)
class Plan(Order):
    verb: ClassVar[str] = "plan"
    secret: ClassVar[bool] = True
    to: str


@dataclass(frozen=True)
class Chosen(Event[Any]):
    side: Side
    to: str

    def apply(self, position: tuple[str, ...]) -> tuple[str, ...]:
        return (*position, f"{self.side} {self.to}")


@dataclass(frozen=True)
class Fell(Event[Any]):
    def apply(self, position: tuple[str, ...]) -> tuple[str, ...]:
        return (*position, "a die")


@dataclass(frozen=True)
class Die(ChanceStage[Any]):
    def chance(self, position: Any) -> Chance:
        return Chance("a die", "2", (Draw("die/#", "a die"),))

    def resolve(self, position: Any, rolled: Mapping[str, Roll]) -> Outcome:
        return Outcome((Fell(),))


@dataclass(frozen=True)
class Planning(PlayerStage[Any]):
    side: Side
    leads_to: tuple[Any, ...] = ()

    def ask(self, position: Any) -> Decision:
        options = (Option(Plan, {"to": OneOf(("hill", "ford"))}),)
        return Decision(self.side, "a plan", "plan", "1", options, Plan("hill"), policy="plan",
                        secret=True)  # fmt: skip

    def check(self, position: Any, order: Plan) -> Any:  # type: ignore[override]
        if order.to not in ("hill", "ford"):
            yield Violation("a hill or a ford", ("to",))

    def resolve(self, position: Any, order: Plan) -> Outcome:  # type: ignore[override]
        return Outcome((Chosen(self.side, order.to),), then=self.leads_to)


def start(*stages: Any) -> State[Any]:
    return State((), (Die(), *reversed(stages)))


def asked(state: State[Any]) -> Decision:
    decision = kernel.waits_for(state)
    assert isinstance(decision, Decision)
    return decision


def test_the_last_who_has_chosen_tells_first_and_then_play_goes_on() -> None:
    state = start(Planning(RED), Planning(BLUE), Planning(GREEN))
    for side in (RED, BLUE, GREEN):
        assert (asked(state).side, asked(state).secret, asked(state).tells) == (side, True, 0)
        step = kernel.seal(state, 3)
        assert step.events == () and step.state.position == ()
        state = step.state
    for number, side in ((3, GREEN), (2, BLUE), (1, RED)):
        decision = asked(state)
        assert (decision.side, decision.secret, decision.tells) == (side, False, number)
        assert kernel.violations(state, Plan("sea")) == (Violation("a hill or a ford", ("to",)),)
        state = kernel.submit(state, Plan("ford")).state
    assert state.position == ("green ford", "blue ford", "red ford")
    assert isinstance(kernel.waits_for(state), Chance) and state.seq == 6


def test_in_open_play_it_is_answered_like_any_other() -> None:
    state = start(Planning(RED), Planning(BLUE))
    for to in ("hill", "ford"):
        state = kernel.submit(state, Plan(to)).state
    assert state.position == ("red hill", "blue ford")


def test_nothing_that_follows_from_a_choice_comes_before_the_other_is_told() -> None:
    state = start(Planning(RED, (Die(),)), Planning(BLUE, (Die(),)))
    state = kernel.seal(kernel.seal(state, 3).state, 4).state
    state = kernel.submit(state, Plan("ford")).state
    assert asked(state).tells == 1
    state = kernel.submit(state, Plan("hill")).state
    rolled = 0
    while isinstance(kernel.waits_for(state), Chance):
        state, rolled = kernel.roll(state, ScriptedDice(3)).state, rolled + 1
    assert rolled == 3 and state.position[:2] == ("blue ford", "red hill")


def test_what_follows_from_a_choice_comes_before_what_lay_below_it() -> None:
    state = start(Planning(RED), Planning(BLUE, (Planning(GREEN),)))
    state = kernel.seal(kernel.seal(state, 3).state, 4).state
    state = kernel.submit(kernel.submit(state, Plan("ford")).state, Plan("hill")).state
    assert state.position == ("blue ford", "red hill")
    assert asked(state).side == GREEN  # and no die is rolled yet


def test_a_stage_of_another_kind_between_them_parts_them() -> None:
    state = kernel.seal(start(Planning(RED), Die(), Planning(BLUE)), 3).state
    assert asked(state).tells == 1  # nobody else chooses with red
    assert state.agenda == (Die(), Planning(BLUE), Die(), Tell(Planning(RED), 1))


@dataclass(frozen=True)
class Silent(Planning):
    """Asks nothing."""

    def ask(self, position: Any) -> None:  # type: ignore[override]
        return None


def test_a_stage_between_them_that_asks_nothing_does_not_part_them() -> None:
    """Else whoever writes last would read first what the other has chosen."""
    state = kernel.seal(start(Planning(RED), Silent(RED), Planning(BLUE), Silent(BLUE)), 3).state
    assert (asked(state).side, asked(state).secret) == (BLUE, True)
    assert state.agenda == (Die(), Silent(BLUE), Tell(Planning(RED), 1), Planning(BLUE))
    state = kernel.seal(state, 4).state
    assert (asked(state).side, asked(state).tells) == (BLUE, 2)


def test_only_what_is_secret_is_sealed() -> None:
    state = kernel.seal(start(Planning(RED)), 3).state
    with pytest.raises(AssertionError, match="no secret is asked for now"):
        kernel.seal(state, 3)


SYSTEM: Any = SimpleNamespace(verbs={"plan": Plan}, policies=None, pieces=NO_PIECES)
PASS: Any = {"plan": {"to": "ford"}}


def test_a_table_asks_seals_and_tells() -> None:
    table = Table(SYSTEM, {"A": RED, "B": BLUE}, start(Planning(RED), Planning(BLUE)))
    assert table.waits() == Asked("A", "a plan", "orders", secret=True)
    assert table.read(PASS).hides
    assert not table.covers("A", "plan", None, None)  # no policy is asked: there is none to ask
    table = table.seal(3).seal(4)
    assert table.waits() == Asked("B", "a plan", "orders", tells=2)
    assert not table.covers("B", "plan", None, None)
    assert table.default().plain == {"plan": {"to": "hill"}}
    with pytest.raises(Illegal, match="a hill or a ford"):
        table.submit(table.read({"plan": {"to": "sea"}}))
    table = table.submit(table.read(PASS)).submit(table.default())
    assert table.waits() == DiceWanted("a die")
    assert table.state.position == ("blue ford", "red hill")
