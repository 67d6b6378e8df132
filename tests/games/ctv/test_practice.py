"""The player for practice: whole attacks, the rest of a phase behind the first, and short games."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.engine.kernel import violations
from pbem.engine.model import State
from pbem.engine.practice import chosen
from pbem.games.ctv import orders as o
from pbem.games.ctv import practice
from pbem.games.ctv.position import Combat
from pbem.games.ctv.stages.combat import Fighting
from tests.games.ctv.sanity import play
from tests.games.ctv.table import Game, N, table
from tests.games.ctv.test_setup_sample import played


@pytest.fixture(scope="module")
def fighting() -> State:
    """The first combat of the Nationalists, from the sample set-up, with nobody moved."""
    game: Game = played()
    game.order(o.Done())
    assert isinstance(game.state.agenda[-1], Fighting)
    return game.state


def spent(order: o.Attack) -> list[str]:
    """The units that attack or bombard in an attack, and the hexes of its columns."""
    units = [unit for those in order.units.values() for unit in those]
    if isinstance(order.support, str):
        return units
    columns = [] if isinstance(order.support.columns, str) else [*order.support.columns]
    return [*units, *order.support.air, *order.support.hq, *columns]


def test_an_attack_says_what_bombards_and_who_follows(fighting: State) -> None:
    """Nobody is asked behind the dice but for losses."""
    attack = chosen(practice, fighting).order
    assert isinstance(attack, o.Attack) and attack.support and attack.breakthrough
    assert isinstance(attack.advance, o.Following) and attack.advance.to == attack.hex
    step = kernel.submit(fighting, attack)
    asked = kernel.waits_for(step.state)
    assert getattr(asked, "side", None) != N


def test_a_phase_is_one_orders_file(fighting: State) -> None:
    """Behind an attack go all others, each unit and each gun in one of them, and the end."""
    first = chosen(practice, fighting).order
    behind = list(practice.along(fighting, first))
    assert isinstance(behind[-1].order, o.Done)
    attacks = [first, *(idea.order for idea in behind[:-1])]
    assert len(attacks) > 3
    assert len({each.hex for each in attacks}) == len(attacks)
    used = [each for attack in attacks for each in spent(attack)]
    assert len(used) == len(set(used))
    assert not any(violations(fighting, attack) for attack in attacks)
    assert not list(practice.along(fighting, o.Done()))


@pytest.mark.parametrize(
    ("others", "beside", "left"),
    [
        ("2104 2005", "N-CI-1", ""),  # 12 are enough, and 15 stand in 2007
        ("2104 2005", "N-CI-1 N-NIV-1", "N-NIV-1"),  # the weakest first, if 10 stand in 2007
        ("2104", "N-CI-1", "N-CI-1"),  # without it the attack is not concentric
        ("1905 1906", "N-CI-1", "N-CI-1"),  # it has no other enemy beside it
    ],
)
def test_who_is_not_needed_in_an_attack_is_left_for_another(
    others: str, beside: str, left: str
) -> None:
    front = ("N-NI-1", "N-NI-2", "N-NI-3")[: 3 if beside == "N-CI-1" else 2]
    units = {"2007": front, "2105": tuple(beside.split())}
    enemies = dict(zip(others.split(), ("R-175", "R-178"), strict=False))
    own = {hex: " ".join(there) for hex, there in units.items()}
    ground = practice.Ground(table({**enemies, "2006": "R-R1", **own}), N)
    assert " ".join(practice.needed(ground, "2006", units).get("2105", ())) == left


@pytest.mark.parametrize(("sure", "bombards"), [(practice.SURE, True), (0.0, False)])
def test_guns_are_kept_where_a_breakthrough_is_likely_enough(
    fighting: State, sure: float, bombards: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "SURE", sure)
    attack = chosen(practice, fighting).order
    assert isinstance(attack, o.Attack)
    assert (attack.support != o.NONE) == bombards


def test_as_many_advance_as_a_hex_holds(fighting: State) -> None:
    position = fighting.position
    units = ("N-NI-1", "N-NI-2", "N-NI-3", "N-3PZ1", "N-4T26")
    for hex, number in (("2305", 3), ("2205", 2)):  # clear: 6 points; hill: 4
        going = practice.going_in(position, hex, units)
        assert sum(position.printed(unit).points > 0 for unit in going) == number
        assert sum(position.printed(unit).points == 0 for unit in going) == 1, "one armoured unit"


def test_who_breaks_through_goes_on_towards_the_aims(fighting: State) -> None:
    """Up to three hexes, onto no enemy, and not all onto one hex."""
    position = fighting.position.with_units(fighting.position.units_at("2305"), "1401")
    position = position.but(battle=Combat("2305", ("N-NI-1", "N-NI-2", "N-NI-3")))
    ground = practice.Ground(position, N)
    ways = practice.through(ground, "2305", ("N-NI-1", "N-NI-2", "N-NI-3"))
    assert set(ways) == {"N-NI-1", "N-NI-2", "N-NI-3"}
    for way in ways.values():
        assert way[0] == "2305" and len(way) <= 3
        assert all(position.holder(hex) is None for hex in way)
        assert ground.worth(way[-1]) >= ground.worth("2305")


def test_a_game_of_two_ends() -> None:
    state, taken, orders = play(2)
    result = kernel.waits_for(state)
    assert result is None and taken and 100 < orders < 700
