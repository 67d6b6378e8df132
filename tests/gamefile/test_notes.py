"""Which entry may stand on which: main entries stand for good, notes may be passed over.

The attacks are those of the list in the page: a cheat who goes back behind a note, an answer or an
end once the other's secret is known. V is the honest player, C the cheat.
"""

from __future__ import annotations

import json
from functools import lru_cache

import pytest

from pbem.gamefile import consent, fork, negotiation, notes, witness
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.fork import NoFork
from pbem.gamefile.format import write as written
from pbem.gamefile.keys import KeyPair
from pbem.value import replace
from tests.gamefile.mutations import opened_with, say
from tests.gamefile.players import (
    KEYS,
    TOOL,
    closed,
    forge,
    opened,
    policy,
    proposed,
    reveal,
    tried,
    write,
)
from tests.gamefile.renewed import named, offered, rotated, signing, taken
from tests.gamefile.sealed_game import sealed_game
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.toy import open_toy

PASS, DRAW, GO = {"pass": {}}, {"draw": {}}, {"advance": {"go": True}}
NEW = KeyPair.from_seed(b"\x09" * 32)
ORDERS = {"do": "orders", "list": [PASS]}


def refused(call, *args, **named_args) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        call(*args, **named_args)
    return caught.value


def attack(fold: Fold, by: str, *steps, table=open_toy) -> FileRefused:
    """What an entry of these steps by a player is refused with."""
    return refused(replay, [*fold.entries, forge(fold, by, list(steps))], table)


def held(seen: Fold, given: Fold, player: str, **how):
    """A file held against the record of what a player has seen."""
    return witness.compare(witness.record(seen, player), given, **how)


def verdict(seen: Fold, given: Fold, player: str) -> str:
    """The class with which the record meets the file; the same from the older file itself."""
    try:
        held(seen, given, player)
        found = "good"
    except FileRefused as problem:
        found = problem.code
    try:
        witness.compare_files(seen, given, player=player)
        same = "good"
    except FileRefused as problem:
        same = problem.code
    assert found == same
    return found


def proven(one: Fold, two: Fold, table=open_toy):
    """The players whose forks two files prove, or why they prove none."""
    try:
        found = fork.find_all(one.entries, two.entries, table)
    except NoFork as problem:
        return problem.why
    for each in found:  # every proof is a file that proves itself, to the other way round too
        first, second = fork.stories(each.bytes())
        assert each.by in {again.by for again in fork.find_all(first, second, table)}
        assert {again.by for again in fork.find_all(second, first, table)} == {
            again.by for again in fork.find_all(first, second, table)
        }
    return "".join(sorted(each.by for each in found))


def yes(fold: Fold, entry: int = -1) -> dict:
    return {"do": "answer", "offer": fold.entries[entry].id, "yes": True}


@lru_cache(maxsize=1)
def at_advance() -> Fold:
    """A is asked whether to advance, and will have the pen behind that, too."""
    for number in range(1, 60):
        fold = opened_with(bytes([number]) * 16)
        fold = write(fold, "A", {"attack": {"force": 12}})
        fold = write(write(fold, "B", {"card": {"use": None}}), "A")
        if fold.in_play.stage == "stand":
            return write(fold, "B", {"stand": {"how": "fall_back"}})
    raise AssertionError("no attack ever went well")


# --- H1: draw bait


@pytest.mark.parametrize("what", ["draw", "void", "adjourn"])
def test_an_offer_that_keeps_the_pen_is_no_bait(what):
    """H1: C offers with orders that keep the pen, V would agree beside the turn and be audited."""
    fold = at_advance()
    go = {"do": "post_choice", "answers": [GO]}
    found = attack(fold, "A", go, {"do": "offer", "what": what})
    assert (found.code, found.rule, found.whose) == ("E-CONSENT", "T4", "A")
    assert str(found.message) == (
        "player A must write again after this entry, so nobody could answer its offer"
    )
    assert str(found.problems[0].hint) == str(consent.ASK_BY_MAIL)
    assert write(fold, "A", GO).pen == "A"


