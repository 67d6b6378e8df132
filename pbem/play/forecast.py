"""How many mails a round will cost, and what would save one.

A player never sees a die in the mail in which they order it. Beyond that, each question that could
have been answered in advance costs two mails: one to ask and one to answer. So the rest of the
round is played on with made-up dice, to count who would have to write. None of it is sure to
happen. It needs no key: a beacon is two mails and a face, and a document that is still sealed
counts as an empty one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine.dice import Draw, Roll
from pbem.engine.model import Decision
from pbem.engine.words import Words
from pbem.gamefile.advance import answer_by, carry_out, chose, move
from pbem.gamefile.beacons import DiceRecord
from pbem.gamefile.in_play import PLAYERS, Asked, DiceWanted, ReadOrder, other
from pbem.gamefile.kept import ChainPlace, Given, StandingPolicy
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.machine import Machine
from pbem.gamefile.pending import covers
from pbem.messages import Message, Said, indented, say, words
from pbem.orders.written import order_line
from pbem.play.game import Game
from pbem.play.player_view import in_force
from pbem.play.prepare import Prepared
from pbem.play.table import Illegal, Table
from pbem.value import replace, value

Plain = Mapping[str, Any]
USUAL_SLOT = "standing"
"""The slot of standing orders that name none: readers need not see it."""
SEALED = "sealed"
"""The commitments of a forecast: nobody reads them."""
MOST_MOVES = 1000
"""The most moves of the rest of a round; the forecast stops there and reports what it found."""
FALLS = ((6, 6), (6, 1), (3, 1))
"""How the dice may fall, the first of each roll and the others.

In 57 rounds of random games these three found the same as all thirty-six.
"""


@value
class Forecast:
    """The number of mails of the player and the opponent, as far as it is certain before the dice.

    `costs` are the questions that cost two mails each, with what would save them.
    """

    costs: tuple[Said, ...]
    span: str

    @property
    def count(self) -> int:
        """The number of mails of both players."""
        return 1 + 2 * len(self.costs)

    def sentences(self) -> tuple[Said, ...]:
        """For people: the number, and what each pair of mails is for."""
        if not self.costs:
            return (say("mails: one for this {span}, if all goes as written", span=say(self.span)),)
        return (
            say("mails: about {count} for this {span}, of both players, two for each of these:",
                count=self.count, span=say(self.span)),
            *map(indented, self.costs),
        )  # fmt: skip

    def plain(self) -> dict[str, Any]:
        """For `pbem check --json`."""
        return {"count": self.count, "costs": list(map(words, self.costs))}


def forecast(game: Game, key: KeyPair | None, prepared: Prepared) -> Forecast | None:
    """The mails that orders will cost their author: the owner of the key, or the player asked now.

    None in a solo game, for mere answers, and if no dice are ordered and nobody is asked.
    """
    leads = any(each.leads for each in prepared.read)
    if game.fold.is_solo or not leads:
        return None
    player = game.fold.player_of(key.public) if key else game.fold.pen or "A"
    if not _is_theirs(prepared.table, player):
        return None
    given = prepared.read[len(prepared.read) - prepared.ahead :]
    return _foretold(machine_with(game, player, prepared), prepared.table, player, given)


def machine_with(game: Game, player: str, prepared: Prepared) -> Machine:
    """The machine where the orders that could be tried have been carried out."""
    machine = prepared.draft.machine if prepared.draft else game.fold.machine
    return _with_policies(machine.at(prepared.table), player, prepared.policies)


def present_forecast(game: Game, player: str) -> Forecast | None:
    """The forecast for the orders a player has just sent; None if the last mail is not theirs."""
    fold, table, last = game.fold, game.table, game.fold.entries[-1]
    if fold.is_solo or table is None or last.by != player or not _is_theirs(table, player):
        return None
    if not any(step["do"] == "orders" for step in last.steps):
        return None
    return _foretold(fold.machine, table, player, [each.read for each in fold.given(player)])


def _is_theirs(table: Table, player: str) -> bool:
    """Whether the round, or the part after its last one, is still this player's."""
    return table.clock.owner == table.seats[player]


