"""The Draw Phase: new decks with a new phase of the war, discards, and full hands (6.0 A, 15.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Discard, Done, Redraw
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.cards import must_hold_corps_card, not_held
from pbem.games.crusade.rules.morale import test_static_division
from pbem.games.crusade.rules.options_decks import (
    cards_more,
    discards_lie_face_down,
    kept_cards,
    may_discard,
    not_to_discard,
    phase_of_card,
)
from pbem.games.crusade.stages.showing import opened
from pbem.games.crusade.tables import INITIAL, PEOPLE, SIDES, Card
from pbem.messages import say
from pbem.value import value

# --- A.1 ----------------------------------------------------------------------------------------


@value
@CITE.rule("6.0.A.1", "15.1.3")
class CheckWarPhase(s.AutoStage[Position]):
    """In a new phase its cards, the pile and the discards become a new pile."""

    def run(self, position: Position) -> s.Outcome:
        first_turns = [row["first_turn"] for row in position.tables.tables["phases"]]
        begins = position.turn in first_turns
        if not begins or position.turn == position.tables.sheet(position.scenario)["first_turn"]:
            return s.Outcome()
        story: s.Unfolding[Position] = s.Unfolding(position)
        for side in SIDES:
            _shuffle_all(story, side)
        test_static_division(story)
        return story.outcome()


def _shuffle_all(story: s.Unfolding[Position], side: s.Side) -> None:
    deck = story.position.decks[side]
    fresh = phase_cards(story.position, side)
    for card in kept_cards(story.position, side):
        story.happen(rare.CardBroughtBack(side, card))
        fresh = (*fresh, card)
    cards: tuple[str, ...] = ()
    if story.position.option("open_hands"):
        # Hidden cards stay where they are: if they were laid again, nobody could prove what the
        # pile holds without showing the hand. Draws run over the whole pile, so each card is as
        # likely.
        cards = tuple(story.position.known[slot] for slot in deck.pile)
        story.happen(rare.PileTaken(side))
    story.happen(rare.DiscardsTaken(side))
    _lay(story, side, (*cards, *deck.discards, *fresh))


@CITE.serves("8.1.2")
def phase_cards(position: Position, side: s.Side) -> tuple[str, ...]:
    """The cards that the present phase of the war adds to a side's deck."""
    gone = position.decks[side].removed
    return tuple(
        card.id
        for card in position.tables.cards.values()
        if card.side == side
        and phase_of_card(position, card) == position.phase
        and card.id not in gone
    )


def lay(position: Position, side: s.Side, epoch: int, cards: tuple[str, ...]) -> rare.DeckLaid:
    """A pile of a new epoch. With open hands both players know its layout, in sorted order."""
    slots = tuple(slot(side, epoch, place) for place in range(len(cards)))
    sealed = not position.option("open_hands")
    return rare.DeckLaid(side, epoch, slots, tuple(sorted(cards)), sealed)


def slot(side: s.Side, epoch: int, place: int) -> str:
    """The name of a place in a deck: `n/1/4` is the fifth of the first Nationalist epoch."""
    return f"{INITIAL[side].lower()}/{epoch}/{place}"


def _lay(story: s.Unfolding[Position], side: s.Side, cards: tuple[str, ...]) -> None:
    """A new epoch of slots."""
    if cards:
        epoch = story.position.decks[side].epoch + 1
        story.happen(lay(story.position, side, epoch, cards))


# --- A.2 ----------------------------------------------------------------------------------------


@CITE.check("8.5.3.6")
def are_combat_cards_of_the_hand(
    stage: Discards, position: Position, order: Discard
) -> Iterator[s.Violation]:
    """Only combat cards of the player's hand may be discarded, each once."""
    slots = tuple(slot_to_discard(position, stage.side, card) for card in order.cards)
    for place, card in enumerate(order.cards):
        slot = slots[place]
        if slot is None or slot in slots[:place]:
            yield not_held(card, position.hand_cards(stage.side), ("cards", place))
        elif slot != card:
            yield from not_to_discard(position, card, ("cards", place))


