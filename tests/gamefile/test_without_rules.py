"""Without the rules a file is judged by everything that the format alone can tell."""

from __future__ import annotations

import json
from unittest.mock import patch

import pytest

from pbem.gamefile import shapes, without_rules
from pbem.gamefile.chain import ZEROS, sign_entry
from pbem.gamefile.format import write as written
from pbem.gamefile.verify import examine, examine_without_rules
from tests.gamefile.make_vectors import FOLDER, rebuilt
from tests.gamefile.mutations import GOOD, cases
from tests.gamefile.players import SEALED as SEALED_TERMS
from tests.gamefile.players import entry_of, opened, proposed, write
from tests.gamefile.sealed_game import to_orders_of
from tests.gamefile.sealed_mutations import ATTACK
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.test_rotation import NEW, for_other, renewed

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
    "orders", "react", "post_choice", "say", "resign", "claim_forfeit", "offer", "answer",
    "upgrade", "close",
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
