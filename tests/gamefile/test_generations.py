"""New secrets underway: who may take them up and when, what is burnt, dealt anew, and audited."""

import json

import pytest

from pbem.gamefile import beacons, format
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.generations import generations
from pbem.gamefile.journal import Closed, Completed, Renewed
from pbem.gamefile.secrets import Secrets
from pbem.gamefile.verify import doubts, examine
from tests.conftest import FUZZ
from tests.gamefile.knowledge import look_aheads
from tests.gamefile.players import (
    KEYS,
    SEALED,
    TOOL,
    forge,
    opened,
    policy,
    reveal,
    sealed,
    started,
    steps,
    tried,
    write,
)
from tests.gamefile.renewed import (
    NEW,
    NEWER,
    OFFER,
    OLD,
    audited,
    named,
    offered,
    played_on,
    renewed,
    rotated,
    secret,
    signing,
    taken,
)
from tests.gamefile.sealed_game import (
    any_answer,
    light_game,
    own_hand,
    sealed_game,
    sealed_policy,
    settled,
    to_orders_of,
)
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.test_consent import yes
from tests.gamefile.test_machine import LONG, open_long, worn_out  # noqa: F401
from tests.gamefile.test_rotation import SPARE, spared

PASS, DRAW = {"pass": {}}, {"draw": {}}
GO = {"advance": {"go": True}}
ORDERS = {"do": "orders", "list": [PASS]}
ANCHOR = {"do": "renew", "anchor": "ab" * 32}


def refused(call, *args, **named) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        call(*args, **named)
    return caught.value


def attack(fold: Fold, player: str, *steps, table=open_sealed_toy) -> FileRefused:
    entry = forge(fold, player, list(steps))
    return refused(replay, [*fold.entries, entry], table)


def hanging() -> Fold:
    """A's attack stands before the dice: B has revealed, and A owes their value of beacon 2."""
    fold = write(to_orders_of(sealed(), "A"), "A", {"attack": {"force": 2}})
    fold = write(fold, "B", {"card": {"use": None}})
    assert fold.owed[0].machine == "reveal 2" and fold.pen == "A"
    return fold


def asked() -> Fold:
    """A is asked for the orders of their first round."""
    return to_orders_of(sealed(), "A")


# --- the way it goes


def test_a_lost_key_and_its_secrets_in_two_mails():
    """The opponent names the new key and offers new secrets with it; the yes goes on at once."""
    before = hanging()
    fold = taken(named(before, "A"))
    assert steps(fold) == ["answer", "renew", "deck_commit", "reveal"]
    state = fold.machine.public_state()["protocol"]
    assert state["renewed"] == [{"by": "A", "entry": len(fold.entries) - 1, "base": 2}]
    assert state["beacon"]["a"] == 3 and state["beacon"]["b"] == 2 and fold.locked == 3
    assert state["anchors"]["a"] == [fold.entries[-1].steps[1]["anchor"]]
    assert len(before.in_play.hand("A")) == 2 and fold.in_play.hand("A") == ()
    fold = write(fold, "B")
    assert all(slot.startswith("a/2/") for slot in fold.in_play.hand("A"))
    assert len(fold.in_play.hand("A")) == 2
    fold = played_on(fold, "A")
    assert replay(fold.entries, open_sealed_toy).machine.public_state() == (
        fold.machine.public_state()
    )
    assert not look_aheads(fold)


def test_a_lost_key_with_a_spare_one():
    fold = to_orders_of(spared("A"), "A")
    fold = rotated_by_spare(fold)
    fold = taken(write(fold, "B", offer={"what": "renew"}))
    assert steps(fold) == ["answer", "renew"] and fold.pen == "A"
    fold = compose(fold, NEW, Wish(orders=(DRAW,)), tool=TOOL).fold
    assert fold.locked == 2 and write(fold, "B").locked is None


def rotated_by_spare(fold: Fold) -> Fold:
    with signing(A=SPARE):
        return rotated(fold, "A")


def test_a_stolen_key_pays_what_is_owed_first():
    """Whoever still has the old secrets shows their value: nothing is burnt that need not be."""
    fold = offered(hanging(), "A")
    fold = taken(fold, NEW.in_place_of(OLD["A"]))
    assert steps(fold)[:3] == ["reveal", "answer", "renew"]
    assert [one.n for one in fold.journal[-1] if isinstance(one, Completed)] == [2]
    assert renewal(fold).burnt is None
    assert audited(played_on(settled_b(fold), "A"), "A", NEW.in_place_of(OLD["A"])).owed == ()


def settled_b(fold: Fold) -> Fold:
    while fold.pen == "B":
        with signing(A=NEW):
            fold = settled(fold, asked="A") if fold.owed[0].code == "answer" else write(fold, "B")
    return fold


def renewal(fold: Fold) -> Renewed:
    return next(one for one in fold.journal[-1] if isinstance(one, Renewed))


def test_what_is_owed_that_would_end_the_game_ends_it():
    """A value that is at hand is never burnt to escape from what the dice decide."""
    fold = opened()
    for _ in range(12):
        fold = to_orders_of_open(fold)
        fold = write(fold, "A", {"attack": {"force": min(9, fold.in_play.strength[0])}})
        fold = write(fold, "B", {"card": {"use": None}})
        if fold.locked is None:
            continue
        known = write(fold, "A")
        if known.phase == "over":
            break
        fold = known
    assert known.phase == "over"
    mean = taken(offered(fold, "A"), NEW.in_place_of(OLD["A"]))
    assert mean.phase == "over" and steps(mean) == ["reveal"]
    assert taken(offered(fold, "A"), NEW).phase == "running"


