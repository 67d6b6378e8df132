"""One budget of work for everything that came by mail, however many parts and guesses it has, and
one for judging what was found of each game: what is hard to read takes nothing from what is read.

Work grows with the bytes that are read, so it is counted in bytes. Reading a part that needs no
guess costs little of it; a text that no repair fits would take it all.
"""

from __future__ import annotations

from pbem.gamefile.errors import FileRefused
from pbem.messages import say

MOST = 256 << 20
"""The whole budget: enough to repair a damaged game of 3 MiB, or search a mailbox of 64 MiB."""
A_PART = 4 << 10
"""The cost of a part of a message, however small."""
JUDGING = 4
"""The cost of reading the entries of a text and their digests, relative to a repair."""
A_SIGNATURE = 8 << 10
"""The cost of judging one signature: with the whole budget, eight of each message of a mailbox."""
VERIFYING = 80
"""The cost of replaying them by the rules, relative to a repair.

Three megabytes of games can be verified besides the first; a finished Campaign has a tenth of that.
"""


class Work:
    """The budget left for reading or for judging, or a share of one."""

    def __init__(self, most: int = MOST, whole: Work | None = None) -> None:
        self._left, self._whole = most, whole

    @property
    def left(self) -> int:
        """How many bytes of work are left."""
        return max(0, self._left)

    @property
    def is_spent(self) -> bool:
        """Whether no more is to be looked through."""
        return self._left < 0

    def share(self, most: int) -> Work:
        """A part of this budget: whoever uses it up has spent that much of the whole, and no more.

        With nothing left of the whole it is spent at once.
        """
        return Work(min(most, self._left), self)

    def spend(self, amount: int) -> None:
        """Spends the work of so many bytes. Raises FileRefused (E-LIMIT) when none is left."""
        if self._whole is not None:
            self._whole._left -= min(amount, self.left)
        self._left -= amount
        if self.is_spent:
            raise FileRefused(
                "E-LIMIT",
                say("there is too much to search, repair and verify: the rest was skipped"),
                hint=say("save only the attachment, or the message with the game, and use that"),
            )
