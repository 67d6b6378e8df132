"""What a round costs in mails, and that nobody in it decides what they could compute."""

import pytest

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.journal import Answered, Closed, Dropped, Lapsed, Ordered, Rolled
from pbem.gamefile.kept import ChainPlace
from pbem.gamefile.prospect import prospect
from pbem.value import replace
from tests.gamefile.players import (
    KEYS,
    opened,
    policy,
    reveal,
    started,
    steps,
    tried,
    write,
    written,
)
from tests.gamefile.toy import Toy

ATTACK = {"attack": {"force": 4}}
GO = {"advance": {"go": True}}
PASS = {"pass": {}}
HOLD = {"stand": {"how": "hold"}}
BACK = {"stand": {"how": "fall_back"}}
NO_CARD = {"card": {"use": None}}
FULL = policy("all", card=None, stand="hold")
CARDS = policy("cards", card=None)


def with_policy(*policies):
    """A table at A's first round where B has policies: they give them with their first reveal."""
    return write(started(), "B", policies=policies)


def kinds(fold, entry=-1):
    return [type(one).__name__ for one in fold.journal[entry]]


def test_no_chance_one_mail(seen):
    fold = write(opened(), "A", PASS)
    seen(fold)
    assert fold.pen == "B" and fold.waits.by == "B"


def test_full_policy_one_mail(seen):
    """The attacker's round is one mail; the defender's reveal and their own round are the next."""
    fold = write(with_policy(FULL), "A", ATTACK, GO, PASS)
    assert steps(fold) == ["orders", "reveal"] and fold.pen == "B"
    fold = write(fold, "B", {"draw": {}}, PASS)
    seen(fold)
    assert steps(fold) == ["reveal", "orders", "reveal"]
    assert {Rolled, Answered, Ordered} <= {type(one) for one in fold.journal[-1]}


def test_two_attacks_on_one_beacon_when_nobody_chooses_between(seen):
    fold = write(with_policy(FULL), "A", ATTACK, GO, ATTACK, GO, PASS)
    fold = write(fold, "B")
    seen(fold)
    rolls = [one for one in fold.journal[-1] if isinstance(one, Rolled)]
    assert [roll.n for roll in rolls] == [2, 2]
    labels = [record.label for roll in rolls for record in roll.records]
    assert labels == ["fight/1/att", "fight/1/def", "fight/2/att", "fight/2/def"]


def test_policy_for_cards_only_one_mail(seen):
    """They hold the pen when the dice fall: their choice and their own round are in that mail."""
    fold = write(with_policy(CARDS), "A", ATTACK, GO, PASS)
    fold = write(fold, "B", BACK, {"draw": {}})
    seen(fold)
    assert steps(fold) == ["reveal", "post_choice", "orders", "reveal"]
    assert fold.pen == "A"


def test_second_attack_behind_a_choice_two_more_mails(seen):
    fold = write(with_policy(CARDS), "A", ATTACK, GO, ATTACK, PASS)
    fold = write(fold, "B", BACK)
    seen(fold)
    assert steps(fold) == ["reveal", "post_choice", "reveal"] and fold.locked == 3
    assert Closed in {type(one) for one in fold.journal[-1]}
    fold = write(fold, "A")
    seen(fold)
    assert fold.pen == "B"


def test_asked_for_a_card_three_mails(seen):
    fold = write(opened(), "A", ATTACK, GO, PASS)
    assert fold.pen == "B" and fold.locked is None
    fold = write(fold, "B", NO_CARD, HOLD)
    assert steps(fold) == ["react", "reveal"] and fold.pen == "A"
    fold = write(fold, "A")
    seen(fold)
    assert steps(fold) == ["reveal"] and fold.pen == "B"
    assert fold.waits.what == "orders of round 2"


def test_asked_and_advance_not_declared_five_mails(seen):
    fold = write(opened(), "A", ATTACK)
    fold = write(fold, "B", NO_CARD, BACK)
    fold = write(fold, "A", {"advance": {"go": False}}, PASS)
    seen(fold)
    assert steps(fold) == ["reveal", "post_choice"] and fold.pen == "B"


