"""The sealed decks of a running game: who is bound to what, what was challenged, what is open.

A value, like the machine (machine.py) it is part of; everything in it is public.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pbem.gamefile.canonical import text_of, text_of_list
from pbem.gamefile.decks import Epoch, Reply, check_reply, leaf_of, trial_of
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import Laid
from pbem.late import Late
from pbem.messages import Said, say
from pbem.value import replace, value

if TYPE_CHECKING:
    from pbem.engine.tags import slot_under
else:  # only a refusal has to know
    slot_under = Late("pbem.engine.tags").slot_under

RULE = "sealed decks"
MIXING = "mixing"
CHOICES = "secret choices"
LISTS = "sealed lists"
MIX_TRIALS = 16
"""The trials of a mix, where the proposal says nothing."""
NO_CARDS: Mapping[int, str] = {}


@value
class Bound:
    """An epoch its owner is bound to. `trial` and `leaves` come with challenge and reply."""

    epoch: Epoch
    commitment: str
    trial: int | None = None
    leaves: tuple[str, ...] = ()
    opened: Mapping[int, str] = NO_CARDS
    """The cards that were opened, by their places."""
    put_off: int = 0
    """The beacon that challenges it in place of one that was burnt; 0 where none was."""

    @property
    def name(self) -> str:
        """Deck and epoch, as lists of things owed and refusals name it."""
        return f"{self.epoch.deck}/{self.epoch.number}"

    @property
    def challenge(self) -> int:
        """The number of the beacon that picks the trial."""
        return self.put_off or self.epoch.challenge

    def plain(self) -> dict[str, Any]:
        """Its part of the public state."""
        epoch = self.epoch
        return {
            "deck": epoch.deck, "epoch": epoch.number, "by": epoch.by, "c": self.commitment,
            "challenge": self.challenge, "trial": self.trial, "replied": bool(self.leaves),
            "opened": [
                {"pos": place, "card": self.opened[place]} for place in sorted(self.opened)
            ],
            **({"groups": list(epoch.groups)} if epoch.groups else {}),
        }  # fmt: skip

    @cached_property
    def text(self) -> str:
        """`plain` as canonical text; most entries leave most epochs as they are."""
        return text_of(self.plain())

    @property
    def owes_reply(self) -> bool:
        """Whether its beacon has picked a trial, and the seeds of the others are not shown yet."""
        return self.trial is not None and not self.leaves


@value
class SealedDecks:
    """Every epoch bound so far, in the order of the chain, except those undone by a take-back."""

    bound: tuple[Bound, ...] = ()
    undone: tuple[Bound, ...] = ()

    def __iter__(self) -> Iterator[Bound]:
        return iter(self.bound)

    def ever(self) -> tuple[Bound, ...]:
        """Every epoch to which a player was ever bound, for audits."""
        return (*self.bound, *self.undone)

    def used(self) -> dict[str, int]:
        """The highest number used so far of each deck that lost an epoch to a take-back."""
        found: dict[str, int] = {}
        for bound in self.undone:
            deck, number = bound.epoch.deck, bound.epoch.number
            found[deck] = max(number, found.get(deck, number))
        return found

    # --- other decks

    def undo(self, laid: Sequence[Laid]) -> SealedDecks:
        """The decks without epochs that are bound but not laid any more; their numbers are never
        used again.
        """
        there = {(each.deck, each.epoch) for each in laid}
        return self._without(lambda each: (each.epoch.deck, each.epoch.number) not in there)

    def drop(self, player: str) -> SealedDecks:
        """The decks without those a player is bound to: they go on with other secrets."""
        return self._without(lambda each: each.epoch.by == player)

    def _without(self, goes: Callable[[Bound], bool]) -> SealedDecks:
        gone = tuple(each for each in self.bound if goes(each))
        left = tuple(each for each in self.bound if not goes(each))
        return SealedDecks(left, (*self.undone, *gone)) if gone else self

    def bind(self, epoch: Epoch, commitment: str) -> SealedDecks:
        """The owner is bound. An epoch is bound once (`lacking` tells whether it may be)."""
        return replace(self, bound=(*self.bound, Bound(epoch, commitment)))

    def challenge(self, beacon: int, value: bytes) -> tuple[SealedDecks, tuple[Bound, ...]]:
        """A beacon is known: picks the trial of every epoch it challenges, and records which."""
        picked = {
            bound.name: replace(bound, trial=trial_of(value, bound.epoch))
            for bound in self._challenged_by(beacon)
        }
        return self._with(picked), tuple(picked.values())

    def put_off(self, burnt: int) -> SealedDecks:
        """A beacon is burnt and never known: the next one challenges in its place."""
        late = self._challenged_by(burnt)
        return self._with({each.name: replace(each, put_off=burnt + 1) for each in late})

    def _challenged_by(self, beacon: int) -> list[Bound]:
        return [each for each in self.bound if each.challenge == beacon and each.trial is None]

    def _with(self, others: Mapping[str, Bound]) -> SealedDecks:
        """The decks with replacements for those with the same name."""
        if not others:
            return self
        return replace(self, bound=tuple(others.get(each.name, each) for each in self.bound))

    def reply(
        self, deck: str, number: int, trial: int, reply: Reply, player: str
    ) -> tuple[SealedDecks, Bound]:
        """Takes the player's reply to a challenge. Raises FileRefused (E-DECK)."""
        bound = self._at.get((deck, number))
        if bound is None or bound.epoch.by != player or not bound.owes_reply:
            raise FileRefused(
                "E-DECK",
                say("no reply for deck {deck}/{number} is owed", deck=deck, number=number),
                rule=RULE,
            )
        if trial != bound.trial:
            raise FileRefused(
                "E-DECK",
                say(
                    "the reply for deck {deck}/{number} is for trial {trial}; the beacon "
                    "picked {bound_trial}",
                    deck=deck,
                    number=number,
                    trial=trial,
                    bound_trial=bound.trial,
                ),
                rule=RULE,
            )
        check_reply(bound.epoch, bound.commitment, trial, reply)
        answered = replace(bound, leaves=reply.leaves)
        return self._with({bound.name: answered}), answered

    def open(
        self,
        slot: str,
        card: str,
        nonce: str,
        player: str,
        called: Callable[[str], Said] = str,
    ) -> SealedDecks:
        """Opens a place. Raises FileRefused: E-OPEN if it does not fit, E-DECK for a card twice."""
        deck, number, place = slot_parts(slot)
        bound = self._at.get((deck, number))
        if bound is None or bound.epoch.by != player or not bound.leaves:
            raise FileRefused(
                "E-OPEN",
                say(
                    "{what} is shown before its deck was committed, challenged and replied for",
                    what=called(slot),
                ),
                rule=RULE,
            )
        assert bound.trial is not None
        fits = place < len(bound.leaves) and (
            leaf_of(bound.epoch, bound.trial, place, card, nonce) == bound.leaves[place]
        )
        if not fits:
            message = say("what is shown of {what} is not what was sealed", what=called(slot))
            raise FileRefused("E-OPEN", message, rule=RULE)
        others = [each for at, each in bound.opened.items() if at != place]
        if card not in bound.epoch.among(place) or card in others:
            raise FileRefused(
                "E-DECK",
                say(
                    "{card} is twice in deck {bound}, or does not belong in it",
                    card=called(slot_under(card)) if slot_under(card) else card,
                    bound=bound.name,
                ),
                rule=RULE,
            )
        return self._with({bound.name: replace(bound, opened={**bound.opened, place: card})})

    # --- what they say

    def is_challenged(self, slot: str) -> bool:
        """Whether a beacon has picked the trial of a slot's epoch: what is in it can be shown."""
        deck, number, _ = slot_parts(slot)
        bound = self._at.get((deck, number))
        return bound is not None and bound.trial is not None

    def are_challenged(self, laid: Sequence[Laid], player: str) -> bool:
        """Whether beacons have picked the trials of all that the game has laid for a player."""
        found = [self._at.get((each.deck, each.epoch)) for each in laid if each.by == player]
        return all(bound is not None and bound.trial is not None for bound in found)

    @cached_property
    def _at(self) -> Mapping[tuple[str, int], Bound]:
        return {(each.epoch.deck, each.epoch.number): each for each in self.bound}

    def lacking(self, laid: Sequence[Laid], player: str) -> list[Laid]:
        """The epochs that the game has laid for the player, and to which they are not yet bound."""
        return [
            each for each in laid if each.by == player and (each.deck, each.epoch) not in self._at
        ]

    def are_fixed(self, laid: Sequence[Laid], beacon: int) -> bool:
        """Whether everything laid was bound before anyone revealed for this beacon.

        A player who commits when the beacon is known could arrange their cards to suit it.
        """
        found = [self._at.get((each.deck, each.epoch)) for each in laid]
        return all(each is not None and each.challenge <= beacon for each in found)

    @cached_property
    def _unanswered(self) -> tuple[Bound, ...]:
        return tuple([each for each in self.bound if each.owes_reply])

    def unanswered(self, player: str) -> list[Bound]:
        """The epochs for which the player owes a reply."""
        return [each for each in self._unanswered if each.epoch.by == player]

    def plain(self) -> list[dict[str, Any]]:
        """The public state of the decks."""
        return [each.plain() for each in self.bound]

    def text(self) -> str:
        """`plain` as canonical text."""
        return text_of_list(each.text for each in self.bound)


