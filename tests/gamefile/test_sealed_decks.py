"""Sealed decks in play: when an owner commits, what they show, and what chance may do then."""

import pytest

from pbem.gamefile import decks
from pbem.gamefile.beacons import mac, uniform
from pbem.gamefile.cards import RULE, SealedDecks
from pbem.gamefile.decks import Epoch
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import Laid
from pbem.gamefile.journal import Challenged, Closed, DeckBound, DeckProven, Opened, Rolled
from pbem.messages import words
from pbem.value import replace
from tests.gamefile.cup_cases import secrets
from tests.gamefile.knowledge import look_aheads
from tests.gamefile.players import reveal, sealed, tried, write
from tests.gamefile.sealed_game import own_hand, sealed_game, to_orders_of
from tests.gamefile.sealed_mutations import hidden, shown, upto
from tests.gamefile.sealed_toy import CARDS
from tests.gamefile.test_sealed_policies import ATTACK, DRAW, GO, PASS, begun, steps, told

SECRET = b"\7" * 32
EPOCH = Epoch("n", "A", 1, tuple("abcdefg"), 8, 1)


def refused(call, *arguments) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        call(*arguments)
    return caught.value


# --- the hashing


@pytest.mark.parametrize("count", [0, 1, 2, 55, 256, 257, 300])
def test_a_layout_is_the_shuffle_of_the_protocol(count):
    """Also where a first byte would favour a place, and where a number takes two bytes."""
    cards = [f"card{each:03}" for each in range(count)]
    for seed in (bytes([each]) * 32 for each in range(8)):
        order = sorted(cards)
        for last in range(count - 1, 0, -1):
            other = uniform(seed, f"perm/{last}", last + 1).value
            order[last], order[other] = order[other], order[last]
        nonces = tuple(mac(seed, f"pbem1/nonce\n{place}").hex() for place in range(count))
        assert decks.layout(seed, cards) == decks.Layout(tuple(order), nonces)


