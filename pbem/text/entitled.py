"""Names beside the ids in a message: a player types the id, and knows the thing by its name."""

from __future__ import annotations

from collections.abc import Callable

from pbem.messages import Either, Message, Part, Row, Said, Thing, say
from pbem.value import replace

Title = Callable[[str], Said]
"""What an id is called beside itself; empty for one that is a name or no id at all."""

TO_TYPE = ("write ", "such as ")
"""A text with one of these shows what is to be typed, where an id stands alone."""


COMMA = ", "


def entitled(said: Said, title: Title) -> Said:
    """The message with each id that fills a gap as "Navarra A.C. (N-NAVARRA)".

    A gap may be filled by several ids with commas between them. In quotes stands what was written.
    """
    if isinstance(said, str):
        named = _in_words(said, title, set())
        return said if named is said else say("{names}", names=named)
    if any(sign in said.text for sign in TO_TYPE):
        return said
    told = {str(part) for _, part in said.parts}
    parts = tuple((key, _entitled(part, title, told)) for key, part in said.parts)
    return replace(said, parts=parts)


def _entitled(part: Part, title: Title, told: set[str]) -> Part:
    """One part; an id whose title the message has already stays as it is."""
    match part:
        case str():
            return _in_words(part, title, told)
        case Message():
            return entitled(part, title)
        case Row() | Either():
            items = tuple(_entitled(each, title, told) for each in part.items)
            return replace(part, items=items)
        case tuple():
            return tuple(_entitled(each, title, told) for each in part)
    return part


def _in_words(text: str, title: Title, told: set[str]) -> Part:
    """A text of ids with their titles; the same text if it has none."""
    ids = text.split(COMMA)
    named = tuple(
        Thing(each, name, is_only=True)
        if (name := title(each)) and str(name) not in told else each
        for each in ids
    )  # fmt: skip
    if named == tuple(ids):
        return text
    return named[0] if len(named) == 1 else Row(named)
