"""Notes that were passed over: informs their author, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.gamefile.claims import owed_by
from pbem.gamefile.consent import NAMES, open_offer
from pbem.gamefile.in_play import other
from pbem.gamefile.witness import Crossed
from pbem.play.game import Game
from pbem.play.offers import wanted
from pbem.play.owing import claimed_words

Step = Mapping[str, Any]


def lines(game: Game, crossed: Crossed) -> list[str]:
    """A line for each thing the player said out of turn that is now void."""
    found = []
    for note in crossed.notes:
        where = f"in entry {note.seq} crossed entry {crossed.main.seq} of "
        where += str(game.called(crossed.main.by))
        for step in note.steps:
            told = _TOLD.get(step["do"])
            if told is not None:
                found.append(told(game, step, note.by, where))
    return found


def _say(game: Game, step: Step, player: str, where: str) -> str:
    words = " / ".join(step["text"])
    return f'your words {where} and are not in the game; you can say them again: "{words}"'


def _offer(game: Game, step: Step, player: str, where: str) -> str:
    said = f"your offer ({NAMES[step['what']]}) {where} and was not seen, so it is not open; "
    theirs = open_offer(game.fold.machine, other(player))
    if theirs is not None:
        return f"{said}{wanted(theirs.what, theirs.terms, game.side_told(theirs.by))}: answer that"
    return f"{said}you can offer it again"


def _claim(game: Game, step: Step, player: str, where: str) -> str:
    owed = owed_by(game.fold.machine, other(player))
    left = f"{game.called(other(player))} "
    if owed:
        left += f"still has to {claimed_words(owed, game)}; you can claim it again"
    elif game.fold.pen == player:
        left += "owes nothing now, and it is your turn to write"
    else:
        left += "owes nothing now"
    return f"your claim {where}, which sent something; {left}"


def _resign(game: Game, step: Step, player: str, where: str) -> str:
    if game.fold.phase == "over":
        return f"your resignation {where}, which had already ended the game; the result stands"
    return (
        f"your resignation {where}, and the game goes on; you can resign again, and in your own "
        "turn that is final"
    )


def _rotate(game: Game, step: Step, player: str, where: str) -> str:
    if step["signed_by"] == "opponent":
        return (
            f"the new key you named {where}, who has the old key and has used it; discard the "
            "new key"
        )
    return (
        f"your new key {where} and is not in the game; sign with the old one, or name the new one "
        "again (pbem rotate makes another proof)"
    )


def _shown(game: Game, step: Step, player: str, where: str) -> str:
    what = "your audit" if step["do"] == "audit" else "your close"
    return f"{what} {where}, which came first; send yours again after it (pbem audit)"


_TOLD: Mapping[str, Callable[[Game, Step, str, str], str]] = {
    "say": _say, "offer": _offer, "claim_forfeit": _claim, "resign": _resign, "rotate": _rotate,
    "audit": _shown, "close": _shown,
}  # fmt: skip
