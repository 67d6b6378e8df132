"""The choices left by events: where units are placed, and where markers are."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Deploy, Done, PlaceMarker
from pbem.games.crusade.position import RESERVE, Fort, Position
from pbem.games.crusade.rules.construction import markers_left
from pbem.games.crusade.rules.reinforcement import has_to_come_in_at, spaces_for
from pbem.games.crusade.rules.supply import is_supplied
from pbem.messages import Said, a_few, marked, say
from pbem.value import replace, value

# --- units --------------------------------------------------------------------------------------


@CITE.refusal("8.5.2.3")
def comes_in_where_the_card_says(
    stage: Reinforcing, position: Position, order: Deploy
) -> Iterator[s.Violation]:
    """A unit of the card is placed in a space the card allows."""
    if order.unit not in stage.units:
        yield s.Violation(
            say("{unit} is not one of the units to be deployed", unit=order.unit),
            at=("unit",),
            hint=a_few(stage.units),
        )
        return
    spaces = spaces_for(position, order.unit, stage.where)
    for violation in has_to_come_in_at(position, spaces, order.unit, order.to, stage.where):
        yield replace(violation, rule=violation.rule or entry_rule(position, order.unit))


@CITE.serves("8.5.2.3", "8.5.2.4/g")
def entry_rule(position: Position, unit: str) -> str:
    """The rule of where a unit of a card comes in: of divisions, or of the CTV that N2 brings."""
    return "8.5.2.4/g" if position.type_of(unit).is_corps else "8.5.2.3"


@value
@CITE.serves("8.5.2.3")
class Reinforcing(s.PlayerStage[Position]):
    """`count` of the units are placed where the card says; the others go to the Reserve Box."""

    side: s.Side
    units: tuple[str, ...]
    count: int
    where: str

    def ask(self, position: Position) -> s.Decision | None:
        ready = self._legal(position)
        if not ready:
            return None
        return s.Decision(
            side=self.side,
            stage="reinforcements",
            prompt=say("deploy a unit ({count} to go)", count=self.count),
            rule=entry_rule(position, ready[0].unit),
            options=(s.Option(Deploy, examples=s.listed(ready)),),
            default=ready[0],
        )

    check = s.checks((comes_in_where_the_card_says,))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Deploy)
        others = tuple(unit for unit in self.units if unit != order.unit)
        left = replace(self, units=others, count=self.count - 1)
        # The stage after this one places units no longer asked for.
        return s.Outcome((e.UnitPlaced(order.unit, order.to),), keep=left)

    def _legal(self, position: Position) -> tuple[Deploy, ...]:
        if self.count < 1:
            return ()
        return tuple(
            Deploy(unit, space)
            for unit in self.units
            for space in spaces_for(position, unit, self.where)
        )


@value
class RestToReserve(s.AutoStage[Position]):
    """The units of a card that were not deployed wait in the Reserve Box."""

    units: tuple[str, ...]

    def run(self, position: Position) -> s.Outcome:
        waiting = (unit for unit in self.units if not position.is_on_map(unit))
        return s.Outcome(tuple(e.UnitPlaced(unit, RESERVE) for unit in waiting))


# --- markers ------------------------------------------------------------------------------------


@CITE.refusal("8.5.1.1")
def marker_lies_where_the_card_says(
    stage: Fortifying, position: Position, order: PlaceMarker
) -> Iterator[s.Violation]:
    """A marker is placed in a space the card allows, where none is that it does not replace."""
    spaces = stage.spaces(position)
    if order.space not in spaces:
        told = say("no marker may be placed in {space}", space=position.called(order.space))
        rule, why = _what_bars_a_marker(stage, position, order.space)
        yield s.Violation(
            say("{message}: {why}", message=told, why=why) if why else told,
            at=("space",),
            rule=rule,
            hint=a_few(position.names_of(spaces)),
        )


def _what_bars_a_marker(stage: Fortifying, position: Position, space: str) -> tuple[str, Said]:
    """The rule that bars a marker of a card from a space, if it is not the card's, and why."""
    if not position.controls(stage.side, space):
        return "", say("it is not yours")
    if space in position.forts:
        return "10.2.5", say("it has one")
    if space == "bilbao" and stage.is_barred_in_bilbao(position):
        return "10.2.3", say("only the Iron Belt is built there")
    if stage.where == "next_to_madrid":
        return "", say("it is not next to Madrid")
    if not is_supplied(position, stage.side, space):
        return "", say("it is out of supply")
    return "", say("the card allows {count} in the Northern Front", count=stage.north_max or 0)


PLACING = {
    ("position", True): marked("place the Positions of the card ({left} to go)"),
    ("position", False): marked("place the Positions of the card ({left} to go), or say done"),
    ("trench", True): marked("place the Trenches of the card ({left} to go)"),
    ("trench", False): marked("place the Trenches of the card ({left} to go), or say done"),
}
"""The prompt for a kind of marker, and whether it must be placed."""


@value
class Fortifying(s.PlayerStage[Position]):
    """Positions or special Trenches that a card gives; `must` says they cannot be declined."""

    side: s.Side
    kind: str
    special: str
    count: int
    where: str
    must: bool = False
    north_max: int | None = None
    placed: tuple[str, ...] = ()

    def ask(self, position: Position) -> s.Decision | None:
        spaces = self.spaces(position)
        if len(self.placed) >= self.count or not spaces:
            return None
        place = s.Option(PlaceMarker, {"space": s.OneOf(spaces)})
        return s.Decision(
            side=self.side,
            stage="markers of a card",
            prompt=say(PLACING[self.kind, self.must], left=self.count - len(self.placed)),
            rule="10.2.9",
            options=(place,) if self.must else (place, s.Option(Done, {})),
            default=PlaceMarker(spaces[0]) if self.must else Done(),
            optional=not self.must,
        )

    check = s.by_verb({PlaceMarker: s.checks((marker_lies_where_the_card_says,)),
                     Done: s.checks()})  # fmt: skip

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if not isinstance(order, PlaceMarker):
            return s.Outcome()
        built = e.FortBuilt(order.space, Fort(self.kind, self.side, self.special))
        return s.Outcome((built,), keep=replace(self, placed=(*self.placed, order.space)))

    def spaces(self, position: Position) -> tuple[str, ...]:
        """The spaces where a marker may be placed now, in map order."""
        if not self.special and markers_left(position, self.side) < 1:
            return ()
        return tuple(
            each for each in position.spaces_of(self.side) if self._may_lie(position, each)
        )

    def is_barred_in_bilbao(self, position: Position) -> bool:
        """Whether a marker of this kind is: only the Iron Belt is a Trench there (10.2.3)."""
        return self.kind == "trench" or "N35" in position.played

    def _may_lie(self, position: Position, space: str) -> bool:
        fort = position.forts.get(space)
        if fort is not None and (fort.is_trench or not self.special):
            return False
        if space == "bilbao" and self.is_barred_in_bilbao(position):
            return False
        if self.where == "next_to_madrid":
            return position.tables.adjacent_to_madrid(space)
        return is_supplied(position, self.side, space) and self._north_has_room(position, space)

    def _north_has_room(self, position: Position, space: str) -> bool:
        if self.north_max is None or not position.space(space).region:
            return True
        there = [placed for placed in self.placed if position.space(placed).region]
        return len(there) < self.north_max
