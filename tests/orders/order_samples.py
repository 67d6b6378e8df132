"""Verbs, names and a board for the tests of the order language: no game of ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from pbem.board.names import NamedUnit, Vocabulary
from pbem.engine.model import Order

Unit = Annotated[str, "unit"]
Space = Annotated[str, "space"]
Card = Annotated[str, "card"]


@dataclass(frozen=True)
class Play(Order):
    verb: ClassVar[str] = "play"
    card: Card
    use: str = field(default="operations", metadata={"written": "for"})


@dataclass(frozen=True)
class Activate(Order):
    verb: ClassVar[str] = "activate"
    move: tuple[Space, ...] = ()
    attack: tuple[str, ...] = field(default=(), metadata={"kind": "space"})


@dataclass(frozen=True)
class Move(Order):
    verb: ClassVar[str] = "move"
    units: tuple[Unit, ...]
    path: tuple[Space, ...] = field(metadata={"stands": "first"})
    by_rail: bool = False


@dataclass(frozen=True)
class Going:
    units: tuple[Unit, ...]
    to: tuple[Space, ...] = ()
    follow: bool = False


@dataclass(frozen=True)
class Attack(Order):
    verb: ClassVar[str] = "attack"
    space: Space
    units: Mapping[Space, tuple[Unit, ...]]
    armor: str = field(default="", metadata={"kind": "unit"})
    losses: tuple[str, ...] = ()
    advance: Going | None = None


@dataclass(frozen=True)
class Restore(Order):
    verb: ClassVar[str] = "restore"
    unit: Unit
    at: Space = field(default="", metadata={"stands": "there"})


@dataclass(frozen=True)
class Recall(Order):
    verb: ClassVar[str] = "recall"
    unit: Unit
    to: Space = ""
    by: str = field(
        default="road", metadata={"words": ("road", "box"), "stands_if": {"box": ("space", "box")}}
    )
    start: Space = field(default="", metadata={"written": "from", "stands": "there"})


@dataclass(frozen=True)
class Land(Order):
    verb: ClassVar[str] = "land"
    unit: Unit
    space: Space = ""


@dataclass(frozen=True)
class Losses(Order):
    verb: ClassVar[str] = "losses"
    steps: tuple[str, ...] = field(default=(), metadata={"kind": "unit"})


@dataclass(frozen=True)
class Advance(Order):
    verb: ClassVar[str] = "advance"
    units: tuple[Unit, ...] = ()
    to: tuple[Space, ...] = ()


@dataclass(frozen=True)
class Rebuild(Order):
    verb: ClassVar[str] = "rebuild"
    unit: Unit
    steps: int = 1
    pair: tuple[int, str] | None = None


@dataclass(frozen=True)
class Discard(Order):
    verb: ClassVar[str] = "discard"
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Done(Order):
    verb: ClassVar[str] = "done"


VERBS: Mapping[str, type[Order]] = {
    order.verb: order
    for order in (
        Play,
        Activate,
        Move,
        Attack,
        Restore,
        Recall,
        Land,
        Losses,
        Advance,
        Rebuild,
        Discard,
        Done,
    )
}

SPACES = {
    "merida": "Mérida",
    "caceres": "Cáceres",
    "sevilla": "Sevilla",
    "riotinto": "Riotinto",
    "huelva": "Huelva",
    "ecija": "Écija",
    "santa_olalla": "Santa Olalla",
    "zafra": "Zafra",
    "badajoz": "Badajoz",
    "llerena": "Llerena",
    "penarroya": "Peñarroya",
    "cordoba": "Córdoba",
    "granada": "Granada",
    "toledo": "Toledo",
}
COUNTERS = (
    NamedUnit("INF-1", "INF", "caceres", "full"),
    NamedUnit("INF-2", "INF", "sevilla", "full"),
    NamedUnit("INF-3", "INF", "sevilla", "reduced"),
    NamedUnit("MIL-NAV-1", "MIL-NAV", "caceres", "full"),
    NamedUnit("MIL-NAV-2", "MIL-NAV", "caceres", "full"),
    NamedUnit("AFR-1", "AFR", "sevilla", "full"),
    NamedUnit("CV-33", "ARM", "caceres", "full"),
    NamedUnit("POL-1", "POL", "zafra", "full"),
    NamedUnit("POL-2", "POL", "box", "full"),
)
NAMES = Vocabulary(
    printed={
        "space": SPACES,
        "unit": {counter.id: counter.id for counter in COUNTERS},
        "card": {"N1": "Air Bridge", "N7": "Columns", "N10": "Condor Legion"},
    },
    aliases={"space": {"Emerita Augusta": "merida"}},
    counters=COUNTERS,
)
