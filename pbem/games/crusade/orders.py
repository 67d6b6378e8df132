"""One frozen dataclass for each verb. Field names are those of the YAML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pbem.engine.model import Order
from pbem.messages import marked
from pbem.value import field, value

Unit = Annotated[str, "unit"]
Space = Annotated[str, "space"]
Card = Annotated[str, "card"]
"""What a field names: the kinds of names of the game."""
STANDS_THERE = {"stands": "there"}
STANDS_PERHAPS = {"stands": "first"}
"""Whether a unit of the order, named by its type, is in the space that a field names."""

USES = ("operations", "redeployment", "replacements", "event")
"""The uses of a card (8.1.3)."""
IN_RESERVE = {"reserve": ("space", "reserve")}
"""The word of `by` that gives the unit's place, and that place."""
WAYS: Mapping[str, str] = {
    "land": marked("over your own spaces, in supply at both ends"),
    "sea": marked("divisions, from port to port"),
    "reserve": marked("out of the Reserve, to one of your units, a source of yours or Madrid"),
    "to_reserve": marked("divisions"),
    "border": marked("out of supply, joined to a friendly country: it goes to the Reserve"),
}
"""The ways to redeploy a unit, and what a form says about each (12)."""
POINTS = ("NAT", "AXIS", "REP", "SOV")
"""The currencies of both sides (14.1.1)."""
GUERRILLA = ("sabotage", "intelligence", "guerrilla")
"""The effects of the guerrilla corps (18.1.9)."""


@value
class Arrive(Order):
    """Bring the Army of Africa unit that is due (17.6).

    `banderas` brings the two small units instead, to these two spaces (18.2.2).
    """

    verb: ClassVar[str] = "arrive"
    at: Space = ""
    unit: Unit = ""
    banderas: tuple[Space, ...] = ()


@value
class Play(Order):
    """Play a card, or `none` for an automatic operation (7.1.3).

    `for` (`use` in Python) is operations, redeployment, replacements or event. The other fields are
    choices of an event; the card says which.
    """

    verb: ClassVar[str] = "play"
    card: Card
    use: str = field(default="operations", metadata={"written": "for", "words": USES})


@value
class Activate(Order):
    """Activate spaces for movement or for combat, all at once (8.2)."""

    verb: ClassVar[str] = "activate"
    move: tuple[Space, ...] = ()
    attack: tuple[Space, ...] = ()


@value
class Move(Order):
    """Move units of one space along a path; its first space is where they are."""

    verb: ClassVar[str] = "move"
    units: tuple[Unit, ...]
    path: tuple[Space, ...] = field(metadata=STANDS_PERHAPS)


@value
class Fortify(Order):
    """Build with one unit instead of moving: a Position, or a Trench on a Position."""

    verb: ClassVar[str] = "fortify"
    space: Space = field(metadata=STANDS_PERHAPS)
    by: Unit


@value
class Done(Order):
    """End this part of the round."""

    verb: ClassVar[str] = "done"
    ends: ClassVar[bool] = True


@value
class AdvancePlan:
    """An advance given before the dice: units, and the spaces in the order they are entered."""

    units: tuple[Unit, ...]
    to: tuple[Space, ...]


@value
class Attack(Order):
    """Attack one space (11.2.2).

    `units` are the attackers by their space. `cards` are the attacker's combat cards, `armor` the
    unit that claims the DRM of 16.6.2. `losses` ranks what to lose first (unit ids or types) and
    `advance` says what to do if the space falls: both are given before the dice, so no further mail
    is needed. If they are omitted, the game asks after the dice.
    """

    verb: ClassVar[str] = "attack"
    space: Space
    units: Mapping[Space, tuple[Unit, ...]]
    cards: tuple[Card, ...] = ()
    armor: Unit = ""
    losses: tuple[str, ...] = ()
    advance: AdvancePlan | None = None
    cancel_terrain: bool = False
    air_bonus: bool = False


@value
class Assault(Order):
    """Assault a siege from inside its space (16.1.4)."""

    verb: ClassVar[str] = "assault"
    space: Space = field(metadata=STANDS_PERHAPS)
    units: tuple[Unit, ...]


@value
class CombatCards(Order):
    """Play combat cards as the defender, or none (8.5.3.1). `target` is the unit a card names
    (N14).
    """

    verb: ClassVar[str] = "combat_card"
    role: ClassVar[str] = "reaction"
    cards: tuple[Card, ...] = ()
    target: Unit = ""


@value
class Losses(Order):
    """Take losses, one unit id for each step, in order (11.3).

    `successors` names, for a corps that is eliminated, the Reserve division that replaces it.
    """

    verb: ClassVar[str] = "losses"
    role: ClassVar[str] = "choice"
    steps: tuple[Unit, ...] = ()
    successors: tuple[Unit, ...] = ()


@value
class CancelRetreat(Order):
    """Pay one more step and stay (11.4.3); with an empty `by` the retreat goes on."""

    verb: ClassVar[str] = "cancel_retreat"
    role: ClassVar[str] = "choice"
    by: Unit = ""
    successor: Unit = ""


@value
class Retreat(Order):
    """Retreat one unit along a path; the lost space may come first, as in a move (11.4.5)."""

    verb: ClassVar[str] = "retreat"
    role: ClassVar[str] = "choice"
    unit: Unit
    path: tuple[Space, ...]


@value
class Advance(Order):
    """Advance after combat into `to`, space after space; without units there is no advance
    (11.5).
    """

    verb: ClassVar[str] = "advance"
    role: ClassVar[str] = "choice"
    units: tuple[Unit, ...] = ()
    to: tuple[Space, ...] = ()


