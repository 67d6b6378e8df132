"""A key on paper comes back the same, and a slip of the pen names its group."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import KeyPair, key_fingerprint
from pbem.gamefile.paper_key import GROUPS, group_bytes, groups, seed_on, sheet
from tests.gamefile.players import KEYS

SEED = bytes(range(7, 39))
KEY = KeyPair.from_seed(SEED)
SHEET = sheet(KEY, "ana.key")


def refused(text: str) -> str:
    with pytest.raises(FileRefused) as caught:
        seed_on(text)
    assert caught.value.code == "E-KEY"
    return str(caught.value.message)


def line(number: int) -> str:
    return f"{number}  {groups(SEED)[number - 1]}"


@given(st.binary(min_size=32, max_size=32))
def test_there_and_back(seed: bytes):
    assert b"".join(group_bytes(at, text) for at, text in enumerate(groups(seed), 1)) == seed


def test_a_sheet_is_read_back():
    assert seed_on(SHEET) == SEED
    assert key_fingerprint(KEY.public) in SHEET and "ana.key" in SHEET
    assert len(SHEET.encode()) < 1000 and all(len(each) <= 79 for each in SHEET.splitlines())


@pytest.mark.parametrize("copied", [
    "\n".join(line(number) for number in (8, 7, 6, 5, 4, 3, 2, 1)),
    SHEET.upper().replace("SHA256", "X"), SHEET.replace("\n", "\r\n"), SHEET.replace("  ", "\t-"),
    "\n".join(f" {number}. {text.replace(' ', '')}" for number, text in enumerate(groups(SEED), 1)),
    "\n".join(f"{number}) {text}" for number, text in enumerate(groups(SEED), 1)).replace("0", "O"),
])  # fmt: skip
def test_how_it_is_copied_does_not_matter(copied: str):
    assert seed_on(copied) == SEED


def test_every_wrong_digit_and_every_swap_names_its_group():
    for number in range(1, GROUPS + 1):
        digits = groups(SEED)[number - 1].replace(" ", "")
        wrong = {
            digits[:at] + other + digits[at + 1 :]
            for at in range(12)
            for other in "0123456789abcdef"
        }
        swaps = {digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :] for at in range(11)}
        for text in (wrong | swaps) - {digits}:
            told = refused(SHEET.replace(line(number), f"{number}  {text}"))
            assert told == f"group {number}: it does not match its check digits"


@pytest.mark.parametrize("typed, told", [
    ("", "it has 0 digits, and needs 12: 8 for the key and 4 to check them"),
    ("1a2b 3c4d", "it has 8 digits, and needs 12"), ("1a2b 3c4d 5e6f 7",
     "it has 13 digits, and needs 12"),
    ("1a2b 3c4d 5e6g", "'g' is not a hex digit (0 to 9, a to f)"),
    ("1a2b 3c4d \u0665678", "'\\u0665' is not a hex digit"),
    ("\x1b[2J", "'\\x1b' is not a hex digit"),
    (groups(SEED)[4], "this is group 5"),
])  # fmt: skip
def test_what_is_wrong_with_a_group(typed: str, told: str):
    with pytest.raises(FileRefused) as caught:
        group_bytes(3, typed)
    assert str(caught.value.message).startswith(f"group 3: {told}")


def test_groups_that_are_missing_doubled_or_of_two_keys():
    assert refused("") == "group 1: it is missing"
    assert refused(SHEET.replace(line(6), "")) == "group 6: it is missing"
    assert refused(SHEET + line(2)) == "group 2: it is listed twice"
    assert refused(SHEET + "9  1a2b 3c4d  5e6f\n") == "group 9: there are eight groups"
    other = sheet(KEYS["A"], "")
    mixed = "\n".join(other.splitlines()[:3] + SHEET.splitlines()[3:])
    ours, theirs = key_fingerprint(KEY.public), key_fingerprint(KEYS["A"].public)
    assert refused(mixed) == f"the groups belong to {ours}, but the sheet names {theirs}"