def test_nothing_is_offered_alone_in_ones_own_turn():
    found = attack(opened(), "A", {"do": "offer", "what": "draw"})
    assert (found.code, found.rule) == ("E-CONSENT", "T4")
    asked = write(opened(), "B", offer={"what": "draw"})
    assert write(asked, "A", answer=True).phase == "over"


def test_who_would_ask_in_turn_is_helped_by_a_note():
    """The way that the message names: the other lays the offer beside the turn."""
    fold = write(opened(), "B", offer={"what": "takeback", "to": 3})
    assert fold.machine.entry.side and [each.by for each in fold.machine.agreements.offers] == ["B"]
    assert write(fold, "A", answer=True).machine.agreements.take_backs == 1


@pytest.mark.parametrize("what", ["draw", "void"])
def test_an_agreed_end_cannot_be_undone(what):
    """V offers beside the turn, C agrees and is shown all that V hid; then C plays on instead."""
    base = sealed_game()
    cheat, victim = base.pen, "AB"[base.pen == "A"]
    asked = write(base, victim, offer={"what": what})
    over = write(asked, cheat, answer=True)
    shown = write(over, victim)
    instead = write(base, cheat, PASS)
    assert verdict(shown, instead, victim) == "E-FORK"
    assert proven(shown, instead, open_sealed_toy) == cheat
    found = refused(held, shown, instead, victim)
    at = len(base.entries)
    assert str(found.message) == (
        f"player {cheat} has written on your entry {at}, and denies it elsewhere"
    )
    assert str(found.problems[0].hint) == (
        "answer neither; 'pbem prove-fork' makes a proof of this file and your file that goes up "
        f"to entry {at + 1}"
    )


UNSENT = ({"orders": (PASS,)}, {"void": True}, {"policies": (policy("all", stand="hold"),)})


@pytest.mark.parametrize("what", UNSENT, ids=lambda what: next(iter(what)))
def test_a_note_leaves_out_nothing_that_its_author_wanted(what):
    wish = Wish(say=("Well?",), in_clear=True, **what)
    found = refused(compose, opened(), KEYS["B"], wish, tool=TOOL)
    assert found.code == "E-TURN" and str(found.message) == "it is the Red player's turn to write"


@pytest.mark.parametrize("what", UNSENT[:2], ids=lambda what: next(iter(what)))
def test_an_entry_that_can_hold_no_orders_leaves_none_out(what):
    found = refused(compose, proposed(), KEYS["B"], Wish(**what), tool=TOOL, fresh=bytes(16))
    assert found.code == "E-TURN"
    assert str(found.problems[0].hint) == "send what is owed first, without orders"


# --- H2: take-back bait


@pytest.mark.parametrize("steps", [["answer", "takeback"], ["answer"], ["takeback"], ["renew"]])
def test_nothing_is_answered_beside_the_turn(steps):
    """T2: what moves the pen or shows a secret is written in turn."""
    fold = write(write(opened(), "A", PASS), "A", offer={"what": "takeback", "to": 3})
    every = {
        "answer": yes(fold), "takeback": {"do": "takeback", "to": 3},
        "renew": {"do": "renew", "anchor": "ab" * 32},
    }  # fmt: skip
    played = write(opened(), "A", PASS)
    found = attack(played, "A", *(every[name] for name in steps))
    assert (found.code, found.rule, found.step) == ("E-TURN", "T4", 0)
    assert (
        str(found.problems[0].hint)
        == "an offer can be answered only in turn, by the player who must write next"
    )


