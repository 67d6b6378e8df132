"""New keys: by the old one, by the spare one, by the opponent; what each is worth."""

import pytest

from pbem.gamefile import format, negotiation, new_keys, rotation
from pbem.gamefile.chain import sign_entry
from pbem.gamefile.compose import Wish, compose, propose
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.journal import Rotated
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.signers import check_end_signed, signed_among
from pbem.gamefile.verify import doubts, examine
from tests.gamefile.mutations import NOBODYS, SMALL, forge, say
from tests.gamefile.players import (
    KEYS,
    TERMS,
    TOOL,
    opened,
    proposed,
    resigned,
    reveal,
    started,
    tried,
    write,
)
from tests.gamefile.test_machine import LONG, open_long, refused
from tests.gamefile.toy import open_toy

PASS = {"pass": {}}
DRAW = {"draw": {}}
NEW, NEWER, SPARE, THIRD = (KeyPair.from_seed(bytes([at]) * 32) for at in (9, 10, 11, 12))


def spared(player: str = "A") -> Fold:
    """The hands are dealt, and a player has named a spare key at the beginning."""
    fold = proposed()
    if player == "A":
        fold = propose(
            KEYS["A"], KEYS["B"].public, TERMS, open_toy, nonce=b"\x11" * 16, tool=TOOL,
            spare=SPARE.public,
        ).fold  # fmt: skip
    named = SPARE.public if player == "B" else None
    fold = compose(fold, KEYS["B"], Wish(), tool=TOOL, fresh=b"\x22" * 16, spare=named).fold
    return write(write(fold, "A"), "B")


def renewed(fold: Fold, key: KeyPair = KEYS["A"], new: KeyPair = NEW) -> Fold:
    return negotiation.own_new_key(fold, key, new, tool=TOOL)


def for_other(fold: Fold, by: str, new: KeyPair = NEW) -> Fold:
    of = "AB"[by == "A"]
    proof = negotiation.proof_for(fold, of, new)
    return negotiation.new_key(
        fold, KEYS[by], new.public.hex(), proof, tool=TOOL, signed_by="opponent"
    )


def next_entry(fold: Fold, key: KeyPair, *orders) -> Fold:
    return compose(fold, key, Wish(orders=orders), tool=TOOL).fold


def step(fold: Fold, of: str = "A", new: KeyPair = NEW, **changes) -> dict:
    made = {
        "do": "rotate", "new_pub": new.public.hex(), "proof": negotiation.proof_for(fold, of, new),
        "signed_by": "old",
    }  # fmt: skip
    return {**made, **changes}


def attack(fold: Fold, player: str, *steps, key: KeyPair | None = None) -> FileRefused:
    entry = forge(fold, player, list(steps))
    if key is not None:
        entry = sign_entry(key, entry.payload)
    return refused(replay, [*fold.entries, entry], open_toy)


# --- by the old key


def test_the_new_key_signs_and_the_old_one_gives_the_secrets():
    fold = renewed(opened())
    assert [step["do"] for step in fold.entries[-1].steps] == ["rotate"]
    assert [(one.of, one.signed_by) for one in fold.journal[-1] if isinstance(one, Rotated)] == [
        ("A", "old")
    ]
    assert fold.pen == "A" and fold.player_of(NEW.public) == "A"
    fold = next_entry(fold, NEW.in_place_of(KEYS["A"]), DRAW)
    assert fold.locked == 2
    fold = write(fold, "B")
    assert examine(format.write(fold.entries), open_toy).is_good


def test_the_new_key_has_no_secrets_of_its_own():
    for offered, remedy in (
        ("", "your opponent can let you go on with new secrets: pbem offer GAME renew"),
        ("draw", "your opponent can let you go on with new secrets: pbem offer GAME renew"),
        ("renew", "your opponent lets you go on with new secrets: pbem answer GAME yes"),
    ):
        fold = renewed(opened())
        fold = write(fold, "B", offer={"what": offered}) if offered else fold
        found = refused(next_entry, fold, NEW, PASS)
        assert (found.code, str(found.problems[0].hint)) == (
            "E-KEY", "give the key the game began with, too: --key NEW --secrets OLD; if that is "
            f"lost, or stolen, {remedy}",
        )  # fmt: skip


