"""Every way to cheat with sealed decks, sealed orders and the audit, and the class it is met with.

Made from the sealed sample game, or from games dealt to suit; each attacker signs their own entries
anew and consistently. The numbers are those of mutations.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any
from unittest.mock import patch

from pbem.gamefile import decks, policies
from pbem.gamefile.beacons import BeaconDice
from pbem.gamefile.chain import Entry
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.journal import Completed
from pbem.value import replace
from tests.gamefile.mutations import GOOD, Case, case
from tests.gamefile.players import KEYS, SEALED, forge, proposed, resigned, reveal, tried, write
from tests.gamefile.sealed_game import (
    GO,
    PASS,
    own_hand,
    sealed_game,
    sealed_policy,
    settled,
    to_orders_of,
)
from tests.gamefile.sealed_toy import SealedToy, open_sealed_toy
from tests.gamefile.stacked import (
    Stacking,
    best_only,
    one_doubled,
    secret_of,
    stacked_write,
    stacker,
)

NO_CARD = {"do": "react", "answers": [{"card": {"use": None}}]}
ATTACK = {"attack": {"force": 4}}


def sealed_cases() -> Iterator[Case]:
    """All cases, in the order of their numbers; each is judged with the sealed duel."""
    yield from sorted(
        [*sealed_orders(), *called_off(), *slot_of_a_policy(), *replies(), *stacked(),
         *openings(), *forced_cards(), *later_epochs(), *audits()],
        key=lambda case: case.number,
    )  # fmt: skip
    yield case(0, "the sealed sample game", GOOD, sealed_game().entries)


# --- making games


@cache
def upto(seq: int) -> Fold:
    """The sealed sample game before entry `seq`."""
    return replay(sealed_game().entries[:seq], open_sealed_toy)


def steps_of(seq: int) -> list[dict[str, Any]]:
    return [dict(step) for step in sealed_game().entries[seq].steps]


def instead(number: int, what: str, expected: str, seq: int, steps: list[dict[str, Any]]) -> Case:
    """The sealed sample game up to `seq`, then these steps of the same author."""
    return behind(number, what, expected, upto(seq), sealed_game().entries[seq].by, steps)


def behind(
    number: int, what: str, expected: str, fold: Fold, by: str, steps: list[dict[str, Any]]
) -> Case:
    return case(number, what, expected, [*fold.entries, forge(fold, by, steps)])


@cache
def small_decks(nonce: int) -> Fold:
    """A sealed duel with four trials a deck, dealt and replied for; A has the first round."""
    with patch("pbem.gamefile.compose.DECK_TRIALS", 4):
        fold = proposed(SEALED, nonce=nonce.to_bytes(16), table=open_sealed_toy)
    for player in "BABA":
        fold = write(fold, player, say=("To business.",) if len(fold.entries) == 4 else ())
    return fold


def dealt(suits: Callable[[Fold], bool]) -> Fold:
    """The first such game that suits."""
    return next(fold for fold in map(small_decks, range(200)) if suits(fold))


def numbers(fold: Fold, player: str) -> list[str]:
    return sorted(card[1] for card in own_hand(fold, player).values())


def shown(fold: Fold, player: str, slot: str) -> dict[str, Any]:
    """The honest step that opens a slot, drawn or not."""
    deck, epoch, place = slot.split("/")
    (bound,) = [one for one in fold.machine.hidden.decks if one.name == f"{deck}/{epoch}"]
    assert bound.trial is not None
    laid = decks.layout_of(secret_of(KEYS[player], player, fold), bound.epoch, bound.trial)
    return {"do": "open", "deck": deck, "epoch": int(epoch), "pos": int(place),
            "card": laid.cards[int(place)], "nonce": laid.nonces[int(place)]}  # fmt: skip


def hidden(fold: Fold, player: str) -> list[str]:
    return [slot for slot in own_hand(fold, player) if slot not in fold.in_play.known()]


def own(fold: Fold, player: str) -> dict[str, Any]:
    """The player's value of the beacon that is locked, or would be next."""
    return reveal(fold, player, fold.machine.beacons.locked or fold.machine.next_beacon)


