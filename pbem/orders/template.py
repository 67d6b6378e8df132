"""The form of a decision: a file of orders to fill in, with what is legal beside each field."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.choices import Amount, Choice, Each, Maybe, OneOf, Path, Ready, SomeOf
from pbem.engine.codec import to_plain
from pbem.engine.model import Decision, Option, Order
from pbem.orders.shape import OMITTED, fields_of
from pbem.orders.written import inline, order_line, scalar
from pbem.text.wording import counted, shown

WIDTH = 96
MOST_VALUES = 80


def form(decision: Decision, *, game: str = "", entry: int | None = None) -> str:
    """The file: the default answer ready to be sent, every other way below it in comments.

    Whatever stands in a comment as an order can be freed of its `#` and reads as an order.
    """
    lines = [*_comment(f"{decision.stage} [rule {decision.rule}]" if decision.rule
                       else decision.stage), *_comment(decision.prompt)]
    if game:
        lines.append(f"game: {scalar(game)}")
    if entry is not None:
        lines.append(f"entry: {entry}")
    lines += ["orders:", f"  - {order_line(decision.default)}"]
    if decision.optional:
        lines += _comment("leave it out, and it means the same", "  ")
    for option in decision.options:
        lines += ["", *_option(option)]
    return "\n".join(lines) + "\n"


def _option(option: Option) -> Iterator[str]:
    """One verb: the order as a comment line, then a line of legal values for each field."""
    verb = option.order.verb
    choices = list(_choices(option))
    example = {
        name: plain for name, choice in choices if (plain := _example(choice)) is not OMITTED
    }
    yield from _comment(option.note, "  ")
    for whole in _whole_orders(option):
        yield f"  # - {whole}"
    if choices or not option.fields:
        yield f"  # - {verb}: {inline(example)}"
    for name, choice in choices:
        yield from _comment(f"{name}: {described(choice)}", "  ", hang=8)


def _whole_orders(option: Option) -> list[str]:
    """What a choice that is not of one field offers: whole orders, one in a line."""
    fields = {field.name for field in fields_of(option.order).values()}
    lines: list[str] = []
    for name, choice in option.fields.items():
        if name in fields or name in fields_of(option.order):
            continue
        lines += map(str, getattr(choice, "lines", ()))
        values = getattr(choice, "values", ())[:MOST_VALUES]
        lines += [order_line(value) for value in values if isinstance(value, Order)]
    return lines


def _choices(option: Option) -> Iterator[tuple[str, Choice]]:
    """The option's fields by the names players write, in the order of the dataclass."""
    for name, field in fields_of(option.order).items():
        choice = option.fields.get(field.name, option.fields.get(name))
        if choice is not None:
            yield name, choice


def _comment(text: str, indent: str = "", hang: int = 0) -> list[str]:
    if not text:
        return []
    first = f"{indent}# " + " " * max(hang - 4, 0)
    rest = f"{indent}# " + " " * hang
    return textwrap.wrap(shown(text), WIDTH, initial_indent=first, subsequent_indent=rest,
                         break_long_words=False, break_on_hyphens=False)


# ---------------------------------------------------------------- choices in words


def described(choice: Choice) -> str:
    """What a field may be, in words."""
    match choice:
        case OneOf(values):
            return _values(values) if values else "nothing is possible"
        case SomeOf(values, least, most):
            return f"{_how_many(least, most, len(values))} of {_values(values)}"
        case Amount(least, most):
            return str(least) if least == most else f"{least} to {most}"
        case Path(starts, _, most):
            steps = counted(most, "space")
            return f"a path of up to {steps} that begins with {_values(starts)}"
        case Each(choices, least, most):
            count = _how_many(least, most, len(choices))
            inside = "; ".join(f"{key}: {described(each)}" for key, each in choices.items())
            return f"{count} of {{{inside}}}"
        case Maybe(inner):
            return f"{described(inner)}, or left out"
        case Ready(values):
            return _values(values)
    return "see the rules"


def _values(values: tuple[Any, ...]) -> str:
    listed = ", ".join(inline(to_plain(value)) for value in values[:MOST_VALUES])
    rest = len(values) - MOST_VALUES
    return f"{listed} and {rest} more" if rest > 0 else listed


def _how_many(least: int, most: int | None, available: int) -> str:
    most = available if most is None else min(most, available)
    if least >= most:
        return "all" if most == available else f"{most}"
    if least == 0:
        return "any" if most == available else f"up to {most}"
    return f"{least} or more" if most == available else f"{least} to {most}"


def _example(choice: Choice) -> Any:
    """The first value that is offered; OMITTED if there is none, or none is needed."""
    match choice:
        case OneOf(values) | Ready(values):
            return to_plain(values[0]) if values else OMITTED
        case SomeOf(values, least, _):
            return to_plain(values[: max(least, 1)])
        case Amount(least, _):
            return least
        case Path(starts, links, _):
            onward: Mapping[str, tuple[str, ...]] = links
            return [*starts[:1], *(onward.get(starts[0], ())[:1] if starts else ())]
        case Each(choices, least, _):
            return {
                key: plain
                for key, each in list(choices.items())[: max(least, 1)]
                if (plain := _example(each)) is not OMITTED
            }
    return OMITTED
