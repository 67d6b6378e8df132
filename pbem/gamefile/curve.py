"""Which 32 bytes are a public key of Ed25519: RFC 8032, 5.1, in whole numbers alone.

OpenSSL also verifies with points that no private key has. Only public keys are judged here, so it
does not matter that the time depends on the numbers.
"""

from __future__ import annotations

from functools import lru_cache

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point, and of every public key that has a private key."""
_D = -121665 * pow(121666, -1, PRIME) % PRIME
_ROOT = pow(2, (PRIME - 1) // 4, PRIME)
"""A square root of -1."""

_Point = tuple[int, int, int, int]
"""Extended coordinates X, Y, Z and T: x = X/Z, y = Y/Z, xy = T/Z."""


@lru_cache(maxsize=256)
def is_anybodys(public: bytes) -> bool:
    """Whether 32 bytes with y below p are a point of the base point's group, and not its zero."""
    point = _decompressed(public)
    return point is not None and not _is_zero(point) and _is_zero(_times(ORDER, point))


def _decompressed(public: bytes) -> _Point | None:
    """The point of these bytes, if there is one (5.1.3)."""
    whole = int.from_bytes(public, "little")
    y, sign = whole % 2**255, whole >> 255
    square = (y * y - 1) * pow(_D * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if x * x % PRIME != square:
        x = x * _ROOT % PRIME
    if x * x % PRIME != square or (x == 0 and sign):
        return None
    if x % 2 != sign:
        x = PRIME - x
    return x, y, 1, x * y % PRIME


def _times(count: int, point: _Point) -> _Point:
    found: _Point = 0, 1, 1, 0
    for bit in bin(count)[2:]:
        found = _sum(found, found)
        if bit == "1":
            found = _sum(found, point)
    return found


def _sum(one: _Point, other: _Point) -> _Point:
    """The sum of any two points (5.1.4)."""
    a = (one[1] - one[0]) * (other[1] - other[0])
    b = (one[1] + one[0]) * (other[1] + other[0])
    c, d = 2 * one[3] * other[3] * _D % PRIME, 2 * one[2] * other[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def _is_zero(point: _Point) -> bool:
    return point[0] == 0 and point[1] == point[2]
