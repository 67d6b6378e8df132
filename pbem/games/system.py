"""What a game must offer to be refereed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pbem.engine.model import Decision, Event, Order, Side, State
from pbem.engine.rules import Citations


@dataclass(frozen=True, slots=True)
class Scenario:
    id: str
    title: str


@dataclass(frozen=True, slots=True)
class RuleOption:
    """A rule the players may agree on at the start; `excludes` names options it cannot join."""

    id: str
    rule: str
    title: str
    excludes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the winner (None for a draw), why, and the final score in words."""

    winner: Side | None
    reason: str
    score: str


class Names(Protocol):
    """How players may write the names of a game.

    `find` gives the id for what was written, or None; `known` lists every id with its printed
    name, for did-you-mean.
    """

    def find(self, kind: str, written: str) -> str | None: ...

    def known(self, kind: str) -> Mapping[str, str]: ...


class GameSystem(Protocol):
    """One game: set-up, judging (through its stages), and how to tell of it."""

    slug: str
    title: str
    sides: tuple[Side, ...]
    citations: Citations
    verbs: Mapping[str, type[Order]]

    def scenarios(self) -> tuple[Scenario, ...]: ...

    def options(self) -> tuple[RuleOption, ...]: ...

    def setup(self, scenario: str, options: frozenset[str]) -> State[Any]:
        """The first state; its own dice and draws are chance stages."""

    def faults(self, position: Any) -> tuple[str, ...]:
        """What no position may ever show; empty for a sound one."""

    def result(self, position: Any) -> Result | None:
        """The result of a finished game, else None."""

    def public(self, position: Any) -> dict[str, Any]:
        """The position as both players may know it, in the canonical domain of the game file."""

    def names(self, state: State[Any]) -> Names:
        """The vocabulary of the present moment (the side to move makes short names clear)."""

    def policy_covers(self, state: State[Any], decision: Decision, policy: Mapping[str, Any]) -> bool:
        """Whether a standing policy answers this decision, and is not told to ask."""

    def policy_answer(self, state: State[Any], decision: Decision, policy: Mapping[str, Any]) -> Order:
        """The policy's answer: total, always a legal order."""

    def policy_faults(self, position: Any, side: Side, policy: Mapping[str, Any]) -> tuple[Any, ...]:
        """What is wrong with a policy as written: violations with their path."""

    def narrate(self, event: Event[Any], position: Any) -> str | None:
        """One line of prose; `position` is the table right after the event. None: silent."""

    def heading(self, position: Any) -> str:
        """Where the game stands, in a line: turn, month, phase, round."""
