"""Take-backs with hidden hands: what was shown stays known, what was sealed may be void."""

from unittest.mock import patch

import pytest

from pbem.gamefile.draft import Draft
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import after, replay
from pbem.gamefile.format import write as stored
from pbem.gamefile.journal import TakenBack
from pbem.gamefile.kept import Offer
from pbem.gamefile.secrets import Secrets
from pbem.gamefile.verify import examine, examine_without_rules
from tests.conftest import FUZZ
from tests.gamefile.audited_cards import unseen_by_audits
from tests.gamefile.players import (
    KEYS,
    SEALED,
    closed,
    forge,
    proposed,
    reveal,
    sealed,
    tried,
    write,
)
from tests.gamefile.sealed_game import (
    light_game,
    own_hand,
    sealed_game,
    sealed_policy,
    settled,
    to_orders_of,
)
from tests.gamefile.sealed_toy import open_sealed_toy, open_wary_toy

PASS, GO = {"pass": {}}, {"advance": {"go": True}}


def refused(call, *args, **named) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        call(*args, **named)
    return caught.value


def taken_back(fold, to):
    asker = "AB"[fold.pen == "A"]
    terms = {"what": "takeback", "to": to, "known_randomness": True}
    asked = write(fold, asker, offer=terms)
    return write(asked, asked.pen, answer=True)


def audited(fold, table=open_sealed_toy):
    """The game given up, and both audits: all of it is played again with the cards known."""
    fold = write(fold, fold.pen, resign=True)
    for player in "AB":
        fold = write(fold, player)
    assert fold.owed == ()
    assert replay(fold.entries, table).head == fold.head
    assert unseen_by_audits(fold) == []
    return fold


def test_a_card_that_was_shown_stays_known_in_the_hand_it_is_back_in():
    fold = to_orders_of(sealed(), "A")
    to = len(fold.entries) - 1
    fold = write(fold, "A", {"attack": {"force": 2}})
    slot, card = min(own_hand(fold, "B").items())
    fold = write(fold, "B", {"card": {"use": card}})
    assert [step["do"] for step in fold.entries[-1].steps][:2] == ["open", "react"]
    fold = settled(fold, asked="A") if fold.locked else fold
    fold = taken_back(fold, to)
    assert slot in fold.in_play.hand("B") and fold.in_play.known()[slot] == card
    fold = write(fold, "A", {"attack": {"force": 2}})
    fold = write(fold, "B", {"card": {"use": card}})
    assert "open" not in [step["do"] for step in fold.entries[-1].steps]
    audited(fold)


def wary(nonce: bytes = bytes(16)):
    """The duel in which a question about cards that both know is not asked."""
    with patch("pbem.gamefile.compose.DECK_TRIALS", 4):
        fold = proposed(SEALED, nonce, open_wary_toy)
    for player in "BABA":
        fold = write(fold, player)
    return fold


def gone_back_to_a_question_that_is_gone():
    """A attacked; since then B has shown the whole hand that the question to them was about."""
    fold = to_orders_of(wary(), "A")
    fold = write(fold, "A", {"attack": {"force": 2}})
    to = len(fold.entries) - 1
    assert fold.owed[0].plain() == {"by": "B", "what": "answer a card for the defence"}
    fold = to_orders_of(write(fold, "B", {"card": {"use": None}}), "A")
    fold = write(to_orders_of(write(fold, "A", PASS), "B"), "B", {"redraw": {}})
    return to_orders_of(fold, "B"), to


def test_a_take_back_to_a_question_that_is_gone_goes_on_to_the_roll():
    fold, to = gone_back_to_a_question_that_is_gone()
    fold = taken_back(fold, to)
    assert [step["do"] for step in fold.entries[-1].steps] == ["answer", "takeback", "reveal"]
    assert fold.locked and fold.in_play.stage == "fight"
    assert [(each.by, each.code) for each in fold.owed] == [("A", "reveal")]
    assert not examine_without_rules(stored(fold.entries)).findings
    again = to_orders_of(write(fold, "A"), "B")
    assert replay(again.entries, open_wary_toy).head == again.head
    audited(again, open_wary_toy)


