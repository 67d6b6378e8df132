"""Entries that were passed over: informs their author, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.gamefile.consent import NAMES, open_offer
from pbem.gamefile.deputies import present
from pbem.gamefile.in_play import other
from pbem.gamefile.records import owed_by
from pbem.gamefile.rotation import FOR_THE_OTHER
from pbem.gamefile.rulings import result_in
from pbem.gamefile.witness import Crossed
from pbem.messages import Said, say
from pbem.play.game import Game
from pbem.play.offers import wanted
from pbem.play.owing import claimed_words

Step = Mapping[str, Any]
Where = Mapping[str, Any]
"""The gaps of every line: the note, the entry it crossed, and the player who wrote that."""


def lines(game: Game, crossed: Crossed) -> list[Said]:
    """A line for each thing the player said out of turn that is now void."""
    found: list[Said] = []
    result = result_in(crossed.main) is not None
    for note in crossed.notes:
        where = {
            "note": note.seq, "entry": crossed.main.seq, "player": game.called(crossed.main.by)
        }  # fmt: skip
        if result and result_in(note) is None:  # W9
            found.append(
                say("your entry {note} crossed the result that the director has declared, which "
                    "{player} brought in entry {entry}: the result counts", **where)
            )  # fmt: skip
            continue
        for step in note.steps:
            told = _TOLD.get(step["do"])
            if told is not None:
                found.append(told(game, step, note.by, where))
    return found


def _say(game: Game, step: Step, player: str, where: Where) -> Said:
    return say(
        "your words in entry {note} crossed entry {entry} of {player} and are not in the game; you "
        "can say them again: {words}",
        words=f'"{" / ".join(step["text"])}"', **where,
    )  # fmt: skip


def _offer(game: Game, step: Step, player: str, where: Where) -> Said:
    said = say(
        "your offer ({offer}) in entry {note} crossed entry {entry} of {player} and was not seen, "
        "so it is not open",
        offer=say(NAMES[step["what"]]), **where,
    )  # fmt: skip
    theirs = open_offer(game.fold.machine, other(player))
    if theirs is None:
        return say("{said}; you can offer it again", said=said)
    theirs_said = wanted(theirs.what, theirs.terms, game.side_told(theirs.by))
    return say("{said}; {theirs}: answer that", said=said, theirs=theirs_said)


def _claim(game: Game, step: Step, player: str, where: Where) -> Said:
    owed = owed_by(game.fold.machine, other(player))
    said = say(
        "your claim in entry {note} crossed entry {entry} of {player}, who had already written",
        **where,
    )
    them = game.called(other(player))
    if owed:
        return say(
            "{said}; {them} still has to {owed}; you can claim it again",
            said=said, them=them, owed=claimed_words(owed, game),
        )  # fmt: skip
    if game.fold.pen == player:
        return say(
            "{said}; {them} owes nothing now, and it is your turn to write", said=said, them=them
        )
    return say("{said}; {them} owes nothing now", said=said, them=them)


def _resign(game: Game, step: Step, player: str, where: Where) -> Said:
    return say(
        "your resignation in entry {note} crossed entry {entry} of {player}, which had already "
        "ended the game; the result stands"
        if game.fold.phase == "over"
        else "your resignation in entry {note} crossed entry {entry} of {player}, and the game "
        "goes on; you can resign again, and in your own turn that is final",
        **where,
    )


def _rotate(game: Game, step: Step, player: str, where: Where) -> Said:
    return say(
        "the new key you named in entry {note} crossed entry {entry} of {player}, who has the old "
        "key and has used it; discard the new key"
        if step["signed_by"] in FOR_THE_OTHER
        else "your new key in entry {note} crossed entry {entry} of {player} and is not in the "
        "game; sign with the old one, or name the new one again (pbem rotate makes another proof)",
        **where,
    )


def _shown(game: Game, step: Step, player: str, where: Where) -> Said:
    return say(
        "your audit in entry {note} crossed entry {entry} of {player}, which came first; send "
        "yours again after it (pbem audit)"
        if step["do"] == "audit"
        else "your close in entry {note} crossed entry {entry} of {player}, which came first; send "
        "yours again after it (pbem audit)",
        **where,
    )


def _deputy(game: Game, step: Step, player: str, where: Where) -> Said:
    theirs = present(game.fold.machine, other(player))
    if "secrets" in step and theirs is not None and (theirs.public or b"").hex() == step["pub"]:
        return say(
            "your deputy in entry {note} crossed entry {entry} of {player}, who has named the same "
            "key: its owner may read what both of you hide, for your secrets are in that entry. To "
            "hide yours again, replace your key (pbem rotate) and ask {player} for new secrets: "
            "pbem offer GAME renew",
            **where,
        )
    return say(
        "your deputy in entry {note} crossed entry {entry} of {player} and is not in the game: say "
        "it again (pbem deputy)",
        **where,
    )


def _ruling(game: Game, step: Step, player: str, where: Where) -> Said:
    if result_in(game.fold.entries[where["entry"]]) is not None:
        return say(
            "you brought the ruling in entry {note}, and {player} did, too: that one counts",
            **where,
        )
    return say(
        "the ruling in entry {note} crossed entry {entry} of {player} and is not in the game: if "
        "it is still needed, ask the director for another",
        **where,
    )


_TOLD: Mapping[str, Callable[[Game, Step, str, Where], Said]] = {
    "say": _say, "offer": _offer, "claim_forfeit": _claim, "resign": _resign, "rotate": _rotate,
    "audit": _shown, "close": _shown, "deputy": _deputy, "ruling": _ruling,
}  # fmt: skip
