"""Combats in a few words: a round of attacks played through the kernel with scripted dice."""

from __future__ import annotations

from typing import Any

from pbem.engine import kernel
from pbem.engine.model import Chance, Decision, Event, Order, Side, State
from pbem.games.crusade.orders import Attack
from pbem.games.crusade.position import OFF_MAP, Position
from pbem.games.crusade.stages.combat.attack import Combats
from tests.bots import ScriptedDice
from tests.games.crusade.board import N, R, table


def field(turn: int = 3, *, hold: str = "", **facts: Any) -> Position:
    """A map empty but for these units: each space belongs to whoever stands in it.

    `facts` are spaces with their units (`zafra="INF-1 (AFR-2)"`), boxes, or fields of Position.
    `hold` are further spaces that are Nationalist.
    """
    spaces = {k: v for k, v in facts.items() if k in table().tables.spaces or k in OFF_MAP}
    rest = {k: v for k, v in facts.items() if k not in spaces}
    position = table(turn, bare=True, units=spaces, **rest)
    held = {N: hold.split(), R: []}
    for space, stack in spaces.items():
        if stack and space not in OFF_MAP:
            held[position.side_of(stack.split()[0].strip("()"))].append(space)
    return table(turn, bare=True, units=spaces, nationalist=held[N], republican=held[R], **rest)


class Round:
    """A round of combats of one side, driven by orders and dice as a game would drive it."""

    def __init__(self, position: Position, side: Side, *marked: str, **fields: Any) -> None:
        self.events: list[Event[Position]] = []
        self._take(kernel.begin(State(position, (Combats(side, marked, **fields),))))

    def _take(self, advance: kernel.Progress) -> Round:
        self.state = advance.state
        self.events += advance.events
        return self

    @property
    def position(self) -> Position:
        return self.state.position

    @property
    def asks(self) -> Decision | Chance | None:
        return kernel.waits_for(self.state)

    @property
    def question(self) -> str:
        """The stage that is asked for a decision; `dice` for chance, empty if it is over."""
        asked = self.asks
        if asked is None:
            return ""
        return asked.stage if isinstance(asked, Decision) else "dice"

    def say(self, *orders: Order) -> Round:
        for order in orders:
            self._take(kernel.submit(self.state, order))
        return self

    def roll(self, *dice: int) -> Round:
        scripted = ScriptedDice(*dice)
        self._take(kernel.roll(self.state, scripted))
        assert scripted.left == 0
        return self

    def by_default(self, *stages: str) -> Round:
        """Answers these questions as if the player had no wish."""
        while self.question in stages:
            asked = self.asks
            assert isinstance(asked, Decision)
            self.say(asked.default)
        return self

    def faults(self, order: Order) -> list[str]:
        return [each.rule for each in kernel.violations(self.state, order)]

    def told(self, kind: type[Event[Position]]) -> list[Any]:
        return [event for event in self.events if type(event) is kind]


def attack(space: str, cards: str = "", losses: str = "", **units: str) -> Attack:
    """An attack; the units of each space apart by blanks."""
    stacks = {origin: tuple(names.split()) for origin, names in units.items()}
    return Attack(space, stacks, tuple(cards.split()), losses=tuple(losses.split()))


def where(position: Position, *units: str) -> list[str]:
    """Where units are, reduced ones in brackets."""
    return [
        f"({position.place_of(u)})" if position.is_reduced(u) else position.place_of(u)
        for u in units
    ]
