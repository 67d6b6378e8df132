"""5.2: covered counters hide who is there, and change nothing else: the same orders and dice have
the same outcome as with open ones.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Chance, Decision, State
from pbem.games.ctv.events import CounterShown, HexInDoubt
from pbem.games.ctv.orders import Uncover
from pbem.games.ctv.position import ASIDE, OUT, Position
from pbem.games.ctv.stages.combat import Fighting
from pbem.games.ctv.stages.cover import BeforeSurrender
from pbem.games.ctv.stages.movement import Segment
from pbem.games.ctv.stages.turn import Surrender
from pbem.games.ctv.tables import AIR, ARMOUR, COLUMN, HEADQUARTERS
from tests.bots import ScriptedDice, legal_samples
from tests.games.ctv.table import Game, N, R, begun, covered, system, table, tag_of

AREA = ("1809", 3)
"""The hexes in which all stand, close together: so many are cut off and retreat onto others."""
STAGES = (
    Segment(N, "combat"), Fighting(N), BeforeSurrender(), Surrender(), Segment(R, "combat"),
    Fighting(R),
)  # fmt: skip


def scattered(rng: random.Random) -> dict[str, list[str]]:
    """Units of both sides by hexes, none of them ruined."""
    board = system().setup("santander", frozenset()).position.board
    at: dict[str, list[str]] = {}
    units = [u for u, each in board.units.items() if each.type != AIR and each.comes != "surrender"]
    for unit in rng.sample(units, rng.randint(40, 70)):
        printed = board.units[unit]
        hex = rng.choice(list(board.within(*AREA)))
        there = [board.units[each] for each in at.get(hex, ())]
        room = 2 * board.terrain_of(hex).stacking - sum(each.points for each in there)
        alone = (HEADQUARTERS, ARMOUR, COLUMN)
        if room > printed.points and not any(
            each.side != printed.side or (each.type == printed.type and each.type in alone)
            for each in there
        ):
            at.setdefault(hex, []).append(unit)
    return at


def both_ways(rng: random.Random) -> tuple[Game, Game]:
    """The same position with covered counters and with open ones, one ground unit on top."""
    at = scattered(rng)
    board = system().setup("santander", frozenset()).position.board
    known, under = {}, {}
    for hex, units in at.items():
        top = next((unit for unit in units if board.units[unit].is_ground), units[0])
        known[hex] = top
        if below := [unit for unit in units if unit != top]:
            under[hex] = " ".join(below)
    troops = [unit for unit in known.values() if board.units[unit].takes_losses]
    more: dict[str, Any] = {
        "turn": 3, "marker": rng.randint(0, 5),
        "levels": {unit: rng.choice((1, 2, 3)) for unit in troops if rng.random() < 0.7},
        "trenches": frozenset(h for h in at if board.units[at[h][0]].side == R),
    }  # fmt: skip
    joined = {hex: " ".join(units) for hex, units in at.items()}
    open_one = table(joined, unsupplied=frozenset(), **more)
    closed = covered(known, under, control=open_one.control, **more)
    for unit in sorted(closed.down.hidden):
        if not any(unit in units for units in at.values()):
            tag, place = tag_of(closed, unit), OUT
            place = ASIDE if closed.printed(unit).type == COLUMN else OUT
            closed = CounterShown(closed.side_of(tag), tag, unit).apply(closed)
            closed = closed.with_units((unit,), place)
    return begun(closed, *STAGES), begun(open_one, *STAGES)


def shown(game: Game) -> Game:
    """The game once all that is asked is answered that only covered counters bring."""
    while (asked := game.asks) is not None and (
        asked.only_shows or isinstance(asked.default, Uncover)
    ):
        if asked.only_shows:
            slot = system().hidden.must_show(game.state)[0]
            event = CounterShown(asked.side, slot, game.position.face(slot))
            game._take(kernel.learn(game.state, (event,)))
        else:
            tags = game.position.covered_on_map(R)
            game.order(Uncover(tuple(map(game.position.face, tags))))
    return game


def told(position: Position) -> dict[str, Any]:
    """What there is of a position, with all counters open."""
    names = {unit: position.face(unit) or unit for unit in position.places}
    on_map = {
        names[unit]: at for unit, at in position.places.items() if at in position.board.ground
    }
    return {
        "on the map": on_map, "control": position.control, "trenches": position.trenches,
        "marker": position.marker, "used": position.used, "back": position.back,
        "lost": {unit: steps for unit, steps in position.lost.items() if unit in on_map},
        "levels": {unit: level for unit, level in position.levels.items() if level},
        "brigades": position.brigades_lost, "surrendered": position.surrendered,
    }  # fmt: skip


def asks(state: State[Position]) -> Any:
    """Who is asked what, or which dice are wanted."""
    waits = kernel.waits_for(state)
    if waits is None or isinstance(waits, Decision):
        return waits and (waits.side, waits.stage)
    return sorted(draw.label for draw in waits.draws)


def steps(rng: random.Random) -> Iterator[tuple[Game, Game]]:
    """Both games, step by step, by the same orders and dice."""
    closed, opened = both_ways(rng)
    while True:
        shown(closed)
        while asks(closed.state) != asks(opened.state) and closed.asks is not None:
            if closed.asks.stage not in ("support", "columns", "combat"):
                break
            closed.default()  # a counter might have done this, as far as both know
            shown(closed)
        yield closed, opened
        waits = kernel.waits_for(opened.state)
        if waits is None:
            return
        if isinstance(waits, Decision):
            samples = legal_samples(opened.state, rng, 12)
            order = next((each for each in samples if each != waits.default), waits.default)
            closed.order(order)
            opened.order(order)
        else:
            faces = {draw.label: rng.randint(1, 6) for draw in waits.draws}
            for game in (closed, opened):
                asked = kernel.waits_for(game.state)
                assert isinstance(asked, Chance)
                dice = ScriptedDice(*(faces[draw.label] for draw in asked.draws))
                game._take(kernel.roll(game.state, dice))


@pytest.mark.rule("5.2")
@pytest.mark.parametrize("seed", [0, 44, 50, 73])
def test_the_same_orders_and_dice_end_alike_with_covered_and_with_open_counters(seed: int) -> None:
    doubts = 0
    for closed, opened in steps(random.Random(seed)):
        assert not closed.position.in_doubt
        assert asks(closed.state) == asks(opened.state)
        assert told(closed.position) == told(opened.position)
        doubts += sum(isinstance(each, HexInDoubt) for each in closed.events)
    assert doubts, "nothing had to be settled: another seed is wanted"
