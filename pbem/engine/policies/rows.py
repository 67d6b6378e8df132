"""The rows of a game's standing orders: its parts, its slots, its times.

A part is a row of a table and a clause. The row is enough to tell whether a policy answers, which
nearly every mail asks, so it names the clause late (`late.py`). The clause has the rest,
beside the functions that answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.model import Decision, Order, PlayerStage, Side, State, Violation
from pbem.engine.policies import HELD
from pbem.engine.shapes import Judge, Shape
from pbem.messages import Said, say
from pbem.value import field, replace, value

Document = Mapping[str, Any]
"""A policy in the form that a game file holds."""
Written = Mapping[str, Any]
"""A policy as its author writes it."""
Scope = Mapping[str, Any] | None
"""What a policy speaks about, as everybody can read it; None: about all its questions."""
ANY_SLOT = ""
"""The slot of a part that may be in any slot a player names."""

Example = tuple[str, Said]
"""An example for a part, and its purpose: its line in a form."""


AnswerTo = Callable[[Any, Any, Any], Order | None]
"""An order by the position (as both see it), the stage and what has been said; None is the game's
own default."""


@value
class Answer:
    """How a policy answers one question. The answer depends on the whole document.

    If it gives no order, its author is asked where it `or_asks`, and else the game takes its own
    default. `shows` gives the slots of the hand that the order names; `left_out` says in sentences
    what the order does not do of what is written, and why.
    """

    order: AnswerTo
    shows: Callable[[Any, Any, Document], Iterator[str]] | None = None
    or_asks: bool = False
    left_out: Callable[[Any, Any, Document], Iterable[Said]] | None = None


def shown_first(
    answer: AnswerTo,
    supposing: Callable[[Any, Iterable[tuple[str, str]]], Any],
    seen: Callable[[Any, Side], Any],
    shown: Callable[[Any, Any, Order], Iterable[str]],
) -> Answer:
    """An answer that may use counters face down: those that it would use if they are what the
    document claims are shown before it, as `shown` says of an order. Then what was shown decides,
    so a false claim gains nothing. `supposing` is the position if claims are true, and `seen` that
    by which a side's answer is chosen.
    """

    def shows(position: Any, stage: Any, policy: Document) -> Iterator[str]:
        supposed = supposing(position, policy.get(HELD, ()))
        if supposed is not position:
            found = answer(seen(supposed, stage.side), stage, policy)
            yield from () if found is None else shown(supposed, stage, found)

    return Answer(answer, shows)


@value
class Clause:
    """The content of a part: how it is written and sealed, what in it can have no effect, and its
    answers.
    """

    shape: Shape
    """How a player writes it."""
    order: AnswerTo | None = None
    """The answer to its questions by what is said in it; not used where it says nothing."""
    answers: Mapping[str, Answer] = field(default_factory=dict)
    """By question the answers that depend on more than that."""
    sealed: Shape | None = None
    """How it is in a document, if not as it is written."""
    seal: Callable[[Any, Side, Any], Any] | None = None
    """Turns what is written into what the document has for this part, where the two differ; None
    leaves the part out.
    """
    seal_behind: Callable[[Any, Side, Any, Sequence[Order]], Any] | None = None
    """The same for what is ordered ahead, behind other orders of the same mail, if they matter."""
    unseal: Callable[[Any, Side, Any], Any] | None = None
    """Turns what the document has for this part back into what is written, where the two differ, by
    its author's view. For a part that is in no document: what is written where it is said.
    """
    unasked: Callable[[Any, Side], Violation | None] = lambda position, side: None
    """Why this side is never asked, if so: the game is played without the rule."""
    vain: Judge | None = None
    """Finds what has no effect because of the rest of the policy, which is given as a whole, but
    for parts of a wrong form.

    A fault's path begins at this part.
    """
    example: Example | Callable[[Any, Side], Example | None] | None = None
    """Its line in a form, if it has one; none if it is never asked."""

    def line(self, position: Any, side: Side) -> Example | None:
        """Its line in the form for this side."""
        if self.unasked(position, side) is not None:
            return None
        return self.example(position, side) if callable(self.example) else self.example


def first_legal(stage: PlayerStage[Any], position: Any, orders: Iterable[Order]) -> Order | None:
    """The first of some orders that answers the present question and is legal, or None."""
    asked = stage.ask(position)
    if asked is None:
        return None
    return next((one for one in orders if is_legal(stage, position, asked, one)), None)


def is_legal(stage: PlayerStage[Any], position: Any, asked: Decision, order: Order) -> bool:
    """Whether the stage accepts the order; a stage may judge a verb that it does not ask for
    now.
    """
    return asked.takes(order) and not any(True for _ in stage.check(position, order))


def first_of(orders: Callable[[Any, Any, Any], Iterable[Order]]) -> AnswerTo:
    """The answer by a list: the first of its orders that is legal, else the default."""
    return lambda position, stage, said: first_legal(stage, position, orders(position, stage, said))


def best_by(
    first: Callable[[Any, Sequence[str], Sequence[str]], str],
) -> AnswerTo:
    """The answer by a ranking: of what the question offers for the one field of its order, what
    comes `first` by the position and the words said.
    """

    def best(position: Any, stage: Any, said: Sequence[str]) -> Order | None:
        asked = stage.ask(position)
        if asked is None:
            return None
        ((name, offered),) = asked.options[0].fields.items()
        return replace(asked.default, **{name: first(position, said, offered.values)})

    return best


def unless(
    is_asked: Callable[[Any, Side], bool], told: Said, rule: str = ""
) -> Callable[[Any, Side], Violation | None]:
    """The message about a part to a side that is never asked for it."""
    why = Violation(told, rule=rule, is_key=True)
    return lambda position, side: None if is_asked(position, side) else why


@value
class PolicyPart:
    """One part of standing orders: a row of the table."""

    name: str
    told: str
    """Its purpose, in the published schema."""
    clause: Clause
    on: tuple[str, ...] = ()
    """The questions it answers (the words that stages name with `policy=`), if that is not the one
    of its own name."""
    beside: tuple[str, ...] = ()
    """The questions of other parts that it affects; it answers none of its own."""
    slot: str = ANY_SLOT
    """The slot it may be in: any that a player names, or one of the game's own."""
    only_if_said: bool = False
    """Whether its questions are left to the player if a policy says nothing about it."""
    is_sealed: bool = True
    """Whether it is in the document; else it is known by the scope alone."""
    joins: str = ""
    """The part under whose name it is in a document, if that is another."""
    otherwise: str = ""
    """The default for a policy that says nothing about it, in a few words."""
    of_nothing: bool = False
    """Whether its questions come when no fight or other event goes on to which a condition could
    refer."""
    own: tuple[str, ...] = ()
    """The questions it answers about what its side has begun itself, so that it may be in the open
    slot for that. If they are others than its own, a player who says nothing is asked."""
    is_said_openly: bool = False
    """Whether it is in the open slot `own`, too, wherever it is written: what it hides is not worth
    a mail."""
    more_of: str = ""
    """The part in whose list this one is written, if it is of a further slot."""
    tells: Callable[[Any], bool] | None = None
    """Whether what is said tells of hidden cards: it is then said openly only by itself."""

    @property
    def answers(self) -> tuple[str, ...]:
        """The questions it answers."""
        return () if self.beside else self.on or (self.name,)

    def answer(self, question: str) -> Answer:
        """Its answer to one of its questions."""

        def by_what_is_said(position: Any, stage: Any, policy: Document) -> Order | None:
            order, said = self.clause.order, policy.get(self.name)
            return order(position, stage, said) if order and said else None

        return self.clause.answers.get(question) or Answer(by_what_is_said)

    @property
    def in_own(self) -> PolicyPart:
        """The part as it is in the open slot `own`: it answers only questions about what its side
        has begun.
        """
        return replace(
            self, on=self.own, only_if_said=self.only_if_said or self.own != self.answers
        )

    @property
    def questions(self) -> tuple[str, ...]:
        """All questions for which it is consulted."""
        return (*self.answers, *self.beside)


