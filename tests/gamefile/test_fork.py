"""A fork is proven by two legal entries of one author in one place, and by nothing less."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest

from pbem.gamefile import fork, format
from pbem.gamefile.chain import with_sum
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fork import NoFork
from tests.gamefile.forks import pairs, proof
from tests.gamefile.make_vectors import FOLDER
from tests.gamefile.mini_game import mini_game
from tests.gamefile.players import KEYS, resigned
from tests.gamefile.toy import open_toy

PAIRS = list(pairs())
VECTORS = json.loads((FOLDER / "16-fork.json").read_text("ascii"))
SAMPLE = json.loads((FOLDER / "13-game.json").read_text("ascii"))["file"]["entries"]


def outcome(first, second):
    try:
        found = fork.find(first, second, open_toy)
    except NoFork as refused:
        return refused.why
    except FileRefused as refused:
        return refused.code
    return {"by": found.by, "seq": found.seq}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.what)
def test_what_two_stories_prove(pair):
    assert outcome(pair.first, pair.second) == pair.expected
    assert outcome(pair.second, pair.first) == pair.expected


@pytest.mark.parametrize("found", VECTORS["cases"], ids=lambda found: found["what"])
def test_the_vectors_are_judged_as_they_say(found):
    stories = []
    for name in ("first", "second"):
        entries = [SAMPLE[one] if isinstance(one, int) else one for one in found[name]]
        document = {"format": "pbem-game/1", "entries": entries}
        stories += fork.stories(json.dumps(document).encode())
    assert outcome(*stories) == found["expected"]


def test_a_proof_holds_what_it_proves():
    found = proof()
    assert found.key == KEYS["A"].public and found.game == mini_game().game
    assert found.first.payload["prev"] == found.second.payload["prev"] == found.common[-1].id
    assert [entry.seq for entry in found.common] == [0, 1, 2, 3]
    for entries in (found.common, found.first, found.second):
        assert KEYS["A"].seed.hex() not in str(entries)


def test_another_signature_on_the_same_words_is_no_second_story():
    base = mini_game().entries
    other = resigned(base[-1])
    signed_again = type(other)(other.payload, base[-3].sig, "0" * 8)
    assert outcome(base, (*base[:-1], signed_again)) == "same"


@pytest.mark.parametrize("spoilt", ["A", "B"])
def test_a_spoilt_signature_in_one_of_the_files_saves_nobody(spoilt: str) -> None:
    """An id covers no signature: the part both share is taken from the file where it verifies."""
    convicted = proof()
    at = max(n for n, entry in enumerate(convicted.common) if entry.by == spoilt)
    bad = list(convicted.common)
    bad[at] = with_sum(bad[at].payload, b64encode(b"\1" * 64).decode())
    honest = (*convicted.common, *convicted.lines[0])
    theirs = (*bad, *convicted.lines[1])
    for pair in ((honest, theirs), (theirs, honest)):
        assert fork.find(*pair, open_toy).by == convicted.by
    both = (*bad, *convicted.lines[0]), theirs
    with pytest.raises(FileRefused, match="was not signed"):
        fork.find(*both, open_toy)


def test_a_proof_is_a_file_that_proves_itself():
    found = proof()
    first, second = fork.stories(found.bytes())
    assert fork.find(first, second, open_toy) == found
    assert found.bytes() == fork.find(first, second, open_toy).bytes()
    accept = next(pair for pair in PAIRS if pair.case == 77)
    accepted = fork.find(accept.first, accept.second, open_toy)
    assert accepted.game is None
    first, second = fork.stories(accepted.bytes())
    assert fork.find(first, second, open_toy) == accepted
    assert VECTORS["proof"] == found.plain()
    over_a_note = proof("words answered, and denied")
    assert VECTORS["proof_over_a_note"] == over_a_note.plain()
    assert [len(line) for line in over_a_note.lines] == [2, 1]
    first, second = fork.stories(over_a_note.bytes())
    assert fork.find(first, second, open_toy) == over_a_note


def test_a_game_file_tells_one_story():
    base = mini_game().entries
    assert fork.stories(format.write(base)) == (base,)


@pytest.mark.parametrize("changes", [
    {"by": "B"}, {"seq": 3}, {"seq": "4"}, {"game": None}, {"game": "0" * 64}, {"common": []},
    {"common": 1}, {"common": [1]}, {"common": proof().plain()["common"][:-1]}, {"lines": []},
    {"lines": None}, {"more": 1}, {"entries": []}, {"lines": [1, 2]}, {"lines": [[], []]},
    {"lines": [[{"payload": 1, "sig": "x", "sum": "0" * 8}]] * 2},
])  # fmt: skip
def test_a_proof_that_says_otherwise_than_its_entries(changes):
    raw = json.dumps(proof().plain() | changes).encode()
    with pytest.raises(FileRefused) as caught:
        fork.stories(raw)
    assert caught.value.code in ("E-SCHEMA", "E-DAMAGED")


def test_a_proof_with_a_part_missing_or_cut_off():
    plain = proof().plain()
    for name in plain:
        raw = json.dumps({key: value for key, value in plain.items() if key != name}).encode()
        with pytest.raises(FileRefused):
            fork.stories(raw)
    with pytest.raises(FileRefused) as caught:
        fork.stories(proof().bytes()[:2000])
    assert caught.value.code == "E-DAMAGED"
    deep = b'{"format": "pbem-fork/1", "common": ' + b"[" * 5000 + b"]" * 5000 + b"}"
    with pytest.raises(FileRefused):
        fork.stories(deep)


def test_one_entry_twice_or_an_altered_one_is_no_proof():
    plain = proof().plain()
    same = {**plain, "lines": [plain["lines"][0]] * 2}
    with pytest.raises(FileRefused) as caught:
        fork.stories(json.dumps(same).encode())
    assert "its two lines do not diverge where it says" in str(caught.value.message)
    text = json.dumps(plain).replace('"tool": "pbem test"', '"tool": "pbem tset"')
    with pytest.raises(FileRefused) as caught:
        fork.stories(text.encode())
    assert (caught.value.code, caught.value.entry) == ("E-DAMAGED", 0)
