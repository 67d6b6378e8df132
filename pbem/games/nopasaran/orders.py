"""The orders of a player, one class for each verb. Hexes are named by their letters and numbers or
names; units, aircraft and formations by names or ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pbem.engine.model import BY_PROGRAM, Order
from pbem.messages import Said, say
from pbem.value import field, value

Unit = Annotated[str, "unit"]
Aircraft = Annotated[str, "aircraft"]
Formation = Annotated[str, "formation"]
Hex = Annotated[str, "hex"]
Bridge = Annotated[str, "bridge"]
Member = Annotated[str, "member"]
"""A unit, or a formation."""

NONE, OWN, ALL, ASK = "none", "own", "all", "ask"
MOBILE, IMPROVISED = "mobile", "improvised"
TYPES = (MOBILE, "regular", "prepared", IMPROVISED)
UNITS, ROAD, RAIL, BRIDGE = "units", "road", "rail", "bridge"
TASKS = ("blow", "destroy_road", "destroy_rail", "repair", "bridge")
WORKS = ("position", "fortification")


@value
class Zone:
    """What counters face down come to together for a zone of control (9): their troop points, more
    than two as three, and whether infantry or cavalry has one (`foot`), engineers at most, vehicles
    alone, or none. The program writes it.
    """

    units: tuple[Unit, ...]
    zone: str


# ------------------------------------------------------------------- set-up


@value
class SetUp(Order):
    """Say in which hexes your units begin the battle, face down (2.6): those of one formation that
    move alike may trade hexes. What you do not name goes where it is printed.
    """

    verb: ClassVar[str] = "set_up"
    units: Mapping[Unit, Hex] = field(default_factory=dict, metadata={"bare": True})
    alike: Mapping[Unit, str] = field(default_factory=dict, metadata=BY_PROGRAM)
    """The formation of each counter and how it moves, as in `N-R5 foot`. The program writes it."""
    zones: tuple[Zone, ...] = field(default=(), metadata=BY_PROGRAM)


# ------------------------------------------------------------------- the morning


@value
class Assign(Order):
    """Say what acts with another formation from today (6.6). `own` sends it back to its own; what
    you do not name stays as it is.
    """

    verb: ClassVar[str] = "assign"
    secret: ClassVar[bool] = True
    to: Mapping[Member, Formation] = field(default_factory=dict, metadata={"bare": True})


@value
class Flight:
    """The mission of an air unit: one of these, with its target (7.3). Where half of the counters
    of a hex are shown the lot picks them; with `picks: ask` you are asked.
    """

    reco: Hex = ""
    int: Hex = ""
    cas: Unit = ""
    bomb: Hex = ""
    picks: str = field(default="", metadata={"words": (ASK,)})

    def of(self) -> tuple[tuple[str, str], ...]:
        """The missions that are named, each with its target; there should be one."""
        named = (("reco", self.reco), ("int", self.int), ("cas", self.cas), ("bomb", self.bomb))
        return tuple((kind, target) for kind, target in named if target)


@value
class Fly(Order):
    """Give your aircraft their missions of the day (5.2.1). What you do not name stays at home."""

    verb: ClassVar[str] = "fly"
    secret: ClassVar[bool] = True
    missions: Mapping[Aircraft, Flight] = field(default_factory=dict, metadata={"bare": True})


# ------------------------------------------------------------------- activations


@value
class Activate(Order):
    """Activate a division, a combat formation, or a unit of the support troops (5.4). `told` is the
    program's word that it tells in front what comes to light with it.
    """

    verb: ClassVar[str] = "activate"
    division: Formation = ""
    formation: Formation = ""
    unit: Unit = ""
    told: bool = field(default=False, metadata=BY_PROGRAM)
    acts: Unit = field(default="", metadata=BY_PROGRAM)
    """Somebody who acts in it, if it is given ahead. The program writes it."""


@value
class Finish(Order):
    """Be finished for the day: you activate nothing more (5.3). It also ends an activation."""

    verb: ClassVar[str] = "finish"
    means: ClassVar[Said] = say("nothing more today")


@value
class Mix(Order):
    """Turn counters below the top one of stacks face down and mix them (2.6), in some hexes or in
    all. They do nothing more today.
    """

    verb: ClassVar[str] = "mix"
    at: tuple[Hex, ...] | str = field(metadata={"words": (ALL,)})
    zones: tuple[Zone, ...] = field(default=(), metadata=BY_PROGRAM)


@value
class Mask(Order):
    """Put force markers on hexes (18): nobody sees any more of which formation the top counter is,
    and it may be mixed with the others.
    """

    verb: ClassVar[str] = "mask"
    at: tuple[Hex, ...]


@value
class Move(Order):
    """Move units of one hex along a path (10), which may begin with that hex. `cut` names the hexes
    of it whose rails they damage, or destroy (20.3); `repair` a damaged road that engineers mend on
    the way (20.4).
    """

    verb: ClassVar[str] = "move"
    units: tuple[Unit, ...]
    path: tuple[Hex, ...]
    cut: Mapping[Hex, str] = field(
        default_factory=dict, metadata={"words": ("damaged", "destroyed")}
    )
    repair: tuple[Hex, ...] = ()
    zones: tuple[Zone, ...] = field(default=(), metadata=BY_PROGRAM)
    top: Mapping[Unit, Formation] = field(default_factory=dict, metadata=BY_PROGRAM)
    """The formations of counters face down that may come to lie on top. The program writes it."""


@value
class Backing:
    """What supports an attack: batteries, and aircraft on close support (12.1)."""

    guns: tuple[Unit, ...] = ()
    air: tuple[Aircraft, ...] = ()


@value
class Following:
    """Those of the attackers that advance into the hex, if it becomes empty."""

    units: tuple[Unit, ...]


@value
class Attack(Order):
    """Attack a hex (12). `from` has the attackers by the hexes where they stand.

    `primary` is the unit that leads; `support` what bombards with it. `advance` says who goes into
    the hex if it becomes empty; if you leave it out you are asked. `told` is the program's.
    """

    verb: ClassVar[str] = "attack"
    hex: Hex
    units: Mapping[Hex, tuple[Unit, ...]] = field(metadata={"written": "from"})
    type: str = field(default="regular", metadata={"words": TYPES})
    primary: Unit = ""
    support: Backing | str = field(default="", metadata={"words": (NONE,)})
    advance: Following | str = field(default="", metadata={"words": (NONE,)})
    told: bool = field(default=False, metadata=BY_PROGRAM)


@value
class Bombard(Order):
    """Bombard a hex with batteries, with aircraft that fly there, or both (11.2, 7.3.3). `at` is
    what is fired at: the units, or a road, rail or bridge in the hex. `told` is the program's.
    """

    verb: ClassVar[str] = "bombard"
    target: Hex
    guns: tuple[Unit, ...] = ()
    air: tuple[Aircraft, ...] = ()
    at: str = field(default=UNITS, metadata={"words": (UNITS, ROAD, RAIL, BRIDGE)})
    bridge: Bridge = ""
    told: bool = field(default=False, metadata=BY_PROGRAM)


@value
class Scout(Order):
    """Look into a hex with cavalry, tanks or armour next to it (21). Where half of its counters are
    shown the lot picks them; with `picks: ask` you are asked.
    """

    verb: ClassVar[str] = "scout"
    unit: Unit
    hex: Hex
    picks: str = field(default="", metadata={"words": (ASK,)})


@value
class Consolidate(Order):
    """Give the troop points of a weakened unit to another of its formation and hex (19.2)."""

    verb: ClassVar[str] = "consolidate"
    giver: Unit = field(metadata={"written": "from"})
    receiver: Unit = field(metadata={"written": "to"})


@value
class Engineer(Order):
    """Set engineers to work (20): blow a bridge, destroy a road or rail, repair what is broken, or
    lay a pontoon bridge over a side (`to` is the hex on its other end). Where a bridge and the road
    are broken, a repair names one: `bridge`, or `to` for the hex.
    """

    verb: ClassVar[str] = "engineer"
    unit: Unit
    task: str = field(metadata={"words": TASKS})
    bridge: Bridge = ""
    to: Hex = ""


@value
class Arrive(Order):
    """Bring reinforcements onto the map at an entry hex (19.1); a move may follow."""

    verb: ClassVar[str] = "arrive"
    units: tuple[Unit, ...]
    at: Hex


@value
class Arrange(Order):
    """Put the units of a hex in order, from the top (8.p6)."""

    verb: ClassVar[str] = "arrange"
    hex: Hex
    units: tuple[Unit, ...] = field(metadata={"in_order": True})
    attacks: bool = field(default=False, metadata=BY_PROGRAM)
    """The program's word that the top one can attack, if it lies face down."""