def test_a_draw_inside_the_round_two_more_mails(seen):
    fold = write(opened(), "A", {"draw": {}})
    assert steps(fold) == ["orders", "reveal"] and fold.pen == "B"
    fold = write(fold, "B")
    assert steps(fold) == ["reveal"] and fold.pen == "A"
    seen(write(fold, "A", ATTACK))


def test_a_policy_sent_while_asked_does_not_answer_that_question(seen):
    fold = write(opened(), "A", ATTACK, GO)
    fold = write(fold, "B", NO_CARD, policies=(FULL,))
    assert steps(fold) == ["policy", "react", "reveal"]
    fold = write(fold, "A")
    seen(fold)
    assert "Answered" in kinds(fold), "it serves what is asked behind the dice, for this beacon"


def test_a_policy_behind_the_reveal_serves_only_later_beacons(seen):
    fold = write(with_policy(CARDS), "A", ATTACK, GO, ATTACK, PASS)
    fold = write(fold, "B", BACK, policies=(policy("late", stand="hold"),))
    seen(fold)
    late = [one for one in fold.policies("B") if one.slot == "late"]
    assert [one.stamp for one in late] == [2]
    fold = write(fold, "A")
    answered = [one.slot for one in fold.journal[-1] if isinstance(one, Answered)]
    assert answered in ([], ["late"])


def test_a_withdrawn_policy_still_speaks_for_the_beacon_it_was_fixed_for(seen):
    fold = with_policy(FULL)
    fold = write(fold, "A", ATTACK, GO, PASS)  # locked, with A's value shown
    gone = {"slot": "all", "scope": None, "until": None, "doc": None}
    fold = write(fold, "B", {"draw": {}}, policies=(gone,))
    seen(fold)
    assert "Answered" in kinds(fold)
    assert fold.policies("B") == ()


def test_a_policy_withdrawn_behind_a_lock_is_in_force_for_nobody_who_asks():
    fold = write(write(opened(), "A", PASS, policies=(FULL,)), "B", PASS)
    gone = {"do": "policy", "slot": "all", "scope": None, "until": None, "doc": None}
    draw = {"do": "orders", "list": [{"draw": {}}]}
    assert len(fold.policies("A")) == 1
    assert tried(fold, "A", [draw, reveal(fold, "A", 2), gone]).policies("A") == ()


def test_scope_asks(seen):
    fold = with_policy(policy("all", {"ask_from_force": 5}, card=None, stand="hold"))
    assert write(fold, "A", {"attack": {"force": 4}}).locked == 2
    asked = write(fold, "A", {"attack": {"force": 5}})
    seen(asked)
    assert asked.locked is None and asked.pen == "B"


def test_the_latest_policy_counts(seen):
    fold = with_policy(policy("one", card=None), policy("two", card=1))
    fold = write(fold, "A", ATTACK)
    seen(fold)
    (answer,) = [one for one in fold.journal[-1] if isinstance(one, Answered)]
    assert answer.slot == "two"


def test_what_was_for_another_attack_is_not_taken(seen):
    """The advance given for the second attack is not used for the first."""
    fold = write(opened(), "A", ATTACK, ATTACK, GO)
    fold = write(fold, "B", NO_CARD, BACK)
    fold = write(fold, "A")
    seen(fold)
    if fold.waits.what == "advance or stay":
        assert len(fold.given("A")) == 2 and fold.pen == "A"


def test_orders_that_do_not_fit_the_round_are_reported(seen):
    done = written(opened(), "A", PASS, ATTACK)
    seen(done.fold)
    assert done.unused == (1,)
    assert done.entry.steps == [{"do": "orders", "list": [PASS]}]


def test_dropped_when_the_next_order_is_reached(seen):
    fold = write(opened(), "A", GO, {"draw": {}}, PASS)
    seen(fold)
    (dropped,) = [one for one in fold.journal[-1] if isinstance(one, Dropped)]
    assert dropped.order == GO and dropped.sent == ChainPlace(4, 0, 0)


