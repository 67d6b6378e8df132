"""An order put together by pointing: what a click adds, and what the engine says of it.

Nothing here knows a game. What may be pointed at are the choices that forms are made from; what
fits is what the engine accepts; where nothing fits, the engine says why.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from pbem.engine.choices import Amount, Choice, OneOf, SomeOf, every
from pbem.engine.codec import bare, fields_of, is_mapping, to_written
from pbem.engine.model import Decision, Order
from pbem.engine.naming import respelt
from pbem.engine.picture import Scene
from pbem.engine.tags import is_tag
from pbem.orders.bind import bind
from pbem.orders.parse import parse
from pbem.orders.spelling import spelt, spelt_decision
from pbem.orders.written import bare_line, in_order, written_fields
from pbem.play.table import Illegal, Table, as_problem
from pbem.problems import Problem, Refused
from pbem.text.source import Source
from pbem.value import is_value, replace, value

Said = Mapping[str, Any]
"""Fields of an order by the names players write, with plain values."""

ONE, MANY, BY_ONE, BY_MANY, FLAG, NUMBER, PART = (
    "one", "many", "by one", "by many", "flag", "number", "part",
)  # fmt: skip
"""What a field holds: a word, several, a word or several by a name each, yes or no, a number, or a
part of an order that is written by hand or taken as a whole."""
EMPTY: tuple[Any, ...] = ("", [], {}, None)
"""What is not written."""
MOST_TRIED, FEW_TRIED = 40, 6
"""How many ways to complete an order are tried, and how many values for a field."""


@value
class OrderField:
    """A field of an order, and its possible values."""

    name: str
    shape: str
    kind: str = ""
    """What its values name: a kind of names of the game, or nothing."""
    keys: str = ""
    words: tuple[str, ...] = ()
    is_needed: bool = False


@value
class Gesture:
    """An order in the making.

    `slot` is the field the next click is meant for, empty for the first that wants one; `at` the
    space that was pointed at last; `picked` the unit that is next to be given a place.
    """

    verb: str
    said: Said
    slot: str = ""
    at: str = ""
    picked: str = ""


@value
class Verdict:
    """The engine's verdict on a gesture. A complete order has no field `missing`."""

    problems: tuple[Problem, ...] = ()
    missing: tuple[str, ...] = ()
    order: Order | None = None
    against: tuple[Problem, ...] = ()
    """What the engine has against a click that was not taken."""

    @property
    def is_legal(self) -> bool:
        """Whether it may be ordered as it is."""
        return self.order is not None and not self.problems


