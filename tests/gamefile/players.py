"""Two key holders and the ways to begin a toy game, for the tests of the protocol."""

from __future__ import annotations

from typing import Any

from pbem.gamefile import beacons
from pbem.gamefile.chain import ZEROS, Entry, sign_entry
from pbem.gamefile.compose import Composed, Proposal, Wish, compose, propose
from pbem.gamefile.draft import Draft
from pbem.gamefile.entry import begin_entry, end_entry, take_step
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, after
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.records import outcomes
from pbem.gamefile.secrets import Secrets
from pbem.gamefile.shapes import check_step
from pbem.value import replace
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.toy import open_toy

TOOL = "pbem test"
KEYS = {"A": KeyPair.from_seed(b"\x01" * 32), "B": KeyPair.from_seed(b"\x02" * 32)}
NONCE = b"\x53" * 16
"""The dice it brings take the games of the vectors where they are to go."""
TERMS = Proposal("toy/1", "d" * 64, "duel", {"a": "red", "b": "blue"}, {"open_hands": True}, 64)


def proposed(terms: Proposal = TERMS, nonce: bytes = NONCE, table=open_toy) -> Fold:
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


def tried(fold: Fold, player: str, steps: list[dict[str, Any]]) -> Fold:
    """The fold with an entry of any steps, as a modified tool would sign it.

    Its digest is made right. Raises what the rules say.
    """
    return after(fold, entry_of(fold, player, steps, post_of(fold, player, steps)))


def forge(fold: Fold, player: str, steps: list[dict[str, Any]]) -> Entry:
    """An entry of any steps on top of a fold, well signed and well linked.

    Its digest is right where the rules allow the steps; elsewhere there is none that would be.
    """
    try:
        post = post_of(fold, player, steps)
    except FileRefused:
        post = ZEROS[:16]
    return entry_of(fold, player, steps, post)


def post_of(fold: Fold, player: str, steps: list[dict[str, Any]]) -> str:
    """The digest of the state behind an entry of these steps. Raises what the rules say."""
    machine = begin_entry(fold.machine, player)
    for step in steps:
        check_step(step)
        machine = take_step(machine, step)
    return end_entry(machine).post()


def entry_of(fold: Fold, player: str, steps: list[dict[str, Any]], post: str) -> Entry:
    """A signed entry of any steps behind a fold."""
    seq = len(fold.entries)
    game = fold.machine.terms.game
    payload = {
        "v": 1, "game": game if seq > 1 else ZEROS, "seq": seq, "prev": fold.head,
        "by": player, "steps": steps, "post": post, "tool": TOOL,
    }  # fmt: skip
    return sign_entry(KEYS[player], payload)


def value(player: str, number: int, fold: Fold) -> str:
    """A player's value of a beacon, from the key of their present secrets."""
    machine, length = fold.machine, fold.machine.chain_length
    secret = Secrets.in_game(machine, KEYS[player], player).game
    chain, index = machine.place_in_chain(player, number)
    context = machine.keys.contexts[player]
    return beacons.derive_chain(secret, player, context, length, chain)[index]


def reveal(fold: Fold, player: str, number: int) -> dict[str, Any]:
    """The step that shows a value."""
    return {"do": "reveal", "n": number, "x": value(player, number, fold)}


def resigned(entry: Entry, player: str | None = None, **changes) -> Entry:
    """An entry with a changed payload, signed again by its author or another player."""
    payload = {**entry.payload, **changes}
    return sign_entry(KEYS[player or entry.by], payload)


def steps(fold: Fold, entry: int = -1) -> list[str]:
    """The kinds of the steps of an entry, the last one unless told."""
    return [step["do"] for step in fold.entries[entry].steps]


def policy(slot: str, scope=None, until=None, **doc) -> dict:
    """Standing orders of the toy: for what the document names, unless the slot is `all`."""
    if slot != "all":
        scope = {"only": sorted(doc), **(scope or {})}
    return {"slot": slot, "scope": scope, "until": until, "doc": doc}


def closed(fold: Fold, player: str) -> Fold:
    """The fold after a player has repeated the result behind the end, whoever still owes what."""
    draft = Draft(fold.machine, player, KEYS[player])
    audits = outcomes(draft.machine)
    draft.add({"do": "close", "result": dict(fold.result or {}), "audits": audits})
    return after(fold, draft.sign(TOOL, None))
