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
from pbem.games.madrid.tables import NATIONALIST, REPUBLICAN, Tables
from pbem.messages import Message, Said, marked, say, say_many

IMPULSE = marked("a whole impulse")
WINDOWS: tuple[tuple[str, chits.Window], ...] = (
    (marked("an attack or assault"), chits.OF_COMBAT),
    (marked("a move"), chits.OF_MOVE),
    (marked("a bombardment"), chits.OF_BOMBARDMENT),
    (marked("an answer to an attack"), chits.OF_DEFENCE),
    (marked("an answer to bombs or shells"), chits.OF_POINT),
    (marked("defensive fire"), chits.OF_FIRE),
    (marked("a second impulse"), chits.AGAIN),
    (marked("morale tests"), chits.SPARE),
    (marked("an answer to a Fortification"), chits.COUNTER),
    (marked("dice that were rolled"), chits.REROLL),
)
"""What a chit is played for, in each window in which it goes with an impulse."""
KINDS: Mapping[Side, str] = {
    NATIONALIST: marked("Nationalist, {when}"),
    REPUBLICAN: marked("Republican, {when}"),
}
HANDS: Mapping[Side, str] = {
    NATIONALIST: marked("{number} in the Nationalist hand"),
    REPUBLICAN: marked("{number} in the Republican hand"),
}


class EventChits:
    """The capability: a face for each kind. `plain` is the chit data with their texts."""

    word: Said = say("chit")

    def __init__(self, plain: Mapping[str, Any], tables: Tables) -> None:
        self._plain, self._tables = plain, tables

    def faces(self) -> tuple[CardFace, ...]:
        return tuple(map(self._face, self._plain["chits"]))

    def _face(self, plain: Mapping[str, Any]) -> CardFace:
        kind = self._tables.kinds[plain["id"]]
        told = [plain["text"], marked("It leaves the game when it is played.") if kind.once else ""]
        return CardFace(
            id=kind.id,
            title=say(kind.title),
            side=kind.side,
            kind=say(KINDS[kind.side], when=say(chits.WHEN.get(kind.id, IMPULSE))),
            worth=_number(kind.count, kind.first),
            copies=self._tables.of_kind(kind.id),
            text=tuple(map(say, filter(None, told))),
        )

    def lies(self, position: Position, card: str, viewer: Side | None) -> Said:
        """How many chits of the kind are in each place. Only their owner sees those face down."""
        side = self._tables.kinds[card].side
        hand, cup = position.hands[side], position.cups[side]
        if viewer == side:
            hand, cup = position.held(side), position.known_among(cup)
        played = [each for each in position.played if each not in position.removed]
        own = [sum(self._tables.chits.get(chit) == card for chit in where)
               for where in (hand, cup, played, position.removed)]  # fmt: skip
        numbers = *own, len(self._tables.of_kind(card)) - sum(own)
        told = (
            say(HANDS[side], number=numbers[0]),
            say("{number} in the cup", number=numbers[1]),
            say_many("number", "{number} played", "{number} played", number=numbers[2]),
            say("{number} out of the game", number=numbers[3]),
            say_many("number", "{number} not seen", "{number} not seen", number=numbers[4]),
        )
        return say("{places}", places=tuple(
            place for place, number in zip(told, numbers, strict=True) if number))  # fmt: skip

    def uses(self, state: State[Position], side: Side, card: str) -> tuple[CardUse, ...]:
        position = state.position
        chit = position.in_hand(side, card)
        if not chit:
            return ()
        if self._tables.kinds[card].is_impulse:
            return (CardUse(say(IMPULSE), tuple(_against_impulse(position, side, chit))),)
        return tuple(
            CardUse(say(name), tuple(chits.chit_faults(position, side, (chit,), window)))
            for name, window in WINDOWS
            if card in window
        )

    def is_asked(self, state: State[Position], side: Side) -> bool:
        return bool(state.agenda) and state.agenda[-1] == Impulse(side)

    def played(self, event: Event[Position]) -> tuple[str, ...]:
        return (event.chit,) if isinstance(event, e.ChitPlayed) else ()


def _number(number: int, first: int) -> Message:
    """How many chits of a kind there are, and the first turn in which they are played."""
    if first == 1:
        return say_many("number", "{number} chit", "{number} chits", number=number)
    return say_many("number", "{number} chit, from turn {turn}", "{number} chits, from turn {turn}",
                    number=number, turn=first)  # fmt: skip


def _against_impulse(position: Position, side: Side, chit: str) -> Iterator[Violation]:
    fault = chits.chit_fault(position, side, chit, None)
    if fault:
        rule, message, hint = fault
        yield Violation(message, ("chit",), rule=rule, hint=hint)
    kind = position.kind_of(chit)
    if kind == "CN9" and not chits.government_may_flee(position):
        message = say("no area next to an urban one is Nationalist")
        yield Violation(message, ("chit",), rule="15.CN9", hint=say("take one first"))
    if kind in chits.BOMBING and not chits.bombing_targets(position, side, kind):
        yield Violation(
            say("there is no target"), ("chit",), rule=f"15.{kind}", hint=say("keep the chit")
        )
