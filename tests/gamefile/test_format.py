"""The writer's layout, free text in lines, and the short ways of reading and writing again."""

import json

import pytest

from pbem.gamefile import canonical, contacts, fork, format
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay, resume
from tests.gamefile.mini_game import mini_game
from tests.gamefile.players import opened, write
from tests.gamefile.toy import open_toy


def test_the_layout_of_a_written_file():
    raw = format.write(mini_game().entries)
    lines = raw.decode("ascii").splitlines()
    assert lines[0] == "{" and lines[1] == ' "entries": [' and raw.endswith(b"}\n")
    assert raw.startswith(format.HEAD) and raw.endswith(format.TAIL)
    assert b"\r" not in raw and b"\t" not in raw
    stored = json.loads(raw)["entries"]
    assert all(list(map(len, entry["sig"])) == [44, 44] for entry in stored)
    assert all(list(entry) == sorted(entry) for entry in stored)


def test_free_text_in_lines():
    text = "A long line " * 12 + "\n\nand\ta \x1b[31mshort\x1b[0m one \u202e\u00e9"
    lines = format.lines(text)
    assert max(map(len, lines)) <= 60
    assert "" in lines and not any("\x1b" in line or "\u202e" in line for line in lines)
    assert " ".join(lines).startswith("A long line A long line")
    assert lines[-1].endswith("one \u00e9")
    fold = write(opened(), "B", say=tuple(lines))
    assert format.read(format.write(fold.entries)) == list(fold.entries)


def test_the_signature_may_be_stored_as_one_text():
    document = json.loads(format.write(mini_game().entries))
    for entry in document["entries"]:
        entry["sig"] = "".join(entry["sig"])
    assert tuple(format.read(json.dumps(document).encode())) == mini_game().entries


def test_a_file_is_extended_to_the_bytes_it_would_be_written_with():
    entries = mini_game().entries
    whole = format.write(entries)
    for known in range(1, 13):
        beginning = format.write(entries[:known]).removesuffix(format.TAIL)
        assert format.extended(beginning, known, entries) == whole
    assert format.extended(b"", 0, entries) == whole


def test_the_first_id_is_known_from_the_beginning_of_a_file():
    entries = mini_game().entries
    whole = format.write(entries)
    end = len(format.write(entries[:1])) - len(format.TAIL)
    assert format.first_id(whole) == format.first_id(whole[:end]) == entries[0].id
    changed = whole.replace(b'"by": "A"', b'"by": "B"', 1)
    wild = [format.HEAD + each + format.ENTRY_ENDS for each in (b"[" * 9, b"1", b"[" * 9000)]
    for other in (b"", format.HEAD, whole[: end - 1], whole[1:], changed, *wild):
        assert format.first_id(other) is None, other[:100]


@pytest.mark.parametrize(
    ("document", "code", "message"),
    [
        ([], "E-SCHEMA", "this is not a game file"),
        ({}, "E-SCHEMA", "this is not a game file: it does not name the format"),
        ({"format": 1}, "E-SCHEMA", "this is not a game file: it does not name the format"),
        ({"format": "other/2"}, "E-SCHEMA", "this is not a game file: it does not name the format"),
        ({"format": "pbem-game/2"}, "E-VERSION",
         "the format is 'pbem-game/2' and needs a newer pbem"),
        ({"format": "pbem-game/1"}, "E-SCHEMA",
         "a game file has only the members 'format' and 'entries'"),
        ({"format": "pbem-game/1", "entries": {"a": 1}}, "E-SCHEMA",
         "a game file has only the members 'format' and 'entries'"),
        ({"format": "pbem-game/1", "entries": [], "more": 1}, "E-SCHEMA",
         "a game file has only the members 'format' and 'entries'"),
        ({"format": "pbem-game/1", "entries": []}, "E-SCHEMA", "the file has no entries"),
    ],
)  # fmt: skip
def test_what_is_no_game_file_is_told_why(document, code, message):
    with pytest.raises(FileRefused) as caught:
        format.read(json.dumps(document).encode())
    assert (caught.value.code, str(caught.value.message)) == (code, message)


