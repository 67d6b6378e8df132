"""Orders of a file in one line each, as their players write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.model import Side
from pbem.engine.naming import respelt
from pbem.gamefile.in_play import WHEN, OrderRefused, has_counters, verb_of
from pbem.orders.written import in_order, inline, order_line
from pbem.play.table import Table


def order_text(order: Mapping[str, Any]) -> str:
    """An order of a file in one line, if there is no game to word it better."""
    verb = verb_of(order)
    fields = order[verb]
    return _waiting(f"{verb}: {inline(fields)}" if fields else f"{verb}", order)


def _waiting(text: str, order: Mapping[str, Any]) -> str:
    """The line about an order's condition."""
    if WHEN not in order:
        return text
    said = {key: dict(each) if _is_pairs(each) else each for key, each in order[WHEN].items()}
    return f"{text}, when: {in_order(said)}"


def _is_pairs(said: Any) -> bool:
    return bool(said) and isinstance(said, list) and all(isinstance(each, list) for each in said)


def said(table: Table, order: Mapping[str, Any], side: Side | None = None) -> str:
    """An order of a file as its player writes it, in one line; counters that lie covered by name if
    their `side` is given, and the table knows them.
    """
    try:
        system = table.system
        read = system.pieces.meant(table.state.position, table.typed(order))
        if system.words.by_name or has_counters(table):
            names = system.names(table.state, side or system.sides[0], None, answering=False)
            read = respelt(read, names.spelt)
        line = order_line(read)
        if line == read.verb:
            from pbem.orders.shape import NONE, may_be_empty

            # a chit that may be played, and is not
            line = f"{line}: {NONE}" if may_be_empty(type(read)) else line
        return _waiting(line, order)
    except OrderRefused:
        return order_text(order)  # of other rules, say, or of a program that judges less
