"""The events of the War of the Armies (N39-N55, R39-R55), except combat cards.

Playing a card changes its Victory Points and Republican Morale before its effect; the effects here
are added to that. rules/replacement.py reads later changes of replacement points from a card's
facts.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Outcome, Side, Unfolding, Violation
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects.builders import (
    begins,
    brings_corps,
    counterattack,
    counts_only,
    for_this_turn,
    gives,
    operations,
    waiting,
)
from pbem.games.crusade.effects.registry import effect
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.event_limits import FRENCH_THREAT
from pbem.games.crusade.rules.ground import take_space
from pbem.games.crusade.rules.landing import landing_coasts, places_of_revolt
from pbem.games.crusade.rules.options_landing import owner_of_beach
from pbem.games.crusade.rules.removal import in_the_game
from pbem.games.crusade.rules.replacement import GIFT, LAST_POINTS, no_points_mark
from pbem.games.crusade.stages.event_choices import Fortifying
from pbem.games.crusade.stages.event_units import (
    PLAN_P,
    ForcedRemoval,
    Uprising,
    landing_divisions,
)
from pbem.games.crusade.stages.landing import plan_p_stage
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN
from pbem.messages import say

# --- both sides ---------------------------------------------------------------------------------

for card in ("N39", "N40", "R39", "R40"):
    brings_corps(card)

for card in ("N41", "R41", "R43", "R48"):
    effect(card)(counts_only)


# --- Nationalist --------------------------------------------------------------------------------


@effect("N42")
def munich_agreement(position: Position, side: Side) -> Outcome:
    return begins("munich")


@effect("N43")
def recognition_of_nationalist_spain(position: Position, side: Side) -> Outcome:
    """France closes the border; the rule of Special SR checks for this card."""
    return begins("french_border_no_special_sr")


@effect("N44")
def withdrawal_of_international_brigades(position: Position, side: Side) -> Outcome:
    # reading: brigades that no card has brought yet are not in the game and may still come.
    brigades = in_the_game(position, REPUBLICAN, "international")
    return Outcome(tuple(e.UnitDisbanded(unit) for unit in brigades))


gives("N45", operations)
gives("N46", operations)


@effect("N47", "5.2.4")
def casado_s_coup(position: Position, side: Side) -> Outcome:
    return Outcome((e.GameEnded(NATIONALIST, "Colonel Casado's coup ends the war"),))


@CITE.refusal("card N48")
def _a_town_may_rise(position: Position, side: Side) -> Iterator[Violation]:
    if not places_of_revolt(position, side):
        yield Violation(say("no Republican port or province capital is empty"), ("card",))


@effect("N48", allowed=_a_town_may_rise)
def insurrection(position: Position, side: Side) -> Outcome:
    return Outcome(then=(Uprising(side, waiting(position, side, "INS")[0]),))


@CITE.refusal("card N49")
def _blockade_has_its_ports(position: Position, side: Side) -> Iterator[Violation]:
    """Whether the blockade has Mallorca, or every port of the coast that the card names."""
    ports = position.card("N49").params["ports_instead_of_mallorca"]
    missing = [port for port in ports if not position.controls(NATIONALIST, port)]
    if not position.controls(NATIONALIST, "mallorca") and missing:
        names = ", ".join(position.space(port).name for port in missing)
        yield Violation(
            say("without Mallorca the fleet needs every port from Cádiz to Valencia"),
            ("card",),
            hint=say("still Republican: {names}", names=names),
        )


effect("N49", allowed=_blockade_has_its_ports)(counts_only)


@effect("N50")
def menorca_surrenders(position: Position, side: Side) -> Outcome:
    # reading: if Republican units hold Menorca, only the morale of the card changes.
    story: Unfolding[Position] = Unfolding(position)
    if not position.units_in("menorca", REPUBLICAN):
        take_space(story, "menorca", NATIONALIST)
    return story.outcome()


@effect("N51")
def closing_of_the_french_border(position: Position, side: Side) -> Outcome:
    return for_this_turn(no_points_mark("SOV"))


# --- Republican ---------------------------------------------------------------------------------


@effect("R42")
def opening_of_the_french_border(position: Position, side: Side) -> Outcome:
    return for_this_turn(f"{GIFT}R42")


@effect("R44")
def fortifications(position: Position, side: Side) -> Outcome:
    """All special Trenches of the card are placed, where there are spaces."""
    count = position.card("R44").params["markers"]
    return Outcome(then=(Fortifying(side, "trench", "works", count, "supplied", must=True),))


gives("R45", operations)
counterattack("R46")


@effect("R47")
def italian_withdrawal(position: Position, side: Side) -> Outcome:
    """The Nationalists lose an Italian division, and a full CTV loses a step."""
    # reading: the card takes a division wherever it is, but the step only from a CTV on the map.
    worn = tuple(
        e.UnitReduced(unit)
        for unit in position.card("R47").params["reduces"]
        if position.is_on_map(unit) and not position.is_reduced(unit)
    )
    divisions = in_the_game(position, NATIONALIST, "ITA")
    return Outcome(worn, then=(ForcedRemoval(NATIONALIST, divisions, "R47"),))


@effect("R49")
def last_mobilization(position: Position, side: Side) -> Outcome:
    """Six points now, and none of the Republic's own in any later turn."""
    points = position.card("R49").params["rp_add"]["REP"]
    return Outcome((e.ReplacementsRecorded("REP", 2 * points), e.TurnMarkSet(LAST_POINTS)))


@CITE.refusal("8.5.6.3")
def _somebody_lands(position: Position) -> Iterator[Violation]:
    """Requires a Popular Army division in the Reserve Box."""
    if not landing_divisions(position):
        yield Violation(say("no RPA division waits in the Reserve Box"), ("card",))


@CITE.refusal("8.5.6.1")
def _some_coast_is_open(position: Position) -> Iterator[Violation]:
    """Requires a coast near enough, and its marker."""
    if not landing_coasts(position):
        yield Violation(say("no Nationalist coast is close enough"), ("card",))
    if any(owner_of_beach(beach) == REPUBLICAN for beach in position.beach_heads):
        # reading: the Beach Heads of both landings are the two faces of one marker.
        yield Violation(say("the Beach Head marker is on the map"), ("card",))


def _plan_p_is_possible(position: Position, side: Side) -> Iterator[Violation]:
    yield from _somebody_lands(position)
    yield from _some_coast_is_open(position)


@effect("R50", allowed=_plan_p_is_possible)
def plan_p(position: Position, side: Side) -> Outcome:
    assert PLAN_P in position.tables.spaces
    return Outcome(then=(plan_p_stage(position, side),))


@effect("R51")
def french_intervention_threat(position: Position, side: Side) -> Outcome:
    return for_this_turn(FRENCH_THREAT)


@effect("R52", "CC.R52")
def interruption_of_axis_aid(position: Position, side: Side) -> Outcome:
    """No Axis points this turn, including those recorded before."""
    return for_this_turn(no_points_mark("AXIS"))