def test_what_would_let_the_offer_lapse_is_burnt_instead():
    """The value would make the game stand before the next roll, where no offer is open any more."""
    fold = write(asked(), "A", {"attack": {"force": 8}})
    none = {"do": "react", "answers": [{"card": {"use": None}}]}
    sealed_orders = Secrets.in_game(fold.machine, KEYS["B"], "B").seal(
        "late", len(fold.entries), {"stand": "hold"}
    )
    late = {"do": "policy", "slot": "late", "scope": None, "until": None,
            "c": sealed_orders.c, "box": sealed_orders.box}  # fmt: skip
    fold = tried(fold, "B", [none, reveal(fold, "B", 2), late])
    assert steps(write(fold, "A")) == ["reveal", "reveal"]
    fold = taken(offered(fold, "A"), NEW.in_place_of(OLD["A"]))
    assert steps(fold) == ["answer", "renew", "deck_commit", "reveal"]
    assert renewal(fold).burnt == 2


def to_orders_of_open(fold: Fold) -> Fold:
    answers = {"stand": {"stand": {"how": "hold"}}, "advance": GO, "card": {"card": {"use": None}}}
    while not (fold.in_play.stage == "order" and fold.pen == "A" and fold.locked is None):
        order = answers.get(fold.in_play.stage, PASS) if fold.owed[0].code == "answer" else None
        fold = write(fold, fold.pen, *([order] if order else ()))
    return fold


def test_what_the_game_asks_then_may_stand_in_the_same_entry():
    """With open hands nothing is dealt anew: orders follow the new secrets at once."""
    fold = offered(opened(), "A")
    with signing(A=NEW):
        made = compose(fold, NEW, Wish(answer=True), tool=TOOL).fold
        anchor = made.entries[-1].steps[1]
        fold = tried(fold, "A", [yes(fold), anchor, ORDERS, {"do": "say", "text": ["On we go."]}])
    assert fold.pen == "B" and fold.in_play.number == 2


def test_policies_go_with_it():
    fold = taken(offered(hanging(), "A"), policies=(policy("all", card=None),))
    assert steps(fold) == ["answer", "renew", "deck_commit", "reveal", "policy"]
    assert fold.policies("A")[0].box is not None
    fold = played_on(write(fold, "B"), "A")
    assert audited(fold, "A", lost=True).owed == ()
    assert audited(fold, "A", NEW.in_place_of(OLD["A"])).owed == ()


# --- what is burnt


def test_a_burnt_beacon_decides_nothing_and_its_value_is_never_shown():
    fold = renewed(hanging(), "A")
    assert renewal(fold).burnt == 2
    told = [one.n for one in fold.told() if isinstance(one, Completed)]
    assert told == [1]
    fold = played_on(write(fold, "B"), "A")
    assert 2 not in [one.n for one in fold.told() if isinstance(one, Completed)]


def test_a_void_beacon_that_is_not_answered_is_burnt_too():
    """Whose question was open it stays open for."""
    fold = write(write(opened(), "A", PASS), "B", void=True)
    assert fold.locked == 2 and fold.pen == "A"
    fold = renewed(fold, "A")
    assert renewal(fold).burnt == 2 and fold.pen == "B"
    assert fold.machine.public_state()["protocol"]["beacon"] == {
        "a": 2, "b": 2, "locked": None, "open": None, "void": False, "last_void": False,
    }  # fmt: skip
    assert fold.owed[0].machine == "answer orders of round 2"
    assert write(fold, "B", DRAW).locked == 3


def test_the_first_beacon_of_the_game_is_burnt_and_challenges_later():
    """B's deck was to be challenged by it: the next one does, and their commitment stands."""
    fold = started(SEALED, open_sealed_toy)
    assert fold.owed[0].machine == "reveal 1" and fold.pen == "B"
    fold = renewed(fold, "B")
    assert steps(fold) == ["answer", "renew", "deck_commit", "reveal"]
    decks = {one["deck"]: one for one in fold.machine.public_state()["protocol"]["decks"]}
    assert decks["a"]["c"] == fold.entries[2].steps[0]["decks"]["a"]
    assert decks["a"]["challenge"] == 2
    assert decks["b"]["epoch"] == 2 and decks["b"]["challenge"] == 2
    with signing(B=NEW):
        fold = to_orders_of(write(fold, "A"), "A")
        assert len(own_hand(fold, "A")) == len(own_hand(fold, "B")) == 2
        fold = to_orders_of(write(fold, "A", {"attack": {"force": 3}}), "A")
        assert audited(fold, "B", lost=True).owed == ()


