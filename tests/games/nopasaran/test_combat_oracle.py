"""Odds, shifts, rounding and results of a thousand random combats, computed once more here: in
fractions, from the charts as the file has them.
"""

from __future__ import annotations

import random
from fractions import Fraction
from math import floor
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import State
from pbem.gamedata.load import load
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.ground import RIVER
from pbem.games.nopasaran.position import Combat
from pbem.games.nopasaran.stages.combat import Clash
from tests.games.nopasaran.table import Faces, N, R, in_command, table, tables

HALF = Fraction(1, 2)
TIMES = {"regular": Fraction(1), "prepared": Fraction(2), "improvised": HALF}
CHARTS: Any = load("nopasaran").tables["tables"]
TYPES = ("infantry", "cavalry", "engineer")
COMBATS = 1000


def rounded(number: Fraction) -> int:
    return floor(number + HALF)


def weak(position: Any, unit: str) -> bool:
    whole, lost = position.board.units[unit].troops, position.lost.get(unit, 0)
    return bool(lost) and Fraction(whole - lost) <= whole * HALF


def worth(position: Any, unit: str, factor: str, times: Fraction = Fraction(1)) -> int:
    number = getattr(position.board.units[unit], factor) * times
    for is_less in (weak(position, unit), unit in position.disorganised):
        number *= HALF if is_less else 1
    return rounded(Fraction(number))


def able(position: Any, unit: str) -> int:
    less = weak(position, unit) + (unit in position.disorganised)
    found: int = position.board.units[unit].effectiveness - less
    return found


def chart(name: str, id: str) -> Any:
    return next(each for each in CHARTS[name]["kinds"] if each["id"] == id)


def crossing(position: Any, here: str, there: str) -> int:
    """The columns for what lies between two hexes, the worst of it."""
    found = [0]
    for kind in position.ground.sides.between(here, there):
        if kind in ("road", "rail"):
            continue
        kind = "bridge" if kind == RIVER else kind
        found.append(chart("crossings", kind)["shift"] or 0)
    return min(found)


def are_opposite(position: Any, hex: str, one: str, other: str) -> bool:
    around = position.ground.around
    return other not in (one, *around[one]) and set(around[one]) & set(around[other]) == {hex}


def column_of(attack: int, defence: int) -> int:
    """The place of a ratio in the chart, by its heading."""
    headings = CHARTS["combat"]["columns"]
    if attack >= defence:
        heading = f"{min(7, rounded(Fraction(attack, defence)))}:1"
    else:
        heading = f"1:{min(4, rounded(Fraction(defence, attack)))}"
    found: int = headings.index(heading)
    return found


def effect_of(difference: int, die: int) -> int:
    for at, (least, most) in enumerate(CHARTS["effectiveness"]["columns"]):
        if (least is None or least <= difference) and (most is None or difference <= most):
            found: int = CHARTS["effectiveness"]["rows"][die - 1][at]
            return found
    raise AssertionError(difference)


def fought(dice: random.Random) -> tuple[Any, Combat]:
    """A position with a random combat in progress."""
    board = tables()
    ground = board.ground("jarama_crossing")
    mine, theirs = (
        [id for id, each in board.units.items() if each.side == side and each.type in TYPES
         and each.attack]
        for side in (N, R)
    )  # fmt: skip
    hex = dice.choice([each for each in ground.hexes if len(ground.around[each]) == 6])
    near = [each for each in ground.around[hex]
            if RIVER not in ground.sides.between(each, hex)
            or ground.bridge_at.get("-".join(sorted((each, hex))))]  # fmt: skip
    dice.shuffle(mine), dice.shuffle(theirs)
    froms = dice.sample(near, min(len(near), dice.randint(1, 3)))
    stacks = {each: tuple(mine.pop() for _ in range(dice.randint(1, 2))) for each in froms}
    defenders = tuple(theirs.pop() for _ in range(dice.randint(1, 3)))
    units = [unit for those in stacks.values() for unit in those]
    everybody = [*units, *defenders]
    position = in_command(table(
        {each: " ".join(those) for each, those in {**stacks, hex: defenders}.items()},
        lost={unit: dice.randint(1, board.units[unit].troops - 1) for unit in everybody
              if board.units[unit].troops > 1 and dice.random() < 0.4},
        base={}, disorganised=frozenset(unit for unit in everybody if dice.random() < 0.2),
        works={hex: dice.choice(("position", "fortification"))} if dice.random() < 0.4 else {},
    ))  # fmt: skip
    fight = Combat(N, hex, dice.choice(tuple(TIMES)), position.board.in_order(units), stacks,
                   defenders, primary=dice.choice(units))  # fmt: skip
    return position, fight


def expected(position: Any, fight: Combat, effect_die: int, face: int) -> dict[str, Any]:
    hex = fight.hex
    attack = sum(worth(position, unit, "attack", TIMES[fight.type]) for unit in fight.attackers)
    defence = sum(worth(position, unit, "defence") for unit in fight.defenders)
    shift = chart("terrain", position.terrain(hex).id)["shift"]
    shift += chart("works", position.works[hex])["shift"] if hex in position.works else 0
    shift += max(crossing(position, each, hex) for each in fight.came_from)
    shift += any(are_opposite(position, hex, one, other)
                 for one in fight.came_from for other in fight.came_from)  # fmt: skip
    last = len(CHARTS["combat"]["columns"]) - 1
    column = min(last, max(0, column_of(attack, defence) + shift))
    best = max(able(position, unit) for unit in fight.defenders)
    die = face + effect_of(able(position, fight.primary) - best, effect_die)
    types = {position.board.units[unit].type for unit in fight.attackers}
    die += fight.type == "prepared" and "engineer" in types
    row = min(12, max(0, die))
    return {
        "attack": attack, "defence": defence, "column": CHARTS["combat"]["columns"][column],
        "result": CHARTS["combat"]["rows"][row][column],
    }  # fmt: skip


@pytest.mark.rule("4.1", "12.6.1", "12.6.5", "12.6.7")
def test_a_thousand_random_combats_come_out_as_the_charts_say() -> None:
    dice, counted, results = random.Random("jarama"), 0, set()
    while counted < COMBATS:
        position, fight = fought(dice)
        faces = dice.randint(1, 10), dice.randint(1, 10)
        found = expected(position, fight, *faces) if _has_strength(position, fight) else None
        if found is None:
            continue
        going = position.but(combat=fight)
        going.__dict__["command"] = position.__dict__["command"]
        step = kernel.roll(State(going, (Clash(N),)), Faces(faces))
        (rolled,) = [each for each in step.events if isinstance(each, e.CombatRolled)]
        told = {"attack": rolled.attack, "defence": rolled.defence,
                "column": rolled.column.replace("-", ":"), "result": rolled.result}  # fmt: skip
        assert told == found, (fight, faces, rolled)
        counted += 1
        results.add(rolled.result)
    assert results == {each["id"] for each in CHARTS["results"]["kinds"]}


def _has_strength(position: Any, fight: Combat) -> bool:
    """Whether both sides have a factor left; an attack without one is refused."""
    return any(worth(position, unit, "attack", TIMES[fight.type]) for unit in fight.attackers) and (
        any(worth(position, unit, "defence") for unit in fight.defenders)
    )
