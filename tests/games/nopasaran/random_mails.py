"""Random games of ¡No Pasarán! by two keys, with counters face down, to the audits of both.

Both give random orders that are legal in their own view, and write some more behind the dice;
often their standing orders answer for them. Whoever ends a day mixes what they can. Each order must
then pass what both hold it to, and with all that one player has kept secret in view the game must
have been the same, entry by entry. Nobody decides knowing what is to come.

`python -m tests.games.nopasaran.random_mails SCENARIO FROM TO [DAYS] [OPTION...]` plays the games
of these seeds, of so many days (0: whole ones), and prints what happened in them. With `renewals`
among the options the players get new keys now and then, and go on with new secrets.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

from pbem.engine.model import Order
from pbem.engine.naming import respelt
from pbem.engine.tags import is_tag
from pbem.gamefile import journal
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.format import read, write
from pbem.gamefile.in_play import other
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.negotiation import own_new_key
from pbem.gamefile.verify import examine_without_rules
from pbem.games.nopasaran import practice
from pbem.games.nopasaran.orders import ALL, Finish, Fly, Mix, React, Scout
from pbem.games.nopasaran.position import Position
from pbem.messages import words
from pbem.orders.written import in_order, orders_text
from pbem.play.answer import agreed, audited
from pbem.play.game import table_for, with_fold
from pbem.play.table import Table
from pbem.problems import Refused
from tests.bots import legal_samples
from tests.gamefile.knowledge import look_aheads
from tests.gamefile.players import TOOL
from tests.games.nopasaran.ahead import wild
from tests.games.nopasaran.by_mail import Seats
from tests.games.nopasaran.face_down import picking

BOLD, EAGER, TRIES = 0.9, 4, 24
"""How often a player does more than nothing; of so many legal orders one that finds something out
is preferred; how many are tried.
"""
RENEWALS = "renewals"
"""In place of an option of the game: now and then somebody goes on with new secrets."""
OFTEN = 0.06
"""How often, before a mail."""
LONGEST = 12
"""So many orders a mail has, at most, but for those behind the dice."""


class Players:
    """Both players of a game."""

    def __init__(self, scenario: str, seed: int, *options: str, is_open: bool = False) -> None:
        self.seats = Seats(f"random {seed}", scenario, *options, is_open=is_open)
        self.rng = random.Random(f"mails {scenario} {seed}")

    @property
    def position(self) -> Position:
        """As both know it."""
        found: Position = self.seats.game.table.state.position  # type: ignore[union-attr]
        return found

    def mail(self) -> None:
        """The next mail of whoever has the pen. Those of its orders that lie behind dice are left
        out if something can never come of them.
        """
        if not self.seats.orders_wanted:
            self.seats.mail()
            return
        now, table = self._orders(self.seats.table)
        standing, later = self._standing(), [*self._behind(table)]
        if later:
            try:
                self.seats.mail(orders_text([*now, *later]) + standing)
                return
            except Refused as refused:
                causes = (*refused.problems, *getattr(refused, "causes", ()))
                own = [each for each in causes if "program" in words(each.hint)]
                assert not own, f"what a program wrote by itself is not legal: {refused}"
        self.seats.mail(orders_text(now) + standing)

    def renew(self) -> None:
        """Whoever has the pen gets a new key, and goes on with new secrets if their opponent can
        offer them now; half of them still have the old key and show what it hid.
        """
        seats, pen = self.seats, self.seats.pen
        new = KeyPair.from_seed(self.rng.randbytes(32))
        if self.rng.random() < 0.5:
            new = new.in_place_of(seats.keys[pen])
        try:
            fold = own_new_key(seats.fold, seats.keys[pen], new, tool=TOOL)
            offer = Wish(offer={"what": "renew"})
            fold = compose(fold, seats.keys[other(pen)], offer, tool=TOOL, fresh=seats.nonce).fold
            fold = compose(fold, new, Wish(answer=True), tool=TOOL, fresh=seats.nonce).fold
        except FileRefused as refused:
            assert refused.rule == "R10" or refused.code == "E-LIMIT", refused  # 8 keys at most
            return
        seats.game, seats.keys = with_fold(fold), {**seats.keys, pen: new}

    def _orders(self, table: Table) -> tuple[list[Order], Table]:
        """What a player orders now, and the game after it."""
        found: list[Order] = []
        asked, goes_on = table.decision, True
        side = asked.side if asked else None
        while goes_on and asked and asked.side == side and not _is_fixed(table):
            order = self._order(table)
            found.append(self._named(table, order))
            table = table.take(order).once_told(asked.side)
            goes_on = len(found) < LONGEST and (bool(asked.secret) or self.rng.random() < 0.9)
            was_secret, asked = asked.secret, table.decision
            if was_secret and not (asked and asked.secret):
                break  # nothing more is asked before both have written
        return found, table

    def _named(self, table: Table, order: Order) -> Order:
        """An order in which counters of which its author does not know which is which are named as
        a form names them.
        """
        names = table.names_of(self.seats.pen, type(order))
        return respelt(order, lambda kind, name: names.spelt(kind, name) if is_tag(name) else name)

    def _order(self, table: Table) -> Order:
        """An order that its author's view allows."""
        asked, rng = table.decision, self.rng
        assert asked is not None
        samples = legal_samples(table.state, rng, TRIES) if rng.random() < BOLD else iter(())
        some = [order for order in samples if order != asked.default][:EAGER]
        looks = (order for order in some if isinstance(order, Scout | Fly | React))
        order = next(looks, next(iter(some), asked.default))
        if isinstance(order, Finish) and rng.random() < 0.8 and not table.against(Mix(ALL)):
            return Mix(ALL)
        return order if table.state.position.is_open else picking(order, rng)

    def _behind(self, table: Table) -> Iterator[Order]:
        """Orders that are given ahead: whether they are legal is seen when their turn comes."""
        side = self.seats.game.side_of(self.seats.pen)
        if self.rng.random() < 0.6 and table.state.agenda:
            position = table.state.position.seen(side)
            wanted = (wild(position, side, self.rng) for _ in range(self.rng.randint(1, 3)))
            yield from (order for order in wanted if order and not isinstance(order, Mix))

    def _standing(self) -> str:
        """Some of those that the player for practice says."""
        if self.rng.random() < 0.6:
            return ""
        said = practice.standing(self.seats.game.side_of(self.seats.pen))
        kept = {name: each for name, each in said.items() if self.rng.random() < 0.7}
        return f"standing: {in_order(kept)}\n" if kept else ""


