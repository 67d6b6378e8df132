"""Names of things in a game, as people write them, and their meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache

from pbem.messages import Said
from pbem.value import field, value
from pbem.words import folded, unaccented

fold = lru_cache(maxsize=4096)(folded)
"""Letters and digits only: a map has its names folded once."""


def slug(name: str) -> str:
    """An id for a printed name: "Santa Olalla" is "santa_olalla"."""
    letters = (sign if sign.isalnum() else " " for sign in unaccented(name))
    return "_".join("".join(letters).split())


@value
class NamedUnit:
    """A unit as players name it: by its id, or by its type among those at one place.

    Units of one type, place and condition are alike: which of them is meant makes no difference.
    `kind` is the kind of its name, where the game has another for its counters.
    """

    id: str
    type: str
    place: str = ""
    condition: str = ""
    kind: str = "unit"


@value
class Vocabulary:
    """The names a player may write at this moment.

    `printed` maps each kind of name in the game (space or hex, unit, card or chit) to ids with
    their printed names: nothing else can be named in a field of that kind. `aliases` maps a kind to
    further written forms with their ids; `counters` are in stack order. `only` describes in a word
    what the counters have in common, where others of their types are left out. Things of the kinds
    `by_name` are shown by their printed names, since nobody knows their ids by heart; for the kinds
    `by_letter` ids are shown, and forms explain what they stand for.
    """

    printed: Mapping[str, Mapping[str, str]]
    aliases: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    counters: tuple[NamedUnit, ...] = ()
    only: str = ""
    by_name: frozenset[str] = frozenset()
    by_letter: frozenset[str] = frozenset()
    elsewhere: Callable[[str, str], tuple[Said, Said] | None] = field(
        default=lambda kind, written: None
    )
    """What a word means that is no name here, by the kind asked for: a message, and a hint."""
    unseen: str = "covered"
    """What stands in an order for a counter that none of these names tells."""
    is_theirs: Callable[[str], bool] = field(default=lambda name: False)
    """Whether an id is the enemy's: no list of what may be written has it."""
    such_as: Mapping[str, Said] = field(default_factory=dict)
    """What a name of a kind looks like of which there are too many to list."""
    may_come: Callable[[str, str], bool] = field(default=lambda kind, written: False)
    """Whether something may have a name once orders in front of it are carried out, by its kind."""
    takes: Callable[[type, str, str], bool] = field(default=lambda kind, name, written: True)
    """Whether a thing may stand in a field of an order that names things of its kind."""
    title: Callable[[str], Said] = field(default=lambda name: "")
    """What a message calls a thing beside its id; empty where the id is the name."""

    @cached_property
    def _folded(self) -> dict[str, dict[str, str]]:
        """For each kind folded form to id, made when a name is first written in another way."""
        return {kind: self._forms(kind) for kind in self.printed}

    def _forms(self, kind: str) -> dict[str, str]:
        """Folded form to id; a form that could mean two is none. A printed name comes before an id
        that reads alike: a counter face down may be n/2/0, and a unit N-20.
        """
        ids: dict[str, set[str]] = {}
        names: dict[str, set[str]] = {}
        for name, printed in self.printed[kind].items():
            ids.setdefault(fold(name), set()).add(name)
            names.setdefault(fold(printed), set()).add(name)
        for form, name in self.aliases.get(kind, {}).items():
            names.setdefault(fold(form), set()).add(name)
        found = {**ids, **names}
        return {form: min(those) for form, those in found.items() if form and len(those) == 1}

    def find(self, kind: str, written: str) -> str | None:
        """The id of what was written: an id, a printed name or an alias; accents do not matter."""
        if written in self.printed.get(kind, ()):
            return written
        return self._folded.get(kind, {}).get(fold(written))

    def spelt(self, kind: str, name: str) -> str:
        """The name of an id as players see it."""
        return self.printed[kind].get(name, name) if kind in self.by_name else name

    def told(self, kind: str, name: str) -> Said:
        """What a message calls the thing of an id, by the name as players see it."""
        return self.spelt(kind, name)

    def known(self, kind: str) -> Mapping[str, str]:
        """Every id of a kind with its printed name."""
        return self.printed.get(kind, {})

    def fitting(self, kind: str, written: str, place: str = "") -> tuple[tuple[str, ...], ...]:
        """The units a type may mean at a place (anywhere if empty), grouped by being alike."""
        groups: dict[tuple[str, str], list[str]] = {}
        for counter in _of_type(self.counters, fold(written)):
            if kind == counter.kind and place in ("", counter.place):
                groups.setdefault((counter.place, counter.condition), []).append(counter.id)
        return tuple(tuple(ids) for ids in groups.values())

    def standing(self, kind: str, place: str) -> tuple[str, ...]:
        """The units at a place."""
        return tuple(each.id for each in self.counters if each.kind == kind and each.place == place)


def _of_type(counters: Iterable[NamedUnit], folded: str) -> Iterable[NamedUnit]:
    return (counter for counter in counters if fold(counter.type) == folded)
