"""Tags: the content of a slot in a sealed deck, written as a card of a later epoch of that deck.

Pieces that come back unseen are laid again together with the others. Only their owner knows which
they are, so the new epoch is made of tags: `d.e.p` is whatever is in the slot `d/e/p`. Whoever
opens a place with a tag has shown which older slot is there, and opens that one next; so a chain of
slots leads from the newest one to the piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

_TAG = r"[a-z][a-z0-9_]*(?:\.(?:0|[1-9][0-9]{0,8})){2}"
_SLOT = _TAG.replace(r"\.", "/")
NAMES_KEPT = 4096
"""A game has some hundred names, and asks this of each of them over and over."""


def tag_of(name: str) -> str:
    """The card of a counter: its tag if it is named by a slot (`d/e/p`), else its own name."""
    return name.replace("/", ".") if is_tag(name) else name


@lru_cache(maxsize=NAMES_KEPT)
def is_tag(name: str) -> bool:
    """Whether a name is that of a counter face down, and not its own, which may be any other."""
    return name.count("/") == 2 and re.fullmatch(_SLOT, name) is not None


def deck_of(slot: str) -> str:
    """The deck, or the list, of a slot."""
    return slot.partition("/")[0]


@lru_cache(maxsize=NAMES_KEPT)
def slot_under(card: str) -> str:
    """The slot that a card names; empty for a card that is no tag."""
    return card.replace(".", "/") if card.count(".") == 2 and re.fullmatch(_TAG, card) else ""


def way(cards: Mapping[str, str], slot: str) -> Iterator[tuple[str, str]]:
    """The chain from a slot to the piece: each slot with its card, as far as `cards` (by slot)
    says.

    A tag belongs to an earlier epoch than its slot. A player may claim otherwise; the chain ends
    there, since it might be a circle.
    """
    while slot in cards:
        yield slot, cards[slot]
        older, here = slot_under(cards[slot]), slot_under(tag_of(slot))
        if not (older and here and place_of(older)[:2] < place_of(here)[:2]):
            return
        slot = older


def place_of(slot: str) -> tuple[str, int, int]:
    """The sort key of slots: deck, epoch and place."""
    deck, epoch, place = slot.split("/")
    return deck, int(epoch), int(place)
