"""10.1: how a stack may move."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from pbem.engine.mentions import in_turn
from pbem.engine.model import Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Done, Fortify, Move
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules import north, round_end
from pbem.games.crusade.rules.asks import Moving, OfASide
from pbem.games.crusade.rules.options_operations import joins_the_attack
from pbem.games.crusade.rules.options_supply import are_joined_by_corridor
from pbem.games.crusade.rules.round_end import NEW_ENEMY_SPACES
from pbem.games.crusade.rules.stacking import full_words, who_stands_in
from pbem.games.crusade.tables import ENEMY, PEOPLE
from pbem.late import Late
from pbem.messages import marked, say, say_many
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.engine import mentions
else:  # few orders name the enemy's units
    mentions = Late("pbem.engine.mentions")


@CITE.check("2.2.1")
def names_known_units(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    """Each unit named is the mover's own, on the map, and named once."""
    if not order.units:
        yield Violation(say("no unit is named"), ("units",))
    enemy = ENEMY[stage.side]
    theirs = [
        mentions.Named("unit", unit, ("units", number))
        for number, unit in enumerate(order.units)
        if unit in position.counters and position.side_of(unit) == enemy
    ]
    if theirs:
        yield mentions.of_the_enemy(theirs, len(order.units), theirs[0].name, PEOPLE[stage.side],
                                    PEOPLE[enemy])  # fmt: skip
    for number, unit, is_again in in_turn(order.units):
        if unit not in position.counters:
            yield Violation(say("no unit is named {unit}", unit=repr(unit)), ("units", number))
        elif is_again:
            yield Violation(say("{unit} is named twice", unit=unit), ("units", number))


@CITE.refusal("10.1.4")
def names_known_path(stage: object, position: Position, order: Move) -> Iterator[Violation]:
    """The path names the space of the stack and at least one more."""
    for number, space in enumerate(order.path):
        if not position.is_open_for_play(space):
            yield position.not_there(space, "path", number)
    if len(order.path) < 2:
        start = _where_all_stand(position, order.units)
        entered = [space for space in order.path if space != start] or ["..."]
        if start and not {*entered, "..."} - {"..."} <= set(position.neighbours(start)):
            entered = ["...", *entered]
        yield Violation(
            say("a path lists the space where the units are and then each space they enter"),
            ("path",),
            hint=say("write path: [{entered}]", entered=", ".join((start, *entered)))
            if start
            else "",
        )


def _where_all_stand(position: Position, units: tuple[str, ...]) -> str:
    """The space of the units, if they are together."""
    places = {position.place_of(unit) for unit in units if unit in position.counters}
    return places.pop() if len(places) == 1 and position.is_open_for_play(min(places)) else ""