def _with_policies(machine: Machine, player: str, said: Sequence[Plain]) -> Machine:
    """The machine with standing orders that go with the player's orders."""
    policies = list(machine.pending.policies)
    for part in said:
        is_open = part["doc"] is None or part.get("clear")
        policies.append(
            StandingPolicy(
                player, part["slot"], part["scope"], part["until"],
                part["doc"] if is_open else None, machine.place(),
                max(machine.beacons.revealed.values()), None if is_open else SEALED,
            )
        )  # fmt: skip
    return machine.put(policies=tuple(policies))


def _foretold(
    machine: Machine, table: Table, player: str, given: Sequence[ReadOrder]
) -> Forecast | None:
    found = outlook(machine, player, given)
    return Forecast(found.costs, table.system.words.span) if found.has_dice or found.costs else None


def standing_advice(game: Game, player: str) -> tuple[Message, ...]:
    """Advice to a player about standing orders, their own and their opponent's."""
    system = game.opened.system
    if game.fold.is_solo or game.fold.phase != "running" or not system.policies.rows:
        return ()
    found = []
    other = next(seat for seat in game.seats if seat != player)
    slots = sorted({each.slot for each in in_force(game, other)})
    if slots:
        theirs, named = game.called(other), tuple(slot for slot in slots if slot != USUAL_SLOT)
        found.append(
            say("{player} has standing orders in force, {slots} among them", player=theirs,
                slots=named)
            if named
            else say("{player} has standing orders in force", player=theirs)
        )  # fmt: skip
    if not in_force(game, player) and game.filed.fold.policies(player):
        found.append(say(
            "your standing orders end with your next mail: without new ones each question to you "
            "in the next {span} of your opponent costs two more mails",
            span=say(system.words.span),
        ))  # fmt: skip
    elif not in_force(game, player):
        found.append(say(
            "you have no standing orders in force: each question to you in the {span} of your "
            "opponent costs two more mails (the form for your own {span} shows how to write them)",
            span=say(system.words.span),
        ))  # fmt: skip
    return tuple(found)


# --- the rest of the round, played on -------------------------------------------------------------


@value
class MadeUpDice:
    """Made-up dice: the first of each roll shows one face, the others another."""

    first: int
    rest: int
    number: int
    records: tuple[DiceRecord, ...] = ()

    def again(self) -> MadeUpDice:
        return self

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
        return {draw.label: self._one(draw, place) for place, draw in enumerate(draws)}

    def _one(self, draw: Draw, place: int) -> Roll:
        if draw.is_sample:
            return Roll(draw.label, draw.purpose, picked=tuple(range(draw.take)))
        face = min(self.rest if place else self.first, draw.faces)
        return Roll(draw.label, draw.purpose, face=face)


@value
class Outlook:
    """The author's mails after the first, each with its purpose, and whether dice were rolled."""

    costs: tuple[Said, ...]
    has_dice: bool


def outlook(machine: Machine, author: str, given: Sequence[ReadOrder]) -> Outlook:
    """The most expensive of a few ways in which the round may go on after the author's mail.

    `given` are their orders that wait for their question.
    """
    ways = [Way(machine, author, given, faces) for faces in FALLS]
    for way in ways:
        way.go()
        if not way.has_dice:
            break  # the others are the same
    found = [Outlook(tuple(way.costs), way.has_dice) for way in ways]
    return max(found, key=lambda each: len(each.costs))


