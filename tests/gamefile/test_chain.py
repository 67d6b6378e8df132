"""What an entry is refused for whatever its steps say: size, signature, place, and no payload."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from pbem.gamefile import chain, format
from pbem.gamefile.canonical import MAX_ENTRY_BYTES, canonical
from pbem.gamefile.chain import Entry, sign_entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.verify import examine
from tests.gamefile.mini_game import mini_game
from tests.gamefile.players import KEYS
from tests.gamefile.toy import open_toy


def refused(call: Any, *given: Any, **named: Any) -> str:
    with pytest.raises(FileRefused) as caught:
        call(*given, **named)
    return caught.value.code


def payload_of(size: int) -> dict[str, Any]:
    """A payload of so many bytes, none of its texts too long."""
    found: dict[str, Any] = {"prev": "", "steps": ["x" * 4000] * (size // 4003 - 1)}
    left = size - len(canonical(found)) - 3
    found["steps"] += ["x" * (left // 2 - 3), "x" * (left - left // 2)]
    assert len(canonical(found)) == size
    return found


def test_an_entry_is_as_large_as_it_may_be_and_no_larger() -> None:
    chain.check_intact(sign_entry(KEYS["A"], payload_of(MAX_ENTRY_BYTES)))
    larger = payload_of(MAX_ENTRY_BYTES + 1)
    assert refused(sign_entry, KEYS["A"], larger) == "E-LIMIT"
    sig = base64.b64encode(KEYS["A"].sign(chain.pae(canonical(larger)))).decode()
    assert refused(chain.check_intact, chain.with_sum(larger, sig)) == "E-LIMIT"


@pytest.mark.parametrize("length", [0, 63, 65])
def test_what_is_no_signature_is_damage_and_no_forgery(length: int) -> None:
    entry = mini_game().entries[5]
    sig = base64.b64encode(bytes(length)).decode()
    short = chain.with_sum(entry.payload, sig)
    public = KEYS[entry.by].public
    assert refused(chain.check_signature, short, chain.pae(entry.body), public) == "E-DAMAGED"


def test_an_entry_has_its_own_number_even_behind_the_right_one() -> None:
    entries = mini_game().entries
    for number in (6, 8):
        entry = Entry({**entries[7].payload, "seq": number}, entries[7].sig, "")
        place = {"seq": 7, "prev": entries[6].id, "game": entry.payload["game"]}
        assert refused(chain.check_link, entry, **place) == "E-CHAIN"


@pytest.mark.parametrize("payload", [None, 5, "x", [], ["prev"]])
def test_a_payload_that_is_no_object_is_told_of_where_it_is(payload: Any) -> None:
    document = json.loads(format.write(mini_game().entries))
    document["entries"][3]["payload"] = payload
    (finding,) = examine(json.dumps(document).encode(), open_toy).findings
    assert (finding.problem.code, finding.entry) == ("E-SCHEMA", 3)