# --- sealed orders


def sealed_orders() -> Iterator[Case]:
    value, unseal, opening = steps_of(16)[:3]
    late = {"do": "policy", "slot": "late", "scope": None, "until": None,
            "doc": {"slot": "none", "stand": "hold"}}  # fmt: skip
    yield instead(34, "a policy behind the other's value, in front of one's own", "E-NOREVEAL",
                  16, [late, value])  # fmt: skip
    sealed = policies.seal(secret_of(KEYS["B"], "B", upto(16)), "late", 16, late["doc"])
    boxed = {"do": "policy", "slot": "late", "scope": None, "until": None,
             "c": sealed.c, "box": sealed.box}  # fmt: skip
    yield instead(34, "a policy behind one's own value, and that one unsealed", "E-POLICY",
                  16, [value, boxed])  # fmt: skip
    other = {**unseal, "slot": "late", "seq": 16}
    yield instead(34, "a later policy unsealed instead of the one in force", "E-POLICY",
                  16, [value, other])  # fmt: skip
    wrong = {**unseal, "doc": {**unseal["doc"], "slot": "none"}}
    yield instead(35, "another document than the one sealed", "E-POLICY", 16, [value, wrong])
    salted = {**unseal, "salt": "ab" * 32}
    yield instead(35, "the right document with another salt", "E-POLICY", 16, [value, salted])
    yield malformed_and_resolved_otherwise()
    yield instead(37, "a card chosen by hand instead of the sealed orders", "E-POLICY",
                  16, [value, NO_CARD])  # fmt: skip
    yield instead(37, "the sealed orders are not shown", "E-POLICY", 16, [value])
    words = {"do": "say", "text": ["Wait."]}
    for step, what in ((words, "words"), (late, "a new policy"), (opening, "the card")):
        yield instead(69, f"{what} in front of the owed document", "E-POLICY",
                      16, [value, step, unseal])  # fmt: skip
    yield instead(69, "words in front of the owed card", "E-CARD",
                  16, [value, unseal, words, opening])  # fmt: skip


def guarded(doc: dict[str, Any], *before: dict) -> Fold:
    """Entries 0 to 12 of the sample; then B seals this document, and A attacks again and reveals.

    `before` are orders of B between the two.
    """
    guard = {"slot": "guard", "scope": None, "until": None, "doc": doc}
    fold = write(upto(13), "B", {"card": {"use": None}}, policies=(guard,), in_clear=False)
    fold = to_orders_of(fold, "A")
    if before:
        fold = to_orders_of(write(fold, "A", PASS), "B")
        fold = to_orders_of(write(fold, "B", *before, PASS), "A")
    return write(fold, "A", ATTACK)


def malformed_and_resolved_otherwise() -> Case:
    fold = guarded({"slot": 7, "stand": ["what?"]})
    chosen = {"card": {"use": None, "give_way": True}}
    with patch.object(SealedToy, "policy_answer", lambda table, policy: table.read(chosen)):
        cheat = write(fold, "B")
    return case(36, "a malformed document, resolved as it suits", "E-STATE", cheat.entries)


def called_off() -> Iterator[Case]:
    """The sealed orders call the fight off; what comes behind that choice needs a new beacon."""
    fold = guarded({"give_way": True, "stand": "hold"})
    honest = write(fold, "B")
    assert honest.machine.beacons.locked is None
    yield case(72, "a provisional lock, and the document asks for an open decision", GOOD,
               honest.entries)  # fmt: skip
    known = next(one for one in honest.told() if isinstance(one, Completed) and one.n == 6)
    machine = honest.machine.put(dice=BeaconDice(known.n, known.value))
    cheat = write(replace(honest, machine=machine), "A", GO, {"draw": {}}).entries[-1]
    entry = resigned(cheat, steps=[*cheat.steps, own(honest, "A")])
    yield case(72, "a draw behind that decision with the beacon known", "E-STATE",
               [*honest.entries, entry])  # fmt: skip


