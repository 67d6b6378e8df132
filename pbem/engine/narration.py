"""What happened, as a log tells it, and which of it is told in one breath.

Two things of which the same is told become one line: "INF-1 and INF-2 advance into Riotinto". What
a thing suffers at once is told together: "is reduced, then eliminated". An aside is in brackets
behind what it belongs to. All of it is decided on the values; no word is looked at.
"""

from __future__ import annotations

from pbem.messages import Message, Part
from pbem.value import value


@value
class Told(Message):
    """A message about something that happened.

    `joins` names the part, a tuple, in which the next one may differ to be told together with it.
    `then` says for the text of a message that may come next, of the very same parts, what is told
    in place of both: (text of the next, text for both, its plural). `is_aside`: it belongs to what
    is told after it.
    """

    joins: str = ""
    then: tuple[tuple[str, str, str], ...] = ()
    is_aside: bool = False


def together(joins: str, one: str, many: str, /, **parts: Part) -> Told:
    """What is told of one thing or of several; the part `joins` holds them in a tuple."""
    return Told(one, tuple(parts.items()), many, joins, joins)


def aside(message: Message) -> Told:
    """What is told in brackets behind the next."""
    return Told(message.text, message.parts, message.many, message.counts, is_aside=True)


def both(text: str, one: str, many: str, /) -> tuple[str, str, str]:
    """A line of `Told.then`."""
    return text, one, many
