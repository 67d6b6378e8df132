"""Sealed lists: what binds, what is told, and every way to tell something else."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest

from pbem.gamefile import lists
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.kept import ChainPlace, StandingList
from pbem.gamefile.limits import LIST_BYTES, LIST_SIZES
from pbem.value import replace

SECRET = b"\x07" * 32
ITEMS: tuple[Any, ...] = ("0101", None, {"at": 3, "by": "n/1/2"}, None)


def sealed(items=ITEMS, seq=12) -> StandingList:
    made = lists.seal(SECRET, "plan", seq, items)
    return StandingList("A", "plan", len(items), made.c, made.box, ChainPlace(seq, 4))


def told(standing, *places, items=ITEMS, **changes):
    rows = [{**lists.shown(SECRET, "plan", 12, items, at), **changes} for at in places]
    return lists.tell(standing, {"items": rows})


def test_each_item_is_told_by_itself() -> None:
    standing, found = told(sealed(), 2)
    assert found == {"plan/12/2": '{"at":3,"by":"n/1/2"}'}
    standing, found = told(standing, 0, 1)
    assert found == {"plan/12/0": '"0101"', "plan/12/1": "null"}
    assert standing.plain()["told"] == [0, 1, 2]


@pytest.mark.parametrize("size", LIST_SIZES)
def test_every_place_of_every_size(size: int) -> None:
    items = tuple(f"item {at}" if at % 3 else None for at in range(size))
    standing = sealed(items)
    standing, found = told(standing, *range(size), items=items)
    assert len(found) == size
    assert len(standing.box) == lists.box_length(size)
    assert lists.unbox(SECRET, "plan", 12, size, standing.box) == items


@pytest.mark.parametrize(
    "changes",
    [
        {"item": "0102"}, {"item": None}, {"at": 1}, {"at": 4}, {"nonce": "00" * 32},
        {"path": []}, {"path": ["00" * 32] * 2}, {"path": ["00" * 32] * 3},
    ],
)  # fmt: skip
def test_what_was_not_sealed_is_not_told(changes: dict[str, Any]) -> None:
    with pytest.raises(FileRefused, match="is not what was sealed") as refused:
        told(sealed(), 0, **changes)
    assert (refused.value.code, refused.value.rule) == ("E-POLICY", lists.RULE)


def test_no_item_is_told_twice() -> None:
    standing, _ = told(sealed(), 0)
    for again in (lambda: told(standing, 0), lambda: told(sealed(), 1, 1)):
        with pytest.raises(FileRefused, match="was told before"):
            again()


def test_an_item_belongs_to_its_list_and_its_place() -> None:
    shown = lists.shown(SECRET, "plan", 12, ITEMS, 0)
    for standing in (
        sealed(seq=13),
        replace(sealed(), name="other"),
        replace(sealed(), c="0" * 64),
    ):
        assert not lists.fits(standing, shown)
    assert lists.fits(sealed(), shown)
    assert not lists.fits(sealed(), {**shown, "at": 1})  # an empty place is bound to its place too


def test_another_list_has_other_nonces() -> None:
    """What was shown of a list that is not sent tells nothing of the one written instead."""
    first, second = (
        lists.shown(SECRET, "plan", 12, (*items, None, None), 0)["nonce"]
        for items in (("0101", None), ("0101", "0202"))
    )
    assert first != second


def test_a_tree_of_another_size_or_with_other_places_binds_nothing() -> None:
    """A changed program can sign any root, also one over places that the list has not."""
    items = tuple(f"item {at}" for at in range(8))
    deep = StandingList("A", "plan", 4, lists.root_of(SECRET, "plan", 12, items), "",
                              ChainPlace(12, 4))  # fmt: skip
    assert not lists.fits(deep, lists.shown(SECRET, "plan", 12, items, 1))
    leaves = [lists._leaf("plan", 12, at, '"x"', "00") for at in (4, 1)]
    odd = replace(deep, size=2, c=lists._node(*leaves).hex())
    far, near = (
        {"at": at, "item": "x", "nonce": "00", "path": [beside.hex()]}
        for at, beside in ((4, leaves[1]), (1, leaves[0]))
    )
    assert lists.fits(odd, near) and not lists.fits(odd, far)


def test_a_node_is_no_item() -> None:
    """The digest of two items cannot be passed off as one of a list half as long."""
    shown = lists.shown(SECRET, "plan", 12, ITEMS, 0)
    half = replace(sealed(), size=2)
    assert not lists.fits(half, {**shown, "path": shown["path"][1:]})


def test_boxes_tell_nothing_but_their_size() -> None:
    full = tuple("x" * 40 for _ in range(4))
    assert len(sealed((None,) * 4).box) == len(sealed(full).box) == lists.box_length(4)
    with pytest.raises(FileRefused, match=f"longer than {4 * LIST_BYTES} bytes") as refused:
        sealed(("x" * 200, None, None, None))
    assert (refused.value.code, refused.value.rule) == ("E-LIMIT", lists.RULE)
    for name, seq in (("other", 12), ("plan", 13)):
        with pytest.raises(FileRefused, match="cannot be read"):
            lists.unbox(SECRET, name, seq, 4, sealed().box)
    with pytest.raises(FileRefused, match="cannot be read") as refused:
        lists.unbox(b"\x08" * 32, "plan", 12, 4, sealed().box)
    assert (refused.value.code, refused.value.rule) == ("E-POLICY", lists.RULE)


def test_places_that_mean_nothing_are_in_an_order_of_their_own() -> None:
    orders = {lists.placed(bytes([seed]) * 32, "plan", 12, ITEMS).index("0101")
              for seed in range(40)}  # fmt: skip
    assert orders == {0, 1, 2, 3}, "where an item stands tells nothing of it"
    found = lists.placed(SECRET, "plan", 12, ITEMS)
    assert sorted(map(str, found)) == sorted(map(str, ITEMS))
    assert found == lists.placed(SECRET, "plan", 12, tuple(reversed(ITEMS)))
    keys = {}
    for number, text in ((0, '"0101"'), (0, "null"), (1, "null")):
        hashed = hashlib.sha256(text.encode()).hexdigest()
        told = f"pbem1/itemorder\nplan\n12\n{number}\n{hashed}".encode()
        keys[hmac.digest(SECRET, told, "sha256")] = json.loads(text)
    assert lists.placed(SECRET, "plan", 12, ("0101", None, None)) == tuple(
        item for _, item in sorted(keys.items())
    ), "equal items are counted from 0"


def test_after_new_secrets_nothing_can_be_told() -> None:
    mine, theirs = sealed(), replace(sealed(), by="B")
    gone, kept = lists.forget_items((mine, theirs), "A")
    assert lists.in_force((gone, kept), "A", "plan/12") is None
    assert lists.in_force((gone, kept), "B", "plan/12") == theirs
    assert lists.in_force((mine,), "A", "plan/11") is None
    assert dict(lists.items_known((mine, theirs), "A", SECRET))["plan/12/1"] == "null"
    assert not dict(lists.items_known((gone,), "A", SECRET))
    assert not dict(lists.items_known((theirs,), "A", SECRET))
    assert not dict(lists.items_known((mine,), "A", b"\x08" * 32))
