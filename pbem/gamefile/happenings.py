"""What an entry made happen, in order: the stuff of narratives, dice lists and knowledge checks.

Happenings are derived, never stored. Those that move the game carry the referee before and after,
so that whoever renders them can tell the story without folding again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.gamefile.beacons import DiceRecord
from pbem.gamefile.referee import Referee
from pbem.problems import Problem


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A place in the chain: entry, step, and the item of the step's list, all from 0."""

    entry: int
    step: int
    index: int = 0


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened while the step at `place` was folded."""

    place: Place


@dataclass(frozen=True, slots=True)
class Began(Happening):
    """A step of the beginning: `kind` is propose, accept or start."""

    by: str
    kind: str


@dataclass(frozen=True, slots=True)
class Anchored(Happening):
    """A player gave the anchor of his chain number `q`."""

    by: str
    q: int


@dataclass(frozen=True, slots=True)
class Locked(Happening):
    """The game came to stand before a roll that beacon `n` will decide."""

    by: str
    n: int


@dataclass(frozen=True, slots=True)
class Revealed(Happening):
    """A player showed his value of beacon `n`; `void`: he began one that decides nothing."""

    by: str
    n: int
    void: bool


@dataclass(frozen=True, slots=True)
class Completed(Happening):
    """Both values of beacon `n` are known; `value` is R_n (32 bytes), `command` prints it."""

    n: int
    value: bytes
    command: str
    void: bool


@dataclass(frozen=True, slots=True)
class Closed(Happening):
    """Beacon `n` decides nothing any more."""

    n: int


@dataclass(frozen=True, slots=True)
class Ordered(Happening):
    """An order or answer was carried out; `sent` is where its author wrote it."""

    by: str
    order: Mapping[str, Any]
    kind: str
    sent: Place
    before: Referee
    after: Referee


@dataclass(frozen=True, slots=True)
class Answered(Happening):
    """A policy answered for its author; `sent` is where the policy stands."""

    by: str
    slot: str
    order: Mapping[str, Any]
    sent: Place
    before: Referee
    after: Referee


@dataclass(frozen=True, slots=True)
class Rolled(Happening):
    """Beacon `n` decided a chance, `what`; the records say how each die came about."""

    what: str
    n: int
    records: tuple[DiceRecord, ...]
    before: Referee
    after: Referee


@dataclass(frozen=True, slots=True)
class Lapsed(Happening):
    """An order given ahead was not legal when its turn came, for the reasons in `problems`."""

    by: str
    order: Mapping[str, Any]
    sent: Place
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Dropped(Happening):
    """An order given ahead was never asked for."""

    by: str
    order: Mapping[str, Any]
    sent: Place


@dataclass(frozen=True, slots=True)
class PolicyMade(Happening):
    """A player gave standing orders for `slot`, or withdrew them."""

    by: str
    slot: str
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class Said(Happening):
    """A player's words. They are no part of the game and prove nothing."""

    by: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resigned(Happening):
    """A player gave up."""

    by: str


@dataclass(frozen=True, slots=True)
class Claimed(Happening):
    """A player states for the record what the other owes and has not sent."""

    by: str
    owed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended(Happening):
    """The game is over."""

    result: Mapping[str, Any]
