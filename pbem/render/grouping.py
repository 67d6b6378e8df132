"""Lines that say the same of several units or places, told in one breath.

"Infantry INF-1 advances into Riotinto." and the same of INF-2 become "Infantry INF-1 and INF-2
advance into Riotinto."; "The Nationalists take control of Zafra." and of Llerena become one. A
line in brackets belongs to the line after it, and a unit that "is reduced." and at once "is
eliminated." is told once: "is reduced, then eliminated."

Only lines that follow each other are joined, and no word is lost but those that are said twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.render.log import Line
from pbem.value import replace, value
from pbem.words import listing

LONGEST_SUBJECT = 8
PARTICLES = frozenset({"de", "del", "el", "la", "las", "los", "y"})
BEFORE_OBJECT = frozenset({"of", "in"})
PLURALS = {"is": "are", "has": "have", "goes": "go", "does": "do"}


@value
class Sentence:
    """A sentence with a gap that several things may fill: before the verb, or at the end."""

    before: str
    filled: tuple[str, ...]
    after: str

    def with_another(self, thing: str) -> Sentence:
        return replace(self, filled=(*self.filled, thing))

    def __str__(self) -> str:
        things = listing(_without_repeats(self.filled))
        if self.before:
            return f"{self.before} {things}{self.after}"
        verb, _, rest = self.after.partition(" ")
        return f"{things} {plural_verb(verb)} {rest}"


def grouped(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines, with those that can be told together joined."""
    return tuple(_joined(_with_one_fate(_with_brackets(lines))))


def plural_verb(verb: str) -> str:
    """The verb for several: "advances" is "advance", "is" is "are", "crosses" is "cross"."""
    if verb in PLURALS:
        return PLURALS[verb]
    if verb.endswith(("sses", "shes", "ches", "xes")):
        return verb[:-2]
    return verb[:-1]


def _with_brackets(lines: Iterable[Line]) -> Iterator[Line]:
    asides: list[Line] = []
    for line in lines:
        if line.kind == "event" and _is_aside(line.text):
            asides.append(line)
            continue
        if asides and line.kind == "event":
            words = " ".join(aside.text for aside in asides)
            line = replace(line, text=f"{line.text.removesuffix('.')} {words}.")
        else:
            yield from asides
        asides = []
        yield line
    yield from asides


def _with_one_fate(lines: Iterable[Line]) -> Iterator[Line]:
    held: Line | None = None
    for line in lines:
        if held and held.kind == line.kind == "event":
            subject, _, fate = held.text.partition(" is ")
            if fate.endswith(".") and line.text.startswith(f"{subject} is "):
                then = line.text.removeprefix(f"{subject} is ")
                held = replace(held, text=f"{held.text[:-1]}, then {then}")
                continue
        if held:
            yield held
        held = line
    if held:
        yield held


def _is_aside(text: str) -> bool:
    return text.startswith("(") and text.endswith(")")


def _joined(lines: Iterable[Line]) -> Iterator[Line]:
    held: Line | None = None
    group: Sentence | None = None
    for line in lines:
        more = _together(held, group, line)
        if more is None:
            if held:
                yield _told(held, group)
            held, group = line, None
        else:
            group = more
    if held:
        yield _told(held, group)


def _told(line: Line, group: Sentence | None) -> Line:
    return replace(line, text=str(group)) if group else line


def _together(held: Line | None, group: Sentence | None, line: Line) -> Sentence | None:
    """The group grown by this line; None where it begins something new."""
    if held is None or held.kind != "event" or line.kind != "event":
        return None
    if group is None:
        return _same_of_subjects(held.text, line.text) or _same_of_objects(held.text, line.text)
    thing = _fits(group, line.text)
    return group.with_another(thing) if thing else None


def _fits(group: Sentence, text: str) -> str:
    if group.before:
        start, end = f"{group.before} ", group.after
    else:
        start, end = "", f" {group.after}"
    if not (text.startswith(start) and text.endswith(end)):
        return ""
    thing = text[len(start) : len(text) - len(end)]
    fits = _is_name(thing) if group.before else _is_subject(thing)
    return thing if fits and thing not in group.filled else ""


def _same_of_subjects(one: str, other: str) -> Sentence | None:
    left, right = one.split(" "), other.split(" ")
    shared = 0
    while shared < min(len(left), len(right)) - 1 and left[-1 - shared] == right[-1 - shared]:
        shared += 1
    for start in range(len(left) - shared, len(left) - 1):
        if _is_verb(left[start]):
            subjects = " ".join(left[:start]), " ".join(right[: start - len(left)])
            if all(map(_is_subject, subjects)) and subjects[0] != subjects[1]:
                return Sentence("", subjects, " ".join(left[start:]))
            return None
    return None


def _same_of_objects(one: str, other: str) -> Sentence | None:
    left, right = one.split(" "), other.split(" ")
    shared = 0
    while shared < min(len(left), len(right)) and left[shared] == right[shared]:
        shared += 1
    for end in range(shared, 2, -1):
        if left[end - 1] in BEFORE_OBJECT:
            things = " ".join(left[end:]), " ".join(right[end:])
            if all(thing.endswith(".") and _is_name(thing[:-1]) for thing in things):
                return Sentence(" ".join(left[:end]), (things[0][:-1], things[1][:-1]), ".")
    return None


def _is_verb(word: str) -> bool:
    return word.isalpha() and word.islower() and word.endswith("s") and len(word) > 1


def _is_subject(text: str) -> bool:
    """A name that ends in its id, "Infantry INF-1" or "X A.C. (R-X)", and nothing like a clause."""
    words = text.split(" ")
    ends_in_id = words[-1].endswith(")") or ("-" in words[-1] and words[-1].isupper())
    return ends_in_id and len(words) <= LONGEST_SUBJECT and not set(text) & set(";:")


def _is_name(text: str) -> bool:
    """A name alone: no word of it is an ordinary one."""
    words = text.split(" ")
    return words[0][:1].isupper() and all(
        word in PARTICLES or word.endswith(")") or word[:1].isupper() for word in words
    )


def _without_repeats(things: Sequence[str]) -> list[str]:
    """The kind of thing is said once: "Police R-POL-1", "R-POL-2"."""
    told, kind = [], ""
    for thing in things:
        words = thing.split(" ")
        at = next((i for i, word in enumerate(words) if word.strip("(),").isupper()), 0)
        this = " ".join(words[:at])
        plain = not words[at].startswith("(")
        told.append(" ".join(words[at:]) if this and this == kind and plain else thing)
        kind = this
    return told
