"""Exact chances of an order that is decided by dice: counted, not sampled.

Players want to know before the dice what an attack may bring. A game that can count it plays the
attack through every result of the dice with its own stages, so the odds follow the rules without a
second copy of them. Assumptions (an answer of the other side, a card not yet shown) are listed in
the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import lcm
from typing import TYPE_CHECKING, Any, Protocol

from pbem.engine import kernel
from pbem.engine.dice import Draw, Roll
from pbem.engine.model import Decision, Event, Order, Side, State
from pbem.messages import Message, Said, marked, marked_many, say, say_many
from pbem.value import field, value

if TYPE_CHECKING:
    from fractions import Fraction


@value
class Factor:
    """A shift of a column or a change of a die: what causes it, by how much, by which rule."""

    words: Said
    number: int
    rule: Said

    @property
    def told(self) -> Said:
        """What causes it, with the rule if there is one."""
        if not self.rule:
            return self.words
        return say("{what} [{rule}]", what=self.words, rule=self.rule)


@value
class Salvo:
    """How a side fires: its strength and column, and what shifted the column and changed the
    die.
    """

    side: Side
    strength: int
    column: Said
    """The column of the roll after all shifts: "column 7 of the corps table"."""
    shifts: tuple[Factor, ...] = ()
    modifiers: tuple[Factor, ...] = ()
    called: Said = say("strength")
    spread: tuple[tuple[int, int], ...] = ()
    """If the strength varies: each one, with the results of the dice that give it."""


@value
class Branch:
    """One result, and how many of the equally likely falls of the dice bring it."""

    ways: int
    winner: Side | None
    """None if neither side wins."""
    lost: tuple[tuple[Side, int], ...]
    """Steps that each side loses, the attacker first."""

    def lost_by(self, side: Side) -> int:
        """Steps that a side loses."""
        return dict(self.lost)[side]


@value
class LostWords:
    """How a game speaks of what an attack costs; each is `marked` (pbem/messages.py)."""

    one: str = marked("a step")
    some: str = marked("a step or more")
    none: str = marked("no steps")
    counted: tuple[str, str] = marked_many("{number} step", "{number} steps")

    def many(self, number: int) -> Message:
        """The words for so many lost, as in "3 steps"."""
        return say_many("number", *self.counted, number=number) if number else say(self.none)


@value
class Chances:
    """Every result of an attack. `salvos` and the losses of each branch begin with the attacker.

    No two branches have the same result.
    """

    where: str
    """The name of the place that is attacked."""
    salvos: tuple[Salvo, ...]
    branches: tuple[Branch, ...]
    notes: tuple[Factor, ...] = ()
    """Factors other than dice, such as who loses first; the number of each is 0."""
    supposed: tuple[Factor, ...] = ()
    """Assumptions about what cannot be known yet; the number of each is 0."""
    lost: LostWords = field(default_factory=LostWords)
    """The words for what is lost."""

    @property
    def ways(self) -> int:
        """The number of falls of the dice."""
        return sum(branch.ways for branch in self.branches)

    def ways_where(self, holds: Callable[[Branch], bool]) -> int:
        """The number of falls of the dice for which something is true."""
        return sum(each.ways for each in self.branches if holds(each))

    def won_by(self, side: Side | None) -> int:
        """The number of falls in which a side wins; with None, in which neither does."""
        return self.ways_where(lambda each: each.winner == side)

    def spread(self, side: Side) -> dict[int, int]:
        """For each number of steps that a side may lose, in ascending order, the number of
        falls.
        """
        found = dict.fromkeys(sorted({each.lost_by(side) for each in self.branches}), 0)
        for branch in self.branches:
            found[branch.lost_by(side)] += branch.ways
        return found


def percent(ways: int, of: int) -> Said:
    """A share to the nearest per cent: never 0 for what is possible, never 100 for what is not
    certain.
    """
    if ways and 100 * ways < of:
        return say("under 1 %")
    if ways < of and 100 * (of - ways) < of:
        return say("over 99 %")
    return f"{(200 * ways + of) // (2 * of)} %"


@value
class Aftermath:
    """A possible state after an attack, the winner, and its probability."""

    share: Fraction
    winner: Side | None
    state: State[Any]


# --- played out ---------------------------------------------------------------------------------


class Fallen:
    """Dice with their results."""

    def __init__(self, faces: Mapping[str, int]) -> None:
        self._faces = faces

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
        return {each.label: Roll(each.label, each.purpose, self._faces[each.label])
                for each in draws}  # fmt: skip


Falls = Iterable[tuple[int, Mapping[str, int]]]
"""Results of some dice, grouped where they make no difference: how many are in the group, and one
of them.
"""


@value
class Leaf:
    """An end of the attack, reached by `ways` of the `of` falls of its own dice."""

    ways: int
    of: int
    known: Any


class PlayedOut(Protocol):
    """How a game follows an attack through its stages; `known` is whatever it keeps about it."""

    def falls(self, state: State[Any], known: Any) -> Falls:
        """All falls of the dice to be rolled now."""

    def answer(self, state: State[Any], asked: Decision) -> Order:
        """The answer assumed for a question."""

    def after(self, position: Any, step: kernel.Progress, known: Any) -> Any:
        """What is known after a step from a position."""

    def ends(self, state: State[Any], known: Any) -> Sequence[tuple[int, Any]] | None:
        """What is known at the end, if this is one; otherwise None.

        If the last dice need not be rolled one by one, every result they may bring, with the number
        of its falls.
        """


def played_out(
    state: State[Any], known: Any, reading: PlayedOut, *, ways: int = 1, of: int = 1
) -> Iterator[Leaf]:
    """All ends of the attack, played on from a state."""
    ended = reading.ends(state, known)
    if ended is not None:
        of *= sum(weight for weight, _ in ended)
        yield from (Leaf(ways * weight, of, each) for weight, each in ended)
        return
    asked = kernel.waits_for(state)
    if isinstance(asked, Decision):
        step = kernel.submit(state, reading.answer(state, asked))
        after = reading.after(state.position, step, known)
        yield from played_out(step.state, after, reading, ways=ways, of=of)
        return
    falls = list(reading.falls(state, known))
    of *= sum(weight for weight, _ in falls)
    for weight, faces in falls:
        step = kernel.roll(state, Fallen(faces))
        after = reading.after(state.position, step, known)
        yield from played_out(step.state, after, reading, ways=ways * weight, of=of)


Ending = tuple[Side | None, tuple[tuple[Side, int], ...]]
"""The winner, and the losses of each side, the attacker's first."""


