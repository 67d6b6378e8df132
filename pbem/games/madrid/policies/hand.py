"""Policies that play chits lying face down in their author's hand.

A document names chits as a player does, and also the slots of the hand that hold them. Before such
an answer is given, the slots it would use are opened, if the hand is as the document says. Then
what was opened decides, so a false claim gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pbem.engine.model import Order, Side, Violation
from pbem.engine.policies import HELD
from pbem.engine.policy_rows import Answer, Document
from pbem.engine.shapes import Path, listed
from pbem.games.madrid.hidden import chits_named
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits


def kind_meant(position: Position, said: str) -> str:
    """The kind of the chit that a policy names: copies of a kind are alike."""
    return position.board.chits.get(said, said)


def in_hand(position: Position, side: Side, written: str, path: Path) -> Iterator[Violation]:
    """The fault of naming a chit that the author does not hold."""
    kind = kind_meant(position, written)
    if not any(position.kind_of(chit) == kind for chit in position.held(side)):
        hint = f"you hold {chits.hand_told(position, side)}"
        yield Violation(f"{written} is not in your hand", path, "6.1", hint)


def at_hand(position: Position, side: Side, written: str, path: Path) -> Iterator[Violation]:
    """The same for chits named by slot; a chit that lies open may still be drawn."""
    if position.is_hidden:
        yield from in_hand(position, side, written, path)


def claims(position: Position, side: Side, policy: Document) -> Iterator[tuple[str, str]]:
    """The slots that hold the chits a policy names: for each kind one that is not yet known."""
    hand = position.hands[side]
    known = {position.kind_of(each) for each in hand if each in position.board.chits}
    for kind in {kind_meant(position, said) for said in _names(policy)} - known:
        there = (each for each in hand if (chit := position.chit_in(each))
                 and position.kind_of(chit) == kind)  # fmt: skip
        yield from ((slot, position.chit_in(slot)) for slot in list(there)[:1])


def _names(policy: Document) -> Iterator[str]:
    """Every chit that a policy may play."""
    yield from (clause["chit"] for clause in listed(policy.get("chits", ())))
    if policy.get("reroll", "never") != "never":
        yield from chits.REROLL
    lines = [line for line in policy.get("impulses", ()) if not isinstance(line, str)]
    for said in (said for line in lines for said in line.values()):
        yield from filter(None, (said.get("chit"), *said.get("chits", ())))


def with_hand(
    order: Callable[[Position, Any, Document], Order | None], *, or_asks: bool = False
) -> Answer:
    """Wraps an answer that may play chits."""

    def shows(position: Position, stage: Any, policy: Document) -> Iterator[str]:
        lies = {
            position.followed(slot): chit
            for slot, chit in policy.get(HELD, ())
            if chit in position.board.chits
        }
        supposed = position.but(secret=lies)
        found = order(supposed, stage, policy)
        for chit in chits_named(found) if found else ():
            yield supposed.where(stage.side, chit)

    return Answer(order, shows, or_asks)
