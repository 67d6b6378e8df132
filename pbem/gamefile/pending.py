"""What waits: orders given ahead, policies, things owed; and how an order is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from pbem.gamefile.errors import GROUPS, FileRefused
from pbem.gamefile.in_play import WHEN, GameInPlay, OrderRefused, ReadOrder, stumbled
from pbem.gamefile.kept import Given, StandingPolicy
from pbem.messages import Said, say
from pbem.problems import Problem
from pbem.value import replace


class OrderIllegal(FileRefused):
    """An order that is not legal now and is no lapse: `index` counts from 0 in the step's list.

    It is E-ORDER unless the game says that it breaks the protocol (E-CARD for a card not in hand).
    """

    def __init__(self, item: Given, refusal: OrderRefused) -> None:
        named = refusal.problems[0].code
        super().__init__(
            named if named in GROUPS else "E-ORDER",
            f"order {item.sent.index + 1} is not legal",
            rule="R8",
            causes=refusal.problems,
        )
        self.index = item.sent.index
        self.refusal = refusal


def first_answer(table: GameInPlay, orders: Sequence[ReadOrder]) -> int | None:
    """The place in a list of the answer to the present question (R8).

    The search does not go beyond a new leading order.
    """
    for at, order in enumerate(orders):
        if table.answers(order):
            return at
        if order.leads:
            return None
    return None


def holds(table: GameInPlay, order: ReadOrder) -> bool:
    """Whether the condition of an order holds; where the rules fail on it, it does not."""
    try:
        return WHEN not in order.plain or table.holds(order)
    except Exception as error:
        return stumbled(error)


def not_passed_over(table: GameInPlay, orders: Sequence[ReadOrder]) -> list[ReadOrder]:
    """The orders of a list that are not passed over at the present question (R8)."""
    left = list(orders)
    while (at := first_answer(table, left)) is not None and not holds(table, left[at]):
        del left[at]
    return left


def outliving(before: GameInPlay, after: GameInPlay, items: Sequence[Given]) -> tuple[Given, ...]:
    """The orders in a player's list that are kept when a round ends; `before` and `after` are the
    game on both sides of that end.

    What follows from an order goes with it. Where the rules fail on an order, it is not kept.
    """
    kept: list[Given] = []
    leads_on = False
    for item in items:
        try:
            waits = after.outlives(before, item.read)
        except Exception as error:
            waits = stumbled(error)
        leads_on = waits if item.read.leads else leads_on
        if waits or leads_on:
            kept.append(replace(item, outlived=True))
    return tuple(kept)


def covers(
    table: GameInPlay, by: str, slot: str, scope: Mapping[str, Any] | None, until: str | None
) -> bool:
    """Whether a policy answers the present question; where the rules fail on its scope, it does
    not.
    """
    try:
        return table.covers(by, slot, scope, until)
    except Exception as error:
        return stumbled(error)


def read_orders(table: GameInPlay, orders: Sequence[Mapping[str, Any]]) -> tuple[ReadOrder, ...]:
    """The orders of a list as the game reads them. They are not read again later.

    An order may wait for long or never be asked for, and must be readable all the same. Where the
    rules fail on it, it is none. Raises FileRefused (E-ORDER).
    """
    found = []
    for index, order in enumerate(orders):
        try:
            found.append(table.read(order))
        except Exception as error:
            what = say("order {index} is not an order of this game", index=index + 1)
            _refuse("E-ORDER", what, "R8", error)
    return tuple(found)


def check_policy(table: GameInPlay, one: StandingPolicy) -> None:
    """Refuses a policy whose scope, time or open document is impossible in the game (E-POLICY)."""
    if one.withdraws:
        return
    try:
        table.check_policy(one.by, one.slot, one.scope, one.until, one.doc)
    except Exception as error:
        what = say("this game has no policy {slot}", slot=one.slot)
        _refuse("E-POLICY", what, "policies", error)


def _refuse(code: str, message: Said, rule: str, error: Exception) -> NoReturn:
    """Refuses what the rules refused, or failed on: only a failure is a cause to look into."""
    if isinstance(error, OrderRefused):
        raise FileRefused(code, message, rule=rule, causes=error.problems) from None
    stumbled(error)
    what = say(
        "{what}: the rules cannot read it ({name}: {error})",
        what=message, name=type(error).__name__, error=str(error)[:200],
    )  # fmt: skip
    raise FileRefused(code, what, rule=rule) from error


def allowed(table: GameInPlay, by: str, order: ReadOrder) -> bool:
    """Whether an order of player `by` that answers what is asked is legal at a table that knows
    their cards, and for everybody else.

    Where the rules fail on it, it is not.
    """
    try:
        return table.allows(order) and not table.shows(by, order)
    except Exception as error:
        return stumbled(error)


def check_open(table: GameInPlay, by: str, order: ReadOrder) -> None:
    """Refuses an order that plays cards which are not open, at a table that knows them: nobody else
    could see that it was legal, so it had lapsed. Raises OrderRefused.
    """
    closed = table.shows(by, order)
    if closed:
        message = say(
            "it plays what is not open: {closed}", closed=tuple(map(table.called, closed))
        )
        raise OrderRefused(Problem("not-open", message))


def check_doubts(table: GameInPlay, order: ReadOrder) -> None:
    """Refuses an order given ahead that what its author hides might make illegal: nobody else could
    see it, and an audit would find an honest player at fault. Raises OrderRefused.
    """
    try:
        doubts = table.doubts(order)
    except Exception as error:
        raise _fault(error) from error
    if doubts:
        raise OrderRefused(*doubts)


def read_choice(table: GameInPlay, order: Mapping[str, Any]) -> ReadOrder:
    """A secret choice, read when it is revealed. It waits for nothing: a `when` next to it is
    ignored.

    Where the rules fail on it, it is no order of theirs. Raises OrderRefused.
    """
    try:
        return table.read({name: said for name, said in order.items() if name != WHEN})
    except OrderRefused:
        raise
    except Exception as error:
        raise _fault(error) from error


def judged(table: GameInPlay, order: ReadOrder) -> GameInPlay:
    """The game after an order. Where the rules fail on it, it is not legal.

    It may have been sent long ago and be reached in an entry of the other player, whose mail must
    not be refused for it. Raises OrderRefused.
    """
    try:
        return table.submit(order)
    except OrderRefused:
        raise
    except Exception as error:
        raise _fault(error) from error


def _fault(error: Exception) -> OrderRefused:
    stumbled(error)
    what = say(
        "the rules cannot judge this order ({name}: {error})",
        name=type(error).__name__,
        error=error,
    )
    return OrderRefused(Problem("fault", what))
