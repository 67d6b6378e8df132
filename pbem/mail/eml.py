"""A mail, ready to be sent by its owner's own program: the bytes of an .eml file.

The same letter gives the same bytes: the line between its parts is derived from the letter. Nothing
in a letter can become a header field. Lines end as those of a text file, which every program that
sends mail expects; it puts the line ends of the net itself.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import default
from email.utils import format_datetime

from pbem.messages import say
from pbem.value import value
from pbem.words import visible

_CODED = "=?"
_NOT_IN_ONE = ' ,;:<>()[]"\\@'
"""What stands in no address, unless it is more than one, or one that few programs take."""
_DOUBTFUL = "\N{LATIN SMALL LETTER SHARP S}\N{GREEK SMALL LETTER FINAL SIGMA}"
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
_WITH_COMMENT = re.compile(r"([^\s()]+) *\(([^()]*)\)")
_WIDTH = {True: 200, False: 78}
"""How long a field may get before it is folded: words in code must be short, others need not."""


@value
class Letter:
    """A mail to be written: a subject, a text, a file; the recipient, the date and the sender, each
    if known; perhaps a PNG of the board, and the name of the thread it belongs to.
    """

    subject: str
    body: str
    name: str
    content: bytes
    to: Address | None = None
    date: datetime | None = None
    sender: Address | None = None
    picture: bytes = b""
    thread: str = ""


def written(letter: Letter, *, draft: bool = True) -> bytes:
    """The message: headers, the text, the file as an attachment that no mail program rewrites, and
    the picture to be shown below the text.

    A `draft` is a file for its owner to open: Outlook, Thunderbird and Apple Mail then offer to
    send it, and leave the mark out of what they send. Programs that send a mail as it stands would
    pass the mark on, so what they get has none.
    """
    message = EmailMessage(policy=default)
    if letter.sender:
        message["From"] = letter.sender
    if letter.to:
        message["To"] = letter.to
    message["Subject"] = one_line(letter.subject)
    if letter.date:
        message["Date"] = format_datetime(letter.date)
    if letter.thread:
        # Nobody has a mail with this id, and that is no matter: mails that answer the same one are
        # of one thread. An id of the mail's own is for the program that sends it.
        for field in ("In-Reply-To", "References"):
            message[field] = f"<{letter.thread}>"
    if draft:
        message["X-Unsent"] = "1"
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
    plain = all(str(each).isascii() for each in message.values())
    return message.as_bytes(policy=default.clone(max_line_length=_WIDTH[plain]))


def address(text: str) -> Address:
    """One address, `ana@example.org` or `Ana (home) <ana@example.org>`.

    A domain of other letters becomes what the net calls it. Raises ValueError for what is not one
    address; its one argument is the reason, a message.
    """
    if visible(text) != text:
        raise ValueError(say("it has a character that cannot be seen"))
    name, spec = _parted(text.strip(" "))
    user, at, domain = spec.rpartition("@")
    if not (at and user and domain) or any(letter in _NOT_IN_ONE for letter in user + domain):
        raise ValueError(say("one address is needed, such as ana@example.org"))
    if not user.isascii():
        raise ValueError(
            say(
                "before the @ only plain letters reach every mail server: "
                "one address is needed, such as ana@example.org"
            )
        )
    spec = f"{user}@{_on_the_net(domain)}"
    if len(spec) > 254:
        raise ValueError(say("one address is needed, such as ana@example.org"))
    try:
        return Address(name, addr_spec=spec)
    except (ValueError, MessageError):  # of a dot at the end, and in the library's own words
        raise ValueError(say("one address is needed, such as ana@example.org")) from None


def _parted(text: str) -> tuple[str, str]:
    """Name and address as written: `Name <address>`, `address (name)`, or an address alone."""
    before, bracket, rest = text.rpartition("<")
    if not bracket:
        alone = _WITH_COMMENT.fullmatch(text)
        return (_proper(alone[2]), alone[1]) if alone else ("", text)
    if not rest.endswith(">"):
        raise ValueError(say("the bracket is not closed"))
    before = before.strip(" ")
    quoted = _QUOTED.fullmatch(before)
    # Outside of quotes an @ or a bracket is that of a second address.
    if not quoted and any(letter in '<>@"\\' for letter in before):
        raise ValueError(say("one address is needed, such as Ana <ana@example.org>"))
    return _proper(_ESCAPED.sub(r"\1", quoted[1]) if quoted else before), rest[:-1]


def _proper(name: str) -> str:
    """The name of an addressee, which must not be read as code."""
    if _CODED in name:
        raise ValueError(say("one address is needed, such as Ana <ana@example.org>"))
    return name


def _on_the_net(domain: str) -> str:
    """A domain in the letters of the net: `exämple.org` is xn--exmple-cua.org there."""
    if domain.isascii():
        return domain
    if any(letter in _DOUBTFUL for letter in domain.lower()):
        # The older standard, which Python has, makes another domain of these than the newer one.
        raise ValueError(say("write this domain as your mail program does, with xn--"))
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:
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
