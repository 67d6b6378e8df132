"""Where games of Crusade are found that end in each way, to be stored (tests/replays/make.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from tests.contract.kits import Search
from tests.games.crusade.keen import Steered

FIRST = ("first_edition",)


def _search(
    scenario: str, favoured: str | None = None, seed: int = 0, wants: tuple[str, ...] = (), *,
    most: int = 25, yields: bool = False, options: tuple[str, ...] = (),
) -> Search:  # fmt: skip
    """A search with players of whom one wants to win; Steered says what the others mean."""
    player = partial(Steered, favoured=favoured, most=most, wants=wants, yields=yields)
    return Search(scenario, player, seed, options)


SEARCHES = {
    "points_nationalist": _search("republican_collapse", "nationalist", 2),
    "points_republican": _search("war_of_the_columns", None, 0),
    "points_drawn": _search("republican_collapse", "nationalist", 55),
    "tie_nationalist": _search("war_of_the_columns", "nationalist", 0, ("N16",), most=70),
    "tie_republican": _search("collapse_of_the_northern_front", "nationalist", 0, most=5),
    "morale_nationalist": _search("republican_collapse", "nationalist", 0),
    "morale_republican": _search("campaign", "republican", 0),
    "cities_nationalist": _search("campaign", "nationalist", 1),
    # Before turn 4 morale wins nothing, so whoever has every Main City by then wins by them.
    "cities_republican": _search("war_of_the_columns", "republican", 1, yields=True),
    "casado": _search("republican_collapse", "nationalist", 13, ("N47",)),
    "morale_gone": _search("republican_collapse", "nationalist", 0, options=("rule_18_2_13",)),
}


def searches() -> Mapping[str, Search]:
    """For each way to end, in both editions."""
    first = {
        f"first_edition_{way}": replace(search, options=(*FIRST, *search.options))
        for way, search in SEARCHES.items()
    }
    return SEARCHES | first
