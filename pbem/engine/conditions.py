"""Conditions of standing orders: facts about the position or the fight, each with the value it must
have.

A game declares its facts, the sort of each, and which are known only `late`, after something has
happened (the dice of a fight). An empty condition always holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.model import Side, Violation
from pbem.engine.naming import NameFinder
from pbem.engine.shapes import (
    NAME,
    Each,
    Judged,
    Many,
    Path,
    Schema,
    Shape,
    Word,
    any_of,
    bound_fields,
    closed,
    does_nothing,
    fitting,
    listed,
    meant,
    unreached,
)
from pbem.messages import Said, either, marked, say
from pbem.value import field, value
from pbem.words import YES_NO

Wanted = tuple[str, Any, Path]
"""A fact that is asked for, the value asked for, and its place."""
AFTER = "after"
"""The key of a condition that is judged once it has happened."""


@value
class Sort:
    """A sort of fact: the values a condition may ask for, and the test of the position, the fact's
    value and the value asked for.
    """

    shape: Shape
    is_so: Callable[[Any, Any, Any], bool]
    could_be: Callable[[Any], Iterable[Any]] = tuple
    """The values such a fact could have; empty if unknown."""


@value
class Fact:
    """A fact: its sort, and a function that reads it from the position and the event at hand."""

    sort: Sort
    seen: Callable[[Any, Any], Any]
    whose: Callable[[Side], Side] | None = None
    """The side that the fact is about, given the side that writes the condition; None where it
    is always the writer's own."""
    always: Any = None
    """Its value, if it is the same in every position."""


@value
class Tied:
    """Facts that depend on each other: every combination still possible, by position."""

    ways: Callable[[Any], Iterable[tuple[Any, ...]]]
    told: Said = ""
    """What is said of a combination that is not possible; where it is empty, a sentence names
    the facts."""


@value
class Facts:
    """What conditions can ask: at once, or only late."""

    early: Mapping[str, Fact]
    late: Mapping[str, Fact]
    has_happened: Callable[[Any], bool]
    """Whether late facts are known about the current event."""
    tied: Mapping[tuple[str, ...], Tied] = field(default_factory=dict)
    """Groups of facts that depend on each other, by their names."""
    then: str = marked("then")
    """When late facts are known, in words."""

    def fact(self, key: str) -> Fact | None:
        """The fact a key of `when` asks about; None where the game knows none."""
        return self.early.get(key) or self.late.get(key)

    def contradictions(
        self, position: Any, when: Mapping[str, Any], path: Path
    ) -> Iterator[Violation]:
        """The facts of a condition that are each possible but not together."""
        said = list(_said(when, path))
        for keys, ways, never in self._groups(position, said):
            among = [each for each in said if each[0] in keys]

            def could(asked: Sequence[Wanted], keys: Any = keys, ways: Any = ways) -> bool:
                return any(
                    all(self._fits(position, way[keys.index(key)], key, wanted)
                        for key, wanted, _ in asked)
                    for way in ways
                )  # fmt: skip

            if len(among) > 1 and all(could([each]) for each in among) and not could(among):
                names = list(dict.fromkeys(key for key, _, _ in among))
                both = len(names) < 2
                told = (
                    say("{name} is never both", name=names[0])
                    if both
                    else never or say("{names} are never true at once", names=tuple(names))
                )
                yield Violation(told, among[-1][2], hint=say("leave one of them out"))

    def _fits(self, position: Any, seen: Any, key: str, wanted: Any) -> bool:
        fact = self.fact(key)
        assert fact is not None
        return fact.sort.is_so(position, seen, wanted)

    def _groups(
        self, position: Any, said: Sequence[Wanted]
    ) -> Iterator[tuple[tuple[str, ...], Sequence[tuple[Any, ...]], Said]]:
        """The groups a condition asks about, and each fact by itself: it may be asked for twice."""
        asked = [key for key, _, _ in said]
        for keys, tied in self.tied.items():
            if sum(key in keys for key in asked) > 1:
                yield keys, list(tied.ways(position)), tied.told
        for key in dict.fromkeys(asked):
            fact = self.fact(key)
            if fact is not None and not any(key in keys for keys in self.tied):
                wanted = [each for other, each, _ in said if other == key]
                yield (key,), [(one,) for one in fact.sort.could_be(wanted)], ""

    def holds(self, position: Any, subject: Any, when: Mapping[str, Any]) -> bool:
        """Whether every fact of a condition has the value it asks for."""
        return all(self._is(position, subject, key, wanted) for key, wanted in when.items())

    def holding(
        self, position: Any, subject: Any, clauses: Iterable[Mapping[str, Any]]
    ) -> Iterator[Mapping[str, Any]]:
        """The clauses whose `when` holds; a clause without one always counts."""
        return (one for one in clauses if self.holds(position, subject, one.get("when", {})))

    def allows(self, position: Any, subject: Any, written: Any) -> bool:
        """Whether something with `always`, `never` or a `when` is to be done now."""
        return any(True for _ in self.holding(position, subject, clauses_of(written)))

    def unreached(
        self, position: Any, side: Side, clauses: Sequence[Mapping[str, Any]], narrows: str = ""
    ) -> Iterator[Violation]:
        """The clauses after one that always holds, unless the field `narrows` is in it."""

        def ends(clause: Mapping[str, Any]) -> bool:
            return narrows not in clause and self.always(clause.get("when", {}))

        return unreached(clauses, ends, say("the clause before it always applies"))

    def always(self, when: Mapping[str, Any]) -> bool:
        """Whether a condition is empty and so always holds."""
        return all(
            fact is not None and fact.always == wanted
            for fact, wanted in ((self.fact(key), wanted) for key, wanted in when.items())
        )

    def _is(self, position: Any, subject: Any, key: str, wanted: Any) -> bool:
        if (key == AFTER or key in self.late) and not self.has_happened(subject):
            return False
        if key == AFTER:
            return self.holds(position, subject, wanted)
        fact = self.early.get(key) or self.late[key]
        return fact.sort.is_so(position, fact.seen(position, subject), wanted)