@CITE.serves("18.3.2")
def slot_to_discard(position: Position, side: s.Side, named: str) -> str | None:
    """The slot of the hand named by a card or, with face-down discards, by itself."""
    if discards_lie_face_down(position) and named in position.decks[side].hand:
        return named
    return position.slot_of(side, named)


@CITE.serves("8.5.3.6", "18.3.2")
def discarded(
    position: Position, side: s.Side, named: tuple[str, ...]
) -> Iterator[s.Event[Position]]:
    """The events of the discard: face up, or face down for cards the enemy does not know."""
    buries = discards_lie_face_down(position)
    slots = [slot for each in named if (slot := slot_to_discard(position, side, each))]
    down = tuple(slot for slot in slots if buries and slot not in position.known)
    for slot in slots:
        card = position.card_in(slot)
        if slot not in down and card is not None:
            yield rare.HandCardDiscarded(side, slot, card)
    if down:
        yield rare.CardsBuried(side, down)


@value
@CITE.rule("6.0.A.2")
class Discards(s.PlayerStage[Position]):
    """A side may discard combat cards before it draws."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        if not any(may_discard(position, card) for card in position.possible_cards(self.side)):
            return None
        hand = position.hand_cards(self.side)
        cards = tuple(card for card in hand if may_discard(position, card))
        return s.Decision(
            side=self.side,
            stage="discard",
            prompt=say("discard combat cards, or say done"),
            rule="8.5.3.6",
            options=(s.Option(Discard, {"cards": s.SomeOf(cards, 1)}), s.Option(Done, {})),
            default=Done(),
            optional=True,
            policy="discard",
        )

    check = s.by_verb({Discard: s.checks((are_combat_cards_of_the_hand,)), Done: s.checks()})

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        cards = order.cards if isinstance(order, Discard) else ()
        return s.Outcome(tuple(discarded(position, self.side, cards)))


# --- A.3 ----------------------------------------------------------------------------------------


@CITE.rule("6.0.A.3")
def hand_size(position: Position, side: s.Side) -> int:
    """The hand size: seven cards, more or fewer by Republican Morale."""
    # reading: Q19, morale is read once, when both sides draw.
    rows = position.tables.tables["hand_size"]["rows"]
    fitting = [row for row in rows if position.rm <= row.get("rm_max", position.rm)]
    return int(fitting[-1][side]) + cards_more(position)


def wanted(position: Position, side: s.Side) -> int:
    """The number of cards a side still draws, never more than its pile holds."""
    deck = position.decks[side]
    return min(max(0, hand_size(position, side) - len(deck.hand)), len(deck.pile))


@value
class DrawHands(s.AutoStage[Position]):
    """First takes what needs no chance: the rest of a small pile, and its discards laid again."""

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        for side in SIDES:
            _take_the_rest(story, side)
        draws = any(wanted(story.position, side) for side in SIDES)
        return story.outcome(then=(DrawCards(),) if draws else ())


def _take_the_rest(story: s.Unfolding[Position], side: s.Side) -> None:
    """A pile that is too small is taken whole and the discards shuffled, twice if needed."""
    # One draw serves both parts: the last cards of a pile are decided already, and the discards are
    # in their new epoch before anyone can know the beacon.
    for _ in range(2):
        deck = story.position.decks[side]
        missing = hand_size(story.position, side) - len(deck.hand)
        if missing <= 0 or len(deck.pile) > missing:
            return
        if deck.pile:
            story.happen(e.CardsDrawn(side, deck.pile))
        if missing == len(deck.pile) or not (deck.discards or deck.face_down):
            return
        story.happen(rare.DiscardsTaken(side))
        _lay(story, side, deck.discards)


@value
class DrawCards(s.ChanceStage[Position]):
    """Both sides draw up to their hand sizes."""

    def chance(self, position: Position) -> s.Chance:
        counts = tuple(wanted(position, side) for side in SIDES)
        return s.Chance("draw", "6.0.A.3", _draws(position, counts))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        return _drawn(position, rolled)


def _draws(position: Position, counts: tuple[int, ...]) -> tuple[s.Draw, ...]:
    """The draws of both sides, each from its own pile; `counts` in the order of SIDES."""
    return tuple(
        s.Draw(
            _label(side),
            say("cards of the {side} side", side=say(PEOPLE[side])),
            of=len(position.decks[side].pile),
            take=n,
        )
        for side, n in zip(SIDES, counts, strict=True)
        if n
    )


def _drawn(position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
    """The cards drawn to the hands; picked positions count in slot order."""
    story: s.Unfolding[Position] = s.Unfolding(position)
    for side in SIDES:
        roll = rolled.get(_label(side))
        if roll is not None:
            pile = position.decks[side].pile
            slots = tuple(pile[place] for place in sorted(roll.picked))
            story.happen(e.CardsDrawn(side, slots))
    return story.outcome()


def _label(side: s.Side) -> str:
    return f"draw/{INITIAL[side].lower()}/#"


# --- the first hands of a scenario that begins in the middle of a turn --------------------------


@value
class DealHands(s.AutoStage[Position]):
    """Deals each hand the number of cards the scenario says, besides those it names."""

    counts: tuple[int, int]

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        left = []
        for side, count in zip(SIDES, self.counts, strict=True):
            pile = position.decks[side].pile
            if count and count == len(pile):
                story.happen(e.CardsDrawn(side, pile))
                count = 0
            left.append(count)
        return story.outcome(then=(DealtCards((left[0], left[1])),) if any(left) else ())


@value
class DealtCards(s.ChanceStage[Position]):
    """The cards of the scenario's first hands that chance picks."""

    counts: tuple[int, int]

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("draw", "4.3.1", _draws(position, self.counts))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        return _drawn(position, rolled)


