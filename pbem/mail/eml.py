"""A mail, ready to be sent by its owner's own program: the bytes of an .eml file.

The same letter gives the same bytes: it has no date unless one is given, and the line between its
parts is derived from the letter. Nothing in a letter can become a header field.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from pbem.messages import say
from pbem.value import value
from pbem.words import visible

_CODED = "=?"
_WIDTH = {True: 200, False: 78}
"""How long a field may get before it is folded: words in code must be short, others need not."""


@value
class Letter:
    """A mail to be written: a subject, a text, a file; the recipient, the date and the sender, each
    if known; and perhaps a PNG of the board.
    """

    subject: str
    body: str
    name: str
    content: bytes
    to: Address | None = None
    date: datetime | None = None
    sender: Address | None = None
    picture: bytes = b""


def written(letter: Letter) -> bytes:
    """The message: headers, the text, the file as an attachment that no mail program rewrites, and
    the picture to be shown below the text.
    """
    message = EmailMessage(policy=SMTP)
    if letter.sender:
        message["From"] = letter.sender
    if letter.to:
        message["To"] = letter.to
    message["Subject"] = one_line(letter.subject)
    if letter.date:
        message["Date"] = format_datetime(letter.date)
    message["X-Unsent"] = "1"  # some programs open the file as a draft, ready to send
    message.set_content(letter.body, cte="quoted-printable")
    message.add_attachment(
        letter.content, maintype="application", subtype="octet-stream", filename=letter.name
    )
    if letter.picture:
        message.add_attachment(
            letter.picture, maintype="image", subtype="png", disposition="inline",
            filename=f"{letter.name.partition('.')[0]}.png",
        )  # fmt: skip
    message.set_boundary(f"=_pbem_{_mark(letter)}")
    return message.as_bytes(policy=SMTP.clone(max_line_length=_WIDTH[message["Subject"].isascii()]))


def address(text: str) -> Address:
    """One address, `ana@example.org` or `Ana <ana@example.org>`.

    Raises ValueError for what is not one; its one argument is the reason, a message.
    """
    name, bracket, rest = text.strip(" ").rpartition("<")
    spec = rest.removesuffix(">") if bracket else rest
    if bracket and not rest.endswith(">"):
        raise ValueError(say("the bracket is not closed"))
    if visible(text) != text:
        raise ValueError(say("it has a character that cannot be seen"))
    if not spec.isascii() or any(letter in ' ,;:<>()[]"\\' for letter in spec):
        raise ValueError(say("one address is needed, such as ana@example.org"))
    user, at, domain = spec.rpartition("@")
    if not (at and user and domain) or "@" in user or len(spec) > 254:
        raise ValueError(say("one address is needed, such as ana@example.org"))
    name = name.strip(" ")
    quoted = len(name) > 1 and name[0] == name[-1] == '"'
    name = name[1:-1] if quoted else name
    if _CODED in name or any(letter in ('<>@"\\' if quoted else '<>@"\\,;:()') for letter in name):
        raise ValueError(say("one address is needed, such as Ana <ana@example.org>"))
    try:
        return Address(name, addr_spec=spec)
    except (ValueError, MessageError):  # of a dot at the end, and in the library's own words
        raise ValueError(say("one address is needed, such as ana@example.org")) from None


def named(found: Address, name: str) -> Address:
    """An address with a name, unless it has one."""
    if found.display_name or _CODED in name:
        return found
    return Address(name, addr_spec=found.addr_spec)


def one_line(text: str) -> str:
    """The text in one line, without invisible characters and without anything that is read as code.

    A mail program reads `=?utf-8?q?=0A?=` as a line end, and so does the library we write with.
    """
    return visible(" ".join(text.split())).replace(_CODED, "= ?")


def _mark(letter: Letter) -> str:
    """The line between the parts: derived from the whole letter, so nobody can put it into one."""
    parts = (letter.body.encode(), letter.name.encode(), letter.content, letter.picture)
    whole = b"\n".join(parts if letter.picture else parts[:-1])
    return hashlib.sha256(whole).hexdigest()[:24]
