"""Honest stalls and cheats that were thought through when the protocol was made, each played.

What must come of each: P it cannot be done, N it is refused at once, A the audit finds it, E it is
evident from the file and people must judge, `ok` it does no harm, `-` nothing protects from it.
"""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch

import pytest

from pbem.gamefile import decks, witness
from pbem.gamefile.compose import propose_solo
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, after, replay
from pbem.gamefile.journal import Answered, Closed, Completed, Lapsed, Rolled
from pbem.gamefile.verify import examine, proven
from pbem.value import replace
from tests.gamefile import agreed_mutations as agreed
from tests.gamefile import sealed_mutations as sealed
from tests.gamefile.knowledge import look_aheads
from tests.gamefile.players import (
    KEYS,
    SEALED,
    TERMS,
    TOOL,
    entry_of,
    forge,
    opened,
    policy,
    proposed,
    resigned,
    reveal,
    started,
    tried,
    write,
)
from tests.gamefile.random_games import game_of, play, sealed_game_of
from tests.gamefile.sealed_game import own_hand, sealed_game, to_orders_of
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.stacked import Stacking, one_doubled, secret_of, stacked_write
from tests.gamefile.test_rotation import for_other
from tests.gamefile.test_sealed_policies import FULL as SEALED_FULL
from tests.gamefile.test_sealed_policies import begun, find, with_sealed
from tests.gamefile.toy import Toy, open_toy

ATTACK, GO, PASS, DRAW = {"attack": {"force": 4}}, {"advance": {"go": True}}, {"pass": {}}, {
    "draw": {}
}  # fmt: skip
FULL = policy("all", card=None, stand="hold")
CARDS = policy("cards", card=None)
NO_CARD = {"do": "react", "answers": [{"card": {"use": None}}]}
SCENARIOS: list[tuple[str, str, Callable[[], str]]] = []


def scenario(what: str, result: str):
    def note(played: Callable[[], str]) -> Callable[[], str]:
        SCENARIOS.append((what, result, played))
        return played

    return note


def refusal(fold: Fold, by: str, *entries: list[dict]) -> str:
    """N if every one of these entries is refused, for a reason of its own and not its digest."""
    for steps in entries:
        with pytest.raises(FileRefused) as caught:
            tried(fold, by, steps)
        assert caught.value.code not in ("E-STATE", "E-SCHEMA"), caught.value
    return "N"


def fair(*folds: Fold) -> str:
    for fold in folds:
        assert look_aheads(fold) == [] and replay(fold.entries, fold.machine.world.open_table)
    return "ok"


def owes(fold: Fold, player: str, what: str) -> str:
    """E: the file says who owes what, and the other may put that on record."""
    owed = [thing.machine for thing in fold.owed if thing.by == player]
    assert owed and owed[0].startswith(what), owed
    claimed = write(fold, "AB"[player == "A"], claim_forfeit=True)
    assert claimed.machine.agreements.claim["owed"] == owed
    return "E"


def orders(*wanted: dict) -> dict:
    return {"do": "orders", "list": list(wanted)}


def next_of(fold: Fold, player: str) -> dict:
    return reveal(fold, player, fold.machine.beacons.locked or fold.machine.next_beacon)


def locked() -> Fold:
    """A has attacked and revealed; B, whose policies are in clear, owes their value."""
    return write(write(started(), "B", policies=(FULL,)), "A", ATTACK, GO, PASS)


# --- beacons


@scenario("a value while the other is asked, and the value after the next", "N")
def too_soon():
    fold = write(opened(), "A", ATTACK)
    refusal(opened(), "A", [orders(ATTACK), reveal(fold, "A", 2)])
    return refusal(locked(), "B", [reveal(fold, "B", 3)], [reveal(fold, "B", 2)] * 2)


