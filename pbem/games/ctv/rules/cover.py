"""5.2: covered counters: which have to be seen, and what one that is not seen may be.

Whoever was shown once stays known, and goes by its own id ever after. A known ground unit lies on
top of every stack. So zones, supply and who may enter where follow from what both know, and no
event needs the face of a covered counter.

An order is judged as its author sees it, their own covered counters by name; everybody else judges
it without them: it passes if some counter could do it. What only counts of covered counters could
tell (stacking points, two headquarters in a hex) is for the audit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pbem.engine.model import Order, Side, Violation
from pbem.engine.naming import names_in, respelt
from pbem.engine.rules import Predicate, checks
from pbem.engine.tags import is_tag
from pbem.games.ctv import orders as o
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.events import CounterShown
from pbem.games.ctv.position import ASIDE, Position
from pbem.games.ctv.rules import columns, combat, movement, setup, stacking
from pbem.games.ctv.rules.asks import Arranges, OfASide
from pbem.games.ctv.rules.naming import called, names_what_there_is, place
from pbem.games.ctv.tables import ARMOUR, COLUMN, HEADQUARTERS
from pbem.messages import say
from pbem.value import replace, value

Given = TypeVar("Given", bound=Order)
Tags = tuple[str, ...]

# ------------------------------------------------------------------- orders by tag and by name


def in_tags(position: Position, side: Side, order: Given) -> Given:
    """An order with tags for the covered counters of a side that this view knows by name. Columns
    of the set-up are counters among the others.
    """
    tags = {face: tag for tag in position.tags_of(side) if (face := position.face(tag))}
    if not tags:
        return order
    if isinstance(order, o.SetUp) and order.columns:
        coming = zip(position.board.columns[side], order.columns, strict=False)
        order = replace(order, units={**order.units, **dict(coming)}, columns=())
    return respelt(order, lambda kind, name: tags.get(name, name) if kind == "unit" else name)


def by_name(position: Position, order: Given) -> Given:
    """An order with the names of covered counters, as far as this view knows them."""
    return respelt(
        order, lambda kind, name: position.face(name) or name if kind == "unit" else name
    )


# ------------------------------------------------------------------- who has to be seen


@CITE.rule("5.2")
def bare(position: Position, side: Side) -> Iterator[str]:
    """The hexes of a side whose covered counters have nobody on top: no ground unit that both
    know; where units were lost or have retreated, nobody but headquarters, or so many that all may
    be crowded to ruin.
    """
    for hex, tags in position.covers.items():
        if position.side_of(tags[0]) == side:
            on_top = position.units_at(hex, side)
            if hex not in position.in_doubt:
                if not on_top:
                    yield hex
                continue
            left = position.left_at(hex, side)
            troops = tuple(unit for unit in on_top if position.printed(unit).takes_losses)
            if not set(troops) & set(left) or stacking.may_be_ruinous(position, hex, troops):
                yield hex


@CITE.serves("5.2")
def next_to_show(position: Position, side: Side) -> Tags:
    """The covered counters that are shown now, because nobody lies on top of them any more: of
    each hex the first.
    """
    # reading: the order of tags, which tells nothing, is the order of counters in such a stack.
    return tuple(position.covers[hex][0] for hex in bare(position, side))


@value
class Need:
    """Covered counters that an order has to show, if there are any: all of them, or one that can
    lie on top.
    """

    tags: Tags
    at: tuple[str | int, ...]
    is_top: bool = False
    has_troops: bool = False
    """Whether a headquarters on top is not enough: all are shown where there are no troops."""


def needs(position: Position, stage: OfASide, order: Order) -> Iterator[Need]:
    """What an order has to show. The order is in tags."""
    match order:
        case o.SetUp():
            yield from _set_up(position, stage, order)
        case o.Move():
            yield from _of_a_move(position, stage.side, order)
        case o.Column(at=hex):
            yield from _of_a_column(position, stage.side, hex)
        case o.Attack():
            yield from _named(replace(order, beside={}))
            if isinstance(order.support, o.Backing):
                yield from _columns(position, order.support.columns)
            if getattr(stage, "has_shift", position.turn == 1):
                # What is said with the set-up is for the first turn.
                yield from _corps(position.but(turn=1), stage.side, order)
            yield from _crowd(position, stage.side, order)
            yield from _left_behind(position, stage.side, order)
        case o.Support(columns=used):
            yield from _named(order)
            yield from _columns(position, used)
        case o.UseColumns(use=used):
            yield from _columns(position, used)
        case o.Withdraw() | o.Uncover():
            yield from _named(order)


def _named(order: Order) -> Iterator[Need]:
    for tag in dict.fromkeys(filter(is_tag, names_in(order, "unit"))):
        yield Need((tag,), ())


def _columns(position: Position, used: Mapping[str, int] | str) -> Iterator[Need]:
    """The covered columns of hexes, as this view knows them: a hex holds one column (5)."""
    for hex, number in used.items() if isinstance(used, Mapping) else ():
        there = position.covers.get(hex, ()) if number else ()
        yield from (Need((tag,), ()) for tag in there if _type(position, tag) == COLUMN)


def _type(position: Position, tag: str) -> str:
    face = position.face(tag)
    return position.printed(face).type if face else ""


def _set_up(position: Position, stage: OfASide, order: o.SetUp) -> Iterator[Need]:
    yield from (Need((tag,), ("top",)) for tag in filter(is_tag, order.top))
    coming: dict[str, list[str]] = {}
    for unit, hex in order.units.items():
        coming.setdefault(hex, []).append(unit)
    for hex, units in coming.items():
        if not _on_top(position, (*position.units_at(hex, stage.side), *units)):
            yield Need(tuple(filter(is_tag, units)), ("units",), is_top=True)
    if getattr(stage, "what", "") == setup.RESERVE:  # what is not set up leaves the game
        left = (tag for tag in position.tags_of(stage.side) if position.places[tag] == ASIDE)
        yield from (Need((tag,), ("units",)) for tag in left if tag not in order.units)


def _on_top(position: Position, units: Iterable[str]) -> bool:
    """Whether one of units can lie on top, as both know."""
    return any(position.printed(unit).is_ground for unit in units)


@CITE.serves("5.2")
def _of_a_move(position: Position, side: Side, order: o.Move) -> Iterator[Need]:
    yield from (Need((tag,), ("top",)) for tag in filter(is_tag, order.top))
    if not (order.units and order.path):
        return
    start, last, going = position.at(order.units[0]), order.path[-1], order.units
    left = tuple(tag for tag in position.covers.get(start, ()) if tag not in going)
    stay = [unit for unit in position.units_at(start, side) if unit not in going]
    if not stay:
        yield Need(left, ("units",), is_top=True)
    covered = tuple(unit for unit in going if is_tag(unit))
    if _on_top(position, going):
        return
    if not position.units_at(last, side):
        yield Need(covered, ("units",), is_top=True)
    # reading: whoever takes a hex, or a column in it, is seen to be no column.
    taking = tuple(tag for tag in covered if _type(position, tag) not in ("", COLUMN))
    if takes(position, side, order.path):
        yield Need(taking, ("units",), is_top=True)


def takes(position: Position, side: Side, path: Iterable[str]) -> bool:
    """Whether ground units of a side that follow a path take a hex or a column from the enemy."""
    return any(
        position.control.get(hex, side) != side
        or any(position.side_of(column) != side for column in position.columns_at(hex))
        for hex in path
    )


def _of_a_column(position: Position, side: Side, hex: str) -> Iterator[Need]:
    """The headquarters beside which a column arrives, where no known one is near."""
    if hex in columns.places_for_column(position, side):
        return
    for tag in position.covered_on_map(side):
        is_near = hex in position.board.ground and (
            position.board.distance(position.at(tag), hex) <= 1
        )
        if is_near and _type(position, tag) == HEADQUARTERS and tag not in position.unsupplied:
            yield Need((tag,), ("at",))
            return


@CITE.serves("5.2")
def _left_behind(position: Position, side: Side, order: o.Attack) -> Iterator[Need]:
    """Who lies on top where all attack who do: losses, a retreat or an advance may take them all
    away, and the other side, whose mail brings the dice, could not go on without this.
    """
    for hex, attackers in order.units.items():
        left = tuple(tag for tag in position.covers.get(hex, ()) if tag not in attackers)
        stay = (unit for unit in position.units_at(hex, side) if unit not in attackers)
        if not any(position.printed(unit).takes_losses for unit in stay):
            yield Need(left, ("units", hex), is_top=True, has_troops=True)


@CITE.serves("4.4")
def _corps(position: Position, side: Side, order: o.Attack) -> Iterator[Need]:
    """The covered headquarters that moves the column of an attack in the first turn."""
    # reading: it is seen to do so, though it does not fire.
    seen = position.seen(side)
    if combat.first_turn_shift(position, side, order.hex):
        return
    for unit in combat.corps_near(seen, side, order.hex):
        yield from (Need((tag,), ("hex",)) for tag in position.tags_of(side)
                    if position.face(tag) == unit)  # fmt: skip


@CITE.serves("5.1")
def _crowd(position: Position, side: Side, order: o.Attack) -> Iterator[Need]:
    """The covered counters that overstack a hex of attackers, as many as are needed to tell so."""
    # reading: an attack from an overstacked hex is halved, and so that is seen.
    for hex, attackers in order.units.items():
        if not stacking.is_overstacked(position.seen(side), hex, side):
            continue
        names = dict.fromkeys((*position.units_at(hex, side), *attackers))
        known = [*map(position.face, names)]
        under = [tag for tag in position.covers.get(hex, ())
                 if tag not in names and position.face(tag)]  # fmt: skip
        for tag in sorted(under, key=lambda tag: _room(position, tag), reverse=True):
            if stacking.are_too_many(position, hex, known):
                break
            known.append(position.face(tag))
            yield Need((tag,), ("units", hex))


def _room(position: Position, tag: str) -> tuple[int, bool]:
    face = position.face(tag)
    return stacking.points(position, (face,)), position.printed(face).type == ARMOUR


def shown_by(position: Position, stage: OfASide, order: Order) -> Tags:
    """The covered counters that an order shows, as far as this view knows them. The order is in
    tags.
    """
    found: dict[str, None] = {}
    wished = getattr(order, "top", ())
    for need in needs(position, stage, order):
        known = [tag for tag in need.tags if position.face(tag)]
        if not need.is_top:
            found |= dict.fromkeys(known)
        else:
            able = [tag for tag in known if _can_lie_on_top(position, tag, need)]
            if not found.keys() & {*able}:
                first = [tag for tag in able if tag in wished] or sorted(able, key=_rank(position))
                found |= dict.fromkeys(first[:1] or known)
    return tuple(found)


def _can_lie_on_top(position: Position, tag: str, need: Need) -> bool:
    printed = position.printed(position.face(tag))
    return printed.takes_losses if need.has_troops else printed.is_ground


def _rank(position: Position) -> Callable[[str], tuple[bool, int, str]]:
    """What is shown first where nothing is said: troops, the weakest first."""

    def rank(tag: str) -> tuple[bool, int, str]:
        face = position.face(tag)
        values = position.values(face)
        return not position.printed(face).takes_losses, values.attack + values.defence, face

    return rank


def not_shown(stage: OfASide, position: Position, order: Order) -> Iterator[Violation]:
    """What an order has to show and has not, as this view knows. The order is in tags."""
    for need in needs(position, stage, order):
        closed = [tag for tag in need.tags if not position.face(tag)]
        if closed:
            yield Violation(
                say("{unit} has to be shown", unit=called(position, closed[0])), need.at,
                rule="5.2", hint=say("its owner's program does it"),
            )  # fmt: skip


# ------------------------------------------------------------------- what a covered counter may be


def who_could(position: Position, stage: OfASide, order: Order) -> Mapping[str, Tags]:
    """By tag the units that each covered counter of an order may be, as both know, if it does what
    the order says.
    """
    if isinstance(order, o.Move):
        going = [unit for unit in order.units if is_tag(unit)]
        return {unit: _marchers(position, stage.side, unit, order) for unit in going}
    if isinstance(order, o.SetUp):
        placed = {unit: hex for unit, hex in order.units.items() if is_tag(unit)}
        return {unit: _standing(position, stage, unit, hex) for unit, hex in placed.items()}
    return {}


def _marchers(position: Position, side: Side, unit: str, order: o.Move) -> Tags:
    """The units that could make a march: by its cost, and by the supply that only columns do not
    need. If nobody takes a hex who is known to be able to, it is a column.
    """
    path = (position.at(unit), *order.path)
    by_columns = takes(position, side, order.path) and not _on_top(position, order.units)
    by_columns = by_columns or not movement.is_supplied_all_along(
        position, order.units, order.path, side, supposed=unit
    )

    def fits(piece: str) -> bool:
        is_column = position.printed(piece).type == COLUMN
        if by_columns and not is_column:
            return False
        has = movement.allowance_of(
            position, piece, halved=position.is_halved(unit) and not is_column
        )
        return movement.path_cost(position, piece, path) <= movement.HALVES * has

    return tuple(piece for piece in position.may_be(unit) if fits(piece))


def _standing(position: Position, stage: Any, unit: str, hex: str) -> Tags:
    """The units that could be set up in a hex, each by itself."""

    def fits(piece: str) -> bool:
        alone = o.SetUp({piece: hex})
        if piece in position.missing or not setup.belongs(position, piece, stage.what):
            return False
        return not any(
            any(predicate(stage, position, alone))
            for predicate in (setup.stands_in_the_front, setup.sets_up_italians_as_they_stood)
        )

    return tuple(piece for piece in position.may_be(unit) if fits(piece))


def could_do_it(stage: OfASide, position: Position, order: Order) -> Iterator[Violation]:
    """A covered counter does nothing that no unit could do which it may be. Those whom the order
    shows are seen by then.
    """
    for tag in shown_by(position, stage, order):
        position = CounterShown(stage.side, tag, position.face(tag)).apply(position)
    order = position.down.meant(order, "unit")
    for unit, pieces in who_could(position, stage, order).items():
        if not pieces or (position.face(unit) and position.face(unit) not in pieces):
            yield Violation(
                say("no unit could do this that {unit} may be", unit=called(position, unit)),
                ("units",), rule="5.2",
                hint=say("its owner's program knows which it is"),
            )  # fmt: skip


# ------------------------------------------------------------------- new secrets


@CITE.refusal("5.2")
def arranges_as_many(stage: Arranges, position: Position, order: o.Arrange) -> Iterator[Violation]:
    """Each hex gets as many new tags as counters lay there."""
    wanted = sorted(place for place, _ in stage.spots if place in position.board.ground)
    covered = {*stage.tags, *position.down.hidden}  # its author judges it by name
    strange = [unit for unit in order.units if unit not in covered]
    if strange or sorted(order.units.values()) != wanted:
        told = ", ".join(f"{hex}: {wanted.count(hex)}" for hex in dict.fromkeys(wanted))
        yield Violation(
            say("each hex needs as many covered counters as lay there"), ("units",),
            hint=say("so many: {told}", told=told),
        )  # fmt: skip


@CITE.refusal("5.2")
def arranges_what_can_lie_there(
    stage: Arranges, position: Position, order: o.Arrange
) -> Iterator[Violation]:
    """Each counter, as far as this view knows it, is put where one lay that it may have been: what
    both saw of that could not be shown of another later.
    """
    could: dict[str, set[str]] = {}
    for where, pieces in stage.spots:
        could.setdefault(where if where in position.board.ground else "", set()).update(pieces)
    for tag in stage.tags:
        unit = position.face(tag)
        name = unit if unit in order.units else tag
        hex = order.units.get(name, "")
        if unit and unit not in could[hex]:
            told = tuple(
                place(position, each) for each in sorted(could) if each and unit in could[each]
            )
            yield Violation(
                say("{unit} cannot have lain in {hex}", unit=called(position, unit),
                    hex=place(position, hex))
                if hex
                else say("{unit} lay in a hex", unit=called(position, unit)),
                ("units", name) if hex else ("units",), rule="5.2",
                hint=say("it may have lain in {hexes}", hexes=told) if told
                else say("it was in no hex"),
            )  # fmt: skip


# ------------------------------------------------------------------- judgement


def judged_by(*rows: tuple[Predicate, ...], is_public: bool = False) -> Predicate:
    """The check of an order: that what it names exists, then these rows, as `checks` has them.

    Where counters are covered, its author's view judges it with their own by name; with
    `is_public` it is judged by what both know alone, as what follows from dice has to be.
    """
    whole = checks((names_what_there_is,), *rows)

    def judged(stage: OfASide, position: Position, order: Order) -> Iterator[Violation]:
        if is_public or not position.down.hidden:
            yield from whole(stage, position, order)
            return
        seen = position.seen(stage.side)
        found = [*whole(stage, seen, by_name(position, order))]
        if not found:
            order = in_tags(position, stage.side, order)
            found = [*not_shown(stage, position, order)] or [*could_do_it(stage, position, order)]
        yield from found

    judged.predicates = whole.predicates  # type: ignore[attr-defined]
    return judged
