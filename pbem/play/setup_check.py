"""A trial set-up of a scenario over an owner's data, to find what no check foresaw."""

from __future__ import annotations

from pbem.engine import kernel
from pbem.messages import Said, say
from pbem.play.systems import OpenedGame
from pbem.problems import Problem, Span


def setup_check(
    game: OpenedGame, scenario: str, options: frozenset[str] = frozenset()
) -> tuple[Problem, ...]:
    """Why a scenario cannot begin: a fault of the program, or of its first position."""
    try:
        state = kernel.begin(game.system.setup(scenario, options)).state
        faults = game.system.faults(state.position)
    except Exception as fault:  # the boundary: data from outside never bring the program down
        what = f"{type(fault).__name__}: {str(fault)[:120]}"
        told = say(
            "the scenario {scenario} cannot be set up ({what})", scenario=scenario, what=what
        )
        return (_at(scenario, game, told),)
    return tuple(_at(scenario, game, fault) for fault in faults)


def _at(scenario: str, game: OpenedGame, message: Said) -> Problem:
    file = f"scenarios/{scenario}.yaml"
    place = file if file in game.own else ", ".join(game.own)
    hint = (
        ""
        if file in game.own
        else say("it can be set up with our data, so the problem is in your folder")
    )
    return Problem("trial", message, Span(place, 0, 0), hint=hint)