def test_who_has_lost_their_secrets_may_still_agree_and_resign():
    fold = write(renewed(opened()), "B", offer={"what": "draw"})
    assert compose(fold, NEW, Wish(answer=True), tool=TOOL).fold.phase == "over"
    locked = renewed(write(opened(), "A", DRAW), KEYS["B"])
    assert compose(locked, NEW, Wish(resign=True), tool=TOOL).fold.phase == "over"
    assert refused(next_entry, locked, NEW).code == "E-KEY"


def test_the_secrets_stay_those_of_the_first_key_for_good():
    fold = renewed(renewed(opened()), NEW, NEWER)
    fold = next_entry(fold, NEWER.in_place_of(KEYS["A"]), DRAW)
    assert fold.locked == 2
    assert refused(next_entry, renewed(opened()), NEW.in_place_of(NEWER), DRAW).code == "E-KEY"


def test_a_key_may_be_replaced_beside_the_turn_and_while_a_value_is_owed():
    fold = renewed(opened(), KEYS["B"])
    assert fold.machine.entry.side and fold.pen == "A"
    locked = write(opened(), "A", DRAW)
    fold = renewed(locked, KEYS["B"])
    assert fold.locked == 2 and fold.owed[0].machine == "reveal 2"
    assert next_entry(fold, NEW.in_place_of(KEYS["B"])).locked is None


def test_the_retired_key_signs_nothing_more():
    """Case 60."""
    fold = renewed(opened())
    found = attack(fold, "A", {"do": "orders", "list": [PASS]})
    assert (found.code, found.whose) == ("E-FORGED", None)
    assert str(found.message) == "is signed with the key of player A that was retired in entry 4"
    found = refused(write, fold, "A", PASS)
    assert (found.code, str(found.message)) == (
        "E-KEY", "this key was replaced by a new one in entry 4",
    )  # fmt: skip
    again = step(fold, new=NEWER)
    assert attack(fold, "A", again).code == "E-FORGED"


def test_a_new_key_proves_itself_for_this_game_and_entry():
    """Case 59."""
    fold = opened()
    other = write(fold, "A", PASS)
    for proof in (
        step(other)["proof"],  # of another entry
        new_keys.proof(NEW, "ab" * 32, 4, KEYS["A"].public),  # of another game
        new_keys.proof(NEW, fold.game, 4, KEYS["B"].public),  # for another's place
        new_keys.proof(NEWER, fold.game, 4, KEYS["A"].public),  # of another key
        "A" * 86 + "==",
    ):
        found = attack(fold, "A", step(fold, proof=proof))
        assert (found.code, found.rule) == ("E-KEY", "keys")
        assert str(found.message).startswith(
            "the new key has not signed that it replaces the old one"
        )
    bare = step(fold)
    del bare["proof"]
    entry = resigned(forge(fold, "A", [say("Hm.")]), steps=[bare])
    assert refused(replay, [*fold.entries, entry], open_toy).code == "E-SCHEMA"


def test_a_proof_has_one_spelling():
    fold = opened()
    good = step(fold)["proof"]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    stray = good[:85] + letters[letters.index(good[85]) | 1] + "=="
    assert stray != good and attack(fold, "A", step(fold, proof=stray)).code == "E-KEY"


def test_a_key_has_one_place_in_a_game():
    fold = spared()
    for taken in (KEYS["A"], KEYS["B"], SPARE):
        assert attack(fold, "A", step(fold, new=taken)).code == "E-KEY"
    fold = renewed(fold)
    back = step(fold, new=KEYS["A"])
    assert attack(fold, "A", back, key=NEW).code == "E-KEY"