def first_decks(proposal: Mapping[str, Any]) -> tuple[Laid, ...]:
    """The decks of a proposal, as the game sets them up."""
    return tuple(
        Laid(deck["deck"], deck["by"], 1, tuple(deck["cards"]), is_pieces=deck.get("pieces", False))
        for deck in proposal["decks"]
    )


def row_of(laid: Laid) -> dict[str, Any]:
    """A deck as a row of the proposal."""
    pieces = {"pieces": True} if laid.is_pieces else {}
    return {"deck": laid.deck, "by": laid.by, "cards": list(laid.cards), **pieces}


def epoch_of(laid: Laid, proposal: Mapping[str, Any], challenge: int) -> Epoch:
    """An epoch as its owner commits to it; beacon number `challenge` will challenge it."""
    trials = proposal.get("m_mix", MIX_TRIALS) if laid.groups else proposal["m"]
    return Epoch(laid.deck, laid.by, laid.epoch, laid.cards, trials, challenge, laid.groups)


def slot_of(step: Mapping[str, Any]) -> str:
    """The slot that an `open` step opens."""
    return f"{step['deck']}/{step['epoch']}/{step['pos']}"


def slot_parts(slot: str) -> tuple[str, int, int]:
    """Deck, epoch and place of a slot."""
    deck, number, place = slot.split("/")
    return deck, int(number), int(place)
