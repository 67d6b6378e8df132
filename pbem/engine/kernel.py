"""The only ways to move a game on: waits_for, submit, seal, roll, learn.

Whatever drives a game uses these and nothing else: the fold of a game file, a test, a random
player. They never print, never read a clock and keep nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pbem.engine.dice import Dice, Roll
from pbem.engine.model import (
    AutoStage,
    Chance,
    ChanceStage,
    Decision,
    Event,
    Order,
    Outcome,
    PlayerStage,
    Stage,
    State,
    Violation,
)
from pbem.engine.rules import judged_by
from pbem.engine.secret import Tell, sealed, still_to_tell
from pbem.messages import either, say, words
from pbem.value import replace, value

SETTLE_LIMIT = 10_000
"""A stage that keeps itself for ever is our own bug; no turn of any game comes near this."""


NOTHING = Outcome()


class OrderRejected(Exception):
    """The order is not legal now; it has every violation that the first failing row of checks
    found.
    """

    def __init__(self, order: Order, violations: tuple[Violation, ...]) -> None:
        super().__init__("; ".join(words(each.message) for each in violations))
        self.order = order
        self.violations = violations


@value
class Progress:
    """One step of play: the state after it, its events, and the dice rolled for it.

    `positions` holds the position after each event; a narrator needs the position at the event.
    """

    state: State[Any]
    events: tuple[Event[Any], ...]
    positions: tuple[Any, ...]
    rolls: tuple[Roll, ...] = ()


def begin(state: State[Any]) -> Progress:
    """Runs the automatic stages at the very start of a game."""
    return _Course(state, state.seq).settled()


def waits_for(state: State[Any]) -> Decision | Chance | None:
    """What the game needs next; None when it is over. Computed once: a state never changes."""
    known = state.__dict__
    if "_wanted" not in known:
        known["_wanted"] = _wanted(state)
    wanted: Decision | Chance | None = known["_wanted"]
    return wanted


def _wanted(state: State[Any]) -> Decision | Chance | None:
    if not state.agenda:
        return None
    stage = state.agenda[-1]
    if isinstance(stage, ChanceStage):
        return stage.chance(state.position)
    asked = stage.ask(state.position) if isinstance(stage, PlayerStage) else None
    assert asked is not None, f"{type(stage).__name__} was not settled"
    return asked


def violations(state: State[Any], order: Order) -> tuple[Violation, ...]:
    """Every violation of the rules by this order now; empty when it is legal."""
    known = state.__dict__
    if known.get("_legal") is order:
        return ()
    found = _judged(state, order)
    if not found:
        known["_legal"] = order  # whoever has had it judged gives it next, as a rule
    return found


def _judged(state: State[Any], order: Order) -> tuple[Violation, ...]:
    decision = waits_for(state)
    if not isinstance(decision, Decision):
        return (Violation(say("no order can be given now")),)
    if not decision.takes(order):
        known = held_against(state.agenda[-1], state.position, order)
        if known:
            return known
        return (not_asked(order.verb, decision),)
    stage = state.agenda[-1]
    assert isinstance(stage, PlayerStage)
    return tuple(stage.check(state.position, order))


def keeps_the_rules(state: State[Any], order: Order) -> bool:
    """Whether an order that is known to answer the present question is legal."""
    stage = state.agenda[-1]
    assert isinstance(stage, PlayerStage)
    return not any(True for _ in stage.check(state.position, order))


def not_asked(verb: str, decision: Decision) -> Violation:
    """The violation of an order with a verb that the decision does not offer."""
    verbs = either(dict.fromkeys(option.order.verb for option in decision.options))
    return Violation(
        say(
            "{verb} cannot be given now: the game asks you to {prompt}",
            verb=repr(verb),
            prompt=decision.prompt,
        ),
        rule=decision.rule,
        hint=say("orders you can give now: {verbs}", verbs=verbs),
    )


def held_against(stage: Any, position: Any, order: Order) -> tuple[Violation, ...]:
    """The violations found by a stage that can judge the verb although it does not offer it."""
    if type(order) not in judged_by(stage):
        return ()
    return tuple(stage.check(position, order))


def too_late_for(state: State[Any], last: Order, order: Order) -> tuple[Violation, ...]:
    """The violation of one more order of the same kind, by the stage that `last` has ended."""
    stage = state.agenda[-1]
    if not isinstance(stage, PlayerStage) or violations(state, last):
        return ()
    left, position = stage.as_left(state.position, last), state.position
    for event in stage.resolve(position, last).events:
        position = event.apply(position)
    if left is None or left.ask(position) is not None:
        return ()  # it goes on, or ended for another reason
    return held_against(left, position, order)


def submit(state: State[Any], order: Order) -> Progress:
    """Judges the order and resolves it. Raises OrderRejected with every violation."""
    found = violations(state, order)
    if found:
        raise OrderRejected(order, found)
    return resolved(state, order)


def resolved(state: State[Any], order: Order) -> Progress:
    """What an order brings that was judged already. It is not judged again: a report may reckon
    with a position that knows less, in which the stage would ask nothing.
    """
    stage = state.agenda[-1]
    assert isinstance(stage, PlayerStage)
    course = _Course(state, state.seq + 1)
    course.carry_out(stage.resolve(state.position, order))
    return course.settled()


def seal(state: State[Any], entry: int) -> Progress:
    """Answers the secret question on top under seal in this entry; the choice is revealed later,
    or a list item by item.
    """
    decision = waits_for(state)
    assert isinstance(decision, Decision) and decision.secret, "no secret is asked for now"
    if decision.list is not None:
        stage = state.agenda[-1]
        assert isinstance(stage, PlayerStage)
        course = _Course(state, state.seq + 1)
        course.carry_out(stage.sealed(state.position, entry))
        return course.settled()
    told = replace(state, agenda=sealed(state.agenda, state.position))
    return _Course(told, state.seq + 1).settled()


def learn(state: State[Any], openings: tuple[Event[Any], ...]) -> Progress:
    """Shows hidden cards to both players, and runs what waited only for that."""
    course = _Course(state, state.seq)
    course.go_on(openings, _one_by_one(state.position, openings))
    return course.settled()


def roll(state: State[Any], dice: Dice) -> Progress:
    """Rolls for the chance stage on top, resolves it and settles."""
    stage, wanted = state.agenda[-1], waits_for(state)
    assert isinstance(stage, ChanceStage) and isinstance(wanted, Chance), "no roll is asked for now"
    rolled = dice.roll(wanted.draws)
    course = _Course(state, state.seq)
    course.carry_out(stage.resolve(state.position, rolled))
    return course.settled(tuple(rolled.values()))


class _Course:
    """A step of play under way, changed in place until no stage runs by itself any more."""

    def __init__(self, state: State[Any], seq: int) -> None:
        self.position, self.seq = state.position, seq
        self.agenda = list(state.agenda)
        self.events: list[Event[Any]] = []
        self.positions: list[Any] = []

    def settled(self, rolls: tuple[Roll, ...] = ()) -> Progress:
        """The step after everything that needs no player and no dice."""
        for _ in range(SETTLE_LIMIT):
            stage, asked = self.agenda[-1] if self.agenda else None, None
            if isinstance(stage, AutoStage):
                self.carry_out(stage.run(self.position))
            elif (
                isinstance(stage, PlayerStage)
                and not stage.asks(self.position)
                and (asked := stage.ask(self.position)) is None
            ):
                self.carry_out(NOTHING)
            else:
                state = State(self.position, tuple(self.agenda), self.seq)
                if asked is not None:
                    state.__dict__["_wanted"] = asked  # it need not be asked again
                return Progress(state, tuple(self.events), tuple(self.positions), rolls)
        raise AssertionError(f"the game does not settle: {self.agenda[-1]!r}")

    def carry_out(self, outcome: Outcome) -> None:
        """Takes the stage on top off the agenda, and does what it led to."""
        agenda, done = self.agenda, self.agenda.pop()
        waiting: Sequence[Stage[Any]] = ()
        if outcome.events:
            self.go_on(outcome.events, _led_to(self.position, outcome))
            for event in outcome.events:
                if event.ends_the_game:
                    agenda.clear()
                    return
        if isinstance(done, Tell) and (told := still_to_tell(agenda)):
            waiting = agenda[-told:]
            del agenda[-told:]
        if outcome.keep is not None:
            agenda.append(outcome.keep)
        agenda += reversed(outcome.then)
        agenda += waiting

    def go_on(self, events: Sequence[Event[Any]], positions: Sequence[Any]) -> None:
        """Events happen, each of which led to one of the positions."""
        self.events += events
        self.positions += positions
        if positions:
            self.position = positions[-1]


def _led_to(position: Any, outcome: Outcome) -> Sequence[Any]:
    """The position after each event of an outcome."""
    applied = outcome.applied
    if applied and applied.start is position and applied.events is outcome.events:
        return applied.positions
    return _one_by_one(position, outcome.events)


def _one_by_one(position: Any, events: Iterable[Event[Any]]) -> Sequence[Any]:
    """The position after each event."""
    found = []
    for event in events:
        position = event.apply(position)
        found.append(position)
    return found
