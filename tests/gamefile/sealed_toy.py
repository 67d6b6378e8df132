"""The duel of toy.py with hidden hands: each player draws from a sealed deck of their own.

What is new: `card {use: "b3x"}` names a card of the hand, which is opened for it; `look {}` shows
the active player half of the other's hand, picked by chance; `redraw {}` opens the own hand, which
may hold no 4, and draws it anew from a new epoch of the whole deck; `gather {}` shuffles the own
discards into the pile, as a new epoch; `toss {slot}` lays a card away face down; `card {use: null,
give_way: true}` calls the fight off, and the attacker is asked to advance. One rule nobody can
check while hands are hidden: against a force of 9 or more a 4 must be played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pbem.engine.dice import Dice, Draw
from pbem.gamefile.in_play import Asked, DiceWanted, Finished, Laid, Policy, ReadOrder, other
from tests.gamefile.toy import Toy, index, put, refusal

DECKS = {player: player.lower() for player in "AB"}
CARDS = {
    player: tuple(sorted(f"{deck}{number}{copy}" for number in "1234" for copy in "xy"))
    for player, deck in DECKS.items()
}
VERBS = {"attack", "draw", "pass", "look", "redraw", "gather", "toss"}


@dataclass(frozen=True)
class SealedToy(Toy):
    """Slots where the open toy has cards."""

    piles: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    held: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    discards: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    face_down: tuple[str, ...] = ()
    bound: tuple[Laid, ...] = ()
    open: Mapping[str, str] = field(default_factory=dict)
    secret: Mapping[str, str] = field(default_factory=dict, compare=False)
    shown: tuple[str, ...] = ()
    used: Mapping[str, int] = field(default_factory=dict)
    wanted: int = 0
    anew: tuple[Any, ...] | None = None  # player, cards in hand, face down, stage behind, and
    # where that is the same of the other player, what is dealt to them then
    verbs: ClassVar[frozenset[str]] = Toy.verbs | VERBS
    leading: ClassVar[frozenset[str]] = frozenset(VERBS)

    def waits(self) -> Asked | DiceWanted | Finished:
        if self.stage == "look":
            return DiceWanted("a look")
        if self.stage == "muster":
            return DiceWanted("a new hand")
        if self.stage == "anew":
            return DiceWanted("hidden cards dealt anew")
        if self.stage == "showing":
            return Asked(other(self.active), "show the cards that were picked", "react")
        return super().waits()

    def answers(self, order: ReadOrder) -> bool:
        if self.stage == "order":
            return not VERBS.isdisjoint(order.plain)
        return super().answers(order)

    # --- orders

    def _draw(self, fields: dict[str, Any]) -> SealedToy:
        if not self.piles[index(self.active)]:
            raise refusal("the pile is empty")
        return replace(self, stage="draw")

    def _look(self, fields: dict[str, Any]) -> SealedToy:
        if not self.held[index(other(self.active))]:
            raise refusal("there is nothing to look at")
        return replace(self, stage="look")

    def _redraw(self, fields: dict[str, Any]) -> SealedToy:
        hand = self.held[index(self.active)]
        if not hand or not set(hand) <= set(self.open):
            raise refusal("a hand that is drawn anew is opened first", "E-CARD")
        cards = [self.open[slot] for slot in hand]
        if any(card[1] == "4" for card in cards):
            raise refusal("a hand with a 4 is kept")
        gone = {
            *self.discards[index(self.active)],
            *(self.open.get(slot, "") for slot in self.face_down),
        }
        left = [card for card in CARDS[self.active] if card not in gone]
        bare = replace(
            self,
            held=put(self.held, self.active, ()),
            piles=put(self.piles, self.active, ()),
            wanted=len(hand),
            stage="muster",
        )
        return bare._lay(self.active, left)

    def _gather(self, fields: dict[str, Any]) -> SealedToy:
        cards = self.discards[index(self.active)]
        if not cards:
            raise refusal("there are no discards")
        return replace(self, discards=put(self.discards, self.active, ()))._lay(self.active, cards)

    def _toss(self, fields: dict[str, Any]) -> SealedToy:
        slot, hand = fields.get("slot"), self.held[index(self.active)]
        if slot not in hand:
            raise refusal(f"{slot} is not in the hand", "E-CARD")
        kept = tuple(each for each in hand if each != slot)
        return replace(
            self,
            held=put(self.held, self.active, kept),
            face_down=(*self.face_down, slot),
        )

    def _card(self, fields: dict[str, Any]) -> SealedToy:
        use, player = fields.get("use"), other(self.active)
        hand = self.held[index(player)]
        seen = {**self.secret, **self.open}
        fours = [seen[slot] for slot in hand if seen.get(slot, "--")[1] == "4"]
        if self.force >= 9 and fours and use not in fours:
            raise refusal(f"{fours[0]} must be played against so many")
        if use is None:
            return replace(self, stage="advance" if fields.get("give_way") is True else "fight")
        slots = [slot for slot in hand if seen.get(slot) == use]
        if not slots:
            raise refusal(f"card {use} is not in the hand")
        kept = tuple(slot for slot in hand if slot != slots[0])
        return replace(
            self,
            stage="fight",
            card=int(use[1]),
            held=put(self.held, player, kept),
            discards=put(self.discards, player, (*self.discards[index(player)], use)),
        )

    # --- chance

    def roll(self, dice: Dice) -> SealedToy:
        if self.stage == "deal":
            return self._drawn(dice, "AB", 2)
        if self.stage == "draw":
            return self._drawn(dice, self.active, 1)
        if self.stage == "muster":
            return self._drawn(dice, self.active, self.wanted)
        if self.stage == "anew":
            return self._dealt_anew(dice)
        if self.stage == "look":
            watched = other(self.active)
            hand, label = self.held[index(watched)], f"look/{DECKS[watched]}/#"
            count = (len(hand) + 1) // 2
            picked = dice.roll([Draw(label, "a look", of=len(hand), take=count)])[label].picked
            shown = tuple(hand[at] for at in sorted(picked))
            return replace(self, stage="showing", shown=shown)._settled()
        return super().roll(dice)

    def _dealt_anew(self, dice: Dice) -> SealedToy:
        player, held, down, behind, *then = self.anew
        pile, label = self.piles[index(player)], f"draw/{DECKS[player]}/#"
        picked = dice.roll([Draw(label, "cards", of=len(pile), take=held + down)])[label].picked
        drawn = [pile[at] for at in picked]
        hand = {*self.held[index(player)], *drawn[:held]}
        return replace(
            self,
            stage=behind,
            anew=then[0] if then else None,
            piles=put(self.piles, player, tuple(slot for slot in pile if slot not in drawn)),
            held=put(self.held, player, tuple(sorted(hand))),
            face_down=(*self.face_down, *drawn[held:]),
        )

    def _drawn(self, dice: Dice, players: str, count: int) -> SealedToy:
        labels = {player: f"draw/{DECKS[player]}/#" for player in players}
        draws = [
            Draw(labels[player], "cards", of=len(self.piles[index(player)]), take=count)
            for player in players
        ]
        rolled, after = dice.roll(draws), replace(self, stage="order")
        for player in players:
            pile = after.piles[index(player)]
            slots = {pile[at] for at in rolled[labels[player]].picked}
            kept = tuple(slot for slot in pile if slot not in slots)
            hand = tuple(sorted({*after.held[index(player)], *slots}))
            after = replace(
                after,
                piles=put(after.piles, player, kept),
                held=put(after.held, player, hand),
            )
        return after

    # --- hidden cards

    def _lay(self, player: str, cards: tuple[str, ...] | list[str]) -> SealedToy:
        deck = DECKS[player]
        epoch = 1 + self._last(deck)
        slots = tuple(f"{deck}/{epoch}/{place}" for place in range(len(cards)))
        return replace(
            self,
            bound=(*self.bound, Laid(deck, player, epoch, tuple(sorted(cards)))),
            piles=put(self.piles, player, (*self.piles[index(player)], *slots)),
        )

    def _last(self, deck: str) -> int:
        last = max((each.epoch for each in self.bound if each.deck == deck), default=0)
        return max(last, self.used.get(deck, 0))

    def laid(self) -> tuple[Laid, ...]:
        return self.bound

    def renumbered(self, used: Mapping[str, int]) -> SealedToy:
        return replace(self, used=used)

    def renewed(self, player: str) -> SealedToy:
        """All hidden cards of a player are a new epoch.

        From it as many are drawn as they held, then as many as lay face down, before all else; a
        look that they have not answered is picked anew.
        """
        at, is_shown = index(player), self.stage == "showing" and player != self.active
        kept = tuple(slot for slot in self.held[at] if slot in self.open)
        down = [slot for slot in self.face_down if slot[0] == DECKS[player]]
        lies = [self.open[slot] for slot in down if slot in self.open]
        seen = {*self.discards[at], *lies, *(self.open[slot] for slot in kept)}
        held, hidden = len(self.held[at]) - len(kept), len(down) - len(lies)
        bare = replace(
            self,
            held=put(self.held, player, kept),
            piles=put(self.piles, player, ()),
            face_down=tuple(
                slot for slot in self.face_down if slot not in down or slot in self.open
            ),
            bound=tuple(each for each in self.bound if each.by != player),
            used={**self.used, DECKS[player]: self._last(DECKS[player])},
            stage="look" if is_shown else self.stage,
            shown=() if is_shown else self.shown,
        )
        cards = [card for card in CARDS[player] if card not in seen]
        after = bare._lay(player, cards) if cards else bare
        if not held + hidden:
            return after
        then = () if after.anew is None else (after.anew,)
        return replace(after, stage="anew", anew=(player, held, hidden, after.stage, *then))

    def hand(self, player: str) -> tuple[str, ...]:
        return self.held[index(player)]

    def known(self) -> Mapping[str, str]:
        return self.open

    def learn(self, cards: Mapping[str, str]) -> SealedToy:
        return replace(self, open={**self.open, **cards})._settled()

    def informed(self, cards: Mapping[str, str]) -> SealedToy:
        return replace(self, secret={**self.secret, **cards})

    def shows(self, by: str, order: ReadOrder, before: Sequence[ReadOrder] = ()) -> tuple[str, ...]:
        hand = self.held[index(by)]
        hidden = [slot for slot in hand if slot not in self.open]
        if "redraw" in order.plain:
            return tuple(hidden)
        if "card" not in order.plain or not isinstance(order.plain["card"], dict):
            return ()
        used = order.plain["card"].get("use")
        return tuple(slot for slot in hidden if used and self.secret.get(slot) == used)

    def worded(self, by: str, order: ReadOrder, given: Sequence[ReadOrder] = ()) -> ReadOrder:
        return order

    def looks_at(self, player: str) -> tuple[str, ...]:
        return self.hand(player)

    def must_show(self) -> tuple[str, ...]:
        if self.stage != "showing":
            return ()
        return tuple(slot for slot in self.shown if slot not in self.open)

    def _settled(self) -> SealedToy:
        if self.stage == "showing" and not self.must_show():
            return replace(self, stage="order", shown=())
        return self

    # --- policies name cards by slot

    def policy_shows(self, policy: Policy) -> tuple[str, ...]:
        slot = policy.doc.get("slot")
        hidden = slot in self.held[index(policy.by)] and slot not in self.open
        return (slot,) if self.stage == "card" and hidden else ()

    def policy_answer(self, policy: Policy) -> ReadOrder:
        if self.stage != "card":
            return super().policy_answer(policy)
        slot = policy.doc.get("slot")
        use = self.open.get(slot) if slot in self.held[index(policy.by)] else None
        order: dict[str, Any] = {"card": {"use": use}}
        if use is None and policy.doc.get("give_way") is True:
            order["card"]["give_way"] = True
        return self.or_default(order)

    def public(self) -> dict[str, Any]:
        return {
            **super().public(),
            "piles": [list(pile) for pile in self.piles],
            "held": [list(hand) for hand in self.held],
            "discards": [list(cards) for cards in self.discards],
            "face_down": list(self.face_down),
            "open": [f"{slot} {self.open[slot]}" for slot in sorted(self.open)],
            **({} if self.anew is None else {"anew": plainly(self.anew)}),
        }


def plainly(anew: tuple[Any, ...]) -> list[Any]:
    """What is dealt anew, as a plain value."""
    return [plainly(each) if isinstance(each, tuple) else each for each in anew]


def open_sealed_toy(proposal: Mapping[str, Any]) -> SealedToy:
    toy = SealedToy(deck=())
    for player in "AB":
        toy = toy._lay(player, CARDS[player])
    return toy


@dataclass(frozen=True)
class WaryToy(SealedToy):
    """A defender is asked for a card only while both know at most one of theirs, so a take-back
    behind which both know more may undo the question itself. Who opens one plays it.
    """

    def learn(self, cards: Mapping[str, str]) -> SealedToy:
        after = super().learn(cards)
        is_over = after.stage == "card" and len(cards) > 1 and after.force < 9  # that takes a 4
        return replace(after, stage="fight") if is_over else after


def open_wary_toy(proposal: Mapping[str, Any]) -> WaryToy:
    """As `open_sealed_toy`."""
    return WaryToy(**vars(open_sealed_toy(proposal)))
