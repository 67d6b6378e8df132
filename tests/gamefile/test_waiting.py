"""Orders that wait: what they wait for, what outlives a round, and what takes its place (11)."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import after
from pbem.gamefile.journal import Dropped, Lapsed, Ordered, PassedOver
from pbem.gamefile.verify import proven
from pbem.gamefile.without_rules import replay_without_rules
from pbem.value import replace
from tests.gamefile.players import forge, opened, tried, write
from tests.gamefile.toy import Toy
from tests.gamefile.waiting_game import HOLD, PASS, REFUSED, answered, attack, planned, refusals


def told(fold, kind, entry=-1):
    return [one.order for one in fold.journal[entry] if isinstance(one, kind)]


def given(fold, player):
    return [item.order for item in fold.given(player)]


def test_an_order_is_passed_over_where_what_it_waits_for_is_not_so():
    fold = planned()
    assert told(fold, PassedOver) == [attack(9, ground=1)]
    assert told(fold, Ordered) == [PASS]
    assert told(fold, Lapsed) == told(fold, Dropped) == []
    assert proven(fold).lapsed == 1


def test_what_waits_outlives_a_round_and_is_carried_out_when_it_is_so():
    assert given(planned(), "A") == [attack(2, round=3), attack(4, round=5)]
    fold = answered()
    assert told(fold, Ordered) == [PASS, attack(2, round=3)]
    assert fold.machine.waits.what == "a card for the defence"
    assert given(fold, "A") == [attack(4, round=5)]


def test_what_does_not_wait_ends_with_its_round():
    fold = write(opened(), "A", PASS, attack(2), attack(3, round=3))
    assert given(fold, "A") == [], "what a round's end drops is kept back, and what is behind it"
    fold = tried(opened(), "A", [{"do": "orders", "list": [PASS, attack(2), attack(3, round=3)]}])
    assert told(fold, Dropped) == [attack(2)]
    assert given(fold, "A") == [attack(3, round=3)]


def test_answers_go_with_the_order_that_they_follow_from():
    listed = [PASS, attack(2), HOLD, attack(3, round=3), HOLD, PASS]
    fold = tried(opened(), "A", [{"do": "orders", "list": listed}])
    assert given(fold, "A") == [attack(3, round=3), HOLD]


def test_new_orders_take_the_place_of_what_has_outlived_a_round():
    fold = write(opened(), "A", PASS, attack(4, round=5), HOLD)
    fold = write(fold, "B", PASS)
    assert told(fold, PassedOver) == [attack(4, round=5)]
    assert given(fold, "A") == [HOLD] and fold.machine.waits.what == "orders of round 3"
    fold = write(fold, "A", PASS, attack(6, round=5))
    (gone,) = [one for one in fold.journal[-1] if isinstance(one, Dropped)]
    assert gone.order == HOLD and gone.is_replaced and not gone.asked
    assert given(fold, "A") == [attack(6, round=5)]


def test_an_answer_to_the_enemy_leaves_what_waits():
    fold = write(opened(), "A", PASS, attack(4, round=3))
    fold = write(fold, "B", attack(3), {"advance": {"go": True}})
    assert fold.machine.waits.kind == "react"
    fold = write(fold, "A", {"card": {"use": None}})
    assert given(fold, "A") == [attack(4, round=3)]


def test_what_outlives_a_round_lapses_where_it_is_not_legal_then():
    fold = write(write(opened(), "A", PASS, attack(99, round=3)), "B", PASS)
    assert told(fold, Lapsed) == [attack(99, round=3)] and given(fold, "A") == []
    with pytest.raises(FileRefused) as refused:
        write(opened(), "A", attack(99, round=1))
    assert refused.value.code == "E-ORDER"


def test_a_list_whose_orders_are_all_passed_over_answers_nothing():
    with pytest.raises(FileRefused, match="nothing here answers the question"):
        write(opened(), "A", attack(2, ground=1), attack(2, round=2))


@pytest.mark.parametrize("what", REFUSED)
def test_what_no_order_can_wait_for_is_refused(what):
    ((step, expected),) = [(step, code) for name, code, step in refusals() if name == what]
    with pytest.raises(FileRefused) as refused:
        after(opened(), forge(opened(), "A", [step]))
    assert refused.value.code == expected


def test_it_is_refused_wherever_it_stands_in_the_list():
    with pytest.raises(FileRefused) as refused:
        tried(opened(), "A", [{"do": "orders", "list": [PASS, attack(2, weather=1)]}])
    assert refused.value.code == "E-ORDER"


def stumbles(*_: Any) -> bool:
    raise KeyError("ground")


def test_what_the_rules_stumble_over_is_not_so_and_does_not_wait():
    fold = planned()
    with patch.object(Toy, "holds", stumbles):
        fold = write(fold, "B", PASS)
    assert told(fold, PassedOver) == [attack(2, round=3), attack(4, round=5)]
    with patch.object(Toy, "outlives", stumbles):
        assert given(planned(), "A") == []


def test_a_file_with_them_is_judged_without_its_rules():
    fold = answered()
    assert len(replay_without_rules(fold.entries).entries) == len(fold.entries)
    spoilt = forge(planned(), "B", [{"do": "orders", "list": [{**PASS, "when": [1]}]}])
    with pytest.raises(FileRefused) as refused:
        replay_without_rules([*planned().entries, spoilt])
    assert refused.value.code == "E-SCHEMA"


def test_positions_of_both_players_judge_alike():
    """What is known to one view alone is nothing that an order can wait for."""
    fold = planned()
    own = replace(fold.machine.table, hands=((1, 1), (2, 2)))
    waits = own.read(attack(2, round=3))
    assert own.holds(waits) == fold.machine.table.holds(waits)
