"""Who wrote a mail that came, as the mail says: nobody has signed that."""

from __future__ import annotations

import re
from email.errors import MessageError
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
    start = _ENVELOPE.match(raw)
    header = _HEADER.match(raw, start.end() if start else 0)
    if header is None or _SECOND.search(raw, header.end()):
        return None
    fields = re.sub(rb"\r?\n[ \t]+", b" ", header[0])
    for name in (rb"Reply-To", rb"From"):
        found = re.findall(rb"(?im)^" + name + rb"[ \t]*:([^\r\n]*)", fields)
        if len(found) == 1 and len(found[0]) <= LONGEST:
            try:
                return address(parseaddr(found[0].decode("utf-8"))[1])
            except (ValueError, MessageError):  # UnicodeDecodeError is a ValueError
                return None
    return None
