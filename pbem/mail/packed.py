"""What comes out of a container, and how those of Outlook begin."""

from __future__ import annotations

from pbem.value import value

MAX_MEMBERS = 500
TNEF, RTF = b"\x78\x9f\x3e\x22", b"{\\rtf"
PACKED_RTF, STORED_RTF = b"LZFu", b"MELA"
"""How Outlook's text begins, behind eight bytes."""


@value
class Packed:
    """A file in a container: its name (or empty) and content."""

    name: str
    content: bytes