@value
class Condition(Shape):
    """The shape of a condition; `late` says, by position, whether it may ask for late facts."""

    facts: Facts
    late: Callable[[Any], bool] | bool
    why: str = marked("then")
    """When it is judged, for the message about a fact asked for too early."""
    of: str = "policy"
    """The part of the orders that has the condition: it names it in the published schema."""

    def bound(self, names: NameFinder, written: Any) -> Any:
        return bound_fields(self._inside(late=True), names, written)

    def _inside(self, *, late: bool) -> dict[str, Shape]:
        """What may be asked, by its key."""
        facts = {**self.facts.early, **(self.facts.late if late else {})}
        inside: dict[str, Shape] = {key: fact.sort.shape for key, fact in facts.items()}
        return {**inside, AFTER: self} if late else inside

    def vain(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        yield from self._never(position, side, written, path)
        yield from self.facts.contradictions(position, written, path)

    def _never(
        self, position: Any, side: Side, written: Mapping[str, Any], path: Path
    ) -> Iterator[Violation]:
        for key, wanted in written.items():
            here, fact = (*path, key), self.facts.fact(key)
            if key == AFTER:
                yield from self._never(position, side, wanted, here)
            elif wanted in ([], (), {}):
                yield does_nothing(here)
            elif fact is not None:
                whose = fact.whose(side) if fact.whose else side
                yield from fact.sort.shape.vain(position, whose, wanted, here)

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        late = self.late if isinstance(self.late, bool) else self.late(position)
        return self._faults(position, side, written, path, late)

    def _faults(
        self, position: Any, side: Side, written: Any, path: Path, late: bool
    ) -> Iterator[Violation]:
        if not isinstance(written, Mapping):
            yield Violation(
                say("a condition must be facts in braces"), at=path, hint=say("{any: true}")
            )
            return
        facts = self.facts
        for key, wanted in written.items():
            here = (*path, key)
            if key == AFTER and late:
                yield from self._faults(position, side, wanted, here, True)
            elif (key in facts.late and not late) or key == AFTER:
                yield Violation(
                    say("{key} is not known yet {why}", key=key, why=say(self.why)),
                    at=here,
                    is_key=True,
                )
            elif fact := facts.fact(key):
                yield from fact.sort.shape.faults(position, side, wanted, here)
            else:
                known = (*facts.early, *(facts.late if late else ()))
                yield Violation(
                    say("no condition is named {key}", key=repr(key)),
                    at=here,
                    hint=meant(key, known, say("the conditions are {known}", known=tuple(known))),
                    is_key=True,
                )

    def schema(self, shared: dict[str, Schema]) -> Schema:
        """The schema of a condition; late facts are allowed even where only some cases have
        them.
        """
        name = f"{self.of}.{'condition' if self.late is False else 'late_condition'}"
        me = {"$ref": f"#/$defs/{name}"}
        if name not in shared:
            shared[name] = {}  # the condition inside refers to it
            inside = self._inside(late=self.late is not False)
            shared[name] = closed({key: each.schema(shared) for key, each in inside.items()})
        return me


def clauses_of(written: Any) -> tuple[Mapping[str, Any], ...]:
    """Clauses with a `when`. `never` and `no` are short for no clauses, `always` and `yes` for one
    that always holds.
    """
    if isinstance(written, str | bool):
        return ({},) if written in ("always", True) else ()
    return listed(written)


# --- sorts that know no game --------------------------------------------------------------------

MOST = 99
"""The highest number that a condition may ask for."""
NUMBER = r"(>=|<=|>|<|==|=)? *(-?[0-9]{1,9})"
OR_MORE = r" *([0-9]{1,9}) *\+ *"
"""Players may write 3+ for >=3, which needs quotes in YAML."""
COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    ">=": lambda have, want: have >= want,
    "<=": lambda have, want: have <= want,
    ">": lambda have, want: have > want,
    "<": lambda have, want: have < want,
    "==": lambda have, want: have == want,
}


