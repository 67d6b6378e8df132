"""What `pbem check` says about a legal order: who is in command and by which line, supply, what a
move costs and why, and what is left to the guns. The odds of an attack say the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from pbem.engine.advice import Advice
from pbem.engine.mentions import named_in
from pbem.engine.model import Order, Side, State, Violation
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.events import placed
from pbem.games.nopasaran.narration import told_ledger
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import (
    activation,
    ahead,
    air,
    artillery,
    combat,
    command,
    cover,
    factors,
    movement,
    recon,
    ways,
)
from pbem.games.nopasaran.rules.naming import (
    BETWEEN,
    GROUND,
    LEVELS,
    called,
    formation_called,
    in_list,
    names_of_the_enemy,
    place,
    points_told,
    units_in_list,
)
from pbem.games.nopasaran.stages.activation import Acting, Activating
from pbem.games.nopasaran.stages.day import Assigning, Planning
from pbem.games.nopasaran.tables import ENGINEER, NORMAL
from pbem.messages import Message, Row, Said, say, say_many

ROAD, ZONE, RAIN, FRIENDS = (
    say("road"), say("enemy zones"), say("rain"), say("friends in the way"),
)  # fmt: skip
ACTIONS = (
    o.Move, o.Attack, o.Bombard, o.Scout, o.Consolidate, o.Engineer, o.Arrive, o.Arrange, o.Done,
)  # fmt: skip
"""What is done in an activation."""


class Counsel(Advice):
    """The capability."""

    def remarks(self, state: State[Position], order: Order) -> tuple[Said, ...]:
        position = state.position.as_seen_by(state.position.active)
        order = cover.by_name(state.position, order)
        if any(is_tag(each.name) for each in named_in(order)):
            return ()  # whose counters are not known here, of them there is nothing to say
        match order:
            case o.Activate():
                return tuple(_of_an_activation(position, order))
            case o.Move():
                return tuple(_of_a_move(position, order))
            case o.Attack(units=units, support=support):
                those = tuple(unit for each in units.values() for unit in each)
                guns = support.guns if isinstance(support, o.Backing) else ()
                return (
                    *_out_of_command(position, those),
                    *_of_guns(position, _after_a_shot(position, guns)),
                    *_of_a_compulsory_advance(position, order, those),
                )
            case o.Bombard():
                return tuple(_of_a_bombardment(position, order))
            case o.Fly(missions=missions) if missions:
                return tuple(_of_idle_aircraft(state, missions))
            case o.Scout(unit=unit, hex=hex):
                return tuple(_of_a_reconnaissance(position, unit, hex))
        return ()

    def foreseen(
        self, state: State[Position], side: Side, order: Order, before: Sequence[Order]
    ) -> tuple[tuple[Violation, ...], tuple[Said, ...]]:
        if isinstance(order, o.Mix) and not state.position.is_open:
            return (ahead.never_ahead(),), ()
        if wrong := _wrong_for_good(state.position, side, order):
            return wrong, ()
        if isinstance(order, o.Activate):
            seen = state.position.seen(side)
            order = cover.by_name(state.position, order)
            return tuple(activation.activated_for_good(seen, side, order)), ()
        written = cover.in_tags(state.position, side, order)
        if isinstance(written, o.Move) and any(map(is_tag, written.units)):
            return (), (
                say("it lapses where a counter face down might not be able to do it, as far as "
                    "both know"),
            )  # fmt: skip
        return (), ()

    def why_not_now(self, state: State[Position], order: Order) -> Violation | None:
        stage = state.agenda[-1]
        match stage:
            case Acting() if isinstance(order, o.Activate):
                return Violation(say("an activation is in progress"), rule="5.5",
                                 hint=say("end it with done first"))  # fmt: skip
            case Activating() if isinstance(order, ACTIONS):
                return Violation(say("nothing is activated"), rule="5.4.1",
                                 hint=say("write activate before it"))  # fmt: skip
            case Assigning() | Planning() if isinstance(order, (o.Activate, *ACTIONS)):
                return Violation(
                    say("the day begins with assignments and air missions"), rule="5",
                    hint=say("activations come when both sides have written them"),
                )  # fmt: skip
            case Acting() | Activating() if isinstance(order, o.Mix):
                return Violation(say("on the last day nobody mixes"), rule="2.6",
                                 hint=say("leave it out"))  # fmt: skip
            case Assigning() if isinstance(order, o.Fly):
                return Violation(say("assignments come before air missions"), rule="5.1",
                                 hint=say("write assign first"))  # fmt: skip
            case Planning() if isinstance(order, o.Assign):
                return Violation(say("assignments come before air missions, and yours are given"),
                                 rule="5.1", hint=say("leave it out"))  # fmt: skip
        if isinstance(order, o.Assign | o.Fly):
            return Violation(say("assignments and air missions are written in the morning"),
                             rule="5.1", hint=say("wait for the next day"))  # fmt: skip
        return None


def _wrong_for_good(position: Position, side: Side, order: Order) -> tuple[Violation, ...]:
    """What is wrong with an order whatever dice and other orders bring: it names the enemy's as its
    own, or sends infantry on a mobile attack.
    """
    seen, named = position.seen(side), cover.by_name(position, order)
    if not isinstance(order, o.Pick) and (found := tuple(names_of_the_enemy(seen, side, named))):
        return found
    return tuple(combat.mobile_on_foot(seen, named)) if isinstance(named, o.Attack) else ()


# ------------------------------------------------------------------- aircraft


def _of_idle_aircraft(state: State[Position], missions: Iterable[str]) -> Iterator[Said]:
    """Who stays at home: missions are given once a day."""
    stage = state.agenda[-1]
    assert isinstance(stage, Planning)
    idle = [unit for unit in air.aircraft(state.position, stage.side) if unit not in missions]
    if idle:
        yield say("without a mission today: {aircraft} (5.2.1)", aircraft=in_list(idle))


# ------------------------------------------------------------------- activations


def _of_an_activation(position: Position, order: o.Activate) -> Iterator[Said]:
    """Each formation that acts: its line of command, who is out of it, and who lacks supply."""
    if order.division:
        units = activation.of_division(position, order.division)
    elif order.formation:
        units = activation.of_formation(position, order.formation)
    else:
        units = (order.unit,)
    here = [unit for unit in units if position.at(unit)]
    for formation in dict.fromkeys(position.commander(unit) for unit in here):
        yield from _line_of(position, formation)
    yield from _out_of_command(position, here)
    for level in LEVELS:
        less = [unit for unit in here if command.level_of(position, unit).id == level]
        if less and level != NORMAL:
            yield say("{units}: {level}", units=units_in_list(position, less), level=LEVELS[level])
    yield from _of_guns(position, {unit: factors.left_to_spend(position, unit) for unit in here
                                   if position.printed(unit).is_battery})  # fmt: skip


def _line_of(position: Position, formation: str) -> Iterator[Said]:
    """The line of command from the headquarters of a formation to the road."""
    headquarters = position.headquarters_of(formation)
    if not position.at(headquarters) or not command.in_command(position, headquarters):
        return
    links = command.line(position, headquarters)
    yield say(
        "{formation} is in command: {links}", formation=formation_called(position, formation),
        links=in_list((headquarters, *(
            say("{cost} to the road", cost=points_told(cost)) if to == "road"
            else say("{cost} to {unit}", cost=points_told(cost), unit=to)
            for to, cost in links.items()
        ))),
    )  # fmt: skip


def _out_of_command(position: Position, units: Iterable[str]) -> Iterator[Said]:
    out = movement.out_of_command(position, units)
    if out:
        yield say("out of command: {units} (6.3)", units=units_in_list(position, out))


# ------------------------------------------------------------------- moves


def _of_a_move(position: Position, order: o.Move) -> Iterator[Said]:
    order = movement.without_start(position, order)
    path = (position.at(order.units[0]), *order.path)
    by_road = movement.marches_by_road(position, order.units, path)
    told: dict[tuple[int, int, tuple[Said, ...]], list[str]] = {}
    for unit in order.units:
        cost = movement.path_cost(position, order.units, unit, path, by_road=by_road,
                                  mending=order.repair, cutting=order.cut)  # fmt: skip
        steps = tuple(_steps(position, order, unit, path, by_road=by_road))
        has = factors.left_to_spend(position, unit)
        told.setdefault((cost or 0, has, steps), []).append(unit)
    for (cost, has, steps), units in told.items():
        yield say_many(
            "has", "{units}: {cost} of {has} movement point, {steps}",
            "{units}: {cost} of {has} movement points, {steps}",
            units=units_in_list(position, units), cost=points_told(cost), has=points_told(has),
            steps=in_list(steps),
        )  # fmt: skip
        if cost > has:
            yield say_many(
                "units", "{units} goes one hex for all its points (10.1)",
                "{units} go one hex for all their points (10.1)",
                units=tuple(called(position, unit) for unit in units),
            )  # fmt: skip
    guns = {unit: has - cost for (cost, has, _), units in told.items() for unit in units
            if position.printed(unit).is_battery}  # fmt: skip
    yield from _of_guns(position, guns)
    there = placed(position, order.units, order.path[-1])
    yield from _out_of_command(there, [unit for unit in order.units
                                       if command.in_command(position, unit)])  # fmt: skip


def _steps(
    position: Position, order: o.Move, unit: str, path: Sequence[str], *, by_road: bool
) -> Iterator[Said]:
    """What each step costs, and why; then what is paid once."""
    for here, there in pairwise(path):
        cost = movement.step_cost(position, order.units, unit, here, there, by_road=by_road)
        yield say(
            "{cost} for {place} ({why})", cost=points_told(cost or 0), place=place(position, there),
            why=Row(tuple(_why(position, order.units, unit, here, there, by_road=by_road)), " + "),
        )  # fmt: skip
    charge = movement.interdiction_cost(position, order.units, unit, path, by_road=by_road)
    if charge:
        yield say("{cost} for interdiction", cost=points_told(charge))
    if order.cut or order.repair:
        yield say("the rest for the work on the way")


def _why(
    position: Position, units: Sequence[str], unit: str, here: str, there: str, *, by_road: bool
) -> Iterator[Message]:
    side = position.side_of(unit)
    if by_road and movement.takes_road(position, units, here, there):
        yield ROAD
    else:
        yield GROUND[position.terrain(there).id]
        for each in ways.crossed(position, here, there, side, units):
            yield BETWEEN[each]
        if movement.rain_cost(position, position.printed(unit)):
            yield RAIN
        if movement.stack_cost(position, units, there):
            yield FRIENDS
    if movement.zone_cost(position, side, here, there):
        yield ZONE


# ------------------------------------------------------------------- guns, reconnaissance


def _after_a_shot(position: Position, guns: Iterable[str]) -> Mapping[str, int]:
    """The half points that batteries have left when they have fired."""
    shot = artillery.shot(position)
    return {gun: factors.left_to_spend(position, gun) - shot for gun in guns}


def _of_guns(position: Position, left: Mapping[str, int]) -> Iterator[Said]:
    """The points that batteries have left, for moving and firing."""
    told = tuple(
        say("{unit} {points}", unit=called(position, gun), points=points_told(max(0, points)))
        for gun, points in left.items()
    )  # fmt: skip
    if told:
        yield say("points left to the batteries: {guns}", guns=in_list(told))


def _of_a_compulsory_advance(
    position: Position, order: o.Attack, units: Sequence[str]
) -> Iterator[Said]:
    """That all advance, unless the order names them all."""
    named = order.advance.units if isinstance(order.advance, o.Following) else ()
    is_led = any(position.printed(unit).type == ENGINEER for unit in units)
    if order.type == combat.PREPARED and is_led and not set(named).issuperset(units):
        yield say(
            "engineers attack with the others, so if {hex} is left all of them advance, as far as "
            "there is room, and those that `advance` names go first (12.3.3)",
            hex=place(position, order.hex),
        )  # fmt: skip


def _of_a_bombardment(position: Position, order: o.Bombard) -> Iterator[Said]:
    side: Side = position.active
    ledger = artillery.fire_shifts(position, side, order.target, order.at, by_guns=bool(order.guns))
    factor = artillery.factor_of(position, order.guns, order.air)
    if order.at == o.UNITS and position.tags_at(order.target):
        yield say("factor {factor}; the column depends on counters that lie face down",
                  factor=factor)  # fmt: skip
        yield from _of_guns(position, _after_a_shot(position, order.guns))
        return
    column = artillery.fire_column(position, side, order)
    told = say("factor {factor}, column {column}", factor=factor,
               column=position.board.losses_by_fire.heading(column))  # fmt: skip
    if ledger:
        told = say("{told}: {why}", told=told, why=told_ledger(ledger))
    yield told
    yield from _of_guns(position, _after_a_shot(position, order.guns))


def _of_a_reconnaissance(position: Position, unit: str, hex: str) -> Iterator[Said]:
    most = factors.effectiveness(position, unit) - recon.modified(position, hex, 0)
    yield say("it succeeds with a die of {most} or less", most=max(0, min(10, most)))


COUNSEL: Advice = Counsel()