@pytest.mark.parametrize("trials", [1, 2, 8, 64])
def test_a_reply_proves_every_trial_but_one(trials):
    epoch = replace(EPOCH, trials=trials)
    commitment = decks.commitment_of(SECRET, epoch)
    for trial in {0, trials // 2, trials - 1}:
        reply = decks.reply_of(SECRET, epoch, trial)
        assert len(reply.siblings) == epoch.depth
        decks.check_reply(epoch, commitment, trial, reply)
        laid = decks.layout_of(SECRET, epoch, trial)
        assert sorted(laid.cards) == list(epoch.cards)
        for place, (card, nonce) in enumerate(zip(laid.cards, laid.nonces, strict=True)):
            assert decks.leaf_of(epoch, trial, place, card, nonce) == reply.leaves[place]


def test_a_reply_has_a_leaf_for_each_card_and_a_seed_for_each_level():
    commitment, reply = decks.commitment_of(SECRET, EPOCH), decks.reply_of(SECRET, EPOCH, 5)
    leaves, siblings = reply.leaves, reply.siblings
    for other in (
        replace(reply, leaves=leaves[:-1]), replace(reply, leaves=(*leaves, leaves[0])),
        replace(reply, siblings=siblings[:-1]), replace(reply, siblings=(*siblings, siblings[0])),
    ):  # fmt: skip
        found = refused(decks.check_reply, EPOCH, commitment, 5, other)
        assert found.code == "E-DECK" and "it needs 7 and 3" in str(found.message)


def test_what_is_shown_does_not_give_the_trial_picked():
    """No seed on the way to the trial picked can be made from the siblings."""
    reply = decks.reply_of(SECRET, EPOCH, 5)
    others = decks._others(EPOCH, 5, reply.siblings)
    assert set(others) == set(range(8)) - {5}
    hidden_seed = decks._below(decks.root_of(SECRET, EPOCH), 3)[5]
    assert hidden_seed not in others.values() and hidden_seed.hex() not in reply.siblings


def test_a_later_epoch_depends_on_challenge_and_cards():
    """Two commitments of one number, made for two positions, give away nothing of each other."""
    later = replace(EPOCH, number=2, challenge=7)
    roots = {
        decks.root_of(SECRET, each)
        for each in (later, replace(later, challenge=8), replace(later, cards=tuple("abcdef")),
                     replace(later, number=3), EPOCH)
    }  # fmt: skip
    assert len(roots) == 5
    assert decks.root_of(SECRET, EPOCH) == decks.root_of(SECRET, replace(EPOCH, challenge=9))


@pytest.mark.parametrize("member", ["deck", "number", "trial", "place", "card", "nonce"])
def test_a_leaf_binds_all_that_it_is_of(member):
    given = {"deck": "n", "number": 1, "trial": 3, "place": 2, "card": "a", "nonce": "00" * 32}
    other = {"deck": "r", "number": 2, "trial": 4, "place": 1, "card": "b", "nonce": "01" * 32}

    def leaf(of):
        epoch = replace(EPOCH, deck=of["deck"], number=of["number"])
        return decks.leaf_of(epoch, of["trial"], of["place"], of["card"], of["nonce"])

    assert leaf(given) != leaf({**given, member: other[member]})


# --- what a machine keeps of decks


def bound_decks() -> SealedDecks:
    return SealedDecks().bind(EPOCH, decks.commitment_of(SECRET, EPOCH))


def challenged() -> tuple[SealedDecks, int]:
    """The same when the beacon is known, and the trial it has picked."""
    sealed, (bound,) = bound_decks().challenge(1, b"\1" * 32)
    assert bound.trial is not None
    return sealed, bound.trial


def test_an_epoch_is_challenged_once_and_by_its_beacon():
    sealed = bound_decks()
    assert sealed.challenge(2, b"\1" * 32) == (sealed, ())
    sealed, trial = challenged()
    assert trial == decks.trial_of(b"\1" * 32, EPOCH)
    assert sealed.challenge(1, b"\2" * 32) == (sealed, ())


def out_of_place(call, *arguments) -> FileRefused:
    found = refused(call, *arguments)
    assert found.rule == RULE
    return found


def test_replies_out_of_place():
    sealed = bound_decks()
    reply = decks.reply_of(SECRET, EPOCH, 0)
    assert out_of_place(sealed.reply, "n", 1, 0, reply, "A").code == "E-DECK", "not challenged"
    sealed, trial = challenged()
    reply = decks.reply_of(SECRET, EPOCH, trial)
    for deck, number, player in (("n", 2, "A"), ("r", 1, "A"), ("n", 1, "B")):
        assert out_of_place(sealed.reply, deck, number, trial, reply, player).code == "E-DECK"
    other = out_of_place(sealed.reply, "n", 1, trial ^ 1, reply, "A")
    assert other.code == "E-DECK" and f"the beacon picked {trial}" in words(other.message)
    replied, bound = sealed.reply("n", 1, trial, reply, "A")
    assert [*replied] == [bound]
    assert out_of_place(replied.reply, "n", 1, trial, reply, "A").code == "E-DECK", "twice"
    assert sealed.unanswered("A") and not replied.unanswered("A"), "they are other decks"


def test_openings_out_of_place():
    sealed = bound_decks()
    laid = decks.layout_of(SECRET, EPOCH, 0)
    assert out_of_place(sealed.open, "n/1/0", laid.cards[0], laid.nonces[0], "A").code == "E-OPEN"
    sealed, trial = challenged()
    sealed, _ = sealed.reply("n", 1, trial, decks.reply_of(SECRET, EPOCH, trial), "A")
    laid = decks.layout_of(SECRET, EPOCH, trial)
    for slot, card, nonce, player in (
        ("n/1/0", laid.cards[1], laid.nonces[0], "A"), ("n/1/0", laid.cards[0], "00" * 32, "A"),
        ("n/1/9", laid.cards[0], laid.nonces[0], "A"),
        ("n/2/0", laid.cards[0], laid.nonces[0], "A"),
        ("n/1/0", laid.cards[0], laid.nonces[0], "B"),
    ):  # fmt: skip
        assert out_of_place(sealed.open, slot, card, nonce, player).code == "E-OPEN"
    sealed = sealed.open("n/1/0", laid.cards[0], laid.nonces[0], "A")
    before = sealed.plain()
    sealed = sealed.open("n/1/0", laid.cards[0], laid.nonces[0], "A")  # taken back, drawn again
    assert sealed.plain() == before and [len(one["opened"]) for one in before] == [1]


def test_only_what_is_not_laid_any_more_is_undone():
    other, more = replace(EPOCH, deck="r", by="B"), replace(EPOCH, number=2)
    sealed = bound_decks().bind(other, "0").bind(more, "0")
    (first, second, _) = sealed.bound
    after = sealed.undo([Laid("n", "A", 1, EPOCH.cards), Laid("r", "B", 1, EPOCH.cards)])
    assert after.bound == (first, second) and [each.name for each in after.undone] == ["n/2"]
    assert after.used() == {"n": 2} and len(after.ever()) == len(sealed.ever())
    assert [each.name for each in after.drop("B").undone] == ["n/2", "r/1"]


def test_a_deck_counts_as_fixed_only_if_bound_before_the_beacon():
    sealed, laid = bound_decks(), (Laid("n", "A", 1, EPOCH.cards),)
    assert sealed.are_fixed(laid, 1) and sealed.are_fixed(laid, 2)
    later = (*laid, Laid("n", "A", 2, ("x",)))
    assert not sealed.are_fixed(later, 2), "not bound at all"
    sealed = sealed.bind(Epoch("n", "A", 2, ("x",), 8, 3), "00" * 32)
    assert not sealed.are_fixed(later, 2) and sealed.are_fixed(later, 3)
    assert sealed.lacking(later, "A") == []


# --- in a game


def test_the_beginning_commits_and_the_first_beacon_challenges():
    fold = begun(1)
    bound = [one for one in fold.told() if isinstance(one, DeckBound)]
    assert [(one.by, one.deck, one.epoch, one.place.entry) for one in bound] == [
        ("B", "b", 1, 1), ("A", "a", 1, 2),
    ]  # fmt: skip
    assert [one.n for one in fold.told() if isinstance(one, Challenged)] == [1, 1]
    assert steps(fold) == ["reveal", "deck_reply"]
    assert [thing.machine for thing in fold.owed] == ["deck_reply a/1", "answer orders of round 1"]
    assert steps(write(fold, "A", PASS)) == ["deck_reply", "orders"]


def test_only_the_owner_knows_the_hand():
    fold = begun(1)
    for player, other in ("AB", "BA"):
        assert len(own_hand(fold, player)) == 2
        table = fold.in_play
        assert not set(table.hand(other)) & set(table.known())


def test_a_commitment_stands_between_the_orders_and_the_value():
    fold = to_orders_of(upto(17), "B")
    number = fold.machine.next_beacon
    fold = write(fold, "B", {"gather": {}}, DRAW, PASS)
    assert steps(fold) == ["orders", "deck_commit", "reveal"] and fold.locked == number
    (bound,) = [one for one in fold.machine.hidden.decks if one.epoch.number == 2]
    assert bound.epoch.challenge == number and bound.trial is None
    fold = write(fold, "A")
    assert [one.n for one in told(fold, Challenged)] == [number]
    fold = write(fold, "B")
    assert steps(fold)[0] == "deck_reply" and told(fold, DeckProven)
    assert look_aheads(fold) == []


def test_an_offer_lapses_before_the_dice_that_follow_a_commitment():
    """Whoever answers is told why they cannot: what they owe comes first."""
    fold = to_orders_of(upto(17), "B")
    fold = tried(fold, "B", [{"do": "orders", "list": [{"gather": {}}, DRAW, PASS]}])
    assert fold.owed[0].machine == "deck_commit b/2"
    fold = write(fold, "A", offer={"what": "draw"})
    for yes in (True, False):
        found = refused(lambda yes=yes: write(fold, "B", answer=yes))
        assert found.code == "E-CONSENT" and "an offer lapses before dice" in str(found.message)
    found = refused(lambda: write(write(fold, "B"), "A", answer=True))
    assert "has no open offer" in str(found.message)


def test_a_deck_laid_behind_a_roll_closes_the_beacon():
    """B gathers and draws behind an attack they ordered with it: the draw needs another beacon."""
    fold = to_orders_of(upto(17), "B")
    fold = write(fold, "B", {"attack": {"force": 2}}, GO, {"gather": {}}, DRAW, PASS)
    number = fold.machine.next_beacon
    fold = write(fold, "A", {"card": {"use": None}}, {"stand": {"how": "hold"}})
    assert fold.locked == number
    fold = write(fold, "B")
    assert [one.n for one in told(fold, Rolled)] == [number], "the fight, not the draw"
    assert [one.n for one in told(fold, Closed)] == [number]
    assert steps(fold) == ["reveal", "deck_commit", "reveal"] and fold.locked == number + 1
    fold = write(fold, "A")
    assert [one.n for one in told(fold, Rolled)] == [number + 1]
    assert look_aheads(fold) == []


def test_a_void_beacon_challenges_too():
    """It is the first one locked behind the commitment that asks, whatever else it decides."""
    fold = to_orders_of(upto(17), "B")
    fold = write(fold, "B", {"gather": {}}, PASS)
    assert steps(fold) == ["orders", "deck_commit"], "bound as soon as it is laid"
    number = fold.machine.next_beacon
    fold = tried(fold, "A", [{**reveal(fold, "A", number), "void": True}])
    fold = write(fold, "B")
    assert steps(fold) == ["reveal", "deck_reply"]
    assert [one.n for one in told(fold, Challenged)] == [number] and told(fold, DeckProven)


def test_cards_are_opened_in_front_of_what_plays_them():
    fold = write(begun(1), "A", ATTACK, GO, PASS)
    card = min(own_hand(fold, "B").values())
    fold = write(fold, "B", {"card": {"use": card}})
    assert steps(fold) == ["open", "react", "reveal"]
    (shown_card,) = told(fold, Opened)
    assert shown_card.card == card and fold.in_play.known()[shown_card.slot] == card


def test_a_card_may_be_shown_without_need_and_stays():
    fold = to_orders_of(begun(1), "A")
    slot = hidden(fold, "A")[0]
    fold = tried(fold, "A", [shown(fold, "A", slot), {"do": "orders", "list": [PASS]}])
    assert slot in fold.in_play.known() and slot in fold.in_play.hand("A")
    assert {*secrets(fold, "A").hidden_hand(fold.machine)} == {*hidden(fold, "A")} != set()
    assert look_aheads(fold) == []


def test_a_card_alone_is_no_entry():
    fold = to_orders_of(begun(1), "A")
    found = refused(tried, fold, "A", [shown(fold, "A", hidden(fold, "A")[0])])
    assert found.code == "E-TURN"


def test_no_secret_opens_the_deck_of_the_other():
    fold = to_orders_of(begun(1), "A")
    theirs = hidden(fold, "B")[0]
    assert refused(secrets(fold, "A").open, fold.machine.hidden.decks, theirs).code == "E-KEY"
    assert secrets(fold, "B").open(fold.machine.hidden.decks, theirs)["do"] == "open"


def test_nobody_opens_while_the_other_is_asked():
    fold = write(to_orders_of(begun(1), "A"), "A", ATTACK)
    found = refused(tried, fold, "A", [shown(fold, "A", hidden(fold, "A")[0])])
    assert found.code == "E-TURN"


def test_orders_open_the_cards_of_their_author_who_is_asked():
    fold = to_orders_of(begun(1), "A")
    orders = [fold.machine.table.read({"redraw": {}})]
    opened = {
        player: [step["deck"] for step in secrets(fold, player).openings(fold.machine, orders)]
        for player in "AB"
    }
    assert opened == {"A": ["a", "a"], "B": []}


def test_what_a_look_picks_is_the_head_and_nothing_else():
    fold = write(begun(1), "A", {"look": {}})
    fold = write(fold, "B")
    (seen,) = told(fold, Opened)
    assert seen.slot in seen.before.must_show() and seen.after.must_show() == ()
    assert len(fold.in_play.known()) == 1


def test_the_same_card_twice_in_one_epoch_is_no_deck():
    fold = sealed_game()
    assert len(CARDS["A"]) == 8
    for bound in fold.machine.hidden.decks:
        opened_cards = list(bound.opened.values())
        assert len(set(opened_cards)) == len(opened_cards)


def test_cards_that_are_to_be_open_are_opened_in_front_of_the_orders():
    """Each once, and of the own hand alone."""
    fold = to_orders_of(sealed(), "A")
    (mine, *_), (theirs, *_) = map(fold.in_play.hand, "AB")
    fold = write(fold, "A", {"attack": {"force": 2}}, opened=(theirs, mine, mine))
    assert [step["do"] for step in fold.entries[-1].steps][:2] == ["open", "orders"]
    assert [*fold.in_play.known()] == [mine]
