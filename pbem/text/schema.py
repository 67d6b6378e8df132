"""JSON Schema's complaints as Problems: in our words, at the line and column they are about.

The schema is chosen by whoever calls (by the verb of an order, by the kind of a file), never by
`oneOf`, whose failures nobody can read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from typing import Any

from pbem.problems import Problem, Span
from pbem.text.wording import counted, did_you_mean, kind_of, may_be, quoted
from pbem.text.yamlsource import Document, Path
from pbem.words import listing

SchemaType = Mapping[str, Any]

KINDS = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


def schema_problems(
    document: Document, schema: SchemaType, path: Path = (), name: str = ""
) -> tuple[Problem, ...]:
    """The schema errors of the part of a document at a path, in the order of the file.

    `name` is what messages call that part ("move"); without one it is the last key of the path.
    """
    value = document.value
    for step in path:
        value = value[step]
    _PARTS.set({ROOT: schema})
    found = _validator()(schema).iter_errors(value)
    problems = [problem for error in found for problem in _reworded(document, error, path, name)]
    return tuple(sorted(problems, key=_place))


ROOT = "#"
# The validators of the parts of the schema in use, and what its references mean. Parts are told
# apart by identity; the validator holds its part, so no other can have that identity meanwhile.
_PARTS: ContextVar[dict[int | str, Any]] = ContextVar("parts")


@cache
def _validator() -> Any:
    """The library's validator, without what it does over and over.

    It compares each item of a list with each other, and makes a new validator for each value.
    """
    from jsonschema import Draft202012Validator, validators  # type: ignore[import-untyped]

    ours = validators.extend(Draft202012Validator, {"uniqueItems": _unique, "$ref": _referred})
    ours.descend = _descend
    return ours


def _descend(
    validator: Any,
    instance: Any,
    schema: Any,
    path: Any = None,
    schema_path: Any = None,
    resolver: Any = None,
) -> Iterator[Any]:
    """The library's `descend` with one validator for each part: no part of ours has an $id of its
    own.
    """
    parts = _PARTS.get()
    part = parts.get(id(schema))
    if part is None:
        part = parts[id(schema)] = validator.evolve(schema=schema)
    for error in part.iter_errors(instance):
        if path is not None:
            error.path.appendleft(path)
        if schema_path is not None:
            error.schema_path.appendleft(schema_path)
        yield error


def _referred(validator: Any, reference: str, value: Any, schema: SchemaType) -> Iterator[Any]:
    """The definition of `#/$defs/name`, looked up once."""
    parts = _PARTS.get()
    if reference not in parts:
        found: Any = parts[ROOT]
        for name in reference.removeprefix("#/").split("/"):
            found = found[name]
        parts[reference] = found
    return _descend(validator, value, parts[reference])


def _unique(validator: Any, unique: bool, items: Any, schema: SchemaType) -> Iterator[Any]:
    from jsonschema import ValidationError

    if unique and isinstance(items, list) and any(True for _ in _doubled(items)):
        yield ValidationError("an item is listed twice")


def _doubled(items: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """The repeated items, with their places; each is looked at once."""
    seen: set[str] = set()
    for index, item in enumerate(items):
        written = json.dumps(item, sort_keys=True)
        if written in seen:
            yield index, item
        seen.add(written)


def _place(problem: Problem) -> tuple[int, int, str]:
    span = problem.span or Span("", 0, 0)
    return span.line, span.column, problem.message


def _reworded(document: Document, error: Any, path: Path, name: str) -> Iterator[Problem]:
    """One complaint of jsonschema may be several problems: each unknown field is one."""
    if error.validator in ("anyOf", "oneOf", "allOf", "$ref", "if") and error.context:
        error = _deepest(error)
    here = (*path, *error.absolute_path)
    what = _name(here, path, name)
    wording = WORDINGS.get(error.validator, _otherwise)
    if "propertyNames" in error.relative_schema_path:
        wording = _wrong_key
    for at, is_key, message, hint in wording(error, what):
        span = (document.key_span if is_key else document.span)((*here, *at))
        yield Problem(f"schema-{error.validator}", message, span, hint=hint)


def _deepest(error: Any) -> Any:
    """The deepest error among the branches, which have all failed."""
    return max(error.context, key=lambda inner: len(inner.absolute_path))


def _name(here: Path, path: Path, name: str) -> str:
    """The name of the value: its key; in a list, the key of the list with "entry"."""
    if here == path and name:
        return name
    keys = [step for step in here if isinstance(step, str)]
    if not keys:
        return name or "the file"
    return f"an entry of {keys[-1]}" if isinstance(here[-1], int) else keys[-1]


# ------------------------------------------------ one wording per keyword
# Each yields: path below the value, whether its key is meant, message, hint.

Wording = Iterator[tuple[Path, bool, str, str]]


def _unknown_fields(error: Any, what: str) -> Wording:
    known = list(error.schema.get("properties", {}))
    patterns = error.schema.get("patternProperties", {})
    for field in error.instance:
        if field in known or any(re.search(pattern, field) for pattern in patterns):
            continue
        yield (field,), True, f"{what} has no field {quoted(field)}", did_you_mean(field, known)


def _missing_fields(error: Any, what: str) -> Wording:
    missing = [field for field in error.validator_value if field not in error.instance]
    # jsonschema complains once for each; the message names the one it is about
    for field in missing:
        if error.message.startswith(f"{field!r} "):
            yield (), False, f"{what} needs the field {quoted(field)}", _about(error, field)


def _about(error: Any, field: str) -> str:
    described = error.schema.get("properties", {}).get(field, {})
    return str(described.get("description", "")) if isinstance(described, Mapping) else ""


def _other_type(error: Any, what: str) -> Wording:
    wanted = error.validator_value
    kinds = [KINDS[kind] for kind in ([wanted] if isinstance(wanted, str) else wanted)]
    message = f"{what} must be {listing(kinds, 'or')}, not {kind_of(error.instance)}"
    yield (), False, message, _type_hint(kinds, error.instance)


def _type_hint(kinds: list[str], value: object) -> str:
    if kinds == ["a list"] and isinstance(value, str):
        return "write a list of one as [" + quoted(value)[1:-1] + "]"
    if kinds == ["a text"] and isinstance(value, int | None):
        return "put it into quotes to make it a text"
    return ""


def _not_one_of(error: Any, what: str) -> Wording:
    known = [str(value) for value in error.validator_value]
    hint = did_you_mean(str(error.instance), known) or may_be(known)
    yield (), False, f"{what} cannot be {_value(error.instance)}", hint


def _value(value: object) -> str:
    return quoted(value) if isinstance(value, str) else kind_of(value)


def _says(template: str) -> Callable[[Any, str], Wording]:
    """A message with the value of the keyword filled in."""

    def wording(error: Any, what: str) -> Wording:
        limit = error.validator_value
        entries = counted(limit, "entry", "entries") if isinstance(limit, int) else ""
        yield (), False, template.format(what=what, limit=limit, entries=entries), ""

    return wording


def _pattern(error: Any, what: str) -> Wording:
    hint = str(error.schema.get("description", "")) or f"it must look like {error.validator_value}"
    yield (), False, f"{what} cannot be {_value(error.instance)}", hint


def _constant(error: Any, what: str) -> Wording:
    yield (), False, f"{what} must be {error.validator_value}", ""


def _wrong_key(error: Any, what: str) -> Wording:
    """The `propertyNames` error: jsonschema reports the key as if it were a value."""
    key = str(error.instance)
    hint = did_you_mean(key, [str(name) for name in error.schema.get("enum", ())])
    message = f"{what} cannot have the key {quoted(key)}"
    yield (key,), True, message, hint or str(error.schema.get("description", ""))


def _doubled_entries(error: Any, what: str) -> Wording:
    for index, entry in _doubled(error.instance):
        yield (index,), False, f"{_value(entry)} is in {what} twice", ""


def _otherwise(error: Any, what: str) -> Wording:
    yield (), False, f"{what} does not fit '{error.validator}' of its schema", ""


WORDINGS: Mapping[str, Callable[[Any, str], Wording]] = {
    "additionalProperties": _unknown_fields,
    "unevaluatedProperties": _unknown_fields,
    "required": _missing_fields,
    "type": _other_type,
    "enum": _not_one_of,
    "const": _constant,
    "pattern": _pattern,
    "minimum": _says("{what} must be at least {limit}"),
    "maximum": _says("{what} must be at most {limit}"),
    "exclusiveMinimum": _says("{what} must be more than {limit}"),
    "exclusiveMaximum": _says("{what} must be less than {limit}"),
    "minLength": _says("{what} must have at least {limit} letters"),
    "maxLength": _says("{what} must have at most {limit} letters"),
    "minItems": _says("{what} needs at least {entries}"),
    "maxItems": _says("{what} can have at most {entries}"),
    "minProperties": _says("{what} needs at least {entries}"),
    "maxProperties": _says("{what} can have at most {entries}"),
    "uniqueItems": _doubled_entries,
}
