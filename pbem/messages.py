"""Messages as values: a text that can be translated, and what fills its gaps.

Code that has something to report uses `say` or `say_many`. The text is in English, and is the key
to its translation in the catalogue of another language. What fills a gap is a value as well: a
name, a number, a thing, a list, another message. Words are made only where a message is shown, in
the language of the reader; nothing is parsed back from words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import is_
from typing import TYPE_CHECKING, Any, Protocol

from pbem.late import Late
from pbem.value import is_value, replace, value
from pbem.words import listing

if TYPE_CHECKING:
    from pbem import spanish
else:  # which an English reader does without
    spanish = Late("pbem.spanish")

Part = Any
"""What fills a gap: a text that stays as it is (a name), an int, an Amount, a Thing, a Message, a
Row, an Either, or a tuple of them, which is shown as a list.
"""


class Language(Protocol):
    """What the library calls translations (gettext.NullTranslations, GNUTranslations)."""

    def gettext(self, message: str, /) -> str:
        """The text in the language; the English one where a catalogue lacks it."""
        ...

    def ngettext(self, one: str, many: str, number: int, /) -> str:
        """The text as the language has it for the number; English knows `one` and `many`."""
        ...


class English:
    """The language of the code: every text is unchanged."""

    def gettext(self, message: str, /) -> str:
        return message

    def ngettext(self, one: str, many: str, number: int, /) -> str:
        return one if number == 1 else many


ENGLISH = English()
LANGUAGES = ("en", "es")
"""The languages of the program, by their codes. English is that of the code; every other one has a
catalogue in pbem/translations, and one of each game.
"""


@value
class Message:
    """A text with gaps, as in "{side} take control of {spaces}", in the words of a clause.

    It has no full stop, and begins with a small letter unless its first word never does. `counts`
    names the part whose number decides between `text` and `many`.
    """

    text: str
    parts: tuple[tuple[str, Part], ...] = ()
    many: str = ""
    counts: str = ""

    def __str__(self) -> str:
        return words(self)

    def part(self, name: str) -> Part:
        """What fills a gap; KeyError if there is none of the name."""
        return dict(self.parts)[name]

    def with_part(self, name: str, part: Part) -> Any:
        """The same message with something else in a gap."""
        return replace(self, parts=tuple((key, part if key == name else old)
                                         for key, old in self.parts))  # fmt: skip


Said = str | Message
"""A text that stays as it is (what a player wrote, a name), or a message to be shown in a
language.
"""


@value
class Thing:
    """One of several things of a kind: "Infantry INF-1"; the only one is "Navarra (N-NAVARRA)"."""

    name: str
    kind: Said = ""
    is_only: bool = False
    state: Message | None = None


@value
class WrittenNumber:
    """A number whose grammar differs from its text: ½ is singular, 1½ is plural."""

    written: str
    number: int


@value
class Either:
    """Things of which one is meant: "A, B or C"."""

    items: tuple[Part, ...]

    def __str__(self) -> str:
        return words(self)


@value
class Row:
    """Things in a row, with a sign between them instead of words."""

    items: tuple[Part, ...]
    sign: str = ", "

    def __str__(self) -> str:
        return words(self)


def say(text: str, /, **parts: Part) -> Message:
    """A message; `parts` fill the gaps of its text."""
    return Message(text, tuple(parts.items()), "", "")


HANDFUL = 6
"""So many examples does a refusal give of what would be allowed."""


def a_few(names: Sequence[Said]) -> Said:
    """The first few of a list, and the number of the others."""
    few, more = Row(tuple(names[:HANDFUL])), len(names) - HANDFUL
    if more > 0:
        return say("{few} and {more} more", few=few, more=more)
    return say("{names}", names=few) if names else ""


def decimal(number: float, places: int = 1) -> Message:
    """A number with decimals, behind the sign that the reader's language has there."""
    whole, rest = f"{number:.{places}f}".split(".")
    return say("{whole}.{decimals}", whole=whole, decimals=rest)


def any_of(names: Sequence[Part], most: int = HANDFUL) -> Said:
    """Things of which one is meant, "A, B or C"; of more than `most` the first few."""
    return either(names) if len(names) <= most else a_few(names)


def all_of(names: Sequence[Part], most: int = HANDFUL) -> Said:
    """Things all of which are meant, "A, B and C"; of more than `most` the first few."""
    return say("{names}", names=tuple(names)) if len(names) <= most else a_few(names)


def say_many(counts: str, one: str, many: str, /, **parts: Part) -> Message:
    """A message in the singular or the plural, as the part named by `counts` has it."""
    return Message(one, tuple(parts.items()), many, counts)


def either(names: Iterable[Part], /) -> Message:
    """Things of which one is meant, as a message: "A, B or C"."""
    return say("{names}", names=Either(tuple(names)))


def indented(told: Part, /) -> Message:
    """A line below the one that it belongs to."""
    return say("  {line}", line=told)


def marked(text: str, /) -> str:
    """A text that is in the catalogue and shown later, by `say(text)`."""
    return text


