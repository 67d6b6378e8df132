"""Every name in an order, with the place where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.codec import fields_of
from pbem.engine.model import Violation
from pbem.messages import Said, say, say_many
from pbem.value import is_value, value


@value
class Named:
    """A name in an order: its kind, the name, and its path, of which it may be the key."""

    kind: str
    name: str
    at: tuple[str | int, ...]
    is_key: bool = False


def named_in(order: Any, at: tuple[str | int, ...] = ()) -> Iterator[Named]:
    """Every name in an order with its place. Words that a field may have instead of a name, and
    fields with nothing in them, are left out.
    """
    found: list[Named] = []
    _gather(found, order, at)
    return iter(found)


def _gather(found: list[Named], order: Any, at: tuple[str | int, ...]) -> None:
    """Lists the names in an order, or in a part of one at this place."""
    for written, field in fields_of(type(order)).items():
        said = getattr(order, field.name)
        if not isinstance(said, str) or said not in (*field.words, field.default):
            _gather_from(found, said, field.kinds, (*at, written))


def _gather_from(
    found: list[Named], said: Any, kinds: tuple[str, str], at: tuple[str | int, ...]
) -> None:
    keys, values = kinds
    if isinstance(said, str):
        if values:
            found.append(Named(values, said, at))
    elif isinstance(said, Mapping):
        for key, each in said.items():
            if keys:
                found.append(Named(keys, key, (*at, key), is_key=True))
            _gather_from(found, each, kinds, (*at, key))
    elif isinstance(said, tuple | list):
        for index, each in enumerate(said):
            _gather_from(found, each, kinds, (*at, index))
    elif is_value(type(said)):
        _gather(found, said, at)


def in_turn(names: Iterable[str]) -> Iterator[tuple[int, str, bool]]:
    """Each name of a list with its place, and whether it has stood there before."""
    before = set[str]()
    for at, name in enumerate(names):
        yield at, name, name in before
        before.add(name)


FILE_OF_THE_OTHER = say("is this the file you meant? it seems to be the other player's")


def of_the_enemy(
    theirs: Sequence[Named], named: int, first: Said, own: str, enemy: str, *, hint: Said = ""
) -> Violation:
    """A single violation for all enemy units that an order names as if they were its author's own.

    `named` is how many units the order names, `first` what the first of them is called; `own` and
    `enemy` are the adjectives of the two sides, `hint` what would be legal. Whoever names several
    of the enemy's and none of their own has most likely taken the other player's file.
    """
    others = len(theirs) - 1
    sides = {"side": say(own), "enemy": say(enemy)}
    told = say("{unit} is {enemy}, and you are the {side} player", unit=first, **sides)
    if others:
        told = say_many(
            "others", "{unit} and {others} other unit here are {enemy}, and you are the {side} "
            "player", "{unit} and {others} other units here are {enemy}, and you are the {side} "
            "player", unit=first, others=others, **sides,
        )  # fmt: skip
    hint = hint or say("name units of your own")
    if others and len(theirs) == named:
        hint = FILE_OF_THE_OTHER
    return Violation(told, theirs[0].at, hint=hint, is_key=theirs[0].is_key)
