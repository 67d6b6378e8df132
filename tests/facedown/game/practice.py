"""A plain player: it attacks what it can beat, marches to the objectives, and else waits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.games.fog import orders as o
from pbem.games.fog import rules
from pbem.games.fog.position import ENEMY, GRID, Position

from pbem.engine.model import Decision, Order, Side, State
from pbem.engine.practice import Idea, examples
from pbem.messages import say
from pbem.value import replace


class PlainPlayer:
    """The capability. It knows what its side knows."""

    def veiled(self, state: State[Position], side: Side) -> State[Position]:
        """The other side's counters and list are not known."""
        position = state.position
        own = {
            slot: card
            for slot, card in position.down.faces.items()
            if position.side_of(slot) == side
        }
        notes = {
            slot: item for slot, item in position.notes.items()
            if slot in position.slots_of_list(side)
        }  # fmt: skip
        down = replace(position.down, faces=own)
        return replace(state, position=position.but(down=down, notes=notes))

    def ideas(self, state: State[Position], decision: Decision) -> Iterator[Idea]:
        """Attacks, then marches that come nearer to an objective."""
        position = state.position
        if decision.stage == "ambushes" and decision.secret:
            yield Idea(o.Ambush(position.board.objectives[:1]), 1.0, say("an objective"))
            return
        for each in examples(decision):
            order = each.order
            if isinstance(order, o.Attack):
                worth = float(len(order.units)) - len(position.at(order.hex)) + 0.5
                yield Idea(order, worth, say("attacks {hex}", hex=order.hex))
            if isinstance(order, o.March):
                near = self._way(position, order.path[-1])
                here = self._way(position, position.places[order.unit])
                yield Idea(order, float(here - near), say("marches to the objective"))

    def along(self, state: State[Position], order: Order) -> tuple[Idea, ...]:
        """Nothing: an attack is judged by what the one before has shown."""
        return ()

    def standing(self, side: Side) -> Mapping[str, Any]:
        """Nothing: each question is judged when it is asked."""
        return {}

    def _way(self, position: Position, hex: str) -> int:
        enemy = ENEMY[position.active]
        held = [each for each in position.board.objectives if position.holder(each) == enemy]
        aims = held or list(position.board.objectives)
        return min(GRID.distance(hex, each) for each in aims) + rules.is_overfull(position, hex)


PRACTICE = PlainPlayer()
