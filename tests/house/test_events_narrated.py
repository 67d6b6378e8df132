"""Every fact is told, or a reason is given why not."""

from __future__ import annotations

import ast
from typing import Any

from pbem.engine.model import Event
from pbem.games.crusade import (
    events,
    events_seldom,
    narrative,
    narrative_seldom,
    narrative_words,
)
from pbem.games.crusade.clock import SEGMENTS
from tests.house.source import modules, nodes


def kinds(module: Any) -> list[type[Event[Any]]]:
    found = vars(module).values()
    return [
        kind
        for kind in found
        if isinstance(kind, type) and issubclass(kind, Event) and kind.__module__ == module.__name__
    ]


def test_every_event_has_a_line_or_is_declared_silent() -> None:
    for kind in [*kinds(events), *kinds(events_seldom)]:
        told, silent = kind in narrative_words.LINES, kind in narrative.SILENT
        name = kind.__name__
        assert told or silent, f"{name} has no @line in a narrative and no place in SILENT"
        assert not (told and silent), f"{name} has a line and is declared silent"


def test_silence_has_a_reason() -> None:
    assert all(reason.strip() for reason in narrative.SILENT.values())


def literals(*names: str) -> set[str]:
    """The first argument of every call of these names in the game, where it is a literal."""
    found = set()
    for path in modules("games/crusade"):
        for node in nodes(path):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            first = node.args[0]
            if called in names and isinstance(first, ast.Constant) and isinstance(first.value, str):
                found.add(first.value)
    return found


def test_every_flag_has_its_sentence_or_an_empty_one() -> None:
    used = literals("FlagSet", "FlagCleared", "begins", "_flag_once")
    assert used - set(narrative_seldom.FLAGS) == set()


def test_every_segment_has_its_words() -> None:
    assert literals("SegmentBegan") - set(SEGMENTS) == set()
