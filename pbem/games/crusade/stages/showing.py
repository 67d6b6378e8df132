"""Cards of a hidden hand that the enemy must see, and the event once they have seen them."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import ShowHand
from pbem.games.crusade.position import Position
from pbem.messages import say
from pbem.value import value

Slots = tuple[str, ...]


@value
class Shown(s.AutoStage[Position]):
    """These slots are seen as soon as all are open; their owner still owes the hidden ones."""

    owner: s.Side
    slots: Slots
    whole: bool = False
    """Whether it is the whole hand, not some of its cards."""

    def run(self, position: Position) -> s.Outcome:
        if hidden_among(position, self.slots):
            return s.Outcome(keep=self, then=(ShowingCards(self.owner, self.slots, self.whole),))
        seen: type[e.HandShown | e.CardsSeen] = e.HandShown if self.whole else e.CardsSeen
        return s.Outcome((seen(self.owner, self.slots),) if self.slots else ())


def hidden_among(position: Position, slots: Slots) -> Slots:
    """The slots whose card one player does not know."""
    return tuple(slot for slot in slots if slot not in position.known)


@CITE.refusal("8.5.1.1")
def cards_are_at_hand(
    stage: ShowingCards, position: Position, order: ShowHand
) -> Iterator[s.Violation]:
    """Every card that must be seen is opened."""
    closed = [slot for slot in stage.slots if position.card_in(slot) is None]
    if closed:
        yield s.Violation(
            say("{closed} must be opened", closed=", ".join(closed)),
            hint=say("the player with the key opens them"),
        )


@value
class ShowingCards(s.PlayerStage[Position]):
    """The owner must open hidden cards and can answer nothing else.

    Once all are open, nobody is asked any more.
    """

    side: s.Side
    slots: Slots
    whole: bool = False

    def ask(self, position: Position) -> s.Decision | None:
        if not self.must_show(position):
            return None
        return s.Decision(
            side=self.side,
            stage="show cards",
            prompt=say(
                "show the whole hand" if self.whole else "show the cards drawn from the hand"
            ),
            rule="8.5.1.1",
            options=(s.Option(ShowHand, {}),),
            default=ShowHand(),
        )

    def must_show(self, position: Position) -> Slots:
        """The slots of these that are still hidden."""
        return hidden_among(position, self.slots)

    check = s.checks((cards_are_at_hand,))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        return s.Outcome(tuple(opened(position, self.side, self.must_show(position))))


def opened(position: Position, side: s.Side, slots: Slots) -> Iterator[s.Event[Position]]:
    """The events of opening slots, for a player who knows them."""
    for slot in slots:
        card = position.card_in(slot)
        assert card is not None, slot
        yield e.CardOpened(side, slot, card)
