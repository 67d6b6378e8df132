"""What `pbem check` says about a legal order: what a move costs and why, where it stops, and how an
attack stands before anybody bombards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.board.ledger import counted, total
from pbem.engine.advice import Advice, ReadyAttack
from pbem.engine.model import Decision, Order, Side, State, Violation
from pbem.engine.tags import is_tag
from pbem.games.ctv.narration import cuts_told
from pbem.games.ctv.orders import (
    Advance,
    Attack,
    Breakthrough,
    Column,
    Following,
    Losses,
    Move,
    Retreat,
    SetUp,
    Support,
    Trade,
    UseColumns,
)
from pbem.games.ctv.position import RAIN, Combat, Position
from pbem.games.ctv.rules import bombardment, combat, cover, fate, movement, setup
from pbem.games.ctv.rules.naming import GROUND, MODIFIERS, called, place
from pbem.games.ctv.stages.combat import BreakingThrough, Entering, Fighting
from pbem.games.ctv.stages.cover import as_shown, opened
from pbem.games.ctv.stages.movement import MOVEMENT, Marching
from pbem.games.ctv.stages.setup import SettingUp
from pbem.games.ctv.tables import AIR, HEADQUARTERS, steps_of
from pbem.messages import Message, Row, Said, marked, say, say_many

ROAD, RIVER, RAINY = say("road"), say("river"), say("rain")
ANSWERS = Support | UseColumns | Losses | Trade | Retreat | Advance | Breakthrough
"""Orders that are asked for as an attack is resolved."""
IF_THEY_ADVANCE = marked("if they advance: {told}")
IF_THEY_BREAK_THROUGH = marked("if they break through: {told}")


def faults_of_set_up(
    position: Position, side: Side, order: SetUp, earlier: Iterable[SetUp]
) -> Iterator[Violation]:
    """The faults of a set-up given ahead of its die, in its author's view: those of covered
    counters nobody else could tell before the audit. It is supposed to be asked for, and what was
    given before to stand.
    """
    for each in earlier:
        for tag, hex in cover.in_tags(position, side, SetUp(each.units)).units.items():
            position = position.with_units((tag,), hex)
    units = cover.by_name(position, order).units
    divisions = {position.printed(unit).division for unit in units}
    if any(SettingUp(side, setup.RESERVE).check(position, order)):
        for division in sorted(divisions.intersection(position.board.divisions_by_die)):
            yield from SettingUp(side, division).check(position, order)


class Counsel(Advice):
    """The capability."""

    def foreseen(
        self, state: State[Any], side: Side, order: Order, before: Sequence[Order]
    ) -> tuple[tuple[Violation, ...], tuple[Said, ...]]:
        order = cover.in_tags(state.position, side, order)
        if isinstance(order, SetUp):
            earlier = [each for each in before if isinstance(each, SetUp)]
            return tuple(faults_of_set_up(state.position, side, order, earlier)), ()
        if isinstance(order, Move) and any(map(is_tag, order.units)):
            return (), (
                say("it lapses where a covered counter might break a rule, as far as both know"),
            )
        return (), ()

    def remarks(self, state: State[Any], order: Order) -> tuple[Said, ...]:
        match order:
            case Move():
                position: Position = state.position.seen(state.position.active)
                return tuple(_of_a_move(position, cover.by_name(position, order)))
            case Attack():
                return tuple(_of_an_attack(state, order))
            case Support():
                return tuple(_of_support(*as_shown(state, order)))
        return ()

    def behind(
        self, state: State[Any], order: Order, parts: Sequence[Mapping[str, Any]]
    ) -> tuple[Said, ...]:
        if isinstance(order, Attack):
            return tuple(_how_far_by_standing_orders(*as_shown(state, order), parts))
        return ()

    def ready(self, state: State[Any], decision: Decision) -> Sequence[ReadyAttack]:
        from pbem.games.ctv.ready import ready

        return ready(state, decision)

    def why_not_now(self, state: State[Any], order: Order) -> Violation | None:
        stage = state.agenda[-1]
        if isinstance(stage, Marching) and isinstance(order, Attack):
            return Violation(
                say("attacks come when your movement is over"), rule=MOVEMENT[stage.side],
                hint=say("end your movement with done before the first attack"),
            )  # fmt: skip
        if isinstance(stage, Marching | Fighting) and isinstance(order, ANSWERS):
            return Violation(say("it is an answer in an attack that is under way"), rule="10.2")
        if state.position.segment == "combat" and isinstance(order, Move | Column):
            return Violation(
                say("your movement is over"), rule=MOVEMENT[state.position.active],
                hint=say("write moves before the done that ends your movement"),
            )  # fmt: skip
        return None


# ------------------------------------------------------------------- moves


def _of_a_move(position: Position, order: Move) -> Iterator[Said]:
    path = (position.at(order.units[0]), *order.path)
    told: dict[tuple[int, bool, int], list[str]] = {}
    for unit in order.units:
        if is_tag(unit):
            continue
        is_motorised = position.printed(unit).is_motorised
        cost = movement.path_cost(position, unit, path)
        key = cost, is_motorised, movement.allowance(position, unit)
        told.setdefault(key, []).append(unit)
    for (cost, is_motorised, has), units in told.items():
        yield say_many(
            "has", "{units}: {cost} of {has} movement point, {steps}",
            "{units}: {cost} of {has} movement points, {steps}",
            units=tuple(called(position, unit) for unit in units),
            cost=movement.points_told(cost), has=has,
            steps=Row(tuple(_steps(position, units[0], path, is_motorised=is_motorised))),
        )  # fmt: skip
    yield from _of_its_ends(position, order, path)


def _steps(
    position: Position, unit: str, path: Sequence[str], *, is_motorised: bool
) -> Iterator[Message]:
    """What each step costs, and why."""
    side = position.side_of(unit)
    by_road = movement.roads_count(position, side, path[0], path[-1])
    leaving = movement.leaving_cost(position, side, path[0])
    if leaving:
        yield say("{cost} to leave an enemy zone", cost=movement.points_told(leaving))
    for here, there in steps_of(path):
        cost = movement.step_cost(position, here, there, is_motorised=is_motorised, by_road=by_road)
        yield say(
            "{cost} for {place} ({why})",
            cost=movement.points_told(cost),
            place=place(position, there),
            why=Row(tuple(_why(position, here, there, cost)), " + "),
        )


def _why(position: Position, here: str, there: str, cost: int) -> Iterator[Message]:
    crossed = position.board.sides.between(here, there)
    ground = position.terrain(there).enter
    rain = movement.rain_cost(position, there)
    if cost - rain < ground:
        yield ROAD
    else:
        yield GROUND[position.board.ground[there]]
        if "river" in crossed and "road" not in crossed:
            yield RIVER
    if rain:
        yield RAINY


def _of_its_ends(position: Position, order: Move, path: Sequence[str]) -> Iterator[Said]:
    side = position.side_of(order.units[0])
    has_road = any("road" in position.board.sides.between(*step) for step in steps_of(path))
    zoned = [hex for hex in (path[0], path[-1]) if position.is_in_enemy_zone(hex, side)]
    if has_road and zoned:
        yield say(
            "the roads do not count, since the move begins or ends in an enemy zone: {hexes} (8.2)",
            hexes=tuple(place(position, hex) for hex in dict.fromkeys(zoned)),
        )
    if position.is_in_enemy_zone(path[-1], side):
        yield say("{place} is in an enemy zone, and the units stop there (7.2)",
                  place=place(position, path[-1]))  # fmt: skip
    halved = tuple(called(position, unit) for unit in order.units if position.is_halved(unit))
    if halved:
        yield say("half of the movement points are left to {units} (6.3, 9.5)", units=halved)


# ------------------------------------------------------------------- attacks


def _of_an_attack(state: State[Position], given: Attack) -> Iterator[Said]:
    checked = fate.as_checked(state.position, (*given.units, given.hex))
    shown, order = as_shown(State(checked, state.agenda, state.seq), given)
    position = shown.position
    side, hex = position.active, order.hex
    attackers = combat.still_there(position, order.units)
    if not attackers or not position.units_at(hex):
        return  # the odds say who is lost to the lack of supply
    attack = combat.attack_strength(position, attackers)
    defence = combat.defence_strength(position, hex)
    shift = combat.first_turn_shift(position, side, hex)
    column, below = combat.column_of(position, attack, defence, shift)
    heading: Said = position.board.odds.heading(column)
    if shift:
        heading = say("{column}, moved to the right in the first turn", column=heading)
    told = say("{attack} against {defence}, column {column}", attack=attack, defence=defence,
               column=heading)  # fmt: skip
    added = dict(combat.modifiers(position, hex, attackers)) | ({"below": below} if below else {})
    ledger = counted(added.items())
    if ledger:
        why = Row(tuple(say("{what} {number}", what=MODIFIERS[name], number=_signed(number))
                        for name, number in ledger))  # fmt: skip
        told = say("{told}; die {number} ({why})", told=told, number=_signed(total(ledger)),
                   why=why)  # fmt: skip
    yield say("before anybody bombards: {told}", told=told)
    yield from _how_far(position, side, order)
    if combat.support_of(order) is None:
        yield from _who_can_bombard(state, given)


def _how_far(position: Position, side: Side, order: Attack) -> Iterator[Said]:
    """Where the advance that is ordered would be cut short, if the hex is empty and all are left,
    as everybody else stands now.
    """
    after = combat.emptied(position, order)
    if isinstance(order.breakthrough, Mapping):
        far = BreakingThrough(side).as_far(after, order.breakthrough.items()).paths
        cuts = combat.cut_short(after, side, order.breakthrough, far)
        for told in cuts_told(after, cuts, far):
            yield say(IF_THEY_BREAK_THROUGH, told=told)
    if isinstance(order.advance, Following):
        going = Entering(side).as_many(after, order.advance.units).units
        way = (order.hex,)
        ways, gone = dict.fromkeys(order.advance.units, way), dict.fromkeys(going, way)
        for told in cuts_told(after, combat.cut_short(after, side, ways, gone), gone):
            yield say(IF_THEY_ADVANCE, told=told)


def _how_far_by_standing_orders(
    state: State[Position], order: Attack, parts: Sequence[Mapping[str, Any]]
) -> Iterator[Said]:
    """The same of ways that stand in standing orders, where the attack says nothing of them."""
    after, side = combat.emptied(state.position, order), state.position.active
    if not order.breakthrough:
        for told in _left_out(after, BreakingThrough(side), parts):
            yield say(IF_THEY_BREAK_THROUGH, told=told)
    if not order.advance:
        for told in _left_out(after, Entering(side), parts):
            yield say(IF_THEY_ADVANCE, told=told)


def _left_out(
    position: Position, stage: Entering | BreakingThrough, parts: Sequence[Mapping[str, Any]]
) -> Iterator[Said]:
    """What the first standing orders that answer a question say there and cannot do."""
    from pbem.engine.policies import answering, scopes  # most attacks are made without
    from pbem.games.ctv.policies.table import TABLE

    state, asked = State(position, (stage,)), stage.ask(position)
    for part in parts:
        if scopes.covers(TABLE, state, asked, part["slot"], part["scope"], part["until"]):
            yield from answering.left_out(TABLE, state, asked, part["doc"])
            return


def _who_can_bombard(state: State[Position], given: Attack) -> Iterator[Said]:
    """In the view of who attacks: their own covered headquarters too."""
    stage = state.agenda[-1]
    assert isinstance(stage, Fighting)
    story, order = opened(state.position, stage, given)
    units = tuple(unit for those in order.units.values() for unit in those)
    battle, seen = Combat(order.hex, units), story.position.seen(stage.side)
    able = tuple(
        called(seen, unit)
        for type in (AIR, HEADQUARTERS)
        for unit in bombardment.supporters(seen, battle, stage.side, type)
    )
    if able:
        yield say("you can bombard with {units}", units=able)
    elif seen.weather == RAIN:
        yield say("it rains, and no headquarters is near: nobody of yours can bombard")
    if not able and bombardment.may_support(story.position, battle, stage.side):
        yield say(
            "you are asked for support all the same: the enemy cannot know that no covered counter "
            "near is a headquarters (5.2)"
        )


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−")


def _of_support(state: State[Position], order: Support) -> Iterator[Said]:
    """How many points it comes to, with the columns that are said already, and what that brings."""
    from pbem.games.ctv.odds import supported

    position = state.position
    battle = position.combat
    units = [*order.air, *order.hq]
    if isinstance(order.columns, Mapping):
        used = [hex for hex, number in order.columns.items() if number]
        units += [column for hex in used for column in position.columns_at(hex)]
    if units:
        side = position.side_of(units[0])
        theirs = [unit for unit in battle.support if position.side_of(unit) != side]
        yield say("bombardment points: {mine} to {theirs} so far",
                  mine=bombardment.points_of(position, units),
                  theirs=bombardment.points_of(position, theirs))  # fmt: skip
    yield supported(state, order)


COUNSEL: Advice = Counsel()
