"""Diplomacy as a program of its own, to set cold commands against.

IN OUT          one phase: load the saved game, set the orders, process, save
make OUT        a game to begin with
record OUT      the orders of a whole game, phase by phase
replay IN       that game again: set the orders of each phase, process
"""

import json
import sys
from typing import Any

from diplomacy import Game  # type: ignore[import-not-found]
from diplomacy.utils.export import (  # type: ignore[import-not-found]
    from_saved_game_format,
    to_saved_game_format,
)

PHASES = 216
"""As many phases as a Campaign has rounds, if the game lasts."""


def orders(game: Game) -> None:
    """The first possible order of every unit that may be ordered."""
    possible = game.get_all_possible_orders()
    for power in game.get_map_power_names():
        places = game.get_orderable_locations(power)
        game.set_orders(power, [possible[place][-1] for place in places if possible[place]])


def record() -> list[Any]:
    """The orders of every power for each phase of a game, to its end or to PHASES."""
    game, found = Game(), []
    while len(found) < PHASES and not game.is_game_done:
        orders(game)
        found.append(game.get_orders())
        game.process()
    return found


def replay(phases: list[Any]) -> None:
    game = Game()
    for given in phases:
        for power, each in given.items():
            game.set_orders(power, each)
        game.process()
    assert game.is_game_done or len(phases) == PHASES


def main(source: str, target: str) -> None:
    if source == "replay":
        with open(target, encoding="utf-8") as file:
            replay(json.load(file))
        return
    if source == "record":
        with open(target, "w", encoding="utf-8") as file:
            json.dump(record(), file)
        return
    if source == "make":
        game = Game()
        for _ in range(24):
            orders(game)
            game.process()
    else:
        with open(source, encoding="utf-8") as file:
            game = from_saved_game_format(json.load(file))
        orders(game)
        game.process()
    with open(target, "w", encoding="utf-8") as file:
        json.dump(to_saved_game_format(game), file)


if __name__ == "__main__":
    main(*sys.argv[1:3])
