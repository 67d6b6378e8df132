"""What a new key has to show that takes another's place in a game: its proof, and who gives it.

Few games have one (`rotation.py` says what it is worth afterwards).
"""

from __future__ import annotations

import binascii
from typing import TYPE_CHECKING, Any

from pbem.gamefile import canonical, deputies, rulings
from pbem.gamefile.chain import pae
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import other
from pbem.gamefile.kept import Deputy, Rotation
from pbem.gamefile.keys import KeyPair, check_public, signature_holds
from pbem.gamefile.rotation import FOR_THE_OTHER, seat
from pbem.messages import Said, say

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
    check_alone(machine)
    of = seat(by, step["signed_by"])
    if step["signed_by"] in FOR_THE_OTHER:
        _check_may_speak_for(machine, of, step["signed_by"])
    if sum(each.of == of for each in machine.keys.rotations) == MAX_ROTATIONS:
        raise FileRefused(
            "E-LIMIT",
            say("more than {max_rotations} new keys of one player", max_rotations=MAX_ROTATIONS),
        )
    old, new = machine.keys.publics[of], bytes.fromhex(step["new_pub"])
    check_claim(machine, of, seq, new, step["proof"])
    if step["signed_by"] == "director":
        rulings.check_signed(machine, rulings.seating(of, new), step["sig"])
    return Rotation(of, step["signed_by"], old, new, seq)


def check_alone(machine: Machine) -> None:
    """Raises FileRefused (E-TURN) beside other steps than words."""
    if not set(machine.entry.kinds) <= {"say"}:
        raise FileRefused(
            "E-TURN",
            say("a new key, a deputy or a ruling must come in an entry of its own, with nothing "
                "else but words"),
        )  # fmt: skip


def check_deputy(machine: Machine, step: dict[str, Any]) -> Deputy:
    """The deputy whom a `deputy` step names, or nobody.

    Raises FileRefused: E-KEY for a key that will not do, E-TURN beside other steps and where there
    is nobody to withdraw, E-LIMIT.
    """
    by, seq, named = machine.entry.by, machine.entry.seq, machine.keys.deputies
    check_alone(machine)
    if machine.terms.phase != "running":
        raise FileRefused("E-TURN", say("a deputy can be named only while the game is played"))
    present = deputies.present(machine, by)
    if step["pub"] is None:
        if present is None:
            raise FileRefused(
                "E-TURN", say("player {by} has no deputy to withdraw", by=by), rule=deputies.RULE
            )
        return Deputy(by, seq, None, machine.keys.publics[by])
    if sum(each.of == by and each.public is not None for each in named) == MAX_ROTATIONS:
        raise FileRefused(
            "E-LIMIT",
            say("more than {max_deputies} deputies of one player", max_deputies=MAX_ROTATIONS),
        )
    public = bytes.fromhex(step["pub"])
    _check_no_place(machine, by, public)
    return Deputy(
        by, seq, public, machine.keys.publics[by], step.get("secrets"), step.get("ends", False)
    )


def _check_no_place(machine: Machine, by: str, public: bytes) -> None:
    """Raises FileRefused (E-KEY) for a key that cannot be a deputy's, and says why."""
    check_public(public)
    keys, present = machine.keys, deputies.present(machine, by)
    renewed = max((each.entry for each in machine.renewals_of(by)), default=-1)
    why: Said = ""
    if public == keys.publics[by]:
        why = say("a deputy needs a key of their own, and this is the player's own")
    elif public == keys.publics[other(by)]:
        why = say("this is the key of the opponent, player {other}", other=other(by))
    elif present is not None and present.public == public and present.entry > renewed:
        why = say("this key is the deputy's already, since entry {entry}", entry=present.entry)
    elif any(each.public == public and each.of != by for each in keys.deputies):
        why = say("this key is, or was, the deputy's of player {other}, and so has seen what they "
                  "hide", other=other(by))  # fmt: skip
    elif any(each.old == public for each in keys.rotations):
        why = say("this key was retired in this game")
    elif public in keys.spares.values():
        why = say("this is a spare key in this game")
    elif public.hex() == machine.terms.proposal.get("director"):
        why = say("this is the key of the director, who sees no hand")
    if why:
        raise FileRefused(
            "E-KEY", why, rule=deputies.RULE, hint=say("name another key: pbem keygen makes one")
        )


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


def _check_may_speak_for(machine: Machine, of: str, signed_by: str) -> None:
    if of in machine.keys.spares and signed_by == "opponent":
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
    keys, director = machine.keys, machine.terms.proposal.get("director", "")
    taken = {*keys.publics.values(), *keys.spares.values(), bytes.fromhex(director)}
    taken |= {each.public for each in keys.deputies if each.public is not None}
    if new in taken | {each.old for each in keys.rotations}:
        raise FileRefused(
            "E-KEY", say("this key has, or had, another place in this game"), rule="keys"
        )


def _proves(text: str, message: bytes, public: bytes) -> bool:
    raw = binascii.a2b_base64(text.encode("ascii"))
    spelt = binascii.b2a_base64(raw, newline=False).decode("ascii")
    return spelt == text and signature_holds(public, raw, message)