@value
class Slot:
    """A slot of a game with parts of its own: how it is written, and its line in a form.

    Its policy names openly what it answers, and is in force until the end of the turn unless its
    author says longer. `in_clear` says, by position and side, whether it hides anything.
    """

    hint: Said
    in_clear: Callable[[Any, Side], bool]
    told: str
    is_offered: Callable[[Any], bool]
    """Whether a form has it, by the position."""
    is_bare: bool = False
    """Whether what is written there is its one part itself, which has its name."""
    further: tuple[str, ...] = ()
    """More slots of the same kind: what is written in this one may be a list, an item for each."""
    line: str = ""
    """Its line in a form, where that is no list of its parts."""
    stays: bool = False
    """Whether it is in force until it is replaced, if its author says nothing else."""
    shows: Callable[[Any, Side, Document], Iterable[str]] | None = None
    """The slots of the hand that its policy in clear will open, whatever happens before."""
    used_up: Callable[[Any, Side, Document, Sequence[Order]], Said] | None = None
    """What of its policy is over, by the position, its author's side and the orders of the same
    mail, so that it would be opened for nothing; empty where it can still answer. The position is
    the one behind as many of the orders as need no dice."""
    ahead: Callable[[Any, Side, Sequence[Order]], Sequence[int]] | None = None
    """Where plans begin among the orders of a mail that come behind dice, if these hide something:
    from the first on they are sealed, one in this slot and one in each further one, and are in
    force for the present part of the turn."""