@scenario("a value left out, false, skipped, or kept back by the player who locks", "N")
def no_value():
    fold, value = locked(), next_of(locked(), "B")
    refusal(opened(), "A", [orders(DRAW)])
    return refusal(fold, "B", [{"do": "say", "text": ["..."]}], [{**value, "x": "ab" * 32}],
                   [{**value, "n": 3}], [{**value, "n": 1}])  # fmt: skip


@scenario("a choice, an order or a policy in front of the owed value", "N")
def in_front():
    fold, value = locked(), next_of(locked(), "B")
    late = {"do": "policy", **CARDS}
    return refusal(fold, "B", [NO_CARD, value], [orders(PASS), value], [late, value])


@scenario("orders added or changed while the beacon hangs", "N")
def changed():
    fold = opened()
    shown = reveal(fold, "A", 2)
    refusal(fold, "A", [orders(DRAW), shown, orders(PASS)])
    return refusal(locked(), "A", [orders(PASS)])


@scenario("an own attack made to lapse by a choice behind the dice", "P")
def behind_a_choice():
    """What is rolled behind a free choice comes from a beacon that was not known then."""
    for seed in range(20):
        numbers: dict[int, int] = {}
        for one in game_of(seed).told():
            if isinstance(one, (Completed, Closed)):
                numbers[one.n] = numbers.get(one.n, 0) + isinstance(one, Closed)
            elif isinstance(one, Rolled):
                assert not numbers.get(one.n), "a closed beacon decides nothing"
    return "P"


@scenario("an order that was never legal, dressed as a lapse", "N")
def no_lapse():
    return refusal(opened(), "A", [orders({"attack": {"force": 99}}, PASS)])


@scenario("orders as a programme: alternatives that lapse", "ok")
def programme():
    fold = write(write(started(), "B", policies=(FULL,)), "A", {"attack": {"force": 12}},
                 {"attack": {"force": 13}}, {"attack": {"force": 2}}, PASS)  # fmt: skip
    fold = write(fold, "B")
    assert any(isinstance(one, Lapsed) for one in fold.journal[-1])
    return fair(fold)


@scenario("two different orders sent, no answer yet", "E")
def two_orders():
    fold = opened()
    one, two = write(fold, "A", PASS), write(fold, "A", DRAW)
    with pytest.raises(FileRefused) as caught:
        witness.compare(witness.record(one, "B"), two)
    assert caught.value.code == "E-FORK" and caught.value.whose == "A"
    return "E"


@scenario("a refused entry held a value: a void beacon comes between", "ok")
def void():
    fold = opened()
    bad = forge(fold, "A", [orders({"attack": {"force": 99}}), reveal(fold, "A", 2)])
    with pytest.raises(FileRefused):
        after(fold, bad)
    fold = write(write(fold, "A", void=True), "B")
    fold = write(write(fold, "A", DRAW), "B")
    assert proven(fold).void_beacons == 1
    assert [one.n for one in fold.told() if isinstance(one, Rolled)] == [1, 3]
    return fair(fold)


@scenario("draws and dice on one beacon", "ok")
def draws_and_dice():
    fold = with_sealed(1, SEALED_FULL)
    fold = write(write(fold, "A", ATTACK, GO, DRAW, PASS), "B")
    numbers = [one.n for one in fold.journal[-1] if isinstance(one, Rolled)]
    assert len(numbers) == 2 and len(set(numbers)) == 1
    return fair(fold)


@scenario("the second revealer of a draw sees both draws first", "ok")
def deal():
    fold = begun(1)
    (known,) = [one for one in fold.told() if isinstance(one, Completed)]
    before = replay(fold.entries[:3], open_sealed_toy)
    assert own_hand(before, "B") and not own_hand(before, "A") and known.place.entry == 3
    assert all(not set(own_hand(fold, player)) & set(fold.in_play.known()) for player in "AB")
    return fair(fold)


