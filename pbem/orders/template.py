"""The form of a decision: a file of orders to fill in, with what is legal next to each field."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from pbem.engine.choices import (
    Amount,
    Choice,
    Example,
    OneOf,
    SomeOf,
    every,
)
from pbem.engine.codec import Misfit, fields_of, from_written, to_written
from pbem.engine.model import Decision, Option, Order
from pbem.messages import ENGLISH, Language, Message, Row, Said, say, words
from pbem.orders.fields import OMITTED, bare_field, kinds_of
from pbem.orders.written import OPEN, bare_line, in_order, order_line, scalar, written_fields
from pbem.text.source import cited
from pbem.text.wording import shown
from pbem.value import value
from pbem.words import to_lines

WIDTH = 96
MOST_IN_A_LINE = 288
"""A longer order goes on in a further line."""
MOST_VALUES = 120
LONG = 6
"""A mapping with more keys is written out once, and no other way to fill it."""


ORDER = re.compile(r"(  (?:# )?)- (.*?)(   # .*)?$")
"""The line of an order: its beginning, itself, and what is told of it."""
STANDS_FOR = "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"
"""Between a letter and its meaning: no line ends there."""

Legal = Callable[[Order], bool]


@value
class Head:
    """The top of a form: the game and entry it is for, and lines in comments.

    `standing` are lines of YAML under the orders; `below` is put under them, each line as a
    comment.
    """

    game: str = ""
    entry: int | None = None
    told: tuple[Said, ...] = ()
    ready: tuple[tuple[tuple[Order, ...], Said], ...] = ()
    """Orders that belong together, and what is told of them: in comments, before single ones."""
    closing: Order | None = None
    """An order that declines in advance what may be asked after the answer: it is written."""
    standing: tuple[str, ...] = ()
    below: tuple[Said, ...] = ()


def form(
    decision: Decision,
    head: Head = Head(),  # noqa: B008 (a value)
    *,
    given: tuple[Order, ...] = (),
    only: Order | None = None,
    legal: Legal = lambda order: True,
    letters: Mapping[str, str] = {},
    language: Language = ENGLISH,
) -> str:
    """The form: the answer left open, so it cannot be sent unread, and every choice in comments.

    An order in a comment can replace the open line once its `#` is removed; if `legal` is given,
    the examples are orders that would be accepted. The default is always among them. `given` comes
    before the answer. The meanings of `letters` are explained below the orders. `only` is the one
    answer that is legal: it is written, and nothing is asked.
    """
    asked = words(decision.prompt, language)
    rule = f" [{cited(decision.rule, language)}]" if decision.rule else ""
    lines = [line for told in head.told for line in _comment(words(told, language))]
    lines += _comment(asked + rule)
    if head.game:
        lines.append(f"game: {scalar(head.game)}")
    if head.entry is not None:
        lines.append(f"entry: {head.entry}")
    lines += ["orders:", *(f"  - {order_line(order)}" for order in given)]
    if only is not None:
        told = words(say("the only answer that is legal"), language)
        lines.append(f"  - {order_line(only)}   # {told}")
    else:
        lines += _answers(decision, head, legal, language)
    lines = [part for line in lines for part in _broken(line)]
    if letters:
        told = ", ".join(
            f"{letter}{STANDS_FOR}{letters[letter]}" for letter in _short_first(letters)
        )
        lines += ["", *(line.replace(STANDS_FOR, " = ") for line in _comment(told))]
    if head.standing:
        lines += ["", *head.standing]
    if head.below:
        lines += ["", *(f"# {words(line, language)}".rstrip() for line in head.below)]
    return "\n".join(lines).rstrip() + "\n"


def _broken(line: str) -> Iterator[str]:
    """A very long order goes on in further lines, broken behind commas; its comment ends it."""
    found = ORDER.match(line)
    if found is None or len(line) <= MOST_IN_A_LINE:
        yield line
        return
    head, order, told = found.groups()
    *lines, last = _wrapped(f"{head}- ", f"{head}  ", order, WIDTH)
    yield from lines
    yield last + (told or "")


def _wrapped(begun: str, hang: str, written: str, width: int) -> Iterator[str]:
    """What is written, in lines broken behind commas: how the first and the others begin."""
    for part in written.split(", "):
        if len(begun) + len(part) >= width:
            yield begun.rstrip()
            begun = hang
        begun += f"{part}, "
    yield begun.removesuffix(", ")


def _answers(decision: Decision, head: Head, legal: Legal, language: Language) -> Iterator[str]:
    """The open line, and all that may take its place, in comments."""
    yield _open_line(decision, language)
    if head.closing is not None:
        told = say("saves two mails; leave it out if you want to be asked, or if you pass")
        yield f"  - {order_line(head.closing)}   # {words(told, language)}"
    below = [
        list(_option(option, decision.default, legal, language)) for option in decision.options
    ]
    default = f"  # - {order_line(decision.default)}"
    if not any(line.partition("   # ")[0] == default for option in below for line in option):
        yield f"{default}   # {words(_about_default(decision), language)}"
    if head.ready:
        yield ""
        yield from _comment(words(_about_ready(len(head.ready)), language), "  ")
    or_else = words(say("or:"), language)
    for at, (orders, odds) in enumerate(head.ready):
        if at:
            yield f"  # {or_else}"
        yield from (f"  # {line}" for order in orders for line in _lines_of(order))
        yield from _comment(words(odds, language), "  # ", hang=6)  # it stays a comment
    for option in filter(None, below):
        yield ""
        yield from option


def _about_ready(attacks: int) -> Said:
    """How ready attacks are ordered. Each is a whole answer, and points seldom last for two, so
    the player is asked to choose one.
    """
    if attacks == 1:
        return say("a ready attack: take all its lines, without their first #, for the open line")
    return say(
        "ready attacks: choose one, and take all its lines, without their first #, "
        "for the open line"
    )


def only_answer(decision: Decision, legal: Legal) -> Order | None:
    """The one answer that is legal; None where there is a choice, or nothing need be said."""
    if decision.optional or not legal(decision.default):
        return None
    options = [option for option in decision.options if not is_closed(option)]
    if len(options) != 1:
        return None
    (option,) = options
    if option.examples and not option.are_all:
        return None
    found = [*option.examples(every)] if option.examples else []
    if any(len(values) > 1 for each in found for values in each.others.values()):
        return None
    if any(_leaves_a_choice(choice) for _, choice in _choices(option)):
        return None
    orders = {order_line(each.order) for each in found}
    return decision.default if orders == {order_line(decision.default)} else None


def _leaves_a_choice(choice: Choice) -> bool:
    match choice:
        case OneOf(values):
            return len(values) > 1
        case SomeOf(values, least, _):
            return len(values) > least
        case Amount(least, most):
            return most > least


def first_order(decision: Decision, legal: Legal) -> str:
    """The first legal order that a form has for a decision, in one line; empty without any."""
    for option in decision.options:
        for written, _ in (*_examples(option), *_first_values(option, legal)):
            return written
    return ""


def _short_first(letters: Iterable[str]) -> list[str]:
    """One letter before two: Z before AA, as on a map."""
    return sorted(letters, key=lambda letter: (len(letter), letter))


def _open_line(decision: Decision, language: Language) -> str:
    """The answer with `...` for each choice: with its fields, where there is only one verb."""
    first, *others = decision.options
    fields = () if others else _first_fields(first, decision.default)
    if not fields:
        told = say("fill in: replace this line with one of the orders below")
        return f"  - {OPEN}   # {words(told, language)}"
    inside = ", ".join(f"{name}: {OPEN}" for name in fields)
    told = say("fill in, or put one of the lines below in its place")
    return f"  - {first.order.verb}: {{{inside}}}   # {words(told, language)}"


def _first_fields(option: Option, default: Order) -> Collection[str]:
    """The fields of the first order that is offered: those a player most likely fills in."""
    if is_closed(option):
        return ()
    for example in option.examples(every) if option.examples else ():
        return written_fields(example.order, example.others)
    choices = dict(_choices(option))
    return tuple(to_written(default) or (choices if len(choices) == 1 else ()))


def _about_default(decision: Decision) -> Message:
    if to_written(decision.default):
        return say("a legal answer")
    if decision.default.means:
        return say("{told}", told=decision.default.means)
    if all(map(is_closed, decision.options)):
        kinds = [kind for each in decision.options for kind in kinds_of(each.order).values()]
        return _none_of(next(filter(None, kinds), ""))
    return say("nothing more") if decision.optional else say("nothing")


def _option(option: Option, default: Order, legal: Legal, language: Language) -> Iterator[str]:
    """One verb: orders as comment lines, then a line of legal values for each field."""
    if is_closed(option):  # its default is all that can be answered
        return
    shown = list(dict.fromkeys((*_examples(option), *_first_values(option, legal))))
    choices = list(_choices(option))
    is_default = shown == [(order_line(default), "")]
    if not shown or (is_default and not choices and not option.note):
        return
    yield from _comment(words(option.note, language), "  ")
    for written, note in shown:
        told = words(note, language)
        line = f"  # - {written}"
        if told and len(line) + len(told) + 5 <= WIDTH:
            yield f"{line}   # {told}"
        else:
            yield line
            yield from _comment(told, "  ", hang=8)
    kinds = kinds_of(option.order)
    for name, choice in choices:
        values = words(described(choice, kinds[name]), language)
        yield from _comment(f"{name}: {values}", "  ", hang=8)


def _examples(option: Option) -> Iterator[tuple[str, Said]]:
    """The examples of the option, each with its note."""
    alone: list[Order] = []
    for example in option.examples(every) if option.examples else ():
        if example.note or example.others:
            yield order_line(example.order, example.others), example.note or _told(example)
        else:
            alone.append(example.order)
    nothing = [order for order in alone if not to_written(order)]
    yield from ((order_line(order), "") for order in nothing)
    yield from _grouped([order for order in alone if order not in nothing])


def is_closed(option: Option) -> bool:
    """Whether every field of an order takes some of a list, and the lists are empty."""
    choices = [choice for _, choice in _choices(option)]
    return (
        bool(choices)
        and not option.examples
        and not any(not isinstance(choice, SomeOf) or choice.values for choice in choices)
    )


def _lines_of(order: Order) -> Iterator[str]:
    """The order in a line; where that is too long, what may be left out follows in lines below."""
    line = f"- {order_line(order)}"
    if len(line) + 4 <= WIDTH:
        yield line
        return
    if bare_field(type(order)):
        yield from _wrapped("", " " * 8, line, WIDTH - 4)
        return
    known, written = fields_of(type(order)), written_fields(order)
    first = {name: said for name, said in written.items() if known[name].is_needed}
    yield f"- {order.verb}: {in_order(first)}"
    for name, said in written.items():
        if name not in first:
            yield from _wrapped("  ", " " * 8, f"{name}: {in_order(said)}", WIDTH - 4)


def _told(example: Example) -> Said:
    """The values of each field that may have more than one."""
    known = fields_of(type(example.order))
    told = tuple(
        _named(name, values)
        for name, field in known.items()
        if len(values := example.others.get(field.name, ())) > 1
    )
    return say("{fields}", fields=Row(told, "; ")) if told else ""


def _named(name: str, values: tuple[Any, ...]) -> Message:
    return say("{field}: {values}", field=name, values=_values(values))


def _grouped(orders: list[Order]) -> list[tuple[str, Said]]:
    """Orders that differ in one field are shown in one line, with the other values after it."""
    for name in fields_of(type(orders[0])) if orders else ():
        groups: dict[str, list[Order]] = {}
        for order in orders:
            rest = {key: value for key, value in to_written(order).items() if key != name}
            groups.setdefault(in_order(rest), []).append(order)
        if len(groups) < len(orders):
            return [_group(name, group) for group in groups.values()]
    return [(order_line(order), "") for order in orders[:MOST_VALUES]]


def _group(name: str, orders: list[Order]) -> tuple[str, Said]:
    """The first of some orders that differ in one field only, and the other values of that field.

    Of long mappings one is enough to show how they are written.
    """
    values = tuple(to_written(order).get(name, "") for order in orders)
    if len(values) < 2 or any(isinstance(each, Mapping) and len(each) > LONG for each in values):
        return order_line(orders[0]), ""
    return order_line(orders[0]), _named(name, values)


def _first_values(option: Option, legal: Legal) -> Iterator[tuple[str, Said]]:
    """The order with the first value of each field, or of each alone where that is not legal."""
    choices = list(_choices(option))
    if option.examples or (option.fields and not choices):
        return
    whole = {name: plain for name, choice in choices if (plain := _example(choice)) is not OMITTED}
    needed = [name for name, field in fields_of(option.order).items() if field.is_needed]
    ways = [whole]
    if not _is_legal(option.order, whole, legal):
        ways = [
            {key: plain for key, plain in whole.items() if key == name or key in needed}
            for name in whole
            if name not in needed
        ]
        shown = [whole] if choices else []  # a verb alone that is not legal does not help
        ways = [way for way in ways if _is_legal(option.order, way, legal)] or shown
    for way in ways:
        yield (f"{option.order.verb}: {in_order(way)}" if way else bare_line(option.order)), ""


def _is_legal(kind: type[Order], plain: Mapping[str, Any], legal: Legal) -> bool:
    try:
        return legal(from_written(kind, plain))
    except Misfit:
        return True


def _choices(option: Option) -> Iterator[tuple[str, Choice]]:
    """The option's fields by the names players write, in the order of the dataclass."""
    for name, field in fields_of(option.order).items():
        choice = option.fields.get(field.name)
        if choice is not None:
            yield name, choice


