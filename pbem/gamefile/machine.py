"""The state of the protocol: what is locked, owed, given ahead and in force.

A frozen value of a few parts, each a frozen value. Nothing is changed in place: a step of an entry
gives a new machine (`steps/`), and so does what follows without a player (`advance.py`). The
questions about the present state are answered here: who owes what, who has the pen, what both
players know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from pbem.engine.public import plain
from pbem.gamefile.beacons import OpenDice, place_in_chain
from pbem.gamefile.canonical import Written, text_of_list, text_with
from pbem.gamefile.cards import Bound, SealedDecks, epoch_of
from pbem.gamefile.chain import ZEROS, state_digest
from pbem.gamefile.decks import Epoch
from pbem.gamefile.in_play import (
    PLAYERS,
    Asked,
    DiceWanted,
    Finished,
    GameInPlay,
    Laid,
    other,
    stumbled,
)
from pbem.gamefile.journal import JournalLine
from pbem.gamefile.kept import (
    ChainPlace,
    Chosen,
    Deputy,
    Given,
    Lost,
    NewGeneration,
    Offer,
    Owed,
    Rotation,
    StandingList,
    StandingPolicy,
    Wait,
)
from pbem.gamefile.texts import Texts
from pbem.messages import Said, say
from pbem.value import field, fields, replace, twin, value

if TYPE_CHECKING:

    class Auditor(Protocol):
        """The secrets of a player whose finished game is played again with their cards known."""

        @property
        def player(self) -> str: ...
        def whole_deck(self, bound: Bound) -> dict[str, str]:
            """Every card of a deck of theirs whose trial is picked: slot to card."""
            ...

        def written(self, machine: Machine) -> dict[str, str]:
            """The items of all their sealed lists, by slot."""
            ...


OpenTable = Callable[[Mapping[str, Any]], GameInPlay]
MayOpenTable = OpenTable | None
"""None where a file is judged without its rules."""
_NONE: Mapping[Any, Any] = {}
_BOTH_NONE: Mapping[str, Any] = {"A": None, "B": None}
_BOTH_EMPTY: Mapping[str, tuple[Any, ...]] = {"A": (), "B": ()}
_BOTH_ZERO: Mapping[str, int] = {"A": 0, "B": 0}


@value
class World:
    """The surroundings of a machine. They are no state of the game, and never stored.

    `recall` returns the state after an earlier entry; `auditor` is the player whose finished game
    is played again with their cards known. `texts` keeps the text of the last public state.
    """

    open_table: MayOpenTable
    recall: Callable[[int], Machine] | None = None
    auditor: Auditor | None = None
    texts: Texts = field(default_factory=Texts, compare=False)


@value
class Terms:
    """What is played, and how far it is: `phase` is empty, proposed, accepted, running or over;
    `has_counters` says whether counters can lie face down in the game that was begun.
    """

    phase: str = "empty"
    has_counters: bool = False
    proposal: Mapping[str, Any] = _NONE
    proposal_id: str = ZEROS
    game: str = ZEROS
    result: Mapping[str, Any] | None = None
    closed: tuple[str, ...] = ()
    """Who has written their closing entry."""


@value
class Keys:
    """The signing keys, the earlier ones, and the origin of the game's secrets."""

    publics: Mapping[str, bytes] = _NONE
    spares: Mapping[str, bytes] = _NONE
    contexts: Mapping[str, str] = _NONE
    rotations: tuple[Rotation, ...] = ()
    renewals: tuple[NewGeneration, ...] = ()
    deputies: tuple[Deputy, ...] = ()
    """All that were ever named, and withdrawn, in order."""


@value
class Beacons:
    """Values bound and shown, by player, and the beacon that is locked or open.

    `locks` maps the number of a beacon to the entry that locked it; `void` says whether the locked
    beacon decides nothing, `last_void` whether the last completed one did. `dice` are those of the
    open beacon.
    """

    anchors: Mapping[str, tuple[str, ...]] = _BOTH_EMPTY
    revealed: Mapping[str, int] = _BOTH_ZERO
    values: Mapping[str, str | None] = _BOTH_NONE
    locked: int | None = None
    locks: Mapping[int, int] = _NONE
    void: bool = False
    last_void: bool = False
    dice: OpenDice | None = None


@value
class HiddenThings:
    """What players are bound to and have not shown, or not all of it.

    `chosen` are the secret choices not told yet, in order; `has_sealed` says whether orders ever
    were sealed; `audited` maps a player to the secret they have shown at the end, and `lost` has
    those that could not be shown. `lists` are all sealed lists, the latest last.
    """

    decks: SealedDecks = SealedDecks()
    chosen: tuple[Chosen, ...] = ()
    lists: tuple[StandingList, ...] = ()
    has_sealed: bool = False
    audited: Mapping[str, str] = _NONE
    lost: tuple[Lost, ...] = ()


