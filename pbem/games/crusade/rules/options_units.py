"""Optional units: which they are, where they are placed, and what they replace (18.1.2-18.4.1)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import DISPLAY, ELIMINATED, POOL, REMOVED, RESERVE, Position
from pbem.games.crusade.rules.supply import deployment_sources
from pbem.games.crusade.tables import ENEMY, NATIONALIST, REPUBLICAN
from pbem.messages import Said, say
from pbem.value import value

# --- Morocco ------------------------------------------------------------------------------------


@CITE.rule("18.1.2")
def guard_of_morocco(position: Position) -> str:
    """The last unit of the Army of Africa that would still arrive, or empty."""
    waiting = position.units_in(DISPLAY)
    told = "rule_18_1_2" in position.tables.sheet(position.scenario).get("options", ())
    if told or not position.option("18.1.2"):  # such a scenario has placed the guard itself
        return ""
    return waiting[-1] if waiting else ""


BANDERAS = ("AFR-BT-1", "AFR-BT-2")


@CITE.rule("18.2.2")
def banderas_may_come(position: Position) -> bool:
    """Whether banderas may arrive: once a game, in place of a unit that is due."""
    unused = all(position.place_of(unit) == POOL for unit in BANDERAS)
    return unused and position.option("18.2.2")


# --- the captured tank --------------------------------------------------------------------------

TROPHY = "T-26-NAT"


@CITE.rule("18.2.4")
def exchangeable(position: Position, card: str) -> tuple[str, ...]:
    """The armor of which one is exchanged for the captured T-26, once R12 and N24 are both played.

    `position` is the one before the event of the card: N24 exchanges one of the units it brings,
    R12 any that is in play.
    """
    both = {"R12", "N24"} <= position.played | {card}
    if not both or card not in ("R12", "N24") or not position.option("18.2.4"):
        return ()
    if position.place_of(TROPHY) != POOL:
        return ()
    light = _of_types(position, NATIONALIST, ("CV-33", "PZ-I"))
    if card == "N24":
        pool = [unit for unit in light if position.place_of(unit) == POOL]
        kinds = ("CV-33", "PZ-I")
        first = (next((u for u in pool if position.type_of(u).id == kind), "") for kind in kinds)
        return tuple(unit for unit in first if unit)
    return tuple(unit for unit in light if is_in_play(position, unit))


def is_in_play(position: Position, unit: str) -> bool:
    """Whether a unit is on the map, in the Reserve Box or in the Eliminated Box."""
    return position.is_on_map(unit) or position.place_of(unit) in (RESERVE, ELIMINATED)


def _of_types(position: Position, side: Side, kinds: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(u for kind in kinds for u in position.tables.units_of_type[side, kind])


# --- armored corps ------------------------------------------------------------------------------


@value
class ArmoredPlan:
    """What 18.4.1 says about a side: its corps, the card it needs, the armor it is made of."""

    rule: str
    corps: str
    card: str
    tanks: tuple[str, ...]


PLANS: Mapping[Side, ArmoredPlan] = {
    REPUBLICAN: ArmoredPlan("18.4.1.1", "R-RAC", "R26", ("T-26",)),
    NATIONALIST: ArmoredPlan("18.4.1.2", "N-NARC", "N24", ("T-26-NAT", "CV-33", "PZ-I")),
}
SPENT = 3
"""The number of armor units a corps is made of; one more stays."""


@CITE.rule("18.4.1.1", "18.4.1.2")
def armored_spaces(position: Position, side: Side) -> tuple[str, ...]:
    """Where an armored corps may be placed now, in map order; none if it may not."""
    from pbem.games.crusade.rules.reinforcement import is_open_to_entry

    plan = PLANS[side]
    if not may_be_armored(position, side):
        return ()
    tanks = tanks_of(position, side)
    after = position
    for unit in tanks:
        after = after.with_unit(unit, REMOVED)
    camps = {position.place_of(unit) for unit in tanks}
    return tuple(
        space
        for space in position.spaces_of(side)
        if (space in camps or _is_depot(position, side, space))
        and is_open_to_entry(after, plan.corps, space)
    )


def strange_to_armor(position: Position, side: Side, space: str) -> Said:
    """Why a space is none where an armored corps is formed; empty if it is one."""
    camps = {position.place_of(unit) for unit in tanks_of(position, side)}
    if space in camps or (position.is_open_for_play(space) and _is_depot(position, side, space)):
        return ""
    if side == REPUBLICAN:
        return say(
            "it is formed only where its tanks are, in Madrid or at a port of the Mediterranean"
        )
    return say("it is formed only where its tanks are, at a port or at a supply source")


def _is_depot(position: Position, side: Side, space: str) -> bool:
    """Whether a space can receive an armored corps wherever its armor is."""
    if side == REPUBLICAN:
        port = space in position.ports() and position.sea_of(space) == "mediterranean"
        return port or space == "madrid"
    return space in position.ports() or space in deployment_sources(position, side)


def may_be_armored(position: Position, side: Side) -> bool:
    """Whether the corps is agreed on, not yet in play, need not wait for the other, and has its
    armor.
    """
    plan = PLANS[side]
    waits = position.option(f"18.4.1/{ENEMY[side]}")
    if not position.option(plan.rule) or position.place_of(plan.corps) != POOL:
        return False
    if waits and position.place_of(PLANS[ENEMY[side]].corps) == POOL:
        return False
    return len(tanks_of(position, side)) > SPENT


def may_stay(position: Position, side: Side) -> tuple[str, ...]:
    """The armor of which one stays in the Reserve Box: the captured T-26, else the owner's choice.

    If the owner says nothing, the first one stays.
    """
    # reading: 18.4.1, the owner chooses the one that stays, and it keeps its strength.
    tanks = tanks_of(position, side)
    return (TROPHY,) if TROPHY in tanks else tanks


def tanks_of(position: Position, side: Side) -> tuple[str, ...]:
    """Armor that has ever been in play, best first.

    In play before eliminated before out of the game, full before reduced.
    """
    units = [
        unit
        for unit in _of_types(position, side, PLANS[side].tanks)
        if position.place_of(unit) not in (POOL,)
    ]

    def worth(unit: str) -> tuple[bool, bool, bool, bool]:
        place = position.place_of(unit)
        return (unit != TROPHY, place == REMOVED, place == ELIMINATED, position.is_reduced(unit))

    return tuple(sorted(units, key=worth))