@value
class OwnActs:
    """What a side begins itself, and is then asked about: its attacks.

    The answers may be said openly beside the order, so that no later mail is needed to open them.
    """

    is_theirs: Callable[[State[Any], Decision], bool]
    """Whether a question is about what its side has begun."""
    begins: Callable[[Order], bool]
    """Whether an order begins something of which its side may be asked more."""
    until: Callable[[Any], str]
    """Until when holds what is said beside an order, by the position."""


@value
class Times:
    """How long a policy is in force: `turn 5`, or within a turn `turn 5 round 3`."""

    now: Callable[[Any], tuple[int, int]]
    """The turn, and how far it has come, by the position."""
    part: str = ""
    """The parts of a turn, in a word, if they are counted."""

    def read(self, written: str) -> tuple[int, int | None] | None:
        """The turn and the part of it that are meant, without a part for all of it; None for no
        valid time.
        """
        inside = f"(?: {self.part} ([0-9]{{1,2}}))?" if self.part else "()"
        named = re.fullmatch(f"turn ([0-9]{{1,2}}){inside}", written)
        return (int(named[1]), int(named[2]) if named[2] else None) if named else None

    def is_in_force(self, position: Any, until: str) -> bool:
        """Whether that time has not passed."""
        if (named := self.read(until)) is None:
            return False
        turn, number = self.now(position)
        last = number if named[1] is None else named[1]
        return (turn, number) <= (named[0], last)

    def this_turn(self, position: Any) -> str:
        """The turn, as a policy names it."""
        return f"turn {max(self.now(position)[0], 1)}"

    def this_part(self, position: Any) -> str:
        """The part of the turn, as a policy names it."""
        turn, number = self.now(position)
        return f"turn {max(turn, 1)} {self.part} {number}"

    def misread(self) -> Violation:
        """The message about a text that names no time."""
        if self.part:
            return Violation(
                say("until must be a turn, or one {part} of it", part=say(self.part)),
                hint=say("turn 5 {part} 3", part=self.part),
            )
        return Violation(say("until must be a turn"), hint=say("turn 5"))
