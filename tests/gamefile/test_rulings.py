"""Rulings of a director: more days, another in a silent player's seat, a result."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.gamefile import fork, rotation, standing_in, witness
from pbem.gamefile.compose import propose
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.fork import NoFork
from pbem.gamefile.without_rules import replay_without_rules
from pbem.value import replace
from tests.gamefile.players import KEYS, NONCE, SEALED, TERMS, TOOL, entry_of, forge, opened
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.test_notes import refused
from tests.gamefile.toy import open_toy
from tests.gamefile.vanished import (
    CARA,
    DORA,
    EVE,
    PASS,
    begun,
    claimed,
    deputy,
    extension,
    result,
    ruled,
    seat,
    terms,
    waiting,
    write,
)

DRAW = {"draw": {}}


def test_a_result_is_final_whoever_brings_it():
    fold = waiting(1)
    for by in "AB":
        over = ruled(fold, by, result(fold, "A"))
        assert over.result == {"winner": "A", "how": "ruling of the director"}
        assert not over.machine.entry.side and over.machine.entry.beside == ()
        assert replay(over.entries, open_toy).head == over.head
        assert len(replay_without_rules(over.entries).entries) == len(over.entries)


def test_a_winner_of_a_vanished_player_shows_their_secrets_and_is_done():
    fold = write(opened(terms(of=SEALED), open_sealed_toy), KEYS["A"], PASS, day=1)
    over = ruled(fold, "A", result(fold, "A"))
    assert over.is_provisional and over.pen == "B"
    shown = write(over, KEYS["A"])
    assert not shown.is_provisional
    assert replay(shown.entries, open_sealed_toy).head == shown.head


def test_a_winner_who_vanishes_at_the_audit_can_be_ruled_against():
    fold = opened(terms(of=SEALED), open_sealed_toy)
    over = write(fold, KEYS["A"], resign=True)
    assert over.is_provisional and over.pen == "B"  # B has won, and shows nothing
    shown = write(over, KEYS["A"])
    assert shown.machine.entry.side and shown.is_provisional
    final = ruled(shown, "A", result(shown, "A"))  # on one's own note, too
    assert final.result["winner"] == "A" and not final.is_provisional
    assert replay(final.entries, open_sealed_toy).head == final.head
    assert refused(ruled, final, "A", result(final, "B")).code == "E-TURN"


def test_a_ruling_is_for_one_place_by_one_director():
    fold = waiting(1)
    step = result(fold, "A")
    for wrong in (
        {**step, "winner": "B"}, {**step, "winner": None}, result(fold, "A", EVE),
        {**extension(fold, 7), "days": 8}, result(write(fold, KEYS["A"], say=("?",)), "A"),
    ):  # fmt: skip
        found = refused(ruled, fold, "A", wrong)
        assert (found.code, found.rule) == ("E-KEY", "the director")
    plain = write(opened(), KEYS["A"], PASS)
    assert refused(ruled, plain, "A", result(plain, "A")).code == "E-CONSENT"
    other = opened(replace(terms(), silence=None))
    assert refused(ruled, other, "A", extension(other, 7)).code == "E-TURN"


def test_a_ruling_has_an_entry_of_its_own():
    fold = waiting(1)
    entry = forge(fold, "A", [{"do": "offer", "what": "draw"}, result(fold, "A")])
    assert refused(replay, [*fold.entries, entry], open_toy).code == "E-TURN"


def test_the_shape_of_a_ruling_is_closed():
    fold = waiting(1)
    for wrong in (
        {**result(fold, "A"), "days": 3}, {**extension(fold, 7), "winner": "A"},
        {"do": "ruling", "what": "result", "sig": "A" * 86 + "=="},
        {**seat(fold, "B"), "signed_by": "opponent"},
        {key: told for key, told in seat(fold, "B").items() if key != "sig"},
    ):  # fmt: skip
        assert refused(replay, [*fold.entries, forge_raw(fold, wrong)], open_toy).code == "E-SCHEMA"


def forge_raw(fold, step):
    """An entry with a step of the wrong shape."""
    return entry_of(fold, "A", [step], "0" * 16)


def test_a_director_is_nobody_else_in_the_game():
    for key in (KEYS["A"], KEYS["B"]):
        found = refused(
            propose, KEYS["A"], KEYS["B"].public, replace(TERMS, director=key.public), open_toy,
            nonce=NONCE, tool=TOOL,
        )  # fmt: skip
        assert found.code == "E-KEY"
    found = refused(
        propose, KEYS["A"], KEYS["B"].public, terms(), open_toy, nonce=NONCE, tool=TOOL,
        spare=DORA.public,
    )  # fmt: skip
    assert found.code == "E-KEY"


# --- another in a silent player's seat


def test_the_director_seats_somebody_who_goes_on():
    fold = waiting(1)
    sat = ruled(fold, "A", seat(fold, "B"))
    assert sat.machine.entry.side and sat.pen == "B" and sat.player_of(EVE.public) == "B"
    assert rotation.seated(sat.machine, "B") is not None
    offered = write(fold, KEYS["A"], say=("Well?",))
    assert ruled(offered, "A", seat(offered, "B")).pen == "B"
    assert refused(sat.player_of, KEYS["B"].public).code == "E-KEY"
    assert replay(sat.entries, open_toy).head == sat.head


def test_who_is_seated_has_no_secrets_and_goes_on_with_new_ones():
    fold = write(opened(terms(of=SEALED), open_sealed_toy), KEYS["A"], PASS, day=1)
    sat = ruled(fold, "A", seat(fold, "B"))
    assert refused(write, sat, EVE, DRAW).code == "E-KEY"
    taken = write(seated(fold, open_sealed_toy), EVE, answer=True)
    assert taken.machine.keys.renewals[-1].of == "B"
    assert replay(taken.entries, open_sealed_toy).head == taken.head


def seated(fold: Fold, table: Any = open_toy) -> Fold:
    """The fold in which EVE has the seat of B, and A has offered new secrets with it."""
    entry = forge(fold, "A", [seat(fold, "B"), {"do": "offer", "what": "renew"}])
    return replay([*fold.entries, entry], table)


def test_an_answer_of_the_player_passes_the_seating_over_and_is_no_fork():
    fold = waiting(1)
    sat = ruled(fold, "A", seat(fold, "B"))
    mine = write(fold, KEYS["B"], PASS)
    assert witness.compare(witness.record(sat, "A"), mine) is not None
    played = write(seated(fold), EVE, answer=True)
    found = refused(witness.compare, witness.record(played, "A"), mine)
    assert found.code == "E-FORK" and found.whose is None
    with pytest.raises(NoFork) as caught:
        fork.find(played.entries, mine.entries, open_toy)
    assert caught.value.why == "on-word"


def test_who_is_seated_and_tells_two_stories_has_forked():
    fold = waiting(1)
    sat = seated(fold)
    one, two = write(sat, EVE, answer=True), write(sat, EVE, answer=True, say=("Hello.",))
    assert fork.find(one.entries, two.entries, open_toy).key == EVE.public


# --- crossing


def test_a_result_counts_against_an_answer_that_crossed_it():
    """W9: two main entries of both players at one place."""
    fold = waiting(1)
    over, mine = ruled(fold, "A", result(fold, "A")), write(fold, KEYS["B"], PASS)
    for told in (witness.record(mine, "B"), witness.record(mine, "A")):
        witness.compare(told, over)
    for player in "AB":
        assert refused(witness.compare, witness.record(over, player), mine).code == "E-ROLLBACK"
    with pytest.raises(NoFork) as caught:
        fork.find(over.entries, mine.entries, open_toy)
    assert caught.value.why == "two-authors"


def test_players_who_both_bring_a_ruling_come_to_one_story():
    fold = waiting(1)
    both = {player: ruled(fold, player, result(fold, "A")) for player in "AB"}
    counts = min(both, key=lambda player: both[player].head)
    for player, theirs in (("A", both["B"]), ("B", both["A"])):
        record = witness.record(both[player], player)
        if player == counts:
            assert refused(witness.compare, record, theirs).code == "E-ROLLBACK"
        else:
            assert witness.compare(record, theirs).notes == both[player].entries[-1:]


def test_who_went_on_does_not_go_back_to_a_ruling():
    fold = waiting(1)
    over, went_on = ruled(fold, "A", result(fold, "A")), write(fold, KEYS["B"], PASS)
    went_on = write(went_on, KEYS["A"], PASS)
    found = refused(witness.compare, witness.record(went_on, "B"), over)
    assert found.code == "E-FORK"


def test_a_claim_and_a_result_stand_on_each_other():
    claim = claimed(waiting(1), "A", 22)
    final = ruled(claim, "A", result(claim, "A"))
    assert final.result["how"] == "ruling of the director" and not final.machine.entry.side


def test_a_deputy_may_bring_a_ruling():
    fold = write(deputy(begun(), "A"), KEYS["A"], PASS)
    over = standing_in.with_ruling(fold, CARA, result(fold, None), tool=TOOL)
    assert over.result["winner"] is None
