"""The duel of sealed_toy.py with cups: cards go back unseen, and are laid anew by their tags.

`back {slot}` puts a card of the hand back into the pile, face down; `gather {}` puts the own
discards there. A pile to which something came back is laid anew before the next `draw {}`: its
cards are the ones both know and the tags of all slots in it. Who opens a slot that holds a tag has
the older slot in the hand instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pbem.engine.tags import slot_under, tag_of, way
from pbem.gamefile.in_play import ReadOrder
from tests.gamefile.sealed_toy import CARDS, DECKS, SealedToy
from tests.gamefile.toy import index, put, refusal


@dataclass(frozen=True)
class CupToy(SealedToy):
    """`ways` is what a view knows of each slot; `stirred` are those to whose pile something came
    back."""

    ways: Mapping[str, str] = field(default_factory=dict, compare=False)
    stirred: tuple[str, ...] = ()
    verbs: ClassVar[frozenset[str]] = SealedToy.verbs | {"back"}
    leading: ClassVar[frozenset[str]] = SealedToy.leading | {"back"}

    def answers(self, order: ReadOrder) -> bool:
        return (self.stage == "order" and "back" in order.plain) or super().answers(order)

    def _back(self, fields: dict[str, Any]) -> CupToy:
        slot, at = fields.get("slot"), index(self.active)
        if slot not in self.held[at] or slot in self.open:
            raise refusal(f"{slot} is not face down in the hand", "E-CARD")
        kept = tuple(each for each in self.held[at] if each != slot)
        after = replace(self, held=put(self.held, self.active, kept))
        return after._returned((slot,))

    def _gather(self, fields: dict[str, Any]) -> CupToy:
        cards = self.discards[index(self.active)]
        if not cards:
            raise refusal("there are no discards")
        after = replace(self, discards=put(self.discards, self.active, ()))
        return after._returned(cards)

    def _returned(self, back: tuple[str, ...]) -> CupToy:
        pile = (*self.piles[index(self.active)], *back)
        return replace(
            self,
            piles=put(self.piles, self.active, pile),
            stirred=tuple(sorted({*self.stirred, self.active})),
        )

    def _draw(self, fields: dict[str, Any]) -> Any:
        if self.active not in self.stirred:
            return super()._draw(fields)
        cards = [tag_of(each) for each in self.piles[index(self.active)]]
        bare = replace(
            self,
            piles=put(self.piles, self.active, ()),
            stirred=tuple(each for each in self.stirred if each != self.active),
        )
        return replace(bare._lay(self.active, cards), stage="draw")

    # --- hidden cards

    def learn(self, cards: Mapping[str, str]) -> Any:
        after = self
        for slot, card in cards.items():
            under = slot_under(card)
            if not under:
                after = replace(after, open={**after.open, slot: card})
                continue
            held = [tuple(under if each == slot else each for each in hand) for hand in after.held]
            after = replace(after, held=(held[0], held[1]))
        return after._settled()

    def informed(self, cards: Mapping[str, str]) -> Any:
        ways = {**self.ways, **cards}
        ends = {slot: list(way(ways, slot))[-1][1] for slot in ways}
        return replace(self, ways=ways, secret=ends)

    def shows(self, by: str, order: ReadOrder, before: Sequence[ReadOrder] = ()) -> tuple[str, ...]:
        hand = super().shows(by, order)
        return tuple(slot for each in hand for slot, _ in way(self.ways, each))

    def looks_at(self, player: str) -> tuple[str, ...]:
        return tuple(
            f"{each.deck}/{each.epoch}/{place}"
            for each in self.bound
            if each.by == player
            for place in range(len(each.cards))
        )

    def public(self) -> dict[str, Any]:
        return {**super().public(), "stirred": list(self.stirred)}


def open_cup_toy(proposal: Mapping[str, Any]) -> Any:
    toy = CupToy(deck=())
    for player in DECKS:
        toy = toy._lay(player, CARDS[player])
    return toy
