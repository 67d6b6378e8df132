"""19: reinforcements, and units that give their troop points to others."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Violation
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.orders import Arrive, Consolidate
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import activation, movement, stacking, zones
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.rules.naming import any_in_list, called, named_twice, not_on_map, place
from pbem.games.nopasaran.tables import ENEMY, KINDS
from pbem.messages import say


def is_free(position: Position, side: Side, hex: str) -> bool:
    """Whether reinforcements may enter a hex: no enemy is there, nor a zone of theirs."""
    return position.holder(hex) != ENEMY[side] and not zones.in_enemy_zone(position, hex, side)


@CITE.rule("19.1", "19.1.b1", "19.1.b2")
def entries(position: Position, unit: str) -> tuple[str, ...]:
    """The hexes where a reinforcement may enter now: the printed one; if the enemy bars it, the
    nearest free hexes of the own edge; from the day after on its other entry hexes, too.
    """
    # reading: of several hexes as near the owner chooses; who waits goes elsewhere only as long as
    # the printed hex is barred.
    # reading: a formation that is not activated on its day comes on a later one: they "must enter"
    # that day, but nothing says what becomes of those that do not.
    side = position.side_of(unit)
    day, hexes = activation.arrival_of(position, unit)
    if not hexes or day > position.day:
        return ()
    if is_free(position, side, hexes[0]):
        return hexes[:1]
    far = {
        hex: position.ground.distance(hex, hexes[0])
        for hex in sorted(position.ground.edge(side))
        if is_free(position, side, hex)
    }
    found = [hex for hex in far if far[hex] == min(far.values())]
    if position.day > day:
        found += [hex for hex in hexes[1:] if is_free(position, side, hex)]
    return tuple(dict.fromkeys(found))


@CITE.serves("19.1")
def entry_cost(position: Position, unit: str, hex: str) -> int | None:
    """What entering costs: the ground of the hex, or the road that leads in."""
    # reading: entering costs what the ground of the hex costs, whoever is there and whatever the
    # weather does; a road through it counts.
    if hex in position.ground.on_roads and hex not in position.roads:
        return int(position.board.charts["steps"]["road"])
    return position.terrain(hex).enter[KINDS.index(position.printed(unit).kind)]


@CITE.refusal("19.1")
def arrives_where_it_may(stage: OfASide, position: Position, order: Arrive) -> Iterator[Violation]:
    cycle = position.cycle
    assert cycle is not None
    if not order.units:
        yield Violation(say("no unit is named"), ("units",), hint=say("units: [UNIT, ...]"))
    for at, unit, is_again in in_turn(order.units):
        path = ("units", at)
        if is_again:
            yield named_twice(position, unit, path)
        elif not activation.comes_today(position, unit):
            yield Violation(
                say("{unit} does not arrive today", unit=called(position, unit)), path,
                hint=say("its day is in the scenario"),
            )  # fmt: skip
        elif unit not in cycle.able:
            yield from movement.why_not_now(position, unit, path)
        elif order.at not in entries(position, unit):
            yield Violation(
                say("{unit} does not arrive in {hex}", unit=called(position, unit),
                    hex=place(position, order.at)),
                ("at",), hint=say("it may be {hexes}", hexes=any_in_list(entries(position, unit)))
                if entries(position, unit) else say("every way in is barred today"),
            )  # fmt: skip
        elif entry_cost(position, unit, order.at) is None:
            yield Violation(say("{unit} cannot enter there", unit=called(position, unit)), ("at",),
                            rule="10.p5", hint=say("enter by a road"))  # fmt: skip
    # reading: who was mixed today cannot be shown before the evening, so nothing overfills them.
    if not position.mixed.isdisjoint(position.stacks.get(order.at, ())):
        yield from stacking.overfills_unseen(position, order.units, order.at, ("at",))


@CITE.check("19.2")
def consolidates(stage: OfASide, position: Position, order: Consolidate) -> Iterator[Violation]:
    """Two units of one formation and type, in one hex since the activation began, before they do
    anything else: one at half strength or less gives all to another that has not received yet.
    """
    cycle, giver, receiver = position.cycle, order.giver, order.receiver
    assert cycle is not None
    for path, unit in (("from", giver), ("to", receiver)):
        if not position.at(unit):
            yield not_on_map(position, unit, (path,))
            return
        too_late = [*movement.why_not_now(position, unit, (path,))]
        if not too_late and unit in cycle.touched - cycle.given:
            too_late = [Violation(
                say("{unit} has done something else in this activation",
                    unit=called(position, unit)),
                (path,), hint=say("units consolidate before they arrive, move, scout or fight"),
            )]  # fmt: skip
        yield from too_late
    one, other = position.printed(giver), position.printed(receiver)
    are_apart = position.at(giver) != position.at(receiver)
    if giver == receiver or are_apart or cycle.began.get(giver) != cycle.began.get(receiver):
        yield Violation(
            say("{giver} and {receiver} have not been together since the activation began",
                giver=called(position, giver), receiver=called(position, receiver)),
            ("to",), hint=say("name two units of one hex"),
        )  # fmt: skip
    elif one.type != other.type or not _are_of_one_formation(position, giver, receiver):
        yield Violation(
            say("{giver} and {receiver} are not of one formation and type",
                giver=called(position, giver), receiver=called(position, receiver)),
            ("to",), hint=say("name two units of one formation and type"),
        )  # fmt: skip
    if 2 * position.troops(giver) > one.troops:
        yield Violation(
            say("{giver} has more than half its strength", giver=called(position, giver)),
            ("from",), hint=say("only a unit at half strength or less gives its points"),
        )  # fmt: skip
    # reading: what is printed counts, for a unit at half strength is always less effective.
    if one.effectiveness < other.effectiveness:
        yield Violation(say("{giver} is less effective than {receiver}",
                            giver=called(position, giver), receiver=called(position, receiver)),
                        ("from",), hint=say("points go to units that are no better"))  # fmt: skip
    received = [unit for unit in (receiver, giver) if unit in cycle.given]
    if received:
        yield Violation(
            say("{unit} has received points already", unit=called(position, received[0])),
            ("to",), hint=say("a unit receives once, and does not pass them on"),
        )  # fmt: skip
    if not position.lost.get(receiver):
        yield Violation(say("{receiver} has all its points", receiver=called(position, receiver)),
                        ("to",), hint=say("name a unit that has lost some"))  # fmt: skip


@CITE.serves("19.2", "3.2.p3")
def _are_of_one_formation(position: Position, one: str, other: str) -> bool:
    """Whether two units belong to one combat formation."""
    # reading: the own formation counts, whatever units are assigned to for a day; of support troops
    # each is a formation of its own, so none gives its points to another.
    home = position.home(one)
    is_troops = bool(home) and position.formation(home).is_troops
    return position.home(other) == home and not is_troops


@CITE.serves("19.2")
def given_points(position: Position, order: Consolidate) -> int:
    """The points that the receiver gains: all of the giver's, up to its own full strength."""
    # reading: what would go above the strength of the receiver is lost.
    return min(position.troops(order.giver), position.lost[order.receiver])
