"""What Santander costs in mails, counted by folding: the set-up, and turns with everything said
ahead. Entries that one player writes in a row travel in one mail.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest

from pbem.engine.choices import every
from pbem.engine.model import Order
from pbem.gamefile.format import write as written_out
from pbem.gamefile.journal import Lapsed, Opened, PolicyFailed
from pbem.games.ctv.orders import Attack, Backing, Done
from pbem.games.ctv.position import Combat, Position
from pbem.games.ctv.rules import bombardment
from pbem.games.ctv.stages.combat import Fighting
from pbem.games.ctv.stages.setup import SettingUp
from pbem.games.ctv.tables import AIR, HEADQUARTERS, NATIONALIST, REPUBLICAN
from pbem.orders.written import order_line, orders_text
from pbem.play.forms import present_form
from pbem.play.judged import judged, parsed
from pbem.play.snapshot import read_game
from pbem.play.table import Table
from pbem.problems import Refused
from pbem.text.source import Source
from pbem.value import replace
from tests.games.ctv.by_mail import LIBRARY, Seats

POLICY = """standing:
  support: {hq: nearest, air: 1, columns: none}
  trade: {when: {own_losses: 2+}}
  losses: [reduced, armour]
  withdraw: [reduced, castile]
  remain: [1518]
  basques: show
  own: {losses: [armour, reduced], retreat: {2010: [1909]}, advance: all, breakthrough: advance}