class Way:
    """One way the round may go: the fold does what follows by itself; what players write is made
    up.

    `writes` has the pen, and reveals where a beacon is locked.
    """

    def __init__(
        self, machine: Machine, author: str, given: Sequence[ReadOrder], faces: tuple[int, int]
    ) -> None:
        self.machine = _supposed(machine, author, given)
        self.author, self.faces = author, faces
        self.writes = author
        self.unsealed: list[StandingPolicy] = []
        self.reason: Said = ""
        """What the other player was asked when they last wrote."""
        self.costs: list[Said] = []
        self.has_dice = False

    @property
    def table(self) -> Table:
        """The game as it is by now."""
        table = self.machine.table
        assert isinstance(table, Table)
        return table

    def go(self) -> None:
        """Plays on to the end of the round, or to what the author must decide first."""
        round_ = self.table.round()
        for _ in range(MOST_MOVES):
            if self.machine.terms.phase == "over" or self.table.round() != round_:
                return
            self._bind()
            if (decision := self.table.decision) is not None and self._is_in_the_head(decision):
                self.machine = self.machine.at(self.table.take(decision.default))
                continue
            self.has_dice |= isinstance(self.machine.waits, DiceWanted)
            self.machine, goes_on = move(self.machine)
            if not goes_on and not self._written():
                return

    def _is_in_the_head(self, decision: Decision) -> bool:
        """Whether it is answered by what its player's program says or tells before anything else in
        whatever they write, or with the order that uses it: the dice go on.
        """
        is_author = decision.side == self.table.seats[self.author]
        tells = bool(decision.tells_items) and (decision.only_shows or is_author)
        return decision.only_says or tells

    def _written(self) -> bool:
        """Whether a player writes what they owe; if not, they must decide something first."""
        halt, waits = self.machine.pending.halt, self.machine.waits
        if self.machine.beacons.locked is not None:
            self._reveal(self.machine.beacons.locked)
        elif self.machine.is_before_roll:
            self._seal_piles()
        elif halt is not None:
            self._obey(halt)
        elif isinstance(waits, Asked) and waits.tells:
            self._pass_to(waits.by, say("the choice that you sealed, which is then shown"))
            self.machine = carry_out(self.machine, waits, None, None)
        elif isinstance(waits, Asked):
            return self._show(waits.by) if self.table.must_show() else self._openly(waits.by)
        return True

    def _pass_to(self, player: str, why: Said) -> None:
        if player != self.writes and player == self.author:
            self.costs.append(why)
        self.writes = player

    # --- beacons

    def _bind(self) -> None:
        """The writer seals their new piles at once; new chains cost no mail."""
        machine = self.machine
        for player in PLAYERS:
            if machine.lacks_anchor(player):
                anchors = machine.beacons.anchors
                machine = machine.put(anchors={**anchors, player: (*anchors[player], SEALED)})
        if machine.beacons.locked is None:
            for laid in machine.lacks_decks(self.writes):
                decks = machine.hidden.decks.bind(machine.epoch_to_bind(laid), SEALED)
                machine = machine.put(decks=decks)
        self.machine = machine

    def _seal_piles(self) -> None:
        """The beacon cannot be locked before the other player has sealed theirs."""
        theirs = other(self.writes)
        self.reason = say(
            "a new {pile} of the {side} player", pile=say(self._words.pile), side=self._side(theirs)
        )
        self._pass_to(theirs, self.reason)

    def _reveal(self, number: int) -> None:
        """The writer locks and reveals; the other player's mail then begins with their value."""
        self._pass_to(other(self.writes), self.reason)
        dice = MadeUpDice(*self.faces, number)
        self.machine = self.machine.put(
            locked=None, revealed=dict.fromkeys(PLAYERS, number), dice=dice
        )

    # --- answers

    def _obey(self, halt: StandingPolicy) -> None:
        """Sealed orders are opened, and count as empty; or the cards that open orders play."""
        machine = self.machine
        if halt.doc is None:
            self._pass_to(halt.by, self._sealed(halt.slot))
            shown = replace(halt, doc={})
            self.unsealed.append(shown)
            policies = (shown if each is halt else each for each in machine.pending.policies)
            self.machine = machine.put(policies=tuple(policies))
        else:
            played = say(
                "the {pieces} that {orders} play",
                pieces=say(self._words.pieces), orders=_standing(halt.slot),
            )  # fmt: skip
            self._pass_to(halt.by, played)
            self.machine, _ = answer_by(machine.put(halt=None), halt)

    def _sealed(self, slot: str) -> Said:
        """Why sealed orders are opened; and the order that, written in advance, keeps them shut."""
        told = say("{orders}, which are sealed until then", orders=_standing(slot))
        declining = self.table.declining()
        if declining is None:
            return told
        return say("{told}; '- {order}' below your orders saves both mails", told=told,
                   order=order_line(declining))  # fmt: skip

    def _openly(self, by: str) -> bool:
        decision = self.table.decision
        assert decision is not None
        if self._is_left_to_author(by, decision):
            return False
        if by == self.author:
            self._pass_to(by, self.table.system.advice.left_open(self.table.state, decision))
        else:
            self.writes, self.reason = by, self._asked(decision)
        try:
            after = self.table.take(decision.default)
        except Illegal:  # it takes a card this view does not know: for the count any will do
            cards = [card for each in self.table.laid() if each.by == by for card in each.cards]
            knowing, _ = self.table.supposing(by, cards)
            assert knowing.decision is not None
            after = knowing.take(knowing.decision.default)
        self.machine = chose(self.machine, by, after)
        return True

    def _is_left_to_author(self, by: str, decision: Decision) -> bool:
        """Whether they answer it in the same mail, and what follows depends on how."""
        is_fixed = bool(decision.tells_items) or decision.only_says
        is_theirs = by == self.author == self.writes
        return is_theirs and not (self.costs or decision.optional or is_fixed)

    def _show(self, by: str) -> bool:
        """The owner opens the cards; any of the deck will do for the count."""
        if by == self.author:
            return False
        self.writes, self.reason = (
            by,
            say(
                "{pieces} of the {side} player, which are shown to you",
                pieces=say(self._words.pieces),
                side=self._side(by),
            ),
        )
        known = set(self.table.known().values())
        epochs = {f"{each.deck}/{each.epoch}": each.cards for each in self.table.laid()}
        cards = {name: [card for card in epochs[name] if card not in known] for name in epochs}
        for slot in self.table.must_show():
            left = cards[slot.rpartition("/")[0]]
            fits = [card for card in left if not self.table.misfit(slot, card)]
            if not fits:
                return False
            left.remove(fits[-1])
            self.machine = self.machine.at(self.table.learn({slot: fits[-1]}))
        return True

    def _asked(self, decision: Decision) -> Said:
        if decision.tells_items or decision.only_says:  # which no standing orders could answer
            side = say(self._words.of_side(decision.side))
            return say("the {side} player, asked to {prompt}", side=side, prompt=decision.prompt)
        spent = [each for each in self.unsealed if each not in self.machine.pending.policies]
        had = any(covers(self.table, each.by, each.slot, each.scope, each.until) for each in spent)
        told = say(
            "the {side} player, asked to {prompt} (their standing orders are used up)"
            if had
            else "the {side} player, asked to {prompt} (they have no standing orders for this)",
            side=say(self._words.of_side(decision.side)), prompt=decision.prompt,
        )  # fmt: skip
        later = self.machine.pending.given.get(self.author, ())
        if all(each.read.only_ends for each in later):
            return told
        return say("{asked}; they read your later orders before they answer", asked=told)

    def _side(self, player: str) -> Said:
        return say(self._words.of_side(self.table.seats[player]))

    @property
    def _words(self) -> Words:
        return self.table.system.words


def _supposed(machine: Machine, author: str, given: Sequence[ReadOrder]) -> Machine:
    """The machine as a forecast begins: no beacon is locked or open, and nothing is offered.

    Both seats are played as if by one person, so that a secret choice is answered like any other.
    """
    proposal = machine.terms.proposal
    options = {**proposal["options"], "solo": True}
    # None is of the entry under way: one that is not legal when its turn comes lapses.
    items = tuple(
        Given(order, "orders", ChainPlace(-1, 0, at), 0) for at, order in enumerate(given)
    )
    return machine.put(
        proposal={**proposal, "options": options}, offers=(), halt=None, locked=None, dice=None,
        given={author: items, other(author): ()},
    )  # fmt: skip


def _standing(slot: str) -> Said:
    """A standing order with its slot, if the slot says more than "standing orders"."""
    if slot == USUAL_SLOT:
        return say("your standing orders")
    return say("your standing orders for {slot}", slot=slot)
