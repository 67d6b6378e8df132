"""Offers, answers, take-backs, upgrades, claims and closing entries, honest and not."""

import random

import pytest

from pbem.gamefile import format, negotiation, witness
from pbem.gamefile.consent import MAX_TAKE_BACKS
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay, resume
from pbem.gamefile.journal import (
    Adjourned,
    Completed,
    Cured,
    OfferAnswered,
    OfferLapsed,
    OfferMade,
    Revealed,
    TakenBack,
    Upgraded,
)
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.prospect import prospect
from pbem.gamefile.verify import examine
from pbem.gamefile.without_rules import replay_without_rules
from pbem.value import replace
from tests.conftest import FUZZ
from tests.gamefile.knowledge import look_aheads
from tests.gamefile.mutations import forge, say, value
from tests.gamefile.openly_game import sealed_owed
from tests.gamefile.players import (
    KEYS,
    TOOL,
    closed,
    opened,
    policy,
    proposed,
    started,
    tried,
    write,
)
from tests.gamefile.random_games import next_mail
from tests.gamefile.test_machine import open_long, refused, rolled, worn_out  # noqa: F401
from tests.gamefile.toy import Toy, open_toy

PASS = {"pass": {}}
DRAW = {"draw": {}}
ATTACK = {"attack": {"force": 4}}


def offers(fold) -> list[dict]:
    return fold.machine.public_state()["protocol"]["offers"]


def told(fold, kind) -> list:
    return [one for one in fold.journal[-1] if isinstance(one, kind)]


def attack(fold, player, *steps) -> FileRefused:
    """How a file is refused on top of which a player has put a well-signed entry of these steps."""
    found = refused(replay, [*fold.entries, forge(fold, player, list(steps))], open_toy)
    assert found.entry == len(fold.entries)
    return found


def yes(fold, *, entry: int = -1) -> dict:
    return {"do": "answer", "offer": fold.entries[entry].id, "yes": True}


def offer(what, **terms) -> dict:
    return {"what": what, **terms}


def asks(fold, player, what, **terms):
    return write(fold, player, offer=offer(what, **terms))


# --- offers and answers


def test_an_offer_beside_the_turn_stands_in_the_public_state():
    fold = asks(opened(), "B", "draw")
    assert offers(fold) == [{"by": "B", "what": "draw", "entry": 4}]
    assert [(one.by, one.what) for one in told(fold, OfferMade)] == [("B", "draw")]
    assert fold.pen == "A" and replay(fold.entries, open_toy).head == fold.head


def test_a_draw_agreed_ends_the_game():
    fold = write(asks(opened(), "B", "draw"), "A", answer=True, say=("Gladly.",))
    assert fold.phase == "over" and offers(fold) == []
    assert fold.result == {"winner": None, "how": "draw agreed"}
    assert [step["do"] for step in fold.entries[-1].steps] == ["answer", "say"]
    assert refused(write, fold, "A", PASS).code == "E-TURN"


def test_a_game_ended_without_result_says_so():
    fold = write(asks(opened(), "B", "void"), "A", answer=True)
    assert fold.result == {"winner": None, "how": "void by consent", "void": True}


def test_an_offer_with_ones_orders_is_answered_in_turn():
    fold = write(opened(), "A", PASS, offer=offer("draw"))
    assert fold.pen == "B" and write(fold, "B", answer=True).phase == "over"
    fold = write(opened(), "A", DRAW)
    fold = write(fold, "B", offer=offer("draw"))
    assert fold.pen == "A" and write(fold, "A", answer=True).phase == "over"


def test_a_no_is_no_more_than_words():
    fold = asks(opened(), "B", "draw")
    assert refused(write, fold, "A", answer=False).code == "E-TURN"
    fold = write(fold, "A", PASS, answer=False)
    assert [(one.what, one.yes) for one in told(fold, OfferAnswered)] == [("draw", False)]
    assert fold.phase == "running" and offers(fold) == [] and told(fold, OfferLapsed) == []


def test_an_offer_lapses_with_the_next_entry_of_the_other():
    fold = write(asks(opened(), "B", "draw"), "A", PASS)
    assert [(one.by, one.what) for one in told(fold, OfferLapsed)] == [("B", "draw")]
    assert offers(fold) == []
    fold = write(write(opened(), "A", PASS, offer=offer("draw")), "A", say=("Well?",))
    assert len(offers(fold)) == 1


