"""Entries: payload, identity, signature, and the links from one to the next.

The signature covers DSSE's pre-authentication encoding of the canonical payload, so it also covers
the type of what is signed. The identity does not cover the signature: with Ed25519 an owner can
make several signatures of one text, and a second one must change nothing.

The signed payload names the previous entry by its whole id, the stored one by the first digits of
it. These are enough to tell an entry in the wrong place from a damaged one: every reader computes
the ids, and inserts the whole one before anything else is judged.
"""

from __future__ import annotations

import binascii
import hashlib
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from pbem.gamefile import canonical
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import KeyPair, signature_holds
from pbem.messages import say
from pbem.value import value

PAYLOAD_TYPE = "application/vnd.pbem.entry+json; v=1"
VERSION = 1
ZEROS = "0" * 64
STATE_TAG = b"pbem1/state\n"
LINK_DIGITS = 16
"""How much of `prev` is stored: it detects accidents, and the chain relies on the whole id."""
_STATE_DIGITS, _SUM_DIGITS = 16, 8


@value
class Entry:
    """One signed mail: the payload as plain values, its signature (base64), its sum.

    `prev` of the payload is whole, as it was signed. If the previous entry is not the one it names,
    it is only as long as it was stored.
    """

    payload: dict[str, Any]
    sig: str
    sum: str

    @cached_property
    def body(self) -> bytes:
        """The canonical bytes of the payload."""
        return canonical.encoded(self.payload)

    @cached_property
    def stored_body(self) -> bytes:
        """The canonical bytes of the payload as it is stored."""
        stored = as_stored(self.payload)
        if stored is self.payload:
            return self.body
        whole, kept = (b'"prev":"%s"' % each["prev"].encode() for each in (self.payload, stored))
        if self.payload["prev"].isalnum() and self.body.count(whole) == 1:
            return self.body.replace(whole, kept)  # the two differ in nothing else
        return canonical.encoded(stored)

    @cached_property
    def id(self) -> str:
        """64 hex digits: the digest of what is signed."""
        return hashlib.sha256(pae(self.body)).hexdigest()

    @property
    def seq(self) -> int:
        """Its number in the file, from 0."""
        return self.payload["seq"]

    @property
    def by(self) -> str:
        """The player who signs it, A or B."""
        return self.payload["by"]

    @property
    def steps(self) -> list[dict[str, Any]]:
        """Its steps, in order; their members are those of `shapes.STEPS` once that was checked."""
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


def as_stored(payload: dict[str, Any]) -> dict[str, Any]:
    """A payload as a file has it: with no more of `prev` than LINK_DIGITS."""
    prev = payload.get("prev") if type(payload) is dict else None
    return {**payload, "prev": prev[:LINK_DIGITS]} if type(prev) is str else payload


def linked(payload: dict[str, Any], before: str) -> dict[str, Any]:
    """A payload as it was signed, if it was signed after the entry with the id `before`.

    Otherwise, and if `prev` was stored whole, it is unchanged.
    """
    if type(payload) is dict and payload.get("prev") == before[:LINK_DIGITS]:
        return {**payload, "prev": before}
    return payload


def check_sum(stored_body: bytes, sig: str) -> str:
    """`sum`: 8 hex digits over payload and signature as they are stored.

    It tells damage from forgery, and needs no other entry for it.
    """
    content = hashlib.sha256(stored_body).hexdigest()
    return digest("pbem1/sum", content, sig).hex()[:_SUM_DIGITS]


def with_sum(payload: dict[str, Any], sig: str) -> Entry:
    """The entry of a payload and a signature."""
    return Entry(payload, sig, check_sum(canonical.encoded(as_stored(payload)), sig))


def sign_entry(key: KeyPair, payload: dict[str, Any]) -> Entry:
    """The entry of a payload, signed with `key`.

    Raises FileRefused (E-CANON, E-LIMIT) when the payload is outside the domain or too large.
    """
    body = canonical.canonical(payload)
    _check_size(body)
    sig = binascii.b2a_base64(key.sign(pae(body)), newline=False).decode("ascii")
    return with_sum(payload, sig)


def check_intact(entry: Entry) -> None:
    """Refuses an entry that does not fit its own sum, wherever it is.

    Raises FileRefused: E-DAMAGED, E-LIMIT.
    """
    _check_size(entry.body)
    if not entry.sig.isascii() or check_sum(entry.stored_body, entry.sig) != entry.sum:
        raise FileRefused(
            "E-DAMAGED",
            say(
                "does not match its own checksum: damaged in the mail, or edited by hand; "
                "this proves nothing against anybody"
            ),
            hint=say("ask for the file again"),
        )


def check_all_intact(entries: Iterable[Entry]) -> None:
    """Refuses entries with the place of the first that does not fit its own sum.

    The entries begin with the first of a game. Raises FileRefused: E-DAMAGED, E-LIMIT.
    """
    for number, entry in enumerate(entries):
        try:
            check_intact(entry)
        except FileRefused as refused:
            raise refused.placed(entry=number) from None


def check_signature(entry: Entry, message: bytes, public: bytes) -> None:
    """Refuses an entry that `public` (32 bytes) has not signed.

    Raises FileRefused: E-DAMAGED for a signature that is no signature, E-FORGED for a wrong one.
    """
    if not signature_holds(public, _signature(entry.sig), message):
        raise not_signed(entry)


def not_signed(entry: Entry) -> FileRefused:
    """The refusal of an entry that its author's key has not signed."""
    told = (
        "is intact but was not signed with the key of the deputy of player {by}"
        if "as" in entry.payload
        else "is intact but was not signed with the key of player {by}"
    )
    return FileRefused("E-FORGED", say(told, by=entry.by))


def check_link(entry: Entry, *, seq: int, prev: str, game: str) -> None:
    """Refuses an entry that does not follow the one before it.

    Raises FileRefused: E-GAME for an entry of another game, E-CHAIN for a missing or misplaced one.
    """
    payload = entry.payload
    # Entries 0 and 1 have no game, so only those behind them can be of another one.
    if payload["game"] != game and (payload["seq"] > 1) == (seq > 1):
        raise FileRefused("E-GAME", say("belongs to another game"))
    if payload["seq"] != seq or payload["prev"] != prev:
        raise FileRefused(
            "E-CHAIN",
            say(
                "an entry is missing or in the wrong place: this one says it is number "
                "{seq} and does not follow the one before it",
                seq=payload["seq"],
            ),
            hint=say("ask for the whole file"),
        )


def _check_size(body: bytes) -> None:
    if len(body) > canonical.MAX_ENTRY_BYTES:
        raise FileRefused(
            "E-LIMIT",
            say(
                "is larger than {max_entry_bytes} KiB",
                max_entry_bytes=canonical.MAX_ENTRY_BYTES // 1024,
            ),
        )


def _signature(sig: str) -> bytes:
    try:
        raw = binascii.a2b_base64(sig.encode("ascii"), strict_mode=True)
    except ValueError:
        raw = b""
    written_back = binascii.b2a_base64(raw, newline=False).decode("ascii")
    if len(raw) != 64 or written_back != sig:  # stray low bits of the last letter change nothing
        raise FileRefused(
            "E-DAMAGED", say("its signature was damaged"), hint=say("ask for the file again")
        )
    return raw
