"""What a game must offer to be refereed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from pbem.engine.clock import Clock
from pbem.engine.model import Event, Order, Side, State
from pbem.engine.words import Words
from pbem.messages import Message, Said
from pbem.value import value

if TYPE_CHECKING:
    from pbem.board.names import Vocabulary
    from pbem.engine.advice import Advice
    from pbem.engine.cardbook import Cardbook
    from pbem.engine.hidden import Hidden
    from pbem.engine.narration import Passage
    from pbem.engine.odds import Odds
    from pbem.engine.picture import Picture
    from pbem.engine.pieces import Pieces
    from pbem.engine.policies.table import PolicyTable
    from pbem.engine.practice import Practice
    from pbem.engine.sightings import Sightings
    from pbem.engine.waiting import Waiting
    from pbem.engine.warnings import Warnings


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
    """A rule the players may agree on at the start.

    `excludes` names options it cannot join, `needs` those without which it means nothing.
    """

    id: str
    rule: str
    title: str
    excludes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


@value
class Result:
    """How a game ended: the winner (None for a draw), why, and the final score in words."""

    winner: Side | None
    reason: str
    score: str
    told: Said = ""
    """The reason as a reader is told it, where a message alone would not do."""


class Narration(Protocol):
    """How a game is told: what happened, and what is on the table."""

    def narrate(
        self, event: Event[Any], position: Any, viewer: Side | None = None
    ) -> Message | None:
        """What is told of an event; `position` is the table right after it. None: nothing.

        There are two stories of a game in which counters lie face down. A `viewer` is told the
        names of their own counters: the position is then the view of their side. Nobody else is
        (None): what goes to the other player, or to anyone, is told without one.

        A clause without its full stop. As a `Told` (engine/narration.py) it can be joined with the
        next one that differs in a part only.
        """

    def passage(self, event: Event[Any], position: Any) -> Passage | None:
        """What an event is to the battles and arrivals of its turn; None: nothing to do with them.

        `position` is the table right after it.
        """

    def summary(self, position: Any) -> tuple[Said, ...]:
        """What the table shows at a glance, in lines: score, points, hands, piles."""

    def own(self, position: Any, side: Side) -> tuple[Said, ...]:
        """What a side has, in lines for its own player: hand, units and where they stand."""


class GameSystem(Protocol):
    """One game: its set-up, its clock and its end, and the capabilities it has next to its rules.

    The rules themselves are in the stages of its states. Of what not every game has, `engine/`
    holds the null form: `NOTHING_HIDDEN`, `NO_PIECES`, `NO_POLICIES`, `NOTHING_WAITS`,
    `NO_ADVICE`, `NO_PICTURE`, `NO_CARDS`, `NO_ODDS`, `NO_WARNINGS`,
    `NO_SIGHTINGS`, `NO_PRACTICE`.
    """

    slug: str
    title: str
    version: str
    """Of the rules as programmed; a game is played to its end by the version it began with."""
    sides: tuple[Side, ...]
    verbs: Mapping[str, type[Order]]
    words: Words

    def scenarios(self) -> tuple[Scenario, ...]: ...

    def options(self) -> tuple[RuleOption, ...]:
        """The optional rules a proposal may choose, each off until it is chosen."""
        ...

    def edition(self, options: frozenset[str]) -> str:
        """The edition of the game that is played with these options, as in "2nd edition"."""

    def setup(self, scenario: str, options: frozenset[str]) -> State[Any]:
        """The first state; its own dice and draws are chance stages."""

    def clock(self, position: Any) -> Clock:
        """Where the game is in time. What a player ordered ahead ends with the span, unless
        `waiting` keeps it."""

    def result(self, position: Any) -> Result | None:
        """The result of a finished game, else None."""

    def public(self, position: Any) -> Mapping[str, Any]:
        """The position as both players may know it, in the canonical domain of the game file.

        What is large, made of one thing and seldom changed may be a `MadeOf` (engine/public.py).
        """

    def faults(self, position: Any) -> tuple[Said, ...]:
        """What no position may ever show; empty for a sound one."""

    def names(
        self, state: State[Any], side: Side, order: type[Order] | None, *, answering: bool
    ) -> Vocabulary:
        """What a side may write for the things an order names (None: in any order).

        `answering`: the order answers the very question now asked, so a unit type means one of
        the units in question.
        """

    @property
    def tables(self) -> Any:
        """What the rules made of the data, in a `cached_property`: kept between commands."""

    @property
    def narration(self) -> Narration:
        """Its events and its position in words."""
        ...

    @property
    def hidden(self) -> Hidden:
        """What it hides; NOTHING_HIDDEN with open hands."""
        ...

    @property
    def pieces(self) -> Pieces:
        """Its counters face down and its secret lists; NO_PIECES where it has none."""
        ...

    @property
    def policies(self) -> PolicyTable:
        """Its standing orders; NO_POLICIES where it has none."""
        ...

    @property
    def waiting(self) -> Waiting:
        """What its orders given ahead wait for; NOTHING_WAITS where they end with their span."""
        ...

    @property
    def advice(self) -> Advice:
        """What it tells of orders besides the judgement; NO_ADVICE where nothing."""
        ...

    @property
    def picture(self) -> Picture:
        """What is to be seen of it; NO_PICTURE where it draws none."""
        ...

    @property
    def cardbook(self) -> Cardbook:
        """Its cards in words; NO_CARDS where it has none."""
        ...

    @property
    def odds(self) -> Odds:
        """The chances of an attack."""
        ...

    @property
    def sightings(self) -> Sightings:
        """What players note of counters face down; NO_SIGHTINGS where nothing."""
        ...

    @property
    def warnings(self) -> Warnings:
        """What it warns of that is legal; NO_WARNINGS where nothing."""
        ...

    @property
    def practice(self) -> Practice:
        """How it is played for practice; NO_PRACTICE where every answer is the default one."""
        ...
