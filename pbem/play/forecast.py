"""How many mails a round will cost, and what would save one.

A player never sees a die in the mail in which they order it. Beyond that each thing that is asked
when it could have been said before costs two mails: one that asks, one that answers. So the rest of
the round is played on with dice made up, to count who would have to write. Nothing of it is known
to happen. It needs no key: a beacon is two mails and a face, and a document that is still sealed
counts as one that says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pbem.engine.dice import Draw, Roll
from pbem.engine.model import Decision
from pbem.engine.policies import NO_POLICIES
from pbem.engine.words import Words
from pbem.gamefile.in_play import Asked, DiceWanted, Finished, Laid, OrderRefused, Policy, other
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.pending import covers, first_answer
from pbem.play.game import Game
from pbem.play.prepare import Prepared
from pbem.play.table import Illegal, Table
from pbem.value import value

Plain = Mapping[str, Any]
USUAL_SLOT = "standing"
"""The slot of standing orders that name none: it tells a reader nothing."""
MOST_MOVES = 400
"""Of the rest of a round; whoever has so much before them is told what was found till then."""
FALLS = ((6, 6), (6, 1), (3, 1))
"""How the dice may fall, the first of each roll and the others.

In 57 rounds of random games these three found the same as all thirty-six.
"""


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
    bound = frozenset(
        (each.epoch.deck, each.epoch.number) for each in game.fold.machine.hidden.decks
    )
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


# --- the rest of the round, played on -------------------------------------------------------------


@value
class Fallen:
    """Dice made up: the first of each roll shows one face, the others show another."""

    first: int
    rest: int

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
        return {draw.label: self._one(draw, place) for place, draw in enumerate(draws)}

    def _one(self, draw: Draw, place: int) -> Roll:
        if draw.is_sample:
            return Roll(draw.label, draw.purpose, picked=tuple(range(draw.take)))
        face = min(self.rest if place else self.first, draw.faces)
        return Roll(draw.label, draw.purpose, face=face)


@value
class Spoken:
    """A policy in force; `doc` is None as long as it is sealed."""

    by: str
    slot: str
    scope: Mapping[str, Any] | None
    until: str | None
    doc: Plain | None

    def covers(self, table: Table) -> bool:
        """As the machine judges it."""
        return covers(table, self.by, self.slot, self.scope, self.until)


@value
class Outlook:
    """The author's mails behind their first, each with what it is for, and whether dice fell."""

    costs: tuple[str, ...]
    has_dice: bool


def outlook(
    table: Table, author: str, given: Sequence[Plain], policies: Sequence[Spoken],
    bound: frozenset[tuple[str, int]],
) -> Outlook:  # fmt: skip
    """The dearest of a few ways in which the round may go on behind the author's mail.

    `given` are their orders that wait for their question, `policies` those of both players, the
    latest last; `bound` are the decks and epochs that are sealed already.
    """
    ways = [_Way(table, author, given, policies, bound, Fallen(*faces)) for faces in FALLS]
    for way in ways:
        way.go()
        if not way.has_dice:
            break  # the others are the same
    found = [Outlook(tuple(way.costs), way.has_dice) for way in ways]
    return max(found, key=lambda each: len(each.costs))


