"""The demands of enemy cards and guerrillas: units that are taken, and cards that are lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pbem.engine.codec import pairs
from pbem.engine.model import Order, Side, Violation
from pbem.engine.policies.rows import Answer, Clause, Document, Example
from pbem.engine.shapes import Fields, Many, OrWord, Pairs, Shape, listed
from pbem.games.crusade.conditions import RANKING
from pbem.games.crusade.orders import Discard, Remove
from pbem.games.crusade.policies.cards import IN_HAND, SLOTS, cards_in, slots_of
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.ranking import first_named
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN
from pbem.messages import marked, say

if TYPE_CHECKING:
    from pbem.games.crusade.stages.event_units import ForcedRemoval
    from pbem.games.crusade.stages.guerrilla import LosingCard

TAKES_OF = {"N31": REPUBLICAN, "R47": NATIONALIST}
"""The side that loses a unit by cards that let its owner choose."""
DISCARD = "discard"
LOWEST = "lowest_ops"
"""Of the cards held when the policy is written, the least goes first."""


def _said_for(card: str, policy: Document) -> Any:
    """The entry of `forced` for a card, or for a discard; nothing by default."""
    return dict(policy.get("forced", ())).get(card, ())


def _taken(position: Position, stage: ForcedRemoval, policy: Document) -> Order:
    """The unit a card takes, by the words for that card; without any it is the game's own
    choice.
    """
    worn_first = sorted(stage.units, key=lambda unit: not position.is_reduced(unit))
    return Remove(first_named(position, _said_for(stage.card, policy), worn_first))


def _lost_card(position: Position, stage: LosingCard, policy: Document) -> Order | None:
    """The first card of the policy's list, else of the hand; of an open hand the least."""
    card = position.known.get(next(_lost_slot(position, stage, policy), ""))
    return Discard((card,)) if card else None


def _lost_slot(position: Position, stage: LosingCard, policy: Document) -> Iterator[str]:
    """The slot that is lost."""
    hand = position.decks[stage.side].hand
    wished = [slot for slot in listed(_said_for(DISCARD, policy)) if slot in hand]
    if wished:
        yield wished[0]
    elif position.hidden_slots(stage.side):
        # reading: 18.1.9/b, D10, nobody can tell which hidden card is the least: the first slot
        # goes.
        yield hand[0]


def _seal(position: Position, side: Side, written: Document) -> list[list[Any]]:
    """The units each card takes, and at `discard` the slots of the cards that are given up."""
    said = dict(written)
    if said.get(DISCARD) == LOWEST:
        hand = position.hand_cards(side)
        said[DISCARD] = sorted(hand, key=lambda card: (position.card(card).ops, card))
    if DISCARD in said:
        said[DISCARD] = slots_of(position, side, said[DISCARD])
    return pairs(said)


def _unseal(position: Position, side: Side, said: Any) -> dict[str, Any]:
    return {
        card: cards_in(position, side, taken) if card == DISCARD else taken for card, taken in said
    }


def _loses_cards(position: Position, side: Side) -> bool:
    return side == NATIONALIST and position.option("18.1.9")


def _never_taken(position: Position, side: Side, written: Document) -> Iterator[Violation]:
    """Faults of answers to what never happens to this side."""
    for card in written:
        if card != DISCARD and TAKES_OF[card] != side:
            yield Violation(say("{card} takes none of your units", card=card), (card,), is_key=True)
        elif card == DISCARD and not _loses_cards(position, side):
            told = say("nothing in this game makes you discard a card")
            hint = say("with that option guerrillas cost the Nationalists a card")
            yield Violation(told, (card,), "18.1.9", hint, is_key=True)


def _line(position: Position, side: Side) -> Example | None:
    told = f"{{discard: {LOWEST}}}", say("the card you lose to guerrillas")
    return told if _loses_cards(position, side) else None


def _takes(discard: Shape, **more: Any) -> Fields:
    return Fields(
        {**dict.fromkeys(TAKES_OF, RANKING), DISCARD: discard},
        say("forced lists cards and what they take"),
        say("{N31: [reduced]}"),
        unknown=marked("{key} takes no unit of your choice"),
        **more,
    )


FORCED: Clause = Clause(
    _takes(OrWord((LOWEST,), Many(IN_HAND, once=True)), behind=RANKING, never=_never_taken),
    answers={"forced": Answer(_taken), "lost_card": Answer(_lost_card, _lost_slot)},
    sealed=Pairs(_takes(SLOTS), "forced"),
    seal=_seal,
    unseal=_unseal,
    example=_line,
)
