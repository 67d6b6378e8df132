"""Table: a game system as the fair-play protocol sees it (gamefile.in_play.GameInPlay)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from pbem.engine import kernel
from pbem.engine.clock import Clock
from pbem.engine.codec import Misfit, from_plain, to_plain
from pbem.engine.dice import Dice
from pbem.engine.kernel import Progress
from pbem.engine.model import Decision, Order, Side, State, Violation
from pbem.engine.pieces import NO_PIECES, SaidOf
from pbem.gamefile.canonical import encoded
from pbem.gamefile.cards import slot_parts
from pbem.gamefile.in_play import (
    WHEN,
    Asked,
    DiceWanted,
    Finished,
    GameInPlay,
    Laid,
    OrderRefused,
    Policy,
    ReadOrder,
    verb_of,
)
from pbem.games.system import GameSystem
from pbem.late import Late
from pbem.messages import Said, say
from pbem.play.reports import nothing, reported
from pbem.play.systems import SHIPPED, Library
from pbem.problems import Problem
from pbem.value import replace, value

if TYPE_CHECKING:
    from pbem.engine.policies import answering, scopes, sealing
    from pbem.orders.fields import Names
else:
    answering = Late("pbem.engine.policies.answering")
    scopes = Late("pbem.engine.policies.scopes")
    sealing = Late("pbem.engine.policies.sealing")


class Illegal(OrderRefused):
    """An order against the rules: the violations, with their paths inside the order."""

    def __init__(self, violations: tuple[Violation, ...]) -> None:
        super().__init__(*(as_problem(violation) for violation in violations))
        self.violations = violations


def as_problem(violation: Violation) -> Problem:
    """A violation without a place in a file."""
    return Problem("illegal-order", violation.message, rule=violation.rule, hint=violation.hint)


def as_read(order: Order, plain: Mapping[str, Any]) -> ReadOrder:
    """An order with its plain form, as it is read from a file."""
    return ReadOrder(plain, order, order.role == "lead", order.ends, order.secret)


def spelled(order: Order, when: Any = None) -> ReadOrder:
    """An order as it is read from a file to which it was written, with what it waits for."""
    plain = {order.verb: to_plain(order)}
    return as_read(order, plain if when is None else {**plain, WHEN: when})


def _carried_out(orders: Iterable[ReadOrder]) -> list[Order]:
    """What orders mean, but for those that end a part and wait for something: it may go on behind
    them.
    """
    return [each.meant for each in orders if not (each.only_ends and WHEN in each.plain)]


@value
class Table:
    """A game in progress, with the result of its last move (`told`). Immutable."""

    system: GameSystem
    seats: Mapping[str, Side]
    """The side each player (A, B) has."""
    state: State[Any]
    told: kernel.Progress | None = None
    library: Library = SHIPPED
    """Where the data are searched that the players may agree to continue with."""

    def __getstate__(self) -> dict[str, Any]:
        """The state without the result of the last move, which is reported only once."""
        return {
            "system": self.system, "seats": self.seats, "state": self.state, "told": None,
            "library": self.library,
        }  # fmt: skip

    @cached_property
    def clock(self) -> Clock:
        """The turn and phase of the game."""
        return self.system.clock(self.state.position)

    @cached_property
    def decision(self) -> Decision | None:
        """The question now asked, if one is."""
        needed = kernel.waits_for(self.state)
        return needed if isinstance(needed, Decision) else None

    def declining(self) -> Order | None:
        """The order that declines the question now asked, if it may be written in advance."""
        decision = self.decision
        if decision is None:
            return None
        advice = self.system.advice
        order = reported(advice.closing, self.state, decision, failing=nothing)
        return order if order is not None and decision.takes(order) else None

    def player_of(self, side: Side) -> str:
        """The player, A or B, who has the side."""
        for player, seat in self.seats.items():
            if seat == side:
                return player
        raise KeyError(side)

    def names_of(self, player: str, kind: type[Order]) -> Names:
        """The names that an order of a kind may use now."""
        decision, side = self.decision, self.seats[player]
        answering = (
            decision is not None
            and self.player_of(decision.side) == player
            and any(option.order is kind for option in decision.options)
        )
        return self.system.names(self.state, side, kind, answering=answering)

    def waits(self) -> Asked | DiceWanted | Finished:
        needed = kernel.waits_for(self.state)
        if needed is None:
            return Finished(self._result())
        if isinstance(needed, Decision):
            return Asked(
                self.player_of(needed.side), needed.stage, self._kind(needed), needed.secret,
                needed.tells, needed.list, needed.tells_items, needed.only_shows, needed.goes_on,
                self._room(needed.longest), needed.only_says,
            )  # fmt: skip
        return DiceWanted(needed.stage)

    def _kind(self, decision: Decision) -> str:
        """The kind of step that an answer is written as."""
        roles = {option.order.role for option in decision.options}
        if "choice" in roles:
            return "post_choice"
        return "react" if "reaction" in roles else "orders"

    def _room(self, longest: Order | None) -> int:
        """The bytes that an order takes in a file."""
        return 0 if longest is None else len(encoded({longest.verb: to_plain(longest)}))

    def _result(self) -> dict[str, Any]:
        result = self.system.result(self.state.position)
        assert result is not None, "the game is over without a result"
        winner = self.player_of(result.winner) if result.winner else None
        return {"winner": winner, "how": result.reason, "score": result.score}

    def round(self) -> str:
        return self.clock.span

    def answers(self, order: ReadOrder) -> bool:
        decision = self.decision
        return decision is not None and decision.takes(order.meant)

    def holds(self, order: ReadOrder) -> bool:
        return self.system.waiting.holds(self.state.position, order.plain[WHEN])

    def outlives(self, before: GameInPlay, order: ReadOrder) -> bool:
        assert isinstance(before, Table)
        positions = before.state.position, self.state.position
        return self.system.waiting.outlives(*positions, order.meant, waits=WHEN in order.plain)

    def doubts(self, order: ReadOrder) -> tuple[Problem, ...]:
        found = self.system.hidden.doubts(self.state, self._by_present_names(order.meant))
        return tuple(map(as_problem, found))

    def submit(self, order: ReadOrder) -> Table:
        tried, meant = self.__dict__.get("tried"), order.meant
        if self.system.pieces is not NO_PIECES:
            meant = self._by_present_names(meant)
        if tried is not None and tried[0] == meant:
            after: Table = tried[1]
            return after
        return self._led_to(meant)

    def _by_present_names(self, order: Order) -> Order:
        return self.system.pieces.meant(self.state.position, order)

    def allows(self, order: ReadOrder) -> bool:
        meant = order.meant
        if self.system.pieces is not NO_PIECES:  # it saves asking for each order of a file
            meant = self._by_present_names(meant)
        return kernel.keeps_the_rules(self.state, meant)

    def read(self, order: Mapping[str, Any]) -> ReadOrder:
        typed = self.typed(order)
        if WHEN in order:
            faults = self.system.waiting.misfits(self.state.position, order[WHEN])
            if faults:
                raise Illegal(tuple(replace(each, at=(WHEN, *each.at)) for each in faults))
        return as_read(typed, order)

    def typed(self, order: Mapping[str, Any]) -> Order:
        """A plain order with its type; raises Illegal when it is no order of this game."""
        kind = self.system.verbs.get(verb_of(order))
        if kind is None or len(order) - (WHEN in order) != 1:
            raise Illegal(
                (
                    Violation(
                        say(
                            "no order of this game is called {verb_of}",
                            verb_of=repr(verb_of(order)),
                        )
                    ),
                )
            )
        try:
            return from_plain(kind, order[kind.verb])
        except Misfit as misfit:
            raise Illegal((Violation(misfit.message, misfit.path),)) from None

    def take(self, order: Order) -> Table:
        """The table after an order; raises Illegal with every violation.

        The table keeps the result of the last order that was tried on it: an order that was read
        from a file and tried is submitted next, and its rules are not computed again.
        """
        order = self._by_present_names(order)
        tried = self.__dict__.get("tried")
        if tried is None or tried[0] != order:
            tried = self.__dict__["tried"] = order, self._led_to(order)
        after: Table = tried[1]
        return after

    def once_told(self, side: Side) -> Table:
        """The table once a side has told what is due of its lists, and said what has to be said;
        its program does both, without an order.
        """
        asked = self.decision
        if asked is None or asked.side != side or not (asked.tells_items or asked.only_says):
            return self
        return self.take(asked.default).once_told(side)

    def _led_to(self, order: Order) -> Table:
        try:
            return self._after(kernel.submit(self.state, order))
        except kernel.OrderRejected as rejected:
            raise Illegal(self._explained(order, rejected.violations)) from None

    def against(self, order: Order) -> tuple[Violation, ...]:
        """What an order breaks now; unlike `take` it does not carry out a legal one."""
        return kernel.violations(self.state, self._by_present_names(order))

    def seal(self, entry: int) -> Table:
        return self._after(kernel.seal(self.state, entry))

    def listed(self, order: ReadOrder) -> tuple[Any, ...]:
        assert self.decision is not None
        return self.system.pieces.listed(self.state, self.decision.side, order.meant)

    def default(self) -> ReadOrder:
        assert self.decision is not None
        return spelled(self.decision.default)

    def _explained(self, order: Order, found: tuple[Violation, ...]) -> tuple[Violation, ...]:
        """The rule that says why this order is not asked for, if there is one."""
        decision = self.decision
        if decision is None or decision.takes(order) or len(found) != 1 or found[0].at:
            return found
        why = reported(self.system.advice.why_not_now, self.state, order, failing=nothing)
        if why is None:
            return found
        (asked,) = found
        message = say("{verb} cannot be given now: {why}", verb=repr(order.verb), why=why.message)
        hint = say("the game asks you to {prompt}; {hint}", prompt=decision.prompt, hint=asked.hint)
        return (replace(asked, message=message, rule=why.rule, hint=hint),)

    def roll(self, dice: Dice) -> Table:
        return self._after(kernel.roll(self.state, dice))

    def _after(self, advance: kernel.Progress) -> Table:
        return Table(self.system, self.seats, advance.state, advance, self.library)

    def upgraded(self, terms: Mapping[str, Any]) -> Table:
        from pbem.play.upgrade import carried_over

        return carried_over(
            self.system, self.state, terms, self.library,
            lambda system, state: Table(system, self.seats, state, library=self.library),
        )  # fmt: skip

    # --- hidden cards

    def laid(self) -> tuple[Laid, ...]:
        return self._laid

    @cached_property
    def _laid(self) -> tuple[Laid, ...]:
        position, counters = self.state.position, self.system.pieces
        laid = self.system.hidden.laid(position)
        if counters is NO_PIECES:
            return tuple(
                [
                    Laid(deck, self.player_of(side), epoch, cards)
                    for deck, side, epoch, cards in laid
                ]
            )
        pieces, groups = counters.decks(position), counters.groups(position)
        return tuple(
            Laid(
                deck, self.player_of(side), epoch, cards, groups.get(f"{deck}/{epoch}", ()),
                deck in pieces,
            )
            for deck, side, epoch, cards in laid
        )  # fmt: skip

    def hand(self, player: str) -> tuple[str, ...]:
        return self.system.hidden.hand(self.state.position, self.seats[player])

    def looks_at(self, player: str) -> tuple[str, ...]:
        return self.system.hidden.looks_at(self.state, self.seats[player])

    def known(self) -> Mapping[str, str]:
        return self.system.hidden.known(self.state.position)

    def renumbered(self, used: Mapping[str, int]) -> Table:
        position = self.system.hidden.renumbered(self.state.position, used)
        return replace(self, state=replace(self.state, position=position))

    def renewed(self, player: str) -> Table:
        events, agenda = self.system.hidden.renewed(self.state, self.seats[player])
        return self._after(kernel.learn(replace(self.state, agenda=agenda), events))

    def learn(self, cards: Mapping[str, str]) -> Table:
        openings = self.system.hidden.openings(self.state.position, cards)
        return self._after(kernel.learn(self.state, openings))

    def informed(self, cards: Mapping[str, str]) -> Table:
        """The table with these cards known; the last one is kept, because a mail asks for it
        several times.
        """
        if not cards:
            return self
        seen = self.__dict__.get("seen")
        if seen is None or seen[0] != cards:
            position = self.system.hidden.informed(self.state.position, cards)
            seen = cards, replace(self, state=replace(self.state, position=position))
            self.__dict__["seen"] = seen
        knowing: Table = seen[1]
        return knowing

    def hides_hand(self, player: str) -> bool:
        """Whether the player's hand has cards that the other player does not know."""
        known = self.known()
        return any(slot not in known for slot in self.hand(player))

    def supposing(self, player: str, cards: Sequence[str]) -> tuple[Table, tuple[str, ...]]:
        """The table as if the player's hand held these cards, as far as possible; and which of
        them.
        """
        side = self.seats[player]
        supposed = self.system.hidden.supposed(self.state.position, side, cards)
        return self.informed(supposed), tuple(supposed.values())

    def shows(self, by: str, order: ReadOrder, before: Sequence[ReadOrder] = ()) -> tuple[str, ...]:
        meant, others = self._by_present_names(order.meant), _carried_out(before)
        when = order.plain.get(WHEN)
        return self.system.hidden.shows(self.state, self.seats[by], meant, others, when)

    def worded(self, by: str, order: ReadOrder, given: Sequence[ReadOrder] = ()) -> ReadOrder:
        if not self.state.agenda:
            return order
        others = _carried_out(given)
        side, when = self.seats[by], order.plain.get(WHEN)
        written = self.system.hidden.worded(self.state, side, order.meant, others, when)
        if written is order.meant:
            return order
        return spelled(written, order.plain.get(WHEN))

    def must_show(self) -> tuple[str, ...]:
        return self.system.hidden.must_show(self.state)

    def misfit(self, slot: str, card: str) -> Said:
        return self.system.pieces.misfit(self.state, slot, card)

    def called(self, slot: str) -> Said:
        """A counter by the name that the game's players have for it at this table, all else by what
        it is.
        """
        if found := self.counter(slot):
            return found
        deck, number, place = slot_parts(slot)
        if all(deck != each.deck for each in self.laid()):
            return say("item {place} of the list {name}", place=place, name=deck)
        return say("a {piece} of deck {deck}/{number}", piece=say(self.system.words.piece),
                   deck=deck, number=number)  # fmt: skip

    def counter(self, slot: str) -> Said:
        """What players call the counter in a slot; empty where they have no name for it."""
        names = self.system.names(self.state, self.seats["A"], None, answering=False)
        found = (names.told(kind, slot) for kind in names.printed)
        return next((name for name in found if name != slot), "")

    def may_hide_counters(self) -> bool:
        return self.system.pieces is not NO_PIECES

    def owes(self, player: str) -> tuple[str, ...]:
        return self.system.pieces.owes(self.state, self.seats[player])

    def said(self, player: str) -> tuple[SaidOf, ...]:
        """What a player has said of counters that still lie face down."""
        return self.system.pieces.said(self.state.position, self.seats[player])

    def said_with(self, read: ReadOrder) -> tuple[Said, ...]:
        """What an order says openly of counters face down, in words."""
        return self.system.pieces.said_with(self.state.position, read.meant)

    # --- standing orders

    def covers(
        self, by: str, slot: str, scope: Mapping[str, Any] | None, until: str | None
    ) -> bool:
        decision = self.decision
        if decision is None or not decision.policy or self.player_of(decision.side) != by:
            return False
        if decision.secret or decision.tells:
            return False  # the document would have to be opened before both have chosen
        return scopes.covers(self.system.policies, self.state, decision, slot, scope, until)

    def check_policy(
        self, by: str, slot: str, scope: Mapping[str, Any] | None, until: str | None,
        doc: Mapping[str, Any] | None,
    ) -> None:  # fmt: skip
        faults = sealing.misfits(
            self.system.policies, self.state.position, self.seats[by], slot, scope, until, doc
        )
        if faults:
            raise Illegal(faults)

    def policy_shows(self, policy: Policy) -> tuple[str, ...]:
        assert self.decision is not None
        return answering.shows(self.system.policies, self.state, self.decision, policy.doc)

    def policy_answer(self, policy: Policy) -> ReadOrder | None:
        assert self.decision is not None
        order = answering.answer(self.system.policies, self.state, self.decision, policy.doc)
        return None if order is None else spelled(order)

    def policy_left_out(self, policy: Policy) -> tuple[Said, ...]:
        """What a policy that answers the present question says and cannot do, and why."""
        assert self.decision is not None
        return answering.left_out(self.system.policies, self.state, self.decision, policy.doc)

    def public(self) -> Mapping[str, Any]:
        return self.system.public(self.state.position)


def open_table(system: GameSystem, scenario: str, options: frozenset[str],
               seats: Mapping[str, Side]) -> Table:  # fmt: skip
    """The table of a new game, settled up to its first decision or roll."""
    advance = begun(system, scenario, options)  # equal to itself alone
    return Table(system, seats, advance.state, advance)


@lru_cache(maxsize=16)
def begun(system: GameSystem, scenario: str, options: frozenset[str]) -> Progress:
    """The state a new game reaches automatically. A file sets it up twice, proposed and started."""
    return kernel.begin(system.setup(scenario, options))
