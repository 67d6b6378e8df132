"""From an orders file to what is sent: names bound, parts of the round closed, problems placed.

The whole file is read before the first order is tried. Then each order is tried on the table as it
will be by then, up to the first roll or the first question to the other player; orders after that
are sent ahead and checked when their turn comes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from pbem.engine.kernel import not_asked, too_late_for, violations
from pbem.engine.model import Decision, Order, Side
from pbem.engine.words import Words
from pbem.gamefile import limits
from pbem.gamefile.draft import Draft
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.format import lines
from pbem.gamefile.in_play import ReadOrder
from pbem.gamefile.pending import holds
from pbem.late import Late
from pbem.messages import Message, Said, marked, say
from pbem.orders.bind import bind, by_place, unknown_names
from pbem.orders.fields import NONE, Names
from pbem.orders.parse import OrdersFile, WrittenOrder
from pbem.orders.spelling import spelt_decision, unspelt
from pbem.play.reports import alone, reported
from pbem.play.table import Illegal, Table, spelled
from pbem.problems import Problem, Refused, Span
from pbem.value import replace, value

if TYPE_CHECKING:
    from pbem.engine.policies import reading, sealing
else:
    reading = Late("pbem.engine.policies.reading")
    sealing = Late("pbem.engine.policies.sealing")

PASSED_OVER = say("the condition in `when` is not true now, so this order would lapse")
NEVER_AHEAD = say(
    "a secret choice is never given ahead: it is left out unless this mail comes to its question"
)
SEALED = marked("sealed, and checked when its turn comes: {order}")
TO_KEEP = marked("to keep it for later, put it below the orders for this {span}")


@value
class Tried:
    """An order of the file that was tried, or that comes after dice (`is_ahead`)."""

    where: str
    """Its place, for example "orders.yaml:3"."""
    table: Table
    """The table before the order; for one after dice, before the last that was tried."""
    order: Order
    is_ahead: bool = False
    is_passed_over: bool = False
    """Whether its condition is false."""
    waits: bool = False
    """Whether it waits for something, true now or not."""
    span: Span | None = None
    index: int = 0
    """Its place among the orders of the file."""


LONGEST_EXAMPLE = 180


def first_legal(table: Table, names: Names, kind: type[Order] | None = None) -> str:
    """An order that is legal now, in one line of a file; empty without a short one.

    `kind` is the only kind of order that will do, if it matters.
    """
    from pbem.orders.template import first_order  # most orders are answers

    decision = table.decision
    if decision is None:
        return ""
    if kind is not None:
        options = tuple(each for each in decision.options if each.order is kind)
        decision = replace(decision, options=options)
    written = reported(
        first_order,
        spelt_decision(decision, names),
        lambda each: not violations(table.state, unspelt(each, names)),
        failing=lambda line: "",
    )
    return written if len(written) <= LONGEST_EXAMPLE else ""


@value
class Prepared:
    """The result of preparing an orders file.

    `read` are the orders as the opponent's program will read them, with each `done` that closes a
    part of the round and was left out of the file (`closed` has their places). `ahead` is the
    number of orders after the point up to which the game could be tried. `table` is the table at
    that point.
    """

    read: tuple[ReadOrder, ...]
    policies: tuple[Mapping[str, Any], ...]
    closed: tuple[int, ...]
    ahead: int
    table: Table
    remarks: tuple[Said, ...] = ()
    """Remarks on legal orders, each with its place."""
    tried: tuple[Tried, ...] = ()
    notes: tuple[Said, ...] = ()
    """What goes with these orders without being in their file."""
    stated: tuple[Mapping[str, Any], ...] = ()
    """What of the standing orders beside these orders is said openly, unless nobody is there to
    hide from."""
    opened: tuple[str, ...] = ()
    """The slots of their hand that are opened before the orders."""
    sealed: tuple[tuple[Tried, ReadOrder], ...] = ()
    """Orders of the file that are not sent in clear but sealed, in `policies`."""
    draft: Draft | None = None
    """The entry with what their author owes first, if they must write."""

    @property
    def orders(self) -> tuple[Mapping[str, Any], ...]:
        """The orders as they are sent."""
        return tuple(each.plain for each in self.read)

    @property
    def side(self) -> Side | None:
        """The side of their author, if they must write."""
        return self.table.seats[self.draft.player] if self.draft else None


def remarks_at(where: str, told: Iterable[Said]) -> Iterator[Said]:
    """Remarks on the order at a place of the file, each with the place."""
    return (say("{place}: {remark}", place=where, remark=each) for each in told)


def added(prepared: Prepared, text: str) -> Message:
    """The sentence that orders which end part of a span were added; `text` has its gaps."""
    ends = sorted({f"'{next(iter(prepared.orders[at]))}'" for at in prepared.closed})
    return say(text, orders=tuple(ends), span=say(prepared.table.system.words.span))


def prepare(file: OrdersFile, table: Table, player: str, *, blind: bool = False) -> Prepared:
    """Prepares an orders file. Raises Refused with every problem of the file, each at its place.

    `blind`: the hand of the player is not known, so open choices in it cannot be listed.
    """
    names = table.system.names(table.state, table.seats[player], None, answering=False)
    if file.standing is not None:
        file = replace(file, standing=reading.bound(table.system.policies, names, file.standing))
    file = replace(file, orders=tuple(_bound(each, table, names) for each in file.orders))
    problems = [
        *unknown_names(file, names, partial(table.names_of, player)),
        *_policy_problems(file, table, player),
        *_waiting_problems(file, table, player),
    ]
    if problems:
        raise Refused(*problems, *_left_open(file))
    prepared = _Walk(file, table, player, blind).prepared()
    if problems := [*_beyond_limits(file, prepared, player)]:
        raise Refused(*problems)
    return prepared


def _beyond_limits(file: OrdersFile, prepared: Prepared, player: str) -> Iterator[Problem]:
    """What an entry with these orders would hold too much of, at its place in the file.

    Whoever reads the entry refuses it by the same limits, so nothing passes here that is refused
    when it is signed.
    """
    for part in prepared.policies:
        found = _over(limits.check_document, player, part["scope"], part["until"], part["doc"])
        yield from (replace(each, span=span_of_slot(file, part["slot"])) for each in found)
    for index, written in enumerate(file.orders):
        found = () if written.when is None else _over(limits.check_when, player, written.when)
        yield from (replace(each, span=file.when_span(index, (), is_key=True)) for each in found)
    orders = [each.plain for each in prepared.read]
    for each in _over(limits.check_orders, player, orders):
        yield replace(each, span=file.document.key_span(("orders",)))
    for each in _over(limits.check_words, player, lines(file.say)) if file.say else ():
        yield replace(each, span=file.document.key_span(("say",)))


def _over(check: Callable[..., None], *given: Any) -> tuple[Problem, ...]:
    try:
        check(*given)
    except FileRefused as refused:
        return refused.problems
    return ()


def span_of_slot(file: OrdersFile, slot: str) -> Span | None:
    """The place of the standing orders for a slot, or of all where they name none; None for a file
    without any.
    """
    if file.standing is None:
        return None
    for path in (("slots", slot), (slot,)):
        inner: Any = file.standing
        for key in path:
            inner = inner.get(key) if isinstance(inner, Mapping) else None
        if inner is not None:
            return file.standing_span(path, is_key=True)
    return file.standing_span(is_key=True)


def _left_open(file: OrdersFile) -> list[Problem]:
    """The choices still open, if the position has no decision that could list them."""
    indices = [index for index, written in enumerate(file.orders) if written.blanks]
    return [problem for index in indices for problem in _openings(file, index)]


def _openings(
    file: OrdersFile, index: int, decision: Decision | None = None, *, blind: Words | None = None
) -> tuple[Problem, ...]:
    from pbem.orders.openings import open_choices

    return open_choices(file, index, decision, blind=blind)


def _policy_problems(file: OrdersFile, table: Table, player: str) -> list[Problem]:
    if file.standing is None:
        return []
    side, policies = table.seats[player], table.system.policies
    return [
        Problem("illegal-policy", fault.message,
                file.standing_span(fault.at, is_key=fault.is_key), fault.rule, fault.hint)
        for fault in reading.faults(policies, table.state.position, side, file.standing)
    ]  # fmt: skip


def _bound(written: WrittenOrder, table: Table, names: Names) -> WrittenOrder:
    """An order with ids for the names in its `when`."""
    when = written.when
    if when is None:
        return written
    return replace(written, when=table.system.waiting.bound(names, when))


def _waiting_problems(file: OrdersFile, table: Table, player: str) -> Iterator[Problem]:
    """The faults in the conditions of orders that wait."""
    position, side = table.state.position, table.seats[player]
    for index, written in enumerate(file.orders):
        if written.when is None:
            continue
        if written.kind.secret:
            at = file.when_span(index, (), is_key=True)
            yield Problem(
                "illegal-order",
                say("a secret choice cannot wait for anything"),
                at,
                hint=say("leave `when` out"),
            )
            continue
        for fault in table.system.waiting.faults(position, side, written.when):
            at = file.when_span(index, fault.at, is_key=fault.is_key)
            yield Problem("illegal-order", fault.message, at, fault.rule, fault.hint)


@value
class _Walked:
    """An orders file as far as it was tried, and the table that this leads to."""

    table: Table
    read: tuple[ReadOrder, ...] = ()
    closed: tuple[int, ...] = ()
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Said, ...] = ()
    tried: tuple[Tried, ...] = ()
    last: tuple[Table, Order] | None = None
    """The table before the last order that was carried out, and that order."""
    is_stuck: bool = False
    """Whether an order was refused that answers a question which is asked once: what the next one
    answers is unknown, too.
    """

    @property
    def ahead(self) -> int:
        """The number of orders behind the point up to which the game could be tried."""
        return sum(each.is_ahead for each in self.tried)

    @property
    def is_round_over(self) -> bool:
        """Whether the last order ended the round, so nothing written ahead would be kept."""
        return self.last is not None and self.table.round() != self.last[0].round()

    def refused(self, *problems: Problem) -> _Walked:
        """The same with problems of an order."""
        return replace(self, problems=(*self.problems, *problems))

    def told(self, remarks: Iterable[Said]) -> _Walked:
        """The same with remarks on an order."""
        return replace(self, remarks=(*self.remarks, *remarks))

    def sent(self, read: ReadOrder, tried: Tried) -> _Walked:
        """The same with an order of the file that is sent."""
        return replace(self, read=(*self.read, read), tried=(*self.tried, tried))


@value
class _Walk:
    """Tries the orders of a file one after another, from where the table `begins`. Nothing is kept
    here: each function takes what was `walked` before, and most return what is walked after.
    """

    file: OrdersFile
    begins: Table
    player: str
    blind: bool

    def prepared(self) -> Prepared:
        """The whole file. Raises Refused with every problem of its orders."""
        walked = _Walked(self.begins)
        for index in range(len(self.file.orders)):
            walked = self._order(walked, index)
        if problems := walked.problems or tuple(self._answers_nothing(walked)):
            raise Refused(*problems)
        while self._is_asked_again(walked):
            walked = self._close(walked, len(self.file.orders) - 1)
        parts, stated = self._standing(walked)
        return Prepared(
            walked.read, parts, walked.closed, walked.ahead, walked.table, walked.remarks,
            walked.tried, stated=stated,
        )  # fmt: skip

    def _order(self, walked: _Walked, index: int) -> _Walked:
        """One more order of the file."""
        written = self.file.orders[index]
        kind = written.kind
        if any(each.blanks for each in self.file.orders[:index]):
            # A choice before it is open: nobody knows what this one answers.
            return walked.refused(*_openings(self.file, index)) if written.blanks else walked
        if written.blanks:
            return self._open(walked, index)
        if not walked.ahead and self._ends_with_secrets(walked):
            return walked if walked.problems else walked.refused(self._behind_secrets(index, kind))
        for _ in range(self._closings_before(walked, index)):
            walked = self._close(walked, index)
        try:
            order = bind(self.file, index, self._names(walked, kind))
        except Refused as refused:
            return walked.refused(*self._not_now(walked, index, kind) or refused.problems)
        if walked.ahead or not self._is_asked(walked) or self._is_for_later(walked, index, order):
            return self._for_later(walked, index, order)
        decision = walked.table.decision
        assert decision is not None
        if walked.problems and (walked.is_stuck or not decision.takes(order)):
            return walked  # most likely the trouble of an earlier order, not of this one
        read = self._read(index, order)
        tried = self._tried(index, walked.table, order)
        if not holds(walked.table, read):
            walked = self._remark(walked, index, [self._passed_over(walked, index, order)])
            return walked.sent(read, replace(tried, is_passed_over=True))
        try:
            after = self._take(walked, order)
        except Illegal as illegal:
            return self._refuse(walked, index, order, illegal)
        return self._advise(after.sent(read, tried), index, walked.table, order)

    def _for_later(self, walked: _Walked, index: int, order: Order) -> _Walked:
        """An order that nothing asks for now: it is sent ahead, or it comes too late."""
        is_kept = walked.ahead or self._is_kept(walked, index, order)
        late = None if is_kept else self._too_late(walked, index, order)
        if late is None:
            return self._ahead(walked, index, order)
        if order.ends and index == len(self.file.orders) - 1:
            verb = self.file.orders[index].verb
            unneeded = say("'{verb}' is not needed here and is left out", verb=verb)
            return self._remark(walked, index, [unneeded])
        return walked.refused(late)

    def _refuse(self, walked: _Walked, index: int, order: Order, illegal: Illegal) -> _Walked:
        """The problems of an order that is not legal now."""
        from pbem.play.placed import placed  # most orders are legal

        kind, decision = self.file.orders[index].kind, walked.table.decision
        assert decision is not None
        found = placed(self.file, index, self.player, walked.table, illegal.violations)
        is_out_of_turn = not (decision.takes(order) or illegal.violations[0].at)
        if is_out_of_turn:
            found[0] = self._with_example(walked, found[0], kind)
        elif not any(each.hint for each in illegal.violations):
            found[0] = self._with_a_legal_one(walked, found[0], kind)
        is_stuck = not (is_out_of_turn or decision.optional)
        return replace(walked.refused(*sorted(found, key=by_place)), is_stuck=is_stuck)

    def _answers_nothing(self, walked: _Walked) -> Iterator[Problem]:
        """The problem of orders that all wait for something else: they leave the question
        unanswered.
        """
        decision = walked.table.decision
        idle = (
            bool(walked.tried)
            and not walked.closed
            and all(each.is_passed_over or each.is_ahead for each in walked.tried)
        )
        if idle and self._is_asked(walked) and decision is not None:
            yield Problem(
                "illegal-order",
                say(
                    "none of these orders answers the question: you are asked to {prompt}",
                    prompt=decision.prompt,
                ),
                self.file.span_of(0),
                decision.rule,
                say("give an order for now first; those with `when` can follow it"),
            )

    def _standing(
        self, walked: _Walked
    ) -> tuple[tuple[Mapping[str, Any], ...], tuple[Mapping[str, Any], ...]]:
        """The standing orders, each part by itself, judged on their author's view of the table; and
        what of them is said openly for what these orders begin.
        """
        written, table = self.file.standing, self.begins
        if written is None:
            return (), ()
        policies, position = table.system.policies, table.state.position
        side, orders = table.seats[self.player], [each.meant for each in walked.read]
        stated = sealing.stated(policies, position, side, written, orders)
        return sealing.parts(policies, position, side, written), stated

    def _ends_with_secrets(self, walked: _Walked) -> bool:
        """Whether a secret choice was the last order that this entry can hold: nothing more is
        asked of its author before choices are shown.
        """
        if walked.last is None:
            return False
        before, decision = walked.last[0].decision, walked.table.decision
        is_sealed = before is not None and before.secret
        return is_sealed and (not self._is_asked(walked) or decision is None or decision.tells > 0)

    def _behind_secrets(self, index: int, kind: type[Order]) -> Problem:
        """The problem of an order behind the last secret choice: an entry may hold none there."""
        if kind.secret and any(each.kind is kind for each in self.file.orders[:index]):
            return Problem(
                "too-late",
                say("{verb} can be given only once, and stands above already",
                    verb=repr(kind.verb)),
                self.file.span_of(index),
                hint=say("put all of it into one {verb}", verb=kind.verb),
            )  # fmt: skip
        return Problem(
            "too-late",
            say("{verb} cannot be given yet: first the secret choices of both sides are shown",
                verb=repr(kind.verb)),
            self.file.span_of(index),
            hint=say("leave it out, and send it when the game asks you for it"),
        )  # fmt: skip

    def _not_now(self, walked: _Walked, index: int, kind: type[Order]) -> tuple[Problem, ...]:
        """The problem that such an order is not asked for now, if it is not.

        It comes before what is wrong with the names in the order: they may mean units that are
        asked for only at another time.
        """
        decision = walked.table.decision
        if walked.ahead or decision is None or not self._is_asked(walked):
            return ()
        if any(option.order.verb == kind.verb for option in decision.options):
            return ()
        found = self.file.problem(index, not_asked(kind.verb, decision))
        return (self._with_example(walked, found, kind),)

    def _with_example(self, walked: _Walked, found: Problem, kind: type[Order]) -> Problem:
        """The problem of another order than the one asked for, with one that would be right."""
        order = "" if self.blind else first_legal(walked.table, self._names(walked, kind))
        if not order:
            return found
        nothing = _nothing(walked.table) if kind.ends else ""
        hint = say("{hint}, such as - {order}", hint=found.hint, order=order)
        if nothing and nothing != order:
            hint = say("{hint}, or - {order}", hint=hint, order=nothing)
        return replace(found, hint=hint)

    def _with_a_legal_one(self, walked: _Walked, found: Problem, kind: type[Order]) -> Problem:
        """The problem of an order that nothing says how to mend, with one like it that is legal."""
        order = "" if self.blind else first_legal(walked.table, self._names(walked, kind), kind)
        if not order:
            return found
        return replace(found, hint=say("legal now is for example - {order}", order=order))

    def _tried(self, index: int, table: Table, order: Order) -> Tried:
        waits = self.file.orders[index].when is not None
        span = self.file.span_of(index)
        return Tried(self._where(index), table, order, waits=waits, span=span, index=index)

    def _passed_over(self, walked: _Walked, index: int, order: Order) -> Said:
        """The note that an order lapses, and where it would have to be for another span."""
        if not self._is_kept(walked, index, order):
            return PASSED_OVER
        to_keep = say(TO_KEEP, span=say(walked.table.system.words.span))
        return say("{told}; {more}", told=PASSED_OVER, more=to_keep)

    def _open(self, walked: _Walked, index: int) -> _Walked:
        """The problem of a choice still open, with the possible values if it is asked for."""
        written = self.file.orders[index]
        for _ in range(self._closings_before(walked, index) if written.verb else 0):
            walked = self._close(walked, index)
        decision = walked.table.decision
        kinds = [option.order for option in decision.options] if decision else []
        is_known = not walked.ahead and not walked.problems and self._is_asked(walked)
        if not is_known or (written.verb and written.kind not in kinds):
            decision = None
        if decision is not None:
            decision = spelt_decision(decision, self._names(walked, written.kind))
        words = walked.table.system.words if self.blind else None
        return walked.refused(*_openings(self.file, index, decision, blind=words))

    def _names(self, walked: _Walked, kind: type[Order]) -> Names:
        return walked.table.names_of(self.player, kind)

    def _read(self, index: int, order: Order) -> ReadOrder:
        """An order as it is sent, with its condition."""
        return spelled(order, self.file.orders[index].when)

    def _ahead(self, walked: _Walked, index: int, order: Order) -> _Walked:
        """An order after a roll: a rule it breaks in any case is reported now; the rest is left
        open.
        """
        table, side = walked.table, walked.table.seats[self.player]
        given = tuple(each.meant for each in walked.read)
        wrong, hopes = reported(
            table.system.advice.foreseen, table.state, side, order, given,
            failing=lambda line: ((), alone(line)),
        )  # fmt: skip
        walked = walked.refused(*(self.file.problem(index, each) for each in wrong))
        walked = self._remark(walked, index, (NEVER_AHEAD,) if order.secret else hopes)
        begun = walked.tried[-1].table if walked.tried else table
        tried = replace(self._tried(index, begun, order), is_ahead=True)
        return walked.sent(self._read(index, order), tried)

    def _advise(self, walked: _Walked, index: int, before: Table, order: Order) -> _Walked:
        """Adds what a player should know of an order that is legal."""
        told = reported(before.system.advice.remarks, before.state, order, failing=alone)
        return self._remark(walked, index, told)

    def _remark(self, walked: _Walked, index: int, told: Iterable[Said]) -> _Walked:
        return walked.told(remarks_at(self._where(index), told))

    def _where(self, index: int) -> str:
        span = self.file.span_of(index)
        return f"{span.file}:{span.line}:{span.column}"

    def _is_asked(self, walked: _Walked) -> bool:
        decision = walked.table.decision
        return decision is not None and walked.table.player_of(decision.side) == self.player

    def _closings_before(self, walked: _Walked, index: int) -> int:
        """How many optional parts of the round have to end before the order at `index` is asked
        for.

        None if it would not be asked for even then: the order is judged where it is, and nothing is
        closed because of a mistake. A roll ends the search: the order may be asked for behind it,
        unless the file goes on with what is asked for now.
        """
        if walked.ahead:
            return 0
        table, count, kind = walked.table, 0, self.file.orders[index].kind
        while True:
            decision = table.decision
            if decision is None:
                is_over = table.round() != walked.table.round()
                return 0 if is_over or self._goes_on_behind(walked, index) else count
            if table.player_of(decision.side) != self.player:
                return 0
            if any(option.order is kind for option in decision.options):
                return count
            if not decision.optional:
                return 0
            table, count = table.take(decision.default), count + 1

    def _goes_on_behind(self, walked: _Walked, index: int) -> bool:
        """Whether an order behind the one at `index` answers what is asked now: to end this part at
        `index` would lose it.
        """
        decision = walked.table.decision
        kinds = {option.order for option in decision.options} if decision else set()
        return any(each.kind in kinds for each in self.file.orders[index + 1 :] if each.verb)

    def _is_asked_again(self, walked: _Walked) -> bool:
        """Whether a part in which the file gave orders is asked about again, and may end without
        more.
        """
        decision = walked.table.decision
        if walked.ahead or decision is None or not (decision.optional and self._is_asked(walked)):
            return False
        answered = (each.table.decision for each in walked.tried if not each.is_passed_over)
        return any(asked is not None and asked.stage == decision.stage for asked in answered)

    def _close(self, walked: _Walked, index: int) -> _Walked:
        """Ends the part that the order at `index` left open, and notes what ends with it."""
        decision, at = walked.table.decision, len(walked.read)
        assert decision is not None
        after = self._advise(walked, index, walked.table, decision.default)
        after = replace(after, closed=(*after.closed, at),
                        read=(*after.read, spelled(decision.default)))  # fmt: skip
        return self._take(after, decision.default)

    def _take(self, walked: _Walked, order: Order) -> _Walked:
        """The same with the table after an order. Raises Illegal for one that is not legal."""
        before = walked.table
        table = before.take(order)
        if before.decision is not None and before.decision.secret:
            table = before.seal(0)  # it is legal, and what follows from it nobody knows yet
        table = table.once_told(table.seats[self.player])
        return replace(walked, table=table, last=(before, order))

    def _is_for_later(self, walked: _Walked, index: int, order: Order) -> bool:
        """Whether an order with a condition answers nothing now, and is kept until it does."""
        asked = walked.table.decision
        waits = self.file.orders[index].when is not None and asked is not None
        return waits and not asked.takes(order) and self._is_kept(walked, index, order)  # type: ignore[union-attr]

    def _is_kept(self, walked: _Walked, index: int, order: Order) -> bool:
        """Whether an order is meant for later, and will still be there then."""
        return walked.table.outlives(self.begins, self._read(index, order))

    def _too_late(self, walked: _Walked, index: int, order: Order) -> Problem | None:
        """The problem of an order that will never be asked for, before it is silently lost."""
        decision = walked.table.decision
        if walked.last is not None:
            before, last = walked.last
            spent = too_late_for(before.state, last, order)
            if spent:
                return self.file.problem(index, spent[0])
        if not walked.is_round_over:
            return None
        then, words = say("dice are rolled"), walked.table.system.words
        if decision is not None:
            then = say(
                "the {side} player is asked to {prompt}",
                side=say(words.of_side(decision.side)), prompt=decision.prompt,
            )  # fmt: skip
        return Problem(
            "too-late",
            say(
                "the {span} ends before this order; after that, {then}",
                span=say(words.span),
                then=then,
            ),
            self.file.span_of(index),
            rule=decision.rule if decision else "",
            hint=say("leave it out; an order for a later question is sent with that answer"),
        )


def _nothing(table: Table) -> str:
    """The answer that does nothing, as a line, where that is what is assumed for one."""
    from pbem.orders.written import order_line  # most orders are legal

    decision = table.decision
    assert decision is not None
    line = order_line(decision.default)
    return line if line.endswith(f": {NONE}") else ""
