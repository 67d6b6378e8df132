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
from pbem.games.crusade.tables import PEOPLE, Tables

KINDS: Mapping[str, str] = {
    "combat": "combat card",
    "event": "event",
    "reinforcement": "reinforcement",
    "counterattack": "strategic counterattack",
}
LEAVES = "It leaves the game when its event is used."


ABBREVIATIONS = {
    "OPS": "operations points", "SR": "redeployment points", "RP": "replacement points",
    "VP": "Victory Points", "RM": "Republican Morale", "DRM": "die roll modifier",
    "NAT": "Nationalist", "REP": "Republican", "AXIS": "Axis", "SOV": "Soviet",
    "AFR": "Army of Africa", "MIL": "Militia", "POL": "Police", "INT": "International Brigades",
}  # fmt: skip
"""The abbreviations on the cards, in the order in which they are explained."""


class StrategyCards:
    """The capability. `plain` is the data of the cards: the rules keep no texts."""

    word = "card"

    def __init__(self, plain: Mapping[str, Any], tables: Tables) -> None:
        self._plain, self._tables = plain, tables

    def faces(self) -> tuple[CardFace, ...]:
        return tuple(map(self._face, self._plain["cards"]))

    def _face(self, plain: Mapping[str, Any]) -> CardFace:
        phases = {row["id"]: row["name"] for row in self._tables.tables["phases"]}
        points = [f"{number} {currency}" for currency, number in plain["rp"].items() if number]
        worth = [f"operations {plain['ops']}", f"redeployment {self._redeployment(plain['sr'])}"]
        worth += [f"replacements {' and '.join(points)}"] if points else []
        told = [plain["text"], plain.get("limits"), LEAVES if plain.get("asterisk") else ""]
        used = set(re.findall(r"[A-Z]{2,}", " ".join((*filter(None, told), *worth))))
        short = [f"{word}: {long}" for word, long in ABBREVIATIONS.items() if word in used]
        told += [f"({', '.join(short)})" if short else ""]
        return CardFace(
            id=plain["id"],
            title=plain["title"],
            side=Side(plain["side"]),
            kind=f"{PEOPLE[plain['side']]} {KINDS[plain['kind']]}, {phases[plain['phase']]}",
            worth=", ".join(worth),
            text=tuple(" ".join(paragraph.split()) for paragraph in told if paragraph),
        )

    def _redeployment(self, printed: int) -> str:
        """The points of a card, and their number in the first turns (17.2.1)."""
        early = self._tables.tables["costs"]["sr"]
        halves = max(0, 2 * printed - early["early_penalty_halves"])
        if halves == 2 * printed:
            return f"{printed}"
        return f"{printed} ({number_of_points(halves)} up to turn {early['early_last_turn']})"

    def lies(self, position: Position, card: str, viewer: Side | None) -> str:
        side = position.card(card).side
        deck, mine = position.decks[side], side == viewer
        held = position.hand_cards(side) if mine else position.shown_cards(side)
        down = [position.card_in(slot) for slot in deck.face_down] if mine else []
        for found, where in (
            (held, f"in the {PEOPLE[side]} hand"),
            (deck.table, "retained, face up"),
            (deck.discards, "discarded"),
            (down, "discarded, face down"),
            (deck.removed, "out of the game"),
        ):
            if card in found:
                return where
        return "not seen"

    def uses(self, state: State[Position], side: Side, card: str) -> tuple[CardUse, ...]:
        position, stage = state.position, PlayCard(side)
        if card not in position.hand_cards(side):
            return ()
        return tuple(CardUse(use, tuple(stage.check(position, Play(card, use)))) for use in USES)

    def is_asked(self, state: State[Position], side: Side) -> bool:
        return bool(state.agenda) and state.agenda[-1] == PlayCard(side)

    def played(self, event: Event[Position]) -> tuple[str, ...]:
        return (event.card,) if isinstance(event, e.CardPlayed | e.RetainedCardUsed) else ()
