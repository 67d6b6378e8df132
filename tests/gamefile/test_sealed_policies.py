"""Sealed standing orders: what a round costs in mails, when a document speaks, what spoils none."""

import pytest

from pbem.gamefile import policies
from pbem.gamefile.draft import Draft
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import after
from pbem.gamefile.journal import (
    Answered,
    Closed,
    Completed,
    Ordered,
    PolicyFailed,
    Rolled,
    Unsealed,
)
from pbem.gamefile.prospect import prospect
from pbem.value import replace
from tests.gamefile.openly_game import (
    ATTACK,
    DRAW,
    GO,
    OPENLY,
    PASS,
    YIELDING,
    attacked,
    begun,
    behind_the_value,
    both_ways,
    find,
    of_a,
    sealed_as,
    sealed_only,
    sealed_owed,
    with_sealed,
)
from tests.gamefile.players import KEYS, steps, write
from tests.gamefile.sealed_game import own_hand
from tests.gamefile.sealed_toy import SealedToy

NO_CARD, HOLD, BACK = {"card": {"use": None}}, {"stand": {"how": "hold"}}, {
    "stand": {"how": "fall_back"}
}  # fmt: skip
BEATEN, WON = ("B", "hold or fall back"), ("A", "orders of round 1")


FULL = sealed_as("all", slot="none", stand="hold")
CARDS = sealed_as("cards", {"only": ["card"]}, slot="none")


def asked(fold):
    """Who is asked what once the pen-holder has sent what leaves no choice."""
    waits = prospect(fold, KEYS[fold.pen]).waits
    return getattr(waits, "by", None), waits.what if hasattr(waits, "what") else ""


def rolls(fold):
    """How often dice fall in what the pen-holder must send."""
    ahead = prospect(fold, KEYS[fold.pen]).fold
    return sum(isinstance(one, Rolled) for one in ahead.journal[-1]) if ahead.is_ahead else 0


def told(fold, kind, entry=-1):
    return [one for one in fold.journal[entry] if isinstance(one, kind)]


# --- mails of a round, by the attacker's first


def test_a_full_policy_one_mail(seen):
    """The attacker's round is one mail; reveal, document, dice and their own round are the next."""
    fold = write(with_sealed(1, FULL), "A", ATTACK, GO, PASS)
    assert steps(fold) == ["orders", "reveal"] and fold.pen == "B"
    fold = write(fold, "B", DRAW, PASS)
    seen(fold)
    assert steps(fold) == ["reveal", "unseal", "orders", "reveal"]
    assert told(fold, Unsealed) and told(fold, Answered) and told(fold, Rolled)


def test_a_policy_with_a_card_is_one_mail_too(seen):
    def play(nonce):
        slot = begun(nonce).in_play.hand("B")[0]
        fold = with_sealed(nonce, sealed_as("all", slot=slot, stand="hold"))
        return write(write(fold, "A", ATTACK, GO, PASS), "B", DRAW, PASS)

    fold = find(play, lambda fold: "open" in steps(fold))
    seen(fold)
    assert steps(fold) == ["reveal", "unseal", "open", "orders", "reveal"]
    (card, *_) = [one.order["card"]["use"] for one in told(fold, Answered)]
    assert card in fold.in_play.discards[1]


def test_a_policy_for_cards_only_one_mail(seen):
    """They hold the pen when the dice fall: their choice and their own round are in that mail."""
    fold = find(lambda nonce: write(with_sealed(nonce, CARDS), "A", ATTACK, GO, PASS),
                lambda fold: asked(fold) == BEATEN)  # fmt: skip
    fold = write(fold, "B", BACK, DRAW, PASS)
    seen(fold)
    assert steps(fold) == ["reveal", "unseal", "post_choice", "orders", "reveal"]


