"""What a game file keeps of its entries: values that several steps make, and others use up.

Orders given ahead, policies and things owed; offers; choices and lists that are sealed; keys and
secrets that took the place of others. Each has a module of its own that judges it: these values
know none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pbem.gamefile.canonical import text_of
from pbem.gamefile.in_play import Policy, ReadOrder
from pbem.messages import Message, Said, say
from pbem.value import value

if TYPE_CHECKING:
    from pbem.gamefile.cards import Bound

NOTHING_TOLD: Mapping[int, str] = {}


@value
class ChainPlace:
    """A place in the chain: entry, step, and the item of the step's list, all from 0."""

    entry: int
    step: int
    index: int = 0


# --- given ahead, and in force


@value
class Given:
    """An order sent and not yet reached. `stamp` tells whether the game has moved since.

    It has `outlived` a round that has ended since: the next list of its author takes its place.
    """

    read: ReadOrder
    kind: str
    sent: ChainPlace
    stamp: int
    outlived: bool = False

    @property
    def order(self) -> Mapping[str, Any]:
        """The order as its author signed it."""
        return self.read.plain

    def plain(self) -> dict[str, Any]:
        """As the public state has it: the order, and where it was given."""
        sent = self.sent
        return {"order": self.order, "entry": sent.entry, "step": sent.step, "index": sent.index}

    @cached_property
    def text(self) -> str:
        """`plain` as canonical text; what waits for long stays as it is."""
        return text_of(self.plain())


@value
class StandingPolicy:
    """A policy step in the chain. `stamp`: the highest number revealed before it.

    In clear it has `doc`; sealed, `c` and `box`, and `doc` once it was unsealed. Without any of
    them it withdraws what was in its slot.
    """

    by: str
    slot: str
    scope: Mapping[str, Any] | None
    until: str | None
    doc: Mapping[str, Any] | None
    sent: ChainPlace
    stamp: int
    c: str | None = None
    box: str | None = None

    @property
    def withdraws(self) -> bool:
        """Whether it only empties its slot."""
        return self.doc is None and self.c is None

    @property
    def is_unsealed(self) -> bool:
        """Whether it was sealed, and its document has been shown since."""
        return self.doc is not None and self.c is not None

    @property
    def name(self) -> str:
        """Slot and entry, as things owed name it."""
        return f"{self.slot} {self.sent.entry}"

    @property
    def policy(self) -> Policy:
        """The policy in clear, as a game reads it."""
        assert self.doc is not None
        return Policy(self.by, self.slot, self.scope, self.until, self.doc)

    def plain(self) -> dict[str, Any]:
        """As the public state has it; what is sealed is there as its commitment."""
        sealed = {} if self.c is None else {"c": self.c}
        return {
            "by": self.by, "slot": self.slot, "scope": self.scope, "until": self.until,
            "doc": self.doc, "entry": self.sent.entry, "since": self.stamp, **sealed,
        }  # fmt: skip


@value
class Owed:
    """A thing player `by` owes; `code` is the kind of the step that pays it, or `answer`."""

    by: str
    code: str
    what: str = ""

    @property
    def machine(self) -> str:
        """The code with its subject, as `claim_forfeit` lists it."""
        return f"{self.code} {self.what}".strip()[:160]

    def plain(self) -> dict[str, str]:
        """As the public state has it: who, and what in a word for programs."""
        return {"by": self.by, "what": self.machine}


@value
class Offer:
    """An open offer: `entry` is its place, `id` that entry's id, `terms` the other members.

    The id is not known while its own entry is folded, and nobody can answer it then.
    """

    by: str
    what: str
    entry: int
    terms: Mapping[str, Any]
    id: str = ""

    def plain(self) -> dict[str, Any]:
        """As the public state has it."""
        return {"by": self.by, "what": self.what, "entry": self.entry, **self.terms}


@value
class Wait:
    """The main entry that has to be answered, its author, the minute it states, what each player
    had stated last by then, and days given beyond those of the terms.
    """

    entry: int
    by: str
    since: str | None
    dates: Mapping[str, str]
    more: int = 0


# --- sealed


@value
class Chosen:
    """A choice that is sealed and not yet revealed; without `c` nobody can reveal it any more."""

    by: str
    number: int
    c: str | None
    box: str
    sent: ChainPlace

    def plain(self) -> dict[str, Any]:
        """As the public state has it."""
        return {"by": self.by, "c": self.c, "entry": self.sent.entry, "step": self.sent.step}


@value
class StandingList:
    """A list that is sealed: its name and size, what binds its author, and the items shown.

    `told` maps places to items as canonical text. Without `c` nobody can show an item any more.
    """

    by: str
    name: str
    size: int
    c: str | None
    box: str
    sent: ChainPlace
    told: Mapping[int, str] = NOTHING_TOLD

    @property
    def slot(self) -> str:
        """Name and entry: the beginning of its items' slots."""
        return f"{self.name}/{self.sent.entry}"

    def plain(self) -> dict[str, Any]:
        """As the public state has it."""
        return {
            "by": self.by, "slot": self.name, "entry": self.sent.entry, "size": self.size,
            "c": self.c, "told": sorted(self.told),
        }  # fmt: skip


# --- keys and secrets


@value
class Rotation:
    """A key that took the place of another: `of` is the seat; with `signed_by` old, spare or
    opponent it says which key signed the entry."""

    of: str
    signed_by: str
    old: bytes
    new: bytes
    entry: int


@value
class Deputy:
    """Who may go on in the place of player `of`, since `entry`; nobody where `public` is None.

    `by` is the key that named them. `box` has the secrets for them, in base64, if they were given;
    `ends` says whether they may end the game.
    """

    of: str
    entry: int
    public: bytes | None
    by: bytes
    box: str | None = None
    ends: bool = False


@value
class NewGeneration:
    """Since `entry`, player `of` plays with new secrets, for the beacons after `base`.

    They come from the seed of `key` (its public half, 32 bytes) and are made for the place after
    the entry with id `prev`. `anchors` and `bound` are what bound the player before.
    """

    of: str
    entry: int
    base: int
    key: bytes
    prev: str
    anchors: tuple[str, ...]
    bound: tuple[Bound, ...]

    def plain(self) -> dict[str, object]:
        """As the public state has it."""
        return {"by": self.of, "entry": self.entry, "base": self.base}


@value
class Lost:
    """The secrets of player `of` that they could not show at the end: since one entry, until
    another.
    """

    of: str
    since: int
    until: int

    def plain(self) -> dict[str, object]:
        """For `pbem verify --json`."""
        return {"player": self.of, "since": self.since, "until": self.until}

    def told(self, who: Said) -> Message:
        """What the loss means; `who` is the player, as the reader knows them."""
        if not self.since:
            return say(
                "the secrets of {player} before entry {until} are lost: their play until then is "
                "not audited",
                player=who, until=self.until,
            )  # fmt: skip
        return say(
            "the secrets of {player} from entry {since} to {until} are lost: their play there is "
            "not audited",
            player=who, since=self.since, until=self.until,
        )  # fmt: skip
