"""How a battle begins: both sides stand as the scenario lists them."""

from __future__ import annotations

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
    position = Position(
        board, scenario, options, stacks, away,
        control={hex: REPUBLICAN if hex in ground.held else NATIONALIST for hex in ground.hexes},
        weather=plain["weather"][0],
        works={hex: each["kind"] for each in plain.get("works", ()) for hex in each["hexes"]},
    )  # fmt: skip
    below = position.special("J.9")
    if below:
        position = position.but(base=dict.fromkeys(below["formations"], below["level"]))
    return position
