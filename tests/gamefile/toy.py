"""A small game for the tests of the protocol: two duellists, cards, attacks, a retreat, a draw.

Player A has the first round, then they take turns. In their round a player attacks as often as they
like with some of their strength, draws a card, or passes, which ends the round.

- attack {force}: the defender is asked for a card (`card {use}`, react), two dice fall. Where the
  attacker's is higher (a third of their force added to it, the card to the other) the defender
  loses the difference and is asked to hold, for one more, or to fall back (`stand {how}`,
  post_choice); if they fell back the attacker is asked whether to advance (`advance {go}`,
  post_choice). Otherwise the attacker loses one.
- draw {}: one card of the public deck, by a sample.
- pass {}: the other player's round begins.

An order can wait: `when {round}` for a round of that number, `when {ground}` for so much ground won
at least. An attack that waits outlives a round.

At the start each player draws two cards. The game ends after eight rounds or when somebody has no
strength left. Twelve strength each; a card adds its number to the defender's die.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pbem.engine.dice import Dice, Draw
from pbem.gamefile.in_play import (
    Asked,
    DiceWanted,
    Finished,
    Laid,
    OrderRefused,
    Policy,
    ReadOrder,
    other,
)
from pbem.problems import Problem

ROUNDS = 8
DECK = (1, 1, 2, 2, 3, 3, 4, 4)
DOCUMENT = {"card", "stand", "go", "slot", "give_way"}
CHANCES = {
    stage: DiceWanted(what)
    for stage, what in {"deal": "the deal", "fight": "the fight", "draw": "a card"}.items()
}

DEFAULTS: dict[str, dict[str, Any]] = {
    "order": {"pass": {}},
    "card": {"card": {"use": None}},
    "stand": {"stand": {"how": "hold"}},
    "advance": {"advance": {"go": False}},
}


@dataclass(frozen=True)
class Toy:
    """A position of the duel; `stage` says what comes next."""

    stage: str = "deal"
    number: int = 1
    active: str = "A"
    strength: tuple[int, int] = (12, 12)
    hands: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    deck: tuple[int, ...] = DECK
    force: int = 0
    card: int = 0
    ground: int = 0
    drawn: int = 0
    verbs: ClassVar[frozenset[str]] = frozenset(
        {"attack", "draw", "pass", "card", "stand", "advance"}
    )
    leading: ClassVar[frozenset[str]] = frozenset({"attack", "draw", "pass"})
    hiding: ClassVar[frozenset[str]] = frozenset()

    def waits(self) -> Asked | DiceWanted | Finished:
        if self.stage in CHANCES:
            return CHANCES[self.stage]
        if self.stage == "order":
            return Asked(self.active, f"orders of round {self.number}")
        if self.stage == "card":
            return Asked(other(self.active), "a card for the defence", "react")
        if self.stage == "stand":
            return Asked(other(self.active), "hold or fall back", "post_choice")
        if self.stage == "advance":
            return Asked(self.active, "advance or stay", "post_choice")
        return Finished({"winner": self.winner()})

    def round(self) -> str:
        return str(self.number)

    def holds(self, order: ReadOrder) -> bool:
        when = order.plain["when"]
        return (
            when.get("round", self.number) == self.number and when.get("ground", 0) <= self.ground
        )

    def outlives(self, before: Toy, order: ReadOrder) -> bool:
        return "attack" in order.plain and "when" in order.plain

    def doubts(self, order: ReadOrder) -> tuple[Problem, ...]:
        return ()

    def read(self, order: Mapping[str, Any]) -> ReadOrder:
        verb, fields = said(order)
        if verb not in self.verbs or type(fields) is not dict:
            raise refusal(f"{verb} is no order of the duel", "toy-form")
        for fact, wanted in order.get("when", {}).items():
            if fact not in ("round", "ground") or type(wanted) is not int:
                raise refusal(f"nothing waits for {fact} {wanted}"[:80], "toy-form")

        return self.unchecked(order)

    def unchecked(self, order: Mapping[str, Any]) -> ReadOrder:
        """An order read by a program that does not look whether it is one."""
        leads, hides = (not verbs.isdisjoint(order) for verbs in (self.leading, self.hiding))
        return ReadOrder(order, None, leads, hides=hides)

    def answers(self, order: ReadOrder) -> bool:
        verbs = {
            "order": {"attack", "draw", "pass"},
            "card": {"card"},
            "stand": {"stand"},
            "advance": {"advance"},
        }
        return not verbs.get(self.stage, set()).isdisjoint(order.plain)

    def submit(self, order: ReadOrder) -> Toy:
        verb, fields = said(order.plain)
        if not self.answers(order) or not isinstance(fields, dict):
            raise refusal(f"{verb} is not wanted now")
        return getattr(self, f"_{verb}")(fields)

    def _attack(self, fields: dict[str, Any]) -> Toy:
        force = fields.get("force")
        if type(force) is not int or not 1 <= force <= self.of(self.active):
            raise refusal(f"{self.active} has only {self.of(self.active)} strength")
        return replace(self, stage="card", force=force, card=0)

    def _draw(self, fields: dict[str, Any]) -> Toy:
        if not self.deck:
            raise refusal("the deck is empty")
        if self.drawn >= 2:
            raise refusal("two cards a round are enough")
        return replace(self, stage="draw", drawn=self.drawn + 1)

    def _pass(self, fields: dict[str, Any]) -> Toy:
        if self.number == ROUNDS:
            return replace(self, stage="end")
        return replace(
            self, stage="order", number=self.number + 1, active=other(self.active), drawn=0
        )

    def _card(self, fields: dict[str, Any]) -> Toy:
        use, hand = fields.get("use"), list(self.hands[index(other(self.active))])
        if use is None:
            return replace(self, stage="fight")
        if use not in hand:
            raise refusal(f"card {use} is not in the hand")
        hand.remove(use)
        return replace(
            self, stage="fight", card=use, hands=put(self.hands, other(self.active), tuple(hand))
        )

    def _stand(self, fields: dict[str, Any]) -> Toy:
        if fields.get("how") == "hold":
            return self.hurt(other(self.active), 1).to_orders()
        if fields.get("how") != "fall_back":
            raise refusal("hold or fall_back")
        return replace(self, stage="advance")

    def _advance(self, fields: dict[str, Any]) -> Toy:
        if type(fields.get("go")) is not bool:
            raise refusal("true or false")
        return replace(self, ground=self.ground + fields["go"]).to_orders()

    def seal(self, entry: int) -> Toy:
        raise AssertionError("nothing is secret in the plain duel")

    def listed(self, order: ReadOrder) -> tuple[Any, ...]:
        raise AssertionError("nothing is listed in the plain duel")

    def default(self) -> ReadOrder:
        return self.read(DEFAULTS[self.stage])

    def roll(self, dice: Dice) -> Toy:
        if self.stage == "deal":
            drawn = dice.roll([Draw("draw/D/#", "opening hands", of=len(self.deck), take=4)])
            picked = drawn["draw/D/#"].picked
            cards = [self.deck[at] for at in picked]
            return replace(
                self, stage="order", deck=without(self.deck, picked),
                hands=(tuple(cards[:2]), tuple(cards[2:])),
            )  # fmt: skip
        if self.stage == "draw":
            (at,) = dice.roll([Draw("draw/D/#", "a card", of=len(self.deck), take=1)])[
                "draw/D/#"
            ].picked
            mine = (*self.hands[index(self.active)], self.deck[at])
            return replace(
                self, stage="order", deck=without(self.deck, (at,)),
                hands=put(self.hands, self.active, mine),
            )  # fmt: skip
        rolled = dice.roll(
            [Draw("fight/#/att", "attacker's die"), Draw("fight/#/def", "defender's die")]
        )
        attack = rolled["fight/#/att"].face + self.force // 3
        defence = rolled["fight/#/def"].face + self.card
        if attack > defence:
            return self.hurt(other(self.active), attack - defence).beaten()
        return self.hurt(self.active, 1).to_orders()

    def allows(self, order: ReadOrder) -> bool:
        try:
            self.submit(order)
        except OrderRefused:
            return False
        return True

    def covers(self, by: str, slot: str, scope: Any, until: str | None) -> bool:
        asked = {"card": "card", "stand": "stand", "advance": "go"}.get(self.stage)
        scope = scope if isinstance(scope, dict) else {}
        limit = scope.get("ask_from_force")
        if asked is None or (type(limit) is int and self.force >= limit):
            return False
        if until is not None and str(self.number) > until:
            return False
        return asked in scope.get("only", (asked,))

    def check_policy(self, by: str, slot: str, scope: Any, until: str | None, doc: Any) -> None:
        odd = {*(scope or {})} - {"only", "ask_from_force"} or {*(doc or {})} - DOCUMENT
        if odd:
            raise refusal(f"a policy has no {min(odd)}", "toy-form")

    def policy_shows(self, policy: Policy) -> tuple[str, ...]:
        return ()

    def policy_answer(self, policy: Policy) -> ReadOrder:
        if self.stage == "card":
            order = {"card": {"use": policy.doc.get("card")}}
        elif self.stage == "stand":
            order = {"stand": {"how": policy.doc.get("stand")}}
        else:
            order = {"advance": {"go": policy.doc.get("go")}}
        return self.or_default(order)

    def or_default(self, order: Mapping[str, Any]) -> ReadOrder:
        read = self.read(order)
        return read if self.allows(read) else self.default()

    def public(self) -> dict[str, Any]:
        return {
            "stage": self.stage,
            "round": self.number,
            "active": self.active,
            "strength": list(self.strength),
            "hands": [list(hand) for hand in self.hands],
            "deck": list(self.deck),
            "force": self.force,
            "card": self.card,
            "ground": self.ground,
            "drawn": self.drawn,
        }

    # --- hidden cards: none here (sealed_toy.py has them)

    def laid(self) -> tuple[Laid, ...]:
        return ()

    def renumbered(self, used: Mapping[str, int]) -> Toy:
        return self

    def renewed(self, player: str) -> Toy:
        return self

    def hand(self, player: str) -> tuple[str, ...]:
        return ()

    def known(self) -> dict[str, str]:
        return {}

    def learn(self, cards: Mapping[str, str]) -> Toy:
        return self

    def informed(self, cards: Mapping[str, str]) -> Toy:
        return self

    def shows(self, by: str, order: ReadOrder, before: Sequence[ReadOrder] = ()) -> tuple[str, ...]:
        return ()

    def worded(self, by: str, order: ReadOrder, given: Sequence[ReadOrder] = ()) -> ReadOrder:
        return order

    def looks_at(self, player: str) -> tuple[str, ...]:
        return self.hand(player)

    def must_show(self) -> tuple[str, ...]:
        return ()

    def misfit(self, slot: str, card: str) -> str:
        return ""

    def called(self, slot: str) -> str:
        return f"the card in {slot}"

    def may_hide_counters(self) -> bool:
        return False

    def owes(self, player: str) -> tuple[str, ...]:
        return ()

    # --- small parts

    def of(self, player: str) -> int:
        return self.strength[index(player)]

    def hurt(self, player: str, by: int) -> Toy:
        return replace(self, strength=put(self.strength, player, max(0, self.of(player) - by)))

    def beaten(self) -> Toy:
        return replace(self, stage="end" if 0 in self.strength else "stand")

    def to_orders(self) -> Toy:
        return replace(self, stage="end" if 0 in self.strength else "order", force=0, card=0)

    def winner(self) -> str:
        a, b = self.strength
        return "A" if a > b else "B" if b > a else "nobody"


def said(order: Mapping[str, Any]) -> tuple[str, Any]:
    """The verb of an order, and its fields."""
    ((verb, fields),) = ((name, each) for name, each in order.items() if name != "when")
    return verb, fields


def index(player: str) -> int:
    return "AB".index(player)


def put(pair: tuple, player: str, value: Any) -> tuple:
    return (value, pair[1]) if player == "A" else (pair[0], value)


def without(deck: tuple[int, ...], gone: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(card for at, card in enumerate(deck) if at not in gone)


def refusal(message: str, code: str = "toy") -> OrderRefused:
    return OrderRefused(Problem(code, message))


def open_toy(proposal: Mapping[str, Any]) -> Toy:
    return Toy()
