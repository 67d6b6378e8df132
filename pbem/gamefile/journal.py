"""What an entry caused, in order: the source of narratives, dice lists and knowledge checks.

A journal is derived, never stored. Lines that move the game carry it before and after, so a
renderer can tell the story without folding again. `place` is the place in the chain that was being
read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.gamefile.beacons import DiceRecord
from pbem.gamefile.decks import Epoch
from pbem.gamefile.in_play import GameInPlay, Policy, ReadOrder
from pbem.gamefile.kept import ChainPlace, Given
from pbem.problems import Problem
from pbem.value import value


@value
class Began:
    """A step of the beginning: `kind` is propose, accept or start."""

    place: ChainPlace
    by: str
    kind: str


@value
class Anchored:
    """A player gave the anchor of their chain number `q`."""

    place: ChainPlace
    by: str
    q: int


@value
class Locked:
    """The game is now before a roll that beacon `n` will decide."""

    place: ChainPlace
    by: str
    n: int


@value
class Revealed:
    """A player showed their value of beacon `n`; `void`: they began one that decides nothing."""

    place: ChainPlace
    by: str
    n: int
    void: bool


@value
class Completed:
    """Both values of beacon `n` are known; `value` is R_n (32 bytes), `command` prints it."""

    place: ChainPlace
    n: int
    value: bytes
    command: str
    void: bool


@value
class Closed:
    """Beacon `n` decides nothing any more."""

    place: ChainPlace
    n: int


@value
class OfAnOrder:
    """What became of an order that was given; `sent` is where its author wrote it."""

    place: ChainPlace
    by: str
    given: Given

    @property
    def read(self) -> ReadOrder:
        """The order as the game has read it."""
        return self.given.read

    @property
    def order(self) -> Mapping[str, Any]:
        """The order as it was signed."""
        return self.given.order

    @property
    def sent(self) -> ChainPlace:
        """Where it was given."""
        return self.given.sent


@value
class Ordered(OfAnOrder):
    """An order or answer was carried out."""

    before: GameInPlay
    after: GameInPlay


@value
class Answered:
    """A policy answered for its author; `sent` is the place of the policy."""

    place: ChainPlace
    by: str
    slot: str
    policy: Policy
    read: ReadOrder
    sent: ChainPlace
    before: GameInPlay
    after: GameInPlay

    @property
    def order(self) -> Mapping[str, Any]:
        """The order as its author would have signed it."""
        return self.read.plain


@value
class Rolled:
    """Beacon `n` decided a chance, `what`; the records say how each die came about."""

    place: ChainPlace
    what: str
    n: int
    records: tuple[DiceRecord, ...]
    before: GameInPlay
    after: GameInPlay


@value
class Lapsed(OfAnOrder):
    """An order given ahead was not legal when its turn came, for the reasons in `problems`."""

    problems: tuple[Problem, ...]
    before: GameInPlay


@value
class PassedOver(OfAnOrder):
    """The turn of an order came, and its condition (`when`) did not hold."""


@value
class Dropped(OfAnOrder):
    """An order given ahead was never asked for, or a newer list replaced it."""

    is_replaced: bool = False
    asked: str = ""
    """The player who is asked in place of its author; empty if nobody is."""


@value
class PolicyFailed:
    """A policy of `by` gave no answer that is legal: a fault of the rules; its author is asked."""

    place: ChainPlace
    by: str
    slot: str
    sent: ChainPlace
    reason: str


@value
class PolicyMade:
    """A player gave standing orders for `slot`, in clear or sealed, or withdrew them.

    `doc` are those in clear, as a file has them.
    """

    place: ChainPlace
    by: str
    slot: str
    withdrawn: bool
    sealed: bool
    doc: Mapping[str, Any] | None = None


@value
class Unsealed:
    """A player showed the sealed document of `slot`; `sent` is where they had sealed it."""

    place: ChainPlace
    by: str
    slot: str
    doc: Mapping[str, Any]
    sent: ChainPlace


@value
class ChoiceSealed:
    """A player made a secret choice that only they can read; `what` it answers."""

    place: ChainPlace
    by: str
    what: str


@value
class ChoiceTold:
    """A secret choice was revealed and carried out; `sent` is where it was sealed.

    `order` is what counts: the default, where what was revealed (`told`) is not legal (`problems`),
    or where nobody can reveal it any more (then `told` is None).
    """

    place: ChainPlace
    by: str
    order: Mapping[str, Any]
    told: Mapping[str, Any] | None
    problems: tuple[Problem, ...]
    sent: ChainPlace | None
    before: GameInPlay
    after: GameInPlay


@value
class ListSealed:
    """A player wrote a list that only they can read; `what` it answers, `before` and `after` it."""

    place: ChainPlace
    by: str
    what: str
    before: GameInPlay
    after: GameInPlay


@value
class ListTold:
    """Items of a sealed list were shown, by slot; `known` is the game once they are known, `after`
    the one that goes on with it.
    """

    place: ChainPlace
    by: str
    items: Mapping[str, str]
    before: GameInPlay
    known: GameInPlay
    after: GameInPlay


@value
class FactSaid:
    """A player said what is so of hidden things, by an order that was no choice."""

    place: ChainPlace
    by: str
    order: Mapping[str, Any]
    before: GameInPlay
    after: GameInPlay


@value
class DeckBound:
    """A player committed to a secret layout of so many cards of a deck, or of mixed counters."""

    place: ChainPlace
    by: str
    deck: str
    epoch: int
    count: int
    is_mix: bool = False


@value
class Challenged:
    """Beacon `n` picked one of the trial layouts of a deck; all others must be shown."""

    place: ChainPlace
    epoch: Epoch
    n: int
    trial: int


@value
class DeckProven:
    """The owner of a deck showed all trial layouts but the one picked, and they were right. With
    `is_mix` these lay the counters of some stacks anew, each in its own stack.
    """

    place: ChainPlace
    by: str
    deck: str
    epoch: int
    is_mix: bool = False


@value
class Opened:
    """A player opened a card: it is in that slot, as they were bound to."""

    place: ChainPlace
    by: str
    slot: str
    card: str
    before: GameInPlay
    after: GameInPlay


@value
class Said:
    """A player's words. They are not part of the game and prove nothing."""

    place: ChainPlace
    by: str
    lines: tuple[str, ...]


