"""Deputies: who may be one, what they may do, and what they are found out in."""

from __future__ import annotations

import random

import pytest

from pbem.gamefile import deputies, fork, negotiation, standing_in, witness
from pbem.gamefile.chain import sign_entry
from pbem.gamefile.compose import Wish, compose, propose
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.journal import ByDeputy
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.secrets import Secrets
from pbem.gamefile.signers import check_end_signed
from pbem.gamefile.without_rules import replay_without_rules
from tests.contract.playing import Player
from tests.facedown import mails
from tests.facedown.here import table
from tests.facedown.mails import audited
from tests.gamefile import sealed_game
from tests.gamefile.players import KEYS, SEALED, TERMS, TOOL, forge, opened, sealed
from tests.gamefile.renewed import signing
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
    ruled,
    seat,
    terms,
    write,
)

DRAW = {"draw": {}}


def why(fold: Fold, player: str, key: KeyPair) -> str:
    """Why the owner of a key cannot be named."""
    found = refused(deputy, fold, player, key)
    assert (found.code, found.rule) == ("E-KEY", "deputies")
    return str(found.message)


# --- who may be one


def test_a_deputy_is_somebody_who_has_no_other_place_in_the_game():
    fold = deputy(begun(), "A")
    assert "this is the player's own" in why(fold, "A", KEYS["A"])
    assert why(fold, "A", KEYS["B"]) == "this is the key of the opponent, player B"
    assert why(fold, "A", DORA) == "this is the key of the director, who sees no hand"
    assert why(fold, "A", CARA) == "this key is the deputy's already, since entry 4"
    assert "has seen what they hide" in why(fold, "B", CARA)
    new, old = KeyPair.from_seed(b"\x31" * 32), KEYS["A"]
    rotated = negotiation.own_new_key(fold, KEYS["A"], new, tool=TOOL)
    with signing(A=new.in_place_of(KEYS["A"])):
        assert why(rotated, "A", old) == "this key was retired in this game"


def test_a_deputys_key_takes_no_other_place():
    fold = deputy(begun(), "A")
    found = refused(negotiation.own_new_key, fold, KEYS["A"], CARA, tool=TOOL)
    assert found.code == "E-KEY"


def test_who_was_withdrawn_may_come_back_and_others_may_follow():
    fold = deputy(deputy(begun(), "A"), "A", None)
    assert refused(write, fold, CARA, PASS).code == "E-KEY"
    assert "withdrawn" in str(refused(write, fold, CARA, PASS).message)
    assert refused(deputy, fold, "A", None).code == "E-TURN"
    assert write(deputy(fold, "A", CARA), CARA, PASS).pen == "B"
    other = deputy(fold, "A", EVE)
    assert refused(write, other, CARA, PASS).code == "E-KEY"
    assert write(other, EVE, PASS).pen == "B"


def test_eight_may_be_named():
    fold = begun()
    for at in range(8):
        fold = deputy(fold, "A", KeyPair.from_seed(bytes([40 + at]) * 32))
    assert refused(deputy, fold, "A", CARA).code == "E-LIMIT"


# --- what they may do


def test_every_entry_says_who_wrote_it():
    fold = write(deputy(begun(), "A"), CARA, PASS)
    assert fold.entries[-1].payload["as"] == "deputy" and fold.pen == "B"
    assert [(one.by, one.key) for one in fold.journal[-1] if isinstance(one, ByDeputy)] == [
        ("A", CARA.public)
    ]
    back = write(write(fold, KEYS["B"], PASS), KEYS["A"], PASS)
    assert "as" not in back.entries[-1].payload
    assert replay(back.entries, open_toy).head == back.head
    check_end_signed(fold.entries)
    assert len(replay_without_rules(back.entries).entries) == len(back.entries)


def test_nobody_writes_as_a_deputy_with_another_key():
    fold = deputy(begun(), "A")
    good = write(fold, CARA, PASS).entries[-1]
    for key, changes in ((KEYS["A"], {}), (EVE, {}), (CARA, {"as": None})):
        payload = {**good.payload, **changes}
        if payload["as"] is None:
            del payload["as"]
        found = refused(replay, [*fold.entries, sign_entry(key, payload)], open_toy)
        assert found.code == "E-FORGED"
    found = refused(replay, [*begun().entries, good], open_toy)
    assert found.code in ("E-CHAIN", "E-KEY")
    lone = forge(begun(), "A", [{"do": "orders", "list": [PASS]}])

    found = refused(
        replay, [*begun().entries, sign_entry(CARA, {**lone.payload, "as": "deputy"})], open_toy
    )
    assert (found.code, str(found.message)) == ("E-KEY", "player A has named no deputy")


