"""2.6: the secret set-up, an option that the rulebook does not have: the units of one formation and
one kind of movement trade the hexes in which they are printed.

Both players know of each counter to which formation it belongs and how it moves, so everything but
the troop points in a hex is judged at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.facedown import by_tag
from pbem.engine.model import Side, Violation
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.orders import SetUp
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import stacking
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.rules.naming import all_in_list, any_unit, called, place
from pbem.messages import say, say_many

Group = tuple[str, ...]


def printed(position: Position) -> Mapping[str, str]:
    """The hexes in which the units of the battle are printed."""
    return {unit: each["hex"] for each in position.plain["set_up"] for unit in each["units"]}


@CITE.serves("2.6")
def groups(position: Position, side: Side) -> Mapping[str, Group]:
    """The units of a side that may trade hexes: those of one formation and one kind of movement, in
    two hexes at least.
    """
    # reading: the top counter is not in view, as most stacks are single counters: its formation is
    # known all the same. Headquarters lie open. Whoever is where its formation is printed is
    # commanded as it is printed, so command needs no judgement of its own.
    homes, found = printed(position), dict[str, list[str]]()
    for unit in homes:
        each = position.board.units[unit]
        if each.side == side and not each.is_headquarters:
            found.setdefault(f"{each.formation} {each.kind}", []).append(unit)
    return {name: tuple(group) for name, group in found.items()
            if len({*map(homes.get, group)}) > 1}  # fmt: skip


def able(position: Position, side: Side) -> tuple[str, ...]:
    """All units of a side that may trade hexes."""
    return tuple(unit for group in groups(position, side).values() for unit in group)


def spots(position: Position, side: Side) -> Mapping[str, tuple[str, ...]]:
    """For each hex the groups of which a counter is printed there, once for each counter."""
    homes, found = printed(position), dict[str, tuple[str, ...]]()
    for name, group in groups(position, side).items():
        for unit in group:
            found[homes[unit]] = (*found.get(homes[unit], ()), name)
    return found


@CITE.serves("2.6")
def counters(position: Position, side: Side) -> tuple[str, ...]:
    """The counters that are laid out: by name, or by tag where this view does not know them."""
    # reading: what was shown before a take-back to the set-up is known, and lies for now where its
    # tag lay. It is laid out again as well, openly: whoever put it back where it is printed would
    # else have one counter too many in one hex, and one too few in another.
    mine = able(position, side)
    return tuple(unit for unit in position.hexes if unit in mine
                 or (is_tag(unit) and position.side_of(unit) == side))  # fmt: skip


def whole(position: Position, side: Side, order: SetUp) -> SetUp:
    """A set-up with the hex of each counter that this view knows, and of which group it is: what it
    does not name goes where it is printed. In the order of tags, which tells nothing.
    """
    homes = printed(position)
    group_of = {unit: name for name, group in groups(position, side).items() for unit in group}
    faces = {unit: face for unit in counters(position, side) if (face := position.face(unit))}
    units = {**{unit: homes[face] for unit, face in faces.items()}, **order.units}
    alike = {**{unit: group_of[face] for unit, face in faces.items()}, **order.alike}
    return SetUp(_in_order(units), _in_order(alike), order.zones)


def _in_order(said: Mapping[str, str]) -> Mapping[str, str]:
    return {unit: said[unit] for unit in sorted(said, key=by_tag)}


def as_printed(position: Position, side: Side) -> SetUp:
    """Every counter of a side where it is printed. A view that does not know some takes each for
    one that is printed where it lies for now, as long as one is left.
    """
    homes, there = printed(position), counters(position, side)
    group_of = {unit: name for name, group in groups(position, side).items() for unit in group}
    faces = {unit: position.face(unit) for unit in there}
    units = {unit: homes[face] for unit, face in faces.items() if face}
    left = [unit for unit in group_of if unit not in faces.values()]
    alike = dict[str, str]()
    for unit in (each for each in there if each not in units):
        here = (each for each in left if homes[each] == position.at(unit))
        piece = next(here, left[0])
        left.remove(piece)
        units[unit], alike[unit] = homes[piece], group_of[piece]
    return SetUp(units, alike)


@CITE.refusal("2.6")
def lays_out_its_counters(stage: OfASide, position: Position, order: SetUp) -> Iterator[Violation]:
    """Counters that may trade hexes, all of them."""
    there = counters(position, stage.side)
    named = dict.fromkeys(order.alike, "alike") | dict.fromkeys(order.units, "units")
    for unit, part in named.items():
        if unit not in there:
            yield Violation(
                say("{unit} does not trade hexes", unit=called(position, unit)), (part, unit),
                is_key=True, hint=say("it may be {units}", units=any_unit(position, there)),
            )  # fmt: skip
    laid = whole(position, stage.side, order)
    left = len({*there} - (laid.units.keys() & laid.alike.keys()))
    if left:
        yield Violation(
            say_many("number", "{number} counter is not laid out",
                     "{number} counters are not laid out", number=left),
            ("units",), hint=say("its owner's program names all of them"),
        )  # fmt: skip


@CITE.refusal("2.6")
def lays_out_as_many(stage: OfASide, position: Position, order: SetUp) -> Iterator[Violation]:
    """Each hex gets as many counters of each formation and kind of movement as printed there."""
    wanted, laid = spots(position, stage.side), whole(position, stage.side, order)
    alike, faults = groups(position, stage.side), False
    for unit, group in laid.alike.items():
        if {*position.down.could_be(unit)}.isdisjoint(alike.get(group, ())):
            faults = True
            yield Violation(
                say("{unit} is not one of {group}", unit=called(position, unit), group=group),
                ("alike", unit), hint=say("leave it out: the program writes it"),
            )  # fmt: skip
        elif group not in wanted.get(laid.units[unit], ()):
            faults = True
            hexes = (hex for hex, there in wanted.items() if group in there)
            yield Violation(
                say("{unit} cannot begin in {hex}", unit=called(position, unit),
                    hex=place(position, laid.units[unit])),
                ("units", unit),
                hint=say("units of its formation that move alike begin in {hexes}",
                         hexes=all_in_list(hexes)),
            )  # fmt: skip
    for hex, there in wanted.items() if not faults else ():
        units = [unit for unit in laid.units if laid.units[unit] == hex]
        if sorted(laid.alike[unit] for unit in units) != sorted(there):
            yield Violation(
                say("{hex} does not get as many counters of each formation as are printed there",
                    hex=place(position, hex)),
                ("units",),
                hint=say("two units of one formation that move alike trade hexes"),
            )  # fmt: skip


@CITE.refusal("8")
def lays_out_within_the_limit(
    stage: OfASide, position: Position, order: SetUp
) -> Iterator[Violation]:
    """The troop points in a hex, as far as this view knows the counters."""
    laid = whole(position, stage.side, order).units
    stay = {hex: tuple(unit for unit in units if unit not in laid)
            for hex, units in position.stacks.items()}  # fmt: skip
    bare = position.but(stacks=stay)
    for hex in dict.fromkeys(laid.values()):
        units = tuple(unit for unit in laid if laid[unit] == hex)
        if more := stacking.excess(bare, hex, units):
            yield Violation(
                say_many("number", "{hex} would hold {number} troop point too many",
                         "{hex} would hold {number} troop points too many",
                         hex=place(position, hex), number=more),
                ("units",), hint=say("put a smaller unit there"),
            )  # fmt: skip


def names_after(position: Position, order: SetUp) -> tuple[tuple[str, str], ...]:
    """Which counter takes the place of which, in each hex in the order of the stack."""
    found = list[tuple[str, str]]()
    for hex, units in position.stacks.items():
        coming = sorted((tag for tag in order.units if order.units[tag] == hex), key=by_tag)
        old = [unit for unit in units if unit in order.units]
        found += zip(old, coming, strict=True)
    return tuple(found)