def compares(have: int, wanted: Any) -> bool:
    """Whether a number is as wanted: `>=2`, `<3`, or a plain number that it must equal."""
    match = re.fullmatch(NUMBER, str(wanted))
    assert match is not None, wanted
    sign = match[1] or "=="
    return COMPARE["==" if sign == "=" else sign](have, int(match[2]))


def words(known: Callable[[Any], Sequence[str]]) -> Sort:
    """A fact that is one of some known words, which may depend on the position."""

    def never(position: Any, fact: Any, word: Any) -> Violation | None:
        could = known(position)
        if word in could:
            return None
        hint = meant(word, could, say("it can be {could}", could=either(could)))
        return Violation(say("{fact} is never {word}", fact=fact, word=repr(word)), hint=hint)

    word = fitting(lambda said: isinstance(said, str), say("expected a word"), NAME, never)
    return Sort(Many(word, numbered=False), is_among)


Numbers = Callable[[Any], Sequence[int]]
"""What a number can be, from a position on."""


def _is_number(written: Any) -> bool:
    return re.fullmatch(NUMBER, str(written)) is not None


def amount(could: Numbers, told: Callable[[Sequence[int]], Said]) -> Judged:
    """A number, or a comparison such as >=2; `told` describes the numbers it can be."""

    def never(position: Any, fact: Any, wanted: Any) -> Violation | None:
        numbers = could(position)
        if any(compares(each, wanted) for each in numbers):
            return None
        return Violation(
            say("{fact} is never {wanted}", fact=fact, wanted=wanted),
            hint=say("it is {told}", told=told(numbers)),
        )

    pattern = f"^({NUMBER}|{OR_MORE})$"
    either = any_of({"type": "integer"}, {"type": "string", "pattern": pattern})
    text = say("expected a number, or a comparison such as >=2 or 2+")
    return fitting(_is_number, text, either, never, reads=_or_more)


def _or_more(written: Any) -> Any:
    """3+ in its stored form: >=3."""
    said = isinstance(written, str) and re.fullmatch(OR_MORE, written)
    return f">={said[1]}" if said else written


def number(could: Numbers, told: Callable[[Sequence[int]], Said]) -> Sort:
    """A fact that is a number."""
    return Sort(
        amount(could, told),
        lambda position, have, wanted: compares(have, wanted),
        lambda wanted: range(-MOST, MOST + 1),
    )


def or_more(numbers: Sequence[int]) -> Said:
    """The numbers from the first of these upwards, in words."""
    return say("{number} or more", number=numbers[0])


def _said(when: Mapping[str, Any], path: Path) -> Iterator[Wanted]:
    """Every fact that a condition asks for, late ones included."""
    for key, wanted in when.items():
        if key == AFTER:
            yield from _said(wanted, (*path, key))
        else:
            yield key, wanted, (*path, key)


def is_among(position: Any, have: Any, wanted: Any) -> bool:
    """Whether a fact with one word has one of the words asked for."""
    return have in listed(wanted)


def meets(position: Any, have: Any, wanted: Any) -> bool:
    """Whether a fact with several words has at least one of the words asked for."""
    return bool(set(have) & set(listed(wanted)))


def control(
    holds: Callable[[Any, Side, str], bool],
    place: Shape,
    told: Said,
    places: Said,
    sides: Sequence[Side],
    example: str,
) -> Sort:
    """The side that controls each of some places.

    `holds` says of a position whether a side controls a place. `told` is the message for a word
    that is not a side, `places` the word for such places, and `example` one of them.
    """
    each = Each(
        place,
        Word(tuple(sides), told, either(sides)),
        say("control lists {places} and the side that controls each", places=places),
        say("{{example}: {side}}", example=example, side=sides[0]),
    )
    return Sort(
        each,
        lambda position, _, wanted: all(holds(position, side, place) for place, side in wanted),
    )


A_NUMBER = number(lambda position: range(MOST + 1), or_more)


def _flag(is_never: Callable[[Any, Any, Any], Violation | None] | None = None) -> Judged:
    return fitting(
        lambda said: isinstance(said, bool),
        say("expected yes or no"),
        any_of({"type": "boolean"}, {"enum": list(YES_NO)}),
        is_never,
        reads=lambda said: YES_NO.get(said, said) if isinstance(said, str) else said,
    )


A_FLAG = Sort(
    _flag(),
    lambda position, have, wanted: bool(have) == bool(wanted),
    lambda wanted: (True, False),
)


def _never_false(position: Any, fact: Any, wanted: Any) -> Violation | None:
    told = say("{fact}: false never applies", fact=fact)
    return None if wanted else Violation(told, hint=say("leave the clause out"))


ALWAYS = Sort(_flag(_never_false), A_FLAG.is_so, A_FLAG.could_be)
"""A flag that is always true."""
