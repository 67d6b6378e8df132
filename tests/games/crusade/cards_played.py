"""Events of cards in a few words: a round begun with the card, driven through the kernel."""

from __future__ import annotations

from typing import Any

from pbem.engine import kernel
from pbem.engine.model import Decision, Event, Side, State
from pbem.games.crusade.orders import Play
from pbem.games.crusade.position import Position
from pbem.games.crusade.stages.round import PlayCard, RoundEnd
from tests.games.crusade.board import table
from tests.games.crusade.fights import Round


def hand(side: Side, *cards: str, turn: int = 8, **facts: Any) -> State[Position]:
    """A side's round in which it holds these cards; the prerequisites of the first are played."""
    facts = {"active": side, "round": 2, "flags": frozenset(), **facts}
    position = table(turn, hand={side: cards}, **facts)
    needed = position.card(cards[0]).needs
    if "played" not in facts:
        position = position.but(played=frozenset(needed))
    return State(position, (RoundEnd(side), PlayCard(side)))


def refused(side: Side, card: str, use: str = "event", **facts: Any) -> list[str]:
    """What is said against a card, as `rule: message`."""
    found = kernel.violations(hand(side, card, **facts), Play(card, use))
    return [f"{each.rule}: {each.message}" for each in found]


def rules_against(side: Side, card: str, use: str = "event", **facts: Any) -> list[str]:
    return [each.rule for each in kernel.violations(hand(side, card, **facts), Play(card, use))]


class CardRound(Round):
    """A round of one side in which a card is played as an event."""

    def __init__(self, side: Side, card: str, **facts: Any) -> None:
        self.events: list[Event[Position]] = []
        self.before = hand(side, card, **facts)
        self._take(kernel.submit(self.before, Play(card, "event")))

    def default(self) -> CardRound:
        """The present question is answered as for a silent player."""
        asked = self.asks
        assert isinstance(asked, Decision)
        self.say(asked.default)
        return self

    def finish(self) -> CardRound:
        """All that is still asked is answered so."""
        while self.question:
            self.default()
        return self

    @property
    def score(self) -> tuple[int, int]:
        """By how much Victory Points and Republican Morale have changed."""
        old, new = self.before.position, self.position
        return new.vp - old.vp, new.rm - old.rm


def played(side: Side, card: str, **facts: Any) -> CardRound:
    return CardRound(side, card, **facts)
