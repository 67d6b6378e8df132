"""Questions that are asked before an entry is signed that cannot be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli import choices
from pbem.cli.request import Misused
from pbem.gamefile.deputies import present
from pbem.messages import Said, say
from pbem.problems import Problem, Refused
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.cli.request import Request
    from pbem.gamefile.keys import KeyPair
    from pbem.play.answer import AnsweredGame
    from pbem.play.game import Game


class Declined(Refused):
    """The player at the terminal does not mean it, after all: that is no fault. `told` says what
    came of it.
    """

    def __init__(self, told: Said) -> None:
        super().__init__(Problem("not-agreed", told))
        self.told = told


def can_ask(request: Request) -> bool:
    """Whether somebody is there who reads a question."""
    return choices.is_attended() and not request.as_json


NOT_SIGNED = say("nothing was signed")


def check(question: Said, told: Said = NOT_SIGNED) -> None:
    """Raises Declined unless the player at the terminal says yes; Return means no."""
    if not choices.agreed(question):
        raise Declined(told)


def second_story(game: Game, key: KeyPair | None, player: str | None) -> Said:
    """The warning that a player's deputy may have written on this very file; empty where the key is
    not the player's own, or nobody else writes for them.
    """
    if key is None or player is None or game.fold.phase != "running":
        return ""
    deputy = present(game.fold.machine, player) if game.fold.machine.keys.deputies else None
    if deputy is None or deputy.public == key.public:
        return ""
    return say(
        "your deputy may already have written entry {entry}; if they have, this is a second story "
        "of your game, signed by you: ask them first",
        entry=len(game.fold.entries),
    )


def taking_over(game: Game, key: KeyPair | None, player: str | None) -> Said:
    """The same warning where the player writes for the first time since they named their deputy, or
    since the deputy wrote; who goes on writing has heard it.
    """
    told = second_story(game, key, player)
    if not told:
        return ""
    assert player is not None
    deputy = present(game.fold.machine, player)
    assert deputy is not None
    last = [each for each in game.fold.entries[deputy.entry + 1 :] if each.by == player][-1:]
    return "" if last and "as" not in last[0].payload else told


def before_the_deputy(told: Said, made: AnsweredGame, request: Request) -> AnsweredGame:
    """What was made, once the player has said that they know what `told` warns of; where nobody
    can be asked, it is a note. Raises Declined.
    """
    if not told:
        return made
    if not can_ask(request):
        return replace(made, notes=(*made.notes, told))
    check(say("{warning}. Sign it?", warning=told))
    return made


def check_deputy_gone(told: Said, request: Request, *, yes: bool) -> None:
    """Asks before the deputy whom `told` warns of is withdrawn. Raises Declined, and Misused where
    nobody can be asked.
    """
    if not told or yes:
        return
    if not can_ask(request):
        raise Misused(say("nothing was signed: {warning}; with --yes it is signed", warning=told))
    check(say("{warning}. Sign it?", warning=told))
