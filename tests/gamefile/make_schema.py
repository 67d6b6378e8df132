"""schemas/entry.json, made of the shapes that the reader of a file judges by.

`python -m tests.gamefile.make_schema` writes it; with `--check` it only says whether it is stale.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pbem.gamefile import shapes
from pbem.gamefile.rotation import SIGNERS
from pbem.gamefile.shapes import Members, closed

ENTRY = Path(__file__).parents[2] / "schemas" / "entry.json"
NAMED: Mapping[Any, str] = {
    shapes.HASH: "hash", shapes.NONCE: "nonce", shapes.DECK: "deck", shapes.CARDS: "cards",
    shapes.COMMITMENTS: "commitments", shapes.RULES: "rules",
}  # fmt: skip
"""Shapes that stand in several places, and so have a name of their own."""
ABOUT = (
    "Made of pbem/gamefile/shapes.py. Values must besides be of the canonical domain: member names "
    "[a-z][a-z0-9_]{0,39}, integers up to 2^53-1, no floats, texts of at most 4096 characters "
    "without control characters except LF, lists of at most 4096 items, at most 16 levels. What a "
    "step may do, and when, is in protocol.md."
)
WIDTH = 120


def schema() -> dict[str, Any]:
    """The published schema: the envelope, and what it refers to."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://pbem.example/schemas/entry.json",
        "title": "An entry of a pbem game file, version 1",
        "description": ABOUT,
        **_said(closed({**shapes.ENVELOPE, "payload": _ref("payload")}, {})),
        "$defs": {
            **{name: _said(shapes.SCHEMAS[check]) for check, name in NAMED.items()},
            "payload": _payload(),
            "step": _step(),
            **{kind: _kind(kind) for kind in shapes.STEPS},
        },
    }


def _payload() -> dict[str, Any]:
    steps = {"type": "array", "minItems": 1, "maxItems": shapes.MAX_STEPS, "items": _ref("step")}
    must = {"v": {"const": 1}, **shapes.PAYLOAD, "steps": steps}
    found: dict[str, Any] = _said(closed(must, shapes.PAYLOAD_MAY))
    return found


def _step() -> dict[str, Any]:
    """A step by its kind. The kind is looked at first, so that only its own faults are told."""
    return {
        "type": "object",
        "properties": {"do": {"enum": list(shapes.STEPS)}},
        "required": ["do"],
        "allOf": [
            {
                "if": {"properties": {"do": {"const": kind}}, "required": ["do"]},
                "then": _ref(kind),
            }
            for kind in shapes.STEPS
        ],
    }


def _kind(kind: str) -> dict[str, Any]:
    about, must, may = shapes.STEPS[kind]
    first: dict[str, Any] = {"do": {"const": kind}}
    ways = {"offer": _offers, "ruling": _rulings, "rotate": _rotations}.get(kind)
    if ways is None:
        return {"description": about, **_said(closed({**first, **must}, may))}
    return {"description": about, "oneOf": [_said(each) for each in ways(first, must, may)]}


def _offers(first: Mapping[str, Any], _: Members, members: Members) -> Iterator[Any]:
    for what, (needed, possible) in shapes.OFFERS.items():
        must = {name: check for name, check in members.items() if name in needed}
        may = {name: check for name, check in members.items() if name in possible}
        yield closed({**first, "what": {"const": what}, **must}, may)


def _rulings(first: Mapping[str, Any], must: Members, members: Members) -> Iterator[Any]:
    for what, needed in shapes.RULINGS.items():
        more = {name: check for name, check in members.items() if name in needed}
        yield closed({**first, **must, "what": {"const": what}, **more}, {})


def _rotations(first: Mapping[str, Any], must: Members, members: Members) -> Iterator[Any]:
    """A new key has the signature of the director if they have signed it, and only then."""
    others = {"enum": [each for each in SIGNERS if each != "director"]}
    yield closed({**first, **must, "signed_by": others}, {})
    yield closed({**first, **must, "signed_by": {"const": "director"}, **members}, {})


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _said(part: Any) -> Any:
    """A part of a schema, with what the checks in it say in their place."""
    if callable(part):
        return _ref(NAMED[part]) if part in NAMED else _said(shapes.SCHEMAS[part])
    if isinstance(part, Mapping):
        return {name: _said(each) for name, each in part.items()}
    return [_said(each) for each in part] if isinstance(part, list) else part


def text() -> str:
    """The file: what fits into a line stands in one."""
    return _lines(schema(), "", "") + "\n"


def _lines(value: Any, indent: str, before: str) -> str:
    flat = json.dumps(value, ensure_ascii=True)
    if len(indent) + len(before) + len(flat) < WIDTH or not isinstance(value, dict | list):
        return indent + before + flat
    inner = indent + " "
    if isinstance(value, dict):
        parts = [_lines(each, inner, f"{json.dumps(name)}: ") for name, each in value.items()]
    else:
        parts = [_lines(each, inner, "") for each in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return ",\n".join([f"{indent}{before}{opening}\n{parts[0]}", *parts[1:]]) + (
        f"\n{indent}{closing}"
    )


def main(check: bool) -> int:
    wanted = text()
    if ENTRY.read_text("ascii") == wanted:
        sys.stdout.write("schemas/entry.json: up to date\n")
        return 0
    if check:
        sys.stdout.write("schemas/entry.json is stale: run python -m tests.gamefile.make_schema\n")
        return 1
    ENTRY.write_text(wanted, "ascii")
    sys.stdout.write("wrote schemas/entry.json\n")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
