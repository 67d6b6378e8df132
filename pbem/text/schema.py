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

from pbem.messages import Either, Said, marked, marked_many, say, say_many
from pbem.problems import Problem, Span
from pbem.text.wording import did_you_mean, kind_of, may_be, quoted
from pbem.text.yamlsource import Document, Path

SchemaType = Mapping[str, Any]

KINDS = {
    "object": marked("a mapping"),
    "array": marked("a list"),
    "string": marked("a text"),
    "integer": marked("a whole number"),
    "number": marked("a number"),
    "boolean": marked("true or false"),
    "null": marked("nothing"),
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
    return span.line, span.column, str(problem.message)


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


def _name(here: Path, path: Path, name: str) -> Said:
    """The name of the value: its key; in a list, the key of the list with "entry"."""
    if here == path and name:
        return name
    keys = [step for step in here if isinstance(step, str)]
    if not keys:
        return name or say("the file")
    return say("an entry of {list}", list=keys[-1]) if isinstance(here[-1], int) else keys[-1]


# ------------------------------------------------ one wording per keyword
# Each yields: path below the value, whether its key is meant, message, hint.

Wording = Iterator[tuple[Path, bool, Said, Said]]


def _unknown_fields(error: Any, what: Said) -> Wording:
    known = list(error.schema.get("properties", {}))
    patterns = error.schema.get("patternProperties", {})
    for field in error.instance:
        if field in known or any(re.search(pattern, field) for pattern in patterns):
            continue
        message = say("{what} has no field {field}", what=what, field=quoted(field))
        yield (field,), True, message, did_you_mean(field, known)


def _missing_fields(error: Any, what: Said) -> Wording:
    missing = [field for field in error.validator_value if field not in error.instance]
    # jsonschema complains once for each; the message names the one it is about
    for field in missing:
        if error.message.startswith(f"{field!r} "):
            message = say("{what} needs the field {field}", what=what, field=quoted(field))
            yield (), False, message, _about(error, field)


def _about(error: Any, field: str) -> str:
    described = error.schema.get("properties", {}).get(field, {})
    return str(described.get("description", "")) if isinstance(described, Mapping) else ""


def _other_type(error: Any, what: Said) -> Wording:
    wanted = error.validator_value
    kinds = [KINDS[kind] for kind in ([wanted] if isinstance(wanted, str) else wanted)]
    message = say(
        "{what} must be {kinds}, not {value}",
        what=what, kinds=Either(tuple(map(say, kinds))), value=kind_of(error.instance),
    )  # fmt: skip
    yield (), False, message, _type_hint(kinds, error.instance)


def _type_hint(kinds: list[str], value: object) -> Said:
    if kinds == ["a list"] and isinstance(value, str):
        return say("write a list of one as [{value}]", value=quoted(value)[1:-1])
    if kinds == ["a text"] and isinstance(value, int | None):
        return say("put it into quotes to make it a text")
    return ""


def _not_one_of(error: Any, what: Said) -> Wording:
    known = [str(value) for value in error.validator_value]
    hint = did_you_mean(str(error.instance), known) or may_be(known)
    yield (), False, _cannot_be(error, what), hint


def _cannot_be(error: Any, what: Said) -> Said:
    return say("{what} cannot be {value}", what=what, value=_value(error.instance))


def _value(value: object) -> Said:
    return quoted(value) if isinstance(value, str) else kind_of(value)


def _says(template: str) -> Callable[[Any, Said], Wording]:
    """A message with the value of the keyword filled in."""

    def wording(error: Any, what: Said) -> Wording:
        limit = error.validator_value
        yield (), False, say(template, what=what, limit=limit), ""

    return wording


def _counts(one: str, many: str) -> Callable[[Any, Said], Wording]:
    """The same, for a number of entries."""

    def wording(error: Any, what: Said) -> Wording:
        told = say_many("limit", one, many, what=what, limit=error.validator_value)
        yield (), False, told, ""

    return wording


def _pattern(error: Any, what: Said) -> Wording:
    hint = str(error.schema.get("description", "")) or say(
        "it must look like {pattern}", pattern=str(error.validator_value)
    )
    yield (), False, _cannot_be(error, what), hint


def _constant(error: Any, what: Said) -> Wording:
    yield (), False, say("{what} must be {value}", what=what, value=str(error.validator_value)), ""


def _wrong_key(error: Any, what: Said) -> Wording:
    """The `propertyNames` error: jsonschema reports the key as if it were a value."""
    key = str(error.instance)
    hint = did_you_mean(key, [str(name) for name in error.schema.get("enum", ())])
    message = say("{what} cannot have the key {key}", what=what, key=quoted(key))
    yield (key,), True, message, hint or str(error.schema.get("description", ""))


def _doubled_entries(error: Any, what: Said) -> Wording:
    for index, entry in _doubled(error.instance):
        yield (index,), False, say("{entry} is in {what} twice", entry=_value(entry), what=what), ""


def _otherwise(error: Any, what: Said) -> Wording:
    yield (
        (),
        False,
        say("{what} does not fit '{keyword}' of its schema", what=what, keyword=error.validator),
        "",
    )


AT_LEAST = _counts(*marked_many(
    "{what} needs at least {limit} entry", "{what} needs at least {limit} entries"
))  # fmt: skip
AT_MOST = _counts(*marked_many(
    "{what} can have at most {limit} entry", "{what} can have at most {limit} entries"
))  # fmt: skip
WORDINGS: Mapping[str, Callable[[Any, Said], Wording]] = {
    "additionalProperties": _unknown_fields,
    "unevaluatedProperties": _unknown_fields,
    "required": _missing_fields,
    "type": _other_type,
    "enum": _not_one_of,
    "const": _constant,
    "pattern": _pattern,
    "minimum": _says(marked("{what} must be at least {limit}")),
    "maximum": _says(marked("{what} must be at most {limit}")),
    "exclusiveMinimum": _says(marked("{what} must be more than {limit}")),
    "exclusiveMaximum": _says(marked("{what} must be less than {limit}")),
    "minLength": _says(marked("{what} must have at least {limit} letters")),
    "maxLength": _says(marked("{what} must have at most {limit} letters")),
    "minItems": AT_LEAST,
    "maxItems": AT_MOST,
    "minProperties": AT_LEAST,
    "maxProperties": AT_MOST,
    "uniqueItems": _doubled_entries,
}
