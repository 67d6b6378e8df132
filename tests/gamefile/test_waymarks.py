"""Values of a chain that are kept between commands: the way is shorter, the values are the same,
and whoever finds one without the secret of the game has nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import pytest

from pbem.gamefile import beacons
from pbem.gamefile.beacons import AHEAD, chain_value, derive_chain
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import Waymarks
from pbem.value import replace
from tests.gamefile.players import KEYS, opened, started, write

SECRET, CONTEXT, LENGTH = b"\5" * 32, "ab" * 32, 100
VALUES = derive_chain(SECRET, "A", CONTEXT, LENGTH)


@dataclass
class Shelf(Waymarks):
    """Keeps them in memory, and counts what is derived anew."""

    kept: dict[str, bytes] = field(default_factory=dict)
    times: int = 0

    def read(self, name: str) -> bytes | None:
        return self.kept.get(name)

    def keep(self, name: str, content: bytes) -> None:
        self.kept[name] = content
        self.times += 1


def value_at(index: int, shelf: Waymarks, secret: bytes = SECRET, before: str = "") -> str:
    return chain_value(secret, "A", CONTEXT, LENGTH, 0, index, before or VALUES[index - 1], shelf)


def test_every_value_is_the_one_of_the_chain_and_few_are_derived_from_its_end() -> None:
    shelf = Shelf()
    with patch.object(beacons, "derive_chain", wraps=derive_chain) as whole:
        assert [value_at(index, shelf) for index in range(1, LENGTH + 1)] == [*VALUES[1:]]
    assert whole.call_count == -(-LENGTH // (AHEAD + 1))
    assert value_at(1, shelf) == VALUES[1], "a file from before the mark"


def test_without_the_secret_a_waymark_tells_no_value() -> None:
    shelf = Shelf()
    value_at(1, shelf)
    (content,) = shelf.kept.values()
    place, covered = json.loads(content)
    assert covered not in VALUES and place == 1 + AHEAD
    for other in (b"\6" * 32, bytes(32)):
        strange = Shelf(dict(shelf.kept))
        assert value_at(1, strange, other) == derive_chain(other, "A", CONTEXT, LENGTH)[1]
        assert list(strange.kept) == list(shelf.kept), "of another game nothing is kept there"


@pytest.mark.parametrize(
    "content",
    [b"", b"33", b'[33,"' + b"0" * 64 + b'"]', b'[0,"' + b"0" * 64 + b'"]',
     b'[999999,"' + b"0" * 64 + b'"]', b"[" * 90, b'[33,"' + b"G" * 64 + b'"]',
     b'[33,"' + b"0" * 65 + b'"]', "[\u0663,".encode() * 12, b'[-5,"' + b"0" * 64 + b'"]',
     b'[33,"' + b"0" * 64 + b'"]\n', b'[19,"' + b"0" * 64 + b'"]'],
)  # fmt: skip
def test_whatever_lies_there_instead_changes_nothing(content: bytes) -> None:
    shelf = Shelf()
    value_at(20, shelf)
    (name,) = shelf.kept
    right, shelf.kept[name] = shelf.kept[name], content
    with patch.object(beacons, "chain_step", wraps=beacons.chain_step) as steps:
        assert value_at(20, shelf) == VALUES[20] and shelf.kept[name] == right
    assert steps.call_count < AHEAD, "no way is gone that is longer than from a good one"


def test_a_key_that_does_not_lead_to_what_was_shown_keeps_nothing() -> None:
    shelf = Shelf()
    assert value_at(3, shelf, before="0" * 64) == VALUES[3]
    assert not shelf.kept


def test_a_game_goes_the_same_way_with_waymarks(seen: Any) -> None:
    shelf = Shelf()
    key = replace(KEYS["B"], waymarks=shelf)
    with patch.dict(KEYS, {"B": key}):
        fold = opened()
    seen(fold)
    assert shelf.times == 1 and fold.entries == opened().entries


def test_a_key_of_other_secrets_is_refused_with_a_waymark_too() -> None:
    shelf, fold = Shelf(), started()
    with patch.dict(KEYS, {"B": replace(KEYS["B"], waymarks=shelf)}):
        write(fold, "B")
    wrong = replace(KEYS["B"], seed=b"\x09" * 32, waymarks=shelf)
    with patch.dict(KEYS, {"B": wrong}), pytest.raises(FileRefused) as caught:
        write(fold, "B")
    assert caught.value.code == "E-KEY"