def marked_many(one: str, many: str, /) -> tuple[str, str]:
    """The same, for a text in the singular and the plural that `say_many` tells later."""
    return one, many


def words(told: Part, language: Language = ENGLISH) -> str:
    """A message, or what fills a gap, as words within a sentence."""
    return _told(told, language, False)


def in_words(found: Any, language: Language = ENGLISH) -> Any:
    """A value, a mapping or a tuple with words in place of every message in it."""
    return _in_words(found, language, {})


PLAIN = frozenset({str, int, bool, type(None)})
TOLD = (Message, Row, Thing)


def _in_words(found: Any, language: Language, known: dict[int, Any]) -> Any:
    """`known` has what was put into words already, by identity: signs are shared."""
    if id(found) in known:
        return known[id(found)]
    told = found
    if isinstance(found, tuple):
        if not PLAIN.issuperset(map(type, found)):
            parts = tuple([_in_words(each, language, known) for each in found])
            told = found if all(map(is_, parts, found)) else parts
    elif isinstance(found, TOLD):
        told = words(found, language)
    elif is_value(found):
        changed = {}
        for name, was in found.__dict__.items():
            if type(was) not in PLAIN:
                now = _in_words(was, language, known)
                if now is not was:
                    changed[name] = now
        told = replace(found, **changed) if changed else found
    elif isinstance(found, Mapping):  # last, for to ask this of a class takes long
        told = {
            _in_words(key, language, known): _in_words(each, language, known)
            for key, each in found.items()
        }
    known[id(found)] = told
    return told


def heading(said: Said, language: Language = ENGLISH) -> str:
    """A message with a capital, as it stands above what belongs to it; other texts unchanged."""
    return said if isinstance(said, str) else _filled(said, language, True)


def sentence(said: Said, language: Language = ENGLISH) -> str:
    """A message as a sentence of its own, with a capital and a full stop.

    A text that is no message stays as it is, and so does a name at the beginning.
    """
    if isinstance(said, str):
        return said
    return _filled(say("{clause}.", clause=said), language, True)


ENDS = (".", "!", "?", "…")
"""Behind a name that ends so ("VIII A.C.", "Tanks!") a sentence has no full stop of its own."""


def _filled(message: Message, language: Language, capital: bool) -> str:
    parts = dict(message.parts)
    if message.many:
        number = _number(parts.get(message.counts))
        template = language.ngettext(message.text, message.many, number)
    else:
        template = language.gettext(message.text)
    first, gaps = _pieces(template)
    told = first[:1].upper() + first[1:] if capital else first
    begins = capital and not first
    for name, behind in gaps:
        filled = _told(parts[name], language, begins) if name in parts else f"{{{name}}}"
        told = told + filled if language is ENGLISH else spanish.joined(told, filled)
        told += behind[1:] if behind == "." and told.endswith(ENDS) else behind
        begins = False
    return told


@cache
def _pieces(template: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The text before the first gap; the name of each gap, and the text after it.

    A brace that begins no gap, as in `play: {card: {card}}`, is a brace.
    """
    first, *others = template.split("{")
    gaps: list[tuple[str, str]] = []
    for other in others:
        name, closes, behind = other.partition("}")
        if closes and name.isidentifier():
            gaps.append((name, behind))
        elif gaps:
            gaps[-1] = (gaps[-1][0], f"{gaps[-1][1]}{{{other}")
        else:
            first += f"{{{other}"
    return first, tuple(gaps)


def _told(part: Part, language: Language, capital: bool) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Message):
        return _filled(part, language, capital)
    if isinstance(part, tuple):
        return listing(_each(part, language, capital), language.gettext("and"))
    if isinstance(part, Thing):
        return _thing(part, language, capital)
    if isinstance(part, Either):
        return listing(_each(part.items, language, capital), language.gettext("or"))
    if isinstance(part, Row):
        return part.sign.join(_each(part.items, language, capital))
    return part.written if isinstance(part, WrittenNumber) else str(part)


def _each(parts: tuple[Part, ...], language: Language, capital: bool) -> Iterator[str]:
    """The kind of things is given once if several of one kind follow each other."""
    kind: Said = ""
    for part in parts:
        this = part.kind if isinstance(part, Thing) and not part.is_only else ""
        is_more = this and this == kind
        yield _told(replace(part, kind="") if is_more else part, language, capital)
        kind, capital = this, False


def _thing(thing: Thing, language: Language, capital: bool) -> str:
    """What a thing is called, and its state; a kind that ends in a bracket shares it."""
    kind = _told(thing.kind, language, capital)
    state = words(thing.state, language) if thing.state else ""
    if thing.is_only:
        inside = f"{thing.name}, {state}" if state else thing.name
        return f"{kind[:-1]}, {inside})" if kind.endswith(")") else f"{kind} ({inside})"
    told = f"{kind} {thing.name}" if kind else thing.name
    return f"{told} ({state})" if state else told


def _number(part: Part) -> int:
    """The number that decides between singular and plural."""
    if isinstance(part, WrittenNumber):
        return part.number
    return len(part) if isinstance(part, tuple) else part if isinstance(part, int) else 1
