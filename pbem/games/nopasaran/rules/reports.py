"""What is told of counters face down: their class for a bombardment (11.4), and what reconnaissance
finds out (7.3.4, 21).

What is said is about certain counters: it stays true wherever they go, and is forgotten when one of
them changes. Counters that lie open are in view, and nothing is told of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from pbem.engine.facedown import Statement, matched
from pbem.engine.model import Violation
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.orders import Pick, ReportHexes, Strength, ToldOfHex
from pbem.games.nopasaran.position import CLASS, POINTS, Position
from pbem.games.nopasaran.rules.naming import place
from pbem.games.nopasaran.tables import nearest_two
from pbem.messages import Said, say
from pbem.value import value

COUNT, KINDS, HALF, FULL = "count", "types", "half", "full"
LEVELS = (COUNT, KINDS, HALF, FULL)
"""What a look at a hex tells, from little to all (7.3.4)."""
MOST_SHOWN = 96
"""Openings of one report: what would take more is told by points and types alone."""


@value
class HexLook:
    """What is found out of a hex, and whether who looked picks the half that is shown."""

    hex: str
    level: str
    is_asked: bool = False


class IsFiredAt(Protocol):
    """A stage about a hex that is bombarded."""

    @property
    def hex(self) -> str: ...


class Reports(Protocol):
    """A stage in which is told what reconnaissance has found out."""

    def to_tell(self, position: Position) -> Mapping[str, str]:
        """The hexes of which something is told, with their levels."""


class Picks(Protocol):
    """A stage in which who has looked picks the half that is shown."""

    def to_pick(self, position: Position) -> Mapping[str, int]:
        """The hexes, and how many counters are picked in each."""


# ------------------------------------------------------------------- what was said


def said_of(position: Position, about: str, units: Iterable[str]) -> bool | int | str | None:
    """What was said last of a thing of exactly these units, if it still holds."""
    wanted = set(units)
    found = (fact.said for fact in reversed(position.down.facts)
             if fact.about.startswith(about) and wanted == set(fact.tags))  # fmt: skip
    return next(found, None)


@CITE.audit("7.3.4", "11.4", "21")
def is_true(position: Position, fact: Statement) -> bool:
    """Whether what was said of counters that are all known by now was so: nobody of them has
    changed since.
    """
    if fact.about.startswith(CLASS):
        return position.troops_of(fact.tags) in position.board.troop_classes[str(fact.said)]
    if fact.about.startswith(POINTS):
        return nearest_two(position.troops_of(fact.tags)) == fact.said
    return _types_of(position, fact.tags) == str(fact.said)


def _types_of(position: Position, units: Iterable[str]) -> str:
    return " ".join(sorted(position.printed(unit).type for unit in units))


@CITE.serves("21")
def troops_known(position: Position, hex: str) -> int | None:
    """The troop points of the units of a hex, as both players know them: what lies open, and what
    was told of the others; None where too little was told.
    """
    # reading: troop points count as both know them: what lies open, and what was told.
    units = position.stacks.get(hex, ())
    hidden = tuple(filter(is_tag, units))
    told = said_of(position, POINTS, hidden) if hidden else 0
    if not isinstance(told, int):
        return None
    return told + position.troops_of(units)  # a counter face down shows none


# ------------------------------------------------------------------- the class of a target


@CITE.serves("11.4")
def troops_fired_at(position: Position, units: Iterable[str]) -> int:
    """The troop points of units that are fired at. Where some lie face down, the least of the class
    that their player has said; of the largest, where nothing was said yet.
    """
    units = tuple(units)
    if not any(map(is_tag, units)):
        return position.troops_of(units)
    classes = position.board.troop_classes
    said = said_of(position, CLASS, units)
    return classes[str(said)][0] if said in classes else [*classes.values()][-1][0]


def possible_classes(position: Position, units: Iterable[str]) -> tuple[str, ...]:
    """The classes that the troop points of some units may have as this view knows, the largest
    first.
    """
    sums = _sums(position, units)
    return tuple(
        name
        for name, points in [*position.board.troop_classes.items()][::-1]
        if not sums.isdisjoint(points)
    )


def _sums(position: Position, units: Iterable[str], types: Iterable[str] = ()) -> set[int]:
    """The troop points that some counters may have together, as this view knows; of these types, if
    they are given.
    """
    units = tuple(units)
    if pieces := position.down.held(units):
        return {position.troops_of(pieces)}
    only, found = set(types), {0}
    for unit in units:
        each = {
            position.troops(piece)
            for piece in position.down.could_be(unit)
            if not only or position.printed(piece).type in only
        }
        found = {one + other for one in found for other in each}
    return found


@CITE.refusal("11.4")
def says_a_class_it_may_have(
    stage: IsFiredAt, position: Position, order: Strength
) -> Iterator[Violation]:
    able = possible_classes(position, position.stacks.get(stage.hex, ()))
    if order.points not in able:
        yield Violation(
            say("the troop points of the units in {hex} cannot be {points}",
                hex=place(position, stage.hex), points=order.points),
            ("points",), hint=BY_PROGRAM,
        )  # fmt: skip


BY_PROGRAM = say("the program of its player writes it")

# ------------------------------------------------------------------- what is shown of a hex


@CITE.serves("7.3.4")
def better(looks: Iterable[HexLook]) -> tuple[HexLook, ...]:
    """The looks at different hexes, of several at one hex the one that tells most."""
    # reading: several flights over a hex tell what the best of them tells; half and all tell the
    # points and types of those, too, that are not shown.
    best: dict[str, HexLook] = {}
    for look in looks:
        known = best.get(look.hex)
        if known is None or LEVELS.index(known.level) < LEVELS.index(look.level):
            best[look.hex] = look
    return tuple(best.values())


@CITE.serves("7.3.4", "21")
def half_of(position: Position, looks: Iterable[HexLook], *, asked: bool) -> dict[str, int]:
    """The hexes of which half of the counters face down are shown, and how many that are: picked by
    lot, or by who has looked.
    """
    # reading: of an odd number one more; those that lie open count to neither half.
    return {
        look.hex: (len(position.tags_at(look.hex)) + 1) // 2
        for look in looks
        if look.level == HALF and look.is_asked == asked
    }


def within_one_report(position: Position, tags: Iterable[str]) -> tuple[str, ...]:
    """As many of some counters as one report can show, from the first on."""
    found, openings = [], 0
    for tag in tags:
        openings += position.down.depths[tag]
        if openings > MOST_SHOWN:
            break
        found.append(tag)
    return tuple(found)


@CITE.refusal("7.3.4")
def picks_half(stage: Picks, position: Position, order: Pick) -> Iterator[Violation]:
    wanted = stage.to_pick(position)
    for hex, units in order.units.items():
        strange = [unit for unit in units if unit not in position.tags_at(hex)]
        if hex in wanted and (strange or len(set(units)) != len(units)):
            yield Violation(
                say("name counters that lie face down in {hex}, each once",
                    hex=place(position, hex)), ("units", hex),
                hint=say("choose among those that the question shows"),
            )  # fmt: skip
    if {hex: len(units) for hex, units in order.units.items()} != wanted:
        told = tuple(say("{number} in {hex}", number=number, hex=place(position, hex))
                     for hex, number in wanted.items())  # fmt: skip
        yield Violation(say("half of the counters face down are shown"), ("units",),
                        hint=say("so many: {told}", told=told))  # fmt: skip


# ------------------------------------------------------------------- what a report says


def told_of(position: Position, hex: str, level: str) -> ToldOfHex:
    """What is said of the counters face down in a hex: the truth where this view knows them, if
    only as a group; else something that may be so.
    """
    tags = position.tags_at(hex)
    pieces = position.down.held(tags) or [position.down.could_be(tag)[0] for tag in tags]
    types = tuple(sorted(position.printed(piece).type for piece in pieces))
    return ToldOfHex(nearest_two(position.troops_of(pieces)), types if level != COUNT else ())


@CITE.refusal("7.3.4")
def tells_what_may_be(
    stage: Reports, position: Position, order: ReportHexes
) -> Iterator[Violation]:
    """A report tells of each hex what it has to, and nothing that cannot be of the counters there,
    as far as this view knows them.
    """
    wanted = stage.to_tell(position)
    if set(order.hexes) != set(wanted):
        yield Violation(say("a report tells of each hex that was looked at"), ("hexes",),
                        hint=BY_PROGRAM)  # fmt: skip
        return
    for hex, told in order.hexes.items():
        if why := _why_not_so(position, hex, wanted[hex], told):
            yield Violation(why, ("hexes", hex), hint=BY_PROGRAM)


def _why_not_so(position: Position, hex: str, level: str, told: ToldOfHex) -> Said:
    tags, where = position.tags_at(hex), place(position, hex)
    if len(told.types) != (len(tags) if level != COUNT else 0):
        return say("the types of all counters face down in {hex} are told, or of none", hex=where)
    if [*told.types] != sorted(told.types):
        return say("types are told by the alphabet: their order tells nothing")
    able = [
        tuple(dict.fromkeys(position.printed(piece).type for piece in position.down.could_be(tag)))
        for tag in tags
    ]
    places = matched(able, told.types)
    if any(type not in able[at] for type, at in zip(told.types, places, strict=True)):
        return say("the counters face down in {hex} cannot be of these types", hex=where)
    pieces = position.down.held(tags)
    if pieces and told.types and " ".join(told.types) != _types_of(position, pieces):
        return say("the counters face down in {hex} cannot be of these types", hex=where)
    if told.points not in {*map(nearest_two, _sums(position, tags, told.types))}:
        return say("the troop points of what lies face down in {hex} cannot be {points}", hex=where,
                   points=told.points)  # fmt: skip
    return ""
