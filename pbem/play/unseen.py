"""What is hidden in a slot, as people call it: slots are for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.gamefile.cards import slot_parts
from pbem.messages import Said, say

if TYPE_CHECKING:
    from pbem.play.table import Table


def called(table: Table, slot: str) -> Said:
    """A counter by the name that the game's players have for it at this table, all else by what it
    is.
    """
    if found := table.counter(slot):
        return found
    deck, number, place = slot_parts(slot)
    if all(deck != each.deck for each in table.laid()):
        return say("item {place} of the list {name}", place=place, name=deck)
    return say("a {piece} of deck {deck}/{number}", piece=say(table.system.words.piece), deck=deck,
               number=number)  # fmt: skip