def test_adjourning_is_on_record_and_ends_with_the_next_turn():
    fold = write(asks(opened(), "B", "adjourn", until="the first of May"), "A", answer=True)
    assert [one.until for one in told(fold, Adjourned)] == ["the first of May"]
    assert fold.machine.agreements.adjourned == 5 and fold.pen == "A" and fold.phase == "running"
    assert write(fold, "B", say=("Enjoy.",)).machine.agreements.adjourned == 5
    assert write(fold, "A", PASS).machine.agreements.adjourned is None


def test_what_is_not_open_cannot_be_answered():
    """Case 56: another offer, one that was answered, one that has lapsed.

    One's own is open only while the other has the pen: to answer that is out of turn.
    """
    fold = asks(opened(), "B", "draw")
    other = attack(fold, "A", {"do": "answer", "offer": "ab" * 32, "yes": True})
    assert (other.code, other.whose) == ("E-CONSENT", "A")
    assert str(other.message) == "the answer names an offer other than the open one, in entry 4"
    lapsed = write(write(fold, "A", PASS), "B", PASS)
    again = attack(lapsed, "A", yes(lapsed, entry=4))
    assert (again.code, again.step) == ("E-CONSENT", 0)
    assert str(again.message) == "player B has no open offer: it was answered, or it has lapsed"
    answered = write(write(fold, "A", PASS, answer=False), "B", PASS)
    assert attack(answered, "A", yes(answered, entry=4)).code == "E-CONSENT"
    mine = write(opened(), "A", PASS, offer=offer("draw"))
    assert attack(mine, "A", yes(mine)).code == "E-TURN"
    assert refused(write, opened(), "A", answer=True).code == "E-CONSENT"


def test_a_draw_is_not_answered_behind_a_resignation():
    """Case 58."""
    fold = write(asks(opened(), "B", "draw"), "A", resign=True)
    found = attack(fold, "A", yes(fold, entry=4))
    assert (found.code, str(found.message)) == (
        "E-TURN",
        "the game is over, but this is an answer step",
    )
    both = attack(asks(opened(), "B", "draw"), "A", {"do": "resign"}, yes(fold, entry=4))
    assert both.code == "E-TURN"


def test_one_open_offer_for_each_player():
    fold = write(opened(), "A", PASS, offer=offer("draw"))
    two = attack(fold, "A", {"do": "offer", "what": "void"})
    assert (two.code, two.rule) == ("E-CONSENT", "offers")
    assert str(two.message) == "player A already has an open offer"
    draw = {"do": "offer", "what": "draw"}
    assert attack(opened(), "B", draw, draw).code == "E-CONSENT"


def test_an_offer_may_be_made_in_place_of_an_answer():
    fold = write(asks(opened(), "B", "draw"), "A", PASS, offer=offer("adjourn"))
    assert [(one["by"], one["what"]) for one in offers(fold)] == [("A", "adjourn")]


@pytest.mark.parametrize(("owed", "code"), [("reveal", "E-NOREVEAL"), ("unseal", "E-POLICY")])
def test_an_answer_to_nothing_is_in_the_place_of_what_is_owed(owed, code):
    fold = write(opened(), "A", DRAW) if owed == "reveal" else sealed_owed()
    assert fold.owed[0].code == owed
    answers = {"do": "answer", "offer": "0" * 64, "yes": True}
    found = refused(tried, fold, fold.pen, [answers])
    assert (found.code, found.rule) == (code, "R4")


def test_an_entry_of_the_pen_holder_is_more_than_an_offer():
    """It leaves the pen where it was, so nobody could answer."""
    found = attack(opened(), "A", {"do": "offer", "what": "draw"})
    assert (found.code, found.rule) == ("E-CONSENT", "T4")


# --- R10: nothing beside the roll


def test_an_entry_that_locks_holds_no_offer():
    """Case 78."""
    draw = {"do": "offer", "what": "draw"}
    orders = {"do": "orders", "list": [DRAW]}
    before = attack(opened(), "A", draw, orders)
    assert (before.code, before.rule, before.step) == ("E-TURN", "R10", 1)
    assert str(before.message).startswith("the entry comes before a roll")
    reveal = {"do": "reveal", "n": 2, "x": value("A", 2, opened())}
    assert attack(opened(), "A", orders, reveal, draw).code == "E-TURN"
    void = attack(opened(), "A", draw, {**reveal, "void": True})
    assert (void.code, void.rule) == ("E-TURN", "R10")
    assert refused(write, opened(), "A", DRAW, offer=offer("draw")).rule == "R10"


