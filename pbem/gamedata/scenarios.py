"""What must fit in the scenarios of any game: their names, and which of them share a set-up."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.gamedata.game import Folder, GameData
from pbem.gamedata.merge import SAME_AS, shares
from pbem.gamedata.where import GAME, file_of
from pbem.messages import say
from pbem.problems import Problem
from pbem.text.wording import quoted


def offered(folder: Folder) -> Iterator[Problem]:
    """Scenarios that the game names, in the order they are offered, and that have no file."""
    known = [name for _, name, _ in folder.scenarios()]
    for index, name in enumerate(folder.value(GAME).get("scenarios", ())):
        message = say("there is no scenario {name}", name=quoted(name))
        path = ("scenarios", index)
        yield from folder.unknown(file_of(GAME), path, name, known, "unknown-scenario", message)


def scenario_problems(folder: Folder, game: GameData) -> Iterator[Problem]:
    """Every problem of every scenario."""
    whole = [name for _, name, said in folder.scenarios() if not shares(said)]
    for path, name, said in folder.scenarios():
        if said["id"] != name:
            message = say(
                "the file is called {name}, but its scenario {id}", name=name, id=said["id"]
            )
            yield folder.problem(path, ("id",), "scenario-name", message)
        if shares(said) and said[SAME_AS] not in whole:
            message = say(
                "{said} is not a scenario with its own set-up", said=quoted(said[SAME_AS])
            )
            yield from folder.unknown(
                path, (SAME_AS,), said[SAME_AS], whole, "unknown-scenario", message
            )
        else:
            yield from game.scenario_checks(folder, path, said)
