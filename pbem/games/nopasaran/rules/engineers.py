"""20: what engineers do, and what their work comes to at the end of a day."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from pbem.board.hexsides import key_of
from pbem.engine.model import Side, Violation
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.ground import RIVER, Bridge
from pbem.games.nopasaran.orders import Attack, Build, Engineer, Move
from pbem.games.nopasaran.position import DAMAGED, DESTROYED, Position, Task
from pbem.games.nopasaran.rules import movement, zones
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.rules.naming import any_in_list, called, in_list, place, works_called
from pbem.games.nopasaran.tables import (
    ENEMY,
    ENGINEER,
    ENGINEERS,
    INFANTRY,
    PONTOON,
    RAILWAY_ENGINEER,
    REPUBLICAN,
)
from pbem.messages import Said, say
from pbem.value import replace

BLOW, DESTROY_ROAD, DESTROY_RAIL, REPAIR, LAY = (
    "blow", "destroy_road", "destroy_rail", "repair", "bridge",
)  # fmt: skip
POSITION, FORTIFICATION = "position", "fortification"


# ------------------------------------------------------------------- who works at what


@CITE.check("20")
def works_with_engineers(
    stage: OfASide, position: Position, order: Engineer
) -> Iterator[Violation]:
    """Engineers of one's own on the map, in good order, which have not fought today, nor moved."""
    unit, cycle = order.unit, position.cycle
    assert cycle is not None
    printed = position.printed(unit)
    if printed.type not in ENGINEERS or not position.at(unit):
        yield Violation(
            say("{unit} is no engineer unit of yours on the map", unit=called(position, unit)),
            ("unit",), hint=say("it may be {units}", units=any_in_list(
                each for each in position.on_map(stage.side)
                if position.printed(each).type in ENGINEERS)),
        )  # fmt: skip
        return
    yield from movement.why_not_now(position, unit, ("unit",))
    yield from _is_free(position, unit)
    if unit in position.disorganised:
        yield Violation(say("{unit} is disorganised", unit=called(position, unit)), ("unit",),
                        hint=say("it works again when it has recovered"))  # fmt: skip
    # reading: who has moved may still destroy the road or railway of the hex (20.2); for all else
    # engineers stay where they were in the morning.
    # reading: 20, one action at a time is one after another: a road mended on a move is done when
    # the move is, and engineers that moved may still destroy one, the same one, too.
    stays = order.task not in (DESTROY_ROAD, DESTROY_RAIL)
    if unit in position.fought or (stays and unit in position.walked):
        yield Violation(
            say("{unit} has moved or fought today", unit=called(position, unit)), ("unit",),
            hint=say("engineers work in a day in which they do nothing else")
            if stays else say("who has fought destroys nothing that day"),
        )  # fmt: skip


@CITE.serves("20")
def _is_free(position: Position, unit: str) -> Iterator[Violation]:
    """The fault of an engineer that is at work since another day, or activation: it does one thing
    at a time.
    """
    # reading: a repair is given up by moving or fighting, and in no other way.
    assert position.cycle is not None
    task = position.tasks.get(unit)
    if task and task.kind == REPAIR and unit not in position.cycle.working:
        yield Violation(
            say("{unit} is repairing {what}", unit=called(position, unit),
                what=works_called(position, task.at)),
            ("unit",), hint=say("it goes on by itself, until it moves or fights"),
        )  # fmt: skip


@CITE.rule("20.b1", "20.b2", "20.b3", "20.b4", "20.b5")
@CITE.refusal("20")
def is_able_to_do_it(stage: OfASide, position: Position, order: Engineer) -> Iterator[Violation]:
    """Pontoon units lay bridges and nothing else here, railway engineers work at rails alone."""
    # reading: 20, 20.7: "engineer units" are those of no further kind. Pontoon units and railway
    # engineers do what 20.5 and 20.6 name them for, build no works, and pontoon units help (20.9).
    type, task = position.printed(order.unit).type, order.task
    able = {
        PONTOON: (LAY,), RAILWAY_ENGINEER: (DESTROY_RAIL, REPAIR),
        ENGINEER: (BLOW, DESTROY_ROAD, DESTROY_RAIL, REPAIR),
    }[type]  # fmt: skip
    if task not in able:
        rule = {LAY: "20.b5", REPAIR: "20.b3"}.get(task, "20")
        yield Violation(say("{unit} cannot do that", unit=called(position, order.unit)), ("task",),
                        rule=rule,
                        hint=say("it may be {tasks}", tasks=any_in_list(able)))  # fmt: skip


