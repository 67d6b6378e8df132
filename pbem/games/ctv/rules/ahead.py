"""5.2: orders given ahead that a covered counter of their author might make illegal.

They are carried out in view of both, who may see some counter do what this one cannot: its author
could not know when they wrote, and an audit would find them at fault. So they lapse, by what both
know alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from pbem.engine.hidden import When
from pbem.engine.model import Order, PlayerStage, Side, State, Violation
from pbem.engine.tags import is_tag
from pbem.games.ctv import orders as o
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import columns, combat, cover, stacking, war
from pbem.games.ctv.rules.asks import OfASide
from pbem.games.ctv.rules.naming import called, place
from pbem.games.ctv.tables import NATIONALIST
from pbem.late import Late
from pbem.messages import Said, say

if TYPE_CHECKING:
    from pbem.engine.conditions import compares
else:  # few orders wait
    compares = Late("pbem.engine.conditions").compares

TURN = "turn"
"""What an order that waits for a turn says in its `when`."""
DOUBTED = o.Move | o.Column | o.Attack | o.Uncover
"""Of all others what lies covered is known to both: they name who has to be shown."""


@CITE.serves("5.2")
def doubts(state: State[Position], order: Order) -> Iterator[Violation]:
    """Why an order given ahead lapses now that both see as legal."""
    if not state.position.down.hidden or not isinstance(order, DOUBTED):
        return
    stage = state.agenda[-1]
    assert isinstance(stage, PlayerStage)
    position = state.position.veiled(None)
    if any(stage.check(position, order)):
        return  # it lapses for that
    side = stage.side  # type: ignore[attr-defined]
    match order:
        case o.Move(units=units, path=path):
            yield from _of_marchers(position, stage, order)  # type: ignore[arg-type]
            for why, rule in stacking.doubts_of_end(position, path[-1], side, units):
                yield _doubt(why, rule)
        case o.Column(at=hex):
            coming = (columns.next_column(position, side),)
            for why, rule in stacking.doubts_of_end(position, hex, side, coming):
                yield _doubt(why, rule)
        case o.Attack():
            yield from _of_an_attack(position, side, order)
        case o.Uncover() if war.uncovers_all_basques in stage.check.predicates:
            if tags := war.may_be_basques(position):
                yield _doubt(_might_be_shown(position, tags[0]), "13.3")


def _of_marchers(position: Position, stage: OfASide, order: o.Move) -> Iterator[Violation]:
    for unit, pieces in cover.who_could(position, stage, order).items():
        if {*pieces} != {*position.may_be(unit)}:
            yield _doubt(say("{unit} might not be able to do this", unit=called(position, unit)))


def _of_an_attack(position: Position, side: Side, order: o.Attack) -> Iterator[Violation]:
    """The covered counters that the attack might have to show, unless its author has said that
    they need not be: who moves its column in the first turn, and who halves it for their number.
    """
    if not combat.first_turn_shift(position, side, order.hex):
        said = {unit for units in order.beside.values() for unit in units}
        near = combat.may_be_corps_near(position, side, order.hex)
        for tag in [each for each in near if each not in said][:1]:
            yield _doubt(_might_be_shown(position, tag), "4.4")
    for hex in order.units:
        there = (*position.units_at(hex, side), *position.covers.get(hex, ()))
        is_said = {*there} <= {*order.beside.get(hex, ())}
        is_known = is_said or stacking.is_overstacked(position, hex, side)
        if not is_known and stacking.may_be_overstacked(position, hex, side):
            why = say("{hex} might be overstacked, as far as both know", hex=place(position, hex))
            yield _doubt(why, "5.1")


def _might_be_shown(position: Position, tag: str) -> Said:
    return say("{unit} might have to be shown", unit=called(position, tag))


def _doubt(why: Said, rule: str = "5.2") -> Violation:
    return Violation(why, rule=rule, hint=say("give the order when you are asked"))


# ------------------------------------------------------------------- what is said with an attack


@CITE.serves("4.4", "5.1", "5.2")
def beside(
    position: Position, side: Side, order: o.Attack, given: Iterable[Order],
    when: When | None = None,
) -> Mapping[str, tuple[str, ...]]:  # fmt: skip
    """What the author of an attack can say of the units that will be beside it, by their hexes:
    that they do not overstack the hex, and are no headquarters that moves the column. `given` are
    the orders of the same file that are still to be carried out: they say who will be where, and
    in which turn, and so does `when`. A hex of which that is not so is left out.
    """
    given = [*given]
    places = _places(position, side, given)
    before = takewhile(lambda one: one != order, given)
    is_first = has_a_shift(position, side, before, when)
    found = {}
    for hex, units in places.items():
        is_near = is_first and combat.is_within_reach(position, hex, order.hex)
        covers = hex in order.units or is_near
        if covers and any(map(is_tag, units)) and not _changes(position, hex, units, is_first):
            found[hex] = tuple(sorted(units))
    return found


@CITE.serves("4.4")
def has_a_shift(
    position: Position, side: Side, before: Iterable[Order], when: When | None = None
) -> bool:
    """Whether the corps of the CTV may move the column of an attack: it is Nationalist and comes in
    the first turn at the latest, for the orders of its file before it, which are still to be
    carried out, do not end the phase of its side, and it does not wait for a later one.
    """
    if side != NATIONALIST or position.turn > 1 or position.active != side:
        return False
    if when and TURN in when and not compares(1, when[TURN]):
        return False
    return sum(isinstance(one, o.Done) for one in before) < SEGMENTS_LEFT[position.segment]


SEGMENTS_LEFT: Mapping[str, int] = {"set-up": 2, "weather": 2, "movement": 2, "combat": 1}
"""How many segments of its phase the active side has still to end, by the present one."""


def _places(position: Position, side: Side, given: Iterable[Order]) -> Mapping[str, Sequence[str]]:
    """Where the units of a side may be behind these orders; who advances may be in both hexes."""
    goes, follows = dict[str, str](), list[tuple[str, str]]()
    for order in given:
        match cover.in_tags(position, side, order):
            case o.SetUp(units=placed):
                goes |= placed
            case o.Move(units=units, path=(*_, end)):
                goes |= dict.fromkeys(units, end)
            case o.Attack(advance=o.Following(units=units, to=to), hex=hex):
                follows += ((unit, to or hex) for unit in units)
    every = dict.fromkeys((*position.on_map(side), *position.covered_on_map(side), *goes))
    found: dict[str, list[str]] = {}
    for unit, hex in (*((unit, goes.get(unit) or position.at(unit)) for unit in every), *follows):
        if hex in position.board.ground and unit not in found.setdefault(hex, []):
            found[hex].append(unit)
    return found


@CITE.serves("4.4", "5.1")
def _changes(position: Position, hex: str, units: Iterable[str], is_first: bool) -> bool:
    """Whether units, as far as this view knows them, would change an attack from their hex, or near
    it, in the first turn or a later one.
    """
    faces = [*filter(None, map(position.face, units))]
    return stacking.are_too_many(position, hex, faces) or (
        is_first and any(combat.is_the_ctv(position, face) for face in faces)
    )


@CITE.serves("4.4", "5.1")
def says_what_is_so(stage: OfASide, position: Position, order: o.Attack) -> Iterator[Violation]:
    """What an attack says of the units beside it is so: an audit holds its author to it."""
    for hex, units in order.beside.items():
        is_near = hex in position.board.ground and combat.is_within_reach(position, hex, order.hex)
        is_one = is_near and len(set(units)) == len(units) and all(
            position.side_of(unit) == stage.side for unit in units
        )  # fmt: skip
        if not is_one or _changes(position, hex, units, position.turn <= 1):
            yield Violation(
                say("this is not so of {hex}", hex=place(position, hex)), ("beside", hex),
                rule="5.2", hint=say("leave it out: the program writes it"),
            )  # fmt: skip
