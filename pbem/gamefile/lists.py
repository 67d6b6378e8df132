"""Sealed lists: what both write down in secret, of which single lines are shown later.

A list has a fixed number of places. Each item is a leaf of a binary tree whose root binds the list;
one item is shown with its nonce and the nodes beside its way to the root, and tells nothing of the
others. The copy in the file, which only its author can read, has the same length for every list of
that size.

In the game a list is like cards: its places are slots `name/entry/place`, and what is in one is the
item as canonical text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pbem.gamefile import limits
from pbem.gamefile.beacons import mac
from pbem.gamefile.canonical import canonical, text_of
from pbem.gamefile.cards import LISTS
from pbem.gamefile.chain import digest
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.kept import StandingList
from pbem.gamefile.limits import LIST_BYTES
from pbem.gamefile.policies import Sealed, decrypted, encrypted
from pbem.messages import say
from pbem.value import replace

RULE = LISTS
Step = Mapping[str, Any]


# --- what binds


def seal(secret: bytes, name: str, seq: int, items: Sequence[Any]) -> Sealed:
    """Seals a list in entry `seq`. Raises FileRefused (E-CANON, E-LIMIT)."""
    body, most = canonical({"items": list(items)}), LIST_BYTES * len(items)
    if len(body) > most:
        raise FileRefused(
            "E-LIMIT",
            say("the list {name} is longer than {most} bytes when sealed", name=name, most=most),
            rule=RULE,
        )
    box = encrypted(secret, body.ljust(most), _place(name, seq))
    return Sealed(root_of(secret, name, seq, items), box)


def unbox(secret: bytes, name: str, seq: int, size: int, box: str) -> tuple[Any, ...]:
    """The items of one's own list. Raises FileRefused (E-POLICY) where they cannot be read."""
    found = decrypted(secret, box, _place(name, seq), LIST_BYTES * size)
    items = found.get("items") if found is not None and len(found) == 1 else None
    if type(items) is not list or len(items) != size:
        raise FileRefused(
            "E-POLICY",
            say("the list {name} of entry {seq} cannot be read with this key", name=name, seq=seq),
            rule=RULE,
        )
    return tuple(items)


def box_length(size: int) -> int:
    """The letters of the box of a list with so many places."""
    return limits.box_length(LIST_BYTES * size)


def root_of(secret: bytes, name: str, seq: int, items: Sequence[Any]) -> str:
    """What binds the author to a list (hex)."""
    return _tree(secret, name, seq, _texts(items))[-1][0].hex()


def shown(secret: bytes, name: str, seq: int, items: Sequence[Any], at: int) -> dict[str, Any]:
    """An item with what proves it, as a step shows it."""
    texts = _texts(items)
    path, place = [], at
    for level in _tree(secret, name, seq, texts)[:-1]:
        path.append(level[place ^ 1].hex())
        place //= 2
    nonce = _nonce(secret, name, seq, at, _digest_of(texts))
    return {"at": at, "item": items[at], "nonce": nonce, "path": path}


def placed(secret: bytes, name: str, seq: int, items: Sequence[Any]) -> tuple[Any, ...]:
    """The items in an order that tells nothing of them, for a list whose places mean nothing."""
    counted = dict[str, int]()

    def key(text: str) -> bytes:
        counted[text] = counted.get(text, -1) + 1
        told = f"pbem1/itemorder\n{name}\n{seq}\n{counted[text]}\n{_hashed(text)}"
        return mac(secret, told)

    keyed = [(key(text), at) for at, text in enumerate(_texts(items))]
    return tuple(items[at] for _, at in sorted(keyed))


def _texts(items: Sequence[Any]) -> tuple[str, ...]:
    return tuple(text_of_item(item) for item in items)


def text_of_item(item: Any) -> str:
    """An item as the text that is in its slot."""
    return text_of(item)


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _digest_of(texts: Sequence[str]) -> str:
    return _hashed(f"[{','.join(texts)}]")


def _nonce(secret: bytes, name: str, seq: int, at: int, whole: str) -> str:
    return mac(secret, f"pbem1/itemnonce\n{name}\n{seq}\n{at}\n{whole}").hex()


def _leaf(name: str, seq: int, at: int, text: str, nonce: str) -> bytes:
    return digest("pbem1/item", name, str(seq), str(at), _hashed(text), nonce)


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"pbem1/node\n" + left + right).digest()


@lru_cache(maxsize=16)  # each item that is shown asks for it again
def _tree(secret: bytes, name: str, seq: int, texts: tuple[str, ...]) -> list[list[bytes]]:
    """The levels of the tree, the leaves first."""
    whole = _digest_of(texts)
    level = [
        _leaf(name, seq, at, text, _nonce(secret, name, seq, at, whole))
        for at, text in enumerate(texts)
    ]
    levels = [level]
    while len(level) > 1:
        level = [_node(*pair) for pair in zip(level[::2], level[1::2], strict=True)]
        levels.append(level)
    return levels


def _place(name: str, seq: int) -> str:
    return f"pbem1/list\n{name}\n{seq}"


# --- showing items


def tell(standing: StandingList, step: Step) -> tuple[StandingList, dict[str, str]]:
    """The list with the items of a step told, and these by slot, as texts.

    Raises FileRefused (E-POLICY) for an item that was told before, or does not give the root.
    """
    told, found = dict(standing.told), dict[str, str]()
    for each in step["items"]:
        at, text = each["at"], text_of_item(each["item"])
        if at in told:
            raise _refused(say("item {at} of the list was told before", at=at))
        if not fits(standing, each):
            raise _refused(say("item {at} is not what was sealed in the list", at=at))
        told[at] = found[f"{standing.slot}/{at}"] = text
    return replace(standing, told=told), found


def fits(standing: StandingList, shown: Step) -> bool:
    """Whether an item is what was sealed at its place."""
    at = shown["at"]
    if at >= standing.size or 1 << len(shown["path"]) != standing.size:
        return False
    node = _leaf(
        standing.name, standing.sent.entry, at, text_of_item(shown["item"]), shown["nonce"]
    )
    for beside in map(bytes.fromhex, shown["path"]):
        node = _node(beside, node) if at & 1 else _node(node, beside)
        at //= 2
    return node.hex() == standing.c


def _refused(message: Any) -> FileRefused:
    return FileRefused("E-POLICY", message, rule=RULE)


def forget_items(lists: Sequence[StandingList], player: str) -> tuple[StandingList, ...]:
    """The lists when a player goes on with new secrets: nothing of theirs can be told any more."""
    return tuple(replace(each, c=None) if each.by == player else each for each in lists)


def in_force(lists: Sequence[StandingList], by: str, slot: str) -> StandingList | None:
    """The list of a player with this slot (`name/entry`), if somebody can still show its items."""
    return next((one for one in lists if (one.by, one.slot) == (by, slot) and one.c), None)


def items_known(lists: Sequence[StandingList], by: str, secret: bytes) -> Iterator[tuple[str, str]]:
    """The items of all of a player's lists, by slot, as texts: their author knows them.

    A list whose box a broken program made has none.
    """
    for one in lists:
        if one.by != by or one.c is None:
            continue
        try:
            items = unbox(secret, one.name, one.sent.entry, one.size, one.box)
        except FileRefused:
            continue
        yield from ((f"{one.slot}/{at}", text_of_item(item)) for at, item in enumerate(items))
