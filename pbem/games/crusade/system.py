"""Crusade and Revolution as a game system: set-up, options, and the wiring of the modules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from pbem.engine.clock import Clock
from pbem.engine.codec import pairs
from pbem.engine.model import Order, Side, State
from pbem.engine.public import ListMadeOf, MadeOf
from pbem.engine.words import Words
from pbem.games.crusade import options as agreed
from pbem.games.crusade.fixes import FIXES
from pbem.games.crusade.orders import VERBS
from pbem.games.crusade.position import (
    OFF_MAP,
    POOL,
    STACKING_LIMIT,
    Control,
    Deck,
    Fort,
    Position,
    UnitState,
)
from pbem.games.crusade.sequence import opening
from pbem.games.crusade.tables import PEOPLE, SIDES, Tables
from pbem.games.system import GameSystem, Result, RuleOption, Scenario
from pbem.messages import Said, marked, say

if TYPE_CHECKING:
    from pbem.board.names import Vocabulary
    from pbem.engine.cardbook import Cardbook
    from pbem.engine.picture import Picture


class Crusade(GameSystem):
    """The game system. One object serves any number of games: it keeps nothing of them."""

    slug = "crusade"
    title = "Crusade and Revolution"
    sides: tuple[Side, ...] = SIDES
    verbs = VERBS
    words = Words(span=marked("round"), pile=marked("draw pile"), sides=PEOPLE)
    version = "1"
    fixes = FIXES
    capabilities: ClassVar = {
        "advice": "advice:COUNSEL", "hidden": "hidden", "narration": "narration",
        "odds": "odds:ODDS", "policies": "policies.table:TABLE", "practice": "practice",
        "waiting": "waiting:WAITING", "warnings": "warnings",
    }  # fmt: skip

    @cached_property
    def tables(self) -> Tables:
        """The printed tables, made from the data on first use."""
        return Tables(self._plain)

    def scenarios(self) -> tuple[Scenario, ...]:
        return tuple(map(self._scenario, (*self.tables.offered, *self._own_scenarios())))

    def _scenario(self, name: str) -> Scenario:
        sheet = self.tables.sheet(name)
        editions = sheet.get("editions", self.tables.editions)
        barred = agreed.barred_by(editions)
        needed = tuple(dict.fromkeys((*agreed.needed_by(editions), *sheet.get("options", ()))))
        return Scenario(name, sheet["title"], sheet.get("rule", ""), barred, needed)

    def _own_scenarios(self) -> list[str]:
        """The scenarios that an owner of the game has added."""
        ours = self.tables.offered
        return [name for name in sorted(self.tables.scenarios) if name not in ours]

    def options(self) -> tuple[RuleOption, ...]:
        return agreed.options()

    def edition(self, options: frozenset[str]) -> str:
        return "1st edition" if agreed.FIRST_EDITION in options else "2nd edition"

    def setup(self, scenario: str, options: frozenset[str]) -> State[Position]:
        from pbem.games.crusade.stages.setup import starting_position

        position = starting_position(self.tables, scenario, agreed.in_force(options))
        return State(position, opening())

    def result(self, position: Position) -> Result | None:
        if position.result is None:
            return None
        winner, reason = position.result
        score = f"{position.vp} Victory Points, Republican Morale {position.rm}"
        told = say("Republican Morale stands at {number}", number=position.rm)
        return Result(None if winner == "draw" else Side(winner), reason, score,
                      told if reason == str(told) else "")  # fmt: skip

    def names(
        self, state: State[Position], side: Side, order: type[Order] | None, *, answering: bool
    ) -> Vocabulary:
        from pbem.games.crusade.names import vocabulary

        stage = state.agenda[-1] if answering else None
        asked = getattr(stage, "units_in_question", None)
        return vocabulary(
            state.position,
            side,
            order,
            state.position.combat if answering else None,
            asked(state.position) if asked else (),
        )

    def faults(self, position: Position) -> tuple[Said, ...]:
        return tuple(_faults(position))

    def public(self, position: Position) -> Mapping[str, Any]:
        return public(position)

    def clock(self, position: Position) -> Clock:
        from pbem.games.crusade.clock import clock

        return clock(position)

    @cached_property
    def picture(self) -> Picture:
        from pbem.games.crusade.picture import CrusadePicture

        return CrusadePicture(self.tables)

    @cached_property
    def cardbook(self) -> Cardbook:
        from pbem.games.crusade.cardbook import StrategyCards

        return StrategyCards(self._plain["cards"], self.tables)


def public(position: Position) -> Mapping[str, Any]:
    """The position in the canonical domain, without what is printed.

    Mappings by id are lists of pairs. Hands and piles are slots; the cards of slots are only in
    `known`.
    """
    return {
        "scenario": position.scenario,
        "turn": position.turn,
        "active": position.active,
        "round": position.round,
        "segment": position.segment,
        "vp": position.vp,
        "rm": position.rm,
        "units": ListMadeOf(position.counters, _unit),
        "control": MadeOf(position.control, Control.by_side),
        "forts": MadeOf(position.forts, _forts),
        "digging": MadeOf(position.digging, pairs),
        "lost_forts": MadeOf(position.lost_forts, pairs),
        "sieges": MadeOf(position.sieges, pairs),
        "isolated": MadeOf(position.isolated, sorted),
        "flags": MadeOf(position.flags, sorted),
        "turn_marks": sorted(position.turn_marks),
        "played": MadeOf(position.played, sorted),
        "rp": MadeOf(position.rp, pairs),
        "actions": {side: list(position.actions.get(side, ())) for side in SIDES},
        "retreated": sorted(position.retreated),
        "strayed": MadeOf(position.strayed, sorted),
        "used_table": sorted(position.used_table),
        "beach_heads": MadeOf(position.beach_heads, pairs),
        "deadlines": MadeOf(position.deadlines, pairs),
        "bonuses": MadeOf(position.bonuses, pairs),
        "returning": MadeOf(position.returning, pairs),
        "decks": MadeOf(position.decks, _open_decks if position.option("open_hands") else _decks),
        "known": ListMadeOf(position.known, _pair, by_key=True),
        "result": list(position.result) if position.result else None,
    }


def _unit(unit: str, counter: UnitState) -> list[str] | None:
    if counter.place == POOL:
        return None
    return [unit, counter.place, "reduced"] if counter.reduced else [unit, counter.place]


def _pair(slot: str, card: str) -> list[str]:
    return [slot, card]


def _forts(forts: Mapping[str, Fort]) -> list[list[str]]:
    return [
        [space, fort.kind, fort.owner, *([fort.special] if fort.special else [])]
        for space, fort in sorted(forts.items())
    ]


def _decks(decks: Mapping[Side, Deck]) -> dict[Side, dict[str, Any]]:
    found = _open_decks(decks)
    return {side: {**found[side], "unseen": list(deck.unseen)} for side, deck in decks.items()}


def _open_decks(decks: Mapping[Side, Deck]) -> dict[Side, dict[str, Any]]:
    """The decks where hands are open, and so nothing is unseen."""
    return {
        side: {
            "pile": list(deck.pile),
            "hand": list(deck.hand),
            "table": list(deck.table),
            "discards": list(deck.discards),
            "removed": list(deck.removed),
            "epoch": deck.epoch,
            **({"face_down": list(deck.face_down)} if deck.face_down else {}),
            **({"retired": list(deck.retired)} if deck.retired else {}),
        }
        for side, deck in decks.items()
    }


def _faults(position: Position) -> Iterator[Said]:
    """What no position may ever contain, each in a sentence."""
    for place, units in position.stacks.items():
        if place in OFF_MAP:
            continue
        owners = {position.side_of(unit) for unit in units}
        if len(owners) > 1:
            yield say("both sides have units in {place}", place=place)
        elif not position.controls(next(iter(owners)), place):
            yield say(
                "{place} has {units} in it but is controlled by the enemy",
                place=place,
                units=", ".join(units),
            )
        if len(units) > STACKING_LIMIT and position.round == 0:
            yield say("{place} has {number} units", place=place, number=len(units))
        if not position.is_open_for_play(place):
            yield say(
                "in {place}, which is not on the map, are {units}",
                units=", ".join(units),
                place=place,
            )
    for space, fort in position.forts.items():
        if not position.controls(fort.owner, space):
            yield say(
                "a {owner} marker is in enemy-controlled {space}",
                owner=say(fort.owner.capitalize()),
                space=space,
            )
    for side, deck in position.decks.items():
        slots = (*deck.pile, *deck.hand, *deck.face_down, *deck.retired)
        if len(set(slots)) != len(slots):
            yield say("a {side} card is in two places", side=say(side.capitalize()))
        closed = [slot for slot in slots if slot not in position.known]
        if len(closed) != len(deck.unseen):
            yield say(
                "hidden slots: {number}, but unseen cards: {deck_unseen} ({side})",
                number=len(closed),
                deck_unseen=len(deck.unseen),
                side=side,
            )
    for currency, halves in position.rp.items():
        if halves < 0:
            yield say("{currency} replacement points are below zero", currency=currency)
