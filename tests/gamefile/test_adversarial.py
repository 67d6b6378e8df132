"""Each cheat of the list, tried, with the very text it is met with.

tests/golden/adversarial/NN-<name>.txt has the variants of case NN: what was done, the class, whose
fault it is, and what `pbem verify` (or the command that reads the orders) prints.
PBEM_GOLDEN=write rewrites the texts; read the difference before you commit it.
"""

import os
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from pbem.gamefile.errors import GROUPS
from tests.gamefile.adversarial import ELSEWHERE, NAMED, READ, attempts
from tests.gamefile.mutations import GOOD

FOLDER = Path(__file__).parent.parent / "golden" / "adversarial"
CASES = sorted(set(NAMED) - ELSEWHERE)


@cache
def tried():
    found = defaultdict(list)
    for attempt in attempts():
        found[attempt.number].append(attempt)
    assert [each.code for each in found.pop(0)] == [GOOD, GOOD], "the honest samples"
    return found


def file_of(number):
    return FOLDER / f"{number:02}-{NAMED[number].replace(' ', '-')}.txt"


def text_of(number):
    head = [f"Case {number}: {NAMED[number]}"]
    if number in READ:
        head.append(f"({READ[number]})")
    return "\n\n".join(["\n".join(head), *(one.told for one in tried()[number])]) + "\n"


def test_the_texts_are_exactly_these():
    """One test for all, so that they are worked out once, and by the test that reads them."""
    texts = {number: text_of(number) for number in CASES}
    if os.environ.get("PBEM_GOLDEN") == "write":
        FOLDER.mkdir(exist_ok=True)
        for number, text in texts.items():
            file_of(number).write_text(text, encoding="utf-8", newline="\n")
    assert texts == {number: file_of(number).read_text(encoding="utf-8") for number in CASES}


@pytest.mark.parametrize("number", sorted(set(NAMED) - {26, 67, 76}))
def test_it_is_met_with_its_class(number):
    assert tried()[number]
    for attempt in tried()[number]:
        assert attempt.code == attempt.expected, attempt
        assert "cannot be judged" not in attempt.text and "Traceback" not in attempt.text


def test_every_case_has_one_text():
    texts = [int(path.name.split("-")[0]) for path in FOLDER.glob("*.txt")]
    assert len(texts) == len(set(texts)), "one file a case"
    assert set(NAMED) == set(texts) == set(range(1, 94))


def test_every_variant_has_a_name_of_its_own():
    for number, variants in tried().items():
        assert len({one.what for one in variants}) == len(variants), number


def test_an_attacker_is_blamed_where_the_file_proves_it():
    """Who signs what the protocol forbids is named; damage and strangers accuse nobody."""
    blamed = {one.code for found in tried().values() for one in found if one.whose}
    assert {"E-REVEAL", "E-EARLY", "E-NOREVEAL", "E-POLICY", "E-DECK", "E-OPEN", "E-CARD",
            "E-ORDER", "E-TURN", "E-FORK", "E-AUDIT"} <= blamed  # fmt: skip
    cheats = ("randomness", 50), ("cards", 60), ("rules", 70), ("audit", 80)
    for number, found in tried().items():
        for one in found:
            if number == 93:
                continue  # where a key rests on a word, its texts say who is named
            nobody = ("E-LABEL", "E-STATE")  # a program's fault looks the same
            if GROUPS.get(one.code) in dict(cheats).values() and one.code not in nobody:
                assert one.whose in ("A", "B"), one
            if one.code in ("E-DAMAGED", "E-FORGED", "E-CHAIN", "E-ROLLBACK", GOOD):
                assert one.whose is None, one