def test_an_offer_lapses_when_a_beacon_is_locked():
    """Case 78: B offers, A's orders lock, and A would answer in their next entry."""
    fold = asks(write(opened(), "A", PASS), "A", "draw")
    fold = write(fold, "B", DRAW)
    assert fold.locked == 2 and [one.by for one in told(fold, OfferLapsed)] == ["A"]
    fold = write(fold, "A")
    late = attack(fold, "B", yes(fold, entry=5))
    assert late.code == "E-CONSENT"
    fold = write(asks(opened(), "B", "draw"), "A", void=True)
    assert offers(fold) == [] and len(told(fold, OfferLapsed)) == 1


def test_nothing_is_offered_while_the_dice_hang():
    fold = write(opened(), "A", DRAW)
    for what in ("draw", "void", "adjourn"):
        found = attack(fold, "A", {"do": "offer", "what": what})
        assert (found.code, found.rule) == ("E-TURN", "R10")
    silent = attack(fold, "A", {"do": "offer", "what": "takeback", "to": 3})
    assert (silent.code, silent.rule) == ("E-TURN", "R10")


# --- take-backs


def test_a_take_back_goes_on_from_the_earlier_state():
    fold = write(opened(), "A", PASS)
    fold = write(asks(fold, "A", "takeback", to=3), "B", answer=True, say=("Never mind.",))
    assert [step["do"] for step in fold.entries[-1].steps] == ["answer", "takeback", "say"]
    assert fold.in_play == replay(fold.entries[:4], open_toy).in_play
    assert (fold.pen, fold.waits.what) == ("A", "orders of round 1")
    (back,) = told(fold, TakenBack)
    assert (back.by, back.to) == ("A", 3)
    assert write(fold, "A", DRAW).locked == 2


def test_a_take_back_restores_what_was_given_and_ordered_for_good():
    """Orders given ahead and policies of the earlier state are in force again; later ones not."""
    west = policy("west", {"ask_from_force": 3}, None, card=None, stand="hold")
    fold = write(started(), "B", policies=(west,))
    fold = write(fold, "A", ATTACK, {"advance": {"go": True}})
    assert fold.pen == "B" and fold.waits.kind == "react"
    fold = write(fold, "B", {"card": {"use": None}}, policies=(policy("east", card=1),))
    later = write(fold, "A")
    back = asks(later, other_than(later.pen), "takeback", to=4, known_randomness=True)
    back = write(back, back.pen, answer=True)
    there = replay(later.entries[:5], open_toy)
    assert back.given("A") == there.given("A") != ()
    assert [one.slot for one in back.policies("B")] == ["west"]
    assert back.waits == there.waits


def test_orders_given_ahead_since_are_gone():
    fold = write(opened(), "A", ATTACK, {"advance": {"go": True}})
    assert fold.given("A") != ()
    fold = write(asks(fold, "A", "takeback", to=3), "B", answer=True)
    assert fold.given("A") == () and fold.pen == "A"


def test_an_open_beacon_is_closed_by_a_take_back():
    """The fold stops inside a beacon, at sealed orders of the player who asked to go back."""
    fold = write(write(opened(), "A", PASS), "B", PASS, policies=(
        policy("guard", card=None, stand="fall_back"),
    ))  # fmt: skip
    march = policy("march", go=True)
    fold = write(fold, "A", {"attack": {"force": 12}}, policies=(march,), in_clear=False)
    fold = asks(fold, "A", "takeback", to=5, known_randomness=True)
    stopped = write(fold, "B")
    assert stopped.machine.beacons.dice is not None and stopped.owed[0].code == "unseal"
    fold = write(fold, "B", answer=True)
    assert fold.machine.public_state()["protocol"]["beacon"]["open"] is None
    assert [(thing.by, thing.code) for thing in fold.owed] == [("A", "answer")]
    fold = write(fold, "A", {"attack": {"force": 12}})
    assert fold.locked == 3 and write(fold, "B").machine.beacons.revealed["B"] == 3


def other_than(player) -> str:
    return "AB"[player == "A"]


