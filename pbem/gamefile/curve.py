"""Which 32 bytes are a public key of Ed25519: RFC 8032, 5.1, in whole numbers alone.

OpenSSL also verifies with points that no private key has. Only public keys are judged here, so it
does not matter that the time depends on the numbers.

Every point is a multiple of the base point with one of eight points of small order added, which are
the multiples of one of them. So a point has none of these added if it is eight times another point,
and only then: if it can be halved three times. Whether that is possible is seen from the number
that stands for the point: it is a square. So the third half need not be computed. That takes four
square roots, and a quarter as long as to multiply by the order of the base point. Whoever reads a
game for the first time judges two keys.
"""

from __future__ import annotations

from functools import lru_cache

PRIME = 2**255 - 19
_A = 486662
"""Of the same curve in Montgomery's form: v^2 = u^3 + A u^2 + u, with u = (1 + y) / (1 - y)."""
_UNIT = 0x2B8324804FC1DF0B2B4D00993DFBD7A72F431806AD2FE478C4EE1B274A0EA0B0
"""A square root of -1 (RFC 8032, 5.1.3)."""


def montgomery(public: bytes) -> bytes:
    """The u of a public key in 32 bytes: the same key for X25519 (RFC 7748, 4.1)."""
    y = int.from_bytes(public, "little") % 2**255
    return ((1 + y) * pow(1 - y, -1, PRIME) % PRIME).to_bytes(32, "little")


@lru_cache(maxsize=256)
def is_anybodys(public: bytes) -> bool:
    """Whether 32 bytes are a point of the base point's group, and not its zero.

    Of the nineteen y that are not below p, which RFC 8032 does not allow, none is of that group.
    """
    y = int.from_bytes(public, "little") % 2**255
    if y * y % PRIME == 1:
        return False  # zero, or the point of order two
    u = (1 + y) * pow(1 - y, -1, PRIME) % PRIME
    if not _is_square(u * _rest(u)):
        return False  # no point has this y
    for _ in range(2):
        if not _is_square(u):
            return False
        u = _halved(u)
    return _is_square(u)


def _rest(u: int) -> int:
    """With u it makes v^2."""
    return u * u + _A * u + 1


def _halved(u: int) -> int:
    """The u of a point that is doubled to one with this u, which is a square.

    That of the doubled is (t^2 - 1)^2 / 4t(t^2 + At + 1). With w = t + 1/t it is u where
    w^2 - 4uw - 4(Au + 1) = 0, and t is a number for one of the two w: for A^2 - 4 is no square, and
    (w^2 - 4) for one times the other is 16u^2(A^2 - 4). Two points are halves; they differ by the
    one of order two, which is four times another, so both will do.
    """
    root = _root(_rest(u))
    w = 2 * (u + root)
    if not _is_square(w * w - 4):
        w = 2 * (u - root)
    return (w + _root(w * w - 4)) * _HALF % PRIME


_HALF = (PRIME + 1) // 2


def _root(square: int) -> int:
    """One of the two roots of a square modulo p."""
    square %= PRIME
    found = pow(square, PRIME // 8 + 1, PRIME)
    return found if found * found % PRIME == square else found * _UNIT % PRIME


def _is_square(number: int) -> bool:
    """Whether a number that is not zero has a square root modulo p.

    Jacobi's symbol, by the law of quadratic reciprocity: a twelfth of what it takes to look for the
    root.
    """
    below, is_one = PRIME, True
    number %= PRIME
    while number:
        twos = (number & -number).bit_length() - 1
        number >>= twos
        is_one ^= (twos % 2 == 1 and below % 8 in (3, 5)) ^ (number % 4 == below % 4 == 3)
        number, below = below % number, number
    return is_one
