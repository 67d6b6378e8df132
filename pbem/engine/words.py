"""What a game calls the things that the shared parts speak of."""

from __future__ import annotations

from pbem.value import value


@value
class Words:
    """Nouns in the singular, for messages. Their plurals end in -s."""

    span: str = "turn"
    """The part of a turn in which one side acts: a round, an impulse."""
    hand: str = "hand"
    """Where a player keeps what the other may not see."""
    pile: str = "deck"
    """What is laid in a secret order, and drawn from."""
    piece: str = "card"
    """What lies in both; also the kind of name by which an order names one."""
