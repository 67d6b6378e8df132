"""11.4, 11.5: the checks of a retreat, of its cancelling and of an advance."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.mentions import in_turn
from pbem.engine.model import Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Advance, CancelRetreat, Retreat
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.advance import advance_paths, may_advance, who_may_advance
from pbem.games.crusade.rules.asks import KnowsWays
from pbem.games.crusade.rules.losses import why_no_replacement
from pbem.games.crusade.rules.options_combat import is_safe
from pbem.games.crusade.rules.retreat import (
    ONE_MORE,
    Ways,
    enemy_spaces,
    heirs_of,
    length_rule,
    payers,
    retreat_length,
    why_barred,
)
from pbem.games.crusade.rules.stacking import room_in
from pbem.messages import Said, any_of, say, say_many


def _named(position: Position, path: tuple[str, ...]) -> str:
    return " - ".join(position.space(space).name for space in path)


# --- cancelling ---------------------------------------------------------------------------------


@CITE.refusal("11.4.3")
def a_defender_pays(stage: object, position: Position, order: CancelRetreat) -> Iterator[Violation]:
    """A unit of the stack pays the step, and something is left after it."""
    could = payers(position, position.fought)
    if order.by and order.by not in could:
        yield Violation(
            say("{by} cannot pay for staying", by=order.by),
            at=("by",),
            hint=say("it could be {could}", could=any_of(could)),
        )
    if order.successor and not order.by:
        yield Violation(
            say("no corps is eliminated here, so no unit takes its place"),
            at=("successor",),
            rule="11.3.5",
            hint=say("leave the successor out, or name under by: a corps that pays"),
        )


@CITE.refusal("11.3.5.2")
def payer_is_replaced(
    stage: object, position: Position, order: CancelRetreat
) -> Iterator[Violation]:
    """Only an eliminated corps is replaced, by a division that may."""
    if not order.successor:
        return
    dies = position.type_of(order.by).is_corps and position.steps_left(order.by) == 1
    heirs = heirs_of(position, position.fought, order.by) if dies else ()
    if order.successor not in heirs:
        yield Violation(
            say("{successor} may not replace {by}", successor=order.successor, by=order.by),
            at=("successor",),
            rule=why_no_replacement(position, order.by, order.successor) if dies else "11.3.5",
            hint=say("it could be {heirs}", heirs=any_of(heirs)) if heirs else "",
        )


@CITE.refusal("18.2.9")
def second_step_is_owed(
    stage: object, position: Position, order: CancelRetreat
) -> Iterator[Violation]:
    """A defender that paid the first of two steps to stay also pays the second."""
    if not order.by and position.fought.paid:
        could = ", ".join(payers(position, position.fought))
        hint = say("it could be {could}", could=could)
        yield Violation(say("staying costs a second step here"), at=("by",), hint=hint)


CANCEL_CHECKS = ((a_defender_pays, second_step_is_owed), (payer_is_replaced,))


# --- retreating ---------------------------------------------------------------------------------


def way_of(left: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """The spaces a retreat enters; as in a move, the space left may be listed first."""
    return path[1:] if path[:1] == (left,) else path


@CITE.refusal("11.4.1")
def unit_has_to_retreat(stage: object, position: Position, order: Retreat) -> Iterator[Violation]:
    """The unit is a defeated defender that has not retreated yet."""
    units = position.fought.defenders(position)
    if order.unit not in units:
        yield Violation(
            say("{unit} does not have to retreat now", unit=order.unit),
            at=("unit",),
            hint=say("it could be {units}", units=any_of(units)),
        )


@CITE.check("11.4.5")
def steps_are_open(stage: KnowsWays, position: Position, order: Retreat) -> Iterator[Violation]:
    """Each step goes to an adjacent space that no rule closes."""
    here = position.fought.space
    way = way_of(here, order.path)
    skipped = len(order.path) - len(way)
    for place, space in enumerate(way):
        where = ("path", place + skipped)
        if not position.is_open_for_play(space):
            yield position.not_there(space, *where)
            return
        name = position.space(space).name
        if not position.are_adjacent(here, space):
            text = say("{name} is not next to {space}", name=name, space=position.space(here).name)
            yield Violation(text, at=where, hint=_ways(stage, position))
            return
        reason, rule = why_barred(position, position.fought, space)
        if reason:
            yield Violation(reason, at=where, rule=rule, hint=_ways(stage, position))
        here = space


@CITE.check("11.4.5/d")
def enters_no_space_twice(stage: object, position: Position, order: Retreat) -> Iterator[Violation]:
    """A retreat does not enter a space twice."""
    for place, space, is_again in in_turn(order.path):
        if is_again:
            name = position.space(space).name
            yield Violation(say("{name} is entered twice", name=name), at=("path", place))


@CITE.refusal("11.4.2")
def goes_the_distance(stage: KnowsWays, position: Position, order: Retreat) -> Iterator[Violation]:
    """A retreat is one or two spaces by the Loss Numbers, and one more only to find room."""
    length = retreat_length(position, position.fought)
    longest = max(len(path) for path in stage.ways(position).paths)
    if not length <= len(way_of(position.fought.space, order.path)) <= max(length, longest):
        yield Violation(
            say_many(
                "spaces",
                "the retreat is {spaces} space long",
                "the retreat is {spaces} spaces long",
                spaces=length,
            ),
            at=("path",),
            rule=length_rule(position, position.fought),
            hint=_ways(stage, position),
        )


@CITE.refusal("11.4.5/g")
def best_way_is_taken(stage: KnowsWays, position: Position, order: Retreat) -> Iterator[Violation]:
    """The retreat is of the best kind that exists: friendly, then with room, then in supply."""
    ways = stage.ways(position)
    way = way_of(position.fought.space, order.path)
    if way not in ways.paths:
        rule, reason = _why_not(position, ways, way)
        yield Violation(
            say("{way} is not a legal retreat: {reason}", way=_named(position, way), reason=reason),
            at=("path",),
            rule=rule,
            hint=_ways(stage, position),
        )


def _why_not(position: Position, ways: Ways, way: tuple[str, ...]) -> tuple[str, Said]:
    """The first rule by which a way is worse than those that exist, and why."""
    combat, end = position.fought, position.space(way[-1])
    enemy, fewest = (enemy_spaces(position, combat, path) for path in (way, ways.paths[0]))
    if combat.withdrawal and not is_safe(position, combat, end.id):
        return "18.3.1", say("{space} is next to an enemy unit", space=end.name)
    if enemy > fewest > 0 and not position.option("Q7"):
        return "11.4.5/h", say("a retreat over fewer enemy spaces is possible")
    # Friendly ground comes before room, and one more space is the way out of a full one.
    is_as_good = bool(fewest) or not enemy
    if is_as_good and ways.rule != ONE_MORE[0] and room_in(position, end.id) < 1:
        return "11.4.5/g", say("{space} is full, and another way is not", space=end.name)
    return ways.rule, say(ways.reason)


def _ways(stage: KnowsWays, position: Position) -> Said:
    paths = [_named(position, path) for path in stage.ways(position).paths]
    return say("legal retreats: {paths}", paths="; ".join(paths))


RETREAT_CHECKS = (
    (unit_has_to_retreat,),
    (steps_are_open,),
    (enters_no_space_twice,),
    (goes_the_distance,),
    (best_way_is_taken,),
)


# --- advancing ----------------------------------------------------------------------------------


@CITE.check("11.1.7/a")
def advancers_took_part(stage: object, position: Position, order: Advance) -> Iterator[Violation]:
    """Only attackers of this combat advance, each once."""
    could = who_may_advance(position, position.fought)
    for place, unit, is_again in in_turn(order.units):
        if unit not in could:
            yield Violation(
                say("{unit} may not advance", unit=unit),
                at=("units", place),
                hint=say("it could be {could}", could=any_of(could)),
            )
        elif is_again:
            yield Violation(say("{unit} is named twice", unit=unit), at=("units", place))


@CITE.check("11.5.3")
def follows_the_retreat(stage: object, position: Position, order: Advance) -> Iterator[Violation]:
    """An advance enters the attacked space, and goes on only after a retreat of two spaces."""
    if not order.units:
        if order.to:
            yield Violation(say("no unit advances"), at=("to",))
        return
    paths = advance_paths(position, position.fought)
    if order.to not in paths:
        written = "; ".join(_named(position, path) for path in paths)
        yield Violation(
            say("the advance cannot go there"),
            at=("to",),
            rule=_why_no_further(position, order.to),
            hint=say("it can go to {written}", written=written),
        )


@CITE.serves("11.5.2", "11.5.3", "11.5.4")
def _why_no_further(position: Position, to: tuple[str, ...]) -> str:
    """The rule by which an advance does not take this path; empty if it strays from the retreat."""
    combat = position.fought
    if not combat.followed:
        return "11.5.2"
    return "11.5.4" if any(position.units_in(space, combat.defender) for space in to) else ""


@CITE.refusal("9.1.1")
def advance_fits(stage: object, position: Position, order: Advance) -> Iterator[Violation]:
    """No more than three units end the advance in a space."""
    if order.units and len(order.units) > room_in(position, order.to[-1]):
        name = position.space(order.to[-1]).name
        room = room_in(position, order.to[-1])
        yield Violation(
            say_many(
                "room",
                "{name} has room for {room} unit",
                "{name} has room for {room} units",
                name=name,
                room=room,
            ),
            at=("units",),
        )


@CITE.refusal("16.4.2.1")
def advance_cooperates(stage: object, position: Position, order: Advance) -> Iterator[Violation]:
    """Regional units of the north end only where their regions allow."""
    for place, unit in enumerate(order.units):
        found = may_advance(
            position, position.fought, unit, order.to, order.units, order.units[:place]
        )
        if found is not None:
            yield Violation(found.message, at=("units", place), rule=found.rule)


ADVANCE_CHECKS = (
    (advancers_took_part, follows_the_retreat),
    (advance_fits, advance_cooperates),
)