# --- a player goes on with new secrets ----------------------------------------------------------


@value
class DealtAnew(s.ChanceStage[Position]):
    """A hand whose hidden cards were laid again gets the same number from the pile."""

    side: s.Side
    count: int
    face_down: int = 0
    """The number that also goes face down to the discards, as many as were hidden there."""

    def chance(self, position: Position) -> s.Chance:
        count = self.count + self.face_down
        counts = tuple(count if side == self.side else 0 for side in SIDES)
        return s.Chance("draw", "8.1.4", _draws(position, counts))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        drawn = _drawn(position, rolled)
        if not self.face_down:
            return drawn
        # The order of picking is random, too: the last ones go to the discards.
        pile = position.decks[self.side].pile
        down = tuple(pile[place] for place in rolled[_label(self.side)].picked[self.count :])
        return s.Outcome((*drawn.events, rare.CardsBuried(self.side, down)))


# --- 15.1.2 -------------------------------------------------------------------------------------


def is_corps_card(card: Card) -> bool:
    """Whether a card is a reinforcement card with corps."""
    # reading: 4.3.2, Q20, the expeditionary corps of the optional cards count.
    return bool(card.corps)


def may_lack_corps_card(position: Position, side: s.Side) -> bool:
    """Whether no card of the hand, as far as both players know it, brings a corps."""
    cards = (position.card(card) for card in position.shown_cards(side))
    return bool(position.decks[side].hand) and not any(is_corps_card(card) for card in cards)


def corps_cards(position: Position, side: s.Side) -> tuple[str, ...]:
    """The cards of the hand that bring a corps, as far as this view knows them."""
    return tuple(c for c in position.hand_cards(side) if is_corps_card(position.card(c)))


def is_in_view(position: Position, side: s.Side) -> bool:
    """Whether every card of the hand is known in this view."""
    return len(position.hand_cards(side)) == len(position.decks[side].hand)


def begins_mobilization(position: Position) -> bool:
    """Whether this is the first turn of Mobilization by the calendar."""
    rows = position.tables.tables["phases"]
    return any(row["id"] == "mobilization" and row["first_turn"] == position.turn for row in rows)


