"""Hidden hands: which cards an order shows, and the events of opening a card.

Cards are in slots. Both players know which sealed cards there are; only their owner knows which
slot has which. `position.secret` is what one view of the position knows in addition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pbem.engine.model import Event, Order, Side, Stage, State, Unfolding, Violation
from pbem.games.crusade import events as e
from pbem.games.crusade.orders import (
    Attack,
    ChooseCard,
    CombatCards,
    Discard,
    Play,
    Redraw,
    ShowHand,
)
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.options_decks import LOTS, discards_lie_face_down, is_chosen_unseen
from pbem.games.crusade.stages.showing import ShowingCards, Shown
from pbem.games.crusade.tables import INITIAL

if TYPE_CHECKING:
    from pbem.engine.hidden import Epoch, When

Slots = tuple[str, ...]
open_option = "open_hands"


def laid(position: Position) -> tuple[Epoch, ...]:
    """Every epoch of hidden cards laid so far."""
    return position.laid


def hand(position: Position, side: Side) -> Slots:
    """The slots in a side's hand."""
    return position.decks[side].hand


def known(position: Position) -> Mapping[str, str]:
    """The slots whose card both players know."""
    return position.known


def informed(position: Position, cards: Mapping[str, str]) -> Position:
    """The position for a viewer who also knows the cards of these slots."""
    return position.but(secret={**position.secret, **cards})


def supposed(position: Position, side: Side, cards: Sequence[str]) -> Mapping[str, str]:
    """The slots of a hand that this view does not know, with the cards of `cards` they may hold."""
    free = [slot for slot in position.decks[side].hand if position.card_in(slot) is None]
    could = [card for card in dict.fromkeys(cards) if card in position.decks[side].unseen]
    return dict(zip(free, could, strict=False))


def must_show(state: State[Position]) -> Slots:
    """The hidden slots that the present question requires to be opened."""
    stage = state.agenda[-1] if state.agenda else None
    owed = getattr(stage, "must_show", None)
    return owed(state.position) if owed else ()


def doubts(state: State[Position], order: Order) -> tuple[Violation, ...]:
    """None: an order shows what it needs of a hand."""
    return ()


def openings(position: Position, cards: Mapping[str, str]) -> tuple[Event[Position], ...]:
    """The events of opening slots, in the order of the hands; known slots add none."""
    return tuple(
        e.CardOpened(side, slot, cards[slot])
        for side in position.decks
        for slot in position.hidden_slots(side)
        if slot in cards
    )


def shows(
    state: State[Position], side: Side, order: Order, before: Sequence[Order] = (),
    when: When | None = None,
) -> Slots:  # fmt: skip
    """The hidden slots of a side's hand that its order needs open, as far as this view knows."""
    position = state.position
    hidden = position.hidden_slots(side)
    stage = state.agenda[-1]
    if is_secret(state, order):
        return ()
    if isinstance(order, Redraw):
        return hidden
    if isinstance(order, ShowHand):
        return stage.must_show(position) if isinstance(stage, ShowingCards) else ()
    named = set(cards_named(order))
    return tuple(slot for slot in hidden if position.card_in(slot) in named)


def is_secret(state: State[Position], order: Order) -> bool:
    """Whether the cards an order takes from the hand are never shown to the enemy (18.3.2)."""
    from pbem.games.crusade.stages.guerrilla import LosingCard

    if not isinstance(order, Discard) or isinstance(state.agenda[-1], LosingCard):
        return False
    return discards_lie_face_down(state.position)


def worded(
    state: State[Position], side: Side, order: Order, given: Sequence[Order] = (),
    when: When | None = None,
) -> Order:  # fmt: skip
    """The order as the file stores it: cards that stay secret are named by slot."""
    if isinstance(order, ChooseCard):
        return _choice_worded(state, side, order)
    if not isinstance(order, Discard) or not is_secret(state, order):
        return order
    return Discard(tuple(state.position.slot_of(side, card) or card for card in order.cards))