@value
class Done(Order):
    """End the activation."""

    verb: ClassVar[str] = "done"
    ends: ClassVar[bool] = True


# ------------------------------------------------------------------- answers in a combat


@value
class Withdraw(Order):
    """Retreat before combat, each unit its own way, or stay (12.2)."""

    verb: ClassVar[str] = "withdraw"
    role: ClassVar[str] = "reaction"
    paths: Mapping[Unit, tuple[Hex, ...]] = field(default_factory=dict)


@value
class Defend(Order):
    """Support the defence: batteries, each with the attacking hex at which it fires, and aircraft
    (12.4).
    """

    verb: ClassVar[str] = "defend"
    role: ClassVar[str] = "reaction"
    guns: Mapping[Unit, Hex] = field(default_factory=dict)
    air: tuple[Aircraft, ...] = ()


@value
class Lead(Order):
    """Name the unit that leads in a combat (12.5)."""

    verb: ClassVar[str] = "lead"
    role: ClassVar[str] = "reaction"
    unit: Unit = ""


@value
class Counterbattery(Order):
    """Answer a bombardment with guns that fire at the enemy's (11.3), or do not."""

    verb: ClassVar[str] = "counterbattery"
    role: ClassVar[str] = "choice"
    guns: tuple[Unit, ...] = ()
    hex: Hex = ""


