"""The sample set-up of both sides, from its order files: legal, and everybody in supply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.engine import kernel
from pbem.engine.model import Order, Side
from pbem.games.ctv import events as e
from pbem.games.ctv.orders import SetUp
from pbem.games.ctv.position import ASIDE, AVAILABLE, FAIR, OUT
from pbem.games.ctv.rules import stacking
from pbem.games.ctv.tables import AIR
from pbem.orders.bind import bind
from pbem.orders.parse import parse
from pbem.text.source import Source
from tests.games.ctv.table import Game, N, R, system

HOME = Path(__file__).parents[3] / "examples" / "santander"
DICE = (2, 4, 5)
"""Of the divisions 50, 55 and 57: the last of them is the reserve."""
ARMOUR = 6


def orders_of(side: Side, game: Game) -> Iterator[Order]:
    """The orders of a side, read as `pbem check` reads them; bound to the position of the time."""
    path = HOME / f"{side}.yaml"
    file = parse(Source.decode(path.name, path.read_bytes()), system().verbs)
    for index in range(len(file.orders)):
        yield bind(file, index, system().names(game.state, side, SetUp, answering=True))


def begun_by(options: str = "") -> tuple[Game, Iterator[Order], Iterator[Order]]:
    game = Game(system().setup("santander", frozenset({"open_units", *options.split()})))
    game._take(kernel.begin(game.state))
    return game, orders_of(N, game), orders_of(R, game)


def played(options: str = "") -> Game:
    """Set up by both sides, with the dice of the sample."""
    game, nationalist, republican = begun_by(options)
    game.order(next(republican)).roll(*DICE)
    for _ in range(2):
        game.order(next(republican))
    return game.roll(ARMOUR).order(next(nationalist)).order(next(republican))


@pytest.fixture(scope="module")
def sample() -> Game:
    return played()


@pytest.mark.rule("4.1", "4.3.1")
def test_the_front_line_then_the_nationalists_then_the_reserve():
    game, nationalist, republican = begun_by()
    asked = [(game.asks.side, str(game.asks.rule))]
    game.order(next(republican)).roll(*DICE)
    assert {each.division: each.is_front for each in game.all(e.FrontRolled)} == {
        "50": True, "55": True, "57": False,
    }  # fmt: skip
    for _ in range(2):
        asked.append((game.asks.side, game.asks.rule))
        game.order(next(republican))
    game.roll(ARMOUR)
    asked.append((game.asks.side, game.asks.rule))
    game.order(next(nationalist))
    asked.append((game.asks.side, game.asks.rule))
    game.order(next(republican))
    assert asked == [(R, "4.2"), (R, "4.2"), (R, "4.2"), (N, "4.3"), (R, "4.3.1")]


@pytest.mark.rule("4.3.2")
def test_everybody_has_a_place_and_the_markers_theirs(sample):
    position = sample.position
    assert position.turn == 1 and position.weather == FAIR and position.marker == 0
    air = [unit for unit, each in position.board.units.items() if each.type == AIR]
    assert {position.places[unit] for unit in air} == {AVAILABLE}
    assert len(position.on_map(N)) + len(position.on_map(R)) == 95
    columns = [position.places[unit] for unit in (*position.board.columns[N][:5], "R-SC-1")]
    assert columns == ["2111", "2110", "2405", "2204", ASIDE, "1909"]
    aside = {unit for unit, place in position.places.items() if place in (ASIDE, OUT)}
    assert aside == {"R-R1", "R-R2", "R-R3", "R-R4", "R-R5", *(f"N-SC-{at}" for at in range(5, 9))}
    assert position.trenches == {"1518", "1909", "2006", "2305"}


def test_everybody_stands_on_its_ground_within_the_limits(sample):
    position = sample.position
    for hex, units in position.stacks.items():
        (side,) = {position.side_of(unit) for unit in units}
        assert position.board.held[hex] == side == position.control[hex]
        assert not stacking.is_overstacked(position, hex, side)


def test_everybody_is_in_supply(sample):
    position = sample.position
    for side in (N, R):
        fed = position.judged[side]
        assert [unit for unit in position.on_map(side)
                if not fed & position.board.masks.bit[position.at(unit)]] == []  # fmt: skip


@pytest.mark.rule("15.2")
def test_it_is_the_historical_one_too():
    assert played("historical_set_up").position.turn == 1


def test_basques_in_front_hexes_are_another_set_up():
    """Under that reading two brigades behind the front line of the sample need other hexes."""
    game, _, republican = begun_by("basques_in_front")
    told = game.why(next(republican))
    assert [each.partition(" ")[0] for each in told] == ["CLXIII", "CLXV"]
    assert all("must stand in a front hex" in each for each in told)


@pytest.mark.rule("4.1", "4.2")
@pytest.mark.parametrize(("unit", "hex", "rules"), [
    ("R-174", "2110", ["4.1"]), ("R-174", "1905", ["4.2"]), ("R-174", "2305", []),
    ("R-HQ-54", "2005", []), ("R-HQ-54", "1905", ["4.2"]), ("R-159", "1513", ["4.2"] * 3),
    ("R-HQ-51", "1410", ["4.2"]), ("R-160", "1410", ["4.2"]), ("R-161", "1410", []),
    ("R-RFT", "2006", ["5"]), ("R-177", "1401", []),
])  # fmt: skip
def test_what_the_front_line_of_the_sample_bears(unit, hex, rules):
    game, _, republican = begun_by()
    order = next(republican)
    assert isinstance(order, SetUp) and game.broken(order) == []
    assert game.broken(replace(order, units={**order.units, unit: hex})) == rules


@pytest.mark.rule("4.2")
@pytest.mark.parametrize(("trenches", "columns", "rules"), [
    (("1518",) * 2, ("1909",), ["4.2"]), (("1402",), ("1909",), ["4.2"]),
    (("1518", "1909", "2006", "2305", "2010"), ("1909",), ["4.2"]), ((), ("1909",), []),
    ((), ("1809",), []), ((), ("1301",), ["4.2"]), ((), (), ["4.2"]),
    ((), ("1909", "2005"), ["4.2"]),
])  # fmt: skip
def test_trenches_and_the_column_of_the_republicans(trenches, columns, rules):
    game, _, republican = begun_by()
    order = replace(next(republican), trenches=trenches, columns=columns)
    assert game.broken(order) == rules


@pytest.mark.rule("4.3")
@pytest.mark.parametrize(("changes", "rules"), [
    ({}, []), ({"N-CEL": "2215"}, []), ({"N-CEL": "2209"}, ["4.1"]),
    ({"N-CI-1": "2515"}, ["4.3"]), ({"N-4T26": "2405"}, ["5"]), ({"N-HQ-CTV": "2110"}, ["5"]),
])  # fmt: skip
def test_what_the_nationalists_of_the_sample_may_do(changes, rules):
    game, nationalist, republican = begun_by()
    game.order(next(republican)).roll(*DICE).order(next(republican)).order(next(republican))
    game.roll(ARMOUR)
    order = next(nationalist)
    assert isinstance(order, SetUp)
    assert game.broken(replace(order, units={**order.units, **changes})) == rules


@pytest.mark.rule("4.3")
def test_armour_that_the_die_does_not_give_is_not_set_up():
    game, nationalist, republican = begun_by()
    game.order(next(republican)).roll(*DICE).order(next(republican)).order(next(republican))
    game.roll(2)
    order = next(nationalist)
    assert isinstance(order, SetUp) and game.broken(order) == ["4.3", "4.3"]
    assert all("the die for armour did not bring" in each for each in game.why(order))
    assert "is not set up now" in game.why(SetUp({"N-LK-1": "2110"}))[0]
    kept = {unit: hex for unit, hex in order.units.items() if unit not in ("N-4T26", "N-L335")}
    game.order(replace(order, units=kept))
    assert game.where("N-3PZ1", "N-4T26", "N-L335") == ["2405", OUT, OUT]


@pytest.mark.rule("4.3.1")
def test_the_reserve_stands_where_it_likes_or_nowhere():
    """Basques too: rule 4.3.1 knows no limit of theirs."""
    game, nationalist, republican = begun_by()
    game.order(next(republican)).roll(5, 6, 5).roll(ARMOUR).order(next(nationalist))
    assert game.asks.rule == "4.3.1"
    assert game.broken(SetUp({"R-154": "1401", "R-155": "2010", "R-183": "1419"})) == []
    assert game.broken(SetUp({"R-154": "2110"})) == ["4.1"]
    game.order(SetUp({"R-154": "1401"}))
    assert game.where("R-154", "R-155", "R-HQ-57") == ["1401", OUT, OUT]
    assert game.position.brigades_lost == 0