def slot_of_a_policy() -> Iterator[Case]:
    value, unseal, opening = steps_of(16)[:3]
    yield instead(70, "the card the document names is not opened", "E-CARD", 16, [value, unseal])
    fold = upto(16)
    named = f"{opening['deck']}/{opening['epoch']}/{opening['pos']}"
    (other,) = [slot for slot in hidden(fold, "B") if slot != named][:1] or ["b/1/7"]
    yield instead(70, "another card is opened", "E-CARD",
                  16, [value, unseal, shown(fold, "B", other)])  # fmt: skip
    slot = hidden(upto(13), "B")[0]
    gone = guarded({"slot": slot, "stand": "hold"}, {"toss": {"slot": slot}})
    yield case(70, "the slot named has left the hand: no card", GOOD, write(gone, "B").entries)


# --- commitments and challenges


def replies() -> Iterator[Case]:
    fold, (value, reply) = upto(3), steps_of(3)
    (bound,) = [one for one in sealed_game().machine.hidden.decks if one.name == "b/1"]
    secret, right = secret_of(KEYS["B"], "B", fold), bound.trial
    assert right is not None
    theirs = decks.reply_of(secret, bound.epoch, right ^ 1)
    other = {**reply, "t": right ^ 1, "leaves": list(theirs.leaves),
             "siblings": list(theirs.siblings)}  # fmt: skip
    yield instead(45, "the reply to another challenge", "E-DECK", 3, [value, other])
    yield instead(45, "the same, with the number of the right one", "E-DECK",
                  3, [value, {**other, "t": right}])  # fmt: skip
    leaves = reply["leaves"]
    for what, changed in (
        ("a leaf is missing", leaves[:-1]),
        ("two leaves change places", [leaves[1], leaves[0], *leaves[2:]]),
        ("a leaf of something else", ["ab" * 32, *leaves[1:]]),
    ):
        yield instead(46, what, "E-DECK", 3, [value, {**reply, "leaves": changed}])
    seeds = ["cd" * 32, *reply["siblings"][1:]]
    yield instead(
        46, "a seed of something else", "E-DECK", 3, [value, {**reply, "siblings": seeds}]
    )
    yield instead(47, "no reply behind the value that challenges", "E-DECK", 3, [value])
    yield instead(47, "words instead of the reply", "E-DECK", 19, [{"do": "say", "text": ["No."]}])
    late = upto(4)
    yield behind(47, "orders in front of the reply", "E-DECK", late, "A",
                 [{"do": "orders", "list": [PASS]}])  # fmt: skip


@cache
def stacked_until(passes: bool, stacking: Stacking) -> tuple[Fold, dict[str, Any]]:
    """A game in which B's stacked deck passes the challenge, or does not: before their reply, and
    the reply."""
    for nonce in range(100):
        with patch("pbem.gamefile.compose.DECK_TRIALS", 4):
            fold = proposed(SEALED, nonce=nonce.to_bytes(16), table=open_sealed_toy)
        fold = write(stacked_write(stacking, fold, "B"), "A")
        shows = own(fold, "B")
        from pbem.gamefile.entry import begin_entry, take_step

        machine = take_step(begin_entry(fold.machine, "B"), shows)
        (bound,) = machine.hidden.decks.unanswered("B")
        if (bound.trial in stacking.trials) is passes:
            cheat = stacker(stacking)("B", secret_of(KEYS["B"], "B", fold))
            return fold, cheat.deck_reply(bound)
    raise AssertionError("a hundred games, and none is so")


