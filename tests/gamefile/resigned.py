"""Other signatures of an entry: the owner of a key can make any number that hold, and anybody some
that do not. The id of the entry stays the same.
"""

from __future__ import annotations

import base64
from hashlib import sha512

from pbem.gamefile.chain import Entry, pae, with_sum
from pbem.gamefile.keys import KeyPair

ORDER = 2**252 + 27742317777372353535851937790883648493


def signed_again(key: KeyPair, entry: Entry, number: int) -> Entry:
    """The entry with another signature that holds: RFC 8032, 5.1.6, with a nonce of our own."""
    nonce = KeyPair.from_seed(number.to_bytes(32, "big"))
    challenge = sha512(nonce.public + key.public + pae(entry.body)).digest()
    own = _scalar(nonce.seed) + int.from_bytes(challenge, "little") * _scalar(key.seed)
    return _with(entry, nonce.public + (own % ORDER).to_bytes(32, "little"))


def signed_falsely(entry: Entry, number: int) -> Entry:
    """The entry with a signature of nobody, and a sum that fits it."""
    return _with(entry, number.to_bytes(64, "big"))


def _with(entry: Entry, signature: bytes) -> Entry:
    return with_sum(entry.payload, base64.b64encode(signature).decode("ascii"))


def _scalar(seed: bytes) -> int:
    low = bytearray(sha512(seed).digest()[:32])
    low[0] &= 248
    low[31] = low[31] & 127 | 64
    return int.from_bytes(low, "little")
