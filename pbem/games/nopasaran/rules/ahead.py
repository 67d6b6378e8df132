"""2.6, 5.1: orders given ahead that what their author hides might make illegal.

They are carried out in view of both, who may see some unit do what this one cannot: its author
could not know when they wrote, and an audit would find them at fault. So they lapse, by what both
know alone. What its author could know, their program says, or leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import TypeVar

from pbem.engine.facedown import by_tag
from pbem.engine.mentions import named_in
from pbem.engine.model import Order, PlayerStage, Side, Violation
from pbem.engine.rules import Predicate
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.options import ATTACK_INTO_ZONES, INTERDICT_EACH_HEX, MOSTLY_ROAD
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import (
    activation,
    cover,
    engineers,
    factors,
    movement,
    retreat,
    stacking,
    ways,
    zones,
)
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.rules.naming import called, formation_called, place
from pbem.messages import Said, say
from pbem.value import replace

Given = TypeVar("Given", bound=Order)


@CITE.serves("2.6", "5.1")
def doubts(
    stage: PlayerStage[Position], position: Position, order: Order, moves: Predicate
) -> Iterator[Violation]:
    """Why an order given ahead lapses: what it breaks as both know, or might break. `moves` judges
    the move of a unit by itself.
    """
    if position.is_open:
        return
    if isinstance(order, o.Mix):
        yield never_ahead()
        return
    position = position.veiled(None)
    found = [*stage.check(position, order)]
    yield from found
    if found:
        return  # for that, in every view alike
    side: Side = stage.side  # type: ignore[attr-defined]
    match order:
        case o.Move():
            yield from _of_a_move(stage, position, order, moves)  # type: ignore[arg-type]
        case o.Activate():
            yield from _of_an_activation(position, side, order)
        case o.Attack():
            yield from _of_an_attack(position, order)
        case o.Arrange():
            yield from _of_a_stack(position, order)
        case o.Build():
            yield from _of_works(position, side, order)
        case o.Arrive(units=units, at=hex):
            yield from _of_its_end(position, units, hex)
        case o.Retreat(paths=paths):
            yield from _of_ways_back(retreat.surely_retreats(position, paths))
        case o.Withdraw(paths=paths):
            yield from _of_ways_back(retreat.surely_withdraws(position, paths))
        case o.Displace():
            yield from _of_ways_back(retreat.surely_displaces(position, order))


@CITE.serves("2.6")
def never_ahead() -> Violation:
    """Why no counters are mixed by an order given ahead."""
    # reading: what the counters come to is said with the mix, and may have changed when its turn
    # comes.
    return Violation(
        say("counters cannot be mixed behind dice: it is said with the order what they come to, "
            "and the dice may change that"),
        rule="2.6",
        hint=say("write it before the order that needs dice, for hexes whose counters do nothing "
                 "more today; or leave it out with all that is behind it, and write it when you "
                 "are asked"),
    )  # fmt: skip


def _doubt(why: Said, rule: str = "2.6") -> Violation:
    return Violation(why, rule=rule, hint=say("give the order when you are asked"))


# ------------------------------------------------------------------- moves


def _of_a_move(
    stage: OfASide, position: Position, order: o.Move, whole: Predicate
) -> Iterator[Violation]:
    """The units of a move that could perhaps not go along: whatever those are that lie face down,
    among them and on their way.
    """
    order = movement.without_start(position, order)
    yield from _of_its_end(position, order.units, order.path[-1])
    is_clear = not any(map(position.tags_at, order.path))
    if is_clear and not any(map(is_tag, order.units)):
        return  # they were judged by all that there is
    alone, is_alone = cover.moves_alone(stage, order, whole), is_clear and len(order.units) == 1
    for unit in order.units:

        def could(supposed: Position, piece: str, unit: str = unit) -> bool:
            if is_tag(unit) and not alone(supposed, piece):
                return False
            going = tuple(piece if each == unit else each for each in order.units)
            return is_alone or _has_enough(supposed, piece, going, order.path)

        if {*cover.who_could(position, unit, could)} != {*position.may_be(unit)}:
            yield _doubt(say("{unit} might not be able to do this", unit=called(position, unit)))


@CITE.serves("8.p3")
def _of_its_end(position: Position, units: Iterable[str], last: str) -> Iterator[Violation]:
    """A hex that could be too full with counters face down at the end of a move."""
    there = {*position.stacks.get(last, ()), *units}
    if any(map(is_tag, there)) and stacking.could_be_too_full(position, last, units):
        why = say("{hex} might hold too many troop points", hex=place(position, last))
        yield _doubt(why, rule="8.p3")


@CITE.serves("15.C")
def _of_ways_back(is_sure: bool) -> Iterator[Violation]:
    """Where they end there might be too little room, or enough on a way that leads into no zone."""
    if not is_sure:
        why = say("counters face down might bar this way, or leave room on another")
        yield _doubt(why, "15.C")


@CITE.serves("10", "10.1")
def _has_enough(position: Position, unit: str, going: Sequence[str], path: Sequence[str]) -> bool:
    """Whether a unit that could go a path by itself has the points for it where all of `going` go,
    whatever those are that lie face down.
    """
    are_fresh = not any(each in position.walked or position.spent.get(each) for each in going)
    if len(path) == 1 and are_fresh:
        return True
    way = (position.at(unit), *path)
    roads = (True, False) if MOSTLY_ROAD in position.options else (True,)
    dearest = max(_dearest(position, unit, going, way, by_road=by_road) for by_road in roads)
    return dearest <= factors.left_to_spend(position, unit)


@CITE.serves("10", "7.3.1", "10.p4")
def _dearest(
    position: Position, unit: str, going: Sequence[str], way: Sequence[str], *, by_road: bool
) -> int:
    """The most that a path could cost a unit that can go it, in half points."""
    printed, met = position.printed(unit), dict[str, int]()
    side, kind, cost = printed.side, printed.goes, 0
    paid = movement.paid_by(position, unit)
    for here, there in pairwise(way):
        friends = [each for each in position.units_at(there, side) if each not in going]
        step = None
        if by_road and not friends:
            step = ways.road_cost(position, here, there, kind, side)
        charges = movement.markers_met(position, side, there, is_road=step is not None)
        for marker, charge in charges.items():
            if marker in paid:
                continue
            again = met.get(marker, 0) if INTERDICT_EACH_HEX in position.options else 0
            met[marker] = charge + again
        if step is None:
            step = ways.ground_cost(position, here, there, kind, side)
            assert step is not None
            step += movement.rain_cost(position, printed) + _most_of_stack(position, going, friends)
        cost += step + movement.zone_cost(position, side, here, there)
    return cost + sum(met.values())


@CITE.serves("10.p8")
def _most_of_stack(position: Position, going: Iterable[str], friends: Iterable[str]) -> int:
    """The most that entering a hex with friendly units could cost more."""
    if _points_at_most(position, going) <= movement.NEVER_PAYS:
        return 0
    return movement.stack_cost_of(position, _points_at_most(position, friends))


def _points_at_most(position: Position, units: Iterable[str]) -> int:
    return sum(max(map(position.troops, position.may_be(unit)), default=0) for unit in units)


# ------------------------------------------------------------------- activations


def _of_an_activation(position: Position, side: Side, order: o.Activate) -> Iterator[Violation]:
    """Somebody has to act in it, and only its author knows who is assigned elsewhere, and who is
    who. It lapses if the one is gone, or has acted, of whom their program has said that they do.
    """
    if order.unit and not is_tag(order.unit):
        return  # its assignment is revealed before this order
    acts = order.acts
    if not acts or not _surely_acts(position, acts, order):
        name = (
            called(position, _name(order))
            if order.unit
            else formation_called(position, _name(order))
        )
        yield _doubt(say("nobody might be left who acts with {name}", name=name), "5.4.1")


def _surely_acts(position: Position, unit: str, order: o.Activate) -> bool:
    """Whether a counter that acts with somebody is ready for it, whichever it is."""
    if unit not in position.places or not activation.is_ready(position, unit):
        return False
    could = activation.who_acts_in(position, unit, order)
    if not order.division:
        return bool(could)
    parts = position.parts(order.division)
    return {*could} == {piece for piece in position.may_be(unit)
                        if position.commander_of(unit, piece) in parts} != set()  # fmt: skip


# ------------------------------------------------------------------- all else


@CITE.serves("9.p2")
def _of_an_attack(position: Position, order: o.Attack) -> Iterator[Violation]:
    """Where attacks go into zones, counters face down beside the attackers might make none of what
    is said of them.
    """
    if ATTACK_INTO_ZONES in position.options:
        known = position.but(down=replace(position.down, facts=()))
        for hex in order.units:
            if position.tags_at(hex) and order.hex not in zones.reached(known, hex):
                why = say("{hex} might have no zone of control there", hex=place(position, hex))
                yield _doubt(why, "9.p2")


@CITE.serves("8.p6")
def _of_a_stack(position: Position, order: o.Arrange) -> Iterator[Violation]:
    """A unit that cannot attack might come to lie above one that can."""
    top, *below = order.units
    is_sure = order.attacks or all(map(position.could_attack, position.may_be(top)))
    if not is_sure and any(map(position.could_attack, below)):
        why = say("{unit} might be unable to attack", unit=called(position, top))
        yield _doubt(why, "8.p6")


@CITE.serves("20.7")
def _of_works(position: Position, side: Side, order: o.Build) -> Iterator[Violation]:
    """Nobody might be there who builds."""
    surely = engineers.buildable(position, side, surely=True)
    for hex, kind in order.works.items():
        if kind not in surely.get(hex, ()):
            why = say("nobody who builds that might be in {hex}", hex=place(position, hex))
            yield _doubt(why, "20.7")


# ------------------------------------------------------------------- what the program says


def vouched(position: Position, side: Side, order: Order, given: Sequence[Order]) -> Order:
    """An order that is given ahead, in tags, with what its author alone knows and says that it need
    not lapse; `given` are the orders of the same file.
    """
    match order:
        case o.Activate():
            return replace(order, acts=_who_acts(position, side, order, given))
        case o.Arrange(units=(top, *_)):
            face = position.face(top)
            attacks = is_tag(top) and bool(face) and position.could_attack(face)
            return replace(order, attacks=attacks)
    return order


@CITE.serves("5.4.1")
def _who_acts(position: Position, side: Side, order: o.Activate, given: Sequence[Order]) -> str:
    """A counter that acts in an activation, as both players can see: one that lies open if there is
    any, and none that acts in the activation before it, or that other orders of the same file name
    before it. Whose assignment is not told yet acts with somebody else as far as the other knows.
    """
    public = position.veiled(None)
    seen, named = position.seen(side), _as_written(position, order)
    others = (_as_written(position, one) for one in given)
    before = takewhile(lambda one: one != named, others)
    used = {each.name for one in before for each in named_in(one)}
    used |= seen.cycle.able if seen.cycle is not None else set()
    tags = {position.face(tag): tag for tag in position.tags_of(side)}
    able = [
        (unit in used, by_tag(tags.get(unit, unit)), unit)
        for unit in position.board.units_of[side]
        if unit in seen.places
        and activation.is_ready(seen, unit)
        and activation.who_acts_in(seen, unit, named)
        and activation.who_acts_in(public, tags.get(unit, unit), order)
    ]
    *_, unit = min(able, default=("",))
    return tags.get(unit, unit)


def _as_written(position: Position, order: Given) -> Given:
    """An order by names, without what the program says of an activation."""
    named = cover.by_name(position, cover.meant(position, order))
    return replace(named, told=False, acts="") if isinstance(named, o.Activate) else named


def _name(order: o.Activate) -> str:
    return order.division or order.formation or order.unit