def return_hand(story: s.Unfolding[Position], side: s.Side) -> None:
    """The hand is shown and shuffled together with the pile."""
    hidden = story.position.hidden_slots(side)
    story.happen(*opened(story.position, side, hidden))
    deck, shown = story.position.decks[side], story.position.shown_cards(side)
    if deck.face_down or deck.retired:
        # Nobody could prove what the pile holds without showing the face-down cards. So it stays as
        # it is, and draws run over it and over the hand laid again.
        story.happen(rare.HandReturned(side, shown))
        _lay(story, side, shown)
        return
    known = (story.position.known.get(slot) for slot in deck.pile)
    cards = (*(card for card in known if card is not None), *deck.unseen, *shown)
    story.happen(rare.HandReturned(side, shown), rare.PileTaken(side))
    _lay(story, side, cards)


@value
@CITE.rule("15.1.2")
class Redraws(s.AutoStage[Position]):
    """In turn 6 a hand without a corps card may be redrawn, as often as needed."""

    sides: tuple[s.Side, ...] = SIDES

    def run(self, position: Position) -> s.Outcome:
        if not begins_mobilization(position):
            return s.Outcome()
        asked = tuple(Redrawing(side) for side in self.sides)
        return s.Outcome(then=(*asked, DrawAgain()))


@CITE.refusal("15.1.2")
def hand_is_shown_to_hold_no_corps(
    stage: Redrawing, position: Position, order: Redraw
) -> Iterator[s.Violation]:
    """The whole hand is shown, and none of its cards brings a corps."""
    if not is_in_view(position, stage.side):
        yield s.Violation(
            say("the whole hand must be shown first"), hint=say("open every card in your hand")
        )
    corps = corps_cards(position, stage.side)
    if corps:
        yield s.Violation(
            say("your hand has {corps}, which brings corps", corps=tuple(corps)),
            hint=say("say done"),
        )


@CITE.refusal("4.3.2")
def hand_may_be_kept(stage: Redrawing, position: Position, order: Done) -> Iterator[s.Violation]:
    """In a scenario that begins with turn 6, each hand needs a corps card."""
    # reading: Q20, for a hidden hand this is its owner's duty, and the audit checks it.
    if must_hold_corps_card(position) and is_known_to_lack(position, stage.side):
        yield s.Violation(say("no card in your hand brings a corps"), hint=say("redraw"))


def is_known_to_lack(position: Position, side: s.Side) -> bool:
    """Whether this view knows the whole hand, and that none of its cards brings a corps."""
    held = bool(position.decks[side].hand)
    return held and is_in_view(position, side) and not corps_cards(position, side)


@value
class Redrawing(s.PlayerStage[Position]):
    """A side that holds no corps card may show its hand and draw another."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        if not may_lack_corps_card(position, self.side):
            return None
        duty = must_hold_corps_card(position)
        must = duty and not position.hidden_slots(self.side)
        redraws = duty and is_known_to_lack(position, self.side)
        prompt = say("draw a new hand, because the old one has no corps card, or say done")
        if must:
            prompt = say("draw a new hand, because the old one has no corps card")
        keep = () if must else (s.Option(Done, {}),)
        return s.Decision(
            side=self.side,
            stage="redraw",
            prompt=prompt,
            rule="4.3.2" if must else "15.1.2",
            options=(s.Option(Redraw, {}), *keep),
            default=Redraw() if redraws else Done(),
            optional=not must,
            # A policy would be judged without the cards, like an order given before the deal
            # (4.3.2).
            policy="" if duty and not must else "redraw",
        )

    check = s.by_verb(
        {
            Redraw: s.checks((hand_is_shown_to_hold_no_corps,)),
            Done: s.checks((hand_may_be_kept,)),
        }
    )

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if not isinstance(order, Redraw):
            return s.Outcome()
        story: s.Unfolding[Position] = s.Unfolding(position)
        return_hand(story, self.side)
        return story.outcome()


@value
class DrawAgain(s.AutoStage[Position]):
    """A side that returned its hand draws, and is asked again."""

    def run(self, position: Position) -> s.Outcome:
        sides = tuple(side for side in SIDES if not position.decks[side].hand)
        return s.Outcome(then=(DrawHands(), Redraws(sides)) if sides else ())
