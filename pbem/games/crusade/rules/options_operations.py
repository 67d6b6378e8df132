"""Optional rules of activation and movement: costs of spaces, and who goes where (18.1, 18.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Activate, Move, Redeploy
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.asks import Activating
from pbem.games.crusade.tables import NATIONALIST, SOLID, Tables
from pbem.messages import say

# --- what an activation costs -------------------------------------------------------------------

CTV = "N-CTV"
GUERRILLA_IN = "guerrilla_in_"
"""With a space: the mark of a turn in which guerrillas harass it (18.1.9)."""
GUERRILLA_MET = "guerrilla_met"
"""The mark of a turn in which the harassed space was activated: the guerrillas are gone."""


def activation_cost(position: Position, side: Side, space: str, *, attack: bool) -> int:
    """The operations points that a space costs: one, or more by optional rules."""
    friction = _friction(position, space) if attack else 0
    return 1 + friction + _harassment(position, side, space)


@CITE.rule("18.1.7")
def _friction(position: Position, space: str) -> int:
    """The Italian corps and Spanish units in its space make an attack cost more."""
    units = position.units_in(space, NATIONALIST)
    if CTV not in units or not position.option("18.1.7"):
        return 0
    return 1 if any(not position.type_of(unit).has("italian") for unit in units) else 0


@CITE.rule("18.1.9/a")
def _harassment(position: Position, side: Side, space: str) -> int:
    """Guerrillas make the turn's first activation of their space cost more."""
    return 1 if side == NATIONALIST and is_harassed(position, space) else 0


def is_harassed(position: Position, space: str) -> bool:
    """Whether guerrillas are in a space, and the side has not met them this turn."""
    marks = position.turn_marks
    return f"{GUERRILLA_IN}{space}" in marks and GUERRILLA_MET not in marks


def points_needed(stage: Activating, position: Position, order: Activate) -> int:
    """The points that the spaces of an order cost; markers that an event gives are free."""
    # reading: 18.1.7, 18.1.9/a, a card that places attack markers spends no operations points, so
    # nothing costs more.
    if stage.attack_only:
        return len(order.attack)
    return sum(
        activation_cost(position, stage.side, space, attack=attack)
        for spaces, attack in ((order.move, False), (order.attack, True))
        for space in spaces
    )


@CITE.serves("18.1.7", "18.1.9/a")
def why_dearer(position: Position, order: Activate) -> str:
    """The rule by which spaces of an order cost more than a point each."""
    spaces = (*order.move, *order.attack)
    return "18.1.9/a" if any(is_harassed(position, space) for space in spaces) else "18.1.7"


def meets_guerrillas(position: Position, side: Side, spaces: Iterable[str]) -> bool:
    """Whether a side meets guerrillas in one of these spaces."""
    return side == NATIONALIST and any(is_harassed(position, space) for space in spaces)


@CITE.check("18.2.12/b")
def beach_head_waits(stage: Activating, position: Position, order: Activate) -> Iterator[Violation]:
    """Units that have just landed are not activated in the same round."""
    for mode in ("move", "attack"):
        for number, space in enumerate(getattr(order, mode)):
            if space in stage.closed:
                name = position.space(space).name
                yield Violation(
                    say("{name} cannot be activated this round", name=name), (mode, number)
                )


# --- armor --------------------------------------------------------------------------------------


@CITE.rule("18.3.4")
def joins_the_attack(position: Position, units: Iterable[str]) -> bool:
    """From the Mobilization on armor may move to a space of an attack and take part in it."""
    # reading: only armor, but not the armored corps of 18.4.1; the captured T-26 counts as a T-26.
    if position.phase == "columns" or not position.option("18.3.4"):
        return False
    kinds = [position.type_of(unit) for unit in units]
    return all(kind.has("armor") and not kind.is_corps for kind in kinds)


# --- the Army of Africa and the north -----------------------------------------------------------


@CITE.check("18.1.5")
def africans_march_on_madrid(
    stage: object, position: Position, order: Move | Redeploy
) -> Iterator[Violation]:
    """Before the attack on Madrid, one Army of Africa unit may be in or next to the north."""
    # reading: one at a time in the whole area: another may come when it has left or is eliminated.
    if not position.option("18.1.5") or not madrid_waits(position):
        return
    units, end = _going(order)
    near = near_the_north(position.tables)
    going = [u for u in units if position.type_of(u).has("army_of_africa")]
    if not going or end not in near:
        return
    there = [
        unit
        for unit, unit_type in position.tables.units.items()
        if unit_type.has("army_of_africa") and position.place_of(unit) in near
        and unit not in going
    ]  # fmt: skip
    if len(there) + len(going) > 1:
        yield Violation(
            say(
                "before the attack on Madrid only one Army of Africa unit may be in or "
                "next to the north"
            ),
            at=("units",) if isinstance(order, Move) else ("unit",),
            hint=say("{there} is there", there=there[0]) if there else say("send one of them"),
        )


def _going(order: Move | Redeploy) -> tuple[tuple[str, ...], str]:
    if isinstance(order, Move):
        return order.units, order.path[-1]
    return (order.unit,), order.to


def madrid_waits(position: Position) -> bool:
    """Whether the marker of 17.3 is still in its first space."""
    flags = ("occupied", "attacked", "approached", "neighbour_attacked", "settled")
    return position.phase == "columns" and not any(position.has(f"madrid_{flag}") for flag in flags)


def near_the_north(tables: Tables) -> frozenset[str]:
    """The Northern Front, and the spaces next to it."""
    north = frozenset(tables.northern_front)
    return north | {near for space in north for near in tables.graph.neighbours(space, SOLID)}
