"""Messages as mail programs store them: their parts and contents, within limits.

The standard parser builds the whole tree of a message, however deep and wide. This reader goes
through the parts one by one, as far as the budget of work goes, so a hostile message costs no more
than an honest one. It is as tolerant as the standard one, and more: it takes every line end, a
header with a gap in it or typed twice, a boundary that no header names. It decodes the parts; other
modules decide what they mean.

Its patterns repeat no groups. A possessive group kept, before Python 3.11.5, what it had read of a
last turn that failed; any other takes memory for each turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message as Fields
from itertools import islice

from pbem.gamefile.errors import FileRefused
from pbem.mail.codings import coding_named, decoded
from pbem.mail.work import A_PART, Work
from pbem.messages import say
from pbem.value import value

MAX_PARTS = 2_000
MAX_DEPTH = 20
"""How deep parts and messages nest: a mail forwarded with its text has two levels."""
MAX_FIELD = 2_000
MAX_GAPS = 20
"""How many gaps a header may have."""
MAX_HEAD = 64 << 10
"""How much of a header is looked at to see whose it is."""
MAX_HEADER = 1 << 20
"""How much of one is read."""

_FIELD = rb"[!-9;-~]*+[ \t]*+:"
_A_FIELD = re.compile(_FIELD)
_BEHIND_HEADER = re.compile(rb"\n(?![ \t]|" + _FIELD + rb")|\r(?![\n \t]|" + _FIELD + rb")")
_FOLD = re.compile(rb"[\r\n]++[ \t]++")
"""Where a line of a header goes on in the next one."""
_NAME = re.compile(rb"(?:^|(?<=\r))([!-9;-~]++)[ \t]*+:", re.M)
_READ = ("content-type", "content-disposition", "content-transfer-encoding", "subject", "date")
_VALUES = re.compile(
    rb"(?:^|(?<=\r))(" + b"|".join(name.encode() for name in _READ) + rb")[ \t]*+:"
    rb"([^\r\n]*+)",
    re.I | re.M,
)
_OF_A_MAIL = frozenset(
    {b"from", b"to", b"date", b"subject", b"received", b"return-path", b"message-id", b"sent",
     b"delivered-to", b"x-unsent", b"sender", b"reply-to"}
)  # fmt: skip
_OF_A_PART = frozenset({b"mime-version", b"content-type", b"content-transfer-encoding"})
_OF_A_CODED = frozenset({b"content-type", b"content-transfer-encoding"})
_OF_A_BLOCK = frozenset({b"game", b"bytes", b"digest"})
"""The header of an armour, which has a line `From: 2  To: 3`, is none of a mail."""
_BLANKS = re.compile(rb"[\r\n]*+")
_BLANK = re.compile(rb"[ \t]*+(?:\r\n?|\n|\Z)")
_GAP = re.compile(rb"[ \t\r\n]++(?<=[\r\n])(?=(?:content-[a-z-]{1,40}|mime-version)[ \t]*+:)", re.I)
_BEHIND_BOUNDARY = re.compile(rb"(--)?[ \t]*+(?:\r\n?|\n|\Z)")
_A_BOUNDARY = re.compile(
    rb"(?:^|(?<=\r))--([^\s][^\r\n]{0,98}?)[ \t]{0,9}(?:\r\n?|\n)"
    rb"(?=(?:content-|mime-)[a-z-]{1,40}[ \t]{0,9}:)",
    re.I | re.M,
)
_NO_MESSAGE = frozenset(
    {"message/delivery-status", "message/disposition-notification", "message/partial",
     "message/external-body", "message/feedback-report"}
)  # fmt: skip


@value
class Part:
    """One leaf of a message, decoded: its kind (`text/plain`), file name (or empty), charset.

    `body` is the leaf before its coding was undone; `is_cut` if that ended before the body did.
    `is_beside`: it is no part, but stands before
    the first or behind the last one.
    """

    kind: str
    name: str
    charset: str
    content: bytes
    body: bytes
    coding: str = ""
    is_cut: bool = False
    is_beside: bool = False


@value
class MailMessage:
    """A message: its headers, which prove nothing, and its leaves in order.

    They are read while they are asked for, once. That raises FileRefused (E-LIMIT) where there are
    too many, too deep, or more than the budget allows; those before were found.
    """

    subject: str
    date: str
    parts: Iterator[Part]


def is_message(raw: bytes, begin: int = 0) -> bool:
    """Whether a mail message begins here: with a header that has a line typical of mail."""
    begin = _BLANKS.match(raw, begin).end()  # type: ignore[union-attr]
    names = names_in(raw[begin : header_end(raw, begin, begin + MAX_HEAD)])
    return bool(names & (_OF_A_MAIL | _OF_A_PART) and not names & _OF_A_BLOCK)


def header_end(raw: bytes, begin: int, end: int) -> int:
    """Where the header ends that begins here; where it begins, if none does."""
    if not _A_FIELD.match(raw, begin, end):
        return begin
    behind = _BEHIND_HEADER.search(raw, begin, end)
    return behind.end() if behind else end


def names_in(head: bytes) -> frozenset[bytes]:
    """The names of the lines of a header, in lower case."""
    return frozenset(name[1].lower() for name in _NAME.finditer(head))


def is_of_a_mail(names: frozenset[bytes]) -> bool:
    """Whether a header with these names is that of a whole mail with MIME parts."""
    is_whole = names & _OF_A_MAIL or b"mime-version" in names or names >= _OF_A_CODED
    return bool(is_whole and names & _OF_A_PART and not names & _OF_A_BLOCK)


def read_message(raw: bytes, work: Work | None = None) -> MailMessage:
    """A message with its leaves, those of messages inside it included.

    Raises FileRefused: E-LIMIT for one that takes more than is left of `work`, E-TRANSPORT for one
    that cannot be read. Never anything else, and the same goes for its leaves.
    """
    reader = _Parts(work or Work())
    reader.work.spend(len(raw))
    try:
        begin = _BLANKS.match(raw).end()  # type: ignore[union-attr]
        fields, body = _split(raw, begin, len(raw))
        subject, date = _words(fields, "subject"), _words(fields, "date")
    except Exception as error:  # whatever a hostile message provokes is a fault of the message
        raise _unreadable() from error
    return MailMessage(subject, date, _guarded(reader.leaves(raw, fields, body, len(raw))))


def read_body(raw: bytes, work: Work) -> Iterator[Part] | None:
    """The leaves of a message that has lost its header; None if there is no sign of one."""
    boundary = _A_BOUNDARY.search(raw)
    if boundary is None:
        return None
    work.spend(len(raw))
    return _guarded(_Parts(work).leaves(raw, {"content-type": ["multipart/mixed"]}, 0, len(raw)))


def _guarded(leaves: Iterator[Part]) -> Iterator[Part]:
    try:
        yield from leaves
    except FileRefused:
        raise
    except Exception as error:  # as above
        raise _unreadable() from error


def _unreadable() -> FileRefused:
    return FileRefused("E-TRANSPORT", say("the message cannot be read"))


def _split(raw: bytes, begin: int, end: int) -> tuple[Mapping[str, Sequence[str]], int]:
    """The headers that are read, each by its lower-case name, and where the body begins.

    A gap in a header, which some programs leave, ends it only if what follows is no header of MIME.
    """
    fields: dict[str, list[str]] = {}
    at = begin
    for _ in range(MAX_GAPS):
        ends = header_end(raw, at, end)
        for found in _VALUES.finditer(_FOLD.sub(b" ", raw[at:ends][:MAX_HEADER])):
            text, name = found[2][:MAX_FIELD], found[1].lower().decode("ascii")
            fields.setdefault(name, []).append(text.decode("utf-8", "replace").strip())
        gap = _GAP.match(raw, ends, end) if ends > at or at == begin else None
        at = ends
        if gap is None or any(map(_has_parts, fields.get("content-type", ()))):
            break
        at = gap.end()
    if at > begin:
        blank = _BLANK.match(raw, at, end)
        return fields, blank.end() if blank else at
    return fields, at


class _Parts:
    """Visits the parts of one message; those that only contain parts count, too."""

    def __init__(self, work: Work) -> None:
        self.work, self.left = work, MAX_PARTS + 1  # the message itself is one, too

    def leaves(
        self, raw: bytes, fields: Mapping[str, Sequence[str]], begin: int, end: int,
        depth: int = MAX_DEPTH, default: str = "",
    ) -> Iterator[Part]:  # fmt: skip
        """The leaves of a part, outermost first; a message inside is a part with parts."""
        if depth < 0:
            raise FileRefused(
                "E-LIMIT",
                say("the parts of the message nest deeper than {max_depth}", max_depth=MAX_DEPTH),
            )
        if self.left == 0:
            raise FileRefused(
                "E-LIMIT",
                say(
                    "the message has more parts than are searched ({max_parts})",
                    max_parts=MAX_PARTS,
                ),
                hint=say("save only the attachment, and use that"),
            )
        self.left -= 1
        self.work.spend(A_PART)
        abouts = _abouts(fields) if fields else []
        for about in abouts:
            boundary = about.get_boundary()
            if boundary and about.get_content_maintype() == "multipart":
                pieces = _pieces(raw, begin, end, boundary.encode("utf-8", "replace"))
                if len(pieces) > 1 or pieces[0][1] < end:
                    inner = "message/rfc822" if about.get_content_subtype() == "digest" else ""
                    yield from self._inside(raw, pieces, depth, inner)
                    return
        about = abouts[0] if abouts else Fields()
        kind = about.get_content_type() if "content-type" in fields or not default else default
        if about.get_content_maintype() == "multipart":
            guessed = _A_BOUNDARY.search(raw, begin, end)
            if guessed is not None:
                pieces = _pieces(raw, begin, end, guessed[1])
                yield from self._inside(raw, pieces, depth, "")
                return
        body = raw[begin:end]
        codings = [coding_named(text) for text in fields.get("content-transfer-encoding", ())]
        coding = max(codings, key=_says_much, default="")
        content, behind = decoded(body, coding)
        if kind.startswith("message/") and kind not in _NO_MESSAGE:
            blanks = len(content) - len(content.lstrip(b"\r\n"))
            inner_fields, at = _split(content, blanks, len(content))
            if inner_fields or at > blanks:
                self.work.spend(len(content))
                yield from self.leaves(content, inner_fields, at, len(content), depth - 1)
                yield from _beside(behind)
                return
        name = next((name for each in abouts if (name := each.get_filename(""))), "")
        yield Part(
            kind,
            name,
            about.get_content_charset("utf-8"),
            content,
            body,
            coding,
            bool(behind.strip()),
        )
        yield from _beside(behind)

    def _inside(
        self, raw: bytes, pieces: Sequence[tuple[int, int]], depth: int, default: str
    ) -> Iterator[Part]:
        """The leaves of the parts between boundaries, and what is before and behind them."""
        (_, first), *parts, (last, end) = pieces
        yield from _beside(raw[pieces[0][0] : first])
        for begin, until in parts:
            yield from self.leaves(raw, *_split_part(raw, begin, until), until, depth - 1, default)
        yield from _beside(raw[last:end])


def _split_part(raw: bytes, begin: int, end: int) -> tuple[Mapping[str, Sequence[str]], int]:
    """Like `_split`, for a part, which may have no header: a blank line comes first then."""
    if raw[begin : begin + 1] in (b"\n", b"\r"):
        gap = _GAP.match(raw, begin, end)
        if gap is None:
            return {}, begin
        begin = gap.end()
    return _split(raw, begin, end)


def _beside(raw: bytes) -> Iterator[Part]:
    if raw.strip():
        yield Part("text/plain", "", "utf-8", raw, raw, is_beside=True)


def _abouts(fields: Mapping[str, Sequence[str]]) -> list[Fields]:
    """What the headers say of a part: where one was typed twice, one for each."""
    kinds = fields.get("content-type", ("",))
    found = []
    for kind in kinds[:4]:
        about = Fields()
        if kind:
            about["content-type"] = kind
        for disposition in fields.get("content-disposition", ())[:1]:
            about["content-disposition"] = disposition
        found.append(about)
    return found


def _has_parts(kind: str) -> bool:
    """Whether the body of such a content begins with the header of something else."""
    return kind.lower().startswith(("multipart/", "message/"))


def _says_much(coding: str) -> bool:
    """Whether a coding changes anything: of two labels such a one is meant."""
    return coding not in ("", "7bit", "8bit", "binary")


def _pieces(raw: bytes, begin: int, end: int, boundary: bytes) -> list[tuple[int, int]]:
    return list(islice(_between(raw, begin, end, boundary), MAX_PARTS + 3))


def _between(raw: bytes, begin: int, end: int, boundary: bytes) -> Iterator[tuple[int, int]]:
    """Where the pieces between the lines of a boundary begin and end.

    The first is what stands before all of them, and the last what stands behind the line that ends
    them, which may be missing.
    """
    line = b"--" + boundary
    last, ended = begin, begin
    at = raw.find(line, begin, end)
    while at >= 0:
        behind = _BEHIND_BOUNDARY.match(raw, at + len(line), end)
        if behind and (at == begin or raw[at - 1 : at] in (b"\n", b"\r")):
            yield last, max(last, _before_line_end(raw, last, at))
            last = behind.end()
            if behind[1]:
                yield last, end
                return
        at = raw.find(line, at + len(line), end)
    yield last, end
    if last != ended:
        yield end, end


def _before_line_end(raw: bytes, begin: int, at: int) -> int:
    if raw[at - 1 : at] == b"\n":
        at -= 1
        return at - 1 if at > begin and raw[at - 1 : at] == b"\r" else at
    return at - 1 if raw[at - 1 : at] == b"\r" else at


def _words(fields: Mapping[str, Sequence[str]], name: str) -> str:
    """A header in readable form, in one line."""
    text = next(iter(fields.get(name, ())), "")[:500]
    if "=?" not in text:
        return " ".join(text.split())
    try:
        return " ".join(str(make_header(decode_header(text))).split())
    except (HeaderParseError, LookupError, ValueError):
        return " ".join(text.split())
