"""EFFECTS: card id to the function for its event.

An effect is a function of the position and the side that played the card. It returns an Outcome,
whose stages ask what the card leaves open and come before the end of the round. Whether the event
may be played is judged before: by the card's plain facts (needs, phases, turn; see rules/cards.py)
and by the effect's own `allowed`, which yields violations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module

from pbem.engine.model import Outcome, Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.tables import Card
from pbem.value import value

Allowed = Callable[[Position, Side], Iterator[Violation]]


@value
class Effect:
    """One card's event. `rules` are the rules it implements besides the text of the card."""

    card: str
    carry_out: Callable[[Position, Side], Outcome]
    allowed: Allowed | None


EFFECTS: dict[str, Effect] = {}
"""The effects registered so far; `effect_of` loads a card's own module."""


def effect_of(card: Card) -> Effect | None:
    """The event of a card, or None if it has none; loads the module of the card's phase."""
    import_module(f"pbem.games.crusade.effects.{card.phase}")
    return EFFECTS.get(card.id)


def effect(
    card: str, *rules: str, allowed: Allowed | None = None
) -> Callable[[Callable[[Position, Side], Outcome]], Callable[[Position, Side], Outcome]]:
    """Registers the function for a card's event."""

    def register(
        carry_out: Callable[[Position, Side], Outcome],
    ) -> Callable[[Position, Side], Outcome]:
        assert card not in EFFECTS, card
        EFFECTS[card] = Effect(card, carry_out, allowed)
        return CITE.rule(f"card {card}", *rules)(carry_out)

    return register
