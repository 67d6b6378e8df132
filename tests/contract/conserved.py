"""Nothing on the table comes from nowhere or is lost: what each game has to count."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Mapping
from typing import Any


def crusade(position: Any) -> Iterator[str]:
    """Each unit in one place that exists; each card of a side in one of its places."""
    from pbem.games.crusade.position import OFF_MAP

    if position.counters.keys() != position.tables.units.keys():
        yield "a unit has come from nowhere or is lost"
    for unit, counter in position.counters.items():
        if counter.place not in OFF_MAP and counter.place not in position.tables.spaces:
            yield f"{unit} is in {counter.place!r}, which is no place"
        if counter.reduced and position.type_of(unit).reduced is None:
            yield f"{unit} shows a side it does not have"
    for side, deck in position.decks.items():
        yield from _cards(position, side, deck)
    for slot in position.known:
        if position.known[slot] not in position.tables.cards:
            yield f"{slot} is known to hold {position.known[slot]!r}, which is no card"


def _cards(position: Any, side: str, deck: Any) -> Iterator[str]:
    slots = (*deck.pile, *deck.hand)
    for slot, times in Tally(slots).items():
        if times > 1:
            yield f"the slot {slot} is {times} times in the pile and the hand of the {side}"
    cards = [position.known[slot] for slot in slots if slot in position.known]
    for card, times in Tally([*cards, *deck.table, *deck.discards, *deck.removed]).items():
        if times > 1:
            yield f"{card} is in {times} places"
        if position.card(card).side != side:
            yield f"{card} is among the cards of the {side}"


def crusade_cards(position: Any) -> dict[str, int]:
    """How many cards each side has, wherever they are."""
    return {
        side: sum(map(len, (deck.pile, deck.hand, deck.table, deck.discards, deck.removed)))
        for side, deck in position.decks.items()
    }


def crusade_between_rounds(decision: Any) -> bool:
    """Whether no card can be in play: a side is asked for its card of the round."""
    return bool(decision.stage == "action")


CONSERVED: Mapping[str, Callable[[Any], Iterator[str]]] = {"crusade": crusade}
COUNTS: Mapping[str, Callable[[Any], dict[str, int]]] = {"crusade": crusade_cards}
NOTHING_IN_PLAY: Mapping[str, Callable[[Any], bool]] = {"crusade": crusade_between_rounds}
