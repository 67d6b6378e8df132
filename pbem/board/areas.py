"""Areas: groups of the spaces or hexes of a map, and who holds all of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from pbem.board.graph import Graph
from pbem.value import value


@value
class Areas:
    """The areas of a map, each with the spaces in it. A space is in one area or in none."""

    members: Mapping[str, Sequence[str]]

    def __getitem__(self, area: str) -> Sequence[str]:
        return self.members[area]

    @cached_property
    def _area_of(self) -> dict[str, str]:
        found = {space: area for area, spaces in self.members.items() for space in spaces}
        assert len(found) == sum(map(len, self.members.values())), "a space is in two areas"
        return found

    def of(self, space: str) -> str | None:
        """The area a space is in."""
        return self._area_of.get(space)

    def neighbours(self, area: str, graph: Graph) -> tuple[str, ...]:
        """The areas that a link of the map leads to, in the order of the areas."""
        near = {self.of(next) for space in self.members[area] for next in graph.neighbours(space)}
        return tuple(each for each in self.members if each in near and each != area)

    def holder(self, area: str, held_by: Callable[[str], str | None]) -> str | None:
        """The side that holds every space of an area; None where no side does."""
        holders = {held_by(space) for space in self.members[area]}
        return holders.pop() if len(holders) == 1 else None