"""
"""Support stands beside each attack. An attack whose support is gone when its turn comes lapses."""


def standing(side: str, *, covered: bool = False) -> str:
    """What a side may say of it: one half of the war elsewhere is never asked of it, and nobody is
    asked to show what lies open.
    """
    unasked: tuple[str, ...] = ("remain", "basques") if side == NATIONALIST else ("withdraw",)
    unasked = unasked if covered else (*unasked, "basques")
    return "".join(
        f"{line}\n" for line in POLICY.splitlines() if not line.lstrip().startswith(unasked)
    )


def front_line(table: Table) -> str:
    """The first set-up of the Republicans, with each division in case its die puts it there."""
    assert table.decision is not None
    first = table.decision.default
    position: Position = table.take(first).state.position
    lines = [f"  - {order_line(first)}"]
    for division in position.board.divisions_by_die:
        asked = SettingUp(REPUBLICAN, division).ask(position)
        assert asked is not None
        lines.append(f"  - {order_line(asked.default)}\n    when: {{front: {division}}}")
        for unit, hex in asked.default.units.items():  # type: ignore[attr-defined]
            position = position.with_units((unit,), hex)
    return "\n".join(["orders:", *lines, ""])


def set_up(seats: Seats, ahead: bool = True) -> None:
    """Both set up, each with the standing orders of their side in the last mail before a move."""
    while seats.asked != "movement":
        if seats.asked != "set-up":
            seats.mail()
            continue
        said = standing(seats.side, covered=seats.covered)
        stage = seats.table.state.agenda[-1]
        assert isinstance(stage, SettingUp) and seats.table.decision is not None
        if ahead and stage.what == "front" and stage.side == REPUBLICAN:
            seats.mail(front_line(seats.table) + said)
        else:
            seats.say(seats.table.decision.default, more=said)


def attacks(position: Position, side: str, most: int) -> Iterator[Order]:
    """Some attacks with their support, each unit and each supporter in one of them."""
    used: set[str] = set()
    asked = Fighting(side).ask(position)  # type: ignore[arg-type]
    found = asked.options[0].examples(every) if asked and asked.options[0].examples else ()
    given = 0
    for each in found:
        order = each.order
        assert isinstance(order, Attack)
        units = {unit for those in order.units.values() for unit in those}
        if units & used or given == most:
            continue
        battle = Combat(order.hex, tuple(units))
        able = {
            type: [unit for unit in bombardment.supporters(position, battle, side, type)  # type: ignore[arg-type]
                   if unit not in used]
            for type in (AIR, HEADQUARTERS)
        }  # fmt: skip
        support = Backing(tuple(able[AIR][:1]), tuple(able[HEADQUARTERS][:1]))
        used |= units | {*support.air, *support.hq}
        given += 1
        yield replace(order, support=support)


class Writer:
    """Writes a whole phase in one mail."""

    def __init__(self, seats: Seats, most: int = 3) -> None:
        self.seats, self.most = seats, most

    def mail(self) -> None:
        seats = self.seats
        if seats.asked == "movement":
            position = seats.table.state.position
            orders = list(attacks(position, seats.side, self.most))
            seats.say(Done(), *orders, Done(), more=standing(seats.side, covered=seats.covered))
        elif seats.asked:
            raise AssertionError(f"{seats.side} is asked {seats.asked}")
        else:
            seats.mail()


def whole_game(
    seed: str, options: tuple[str, ...] = (), *, covered: bool = False
) -> tuple[Seats, dict[int, int]]:
    """A game to its end, and its mails by the turn of their orders; those without any at 0."""
    seats = Seats(seed, options, covered=covered)
    set_up(seats)
    writer, by_turn = Writer(seats), dict[int, int]()
    while seats.fold.phase == "running":
        turn = seats.table.state.position.turn if seats.asked else 0
        before = seats.mails
        writer.mail()
        by_turn[turn] = by_turn.get(turn, 0) + seats.mails - before
    return seats, by_turn


@pytest.mark.parametrize(
    ("seed", "options", "covered"),
    [("one", (), False), ("one", ("air_combat",), False), ("two", (), True)],
)
def test_a_turn_is_two_mails_if_both_say_everything_ahead(
    seed: str, options: tuple[str, ...], covered: bool
) -> None:
    """What covered counters have to show goes with an order, or is owed in a mail that comes
    anyway.
    """
    seats, by_turn = whole_game(seed, options, covered=covered)
    assert by_turn.pop(0) == 1, "the last mail shows the last dice"
    assert max(by_turn.values()) == 2, by_turn
    assert seats.mails <= 22
    if covered:
        assert any(isinstance(each, Opened) for each in seats.fold.told())
        assert len(gzip.compress(written_out(seats.fold.entries))) < 150_000
    assert not any(isinstance(each, PolicyFailed) for each in seats.fold.told())
    assert read_game(seats.game.bytes(), library=LIBRARY).fold.head == seats.fold.head


@pytest.mark.parametrize(
    ("first", "covered", "mails"),
    [
        (NATIONALIST, False, 6),
        (REPUBLICAN, False, 5),
        (NATIONALIST, True, 6),
        (REPUBLICAN, True, 7),
    ],
)
def test_the_set_up_is_six_mails_if_the_republican_was_invited_and_seven_or_five_if_not(
    first: str, covered: bool, mails: int
) -> None:
    """The mails before that with the first move; one fewer where no division is left in reserve.

    Republicans who have invited write the last two entries before the Nationalist set-up in a row,
    the start and their front line: one mail. That is so with open counters alone. Covered ones come
    from a deck that the other player's beacon must have met before anything is placed from it.
    """
    found = set()
    for seed in ("one", "two") if covered else ("one", "two", "three", "four"):
        seats = Seats(seed, first=first, covered=covered)
        set_up(seats)
        position: Position = seats.table.state.position
        has_reserve = len(position.front) < len(position.board.divisions_by_die)
        assert position.turn == 1 and seats.side == NATIONALIST
        # Without a reserve the Nationalist may set up and move in one mail.
        assert seats.mails == (mails if has_reserve else mails - 1)
        assert not any(isinstance(each, Lapsed) for each in seats.fold.told())
        found.add(has_reserve)
    assert True in found


def test_divisions_that_wait_for_no_die_cost_two_mails_more() -> None:
    """Without `when: {front: 50}` the Republican is asked behind the dice."""
    seats = Seats("one")
    set_up(seats, ahead=False)
    assert seats.mails == 8


def test_the_set_up_goes_over_into_the_first_move() -> None:
    """What the Nationalist orders behind the set-up is for the first turn, if nobody is asked
    before it.
    """
    for seed in map(str, range(20)):  # the die puts all three divisions into the front line
        seats = Seats(seed, first=REPUBLICAN)
        while not (seats.asked == "set-up" and seats.side == NATIONALIST):
            if seats.asked == "set-up":
                seats.mail(front_line(seats.table) + standing(seats.side, covered=seats.covered))
            else:
                seats.mail()
        if len(seats.table.state.position.front) == 3:
            break
    assert seats.table.decision is not None
    assert len(seats.table.state.position.front) == 3
    seats.say(seats.table.decision.default, Done(), more=standing(seats.side))
    assert seats.asked == "combat" and not seats.fold.given(seats.pen)


def test_forms_and_checks_serve_every_question_that_is_left_to_the_player() -> None:
    """Asked for all, with no standing orders: each form shows what is asked, reads back once its
    choice is filled in, and is checked.
    """
    seats, asked = Seats("one"), set[str]()
    while seats.mails < 40 and seats.fold.phase != "over":
        if not seats.asked:
            seats.mail()
            continue
        decision = seats.table.decision
        assert decision is not None
        asked.add(decision.stage)
        form = present_form(seats.game, seats.keys[seats.pen])
        assert f"[rule {decision.rule}]" in form
        order: Order = decision.default
        if decision.stage == "combat":
            position = seats.table.state.position
            found = list(attacks(position, seats.side, 1))
            order = replace(found[0], support="") if found and not position.fought else order
        file = parsed(Source("orders.yaml", orders_text([order])), seats.game)
        prepared, _ = judged(seats.game, seats.keys[seats.pen], file)
        assert prepared.orders
        seats.say(order)
    assert asked >= {"set-up", "movement", "combat", "support"}, asked


def test_a_mistake_in_standing_orders_is_told_with_its_place() -> None:
    seats = Seats("one")
    set_up(seats)
    text = "orders: [done]\nstanding:\n  retreat: {2009: [1907]}\n  losses: [reducd]\n"
    with pytest.raises(Refused) as refused:
        seats.mail(text)
    told = [(str(each.message), each.span.line) for each in refused.value.problems if each.span]
    assert told == [
        ("1907 is not next to 2009: a stack retreats one hex", 3),
        ("no unit or kind of unit is named 'reducd'", 4),
    ]
