"""Small positions of ¡No Pasarán! for tests, and a way to play them with chosen dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pbem.engine import kernel
from pbem.engine.dice import Draw, Roll
from pbem.engine.model import Chance, Decision, Event, Order, Side, Stage, State
from pbem.gamedata.load import load
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.events import placed
from pbem.games.nopasaran.narration import NARRATION
from pbem.games.nopasaran.opening import begin
from pbem.games.nopasaran.options import OPEN_UNITS
from pbem.games.nopasaran.position import COMING, ELSEWHERE, Position
from pbem.games.nopasaran.rules import activation
from pbem.games.nopasaran.stages.activation import Acting, Settling
from pbem.games.nopasaran.tables import NATIONALIST, REPUBLICAN, SIDES, Tables

LARGE, SMALL = "jarama_crossing", "jarama_pindoque"
N, R = NATIONALIST, REPUBLICAN


@cache
def tables() -> Tables:
    return Tables(load("nopasaran").tables)


def start(scenario: str = LARGE, *options: str, **changes: Any) -> Position:
    """A battle as it begins, on its first day, with all counters open."""
    options = (OPEN_UNITS, *options)
    return begin(tables(), scenario, frozenset(options)).but(**{"day": 1, **changes})


def table(
    stacks: Mapping[str, str], *options: str, scenario: str = LARGE, **changes: Any
) -> Position:
    """A battle with just these units on the map: `{"G12": "N-2Leg/5 N-Zap-III"}`, from the top.

    It is the fourth day: the rules of the first days no longer hold.
    """
    there = {hex: tuple(units.split()) for hex, units in stacks.items()}
    placed = {unit for units in there.values() for unit in units}
    away = {unit: ELSEWHERE for unit in tables().units if unit not in placed}
    return start(scenario, *options).but(**{"day": 4, "stacks": there, "away": away, **changes})


def closed(position: Position, **changes: Any) -> Position:
    """The same battle with counters that may lie face down."""
    return position.but(options=position.options - {OPEN_UNITS}, **changes)


def led(position: Position, hex: str = "H22") -> Position:
    """The position with all headquarters that are still to come in one hex."""
    coming = [unit for unit, place in position.away.items()
              if place == COMING and position.printed(unit).is_headquarters]  # fmt: skip
    return placed(position, tuple(position.board.in_order(coming)), hex)


def in_command(position: Position) -> Position:
    """The position with everybody in command, as long as nobody moves."""
    found = position.but()
    everywhere = frozenset(position.ground.hexes)
    areas = dict.fromkeys(position.board.formations, everywhere)
    found.__dict__["command"] = dict.fromkeys(SIDES, areas)
    return found


def activated(position: Position, side: Side, *units: str) -> Position:
    """The position with an activation of these units, or of all of the side, in progress."""
    able = units or tuple(position.on_map(side))
    event = e.Activated(side, "TEST", able, activation.in_zones(position, side))
    return event.apply(position)


class Faces:
    """Dice that fall as they are told."""

    def __init__(self, faces: Sequence[int]) -> None:
        self.left = list(faces)

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
        return {draw.label: Roll(draw.label, draw.purpose, self.left.pop(0)) for draw in draws}


@dataclass
class Played:
    """What came of an order: the state after it, its events, and the labels that were rolled."""

    state: State[Any]
    events: list[Event[Any]] = field(default_factory=list)
    rolls: list[str] = field(default_factory=list)

    @property
    def position(self) -> Position:
        found: Position = self.state.position
        return found

    def found(self, kind: type[Event[Any]]) -> list[Any]:
        """The events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]


def state_of(position: Position, side: Side, *units: str) -> State[Position]:
    """A state in which a side acts with these units, or all it has."""
    agenda: tuple[Stage[Position], ...] = (Settling(side), Acting(side))
    return State(activated(position, side, *units), agenda)


def play(
    state: State[Any], order: Order, *faces: int, answers: Mapping[str, Order] | None = None
) -> Played:
    """Gives an order and goes on to the next question of the same stage: dice fall as told, other
    questions are answered by `answers`, by their stage, or else by their default.
    """
    dice, told = Faces(faces), dict(answers or {})
    asked = kernel.waits_for(state)
    assert isinstance(asked, Decision)
    step = kernel.submit(state, order)
    played = Played(step.state, list(step.events))
    while True:
        wanted = kernel.waits_for(step.state)
        if isinstance(wanted, Chance):
            step = kernel.roll(step.state, dice)
            played.rolls += [roll.label for roll in step.rolls]
        elif isinstance(wanted, Decision) and wanted.stage not in (asked.stage, "activation"):
            answer = told.pop(wanted.stage, wanted.default)
            step = kernel.submit(step.state, answer)
        else:
            break
        played.state = step.state
        played.events += step.events
    assert not dice.left, f"dice that nobody rolled: {dice.left}"
    assert not told, f"answers that nobody asked for: {told}"
    played.state = step.state
    return played


def log_of(events: Iterable[Event[Any]], position: Position) -> list[str]:
    """What a log says of events, all of them behind which the position is."""
    lines = (NARRATION.narrate(event, position) for event in events)
    return [str(line) for line in lines if line is not None]


def faults(state: State[Any], order: Order) -> list[tuple[str, str]]:
    """What is wrong with an order: each rule with its message."""
    return [(each.rule, str(each.message)) for each in kernel.violations(state, order)]


def rules_broken(state: State[Any], order: Order) -> list[str]:
    """The rules that an order breaks."""
    return [rule for rule, _ in faults(state, order)]
