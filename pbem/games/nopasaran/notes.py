"""2.6: what a player can note of counters face down: what each may be now."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules.naming import TYPE_WORDS, formation_called
from pbem.messages import Row, Said, either, say


def may_be_told(position: Position, tag: str) -> Said:
    """What a counter face down may be, as both players know."""
    return say("counter face down: {units}", units=types_told(position, position.may_be(tag)))


def types_told(position: Position, units: Iterable[str]) -> Said:
    """Units of which one is meant, by formation and type: what leaves the machine names nobody who
    lies face down, though both players know whom it may be.
    """
    types: dict[str, dict[str, None]] = {}
    for unit in position.board.in_order(units):
        types.setdefault(position.home(unit), {})[position.printed(unit).type] = None
    return say("{formations}", formations=Row(tuple(
        say("{types} of {formation}", formation=formation_called(position, formation),
            types=either(TYPE_WORDS[type] for type in found))
        for formation, found in types.items()
    ), "; "))  # fmt: skip
