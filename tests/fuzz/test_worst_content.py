"""Twice the entries take twice the time to verify, also when each holds all that it may.

The files are legal and honestly signed. Each entry has 16 policies, of 64 clauses and as many bytes
as they may have; at every question those that do not answer are asked first, and 60 KiB of orders
wait the whole time.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from pbem.gamefile import format, limits
from pbem.gamefile.canonical import encoded
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold
from pbem.gamefile.steps.orders import MAX_POLICIES
from pbem.gamefile.verify import examine
from tests.fuzz import test_linear
from tests.fuzz.test_linear import MOST, growth
from tests.gamefile.players import policy, started, write
from tests.gamefile.toy import Toy

ATTACK = {"attack": {"force": 1}}
without_collection = test_linear.without_collection
WHY = "x" * 3900


class Endless(Toy):
    """A duel in which nobody is ever hurt, so that it can be as long as one likes."""

    def hurt(self, player: str, by: int) -> Toy:
        return self


def open_endless(proposal: Mapping[str, Any]) -> Toy:
    return Endless()


def crammed(number: int) -> dict[str, Any]:
    """A policy of the most clauses and bytes, which is asked first and does not answer."""
    scope = {"only": [*[{}] * (limits.CLAUSES // 2), "x" * 880]}
    doc = {"slot": [{}] * (limits.CLAUSES // 2), "card": "x" * 2860}
    return {"slot": f"slot{number}", "scope": scope, "until": None, "doc": doc}


POLICIES = (policy("all", card=None, stand="hold"), *map(crammed, range(MAX_POLICIES - 1)))


@cache
def full_game(least: int) -> Fold:
    """A game of at least so many entries, each with new policies and most before waiting orders."""
    if least <= 8:
        fold = write(started(table=open_endless), "B", policies=POLICIES)
        waiting = [{"advance": {"go": True, "why": WHY}}] * 16
        return write(fold, "A", ATTACK, *waiting, policies=POLICIES)
    fold = full_game(least // 2)
    while len(fold.entries) < least:
        fold = write(fold, "B", policies=POLICIES)
        fold = write(fold, "A", ATTACK, policies=POLICIES)
    return fold


def cut(entries: int) -> bytes:
    """The beginning of such a file: so many entries."""
    return format.write(full_game(entries).entries[:entries])


def judge(raw: bytes) -> None:
    assert examine(raw, open_endless).is_good


def test_entries_hold_nearly_all_that_they_may() -> None:
    fold = full_game(16)
    with pytest.raises(FileRefused, match="more than 64 KiB of orders waiting"):
        limits.check_waiting("A", [{"a": WHY * 2}], [each.order for each in fold.given("A")])
    for player in "AB":
        assert len(fold.policies(player)) == MAX_POLICIES
    stuffed = crammed(0)
    assert len(encoded([stuffed["scope"], None])) > 0.9 * limits.SCOPE_BYTES
    assert len(encoded(stuffed["doc"])) > 0.9 * limits.DOCUMENT_BYTES
    stuffed["scope"]["only"].append({})
    with pytest.raises(FileRefused, match="more than 64 clauses"):
        limits.check_document("A", stuffed["scope"], None, stuffed["doc"])


def test_twice_the_entries_take_twice_the_time() -> None:
    assert growth(judge, lambda size: cut(3 + size), 12) < MOST
