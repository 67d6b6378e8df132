"""A changed byte is refused, or it changes nothing: never is something else accepted."""

import copy
import json
import random
from collections import Counter

import pytest

from pbem.gamefile import format
from pbem.gamefile.chain import ZEROS, sign_entry, with_sum
from pbem.gamefile.errors import GROUPS, FileRefused
from pbem.gamefile.fold import replay
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.verify import examine
from tests.conftest import FUZZ
from tests.gamefile.make_vectors import as_file
from tests.gamefile.mini_game import mini_game
from tests.gamefile.mutations import opened_with
from tests.gamefile.players import KEYS
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
        assert "cannot be judged" not in str(refused.message), refused
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


# --- the entry that is wrong is named, and what is wrong with it


STORED = json.loads(RAW)["entries"]
FOREIGN = json.loads(format.write(opened_with(b"\x33" * 16).entries))["entries"]
"""Another game of the same two keys."""
LAST = len(STORED) - 1
SWAP = str.maketrans("0123456789abcdefAB", "1032547698badcfeBA")


def named(entries: list) -> tuple[str, int | None]:
    """The class a file of stored entries is refused with, and the entry; nobody is blamed."""
    with pytest.raises(FileRefused) as caught:
        replay(format.read(as_file(entries)), open_toy)
    assert caught.value.whose is None
    return caught.value.code, caught.value.entry


def leaves(value, *path):
    if not isinstance(value, dict | list):
        yield path
        return
    for name in value if isinstance(value, dict) else range(len(value)):
        yield from leaves(value[name], *path, name)


def flipped(entry: dict, path: tuple) -> dict:
    """The entry with another letter, number or word in one place, of the same form if possible."""
    found = copy.deepcopy(entry)
    there = found
    for name in path[:-1]:
        there = there[name]
    old = there[path[-1]]
    if isinstance(old, str):
        new = f"{old[:-1]}{old[-1:].translate(SWAP)}"
        there[path[-1]] = new if new != old else f"{old[:-1]}x"
    else:
        there[path[-1]] = not old if isinstance(old, bool) else (old or 0) + 1
    return found


OF_THE_FORM = dict.fromkeys(("void", "m", "open_hands"), "E-SCHEMA") | dict.fromkeys(
    ("v", "do"), "E-VERSION"
)
"""What can be only one thing, or a power of two, is no longer of the right form."""


@pytest.mark.parametrize("at", [0, 1, 5, 8])
def test_a_change_in_any_member_names_the_entry_as_damaged(at):
    for path in leaves(STORED[at]):
        changed = [*STORED[:at], flipped(STORED[at], path), *STORED[at + 1 :]]
        assert named(changed) == (OF_THE_FORM.get(path[-1], "E-DAMAGED"), at), path


def test_an_entry_that_is_missing_doubled_or_in_the_wrong_place_is_not_damaged():
    """Entries 0 and 1 have no game yet, and that makes none of another game of the others."""
    for at in range(LAST):
        for much in range(1, LAST - at, 3):
            assert named(STORED[:at] + STORED[at + much :]) == ("E-CHAIN", at)
        assert named(STORED[: at + 1] + STORED[at:]) == ("E-CHAIN", at + 1)
        for other in range(at + 1, len(STORED), 4):
            swapped = STORED.copy()
            swapped[at], swapped[other] = swapped[other], swapped[at]
            assert named(swapped) == ("E-CHAIN", at)
    of_a_game = {**STORED[1], "payload": {**STORED[1]["payload"], "game": "1" * 64}}
    sealed = with_sum(of_a_game["payload"], ENTRIES[1].sig)
    assert named([STORED[0], format.stored(sealed), *STORED[2:]]) == ("E-GAME", 1)