@value
class Redeploy(Order):
    """Redeploy one unit: `by` land, sea, reserve, to_reserve or border (12).

    `from` (`start` in Python) names its place, which makes a unit type clear.
    """

    verb: ClassVar[str] = "redeploy"
    unit: Unit
    to: Space = ""
    by: str = field(
        default="land",
        metadata={"words": tuple(WAYS), "stands_if": IN_RESERVE},
    )
    start: Space = field(default="", metadata={"written": "from", **STANDS_THERE})


@value
class Deploy(Order):
    """Put a unit into play in a space; `to_reserve` makes room for it."""

    verb: ClassVar[str] = "deploy"
    unit: Unit
    to: Space
    to_reserve: Unit = ""


@value
class Remove(Order):
    """Remove one of your units from the game, as a card or a limit demands."""

    verb: ClassVar[str] = "remove"
    unit: Unit


@value
class Replace(Order):
    """Restore a step of a reduced unit with replacement points (14.1.3).

    `at` names its place, which makes a unit type clear; `using` names the currency.
    """

    verb: ClassVar[str] = "replace"
    unit: Unit
    using: str = field(default="", metadata={"words": POINTS})
    at: Space = field(default="", metadata=STANDS_THERE)


@value
class Rebuild(Order):
    """Rebuild an eliminated unit with one or two steps (14.1.4, 14.1.5)."""

    verb: ClassVar[str] = "rebuild"
    unit: Unit
    steps: int = 1
    using: str = field(default="", metadata={"words": POINTS})
    to: Space = ""


@value
class Supply(Order):
    """Spend a replacement point on a siege (16.1.8). Written `siege`."""

    verb: ClassVar[str] = "siege"
    name: str


@value
class RemoveMarker(Order):
    """Remove one of your own Positions or Trenches from the map (10.2.10)."""

    verb: ClassVar[str] = "remove_marker"
    space: Space


@value
class PlaceMarker(Order):
    """Place the Position or Trench that a card or a set-up gives."""

    verb: ClassVar[str] = "place_marker"
    space: Space


@value
class Bonus(Order):
    """Name the conquered space that wins the bonus of a strategic counterattack (8.5.5.3)."""

    verb: ClassVar[str] = "bonus"
    role: ClassVar[str] = "choice"
    space: Space


@value
class Land(Order):
    """Land a division of the Reserve Box next to an enemy coast (8.5.6)."""

    verb: ClassVar[str] = "land"
    unit: Unit
    space: Space


@value
class ShowHand(Order):
    """Show the other player your hand, as an enemy event demands."""

    verb: ClassVar[str] = "show_hand"


@value
class Withdraw(Order):
    """Withdraw a division from the map to the Reserve, which lacks its kind (15.2.2)."""

    verb: ClassVar[str] = "withdraw"
    unit: Unit


@value
class Militarize(Order):
    """Convert a militia to a division of the Popular Army (15.2.3)."""

    verb: ClassVar[str] = "militarize"
    unit: Unit


@value
class Redraw(Order):
    """Show a hand without a corps card, and draw a new one (15.1.2)."""

    verb: ClassVar[str] = "redraw"


@value
class Reclaim(Order):
    """Rebuild markers that the enemy captured, half a point each (18.2.10)."""

    verb: ClassVar[str] = "reclaim"
    count: int = 1
    using: str = field(default="", metadata={"words": POINTS})


@value
class Exchange(Order):
    """Give up one of your armor units for the captured T-26 (18.2.4)."""

    verb: ClassVar[str] = "exchange"
    unit: Unit


@value
class Guerrilla(Order):
    """Use the guerrilla corps: guerrilla in a space, intelligence or sabotage (18.1.9)."""

    verb: ClassVar[str] = "guerrilla"
    effect: str = field(metadata={"words": GUERRILLA})
    space: Space = ""


@value
class WithdrawFirst(Order):
    """Say before a combat whether the defenders withdraw from it (18.3.1)."""

    verb: ClassVar[str] = "withdraw_first"
    role: ClassVar[str] = "reaction"
    declared: bool = True


@value
class Spare(Order):
    """Name the unit of a withdrawing force that survives it (18.3.1)."""

    verb: ClassVar[str] = "spare"
    role: ClassVar[str] = "choice"
    unit: Unit


@value
class ChooseCard(Order):
    """Choose the card that goes into your deck (18.5)."""

    verb: ClassVar[str] = "choose_card"
    card: Card = ""
    aside: tuple[str, ...] = ()
    """In the file of a game with hidden hands, replaces the card: the slots of the others."""


@value
class KeepCard(Order):
    """Put the intelligence card just played into the deck of the last phase (18.3.5)."""

    verb: ClassVar[str] = "keep_card"
    card: Card


@value
class Discard(Order):
    """Discard cards from the hand (6.0 A.2)."""

    verb: ClassVar[str] = "discard"
    cards: tuple[Card, ...] = ()


VERBS: Mapping[str, type[Order]] = {
    order.verb: order
    for order in (
        Arrive, Play, Activate, Move, Fortify, Done, Attack, Assault, CombatCards, Losses,
        CancelRetreat, Retreat, Advance, Redeploy, Deploy, Remove, Replace, Rebuild, Supply,
        RemoveMarker, PlaceMarker, Bonus, Land, ShowHand, Discard,
        Withdraw, Militarize, Redraw,
        Reclaim, Exchange, Guerrilla, WithdrawFirst, Spare, ChooseCard, KeepCard,
    )
}  # fmt: skip
"""Every verb, by the word a player writes."""

__all__ = [order.__name__ for order in VERBS.values()] + [
    "GUERRILLA", "POINTS", "USES", "VERBS", "WAYS", "AdvancePlan",
]  # fmt: skip