def test_a_later_deck_of_the_other_is_challenged_by_the_next_beacon_too():
    """Its seeds come from the number it was bound for: the audit finds them."""
    fold = write(asked(), "A", {"attack": {"force": 2}}, GO, PASS)
    card = min(own_hand(fold, "B").values())
    fold = to_orders_of(write(fold, "B", {"card": {"use": card}}), "B")
    fold = write(fold, "B", {"gather": {}}, DRAW, PASS)
    bound = fold.machine.hidden.decks.lacking((), "B") or [*fold.machine.hidden.decks][-1]
    number = fold.locked
    assert bound.name == "b/2" and bound.challenge == number and fold.pen == "A"
    fold = renewed(fold, "A")
    (moved,) = [one for one in fold.machine.hidden.decks if one.name == "b/2"]
    assert moved.challenge == number + 1 and moved.commitment == bound.commitment
    with signing(A=NEW):
        fold = to_orders_of(write(fold, "B"), "A")
        assert audited(fold, "A", lost=True).owed == ()


def test_an_open_beacon_closes():
    """It stood open before a sealed policy of A that nobody can unseal."""
    fold = unsealing()
    number = fold.machine.beacons.dice.number
    fold = renewed(fold, "A")
    assert [one.n for one in fold.journal[-1] if isinstance(one, Closed)] == [number]
    assert fold.policies("A") == () and fold.locked == number + 1


def test_an_open_beacon_decides_nothing_more_that_was_fixed_for_it():
    """A is asked instead of the sealed orders; what was ordered ahead has other dice."""
    fold = write(opened(), "B", say=("Your turn.",))
    fold = write(fold, "A", PASS)
    fold = write(fold, "B", PASS, policies=(policy("all", card=None, stand="fall_back"),))
    wish = Wish(orders=(PASS,), policies=(policy("y", go=True),))
    fold = compose(fold, KEYS["A"], wish, tool=TOOL).fold
    fold = write(fold, "B", PASS)
    for force in range(8, 0, -1):
        found = write(write(fold, "A", {"attack": {"force": force}}, DRAW, PASS), "B")
        if found.owed[0].code == "unseal":
            break
    number = found.machine.beacons.dice.number
    fold = renewed(found, "A")
    assert fold.machine.beacons.dice is None and fold.owed[0].code == "answer"
    with signing(A=NEW):
        fold = write(fold, "A", {"advance": {"go": False}})
    assert fold.in_play.ground == 0 and fold.locked == number + 1
    assert fold.in_play.stage == "draw"


def test_sealed_orders_of_the_other_have_the_next_beacon():
    """B has given way by orders in clear; whether A goes after them A's sealed orders say."""
    fold = asked()
    for _ in range(2):
        fold = write(fold, "A", {"attack": {"force": 1}}, {"advance": {"go": False}})
        fold = to_orders_of(
            write(fold, "B", {"card": {"use": min(own_hand(fold, "B").values())}}), "A"
        )
    assert fold.in_play.hand("B") == ()
    guard = {**sealed_policy(fold, "A", go=True), "scope": {"only": ["go"]}}
    fold = to_orders_of(write(fold, "A", PASS, policies=(guard,), in_clear=False), "B")
    clear = policy("all", card=None, give_way=True)
    fold = to_orders_of(write(fold, "B", PASS, policies=(clear,)), "A")
    fold = write(fold, "A", {"attack": {"force": 1}})
    assert fold.in_play.stage == "advance" and fold.pen == "B" and fold.owed[0].code == "reveal"
    number = fold.locked
    fold = renewed(fold, "B")
    assert fold.locked == number + 1 and fold.in_play.stage == "advance"
    with signing(B=NEW):
        fold = write(fold, "A")
    assert "unseal" in steps(fold) and fold.in_play.ground == 1


def test_an_open_question_is_not_answered_by_what_came_while_it_was_open():
    fold = write(opened(), "A", {"attack": {"force": 2}})
    fold = write(fold, "B", policies=(policy("x", card=None),), void=True)
    assert fold.pen == "A" and fold.owed[0].machine == "reveal 2"
    fold = renewed(fold, "A")
    assert fold.owed[0].machine == "answer a card for the defence" and fold.pen == "B"


def test_orders_that_sealed_ones_had_replaced_are_not_in_force_again():
    """Those in clear are kept only while a beacon may ask for them: it is open here."""
    fold = asked()
    guard = sealed_policy(fold, "A", go=True)
    fold = write(fold, "A", PASS, policies=({**policy("x", card=None), "clear": True}, guard),
                 in_clear=False)  # fmt: skip
    fold = to_orders_of(fold, "B")
    fold = write(fold, "B", PASS, policies=(policy("all", card=None, stand="fall_back"),))
    fold = to_orders_of(fold, "A")
    number = fold.machine.next_beacon
    box = Secrets.in_game(fold.machine, KEYS["A"], "A").seal("x", len(fold.entries), {"card": None})
    later = {"do": "policy", "slot": "x", "scope": None, "until": None, "c": box.c, "box": box.box}
    for force in range(8, 0, -1):
        attack_with = {"do": "orders", "list": [{"attack": {"force": force}}]}
        found = write(tried(fold, "A", [attack_with, reveal(fold, "A", number), later]), "B")
        if found.owed[0].code == "unseal":
            break
    assert [one.slot for one in found.machine.pending.policies if one.by == "A"] == [
        "x",
        "guard",
        "x",
    ]
    assert renewed(found, "A").policies("A") == ()