NAMES = {BLOW: ("bridge",), REPAIR: ("bridge", "to"), LAY: ("to",)}
"""What is named with a task beside the engineers: with no other one anything."""


@CITE.refusal("20")
def names_what_it_uses(stage: OfASide, position: Position, order: Engineer) -> Iterator[Violation]:
    """A task names its bridge or hex, and nothing that it would not touch; a road or railway is
    destroyed where the engineers stand (20.2).
    """
    here = position.at(order.unit)
    is_there = order.task in (DESTROY_ROAD, DESTROY_RAIL)
    for field, named in (("bridge", order.bridge), ("to", order.to)):
        if named and field not in NAMES.get(order.task, ()) and not (is_there and named == here):
            yield Violation(
                say("{unit} destroys the road or railway of {here}, where it stands, and nothing "
                    "else", unit=called(position, order.unit), here=place(position, here))
                if is_there
                else say("`{task}` does nothing with `{field}`", task=order.task, field=field),
                (field,), rule="20.2" if is_there else "",
                hint=say("leave `{field}` out, or move there first", field=field) if is_there
                else say("leave `{field}` out", field=field),
            )  # fmt: skip


@CITE.refusal("20.1")
def blows_a_bridge(stage: OfASide, position: Position, order: Engineer) -> Iterator[Violation]:
    if order.task != BLOW:
        return
    bridge = position.ground.bridges.get(order.bridge)
    near = bridges_beside(position, order.unit)
    if bridge is None or bridge not in near:
        closed = _closed_beside(position, order.unit, order.bridge)
        yield Violation(
            closed
            or say("{unit} does not stand at such a bridge", unit=called(position, order.unit)),
            ("bridge",),
            hint=say("it may be {bridges}", bridges=any_in_list(each.id for each in near)) if near
            else say("leave it") if closed else say("it must be at one end of the bridge"),
        )  # fmt: skip
    elif position.state_of_bridge(bridge.id) == DESTROYED:
        yield Violation(say("{bridge} is destroyed already", bridge=bridge.id), ("bridge",),
                        hint=say("leave it"))  # fmt: skip


@CITE.serves("20.1")
def bridges_beside(position: Position, unit: str) -> tuple[Bridge, ...]:
    """The bridges of this battle at whose ends a unit stands."""
    # reading: a unit is adjacent to a bridge if it stands in one of the two hexes that it joins.
    return position.ground.bridges_of(position.at(unit))


def _closed_beside(position: Position, unit: str, *named: str) -> Said | None:
    """Why nothing is done with a named bridge, if a unit stands at it and it is closed."""
    here, ground = position.at(unit), position.ground
    for bridge in ground.bridges.values():
        if bridge.id in named and here in bridge.between and bridge.key in ground.closed:
            return movement.outside(*bridge.between)
    return None


def _enemies_beside(position: Position, unit: str, bridge: Bridge) -> list[str]:
    """The hexes with enemies on the other end of a bridge, or at the end of its side."""
    around = position.ground.around
    beside = {bridge.over(position.at(unit))} | (
        set(around[bridge.between[0]]) & set(around[bridge.between[1]])
    )
    enemy = ENEMY[position.side_of(unit)]
    return sorted(hex for hex in beside if position.holder(hex) == enemy)


@CITE.serves("20.1")
def across(position: Position, unit: str, bridge: Bridge) -> tuple[str, ...]:
    """The hexes with enemies beside a bridge that lie on the other bank."""
    banks, here = position.ground.banks, position.at(unit)
    return tuple(hex for hex in _enemies_beside(position, unit, bridge)
                 if banks[hex] != banks[here])  # fmt: skip


