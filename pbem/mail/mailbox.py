"""Files of messages one after the other, and messages with something around them.

A mailbox (mbox) has a line `From ` before each message. Programs write it in many ways, with and
without a blank line in front of it, so what counts is that the header of a mail follows. Messages
that were only written one behind the other are found by their headers.
"""

from __future__ import annotations

import re
from itertools import pairwise

from pbem.mail.mime import MAX_HEAD, header_end, is_message, is_of_a_mail, names_in
from pbem.value import value

MAX_MESSAGES = 4_000

_FROM_LINE = re.compile(
    rb"From(?:[ \t][^\r\n]*+)?[\r\n][ \t\r\n]*+(?<=[\r\n])"
    rb"(?:>From [^\r\n]*+(?:\r\n?|\n)|(?!>From ))(?=[!-9;-~]++[ \t]*+:)"
)
_FIRST = re.compile(rb"\s*+From[ \t\r\n]")
_BEGINS = re.compile(rb"(?:^|(?<=[\r\n]))(?=[!-9;-~]++[ \t]*+:)")
_COUNT = re.compile(rb"\s*+([0-9]{1,9})[ \t]*+(?:\r\n?|\n)")
_LINE_BEFORE = 200


@value
class Mailbox:
    """The newest messages of a mailbox, as stored, in order; how many before them are left out."""

    messages: tuple[bytes, ...]
    left_out: int = 0


def mailbox(raw: bytes) -> Mailbox | None:
    """The messages of an mbox; None if this is none."""
    if not _FIRST.match(raw):
        return None
    line_end = b"\n" if b"\n" in raw else b"\r"
    messages: list[bytes] = []
    first = len(raw) - len(raw.lstrip())
    end = above = len(raw)
    while len(messages) < MAX_MESSAGES and above > first:
        above = max(first, raw.rfind(line_end + b"From", first, above) + 1)
        line = _FROM_LINE.match(raw, above)
        if line is not None and is_message(raw, line.end()):
            messages.append(raw[line.end() : end])
            end = above
    if not messages or (above == first and end > first):
        return None
    left_out = raw.count(line_end + b"From ", first, end) + (end > first)
    return Mailbox(tuple(reversed(messages)), left_out)


def in_envelope(raw: bytes) -> bytes:
    """A message without what Apple Mail puts around it: a count before, a property list behind."""
    count = _COUNT.match(raw)
    if count is None or not is_message(raw, count.end()):
        return raw
    return raw[count.end() : count.end() + int(count[1])]


def messages_within(raw: bytes) -> list[tuple[int, int]]:
    """Where each whole mail is in a text, up to the next one: quoted, or behind another.

    A message inside one of them goes with it.
    """
    begins: list[int] = []
    at = before = 0
    was_message = False
    while len(begins) <= MAX_MESSAGES and (found := _BEGINS.search(raw, at)):
        at = header_end(raw, found.start(), len(raw))
        lower = raw[found.start() : at][:MAX_HEAD].lower()
        is_inside = was_message and not raw[before : found.start()].strip()
        if is_of_a_mail(names_in(lower)) and not is_inside and not _is_part(raw, found.start()):
            begins.append(found.start())
        before, was_message = at, b"message/" in lower
    return list(pairwise([*begins, len(raw)]))


def _is_part(raw: bytes, at: int) -> bool:
    """Whether a header is that of a part: below a boundary that does not end the parts."""
    above = raw[max(0, at - _LINE_BEFORE) : at].rstrip()
    line = above[max(above.rfind(b"\n"), above.rfind(b"\r")) + 1 :]
    return line.startswith(b"--") and not line.endswith(b"--")