class Pointing:
    """One verb of a question: what can be pointed at, and what follows."""

    def __init__(self, table: Table, decision: Decision, verb: str, scene: Scene, area: str):
        self.kind: type[Order] = next(
            each.order for each in decision.options if each.order.verb == verb
        )
        # By the kind of order, since some name counters of the enemy that no other may name.
        names = table.system.names(table.state, decision.side, self.kind, answering=False)
        self._table, self._names, self._scene, self._area = table, names, scene, area
        self._side = decision.side
        spelled = spelt_decision(decision, names)
        self._options = [each for each in spelled.options if each.order.verb == verb]
        self.slots = {slot.name: slot for slot in _slots(self.kind)}
        self._verdicts: dict[str, Verdict] = {}
        self._places: dict[tuple[str, str], tuple[str, ...]] = {}

    # --- what is offered ------------------------------------------------------------------------

    @cached_property
    def _choices(self) -> dict[str, Choice]:
        return {
            name: choice
            for option in self._options
            for name, field in fields_of(self.kind).items()
            if (choice := option.fields.get(field.name)) is not None
        }

    @cached_property
    def _rows(self) -> tuple[Mapping[str, tuple[Any, ...]], ...]:
        """For each example the plain values that may be in its fields."""
        return tuple(
            {
                name: tuple(
                    to_written(each)
                    for each in example.others.get(
                        field.name, (getattr(example.order, field.name),)
                    )
                )
                for name, field in fields_of(self.kind).items()
            }
            for option in self._options
            for example in (option.examples(every) if option.examples else ())
        )

    def _fitting(self, said: Said, but: str = "") -> list[Mapping[str, tuple[Any, ...]]]:
        """The examples that agree with everything given, except in one field."""
        return [
            row
            for row in self._rows
            if all(
                name == but or any(self._agree(name, each, given) for each in row[name])
                for name, given in said.items()
            )
        ]

    def _agree(self, name: str, one: Any, other: Any) -> bool:
        """Whether two values of a field mean the same: units in any order, but paths in theirs."""
        return _same(one, other) if self.slots[name].kind != self._area else bool(one == other)

    def offered(self, said: Said, name: str) -> list[Any]:
        """The values offered for a field, given the other fields."""
        choice = self._choices.get(name)
        if isinstance(choice, OneOf | SomeOf):
            found = [to_written(each) for each in choice.values]
        elif isinstance(choice, Amount):
            found = list(range(choice.least, choice.most + 1))
        else:
            found = self._told_by_rows(said, name)
        slot = self.slots[name]
        found = found or list(slot.words)
        if slot.shape == FLAG:
            said_so = self.judged(Gesture(self.kind.verb, {**said, name: True}))
            found = [True] if name in said or said_so.is_legal else []
        if slot.shape == MANY and slot.kind not in ("", self._area):
            found = [text for each in found for text in _texts(each)]
        unique = {in_order(each): each for each in found if each not in ("", [], {}, None)}
        return list(unique.values())

    def _told_by_rows(self, said: Said, name: str) -> list[Any]:
        """The values of a field in the examples; where none agrees with everything given, those of
        examples with the same single names, as far as the engine accepts them.
        """
        fitting = self._fitting(said, name)
        if fitting or not self._rows:
            return [each for row in fitting for each in row[name]]
        single = {each: said[each] for each in said if self.slots[each].shape == ONE}
        near = [each for row in self._fitting(single, name) for each in row[name]][:FEW_TRIED]
        verb = self.kind.verb
        return [
            each
            for each in near
            if each and self.judged(Gesture(verb, {**said, name: each})).is_legal
        ]

    def wanted(self, gesture: Gesture) -> str:
        """The field that the next click is meant for."""
        if gesture.slot in self.slots:
            return gesture.slot
        for slot in self.slots.values():
            if slot.is_needed and slot.name not in gesture.said:
                return slot.name
        pointed = [each for each in self.slots.values() if self._is_pointed(each)]
        lists = [each.name for each in pointed if each.is_needed and each.shape != ONE]
        return lists[-1] if lists else next((each.name for each in pointed), "")

    def _is_pointed(self, slot: OrderField) -> bool:
        """Whether a field is filled by pointing at the map: it names spaces or units."""
        return bool(slot.keys) or slot.kind not in ("", self._held)

    @cached_property
    def _held(self) -> str:
        """The kind of what is held in a hand: nothing of it lies on the map, or beside it."""
        piece = self._table.system.words.piece
        known, scene = self._names.known(piece), self._scene
        seen = [each for place in scene.places.values() for each in place.units]
        seen += [each for camp in scene.camps for _, units in camp.boxes for each in units]
        return "" if any(each.id in known for each in seen) else piece

    def lit(self, gesture: Gesture) -> list[str]:
        """The spaces that can be clicked for the field that is being filled in."""
        name = self.wanted(gesture)
        if not name:
            return []
        slot, found = self.slots[name], dict[str, None]()
        if self._gives_places(slot):
            return list(self._where_to(gesture, name))
        for each in self.offered(gesture.said, name):
            found |= dict.fromkeys(self._spaces(slot, each))
        if slot.kind == self._area and slot.shape == MANY and gesture.said.get(name):
            found |= dict.fromkeys(self._next_steps(gesture, name))
        return list(found)

    def _gives_places(self, slot: OrderField) -> bool:
        """Whether a field gives each of some units a place."""
        return bool(slot.keys) and slot.keys != self._area and slot.kind == self._area

    def _where_to(self, gesture: Gesture, name: str) -> tuple[str, ...]:
        """The possible places of the next unit, with the others as they are or as in an example.
        Found once: the next click asks for the same.
        """
        unit = gesture.picked or self._next_unit(gesture, name)
        asked = self.line(gesture.said), unit
        if asked not in self._places:
            self._places[asked] = tuple(self._legal_places(gesture.said, name, unit))
        return self._places[asked]

    def _legal_places(self, said: Said, name: str, unit: str) -> Iterator[str]:
        """The places where a unit may be put. The order is written and read for one of them alone,
        for there may be hundreds.
        """
        places, slot = self._scene.places, self.slots[name]
        given = {**said.get(name, {}), unit: next(iter(places))}
        whole = self._as_in_an_example({**said, name: given}, name)
        if whole is None:
            return
        try:
            order = self._bound(self.line(whole))
        except Refused:
            return
        field, id = fields_of(self.kind)[name].name, self._names.find(slot.keys, unit)
        for place in places:
            there = {**getattr(order, field), id: self._names.find(slot.kind, place)}
            if not self._table.against(replace(order, **{field: there})):
                yield place

    def _as_in_an_example(self, said: Said, name: str) -> Said | None:
        """An order with the units that it gives no place yet, and its other fields, as an example
        has them.
        """
        for row in self._rows:
            for each in row[name]:
                if said[name].keys() <= each.keys():
                    rest = {one: some[0] for one, some in row.items()
                            if some and some[0] not in EMPTY}  # fmt: skip
                    return {**rest, **said, name: {**each, **said[name]}}
        return None

    def _spaces(self, slot: OrderField, offered: Any) -> list[str]:
        """The spaces to click for a value."""
        if slot.keys == self._area:
            return list(offered)
        if slot.kind == self._area:
            return [offered] if isinstance(offered, str) else list(offered)[-1:]
        if slot.kind and not slot.keys:
            units = {offered} if isinstance(offered, str) else set(offered)
            return [place for place in self._scene.places if units & set(self._units(place))]
        return []

    def _next_steps(self, gesture: Gesture, name: str) -> Iterator[str]:
        """The possible next steps of a path, each judged by the engine."""
        path = gesture.said[name]
        for place in self._scene.places:
            if place not in path and place in self._beside(path[-1]):
                longer = replace(gesture, said={**gesture.said, name: [*path, place]})
                if self.judged(longer).is_legal:
                    yield place

    @cached_property
    def _links(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for row in self._rows:
            for values in row.values():
                for path in values:
                    if isinstance(path, list):
                        for a, b in pairwise(path):
                            found.setdefault(a, set()).add(b)
        return found

    def _beside(self, place: str) -> set[str]:
        return self._links.get(place, set())

    def _units(self, place: str) -> list[str]:
        """The units in a space of the side that is asked."""
        there = self._scene.places.get(place)
        units = there.units if there else ()
        return [each.id for each in units if each.id and each.side == self._side]

    def _next_unit(self, gesture: Gesture, name: str) -> str:
        """The first unit that is still to be given a place."""
        given = gesture.said.get(name, {})
        return next((unit for unit in self.units_to_place(name) if unit not in given), "")

    def units_to_place(self, name: str) -> list[str]:
        """The units that a field wants a place of."""
        return list(dict.fromkeys(
            unit for row in self._rows for each in row[name] for unit in each
        ))  # fmt: skip

    def is_sound(self, gesture: Gesture) -> bool:
        """Whether every field that is said is one, with a value of its shape."""
        return all(
            name in self.slots and _fits(self.slots[name].shape, given)
            for name, given in gesture.said.items()
        )

    # --- what is judged -------------------------------------------------------------------------

    def judged(self, gesture: Gesture) -> Verdict:
        """The engine's verdict on the order so far."""
        line = self.line(gesture.said)
        if line not in self._verdicts:
            self._verdicts[line] = self._judged(gesture.said, line)
        return self._verdicts[line]

    def _judged(self, said: Said, line: str) -> Verdict:
        missing = tuple(
            slot.name for slot in self.slots.values() if slot.is_needed and slot.name not in said
        )
        if missing:
            return Verdict((), missing)
        try:
            order = self._bound(line)
        except Refused as refused:
            return Verdict(tuple(map(_placeless, refused.problems)))
        try:
            self._table.take(order)
        except Illegal as illegal:
            return Verdict(tuple(map(as_problem, illegal.violations)), (), order)
        return Verdict((), (), order)

    def _bound(self, line: str) -> Order:
        """The order that a line says. Raises Refused where it says none."""
        table = self._table
        file = parse(Source("order", f"orders:\n  - {line}\n"), table.system.verbs)
        names = table.system.names(table.state, self._side, self.kind, answering=True)
        return bind(file, 0, names)

    def line(self, said: Said) -> str:
        """The order as it is written, in one line."""
        ordered = {name: said[name] for name in self.slots if name in said}
        return f"{self.kind.verb}: {in_order(ordered)}" if ordered else bare_line(self.kind)

    def written(self, order: Order) -> dict[str, Any]:
        """The fields of a legal order as players write them: counters face down by name, too."""
        return written_fields(spelt(respelt(order, self._face), self._names))

    def _face(self, kind: str, name: str) -> str:
        """The name of a counter by its tag, where this player knows it."""
        return self._names.known(kind).get(name, name) if is_tag(name) else name

    # --- what a click does ----------------------------------------------------------------------

    def clicked(self, gesture: Gesture, place: str) -> tuple[Gesture, Verdict]:
        """The order after a click on a space, or on what is there."""
        is_offered = place in self.lit(gesture)
        ways = list(self._with_place(gesture, place))
        return self._best(gesture, ways, at=place, is_kept=is_offered)

    def chosen(self, gesture: Gesture, name: str, given: Any) -> tuple[Gesture, Verdict]:
        """The order with a value in a field; a second time removes it."""
        slot = self.slots.get(name)
        if slot is None or not (isinstance(given, str) or _fits(slot.shape, given)):
            return gesture, self.judged(gesture)
        if self._gives_places(slot) and isinstance(given, str):
            return replace(gesture, picked=given, slot=name), self.judged(gesture)
        before = gesture.said.get(name)
        if slot.shape == MANY and isinstance(given, str):
            changed: Any = _toggled(before or [], [given])
        elif before is not None and _same(before, given):
            changed = None
        else:
            changed = given
        return self._best(gesture, [_put(gesture.said, name, changed)], at=gesture.at, slot=name)

    def _best(
        self, gesture: Gesture, ways: Sequence[Said], *, at: str, slot: str | None = None,
        is_kept: bool = True,
    ) -> tuple[Gesture, Verdict]:  # fmt: skip
        """The first of several meanings of a click that the engine accepts.

        Where it accepts none, the first one stays only if it `is_kept`.
        """
        slot = gesture.slot if slot is None else slot
        made = [Gesture(gesture.verb, said, slot, at) for said in ways]
        for each in made:
            verdict = self.judged(each)
            if verdict.is_legal or (verdict.missing and self._is_open(each.said)):
                return each, verdict
        for each in made:
            completed = self._completed(each)
            if completed is not None:
                return completed, self.judged(completed)
        if not made:
            return replace(gesture, at=at), self.judged(gesture)
        first = made[0]
        against = self._why_not(first)
        if is_kept:
            return first, replace(self.judged(first), problems=against)
        return replace(gesture, at=at), replace(self.judged(gesture), against=against)

    def _is_open(self, said: Said) -> bool:
        """Whether the order so far is the beginning of something offered, as far as known."""
        if not self._rows:
            return all(
                name not in self._choices or self._offers(name, given)
                for name, given in said.items()
            )
        return bool(self._fitting(said)) or all(
            self._is_somewhere(name, given) for name, given in said.items()
        )

    def _is_somewhere(self, name: str, given: Any) -> bool:
        """Whether some example has the value, or at least has each thing it names."""
        values = [each for row in self._rows for each in row[name]]
        if isinstance(given, list) and self.slots[name].kind != self._area:
            return all(any(one in each for each in values) for one in given)
        return any(_within(given, each) for each in values)

    def _offers(self, name: str, given: Any) -> bool:
        offered = self.offered({}, name)
        return given in offered or (
            isinstance(given, list) and all(each in offered for each in given)
        )

    def _completed(self, gesture: Gesture) -> Gesture | None:
        """The order, with its empty fields filled from an example."""
        for row in self._fitting(gesture.said)[:MOST_TRIED]:
            rest = {
                name: values[0]
                for name, values in row.items()
                if name not in gesture.said and values and values[0] not in EMPTY
            }
            named = {name: rest[name] for name in rest if self.slots[name].kind}
            for more in (named, rest):
                fuller = replace(gesture, said={**more, **gesture.said})
                if self.judged(fuller).is_legal:
                    return fuller
        return None

    def _why_not(self, gesture: Gesture) -> tuple[Problem, ...]:
        """What the engine has against an order, also where it is not whole yet."""
        for name, slot in self.slots.items():
            if self._gives_places(slot) and name in gesture.said:
                whole = self._as_in_an_example(gesture.said, name)
                told = self.judged(Gesture(gesture.verb, whole)) if whole is not None else None
                if told is not None and told.problems:
                    return told.problems
        verdict = self.judged(gesture)
        if verdict.problems or not verdict.missing:
            return verdict.problems
        for row in self._rows:
            if all(row[name] for name in verdict.missing):
                rest = {name: row[name][0] for name in verdict.missing}
                told = self.judged(replace(gesture, said={**gesture.said, **rest}))
                if told.problems:
                    return told.problems
        return ()

    def _with_place(self, gesture: Gesture, place: str) -> Iterator[Said]:
        """Every meaning of a click on a space, the likeliest first."""
        wanted = self.wanted(gesture)
        for name in dict.fromkeys((wanted, *self.slots)):
            if name and self.slots[name].kind != self._held:
                yield from self._in_slot(gesture, self.slots[name], place)

    def _in_slot(self, gesture: Gesture, slot: OrderField, place: str) -> Iterator[Said]:
        said, name = gesture.said, slot.name
        before = said.get(name)
        if slot.keys == self._area and slot.shape == BY_MANY:
            there = dict(before or {})
            units = self._offered_at(said, name, place)
            if there.pop(place, None) is None and units:
                there[place] = units
            if units:
                yield _put(said, name, there)
        elif self._gives_places(slot):
            unit = gesture.picked or self._next_unit(gesture, name)
            if unit:
                yield _put(said, name, {**(before or {}), unit: place})
        elif slot.kind == self._area and slot.shape == ONE:
            yield _put(said, name, None if before == place else place)
        elif slot.kind == self._area and slot.shape == MANY:
            yield from self._along(gesture, slot, place)
        elif slot.kind and not slot.keys:
            units = self._of_slot(said, slot, place)
            if units and slot.shape == MANY:
                yield _put(said, name, _toggled(before or [], units))
            elif units and slot.shape == ONE:
                after = (
                    units[(units.index(before) + 1) % len(units)] if before in units else units[0]
                )
                yield _put(said, name, after)

    def _along(self, gesture: Gesture, slot: OrderField, place: str) -> Iterator[Said]:
        """A list of spaces with one more, or fewer; a path as it is offered, or one step
        further.
        """
        said, name = gesture.said, slot.name
        before = list(said.get(name) or ())
        if place in before:
            yield _put(said, name, [each for each in before if each != place])
            return
        if name in self._choices and isinstance(self._choices[name], SomeOf):
            yield _put(said, name, [*before, place])
            return
        offered = [each for each in self.offered(said, name) if isinstance(each, list)]
        begun = [each for each in offered if each[: len(before)] == before]
        for ways in (begun, offered):
            for path in sorted((each for each in ways if each[-1:] == [place]), key=len):
                yield _put(said, name, path)
        yield _put(said, name, [*before, place])
        start = self._stand(said)
        if not before and start and start != place:
            yield _put(said, name, [start, place])

    def _stand(self, said: Said) -> str:
        """The spaces of the units that were named."""
        named = {each for given in said.values() for each in _texts(given)}
        return next((p for p in self._scene.places if named & set(self._units(p))), "")

    def _of_slot(self, said: Said, slot: OrderField, place: str) -> list[str]:
        """The units of a space that may be meant: the largest group in an example, otherwise those
        offered, otherwise all of the side's own.
        """
        here = self._scene.places.get(place)
        standing = [each.id for each in here.units if each.id] if here else []
        rows = self._fitting(said, slot.name)
        together: list[list[str]] = [
            each for row in rows for each in row[slot.name]
            if isinstance(each, list) and each and all(unit in standing for unit in each)
        ]  # fmt: skip
        if together and slot.name not in said:
            return max(together, key=len)
        offered = {text for each in self.offered(said, slot.name) for text in _texts(each)}
        return [each for each in standing if each in offered] or self._units(place)

    def _offered_at(self, said: Said, name: str, place: str) -> list[str]:
        """The units of a space, as an example has them there, or all of the side's own."""
        for row in (*self._fitting(said, name), *self._rows):
            for each in row[name]:
                if place in each:
                    return list(each[place])
        return self._units(place)


# --- fields -------------------------------------------------------------------------------------


def _slots(kind: type) -> Iterator[OrderField]:
    for name, field in fields_of(kind).items():
        keys, values = field.kinds
        yield OrderField(name, _shape(field.hint), values, keys, field.words, field.is_needed)


def _shape(hint: Any) -> str:
    hint = bare(hint)
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if is_mapping(hint):
        return BY_MANY if _shape(inside[1]) == MANY else BY_ONE
    if origin in (tuple, frozenset):
        return PART if _shape(inside[0]) == PART else MANY
    if is_value(hint) or any(is_value(each) for each in inside):
        return PART
    return {bool: FLAG, int: NUMBER}.get(hint, ONE)


def _fits(shape: str, given: Any) -> bool:
    """Whether a plain value has a shape; what a part holds is left to the reader of orders."""
    if shape == MANY:
        return isinstance(given, list) and all(isinstance(each, str | int) for each in given)
    if shape == BY_ONE:
        return isinstance(given, dict) and all(isinstance(x, str) for x in given.values())
    if shape == BY_MANY:
        return isinstance(given, dict) and all(_fits(MANY, x) for x in given.values())
    if shape in (FLAG, NUMBER):
        return isinstance(given, int)
    return shape == PART or isinstance(given, str | int)


def _put(said: Said, name: str, given: Any) -> Said:
    """The fields with one changed; an empty value removes it."""
    rest = {each: old for each, old in said.items() if each != name}
    return rest if given in (None, "", [], {}) else {**rest, name: given}


def _toggled(before: Sequence[str], names: Sequence[str]) -> list[str]:
    """The list without the names if all of them are there, otherwise with them."""
    if all(name in before for name in names):
        return [each for each in before if each not in names]
    return [*before, *(name for name in names if name not in before)]


def _same(one: Any, other: Any) -> bool:
    """Whether two values mean the same; the order of names in a list does not matter."""
    if isinstance(one, list) and isinstance(other, list):
        return one == other or (
            len(one) == len(other) and sorted(map(in_order, one)) == sorted(map(in_order, other))
        )
    return bool(one == other)


def _within(part: Any, whole: Any) -> bool:
    """Whether a value may be the beginning of another: some of its names, some of its keys."""
    if isinstance(part, list) and isinstance(whole, list):
        return all(each in whole for each in part)
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and _within(each, whole[key]) for key, each in part.items())
    return bool(part == whole)


def _texts(given: Any) -> list[str]:
    """Every text in a plain value, keys apart."""
    if isinstance(given, str):
        return [given]
    inside = given.values() if isinstance(given, Mapping) else given
    if isinstance(inside, list | tuple) or isinstance(given, Mapping):
        return [text for each in inside for text in _texts(each)]
    return []


def _placeless(problem: Problem) -> Problem:
    return replace(problem, span=None)
