"""Deputies: a second key with which somebody else may go on in a player's place.

A player names one, and may hand over the secrets of this one game in a box that only the deputy can
open. What a deputy signs is the player's, and says that a deputy wrote it. No deputy can change
keys, and none can end the game or take it back unless the player has said so.
"""

from __future__ import annotations

import binascii
import hashlib
import hmac
from typing import TYPE_CHECKING, Any

from pbem.gamefile.curve import montgomery
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.kept import Deputy
from pbem.gamefile.notes import may_be_passed_over
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.gamefile.chain import Entry
    from pbem.gamefile.keys import KeyPair
    from pbem.gamefile.machine import Machine

RULE = "deputies"
ENDS = frozenset({"draw", "void", "upgrade", "takeback"})
"""What a deputy neither offers nor accepts, unless the player has said that they may end the
game."""
TAKES = frozenset({"audit", "close"})
"""What accepts the end that a note of the other player has brought (T5)."""


def present(machine: Machine, player: str) -> Deputy | None:
    """The deputy a player has now."""
    named = [each for each in machine.keys.deputies if each.of == player]
    return named[-1] if named and named[-1].public is not None else None


def seat(machine: Machine, public: bytes) -> str | None:
    """The player whose deputy has this key now."""
    for player in machine.keys.publics:
        deputy = present(machine, player)
        if deputy is not None and deputy.public == public:
            return player
    return None


def signer(machine: Machine, entry: Entry) -> bytes:
    """The key of the deputy who says that they wrote an entry. Raises FileRefused (E-KEY)."""
    deputy = present(machine, entry.by)
    if deputy is not None and deputy.public is not None:
        return deputy.public
    before = [each for each in machine.keys.deputies if each.of == entry.by]
    why = say("player {by} has named no deputy", by=entry.by)
    if before:
        since = before[-1].entry
        rotated = any(each.entry == since for each in machine.keys.rotations)
        why = say(
            "the deputy of player {by} was withdrawn with a new key in entry {entry}"
            if rotated
            else "player {by} has withdrawn their deputy in entry {entry}",
            by=entry.by, entry=since,
        )  # fmt: skip
    raise FileRefused("E-KEY", why, rule=RULE)


# --- what a deputy may do


def check_may(machine: Machine, step: dict[str, Any]) -> None:
    """Refuses a step that only the player themselves can take. Raises FileRefused (E-TURN)."""
    entry, kind = machine.entry, step["do"]
    deputy = present(machine, entry.by)
    assert deputy is not None, "their key has signed the entry"
    if kind in ("rotate", "deputy"):
        raise changes_no_keys()
    if kind == "renew" and deputy.box is not None:
        raise _not_theirs(
            say("a deputy who was given the secrets cannot put others in their place")
        )
    if deputy.ends:
        return
    if kind in TAKES and _would_lose(machine):
        raise FileRefused(
            "E-TURN",
            say("a deputy cannot accept a claim of the game, unless the player who named them has "
                "said so"),
            rule=RULE,
            hint=say(
                "an answer passes the claim over (pbem apply GAME --pass-over); only the player "
                "who named them can accept it"
            ),
        )  # fmt: skip
    offers = machine.agreements.offers
    is_end = kind == "resign" or (kind == "offer" and step["what"] in ENDS)
    is_end |= kind == "answer" and step["yes"] and any(each.what in ENDS for each in offers)
    if is_end:
        raise _not_theirs(
            say("a deputy can neither end the game, nor take it back, nor change its rules, unless "
                "the player who named them has said so")
        )  # fmt: skip


def _would_lose(machine: Machine) -> bool:
    """Whether an end that can still be passed over is lost for the author of the open entry."""
    result = machine.terms.result
    is_open = machine.terms.phase == "over" and may_be_passed_over(machine)
    return is_open and result is not None and result["winner"] != machine.entry.by


def changes_no_keys() -> FileRefused:
    """The refusal of a deputy who would change a key, or name another deputy."""
    return _not_theirs(say("a deputy can change no keys"))


def _not_theirs(why: Any) -> FileRefused:
    hint = say("only the player who named them can do that")
    return FileRefused("E-TURN", why, rule=RULE, hint=hint)


# --- the box


def boxed(key: KeyPair, deputy: bytes, place: str, secret: bytes) -> str:
    """The secrets of one game (32 bytes) for the owner of a public key, in base64.

    `place` names the player, the context of their secrets and the entry: nothing else opens it.
    """
    sealed = _cipher(key, deputy, key.public, deputy, place).encrypt(secret, [place.encode()])
    return binascii.b2a_base64(sealed, newline=False).decode("ascii")


def unboxed(key: KeyPair, deputy: Deputy, place: str) -> bytes:
    """The secrets in the box of the deputy who has this key. Raises FileRefused (E-KEY)."""
    from cryptography.exceptions import InvalidTag

    assert deputy.public is not None
    assert deputy.box is not None
    try:
        raw = binascii.a2b_base64(deputy.box)
        cipher = _cipher(key, deputy.by, deputy.by, deputy.public, place)
        found: bytes = cipher.decrypt(raw, [place.encode()])
    except (InvalidTag, ValueError):
        found = b""
    if len(found) != 32:
        raise FileRefused(
            "E-KEY",
            say("the secrets that were handed to this deputy cannot be read"),
            rule=RULE,
            hint=say("ask the player to name you again"),
        )
    return found


def nothing_handed() -> FileRefused:
    """Why a deputy without a box can show nothing."""
    return FileRefused(
        "E-KEY",
        say("you were named as a deputy without the secrets of the game"),
        rule=RULE,
        hint=say(
            "the player may name you again with them; or your opponent can let you go on with new "
            "secrets: pbem offer GAME renew"
        ),
    )


def place_of(player: str, context: str, seq: int) -> str:
    """What a box is bound to."""
    return f"pbem1/deputy\n{player}\n{context}\n{seq}"


def _cipher(key: KeyPair, them: bytes, player: bytes, deputy: bytes, place: str) -> Any:
    """The cipher of a box: X25519 of one's own key and the other's, both made of Ed25519 keys."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    own = X25519PrivateKey.from_private_bytes(hashlib.sha512(key.seed).digest()[:32])
    shared = own.exchange(X25519PublicKey.from_public_bytes(montgomery(them)))
    root = hmac.digest(shared, f"{place}\n{player.hex()}\n{deputy.hex()}".encode(), "sha256")
    return AESSIV(hmac.digest(root, b"1", "sha256") + hmac.digest(root, b"2", "sha256"))