def test_a_second_attack_behind_a_choice_two_more(seen):
    """What was unsealed is spent; the same again in that mail speaks for the next beacon."""
    fold = find(lambda nonce: write(with_sealed(nonce, CARDS), "A", ATTACK, GO, ATTACK, PASS),
                lambda fold: asked(fold) == BEATEN and rolls(fold) == 1)  # fmt: skip
    number = fold.locked
    fold = write(fold, "B", BACK, policies=(CARDS,), in_clear=False)
    assert steps(fold) == ["reveal", "unseal", "policy", "post_choice", "reveal"]
    assert fold.locked == number + 1 and told(fold, Closed)
    fold = write(fold, "A")
    assert steps(fold) == ["reveal"] and fold.owed[0].code == "unseal"
    fold = write(fold, "B")
    seen(fold)
    assert steps(fold)[0] == "unseal" and told(fold, Rolled)[0].n == number + 1


def test_an_advance_that_is_not_declared_three_mails(seen):
    fold = find(lambda nonce: write(write(with_sealed(nonce, YIELDING), "A", ATTACK), "B"),
                lambda fold: fold.waits.what == "advance or stay")  # fmt: skip
    assert steps(fold) == ["reveal", "unseal"] and fold.pen == "A"
    fold = write(fold, "A", GO, PASS)
    seen(fold)
    assert steps(fold) == ["post_choice"] and fold.pen == "B"


def test_asked_three_mails_or_five(seen):
    fold = write(begun(1), "A", ATTACK, GO, PASS)
    assert fold.locked is None and fold.pen == "B"
    fold = write(write(fold, "B", NO_CARD, HOLD), "A")
    seen(fold)
    assert fold.pen == "B" and fold.waits.what == "orders of round 2"

    def play(nonce):
        fold = write(begun(nonce), "A", ATTACK)
        return write(write(fold, "B", NO_CARD), "A")

    fold = find(play, lambda fold: asked(fold) == BEATEN)
    fold = write(write(fold, "B", BACK), "A", GO, PASS)
    seen(fold)
    assert fold.pen == "B" and len(fold.entries) - len(begun(1).entries) == 5


def test_a_look_two_more(seen):
    fold = write(begun(1), "A", {"look": {}})
    assert steps(fold) == ["deck_reply", "orders", "reveal"]
    fold = write(fold, "B")
    assert steps(fold) == ["reveal", "open"] and fold.pen == "A"
    seen(write(fold, "A", ATTACK, GO, PASS))


def test_a_new_hand_two_more(seen):
    play = begun
    fold = find(play, lambda fold: "4" not in {card[1] for card in own_hand(fold, "A").values()})
    fold = write(fold, "A", {"redraw": {}})
    assert steps(fold) == ["deck_reply", "open", "open", "orders", "deck_commit", "reveal"]
    fold = write(fold, "B")
    assert steps(fold) == ["reveal"] and fold.pen == "A"
    fold = write(fold, "A", PASS)
    seen(fold)
    assert steps(fold) == ["deck_reply", "orders"]


# --- when a document speaks


def test_a_provisional_lock_that_ends_in_an_open_question(seen):
    """R2 b: the document calls the fight off; the beacon closes unused, a roll needs the next."""
    fold = with_sealed(1, sealed_as("all", slot="none", give_way=True))
    fold = write(fold, "A", ATTACK)
    number = fold.locked
    fold = write(fold, "B")
    assert [one.n for one in told(fold, Closed)] == [number] and not told(fold, Rolled)
    assert fold.locked is None and fold.pen == "A"
    fold = write(write(fold, "A", GO, DRAW), "B")
    seen(fold)
    assert [one.n for one in told(fold, Rolled)] == [number + 1]


def test_what_is_sealed_too_late_does_not_speak_for_this_beacon(seen):
    late = sealed_as("late", {"only": ["stand"]}, stand="fall_back")
    fold = find(lambda nonce: write(with_sealed(nonce, CARDS), "A", ATTACK, GO, PASS),
                lambda fold: asked(fold) == BEATEN)  # fmt: skip
    number = fold.locked
    fold = write(fold, "B", HOLD, policies=(late,), in_clear=False)
    seen(fold)
    (choice,) = [one for one in told(fold, Ordered) if "stand" in one.order]
    assert choice.order == HOLD and [one.n for one in told(fold, Closed)] == [number]
    assert [one.slot for one in fold.policies("B")] == ["late"]


