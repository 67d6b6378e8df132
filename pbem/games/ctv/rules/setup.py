"""4: set-up."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Violation
from pbem.engine.tags import is_tag
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.options import BASQUES_IN_FRONT, HISTORICAL
from pbem.games.ctv.orders import SetUp
from pbem.games.ctv.position import ASIDE, OUT, Position
from pbem.games.ctv.rules import stacking
from pbem.games.ctv.rules.asks import SetsUp
from pbem.games.ctv.rules.naming import called, named_twice, place
from pbem.games.ctv.tables import (
    AIR,
    ARMOUR,
    BASQUE,
    BY_SURRENDER,
    COLUMN,
    GRID,
    HEADQUARTERS,
    ITALIAN,
    REPUBLICAN,
)
from pbem.messages import a_few, either, say, say_many

FRONT, RESERVE = "front", "reserve"


def waiting(position: Position, side: Side, what: str) -> tuple[str, ...]:
    """The units that are set up now, as far as they are known by name. `what`: `front`, a division,
    or `reserve`. Columns are among them where counters are covered.
    """
    board = position.board
    units = board.army[side] if position.is_open else board.covered[side]
    return tuple(
        unit
        for unit in units
        if position.places.get(unit) == ASIDE
        and unit not in position.missing
        and belongs(position, unit, what)
    )


def belongs(position: Position, unit: str, what: str) -> bool:
    """Whether a unit is one of those that are set up in a part of the set-up."""
    printed = position.printed(unit)
    if printed.type == AIR or printed.comes == BY_SURRENDER:
        return False
    by_die = printed.division in position.board.divisions_by_die
    if what == FRONT:
        return not by_die
    if what == RESERVE:
        return by_die and printed.division not in position.front
    return printed.division == what


@CITE.serves("5.2")
def number_waiting(position: Position, side: Side, what: str) -> int:
    """How many units are set up now, as both know: those that lie covered are known as a set."""
    hidden = position.down.hidden.intersection(position.board.covered[side]) - position.missing
    covered = sum(belongs(position, unit, what) for unit in hidden)
    return covered + len(waiting(position, side, what))


def distance_of_basques(position: Position, hex: str) -> int:
    """How far a hex is from the hexes of place 18."""
    line: int = position.board.charts["basques"]["place"]
    return abs(GRID.place(hex)[1] - line)


# ------------------------------------------------------------------- which units


def is_withheld(position: Position, unit: str) -> bool:
    """Whether the die for armour did not bring a unit."""
    return position.places[unit] == OUT or unit in position.missing


@CITE.refusal("4.3")
def leaves_out_withheld_armour(
    stage: SetsUp, position: Position, order: SetUp
) -> Iterator[Violation]:
    for unit in order.units:
        if is_withheld(position, unit):
            yield Violation(
                say("the die for armour did not bring {unit}", unit=called(position, unit)),
                ("units", unit), is_key=True, hint=say("leave it out"),
            )  # fmt: skip


@CITE.rule("4.1")
def sets_up_its_units(stage: SetsUp, position: Position, order: SetUp) -> Iterator[Violation]:
    wanted = waiting(position, stage.side, stage.what)
    others = [
        unit for unit in order.units
        if unit not in wanted and not (is_tag(unit) and position.places[unit] == ASIDE)
    ]  # fmt: skip
    if others:
        is_another_file = len(others) > 1 and len(others) == len(order.units)
        units = a_few(wanted)
        told = say("{unit} is not set up now", unit=called(position, others[0]))
        if len(others) > 1:
            told = say_many(
                "others", "{unit} and {others} other unit here are not set up now",
                "{unit} and {others} other units here are not set up now",
                unit=called(position, others[0]), others=len(others) - 1,
            )  # fmt: skip
        hint = say("set up {units}", units=units)
        if is_another_file:
            hint = say("set up {units}; is this the file you meant?", units=units)
        yield Violation(told, ("units", others[0]), rule="4.1", hint=hint, is_key=True)
        if is_another_file:
            return
    missing = [
        unit for unit in wanted if unit not in order.units and position.printed(unit).type != COLUMN
    ]
    number = number_waiting(position, stage.side, stage.what)
    if any(map(is_tag, order.units)) and not missing and _is_other(stage, len(order.units), number):
        yield Violation(
            say_many("number", "{number} counter is set up, not {named}",
                     "{number} counters are set up, not {named}", number=number,
                     named=len(order.units)),
            ("units",), rule="4.1", hint=say("place each of them once"),
        )  # fmt: skip
    if missing and stage.what != RESERVE:
        yield Violation(
            say_many("number", "{number} unit is not placed: {units}",
                     "{number} units are not placed: {units}", number=len(missing),
                     units=a_few([called(position, unit) for unit in missing])),
            ("units",), rule="4.1", hint=say("place all of them"),
        )  # fmt: skip


@CITE.refusal("5.2")
def puts_what_it_sets_up_on_top(
    stage: SetsUp, position: Position, order: SetUp
) -> Iterator[Violation]:
    for at, unit, is_again in in_turn(order.top):
        if is_again:
            yield named_twice(position, unit, ("top", at))
        elif unit not in order.units:
            yield Violation(
                say("{unit} is not set up with this order", unit=called(position, unit)),
                ("top", at), hint=say("leave it out"),
            )  # fmt: skip


def _is_other(stage: SetsUp, named: int, number: int) -> bool:
    """Whether another number of counters is set up than has to be."""
    return named > number if stage.what == RESERVE else named != number


# ------------------------------------------------------------------- where


@CITE.refusal("4.1")
def sets_up_on_its_ground(stage: SetsUp, position: Position, order: SetUp) -> Iterator[Violation]:
    for unit, hex in order.units.items():
        if position.board.held.get(hex) != stage.side:
            yield Violation(
                say("{hex} is not on your side of the front", hex=place(position, hex)),
                ("units", unit),
                hint=say("name a hex of your own, such as {hexes}",
                         hexes=either(sorted(position.board.front[stage.side],
                                             key=lambda each: GRID.distance(each, hex))[:6])),
            )  # fmt: skip


@CITE.check("4.2")
def stands_in_the_front(stage: SetsUp, position: Position, order: SetUp) -> Iterator[Violation]:
    """Republican infantry stands in front hexes, headquarters there or next to one. Basques stand
    by their own limit; armour and independent brigades where they like.
    """
    # reading: Basque brigades obey their own limit alone; option: they stand in front hexes too.
    if stage.side != REPUBLICAN or stage.what == RESERVE:
        return
    front = position.board.front[REPUBLICAN]
    for unit, hex in order.units.items():
        printed = position.printed(unit)
        if printed.type == ARMOUR or not printed.division:
            continue
        is_basque = printed.nation == BASQUE
        far = distance_of_basques(position, hex) > position.board.charts["basques"]["set_up"]
        if is_basque and (printed.type == HEADQUARTERS or far):
            continue
        if is_basque and BASQUES_IN_FRONT not in position.options:
            continue
        near = False
        message = say("{unit} must stand in a front hex, and {hex} is not one",
                      unit=called(position, unit), hex=place(position, hex))  # fmt: skip
        if printed.type == HEADQUARTERS:
            near = any(each in front for each in GRID.around(hex))
            message = say("{unit} must stand in a front hex or next to one, and {hex} is neither",
                          unit=called(position, unit), hex=place(position, hex))  # fmt: skip
        if hex not in front and not near:
            nearest: list[str] = sorted(front, key=lambda each: GRID.distance(each, hex))
            hint = say("front hexes: {hexes}", hexes=a_few(nearest))
            yield Violation(message, ("units", unit), hint=hint)


@CITE.refusal("4.2")
def keeps_the_basque_limit(stage: SetsUp, position: Position, order: SetUp) -> Iterator[Violation]:
    """Within three hexes of place 18, but for two brigades."""
    if stage.what == RESERVE:
        return
    chart = position.board.charts["basques"]
    far = [
        unit
        for unit in (*position.on_map(REPUBLICAN), *order.units)
        if position.printed(unit).nation == BASQUE
        and distance_of_basques(position, order.units.get(unit) or position.at(unit))
        > chart["set_up"]
    ]  # fmt: skip
    brigades = [unit for unit in far if position.printed(unit).is_brigade]
    guns = [unit for unit in far if not position.printed(unit).is_brigade]
    for unit in guns + (brigades if len(brigades) > chart["free"] else []):
        if unit in order.units:
            yield Violation(
                say(
                    "{unit} is more than {number} hexes from those that end in {place}",
                    unit=called(position, unit), number=chart["set_up"], place=chart["place"],
                ),
                ("units", unit),
                hint=say(
                    "Basque units must stand in hexes that end in {first} to {last}; at most "
                    "{free} of their brigades may be farther away",
                    first=chart["place"] - chart["set_up"], last=chart["place"] + chart["set_up"],
                    free=chart["free"],
                ),
            )  # fmt: skip


def is_italian_ground(position: Position, hex: str) -> bool:
    """Whether the Italians stood in places like that of a hex."""
    chart = position.board.charts["set_up"]["italians"]
    return bool(chart["from"] <= GRID.place(hex)[1] <= chart["to"])


@CITE.check("15.2")
def sets_up_italians_as_they_stood(
    stage: SetsUp, position: Position, order: SetUp
) -> Iterator[Violation]:
    if HISTORICAL not in position.options:
        return
    chart = position.board.charts["set_up"]["italians"]
    for unit, hex in order.units.items():
        if position.printed(unit).nation == ITALIAN and not is_italian_ground(position, hex):
            yield Violation(
                say("{unit} is Italian, and must stand in hexes that end in {first} to {last}",
                    unit=called(position, unit), first=chart["from"], last=chart["to"]),
                ("units", unit), hint=say("name such a hex"),
            )  # fmt: skip


@CITE.refusal("5")
def sets_up_within_the_limit(
    stage: SetsUp, position: Position, order: SetUp
) -> Iterator[Violation]:
    coming: dict[str, list[str]] = {}
    for unit, hex in order.units.items():
        coming.setdefault(hex, []).append(unit)
    for hex, units in coming.items():
        for why, rule in stacking.faults_of_end(position, hex, stage.side, units):
            yield Violation(
                why, ("units", units[-1]), rule=rule, hint=say("put some of them elsewhere")
            )


# ------------------------------------------------------------------- the line, trenches, columns


def _troops(position: Position, order: SetUp) -> tuple[str, ...]:
    """The hexes in which ground units are set up; where covered counters are, one lies on top."""
    return tuple(hex for unit, hex in order.units.items() if position.printed(unit).type != COLUMN)


@CITE.check("4.3")
def covers_the_front(stage: SetsUp, position: Position, order: SetUp) -> Iterator[Violation]:
    """Every front hex is held, or in the zone of a unit."""
    # reading: the Republican line is covered without the divisions that depend on a die.
    if stage.what != FRONT:
        return
    board = position.board
    held = board.masks.of(_troops(position, order))
    covered = held | board.zones.around(held)
    bare = [hex for hex in board.front[stage.side] if not covered & board.masks.bit[hex]]
    if bare:
        yield Violation(
            say("front hexes are neither held nor in a zone of yours: {hexes}",
                hexes=a_few(bare)),
            ("units",), rule="4.2" if stage.side == REPUBLICAN else "4.3",
            hint=say("put units there or next to them"),
        )  # fmt: skip


@CITE.refusal("4.2")
def digs_trenches(stage: SetsUp, position: Position, order: SetUp) -> Iterator[Violation]:
    # reading: all trenches are dug with the front line, before the die of any division.
    most = stage.trenches(position)
    if len(order.trenches) > most:
        yield Violation(
            say("more trenches than there are: {number}, and at most {most}",
                number=len(order.trenches), most=most),
            ("trenches",), hint=say("leave some out"),
        )  # fmt: skip
    held = {*_troops(position, order), *map(position.at, position.on_map(stage.side))}
    for at, hex, is_again in in_turn(order.trenches):
        if is_again:
            yield Violation(
                say("{hex} has a trench already", hex=place(position, hex)), ("trenches", at),
                hint=say("one in a hex"),
            )  # fmt: skip
        elif hex not in held:
            yield Violation(
                say("no unit is in {hex}", hex=place(position, hex)), ("trenches", at),
                hint=say("a trench can be dug only where units are"),
            )  # fmt: skip


@CITE.refusal("4.3")
def brings_its_columns(stage: SetsUp, position: Position, order: SetUp) -> Iterator[Violation]:
    """With a headquarters or next to one, one in a hex."""
    number = position.board.columns_at_first(stage.side) if stage.what == FRONT else 0
    rule = "4.2" if stage.side == REPUBLICAN else "4.3"
    said = order.columns or tuple(
        hex for unit, hex in order.units.items() if position.printed(unit).type == COLUMN
    )
    if any(map(is_tag, order.units)):
        return  # the headquarters beside a column, and other columns, may be among them
    guns = [hex for unit, hex in order.units.items() if position.printed(unit).type == HEADQUARTERS]
    if len(said) != number:
        yield Violation(
            say_many("number", "{number} supply column is set up, not {named}",
                     "{number} supply columns are set up, not {named}", number=number,
                     named=len(said)),
            ("columns",), rule=rule,
            hint=say("columns: [HEX, ...]; headquarters: {hexes}", hexes=a_few(guns)),
        )  # fmt: skip
    for at, hex, is_again in in_turn(said):
        if is_again:
            yield Violation(
                say("two supply columns would be in {hex}", hex=hex), ("columns", at), rule="5",
                hint=say("one in a hex"),
            )  # fmt: skip
        elif position.board.held.get(hex) != stage.side or not any(
            position.board.distance(hex, gun) <= 1 for gun in guns
        ):
            yield Violation(
                say("no headquarters of yours is in or next to {hex}", hex=place(position, hex)),
                ("columns", at), rule=rule,
                hint=say("headquarters: {hexes}", hexes=a_few(guns)),
            )  # fmt: skip