@CITE.rule("20.1")
def blow_modifier(position: Position, unit: str, bridge: Bridge) -> int | None:
    """What enemies add to the die that blows a bridge; None if no die is needed. They are beside it
    on its other end, or at the end of its side; only those on the other bank add.
    """
    # reading: an enemy on the own bank brings the die without adding to it; engineers add three in
    # place of one.
    chart = position.board.charts["demolition"]
    if not _enemies_beside(position, unit, bridge):
        return None
    units = [each for hex in across(position, unit, bridge) for each in position.units_at(hex)]
    if any(position.printed(each).type in ENGINEERS for each in units):
        return int(chart["engineers"])
    return int(chart["enemy"]) if units else 0


@CITE.check("20.2")
def destroys_what_is_there(
    stage: OfASide, position: Position, order: Engineer
) -> Iterator[Violation]:
    """A road or railway of the own hex, out of enemy zones."""
    if order.task not in (DESTROY_ROAD, DESTROY_RAIL):
        return
    hex = position.at(order.unit)
    ground = position.ground
    is_road = order.task == DESTROY_ROAD
    there, states = (
        (ground.on_roads, position.roads) if is_road else (ground.on_rails, position.rails)
    )
    if hex not in there or states.get(hex) == DESTROYED:
        yield Violation(
            say("there is nothing to destroy in {hex}", hex=place(position, hex)), ("task",),
            hint=say("no road runs there, or it is destroyed already") if is_road
            else say("no railway runs there, or it is destroyed already"),
        )  # fmt: skip
    if zones.in_enemy_zone(position, hex, stage.side):
        yield Violation(say("{hex} is in an enemy zone of control", hex=place(position, hex)),
                        ("unit",), hint=say("work elsewhere"))  # fmt: skip


@CITE.rule("20.4", "20.5")
def repairable(position: Position, unit: str) -> tuple[str, ...]:
    """What a unit could repair where it stands: bridges by their ids, and its hex."""
    # reading: 20.4, a damaged road is mended on a move into its hex: engineers that stand there
    # must leave it and enter again.
    here = position.at(unit)
    if position.printed(unit).type == RAILWAY_ENGINEER:
        return (here,) if position.special("20.5") and position.rails.get(here) else ()
    bridges = [each.id for each in bridges_beside(position, unit)
               if position.state_of_bridge(each.id)]  # fmt: skip
    return (*bridges, *((here,) if position.roads.get(here) == DESTROYED else ()))


@CITE.serves("20.4")
def what_it_repairs(position: Position, order: Engineer) -> str:
    """What an order to repair means: what it names, or the only thing there is; empty where that is
    not clear, or not there.
    """
    able = repairable(position, order.unit)
    named = [at for at in (order.bridge, order.to) if at]
    found = [at for at in able if not named or named == [at]]
    return found[0] if len(found) == 1 else ""


@CITE.refusal("20.4")
def repairs_what_is_broken(
    stage: OfASide, position: Position, order: Engineer
) -> Iterator[Violation]:
    if order.task != REPAIR:
        return
    is_railway = position.printed(order.unit).type == RAILWAY_ENGINEER
    if is_railway and not position.special("20.5"):
        rule = "J.6" if position.special("J.6") else "20.5"
        yield Violation(say("nobody repairs railways in this battle"), ("task",), rule=rule,
                        hint=say("leave the rails as they are"))  # fmt: skip
    elif able := repairable(position, order.unit):
        yield from _repairs_one_of_them(position, order, able)
    else:
        yield Violation(
            _closed_beside(position, order.unit, *position.bridges)
            or say("there is nothing to repair beside {unit}", unit=called(position, order.unit)),
            ("task",),
            hint=say("a broken bridge they stand at, or a destroyed road in their hex; a damaged "
                     "road is repaired on a move: `repair: [HEX]`"),
        )  # fmt: skip
    if not position.sky.engineers:
        yield Violation(say("nobody repairs in rain"), ("task",),
                        hint=say("wait for better days"))  # fmt: skip


