"""Two key holders and the ways to begin a toy game, for the tests of the protocol."""

from __future__ import annotations

from dataclasses import replace

from pbem.gamefile.chain import Entry, sign_entry
from pbem.gamefile.compose import Composed, Proposal, Wish, compose, propose
from pbem.gamefile.fold import Fold
from pbem.gamefile.keys import KeyPair
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.toy import open_toy

TOOL = "pbem test"
KEYS = {"A": KeyPair.from_seed(b"\x01" * 32), "B": KeyPair.from_seed(b"\x02" * 32)}
TERMS = Proposal("toy/1", "d" * 64, "duel", {"a": "red", "b": "blue"}, chain_length=64)


def proposed(terms: Proposal = TERMS, nonce: bytes = b"\x11" * 16, table=open_toy) -> Fold:
    return propose(KEYS["A"], KEYS["B"].public, terms, table, nonce=nonce, tool=TOOL).fold


def write(fold: Fold, player: str, *orders: dict, **wish) -> Fold:
    """The fold after the next entry of a player."""
    return written(fold, player, *orders, **wish).fold


def written(fold: Fold, player: str, *orders: dict, in_clear: bool = True, **wish) -> Composed:
    wanted = Wish(orders=orders, in_clear=in_clear, **wish)
    return compose(fold, KEYS[player], wanted, tool=TOOL, fresh=b"\x22" * 16)


def started(terms: Proposal = TERMS, table=open_toy) -> Fold:
    """A proposed, B accepted, A started and revealed: the opening deal waits for B."""
    return write(write(proposed(terms, table=table), "B"), "A")


def opened(terms: Proposal = TERMS, table=open_toy) -> Fold:
    """The hands are dealt; A has the first round."""
    return write(started(terms, table), "B")


SEALED = replace(TERMS, options={})


def sealed() -> Fold:
    """The duel with hidden hands, dealt and replied for; A has the first round."""
    return write(opened(SEALED, open_sealed_toy), "A", say=("Here is my deck.",))


def resigned(entry: Entry, player: str | None = None, **changes) -> Entry:
    """An entry with a changed payload, signed again by its author or another player."""
    payload = {**entry.payload, **changes}
    return sign_entry(KEYS[player or entry.by], payload)


def policy(slot: str, scope=None, until=None, **doc) -> dict:
    """Standing orders of the toy: for what the document names, unless the slot is `all`."""
    if slot != "all":
        scope = {"only": sorted(doc), **(scope or {})}
    return {"slot": slot, "scope": scope, "until": until, "doc": doc}