@scenario("the chains are used up", "ok")
def used_up():
    def strong(proposal):
        return Toy(strength=(900, 900))

    fold = write(started(table=strong), "B", policies=(FULL,))
    while fold.machine.beacons.revealed["B"] < 65:
        fold = write(fold, fold.pen, *([{"attack": {"force": 1}}] if fold.pen == "A" else []))
    assert [len(fold.machine.beacons.anchors[player]) for player in "AB"] == [2, 2]
    return fair(fold)


# --- sealed orders


@scenario("sealed orders behind the other's value, another document, a choice by hand", "N")
def not_as_sealed():
    return of_cases(sealed.sealed_orders(), {34, 35, 37})


@scenario("sealed orders in the entry of the own value, behind it", "ok")
def behind_the_value():
    fold = write(write(started(), "B"), "A", ATTACK)
    fold = write(write(fold, "B", {"card": {"use": None}}, policies=(FULL,)), "A")
    again = write(locked(), "B", PASS, policies=(policy("late", stand="fall_back"),))
    return fair(fold, again)


@scenario("a document names a card, and its owner sees the dice and denies to hold it", "N")
def denied():
    return of_cases(sealed.slot_of_a_policy(), {70})


@scenario("a document malformed on purpose", "ok")
def malformed():
    doc = {"slot": "all", "scope": None, "until": None, "doc": {"slot": 7, "stand": {}}}
    fold = write(write(with_sealed(1, doc), "A", ATTACK, GO, PASS), "B", PASS)
    answers = [one.order for one in fold.journal[-1] if isinstance(one, Answered)]
    assert answers[0] == {"card": {"use": None}}
    return fair(fold)


@scenario("sealed orders lost", "E")
def lost():
    """A tool that cannot unseal cannot go on: it owes its value, then the document."""
    fold = write(with_sealed(1, SEALED_FULL), "A", ATTACK, GO, PASS)
    refusal(fold, "B", [next_of(fold, "B")])
    return owes(fold, "B", "reveal")


@scenario("an attacker stays below the line at which the defender is asked", "ok")
def below_the_line():
    guard = policy("all", {"ask_from_force": 5}, card=None, stand="hold")
    fold = write(started(), "B", policies=(guard,))
    below, above = (write(fold, "A", {"attack": {"force": force}}) for force in (4, 5))
    assert below.locked == 2 and above.locked is None
    return fair(below, above)


@scenario("whether the second attack is asked depends on the dice of the first", "ok")
def asked_behind_dice():
    guard = policy("all", {"ask_from_force": 9}, card=None, stand="hold")
    fold = write(started(), "B", policies=(guard,))
    fold = write(write(fold, "A", {"attack": {"force": 2}}, GO, {"attack": {"force": 9}}), "B",
                 {"card": {"use": None}})  # fmt: skip
    assert any(isinstance(one, Closed) for one in fold.journal[-1])
    return fair(fold)


@scenario("a card calls the attack off behind the lock", "ok")
def called_off():
    (honest, cheat) = list(sealed.called_off())
    assert examine(honest.raw, open_sealed_toy).is_good
    assert not examine(cheat.raw, open_sealed_toy).is_good
    return "ok"


@scenario("what a document says leads to a question to the attacker", "ok")
def answer_to_a_document():
    doc = {"slot": "all", "scope": None, "until": None, "doc": {"slot": "-", "give_way": True}}
    fold = write(write(with_sealed(1, doc), "A", ATTACK), "B")
    assert fold.pen == "A" and fold.waits.what == "advance or stay" and fold.locked is None
    return fair(write(write(fold, "A", GO, DRAW), "B"))


# --- decks


@scenario("another card of the hand, a card not drawn, a false nonce or name", "N")
def false_cards():
    return of_cases(sealed.openings(), {48, 49, 51, 52})


@scenario("the opening hand is not liked: no reply", "E")
def no_reply():
    fold = started(SEALED, open_sealed_toy)
    refusal(fold, "B", [next_of(fold, "B")])
    owes(fold, "B", "reveal")
    return owes(write(fold, "B"), "A", "deck_reply")


