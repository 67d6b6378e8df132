"""JSON Schema failures in our words."""

import pytest

from pbem.text.schema import schema_problems
from pbem.text.source import Source
from pbem.text.yamlsource import read

MOVE = {
    "type": "object",
    "properties": {
        "units": {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True},
        "from": {"type": "string"},
        "to": {"type": "string", "pattern": "^[a-z_]+$", "description": "the space to go to"},
        "by": {"enum": ["land", "sea", "rail"]},
        "points": {"type": "integer", "minimum": 1, "maximum": 6},
        "kind": {"const": "slow"},
        "at": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "turns": {"type": "object", "propertyNames": {"enum": ["first", "last"]}},
        "named": {"patternProperties": {"^x": {}}, "additionalProperties": False},
    },
    "required": ["units", "to"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "written, said",
    [
        ("{units: [a], to: b}", []),
        (
            "{units: [a], to: b, form: c}",
            [("1:29", "move has no field 'form'", "did you mean from?")],
        ),
        ("{units: [a]}", [("1:9", "move needs the field 'to'", "the space to go to")]),
        (
            "{}",
            [
                ("1:9", "move needs the field 'to'", "the space to go to"),
                ("1:9", "move needs the field 'units'", ""),
            ],
        ),
        (
            "{units: a, to: b}",
            [("1:17", "units must be a list, not the text 'a'", "write a list of one as [a]")],
        ),
        ("{units: [], to: b}", [("1:17", "units needs at least 1 entry", "")]),
        (
            "{units: [a, 3], to: b}",
            [
                (
                    "1:21",
                    "an entry of units must be a text, not the number 3",
                    "put it into quotes to make it a text",
                )
            ],
        ),
        ("{units: [a, b, a], to: b}", [("1:24", "'a' is in units twice", "")]),
        ("{units: [a], to: B7}", [("1:26", "to cannot be 'B7'", "the space to go to")]),
        ("{units: [a], to: b, by: see}", [("1:33", "by cannot be 'see'", "did you mean sea?")]),
        (
            "{units: [a], to: b, by: 7}",
            [("1:33", "by cannot be the number 7", "it may be land, sea or rail")],
        ),
        ("{units: [a], to: b, points: 9}", [("1:37", "points must be at most 6", "")]),
        ("{units: [a], to: b, points: 0}", [("1:37", "points must be at least 1", "")]),
        (
            "{units: [a], to: b, points: true}",
            [("1:37", "points must be a whole number, not the truth value true", "")],
        ),
        ("{units: [a], to: b, kind: fast}", [("1:35", "kind must be slow", "")]),
        (
            "{units: [a], to: b, at: [c, 4]}",
            [
                (
                    "1:37",
                    "an entry of at must be a text, not the number 4",
                    "put it into quotes to make it a text",
                )
            ],
        ),
        (
            "{units: [a], to: b, turns: {fist: 1}}",
            [("1:37", "turns cannot have the key 'fist'", "did you mean first?")],
        ),
        ("{units: [a], to: b, named: {x1: 1, y: 2}}", [("1:44", "named has no field 'y'", "")]),
        ("[a]", [("1:9", "move must be a mapping, not a list", "")]),
    ],
)
def test_failures_are_told_in_our_words(written, said):
    document = read(Source("f", f"- move: {written}"))
    problems = schema_problems(document, MOVE, (0, "move"), "move")
    assert [
        (f"{p.span.line}:{p.span.column}", str(p.message), str(p.hint)) for p in problems
    ] == said


def test_a_keyword_without_words_of_its_own_is_still_told():
    schema = {"properties": {"a": {"multipleOf": 2}}}
    (problem,) = schema_problems(read(Source("f", "a: 3")), schema)
    assert str(problem.message) == "a does not fit 'multipleOf' of its schema"
    assert problem.code == "schema-multipleOf"


def test_the_whole_file_has_a_name():
    assert str(schema_problems(read(Source("f", "a")), {"type": "object"})[0].message) == (
        "the file must be a mapping, not the text 'a'"
    )
