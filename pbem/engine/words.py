"""A game's words for the things that the shared parts speak of."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.messages import marked
from pbem.value import field, value


@value
class Words:
    """Nouns for messages. Each is `marked` (pbem/messages.py), so that it can be translated."""

    span: str = marked("turn")
    """The part of a turn in which one side acts: a round, an impulse."""
    hand: str = marked("hand")
    """Where a player keeps what the other may not see."""
    pile: str = marked("deck")
    """What is laid in a secret order, and drawn from."""
    piece: str = marked("card")
    """What is in both; also the kind of name by which an order names one."""
    pieces: str = marked("cards")
    """Several of them."""
    secrets: Mapping[str, str] = field(default_factory=dict)
    """What a player chooses or writes down in secret, by the stage that asks for it, as in "writes
    down the ambushes in secret".
    """
    by_name: frozenset[str] = frozenset()
    """The kinds of names of which players are shown the printed ones: their ids say nothing."""
    sides: Mapping[str, str] = field(default_factory=dict)
    """What belongs to a side, as in "the Republican player"; else its id with a capital."""

    def of_side(self, side: str) -> str:
        """The adjective for what belongs to a side."""
        return self.sides.get(side) or side.capitalize()
