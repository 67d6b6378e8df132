"""Impulses ordered ahead: the first of the list that holds and is legal is played.

An impulse that was played is no longer legal, because its units are spent. So a list is played from
the top, one impulse after another. It ends by asking, never by a pass that was not ordered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.engine.mentions import of_the_enemy
from pbem.engine.model import Order, Side, Violation
from pbem.engine.order_shape import AnOrder
from pbem.engine.policies.rows import Clause, Document, first_legal
from pbem.engine.policies.table import ASK
from pbem.engine.shapes import Many, OrWord, unreached
from pbem.engine.waiting import WHEN as CONDITION
from pbem.games.madrid.hidden import chits_named
from pbem.games.madrid.orders import Assault, Attack, Bombard, Move, Pass, Play
from pbem.games.madrid.policies.chits import at_hand, with_hand
from pbem.games.madrid.policies.facts import FACTS, WHEN
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.units import Activating, units_of, units_of_the_enemy
from pbem.games.madrid.tables import ENEMY
from pbem.messages import Said, say
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.games.madrid.stages.impulse import Impulse

MOST = 20


def _names(position: Position) -> Mapping[str, Collection[str]]:
    board = position.board
    return {"unit": board.units, "area": board.graph.spaces, "chit": board.chits}


def _amiss(position: Position, side: Side, order: Order) -> Iterator[Violation]:
    """The faults of playing a chit that is not held, and of ordering the enemy's units."""
    for chit in chits_named(order):
        yield from at_hand(position, side, chit)
    if not isinstance(order, Activating):
        return
    if theirs := units_of_the_enemy(position, side, order):
        fault = of_the_enemy(
            theirs, len(units_of(order)), position.called(theirs[0].name), side.capitalize(),
            ENEMY[side].capitalize(),
        )  # fmt: skip
        yield replace(fault, at=(order.verb, *fault.at), rule="9.0.1")


VERBS = {verb.verb: verb for verb in (Move, Bombard, Attack, Assault, Play, Pass)}
ORDER = AnOrder(VERBS, WHEN, _names, never=_amiss)


def _said(policy: Document) -> Sequence[Any]:
    """The orders of a list: what stands before `ask`."""
    lines: Sequence[Any] = policy.get("impulses", ())
    return lines[: lines.index(ASK)] if ASK in lines else lines


def _playing(position: Position, stage: Impulse, policy: Document) -> Order | None:
    clauses = FACTS.holding(position, stage, _said(policy))
    return first_legal(stage, position, map(ORDER.read, clauses))


def used_up(position: Position, side: Side, policy: Document, orders: Sequence[Order]) -> Said:
    """That a list is over, if each of its impulses needs a unit that is spent, or is one of those
    that `orders` play.
    """
    # A chit may turn such a unit to its fresh side again: then its owner is asked, as for any
    # impulse that nothing was written for.
    lines = _said(policy)

    def is_over(order: Order) -> bool:
        return isinstance(order, Activating) and (
            order in orders or not position.spent.isdisjoint(units_of(order))
        )

    if lines and all(is_over(ORDER.read(line)) for line in lines):
        return say("the impulses written ahead")
    return ""


def _behind_the_end(position: Position, side: Side, lines: Sequence[Any]) -> Iterator[Violation]:
    """The fault of impulses after a pass, which is always legal, or after `ask`, which ends the
    list.
    """

    def passes(line: Any) -> bool:
        return Pass.verb in line and FACTS.always(line.get(CONDITION, {}))

    yield from unreached(lines, lambda line: line == ASK, say("ask comes before it"))
    yield from unreached(lines, passes, say("a pass comes before it"))


IMPULSES: Clause = Clause(
    Many(
        OrWord((ASK,), ORDER),
        say("impulses must be a list of at most {most} orders", most=MOST),
        say("[{when: {control: {E: nationalist}}, move: {...}}, ask]"),
        MOST,
        needed=True,
        never=_behind_the_end,
    ),
    answers={"impulse": with_hand(_playing, or_asks=True)},
    example=("[ask]", say("your next impulses; the first that applies and is legal counts")),
)
