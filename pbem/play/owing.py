"""What a player owes, in words."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.gamefile.pending import Owed
from pbem.play.game import Game

SAYS = {
    "accept": "accept the game", "start": "begin the game",
    "reveal": "reveal a value, so that the dice fall", "anchor": "give a new chain",
    "deck_commit": "seal a new draw pile", "deck_reply": "prove that a draw pile is whole",
    "unseal": "show sealed standing orders", "open": "show a card",
    "audit": "show what was kept hidden",
}  # fmt: skip


def owed_words(thing: Owed, game: Game) -> str:
    """What somebody owes, as their opponent would ask for it."""
    decision = game.table.decision if game.table is not None else None
    if thing.code == "answer" and decision is not None:
        return decision.prompt
    return SAYS.get(thing.code, thing.machine)


def claimed_words(claimed: Iterable[str], game: Game | None = None) -> str:
    """What a claim lists, in words; with the game, the question that is open now is told, too."""
    open_now = {thing.machine: owed_words(thing, game) for thing in game.fold.owed} if game else {}
    return "; ".join(open_now.get(each) or _in_general(each) for each in claimed)


def _in_general(claimed: str) -> str:
    code = claimed.partition(" ")[0]
    return "answer what the game asks" if code == "answer" else SAYS.get(code, claimed)