def test_a_take_back_agreed_stands_and_the_offerer_cannot_go_back():
    """H2: the yes moves the pen to V, who orders and reveals; C would write in place of the yes."""
    played = write(opened(), "A", PASS)
    asked = write(played, "A", offer={"what": "takeback", "to": 3})
    agreed = write(asked, "B", answer=True)
    assert agreed.pen == "A"
    for place in (played, asked):  # the offerer has the pen on neither
        assert attack(place, "A", ORDERS).code == "E-TURN"
    # The other way round: V asks, C agrees, learns the die that V's move brings, and denies.
    passed = write(write(opened(), "A", PASS), "B", PASS)
    asks = write(passed, "B", offer={"what": "takeback", "to": 4})
    back = write(asks, "A", answer=True)
    drawn = write(back, "B", DRAW)
    instead = write(passed, "A", DRAW)
    assert verdict(drawn, instead, "B") == "E-FORK" and proven(drawn, instead) == "A"


# --- H2b: words as a rewind


def beside(fold: Fold, by: str, what: str) -> Fold:
    """The fold with a note of one kind."""
    if what == "words":
        return write(fold, by, say=("Good luck!",))
    if what == "offer":
        return write(fold, by, offer={"what": "draw"})
    if what == "claim":
        return write(fold, by, claim_forfeit=True)
    return negotiation.own_new_key(fold, KEYS[by], NEW, tool=TOOL)


@pytest.mark.parametrize("what", ["words", "offer", "claim", "key"])
def test_a_note_that_was_answered_is_no_way_back(what):
    """C plays on behind the words, learns V's value, and writes another entry in place of them."""
    base = opened()
    note = beside(base, "B", what)
    locked = write(note, "A", DRAW)
    keys = {"B": NEW.in_place_of(KEYS["B"])} if what == "key" else {}
    with signing(**keys):
        shown = write(locked, "B")
    assert shown.locked is None
    instead = write(base, "A", PASS)
    for seen in (locked, shown):
        assert verdict(seen, instead, "B") == "E-FORK"
        assert proven(seen, instead) == proven(instead, seen) == "A"
    # The record alone still holds what the proof takes, until the next main entry of C.
    known = witness.story(witness.record(shown, "B"), instead)
    assert known == shown.entries
    assert verdict(locked, note, "B") == "E-ROLLBACK"


def test_a_shorter_file_that_is_no_beginning_is_a_fork_and_not_old():
    base = opened()
    fold = write(write(base, "B", say=("Hi.",)), "A", PASS)
    for _ in range(3):
        fold = write(write(fold, "B", PASS), "A", PASS)
    instead = write(base, "A", DRAW)
    found = refused(held, fold, instead, "B")
    assert (found.code, found.entry) == ("E-FORK", 4)
    assert "goes up to entry 5" in str(found.problems[0].hint)
    assert witness.story(witness.record(fold, "B"), instead) == ()
    assert proven(fold, instead) == "A"


# --- latent yes


def test_a_yes_kept_back_is_a_fork():
    base = opened()
    asked = write(base, "B", offer={"what": "draw"})
    kept_back = write(asked, "A", answer=True)
    played = write(write(base, "A", PASS), "B", PASS)
    found = refused(held, played, kept_back, "B")
    assert (found.code, found.whose) == ("E-FORK", "A")
    assert str(found.message) == "player A has written on your entry 4, and denies it elsewhere"
    assert refused(held, played, kept_back, "A").code == "E-FORK", "their own program tells, too"
    assert proven(played, kept_back) == "A"


def test_a_note_nobody_has_written_on_proves_nothing():
    """W6: the entry of the pen-holder stands, and its author hears what the other said."""
    base = opened()
    note = write(base, "B", say=("Hello?",), offer={"what": "draw"})
    played = write(base, "A", PASS)
    found = refused(held, played, note, "A")
    assert (found.code, found.entry) == ("E-ROLLBACK", 4)
    assert str(found.message) == "two entries 4 crossed, and yours counts"
    assert str(found.problems[0].hint) == (
        "send the file you have again; this one contains only what player B wrote out of turn: an "
        "offer (a draw); "
        'the words "Hello?"'
    )
    assert proven(played, note) == "two-authors"


