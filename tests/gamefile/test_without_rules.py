"""Without the rules a file is judged by everything that the format alone can tell."""

from __future__ import annotations

import json
from unittest.mock import patch

import pytest

from pbem.gamefile import policies, shapes, without_rules
from pbem.gamefile.chain import ZEROS, sign_entry
from pbem.gamefile.fold import replay
from pbem.gamefile.format import read
from pbem.gamefile.format import write as written
from pbem.gamefile.secrets import Secrets
from pbem.gamefile.verify import examine, examine_without_rules
from tests.facedown import test_cheats as cheats
from tests.gamefile.cup_cases import DRAW, back, hand, mixed
from tests.gamefile.make_vectors import FOLDER, rebuilt
from tests.gamefile.mini_game import mini_game
from tests.gamefile.mutations import GOOD, cases
from tests.gamefile.players import (
    KEYS,
    closed,
    entry_of,
    forge,
    opened,
    policy,
    proposed,
    resigned,
    reveal,
    sealed,
    write,
)
from tests.gamefile.players import SEALED as SEALED_TERMS
from tests.gamefile.sealed_game import to_orders_of
from tests.gamefile.sealed_mutations import ATTACK
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.secret_toy import both_bound, conspired
from tests.gamefile.test_rotation import NEW, for_other, renewed
from tests.gamefile.toy import open_toy

SEALED = json.loads((FOLDER / "13-sealed-game.json").read_text("ascii"))
AUDITS = json.loads((FOLDER / "15-audit.json").read_text("ascii"))
RENEWED = json.loads((FOLDER / "18-renewed.json").read_text("ascii"))

BY_THE_RULES = {
    "E-TURN", "E-ORDER", "E-STATE", "E-CARD", "E-CONSENT", "E-NOREVEAL", "E-EARLY", "E-LABEL",
    "E-RULES",
}  # fmt: skip
"""Classes of faults that show to none but who knows what the game asks."""

JUDGED_OTHERWISE = {
    "digest of a different state": "E-CHAIN",  # only the entry behind it does not fit any more
    "a slot of an epoch that is not laid": "E-OPEN",
    "a card of the other player": "E-OPEN",
    "a card of the hand of before": "E-OPEN",
    "taken up twice": "E-REVEAL",
    # what a document does, and whether one is asked for, the rules tell
    "a card chosen by hand instead of the sealed orders": GOOD,
    "a policy behind one's own value, and that one unsealed": GOOD,
    "a malformed document, resolved as it suits": GOOD,
    "the sealed orders are not shown": GOOD,
    "words in front of the owed document": GOOD,
    "a new policy in front of the owed document": GOOD,
    "the card in front of the owed document": GOOD,
    # what is owed and when, and of which cards an epoch is laid
    "no reply behind the value that challenges": GOOD,
    "words instead of the reply": GOOD,
    "orders in front of the reply": GOOD,
    "a card opened in front of the reply for its deck": GOOD,
    "fewer cards than were discarded": GOOD,
    "other cards than were discarded": GOOD,
}
"""Spoilt copies of other classes, and what is said of them without rules."""

LEFT_TO_THE_RULES = {
    "propose", "accept", "start",  # judged in their place at the beginning
    "orders", "react", "post_choice", "say", "resign", "claim_forfeit", "answer", "close",
    "fact",
}  # fmt: skip


PASS = {"pass": {}}


def code(report) -> str:
    return report.findings[0].problem.code if report.findings else GOOD


def judged(case: int, what: str, expected: str, raw: bytes) -> None:
    found = code(examine_without_rules(raw))
    if what in JUDGED_OTHERWISE:
        assert found == JUDGED_OTHERWISE[what]
    elif expected in BY_THE_RULES or (case, expected) == (54, "E-AUDIT"):  # a card withheld
        assert found in (GOOD, expected)
    else:
        assert found == expected


@pytest.mark.parametrize("case", [*cases()], ids=lambda case: f"{case.number}-{case.what[:50]}")
def test_spoilt_copies_of_the_open_game(case):
    judged(case.number, case.what, case.expected, case.raw)


@pytest.mark.parametrize(
    "found",
    [*SEALED["mutations"], *AUDITS["files"]],
    ids=lambda found: f"{found['case']}-{found['what'][:40]}",
)
def test_spoilt_copies_of_the_sealed_game(found):
    raw = rebuilt(found, SEALED["file"]["entries"])
    judged(found["case"], found["what"], found["expected"], raw)


@pytest.mark.parametrize("found", RENEWED["mutations"], ids=lambda found: found["what"])
def test_spoilt_copies_of_a_game_with_new_secrets(found):
    judged(0, found["what"], found["expected"], rebuilt(found, RENEWED["file"]["entries"]))