def test_it_is_spent_with_its_beacon(seen):
    fold = write(with_sealed(1, FULL), "A", ATTACK, GO, PASS)
    assert [one.slot for one in fold.policies("B")] == ["all"]
    fold = write(fold, "B", PASS)
    assert fold.policies("B") == ()
    fold = write(fold, "A", ATTACK)
    seen(fold)
    assert fold.locked is None and fold.pen == "B", "they are asked again"


def test_a_withdrawn_one_still_speaks_for_the_beacon_it_was_fixed_for(seen):
    fold = write(with_sealed(1, FULL), "A", ATTACK, GO, PASS)
    gone = {"slot": "all", "scope": None, "until": None, "doc": None}
    fold = write(fold, "B", PASS, policies=(gone,))
    seen(fold)
    assert told(fold, Unsealed) and fold.policies("B") == ()


@pytest.mark.parametrize(
    "doc", [{}, {"slot": {"odd": 1}}, {"slot": 7, "stand": 9}, {"slot": "a/1/0", "stand": "run"}]
)
def test_a_malformed_document_answers_as_none(seen, doc):
    """Neither a stall nor a choice: no card, and the default of the rules."""
    fold = with_sealed(1, {"slot": "all", "scope": None, "until": None, "doc": doc})
    fold = write(write(fold, "A", ATTACK, GO, PASS), "B", PASS)
    seen(fold)
    orders = [one.order for one in told(fold, Answered)]
    assert orders[0] == NO_CARD and orders[1:] in ([], [HOLD])


def test_what_the_game_wrongly_wants_shown_is_not_owed(monkeypatch):
    """A slot that its author does not hold, or that both know, would be owed for ever."""
    wrong = ("a/1/0", "b/9/9", "nonsense")
    monkeypatch.setattr(SealedToy, "policy_shows", lambda table, policy: wrong)
    fold = write(write(with_sealed(1, FULL), "A", ATTACK, GO, PASS), "B", PASS)
    assert steps(fold)[:2] == ["reveal", "unseal"] and "open" not in steps(fold)


def test_nothing_sealed_is_answered_openly():
    """While a lock waits for the other's new deck, the sealed decision is no open one."""
    fold = with_sealed(1, FULL)
    fold = write(fold, "A", ATTACK, GO, {"gather": {}}, PASS)
    both = dict.fromkeys("AB", fold.machine.beacons.revealed["B"])
    machine = fold.machine.put(locked=None, revealed=both)
    assert machine.pending.halt is not None and not machine.asks_openly("B")


def test_two_sealed_in_one_slot_and_entry_are_refused():
    with pytest.raises(FileRefused) as caught:
        write(begun(1), "A", PASS, policies=(FULL, FULL), in_clear=False)
    assert caught.value.code == "E-POLICY"


def test_the_author_reads_their_own_box_and_nobody_else():
    secret, other = b"\1" * 32, b"\2" * 32
    sealed = policies.seal(secret, "west", 4, {"slot": "b/1/2"})
    assert policies.unbox(secret, "west", 4, sealed.box) == {"slot": "b/1/2"}
    for key, slot, seq, box in (
        (other, "west", 4, sealed.box), (secret, "east", 4, sealed.box),
        (secret, "west", 5, sealed.box), (secret, "west", 4, "A" * 40), (secret, "west", 4, "é"),
        (secret, "west", 4, sealed.box[:-4]), (secret, "west", 4, ""),
        (secret, "west", 4, f"!{sealed.box}"),
    ):  # fmt: skip
        with pytest.raises(FileRefused) as caught:
            policies.unbox(key, slot, seq, box)
        assert caught.value.code == "E-POLICY"


