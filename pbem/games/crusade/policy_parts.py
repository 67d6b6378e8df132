"""From what a player writes under `standing:` to the policies that are sealed.

Each policy has a slot of its own, so that one can be opened while the others stay closed. A card of
the hand is named by its slot: whoever answers when the dice are known could else say that they do
not hold it. What is said card by card is a list of pairs there: the keys of a document are words of
the policy language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.codec import pairs
from pbem.engine.model import Side
from pbem.games.crusade.conditions import listed
from pbem.games.crusade.policy import card_clauses
from pbem.games.crusade.policy_form import LOWEST, WITHDRAWN
from pbem.games.crusade.policy_scope import STANDING, TURN_END, now
from pbem.games.crusade.position import ROUNDS, Position
from pbem.games.crusade.tables import REPUBLICAN

Written = Mapping[str, Any]
Part = Mapping[str, Any]
OUTSIDE = ("scope", "until", "slot", "slots", TURN_END, "combat_card")
"""What is written in a policy and is no part of its document."""
ALWAYS = ("replacements", "returning", "remove_marker", "surplus", "discard")
"""What `turn_end` answers even where it says nothing: then nothing is bought or given up."""
IF_SAID = ("redraw", "guerrilla")


def parts(position: Position, side: Side, written: Written) -> tuple[Part, ...]:
    """The policies of a side, the more particular ones behind: of two that speak the later does."""
    return tuple(_parts(position, side, written))


def _parts(position: Position, side: Side, written: Written) -> Iterator[Part]:
    said = set(written) - {"slots", TURN_END}
    if said or not written:
        yield _part(position, side, written.get("slot", STANDING), written)
    for name, policy in written.get("slots", {}).items():
        yield _withdrawn(name) if policy == WITHDRAWN else _part(position, side, name, policy)
    if TURN_END in written:
        policy = written[TURN_END]
        yield _withdrawn(TURN_END) if policy == WITHDRAWN else _at_turn_end(position, side, policy)


def _withdrawn(slot: str) -> Part:
    return {"slot": slot, "scope": None, "until": None, "doc": None, "clear": True}


def _part(position: Position, side: Side, slot: str, policy: Written) -> Part:
    scope = {key: list(listed(value)) for key, value in policy.get("scope", {}).items()}
    doc = {key: value for key, value in policy.items() if key not in OUTSIDE}
    cards = [_clause(position, side, clause) for clause in card_clauses(policy)]
    if cards:
        doc["cards"] = cards
    if "forced" in doc:
        doc["forced"] = _forced(position, side, doc["forced"])
    return {
        "slot": slot,
        "scope": scope or None,
        "until": policy.get("until"),
        "doc": plain(doc),
        "clear": False,
    }


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


def _forced(position: Position, side: Side, written: Written) -> list[list[Any]]:
    """Card by card what each takes, and at `discard` the slots of the cards that are given up."""
    said = dict(written)
    if said.get("discard") == LOWEST:
        hand = position.hand_cards(side)
        said["discard"] = sorted(hand, key=lambda card: (position.card(card).ops, card))
    if "discard" in said:
        said["discard"] = _slots_of(position, side, said["discard"])
    return pairs(said)


def _slots_of(position: Position, side: Side, cards: Any) -> list[str]:
    slots = (position.slot_of(side, card) for card in listed(cards))
    return [slot for slot in slots if slot is not None]


def _at_turn_end(position: Position, side: Side, policy: Written) -> Part:
    """It is in force for this one end of a turn, unless it says longer.

    Where its author makes the last move of the turn there is nothing to hide: their enemy has said
    all before they read it. In clear it answers at once, and costs no mail but for discards, whose
    cards they open in their next one.
    """
    doc = {key: value for key, value in policy.items() if key not in ("until", "redraw")}
    if "discard" in doc:
        doc["discard"] = _slots_of(position, side, doc["discard"])
    turn, number = now(position)
    last_move = side == REPUBLICAN == position.active and number == ROUNDS
    return {
        "slot": TURN_END,
        "scope": {"only": [*ALWAYS, *(kind for kind in IF_SAID if kind in policy)]},
        "until": policy.get("until", f"turn {max(turn, 1)}"),
        "doc": plain(doc),
        "clear": last_move,
    }


def plain(value: Any) -> Any:
    """Lists for tuples: what a game file can hold."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value
