"""Sealed standing orders: a commitment all can hold against the document later, and a copy in the
file that only its author can read.

The document is bound by a salted digest, so that a short one cannot be guessed. The copy is locked
with AES-SIV, which forgives a nonce used twice: the same document for the same place gives the same
bytes, and a stateless tool cannot promise more.
"""

from __future__ import annotations

import binascii
import hashlib
from collections.abc import Mapping
from typing import Any

from pbem.gamefile.beacons import mac
from pbem.gamefile.canonical import canonical, parse
from pbem.gamefile.chain import digest
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.limits import DOCUMENT_BYTES
from pbem.value import value


@value
class Sealed:
    """A sealed document as a policy step holds it: commitment (hex) and box (base64)."""

    c: str
    box: str


def seal(secret: bytes, slot: str, seq: int, doc: Mapping[str, Any]) -> Sealed:
    """Seals a document for entry `seq`. Raises FileRefused (E-CANON, E-LIMIT) for a wild one."""
    body = canonical(dict(doc))
    if len(body) > DOCUMENT_BYTES:
        raise FileRefused(
            "E-LIMIT", f"standing orders {slot} are longer than {DOCUMENT_BYTES} bytes when sealed",
            hint="split them over several slots",
        )  # fmt: skip
    c = commitment(slot, seq, salt_of(secret, slot, seq, doc), doc)
    locked = _cipher(secret).encrypt(body, [_bound_to(slot, seq)])
    return Sealed(c, binascii.b2a_base64(locked, newline=False).decode("ascii"))


def unbox(secret: bytes, slot: str, seq: int, box: str) -> dict[str, Any]:
    """The document in one's own box.

    Raises FileRefused (E-POLICY) when it is not one's own, or was made by a broken program.
    """
    from cryptography.exceptions import InvalidTag

    try:
        locked = binascii.a2b_base64(box.encode("ascii"), strict_mode=True)
        body = _cipher(secret).decrypt(locked, [_bound_to(slot, seq)])
        doc = parse(body)
        if canonical(doc) != body:
            raise FileRefused("E-CANON", "a box holds the canonical bytes of a document")
    except (InvalidTag, ValueError, FileRefused):
        raise FileRefused(
            "E-POLICY", f"the sealed orders {slot} of entry {seq} cannot be read with this key"
        ) from None
    if type(doc) is not dict:
        raise FileRefused("E-POLICY", f"the sealed orders {slot} of entry {seq} are no document")
    return doc


def salt_of(secret: bytes, slot: str, seq: int, doc: Mapping[str, Any]) -> str:
    """The salt (hex) that hides a document; it follows from the document and its place."""
    return mac(secret, f"pbem1/salt\n{slot}\n{seq}\n{_digest_of(doc)}").hex()


def commitment(slot: str, seq: int, salt: str, doc: Mapping[str, Any]) -> str:
    """What binds the author to a document (hex)."""
    return digest("pbem1/commit", slot, str(seq), salt, _digest_of(doc)).hex()


def _digest_of(doc: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical(dict(doc))).hexdigest()


def _cipher(secret: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    return AESSIV(mac(secret, "pbem1/box\n1") + mac(secret, "pbem1/box\n2"))


def _bound_to(slot: str, seq: int) -> bytes:
    return f"pbem1/box\n{slot}\n{seq}".encode("ascii")