def falls_of(leaves: Sequence[Leaf]) -> int:
    """The number of equally likely falls of the dice by which all these ends can be counted: the
    least common multiple of their own numbers.
    """
    return lcm(*(leaf.of for leaf in leaves))


def branches(leaves: Sequence[Leaf], ending: Callable[[Any], Ending]) -> tuple[Branch, ...]:
    """The ends with equal results joined, likeliest first, weighted to equally likely falls.

    Not every end needs the same number of dice.
    """
    whole = falls_of(leaves)
    counts: Counter[Ending] = Counter()
    for leaf in leaves:
        counts[ending(leaf.known)] += leaf.ways * (whole // leaf.of)
    return tuple(
        Branch(ways, winner, lost)
        for (winner, lost), ways in sorted(counts.items(), key=lambda each: -each[1])
    )


@value
class Waged:
    """An attack as it was carried out: the state in which it was ordered, and what happened.

    Each event of its span from the order on, with the position right after it.
    """

    state: State[Any]
    order: Order
    happenings: tuple[tuple[Event[Any], Any], ...]
    is_over: bool
    """Whether the span is over: nothing more comes of the attack."""


class Odds(Protocol):
    """The capability of a game that can tell the chances of an attack."""

    attacks: frozenset[type[Order]] = frozenset()
    """The orders that have chances; empty in a game that cannot tell any."""

    def of(self, state: State[Any], order: Order, *, briefly: bool = False) -> Chances:
        """The chances of a legal order among `attacks`. Nothing hidden influences them.

        `briefly` leaves out the notes: what might change an attack takes longer than its chances.
        """
        raise AssertionError("asked for the chances of an order that has none")

    def with_more(self, state: State[Any], order: Order) -> Iterator[tuple[Said, Order]]:
        """The order with one more card of its author's hand, as far as this view knows it: for
        each card that can legally go with it, its name and the order.
        """
        return iter(())

    def came(self, attack: Waged) -> Ending | None:
        """The result of an attack, like a branch of its chances; None while it is open or if called
        off.
        """
        return None

    def onward(
        self, state: State[Any], order: Order
    ) -> tuple[tuple[Aftermath, ...], tuple[Factor, ...]]:
        """The possible states when a legal attack is over and the next one can be ordered.

        With the assumptions made. Nothing if the game follows no attack to its end.
        """
        return (), ()


class NoOdds(Odds):
    """The null form: a game that tells no chances."""


NO_ODDS = NoOdds()
