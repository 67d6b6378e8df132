"""The orders of a player, one class for each verb. Areas, boxes, units and chits are named as
printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pbem.engine.model import Order
from pbem.value import field, value

Unit = Annotated[str, "unit"]
Area = Annotated[str, "area"]
Chit = Annotated[str, "chit"]
"""What a field names. Boxes are written by their numbers, among the areas."""
NOWHERE = "nowhere"
"""Written for an area if a unit can retreat nowhere and is eliminated, or can arrive nowhere and
waits.
"""

PAUSE_WORDS = ("begin", "end", "keep")
FORTIFY_WORDS = ("terrain", "units")
AGAINST_WORDS = ("fortification", "terrain")
NO_PASARAN_WORDS = ("fresh", "rebuild", "morale")
MOLA_WORDS = ("fresh", "rebuild")
GROUPS = ("anarchists", "communists")
STOP = "stop"
REROLL = {"words": ("never",)}
"""For a field that says that no dice of an impulse are rolled again."""
FROM = {"written": "from", "stands": "there"}
"""For a field that says where the units are; `from` is a keyword of Python."""


# ------------------------------------------------------------------- impulses


@value
class Successor:
    """The unit that goes on leading an assault if defensive fire hits its point unit."""

    point: Unit


@value
class Move(Order):
    """Move units of one place along a path that begins where they are (9.2).

    `point` is the point unit, needed if the enemy may fire at units that cross a river. `losses`
    says which units take losses first, and `reroll: never` that no dice are rolled again, as in
    every order of this kind; without it you are asked.
    `from` may say where the units are.
    """

    verb: ClassVar[str] = "move"
    units: tuple[Unit, ...]
    path: tuple[Area, ...]
    point: Unit = ""
    chits: tuple[Chit, ...] = ()
    losses: tuple[Unit, ...] = ()
    reroll: str = field(default="", metadata=REROLL)
    start: Area = field(default="", metadata=FROM)


@value
class Bombard(Order):
    """Bombard an area with guns of one place, or of the area itself (9.3)."""

    verb: ClassVar[str] = "bombard"
    guns: tuple[Unit, ...]
    target: Area
    point: Unit = ""
    chits: tuple[Chit, ...] = ()
    start: Area = field(default="", metadata=FROM)


@value
class Attack(Order):
    """Attack the enemy in the area where the units are (9.4.1).

    `engineers` asks for Combat Engineers once the defence is known, without saying that they are
    held (15.CN4); against a Fortification the question comes by itself.
    """

    verb: ClassVar[str] = "attack"
    units: tuple[Unit, ...]
    point: Unit = ""
    prepared: bool = False
    chits: tuple[Chit, ...] = ()
    losses: tuple[Unit, ...] = ()
    engineers: bool = False
    reroll: str = field(default="", metadata=REROLL)
    start: Area = field(default="", metadata=FROM)


@value
class Assault(Order):
    """Move shock units along a path that begins where they are, and attack at its end (9.4.3).

    `if_point_hit` names the unit that goes on leading it if defensive fire hits the point unit, or
    `stop`.
    """

    verb: ClassVar[str] = "assault"
    units: tuple[Unit, ...]
    path: tuple[Area, ...]
    point: Unit = ""
    prepared: bool = False
    chits: tuple[Chit, ...] = ()
    losses: tuple[Unit, ...] = ()
    engineers: bool = False
    if_point_hit: Successor | str = ""
    reroll: str = field(default="", metadata=REROLL)
    start: Area = field(default="", metadata=FROM)


@value
class Renewal:
    """A rebuilt unit: where it arrives, and which unit of its kind leaves for it (8.3)."""

    unit: Unit
    to: Area
    gives: Unit = ""


@value
class Play(Order):
    """Play a chit as the whole impulse (6.5). The chit determines what else to say."""

    verb: ClassVar[str] = "play"
    chit: Chit
    target: Area = ""
    point: Unit = ""
    use: str = field(default="", metadata={"words": tuple(dict.fromkeys(
        NO_PASARAN_WORDS + MOLA_WORDS))})  # fmt: skip
    units: tuple[Unit, ...] = ()
    rebuild: tuple[Renewal, ...] = ()


@value
class Pass(Order):
    """Do nothing in this impulse (9.0.1)."""

    verb: ClassVar[str] = "pass"


@value
class Again(Order):
    """Play the chit that gives a second impulse, or not (15.CR7)."""

    verb: ClassVar[str] = "again"
    chit: Chit = ""


@value
class Keep(Order):
    """Choose which of two groups in strife acts (15.CN6); `point` is its point unit."""

    verb: ClassVar[str] = "keep"
    group: str = field(metadata={"words": GROUPS})
    point: Unit = ""


# ------------------------------------------------------------------- answers


@value
class Spare(Order):
    """Play the chit that spares all units of a combat their morale tests, or not (15.CR8)."""

    verb: ClassVar[str] = "spare"
    role: ClassVar[str] = "reaction"
    chit: Chit = ""


@value
class Defend(Order):
    """Answer an attack: units that counter-attack, the point unit, chits (9.4.1.C3, 9.4.1.C6).

    `fortify` says what a Fortification is for: the terrain, or the units that counter-attack.
    """

    verb: ClassVar[str] = "defend"
    role: ClassVar[str] = "reaction"
    counterattack: tuple[Unit, ...] = ()
    point: Unit = ""
    chits: tuple[Chit, ...] = ()
    fortify: str = field(default="terrain", metadata={"words": FORTIFY_WORDS})


@value
class Counter(Order):
    """Play Combat Engineers against a Fortification or the terrain, or not (15.CN4).

    Without `against` the chit cancels the Fortification if there is one.
    """

    verb: ClassVar[str] = "counter"
    role: ClassVar[str] = "reaction"
    chit: Chit = ""
    against: str = field(default="", metadata={"words": AGAINST_WORDS})


@value
class Name(Order):
    """Name the point unit of a bombardment (9.3.d), with a chit or without."""

    verb: ClassVar[str] = "name"
    role: ClassVar[str] = "reaction"
    point: Unit
    chits: tuple[Chit, ...] = ()


@value
class Fire(Order):
    """Fire at units that cross the river (9.5), with a chit or without."""

    verb: ClassVar[str] = "fire"
    role: ClassVar[str] = "reaction"
    chits: tuple[Chit, ...] = ()


@value
class Hold(Order):
    """Do not fire at units that cross the river (9.5.b)."""

    verb: ClassVar[str] = "hold"
    role: ClassVar[str] = "reaction"


@value
class Brace(Order):
    """Play a chit before defensive fire or a bombardment, or none (15.CN12)."""

    verb: ClassVar[str] = "brace"
    role: ClassVar[str] = "reaction"
    chits: tuple[Chit, ...] = ()


@value
class Reroll(Order):
    """Have the dice rolled again with a chit, or not (15.CN10)."""

    verb: ClassVar[str] = "reroll"
    role: ClassVar[str] = "choice"
    chit: Chit = ""


@value
class Lead(Order):
    """Name a new point unit after defensive fire, or `stop` (9.5.g)."""

    verb: ClassVar[str] = "lead"
    role: ClassVar[str] = "choice"
    point: Unit = ""


@value
class Retreat(Order):
    """Retreat units that failed their morale test (9.7)."""

    verb: ClassVar[str] = "retreat"
    role: ClassVar[str] = "choice"
    to: Mapping[Unit, Area]


@value
class Lose(Order):
    """Share out losses: units spent, retreated (and where to) or eliminated (9.6).

    A unit that cannot retreat may still be chosen to; its area is `nowhere`, and it is eliminated.
    """

    verb: ClassVar[str] = "lose"
    role: ClassVar[str] = "choice"
    spend: tuple[Unit, ...] = ()
    retreat: Mapping[Unit, Area] = field(default_factory=dict)
    eliminate: tuple[Unit, ...] = ()


@value
class Pick(Order):
    """Choose the units a chit turns, after the die for their number (15.CR5, 15.CN5, 15.CN11)."""

    verb: ClassVar[str] = "pick"
    role: ClassVar[str] = "choice"
    units: tuple[Unit, ...]


# ------------------------------------------------------------------- between the impulses


@value
class Begin(Order):
    """Choose the turn on which the scenario begins (12.2)."""

    verb: ClassVar[str] = "begin"
    turn: int


@value
class PlaceUnits(Order):
    """Place units that are set up or arrive (7, 12).

    A unit that waits for the next turn goes `nowhere`: it may if no place of its own is open.
    """

    verb: ClassVar[str] = "place"
    units: Mapping[Unit, Area]


@value
class Pause(Order):
    """Begin the pause in fighting, end it, or leave things as they are (12.3)."""

    verb: ClassVar[str] = "pause"
    say: str = field(metadata={"words": PAUSE_WORDS})


@value
class DrawChits(Order):
    """Draw event chits (6)."""

    verb: ClassVar[str] = "draw"
    chits: int


@value
class ShowChit(Order):
    """Show the chit that leaves the game, wherever it is (15.CN7)."""

    verb: ClassVar[str] = "show"


@value
class Rebuild(Order):
    """Rebuild eliminated units, or none (8)."""

    verb: ClassVar[str] = "rebuild"
    units: tuple[Renewal, ...] = ()


@value
class PutBack(Order):
    """Put chits that were not played back into the cup, or none (6.9)."""

    verb: ClassVar[str] = "put_back"
    chits: tuple[Chit, ...] = ()


VERBS: Mapping[str, type[Order]] = {
    each.verb: each
    for each in (
        Begin, PlaceUnits, Pause, DrawChits, Rebuild, Move, Bombard, Attack, Assault, Play, Pass,
        Again, Keep, Spare, Defend, Counter, Name, Fire, Hold, Brace, Reroll, Lead, Retreat, Lose,
        Pick, PutBack, ShowChit,
    )
}  # fmt: skip
