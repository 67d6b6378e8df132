"""One phase of Diplomacy, cold: load the saved game, set the orders, process, save.

Run as a program of its own: IN OUT. With `make` instead of IN it writes a game to begin with.
"""

import json
import sys

from diplomacy import Game  # type: ignore[import-not-found]
from diplomacy.utils.export import (  # type: ignore[import-not-found]
    from_saved_game_format,
    to_saved_game_format,
)


def orders(game: Game) -> None:
    """The first possible order of every unit that may be ordered."""
    possible = game.get_all_possible_orders()
    for power in game.get_map_power_names():
        places = game.get_orderable_locations(power)
        game.set_orders(power, [possible[place][-1] for place in places if possible[place]])


def main(source: str, target: str) -> None:
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
