"""The file that proves a fork, written when one is noticed."""

from __future__ import annotations

import os
from collections.abc import Sequence

from pbem.cli import files
from pbem.gamefile import fork
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fork import Fork
from pbem.messages import say
from pbem.play.game import Game
from pbem.problems import Refused


def file_name(found: Fork) -> str:
    """`fork_<proposal>-<nnn>-<player>_<id>_<id>.json`, made of checked ids alone."""
    return (
        f"fork_{found.common[0].id[:8]}-{found.seq:03}-{found.by.lower()}"
        f"_{found.first.id[:8]}_{found.second.id[:8]}.json"
    )


def told(
    refused: FileRefused, game: Game, player: str | None, known: Sequence[Entry], folder: str
) -> FileRefused:
    """The refusal of a second story, with the proof next to the game and its name in the hint.

    `known` is the story that was seen before. If the two prove nothing (one's own second entry, or
    a record that no longer has the first) the refusal is returned unchanged.
    """
    try:
        forks = fork.find_all(tuple(known), game.fold.entries, game.opening)
        found = next((each for each in forks if each.by != player), None)
        if found is None:
            return refused
        path = os.path.join(folder, file_name(found))
        files.write_new(path, found.bytes())
    except Refused:
        return refused
    is_plain = refused.code == "E-FORK" and len(set(found.by_deputy)) == 1
    way_out = say("answer neither") if is_plain else refused.hint
    refused.hint = say(
        "{way_out}; the proof is in {path}, to show to anyone who has to judge",
        way_out=way_out,
        path=path,
    )
    return refused.placed()
