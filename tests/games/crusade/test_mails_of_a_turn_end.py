"""What the end of a turn costs in mails: discards by policy, new draw piles, hands drawn anew.

Counted are the mails from the last Republican round to the first Nationalist one of the next turn;
where nothing is left open that is one.
"""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.model import Side
from pbem.gamefile.audit import play_again, stands
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.journal import Lapsed
from pbem.gamefile.shown import secrets_shown
from pbem.games.crusade.position import Fort
from pbem.games.crusade.rules.options_decks import may_discard
from pbem.games.crusade.stages.draw import Redraws
from pbem.play.game import tool
from tests.gamefile.knowledge import look_aheads
from tests.games.crusade.board import N, R, table
from tests.play.two_seats import (
    SEATS,
    Seats,
    in_the_middle,
    mails_in_words,
    rounds_from,
    with_cards,
)

QUIET = "orders:\n  - play: {card: none}\n  - activate: {}\n"
HANDS = {"nationalist": "N5 N7 N3 N9 N12", "republican": "R5 R7 R3 R13 R9"}
PILES = {"nationalist": "N10 N13 N6 N4", "republican": "R10 R11 R6 R4"}


def before_the_last_rounds(
    *small: Side, standing: str = "", buried: bool = False, units: dict[str, str] | None = None,
    forts: dict[str, Fort] | None = None, **facts: Any,
) -> Seats:  # fmt: skip
    """Turn 3 at its last Nationalist round; a small pile is less than what its side will draw."""
    piles = {side: pile.split()[0] if side in small else pile for side, pile in PILES.items()}
    cards = {side: f"{hand} | {piles[side]}" for side, hand in HANDS.items()}
    position = with_cards(table(3, active=N, forts=forts or {}, units=units, **facts), **cards)
    position = position.with_deck(N, discards=("N14", "N15")).with_deck(R, discards=("R14", "R15"))
    if buried:
        position = position.but(options=position.options | {"18.3.2"})
    opening = in_the_middle(position, *rounds_from(N, 6))
    return Seats("turn end", opening=opening, standing=standing)


def turn_end(seats: Seats, count: int | None) -> str:
    """A quiet round and a policy that discards so many cards; None says nothing of the turn end."""
    if count is None:
        return QUIET
    position, side = seats.table.state.position, SEATS[seats.pen]
    fitting = [card for card in position.hand_cards(side) if may_discard(position, card)]
    assert len(fitting) >= count
    return f"{QUIET}standing:\n  turn_end: {{discard: [{', '.join(fitting[:count])}]}}\n"


ROWS = {
    "nothing": ((), 0, 0, ["B: policy orders reveal", "A: reveal unseal orders"]),
    "Nationalist discards": (
        (), 1, 0, ["B: policy orders reveal", "A: reveal unseal open orders"],
    ),
    "Republican discards": (
        (), 0, 1, ["B: policy open orders reveal", "A: reveal unseal orders"],
    ),
    "discards of both": (
        (), 1, 1, ["B: policy open orders reveal", "A: reveal unseal open orders"],
    ),
    "a Nationalist pile": (
        (N,), 0, 0,
        ["B: policy orders reveal", "A: reveal unseal deck_commit reveal", "B: reveal",
         "A: deck_reply orders"],
    ),
    "a Nationalist pile behind discards": (
        (N,), 1, 0,
        ["B: policy orders reveal", "A: reveal unseal open deck_commit reveal", "B: reveal",
         "A: deck_reply orders"],
    ),
    "a Republican pile": (
        (R,), 0, 0,
        ["B: policy orders reveal", "A: reveal unseal", "B: deck_commit reveal",
         "A: reveal orders"],
    ),
    "a Republican pile behind discards": (
        (R,), 0, 1,
        ["B: policy open orders reveal", "A: reveal unseal", "B: deck_commit reveal",
         "A: reveal orders"],
    ),
    "both piles": (
        (N, R), 0, 0,
        ["B: policy orders reveal", "A: reveal unseal deck_commit", "B: deck_commit reveal",
         "A: reveal deck_reply orders"],
    ),
    "both piles behind discards": (
        (N, R), 1, 1,
        ["B: policy open orders reveal", "A: reveal unseal open deck_commit",
         "B: deck_commit reveal", "A: reveal deck_reply orders"],
    ),
    "all left open": (
        (), None, None, ["B: orders", "A: orders", "B: orders reveal", "A: reveal orders"],
    ),
    "the Nationalists leave it open": (
        (), None, 0, ["B: policy orders", "A: orders reveal", "B: reveal unseal", "A: orders"],
    ),
    "the Republicans leave it open": (
        (), 0, None,
        ["B: orders reveal", "A: reveal unseal", "B: orders reveal", "A: reveal orders"],
    ),
}  # fmt: skip
"""Small piles, how many cards each side discards by policy (None: it has none), and the mails.

A discard costs nothing: the Nationalist mail opens their policy and card, and draws. The
Republicans open theirs with their last orders, where their enemy is bound by then. New piles cost
two more, however many there are.
"""