def unsealing() -> Fold:
    """A owes the unsealing of a policy for a beacon that stands open: it became known in B's mail.

    B fell back by orders in clear, and whether A goes after them their sealed orders say.
    """
    fold = asked()
    guard = sealed_policy(fold, "A", go=True)
    fold = to_orders_of(write(fold, "A", PASS, policies=(guard,), in_clear=False), "B")
    fold = write(fold, "B", PASS, policies=(policy("all", card=None, stand="fall_back"),))
    for force in range(8, 0, -1):
        found = write(write(to_orders_of(fold, "A"), "A", {"attack": {"force": force}}), "B")
        if found.owed[0].code == "unseal":
            return found
    raise AssertionError("no attack of A wins")


def test_cards_that_are_owed_are_picked_anew():
    """A's look was reached in their own mail: B owes the card, and has lost what would open it."""
    fold = write(asked(), "A", {"attack": {"force": 1}}, {"look": {}}, PASS)
    fold = write(write(fold, "B", {"card": {"use": None}}), "A")
    assert fold.owed[0].code == "open" and fold.in_play.stage == "showing"
    (gone,) = fold.in_play.must_show()
    fold = renewed(fold, "B")
    with signing(B=NEW):
        fold = write(fold, "A")
        while fold.in_play.must_show() or fold.owed[0].code == "deck_reply":
            assert gone not in fold.in_play.must_show()
            fold = write(fold, fold.pen)
        shown = [slot for slot in fold.in_play.known() if slot in fold.in_play.hand("B")]
        assert [slot[:4] for slot in shown] == ["b/2/"]
        assert audited(fold, "B", lost=True).owed == ()


def test_an_anchor_that_is_owed_is_not_owed_any_more(worn_out):  # noqa: F811
    assert worn_out.owed[0].machine == "anchor 1" and worn_out.pen == "A"
    fold = renewed(worn_out, "A")
    assert fold.machine.keys.renewals[0].base == 64
    assert [thing.machine for thing in fold.owed] == ["answer orders of round 1"]
    with signing(A=NEW):
        assert fought(fold, 65).machine.beacons.revealed == {"A": 65, "B": 65}


# --- secrets


def test_old_cards_do_not_serve_any_more():
    """The slots of before are in no hand, and what lay in them is no card of a new one."""
    before = hanging()
    slot = before.in_play.hand("A")[0]
    old = Secrets.in_game(before.machine, OLD["A"], "A").open(before.machine.hidden.decks, slot)
    fold = played_on(write(renewed(before, "A"), "B"), "A")
    with signing(A=NEW):
        fold = to_orders_of(fold, "A")
        found = attack(fold, "A", old)
        assert (found.code, found.step) == ("E-CARD", 0)
        new = fold.in_play.hand("A")[0].split("/")
        moved = {**old, "epoch": int(new[1]), "pos": int(new[2])}
        assert attack(fold, "A", moved).code == "E-OPEN"


def test_old_values_do_not_serve_any_more():
    fold = offered(hanging(), "A")
    made = taken(fold).entries[-1].steps
    assert made[-1]["do"] == "reveal" and made[-1]["n"] == 3
    with signing(A=OLD["A"]):
        old = reveal(fold, "A", 3)
    with signing(A=NEW):
        assert tried(fold, "A", [yes(fold), *made[1:]]).head
        found = attack(fold, "A", yes(fold), *made[1:-1], old)
        assert (found.code, found.rule) == ("E-REVEAL", "R5")
        burnt = {**old, "n": 2}
        assert attack(fold, "A", yes(fold), *made[1:-1], burnt).code == "E-REVEAL"
        same = {"do": "renew", "anchor": fold.machine.beacons.anchors["A"][0]}
        found = attack(fold, "A", yes(fold), same)
        assert (found.code, found.rule, str(found.message)) == (
            "E-REVEAL", "new secrets",
            "new secrets need an anchor of their own, and this one was given before",
        )  # fmt: skip


def test_the_secrets_are_those_of_the_key_and_of_the_place():
    """HKDF from the new seed; the context is that of the game and the id of the entry before."""
    fold = renewed(hanging(), "A")
    found = secret(fold, "A", NEW)
    context = fold.machine.keys.contexts["A"]
    anchor = beacons.derive_chain(bytes.fromhex(found), "A", context, 64)[0]
    assert fold.entries[-1].steps[1]["anchor"] == anchor
    assert generations(fold.machine, "A")[1].context == f"{context}\n{fold.entries[-2].id}"
    elsewhere = renewed(asked(), "A")
    assert secret(elsewhere, "A", NEW) != found


def test_nothing_secret_stands_in_the_file_before_the_audit():
    fold = played_on(write(renewed(hanging(), "A"), "B"), "A")
    text = format.write(fold.entries).decode()
    for hidden in (
        secret(fold, "A", NEW), secret(fold, "A", OLD["A"], 0), NEW.seed.hex(), OLD["A"].seed.hex(),
    ):  # fmt: skip
        assert hidden not in text.replace("\n", "")
    for card in own_hand_of(fold).values():
        shown = [step for entry in fold.entries for step in entry.steps if step["do"] == "open"]
        assert card not in [step["card"] for step in shown if step["epoch"] == 2]


def own_hand_of(fold: Fold) -> dict[str, str]:
    with signing(A=NEW):
        return own_hand(fold, "A")


