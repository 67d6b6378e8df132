"""A block of entries survives what mail does to it, or says what was done to it."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.gamefile import chain, format
from pbem.gamefile.errors import GROUPS, FileRefused
from pbem.mail import armour
from tests.conftest import FUZZ
from tests.gamefile.make_vectors import FOLDER, stored_block
from tests.gamefile.mini_game import mini_game
from tests.mail import mail_clients
from tests.mail.bombs import ZLIB, bomb

ENTRIES = mini_game().entries
ENTRY = ENTRIES[4:5]
BLOCK = armour.encode(ENTRY)
CASE_67 = Path(__file__).parents[1] / "golden" / "adversarial" / "67-damaged-armour.txt"
VECTORS = json.loads((FOLDER / "14-armour.json").read_text("ascii"))


def refused(text: str) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        armour.decode(text)
    return caught.value


@pytest.mark.parametrize("first, last", [(0, 0), (1, 1), (4, 4), (3, 7), (0, 11)])
def test_a_block_gives_its_entries_back(first: int, last: int):
    block = armour.decode(armour.encode(ENTRIES[first : last + 1]))
    assert (block.first, block.last, block.repairs) == (first, last, ())
    assert block.entries == ENTRIES[first : last + 1]


def test_the_layout_of_a_block():
    lines = BLOCK.split("\n")
    assert lines[0] == armour.BEGIN and lines[-2:] == [armour.END, ""]
    assert [line.partition(":")[0] for line in lines[1:5]] == ["Game", "From", "Bytes", "Digest"]
    assert lines[5] == ""
    assert all(re.fullmatch(r"[A-Za-z0-9+/=]{1,60} [0-9a-f]{4}", line) for line in lines[6:-2])
    assert BLOCK.isascii() and max(map(len, lines)) == 65
    digits = "".join(mini_game().fingerprint.split())
    assert lines[1] == f"Game: {digits}"


def test_nothing_in_a_block_is_what_mail_programs_rewrite():
    """`From ` and `.` at the beginning of a line, blanks at its end, tabs."""
    text = armour.encode(ENTRIES)
    assert not re.search(r"^(From |\.|- )|[ \t]$|\t|\r", text, re.M)


def test_a_game_that_is_not_accepted_has_no_digits_yet():
    assert "\nGame: 00000000000000000000\n" in armour.encode(ENTRIES[:1])
    digits = "".join(mini_game().fingerprint.split())
    assert f"\nGame: {digits}\n" in armour.encode(ENTRIES[1:2])


@pytest.mark.parametrize("what", mail_clients.HARMLESS)
def test_what_mail_does_to_a_block(what: str):
    text = mail_clients.HARMLESS[what](BLOCK)
    assert text != BLOCK
    assert armour.decode(text).entries == ENTRY


@pytest.mark.parametrize("what, repairs", [
    ("carriage returns", ()), ("words around", ()), ("blanks at both ends", ()),
    ("dash escape", ()), ("quoted", ("quoted reply",)),
    ("quoted-printable", ("quoted-printable",)), ("no-break spaces", ("no-break spaces",)),
    ("wrapped at 62", ("line breaks",)), ("double spacing", ("line breaks",)),
])  # fmt: skip
def test_what_was_repaired_is_told(what: str, repairs: tuple[str, ...]):
    assert armour.decode(mail_clients.HARMLESS[what](BLOCK)).repairs == repairs


@pytest.mark.parametrize("what", mail_clients.DAMAGED)
def test_damage_is_named(what: str):
    change, message = mail_clients.DAMAGED[what]
    assert change(BLOCK) != BLOCK
    found = refused(change(BLOCK))
    size = re.search(r"Bytes: (\d+)  Lines: (\d+)", change(BLOCK))
    assert size
    assert found.code == "E-TRANSPORT" and found.whose is None
    assert str(found.message) == message.format(bytes=size[1], lines=size[2])


def test_case_67_of_the_list_of_cheats_word_for_word():
    """PBEM_GOLDEN=write rewrites the text; read the difference before you commit it."""
    block = stored_block(ENTRY)
    told = ["Case 67: damaged armour"]
    for what, (change, _) in mail_clients.DAMAGED.items():
        found = refused(change(block))
        (problem,) = found.problems
        whose = "nobody's fault" if found.whose is None else f"the fault of player {found.whose}"
        told.append(f"{what}\n  {found.code}, group {found.group}, {whose}\n"
                    f"    {problem.message}\n          hint: {problem.hint}")  # fmt: skip
    text = "\n\n".join(told) + "\n"
    if os.environ.get("PBEM_GOLDEN") == "write":
        CASE_67.parent.mkdir(exist_ok=True)
        CASE_67.write_text(text, encoding="utf-8", newline="\n")
    assert text == CASE_67.read_text(encoding="utf-8")


def test_the_damaged_line_is_named_through_other_damage():
    """A reply that quotes a block with a changed letter: the letter is what counts."""
    text = mail_clients.line_of(BLOCK, 5, mail_clients.one_letter)
    for change in (mail_clients.replied_to, mail_clients.quoted_printable, mail_clients.as_html):
        assert re.fullmatch(r"line 5 of \d+ is damaged", str(refused(change(text)).message))


@pytest.mark.parametrize("by", [-2, -1, 1, 2])
def test_a_size_that_is_nearly_right(by: int):
    size = re.search(r"Bytes: (\d+)", BLOCK)
    assert size
    text = BLOCK.replace(size[0], f"Bytes: {int(size[1]) + by}")
    assert refused(text).code == "E-TRANSPORT"


def test_no_block_at_all():
    assert str(refused("Hello Ana").message).startswith("there is no block here: none begins with")


@given(st.integers(0, len(BLOCK) - 1), st.integers(0, 255))
@settings(max_examples=400 * FUZZ)
def test_a_changed_byte_is_refused_or_changes_nothing(at: int, new: int):
    raw = BLOCK.encode()
    changed = (raw[:at] + bytes([new]) + raw[at + 1 :]).decode("latin-1")
    try:
        found = armour.decode(changed)
    except FileRefused as error:
        assert error.code == "E-TRANSPORT"
    else:
        assert found.entries == ENTRY and (found.first, found.last) == (4, 4)


def test_every_letter_of_the_body_counts():
    body = BLOCK.index("\n\n") + 2
    changed = 0
    for at in range(body, BLOCK.index("\n-----END")):
        if not BLOCK[at].isspace():
            other = "0" if BLOCK[at] != "0" else "1"
            assert refused(BLOCK[:at] + other + BLOCK[at + 1 :]).code == "E-TRANSPORT"
            changed += 1
    assert changed > 500


def test_deletions_insertions_and_moved_lines(fuzz: int):
    rng = random.Random(3)
    lines = BLOCK.splitlines(keepends=True)
    accepted = 0
    for _ in range(500 * fuzz):
        at, count = rng.randrange(len(BLOCK)), rng.choice([1, 1, 2, 30, 200])
        one, two = sorted(rng.sample(range(len(lines)), 2))
        for text in (
            BLOCK[:at] + BLOCK[at + count :],
            BLOCK[:at] + rng.choice([" ", "\n", "A", "=", "\u202e", "> "]) + BLOCK[at:],
            "".join(lines[:one] + lines[one + 1 :]),
            "".join([*lines[:one], lines[two], *lines[one:two], *lines[two + 1 :]]),
        ):
            try:
                assert armour.decode(text).entries == ENTRY
                accepted += 1
            except FileRefused as error:
                assert error.code == "E-TRANSPORT"
    assert accepted


# --- blocks that were made to hurt


def frame(packed: bytes, digest: str = "", **header: object) -> str:
    text = armour.framed(packed, ENTRY)
    for name, content in header.items():
        text = re.sub(rf"(?m){name}: \d+", f"{name}: {content}", text)
    return text


def test_a_block_that_unpacks_to_a_hundred_megabytes():
    assert refused(frame(bomb(form=ZLIB))).code == "E-LIMIT"


def test_a_block_that_unpacks_to_more_than_a_block_may():
    found = refused(frame(zlib.compress(b" " * (armour.MAX_INFLATED + 1), 9)))
    assert found.code == "E-LIMIT" and "4 MiB" in str(found.message)
    at_most = refused(frame(zlib.compress(b" " * armour.MAX_INFLATED, 9)))
    assert at_most.code == "E-DAMAGED"


def test_base64_that_is_another_spelling_of_the_same_bytes():
    """Stray bits in the last letter, with check digits that fit."""
    packed = next(packed for packed in (b"x" * 10, b"x" * 13) if len(packed) % 3 == 1)
    text = frame(packed)
    row = re.search(r"(?m)^(\S+)== [0-9a-f]{4}$", text)
    assert row
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    other = letters[letters.index(row[1][-1]) + 1]
    spelt = f"{row[1][:-1]}{other}=="
    changed = text.replace(row[0], f"{spelt} {armour.line_check(1, spelt)}")
    assert str(refused(changed).message) == "line 1 of 1 is damaged"


def test_a_block_that_says_it_is_large():
    assert refused(frame(b"x" * 100, Bytes="9999999", Lines="99999")).code == "E-LIMIT"
    assert refused(frame(b"x" * 2_000_000)).code == "E-LIMIT"


@pytest.mark.parametrize("packed, code", [
    (b"not zlib", "E-TRANSPORT"), (zlib.compress(b"{}") + b"more", "E-TRANSPORT"),
    (zlib.compress(b"{}")[:-2], "E-TRANSPORT"), (zlib.compress(b"{}"), "E-SCHEMA"),
    (zlib.compress(b"[" * 100_000), "E-DAMAGED"), (zlib.compress(b"\xff"), "E-DAMAGED"),
    (zlib.compress(b'{"format":"pbem-game/2","entries":[]}'), "E-VERSION"),
])  # fmt: skip
def test_a_block_with_something_else_in_it(packed: bytes, code: str):
    assert refused(frame(packed)).code == code


def changed_content(**payload: object) -> bytes:
    document = json.loads(armour.content(ENTRY))
    document["entries"][0]["payload"].update(payload)
    return zlib.compress(json.dumps(document).encode())


def test_an_edited_entry_in_a_fresh_frame_does_not_fit_its_checksum():
    assert refused(frame(changed_content(time="now"))).code == "E-DAMAGED"


@pytest.mark.parametrize("payload", [{"seq": "4"}, {"seq": None}, {"game": 5}, {"game": "zz"}])
def test_strange_members_are_no_traceback(payload: dict[str, object]):
    document = json.loads(armour.content(ENTRY))
    entry = document["entries"][0]
    entry["payload"].update(payload)
    entry["sum"] = chain.with_sum(entry["payload"], entry["sig"]).sum
    assert refused(frame(zlib.compress(json.dumps(document).encode()))).code in GROUPS


# --- vectors


@pytest.mark.parametrize("found", VECTORS["blocks"], ids=lambda found: str(found["entries"]))
def test_the_blocks_of_the_vectors(found):
    first, last = found["entries"]
    text = "\n".join(found["text"])
    assert armour.decode(text).entries == ENTRIES[first : last + 1]
    assert armour.framed(bytes.fromhex(found["packed_hex"]), ENTRIES[first : last + 1]) == text
    packed = bytes.fromhex(found["packed_hex"])
    assert tuple(format.read(zlib.decompress(packed))) == ENTRIES[first : last + 1]


@pytest.mark.parametrize("found", VECTORS["accepted"], ids=lambda found: found["what"])
def test_the_texts_the_vectors_accept(found):
    assert armour.decode("\n".join(found["text"])).entries == ENTRY


@pytest.mark.parametrize("found", VECTORS["refused"], ids=lambda found: found["what"])
def test_the_texts_the_vectors_refuse(found):
    assert refused("\n".join(found["text"])).code == found["class"]


def test_a_second_program_reads_a_block():
    """By the specification alone, with nothing of ours."""
    import base64

    for found in VECTORS["blocks"]:
        body = found["text"][6:-2]
        for number, line in enumerate(body, start=1):
            row, check = line.split(" ")
            assert hashlib.sha256(f"{number}\n{row}".encode()).hexdigest()[:4] == check
        packed = base64.b64decode("".join(line.split(" ")[0] for line in body))
        assert found["text"][4] == f"Digest: sha256:{hashlib.sha256(packed).hexdigest()[:48]}"
        assert found["text"][3] == f"Bytes: {len(packed)}  Lines: {len(body)}"
        first, last = found["entries"]
        document = json.loads(zlib.decompress(packed))
        assert [one["payload"]["seq"] for one in document["entries"]] == [*range(first, last + 1)]
