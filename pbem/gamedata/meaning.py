"""The digest of a game's data: what the rules read of them, however it is written.

What is only told of a game (titles, names, texts, the rule a value is from) does not count: the
schemas mark it `told`. Neither does where a value comes from, nor which files say it, nor in which
order the keys of a mapping stand. The order of a list counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from pbem.gamedata.merge import PROVENANCE, Schema, is_mapping, resolved
from pbem.gamedata.where import SCENARIOS
from pbem.value import value

TAG = b"pbem1/data\n"
TOLD = "told"
"""The word of a schema for a value that no rule reads."""


def canonical(value: Any) -> bytes:
    """The one way to write a plain value: equal values, equal bytes."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode()


def digest_of(tables: Mapping[str, Any], schema_of: Callable[[str], Schema]) -> str:
    """The digest of data as plain values. `schema_of` gives the schema of a kind of file."""
    counted: dict[str, Any] = {
        part: without_told(schema_of(part), said)
        for part, said in tables.items()
        if part != SCENARIOS
    }
    counted[SCENARIOS] = {
        name: without_told(schema_of("scenario"), said) for name, said in tables[SCENARIOS].items()
    }
    return sha256(TAG + canonical(counted)).hexdigest()


def without_told(schema: Schema, said: Any, *, named: bool = False) -> Any:
    """The value without what is only told, and without its provenance; with `named` the entries of
    a list keep what they are known by.
    """
    return _Stripped(schema, named).value(schema, said, ())


@value
class _Stripped:
    """How values are stripped of what no rule reads."""

    root: Schema
    named: bool

    def value(self, node: Schema, said: Any, kept: Sequence[str]) -> Any:
        """A value without it, but for the keys that are `kept`."""
        node = resolved(self.root, node)
        if isinstance(said, dict):
            inner = node.get("properties", {})
            other = node.get("additionalProperties") if is_mapping(node) else None
            found = {}
            for key, each in said.items():
                part = inner.get(key) or (other if isinstance(other, Mapping) else {})
                if key in kept or (key != PROVENANCE and not part.get(TOLD)):
                    found[key] = self.value(part, each, ())
            return found
        if isinstance(said, list):
            known = node.get("known_by", ()) if self.named else ()
            return [self.value(node.get("items") or {}, each, known) for each in said]
        return said
