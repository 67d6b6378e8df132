"""What a player owes, in words."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.gamefile.pending import Owed
from pbem.play.game import Game

SAYS = {
    "accept": "accept the game", "start": "begin the game",
    "reveal": "run `pbem apply` to roll the dice", "anchor": "give a new chain",
    "deck_commit": "seal a new {pile}", "deck_reply": "prove that a {pile} is whole",
    "unseal": "show sealed standing orders", "open": "show a {piece}",
    "seal": "choose in secret", "tell": "show a secret choice",
    "audit": "show what was kept hidden",
}  # fmt: skip

STANDING = "sealed standing orders answer that"


def owed_words(thing: Owed, game: Game) -> str:
    """What somebody owes, as their opponent would ask for it."""
    decision = game.table.decision if game.table is not None else None
    if thing.code in ("answer", "seal") and decision is not None:
        halt = game.fold.machine.halt
        sealed = f" ({STANDING})" if halt is not None and halt.by == thing.by else ""
        return f"{decision.prompt}{sealed}"
    return _said(thing.code, thing.machine, game)


def what_owes(game: Game, player: str) -> str:
    """All that a player owes, in words; empty where it is nothing."""
    return "; ".join(owed_words(each, game) for each in game.fold.owed if each.by == player)


def claimed_words(claimed: Iterable[str], game: Game, *, now: bool = False) -> str:
    """What a claim lists, in words; with `now` the question that is open is told, too."""
    open_now = {thing.machine: owed_words(thing, game) for thing in game.fold.owed} if now else {}
    return "; ".join(open_now.get(each) or _in_general(each, game) for each in claimed)


def _in_general(claimed: str, game: Game) -> str:
    code = claimed.partition(" ")[0]
    return "answer what the game asks" if code == "answer" else _said(code, claimed, game)


def _said(code: str, otherwise: str, game: Game) -> str:
    words = game.opened.system.words
    return SAYS[code].format(pile=words.pile, piece=words.piece) if code in SAYS else otherwise