def test_who_goes_back_to_a_question_that_is_gone_begins_the_roll():
    """The value of the next beacon is due at once, as it is behind orders."""
    fold, to = gone_back_to_a_question_that_is_gone()
    asked = write(fold, "A", offer={"what": "takeback", "to": to, "known_randomness": True})
    yes = {"do": "answer", "offer": asked.entries[-1].id, "yes": True}
    back, words = {"do": "takeback", "to": to}, {"do": "say", "text": ["Again."]}
    assert refused(tried, asked, "B", [yes, back]).code == "E-NOREVEAL"
    assert refused(tried, asked, "B", [yes, back, words]).code == "E-NOREVEAL"
    value = reveal(asked, "B", asked.machine.next_beacon)
    assert tried(asked, "B", [yes, back, value, words]).pen == "A"


def test_a_card_drawn_again_that_was_shown_is_shown_again():
    """At the state gone back to the slot was not drawn: the game must be told once more."""
    fold = to_orders_of(write(to_orders_of(sealed(), "A"), "A", PASS), "B")
    to, before = len(fold.entries) - 1, fold.in_play.hand("B")
    fold = to_orders_of(write(fold, "B", {"draw": {}}, PASS), "A")
    (slot,) = set(fold.in_play.hand("B")) - set(before)
    card = own_hand(fold, "B")[slot]
    fold = write(fold, "A", {"attack": {"force": 2}})
    fold = to_orders_of(write(fold, "B", {"card": {"use": card}}), "A")
    fold = taken_back(fold, to)
    whole_pile = [{"draw": {}}] * len(fold.in_play.piles[1])
    fold = to_orders_of(write(fold, "B", *whole_pile, PASS), "A")
    fold = write(fold, "A", {"attack": {"force": 2}})
    fold = write(fold, "B", {"card": {"use": card}})
    assert fold.entries[-1].steps[0]["do"] == "open"
    audited(fold)


def test_who_has_closed_still_shows_what_they_kept_hidden():
    fold = write(to_orders_of(sealed(), "A"), "A", resign=True)
    fold = closed(fold, "A")
    assert fold.entries[-1].steps[0]["audits"] == {"a": None, "b": None}
    fold = write(write(fold, "B"), "A")
    assert fold.owed == ()
    fold = closed(fold, "B")
    assert fold.entries[-1].steps[0]["audits"] == {"a": "clean", "b": "clean"}
    assert refused(closed, fold, "A").code == "E-TURN"


def test_sealed_orders_that_were_opened_are_void_and_the_others_are_not():
    fold = to_orders_of(sealed(), "A")
    fold = write(fold, "A", {"attack": {"force": 2}})
    guard = sealed_policy(fold, "B", stand="hold")
    fold = write(fold, "B", {"card": {"use": None}}, policies=(guard,), in_clear=False)
    fold = to_orders_of(fold, "A")
    to = len(fold.entries) - 1
    assert [one.slot for one in fold.policies("B")] == ["guard"]
    passed = to_orders_of(write(fold, "A", PASS), "B")
    later = {**guard, "slot": "later"}
    passed = write(passed, "B", PASS, policies=(later,), in_clear=False)
    kept = taken_back(passed, to)
    assert [one.slot for one in kept.policies("B")] == ["guard"]
    fold = write(fold, "A", {"attack": {"force": 4}}, {"advance": {"go": True}}, PASS)
    fold = write(fold, "B")
    assert "unseal" in [step["do"] for step in fold.entries[-1].steps]
    fold = taken_back(fold, to)
    assert fold.policies("B") == ()
    again = write(fold, "A", {"attack": {"force": 4}})
    assert again.pen == "B" and again.owed[0].code == "answer"
    audited(again)


def guarded():
    """The entry to go back to, and the game behind it, where a sealed document of B is due."""
    fold = to_orders_of(sealed(), "A")
    fold = write(fold, "A", {"attack": {"force": 2}})
    guard = sealed_policy(fold, "B", stand="hold")
    fold = write(fold, "B", {"card": {"use": None}}, policies=(guard,), in_clear=False)
    fold = to_orders_of(fold, "A")
    to = len(fold.entries) - 1
    return to, write(fold, "A", {"attack": {"force": 4}}, {"advance": {"go": True}}, PASS)


