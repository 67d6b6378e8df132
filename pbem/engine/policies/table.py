"""The parts of standing orders, declared once: a game writes a table with one row for each.

From the table come the checks of what a player writes and of what is in a game file, the published
schema, the example in a form, the questions a policy answers, and the answers. Nothing of it is
loaded before a player has standing orders.

A policy is in a slot. Most parts may be in any slot that a player names; some games have slots with
parts of their own (what is done at the end of a turn). `scope`, `until`, `slot` and `slots` are the
same in every game. In place of a part that answers, a player may write `ask`: then that question is
left to them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from pbem.engine.conditions import Facts
from pbem.engine.model import Side, State, Violation
from pbem.engine.policies.rows import (
    ANY_SLOT,
    Answer,
    Document,
    Example,
    OwnActs,
    PolicyPart,
    Slot,
    Times,
    Written,
)
from pbem.engine.shapes import meant
from pbem.messages import Said, say
from pbem.value import field, value

STANDING = "standing"
"""The slot of a policy whose author names none."""
OWN = "own"
"""The slot of what a side says openly about what it begins itself."""
ASK = "ask"
"""Written in place of an answer: the question is left to the player."""
WITHDRAWN = "none"
"""Written to withdraw a policy."""
UNKNOWN = say("this game has no standing orders")


@value
class PolicyTable:
    """Everything a game declares about its standing orders."""

    rows: tuple[PolicyPart, ...]
    facts: Facts
    """What conditions can ask."""
    subject: Callable[[State[Any]], Any]
    """The current event, to which conditions refer; None: nothing."""
    times: Times
    """Until when a policy may be in force."""
    told: Said
    """The purpose of standing orders: the first line of a form."""
    notes: tuple[Said, ...]
    """What a form says of the game's own words, below its lines."""
    goes_on: str
    """What goes on while conditions refer to something, in the plural."""
    for_example: Said
    """A policy of one part, as an example."""
    for_slots: Said
    """Policies in named slots, as an example: each of one part."""
    for_condition: str
    """A condition of one fact, as an example."""
    slots: Mapping[str, Slot] = field(default_factory=dict)
    """The game's own slots."""
    public: Callable[[Any], Any] = lambda position: position
    """A position without what only one view knows: every policy answers by it."""
    hidden: Callable[[Any, Side], Any] = lambda position, side: ()
    """The slots of a side's hand that its enemy has not seen."""
    claims: Callable[[Any, Side, Document], Iterable[tuple[str, str]]] | None = None
    """By its author's view, the slots of the hand that hold the cards a document names."""
    begun: OwnActs | None = None
    """What a side begins itself, where it may say openly how that goes on: then there is a slot
    `own`."""

    @property
    def slots_ahead(self) -> frozenset[str]:
        """The slots in which what is ordered behind dice is sealed, if it hides something."""
        ahead = ((name, *slot.further) for name, slot in self.slots.items() if slot.ahead)
        return frozenset(chain.from_iterable(ahead))

    def own(self, slot: str) -> str:
        """The slot under which the parts of a policy are listed."""
        return slot if slot in self.slots else ANY_SLOT

    def within(self, slot: str) -> dict[str, PolicyPart]:
        """The parts that may be in a slot, by name, besides those of every game."""
        listed_at = self.own(slot)
        found = {part.name: part for part in self.rows if part.slot == listed_at}
        if listed_at == OWN:
            theirs = [part for part in self.rows if part.own]
            asked = {question for part in theirs for question in part.answers}
            also = [part for part in self.rows if asked & {*part.beside}]
            found = {part.name: part.in_own for part in (*theirs, *also)} | found
        return found

    def questions(self, slot: str, *, unsaid: bool = False) -> tuple[str, ...]:
        """The questions that policies of a slot can answer; `unsaid` are those answered by an empty
        one.
        """
        rows = self.within(slot).values()
        said = (part for part in rows if not (unsaid and part.only_if_said))
        return tuple(dict.fromkeys(name for part in said for name in part.answers))

    def asked_in(self, slot: str, written: Written) -> set[str]:
        """The questions for which a policy says `ask`."""
        said = (part for name, part in self.within(slot).items() if written.get(name) == ASK)
        return {name for part in said for name in part.answers}

    def answer_to(self, question: str) -> Answer | None:
        """The answer to a question; None where no part has one."""
        found = (part for part in self.rows if question in (*part.answers, *part.own))
        return next((part.answer(question) for part in found), None)

    def examples(self, slot: str, position: Any, side: Side) -> Iterator[Example]:
        """The lines of a form for the parts of a slot, each with its purpose."""
        for part in self.within(slot).values():
            if (line := part.clause.line(position, side)) is not None:
                said, told = line
                yield f"{part.name}: {said}", told


NO_POLICIES = PolicyTable(
    rows=(),
    facts=Facts({}, {}, lambda subject: False),
    subject=lambda state: None,
    times=Times(lambda position: (0, 0)),
    told="",
    notes=(),
    goes_on="",
    for_example="",
    for_slots="",
    for_condition="",
)
"""The null form: a game whose every question waits for its player."""


def by_name(
    written: Any, known: tuple[str, ...], called: Said, example: Said,
    unlisted: Collection[str] = (),
) -> Iterator[tuple[Any, Any]]:  # fmt: skip
    """The parts of a policy by name; an unknown name gives a fault, which lists the known ones but
    for those `unlisted`.
    """
    if not isinstance(written, Mapping):
        yield Violation(say("{called} must be a mapping", called=called), hint=example), None
        return
    for key, said in written.items():
        if key in known:
            yield key, said
        else:
            told = say("standing orders have no field {key}", key=repr(key))
            hint = _nearest(key, tuple(name for name in known if name not in unlisted))
            yield Violation(told, (key,), hint=hint, is_key=True), None


def _nearest(key: Any, known: tuple[str, ...]) -> Said:
    """The likely meaning of an unknown name, or else the known names."""
    return meant(key, known, "") or say("they have {names}", names=known)