def test_a_later_key_takes_the_secrets_of_the_one_before():
    fold = played_on(write(renewed(hanging(), "A"), "B"), "A")
    with signing(A=NEW):
        fold = rotated(fold, "A", NEWER)
    found = refused(compose, fold, NEWER, Wish(orders=(PASS,)), tool=TOOL)
    number = fold.machine.keys.renewals[0].entry
    assert found.code == "E-KEY"
    assert str(found.problems[0].hint).startswith(
        f"give the key that was yours in entry {number}, too"
    )
    both = NEWER.in_place_of(OLD["A"], NEW)
    assert compose(fold, both, Wish(orders=(PASS,)), tool=TOOL).fold.pen == "B"


def test_renewed_twice_with_two_keys():
    fold = played_on(write(renewed(hanging(), "A"), "B"), "A")
    with signing(A=NEW):
        fold = renewed(fold, "A", NEWER)
        assert [each.base for each in fold.machine.keys.renewals] == [2, 3]
    with signing(A=NEWER):
        fold = to_orders_of(write(fold, "B"), "A")
        assert all(slot.startswith("a/3/") for slot in fold.in_play.hand("A"))
        ended = write(fold, "A", resign=True)
        bare = {"do": "audit", "gsec": secret(ended, "A", NEWER)}
        assert str(attack(ended, "A", bare).message) == (
            "player A took up new secrets 2 times, and the audit shows none before the present one"
        )
        all_keys = NEWER.in_place_of(OLD["A"], NEW)
        assert audited(fold, "A", all_keys).machine.hidden.lost == ()
        half = audited(fold, "A", NEWER.in_place_of(NEW), lost=True)
        assert [(each.since, each.until) for each in half.machine.hidden.lost] == [
            (0, fold.machine.keys.renewals[0].entry)
        ]
        other_half = audited(fold, "A", NEWER.in_place_of(OLD["A"]), lost=True)
        report = examine(format.write(other_half.entries), open_sealed_toy)
        first, second = (each.entry for each in fold.machine.keys.renewals)
        assert (
            f"the secrets of player A from entry {first} to {second} are lost: their play there is "
            "not audited"
        ) in map(str, report.proven.sentences())


def test_both_go_on_with_new_secrets_before_the_dice_fall():
    """B, who owes the value that deals A's cards anew, takes up new secrets in its place."""
    fold = renewed(to_orders_of(sealed(), "A"), "A")
    sizes = {player: len(sealed().in_play.hand(player)) for player in "AB"}
    assert fold.in_play.stage == "anew" and fold.pen == "B" and fold.owed[0].code == "reveal"
    fold = rotated(fold, "B", NEWER)
    with signing(A=NEW):
        fold = write(fold, "A", offer={"what": "renew"})
    fold = taken(fold, NEWER)
    with signing(A=NEW, B=NEWER):
        fold = settled(fold, asked="A")
    assert {player: len(fold.in_play.hand(player)) for player in "AB"} == sizes
    assert fold.in_play.stage == "order" and look_aheads(fold) == []
    assert {slot.rpartition("/")[0] for player in "AB" for slot in fold.in_play.hand(player)} == {
        "a/2", "b/2",
    }  # fmt: skip


def test_the_second_chain_behind_new_secrets():
    """Chains of 64 values: A's begins anew behind beacon 1, so B's is used up one beacon before."""
    fold = renewed(write(started(table=open_long), "B", policies=(LONG,)), "A")
    with signing(A=NEW):
        fold = fought(fold, 64)
        assert [(thing.by, thing.machine) for thing in fold.owed][:1] != [("A", "anchor 1")]
        assert kinds_since(fold, 5).count(("B", "anchor")) == 1
        assert ("A", "anchor") not in kinds_since(fold, 5)
        fold = fought(fold, 66)
        assert kinds_since(fold, 5).count(("A", "anchor")) == 1
    state = fold.machine.public_state()["protocol"]["anchors"]
    assert (len(state["a"]), len(state["b"])) == (2, 2)
    assert replay(fold.entries, open_long).head == fold.head


def fought(fold: Fold, number: int) -> Fold:
    """The fold when B has revealed for a beacon; each attack uses one."""
    while fold.machine.beacons.revealed["B"] < number or fold.locked is not None:
        force = [{"attack": {"force": 1}}] if fold.owed[0].code == "answer" else []
        fold = write(fold, fold.pen, *force)
    return fold


def kinds_since(fold: Fold, first: int) -> list[tuple[str, str]]:
    return [(entry.by, step["do"]) for entry in fold.entries[first:] for step in entry.steps]


# --- without consent, and out of turn


def test_an_offer_needs_another_key_first():
    found = attack(hanging(), "B", OFFER)
    assert (found.code, found.rule, str(found.message)) == (
        "E-CONSENT", "new secrets",
        "player A has had no new key since the present secrets, and new secrets come from a new "
        "key",
    )  # fmt: skip
    again = played_on(write(renewed(hanging(), "A"), "B"), "A")
    with signing(A=NEW):
        assert attack(again, "B", OFFER).code == "E-CONSENT"


def test_an_offer_is_for_who_is_to_write():
    fold = rotated(asked(), "B")
    found = attack(fold, "A", OFFER, ORDERS)
    assert (found.code, str(found.message)) == (
        "E-CONSENT", "player B owes nothing now, so they could not take up new secrets",
    )  # fmt: skip
    with signing(B=NEW):
        fold = write(fold, "A", PASS, offer={"what": "renew"})
        assert fold.pen == "B" and taken(fold).machine.keys.renewals[0].of == "B"


