"""9.2: where units move, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise

from pbem.board.movement import cheapest
from pbem.engine.model import Side, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.options import MOVE_ENDS
from pbem.games.madrid.orders import Assault, Move
from pbem.games.madrid.position import BAD_WEATHER, Position
from pbem.games.madrid.rules.asks import OfASide
from pbem.games.madrid.rules.control import opens_rivers
from pbem.games.madrid.rules.retreat import is_barred
from pbem.games.madrid.tables import ENEMY
from pbem.messages import Said, say, say_many
from pbem.value import value

Marching = Move | Assault


@value
class Ground:
    """The position as a stack finds it on its way.

    `own` are the places of the mover: those taken on the way, and those held and not given up.
    """

    position: Position
    side: Side
    own: frozenset[str]

    @cached_property
    def enemies(self) -> Mapping[str, tuple[str, ...]]:
        """The enemy's stacks by place."""
        return self.position.stacks[ENEMY[self.side]]

    @CITE.serves("3.5.1.a")
    def entered(self, place: str) -> Ground:
        """The ground after the stack enters: an empty enemy area is taken at once."""
        # reading: control changes during a move, and the stack may go on.
        if place in self.own or self.position.has_enemies(place, self.side):
            return self
        return Ground(self.position, self.side, self.own | {place})

    @CITE.serves("3.5.1.a")
    def left(self, place: str, units: Sequence[str]) -> Ground:
        """The ground after the stack leaves: an area left to the enemy is given up at once."""
        if not self.position.has_enemies(place, self.side):
            return self
        if set(self.position.units_at(place, self.side)).difference(units):
            return self
        return Ground(self.position, self.side, self.own - {place})


def ground_of(position: Position, side: Side) -> Ground:
    """The ground before the first step."""
    return Ground(position, side, position.own[side])


@CITE.rule("9.2.d", "9.2.e", "9.2.f", "9.2.g")
def step_cost(ground: Ground, here: str, there: str) -> int:
    """The movement points of one step."""
    board, own = ground.position.board, ground.own
    chart, enemies = board.charts["movement"], ground.enemies
    cost: int = chart["area"]
    if here not in own or here in enemies:
        cost += chart["leave_enemy"]
    if there not in own or there in enemies:
        cost += chart["enter_enemy"]
    if (here, there) in board.rivers and not (here in own and there in own):
        cost += chart["river"]
    return cost


def steps(
    position: Position, units: Sequence[str], path: Sequence[str]
) -> Iterator[tuple[Ground, str, str]]:
    """Each step of a stack along a path, with the ground at that moment."""
    ground = ground_of(position, position.side_of(units[0]))
    for here, there in pairwise(path):
        yield ground, here, there
        ground = ground.left(here, units).entered(there)


def costs(position: Position, units: Sequence[str], path: Sequence[str]) -> list[int]:
    """The movement points of each step of a stack along a path."""
    return [step_cost(*step) for step in steps(position, units, path)]


@CITE.rule("9.2.c")
def speed(position: Position, units: Sequence[str]) -> int:
    """The movement allowance of a stack, that of its slowest unit."""
    return min(position.face(unit).movement for unit in units)


def path_told(position: Position, units: Sequence[str], path: Sequence[str]) -> Said:
    """What a path costs, in words."""
    sums = " + ".join(map(str, costs(position, units, path)))
    return say_many("speed", "it costs {sums} of {speed} movement point",
                    "it costs {sums} of {speed} movement points", sums=sums,
                    speed=speed(position, units))  # fmt: skip


@CITE.rule("9.5.a", "9.2.h", "9.4.3.d", "9.5.h", "11.2.b")
def draws_fire(
    position: Position, side: Side, here: str, there: str, *, is_assault: bool,
    stack: Sequence[str] = (),
) -> bool:  # fmt: skip
    """Whether a step draws fire: into an enemy area with enemies and no friend.

    The step must cross a river, or be part of an assault in bad weather. The units of the `stack`
    are no friends of their own, wherever they still are.
    """
    # reading: an area without enemy units does not fire. In bad weather the other conditions hold.
    # An area with enemies and without a friend is theirs (3.5.1).
    covers = position.board.has_river(here, there) or (is_assault and BAD_WEATHER in position.facts)
    if not covers or not position.has_enemies(there, side):
        return False
    return set(stack).issuperset(position.units_at(there, side))


@CITE.serves("9.5.a", "9.2.a")
def areas_that_fire(
    position: Position, units: Sequence[str], path: Sequence[str], *, is_assault: bool
) -> Iterator[str]:
    """The areas of a path whose enemies may fire at the stack as it comes.

    A stack that comes back to an area it has left is not its own friend there.
    """
    side = position.side_of(units[0])
    for here, there in pairwise(path):
        if draws_fire(position, side, here, there, is_assault=is_assault, stack=units):
            yield there


