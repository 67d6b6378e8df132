"""Messages as mail programs store them: their parts and contents, within limits.

The standard parser builds the whole tree of a message, however deep and wide. This reader goes
through the parts one by one and stops at a limit, so a hostile message costs no more than an honest
one. It decodes the parts; other modules decide what they mean.
"""

from __future__ import annotations

import binascii
import quopri
import re
import string
from collections.abc import Iterator, Mapping
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message as Fields

from pbem.gamefile.errors import FileRefused
from pbem.mail.work import A_PART, Work
from pbem.messages import say
from pbem.value import value

MAX_MESSAGE = 12 << 20
MAX_MAILBOX = 64 << 20
MAX_MESSAGES = 5_000
MAX_PARTS = 100
MAX_DEPTH = 8
MAX_HEADER = 64 << 10
MAX_FIELD = 2_000

_FROM_LINE = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]*\n")
_HEADER_LINE = re.compile(rb"[!-9;-~]+[ \t]*:")
_KNOWN = re.compile(
    rb"^(?:from|to|date|subject|mime-version|content-type|received|return-path|message-id"
    rb"|delivered-to|x-unsent)[ \t]*:",
    re.I | re.M,
)
_BLANK = re.compile(rb"\r?\n[ \t]*\r?\n")
_BEHIND_BOUNDARY = re.compile(rb"(--)?[ \t]*(?:\r?\n|\Z)")
_NOT_BASE64 = bytes(set(range(256)) - {*b"+/", *(string.ascii_letters + string.digits).encode()})


@value
class Part:
    """One leaf of a message, decoded: its kind (`text/plain`), file name (or empty), charset."""

    kind: str
    name: str
    charset: str
    content: bytes


@value
class MailMessage:
    """A message: its headers, which prove nothing, and its leaves in order."""

    subject: str
    date: str
    parts: tuple[Part, ...]


def is_mailbox(raw: bytes) -> bool:
    """Whether this is a file of messages one after the other (mbox)."""
    return raw.startswith(b"From ") and _looks_like_header(raw.partition(b"\n")[2][:MAX_HEADER])


def is_message(raw: bytes) -> bool:
    """Whether this begins as a mail message does: with headers, some of them typical of mail."""
    return _looks_like_header(raw.lstrip(b"\r\n")[:MAX_HEADER])


def in_mailbox(raw: bytes) -> tuple[bytes, ...]:
    """The messages of an mbox, as stored, in order; none if it does not begin as one.

    Raises FileRefused: E-LIMIT.
    """
    if len(raw) > MAX_MAILBOX:
        raise FileRefused(
            "E-LIMIT",
            say("the mailbox is larger than {max_mailbox} MiB", max_mailbox=MAX_MAILBOX >> 20),
            hint=say("save the message itself, and use that"),
        )
    if not raw.startswith(b"From "):
        return ()
    starts: list[int] = []
    ends: list[int] = []
    for found in _FROM_LINE.finditer(raw):
        if len(starts) == MAX_MESSAGES:
            raise FileRefused(
                "E-LIMIT",
                say("the mailbox has more than {max_messages} messages", max_messages=MAX_MESSAGES),
                hint=say("save the message itself, and use that"),
            )
        ends.append(found.start())
        starts.append(found.end())
    return tuple(raw[s:e] for s, e in zip(starts, [*ends[1:], len(raw)], strict=True))


def read_message(raw: bytes, work: Work | None = None) -> MailMessage:
    """A message with its leaves, those of messages inside it included.

    Raises FileRefused: E-LIMIT for one that is too large, deep or wide or takes more than is left
    of `work`, E-TRANSPORT for one that cannot be read. Never anything else.
    """
    if len(raw) > MAX_MESSAGE:
        raise FileRefused(
            "E-LIMIT",
            say("the message is larger than {max_message} MiB", max_message=MAX_MESSAGE >> 20),
        )
    try:
        reader = _Parts(work or Work())
        reader.work.spend(len(raw))
        fields, body = _split(raw.lstrip(b"\r\n"))
        leaves = tuple(reader.leaves(fields, body, MAX_DEPTH))
        return MailMessage(_words(fields, "subject"), _words(fields, "date"), leaves)
    except FileRefused:
        raise
    except Exception as error:  # whatever a hostile message provokes is a fault of the message
        raise FileRefused("E-TRANSPORT", say("the message cannot be read")) from error


