"""What the options of a scenario allow its position: cards of another phase, a corridor."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pbem.games.crusade.options import IN_FORCE, in_force
from pbem.games.crusade.rules.options_decks import BLOCKADE_FLEET, LOTS


def agreed(plain: Mapping[str, Any]) -> frozenset[str]:
    """The names that the rules check in every game of a scenario; unknown options set none."""
    return in_force(each for each in plain.get("options", ()) if each in IN_FORCE)


def enters(card: Mapping[str, Any], phases: Collection[str], options: frozenset[str]) -> bool:
    """Whether a card is in the decks of these phases under some options."""
    lots = {phase: lot for phase, sides in LOTS.items() for lot in sides.values()
            if card["id"] in lot}  # fmt: skip
    if card["id"] == BLOCKADE_FLEET and "18.2.7" in options:
        return "mobilization" in phases
    if card.get("corps") and "option" in card:
        return "mobilization" in phases and card["option"] in options
    for phase, lot in lots.items():
        return phase in phases and ("18.5" in options or card["id"] == lot[0])
    return card["phase"] in phases
