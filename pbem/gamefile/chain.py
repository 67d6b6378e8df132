"""Entries: payload, identity, signature, and the links from one to the next.

What is signed is DSSE's pre-authentication encoding of the canonical payload, so that the type of
the thing signed is under the signature too. The identity covers no signature: Ed25519 allows its
owner several signatures on one text, and a second one must change nothing.
"""

from __future__ import annotations

import binascii
import hashlib
from typing import Any

from pbem.gamefile import canonical
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import KeyPair, signature_holds
from pbem.value import value

PAYLOAD_TYPE = "application/vnd.pbem.entry+json; v=1"
VERSION = 1
ZEROS = "0" * 64
STATE_TAG = b"pbem1/state\n"
_STATE_DIGITS, _SUM_DIGITS = 16, 8


@value
class Entry:
    """One signed mail: the payload as plain values, its id, its signature (base64), its sum."""

    payload: dict[str, Any]
    id: str
    sig: str
    sum: str

    @property
    def seq(self) -> int:
        """Its number in the file, from 0."""
        return self.payload["seq"]

    @property
    def by(self) -> str:
        """A or B, whoever signs it."""
        return self.payload["by"]

    @property
    def steps(self) -> list[dict[str, Any]]:
        """What it says, in order; of members as `shapes.STEPS` has them, once that was checked."""
        return self.payload["steps"]


def digest(*fields: str) -> bytes:
    """H of the protocol: SHA-256 over ASCII fields with a line feed between them."""
    return hashlib.sha256("\n".join(fields).encode("ascii")).digest()


def pae(body: bytes, payload_type: str = PAYLOAD_TYPE) -> bytes:
    """DSSE's pre-authentication encoding of a body: lengths in bytes, decimal."""
    kind = payload_type.encode("ascii")
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(body), body)


def state_digest(public: str) -> str:
    """`post`: the digest (16 hex digits) of a public state, given as its canonical text.

    Every reader computes the state; the digest is only compared, never relied on, so it may be
    short.
    """
    return hashlib.sha256(STATE_TAG + public.encode("utf-8")).hexdigest()[:_STATE_DIGITS]


def check_sum(entry_id: str, sig: str) -> str:
    """`sum`: 8 hex digits over id and signature, to tell damage from forgery."""
    return digest("pbem1/sum", entry_id, sig).hex()[:_SUM_DIGITS]


def sign_entry(key: KeyPair, payload: dict[str, Any]) -> Entry:
    """The entry of a payload, signed with `key`.

    Raises FileRefused (E-CANON, E-LIMIT) when the payload is outside the domain or too large.
    """
    body = canonical.canonical(payload)
    _check_size(body)
    message = pae(body)
    entry_id = hashlib.sha256(message).hexdigest()
    sig = binascii.b2a_base64(key.sign(message), newline=False).decode("ascii")
    return Entry(payload, entry_id, sig, check_sum(entry_id, sig))


def check_digests(entry: Entry) -> bytes:
    """The bytes that are signed, after id, sum and the form of the signature are found right.

    Raises FileRefused: E-DAMAGED, E-LIMIT.
    """
    body = canonical.encoded(entry.payload)
    _check_size(body)
    message = pae(body)
    if hashlib.sha256(message).hexdigest() != entry.id or not _sum_fits(entry):
        raise FileRefused(
            "E-DAMAGED",
            "does not match its own checksum: damaged in the mail, or edited by hand; "
            "this proves nothing against anybody",
            hint="ask for the file again",
        )
    return message


def check_signature(entry: Entry, message: bytes, public: bytes) -> None:
    """Refuses an entry that `public` (32 bytes) has not signed.

    Raises FileRefused: E-DAMAGED for a signature that is no signature, E-FORGED for a wrong one.
    """
    if not signature_holds(public, _signature(entry.sig), message):
        raise FileRefused(
            "E-FORGED", f"is intact but was not signed with the key of player {entry.by}"
        )


def check_link(entry: Entry, *, seq: int, prev: str, game: str) -> None:
    """Refuses an entry that does not follow the previous one it.

    Raises FileRefused: E-GAME for an entry of another game, E-CHAIN for a missing or misplaced one.
    """
    payload = entry.payload
    if payload["game"] != game:
        raise FileRefused("E-GAME", "is signed, but belongs to another game")
    if payload["seq"] != seq or payload["prev"] != prev:
        raise FileRefused(
            "E-CHAIN",
            "a signed entry is missing or in the wrong place: this one says it is "
            f"number {payload['seq']} and does not follow the previous one it",
            hint="ask for the whole file",
        )


def _check_size(body: bytes) -> None:
    if len(body) > canonical.MAX_ENTRY_BYTES:
        raise FileRefused("E-LIMIT", f"is larger than {canonical.MAX_ENTRY_BYTES // 1024} KiB")


def _sum_fits(entry: Entry) -> bool:
    return entry.sig.isascii() and check_sum(entry.id, entry.sig) == entry.sum


def _signature(sig: str) -> bytes:
    try:
        raw = binascii.a2b_base64(sig.encode("ascii"), strict_mode=True)
    except ValueError:
        raw = b""
    written_back = binascii.b2a_base64(raw, newline=False).decode("ascii")
    if len(raw) != 64 or written_back != sig:  # stray low bits of the last letter change nothing
        raise FileRefused("E-DAMAGED", "its signature was damaged", hint="ask for the file again")
    return raw
