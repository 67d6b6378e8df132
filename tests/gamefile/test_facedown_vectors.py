"""The vectors of counters face down, by our own program; the second one has a test of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay
from pbem.gamefile.without_rules import replay_without_rules
from tests.facedown.here import table
from tests.gamefile.facedown_vectors import GOOD, NEED_RULES, files

FILES = {what: (code, entries) for what, code, entries in files()}


@pytest.mark.parametrize("what", FILES)
def test_each_copy_is_refused_with_its_class(what: str) -> None:
    code, entries = FILES[what]
    if code == GOOD:
        assert replay(entries, table).machine.hidden.audited
        return
    with pytest.raises(FileRefused) as refused:
        replay(entries, table)
    assert refused.value.code == code and refused.value.entry == len(entries) - 1


@pytest.mark.parametrize("what", FILES)
def test_what_needs_no_rules_is_seen_without_them(what: str) -> None:
    code, entries = FILES[what]
    if code == GOOD or what in NEED_RULES:
        judged_without(entries)
        return
    with pytest.raises(FileRefused) as refused:
        judged_without(entries)
    assert refused.value.code == code


def judged_without(entries: list[Entry]) -> None:
    replay_without_rules(entries)


def test_the_file_has_every_copy() -> None:
    stored = json.loads(Path("schemas/vectors/25-facedown.json").read_text("utf-8"))
    assert [case["what"] for case in stored["mutations"]] == [
        what for what in FILES if what != "the sample"
    ]
