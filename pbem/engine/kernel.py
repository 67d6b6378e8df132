"""The only ways to move a game on: waits_for, submit, seal, roll, learn.

Whatever drives a game uses these and nothing else: the fold of a game file, a test, a random
player. They never print, never read a clock and keep nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    State,
    Violation,
)
from pbem.engine.rules import judged_by
from pbem.engine.secret import Tell, sealed, still_to_tell
from pbem.messages import either, say, words
from pbem.value import replace, value

SETTLE_LIMIT = 10_000
"""A stage that keeps itself for ever is our own bug; no turn of any game comes near this."""


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
    return _settle(state, [], [], ())


def waits_for(state: State[Any]) -> Decision | Chance | None:
    """What the game needs next; None when it is over."""
    if not state.agenda:
        return None
    stage = state.agenda[-1]
    if isinstance(stage, PlayerStage):
        decision = _asked(state, stage)
        assert decision is not None, f"{type(stage).__name__} was not settled"
        return decision
    assert isinstance(stage, ChanceStage), f"{type(stage).__name__} was not settled"
    return stage.chance(state.position)


def _asked(state: State[Any], stage: PlayerStage[Any]) -> Decision | None:
    """What the stage on top asks; computed once, since a state never changes."""
    known = state.__dict__
    if "_asked" not in known:
        known["_asked"] = stage.ask(state.position)
    asked: Decision | None = known["_asked"]
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
    stage = state.agenda[-1]
    assert isinstance(stage, PlayerStage)
    outcome = stage.resolve(state.position, order)
    return _after(State(state.position, state.agenda, state.seq + 1), outcome, ())


def seal(state: State[Any]) -> Progress:
    """Answers the secret question on top under seal; the choice is revealed later."""
    decision = waits_for(state)
    assert isinstance(decision, Decision) and decision.secret, "no secret is asked for now"
    agenda = sealed(state.agenda, state.position)
    return _settle(State(state.position, agenda, state.seq + 1), [], [], ())


def learn(state: State[Any], openings: tuple[Event[Any], ...]) -> Progress:
    """Shows hidden cards to both players, and runs what waited only for that."""
    position, events, positions = state.position, list(openings), []
    for event in openings:
        position = event.apply(position)
        positions.append(position)
    return _settle(replace(state, position=position), events, positions, ())


def roll(state: State[Any], dice: Dice) -> Progress:
    """Rolls for the chance stage on top, resolves it and settles."""
    stage = state.agenda[-1]
    assert isinstance(stage, ChanceStage), "no roll is asked for now"
    rolled = dice.roll(stage.chance(state.position).draws)
    return _after(state, stage.resolve(state.position, rolled), tuple(rolled.values()))


def _after(state: State[Any], outcome: Outcome, rolls: tuple[Roll, ...]) -> Progress:
    events: list[Event[Any]] = []
    positions: list[Any] = []
    state = _carry_out(state, outcome, events, positions)
    return _settle(state, events, positions, rolls)


def _settle(
    state: State[Any], events: list[Event[Any]], positions: list[Any], rolls: tuple[Roll, ...]
) -> Progress:
    for _ in range(SETTLE_LIMIT):
        outcome = _runs_by_itself(state)
        if outcome is None:
            return Progress(state, tuple(events), tuple(positions), rolls)
        state = _carry_out(state, outcome, events, positions)
    raise AssertionError(f"the game does not settle: {state.agenda[-1]!r}")


def _runs_by_itself(state: State[Any]) -> Outcome | None:
    if not state.agenda:
        return None
    stage = state.agenda[-1]
    if isinstance(stage, AutoStage):
        return stage.run(state.position)
    if isinstance(stage, PlayerStage) and _asked(state, stage) is None:
        return Outcome()
    return None


def _carry_out(
    state: State[Any], outcome: Outcome, events: list[Event[Any]], positions: list[Any]
) -> State[Any]:
    led_to = _led_to(state.position, outcome)
    position = led_to[-1] if led_to else state.position
    events += outcome.events
    positions += led_to
    if any(event.ends_the_game for event in outcome.events):
        return State(position, (), state.seq)
    rest, waiting = state.agenda[:-1], state.agenda[:0]
    if isinstance(state.agenda[-1], Tell) and (told := still_to_tell(rest)):
        rest, waiting = rest[:-told], rest[-told:]
    kept = (outcome.keep,) if outcome.keep is not None else ()
    return State(position, (*rest, *kept, *reversed(outcome.then), *waiting), state.seq)


def _led_to(position: Any, outcome: Outcome) -> Sequence[Any]:
    """The position after each event of an outcome."""
    applied = outcome.applied
    if applied and applied.start is position and applied.events is outcome.events:
        return applied.positions
    found = []
    for event in outcome.events:
        position = event.apply(position)
        found.append(position)
    return found