def test_a_deputy_changes_no_keys_and_ends_nothing():
    fold = deputy(begun(), "A")
    for step in (
        {"do": "deputy", "pub": None}, {"do": "deputy", "pub": EVE.public.hex()}, {"do": "resign"},
        {"do": "rotate", "new_pub": EVE.public.hex(), "signed_by": "old",
         "proof": negotiation.proof_for(fold, "A", EVE)},
        {"do": "offer", "what": "draw"}, {"do": "offer", "what": "void"},
    ):  # fmt: skip
        steps = [step] if step["do"] != "offer" else [{"do": "orders", "list": [PASS]}, step]
        payload = {**forge(fold, "A", steps).payload, "as": "deputy"}
        found = refused(replay, [*fold.entries, sign_entry(CARA, payload)], open_toy)
        assert (found.code, found.rule, found.whose) == ("E-TURN", "deputies", "A"), step
        if step["do"] != "offer":
            without = refused(replay_without_rules, [*fold.entries, sign_entry(CARA, payload)])
            assert without.code == "E-TURN"
    offered = write(fold, KEYS["B"], offer={"what": "draw"})
    assert refused(write, offered, CARA, answer=True).code == "E-TURN"
    assert write(offered, CARA, PASS, answer=False).phase == "running"
    assert refused(negotiation.own_new_key, fold, CARA, EVE, tool=TOOL).code == "E-KEY"


def test_a_deputy_accepts_no_claim_and_gives_no_move_back():
    """Both end or undo for good what is the player's, who may still answer."""
    for board, of, shows in ((open_toy, TERMS, {"close": True}), (open_sealed_toy, SEALED, {})):
        fold = write(deputy(opened(terms(of=of), board), "B"), KEYS["A"], PASS, day=1)
        claim = claimed(fold, "A", 22)
        found = refused(write, claim, CARA, **shows)
        assert (found.code, found.rule) == ("E-TURN", "deputies")
        assert "accept a claim" in str(found.message) and "pass" in str(found.hint)
        assert write(fold, CARA, PASS).pen == "A"
        assert write(claim, KEYS["B"], **shows).result["winner"] == "A"
    fold = write(write(write(deputy(begun(), "B"), KEYS["A"], PASS), CARA, PASS), KEYS["A"], PASS)
    back = {"what": "takeback", "to": 5}
    asked = write(fold, KEYS["A"], offer=back)
    assert refused(write, asked, CARA, answer=True).code == "E-TURN"
    assert write(asked, CARA, PASS, answer=False).phase == "running"
    assert refused(write, fold, CARA, PASS, offer=back).code == "E-TURN"


def test_a_resignation_of_the_other_is_the_deputys_to_accept():
    fold = write(deputy(sealed(), "A"), KEYS["B"], resign=True)
    assert write(fold, CARA).result["winner"] == "A"


def test_with_leave_to_they_end_the_game():
    fold = deputy(begun(), "A", ends=True)
    assert write(fold, CARA, resign=True).result["winner"] == "B"
    offered = write(fold, KEYS["B"], offer={"what": "draw"})
    assert write(offered, CARA, answer=True).phase == "over"
    theirs = write(deputy(begun(), "B", ends=True), KEYS["A"], PASS, day=1)
    assert write(claimed(theirs, "A", 22), CARA, close=True).machine.terms.closed == ("B",)
    back = write(write(theirs, CARA, PASS), KEYS["A"], PASS)
    back = write(back, KEYS["A"], offer={"what": "takeback", "to": 5})
    assert write(back, CARA, answer=True).pen == "B"
    kept = refused(standing_in.with_deputy, fold, CARA, EVE.public, tool=TOOL)
    assert kept.code == "E-TURN"


def test_named_beside_the_turn_they_write_once_the_other_has():
    fold = deputy(begun(), "B")
    assert fold.machine.entry.side
    assert refused(write, fold, CARA, say=("Hello.",)).code == "E-TURN"
    fold = write(fold, KEYS["A"], PASS)
    assert write(fold, CARA, PASS).pen == "A"
    passed = write(begun(), KEYS["A"], PASS)
    assert refused(write, passed, CARA, PASS).code == "E-KEY"


def test_a_new_key_withdraws_the_deputy_whoever_named_it():
    """A thief's deputy goes with the stolen key, and that of a player with their seat."""
    thiefs, new = deputy(begun(), "A", EVE), KeyPair.from_seed(b"\x31" * 32)
    fold = negotiation.own_new_key(thiefs, KEYS["A"], new, tool=TOOL)
    found = refused(write, fold, EVE, PASS)
    assert found.code == "E-KEY" and "withdrawn" in str(found.message)
    orders = forge(thiefs, "A", [{"do": "orders", "list": [PASS]}]).payload
    late = {**orders, "as": "deputy", "seq": 6, "prev": fold.head}
    entry = sign_entry(EVE, late)
    found = refused(replay, [*fold.entries, entry], open_toy)
    assert found.code == "E-KEY" and "with a new key in entry 5" in str(found.message)
    assert deputies.present(fold.machine, "A") is None
    own = new.in_place_of(KEYS["A"])
    named = standing_in.with_deputy(fold, own, CARA.public, tool=TOOL)
    assert write(named, CARA, PASS).pen == "B"
    assert deputies.present(write(thiefs, KEYS["A"], PASS).machine, "A") is not None


