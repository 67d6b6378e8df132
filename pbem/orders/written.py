"""Orders as YAML, as a form shows them and as they are read back."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from pbem.engine.codec import fields_of, to_written
from pbem.engine.model import Order
from pbem.orders.fields import NONE, bare_field, may_be_empty
from pbem.text.wording import shown
from pbem.text.yamlsource import WORDS, is_number
from pbem.value import fields, is_value

PLAIN = r"[^\W\d_][\w./+-]*(?: [\w./+()-]+)*|[0-9]+[\w./+-]*"
OPEN = "..."
"""Written in an orders file where something is still to be chosen: a field, or an order."""

WIDE = 98
"""The longest line of a block."""
CONTROL = "[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]"


def order_line(order: Order, also: Collection[str] = ()) -> str:
    """The order in one line of YAML: "play: {card: N7, for: operations}", or "done".

    Default values are left out, except in the fields named in `also`.
    """
    return fields_line(order, written_fields(order, also))


def fields_line(order: Order, written: Mapping[str, Any]) -> str:
    """The line of an order of which these fields are written."""
    if not written:
        return bare_line(type(order))
    return f"{order.verb}: {in_order(_without_its_field(type(order), written))}"


def _without_its_field(kind: type[Order], written: Mapping[str, Any]) -> Mapping[str, Any]:
    """The names alone, where they may be written without their field and nothing else is."""
    names = written.get(bare_field(kind))
    return names if len(written) == 1 and names and isinstance(names, Mapping) else written


def bare_line(kind: type[Order]) -> str:
    """The line of an order without fields: "done", or "discard: none" where that is what it means.

    A bare verb may be half of an order, so it is not read as `none`.
    """
    return f"{kind.verb}: {NONE}" if may_be_empty(kind) else kind.verb


def written_fields(order: Order, also: Collection[str] = ()) -> dict[str, Any]:
    """The fields in a line of the order, by the names players write."""
    plain, written = to_written(order), {}
    for name, field in fields_of(type(order)).items():
        value = getattr(order, field.name)
        if _is_empty(value):
            written[name] = NONE
        elif name in plain or (field.name in also and value not in ((), "")):
            written[name] = plain.get(name, value)
    return written


def _is_empty(value: Any) -> bool:
    """Whether a part of an order is empty, and so written `none`."""
    return is_value(type(value)) and all(getattr(value, each.name) == () for each in fields(value))


def orders_text(orders: Iterable[Order], say: str = "") -> str:
    """A whole file that reads back as these orders."""
    lines = ["orders:", *(f"  - {order_line(order)}" for order in orders)]
    if len(lines) == 1:
        lines = ["orders: []"]
    return "\n".join([*lines, *([f"say: {scalar(say)}"] if say else []), ""])


def inline(value: Any) -> str:
    """A plain value in one line of YAML."""
    return _in_line(value, scalar)


def block(written: Mapping[str, Any]) -> Iterator[str]:
    """Standing orders in lines of YAML; a value that is too long for one line takes several."""
    for key, said in written.items():
        line = f"{key_text(key)}: {in_order(said)}"
        if len(line) <= WIDE or not said or not isinstance(said, Mapping | list | tuple):
            yield line
        elif isinstance(said, Mapping):
            yield f"{key_text(key)}:"
            yield from (f"  {each}" for each in block(said))
        else:
            yield f"{key_text(key)}:"
            yield from (f"  - {in_order(each)}" for each in said)


def in_order(value: Any) -> str:
    """A value of an order in one line of YAML: its field tells whether 2006 is a name."""
    return _in_line(value, _name)


def _in_line(value: Any, word: Callable[[Any], str]) -> str:
    if isinstance(value, Mapping):
        inside = (f"{key_text(key)}: {_in_line(each, word)}" for key, each in value.items())
        return "{" + ", ".join(inside) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_in_line(each, word) for each in value) + "]"
    return word(value)


def _name(value: Any) -> str:
    return value if isinstance(value, str) and is_number(value) else scalar(value)


def scalar(value: Any) -> str:
    """A text, number or truth value; a text in quotes where YAML would read it otherwise."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = str(value)
    if text not in WORDS and not is_number(text) and re.fullmatch(PLAIN, text):
        return text
    return _quoted(text)


def key_text(key: str) -> str:
    """A key; YAML reads `7` and `true` as text there, but plain words need no thought."""
    return _name(key)


def _quoted(text: str) -> str:
    if not re.search(CONTROL, text):
        return "'" + text.replace("'", "''") + "'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + re.sub(CONTROL, lambda found: shown(found.group()), escaped) + '"'
