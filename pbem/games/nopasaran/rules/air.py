"""7: missions of aircraft, their flights, and antiaircraft fire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Violation
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.options import FIRE_AT_ALL_MISSIONS
from pbem.games.nopasaran.orders import ASK, Flight, Fly, Unmask
from pbem.games.nopasaran.position import BOMB, CAS, INT, RECO, Mission, Position
from pbem.games.nopasaran.rules import factors
from pbem.games.nopasaran.rules.asks import OfASide, Unmasks
from pbem.games.nopasaran.rules.naming import any_in_list, any_unit, called, place
from pbem.games.nopasaran.tables import (
    ANTIAIRCRAFT,
    BOMBER,
    ENEMY,
    FIGHTER_BOMBER,
    FORMATION,
    RECONNAISSANCE,
    PrintedAirUnit,
)
from pbem.messages import say

FLIES = {FIGHTER_BOMBER: "7.1.b1", BOMBER: "7.1.b2", RECONNAISSANCE: "7.1.b3"}
"""The rule that says what each type of aircraft flies."""


@CITE.rule("7.1.b1", "7.1.b2", "7.1.b3")
def can_fly(printed: PrintedAirUnit, mission: str) -> bool:
    """Whether a type of aircraft flies a mission."""
    match mission:
        case "reco":
            return printed.scouts
        case "int":
            return printed.interdiction > 0
        case "cas":
            return printed.support > 0
        case _:
            return printed.bombs > 0


def aircraft(position: Position, side: Side) -> tuple[str, ...]:
    """The air units of a side in this battle."""
    return position.aircraft(side)


def longest_plan(position: Position, side: Side) -> Fly:
    """A plan for every air unit of a side, with the longest names of targets."""
    to = max((*position.ground.hexes, *support_targets(position, side)), key=len)
    return Fly({unit: Flight(reco=to, picks=ASK) for unit in aircraft(position, side)})


@CITE.rule("5.2.2.cas")
def support_targets(position: Position, side: Side) -> tuple[str, ...]:
    """The headquarters of combat formations of a side, with which close support lies (7.3.2)."""
    return tuple(
        unit
        for unit in position.on_map(side)
        if position.printed(unit).is_headquarters
        and position.formation(position.home(unit)).level == FORMATION
    )


@CITE.refusal("5.2.1")
def flies_what_it_can(stage: OfASide, position: Position, order: Fly) -> Iterator[Violation]:
    for unit, flight in order.missions.items():
        named, path = flight.of(), ("missions", unit)
        if len(named) != 1:
            yield Violation(
                say("{unit} flies one mission", unit=called(position, unit)), path,
                hint=say("reco: HEX, int: HEX, cas: HEADQUARTERS, or bomb: HEX"),
            )  # fmt: skip
            continue
        ((mission, target),) = named
        printed = position.board.air[unit]
        if not can_fly(printed, mission):
            able = [each for each in (RECO, INT, CAS, BOMB) if can_fly(printed, each)]
            yield Violation(
                say("{unit} does not fly this mission", unit=called(position, unit)),
                (*path, mission), rule=FLIES[printed.type],
                hint=say("it may be {missions}", missions=any_in_list(able)),
            )  # fmt: skip
        if flight.picks and (position.is_open or mission != RECO):
            yield Violation(
                say("all counters lie open in this game") if position.is_open
                else say("only reconnaissance picks counters"),
                (*path, "picks"), rule="7.3.4", hint=say("leave it out"),
            )  # fmt: skip
        if mission == CAS and target not in support_targets(position, stage.side):
            yield Violation(
                say("{unit} is not the headquarters of one of your combat formations on the map",
                    unit=called(position, target)),
                (*path, CAS), rule="7.3.2",
                hint=say("it may be {units}", units=any_in_list(
                    support_targets(position, stage.side))),
            )  # fmt: skip


@CITE.refusal("7.3.4")
def scouts_a_hex_once(stage: OfASide, position: Position, order: Fly) -> Iterator[Violation]:
    seen: dict[str, str] = {}
    for unit, flight in order.missions.items():
        if flight.reco:
            other = seen.setdefault(flight.reco, unit)
            if other != unit:
                yield Violation(
                    say("{other} looks at {hex} already", other=called(position, other),
                        hex=place(position, flight.reco)),
                    ("missions", unit, "reco"), hint=say("choose another hex"),
                )  # fmt: skip


def missions_of(order: Fly) -> Mapping[str, Mission]:
    """The missions of a legal order."""
    return {unit: Mission(*flight.of()[0], flight.picks == ASK)
            for unit, flight in order.missions.items()}  # fmt: skip


# ------------------------------------------------------------------- flights


@CITE.rule("5.2.2")
def flight(position: Position, side: Side, target: str, start: str = "") -> tuple[str, ...]:
    """The hexes over which an air unit flies: a shortest way from the nearest of its entries, or
    from the hex where it lies; the first of equally short ones.
    """
    # reading: a flight takes a shortest way, from the nearest entry (7.2); of several the first by
    # the order of hexes, and its owner names no other.
    ground = position.ground
    starts = (start,) if start else ground.air_entries(side)
    here = min(starts, key=lambda hex: (ground.distance(hex, target), hex))
    path = [here]
    while here != target:
        far = ground.distance(here, target)
        here = min(hex for hex in ground.around[here] if ground.distance(hex, target) < far)
        path.append(here)
    return tuple(path)


@CITE.rule("7.4")
def guns_against(position: Position, side: Side, path: Iterable[str]) -> tuple[str, ...]:
    """The enemy units that fire at a flight, each once: those it passes over, and antiaircraft guns
    in the hexes next to them.
    """
    # reading: each unit fires once at a flight; all of them together have one die for each air
    # unit.
    enemy = ENEMY[side]
    found: dict[str, None] = {}
    for hex in path:
        for unit in position.below_aircraft(hex, enemy):
            if factors.antiaircraft(position, unit):
                found[unit] = None
        for near in position.ground.around[hex]:
            for unit in position.below_aircraft(near, enemy):
                if position.printed(unit).type == ANTIAIRCRAFT:
                    found[unit] = None
    return tuple(found)


@CITE.serves("7.4", "2.6")
def could_fire(position: Position, side: Side, path: Iterable[str]) -> tuple[str, ...]:
    """The counters face down of a side that may be units which fire at a flight, as both players
    know.
    """
    # reading: who fires at aircraft is seen, and so fires only if its player shows it.
    over = set(path)
    around = {near for hex in over for near in position.ground.around[hex]}
    return tuple(
        tag
        for tag in position.tags_of(side)
        if tag not in position.mixed
        and any(
            position.printed(unit).antiaircraft
            and (position.at(tag) in over
                 or (position.at(tag) in around and position.printed(unit).type == ANTIAIRCRAFT))
            for unit in position.may_be(tag)
        )
    )  # fmt: skip


def unseen_guns(position: Position, side: Side, path: Iterable[str]) -> tuple[str, ...]:
    """The units face down of a side that would fire at a flight, by name in its own view."""
    guns = guns_against(position.seen(side), ENEMY[side], path)
    return tuple(unit for unit in guns if unit in position.down.hidden)


@CITE.refusal("7.4")
def unmasks_guns(stage: Unmasks, position: Position, order: Unmask) -> Iterator[Violation]:
    able = guns_against(position, ENEMY[stage.side], stage.path)
    for at, unit, is_again in in_turn(order.units):
        if unit not in able or is_again:
            yield Violation(
                say("{unit} cannot fire at these aircraft", unit=called(position, unit)),
                ("units", at),
                hint=say("it may be {units}", units=any_unit(position, able)) if able
                else say("show none"),
            )  # fmt: skip


@CITE.serves("7.4")
def is_fired_at(position: Position, mission: str) -> bool:
    """Whether a mission is fired at: close support and interdiction (7.4)."""
    # reading: only these two, as 7.4 limits it; option: all four.
    return mission in (CAS, INT) or FIRE_AT_ALL_MISSIONS in position.options


def fire_against(position: Position, side: Side, path: Iterable[str]) -> int:
    """The antiaircraft factor that a flight meets."""
    return sum(factors.antiaircraft(position, unit) for unit in guns_against(position, side, path))


@CITE.rule("7.4.1")
def left_after_fire(position: Position, unit: str, mission: str, factor: int, die: int) -> int:
    """The quarters of its factor that an air unit keeps: bombers on close support take three off
    the die.
    """
    chart, table = position.board.charts["antiaircraft"], position.board.antiaircraft
    if mission == CAS and position.board.air[unit].type == BOMBER:
        die += chart["bomber"]
    left: int = table.at(table.column(factor), die)
    return left


# ------------------------------------------------------------------- reconnaissance


@CITE.rule("7.3.4.1", "7.3.4.1.b1", "7.3.4.1.b2", "7.3.4.1.b3", "7.3.4.1.b4", "7.3.4.1.b5")
def scout_modifier(position: Position, hex: str) -> int:
    """What cover and weather do to the die of air reconnaissance of a hex."""
    # reading: ground and works add up; a position does nothing.
    works = position.works_at(hex)
    return position.terrain(hex).air + (works.air if works else 0) + position.sky.recon


def scouted(position: Position, side: Side, hex: str, die: int) -> tuple[tuple[str, str], ...]:
    """What a flight over a hex tells of it and of the six around, where enemies are."""
    return tuple(
        (each, position.board.seen_from_air(die + scout_modifier(position, each)))
        for each in (hex, *position.ground.around[hex])
        if position.holder(each) == ENEMY[side]
    )
