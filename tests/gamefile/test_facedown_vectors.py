"""The vectors of counters face down, by our own program; the second one has a test of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.gamefile.chain import Entry
from pbem.gamefile.decks import Epoch, Reply, check_reply
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay
from pbem.gamefile.kept import ChainPlace, StandingList
from pbem.gamefile.lists import tell
from pbem.gamefile.without_rules import check_groups, replay_without_rules
from tests.facedown.here import table
from tests.facedown.test_cheats import tags_told
from tests.gamefile.facedown_vectors import GOOD, NEED_RULES, files


def stored(name: str) -> Any:
    return json.loads(Path(f"schemas/vectors/{name}").read_text("utf-8"))


COPIES = ["the sample", *(each["what"] for each in stored("25-facedown.json")["mutations"])]


@cache
def made() -> Mapping[str, tuple[str, list[Entry]]]:
    """The code and the entries of each file: made for a test, for they take long."""
    return {what: (code, entries) for what, code, entries in files()}


@pytest.mark.parametrize("what", COPIES)
def test_each_copy_is_refused_with_its_class(what: str) -> None:
    code, entries = made()[what]
    if code == GOOD:
        assert replay(entries, table).machine.hidden.audited
        return
    with pytest.raises(FileRefused) as refused:
        replay(entries, table)
    assert refused.value.code == code and refused.value.entry == len(entries) - 1
    assert not tags_told(refused.value)


@pytest.mark.parametrize("what", COPIES)
def test_what_needs_no_rules_is_seen_without_them(what: str) -> None:
    code, entries = made()[what]
    if code == GOOD or what in NEED_RULES:
        judged_without(entries)
        return
    with pytest.raises(FileRefused) as refused:
        judged_without(entries)
    assert refused.value.code == code and not tags_told(refused.value)


def judged_without(entries: list[Entry]) -> None:
    replay_without_rules(entries)


@pytest.mark.parametrize("one", stored("23-mixes.json")["mixes"], ids=lambda one: one["what"])
def test_replies_for_a_mix(one: dict[str, Any]) -> None:
    epoch = Epoch(one["deck"], "A", one["epoch"], tuple(one["cards"]), one["m_mix"], one["n"],
                  tuple(one["groups"]))  # fmt: skip
    check_groups(epoch.deck, epoch.cards, epoch.groups)

    def judge(reply: dict[str, Any]) -> None:
        check_reply(epoch, one["commitment"], one["t"],
                    Reply(tuple(reply["leaves"]), tuple(reply["siblings"])))  # fmt: skip

    judge(one)
    for wrong in one["refused"]:
        with pytest.raises(FileRefused) as refused:
            judge(wrong)
        assert refused.value.code == "E-DECK", wrong["what"]


@pytest.mark.parametrize("wrong", stored("23-mixes.json")["groups"], ids=lambda one: one["groups"])
def test_groups_as_no_mix_has_them(wrong: dict[str, Any]) -> None:
    with pytest.raises(FileRefused) as refused:
        check_groups(wrong["deck"], wrong["cards"], wrong["groups"])
    assert refused.value.code == "E-DECK"


@pytest.mark.parametrize("one", stored("24-lists.json")["lists"], ids=lambda one: one["items"])
def test_items_of_a_list(one: dict[str, Any]) -> None:
    place = ChainPlace(one["seq"], 0)
    standing = StandingList("A", one["slot"], one["size"], one["c"], one["box"], place)
    _, found = tell(standing, {"items": one["told"]})
    assert [json.loads(item) for item in found.values()] == one["items"]
    for wrong in one["refused"]:
        with pytest.raises(FileRefused) as refused:
            tell(standing, wrong)
        assert refused.value.code == "E-POLICY", wrong["what"]


def test_the_file_has_every_copy() -> None:
    assert list(made()) == COPIES
