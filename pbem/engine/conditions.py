"""Conditions of standing orders: facts of what is going on, each with what it must be.

A game says which facts there are, of what sort, and which of them are known only `late`, once
something has happened (the dice of a fight). A condition of no fact holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.engine.model import Side, Violation
from pbem.engine.shapes import Judged, Many, Path, Schema, Shape, any_of, listed
from pbem.value import value

AFTER = "after"
"""Holds a condition that is looked at once it has happened."""


@value
class Sort:
    """What a fact may be asked to be, and whether it is: position, what it is, what is wanted."""

    shape: Shape
    is_so: Callable[[Any, Any, Any], bool]


@value
class Fact:
    """A fact: its sort, and how it is seen, from the position and what is going on."""

    sort: Sort
    seen: Callable[[Any, Any], Any]


@value
class Facts:
    """What conditions can ask: at once, or only late."""

    early: Mapping[str, Fact]
    late: Mapping[str, Fact]
    has_happened: Callable[[Any], bool]
    """Whether late facts are known of what is going on."""

    def holds(self, position: Any, subject: Any, when: Mapping[str, Any]) -> bool:
        """Whether every fact that a condition names is as it says."""
        return all(self._is(position, subject, key, wanted) for key, wanted in when.items())

    def _is(self, position: Any, subject: Any, key: str, wanted: Any) -> bool:
        if (key == AFTER or key in self.late) and not self.has_happened(subject):
            return False
        if key == AFTER:
            return self.holds(position, subject, wanted)
        fact = self.early.get(key) or self.late[key]
        return fact.sort.is_so(position, fact.seen(position, subject), wanted)


@value
class Condition:
    """The shape of a condition; `late` says by the position whether late facts count in it."""

    facts: Facts
    late: Callable[[Any], bool] | bool
    why: str = "then"
    """When it is looked at, for who asks for a fact too early."""

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        late = self.late if isinstance(self.late, bool) else self.late(position)
        return self._faults(position, side, written, path, late)

    def _faults(
        self, position: Any, side: Side, written: Any, path: Path, late: bool
    ) -> Iterator[Violation]:
        if not isinstance(written, Mapping):
            yield Violation("a condition is a mapping of facts", at=path, hint="{any: true}")
            return
        facts = self.facts
        for key, wanted in written.items():
            here = (*path, key)
            if key == AFTER and late:
                yield from self._faults(position, side, wanted, here, True)
            elif (key in facts.late and not late) or key == AFTER:
                yield Violation(f"{key} is not known yet {self.why}", at=here, is_key=True)
            elif fact := facts.early.get(key) or facts.late.get(key):
                yield from fact.sort.shape.faults(position, side, wanted, here)
            else:
                known = (*facts.early, *(facts.late if late else ()))
                yield Violation(f"no condition is named {key!r}", at=here,
                                hint=f"there are {', '.join(known)}", is_key=True)  # fmt: skip

    def schema(self, shared: dict[str, Schema]) -> Schema:
        """Of a condition that may ask late facts in some games, as if it always might."""
        name = "policy.condition" if self.late is False else "policy.late_condition"
        me = {"$ref": f"#/$defs/{name}"}
        if name not in shared:
            shared[name] = {}  # the condition inside refers to it
            late = {} if self.late is False else self.facts.late
            facts = {**self.facts.early, **late}
            inside = {key: fact.sort.shape.schema(shared) for key, fact in facts.items()}
            if self.late is not False:
                inside[AFTER] = me
            shared[name] = {
                "type": "object", "properties": inside, "additionalProperties": False,
            }  # fmt: skip
        return me


# --- sorts that know no game --------------------------------------------------------------------

NUMBER = r"(>=|<=|>|<|==|=)?\s*(-?\d+)"
COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    ">=": lambda have, want: have >= want,
    "<=": lambda have, want: have <= want,
    ">": lambda have, want: have > want,
    "<": lambda have, want: have < want,
    "==": lambda have, want: have == want,
}


def compares(have: int, wanted: Any) -> bool:
    """`>=2`, `<3` or a plain number, which the fact must equal."""
    match = re.fullmatch(NUMBER, str(wanted))
    assert match is not None, wanted
    sign = match[1] or "=="
    return COMPARE["==" if sign == "=" else sign](have, int(match[2]))


def _number(position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if isinstance(written, bool) or not re.fullmatch(NUMBER, str(written)):
        yield Violation("a number, or one with a sign as >=2, is wanted", at=path)


def _flag(position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(written, bool):
        yield Violation("true or false is wanted", at=path)


def names(kind: str, known: Callable[[Any], Mapping[str, Any]] | None = None) -> Shape:
    """Names of a kind, or a single one; without `known` any word will do."""

    def judge(position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        if not isinstance(written, str) or (known is not None and written not in known(position)):
            yield Violation(f"no {kind} is named {written!r}", at=path)

    return Many(Judged(judge, {"type": "string"}), numbered=False)


def is_among(position: Any, have: Any, wanted: Any) -> bool:
    """Whether a fact that is one word is one of those."""
    return have in listed(wanted)


def meets(position: Any, have: Any, wanted: Any) -> bool:
    """Whether a fact that is several words has one of those."""
    return bool(set(have) & set(listed(wanted)))


AMOUNT = Judged(
    _number, any_of({"type": "integer"}, {"type": "string", "pattern": f"^({NUMBER})$"})
)
A_NUMBER = Sort(AMOUNT, lambda position, have, wanted: compares(have, wanted))
A_FLAG = Sort(
    Judged(_flag, {"type": "boolean"}), lambda position, have, wanted: bool(have) == bool(wanted)
)