def test_a_box_holds_the_canonical_bytes_and_no_other_text_of_the_document():
    """The second program hashes what lies in the box: another text of it would be another."""
    secret, document = b"\x07" * 32, {"slot": "b/1/2"}
    assert policies.unbox(secret, "west", 4, policies.seal(secret, "west", 4, document).box)
    for other in (b' {"slot":"b/1/2"}', b'["slot"]', b'"slot"', b"\xff"):
        odd = policies.encrypted(secret, other, "pbem1/box\nwest\n4")
        with pytest.raises(FileRefused, match="cannot be read with this key"):
            policies.unbox(secret, "west", 4, odd)


def test_a_document_that_is_too_long_is_not_sealed():
    with pytest.raises(FileRefused) as caught:
        policies.seal(b"\1" * 32, "west", 4, {"words": ["x" * 900] * 4})
    assert caught.value.code == "E-LIMIT"


def test_a_beacon_is_not_known_before_what_is_sealed_stands():
    """The lock of a covered decision stands behind the policy that answers it."""
    fold = write(write(with_sealed(1, FULL), "A", ATTACK, GO, PASS), "B", PASS)
    (paper,) = told(fold, Unsealed)
    (known, *_) = told(fold, Completed)
    assert paper.sent.entry < fold.machine.beacons.locks[known.n] < known.place.entry


# --- what was replaced is gone for good

ON_CARDS = sealed_as("mine", {"only": ["card"]}, slot="none")
ON_ADVANCE = sealed_as("mine", {"only": ["go"]}, go=True)


def replaced_under_a_lock(nonce):
    """A replaces sealed orders under a lock, and one step of B closes that beacon and locks more.

    The older ones say nothing under that beacon; the newer ones, which came too late for it, have
    the next one locked at once. None where the dice do not ask A for anything.
    """
    fold = write(begun(nonce), "A", PASS, policies=(ON_CARDS,), in_clear=False)
    fold = write(fold, "B", PASS, policies=(YIELDING,), in_clear=False)
    draft = Draft(fold.machine, "A", KEYS["A"])
    draft.pay()
    draft.hand_over([ATTACK])
    draft.pay()
    assert [step["do"] for step in draft.steps] == ["orders", "reveal"]
    draft.order_policy(ON_ADVANCE, in_clear=False)  # pbem writes it in front; R4 lets it stand here
    fold = write(after(fold, draft.sign("a test", None)), "B")
    if fold.locked is None:
        return None
    assert steps(fold) == ["reveal", "unseal", "reveal"] and told(fold, Closed)
    return fold


def test_what_was_replaced_does_not_come_back_when_its_successor_is_spent(seen):
    fold = write(find(replaced_under_a_lock, bool), "A", PASS)
    assert [one.doc for one in told(fold, Unsealed)] == [ON_ADVANCE["doc"]]
    assert told(fold, Answered) and told(fold, Closed)
    assert fold.policies("A") == ()
    fold = write(fold, "B", ATTACK)
    seen(fold)
    assert fold.pen == "A" and fold.owed[0].code == "answer", "they are asked again"


