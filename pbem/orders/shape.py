"""Checks that orders have the right shape: fields, lists and texts where they belong.

Only the annotations of the order's dataclass are used. Nothing is judged here, and no name is
looked up; but everything wrong in a whole file is reported in one pass.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.codec import WrittenField, bare, fields_of, is_mapping
from pbem.engine.waiting import WHEN
from pbem.messages import Either, Said, either, marked, say, say_many
from pbem.orders.fields import (
    NONE,
    OMITTED,
    bare_field,
    for_players,
    is_word,
    kinds_of,
)
from pbem.orders.written import OPEN, inline
from pbem.problems import Problem, Span
from pbem.text.wording import NEAR, did_you_mean, kind_of, quoted, shown
from pbem.text.yamlsource import Path
from pbem.value import is_value
from pbem.words import YES_NO, as_written, closest

NEXT_TO_ORDERS = marked(
    "'{key}:' belongs next to 'orders:', not inside it: put it at the start of a line"
)
BELOW_THE_VERB = say("write it below the verb, as a line of its own")
FIELDS = ("orders", "standing", "say", "game", "entry", "ahead", "version")
"""What an orders file may have at its margin."""
VERSION = 1
"""That of files of orders and of standing orders; one that says nothing is of this version."""
CURLY = "“”„‟‘’‚‛«»"
PAIRS = "pairs"
A_LIST, A_TEXT = say("a list"), say("a text")
SCALARS = {str: A_TEXT, int: say("a whole number"), bool: say("yes or no")}
"""What a field of an order may be besides a list or pairs."""
"""Wanted: names or fields, each with a value."""


def given_in(kind: type, written: Mapping[str, Any]) -> list[str]:
    """The keys that matter: those with a value, and those that are no field at all."""
    known = fields_of(kind)
    return [key for key, value in written.items() if value is not None or key not in known]


def inside_of(hint: Any) -> tuple[Any, ...]:
    """The types of which a value may be one."""
    is_union = typing.get_origin(hint) in (types.UnionType, typing.Union)
    return typing.get_args(hint) if is_union else (hint,)


def form_of(hint: Any) -> str:
    """How a value of a type is written that is no single word; empty for any other type."""
    hint = bare(hint)
    if is_value(hint):
        return "{" + ", ".join(f"{name}: ..." for name in for_players(hint)) + "}"
    if typing.get_origin(hint) is None:
        return ""
    return "{...: ...}" if is_mapping(hint) else "[...]"


def one_for_another(kind: type, written: Mapping[str, Any]) -> Mapping[str, str]:
    """The one missing field by a key that is no field and resembles none, if the value of the key
    has the form of that field: the key may be another word for it.
    """
    known = fields_of(kind)
    if named := _named_for_what_it_is(kind, written):
        return named
    meant = {key: _meant(key, list(known)) for key in written if key not in known}
    strange = [key for key, near in meant.items() if not near]
    told = {*written, *(each for near in meant.values() for each in near)}
    lacking = [
        name for name, field in known.items()
        if name not in told and field.is_needed
    ]  # fmt: skip
    if len(strange) != 1 or len(lacking) != 1:
        return {}
    value, form = written[strange[0]], form_of(known[lacking[0]].hint)
    is_like = {"{": dict, "[": list, "": str | int}[form[:1]]
    return {strange[0]: lacking[0]} if isinstance(value, is_like) else {}


def _named_for_what_it_is(kind: type, written: Mapping[str, Any]) -> Mapping[str, str]:
    """A key that is no field and says what its value is (`hex`, `units`), by the one field that is
    missing and names such things.
    """
    known = fields_of(kind)
    found: dict[str, str] = {}
    for key in written:
        if key in known or closest(key, known):
            continue
        fits = [
            name for name, field in known.items()
            if name not in written and field.is_needed and key in (field.name, field.kinds[1])
        ]  # fmt: skip
        if len(fits) == 1 and fits[0] not in found.values():
            found[key] = fits[0]
    return found


def usage(kind: type, verb: Said = "") -> Said:
    """How an order is written, without its optional fields: "play: {card: ...}"."""
    fields = for_players(kind)
    needed = [name for name, field in fields.items() if field.is_needed]
    inside = ", ".join(f"{name}: ..." for name in needed or list(fields))
    if not fields:
        return verb
    if bare_field(kind):
        inside = "...: ..."
    return say("{verb}: {{fields}}", verb=verb, fields=inside) if verb else f"{{{inside}}}"


def names_one(kind: type) -> bool:
    """Whether an order names one of several things: each of its fields has one name, and none must
    be given.
    """
    fields = for_players(kind).values()
    return len(fields) > 1 and all(
        bare(each.hint) is str and each.kinds[1] and each.default == "" for each in fields
    )


def usage_of(kind: type, verb: Said) -> Said:
    """How an order is written: each way for one that names one of several things."""
    if not names_one(kind):
        return usage(kind, verb)
    return either(
        say("{verb}: {{fields}}", verb=verb, fields=f"{name}: ...") for name in for_players(kind)
    )


class Shaper:
    """Brings written values into the shape of their types, collecting the problems."""

    def __init__(self, span: Callable[[Path], Span], key_span: Callable[[Path], Span]) -> None:
        self.span = span
        self.key_span = key_span
        self.problems: list[Problem] = []
        self.blanks: list[Path] = []
        """The paths of `...`: what is still to be filled in is not a mistake of form."""

    def refuse(self, code: str, message: Said, span: Span, hint: Said = "") -> Any:
        """Notes a problem, and returns OMITTED for the value that could not be read."""
        self.problems.append(Problem(code, message, span, hint=hint))
        return OMITTED

    # ------------------------------------------------------------ mappings with fields

    def fields(
        self, kind: type, name: str, written: Mapping[str, tuple[Any, Path]],
        others: Callable[[], Sequence[str]] = tuple,
    ) -> Any:  # fmt: skip
        """The fields of a dataclass as plain values; each comes with the path it is at.

        `others` are the orders that have all the fields that are written.
        """
        known = fields_of(kind)
        shaped: dict[str, Any] = {}
        another = one_for_another(kind, {key: value for key, (value, _) in written.items()})
        for key, (value, path) in written.items():
            if key in another:
                told = say("{name} has no field {key}", name=name, key=quoted(key))
                hint = say(NEAR, near=another[key])
                self.refuse("unknown-field", told, self.key_span(path), hint)
            elif key not in known:
                self.unknown_field(name, key, list(for_players(kind)), self.key_span(path), others)
            elif is_word(known[key], value):
                shaped[key] = value
            elif _is_none(value, known[key]):
                nothing = _nothing(known[key].hint)
                if nothing is not None:  # writing none says more than omitting it there
                    shaped[key] = nothing
            elif numbered := _numbered_names(known[key], key, value):
                self.misfit(PAIRS, value, key, path, numbered)
            elif isinstance(value, list | str) and value != OPEN and (
                keys := _keys_named(known[key], is_union=isinstance(value, list))
            ):  # fmt: skip
                many = isinstance(value, list)
                hint = say(
                    "write {key}: {...: {value}}, with their {keys} in place of ..." if many
                    else "write {key}: {...: {value}}, with the {keys} in place of ...",
                    key=key, value=inline(value), keys=say(keys),
                )  # fmt: skip
                self.misfit(PAIRS, value, key, path, hint)
            elif value is not None:
                shape = self.value(known[key].hint, value, key, path)
                if shape is not OMITTED:
                    shaped[key] = shape
        return shaped

    def missing(self, kind: type, name: Said, given: Iterable[str], span: Span, use: Said) -> None:
        """Notes the required fields that are missing, unless they are there misspelt."""
        known = list(fields_of(kind))
        given = set(given)
        given |= {near for key in given - set(known) for near in _meant(key, known)}
        lacking = [
            field_name
            for field_name, field in fields_of(kind).items()
            if field_name not in given and field.is_needed
        ]
        if lacking:
            self.refuse(
                "missing-field",
                say_many(
                    "fields",
                    "{name} needs the field {fields}",
                    "{name} needs the fields {fields}",
                    name=name,
                    fields=tuple(map(quoted, lacking)),
                ),
                span,
                say("write {use}", use=use),
            )

    def unknown_field(
        self, name: Said, key: str, known: list[str], span: Span,
        others: Callable[[], Sequence[str]] = tuple,
    ) -> None:  # fmt: skip
        """Notes that a verb or a part of an order, `name`, has no such field; tells the nearest."""
        head = key.split(":")[0]
        if ":" in key and head in known:
            hint: Said = say(
                "a ':' needs a space after it: {head}: {key}",
                head=head,
                key=shown(key[len(head) + 1 :]),
            )
        elif key.strip() in known:
            hint = say("what stands beside it only looks like a space: write a plain one")
        elif closest(key, (WHEN, *known)) == (WHEN,) and key != WHEN:
            hint = say(NEAR, near=WHEN)
        elif key == WHEN:
            hint = BELOW_THE_VERB
        elif key in FIELDS and not closest(key, known):
            hint = say(NEXT_TO_ORDERS, key=key)
        elif key not in known and (way := _way_meant(key, known)):
            hint = say(NEAR, near=shown(way))
        elif not closest(key, known) and (verbs := others()):
            hint = say("it is a field of {verbs}", verbs=Either(tuple(verbs)))
        elif known:
            hint = did_you_mean(key, known)
        else:
            hint = say("{name} has no fields at all", name=name)
        self.refuse(
            "unknown-field",
            say("{name} has no field {key}", name=name, key=quoted(key)),
            span,
            hint,
        )

    # ------------------------------------------------------------ values

    def value(self, kind: Any, value: Any, name: Said, path: Path) -> Any:
        """The value in the shape of its type, or OMITTED after telling what is wrong or open."""
        if value == OPEN:
            self.blanks.append(path)
            return OMITTED
        kind = bare(kind)
        origin, inside = typing.get_origin(kind), typing.get_args(kind)
        if origin in (types.UnionType, typing.Union):
            return self.union(inside, value, name, path)
        if origin in (tuple, frozenset):
            return self.sequence(inside, value, name, path)
        if is_mapping(kind):
            return self.mapping(inside[1], value, name, path)
        if is_value(kind):
            assert isinstance(kind, type)
            return self.part(kind, value, name, path)
        return self.scalar(getattr(kind, "__supertype__", kind), value, name, path)

    def scalar(self, kind: Any, value: Any, name: Said, path: Path) -> Any:
        """A text, number or truth value; a name that looks like a number is a text.

        `name` is the player's word for it. A fault is noted, and OMITTED returned.
        """
        if kind is Any:
            return value
        if kind is bool and isinstance(value, str) and value in YES_NO:
            return YES_NO[value]
        if kind is str and type(value) in (int, bool):
            return as_written(value)  # hex 2006 is a name
        if type(value) is not kind:
            is_key = kind is str and isinstance(value, dict) and not _in_braces(self.span(path))
            hint = (
                say("':' with a space begins a value: put the text into quotes") if is_key else ""
            )
            return self.misfit(SCALARS[kind], value, name, path, hint)
        if kind is str and value[:1] and value[0] in CURLY:
            return self.refuse(
                "curly-quotes",
                say("{value} is in curly quotes", value=shown(value)),
                self.span(path),
                say("use straight ones, ' or \", or none at all"),
            )
        return value

    def sequence(self, inside: tuple[Any, ...], value: Any, name: Said, path: Path) -> Any:
        """A tuple; a single item may be written for a list of one."""
        is_name = bare(inside[0]) is str and type(value) in (int, bool)
        if is_name or (isinstance(value, str) and "," not in value):
            each = [(value, path)]
        elif isinstance(value, list):
            each = [(item, (*path, index)) for index, item in enumerate(value)]
        else:
            texts = list(_counted(value)) if isinstance(value, dict) else []
            hint = (
                say("write {name}: [{texts}]", name=name, texts=shown(", ".join(texts), 60))
                if texts else ""
            )  # fmt: skip
            return self.misfit(A_LIST, value, name, path, hint)
        kinds = [inside[0]] * len(each) if inside[1:] in ((), (Ellipsis,)) else list(inside)
        if len(kinds) != len(each):
            message = say(
                "{name} must be a list of {wanted}, not of {given}",
                name=name,
                wanted=len(kinds),
                given=len(each),
            )
            return self.refuse("wrong-type", message, self.span(path))
        item_name = say("an entry of {list}", list=name)
        shaped = [
            self.value(kind, item, item_name, at)
            for kind, (item, at) in zip(kinds, each, strict=True)
        ]
        return OMITTED if OMITTED in shaped else shaped

    def mapping(self, inside: Any, value: Any, name: Said, path: Path) -> Any:
        """A mapping from names to what `inside` expects. `...` as a key is noted as a blank."""
        if not isinstance(value, dict):
            return self.misfit(PAIRS, value, name, path)
        shaped = {}
        for key, item in value.items():
            if key == OPEN:
                self.blanks.append((*path, key))
                shaped[key] = OMITTED
            elif key[0] in CURLY:
                self.refuse(
                    "curly-quotes",
                    say("{key} is in curly quotes", key=shown(key)),
                    self.key_span((*path, key)),
                    say("use straight ones, or none at all"),
                )
            elif key in (*FIELDS, WHEN):
                self.refuse(
                    "unknown-field",
                    say("nothing is named {key} here", key=quoted(key)),
                    self.key_span((*path, key)),
                    BELOW_THE_VERB if key == WHEN else say(NEXT_TO_ORDERS, key=key),
                )
            elif item is None:
                self.refuse(
                    "missing-value",
                    say("there is nothing after {key} in {name}", key=quoted(key), name=name),
                    self.key_span((*path, key)),
                    _pair_meant(key) or _after_a_comma(inside, value, key),
                )
            elif bare(inside) is str and (hint := _each_with_its_own(key, item)):
                self.misfit(A_TEXT, item, key, (*path, key), hint)
                shaped[key] = OMITTED
            else:
                shaped[key] = self.value(inside, item, key, (*path, key))
        return OMITTED if OMITTED in shaped.values() else shaped

    def part(self, kind: type, value: Any, name: Said, path: Path) -> Any:
        """A mapping with fields of its own inside an order."""
        if not isinstance(value, dict):
            hint = say(
                "write {name}: {form}", name=name, form=_filled(kind, value) or form_of(kind)
            )
            return self.misfit(PAIRS, value, name, path, hint)
        shaped = self.fields(
            kind, str(name), {key: (item, (*path, key)) for key, item in value.items()}
        )
        self.missing(kind, name, given_in(kind, value), self.span(path), usage(kind, name))
        return shaped

    def union(self, kinds: tuple[Any, ...], value: Any, name: Said, path: Path) -> Any:
        """The value as the first kind that fits; else the problems of the kind whose form it has,
        or of the last one.
        """
        real = [kind for kind in kinds if kind is not type(None)]
        meant = next((kind for kind in real if _has_form(kind, value)), real[-1])
        if isinstance(value, list) and not _has_form(meant, value):
            meant = next(filter(form_of, real), meant)  # at least it is no word
        before, told = self.problems, self.problems
        for kind in real:
            self.problems = []
            shaped = self.value(kind, value, name, path)
            if not self.problems:
                self.problems = before
                return shaped
            if kind is meant:
                told = before + self.problems
        self.problems = told
        return OMITTED

    def misfit(self, wanted: Said, value: Any, name: Said, path: Path, hint: Said = "") -> Any:
        """Notes that something else was expected there; without a hint one is guessed."""
        if not hint and wanted == A_LIST and isinstance(value, str):
            parts = [part.strip() for part in value.split(",")]
            hint = say("write [{parts}]", parts=shown(", ".join(part for part in parts if part)))
        if not hint and wanted == PAIRS and isinstance(value, list):
            hint = say(
                "write {name}: {...: {inline}}, with the place of each",
                name=name, inline=inline(value),
            )  # fmt: skip
        if wanted == PAIRS and isinstance(value, str) and (pair := re.match(_CLOSE_PAIR, value)):
            hint = say("a ':' needs a space after it: {head}: {key}", head=pair[1], key=pair[2])
        if not hint and wanted == SCALARS[int] and isinstance(value, str) and value.isalpha():
            hint = say("write it in figures")
        if not hint and wanted == SCALARS[int] and re.fullmatch(_FRACTION, str(value)):
            hint = say("write a whole number, without a comma or a point")
        if not hint and wanted == A_TEXT and isinstance(value, list):
            hint = say("only one can be named here")
        said = quoted(value) if isinstance(value, str) else kind_of(value)
        message = say("{name} must be {wanted}, not {value}", name=name, wanted=wanted, value=said)
        if wanted == PAIRS:
            message = say(
                "{name} must be written {...: ...}, not as {value}", name=name, value=said
            )
        return self.refuse("wrong-type", message, self.span(path), hint)


def _numbered_names(field: WrittenField, key: str, value: Any) -> Said:
    """A hint for names without the number that each has behind it, or a number without its name."""
    if not (is_mapping(field.hint) and bare(typing.get_args(bare(field.hint))[1]) is int):
        return ""
    names = [value] if isinstance(value, str) else value
    if type(value) is int:
        return say("write {key}: {...: {value}}, with the {keys} in place of ...", key=key,
                   value=value, keys=say(field.kinds[0]))  # fmt: skip
    if not isinstance(names, list) or not names or OPEN in names:
        return ""
    if not all(isinstance(each, str) for each in names) or {*names} & {"all", "best", NONE}:
        return say("write {key}: {...: 1}, with the {keys} in place of ...", key=key,
                   keys=say(field.kinds[0]))  # fmt: skip
    pairs = ", ".join(f"{each}: 1" for each in names)
    return say("write {key}: {{pairs}}, each with its number", key=key, pairs=shown(pairs, 60))


_FRACTION = r"[+-]?\d+[.,]\d+"
_CLOSE_PAIR = r"([^\s:]+):([^\s:]+)(?=\s|$)"


def _filled(kind: type, value: Any) -> str:
    """A part of an order with the one field that a text of two words names; empty for others."""
    words = value.split() if isinstance(value, str) else []
    is_field = len(words) == 2 and words[0] in for_players(kind)
    return f"{{{words[0]}: {shown(words[1], 60)}}}" if is_field else ""


def _each_with_its_own(place: str, listed: Any) -> Said:
    """A hint for names in a list behind what each of them should have behind it."""
    names = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
    names = [each for each in names if each != OPEN and not (each.isalpha() and each.islower())]
    pairs = ", ".join(f"{each}: {place}" for each in names)
    return say("write it the other way round: {pair}", pair=shown(pairs, 120)) if names else ""


def _pair_meant(key: str) -> Said:
    """A hint for what may be a name and its value with no ':' and space between them."""
    name, _, said = key.replace(":", " ").rpartition(" ")
    return say("write {pair}, with a ':' and a space", pair=f"{name}: {said}") if name else ""


def _after_a_comma(inside: Any, value: Mapping[str, Any], key: str) -> Said:
    """A hint for what may be more of the value before it: a comma in braces begins a new name."""
    names = [*value]
    before = names[names.index(key) - 1]
    if before != key and bare(inside) is int and key.isdecimal() and type(value[before]) is int:
        return say("write a whole number, without a comma or a point")
    is_list = typing.get_origin(bare(inside)) in (tuple, frozenset)
    if before == key or not is_list or not isinstance(value[before], str | int):
        return ""
    return say("a list needs brackets: {pair}", pair=f"{before}: [{value[before]}, {key}]")


def _has_form(kind: Any, value: Any) -> bool:
    """Whether a value is a mapping or a list as a kind wants it."""
    if isinstance(value, Mapping):
        return is_value(kind) or is_mapping(kind)
    return isinstance(value, list) and typing.get_origin(kind) in (tuple, frozenset)


def _in_braces(span: Span) -> bool:
    """Whether a mapping is written in braces, and not a text with a colon in it."""
    return span.excerpt[span.column - 1 : span.column] == "{"


def _counted(value: Mapping[str, Any]) -> Iterator[str]:
    """The keys of what should be a list, each as often as the small number with it says."""
    for key, number in value.items():
        yield from [str(key)] * (number if type(number) is int and 1 < number < 10 else 1)


WAYS = ("to", "path")
"""The fields that say where units go, of which most orders have only one."""


def _way_meant(key: str, known: list[str]) -> str:
    """The field that says where units go, for a key that says so in another order; or empty."""
    ways = [each for each in WAYS if each in known]
    return ways[0] if key in WAYS and len(ways) == 1 else ""


def _meant(key: str, known: list[str]) -> tuple[str, ...]:
    """The fields that an unknown key may mean: misspelt, without the space after its colon, or the
    word of another order for the same.
    """
    if way := _way_meant(key, known):
        return (way,)
    return (key.split(":")[0],) if ":" in key else closest(key, known)


def _nothing(kind: Any) -> Any:
    """The meaning of `none` for a field of this type: an empty part; None where it has none.

    A player who plans no advance has decided, and is not asked; one who leaves it out is asked
    later.
    """
    for inner in typing.get_args(kind):
        if is_value(inner):
            known = fields_of(inner)
            if all(typing.get_origin(each.hint) is tuple for each in known.values()):
                return {name: [] for name in known}
    return None


def alone_of_its_kind(kind: type, name: str) -> bool:
    """Whether no other field of an order names things of the kind that this one names."""
    named = kinds_of(kind)
    return bool(named[name]) and list(named.values()).count(named[name]) == 1


def _keys_named(field: WrittenField, *, is_union: bool = False) -> str:
    """The kind that the keys of a field name, if it is a mapping with names as keys, or, with
    `is_union`, may be one.
    """
    kinds = inside_of(field.hint) if is_union else (field.hint,)
    return field.kinds[0] if any(map(is_mapping, kinds)) else ""


def _is_none(value: Any, field: WrittenField) -> bool:
    """Whether `none` means leaving out a field that is empty when left out. Where it is one of the
    words of the field, it says more than nothing.
    """
    return value == NONE and NONE not in field.words and field.default in ("", (), None, False)