def _looks_like_header(raw: bytes) -> bool:
    head = _BLANK.split(raw, maxsplit=1)[0]
    return _HEADER_LINE.match(head) is not None and _KNOWN.search(head) is not None


def _split(raw: bytes) -> tuple[Mapping[str, str], bytes]:
    """The headers, each by its lower-case name, and the body."""
    if raw.startswith((b"\n", b"\r\n")):
        return {}, raw
    blank = _BLANK.search(raw, 0, MAX_HEADER + 4)
    if blank is None and len(raw) > MAX_HEADER:
        raise FileRefused(
            "E-LIMIT",
            say(
                "the header of a part is larger than {max_header} KiB", max_header=MAX_HEADER >> 10
            ),
        )
    head, body = (raw[: blank.start()], raw[blank.end() :]) if blank else (raw, b"")
    fields: dict[str, str] = {}
    for line in re.sub(rb"\r?\n[ \t]+", b" ", head).splitlines():
        name, _, content = line.partition(b":")
        text = content[:MAX_FIELD].decode("utf-8", "replace").strip()
        fields.setdefault(name.strip().lower().decode("ascii", "replace"), text)
    return fields, body


class _Parts:
    """Visits the parts of one message; those that only contain parts count, too."""

    def __init__(self, work: Work) -> None:
        self.work, self.left = work, MAX_PARTS + 1  # the message itself is one, too

    def leaves(self, fields: Mapping[str, str], body: bytes, depth: int) -> Iterator[Part]:
        """The leaves of a part, outermost first; a message inside is a part with parts."""
        if depth < 0:
            raise FileRefused(
                "E-LIMIT",
                say("the parts of the message nest deeper than {max_depth}", max_depth=MAX_DEPTH),
            )
        if self.left == 0:
            raise FileRefused(
                "E-LIMIT", say("the message has more than {max_parts} parts", max_parts=MAX_PARTS)
            )
        self.left -= 1
        self.work.spend(A_PART)
        about = Fields()
        for name in ("content-type", "content-disposition"):
            if name in fields:
                about[name] = fields[name]
        kind, boundary = about.get_content_type(), about.get_boundary()
        if kind.startswith("multipart/") and boundary:
            for inner in _between(body, boundary):
                yield from self.leaves(*_split(inner), depth - 1)
            return
        content = _decoded(body, fields.get("content-transfer-encoding", "").lower())
        if kind == "message/rfc822":
            yield from self.leaves(*_split(content.lstrip(b"\r\n")), depth - 1)
            return
        yield Part(kind, about.get_filename("") or "", about.get_content_charset("utf-8"), content)


def _between(body: bytes, boundary: str) -> Iterator[bytes]:
    """What is between the lines of a boundary; the last may be missing."""
    line = b"--" + boundary.encode("utf-8", "replace")
    last, at = None, body.find(line)
    while at >= 0:
        behind = _BEHIND_BOUNDARY.match(body, at + len(line))
        if behind and (at == 0 or body[at - 1 : at] == b"\n"):
            if last is not None:
                yield body[last:at].removesuffix(b"\n").removesuffix(b"\r")
            if behind[1]:
                return
            last = behind.end()
        at = body.find(line, at + len(line))
    if last is not None:
        yield body[last:]


def _decoded(body: bytes, coding: str) -> bytes:
    if coding == "base64":
        letters = body.translate(None, _NOT_BASE64)
        return binascii.a2b_base64(letters[: len(letters) // 4 * 4] + _rest(letters))
    if coding == "quoted-printable":
        return quopri.decodestring(body)
    return body


def _rest(letters: bytes) -> bytes:
    """The last characters of base64 with their padding; a single one means nothing."""
    rest = letters[len(letters) // 4 * 4 :]
    return rest.ljust(4, b"=") if len(rest) > 1 else b""


def _words(fields: Mapping[str, str], name: str) -> str:
    """A header in readable form, in one line."""
    text = fields.get(name, "")[:500]
    try:
        return " ".join(str(make_header(decode_header(text))).split())
    except (HeaderParseError, LookupError, ValueError):
        return " ".join(text.split())
