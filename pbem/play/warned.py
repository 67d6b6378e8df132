"""Warnings about an orders file: what is legal but unwise, each at its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pbem.engine.rules import judged_by
from pbem.engine.warnings import Danger
from pbem.messages import Message, Said, marked, say
from pbem.play.prepare import Prepared, Tried
from pbem.play.reports import reported
from pbem.play.table import Table
from pbem.problems import Problem, Span
from pbem.text.source import excerpt_of

CODE = "unwise"


def warned(prepared: Prepared, player: str) -> tuple[Problem, ...]:
    """The warnings of a game for the orders that were tried, in the order of the file.

    A danger is reported at the order that brings it about. An earlier danger is reported only if it
    comes true at the end of this turn, and has no place.
    """
    done = [each for each in prepared.tried if not (each.is_ahead or each.is_passed_over)]
    tables = (*(each.table for each in done), prepared.table)
    *before, now = (_dangers(each, player) for each in tables)
    found = [
        problem
        for tried, was, then in zip(done, before, (*before, now)[1:], strict=True)
        for problem in _of_order(tried, was, then)
    ]
    known = {problem.message for problem in found}
    pressing = (each for each in now if each.is_pressing)
    found += [_problem(each, None) for each in pressing if each.message not in known]
    return (*found, *_ends_too_much(prepared.tried))


def _ends_too_much(tried: Sequence[Tried]) -> Iterator[Problem]:
    """An order that ends a part in which nothing was done, because it follows an answer that needs
    no end: most likely it was meant to end that.
    """
    answers = {type(each.order) for each in tried if not each.is_ahead}
    for before, ends in pairwise(tried):
        if not type(ends.order).ends or type(before.order).ends:
            continue
        decision, begun = ends.table.decision, before.table.decision
        told: Said = ""
        if ends.is_ahead:
            if type(before.order) in answers and not _is_in_progress(ends):
                told = say(KEPT, verb=ends.order.verb)
        elif decision and begun and decision.stage != begun.stage and not begun.takes(ends.order):
            told = say(COUNTS_FOR_THE_NEXT, verb=ends.order.verb, prompt=decision.prompt)
            if _begins_something(before.table, ends.table):
                told = say(ENDS_AT_ONCE, verb=before.order.verb)
        if told:
            yield Problem(CODE, told, ends.span, hint=say("leave it out, and you are asked"))


COUNTS_FOR_THE_NEXT = marked(
    "the order before it needs no '{verb}', so this one counts for the next question: you are "
    "asked to {prompt}"
)


def _begins_something(before: Table, behind: Table) -> bool:
    """Whether what is asked behind an order is a part of what it has begun, and not the next."""
    is_deeper = len(behind.state.agenda) >= len(before.state.agenda)
    return is_deeper and behind.round() == before.round()


ENDS_AT_ONCE = marked("this ends what '{verb}' begins, and nothing is done in it")
KEPT = marked(
    "the order before it needs no '{verb}', so this one is kept for the first question that it can "
    "answer"
)


def _is_in_progress(ends: Tried) -> bool:
    """Whether the game, where orders behind dice were given, has something before it that such an
    order would end.
    """
    return any(type(ends.order) in judged_by(stage) for stage in ends.table.state.agenda)


def _of_order(
    tried: Tried, before: tuple[Danger, ...], after: tuple[Danger, ...]
) -> Iterator[Problem]:
    known = {danger.message for danger in before}
    warnings = tried.table.system.warnings
    unwise = reported(warnings.unwise, tried.table.state, tried.order, failing=_fault)
    for danger in (*unwise, *after):
        if danger.message not in known:
            yield _problem(danger, tried.span)


def _dangers(table: Table, player: str) -> tuple[Danger, ...]:
    dangers, side = table.system.warnings.dangers, table.seats[player]
    return reported(dangers, table.state, side, failing=_fault)


def _fault(line: Message) -> tuple[Danger, ...]:
    return (Danger(line, is_pressing=True),)


def _problem(danger: Danger, span: Span | None) -> Problem:
    return Problem(CODE, danger.message, span, danger.rule)


def in_lines(problem: Problem) -> Iterator[Said]:
    """A warning as it is printed; with the line it is about, where there is a way out."""
    yield in_a_line(problem)
    if not problem.hint:
        return
    if problem.span and problem.span.excerpt.strip():
        yield from excerpt_of(problem.span)
    yield say("      hint: {hint}", hint=problem.hint)


def in_a_line(problem: Problem) -> Message:
    """A warning in one line."""
    told, where = say("warning: {message}", message=problem.message), problem.span
    if problem.rule:
        told = say("{message} [rule {rule}]", message=told, rule=problem.rule)
    if where:
        place = f"{where.file}:{where.line}:{where.column}"
        told = say("{place}: {remark}", place=place, remark=told)
    return told
