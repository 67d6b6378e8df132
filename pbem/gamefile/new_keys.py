"""What a new key has to show that takes another's place in a game: its proof, and who gives it.

Few games have one (`rotation.py` says what it is worth afterwards).
"""

from __future__ import annotations

import binascii
from typing import TYPE_CHECKING, Any

from pbem.gamefile import canonical
from pbem.gamefile.chain import pae
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.kept import Rotation
from pbem.gamefile.keys import KeyPair, check_public, signature_holds
from pbem.gamefile.rotation import seat
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.gamefile.machine import Machine

PROOF_TYPE = "application/vnd.pbem.rotate+json; v=1"
MAX_ROTATIONS = 8  # of one player in one game

# --- the proof


def statement(game: str, seq: int, old: bytes, new: bytes) -> bytes:
    """What the new key signs: it takes the place of `old` in entry `seq` of this one game."""
    told = {"game": game, "seq": seq, "old": old.hex(), "new": new.hex()}
    return pae(canonical.canonical(told), PROOF_TYPE)


def proof(new: KeyPair, game: str, seq: int, old: bytes) -> str:
    """The proof of a new key, in base64."""
    signature = new.sign(statement(game, seq, old, new.public))
    return binascii.b2a_base64(signature, newline=False).decode("ascii")


# --- what is asked of a new key


def check_rotation(machine: Machine, step: dict[str, Any]) -> Rotation:
    """The rotation a `rotate` step makes.

    Raises FileRefused: E-KEY for a key or a proof that will not do, E-CONSENT for a rotation by the
    opponent that the file does not allow, E-TURN beside other steps, E-LIMIT.
    """
    by, seq = machine.entry.by, machine.entry.seq
    if not set(machine.entry.kinds) <= {"say"}:
        raise FileRefused(
            "E-TURN", say("a new key must come in an entry of its own, with nothing else but words")
        )
    of = seat(by, step["signed_by"])
    if step["signed_by"] == "opponent":
        _check_may_speak_for(machine, of)
    if sum(each.of == of for each in machine.keys.rotations) == MAX_ROTATIONS:
        raise FileRefused(
            "E-LIMIT",
            say("more than {max_rotations} new keys of one player", max_rotations=MAX_ROTATIONS),
        )
    old, new = machine.keys.publics[of], bytes.fromhex(step["new_pub"])
    check_claim(machine, of, seq, new, step["proof"])
    return Rotation(of, step["signed_by"], old, new, seq)


def check_claim(machine: Machine, of: str, seq: int, new: bytes, proof: str) -> None:
    """Checks that a new key may have the place of a player's, in entry `seq`, and has signed for
    it.

    Raises FileRefused (E-KEY).
    """
    check_new(machine, new)
    if not _proves(proof, statement(machine.terms.game, seq, machine.keys.publics[of], new), new):
        raise FileRefused(
            "E-KEY",
            say(
                "the new key has not signed that it replaces the old one in this entry of this game"
            ),
            rule="keys",
        )


# --- checks


def _check_may_speak_for(machine: Machine, of: str) -> None:
    if of in machine.keys.spares:
        raise FileRefused(
            "E-CONSENT",
            say("player {of} has named a spare key: nobody else can give them a new key", of=of),
            rule="keys",
        )
    if not machine.entry.side:  # in turn, the other may owe the same
        raise FileRefused(
            "E-CONSENT",
            say(
                "player {of} does not have to write now, so nothing shows that their key is lost",
                of=of,
            ),
            rule="keys",
            hint=say("the opponent may name a new key only while player {of} must write", of=of),
        )


def check_new(machine: Machine, new: bytes) -> None:
    """Checks that a key may be a new one in a game: sound, and nobody's there. Raises FileRefused
    (E-KEY).
    """
    check_public(new)
    taken = {*machine.keys.publics.values(), *machine.keys.spares.values()}
    if new in taken | {each.old for each in machine.keys.rotations}:
        raise FileRefused(
            "E-KEY", say("this key has, or had, another place in this game"), rule="keys"
        )


def _proves(text: str, message: bytes, public: bytes) -> bool:
    raw = binascii.a2b_base64(text.encode("ascii"))
    spelt = binascii.b2a_base64(raw, newline=False).decode("ascii")
    return spelt == text and signature_holds(public, raw, message)
