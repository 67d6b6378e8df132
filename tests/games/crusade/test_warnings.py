"""What check calls unwise: each warning, and what it takes to silence it."""

from __future__ import annotations

import pytest

from pbem.engine.model import Order, State
from pbem.games.crusade.orders import Attack
from pbem.games.crusade.position import Position
from pbem.games.crusade.warnings import dangers, unwise
from tests.games.crusade.board import N, R, table


def said(position: Position, side: str = N) -> list[str]:
    return [f"{each.message} [{each.rule}]" for each in dangers(State(position, ()), side)]  # type: ignore[arg-type]


def of(order: Order, position: Position) -> list[str]:
    return [each.message for each in unwise(State(position, ()), order)]


# --- supply ---------------------------------------------------------------------------------------

CUT_OFF = {"units": {"ubeda": "INF-1 INF-2"}, "nationalist": ["ubeda"]}


def test_units_that_attrition_would_take() -> None:
    position = table(8, bare=True, **CUT_OFF)  # type: ignore[arg-type]
    (told,) = said(position)
    assert told == (
        "INF-1 and INF-2 in Úbeda are out of supply, and lost if the turn ends so [13.3.5]"
    )
    assert not any("supply" in each for each in said(position, R))


@pytest.mark.parametrize("round_, pressing", [(5, False), (6, True)])
def test_it_presses_in_the_last_round_of_the_turn(round_: int, pressing: bool) -> None:
    position = table(8, bare=True, round=round_, **CUT_OFF)  # type: ignore[arg-type]
    (danger,) = dangers(State(position, ()), N)
    assert danger.is_pressing == pressing


# --- ground left open -----------------------------------------------------------------------------


def test_a_source_that_the_enemy_next_to_it_can_take() -> None:
    position = table(bare=True, units={"riotinto": "R-MIL-14"})
    assert "Sevilla, a source, has no unit, and the enemy in Riotinto can take it [10.1.9]" in (
        said(position)
    )


def test_a_capital_too_but_no_other_space() -> None:
    position = table(bare=True, units={"riotinto": "R-MIL-14"}, nationalist=["santa_olalla"])
    names = {line.partition(",")[0] for line in said(position)}
    assert "Huelva" in names and "Santa Olalla" not in names


@pytest.mark.parametrize("units", [{"riotinto": "R-MIL-14", "sevilla": "INF-15"}, {}])
def test_a_guard_or_no_enemy_near(units: dict[str, str]) -> None:
    assert not any("Sevilla" in line for line in said(table(bare=True, units=units)))


# --- retreats -------------------------------------------------------------------------------------


def test_a_stack_with_enemies_all_around() -> None:
    near = ("huelva", "riotinto", "santa_olalla", "utrera", "ecija")
    units = {space: f"R-MIL-{number}" for number, space in enumerate(near, 1)}
    position = table(bare=True, units={**units, "sevilla": "INF-15"}, republican=near)
    assert (
        "units in Sevilla cannot retreat: enemy units are in every space next to it [11.4.4]"
    ) in said(position)


def test_a_stack_with_enemy_ground_all_around() -> None:
    near = ("huelva", "riotinto", "santa_olalla", "utrera", "ecija")
    units = {"riotinto": "R-MIL-1", "sevilla": "INF-15"}
    told = "units in Sevilla can retreat over enemy ground only: nothing next to it is yours"
    assert f"{told} [11.4.5/h]" in said(table(bare=True, units=units, republican=near))
    assert not any(told in each for each in said(table(bare=True, units=units)))
    alone = table(bare=True, units={"sevilla": "INF-15"}, republican=near)
    assert not any("retreat" in each for each in said(alone))


# --- rankings -------------------------------------------------------------------------------------


def attack(*losses: str) -> Attack:
    return Attack(space="riotinto", units={"sevilla": ("INF-15", "AFR-1")}, losses=losses)


def test_a_ranking_that_loses_a_unit_before_another_is_reduced() -> None:
    position = table(bare=True, units={"sevilla": "(INF-15) AFR-1", "riotinto": "R-MIL-14"})
    (told,) = of(attack("INF", "AFR"), position)
    assert told == (
        "losses: INF-15 has one step and is lost before AFR-1 is reduced; flip_before_kill in "
        "front changes that"
    )


@pytest.mark.parametrize("losses", [("AFR", "INF"), ("flip_before_kill", "INF"), ()])
def test_other_rankings_are_no_loss(losses: tuple[str, ...]) -> None:
    position = table(bare=True, units={"sevilla": "(INF-15) AFR-1", "riotinto": "R-MIL-14"})
    assert of(attack(*losses), position) == []


def test_whole_units_may_stand_in_any_order() -> None:
    position = table(bare=True, units={"sevilla": "INF-15 AFR-1", "riotinto": "R-MIL-14"})
    assert of(attack("INF", "AFR"), position) == []