@CITE.serves("9.2.k", "12.3.g")
def _steps_alone(position: Position, side: Side, order: Marching) -> Iterator[tuple[int, str]]:
    """The steps of a path into enemy areas without a friend who was there before."""
    for at, (ground, _, there) in enumerate(steps(position, order.units, order.path), 1):
        friends = set(position.units_at(there, side)).difference(order.units)
        if there not in ground.own and not friends:
            yield at, there


# ------------------------------------------------------------------- checks of a path


@CITE.check("9.2.b")
def follows_one_path(stage: OfASide, position: Position, order: Marching) -> Iterator[Violation]:
    """The units start in one place, move over boundaries, and end in one area."""
    # reading: no unit is dropped on the way.
    graph = position.board.graph
    start = position.places[order.units[0]]
    if len(order.path) < 2 or order.path[0] != start:
        message = say(
            "the path must begin with {start}, where the units are, and then list other areas",
            start=position.called(start),
        )
        given = [each for each in order.path if each != start]
        is_next = given == [*order.path] and given and graph.are_joined(start, given[0])
        path = ", ".join([start, *(given if is_next else ["..."])])
        yield Violation(message, ("path",), hint=say("write path: [{path}]", path=path))
        return
    for at, (here, there) in enumerate(pairwise(order.path), 1):
        if not graph.are_joined(here, there):
            near = tuple(map(position.called, graph.neighbours(here) if here in graph else ()))
            message = say(
                "{there} is not next to {here}",
                there=position.called(there),
                here=position.called(here),
            )
            yield Violation(
                message,
                ("path", at),
                hint=say("next to {here} are {near}", here=position.called(here), near=near),
            )
            return


@CITE.check("2.8")
def keeps_out_of_enemy_boxes(
    stage: OfASide, position: Position, order: Marching
) -> Iterator[Violation]:
    # reading: entering an own box costs 1 point, and it joins no other box.
    for at, place in enumerate(order.path):
        if position.is_box(place) and not position.is_friendly(place, stage.side):
            yield Violation(
                say("{place} is enemy-controlled", place=position.called(place)),
                ("path", at),
                hint=say("go another way"),
            )


@CITE.check("9.2.i")
def never_from_enemy_to_enemy(
    stage: OfASide, position: Position, order: Marching
) -> Iterator[Violation]:
    for at, (ground, here, there) in enumerate(steps(position, order.units, order.path), 1):
        if here not in ground.own and there not in ground.own:
            message = say(
                "{here} and {there} are both enemy-controlled",
                here=position.called(here),
                there=position.called(there),
            )
            hint = say("units cannot move from one enemy area to another")
            yield Violation(message, ("path", at), hint=hint)


@CITE.refusal("3.5.1.a")
def ends_where_it_conquers(
    stage: OfASide, position: Position, order: Marching
) -> Iterator[Violation]:
    if MOVE_ENDS not in position.options:
        return
    for at, place in enumerate(order.path[1:-1], 1):
        takes = not position.has_enemies(place, stage.side)
        if takes and not position.is_friendly(place, stage.side):
            message = say("the move ends in {place}, which it takes", place=position.called(place))
            yield Violation(
                message, ("path", at + 1), hint=say("end the path with {place}", place=place)
            )
            return


@CITE.check("9.2.j")
def has_the_movement_points(
    stage: OfASide, position: Position, order: Marching
) -> Iterator[Violation]:
    """A path fits the movement points; one area is always possible, whatever it costs."""
    needed, there = costs(position, order.units, order.path), speed(position, order.units)
    if len(needed) > 1 and sum(needed) > there:
        sums = " + ".join(map(str, needed))
        message = say(
            "this costs {sums} = {sum} movement points, and the stack has {there}",
            sums=sums,
            sum=sum(needed),
            there=there,
        )
        yield Violation(
            message,
            ("path",),
            hint=say("choose a shorter path; a move of one area is always possible"),
        )


@CITE.check("9.2.k")
def brings_guns_to_friends(
    stage: OfASide, position: Position, order: Marching
) -> Iterator[Violation]:
    # reading: the friend must be there before; units that move with the guns do not count.
    if not any(map(position.is_gun, order.units)):
        return
    for at, there in _steps_alone(position, stage.side, order):
        area = position.called(there)
        message = say(
            "artillery cannot enter {area}, an enemy area without a friendly unit", area=area
        )
        yield Violation(message, ("path", at), hint=say("send other units first"))


