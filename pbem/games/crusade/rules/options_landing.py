"""Optional landings: Plan P by a die (18.2.11), a Nationalist one (18.2.12), Mallorca (18.3.7)."""

from __future__ import annotations

from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import RESERVE, Position
from pbem.games.crusade.tables import ENEMY, NATIONALIST, REPUBLICAN

NATIONAL_BEACH = "beach_head_nationalist"
"""The space that exists while the Nationalist Beach Head is on the map."""
LANDED = "nationalist_landing"
MALLORCA = "mallorca"


def owner_of_beach(space: str) -> Side:
    """The owner of the Beach Head that may come to a space."""
    return NATIONALIST if space == NATIONAL_BEACH else REPUBLICAN


@CITE.rule("3.0.coastal")
def is_coast(position: Position, space: str) -> bool:
    """Whether a space is on a coast."""
    # reading: Q65, the first edition's list of coasts omits Huelva, which its sea zone and the note
    # to it name: the note applies; by agreement the list.
    if position.edition == "1e" and space == "huelva" and position.option("Q65"):
        return False
    return bool(position.space(space).coast)


@CITE.rule("18.3.7")
def mallorca_is_open(position: Position, side: Side) -> bool:
    """Whether later landings may be in Mallorca: if the enemy controls it, at any distance."""
    return position.controls(ENEMY[side], MALLORCA) and position.option("18.3.7")


# --- Plan P by a die ----------------------------------------------------------------------------

FLEET_STAYS = 3
"""The highest modified die with which the landing fails."""


@CITE.serves("18.2.11")
def fleet_drm(position: Position) -> int:
    """The modifiers of the die for the landing."""
    reasons = (
        ("N6" not in position.played, 1),
        ("N49" not in position.played, 1),
        ("R48" not in position.played, -1),
        (position.rm <= 10, -1),
    )
    return sum(drm for holds, drm in reasons if holds)


# --- the Nationalist landing --------------------------------------------------------------------


@CITE.rule("18.2.12")
def may_disembark(position: Position) -> bool:
    """Whether the Nationalists may land: once, in the War of the Armies, with their fleet."""
    return (
        position.option("18.2.12")
        and position.phase == "armies"
        and "N49" in position.played
        and not position.has(LANDED)
    )


def landing_force(position: Position) -> tuple[str, ...]:
    """The INF and MIL-NAV divisions of the Reserve Box."""
    reserve = position.units_in(RESERVE, NATIONALIST)
    return tuple(unit for unit in reserve if position.type_of(unit).id in ("INF", "MIL-NAV"))
