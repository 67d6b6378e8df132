"""Combat cards: used whenever possible, or clause by clause; and how cards of a hand are named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.model import Order, Side, Violation
from pbem.engine.policy_rows import Answer, Clause, Document, Example, Written
from pbem.engine.shapes import (
    NAME,
    SLOT,
    Also,
    Fields,
    Judged,
    Many,
    OrWord,
    Shape,
    at,
    each,
    listed,
    name,
)
from pbem.games.crusade.conditions import FACTS, WHEN_CARDS
from pbem.games.crusade.effects.combat_cards import defectors, names_a_target
from pbem.games.crusade.orders import CombatCards
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.combat_cards import usable_cards
from pbem.games.crusade.tables import REPUBLICAN
from pbem.messages import Said, say

if TYPE_CHECKING:
    from pbem.games.crusade.stages.combat.defence import DefendersCards

# --- what names a card --------------------------------------------------------------------------


def _mine(position: Position, side: Side, card: str) -> Iterator[Violation]:
    known = position.card(card)
    if known.side != side or known.kind != "combat":
        yield Violation(
            say("{card} ({known}) is not one of your combat cards", card=card, known=known.title)
        )


def _held(position: Position, side: Side, card: Any) -> Iterator[Violation]:
    """A hidden card is named by its slot, so its author must hold it when they write."""
    held = (*position.hand_cards(side), *position.decks[side].table)
    if not position.option("open_hands") and card not in held:
        yield Violation(
            say("{card} is not in your hand", card=card), rule="8.5.3.1", hint=_what_is_held(held)
        )


def _in_hand(position: Position, side: Side, card: Any) -> Iterator[Violation]:
    """A card of the player's own hand, whatever it is."""
    if card not in position.hand_cards(side):
        yield Violation(
            say("{card} is not in your hand", card=card),
            hint=_what_is_held(position.hand_cards(side)),
        )


def _what_is_held(cards: tuple[str, ...]) -> Said:
    return say("you hold {cards}", cards=", ".join(cards)) if cards else say("your hand is empty")


def _serves_a_defender(position: Position, card: str) -> bool:
    """Policies name cards only in defence: in an attack they go with its order."""
    return position.card(card).params.get("role") != "attacker"


def _for_attackers(position: Position, side: Side, card: Any) -> Iterator[Violation]:
    if not _serves_a_defender(position, card):
        told = say(
            "{card} ({card_title}) serves only attackers",
            card=card,
            card_title=say(position.card(card).title),
        )
        yield Violation(
            told, rule="11.2.4", hint=say("write cards: [{card}] in your attack", card=card)
        )


COMBAT_CARD = Also(
    name(
        "card",
        lambda position: position.tables.cards,
        say("write a card by its id, such as R7"),
        _for_attackers,
        json=NAME,
    ),
    _mine,
)
IN_HAND = Judged(_in_hand, NAME, "card")
SLOTS: Shape = Many(SLOT)


def slots_of(position: Position, side: Side, cards: Any) -> list[str]:
    """The slots of the cards a player names; cards that are not in the hand are left out."""
    slots = (position.slot_of(side, card) for card in listed(cards))
    return [slot for slot in slots if slot is not None]


def cards_in(position: Position, side: Side, slots: Any) -> list[str]:
    """The cards in slots of a document, as far as they are known."""
    return [position.card_in(slot) or slot for slot in slots]


# --- as written ---------------------------------------------------------------------------------


def _place(position: Position, side: Side, clause: Any) -> Iterator[Violation]:
    """The place of a card in a clause, in the hand or on the table."""
    if not isinstance(clause, Mapping) or "card" not in clause:
        return
    card, slot = clause["card"], clause.get("slot")
    if any(True for _ in COMBAT_CARD.faults(position, side, card, ())):
        return
    if slot is None:
        yield from at(("card",), _held(position, side, card))
    elif slot != "table" and slot not in position.decks[side].hand:
        yield Violation(
            say("your hand has no slot {slot}", slot=repr(slot)),
            ("slot",),
            hint=say("table for a kept card"),
        )
    elif position.card_in(slot) not in (None, card):
        lies_there = position.slot_of(side, card)
        hint = say("it is in {lies_there}", lies_there=lies_there) if lies_there else ""
        yield Violation(
            say("{slot} does not contain {card}", slot=slot, card=card), ("slot",), hint=hint
        )


def _by_name(position: Position, side: Side, clause: Any) -> Iterator[Violation]:
    if isinstance(clause, Mapping) and clause.get("slot") == "table" and "card" not in clause:
        yield Violation(say("write a card on the table by its name"))


