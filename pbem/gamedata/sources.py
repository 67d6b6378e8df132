"""Where each value of a game's data comes from: stated, derived, rebuilt, or an owner's own.

A file says it entry by entry (`provenance`), or once at its top for what its entries do not say
themselves: `given` for a key that is written, `absent` for one that is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.gamedata.merge import ABSENT, PROVENANCE, WITHOUT, Laid
from pbem.text.yamlsource import Document, Path

WORDS = ("stated", "derived", "rebuilt", "own")
GROUPS: Mapping[str, tuple[str, ...]] = {
    "vp_rm": ("vp", "rm"),
    "limits": (
        "needs", "blocked_by", "only_phases", "not_before_turn", "rm_max", "control", "government",
        "source_joined_to",
    ),
}  # fmt: skip
"""Keys of a card whose provenance is told together."""
GROUP_OF = {key: group for group, keys in GROUPS.items() for key in keys}
NAMES = ("id", "a", "turn", "space", "result")
"""What an entry of a list is called by."""


@dataclass(frozen=True)
class Sourced:
    """One value: in which entry it stands, under which key, and where it comes from.

    `word` is stated, derived, rebuilt or own; `note` the rest of what the file says about it.
    """

    file: str
    entry: str
    key: str
    value: Any
    word: str
    note: str = ""

    def plain(self) -> dict[str, Any]:
        return {
            "file": self.file, "entry": self.entry, "key": self.key, "value": self.value,
            "source": self.word, "note": self.note,
        }  # fmt: skip


def sources(file: str, found: Document | Laid) -> Iterator[Sourced]:
    """Every value of a file that says where it comes from, in the order of the file."""
    value = found.value
    whole = value.get(PROVENANCE, {})
    if "given" in whole:
        for listed, entries in value.items():
            if isinstance(entries, list) and listed != "connections":
                for index, entry in enumerate(entries):
                    yield from _of_entry(file, found, (listed, index), entry, whole)
            elif listed != PROVENANCE:
                yield from _nested(file, found, (listed,), entries)
    else:
        yield from _nested(file, found, (), value)


def _of_entry(
    file: str, found: Document | Laid, path: Path, entry: Mapping[str, Any], whole: Any
) -> Iterator[Sourced]:
    """An entry of a file that says once at its top what holds for all entries."""
    told, given, absent = entry.get(PROVENANCE, {}), whole["given"], whole.get("absent", {})
    for key, value in entry.items():
        source = told.get(key) or told.get(GROUP_OF.get(key, key)) or given.get(key)
        source = source or given.get(GROUP_OF.get(key, key))
        if key not in (PROVENANCE, WITHOUT, ABSENT) and source:
            yield _sourced(file, found, path, entry, key, value, source)
    for key in dict.fromkeys([*absent, *told]):
        if key not in entry and not any(each in entry for each in GROUPS.get(key, ())):
            source = told.get(key) or absent[key]
            yield _sourced(file, found, path, entry, key, None, source)


def _nested(file: str, found: Document | Laid, path: Path, value: Any) -> Iterator[Sourced]:
    """What holds for one entry, or for each key of it."""
    if isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _nested(file, found, (*path, index), inner)
    elif isinstance(value, dict):
        told = value.get(PROVENANCE)
        if isinstance(told, str):
            rest = {key: value[key] for key in value if key not in (PROVENANCE, "rule")}
            yield _sourced(file, found, path, value, "", rest, told)
        elif isinstance(told, dict):
            for key, source in told.items():
                yield _sourced(file, found, path, value, key, value.get(key), source)
        elif isinstance(found, Laid) and found.is_own(path) and not path:
            yield from _all_own(file, found, value)
        for key, inner in value.items():
            if key != PROVENANCE:
                yield from _nested(file, found, (*path, key), inner)


def _all_own(file: str, found: Laid, value: Mapping[str, Any]) -> Iterator[Sourced]:
    """A file of the owner's that says nothing of where its values come from."""
    for key, inner in value.items():
        yield Sourced(file, "", key, inner, "own")


def _sourced(
    file: str, found: Document | Laid, path: Path, entry: Mapping[str, Any], key: str, value: Any,
    source: str,
) -> Sourced:  # fmt: skip
    word, _, note = source.partition(" ")
    if isinstance(found, Laid) and _is_own(found, path, entry, key):
        word, note = "own", note if _tells_why(found, path, key) else ""
    return Sourced(file, _called(path, entry), key, value, word, note)


def _is_own(found: Laid, path: Path, entry: Mapping[str, Any], key: str) -> bool:
    if key:
        return any(
            found.is_own((*path, each)) if each in entry else found.is_taken_away((*path, each))
            for each in GROUPS.get(key, (key,))
        )
    return any(found.is_own((*path, each)) for each in entry if each != PROVENANCE)


def _tells_why(found: Laid, path: Path, key: str) -> bool:
    """Whether the owner says where his value comes from."""
    told = (*path, PROVENANCE, key) if key else (*path, PROVENANCE)
    return told in found.places and found.is_own(told)


def _called(path: Path, entry: Mapping[str, Any]) -> str:
    """The list with the name of the entry; elsewhere the keys that lead to it."""
    steps = [str(step) for step in path if isinstance(step, str)]
    name = next((str(entry[key]) for key in NAMES if key in entry), "")
    if path and isinstance(path[-1], int):
        both = f"{name} - {entry['b']}" if "b" in entry and "a" in entry else name
        return " ".join([*steps, both or str(path[-1] + 1)])
    return " ".join(steps)
