"""From what a player writes under `standing:` to the policies that are sealed.

Each policy has a slot of its own, so that one can be opened while the others stay closed. A card of
the hand is named by its slot: whoever answers when the dice are known could else say that they do
not hold it. What is said card by card is a list of pairs there: the keys of a document are words of
the policy language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.codec import pairs
from pbem.engine.model import Side
from pbem.engine.policy_parts import ASK, STANDING, WITHDRAWN
from pbem.engine.shapes import listed
from pbem.games.crusade.policy import card_clauses
from pbem.games.crusade.policy_form import LOWEST
from pbem.games.crusade.policy_scope import TURN_END, now
from pbem.games.crusade.position import ROUNDS, Position
from pbem.games.crusade.tables import REPUBLICAN

if TYPE_CHECKING:
    from pbem.engine.policy_parts import PolicyTable

Written = Mapping[str, Any]
Part = Mapping[str, Any]


def parts(table: PolicyTable, position: Position, side: Side, written: Written) -> tuple[Part, ...]:
    """The policies of a side, the more particular ones behind: of two that speak the later does."""
    return tuple(_parts(table, position, side, written))


def _parts(table: PolicyTable, position: Position, side: Side, written: Written) -> Iterator[Part]:
    said = set(written) - {"slots", TURN_END}
    if said or not written:
        yield _part(table, position, side, written.get("slot", STANDING), written)
    for name, policy in written.get("slots", {}).items():
        withdrawn = policy == WITHDRAWN
        yield _withdrawn(name) if withdrawn else _part(table, position, side, name, policy)
    if TURN_END in written:
        policy = written[TURN_END]
        withdrawn = policy == WITHDRAWN
        yield _withdrawn(TURN_END) if withdrawn else _at_turn_end(table, position, side, policy)


def _withdrawn(slot: str) -> Part:
    return {"slot": slot, "scope": None, "until": None, "doc": None, "clear": True}


def _part(table: PolicyTable, position: Position, side: Side, slot: str, written: Written) -> Part:
    """What a player would be asked is left out of the scope, which all can read."""
    asked = table.asked_in(slot, written)
    policy = {key: value for key, value in written.items() if value != ASK}
    scope = {key: list(listed(value)) for key, value in policy.get("scope", {}).items()}
    if asked:
        only = scope.get("only", table.questions(slot))
        scope["only"] = [kind for kind in only if kind not in asked]
    doc = _document(table, position, side, slot, policy)
    doc.pop("combat_card", None)
    cards = [_clause(position, side, clause) for clause in card_clauses(policy)]
    if cards:
        doc["cards"] = cards
    return {
        "slot": slot,
        "scope": scope or None,
        "until": policy.get("until"),
        "doc": plain(doc),
        "clear": False,
    }


def _document(
    table: PolicyTable, position: Position, side: Side, slot: str, policy: Written
) -> dict[str, Any]:
    """The parts of a policy that a document has, as they stand there."""
    rows = ((row, policy[name]) for name, row in table.within(slot).items() if name in policy)
    return {
        row.name: row.seal(position, side, said) if row.seal else said
        for row, said in rows
        if row.sealed is not None and said != ASK
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


def forced(position: Position, side: Side, written: Written) -> list[list[Any]]:
    """Card by card what each takes, and at `discard` the slots of the cards that are given up."""
    said = dict(written)
    if said.get("discard") == LOWEST:
        hand = position.hand_cards(side)
        said["discard"] = sorted(hand, key=lambda card: (position.card(card).ops, card))
    if "discard" in said:
        said["discard"] = slots_of(position, side, said["discard"])
    return pairs(said)


def slots_of(position: Position, side: Side, cards: Any) -> list[str]:
    """The slots of the cards a player names; what is not in the hand is left out."""
    slots = (position.slot_of(side, card) for card in listed(cards))
    return [slot for slot in slots if slot is not None]


def _at_turn_end(table: PolicyTable, position: Position, side: Side, policy: Written) -> Part:
    """It is in force for this one end of a turn, unless it says longer.

    Where its author makes the last move of the turn there is nothing to hide: their enemy has said
    all before they read it. In clear it answers at once, and costs no mail but for discards, whose
    cards they open in their next one.
    """
    unsaid = table.questions(TURN_END, unsaid=True)
    rows = table.within(TURN_END)
    said = (name for name, row in rows.items() if row.only_if_said and name in policy)
    answered = (*unsaid, *(question for name in said for question in rows[name].answers))
    asked = table.asked_in(TURN_END, policy)
    turn, number = now(position)
    last_move = side == REPUBLICAN == position.active and number == ROUNDS
    return {
        "slot": TURN_END,
        "scope": {"only": [kind for kind in answered if kind not in asked]},
        "until": policy.get("until", f"turn {max(turn, 1)}"),
        "doc": plain(_document(table, position, side, TURN_END, policy)),
        "clear": last_move,
    }


def plain(value: Any) -> Any:
    """Lists for tuples: what a game file can hold."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value
