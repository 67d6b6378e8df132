"""Choices left open with `...`: where they are, and what could be filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.choices import OneOf, SomeOf, every
from pbem.engine.codec import fields_of, to_written
from pbem.engine.model import Decision, Option
from pbem.engine.words import Words
from pbem.messages import Either, Said, either, say
from pbem.orders.fields import NONE, kinds_of
from pbem.orders.parse import OrdersFile, WrittenOrder
from pbem.orders.shape import usage
from pbem.orders.template import described, how_many, is_closed
from pbem.orders.written import in_order, order_line
from pbem.problems import Problem
from pbem.text.wording import FEW
from pbem.text.yamlsource import Path
from pbem.words import folded

LISTED = say("'pbem form' lists the possible names")


def open_choices(
    file: OrdersFile, index: int, decision: Decision | None = None, *, blind: Words | None = None
) -> tuple[Problem, ...]:
    """A problem for each `...` of an order, at its place, with the possible values.

    `decision` is the question that the order answers, None where it is not known yet. `blind` are
    the words of a game whose hidden hand is not known, so that its cards cannot be listed.
    """
    written = file.orders[index]
    return tuple(_problem(file, written, path, decision, blind) for path in written.blanks)


def _problem(
    file: OrdersFile,
    written: WrittenOrder,
    path: Path,
    decision: Decision | None,
    blind: Words | None,
) -> Problem:  # fmt: skip
    if not path:
        message, hint = _of_an_order(written, decision)
    else:
        message, hint = _of_a_field(written, path, decision, blind)
    span = file.document.span(written.path(path))
    return Problem("open-choice", message, span, decision.rule if decision else "", hint)


def _of_an_order(written: WrittenOrder, decision: Decision | None) -> tuple[Said, Said]:
    if decision is None:
        return say("fill in this order, or leave it out"), LISTED
    kinds = [option.order for option in decision.options]
    closed = [option.order for option in decision.options if is_closed(option)]
    if written.verb:
        kinds = [kind for kind in kinds if kind is written.kind] or [written.kind]
    ways = dict.fromkeys(usage(kind, kind.verb) for kind in kinds if kind not in closed)
    if type(decision.default) in kinds and not to_written(decision.default):
        ways[order_line(decision.default)] = None
    asked = say("fill in this order: you are asked to {prompt}", prompt=decision.prompt)
    return asked, say("write {orders}", orders=Either(tuple(ways)))


def _of_a_field(
    written: WrittenOrder, path: Path, decision: Decision | None, blind: Words | None
) -> tuple[Said, Said]:
    name = str(path[0])
    if blind and kinds_of(written.kind).get(name) == blind.piece:
        hint = say(
            "without --key your {hand} is not known; with it, its {pieces} are shown",
            hand=say(blind.hand), pieces=say(blind.pieces),
        )  # fmt: skip
        return say("fill in {name}", name=name), hint
    if len(path) > 1 or decision is None:
        return say("fill in {name}", name=name), LISTED
    is_none = type(decision.default) is written.kind and not to_written(decision.default)
    nothing = order_line(decision.default)
    alone = say("or write {nothing}, to choose nothing", nothing=nothing) if is_none else ""
    for option in decision.options:
        if option.order is written.kind:
            if is_none and is_closed(option):
                none = say("nothing can be named in {name} here", name=name)
                return none, say("write {orders}", orders=nothing)
            told = _told(option, name, written.plain)
            if told:
                return say("fill in {name}: {told}", name=name, told=told), alone
    hint = LISTED
    if is_none:
        hint = say(
            "'pbem form' lists the possible names; or write {nothing}, to choose nothing",
            nothing=nothing,
        )
    return say("fill in {name}", name=name), hint


def _told(option: Option, name: str, given: Mapping[str, Any]) -> Said:
    """The further values a field may have, in words; "" where nothing says so."""
    field = fields_of(option.order)[name]
    choice = option.fields.get(field.name)
    if isinstance(choice, OneOf):
        return _few([in_order(to_written(each)) for each in choice.values])
    if isinstance(choice, SomeOf):
        few = _few([in_order(to_written(each)) for each in choice.values], is_all=True)
        return say("{how_many} of {few}", how_many=how_many(choice), few=few)
    if choice is not None:
        return described(choice)
    rows = [row for row in _rows(option) if name in row]
    fitting = [row for row in rows if _fits(row, given)] or rows
    return _few([value for row in fitting for value in row[name]])


def _rows(option: Option) -> Iterator[Mapping[str, list[str]]]:
    """For each example, the possible values of its fields, where it names all of them."""
    for example in option.examples(every) if option.examples else ():
        order, others = example.order, example.others
        yield {
            name: [_written(each) for each in others.get(field.name, (getattr(order, field.name),))]
            for name, field in fields_of(type(order)).items()
            if field.name in others or not (others or example.note)
        }


def _written(value: Any) -> str:
    return in_order(to_written(value)) if value not in ((), "", None) else NONE


def _fits(row: Mapping[str, list[str]], given: Mapping[str, Any]) -> bool:
    return all(
        folded(in_order(value)) in map(folded, row[name])
        for name, value in given.items()
        if name in row
    )


def _few(values: list[str], *, is_all: bool = False) -> Said:
    found = list(dict.fromkeys(value for value in values if value not in ("", "''")))
    rest = len(found) - FEW
    if rest > 1:
        return say(
            "{names} and {rest} more, which 'pbem form' lists" if is_all
            else "{names} or {rest} more, which 'pbem form' lists",
            names=", ".join(found[:FEW]), rest=rest,
        )  # fmt: skip
    if not found:
        return ""
    return say("{names}", names=tuple(found)) if is_all else either(found)