# --- resignations, and the pen behind the end


def resigned_beside() -> tuple[Fold, Fold, str, str]:
    """A sealed game, and the same with a resignation beside the turn; who has resigned, and who
    has the pen."""
    base = sealed_game()
    loser = "AB"[base.pen == "A"]
    return base, write(base, loser, resign=True), loser, base.pen


def test_who_resigns_beside_the_turn_shows_nothing_before_it_is_taken():
    """resign*, then the audit: C would pass it over and play on knowing all."""
    _, note, loser, winner = resigned_beside()
    assert note.phase == "over" and notes.not_taken(note.machine) == loser
    found = refused(write, note, loser)
    assert (found.code, found.rule) == ("E-TURN", "T3")
    assert str(found.message) == (
        f"the game ended in an entry that player {loser} wrote out of turn, and it ends only when "
        f"player {winner} has accepted it"
    )
    assert refused(closed, note, loser).code == "E-TURN"
    assert attack(note, loser, say("Well?"), table=open_sealed_toy).code == "E-TURN"
    taken_up = write(note, winner)
    assert notes.not_taken(taken_up.machine) is None
    assert notes.not_taken(write(sealed_game(), winner, resign=True).machine) is None
    assert write(taken_up, loser).owed == ()


def test_a_resignation_passed_over_is_told_and_the_game_goes_on():
    base, note, loser, winner = resigned_beside()
    played = write(base, winner, PASS)
    crossed = held(note, played, loser)
    assert crossed.notes == (note.entries[-1],) and crossed.main == played.entries[-1]
    assert proven(note, played, open_sealed_toy) == "two-authors"


@pytest.mark.parametrize("first", "AB")
def test_audits_and_closes_that_cross_end_in_one_line(first):
    """T5: behind the end the pen goes on, so that of two crossing audits one is a note."""
    over = write(sealed_game(), sealed_game().pen, resign=True)
    both = {player: write(over, player) for player in "AB"}
    pen = over.machine.holder
    late = "AB"[pen == "A"]
    assert verdict(both[late], both[pen], late) == "good"
    assert verdict(both[pen], both[late], pen) == "E-ROLLBACK"
    assert proven(both[pen], both[late], open_sealed_toy) == "two-authors"
    fold = write(both[pen], late)
    assert fold.owed == () and fold.machine.holder == pen
    closing = {player: closed(fold, player) for player in "AB"}
    assert verdict(closing[late], closing[pen], late) == "good"
    last = closed(closing[pen], late)
    assert last.machine.terms.closed == (pen, late) and first in last.machine.hidden.audited
    assert verdict(fold, last, first) == "good"


def test_a_draw_agreed_is_audited_by_both_in_one_line():
    base = sealed_game()
    offerer = "AB"[base.pen == "A"]
    over = write(write(base, offerer, offer={"what": "draw"}), base.pen, answer=True)
    assert over.machine.holder == offerer
    beside_it = write(over, base.pen)
    assert beside_it.machine.entry.side
    in_turn = write(over, offerer)
    assert verdict(beside_it, in_turn, base.pen) == "good"
    assert write(in_turn, base.pen).owed == ()
    assert write(beside_it, offerer).owed == ()


def test_behind_the_end_nobody_writes_on_a_note_of_ones_own():
    over = write(opened(), "A", resign=True)
    assert over.machine.holder == "B"
    mine = closed(over, "A")
    assert mine.machine.entry.side and refused(closed, mine, "A").rule == "T3"
    assert closed(mine, "B").machine.terms.closed == ("A", "B")
    first = closed(over, "B")
    assert not first.machine.entry.side and first.machine.holder == "A"


# --- T3: what stands on a note


