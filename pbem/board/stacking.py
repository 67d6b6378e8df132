"""Overfull places, by units or points, and the cheapest exchange that brings all of them back to
their limit.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping


def surplus(
    at: Mapping[str, str], points: Callable[[str], int], limit: Callable[[str], int]
) -> dict[str, int]:
    """The points above its limit of each place that has more than that.

    `at` maps units to their places, `points` says what a unit counts (1 where units are counted),
    `limit` what a place holds.
    """
    held = Counter[str]()
    for unit, place in at.items():
        held[place] += points(unit)
    return {place: over for place in held if (over := held[place] - limit(place)) > 0}


def relief(
    surplus: Mapping[str, int],
    at: Mapping[str, str],
    ways: Callable[[str], Iterable[str]],
    price: Callable[[str], int],
    room: Callable[[str], int],
) -> tuple[int, str]:
    """The least cost of fixing all places with a surplus, and the place where that is impossible
    (empty if it is possible).

    `at` maps the units that may go to their places; `ways` are the places where each may end, and
    `price` the cost of going there, 0 or more; staying is free. `room` is how many more units than
    now a place takes, 0 or less where there is a surplus.

    Units move along the cheapest chains of exchanges, one surplus unit after another: a
    minimum-cost flow by successive shortest paths. (Ahuja, Magnanti, Orlin, "Network Flows", 9.7.)
    """
    now, came, total = dict(at), Counter[str](), 0
    for place, count in surplus.items():
        for _ in range(count):
            costs, came_by = _chains(place, at, now, ways, price)
            ends = [end for end in costs if room(end) > came[end]]
            if not ends:
                return total, place
            end = min(ends, key=costs.__getitem__)
            total += costs[end]
            came[end] += 1
            while end in came_by:
                unit, here = came_by[end]
                now[unit], end = end, here
    return total, ""


def _chains(
    start: str,
    home: Mapping[str, str],
    now: Mapping[str, str],
    ways: Callable[[str], Iterable[str]],
    price: Callable[[str], int],
) -> tuple[dict[str, int], dict[str, tuple[str, str]]]:
    """The cost of a chain of exchanges from the start to each place, and its last unit with its
    place. A unit that goes home again gives back the cost of leaving.
    """
    standing: dict[str, list[str]] = {}
    for unit, place in now.items():
        standing.setdefault(place, []).append(unit)
    costs, came_by, waiting = {start: 0}, dict[str, tuple[str, str]](), deque((start,))
    while waiting:
        here = waiting.popleft()
        for unit in standing.get(here, ()):
            own, fare = home[unit], price(unit)
            spent = costs[here] - (fare if here != own else 0)
            for there in (own, *ways(unit)):
                cost = spent + (fare if there != own else 0)
                if there not in costs or cost < costs[there]:
                    costs[there], came_by[there] = cost, (unit, here)
                    if there not in waiting:
                        waiting.append(there)
    return costs, came_by
