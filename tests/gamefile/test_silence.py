"""Terms for silence: when a claim by them is good, and what comes of it."""

from __future__ import annotations

import pytest

from pbem.gamefile import witness
from pbem.gamefile.chain import sign_entry
from pbem.gamefile.draft import Draft
from pbem.gamefile.entry import begin_entry, end_entry, take_step
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.in_play import other
from pbem.gamefile.journal import Cured
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.negotiation import own_new_key
from pbem.gamefile.records import owed_by
from pbem.gamefile.without_rules import replay_without_rules
from tests.gamefile.players import KEYS, SEALED, TERMS, TOOL, opened, proposed
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.test_notes import refused
from tests.gamefile.toy import open_toy
from tests.gamefile.tree_players import open_duel
from tests.gamefile.tree_search import DECISIONS, WORDS, Search, audit
from tests.gamefile.vanished import (
    DAY,
    PASS,
    begun,
    claimed,
    deputy,
    extension,
    result,
    ruled,
    terms,
    waiting,
    write,
)


def why(fold: Fold, by: str, day: int) -> str:
    """What a claim by the terms is refused with."""
    found = refused(claimed, fold, by, day)
    assert (found.code, found.rule) == ("E-TURN", "silence")
    return str(found.message)


def test_a_claim_is_good_from_its_minute_on_and_not_before():
    fold = waiting(1)
    told = (
        "the time agreed on is not over: it began on 2026-03-01T10:00Z (entry 4), and the claim "
        "states "
    )
    assert why(fold, "A", 21) == f"{told}2026-03-21T10:00Z"
    assert str(refused(claimed, fold, "A", 21).hint) == "claim it from 2026-03-22T10:00Z on"
    over = claimed(fold, "A", 22)
    assert over.result == {"winner": "A", "how": "silence"} and over.machine.entry.side
    assert replay(over.entries, open_toy).head == over.head
    assert len(replay_without_rules(over.entries).entries) == len(over.entries)


def test_a_changed_program_cannot_claim_before_its_day_either():
    """The words of the claim refuse it, wherever the file is read."""
    fold = waiting(1)
    machine = begin_entry(fold.machine, "A", time=DAY.format(22))
    step = {"do": "claim_forfeit", "since": fold.head, "owed": ["answer card"], "silence": True}
    step["owed"] = [thing.machine for thing in fold.owed if thing.by == "B"]
    post = end_entry(take_step(machine, step)).post()
    payload = {
        "v": 1, "game": fold.game, "seq": 5, "prev": fold.head, "by": "A", "steps": [step],
        "post": post, "tool": "changed", "time": DAY.format(21),
    }  # fmt: skip
    early = [*fold.entries, sign_entry(KEYS["A"], payload)]
    assert refused(replay, early, open_toy).code == "E-TURN"
    in_time = [*fold.entries, sign_entry(KEYS["A"], {**payload, "time": DAY.format(22)})]
    assert replay(in_time, open_toy).phase == "over"
    del payload["time"]
    assert "must state its date" in str(
        refused(replay, [*fold.entries, sign_entry(KEYS["A"], payload)], open_toy).message
    )


def test_dates_that_are_missing_or_out_of_order_count_nothing():
    assert why(waiting(0), "A", 28) == "entry 4 states no date, so no days can be counted from it"
    assert why(waiting(5), "A", 3) == (
        "the claim states 2026-03-03T10:00Z, which is before entry 4: 2026-03-05T10:00Z"
    )
    assert "must state its date" in why(waiting(1), "A", 0)
    fold = write(begun(), KEYS["A"], PASS, day=1)
    undated = "2026-02-30T10:00Z"  # a day that does not exist is none
    machine = begin_entry(fold.machine, "A", time=undated)
    step = {"do": "claim_forfeit", "since": fold.head, "silence": True,
            "owed": [thing.machine for thing in fold.owed if thing.by == "B"]}  # fmt: skip
    assert "must state its date" in str(refused(take_step, machine, step).message)


def test_a_later_date_of_the_silent_player_counts_unless_it_is_in_the_future():
    fold = write(begun(), KEYS["A"], PASS, day=1)
    fold = write(fold, KEYS["B"], PASS, day=8)
    fold = write(fold, KEYS["A"], PASS, day=2)  # a clock set back
    assert "it began on 2026-03-08T10:00Z (entry 6)" in why(fold, "A", 28)
    assert claimed(fold, "A", 29).phase == "over"
    fold = write(write(begun(), KEYS["A"], PASS, day=1), KEYS["B"], PASS, day=31)
    fold = write(fold, KEYS["A"], PASS, day=2)  # a date that lies ahead holds nobody up
    assert claimed(fold, "A", 23).phase == "over"


