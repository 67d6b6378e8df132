"""A changed byte is refused, or it changes nothing: never is something else accepted."""

import random
from collections import Counter

import pytest

from pbem.gamefile import format
from pbem.gamefile.errors import GROUPS, FileRefused
from pbem.gamefile.fold import replay
from pbem.gamefile.verify import examine
from tests.conftest import FUZZ
from tests.gamefile.mini_game import mini_game
from tests.gamefile.toy import open_toy

RAW = format.write(mini_game().entries)
ENTRIES = mini_game().entries


def verdict(raw: bytes) -> str:
    """`same`, or the class it was refused with; anything else is a failure."""
    try:
        entries = format.read(raw)
        if not same(entries):
            replay(entries, open_toy)
            raise AssertionError("accepted, and yet it is another game")
    except FileRefused as refused:
        assert "cannot be judged" not in refused.message, refused
        return refused.code
    return "same"


def same(entries) -> bool:
    """The content is the sample's own: every payload, id, signature and sum."""
    return tuple(entries) == ENTRIES


STEP = 17 if FUZZ == 1 else 1
"""Each byte is changed by `make fuzz`, each 17th one by every other run."""


def test_every_single_byte_change():
    rng = random.Random(7)
    seen = Counter()
    tried = range(0, len(RAW), STEP)
    for at in tried:
        odd = [rng.choice(b'0a",} ')] if at // STEP % 4 == 0 else []
        for new in {RAW[at] ^ (1 << rng.randrange(8)), *odd}:
            if new != RAW[at]:
                code = verdict(RAW[:at] + bytes([new]) + RAW[at + 1 :])
                seen[code] += 1
    assert seen["same"] < 9 * len(tried) / 10
    assert set(seen) - {"same"} <= set(GROUPS)
    assert seen["E-DAMAGED"] > len(tried) / 2
    assert "E-FORGED" not in seen, "damage is never called forgery"


def test_deletions_and_insertions():
    rng = random.Random(8)
    for _ in range(150 * FUZZ):
        at, count = rng.randrange(len(RAW)), rng.choice([1, 1, 2, 30, 500])
        verdict(RAW[:at] + RAW[at + count :])
        verdict(RAW[:at] + rng.randbytes(rng.choice([1, 2])) + RAW[at:])
        verdict(RAW[:at] + RAW[rng.randrange(len(RAW)) :][:count] + RAW[at:])


def test_lines_dropped_doubled_and_swapped():
    rng = random.Random(9)
    lines = RAW.splitlines(keepends=True)
    for _ in range(100 * FUZZ):
        one, two = sorted(rng.sample(range(len(lines)), 2))
        verdict(b"".join(lines[:one] + lines[one + 1 :]))
        verdict(b"".join(lines[:one] + lines[one:two] + lines[one:]))
        swapped = lines.copy()
        swapped[one], swapped[two] = swapped[two], swapped[one]
        verdict(b"".join(swapped))


@pytest.mark.parametrize(
    "raw",
    [
        RAW.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + RAW,
        b"".join(line.strip() for line in RAW.splitlines()),
        RAW.replace(b"\n", b"   \n"),
        b"\n\n" + RAW + b"\n \n",
        RAW.replace(b"\\u00e9", "\u00e9".encode()),
    ],
    ids=["crlf", "bom", "no indentation", "trailing blanks", "blank lines", "raw utf-8"],
)
def test_what_mail_does_to_layout_does_no_harm(raw):
    assert raw != RAW and verdict(raw) == "same"


def test_what_is_read_is_written_again():
    assert format.write(format.read(RAW)) == RAW
    assert RAW.isascii() and max(map(len, RAW.splitlines())) < 160


@pytest.mark.parametrize(
    "raw", [b"", b" ", b"{}", b"[]", b"null", b"\x1f\x8b", b"PK\x03\x04", b"hello"]
)
def test_other_files(raw):
    assert verdict(raw) in ("E-DAMAGED", "E-SCHEMA")


def test_a_fault_of_the_rules_refuses_and_never_accepts():
    """One boundary: whatever a game does wrong, the entry is refused and nothing falls through."""

    def broken(proposal):
        raise KeyError("no such table")

    report = examine(RAW, broken)
    assert [finding.problem.code for finding in report.findings] == ["E-SCHEMA"]
    assert "KeyError" in report.findings[0].problem.message
