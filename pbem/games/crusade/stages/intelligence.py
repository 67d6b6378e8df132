"""Seeing some cards of a hand: by intelligence (18.3.5) or by guerrillas (18.1.9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Done, KeepCard
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.options_decks import KEPT, services_are_young
from pbem.games.crusade.stages.event_operations import LookAtHand
from pbem.games.crusade.stages.showing import Shown
from pbem.games.crusade.tables import INITIAL, PEOPLE
from pbem.messages import say
from pbem.value import value


def look_at_hand(position: Position, owner: s.Side) -> s.Stage[Position]:
    """The look at a hand by N32 and R27: the whole hand, or half of it."""
    return SomeCards(owner, half=True) if services_are_young(position) else LookAtHand(owner)


@value
@CITE.serves("18.3.5")
class SomeCards(s.AutoStage[Position]):
    """A number of cards of a hand, or half of it rounded up; chance picks if there are more."""

    owner: s.Side
    count: int = 0
    half: bool = False

    def run(self, position: Position) -> s.Outcome:
        hand = position.decks[self.owner].hand
        count = (len(hand) + 1) // 2 if self.half else min(self.count, len(hand))
        if count < len(hand):
            return s.Outcome(then=(PickedCards(self.owner, count),))
        return s.Outcome(then=(Shown(self.owner, hand),))


@value
class PickedCards(s.ChanceStage[Position]):
    """Which cards of a hand are seen; picked positions count in slot order."""

    owner: s.Side
    count: int

    def chance(self, position: Position) -> s.Chance:
        owner = say(PEOPLE[self.owner])
        draw = s.Draw(self._label, say("known cards in the {side} hand", side=owner),
                    of=len(position.decks[self.owner].hand), take=self.count)  # fmt: skip
        return s.Chance("intelligence", "18.3.5", (draw,))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        hand = position.decks[self.owner].hand
        slots = tuple(hand[place] for place in sorted(rolled[self._label].picked))
        return s.Outcome(then=(Shown(self.owner, slots),))

    @property
    def _label(self) -> str:
        return f"look/{INITIAL[self.owner].lower()}/#"


# --- a service that serves again ----------------------------------------------------------------


@CITE.refusal("18.3.5")
def is_the_service(
    stage: KeepingCard, position: Position, order: KeepCard
) -> Iterator[s.Violation]:
    """Only the card just played can be kept."""
    if order.card != stage.card:
        yield s.Violation(say("only {card} may be kept", card=stage.card), at=("card",))


@value
class KeepingCard(s.PlayerStage[Position]):
    """At the end of the round the card leaves the game, or waits for the last deck."""

    side: s.Side
    card: str

    def ask(self, position: Position) -> s.Decision | None:
        if not services_are_young(position):
            return None
        return s.Decision(
            side=self.side,
            stage="intelligence card",
            prompt=say(
                "put {card} into the deck of the War of the Armies, or say done", card=self.card
            ),
            rule="18.3.5",
            options=(s.Option(KeepCard, {"card": s.OneOf((self.card,))}), s.Option(Done, {})),
            default=Done(),
            optional=True,
        )

    check = s.by_verb({KeepCard: s.checks((is_the_service,)), Done: s.checks()})

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        kept = isinstance(order, KeepCard)
        return s.Outcome((e.FlagSet(f"{KEPT}{self.card}"),) if kept else ())