def test_chance_is_never_rewound():
    """R7: known dice stay known, and the same decision is rolled anew with the next number."""
    fold = write(write(opened(), "A", DRAW), "B")
    first = rolled(fold)[-1]
    fold = asks(fold, "B", "takeback", to=3, known_randomness=True)
    fold = write(fold, "A", answer=True)
    assert fold.machine.beacons.revealed == {"A": 2, "B": 2} and fold.machine.beacons.dice is None
    assert fold.in_play.drawn == 0
    fold = write(write(fold, "A", DRAW), "B")
    second = rolled(fold)[-1]
    assert (first.beacon, second.beacon) == (2, 3) and first.value != second.value
    assert look_aheads(fold) == [] and examine(format.write(fold.entries), open_toy).is_good


def test_a_spent_value_is_not_taken_again():
    """Case 57: behind the take-back the old numbers are shown once more."""
    fold = write(write(opened(), "A", DRAW), "B")
    fold = write(asks(fold, "B", "takeback", to=3, known_randomness=True), "A", answer=True)
    orders = {"do": "orders", "list": [DRAW]}
    old = {"do": "reveal", "n": 2, "x": value("A", 2, fold)}
    found = attack(fold, "A", orders, old)
    assert (found.code, str(found.message)) == (
        "E-REVEAL",
        "value 2 is revealed, but value 3 is next",
    )
    moved = {"do": "reveal", "n": 3, "x": value("A", 2, fold)}
    assert attack(fold, "A", orders, moved).code == "E-REVEAL"


def test_it_is_refused_across_a_beacon_unless_the_offer_says_so():
    fold = write(write(opened(), "A", DRAW), "B")
    far = write(write(write(fold, "A", PASS), "B", DRAW), "A")
    found, later = (
        attack(each, by, {"do": "offer", "what": "takeback", "to": 3})
        for each, by in ((fold, "B"), (far, "A"))
    )
    assert (found.code, found.rule) == ("E-CONSENT", "R7")
    assert str(found.message) == (
        "a beacon was completed since entry 3, so both players know its dice, rolled or not"
    )
    assert "2 beacons were completed" in str(later.message)


def test_a_pending_beacon_is_completed_and_burnt_first():
    """A regrets what they have locked; B answers behind the head."""
    fold = write(opened(), "A", DRAW)
    fold = asks(fold, "A", "takeback", to=3, known_randomness=True)
    fold = write(fold, "B", answer=True)
    assert [step["do"] for step in fold.entries[-1].steps] == ["reveal", "answer", "takeback"]
    assert fold.locked is None and fold.machine.beacons.revealed == {"A": 2, "B": 2}
    assert fold.in_play.drawn == 0 and fold.pen == "A"
    front = write(opened(), "A", DRAW)
    front = asks(front, "A", "takeback", to=3, known_randomness=True)
    back = {"do": "takeback", "to": 3}
    assert attack(front, "B", yes(front), back).code == "E-NOREVEAL"


def test_a_take_back_needs_both():
    """Case 56: none offered; offered and not answered; of another entry; agreed and not done."""
    fold = write(opened(), "A", PASS)
    back = {"do": "takeback", "to": 3}
    alone = attack(fold, "B", back)
    assert (alone.code, alone.rule, alone.whose) == ("E-CONSENT", "offers", "B")
    assert str(alone.message) == (
        "a take-back needs an offer from one player and, directly before it, the yes of the other"
    )
    fold = asks(fold, "A", "takeback", to=3)
    assert attack(fold, "B", back).code == "E-CONSENT"
    no = {**yes(fold), "yes": False}
    assert attack(fold, "B", no, back).code == "E-CONSENT"
    further = attack(fold, "B", yes(fold), {"do": "takeback", "to": 2})
    assert (further.code, str(further.message)) == (
        "E-CONSENT", "a take-back was agreed on with to 3, but this one has to 2",
    )  # fmt: skip
    for steps in ([yes(fold)], [yes(fold), say("Fine.")]):
        undone = attack(fold, "B", *steps)
        assert (undone.code, str(undone.message)) == (
            "E-CONSENT",
            "the answer agrees to a take-back, which the next step must carry out: takeback",
        )  # fmt: skip
    draw = asks(write(opened(), "A", PASS), "A", "draw")
    assert attack(draw, "B", yes(draw), back).code == "E-TURN"


def test_only_words_follow_a_take_back():
    """Also where the decision gone back to is that of the player who agrees."""
    fold = write(write(opened(), "A", PASS), "B", PASS)
    fold = asks(fold, "B", "takeback", to=3)
    back, more = {"do": "takeback", "to": 3}, {"do": "orders", "list": [PASS]}
    found = attack(fold, "A", yes(fold), back, more)
    assert (found.code, str(found.message)) == (
        "E-TURN", "nothing may follow in this entry, but an orders step does",
    )  # fmt: skip
    assert write(write(fold, "A", answer=True), "A", PASS).pen == "B"


