"""What a policy speaks about: its public scope, and until when it is in force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.conditions import Condition
from pbem.engine.model import Decision, Side, State, Violation
from pbem.engine.policies.rows import Scope, Written
from pbem.engine.policies.table import OWN, PolicyTable
from pbem.engine.shapes import Fields, Many, Shape, listed, one_of
from pbem.messages import marked, say

NOBODY = Side("")
"""The side for judging public scopes: their words mean the same for both."""


def covers(
    table: PolicyTable,
    state: State[Any],
    decision: Decision,
    slot: str,
    scope: Scope,
    until: str | None,
) -> bool:
    """Whether a policy of that slot answers this decision and need not wait.

    An invalid scope, or an `until` that names no time, covers nothing.
    """
    position = state.position
    if decision.policy not in table.questions(slot):
        return False
    if slot == OWN and table.begun and not table.begun.is_theirs(state, decision):
        return False
    if until is not None and not table.times.is_in_force(position, until):
        return False
    if not scope:
        return True
    if any(True for _ in scope_faults(table, position, slot, scope)):
        return False
    if "only" in scope and decision.policy not in listed(scope["only"]):
        return False
    return _speaks_here(table, position, table.subject(state), scope)


def _speaks_here(table: PolicyTable, position: Any, subject: Any, scope: Written) -> bool:
    """Whether the conditions of a scope let the policy answer about this part of what goes
    on.
    """
    if subject is None:
        return "when" not in scope
    holds = table.facts.holds
    if "when" in scope and not any(holds(position, subject, w) for w in listed(scope["when"])):
        return False
    return not any(holds(position, subject, when) for when in listed(scope.get("ask", ())))


def binds(table: PolicyTable, position: Any, slot: str, scope: Scope, until: str | None) -> bool:
    """Whether a policy is in force, and answers all that an empty one of its slot answers,
    whatever happens.
    """
    if until is not None and not table.times.is_in_force(position, until):
        return False
    if not scope:
        return True
    only = listed(scope.get("only", table.questions(slot)))
    return scope.keys() <= {"only"} and {*table.questions(slot, unsaid=True)} <= {*only}


def scope_faults(table: PolicyTable, position: Any, slot: str, scope: Any) -> Iterator[Violation]:
    """The faults of a public scope. It may come from a file, so it may be any plain value."""
    return scope_shape(table, slot).faults(position, NOBODY, scope, ())


def scope_shape(table: PolicyTable, slot: str) -> Shape:
    """How the public scope of a policy in that slot is written."""
    kinds = table.questions(slot)

    kind = one_of(lambda position, side: kinds, marked("no policy answers {name}"),
                  json={"enum": list(kinds)})  # fmt: skip
    return Fields(
        {
            "only": Many(kind, once=True),
            "when": Many(Condition(table.facts, False)),
            "ask": Many(Condition(table.facts, True)),
        },
        say("a scope has the fields only, when and ask"),
        say("{ask: [{for_condition}]}", for_condition=table.for_condition),
    )


def never_speaks(table: PolicyTable, policy: Written, slot: str) -> Iterator[Violation]:
    """The faults of a scope that leaves its policy no question to answer."""
    scope, only = policy["scope"], scope_only(policy)
    of_nothing = [part for part in table.within(slot).values() if part.of_nothing]
    if only and only <= table.asked_in(slot, policy):
        yield Violation(say("you are always asked, so this policy never answers"), ("only",))
    for key in ("only", "when"):
        if key in scope and not listed(scope[key]):
            yield Violation(
                say("the scope has no {key}, so this policy never answers", key=key),
                (key,),
                hint=say("leave it out"),
            )
    asks, wanted = listed(scope.get("ask", ())), listed(scope.get("when", ()))
    for place, when in enumerate(asks):
        if table.facts.always(when) and not any(part.name in policy for part in of_nothing):
            yield Violation(
                say("you are always asked, so this policy never answers"), ("ask", place)
            )
    if wanted and all(when in asks for when in wanted):
        yield Violation(
            say("ask excludes everything in when, so this policy never answers"), ("ask",)
        )
    if wanted and only and only <= {name for part in of_nothing for name in part.answers}:
        told = say(
            "when is about {goes_on}, which only excludes, so this policy never answers",
            goes_on=table.goes_on,
        )
        yield Violation(told, ("when",))


def scope_only(policy: Written) -> set[str] | None:
    """The questions that a scope names; None where it names none."""
    scope = policy.get("scope", {})
    return set(listed(scope["only"])) if "only" in scope else None
