"""3.4: the morale of the Republic, and the morale tests of its units."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.ledger import Ledger, counted
from pbem.engine.model import Side
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.options import AIR_TWICE, GUNS_STAND
from pbem.games.madrid.position import JUNTA, Position
from pbem.games.madrid.tables import ARTILLERY, LINE, MADRID, NATIONALIST, REPUBLICAN, SHOCK

STANDS, RETREATS, ELIMINATED = "stands", "retreats", "eliminated"


@CITE.rule("3.4.1.a", "3.4.1.b", "3.5.2.b")
def morale_at_turn_end(position: Position) -> int:
    """At 4b morale falls a level if the Nationalists won more areas, else it rises one."""
    # reading: a turn in which nobody won an area is a tie, and raises morale.
    won = position.gains
    return -1 if won.get(NATIONALIST, 0) > won.get(REPUBLICAN, 0) else 1


@CITE.rule("3.4.2.b")
def test_modifiers(position: Position, area: str, *, by_air: bool = False) -> Ledger:
    """The modifiers of each die of a test in an area."""
    # reading: units are counted before the first of the dice.
    chart = position.board.charts["morale_test"]
    # reading: the +1 of the rule and the +1 of the chit are the same.
    air = 2 if AIR_TWICE in position.options else 1
    many = len(position.units_at(area, NATIONALIST)) < len(position.units_at(area, REPUBLICAN))
    is_urban = position.is_urban(area)
    return counted((
        ("morale", position.morale_modifier),
        ("air", chart["air"] * air * by_air),
        ("outnumbering", chart["outnumbering"] * many),
        ("urban", chart["urban"] * is_urban),
        ("junta", chart["junta"] * (is_urban and JUNTA in position.facts and not by_air)),
    ))  # fmt: skip


@CITE.rule("3.4.2.c")
def test_result(position: Position, unit: str, total: int) -> str:
    """The result for a unit; shock units tested by CN8 only retreat with 7 or 8."""
    # reading: a shock unit tested by a Stampede is eliminated by 9 or more.
    chart = position.board.charts["morale_test"]
    most = chart["shock_retreats" if position.type_of(unit) == SHOCK else "retreats"]
    if total <= chart["stands"]:
        return STANDS
    return RETREATS if total <= most else ELIMINATED


@CITE.rule("3.4.2.d", "3.4.2.e", "3.4.2.f")
def tested_in_combat(
    position: Position, attacker: Side, area: str, *, is_stampede: bool
) -> tuple[str, ...]:
    """The Republican units that test their morale in C2."""
    # reading: artillery tests only in C2, which names it.
    if attacker != NATIONALIST or area == MADRID:
        return ()
    there = position.units_at(area, REPUBLICAN)
    if position.is_urban(area):
        types = {LINE} if is_stampede else set()
    else:
        types = {LINE} if GUNS_STAND in position.options else {LINE, ARTILLERY}
        types |= {SHOCK} if is_stampede else set()
    return tuple(unit for unit in there if position.type_of(unit) in types)


@CITE.serves("3.4.2.a", "3.4.2.d", "11.1.d")
def tested_by_air(position: Position, area: str) -> tuple[str, ...]:
    """The line units that test morale after an air attack; none in Madrid or with the Junta."""
    # reading: only Republican line units test.
    if area == MADRID or JUNTA in position.facts:
        return ()
    there = position.units_at(area, REPUBLICAN)
    return tuple(unit for unit in there if position.type_of(unit) == LINE)


def sorted_by(results: Sequence[tuple[str, str]], wanted: str) -> tuple[str, ...]:
    """The units with a certain result."""
    return tuple(unit for unit, result in results if result == wanted)