@pytest.mark.parametrize("to", [0, 1, 2, 4, 6, 99])
def test_the_game_goes_back_to_a_quiet_state_only(to):
    """Case 57: 2 and 4 stand before a roll, 0 and 1 before the game, the others are not there."""
    fold = write(opened(), "A", DRAW)
    fold = write(fold, "B")
    step = {"do": "offer", "what": "takeback", "to": to, "known_randomness": True}
    found = attack(fold, "B", step)
    assert (found.code, found.rule) == ("E-CONSENT", "R7")
    assert str(found.message).startswith(f"the game cannot go back to entry {to}: after it nothing")
    assert str(found.problems[0].hint) == "it can go back to 3 or 5"


def test_a_locked_state_is_refused_even_where_both_agree():
    """Case 57, with an offer that a changed program let pass."""
    fold = write(opened(), "A", DRAW)
    fold = write(fold, "B")
    machine = fold.machine.put(quiet={**fold.machine.agreements.quiet, 4: 2})
    cheat = asks(replace(fold, machine=machine), "B", "takeback", to=4, known_randomness=True)
    assert refused(replay, cheat.entries, open_toy).code == "E-CONSENT"


def test_what_was_taken_back_is_gone():
    fold = write(write(opened(), "A", PASS), "B", PASS)
    fold = write(asks(fold, "B", "takeback", to=3), "A", answer=True)
    found = refused(asks, fold, "B", "takeback", to=4)
    assert found.code == "E-CONSENT" and "it must not itself have been taken back" in str(
        found.message
    )
    fold = write(fold, "A", DRAW)
    assert list(fold.machine.agreements.quiet) == [3, 7]


def test_a_take_back_of_a_take_back_that_holds_one():
    """The state to go back to lies itself behind a take-back: it is folded with it."""
    fold = write(opened(), "A", PASS)
    fold = write(asks(fold, "A", "takeback", to=3), "B", answer=True)
    fold = write(write(fold, "A", PASS), "B", PASS)
    fold = write(asks(fold, "B", "takeback", to=7), "A", answer=True)
    assert fold.waits.what == "orders of round 2" and fold.machine.agreements.take_backs == 2
    assert replay(fold.entries, open_toy).machine.public_state() == fold.machine.public_state()


def test_take_backs_have_a_limit():
    fold = write(opened(), "A", PASS)
    machine = fold.machine.put(take_backs=MAX_TAKE_BACKS)
    fold = asks(replace(fold, machine=machine), "A", "takeback", to=3)
    assert refused(write, fold, "B", answer=True).code == "E-LIMIT"


def test_a_take_back_tells_whose_later_standing_orders_it_ends():
    early, late = policy("x", card=None), policy("y", stand="hold")
    fold = write(write(opened(), "A", PASS, policies=(early,)), "B", PASS, policies=(late,))
    fold = write(asks(fold, "B", "takeback", to=4), "A", answer=True)
    (back,) = told(fold, TakenBack)
    assert back.ended == ("B",) and [each.by for each in fold.machine.pending.policies] == ["A"]


def test_a_take_back_ends_claims_and_other_offers():
    fold = write(opened(), "A", PASS, offer=offer("takeback", to=3))
    assert fold.pen == "B"
    fold = write(fold, "A", claim_forfeit=True)
    assert fold.machine.agreements.claim is not None
    draw, back = {"do": "offer", "what": "draw"}, {"do": "takeback", "to": 3}
    for steps in ([yes(fold, entry=4), back], [draw, yes(fold, entry=4), back]):
        after = tried(fold, "B", steps)
        assert after.machine.agreements.claim is None and offers(after) == []


def test_a_take_back_is_the_same_from_a_snapshot():
    """The way to earlier states is no part of the machine; whoever folds the file has their own."""
    base = asks(write(opened(), "A", PASS), "A", "takeback", to=3)
    done = write(base, "B", answer=True)
    kept = base.machine.put(recall=None)
    again = resume(done.entries, kept, len(base.entries))
    assert again.machine.public_state() == done.machine.public_state()
    assert write(resume(base.entries, kept, 6), "B", answer=True).head == done.head
    assert prospect(done, KEYS["A"]).orders_wanted
    assert write(done, "A", PASS).pen == "B"


