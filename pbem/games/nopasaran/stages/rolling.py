"""Dice of ten faces, and stages of chance that may have nothing to roll."""

from __future__ import annotations

from pbem.engine import staging as s
from pbem.games.nopasaran.citations import CITE
from pbem.messages import Said

FACES = 10


@CITE.rule("2.7")
def ten_sided(label: str, purpose: Said) -> s.Draw:
    """A die of the game: it has ten faces, and its 0 is a 10."""
    return s.Draw(label, purpose, FACES)