@value
class React(Order):
    """Attack those whose reconnaissance has failed (21.2), or do not."""

    verb: ClassVar[str] = "react"
    role: ClassVar[str] = "choice"
    units: tuple[Unit, ...] = ()
    primary: Unit = ""


@value
class Retreat(Order):
    """Say which way each unit of a stack retreats, and which lose troop points for hexes that are
    not retreated (14).
    """

    verb: ClassVar[str] = "retreat"
    role: ClassVar[str] = "choice"
    paths: Mapping[Unit, tuple[Hex, ...]] = field(default_factory=dict)
    losses: Mapping[Unit, int] = field(default_factory=dict)


@value
class Advance(Order):
    """Advance into the hex that is empty now, or not (12.3.2)."""

    verb: ClassVar[str] = "advance"
    role: ClassVar[str] = "choice"
    units: tuple[Unit, ...] = ()


@value
class Again(Order):
    """Attack once more in a mobile attack for three movement points, or fall back (12.3.1). `told`
    is the program's.
    """

    verb: ClassVar[str] = "again"
    role: ClassVar[str] = "choice"
    support: Backing | str = field(default="", metadata={"words": (NONE,)})
    primary: Unit = ""
    fall_back: bool = False
    told: bool = field(default=False, metadata=BY_PROGRAM)


@value
class Displace(Order):
    """Move what is too much in a hex into hexes next to it, or lose troop points (8.p3, 17.2)."""

    verb: ClassVar[str] = "displace"
    role: ClassVar[str] = "choice"
    paths: Mapping[Unit, tuple[Hex, ...]] = field(default_factory=dict)
    losses: Mapping[Unit, int] = field(default_factory=dict)


@value
class Build(Order):
    """Build works where units have stood idle: a position or a fortification in each hex (20.7)."""

    verb: ClassVar[str] = "build"
    role: ClassVar[str] = "choice"
    works: Mapping[Hex, str] = field(default_factory=dict, metadata={"words": WORKS})


# ------------------------------------------------------------------- counters face down


@value
class Show(Order):
    """Show counters that lie face down. The program does it."""

    verb: ClassVar[str] = "show"
    role: ClassVar[str] = "reaction"


@value
class Unmask(Order):
    """Show units face down that fire at aircraft, or none (7.4)."""

    verb: ClassVar[str] = "unmask"
    role: ClassVar[str] = "reaction"
    units: tuple[Unit, ...] = ()


@value
class TellPapers(Order):
    """Tell what comes to light of your lists (5.1, 5.2.2). The program does it."""

    verb: ClassVar[str] = "tell"
    role: ClassVar[str] = "reaction"


@value
class Strength(Order):
    """Say of which class the troop points of a hex are that is bombarded, where counters lie face
    down (11.4). The program does it.
    """

    verb: ClassVar[str] = "strength"
    role: ClassVar[str] = "reaction"
    points: str


@value
class SayZones(Order):
    """Say what counters face down come to together, where some of those have changed of which that
    was said (9). The program does it.
    """

    verb: ClassVar[str] = "say_zones"
    role: ClassVar[str] = "reaction"
    zones: tuple[Zone, ...] = field(default=(), metadata=BY_PROGRAM)


@value
class SayWho(Order):
    """Say which of your counters face down are of the kind that is asked for: they are shown
    (11.3, 20.1). The program does it.
    """

    verb: ClassVar[str] = "say_who"
    role: ClassVar[str] = "reaction"
    units: tuple[Unit, ...] = ()


@value
class ToldOfHex:
    """A report on the counters face down in a hex: their troop points in all, to the nearest two,
    and the type of each, in no particular order.
    """

    points: int
    types: tuple[str, ...] = ()


@value
class ReportHexes(Order):
    """Tell what reconnaissance has found out (7.3.4, 21). The program does it."""

    verb: ClassVar[str] = "report"
    role: ClassVar[str] = "reaction"
    hexes: Mapping[Hex, ToldOfHex]


@value
class Pick(Order):
    """Choose the counters face down that your reconnaissance shows, half of them in each hex
    (7.3.4, 21).
    """

    verb: ClassVar[str] = "pick"
    role: ClassVar[str] = "choice"
    units: Mapping[Hex, tuple[Unit, ...]]


@value
class PutBack(Order):
    """Put your new tags where your counters lay face down, after a lost key."""

    verb: ClassVar[str] = "put_back"
    units: Mapping[Unit, Hex]


ORDERS: tuple[type[Order], ...] = (
    SetUp, Assign, Fly, Activate, Finish, Mix, Mask, Move, Attack, Bombard, Scout, Consolidate,
    Engineer, Arrive, Arrange, Done, Withdraw, Defend, Lead, Counterbattery, React, Retreat,
    Advance, Again, Displace, Build, Show, TellPapers, Unmask, Strength, SayZones, SayWho,
    ReportHexes, Pick, PutBack,
)  # fmt: skip
VERBS: Mapping[str, type[Order]] = {order.verb: order for order in ORDERS}
