"""Tables for the tests: units where a test wants them, everybody else out of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pbem.engine import kernel
from pbem.engine.model import Decision, Order, Side, State
from pbem.gamedata.load import load
from pbem.games.madrid import open_system
from pbem.games.madrid.events import ChitOpened
from pbem.games.madrid.position import GONE, Position
from pbem.games.madrid.stages.impulse import Impulse, ImpulseEnds
from pbem.games.madrid.tables import DECKS, NATIONALIST, REPUBLICAN
from pbem.games.system import GameSystem
from tests.bots import ScriptedDice

N, R = NATIONALIST, REPUBLICAN
LEVELS = ("crumbling", "bad", "fragile", "firm", "good")


@cache
def system() -> GameSystem:
    return open_system(load("madrid").tables)


def table(
    at: Mapping[str, str] | None = None, *, scenario: str = "campaign", options: Sequence[str] = (),
    nationalist: str = "D", morale: str = "fragile", hands: Mapping[Side, str] | None = None,
    facts: Sequence[str] = ("rivers_open",), **changes: Any,
) -> Position:  # fmt: skip
    """A position. `at` has the units of each place, in words: "N01 N02s" (s: spent).

    `nationalist` names the areas under Nationalist control; `hands` the chits of the sides.
    """
    base = system().setup(scenario, frozenset({"open_hands", *options})).position
    places = dict.fromkeys(base.board.units, GONE)
    spent = set()
    for place, units in (at or {}).items():
        for word in units.split():
            unit = word.removesuffix("s")
            places[unit] = place
            if word.endswith("s"):
                spent.add(unit)
    control = {area: N if area in nationalist.split() else R for area in base.board.areas}
    held = {side: tuple((hands or {}).get(side, "").split()) for side in (N, R)}
    cups = {
        side: tuple(chit for chit in cup if chit not in held[side])
        for side, cup in base.cups.items()
    }
    told = {
        "turn": 7, "began": 1, "impulse": 1, "support": {N: 10, R: 10},
        "morale": LEVELS.index(morale), "places": places, "spent": frozenset(spent),
        "control": control, "hands": held, "cups": cups, "facts": frozenset(facts),
    }  # fmt: skip
    return base.but(**(told | changes))


def face_down(position: Position, **decks: str) -> tuple[Position, dict[str, str]]:
    """The position with all chits of cups and hands face down, and what lies in each slot.

    `n="CN1a CN7a"` are the chits in the order of the places; the rest of the deck follows. The
    first of them are the hands that the position has.
    """
    cards: dict[str, str] = {}
    for side in (N, R):
        deck, count = DECKS[side], len(position.hands[side])
        first = decks.get(deck, " ".join(position.hands[side])).split()
        there = (*position.hands[side], *position.cups[side])
        laid = [*first, *(chit for chit in there if chit not in first)]
        slots = [f"{deck}/1/{place}" for place in range(len(laid))]
        cards |= dict(zip(slots, laid, strict=True))
        position = position.but(
            hands={**position.hands, side: tuple(slots[:count])},
            cups={**position.cups, side: tuple(slots[count:])},
            down=position.down.lay(deck, side, 1, laid),
        )
    return position, cards


def shown(position: Position, cards: Mapping[str, str], *chits: str) -> Position:
    """The position after these chits were opened: both know where they are."""
    for slot, chit in cards.items():
        if chit in chits:
            position = ChitOpened(position.board.side_of_chit(chit), slot, chit).apply(position)
    return position


def impulse(position: Position, side: Side) -> State[Position]:
    """The table in an impulse of a side, and nothing behind it."""
    return State(position.but(active=side), (Impulse(side),))


def whole_impulse(position: Position, side: Side) -> State[Position]:
    """The same with what follows an impulse."""
    return State(position.but(active=side), (ImpulseEnds(side), Impulse(side)))


def rules_against(position: Position, side: Side, order: Order) -> list[str]:
    """The rules that an order of an impulse breaks."""
    return [each.rule for each in kernel.violations(impulse(position, side), order)]


class Game:
    """A game that is driven on by orders and by scripted dice; it keeps the last events."""

    def __init__(self, state: State[Position]) -> None:
        self.state = state
        self.events: list[Any] = []

    @property
    def position(self) -> Position:
        return self.state.position

    @property
    def asks(self) -> Decision | None:
        asked = kernel.waits_for(self.state)
        return asked if isinstance(asked, Decision) else None

    def order(self, order: Order) -> Game:
        """Raises OrderRejected where it is not legal."""
        return self._take(kernel.submit(self.state, order))

    def roll(self, *faces: int | Sequence[int]) -> Game:
        """Rolls; each die must be asked for."""
        dice = ScriptedDice(*faces)
        self._take(kernel.roll(self.state, dice))
        assert dice.left == 0, f"{dice.left} dice were not asked for"
        return self

    def default(self) -> Game:
        assert self.asks
        return self.order(self.asks.default)

    def _take(self, step: kernel.Progress) -> Game:
        self.state = step.state
        self.events = list(step.events)
        assert system().faults(self.position) == ()
        return self

    def broken(self, order: Order) -> list[str]:
        """The rules that an answer to the present question breaks."""
        return [each.rule for each in kernel.violations(self.state, order)]

    def event(self, kind: type) -> Any:
        """The one event of a kind in the last step."""
        (found,) = self.all(kind)
        return found

    def all(self, kind: type) -> list[Any]:
        return [each for each in self.events if isinstance(each, kind)]

    def where(self, *units: str) -> list[str]:
        """Where units are, with "s" behind those that are spent."""
        return [
            self.position.places[unit] + ("" if self.position.is_fresh(unit) else "s")
            for unit in units
        ]


def begun(position: Position, *stages: Any) -> Game:
    """A game whose next stages are these, in their order; what runs by itself has run."""
    game = Game(State(position, tuple(reversed(stages))))
    return game._take(kernel.begin(game.state))


def fight(position: Position, side: Side) -> Game:
    return Game(impulse(position, side))
