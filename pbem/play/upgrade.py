"""A game in progress carried over to other rules or data, when both players want it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from pbem.engine.public import plain
from pbem.gamefile.errors import FileRefused
from pbem.messages import say
from pbem.play.game import game_for
from pbem.play.table import Table
from pbem.problems import Refused


def carried_over(table: Table, terms: Mapping[str, Any]) -> Table:
    """The same position over the rules and data of `terms`; nothing in it is set up again.

    Raises FileRefused (E-RULES) when those are not known on this machine, or when they lack
    something that the position has.
    """
    game = game_for(terms, table.library)
    if terms["ruleset"] != game.ruleset:
        raise FileRefused(
            "E-RULES",
            say(
                "the game is to go on by the rules {ruleset}; this pbem has {game_ruleset}",
                ruleset=terms["ruleset"],
                game_ruleset=game.ruleset,
            ),
            hint=say("both players need a pbem that has both the new and the old rules"),
        )
    system = table.system
    # What a position holds of its system is these two objects; the copy has the new ones instead.
    known = {id(system): game.system, id(_tables(system)): _tables(game.system)}
    try:
        state = copy.deepcopy(table.state, known)
        after = Table(game.system, table.seats, state, library=table.library)
        faults = game.system.faults(after.state.position)
        after.waits()
        plain(after.public())
    except (Refused, RecursionError):
        raise
    except Exception as error:  # the boundary: data from outside never bring the program down
        faults = (f"{type(error).__name__}: {str(error)[:120]}",)
    if faults:
        raise FileRefused(
            "E-RULES",
            say("the present position does not fit the new data: {fault}", fault=faults[0]),
            hint=say(
                "a change of rules keeps the position, so everything in it must be in both "
                "sets of data"
            ),
        )
    return after


def _tables(system: Any) -> Any:
    return getattr(system, "tables", None)