def test_a_yes_to_a_take_back_leaves_the_sealed_orders_sealed():
    """It stands in place of the document that is due, for it undoes the question (R4, 23)."""
    to, fold = guarded()
    before = replay(fold.entries[: to + 1], open_sealed_toy).policies("B")
    fold = taken_back(fold, to)
    assert [step["do"] for step in fold.entries[-1].steps] == ["reveal", "answer", "takeback"]
    assert fold.policies("B") == before != ()
    again = write(fold, "A", {"attack": {"force": 4}})
    assert "unseal" in [step["do"] for step in write(again, "B").entries[-1].steps]
    audited(again)


def test_a_yes_stands_in_place_of_a_card_that_sealed_orders_play_too():
    """The document was read by then and is void; the card was not, and stays hidden."""
    to, fold = guarded()
    terms = {"what": "takeback", "to": to, "known_randomness": True}
    asked = write(fold, "A", offer=terms)
    draft = behind_the_value(asked)
    draft.add(draft._owed_step())
    assert draft.machine.head("B").code == "open"
    draft.add({"do": "answer", "offer": asked.machine.agreements.offers[0].id, "yes": True})
    draft.add({"do": "takeback", "to": to})
    fold = after(asked, draft.sign("a test", None))
    assert fold.policies("B") == () and not fold.in_play.known()
    audited(fold)


def test_no_other_answer_stands_in_place_of_a_document_that_is_due():
    """Only where the question is undone: else a yes would be a way round the own orders."""
    to, fold = guarded()
    terms = {"what": "takeback", "to": to, "known_randomness": True}
    asked = write(fold, "A", offer=terms)
    offer = asked.machine.agreements.offers[0].id
    yes = {"do": "answer", "offer": offer, "yes": True}
    for step in ({**yes, "yes": False}, {**yes, "offer": "0" * 64}, {"do": "takeback", "to": to}):
        assert refused(behind_the_value(asked).add, step).code == "E-POLICY"
    draft = behind_the_value(asked)
    draft.add(yes)
    assert refused(draft.sign, "a test", None).code == "E-CONSENT"  # and nothing taken back
    draft = Draft(asked.machine, "B", KEYS["B"])
    assert refused(draft.add, yes).code == "E-NOREVEAL"  # what chance is owed comes first


def behind_the_value(fold) -> Draft:
    """An entry of B that has shown the value, and owes the document."""
    draft = Draft(fold.machine, "B", KEYS["B"])
    draft.add(draft._reveal(draft.machine.beacons.locked))
    assert draft.machine.head("B").code == "unseal"
    return draft


@pytest.mark.parametrize("what", ["draw", "void", "adjourn"])
def test_what_leaves_the_question_open_comes_behind_the_document_that_is_due(what):
    _, fold = guarded()
    draft = behind_the_value(fold)
    made = Offer("A", what, fold.machine.entry.seq, {}, "1" * 64)
    draft.machine = draft.machine.put(offers=(made,))
    yes = {"do": "answer", "offer": made.id, "yes": True}
    assert refused(draft.add, yes).code == "E-POLICY"


def test_sealed_orders_that_were_replaced_are_void_too():
    fold = to_orders_of(sealed(), "A")
    guard = sealed_policy(fold, "A", stand="hold")
    fold = write(fold, "A", PASS, policies=(guard,), in_clear=False)
    fold = to_orders_of(fold, "B")
    to = len(fold.entries) - 1
    fold = to_orders_of(write(fold, "B", PASS), "A")
    other = {**guard, "doc": {**guard["doc"], "stand": "fall_back"}}
    fold = write(fold, "A", PASS, policies=(other,), in_clear=False)
    assert taken_back(fold, to).policies("A") == ()


def test_no_way_back_to_where_a_deck_was_not_proven_yet():
    """Behind entry 3 both decks were challenged, and A had not replied: that is no quiet state."""
    fold = to_orders_of(sealed(), "A")
    assert 3 not in fold.machine.agreements.quiet and 4 in fold.machine.agreements.quiet


