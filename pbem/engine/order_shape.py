"""Orders that are in a standing policy: whole orders of the game, as players write them."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from pbem.engine.codec import Misfit, fields_of, from_plain, is_mapping
from pbem.engine.conditions import Condition
from pbem.engine.mentions import named_in
from pbem.engine.model import Order, Side, Violation
from pbem.engine.naming import NameFinder
from pbem.engine.shapes import NAMELESS, Judge, Path, Schema, Shape, any_of, at, closed, meant
from pbem.engine.waiting import WHEN
from pbem.messages import Either, Said, say
from pbem.value import is_value, value
from pbem.words import YES_NO, as_written


@value
class AnOrder(Shape):
    """The shape of an order of one of some verbs, with a `when` next to it.

    Names are those of the game; whether the order is legal is judged only when its turn comes.
    """

    verbs: Mapping[str, type[Order]]
    when: Condition
    known: Callable[[Any], Mapping[str, Collection[str]]]
    """All ids of a kind of names, by the position."""
    never: Judge | None = None
    """Finds what in an order that was read can have no effect, with its path in what was
    written."""
    vouched: Collection[str] = ()
    """The fields that its author's program may write into a sealed document. Any other of the
    fields that a program writes with orders has no place here: it says what was done in the same
    entry, and nothing is done in front of a standing order.
    """

    def read(self, plain: Mapping[str, Any]) -> Order:
        """The order that was written; it has no faults."""
        ((verb, said),) = ((key, each) for key, each in plain.items() if key != WHEN)
        return from_plain(self.verbs[verb], said)

    def bound(self, names: NameFinder, written: Any) -> Any:
        if written in self._alone():
            return {written: {}}
        if not isinstance(written, Mapping):
            return written
        found = {}
        for key, said in self._folded(written).items():
            kind = self.verbs.get(key)
            inside = _bound(kind, names, said) if kind else said
            found[key] = self.when.bound(names, said) if key == WHEN else inside
        return found

    def _folded(self, written: Mapping[str, Any]) -> Mapping[str, Any]:
        """The order with the fields moved inside that were written next to its verb."""
        verbs = [key for key in written if key in self.verbs]
        inside = written[verbs[0]] if len(verbs) == 1 else None
        if not isinstance(inside, Mapping):
            return written
        known = fields_of(self.verbs[verbs[0]])
        beside = {key: said for key, said in written.items() if key in known and key not in inside}
        rest = {key: said for key, said in written.items() if key not in beside}
        return {**rest, verbs[0]: {**inside, **beside}}

    def vain(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        if WHEN in written:
            yield from self.when.vain(position, side, written[WHEN], (*path, WHEN))
        if self.never is not None:
            yield from at(path, self.never(position, side, self.read(written)))

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        verbs = [key for key in written if key != WHEN] if isinstance(written, Mapping) else []
        if len(verbs) != 1 or verbs[0] not in self.verbs:
            if isinstance(written, str) and written in self.verbs:
                hint = say("write {usage}", usage=self._usage(written))
                yield Violation(
                    say("{written} needs more than its name", written=written), path, hint=hint
                )
                return
            known = say("it begins with {verbs}", verbs=Either(tuple(self.verbs)))
            told: Said = say("expected one order")
            near: Said = known
            if len(verbs) == 1:
                told = say("an order here cannot begin with {verb}", verb=repr(verbs[0]))
                near = meant(verbs[0], self.verbs, known)
            yield Violation(told, path, hint=near)
            return
        if WHEN in written:
            yield from self.when.faults(position, side, written[WHEN], (*path, WHEN))
        verb, here = verbs[0], (*path, verbs[0])
        try:
            order = from_plain(self.verbs[verb], written[verb])
        except Misfit as misfit:
            yield Violation(misfit.message, (*here, *misfit.path))
            return
        for name in self._by_program(verb, written[verb]):
            yield Violation(
                say("{field} cannot be in standing orders: the program writes it with orders",
                    field=name), (*here, name), hint=say("leave it out"),
            )  # fmt: skip
        known_names = self.known(position)
        for each in named_in(order, here):
            names = known_names.get(each.kind, (each.name,))
            if each.name and each.name not in names:
                told = say(NAMELESS, kind=say(each.kind), name=repr(each.name))
                near = meant(each.name, names, "")
                yield Violation(told, each.at, hint=near, is_key=each.is_key)

    def _by_program(self, verb: str, said: Mapping[str, Any]) -> Iterator[str]:
        """The fields of a written order that only a program writes, and none in documents."""
        for name, each in fields_of(self.verbs[verb]).items():
            if each.metadata.get("by_program") and name in said and name not in self.vouched:
                yield name

    def schema(self, shared: dict[str, Schema]) -> Schema:
        """It refers to the orders of the same file."""
        orders: Schema = {verb: {"$ref": f"#/$defs/{verb}"} for verb in self.verbs}
        whole = closed({**orders, WHEN: self.when.schema(shared)})
        return any_of({"enum": self._alone()}, whole)

    def _usage(self, verb: str) -> str:
        """An order of the verb with what it needs, as it may be written in a list."""
        known = fields_of(self.verbs[verb])
        inside = ", ".join(f"{name}: ..." for name, each in known.items() if each.is_needed)
        return f"{{{verb}: {{{inside}}}}}"

    def _alone(self) -> list[str]:
        """The verbs that need no fields."""
        return [verb for verb, kind in self.verbs.items()
                if kind.stands_alone or not fields_of(kind)]  # fmt: skip


def _of_union(hint: Any, said: Any) -> Any:
    """The type of a part of an order that may also be a word: the one of the two that was
    written.
    """
    kinds = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    return next((kind for kind in kinds if is_value(kind) == isinstance(said, Mapping)), hint)


def _bound(hint: Any, names: NameFinder, said: Any) -> Any:
    """What was written for a hint, with ids for names; a single value becomes a list where one is
    due, and a mapping pairs in the order of their ids.
    """
    hint = _of_union(hint, said)
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        if not isinstance(said, str | int) or isinstance(said, bool):
            return said
        text = as_written(said)
        return names.find(inside[1], text) or text
    if origin is tuple:
        items = said if isinstance(said, list | tuple) else [said]
        return [_bound(inside[0], names, each) for each in items]
    if is_mapping(hint):
        if not isinstance(said, Mapping):
            return said
        pairs = [[_bound(inside[0], names, key), _bound(inside[1], names, each)]
                 for key, each in said.items()]  # fmt: skip
        return sorted(pairs, key=lambda pair: str(pair[0]))
    if is_value(hint) and isinstance(said, Mapping):
        known = fields_of(hint)
        return {
            key: _bound(known[key].hint, names, each) if key in known else each
            for key, each in said.items()
        }
    return YES_NO.get(said, said) if hint is bool and isinstance(said, str) else said
