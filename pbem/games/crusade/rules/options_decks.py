"""Optional rules of cards: which enter the decks, and how many are held (18.2-18.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Play
from pbem.games.crusade.position import Position
from pbem.games.crusade.tables import ENEMY, NATIONALIST, REPUBLICAN, SIDES, Card
from pbem.messages import Said, say

BLOCKADE_FLEET = "N49"

Lot = tuple[str, str, str]
LOTS: Mapping[str, Mapping[Side, Lot]] = {
    "columns": {NATIONALIST: ("N14", "N57", "N58"), REPUBLICAN: ("R7", "R57", "R58")},
    "mobilization": {NATIONALIST: ("N25", "N59", "N60"), REPUBLICAN: ("R28", "R59", "R60")},
}
"""By phase and side, the card taken out and the two that may replace it."""
# reading: 18.5, which two belong to which phase is not said; the lower numbers come first.
PILES = ("removed", "played", "discards", "retained")
"""Where a scenario names cards, besides the hands."""


@CITE.rule("8.1.2")
def phase_of_card(position: Position, card: Card) -> str:
    """The phase in which a card enters its deck; empty if it is not in this game."""
    if card.id == BLOCKADE_FLEET:
        return _fleet_phase(position, card)
    if card.corps and card.option:
        return _expedition_phase(position, card)
    for phase, sides in LOTS.items():
        if card.id in sides[card.side]:
            return _lot_phase(position, card, phase, sides[card.side])
    return card.phase


@CITE.rule("18.2.7")
def _fleet_phase(position: Position, card: Card) -> str:
    """The Blockade Fleet enters with the Mobilization."""
    return "mobilization" if position.option("18.2.7") else card.phase


@CITE.rule("18.4.2/a")
def _expedition_phase(position: Position, card: Card) -> str:
    """The cards of the expeditionary corps enter with the Mobilization."""
    return "mobilization" if position.option(card.option) else ""


@CITE.rule("18.5")
def _lot_phase(position: Position, card: Card, phase: str, lot: Lot) -> str:
    """The card of a lot that was drawn or chosen; otherwise the printed card."""
    if position.option("18.5/free") or is_chosen_unseen(position, phase):
        return phase
    drawn = [each for each in lot if position.has(f"lot_{each}")]
    return phase if card.id == (drawn[0] if drawn else lot[0]) else ""


@CITE.rule("4.3.1/a", "24.1")
def dealt_openly(position: Position, side: Side) -> tuple[str, ...]:
    """The cards a hand begins with, or by option the whole hand of the extended example."""
    decks = position.tables.sheet(position.scenario)["decks"]
    if position.option("example_hands") and "example_hands" in decks:
        return tuple(decks["example_hands"][side])
    return tuple(decks["hands"][side]["fixed"])


@CITE.serves("18.5")
def card_of_lot(position: Position, side: Side, phase: str) -> str:
    """The card of a lot that is known: drawn or chosen before, or named by the scenario; empty
    before that.
    """
    # reading: 18.5, if a scenario names a card of the lot, that is the card of its side: nothing is
    # drawn for it.
    decks = position.tables.sheet(position.scenario)["decks"]
    piles = (decks.get(pile, {}).get(side, ()) for pile in PILES)
    named = {*dealt_openly(position, side), *(card for pile in piles for card in pile)}
    return next(
        (card for card in LOTS[phase][side] if position.has(f"lot_{card}") or card in named), ""
    )


@CITE.serves("18.5")
def is_chosen_unseen(position: Position, phase: str) -> bool:
    """Whether the enemy does not see which card of the phase a player chooses.

    All three are laid then, and the player puts two of their slots aside.
    """
    # reading: 18.5, by lot nobody should know the card, but the lot is drawn openly: the owner of
    # sealed cards knows where each one is.
    # reading: 18.5, if a scenario names cards of the hands, both players learn of the choice.
    sheet = position.tables.sheet(position.scenario)
    rows = {row["id"]: row["first_turn"] for row in position.tables.tables["phases"]}
    named = "begins" in sheet or position.option("example_hands")
    first = sheet["first_turn"] + bool(named)
    hidden = position.option("18.5/direct") and not position.option("open_hands")
    if not hidden or phase not in LOTS or rows[phase] < first:
        return False
    return not any(card_of_lot(position, side, phase) for side in SIDES)


def lots_are_due(position: Position) -> str:
    """The phase now beginning with a choice of combat cards, or empty."""
    rows = {row["id"]: row["first_turn"] for row in position.tables.tables["phases"]}
    begins = rows.get(position.phase) == position.turn
    chosen = position.option("18.5/random") or position.option("18.5/direct")
    due = begins and chosen and position.phase in LOTS
    return position.phase if due and not _lots_are_told(position) else ""


def _lots_are_told(position: Position) -> bool:
    """Whether the scenario says which card of each side it was."""
    lots = LOTS[position.phase].values()
    return all(any(position.has(f"lot_{card}") for card in lot) for lot in lots)


# --- what may be played -------------------------------------------------------------------------


def not_as_an_event(card: str, why: Said) -> Violation:
    """The violation of an order to play a card as an event."""
    told = say("{card} may not be played as an event: {message}", card=card, message=why)
    return Violation(told, at=("for",))


@CITE.check("18.2.7/a")
def fleet_is_free(stage: object, position: Position, order: Play) -> Iterator[Violation]:
    """The fleet leaves the Atlantic when the Republic has at most one port there."""
    fleet = order.use == "event" and order.card == BLOCKADE_FLEET
    if not fleet or not position.option("18.2.7"):
        return
    ports = [
        position.space(port).name
        for port in position.ports()
        if position.sea_of(port) == "atlantic" and position.controls(REPUBLICAN, port)
    ]
    if len(ports) > 1:
        yield not_as_an_event(
            order.card, say("the fleet still watches {ports}", ports=tuple(ports))
        )


@CITE.refusal("18.1.10")
def there_is_time_to_rise(stage: object, position: Position, order: Play) -> Iterator[Violation]:
    """There is no revolt in the short turn 18."""
    if order.use == "event" and order.card == "N48" and ends_early(position):
        yield not_as_an_event(order.card, say("not in the last turn, which is short"))


def ends_early(position: Position) -> bool:
    """Whether this is the turn of three rounds."""
    row = position.tables.tables["rounds"]["last_turn_optional"]
    return bool(position.turn == row["turn"]) and position.option("18.1.10")


@CITE.check("18.4.2/b")
def other_corps_has_come(stage: object, position: Position, order: Play) -> Iterator[Violation]:
    """By agreement, one expeditionary corps waits for the other."""
    card = position.tables.cards.get(order.card)
    if order.use != "event" or card is None or not (card.corps and card.option):
        return
    other = {NATIONALIST: "N56", REPUBLICAN: "R56"}[ENEMY[card.side]]
    if position.option(f"18.4.2/{ENEMY[card.side]}") and other not in position.played:
        title = say(position.card(other).title)
        why = say("{card} ({title}) must be played first", card=other, title=title)
        yield not_as_an_event(card.id, why)


# --- hands --------------------------------------------------------------------------------------


@CITE.rule("18.3.3")
def cards_more(position: Position) -> int:
    """The number of cards a side holds beyond the usual."""
    extra = int(position.tables.tables["hand_size"]["optional_extra"]["cards"])
    return extra if position.option("18.3.3") else 0


@CITE.rule("18.3.2")
def may_discard(position: Position, card: str) -> bool:
    """Whether a card may be discarded before a draw: combat cards; any card by agreement."""
    return position.card(card).kind == "combat" or position.option("18.3.2")


@CITE.refusal("8.5.3.6")
def not_to_discard(
    position: Position, card: str, at: tuple[str | int, ...] = ()
) -> Iterator[Violation]:
    if not may_discard(position, card):
        told = say("{card} is not a combat card and may not be discarded", card=card)
        yield Violation(told, at)


@CITE.rule("18.3.2/a")
def discards_lie_face_down(position: Position) -> bool:
    """Whether the enemy does not see the discards of the Draw Phase."""
    # reading: 18.3.2, face-down discards are not shown when they are shuffled again either: their
    # slots go back into the draw pile as they are. A card that both players know stays known.
    return position.option("18.3.2") and not position.option("open_hands")


# --- intelligence -------------------------------------------------------------------------------

KEPT = "kept_"
"""With a card: the flag that it waits for the deck of the War of the Armies."""
SPIES: Mapping[Side, str] = {NATIONALIST: "N32", REPUBLICAN: "R27"}


@CITE.rule("18.3.5")
def services_are_young(position: Position) -> bool:
    """Whether intelligence sees half a hand and may be used again later: in the Mobilization."""
    return position.phase == "mobilization" and position.option("18.3.5")


def kept_cards(position: Position, side: Side) -> tuple[str, ...]:
    """The cards that return with the War of the Armies."""
    card = SPIES[side]
    due = position.phase == "armies" and position.has(f"{KEPT}{card}")
    return (card,) if due else ()
