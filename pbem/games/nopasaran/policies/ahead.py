"""Activations said ahead: each is begun when its turn comes, and its orders are carried out one
after another, each of them once.

Most orders could be given again: a battery has points for a second shot. So the stage keeps what
was carried out in an activation, and the list goes on behind that. What else was ordered in it ends
the list, and so does its last line: then the game asks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pbem.engine.conditions import Condition
from pbem.engine.model import Order, Side, Violation
from pbem.engine.naming import respelt
from pbem.engine.order_shape import AnOrder
from pbem.engine.policies.rows import Clause, Document, is_legal
from pbem.engine.policies.table import WITHDRAWN
from pbem.engine.shapes import Many, moved
from pbem.engine.tags import is_tag
from pbem.engine.waiting import WHEN
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.orders import (
    Activate,
    Arrange,
    Arrive,
    Attack,
    Bombard,
    Consolidate,
    Done,
    Engineer,
    Finish,
    Move,
    Scout,
)
from pbem.games.nopasaran.policies.covered import shows_first
from pbem.games.nopasaran.policies.facts import FURTHER, NEXT
from pbem.games.nopasaran.position import ELSEWHERE, Position
from pbem.games.nopasaran.rules import cover
from pbem.games.nopasaran.rules.ahead import vouched
from pbem.games.nopasaran.rules.naming import names_of_the_enemy
from pbem.games.nopasaran.stages.activation import doubts
from pbem.games.nopasaran.tables import ENEMY
from pbem.games.nopasaran.waiting import FACTS
from pbem.messages import Said, say
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.games.nopasaran.stages.activation import Acting, Activating

MOST = 20
"""The orders of an activation."""
BEGINS = (Activate.verb, Finish.verb)
ACTS = "acts"
"""The field of an activation with somebody who acts in it."""


def _known(position: Position) -> Mapping[str, Collection[str]]:
    units = {unit for unit, place in position.places.items() if place != ELSEWHERE}
    units |= position.hexes.keys() | position.down.shown.keys()  # and tags: the program writes them
    return {
        "unit": units, "aircraft": position.board.air, "formation": position.board.formations,
        "hex": position.ground.hexes, "bridge": position.ground.bridges,
    }  # fmt: skip


VERBS = {
    verb.verb: verb
    for verb in (
        Activate, Finish, Move, Attack, Bombard, Scout, Engineer, Consolidate, Arrive, Arrange,
        Done,
    )
}  # fmt: skip


def _of_the_enemy(position: Position, side: Side, order: Order) -> Iterator[Violation]:
    """The fault of an order for who is the enemy's."""
    for fault in names_of_the_enemy(position, side, order):
        yield moved(fault, (order.verb,))


ORDER = AnOrder(
    VERBS, Condition(FACTS, late=False, of="order"), _known, never=_of_the_enemy, vouched=(ACTS,)
)  # fmt: skip


def named(order: Order) -> str:
    """What an order activates; empty for any other."""
    if not isinstance(order, Activate):
        return ""
    return order.division or order.formation or order.unit


def _lines(policy: Document) -> Sequence[Any]:
    found: Sequence[Any] = next((policy[name] for name in (NEXT, *FURTHER) if name in policy), ())
    return found


def _now(position: Position, line: Mapping[str, Any]) -> Order:
    """The order of a line, with its counters by their present names, as far as this view knows."""
    return _by_present_names(position, ORDER.read(line))


def _by_present_names(position: Position, order: Order) -> Order:
    def present(kind: str, name: str) -> str:
        if kind not in cover.UNIT_KINDS or not is_tag(name):
            return name
        return position.face(name) or position.down.present(name)

    return respelt(order, present)


def _activating(position: Position, stage: Activating, policy: Document) -> Order | None:
    """The first line of the list, if it was not carried out today and is legal."""
    lines = _lines(policy)
    for line in FACTS.holding(position, None, lines[:1]):
        order = _now(position, line)
        if named(order) not in position.activated:
            return _certain(stage, position, (order,))
    return None


def _acting(position: Position, stage: Acting, policy: Document) -> Order | None:
    """The next of the list that holds and is legal, behind what was carried out."""
    lines = _lines(policy)
    cycle = position.cycle
    if not lines or cycle is None or named(_now(position, lines[0])) != cycle.formation:
        return None
    left = behind(position, lines[1:], stage.given)
    orders = (_now(position, line) for line in FACTS.holding(position, None, left))
    return _certain(stage, position, orders)


def _certain(
    stage: Activating | Acting, position: Position, orders: Iterable[Order]
) -> Order | None:
    """The first of some orders that is legal, whatever those are that lie face down."""
    asked = stage.ask(position)
    assert asked is not None
    return next((order for order in orders if is_legal(stage, position, asked, order)
                 and not any(doubts(stage, position, order))), None)  # fmt: skip


def behind(
    position: Position, lines: Sequence[Mapping[str, Any]], given: Sequence[Order]
) -> Sequence[Any]:
    """What of a list comes behind the orders that were carried out; nothing, if they are others."""
    place = 0
    for order in given:
        done = _by_present_names(position, order)
        while place < len(lines) and _now(position, lines[place]) != done:
            place += 1
        place += 1
    return lines[place:]


def plans(position: Position, side: Side, orders: Sequence[Order]) -> Sequence[int]:
    """Where activations begin among the orders of a mail that come behind dice, if they hide
    something: the enemy may be next, and would see whom they name. A day that ends behind them is
    one by itself.
    """
    if position.is_open or ENEMY[side] in position.finished:
        return ()
    first = next((at for at, each in enumerate(orders) if isinstance(each, Activate)), len(orders))
    return [at for at in range(first, len(orders))
            if isinstance(orders[at], Activate)
            or (isinstance(orders[at], Finish) and isinstance(orders[at - 1], Done))]  # fmt: skip


