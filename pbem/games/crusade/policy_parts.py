"""What of Crusade's standing orders stands otherwise in a document than a player writes it.

A card of the hand is named by its slot: whoever answers when the dice are known could else say that
they do not hold it. What is said card by card is a list of pairs there: the keys of a document are
words of the policy language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.codec import pairs
from pbem.engine.model import Side
from pbem.engine.shapes import listed
from pbem.games.crusade.policy import card_clauses
from pbem.games.crusade.policy_form import LOWEST
from pbem.games.crusade.policy_scope import now
from pbem.games.crusade.position import ROUNDS, Position
from pbem.games.crusade.tables import REPUBLICAN

Written = Mapping[str, Any]


def cards(position: Position, side: Side, policy: Written) -> list[Written] | None:
    """All clauses for cards, those of the short form among them."""
    return [_clause(position, side, clause) for clause in card_clauses(policy)] or None


def _clause(position: Position, side: Side, clause: Written) -> Written:
    """A clause for a card, named by the slot where it lies."""
    rest = {key: value for key, value in clause.items() if key in ("when", "target")}
    slot = clause.get("slot") or _where(position, side, clause["card"])
    if slot is None:  # hands are open, and the card is still to be drawn
        return {"card": clause["card"], **rest}
    return {"slot": slot, **({"card": clause["card"]} if slot == "table" else {}), **rest}


def _where(position: Position, side: Side, card: str) -> str | None:
    """The slot of a card, or that it lies on the table."""
    return "table" if card in position.decks[side].table else position.slot_of(side, card)


def forced(position: Position, side: Side, policy: Written) -> list[list[Any]]:
    """Card by card what each takes, and at `discard` the slots of the cards that are given up."""
    said = dict(policy["forced"])
    if said.get("discard") == LOWEST:
        hand = position.hand_cards(side)
        said["discard"] = sorted(hand, key=lambda card: (position.card(card).ops, card))
    if "discard" in said:
        said["discard"] = slots_of(position, side, said["discard"])
    return pairs(said)


def discards(position: Position, side: Side, policy: Written) -> list[str]:
    """The slots of the cards that are discarded."""
    return slots_of(position, side, policy["discard"])


def slots_of(position: Position, side: Side, cards: Any) -> list[str]:
    """The slots of the cards a player names; what is not in the hand is left out."""
    slots = (position.slot_of(side, card) for card in listed(cards))
    return [slot for slot in slots if slot is not None]


def this_turn(position: Position) -> str:
    """Until when the policy of a turn's end is in force: for this one, unless it says longer."""
    return f"turn {max(now(position)[0], 1)}"


def is_last_move(position: Position, side: Side) -> bool:
    """Whether a side has the last move of the turn, and so nothing to hide.

    Its enemy has said all before they read it. In clear it answers at once, and costs no mail but
    for discards, whose cards they open in their next one.
    """
    return side == REPUBLICAN == position.active and now(position)[1] == ROUNDS