def stacked() -> Iterator[Case]:
    doubled = Stacking(frozenset({0}), one_doubled)
    fold, reply = stacked_until(False, doubled)
    yield behind(44, "a doubled card in a layout that must be shown", "E-DECK", fold, "B",
                 [own(fold, "B"), reply])  # fmt: skip
    aces = Stacking(frozenset({0}), best_only)
    fold, reply = stacked_until(True, aces)
    fold = to_orders_of(tried(fold, "B", [own(fold, "B"), reply]), "A")
    first, second = fold.in_play.hand("B")
    fold = write(fold, "A", ATTACK, GO, ATTACK, PASS)
    plays = {"do": "react", "answers": [{"card": {"use": "b4y"}}]}
    once = tried(fold, "B", [lie(fold, aces, first), plays, own(fold, "B")])
    yield case(43, "a doubled card in the layout picked, opened once", GOOD, once.entries)
    fold = settled(once, asked="B")
    while fold.in_play.stage != "card":
        fold = settled(write(fold, "B", {"stand": {"how": "hold"}}), asked="B")
    yield behind(43, "the same, opened a second time", "E-DECK", fold, "B",
                 [lie(fold, aces, second), plays, own(fold, "B")])  # fmt: skip
    fold = write(once, "A", resign=True)
    yield behind(43, "the same, with only one of them ever opened", "E-AUDIT", fold, "B",
                 [audit(fold, "B")])  # fmt: skip
    yield behind(55, "a secret that gives the anchor and not the deck", "E-AUDIT", fold, "B",
                 [audit(fold, "B")])  # fmt: skip


def lie(fold: Fold, stacking: Stacking, slot: str) -> dict[str, Any]:
    cheat = stacker(stacking)("B", secret_of(KEYS["B"], "B", fold))
    return cheat.open(fold.machine.hidden.decks, slot)


# --- openings


def openings() -> Iterator[Case]:
    fold, (opening, plays, value) = upto(8), steps_of(8)
    slot = f"{opening['deck']}/{opening['epoch']}/{opening['pos']}"
    other = {**opening, "card": "b4x" if opening["card"] != "b4x" else "b4y"}
    yield instead(48, "a card opened as another", "E-OPEN", 8, [other, plays, value])
    salted = {**opening, "nonce": "ab" * 32}
    yield instead(48, "a card opened with another nonce", "E-OPEN", 8, [salted, plays, value])
    yield instead(48, "a slot of an epoch that is not laid", "E-CARD",
                  8, [{**opening, "epoch": 2}, plays, value])  # fmt: skip
    last = to_orders_of(sealed_game(), "A")
    drawn = settled(write(last, "A", ATTACK, GO, PASS), asked="B")
    theirs = next(slot for slot in drawn.in_play.hand("B") if slot.startswith("b/3/"))
    old = {**opening, "epoch": 3, "pos": int(theirs.split("/")[2])}
    yield behind(48, "a slot of the third epoch, opened with what lay in the first", "E-OPEN",
                 drawn, "B", [old, NO_CARD])  # fmt: skip
    undrawn = next(
        f"b/1/{place}" for place in range(8) if f"b/1/{place}" not in fold.in_play.hand("B")
    )
    yield instead(49, "a card that was never drawn", "E-CARD",
                  8, [shown(fold, "B", undrawn), plays, value])  # fmt: skip
    yield instead(49, "a card that was played before", "E-CARD",
                  22, [shown(upto(22), "B", slot), *steps_of(22)])  # fmt: skip
    known = next(iter(fold.in_play.known()))
    yield instead(49, "a card that both know already", "E-CARD",
                  8, [shown(fold, "B", known), plays, value])  # fmt: skip
    foreign = fold.in_play.hand("A")[0]
    yield instead(49, "a card of the other player", "E-CARD",
                  8, [shown(fold, "A", foreign), plays, value])  # fmt: skip
    value, picked = steps_of(6)[:2]
    fold = upto(6)
    name = f"{picked['deck']}/{picked['epoch']}/{picked['pos']}"
    (other_slot,) = [slot for slot in hidden(fold, "B") if slot != name]
    yield instead(51, "another card is shown than the one picked", "E-CARD",
                  6, [value, shown(fold, "B", other_slot)])  # fmt: skip
    yield instead(51, "the card picked is not shown", "E-CARD", 6, [value])
    for what, slot in (("the pile", undrawn_of(upto(20), "A")), ("the other's hand", foreign_b())):
        toss = {"do": "orders", "list": [{"toss": {"slot": slot}}, PASS]}
        yield instead(52, f"a card of {what} laid away face down", "E-CARD", 20, [toss])
    replied = upto(19)
    yield instead(79, "a card opened in front of the reply for its deck", "E-OPEN",
                  19, [shown(replied, "B", replied.in_play.hand("B")[0])])  # fmt: skip


