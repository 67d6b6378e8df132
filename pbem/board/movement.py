"""Movement over ground that costs something to cross."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import count
from typing import TypeVar

from pbem.messages import Said, say

T = TypeVar("T", bound=Hashable)


def cheapest(
    start: T,
    near: Callable[[T], Iterable[T]],
    cost: Callable[[T, T], int | None],
    most: int,
) -> Iterator[tuple[T, ...]]:
    """A cheapest path to each place except the start, up to `most` points; the cheapest come first.

    `near` returns the neighbours of a place, and none where movement has to stop; `cost` is the
    cost of a step from one place to another, 0 or more, or None where it is barred. Of equally
    cheap paths the first one found is taken.

    A place may be a space together with what matters about the way to it, such as how often an
    enemy was met: then there is a path for each of these. (Dijkstra, "A Note on Two Problems in
    Connexion with Graphs".)
    """
    from heapq import heappop, heappush  # a command that moves nothing does without

    ticket = count()
    waiting: list[tuple[int, int, tuple[T, ...]]] = [(0, next(ticket), (start,))]
    least: dict[T, int] = {start: 0}
    while waiting:
        spent, _, path = heappop(waiting)
        here = path[-1]
        if spent > least[here]:
            continue
        if here != start:
            yield path
        for there in near(here):
            known = least.get(there, most + 1)
            if known <= spent:
                continue
            price = cost(here, there)
            if price is not None and spent + price < known:
                least[there] = spent + price
                heappush(waiting, (spent + price, next(ticket), (*path, there)))


def within(
    start: T, near: Callable[[T], Iterable[T]], cost: Callable[[T, T], int | None], most: int
) -> frozenset[T]:
    """The places to which a path of up to `most` points leads, the start among them: those of
    `cheapest`, without the paths. (Dial, "Algorithm 360".)
    """
    least: dict[T, int] = {start: 0}
    waiting: list[list[T]] = [[start], *([] for _ in range(most))]
    for spent, places in enumerate(waiting):
        for here in places:  # it grows meanwhile where a step costs nothing
            if least[here] < spent:
                continue
            for there in near(here):
                known = least.get(there, most + 1)
                if known <= spent:
                    continue
                price = cost(here, there)
                if price is not None and spent + price < known:
                    least[there] = spent + price
                    waiting[spent + price].append(there)
    return frozenset(least)


MOST_NAMED = 10
"""So many hexes in reach are listed in a line."""


def reach_told(
    start: Said, units: Sequence[str], ends: Sequence[str], *, together: bool = False
) -> Said:
    """What a form says of a move: who may make it, each alone or also all `together`, and where it
    may end, the most likely first.
    """
    rest = len(ends) - MOST_NAMED
    hexes: Said = ", ".join(ends[:MOST_NAMED])
    if rest > 0:
        hexes = say("{hexes} or {rest} more", hexes=hexes, rest=rest)
    if len(units) == 1:
        return say("from {place} to {hexes}", place=start, hexes=hexes)
    if together:
        return say("from {place}, together or one of them, to {hexes}", place=start, hexes=hexes)
    return say("from {place}, one of {units}, to {hexes}", place=start, hexes=hexes,
               units=", ".join(units))  # fmt: skip
