"""The events of the War of the Columns (N1-N18, R1-R18), except combat cards.

Playing a card changes its Victory Points and Republican Morale before its effect; the effects here
are added to that.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Outcome, Side, Stage, Unfolding, Violation
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects.builders import (
    begins,
    brings,
    counts_only,
    from_pool,
    reinforcements,
    waiting,
)
from pbem.games.crusade.effects.registry import effect
from pbem.games.crusade.position import RESERVE, Fort, Position
from pbem.games.crusade.rules.africa import LAST_CALL
from pbem.games.crusade.rules.ground import after_control_changes
from pbem.games.crusade.rules.winter import winter_turns
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.round import Arrivals
from pbem.games.crusade.tables import REPUBLICAN
from pbem.messages import say

# --- Nationalist --------------------------------------------------------------------------------


@effect("N1")
def air_bridge(position: Position, side: Side) -> Outcome:
    """The Army of Africa begins to arrive, and Sevilla and one other space are activated."""
    # Imported here because operations reach combats, whose cards reach this package.

    free = position.card("N1").params["activate"]
    named = tuple(free["named"])
    activation = Activation(side, len(named) + free["free"], named=named, free=free["free"])
    return Outcome((e.FlagSet("afr_schedule"),), then=(activation,))


@effect("N2")
def axis_military_aid(position: Position, side: Side) -> Outcome:
    """Axis points count from now on; after the first deployment of corps the CTV arrives at
    once.
    """
    from pbem.games.crusade.stages.event_choices import Reinforcing

    stages: tuple[Stage[Position], ...] = ()
    if position.turn >= position.card("N2").params["place_from_turn"]:
        # reading: N2 is not a reinforcement card, so 8.5.2.2 does not bar it if no port is open to
        # the CTV: the corps then stays out of the game, and the rest of the event applies.
        corps = waiting(position, side, "N-CTV")
        stages = (Reinforcing(side, corps, len(corps), "port"),)
    return Outcome((e.FlagSet("axis_aid"),), then=stages)


@effect("N6")
def end_of_the_strait_blockade(position: Position, side: Side) -> Outcome:
    """The Strait changes control, which opens ports; in time it hurries the Army of Africa."""
    story: Unfolding[Position] = Unfolding(position)
    story.happen(e.FlagSet("strait_nationalist"))
    after_control_changes(story, position)
    now = (position.turn, position.round)
    if now > LAST_CALL:
        # reading: Q43, too late to change the schedule of turn 3.
        return story.outcome()
    story.happen(e.FlagSet("afr_accelerated"))
    if now != LAST_CALL:
        return story.outcome()
    # reading: Q43, played in round 1 of turn 3, one unit arrives right after it, one in round 2.

    return story.outcome(then=(Arrivals(),))


@effect("N8")
def franco_takes_command(position: Position, side: Side) -> Outcome:
    return begins("franco_command")


ITALIANS = ("ITA", 1, 3, "port")


@effect("N11", allowed=brings(*ITALIANS))
def italian_reinforcements(position: Position, side: Side) -> Outcome:
    return Outcome(then=reinforcements(position, side, *ITALIANS))


ITALIAN_TANKS = ("CV-33", 1, 1, "port")


@effect("N15", allowed=brings(*ITALIAN_TANKS, beside="PZ-I"))
def axis_armor(position: Position, side: Side) -> Outcome:
    tanks = tuple(e.UnitPlaced(unit, RESERVE) for unit in from_pool(position, "PZ-I", 1))
    return Outcome(tanks, then=reinforcements(position, side, *ITALIAN_TANKS))


@effect("N16")
def famine(position: Position, side: Side) -> Outcome:
    return begins("famine")


for card in ("N3", "N4"):
    effect(card)(counts_only)

# --- Republican ---------------------------------------------------------------------------------

BEACH = "beach_head_mallorca"


@effect("R2")
def soviet_military_aid(position: Position, side: Side) -> Outcome:
    return begins("soviet_aid")


@CITE.refusal("card R4")
def _bilbao_has_no_iron_belt(position: Position, side: Side) -> Iterator[Violation]:
    standing = any(fort.special == "bilbao" for fort in position.forts.values())
    if standing or position.lost_forts.get("bilbao"):
        yield Violation(say("the Bilbao Trench has been placed"), ("card",))


@effect("R4", allowed=_bilbao_has_no_iron_belt)
def iron_belt(position: Position, side: Side) -> Outcome:
    """The only Trench of Bilbao; it replaces a Position there (Q57)."""
    return Outcome((e.FortBuilt("bilbao", Fort("trench", REPUBLICAN, "bilbao")),))


@effect("R8")
def largo_caballero(position: Position, side: Side) -> Outcome:
    return begins("largo_caballero")


BRIGADES = ("international", 1, 3, "southern_source_or_madrid")


@effect("R9", allowed=brings(*BRIGADES))
def international_brigades(position: Position, side: Side) -> Outcome:
    return Outcome(then=reinforcements(position, side, *BRIGADES))


MIXED_BRIGADES = ("RPA", 2, 4, "friendly_unit_southern_source_or_madrid")


@effect("R10", allowed=brings(*MIXED_BRIGADES))
def mixed_brigades(position: Position, side: Side) -> Outcome:
    return Outcome(then=reinforcements(position, side, *MIXED_BRIGADES))


@CITE.refusal("card R11")
def _beach_is_free(position: Position, side: Side) -> Iterator[Violation]:
    if BEACH in position.beach_heads:
        yield Violation(say("the Beach Head of Mallorca is on the map"), ("card",))


@effect("R11", "8.5.4.1", allowed=_beach_is_free)
def disembark_in_mallorca(position: Position, side: Side) -> Outcome:
    """Two militia divisions land; they have this turn and the next to take Mallorca."""
    deadline = position.turn + position.card("R11").params["deadline_turns"]
    militia = waiting(position, side, "MIL")[:2]
    return Outcome(
        (
            rare.BeachHeadPlaced(BEACH, "mallorca", REPUBLICAN),
            *(e.UnitPlaced(unit, BEACH) for unit in militia),
            rare.DeadlineSet(BEACH, deadline),
        )
    )


RUSSIAN_TANKS = ("T-26", 1, 2, "mediterranean_port")


@effect("R12", allowed=brings(*RUSSIAN_TANKS))
def russian_tanks(position: Position, side: Side) -> Outcome:
    return Outcome(then=reinforcements(position, side, *RUSSIAN_TANKS))


@effect("R14")
def no_pasaran(position: Position, side: Side) -> Outcome:
    """A special Trench in Madrid, and another in an adjacent Republican space."""
    from pbem.games.crusade.stages.event_choices import Fortifying

    here = e.FortBuilt("madrid", Fort("trench", REPUBLICAN, "madrid"))
    twin = Fortifying(side, "trench", "madrid", 1, "next_to_madrid", must=True)
    return Outcome((here,), then=(twin,))


@effect("R16")
def severe_winter(position: Position, side: Side) -> Outcome:
    """The next winter is severe, but not the current one."""
    # reading: Q28, the next winter is strictly later; on turn 17 there is none and the card has no
    # effect.
    later = [turn for turn in winter_turns(position.tables) if turn > position.turn]
    return begins(f"severe_winter_{later[0]}") if later else Outcome()


@effect("R18")
def fortified_positions(position: Position, side: Side) -> Outcome:
    from pbem.games.crusade.stages.event_choices import Fortifying

    params = position.card("R18").params
    return Outcome(
        then=(
            Fortifying(
                side,
                "position",
                "",
                params["markers"],
                "supplied",
                north_max=params["north_max"],
            ),
        )
    )


for card in ("R1", "R3", "R15"):
    effect(card)(counts_only)
