"""Who wrote a mail that came, as the mail says: nobody has signed that."""

from __future__ import annotations

import re
from email.headerregistry import Address
from email.policy import default

from pbem.mail.eml import address

LONGEST, LONGEST_HEAD = 998, 64 << 10
"""The longest field that is read, and how much of a mail is looked at for it. A line of a mail has
no more than 998 characters, and some fields take the library a time that grows with the square of
their length.
"""

_ENVELOPE = re.compile(rb"\s*(?:[0-9]+ *\r?\n)?(?:From [^\n]*\n)?")
"""What may stand before the header: the length in an .emlx file, the line of a mailbox."""
_HEADER = re.compile(rb"(?:(?:[!-9;-~]+[ \t]*:|[ \t])[^\n]*\n)+")
_SENDERS = re.compile(rb"(?im)^(?:from|reply-to)[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*")
_SECOND = re.compile(rb"^From [^\n]*\n[!-9;-~]+:", re.M)
"""The begin of another message in a mailbox."""


def lines_of(raw: bytes) -> bytes:
    """The lines of the head of one mail that name its sender; none for anything else."""
    start = _ENVELOPE.match(raw)
    header = _HEADER.match(raw, start.end() if start else 0, LONGEST_HEAD)
    return b"".join(_SENDERS.findall(header[0])) if header else b""


def written_by(raw: bytes) -> Address | None:
    """Where an answer to the mail goes: its Reply-To, or else its From; None for anything but one
    mail, and for what is no address.

    `raw` is the beginning of a file.
    """
    found = _field(raw, rb"Reply-To")
    first = _first(_field(raw, rb"From") if found is None else found)
    try:
        return address(first.addr_spec) if first else None
    except ValueError:
        return None


def called_in(raw: bytes) -> str:
    """The name that the writer of a mail goes by, as its From says; empty without one."""
    first = _first(_field(raw, rb"From"))
    return first.display_name if first else ""


def _first(field: bytes | None) -> Address | None:
    """The first address in a field, if there is any.

    Of several, `parseaddr` finds the first in some releases of Python, and none in others.
    """
    if field is None:
        return None
    try:
        named = default.header_factory("From", field.decode("utf-8")).addresses
    except Exception:  # whatever a hostile field provokes
        return None
    return named[0] if named else None


def _field(raw: bytes, name: bytes) -> bytes | None:
    """A field of the head of one mail, if it is there once and short."""
    start = _ENVELOPE.match(raw)
    header = _HEADER.match(raw, start.end() if start else 0, LONGEST_HEAD)
    if header is None or _SECOND.search(raw, header.end()):
        return None
    fields = re.sub(rb"\r?\n[ \t]+", b" ", header[0])
    found = re.findall(rb"(?im)^" + name + rb"[ \t]*:([^\r\n]*)", fields)
    return found[0] if len(found) == 1 and len(found[0]) <= LONGEST else None