def _comment(text: str, indent: str = "", hang: int = 0) -> list[str]:
    if not text:
        return []
    first = f"{indent}# " + " " * max(hang - 4, 0)
    rest = f"{indent}# " + " " * hang
    return to_lines(shown(text), WIDTH, first, rest, cut=False)


# ---------------------------------------------------------------- choices in words


def described(choice: Choice, kind: str = "") -> Said:
    """The possible values of a field, in words; `kind` is the kind of thing that it names."""
    match choice:
        case OneOf(values):
            return _values(values) if values else say("nothing is possible")
        case SomeOf(()):
            return _none_of(kind)
        case SomeOf(values):
            return say("{how_many} of {values}", how_many=how_many(choice), values=_values(values))
        case Amount(least, most):
            return str(least) if least == most else say("{least} to {most}", least=least, most=most)


def _none_of(kind: str) -> Message:
    if not kind:
        return say("nothing can be named here")
    return say("no {kind} can be named here", kind=say(kind))


def _values(values: tuple[Any, ...]) -> Said:
    """The values one after another; an empty text means leaving the field out."""
    told = [value for value in values if value != ""]
    listed: Said = ", ".join(in_order(to_written(value)) for value in told[:MOST_VALUES])
    rest = len(told) - MOST_VALUES
    listed = say("{listed} and {rest} more", listed=listed, rest=rest) if rest > 0 else listed
    return listed if len(told) == len(values) else say("{listed}, or left out", listed=listed)


def how_many(choice: SomeOf) -> Said:
    """How many of the values a field takes: "up to 2", "any"."""
    return _how_many(choice.at_least, choice.at_most, len(choice.values))


def _how_many(least: int, most: int | None, available: int) -> Said:
    most = available if most is None else min(most, available)
    if least >= most:
        return say("all") if most == available else f"{most}"
    if least == 0:
        return say("any") if most == available else say("up to {most}", most=most)
    return (
        say("{least} or more", least=least)
        if most == available
        else say("{least} to {most}", least=least, most=most)
    )


def _example(choice: Choice) -> Any:
    """The first value that is offered, the largest number; OMITTED if there is none, or none is
    needed.
    """
    match choice:
        case OneOf(values):
            told = [value for value in values if value != ""]
            return to_written(told[0]) if told else OMITTED
        case SomeOf(values, least, _):
            return to_written(values[: max(least, 1)])
        case Amount(_, most):
            return most