@CITE.serves("20.4")
def _repairs_one_of_them(
    position: Position, order: Engineer, able: tuple[str, ...]
) -> Iterator[Violation]:
    """The fault of a repair that does not say which of several things is meant, or means others."""
    if what_it_repairs(position, order):
        return
    named = order.bridge or order.to
    yield Violation(
        say("{what} is not broken, or {unit} does not stand at it",
            what=works_called(position, named), unit=called(position, order.unit))
        if named and named not in able
        else say("{unit} repairs one thing at a time", unit=called(position, order.unit)),
        ("bridge" if order.bridge else "to" if order.to else "task",),
        hint=say("name one: {works}", works=in_list(
            f"bridge: {at}" if at in position.ground.bridges else f"to: {at}" for at in able)),
    )  # fmt: skip


@CITE.check("20.6")
def lays_over_a_river(stage: OfASide, position: Position, order: Engineer) -> Iterator[Violation]:
    """A side of a river beside the hex where the unit began the day."""
    if order.task != LAY:
        return
    here, cycle = position.at(order.unit), position.cycle
    assert cycle is not None
    ground = position.ground
    rivers = [hex for hex in ground.around[here]
              if RIVER in ground.sides.between(here, hex)
              and key_of(here, hex) not in ground.closed]  # fmt: skip
    if order.to not in rivers:
        yield Violation(
            movement.why_closed(position, stage.side, here, order.to, ())
            or say("no river runs between {here} and {there}", here=place(position, here),
                   there=place(position, order.to)) if order.to
            else say("it is not said over which side of {here}", here=place(position, here)),
            ("to",),
            hint=say("it may be {hexes}", hexes=any_in_list(rivers)) if rivers
            else say("move beside a river first"),
        )  # fmt: skip
        return
    flood = position.special("J.4")
    if (
        flood
        and not position.sky.engineers
        and (position.ground.river_of[key_of(here, order.to)] == flood["river"])
    ):
        yield Violation(say("the river is too high in rain"), ("to",), rule="J.4",
                        hint=say("wait for better days"))  # fmt: skip


# ------------------------------------------------------------------- prepared charges


@CITE.rule("J.3")
def charged(position: Position, side: Side, path: tuple[str, ...]) -> str:
    """The bridge with prepared charges that a move or attack crosses for the first time, with the
    enemy beside it on the bank that was its own at first; empty where there is none.
    """
    # reading: on that bank whichever way the bridge is crossed.
    special = position.special("J.3")
    if special is None or side == special["side"]:
        return ""
    first, last = special["turns"]
    if not first <= position.day <= last:
        return ""
    in_held = special["side"] == REPUBLICAN
    for here, there in pairwise(path):
        bridge = position.bridge_between(here, there)
        if bridge is None or bridge.id not in special["bridges"]:
            continue
        if position.state_of_bridge(bridge.id) or f"J.3/{bridge.id}" in position.used:
            continue
        beside = {there} | (set(position.ground.around[here]) & set(position.ground.around[there]))
        if any(position.holder(hex) == special["side"] and (hex in position.ground.held) == in_held
               for hex in beside):  # fmt: skip
            return bridge.id
    return ""


@CITE.serves("J.3")
def charged_before(position: Position, side: Side, attack: Attack) -> str:
    """The bridge with prepared charges that an attack crosses for the first time; empty where there
    is none.
    """
    bridges = (charged(position, side, (hex, attack.hex)) for hex in attack.units)
    return next(filter(None, bridges), "")


@CITE.serves("J.3")
def charges_told(position: Position, bridge: str) -> Said:
    """The die that is thrown before an attack is over a bridge with prepared charges."""
    special = position.special("J.3")
    assert special is not None, "charges have their rule"
    return say(
        "first a die for the charges at {bridge}: with {damaged} or more it is damaged, with "
        "{destroyed} or more it is destroyed", bridge=say(position.ground.bridges[bridge].name),
        damaged=special["damaged"], destroyed=special["destroyed"],
    )  # fmt: skip


