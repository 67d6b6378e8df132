"""What lies on the sides between places and runs across them: rivers, bridges, roads, slopes.

A map's data list it by kind, as chains of places: each two that follow one another in a chain have
a side of that kind between them. So a road is the hexes it runs through, and a river a list of
pairs. A slope is the same from below upwards, and another thing from above: such a kind has two
names. What is printed can change in play (a bridge is blown, a road is cut): then the position
knows the sides where something else is now, by their keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from pbem.value import value

Side = frozenset[str]
"""The two places of a side."""
Now = Mapping[str, Sequence[str]]
"""What is on a side now in place of what is printed, by the side's key."""
AS_PRINTED: Now = {}


def key_of(one: str, other: str) -> str:
    """The name of a side in a position: its two places in order, such as "2110-2210"."""
    return f"{min(one, other)}-{max(one, other)}"


def pairs(chains: Iterable[Sequence[str]]) -> tuple[tuple[str, str], ...]:
    """Each two places that follow one another in a chain, in that order; none twice."""
    return tuple(dict.fromkeys(pair for chain in chains for pair in pairwise(chain)))


@value
class Hexsides:
    """The kinds of things on each side of a map that has any, as they are met in each direction."""

    crossed: Mapping[tuple[str, str], tuple[str, ...]]
    """What a step from the first place to the second crosses; in both directions."""

    @staticmethod
    def of(
        chains: Mapping[str, Iterable[Sequence[str]]],
        ways: Mapping[str, tuple[str, str]] | None = None,
    ) -> Hexsides:
        """The sides by kind. `ways` gives a kind with a direction two names: along its chains, and
        against them.
        """
        found: dict[tuple[str, str], list[str]] = {}
        for kind, rows in chains.items():
            along, against = (ways or {}).get(kind, (kind, kind))
            for one, other in pairs(rows):
                for step, name in (((one, other), along), ((other, one), against)):
                    there = found.setdefault(step, [])
                    if name not in there:
                        there.append(name)
        return Hexsides({step: tuple(kinds) for step, kinds in found.items()})

    def between(self, one: str, other: str, now: Now = AS_PRINTED) -> tuple[str, ...]:
        """What a step from `one` to `other` crosses, in the order of the kinds; most cross
        nothing.
        """
        if now:
            changed = now.get(key_of(one, other))
            if changed is not None:
                return tuple(changed)
        return self.crossed.get((one, other), ())

    def sides(self, kind: str) -> frozenset[Side]:
        """All sides where something of this kind is printed."""
        return frozenset(frozenset(step) for step, kinds in self.crossed.items() if kind in kinds)