@scenario("a second accept of one proposal, for another hand", "N")
def second_accept():
    offer = proposed()
    one = write(offer, "B")
    two = after(offer, resigned(one.entries[1], tool="pbem other"))
    with pytest.raises(FileRefused) as caught:
        witness.compare(witness.record(one, "A"), two)
    assert caught.value.code == "E-FORK"
    return "N"


@scenario("a stacked deck whose wrong layout must be shown", "N")
def stacked_and_shown():
    fold, reply = sealed.stacked_until(False, Stacking(frozenset({0}), one_doubled))
    return refusal(fold, "B", [next_of(fold, "B"), reply])


@scenario("a stacked deck whose wrong layout is the one picked", "A")
def stacked_and_picked():
    fold, reply = sealed.stacked_until(True, Stacking(frozenset({0}), one_doubled))
    fold = tried(fold, "B", [next_of(fold, "B"), reply])
    over = write(to_orders_of(fold, "A"), "A", resign=True)
    return found_by_audit(over, "B")


@scenario("the stacker goes silent when the challenge is bad", "E")
def silent():
    fold, _ = sealed.stacked_until(False, Stacking(frozenset({0}), one_doubled))
    return owes(fold, "B", "reveal")


@scenario("the reply for another trial, none at all, leaves of other size", "N")
def replies():
    return of_cases(sealed.replies(), {45, 46, 47})


@scenario("one epoch committed twice, so that two challenges show every seed", "P")
def twice():
    """The seeds of a later epoch depend on the challenge and the cards: none are shared."""
    secret, first = b"\7" * 32, decks.Epoch("n", "A", 2, tuple("abcd"), 8, 5)
    shown = set(decks.reply_of(secret, first, 2).siblings)
    again = replace(first, challenge=6)
    other = set(decks.reply_of(secret, again, 5).siblings)
    both = {bytes.fromhex(each) for each in shown | other}
    for epoch, trial in ((first, 2), (again, 5)):
        seed, below = decks.root_of(secret, epoch), set()
        for level in range(epoch.depth - 1, -1, -1):
            seed = decks._child(seed, trial >> level & 1)
            below.add(seed)
        assert not below & both and decks.root_of(secret, epoch) not in both
    short = replace(first, number=1)  # as it would be with the short formula
    assert set(decks.reply_of(secret, short, 2).siblings) & set(
        decks.reply_of(secret, replace(short, challenge=6), 5).siblings
    ) or decks.root_of(secret, short) == decks.root_of(secret, replace(short, challenge=6))
    return "P"


@scenario("a reshuffle that nobody can commit to in time", "P")
def in_time():
    """The draw waits for the commitment; no beacon is locked before it."""
    fold = to_orders_of(sealed.upto(17), "B")
    waiting = tried(fold, "B", [orders({"gather": {}}, DRAW, PASS)])
    assert waiting.locked is None and waiting.owed[0].machine == "deck_commit b/2"
    refusal(waiting, "B", [next_of(waiting, "B")])
    assert write(waiting, "B").locked is not None
    return "P"


@scenario("a card returns by a reshuffle and is opened again", "ok")
def returned():
    (case,) = list(sealed.again_from_a_later_epoch())
    assert examine(case.raw, open_sealed_toy).is_good
    return "ok"


@scenario("a new hand claimed falsely", "N")
def new_hand():
    return of_cases(sealed.forced_cards(), {81})


@scenario("new hands again and again", "ok")
def new_hands():
    fold = find(begun, lambda fold: "4" not in sealed.numbers(fold, "A"))
    fold = to_orders_of(write(fold, "A", {"redraw": {}}), "A")
    if "4" not in sealed.numbers(fold, "A"):
        fold = to_orders_of(write(fold, "A", {"redraw": {}}), "A")
    assert max(bound.epoch.number for bound in fold.machine.hidden.decks) >= 2
    return fair(fold)