@value
class Pending:
    """What was ordered ahead. `halt` is the sealed policy at which folding stopped.

    `stirred` counts, for each player, the rolls and the other player's choices so far. `left` is
    the question, by who is asked and what, that an opened document has left to its author.
    """

    policies: tuple[StandingPolicy, ...] = ()
    halt: StandingPolicy | None = None
    given: Mapping[str, tuple[Given, ...]] = _BOTH_EMPTY
    stirred: Mapping[str, int] = _BOTH_ZERO
    left: tuple[str, str] | None = None


@value
class Agreements:
    """Open offers, claims and agreements.

    `offers` are the open ones, at most one by each player; `adjourned` is the entry in which that
    was agreed; `quiet` lists the entries the game may go back to, with the beacons completed by
    then; `is_upgraded` says whether the rules were ever changed. Only with terms for silence:
    `wait` is what has to be answered, `dates` the last minute that each player has stated.
    """

    offers: tuple[Offer, ...] = ()
    claim: Mapping[str, Any] | None = None
    adjourned: int | None = None
    quiet: Mapping[int, int] = _NONE
    take_backs: int = 0
    is_upgraded: bool = False
    wait: Wait | None = None
    dates: Mapping[str, str] = _NONE


@value
class Writing:
    """The entry that is being folded, or was folded last, with its content so far.

    `side`: it is a note, laid out of turn; `on_own_note`: a note on another note of its author.
    `progress`: it has something that was owed; `shut`: nothing may follow in it; `only_words`:
    nothing but `say` may. `kinds` are those of its steps so far, `slots` those of its policies.
    `agreed` is to be carried out by the very next step. `past_the_end`: it began when the game was
    over; `deputy`: a deputy writes it; `time`: the minute it states. `beside` are the notes of the
    file so far, `written` the bytes of each player's entries.
    """

    seq: int = -1
    last_id: str = ZEROS
    by: str = ""
    side: bool = False
    on_own_note: bool = False
    progress: bool = False
    shut: bool = False
    only_words: bool = False
    kinds: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    agreed: Offer | None = None
    past_the_end: bool = False
    deputy: bool = False
    time: str | None = None
    journal: tuple[JournalLine, ...] = ()
    beside: tuple[int, ...] = ()
    written: Mapping[str, int] = _BOTH_ZERO


