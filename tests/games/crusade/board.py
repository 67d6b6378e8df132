"""Positions in one line: a scenario's start, with what a test wants different."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.engine.model import Event, Order, Side
from pbem.gamedata.load import load
from pbem.games.crusade.position import POOL, Control, Deck, Position, UnitState
from pbem.games.crusade.stages.setup import starting_position
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN, Tables

N, R = NATIONALIST, REPUBLICAN
TABLES = Tables(load("crusade").tables)
STARTS = {
    name: starting_position(TABLES, name, frozenset())
    for name in (
        "campaign",
        "two_years_of_war",
        "war_of_the_columns",
        "collapse_of_the_northern_front",
        "republican_collapse",
    )
}


def table(
    turn: int | None = None,
    *,
    scenario: str = "campaign",
    bare: bool = False,
    units: Mapping[str, str] | None = None,
    nationalist: Iterable[str] = (),
    republican: Iterable[str] = (),
    hand: Mapping[Side, Iterable[str]] | None = None,
    **facts: Any,
) -> Position:
    """A scenario's start, changed.

    `bare` clears the map of units. `units` puts ids at a place, apart by spaces, reduced ones in
    brackets: units={"zafra": "INF-1 (AFR-2)"}; who was there before leaves. `nationalist` and
    `republican` are spaces that change hands, `hand` the cards held, `facts` fields of Position.
    """
    position = STARTS[scenario]
    counters = dict(position.counters)
    if bare:
        counters = dict.fromkeys(counters, UnitState(POOL))
    for place, names in (units or {}).items():
        for unit in [unit for unit, counter in counters.items() if counter.place == place]:
            counters[unit] = UnitState(POOL)
        for name in names.split():
            counters[name.strip("()")] = UnitState(place, name.startswith("("))
    control = {**position.control, **dict.fromkeys(nationalist, N), **dict.fromkeys(republican, R)}
    assert control.keys() <= position.tables.spaces.keys(), "a space is misspelt"
    decks = dict(position.decks)
    known: dict[str, str] = {}
    for side, cards in (hand or {}).items():
        slots = {f"{side[0]}/1/{place}": card for place, card in enumerate(cards)}
        decks[side] = Deck(hand=tuple(slots), epoch=1)
        known |= slots
    if turn is not None:
        facts["turn"] = turn
    changed = {"counters": counters, "control": Control(control), "decks": decks, "known": known}
    return position.but(**{**changed, **facts})


def sealed(position: Position, *sides: Side) -> Position:
    """The position as if hands and piles of these sides (both) were hidden, as all-knowing see it.

    What lay openly there becomes secret.
    """
    for side in sides or (N, R):
        deck = position.decks[side]
        hidden = {s: position.known[s] for s in (*deck.pile, *deck.hand) if s in position.known}
        position = position.but(
            known={slot: card for slot, card in position.known.items() if slot not in hidden},
            secret={**position.secret, **hidden},
            options=position.options - {"open_hands"},
        ).with_deck(side, unseen=tuple(sorted((*deck.unseen, *hidden.values()))))
    return position


def blind(position: Position) -> Position:
    """The position as both players know it."""
    return position.but(secret={})


def refusals(stage: Any, position: Position, order: Order) -> list[str]:
    """The numbers of the rules that forbid an order."""
    return [violation.rule for violation in stage.check(position, order)]


def after(position: Position, *events: Event[Position]) -> Position:
    """The position once these events have happened."""
    for event in events:
        position = event.apply(position)
    return position