@pytest.mark.parametrize("what", ["the sample", "audits, the secrets of before lost"])
def test_new_secrets_are_counted_as_the_rules_count(what):
    (good,) = [one for one in RENEWED["mutations"] if one["what"] == what]
    raw = rebuilt(good, RENEWED["file"]["entries"])
    whole, without = examine(raw, open_sealed_toy).proven, examine_without_rules(raw).proven
    counts = without.plain()
    assert counts.pop("unproven") == 0
    assert counts == {name: whole.plain()[name] for name in counts}
    assert without.renewed and ("lost" in what) == bool(without.lost)
    told = [each for each in map(str, without.sentences()) if "secrets" in each]
    assert told and told == [each for each in map(str, whole.sentences()) if "secrets" in each]


def test_what_is_counted_is_what_the_rules_count():
    good = next(one for one in AUDITS["files"] if one["expected"] == GOOD)
    raw = rebuilt(good, SEALED["file"]["entries"])
    whole, without = examine(raw, open_sealed_toy), examine_without_rules(raw)
    assert without.game == whole.game and without.fold is None
    counts = without.proven.plain()
    assert counts.pop("unproven") == 0
    assert counts == {name: whole.proven.plain()[name] for name in counts}
    assert counts["beacons"] and counts["decks"] and counts["opened"] and counts["unsealed"]
    assert "NOT checked" in str(without.proven.sentences()[-1])


def test_new_keys_are_judged():
    fold = renewed(opened())
    signed = entry_of(
        fold, "A", [{"do": "orders", "list": [PASS]}], ZEROS[:16]
    )  # by the retired key
    assert code(examine_without_rules(written([*fold.entries, signed]))) == "E-FORGED"
    signed = sign_entry(NEW, signed.payload)
    assert code(examine_without_rules(written([*fold.entries, signed]))) == GOOD
    named = examine_without_rules(written(for_other(opened(), "B").entries))
    assert code(named) == GOOD and named.proven.on_word == (("A", named.proven.entries - 1),)


def test_a_deck_that_is_not_proven_is_told():
    entries = SEALED["file"]["entries"][:3]
    proven = examine_without_rules(
        json.dumps({**SEALED["file"], "entries": entries}).encode()
    ).proven
    assert proven.unproven == 2 and proven.decks == 0
    assert any("NOT proven" in each for each in map(str, proven.sentences()))


def test_every_kind_of_step_is_judged_or_knowingly_left():
    assert set(shapes.STEPS) == LEFT_TO_THE_RULES | set(without_rules._JUDGED)
    assert not LEFT_TO_THE_RULES & set(without_rules._JUDGED)


def test_sealed_orders_of_the_beginning_are_opened_without_rules_too():
    """B seals with their acceptance: before the game runs a step is judged by other functions."""
    guard = {"slot": "guard", "scope": None, "until": None, "doc": {"stand": "hold"}}
    with patch("pbem.gamefile.compose.DECK_TRIALS", 4):
        fold = proposed(SEALED_TERMS, nonce=bytes(16), table=open_sealed_toy)
    fold = write(fold, "B", policies=(guard,), in_clear=False)
    for player in "AB":
        fold = write(fold, player)
    fold = write(write(to_orders_of(fold, "A"), "A", ATTACK), "B")
    assert any(step["do"] == "unseal" for entry in fold.entries for step in entry.steps)
    raw = written(fold.entries)
    assert code(examine(raw, open_sealed_toy)) == code(examine_without_rules(raw)) == GOOD
    assert examine_without_rules(raw).proven.unsealed == 1


# --- whole games, and entries that the protocol alone refuses


def told(fold, player: str, *steps) -> tuple[str, str]:
    """What an entry of these steps is, without rules: its class, and the rule it breaks."""
    report = examine_without_rules(written([*fold.entries, forge(fold, player, list(steps))]))
    return code(report), report.findings[0].problem.rule if report.findings else ""


ORDERS = {"do": "orders", "list": [PASS]}
FINE, OF_DECKS = (GOOD, ""), ("E-DECK", "protocol, sealed decks")


def test_who_is_owed_a_value_may_write_no_more_than_a_note():
    owing = write(opened(), "A", {"draw": {}})
    assert told(owing, "A", ORDERS) == ("E-TURN", "protocol T2")
    noted = write(owing, "A", say=("Well?",))
    assert told(noted, "A", {"do": "say", "text": ["Well?"]}) == ("E-TURN", "protocol T3")
    assert code(examine_without_rules(written(for_other(noted, "A").entries))) == GOOD


def test_behind_a_resignation_nobody_owes_a_value_any_more():
    owing = write(sealed(), "A", {"draw": {}})
    assert owing.owed[0].code == "reveal"
    fold = closed(write(write(write(owing, "B", resign=True), "A"), "B"), "A")
    for report in (examine(written(fold.entries), open_sealed_toy),
                   examine_without_rules(written(fold.entries))):  # fmt: skip
        assert code(report) == GOOD


def test_values_come_one_after_the_other():
    fold = opened()
    steps = [{"do": "orders", "list": [{"draw": {}}]}, reveal(fold, "A", 2), reveal(fold, "A", 3)]
    assert told(fold, "A", *steps) == ("E-EARLY", "protocol R3")


