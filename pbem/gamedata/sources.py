"""Where each value of a game's data comes from: stated, derived, rebuilt, or an owner's own.

A file says it entry by entry (`provenance`), or once at its top for what its entries do not say
themselves: `given` for a key that is written, `absent` for one that is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pbem.gamedata.game import Accounts
from pbem.gamedata.merge import ABSENT, PROVENANCE, WITHOUT, Overlaid
from pbem.text.yamlsource import Document, Path

WORDS = ("stated", "derived", "rebuilt", "own")


@dataclass(frozen=True)
class Sourced:
    """One value: its entry, its key, and where it comes from.

    `word` is stated, derived, rebuilt or own; `note` is the rest of what the file says about it.
    """

    file: str
    entry: str
    key: str
    value: Any
    word: str
    note: str = ""

    def plain(self) -> dict[str, Any]:
        """For `pbem data --json`; `value` stays as it was read."""
        return {
            "file": self.file, "entry": self.entry, "key": self.key, "value": self.value,
            "source": self.word, "note": self.note,
        }  # fmt: skip


def sources(file: str, found: Document | Overlaid, accounts: Accounts) -> Iterator[Sourced]:
    """Every value of a file that says where it comes from, in the order of the file."""
    return _SourcesReader(file, found, accounts).sources()


@dataclass(frozen=True)
class _SourcesReader:
    """A file, and how the game accounts for its values."""

    file: str
    found: Document | Overlaid
    accounts: Accounts

    @cached_property
    def group_of(self) -> Mapping[str, str]:
        groups = self.accounts.groups
        return {key: group for group, keys in groups.items() for key in keys}

    def sources(self) -> Iterator[Sourced]:
        value = self.found.value
        whole = value.get(PROVENANCE, {})
        if "given" not in whole:
            yield from self._nested((), value)
            return
        for listed, entries in value.items():
            if isinstance(entries, list) and listed not in self.accounts.entry_by_entry:
                for index, entry in enumerate(entries):
                    yield from self._of_entry((listed, index), entry, whole)
            elif listed != PROVENANCE:
                yield from self._nested((listed,), entries)

    def _of_entry(self, path: Path, entry: Mapping[str, Any], whole: Any) -> Iterator[Sourced]:
        """An entry of a file that says once at its top what holds for all entries."""
        told, given, absent = entry.get(PROVENANCE, {}), whole["given"], whole.get("absent", {})
        for key, value in entry.items():
            group = self.group_of.get(key, key)
            source = told.get(key) or told.get(group) or given.get(key) or given.get(group)
            if key not in (PROVENANCE, WITHOUT, ABSENT) and source:
                yield self._sourced(path, entry, key, value, source)
        for key in dict.fromkeys([*absent, *told]):
            together = self.accounts.groups.get(key, ())
            if key not in entry and not any(each in entry for each in together):
                yield self._sourced(path, entry, key, None, told.get(key) or absent[key])

    def _nested(self, path: Path, value: Any) -> Iterator[Sourced]:
        """What holds for one entry, or for each key of it."""
        if isinstance(value, list):
            for index, inner in enumerate(value):
                yield from self._nested((*path, index), inner)
        elif isinstance(value, dict):
            told = value.get(PROVENANCE)
            if isinstance(told, str):
                rest = {key: value[key] for key in value if key not in (PROVENANCE, "rule")}
                yield self._sourced(path, value, "", rest, told)
            elif isinstance(told, dict):
                for key, source in told.items():
                    yield self._sourced(path, value, key, value.get(key), source)
            elif isinstance(self.found, Overlaid) and self.found.is_alone and not path:
                yield from self._all_own(value)
            for key, inner in value.items():
                if key != PROVENANCE:
                    yield from self._nested((*path, key), inner)

    def _all_own(self, value: Mapping[str, Any]) -> Iterator[Sourced]:
        """A file of the owner's that says nothing of where its values come from."""
        for key, inner in value.items():
            yield Sourced(self.file, "", key, inner, "own")

    def _sourced(
        self, path: Path, entry: Mapping[str, Any], key: str, value: Any, source: str
    ) -> Sourced:
        word, _, note = source.partition(" ")
        if isinstance(self.found, Overlaid) and self._is_own(self.found, path, entry, key):
            word, note = "own", note if _tells_why(self.found, path, key) else ""
        return Sourced(self.file, self._called(path, entry), key, value, word, note)

    def _is_own(self, found: Overlaid, path: Path, entry: Mapping[str, Any], key: str) -> bool:
        if key:
            return any(
                found.is_own((*path, each)) if each in entry else found.is_taken_away((*path, each))
                for each in self.accounts.groups.get(key, (key,))
            )
        return any(found.is_own((*path, each)) for each in entry if each != PROVENANCE)

    def _called(self, path: Path, entry: Mapping[str, Any]) -> str:
        """The list with the name of the entry; elsewhere the keys that lead to it."""
        steps = [str(step) for step in path if isinstance(step, str)]
        keys = next((each for each in self.accounts.called if set(each) <= set(entry)), ())
        if path and isinstance(path[-1], int):
            name = " - ".join(str(entry[key]) for key in keys)
            return " ".join([*steps, name or str(path[-1] + 1)])
        return " ".join(steps)


def _tells_why(found: Overlaid, path: Path, key: str) -> bool:
    """Whether the owner says where the value comes from."""
    told = (*path, PROVENANCE, key) if key else (*path, PROVENANCE)
    return told in found.places and found.is_own(told)
