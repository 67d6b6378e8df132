"""A locked key, as far as a command needs it: its passphrase is asked for when a secret is."""

from __future__ import annotations

from collections.abc import Callable

from pbem.gamefile.keys import NO_WAYMARKS, KeyPair, Waymarks


class LockedKey(KeyPair):
    """A key whose file shows whose it is. `unlock` opens it when its seed is needed, and once."""

    def __init__(
        self, public: bytes, unlock: Callable[[], KeyPair], waymarks: Waymarks = NO_WAYMARKS
    ) -> None:
        kept = {"public": public, "retired": (), "waymarks": waymarks, "opened": None}
        self.__dict__.update(kept, unlock=unlock)

    @property
    def seed(self) -> bytes:
        """The secret. Raises Refused where the key is not opened."""
        return self._opened().seed

    @property
    def is_closed(self) -> bool:
        """Whether no secret has been needed yet."""
        return self.__dict__["opened"] is None

    def _opened(self) -> KeyPair:
        kept = self.__dict__
        if kept["opened"] is None:
            kept["opened"] = kept["unlock"]()
        found: KeyPair = kept["opened"]
        return found