def with_take_backs(seed: int):
    """A random game in which every few mails somebody asks to go back, and is let."""
    rng, fold = random.Random(seed), opened()
    for _ in range(40):
        if fold.phase == "over":
            break
        if fold.machine.agreements.quiet and rng.random() < 0.25 and not fold.machine.entry.side:
            to = rng.choice(list(fold.machine.agreements.quiet))
            asker = other_than(fold.pen)
            asked = asks(fold, asker, "takeback", to=to, known_randomness=True)
            fold = write(asked, asked.pen, answer=True)
        else:
            fold = next_mail(fold, rng)
    return fold


def test_no_take_back_ever_rewinds_a_beacon():
    """Each number is completed once, each value shown once, in order, and no die is rolled twice
    with one name; what both players fold is the same, from the bytes too."""
    take_backs = across = 0
    for seed in range(3 * FUZZ):
        fold = with_take_backs(seed)
        every = list(fold.told())
        numbers = [one.n for one in every if isinstance(one, Completed)]
        assert numbers == list(range(1, len(numbers) + 1))
        for player in "AB":
            shown = [one.n for one in every if isinstance(one, Revealed) and one.by == player]
            assert shown == list(range(1, len(shown) + 1))
        dice = [(record.beacon, record.label) for record in rolled(fold)]
        assert len(dice) == len(set(dice))
        assert look_aheads(fold) == []
        again = replay(format.read(format.write(fold.entries)), open_toy)
        assert again.machine.public_state() == fold.machine.public_state()
        take_backs += fold.machine.agreements.take_backs
        across += rewinds(fold)
    assert take_backs > 9 * FUZZ and across > 4 * FUZZ


def rewinds(fold) -> int:
    """How many take-backs went behind a beacon that was completed already."""
    found = 0
    for number, journal in enumerate(fold.journal):
        for one in journal:
            if isinstance(one, TakenBack):
                since = [each for told in fold.journal[one.to + 1 : number] for each in told]
                found += any(isinstance(each, Completed) for each in since)
    return found


# --- upgrades


class Other(Toy):
    """The duel by other rules, in which counters may lie face down."""

    def may_hide_counters(self):
        return True

    def upgraded(self, terms):
        return by_rules(terms)(**vars(self))


def by_rules(terms) -> type:
    known = {"d" * 64: Base, "e" * 64: Other}
    if terms["data"] not in known:
        raise FileRefused("E-RULES", "other game data here")
    return known[terms["data"]]


class Base(Toy):
    upgraded = Other.upgraded


def open_both(terms):
    return by_rules(terms)()


OLD = {"ruleset": "toy/1", "data": "d" * 64}
NEW = {"ruleset": "toy/1", "data": "e" * 64}


def upgrading(fold, player="B", new=NEW):
    return asks(fold, player, "upgrade", old=OLD, new=new)


def test_an_upgrade_is_offered_answered_and_carried_out():
    fold = write(upgrading(opened(table=open_both)), "A", answer=True)
    assert [step["do"] for step in fold.entries[-1].steps] == ["answer", "upgrade"]
    assert type(fold.in_play) is Other and fold.proposal["data"] == NEW["data"]
    (one,) = told(fold, Upgraded)
    assert (one.by, one.old, one.new) == ("B", OLD, NEW)
    assert fold.entries[0].steps[0]["data"] == OLD["data"]
    again = replay(fold.entries, open_both)
    assert type(again.in_play) is Other and write(again, "A", PASS).pen == "B"
    assert again.machine.agreements.is_upgraded and again.machine.terms.has_counters


def test_an_upgrade_to_what_was_not_accepted():
    """Case 61."""
    fold = upgrading(opened(table=open_both))
    other = {"ruleset": "toy/1", "data": "f" * 64}
    entry = forge(fold, "A", [yes(fold), {"do": "upgrade", "old": OLD, "new": other}])
    found = refused(replay, [*fold.entries, entry], open_both)
    assert (found.code, found.whose) == ("E-CONSENT", "A")
    assert str(found.message) == (
        "a change of the rules was agreed on with new toy/1 eeeeeeeeeeeeeeee, but this one has "
        "new toy/1 ffffffffffffffff"
    )
    alone = forge(fold, "A", [{"do": "upgrade", "old": OLD, "new": NEW}])
    assert refused(replay, [*fold.entries, alone], open_both).code == "E-CONSENT"


