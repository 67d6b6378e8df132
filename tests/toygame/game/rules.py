"""The rules that an order can break, each under its number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from pbem.games.toy.citations import CITE
from pbem.games.toy.orders import March, Plan, Volley
from pbem.games.toy.position import GRID, Position

from pbem.board.movement import cheapest
from pbem.engine.model import Side, Violation
from pbem.engine.rules import checks

STANCES = ("bold", "steady")
FARTHEST = 2
HIT = 6


class OfASide(Protocol):
    """What a predicate asks of a stage of one side."""

    @property
    def side(self) -> Side:
        """The side that is asked."""


@CITE.refusal("2.1")
def plan_is_known(stage: object, position: Position, order: Plan) -> Iterator[Violation]:
    if order.stance not in STANCES:
        yield Violation("a plan is bold or steady", ("stance",), hint="write one of them")


def _not_yours(position: Position, side: Side, unit: str) -> str:
    if position.board.side_of.get(unit) != side:
        return f"{unit} is not one of your units"
    return "" if unit in position.places else f"{unit} is not on the map"


@CITE.refusal("3.2")
def marches_with_its_own(stage: OfASide, position: Position, order: March) -> Iterator[Violation]:
    wrong = _not_yours(position, stage.side, order.unit)
    if wrong:
        yield Violation(wrong, ("unit",), hint="name one of your units on the map")


@CITE.check("3.2")
def marches_from_hex_to_hex(stage: object, position: Position, order: March) -> Iterator[Violation]:
    here, crossed = position.places[order.unit], position.board.stream
    if not 1 <= len(order.path) <= FARTHEST:
        yield Violation(f"a march is one hex or {FARTHEST}", ("path",), hint="shorten the path")
        return
    for at, hex in enumerate(order.path):
        if not position.board.graph.are_joined(here, hex) and frozenset((here, hex)) not in crossed:
            near = ", ".join(position.board.graph.neighbours(here))
            yield Violation(f"{hex} is not next to {here}", ("path", at), hint=f"next are {near}")
            return
        here = hex


@CITE.check("1.3")
def stays_on_its_bank(stage: object, position: Position, order: March) -> Iterator[Violation]:
    steps = zip((position.places[order.unit], *order.path), order.path, strict=False)
    for at, (here, hex) in enumerate(steps):
        if frozenset((here, hex)) in position.board.stream:
            hint = "go round the stream"
            yield Violation(f"the stream is between {here} and {hex}", ("path", at), hint=hint)


@CITE.check("1.2")
def finds_the_hexes_empty(stage: object, position: Position, order: March) -> Iterator[Violation]:
    for at, hex in enumerate(order.path):
        if hex in position.units_at:
            there = f"{position.units_at[hex]} stands in {hex}"
            yield Violation(there, ("path", at), hint="a hex holds one unit")


def marches_of(position: Position, unit: str) -> Iterator[tuple[str, ...]]:
    """A shortest march to each hex that a unit can reach."""

    def cost(_: str, hex: str) -> int | None:
        return None if hex in position.units_at else 1

    near = position.board.graph.neighbours
    return (path[1:] for path in cheapest(position.places[unit], near, cost, FARTHEST))


@CITE.refusal("3.3")
def fires_with_its_own(stage: OfASide, position: Position, order: Volley) -> Iterator[Violation]:
    if not order.at:
        yield Violation("nobody fires", ("at",), hint="write at: {unit: hex}")
    for unit in order.at:
        wrong = _not_yours(position, stage.side, unit)
        if wrong:
            yield Violation(wrong, ("at", unit), hint="name your units on the map", is_key=True)


@CITE.check("3.3")
def fires_at_an_adjacent_enemy(
    stage: object, position: Position, order: Volley
) -> Iterator[Violation]:
    for unit, hex in order.at.items():
        targets = targets_of(position, unit)
        if hex not in targets:
            hint = f"it can fire at {', '.join(targets)}" if targets else "it has no target"
            yield Violation(f"no enemy in {hex} is next to {unit}", ("at", unit), hint=hint)


@CITE.serves("3.3")
def targets_of(position: Position, unit: str) -> tuple[str, ...]:
    """The hexes around a unit in which an enemy stands; a stream does not stop a volley."""
    side, field = position.board.side_of[unit], position.board
    here = position.places[unit]
    near = (hex for hex in field.hexes if GRID.distance(here, hex) == 1)
    return tuple(hex for hex in near if position.holder(hex) not in (None, side))


PLAN_CHECKS = checks((plan_is_known,))
MARCH_CHECKS = checks(
    (marches_with_its_own,), (marches_from_hex_to_hex,), (stays_on_its_bank, finds_the_hexes_empty)
)
VOLLEY_CHECKS = checks((fires_with_its_own,), (fires_at_an_adjacent_enemy,))


@CITE.rule("3.4")
def bonus(position: Position, side: Side, enemy: Side) -> int:
    """Bold units fire better, and are hit more easily."""
    return (position.plans.get(side) == "bold") + (position.plans.get(enemy) == "bold")
