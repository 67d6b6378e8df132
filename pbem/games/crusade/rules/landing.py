"""Where an event brings units into enemy territory: Plan P (8.5.6) and the Insurrection (N48)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.options_landing import MALLORCA, is_coast, mallorca_is_open
from pbem.games.crusade.rules.supply import is_behind_the_strait, is_supplied
from pbem.games.crusade.tables import ENEMY, NATIONALIST, REPUBLICAN, SOLID
from pbem.messages import all_of, say


@CITE.rule("8.5.6.1")
def landing_coasts(position: Position, side: Side = REPUBLICAN) -> tuple[str, ...]:
    """Enemy coasts that are near enough and not next to a beach head.

    The Republic is limited to the Mediterranean, and lands in the west only before N6.
    """
    near = _in_range(position, side)
    return tuple(
        space
        for space in _coasts(position, side)
        if space in near or (space == MALLORCA and mallorca_is_open(position, side))
    )


def _coasts(position: Position, side: Side) -> Iterator[str]:
    """Enemy coasts that are open to a landing if they are near enough."""
    taken = position.beach_heads.values()
    return (
        space
        for space in position.spaces_of(ENEMY[side])
        if is_coast(position, space)
        and space not in taken
        and (side == NATIONALIST or _is_open_to_the_republic(position, space))
    )


def has_to_land_next_to(
    position: Position, coasts: tuple[str, ...], space: str
) -> Iterator[Violation]:
    """The message for a landing next to any other space."""
    if space not in coasts:
        yield Violation(
            say("no landing is possible next to {space}", space=position.called(space)),
            at=("space",),
            hint=say("it is next to {coasts}", coasts=all_of(position.names_of(coasts))),
        )


@CITE.serves("8.5.6.1", "8.5.6.2")
def why_no_plan_p(position: Position, space: str) -> str:
    """The rule that bars a landing of Plan P next to a space: if the coast is open, the range."""
    return "8.5.6.2" if space in _coasts(position, REPUBLICAN) else "8.5.6.1"


def _is_open_to_the_republic(position: Position, space: str) -> bool:
    shut = is_behind_the_strait(position, space)
    return position.space(space).coast == "mediterranean" and not shut


@CITE.rule("8.5.6.2")
def _in_range(position: Position, side: Side) -> frozenset[str]:
    """Spaces within three of a supplied one of the side, counting the target but not the start."""
    # reading: Q58, links of every kind but sea count, whoever controls the spaces between.
    supplied = [s for s in position.spaces_of(side) if is_supplied(position, side, s)]
    most = position.tables.tables["limits"]["plan_p_spaces"]["value"]
    return frozenset(position.tables.graph.distances(supplied, kinds=SOLID, most=most))


@CITE.serves("card N48")
def places_of_revolt(position: Position, side: Side) -> tuple[str, ...]:
    """Enemy ports and province capitals without a unit, except Main Cities."""
    # reading: a beach head is not a town, so there is no revolt there.
    return tuple(
        space
        for space in position.spaces_of(ENEMY[side])
        if (position.space(space).port or position.space(space).capital)
        and not position.space(space).main_city
        and not position.space(space).dormant
        and not position.units_in(space)
    )
