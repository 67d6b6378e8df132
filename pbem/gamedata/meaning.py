"""The digest of a game's data: what the rules read of them, however it is written.

What is only told of a game (titles, names, texts, the rule a value is from) does not count: the
schemas mark it `told`. Neither does where a value comes from, nor which files say it, nor in which
order the keys of a mapping stand. The order of a list counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from pbem.gamedata.merge import PROVENANCE, Schema, is_mapping, resolved
from pbem.gamedata.where import SCENARIOS

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


def without_told(schema: Schema, said: Any) -> Any:
    """The value without what is only told, and without its provenance."""
    return _without_told(schema, schema, said)


def _without_told(root: Schema, node: Schema, said: Any) -> Any:
    node = resolved(root, node)
    if isinstance(said, dict):
        inner = node.get("properties", {})
        other = node.get("additionalProperties") if is_mapping(node) else None
        found = {}
        for key, each in said.items():
            part = inner.get(key) or (other if isinstance(other, Mapping) else {})
            if key != PROVENANCE and not part.get(TOLD):
                found[key] = _without_told(root, part, each)
        return found
    if isinstance(said, list):
        return [_without_told(root, node.get("items") or {}, each) for each in said]
    return said