def _is_fixed(table: Table) -> bool:
    """Whether the program answers by itself, with nothing to choose."""
    asked = table.waits()
    return bool(getattr(asked, "is_fixed", True) or table.must_show())


def played(scenario: str, seed: int, *options: str, days: int = 0, is_open: bool = False) -> Seats:
    """A game to its end, or the end of so many days; then somebody resigns."""
    renews = RENEWALS in options
    players = Players(scenario, seed, *({*options} - {RENEWALS}), is_open=is_open)
    seats = players.seats
    while seats.fold.phase == "running" and not (days and players.position.day > days):
        if renews and seats.orders_wanted and players.rng.random() < OFTEN:
            players.renew()
        players.mail()
    if seats.fold.phase == "running":
        seats.game = agreed(seats.game, seats.keys[seats.pen], None, resign=True).game
    return seats


def shown(seats: Seats) -> Fold:
    """A finished game, in which both have shown what they kept secret."""
    while seats.fold.owed:
        key = seats.keys[seats.fold.owed[0].by]
        seats.game = audited(seats.game, key, lost=True).game
    return seats.fold


def is_one_story(fold: Fold) -> None:
    """A finished game is the same for whoever reads it, with the rules and without."""
    assert fold.phase == "over" and not fold.is_provisional
    told = [*fold.told()]
    assert not [line for line in told if isinstance(line, journal.PolicyFailed)]
    assert {line.by for line in told if isinstance(line, journal.Audited)} == {"A", "B"}
    raw = write(fold.entries)
    again = replay(read(raw), table_for)
    assert again.head == fold.head and again.machine.post() == fold.machine.post()
    assert not examine_without_rules(raw).findings
    assert look_aheads(again) == []


def happened(fold: Fold) -> Counter[str]:
    """How much of what this game hides there was."""
    found: Counter[str] = Counter(type(line).__name__ for line in fold.told())
    found.update(verb for entry in fold.entries for step in entry.steps
                 for order in step.get("list", ()) for verb in order if verb != "when")  # fmt: skip
    found.update(f"about {fact}" for fact in facts(fold))
    return found


def facts(fold: Fold) -> Iterator[str]:
    """What was said in the head of mails."""
    for line in fold.told():
        if isinstance(line, journal.FactSaid):
            yield from line.order


def main(scenario: str, first: str, last: str, days: str = "0", *options: str) -> None:
    total: Counter[str] = Counter()
    begun, faults = time.monotonic(), 0
    for seed in range(int(first), int(last)):
        is_open = "open_units" in options
        more = [option for option in options if option != "open_units"]
        try:
            fold = shown(played(scenario, seed, *more, days=int(days), is_open=is_open))
            is_one_story(fold)
            total += happened(fold)
        except Exception as error:
            faults += 1
            print("DEFECT", seed, type(error).__name__, str(error)[:1500], flush=True)
            if not isinstance(error, AssertionError | Refused):
                raise
    print(f"{scenario} {first} to {last} {days} {options}: {faults} faults, "
          f"{time.monotonic() - begun:.0f} s", flush=True)  # fmt: skip
    for name, count in sorted(total.items()):
        print(f"{count:8} {name}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
