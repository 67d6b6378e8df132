"""The conditions of orders given ahead, and which of them outlive a round."""

from __future__ import annotations

from pbem.engine.conditions import ALWAYS, Condition, Fact, Facts, Sort, number
from pbem.engine.model import Order
from pbem.engine.shapes import Many, listed
from pbem.engine.waiting import OrdersWait
from pbem.games.crusade.conditions import CONTROL, SPACE_NAME
from pbem.games.crusade.policies.moment import as_both_see
from pbem.games.crusade.position import ROUNDS, Position
from pbem.games.crusade.rules.cards import hands_dealt
from pbem.messages import marked

ROUND = number(
    lambda position: range(max(position.round, 1), ROUNDS + 1),
    lambda rounds: f"from {rounds[0]} to {rounds[-1]}",
)
EMPTY = Sort(
    Many(SPACE_NAME, once=True, needed=True),
    lambda position, have, wanted: not any(map(position.units_in, listed(wanted))),
)

FACTS = Facts(
    {
        "any": Fact(ALWAYS, lambda position, _: True),
        "control": Fact(CONTROL, lambda position, _: position),
        "empty": Fact(EMPTY, lambda position, _: position),
        "round": Fact(ROUND, lambda position, _: position.round),
    },
    late={},
    has_happened=lambda _: False,
)


def outlives(before: Position, after: Position, order: Order, waits: bool) -> bool:
    """An order with a condition is meant for a later round; the end of a turn ends all of them, and
    so does the deal of a hand that must hold a corps card.
    """
    was_dealt = hands_dealt(after) not in ("", hands_dealt(before))
    return waits and before.turn == after.turn and not was_dealt


WAITING = OrdersWait(
    condition=Condition(FACTS, late=False, of="order"),
    kept=outlives,
    public=as_both_see,
    for_example=lambda position: "{control: {toledo: nationalist}}",
    told=(
        marked(
            "such an order is kept for your next round this turn, unless you send other orders "
            "first;"
        ),
        marked("if it plays a card from your hand, this mail shows that card to your opponent"),
    ),
)