def test_only_a_key_for_the_other_stands_on_ones_own_note():
    note = write(opened(), "B", say=("Hello?",))
    found = attack(note, "B", say("Hello??"))
    assert (found.code, found.rule) == ("E-TURN", "T3")
    assert str(found.message) == (
        "the last entry was written out of turn, by player B too: only the other player can "
        "follow it"
    )
    for step in ({"do": "offer", "what": "draw"}, {"do": "resign"}, offer_of_keys(note, "B")):
        assert attack(note, "B", step).code == "E-TURN"
    both = named(note, "A", renew=True)
    assert both.machine.entry.side and both.machine.entry.beside == (4, 5)
    assert [each.of for each in both.machine.keys.rotations] == ["A"]
    again = named(both, "A", KeyPair.from_seed(b"\x0a" * 32), renew=False)
    assert again.machine.entry.beside == (4, 5, 6)
    words_first = [say("As you asked."), again.entries[-1].steps[0]]
    assert tried(both, "B", words_first).machine.entry.beside == (4, 5, 6)


def offer_of_keys(fold: Fold, by: str) -> dict:
    """A new key for the author's own place."""
    proof = negotiation.proof_for(fold, by, NEW)
    return {"do": "rotate", "new_pub": NEW.public.hex(), "proof": proof, "signed_by": "old"}


def test_a_resignation_beside_the_turn_is_followed_by_no_key():
    note = write(opened(), "B", resign=True)
    assert refused(named, note, "A", renew=False).rule == "T3"


def test_a_note_may_lie_on_ones_own_main_entry():
    fold = write(opened(), "A", PASS)
    assert write(fold, "A", say=("Your move.",)).machine.entry.beside == (5,)


def test_words_do_not_keep_a_lost_key_from_being_replaced():
    """Words, then a lost key: the game went on for nobody."""
    note = write(opened(), "B", say=("Hello?",))
    key = named(note, "A", renew=True)
    fold = taken(key)
    assert fold.machine.keys.renewals[0].of == "A" and not fold.machine.entry.side


# --- T6: forks


def test_a_key_named_for_the_honest_proves_nothing():
    """C names a key for V, writes in V's seat, and V passes that over with the old key."""
    base = opened()
    hostile = named(base, "A", renew=False)
    with signing(A=NEW.in_place_of(KEYS["A"])):
        faked = write(hostile, "A", PASS)
    honest = write(base, "A", DRAW)
    assert verdict(honest, faked, "A") == "E-ROLLBACK"
    assert proven(honest, faked) == proven(faked, honest) == "on-word"
    with pytest.raises(NoFork) as caught:
        fork.find(honest.entries, faked.entries, open_toy)
    assert str(caught.value.problems[0].hint) == "such a key proves nothing against player A"


def test_who_was_named_a_key_and_turns_up_with_the_old_one():
    """What stays possible: the record refuses, and says that nobody else can tell who lies."""
    base = opened()
    with signing(A=NEW.in_place_of(KEYS["A"])):
        went_on = write(named(base, "A", renew=False), "A", PASS)
    instead = write(base, "A", DRAW)
    found = refused(held, went_on, instead, "B")
    assert (found.code, str(found.message)) == (
        "E-FORK",
        "in the place of player A two stories are told from entry 4 on, at least one with a key "
        "that you named",
    )
    assert found.whose is None and refused(held, write(base, "A", DRAW), went_on, "A").whose is None
    assert str(found.problems[0].hint) == (
        "answer neither; it cannot be proven to others: the key of one rests on your word"
    )
    found = refused(held, went_on, instead, None)
    assert (found.whose, str(found.message)) == (
        None,
        "in the place of player A two stories are told from entry 4 on, at least one with a key "
        "that player B named",
    )


def test_both_are_named_where_both_have_forked():
    base = opened()
    one, two = (write(write(base, "B", say=(word,)), "A", order)
                for word, order in (("Hello?", PASS), ("Hello!", DRAW)))  # fmt: skip
    assert proven(one, two) == "AB"
    found = fork.find(one.entries, two.entries, open_toy)
    assert found.by == "A" and [len(line) for line in found.lines] == [2, 2]


