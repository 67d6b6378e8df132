"""Whole games of Fog on the Ridge by two keys: what is honest passes, to the audit."""

from __future__ import annotations

import base64

import pytest

from pbem.gamefile.fold import replay
from tests.conftest import FUZZ
from tests.facedown.here import system, table
from tests.facedown.mails import audited, known, placed, random_game, tag, write
from tests.gamefile.knowledge import look_aheads
from tests.gamefile.players import steps


@pytest.mark.parametrize("seed", range(3 * FUZZ))
def test_a_whole_game_and_its_audits(seed: int) -> None:
    fold = audited(random_game(seed))
    assert not fold.is_provisional and set(fold.machine.hidden.audited) == {"A", "B"}
    assert replay(fold.entries, table).machine.post() == fold.machine.post()
    assert look_aheads(fold) == []


def test_the_open_game_hides_nothing_but_lists() -> None:
    fold = random_game(1, "noon", {"open_units": True})
    assert fold.phase == "over" and not fold.machine.hidden.decks.bound
    assert fold.is_provisional, "what was written in secret is audited too"
    assert not audited(fold).is_provisional
    assert {"list_seal", "list_tell"} <= {kind for at in range(len(fold.entries))
                                          for kind in steps(fold, at)}  # fmt: skip


def test_no_outgoing_byte_tells_a_face() -> None:
    """Names of counters that are hidden stand nowhere in the file, but in the list of the deck."""
    fold = write(placed(), "A", {"march": {"unit": "N-F1", "path": ["0103"]}}, {"halt": {}})
    fold = write(fold, "B")
    sent = [entry.body for entry in fold.entries[3:]]
    shown = {step["card"] for entry in fold.entries for step in entry.steps if step["do"] == "open"}
    assert shown == {"N-F2", "S-F1"}, "alone on an objective"
    for unit in set(system().tables.side_of) - shown:
        for told in (unit, unit.encode().hex(), base64.b64encode(unit.encode()).decode()[:-2]):
            assert not any(told.encode() in body for body in sent), unit


def test_orders_name_tags_in_their_order_and_older_tags_still_mean_the_counter() -> None:
    fold = placed()
    gun, foot = tag(fold, "A", "N-G"), tag(fold, "A", "N-F1")
    fold = write(fold, "A", {"march": {"unit": "N-F1", "path": ["0103"]}}, {"halt": {}})
    (given,) = [step["list"] for step in fold.entries[-1].steps if step["do"] == "orders"]
    assert given[0] == {"march": {"unit": foot, "path": ["0103"]}}
    assert given[1]["halt"]["zones"] == ["0103"], "what is hidden has its zone said"
    position = known(fold, "A")
    assert position.face(gun) == "N-G" and known(fold, "B").face(gun) == ""
    placing = next(s["list"][0]["place"]["units"] for s in fold.entries[4].steps
                   if s["do"] == "orders")  # fmt: skip
    assert placing == sorted(placing), "names in the order of tags tell nothing"
