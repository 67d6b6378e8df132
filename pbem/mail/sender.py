"""Who wrote a mail that came, as the mail says: nobody has signed that."""

from __future__ import annotations

import re
from email.errors import MessageError
from email.header import decode_header, make_header
from email.headerregistry import Address
from email.utils import parseaddr

from pbem.mail.eml import address

LONGEST = 2000
"""So much of a field is looked at."""

_ENVELOPE = re.compile(rb"\s*(?:[0-9]+ *\r?\n)?(?:From [^\n]*\n)?")
"""What may stand before the header: the length in an .emlx file, the line of a mailbox."""
_HEADER = re.compile(rb"(?:(?:[!-9;-~]+[ \t]*:|[ \t])[^\n]*\n)+")
_SECOND = re.compile(rb"^From [^\n]*\n[!-9;-~]+:", re.M)
"""The begin of another message in a mailbox."""


def written_by(raw: bytes) -> Address | None:
    """Where an answer to the mail goes: its Reply-To, or else its From; None for anything but one
    mail, and for what is no address.

    `raw` is the beginning of a file.
    """
    for name in (rb"Reply-To", rb"From"):
        found = _field(raw, name)
        if found is not None:
            try:
                return address(parseaddr(found.decode("utf-8"))[1])
            except (ValueError, MessageError, RecursionError):  # of a thousand brackets, too
                return None
    return None


def called_in(raw: bytes) -> str:
    """The name that the writer of a mail goes by, as its From says; empty without one."""
    found = _field(raw, rb"From")
    if found is None:
        return ""
    try:
        name = parseaddr(found.decode("utf-8"))[0]
        return str(make_header(decode_header(name)))
    except (ValueError, LookupError, MessageError, RecursionError):  # unknown letters, too
        return ""


def _field(raw: bytes, name: bytes) -> bytes | None:
    """A field of the head of one mail, if it is there once and short."""
    start = _ENVELOPE.match(raw)
    header = _HEADER.match(raw, start.end() if start else 0)
    if header is None or _SECOND.search(raw, header.end()):
        return None
    fields = re.sub(rb"\r?\n[ \t]+", b" ", header[0])
    found = re.findall(rb"(?im)^" + name + rb"[ \t]*:([^\r\n]*)", fields)
    return found[0] if len(found) == 1 and len(found[0]) <= LONGEST else None