def test_two_notes_on_one_entry_are_a_fork():
    base = opened()
    one, two = (write(base, "B", say=(word,)) for word in ("Hello?", "Hello!"))
    assert verdict(one, two, "A") == "E-FORK" and proven(one, two) == "B"
    assert (
        str(refused(held, one, two, "A").message) == "player B has signed two different entries 4"
    )


def test_a_note_said_again_behind_the_entry_that_passed_it_over_is_no_fork():
    base = opened()
    note = write(base, "B", say=("Hello?",))
    again = write(write(base, "A", DRAW), "B", say=("Hello?",))
    assert proven(note, again) == "two-authors"


@pytest.fixture(scope="module")
def document() -> dict:
    """A proof over a note: C's entry on the words, and the other in place of them."""
    base = opened()
    one, two = write(write(base, "B", say=("Hi.",)), "A", PASS), write(base, "A", DRAW)
    return fork.find(one.entries, two.entries, open_toy).plain()


def judged(plain: dict) -> str:
    """What a proof document comes to: the accused, why none, or the class of its refusal."""
    try:
        first, second = fork.stories(json.dumps(plain).encode())
        return fork.find(first, second, open_toy).by
    except NoFork as problem:
        return problem.why
    except FileRefused as problem:
        return problem.code


def test_the_proof_has_a_line_for_each_story(document):
    assert judged(document) == "A"
    assert [[each["payload"]["by"] for each in line] for line in document["lines"]] == [
        ["B", "A"], ["A"],
    ]  # fmt: skip
    assert (document["by"], document["seq"], len(document["common"])) == ("A", 4, 4)


def test_a_proof_that_is_spoilt(document):
    over_note, alone = document["lines"]
    note, main = over_note
    base = opened()
    other_notes = plain_line(write(base, "B", say=("Hullo.",)), 4)
    illegal = plain_line(after_wrong(base), 4)
    spoilt = {
        "a line with two entries by the accused": [[*alone, main], over_note],
        "a line with none": [[note], alone],
        "a line with nothing": [[], alone],
        "a main entry of the other in a line": [[*alone, *alone], over_note],
        "the same entry twice": [alone, alone],
        "three lines": [alone, over_note, alone],
        "one line": [alone],
        "no list": None,
        "lines that part later": [[note, main], [note, *alone]],
    }
    for what, lines in spoilt.items():
        assert judged({**document, "lines": lines}) in ("E-SCHEMA", "E-DAMAGED"), what
    elsewhere = document["common"]
    assert judged({**document, "lines": [[elsewhere[2]], [elsewhere[0]]]}) == "E-SCHEMA"
    assert judged({**document, "lines": [illegal, alone]}) == "refused"
    assert judged({**document, "by": "B", "lines": [other_notes, [note]]}) == "B"
    assert judged({**document, "by": "B", "lines": [alone, [note]]}) == "E-SCHEMA"
    assert judged({**document, "lines": [over_note, [note]]}) == "E-SCHEMA"


def plain_line(fold: Fold, start: int) -> list:
    return json.loads(written(fold.entries[start:]))["entries"]


def after_wrong(base: Fold) -> Fold:
    """The fold with an entry of A that the rules refuse, unjudged."""
    wrong = forge(base, "A", [{"do": "orders", "list": [{"stand": {"how": "hold"}}]}])
    return replace(base, entries=(*base.entries, wrong))


# --- T7: the record


def test_a_note_that_was_seen_is_passed_over_only_when_one_says_so():
    """W2."""
    base = opened()
    note = write(base, "B", say=("Hello?",))
    assert refused(held, note, base, "A").code == "E-ROLLBACK"
    held(note, base, "A", passing_over=True)
    written_on = write(note, "A", PASS)
    assert refused(held, written_on, base, "A", passing_over=True).code == "E-ROLLBACK"
    assert refused(held, note, base, "B", passing_over=True).code == "E-ROLLBACK"
    earlier = replay(base.entries[:3], open_toy)
    assert refused(held, base, earlier, "B", passing_over=True).code == "E-ROLLBACK"