@pytest.mark.parametrize("row", ROWS)
def test_what_the_end_of_a_turn_costs(row: str) -> None:
    small, nationalist, republican, mails = ROWS[row]
    seats = before_the_last_rounds(*small)
    seats.mail(turn_end(seats, nationalist))
    first = len(seats.fold.entries)
    assert seats.played_out(turn_end(seats, republican)) == mails
    assert seats.foretold[first] == len(mails) - 1
    assert look_aheads(seats.fold) == []


POINTS = {N: ("NAT", 4), R: ("REP", 4)}
MARKERS = {N: {"zafra": Fort("position", N)}, R: {"madrid": Fort("position", R)}}
ONE, TWO = ["B: orders reveal", "A: reveal orders"], ["B: orders", "A: orders"]


@pytest.mark.rule("6.0.E.1", "6.0.E.2", "6.0.F.1", "6.0.A.2")
@pytest.mark.parametrize("points, markers, mails", [
    ((), (), [*TWO, *ONE]),
    ((R,), (R,), [*TWO, *ONE]),
    ((R,), (N, R), [*TWO, *ONE]),
    ((N, R), (), [*TWO, *ONE]),
    ((N, R), (N,), [*TWO, *ONE]),
    ((N, R), (R,), [*TWO, *TWO, *ONE]),
    ((N, R), (N, R), [*TWO, *TWO, *ONE]),
])  # fmt: skip
def test_what_the_end_costs_where_nothing_was_said_beforehand(
    points: tuple[Side, ...], markers: tuple[Side, ...], mails: list[str]
) -> None:
    """The order of the phases takes six mails where both have points, and the Republicans a marker:
    they may remove it only when the Nationalists have spent theirs (page 31).
    """
    units = {"zafra": "INF-1 (AFR-2)", "madrid": "R-MIL-1 (R-MIL-2)"}
    seats = before_the_last_rounds(
        units=units, rp=dict(map(POINTS.__getitem__, points)),
        forts={space: fort for side in markers for space, fort in MARKERS[side].items()},
    )  # fmt: skip
    seats.mail(QUIET)
    assert seats.played_out(QUIET) == mails
    assert look_aheads(seats.fold) == []


@pytest.mark.rule("18.3.2/a")
@pytest.mark.parametrize("small, mails", [
    ((), ["B: policy orders reveal", "A: reveal unseal orders"]),
    ((N, R), ["B: policy orders reveal", "A: reveal unseal deck_commit", "B: deck_commit reveal",
              "A: reveal deck_reply orders"]),
])  # fmt: skip
def test_discards_that_lie_face_down_cost_no_mail(
    small: tuple[Side, ...], mails: list[str]
) -> None:
    """No card is opened for them."""
    seats = before_the_last_rounds(*small, buried=True)
    seats.mail(turn_end(seats, 1))
    first = len(seats.fold.entries)
    assert seats.played_out(turn_end(seats, 1)) == mails
    assert seats.foretold[first] == len(mails) - 1
    assert look_aheads(seats.fold) == []


EARLY = "standing:\n  turn_end: {discard: [], until: turn 3}\n"


@pytest.mark.parametrize("republican, mails", [
    ("", ["B: policy orders reveal", "A: reveal unseal orders"]),
    ("standing:\n  turn_end: none\n",
     ["B: policy orders reveal", "A: reveal unseal", "B: orders reveal", "A: reveal orders"]),
    (EARLY, ["B: policy orders reveal", "A: reveal unseal orders"]),
])  # fmt: skip
def test_a_republican_policy_belongs_into_the_last_mail_of_the_turn(
    republican: str, mails: list[str]
) -> None:
    """There it goes in clear, also if it was sealed before; withdrawn, it costs two."""
    seats = before_the_last_rounds(standing=EARLY)
    seats.mail(turn_end(seats, 0))
    first = len(seats.fold.entries)
    assert seats.played_out(QUIET + republican) == mails
    assert seats.foretold[first] == len(mails) - 1


UNBOUND = {
    "no policy": "",
    "asks one question": "standing:\n  turn_end: {discard: [], replacements: ask}\n",
    "only in some cases": "standing:\n  turn_end: none\n",
}


@pytest.mark.parametrize("why", UNBOUND)
def test_no_card_is_opened_early_for_an_enemy_who_is_not_bound(why: str) -> None:
    """The attack on it: read which cards the Republicans discard, and only then say one's own."""
    seats = before_the_last_rounds()
    seats.mail(QUIET + UNBOUND[why])
    seats.mail(turn_end(seats, 1))
    assert "open" not in seats.steps()


