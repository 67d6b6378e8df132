"""What a player can say. Hexes and counters are named as they are printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pbem.engine.model import Order
from pbem.value import field, value

HEX = {"kind": "hex"}
UNIT = {"kind": "unit"}


@value
class SetUp(Order):
    """Set up your counters, each in a hex (2.3)."""

    verb: ClassVar[str] = "place"
    units: Mapping[str, str] = field(metadata={"kind": "hex", "key": "unit"})
    zones: tuple[Annotated[str, "hex"], ...] = ()


@value
class Ambush(Order):
    """Write down two hexes in which you lie in wait, or fewer (4.1)."""

    verb: ClassVar[str] = "ambush"
    secret: ClassVar[bool] = True
    at: tuple[str, ...] = field(metadata=HEX, default=())


@value
class Spring(Order):
    """Tell the ambushes into which the enemy has come (4.2)."""

    verb: ClassVar[str] = "spring"
    role: ClassVar[str] = "reaction"


@value
class March(Order):
    """Move a counter along hexes (3.2)."""

    verb: ClassVar[str] = "march"
    unit: str = field(metadata=UNIT)
    path: tuple[str, ...] = field(metadata=HEX)


@value
class Arrive(Order):
    """Bring in a counter of the reserve at your edge (2.4)."""

    verb: ClassVar[str] = "arrive"
    unit: str = field(metadata=UNIT)
    at: str = field(metadata=HEX)


@value
class Blow(Order):
    """Let sappers blow up a bridge next to them (1.3)."""

    verb: ClassVar[str] = "blow"
    unit: str = field(metadata=UNIT)
    over: str = field(metadata=HEX)


@value
class Mix(Order):
    """Mix the counters of stacks, so that nobody knows any more which is which (5.1)."""

    verb: ClassVar[str] = "mix"
    at: tuple[str, ...] = field(metadata=HEX)


@value
class Halt(Order):
    """End your marches, and say where hidden counters have a zone of control (3.4)."""

    verb: ClassVar[str] = "halt"
    role: ClassVar[str] = "lead"
    zones: tuple[str, ...] = field(metadata=HEX, default=())


@value
class Count(Order):
    """Say which class of points a stack has at which a gun fires (6.6). The program does it."""

    verb: ClassVar[str] = "count"
    role: ClassVar[str] = "reaction"
    points: str


@value
class Show(Order):
    """Show the counters that are attacked (6.1). The program does it."""

    verb: ClassVar[str] = "show"
    role: ClassVar[str] = "reaction"


@value
class Attack(Order):
    """Attack a hex with counters next to it (6.1)."""

    verb: ClassVar[str] = "attack"
    hex: str = field(metadata=HEX)
    units: tuple[str, ...] = field(metadata=UNIT)
    advance: bool = True


@value
class Fire(Order):
    """Fire with a gun at a hex it can see, at most two away (6.5)."""

    verb: ClassVar[str] = "fire"
    unit: str = field(metadata=UNIT)
    at: str = field(metadata=HEX)


@value
class Retreat(Order):
    """Retreat by a path of two hexes (6.3)."""

    verb: ClassVar[str] = "retreat"
    role: ClassVar[str] = "choice"
    path: tuple[str, ...] = field(metadata=HEX)


@value
class Done(Order):
    """End your attacks (6.1)."""

    verb: ClassVar[str] = "done"
    ends: ClassVar[bool] = True


@value
class Arrange(Order):
    """Put your new tags where your hidden counters stand (1.4), after a lost key."""

    verb: ClassVar[str] = "arrange"
    units: Mapping[str, str] = field(metadata={"kind": "hex", "key": "unit"})


VERBS: Mapping[str, type[Order]] = {
    each.verb: each
    for each in (
        SetUp, Ambush, Spring, March, Arrive, Blow, Mix, Halt, Count, Show, Attack, Fire, Retreat,
        Done, Arrange,
    )
}  # fmt: skip