@pytest.mark.parametrize("keys", ["the same", "others"])
def test_an_entry_of_another_game_is_not_called_forged(keys):
    """Whether it is signed is not even asked: only the keys of this game are known."""
    foreign = FOREIGN
    if keys == "others":
        stranger = KeyPair.from_seed(b"\x07" * 32)
        foreign = [
            format.stored(sign_entry(stranger, entry.payload))
            for entry in opened_with(b"\x33" * 16).entries
        ]
    for at in (2, 3, LAST):
        for each in foreign[2:]:
            assert named([*STORED[:at], each, *STORED[at + 1 :]]) == ("E-GAME", at)
            assert named([*STORED[:at], each, *STORED[at:]]) == ("E-GAME", at)
    assert named([STORED[0], foreign[1], *STORED[2:]]) == ("E-CHAIN", 1)


def test_a_line_that_is_cut_out_names_an_entry_or_a_line():
    """Of an entry that is whole JSON still, all that stands behind it is not looked at."""
    lines = RAW.splitlines(keepends=True)
    for at in range(0, len(lines), 13):
        begun = sum(line == b'   "payload": {\n' for line in lines[: at + 1]) - 1
        with pytest.raises(FileRefused) as caught:
            replay(format.read(b"".join(lines[:at] + lines[at + 1 :])), open_toy)
        found = caught.value
        assert found.code in ("E-DAMAGED", "E-SCHEMA") and found.whose is None
        assert found.entry in (None, begun), (at, lines[at], str(found.message))


# --- 16 digits of `prev` are stored, and nothing rests on them


def with_prev(at: int, prev: str) -> dict:
    """A stored entry with another `prev`, which its sum fits."""
    payload = {**STORED[at]["payload"], "prev": prev}
    fits = with_sum(payload, "".join(STORED[at]["sig"])).sum
    return {**STORED[at], "payload": payload, "sum": fits}


def test_what_is_stored_of_prev_is_not_what_is_signed():
    for before, entry, stored in zip((None, *ENTRIES), ENTRIES, STORED, strict=False):
        assert entry.payload["prev"] == (before.id if before else ZEROS)
        assert stored["payload"]["prev"] == entry.payload["prev"][:16]
        assert set(stored) == {"payload", "sig", "sum"}


def test_a_whole_prev_is_read_and_no_other_length():
    whole = [
        {**stored, "payload": entry.payload} for entry, stored in zip(ENTRIES, STORED, strict=True)
    ]
    assert format.write(format.read(as_file(whole))) == RAW
    for prev in ("", "0" * 15, ENTRIES[5].payload["prev"][:17], "0" * 63, "0" * 65):
        assert named([*STORED[:5], with_prev(5, prev), *STORED[6:]]) == ("E-SCHEMA", 5)


def test_a_wrong_prev_with_a_fitting_sum_is_a_wrong_place():
    right = ENTRIES[5].payload["prev"]
    for prev in ("0" * 16, ENTRIES[7].payload["prev"][:16], right[:16] + "0" * 48):
        assert named([*STORED[:5], with_prev(5, prev), *STORED[6:]]) == ("E-CHAIN", 5)


def test_entries_that_share_the_digits_are_told_apart_by_the_signature():
    """As if an author had found two such entries: the answer was signed behind one of them."""
    words = {"do": "say", "text": ["I never said that."]}
    payload = {**ENTRIES[7].payload, "steps": [*ENTRIES[7].steps, words]}
    other = sign_entry(KEYS[ENTRIES[7].by], payload)
    both = [format.stored(other), with_prev(8, other.id[:16])]
    assert named([*STORED[:7], *both, *STORED[9:]]) == ("E-FORGED", 8)
    assert named([*STORED[:7], both[0], *STORED[8:]]) == ("E-CHAIN", 8)


def test_the_form_with_ids_is_none_of_this_format():
    old = [
        {**stored, "payload": entry.payload, "id": entry.id}
        for entry, stored in zip(ENTRIES, STORED, strict=True)
    ]
    assert named(old) == ("E-SCHEMA", 0)


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
    assert "KeyError" in str(report.findings[0].problem.message)
