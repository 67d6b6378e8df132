"""What a game must offer to be refereed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pbem.board.names import Vocabulary
from pbem.engine.model import Decision, Event, Order, Side, Stage, State, Violation
from pbem.engine.rules import Citations
from pbem.value import value


@value
class Scenario:
    """A set-up under its rule: `excludes` lists options that must be off, `needs` those on."""

    id: str
    title: str
    rule: str = ""
    excludes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


@value
class RuleOption:
    """A rule the players may agree on at the start; `excludes` names options it cannot join."""

    id: str
    rule: str
    title: str
    excludes: tuple[str, ...] = ()


@value
class Result:
    """How a game ended: the winner (None for a draw), why, and the final score in words."""

    winner: Side | None
    reason: str
    score: str


class GameSystem(Protocol):
    """One game: set-up, judging (through its stages), and how to tell of it."""

    slug: str
    title: str
    sides: tuple[Side, ...]
    citations: Citations
    verbs: Mapping[str, type[Order]]
    version: str
    """Of the rules as programmed; a game is played to its end by the version it began with."""

    def scenarios(self) -> tuple[Scenario, ...]: ...

    def options(self) -> tuple[RuleOption, ...]: ...

    def edition(self, options: frozenset[str]) -> str:
        """The edition of the game that is played with these options, as in "2nd edition"."""

    def setup(self, scenario: str, options: frozenset[str]) -> State[Any]:
        """The first state; its own dice and draws are chance stages."""

    def faults(self, position: Any) -> tuple[str, ...]:
        """What no position may ever show; empty for a sound one."""

    def result(self, position: Any) -> Result | None:
        """The result of a finished game, else None."""

    def public(self, position: Any) -> dict[str, Any]:
        """The position as both players may know it, in the canonical domain of the game file."""

    def names(
        self, state: State[Any], side: Side, order: type[Order] | None, *, answering: bool
    ) -> Vocabulary:
        """What a side may write for spaces, units and cards in an order (None: anywhere).

        `answering`: the order answers the very question now asked, so a unit type means one of
        the units in question.
        """

    def laid(self, position: Any) -> tuple[tuple[str, Side, int, tuple[str, ...]], ...]:
        """Every epoch of hidden cards laid so far: deck, owner, number, sorted cards."""

    def looks_at(self, state: State[Any], side: Side) -> tuple[str, ...]:
        """The slots whose cards a side's player may look at: the hand, and what lies face down.

        And what the present question lets the player choose from.
        """

    def hand(self, position: Any, side: Side) -> tuple[str, ...]:
        """The slots in a side's hand, by deck, epoch and place."""

    def known(self, position: Any) -> Mapping[str, str]:
        """The slots whose card both players know."""

    def openings(self, position: Any, cards: Mapping[str, str]) -> tuple[Event[Any], ...]:
        """What it means that these slots are opened to both players."""

    def informed(self, position: Any, cards: Mapping[str, str]) -> Any:
        """The position as one sees it who also knows these slots.

        He is asked the same, and what is public of it is the same.
        """

    def supposed(self, position: Any, side: Side, cards: Sequence[str]) -> Mapping[str, str]:
        """Slots of a side's hand that this view does not know, with cards that may lie in them.

        Of `cards` those that can be there; what is left of the slots stays unknown.
        """

    def shows(self, state: State[Any], side: Side, order: Order) -> tuple[str, ...]:
        """The hidden slots of a side's hand that its order needs open, for all this view knows."""

    def worded(self, state: State[Any], side: Side, order: Order) -> Order:
        """The order of a side as the file holds it: cards that stay hidden are named by slots."""

    def must_show(self, state: State[Any]) -> tuple[str, ...]:
        """The hidden slots which the present question leaves no choice but to open."""

    def round_name(self, position: Any) -> str:
        """The present round; what a player ordered ahead ends with it."""

    def active(self, position: Any) -> Side:
        """Whose round it is; between rounds the side that had the last."""

    def policy_covers(
        self,
        state: State[Any],
        decision: Decision,
        slot: str,
        scope: Mapping[str, Any] | None,
        until: str | None,
    ) -> bool:
        """Whether a standing policy of that public scope answers this decision.

        Both may be whatever stands in a game file; of what makes no sense nothing is covered.
        """

    def policy_shows(
        self, state: State[Any], decision: Decision, document: Mapping[str, Any]
    ) -> tuple[str, ...]:
        """The hidden slots of its author's hand that the policy's answer needs open."""

    def policy_answer(
        self, state: State[Any], decision: Decision, document: Mapping[str, Any]
    ) -> Order:
        """The policy's answer: total, always a legal order.

        It depends on what both players know, whoever looks at the table. A document that is no
        policy answers as one that says nothing.
        """

    def policy_parts(
        self, position: Any, side: Side, written: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], ...]:
        """The policies a player has written, each ready to be sealed.

        They have `slot`, `scope`, `until` and `doc` (None: withdrawn), and `clear` where there is
        nothing to hide. `written` is without faults; `position` is its author's view.
        """

    def renumbered(self, position: Any, used: Mapping[str, int]) -> Any:
        """The position, whose decks lay their next epochs of cards behind these numbers."""

    def renewed(
        self, state: State[Any], side: Side
    ) -> tuple[tuple[Event[Any], ...], tuple[Stage[Any], ...]]:
        """What happens, and the agenda then, when a side's player goes on with new secrets.

        All its hidden cards are laid anew, and as many as lay in the hand are drawn first of all.
        """

    def foreseen(
        self, state: State[Any], side: Side, order: Order, before: Sequence[Order]
    ) -> tuple[tuple[Violation, ...], tuple[str, ...]]:
        """Of a side's order whose turn comes behind dice: what it breaks for good, and what it
        hangs on, each in a phrase. `before` are the orders written before it."""

    def why_not_now(self, state: State[Any], order: Order) -> Violation | None:
        """The rule by which an order has its time elsewhere; None where no rule says so."""

    def remarks(self, state: State[Any], order: Order) -> tuple[str, ...]:
        """What a player should know of a legal order before it is sent, each in a phrase."""

    def left_open(self, state: State[Any], decision: Decision) -> str:
        """What a player is asked behind the dice of his own round, in a phrase.

        It says how he could have answered before them.
        """

    def policy_faults(
        self, position: Any, side: Side, policy: Mapping[str, Any]
    ) -> tuple[Any, ...]:
        """What is wrong with a policy as written: violations with their path."""

    def policy_misfits(
        self, position: Any, side: Side, slot: str, scope: Mapping[str, Any] | None,
        until: str | None, document: Mapping[str, Any] | None,
    ) -> tuple[Violation, ...]:  # fmt: skip
        """What in a policy of a game file no policy of this game can say, whatever the position.

        `document` is None where it is sealed. Each is whatever stands in the file.
        """

    def policy_example(self, position: Any, side: Side) -> tuple[str, ...]:
        """A standing policy as a side could write it: what it is good for, then lines of YAML."""

    def narrate(self, event: Event[Any], position: Any) -> str | None:
        """One line of prose; `position` is the table right after the event. None: silent."""

    def heading(self, position: Any) -> str:
        """Where the game stands, in a line: turn, month, phase, round."""

    def summary(self, position: Any) -> tuple[str, ...]:
        """What the table shows at a glance, in lines: score, points, hands, piles."""

    def own(self, position: Any, side: Side) -> tuple[str, ...]:
        """What a side has, in lines for its own player: hand, units and where they stand."""
