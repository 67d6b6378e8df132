"""A plan for a later round that plays a hidden card: it is shown when the plan is sent."""

from __future__ import annotations

from pbem.engine.codec import to_plain
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.fold import Fold
from pbem.gamefile.journal import Lapsed, Ordered
from pbem.gamefile.prospect import prospect
from pbem.play.game import TOOL
from tests.play.two_seats import Seats

N1 = [{"play": {"card": "N1", "for": "event"}}, {"activate": {}}]


def hidden_card(seats: Seats) -> str:
    position = seats.table.state.position
    return min(map(position.card_in, position.hidden_slots(seats.table.seats["A"])))


def shown(fold: Fold) -> list[str]:
    return [step["card"] for step in fold.entries[-1].payload["steps"] if step["do"] == "open"]


def idle(fold: Fold, seats: Seats) -> Fold:
    """The fold after a mail that orders no more than has to be."""
    key = seats.keys[fold.pen]
    seen = prospect(fold, key)
    if not seen.orders_wanted:
        return compose(fold, key, Wish(), tool=TOOL).fold
    least = seen.in_play.decision.default
    return compose(fold, key, Wish(orders=({least.verb: to_plain(least)},)), tool=TOOL).fold


def test_its_card_is_open_when_its_turn_comes() -> None:
    seats = Seats("a plan")
    card = hidden_card(seats)
    wait = {"round": 2}
    plan = {"play": {"card": card, "for": "operations"}, "when": wait}
    arrive = {"arrive": {"at": "cadiz"}, "when": wait}
    fold = compose(seats.fold, seats.keys["A"], Wish(orders=(*N1, arrive, plan)), tool=TOOL).fold
    assert shown(fold) == [card]
    while not fold.in_play.round().endswith("/2") or fold.given("A"):
        fold = idle(fold, seats)
    told = [line for lines in fold.journal for line in lines]
    assert [line.order for line in told if isinstance(line, Lapsed)] == []
    assert plan in [line.order for line in told if isinstance(line, Ordered)]


def test_a_card_of_an_order_that_is_passed_over_at_once_stays_hidden() -> None:
    seats = Seats("a plan")
    gone = {"play": {"card": hidden_card(seats), "for": "operations"}, "when": {"round": 2}}
    fold = compose(seats.fold, seats.keys["A"], Wish(orders=(gone, *N1)), tool=TOOL).fold
    assert shown(fold) == []
