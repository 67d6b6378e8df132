"""The orders of a player, one class for each verb. Hexes are named by their numbers or names, units
by names or ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pbem.engine.model import BY_PROGRAM, Keyed, Order
from pbem.value import field, value

Unit = Annotated[str, "unit"]
Hex = Annotated[str, "hex"]
NONE, LATER = "none", "later"
RANKED: Mapping[str, bool] = {"in_order": True}
"""Of a field whose units are meant as they follow one another."""


# ------------------------------------------------------------------- set-up


@value
class SetUp(Order):
    """Set units up (4). `trenches` and `columns` are the hexes of those markers, `top` the units
    that lie on top of their stacks, where others are covered (5.2).
    """

    verb: ClassVar[str] = "place"
    units: Mapping[Unit, Hex]
    trenches: tuple[Hex, ...] = ()
    columns: tuple[Hex, ...] = ()
    top: tuple[Unit, ...] = ()


# ------------------------------------------------------------------- movement


@value
class Column(Order):
    """Put the supply column of this turn on the map (9.3)."""

    verb: ClassVar[str] = "column"
    at: Hex


@value
class Move(Order):
    """Move units of one hex along a path, step by step (8). `top` are units that lie on top where
    they stay, or where they go, and are seen from then on (5.2).
    """

    verb: ClassVar[str] = "move"
    units: tuple[Unit, ...]
    path: tuple[Hex, ...]
    top: tuple[Unit, ...] = ()


@value
class Done(Order):
    """End the movement or the combat of your phase."""

    verb: ClassVar[str] = "done"
    ends: ClassVar[bool] = True


# ------------------------------------------------------------------- combat


@value
class Backing(Keyed):
    """What bombards in an attack: air units, headquarters, and columns by their hexes."""

    air: tuple[Unit, ...] = ()
    hq: tuple[Unit, ...] = ()
    columns: Mapping[Hex, int] | str = field(default=NONE, metadata={"words": (LATER, NONE)})


@value
class Following:
    """The attackers that advance into the hex, if it becomes empty."""

    units: tuple[Unit, ...]
    to: Hex = ""


@value
class Attack(Order):
    """Attack a hex with units of hexes next to it (10.1).

    The rest may be said with it, so that you are not asked: `support`, what bombards; `losses`, who
    loses steps first; `advance`, who goes into the hex if it becomes empty, as many as may; and
    `breakthrough`, the way of each unit if the result is B, as far as it may go. `beside` is the
    program's: the units by hexes which, as their owner says, neither overstack the hex nor are a
    headquarters that moves the column.
    """

    verb: ClassVar[str] = "attack"
    hex: Hex
    units: Mapping[Hex, tuple[Unit, ...]]
    support: Backing | str = field(default="", metadata={"words": (NONE,)})
    losses: tuple[Unit, ...] = field(default=(), metadata=RANKED)
    advance: Following | str = field(default="", metadata={"words": (NONE,)})
    breakthrough: Mapping[Unit, tuple[Hex, ...]] | str = field(
        default="", metadata={"words": (NONE,), **RANKED}
    )
    beside: Mapping[Hex, tuple[Unit, ...]] = field(default_factory=dict, metadata=BY_PROGRAM)

    @property
    def says_more(self) -> bool:
        """Whether it says what follows the dice."""
        return bool(self.losses or self.advance or self.breakthrough)


@value
class Support(Order):
    """Bombard in a combat: air units, headquarters, and the columns beside them by their hexes
    (9.4.1). Without `columns` you are asked for them later, when the other side has said its part.
    """

    verb: ClassVar[str] = "support"
    role: ClassVar[str] = "reaction"
    also: ClassVar[tuple[str, ...]] = ("bombard",)
    air: tuple[Unit, ...] = ()
    hq: tuple[Unit, ...] = ()
    columns: Mapping[Hex, int] | str = field(default=LATER, metadata={"words": (LATER, NONE)})


@value
class UseColumns(Order):
    """Use supply columns in a combat, by their hexes (9.3.1)."""

    verb: ClassVar[str] = "columns"
    role: ClassVar[str] = "reaction"
    use: Mapping[Hex, int] = field(default_factory=dict)


@value
class Losses(Order):
    """Say which units lose steps (10.3), one for each name; then the others, the weakest first.

    All of a combat may be ranked, before the dice.
    """

    verb: ClassVar[str] = "losses"
    role: ClassVar[str] = "choice"
    units: tuple[Unit, ...] = field(metadata=RANKED)


@value
class Trade(Order):
    """Trade one step for a retreat into a hex, or none (10.5)."""

    verb: ClassVar[str] = "trade"
    role: ClassVar[str] = "choice"
    to: Hex = ""


@value
class Retreat(Order):
    """Say into which hex a stack is driven back (10.6)."""

    verb: ClassVar[str] = "retreat"
    role: ClassVar[str] = "choice"
    to: Hex


@value
class Advance(Order):
    """Advance into the hex that is empty now, or not (10.4)."""

    verb: ClassVar[str] = "advance"
    role: ClassVar[str] = "choice"
    units: tuple[Unit, ...] = field(default=(), metadata=RANKED)
    to: Hex = ""


@value
class Breakthrough(Order):
    """Advance up to three hexes after a breakthrough, each unit its own way (10.4.1)."""

    verb: ClassVar[str] = "breakthrough"
    role: ClassVar[str] = "choice"
    paths: Mapping[Unit, tuple[Hex, ...]] = field(default_factory=dict, metadata=RANKED)


@value
class Shoot(Order):
    """Say which of your air units were shot down (15.1)."""

    verb: ClassVar[str] = "shot_down"
    role: ClassVar[str] = "choice"
    units: tuple[Unit, ...]


# ------------------------------------------------------------------- the war elsewhere


@value
class Withdraw(Order):
    """Withdraw infantry and air units for the offensive elsewhere (12.3)."""

    verb: ClassVar[str] = "withdraw"
    role: ClassVar[str] = "choice"
    units: tuple[Unit, ...]


@value
class Remain(Order):
    """Say in which hexes battalions go on fighting when the Basques surrender (13.3)."""

    verb: ClassVar[str] = "remain"
    role: ClassVar[str] = "choice"
    at: tuple[Hex, ...]


# ------------------------------------------------------------------- covered counters


@value
class Show(Order):
    """Show the covered counters that have to be seen now (5.2). The program does it."""

    verb: ClassVar[str] = "show"
    role: ClassVar[str] = "reaction"


@value
class Uncover(Order):
    """Show covered counters because of the Basque surrender, or none (13.2)."""

    verb: ClassVar[str] = "uncover"
    role: ClassVar[str] = "choice"
    units: tuple[Unit, ...] = ()


@value
class Arrange(Order):
    """Put your new tags where your covered counters stand (5.2), after a lost key."""

    verb: ClassVar[str] = "arrange"
    units: Mapping[Unit, Hex]


ORDERS: tuple[type[Order], ...] = (
    SetUp, Column, Move, Done, Attack, Support, UseColumns, Losses, Trade, Retreat, Advance,
    Breakthrough, Shoot, Withdraw, Remain, Show, Uncover, Arrange,
)  # fmt: skip
VERBS: Mapping[str, type[Order]] = {order.verb: order for order in ORDERS}