def test_the_game_begins_with_one_start_step_by_its_proposer():
    offered, accepted = proposed(), write(proposed(), "B")
    start = write(accepted, "A").entries[-1].steps[0]
    words = {"do": "say", "text": ["Good luck."]}
    assert told(offered, "B", start)[0] == "E-TURN"
    assert told(accepted, "A", words, start)[0] == "E-TURN"
    assert told(accepted, "A", start, start)[0] == "E-TURN"


def test_the_first_entry_is_that_of_its_proposer():
    first = proposed().entries[0]
    for report in (examine(written([resigned(first, "A", by="B")]), open_toy),
                   examine_without_rules(written([resigned(first, "A", by="B")]))):  # fmt: skip
        assert code(report) == "E-CHAIN"


def test_void_beacons_are_counted_apart():
    raw = written(mini_game().entries)
    counts, whole = examine_without_rules(raw).proven.plain(), examine(raw, open_toy).proven.plain()
    assert counts["void_beacons"] == whole["void_beacons"] == 1
    assert counts["beacons"] == whole["beacons"]


def test_a_document_is_opened_by_its_author_behind_it_and_is_that_of_its_slot():
    entries = SEALED["file"]["entries"]
    fold = replay(read(json.dumps(SEALED["file"]).encode())[:16], open_sealed_toy)
    value, unseal, *_ = entries[16]["payload"]["steps"]
    assert told(fold, "B", value, unseal) == FINE
    refused = ("E-POLICY", "protocol, policies")
    for seq in (12, 15, 17, 9999):
        assert told(fold, "B", value, {**unseal, "seq": seq}) == refused
    behind = replay(read(json.dumps(SEALED["file"]).encode())[:17], open_sealed_toy)
    assert told(behind, "A", unseal) == refused


def test_two_slots_are_sealed_at_once_and_one_is_in_every_entry():
    docs = {"first": {"stand": "fall_back"}, "guard": {"stand": "hold"}}
    both = [policy(slot, **doc) for slot, doc in docs.items()]
    fold = write(opened(), "A", PASS, policies=both, in_clear=False)
    fold = write(write(fold, "B", PASS), "A", PASS, policies=both, in_clear=False)
    assert code(examine_without_rules(written(fold.entries))) == GOOD
    secret = Secrets.in_game(fold.machine, KEYS["A"], "A").game
    for slot, doc in docs.items():
        salt = policies.salt_of(secret, slot, 4, doc)
        unseal = {"do": "unseal", "slot": slot, "seq": 4, "salt": salt, "doc": doc}
        assert told(write(fold, "B", PASS), "A", unseal) == FINE


def test_a_deck_is_laid_by_its_owner_one_epoch_after_the_other():
    fold = opened()
    laid = {"do": "deck_commit", "deck": "z", "epoch": 1, "cards": ["z1", "z2"], "c": "ab" * 32}
    assert told(fold, "A", laid) == FINE
    assert told(fold, "A", {**laid, "cards": ["z2", "z1"]}) == OF_DECKS
    assert told(fold, "A", {**laid, "epoch": 2}) == OF_DECKS
    assert told(fold, "A", laid, {**laid, "epoch": 2}) == FINE
    assert told(sealed(), "A", {**laid, "deck": "b", "epoch": 2}) == OF_DECKS


def test_tags_of_a_mix_are_in_order_in_each_group_alone():
    fold = cheats.mixable()
    steps = cheats.honest(fold, "A", *cheats.MIX)
    (commit,) = (step for step in steps if step["do"] == "deck_commit")
    one, two, three, four = sorted(commit["cards"])
    crossed = {**commit, "cards": [one, four, two, three]}
    assert told(fold, "A", *(crossed if step is commit else step for step in steps)) == FINE


def test_tags_are_laid_again_behind_a_take_back():
    fold = mixed(1)
    to = len(mixed(0).entries) - 1
    again = {"what": "takeback", "to": to, "known_randomness": True}
    fold = write(write(fold, "B", offer=again), "A", answer=True)
    fold = write(fold, "A", back(max(hand(fold, "A"))), DRAW)
    assert code(examine_without_rules(written(fold.entries))) == GOOD


def test_what_is_told_was_sealed_by_its_teller_and_not_taken_back():
    due, (sealed_choice, *_) = both_bound(), both_bound().machine.hidden.chosen
    tell = Secrets.in_game(due.machine, KEYS["A"], "A").tell(sealed_choice)
    refused = ("E-POLICY", "protocol, secret choices")
    assert told(due, "A", tell) == FINE and told(due, "B", tell) == refused
    asked = write(conspired(), "A", offer={"what": "takeback", "to": 3})
    assert told(write(asked, "B", answer=True), "A", tell) == refused
    facing, _ = cheats.sprung()
    (tells,) = (step for step in cheats.honest(facing, "B") if step["do"] == "list_tell")
    assert told(facing, "B", {**tells, "slot": "other"}) == ("E-POLICY", "protocol, sealed lists")
