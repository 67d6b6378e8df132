"""Orders of a file in one line each, as their players write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pbem.board.names import Vocabulary
from pbem.engine.codec import fields_of
from pbem.engine.model import Order, Side
from pbem.engine.naming import respelt
from pbem.gamefile.in_play import WHEN, OrderRefused, verb_of
from pbem.late import Late
from pbem.orders.fields import for_players
from pbem.orders.written import fields_line, in_order, inline, order_line, written_fields
from pbem.play.table import Table, spelled
from pbem.value import fields, is_value, replace

if TYPE_CHECKING:
    from pbem.engine.tags import is_tag
else:  # few orders say where counters go
    is_tag = Late("pbem.engine.tags").is_tag

Written = TypeVar("Written")


def _by_player(order: Order) -> Order:
    """An order without the fields that its player's program writes."""
    of: type = type(order)
    written = [each.name for each in for_players(of).values()]
    found: Order = of(**{name: getattr(order, name) for name in written})
    return found


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


def _told(order: Order, names: Vocabulary) -> str:
    """An order in one line, by the names that players know. Where counters go to places and some
    are covered, as in a set-up, each place has its counters: `{2109: [R-183, covered (2)]}`; so has
    a list. One by one those that are covered could only be numbered, and the number tells nobody
    anything; nor are they called by a place, for they may have moved since.
    """

    def spell(kind: str, name: str) -> str:
        told = names.spelt(kind, name)
        return name if is_tag(name) and names.find(kind, told) is None else told

    unseen = names.unseen
    read = _counted(respelt(order, spell), unseen)
    written = written_fields(read)
    for name, field in fields_of(type(order)).items():
        said, spelt = getattr(order, field.name), getattr(read, field.name)
        if not isinstance(said, Mapping) or not all(isinstance(at, str) for at in spelt.values()):
            continue
        called = [
            None if is_tag(id) and names.find(field.kinds[0], told) is None else told
            for id, told in zip(said, spelt, strict=True)
        ]
        if None in called:
            written[name] = _by_place(called, spelt.values(), unseen)
    return fields_line(read, written)


def _counted(said: Written, unseen: str) -> Written:
    """An order, or a part of it, with the covered counters of each list as one number behind the
    others; as the key of a mapping each has a number of its own in it.
    """
    if is_value(type(said)):
        return replace(said, **{each.name: _counted(getattr(said, each.name), unseen)
                                for each in fields(said)})  # fmt: skip
    if isinstance(said, Mapping):
        number, found = 0, dict[Any, Any]()
        for key, each in said.items():
            number += (is_covered := is_tag(key))
            found[_covered(number, unseen) if is_covered else key] = _counted(each, unseen)
        return cast(Written, found)
    if isinstance(said, tuple):
        known = [_counted(each, unseen) for each in said if not _is_unknown(each)]
        number = len(said) - len(known)
        return cast(Written, (*known, *([_covered(number, unseen)] if number else [])))
    return cast(Written, unseen) if _is_unknown(said) else said


def _is_unknown(said: Any) -> bool:
    return isinstance(said, str) and is_tag(said)


def _covered(number: int, unseen: str) -> str:
    return unseen if number == 1 else f"{unseen} ({number})"


def _by_place(called: Iterable[str | None], places: Iterable[str], unseen: str) -> dict[str, Any]:
    """The counters of each place, in the order of the first: those with a name, and how many
    without one.
    """
    found: dict[str, list[str | None]] = {}
    for name, place in zip(called, places, strict=True):
        found.setdefault(place, []).append(name)
    told: dict[str, Any] = {}
    for place, there in found.items():
        number = there.count(None)
        line = [name for name in there if name is not None]
        line += [_covered(number, unseen)] if number else []
        told[place] = line if len(line) > 1 else line[0]
    return told


def by_names(table: Table, order: Order, *sides: Side) -> Order:
    """An order with counters that lie covered by the names that these sides may write for them, as
    far as the table knows them; all others keep their tags.
    """
    system, position = table.system, table.state.position
    if not system.pieces.decks(position):
        return order
    known = [system.names(table.state, side, type(order), answering=False) for side in sides]

    def spell(kind: str, name: str) -> str:
        for names in known if is_tag(name) else ():
            told = names.spelt(kind, name)
            if names.find(kind, told) is not None:
                return told
        return name

    return respelt(system.pieces.meant(position, order), spell)


def named(table: Table, order: Mapping[str, Any], side: Side) -> Mapping[str, Any]:
    """An order as it stands in a file, with the covered counters of a side by name."""
    try:
        read = table.typed(order)
    except OrderRefused:
        return order
    found = by_names(table, read, side)
    return order if found == read else spelled(found, order.get(WHEN)).plain


def said(table: Table, order: Mapping[str, Any], side: Side | None = None) -> str:
    """An order of a file as its player writes it, in one line; counters that lie covered by name if
    their `side` is given, and the table knows them.
    """
    try:
        system = table.system
        read = _by_player(system.pieces.meant(table.state.position, table.typed(order)))
        if system.words.by_name or system.pieces.decks(table.state.position):
            names = system.names(table.state, side or system.sides[0], None, answering=False)
            line = _told(read, names)
        else:
            line = order_line(read)
        return _waiting(line, order)
    except OrderRefused:
        return order_text(order)  # of other rules, say, or of a program that judges less
