"""What a battle costs in mails, counted by folding: nothing here passes or fails.

`python -m tests.games.nopasaran.mails [GAMES] [DAYS]` plays games of the bridge by two keys, and
some first days of the crossing, and prints the median of their mails in each style of writing.

Both sides are played by the player for practice. Whoever writes an activation tries it with dice of
their own, which tell nothing of those to come, and sends what they would order then; what has
become illegal lapses. Activations in which nobody would do anything are left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from statistics import median

from pbem.engine import kernel
from pbem.engine.model import Decision, Order, Side, State
from pbem.engine.practice import chosen
from pbem.gamefile.journal import PolicyFailed
from pbem.games.nopasaran import practice
from pbem.games.nopasaran.orders import Activate, Done, Finish
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.stages.activation import Activating
from pbem.orders.written import orders_text
from tests.bots import RandomDice
from tests.games.nopasaran.by_mail import Seats
from tests.games.nopasaran.table import LARGE, SMALL

STANDING = """standing:
  support: all
  primary: best
  counterbattery: always
  react: always
  retreat: [stay_together, road]
  works: position
  own: {advance: all, again: never, works: position}
"""
"""An answer to everything that is asked of whoever does not act, or behind their own dice."""


@dataclass(frozen=True)
class Style:
    """How both write: one order a mail, or activations; how many said ahead; with what answers."""

    told: str
    whole: bool = True
    ahead: int = 0
    standing: str = STANDING


STYLES = (
    Style("with every question in standing orders"),
    Style("with the next activation said ahead", ahead=1),
)
NAIVE = Style("asked for everything, an order a mail", whole=False, standing="")


# ------------------------------------------------------------------- plans


def activations(state: State[Position], side: Side) -> Iterator[tuple[Order, ...]]:
    """The next activations of a side in which it would do anything, if it has the initiative again
    and again; at last that it is finished.
    """
    dice, position = RandomDice(state.seq), state.position
    while True:
        now = kernel.begin(State(position, (Activating(side),))).state
        orders, now = as_tried(now, side, dice)
        position = now.position
        if len(orders) > 2 or not isinstance(orders[0], Activate):  # more than `done`
            yield orders
        if not isinstance(orders[0], Activate):
            return


def as_tried(
    state: State[Position], side: Side, dice: RandomDice
) -> tuple[tuple[Order, ...], State[Position]]:
    """What a side would order until its activation is over, and the state then; answers behind the
    dice are left to standing orders.
    """
    orders: list[Order] = []
    while True:
        wanted = kernel.waits_for(state)
        if not isinstance(wanted, Decision):
            state = kernel.roll(state, dice).state
            continue
        mine = wanted.side == side and wanted.stage in ("activation", "action")
        order = chosen(practice, state).order if mine else wanted.default
        if mine:
            orders.append(order)
        if isinstance(order, Done | Finish):
            return tuple(orders), State(kernel.submit(state, order).state.position, ())
        state = kernel.submit(state, order).state


# ------------------------------------------------------------------- a game


class Writer:
    """Writes the mails of both."""

    def __init__(self, seats: Seats, style: Style) -> None:
        self.seats, self.style = seats, style

    def mail(self) -> None:
        """The next mail of whoever has the pen."""
        orders = list(self.orders()) if self.seats.orders_wanted else []
        self.seats.mail((orders_text(orders) if orders else "") + self.style.standing)

    def orders(self) -> Iterator[Order]:
        """What is asked for now, and what follows it in the same mail."""
        table, side = self.seats.table, self.seats.game.side_of(self.seats.pen)
        asked = table.decision
        assert asked is not None and asked.side == side
        while asked is not None and asked.secret and asked.side == side:
            order = chosen(practice, table.state).order
            yield order
            table = table.take(order)
            asked = table.decision
            if not self.style.whole:
                return
        if asked is None or asked.secret or asked.side != side or asked.tells:
            return
        if not self.style.whole or asked.stage not in ("activation", "action"):
            yield chosen(practice, table.state).order
            return
        state = table.state
        if asked.stage == "action":
            orders, state = as_tried(state, side, RandomDice(state.seq))
            yield from orders
        most = self.style.ahead + (asked.stage == "activation")
        plans = [*islice(activations(state, side), most + 1)]
        if plans[most:] != [(Finish(),)]:  # which is no activation: it is said with the last one
            plans = plans[:most]
        yield from chain(*plans)


def course(scenario: str, seed: str, style: Style, days: int = 0) -> int:
    """The mails of a game from its first morning on, to its end or the end of so many days."""
    seats = Seats(seed, scenario)
    began, writer = seats.mails, Writer(seats, style)
    while seats.fold.phase == "running" and not (days and _day(seats) > days):
        writer.mail()
    assert not any(isinstance(each, PolicyFailed) for each in seats.fold.told())
    return seats.mails - began


def _day(seats: Seats) -> int:
    """The day of the battle, as far as the file tells."""
    position: Position = seats.game.table.state.position  # type: ignore[union-attr]
    return position.day


def main(games: str = "100", days: str = "20") -> None:
    """Prints the figures."""
    for style in (*STYLES, NAIVE):
        few = 1 if style is NAIVE else int(games)
        small = [course(SMALL, f"bridge {seed}", style) for seed in range(few)]
        print(f"{style.told}: {few} games of {SMALL}, median {median(small):g} mails, "
              f"{min(small)} to {max(small)}", flush=True)  # fmt: skip
        few = 1 if style is NAIVE else int(days)
        large = [course(LARGE, f"crossing {seed}", style, days=1) for seed in range(few)]
        print(f"{style.told}: {few} first days of {LARGE}, median {median(large):g} mails, "
              f"{min(large)} to {max(large)}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
