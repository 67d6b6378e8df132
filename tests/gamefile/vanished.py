"""Players who fall silent, and who goes on for them: the writing of such entries."""

from __future__ import annotations

from typing import Any

from pbem.gamefile import negotiation, rulings, standing_in
from pbem.gamefile.compose import Proposal, Wish, compose
from pbem.gamefile.fold import Fold
from pbem.gamefile.keys import KeyPair
from pbem.value import replace
from tests.gamefile.players import KEYS, TERMS, TOOL, opened
from tests.gamefile.toy import open_toy

CARA, DORA, EVE = (KeyPair.from_seed(bytes([at]) * 32) for at in (21, 22, 23))
"""A deputy, a director, and somebody else."""
PASS = {"pass": {}}
DAY = "2026-03-{:02}T10:00Z"


def terms(then: str = "result", *, of: Proposal = TERMS) -> Proposal:
    """A game with three weeks of patience and a director."""
    return replace(of, silence={"days": 21, "then": then}, director=DORA.public)


def begun(then: str = "result", table: Any = open_toy) -> Fold:
    """The hands are dealt; A has the first round."""
    return opened(terms(then), table)


def write(fold: Fold, key: KeyPair, *orders: dict[str, Any], day: int = 0, **wish: Any) -> Fold:
    """The fold after an entry of the owner of a key, written on a day of March, or undated."""
    wanted = Wish(orders=orders, **{"in_clear": True, **wish})
    time = DAY.format(day) if day else None
    return compose(fold, key, wanted, tool=TOOL, time=time, fresh=b"\x22" * 16).fold


def waiting(day: int = 1, then: str = "result") -> Fold:
    """A has passed on a day, and waits for B."""
    return write(begun(then), KEYS["A"], PASS, day=day)


def claimed(fold: Fold, by: str, day: int) -> Fold:
    """The fold after a claim by the terms for silence."""
    return write(fold, KEYS[by], day=day, claim_forfeit=True, silence=True)


def deputy(fold: Fold, player: str, key: KeyPair | None = CARA, **how: Any) -> Fold:
    """The fold after a player has named the owner of a key, or withdrawn their deputy."""
    return standing_in.with_deputy(
        fold, KEYS[player], key.public if key else None, tool=TOOL, **how
    )


def extension(fold: Fold, days: int, director: KeyPair = DORA) -> dict[str, Any]:
    """The step of a ruling that gives more days."""
    sig = rulings.signed(director, fold.machine, rulings.extension(days))
    return {"do": "ruling", "what": "extend", "days": days, "sig": sig}


def result(fold: Fold, winner: str | None, director: KeyPair = DORA) -> dict[str, Any]:
    """The step of a ruling that ends the game."""
    sig = rulings.signed(director, fold.machine, rulings.declared(winner))
    return {"do": "ruling", "what": "result", "winner": winner, "sig": sig}


def seat(fold: Fold, of: str, new: KeyPair = EVE, director: KeyPair = DORA) -> dict[str, Any]:
    """The step that gives a player's seat to somebody else."""
    sig = rulings.signed(director, fold.machine, rulings.seating(of, new.public))
    return {
        "do": "rotate", "new_pub": new.public.hex(), "signed_by": "director", "sig": sig,
        "proof": negotiation.proof_for(fold, of, new),
    }  # fmt: skip


def ruled(fold: Fold, by: str, step: dict[str, Any]) -> Fold:
    """The fold after a player has brought a ruling into the game."""
    return standing_in.with_ruling(fold, KEYS[by], step, tool=TOOL)
