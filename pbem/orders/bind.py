"""From names as a player writes them to the ids of the game, and to the order.

A game declares its kinds of names in its orders, where `Annotated[str, "hex"]` is a field (or its
keys or items) that names a hex, and in its vocabulary. A field without a kind names nothing that
could be looked up. Metadata `kind` and `key` say the same.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.codec import WrittenField, fields_of, from_written, is_mapping
from pbem.engine.model import Order
from pbem.late import Late
from pbem.messages import Said, say, say_many
from pbem.orders.fields import NONE, Fitting, Names, is_word, means_something
from pbem.orders.parse import OrdersFile
from pbem.orders.shape import form_of, inside_of
from pbem.problems import Problem, Refused
from pbem.text.wording import FEW, did_you_mean, may_be, quoted, shown
from pbem.text.yamlsource import Path
from pbem.value import is_value, replace, value
from pbem.words import closest

if TYPE_CHECKING:
    from pbem.orders import unknown
else:  # most names and words are known
    unknown = Late("pbem.orders.unknown")

THERE, FIRST = "there", "first"
"""Metadata `stands` of a field that tells where the units of its order stand.

`there`: nowhere else; `first`: they are looked for there, and then anywhere. `stands_if` has, for a
word that a field may say, the kind and the id of the place where the units of the order stand then.
In a mapping from names of one kind to names of another the keys tell where what they hold stands.
"""


ONLY = "only"
"""`names.only`, where a game has it: a word for the units that a written form may mean."""


def bind(file: OrdersFile, index: int, names: Names) -> Order:
    """The order with the game's ids in it; Refused with every unknown name and word.

    Also refused where a choice is left open, since no order can come of it.
    """
    written = file.orders[index]
    if written.blanks:
        from pbem.orders.openings import open_choices

        raise Refused(*open_choices(file, index))
    binder = _Binder(file, index, names)
    plain = binder.part(written.kind, written.plain, ())
    if problems := (*binder.problems, *_unknown_words(file, index)):
        raise Refused(*problems)
    return from_written(written.kind, plain)


def written_path(file: OrdersFile, index: int, names: Names, path: Path) -> Path:
    """The path inside an order as it was written, where a name in it may stand for an id."""
    order = file.orders[index]
    inside = order.plain.get(str(path[0])) if len(path) > 1 else None
    if not isinstance(inside, Mapping) or path[1] in inside:
        return path
    keys = fields_of(order.kind)[str(path[0])].kinds[0]
    meant = (key for key in inside if keys and names.find(keys, key) == path[1])
    return (path[0], next(meant, path[1]), *path[2:])


def unknown_names(
    file: OrdersFile, names: Names, of_kind: Callable[[type[Order]], Names] | None = None
) -> tuple[Problem, ...]:
    """Every name and word of a whole file that can mean nothing at all, whatever happens before.
    Orders of some kind may name more, by `of_kind`.

    This is for the pass before the first order is resolved: a type that is not at its place now may
    be there when the order's turn comes, so only names that fit nothing anywhere are reported.
    """
    found: list[Problem] = []
    for index, written in enumerate(file.orders):
        for what in _names_of(written.kind, written.plain, ()):
            is_known = means_something(names, what.kind, what.written)
            if not is_known and of_kind is not None:
                is_known = means_something(of_kind(written.kind), what.kind, what.written)
            # A key and its value the wrong way round are one mistake, reported at the key.
            if not is_known and (what.is_key or not _is_other_way_round(names, what)):
                found.append(_unknown(file, index, names, what))
        found += _unknown_words(file, index)
    return tuple(sorted(found, key=by_place))


def by_place(problem: Problem) -> tuple[int, int]:
    """The sort key of problems as they follow one another in a file."""
    return (problem.span.line, problem.span.column) if problem.span else (0, 0)


def _unknown_words(file: OrdersFile, index: int) -> Iterator[Problem]:
    """The values of fields that take one of a few words, where they are none of them."""
    written = file.orders[index]
    for path, said, words, forms in _in_place_of_words(written.kind, written.plain, ()):
        yield Problem(
            "unknown-word",
            say("'{name}' cannot be {said}", name=path[-1], said=quoted(said)),
            file.span_of(index, path),
            hint=_instead(said, words, forms),
        )


def _instead(said: str, words: tuple[str, ...], forms: tuple[str, ...]) -> Said:
    """What to write in place of a word that a field does not take: the nearest one that it does, or
    all there is.
    """
    if not forms or closest(said, words):
        return did_you_mean(said, words)
    hint = may_be((*words, *forms))
    if unknown.is_everybody(said):
        return say("here there is no word for all of them: {hint}", hint=hint)
    return hint


def _in_place_of_words(
    kind: type, plain: Mapping[str, Any], at: Path
) -> Iterator[tuple[Path, str, tuple[str, ...], tuple[str, ...]]]:
    """Of each such value in an order or in a part of one: its path, what it says, the words, and
    the other forms it may have.
    """
    for name, field in fields_of(kind).items():
        words, said, here = field.words, plain.get(name), (*at, name)
        if isinstance(said, Mapping) and (part := _part_kind(field.hint)):
            by_name = is_mapping(field.hint)
            parts = {(*here, key): each for key, each in said.items()} if by_name else {here: said}
            for path, each in parts.items():
                if isinstance(each, Mapping):
                    yield from _in_place_of_words(part, each, path)
        elif words and isinstance(said, str) and said not in (*words, field.default):
            yield here, said, words, tuple(filter(None, map(form_of, inside_of(field.hint))))


@value
class _Place:
    """Where the units of an order are searched; nowhere else if it is `certain`."""

    name: str = ""
    kind: str = ""
    certain: bool = False


NO_NAME = ("", "")


@value
class _Name:
    """A name in an order: what it names, and its path (where it may be a key)."""

    kind: str
    written: str
    path: Path
    is_key: bool = False
    below: tuple[str, str] = NO_NAME
    """The kind of the key it is under, and that key as it is written."""
    other: tuple[str, str] = NO_NAME
    """Of a key with one name behind it, or of that name: the kind of the other, and how that is
    written."""


def _is_other_way_round(names: Names, what: _Name) -> bool:
    """Whether a key that names nothing and what is behind it, or that and its key, are names only
    if each stands in place of the other.
    """
    kind, written = what.other
    if not kind or means_something(names, *what.other):
        return False
    turned = (what.kind, written), (kind, what.written)
    return all(means_something(names, *each) for each in turned)


def _unknown(file: OrdersFile, index: int, names: Names, what: _Name) -> Problem:
    if what.is_key:
        span = file.document.key_span(file.orders[index].path(what.path))
    else:
        span = file.span_of(index, what.path)
    found = unknown.unknown(names, (what.kind, what.written), what.below, span)
    if what.is_key and _is_other_way_round(names, what):
        pair = f"{what.other[1]}: {what.written}"
        return replace(found, hint=say("write it the other way round: {pair}", pair=pair))
    return found


# ---------------------------------------------------------------- what a field names


def _part_kind(hint: Any) -> type | None:
    """The dataclass inside an annotation (also an optional one, or a list of them), if any."""
    if is_value(hint):
        return typing.cast(type, hint)
    for each in typing.get_args(hint):
        found = _part_kind(each)
        if found:
            return found
    return None


def _names_of(kind: type, plain: Mapping[str, Any], at: Path) -> Iterator[_Name]:
    """Every name in an order, or in a part of it."""
    for name, field in fields_of(kind).items():
        if name not in plain or is_word(field, plain[name]):
            continue
        part, said, here = _part_kind(field.hint), plain[name], (*at, name)
        if part and isinstance(said, Mapping):
            by_name = is_mapping(field.hint)
            yield from _of_parts(part, field.kinds[0], said, here, by_name=by_name)
        elif not part:
            yield from _leaves(said, *field.kinds, here)


def _of_parts(
    part: type, keys: str, plain: Mapping[str, Any], at: Path, *, by_name: bool
) -> Iterator[_Name]:
    """The names in a part of an order, or in several of them and in front of each."""
    if not by_name:
        yield from _names_of(part, plain, at)
        return
    for key, item in plain.items():
        if keys:
            yield _Name(keys, key, (*at, key), is_key=True)
        if isinstance(item, Mapping):
            yield from _names_of(part, item, (*at, key))


def _leaves(
    value: Any, keys: str, values: str, at: Path, below: tuple[str, str] = NO_NAME,
    other: tuple[str, str] = NO_NAME,
) -> Iterator[_Name]:  # fmt: skip
    if isinstance(value, str) and values:
        yield _Name(values, value, at, below=below, other=other)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            its = other if len(value) == 1 else NO_NAME
            yield from _leaves(item, keys, values, (*at, index), below, its)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if keys:
                held = item[0] if isinstance(item, list) and len(item) == 1 else item
                held_name = (values, held) if isinstance(held, str) else NO_NAME
                yield _Name(keys, key, (*at, key), is_key=True, other=held_name)
            yield from _leaves(item, keys, values, (*at, key), (keys, key), (keys, key))


# ---------------------------------------------------------------- binding one order


class _Binder:
    """Binds one order; a unit named earlier in it may be named by its type again."""

    def __init__(self, file: OrdersFile, index: int, names: Names) -> None:
        self.file = file
        self.index = index
        self.names = names
        self.fitting: Fitting | None = getattr(names, "fitting", None)
        self.problems: list[Problem] = []
        self.named: dict[str, list[str]] = {}

    def part(self, kind: type, plain: Mapping[str, Any], at: Path) -> dict[str, Any]:
        """The fields of an order, or of a part of it, with ids; places before units."""
        fields = {name: field for name, field in fields_of(kind).items() if name in plain}
        bound: dict[str, Any] = {}
        place = _Place()
        for name in sorted(fields, key=lambda name: _tells_places(fields[name])):
            bound[name] = self.field(fields[name], plain[name], (*at, name), place)
            place = place if place.name else _place_told(fields[name], bound[name])
        return {name: bound[name] for name in fields}

    def field(self, field: WrittenField, value: Any, at: Path, place: _Place) -> Any:
        if is_word(field, value):
            return value
        part, (keys, values) = _part_kind(field.hint), field.kinds
        if part and is_mapping(field.hint) and isinstance(value, Mapping):
            return self.mapping(
                value, keys, at, lambda id, item, here: self.parts(part, item, here)
            )
        if part:
            return self.parts(part, value, at)
        bound = self.value(value, (keys, values), at, place)
        if values:
            named = self.named.setdefault(values, [])
            named += [id for id in _texts(bound) if id not in named]
        return bound

    def parts(self, kind: type, value: Any, at: Path) -> Any:
        if isinstance(value, list):
            return [self.parts(kind, item, (*at, index)) for index, item in enumerate(value)]
        return self.part(kind, value, at) if isinstance(value, Mapping) else value

    def value(self, value: Any, kinds: tuple[str, str], at: Path, place: _Place) -> Any:
        if isinstance(value, Mapping):

            def below(id: str, item: Any, here: Path) -> Any:
                is_place = kinds[0] not in ("", kinds[1])
                return self.value(item, kinds, here, _Place(id, kinds[0]) if is_place else place)

            return self.mapping(value, kinds[0], at, below)
        if isinstance(value, list):
            if all(isinstance(item, str) for item in value):
                return self.names_of(value, kinds[1], at, place)
            return [
                self.value(item, kinds, (*at, index), place) for index, item in enumerate(value)
            ]
        return self.names_of([value], kinds[1], at, place)[0] if isinstance(value, str) else value

    def mapping(
        self, value: Mapping[str, Any], kind: str, at: Path, below: Callable[[str, Any, Path], Any]
    ) -> dict[str, Any]:
        """A mapping with names of a kind as keys; `below` binds what is behind one, from its id."""
        bound: dict[str, Any] = {}
        for key, item in value.items():
            id = self.names.find(kind, key) if kind else key
            if id is None and self.names.known(kind):
                what = _Name(kind, key, (*at, key), is_key=True)
                self.problems.append(_unknown(self.file, self.index, self.names, what))
                continue
            id = id or key
            if id in bound:
                self.problems.append(
                    Problem(
                        "doubled-name",
                        say(
                            "{key} means {id}, which is already there",
                            key=quoted(key),
                            id=shown(id),
                        ),
                        self.file.document.key_span(self.file.orders[self.index].path((*at, key))),
                    )
                )
            bound[id] = below(id, item, (*at, key))
        return bound

    def names_of(self, written: list[str], kind: str, at: Path, place: _Place) -> list[str]:
        """The ids of a list of names. Equal unit types in one list are different units."""
        if not kind or not self.names.known(kind):
            return written
        found = [name if name == NONE else self.names.find(kind, name) for name in written]
        taken = {name for name in found if name is not None}
        for index, name in enumerate(written):
            if found[index] is None:
                here = (*at, index)
                id = self.by_type(kind, (name, written.count(name)), here, (place, taken))
                found[index] = id
                taken.add(id)
        return [name or "" for name in found]

    def by_type(
        self, kind: str, name: tuple[str, int], at: Path, where: tuple[_Place, set[str]]
    ) -> str:
        """The id that a written form means here; "" after the problem was noted."""
        (written, times), (place, taken) = name, where
        groups = self.groups(kind, written, place)
        free = [[id for id in group if id not in taken] for group in groups]
        free = [group for group in free if group]
        everybody = sum(len(group) for group in groups)
        is_there = not place.name or self.stands_in(kind, written, place)
        is_clear = len(free) == 1 or (bool(free) and everybody == times)
        if is_clear and (is_there or not place.certain):
            return free[0][0]
        span = self.file.span_of(self.index, at)
        if free and not is_there:
            which = f"{getattr(self.names, ONLY, '')} {shown(written)}".strip()
            message = say("no {which} is in {place} now", which=which, place=self.called(place))
            self.problems.append(Problem("not-there", message, span, hint=_several(free)))
        elif free:
            message = say(
                "{written} fits more than one {kind}",
                written=quoted(written),
                kind=say(kind),
            )
            self.problems.append(Problem("ambiguous", message, span, hint=_several(free)))
        elif groups:
            message = say(
                "there are only {everybody} {written}, and {times} are named",
                everybody=everybody,
                written=shown(written),
                times=times,
            )
            if everybody == 1:
                message = say(
                    "there is only one {written}, and {times} are named",
                    written=shown(written),
                    times=times,
                )
            everyone = [id for group in groups for id in group]
            hint = say_many("names", "it is {names}", "they are {names}", names=tuple(everyone))
            self.problems.append(Problem("too-many", message, span, hint=hint))
        else:
            what = _Name(kind, written, at)
            self.problems.append(_unknown(self.file, self.index, self.names, what))
        return ""

    def called(self, place: _Place) -> str:
        """The printed name of a place, if it has one."""
        return shown(self.names.known(place.kind).get(place.name, place.name))

    def stands_in(self, kind: str, written: str, place: _Place) -> bool:
        """Whether a unit that the type may mean is there; ids alone are found anywhere."""
        return self.fitting is None or bool(self.fitting(kind, written, place.name))

    def groups(self, kind: str, written: str, place: _Place) -> list[list[str]]:
        """The units a type may mean: of those named already, else at the place, else anywhere."""
        if self.fitting is None:
            return []
        anywhere = self.fitting(kind, written, "")
        before = self.named.get(kind, [])
        named = [[id for id in group if id in before] for group in anywhere]
        at_place = self.fitting(kind, written, place.name) if place.name else ()
        for groups in (named, at_place, anywhere):
            kept = [list(group) for group in groups if group]
            if kept:
                return kept
        return []


def _tells_places(field: WrittenField) -> int:
    """The sort key of a field: those that say where the units are, then words, then the rest."""
    return 0 if "stands" in field.metadata else 1 if "stands_if" in field.metadata else 2


def _place_told(field: WrittenField, bound: Any) -> _Place:
    """The place where a field says the units of its order are, if it does."""
    if "stands_if" in field.metadata:
        kind, id = field.metadata["stands_if"].get(bound, ("", ""))
        return _Place(id, kind, certain=True)
    stands = field.metadata.get("stands")
    if stands is None:
        return _Place()
    return _Place(_first(bound), field.kinds[1], stands == THERE)


def _several(groups: list[list[str]]) -> Said:
    """The possible meanings of a unit type: an id from each place, in a short list."""
    ids = [group[0] for group in groups]
    if len(ids) <= FEW:
        return may_be(id for group in groups for id in group[:3])
    few = ", ".join(ids[:FEW])
    return say("say where it is, or name it: {few} and so on", few=few)


def _first(value: Any) -> str:
    texts = _texts(value)
    return texts[0] if texts else ""


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for item in value.values() for text in _texts(item)]
    return [text for item in value for text in _texts(item)] if isinstance(value, list) else []
