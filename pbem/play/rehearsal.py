"""Orders judged without being sent: up to the first roll, which nobody sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.referee import Asked, Chance
from pbem.orders.parse import OrdersFile
from pbem.play.answer import prepared_for
from pbem.play.game import Game
from pbem.play.mails import Forecast, forecast
from pbem.play.prepare import Prepared, prepare
from pbem.play.story import order_text
from pbem.text.wording import counted
from pbem.value import value


@value
class Rehearsed:
    """What was judged, and where the judging stopped."""

    prepared: Prepared
    stopped: str
    mails: Forecast | None = None

    def sentences(self) -> tuple[str, ...]:
        tried = len(self.prepared.orders) - self.prepared.ahead
        are = "is" if tried == 1 else "are"
        lines = [f"{counted(tried, 'order')} {are} legal; {self.stopped}"]
        if self.prepared.closed:
            lines.append("'done' would be added where a part of the round ends")
        lines += self.prepared.remarks
        lines += [f"judged when its turn comes: {order_text(each)}" for each in self._ahead()]
        lines += self.mails.sentences() if self.mails else ()
        return tuple(lines)

    def _ahead(self) -> tuple[Mapping[str, Any], ...]:
        count = self.prepared.ahead
        return self.prepared.orders[len(self.prepared.orders) - count :]

    def plain(self) -> dict[str, Any]:
        return {
            "orders": [dict(order) for order in self.prepared.orders],
            "ahead": self.prepared.ahead,
            "stopped": self.stopped,
            "remarks": list(self.prepared.remarks),
            "mails": self.mails.plain() if self.mails else None,
        }


def rehearsed(game: Game, key: KeyPair | None, file: OrdersFile) -> Rehearsed:
    """Judges the orders of a file. Raises Refused with every problem, each at its place."""
    if key is not None and not game.fold.is_solo:
        prepared = prepared_for(game, key, file)
    else:
        prepared = _of_whoever_is_asked(game, file)
    mails = forecast(game, key, prepared)
    return Rehearsed(prepared, _stop(prepared), mails)


def _of_whoever_is_asked(game: Game, file: OrdersFile) -> Prepared:
    table = game.table
    waits = table.waits() if table else None
    if table is None or not isinstance(waits, Asked) or game.fold.locked is not None:
        raise FileRefused(
            "E-TURN", "no orders are asked for now",
            hint="with --key, what you owe is answered first",
        )  # fmt: skip
    return prepare(file, table, waits.by)


def _prompt(prepared: Prepared) -> str:
    decision = prepared.table.decision
    return decision.prompt if decision else ""


def _stop(prepared: Prepared) -> str:
    waits = prepared.table.waits()
    if isinstance(waits, Chance):
        return f"checked up to the first roll ({waits.what})"
    if isinstance(waits, Asked):
        side = prepared.table.seats[waits.by]
        return f"then the {side} player is asked to {_prompt(prepared) or waits.what}"
    return "then the game is over"