def _choice_worded(state: State[Position], side: Side, order: ChooseCard) -> Order:
    """A card choice that the enemy does not see, written as the cards put aside (18.5)."""
    from pbem.games.crusade.stages.random_setup import ChosenCard, others

    stage, position = state.agenda[-1], state.position
    if not isinstance(stage, ChosenCard) or not is_chosen_unseen(position, stage.phase):
        return order
    slots = others(position, side, stage.phase, order)
    is_found = (
        order.card in LOTS[stage.phase][side] and len(slots) == len(LOTS[stage.phase][side]) - 1
    )
    return ChooseCard(aside=slots) if is_found else order


def looks_at(state: State[Position], side: Side) -> Slots:
    """The slots whose cards a player may look at: hand, face-down discards, and a pile to choose
    from.
    """
    deck, stage = state.position.decks[side], state.agenda[-1] if state.agenda else None
    # The stage has a mark for this: it is a set-up stage, which most commands need not load.
    chooses = getattr(stage, "chooses_from_the_pile", None) == side
    return (*deck.hand, *deck.face_down, *(deck.pile if chooses else ()))


def cards_named(order: Order) -> Iterable[str]:
    """The cards an order takes from the hand."""
    if isinstance(order, Play):
        return (order.card,)
    return order.cards if isinstance(order, Attack | CombatCards | Discard) else ()


def renumbered(position: Position, used: Mapping[str, int]) -> Position:
    """The position with the number of the next pile of each deck set from `used`."""
    for side, deck in position.decks.items():
        number = used.get(INITIAL[side].lower(), 0)
        if number > deck.epoch:
            position = position.with_deck(side, epoch=number)
    return position


# --- new secrets underway


def renewed(
    state: State[Position], side: Side
) -> tuple[tuple[Event[Position], ...], tuple[Stage[Position], ...]]:
    """The events and the agenda after a side's player takes new secrets.

    The old slots must be closed for good. So all hidden cards of the side are laid as a new pile.
    Before anything else the hand draws as many from it as it had hidden ones, and as many go to the
    face-down discards as were there.
    """
    from pbem.games.crusade.stages.draw import DealtAnew, lay
    from pbem.games.crusade.stages.random_setup import ChosenCard, DecksSettled

    position = state.position
    deck, held = position.decks[side], len(position.hidden_slots(side))
    down = len(deck.face_down)
    out = _not_chosen(position, side)
    if not (deck.unseen or any(epoch[1] == side for epoch in position.laid)):
        return (), state.agenda
    story: Unfolding[Position] = Unfolding(position)
    story.happen(e.HiddenCardsTaken(side, held))
    story.happen(*(e.CardRemoved(side, card) for card in out))
    left = tuple(card for card in deck.unseen if card not in out)
    if left:
        story.happen(lay(story.position, side, deck.epoch + 1, left))
    agenda = tuple(_looked_at_anew(state.agenda, side))
    dealt: tuple[Stage[Position], ...] = ()
    if held + down:
        dealt = (DealtAnew(side, held, down),)
    elif any(isinstance(stage, ChosenCard) and stage.side == side for stage in agenda):
        dealt = (DecksSettled(),)  # the player must first learn where the cards are now
    return tuple(story.events), (*agenda, *dealt)


def _not_chosen(position: Position, side: Side) -> tuple[str, ...]:
    """The cards that earlier choices have removed from the game."""
    # reading: 18.5, nobody can tell any more which card was chosen; if none was shown, it is the
    # printed one.

    unseen, made = position.decks[side].unseen, len(position.decks[side].retired) // 2
    phases = [phase for phase in LOTS if is_chosen_unseen(position, phase)][:made]
    hidden = ([c for c in LOTS[phase][side] if c in unseen] for phase in phases)
    return tuple(card for cards in hidden for card in cards[-2:])


def _looked_at_anew(agenda: Iterable[Stage[Position]], side: Side) -> Iterator[Stage[Position]]:
    """The agenda, with new picks for cards that had to be shown and are gone."""
    from pbem.games.crusade.stages.event_operations import LookAtHand
    from pbem.games.crusade.stages.intelligence import SomeCards

    for stage in agenda:
        if isinstance(stage, Shown) and stage.owner == side:
            yield LookAtHand(side) if stage.whole else SomeCards(side, len(stage.slots))
        elif not (isinstance(stage, ShowingCards) and stage.side == side):
            yield stage
