"""A trial set-up of a scenario over an owner's data, to find what no check foresaw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine import kernel
from pbem.messages import Message, Said, say
from pbem.play.systems import OpenedGame
from pbem.problems import Problem, Span

NO_DOCUMENTS: Mapping[str, Any] = {}


def setup_check(
    game: OpenedGame,
    scenario: str,
    options: frozenset[str] = frozenset(),
    documents: Mapping[str, Any] = NO_DOCUMENTS,
) -> tuple[Problem, ...]:
    """Why a scenario cannot begin: a fault of the program, or of its first position.

    With the `documents` of the data, by their paths, a fault is told at the line of the scenario
    that names what the fault is about, or else at its first.
    """
    file = f"scenarios/{scenario}.yaml"
    found = documents.get(file)
    try:
        state = kernel.begin(game.system.setup(scenario, options)).state
        faults = game.system.faults(state.position)
    except Exception as fault:  # the boundary: data from outside never bring the program down
        what = f"{type(fault).__name__}: {str(fault)[:120]}"
        told = say(
            "the scenario {scenario} cannot be set up ({what})", scenario=scenario, what=what
        )
        return (_at(file, game, told, found),)
    return tuple(_at(file, game, fault, found) for fault in faults)


def _at(file: str, game: OpenedGame, message: Said, found: Any) -> Problem:
    if found is not None and file in game.own:
        return Problem("trial", message, found.span(_path_of(found.value, message)))
    place = file if file in game.own else ", ".join(game.own)
    hint = (
        ""
        if file in game.own
        else say("it can be set up with our data, so the problem is in your folder")
    )
    return Problem("trial", message, Span(place, 0, 0), hint=hint)


def _path_of(value: Any, message: Said) -> tuple[Any, ...]:
    """The way to the first value, or key, that the message names; empty without one."""
    parts = dict(message.parts) if isinstance(message, Message) else {}
    named = {name for part in parts.values() if isinstance(part, str) for name in part.split(", ")}
    return next((path for path, name in _names(value, ()) if name in named), ())


def _names(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Every text of plain data, and every key, with the way to it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key), key
            yield from _names(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _names(inner, (*path, index))
    elif isinstance(value, str):
        yield path, value
