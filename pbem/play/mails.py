"""How many mails a round will cost, and what would save one.

A player never sees a die in the mail in which they order it. Beyond that each thing that is asked
when it could have been said before costs two mails: one that asks, one that answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.policies import NO_POLICIES
from pbem.gamefile.keys import KeyPair
from pbem.play.foresight import Spoken, outlook
from pbem.play.game import Game
from pbem.play.prepare import Prepared
from pbem.play.table import Table
from pbem.value import value

Plain = Mapping[str, Any]
USUAL_SLOT = "standing"
"""The slot of standing orders that name none: it tells a reader nothing."""


@value
class Forecast:
    """How many mails of the player and their opponent, as far as it can be told before the dice.

    `costs` are what costs two mails each, with what would have saved them.
    """

    costs: tuple[str, ...]
    span: str

    @property
    def count(self) -> int:
        return 1 + 2 * len(self.costs)

    def sentences(self) -> tuple[str, ...]:
        if not self.costs:
            return (f"mails: one for this {self.span}, if all goes as it is said",)
        return (
            f"mails: about {self.count} for this {self.span}; two each for",
            *_listed(self.costs),
        )

    def plain(self) -> dict[str, Any]:
        return {"count": self.count, "costs": list(self.costs)}


def _listed(costs: Sequence[str]) -> list[str]:
    return [f"  {cost}" for cost in costs]


def forecast(game: Game, key: KeyPair | None, prepared: Prepared) -> Forecast | None:
    """What orders will cost their author: the owner of the key, or whoever is asked now.

    None in a solo game, for mere answers, and where no dice are ordered and nobody is asked.
    """
    leads = any(map(prepared.table.leads, prepared.orders))
    if game.fold.is_solo or not leads:
        return None
    player = game.fold.player_of(key.public) if key else game.fold.pen or "A"
    if not _is_theirs(prepared.table, player):
        return None
    given = prepared.orders[len(prepared.orders) - prepared.ahead :]
    return _foretold(game, player, prepared.table, given, prepared.policies)


def present_forecast(game: Game, player: str) -> Forecast | None:
    """The forecast for the orders a player has just sent; None if the last mail is not theirs."""
    fold, table, last = game.fold, game.table, game.fold.entries[-1]
    if fold.is_solo or table is None or last.by != player or not _is_theirs(table, player):
        return None
    if not any(step["do"] == "orders" for step in last.steps):
        return None
    given = [each.order for each in fold.given(player)]
    return _foretold(game, player, table, given, ())


def _is_theirs(table: Table, player: str) -> bool:
    """Whether the round, or what comes behind its last, is still this player's."""
    return table.clock.owner == table.seats[player]


def _foretold(
    game: Game, player: str, table: Table, given: Sequence[Plain], said: Sequence[Plain]
) -> Forecast | None:
    bound = frozenset((each.epoch.deck, each.epoch.number) for each in game.fold.machine.decks)
    found = outlook(table, player, given, tuple(_spoken(game, player, said)), bound)
    return Forecast(found.costs, table.system.words.span) if found.has_dice or found.costs else None


def _spoken(game: Game, player: str, said: Sequence[Plain]) -> Iterator[Spoken]:
    """The policies in force of both players, then what the player says now in place of theirs."""
    replaced = {(player, each["slot"]) for each in said}
    for seat in game.seats:
        for each in reversed(game.fold.policies(seat)):
            if (seat, each.slot) not in replaced:
                yield Spoken(seat, each.slot, each.scope, each.until, each.doc)
    for part in said:
        if part["doc"] is not None:
            doc = part["doc"] if part.get("clear") else None
            yield Spoken(player, part["slot"], part["scope"], part["until"], doc)


def standing_advice(game: Game, player: str) -> tuple[str, ...]:
    """What a player should know about standing orders, their own and the other's."""
    system = game.opened.system
    if game.fold.is_solo or game.fold.phase != "running" or system.policies is NO_POLICIES:
        return ()
    found = []
    other = next(seat for seat in game.seats if seat != player)
    slots = sorted({each.slot for each in game.fold.policies(other)})
    if slots:
        named = f": {', '.join(slots)}" if slots != [USUAL_SLOT] else ""
        found.append(f"the {game.side_of(other)} player has standing orders in force{named}")
    if not game.fold.policies(player):
        span = system.words.span
        found.append(f"you have no standing orders in force: each question to you in the {span} of "
                     "your opponent costs two more mails (the form of your own "
                     f"{span} shows how to write them)")  # fmt: skip
    return tuple(found)
