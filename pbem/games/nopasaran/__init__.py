"""¡No Pasarán!: battalions, command, five kinds of attack, a die before every activation."""

from collections.abc import Mapping
from typing import Any

from pbem.games.system import GameSystem


def open_system(tables: Mapping[str, Any]) -> GameSystem:
    """Returns the game system over its data."""
    from pbem.games.nopasaran.system import NoPasaran

    return NoPasaran(tables)


__all__ = ["open_system"]
