"""What a player can say. Hexes and units are named as they are printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pbem.engine.model import Order
from pbem.value import field, value

HEX = {"kind": "hex"}
UNIT = {"kind": "unit"}


@value
class Plan(Order):
    """Choose the plan of the turn, bold or steady, unseen by the other side (2.1)."""

    verb: ClassVar[str] = "plan"
    stance: str


@value
class March(Order):
    """Move a unit along hexes, at most two (3.2)."""

    verb: ClassVar[str] = "march"
    unit: str = field(metadata=UNIT)
    path: tuple[str, ...] = field(metadata=HEX)


@value
class Volley(Order):
    """Fire with one or more units, each at an adjacent hex (3.3)."""

    verb: ClassVar[str] = "volley"
    at: Mapping[str, str] = field(metadata={"kind": "hex", "key": "unit"})


@value
class Rest(Order):
    """Do nothing in this impulse (3.1)."""

    verb: ClassVar[str] = "rest"


VERBS: Mapping[str, type[Order]] = {each.verb: each for each in (Plan, March, Volley, Rest)}