@CITE.serves("J.3")
def over_what_is_left(position: Position, order: Move) -> Move:
    """A move by those who can still go each step of it, once charges have gone off."""
    path = (position.at(order.units[0]), *order.path)

    def can_go(unit: str) -> bool:
        return all(
            movement.step_cost(position, (unit,), unit, here, there, by_road=True) is not None
            for here, there in pairwise(path)
        )

    return replace(order, units=tuple(filter(can_go, order.units)))


# ------------------------------------------------------------------- the end of the day


def works_on(position: Position, unit: str) -> bool:
    """Whether an engineer goes on with its task: it has not moved, fought or lost its order."""
    return unit not in position.disorganised and not ({unit} & (position.walked | position.fought))


def repairs(position: Position, unit: str, task: Task) -> tuple[str, str]:
    """What an engineer repairs: a bridge, a railway or a road, and its id or hex."""
    if task.at in position.ground.bridges:
        return "bridge", task.at
    is_railway = position.printed(unit).type == RAILWAY_ENGINEER
    return "rail" if is_railway else "road", task.at


def state_of(position: Position, kind: str, at: str) -> str:
    """How broken a bridge, a railway or a road is; empty if it is whole."""
    match kind:
        case "bridge":
            return position.state_of_bridge(at)
        case "rail":
            return position.rails.get(at, "")
        case _:
            return position.roads.get(at, "")


@CITE.serves("20.4")
def after_a_day(kind: str, state: str) -> str:
    """What a day of repair makes of a state: a destroyed bridge is damaged after it, and whole
    after another; all else is whole.
    """
    return DAMAGED if kind == "bridge" and state == DESTROYED else ""


# ------------------------------------------------------------------- works

BUILDERS = {INFANTRY: POSITION, ENGINEER: FORTIFICATION}


@CITE.rule("20.7", "20.b6")
def buildable(
    position: Position, side: Side, *, surely: bool = False
) -> dict[str, tuple[str, ...]]:
    """The hexes in which works can be built this evening, and which: where units have stood idle,
    and none are yet. Counters face down may be units that build; `surely`, all that they may be do.
    """
    # reading: who builds face down is not shown, as the digging is in view and the diggers are not;
    # infantry that builds is in good order and not demoralised; a fortification does not
    # take the place of a position; who has only defended, or retreated, may build.
    found: dict[str, tuple[str, ...]] = {}
    for hex, holder in position.holders.items():
        if holder != side or hex in position.works:
            continue
        idle = [unit for unit in position.stacks[hex] if is_idle(position, unit)]
        types = [
            {position.printed(piece).type for piece in position.may_be(unit)
             if piece not in position.demoralised}
            for unit in idle
        ]  # fmt: skip
        able = tuple(
            works
            for type, works in BUILDERS.items()
            if any(those == {type} if surely else type in those for those in types)
        )
        if able:
            found[hex] = able
    return found


def is_idle(position: Position, unit: str) -> bool:
    """Whether a unit has neither moved nor attacked today, and is fit to dig."""
    return (
        unit not in position.walked
        and unit not in position.busy
        and unit not in position.tasks
        and unit not in position.pontoons
        and unit not in position.disorganised | position.demoralised
    )


@CITE.refusal("20.7")
def builds_where_it_may(stage: OfASide, position: Position, order: Build) -> Iterator[Violation]:
    able = buildable(position, stage.side)
    for hex, kind in order.works.items():
        if hex not in able:
            yield Violation(
                say("nothing can be built in {hex}", hex=place(position, hex)), ("works", hex),
                is_key=True,
                hint=say("infantry or engineers of yours have stood idle there all day, and there "
                         "are no works yet"),
            )  # fmt: skip
        elif kind not in able[hex]:
            yield Violation(
                say("no such works can be built in {hex}", hex=place(position, hex)),
                ("works", hex), hint=say("it may be {kinds}", kinds=any_in_list(able[hex])),
            )  # fmt: skip