LIES_THERE = Judged(lambda *_: iter(()), {"type": ["string", "null"]})
"""The place of a card is judged by the card there."""
TARGET = name("unit", lambda position: ("", *position.tables.units), json=NAME)


def _clause(text: Said, hint: Said, slot: Shape, *needs: str) -> Shape:
    fields = {"card": COMBAT_CARD, "slot": slot, "when": WHEN_CARDS, "target": TARGET}
    return Fields(fields, text, hint, needs)


WRITTEN = _clause(
    say("a clause must name a card"), say("{card: R7, when: {any: true}}"), LIES_THERE, "card"
)
SEALED = _clause(say("a clause must name a slot"), "", SLOT, "card", "slot")


def _none_beside_clauses(position: Position, side: Side, policy: Written) -> Iterator[Violation]:
    if policy["combat_card"] == "none" and policy.get("cards"):
        told = say("none cannot be combined with clauses for cards")
        yield Violation(told, hint=say("leave one of them out"))


def _used_already(position: Position, side: Side, policy: Written) -> Iterator[Violation]:
    """The fault of a clause for a card that is played anyway, or after one that always holds."""
    always = set(listed(policy.get("combat_card", ())))
    for place, clause in enumerate(listed(policy["cards"])):
        card = clause["card"]
        if card in always:
            yield Violation(
                say("{card} is already used whenever possible", card=card), (place, "card")
            )
        if FACTS.always(clause.get("when", {})) and not clause.get("target"):
            always.add(card)
        yield from at((place, "target"), _targets(position, card, clause.get("target", "")))


def _targets(position: Position, card: str, target: str) -> Iterator[Violation]:
    if not target:
        return
    if not names_a_target(position, card):
        told = say(
            "{card} ({card_title}) takes no unit",
            card=card,
            card_title=say(position.card(card).title),
        )
        yield Violation(told, hint=say("leave the target out"))
    elif not position.type_of(target).has("police") or position.side_of(target) != REPUBLICAN:
        yield Violation(
            say(
                "{card} takes an enemy police unit, which {target} is not", card=card, target=target
            )
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
    rest = {key: said for key, said in clause.items() if key in ("when", "target")}
    card = clause["card"]
    on_table = "table" if card in position.decks[side].table else None
    slot = clause.get("slot") or on_table or position.slot_of(side, card)
    if slot is None:  # hands are open, and the card is still to be drawn
        return {"card": card, **rest}
    return {"slot": slot, **({"card": card} if slot == "table" else {}), **rest}


def _by_card(position: Position, side: Side, clauses: Any) -> list[Written]:
    """The clauses of a document with their cards, as far as they are known."""
    return [
        {
            "card": clause.get("card") or position.card_in(clause["slot"]) or clause["slot"],
            **{key: said for key, said in clause.items() if key in ("when", "target")},
        }
        for clause in clauses
    ]


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
        if card in usable:
            if not target:
                chosen.setdefault(card, "")
            elif names_a_target(position, card) and target in defectors(position, position.fought):
                chosen.setdefault(card, target)
    target = next((unit for unit in chosen.values() if unit), "")
    return CombatCards(tuple(chosen), target)


def _shown(position: Position, stage: object, policy: Document) -> Iterator[str]:
    """The slots of all clauses that hold; whether a card fits is checked once it is open."""
    slots = (clause.get("slot", "table") for clause in _holding(position, policy))
    return (slot for slot in slots if slot != "table")


def _card_of(position: Position, side: Side, clause: Document) -> str | None:
    """The card of a clause, if it is there: in that slot of the hand, or on the table."""
    slot, card, deck = clause.get("slot"), clause.get("card"), position.decks[side]
    if slot == "table":
        return card if card in deck.table else None
    if slot is None:
        return card if card in (*position.shown_cards(side), *deck.table) else None
    lies_there = position.known.get(slot) if slot in deck.hand else None
    return lies_there if card in (None, lies_there) else None


CARDS = {"cards": Answer(_played, _shown)}
ALWAYS_USED: Clause = Clause(
    OrWord(("none",), Also(Many(COMBAT_CARD, once=True, needed=True), each(_held))),
    answers=CARDS,
    sealed=OrWord(("none",), Many(COMBAT_CARD)),
    seal=lambda position, side, said: _seal(position, side, _short(said)),
    vain=_none_beside_clauses,
    example=_could_be_named,
)
CLAUSES: Clause = Clause(
    Many(Also(WRITTEN, _place, always=True), needed=True),
    answers=CARDS,
    sealed=Many(Also(SEALED, _by_name, always=True)),
    seal=lambda position, side, said: _seal(position, side, listed(said)),
    unseal=_by_card,
    vain=_used_already,
)
