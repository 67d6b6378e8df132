"""The fields of orders by the names players write, what they name, and what they have where
nothing is written.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pbem.engine.codec import WrittenField, fields_of
from pbem.engine.model import Order
from pbem.messages import Said

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


def for_players(kind: type) -> dict[str, WrittenField]:
    """The fields of an order or of a part of one, without those that a player's program writes:
    no hint speaks of them.
    """
    return {name: field for name, field in fields_of(kind).items()
            if not field.metadata.get("by_program")}  # fmt: skip


def kinds_of(kind: type) -> dict[str, str]:
    """The kinds that the values of each field of an order name; empty for what is no name."""
    return {name: field.kinds[1] for name, field in fields_of(kind).items()}


def is_word(field: WrittenField, said: Any) -> bool:
    """Whether what a field says is one of its words where names or parts may stand, too."""
    is_one = isinstance(said, str) and said in field.words
    return is_one and isinstance(field.hint, types.UnionType) and str in field.hint.__args__


def bare_field(kind: type) -> str:
    """The field of an order whose names may be written without it (its metadata `bare`), if any."""
    return next((name for name, each in fields_of(kind).items() if each.metadata.get("bare")), "")


def may_be_empty(kind: type[Order]) -> bool:
    """Whether an empty order means `none` of everything it could have: cards, units, spaces; a
    field may have a word of its own for that.
    """
    known = fields_of(kind).values()
    is_empty = bool(known) and all(each.default in ("", (), {}, *each.words) for each in known)
    return is_empty and not kind.stands_alone