def test_who_keeps_the_pen_does_not_switch_the_terms_off():
    """An entry of the silent player that leaves them the pen, undated or dated ahead, holds nobody
    up: the days are counted from the last date of the other player, or theirs if it is later.
    """
    fold = write(begun(), KEYS["A"], PASS, day=1)
    fold = write(fold, KEYS["B"], {"attack": {"force": 2}}, day=2)
    fold = write(fold, KEYS["A"], {"card": {"use": None}}, day=3)
    for day, since in ((0, 3), (31, 3), (4, 4), (2, 3)):
        kept = write(fold, KEYS["B"], day=day)  # their value alone: they are asked again
        assert kept.pen == "B"
        told = f"the time agreed on is not over: it began on 2026-03-{since:02}T10:00Z"
        assert told in why(kept, "A", since + 20)
        assert replay(claimed(kept, "A", since + 21).entries, open_toy).phase == "over"
    fold = write(begun(), KEYS["A"], PASS)
    fold = write(fold, KEYS["B"], {"attack": {"force": 2}})
    fold = write(write(fold, KEYS["A"], {"card": {"use": None}}), KEYS["B"])
    assert why(fold, "A", 28) == "entry 7 states no date, so no days can be counted from it"


def test_a_date_ahead_delays_a_claim_by_the_days_once_more_at_most():
    fold = write(write(begun(), KEYS["A"], PASS, day=1), KEYS["B"], PASS, day=22)
    fold = write(fold, KEYS["A"], PASS, day=2)
    assert "it began on 2026-03-22T10:00Z (entry 6)" in why(fold, "A", 23)
    end = "2026-04-12T10:00Z"  # 21 days after that
    assert str(refused(claimed, fold, "A", 28).hint) == f"claim it from {end} on"


def test_words_and_keys_are_no_answer_and_an_answer_starts_anew():
    fold = waiting(1)
    asked = write(fold, KEYS["A"], say=("Are you there?",), day=10)
    assert claimed(asked, "A", 22).phase == "over"  # on one's own note, too
    assert refused(write, asked, KEYS["A"], claim_forfeit=True).code == "E-TURN"
    alive = ruled(fold, "B", extension(fold, 1))  # whoever brings a ruling has not answered
    named = deputy(alive, "B", time="2026-03-20T10:00Z")
    assert claimed(named, "A", 23).phase == "over"
    answered = write(write(fold, KEYS["B"], PASS, day=20), KEYS["A"], PASS, day=21)
    assert "it began on 2026-03-21T10:00Z (entry 6)" in why(answered, "A", 31)


def test_there_must_be_terms_and_nobody_adjourned():
    fold = write(opened(), KEYS["A"], PASS, day=1)
    assert why(fold, "A", 28) == "the game was begun without terms for silence"
    fold = waiting(1)
    fold = write(fold, KEYS["A"], offer={"what": "adjourn"}, day=2)
    fold = write(fold, KEYS["B"], answer=True, day=3)
    assert "adjourned" in why(fold, "A", 28)


def test_only_an_answer_ends_a_pause():
    """The waiting player could end it by naming a deputy, and claim at once."""
    fold = write(waiting(1), KEYS["A"], offer={"what": "adjourn", "until": "September"}, day=2)
    fold = write(fold, KEYS["B"], answer=True, day=3)
    for by in "AB":  # a note, and an entry in turn
        new = own_new_key(fold, KEYS[by], KeyPair.from_seed(b"\x31" * 32), tool=TOOL)
        for beside in (deputy(fold, by), new, ruled(fold, by, extension(fold, 7))):
            assert beside.machine.agreements.adjourned == 6
    assert "adjourned" in why(deputy(fold, "A"), "A", 28)
    again = write(write(fold, KEYS["B"], PASS, day=10), KEYS["A"], PASS, day=10)
    assert again.machine.agreements.adjourned is None
    assert "it began on 2026-03-10T10:00Z (entry 8)" in why(again, "A", 30)


@pytest.mark.parametrize("then", ["pause", "deputy"])
def test_a_claim_is_only_on_record_where_no_result_follows(then):
    fold = claimed(waiting(1, then), "A", 22)
    assert fold.phase == "running" and fold.pen == "B"
    assert fold.machine.agreements.claim["silence"] is True
    assert write(fold, KEYS["B"], PASS).machine.agreements.claim is None


