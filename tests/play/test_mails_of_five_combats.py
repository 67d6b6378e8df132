"""A whole turn of Crusade with five combats: 12 mails if all is said beforehand, else up to 46."""

from __future__ import annotations

from functools import cache

import pytest

from pbem.gamefile.journal import Rolled
from tests.gamefile.knowledge import look_aheads
from tests.games.crusade.board import N, table
from tests.play.two_seats import (
    Opening,
    Seats,
    in_the_middle,
    mails_in_words,
    rounds_from,
    with_cards,
)

FIGHTS = (
    ("sevilla", "riotinto", "N-I INF-1 N-POL-1", "R-MIL-1 R-MIL-2 R-POL-1"),
    ("navalmoral", "talavera", "N-V INF-2 N-POL-2", "R-MIL-3 R-MIL-4 R-POL-2"),
    ("ecija", "antequera", "N-VI INF-3 N-POL-3", "R-MIL-5 R-MIL-6 R-POL-3"),
    ("cordoba", "montoro", "N-VII INF-4 N-POL-4", "R-MIL-7 R-MIL-8 R-POL-4"),
    ("zaragoza", "candasnos", "N-VIII INF-5 N-POL-5", "R-MIL-9 R-MIL-10 R-POL-5"),
)
"""From where, on what, whose attack and whose defence; with a die of two to five it is won, the
beaten live to retreat, and each side has a choice of losses."""

QUIET = "  - play: {card: none}\n  - activate: {}\n"
POLICY = (
    "standing:\n  combat_card: none\n  losses: [MIL, POL]\n  cancel_retreat: never\n"
    "  retreat: toward_supply\n"
)
TURN_END = "  turn_end: {discard: []}\n"


def five_fights(standing: str, *, markers: bool) -> Seats:
    """Turn 8 before its first round; the map is empty but for those who will fight.

    Each combat has a beacon of its own, and the attackers' dice are those that FIGHTS wants.
    """
    return Seats(seed_of_five_wins(), opening=opening(markers=markers), standing=standing)


def opening(*, markers: bool) -> Opening:
    stacks = {
        space: units for at, to, us, them in FIGHTS for space, units in ((at, us), (to, them))
    }
    facts = {} if markers else {"forts": {}}
    position = with_cards(
        table(8, bare=True, units=stacks, active=N, rm=18, **facts),
        nationalist="N19 N20 N21 N23 N33 | N24 N25 N26",
        republican="R3 R7 R25 R26 R29 | R27 R30 R31",
    )
    return in_the_middle(position, *rounds_from(N, 1))


@cache
def seed_of_five_wins() -> str:
    """The dice come from the keys and the proposal, so they are the same in every style."""
    for number in range(200):
        seats = Seats(f"five fights {number}", opening=opening(markers=True))
        dice = [seats.face(beacon, "combat/1/att/die/1") for beacon in range(2, 7)]
        if all(2 <= die <= 5 for die in dice):
            return f"five fights {number}"
    raise AssertionError("no game of two hundred has such dice")


def orders_of(round_: str, *, said: bool) -> str:
    """A round: one of the five attacks, or nothing."""
    _, side, number = round_.split("/")
    if side != N or int(number) > len(FIGHTS):
        return "orders:\n" + QUIET
    start, space, units, _ = FIGHTS[int(number) - 1]
    stack = units.split()
    before = (
        f", losses: [INF, POL], advance: {{units: [{stack[1]}], to: [{space}]}}" if said else ""
    )
    return (
        f"orders:\n  - play: {{card: none}}\n  - activate: {{attack: [{start}]}}\n"
        f"  - attack: {{space: {space}, units: {{{start}: [{', '.join(stack)}]}}{before}}}\n"
    )


def turn(seats: Seats, *, policies: bool, said: bool, sealed: bool) -> list[str]:
    """The mails of a turn, up to the first Nationalist round of the next."""
    first = len(seats.fold.entries)
    while not (seats.orders_wanted and seats.table.round() == "9/nationalist/1"):
        asked, decision = seats.table.round(), seats.table.decision
        text = seats.silent()
        if seats.orders_wanted and decision is not None and decision.stage == "action":
            text = orders_of(asked, said=said) + POLICY * policies
            text += OWN * (policies and not said and asked.startswith("8/nationalist"))
            if sealed and asked.endswith("/6"):
                text += "standing:\n" * (not policies) + TURN_END
        seats.mail(text)
    mails = list(mails_in_words(seats.fold.entries[first:]))
    if seats.fold.entries[-1].by == "A":
        mails.pop()  # what stands before their first round goes with it
    return mails


OWN = "  own: {losses: [INF, POL], advance: never}\n"
STYLES = {
    "by policy": (True, True, 12),
    "said openly beside the orders": (True, False, 12),
    "asked for cards": (False, True, 22),
    "asked for all": (False, False, 42),
}
"""Whether the defender has policies, whether the attacker says all beforehand, and the mails."""
QUICK = "by policy"
TURN_ENDS = {"sealed": 0, "open, no marker on the map": 2, "open": 2}


@pytest.mark.parametrize(
    "style, end",
    [*((style, "sealed") for style in STYLES), *((QUICK, end) for end in list(TURN_ENDS)[1:])],
)
def test_a_turn_with_five_combats(style: str, end: str) -> None:
    """12 + 2 (asked combats) + 2 (choices after dice, each change of hands) + 2 (open turn end).

    An open turn end costs two, also where a marker lies on the map: the Republicans are asked for
    theirs first (6.0.F), behind their last round, and the Nationalists for both markers and
    discards (6.0.A.2) in one mail.
    """
    policies, said, mails = STYLES[style]
    seats = five_fights(POLICY if policies else "", markers=end != "open, no marker on the map")
    first = len(seats.fold.entries)
    written = turn(seats, policies=policies, said=said, sealed=end == "sealed")
    assert len(written) == mails + TURN_ENDS[end], "\n".join(written)
    fights = [each for each in seats.fold.told() if isinstance(each, Rolled)]
    assert [each.what for each in fights].count("combat") == len(FIGHTS)
    rounds = [at for at in range(first, len(seats.fold.entries)) if seats.plays(at)]
    assert len(rounds) == 12
    assert sum(seats.foretold[at] for at in rounds) == len(written)
    assert look_aheads(seats.fold) == []
