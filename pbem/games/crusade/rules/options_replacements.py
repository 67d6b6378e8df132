"""Optional rules that change a side's replacement points (18.1.8, 18.2.5-18.2.10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.model import Side, Unfolding
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.north import is_cut_off, is_northern
from pbem.games.crusade.rules.supply import zone_of
from pbem.games.crusade.tables import REPUBLICAN
from pbem.late import Late

if TYPE_CHECKING:
    from pbem.games.crusade import events_seldom as rare
else:
    rare = Late("pbem.games.crusade.events_seldom")

SABOTAGE = "sabotage"
"""The mark of a turn in which guerrillas cost the Nationalists a point (18.1.9)."""
CAPTURED = "captured_"
"""With a side: the number of its lost markers that wait to be rebuilt (18.2.10)."""
MUNICH = "N42"


# --- what is recorded ---------------------------------------------------------------------------


def agreed_change(position: Position, currency: str) -> int:
    """The halves of a point that optional rules add to a currency this turn."""
    return (
        _tension(position, currency)
        + _conquered_north(position, currency)
        + _sabotage(position, currency)
    )


@CITE.rule("18.1.8")
def _tension(position: Position, currency: str) -> int:
    """In the War of the Armies the Axis sends one point fewer, until Munich."""
    tense = position.phase == "armies" and MUNICH not in position.played
    return -2 if currency == "AXIS" and tense and position.option("18.1.8") else 0


@CITE.rule("18.2.8")
def _conquered_north(position: Position, currency: str) -> int:
    """After the fall of the north the Nationalists get a point every turn, even without a card."""
    fallen = position.has("north_ended")
    return 2 if currency == "NAT" and fallen and position.option("18.2.8") else 0


@CITE.rule("18.1.9/c")
def _sabotage(position: Position, currency: str) -> int:
    """The points lost to sabotage by guerrillas."""
    return -2 if currency == "NAT" and SABOTAGE in position.turn_marks else 0


@CITE.rule("18.2.5")
def bilbao_needs_company(position: Position) -> bool:
    """Whether the loss of Bilbao waits for that of Santander and Gijón, as 14.2.5 says."""
    return not position.option("18.2.5")


# --- the cut-off north --------------------------------------------------------------------------


@CITE.serves("18.2.6")
def is_rationed(position: Position, unit: str) -> bool:
    """Whether a unit is rationed: regional units, and police in the north, while it is cut off."""
    unit_type = position.type_of(unit)
    if not position.option("18.2.6") or unit_type.side != REPUBLICAN or not is_cut_off(position):
        return False
    here = position.is_on_map(unit) and is_northern(position, position.place_of(unit))
    return unit_type.has("regional") or (unit_type.has("police") and here)


def ration(position: Position) -> int:
    """The halves of REP for all rationed units in a turn: four for each northern source."""
    return 4 * len(_northern_sources(position))


def _northern_sources(position: Position) -> tuple[str, ...]:
    return tuple(
        source
        for source in position.tables.northern_sources
        if position.controls(REPUBLICAN, source)
    )


def soviet_points_arrive(position: Position, unit: str) -> bool:
    """Whether SOV points reach rationed units: a northern source is connected to France."""
    return not is_rationed(position, unit) or any(
        is_joined_to_france(position, source) for source in _northern_sources(position)
    )


def is_joined_to_france(position: Position, space: str) -> bool:
    """Whether a land route without enemy spaces leads to the French border."""
    border = position.tables.border_spaces["france"]
    return any(each in border for each in zone_of(position, REPUBLICAN, space))


# --- captured markers ---------------------------------------------------------------------------


@CITE.rule("18.2.10")
def note_captured_marker(story: Unfolding[Position], space: str, by: Side) -> None:
    """A regular Position or Trench that the enemy enters is lost until it is rebuilt."""
    # reading: markers lost with a cut-off space (13.3.6) are not captured: nobody enters.
    position = story.position
    fort = position.forts.get(space)
    if fort and fort.owner != by and not fort.special and position.option("18.2.10"):
        story.happen(rare.MarkersChanged(fort.owner, 1))


def captured_markers(position: Position, side: Side) -> int:
    """The number of a side's markers that wait to be rebuilt."""
    return position.lost_forts.get(f"{CAPTURED}{side}", 0)
