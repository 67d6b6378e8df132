"""What happened, as a log says it, and what a log joins into one sentence.

Two lines that say the same become one: "INF-1 and INF-2 advance into Riotinto". What happens to a
unit at the same moment is joined: "is reduced, then eliminated". An aside is in brackets after the
line it belongs to. All of this is decided on values; no text is parsed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from pbem.messages import Message, Part, marked
from pbem.value import value

Teller = TypeVar("Teller", bound=Callable[..., Message | None])


@value
class Told(Message):
    """A message about something that happened.

    `joins` names the part, a tuple, in which the next message may differ and still be joined to
    this one. `then` maps the text of a message that may follow with the same parts to what replaces
    both: (text of the next, text for both, its plural). With `is_aside` it belongs to the message
    after it.
    """

    joins: str = ""
    then: tuple[tuple[str, str, str], ...] = ()
    is_aside: bool = False


def together(joins: str, one: str, many: str, /, **parts: Part) -> Told:
    """A message about one thing or several; the part `joins` holds them in a tuple."""
    return Told(one, tuple(parts.items()), many, joins, joins)


def aside(message: Message) -> Told:
    """A message in brackets after the next one."""
    return Told(message.text, message.parts, message.many, message.counts, is_aside=True)


def both(text: str, one: str, many: str, /) -> tuple[str, str, str]:
    """What becomes of a message and the next one, for `Told.then`: the text of the next, and the
    text for both, of one thing and of several.
    """
    return text, one, many


def lines_into(table: dict[Any, Teller]) -> Callable[[Any], Callable[[Teller], Teller]]:
    """A decorator that registers the function which tells of a kind of event; each kind has one."""

    def line(kind: Any) -> Callable[[Teller], Teller]:
        def mark(tell: Teller) -> Teller:
            assert kind not in table, kind
            table[kind] = tell
            return tell

        return mark

    return line


Beat = Literal["begins", "goes on", "left out", "arrives", "changes"]
"""What an event is in the story of a turn: it `begins` a battle, or the battle `goes on` with it,
told or `left out`, or it `changes` the ground beside it, as works and blown bridges do; or
something `arrives`, a replacement or a reinforcement. That ends a battle, as whatever has no beat
does."""


@value
class Passage:
    """An event in the story of a turn; `at` is the space of a battle that begins, and `named` what
    the battle is called.
    """

    beat: Beat
    at: str = ""
    named: str = marked("Attack on {space}")


GOES_ON, LEFT_OUT, ARRIVES, GROUND = (
    Passage("goes on"), Passage("left out"), Passage("arrives"), Passage("changes"),
)  # fmt: skip