@pytest.mark.parametrize("public", NOBODYS)
def test_a_key_that_binds_nobody_takes_no_place(public):
    found = attack(opened(), "A", {**step(opened()), "new_pub": public})
    why = "binds nobody" if public in SMALL else "cannot be a public key"
    assert found.code == "E-KEY" and why in str(found.message)


def test_a_new_key_comes_alone():
    fold = opened()
    orders = {"do": "orders", "list": [PASS]}
    for steps in ([orders, step(fold)], [step(fold), orders], [step(fold), step(fold)]):
        assert attack(fold, "A", *steps).code == "E-TURN"
    locked = write(fold, "A", DRAW)
    assert attack(locked, "B", say("Hm."), step(locked, "B")).code == "E-NOREVEAL"


def test_new_keys_have_a_limit():
    fold, key = opened(), KEYS["A"]
    for count in range(new_keys.MAX_ROTATIONS):
        new = KeyPair.from_seed(bytes([40 + count]) * 32)
        fold, key = renewed(fold, key, new), new
    assert refused(renewed, fold, key, NEW).code == "E-LIMIT"


# --- by the spare key


@pytest.mark.parametrize("player", ["A", "B"])
def test_the_spare_key_gives_a_new_one_and_nothing_else(player):
    fold = renewed(spared(player), SPARE)
    assert fold.player_of(NEW.public) == player
    assert fold.entries[-1].steps[0]["signed_by"] == "spare"
    with_secrets = NEW.in_place_of(KEYS[player])
    if player == "A":
        assert next_entry(fold, with_secrets, DRAW).locked == 2
    found = refused(next_entry, spared(player), SPARE, PASS)
    assert found.code == "E-KEY" and "it can only sign a new key" in str(found.message)


def test_an_entry_with_orders_is_not_signed_with_the_spare_key():
    fold = spared()
    orders = {"do": "orders", "list": [PASS]}
    assert attack(fold, "A", orders, key=SPARE).code == "E-FORGED"
    both = step(fold, signed_by="spare")
    assert attack(fold, "A", both, orders, key=SPARE).code == "E-TURN"
    assert attack(fold, "A", both).code == "E-FORGED"  # signed with the old key after all


def test_no_spare_key_was_named():
    fold = opened()
    assert attack(fold, "A", step(fold, signed_by="spare"), key=SPARE).code == "E-KEY"
    assert refused(renewed, fold, SPARE).code == "E-KEY"


def test_a_spare_key_is_none_of_the_others():
    for taken in (KEYS["A"], KEYS["B"]):
        found = refused(
            propose, KEYS["A"], KEYS["B"].public, TERMS, open_toy, nonce=b"\x11" * 16, tool=TOOL,
            spare=taken.public,
        )  # fmt: skip
        assert found.code == "E-KEY"


# --- by the opponent


def test_the_opponent_names_a_key_and_everybody_is_told():
    fold = for_other(opened(), "B")
    assert fold.player_of(NEW.public) == "A" and fold.pen == "A"
    assert rotation.on_word(fold.machine, "A").entry == 4
    fold = next_entry(fold, NEW.in_place_of(KEYS["A"]), PASS)
    report = examine(format.write(fold.entries), open_toy)
    assert str(report.proven.sentences()[-1]) == (
        "from entry 4 on, the key of player A rests on the word of player B alone: what is signed "
        "with it proves nothing against player A"
    )
    assert report.proven.plain()["on_word"] == [["A", 4]]
    assert [*doubts(report.proven.plain())] == [report.proven.sentences()[-1]]


def test_what_such_a_key_signs_is_held_against_nobody():
    fold = for_other(opened(), "B")
    entry = sign_entry(NEW, forge(fold, "A", [say("Hm.")]).payload)
    found = refused(replay, [*fold.entries, entry], open_toy)
    assert (found.code, found.by, found.whose) == ("E-TURN", None, None)


