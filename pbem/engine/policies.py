"""Standing orders: answers a player writes once, which a game gives whenever it asks.

A policy has a slot, a public scope, a time until which it is in force, and a document, which may be
sealed until it is first used. Scope and document come from a game file: nothing in them is ever
trusted. What a player writes is first `bound`, as an order is: names become ids, and 2006 is an id
where a hex is meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pbem.engine.model import Decision, Order, Side, State, Violation
from pbem.messages import ENGLISH, Language, Said, say
from pbem.value import value

Scope = Mapping[str, Any] | None
HELD = "held"
"""In a document: slots of its author's hand, each with the card it claims is there."""


@value
class PolicyOutlook:
    """The parts of standing orders by name, and how their questions are answered."""

    said: tuple[Said, ...] = ()
    """Questions answered as the player has written."""
    usual: tuple[Said, ...] = ()
    """Questions answered by default, each with the default."""
    asked: tuple[Said, ...] = ()
    """Questions left to the player."""


class NameFinder(Protocol):
    """Finds the ids of what players write."""

    def find(self, kind: str, written: str) -> str | None:
        """The id for what was written, or None."""


class Policies(Protocol):
    """The capability of a game that answers by standing orders."""

    def covers(
        self, state: State[Any], decision: Decision, slot: str, scope: Scope, until: str | None
    ) -> bool:
        """Whether a policy of that public scope answers this decision; an invalid scope answers
        none.
        """

    def shows(
        self, state: State[Any], decision: Decision, document: Mapping[str, Any]
    ) -> tuple[str, ...]:
        """The hidden slots of its author's hand that the policy's answer needs open."""

    def answer(
        self, state: State[Any], decision: Decision, document: Mapping[str, Any]
    ) -> Order | None:
        """The policy's answer, always a legal order; None: its author is asked.

        It depends only on what both players know. A document that is no policy answers as an empty
        one does.
        """

    def left_out(
        self, state: State[Any], decision: Decision, document: Mapping[str, Any]
    ) -> tuple[Said, ...]:
        """What the policy says and its answer cannot do, and why, in sentences for the log."""

    def bound(self, names: NameFinder, written: Mapping[str, Any]) -> Mapping[str, Any]:
        """Standing orders as read from YAML, with ids in place of names. Never raises."""

    def parts(
        self, position: Any, side: Side, written: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], ...]:
        """The policies a player has written, each ready to be sealed.

        They have `slot`, `scope`, `until` and `doc` (None: withdrawn), and `clear` where there is
        nothing to hide. `written` is bound and without faults; `position` is its author's view.
        """

    def stated(
        self, position: Any, side: Side, written: Mapping[str, Any], orders: Sequence[Order]
    ) -> tuple[Mapping[str, Any], ...]:
        """The policies that are said openly, of those a player has written beside these orders:
        they answer what the player is asked about what the orders begin.
        """

    def binds(self, position: Any, slot: str, scope: Scope, until: str | None) -> bool:
        """Whether a policy is in force, and answers all that one of its slot can be asked, whatever
        happens.
        """

    def may_end(self, slot: str) -> bool:
        """Whether policies of a slot may be used up while they are in force."""

    def used_up(
        self, position: Any, side: Side, part: Mapping[str, Any], orders: Sequence[Order]
    ) -> Said:
        """What of a policy is over, if it can answer nothing more while it is in force; empty where
        it can. `orders` are those that its author has given for what goes on.
        """

    def clear_now(
        self, position: Any, side: Side, part: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], tuple[str, ...]] | None:
        """A sealed policy that has nothing to hide any more, in clear, and the slots of the hand
        that it will open; None for one that stays sealed.
        """

    def written(
        self, position: Any, side: Side, parts: Sequence[Mapping[str, Any]]
    ) -> Mapping[str, Any]:
        """Standing orders as their author would write them now, from policies in clear.

        The policies are those that `parts` gave before; those whose time is over are left out.
        """

    def faults(
        self, position: Any, side: Side, written: Mapping[str, Any]
    ) -> tuple[Violation, ...]:
        """What is wrong with standing orders that are bound, with the path in them."""

    def misfits(
        self, position: Any, side: Side, slot: str, scope: Scope, until: str | None,
        document: Mapping[str, Any] | None,
    ) -> tuple[Violation, ...]:  # fmt: skip
        """The parts of a policy in a game file that can be in no policy of this game, whatever the
        position.

        `document` is None where it is sealed.
        """

    def outlook(
        self, position: Any, side: Side, parts: Sequence[Mapping[str, Any]]
    ) -> PolicyOutlook:
        """What the policies in force will answer; `parts` are those of `parts`, all in clear."""

    def example(self, position: Any, side: Side, language: Language = ENGLISH) -> tuple[str, ...]:
        """A standing policy as a side could write it: its purpose, then lines of YAML."""

    def schema(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """The JSON Schema of standing orders as written, and the definitions it refers to."""

    def words(self) -> tuple[str, ...]:
        """Every word of the vocabulary of standing orders."""


class NoPolicies:
    """The null form: a game whose every question waits for its player."""

    def covers(
        self, state: State[Any], decision: Decision, slot: str, scope: Scope, until: str | None
    ) -> bool:
        return False

    def shows(
        self, state: State[Any], decision: Decision, document: Mapping[str, Any]
    ) -> tuple[str, ...]:
        return ()

    def answer(
        self, state: State[Any], decision: Decision, document: Mapping[str, Any]
    ) -> Order | None:
        return decision.default

    def left_out(
        self, state: State[Any], decision: Decision, document: Mapping[str, Any]
    ) -> tuple[Said, ...]:
        return ()

    def bound(self, names: NameFinder, written: Mapping[str, Any]) -> Mapping[str, Any]:
        return written

    def parts(
        self, position: Any, side: Side, written: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], ...]:
        return ()

    def stated(
        self, position: Any, side: Side, written: Mapping[str, Any], orders: Sequence[Order]
    ) -> tuple[Mapping[str, Any], ...]:
        return ()

    def binds(self, position: Any, slot: str, scope: Scope, until: str | None) -> bool:
        return False

    def may_end(self, slot: str) -> bool:
        return False

    def used_up(
        self, position: Any, side: Side, part: Mapping[str, Any], orders: Sequence[Order]
    ) -> Said:
        return ""

    def clear_now(
        self, position: Any, side: Side, part: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], tuple[str, ...]] | None:
        return None

    def written(
        self, position: Any, side: Side, parts: Sequence[Mapping[str, Any]]
    ) -> Mapping[str, Any]:
        return {}

    def faults(
        self, position: Any, side: Side, written: Mapping[str, Any]
    ) -> tuple[Violation, ...]:
        return (Violation(UNKNOWN, hint=say("leave `standing` out")),)

    def misfits(
        self, position: Any, side: Side, slot: str, scope: Scope, until: str | None,
        document: Mapping[str, Any] | None,
    ) -> tuple[Violation, ...]:  # fmt: skip
        return (Violation(UNKNOWN),)

    def outlook(
        self, position: Any, side: Side, parts: Sequence[Mapping[str, Any]]
    ) -> PolicyOutlook:
        return PolicyOutlook()

    def example(self, position: Any, side: Side, language: Language = ENGLISH) -> tuple[str, ...]:
        return ()

    def schema(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        return {"not": {}}, {}

    def words(self) -> tuple[str, ...]:
        return ()


UNKNOWN = say("this game has no standing orders")
NO_POLICIES = NoPolicies()
