"""Warnings: what is legal but unwise (engine/warnings.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine import kernel
from pbem.engine.choices import SomeOf
from pbem.engine.model import Decision, Order, Side, State, Unfolding
from pbem.engine.warnings import Danger
from pbem.games.crusade.orders import Activate, Attack, Move, Play, Redeploy
from pbem.games.crusade.position import ROUNDS, TURNS_ABROAD, Position, in_stack_order
from pbem.games.crusade.rules.attrition import is_over, lost_units
from pbem.games.crusade.rules.ground import end_isolation
from pbem.games.crusade.rules.options_operations import points_needed
from pbem.games.crusade.rules.ranking import FLIP, place_of
from pbem.games.crusade.rules.supply import friendly_sources
from pbem.games.crusade.rules.victory import is_last_turn, no_unit_changes_the_result
from pbem.games.crusade.rules.winter import winter_turns
from pbem.games.crusade.tables import ENEMY, REPUBLICAN
from pbem.messages import Either, Said, say, say_many
from pbem.value import replace

Table = State[Position]


def dangers(state: Table, side: Side) -> tuple[Danger, ...]:
    """Units that attrition would take, undefended ground, stacks that cannot retreat, a landing
    about to fail.
    """
    position = state.position
    return (
        *_out_of_supply(position, side), *_unguarded(position, side), *_cut_off(position, side),
        *_landing(position, side),
    )  # fmt: skip


def unwise(state: Table, order: Order) -> tuple[Danger, ...]:
    """A ranking that loses a unit although another could be reduced; a card, or operations points,
    that lapse unused; what can no longer bear fruit before the scenario ends.
    """
    if isinstance(order, Redeploy):
        return tuple(_away_for_good(state.position, order))
    if isinstance(order, Play):
        return tuple(_too_late(state.position, order))
    if isinstance(order, Activate):
        return tuple(_unspent(state, order))
    if isinstance(order, Move):
        return tuple(_uncovering(state.position, order))
    if not isinstance(order, Attack):
        return ()
    return (*_killing(state.position, order), *_wasting(state, order))


def _away_for_good(position: Position, order: Redeploy) -> Iterator[Danger]:
    """A corps that crosses the border and would come back after the last turn."""
    known = position.tables.units.get(order.unit)
    last = position.tables.sheet(position.scenario)["last_turn"]
    back = position.turn + TURNS_ABROAD
    is_skipped = back == last and no_unit_changes_the_result(position.but(turn=last))
    is_lost = back > last or is_skipped
    if order.by == "border" and known is not None and known.is_corps and is_lost:
        told = say(
            "{unit} would be back on turn {back}, and turn {last} is the last: it is lost to this "
            "game",
            unit=order.unit, back=back, last=last,
        )  # fmt: skip
        if back == last:
            told = say(
                "{unit} would be back at the end of turn {back}, the last, which has no "
                "Replacement Phase as things stand: it is lost to this game",
                unit=order.unit, back=back,
            )  # fmt: skip
        yield Danger(told, "13.4.3")


def _too_late(position: Position, order: Play) -> Iterator[Danger]:
    """A severe winter (R16) after which no winter comes in this scenario."""
    last = position.tables.sheet(position.scenario)["last_turn"]
    if order.use != "event" or order.card != SEVERE_WINTER:
        return
    if not any(position.turn < turn <= last for turn in winter_turns(position.tables)):
        told = say(
            "no winter comes any more before turn {last}, the last: the event has no effect",
            last=last,
        )
        yield Danger(told, "16.5.3")


SEVERE_WINTER = "R16"


def _out_of_supply(position: Position, side: Side) -> Iterator[Danger]:
    """By space, the units that are lost if the turn ends like this.

    Once the side's attrition of the turn is over they have until the next one, if there is any.
    """
    over = is_over(position, side)
    if over and is_last_turn(position):
        return
    lost = lost_units(position, side)
    for space in dict.fromkeys(position.place_of(unit) for unit in lost):
        units = [unit for unit in lost if position.place_of(unit) == space]
        yield Danger(
            say_many(
                "units",
                "{units} in {space} is out of supply, and lost if {turn} ends so",
                "{units} in {space} are out of supply, and lost if {turn} ends so",
                units=tuple(units),
                space=position.called(space),
                turn=say("the next turn") if over else say("the turn"),
            ),
            "13.3.5",
            is_pressing=position.round == ROUNDS and not over,
        )


def _unguarded(position: Position, side: Side) -> Iterator[Danger]:
    """Capitals and sources that an adjacent enemy can enter."""
    sources = friendly_sources(position, side)
    for space in position.spaces_of(side):
        if not (space in sources or position.space(space).capital) or position.units_in(space):
            continue
        near = _enemies_near(position, side, space)
        if near:
            yield Danger(
                say(
                    "{space}, a source, has no unit, and the enemy in {near} can take it"
                    if space in sources
                    else "{space}, a capital, has no unit, and the enemy in {near} can take it",
                    space=position.called(space),
                    near=tuple(near),
                ),
                "10.1.9",
            )


def _cut_off(position: Position, side: Side) -> Iterator[Danger]:
    """Stacks next to the enemy without adjacent friendly ground."""
    for space in position.spaces_of(side):
        if not position.units_in(space, side):
            continue
        near = position.neighbours(space)
        enemies = [each for each in near if position.occupier(each) == ENEMY[side]]
        if not enemies:
            continue
        name = position.called(space)
        if len(enemies) == len(near):
            told = say(
                "units in {name} cannot retreat: enemy units are in every space next to it",
                name=name,
            )
            yield Danger(told, "11.4.4")
        elif not any(position.controls(side, each) for each in near):
            told = say(
                "units in {name} can retreat over enemy ground only: nothing next to it is yours",
                name=name,
            )
            yield Danger(told, "11.4.5/h")


def _landing(position: Position, side: Side) -> Iterator[Danger]:
    """What the Republicans still need before a landing is judged."""
    for beach, deadline in position.deadlines.items():
        spaces = (position.beach_heads.get(beach, beach), beach)
        needed = [each for each in spaces if not position.controls(REPUBLICAN, each)]
        if side == REPUBLICAN and needed and position.turn >= deadline:
            yield Danger(
                say(
                    "the landing fails when the turn ends unless you control {needed}",
                    needed=tuple(map(position.called, needed)),
                ),
                "8.5.4.4",
                is_pressing=position.round == ROUNDS,
            )


def _uncovering(position: Position, order: Move) -> Iterator[Danger]:
    """Units that leave a space open to the enemy through which other units are supplied."""
    start, side = order.path[0], position.side_of(order.units[0])
    if set(position.units_in(start)).difference(order.units):
        return
    if start in friendly_sources(position, side) or position.space(start).capital:
        return  # a warning of its own
    near = _enemies_near(position, side, start)
    for unit in order.units if near else ():
        position = position.with_unit(unit, place=order.path[-1])
    for space in order.path[1:] if near else ():
        position = position.with_control(space, side)
    story = Unfolding(position)
    end_isolation(story)  # what the move joins to supply needs its line from now on
    taken = story.position.with_control(start, ENEMY[side])
    lost = set(lost_units(taken, side) if near else ())
    lost.difference_update(order.units, lost_units(position, side))
    if lost:
        places = dict.fromkeys(position.place_of(unit) for unit in in_stack_order(position, lost))
        yield Danger(
            say(
                "{start} is left without a unit, and if the enemy in {near} takes it, "
                "units in {places} are out of supply",
                start=position.called(start),
                near=tuple(near),
                places=tuple(map(position.called, places)),
            ),
            "13.3.5",
        )


def _enemies_near(position: Position, side: Side, space: str) -> list[Said]:
    """The names of the spaces next to one that enemy units are in."""
    return [position.called(each) for each in position.neighbours(space)
            if position.occupier(each) == ENEMY[side]]  # fmt: skip


def _unspent(state: Table, order: Activate) -> Iterator[Danger]:
    """Points that would activate another space, now or never: all are activated at once (8.2.4)."""
    asked = kernel.waits_for(state)
    if not isinstance(asked, Decision) or kernel.violations(state, order):
        return
    stage: Any = state.agenda[-1]
    left = stage.points - points_needed(stage, state.position, order)
    if left > 0 and any(_one_more(state, order, asked)):
        yield Danger(
            say_many(
                "left",
                "{left} operations point is not used, and could activate another space",
                "{left} operations points are not used, and could activate other spaces",
                left=left,
            ),
            "8.2.4",
        )


def _one_more(state: Table, order: Activate, asked: Decision) -> Iterator[bool]:
    """Whether each further space could be activated with those of the order."""
    for option in asked.options:
        for way, choice in option.fields.items():
            assert isinstance(choice, SomeOf)
            for space in choice.values:
                if space not in order.move + order.attack:
                    more = replace(order, **{way: (*getattr(order, way), space)})
                    yield not kernel.violations(state, more)


def _wasting(state: Table, order: Attack) -> Iterator[Danger]:
    """Cards on the table that the last attack of a turn could use, but does not."""
    position, asked = state.position, kernel.waits_for(state)
    if position.round != ROUNDS or not isinstance(asked, Decision):
        return
    if sum(option.order is Attack for option in asked.options) > 1:
        return  # another attack may be meant to use them
    for card in position.decks[asked.side].table:
        more = replace(order, cards=(*order.cards, card))
        if card not in order.cards and not kernel.violations(state, more):
            title = say(position.card(card).title)
            told = say(
                "{title} ({card}) could be used here, and is discarded when the turn ends",
                title=title,
                card=card,
            )
            yield Danger(told, "8.5.3.5")


def _killing(position: Position, order: Attack) -> Iterator[Danger]:
    """A unit with one step that is ranked before one with two."""
    words = order.losses
    if not words or words[0] == FLIP:
        return
    units = [unit for listed in order.units.values() for unit in listed]
    last = [unit for unit in units if position.steps_left(unit) == 1]
    whole = [unit for unit in units if position.steps_left(unit) > 1]
    rank = {unit: place_of(position, words, unit) for unit in units}
    for unit in last:
        later = [each for each in whole if rank[unit] < rank[each]]
        if later:
            yield Danger(
                say(
                    "losses: {unit} has one step and is lost before {later} is reduced; {flip} "
                    "in front changes that",
                    unit=unit,
                    later=Either(tuple(later)),
                    flip=FLIP,
                ),
                "11.3.2",
            )