@scenario("a card that must be played is withheld", "A")
def withheld():
    *_, over = [case for case in sealed.forced_cards() if case.number == 54]
    found = examine(over.raw, open_sealed_toy).findings[0]
    assert found.problem.code == "E-AUDIT" and found.whose == "B"
    return "A"


@scenario("half of the hand is to be shown: others are, or none", "N")
def half_of_the_hand():
    return of_cases(sealed.openings(), {51})


# --- turns, talk, ends


@scenario("both write at once", "ok")
def crossed():
    fold = opened()
    side, turn = write(fold, "B", say=("Hello?",)), write(fold, "A", PASS)
    witness.compare(witness.record(side, "B"), turn)
    late = write(turn, "A", say=("Sorry.",))
    return fair(side, turn, late)


@scenario("a claim crosses a late answer", "ok")
def claim_crossed():
    fold = opened()
    claimed, answered = write(fold, "B", claim_forfeit=True), write(fold, "A", PASS)
    witness.compare(witness.record(claimed, "B"), answered)
    assert write(claimed, "A", PASS).machine.agreements.claim is None, "and their answer cures it"
    return fair(answered)


@scenario("both owe at once", "ok")
def both_owe():
    fold = write(sealed_game(), "A", resign=True)
    assert [thing.by for thing in fold.owed] == ["B", "A"], "who did not write last comes first"
    for first in "AB":
        fair(write(write(fold, first), "AB"[first == "A"]))
    return "ok"


@scenario("the file is filled with talk", "P")
def talk():
    fold = write(opened(), "B", say=("Hello?",))
    words = {"do": "say", "text": ["and again"]}
    refusal(fold, "B", [words])
    refusal(fold, "A", [words])
    return "P"


@scenario("nobody owes anything, and the game is not over", "P")
def always_owed():
    for fold in (*map(game_of, range(3)), *map(sealed_game_of, range(2))):
        for count in range(1, len(fold.entries), 3):
            before = replay(fold.entries[:count], fold.machine.world.open_table)
            assert before.owed or before.phase == "over"
    return "P"


@scenario("two programs judge differently", "ok")
def programs_differ():
    """The first difference is named; nobody loses by it: the version of the proposal decides."""
    other = patch.object(Toy, "winner", lambda toy: "nobody")
    fold = opened()
    steps = [orders(PASS)]
    machine = write(fold, "A", PASS).machine
    machine = machine.at(replace(machine.table, ground=1))
    theirs = entry_of(fold, "A", steps, machine.post())
    with other, pytest.raises(FileRefused) as caught:
        after(fold, theirs)
    assert caught.value.code == "E-STATE" and "programs judge differently" in str(
        caught.value.message
    )
    return "ok"


@scenario("key or memory lost: the file sent last still tells", "N")
def last_file():
    game = play(2)
    older = replay(game.entries[:-3], open_toy)
    with pytest.raises(FileRefused) as caught:
        witness.compare_files(game, older)
    assert caught.value.code in ("E-ROLLBACK", "E-DOUBLE")
    return "N"


@scenario("silence", "E")
def silence():
    return owes(opened(), "A", "answer")


@scenario("the winner refuses the audit", "P")
def winner_refuses():
    """There is no win to show: the result stays provisional."""
    over = write(sealed_game(), "A", resign=True)
    fold = write(over, "A")
    assert fold.result["winner"] == "B" and fold.owed[0].machine == "audit"
    assert fold.machine.public_state()["protocol"]["audits"] == {"a": True, "b": False}
    return "P"


@scenario("the loser refuses the audit", "ok")
def loser_refuses():
    fold = write(write(sealed_game(), "A", resign=True), "B")
    assert fold.machine.public_state()["protocol"]["audits"] == {"a": False, "b": True}
    return fair(fold)


@scenario("the secret of the audit is shown early", "N")
def early_secret():
    fold = sealed_game()
    return refusal(fold, fold.pen, [sealed.audit(fold, fold.pen)])