def test_what_was_replaced_does_not_come_back_when_its_successor_says_nothing(monkeypatch):
    fold = find(replaced_under_a_lock, bool)
    monkeypatch.setattr(SealedToy, "policy_answer", lambda table, policy: 1 // 0)
    fold = write(fold, "A")
    assert told(fold, Unsealed) and told(fold, PolicyFailed)
    assert fold.policies("A") == () and fold.owed[0].code == "answer"


def test_a_policy_that_asks_leaves_the_question_to_its_author_and_closes_the_beacon(monkeypatch):
    fold = find(replaced_under_a_lock, bool)
    monkeypatch.setattr(SealedToy, "policy_answer", lambda table, policy: None)
    fold = write(fold, "A")
    assert told(fold, Unsealed) and told(fold, Closed)
    assert not told(fold, Answered) and not told(fold, PolicyFailed)
    assert fold.policies("A") == () and fold.owed[0].code == "answer"


# --- said openly beside an order: the attack needs no later mail


def test_what_is_said_openly_with_the_order_takes_no_mail_though_more_is_sealed_later(seen):
    """What is in clear comes first; the sealed document of the same author stays closed."""

    fold = find(both_ways, of_a)
    seen(fold)
    assert steps(fold) == ["reveal", "unseal", "orders", "reveal"]
    (gone,) = of_a(fold)
    assert gone.order == GO and gone.slot == "own"
    assert [one.slot for one in fold.policies("A")] == ["plans", "own"]


def test_nobody_says_openly_what_they_would_rather_have_once_the_dice_are_known(seen):
    """The attack on it: fight, look at the dice, and then choose between two sayings."""

    fold = sealed_owed()
    draft = Draft(fold.machine, "A", KEYS["A"])
    with pytest.raises(FileRefused, match="unseal") as refused:
        draft.order_policy(OPENLY, in_clear=True)  # in place of what they are bound to
    assert refused.value.code == "E-POLICY"
    fold = write(fold, "A", policies=(OPENLY,), in_clear=False)
    seen(fold)
    (answer,) = of_a(fold)
    assert answer.order == {"advance": {"go": False}} and answer.slot == "plans"


def test_what_is_replaced_under_the_lock_still_speaks_for_its_beacon(seen):
    """Another saying behind the reveal, or in the next mail, changes nothing for these dice."""

    fold = find(behind_the_value, of_a)
    seen(fold)
    assert [one.order for one in of_a(fold)] == [GO]


def test_for_an_answer_that_only_goes_on_nothing_sealed_is_opened(monkeypatch):
    """What is in clear answers; who has only sealed something is asked."""
    waits = SealedToy.waits

    def on(toy):
        return replace(waits(toy), goes_on=True) if toy.stage == "advance" else waits(toy)

    monkeypatch.setattr(SealedToy, "waits", on)
    fold = find(sealed_only, lambda fold: fold.waits.what == "advance or stay")
    assert (fold.pen, fold.owed[0].code) == ("A", "answer")
    fold = find(lambda nonce: write(attacked(nonce, OPENLY), "B"), of_a)
    assert [one.order for one in of_a(fold)] == [GO]


def left_a_round_ago(nonce):
    """A has sealed what answers, and the same again behind the dice that lead to the question."""
    fold = write(begun(nonce), "A", PASS, policies=(ON_ADVANCE,), in_clear=False)
    fold = write(fold, "B", PASS, policies=(YIELDING,), in_clear=False)
    draft = Draft(fold.machine, "A", KEYS["A"])
    draft.pay()
    draft.hand_over([ATTACK])
    draft.pay()
    if draft.machine.beacons.locked is None:
        return None
    draft.order_policy(ON_ADVANCE, in_clear=False)
    fold = write(after(fold, draft.sign("a test", None)), "B")
    return fold if fold.owed and fold.owed[0].code == "unseal" and fold.pen == "A" else None


@pytest.mark.parametrize("answers", [lambda table, policy: None, lambda table, policy: 1 // 0])
def test_whoever_seals_the_same_again_is_asked_where_it_says_nothing(monkeypatch, answers):
    """Each was opened a mail later, and the next one was sealed with it."""
    real = SealedToy.policy_answer
    monkeypatch.setattr(
        SealedToy, "policy_answer",
        lambda table, policy: (answers if policy.by == "A" else real)(table, policy),
    )  # fmt: skip
    fold = find(left_a_round_ago, bool)
    draft = Draft(fold.machine, "A", KEYS["A"])
    draft.pay()
    assert draft.machine.beacons.locked is None
    assert draft.machine.owed[0].code == "answer" and draft.machine.owed[0].by == "A"
    assert any(not one.is_unsealed and one.c for one in draft.machine.in_force("A")), "one stays"
    assert draft.machine.pending.left == ("A", "advance or stay")
    fold = write(fold, "A", GO)
    assert fold.machine.pending.left is None
