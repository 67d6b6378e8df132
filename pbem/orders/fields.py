"""The fields of orders by the names players write, what they name, and what they have where
nothing is written.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pbem.engine.codec import full_hints, written_name
from pbem.engine.model import Order
from pbem.engine.naming import kind_named
from pbem.messages import Said
from pbem.value import MISSING, Field, fields

NONE = "none"
"""Written for a field, or for a whole order, that names nothing."""
OMITTED: Any = object()
"""In place of a value that is not there."""


class Names(Protocol):
    """The names of a game at this moment (a game system's `names(state)`)."""

    def find(self, kind: str, written: str) -> str | None:
        """The id for what was written, or None."""

    def known(self, kind: str) -> Mapping[str, str]:
        """Every id of a kind with its printed name."""

    @property
    def by_name(self) -> frozenset[str]:
        """The kinds whose printed names players see instead of ids."""

    @property
    def by_letter(self) -> frozenset[str]:
        """The kinds whose ids players see, explained in forms."""

    def spelt(self, kind: str, name: str) -> str:
        """The name that players see for an id."""

    @property
    def title(self) -> Callable[[str], Said]:
        """What a message calls a thing beside its id; empty where the id is the name."""


def fields_of(kind: type) -> dict[str, Field]:
    """The fields of an order or of a part of one, by the names players write."""
    return {written_name(field): field for field in fields(kind)}


def for_players(kind: type) -> dict[str, Field]:
    """The same without those that a player's program writes: no hint speaks of them."""
    return {name: field for name, field in fields_of(kind).items()
            if not field.metadata.get("by_program")}  # fmt: skip


def kinds_of(kind: type) -> dict[str, str]:
    """The kinds that the values of each field of an order name; empty for what is no name."""
    hints = full_hints(kind)
    return {name: kind_named(field, hints[field.name])[1]
            for name, field in fields_of(kind).items()}  # fmt: skip


def words_of(kind: type, name: str) -> tuple[str, ...]:
    """The only words a field may have (its metadata `words`), in order; empty: any text."""
    return next((tuple(each.metadata.get("words", ())) for each in fields(kind)
                 if each.name == name), ())  # fmt: skip


def is_word(field: Field, hint: Any, said: Any) -> bool:
    """Whether what a field says is one of its words where names or parts may stand, too."""
    is_one = isinstance(said, str) and said in field.metadata.get("words", ())
    return is_one and isinstance(hint, types.UnionType) and str in typing.get_args(hint)


def default_of(field: Field) -> Any:
    """The field's default; OMITTED if it must be given."""
    if field.default_factory is not MISSING:
        return field.default_factory()
    return OMITTED if field.default is MISSING else field.default


def bare_field(kind: type) -> str:
    """The field of an order whose names may be written without it (its metadata `bare`), if any."""
    return next((name for name, each in fields_of(kind).items() if each.metadata.get("bare")), "")


def may_be_empty(kind: type[Order]) -> bool:
    """Whether an empty order means `none` of everything it could have: cards, units, spaces; a
    field may have a word of its own for that.
    """
    defaults = [
        (default_of(field), ("", (), {}, *words_of(kind, field.name)))
        for field in fields_of(kind).values()
    ]
    is_empty = bool(defaults) and all(default in empty for default, empty in defaults)
    return is_empty and not kind.stands_alone
