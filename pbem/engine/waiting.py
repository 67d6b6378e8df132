"""Orders that wait: which orders given ahead outlive the end of a span, and `when` beside an order.

The condition of an order is checked when its turn comes, by what both players know: so the game
file shows that it was rightly carried out, or passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from pbem.engine.model import Order, Side, Violation
from pbem.messages import Said, say
from pbem.value import value

if TYPE_CHECKING:
    from pbem.engine.naming import NameFinder

WHEN = "when"
"""Where players write what an order waits for: next to its verb."""
When = Mapping[str, Any]
Schemas = Mapping[str, Mapping[str, Any]]


class Waiting(Protocol):
    """The capability of a game whose orders given ahead may wait.

    A `when` is bound: ids replace its names, and a mapping by ids is a list of pairs.
    """

    def outlives(self, before: Any, after: Any, order: Order, *, waits: bool) -> bool:
        """Whether an order that is still unused is kept although a span has ended.

        `before` and `after` are the positions around that end; `waits`: it has a `when`.
        """
        return False

    def bound(self, names: NameFinder, when: When) -> When:
        """A `when` as read from YAML, with ids in place of names; never raises."""
        return when

    def faults(self, position: Any, side: Side, when: When) -> tuple[Violation, ...]:
        """What is wrong with a `when` as its author writes it, with the path in it."""
        return (Violation(UNKNOWN, hint=say("leave `when` out")),)

    def misfits(self, position: Any, when: When) -> tuple[Violation, ...]:
        """The parts of a `when` in a game file that no order of this game can have."""
        return (Violation(UNKNOWN),)

    def holds(self, position: Any, when: When) -> bool:
        """Whether the condition of an order holds, by what both players know of the position."""
        return False

    def example(self, position: Any) -> tuple[Said, ...]:
        """A `when` as a line of YAML, then its explanation in a form; empty where no order can
        wait.
        """
        return ()

    def schema(self) -> tuple[Mapping[str, Any] | None, Schemas]:
        """The JSON Schema of a `when` (None: there is none), and the definitions it refers to."""
        return None, {}


class NothingWaits(Waiting):
    """The null form: every order ends with its span, and none has a `when`."""


UNKNOWN = say("orders in this game cannot wait for anything")
NOTHING_WAITS = NothingWaits()
EMPTY = say("this `when` has no condition")


@value
class OrdersWait:
    """The capability, made from a game's declarations."""

    condition: Any
    """What a `when` may ask: a Condition (engine/conditions.py) of the position alone."""
    kept: Callable[[Any, Any, Order, bool], bool]
    """Whether an order outlives a span: the function for `outlives`."""
    public: Callable[[Any], Any]
    """A position without what one view of it knows alone."""
    for_example: Callable[[Any], str]
    """A `when` of the game, in a line of YAML."""
    told: tuple[str, ...]
    """What outlives a span, in lines for a form."""

    def outlives(self, before: Any, after: Any, order: Order, *, waits: bool) -> bool:
        return self.kept(before, after, order, waits)

    def bound(self, names: NameFinder, when: When) -> When:
        found: When = self.condition.bound(names, when)
        return found

    def faults(self, position: Any, side: Side, when: When) -> tuple[Violation, ...]:
        found = self.misfits(position, when)
        return found or tuple(self.condition.vain(position, side, when, ()))

    def misfits(self, position: Any, when: When) -> tuple[Violation, ...]:
        if not when:
            return (
                Violation(
                    EMPTY,
                    hint=say(
                        "write for example {for_example}", for_example=self.for_example(position)
                    ),
                ),
            )
        return tuple(self.condition.faults(position, Side(""), when, ()))

    def holds(self, position: Any, when: When) -> bool:
        so: bool = self.condition.facts.holds(self.public(position), None, when)
        return so

    def example(self, position: Any) -> tuple[Said, ...]:
        when = self.for_example(position)
        return (
            when,
            say("an order can wait: write a line 'when: {when}' below its verb;", when=when),
            say("if the condition is false when its turn comes, the order lapses;"),
            say("a when may name {facts};", facts=", ".join(self.condition.facts.early)),
            *map(say, self.told),
        )

    def schema(self) -> tuple[Mapping[str, Any] | None, Schemas]:
        shared: dict[str, Any] = {}
        asked: Mapping[str, Any] = self.condition.schema(shared)
        return asked, shared
