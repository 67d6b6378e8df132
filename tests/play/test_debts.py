"""What new secrets let a player out of, in random games by mail of every game."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.messages import words
from pbem.play.debts import debts, wiped_out
from pbem.play.game import Game, with_fold
from tests.play.test_sealed_by_mail import Sealed

TOLD = {
    "reveal": "their value of beacon", "deck_reply": "the proof that", "open": "show ",
    "unseal": "their sealed standing orders", "tell": "their secret choice",
    "list_tell": "their sealed list", "fact": "what only they can say of counters face down",
}  # fmt: skip
"""How each thing begins that is owed and leaves nothing to choose."""


def named(game: Game, player: str) -> set[str]:
    """What a player owes without a choice, each by its code: it is named as often as it is owed."""
    lines = [words(each) for each in debts(game, player)]
    due = Counter(thing.code for thing in game.fold.owed if thing.by == player)
    for code, begins in TOLD.items():
        assert sum(each.startswith(begins) for each in lines) >= due[code], (code, lines)
    return TOLD.keys() & due.keys()


@pytest.mark.parametrize(
    ("slug", "scenario", "options", "mails", "owed"),
    [
        ("crusade", "war_of_the_columns", (), 30, {"reveal", "deck_reply"}),
        ("madrid", "scenario_1", (), 30, {"reveal", "deck_reply"}),
        ("ctv", "santander", (), 10, {"reveal", "deck_reply"}),
        ("nopasaran", "jarama_pindoque", ("open_units",), 10, {"reveal", "tell"}),
    ],
)
def test_whatever_is_owed_without_a_choice_is_named(
    slug: str, scenario: str, options: tuple[str, ...], mails: int, owed: set[str]
) -> None:
    """As often as it is owed; and a player without debts is said to have none."""
    game, seen, free = Sealed("debts", scenario, *options, slug=slug), set[str](), False
    for _ in range(mails):
        if game.fold.phase == "over":
            break
        game.mail()
        now = with_fold(game.fold)
        for player in "AB":
            seen |= named(now, player)
            lines = debts(now, player)
            heading = words(wiped_out(now, player)[0])
            assert heading.endswith("unless they still have the old ones:") == bool(lines)
            free |= not lines
    assert seen >= owed, seen
    assert free