def test_an_entry_that_begins_no_game_is_told_of_as_the_first():
    with pytest.raises(FileRefused) as caught:
        format.check_begins(mini_game().entries[1])
    assert (caught.value.code, caught.value.entry) == ("E-CHAIN", 0)


def test_a_packed_file_may_be_as_long_as_one_that_is_not():
    with pytest.raises(FileRefused, match="larger than 32 MiB"):
        format.inflated(b"\x1f\x8b" + bytes(format.MAX_COMPRESSED))


def test_a_file_is_known_as_the_beginning_of_another_byte_by_byte():
    entries = mini_game().entries
    whole, part = format.write(entries), format.write(entries[:5])
    for count in range(1, len(entries) + 1):
        assert format.entries_alike(format.write(entries[:count]), whole) == count
    known = part.removesuffix(format.TAIL)
    within = whole.index(b",", len(known) + 9)
    for other in (b"", known, known + b"\n", part[:-1] + b" ", whole[:within] + format.TAIL,
                  known.replace(b"luck", b"Luck") + format.TAIL):  # fmt: skip
        assert format.entries_alike(other, whole) == 0


def test_what_stands_behind_the_known_part_goes_on_as_a_file_does():
    entries = mini_game().entries
    whole, known = format.write(entries), format.write(entries[:5]).removesuffix(format.TAIL)
    assert format.read_behind(whole, len(known), entries[:5]) == list(entries[5:])
    for other in (b" " + whole, whole[: len(known)] + b" " + whole[len(known) :]):
        with pytest.raises(FileRefused) as caught:
            format.read_behind(other, len(known) + (other[:1] == b" "), entries[:5])
        assert caught.value.code == "E-DAMAGED"


def test_going_on_from_a_verified_state_is_the_same_as_folding_all():
    entries = mini_game().entries
    known = replay(entries[:7], open_toy)
    fold = resume(entries, known.machine, 7)
    assert fold.machine.public_state() == mini_game().machine.public_state()
    assert fold.journal[7:] == mini_game().journal[7:]
    assert fold.journal[:7] == ((),) * 7
    assert known.machine.public_state() == replay(entries[:7], open_toy).machine.public_state()


def test_an_entry_knows_its_payload():
    entry = mini_game().entries[5]
    assert isinstance(entry, Entry) and (entry.seq, entry.by) == (5, "B")
    assert [step["do"] for step in entry.steps] == ["react", "reveal", "say"]


@pytest.mark.parametrize("read", [format.read, fork.stories, contacts.read])
def test_a_file_of_more_values_than_fit_into_one_is_not_parsed(read, monkeypatch):
    """Ten packed kilobytes of brackets took a gigabyte and eight seconds."""
    many = canonical.MAX_VALUES // 2
    monkeypatch.setattr(canonical.json, "loads", lambda *_, **__: pytest.fail("it is parsed"))
    with pytest.raises(FileRefused) as caught:
        read(b'{"entries":[%b[]],"format":"pbem-game/1"}' % (b"[]," * many))
    assert caught.value.code == "E-LIMIT"
    assert str(caught.value.message) == "the file has more values than a game can have"


def test_what_is_said_in_a_text_is_no_value(monkeypatch):
    monkeypatch.setattr(canonical, "MAX_VALUES", 8)
    canonical.parse(rb'{"entries":["%b",0]}' % (rb",[{:\"\\" * 20))
    with pytest.raises(FileRefused):
        canonical.parse(rb'{"entries":["%b",0,0,0,[{}]]}' % (rb",[{:\"\\" * 20))


@pytest.mark.parametrize("value", [[], {}, {"a": 0}, {"a": [0, 0]}, 0, [[]], [{"a": []}, {"b": 1}]])
def test_the_smallest_values_take_as_many_bytes_as_they_are_counted_for(value):
    said = {"entries": [{"payload": {"steps": [{"list": [value] * 500}]}}]}
    tight = json.dumps(said, separators=(",", ":"))
    counted = sum(map(tight.count, ",:[{"))
    assert len(format.laid_out(said)) > format.MAX_BYTES // canonical.MAX_VALUES * counted
