"""Where a value further on in a chain is kept between commands (see `beacons.chain_value`).

A key brings the place: whoever looks at a game again and again with it need not walk a chain from
its end each time.
"""

from __future__ import annotations


class Waymarks:
    """A place that keeps nothing."""

    def read(self, name: str) -> bytes | None:
        """What is kept under a name, if anything is."""

    def keep(self, name: str, content: bytes) -> None:
        """Keeps it, or not."""


NO_WAYMARKS = Waymarks()