def test_a_pile_laid_since_is_gone_and_its_number_is_not_used_again():
    """An epoch number never names two commitments (R7)."""
    fold = sealed_game()
    assert {each.name for each in fold.machine.hidden.decks} == {"a/1", "b/1", "b/2", "b/3"}
    fold = taken_back(fold, 9)
    assert {each.name for each in fold.machine.hidden.decks} == {"a/1", "b/1"}
    fold = to_orders_of(fold, "B")
    fold = to_orders_of(write(fold, "B", {"gather": {}}, {"draw": {}}, PASS), "A")
    assert {each.name for each in fold.machine.hidden.decks} == {"a/1", "b/1", "b/4"}
    assert any(slot.startswith("b/4/") for slot in fold.in_play.piles[1])
    assert {each.name for each in fold.machine.hidden.decks.ever()} >= {"b/2", "b/3", "b/4"}
    audited(fold)


def test_every_way_back_in_the_sample_game_is_played_on_and_audited():
    """From each state of the sample game, to each that may be gone back to.

    Each of the two comes in several pairs: every sixth pair has most of both (all in a long run).
    """
    fold, back = light_game(), 0
    for count in range(6, len(fold.entries)):
        short = replay(fold.entries[:count], open_sealed_toy)
        if short.locked is not None or short.machine.entry.side:
            continue
        for to in list(short.machine.agreements.quiet)[-2 :: -6 if FUZZ == 1 else -1]:
            again = taken_back(short, to)
            assert any(isinstance(one, TakenBack) for one in again.journal[-1])
            again = to_orders_of(again, "B")
            audited(to_orders_of(write(again, "B", {"draw": {}}, PASS), "A"))
            back += 1
    assert back > 10


def laid_and_not_met():
    """B's second pile, their `b4y`, is laid and bound by nobody yet, and the orders are B's."""
    fold = to_orders_of(write(sealed(), "A", PASS), "B")
    while fold.in_play.piles[1]:
        fold = settled(write(fold, "B", {"draw": {}}), asked="B")
    toss = next(slot for slot, card in own_hand(fold, "B").items() if card == "b4x")
    fold = to_orders_of(write(fold, "B", {"toss": {"slot": toss}}, PASS), "A")
    fold = write(fold, "A", {"attack": {"force": 4}}, GO, PASS)
    fold = to_orders_of(write(fold, "B", {"card": {"use": "b4y"}}), "B")
    return tried(fold, "B", [{"do": "orders", "list": [{"gather": {}}]}])


def withheld(fold):
    """B draws the 4, A attacks with 9, and B says they have no card that must be played."""
    fold = settled(write(fold, "B", {"draw": {}}), asked="B")
    assert [card for card in own_hand(fold, "B").values() if card[1] == "4"] == ["b4y"]
    fold = to_orders_of(write(fold, "B", PASS), "A")
    fold = write(fold, "A", {"attack": {"force": 9}}, GO, PASS)
    none = {"do": "react", "answers": [{"card": {"use": None}}]}
    return tried(fold, "B", [none, reveal(fold, "B", fold.machine.next_beacon)])


@pytest.mark.parametrize("back", [False, True])
def test_a_forced_card_withheld_behind_a_take_back_comes_to_light(back):
    """The deck was met by chance behind the entry gone back to: its cards are known there too."""
    fold = laid_and_not_met()
    if back:
        to = len(fold.entries) - 1
        fold = settled(write(fold, "B", {"draw": {}}), asked="B")
        assert fold.machine.hidden.decks.ever()[-1].trial is not None
        fold = taken_back(write(fold, "B", PASS), to)
        assert {each.name for each in fold.machine.hidden.decks} >= {"b/1", "b/2"}
    cheat = withheld(fold)
    fold = write(cheat, "A")
    fold = write(fold, fold.pen, resign=True)
    if fold.pen == "A":
        fold = write(fold, "A")
    found = refused(write, fold, "B")
    assert (found.code, found.by, found.entry) == ("E-AUDIT", "B", len(cheat.entries) - 1)
    assert "must be played" in str(found)
    secret = Secrets.in_game(fold.machine, KEYS["B"], "B").game.hex()
    forged = forge(fold, "B", [{"do": "audit", "gsec": secret}])
    report = examine(stored([*fold.entries, forged]), open_sealed_toy)
    assert report.findings[0].problem.code == "E-AUDIT"
