"""`python -m tests.replays.make [WAY...]`: plays and writes the stored games that are stale.

A replay is stale when its orders do not lead to what is written with them. If they still end the
game in that way, what they lead to is written anew; else seeds are tried until a game does.
`--check` writes nothing and fails if something is stale.
"""

from __future__ import annotations

import sys

from pbem.engine import kernel
from pbem.engine.model import Decision
from tests.bots import RandomDice
from tests.contract.kits import Search, kit
from tests.contract.playing import first_state, system
from tests.replays import campaign, covered
from tests.replays.stored import (
    WAYS,
    Plain,
    Replay,
    finished,
    path_of,
    stored,
    way_of_replay,
    written,
)

MOST_SEEDS = 600


def found(slug: str, way: str) -> Replay:
    """The first game from the search's seed on that ends in this way."""
    search = kit(slug).searches()[way]
    for seed in range(search.seed, search.seed + MOST_SEEDS):
        replay = played(slug, search, seed)
        if way_of_replay(replay) == way:
            return replay
    raise SystemExit(f"none of {MOST_SEEDS} games ends as {way}")


def played(slug: str, search: Search, seed: int) -> Replay:
    player = search.player(seed)
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
    return now if way_of_replay(now) == way else None


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
    for slug, name, file in (("crusade", "campaign", campaign), ("ctv", "covered", covered)):
        if not words or name in words:
            told = file.refresh(check=check)
            if told:
                print(told)
                stale.append((slug, name))
    if not stale:
        print("replays: up to date")
    return 1 if check and stale else 0


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.exit(main([word for word in words if word != "--check"], check="--check" in words))
