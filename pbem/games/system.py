"""What a game must offer to be refereed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from pbem.engine.clock import Clock
from pbem.engine.fixes import NOT_MENDED, Fix
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


NULL_FORMS = {
    "advice": "advice:NO_ADVICE", "cardbook": "cardbook:NO_CARDS",
    "hidden": "hidden:NOTHING_HIDDEN", "odds": "odds:NO_ODDS", "picture": "picture:NO_PICTURE",
    "pieces": "pieces:NO_PIECES", "policies": "policies.table:NO_POLICIES",
    "practice": "practice:NO_PRACTICE", "sightings": "sightings:NO_SIGHTINGS",
    "waiting": "waiting:NOTHING_WAITS", "warnings": "warnings:NO_WARNINGS",
}  # fmt: skip
"""What stands in for each capability that a game does not have: a module of `pbem/engine/`, and its
name there."""


class GameSystem:
    """One game: its set-up, its clock and its end, and the capabilities it has next to its rules.

    The rules themselves are in the stages of its states. A game derives from this and names its
    capabilities; each is loaded when it is first asked for, so that a command which only judges
    does without what tells of the game.
    """

    slug: str
    title: str
    version: str
    """Of the rules as programmed. It is another one where old games could not go on."""
    fixes: tuple[Fix, ...] = NOT_MENDED
    """What was mended in them since the first release."""
    sides: tuple[Side, ...]
    verbs: Mapping[str, type[Order]]
    words: Words

    capabilities: ClassVar[Mapping[str, str]] = {}
    """Where each capability of the game is, by its name below: a module of its package, such as
    `hidden`, or a name in one, such as `odds:ODDS`."""
    narration: Narration
    """Its events and its position in words: every game has it."""
    hidden: Hidden
    """What it hides."""
    pieces: Pieces
    """Its counters face down and its secret lists."""
    policies: PolicyTable
    """Its standing orders."""
    waiting: Waiting
    """What its orders given ahead wait for."""
    advice: Advice
    """What it tells of orders besides the judgement."""
    odds: Odds
    """The chances of an attack."""
    sightings: Sightings
    """What players note of counters face down."""
    warnings: Warnings
    """What it warns of that is legal."""
    practice: Practice
    """How it is played for practice."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        """`plain` are the data of the game as plain values."""
        self._plain = plain

    def __getattr__(self, name: str) -> Any:
        """A capability that is asked for the first time."""
        found = self._capability(name)
        setattr(self, name, found)
        return found

    def _capability(self, name: str) -> Any:
        package, where = type(self).__module__.rpartition(".")[0], self.capabilities.get(name)
        if where is None:
            package, where = "pbem.engine", NULL_FORMS.get(name)
        if where is None:  # there is none, or a property failed in this way: it says so again
            return object.__getattribute__(self, name)
        module, _, within = where.partition(":")
        found: Any = import_module(f"{package}.{module}")
        return getattr(found, within) if within else found

    @property
    def picture(self) -> Picture:
        """What is to be seen of it."""
        found: Picture = self._capability("picture")
        return found

    @property
    def cardbook(self) -> Cardbook:
        """Its cards in words."""
        found: Cardbook = self._capability("cardbook")
        return found

    def scenarios(self) -> tuple[Scenario, ...]:
        """The set-ups that can be proposed, in the order in which they are offered."""
        raise NotImplementedError

    def options(self) -> tuple[RuleOption, ...]:
        """The optional rules a proposal may choose, each off until it is chosen."""
        return ()

    def edition(self, options: frozenset[str]) -> str:
        """The edition of the game that is played with these options, as in "2nd edition"."""
        return "the only edition"

    def setup(self, scenario: str, options: frozenset[str]) -> State[Any]:
        """The first state; its own dice and draws are chance stages."""
        raise NotImplementedError

    def clock(self, position: Any) -> Clock:
        """Where the game is in time. What a player ordered ahead ends with the span, unless
        `waiting` keeps it."""
        raise NotImplementedError

    def result(self, position: Any) -> Result | None:
        """The result of a finished game, else None."""
        raise NotImplementedError

    def public(self, position: Any) -> Mapping[str, Any]:
        """The position as both players may know it, in the canonical domain of the game file.

        What is large, made of one thing and seldom changed may be a `MadeOf` (engine/public.py).
        """
        raise NotImplementedError

    def faults(self, position: Any) -> tuple[Said, ...]:
        """What no position may ever show; empty for a sound one."""
        raise NotImplementedError

    def names(
        self, state: State[Any], side: Side, order: type[Order] | None, *, answering: bool
    ) -> Vocabulary:
        """What a side may write for the things an order names (None: in any order).

        `answering`: the order answers the very question now asked, so a unit type means one of
        the units in question.
        """
        raise NotImplementedError

    @property
    def tables(self) -> Any:
        """What the rules made of the data, in a `cached_property`: kept between commands."""
        raise NotImplementedError