@value
class Resigned:
    """A player resigned."""

    place: ChainPlace
    by: str


@value
class Claimed:
    """A player states for the record what the other owes and has not sent."""

    place: ChainPlace
    by: str
    owed: tuple[str, ...]
    by_terms: bool = False
    """By the terms for silence: their days are over."""


@value
class Audited:
    """A player showed what they had kept hidden, and it was what they were bound to."""

    place: ChainPlace
    by: str


@value
class Cured:
    """The player who owed it has sent what was owed; `left` is what the claim still names."""

    place: ChainPlace
    by: str
    left: tuple[str, ...]


@value
class OfferMade:
    """A player offered something; `terms` are the members of their step beside `what`."""

    place: ChainPlace
    by: str
    what: str
    terms: Mapping[str, Any]


@value
class OfferAnswered:
    """The other player's offer was answered by `by`."""

    place: ChainPlace
    by: str
    what: str
    terms: Mapping[str, Any]
    yes: bool


@value
class OfferLapsed:
    """An offer of `by` lapsed: the other wrote without answering it, or a roll came near."""

    place: ChainPlace
    by: str
    what: str


@value
class TakenBack:
    """The game went back to the state after entry `to`, as `by` had asked.

    `ended` are the players whose standing orders, in force before it or then, are no longer.
    """

    place: ChainPlace
    by: str
    to: int
    before: GameInPlay
    after: GameInPlay
    ended: tuple[str, ...] = ()


@value
class Upgraded:
    """The game goes on by other rules or data, as `by` had asked: ruleset and data of both."""

    place: ChainPlace
    by: str
    old: Mapping[str, Any]
    new: Mapping[str, Any]
    before: GameInPlay
    after: GameInPlay


@value
class Adjourned:
    """The players agreed to pause, as `by` had asked; `until` is in their words, or empty."""

    place: ChainPlace
    by: str
    until: str


@value
class Rotated:
    """The key of player `of` was replaced, in an entry by `by`; `signed_by` says with which
    authority. If they had a deputy, they have none now.
    """

    place: ChainPlace
    by: str
    of: str
    signed_by: str
    had_deputy: bool = False


@value
class Renewed:
    """A player went on with new secrets; beacon `burnt` was locked and decides nothing then."""

    place: ChainPlace
    by: str
    burnt: int | None
    before: GameInPlay
    after: GameInPlay


@value
class DeputyNamed:
    """A player named somebody who may go on for them (a public key), or withdrew them (None)."""

    place: ChainPlace
    by: str
    key: bytes | None
    ends: bool
    has_secrets: bool


@value
class ByDeputy:
    """The entry was written by the deputy of a player, who has this public key."""

    place: ChainPlace
    by: str
    key: bytes


@value
class Ruled:
    """A player brought a ruling of the director: more `days`, or a result."""

    place: ChainPlace
    by: str
    what: str
    days: int


@value
class Concluded:
    """A player repeated the result after the end."""

    place: ChainPlace
    by: str


@value
class GameOver:
    """The game is over."""

    place: ChainPlace
    result: Mapping[str, Any]


JournalLine = (
    Began | Anchored | Locked | Revealed | Completed | Closed | Ordered | Answered | Rolled
    | Lapsed | PassedOver | Dropped | PolicyFailed | PolicyMade | Unsealed | ChoiceSealed
    | ChoiceTold | ListSealed | ListTold | FactSaid
    | DeckBound | Challenged | DeckProven | Opened | Said | Resigned | Claimed | Cured
    | OfferMade | OfferAnswered | OfferLapsed | TakenBack | Upgraded | Adjourned | Rotated
    | Renewed | Audited | Concluded | DeputyNamed | ByDeputy | Ruled | GameOver
)  # fmt: skip

AGREED = (
    OfferMade, OfferAnswered, OfferLapsed, TakenBack, Upgraded, Adjourned, Rotated, Renewed, Cured,
    Concluded, DeputyNamed, ByDeputy, Ruled,
)  # fmt: skip
"""What players agree on, and what follows from it."""

MOVES = (Ordered, Answered, ChoiceTold, ListSealed, ListTold, FactSaid, Rolled, Opened)
"""What moves the game, by orders, dice or opened cards: these have it before and after."""
