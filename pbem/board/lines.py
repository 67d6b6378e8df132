"""Lines over a map: the cheapest one within limits for each kind of ground, and clear straight
ones.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from itertools import count

from pbem.board.hexes import Grid

Toll = tuple[int, str]
"""The points of a step, 0 or more, and the kind of ground whose limit it counts against."""


def cheapest_line(
    starts: Iterable[str],
    goals: Container[str],
    near: Callable[[str], Iterable[str]],
    toll: Callable[[str, str], Toll | None],
    limits: Mapping[str, int],
) -> tuple[str, ...] | None:
    """The cheapest line from a start to a goal, both of them included; None where there is none.

    `toll` says what a step costs, in points (None where it is barred), and on what kind of ground;
    `limits` how many points a line may spend on each kind; a kind without a limit is free of one.
    A start that is a goal is a line by itself. Of equally cheap lines the first one found is taken.

    A cheaper way to a place is not always the better one, since it may have spent what is needed
    later. So each place keeps all ways that no other one beats on every kind: shortest paths with
    resources. (Irnich and Desaulniers, "Shortest Path Problems with Resource Constraints".)
    """
    from heapq import heappop, heappush

    kinds = tuple(limits)
    most = tuple(limits.values())
    ticket = count()
    Spent = tuple[int, ...]
    kept: dict[str, list[Spent]] = {}
    waiting: list[tuple[int, int, tuple[str, ...], Spent]] = []

    def add(points: int, way: tuple[str, ...], spent: Spent) -> None:
        known = kept.setdefault(way[-1], [])
        worth = (points, *spent)
        if any(all(a <= b for a, b in zip(each, worth, strict=True)) for each in known):
            return
        known.append(worth)
        heappush(waiting, (points, next(ticket), way, spent))

    for start in dict.fromkeys(starts):
        add(0, (start,), (0,) * len(kinds))
    while waiting:
        points, _, way, spent = heappop(waiting)
        here = way[-1]
        if here in goals:
            return way
        for there in near(here):
            step = toll(here, there)
            if step is None:
                continue
            cost, ground = step
            more = tuple(
                has + cost if kind == ground else has
                for has, kind in zip(spent, kinds, strict=True)
            )
            if all(has <= limit for has, limit in zip(more, most, strict=True)):
                add(points + cost, (*way, there), more)
    return None


def is_clear(grid: Grid, one: str, other: str, blocks: Callable[[str], bool]) -> bool:
    """Whether a straight line between the centres of two hexes meets no hex that blocks it.

    The two ends never block. Where the line runs along a hexside, it is blocked if both hexes
    beside it are.
    """
    return not any(all(map(blocks, step)) for step in grid.line(one, other)[1:-1])
