"""Sealed standing orders: a commitment, and a copy in the file that only its author can read.

The document is bound by a salted digest, so even a short one cannot be guessed. The copy is
encrypted with AES-SIV, which tolerates a nonce used twice: the same document for the same place
gives the same bytes, and a stateless tool cannot promise more.
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
from pbem.messages import say
from pbem.value import value


@value
class Sealed:
    """A sealed document in a policy step: commitment (hex) and box (base64)."""

    c: str
    box: str


def seal(secret: bytes, slot: str, seq: int, doc: Mapping[str, Any]) -> Sealed:
    """Seals a document for entry `seq`. Raises FileRefused (E-CANON, E-LIMIT) for one outside the
    domain.
    """
    body = canonical(dict(doc))
    if len(body) > DOCUMENT_BYTES:
        raise FileRefused(
            "E-LIMIT",
            say(
                "standing orders {slot} are longer than {document_bytes} bytes when sealed",
                slot=slot,
                document_bytes=DOCUMENT_BYTES,
            ),
            hint=say("split them over several slots"),
        )
    c = commitment(slot, seq, salt_of(secret, slot, seq, doc), doc)
    return Sealed(c, encrypted(secret, body, _bound_to(slot, seq)))


def unbox(secret: bytes, slot: str, seq: int, box: str) -> dict[str, Any]:
    """The document in one's own box.

    Raises FileRefused (E-POLICY) when it is not one's own, or was made by a broken program.
    """
    doc = decrypted(secret, box, _bound_to(slot, seq))
    if doc is None:
        raise FileRefused(
            "E-POLICY",
            say(
                "the sealed orders {slot} of entry {seq} cannot be read with this key",
                slot=slot,
                seq=seq,
            ),
        )
    return doc


def encrypted(secret: bytes, body: bytes, place: str) -> str:
    """A box (base64) for a place in the chain, which its author alone can open."""
    locked = _cipher(secret).encrypt(body, [place.encode("ascii")])
    return binascii.b2a_base64(locked, newline=False).decode("ascii")


def decrypted(secret: bytes, box: str, place: str, size: int = 0) -> dict[str, Any] | None:
    """The object in a box, padded with blanks to a fixed size.

    None if it is not one's own, or was made by a broken program.
    """
    from cryptography.exceptions import InvalidTag

    try:
        locked = binascii.a2b_base64(box.encode("ascii"), strict_mode=True)
        body = _cipher(secret).decrypt(locked, [place.encode("ascii")])
        doc = parse(body)
        is_plain = type(doc) is dict and canonical(doc).ljust(size) == body
    except (InvalidTag, ValueError, FileRefused):
        return None
    return doc if is_plain else None


def salt_of(secret: bytes, slot: str, seq: int, doc: Mapping[str, Any]) -> str:
    """The salt (hex) that hides a document; it follows from the document and its place."""
    return mac(secret, f"pbem1/salt\n{slot}\n{seq}\n{digest_of(doc)}").hex()


def commitment(slot: str, seq: int, salt: str, doc: Mapping[str, Any]) -> str:
    """What binds the author to a document (hex)."""
    return digest("pbem1/commit", slot, str(seq), salt, digest_of(doc)).hex()


def digest_of(doc: Mapping[str, Any]) -> str:
    """The digest (hex) by which a sealed document is bound."""
    return hashlib.sha256(canonical(dict(doc))).hexdigest()


def _cipher(secret: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    return AESSIV(mac(secret, "pbem1/box\n1") + mac(secret, "pbem1/box\n2"))


def _bound_to(slot: str, seq: int) -> str:
    return f"pbem1/box\n{slot}\n{seq}"
