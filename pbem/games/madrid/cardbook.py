"""The event chits in our own words, and what a chit in hand can be played for now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.cardbook import CardFace, CardUse
from pbem.engine.model import Event, Side, State, Violation
from pbem.games.madrid import events as e
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits
from pbem.games.madrid.stages.impulse import Impulse
from pbem.games.madrid.tables import Tables
from pbem.words import listing

IMPULSE = "a whole impulse"
WINDOWS: tuple[tuple[str, chits.Window], ...] = (
    ("an attack or assault", chits.OF_COMBAT),
    ("a move", chits.OF_MOVE),
    ("a bombardment", chits.OF_BOMBARDMENT),
    ("an answer to an attack", chits.OF_DEFENCE),
    ("an answer to bombs or shells", chits.OF_POINT),
    ("defensive fire", chits.OF_FIRE),
    ("a second impulse", chits.AGAIN),
    ("morale tests", chits.SPARE),
    ("an answer to a Fortification", chits.COUNTER),
    ("dice that were rolled", chits.REROLL),
)
"""What a chit is played for, in each window in which it goes with an impulse."""


class EventChits:
    """The capability: a face for each kind. `plain` is the chit data with their texts."""

    word = "chit"

    def __init__(self, plain: Mapping[str, Any], tables: Tables) -> None:
        self._plain, self._tables = plain, tables

    def faces(self) -> tuple[CardFace, ...]:
        return tuple(map(self._face, self._plain["chits"]))

    def _face(self, plain: Mapping[str, Any]) -> CardFace:
        kind = self._tables.kinds[plain["id"]]
        number = f"{kind.count} chit{'s' if kind.count > 1 else ''}"
        worth = [number, f"from turn {kind.first}" if kind.first > 1 else ""]
        return CardFace(
            id=kind.id,
            title=kind.title,
            side=kind.side,
            kind=f"{kind.side.capitalize()}, {self._is_played(kind.id)}",
            worth=", ".join(filter(None, worth)),
            copies=self._tables.of_kind(kind.id),
            text=(plain["text"], *(["It leaves the game when it is played."] if kind.once else [])),
        )

    def _is_played(self, kind: str) -> str:
        return chits.WHEN.get(kind, IMPULSE)

    def lies(self, position: Position, card: str, viewer: Side | None) -> str:
        """How many chits of the kind are in each place. Only their owner sees those face down."""
        side = self._tables.kinds[card].side
        hand, cup = position.hands[side], position.cups[side]
        if viewer == side:
            hand, cup = position.held(side), position.known_among(cup)
        played = [each for each in position.played if each not in position.removed]
        told, found = [], 0
        for where, place in (
            (hand, f"in the {side.capitalize()} hand"), (cup, "in the cup"), (played, "played"),
            (position.removed, "out of the game"),
        ):  # fmt: skip
            number = sum(self._tables.chits.get(chit) == card for chit in where)
            told += [f"{number} {place}"] if number else []
            found += number
        unseen = len(self._tables.of_kind(card)) - found
        return listing([*told, *([f"{unseen} not seen"] if unseen else [])])

    def uses(self, state: State[Position], side: Side, card: str) -> tuple[CardUse, ...]:
        position = state.position
        chit = position.in_hand(side, card)
        if not chit:
            return ()
        if self._tables.kinds[card].is_impulse:
            return (CardUse(IMPULSE, tuple(_against_impulse(position, side, chit))),)
        return tuple(
            CardUse(name, tuple(chits.chit_faults(position, side, (chit,), window)))
            for name, window in WINDOWS
            if card in window
        )

    def is_asked(self, state: State[Position], side: Side) -> bool:
        return bool(state.agenda) and state.agenda[-1] == Impulse(side)

    def played(self, event: Event[Position]) -> tuple[str, ...]:
        return (event.chit,) if isinstance(event, e.ChitPlayed) else ()


def _against_impulse(position: Position, side: Side, chit: str) -> Iterator[Violation]:
    fault = chits.chit_fault(position, side, chit, None)
    if fault:
        rule, message, hint = fault
        yield Violation(message, ("chit",), rule=rule, hint=hint)
    kind = position.kind_of(chit)
    if kind == "CN9" and not chits.government_may_flee(position):
        message = "no area next to an urban one is Nationalist"
        yield Violation(message, ("chit",), rule="15.CN9", hint="take one first")
    if kind in chits.BOMBING and not chits.bombing_targets(position, side, kind):
        yield Violation("there is no target", ("chit",), rule=f"15.{kind}", hint="keep the chit")
