"""Standing orders that use covered counters (5.2).

A document names units as a player does, and also the tags under which they lie. Before an answer
that uses them is given they are shown, if they are where the document says. Then what was shown
decides, so a false claim gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pbem.engine.conditions import clauses_of
from pbem.engine.model import Order, Side
from pbem.engine.policies import HELD
from pbem.engine.policies.rows import Answer, Document, shown_first
from pbem.engine.shapes import listed
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import cover, war

SHOW, HIDE = "show", "hide"


@CITE.serves("5.2")
def claims(position: Position, side: Side, policy: Document) -> Iterator[tuple[str, str]]:
    """The tags of the covered counters that a policy may use: headquarters that it names, and the
    Basque brigade that is shown to prevent the surrender.
    """
    meant = {*_named(policy)}
    if policy.get("basques") == SHOW:
        meant |= {position.face(tag) for tag in _brigades(position, side)[:1]}
    for tag in position.tags_of(side):
        if position.face(tag) in meant:
            yield tag, position.face(tag)


def _brigades(position: Position, side: Side) -> tuple[str, ...]:
    """The covered Basque brigades that would help now. If none does, it is too early to say: then
    all, those that are set up and need no die for it first.
    """

    def rank(tag: str) -> tuple[bool, bool]:
        division = position.printed(position.face(tag)).division
        return not position.at(tag), division in position.board.divisions_by_die

    every = (tag for tag in position.tags_of(side) if war.is_basque(position, tag))
    return war.keep_in_the_war(position) or tuple(sorted(every, key=rank))


def _named(policy: Document) -> Iterator[str]:
    for part in ("support", "bombard"):
        said = policy.get(part, ())
        for clause in () if isinstance(said, str) else clauses_of(said):
            guns = clause.get("hq", ()) if isinstance(clause, Mapping) else ()
            yield from () if isinstance(guns, str) else listed(guns)


def supposing(position: Position, policy: Document) -> Position:
    """The position if covered counters are what a document says."""
    return position.claimed(policy.get(HELD, ()))


def with_covered(order: Callable[[Position, Any, Document], Order]) -> Answer:
    """An answer that may use covered counters: those it would use are shown first."""

    def shown(supposed: Position, stage: Any, found: Order) -> Iterable[str]:
        return cover.shown_by(supposed, stage, cover.in_tags(supposed, stage.side, found))

    return shown_first(order, Position.claimed, Position.seen, shown)
