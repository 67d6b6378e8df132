"""Tables for the tests: units where a test wants them, everybody else out of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pbem.engine import kernel
from pbem.engine.model import Decision, Order, Side, State
from pbem.gamedata.load import load
from pbem.games.ctv import open_system
from pbem.games.ctv.events import BattleBegan, CounterShown
from pbem.games.ctv.position import AVAILABLE, OUT, Position
from pbem.games.ctv.stages.combat import Clash, Ends, Fighting
from pbem.games.ctv.stages.movement import Marching
from pbem.games.ctv.tables import AIR, NATIONALIST, REPUBLICAN
from pbem.games.system import GameSystem
from pbem.value import replace
from tests.bots import ScriptedDice

N, R = NATIONALIST, REPUBLICAN


@cache
def system() -> GameSystem:
    return open_system(load("ctv").tables)


def table(
    at: Mapping[str, str] | None = None, *, options: Sequence[str] = (), lost: str = "",
    levels: Mapping[str, int] | None = None, nationalist: str = "", republican: str = "",
    **changes: Any,
) -> Position:  # fmt: skip
    """A position. `at` has the units of each hex, in words; their hex belongs to their side.

    `lost` names units that have lost a step; `nationalist` and `republican` hexes under control.
    Supply is judged.
    """
    base = system().setup("santander", frozenset({"open_units", *options})).position
    board = base.board
    places = {unit: AVAILABLE if each.type == AIR else OUT for unit, each in board.units.items()}
    control = dict(base.control)
    for hex, units in (at or {}).items():
        for unit in units.split():
            places[unit] = hex
            if board.units[unit].is_ground:
                control[hex] = board.units[unit].side
    control |= dict.fromkeys(nationalist.split(), N) | dict.fromkeys(republican.split(), R)
    told = {
        "turn": 2, "places": places, "control": control,
        "lost": dict.fromkeys(lost.split(), 1), "levels": levels or {},
    }  # fmt: skip
    position = base.but(**(told | changes))
    areas, bits = position.judged, board.masks.bit
    out = frozenset(
        unit
        for side in (N, R)
        for unit in position.on_map(side)
        if not areas[side] & bits[position.at(unit)]
    )
    return position if "unsupplied" in changes else position.but(unsupplied=out)


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

    def roll(self, *faces: int) -> Game:
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

    def why(self, order: Order) -> list[str]:
        """What is said of them."""
        return [str(each.message) for each in kernel.violations(self.state, order)]

    def event(self, kind: type) -> Any:
        """The one event of a kind in the last step."""
        (found,) = self.all(kind)
        return found

    def all(self, kind: type) -> list[Any]:
        return [each for each in self.events if isinstance(each, kind)]

    def where(self, *units: str) -> list[str]:
        return [self.position.places[unit] for unit in units]


def begun(position: Position, *stages: Any) -> Game:
    """A game whose next stages are these, in their order; what runs by itself has run."""
    game = Game(State(position, tuple(reversed(stages))))
    return game._take(kernel.begin(game.state))


def marching(position: Position, side: Side) -> Game:
    """The movement of a side."""
    return begun(position.but(active=side, segment="movement"), Marching(side))


def fighting(position: Position, side: Side) -> Game:
    """The combat of a side."""
    return begun(position.but(active=side, segment="combat"), Fighting(side))


def joined(position: Position, hex: str, *attackers: str, support: str = "") -> Position:
    """A position in the middle of an attack."""
    side = position.side_of(attackers[0])
    began = BattleBegan(side, hex, attackers).apply(position)
    assert began.battle is not None
    battle = replace(began.battle, support=tuple(support.split()))
    return position.but(
        battle=battle, fought=frozenset(attackers), active=side, segment="combat"
    )  # fmt: skip


def clash(position: Position, hex: str, *attackers: str, face: int) -> Game:
    """An attack without any bombardment, once its die has been rolled."""
    side = position.side_of(attackers[0])
    return begun(joined(position, hex, *attackers), Clash(side), Ends()).roll(face)


def covered(
    known: Mapping[str, str], under: Mapping[str, str], options: Sequence[str] = (), **changes: Any
) -> Position:
    """A position with covered counters as the audit knows it: `known` has the units of each hex
    that both know, `under` those that lie covered there. Everybody else is out of the game.
    """
    position = system().setup("santander", frozenset(options)).position
    for side in (N, R):
        deck = position.tags_of(side)
        faces = dict(zip(deck, sorted(position.board.covered[side]), strict=True))
        position = position.but(down=position.down.known_too(faces))
    control = dict(position.control)
    position = position.with_units(
        [unit for unit in position.places if position.printed(unit).type != AIR], OUT
    )
    for hex, units in {**known, **under}.items():
        control[hex] = position.side_of(units.split()[0])
    for hex, units in known.items():
        for unit in units.split():
            if unit in position.down.hidden:
                tag = tag_of(position, unit)
                position = CounterShown(position.side_of(unit), tag, unit).apply(position)
            position = position.with_units((unit,), hex)
    for hex, units in under.items():
        position = position.with_units([tag_of(position, unit) for unit in units.split()], hex)
    return position.but(**{"turn": 2, "control": control, **changes})


def tag_of(position: Position, unit: str) -> str:
    """The tag under which a unit lies."""
    return position.down.tag(unit, position.places)
