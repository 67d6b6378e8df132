"""One budget of work for everything that came by mail, however many parts and guesses it has.

Work grows with the bytes that are read, so it is counted in bytes. Reading a part that needs no
guess costs little of it; a text that no repair fits would take it all.
"""

from __future__ import annotations

from pbem.gamefile.errors import FileRefused

MOST = 256 << 20
"""The whole budget: enough to repair a damaged game of 3 MiB, or search a mailbox of 64 MiB."""
A_PART = 4 << 10
"""The cost of a part of a message, however small."""
JUDGING = 4
"""The cost of reading the entries of a text and their digests, relative to a repair."""
VERIFYING = 80
"""The cost of replaying them by the rules, relative to a repair.

Three megabytes of games can be verified besides the first; a finished Campaign has a tenth of that.
"""


class Work:
    """The budget left for one reading."""

    def __init__(self, most: int = MOST) -> None:
        self._left = most

    @property
    def is_spent(self) -> bool:
        """Whether no more is to be looked through."""
        return self._left < 0

    def spend(self, amount: int) -> None:
        """Spends the work of so many bytes. Raises FileRefused (E-LIMIT) when none is left."""
        self._left -= amount
        if self.is_spent:
            raise FileRefused(
                "E-LIMIT",
                "there is too much to search, repair and verify: the rest was skipped",
                hint="save only the attachment, or the message with the game, and use that",
            )  # fmt: skip
