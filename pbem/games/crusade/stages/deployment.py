"""The corps at the start of a phase of the war, deployed by turns (15.2.1, 19.5.5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Deploy, Done
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.deployment import (
    ARMY_CHECKS,
    INITIAL_CHECKS,
    Bumped,
    Plan,
    army_spaces,
    initial_corps,
    plan_of,
    still_to_come,
    who_can_make_room,
)
from pbem.games.crusade.rules.reinforcement import is_barred_from_islands
from pbem.games.crusade.rules.stacking import room_in
from pbem.games.crusade.rules.supply import supply_map
from pbem.games.crusade.tables import ENEMY, NATIONALIST
from pbem.messages import a_few, say
from pbem.value import replace, value

Places = dict[str, tuple[str, ...]]
"""The corps a side may place now, each with its legal spaces."""


@value
class CorpsDeployment(s.PlayerStage[Position]):
    """The common base of both deployments: whose turn it is, and how a corps is placed."""

    corps: tuple[str, ...]
    next: s.Side = NATIONALIST
    bumped: Bumped = frozenset()
    rule: str = ""

    @property
    def room_rule(self) -> str:
        """The rule of making room in a full space, if not that of the first corps."""
        return ""

    def waiting(self, position: Position, side: s.Side) -> tuple[str, ...]:
        return still_to_come(position, self.corps, side)

    def spaces(self, plan: Plan, unit: str) -> tuple[str, ...]:
        """The spaces where a corps may be placed now, in map order."""
        raise NotImplementedError

    def places(self, position: Position, side: s.Side) -> Places:
        """The spaces for each waiting corps; those without a place are missing."""
        plan = plan_of(self, position, side)
        found = {unit: self.spaces(plan, unit) for unit in plan.waiting}
        return {unit: spaces for unit, spaces in found.items() if spaces}

    @CITE.rule("15.2.1.1")
    def turn(self, position: Position) -> tuple[s.Side, Places] | None:
        """The side to deploy, with the spaces for its corps; a side with nothing left is
        skipped.
        """
        for side in (self.next, ENEMY[self.next]):
            if places := self.places(position, side):
                return side, places
        return None

    def mover(self, position: Position) -> s.Side | None:
        """The side to deploy."""
        turn = self.turn(position)
        return None if turn is None else turn[0]

    def ask(self, position: Position) -> s.Decision | None:
        turn = self.turn(position)
        if turn is None:
            return None
        side, places = turn
        ways = partial(_examples, position, places)
        # By default the corps with the least choice is placed.
        first = min(places, key=lambda unit: len(places[unit]))
        # In a full space it is a choice who makes room, even if there is no other space.
        to = places[first]
        is_only = len(places) == len(to) == 1 and room_in(position, to[0]) > 0
        return s.Decision(
            side=side,
            stage="corps",
            prompt=say("deploy a corps ({number} to go)", number=len(places)),
            rule=self.rule,
            options=(s.Option(Deploy, examples=ways, are_all=is_only),),
            default=_order(position, first, to[0]),
        )

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Deploy)
        story: s.Unfolding[Position] = s.Unfolding(position)
        bumped = self.bumped
        if order.to_reserve:
            story.happen(e.UnitSentToReserve(order.to_reserve))
            bumped |= {(order.to_reserve, order.to)}
        story.happen(e.UnitPlaced(order.unit, order.to))
        after = ENEMY[position.side_of(order.unit)]
        return story.outcome(keep=replace(self, next=after, bumped=bumped))


def _order(position: Position, unit: str, space: str) -> Deploy:
    """The order for a corps and a space; the first unit that can makes room, if needed."""
    if room_in(position, space) > 0:
        return Deploy(unit, space)
    return Deploy(unit, space, who_can_make_room(position, space)[0])


def _examples(position: Position, places: Places, some: s.Some) -> Iterator[s.Example]:
    """Orders for corps with the same spaces: one where there is room, and one where there is not.

    In the second, one of the units that can make room is named.
    """
    alike: dict[tuple[str, ...], list[str]] = {}
    for unit, spaces in places.items():
        alike.setdefault(spaces, []).append(unit)
    for spaces, units in some(tuple(alike.items())):
        room = tuple(space for space in spaces if room_in(position, space) > 0)
        full = tuple(space for space in spaces if space not in room)
        for open_to in (room, full):
            said = {"unit": tuple(units), "to": open_to}
            told = say(
                "{units}: {spaces}; a unit there makes room" if open_to is full
                else "{units}: {spaces}",
                units=", ".join(units), spaces=", ".join(open_to),
            )  # fmt: skip
            for space in tuple(some(open_to))[:1]:
                yield s.Example(_order(position, units[0], space), told, said)


@value
class InitialCorps(CorpsDeployment):
    """15.2.1: the twenty corps of the spring of 1937."""

    check = s.checks(*INITIAL_CHECKS)

    def spaces(self, plan: Plan, unit: str) -> tuple[str, ...]:
        return plan.spaces(unit)


@value
class ManoeuvreArmies(CorpsDeployment):
    """19.5.5.1: the corps that the players place in Republican Collapse."""

    check = s.checks(*ARMY_CHECKS)

    @property
    def room_rule(self) -> str:
        return self.rule

    def spaces(self, plan: Plan, unit: str) -> tuple[str, ...]:
        return army_spaces(plan, unit)


@value
@CITE.rule("15.2.1.2/f")
class UnplacedCorps(s.AutoStage[Position]):
    """A corps without a space leaves the game."""

    corps: tuple[str, ...]

    def run(self, position: Position) -> s.Outcome:
        left = [u for side in ENEMY for u in still_to_come(position, self.corps, side)]
        return s.Outcome(tuple(e.UnitEliminated(unit, for_good=True) for unit in left))


def first_corps(position: Position, first: s.Side, rule: str) -> tuple[Any, ...]:
    """The stages of 15.2.1."""
    corps = initial_corps(position)
    return (InitialCorps(corps, first, rule=rule), UnplacedCorps(corps))


# --- one corps moved ----------------------------------------------------------------------------


def shifted_corps(position: Position, side: s.Side) -> tuple[str, ...]:
    """The corps of a side on the map, which may be moved."""
    units = (unit for unit in position.tables.units if position.side_of(unit) == side)
    return tuple(u for u in units if position.type_of(u).is_corps and position.is_on_map(u))


def shift_spaces(position: Position, side: s.Side, unit: str) -> tuple[str, ...]:
    """Spaces that are controlled and supplied, with a friendly unit and room for one more."""
    supplied = supply_map(position, side).full
    here = position.place_of(unit)
    return tuple(
        space
        for space in position.spaces_of(side)
        if space in supplied
        and space != here
        and position.units_in(space)
        and room_in(position, space) > 0
        and not is_barred_from_islands(position, unit, space)
    )


@CITE.refusal("19.5.5.1/b")
def corps_may_be_shifted(
    stage: CorpsShift, position: Position, order: Deploy
) -> Iterator[s.Violation]:
    """One corps of the side moves to a supplied space with a friendly unit and room."""
    if order.unit not in shifted_corps(position, stage.side):
        yield s.Violation(
            say("{unit} is not one of your corps on the map", unit=repr(order.unit)), ("unit",)
        )
    elif order.to not in (spaces := shift_spaces(position, stage.side, order.unit)):
        yield s.Violation(
            say("{unit} cannot go to {to}", unit=order.unit, to=position.called(order.to)),
            ("to",),
            hint=say(
                "it may go to a space in supply that has one of your units and room for it: {some}",
                some=a_few(position.names_of(spaces)),
            ),
        )
    if order.to_reserve:
        yield s.Violation(say("no unit makes room for a corps that is moved"), ("to_reserve",))


@value
class CorpsShift(s.PlayerStage[Position]):
    """19.5.5.1: at the end a side may move one of its corps."""

    side: s.Side
    rule: str

    def ask(self, position: Position) -> s.Decision | None:
        corps = self._movable(position)
        if not corps:
            return None
        spaces = {each: None for unit in corps for each in shift_spaces(position, self.side, unit)}
        move = s.Option(Deploy, {"unit": s.OneOf(tuple(corps)), "to": s.OneOf(tuple(spaces))})
        return s.Decision(
            side=self.side,
            stage="one corps elsewhere",
            prompt=say("move a corps to another space, or say done"),
            rule=self.rule,
            options=(move, s.Option(Done, {})),
            default=Done(),
            optional=True,
        )

    check = s.by_verb({Deploy: s.checks((corps_may_be_shifted,)), Done: s.checks()})

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if isinstance(order, Deploy):
            return s.Outcome((e.StackMoved((order.unit,), (order.to,)),))
        return s.Outcome()

    def _movable(self, position: Position) -> Iterable[str]:
        corps = shifted_corps(position, self.side)
        return [unit for unit in corps if shift_spaces(position, self.side, unit)]