def test_an_upgrade_names_the_rules_of_the_game():
    found = refused(asks, opened(table=open_both), "B", "upgrade", old=NEW, new=OLD)
    assert (found.code, found.rule) == ("E-CONSENT", "offers")
    assert "is not played by" in str(found.message)


def test_an_upgrade_is_not_to_another_game():
    """Case 61."""
    other = {"ruleset": "nogame/1", "data": "d" * 64}
    found = refused(upgrading, opened(table=open_both), new=other)
    assert (found.code, found.rule) == ("E-CONSENT", "offers")
    assert "nogame/1 is not of the game toy/1" in str(found.message)
    fold = opened(table=open_both)
    for step in ({"do": "offer", "what": "upgrade"}, {"do": "upgrade"}):
        entry = forge(fold, "B", [{**step, "old": OLD, "new": other}])
        assert refused(replay_without_rules, [*fold.entries, entry]).code == "E-CONSENT"


def test_only_words_follow_an_upgrade():
    fold = upgrading(opened(table=open_both))
    more = {"do": "orders", "list": [PASS]}
    steps = [yes(fold), {"do": "upgrade", "old": OLD, "new": NEW}, more]
    found = refused(replay, [*fold.entries, forge(fold, "A", steps)], open_both)
    assert found.code == "E-TURN" and found.step == 2


def test_rules_that_are_not_known_here_are_refused_when_they_come():
    """An offer alone asks nothing of the other's program; its acceptance does, and so its file."""
    unknown = {"ruleset": "toy/1", "data": "f" * 64}
    fold = upgrading(opened(table=open_both), new=unknown)
    found = refused(write, fold, "A", answer=True)
    assert (found.code, found.whose) == ("E-RULES", None)


def test_a_take_back_across_an_upgrade_keeps_the_new_rules():
    fold = write(upgrading(opened(table=open_both)), "A", answer=True)
    fold = write(fold, "A", PASS)
    fold = write(asks(fold, "A", "takeback", to=3), "B", answer=True)
    assert type(fold.in_play) is Other and fold.waits.what == "orders of round 1"


# --- side entries, claims, the end


@pytest.mark.parametrize("kind", ["takeback", "upgrade"])
def test_nothing_is_carried_out_beside_the_turn(kind):
    step = {"takeback": {"to": 3}, "upgrade": {"old": OLD, "new": NEW}}[kind]
    found = attack(opened(), "B", {"do": kind, **step})
    assert (found.code, found.rule) == ("E-TURN", "T4")


def test_a_side_entry_holds_no_orders_beside_its_offer():
    """Case 65 and 74."""
    draw = {"do": "offer", "what": "draw"}
    orders = {"do": "orders", "list": [PASS]}
    assert attack(opened(), "B", draw, orders).code == "E-TURN"
    assert attack(asks(opened(), "B", "draw"), "B", say("Well?")).code == "E-TURN"


def test_a_claim_is_not_cured_by_a_new_key_or_words():
    fold = write(write(opened(), "A", DRAW), "A", claim_forfeit=True)
    fold = negotiation.own_new_key(fold, KEYS["B"], KeyPair.from_seed(b"\x09" * 32), tool=TOOL)
    assert fold.machine.agreements.claim["owed"] == ["reveal 2"] and told(fold, Cured) == []


def test_half_a_cure_leaves_the_other_half(worn_out):  # noqa: F811
    fold = write(worn_out, "B", claim_forfeit=True)
    assert fold.machine.agreements.claim["owed"] == ["anchor 1", "answer orders of round 1"]
    from pbem.gamefile.draft import Draft

    draft = Draft(fold.machine, "A", KEYS["A"])
    draft.pay()
    entry = draft.sign(TOOL, None)
    half = replay([*fold.entries, entry], open_long)
    assert half.machine.agreements.claim["owed"] == ["answer orders of round 1"]
    assert [one.left for one in told(half, Cured)] == [("answer orders of round 1",)]
    whole = write(half, "A", {"attack": {"force": 1}})
    assert whole.machine.agreements.claim is None
    assert [one.left for one in told(whole, Cured)] == [()]


def test_a_claim_names_the_entry_since_which_it_waits():
    fold = opened()
    claim = {"do": "claim_forfeit", "since": fold.head, "owed": ["answer orders of round 1"]}
    tried(fold, "B", [claim])
    assert attack(fold, "B", {**claim, "since": fold.entries[-2].id}).code == "E-STATE"


