"""What a round of Crusade costs in mails: every row of the protocol's table, by the game itself.

A round costs as many mails as there are entries before the one in which the other player begins
their own. Each test names every entry and what stands in it, and that as many were foretold.

Rows that the rules of this game leave empty:
- *The attacker answers the defender's card*, and *both choose in secret*: the attacker commits
their
  cards with the attack, and the defender theirs, knowing them (11.2.4, 8.5.3.1); then dice fall.
- *A draw in the middle of a round*: cards are drawn in the Draw Phase alone (6.0.A.3).
"""

from __future__ import annotations

import pytest

from pbem.gamefile.journal import Ordered
from pbem.games.crusade.orders import CombatCards
from tests.gamefile.knowledge import look_aheads
from tests.games.crusade.board import N, R, table
from tests.games.crusade.fights import Round, attack, field
from tests.play.two_seats import Seats, in_the_middle, rounds_from, with_cards

ATTACK = "  - attack: {space: riotinto, units: {sevilla: [N-V, INF-15, N-POL-4]}%s}\n"
LOSSES = ", losses: [INF, POL]"
ADVANCE = ", advance: {units: [INF-15], to: [riotinto]}"
FURTHER = (
    "  - attack: {space: merida, units: {caceres: [INF-14]}, losses: [INF],"
    " advance: {units: [INF-14], to: [merida]}}\n"
)
ONE = "orders:\n  - play: {card: none}\n  - activate: {attack: [sevilla]}\n"
TWO = "orders:\n  - play: {card: N3, for: operations}\n  - activate: {attack: [sevilla, caceres]}\n"
QUIET = "orders:\n  - play: {card: none}\n  - activate: {}\n"
BOTH = LOSSES + ADVANCE

NOTHING = ""
FULL = """standing:
  combat_card: none
  losses: [MIL, POL]
  cancel_retreat: never
  retreat: toward_supply
"""
WITH_A_CARD = FULL.replace("none", "[R7]")
CARDS = "standing:\n  combat_card: none\n  scope: {only: [cards]}\n"


def at_riotinto(standing: str) -> Seats:
    """A Nationalist round of turn 8; the Republicans gave their standing orders in their last.

    With a die of three the attack on Riotinto is won, the beaten live to retreat, and each side has
    a choice of losses.
    """
    stacks = {
        "sevilla": "N-V INF-15 N-POL-4", "riotinto": "R-MIL-12 R-MIL-14 R-MIL-15",
        "santa_olalla": "", "merida": "R-POL-7", "caceres": "INF-14",
    }  # fmt: skip
    position = table(8, units=stacks, active=N)
    position = with_cards(position, nationalist="N3 N5", republican="R7 R29")
    opening = in_the_middle(position, *rounds_from(N, 3))
    for seed in range(40):
        seats = Seats(f"in riotinto {seed}", opening=opening)
        if seats.face(2, "combat/1/att/die/1") == 3:
            seats.mail(QUIET)
            seats.mail(QUIET + standing)
            return seats
    raise AssertionError("no game of forty has such a die")


