"""Players who want to win, or to lose: random legal orders, and the likeliest of them taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pbem.engine.model import Decision, Order, Side, State
from tests.bots import legal_samples
from tests.contract.playing import Player


@dataclass
class Steered(Player):
    """Plays for `favoured`, whose samples are weighed; the other side gives default orders.

    A `keen` of 0 plays both sides at random; `most` samples of an order are weighed.
    """

    favoured: Side | None = None
    most: int = 25
    wants: tuple[str, ...] = ()
    """Cards that are played as events as soon as they can be."""
    yields: bool = False
    """Whether the other side marches out of its Main Cities, instead of giving default orders."""

    def order(self, state: State[Any], decision: Decision) -> Order:
        if not self.favoured:
            return super().order(state, decision)
        if decision.side != self.favoured and not self.yields:
            return decision.default
        samples = legal_samples(state, self.rng, self.most)
        if decision.side == self.favoured:
            return max(samples, key=lambda order: self._worth(state, order))
        return max([decision.default, *samples], key=lambda order: self._yielded(state, order))

    def _yielded(self, state: State[Any], order: Order) -> int:
        """How far an order of the other side opens its Main Cities."""
        position = state.position
        cities = position.tables.main_cities
        if order.verb == "play":
            return int(order.use == "operations" and any(map(position.units_in, cities)))
        if order.verb == "activate":
            return sum(len(position.units_in(city)) for city in cities if city in order.move)
        if order.verb == "move":
            out = order.path[0] in cities and order.path[-1] not in cities
            return len(order.units) if out else -1
        return -1 if getattr(order, "at", "") in cities else 0

    def _worth(self, state: State[Any], order: Order) -> tuple[float, float]:
        weigh = getattr(self, f"_{order.verb}", None)
        return (weigh(state.position, order) if weigh else 0.0), self.rng.random()

    def _play(self, position: Any, order: Any) -> float:
        if order.card not in position.tables.cards:
            return 0.0
        card = position.card(order.card)
        if order.use == "operations":
            return float(card.ops)
        if order.use == "event" and card.id in self.wants:
            return 99.0
        if order.use == "event":
            return 3.5 if self.rng.random() < 0.6 else 1.0
        return {"replacements": 2.0, "redeployment": 1.5}.get(order.use, 0.5)

    def _activate(self, position: Any, order: Any) -> float:
        attacks = sum(self._chance(position, space) for space in order.attack)
        return attacks + sum(self._way(position, space) for space in order.move)

    def _chance(self, position: Any, space: str) -> float:
        """What the units of a space are worth against the weakest enemy next to it."""
        against = [
            self._strength(position, position.units_in(near))
            for near in position.neighbours(space)
            if self._is_enemy(position, near)
        ]
        odds = self._strength(position, position.units_in(space)) - min(against, default=99)
        return 1.0 + odds if odds > 0 else -1.0

    def _way(self, position: Any, space: str) -> float:
        """Whether there is ground to take from a space, or a long way to the enemy."""
        for near in position.neighbours(space):
            if position.occupier(near) is None and not position.controls(self.favoured, near):
                return 3.0
        if any(self._is_enemy(position, near) for near in position.neighbours(space)):
            return -1.0
        return 0.4 * len(position.units_in(space))

    def _is_enemy(self, position: Any, space: str) -> bool:
        return position.occupier(space) not in (None, self.favoured)

    def _strength(self, position: Any, units: Any) -> int:
        return sum(position.factors(unit).cf for unit in units)

    def _move(self, position: Any, order: Any) -> float:
        """Towards the next Main City that is not ours, in strength."""
        end, start = order.path[-1], order.path[0]
        gain = self._distance(position, start) - self._distance(position, end)
        new = sum(not position.controls(self.favoured, space) for space in order.path)
        return gain * len(order.units) + 3 * new

    def _attack(self, position: Any, order: Any) -> float:
        attackers = [unit for units in order.units.values() for unit in units]
        strength = self._strength(position, attackers)
        defence = self._strength(position, position.units_in(order.space))
        return strength - defence + 1 - self._distance(position, order.space) / 2

    def _advance(self, position: Any, order: Any) -> float:
        return float(len(order.units))

    def _replace(self, position: Any, order: Any) -> float:
        return 1.0

    _rebuild = _replace
    _deploy = _replace
    _assault = _replace

    def _redeploy(self, position: Any, order: Any) -> float:
        start = position.place_of(order.unit)
        if start not in position.tables.spaces or order.to not in position.tables.spaces:
            return self.rng.random()
        near = self._distance(position, start) - self._distance(position, order.to)
        return near / 4 if self.rng.random() < 0.8 else 0.0

    def _done(self, position: Any, order: Any) -> float:
        return 0.1

    def _fortify(self, position: Any, order: Any) -> float:
        return -1.0

    _remove_marker = _fortify

    def _distance(self, position: Any, space: str) -> int:
        """Steps over the map to the nearest Main City the enemy holds."""
        cities = position.tables.main_cities
        wanted = {city for city in cities if not position.controls(self.favoured, city)}
        seen, edge, steps = {space}, [space], 0
        while edge and not wanted & seen and steps < 12:
            edge = [near for each in edge for near in position.neighbours(each) if near not in seen]
            seen.update(edge)
            steps += 1
        return steps
