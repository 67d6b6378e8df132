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


Fitting = Callable[[str, str, str], tuple[tuple[str, ...], ...]]
"""`names.fitting(kind, written, place)`, where a game has it: the ids a written form (a unit type)
may mean at a place, anywhere if the place is empty, in groups of ids that are alike."""


def means_something(names: Names, kind: str, name: str) -> bool:
    """Whether a name of a kind can mean anything at all, whatever happens before."""
    fitting: Fitting | None = getattr(names, "fitting", None)
    if name == NONE or not names.known(kind) or names.find(kind, name) is not None:
        return True
    if fitting is not None and fitting(kind, name, ""):
        return True
    may_come: Callable[[str, str], bool] | None = getattr(names, "may_come", None)
    return may_come is not None and may_come(kind, name)


def fields_naming(names: Names, kind: type, written: str) -> tuple[str, ...]:
    """The fields of an order in which a name can stand. Where a game has
    `names.takes(kind, field, written)`, it knows more of its things than their kind.
    """
    takes: Callable[[type, str, str], bool] | None = getattr(names, "takes", None)
    return tuple(
        name for name, field in for_players(kind).items()
        if written in field.words
        or (
            field.kinds[1]
            and means_something(names, field.kinds[1], written)
            and (takes is None or takes(kind, name, written))
        )
    )  # fmt: skip


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
