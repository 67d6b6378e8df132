"""A game in progress carried over to other rules or data, when both players want it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pbem.engine.model import State
from pbem.engine.public import plain
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import GameInPlay
from pbem.games.system import GameSystem
from pbem.messages import say
from pbem.play.systems import Library, rules_for
from pbem.problems import Refused

AnyTable = TypeVar("AnyTable", bound=GameInPlay)


def carried_over(
    old: GameSystem, state: State[Any], terms: Mapping[str, Any], library: Library,
    table_of: Callable[[GameSystem, State[Any]], AnyTable],
) -> AnyTable:  # fmt: skip
    """The table of the same position over the rules and data of `terms`; nothing is set up again.

    Raises FileRefused (E-RULES) when those are not known on this machine, or when they lack
    something that the position has.
    """
    game = rules_for(terms, library)
    # What a position holds of its system is these two objects; the copy has the new ones instead.
    known = {id(old): game.system, id(_tables(old)): _tables(game.system)}
    try:
        carried = copy.deepcopy(state, known)
        after = table_of(game.system, carried)
        faults = game.system.faults(carried.position)
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