@value
class Machine:
    """Everything the protocol knows between two steps; `in_play` is the game once it has begun."""

    world: World
    terms: Terms = Terms()
    keys: Keys = Keys()
    beacons: Beacons = Beacons()
    hidden: HiddenThings = HiddenThings()
    pending: Pending = Pending()
    agreements: Agreements = Agreements()
    entry: Writing = Writing()
    in_play: GameInPlay | None = None

    # --- another machine

    def put(self, **facts: Any) -> Machine:
        """The machine with other facts, each put into its part. `at` changes the game itself."""
        made = twin(self)
        mine, its = self.__dict__, made.__dict__
        if not BESIDE.issuperset(facts):  # what the game waits for stays true in any case
            its.pop("owed", None)
        for name, fact in facts.items():
            part = PART_OF[name]
            if its[part] is mine[part]:
                its[part] = twin(mine[part])
            its[part].__dict__[name] = fact
        return made

    def at(self, in_play: GameInPlay) -> Machine:
        """The machine with another position of the game."""
        if in_play is self.in_play:
            return self
        made = twin(self)
        made.__dict__["in_play"] = in_play
        made.__dict__.pop("owed", None)
        made.__dict__.pop("waits", None)
        return made

    def tell(self, kind: Callable[..., JournalLine], /, **facts: Any) -> Machine:
        """The machine with one more line in its journal, at the present step."""
        return self.put(journal=self.told(kind, **facts))

    def told(self, kind: Callable[..., JournalLine], /, **facts: Any) -> tuple[JournalLine, ...]:
        """The journal of this entry with one line more, for `put` together with other facts."""
        return (*self.entry.journal, kind(place=self.place(), **facts))

    def place(self, index: int = 0) -> ChainPlace:
        """The place of the present step in the chain, with an item of its list."""
        return ChainPlace(self.entry.seq, len(self.entry.kinds), index)

    # --- the game

    @property
    def table(self) -> GameInPlay:
        """The game; only to be used once it has started."""
        assert self.in_play is not None
        return self.in_play

    def proposed_table(self) -> GameInPlay | None:
        """The game as it is proposed, before it has started; None where its rules are left out.

        Raises the Refused of `open_table` when it cannot be set up here.
        """
        return self.world.open_table(self.terms.proposal) if self.world.open_table else None

    @cached_property
    def waits(self) -> Asked | DiceWanted | Finished:
        """What the game waits for; computed once a position, since every step asks."""
        waits = self.table.waits()
        if isinstance(waits, Asked) and self.is_solo:
            # One person on both seats hides nothing.
            return replace(waits, secret=False, list=None, tells_items="", only_shows=False)
        return waits

    @property
    def is_solo(self) -> bool:
        """Whether it is a practice game: one person with both keys."""
        return self.terms.proposal["options"].get("solo") is True

    def called(self, slot: str) -> Said:
        """What is in a slot, for people; only the rules know where that is."""
        if self.in_play is None:
            return say("a card of deck {deck}", deck=slot.rpartition("/")[0])
        return self.in_play.called(slot)

    def named(self, thing: Owed) -> Said:
        """A thing owed, as a refusal names it."""
        if thing.code != "open":
            return thing.machine
        return say("the showing of {what}", what=self.called(thing.what))

    # --- what is owed, and by whom

    @cached_property
    def owed(self) -> tuple[Owed, ...]:
        """What is owed, in order; the player who owes the first thing has the pen."""
        return tuple(self._owed())

    def _owed(self) -> Iterator[Owed]:
        both = (other(self.entry.by), self.entry.by)  # who did not write last comes first
        if self.terms.phase != "running":
            beginning = {
                "empty": Owed("A", "propose"),
                "proposed": Owed("B", "accept"),
                "accepted": Owed("A", "start"),
            }
            if self.terms.phase in beginning:
                yield beginning[self.terms.phase]
            for player in both:
                if self.owes_audit(player):
                    yield Owed(player, "audit")
            return
        for player in both:
            if self.due(player):
                yield Owed(player, "reveal", str(self.beacons.locked))
        for player in both:
            for bound in self.hidden.decks.unanswered(player):
                yield Owed(player, "deck_reply", bound.name)
        for player in both:
            if self.lacks_anchor(player):
                yield Owed(player, "anchor", str(len(self.beacons.anchors[player])))
        waits = self.waits
        if self.beacons.locked is None and self.is_before_roll:
            for player in both:
                for laid in self.lacks_decks(player):
                    yield Owed(player, "deck_commit", f"{laid.deck}/{laid.epoch}")
        elif isinstance(waits, Asked):
            code = "answer" if not waits.secret else "list_seal" if waits.list else "seal"
            yield self._sealed(waits) or Owed(waits.by, code, waits.what)
        if self.terms.has_counters:
            for player in both:  # play goes on until they write
                for slot in self.to_show(player):
                    yield Owed(player, "open", slot)

    @property
    def is_before_roll(self) -> bool:
        """Whether the fold needs a beacon: for chance, or to be shown what is fixed (R2)."""
        if self.beacons.dice is not None:
            return False
        if self.pending.halt is not None:
            return True
        waits = self.waits
        if not isinstance(waits, Asked):
            return isinstance(waits, DiceWanted)
        if waits.by == self.entry.by:  # who tells, says and shows in the same entry what they know
            return self.is_mixed_again
        return waits.only_shows or waits.only_says

    @property
    def is_mixed_again(self) -> bool:
        """Whether the fold waits for a showing of what lies in a mix that no beacon has challenged,
        or for a fact while there is such a mix of its author: they do not know yet what is where.
        """
        decks, waits = self.hidden.decks, self.waits
        if not all(map(decks.is_challenged, self.table.must_show())):
            return True
        if not isinstance(waits, Asked) or not waits.only_says:
            return False
        return not decks.are_challenged(self.table.laid(), waits.by)

    def _sealed(self, waits: Asked) -> Owed | None:
        """What is fixed but sealed and is asked for now: an opening, or a document."""
        if waits.tells:
            return Owed(waits.by, "tell", waits.what)
        if waits.tells_items:
            return Owed(waits.by, "list_tell", waits.tells_items)
        must_show = self.table.must_show()
        if must_show:
            return Owed(waits.by, "open", must_show[0])
        if waits.only_says:
            return Owed(waits.by, "fact", waits.what)
        halt = self.pending.halt
        if halt is None or self.beacons.dice is None:
            return None
        if halt.doc is None:
            return Owed(waits.by, "unseal", halt.name)
        return Owed(waits.by, "open", self.shows(halt)[0])

    def head(self, player: str) -> Owed | None:
        """R4: what the player must send next before anything else; None when nothing is fixed."""
        if self.terms.phase != "running":
            return None
        if self.due(player):
            return Owed(player, "reveal", str(self.beacons.locked))
        unanswered = self.hidden.decks.unanswered(player)
        if unanswered:
            return Owed(player, "deck_reply", unanswered[0].name)
        return self.fixed(player)

    def fixed(self, player: str) -> Owed | None:
        """The part of `head` for which the game itself waits: something that the player has sealed
        or hidden. Play goes on with it.
        """
        if self.terms.has_counters:
            for slot in self.to_show(player):
                return Owed(player, "open", slot)
        waits = self.waits
        is_free = self.beacons.locked is None and not self.is_before_roll
        if is_free and isinstance(waits, Asked) and waits.by == player:
            return self._sealed(waits)
        return None

    def to_show(self, player: str) -> tuple[str, ...]:
        """The counters that the player must show in their next entry, as far as they can: none of a
        deck that no beacon has challenged, as under new secrets.
        """
        if self.beacons.locked is not None:
            return ()
        return tuple(filter(self.hidden.decks.is_challenged, self.table.owes(player)))

    def sealed_choice(self, number: int) -> Chosen | None:
        """The sealed choice with this number; None where nobody can reveal it any more."""
        sealed = (each for each in self.hidden.chosen if each.number == number)
        return next((each for each in sealed if each.c is not None), None)

    def asks_openly(self, player: str) -> bool:
        """Whether the player has an open decision: asked, with nothing sealed that answers."""
        waits = self.waits
        if not isinstance(waits, Asked) or waits.by != player:
            return False
        return not waits.is_fixed and self.pending.halt is None

    @property
    def pen(self) -> str | None:
        """The player who must write next; None when the game is over."""
        return self.owed[0].by if self.owed else None

    @property
    def holder(self) -> str | None:
        """T5: the player whose entry would be a main entry now; after the end the pen
        alternates.
        """
        return self.pen or (other(self.entry.by) if self.terms.phase == "over" else None)

    def owes_audit(self, player: str) -> bool:
        """Whether the game is over and the player has not yet shown what they hid."""
        is_over = self.terms.phase == "over"
        return is_over and self.hides_something and player not in self.hidden.audited

    @property
    def is_provisional(self) -> bool:
        """Whether there is a result, and the player it favours has not yet shown what they hid.

        A draw favours both, an end without result neither.
        """
        result = self.terms.result
        if result and result.get("void"):
            return False
        winner = result.get("winner") if result else None
        winners = (winner,) if winner in PLAYERS else PLAYERS
        return any(self.owes_audit(player) for player in winners)

    @property
    def hides_something(self) -> bool:
        """Whether anything was ever sealed in this game, which makes its result provisional.

        A deck need not be in the proposal: a game may lay its first ones behind a roll.
        """
        return bool(self.hidden.decks.ever()) or self.hidden.has_sealed

    def due(self, player: str) -> bool:
        """Whether the player owes their value of the locked beacon."""
        locked = self.beacons.locked
        return locked is not None and self.beacons.revealed[player] < locked

    def lacks_anchor(self, player: str) -> bool:
        """Whether the player's chain is used up and no new one is anchored."""
        if self.beacons.locked is not None:
            return False
        chain, _ = self.place_in_chain(player, self.next_beacon)
        return len(self.beacons.anchors[player]) <= chain

    def renewals_of(self, player: str) -> tuple[NewGeneration, ...]:
        """Each time that a player took up new secrets, in order."""
        return tuple(each for each in self.keys.renewals if each.of == player)

    def place_in_chain(self, player: str, beacon: int) -> tuple[int, int]:
        """The chain (from 0) of a player's present secrets, and the index in it (from 1), from
        which their value of a beacon comes.
        """
        renewals = self.renewals_of(player)
        base = renewals[-1].base if renewals else 0
        return place_in_chain(beacon - base, self.chain_length)

    @property
    def next_beacon(self) -> int:
        """The number of the next beacon, when none is locked."""
        return min(self.beacons.revealed.values()) + 1

    @property
    def chain_length(self) -> int:
        """How many values each hash chain of the game has."""
        length: int = self.terms.proposal["chain_len"]
        return length

    def lacks_decks(self, player: str) -> list[Laid]:
        """The player's epochs that the game has laid and they are not yet bound to."""
        return self.hidden.decks.lacking(self.table.laid(), player)

    def epoch_to_bind(self, laid: Laid) -> Epoch:
        """An epoch as its owner commits to it now: the beacon locked next will challenge it."""
        return epoch_of(laid, self.terms.proposal, self.next_beacon)

    # --- policies

    def in_force(self, player: str) -> list[StandingPolicy]:
        """The player's policies that may answer now, latest in the chain first.

        While a beacon is open, only policies count that were in the chain before anyone revealed
        for it.
        """
        number = self.beacons.dice.number if self.beacons.dice else None
        latest: dict[str, StandingPolicy] = {}
        for standing in self.pending.policies:
            if standing.by == player and (number is None or standing.stamp < number):
                latest.pop(standing.slot, None)
                latest[standing.slot] = standing
        return [standing for standing in reversed(latest.values()) if not standing.withdraws]

    def shows(self, standing: StandingPolicy) -> tuple[str, ...]:
        """The hidden cards that an opened policy plays now; none where the rules fail on it.

        Only cards that its author holds and can open count: any other would be owed for ever.
        """
        try:
            hand, known = self.table.hand(standing.by), self.table.known()
            shown = self.table.policy_shows(standing.policy)
            return tuple(slot for slot in shown if slot in hand and slot not in known)
        except Exception as error:
            stumbled(error)
            return ()

    # --- what both players know

    def public_state(self) -> dict[str, Any]:
        """The state whose digest is `post`, as plain values."""
        position = plain(self.in_play.public()) if self.in_play else None
        given = {
            player.lower(): [item.plain() for item in self.pending.given[player]]
            for player in PLAYERS
        }
        members = {"decks": self.hidden.decks.plain(), "given": given}
        return {"protocol": {**self._protocol(), **members}, "position": position}

    def post(self) -> str:
        """The digest of the public state.

        Parts that most entries leave unchanged keep their text.
        """
        given = {
            player.lower(): Written(text_of_list(item.text for item in self.pending.given[player]))
            for player in PLAYERS
        }
        members = {"decks": Written(self.hidden.decks.text()), "given": given}
        position = self.world.texts.of(self.in_play.public()) if self.in_play else None
        public = {"protocol": {**self._protocol(), **members}, "position": position}
        return state_digest(text_with(public))

    def _protocol(self) -> dict[str, Any]:
        """The protocol's own part of the public state, but for decks and orders given ahead."""
        beacons, agreements = self.beacons, self.agreements
        return {
            "phase": self.terms.phase,
            "beacon": {
                "a": beacons.revealed["A"], "b": beacons.revealed["B"], "locked": beacons.locked,
                "open": beacons.dice.number if beacons.dice else None,
                "void": beacons.void, "last_void": beacons.last_void,
            },
            "values": {"a": beacons.values["A"], "b": beacons.values["B"]},
            "anchors": {"a": list(beacons.anchors["A"]), "b": list(beacons.anchors["B"])},
            "policies": [standing.plain() for standing in self.pending.policies],
            "owed": [thing.plain() for thing in self.owed],
            "hands": self._hands_plain(),
            "offers": [offer.plain() for offer in agreements.offers],
            "claim": agreements.claim,
            **self._audits_plain(), **self._renewals_plain(), **self._chosen_plain(),
            **self._lists_plain(),
            "result": self.terms.result,
        }  # fmt: skip

    def _audits_plain(self) -> dict[str, Any]:
        if self.terms.phase != "over" or not self.hides_something:
            return {}
        return {"audits": {player.lower(): player in self.hidden.audited for player in PLAYERS}}

    def _renewals_plain(self) -> dict[str, Any]:
        renewals = self.keys.renewals
        return {"renewed": [each.plain() for each in renewals]} if renewals else {}

    def _chosen_plain(self) -> dict[str, Any]:
        chosen = self.hidden.chosen
        return {"chosen": [each.plain() for each in chosen]} if chosen else {}

    def _lists_plain(self) -> dict[str, Any]:
        lists = self.hidden.lists
        return {"lists": [each.plain() for each in lists]} if lists else {}

    def _hands_plain(self) -> list[dict[str, Any]]:
        """The slots of both hands, where the proposal has sealed decks."""
        if self.in_play is None or not self.terms.proposal["decks"]:
            return []
        return [{"by": player, "slots": list(self.in_play.hand(player))} for player in PLAYERS]


PART_OF: Mapping[str, str] = {
    each.name: part
    for part, kind in {
        "world": World, "terms": Terms, "keys": Keys, "beacons": Beacons, "hidden": HiddenThings,
        "pending": Pending, "agreements": Agreements, "entry": Writing,
    }.items()
    for each in fields(kind)
}  # fmt: skip
"""The part of each fact. No name is in two of them."""
BESIDE = frozenset(
    name for name, part in PART_OF.items() if part in ("world", "agreements", "entry")
) - {"by"}  # fmt: skip
"""The facts that do not affect what is owed."""
