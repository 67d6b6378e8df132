"""5.2: orders given ahead that a covered counter of their author might make illegal.

They are carried out in view of both, who may see some counter do what this one cannot: its author
could not know when they wrote, and an audit would find them at fault. So they lapse, by what both
know alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Order, PlayerStage, Side, State, Violation
from pbem.games.ctv import orders as o
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import columns, combat, cover, stacking, war
from pbem.games.ctv.rules.asks import OfASide
from pbem.games.ctv.rules.naming import called, place
from pbem.messages import Said, say

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
    """The covered counters that the attack might have to show: who moves its column in the first
    turn, and who halves it for their number.
    """
    if not combat.first_turn_shift(position, side, order.hex):
        for tag in combat.may_be_corps_near(position, side, order.hex)[:1]:
            yield _doubt(_might_be_shown(position, tag), "4.4")
    for hex in order.units:
        is_known = stacking.is_overstacked(position, hex, side)
        if not is_known and stacking.may_be_overstacked(position, hex, side):
            why = say("{hex} might be overstacked, as far as both know", hex=place(position, hex))
            yield _doubt(why, "5.1")


def _might_be_shown(position: Position, tag: str) -> Said:
    return say("{unit} might have to be shown", unit=called(position, tag))


def _doubt(why: Said, rule: str = "5.2") -> Violation:
    return Violation(why, rule=rule, hint=say("give the order when you are asked"))
