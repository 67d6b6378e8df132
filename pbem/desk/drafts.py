"""The text of a draft: its beginning, and how orders and standing orders are put into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine.model import Order
from pbem.messages import say
from pbem.orders.written import bare_line, in_order, scalar
from pbem.problems import Problem, Refused
from pbem.text.source import Source
from pbem.text.yamlsource import Document, examine
from pbem.value import value

WIDTH = 58
"""An order that is longer in a line has its fields below its verb."""


@value
class PutIn:
    """A text with something inserted, and the line where it begins."""

    text: str
    line: int


def begun(game: str, entry: int) -> str:
    """A draft without orders, for an entry of a game."""
    return f"game: {scalar(game)}\nentry: {entry}\norders:\n"


def order_lines(kind: type[Order], fields: Mapping[str, Any]) -> list[str]:
    """An order as an item of the list of orders."""
    verb = kind.verb
    whole = f"  - {verb}: {in_order(fields)}" if fields else f"  - {bare_line(kind)}"
    if len(whole) <= WIDTH or len(fields) < 2:
        return [whole]
    kept, beside = dict(fields), {}
    while len(kept) > 1 and len(f"  - {verb}: {in_order(kept)}") > WIDTH:
        name, last = kept.popitem()
        beside[name] = last
    below = [f"    {name}: {in_order(each)}" for name, each in reversed(beside.items())]
    return [f"  - {verb}: {in_order(kept)}", *below]


def with_order(source: Source, lines: Sequence[str]) -> PutIn:
    """The draft with an order after its last one, or in place of one left open.

    Raises Refused where the text cannot be read.
    """
    document = _document(source)
    found = source.text.split("\n")
    top = document.value if isinstance(document.value, dict) else {}
    orders = top.get("orders")
    if "orders" not in top:
        start = len(found) - (found[-1] == "")
        put = ["orders:", *lines]
        return PutIn(_joined(found, start, start, put), start + 2)
    if not orders:
        at = document.key_span(("orders",)).line
        put = ["orders:", *lines] if orders is not None else list(lines)
        start = at - 1 if orders is not None else at
        return PutIn(_joined(found, start, at, put), at + 1)
    if not isinstance(orders, list) or not _is_block(document, found):
        raise Refused(
            Problem(
                "no-block",
                say("an order can be added only to a list with a dash before each entry"),
                document.span(("orders",)),
                hint=say("begin each order with '- ' on a line of its own"),
            )
        )
    start = document.span(("orders", len(orders) - 1)).line - 1
    end = _end_of(found, start)
    is_open = "..." in "\n".join(line.partition(" #")[0] for line in found[start:end])
    lines = _indented(lines, found[start])
    if is_open:
        return PutIn(_joined(found, start, end, lines), start + 1)
    return PutIn(_joined(found, end, end, lines), end + 1)


def with_standing(source: Source, example: Sequence[str]) -> PutIn:
    """The draft with standing orders to fill in at its end, as the form shows them.

    Raises Refused where the text cannot be read, and where it has some already.
    """
    document = _document(source)
    if isinstance(document.value, dict) and "standing" in document.value:
        raise Refused(
            Problem(
                "there",
                say("the draft already has standing orders"),
                document.key_span(("standing",)),
                hint=say("change them there"),
            )
        )
    found = source.text.rstrip("\n").split("\n")
    first = next((at for at, line in enumerate(example) if line.startswith("standing:")), 0)
    told = [f"# {line}".rstrip() for line in example[:first]]
    return PutIn("\n".join([*found, *told, *example[first:], ""]), len(found) + 1)


def _document(source: Source) -> Document:
    document, problems = examine(source)
    if document is None or problems:
        raise Refused(*problems)
    return document


def _is_block(document: Document, found: Sequence[str]) -> bool:
    line = found[document.span(("orders", 0)).line - 1]
    return line.lstrip().startswith("- ")


def _end_of(found: Sequence[str], start: int) -> int:
    """The end of the item that begins with a line, without comments below it."""
    dash = len(found[start]) - len(found[start].lstrip())
    end = start + 1
    for at in range(start + 1, len(found)):
        line = found[at]
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if len(line) - len(line.lstrip()) <= dash:
            break
        end = at + 1
    return end


def _indented(lines: Sequence[str], like: str) -> list[str]:
    """The lines as deep as those that are there."""
    dash = len(like) - len(like.lstrip())
    return [" " * dash + line[2:] for line in lines]


def _joined(found: Sequence[str], start: int, end: int, put: Sequence[str]) -> str:
    text = "\n".join([*found[:start], *put, *found[end:]])
    return text if text.endswith("\n") else f"{text}\n"
