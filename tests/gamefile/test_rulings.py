"""Rulings of a director: more days, another in a silent player's seat, a result."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.gamefile import fork, rotation, rulings, standing_in, witness
from pbem.gamefile.compose import propose
from pbem.gamefile.draft import Draft
from pbem.gamefile.fold import Fold, after, replay
from pbem.gamefile.fork import NoFork
from pbem.gamefile.without_rules import replay_without_rules
from pbem.value import replace
from tests.gamefile.players import KEYS, NONCE, SEALED, TERMS, TOOL, entry_of, forge, opened
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.test_notes import refused
from tests.gamefile.test_silence import a_short_game, claim
from tests.gamefile.toy import open_toy
from tests.gamefile.tree_search import Move, Search, audit, end_round, pay_only, say
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


def test_who_has_closed_the_game_can_still_bring_a_ruling_and_closes_it_again():
    """The loser shows all and closes; then the winner shows nothing, and is ruled against."""
    over = write(opened(terms(of=SEALED), open_sealed_toy), KEYS["A"], resign=True)
    draft = Draft(over.machine, "A", KEYS["A"])
    draft.add(draft._audit())
    draft.add({"do": "close", "result": over.result, "audits": {"a": "clean", "b": None}})
    done = after(over, draft.sign(TOOL, None))
    assert done.machine.terms.closed == ("A",) and done.is_provisional
    assert refused(write, done, KEYS["A"], close=True).code == "E-TURN"
    assert refused(write, done, KEYS["A"], say=("Well?",)).code == "E-TURN"
    final = ruled(done, "A", result(done, "A"))
    assert final.result["winner"] == "A" and not final.is_provisional
    assert final.machine.terms.closed == ()
    again = write(write(final, KEYS["B"]), KEYS["A"], close=True)
    assert replay(again.entries, open_sealed_toy).head == again.head
    assert len(replay_without_rules(again.entries).entries) == len(again.entries)


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


def notes_of_a(fold):
    """What A may write out of turn, and bring a result on."""
    yield claimed(fold, "A", 22)
    yield write(fold, KEYS["A"], say=("Are you there?",), day=22)
    yield ruled(fold, "A", extension(fold, 7))
    yield deputy(fold, "A")


def test_a_result_on_ones_own_note_counts_against_an_answer_that_crossed_it():
    """W9: whoever waits for a ruling has written a note before, and the answer is on neither."""
    fold = waiting(1)
    mine = write(fold, KEYS["B"], PASS, day=22)
    for note in notes_of_a(fold):
        final = ruled(note, "A", result(note, "A"))
        for player in ("A", "B", None):
            assert (
                refused(witness.compare, witness.record(final, player), mine).code == "E-ROLLBACK"
            )
            crossed = witness.compare(witness.record(mine, player), final)
            assert crossed is None or crossed.main is final.entries[-1]
        assert witness.compare(witness.record(mine, "B"), final).notes == mine.entries[-1:]
        assert witness.loses(mine, final) and not witness.loses(final, mine)
        with pytest.raises(NoFork) as caught:
            fork.find(final.entries, mine.entries, open_toy)
        assert caught.value.why == "two-authors"
        answered = write(note, KEYS["B"], PASS) if note.phase == "running" else None
        if answered is not None:  # B has answered the note, which does not hold the result up
            assert witness.compare(witness.record(answered, "B"), final) is not None
            assert (
                refused(witness.compare, witness.record(final, "A"), answered).code == "E-ROLLBACK"
            )


def test_a_result_behind_the_end_counts_against_an_audit_that_crossed_it():
    over = write(opened(terms(of=SEALED), open_sealed_toy), KEYS["A"], resign=True)
    shown = write(over, KEYS["A"])
    final = ruled(shown, "A", result(shown, "A"))
    late = write(over, KEYS["B"])
    assert refused(witness.compare, witness.record(final, "A"), late).code == "E-ROLLBACK"
    assert witness.compare(witness.record(late, "B"), final).notes == late.entries[-1:]


def test_a_result_counts_against_what_its_author_wrote_out_of_turn_in_its_place():
    """Neither two main entries nor two notes, so it is no fork."""
    fold = waiting(1)
    note, final = write(fold, KEYS["A"], say=("Well?",)), ruled(fold, "A", result(fold, "A"))
    assert witness.compare(witness.record(note, "B"), final) is None
    assert refused(witness.compare, witness.record(final, "B"), note).code == "E-ROLLBACK"
    assert witness.loses(note, final) and not witness.loses(final, note)
    with pytest.raises(NoFork) as caught:
        fork.find(final.entries, note.entries, open_toy)
    assert caught.value.why == "two-authors" and "brings a result" in str(caught.value.told)


def test_who_brings_two_results_has_forked_and_the_proof_can_be_read():
    fold = waiting(1)
    final = ruled(fold, "A", result(fold, "A"))
    note = write(fold, KEYS["A"], say=("Well?",))
    second = ruled(note, "A", result(note, None))
    for one, two in ((final, second), (second, final)):
        found = refused(witness.compare, witness.record(one, "B"), two)
        assert found.code == "E-FORK" and found.whose == "A"
        proof = fork.find(one.entries, two.entries, open_toy)
        assert (proof.by, proof.seq) == ("A", 5)
        assert fork.find(*fork.stories(proof.bytes()), open_toy) == proof
    assert not witness.loses(final, second) and not witness.loses(second, final)


def test_more_days_are_no_result_that_could_count_against_another():
    """Days that B has brought in turn are a main entry, too."""
    fold = waiting(1)
    days = ruled(fold, "B", extension(fold, 7))
    assert not days.machine.entry.side
    final = ruled(fold, "A", result(fold, "A"))
    assert witness.compare(witness.record(days, "B"), final).notes == days.entries[-1:]
    found = refused(witness.compare, witness.record(final, "A"), days)
    assert found.code == "E-ROLLBACK" and "goes on without it" in str(found.message)


def test_players_who_both_bring_a_ruling_come_to_one_story():
    """The smaller signature counts, whatever the players write beside it; of one, that of A."""
    fold = waiting(1)
    for winner in "AB":
        steps = {"A": result(fold, "A"), "B": result(fold, winner)}
        both = {player: ruled(fold, player, steps[player]) for player in "AB"}
        counts = min("AB", key=lambda player: (steps[player]["sig"], player))
        for player, theirs in (("A", both["B"]), ("B", both["A"])):
            record = witness.record(both[player], player)
            if player == counts:
                assert refused(witness.compare, record, theirs).code == "E-ROLLBACK"
            else:
                assert witness.compare(record, theirs).notes == both[player].entries[-1:]


def bring(winner: str) -> Move:
    """A result, as a move of the search; the director would sign it for any place."""

    def move(draft: Draft) -> None:
        sig = rulings.signed(DORA, draft.machine, rulings.declared(winner))
        draft.add({"do": "ruling", "what": "result", "winner": winner, "sig": sig})

    return move


@pytest.mark.parametrize("honest", "AB")
@pytest.mark.parametrize("rolls", [False, True])
def test_results_lead_to_one_story_in_any_short_game(honest, rolls):
    """Every tree of three entries: decisions, words, claims that win, results and audits."""
    moves = {"pass": end_round, "pay": pay_only, "claim": claim, "say": say, "audit": audit,
             "A has won": bring("A"), "B has won": bring("B")}  # fmt: skip
    searched = Search(a_short_game(rolls), honest, moves, 3, memory="read")
    assert searched.run() == [] and searched.states > 100


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
