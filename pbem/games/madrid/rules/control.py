"""3.5, 3.4.1, 12.1: what follows at once when units arrive, leave or are eliminated."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Side, Unfolding
from pbem.games.madrid import events as e
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.options import EMPTY_SUBURB
from pbem.games.madrid.position import ENTERED, RIVERS_OPEN, Position
from pbem.games.madrid.rules.supply import supplied_places
from pbem.games.madrid.tables import ENEMY, MADRID, NATIONALIST, REPUBLICAN, SIDES


@CITE.rule("3.5.1.a")
def lapsed(position: Position) -> Iterator[tuple[str, Side]]:
    """Areas where only the controller's enemy has units, with the new controller."""
    found = {
        area: side
        for side, there in position.stacks.items()
        for area in position.own[ENEMY[side]].intersection(there)
        if area not in position.stacks[ENEMY[side]]
    }
    for area in position.board.graph.in_order(found):
        yield area, found[area]


@CITE.rule("3.5.1.b")
def deserted(position: Position) -> tuple[tuple[str, Side], ...]:
    """At 4a: controlled areas without own units and out of supply, with the new controller."""
    # reading: all areas are examined at the same time, and no enemy need be near.
    supplied = {side: supplied_places(position, side) for side in SIDES}
    return tuple(
        (area, ENEMY[side])
        for area, side in position.control.items()
        if area not in supplied[side] and not position.units_at(area, side)
    )


@CITE.rule("12.3.c")
def opens_rivers(position: Position) -> bool:
    """Whether an urban area has at least as many Nationalist as Republican units."""
    # reading: one Nationalist unit is needed; an empty suburb opens nothing.
    ours, theirs = position.stacks[NATIONALIST], position.stacks[REPUBLICAN]
    counted = position.board.city
    if EMPTY_SUBURB not in position.options:
        counted = counted.intersection(ours)
    return any(len(ours.get(area, ())) >= len(theirs.get(area, ())) for area in counted)


def contested_suburbs(position: Position) -> frozenset[str]:
    """The areas of the city with units of both sides."""
    stacks = position.stacks
    return position.board.city.intersection(stacks[NATIONALIST]).intersection(stacks[REPUBLICAN])


class Story(Unfolding[Position]):
    """Events, and what follows from them at once."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self._settled = position

    @CITE.serves("3.5.1.a", "3.4.1.d", "12.1.d", "12.2.g")
    def settle(self) -> None:
        """The control, morale for urban areas, and bans that change at once.

        To be called after each change that is complete in itself.
        """
        won = self._change_control(lapsed(self.position))
        before = contested_suburbs(self._settled)
        self._cheer(won | before.difference(self.position.stacks[NATIONALIST]))
        self._settled = self.position
        if self.position.is_river_banned and opens_rivers(self.position):
            self.happen(e.FactSet(RIVERS_OPEN))
        if ENTERED not in self.position.facts and self.position.units_at(MADRID, NATIONALIST):
            self.happen(e.FactSet(ENTERED))

    def desert(self) -> None:
        """The change of control at the end of the turn."""
        self._cheer(self._change_control(deserted(self.position)))

    @CITE.serves("3.5.1.a", "3.4.1.d")
    def _change_control(
        self, changes: Iterator[tuple[str, Side]] | tuple[tuple[str, Side], ...]
    ) -> set[str]:
        """Returns the areas that the Republicans win."""
        won = set()
        for area, side in tuple(changes):
            self.happen(e.ControlChanged(area, side))
            if side == REPUBLICAN:
                won.add(area)
        return won

    @CITE.rule("3.4.1.d")
    def _cheer(self, areas: set[str]) -> None:
        """Morale rises a level for each area of the city that is cleared or retaken."""
        # reading: it does not matter how the last Nationalist leaves; one level for each area.
        for area in self.position.board.urban:
            if area in areas:
                self.happen(e.morale_changed(self.position, 1, area))