class _Way:
    """One way the round may go; `writes` has the pen, and reveals where a beacon is locked."""

    def __init__(
        self, table: Table, author: str, given: Sequence[Plain], policies: Sequence[Spoken],
        bound: frozenset[tuple[str, int]], dice: Fallen,
    ) -> None:  # fmt: skip
        self.table, self.author, self.dice = table, author, dice
        self.given, self.policies = list(given), list(policies)
        self.bound = set(bound)
        self.fixed: set[tuple[str, int]] = set()
        """What was bound before the open beacon was locked, and may be drawn from by it."""
        self.writes = author
        self.is_open = False
        self.unsealed: list[Spoken] = []
        self.spent: list[Spoken] = []
        self.reason = ""
        """What the other player was asked when they last wrote."""
        self.costs: list[str] = []
        self.has_dice = False

    def go(self) -> None:
        round_ = self.table.round()
        for _ in range(MOST_MOVES):
            waits = self.table.waits()
            if isinstance(waits, Finished) or self.table.round() != round_:
                return
            self._bind()
            if isinstance(waits, DiceWanted):
                self._roll()
            elif not self._answered(waits):
                return

    def _answered(self, waits: Asked) -> bool:
        """Whether the question found an answer; if not, the author has to think it over first."""
        if waits.tells:
            self._pass_to(waits.by, "the choice that you have sealed, which is told then")
            self.table = self.table.submit(self.table.default())
            return True
        if self.table.must_show():
            return self._show(waits.by)
        if waits.by == self.author and self._take():
            return True
        return self._by_policy(waits.by) or self._openly(waits.by)

    def _pass_to(self, player: str, why: str) -> None:
        if player != self.writes and player == self.author:
            self.costs.append(why)
        self.writes = player

    # --- beacons

    def _roll(self) -> None:
        self.has_dice = True
        if self.is_open and any(_name(each) not in self.fixed for each in self.table.laid()):
            self._close()
        theirs = other(self.writes)
        if any(each.by == theirs and _name(each) not in self.bound for each in self.table.laid()):
            self.reason = f"a new {self._words.pile} of the {self._side(theirs)} player"
            self._pass_to(theirs, self.reason)
            self._bind()
        self._unlock()
        self.table = self.table.roll(self.dice)

    def _bind(self) -> None:
        """Whoever writes seals their new piles at once."""
        self.bound |= {_name(each) for each in self.table.laid() if each.by == self.writes}

    def _unlock(self) -> None:
        """Whoever writes locks and reveals; the other's mail then begins with their value."""
        if not self.is_open:
            self.fixed = set(self.bound)
            self._pass_to(other(self.writes), self.reason)
        self.is_open = True

    def _close(self) -> None:
        """What was unsealed served the beacon, and is spent with it."""
        self.is_open = False
        self.spent += self.unsealed
        self.policies = [each for each in self.policies if each not in self.unsealed]
        self.unsealed = []

    # --- answers

    def _take(self) -> bool:
        """The author's next order that answers, looked for as the machine looks for it."""
        place = first_answer(self.table, self.given)
        if place is None:
            return False
        order = self.given[place]
        kept = [] if self.table.leads(order) else self.given[:place]
        self.given = [*kept, *self.given[place + 1 :]]
        # One that is not legal when its turn comes lapses.
        with suppress(OrderRefused):
            self.table = self.table.submit(order)
        return True

    def _by_policy(self, by: str) -> bool:
        for each in reversed(self.policies):
            if each.by == by and each.covers(self.table):
                break
        else:
            return False
        if each.doc is None and each not in self.unsealed:
            self._unlock()
            self._pass_to(by, f"your standing orders {each.slot}, which are still sealed")
            self.unsealed.append(each)
        policy = Policy(by, each.slot, each.scope, each.until, each.doc or {})
        try:
            if self.table.policy_shows(policy):
                self._pass_to(
                    by, f"the {self._words.piece}s that your standing orders {each.slot} play"
                )
            self.table = self.table.submit(self.table.policy_answer(policy))
        except Exception:  # as in the machine: it says nothing, and is asked no more
            self.policies.remove(each)
        return True

    def _openly(self, by: str) -> bool:
        decision = self.table.decision
        assert decision is not None
        if by == self.author == self.writes and not self.costs:
            return False
        self._close()
        if by == self.author:
            self._pass_to(by, self.table.system.advice.left_open(self.table.state, decision))
        else:
            self.writes, self.reason = by, self._asked(decision)
        try:
            self.table = self.table.take(decision.default)
        except Illegal:  # it takes a card this view does not know: for the count any will do
            cards = [card for each in self.table.laid() if each.by == by for card in each.cards]
            knowing, _ = self.table.supposing(by, cards)
            assert knowing.decision is not None
            self.table = knowing.take(knowing.decision.default)
        return True

    def _show(self, by: str) -> bool:
        """The owner opens the cards; for the count any of the deck will do."""
        if by == self.author:
            return False
        self.writes, self.reason = (
            by,
            f"{self._words.piece}s of the {self._side(by)} player, which you see",
        )
        known = set(self.table.known().values())
        epochs = {f"{each.deck}/{each.epoch}": each.cards for each in self.table.laid()}
        cards = {name: [card for card in epochs[name] if card not in known] for name in epochs}
        slots = self.table.must_show()
        self.table = self.table.learn(
            {slot: cards[slot.rpartition("/")[0]].pop() for slot in slots}
        )
        return True

    def _asked(self, decision: Decision) -> str:
        had = any(each.covers(self.table) for each in self.spent)
        why = "their standing orders are used up" if had else "they have no standing orders for it"
        return f"the {decision.side} player, asked to {decision.prompt} ({why})"

    def _side(self, player: str) -> str:
        return self.table.seats[player]

    @property
    def _words(self) -> Words:
        return self.table.system.words


def _name(laid: Laid) -> tuple[str, int]:
    return laid.deck, laid.epoch