def test_nothing_else_is_offered_before_the_dice_and_no_roll_is_the_others():
    """R10: while a beacon is locked, new secrets are for the player whose value is missing."""
    fold = rotated(hanging(), "A")
    assert attack(fold, "B", {"do": "offer", "what": "draw"}).rule == "R10"
    fold = rotated(write(asked(), "A", DRAW), "B")  # A has locked, and B owes
    with signing(B=NEW):
        found = attack(fold, "B", OFFER)
    assert found.code == "E-NOREVEAL"
    fold, draw = rotated(asked(), "B"), {"do": "orders", "list": [DRAW]}
    assert attack(fold, "A", draw, OFFER).code == "E-NOREVEAL"
    assert attack(fold, "A", draw, reveal(fold, "A", 2), OFFER).code == "E-TURN"


def test_new_secrets_need_the_offer_and_the_yes():
    fold = rotated(hanging(), "A")
    with signing(A=NEW):
        assert attack(fold, "A", ANCHOR).code == "E-CONSENT"
        other_offer = write(fold, "B", say=("Well?",))
        assert attack(other_offer, "A", ANCHOR).code == "E-CONSENT"
        fold = offered(hanging(), "A", NEWER)
    with signing(A=NEWER):
        assert attack(fold, "A", ANCHOR).code == "E-CONSENT"
        no = {**yes(fold), "yes": False}
        assert attack(fold, "A", no, ANCHOR).code == "E-NOREVEAL"  # the head comes before a no
        assert attack(fold, "A", yes(fold), {"do": "say", "text": ["Hm."]}).code == "E-CONSENT"
        assert attack(fold, "A", yes(fold)).code == "E-CONSENT"
        assert attack(fold, "A", yes(fold), ANCHOR, ANCHOR).code == "E-CONSENT"
        strange = {**yes(fold), "offer": "ab" * 32}
        assert attack(fold, "A", strange, ANCHOR).code == "E-CONSENT"
        draw = {"do": "deck_commit", "deck": "a", "epoch": 2, "cards": ["a1x"], "c": "ab" * 32}
        assert attack(fold, "A", draw, yes(fold), ANCHOR).code == "E-NOREVEAL"


def test_a_yes_to_something_else_does_not_serve_in_place_of_the_head():
    fold = write(hanging(), "B", offer={"what": "takeback", "to": 4, "known_randomness": True})
    assert attack(fold, "A", yes(fold), {"do": "takeback", "to": 4}).code == "E-NOREVEAL"
    assert attack(fold, "A", yes(fold), ANCHOR).code == "E-NOREVEAL"


def test_new_secrets_are_not_taken_up_beside_the_turn():
    fold = offered(asked(), "A")
    assert attack(fold, "B", ANCHOR).code == "E-TURN"
    fold = rotated(asked(), "B")
    with signing(B=NEW):
        found = attack(fold, "B", ANCHOR)
    assert found.code == "E-TURN"


def test_an_offer_lapses_as_others_do():
    fold = offered(asked(), "A")
    offer = fold.entries[-1]
    with signing(A=NEW.in_place_of(OLD["A"])):
        fold = write(fold, "A", PASS)
        assert fold.machine.agreements.offers == ()
        assert attack(fold, "A", yes(fold, entry=-2), ANCHOR).code == "E-TURN"
        fold = to_orders_of(fold, "A")
        late = attack(fold, "A", yes(fold, entry=fold.entries.index(offer)), ANCHOR)
        assert late.code == "E-CONSENT"


def test_the_key_must_be_of_who_is_offered_new_secrets():
    fold = rotated(asked(), "A")
    with signing(A=NEW):
        found = attack(fold, "A", ORDERS, OFFER)
    assert found.code == "E-CONSENT" and str(found.message).startswith(
        "player B has had no new key"
    )


def test_no_offer_stands_behind_a_take_back_though_a_key_was_named_before():
    fold = named(asked(), "A", renew=False)
    with signing(A=NEW.in_place_of(OLD["A"])):
        fold = to_orders_of(write(fold, "A", PASS), "B")
        to = max(fold.machine.agreements.quiet)
        fold = write(fold, "A", offer={"what": "takeback", "to": to - 1})
        back = {"do": "takeback", "to": to - 1}
        assert tried(fold, "B", [yes(fold), back]).pen == "A"
        found = attack(fold, "B", yes(fold), back, OFFER)
    assert (found.code, str(found.message)) == (
        "E-TURN", "nothing may follow in this entry, but an offer step does",
    )  # fmt: skip


def test_only_new_secrets_are_offered_with_a_key_one_names():
    fold = named(hanging(), "A")
    assert [step["do"] for step in fold.entries[-1].steps] == ["rotate", "offer"]
    lone = named(hanging(), "A", renew=False).entries[-1].steps[0]
    draw = {"do": "offer", "what": "draw"}
    assert attack(hanging(), "B", lone, draw).code == "E-TURN"
    assert attack(hanging(), "B", lone, OFFER, draw).code == "E-TURN"
    own = rotated(hanging(), "B").entries[-1].steps[0]
    assert attack(hanging(), "B", own, OFFER).code == "E-TURN"
    mine = rotated(hanging(), "A").entries[-1].steps[0]
    assert attack(hanging(), "A", mine, OFFER).code == "E-TURN"


