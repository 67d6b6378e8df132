"""What is said of a name in an order that means nothing: the nearest names that do."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from pbem.messages import Either, Said, say
from pbem.problems import Problem, Span
from pbem.text.wording import FEW, NEAR, may_be, quoted, shown
from pbem.words import closest, folded

if TYPE_CHECKING:
    from pbem.orders.fields import Names

BETWEEN, AND = re.compile(r"[\s;+&|]+"), ("and", "y")
ARROW = re.compile(r"[\s/>–—→-]+")
"""What players write between names where a comma belongs; a hyphen may be part of a name."""
_TURNED = re.compile(r"(\d+)([A-Za-z]+)")
"""A hex with its number before its letter."""
LEAST_WORD = 4
"""The fewest letters of a word by which a name may be found: a shorter one is too much like others.
"""


def unknown(names: Names, name: tuple[str, str], below: tuple[str, str], span: Span) -> Problem:
    """The problem of a name, given by its kind and as it is written, as is the key it is below."""
    kind, written = name
    elsewhere = getattr(names, "elsewhere", None)
    if elsewhere is not None and (told := elsewhere(kind, written)) is not None:
        return Problem(f"unknown-{kind}", told[0], span, hint=told[1])
    message = say("no {kind} is named {written}", kind=say(kind), written=quoted(written))
    known, here = names.known(kind), names.find(*below) if below[0] else None
    standing = getattr(names, "standing", None)
    at_place = standing(kind, here) if standing and here else ()
    if hint := _of_all(kind, written) or _of_several(names, kind, written, below):
        return Problem(f"unknown-{kind}", message, span, hint=hint)
    turned = _TURNED.fullmatch(written)
    if turned and (meant := names.find(kind, turned[2] + turned[1])):
        return Problem(f"unknown-{kind}", message, span, hint=say(NEAR, near=meant))
    near = closest(written, at_place)
    known = {id: known[id] for id in near if id in known} or known
    spelt = {names.spelt(kind, id): printed for id, printed in known.items()}
    is_theirs = getattr(names, "is_theirs", lambda id: False)
    theirs = {names.spelt(kind, id) for id in known if is_theirs(id)}
    hint = suggestion(written, spelt, theirs, explained=kind in names.by_letter)
    if not hint:
        such_as = getattr(names, "such_as", {})
        hint = such_as.get(kind) or say("'pbem form' lists the possible names")
    return Problem(f"unknown-{kind}", message, span, hint=hint)


ALL = ("all", "every", "everything")
"""What players write for everybody; where it may be written, it is no name."""


def is_everybody(written: str) -> bool:
    """Whether something reads like a word for everybody."""
    return bool(closest(written, ALL))


def _of_all(kind: str, written: str) -> Said:
    """What to do where a player writes `all` in place of names."""
    if folded(written) not in ALL:
        return ""
    return say("name each {kind}; here there is no word for all of them", kind=say(kind))


def _of_several(names: Names, kind: str, written: str, below: tuple[str, str]) -> Said:
    """What to write instead of names that stand side by side: a list of them, or a line of a
    mapping without its colon, which is read as more of the line above it. Else nothing.
    """
    for between in (BETWEEN, ARROW):
        words = [word for word in re.split(between, written) if word not in ("", *AND)]
        if len(words) > 1 and all(names.find(kind, word) is not None for word in words):
            return say("write a list: {text}", text=f"[{', '.join(words)}]")
    words = written.split()
    if len(words) == 3 and below[0]:
        _, key, value = words
        if names.find(below[0], key) is not None and names.find(kind, value) is not None:
            return say("in the next line write {text}", text=f"{key}: {value}")
    return ""


def own_words(by_form: Mapping[str, str]) -> dict[str, str]:
    """The words that only one of the names has: "Mangada" of Columna Mangada."""
    owners: dict[str, set[str]] = {}
    for form, each in by_form.items():
        for word in form.split():
            if len(word) >= LEAST_WORD:
                owners.setdefault(word, set()).add(each)
    return {word: each for word, (each, *others) in owners.items() if not others}


def suggestion(
    name: str, known: Mapping[str, str], theirs: Collection[str] = (), *, explained: bool = False
) -> Said:  # fmt: skip
    """The nearest of the names to write, searched among these and the printed ones.

    All but the enemy's, `theirs`, if they are few, and nothing if they are many; `explained` gives
    the printed name with each.
    """
    by_form: dict[str, str] = {}
    for each, printed in known.items():
        by_form.setdefault(each, each)
        by_form.setdefault(printed, each)
    forms = closest(name, by_form)
    near = tuple(dict.fromkeys(by_form[form] for form in forms))
    named = {by_form[form] for form in forms if folded(form) != folded(by_form[form])}
    if not near:
        own = own_words(by_form)
        near = tuple(dict.fromkeys(own[word] for word in closest(name, own)))
        explained = True
    near = tuple(each for each in near if each not in theirs) or near
    if near:
        near = tuple(
            f"{known[each]} ({each})"
            if known[each] != each and (explained or each in named) else each for each in near
        )  # fmt: skip
        return say("did you mean {near}?", near=Either(tuple(map(shown, near))))
    mine = [each for each in known if each not in theirs] or [*known]
    return may_be(mine) if len(mine) <= FEW else ""