@scenario("one person on both seats", "-")
def solo():
    """Nothing protects from that; a game begun as solo says so for ever."""
    fold = propose_solo(TERMS, "practice", open_toy, tool=TOOL)
    assert fold.is_solo and "solo" in str(proven(fold).sentences()[0])
    return "-"


@scenario("a later epoch is stacked", "A")
def later_epoch():
    stacking = Stacking(frozenset(range(64)), one_doubled)
    fold = to_orders_of(sealed.upto(17), "B")
    fold = stacked_write(stacking, fold, "B", {"gather": {}}, DRAW, PASS)
    fold = write(fold, "A", resign=True) if fold.pen == "A" else fold
    return found_by_audit(fold, "B")


# --- what is agreed on, and keys


@scenario("a draw offered with the attack, to be answered when the dice are known", "P")
def draw_with_an_attack():
    return refused_as(agreed.beside_a_lock(), 78)


@scenario("a take-back to a state that waits for a spent beacon", "P")
def back_to_a_lock():
    return refused_as(agreed.taken_back(), 57)


@scenario("a take-back for the sake of another roll", "ok")
def back_for_a_roll():
    """With consent; the numbers run on, so the old roll does not come again."""
    fold = write(write(opened(), "A", DRAW), "B")
    fold = write(fold, "B", offer={"what": "takeback", "to": 3, "known_randomness": True})
    fold = write(fold, "A", answer=True)
    fold = write(write(fold, "A", DRAW), "B")
    assert [one.n for one in fold.told() if isinstance(one, Rolled)] == [1, 2, 3]
    return "ok"


@scenario("a take-back, and the document that was read is used against its author", "P")
def read_and_used():
    fold = with_sealed(1, SEALED_FULL)
    to = len(fold.entries) - 1
    fold = write(write(fold, "A", ATTACK, GO, PASS), "B")
    terms = {"what": "takeback", "to": to, "known_randomness": True}
    asker = "AB"[fold.pen == "A"]
    fold = write(fold, asker, offer=terms)
    fold = write(fold, "AB"[asker == "A"], answer=True)
    assert fold.policies("B") == () and fold.pen == "A"
    assert write(fold, "A", ATTACK).locked is None, "they are asked anew"
    return "P"


@scenario("the opponent gives my place in the game to a key of their own", "E")
def key_by_the_opponent():
    fold = for_other(opened(), "B")
    assert "rests on the word of player B alone" in str(proven(fold).sentences()[-1])
    return "E"


# --- how it came out


def refused_as(cases, number: int) -> str:
    """P if all of these cases are refused, each as it should be."""
    found = [case for case in cases if case.number == number and case.expected != "good"]
    assert found
    for case in found:
        assert examine(case.raw, open_toy).findings[0].problem.code == case.expected, case.what
    return "P"


def of_cases(cases, numbers: set[int]) -> str:
    """N if all cases of these numbers that are cheats are refused by the class they should be."""
    tried_ones = 0
    for case in cases:
        if case.number in numbers and case.expected != "good":
            found = examine(case.raw, open_sealed_toy).findings[0]
            assert found.problem.code == case.expected != "E-AUDIT", case.what
            tried_ones += 1
    assert tried_ones
    return "N"


def found_by_audit(over: Fold, player: str) -> str:
    assert over.phase == "over"
    entry = forge(over, player, [sealed.audit(over, player)])
    with pytest.raises(FileRefused) as caught:
        replay([*over.entries, entry], open_sealed_toy)
    assert caught.value.code == "E-AUDIT" and caught.value.whose == player
    assert secret_of(KEYS[player], player, over).hex() in str(entry.steps)
    return "A"


@pytest.mark.parametrize(
    "what, result, played", SCENARIOS, ids=[what[:60] for what, _, _ in SCENARIOS]
)
def test_it_comes_out_as_it_must(what, result, played):
    assert played() == result, what