def test_the_opponent_names_none_where_a_spare_key_is_named():
    """Case 60."""
    found = refused(for_other, spared("A"), "B")
    assert (found.code, str(found.message)) == (
        "E-CONSENT", "player A has named a spare key: nobody else can give them a new key",
    )  # fmt: skip
    fold = spared("A")
    assert attack(fold, "B", step(fold, signed_by="opponent")).code == "E-CONSENT"


def test_the_opponent_names_none_while_they_are_to_write_themselves():
    """Case 59."""
    found = refused(for_other, opened(), "A")
    assert (found.code, str(found.message)) == (
        "E-CONSENT", "player B does not have to write now, so nothing shows that their key is lost",
    )  # fmt: skip


def test_the_opponent_names_none_where_both_owe_and_they_are_first():
    """Both owe new anchors, and the player whose key it would be has written last."""
    fold = write(started(table=open_long), "B", policies=(LONG,))
    while fold.machine.beacons.revealed["A"] < 64:
        fold = write(fold, fold.pen, *([{"attack": {"force": 1}}] if fold.pen == "A" else []))
    fold = tried(fold, "B", [reveal(fold, "B", 64)])
    assert [thing.machine for thing in fold.owed][:2] == ["anchor 1", "anchor 1"]
    assert fold.pen == "A"
    found = refused(for_other, fold, "A")
    assert (found.code, found.rule) == ("E-CONSENT", "keys")
    assert (
        str(found.message)
        == "player B does not have to write now, so nothing shows that their key is lost"
    )
    assert for_other(fold, "B").player_of(NEW.public) == "A"


def test_the_opponent_needs_the_proof_of_the_new_key():
    """Case 59."""
    fold = opened()
    mine = step(fold, signed_by="opponent", proof=step(write(fold, "A", PASS))["proof"])
    assert attack(fold, "B", mine).code == "E-KEY"


def test_without_a_key_nobody_continues_a_game_even_by_naming_one():
    """The last entry must be signed, and each that names a key; the rest follows from the links."""
    spare = spared()
    for fold in (opened(), renewed(opened()), for_other(opened(), "B"), spare,
                 renewed(spare, SPARE), renewed(spared("B"), SPARE)):  # fmt: skip
        check_end_signed(fold.entries)
        check_end_signed(fold.entries[:1])
    fold, end = opened(), len(opened().entries)
    first, second, third, last = fold.entries[:4]
    check_end_signed([first, second, sign_entry(THIRD, third.payload), last])
    naming = sign_entry(THIRD, forge(fold, "A", [step(fold)]).payload)
    words = {**naming.payload, "steps": [say("x")], "seq": end + 1, "prev": naming.id}
    for forged in ([naming], [naming, sign_entry(NEW, words)]):
        found = refused(check_end_signed, [*fold.entries, *forged])
        assert (found.code, found.entry, found.whose) == ("E-FORGED", end, None)
    with_spare = sign_entry(THIRD, {**spare.entries[1].payload, "tool": "x"})
    assert refused(check_end_signed, [spare.entries[0], with_spare]).code == "E-FORGED"
    shapeless = sign_entry(THIRD, {**words, "steps": 5})
    assert refused(check_end_signed, [*fold.entries, shapeless]).code == "E-SCHEMA"
    nameless = resigned(fold.entries[0], steps=[say("x")])
    assert refused(check_end_signed, [nameless]).code == "E-FORGED"


def test_the_signatures_that_hold_are_told_as_far_as_it_is_known_who_may_sign():
    entries = list(renewed(opened()).entries)
    assert signed_among(entries, {0, 3, len(entries) - 1}) == {0, 3, len(entries) - 1}
    assert signed_among(entries, set()) == set()
    entries[3] = sign_entry(THIRD, entries[3].payload)
    assert signed_among(entries, {0, 2, 3}) == {0, 2}
    entries[2] = sign_entry(KEYS["A"], {**entries[2].payload, "steps": 5})
    assert signed_among(entries, {1, 2, 4}) == {1}