def test_no_take_back_goes_back_behind_new_secrets():
    early = asked()
    to = len(early.entries) - 1
    fold = played_on(write(renewed(early, "A"), "B"), "A")
    number = fold.machine.keys.renewals[0].entry
    terms = {"what": "takeback", "to": to, "known_randomness": True}
    found = refused(write, fold, "B", offer=terms)
    assert (found.code, str(found.message)) == (
        "E-CONSENT",
        f"player A has had new secrets since entry {number}, and the game cannot go back before "
        "that",
    )
    assert min(fold.machine.agreements.quiet) > number
    with signing(A=NEW):
        later = max(fold.machine.agreements.quiet)
        fold = to_orders_of(write(to_orders_of(fold, "A"), "A", DRAW, PASS), "B")
        asks = write(fold, "A", offer={**terms, "to": later})
        back = to_orders_of(write(asks, "B", answer=True), "A")
        assert back.machine.agreements.take_backs == 1
        assert audited(back, "A", NEW.in_place_of(OLD["A"])).owed == ()


# --- the audit


@pytest.fixture(scope="module")
def over() -> Fold:
    """A has resigned a game in which they took up new secrets."""
    fold = played_on(write(renewed(hanging(), "A"), "B"), "A")
    with signing(A=NEW):
        return write(to_orders_of(fold, "A"), "A", resign=True)


def test_an_audit_with_both_secrets(over):
    fold = compose(over, NEW.in_place_of(OLD["A"]), Wish(), tool=TOOL).fold
    (step,) = fold.entries[-1].steps
    assert step["earlier"] == [secret(fold, "A", OLD["A"], 0)]
    assert step["gsec"] == secret(fold, "A", NEW)
    assert (
        fold.machine.hidden.lost == () and replay(fold.entries, open_sealed_toy).head == fold.head
    )
    both = write(fold, "B")
    assert both.owed == () and not both.is_provisional


def test_an_audit_says_that_the_old_secrets_are_lost(over):
    found = refused(compose, over, NEW, Wish(), tool=TOOL)
    number = over.machine.keys.renewals[0].entry
    assert (found.code, str(found.message)) == (
        "E-KEY", f"what you kept hidden before entry {number} comes from a key that was not given",
    )  # fmt: skip
    assert str(found.problems[0].hint) == (
        "give the key the game began with, too: --secrets OLD, once for each key; if it is lost "
        "for good, say so with pbem audit --lost, and your play until then is not audited"
    )
    fold = compose(over, NEW, Wish(lost=True), tool=TOOL).fold
    assert fold.entries[-1].steps[0]["earlier"] == [None]
    assert fold.machine.public_state()["protocol"]["audits"] == {"a": True, "b": False}
    fold = write(fold, "B")
    assert fold.owed == () and not fold.is_provisional
    proven = examine(format.write(fold.entries), open_sealed_toy).proven
    assert (
        f"the secrets of player A before entry {number} are lost: their play until then is not "
        "audited"
    ) in map(str, proven.sentences())
    assert proven.plain()["lost"] == [{"player": "A", "since": 0, "until": number}]
    assert all(each in proven.sentences() for each in doubts(proven.plain()))
    assert len([*doubts(proven.plain())]) == 1
    assert proven.plain()["renewed"] == [["A", number]]


def test_who_has_not_even_their_present_secrets_is_offered_no_new_ones_at_the_end(over):
    found = refused(compose, over, OLD["A"].in_place_of(NEW), Wish(), tool=TOOL)
    assert found.code == "E-KEY"  # a retired key signs nothing
    fold = played_on(write(renewed(hanging(), "A"), "B"), "A")
    with signing(A=NEW):
        gone = rotated(fold, "A", NEWER)
    ended = write(gone, "B", resign=True)
    found = refused(compose, ended, NEWER, Wish(lost=True), tool=TOOL)
    number = ended.machine.keys.renewals[0].entry
    assert str(found.problems[0].hint) == (
        f"give the key that was yours in entry {number}, too: --key NEW --secrets OLD"
    )


def test_audits_that_do_not_fit(over):
    good = compose(over, NEW.in_place_of(OLD["A"]), Wish(), tool=TOOL).fold.entries[-1].steps[0]
    number = over.machine.keys.renewals[0].entry
    with signing(A=NEW):
        bare = {"do": "audit", "gsec": good["gsec"]}
        found = attack(over, "A", bare)
        assert (found.code, str(found.message)) == (
            "E-AUDIT",
            "player A took up new secrets once, and the audit shows none before the present one",
        )
        assert attack(over, "A", {**good, "earlier": [None, None]}).code == "E-AUDIT"
        found = attack(over, "A", {**good, "earlier": [good["gsec"]]})
        assert (found.code, str(found.message)) == (
            "E-AUDIT", f"the secret before entry {number} does not give anchor 0 of player A"
        )  # fmt: skip
        changed = {**good, "gsec": good["earlier"][0]}
        assert (
            str(attack(over, "A", changed).message)
            == "the secret does not give anchor 0 of player A"
        )
        for odd in ([], ["x"], None, "x", [None] * 9):
            assert attack(over, "A", {**good, "earlier": odd}).code == "E-SCHEMA"
    theirs = write(over, "B").entries[-1].steps[0]
    found = attack(over, "B", {**theirs, "earlier": [None]})
    assert (found.code, str(found.message)) == (
        "E-AUDIT",
        "player B took up new secrets never, and the audit shows 1 before the present one",
    )