@CITE.check("10.1.1")
def units_stand_together(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    """All units of a stack are in the first space of its path."""
    start, together = order.path[0], _where_all_stand(position, order.units)
    if len(order.units) > 1 and together not in ("", start):
        yield Violation(
            say(
                "{units} are not in {space}",
                units=tuple(order.units),
                space=position.space(start).name,
            ),
            ("path", 0),
            hint=say(
                "they are in {together}; a path begins where the units are",
                together=position.called(together),
            ),
        )
        return
    for number, unit in enumerate(order.units):
        if position.place_of(unit) != start:
            yield Violation(
                say("{unit} is not in {space}", unit=unit, space=position.space(start).name),
                ("units", number),
                hint=who_stands_in(position, start, stage.side, unit),
            )


@CITE.refusal("8.2.3")
def space_is_marked_for_movement(
    stage: Moving, position: Position, order: Move
) -> Iterator[Violation]:
    """Only stacks of spaces activated for movement move."""
    if order.path[0] not in stage.move:
        marked = ", ".join(position.space(space).name for space in stage.move)
        yield Violation(
            say("{space} was not activated for movement", space=position.space(order.path[0]).name),
            ("path", 0),
            hint=say("activated were {marked}", marked=marked),
        )


@CITE.check("10.1.6")
def not_moved_before(stage: Moving, position: Position, order: Move) -> Iterator[Violation]:
    """A unit moves once a round."""
    for number, unit in enumerate(order.units):
        if unit in stage.moved:
            yield Violation(
                say("{unit} has already moved this round", unit=unit), ("units", number)
            )


@CITE.refusal("10.2.1/b")
def does_not_build(stage: Moving, position: Position, order: Move) -> Iterator[Violation]:
    """A unit that builds does not move."""
    for number, unit in enumerate(order.units):
        if any(unit == digger for _, digger in stage.diggers):
            yield Violation(
                say("{unit} is building, so it cannot move", unit=unit), ("units", number)
            )


@CITE.rule("10.1.5")
@CITE.check("10.1.4")
def path_is_connected(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    """Each step follows a road, river or beach head link; border links do not serve."""
    for number, (here, there) in enumerate(pairwise(order.path), start=1):
        corridor = _leads_through_the_corridor(stage, position, order, number)
        if not position.are_adjacent(here, there) and not corridor:
            near = ", ".join(position.space(space).name for space in position.neighbours(here))
            yield Violation(
                say(
                    "{space} is not next to {space_name}",
                    space=position.space(there).name,
                    space_name=position.space(here).name,
                ),
                ("path", number),
                hint=say(
                    "from {space} you can reach {near}", space=position.space(here).name, near=near
                ),
            )


@CITE.serves("18.2.3", "10.1.9")
def _leads_through_the_corridor(
    stage: OfASide, position: Position, order: Move, number: int
) -> bool:
    """Whether a step of the path uses the corridor, as it is after the previous steps."""
    here, there = order.path[number - 1 : number + 1]
    return are_joined_by_corridor(position, stage.side, here, there, order.path[:number])


@CITE.refusal("18.2.3")
def only_divisions_use_the_corridor(
    stage: OfASide, position: Position, order: Move
) -> Iterator[Violation]:
    """No corps moves through the corridor to Oviedo."""
    crossed = any(
        _leads_through_the_corridor(stage, position, order, number)
        for number in range(1, len(order.path))
    )
    for number, unit in enumerate(order.units):
        if crossed and position.type_of(unit).is_corps:
            yield Violation(
                say("{unit} is a corps, and corps cannot use the corridor", unit=unit),
                ("units", number),
            )


@CITE.check("10.1.3")
def within_movement_factor(stage: object, position: Position, order: Move) -> Iterator[Violation]:
    """The path fits the movement factor of the slowest unit, at one point for each space."""
    steps = len(order.path) - 1
    for number, unit in enumerate(order.units):
        allowance = position.factors(unit).mf
        if steps > allowance:
            yield Violation(
                say_many(
                    "allowance",
                    "{unit} moves at most {allowance} space, and the path has {steps}",
                    "{unit} moves at most {allowance} spaces, and the path has {steps}",
                    unit=unit,
                    allowance=allowance,
                    steps=steps,
                ),
                ("units", number),
            )


@CITE.rule("9.1.3")
@CITE.check("10.1.7")
def enters_no_enemy_units(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    """No step enters a space with enemy units."""
    for number, space in enumerate(order.path[1:], start=1):
        if position.occupier(space) == ENEMY[stage.side]:
            yield Violation(
                say("{space} has enemy units", space=position.space(space).name),
                ("path", number),
                hint=say(
                    "activate {space} for combat to attack from it",
                    space=position.space(order.path[0]).name,
                ),
            )


@CITE.check("10.1.12")
def at_most_two_enemy_spaces(stage: Moving, position: Position, order: Move) -> Iterator[Violation]:
    """A stack enters at most two spaces that the enemy controlled when the round began."""
    entered = [space for space in dict.fromkeys(order.path[1:]) if space in stage.hostile]
    if len(entered) > NEW_ENEMY_SPACES:
        third = order.path.index(entered[NEW_ENEMY_SPACES])
        yield Violation(
            say(
                "{space} would be the third space that was enemy-controlled when the round began",
                space=position.space(entered[NEW_ENEMY_SPACES]).name,
            ),
            ("path", third),
        )


@CITE.check("10.1.11")
def does_not_end_on_attack_marker(
    stage: Moving, position: Position, order: Move
) -> Iterator[Violation]:
    """A space activated for combat may be crossed, but a move may not end there."""
    if order.path[-1] in stage.attack and not joins_the_attack(position, order.units):
        yield Violation(
            say(
                "{space} is activated for combat; a move may pass through it but not end there",
                space=position.space(order.path[-1]).name,
            ),
            ("path", len(order.path) - 1),
        )


@CITE.refusal("9.1.2")
def leaves_a_legal_end(stage: Moving, position: Position, order: Move) -> Iterator[Violation]:
    """The stacking limit is suspended, but units still to move must be able to restore it."""
    # reading: a full space may be entered as long as the units that have not moved can bring every
    # space back to three units, counting every move open to each of them but not the limits that
    # several units share; this is judged when movement is over, before anything is built or fought.
    after = round_end.after_walk(stage, position, order.units, order.path)
    stuck = round_end.stuck_in_movement(*after)
    if stuck:
        at = ("path", len(order.path) - 1) if stuck == order.path[-1] else ("units",)
        yield _stuck(after[1], stuck, at)


@CITE.refusal("9.1.2")
def building_leaves_a_legal_end(
    stage: Moving, position: Position, order: Fortify
) -> Iterator[Violation]:
    """A unit does not build if a space could then not return to its limit."""
    stuck = round_end.stuck_in_movement(_building(stage, order), position)
    if stuck:
        yield _stuck(position, stuck, ("by",))


def _building(stage: Moving, order: Fortify) -> Moving:
    return replace(stage, diggers=(*stage.diggers, (order.space, order.by)))


STUCK = marked(
    "{space} would have {units} units; the limit is {limit}, and none of them could leave"
)


def _stuck(position: Position, space: str, at: tuple[str | int, ...]) -> Violation:
    units = position.units_in(space)
    return Violation(
        full_words(position, space, STUCK),
        at,
        hint=say("these would be there: {units}", units=", ".join(units)),
    )


@CITE.refusal("9.1.2")
def leaves_no_space_too_full(stage: Moving, position: Position, order: Done) -> Iterator[Violation]:
    """Movement does not end with more than three units in a space, if that can be avoided."""
    full = round_end.too_full(position, stage.side)
    if full and stage.mending(position) is not None:
        units = ", ".join(u for u in position.units_in(full[0]) if u not in stage.moved)
        yield Violation(
            full_words(position, full[0]),
            hint=say("move {units} on", units=units) if units else say("move other units out"),
        )


@CITE.refusal("16.4.2.1")
def regions_cooperate(stage: Moving, position: Position, order: Move) -> Iterator[Violation]:
    """Which units may end in the Northern Front, and where its regional units may end (16.4)."""
    for number, unit in enumerate(order.units):
        violation = north.may_end(
            position,
            unit,
            order.path[-1],
            arriving=order.units,
            path=order.path[1:],
            can_go_home=can_walk_home(stage, position, unit),
        )
        if violation is not None:
            yield replace(violation, at=("units", number))


@CITE.serves("16.4.2.4")
def can_walk_home(stage: Moving, position: Position, unit: str) -> bool:
    """Whether a surplus guest could end this movement in its own region."""
    return any(guest == unit for guest, _ in round_end.ways_home(stage, position))


@CITE.refusal("16.4.2.4")
def lets_guests_go_home(stage: Moving, position: Position, order: Move) -> Iterator[Violation]:
    """Surplus guests of an activated space go home if they can: no order prevents it."""
    due = round_end.homeward(stage, position)
    if not due:
        return
    gone = sum(
        north.is_guest_too_many(position, unit)
        and position.space(order.path[-1]).region == position.type_of(unit).region
        for unit in order.units
    )
    after = round_end.after_walk(stage, position, order.units, order.path)
    if gone + round_end.homeward(*after) < due:
        yield _must_go(stage, position)


@CITE.refusal("16.4.2.4")
def builders_let_guests_go_home(
    stage: Moving, position: Position, order: Fortify
) -> Iterator[Violation]:
    """A surplus guest that can go home does not build instead."""
    due = round_end.homeward(stage, position)
    if round_end.homeward(_building(stage, order), position) < due:
        yield _must_go(stage, position)


@CITE.refusal("16.4.2.4")
def guests_have_gone_home(stage: Moving, position: Position, order: Done) -> Iterator[Violation]:
    """Movement does not end before surplus guests that can go home have done so."""
    if round_end.homeward(stage, position):
        yield _must_go(stage, position)


def _must_go(stage: Moving, position: Position) -> Violation:
    unit, path = next(round_end.ways_home(stage, position))
    return Violation(
        say("{unit} is one guest too many from another region and must go home now", unit=unit),
        hint=say("move {unit} to {space}", unit=unit, space=position.space(path[-1]).name),
    )