def test_lapse_behind_a_roll_and_its_alternative(seen):
    fold = with_policy(FULL)
    fold = write(fold, "A", {"attack": {"force": 12}}, {"attack": {"force": 13}}, PASS)
    fold = write(fold, "B")
    seen(fold)
    (lapsed,) = [one for one in fold.journal[-1] if isinstance(one, Lapsed)]
    assert lapsed.order == {"attack": {"force": 13}} and "strength" in str(
        lapsed.problems[0].message
    )
    assert fold.waits.what == "orders of round 2"


def test_illegal_orders_are_refused_all_at_once_with_their_places():
    orders = ({"attack": {"force": 99}}, {"attack": {"force": 0}}, PASS)
    with pytest.raises(FileRefused) as caught:
        write(opened(), "A", *orders)
    assert caught.value.code == "E-ORDER"
    assert [index for index, _ in caught.value.refusals] == [0, 1]
    assert len(caught.value.problems) == 3


def test_refused_places_are_those_of_the_whole_list():
    fold = write(with_policy(CARDS), "A", ATTACK, GO, PASS)
    with pytest.raises(FileRefused) as caught:
        write(fold, "B", BACK, {"attack": {"force": 99}})
    assert [index for index, _ in caught.value.refusals] == [1]


def test_what_is_ordered_behind_a_chance_is_judged_when_it_is_reached(seen):
    fold = write(with_policy(FULL), "A", ATTACK, GO, {"attack": {"force": 99}})
    assert type(fold.waits).__name__ == "DiceWanted" and len(fold.given("A")) == 2
    assert Rolled not in {type(one) for one in fold.journal[-1]}
    seen(fold)


def test_a_prospect_shows_what_the_second_revealer_knows(seen):
    fold = write(with_policy(FULL), "A", ATTACK, GO, PASS)
    mine, theirs = prospect(fold, KEYS["B"]), prospect(fold, KEYS["A"])
    seen(fold)
    assert mine.orders_wanted and mine.waits.what == "orders of round 2"
    assert not theirs.orders_wanted and theirs.locked == 2
    assert mine.fold.is_ahead and theirs.fold is fold
    assert fold.locked == 2, "looking ahead changes nothing"


def test_refused_when_it_is_not_their_turn():
    for player, orders, code in (
        ("B", (PASS,), "E-TURN"),
        ("B", (), "E-TURN"),
        ("A", (), "E-TURN"),
    ):
        with pytest.raises(FileRefused) as caught:
            write(opened(), player, *orders)
        assert caught.value.code == code


def test_refused_orders_before_a_roll():
    fold = write(with_policy(CARDS), "A", ATTACK, GO, ATTACK, PASS)
    fold = write(fold, "B", BACK)
    with pytest.raises(FileRefused) as caught:
        write(write(fold, "A"), "A", PASS)
    assert caught.value.code == "E-TURN"
    with pytest.raises(FileRefused) as caught:
        write(fold, "B", PASS)
    assert caught.value.code == "E-TURN" and "beacon 3" in str(caught.value.message)


# --- which orders are in the entry


def test_an_order_that_only_ends_is_left_out_where_nothing_asks(monkeypatch):
    unchecked, end = Toy.unchecked, {"pass": {}}
    monkeypatch.setattr(
        Toy, "unchecked",
        lambda toy, order: replace(unchecked(toy, order), only_ends="pass" in order),
    )  # fmt: skip
    made = written(opened(), "A", end, end)
    assert made.fold.entries[-1].steps[0]["list"] == [end] and made.unused == (1,)


def test_what_waits_stays_behind_an_order_that_passes_one_by():
    go = {"advance": {"go": True}}
    orders = [go, {"attack": {"force": 4}}, go]
    made = written(opened(), "A", *orders)
    assert made.fold.entries[-1].steps[0]["list"] == orders and not made.unused
    assert [each.sent.index for each in made.fold.given("A")] == [2]
