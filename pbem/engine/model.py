"""The words every game is written in: orders, events, stages, decisions, chances.

Only events change the position; only a stage's outcome changes the agenda; only a chance stage
sees dice. Everything here is a frozen value.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NewType, TypeVar

from pbem.engine.choices import Choice, Examples
from pbem.engine.dice import Draw, Roll
from pbem.messages import Said
from pbem.value import field, value

Side = NewType("Side", str)
"""The seat in the game; a player is the person with the key."""

P = TypeVar("P")
NO_FIELDS: Mapping[str, Choice] = MappingProxyType({})
BY_PROGRAM: Mapping[str, bool] = MappingProxyType({"by_program": True})
"""Marks a field of an order that its player's program writes."""

if TYPE_CHECKING:
    from typing import Generic
else:

    class Generic:
        """Takes a type parameter and ignores it.

        `typing` would keep records for each of the hundreds of classes of a game, which no command
        uses and every start pays for: 1.1 percent of the instructions of `status`, 0.8 of `verify`.
        """

        def __class_getitem__(cls, parameter):
            return cls


@value
class Keyed:
    """Base of everything in an order that holds mappings: they are sorted by key when it is made.

    A file has them sorted, and rules go through some of them one by one: an order must not be tried
    in another sequence than that in which its reader will carry it out.
    """

    keyed: ClassVar[tuple[str, ...]] = ()
    """The fields that hold a mapping."""

    def __init_subclass__(cls) -> None:
        written = vars(cls).get("__annotations__", {})
        if own := [name for name, each in written.items() if "Mapping" in str(each)]:
            cls.keyed = (*cls.keyed, *own)
            setattr(cls, "__post_init__", _sort_keys)  # noqa: B010  # the others have no need of it


def _sort_keys(made: Any) -> None:
    content = vars(made)
    for name in made.keyed:
        said = content[name]
        if said and type(said) is not str and [*said] != (keys := sorted(said)):
            content[name] = {key: said[key] for key in keys}


@value
class Order(Keyed):
    """Base of a game's verbs: frozen dataclasses without behaviour.

    `role` is `lead` for an order that begins something new, `reaction` for an answer before dice,
    and `choice` for an answer after them. A `secret` verb only answers secret decisions; it is
    never sent ahead, where everyone could read it. A verb that `ends` only says "nothing more",
    so it may be dropped if it is not asked for. One that `stands_alone` is a whole order without
    any of its fields. `means` says beside an order without fields what it says, where that is not
    "nothing more".
    """

    verb: ClassVar[str] = ""
    role: ClassVar[str] = "lead"
    secret: ClassVar[bool] = False
    ends: ClassVar[bool] = False
    stands_alone: ClassVar[bool] = False
    means: ClassVar[Said] = ""
    also: ClassVar[tuple[str, ...]] = ()
    """Other words by which players may call it, of which a hint tells the verb."""


@value
class Event(Generic[P]):
    """A fact that has happened: past tense, only ids and numbers."""

    ends_the_game: ClassVar[bool] = False
    """Whether nothing is left to do after it."""

    def apply(self, position: P) -> P:
        """The position after this fact: the same one where it is only told."""
        return position


@value
class Violation:
    """Why an order is not legal now.

    `at` is the path inside the order (("to",) or ("units", 1)); `rule` is stamped by the decorator
    of the predicate and never typed twice. With `is_key` the last word of the path is wrong itself,
    whatever value it has.
    """

    message: Said
    at: tuple[str | int, ...] = ()
    rule: str = ""
    hint: Said = ""
    is_key: bool = False


@value
class Option:
    """One verb a player may use now: the values each field may take, or whole orders.

    `fields` go by the names of the dataclass, for fields that do not depend on each other;
    `examples` are whole orders where they do, or where a form has more to say about them. They are
    some of the legal ones; only if they `are_all`, a single one is an answer without a choice.
    """

    order: type[Order]
    fields: Mapping[str, Choice] = NO_FIELDS
    note: Said = ""
    examples: Examples | None = None
    are_all: bool = False


@value
class ListWanted:
    """A sealed list that a question asks for: its name, and how many places it has (a power of two
    up to 64). `shuffled`: a place means nothing, and the list is put into an order that tells
    nothing; otherwise place i is for the i-th of things in an order that both know.
    """

    name: str
    size: int
    shuffled: bool = False