def used_up(position: Position, side: Side, policy: Document, orders: Sequence[Order]) -> Said:
    """What a list activates, if that has been activated today and is over, or `orders` end it or
    the day of their side: lists are for one day.
    """
    lines, cycle = _lines(policy), position.cycle
    name = named(ORDER.read(lines[0])) if lines else ""
    if side in position.finished or any(isinstance(order, Finish) for order in orders):
        return say("the activation of {name}", name=name) if name else say("the end of your day")
    goes_on = cycle is not None and cycle.formation == name
    begun = max((at for at, order in enumerate(orders) if named(order) == name), default=-1)
    ends = any(isinstance(order, Done | Finish) for order in orders[begun + 1 :])
    if name not in position.activated or (goes_on and not ends):
        return ""
    return say("the activation of {name}", name=name)


def _begins_with_an_activation(
    position: Position, side: Side, lines: Sequence[Mapping[str, Any]]
) -> Iterator[Violation]:
    """The faults of a list that begins with something else, activates something again, or goes on
    behind its end.
    """
    for place, line in enumerate(lines):
        verb = next((key for key in line if key != WHEN), "")
        if (verb not in BEGINS) if place == 0 else (verb == Activate.verb):
            told = (
                say("an activation begins with `activate`, or with `finish`")
                if place == 0
                else say("this begins another activation")
            )
            hint = say("activations: [[activate: {formation: NAME}, done], [finish]]")
            yield Violation(told, (place,), rule="5.4.1", hint=hint)
            return
    end = next((at for at, line in enumerate(lines) if _ends(line)), len(lines))
    if end + 1 < len(lines):
        verb = next(iter(lines[end]))
        told = say("{verb} ends the list, so this is never reached", verb=repr(verb))
        yield Violation(
            told, (end + 1,), rule="5.3" if verb == Finish.verb else "5.5",
            hint=say("put it in front of {verb}, or leave it out", verb=repr(verb)),
        )  # fmt: skip


def _ends(line: Mapping[str, Any]) -> bool:
    """Whether a line ends an activation, or the day, in any case."""
    return WHEN not in line and bool(line.keys() & {Done.verb, Finish.verb})


def _never_begun(
    name: str, position: Position, side: Side, policy: Document
) -> Iterator[Violation]:
    """The fault of a list that activates what one before it does in any case, or that is behind the
    end of the day.
    """
    if policy[name] == WITHDRAWN or not policy[name]:
        return
    lists = [policy.get(each) for each in (NEXT, *FURTHER)[: (NEXT, *FURTHER).index(name)]]
    before = [lines[0] for lines in lists if isinstance(lines, Sequence)
              and not isinstance(lines, str) and lines and WHEN not in lines[0]]  # fmt: skip
    if any(Finish.verb in line for line in before):
        yield Violation(
            say("a list before this one ends the day, so this is never reached"), rule="5.3",
            hint=say("put it in front of [finish], or leave it out"),
        )  # fmt: skip
        return
    begins = named(ORDER.read(policy[name][0]))
    if begins and any(named(ORDER.read(line)) == begins for line in before):
        yield Violation(
            say("a list before this one activates {name} already, so this is never reached",
                name=begins),
            (0,), rule="5.5.p6", hint=say("put these orders into that list, or leave them out"),
        )  # fmt: skip


@CITE.serves("5.1", "5.4.1")
def _sealed(
    position: Position, side: Side, lines: Sequence[Any], given: Sequence[Order] = ()
) -> Sequence[Any]:
    """A list with who acts in its activation, as its author knows (orders.Activate): nobody who
    acts in the orders `given` before it in the same mail.
    """
    if position.is_open or not lines:
        return lines
    begins = ORDER.read(lines[0])
    order = vouched(position, side, begins, (*given, begins))
    return [_with(lines[0], acts=order.acts if isinstance(order, Activate) else ""), *lines[1:]]


def claims(position: Position, side: Side, document: Document) -> Iterator[tuple[str, str]]:
    """The tags of the counters that lists show, and what they are."""
    found = dict[str, str]()
    for name in (NEXT, *FURTHER):
        lines = document.get(name, ())
        for line in lines if all(VERBS.keys() & each.keys() for each in lines) else ():
            order = cover.in_tags(position, side, ORDER.read(line))
            found |= {tag: position.face(tag) for tag in cover.shown_by(position, side, order)}
    yield from found.items()


def _unsealed(position: Position, side: Side, lines: Sequence[Any]) -> Sequence[Any]:
    """The list as it was written."""
    return [_with(line, acts="") for line in lines]


def _with(line: Mapping[str, Any], *, acts: str) -> Mapping[str, Any]:
    """A line with who acts in its activation, or with nobody."""
    if Activate.verb not in line:
        return line
    inside = {key: each for key, each in line[Activate.verb].items() if key != ACTS}
    return {**line, Activate.verb: {**inside, ACTS: acts} if acts else inside}


ACTIVATION: Clause = Clause(
    Many(
        ORDER,
        say("an activation must be a list of at most {most} orders", most=MOST),
        say("[activate: {formation: NAME}, done]"),
        MOST,
        needed=True,
        never=_begins_with_an_activation,
    ),
    seal=_sealed,
    seal_behind=_sealed,
    unseal=_unsealed,
    answers={
        "activation": replace(shows_first(_activating), or_asks=True),
        "action": replace(shows_first(_acting), or_asks=True),
    },
)
SECOND, THIRD = (
    replace(ACTIVATION, vain=partial(_never_begun, name)) for name in FURTHER
)  # fmt: skip
"""The same for the lists behind the first."""
