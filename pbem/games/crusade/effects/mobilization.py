"""The events of the Mobilization (N19-N38, R19-R38), except combat cards.

Playing a card changes its Victory Points and Republican Morale before its effect; the effects here
are added to that. rules/replacement.py reads later changes of replacement points from a card's
facts.
"""

from __future__ import annotations

from pbem.engine.model import Event, Outcome, Side
from pbem.games.crusade import events as e
from pbem.games.crusade.effects.builders import (
    attack_markers,
    begins,
    brings,
    brings_corps,
    counterattack,
    counts_only,
    for_this_turn,
    from_pool,
    gives,
    operations,
    reinforcements,
)
from pbem.games.crusade.effects.registry import effect
from pbem.games.crusade.position import RESERVE, Position
from pbem.games.crusade.rules.cards import banned
from pbem.games.crusade.rules.event_limits import INTERFERENCE
from pbem.games.crusade.rules.removal import in_the_game, nearest_first
from pbem.games.crusade.rules.replacement import no_points_mark
from pbem.games.crusade.rules.supply import is_supplied
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.event_units import ForcedRemoval
from pbem.games.crusade.stages.intelligence import KeepingCard, look_at_hand
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN

# --- both sides ---------------------------------------------------------------------------------

for card in ("N19", "N20", "N21", "N22", "N23"):
    brings_corps(card)

for card in ("R19", "R20", "R21", "R22", "R23", "R24"):
    brings_corps(card)

for card in ("N37", "R30", "R38"):
    effect(card)(counts_only)


# --- Nationalist --------------------------------------------------------------------------------


GERMAN_TANKS = ("PZ-I", 1, 1, "port")


@effect("N24", allowed=brings(*GERMAN_TANKS, beside="CV-33"))
def armor_reinforcements(position: Position, side: Side) -> Outcome:
    tanks = tuple(e.UnitPlaced(unit, RESERVE) for unit in from_pool(position, "CV-33", 1))
    return Outcome(tanks, then=reinforcements(position, side, *GERMAN_TANKS))


gives("N26", attack_markers)
gives("N27", attack_markers)


@effect("N28")
def communist_interference(position: Position, side: Side) -> Outcome:
    """One operation now; for the rest of the turn the Republic attacks from one space a round."""
    ops = position.card("N28").params["ops"]
    return Outcome((e.TurnMarkSet(INTERFERENCE),), then=(Activation(side, ops),))


@effect("N29")
def may_events(position: Position, side: Side) -> Outcome:
    """The POUM is removed; the Republic's next round this turn is for operations or
    redeployment.
    """
    # reading: the Republic's next Action Round of this turn is the one of the same number; combat
    # cards, which belong to no round, may still be used.
    lost = (e.UnitDisbanded(unit) for unit in in_the_game(position, REPUBLICAN, "MIL-POUM"))
    uses = position.card("N29").params["next_round_forbids"]
    bans = (e.TurnMarkSet(banned(REPUBLICAN, use, position.round)) for use in uses)
    return Outcome((*lost, *bans))


@effect("N30")
def italian_submarines(position: Position, side: Side) -> Outcome:
    """No Soviet points this turn; one fewer in each later turn, until Nyon (R31)."""
    return for_this_turn(no_points_mark("SOV"))


@effect("N31")
def pact_of_santona(position: Position, side: Side) -> Outcome:
    """The Republic loses a Basque militia, and the Basque corps loses a step."""
    # reading: without a Basque militia in the game only the corps loses a step.
    militia = nearest_first(position, in_the_game(position, REPUBLICAN, "MIL-BAS"))
    worn = _basque_corps_suffers(position)
    return Outcome(worn, then=(ForcedRemoval(REPUBLICAN, militia, "N31"),))


def _basque_corps_suffers(position: Position) -> tuple[Event[Position], ...]:
    """The corps loses a step wherever it is on the map; its last one without a replacement."""
    corps = "R-EUZKADI"
    if not position.is_on_map(corps):
        return ()
    if not position.is_reduced(corps):
        return (e.UnitReduced(corps),)
    # reading: card N31, the dead corps may be rebuilt, unless it was out of supply (13.3.4).
    supplied = is_supplied(position, REPUBLICAN, position.place_of(corps))
    return (e.UnitEliminated(corps, not supplied, "" if supplied else "13.3.4"),)


@effect("N32")
def military_information_and_police_service(position: Position, side: Side) -> Outcome:
    return _look_and_operate(position, side, "N32", REPUBLICAN)


def _look_and_operate(position: Position, side: Side, card: str, enemy: Side) -> Outcome:
    ops = position.card(card).ops
    look = look_at_hand(position, enemy)
    return Outcome(then=(look, Activation(side, ops), KeepingCard(side, card)))


gives("N34", operations)


@effect("N35")
def plans_of_the_iron_belt(position: Position, side: Side) -> Outcome:
    """Republican works in Bilbao are removed; rules that place markers check for this card."""
    events: list[Event[Position]] = []
    if "bilbao" in position.forts:
        events.append(e.FortRemoved("bilbao"))
    if "bilbao" in position.digging:
        events.append(e.DiggingAbandoned("bilbao"))
    return Outcome(tuple(events))


# --- Republican ---------------------------------------------------------------------------------

BRIGADES = ("international", 1, 3, "southern_source_or_madrid")


@effect("R25", allowed=brings(*BRIGADES))
def international_reinforcements(position: Position, side: Side) -> Outcome:
    return Outcome(then=reinforcements(position, side, *BRIGADES))


TANKS = ("T-26", 1, 2, "mediterranean_port")


@effect("R26", allowed=brings(*TANKS))
def tanks_reinforcements(position: Position, side: Side) -> Outcome:
    return Outcome(then=reinforcements(position, side, *TANKS))


@effect("R27")
def military_information_service(position: Position, side: Side) -> Outcome:
    return _look_and_operate(position, side, "R27", NATIONALIST)


effect("R31")(counts_only)
"""Having played this card ends the submarines (N30)."""


@effect("R32")
def negrin_s_government(position: Position, side: Side) -> Outcome:
    return begins("juan_negrin")


for card in ("R33", "R34", "R35"):
    counterattack(card)