def test_a_claim_while_one_is_to_move():
    """Case 62."""
    claim = {"do": "claim_forfeit", "since": opened().head, "owed": ["answer orders of round 1"]}
    assert attack(opened(), "A", claim).code == "E-TURN"


def test_a_game_is_closed_once_by_each_behind_its_end():
    fold = write(opened(), "A", resign=True)
    fold = closed(fold, "B")
    assert fold.entries[-1].steps[0]["result"] == {"winner": "B", "how": "resignation"}
    assert refused(closed, fold, "B").code == "E-TURN"
    fold = closed(fold, "A")
    assert fold.machine.terms.closed == ("B", "A") and fold.phase == "over"
    assert replay(fold.entries, open_toy).head == fold.head


def test_a_close_is_true_and_behind_the_end():
    close = {"do": "close", "result": {"winner": "A", "how": "resignation"},
             "audits": {"a": None, "b": None}}  # fmt: skip
    over = write(opened(), "A", resign=True)
    assert attack(over, "A", close).code == "E-STATE"
    true = {**close, "result": {"winner": "B", "how": "resignation"}}
    assert attack(over, "A", {**true, "audits": {"a": "clean", "b": None}}).code == "E-STATE"
    assert attack(opened(), "A", true).code == "E-TURN"
    assert attack(opened(), "B", true).code == "E-TURN"
    twice = attack(over, "A", true, true)
    assert (twice.code, str(twice.message)) == ("E-TURN", "each player can close a game only once")
    assert str(attack(over, "B", say("Thanks.")).message) == "the game is over; nothing may follow"
    drawn = asks(opened(), "B", "draw")
    here = {**close, "result": {"winner": None, "how": "draw agreed"}}
    assert attack(drawn, "A", yes(drawn), here).code == "E-TURN"


def test_a_side_entry_gives_way_and_the_pen_holders_does_not():
    """Case 75, where the pen-holder's entry holds only what a side entry might hold, too."""
    base = asks(write(opened(), "A", PASS), "A", "takeback", to=3)
    agreed = write(base, "B", answer=True)  # B has the pen, and writes nothing but an agreement
    spoken = write(base, "B", PASS)
    assert witness.record(agreed, "B")["side"] is False
    found = refused(witness.compare, witness.record(agreed, "B"), spoken)
    assert (found.code, found.whose) == ("E-FORK", "B")
    side = write(opened(), "B", offer=offer("draw"))
    moved = write(opened(), "A", PASS)
    witness.compare(witness.record(side, "B"), moved)
    assert refused(witness.compare, witness.record(moved, "A"), side).code == "E-ROLLBACK"
    new = KeyPair.from_seed(b"\x09" * 32)
    renewed = negotiation.own_new_key(opened(), KEYS["A"], new, tool=TOOL)
    assert refused(witness.compare, witness.record(renewed, "A"), side).code == "E-ROLLBACK"
    witness.compare(witness.record(side, "B"), renewed)


# --- what comes before a yes, and with it


def test_who_says_yes_is_told_that_dice_come_first(worn_out):  # noqa: F811
    """What they owe, here a new anchor, leads to a roll, before which the offer lapses."""
    fold = write(worn_out, "B", offer={"what": "draw"})
    rolling = fold.machine.at(replace(fold.in_play, stage="fight", force=1))
    found = refused(write, replace(fold, machine=rolling), "A", answer=True)
    assert (found.code, found.rule) == ("E-CONSENT", "offers")
    assert "dice follow it, and an offer lapses" in str(found.message)


def test_orders_go_with_no_yes():
    for what, told in (("adjourn", "what was agreed on is carried out first"),
                       ("draw", "the game is over")):  # fmt: skip
        fold = write(opened(), "B", offer={"what": what})
        found = refused(write, fold, "A", {"pass": {}}, answer=True)
        assert (found.code, str(found.message)) == ("E-TURN", told)


@pytest.mark.parametrize("wish", [{"offer": {"what": "draw"}}, {"answer": True}, {"answer": False}])
def test_nothing_is_offered_or_answered_where_no_game_runs(wish):
    over = write(opened(), "A", resign=True)
    for fold, player, told in ((proposed(), "B", "has not begun"), (over, "B", "is over")):
        found = refused(write, fold, player, **wish)
        assert found.code == "E-TURN"
        assert str(found.message) == f"the game {told}, so nothing can be offered or answered"
