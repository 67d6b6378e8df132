"""The rows that a game's standing orders are made of: its parts, its slots, its times.

A part is a row of a table and a clause. The row is enough to tell whether a policy answers, which
is asked in nearly every mail, so it names the clause late (`engine/late.py`). The clause has the
rest, and stands next to the functions that answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.engine.model import Order, Side, Violation
from pbem.engine.shapes import Path, Shape
from pbem.value import field, value

Document = Mapping[str, Any]
"""A policy in the form that a game file holds."""
Written = Mapping[str, Any]
"""A policy as its author writes it."""
ANY_SLOT = ""
"""Where a part stands that may be in every slot that a player names."""

Example = tuple[str, str]
"""What could be said in a part, and what it is good for: its line in a form."""


@value
class Answer:
    """What a policy answers to one question, by position (as both see it), stage and document.

    None is the game's own default, or a question to the author where `or_asks`. `shows` gives the
    slots of the hand that the order names.
    """

    order: Callable[[Any, Any, Document], Order | None]
    shows: Callable[[Any, Any, Document], Iterator[str]] | None = None
    or_asks: bool = False


@value
class Clause:
    """The content of a part: how it is written and sealed, what in it can have no effect, and its
    answers.
    """

    shape: Shape
    """How a player writes it."""
    answers: Mapping[str, Answer] = field(default_factory=dict)
    """Its answers, by the questions that its row names."""
    sealed: Shape | None = None
    """How it is in a document, if not as it is written."""
    seal: Callable[[Any, Side, Written], Any] | None = None
    """From the whole policy to what is in the document for this part, if that is not what is
    written; None: nothing."""
    unseal: Callable[[Any, Side, Any], Any] | None = None
    """From what is in the document for this part back to what is written, where that is not the
    same, by its author's view; of a part that is in no document, what is written where it is
    said."""
    unasked: Callable[[Any, Side], Violation | None] = lambda position, side: None
    """Why nobody ever asks this side that, if so: the game is played without the rule."""
    vain: Callable[[Any, Side, Written, Path], Iterator[Violation]] | None = None
    """What of it does nothing, besides what its shape says of that: position, side, the whole
    policy, the path of this part."""
    example: Example | Callable[[Any, Side], Example | None] | None = None
    """Its line in a form, if it has one; there is none where nobody is asked."""

    def line(self, position: Any, side: Side) -> Example | None:
        """Its line in the form for this side."""
        if self.unasked(position, side) is not None:
            return None
        return self.example(position, side) if callable(self.example) else self.example


def unless(
    is_asked: Callable[[Any, Side], bool], told: str, rule: str = ""
) -> Callable[[Any, Side], Violation | None]:
    """The message about a part to a side that is never asked for it."""
    why = Violation(told, rule=rule, is_key=True)
    return lambda position, side: None if is_asked(position, side) else why


@value
class PolicyPart:
    """One part of standing orders: a row of the table."""

    name: str
    told: str
    """What it is for, in the published schema."""
    clause: Clause
    on: tuple[str, ...] = ()
    """The questions it answers (the words that stages name with `policy=`), if that is not the one
    of its own name."""
    beside: tuple[str, ...] = ()
    """The questions of other parts in which it has a say: it answers none of its own."""
    slot: str = ANY_SLOT
    """The slot it may be in: any that a player names, or one of the game's own."""
    only_if_said: bool = False
    """Whether its questions are left to the player where a policy says nothing of them."""
    is_sealed: bool = True
    """Whether it is in the document; else it is known by the scope alone."""
    joins: str = ""
    """The part under whose name it is in a document, if that is another."""
    otherwise: str = ""
    """What it comes to where a policy says nothing of it, in a few words."""
    of_nothing: bool = False
    """Whether its questions come while nothing goes on that conditions could ask about."""

    @property
    def answers(self) -> tuple[str, ...]:
        """The questions it answers."""
        return () if self.beside else self.on or (self.name,)

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

    hint: str
    in_clear: Callable[[Any, Side], bool]
    told: str
    is_offered: Callable[[Any], bool]
    """Whether a form has it, by the position."""
    is_bare: bool = False
    """Whether what is written there is its one part itself, which has its name."""


@value
class Times:
    """How long a policy is in force: `turn 5`, or within a turn `turn 5 round 3`."""

    now: Callable[[Any], tuple[int, int]]
    """The turn, and how far it has come, by the position."""
    part: str = ""
    """What a turn is made of, if it is counted."""

    def read(self, written: str) -> tuple[int, int | None] | None:
        """The turn and the part of it that are meant, without a part for all of it; None for no
        valid time.
        """
        inside = f"(?: {self.part} ([0-9]))?" if self.part else "()"
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

    def misread(self, path: Path) -> Violation:
        """The message about a text that names no time."""
        or_part = f", or a {self.part} of it" if self.part else ""
        hint = f"turn 5 {self.part} 3" if self.part else "turn 5"
        return Violation(f"until must be a turn{or_part}", path, hint=hint)
