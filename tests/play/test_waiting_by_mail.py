"""A plan for a later round that plays a hidden card: it is shown when the plan is sent."""

from __future__ import annotations

import pytest

from pbem.cli.status import lines as status_lines
from pbem.cli.status import plain as plain_status
from pbem.engine.codec import to_plain
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.fold import Fold
from pbem.gamefile.journal import Lapsed, Ordered
from pbem.gamefile.prospect import prospect
from pbem.orders.parse import parse
from pbem.play.answer import answer
from pbem.play.dry_run import DryRun, dry_run
from pbem.play.game import tool
from pbem.play.story import story
from pbem.problems import Refused
from pbem.text.source import Source
from pbem.value import replace
from tests.games.crusade.board import N
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
        return compose(fold, key, Wish(), tool=tool()).fold
    least = seen.in_play.decision.default
    return compose(fold, key, Wish(orders=({least.verb: to_plain(least)},)), tool=tool()).fold


def test_its_card_is_open_when_its_turn_comes() -> None:
    seats = Seats("a plan")
    card = hidden_card(seats)
    wait = {"round": 2}
    plan = {"play": {"card": card, "for": "operations"}, "when": wait}
    arrive = {"arrive": {"at": "cadiz"}, "when": wait}
    fold = compose(seats.fold, seats.keys["A"], Wish(orders=(*N1, arrive, plan)), tool=tool()).fold
    assert shown(fold) == [card]
    while not fold.in_play.round().endswith("/2") or fold.given("A"):
        fold = idle(fold, seats)
    told = [line for lines in fold.journal for line in lines]
    assert [line.order for line in told if isinstance(line, Lapsed)] == []
    assert plan in [line.order for line in told if isinstance(line, Ordered)]


def test_a_card_of_an_order_that_is_passed_over_at_once_stays_hidden() -> None:
    seats = Seats("a plan")
    gone = {"play": {"card": hidden_card(seats), "for": "operations"}, "when": {"round": 2}}
    fold = compose(seats.fold, seats.keys["A"], Wish(orders=(gone, *N1)), tool=tool()).fold
    assert shown(fold) == []


# --- what check says of it


def checked(seats: Seats, text: str) -> DryRun:
    verbs = seats.game.opened.system.verbs
    return dry_run(seats.game, seats.keys[seats.pen], parse(Source("o.yaml", text), verbs))


def test_check_names_the_card_of_a_plan_that_the_mail_shows() -> None:
    seats = Seats("a plan")
    card = hidden_card(seats)
    text = (
        "orders:\n  - play: {card: N1, for: event}\n  - activate: none\n"
        f"  - play: {{card: {card}, for: operations}}\n    when: {{round: 2}}\n"
    )
    found = checked(seats, text)
    assert found.shown == (card,)
    title = seats.table.system.names(seats.table.state, N, None, answering=False).known("card")
    assert f"this mail shows your opponent {title[card]} ({card})" in tuple(
        map(str, found.sentences())
    )
    told = tuple(map(str, replace(found, shown=("U-10", "U-9")).sentences()))
    assert "this mail shows your opponent U-9 and U-10" in told, "not in the order of their tags"
    seats.mail(text)
    assert shown(seats.fold) == [card]


def test_check_names_no_card_of_an_order_that_is_passed_over() -> None:
    seats = Seats("a plan")
    text = (
        f"orders:\n  - play: {{card: {hidden_card(seats)}, for: operations}}\n"
        "    when: {round: 2}\n  - play: {card: N1, for: event}\n  - activate: none\n"
    )
    found = checked(seats, text)
    assert found.shown == ()
    assert not any("shows your opponent" in line for line in tuple(map(str, found.sentences())))


# --- what becomes of orders with a condition is told


LATER = "  - play: {card: CARD, for: operations}\n    when: {round: 2}\n"
NOW = "  - play: {card: N1, for: event}\n  - activate: none\n"


def told(seats: Seats) -> list[str]:
    """The last entry in lines."""
    log = story(seats.game, len(seats.fold.entries) - 1)
    return [f"{line.kind}: {line.text}" for each in log.chapters for part in each.paragraphs
            for line in part.lines]  # fmt: skip


def sent(seats: Seats, text: str) -> tuple[str, ...]:
    """What the author is told of the orders they have sent."""
    made = answer(seats.game, seats.keys[seats.pen], Source("o.yaml", text), fresh=bytes(16))
    seats.game = made.game
    return tuple(map(str, made.notes))


def test_an_order_kept_for_later_is_told_by_every_command() -> None:
    seats = Seats("a plan")
    card = hidden_card(seats)
    text = f"orders:\n{NOW}{LATER.replace('CARD', card)}"
    line = f"play: {{card: {card}}}, when: {{round: 2}}"
    assert f"checked when its turn comes: {line}" in tuple(
        map(str, checked(seats, text).sentences())
    )
    assert sent(seats, text) == (f"kept, and checked when its turn comes: {line}",)
    assert f"note: the Nationalist player orders for later: {line}" in told(seats)
    assert f"Nationalist order kept for later: {line}" in map(str, status_lines(seats.game, None))
    plan = {"play": {"card": card}, "when": {"round": 2}}
    assert plain_status(seats.game, None)["kept"] == {"A": [plan], "B": []}


def test_an_order_that_lapses_at_once_is_told_by_every_command() -> None:
    seats = Seats("a plan")
    card = hidden_card(seats)
    text = f"orders:\n{LATER.replace('CARD', card)}{NOW}"
    lines = tuple(map(str, checked(seats, text).sentences()))
    assert lines[0].startswith("2 orders are legal, 1 would lapse; next, ")
    assert lines[1] == (
        "o.yaml:2:5: the condition in `when` is not true now, so this order would lapse; to keep "
        "it for later, put it below the orders for this round"
    )
    assert sent(seats, text) == (f"lapsed, because its `when` is not true: play: {{card: {card}}}",)
    line = f"play: {{card: {card}}}, when: {{round: 2}} (Nationalist): its condition is not true"
    assert f"lapse: {line}" in told(seats)
    assert not any("kept for later" in line for line in map(str, status_lines(seats.game, None)))


@pytest.mark.parametrize("with_play", [True, False])
def test_orders_that_all_wait_for_something_else_answer_nothing(with_play: bool) -> None:
    seats = Seats("a plan")
    arrive = "  - arrive: {at: cadiz}\n    when: {round: 2}\n"
    text = f"orders:\n{LATER.replace('CARD', 'N1') if with_play else arrive}"
    for judge in (checked, sent):
        with pytest.raises(Refused) as refused:
            judge(seats, text)
        (problem,) = refused.value.problems
        assert str(problem.message) == (
            "none of these orders answers the question: you are asked to play a card, or make an "
            "automatic "
            "operation without one"
        )
        assert problem.rule == "7.1.3" and problem.span is not None and problem.span.line == 2


def test_a_condition_that_is_no_mapping_is_answered_with_one_of_this_game() -> None:
    seats = Seats("a plan")
    with pytest.raises(Refused) as refused:
        sent(seats, "orders:\n  - play: {card: N1, for: event}\n    when: round 2\n")
    (problem,) = refused.value.problems
    assert str(problem.message) == "when must be written {...: ...}, not as the text 'round 2'"
    assert str(problem.hint) == "write for example when: {control: {toledo: nationalist}}"
