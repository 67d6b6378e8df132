"""How a battle begins: both sides stand as the scenario lists them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.model import Side
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.events import topped
from pbem.games.nopasaran.options import SECRET_SET_UP
from pbem.games.nopasaran.position import COMING, ELSEWHERE, FACE_DOWN, Position
from pbem.games.nopasaran.rules import setup
from pbem.games.nopasaran.tables import DECKS, NATIONALIST, REPUBLICAN, SIDES, Tables


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
    if SECRET_SET_UP in options:
        for side in SIDES:
            position = _laid(position, side)
    return position


@CITE.serves("2.6")
def _laid(position: Position, side: Side) -> Position:
    """The position with the counters of a side that may trade hexes face down: where they are
    printed counters lie, and which of them is which its player learns and says later.
    """
    deck, units = DECKS[side], setup.able(position, side)
    down = position.down.lay(deck, side, 1, units)
    names = dict(zip(units, down.newest(deck), strict=True))
    position = position.but(down=down, away={**position.away, **dict.fromkeys(units, FACE_DOWN)})
    return position.but(stacks={
        hex: topped(position, tuple(names.get(unit, unit) for unit in there))
        for hex, there in position.stacks.items()
    })  # fmt: skip


def _broken(plain: Mapping[str, Any], what: str) -> Mapping[str, str]:
    """The bridges, roads or rails that are damaged or destroyed at first, with their state."""
    return {
        where: each["state"] for each in plain.get("broken", ()) for where in each.get(what, ())
    }