def test_a_new_key_named_beside_the_turn_withdraws_them_once_the_other_has_written():
    fold = write(deputy(begun(), "B"), KEYS["A"], PASS)
    fold, new = write(fold, CARA, PASS), KeyPair.from_seed(b"\x31" * 32)
    beside = negotiation.own_new_key(fold, KEYS["B"], new, tool=TOOL)
    assert beside.machine.entry.side
    gone = write(beside, KEYS["A"], PASS)
    assert refused(write, gone, CARA, PASS).code == "E-KEY"
    assert write(write(fold, KEYS["A"], PASS), CARA, PASS).pen == "A"


def test_who_is_seated_in_the_place_of_a_player_has_not_their_deputy():
    fold = write(deputy(begun(), "B"), KEYS["A"], PASS, day=1)
    sat = ruled(fold, "A", seat(fold, "B"))
    assert refused(write, sat, CARA, PASS).code == "E-KEY"
    word = negotiation.new_key(
        fold, KEYS["A"], EVE.public.hex(), negotiation.proof_for(fold, "B", EVE), tool=TOOL,
        signed_by="opponent",
    )  # fmt: skip
    assert refused(write, word, CARA, PASS).code == "E-KEY"
    assert write(fold, CARA, PASS).pen == "A"


# --- what they see


def test_the_box_opens_for_the_deputy_alone():
    fold = deputy(sealed(), "A")
    named = deputies.present(fold.machine, "A")
    place = deputies.place_of("A", fold.game, named.entry)
    own = Secrets.in_game(fold.machine, KEYS["A"], "A").game
    assert Secrets.in_game(fold.machine, CARA, "A").game == own
    assert deputies.unboxed(CARA, named, place) == own
    for key, where in ((EVE, place), (CARA, place + "1"), (KEYS["B"], place)):
        assert refused(deputies.unboxed, key, named, where).code == "E-KEY"
    assert own.hex() not in str(fold.entries[-1].payload)


def test_without_the_secrets_a_deputy_goes_on_with_new_ones():
    fold = deputy(sealed(), "A", hands_over=False)
    found = refused(write, fold, CARA, DRAW)
    assert found.code == "E-KEY" and "new secrets" in str(found.hint)
    offered = write(fold, KEYS["B"], offer={"what": "renew"})
    taken = write(offered, CARA, answer=True)
    assert taken.machine.keys.renewals[-1].key == CARA.public
    assert replay(taken.entries, open_sealed_toy).head == taken.head
    settled = write(taken, KEYS["B"])
    assert write(settled, CARA, say=("Here I am.",)).phase == "running"
    assert refused(write, settled, KEYS["A"], PASS).code == "E-KEY"


def test_with_the_secrets_they_put_no_others_in_their_place():
    fold = write(deputy(sealed(), "A"), KEYS["B"], offer={"what": "renew"})
    assert refused(write, fold, CARA, answer=True).code == "E-TURN"


# --- whole games


def test_a_deputy_plays_the_sealed_game_to_its_audit():
    """Reveals, openings, sealed orders, new decks and the audit, all by the deputy of B."""
    fold = deputy(sealed(), "B")
    with signing(B=CARA):
        fold = sealed_game._played(fold)
        fold = write(fold, KEYS["A"], resign=True)
        fold = write(write(fold, CARA), KEYS["A"])
    assert {"reveal", "open", "unseal", "deck_commit", "deck_reply", "audit"} <= {
        step["do"] for entry in fold.entries if "as" in entry.payload for step in entry.steps
    }
    assert set(fold.machine.hidden.audited) == {"A", "B"} and not fold.is_provisional
    assert replay(fold.entries, open_sealed_toy).head == fold.head


def test_a_player_who_vanishes_at_any_moment_is_followed_by_their_deputy():
    """Before a reveal, an opening, a reply, a commitment, an answer, and at the audit: the deputy
    can write what the player could.
    """
    fold = sealed_game._played(deputy(sealed(), "B"))
    fold = write(write(fold, KEYS["A"], resign=True), KEYS["B"])
    seen = set()
    for seq in range(6, len(fold.entries)):
        entry = fold.entries[seq]
        kinds = tuple(step["do"] for step in entry.steps)
        if entry.by != "B" or "orders" in kinds or "deputy" in kinds or kinds in seen:
            continue
        seen.add(kinds)
        before = replay(fold.entries[:seq], open_sealed_toy)
        after = compose(before, CARA, _wish(entry), tool=TOOL).fold
        told = [step for step in after.entries[-1].steps if step["do"] != "policy"]
        assert told == [step for step in entry.steps if step["do"] != "policy"]
    found = {kind for kinds in seen for kind in kinds}
    assert {"reveal", "open", "unseal", "deck_reply", "audit", "react"} <= found


