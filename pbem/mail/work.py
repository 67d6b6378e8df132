"""One budget of work for all that came by mail: however many parts it has, and guesses it wants.

What it is spent on grows with the bytes that are gone through, so it is counted in them. Reading
that is worth no guess costs little of it; a text that fits no repair would take all of them.
"""

from __future__ import annotations

from pbem.gamefile.errors import FileRefused

MOST = 256 << 20
"""A damaged game of 3 MiB is repaired with it, and a mailbox of 64 MiB looked through."""
A_PART = 4 << 10
"""What a part of a message costs, however little is in it."""
JUDGING = 4
"""How many times as much as a repair it takes to read the entries of a text and their digests."""
VERIFYING = 80
"""How many times as much it takes to play them again by the rules. Three megabytes of games can be
verified next to the first, and a finished Campaign has a tenth of that."""


class Work:
    """What may still be spent on one reading."""

    def __init__(self, most: int = MOST) -> None:
        self._left = most

    @property
    def is_spent(self) -> bool:
        """Whether no more is to be looked through."""
        return self._left < 0

    def spend(self, amount: int) -> None:
        """Takes so many bytes' work from what is left. Raises FileRefused (E-LIMIT)."""
        self._left -= amount
        if self.is_spent:
            raise FileRefused(
                "E-LIMIT",
                "there is too much to search, repair and verify: the rest was skipped",
                hint="save only the attachment, or the message with the game, and use that",
            )  # fmt: skip
