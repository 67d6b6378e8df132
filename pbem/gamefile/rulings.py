"""Rulings of the director whom both players agreed on when the game began.

A director signs no entries. They sign a statement about one place in one game, and a player puts it
into the game: more days to answer, a deputy for a player who has fallen silent, or a result. The
director sees no hand and makes no move.
"""

from __future__ import annotations

import binascii
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.gamefile import canonical
from pbem.gamefile.chain import Entry, pae
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import KeyPair, signature_holds
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.gamefile.machine import Machine

RULE = "the director"
FORMAT = "pbem-ruling/1"
"""The file in which a ruling goes to the players."""
RULING_TYPE = "application/vnd.pbem.ruling+json; v=1"


def statement(game: str, prev: str, ruling: Mapping[str, Any]) -> bytes:
    """What a director signs: the ruling is the next entry after the one with id `prev`."""
    return pae(canonical.canonical({"game": game, "prev": prev, **ruling}), RULING_TYPE)


def extension(days: int) -> dict[str, Any]:
    """More days for what is owed now."""
    return {"what": "extend", "days": days}


def declared(winner: str | None) -> dict[str, Any]:
    """The result of the game: A or B has won, or nobody."""
    return {"what": "result", "winner": winner}


def seating(of: str, new: bytes) -> dict[str, Any]:
    """A deputy's key for the seat of a player."""
    return {"what": "deputy", "of": of, "new": new.hex()}


def result_in(entry: Entry) -> Mapping[str, Any] | None:
    """The step with which an entry brings a result of the game; None for any other entry."""
    found = (step for step in entry.steps if step["do"] == "ruling" and step["what"] == "result")
    return next(found, None)


def signed(key: KeyPair, machine: Machine, ruling: Mapping[str, Any]) -> str:
    """The director's signature of a ruling after the last entry of a game, in base64."""
    signature = key.sign(statement(machine.terms.game, machine.entry.last_id, ruling))
    return binascii.b2a_base64(signature, newline=False).decode("ascii")


def check_signed(machine: Machine, ruling: Mapping[str, Any], sig: str) -> None:
    """Checks that the director has signed a ruling for this very place.

    Raises FileRefused: E-CONSENT in a game without a director, E-KEY.
    """
    named = machine.terms.proposal.get("director")
    if named is None:
        raise FileRefused("E-CONSENT", say("the game was begun without a director"), rule=RULE)
    raw = binascii.a2b_base64(sig.encode("ascii"))
    spelt = binascii.b2a_base64(raw, newline=False).decode("ascii")
    told = statement(machine.terms.game, machine.entry.last_id, ruling)
    if spelt != sig or not signature_holds(bytes.fromhex(named), raw, told):
        raise FileRefused(
            "E-KEY",
            say("the director of this game has not signed this ruling for this place"),
            rule=RULE,
            hint=say("a ruling is for the file that the director was sent; ask for a new one"),
        )