def test_an_answer_undoes_the_claim_until_it_is_accepted():
    """T1, T5: whoever can still answer passes it over, so a false date gains nothing."""
    fold = waiting(1)
    claim = claimed(fold, "A", 22)
    late = write(fold, KEYS["B"], PASS, day=30)
    crossed = witness.compare(witness.record(claim, "A"), late)
    assert crossed is not None and crossed.notes == claim.entries[-1:]
    accepted = write(claim, KEYS["B"], close=True)
    assert accepted.result == {"winner": "A", "how": "silence"}
    found = refused(witness.compare, witness.record(accepted, "A"), late)
    assert found.code == "E-FORK"


def test_who_accepts_a_claim_has_sent_nothing_of_it():
    for then, kind in (("result", "close"), ("result", "ruling"), ("pause", "resign")):
        fold = write(write(begun(then), KEYS["A"], PASS), KEYS["B"], {"attack": {"force": 2}})
        fold = write(fold, KEYS["A"], {"card": {"use": None}}, day=3)  # B owes a value
        claim = claimed(fold, "A", 24)
        end = (
            ruled(claim, "B", result(claim, "A"))
            if kind == "ruling"
            else write(claim, KEYS["B"], **{kind: True})
        )
        assert end.phase == "over" and end.machine.agreements.claim is not None
        assert not any(isinstance(told, Cured) for told in end.journal[-1])


def test_who_claims_shows_nothing_before_it_is_accepted():
    fold = opened(terms(of=SEALED), open_sealed_toy)
    fold = write(fold, KEYS["A"], PASS, day=1)
    claim = claimed(fold, "A", 22)
    assert claim.is_provisional
    assert refused(write, claim, KEYS["A"]).code == "E-TURN"
    both = write(write(claim, KEYS["B"]), KEYS["A"])
    assert not both.is_provisional and both.result["winner"] == "A"


def test_more_days_by_the_director_are_for_this_wait_alone():
    fold = waiting(1)
    given = ruled(fold, "A", extension(fold, 7))
    assert str(refused(claimed, given, "A", 28).hint) == "claim it from 2026-03-29T10:00Z on"
    assert claimed(given, "A", 29).phase == "over"
    fold = write(write(given, KEYS["B"], PASS, day=5), KEYS["A"], PASS, day=6)
    assert claimed(fold, "A", 27).phase == "over"


def test_a_director_gives_ten_years_at_most():
    fold = waiting(1)
    for _ in range(10):
        fold = ruled(fold, "B", extension(fold, 365))
    assert refused(ruled, fold, "B", extension(fold, 1)).code == "E-LIMIT"


def claim(draft: Draft) -> None:
    """A claim a year later, as a move of the search."""
    draft.machine = draft.machine.put(time="2027-03-01T10:00Z")
    owed = owed_by(draft.machine, other(draft.player))
    since = draft.machine.entry.last_id
    draft.add({"do": "claim_forfeit", "since": since, "owed": owed, "silence": True})
    sign = draft.sign
    draft.sign = lambda tool, time: sign(tool, "2027-03-01T10:00Z")  # type: ignore[method-assign]


def a_short_game(rolls: bool) -> Fold:
    """A is asked for orders, or owes the value of a beacon; B has sealed orders."""
    fold = write(write(proposed(terms(), b"\x02" * 16, open_duel), KEYS["B"], day=1),
                 KEYS["A"], day=1)  # fmt: skip
    guard = {"slot": "west", "scope": {"only": ["advance"]}, "until": None, "doc": {"go": True}}
    fold = write(fold, KEYS["B"], day=1, policies=(guard,), in_clear=False)
    if rolls:
        fold = write(fold, KEYS["A"], {"attack": {"force": 2}}, day=1)
        fold = write(fold, KEYS["B"], {"card": {"use": None}}, day=1)
    return fold


@pytest.mark.parametrize("honest", "AB")
@pytest.mark.parametrize("rolls", [False, True])
def test_a_cheat_gains_nothing_by_claims_in_any_short_game(honest, rolls):
    """Every tree of three entries: decisions, values, claims that win, audits and words."""
    moves = {**DECISIONS, **WORDS, "claim": claim, "audit": audit}
    searched = Search(a_short_game(rolls), honest, moves, 3, memory="read")
    assert searched.run() == [] and searched.states > 100


def test_without_terms_a_game_is_what_it_was():
    fold = opened()
    assert {"silence", "director"}.isdisjoint(fold.proposal)
    assert fold.machine.agreements.wait is None and TERMS.silence is None
