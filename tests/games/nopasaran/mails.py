"""What a battle costs in mails, counted by folding: nothing here passes or fails.

`python -m tests.games.nopasaran.mails [GAMES] [DAYS] [WHOLE]` plays games of the bridge by two
keys, with all counters open and with counters face down, some first days of the crossing, and whole
games of it, and prints the median of their mails, of the last those of a day, in each style of
writing. Each number may be the seeds from the first to the last in its place, such as 40-99.

Both sides are played by the player for practice. Whoever writes an activation writes it whole, as
if all dice fell in the middle; what has become illegal lapses. Who would do nothing after it is
finished for the day with it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from statistics import median

from pbem.engine.model import Order, Side
from pbem.engine.practice import chosen
from pbem.gamefile.fold import Fold
from pbem.gamefile.journal import PolicyFailed
from pbem.games.nopasaran import practice
from pbem.games.nopasaran.orders import Finish
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.tables import ENEMY
from pbem.orders.written import in_order, orders_text
from pbem.play.table import Illegal, Table
from tests.bench.practice import seeds_of
from tests.games.nopasaran.by_mail import Seats
from tests.games.nopasaran.table import LARGE, SMALL


@dataclass(frozen=True)
class Style:
    """How both write: whole activations, or as far as the next dice; how many said ahead; whether
    standing orders answer everything else.
    """

    told: str
    whole: bool = True
    ahead: int = 0
    answers: bool = True
    is_clear: bool = False
    """Whether what is said ahead is sent in clear with counters face down, too."""


STYLES = (
    Style("with every question in standing orders"),
    Style("with the next activation said ahead", ahead=1),
)
IN_CLEAR = Style("with the next activation said ahead in clear", ahead=1, is_clear=True)
NAIVE = Style("asked for everything, a mail for all dice", whole=False, answers=False)


# ------------------------------------------------------------------- a game


class Writer:
    """Writes the mails of both."""

    def __init__(self, seats: Seats, style: Style) -> None:
        self.seats, self.style = seats, style

    def mail(self) -> None:
        """The next mail of whoever has the pen."""
        orders = list(self.orders()) if self.seats.orders_wanted else []
        ahead = "ahead: open\n" if orders and self.style.is_clear else ""
        self.seats.mail(ahead + (orders_text(orders) if orders else "") + self.standing())

    def standing(self) -> str:
        """Those that the player for practice says."""
        said = practice.standing(self.seats.game.side_of(self.seats.pen))
        return f"standing: {in_order(said)}\n" if self.style.answers else ""

    def orders(self) -> Iterator[Order]:
        """What is asked for now, and what follows it in the same mail."""
        table, side = self.seats.table, self.seats.game.side_of(self.seats.pen)
        asked = table.decision
        assert asked is not None and asked.side == side
        is_planned = self.style.whole and asked.stage in practice.ACTS
        while asked is not None and asked.side == side and not (asked.tells or is_planned):
            is_secret = bool(asked.secret)
            order = chosen(practice, table.state).order
            yield order
            table = table.take(order).once_told(side)
            asked = table.decision
            if self.style.whole and not (is_secret and asked and asked.secret):
                return
        if not is_planned:
            return
        is_alone = ENEMY[side] in table.state.position.finished
        most = None if is_alone else 1 + self.style.ahead  # no dice come between those of one side
        plans = practice.activations(practice.veiled(table.state, side), side)
        said = [[idea.order for idea in plan] for plan in islice(plans, most)]
        if len(said) == 1 or said[-1] != [Finish()]:
            said.append([idea.order for idea in next(plans, ())])
        if len(said) > 1 and said.pop() == [Finish()]:
            said[-1][-1] = Finish()  # in place of `done`: dice behind that could take it away
        orders = [order for plan in said for order in plan]
        if isinstance(orders[-1], Finish):
            yield from practice.hides(table.state.position.seen(side), side, orders)
        yield from cleared(table, side, orders)


def cleared(table: Table, side: Side, orders: Iterable[Order]) -> Iterator[Order]:
    """The orders of a plan, and the answer to each other question that comes between them before
    any dice, such as where a hex is to be cleared.
    """
    for order in orders:
        while (asked := table.decision) and asked.side == side and asked.stage not in practice.ACTS:
            answer = chosen(practice, table.state).order
            yield answer
            table = table.take(answer).once_told(side)
        if asked and asked.side == side:
            try:
                table = table.take(order).once_told(side)
            except Illegal:  # the answers before it have moved what it names
                continue
        yield order


def course(scenario: str, seed: str, style: Style, days: int = 0, *, is_open: bool = True) -> int:
    """The mails of a game from its first morning on, to its end or the end of so many days."""
    return sum(by_day(Seats(seed, scenario, is_open=is_open), style, days))


def by_day(seats: Seats, style: Style, days: int = 0) -> tuple[int, ...]:
    """The mails of each day; the one that ends a day counts for it."""
    counts = Counter[int]()
    writer = Writer(seats, style)
    while seats.fold.phase == "running" and not (days and _day(seats) > days):
        day, before = _day(seats), seats.mails
        writer.mail()
        counts[day] += seats.mails - before
    assert not any(isinstance(each, PolicyFailed) for each in seats.fold.told())
    return tuple(counts[day] for day in sorted(counts))


def reports_awaited(fold: Fold) -> int:
    """How many mails had nothing in them but what the other player waited for: a report."""
    kinds = ({step["do"] for step in entry.steps} for entry in fold.entries)
    return sum("fact" in each and each <= {"fact", "open", "policy"} for each in kinds)


def _day(seats: Seats) -> int:
    """The day of the battle, as far as the file tells."""
    position: Position = seats.game.table.state.position  # type: ignore[union-attr]
    return position.day


def main(games: str = "100", days: str = "20", whole: str = "0") -> None:
    """Prints the figures."""
    for style in (*STYLES, IN_CLEAR, NAIVE):
        for is_open in (True, False)[style.is_clear :]:
            counters, counts = "open" if is_open else "face down", dict[int, list[int]]()
            for seed in seeds_of(games):
                seats = Seats(f"bridge {seed}", SMALL, is_open=is_open)
                mails = sum(by_day(seats, style))
                counts.setdefault(reports_awaited(seats.fold), []).append(mails)
            small = [*chain.from_iterable(counts.values())]
            _tell(style, f"{len(small)} games of {SMALL}, counters {counters}", small)
            for number, few in sorted(counts.items() if len(counts) > 1 else ()):
                _tell(style, f"  {len(few)} of them with {number} reports awaited", few)
        if style.is_clear:
            continue  # with open units it is all in clear
        large = [course(LARGE, f"crossing {seed}", style, days=1) for seed in seeds_of(days)]
        _tell(style, f"{len(large)} first days of {LARGE}", large)
    for style in STYLES:
        every = [by_day(Seats(f"crossing {seed}", LARGE, is_open=True), style)
                 for seed in seeds_of(whole)]  # fmt: skip
        _tell(style, f"the days of {len(every)} games of {LARGE}", [*chain.from_iterable(every)])
        for number, counts in enumerate(zip(*every, strict=True), start=1):
            _tell(style, f"  day {number}", counts)


def _tell(style: Style, what: str, counts: Sequence[int]) -> None:
    if counts:
        print(f"{style.told}: {what}, median {median(counts):g} mails, "
              f"{min(counts)} to {max(counts)}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