def undrawn_of(fold: Fold, player: str) -> str:
    return fold.in_play.piles["AB".index(player)][0]


def foreign_b() -> str:
    return upto(20).in_play.hand("B")[0]


def four_or_lesser() -> tuple[Fold, dict[str, Any], dict[str, Any], dict[str, Any]]:
    """B must play the 4 they hold: the duel, both cards as they are opened, and the lesser one
    played.
    """
    fold = dealt(lambda fold: numbers(fold, "B")[-1] == "4" and numbers(fold, "B")[0] != "4")
    fold = write(fold, "A", {"attack": {"force": 9}}, GO, PASS)
    hand = own_hand(fold, "B")
    four, lesser = sorted(hand, key=lambda slot: hand[slot][1], reverse=True)
    plays = {"do": "react", "answers": [{"card": {"use": hand[lesser]}}]}
    return fold, shown(fold, "B", four), shown(fold, "B", lesser), plays


def withheld() -> Fold:
    """The duel after B has played the lesser card, and nobody can see that they hold a 4."""
    fold, _, lesser, plays = four_or_lesser()
    return tried(fold, "B", [lesser, plays, own(fold, "B")])


def forced_cards() -> Iterator[Case]:
    fold, four, lesser, plays = four_or_lesser()
    yield behind(50, "a card of the hand that is not legal now", "E-ORDER", fold, "B",
                 [four, lesser, plays, own(fold, "B")])  # fmt: skip
    cheat = withheld()
    yield case(54, "a forced card withheld, before the end", GOOD, cheat.entries)
    over = write(cheat, "A", resign=True)
    yield behind(54, "the same, when their secret is out", "E-AUDIT", over, "B", [audit(over, "B")])
    fold = dealt(lambda fold: numbers(fold, "A")[-1] == "4")
    anew = {"do": "orders", "list": [{"redraw": {}}, PASS]}
    opened = [shown(fold, "A", slot) for slot in fold.in_play.hand("A")]
    yield behind(81, "a new hand claimed with a 4 in the old one", "E-ORDER", fold, "A",
                 [*opened, anew])  # fmt: skip
    yield behind(81, "a new hand claimed with one card left closed", "E-CARD", fold, "A",
                 [opened[0], anew])  # fmt: skip


# --- later epochs


