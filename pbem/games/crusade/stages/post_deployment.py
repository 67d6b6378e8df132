"""What players place before a scenario's first turn, in the order of its data (19)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Deploy, PlaceMarker
from pbem.games.crusade.position import FORTS, POOL, Fort, Position
from pbem.games.crusade.rules.construction import markers_left
from pbem.games.crusade.rules.north import is_northern
from pbem.games.crusade.rules.reinforcement import is_barred_from_islands
from pbem.games.crusade.rules.stacking import room_in
from pbem.games.crusade.stages.deployment import CorpsShift, ManoeuvreArmies, first_corps
from pbem.games.crusade.stages.draw import DrawHands, Redraws
from pbem.games.crusade.stages.initial_losses import AttritionRoll
from pbem.games.crusade.stages.militarization import Militarization
from pbem.messages import any_of, marked, say
from pbem.value import replace, value

# --- armor --------------------------------------------------------------------------------------

WHERE: Mapping[str, Callable[[Position, str], bool]] = {
    "controlled": lambda position, space: True,
    "outside_north": lambda position, space: not is_northern(position, space),
    "port": lambda position, space: space in position.ports(),
    "mediterranean_port": lambda position, space: (
        space in position.ports() and position.sea_of(space) == "mediterranean"
    ),
}
"""The data's words for where a unit may be placed; the space is controlled in any case."""


PLACES = {
    "controlled": marked("on the mainland"),
    "outside_north": marked("outside the Northern Front, on the mainland"),
    "port": marked("a port of the mainland"),
    "mediterranean_port": marked("a Mediterranean port of the mainland"),
}
"""The same words as shown to players, with what 8.5.2.4 says about islands."""


def spaces_open_to(position: Position, unit: str, where: str) -> tuple[str, ...]:
    """The controlled spaces with room that the word allows, in map order."""
    # reading: 19.5.5.1, "any controlled space" needs no supply line; islands stay closed to armor.
    return tuple(
        space
        for space in position.spaces_of(position.side_of(unit))
        if WHERE[where](position, space)
        and room_in(position, space) > 0
        and not is_barred_from_islands(position, unit, space)
    )


@CITE.rule("19.5.5.1/c")
@CITE.check("19.3.5.1")
def unit_goes_where_the_scenario_says(
    stage: SetUpUnit, position: Position, order: Deploy
) -> Iterator[s.Violation]:
    """The unit due is placed in a controlled space of the kind named, with room."""
    if order.unit != stage.unit:
        yield s.Violation(say("{unit} must be placed now", unit=stage.unit), ("unit",), stage.rule)
    spaces = spaces_open_to(position, stage.unit, stage.where)
    if order.to not in spaces:
        why = say("it is not yours")
        mine = position.controls(stage.side, order.to)
        island = mine and is_barred_from_islands(position, stage.unit, order.to)
        if mine:
            full = room_in(position, order.to) < 1
            why = (
                say("it is full")
                if full
                else say("it must be {places}", places=say(PLACES[stage.where]))
            )
        yield s.Violation(
            say(
                "{unit} cannot be placed in {to}: {why}",
                unit=stage.unit,
                to=position.called(order.to),
                why=why,
            ),
            ("to",),
            "8.5.2.4/h" if island else stage.rule,
            hint=say("it may be placed in {some}", some=any_of(position.names_of(spaces))),
        )
    if order.to_reserve:
        yield s.Violation(
            say("no unit goes to the Reserve to make room for it"), ("to_reserve",), stage.rule
        )


@value
class SetUpUnit(s.PlayerStage[Position]):
    """One unit that a side places before the first turn."""

    side: s.Side
    unit: str
    reduced: bool
    where: str
    rule: str

    def ask(self, position: Position) -> s.Decision | None:
        spaces = spaces_open_to(position, self.unit, self.where)
        if not spaces:
            return None
        return s.Decision(
            side=self.side,
            stage="units before the first turn",
            prompt=say(
                "deploy {unit} (reduced)" if self.reduced else "deploy {unit}", unit=self.unit
            ),
            rule=self.rule,
            options=(s.Option(Deploy, {"unit": s.OneOf((self.unit,)), "to": s.OneOf(spaces)}),),
            default=Deploy(self.unit, spaces[0]),
        )

    check = s.checks((unit_goes_where_the_scenario_says,))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Deploy)
        return s.Outcome((e.UnitPlaced(order.unit, order.to, self.reduced),))

    def units_in_question(self, position: Position) -> tuple[str, ...]:
        """The units that a name in an order can mean now."""
        return (self.unit,)


# --- Positions and Trenches ---------------------------------------------------------------------


@CITE.rule("19.5.5.1/a")
def spaces_for_works(
    position: Position, side: s.Side, placed: tuple[str, ...], north_max: int | None
) -> tuple[str, ...]:
    """Controlled spaces without a marker, in map order, with a limit in the north."""
    # reading: "one marker per space" also excludes spaces where the set-up has put one.
    if markers_left(position, side) < 1:
        return ()
    north = [space for space in placed if is_northern(position, space)]
    shut = north_max is not None and len(north) >= north_max
    return tuple(
        space
        for space in position.spaces_of(side)
        if space not in position.forts and not (shut and is_northern(position, space))
    )


