"""Combat cards: used whenever possible, or clause by clause; and how cards of a hand are named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine import shapes
from pbem.engine.model import Order, Side, Violation
from pbem.engine.policies.rows import Answer, Clause, Document, Example, Written
from pbem.engine.shapes import NAME, SLOT, Also, Fields, Many, OrWord, Shape, at, listed
from pbem.games.crusade.conditions import FACTS, WHEN_CARDS
from pbem.games.crusade.effects.combat_cards import defectors, names_a_target
from pbem.games.crusade.orders import CombatCards
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.cards import not_held
from pbem.games.crusade.rules.combat_cards import held_combat_cards, usable_cards
from pbem.games.crusade.tables import REPUBLICAN
from pbem.messages import Said, say
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.games.crusade.stages.combat.defence import DefendersCards

# --- what names a card --------------------------------------------------------------------------


def _in_hand(position: Position, side: Side, card: Any) -> Iterator[Violation]:
    if card not in position.hand_cards(side):
        yield not_held(card, position.hand_cards(side))


def _held(position: Position, side: Side, card: Any) -> Iterator[Violation]:
    """A hidden card is named by its slot, so its author must hold it when they write."""
    held = (*position.hand_cards(side), *position.decks[side].table)
    if not position.option("open_hands") and card not in held:
        yield replace(not_held(card, held), rule="8.5.3.1")


def _mine(position: Position, side: Side, card: str) -> Iterator[Violation]:
    known = position.card(card)
    if known.side != side or known.kind != "combat":
        told = say("{card} ({known}) is not one of your combat cards", card=card,
                   known=say(known.title))  # fmt: skip
        held = held_combat_cards(position, side)
        hint = say("you hold {cards}", cards=held) if held else say("you hold none; write none")
        yield Violation(told, hint=hint)


def _serves_a_defender(position: Position, card: str) -> bool:
    """Policies name cards only in defence: in an attack they go with its order."""
    return position.card(card).params.get("role") != "attacker"


def _for_attackers(position: Position, side: Side, card: Any) -> Iterator[Violation]:
    if not _serves_a_defender(position, card):
        title, hint = _title(position, card), say("write cards: [{card}] in your attack", card=card)
        told = say("{card} ({card_title}) serves only attackers", card=card, card_title=title)
        yield Violation(told, rule="11.2.4", hint=hint)


def _title(position: Position, card: str) -> Said:
    return say(position.card(card).title)


BY_ID = say("write a card by its id, such as R7")
CARD = shapes.name("card", lambda position: position.tables.cards, BY_ID, _for_attackers, json=NAME)
COMBAT_CARD = Also(CARD, _mine)
HELD_CARD = Also(COMBAT_CARD, _held)
IN_HAND = shapes.Judged(_in_hand, NAME, "card")
SLOTS: Shape = Many(SLOT)


def slots_of(position: Position, side: Side, cards: Any) -> list[str]:
    """The slots of the cards a player names; cards that are not in the hand are left out."""
    slots = (position.slot_of(side, card) for card in listed(cards))
    return [slot for slot in slots if slot is not None]


def cards_in(position: Position, side: Side, slots: Any) -> list[str]:
    """The cards in slots of a document, as far as they are known."""
    return [position.card_in(slot) or slot for slot in slots]


# --- as written ---------------------------------------------------------------------------------


def _misplaced(position: Position, side: Side, clause: Written) -> Iterator[Violation]:
    """The fault of a card that is not held, or does not lie where its clause says."""
    card, slot = clause["card"], clause.get("slot")
    if slot is None:
        yield from at(("card",), _held(position, side, card))
    elif slot not in ("table", *position.decks[side].hand):
        told, hint = (
            say("your hand has no slot {slot}", slot=repr(slot)),
            say("table for a kept card"),
        )
        yield Violation(told, ("slot",), hint=hint)
    elif slot != "table" and position.card_in(slot) not in (None, card):
        there = position.slot_of(side, card)
        told = say("{slot} does not contain {card}", slot=slot, card=card)
        yield Violation(told, ("slot",), hint=say("it is in {there}", there=there) if there else "")


def _misaimed(position: Position, side: Side, clause: Written) -> Iterator[Violation]:
    """The fault of a target for a card that takes none, or takes others."""
    card, target = clause["card"], clause.get("target")
    if target and not names_a_target(position, card):
        told = say(
            "{card} ({card_title}) takes no unit", card=card, card_title=_title(position, card)
        )
        yield Violation(told, ("target",), hint=say("leave the target out"), is_key=True)
    elif target and not _is_enemy_police(position, target):
        told = say(
            "{card} takes an enemy police unit, which {target} is not", card=card, target=target
        )
        yield Violation(told, ("target",))


def _is_enemy_police(position: Position, unit: str) -> bool:
    return position.type_of(unit).has("police") and position.side_of(unit) == REPUBLICAN


def _used_already(position: Position, side: Side, policy: Written) -> Iterator[Violation]:
    """The fault of a clause for a card that is played anyway, or after one that always holds."""
    always = set(listed(policy.get("combat_card", ())))
    for place, clause in enumerate(listed(policy["cards"])):
        card = clause["card"]
        if card in always:
            told = say("{card} is already used whenever possible", card=card)
            yield Violation(told, (place, "card"))
        if FACTS.always(clause.get("when", {})) and not clause.get("target"):
            always.add(card)


def _none_beside_clauses(position: Position, side: Side, policy: Written) -> Iterator[Violation]:
    if policy["combat_card"] == "none" and policy.get("cards"):
        told = say("none cannot be combined with clauses for cards")
        yield Violation(told, hint=say("leave one of them out"))


def _without_its_name(position: Position, side: Side, clause: Document) -> Iterator[Violation]:
    if clause.get("slot") == "table" and "card" not in clause:
        yield Violation(say("write a card on the table by its name"))


TARGET = shapes.name("unit", lambda position: ("", *position.tables.units), json=NAME)
REST: Mapping[str, Shape] = {"when": WHEN_CARDS, "target": TARGET}
A_PLACE = shapes.Judged(lambda *_: iter(()), {"type": ["string", "null"]})
"""The slot of a card, which is judged by the card there."""


WRITTEN = Fields(
    {"card": COMBAT_CARD, "slot": A_PLACE, **REST},
    say("a clause must name a card"),
    say("{card: R7, when: {any: true}}"),
    needs=("card",),
    whole=_misplaced,
    never=_misaimed,
)
SEALED = Fields(
    {"card": COMBAT_CARD, "slot": SLOT, **REST},
    say("a clause must name a slot"),
    needs=("card", "slot"),
    whole=_without_its_name,
)


def _could_be_named(position: Position, side: Side) -> Example:
    held = map(position.card, (*position.hand_cards(side), *position.decks[side].table))
    combat = (card.id for card in held if card.kind == "combat")
    cards = [card for card in combat if _serves_a_defender(position, card)]
    if not cards:
        return "none", say("you hold none that serves here")
    return "none", say("or some of {cards}, or clauses (cards:)", cards=", ".join(cards))


# --- as sealed ----------------------------------------------------------------------------------


def _short(said: Any) -> Iterator[Document]:
    """The clauses that the short form means: cards to be used whenever they can be."""
    return iter(()) if said == "none" else ({"card": card} for card in listed(said))


def _seal(position: Position, side: Side, clauses: Iterable[Document]) -> list[Document] | None:
    """Clauses with their cards named by their slots."""
    return [_by_slot(position, side, clause) for clause in clauses] or None


def _by_slot(position: Position, side: Side, clause: Document) -> Document:
    card, table = clause["card"], position.decks[side].table
    on_table = "table" if card in table else None
    slot = clause.get("slot") or on_table or position.slot_of(side, card)
    place = {"slot": slot} if slot else {}  # else hands are open, and it is still to be drawn
    named = {"card": card} if slot in (None, "table") else {}
    return {**place, **named, **_rest(clause)}


def _by_card(position: Position, side: Side, clauses: Any) -> list[Written]:
    """The clauses of a document with their cards, as far as they are known."""

    def card(clause: Document) -> str:
        name: str = clause.get("card") or position.card_in(clause["slot"]) or clause["slot"]
        return name

    return [{"card": card(clause), **_rest(clause)} for clause in clauses]


def _rest(clause: Document) -> Document:
    return {key: said for key, said in clause.items() if key in REST}


# --- the answer ---------------------------------------------------------------------------------


def _holding(position: Position, policy: Document) -> Iterator[Document]:
    """The clauses of a document that hold."""
    clauses = (*_short(policy.get("combat_card", ())), *listed(policy.get("cards", ())))
    return FACTS.holding(position, position.fought, clauses)


def _played(position: Position, stage: DefendersCards, policy: Document) -> Order:
    """Every listed card that may be used is used, if its clause holds."""
    usable = usable_cards(position, position.fought, stage.side)
    chosen: dict[str, str] = {}
    for clause in _holding(position, policy):
        card, target = _card_of(position, stage.side, clause), clause.get("target", "")
        if card in usable and (not target or target in _targets(position, card)):
            chosen.setdefault(card, target)
    target = next((unit for unit in chosen.values() if unit), "")
    return CombatCards(tuple(chosen), target)


def _targets(position: Position, card: str) -> tuple[str, ...]:
    """The units that a card can take in this combat."""
    return defectors(position, position.fought) if names_a_target(position, card) else ()


def _shown(position: Position, stage: object, policy: Document) -> Iterator[str]:
    """The slots of all clauses that hold; whether a card fits is checked once it is open."""
    slots = (clause.get("slot", "table") for clause in _holding(position, policy))
    return (slot for slot in slots if slot != "table")


def _card_of(position: Position, side: Side, clause: Document) -> str | None:
    """The card of a clause, if it is there: in that slot of the hand, or on the table."""
    slot, card, deck = clause.get("slot"), clause.get("card"), position.decks[side]
    if slot in (None, "table"):
        hand = () if slot else position.shown_cards(side)
        return card if card in (*hand, *deck.table) else None
    lies_there = position.known.get(slot) if slot in deck.hand else None
    return lies_there if card in (None, lies_there) else None


CARDS = {"cards": Answer(_played, _shown)}
ALWAYS_USED: Clause = Clause(
    OrWord(("none",), Many(HELD_CARD, once=True, needed=True)),
    answers=CARDS,
    sealed=OrWord(("none",), Many(COMBAT_CARD)),
    seal=lambda position, side, said: _seal(position, side, _short(said)),
    vain=_none_beside_clauses,
    example=_could_be_named,
)
CLAUSES: Clause = Clause(
    Many(WRITTEN, needed=True),
    answers=CARDS,
    sealed=Many(SEALED),
    seal=lambda position, side, said: _seal(position, side, listed(said)),
    unseal=_by_card,
    vain=_used_already,
)
