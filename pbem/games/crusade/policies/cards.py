"""Combat cards: used whenever possible, or clause by clause; and how cards of a hand are named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    Path,
    Shape,
    listed,
    meant,
    name,
)
from pbem.games.crusade.conditions import FACTS, WHEN_CARDS
from pbem.games.crusade.effects.combat_cards import defectors, names_a_target
from pbem.games.crusade.orders import CombatCards
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.combat_cards import usable_cards
from pbem.games.crusade.tables import REPUBLICAN

if TYPE_CHECKING:
    from pbem.games.crusade.stages.combat.defence import DefendersCards

# --- what names a card --------------------------------------------------------------------------


def _combat_card(position: Position, side: Side, card: Any, path: Path) -> Iterator[Violation]:
    known = position.tables.cards.get(card) if isinstance(card, str) else None
    if known is None:
        hint = meant(card, position.tables.cards, "write a card by its id, such as R7")
        yield Violation(f"no card is named {card!r}", at=path, hint=hint)
    elif known.side != side or known.kind != "combat":
        yield Violation(f"{card} ({known.title}) is not one of your combat cards", at=path)


def _held(position: Position, side: Side, card: Any, path: Path) -> Iterator[Violation]:
    """A hidden card is named by its slot, so its author must hold it when they write."""
    lies_there = (*position.hand_cards(side), *position.decks[side].table)
    if not position.option("open_hands") and card not in lies_there:
        held = ", ".join(lies_there)
        yield Violation(f"{card} is not in your hand", at=path, rule="8.5.3.1",
                        hint=f"you hold {held}" if held else "your hand is empty")  # fmt: skip


def _in_hand(position: Position, side: Side, card: Any, path: Path) -> Iterator[Violation]:
    """A card of the own hand, whatever it is."""
    hand = position.hand_cards(side)
    if card not in hand:
        yield Violation(f"{card} is not in your hand", at=path, hint=f"you hold {', '.join(hand)}")


def _serves_a_defender(position: Position, card: str) -> bool:
    """Policies name cards only in defence: in an attack they go with its order."""
    return position.card(card).params.get("role") != "attacker"


def _for_attackers(position: Position, side: Side, card: Any, path: Path) -> Iterator[Violation]:
    if not _serves_a_defender(position, card):
        told = f"{card} ({position.card(card).title}) serves only attackers"
        yield Violation(told, path, "11.2.4", f"write cards: [{card}] in your attack")


COMBAT_CARD = Judged(_combat_card, NAME, "card", never=_for_attackers)
IN_HAND = Judged(_in_hand, NAME, "card")
SLOTS: Shape = Many(SLOT)


def slots_of(position: Position, side: Side, cards: Any) -> list[str]:
    """The slots of the cards a player names; cards that are not in the hand are left out."""
    slots = (position.slot_of(side, card) for card in listed(cards))
    return [slot for slot in slots if slot is not None]


# --- as written ---------------------------------------------------------------------------------


def _place(position: Position, side: Side, clause: Any, path: Path) -> Iterator[Violation]:
    """The place of a card in a clause, in the hand or on the table."""
    if not isinstance(clause, Mapping) or "card" not in clause:
        return
    card, slot = clause["card"], clause.get("slot")
    if any(True for _ in _combat_card(position, side, card, path)):
        return
    if slot is None:
        yield from _held(position, side, card, (*path, "card"))
    elif slot != "table" and slot not in position.decks[side].hand:
        yield Violation(
            f"your hand has no slot {slot!r}", at=(*path, "slot"), hint="table for a kept card"
        )
    elif slot != "table" and position.card_in(slot) not in (None, card):
        lies_there = position.slot_of(side, card)
        yield Violation(f"{slot} does not contain {card}", at=(*path, "slot"),
                        hint=f"it is in {lies_there}" if lies_there else "")  # fmt: skip


def _by_name(position: Position, side: Side, clause: Any, path: Path) -> Iterator[Violation]:
    if isinstance(clause, Mapping) and clause.get("slot") == "table" and "card" not in clause:
        yield Violation("write a card on the table by its name", at=path)


LIES_THERE = Judged(lambda *_: iter(()), {"type": ["string", "null"]})
"""Where a card lies is judged by the card that is there."""
TARGET = name("unit", lambda position: ("", *position.tables.units), json=NAME)


def _clause(text: str, hint: str, slot: Shape, *needs: str) -> Shape:
    fields = {"card": COMBAT_CARD, "slot": slot, "when": WHEN_CARDS, "target": TARGET}
    return Fields(fields, text, hint, needs)


WRITTEN = _clause("a clause must name a card", "{card: R7, when: {any: true}}", LIES_THERE, "card")
SEALED = _clause("a clause must name a slot", "", SLOT, "card", "slot")


def _none_beside_clauses(
    position: Position, side: Side, policy: Written, path: Path
) -> Iterator[Violation]:
    if policy["combat_card"] == "none" and policy.get("cards"):
        yield Violation(
            "none cannot be combined with clauses for cards", path, hint="leave one of them out"
        )


def _used_already(
    position: Position, side: Side, policy: Written, path: Path
) -> Iterator[Violation]:
    """The fault of a clause for a card that is played anyway, or after one that always holds."""
    always = set(listed(policy.get("combat_card", ())))
    for place, clause in enumerate(listed(policy["cards"])):
        here, card = (*path, place), clause["card"]
        if card in always:
            yield Violation(f"{card} is already used whenever possible", (*here, "card"))
        if FACTS.always(clause.get("when", {})) and not clause.get("target"):
            always.add(card)
        yield from _targets(position, clause, here)


def _targets(position: Position, clause: Written, path: Path) -> Iterator[Violation]:
    card, target = clause["card"], clause.get("target", "")
    if not target:
        return
    if not names_a_target(position, card):
        yield Violation(f"{card} ({position.card(card).title}) takes no unit", (*path, "target"),
                        hint="leave the target out")  # fmt: skip
    elif not position.type_of(target).has("police") or position.side_of(target) != REPUBLICAN:
        yield Violation(f"{card} takes an enemy police unit, which {target} is not",
                        (*path, "target"))  # fmt: skip


def _could_be_named(position: Position, side: Side) -> Example:
    held = [*position.hand_cards(side), *position.decks[side].table]
    cards = [
        card
        for card in held
        if position.card(card).kind == "combat" and _serves_a_defender(position, card)
    ]
    named = f"or some of {', '.join(cards)}, or clauses (cards:)"
    return "none", named if cards else "you hold none that serves here"


# --- as sealed ----------------------------------------------------------------------------------


def _clauses(policy: Document) -> Iterator[Document]:
    """The clauses for cards; the short form lists cards to be used whenever they can be."""
    short = policy.get("combat_card", ())
    if short != "none":
        yield from ({"card": card} for card in listed(short))
    yield from listed(policy.get("cards", ()))


def _seal(position: Position, side: Side, policy: Written) -> list[Written] | None:
    """All clauses for cards, those of the short form among them."""
    return [_by_slot(position, side, clause) for clause in _clauses(policy)] or None


def _by_slot(position: Position, side: Side, clause: Written) -> Written:
    """A clause for a card, named by the slot where it lies."""
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


def cards_in(position: Position, side: Side, slots: Any) -> list[str]:
    """The cards in slots of a document, as far as they are known."""
    return [position.card_in(slot) or slot for slot in slots]


# --- the answer ---------------------------------------------------------------------------------


def _played(position: Position, stage: DefendersCards, policy: Document) -> Order:
    """Every listed card that may be used is used, if its clause holds."""
    usable = usable_cards(position, position.fought, stage.side)
    chosen: dict[str, str] = {}
    for clause in FACTS.holding(position, position.fought, _clauses(policy)):
        card, target = _card_of(position, stage.side, clause), clause.get("target", "")
        if card is not None and card in usable:
            if not target:
                chosen.setdefault(card, "")
            elif names_a_target(position, card) and target in defectors(position, position.fought):
                chosen.setdefault(card, target)
    target = next((unit for unit in chosen.values() if unit), "")
    return CombatCards(tuple(chosen), target)


def _shown(position: Position, stage: object, policy: Document) -> Iterator[str]:
    """The slots of all clauses that hold; whether a card fits is checked once it is open."""
    for clause in FACTS.holding(position, position.fought, _clauses(policy)):
        if clause.get("slot", "table") != "table":
            yield clause["slot"]


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
    OrWord(
        ("none",),
        Also(Many(COMBAT_CARD, once=True, needed=True), Many(Judged(_held, NAME)).faults),
    ),
    CARDS,
    sealed=OrWord(("none",), Many(COMBAT_CARD)),
    seal=_seal,
    vain=_none_beside_clauses,
    example=_could_be_named,
)
CLAUSES: Clause = Clause(
    Many(Also(WRITTEN, _place, always=True), needed=True),
    CARDS,
    sealed=Many(Also(SEALED, _by_name, always=True)),
    seal=_seal,
    unseal=_by_card,
    vain=_used_already,
)
