"""Random games: what must be true of every position, and of every step from one to the next."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, State
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.opening import begin
from pbem.games.nopasaran.position import COMING, ELIMINATED, ELSEWHERE, Position
from pbem.games.nopasaran.rules import command, zones
from pbem.games.nopasaran.stages.day import opening
from pbem.value import fields
from tests.bots import RandomDice, legal_samples
from tests.conftest import FUZZ
from tests.games.nopasaran.table import LARGE, SMALL, N, R, tables

STEPS = {SMALL: 350, LARGE: 120}
"""So many questions and rolls are played of each game; with FUZZ ten times as many."""
TOP = 10
"""The troop points that a hex holds on the Jarama, where no Madrid is."""


def moments(scenario: str, seed: int) -> Iterator[tuple[Position, kernel.Progress]]:
    """The steps of a random game, each with the position before it."""
    rng, dice = random.Random(f"player {seed}"), RandomDice(seed)
    state: State[Any] = State(begin(tables(), scenario, frozenset()), opening()[::-1])
    state = kernel.begin(state).state
    for _ in range(STEPS[scenario] * min(FUZZ, 10)):
        wanted = kernel.waits_for(state)
        if wanted is None:
            return
        if isinstance(wanted, Decision):
            found = legal_samples(state, rng, 6)
            order = next((each for each in found if each != wanted.default), wanted.default)
            step = kernel.submit(state, wanted.default if rng.random() < 0.05 else order)
        else:
            step = kernel.roll(state, dice)
        yield state.position, step
        state = step.state


def troops(position: Position) -> Mapping[str, int]:
    """The troop points that each unit of the battle has left."""
    there = [unit for unit, place in position.places.items() if place != ELSEWHERE]
    return {unit: position.troops(unit) for unit in there}


def faults(position: Position) -> Iterator[str]:
    """What cannot be."""
    for unit, place in position.places.items():
        is_out = place in (ELIMINATED, COMING, ELSEWHERE)
        if not is_out and (place not in position.ground or position.terrain(place) is None):
            yield f"{unit} is in {place}"
        if place == ELIMINATED and position.printed(unit).is_headquarters:
            yield f"{unit} is eliminated, and headquarters never are"
        if (place == ELIMINATED) != (position.troops(unit) <= 0) and position.printed(unit).troops:
            yield f"{unit} has {position.troops(unit)} troop points in {place}"
    listed = [unit for units in position.stacks.values() for unit in units]
    if len(listed) != len(set(listed)) or set(listed) & position.away.keys():
        yield "a unit is in two places"
    for hex, units in position.stacks.items():
        if len({position.side_of(unit) for unit in units}) > 1:
            yield f"both sides are in {hex}"
        if position.cycle is None and position.troops_of(units) > TOP:
            yield f"{hex} holds {position.troops_of(units)} troop points"
        if any(position.printed(unit).is_combat for unit in units) and not (
            position.printed(units[0]).is_combat
        ):
            yield f"{units[0]} is on top in {hex}"
    if position.cycle is None and position.combat is not None:
        yield "a combat goes on in no activation"
    for states in (position.bridges, position.roads, position.rails):
        if not set(states.values()) <= {"damaged", "destroyed"}:
            yield f"states that are none: {states}"


def stale(position: Position) -> Iterator[str]:
    """What is kept of a position and is not what a new one computes."""
    new = Position(**{each.name: getattr(position, each.name) for each in fields(position)})
    for name, one, other in (
        ("places", position.places, new.places),
        ("zones", zones.zones(position), zones.zones(new)),
        ("command", *({unit for unit in tables().units if command.in_command(each, unit)}
                      for each in (position, new))),
        *((id, position.members(id), new.members(id)) for id in tables().formations),
    ):  # fmt: skip
        if one != other:
            yield f"{name} is stale"


def accounts(before: Position, step: kernel.Progress) -> Iterator[str]:
    """What a step may change, and by which events."""
    after: Position = step.state.position
    was, now = troops(before), troops(after)
    may = dict.fromkeys(was, 0)
    for event in step.events:
        match event:
            case e.TroopsLost(unit=unit):
                may[unit] = 1
            case e.UnitsDestroyed(units=units):
                may |= dict.fromkeys(units, 1)
            case e.Consolidated(giver=giver, receiver=receiver):
                may |= {giver: 1, receiver: 1}
            case _:
                pass
    for unit, points in was.items():
        if points != now[unit] and not may[unit]:
            yield f"{unit} had {points} troop points and has {now[unit]}"
    for side in (N, R):
        gone = sum(was[unit] - now[unit] for unit in was if before.side_of(unit) == side)
        given = sum(
            event.points
            for event in step.events
            if isinstance(event, e.Consolidated) and before.side_of(event.giver) == side
        )
        counted = after.losses.get(side, 0) - before.losses.get(side, 0)
        if counted != gone + given:
            yield f"{side} lost {gone} troop points, and {counted} are counted"
    if not before.works.items() <= after.works.items():
        yield "works are gone"
    if not after.flown <= after.missions.keys():
        yield "an aircraft without a mission has flown"
    if not before.flown <= after.flown and after.day == before.day:
        yield "an aircraft is back before the evening"


@pytest.mark.parametrize("scenario", [SMALL, LARGE])
@pytest.mark.parametrize("seed", range(FUZZ))
def test_accounts_and_places_in_random_games(scenario, seed):
    """Troop points change by losses and consolidation, losses count their sum; no hex has both
    sides or too much, no headquarters and no works are ever gone.
    """
    for at, (before, step) in enumerate(moments(scenario, seed)):
        found = [*faults(step.state.position), *accounts(before, step)]
        if at % 7 == 0:
            found += stale(step.state.position)
        assert not found, f"step {at}: {found}, {[type(x).__name__ for x in step.events]}"