def test_a_note_that_gave_way_is_no_longer_there():
    base = opened()
    note, played = write(base, "B", say=("Hello?",)), write(base, "A", PASS)
    longer = write(write(played, "B", PASS), "A", DRAW)
    for given in (played, longer):
        assert held(note, given, "B").main == played.entries[4]
        assert held(note, given, "A") is None
        assert held(note, given, None) is None


def test_the_second_net_is_behind_the_first():
    """A value asked for again by a rewritten entry is a fork, of which there is a proof."""
    base = opened()
    one = write(write(base, "A", DRAW), "B")
    two = write(base, "A", DRAW, PASS)
    assert refused(held, one, two, "B").code == "E-FORK"
    lost = {**witness.record(one, "B"), "trail": witness.record(base, "B")["trail"]}
    assert refused(witness.compare, lost, two).code == "E-DOUBLE"


def test_a_trail_tells_notes_and_named_keys():
    fold = named(opened(), "A", renew=False)
    with signing(A=NEW.in_place_of(KEYS["A"])):
        fold = write(fold, "A", PASS)
    trail = witness.trail(fold)
    assert [each[:-32] for each in trail] == ["A", "B", "A", "B", "b", "A="]
    assert [each[-32:] for each in trail] == [entry.id[:32] for entry in fold.entries]


# --- T8: keys


def test_a_key_put_in_place_by_a_note_counts_once_it_was_written_on():
    base = opened()
    note = rotated(base, "B")
    passed = write(base, "A", PASS)
    assert write(passed, "B", PASS).pen == "A", "the old key still signs"
    with signing(B=NEW.in_place_of(KEYS["B"])):
        assert write(write(note, "A", PASS), "B", PASS).pen == "A"
    crossed = held(note, passed, "B")
    assert crossed.notes == (note.entries[-1],)
    again = rotated(passed, "B")
    assert again.entries[-1].steps[0]["proof"] != note.entries[-1].steps[0]["proof"]
    assert attack(passed, "B", offer_of_keys(base, "B")).code == "E-KEY"


def test_a_key_one_does_not_hold_is_told_and_can_be_passed_over():
    """W8: a hostile key that V has read."""
    base = opened()
    hostile = named(base, "A", renew=False)
    found = refused(hostile.player_of, KEYS["A"].public)
    assert (found.code, str(found.message)) == (
        "E-KEY", "player B replaced your key with another one in entry 4",
    )  # fmt: skip
    assert str(found.problems[0].hint) == (
        "if you have lost nothing, pass that entry over (--pass-over) and sign with your key; if "
        "you asked for it, sign with the new key"
    )
    held(hostile, base, "A", passing_over=True)
    with signing(A=NEW.in_place_of(KEYS["A"])):
        faked = write(hostile, "A", PASS)
    found = refused(faked.player_of, KEYS["A"].public)
    assert str(found.message).endswith("in entry 4, and somebody has used it since")
    assert str(found.problems[0].hint) == (
        "if that was not you, send the file that you have again; if you asked for it, sign "
        "with the new key"
    )


def test_new_secrets_offered_beside_the_turn_and_a_reveal_in_place_of_them():
    """The reveal is final; taken up first and denied then, it is a fork."""
    base = write(opened(), "A", DRAW)
    note = offered(base, "B")
    before, value = replay(note.entries[:-1], open_toy), reveal(base, "B", 2)
    with signing(B=NEW.in_place_of(KEYS["B"])):
        instead = tried(before, "B", [value])
        assert instead.locked is None
        renewed = taken(note)
        assert verdict(renewed, instead, "A") == "E-FORK" and proven(renewed, instead) == "B"
        assert verdict(instead, note, "B") == "E-ROLLBACK"
