"""Help with standing orders: the example in a form, the published schema, the vocabulary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.model import Side
from pbem.engine.policies.reading import SLOT, written_shapes
from pbem.engine.policies.rows import ANY_SLOT, Example
from pbem.engine.policies.sealing import sealed_shapes
from pbem.engine.policies.table import WITHDRAWN, PolicyTable
from pbem.engine.shapes import Schema, any_of, closed, words_in
from pbem.messages import ENGLISH, Language, Said, say, words
from pbem.words import to_lines

WIDE = 30
"""Where the comments of the lines of a form begin."""
LONGEST = 98
"""A comment that makes a line longer than that goes on below."""


def schema(table: PolicyTable) -> tuple[Schema, dict[str, Schema]]:
    """The JSON Schema of standing orders as written, and the definitions it refers to."""
    if not table.rows:
        return {"not": {}}, {}
    shared: dict[str, Schema] = {}
    inside = _mapping(table, ANY_SLOT, shared)
    withdrawn = {"const": WITHDRAWN}
    shared["policy.slot"] = inside
    more: dict[str, Schema] = {
        "slot": {"type": "string", "pattern": f"^{SLOT.pattern}$"},
        "slots": {
            "type": "object",
            "propertyNames": {"pattern": f"^{SLOT.pattern}$"},
            "additionalProperties": any_of(withdrawn, {"$ref": "#/$defs/policy.slot"}),
        },
        **{name: any_of(withdrawn, _of_slot(table, name, shared)) for name in table.slots},
    }
    return closed({**inside["properties"], **more}), shared


def _of_slot(table: PolicyTable, slot: str, shared: dict[str, Schema]) -> Schema:
    if not table.slots[slot].is_bare:
        return _mapping(table, slot, shared)
    part = table.within(slot)[slot]
    schema = part.clause.shape.schema(shared)
    if table.slots[slot].further:
        schema = any_of(schema, {"type": "array", "items": schema})
    return {"description": part.told, **schema}


def _mapping(table: PolicyTable, slot: str, shared: dict[str, Schema]) -> Schema:
    parts = table.within(slot)
    properties: dict[str, Schema] = {}
    for name, shape in written_shapes(table, slot).items():
        told = {"description": parts[name].told} if name in parts else {}
        properties[name] = {**told, **shape.schema(shared)}
    return closed(properties)


def vocabulary(table: PolicyTable) -> tuple[str, ...]:
    """Every word that standing orders and their documents have of their own."""
    shared: dict[str, Schema] = {}
    sealed = [shape.schema(shared) for shape in sealed_shapes(table).values()]
    names = (part.name for part in table.rows)
    return tuple(dict.fromkeys((*names, *words_in([*schema(table), shared, sealed]))))


def example_of(
    table: PolicyTable, position: Any, side: Side, language: Language = ENGLISH
) -> tuple[str, ...]:
    """An example policy to adapt; its first line names its purpose. Empty where there are none."""
    if not table.rows:
        return ()
    facts = table.facts
    notes: tuple[Said, ...] = (
        say(
            "write ask instead of an answer to answer that question yourself, at the cost of a mail"
        ),
        *table.notes,
        say("a when may name {facts}", facts=", ".join(facts.early)),
    )
    if facts.late:
        late = ", ".join(facts.late)
        notes += (say("{then} also {facts}, or after: {...}", then=say(facts.then), facts=late),)
    lines = (
        each for line, why in example_lines(table, position, side)
        for each in _lines(line, words(why, language))
    )  # fmt: skip
    told = (to_lines(words(note, language), LONGEST, "  # ", "  #   ") for note in notes)
    below = (line for lines_of_note in told for line in lines_of_note)
    return (words(table.told, language), "standing:", *lines, *below)


def example_lines(table: PolicyTable, position: Any, side: Side) -> Iterator[Example]:
    """The lines of a policy with every useful part, each with its purpose."""
    yield from table.examples(ANY_SLOT, position, side)
    yield (
        "scope: {ask: []}",
        say("questions to answer yourself: [{condition}]", condition=table.for_condition),
    )
    for name, slot in table.slots.items():
        if slot.line:
            yield slot.line, say(slot.told)
        elif slot.is_offered(position) and slot.is_bare:
            yield from table.examples(name, position, side)
        elif slot.is_offered(position):
            yield f"{name}:", say(slot.told)
            for line, why in table.examples(name, position, side):
                yield f"  {line}", why


def _lines(text: str, told: str) -> list[str]:
    """A line with its comment, which begins below where the line is too long for both."""
    first, others = f"  {text:<{WIDE}}  # ", f"  {'':<{WIDE}}  # "
    if len(text) > WIDE and len(first) + len(told) > LONGEST:
        return [f"  {text}", *_lines("", told)]
    return to_lines(told, LONGEST, first, others)