@CITE.check("19.3.5.1/a")
def works_lie_on_open_ground(
    stage: SetUpWorks, position: Position, order: PlaceMarker
) -> Iterator[s.Violation]:
    """A marker is placed in a controlled space without one; the north has the scenario's limit."""
    spaces = stage.spaces(position)
    if order.space in spaces:
        return
    why = say("it is not yours")
    if order.space in position.forts:
        why = say("it already has a marker")
    elif position.controls(stage.side, order.space):
        why = say("the north already has as many as it may have")
    yield s.Violation(
        say(
            "no marker may be placed in {space}: {why}", space=position.called(order.space), why=why
        ),
        ("space",),
        stage.rule,
        hint=say("one may be placed in {some}", some=any_of(position.names_of(spaces))),
    )


@value
class SetUpWorks(s.PlayerStage[Position]):
    """Positions or Trenches that a side places before the first turn."""

    side: s.Side
    kind: str
    count: int
    north_max: int | None
    rule: str
    placed: tuple[str, ...] = ()

    def spaces(self, position: Position) -> tuple[str, ...]:
        return spaces_for_works(position, self.side, self.placed, self.north_max)

    def ask(self, position: Position) -> s.Decision | None:
        spaces = self.spaces(position)
        left = self.count - len(self.placed)
        if left < 1 or not spaces:
            return None
        return s.Decision(
            side=self.side,
            stage="markers before the first turn",
            prompt=say("place a {fort} ({left} to go)", fort=say(FORTS[self.kind]), left=left),
            rule=self.rule,
            options=(s.Option(PlaceMarker, {"space": s.OneOf(spaces)}),),
            default=PlaceMarker(spaces[0]),
        )

    check = s.checks((works_lie_on_open_ground,))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, PlaceMarker)
        built = e.FortBuilt(order.space, Fort(self.kind, self.side))
        return s.Outcome((built,), keep=replace(self, placed=(*self.placed, order.space)))


# --- the scenario's list ------------------------------------------------------------------------

Step = Mapping[str, Any]
Stages = tuple[s.Stage[Position], ...]


@value
class EarlyHands(s.AutoStage[Position]):
    """By agreement the hands are drawn before anything is placed (reading Q21)."""

    def run(self, position: Position) -> s.Outcome:
        return s.Outcome(then=(DrawHands(), Redraws()) if position.option("Q21") else ())


@value
@CITE.rule("19.5.5.1")
class PostDeployment(s.AutoStage[Position]):
    """The choices of a scenario before its hands are drawn."""

    # reading: Q21, the hands are drawn when all this is done.

    def run(self, position: Position) -> s.Outcome:
        steps = position.tables.sheet(position.scenario).get("post_deployment", ())
        stages = (DO[step["do"]](position, step) for step in steps)
        return s.Outcome(then=tuple(stage for part in stages for stage in part))


def _units(position: Position, step: Step) -> Stages:
    """Each row's units, fresh from the box."""
    side = s.Side(step["side"])
    stages: list[s.Stage[Position]] = []
    taken: set[str] = set()
    for row in step["units"]:
        fresh = [
            unit
            for unit in position.tables.units_of_type[side, row["type"]]
            if position.place_of(unit) == POOL and unit not in taken
        ][: row["count"]]
        taken.update(fresh)
        stages += [
            SetUpUnit(side, unit, row["reduced"], row["where"], step["rule"]) for unit in fresh
        ]
    return tuple(stages)


def _works(position: Position, step: Step) -> Stages:
    side, north_max = s.Side(step["side"]), step.get("north_max")
    kinds = (("position", step["positions"]), ("trench", step["trenches"]))
    return tuple(
        SetUpWorks(side, kind, count, north_max, step["rule"]) for kind, count in kinds if count
    )


def _armies(position: Position, step: Step) -> Stages:
    corps = (*step["nationalist"], *step["republican"])
    return (ManoeuvreArmies(corps, s.Side(step["first"]), rule=step["rule"]),)


def _attrition(position: Position, step: Step) -> Stages:
    roller, first = s.Side(step["roller"]), s.Side(step["first"])
    return (AttritionRoll(roller, first, tuple(step["losses"]), step["rule"]),)


DO: Mapping[str, Callable[[Position, Step], Stages]] = {
    "deploy": _units,
    "fortify": _works,
    "initial_corps": lambda position, step: first_corps(
        position, s.Side(step["first"]), step["rule"]
    ),
    "maneuver_armies": _armies,
    "shift_corps": lambda position, step: (CorpsShift(s.Side(step["side"]), step["rule"]),),
    "militarize": lambda position, step: (Militarization(step["max"]),),
    "attrition": _attrition,
}
"""The data's words for each kind of choice."""
