"""The sealed decks of a game in progress: who is bound to what, what was challenged, what is open.

A part of the machine (machine.py), changed in place like it; what it holds is public.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from pbem.gamefile.canonical import text_of
from pbem.gamefile.decks import Epoch, Reply, check_reply, leaf_of, trial_of
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.referee import Laid
from pbem.value import replace, value

RULE = "sealed decks"
NO_CARDS: Mapping[int, str] = {}


@value
class Bound:
    """An epoch its owner is bound to. `trial` and `leaves` come with challenge and reply."""

    epoch: Epoch
    commitment: str
    trial: int | None = None
    leaves: tuple[str, ...] = ()
    opened: Mapping[int, str] = NO_CARDS
    """Place to card."""
    put_off: int = 0
    """The beacon that challenges it in place of one that was burnt; 0 where none was."""

    @property
    def name(self) -> str:
        """As things owed and refusals name it: deck and epoch."""
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
        }  # fmt: skip

    @cached_property
    def text(self) -> str:
        """`plain` as canonical text; most entries leave most epochs as they are."""
        return text_of(self.plain())

    @property
    def owes_reply(self) -> bool:
        return self.trial is not None and not self.leaves


class SealedDecks:
    """Every epoch bound so far, in the order of the chain, but for those a take-back has undone."""

    def __init__(self) -> None:
        self._bound: dict[tuple[str, int], Bound] = {}
        self._undone: tuple[Bound, ...] = ()

    def copy(self) -> SealedDecks:
        """An independent copy."""
        twin = SealedDecks()
        twin._bound = dict(self._bound)
        twin._undone = self._undone
        return twin

    def __iter__(self) -> Iterator[Bound]:
        return iter(self._bound.values())

    def ever(self) -> tuple[Bound, ...]:
        """Every epoch that anybody was ever bound to, as an audit wants them."""
        return (*self, *self._undone)

    def undo(self, laid: Sequence[Laid]) -> dict[str, int]:
        """Drops what is bound and not laid any more; its number names no other commitment.

        Returns the highest number used so far of each deck that lost one.
        """
        there = {(each.deck, each.epoch) for each in laid}
        self._drop([key for key in self._bound if key not in there])
        used: dict[str, int] = {}
        for bound in self._undone:
            used[bound.epoch.deck] = max(bound.epoch.number, used.get(bound.epoch.deck, 0))
        return used

    def drop(self, player: str) -> None:
        """Drops all that a player is bound to: they go on with other secrets."""
        self._drop([key for key, bound in self._bound.items() if bound.epoch.by == player])

    def _drop(self, keys: Sequence[tuple[str, int]]) -> None:
        self._undone += tuple(self._bound.pop(key) for key in keys)

    def bind(self, epoch: Epoch, commitment: str) -> None:
        """The owner is bound. An epoch is bound once (`lacking` tells whether it may be)."""
        self._bound[epoch.deck, epoch.number] = Bound(epoch, commitment)

    def lacking(self, laid: Sequence[Laid], player: str) -> list[Laid]:
        """The epochs of the player that the game has laid and they are not bound to."""
        return [
            each
            for each in laid
            if each.by == player and (each.deck, each.epoch) not in self._bound
        ]

    def are_fixed(self, laid: Sequence[Laid], beacon: int) -> bool:
        """Whether all that is laid was bound before anybody revealed for this beacon.

        Whoever commits when a beacon is known could lay their cards to suit it.
        """
        for each in laid:
            bound = self._bound.get((each.deck, each.epoch))
            if bound is None or bound.challenge > beacon:
                return False
        return True

    def challenge(self, beacon: int, value: bytes) -> list[tuple[Bound, int]]:
        """A beacon is known: picks the trial of every epoch it challenges, and returns those."""
        found = []
        for key, bound in self._bound.items():
            if bound.challenge == beacon and bound.trial is None:
                trial = trial_of(value, bound.epoch)
                self._bound[key] = replace(bound, trial=trial)
                found.append((self._bound[key], trial))
        return found

    def put_off(self, burnt: int) -> None:
        """A beacon is burnt and never known: the next one challenges in its place."""
        for key, bound in self._bound.items():
            if bound.challenge == burnt and bound.trial is None:
                self._bound[key] = replace(bound, put_off=burnt + 1)

    def unanswered(self, player: str) -> list[Bound]:
        """The epochs for which the player owes a reply."""
        return [each for each in self if each.epoch.by == player and each.owes_reply]

    def reply(self, deck: str, number: int, trial: int, reply: Reply, player: str) -> Bound:
        """Takes the player's reply to a challenge. Raises FileRefused (E-DECK)."""
        bound = self._bound.get((deck, number))
        if bound is None or bound.epoch.by != player or not bound.owes_reply:
            raise FileRefused("E-DECK", f"no reply for deck {deck}/{number} is owed", rule=RULE)
        if trial != bound.trial:
            raise FileRefused(
                "E-DECK",
                f"the reply for deck {deck}/{number} is for trial {trial}; "
                f"the beacon has picked {bound.trial}",
                rule=RULE,
            )
        check_reply(bound.epoch, bound.commitment, trial, reply)
        answered = replace(bound, leaves=reply.leaves)
        self._bound[deck, number] = answered
        return answered

    def open(self, slot: str, card: str, nonce: str, player: str) -> None:
        """Opens a place. Raises FileRefused: E-OPEN if it does not fit, E-DECK for a card twice."""
        deck, number, place = slot_parts(slot)
        bound = self._bound.get((deck, number))
        if bound is None or bound.epoch.by != player or not bound.leaves:
            raise FileRefused(
                "E-OPEN",
                f"{slot} is opened before its deck was committed, challenged and replied for",
                rule=RULE,
            )
        assert bound.trial is not None
        fits = place < len(bound.leaves) and (
            leaf_of(bound.epoch, bound.trial, place, card, nonce) == bound.leaves[place]
        )
        if not fits:
            raise FileRefused("E-OPEN", f"what is shown is not what lies in {slot}", rule=RULE)
        others = [each for at, each in bound.opened.items() if at != place]
        if card not in bound.epoch.cards or card in others:
            raise FileRefused(
                "E-DECK", f"{card} lies twice in deck {bound.name}, or does not belong in it",
                rule=RULE,
            )  # fmt: skip
        self._bound[deck, number] = replace(bound, opened={**bound.opened, place: card})

    def plain(self) -> list[dict[str, Any]]:
        """The public state of the decks."""
        return [each.plain() for each in self]

    def text(self) -> str:
        """`plain` as canonical text."""
        return "[" + ",".join(each.text for each in self) + "]"


def slot_parts(slot: str) -> tuple[str, int, int]:
    """Deck, epoch and place of a slot."""
    deck, number, place = slot.split("/")
    return deck, int(number), int(place)
