"""Optional rules of supply: captured sources (18.3.6) and the corridor to Oviedo (18.2.3)."""

from __future__ import annotations

from collections.abc import Collection

from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.tables import ENEMY, NATIONALIST

OVIEDO, LEITARIEGOS = "oviedo", "pto_de_leitariegos"
CORRIDOR = frozenset({OVIEDO, LEITARIEGOS})


@CITE.rule("18.3.6")
def serves_its_captor(position: Position, side: Side, printed_for: str) -> bool:
    """A captured source of the enemy serves its captor."""
    # reading: Badajoz, which is only for tracing, serves nobody once it is taken (13.2.4.2); in the
    # first edition, where it is a Republican source like others (Q64), it serves the Nationalists.
    return printed_for == ENEMY[side] and position.option("18.3.6")


@CITE.rule("18.2.3")
def corridor_is_open(position: Position, taken: Collection[str] = ()) -> bool:
    """Whether the Nationalists control Leitariegos and Oviedo, and Oviedo is still isolated.

    `taken` are spaces that they are just taking.
    """
    return (
        OVIEDO in position.isolated
        and all(space in taken or position.controls(NATIONALIST, space) for space in CORRIDOR)
        and position.option("18.2.3")
    )


def are_joined_by_corridor(
    position: Position, side: Side, here: str, there: str, taken: Collection[str] = ()
) -> bool:
    """Whether the corridor joins two spaces for a side that takes `taken`."""
    # reading: 18.2.3, the corridor is open to moves and SR, so a retreat or an advance never uses
    # it.
    return {here, there} == CORRIDOR and side == NATIONALIST and corridor_is_open(position, taken)


def may_lead_on(position: Position, side: Side, space: str) -> tuple[str, ...]:
    """The other end of the corridor, if it is open or could be opened in this round."""
    could = OVIEDO in position.isolated and position.option("18.2.3") and side == NATIONALIST
    return tuple(CORRIDOR - {space}) if could and space in CORRIDOR else ()


def through_the_corridor(position: Position, side: Side, zone: frozenset[str]) -> str:
    """Where the corridor leads from a zone, or empty."""
    ends = CORRIDOR & zone
    if side != NATIONALIST or len(ends) != 1 or not corridor_is_open(position):
        return ""
    return next(iter(CORRIDOR - ends))


def stays_isolated(position: Position, space: str) -> bool:
    """Whether Oviedo keeps its marker after turn 5, because of the corridor."""
    return space == OVIEDO and corridor_is_open(position)


def outlived_its_corridor(position: Position, space: str) -> bool:
    """Whether Oviedo is out of supply after turn 5, because the corridor is closed."""
    late = position.phase != "columns" and position.option("18.2.3")
    return late and not stays_isolated(position, space)


def is_worth_a_point(position: Position, space: str) -> bool:
    """Whether taking isolated Oviedo is worth a point: not after turn 5."""
    return space == OVIEDO and space in position.isolated and position.phase == "columns"
