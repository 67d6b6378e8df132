"""How many mails a round will cost, and what would save one.

A player never sees a die in the mail in which he orders it. Beyond that each thing that is asked
when it could have been said before costs two mails: one that asks, one that answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.play.game import Game
from pbem.play.table import Illegal, Table
from pbem.value import value


@value
class Forecast:
    """How many mails of the player and his opponent, as far as it can be told before the dice.

    `costs` are what costs two mails each, with what would have saved them.
    """

    costs: tuple[str, ...]

    @property
    def count(self) -> int:
        return 1 + 2 * len(self.costs)

    def sentences(self) -> tuple[str, ...]:
        if not self.costs:
            return ("mails: one for this round, if all goes as it is said",)
        return (f"mails: about {self.count} for this round; two each for", *_listed(self.costs))

    def plain(self) -> dict[str, Any]:
        return {"count": self.count, "costs": list(self.costs)}


def _listed(costs: Sequence[str]) -> list[str]:
    return [f"  {cost}" for cost in costs]


def forecast(
    game: Game, player: str, orders: Sequence[Mapping[str, Any]], stop: Table
) -> Forecast | None:
    """What these orders of a player will cost; `stop` is the table behind all that can be tried.

    None in a solo game, and where no dice are ordered.
    """
    if game.fold.is_solo:
        return None
    left = [open_ for order in orders if (open_ := _left_open(stop, order)) is not None]
    if not left:
        return None
    costs = [each for open_ in left for each in open_]
    asked = stop.decision
    waits_for_other = asked is not None and stop.player_of(asked.side) != player
    if waits_for_other and not _is_covered(game, stop):
        assert asked is not None
        costs.insert(0, f"the {asked.side} player, asked to {asked.prompt}"
                        " (he has no standing orders for it)")  # fmt: skip
        costs += [f"attack {number}: he is asked again, behind other dice"
                  for number in range(2, len(left) + 1)]  # fmt: skip
    return Forecast(tuple(costs))


def _left_open(table: Table, order: Mapping[str, Any]) -> tuple[str, ...] | None:
    try:
        return table.system.left_open(table.read(order))
    except Illegal:
        return None


def _is_covered(game: Game, table: Table) -> bool:
    """Whether standing orders answer what the other player is asked at this table."""
    assert table.decision is not None
    other = table.player_of(table.decision.side)
    return any(
        table.covers(other, each.slot, each.scope, each.until) for each in game.fold.policies(other)
    )


def present_forecast(game: Game, player: str) -> Forecast | None:
    """The forecast for the orders a player has just sent; None where the last mail was not his."""
    last = game.fold.entries[-1]
    if game.table is None or last.by != player:
        return None
    orders = [order for step in last.steps if step["do"] == "orders" for order in step["list"]]
    return forecast(game, player, orders, game.table)


def standing_advice(game: Game, player: str) -> tuple[str, ...]:
    """What a player should know about standing orders, his own and the other's."""
    if game.fold.is_solo or game.fold.phase != "running":
        return ()
    found = []
    other = next(seat for seat in game.seats if seat != player)
    slots = sorted({each.slot for each in game.fold.policies(other)})
    if slots:
        found.append(f"the {game.side_of(other)} player has standing orders: {', '.join(slots)}")
    if not game.fold.policies(player):
        found.append("you have no standing orders in force: each attack on you costs two mails more"
                     " (pbem form shows how to write them)")  # fmt: skip
    return tuple(found)
