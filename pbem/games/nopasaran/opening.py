"""How a battle begins: both sides stand as the scenario lists them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import COMING, ELSEWHERE, Position
from pbem.games.nopasaran.tables import NATIONALIST, REPUBLICAN, Tables


@CITE.rule("2.4")
def begin(board: Tables, scenario: str, options: frozenset[str]) -> Position:
    """The position before the first command phase."""
    plain, ground = board.scenarios[scenario], board.ground(scenario)
    away = dict.fromkeys(board.units, ELSEWHERE)
    for each in plain.get("reinforcements", ()):
        away.update(dict.fromkeys(each["units"], COMING))
    stacks = {each["hex"]: tuple(each["units"]) for each in plain["set_up"]}
    for units in stacks.values():
        for unit in units:
            del away[unit]
    control = {hex: REPUBLICAN if hex in ground.held else NATIONALIST for hex in ground.hexes}
    control |= {hex: board.units[units[0]].side for hex, units in stacks.items()}
    position = Position(
        board, scenario, options, stacks, away,
        control=control,
        weather=plain["weather"][0],
        works={hex: each["kind"] for each in plain.get("works", ()) for hex in each["hexes"]},
        roads=_broken(plain, "roads"), rails=_broken(plain, "rails"),
        bridges=_broken(plain, "bridges"),
    )  # fmt: skip
    below = position.special("J.9")
    if below:
        position = position.but(base=dict.fromkeys(below["formations"], below["level"]))
    return position


def _broken(plain: Mapping[str, Any], what: str) -> Mapping[str, str]:
    """The bridges, roads or rails that are damaged or destroyed at first, with their state."""
    return {
        where: each["state"] for each in plain.get("broken", ()) for where in each.get(what, ())
    }
