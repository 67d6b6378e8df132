"""The published vectors are what the program makes, and it judges them as they say."""

import hashlib
import hmac
import json

import pytest

from pbem.gamefile.canonical import canonical, check_domain, parse
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.verify import examine
from tests.gamefile.make_vectors import FOLDER, rebuilt, vectors, written
from tests.gamefile.mutations import GOOD
from tests.gamefile.toy import open_toy


def load(name):
    return json.loads((FOLDER / name).read_text("ascii"))


GAME = load("13-game.json")


@pytest.mark.parametrize("name, content", vectors().items(), ids=list(vectors()))
def test_vectors_are_made_again(name, content):
    assert (FOLDER / name).read_bytes() == written(content)


def test_no_vector_is_left_over():
    numbered = {path.name for path in FOLDER.glob("[0-9]*.json")}
    assert numbered == set(vectors())


def test_canonical_vectors():
    found = load("01-canonical.json")
    for one in found["accept"]:
        assert canonical(parse(one["text"].encode())).hex() == one["canonical_hex"]
    for one in found["reject"]:
        with pytest.raises(FileRefused) as caught:
            check_domain(parse(one["text"].encode()))
        assert caught.value.code == one["class"], one


@pytest.mark.parametrize(
    "found", GAME["mutations"], ids=lambda found: f"{found['case']}-{found['what'][:40]}"
)
def test_mutations(found):
    report = examine(rebuilt(found, GAME["file"]["entries"]), open_toy)
    codes = [finding.problem.code for finding in report.findings] or [GOOD]
    assert codes[0] == found["expected"]


def test_a_second_program_reads_the_game():
    """The chain of the sample game by the specification alone, with nothing of ours."""
    prev, game = "0" * 64, "0" * 64
    for number, entry in enumerate(GAME["file"]["entries"]):
        payload = entry["payload"]
        body = json.dumps(payload, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        kind = b"application/vnd.pbem.entry+json; v=1"
        raw = body.encode()
        message = b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(raw), raw)
        assert hashlib.sha256(message).hexdigest() == entry["id"] == GAME["ids"][number]
        assert (payload["prev"], payload["game"], payload["seq"]) == (prev, game, number)
        sums = "\n".join(["pbem1/sum", entry["id"], "".join(entry["sig"])]).encode()
        assert hashlib.sha256(sums).hexdigest()[:16] == entry["sum"]
        prev = entry["id"]
        game = prev if number == 1 else game
    shown = {
        (entry["payload"]["by"], step["n"]): step["x"]
        for entry in GAME["file"]["entries"]
        for step in entry["payload"]["steps"]
        if step["do"] == "reveal"
    }
    for beacon in GAME["beacons"]:
        text = f"pbem1/beacon\n{beacon['n']}\n{shown['A', beacon['n']]}\n{shown['B', beacon['n']]}"
        value = hmac.digest(bytes.fromhex(game), text.encode(), "sha256")
        assert value.hex() == beacon["value"]
