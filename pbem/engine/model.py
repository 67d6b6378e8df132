"""The words every game is written in: orders, events, stages, decisions, chances.

Only events change the position; only a stage's outcome changes the agenda; only a chance stage
sees dice. Everything here is a frozen value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NewType, TypeVar

from pbem.engine.choices import Choice, Examples
from pbem.engine.dice import Draw, Roll
from pbem.value import field, value

Side = NewType("Side", str)
"""The seat in the game; a player is the person with the key."""

P = TypeVar("P")

if TYPE_CHECKING:
    from typing import Generic
else:

    class Generic:
        """Takes a parameter and forgets it: `typing` would keep books on each of the hundreds of
        classes of a game, which a command has no use for and pays for at every start."""

        def __class_getitem__(cls, parameter):
            return cls


@value
class Order:
    """Base of a game's verbs: frozen dataclasses without behaviour.

    `role` is `lead` for what begins something new, `reaction` for an answer before dice, and
    `choice` for an answer after them. `secret` says that the verb answers secret decisions alone:
    then it is never sent ahead, where everybody could read it. `ends`: it says no more than that
    nothing further comes, so that nothing is lost where nobody asks for it.
    """

    verb: ClassVar[str] = ""
    role: ClassVar[str] = "lead"
    secret: ClassVar[bool] = False
    ends: ClassVar[bool] = False


@value
class Event(Generic[P]):
    """A fact that has happened: past tense, ids and numbers only."""

    def apply(self, position: P) -> P:
        """The position after this fact."""
        raise NotImplementedError


@value
class Violation:
    """Why an order is not legal now.

    `at` is the path inside the order (("to",) or ("units", 1)); `rule` is stamped by the
    decorator of the predicate and never typed twice. With `is_key` the path ends with a word that
    is wrong itself, whatever is written after it.
    """

    message: str
    at: tuple[str | int, ...] = ()
    rule: str = ""
    hint: str = ""
    is_key: bool = False


@value
class Option:
    """One verb a player may use now: per field the values it may take, or whole orders.

    `fields` are by the names of the dataclass, for what does not depend on the other fields;
    `examples` give whole orders where it does, or where a form has more to say of them.
    """

    order: type[Order]
    fields: Mapping[str, Choice] = field(default_factory=dict)
    note: str = ""
    examples: Examples | None = None


@value
class Decision:
    """What a player must say now.

    `default` is a legal answer the rulebook or custom would give for a player who has no wish;
    `optional` says that it amounts to "nothing further", so a player who is silent means it.
    `policy` names the slot of a standing policy that may answer instead, or is empty.

    `secret`: it is answered without the other side seeing the answer, which is sealed and told
    when every secret decision that waits is answered. Each has a stage of its own, directly on top
    of the next; what its resolve does may not change what the others ask. In open play it is
    answered like any other. `tells` is set by the engine alone: the answer is sealed already, and
    this is its number among those that wait to be told.
    """

    side: Side
    stage: str
    prompt: str
    rule: str
    options: tuple[Option, ...]
    default: Order
    optional: bool = False
    policy: str = ""
    secret: bool = False
    tells: int = 0

    def takes(self, order: Order) -> bool:
        """Whether the order's verb is an answer to this very question."""
        return any(type(order) is option.order for option in self.options)


@value
class Chance:
    """What must be rolled now."""

    stage: str
    rule: str
    draws: tuple[Draw, ...]


@value
class Stage(Generic[P]):
    """One box of the sequence of play; its fields are the local scope."""


@value
class Outcome:
    """What a stage brings about.

    `keep` is this stage again with new values (None: it is done); `then` is what comes first,
    in the order it is to happen.
    """

    events: tuple[Event[Any], ...] = ()
    keep: Stage[Any] | None = None
    then: tuple[Stage[Any], ...] = ()


@value
class PlayerStage(Stage[P]):
    """A stage that waits for a player."""

    def ask(self, position: P) -> Decision | None:
        """The question, or None when there is nothing to decide and play goes on."""
        raise NotImplementedError

    check: ClassVar[Any]
    """Method (position, order) -> Iterator[Violation]: everything the rules hold against the order.

    Made by `checks` and `by_verb` of rules.py from rows of predicates.
    """

    def resolve(self, position: P, order: Order) -> Outcome:
        """What a legal order brings about; never checks again, never rolls."""
        raise NotImplementedError

    def as_left(self, position: P, order: Order) -> PlayerStage[P] | None:
        """This stage as a legal order leaves it, even where it asks no more and is done.

        None where other stages come of the order first, or nothing is left to be said.
        """
        outcome = self.resolve(position, order)
        kept = None if outcome.then else outcome.keep
        return kept if isinstance(kept, PlayerStage) else None


@value
class ChanceStage(Stage[P]):
    """A stage that waits for chance."""

    def chance(self, position: P) -> Chance:
        """What must be rolled or drawn now. It changes nothing and may be asked again."""
        raise NotImplementedError

    def resolve(self, position: P, rolled: Mapping[str, Roll]) -> Outcome:
        raise NotImplementedError


@value
class AutoStage(Stage[P]):
    """A stage that runs by itself."""

    def run(self, position: P) -> Outcome:
        """What follows from the position alone. Nobody is asked and nothing is rolled."""
        raise NotImplementedError


@value
class State(Generic[P]):
    """A game in progress. The last stage of the agenda is next; an empty one ends the game."""

    position: P
    agenda: tuple[Stage[P], ...]
    seq: int = 0


class Unfolding(Generic[P]):
    """Collects the events of one outcome while each sees the position the one before left."""

    def __init__(self, position: P) -> None:
        self.position = position
        self.events: list[Event[P]] = []

    def happen(self, *events: Event[P]) -> None:
        """Events that follow one from the other: each is applied before the next is looked at."""
        for event in events:
            self.events.append(event)
            self.position = event.apply(self.position)

    def outcome(self, keep: Stage[P] | None = None, then: tuple[Stage[P], ...] = ()) -> Outcome:
        """The outcome with all that has happened; `keep` and `then` as an Outcome has them."""
        return Outcome(tuple(self.events), keep, then)