def _wish(entry) -> Wish:
    answers = [order for step in entry.steps for order in step.get("answers", [])]
    said = [line for step in entry.steps if step["do"] == "say" for line in step["text"]]
    return Wish(orders=tuple(answers), in_clear=True, say=tuple(said))


def test_counters_face_down_go_on_behind_a_mix_with_a_deputy():
    """All that B writes from the set-up on is by their deputy: mixes, showings, lists, the
    audit.
    """
    fold = random_game_with_deputy(3)
    kinds = {step["do"] for entry in fold.entries if "as" in entry.payload for step in entry.steps}
    assert {"deck_commit", "deck_reply", "open", "list_tell", "audit"} <= kinds
    assert any("groups" in step for entry in fold.entries if "as" in entry.payload
               for step in entry.steps)  # fmt: skip
    assert replay(fold.entries, table).head == fold.head


def random_game_with_deputy(seed: int) -> Fold:
    """A random game with counters face down in which B names a deputy as soon as it has begun."""
    fold = propose(
        KEYS["A"], KEYS["B"].public, mails.TERMS, table, nonce=bytes([seed] * 16), tool=TOOL
    ).fold
    for player in "BA":
        fold = mails.write(fold, player)
    fold = deputy(fold, "B")
    hand, rng = Player(seed), random.Random(seed)
    with signing(B=CARA):
        while fold.phase != "over":
            fold = mails.write(fold, str(fold.pen), *mails.answers(fold, hand, rng))
        return audited(fold)


# --- cheats


def test_two_stories_of_a_player_and_their_deputy_are_a_fork_of_the_seat():
    fold = deputy(begun(), "A")
    own, theirs = write(fold, KEYS["A"], PASS), write(fold, CARA, DRAW)
    for one, two, by in ((own, theirs, (False, True)), (theirs, write(fold, CARA, PASS), (1, 1))):
        found = fork.find(one.entries, two.entries, open_toy)
        assert (found.by, found.by_deputy) == ("A", tuple(map(bool, by)))
        assert fork.find(*fork.stories(found.bytes()), open_toy).bytes() == found.bytes()
        assert refused(witness.compare, witness.record(one, "B"), two).code == "E-FORK"


def test_an_old_deputy_does_not_go_back_behind_their_withdrawal():
    fold = deputy(begun(), "A")
    gone = deputy(fold, "A", None)
    late = write(fold, CARA, PASS)
    found = fork.find(gone.entries, late.entries, open_toy)
    assert found.by == "A" and found.by_deputy == (False, True)
    assert refused(witness.compare, witness.record(gone, "B"), late).code == "E-FORK"


def test_a_deputy_who_deals_themselves_a_card_is_found_like_anybody():
    fold = deputy(sealed(), "A")
    good = write(fold, CARA, DRAW)
    steps = [dict(step) for step in good.entries[-1].steps]
    reveal = next(step for step in steps if step["do"] == "reveal")
    reveal["x"] = "ab" * 32
    payload = {**good.entries[-1].payload, "steps": steps}
    found = refused(replay, [*fold.entries, sign_entry(CARA, payload)], open_sealed_toy)
    assert (found.code, found.whose) == ("E-REVEAL", "A")


def test_a_take_back_leaves_a_deputy_where_they_are():
    fold = deputy(begun(), "A")
    fold = write(fold, CARA, PASS)
    fold = write(fold, KEYS["A"], offer={"what": "takeback", "to": 4})
    fold = write(fold, KEYS["B"], answer=True)
    assert fold.pen == "A" and write(fold, CARA, PASS).pen == "B"


@pytest.mark.parametrize("spoilt", ["A" * 64, "B" * 64])
def test_a_box_of_rubbish_hurts_only_its_player(spoilt):
    fold = sealed()
    entry = forge(fold, "A", [{"do": "deputy", "pub": CARA.public.hex(), "secrets": spoilt}])
    fold = replay([*fold.entries, entry], open_sealed_toy)
    assert refused(write, fold, CARA, DRAW).code == "E-KEY"
    assert write(fold, KEYS["A"], DRAW).phase == "running"


def test_the_box_of_a_file_without_terms_is_the_same_each_time():
    fold = opened(SEALED, open_sealed_toy)
    assert deputy(fold, "A").head == deputy(fold, "A").head
    assert terms().silence is not None
