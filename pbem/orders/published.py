"""The published JSON Schema of a game's order files, made from the orders themselves.

It is for editors and for other programs: `pbem` judges the shape of orders by their dataclasses
and need not load jsonschema to apply a round. One schema for each verb, chosen by the verb.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Mapping
from typing import Any

from pbem.engine.codec import WrittenField, fields_of, is_mapping
from pbem.engine.model import Order
from pbem.engine.waiting import NOTHING_WAITS, WHEN
from pbem.orders.parse import AHEAD, MOST_ORDERS
from pbem.orders.shape import VERSION
from pbem.value import MISSING, is_value
from pbem.words import YES_NO

DRAFT = "https://json-schema.org/draft/2020-12/schema"
SCALARS: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"}, int: {"type": "integer"}, bool: {"enum": [True, False, *YES_NO]},
}  # fmt: skip
NAME = {"type": ["string", "integer"]}


Standing = tuple[Mapping[str, Any], Mapping[str, Any]]
"""The schema of standing orders, and the definitions it refers to."""
NO_STANDING: Standing = ({"not": {}}, {})
Waits = tuple[Mapping[str, Any] | None, Mapping[str, Any]]
"""The schema of what an order waits for, and the definitions it refers to."""
NOTHING: Waits = NOTHING_WAITS.schema()


def orders_schema(
    title: str, verbs: Mapping[str, type[Order]], standing: Standing = NO_STANDING,
    waiting: Waits = NOTHING, *, seals_ahead: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """The schema of the canonical form of a file: lists written as lists, no field beside a verb.

    The other ways in which players may write (one text for a list of one, `none`, `yes`, fields
    beside the verb, the names of an only field without it) are brought into this form before
    anything else reads them. A name may look like a number.
    """
    return {
        "$schema": DRAFT,
        "title": title,
        "type": "object",
        "properties": {
            "orders": {
                "type": "array",
                "maxItems": MOST_ORDERS,
                "items": _order(verbs, waiting[0]),
            },
            "standing": dict(standing[0]),
            "say": {"type": "string"},
            "game": {"type": "string"},
            "entry": {"type": "integer", "minimum": 0},
            "version": {"const": VERSION},
            **({"ahead": {"enum": [*AHEAD]}} if seals_ahead else {}),
        },
        "additionalProperties": False,
        "$defs": {
            **{verb: _fields(kind) for verb, kind in sorted(verbs.items())},
            **standing[1],
            **waiting[1],
        },
    }


def _order(verbs: Mapping[str, type[Order]], when: Mapping[str, Any] | None) -> dict[str, Any]:
    """The schema of an order: one verb, perhaps with its condition beside it."""
    properties: dict[str, Any] = {verb: {"$ref": f"#/$defs/{verb}"} for verb in sorted(verbs)}
    one, two = ({"minProperties": count, "maxProperties": count} for count in (1, 2))
    counted: dict[str, Any] = one
    if when is not None:
        properties[WHEN] = dict(when)
        counted = {"if": {"required": [WHEN]}, "then": two, "else": one}
    return {"type": "object", "properties": properties, "additionalProperties": False, **counted}


def _fields(kind: type) -> dict[str, Any]:
    fields = fields_of(kind)
    return {
        "type": "object",
        "description": " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split()),
        "properties": {name: _field(field) for name, field in fields.items()},
        "required": [name for name, field in fields.items() if field.is_needed],
        "additionalProperties": False,
    }


def _field(field: WrittenField) -> dict[str, Any]:
    """The schema of a field; if it takes only a few words, they are listed."""
    words = field.words
    kept = () if field.default in (MISSING, *words) else (field.default,)
    return _value(field.hint) | ({"enum": [*words, *kept]} if words else {})


def _value(kind: Any) -> dict[str, Any]:
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return dict(NAME) if inside[0] is str else _value(inside[0])
    if origin in (types.UnionType, typing.Union):
        real = [_value(each) for each in inside if each is not type(None)]
        return real[0] if len(real) == 1 else {"anyOf": real}
    if origin in (tuple, frozenset):
        if inside[1:] in ((), (Ellipsis,)):
            return {"type": "array", "items": _value(inside[0])}
        each = [_value(item) for item in inside]
        return {"type": "array", "prefixItems": each, "minItems": len(each), "maxItems": len(each)}
    if is_mapping(kind):
        return {"type": "object", "additionalProperties": _value(inside[1])}
    if is_value(kind):
        assert isinstance(kind, type)
        return _fields(kind)
    return dict(SCALARS.get(getattr(kind, "__supertype__", kind), {}))