def test_what_was_hidden_is_audited_era_by_era():
    """A 4 withheld against a force of 9, before new secrets and behind them."""
    early = withheld(sealed(), "B")
    fold = played_on(renewed_b(early), "B")
    assert cheat_found(fold, NEW.in_place_of(OLD["B"]), lost=False) == "E-AUDIT"
    assert cheat_found(fold, NEW, lost=True) == "good"  # it is not audited: everybody is told
    fold = played_on(renewed_b(asked()), "B")
    with signing(B=NEW):
        late = withheld(to_orders_of(fold, "A"), "B")
    assert cheat_found(late, NEW, lost=True) == "E-AUDIT"


def test_a_card_withheld_with_a_key_that_rests_on_a_word_accuses_nobody():
    """The opponent may hold that key, and play it badly to accuse the owner of the seat."""
    at = to_orders_of(sealed(), "B")
    for begun, whose in ((offered(at, "B"), "B"), (named(at, "B"), None)):
        fold = played_on(taken(begun), "B")
        with signing(B=NEW):
            fold = withheld(to_orders_of(fold, "A"), "B")
        withholding = len(fold.entries) - 1
        fold = write(fold, "A", resign=True)
        found = refused(compose, fold, NEW, Wish(lost=True), tool=TOOL)
        assert (found.code, found.whose, found.entry) == ("E-AUDIT", whose, withholding)


def withheld(fold: Fold, player: str) -> Fold:
    """The fold after B has withheld a card that they had to play, by a tool that lets them."""
    while not any(card[1] == "4" for card in own_hand(fold, "B").values()):
        fold = to_orders_of(write(to_orders_of(fold, "B"), "B", DRAW, PASS), "A")
    fold = write(settled(fold, asked="A"), "A", {"attack": {"force": 9}})
    none = {"do": "react", "answers": [{"card": {"use": None}}]}
    return tried(fold, "B", [none, reveal(fold, "B", fold.machine.next_beacon)])


def renewed_b(fold: Fold) -> Fold:
    while fold.pen != "B":
        order = [PASS] if fold.owed[0].code == "answer" else []
        if order and fold.in_play.stage == "advance":
            order = [GO]
        fold = write(fold, "A", *order)
    return renewed(fold, "B")


def cheat_found(fold: Fold, key, *, lost: bool) -> str:
    fold = write(fold, "A", resign=True)
    try:
        compose(fold, key, Wish(lost=lost), tool=TOOL)
    except FileRefused as found:
        return found.code
    return "good"


# --- from everywhere


@pytest.mark.parametrize("player", ["A", "B"])
def test_new_secrets_from_every_state_of_the_sample_game(player):
    """Wherever they are to write: the game goes on, both audits hold, nobody knew a roll.

    Every third time they are (each time in a long run).
    """
    fold, owed = light_game(), []
    at = [replay(fold.entries[:number], open_sealed_toy) for number in range(4, len(fold.entries))]
    for short in [each for each in at if each.pen == player][:: 3 if FUZZ == 1 else 1]:
        owed.append(short.owed[0].code)
        held = hidden(short, player)
        again = renewed(short, player)
        with signing(**{player: NEW}):
            while again.in_play.stage == "anew":
                again = write(again, again.pen)
            assert hidden(again, player) == held
            again = some_mails(again, 9)
            assert look_aheads(again) == []
            done = audited(again, player, lost=True)
            assert done.owed == () and done.machine.hidden.lost[0].of == player
            assert audited(again, player, NEW.in_place_of(OLD[player])).machine.hidden.lost == ()
        assert replay(done.entries, open_sealed_toy).head == done.head
    assert len(owed) > 3 and {"answer", "reveal"} <= set(owed)


def hidden(fold: Fold, player: str) -> int:
    """How many cards of a hand only its player knows."""
    return len(set(fold.in_play.hand(player)) - set(fold.in_play.known()))


def some_mails(fold: Fold, count: int) -> Fold:
    """The fold after some mails in which everybody draws and passes, unless the game ends."""
    for _ in range(count):
        orders = []
        if fold.phase == "over" or (fold.owed[0].code == "answer" and fold.in_play.number == 8):
            break
        if fold.owed[0].code == "answer":
            orders = [any_answer(fold)]
            if fold.in_play.stage == "order" and fold.in_play.piles["AB".index(fold.pen)]:
                orders = [DRAW, PASS]
        fold = write(fold, fold.pen, *orders)
    return fold


def test_orders_given_ahead_stay_and_policies_in_clear_do():
    clear = policy("x", card=None)
    fold = write(asked(), "A", {"attack": {"force": 2}}, GO, PASS, policies=(clear,))
    given = fold.given("A")
    assert given
    fold = write(fold, "B", {"card": {"use": None}})
    fold = renewed(fold, "A")
    assert fold.given("A") == given and [one.slot for one in fold.policies("A")] == ["x"]


def test_a_game_without_new_secrets_has_no_word_of_them():
    assert "renewed" not in json.dumps(sealed_game().machine.public_state())
