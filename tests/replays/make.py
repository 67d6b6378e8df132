"""`python -m tests.replays.make [WAY...]`: plays and writes the stored games that are stale.

A replay is stale when its orders do not lead to what is written with them. If they still end the
game in that way, what they lead to is written anew; else seeds are tried until a game does.
`--check` writes nothing and fails if something is stale.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace

from pbem.engine import kernel
from pbem.engine.model import Decision
from tests.contract.playing import RandomDice, first_state, system
from tests.replays import campaign
from tests.replays.keen import Steered
from tests.replays.stored import (
    WAYS,
    Plain,
    Replay,
    finished,
    path_of,
    stored,
    way_of,
    written,
)

MOST_SEEDS = 600


@dataclass(frozen=True)
class Search:
    """Where a way to end is found: the scenario, who wants to win, and the seed to begin with."""

    scenario: str
    favoured: str | None = None
    seed: int = 0
    wants: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    most: int = 25
    """How many orders are weighed: the more, the better it is played."""
    yields: bool = False
    """Whether the enemy leaves their Main Cities open."""


SEARCHES = {
    "crusade": {
        "points_nationalist": Search("republican_collapse", "nationalist", 2),
        "points_republican": Search("war_of_the_columns", None, 0),
        "points_drawn": Search("republican_collapse", "nationalist", 55),
        "tie_nationalist": Search("war_of_the_columns", "nationalist", 0, ("N16",), most=70),
        "tie_republican": Search("collapse_of_the_northern_front", "nationalist", 0, most=5),
        "morale_nationalist": Search("republican_collapse", "nationalist", 0),
        "morale_republican": Search("campaign", "republican", 0),
        "cities_nationalist": Search("campaign", "nationalist", 1),
        # Before turn 4 morale wins nothing, so whoever has every Main City by then wins by them.
        "cities_republican": Search("war_of_the_columns", "republican", 1, yields=True),
        "casado": Search("republican_collapse", "nationalist", 13, ("N47",)),
        "morale_gone": Search("republican_collapse", "nationalist", 0, options=("rule_18_2_13",)),
    }
}
SEARCHES["crusade"] |= {
    f"first_edition_{way}": replace(search, options=("first_edition", *search.options))
    for way, search in SEARCHES["crusade"].items()
}


def found(slug: str, way: str) -> Replay:
    """The first game from the search's seed on that ends in this way."""
    search = SEARCHES[slug][way]
    for seed in range(search.seed, search.seed + MOST_SEEDS):
        replay = played(slug, search, seed)
        if way_of(slug, replay.winner, replay.reason, replay.options) == way:
            return replay
    raise SystemExit(f"none of {MOST_SEEDS} games ends as {way}")


def played(slug: str, search: Search, seed: int) -> Replay:
    player = Steered(
        seed,
        favoured=search.favoured,
        wants=search.wants,
        most=search.most,
        yields=search.yields,
    )
    dice, orders = RandomDice(seed), list[Plain]()
    state = first_state(slug, search.scenario, search.options).state
    while (wanted := kernel.waits_for(state)) is not None:
        if isinstance(wanted, Decision):
            order = player.order(state, wanted)
            orders.append(written(order))
            state = kernel.submit(state, order).state
        else:
            state = kernel.roll(state, dice).state
    return finished(slug, search.scenario, search.options, str(seed), orders)


def again(slug: str, way: str) -> Replay | None:
    """The stored orders played now; None if there are none, or they no longer end in this way."""
    path = path_of(slug, way)
    if not path.exists():
        return None
    try:
        replay = stored(path)
        now = finished(slug, replay.scenario, replay.options, replay.dice, replay.orders)
    except (kernel.OrderRejected, KeyError, IndexError, AssertionError, ValueError):
        return None
    return now if way_of(slug, now.winner, now.reason, now.options) == way else None


def is_stale(slug: str, way: str) -> bool:
    now = again(slug, way)
    return now is None or now != stored(path_of(slug, way))


def main(words: list[str], *, check: bool) -> int:
    stale = [
        (slug, way)
        for slug in sorted(WAYS)
        for way in WAYS[slug]
        if (not words or way in words) and is_stale(slug, way)
    ]
    for slug, way in stale:
        if check:
            print(f"the replay {slug}/{way} is stale: run make golden")
        else:
            path_of(slug, way).parent.mkdir(exist_ok=True)
            kept = again(slug, way)
            path_of(slug, way).write_text((kept or found(slug, way)).text(), encoding="utf-8")
            how = "the same orders" if kept else "another game"
            print(f"wrote {path_of(slug, way).name} of {system(slug).title}: {how}", flush=True)
    if not words or "campaign" in words:
        told = campaign.refresh(check=check)
        if told:
            print(told)
            stale.append(("crusade", "campaign"))
    if not stale:
        print("replays: up to date")
    return 1 if check and stale else 0


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.exit(main([word for word in words if word != "--check"], check="--check" in words))