def later_epochs() -> Iterator[Case]:
    orders, commit, value = steps_of(17)
    yield instead(79, "a draw whose deck is not committed", "E-EARLY", 17, [orders, value])
    yield instead(79, "the same, without the value: the commitment stays owed", GOOD, 17, [orders])
    yield instead(79, "the commitment behind the value", "E-EARLY", 17, [orders, value, commit])
    fewer = {**commit, "cards": commit["cards"][:1]}
    yield instead(80, "fewer cards than were discarded", "E-DECK", 17, [orders, fewer, value])
    others = {**commit, "cards": ["b4x", "b4y"]}
    yield instead(80, "other cards than were discarded", "E-DECK", 17, [orders, others, value])
    twice = {**commit, "epoch": 1}
    yield instead(80, "an epoch that is bound already", "E-DECK", 17, [orders, twice, value])
    yield from again_from_a_later_epoch()
    wrong = Stacking(frozenset(range(64)), one_doubled)
    fold = stacked_write(wrong, upto(17), "B", {"gather": {}}, {"draw": {}}, PASS)
    fold = write(fold, "A")
    (bound,) = fold.machine.hidden.decks.unanswered("B")
    reply = stacker(wrong)("B", secret_of(KEYS["B"], "B", fold)).deck_reply(bound)
    yield behind(53, "a later epoch laid of other cards than it names", "E-DECK", fold, "B",
                 [reply])  # fmt: skip
    passes = Stacking(frozenset({bound.trial}), one_doubled)
    fold = stacked_write(passes, upto(17), "B", {"gather": {}}, {"draw": {}}, PASS)
    fold = stacked_write(passes, write(fold, "A"), "B")
    yield case(53, "the same, and the wrong layout is the one picked", GOOD, fold.entries)
    over = write(to_orders_of(fold, "A"), "A", resign=True)
    yield behind(53, "the same, when their secret is out", "E-AUDIT", over, "B", [audit(over, "B")])


def again_from_a_later_epoch() -> Iterator[Case]:
    """A card played, gathered into the second epoch, drawn and played again."""
    fold = to_orders_of(upto(17), "B")
    fold = to_orders_of(write(fold, "B", {"gather": {}}, *[{"draw": {}}] * 8, PASS), "A")
    again = [slot for slot in hidden(fold, "B") if slot.startswith("b/2/")]
    card = own_hand(fold, "B")[again[0]]
    fold = write(fold, "A", ATTACK, GO, PASS)
    played = write(fold, "B", {"card": {"use": card}})
    assert any(one.opened for one in played.machine.hidden.decks if one.name == "b/2")
    yield case(80, "a card opened again in the epoch it was shuffled into", GOOD, played.entries)


# --- the audit


def audit(fold: Fold, player: str) -> dict[str, Any]:
    return {"do": "audit", "gsec": secret_of(KEYS[player], player, fold).hex()}


def audits() -> Iterator[Case]:
    fold = sealed_game()
    pen = fold.pen
    assert pen is not None
    yield behind(83, "a secret shown before the end", "E-TURN", fold, pen, [audit(fold, pen)])
    over = write(fold, pen, resign=True)
    secret = {"do": "audit", "gsec": "ab" * 32}
    yield behind(55, "a secret out of thin air", "E-AUDIT", over, "A", [secret])
    yield behind(55, "the other's secret", "E-AUDIT", over, "A",
                 [{**secret, "gsec": audit(over, "B")["gsec"]}])  # fmt: skip
    yield case(55, "both secrets as they are", GOOD, write(write(over, "B"), "A").entries)
    yield behind(58, "orders behind the end, instead of the secret", "E-TURN", over, "B",
                 [{"do": "orders", "list": [PASS]}])  # fmt: skip
    yield boxed_otherwise()


def boxed_otherwise() -> Case:
    """The box holds another document than the one committed to."""
    doc = sealed_policy(upto(13), "B", stand="hold")
    fold = write(upto(13), "B", {"card": {"use": None}}, policies=(doc,), in_clear=False)
    honest: Entry = fold.entries[-1]
    steps = [dict(step) for step in honest.steps]
    secret = secret_of(KEYS["B"], "B", fold)
    steps[0]["box"] = policies.seal(secret, "guard", honest.seq, {"slot": "none"}).box
    changed = resigned(honest, steps=steps)
    fold = replay([*fold.entries[:-1], changed], open_sealed_toy)
    over = write(fold, fold.pen or "A", resign=True)
    what = "a box with another document than was committed to"
    return behind(55, what, "E-AUDIT", over, "B", [audit(over, "B")])
