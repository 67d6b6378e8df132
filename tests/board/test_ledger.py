"""Modifiers by name, their sum, and a die with them."""

import pytest

from pbem.board.ledger import counted, die_told, total
from pbem.messages import say

CALLED = {"winter": say("winter in the mountains"), "armor": say("armor")}


def test_what_adds_nothing_is_left_out():
    ledger = counted(iter([("winter", -1), ("river", 0), ("armor", 2)]))
    assert ledger == (("winter", -1), ("armor", 2))
    assert total(ledger) == 1 and total(()) == 0


@pytest.mark.parametrize(
    "ledger, modified, words",
    [
        ((), 3, "die 3"),
        ((("winter", -1),), 2, "die 3, −1 (winter in the mountains) = 2"),
        ((("winter", -1), ("armor", 1)), 3, "die 3, −1 (winter in the mountains), +1 (armor) = 3"),
        ((("armor", 9),), 6, "die 3, +9 (armor) = 6"),
    ],
)
def test_a_die_tells_all_that_was_added(ledger, modified, words):
    assert str(die_told(3, ledger, modified, CALLED.__getitem__)) == words
