"""What an owner's folder changes in a game's data: each value that differs, with both readings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.gamedata.merge import PROVENANCE, Schema, identity, is_mapping, named, resolved


@dataclass(frozen=True)
class Change:
    """A value that differs: its entry, its key, ours and the owner's. None: there is no value.

    Without a key the whole entry is new, or left out.
    """

    entry: str
    key: str
    ours: Any
    own: Any


def changes(schema: Schema, ours: Any, own: Any) -> Iterator[Change]:
    """Every difference between two documents of a schema, in the order of the owner's."""
    return _Compared(schema).pairs(schema, ours, own, (), ())


@dataclass(frozen=True)
class _Compared:
    root: Schema

    def pairs(
        self, node: Schema, ours: Any, own: Any, entry: tuple[str, ...], keys: tuple[str, ...]
    ) -> Iterator[Change]:
        """`entry` leads to the last entry of a list, `keys` from there on."""
        node = resolved(self.root, node)
        if is_mapping(node) and isinstance(ours, dict) and isinstance(own, dict):
            for key in dict.fromkeys((*own, *ours)):
                if key != PROVENANCE:
                    inner = node.get("properties", {}).get(key)
                    inner = inner or node.get("additionalProperties") or {}
                    values = ours.get(key), own.get(key)
                    yield from self.pairs(inner, *values, entry, (*keys, key))
        elif "known_by" in node and isinstance(ours, list) and isinstance(own, list):
            yield from self._entries(node, ours, own, (*entry, *keys))
        elif ours != own:
            yield Change(" ".join(entry), " ".join(keys), ours, own)

    def _entries(
        self, node: Schema, ours: list[Any], own: list[Any], listed: tuple[str, ...]
    ) -> Iterator[Change]:
        before, now = ({identity(node, each): each for each in entries} for entries in (ours, own))
        for known, entry in now.items():
            name = (*listed, named(node, entry))
            if known in before:
                yield from self.pairs(node["items"], before[known], entry, name, ())
            else:
                yield Change(" ".join(name), "", None, _told(entry))
        for known, entry in before.items():
            if known not in now:
                yield Change(" ".join((*listed, named(node, entry))), "", _told(entry), None)


def _told(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key != PROVENANCE}