@value
class Decision:
    """A question that a player must answer now.

    `default` is the legal answer that the rulebook or custom gives for a player without a wish;
    `optional` means that it amounts to "nothing further", so silence means the same. `policy` names
    the slot of the standing policy that may answer instead, or is empty.

    A `secret` question is answered without the other side seeing the answer, which is sealed and
    revealed when all secret questions of the moment are answered. Each has a stage of its own,
    directly on top of the next; what its resolve does may not change what the others ask. What
    it takes in a file is fixed by the `longest` answer, if the game names it. In open play it is
    answered like any other. `tells` is set by the engine alone: the answer is already
    sealed, and this is its number among those waiting to be revealed.

    A secret question with a `list` is answered by an order whose items go onto a sealed list
    (`Hidden.listed`). It is not revealed as a whole: the stage says what follows (`sealed`), and a
    later question with `tells_items` (the list's name and the entry that sealed it) is answered by
    telling those that are due, which is what its default order shows; where dice follow it also
    `only_shows`. A question that `only_shows`
    waits for hidden things that must be shown: there is nothing to choose, and a beacon is locked
    over it. So it is with one that `only_says` what is so of hidden things: behind what must be
    shown it is answered by its default order, in a view that knows them. A question that `goes_on`
    is part of what an earlier answer has begun: a policy that is open may answer it, but no sealed
    one is opened for it.
    """

    side: Side
    stage: str
    prompt: Said
    rule: str
    options: tuple[Option, ...]
    default: Order
    optional: bool = False
    policy: str = ""
    secret: bool = False
    tells: int = 0
    list: ListWanted | None = None
    tells_items: str = ""
    only_shows: bool = False
    only_says: bool = False
    goes_on: bool = False
    longest: Order | None = None

    def takes(self, order: Order) -> bool:
        """Whether the order's verb answers this very question."""
        verb = type(order)
        for option in self.options:  # noqa: SIM110  # asked for every order of a file
            if option.order is verb:
                return True
        return False


@value
class Chance:
    """What must be rolled now."""

    stage: str
    rule: str
    draws: tuple[Draw, ...]


@value
class Stage(Generic[P]):
    """One box of the sequence of play; its fields are the state it needs while it lasts."""


@value
class Outcome:
    """The result of a stage.

    `keep` is this stage again with new values (None: it is done); `then` are the stages to do
    first, in order. `applied` is there if the events were applied already to find them.
    """

    events: tuple[Event[Any], ...] = ()
    keep: Stage[Any] | None = None
    then: tuple[Stage[Any], ...] = ()
    applied: Applied | None = field(default=None, repr=False, compare=False)


@value
class Applied:
    """The positions that events led to, one after another, from `start` on."""

    start: Any
    events: tuple[Event[Any], ...]
    positions: tuple[Any, ...]


@value
class PlayerStage(Stage[P]):
    """A stage that waits for a player."""

    def ask(self, position: P) -> Decision | None:
        """The question, or None when there is nothing to decide and play goes on."""
        raise NotImplementedError

    def asks(self, position: P) -> bool | None:
        """Whether it has a question, if that is quicker to find out than the question itself; else
        None.
        """
        return None

    check: ClassVar[Any]
    """Method (position, order) -> Iterator[Violation]: every rule that the order breaks.

    Made by `checks` and `by_verb` of rules.py from rows of predicates.
    """

    def resolve(self, position: P, order: Order) -> Outcome:
        """The outcome of a legal order; never checks again, never rolls."""
        raise NotImplementedError

    def as_left(self, position: P, order: Order) -> PlayerStage[P] | None:
        """This stage after a legal order, even if it asks no more and is done.

        None if the order brings other stages first, or if nothing is left to say.
        """
        outcome = self.resolve(position, order)
        kept = None if outcome.then else outcome.keep
        return kept if isinstance(kept, PlayerStage) else None

    def sealed(self, position: P, entry: int) -> Outcome:
        """What follows when a list was sealed in this entry as the answer; only its author knows
        what is on it.
        """
        raise NotImplementedError


@value
class ChanceStage(Stage[P]):
    """A stage that waits for chance."""

    def chance(self, position: P) -> Chance:
        """What must be rolled or drawn now. It changes nothing and may be computed again."""
        raise NotImplementedError

    def resolve(self, position: P, rolled: Mapping[str, Roll]) -> Outcome:
        raise NotImplementedError


@value
class AutoStage(Stage[P]):
    """A stage that runs automatically."""

    def run(self, position: P) -> Outcome:
        """What follows from the position alone. Nobody is asked and nothing is rolled."""
        raise NotImplementedError


@value
class IfRolled(AutoStage[P]):
    """A stage of chance that may have nothing to roll: then it waits for no dice."""

    stage: ChanceStage[P]

    def run(self, position: P) -> Outcome:
        if self.stage.chance(position).draws:
            return Outcome(then=(self.stage,))
        return self.stage.resolve(position, {})


@value
class State(Generic[P]):
    """A game in progress. The last stage of the agenda is next; an empty one ends the game."""

    position: P
    agenda: tuple[Stage[P], ...]
    seq: int = 0


class Unfolding(Generic[P]):
    """Collects the events of one outcome; each sees the position that the one before left. Nothing
    happens any more behind one that ends the game.
    """

    is_over = False

    def __init__(self, position: P) -> None:
        self.start = self.position = position
        self.events: list[Event[P]] = []
        self.positions: list[P] = []

    def happen(self, *events: Event[P]) -> None:
        """Applies events one after another; each is computed from the position the last one
        left.
        """
        for event in () if self.is_over else events:
            self.position = event.apply(self.position)
            self.events.append(event)
            self.positions.append(self.position)
            if event.ends_the_game:
                self.is_over = True
                return

    def outcome(self, keep: Stage[P] | None = None, then: tuple[Stage[P], ...] = ()) -> Outcome:
        """The outcome with all events so far; `keep` and `then` as in Outcome."""
        if not self.events:
            return Outcome((), keep, then)
        events = tuple(self.events)
        return Outcome(events, keep, then, Applied(self.start, events, tuple(self.positions)))