def test_no_card_is_opened_early_while_something_may_come_between() -> None:
    """Behind an attack the enemy may be asked, and could then seal other orders for the end."""
    seats = before_the_last_rounds(units={"sevilla": "INF-1", "riotinto": "R-MIL-1 R-MIL-2"})
    seats.mail(turn_end(seats, 0))
    attack = (
        "  - activate: {attack: [riotinto]}\n"
        "  - attack: {space: sevilla, units: {riotinto: [R-MIL-1, R-MIL-2]}, losses: [MIL]}\n"
    )
    seats.mail(turn_end(seats, 1).replace("  - activate: {}\n", attack))
    orders = next(step for step in seats.fold.entries[-1].steps if step["do"] == "orders")
    assert [*orders["list"][-1]] == ["attack"] and "open" not in seats.steps()


NO_CORPS = {"nationalist": "N3 N5 N10 N12 N13 N9 N4 N7", "republican": "R3 R4 R5 R7 R9 R10 R11 R13"}
KEEP, ANEW = "orders:\n  - done\n", "orders:\n  - redraw\n"
NEVER = "standing:\n  turn_end: {redraw: never}\n"


@pytest.mark.parametrize("nationalist, republican, mails", [
    (KEEP, NEVER, ["A: orders reveal", "B: reveal unseal", "A: orders"]),
    (ANEW, NEVER, ["A: open orders deck_commit reveal", "B: reveal unseal",
                   "A: deck_reply orders"]),
    (KEEP, KEEP, ["A: orders", "B: orders", "A: orders"]),
    (ANEW, KEEP, ["A: open orders deck_commit", "B: orders reveal", "A: reveal deck_reply orders"]),
    (KEEP, ANEW, ["A: orders", "B: open orders deck_commit reveal", "A: reveal",
                  "B: deck_reply orders", "A: orders"]),
    (ANEW, ANEW, ["A: open orders deck_commit", "B: open orders deck_commit reveal",
                  "A: reveal deck_reply orders", "B: deck_reply orders", "A: orders"]),
])  # fmt: skip
def test_what_a_hand_drawn_anew_costs(nationalist: str, republican: str, mails: list[str]) -> None:
    """15.1.2: two mails; a Nationalist one none where the Republicans have to be asked anyway. Here
    the Nationalists are not bound beforehand, so what the Republicans have said stays sealed.

    The deck is the hand and one card more, so that nobody draws a corps and dice are needed.
    """
    position = with_cards(table(6, active=R), **NO_CORPS)
    seats = Seats(
        "redraw", opening=in_the_middle(position, Redraws(), *rounds_from(N, 1)),
        standing=republican if republican == NEVER else "",
    )  # fmt: skip
    first = len(seats.fold.entries)
    seats.mail(nationalist)
    if republican != NEVER:
        seats.mail(republican)
    while not seats.plays(-1):
        seats.mail(seats.silent())
    written = list(mails_in_words(seats.fold.entries[first:]))
    written[0] = written[0].replace("deck_reply ", "")  # for the first die, which is of no matter
    assert written == mails
    assert look_aheads(seats.fold) == []


@pytest.mark.rule("15.1.2")
@pytest.mark.parametrize("republican", [NEVER, KEEP])
def test_a_second_redraw_ahead_lapses_and_convicts_nobody(republican: str) -> None:
    """The hand that the dice give is closed to all but its owner: their audit judges it so, too."""
    position = with_cards(table(6, active=R), **NO_CORPS)
    seats = Seats(
        "redraw", opening=in_the_middle(position, Redraws(), *rounds_from(N, 1)),
        standing=republican if republican == NEVER else "",
    )  # fmt: skip
    seats.mail(f"{ANEW}  - redraw\n  - done\n")
    while not seats.plays(-1):
        seats.mail(seats.silent())
    lapsed = [each for each in seats.fold.told() if isinstance(each, Lapsed)]
    assert [(each.by, each.order) for each in lapsed] == [("A", {"redraw": {}})]
    fold = compose(seats.fold, seats.keys[seats.pen], Wish(resign=True), tool=tool()).fold
    while fold.pen:
        fold = compose(fold, seats.keys[fold.pen], Wish(), tool=tool()).fold
    assert set(fold.machine.hidden.audited) == {"A", "B"}
    for entry in fold.entries[-2:]:
        (shown,) = entry.steps
        assert stands(fold.journal, entry.by, secrets_shown(shown)) is (republican == KEEP)
        play_again(fold.entries, fold.machine.world.open_table, entry.by, secrets_shown(shown))
