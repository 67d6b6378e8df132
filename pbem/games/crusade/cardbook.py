"""The strategy cards in our own words, and the current uses of a card in the hand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pbem.engine.cardbook import CardFace, CardUse
from pbem.engine.model import Event, Side, State
from pbem.games.crusade import events as e
from pbem.games.crusade.orders import USES, Play
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.redeployment import number_of_points
from pbem.games.crusade.stages.round import PlayCard
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN, Tables
from pbem.messages import Message, Row, Said, marked, say

KINDS: Mapping[tuple[str, str], str] = {
    (NATIONALIST, "combat"): marked("Nationalist combat card, {phase}"),
    (NATIONALIST, "event"): marked("Nationalist event, {phase}"),
    (NATIONALIST, "reinforcement"): marked("Nationalist reinforcement, {phase}"),
    (NATIONALIST, "counterattack"): marked("Nationalist strategic counterattack, {phase}"),
    (REPUBLICAN, "combat"): marked("Republican combat card, {phase}"),
    (REPUBLICAN, "event"): marked("Republican event, {phase}"),
    (REPUBLICAN, "reinforcement"): marked("Republican reinforcement, {phase}"),
    (REPUBLICAN, "counterattack"): marked("Republican strategic counterattack, {phase}"),
}
LEAVES = say("It leaves the game when its event is used.")
HANDS: Mapping[Side, str] = {
    NATIONALIST: marked("in the Nationalist hand"),
    REPUBLICAN: marked("in the Republican hand"),
}
USE_NAMES: Mapping[str, str] = {
    "operations": marked("operations"),
    "redeployment": marked("redeployment"),
    "replacements": marked("replacements"),
    "event": marked("event"),
}


ABBREVIATIONS = {
    "OPS": say("OPS: operations points"), "SR": say("SR: redeployment points"),
    "RP": say("RP: replacement points"), "VP": say("VP: Victory Points"),
    "RM": say("RM: Republican Morale"), "DRM": say("DRM: die roll modifier"),
    "NAT": say("NAT: Nationalist"), "REP": say("REP: Republican"),
    "AXIS": say("AXIS: Axis"), "SOV": say("SOV: Soviet"),
    "AFR": say("AFR: Army of Africa"), "MIL": say("MIL: Militia"),
    "POL": say("POL: Police"), "INT": say("INT: International Brigades"),
}  # fmt: skip
"""The abbreviations on the cards, in the order in which they are explained."""


class StrategyCards:
    """The capability. `plain` is the data of the cards: the rules keep no texts."""

    word: Said = say("card")

    def __init__(self, plain: Mapping[str, Any], tables: Tables) -> None:
        self._plain, self._tables = plain, tables

    def faces(self) -> tuple[CardFace, ...]:
        return tuple(map(self._face, self._plain["cards"]))

    def _face(self, plain: Mapping[str, Any]) -> CardFace:
        (phase,) = (row["name"] for row in self._tables.tables["phases"]
                    if row["id"] == plain["phase"])  # fmt: skip
        title, kind = plain["title"], KINDS[plain["side"], plain["kind"]]
        rp = self._tables.cards[plain["id"]].rp
        points = {currency: number for currency, number in rp.items() if number}
        text = [" ".join(plain[key].split()) for key in ("text", "limits") if key in plain]
        used = {*re.findall(r"[A-Z]{2,}", " ".join(text)), *points}
        short = tuple(long for word, long in ABBREVIATIONS.items() if word in used)
        return CardFace(
            id=plain["id"],
            title=say(title),
            side=Side(plain["side"]),
            kind=say(kind, phase=say(phase)),
            worth=self._worth(plain, points),
            text=(
                *map(say, filter(None, text)),
                *([LEAVES] if plain.get("asterisk") else []),
                *([say("({abbreviations})", abbreviations=Row(short))] if short else []),
            ),
        )

    def _worth(self, plain: Mapping[str, Any], points: Mapping[str, int]) -> Message:
        figures = {"ops": plain["ops"], "sr": self._redeployment(plain["sr"])}
        if not points:
            return say("operations {ops}, redeployment {sr}", **figures)
        told = tuple(
            say("{number} {currency}", number=number, currency=currency)
            for currency, number in points.items()
        )
        return say("operations {ops}, redeployment {sr}, replacements {points}", **figures,
                   points=told)  # fmt: skip

    def _redeployment(self, printed: int) -> Message | int:
        """The points of a card, and their number in the first turns (17.2.1)."""
        early = self._tables.tables["costs"]["sr"]
        halves = max(0, 2 * printed - early["early_penalty_halves"])
        if halves == 2 * printed:
            return printed
        return say("{number} ({early} up to turn {turn})", number=printed,
                   early=number_of_points(halves), turn=early["early_last_turn"])  # fmt: skip

    def lies(self, position: Position, card: str, viewer: Side | None) -> Said:
        side = position.card(card).side
        deck, mine = position.decks[side], side == viewer
        held = position.hand_cards(side) if mine else position.shown_cards(side)
        down = [position.card_in(slot) for slot in deck.face_down] if mine else []
        for found, where in (
            (held, HANDS[side]),
            (deck.table, marked("retained, face up")),
            (deck.discards, marked("discarded")),
            (down, marked("discarded, face down")),
            (deck.removed, marked("out of the game")),
        ):
            if card in found:
                return say(where)
        return say("not seen")

    def uses(self, state: State[Position], side: Side, card: str) -> tuple[CardUse, ...]:
        position, stage = state.position, PlayCard(side)
        if card not in position.hand_cards(side):
            return ()
        return tuple(
            CardUse(say(USE_NAMES[use]), tuple(stage.check(position, Play(card, use))))
            for use in USES
        )

    def is_asked(self, state: State[Position], side: Side) -> bool:
        return bool(state.agenda) and state.agenda[-1] == PlayCard(side)

    def played(self, event: Event[Position]) -> tuple[str, ...]:
        return (event.card,) if isinstance(event, e.CardPlayed | e.RetainedCardUsed) else ()
