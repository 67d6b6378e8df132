"""Shapes: how a clause may be written, declared once for its checks and for its schema.

A shape finds the faults of a value and gives its JSON Schema, so the two can disagree only on what
depends on the table (which card is held, which spaces there are). Values are plain data from a
player's YAML, or from a game file, where they may be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.codec import Misfit, from_plain
from pbem.engine.model import Side, Violation
from pbem.engine.naming import NameFinder
from pbem.messages import Either, Said, either, marked, say
from pbem.value import replace, value
from pbem.words import as_written, closest

Path = tuple[str | int, ...]
Schema = dict[str, Any]
Judge = Callable[[Any, Side, Any], Iterator[Violation]]
"""The faults of a value, by the position its author sees, and for their side.

The path of a fault begins at the value; callers put the value's own path in front.
"""

NAME: Mapping[str, Any] = {"type": "string"}
A_NAME: Mapping[str, Any] = {"type": ["string", "integer"]}
"""The name of a thing of a game: it may look like a number."""
ANYTHING: Mapping[str, Any] = {}


class Shape:
    """How a value may be written.

    A shape says what its parts are. Names are bound, faults are found, and what has no effect is
    found by going through these parts.
    """

    def within(self, written: Any) -> Iterable[tuple[Path, Shape, Any]]:
        """The parts of a value without faults: the path of each from here, its shape, and what is
        said there.
        """
        return ()

    def bound(self, names: NameFinder, written: Any) -> Any:
        """What was written, with the game's ids for its names.

        A name that YAML reads as a number becomes its text. A value of another form is left as it
        is.
        """
        return written

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        """The faults of a value; never raises."""
        for place, shape, said in self.within(written):
            yield from shape.faults(position, side, said, (*path, *place))

    def vain(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        """The parts of a value without faults that can never have any effect, from this position
        on.
        """
        for place, shape, said in self.within(written):
            yield from shape.vain(position, side, said, (*path, *place))

    def schema(self, shared: dict[str, Schema]) -> Schema:
        """Its JSON Schema. Definitions used often go into `shared`, by name, and are referred
        to.
        """
        raise NotImplementedError


class Alternative(Shape):
    """One of some shapes, chosen by what is written."""

    def of(self, written: Any) -> Shape | None:
        """The shape that is meant by what is written; None where nothing is left to judge."""
        raise NotImplementedError

    def within(self, written: Any) -> Iterable[tuple[Path, Shape, Any]]:
        shape = self.of(written)
        return () if shape is None else (((), shape, written),)

    def bound(self, names: NameFinder, written: Any) -> Any:
        shape = self.of(written)
        return written if shape is None else shape.bound(names, written)


def does_nothing(path: Path) -> Violation:
    """Faults of an empty list where only a list with items means anything."""
    return Violation(say("an empty list has no effect"), path, hint=say("leave it out"))


def twice(items: Sequence[Any], path: Path) -> Iterator[Violation]:
    """What is in a list twice."""
    for place, each in enumerate(items):
        if each in items[:place]:
            told = say("this line is listed twice")
            if isinstance(each, str):
                told = say("{name} is named twice", name=repr(each))
            yield Violation(told, (*path, place))


def unreached(
    clauses: Sequence[Any], ends: Callable[[Any], bool], told: Said
) -> Iterator[Violation]:
    """The clauses of a list after the first that always holds."""
    for place in range(1, len(clauses)):
        if any(map(ends, clauses[:place])):
            yield Violation(say("{told}, so this is never reached", told=told), (place,))


def listed(written: Any) -> tuple[Any, ...]:
    """One value or a list of them, as a tuple."""
    return tuple(written) if isinstance(written, list | tuple) else (written,)


def bound_fields(fields: Mapping[str, Shape], names: NameFinder, written: Any) -> Any:
    """A mapping whose fields are bound by their own shapes."""
    if not isinstance(written, Mapping):
        return written
    return {
        key: fields[key].bound(names, said) if key in fields else said
        for key, said in written.items()
    }


NO_FIELD = marked("no field {key} here")


def unknown_keys(
    written: Iterable[str], known: Collection[str], path: Path, told: str = NO_FIELD
) -> Iterator[Violation]:
    """The unknown fields of a mapping; `told` is the message, with a gap for the field."""
    for key in written:
        if key not in known:
            hint = meant(key, known, _may_be(known))
            yield Violation(say(told, key=repr(key)), (*path, key), hint=hint, is_key=True)


def meant(written: Any, known: Iterable[str], told: Said) -> Said:
    """A hint for an unknown word: the nearest known one, or else `told`."""
    near = closest(str(written), known)
    return say("did you mean {near}?", near=either(near)) if near else told


def _may_be(known: Collection[str]) -> Said:
    return say("it may be {names}", names=either(tuple(known))) if known else ""


def _in_its_line(path: Path, hint: Said) -> Said:
    """A hint that is only an example of a value, with the name of the field before it."""
    field = path[-1] if path else 0
    if str(hint)[:1] not in ("[", "{") or not isinstance(field, str):
        return hint
    return say("write for example {line}", line=say("{field}: {value}", field=field, value=hint))


NAMELESS = marked("no {kind} is named {name}")


def one_of(
    known: Callable[[Any, Side], Collection[str]], told: str, hint: Said | None = None, *,
    names: str = "", json: Mapping[str, Any] = NAME, never: Judge | None = None, kind: str = "",
    is_word: Callable[[Any, str], bool] | None = None,
) -> Judged:  # fmt: skip
    """One of the words known to a side; `told` is the fault of any other, which fills its gap.

    `hint` is shown if no known word is similar; without one, all of them are. `names` is the kind
    of the thing, if the game has names for it that may be written in several ways. `is_word`
    recognises words besides those known.
    """

    def judge(position: Any, side: Side, written: Any) -> Iterator[Violation]:
        if is_word is not None and isinstance(written, str) and is_word(position, written):
            return
        there = known(position, side)
        if not isinstance(written, str) or written not in there:
            gaps = {"kind": say(kind)} if kind else {}
            otherwise = _may_be(there) if hint is None else hint
            yield Violation(
                say(told, name=repr(written), **gaps), hint=meant(written, there, otherwise)
            )

    return Judged(judge, json, names, never)


def name(
    kind: str, known: Callable[[Any], Collection[str]], told: Said = "", never: Judge | None = None,
    json: Mapping[str, Any] = A_NAME, binds: bool = True,
) -> Judged:  # fmt: skip
    """The name of a thing of a kind; `told` is the hint if no name is similar.

    `binds` says whether it is one of the game's names, which may be written in several ways.
    """
    return one_of(lambda position, side: known(position), NAMELESS, told, kind=kind,
                  names=kind if binds else "", json=json, never=never)  # fmt: skip


@value
class Judged(Shape):
    """A value without faults by a function; `json` is as much of it as a schema can say."""

    judge: Judge
    json: Mapping[str, Any]
    names: str = ""
    """The kind of thing that it names; it is bound before it is judged."""
    never: Judge | None = None
    """Finds what in it can have no effect."""
    reads: Callable[[Any], Any] | None = None
    """Turns what may be written in several ways into one form."""
    is_never: Callable[[Any, Any, Any], Violation | None] | None = None
    """The same as `never` where the message begins with the name of the field that it is in: by
    position, field and value."""

    def bound(self, names: NameFinder, written: Any) -> Any:
        if self.reads is not None:
            return self.reads(written)
        if not self.names or not isinstance(written, str | int):
            return written
        text = as_written(written)
        return names.find(self.names, text) or text

    def vain(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        if self.never is not None:
            yield from at(path, self.never(position, side, written))
        if self.is_never is not None and (fault := self.is_never(position, path[-1], written)):
            yield moved(fault, path)

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        return at(path, self.judge(position, side, written))

    def schema(self, shared: dict[str, Schema]) -> Schema:
        return dict(self.json)


@value
class Word(Shape):
    """One of a few words, or numbers."""

    words: tuple[str | int, ...]
    text: Said
    hint: Said = ""
    rule: str = ""

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        if type(written) not in (str, int) or written not in self.words:
            known = [word for word in self.words if isinstance(word, str)]
            near = meant(written, known, self.hint) if isinstance(written, str) else self.hint
            yield Violation(self.text, path, self.rule, _for_no(written, known) or near)

    def schema(self, shared: dict[str, Schema]) -> Schema:
        return {"enum": list(self.words)}


def fitting(
    fits: Callable[[Any], bool], text: Said, json: Mapping[str, Any],
    is_never: Callable[[Any, Any, Any], Violation | None] | None = None,
    reads: Callable[[Any], Any] | None = None,
) -> Judged:  # fmt: skip
    """A value that is valid by itself, whatever the table; otherwise `text` is the fault."""

    def judge(position: Any, side: Side, written: Any) -> Iterator[Violation]:
        if not fits(written):
            yield Violation(text)

    return Judged(judge, json, reads=reads, is_never=is_never)


TRUE = fitting(lambda written: written is True, say("expected true"), {"const": True})
"""`true`, where nothing else makes sense."""
SLOT = fitting(lambda written: isinstance(written, str), say("a slot must be a name"), NAME)
"""The slot of a card in a hand. Whether the card is still there is judged when it is asked for."""


NOES = ("no", "off", "false")
"""What players write to say no, as YAML writes false."""
FOR_NO = ("none", "never")
"""The words for no."""


def _for_no(written: Any, words: Iterable[Any]) -> Said:
    """What to write in place of a no, where a word stands for it; else nothing."""
    is_no = written is False or (isinstance(written, str) and written.lower() in NOES)
    found = (say("did you mean {near}?", near=word) for word in words if is_no and word in FOR_NO)
    return next(found, "")


@value
class OrWord(Alternative):
    """One of a few fixed words, or another shape."""

    words: tuple[str, ...]
    other: Shape

    def of(self, written: Any) -> Shape | None:
        return None if isinstance(written, str) and written in self.words else self.other

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        if self.of(written) is None:
            return
        words, other = self._flat()
        near = meant(written, words, "") if isinstance(written, str) else ""
        near = _for_no(written, words) or near
        is_other_word = isinstance(written, str) and written not in words
        if is_other_word and isinstance(other, Fields | Each):
            hint = near or say("write {hint}", hint=Either((*words, *filter(None, [other.hint]))))
            yield Violation(
                say("{written} is no answer here", written=repr(written)), path, hint=hint
            )
            return
        for fault in self.other.faults(position, side, written, path):
            is_it = near and fault.at in (path, (*path, 0))  # a word alone is a list of one
            yield replace(fault, hint=near) if is_it else fault

    def _flat(self) -> tuple[tuple[str, ...], Shape]:
        """All words that would do, and the shape of what else would: of one, where many may be."""
        words, other = self.words, self.other
        while isinstance(other, OrWord):
            words, other = (*words, *other.words), other.other
        return words, other.item if isinstance(other, Many) and not other.text else other

    def schema(self, shared: dict[str, Schema]) -> Schema:
        return any_of({"enum": list(self.words)}, self.other.schema(shared))


@value
class Many(Shape):
    """One or a list of them, or only a list, where `text` is the fault of anything else."""

    item: Shape
    text: Said = ""
    hint: Said = ""
    most: int | None = None
    """The most items of what has to be a list."""
    numbered: bool = True
    """Whether a fault names the place in the list."""
    once: bool = False
    """Whether repeating one of them is a mistake."""
    needed: bool = False
    """Whether an empty list has no effect."""
    leads: tuple[str, ...] = ()
    """Words that are in front of all others."""
    never: Judge | None = None
    """Finds what in the list can have no effect, besides what its items say."""

    def within(self, written: Any) -> Iterable[tuple[Path, Shape, Any]]:
        for place, each in enumerate(listed(written)):
            yield (place,) if self.numbered else (), self.item, each

    def bound(self, names: NameFinder, written: Any) -> Any:
        if isinstance(written, list | tuple):
            return [self.item.bound(names, each) for each in written]
        return written if self.text else self.item.bound(names, written)

    def vain(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        items = listed(written)
        if self.needed and not items:
            yield does_nothing(path)
        if self.once:
            yield from twice(items, path)
        for place, (at_it, item, each) in enumerate(self.within(written)):
            here = (*path, *at_it)
            if each in self.leads and any(isinstance(one, str) for one in items[:place]):
                yield Violation(say("{each} must come first in the list", each=each), here)
            elif not (self.once and each in items[:place]):
                yield from item.vain(position, side, each, here)
        if self.never is not None:
            yield from at(path, self.never(position, side, items))

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        if self.text and not self._is_list(written):
            is_one = isinstance(written, str) and not any(
                True for _ in self.item.faults(position, side, written, ())
            )
            hint = say("write [{written}]", written=written) if is_one else self.hint
            yield Violation(self.text, path, hint=_in_its_line(path, hint))
            return
        yield from Shape.faults(self, position, side, written, path)

    def _is_list(self, written: Any) -> bool:
        """Whether it is a list of no more items than there may be."""
        is_list = isinstance(written, list | tuple)
        return is_list and (self.most is None or len(written) <= self.most)

    def schema(self, shared: dict[str, Schema]) -> Schema:
        item = self.item.schema(shared)
        many = {"type": "array", "items": item}
        if self.text:
            return many if self.most is None else {**many, "maxItems": self.most}
        return any_of(item, many)


@value
class Fields(Shape):
    """A mapping with fields, at least one of `needs` among them."""

    fields: Mapping[str, Shape]
    text: Said
    hint: Said = ""
    needs: tuple[str, ...] = ()
    unknown: str = NO_FIELD
    """The message about another field, `{key}`."""
    behind: Shape | None = None
    """The shape of the value of another field, if that is known."""
    looks_on: bool = False
    """Whether the others are judged while none of `needs` is there."""
    whole: Judge | None = None
    """Finds more faults, where those of `needs` that are there have none."""
    never: Judge | None = None
    """Finds what in it can have no effect, besides what its fields say."""

    def within(self, written: Any) -> Iterable[tuple[Path, Shape, Any]]:
        return (((key,), self.fields[key], said) for key, said in written.items())

    def bound(self, names: NameFinder, written: Any) -> Any:
        return bound_fields(self.fields, names, written)

    def vain(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        yield from Shape.vain(self, position, side, written, path)
        if self.never is not None:
            yield from at(path, self.never(position, side, written))

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        if not isinstance(written, Mapping):
            yield from self._bare(position, side, written, path)
            return
        if self.needs and not any(key in written for key in self.needs):
            yield Violation(self.text, path, hint=_in_its_line(path, self.hint))
            if not self.looks_on:
                return
        yield from unknown_keys(written, self.fields, path, self.unknown)
        if self.behind is not None:
            for key in [key for key in written if key not in self.fields]:
                yield from self.behind.faults(position, side, written[key], (*path, key))
        is_sound = True
        for key, shape in self.fields.items():
            if key in written:
                found = list(shape.faults(position, side, written[key], (*path, key)))
                yield from found
                is_sound &= not found or key not in self.needs
        if is_sound and self.whole is not None:
            yield from at(path, self.whole(position, side, written))

    def _bare(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        """The fault of a value without its field: its own, where that can be told by itself."""
        (need, *others) = (*self.needs, "")
        shape = self.fields.get(need)
        if not isinstance(written, str) or any(others) or not isinstance(shape, Judged):
            yield Violation(self.text, path, hint=_in_its_line(path, self.hint))
            return
        found = list(shape.faults(position, side, written, path))
        yield from found or [
            Violation(
                self.text, path, hint=say("write {{need}: {written}}", need=need, written=written)
            )
        ]

    def schema(self, shared: dict[str, Schema]) -> Schema:
        inside = {key: shape.schema(shared) for key, shape in self.fields.items()}
        needed = [{"required": [key]} for key in self.needs]
        return closed(inside, **({"anyOf": needed} if needed else {}))


@value
class OneField(Fields):
    """A mapping with exactly one field."""

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        key = next(iter(written)) if isinstance(written, Mapping) and len(written) == 1 else None
        if key is not None and (key in self.fields or self.unknown != NO_FIELD):
            yield from Fields.faults(self, position, side, written, path)
        else:
            hint = self.hint if key is None else meant(key, self.fields, self.hint)
            yield Violation(self.text, path, hint=hint)

    def schema(self, shared: dict[str, Schema]) -> Schema:
        return {**Fields.schema(self, shared), "minProperties": 1, "maxProperties": 1}


@value
class Each(Shape):
    """A mapping by things: written as a mapping, bound as pairs in the order of the ids."""

    thing: Shape
    said: Shape
    text: Said
    hint: Said = ""
    in_turn: bool = False
    """Whether the order in which they are written means something, and is kept."""

    def bound(self, names: NameFinder, written: Any) -> Any:
        if not isinstance(written, Mapping):
            return written
        found = [
            [self.thing.bound(names, key), self.said.bound(names, each)]
            for key, each in written.items()
        ]
        return found if self.in_turn else sorted(found, key=lambda pair: str(pair[0]))

    def within(self, written: Any) -> Iterable[tuple[Path, Shape, Any]]:
        for key, each in written:
            yield (key,), self.thing, key
            yield (key,), self.said, each

    def vain(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        if not written:
            yield does_nothing(path)
        yield from Shape.vain(self, position, side, written, path)

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        is_list = isinstance(written, list | tuple)
        if not is_list or not all(isinstance(pair, list | tuple) and len(pair) == 2
                                  and isinstance(pair[0], str) for pair in written):  # fmt: skip
            yield Violation(self.text, path, hint=_in_its_line(path, self.hint))
            return
        before, seen = None, set[str]()
        for key, each in written:
            here = (*path, key)
            if key in seen:
                yield Violation(say("{name} is named twice", name=repr(key)), here, is_key=True)
            elif before is not None and key < before and not self.in_turn:
                told = say("{key} belongs before {before}", key=repr(key), before=repr(before))
                yield Violation(told, here, is_key=True)
            before = key
            seen.add(key)
            for fault in self.thing.faults(position, side, key, here):
                yield replace(fault, is_key=True)
            yield from self.said.faults(position, side, each, here)

    def schema(self, shared: dict[str, Schema]) -> Schema:
        return {"type": "object", "additionalProperties": self.said.schema(shared)}


@value
class Pairs(Shape):
    """A mapping as a document has it: pairs in the order of their keys."""

    whole: Shape
    called: str
    """What a fault of the pairs themselves begins with."""

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        try:
            said = from_plain(Mapping[str, Any], written)  # type: ignore[type-abstract]
        except Misfit as misfit:
            yield Violation(
                say("{called}: {message}", called=self.called, message=misfit.message),
                (*path, *misfit.path),
            )
        else:
            yield from self.whole.faults(position, side, said, path)

    def schema(self, shared: dict[str, Schema]) -> Schema:
        return {"type": "array"}


@value
class ByKind(Alternative):
    """A shape for each kind of plain data; `text` is the fault of a kind without one."""

    text: Said = ""
    hint: Said = ""
    mapping: Shape | None = None
    many: Shape | None = None
    word: Shape | None = None
    flag: bool = False
    """Whether true and false may be there."""
    other: Shape | None = None

    def of(self, written: Any) -> Shape | None:
        if self._is_flag(written):
            return None
        of_kind = self.word if isinstance(written, str) else None
        if isinstance(written, Mapping):
            of_kind = self.mapping
        elif isinstance(written, list | tuple):
            of_kind = self.many
        return of_kind or self.other

    def _is_flag(self, written: Any) -> bool:
        return self.flag and isinstance(written, bool)

    def bound(self, names: NameFinder, written: Any) -> Any:
        """A name that YAML reads as a number becomes the word that it is."""
        shape = None if self._is_flag(written) else self.of(written) or self.word
        return written if shape is None else shape.bound(names, written)

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        if self.of(written) is None and not self._is_flag(written):
            yield Violation(self.text, path, hint=_in_its_line(path, self.hint))
        yield from Shape.faults(self, position, side, written, path)

    def schema(self, shared: dict[str, Schema]) -> Schema:
        flag = [{"type": "boolean"}] if self.flag else []
        shapes = (self.mapping, self.many, self.word, self.other)
        return any_of(*flag, *(each.schema(shared) for each in shapes if each is not None))


@value
class Also(Alternative):
    """A shape and a function that finds more faults, asked where the shape finds none."""

    shape: Shape
    judge: Judge

    def of(self, written: Any) -> Shape:
        return self.shape

    def faults(self, position: Any, side: Side, written: Any, path: Path) -> Iterator[Violation]:
        found = list(self.shape.faults(position, side, written, path))
        yield from found or at(path, self.judge(position, side, written))

    def schema(self, shared: dict[str, Schema]) -> Schema:
        return self.shape.schema(shared)


def ranked_word(
    known: Callable[[Any], Collection[str]], told: Said, never: Judge | None = None,
    is_word: Callable[[Any, str], bool] | None = None,
) -> Judged:  # fmt: skip
    """A word that ranks units; `told` describes the known ones, `is_word` recognises others."""
    kind = marked("unit or kind of unit")
    return one_of(lambda position, side: known(position), NAMELESS, told, kind=kind,
                  names="unit", never=never, is_word=is_word)  # fmt: skip


def ranking(word: Shape, leads: tuple[str, ...] = (), *, needed: bool = True) -> Many:
    """A list of words that rank units."""
    told = say("expected a list of units or kinds of units")
    return Many(word, told, once=True, leads=leads, needed=needed)


def matches_none(word: str, side: Side, hint: Said = "") -> Violation:
    """The fault of a word that means no unit of a side."""
    whose = say(side.capitalize())
    told = say("{word} matches no {side} unit", word=repr(word), side=whose)
    return Violation(told, hint=hint)


def moved(fault: Violation, path: Path) -> Violation:
    """A fault with a path put before its own."""
    return Violation(fault.message, (*path, *fault.at), fault.rule, fault.hint, fault.is_key)


def at(path: Path, faults: Iterable[Violation]) -> Iterator[Violation]:
    """The same faults, with the path of the value put in front of their own."""
    return (moved(fault, path) for fault in faults)


def closed(inside: Mapping[str, Schema], **more: Any) -> Schema:
    """The schema of a mapping with these fields and no others."""
    return {"type": "object", "properties": inside, "additionalProperties": False, **more}


def any_of(*schemas: Schema) -> Schema:
    """The schema of what fits one of these; nested choices are flattened."""
    flat: list[Schema] = []
    for each in schemas:
        inside = each["anyOf"] if set(each) == {"anyOf"} else [each]
        flat += [one for one in inside if one not in flat]
    return flat[0] if len(flat) == 1 else {"anyOf": flat}


def words_in(schema: Any) -> Iterator[str]:
    """Every word of a schema: its fields, and its words that mean something by themselves."""
    if isinstance(schema, Mapping):
        for key, inner in schema.items():
            if key in ("properties", "$defs"):
                yield from inner
                yield from words_in(list(inner.values()))
            elif key in ("enum", "const"):
                yield from (word for word in listed(inner) if isinstance(word, str))
            else:
                yield from words_in(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from words_in(inner)