ROWS = {
    "no randomness": (FULL, QUIET, ["A: orders", "B: orders"]),
    "full policy": (FULL, ONE + ATTACK % BOTH, ["A: orders reveal", "B: reveal unseal orders"]),
    "full policy that plays a card": (
        WITH_A_CARD, ONE + ATTACK % BOTH, ["A: orders reveal", "B: reveal unseal open orders"],
    ),
    "policy for cards only": (
        CARDS, ONE + ATTACK % BOTH, ["A: orders reveal", "B: reveal unseal post_choice orders"],
    ),
    "advance not said": (
        FULL, ONE + ATTACK % LOSSES,
        ["A: orders reveal", "B: reveal unseal", "A: post_choice", "B: orders"],
    ),
    "nor losses": (
        FULL, ONE + ATTACK % "",
        ["A: orders reveal", "B: reveal unseal", "A: post_choice", "B: post_choice",
         "A: post_choice", "B: orders"],
    ),
    "asked": (
        NOTHING, ONE + ATTACK % BOTH,
        ["A: orders", "B: react reveal", "A: reveal", "B: post_choice orders"],
    ),
    "asked, advance not said": (
        NOTHING, ONE + ATTACK % LOSSES,
        ["A: orders", "B: react reveal", "A: reveal", "B: post_choice", "A: post_choice",
         "B: orders"],
    ),
    "asked, nothing said": (
        NOTHING, ONE + ATTACK % "",
        ["A: orders", "B: react reveal", "A: reveal", "B: post_choice", "A: post_choice",
         "B: post_choice", "A: post_choice", "B: orders"],
    ),
    "two attacks, full policy": (
        FULL, TWO + ATTACK % BOTH + FURTHER, ["A: open orders reveal", "B: reveal unseal orders"],
    ),
    "two attacks, policy for cards only": (
        CARDS, TWO + ATTACK % BOTH + FURTHER,
        ["A: open orders reveal", "B: reveal unseal post_choice react reveal", "A: reveal",
         "B: orders"],
    ),
    "two attacks, advance of the first not said": (
        FULL, TWO + ATTACK % LOSSES + FURTHER,
        ["A: open orders reveal", "B: reveal unseal", "A: post_choice", "B: react reveal",
         "A: reveal", "B: orders"],
    ),
    "two attacks, asked for each": (
        NOTHING, TWO + ATTACK % BOTH + FURTHER,
        ["A: open orders", "B: react reveal", "A: reveal", "B: post_choice react reveal",
         "A: reveal", "B: orders"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_what_a_round_costs(row: str) -> None:
    standing, orders, entries = ROWS[row]
    seats = at_riotinto(standing)
    first = len(seats.fold.entries)
    assert seats.played_out(orders) == entries
    assert seats.foretold[first] == len(entries) - 1
    assert look_aheads(seats.fold) == []


# --- what a row leaves open ---------------------------------------------------------------------


def test_standing_orders_given_anew_with_the_reveal_answer_the_second_attack_too() -> None:
    """What was unsealed is spent once the attacker has chosen; the forecast reckons with that."""
    seats = at_riotinto(FULL)
    first = len(seats.fold.entries)
    assert seats.played_out(TWO + ATTACK % LOSSES + FURTHER, FULL) == [
        "A: open orders reveal", "B: reveal unseal policy", "A: post_choice reveal",
        "B: reveal unseal orders",
    ]  # fmt: skip
    assert seats.foretold[first] == 5


IN_CLEAR = """orders:
  - combat_card: {cards: []}
  - losses: {steps: [R-MIL-12, R-MIL-12, R-MIL-14]}
  - losses: {steps: [R-MIL-12, R-MIL-12, R-MIL-14, R-MIL-14]}
  - retreat: {unit: R-MIL-14, path: [jerez_de_los_caballeros]}
  - retreat: {unit: R-MIL-15, path: [jerez_de_los_caballeros]}
  - retreat: {unit: R-MIL-14, path: [jerez_de_los_caballeros, zafra]}
  - retreat: {unit: R-MIL-15, path: [jerez_de_los_caballeros, zafra]}
"""


def test_a_defender_who_says_all_in_clear_saves_the_attackers_question_too() -> None:
    """Three mails even where the advance was not said: who reveals last decides for nothing."""
    seats = at_riotinto(NOTHING)
    assert seats.played_out(ONE + ATTACK % LOSSES, IN_CLEAR) == [
        "A: orders", "B: react reveal", "A: reveal post_choice", "B: orders",
    ]  # fmt: skip
    taken = [each.order for each in seats.fold.told() if isinstance(each, Ordered)]
    assert [verb for order in taken[-6:] for verb in order][:4] == [
        "combat_card", "losses", "retreat", "advance",
    ]  # fmt: skip


def test_a_policy_sealed_with_the_card_serves_these_dice() -> None:
    seats = at_riotinto(NOTHING)
    card = "orders:\n  - combat_card: {cards: []}\n"
    assert seats.played_out(ONE + ATTACK % BOTH, card + FULL) == [
        "A: orders", "B: policy react reveal", "A: reveal", "B: unseal orders",
    ]  # fmt: skip


@pytest.mark.parametrize("said, entries", [
    ("  - done\n", ["A: orders reveal", "B: reveal unseal orders"]),
    ("", ["A: orders reveal", "B: reveal unseal", "A: orders", "B: orders"]),
])  # fmt: skip
def test_to_see_the_dice_before_the_next_attack_costs_two(said: str, entries: list[str]) -> None:
    """Who wants no other attack says so; else the game asks them."""
    seats = at_riotinto(FULL)
    first = len(seats.fold.entries)
    orders = TWO.replace("N3", "N5") + ATTACK % BOTH + said
    assert [each.replace("open ", "") for each in seats.played_out(orders)] == entries
    assert seats.foretold[first] == len(entries) - 1


DIG = """orders:
  - play: {card: N5, for: operations}
  - activate: {move: [caceres], attack: [sevilla]}
  - fortify: {space: caceres, by: INF-14}
"""


@pytest.mark.parametrize("attack, entries", [
    (ATTACK % BOTH, ["A: open orders reveal", "B: reveal unseal orders"]),
    ("", ["A: open orders reveal", "B: reveal", "A: orders", "B: orders"]),
])  # fmt: skip
def test_to_see_what_was_built_before_the_attack_costs_two(attack: str, entries: list[str]) -> None:
    """10.2.2: builders roll before the combats; the attack may stand behind in the same mail."""
    seats = at_riotinto(FULL)
    first = len(seats.fold.entries)
    assert seats.played_out(DIG + attack) == entries
    assert seats.foretold[first] == len(entries) - 1


def test_between_the_defenders_cards_and_the_dice_nobody_is_asked() -> None:
    position = field(8, sevilla="AFR-1 INF-1", riotinto="R-MIL-1", hand={R: ["R7"], N: ["N33"]})
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="AFR-1 INF-1"))
    assert fought.question == "combat cards"
    assert fought.say(CombatCards(("R7",))).question == "dice"


# --- cards --------------------------------------------------------------------------------------


LOOK = "orders:\n  - play: {card: N32, for: event}\n"


@pytest.mark.parametrize("more, entries", [
    ("", ["A: open orders", "B: open", "A: orders", "B: orders"]),
    ("  - activate: {}\n", ["A: open orders", "B: open orders"]),
])  # fmt: skip
def test_a_hand_that_is_examined(more: str, entries: list[str]) -> None:
    """Two mails for who goes on with what they saw; none for who did not need to see it first."""
    position = with_cards(table(8, active=N), nationalist="N32 N5", republican="R7 R3 R29")
    seats = Seats("look", opening=in_the_middle(position, *rounds_from(N, 3)))
    seats.mail(QUIET)
    seats.mail(QUIET)
    first = len(seats.fold.entries)
    assert seats.played_out(LOOK + more) == entries
    assert seats.foretold[first] == len(entries) - 1
    known = seats.fold.in_play.known()
    assert {known[slot] for slot in seats.fold.in_play.hand("B")} == {"R3", "R7", "R29"}
