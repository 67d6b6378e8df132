"""Standing orders that use counters face down (2.6).

A document names the units of its author and the tags under which they lie. Before an answer that
uses them is given they are shown. Then what was shown decides, so a false claim gains nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pbem.engine.model import Order, Side
from pbem.engine.policies.rows import Answer, AnswerTo, Document, shown_first
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.orders import NONE
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import cover

SKY = "antiaircraft"
FIRES = ("support", "counterbattery", SKY, "primary", "retreat_before_combat", "retreat", "react")
"""The parts of standing orders beside which batteries support a defence: all, without a word."""


@CITE.serves("2.6")
def claims(position: Position, side: Side, document: Document) -> Iterator[tuple[str, str]]:
    """The tags of the units that standing orders may let fire: batteries, and at aircraft."""
    if document.keys().isdisjoint(FIRES):
        return
    at_aircraft = document.get(SKY, NONE) != NONE
    for tag in position.tags_of(side):
        unit = position.face(tag)
        printed = position.printed(unit) if unit else None
        if printed and (printed.is_battery or (at_aircraft and printed.antiaircraft)):
            yield tag, unit


def shows_first(order: AnswerTo) -> Answer:
    """An answer that may use counters face down: those it would use are shown first."""

    def shown(supposed: Position, stage: Any, found: Order) -> Iterable[str]:
        return cover.shown_by(supposed, stage.side, cover.in_tags(supposed, stage.side, found))

    return shown_first(order, Position.claimed, Position.by_faces, shown)