@CITE.refusal("12.1.d")
def keeps_to_its_bank(stage: OfASide, position: Position, order: Marching) -> Iterator[Violation]:
    # reading: a stack that opens the rivers during a move may cross them in the next step.
    def opens(place: str) -> bool:
        """Whether the stack lifts the ban by being there."""
        return opens_rivers(position.with_units(order.units, place))

    entered = set[str]()
    for at, (here, there) in enumerate(pairwise(order.path), 1):
        if is_barred(position, stage.side, here, there) and not any(map(opens, entered)):
            banks = (position.called(here), position.called(there))
            message = say("the river between {banks} may not be crossed yet", banks=banks)
            hint = say(
                "it opens when an urban area has at least as many Nationalist as Republican units"
            )
            rule = "12.3.c" if position.has("pause") else "12.1.d"
            yield Violation(message, ("path", at), rule=rule, hint=hint)
        entered.add(there)


@CITE.check("12.3.g")
def keeps_the_pause(stage: OfASide, position: Position, order: Marching) -> Iterator[Violation]:
    if not position.is_bound_by_pause(stage.side):
        return
    for at, place in _steps_alone(position, stage.side, order):
        message = say(
            "during the pause Nationalists may not enter {place}", place=position.called(place)
        )
        hint = say("only contested Republican areas may be entered")
        yield Violation(message, ("path", at), hint=hint)


@CITE.check("3.2.2")
def never_overstacks(stage: OfASide, position: Position, order: Marching) -> Iterator[Violation]:
    for at, place in enumerate(order.path[1:], 1):
        if position.room(place, stage.side) < len(order.units) and place != order.path[0]:
            there = len(position.units_at(place, stage.side))
            message = say_many(
                "there",
                "{there} of your units is in {place}",
                "{there} of your units are in {place}",
                there=there,
                place=position.called(place),
            )
            most = position.board.charts["limits"]["stacking"]
            yield Violation(
                message,
                ("path", at),
                hint=say("an area has room for {most} units of a side", most=most),
            )


@CITE.check("9.2.a")
def names_a_point_unit(stage: OfASide, position: Position, order: Marching) -> Iterator[Violation]:
    is_assault = isinstance(order, Assault)
    if order.point and order.point not in order.units:
        message = say("{point} does not take part", point=position.called(order.point))
        yield Violation(message, ("point",), hint=say("name one that does"))
    open_point = not order.point and len(order.units) > 1
    fire = areas_that_fire(position, order.units, order.path, is_assault=is_assault)
    if open_point and any(fire):
        message = say("name the point unit: the enemy may fire at the units that enter")
        yield Violation(message, (), hint=say("write point: with one of the units"))


PATH_CHECKS = (
    (follows_one_path,),
    (keeps_out_of_enemy_boxes,),
    (
        never_from_enemy_to_enemy, ends_where_it_conquers, has_the_movement_points,
        brings_guns_to_friends, keeps_to_its_bank, keeps_the_pause, never_overstacks,
        names_a_point_unit,
    ),
)  # fmt: skip
"""Rows of checks of a path, for a move and for an assault."""


Path = tuple[str, ...]


def reachable(position: Position, side: Side, units: Sequence[str]) -> tuple[Path, ...]:
    """A cheapest path to each place within reach of a stack, near ones first.

    Stacks of one place and speed share the result, but for those that are too large for some area,
    and those with guns.
    """
    crowd = len(units) if position.least_room(side) < len(units) else 0
    follows = position.is_bound_by_pause(side) or any(map(position.is_gun, units))
    key = "reachable", side, position.places[units[0]], speed(position, units), crowd, follows
    if key not in position.memo:
        position.memo[key] = tuple(_cheapest(position, *key[1:]))
    found: tuple[Path, ...] = position.memo[key]
    return found


@CITE.serves("9.2.i", "9.2.j", "9.2.k", "12.3.g", "3.5.1.a")
def _cheapest(
    position: Position, side: Side, start: str, points: int, crowd: int, follows: bool
) -> Iterator[Path]:
    """Paths round the areas without room for a `crowd`; 0: each area has room.

    `follows`: the stack enters enemy areas only where friends are.
    """
    first = ground_of(position, side)
    entered = cache(first.entered)
    ends = MOVE_ENDS in position.options
    friends, boxes = position.stacks[side], position.board.boxes

    def cost(here: str, there: str) -> int | None:
        ground = first if here == start else entered(here)
        own = ground.own
        if there not in own:
            if here not in own or there in boxes:
                return None
            if follows and there not in friends:
                return None
        if ends and here in own and here not in first.own:
            return None  # it is taken, and the move ends there
        if crowd and position.room(there, side) < crowd:
            return None
        needed = step_cost(ground, here, there)
        return min(needed, points) if here == start else needed  # a move of one area is possible

    return cheapest(start, position.board.graph.neighbours, cost, points)
